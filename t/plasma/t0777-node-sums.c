/* t0777-node-sums.c - defends: the sums at nodes of plasma.averages, of moments, rates and power, have the
 * same bits for any order of the store and number of threads; they hold weights for which sums need more
 * than 64 bits, with the integrals over the domain that the particles have; rates of more processes than
 * are taken at a time are those of each alone; and weights that are no number of quanta are refused.
 *
 * Tolerances: a node is a double, so an integral has some 1e-13 of rounding; velocities and energies have
 * the integers of physics/node_values.h, 0.27 mm/s and 1e-9 eV, below 1e-9 of theirs here. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "physics/push.h"
#include "src/config/plasma_derived.h"
#include "src/sim/grid_moments.h"
#include "src/sim/grid_rates.h"
#include "src/sim/loading.h"
#include "src/sim/plasma_points.h"
#include "src/stats/energy_table.h"
#include "t/tap/scene.h"
#include "t/tap/tap.h"

#define FILE_NAME "t0777.cfg"
#define SUMS      (4 + 3 + 1) /* moments in 2-D, rates, power */

static const char *const nothing[] = {NULL};

/* More nodes than are left to one thread, and more particles than a thread takes at a time. */
static const char argon[] =
    "model = \"plasma\"; duration = \"1 ns\"; threads = 3; seed = 7;\n"
    "grid = { cells = [72, 70]; length = [\"8 mm\", \"7 mm\"]; };\n"
    "walls = { x_low = { field = \"neumann\"; }; x_high = { field = \"neumann\"; }; };\n"
    "gas = { pressure = \"100 Pa\"; components = { Ar = { file = \"builtin:argon\"; }; "
    "}; };\n"
    "tables = { energy_max = \"1 keV\"; };\n"
    "species = { e = { density = \"1e10 m-3\"; per_cell = 2; temperature = \"20 eV\"; "
    "drift = [\"300 km/s\", \"200 km/s\", \"0\"]; loading = \"random\"; collisions = "
    "\"gas\"; ions = \"i\"; }; i = { density = \"1e10 m-3\"; per_cell = 2; charge = 1.0; "
    "mass = \"39.948 u\"; temperature = \"50 eV\"; loading = \"random\"; collisions = "
    "\"gas\"; }; };\n"
    "plasma = { time_step = \"10 ps\"; shape = \"tsc\"; allow = [\"cell-crossing\"]; "
    "};\n";

static struct scene scene;
static struct wn_grid_rates *tables;
static struct wn_energy_table loss_table;
static size_t nodes;

static void loss(const void *data, double e_ev, double *value)
{
  (void)data;
  *value = 1e8 + 1e9 * e_ev;
}

/* All sums of species k, into out [SUMS][nodes]. */
static void take_all(struct wn_node_sums *m, size_t k, double *out)
{
  static const char *const rate[2][3] = {{"elastic", "excitation", "ionization"},
                                         {"isotropic", "backscatter", "isotropic"}};
  static struct wn_rate_choice choice[3];
  const struct wn_rate_choice *of[3];
  struct wn_species *one = scene.sim->species[k];
  struct wn_node_values what;
  WN_ASSERT(wn_grid_moments_take(m, scene.config, k, one, out) == WN_OK);
  for (size_t i = 0; i < 3; i++) {
    wn_grid_rate_choice(scene.config, scene.gas, k, rate[k][i], &choice[i]);
    of[i] = &choice[i];
  }
  WN_ASSERT(wn_grid_rates_take(tables, m, scene.sim, k, 3, of, out + 4 * nodes) == WN_OK);
  wn_node_sums_prepare(one, &what);
  what.what = WN_NODE_POWER;
  what.n = 1;
  what.unit[0] = 1.0;
  what.per_unit = 1e3;
  what.table = loss_table;
  wn_mcc_grid_prepare(&what.grid);
  WN_ASSERT(wn_field_gathered(scene.sim->field, &what.grid.points.grid) == WN_OK);
  WN_ASSERT(wn_node_sums_take(m, scene.config, k, one, &what, 0, out + 7 * nodes) ==
            WN_OK);
}

static struct wn_node_sums *new_sums(int threads)
{
  struct wn_node_sums *m = NULL;
  const int before = scene.config->threads;
  scene.config->threads = threads;
  WN_ASSERT(wn_node_sums_create(scene.config, WN_NODE_VALUES, &m) == WN_OK);
  scene.config->threads = before;
  return m;
}

/* ---- order and threads */

static void reverse(struct wn_particles *p)
{
  struct wn_electron *e = wn_particles_electrons(p);
  for (size_t i = 0, j = p->n - 1; i < j; i++, j--) {
    const struct wn_electron one = e[i];
    e[i] = e[j];
    e[j] = one;
  }
}

static void same_bits(size_t k)
{
  struct wn_node_sums *one = new_sums(1), *three = new_sums(3);
  double *a = malloc(SUMS * nodes * sizeof *a), *b = malloc(SUMS * nodes * sizeof *b);
  WN_ASSERT(a != NULL && b != NULL);
  take_all(one, k, a);
  for (size_t i = 0; i < SUMS; i++) {
    double most = 0.0;
    for (size_t j = 0; j < nodes; j++)
      most = fmax(most, fabs(a[i * nodes + j]));
    ok(most > 0.0, "species %zu: sum %zu is up to %.3g", k, i, most);
  }
  take_all(three, k, b);
  ok(memcmp(a, b, SUMS * nodes * sizeof *a) == 0, "species %zu: three threads", k);
  reverse(&scene.sim->species[k]->p);
  take_all(three, k, b);
  ok(memcmp(a, b, SUMS * nodes * sizeof *a) == 0, "species %zu: another order", k);
  reverse(&scene.sim->species[k]->p);
  free(a);
  free(b);
  wn_node_sums_free(one);
  wn_node_sums_free(three);
}

/* ---- large and small weights */

static double integral(const double *v)
{
  const struct wn_geometry g = wn_plasma_geometry(scene.config);
  const int64_t nx = (int64_t)scene.config->plasma.cells[0] + 1,
                ny = (int64_t)scene.config->plasma.cells[1] + 1;
  double sum = 0.0;
  for (int64_t y = 0; y + 1 < ny; y++) /* the last is a copy: a periodic axis */
    for (int64_t x = 0; x < nx; x++) {
      const int64_t at[3] = {x, y, 0};
      sum += v[y * nx + x] * wn_geometry_volume(&g, at);
    }
  return sum;
}

/* Weights of 3e12: a particle has 3e18 quanta, all together 6e22, and energy 1e10 times as many. */
static void large_weights(void)
{
  struct wn_species *e = scene.sim->species[0];
  const struct wn_points *m = wn_plasma_points(e);
  struct wn_electron *one = wn_particles_electrons(&e->p);
  struct wn_node_sums *sums = new_sums(3);
  double *got = malloc(4 * nodes * sizeof *got);
  long double number = 0.0L, flux = 0.0L, energy = 0.0L;
  const double scale = wn_loading_weight(scene.config, &scene.config->species[0]);
  WN_ASSERT(got != NULL);
  for (size_t i = 0; i < e->p.n; i++) {
    one[i].w = i % 2 == 0 ? 3e12f : 0.25f;
    number += (long double)one[i].w;
    flux += (long double)one[i].w * one[i].u[1] * wn_point_slower(3, 1, one[i].u);
    energy += (long double)one[i].w * wn_point_energy_ev(m, 3, one[i].u);
  }
  WN_ASSERT(wn_grid_moments_take(sums, scene.config, 0, e, got) == WN_OK);
  ok(number * 0x1p20L > 0x1p64L, "%.3Lg quanta", number * 0x1p20L);
  is_near(integral(got) / (scale * (double)number), 1.0, 1e-12, "number");
  is_near(integral(got + 2 * nodes) / (scale * (double)flux), 1.0, 1e-6,
          "flux along the periodic axis, of velocities in single precision");
  is_near(integral(got + 3 * nodes) / (scale * (double)energy), 1.0, 1e-9, "energy");
  for (size_t i = 0; i < e->p.n; i++)
    one[i].w = 1.0f;
  one[17].w = -1.0f;
  is_int(wn_grid_moments_take(sums, scene.config, 0, e, got), WN_ERUN,
         "a weight below 0");
  one[17].w = NAN;
  is_int(wn_grid_moments_take(sums, scene.config, 0, e, got), WN_ERUN,
         "a weight that is no number");
  one[17].w = 5e12f;
  is_int(wn_grid_moments_take(sums, scene.config, 0, e, got), WN_ERUN,
         "a weight of 2^62 quanta");
  one[17].w = 1.0f;
  is_int(wn_grid_moments_take(sums, scene.config, 0, e, got), WN_OK, "and without");
  free(got);
  wn_node_sums_free(sums);
}

/* ---- many processes: three rates of 400, of which two are taken at a time; the third begins anew */

static void many_processes(void)
{
  static struct wn_rate_choice choice[3];
  const struct wn_rate_choice *of[3];
  struct wn_node_sums *m = new_sums(2);
  double *all = malloc(3 * nodes * sizeof *all), *alone = malloc(nodes * sizeof *alone);
  const size_t processes =
      (size_t)wn_species_mcc(scene.sim->species[0])->xs.n_processes;
  WN_ASSERT(all != NULL && alone != NULL && processes == 3);
  for (size_t i = 0; i < 3; i++) {
    for (size_t j = 0; j < 400; j++)
      choice[i].process[j] = (uint16_t)((i + j * (i + 1)) % processes);
    choice[i].n = 400;
    of[i] = &choice[i];
  }
  WN_ASSERT(wn_grid_rates_take(tables, m, scene.sim, 0, 3, of, all) == WN_OK);
  for (size_t i = 0; i < 3; i++) {
    WN_ASSERT(wn_grid_rates_take(tables, m, scene.sim, 0, 1, of + i, alone) == WN_OK);
    ok(alone[0] > 0.0 && memcmp(all + i * nodes, alone, nodes * sizeof *alone) == 0,
       "rate %zu of 400 processes", i);
  }
  ok(memcmp(all, all + nodes, nodes * sizeof *all) != 0, "which differ");
  free(all);
  free(alone);
  wn_node_sums_free(m);
}

int main(void)
{
  plan(0);
  scene_open(&scene, FILE_NAME, argon, nothing);
  scene_start(&scene, 10e-12);
  for (int i = 0; i < 2; i++)
    WN_ASSERT(scene_phase(&scene) == WN_OK);
  nodes = wn_field_nodes(scene.sim->field);
  WN_ASSERT(wn_grid_rates_create(scene.sim, &tables) == WN_OK);
  WN_ASSERT(wn_energy_table_create(-14, 1e4, 1, loss, NULL, &loss_table) == WN_OK);
  for (size_t k = 0; k < 2; k++)
    same_bits(k);
  many_processes();
  large_weights();
  wn_energy_table_clear(&loss_table);
  wn_grid_rates_free(tables);
  scene_close(&scene);
  return done();
}
