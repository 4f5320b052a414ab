/* t0773-reactions.c - defends: reactions of single particles of a plasma by rates, as
 * detachment of negative ions.  The number decays as exp(-k t); of n particles
 * n (1 - exp(-k t)) react, with the scatter of independent particles; the electrons have the
 * energy or the temperature of the scenario, in all directions, in each kind of record; charge
 * is conserved to the last quantum, of immobile species, too.  Two reactions that undo each
 * other have the equilibrium of their rates, with an error of second order in the step: if each
 * of them is exact and the order is reversed in every second step, the part x of electrons after
 * two steps of attachment and detachment at one rate k goes from x to q - q^3 + x q^4,
 * q = exp(-k dt), which stays at q/(1 + q^2) (by hand).  Threads, schedulers, slices and
 * processes change no bit.
 *
 * Tolerances: 4.5 standard errors of the run (1e-5 false alarms a check); the seeds are fixed. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "physics/constants.h"
#include "src/config/available.h"
#include "src/config/reactions.h"
#include "src/sim/plasma.h"
#include "src/sim/reaction_parts.h"
#include "src/sim/reactions.h"
#include "t/tap/command.h"
#include "t/tap/ranks.h"
#include "t/tap/scene.h"
#include "t/tap/tap.h"

#define FILE_NAME "t0773.cfg"
#define OUT       "t0773.nc"
#define AGAIN     "t0773-again.nc"

enum { E, ANIONS };

/* So few real particles that they have no field.  10000 anions in each cell of one
 * dimension. */
static const char afterglow[] =
    "model = \"plasma\"; duration = \"1 us\"; seed = 7; threads = 1;\n"
    "grid = { cells = [4]; length = \"1 cm\"; };\n"
    "species = { e = { density = \"0 m-3\"; };\n"
    "  anions = { density = \"1 m-3\"; per_cell = 10000; charge = -1.0; mass = \"16 "
    "u\";\n"
    "    temperature = \"300 K\"; loading = \"random\"; }; };\n"
    "reactions = { detachment = { reactants = \"anions\"; products = \"e\"; rate = \"2e6 "
    "1/s\";\n"
    "  energy = \"0.5 eV\"; }; };\n"
    "plasma = { time_step = \"10 ns\"; background = true; allow = [\"cell-crossing\"]; "
    "};\n";

/* Grids of every record: 1d3v, 2d2v, 2d3v, 3d3v, electrons and ions with collisions. */
#define TWO                                                                              \
  "grid.cells=[4,3]", "grid.length=[\"1 cm\",\"1 cm\"]", "species.anions.per_cell=4000"
static const struct {
  const char *name;
  int velocities;
  const char *set[9];
} kind[] = {
    {"1d3v", 3, {NULL}},
    {"2d2v", 2, {TWO, NULL}},
    {"2d3v", 3, {TWO, "plasma.velocities=3", NULL}},
    {"3d3v",
     3,
     {"grid.cells=[2,2,3]", "grid.length=[\"1 cm\",\"1 cm\",\"1 cm\"]",
      "species.anions.per_cell=4000", NULL}},
    {"collisions",
     3,
     {TWO, "gas={pressure=\"1e-9 Pa\"; components={Ar={file=\"builtin:argon\";};};}",
      "species.e.collisions=\"gas\"", "species.e.ions=\"i\"",
      "species.i={density=\"0 m-3\"; charge=1.0; mass=\"40 u\";}", NULL}},
};
enum { KINDS = sizeof kind / sizeof kind[0] };

static wn_i128 quanta(const struct scene *s)
{
  wn_i128 sum = 0;
  for (size_t k = 0; k < s->sim->n_species; k++)
    for (size_t i = 0; i < s->sim->species[k]->p.n; i++) {
      struct wn_reacting one;
      wn_reacting_load(s->sim->species[k], i, &one);
      sum += (wn_i128)llrint((double)one.w * WN_QUANTA) *
             llrint(s->config->species[k].charge);
    }
  return sum;
}

/* Mean energy of the electrons, its spread, and means of directions along x and of their
 * squares. */
struct moments {
  double n, energy, square, along, across;
};
static struct moments moments(const struct wn_species *s)
{
  struct moments m = {.n = (double)s->p.n};
  for (size_t i = 0; i < s->p.n; i++) {
    struct wn_reacting one;
    wn_reacting_load(s, i, &one);
    const double ev = wn_reacting_energy_ev(s, one.u), u = (double)one.u[0],
                 u2 = u * u + (double)one.u[1] * (double)one.u[1] +
                      (double)one.u[2] * (double)one.u[2];
    m.energy += ev / m.n;
    m.square += ev * ev / m.n;
    m.along += u / sqrt(u2) / m.n;
    m.across += u * u / u2 / m.n;
  }
  return m;
}

static void in_record(int i, double kt)
{
  const int n_v = kind[i].velocities;
  const char *set[12] = {NULL};
  size_t n = 0;
  struct scene s;
  for (; kind[i].set[n] != NULL; n++)
    set[n] = kind[i].set[n];
  if (kt > 0.0)
    set[n++] = "reactions.detachment.energy=\"thermal\"",
    set[n++] = "reactions.detachment.temperature=\"3 eV\"";
  scene_open(&s, FILE_NAME, afterglow, set);
  scene_start(&s, 10e-9);
  struct wn_species *e = s.sim->species[E], *anions = s.sim->species[ANIONS];
  const double all = (double)anions->p.n;
  const wn_i128 before = quanta(&s);
  int wrong = 0;
  for (int step = 1; step <= 50; step++) {
    const double left = exp(-2e6 * 10e-9 * step);
    WN_ASSERT(scene_phase(&s) == WN_OK);
    wrong += quanta(&s) != before ||
             (double)(e->p.n + anions->p.n) != all; /* charges are equal */
    if (step == 1 || step == 50)
      is_near((double)anions->p.n, all * left, 4.5 * sqrt(all * left * (1.0 - left)),
              "%s: anions after %d steps", kind[i].name, step);
  }
  is_int(wrong, 0, "%s: steps in which charge is not conserved", kind[i].name);
  const struct moments m = moments(e);
  const double mean = kt > 0.0 ? 0.5 * n_v * kt : 0.5, per = 4.5 / sqrt(m.n);
  if (kt > 0.0) {
    is_near(m.energy, mean, per * kt * sqrt(0.5 * n_v), "%s: the temperature",
            kind[i].name);
    is_near(m.square - m.energy * m.energy, 0.5 * n_v * kt * kt,
            per * kt * kt * sqrt(n_v == 3 ? 13.5 : 8.0), "%s: and its spread",
            kind[i].name);
  } else {
    is_close(m.energy, mean, 1e-6, "%s: the energy", kind[i].name);
    is_near(m.square - m.energy * m.energy, 0.0, 1e-6, "%s: of each of them",
            kind[i].name);
  }
  is_near(m.along, 0.0, per * sqrt(1.0 / n_v), "%s: no direction is preferred",
          kind[i].name);
  is_near(m.across, 1.0 / n_v, per * (n_v == 3 ? sqrt(4.0 / 45.0) : sqrt(1.0 / 8.0)),
          "%s: nor an axis", kind[i].name);
  scene_close(&s);
}

/* Over seeds the number left scatters as that of independent particles. */
static void scatter(void)
{
  enum { SEEDS = 60 };
  double sum = 0.0, all = 0.0;
  const double left = exp(-0.2);
  for (int seed = 0; seed < SEEDS; seed++) {
    char text[32];
    const char *const set[] = {text, "species.anions.per_cell=500", NULL};
    struct scene s;
    snprintf(text, sizeof text, "seed=%d", seed + 1);
    scene_open(&s, FILE_NAME, afterglow, set);
    scene_start(&s, 10e-9);
    all = (double)s.sim->species[ANIONS]->p.n;
    for (int step = 0; step < 10; step++)
      WN_ASSERT(scene_phase(&s) == WN_OK);
    sum += pow((double)s.sim->species[ANIONS]->p.n - all * left, 2);
    scene_close(&s);
  }
  /* a chi-square of SEEDS degrees of freedom: standard deviation sqrt(2/SEEDS) */
  is_near(sum / SEEDS / (all * left * (1.0 - left)), 1.0, 4.5 * sqrt(2.0 / SEEDS),
          "the scatter over %d seeds", SEEDS);
}

/* All at once where the rate times the step is large; none where it is 0. */
static void limits(void)
{
  static const struct {
    const char *rate;
    int left;
  } of[] = {{"reactions.detachment.rate=\"1e12 1/s\"", 0},
            {"reactions.detachment.rate=\"1e20 1/s\"", 0},
            {"reactions.detachment.rate=\"0\"", 40000}};
  for (size_t i = 0; i < sizeof of / sizeof of[0]; i++) {
    const char *const set[] = {of[i].rate, NULL};
    struct scene s;
    scene_open(&s, FILE_NAME, afterglow, set);
    scene_start(&s, 10e-9);
    WN_ASSERT(scene_phase(&s) == WN_OK);
    is_int((long long)s.sim->species[ANIONS]->p.n, of[i].left, "left after a step: %s",
           of[i].rate);
    scene_close(&s);
  }
}

/* A rate from a rate constant and a density, of a component or given. */
static void rates(void)
{
  static const char *const by_density[] = {
      "reactions.b={reactants=\"anions\"; products=\"e\"; rate_constant=\"2e-10 cm3/s\"; "
      "density=\"1e16 cm-3\";}",
      NULL};
  const char *by_gas[] = {
      kind[4].set[0],
      kind[4].set[1],
      kind[4].set[2],
      kind[4].set[3],
      kind[4].set[4],
      kind[4].set[5],
      kind[4].set[6],
      "reactions.b={reactants=\"anions\"; products=\"e\"; rate_constant=\"1e-16 m3/s\"; "
      "component=\"Ar\";}",
      NULL};
  struct scene s;
  scene_open(&s, FILE_NAME, afterglow, by_density);
  is_close(wn_reaction_rate(s.config, &s.config->reactions[1]), 2e6, 1e-12,
           "rate constant times density");
  scene_close(&s);
  scene_open(&s, FILE_NAME, afterglow, by_gas);
  is_close(wn_reaction_rate(s.config, &s.config->reactions[1]),
           1e-16 * 1e-9 / (WN_KB * s.config->temperature), 1e-12,
           "rate constant times the density of a component");
  is_int(wn_available_check(s.config, 0), WN_OK, "possible on a CPU");
  is_int(wn_available_check(s.config, WN_ON_A_GPU), WN_EINPUT, "refused on a GPU");
  is_int(wn_available_check(s.config, WN_AMONG_PROCESSES), WN_EINPUT,
         "refused for several processes and particles without ids");
  scene_close(&s);
}

/* Part of electrons after 40 steps, attachment and detachment both with k dt = part. */
static double equilibrium(double part)
{
  char attach[160], detach[64], step[64];
  struct scene s;
  snprintf(step, sizeof step, "plasma.time_step=\"%.9g ns\"", 100.0 * part);
  snprintf(attach, sizeof attach,
           "reactions.attachment={reactants=\"e\"; products=\"anions\"; rate=\"1e7 "
           "1/s\";}");
  snprintf(detach, sizeof detach, "reactions.detachment.rate=\"1e7 1/s\"");
  const char *const set[] = {step, attach, detach, "species.anions.per_cell=100000",
                             NULL};
  scene_open(&s, FILE_NAME, afterglow, set);
  scene_start(&s, 1e-7 * part);
  for (int i = 0; i < 40; i++)
    WN_ASSERT(scene_phase(&s) == WN_OK);
  const double e = (double)s.sim->species[E]->p.n,
               anions = (double)s.sim->species[ANIONS]->p.n;
  is_near(e + anions, 400000.0, 0.0, "of all");
  scene_close(&s);
  return e / (e + anions);
}

static void second_order(void)
{
  const double error = 4.5 * sqrt(0.25 / 400000.0), far = equilibrium(0.4),
               near = equilibrium(0.2), q = exp(-0.4), p = exp(-0.2);
  /* detachment is the first in the scenario: x is the part of anions */
  is_near(1.0 - far, q / (1.0 + q * q), error, "equilibrium with k dt = 0.4");
  is_near(1.0 - near, p / (1.0 + p * p), error, "and with 0.2");
  is_near((0.5 - near) / (0.5 - far), 0.25, 0.25 * error / fabs(0.5 - far) * 5.0,
          "a quarter of the error with half the step");
}

/* ---- runs of the program */

static int run(const char *text, const char *before, const char *out, const char *options)
{
  return command_run(FILE_NAME, text, before, out, options);
}

/* Immobile anions: the charge that the grid remembers of them leaves with them. */
static void charge(const char *options, const char *what)
{
  size_t n = 0, wrong = 0;
  is_int(run(afterglow, "", OUT, options), 0, "%s", what);
  double *q = command_nc_read(OUT, "total_charge", &n),
         *gauss = command_nc_read(OUT, "gauss_error", &n),
         *events = command_nc_read(OUT, "reaction_events", &n);
  for (size_t i = 0; q != NULL && gauss != NULL && i < n; i++)
    wrong += fabs(q[i]) > 1e-13 * 0.01 * WN_E || fabs(gauss[i]) > 1e-12 * 0.01 * WN_E;
  ok(n == 100 && wrong == 0, "%s: charge in %zu of %zu steps is wrong", what, wrong, n);
  const double w = 0.01 / 40000.0, all = 40000.0, left = exp(-2.0);
  if (events != NULL)
    is_near(events[n - 1] / w, all * (1.0 - left), 4.5 * sqrt(all * left * (1.0 - left)),
            "%s: events", what);
  is_near(command_nc_at(OUT, "particles", 2 * (n - 1)),
          command_nc_at(OUT, "reaction_events", n - 1), 1e-12 * 0.01,
          "%s: each event is an electron", what);
  free(q);
  free(gauss);
  free(events);
}

/* The energy that reactions give is that of electrons less that of anions. */
static void balance(void)
{
  const double n = command_nc_at(OUT, "reaction_events", 99),
               of_e = command_nc_at(OUT, "reaction_energy", 2 * 99),
               of_anions = command_nc_at(OUT, "reaction_energy", 2 * 99 + 1);
  is_close(of_e, n * 0.5 * WN_E, 1e-5, "energy of the electrons");
  /* each of 34600 has 3/2 kT, spread sqrt(3/2) kT */
  is_near(of_anions / n / (WN_KB * 300.0), -1.5, 4.5 * sqrt(1.5 / 34600.0),
          "energy of the anions");
}

/* Ions that move in every third step, whose charge the grid remembers between. */
static const char subcycled[] =
    "model = \"plasma\"; duration = \"100 ps\"; seed = 5; threads = 1;\n"
    "grid = { cells = [16, 8]; length = [\"0.2 mm\", \"0.1 mm\"]; };\n"
    "gas = { pressure = \"10 mbar\"; components = { Ar = { file = \"builtin:argon\"; }; "
    "}; };\n"
    "species = { e = { density = \"1e15 m-3\"; temperature = \"5 eV\"; per_cell = 30;\n"
    "    collisions = \"gas\"; ions = \"i\"; };\n"
    "  i = { density = \"1e15 m-3\"; per_cell = 30; charge = 1.0; mass = \"39.948 u\";\n"
    "    temperature = \"1 eV\"; collisions = \"gas\"; subcycling = 3; };\n"
    "  j = { density = \"0 m-3\"; charge = 1.0; mass = \"39.948 u\"; mobile = false; }; "
    "};\n"
    "reactions = { there = { reactants = [\"i\"]; products = [\"j\"]; rate = \"2 1/ns\"; "
    "};\n"
    "  back = { reactants = [\"j\"]; products = [\"i\"]; rate = \"4 1/ns\"; }; };\n"
    "plasma = { time_step = \"2 ps\"; allow = [\"cell-crossing\", \"debye-length\"]; "
    "};\n";

static void charge_of_subcycled(void)
{
  size_t n = 0, wrong = 0;
  is_int(run(subcycled, "", OUT, ""), 0, "ions that move in every third step");
  double *q = command_nc_read(OUT, "total_charge", &n);
  for (size_t i = 0; q != NULL && i < n; i++)
    wrong += fabs(q[i]) > 1e-12 * 1e15 * 2e-8 * WN_E; /* of all electrons, per m */
  ok(n == 50 && wrong == 0 && command_nc_at(OUT, "reaction_events", 2 * 49) > 0.0 &&
         command_nc_at(OUT, "reaction_events", 2 * 49 + 1) > 0.0,
     "charge in %zu of %zu steps is wrong", wrong, n);
  free(q);
}

/* Said by `wilson check`, where no GPU is needed to say it. */
static void checks(void)
{
  command_write(FILE_NAME, afterglow);
  is_int(command("%s check " FILE_NAME " --device cuda", command_wilson()), 2,
         "check of a GPU");
  ok(strstr(command_err, "reactions are not available on a GPU") != NULL, "says why");
  is_int(command("%s check " FILE_NAME, command_wilson()), 0, "check");
  ok(strstr(command_out, "anions -> e, rate times time step 0.02 (at most 0.1)") != NULL,
     "says what reacts in a step");
  remove(FILE_NAME);
}

static const char with_ids[] =
    "model = \"plasma\"; duration = \"200 ps\"; seed = 5; threads = 1;\n"
    "grid = { cells = [16, 8]; length = [\"0.2 mm\", \"0.1 mm\"]; };\n"
    "walls = { x_low = { field = \"dirichlet\"; }; x_high = { field = \"dirichlet\"; "
    "voltage = \"50 V\"; }; };\n"
    "gas = { pressure = \"10 mbar\"; components = { Ar = { file = \"builtin:argon\"; }; "
    "}; };\n"
    "species = { e = { density = \"1e15 m-3\"; temperature = \"5 eV\"; per_cell = 30;\n"
    "    collisions = \"gas\"; ions = \"i\"; };\n"
    "  i = { density = \"1e15 m-3\"; per_cell = 30; charge = 1.0; mass = \"39.948 u\";\n"
    "    collisions = \"gas\"; subcycling = 3; };\n"
    "  j = { density = \"0 m-3\"; charge = 1.0; mass = \"39.948 u\"; mobile = false; };\n"
    "  n = { density = \"0 m-3\"; charge = -1.0; mass = \"16 u\"; }; };\n"
    "reactions = { attach = { reactants = [\"e\"]; products = [\"n\"]; rate = \"2 "
    "1/ns\"; "
    "};\n"
    "  change = { reactants = [\"i\"]; products = [\"j\"]; rate_constant = \"2e-14 "
    "m3/s\"; "
    "component = \"Ar\"; };\n"
    "  back = { reactants = [\"j\"]; products = [\"i\"]; rate = \"3 1/ns\"; "
    "temperature = \"1 eV\"; };\n"
    "  detach = { reactants = [\"n\"]; products = [\"e\"]; rate = \"3 1/ns\"; energy = "
    "\"1 "
    "eV\"; }; };\n"
    "plasma = { time_step = \"2 ps\"; allow = [\"cell-crossing\", \"debye-length\"]; "
    "};\n";

/* Of that: reactions of particles with ids alone. */
#define DIVIDES                                                                          \
  "--set reactions.back.reactants=i --set reactions.back.products=j "                    \
  "--set reactions.detach.reactants=e --set reactions.detach.products=n "                \
  "--set 'reactions.detach.energy=\"thermal\"'"

static void slices(const char *first, const char *second, const char *options)
{
  int n = 0, status;
  char all[400];
  remove(AGAIN ".ckpt");
  remove(AGAIN ".part");
  snprintf(all, sizeof all, "%s --restart auto --set checkpoint.step_limit=37", options);
  do
    status = run(with_ids, n % 2 == 0 ? first : second, AGAIN, all);
  while (status == 3 && ++n < 9);
  is_int(n, 2, "three slices");
  ranks_same(OUT, AGAIN, "slices", status, 0);
}

/* Fields in domains differ by rounding, here too little for the particles to feel. */
static void two_domains(void)
{
  static const char *const name[] = {"reaction_events", "reaction_energy", "particles"};
  static const char few[] = DIVIDES " --set 'species.e.density=\"1e13 m-3\"' --set "
                                    "'species.i.density=\"1e13 m-3\"'";
  char domains[sizeof few + 32];
  snprintf(domains, sizeof domains, "%s --set divide=domains", few);
  is_int(run(with_ids, "", OUT, few), 0, "few electrons alone");
  is_int(run(with_ids, "mpirun -n 2", AGAIN, domains), 0, "two domains");
  ranks_equal(OUT, AGAIN, sizeof name / sizeof name[0], name);
}

static void same_bits(void)
{
  is_int(run(with_ids, "", OUT, "--scheduler serial"), 0, "reactions of all records");
  for (size_t i = 0; i < 4; i++)
    ok(command_nc_at(OUT, "reaction_events", 99 * 4 + i) > 0.0, "reaction %zu happens",
       i);
  ranks_same(OUT, AGAIN, "scheduler openmp",
             run(with_ids, "", AGAIN, "--scheduler openmp --threads 3"), 0);
  slices("", "", "");
  ranks_allow();
  if (command("mpirun -n 2 true") != 0) {
    skip(11, "mpirun starts no processes here");
    return;
  }
  is_int(run(with_ids, "mpirun -n 2", AGAIN, ""), 2, "two processes are refused");
  ok(strstr(command_err, "reactions of one reactant whose species has collisions") !=
         NULL,
     "with the reason");
  is_int(run(with_ids, "", OUT, DIVIDES), 0, "reactions of particles with ids");
  ranks_same(OUT, AGAIN, "two processes", run(with_ids, "mpirun -n 2", AGAIN, DIVIDES),
             0);
  slices("mpirun -n 2", "", DIVIDES);
  two_domains();
}

int main(void)
{
  plan(0);
  for (int i = 0; i < KINDS; i++) {
    in_record(i, 0.0);
    in_record(i, 3.0);
  }
  scatter();
  limits();
  rates();
  second_order();
  charge("--set species.anions.mobile=true", "mobile anions");
  balance();
  charge("--set species.anions.mobile=false", "immobile anions");
  charge_of_subcycled();
  checks();
  same_bits();
  remove(OUT);
  return done();
}
