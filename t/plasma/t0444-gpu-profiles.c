/* t0444-gpu-profiles.c - defends: on a GPU the moments, the power of the field and the collision rates at
 * the nodes are those of the CPU.
 *
 * Of the same particles, to the last bit: each moment, the ten moments, rates and power, in one to three dimensions, for
 * every shape and both gathers, for particles with and without collisions and of any speed, in a magnetic
 * field, with weights from parts of one to those for which sums take more than 64 bits, and the particles
 * stay on the GPU.  A weight that is no number of quanta is found on both.  Sums
 * that do not fit into its memory are left to the host.
 *
 * After some steps from the same state, within 1e-5 of the largest value (the solvers round differently, E
 * in single precision now and then), with ions that move in every third step, several mobility steps, and
 * the spectral solver.  Reference: the CPU in the same program. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "device/gpu.h"
#include "src/config/plasma_derived.h"
#include "src/jobs/job.h"
#include "src/run/step.h"
#include "src/sim/device.h"
#include "src/sim/field_power.h"
#include "src/sim/grid_moments.h"
#include "src/sim/grid_rates.h"
#include "src/sim/plasma_points.h"
#include "src/sim/ten_moments.h"
#include "src/stats/energy_table.h"
#include "t/tap/command.h"
#include "t/tap/gpu.h"
#include "t/tap/tap.h"

#define FILE_NAME "t0444.cfg"
#define STEPS     5
#define CLOSE     1e-5

#define HEAD "model = \"plasma\"; duration = \"1 ns\"; seed = 5;\n"
#define PAIR                                                                             \
  "species = { e = { density = \"1e15 m-3\"; temperature = \"1 eV\"; per_cell = 60; "    \
  "loading = \"random\"; drift = [\"100 km/s\", \"0\", \"0\"]; }; i = { density = "      \
  "\"1e15 m-3\"; charge = 1; mass = \"4 u\"; temperature = \"0.1 eV\"; per_cell = 60; "  \
  "loading = \"random\"; }; };\n"
#define WALLS                                                                            \
  "walls = { x_low = { field = \"dirichlet\"; }; x_high = { field = \"dirichlet\"; "     \
  "voltage = \"100 V\"; }; };\n"
#define ARGON(pressure)                                                                  \
  "gas = { pressure = \"" pressure " Pa\"; components = { Ar = { file = "                \
  "\"builtin:argon\"; }; }; };\ntables = { energy_max = \"1 keV\"; };\n"                 \
  "species = { e = { density = \"1e14 m-3\"; temperature = \"20 eV\"; per_cell = 100; "  \
  "loading = \"random\"; collisions = \"gas\"; ions = \"i\"; }; i = { density = "        \
  "\"1e14 m-3\"; charge = 1.0; mass = \"39.948 u\"; temperature = \"100 eV\"; "          \
  "per_cell = 100; loading = \"random\"; collisions = \"gas\"; subcycling = 3; }; };\n"
#define PLASMA(more)                                                                     \
  "plasma = { averages = { a = { start = \"0\"; blocks = 1; power = true; }; }; "        \
  "time_step = \"20 ps\"; allow = [\"cell-crossing\", \"debye-length\", "                \
  "\"plasma-frequency\"]; " more "};\n"

static const struct {
  const char *name, *text;
} cases[] = {
    {"1-D between plates",
     HEAD "grid = { cells = [50]; length = [\"1 cm\"]; };\n" PAIR WALLS PLASMA(
         "shape = \"tsc\"; ")},
    {"2-D in a magnetic field, gather by energy", HEAD
     "grid = { cells = [24, 20]; length = [\"4 mm\", \"3 mm\"]; };\n" PAIR WALLS PLASMA(
         "velocities = 3; gather = \"energy\"; magnetic_field = [\"10 mT\", \"0\", \"30 "
         "mT\"]; ")},
    {"2-D periodic, spectral",
     HEAD "grid = { cells = [24, 16]; length = [\"4 mm\", \"3 mm\"]; };\n" PAIR PLASMA(
         "solver = \"spectral\"; ")},
    {"3-D periodic", HEAD
     "grid = { cells = [12, 10, 8]; length = [\"2 mm\", \"2 mm\", \"1 mm\"]; };\n" PAIR
         PLASMA("")},
    {"2-D, the nearest node, mirrors, fast particles", HEAD
     "grid = { cells = [12, 10]; length = [\"4 mm\", \"3 mm\"]; };\n" PAIR
     "walls = { x_low = { field = \"neumann\"; }; x_high = { field = \"neumann\"; }; "
     "};\n" PLASMA("shape = \"ngp\"; relativistic = true; ")},
    {"3-D, TSC between mirrors and plates", HEAD
     "grid = { cells = [8, 6, 6]; length = [\"2 mm\", \"2 mm\", \"1 mm\"]; };\n" PAIR
     "walls = { x_low = { field = \"dirichlet\"; }; x_high = { field = \"neumann\"; }; "
     "};\n" PLASMA("shape = \"tsc\"; ")},
    {"argon in 3-D, TSC", HEAD
     "grid = { cells = [8, 6, 6]; length = [\"2 mm\", \"2 mm\", \"1 mm\"]; };\n" ARGON(
         "100") WALLS PLASMA("shape = \"tsc\"; ")},
    {"thin argon, ions that move in every third step", HEAD
     "grid = { cells = [60]; length = [\"2 mm\"]; };\n" ARGON("100") WALLS PLASMA("")},
    {"dense argon, two mobility steps, 2-D",
     HEAD "grid = { cells = [24, 16]; length = [\"2 mm\", \"1 mm\"]; };\n" ARGON("2000")
         WALLS PLASMA("mobility_steps = 2; ")},
};

struct profiles {
  size_t n;      /* of each: nodes */
  double *of[6]; /* power of two species, three rates of electrons, one of ions; NULL */
};

static void take_rate(struct wn_sim *s, struct wn_grid_rates *r, struct wn_node_sums *m,
                      size_t k, const char *name, double *out)
{
  static struct wn_rate_choice choice;
  const struct wn_rate_choice *const of[] = {&choice};
  wn_grid_rate_choice(s->c, s->gas, k, name, &choice);
  WN_ASSERT(choice.n > 0);
  WN_ASSERT(wn_grid_rates_take(r, m, s, k, 1, of, out) == WN_OK);
}

static void look(struct wn_sim *s, struct profiles *out)
{
  static const char *const rate[] = {"elastic", "excitation", "ionization",
                                     "backscatter"};
  struct wn_grid_rates *r = NULL;
  struct wn_node_sums *m = NULL;
  out->n = wn_field_nodes(s->field);
  for (size_t i = 0; i < 6; i++)
    WN_ASSERT((out->of[i] = calloc(out->n, sizeof *out->of[i])) != NULL);
  for (size_t k = 0; k < 2; k++)
    memcpy(out->of[k], wn_field_power(s, k), out->n * sizeof *out->of[k]);
  if (s->gas == NULL)
    return;
  WN_ASSERT(wn_grid_rates_create(s, &r) == WN_OK);
  WN_ASSERT(wn_node_sums_create(s->c, 1, &m) == WN_OK);
  for (size_t i = 0; i < 4; i++)
    take_rate(s, r, m, i == 3, rate[i], out->of[2 + i]);
  wn_grid_rates_free(r);
  wn_node_sums_free(m);
}

/* ---- of the same particles */

/* What is compared of a species. */
struct sums {
  size_t nodes, n;
  double *of; /* [n][nodes] */
};

#define MOST_SUMS                                                                        \
  (5 + 5 + 1 + WN_TEN_MOMENTS) /* moments in 3-D, rates, power, ten moments */

/* Frequency of collisions for the power of particles with some, 1/s. */
static void loss(const void *data, double e_ev, double *value)
{
  (void)data;
  *value = 1e8 + 1e9 * e_ev;
}

struct at_nodes {
  struct wn_node_sums *m;
  struct wn_grid_rates *rates;
  struct wn_energy_table here, there; /* of loss */
  struct wn_gpu_copy e, table;        /* on the GPU */
};

static void open_at_nodes(struct wn_sim *s, struct at_nodes *a)
{
  const struct wn_grid_view g = wn_plasma_grid(s->c);
  struct wn_grid_view with_e;
  *a = (struct at_nodes){0};
  WN_ASSERT(wn_node_sums_create(s->c, WN_NODE_VALUES, &a->m) == WN_OK);
  if (s->gas != NULL)
    WN_ASSERT(wn_grid_rates_create(s, &a->rates) == WN_OK);
  WN_ASSERT(wn_energy_table_create(-14, 1e4, 1, loss, NULL, &a->here) == WN_OK);
  WN_ASSERT(wn_field_gathered(s->field, &with_e) == WN_OK);
  const size_t floats = (size_t)wn_grid_nodes(&g) * (g.dim == 3 ? 4 : (size_t)g.dim);
  WN_ASSERT(wn_gpu_copy(s->gpu, with_e.e, floats * sizeof *with_e.e, &a->e) == WN_OK);
  WN_ASSERT(wn_gpu_copy(s->gpu, a->here.value, wn_energy_table_bytes(&a->here),
                        &a->table) == WN_OK);
  a->there = a->here;
  a->there.value = a->table.at;
}

static void close_at_nodes(struct wn_sim *s, struct at_nodes *a)
{
  wn_gpu_copy_free(s->gpu, &a->e);
  wn_gpu_copy_free(s->gpu, &a->table);
  wn_energy_table_clear(&a->here);
  wn_grid_rates_free(a->rates);
  wn_node_sums_free(a->m);
}

/* Power in the field of the host, wherever the particles are. */
static void take_power(struct wn_sim *s, struct at_nodes *a, size_t k, double *out)
{
  struct wn_node_values what;
  int on_gpu;
  WN_ASSERT(wn_node_sums_on_gpu(a->m, s->species[k], 1, &on_gpu) == WN_OK);
  wn_node_sums_prepare(s->species[k], &what);
  what.what = WN_NODE_POWER;
  what.n = 1;
  what.unit[0] = 1.0;
  what.per_unit = 1e3;
  if (wn_plasma_collides(s->c, k)) {
    what.table = on_gpu ? a->there : a->here;
    wn_mcc_grid_prepare(&what.grid);
  }
  if (on_gpu)
    what.grid.points.grid.e = a->e.at;
  else
    WN_ASSERT(wn_field_gathered(s->field, &what.grid.points.grid) == WN_OK);
  WN_ASSERT(wn_node_sums_take(a->m, s->c, k, s->species[k], &what, on_gpu, out) == WN_OK);
}

/* The ten moments that its particles have velocities for, from out->of + out->n nodes on.  With weights whose sum is
 * too large they are refused: nothing. */
static void take_ten(struct wn_sim *s, struct at_nodes *a, size_t k, int is_refused,
                     struct sums *out)
{
  struct wn_ten_moments t;
  WN_ASSERT(wn_ten_moments_create(out->nodes, &t) == WN_OK);
  const int status = wn_ten_moments_take(a->m, s->c, k, s->species[k], &t);
  is_int(status, is_refused ? WN_ERUN : WN_OK, "ten moments of %s%s",
         s->c->species[k].name, is_refused ? ", refused" : "");
  for (size_t i = 0; status == WN_OK && i < WN_TEN_MOMENTS; i++) {
    const int with_z = i == WN_MOMENT_JZ || i == WN_MOMENT_PXZ || i == WN_MOMENT_PYZ ||
                       i == WN_MOMENT_PZZ;
    if (!with_z || s->c->plasma.velocities == 3)
      memcpy(out->of + out->n++ * out->nodes, t.value + i * out->nodes,
             out->nodes * sizeof *t.value);
  }
  wn_ten_moments_clear(&t);
}

/* All of a species, where its particles are. */
static void take_all(struct wn_sim *s, struct at_nodes *a, size_t k, int is_heavy,
                     struct sums *out)
{
  static const char *const rate[2][5] = {
      {"elastic", "excitation", "ionization", "elastic", "ionization Ar+"},
      {"isotropic", "backscatter", "isotropic", "backscatter", "backscatter"}};
  static struct wn_rate_choice choice[5];
  const struct wn_rate_choice *of[5];
  out->nodes = wn_field_nodes(s->field);
  out->n = (size_t)wn_grid_moments(s->c);
  WN_ASSERT((out->of = calloc(MOST_SUMS * out->nodes, sizeof *out->of)) != NULL);
  WN_ASSERT(wn_grid_moments_take(a->m, s->c, k, s->species[k], out->of) == WN_OK);
  if (a->rates != NULL) {
    for (size_t i = 0; i < 5; i++) {
      wn_grid_rate_choice(s->c, s->gas, k, rate[k][i], &choice[i]);
      WN_ASSERT(choice[i].n > 0);
      of[i] = &choice[i];
    }
    WN_ASSERT(wn_grid_rates_take(a->rates, a->m, s, k, 5, of,
                                 out->of + out->n * out->nodes) == WN_OK);
    out->n += 5;
  }
  take_power(s, a, k, out->of + out->n++ * out->nodes);
  take_ten(s, a, k, is_heavy, out);
}

/* Other weights, of records that have one. */
static int weigh(struct wn_species *one, float odd)
{
  const struct wn_points *m = wn_plasma_points(one);
  const int is_electron = wn_plasma_has_electrons(one), dim = m->grid.dim,
            n_v = wn_point_velocities(m->kind);
  if (!is_electron && !wn_point_weighs(dim, n_v))
    return 0;
  WN_ASSERT(wn_particles_host(&one->p) == WN_OK);
  for (size_t i = 0; i < one->p.n; i++) {
    const float w = i % 101 == 5 ? odd : 0.2f + 0.37f * (float)(i % 7);
    if (is_electron)
      wn_particles_electrons(&one->p)[i].w = w;
    else
      ((union wn_word *)wn_particles_at(&one->p, i))[dim + n_v].f = w;
  }
  wn_particles_touched(&one->p);
  return 1;
}

static void compare_sums(const char *name, const char *species, const struct sums *a,
                         const struct sums *b)
{
  size_t empty = 0, off = 0;
  for (size_t i = 0; i < a->n; i++) {
    const double *x = a->of + i * a->nodes, *y = b->of + i * a->nodes;
    double most = 0.0;
    for (size_t j = 0; j < a->nodes; j++)
      most = fmax(most, fabs(y[j]));
    empty += most == 0.0;
    off += memcmp(x, y, a->nodes * sizeof *x) != 0;
  }
  ok(off == 0 && empty == 0 && a->n == b->n,
     "%s: %s: %zu sums at %zu nodes have the bits of the host's", name, species, a->n,
     a->nodes);
}

static void of_same_particles(struct wn_sim *s, const char *name)
{
  const struct wn_particles *first = &s->species[0]->p;
  struct at_nodes a;
  int is = -1;
  open_at_nodes(s, &a);
  is_int(first->remote_ops->room_for_nodes(first->remote, (size_t)1 << 40, &is), WN_OK,
         "%s: room for 16 TiB of sums", name);
  is_int(is, 0, "%s: there is none", name);
  for (size_t k = 0; k < 2; k++) {
    struct wn_species *one = s->species[k];
    const char *const species = s->c->species[k].name;
    double *none = calloc(MOST_SUMS * wn_field_nodes(s->field), sizeof *none);
    struct sums there, here;
    WN_ASSERT(none != NULL);
    for (int round = 0; round < 3; round++) { /* as they are, and with other weights */
      if (round > 0 && !weigh(one, round == 1 ? 3e5f : 3e12f))
        break;
      WN_ASSERT(wn_gpu_hold(s->gpu, &one->p, 0.0) == WN_OK);
      take_all(s, &a, k, round == 2, &there);
      is_int(one->p.place != WN_PARTICLES_HOST &&
                 (round > 0 || one->p.place == WN_PARTICLES_REMOTE),
             1, "%s: %s: the particles stay on the GPU", name, species);
      WN_ASSERT(wn_particles_host(&one->p) == WN_OK);
      take_all(s, &a, k, round == 2, &here);
      compare_sums(name, species, &there, &here);
      free(there.of);
      free(here.of);
    }
    if (weigh(one, -1.0f)) {
      is_int(wn_grid_moments_take(a.m, s->c, k, one, none), WN_ERUN,
             "%s: %s: weights below 0 on the host", name, species);
      WN_ASSERT(wn_gpu_hold(s->gpu, &one->p, 0.0) == WN_OK);
      is_int(wn_grid_moments_take(a.m, s->c, k, one, none), WN_ERUN,
             "%s: %s: and on the GPU", name, species);
    }
    free(none);
  }
  close_at_nodes(s, &a);
}

/* ---- of the same state */

static int run(const char *name, const char *device, struct profiles *out)
{
  struct wn_config *c = NULL;
  struct wn_device_plan plan;
  struct wn_sim *s = NULL;
  struct wn_gas *gas = NULL;
  const char *const set[] = {device};
  int status = wn_config_read(FILE_NAME, 1, set, &c);
  if (status == WN_OK)
    status = wn_device_choose(c, &plan);
  if (status == WN_OK && wn_config_has_gas(c))
    status = wn_gas_create(c, &gas);
  if (status == WN_OK)
    status = wn_sim_create(c, gas, &wn_job_of(c)->needs, &plan, &s);
  if (status == WN_OK)
    status = wn_sim_begin(s, 0);
  for (int k = 0; k < STEPS && status == WN_OK; k++)
    status = wn_step(s, c->plasma.time_step);
  if (status == WN_OK)
    look(s, out);
  if (status == WN_OK && s->gpu != NULL)
    of_same_particles(s, name);
  wn_sim_free(s);
  wn_gas_free(gas);
  wn_config_free(c);
  return status;
}

static void compare(size_t i)
{
  static const char *const what[] = {"power of e", "power of i", "elastic",
                                     "excitation", "ionization", "backscatter"};
  struct profiles here = {0}, there = {0};
  command_write(FILE_NAME, cases[i].text);
  if (!is_int(run(cases[i].name, "device=cpu", &here), WN_OK, "%s: on the CPU",
              cases[i].name) ||
      !is_int(run(cases[i].name, "device=cuda", &there), WN_OK, "%s: on the GPU",
              cases[i].name))
    return;
  for (size_t j = 0; j < (strstr(cases[i].text, "gas = ") != NULL ? 6 : 2); j++) {
    double most = 0.0, scale = 0.0;
    for (size_t k = 0; k < here.n; k++) {
      most = fmax(most, fabs(here.of[j][k] - there.of[j][k]));
      scale = fmax(scale, fabs(here.of[j][k]));
    }
    ok(scale > 0.0 && most < CLOSE * scale, "%s: %s, within %.1e", cases[i].name, what[j],
       most / scale);
  }
  for (size_t j = 0; j < 6; j++)
    free(here.of[j]), free(there.of[j]);
}

int main(void)
{
  gpu_or_skip();
  plan(0);
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    compare(i);
  remove(FILE_NAME);
  return done();
}
