/* t0205-lxcat-ions.c - defends: blocks of ions in LXCat files, isotropic and backscatter,
 * are sets of their own, named by ion and gas, with the masses of the file, and are taken
 * neither for those of electrons nor for those of another ion; mistakes in them are
 * errors.
 *
 * The form is that of Phelps' Ar+ / Ar and He+ / He as they are quoted in public tests and
 * data (blocks without keyword: SPECIES, PROCESS, PARAM with Mi and Mi/M); the numbers are
 * invented.  That the energies of that database are of the relative motion is seen from its
 * comments, which put twice the energy of the table ("2.*col(A)") into formulae of the
 * energy of the ion: t0213 has rows of it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/log.h"
#include "crosssections/xs.h"
#include "physics/constants.h"
#include "t/tap/capture.h"
#include "t/tap/command.h"
#include "t/tap/tap.h"

static char path[4096];

static const char *ions_file(void)
{
  const char *root = getenv("WN_SRCDIR");
  snprintf(path, sizeof path, "%s/t/data/lxcat-ions.txt", root != NULL ? root : ".");
  return path;
}

static double at(const struct wn_xs_set *set, size_t i, double e_ev)
{
  return wn_xs_sigma(set, &set->process[i], e_ev, WN_XS_BEYOND_ERROR);
}

static void test_targets(void)
{
  static const char *const want[] = {"Xx+ / Xx", "Yy+ / Xx", "Zz2+ / Xx", "Xx"};
  size_t n = 0;
  char **names = NULL;
  is_int(wn_xs_list_targets(ions_file(), &n, &names), WN_OK, "the file is read");
  is_int((long long)n, 4, "four sets");
  for (size_t i = 0; i < n; i++) {
    is_str(names[i], i < 4 ? want[i] : NULL, "set %zu", i);
    free(names[i]);
  }
  free(names);
}

static void test_set(void)
{
  struct wn_xs_set *set = NULL;
  if (!is_int(wn_xs_read_lxcat(ions_file(), "Xx+ / Xx", NULL, &set), WN_OK, "Xx+ / Xx"))
    return;
  is_str(set->name, "Xx", "the gas");
  is_str(set->ion, "Xx+", "the ion");
  ok(set->frame == WN_XS_FRAME_CM, "energies of the relative motion");
  is_close(set->ion_mass, 40.0 * WN_AMU, 1e-12, "mass of the ion");
  is_close(set->target_mass, 40.0 * WN_AMU, 1e-12, "mass of the target");
  is_int((long long)set->n, 2, "two processes");
  is_str(set->process[0].label, "backscatter", "backscatter");
  is_str(set->process[1].label, "isotropic", "isotropic");
  ok(set->process[0].kind == WN_XS_BACKSCATTER && set->process[1].kind == WN_XS_ISOTROPIC,
     "of these kinds");
  is_int(set->process[0].line, 11, "the line of PROCESS");
  is_str(set->process[0].comment,
         "Xx+ in Xx: nobody (1994).\n0.5*(2E-18/(2.*col(A))^0.1)", "the comments");
  is_str(set->process[0].database, "Invented one", "the database");
  is_close(at(set, 0, 0.0), 4e-19, 1e-12, "backscatter at 0");
  is_close(at(set, 0, 1.0), 3e-19, 1e-12, "backscatter at 1 eV");
  is_close(at(set, 0, 5000.5), 2e-19, 1e-4, "backscatter between rows");
  is_close(at(set, 1, 1e4), 1e-21, 1e-12, "isotropic at the end");
  is_str(set->notes, NULL, "nothing to note");
  is_int(wn_xs_prepare(set, WN_XS_EFFECTIVE_ERROR, 0.0, 0, NULL), WN_OK,
         "a run can take it");
  wn_xs_free(set);
}

static void test_others(void)
{
  struct wn_xs_set *set = NULL;
  if (is_int(wn_xs_read_lxcat(ions_file(), "Yy+ / Xx", NULL, &set), WN_OK, "Yy+ / Xx")) {
    is_close(set->ion_mass, 10.0 * WN_AMU, 1e-12, "Yy+: its mass");
    is_close(set->target_mass, 40.0 * WN_AMU, 1e-12, "Yy+: mass of the target");
    is_int((long long)set->n, 1, "Yy+: its process alone");
    wn_xs_free(set);
  }
  if (is_int(wn_xs_read_lxcat(ions_file(), "Zz2+ / Xx", NULL, &set), WN_OK,
             "Zz2+ / Xx, by keyword and line 2")) {
    ok(set->ion_mass == 0.0 && set->notes != NULL &&
           strstr(set->notes, "the masses are unknown") != NULL,
       "Zz2+: no masses, which is said");
    wn_xs_free(set);
  }
  if (is_int(wn_xs_read_lxcat(ions_file(), NULL, NULL, &set), WN_OK,
             "without a target: electrons")) {
    ok(set->ion == NULL && set->n == 1 && set->process[0].kind == WN_XS_ELASTIC,
       "which have nothing of the ions");
    wn_xs_free(set);
  }
}

/* A file that holds one block twice, or masses that cannot be. */
static const struct {
  const char *text, *said;
} bad[] = {
    {"SPECIES: A^+ / A\nPROCESS: A+ + A -> , Isotropic\nPARAM.:  Mi = 4, Mi/M = 1\n"
     "-----\n0 1e-19\n1 1e-19\n-----\n"
     "SPECIES: A^+ / A\nPROCESS: A+ + A -> , Isotropic\nPARAM.:  Mi = 4, Mi/M = 1\n"
     "-----\n0 1e-19\n1 1e-19\n-----\n",
     "t0205.txt:9: \"isotropic #2\": there is another isotropic of A+ / A"},
    {"SPECIES: A^+ / A\nPROCESS: A+ + A -> , Isotropic\nPARAM.:  Mi = 4, Mi/M = 1\n"
     "-----\n0 1e-19\n1 1e-19\n-----\n"
     "SPECIES: A^+ / A\nPROCESS: A+ + A -> , Backscat\nPARAM.:  Mi = 5, Mi/M = 1\n"
     "-----\n0 1e-19\n1 1e-19\n-----\n",
     "t0205.txt:9: block BACKSCAT A+ / A: masses differ from those of the blocks before"},
    {"PROCESS: A+ + A -> , Isotropic\nPARAM.:  Mi = -4, Mi/M = 1\n"
     "-----\n0 1e-19\n1 1e-19\n-----\n",
     "t0205.txt:1: block ISOTROPIC A+ / A: Mi = -4, Mi/M = 1"},
    {"PROCESS: A+ + A -> , Isotropic\nPARAM.:  Mi = 4, Mi/M = 1\n"
     "-----\n0 1e-19\n1 -1e-19\n-----\n",
     "t0205.txt:5: row 1 -1e-19"},
};

static void test_bad(void)
{
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    struct wn_xs_set *set = NULL;
    command_write("t0205.txt", bad[i].text);
    capture();
    int status = wn_xs_read_lxcat("t0205.txt", "A+ / A", NULL, &set);
    if (status == WN_OK)
      status = wn_xs_prepare(set, WN_XS_EFFECTIVE_ERROR, 0.0, 0, NULL);
    const char *said = captured();
    ok(status == WN_EINPUT && strstr(said, bad[i].said) != NULL, "wanted: %s; said: %s",
       bad[i].said, said);
    wn_xs_free(set);
  }
  remove("t0205.txt");
}

int main(void)
{
  plan(0);
  wn_log_set_level(WN_LOG_ERROR); /* the warnings are the notes */
  test_targets();
  test_set();
  test_others();
  test_bad();
  return done();
}
