/* t0774-recombination.c - defends: reactions of two particles in a cell by a rate constant.  In a
 * homogeneous plasma with equal densities 1/n grows by k t; with n2 - n1 = d the ratio n2/n1
 * grows as exp(k d t); of one species, of which an event takes two, 1/n grows by 2 k t (all by
 * hand from the rate equations), for any step.  (T/T0)^a multiplies k, right on average for few
 * particles in a cell.  Pairs are in one cell, each particle is in one pair at most, and which
 * they are does not depend on the order of the stores.  Charge is conserved to the last quantum,
 * and products are where the first reactant was.  Threads, schedulers and slices change no bit.
 *
 * Tolerances: the number of a cell and a step is rounded up or down at random, with a variance of
 * at most 1/4; later events reduce deviations.  4.5 standard errors (1e-5 false alarms a
 * check).  The particles are mixed anew in each step; correlations of n in a cell are 1/n. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "physics/constants.h"
#include "src/sim/cell_pairs.h"
#include "src/sim/cell_temperatures.h"
#include "src/sim/plasma.h"
#include "src/sim/reactions.h"
#include "t/tap/command.h"
#include "t/tap/ranks.h"
#include "t/tap/scene.h"
#include "t/tap/tap.h"

#define FILE_NAME "t0774.cfg"
#define OUT       "t0774.nc"
#define AGAIN     "t0774-again.nc"

/* ---- the expected number */

/* Runge and Kutta of dx/dt = (a - of x) (b - of x). */
static double solution(double a, double b, double of, double kappa)
{
  enum { N = 4000 };
  const double h = kappa / N;
  double x = 0.0;
  for (int i = 0; i < N; i++) {
    const double k1 = (a - of * x) * (b - of * x), x2 = x + h / 2 * k1,
                 k2 = (a - of * x2) * (b - of * x2), x3 = x + h / 2 * k2,
                 k3 = (a - of * x3) * (b - of * x3), x4 = x + h * k3,
                 k4 = (a - of * x4) * (b - of * x4);
    x += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  return x;
}

static void expectations(void)
{
  static const struct {
    double n1, n2, kappa;
  } of[] = {{100, 100, 0.01}, {100, 90, 0.003}, {7, 300, 0.02},
            {50, 51, 1e-7},   {1, 1, 3.0},      {10, 1000, 0.1}};
  for (size_t i = 0; i < sizeof of / sizeof of[0]; i++) {
    const double a = of[i].n1, b = of[i].n2, x = solution(a, b, 1.0, of[i].kappa);
    is_close(wn_cell_pairs_of_two(a, b, of[i].kappa), x, 1e-9, "pairs of %g and %g", a,
             b);
    is_close(wn_cell_pairs_of_two(b, a, of[i].kappa), x, 1e-9, "of %g and %g", b, a);
  }
  is_close(wn_cell_pairs_of_one(1e9, 1e-9), solution(1e9, 1e9, 2.0, 1e-9), 1e-8,
           "pairs of one species");
  is_close(wn_cell_pairs_of_one(10.0, 1e-9), 90e-9, 1e-7, "of few: n (n - 1)");
  is_near(wn_cell_pairs_of_one(1.0, 1e9), 0.0, 0.0, "one has no partner");
  is_close(wn_cell_pairs_of_one(2.0, 1e9), 1.0, 1e-6, "two are one pair at most");
  is_near(wn_cell_pairs_of_two(5.0, 9.0, 1e60), 5.0, 0.0, "no more than there are");
  is_near(wn_cell_pairs_of_two(5.0, 5.0, 1e60), 5.0, 1e-12, "nor of equal numbers");
}

/* ---- densities over time */

/* Ions that hardly move, and electrons that cross some cells in a step.  m: neutral. */
static const char plasma[] =
    "model = \"plasma\"; duration = \"1 us\"; seed = 7; threads = 1;\n"
    "grid = { cells = [8]; length = \"1 cm\"; };\n"
    "species = { e = { density = \"1e8 m-3\"; per_cell = 5000; temperature = \"1 eV\"; "
    "loading = \"random\"; };\n"
    "  i = { density = \"1e8 m-3\"; per_cell = 5000; charge = 1.0; mass = \"32 u\";\n"
    "    temperature = \"300 K\"; loading = \"random\"; };\n"
    "  m = { density = \"0 m-3\"; charge = 0.0; mass = \"1 me\"; temperature = \"1 eV\"; "
    "loading = \"random\"; mobile = false; per_cell = 5000; }; };\n"
    "reactions = { recombination = { reactants = [\"e\", \"i\"]; rate_constant = \"2e-2 "
    "m3/s\"; }; };\n"
    "plasma = { time_step = \"10 ns\"; background = true; allow = [\"cell-crossing\"]; "
    "};\n";
enum { E, I, M, CELLS = 8, EACH = CELLS * 5000 };

static double number(const struct scene *s, size_t k)
{
  return (double)s->sim->species[k]->p.n;
}

static void open(struct scene *s, const char *const *set, int n)
{
  scene_open(s, FILE_NAME, plasma, set);
  scene_start(s, s->config->plasma.time_step);
  for (int i = 0; i < n; i++)
    WN_ASSERT(scene_phase(s) == WN_OK);
}

static double rounding(int steps)
{
  return 4.5 * sqrt(steps * CELLS / 4.0) + CELLS;
}

static void densities(void)
{
  static const char *const nothing[] = {NULL},
                           *const long_steps[] = {"plasma.time_step=\"250 ns\"", NULL},
                           *const more_ions[] = {"species.i.density=\"2e8 m-3\"",
                                                 "species.i.per_cell=10000", NULL},
                           *const more_electrons[] = {
                               "species.e.density=\"2e8 m-3\"",
                               "species.e.per_cell=10000",
                               "reactions.recombination.reactants=[\"i\",\"e\"]", NULL};
  struct scene s;
  open(&s, nothing, 100);
  is_near(number(&s, E), EACH / 3.0, rounding(100), "k n t = 2: a third is left");
  is_near(number(&s, I), number(&s, E), 0.0, "of both");
  double events[1], energy[WN_MAX_SPECIES];
  wn_reactions_sums(s.sim, events, energy);
  is_close(events[0], (EACH - number(&s, E)) * 1e6 / EACH, 1e-12, "events are counted");
  /* 3/2 kT each, spread sqrt(3/2) kT */
  is_near(energy[E] / events[0] / WN_E, -1.5, 4.5 * sqrt(1.5 / (EACH - number(&s, E))),
          "and the energy that leaves with electrons");
  scene_close(&s);
  open(&s, long_steps, 4);
  is_near(number(&s, E), EACH / 3.0, rounding(4), "k n dt = 0.5: the same");
  scene_close(&s);
  open(&s, more_ions, 100);
  is_near(number(&s, E), EACH / (2.0 * exp(2.0) - 1.0), rounding(100),
          "twice as many ions: electrons");
  is_near(number(&s, I) - number(&s, E), EACH, 0.0, "and the difference stays");
  scene_close(&s);
  open(&s, more_electrons, 100);
  is_near(number(&s, I), EACH / (2.0 * exp(2.0) - 1.0), rounding(100),
          "twice as many electrons: ions");
  scene_close(&s);
}

/* Two neutrals become an electron and an ion; a place in the domain is in both. */
static void of_one_species(void)
{
  static const char *const set[] = {
      "species.m.density=\"1e8 m-3\"",
      "species.m.mobile=true",
      "species.e.density=\"0 m-3\"",
      "species.i.density=\"0 m-3\"",
      "reactions.recombination={reactants=[\"m\",\"m\"]; products=[\"e\",\"i\"]; "
      "rate_constant=\"1e-2 m3/s\"; energy=\"3 eV\";}",
      NULL};
  struct scene s;
  size_t apart = 0;
  open(&s, set, 1);
  for (size_t i = 0; i < s.sim->species[E]->p.n; i++) {
    struct wn_reacting e, ion;
    wn_reacting_load(s.sim->species[E], i, &e);
    wn_reacting_load(s.sim->species[I], i, &ion);
    apart += e.at[0] != ion.at[0];
  }
  ok(s.sim->species[E]->p.n > 300 && apart == 0, "both products are at one place");
  scene_close(&s);
  open(&s, set, 100);
  is_near(number(&s, M), EACH / 3.0, 2.0 * rounding(100),
          "k n t = 1 of one species: a third is left");
  is_near(number(&s, M) + 2.0 * number(&s, E), EACH, 0.0, "an electron of two neutrals");
  is_near(number(&s, E), number(&s, I), 0.0, "and an ion");
  scene_close(&s);
}

/* ---- temperatures */

/* The mean factor of many cells with random numbers of particles, which drift. */
static void factor(int per_cell, double exponent, double kt)
{
  enum { MANY = 20000 };
  char each[64];
  const char *const set[] = {"grid.cells=[20000]",
                             each,
                             "species.e.drift=[\"2e6 m/s\",\"0\",\"0\"]",
                             "species.i.per_cell=1",
                             "species.i.density=\"1e7 m-3\"",
                             "reactions.recombination.reactants=[\"e\",\"e\"]",
                             "species.e.charge=0.0",
                             NULL};
  struct scene s;
  struct wn_cell_temperatures *t = NULL;
  snprintf(each, sizeof each, "species.e.per_cell=%d", per_cell);
  open(&s, set, 0);
  const struct wn_points *m = wn_plasma_points(s.sim->species[E]);
  WN_ASSERT(wn_cell_temperatures_create(&m->grid, &t) == WN_OK);
  const double *f =
      wn_cell_temperatures_factors(t, s.sim->species[E], exponent, 1.0 / kt);
  double sum = 0.0, square = 0.0;
  for (size_t i = 0; i < MANY; i++) {
    sum += f[i] / MANY;
    square += f[i] * f[i] / MANY;
  }
  is_near(sum / pow(kt, exponent), 1.0,
          4.5 * sqrt((square - sum * sum) / MANY) / pow(kt, exponent) +
              4.5 * fabs(exponent) * sqrt(2.0 / 3.0 / MANY / per_cell),
          "%d in a cell: (T/T0)^%g", per_cell, exponent);
  ok(square > sum * sum, "and it differs from cell to cell");
  wn_cell_temperatures_free(t);
  scene_close(&s);
}

/* In a run: the rate constant at kT = 1 eV, where that at 0.25 eV is given. */
static void of_temperature(void)
{
  static const char *const set[] = {"reactions.recombination.exponent=-0.5",
                                    "reactions.recombination.reference=\"0.25 eV\"",
                                    "reactions.recombination.rate_constant=\"4e-2 m3/s\"",
                                    NULL};
  struct scene s;
  factor(3, -0.7, 2.0);
  factor(5, -0.7, 4.0);
  factor(40, -2.5, 0.5);
  factor(4, 1.5, 3.0);
  open(&s, set, 100);
  /* the temperature of EACH electrons at first */
  is_near(number(&s, E), EACH / 3.0,
          rounding(100) + 4.5 * EACH * 2.0 / 9.0 * 0.5 * sqrt(2.0 / 3.0 / EACH),
          "a rate constant that falls as T^-1/2");
  scene_close(&s);
}

/* ---- which pairs */

static int by_bytes(const void *a, const void *b)
{
  return memcmp(a, b, 32);
}

static int by_place(const void *a, const void *b)
{
  const size_t x = *(const size_t *)a, y = *(const size_t *)b;
  return x < y ? -1 : x > y;
}

/* Sorted records of all pairs; returns their number. */
static size_t draw(const struct scene *s, size_t b, unsigned char **out, size_t *wrong)
{
  const struct wn_points *m = wn_plasma_points(s->sim->species[E]);
  const struct wn_species *e = s->sim->species[E], *i = s->sim->species[b];
  const struct wn_rng_key key = wn_rng_key(5);
  const struct wn_reaction_draw of = {&key, 3, 16};
  const struct wn_cell_pair *pair = NULL;
  struct wn_cell_pairs *p = NULL;
  size_t n = 0;
  WN_ASSERT(wn_cell_pairs_create(&m->grid, &p) == WN_OK &&
            wn_cell_pairs_draw(p, e, i, 1e-5, NULL, &of, &pair, &n) == WN_OK);
  unsigned char *all = malloc(32 * n + 1);
  size_t *place = malloc(2 * n * sizeof *place + 1);
  WN_ASSERT(all != NULL && place != NULL);
  for (size_t k = 0; k < n; k++) {
    const void *first = wn_particles_at(&e->p, pair[k].a),
               *second = wn_particles_at(&i->p, pair[k].b);
    memcpy(all + 32 * k, first, 16);
    memcpy(all + 32 * k + 16, second, 16);
    *wrong += wn_cell_pairs_cell(&m->grid, first) != wn_cell_pairs_cell(&m->grid, second);
    place[2 * k] = pair[k].a;
    place[2 * k + 1] = pair[k].b + (e == i ? 0 : e->p.n);
  }
  qsort(place, 2 * n, sizeof *place, by_place);
  for (size_t k = 1; k < 2 * n; k++)
    *wrong += place[k] == place[k - 1];
  qsort(all, n, 32, by_bytes);
  free(place);
  wn_cell_pairs_free(p);
  *out = all;
  return n;
}

static void reverse(struct wn_particles *p)
{
  unsigned char one[16];
  for (size_t i = 0, j = p->n - 1; i < j; i++, j--) {
    memcpy(one, wn_particles_at(p, i), 16);
    memcpy(wn_particles_at(p, i), wn_particles_at(p, j), 16);
    memcpy(wn_particles_at(p, j), one, 16);
  }
}

static void which(void)
{
  static const char *const few[] = {"grid.cells=[80]", "species.e.per_cell=500",
                                    "species.i.per_cell=500", NULL};
  static const size_t other[] = {I, E};
  for (int k = 0; k < 2; k++) {
    unsigned char *first, *second;
    size_t wrong = 0;
    struct scene s;
    open(&s, few, 0);
    const size_t n = draw(&s, other[k], &first, &wrong);
    reverse(&s.sim->species[E]->p);
    reverse(&s.sim->species[I]->p);
    const size_t m = draw(&s, other[k], &second, &wrong);
    is_int((long long)wrong, 0, "pairs are in a cell, and no particle is in two");
    ok(n > 100 && n == m && memcmp(first, second, 32 * n) == 0,
       "%zu pairs, of stores in another order the same", n);
    free(first);
    free(second);
    scene_close(&s);
  }
}

/* ---- runs of the program */

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
    "  j = { density = \"5e14 m-3\"; per_cell = 15; charge = 1.0; mass = \"39.948 u\"; "
    "mobile = "
    "false; };\n"
    "  n = { density = \"5e14 m-3\"; per_cell = 15; charge = -1.0; mass = \"16 u\"; "
    "temperature = \"300 K\"; };\n"
    "  m = { density = \"5e14 m-3\"; per_cell = 15; charge = 0.0; mass = \"16 u\"; "
    "temperature = \"300 K\"; }; };\n"
    "reactions = { ei = { reactants = [\"e\", \"i\"]; rate_constant = \"1e-6 m3/s\"; "
    "exponent = -0.7; reference = \"5 eV\"; };\n"
    "  ej = { reactants = [\"j\", \"e\"]; rate_constant = \"1e-6 m3/s\"; };\n"
    "  ni = { reactants = [\"n\", \"i\"]; rate_constant = \"2e-6 m3/s\"; products = "
    "[\"m\"]; "
    "};\n"
    "  mm = { reactants = [\"m\", \"m\"]; products = [\"n\", \"j\"]; rate_constant = "
    "\"4e-6 "
    "m3/s\"; }; };\n"
    "plasma = { time_step = \"2 ps\"; allow = [\"cell-crossing\", \"debye-length\"]; "
    "};\n";

static int run(const char *before, const char *out, const char *options)
{
  return command_run(FILE_NAME, with_ids, before, out, options);
}

/* Charges of the species, of the walls and of all that was born are 0 in sum, in each row. */
static void charge(void)
{
  static const double of[] = {-1, 1, 1, -1, 0};
  size_t n = 0, n_walls = 0, wrong = 0;
  double *particles = command_nc_read(OUT, "particles", &n),
         *walls = command_nc_read(OUT, "wall_particles", &n_walls);
  for (size_t row = 0; particles != NULL && walls != NULL && row < n / 5; row++) {
    double sum = 0.0, all = 0.0;
    for (size_t k = 0; k < 5; k++) {
      double one = particles[5 * row + k];
      for (size_t side = 0; side < 6; side++)
        one += walls[(5 * row + k) * 6 + side];
      sum += of[k] * one;
      all += one;
    }
    wrong += fabs(sum) > 1e-12 * all;
  }
  ok(n == 500 && wrong == 0, "charge is conserved in all but %zu of %zu rows", wrong,
     n / 5);
  free(particles);
  free(walls);
}

static void same_bits(void)
{
  int n = 0, status;
  is_int(run("", OUT, "--scheduler serial"), 0, "reactions of all records");
  charge();
  for (size_t i = 0; i < 4; i++)
    ok(command_nc_at(OUT, "reaction_events", 99 * 4 + i) > 0.0, "reaction %zu happens",
       i);
  ranks_same(OUT, AGAIN, "scheduler openmp",
             run("", AGAIN, "--scheduler openmp --threads 3"), 0);
  remove(AGAIN ".ckpt");
  remove(AGAIN ".part");
  do
    status = run("", AGAIN, "--restart auto --set checkpoint.step_limit=37");
  while (status == 3 && ++n < 9);
  is_int(n, 2, "three slices");
  ranks_same(OUT, AGAIN, "slices", status, 0);
}

int main(void)
{
  plan(0);
  expectations();
  densities();
  of_one_species();
  of_temperature();
  which();
  same_bits();
  remove(OUT);
  return done();
}
