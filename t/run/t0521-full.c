/* t0521-full.c - defends: a population that outgrows the store is not cut and not lost.
 * Whatever the model, the job and the scheduler, the run stops at the end of its last
 * whole phase with exit status 1 and a message that names what to change; the file has
 * its final name, says complete = 0, and holds what a run with a larger store that is
 * stopped at that time holds, bit for bit; NaN is what cannot be known.  It stops neither
 * a phase too early nor too late.  No outside numbers. */
#include <math.h>
#include <netcdf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "schedulers/scheduler.h"
#include "t/tap/command.h"
#include "t/tap/tap.h"

#define FILE_A "t0521-a.nc"
#define FILE_B "t0521-b.nc"

#define AIR                                                                              \
  "groups = 8;\n"                                                                        \
  "gas = { components = {\n"                                                             \
  "  N2 = { fraction = 0.8; file = \"builtin:air\"; };\n"                                \
  "  O2 = { fraction = 0.2; file = \"builtin:air\"; };\n"                                \
  "}; };\n"

/* Phases of 2^-43 s, so that any number of them adds up without rounding. */
#define PHASE 0x1p-43
static const char runaway[] =
    "job = \"runaway\"; fields = [\"1000 Td\", \"1500 Td\"]; electrons = 100;\n"
    "sampling = { interval = \"1.1368683772161603e-13 s\"; };\n"
    "duration = \"1.1641532182693481e-10 s\";\n"
    "runaway = { thresholds = [\"30 eV\", \"60 eV\"]; };\n" AIR;
static const char swarm[] =
    "job = \"swarm\"; fields = [\"700 Td\", \"720 Td\"]; electrons = 200;\n"
    "duration = \"400 ps\"; relaxation = \"20 ps\";\n"
    "sampling = { block = 4; interval = \"0.5 ps\"; };\n" AIR;
static int exists(const char *path)
{
  struct stat st;
  return stat(path, &st) == 0;
}

/* Value i of a variable; NaN when it is not there. */
static double value(const char *path, const char *name, size_t i)
{
  size_t n = 0;
  double *v = command_nc_read(path, name, &n), x = v != NULL && i < n ? v[i] : NAN;
  free(v);
  return x;
}

/* The file of a run that was stopped; what: for the report. */
static void stopped_file(const char *what, const char *path)
{
  char part[64], why[512] = "";
  double complete = NAN;
  size_t n = 0;
  int nc;
  snprintf(part, sizeof part, "%s.part", path);
  ok(exists(path) && !exists(part), "%s: the file has its final name", what);
  if (nc_open(path, NC_NOWRITE, &nc) != NC_NOERR) {
    ok(0, "%s: and can be read", what);
    return;
  }
  nc_get_att_double(nc, NC_GLOBAL, "complete", &complete);
  if (nc_inq_attlen(nc, NC_GLOBAL, "stopped", &n) == NC_NOERR && n < sizeof why)
    nc_get_att_text(nc, NC_GLOBAL, "stopped", why);
  nc_close(nc);
  is_close(complete, 0.0, 0.0, "%s: it says that it is not complete", what);
  ok(strstr(why, "the store of electrons was full") != NULL, "%s: and why: %s", what,
     why);
}

static void is_complete(const char *what, const char *path)
{
  double complete = NAN;
  size_t n;
  int nc, has_stopped = 1;
  if (nc_open(path, NC_NOWRITE, &nc) == NC_NOERR) {
    nc_get_att_double(nc, NC_GLOBAL, "complete", &complete);
    has_stopped = nc_inq_attlen(nc, NC_GLOBAL, "stopped", &n) == NC_NOERR;
    nc_close(nc);
  }
  ok(complete == 1.0 && !has_stopped, "%s: a finished run is complete", what);
}

/* One run that must end with a full store. */
static void fills(const char *what, size_t capacity, const char *scheduler)
{
  char want[64];
  remove(FILE_A);
  int status = command("%s run t0521.cfg --quiet --scheduler %s --output %s "
                       "--set population.capacity=%zu",
                       command_wilson(), scheduler, FILE_A, capacity);
  is_int(status, 1, "%s: exit status", what);
  snprintf(want, sizeof want, "population.capacity is %zu", capacity);
  if (!ok(strstr(command_err, want) != NULL &&
              strstr(command_err, "raise population.capacity") != NULL,
          "%s: the message says what to change", what))
    diag("%.900s", command_err);
  stopped_file(what, FILE_A);
}

/* Whether record i of every variable along `dim` is the same, bit for bit, in two files;
 * those of 0 to n_records. */
static const char *differs(const char *a, const char *b, const char *dim,
                           size_t n_records, size_t *n_values)
{
  static char name[NC_MAX_NAME + 1];
  int p, q, n_vars = 0;
  const char *what = NULL;
  *n_values = 0;
  if (nc_open(a, NC_NOWRITE, &p) != NC_NOERR)
    return a;
  if (nc_open(b, NC_NOWRITE, &q) != NC_NOERR) {
    nc_close(p);
    return b;
  }
  nc_inq_nvars(p, &n_vars);
  for (int i = 0; i < n_vars && what == NULL; i++) {
    char first[NC_MAX_NAME + 1];
    int dims[NC_MAX_VAR_DIMS], n_dims, j;
    size_t len[2] = {0, 0}, n = 1;
    nc_inq_varname(p, i, name);
    nc_inq_varndims(p, i, &n_dims);
    nc_inq_vardimid(p, i, dims);
    if (n_dims == 0 || n_dims > 2)
      continue;
    nc_inq_dim(p, dims[0], first, &len[0]);
    if (strcmp(first, dim) != 0)
      continue;
    len[0] = n_records;
    if (n_dims == 2)
      nc_inq_dimlen(p, dims[1], &len[1]);
    n = n_dims == 2 ? n_records * len[1] : n_records;
    const size_t start[2] = {0, 0};
    double *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y);
    if (x == NULL || y == NULL || nc_inq_varid(q, name, &j) != NC_NOERR ||
        nc_get_vara_double(p, i, start, len, x) != NC_NOERR ||
        nc_get_vara_double(q, j, start, len, y) != NC_NOERR ||
        memcmp(x, y, n * sizeof *x) != 0)
      what = name;
    *n_values += n;
    free(x);
    free(y);
  }
  nc_close(p);
  nc_close(q);
  return what;
}

static void runaway_job(const char *scheduler)
{
  char what[128];
  size_t n = 0;
  snprintf(what, sizeof what, "runaway, %s", scheduler);
  command_write("t0521.cfg", runaway);
  fills(what, 500, scheduler);
  double time = value(FILE_A, "followed_time", 0), phases = time / PHASE;
  ok(phases >= 10.0 && phases < 1024.0 && phases == floor(phases),
     "%s: it ends after %g whole phases", what, phases);
  ok(isnan(value(FILE_A, "followed_time", 1)) && isnan(value(FILE_A, "mean_energy", 1)),
     "%s: the second field was not begun", what);
  if (!(phases >= 1.0))
    return;
  int status =
      command("%s run t0521.cfg --quiet --scheduler serial --device cpu --output %s "
              "--set 'fields=[\"1000 Td\"]' --set 'duration=\"%.17g s\"'",
              command_wilson(), FILE_B, time);
  is_int(status, 0, "%s: a larger store, the same time", what);
  is_complete(what, FILE_B);
  const char *bad = differs(FILE_A, FILE_B, "field", 1, &n);
  ok(bad == NULL && n > 450, "%s: the same %zu numbers%s%s", what, n,
     bad ? "; differs: " : "", bad ? bad : "");
  ok(isfinite(value(FILE_A, "final_mean_energy", 0)), "%s: final energies too", what);
  /* of 100 primaries with the weight 1; the dead of a phase have places as well */
  double there = 100.0 * value(FILE_B, "final_electrons", 0);
  status = command("%s run t0521.cfg --quiet --scheduler serial --device cpu --output %s "
                   "--set 'fields=[\"1000 Td\"]' --set 'duration=\"%.17g s\"'",
                   command_wilson(), FILE_B, time + PHASE);
  double next = 100.0 * value(FILE_B, "final_electrons", 0);
  ok(status == 0 && there <= 500.0 && next > 495.0,
     "%s: %g electrons fit into 500 places, %g of a phase later with its dead do not",
     what, there, next);
}

/* It is not known before that the first step would fill the store. */
static void first_phase(const char *scheduler)
{
  char what[128];
  snprintf(what, sizeof what, "in the first phase, %s", scheduler);
  command_write("t0521.cfg", "job = \"runaway\"; fields = [\"1500 Td\"]; electrons = 100;"
                             "sampling = { interval = \"10 ps\"; };\n"
                             "duration = \"10 ps\";\n" AIR);
  fills(what, 500, scheduler);
  is_close(value(FILE_A, "followed_time", 0), 0.0, 0.0, "%s: at time 0", what);
  is_close(value(FILE_A, "runaway_fraction", 0), 0.0, 0.0, "%s: none passed", what);
  is_close(value(FILE_A, "candidates", 0), 0.0, 0.0, "%s: nothing is counted", what);
  ok(isnan(value(FILE_A, "final_mean_energy", 0)) &&
         isnan(value(FILE_A, "final_energy_distribution", 0)) &&
         isnan(value(FILE_A, "energy_gained", 0)),
     "%s: what is not known is NaN", what);
}

/* Capacities that stop a swarm in its relaxation, and when something is measured.  The
 * number of its electrons goes up and down about the target, so that a larger store is
 * full later: tried. */
static void find_swarm(size_t *early, size_t *late)
{
  command_write("t0521.cfg", swarm);
  *early = *late = 0;
  int status = 1;
  for (size_t capacity = 210; capacity < 300 && status == 1 && *late == 0;
       capacity += *early ? 3 : 1) {
    status = command("%s run t0521.cfg --quiet --scheduler serial --output %s "
                     "--set population.capacity=%zu",
                     command_wilson(), FILE_A, capacity);
    double sampled = value(FILE_A, "sampling_time", 0);
    if (isnan(sampled))
      *early = capacity;
    else if (isfinite(value(FILE_A, "mean_energy", 0)) && sampled < 390e-12)
      *late = capacity;
  }
  ok(*early > 0, "a swarm can be stopped while it relaxes: %zu", *early);
  ok(*late > 0, "a swarm can be stopped while it is measured: %zu", *late);
}

static void swarm_job(const char *scheduler, size_t early, size_t late)
{
  char what[128];
  size_t n;
  snprintf(what, sizeof what, "swarm, %s", scheduler);
  command_write("t0521.cfg", swarm);
  fills(what, early, scheduler);
  ok(isnan(value(FILE_A, "mean_energy", 0)) && isnan(value(FILE_A, "energy_gained", 0)) &&
         value(FILE_A, "candidates", 0) > 0.0,
     "%s: nothing is measured while it relaxes", what);
  fills(what, late, "serial");
  rename(FILE_A, FILE_B);
  fills(what, late, scheduler);
  const char *bad = differs(FILE_A, FILE_B, "field", 1, &n);
  ok(bad == NULL && n > 450, "%s: the same %zu numbers as serial%s%s", what, n,
     bad ? "; differs: " : "", bad ? bad : "");
  double energy = value(FILE_A, "mean_energy", 0),
         error = value(FILE_A, "mean_energy_error", 0);
  int status = command("%s run t0521.cfg --quiet --scheduler serial --output %s "
                       "--set population.capacity=2000",
                       command_wilson(), FILE_B);
  is_int(status, 0, "%s: a store that is large enough", what);
  is_complete(what, FILE_B);
  /* the shorter measurement is a part of the longer one: 5 sigma of its own */
  is_near(energy, value(FILE_B, "mean_energy", 0), 5.0 * error,
          "%s: mean energy up to there", what);
  ok(error > 0.0 && error < 0.1 * energy, "%s: with its error, %g eV", what, error);
  double steps = value(FILE_A, "sampling_time", 0) / 0.5e-12;
  is_near(steps, rint(steps), 1e-6, "%s: a whole number of samples", what);
  ok(steps >= 32.0, "%s: 8 blocks of 4 or more: %g", what, steps);
  is_near(value(FILE_A, "relaxation_time", 0), 20e-12, 1e-15, "%s: relaxation", what);
  ok(fabs(value(FILE_A, "energy_residual", 0)) < 1e-6 * value(FILE_A, "energy_gained", 0),
     "%s: the ledger closes", what);
  ok(isnan(value(FILE_A, "mean_energy", 1)), "%s: no second field", what);
}

/* `tiles` is for particles without collisions. */
static int is_for_electrons(const char *scheduler)
{
  size_t n;
  const struct wn_scheduler_ops *const *list = wn_scheduler_list(&n);
  for (size_t i = 0; i < n; i++)
    if (strcmp(list[i]->name, scheduler) == 0)
      return list[i]->supports == NULL;
  return 0;
}

/* The memory of the machine ends before population.capacity: 60 MB more than a small run
 * needs. */
static void no_memory(void)
{
  command_write("t0521.cfg",
                "job = \"runaway\"; fields = [\"2000 Td\"]; electrons = 20000;\n"
                "duration = \"20 ps\"; sampling = { interval = \"0.1 ps\"; };\n" AIR);
  int status = command("for k in $(seq 40000 20000 1000000); do\n"
                       "  if (ulimit -v $k; %s run t0521.cfg --quiet --scheduler serial "
                       "--output %s --set 'duration=\"0.1 ps\"') >t0521.out 2>&1; then\n"
                       "    rm -f %s t0521.out; echo $k; exit 0\n"
                       "  fi\n"
                       "done; rm -f t0521.out; exit 1",
                       command_wilson(), FILE_A, FILE_A);
  if (status != 0) {
    skip(1, "the program does not run under a limit of memory (sanitizers)");
    return;
  }
  long limit = strtol(command_out, NULL, 10);
  status = command("ulimit -v %ld; %s run t0521.cfg --quiet --scheduler serial "
                   "--output %s --set population.capacity=4e9",
                   limit + 60000, command_wilson(), FILE_A);
  is_int(status, 1, "no more memory: exit status");
  if (!ok(strstr(command_err, "out of memory") != NULL &&
              strstr(command_err, "population.target") != NULL,
          "no more memory: the message says what to change"))
    diag("%.900s", command_err);
  stopped_file("no more memory", FILE_A);
  ok(value(FILE_A, "followed_time", 0) > 0.5e-12 &&
         value(FILE_A, "energy_gained", 0) > 0.0,
     "no more memory: what was measured is there");
}

int main(void)
{
  static char names[4096];
  plan(0);
  /* those of a GPU where there is one */
  command("if %s list devices | grep -q '^cuda:0'; then %s list schedulers; else %s list "
          "schedulers | grep -E '^[^ ]+ +cpu'; fi | sed 's/ .*//'",
          command_wilson(), command_wilson(), command_wilson());
  snprintf(names, sizeof names, "%.4000s", command_out);
  ok(strstr(names, "serial") != NULL, "there are schedulers");
  size_t early, late, n_gpu = 0;
  find_swarm(&early, &late);
  for (char *name = strtok(names, "\n"); name != NULL; name = strtok(NULL, "\n")) {
    if (!is_for_electrons(name))
      continue;
    runaway_job(name);
    /* the GPU's are alike in what follows, and each run begins with a second of CUDA */
    if (strcmp(name, "serial") != 0 && strcmp(name, "openmp") != 0 && n_gpu++ > 0)
      continue;
    first_phase(name);
    swarm_job(name, early, late);
  }
  no_memory();
  remove("t0521.cfg");
  remove(FILE_A);
  remove(FILE_B);
  return done();
}
