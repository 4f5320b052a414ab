/* t0760-sources.c - defends: a side that emits the flux of a Maxwellian into an empty space
 * without a field gives the exact density at any time, from the wall on; its particles have
 * the energy 2 kT on average; as many are emitted as the rate says, to within one, and the
 * sides have given and taken as much as the space lacks, to the quantum.  In a uniform
 * field each has the energy of its place, to rounding; in one that changes the places have
 * an error of second order in the step.
 *
 * Density: particles of velocity v > x/t are at x at the time t after the beginning, so
 *
 *   n(x, t) = integral over v > x/t of G/sigma^2 exp(-v^2/(2 sigma^2)) dv
 *           = G/sigma sqrt(pi/2) erfc(x/(sqrt(2) sigma t))     for a flux G.
 *
 * Field: with the acceleration A + B sin(w t) from rest at time s,
 *
 *   x(t) = A (t - s)^2/2 + B/w ((t - s) cos(w s) - (sin(w t) - sin(w s))/w).
 *
 * Errors: 4.5 standard errors, a false alarm in 1e5 checks; chi^2 of n bins, which is
 * smaller for even times than for independent ones: n + 4.5 sqrt(2 n). */
#include <math.h>
#include <stdlib.h>
#include "base/error.h"
#include "physics/constants.h"
#include "physics/emission.h"
#include "src/config/sources.h"
#include "src/sim/plasma.h"
#include "t/tap/plasma.h"
#include "t/tap/scene.h"
#include "t/tap/tap.h"

#define FILE_NAME "t0760.cfg"

static const char *const nothing[] = {NULL};

/* ---- free flow */

#define CELLS   64
#define LENGTH  6.4e-3 /* m */
#define STEP    5e-9   /* s: half a cell at sigma */
#define STEPS   40
#define KT      1.0 /* eV */
#define EACH    20000.0
#define BINS    (2 * CELLS)
#define LOW_END "x_low = { field = \"dirichlet\"; }; x_high = { field = \"dirichlet\"; };"

/* Neutral particles: no field. */
#define FLOW(wall)                                                                       \
  "model = \"plasma\"; duration = \"200 ns\"; threads = 1; seed = 5;\n"                  \
  "grid = { cells = [64]; length = [\"6.4 mm\"]; };\n"                                   \
  "walls = { " LOW_END " };\n"                                                           \
  "species = { n = { density = \"0 m-3\"; charge = 0.0; mass = \"1 u\"; }; };\n"         \
  "plasma = { time_step = \"5 ns\"; allow = [\"cell-crossing\"]; sources = { s = {\n"    \
  "  wall = \"" wall "\"; flux = \"1e20 m-2 s-1\"; temperature = \"1 eV\"; per_step = "  \
  "20000.0; }; }; };\n"

/* Expected in [a, b] of the distance from the wall, by Simpson's rule. */
static double expected(double a, double b, double t)
{
  const double sigma = sqrt(KT * WN_E / WN_AMU);
  double sum = 0.0;
  for (int i = 0; i <= 2; i++) {
    const double x = a + 0.5 * i * (b - a);
    sum += (i == 1 ? 4.0 : 1.0) * erfc(x / (sqrt(2.0) * sigma * t));
  }
  return EACH / STEP / sigma * sqrt(0.5 * WN_PI) * sum * (b - a) / 6.0;
}

static void flow(const char *text, int side)
{
  struct scene scene;
  double bin[BINS] = {0.0}, chi2 = 0.0;
  int unbalanced = 0, wrong = 0, n = 0;
  scene_open(&scene, FILE_NAME, text, nothing);
  scene_start(&scene, STEP);
  struct wn_species *s = scene.sim->species[0];
  for (int i = 0; i < STEPS; i++) {
    WN_ASSERT(scene_phase(&scene) == WN_OK);
    const wn_i128 there = (wn_i128)s->p.n * WN_QUANTA;
    const double out = -(double)s->tally.surface[side].number,
                 rate = EACH * (double)scene.sim->n_steps;
    unbalanced += there + plasma_at_walls(s) != 0;
    wrong += !(fabs(out - rate) < 1.5);
  }
  is_int(unbalanced, 0, "side %d: steps after which space and sides are not neutral",
         side);
  is_int(wrong, 0, "side %d: steps in which numbers are not the rate's", side);
  for (size_t i = 0; i < s->p.n; i++) {
    const union wn_word *r = wn_particles_at(&s->p, i);
    const double x = (double)r[0].i / (double)wn_plasma_points(s)->end[0];
    bin[(int)((side == 0 ? x : 1.0 - x) * BINS * (1.0 - 1e-12))] += 1.0;
  }
  for (int i = 0; i < BINS; i++) {
    const double want =
        expected(i * LENGTH / BINS, (i + 1) * LENGTH / BINS, STEPS * STEP);
    if (want < 50.0)
      continue;
    chi2 += (bin[i] - want) * (bin[i] - want) / want;
    n++;
  }
  ok(n > 80 && chi2 < n + 4.5 * sqrt(2.0 * n), "side %d: density, chi^2 %.1f of %d bins",
     side, chi2, n);
  const struct wn_tally_surface *wall = &s->tally.surface[side];
  const double emitted = -(double)wall->number;
  is_near((double)wall->energy / WN_FIX_ENERGY / -emitted, 2.0 * KT,
          4.5 * KT * sqrt(2.0 / emitted), "side %d: their mean energy", side);
  scene_close(&scene);
}

/* ---- in a field: electrons so few that they make none */

#define FIELD(energy, more)                                                              \
  "model = \"plasma\"; duration = \"1 ns\"; threads = 1; seed = 3;\n"                    \
  "grid = { cells = [16]; length = [\"10 mm\"]; };\n"                                    \
  "walls = { x_low = { field = \"dirichlet\"; }; x_high = { field = \"dirichlet\";\n"    \
  "  voltage = \"100 V\"; " more " }; };\n"                                              \
  "species = { e = { density = \"0 m-3\"; }; };\n"                                       \
  "plasma = { time_step = \"40 ps\"; allow = [\"cell-crossing\"]; sources = { s = {\n"   \
  "  wall = \"x_low\"; flux = \"1e9 m-2 s-1\"; energy = \"" energy                       \
  "\"; per_step = 50.0; }; }; };\n"

#define GAP 0.01 /* m */

static void uniform(const char *text, double energy_ev)
{
  struct scene scene;
  double most = 0.0;
  scene_open(&scene, FILE_NAME, text, nothing);
  scene_start(&scene, 40e-12);
  struct wn_species *s = scene.sim->species[0];
  for (int i = 0; i < 20; i++)
    WN_ASSERT(scene_phase(&scene) == WN_OK);
  const struct wn_points *m = wn_plasma_points(s);
  for (size_t i = 0; i < s->p.n; i++) {
    const union wn_word *r = wn_particles_at(&s->p, i);
    const double x = (double)r[0].i / (double)m->end[0],
                 u[3] = {(double)r[1].f, (double)r[2].f, (double)r[3].f},
                 ev = 0.5 * WN_ME / WN_E * (u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
    most = fmax(most, fabs(ev - (energy_ev + 100.0 * x)));
  }
  /* E is single precision: 1e-7 of 100 eV, in each of up to 20 steps */
  ok(s->p.n > 300 && most < 1e-4,
     "%g eV in a uniform field: %zu energies, off by %.1e eV", energy_ev, s->p.n, most);
  scene_close(&scene);
}

/* The largest error of a place after 0.8 ns; all are still there. */
static double error_of(const char *step, double dt, const char *per_step)
{
  static const char text[] =
      FIELD("0 eV", "amplitude = \"60 V\"; frequency = \"1.5 GHz\";");
  const char *const set[] = {step, per_step, NULL};
  const double t = 0.8e-9, w = 2.0 * WN_PI * 1.5e9, of_volt = WN_E / WN_ME / GAP,
               a = 100.0 * of_volt, b = 60.0 * of_volt;
  struct scene scene;
  double most = 0.0;
  scene_open(&scene, FILE_NAME, text, set);
  scene_start(&scene, dt);
  while (scene.sim->time < t - 0.5 * dt)
    WN_ASSERT(scene_phase(&scene) == WN_OK);
  const struct wn_species *s = scene.sim->species[0];
  const struct wn_config *c = scene.config;
  const double per_s =
      wn_source_rate(c, &c->plasma.sources[0]) / wn_loading_weight(c, &c->species[0]);
  WN_ASSERT(s->tally.surface[1].number == 0 && s->p.n > 900);
  for (size_t i = 0; i < s->p.n; i++) {
    const union wn_word *r = wn_particles_at(&s->p, i);
    const struct wn_rng4 birth =
        wn_rng(c->seed, i, 0, WN_RNG_SOURCE, WN_SOURCE_BLOCK_BIRTH);
    const double start = ((double)i + wn_u01(birth.w[0])) / per_s, left = t - start,
                 x = 0.5 * a * left * left +
                     b / w * (left * cos(w * start) - (sin(w * t) - sin(w * start)) / w);
    most = fmax(most, fabs(r[0].i * GAP / wn_plasma_points(s)->end[0] - x));
  }
  scene_close(&scene);
  return most / GAP;
}

static void order(void)
{
  const double coarse = error_of("plasma.time_step=\"40 ps\"", 40e-12,
                                 "plasma.sources.s.per_step=50.0"),
               fine = error_of("plasma.time_step=\"20 ps\"", 20e-12,
                               "plasma.sources.s.per_step=25.0");
  ok(coarse / fine > 3.5 && coarse / fine < 4.5 && fine < 1e-3,
     "a field that changes: the same particles in half the step have %.2f of the error, "
     "%.2e of the gap",
     fine / coarse, fine);
}

int main(void)
{
  plan(0);
  flow(FLOW("x_low"), 0);
  flow(FLOW("x_high"), 1);
  uniform(FIELD("0 eV", ""), 0.0);
  uniform(FIELD("30 eV", ""), 30.0);
  order();
  return done();
}
