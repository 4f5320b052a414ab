/* t0762-volume-source.c - defends: a source in a region creates its particles there with
 * the profile, number and temperature that it is given, in pairs at one place and without
 * charge; a thermostat gives a particle a new velocity after times that are exponential,
 * those of a Maxwellian, and only in its region; and both make the plasma of Tonks and
 * Langmuir between walls.
 *
 * That plasma: a uniform source S of cold ions, electrons of the temperature T (a
 * thermostat), from the middle at x = 0 to a wall.  In the limit of a short Debye length,
 * with h = -e phi/T and n0 the density in the middle, ions born at x' with the velocity
 * sqrt(2 T/M (h - h')) at x make
 *
 *   n0 exp(-h) = S sqrt(M/(2 T)) integral from 0 to h of x'(h')/sqrt(h - h') dh'.
 *
 * This is Abel's equation, of which the solution is (derived here)
 *
 *   x(h) = 2/pi n0/S sqrt(2 T/M) D(sqrt h),  D(y) = exp(-y^2) integral of exp(t^2), 0 to y.
 *
 * D has its maximum 0.5410 at h = 0.854, where the plasma ends at the sheath: the flux of
 * ions is S L = 0.3444 n0 sqrt(2 T/M).  As many electrons pass the wall, of a Maxwellian
 * n0 exp(-hw) sqrt(T/(2 pi m)), so that hw = -log(0.3444 sqrt(4 pi m/M)).
 *
 * The thermostat takes the momentum of the electrons at the rate 1/tau, so that they are
 * not quite in equilibrium: with the flux G = S x and the density n of electrons
 *
 *   h(x) = log(n0/n) + 1/(sigma^2 tau) integral of G/n from 0 to x,
 *
 * and those of the energy hw that leave are missing on their way back, a part exp(-2 L/(v
 * tau)) at v = sigma sqrt(2 hw).  Without collisions trapped electrons would never leave.
 *
 * Errors: 4.5 standard errors, a false alarm in 1e5 checks; chi^2 of n bins n + 4.5
 * sqrt(2 n).  The plasma is 50 Debye lengths long, of which its sheath takes some, and n0
 * has an error of 1.5 %: places up to h = 0.4 agree within 5 % of its length, hw within
 * 0.05, as the corrections are estimates. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "physics/constants.h"
#include "src/config/plasma_derived.h"
#include "src/config/source_numbers.h"
#include "src/sim/plasma.h"
#include "t/tap/plasma.h"
#include "t/tap/scene.h"
#include "t/tap/tap.h"

#define FILE_NAME "t0762.cfg"

static const char *const nothing[] = {NULL};

/* ---- places, numbers, pairs */

#define REGION(more)                                                                     \
  "model = \"plasma\"; duration = \"100 ns\"; threads = 1; seed = 2;\n"                  \
  "grid = { cells = [20, 10]; length = [\"20 mm\", \"10 mm\"]; };\n"                     \
  "species = { e = { density = \"0 m-3\"; charge = -2.0; };\n"                           \
  "  i = { density = \"0 m-3\"; charge = 2.0; mass = \"1 u\"; }; };\n"                   \
  "plasma = { time_step = \"1 ps\"; velocities = 3; sources = { s = {\n"                 \
  "  species = \"e\"; pair = \"i\"; rate = \"1e8 m-3 s-1\"; low = [\"4 mm\", \"0 "       \
  "m\"];\n"                                                                              \
  "  high = [\"14 mm\", \"10 mm\"]; per_step = 2000.5; start = \"5.25 ps\"; end = "      \
  "\"17.75 ps\"; " more " }; }; };\n"

enum { E, I, N_X = 10, N_Y = 10 };

/* The part of half a wave of a sine that lies in part i of n. */
static double wave(int i, int n)
{
  return 0.5 * (cos(WN_PI * i / n) - cos(WN_PI * (i + 1) / n));
}

static void region(const char *text, int is_cosine)
{
  struct scene scene;
  double bin[N_X][N_Y] = {{0.0}}, chi2 = 0.0, number = 2000.5 * 12.5;
  int charged = 0, apart = 0, outside = 0;
  scene_open(&scene, FILE_NAME, text, nothing);
  scene_start(&scene, 1e-12);
  struct wn_species *const *s = scene.sim->species;
  for (int i = 0; i < 20; i++) {
    WN_ASSERT(scene_phase(&scene) == WN_OK);
    charged += plasma_on_grid(scene.sim, E) != plasma_on_grid(scene.sim, I);
  }
  const struct wn_points *m = wn_plasma_points(s[E]);
  is_int(charged, 0, "steps after which pairs have a charge");
  ok(fabs((double)s[E]->p.n - number) < 1.0 && s[I]->p.n == s[E]->p.n,
     "%zu pairs while it is on: the rate's, to within one", s[E]->p.n);
  is_close(wn_source_created(scene.config, I, 20e-12),
           (double)s[I]->p.n * wn_loading_weight(scene.config, &scene.config->species[I]),
           1e-12, "and that many are counted");
  for (size_t i = 0; i < s[E]->p.n; i++) {
    const union wn_word *r = wn_particles_at(&s[E]->p, i),
                        *q = wn_particles_at(&s[I]->p, i);
    const int x = (int)((r[0].i * 20.0 / m->end[0] - 4.0) * (N_X / 10.0)),
              y = (int)((r[1].i * 10.0 / m->end[1]) * (N_Y / 10.0));
    apart += r[0].i != q[0].i || r[1].i != q[1].i;
    if (x >= 0 && x < N_X && y >= 0 && y < N_Y)
      bin[x][y] += 1.0;
    else
      outside++;
  }
  is_int(outside + apart, 0,
         "outside of the region, or apart from the other of the pair");
  for (int x = 0; x < N_X; x++)
    for (int y = 0; y < N_Y; y++) {
      const double want = number * (is_cosine ? wave(x, N_X) * wave(y, N_Y) : 0.01);
      chi2 += (bin[x][y] - want) * (bin[x][y] - want) / want;
    }
  const double n = N_X * N_Y;
  ok(chi2 < n + 4.5 * sqrt(2.0 * n), "profile: chi^2 %.1f of %.0f bins", chi2, n);
  scene_close(&scene);
}

/* Energies of both. */
static void temperatures(void)
{
  struct scene scene;
  scene_open(&scene, FILE_NAME,
             REGION("temperature = \"3 eV\"; pair_temperature = \"0.5 eV\";"), nothing);
  scene_start(&scene, 1e-12);
  for (int i = 0; i < 20; i++)
    WN_ASSERT(scene_phase(&scene) == WN_OK);
  for (size_t k = 0; k < 2; k++) {
    const struct wn_species *s = scene.sim->species[k];
    const double kt = k == E ? 3.0 : 0.5, n = (double)s->p.n;
    double sum[3] = {0.0};
    for (size_t i = 0; i < s->p.n; i++) {
      const union wn_word *r = wn_particles_at(&s->p, i);
      for (int d = 0; d < 3; d++)
        sum[d] += (double)r[2 + d].f * (double)r[2 + d].f;
    }
    for (int d = 0; d < 3; d++)
      is_near(scene.config->species[k].mass / WN_E * sum[d] / n, kt,
              4.5 * kt * sqrt(2.0 / n), "%s: temperature along %c", k == E ? "e" : "i",
              "xyz"[d]);
  }
  scene_close(&scene);
}

/* ---- the thermostat */

static void thermostat(void)
{
  static const char text[] =
      "model = \"plasma\"; duration = \"100 ns\"; threads = 2; seed = 4;\n"
      "grid = { cells = [40]; length = [\"40 mm\"]; };\n"
      "species = { n = { density = \"1e6 m-3\"; per_cell = 1000; charge = 0.0; mass = "
      "\"1 u\"; loading = \"random\"; }; };\n"
      "plasma = { time_step = \"1 ns\"; thermostats = { t = { temperature = \"0.1 eV\"; "
      "time = \"5 ns\"; low = [\"10 mm\"]; high = [\"30 mm\"]; }; }; };\n";
  enum { STEPS = 6 };
  struct scene scene;
  double inside = 0.0, cold = 0.0, cold_outside = 0.0, outside = 0.0, warm = 0.0,
         energy = 0.0;
  scene_open(&scene, FILE_NAME, text, nothing);
  scene_start(&scene, 1e-9);
  const struct wn_species *s = scene.sim->species[0];
  const double part = 40.0 / (double)wn_plasma_points(s)->end[0];
  for (size_t i = 0; i < s->p.n; i++) {
    const union wn_word *r = wn_particles_at(&s->p, i);
    inside += r[0].i * part >= 10.0 && r[0].i * part < 30.0;
  }
  outside = (double)s->p.n - inside;
  for (int i = 0; i < STEPS; i++)
    WN_ASSERT(scene_phase(&scene) == WN_OK);
  for (size_t i = 0; i < s->p.n; i++) {
    const union wn_word *r = wn_particles_at(&s->p, i);
    const double v2 = (double)r[1].f * (double)r[1].f + (double)r[2].f * (double)r[2].f +
                      (double)r[3].f * (double)r[3].f;
    const int is_in = r[0].i * part >= 10.0 && r[0].i * part < 30.0;
    cold += v2 == 0.0 && is_in;
    cold_outside += v2 == 0.0 && !is_in;
    warm += v2 > 0.0;
    energy += 0.5 * WN_AMU / WN_E * v2;
  }
  const double chance = exp(-STEPS / 5.0);
  is_near(cold, chance * inside, 4.5 * sqrt(chance * (1.0 - chance) * inside),
          "a thermostat: those that had no new velocity in %d steps", STEPS);
  is_int((long long)cold_outside, (long long)outside, "none has outside of the region");
  is_near(energy / warm, 0.15, 4.5 * 0.1 * sqrt(1.5 / warm), "the energy of the others");
  scene_close(&scene);
}

/* ---- Tonks and Langmuir */

#define T     1.0 /* eV */
#define M     (1000.0 * WN_ME)
#define STEP  0.4e-9 /* s */
#define HALF  0.037  /* m */
#define CELLS 100
#define DENSE 1e14 /* m-3, at the beginning: about that in the middle later */

/* exp(-y^2) integral of exp(t^2), by Simpson's rule */
static double dawson(double y)
{
  enum { N = 200 };
  double sum = 0.0;
  for (int i = 0; i <= N; i++) {
    const double t = y * i / N;
    sum += (i == 0 || i == N ? 1.0 : i % 2 ? 4.0 : 2.0) * exp(t * t - y * y);
  }
  return sum * y / (3.0 * N);
}

static void plasma(void)
{
  static const char text[] =
      "model = \"plasma\"; duration = \"20 us\"; threads = 1; seed = 6;\n"
      "grid = { cells = [100]; length = [\"37 mm\"]; };\n"
      "walls = { x_low = { field = \"neumann\"; }; x_high = { field = \"dirichlet\"; }; "
      "};\n"
      "species = { e = { density = \"1e14 m-3\"; per_cell = 60; temperature = \"1 eV\"; "
      "}; i = { density = \"1e14 m-3\"; per_cell = 60; charge = 1.0; mass = \"1000 me\"; "
      "}; };\n"
      "plasma = { time_step = \"0.4 ns\"; gather = \"energy\"; allow = "
      "[\"cell-crossing\"]; sources = { s = { "
      "species = \"e\"; pair = \"i\"; temperature = \"1 eV\"; rate = \"1.7e19 m-3 s-1\"; "
      "}; }; thermostats = { t = { species = \"e\"; temperature = \"1 eV\"; time = \"30 "
      "ns\"; }; }; };\n";
  enum { BEFORE = 20000, STEPS = 20000 };
  const double flux = 1.7e19 * HALF;
  struct scene scene;
  double phi[CELLS + 1] = {0.0}, n[2][CELLS + 1] = {{0.0}}, density[2][CELLS + 1],
                     off = 0.0;
  double ended[2][2];
  scene_open(&scene, FILE_NAME, text, nothing);
  scene_start(&scene, STEP);
  for (int i = 0; i < BEFORE + STEPS; i++) {
    const double *at;
    WN_ASSERT(scene_phase(&scene) == WN_OK);
    if (i == BEFORE)
      for (size_t k = 0; k < 2; k++)
        ended[k][0] = wn_plasma_taken(scene.sim, k, 1);
    if (i < BEFORE)
      continue;
    WN_ASSERT(wn_field_potential(scene.sim->field, &at) == WN_OK);
    for (size_t k = 0; k < 2; k++)
      WN_ASSERT(wn_field_density(scene.sim->field, k, density[k]) == WN_OK);
    for (int j = 0; j <= CELLS; j++) {
      phi[j] += at[j] / STEPS;
      for (size_t k = 0; k < 2; k++)
        n[k][j] += density[k][j] / STEPS *
                   wn_loading_weight(scene.config, &scene.config->species[k]);
    }
  }
  for (size_t k = 0; k < 2; k++) {
    ended[k][1] = wn_plasma_taken(scene.sim, k, 1);
    const double one = wn_loading_weight(scene.config, &scene.config->species[k]);
    is_near(ended[k][1] - ended[k][0], flux * STEPS * STEP,
            4.5 * sqrt(flux * STEPS * STEP * one), "%s to the wall: the source's",
            k == E ? "e" : "i");
  }
  /* in the middle: the mean of some cells, in which the potential is flat */
  double n0 = 0.0, middle = 0.0;
  for (int j = 1; j <= 10; j++) {
    n0 += 0.1 * n[E][j];
    middle += 0.1 * phi[j];
  }
  const double speed = sqrt(2.0 * T * WN_E / M), rate = flux / HALF,
               sigma2 = T * WN_E / WN_ME, tau = 30e-9;
  double friction = 0.0;
  for (int j = 0; j < CELLS; j++) {
    const double x = j * HALF / CELLS, h = (middle - phi[j]) / T;
    if (h > 0.03 && h < 0.4)
      off = fmax(off, fabs(2.0 / WN_PI * n0 / rate * speed * dawson(sqrt(h)) - x) / HALF);
    friction += rate * (x + 0.5 * HALF / CELLS) * HALF / CELLS / (sigma2 * tau) * 2.0 /
                (n[E][j] + n[E][j + 1]);
  }
  ok(off > 0.0 && off < 0.05, "the places of its potentials, within %.2g of its length",
     off);
  const double wall = middle / T, pass = log(n0 / flux * sqrt(sigma2 / (2.0 * WN_PI)));
  is_near(
      wall, pass - friction - exp(-2.0 * HALF / (tau * sqrt(2.0 * wall * sigma2))), 0.05,
      "the potential above the wall lets as many electrons pass (%.3g T in equilibrium, "
      "%.3g T in the limit)",
      pass, -log(0.3444 * sqrt(4.0 * WN_PI * WN_ME / M)));
  scene_close(&scene);
}

int main(void)
{
  plan(0);
  region(REGION(""), 0);
  region(REGION("profile = \"cosine\";"), 1);
  temperatures();
  thermostat();
  plasma();
  return done();
}
