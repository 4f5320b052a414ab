/* t0776-followed.c - defends: two states of one gas as components of it, with a density that is
 * given or followed.  Stepwise ionization of a followed density has the frequency of the same
 * density given as a fraction; of no other process does it change the frequency.  The density
 * is what the events of the sources and of the component's own processes say, to rounding, with
 * its loss: the recurrence of followed.h, computed here from the counts of the electrons' tally;
 * without events it is exp(-loss t).  A density above that of the scenario ends the run, and
 * names that are no process are refused.  Ions need no cross sections with a component that has
 * ions = false.  Threads, schedulers, slices and processes change no bit.
 *
 * Tolerances: counts 4.5 times the root of both numbers (1e-5 false alarms a check); the seed is
 * fixed. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "physics/constants.h"
#include "src/sim/followed.h"
#include "src/sim/plasma.h"
#include "t/tap/command.h"
#include "t/tap/ranks.h"
#include "t/tap/scene.h"
#include "t/tap/tap.h"

#define FILE_NAME "t0776.cfg"
#define LXCAT     "t0776.txt"
#define IONS      "t0776-ions.txt"
#define OUT       "t0776.nc"
#define AGAIN     "t0776-again.nc"
#define RULE      "-----------------------------\n"

/* Made-up cross sections of a gas and of its metastable state. */
static const char lxcat[] =
    "ELASTIC\nAr\n 1.36e-5\n" RULE " 0 1e-20\n 1000 1e-20\n" RULE
    "EXCITATION\nAr -> Ar*\n 11.55\n" RULE " 11.55 0\n 30 3e-20\n 1000 1e-20\n" RULE
    "IONIZATION\nAr -> Ar^+\n 15.76\n" RULE " 15.76 0\n 100 2.8e-20\n 1000 1e-20\n" RULE
    "ELASTIC\nAr*\n 1.36e-5\n" RULE " 0 1e-19\n 1000 1e-19\n" RULE
    "IONIZATION\nAr* -> Ar^+\n 4.21\n" RULE " 4.21 0\n 10 2e-18\n 1000 5e-19\n" RULE;
static const char ions[] = "SPECIES: Ar^+ / Ar\nPROCESS: Ar+ + Ar -> , Isotropic\n"
                           "PARAM.:  Mi = 39.948, Mi/M = 1, complete set\n" RULE
                           " 0.01 1e-19\n 1000 1e-19\n" RULE;

/* 8000 electrons of 20 eV in 10 Pa, so few real ones that they change no density. */
static const char plasma[] =
    "model = \"plasma\"; duration = \"10 ns\"; seed = 3; threads = 1;\n"
    "grid = { cells = [8]; length = \"1 cm\"; };\n"
    "gas = { number_density = \"2e21 m-3\"; temperature = \"300 K\"; components = {\n"
    "  Ar = { fraction = 0.98; file = \"" LXCAT "\"; beyond = \"constant\"; };\n"
    "  Arm = { fraction = 0.02; file = \"" LXCAT "\"; target = \"Ar*\"; beyond = "
    "\"constant\"; ions = false; }; }; };\n"
    "tables = { energy_max = \"1 keV\"; };\n"
    "species = { e = { density = \"1 m-3\"; per_cell = 1000; temperature = \"20 eV\"; "
    "collisions = \"gas\"; ions = \"i\"; };\n"
    "  i = { density = \"1 m-3\"; per_cell = 1000; charge = 1.0; mass = \"39.948 u\"; "
    "mobile = false; }; };\n"
    "plasma = { time_step = \"50 ps\"; allow = [\"cell-crossing\"]; };\n";
#define FOLLOWED(more) "followed.Arm={sources=[\"Ar excitation Ar*\"]; " more "}"
#define MOST           (0.02 * 2e21)

/* In the order of the set: the gas, then its metastable. */
enum { ELASTIC, EXCITATION, IONIZATION, ELASTIC_M, IONIZATION_M, N_PROCESSES };

static void make_files(void)
{
  command_write(LXCAT, lxcat);
  command_write(IONS, ions);
}

static double count(const struct scene *s, int process)
{
  const struct wn_tally *t = &s->sim->species[0]->tally;
  return (double)t->count[process] / WN_FIX_WEIGHT;
}

/* The counts of 200 steps. */
static void counts(const char *const *set, double n[N_PROCESSES])
{
  struct scene s;
  scene_open(&s, FILE_NAME, plasma, set);
  scene_start(&s, 50e-12);
  WN_ASSERT(s.gas->table->view.n_processes == N_PROCESSES);
  for (int i = 0; i < 200; i++)
    WN_ASSERT(scene_phase(&s) == WN_OK);
  for (int i = 0; i < N_PROCESSES; i++)
    n[i] = count(&s, i);
  scene_close(&s);
}

/* Three quarters of the metastables: given, and followed. */
static void frequencies(void)
{
  static const char *const given[] = {"gas.components.Ar.fraction=0.984924623115578",
                                      "gas.components.Arm.fraction=0.0150753768844221",
                                      "gas.number_density=\"1.99e21 m-3\"", NULL},
                           *const followed[] = {FOLLOWED("density=\"3e19 m-3\";"), NULL},
                           *const all[] = {FOLLOWED("density=\"4e19 m-3\";"), NULL},
                           *const none[] = {FOLLOWED("density=\"0 m-3\";"), NULL},
                           *const alone[] = {"gas.components.Ar.fraction=1",
                                             "gas.components.Arm.fraction=1e-9",
                                             "gas.number_density=\"1.96e21 m-3\"", NULL},
                           *const without[] = {"seed=3", NULL};
  double a[N_PROCESSES], b[N_PROCESSES];
  counts(given, a);
  counts(followed, b);
  for (int i = 0; i < N_PROCESSES; i++)
    is_near(b[i], a[i], 4.5 * sqrt(a[i] + b[i]),
            "process %d: as often with a followed density as with a given one", i);
  ok(b[IONIZATION_M] > 800 && b[ELASTIC_M] > 20 && b[EXCITATION] > 200,
     "%g times stepwise ionization", b[IONIZATION_M]);
  counts(none, b);
  is_near(b[IONIZATION_M] + b[ELASTIC_M], 0.0, 0.0,
          "no metastables, no collisions with them");
  counts(alone, a);
  for (int i = ELASTIC; i <= IONIZATION; i++)
    is_near(b[i], a[i], 4.5 * sqrt(a[i] + b[i]), "process %d: as in the gas alone", i);
  counts(all, a);
  counts(without, b);
  ok(memcmp(a, b, sizeof a) == 0, "all of them: as without following");
}

/* Many real electrons in a gas: the density of each step, from the counts. */
static void recurrence(const char *loss, double nu)
{
  char with[200];
  snprintf(with, sizeof with,
           "followed.Arm={sources=[\"Ar excitation Ar*\"]; density=\"1e19 m-3\"; "
           "loss=\"%s\";}",
           loss);
  const char *const set[] = {with, "species.e.density=\"1e16 m-3\"",
                             "species.i.density=\"1e16 m-3\"",
                             "plasma.allow=[\"cell-crossing\",\"debye-length\"]", NULL};
  struct scene s;
  scene_open(&s, FILE_NAME, plasma, set);
  scene_start(&s, 50e-12);
  const double weight = 1e16 * 0.01 / 8000.0; /* of one, per m2 of the domain of 1 cm */
  double n = 1e19, before[N_PROCESSES] = {0}, off = 0.0, greatest = 0.0;
  const double x = nu * 50e-12;
  for (int i = 0; i < 100; i++) {
    double now;
    WN_ASSERT(scene_phase(&s) == WN_OK);
    const double events = count(&s, EXCITATION) - before[EXCITATION] -
                          (count(&s, IONIZATION_M) - before[IONIZATION_M]);
    n = n * exp(-x) + events * weight / 0.01 * (x > 0.0 ? (1.0 - exp(-x)) / x : 1.0);
    for (int k = 0; k < N_PROCESSES; k++)
      before[k] = count(&s, k);
    wn_followed_densities(s.sim, &now);
    off = fmax(off, fabs(now - n));
    greatest = fmax(greatest, n);
  }
  ok(before[EXCITATION] > 50 && before[IONIZATION_M] > 50 && before[ELASTIC_M] > 5,
     "loss %s: it is made and taken", loss);
  is_near(off / greatest, 0.0, 1e-12, "loss %s: the density is what the counts say",
          loss);
  scene_close(&s);
}

static void decay(void)
{
  static const char *const set[] = {FOLLOWED("density=\"1e19 m-3\"; loss=\"1e8 1/s\";"),
                                    "species.e.temperature=\"0.1 eV\"", NULL};
  struct scene s;
  double n;
  scene_open(&s, FILE_NAME, plasma, set);
  scene_start(&s, 50e-12);
  for (int i = 0; i < 200; i++)
    WN_ASSERT(scene_phase(&s) == WN_OK);
  wn_followed_densities(s.sim, &n);
  is_close(n, 1e19 * exp(-1.0), 1e-12, "without events it decays");
  scene_close(&s);
}

/* The table: the processes of one component in proportion, the others as they were, and all of
 * them again with 1. */
static void table(void)
{
  static const char *const nothing[] = {NULL};
  static const double at[] = {0.5, 5.0, 12.0, 40.0, 900.0};
  struct scene s;
  double whole[N_PROCESSES][5];
  int wrong = 0, back = 0;
  scene_open(&s, FILE_NAME, plasma, nothing);
  struct wn_xs_table *t = s.gas->table;
  for (int k = 0; k < N_PROCESSES; k++)
    for (int i = 0; i < 5; i++)
      whole[k][i] = wn_xs_table_frequency(t, k, at[i]);
  WN_ASSERT(wn_xs_table_thin(t, 1, 0.9) == WN_OK &&
            wn_xs_table_thin(t, 1, 0.25) == WN_OK);
  for (int k = 0; k < N_PROCESSES; k++)
    for (int i = 0; i < 5; i++)
      wrong += fabs(wn_xs_table_frequency(t, k, at[i]) -
                    (k >= ELASTIC_M ? 0.25 : 1.0) * whole[k][i]) > 1e-6 * whole[k][i];
  WN_ASSERT(wn_xs_table_thin(t, 1, 1.0) == WN_OK);
  for (int k = 0; k < N_PROCESSES; k++)
    for (int i = 0; i < 5; i++)
      back += wn_xs_table_frequency(t, k, at[i]) != whole[k][i];
  is_int(wrong, 0, "frequencies of a component in proportion");
  is_int(back, 0, "and back to the last bit");
  scene_close(&s);
}

/* ---- runs of the program */

static int run(const char *before, const char *out, const char *options)
{
  return command_run(FILE_NAME, plasma, before, out, options);
}

#define DENSE                                                                            \
  "--set 'species.e.density=\"1e16 m-3\"' --set 'species.i.density=\"1e16 m-3\"' --set " \
  "'plasma.allow=[\"cell-crossing\",\"debye-length\"]' "
#define FOLLOWS(density)                                                                 \
  DENSE "--set 'followed.Arm={sources=[\"Ar excitation Ar*\"]; density=\"" density       \
        "\"; loss=\"1e6 1/s\";}' "

static void refused(void)
{
  is_int(
      run("", OUT,
          FOLLOWS("3.99999e19 m-3") "--set 'followed.Arm.loss=\"0\"' --set "
                                    "'gas.components.Arm.exclude=[\"ionization Ar^+\"]'"),
      1, "a density above the most");
  ok(strstr(command_err, "above that of gas.components.Arm, 4e+19 m-3") != NULL,
     "is an error: %.200s", command_err);
  is_int(run("", OUT, FOLLOWS("5e19 m-3")), 2, "one that begins above it");
  ok(strstr(command_err, "is above 4e+19 m-3, the density of gas.components.Arm") != NULL,
     "is refused");
  is_int(run("", OUT, "--set 'followed.Arm={sources=[\"Ar excitation Ar\"];}'"), 2,
         "a source that is no process");
  ok(strstr(command_err, "allowed: \"Ar elastic\", \"Ar excitation Ar*\", \"Ar "
                         "ionization Ar^+\"") != NULL,
     "is refused, with those that are: %.300s", command_err);
  is_int(run("", OUT, "--set 'followed.Arm={sources=[\"Ar* ionization Ar^+\"];}'"), 2,
         "a process of the component itself");
  is_int(run("", OUT, "--set 'followed.Xe={sources=[\"Ar excitation Ar*\"];}'"), 2,
         "a component that is none");
  ok(strstr(command_err, "the gas has no component Xe with a fraction above 0") != NULL,
     "is refused");
  is_int(run("", OUT, "--set 'followed.Arm.density=\"1 m-3\"'"), 2, "no sources");
  remove(OUT ".part");
  command_write(FILE_NAME, plasma);
  is_int(command("%s check " FILE_NAME " --device cuda " FOLLOWS("1e17 m-3"),
                 command_wilson()),
         2, "check of a GPU");
  ok(strstr(command_err, "followed densities are not available on a GPU") != NULL,
     "says why");
  is_int(command("%s check " FILE_NAME " " FOLLOWS("1e17 m-3"), command_wilson()), 0,
         "check");
  ok(strstr(command_out, "density of Arm followed from 1e+17 m-3, at most 4e+19 m-3") !=
         NULL,
     "says what is followed");
  remove(FILE_NAME);
}

/* Ions of argon collide with the atoms in the ground state alone. */
static void with_ions(void)
{
  static const char more[] =
      DENSE "--set 'species.i={mobile=true; collisions=\"gas\"; ion=\"Ar+\"; "
            "cross_sections=\"" IONS "\";}' --set tables.ion_energy_max='\"1 keV\"' ";
  char other[1000];
  is_int(run("", OUT, more), 0, "ions that collide with one of two components");
  ok(command_nc_sum(OUT, "collision_energy") != 0.0, "they do");
  snprintf(other, sizeof other, "%s --set gas.components.Arm.ions=true", more);
  is_int(run("", OUT, other), 2, "without cross sections for the other");
  snprintf(other, sizeof other, "%s --set gas.components.Ar.ions=false", more);
  is_int(run("", OUT, other), 2, "or with none at all");
  ok(strstr(command_err, "no component has ions = true") != NULL, "are refused");
}

#define FALLS FOLLOWS("3e19 m-3") "--set 'followed.Arm.loss=\"5e8 1/s\"' "

static void same_bits(void)
{
  int n = 0, status;
  is_int(run("", OUT, FALLS "--scheduler serial"), 0, "a followed density");
  ok(command_nc_at(OUT, "followed_density", 199) < 1e18 &&
         command_nc_at(OUT, "followed_density", 199) > 0.0,
     "it falls to %g", command_nc_at(OUT, "followed_density", 199));
  ranks_same(OUT, AGAIN, "scheduler openmp",
             run("", AGAIN, FALLS "--scheduler openmp --threads 3"), 0);
  remove(AGAIN ".ckpt");
  remove(AGAIN ".part");
  do
    status = run("", AGAIN, FALLS "--restart auto --set checkpoint.step_limit=27");
  while (status == 3 && ++n < 19);
  is_int(n, 7, "eight slices");
  ranks_same(OUT, AGAIN, "slices", status, 0);
  ranks_allow();
  if (command("mpirun -n 2 true") == 0)
    ranks_same(OUT, AGAIN, "two processes", run("mpirun -n 2", AGAIN, FALLS), 0);
  else
    skip(1, "mpirun starts no processes here");
}

int main(void)
{
  plan(0);
  make_files();
  table();
  frequencies();
  recurrence("0", 0.0);
  recurrence("1e9 1/s", 1e9);
  decay();
  refused();
  with_ions();
  same_bits();
  remove(OUT);
  remove(LXCAT);
  remove(IONS);
  return done();
}
