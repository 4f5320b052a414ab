/* t0795-adaptive-steps.c - defends: steps of several lengths, and what decides them.
 *
 * A cold plasma that oscillates, in steps that change by factors of two: its field is that of a
 * product of the maps of single steps, drift kick drift, which is computed here; so is its frequency,
 * whose error falls with the square of the steps.
 *
 * Conditions: the step by `cells` against speeds that are sorted here; the rate of `growth` against
 * the number of electrons, ln(N2/N1)/t; the time of relaxation against eps0 E / (e n v) of the
 * drift velocity v of the particles, and against 1/omega_p without collisions.  The tolerances of rates
 * and drift velocities are 4 standard errors of the means of 16 blocks of the same run: a false alarm in
 * 1e-3 of seeds (Student), which are fixed.
 *
 * The ladder: each step begins at a multiple of its length, is no longer than what is allowed and
 * than twice the one before, and each whole step is a sum of steps without an error. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "physics/constants.h"
#include "src/config/adaptive_step.h"
#include "src/config/plasma_derived.h"
#include "src/run/step.h"
#include "src/sim/plasma.h"
#include "t/tap/scene.h"
#include "t/tap/tap.h"

#define FILE_NAME "t0795.cfg"

/* ---- oscillations */

#define DENSITY 1e15
static const char cold[] =
    "model = \"plasma\"; duration = \"1 us\"; seed = 1; threads = 1;\n"
    "grid = { cells = [32]; length = [\"1 cm\"]; };\n"
    "species = { e = { density = \"1e15 m-3\"; per_cell = 32; temperature = \"0 eV\"; "
    "amplitude = 1e-3; mode = [1]; };\n"
    "  i = { density = \"1e15 m-3\"; per_cell = 32; charge = 1.0; mass = \"1 u\"; mobile "
    "= false; }; };\n"
    "plasma = { time_step = \"10 ps\"; gather = \"energy\"; %s };\n";

static double omega_p(void)
{
  return sqrt(DENSITY * WN_E * WN_E / (WN_EPS0 * WN_ME));
}

/* E at a quarter of the wave in the middle of a step. */
static double wave(const struct scene *s, double *e)
{
  WN_ASSERT(wn_field_e(s->sim->field, 0, e) == WN_OK);
  return e[8];
}

/* Steps of h * 2^-level[i % n], E of each into y. */
static void oscillate(double h, const int *level, int n, int steps, double *y)
{
  struct scene s;
  char text[sizeof cold + 64];
  double e[33];
  snprintf(text, sizeof text, cold, "");
  scene_open(&s, FILE_NAME, text, (const char *const[]){NULL});
  scene_start(&s, h);
  for (int i = 0; i < steps; i++) {
    WN_ASSERT(wn_step(s.sim, ldexp(h, -level[i % n])) == WN_OK);
    y[i] = wave(&s, e);
  }
  scene_close(&s);
}

/* Of an oscillator of frequency 1: x and v after a step. */
static void map_step(double h, double x[2])
{
  x[0] += 0.5 * h * x[1];
  x[1] -= h * x[0];
  x[0] += 0.5 * h * x[1];
}

/* cos of the angle of a pattern of steps, in units of 1/omega: half the trace. */
static double map_cos(double h, const int *level, int n)
{
  double trace = 0.0;
  for (int k = 0; k < 2; k++) {
    double x[2] = {k == 0, k == 1};
    for (int i = 0; i < n; i++)
      map_step(ldexp(h, -level[i]), x);
    trace += x[k];
  }
  return 0.5 * trace;
}

/* The same of the field, at every n-th step: y[j+1] + y[j-1] = 2 cos y[j]. */
static double field_cos(const double *y, int n, int steps)
{
  double sum = 0.0, square = 0.0;
  for (int j = n; j + n < steps; j += n) {
    sum += (y[j + n] + y[j - n]) * y[j];
    square += y[j] * y[j];
  }
  return 0.5 * sum / square;
}

#define STEPS 480

static void frequency(void)
{
  static const int even[1] = {0}, three[3] = {0, 1, 1}, six[6] = {0, 1, 2, 2, 0, 1};
  static const struct {
    const int *level;
    int n;
    double length; /* of the pattern, in h */
  } pattern[] = {{three, 3, 2.0}, {six, 6, 3.5}};
  double y[STEPS], error[2][2], e[33];
  struct scene s;
  const double h = 0.2 / omega_p();
  oscillate(h, even, 1, STEPS, y);
  /* the wave's own frequency, on this grid */
  const double omega = sqrt(2.0 - 2.0 * field_cos(y, 1, STEPS)) / h;
  is_close(omega / omega_p(), 1.0, 0.01, "the frequency on the grid is omega_p");
  for (size_t i = 0; i < 2; i++)
    for (int half = 0; half < 2; half++) {
      const double step = ldexp(h, -half), t = pattern[i].length * step;
      oscillate(step, pattern[i].level, pattern[i].n, STEPS, y);
      const double seen = acos(field_cos(y, pattern[i].n, STEPS)) / t,
                   map = acos(map_cos(omega * step, pattern[i].level, pattern[i].n)) / t;
      error[i][half] = seen / omega - 1.0;
      is_close(error[i][half], map / omega - 1.0, 0.01,
               "pattern %zu, omega h = %.2g: the frequency is that of the map", i,
               omega * step);
    }
  for (size_t i = 0; i < 2; i++)
    is_close(error[i][0] / error[i][1], 4.0, 0.01,
             "pattern %zu: half the steps, a quarter of the error", i);

  /* any order: no pattern, whole steps and pairs of halves */
  double x[2] = {1.0, 0.0}, worst = 0.0, most = 0.0;
  uint32_t random = 7;
  char text[sizeof cold + 64];
  snprintf(text, sizeof text, cold, "");
  scene_open(&s, FILE_NAME, text, (const char *const[]){NULL});
  scene_start(&s, h);
  double scale = 0.0;
  for (int i = 0; i < STEPS; i++) {
    const int level = (random = random * 1664525u + 1013904223u) >> 31;
    for (int k = 0; k < 1 << level; k++) {
      WN_ASSERT(wn_step(s.sim, ldexp(h, -level)) == WN_OK);
      const double now = wave(&s, e),
                   middle = x[0] + 0.5 * ldexp(omega * h, -level) * x[1];
      scale = i == 0 && k == 0 ? now / middle : scale;
      worst = fmax(worst, fabs(now / scale - middle));
      most = fmax(most, fabs(middle));
      map_step(ldexp(omega * h, -level), x);
    }
  }
  scene_close(&s);
  ok(worst < 0.01 && most > 0.9,
     "15 periods of steps in any order: E is that of the map within %.2g", worst);
}

/* ---- conditions */

#define GAS_TEXT(more)                                                                   \
  "model = \"plasma\"; duration = \"0.6 ns\"; seed = 3; threads = 1;\n"                  \
  "grid = { cells = [64]; length = [\"1 cm\"]; };\n"                                     \
  "walls = { x_low = { field = \"dirichlet\"; particles = \"reflect\"; }; x_high = { "   \
  "field = \"dirichlet\"; particles = \"reflect\"; voltage = \"70 kV\"; }; };\n"         \
  "gas = { pressure = \"1 atm\"; components = { N2 = { fraction = 0.8; file = "          \
  "\"builtin:air\"; }; O2 = { fraction = 0.2; file = \"builtin:air\"; }; }; };\n"        \
  "tables = { energy_max = \"1 keV\"; };\n"                                              \
  "species = { e = { density = \"1e9 m-3\"; per_cell = 40; temperature = \"3 eV\"; "     \
  "collisions = \"gas\"; ions = \"i\"; anions = \"n\"; };\n"                             \
  "  i = { density = \"1e9 m-3\"; per_cell = 40; charge = 1.0; mass = \"28 u\"; mobile " \
  "= false; };\n"                                                                        \
  "  n = { density = \"0 m-3\"; charge = -1.0; mass = \"32 u\"; mobile = false; }; };\n" \
  "plasma = { time_step = \"4 ps\"; allow = [\"cell-crossing\"];\n"                      \
  "  adaptive = { least = \"0.0625 ps\"; " more " }; };\n"

struct walk {
  int steps, off_place, too_long, too_fast, uneven;
  double last;
};

/* A step of the run, and the length of the next; its place on the ladder. */
static int adaptive_step(struct scene *s, struct walk *w)
{
  const struct wn_adaptive_step *a = &s->sim->adaptive;
  const double dt = a->length, at = s->sim->time / dt;
  w->off_place += fabs(at - rint(at)) > 1e-9;
  w->too_long += dt > a->longest;
  w->too_fast += w->last > 0.0 && dt > 2.0 * w->last;
  w->last = dt;
  const double time = wn_step_clock_count(&a->clock), parts = ldexp(1.0, -a->clock.level);
  WN_TRY(wn_step(s->sim, dt));
  w->uneven +=
      wn_step_clock_count(&a->clock) != time + parts ||
      s->sim->time != wn_step_clock_count(&a->clock) * s->config->plasma.time_step;
  w->steps++;
  return wn_adaptive_next(s->sim);
}

static void start(struct scene *s, const char *text, const char *const *set,
                  struct walk *w)
{
  static const char *const none[] = {NULL};
  scene_open(s, FILE_NAME, text, set != NULL ? set : none);
  scene_start(s, 0.0);
  wn_adaptive_begin(s->sim);
  *w = (struct walk){0};
}

static void ladder(const struct walk *w, const char *name)
{
  ok(w->steps > 20 && w->off_place == 0 && w->too_fast == 0 && w->too_long == 0 &&
         w->uneven == 0,
     "%s: %d steps at multiples of their lengths, within the limits", name, w->steps);
}

static int by_size(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void cells(void)
{
  struct scene s;
  struct walk w;
  start(&s, GAS_TEXT("growth = \"off\"; relaxation = \"off\"; cells = 0.125;"), NULL, &w);
  int wrong = 0, checked = 0;
  while (s.sim->time < 60e-12) {
    WN_ASSERT(adaptive_step(&s, &w) == WN_OK);
    const struct wn_particles *p = &s.sim->species[0]->p;
    const struct wn_electron *e = wn_particles_electrons(p);
    double *speed = malloc(p->n * sizeof *speed);
    WN_ASSERT(speed != NULL);
    for (size_t i = 0; i < p->n; i++)
      speed[i] = fabs((double)e[i].u[0]);
    qsort(speed, p->n, sizeof *speed, by_size);
    const size_t at = (size_t)ceil(0.9 * (double)p->n) - 1;
    const double h = 0.01 / 64, exact = 0.125 * h / speed[at];
    wrong += !(s.sim->adaptive.longest <= exact &&
               s.sim->adaptive.longest >= exact / (1.0 + 1.0 / 16.0));
    wrong += s.sim->adaptive.length < 4e-12 && s.sim->adaptive.reason != WN_STEP_CELLS &&
             s.sim->adaptive.reason < WN_STEP_DOUBLED;
    checked++;
    free(speed);
  }
  ok(wrong == 0 && checked > 20,
     "cells: in %d steps the limit is the 90th percentile of speeds, within a bin",
     checked);
  ladder(&w, "cells");
  /* where any step may begin, after the shortest */
  struct wn_step_clock *clock = &s.sim->adaptive.clock;
  clock->level = clock->levels;
  clock->part = 0;
  WN_ASSERT(wn_adaptive_next(s.sim) == WN_OK);
  ok(clock->level == clock->levels - 1 && s.sim->adaptive.reason == WN_STEP_DOUBLED,
     "a step is at most twice the one before: level %d of %d", clock->level,
     clock->levels);
  scene_close(&s);
}

/* Mean and its standard error. */
static double mean(const double *x, int n, double *error)
{
  double sum = 0.0, square = 0.0;
  for (int i = 0; i < n; i++)
    sum += x[i] / n;
  for (int i = 0; i < n; i++)
    square += (x[i] - sum) * (x[i] - sum);
  *error = sqrt(square / n / (n - 1));
  return sum;
}

static double electrons(const struct scene *s)
{
  struct wn_plasma_sums sums;
  WN_ASSERT(wn_plasma_sums(s->sim, 0, &sums) == WN_OK);
  return sums.particles + sums.attached; /* attachment is no growth */
}

#define BLOCKS 16
static void growth(void)
{
  struct scene s;
  struct walk w;
  double rate[BLOCKS], seen[BLOCKS], rate_error, seen_error;
  start(&s, GAS_TEXT("cells = \"off\"; relaxation = \"off\"; growth = 0.02;"), NULL, &w);
  while (s.sim->time < 40e-12)
    WN_ASSERT(adaptive_step(&s, &w) == WN_OK);
  int limited = 0;
  for (int b = 0; b < BLOCKS; b++) {
    const double n = electrons(&s), t = s.sim->time;
    double sum = 0.0, alive = 0.0;
    int steps = 0;
    struct wn_plasma_sums sums;
    while (s.sim->time < t + 10e-12) {
      WN_ASSERT(adaptive_step(&s, &w) == WN_OK);
      sum += log(1.02) / s.sim->adaptive.longest;
      limited += s.sim->adaptive.reason == WN_STEP_GROWTH;
      steps++;
      WN_ASSERT(wn_plasma_sums(s.sim, 0, &sums) == WN_OK);
      alive += sums.particles * s.sim->interval;
    }
    rate[b] = sum / steps;
    seen[b] = (electrons(&s) - n) / alive;
  }
  const double a = mean(rate, BLOCKS, &rate_error), b = mean(seen, BLOCKS, &seen_error);
  diag("rate %.4g +- %.2g, electrons %.4g +- %.2g 1/s", a, rate_error, b, seen_error);
  /* a rate from a number of births until it is 64 is larger by 1/64 on average */
  ok(fabs(a - b) < 4.0 * hypot(rate_error, seen_error) + b / 64.0 &&
         rate_error < 0.05 * a,
     "growth: the rate is that of the electrons");
  ok(limited > 10, "and it limits steps");
  ladder(&w, "growth");
  scene_close(&s);
}

static void relaxation(void)
{
  struct scene s;
  struct walk w;
  double ratio[BLOCKS], error;
  start(&s, GAS_TEXT("cells = \"off\"; growth = \"off\"; relaxation = 0.5;"),
        /* else steps are at most 1.5 over the plasma frequency; at a mirror electrons
         * would gather, whose work goes on and whose drift ends */
        (const char *const[]){
            "plasma.allow=[\"plasma-frequency\"]", "walls.x_high.voltage=40 kV",
            "walls.x_high.particles=absorb", "walls.x_low.particles=absorb", NULL},
        &w);
  while (s.sim->time < 60e-12)
    WN_ASSERT(adaptive_step(&s, &w) == WN_OK);
  const size_t nodes = wn_field_nodes(s.sim->field);
  double *density = malloc(nodes * sizeof *density);
  WN_ASSERT(density != NULL);
  for (int b = 0; b < BLOCKS; b++) {
    double time_density = 0.0, drift = 0.0, n = 0.0;
    for (int i = 0; i < 20; i++) {
      WN_ASSERT(adaptive_step(&s, &w) == WN_OK);
      WN_ASSERT(wn_field_density(s.sim->field, 0, density) == WN_OK);
      double densest = 0.0;
      for (size_t k = 0; k < nodes; k++)
        densest = fmax(densest, density[k]);
      densest *= wn_loading_weight(s.config, &s.config->species[0]);
      time_density += densest * s.sim->adaptive.longest / 0.5 / 20.0;
      const struct wn_particles *p = &s.sim->species[0]->p;
      const struct wn_electron *e = wn_particles_electrons(p);
      for (size_t k = 0; k < p->n; k++)
        drift += (double)(e[k].u[0] * e[k].w), n += (double)e[k].w;
    }
    ratio[b] = time_density / (WN_EPS0 * 40e3 / 0.01 / (WN_E * drift / n));
  }
  free(density);
  const double a = mean(ratio, BLOCKS, &error);
  diag("time of relaxation over eps0 E / J: %.3f +- %.3f", a, error);
  ok(fabs(a - 1.0) < 4.0 * error && error < 0.03,
     "relaxation: with collisions it is eps0 / (e n mu)");
  scene_close(&s);

  char text[sizeof cold + 128];
  snprintf(text, sizeof text, cold,
           "adaptive = { least = \"1 ps\"; cells = \"off\"; growth = \"off\"; relaxation "
           "= 0.01; };");
  start(&s, text, NULL, &w);
  for (int i = 0; i < 40; i++)
    WN_ASSERT(adaptive_step(&s, &w) == WN_OK);
  is_close(s.sim->adaptive.longest, 0.01 / omega_p(), 0.01,
           "without collisions it is 1 / omega_p");
  ladder(&w, "relaxation");
  scene_close(&s);
}

int main(void)
{
  plan(0);
  frequency();
  cells();
  growth();
  relaxation();
  return done();
}
