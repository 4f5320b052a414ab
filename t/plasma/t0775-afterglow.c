/* t0775-afterglow.c - defends: several reactions at once.  An afterglow of electrons, negative and
 * positive ions, with detachment, recombination of electrons by a rate that falls with their
 * temperature and recombination of both ions, follows its rate equations, with the temperature:
 *
 *   dn-/dt = -d n- - r n- n+             dne/dt = d n- - a (T/T0)^-0.7 ne n+
 *   n+ = ne + n-                         d(3/2 ne T)/dt = d n- E - a (T/T0)^-0.7 ne n+ 3/2 T
 *
 * (electrons from detachment have the energy E; recombination takes them whatever their energy).
 * They are integrated here by Runge and Kutta.  The error is of second order in the step.  Over
 * seeds the numbers scatter no more than independent events do, and their mean is the
 * solution.  The shipped scenario follows them, too.
 *
 * Tolerances: numbers of a run 4.5 times the root of the events that change them, as of a Poisson
 * process (1e-5 false alarms a check); seeds are fixed. */
#include <math.h>
#include <stdlib.h>
#include "base/error.h"
#include "physics/constants.h"
#include "src/sim/cell_pairs.h"
#include "src/sim/plasma.h"
#include "src/sim/reaction_parts.h"
#include "src/sim/reactions.h"
#include "t/tap/command.h"
#include "t/tap/scene.h"
#include "t/tap/tap.h"

#define FILE_NAME "t0775.cfg"
#define OUT       "t0775.nc"

/* Numbers of macroparticles and the temperature of electrons in eV. */
struct state {
  double e, anions, ions, kt;
};

/* 1/s, and eV; a and r times the real density of one macroparticle in the domain. */
struct rates {
  double d, a, r, energy, kt0;
};

static struct state slope(const struct rates *k, struct state y)
{
  const double lost = k->a * pow(y.kt / k->kt0, -0.7) * y.e * y.ions,
               met = k->r * y.anions * y.ions, freed = k->d * y.anions;
  return (struct state){.e = freed - lost,
                        .anions = -freed - met,
                        .ions = -lost - met,
                        .kt = freed * (2.0 / 3.0 * k->energy - y.kt) / y.e};
}

static struct state moved(struct state y, double h, struct state s)
{
  return (struct state){y.e + h * s.e, y.anions + h * s.anions, y.ions + h * s.ions,
                        y.kt + h * s.kt};
}

static struct state solution(const struct rates *k, struct state y, double t)
{
  enum { N = 2000 };
  for (int i = 0; i < N; i++) {
    const double h = t / N;
    const struct state a = slope(k, y), b = slope(k, moved(y, h / 2, a)),
                       c = slope(k, moved(y, h / 2, b)), d = slope(k, moved(y, h, c));
    y = moved(moved(moved(moved(y, h / 6, a), h / 3, b), h / 3, c), h / 6, d);
  }
  return y;
}

/* So few real particles that they have no field.  A microsecond has 1.5 of each rate. */
static const char afterglow[] =
    "model = \"plasma\"; duration = \"1 us\"; seed = 7; threads = 1;\n"
    "grid = { cells = [4]; length = \"1 cm\"; };\n"
    "species = { e = { density = \"1e7 m-3\"; per_cell = 4000; temperature = \"0.5 eV\"; "
    "loading = \"random\"; };\n"
    "  n = { density = \"1e7 m-3\"; per_cell = 4000; charge = -1.0; mass = \"16 u\";\n"
    "    temperature = \"300 K\"; loading = \"random\"; };\n"
    "  p = { density = \"2e7 m-3\"; per_cell = 8000; charge = 1.0; mass = \"32 u\";\n"
    "    temperature = \"300 K\"; loading = \"random\"; }; };\n"
    "reactions = { detach = { reactants = [\"n\"]; products = [\"e\"]; rate = \"1.5 "
    "1/us\"; "
    "energy = \"3 eV\"; };\n"
    "  ep = { reactants = [\"e\", \"p\"]; rate_constant = \"0.075 m3/s\"; exponent = "
    "-0.7; "
    "reference = \"1 eV\"; };\n"
    "  np = { reactants = [\"n\", \"p\"]; rate_constant = \"0.05 m3/s\"; }; };\n"
    "plasma = { time_step = \"10 ns\"; allow = [\"cell-crossing\"]; };\n";
enum { E, N, P };

/* n macroparticles of electrons at first, and as many anions: after a microsecond. */
static struct state wanted(double n)
{
  const struct rates k = {
      .d = 1.5e6, .a = 0.075 * 1e7 / n, .r = 0.05 * 1e7 / n, .energy = 3.0, .kt0 = 1.0};
  return solution(&k, (struct state){n, n, 2.0 * n, 0.5}, 1e-6);
}

static double temperature(const struct wn_species *s)
{
  double sum = 0.0;
  for (size_t i = 0; i < s->p.n; i++) {
    struct wn_reacting one;
    wn_reacting_load(s, i, &one);
    sum += wn_reacting_energy_ev(s, one.u);
  }
  return sum / (double)s->p.n / 1.5;
}

/* The same of a run; events [3] of macroparticles. */
static struct state run(const char *const *set, int steps, double *events)
{
  struct scene s;
  double energy[WN_MAX_SPECIES];
  scene_open(&s, FILE_NAME, afterglow, set);
  scene_start(&s, 1e-6 / steps);
  for (int i = 0; i < steps; i++)
    WN_ASSERT(scene_phase(&s) == WN_OK);
  struct wn_species *const *of = s.sim->species;
  const struct state y = {(double)of[E]->p.n, (double)of[N]->p.n, (double)of[P]->p.n,
                          temperature(of[E])};
  wn_reactions_sums(s.sim, events, energy);
  for (int i = 0; i < 3; i++) /* 1e5 real electrons at first */
    events[i] *= 4.0 * (double)s.config->species[E].per_cell / 1e5;
  scene_close(&s);
  return y;
}

static void one_run(void)
{
  static const char *const nothing[] = {NULL};
  double n[3];
  const struct state y = run(nothing, 100, n), want = wanted(16000);
  is_near(y.e, want.e, 4.5 * sqrt(n[0] + n[1]), "electrons");
  is_near(y.anions, want.anions, 4.5 * sqrt(n[0] + n[2]), "anions");
  is_near(y.ions, want.ions, 4.5 * sqrt(n[1] + n[2]), "positive ions");
  is_near(y.kt, want.kt, 4.5 * want.kt * sqrt(2.0 / 3.0 / y.e), "temperature");
  is_near(y.e + y.anions, y.ions, 0.0, "charge");
  is_near(n[0] + n[2], 16000.0 - y.anions, 1e-6, "events are anions that are gone");
  is_near(n[0] - n[1], y.e - 16000.0, 1e-6, "and the change of electrons");
  ok(n[0] > 3000 && n[1] > 3000 && n[2] > 3000, "each reaction happens");
}

/* The mean over seeds, and the scatter: events of single particles are independent, those of
 * pairs are rounded at random, which scatters less. */
static void seeds(void)
{
  enum { SEEDS = 40 };
  const struct state want = wanted(1600);
  double mean = 0.0, square = 0.0, poisson = 0.0;
  for (int i = 0; i < SEEDS; i++) {
    char seed[32];
    const char *const set[] = {seed, "species.e.per_cell=400", "species.n.per_cell=400",
                               "species.p.per_cell=800", NULL};
    double n[3];
    snprintf(seed, sizeof seed, "seed=%d", 100 + i);
    const struct state y = run(set, 50, n);
    mean += (y.e - want.e) / SEEDS;
    square += (y.e - want.e) * (y.e - want.e) / SEEDS;
    poisson += (n[0] + n[1]) / SEEDS;
  }
  diag("scatter over seeds: %.3g of a Poisson process", sqrt(square / poisson));
  is_near(mean, 0.0, 4.5 * sqrt(square / SEEDS), "mean of the electrons over %d seeds",
          SEEDS);
  ok(square < poisson * (1.0 + 4.5 * sqrt(2.0 / SEEDS)),
     "they scatter no more than a Poisson process");
  ok(square > 0.02 * poisson, "but do scatter");
}

/* The reactions one after the other, each with its own solution, in the order of the scenario in
 * every second step, else in the opposite order. */
static struct state in_turn(double n, int steps)
{
  const double h = 1e-6 / steps;
  struct state y = {n, n, 2.0 * n, 0.5};
  for (int step = 1; step <= steps; step++)
    for (int i = 0; i < 3; i++) {
      const int which = step % 2 != 0 ? i : 2 - i;
      double x;
      switch (which) {
      case 0:
        x = -expm1(-1.5e6 * h) * y.anions;
        y.kt = (y.e * y.kt + x * 2.0) / (y.e + x); /* 2/3 of 3 eV */
        y.e += x;
        y.anions -= x;
        break;
      case 1:
        x = wn_cell_pairs_of_two(y.e, y.ions, 0.075e7 / n * h * pow(y.kt, -0.7));
        y.e -= x;
        y.ions -= x;
        break;
      default:
        x = wn_cell_pairs_of_two(y.anions, y.ions, 0.05e7 / n * h);
        y.anions -= x;
        y.ions -= x;
      }
    }
  return y;
}

/* That has an error of second order; and it is what a run does, also with two steps alone.  The
 * scatter is that of detachment, which is independent, and smaller for what follows. */
static void second_order(void)
{
  static const char *const many[] = {"species.e.per_cell=40000",
                                     "species.n.per_cell=40000",
                                     "species.p.per_cell=80000", NULL};
  const struct state want = wanted(1.0), coarse = in_turn(1.0, 40),
                     fine = in_turn(1.0, 80);
  is_near((coarse.e - want.e) / (fine.e - want.e), 4.0, 0.1, "electrons: half the step");
  is_near((coarse.anions - want.anions) / (fine.anions - want.anions), 4.0, 0.1,
          "anions: has a quarter of the error");
  is_near((coarse.kt - want.kt) / (fine.kt - want.kt), 4.0, 0.1, "and the temperature");
  for (int steps = 2; steps <= 4; steps += 2) {
    const struct state expected = in_turn(160000.0, steps);
    double n[3];
    const struct state y = run(many, steps, n);
    const double error = 4.5 * sqrt(160000.0 * exp(-1.5) * (1.0 - exp(-1.5)));
    is_near(y.e, expected.e, error, "%d steps: electrons", steps);
    is_near(y.anions, expected.anions, error, "%d steps: anions", steps);
    is_near(y.kt, expected.kt, 4.5 * y.kt * sqrt(1.0 / y.e), "%d steps: temperature",
            steps);
  }
}

/* 50 ns of the scenario that is shipped, without the heating by its few particles. */
static void shipped(void)
{
  const char *source = getenv("WN_SRCDIR");
  is_int(command("%s run %s/data/scenarios/afterglow-oxygen.cfg --quiet --output " OUT
                 " --set 'duration=\"50 ns\"'",
                 command_wilson(), source != NULL ? source : "."),
         0, "the scenario that is shipped");
  const double weight = 5e16 * 640e-6 / 1600.0, real = 640e-6; /* of 1600 electrons */
  const struct rates k = {.d = 2e-16 * 5e21,
                          .a = 2.4e-13 / real,
                          .r = 2e-13 / real,
                          .energy = 0.5,
                          .kt0 = 300.0 * WN_KB / WN_E};
  const struct state first = {5e16 * real, 5e16 * real, 1e17 * real, 0.3},
                     want = solution(&k, first, 50e-9);
  const size_t row = 49;
  is_near(command_nc_at(OUT, "particles", 3 * row) / weight, want.e / weight,
          4.5 * sqrt(fabs(want.e - first.e) / weight), "its electrons");
  is_near(command_nc_at(OUT, "particles", 3 * row + 1) / weight, want.anions / weight,
          4.5 * sqrt(fabs(want.anions - first.anions) / weight), "and anions");
  remove(OUT);
}

int main(void)
{
  plan(0);
  one_run();
  second_order();
  shipped();
  seeds();
  return done();
}
