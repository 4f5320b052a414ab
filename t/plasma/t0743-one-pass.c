/* t0743-one-pass.c - defends: electrons and ions in a grid that gather, fly and are summed up
 * in one pass (struct wn_model_ops.pass) have after every step the records, the tallies and
 * the sums of `serial`, which does one after the other, bit for bit, for every dimension,
 * shape and kind of side; most have no candidate in a step and some have.  What the pass
 * sums up is what a reading of all gives.  Reference: the serial scheduler in the same
 * program.
 *
 * Subcycling: ions move in the middle one of their n steps, for all n; between they and
 * their charge stay, and no quantum of it is lost; in a constant field they come where ions
 * come that move in every step. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "physics/mcc_collision_free.h"
#include "schedulers/scheduler.h"
#include "src/sim/plasma.h"
#include "t/tap/plasma.h"
#include "t/tap/scene.h"
#include "t/tap/tap.h"

#define FILE_NAME "t0743.cfg"
enum { E, I, N };

#define GAS                                                                              \
  "gas = { pressure = \"2 mbar\"; components = { Ar = { file = \"builtin:argon\"; "      \
  "beyond = \"power\"; }; }; };\ntables = { energy_max = \"2 keV\"; };\n"

/* ---- one pass */

static const struct {
  const char *name, *text;
} cases[] = {
    {"1-D, cic, walls that absorb",
     "grid = { cells = [40]; length = [\"2 mm\"]; };\nwalls = { x_low = { field = "
     "\"dirichlet\"; voltage = \"100 V\"; }; x_high = { field = \"dirichlet\"; }; };\n"},
    {"1-D, tsc, energy, a mirror",
     "grid = { cells = [40]; length = [\"2 mm\"]; };\nwalls = { x_low = { field = "
     "\"neumann\"; }; x_high = { field = \"dirichlet\"; voltage = \"80 V\"; }; "
     "};\nplasma "
     "= { shape = \"tsc\"; gather = \"energy\"; };\n"},
    {"1-D, ngp, periodic", "grid = { cells = [16]; length = [\"0.8 mm\"]; };\nplasma = { "
                           "shape = \"ngp\"; };\n"},
    {"2-D, cic, periodic and absorbing",
     "grid = { cells = [8, 12]; length = [\"0.4 mm\", \"0.6 mm\"]; };\nwalls = { y_low = "
     "{ field = \"dirichlet\"; voltage = \"60 V\"; }; y_high = { field = \"dirichlet\"; "
     "}; };\n"},
    {"2-D, tsc, a mirror of metal",
     "grid = { cells = [8, 12]; length = [\"0.4 mm\", \"0.6 mm\"]; };\nwalls = { y_low = "
     "{ field = \"dirichlet\"; voltage = \"60 V\"; particles = \"reflect\"; }; y_high = "
     "{ field = \"dirichlet\"; }; };\nplasma = { shape = \"tsc\"; };\n"},
    {"3-D, cic, energy",
     "grid = { cells = [6, 5, 7]; length = [\"0.3 mm\", \"0.25 mm\", \"0.35 mm\"]; "
     "};\nwalls = { z_low = { field = \"dirichlet\"; voltage = \"60 V\"; }; z_high = { "
     "field = \"dirichlet\"; }; };\nplasma = { gather = \"energy\"; };\n"},
    {"3-D, tsc, periodic",
     "grid = { cells = [6, 5, 7]; length = [\"0.3 mm\", \"0.25 mm\", \"0.35 mm\"]; "
     "};\nplasma = { shape = \"tsc\"; };\n"},
};

static void open_scene(struct scene *scene, const char *text, const char *scheduler,
                       int threads, double density, int per_cell, const char *more)
{
  const char *const set[] = {"plasma.time_step=2 ps", more, NULL};
  char all[4096];
  snprintf(all, sizeof all,
           "model = \"plasma\"; duration = \"1 ns\";\n%s" GAS
           "species = { e = { density = \"%g m-3\"; temperature = \"8 eV\"; per_cell = "
           "%d; loading = \"random\"; collisions = \"gas\"; ions = \"i\"; };\n i = { "
           "density = \"%g m-3\"; per_cell = %d; charge = 1.0; mass = \"39.948 u\"; "
           "temperature = \"20 eV\"; loading = \"random\"; collisions = \"gas\"; }; };\n",
           text, density, per_cell, density, per_cell);
  scene_open(scene, FILE_NAME, all, set);
  scene_scheduler(scene, scheduler, threads);
}

static int same_species(const struct wn_sim *a, const struct wn_sim *b, size_t k)
{
  struct wn_species *p = a->species[k], *q = b->species[k];
  const size_t bytes = p->p.n * sizeof(struct wn_electron);
  struct wn_plasma_sums x, y, again;
  if (p->p.n != q->p.n || memcmp(p->p.e, q->p.e, bytes) != 0 ||
      memcmp(p->tally.group, q->tally.group, sizeof *p->tally.group) != 0 ||
      memcmp(p->tally.surface, q->tally.surface, WN_SIDES * sizeof *p->tally.surface) !=
          0 ||
      p->tally.n_candidates != q->tally.n_candidates ||
      p->tally.n_deaths != q->tally.n_deaths)
    return 0;
  if (wn_plasma_sums(a, k, &x) != WN_OK || wn_plasma_sums(b, k, &y) != WN_OK ||
      memcmp(&x, &y, sizeof x) != 0)
    return 0;
  wn_particles_touched(&q->p); /* read all */
  return wn_plasma_sums(b, k, &again) == WN_OK && memcmp(&y, &again, sizeof y) == 0;
}

static void one_pass(const char *name, const char *text, float weight)
{
  enum { STEPS = 12 };
  const double density = weight > 1.0f ? 1e17 / (double)weight : 1e17;
  const int per_cell = strstr(text, "[6, 5, 7]") != NULL ? 12 : 40;
  struct scene serial, other;
  int same[N] = {0, 0};
  open_scene(&serial, text, "serial", 1, density, per_cell, "plasma.mobility_steps=2");
  open_scene(&other, text, "openmp", 3, density, per_cell, "plasma.mobility_steps=2");
  scene_start(&serial, 2e-12);
  scene_start(&other, 2e-12);
  for (int k = 0; k < N; k++) {
    struct wn_electron *a = wn_particles_electrons(&serial.sim->species[k]->p),
                       *b = wn_particles_electrons(&other.sim->species[k]->p);
    for (size_t i = 0; i < serial.sim->species[k]->p.n; i++)
      a[i].w = b[i].w = i % 3 == 0 ? weight : 1.0f;
  }
  const size_t n = serial.sim->species[E]->p.n;
  for (int i = 0; i < STEPS; i++) {
    WN_ASSERT(scene_phase(&serial) == WN_OK && scene_phase(&other) == WN_OK);
    for (size_t k = 0; k < N; k++)
      same[k] += same_species(serial.sim, other.sim, k);
  }
  is_int(same[E], STEPS, "%s, weights to %g: electrons, in all steps", name,
         (double)weight);
  is_int(same[I], STEPS, "%s, weights to %g: ions", name, (double)weight);
  const struct wn_tally *t = &serial.sim->species[E]->tally;
  const double part = (double)t->n_candidates / (2.0 * STEPS * (double)n);
  ok(part > 0.005 && part < 0.3 && t->n_births > 0 &&
         other.sim->species[E]->model.in_one_pass,
     "candidates of %.2g of all in a mobility step, %llu born", part,
     (unsigned long long)t->n_births);
  scene_close(&serial);
  scene_close(&other);
}

/* The series of 1/(gamma + 1) against the root, a rounding of each apart. */
static void series(void)
{
  double worst = 0.0;
  for (double x = 1e-9; x < WN_SAMPLE_SLOW; x *= 1.01)
    worst = fmax(worst, fabs(wn_inverse_gamma1_slow(x) * (1.0 + sqrt(1.0 + x)) - 1.0));
  ok(worst < 3.0 * 0x1p-53, "1/(gamma + 1) of slow ones is right to %.2g", worst);
  is_close(wn_inverse_gamma1(WN_SAMPLE_SLOW), wn_inverse_gamma1_slow(WN_SAMPLE_SLOW),
           2.3e-16, "and goes on");
}

/* ---- subcycling */

static wn_i128 charge(const struct wn_sim *s)
{
  wn_i128 sum = 0;
  for (size_t k = 0; k < N; k++)
    sum += (plasma_on_grid(s, k) + plasma_at_walls(s->species[k])) * (k == I ? 1 : -1);
  return sum;
}

/* Which ions that were there before are where they were. */
static size_t unmoved(const struct wn_particles *p, const struct wn_electron *before,
                      size_t n)
{
  const struct wn_electron *e = wn_particles_at(p, 0);
  size_t same = 0;
  for (size_t i = 0; i < n && i < p->n; i++)
    same += memcmp(&e[i], &before[i], sizeof *e) == 0;
  return same;
}

static void moves_in_the_middle(const char *scheduler, int threads)
{
  enum { SUB = 5, STEPS = 16 * SUB };
  struct scene scene;
  int wrong = 0, lost = 0;
  open_scene(&scene, cases[0].text, scheduler, threads, 1e17, 400,
             "species.i.subcycling=5");
  scene_start(&scene, 2e-12);
  struct wn_particles *p = &scene.sim->species[I]->p;
  const wn_i128 first = charge(scene.sim);
  for (int i = 0; i < STEPS; i++) {
    const size_t n = p->n;
    struct wn_plasma_sums census, again;
    struct wn_electron *before = malloc(n * sizeof *before);
    WN_ASSERT(before != NULL);
    memcpy(before, p->e, n * sizeof *before);
    WN_ASSERT(scene_phase(&scene) == WN_OK);
    const size_t same = unmoved(p, before, n);
    wrong += i % SUB == SUB / 2 ? same != 0 : same != n;
    lost += charge(scene.sim) != first;
    WN_ASSERT(wn_plasma_sums(scene.sim, I, &census) == WN_OK);
    if (i % SUB == 4) {
      wn_particles_touched(p);
      WN_ASSERT(wn_plasma_sums(scene.sim, I, &again) == WN_OK);
      wrong += memcmp(&census, &again, sizeof census) != 0;
    }
    free(before);
  }
  is_int(wrong, 0, "%s: ions move in the middle one of %d steps", scheduler, SUB);
  is_int(lost, 0, "%s: steps after which the charge is not that of the beginning",
         scheduler);
  ok(plasma_at_walls(scene.sim->species[I]) > 0 &&
         scene.sim->species[E]->tally.n_births > 0,
     "walls take some, and some are made");
  scene_close(&scene);
}

/* Few ions in next to no gas, between walls with a voltage: exact flights in a constant
 * field, in 4 long steps and in 20 short ones. */
static void same_way(void)
{
  enum { SUB = 5, STEPS = 4 * SUB };
  static const char text[] =
      "model = \"plasma\"; duration = \"1 us\"; threads = 1;\n"
      "grid = { cells = [40]; length = [\"2 mm\"]; };\nwalls = { x_low = { field = "
      "\"dirichlet\"; voltage = \"50 V\"; }; x_high = { field = \"dirichlet\"; }; };\n"
      "gas = { pressure = \"1e-9 Pa\"; components = { Ar = { file = \"builtin:argon\"; "
      "}; "
      "}; };\n"
      "plasma = { time_step = \"0.5 ns\"; };\nspecies = { i = { density = \"1 m-3\"; "
      "per_cell = 20; charge = 1.0; mass = \"39.948 u\"; temperature = \"0.1 eV\"; "
      "profile = \"slab\"; width = [\"1 mm\"]; collisions = \"gas\"; }; };\n";
  static const char *const set[2][2] = {{NULL, NULL}, {"species.i.subcycling=5", NULL}};
  struct scene scene[2];
  double far = 0.0, fast = 0.0, went = 0.0;
  for (int i = 0; i < 2; i++) {
    scene_open(&scene[i], FILE_NAME, text, set[i]);
    scene_start(&scene[i], 0.5e-9);
    for (int k = 0; k < STEPS; k++)
      WN_ASSERT(scene_phase(&scene[i]) == WN_OK);
  }
  const struct wn_particles *a = &scene[0].sim->species[0]->p,
                            *b = &scene[1].sim->species[0]->p;
  const struct wn_electron *x = wn_particles_at(a, 0), *y = wn_particles_at(b, 0);
  for (size_t i = 0; i < a->n && i < b->n; i++) {
    far = fmax(far, fabs((double)x[i].at[0] - (double)y[i].at[0]));
    fast = fmax(fast, fabs((double)x[i].u[0] - (double)y[i].u[0]));
    went = fmax(went, fabs((double)y[i].u[0]));
  }
  /* a place is rounded to a part in each step, a velocity to 2^-24 */
  ok(a->n == b->n && a->n > 300 && far <= STEPS + SUB && fast < STEPS * went * 0x1p-23 &&
         went > 600.0,
     "in a constant field they come to the same place, to %g parts, and velocity, to %g "
     "m/s",
     far, fast);
  scene_close(&scene[0]);
  scene_close(&scene[1]);
}

static int is_built(const char *scheduler)
{
  size_t n;
  const struct wn_scheduler_ops *const *list = wn_scheduler_list(&n);
  for (size_t i = 0; i < n; i++)
    if (strcmp(list[i]->name, scheduler) == 0)
      return 1;
  return 0;
}

int main(void)
{
  plan(0);
  series();
  if (!is_built("openmp")) { /* it makes the pass */
    skip(1, "built without OpenMP");
    moves_in_the_middle("serial", 1);
    return done();
  }
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    one_pass(cases[i].name, cases[i].text, 0.75f);
  one_pass(cases[0].name, cases[0].text, 300.0f); /* sums beyond 2^51 */
  moves_in_the_middle("serial", 1);
  moves_in_the_middle("openmp", 2);
  same_way();
  return done();
}
