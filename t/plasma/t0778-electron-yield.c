/* t0778-electron-yield.c - defends: Vaughan's yield has the values of its formula, numbers
 * are drawn with the chances of their law, and a beam of electrons that hits a wall
 * makes what the keys say: numbers by energy and angle, reflected electrons with their
 * energy, scattered ones with a uniform part of it, true secondaries of a Maxwellian's flux,
 * all with the directions of their law, in every kind of record, relativistic or not; the
 * weight is that of the incident electron; numbers balance to the quantum, energies to
 * rounding.  In a field energies have the error of the step that is stated.  Particles of
 * a cold beam in one dimension, which all have one velocity, draw independent numbers.
 *
 * Values of the formula: mpmath with 40 digits, from the formula as physics/electron_yield.h
 * has it, by
 *   r = 1 + ks a^2/(2 pi);  v = (E - E0)/(Emax r - E0)
 *   max r (v exp(1 - v))^(0.56 or 0.25), or 1.125 max r v^-0.35 above v = 3.6
 *
 * Errors: 4.5 standard errors of the number of electrons, a false alarm in 1.5e5 checks; chi^2
 * below its quantile for a false alarm in 1e5, by the approximation of Wilson and
 * Hilferty.  One seed each. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "physics/constants.h"
#include "physics/electron_yield.h"
#include "src/sim/plasma.h"
#include "t/tap/scene.h"
#include "t/tap/tap.h"

#define FILE_NAME "t0778.cfg"
#define DEG       (WN_PI / 180.0)

static const char *const nothing[] = {NULL};

/* ---- the formula */

static const struct {
  struct wn_electron_yield of;
  double energy_ev, degrees, yield;
} values[] = {
    {{2.4, 400, 12.5, 1}, 10, 0, 0.0},
    {{2.4, 400, 12.5, 1}, 12.5, 0, 0.0},
    {{2.4, 400, 12.5, 1}, 13, 0, 0.10117969953522654},
    {{2.4, 400, 12.5, 1}, 50, 0, 1.0762311220404218},
    {{2.4, 400, 12.5, 1}, 50, 60, 1.1616524360034602},
    {{2.4, 400, 12.5, 1}, 400, 0, 2.4},
    {{2.4, 400, 12.5, 1}, 1000, 0, 2.0590343796368553},
    {{2.4, 400, 12.5, 1}, 1407, 0, 1.7262219172934606},
    {{2.4, 400, 12.5, 1}, 1408, 0, 1.7242626357244238},
    {{2.4, 400, 12.5, 1}, 1e5, 0, 0.38661425509047058},
    {{2.4, 400, 12.5, 2}, 400, 80, 3.6680892408727238},
    {{2.4, 400, 12.5, 0}, 400, 80, 2.4},
    {{1.5, 250, 0, 1}, 300, 45, 1.6455950687106127},
    {{1.5, 250, 0, 2}, 20000, 89.9, 0.79511793173437003},
    {{1.5, 250, 0, 2}, 900, 89.9, 2.4722145220649253},
    {{0.7, 0, 12.5, 1}, 1, 30, 0.7}, /* a constant */
};

static void formula(void)
{
  for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
    const double a = values[i].degrees * DEG;
    is_close(wn_electron_yield(&values[i].of, values[i].energy_ev,
                               wn_electron_yield_angle(cos(a), sin(a))),
             values[i].yield, 1e-13, "Vaughan at %g eV, %g deg, ks = %g",
             values[i].energy_ev, values[i].degrees, values[i].of.smoothness);
  }
  is_near(wn_electron_yield_angle(0.0, 0.0), 0.0, 0.0, "an angle at rest");
  is_close(wn_electron_yield_angle(0.0, 1.0), 90 * DEG, 1e-15, "and along the wall");
}

/* All words of a lattice: the numbers have their chances to within one of N. */
static void numbers(void)
{
  enum { N = 65536 };
  static const double means[] = {0.0, 0.3, 1.0, 2.7, 100.0};
  for (size_t i = 0; i < sizeof means / sizeof means[0]; i++) {
    double sum = 0.0, off = 0.0, chance = exp(-means[i]), upto = 0.0, count[400] = {0.0},
           below = 0.0;
    for (uint32_t k = 0; k < N; k++) {
      const uint32_t word = k << 16 | 0x8000u,
                     n = wn_electron_yield_poisson(means[i], word);
      sum += wn_electron_yield_nearest(means[i], word);
      count[n < 400 ? n : 399] += 1.0;
    }
    is_near(sum / N, means[i], 1.0 / N, "a mean of %g: one of the integers beside it",
            means[i]);
    for (int n = 0; n < 399; n++) {
      upto += chance;
      below += count[n];
      chance *= means[i] / (n + 1);
      off = fmax(off, fabs(below - N * upto));
    }
    ok(off <= 1.0 && count[399] == 0.0,
       "a mean of %g: Poisson's law, to within %.2g of %d", means[i], off, N);
  }
}

/* ---- a beam */

#define MOST 100000
static struct {
  size_t n;
  double normal[MOST], across[MOST][2], energy[MOST], w[MOST];
} out; /* what the wall emitted */

static double quanta(const struct wn_species *s)
{
  const struct wn_points *m = wn_plasma_points(s);
  const int dim = m->grid.dim, n_v = wn_point_velocities(m->kind);
  double sum = 0.0;
  for (size_t i = 0; i < s->p.n; i++) {
    const union wn_word *r = wn_particles_at(&s->p, i);
    sum += WN_QUANTA * (double)(wn_plasma_has_electrons(s)
                                    ? ((const struct wn_electron *)(const void *)r)->w
                                : wn_point_weighs(dim, n_v) ? r[dim + n_v].f
                                                            : 1.0f);
  }
  for (int i = 0; i < WN_SIDES; i++)
    sum += (double)s->tally.surface[i].quanta;
  return sum;
}

/* Velocities of particle i; its weight. */
static float state(const struct wn_species *s, size_t i, int32_t *x, float u[3])
{
  const struct wn_points *m = wn_plasma_points(s);
  int32_t at[3];
  float w;
  u[0] = u[1] = u[2] = 0.0f;
  if (wn_plasma_has_electrons(s)) {
    const struct wn_electron *e = wn_particles_at(&s->p, i);
    memcpy(u, e->u, sizeof e->u);
    *x = e->at[0];
    return e->w;
  }
  wn_point_load(m->grid.dim, wn_point_velocities(m->kind), wn_particles_at(&s->p, i), at,
                u, &w);
  *x = at[0];
  return w;
}

static double energy_ev(const struct wn_species *s, const float u[3])
{
  return wn_point_energy_ev(wn_plasma_points(s), 3, u);
}

/* Of all particles, and what walls took. */
static double energies(const struct wn_species *s)
{
  double sum = 0.0;
  for (size_t i = 0; i < s->p.n; i++) {
    int32_t x;
    float u[3];
    const float w = state(s, i, &x, u);
    sum += (double)w * energy_ev(s, u);
  }
  for (int i = 0; i < WN_SIDES; i++)
    sum += (double)s->tally.surface[i].energy / WN_FIX_ENERGY;
  return sum;
}

/* Those that the step has left on x_high. */
static void look(const struct wn_species *s)
{
  const int32_t end = wn_plasma_points(s)->end[0];
  for (size_t i = 0; i < s->p.n; i++) {
    int32_t x;
    float u[3];
    const float w = state(s, i, &x, u);
    if (x != end)
      continue;
    WN_ASSERT(out.n < MOST);
    out.normal[out.n] = -(double)u[0];
    out.across[out.n][0] = (double)u[1];
    out.across[out.n][1] = (double)u[2];
    out.energy[out.n] = energy_ev(s, u);
    out.w[out.n++] = (double)w;
  }
}

enum kind { LINE, PLANE_2, PLANE_3, SPACE, GAS, FAST, N_KINDS };
static const char *const kinds[] = {"one axis",   "two velocities",  "three velocities",
                                    "three axes", "with collisions", "relativistic"};

/* Electrons of one velocity, next to no charge, that all reach x_high within 20 steps.  Returns how many;
 * more: keys of that wall. */
static double beam(enum kind kind, double ev, double degrees, float w, const char *more)
{
  static const char *const grids[] = {
      "cells = [20]; length = [\"20 mm\"];",
      "cells = [20, 4]; length = [\"20 mm\", \"4 mm\"];",
      "cells = [20, 4]; length = [\"20 mm\", \"4 mm\"];",
      "cells = [20, 4, 4]; length = [\"20 mm\", \"4 mm\", \"4 mm\"];"};
  const char *grid = grids[kind < GAS ? kind : LINE];
  const int axes[] = {1, 2, 2, 3};
  const double t = ev * WN_E / (WN_ME * WN_C * WN_C),
               /* those that collide are loaded with gamma v */
      v = WN_C * (kind == FAST  ? sqrt(t * (t + 2.0)) / (1.0 + t)
                  : kind == GAS ? sqrt(t * (t + 2.0))
                                : sqrt(2.0 * t)),
               dt = 20e-3 / (19.5 * v * cos(degrees * DEG));
  char text[2048];
  snprintf(
      text, sizeof text,
      "model = \"plasma\"; duration = \"%.9g s\"; threads = 1; seed = 21;\n"
      "grid = { %s };\nwalls = { x_low = { field = \"dirichlet\"; }; x_high = { field = "
      "\"dirichlet\"; %s }; };\n"
      "plasma = { time_step = \"%.9g s\"; allow = [\"cell-crossing\"]; relativistic = "
      "%s; background = true; velocities = %d; };\n%s"
      "species = { e = { density = \"1 m-3\"; per_cell = %d; drift = [\"%.12g m/s\", "
      "\"%.12g m/s\", \"0\"]; %s }; %s };\n",
      100 * dt, grid, more, dt, kind == FAST ? "true" : "false", kind == PLANE_2 ? 2 : 3,
      kind == GAS
          ? "gas = { pressure = \"1e-12 Pa\"; components = { Ar = { file = "
            "\"builtin:argon\"; }; }; };\ntables = { energy_max = \"10 keV\"; };\n"
          : "",
      1000 / (axes[kind < GAS ? kind : LINE] == 1   ? 1
              : axes[kind < GAS ? kind : LINE] == 2 ? 4
                                                    : 16),
      v * cos(degrees * DEG), v * sin(degrees * DEG),
      kind == GAS ? "collisions = \"gas\"; ions = \"left\";" : "",
      kind == GAS ? "left = { density = \"0 m-3\"; charge = 1.0; mass = \"39.948 u\"; "
                    "mobile = false; };"
                  : "");
  struct scene scene;
  scene_open(&scene, FILE_NAME, text, nothing);
  scene_start(&scene, dt);
  const struct wn_species *s = scene.sim->species[0];
  const struct wn_points *m = wn_plasma_points(s);
  for (size_t i = 0; i < s->p.n; i++) {
    if (kind == GAS)
      ((struct wn_electron *)wn_particles_at(&s->p, i))->w = w;
    else if (kind == PLANE_3 || kind == SPACE)
      ((union wn_word *)wn_particles_at(&s->p, i))[m->grid.dim + 3].f = w;
  }
  const double first = quanta(s), energy = energies(s), n = (double)s->p.n;
  int wrong = 0;
  out.n = 0;
  const int has_field = strstr(more, "voltage") != NULL;
  for (int i = 0; i < (has_field ? 26 : 21); i++) {
    WN_ASSERT(scene_phase(&scene) == WN_OK);
    wrong += quanta(s) != first;
    look(s);
  }
  const double taken = (double)s->tally.surface[1].number;
  is_int(wrong, 0, "%s, %g eV: steps after which numbers do not balance", kinds[kind],
         ev);
  if (!has_field)
    is_near(energies(s) / energy, 1.0, 1e-6, "%s, %g eV: energies balance", kinds[kind],
            ev);
  is_near(n - taken, (double)out.n, 0.0, "%s, %g eV: the wall counts what it emits",
          kinds[kind], ev);
  scene_close(&scene);
  return n;
}

/* chi^2 of `bins` equal bins of values that should be uniform from 0 to 1 (to rounding). */
static void uniform(const double *value, size_t n, const char *what, const char *of)
{
  enum { BINS = 40 };
  double bin[BINS] = {0.0}, chi2 = 0.0;
  const double d = BINS - 1, s = 2.0 / (9.0 * d),
               most = d * pow(1 - s + 4.265 * sqrt(s), 3);
  int outside = 0;
  for (size_t i = 0; i < n; i++) {
    const double at = floor(value[i] * BINS);
    outside += !(value[i] > -1e-6 && value[i] < 1.0 + 1e-6);
    bin[at < 0.0 ? 0 : at < BINS ? (int)at : BINS - 1] += 1.0;
  }
  for (int i = 0; i < BINS; i++)
    chi2 +=
        (bin[i] - (double)n / BINS) * (bin[i] - (double)n / BINS) / ((double)n / BINS);
  ok(outside == 0 && n > 2000 && chi2 < most,
     "%s: %s of %zu electrons, chi^2 %.1f < %.1f", of, what, n, chi2, most);
}

/* Directions by the cosine law. */
static void lambert(enum kind kind)
{
  static double normal[MOST], round[MOST];
  for (size_t i = 0; i < out.n; i++) {
    const double a = out.across[i][0], b = out.across[i][1], across = a * a + b * b,
                 u2 = out.normal[i] * out.normal[i] + across;
    normal[i] = kind == PLANE_2 ? 0.5 + 0.5 * a / sqrt(u2) : 1.0 - across / u2;
    round[i] = 0.5 + atan2(b, a) / (2.0 * WN_PI);
  }
  uniform(normal, out.n, "angles by the cosine law", kinds[kind]);
  if (kind != PLANE_2)
    uniform(round, out.n, "and all round", kinds[kind]);
}

/* `n` of an expected number with this variance for each of `all`. */
static void expected(double n, double mean, double variance, double all, const char *what)
{
  is_near(n / all, mean, 4.5 * sqrt(variance / all), "%s: %.0f of %.0f", what, n, all);
}

/* Elastic reflection in every kind of record. */
static void reflection(void)
{
  for (int kind = 0; kind < N_KINDS; kind++) {
    const double ev = kind == FAST ? 2e6 : 150.0, p = 0.3;
    const float w = kind == GAS || kind == PLANE_3 || kind == SPACE ? 2.5f : 1.0f;
    const double n = beam((enum kind)kind, ev, 30.0, w, "electron_reflection = 0.3;");
    double off = 0.0, weight = 0.0;
    expected((double)out.n, p, p * (1 - p), n, kinds[kind]);
    for (size_t i = 0; i < out.n; i++) {
      off = fmax(off, fabs(out.energy[i] / ev - 1.0));
      weight = fmax(weight, fabs(out.w[i] - (double)w));
    }
    ok(off < 1e-6, "%s: reflected with their energy, to %.2g", kinds[kind], off);
    is_near(weight, 0.0, 0.0, "%s: and with their weight", kinds[kind]);
    lambert((enum kind)kind);
  }
}

static void mirror(void)
{
  const double n = beam(LINE, 150.0, 30.0, 1.0f,
                        "electron_reflection = 1; electron_reflection_law = "
                        "\"specular\";"),
               u = sqrt(2.0 * 150.0 * WN_E / WN_ME);
  double off = 0.0;
  is_near((double)out.n, n, 0.0, "a mirror: all are reflected");
  for (size_t i = 0; i < out.n; i++)
    off = fmax(off, fabs(out.normal[i] / u - cos(30 * DEG)) +
                        fabs(out.across[i][0] / u - 0.5) + fabs(out.across[i][1]));
  ok(off < 1e-6, "a mirror: velocities of a mirror, to %.2g", off);
}

/* Energies uniform in what there was. */
static void backscattering(void)
{
  static double part[MOST];
  static const enum kind some[] = {LINE, PLANE_2, GAS, FAST};
  for (size_t j = 0; j < sizeof some / sizeof some[0]; j++) {
    const double ev = some[j] == FAST ? 2e6 : 150.0, p = 0.4;
    const double n = beam(some[j], ev, 50.0, 1.0f, "electron_backscattering = 0.4;");
    expected((double)out.n, p, p * (1 - p), n, kinds[some[j]]);
    for (size_t i = 0; i < out.n; i++)
      part[i] = out.energy[i] / ev;
    uniform(part, out.n, "energies", kinds[some[j]]);
    lambert(some[j]);
  }
}

/* Energies at a wall beside a field E, of electrons of 150 eV from anywhere between walls at 0 and
 * -50 V: 100 to 150 eV, 125 on average.  What counts is the energy at the end of the step.
 * A particle without collisions has no kick in a step if it is behind the wall before
 * it, and the whole of it else, which is right on average.  One that collides always has it,
 * and so has e E v dt/2 less on average; the mean of v is 2/3 (150^1.5 - 100^1.5)/50 of
 * sqrt(150), and 19.5 steps of that energy cross the gap. */
static void in_field(void)
{
  static const enum kind some[] = {LINE, GAS};
  const double mean_v = 2.0 / 3.0 * (pow(150.0, 1.5) - 1000.0) / 50.0 / sqrt(150.0),
               less = 0.5 * 50.0 / 19.5 * mean_v;
  for (size_t j = 0; j < sizeof some / sizeof some[0]; j++) {
    const double n =
        beam(some[j], 150.0, 0.0, 1.0f, "electron_reflection = 1; voltage = \"-50 V\";");
    double sum = 0.0;
    for (size_t i = 0; i < out.n; i++)
      sum += out.energy[i] / n;
    is_near(sum, some[j] == GAS ? 125.0 - less : 125.0, 0.03 * less,
            "%s: the energy at a wall in a field", kinds[some[j]]);
  }
}

#define VAUGHAN                                                                          \
  "electron_yield = 2.4; electron_yield_energy = \"400 eV\"; emission_temperature = "    \
  "\"3 "                                                                                 \
  "eV\"; electron_yield_smoothness = 1.5; electron_yield_threshold = \"20 eV\"; "

/* Numbers by energy and angle, and velocities. */
static void secondaries(void)
{
  static double normal[MOST], across[MOST];
  static const struct {
    enum kind kind;
    double ev, degrees;
  } at[] = {{LINE, 15, 0},    {LINE, 60, 0},  {LINE, 60, 70},  {PLANE_3, 400, 45},
            {SPACE, 900, 20}, {GAS, 300, 60}, {LINE, 5000, 30}};
  const struct wn_electron_yield y = {2.4, 400, 20, 1.5};
  for (size_t j = 0; j < sizeof at / sizeof at[0]; j++) {
    const double mean = wn_electron_yield(&y, at[j].ev, at[j].degrees * DEG),
                 part = mean - floor(mean),
                 n = beam(at[j].kind, at[j].ev, at[j].degrees, 1.0f, VAUGHAN);
    expected((double)out.n, mean, part * (1 - part), n, kinds[at[j].kind]);
    if (mean == 0.0)
      continue;
    for (size_t i = 0; i < out.n;
         i++) { /* both exponential of mean 3 eV, in GAS and all */
      const double of = 0.5 * WN_ME / (3.0 * WN_E);
      normal[i] = exp(-of * out.normal[i] * out.normal[i]);
      across[i] = exp(-of * (out.across[i][0] * out.across[i][0] +
                             out.across[i][1] * out.across[i][1]));
    }
    uniform(normal, out.n, "energy along the normal", kinds[at[j].kind]);
    uniform(across, out.n, "and across it", kinds[at[j].kind]);
    lambert(at[j].kind);
  }
}

/* What excludes what, and how numbers are drawn. */
static void together(void)
{
  const double mean = 1.3, p = 0.25, q = 0.15;
  double n = beam(LINE, 100.0, 0.0, 1.0f,
                  "electron_reflection = 0.25; electron_backscattering = 0.15; "
                  "electron_yield = 1.3; emission_temperature = \"0.1 eV\";"),
         kept = 0.0, lost = 0.0, slow = 0.0;
  for (size_t i = 0; i < out.n; i++) {
    kept += out.energy[i] > 99.999;
    lost += out.energy[i] > 3.0 && out.energy[i] <= 99.999;
    slow += out.energy[i] <= 3.0;
  }
  /* of those scattered back, 3 % have up to 3 eV; one in 1e12 true secondaries has more */
  const double each = mean / (1 - p - q), part = each - floor(each);
  expected(kept, p, p * (1 - p), n, "reflected, of all");
  expected(lost, 0.97 * q, 0.97 * q * (1 - 0.97 * q), n, "scattered back");
  expected(slow, mean + 0.03 * q,
           mean * each - mean * mean + part * (1 - part) * (1 - p - q) + 0.03 * q, n,
           "true secondaries, of all incident electrons");
  n = beam(LINE, 100.0, 0.0, 1.0f, "electron_yield = 2; ");
  is_near((double)out.n, 2.0 * n, 0.0, "a yield of 2: two each");
  n = beam(LINE, 100.0, 0.0, 1.0f,
           "electron_yield = 2; electron_yield_number = \"poisson\"; ");
  ok((double)out.n != 2.0 * n && fabs((double)out.n - 2.0 * n) < 4.5 * sqrt(2.0 * n),
     "by Poisson's law %zu for %.0f", out.n, n);
}

/* Without collisions, beside electrons with collisions: these are joined, with their own
 * weight; reflected ones stay. */
static void other_species(void)
{
  static const char text[] =
      "model = \"plasma\"; duration = \"1 us\"; threads = 1; seed = 5;\n"
      "grid = { cells = [20]; length = [\"20 mm\"]; };\nwalls = { x_low = { field = "
      "\"dirichlet\"; }; x_high = { field = \"dirichlet\"; electron_reflection = 0.2; "
      "electron_yield = 0.6; }; };\n"
      "gas = { pressure = \"1e-12 Pa\"; components = { Ar = { file = "
      "\"builtin:argon\"; }; }; };\ntables = { energy_max = \"1 keV\"; };\n"
      "plasma = { time_step = \"0.2 ns\"; allow = [\"cell-crossing\"]; background = "
      "true; };\n"
      "species = { b = { density = \"5 m-3\"; per_cell = 1000; drift = [\"5e6 m/s\", "
      "\"0\", \"0\"]; }; e = { density = \"2 m-3\"; per_cell = 1000; profile = "
      "\"slab\"; centre = [\"5 mm\"]; width = [\"1 mm\"]; collisions = \"gas\"; ions = "
      "\"left\"; }; left = { density = \"0 m-3\"; charge = 1.0; mass = \"39.948 u\"; "
      "mobile = false; }; };\n";
  struct scene scene;
  scene_open(&scene, FILE_NAME, text, nothing);
  scene_start(&scene, 0.2e-9);
  const struct wn_species *b = scene.sim->species[0], *e = scene.sim->species[1];
  const double n = (double)b->p.n, first_b = quanta(b), first_e = quanta(e);
  int wrong = 0;
  out.n = 0;
  for (int i = 0; i < 21; i++) {
    WN_ASSERT(scene_phase(&scene) == WN_OK);
    wrong += quanta(b) != first_b || quanta(e) != first_e;
    look(e);
  }
  is_int(wrong, 0, "of two species: each balances with the walls");
  /* 0.75 for each absorbed one, of which there are 0.8, 2.5 times as heavy: 1 or 0, then 2 or 3 */
  const double mean = 0.6 * 2.5, square = 0.6 * (4 * 0.5 + 9 * 0.5);
  expected((double)out.n, mean, square - mean * mean, n,
           "true secondaries join those with collisions, by weight");
  for (size_t i = 0; i < out.n; i++)
    wrong += out.w[i] != 1.0;
  is_int(wrong, 0, "with the weight of these");
  expected(n - (double)b->tally.surface[1].number, 0.2, 0.16, n,
           "reflected ones stay in their species");
  scene_close(&scene);
}

int main(void)
{
  plan(0);
  formula();
  numbers();
  reflection();
  mirror();
  backscattering();
  in_field();
  secondaries();
  together();
  other_species();
  return done();
}
