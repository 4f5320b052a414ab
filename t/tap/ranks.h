/* t/tap/ranks.h - for tests that start the program under mpirun.  Inline: each uses a part. */
#ifndef WN_T_TAP_RANKS_H
#define WN_T_TAP_RANKS_H
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "t/tap/command.h"
#include "t/tap/tap.h"

/* Not as libraries like it: more processes than cores, by root, and none spins while it waits.
 * What another mpirun says of these is nothing to it. */
static inline void ranks_allow(void)
{
  static const char *const set[][2] = {
      {"OMPI_ALLOW_RUN_AS_ROOT", "1"},
      {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"},
      {"OMPI_MCA_rmaps_base_oversubscribe", "1"},
      {"PRTE_MCA_rmaps_default_mapping_policy", ":oversubscribe"},
      {"OMPI_MCA_hwloc_base_binding_policy", "none"},
      {"OMPI_MCA_mpi_yield_when_idle", "1"},
      /* the layer that it takes in any case between processes of one machine: others are not tried first */
      {"OMPI_MCA_pml", "ob1"},
      {"OMPI_MCA_btl_vader_single_copy_mechanism", "none"},
      /* what MPI keeps until the end is not ours */
      {"ASAN_OPTIONS", "detect_leaks=0"},
      {"OMP_WAIT_POLICY", "passive"}};
  for (size_t i = 0; i < sizeof set / sizeof set[0]; i++)
    setenv(set[i][0], set[i][1], 1);
}

/* Before the plan: the test is skipped where mpirun starts nothing. */
static inline void ranks_or_skip(void)
{
  ranks_allow();
  if (command("mpirun -n 2 true") != 0)
    skip_all("mpirun starts no processes here");
}

/* A run of several processes ended as wanted, and its file `again` has the numbers of `alone`; it is
 * removed. */
static inline void ranks_same(const char *alone, const char *again, const char *what,
                              int status, int wanted)
{
  size_t n = 0;
  const char *differs = status == wanted ? command_nc_differs(alone, again, &n) : "";
  if (!ok(status == wanted && differs == NULL && n > 20,
          "%s: the %zu numbers of the one that is alone%s%s", what, n,
          differs ? "; differs: " : "", differs ? differs : ""))
    diag("exit status %d; %.900s", status, command_err);
  remove(again);
}

/* The same where slabs add in another order: n_names variables are equal to rounding, in single precision, after some steps. */
static inline void ranks_near(const char *alone, const char *again, const char *what,
                              int status, size_t n_names, const char *const *names)
{
  if (!is_int(status, 0, "%s: a run", what))
    diag("%.900s", command_err);
  for (size_t k = 0; k < n_names; k++) {
    size_t n = 0, m = 0;
    double *a = command_nc_read(alone, names[k], &n),
           *b = command_nc_read(again, names[k], &m), most = 0.0, size = 0.0;
    for (size_t i = 0; a != NULL && b != NULL && i < n && i < m; i++) {
      size = fmax(size, fabs(a[i]));
      most = fmax(most, fabs(a[i] - b[i]));
    }
    ok(n == m && n > 20 && most <= 1e-5 * size, "%s: %s to %.2g", what, names[k],
       most / size);
    free(a), free(b);
  }
  remove(again);
}

/* Variables of two files are equal in every number, of domains, whose fields differ by rounding, where that is too little for particles to feel.
 * `again` is removed. */
static inline void ranks_equal(const char *alone, const char *again, size_t n_names,
                               const char *const *names)
{
  for (size_t i = 0; i < n_names; i++) {
    size_t n = 0, m = 0, differ = 0;
    double *a = command_nc_read(alone, names[i], &n),
           *b = command_nc_read(again, names[i], &m);
    for (size_t j = 0; a != NULL && b != NULL && n == m && j < n; j++)
      differ += a[j] != b[j];
    ok(n > 0 && n == m && differ == 0, "%s in domains: %zu of %zu differ", names[i],
       differ, n);
    free(a);
    free(b);
  }
  remove(again);
}

/* The scenario in `file`, whose result is `alone`, with its electrons divided among n processes; a skip where mpirun starts nothing. */
static inline void ranks_divide_electrons(int n, const char *file, const char *alone,
                                          const char *again)
{
  char what[40];
  ranks_allow();
  if (command("mpirun -n 2 true") != 0) {
    skip(1, "mpirun starts no processes here");
    return;
  }
  const int status = command("mpirun -n %d %s run %s --quiet --threads 1 --set "
                             "'divide=\"electrons\"' --output %s",
                             n, command_wilson(), file, again);
  snprintf(what, sizeof what, "%d processes", n);
  ranks_same(alone, again, what, status, 0);
}

/* How often a text has another in it. */
static inline size_t ranks_times(const char *text, const char *what)
{
  size_t n = 0;
  for (const char *at = text; (at = strstr(at, what)) != NULL; at++)
    n++;
  return n;
}

#endif
