/* t0771-field-power.c - defends: the power of the field on a species, plasma.averages.<NAME>.power.
 * Its integral over domain and time is the energy that the field gave: exactly for particles without
 * collisions, with walls, mirrors, magnetic fields, either gather, and relativistic ones; for
 * electrons and ions that collide within its error the work in the balance of the run, with long
 * steps, where the velocity at the end or the beginning of a step would give a power that is wrong by
 * many errors.  In a cold plasma oscillation it is the time derivative of the field's energy, a
 * quarter of a period of the power behind it, and zero on average.
 *
 * Tolerances: rounding of single precision, 6e-8 of the kinetic energy a particle and step, as a
 * random walk; 4.5 standard errors (1e-5 false alarms a check) of differences between blocks, with
 * STUDENT for their number.  Seeds are fixed. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "fields/electrostatic.h"
#include "physics/constants.h"
#include "src/config/plasma_derived.h"
#include "src/sim/field_power.h"
#include "src/sim/plasma.h"
#include "t/tap/scene.h"
#include "t/tap/tap.h"

#define FILE_NAME "t0771.cfg"
#define BLOCKS    40
#define STUDENT   1.2 /* of 39 degrees of freedom at 1e-5: 5.05/4.4 */

static const char *const nothing[] = {NULL};
#define EACH_STEP                                                                        \
  "averages = { all = { start = \"0\"; power = true; moments = false; blocks = 1; }; };"

/* The integral over the domain, W. */
static double integral(const struct scene *s, const double *v)
{
  const struct wn_geometry g = wn_plasma_geometry(s->config);
  int64_t n[3] = {1, 1, 1};
  double sum = 0.0;
  for (int d = 0; d < s->config->plasma.dim; d++)
    n[d] = (int64_t)s->config->plasma.cells[d] + 1;
  for (int64_t z = 0; z < n[2]; z++)
    for (int64_t y = 0; y < n[1]; y++)
      for (int64_t x = 0; x < n[0]; x++, v++) {
        const int64_t at[3] = {x, y, z};
        int is_copy = 0;
        for (int d = 0; d < s->config->plasma.dim; d++)
          is_copy |=
              s->config->plasma.wall[2 * d].field == WN_PERIODIC && at[d] == n[d] - 1;
        sum += is_copy ? 0.0 : *v * wn_geometry_volume(&g, at);
      }
  return sum;
}

/* ---- without collisions */

static const struct {
  const char *what, *text;
} exact[] = {
    {"plates",
     "grid = { cells = [30]; length = \"3 mm\"; };\nwalls = { x_low = { field = "
     "\"dirichlet\"; }; x_high = { field = \"dirichlet\"; voltage = \"200 V\"; }; };\n"
     "plasma = { time_step = \"20 ps\"; shape = \"tsc\"; "},
    {"a mirror, gather by energy", "grid = { cells = [30]; length = \"3 mm\"; };\nwalls "
                                   "= { x_low = { field = \"neumann\"; "
                                   "}; x_high = { field = \"dirichlet\"; voltage = \"200 "
                                   "V\"; }; };\nplasma = { time_step "
                                   "= \"20 ps\"; gather = \"energy\"; "},
    {"in a magnetic field, periodic along y",
     "grid = { cells = [16, 12]; length = [\"2 mm\", \"1 mm\"]; };\nwalls = { x_low = { "
     "field "
     "= \"dirichlet\"; }; x_high = { field = \"dirichlet\"; voltage = \"200 V\"; }; };\n"
     "plasma = { time_step = \"20 ps\"; velocities = 3; magnetic_field = [\"0.05 T\", "
     "\"0.1 "
     "T\", \"-0.2 T\"]; "},
    {"relativistic",
     "grid = { cells = [30]; length = \"3 mm\"; };\nwalls = { x_low = { field = "
     "\"dirichlet\"; }; x_high = { field = \"dirichlet\"; voltage = \"300 kV\"; }; };\n"
     "plasma = { time_step = \"0.3 ps\"; relativistic = true; "},
    {"relativistic in a magnetic field",
     "grid = { cells = [30]; length = \"3 mm\"; };\nwalls = { x_low = { field = "
     "\"dirichlet\"; }; x_high = { field = \"dirichlet\"; voltage = \"300 kV\"; }; };\n"
     "plasma = { time_step = \"0.3 ps\"; relativistic = true; magnetic_field = [\"1 T\", "
     "\"2 "
     "T\", \"0.5 T\"]; "},
    {"electrons in next to no gas, and a mirror",
     "grid = { cells = [30]; length = \"3 mm\"; };\nwalls = { x_low = { field = "
     "\"neumann\"; "
     "}; x_high = { field = \"dirichlet\"; voltage = \"200 V\"; }; };\ngas = { pressure "
     "= "
     "\"1e-6 Pa\"; components = { Ar = { file = \"builtin:argon\"; }; }; };\nplasma = { "
     "time_step = \"20 ps\"; shape = \"tsc\"; "},
    {"spectral, periodic", "grid = { cells = [16, 8]; length = [\"2 mm\", \"1 mm\"]; "
                           "};\nplasma = { time_step = "
                           "\"20 ps\"; solver = \"spectral\"; "}};

static void without_collisions(size_t i)
{
  char text[2048];
  struct scene scene;
  enum { STEPS = 60 };
  snprintf(
      text, sizeof text,
      "model = \"plasma\"; duration = \"100 ns\"; threads = 1; seed = 5;\n"
      "species = { e = { density = \"1e15 m-3\"; per_cell = 200; temperature = \"3 eV\"; "
      "loading = \"random\"; drift = [\"500 km/s\", \"0\", \"0\"]; %s };\n"
      " i = { density = \"1e15 m-3\"; per_cell = 200; charge = 1.0; mass = \"2 u\"; "
      "temperature = \"1 eV\"; loading = \"random\"; }; };\n%s"
      "allow = [\"cell-crossing\", \"debye-length\", \"plasma-frequency\"]; " EACH_STEP
      " };\n",
      strstr(exact[i].text, "gas = ") != NULL ? "collisions = \"gas\"; ions = \"i\";"
                                              : "",
      exact[i].text);
  scene_open(&scene, FILE_NAME, text, nothing);
  const double dt = scene.config->plasma.time_step;
  scene_start(&scene, dt);
  double got[2] = {0.0, 0.0}, turned[2] = {0.0, 0.0}, kinetic[2] = {0.0, 0.0};
  struct wn_plasma_sums before[2], after[2];
  for (size_t k = 0; k < 2; k++)
    WN_ASSERT(wn_plasma_sums(scene.sim, k, &before[k]) == WN_OK);
  const size_t n = scene.sim->species[0]->p.n;
  for (int step = 0; step < STEPS; step++) {
    WN_ASSERT(scene_phase(&scene) == WN_OK);
    for (size_t k = 0; k < 2; k++) {
      const double w = integral(&scene, wn_field_power(scene.sim, k)) * dt;
      got[k] += w;
      turned[k] += fabs(w);
      WN_ASSERT(wn_plasma_sums(scene.sim, k, &after[k]) == WN_OK);
      kinetic[k] = fmax(kinetic[k], after[k].energy + after[k].wall_energy);
    }
  }
  for (size_t k = 0; k < 2; k++) {
    const double want = after[k].energy - before[k].energy + after[k].wall_energy -
                        before[k].wall_energy,
                 room =
                     4.5 * 6e-8 * kinetic[k] * sqrt(STEPS / (double)n) + 1e-6 * turned[k];
    ok(room < 0.01 * turned[k] && turned[k] > 0.0, "%s, %s: rounding is %.2g of the work",
       exact[i].what, scene.config->species[k].name, room / turned[k]);
    is_near(got[k], want, room, "the energy that it gained, off by %.2g of the work",
            fabs(got[k] - want) / turned[k]);
  }
  if (strstr(exact[i].text, "dirichlet") != NULL)
    ok(after[0].wall_energy > 0.01 * kinetic[0], "walls took some");
  scene_close(&scene);
}

/* ---- with collisions */

/* V; Pa; keys; keys of the ions; time step; keys of plasma. */
static const char gas[] =
    "model = \"plasma\"; duration = \"1 ms\"; threads = 1; seed = 5;\n"
    "grid = { cells = [20]; length = \"4 mm\"; };\n"
    "walls = { x_low = { field = \"dirichlet\"; }; x_high = { field = \"dirichlet\"; "
    "voltage = \"%g V\"; }; };\n"
    "gas = { pressure = \"%g Pa\"; components = { Ar = { file = \"builtin:argon\"; }; }; "
    "};\n%s"
    "species = { e = { density = \"1e8 m-3\"; per_cell = 200; temperature = \"4 eV\"; "
    "loading = \"random\"; collisions = \"gas\"; ions = \"i\"; };\n"
    " i = { density = \"1e8 m-3\"; per_cell = 200; charge = 1.0; mass = \"39.948 u\"; "
    "temperature = \"0.1 eV\"; loading = \"random\"; %s }; };\n"
    "plasma = { time_step = \"%s\"; %s allow = [\"cell-crossing\"]; " EACH_STEP " };\n";

/* Steps in blocks, at whose ends the tallies of the species are complete: those of its own steps.
 * small: the greatest standard error, of the work. */
static void with_collisions(const char *what, const char *text, size_t k, int per_block,
                            double small)
{
  struct scene scene;
  struct wn_plasma_sums now;
  double work = 0.0, sum = 0.0, off = 0.0, off2 = 0.0;
  scene_open(&scene, FILE_NAME, text, nothing);
  const double dt = scene.config->plasma.time_step;
  scene_start(&scene, dt);
  WN_ASSERT(scene_phase(&scene) == WN_OK);
  /* a subcycled species holds its power from the step in which it moves until the next */
  while (scene.sim->n_steps % scene.sim->species[k]->subcycling !=
         scene.sim->species[k]->subcycling / 2)
    WN_ASSERT(scene_phase(&scene) == WN_OK);
  WN_ASSERT(wn_plasma_sums(scene.sim, k, &now) == WN_OK);
  const double before = now.work;
  for (int b = 0; b < BLOCKS; b++) {
    double got = 0.0;
    const double then = now.work;
    for (int step = 0; step < per_block; step++) {
      WN_ASSERT(scene_phase(&scene) == WN_OK);
      got += integral(&scene, wn_field_power(scene.sim, k)) * dt;
    }
    WN_ASSERT(wn_plasma_sums(scene.sim, k, &now) == WN_OK);
    const double d = got - (now.work - then);
    sum += got;
    off += d / BLOCKS;
    off2 += d * d / BLOCKS;
  }
  work = now.work - before;
  const double error = sqrt((off2 - off * off) / (BLOCKS - 1)) * BLOCKS;
  ok(error < small * work, "%s: known to %.2g %% of the work", what,
     100.0 * error / work);
  is_near(sum, work, 4.5 * STUDENT * error,
          "the work in the balance: off by %.3f %%, %.2f errors",
          100.0 * (sum / work - 1.0), (sum - work) / error);
  scene_close(&scene);
}

static void colliding(void)
{
  static const char at_rest[] = "mobile = false;",
                    collide[] = "collisions = \"gas\"; subcycling = 1;",
                    seldom[] = "collisions = \"gas\"; subcycling = 5;",
                    isotropic[] = "scattering = \"isotropic\";\n",
                    top[] = "tables = { ion_energy_max = \"1 keV\"; };\n";
  char text[2048];
  /* 0.4 collisions a step: with the velocity at its beginning alone 20 % off, with the
   * rate of collisions there 2 % */
  snprintf(text, sizeof text, gas, 100.0, 500.0, "", at_rest, "20 ps", "");
  with_collisions("electrons that collide", text, 0, 15, 0.006);
  snprintf(text, sizeof text, gas, 40.0, 300.0, isotropic, at_rest, "60 ps",
           "shape = \"tsc\"; mobility_steps = 3;");
  with_collisions("in three mobility steps", text, 0, 5, 0.006);
  snprintf(text, sizeof text, gas, 40.0, 300.0, "", at_rest, "20 ps",
           "magnetic_field = [\"0\", \"20 mT\", \"20 mT\"];");
  with_collisions("in a magnetic field", text, 0, 15, 0.006);
  snprintf(text, sizeof text, gas, 2.0, 100.0, top, collide, "5 ns", "");
  with_collisions("ions that collide", text, 1, 10, 0.006);
  snprintf(text, sizeof text, gas, 2.0, 100.0, top, seldom, "1 ns", "");
  with_collisions("ions that move in every fifth step", text, 1, 50, 0.006);
}

/* ---- an oscillation of a cold plasma */

static void oscillation(void)
{
  static const char text[] =
      "model = \"plasma\"; duration = \"1 us\"; threads = 1;\n"
      "grid = { cells = [64]; length = \"64 mm\"; };\n"
      "species = { e = { density = \"1e14 m-3\"; per_cell = 64; temperature = \"0 eV\"; "
      "amplitude = 0.01; mode = [1]; };\n"
      " i = { density = \"1e14 m-3\"; charge = 1.0; mobile = false; }; };\n"
      "plasma = { time_step = \"50 ps\"; " EACH_STEP " };\n";
  struct scene scene;
  scene_open(&scene, FILE_NAME, text, nothing);
  const double dt = scene.config->plasma.time_step,
               omega = sqrt(1e14 * WN_E * WN_E / (WN_EPS0 * WN_ME));
  const int steps = (int)lround(2.0 * 2.0 * WN_PI / omega / dt);
  double sum = 0.0, most = 0.0, sine = 0.0, cosine = 0.0;
  scene_start(&scene, dt);
  /* the field's energy is W cos(omega t)^2, of which the particles get what it loses */
  const double e_0 = 0.01 * 1e14 * WN_E / WN_EPS0 / (2.0 * WN_PI / 64e-3),
               energy = 0.25 * WN_EPS0 * e_0 * e_0 * 64e-3;
  for (int i = 0; i < steps; i++) {
    WN_ASSERT(scene_phase(&scene) == WN_OK);
    const double p = integral(&scene, wn_field_power(scene.sim, 0)),
                 turn = 2.0 * omega * ((double)i + 0.5) * dt;
    sum += p / steps;
    most = fmax(most, fabs(p));
    sine += 2.0 * p * sin(turn) / steps;
    cosine += 2.0 * p * cos(turn) / steps;
  }
  /* omega is that of the grid to 1e-3 ((k h)^2/24, and (omega dt)^2/24), over 2 periods of it */
  is_near(sine, energy * omega, 0.01 * energy * omega,
          "a cold oscillation: the power follows the energy by a quarter of its period");
  is_near(cosine, 0.0, 0.03 * energy * omega, "and has no other part: %.2g",
          cosine / (energy * omega));
  is_near(sum, 0.0, 0.002 * most, "it is zero on average: %.2g of its maximum",
          sum / most);
  scene_close(&scene);
}

int main(void)
{
  plan(0);
  for (size_t i = 0; i < sizeof exact / sizeof exact[0]; i++)
    without_collisions(i);
  colliding();
  oscillation();
  return done();
}
