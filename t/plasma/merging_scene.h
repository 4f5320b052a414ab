/* t/plasma/merging_scene.h - for tests of src/sim/merging.c: a plasma with merging, its particles set one by one, one pass, and sums
 * over the particles of each cell.  FILE_NAME: the scenario's file. */
#ifndef WN_T_PLASMA_MERGING_SCENE_H
#define WN_T_PLASMA_MERGING_SCENE_H
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "physics/constants.h"
#include "physics/merging.h"
#include "src/sim/cell_pairs.h"
#include "src/sim/merging.h"
#include "src/sim/operators.h"
#include "src/sim/plasma_points.h"
#include "src/sim/reaction_parts.h"
#include "t/tap/draw.h"
#include "t/tap/scene.h"
#include "t/tap/tap.h"

extern const struct wn_operator_ops wn_operator_merging;

/* ---- a plasma, and its particles */

#define RINGS 4 /* of r-z */

static int is_rz; /* dim 2: r-z, with RINGS cells along r */

/* dim 1: electrons that collide with a gas; else without collisions.  merging: members of
 * plasma.merging.m; also: of plasma. */
static inline void open_plasma(struct scene *s, int dim, int cells, int per_cell,
                               const char *merging, const char *also)
{
  static const char *const nothing[] = {NULL},
                           *const grid[] = {"[%d]", "[%d, 2]", "[%d, 2, 2]"},
                           *const length[] = {"[\"%d mm\"]", "[\"%d mm\", \"2 mm\"]",
                                              "[\"%d mm\", \"2 mm\", \"2 mm\"]"};
  const char *walls = "";
  char text[4096], n[64], l[96];
  snprintf(n, sizeof n, grid[dim - 1], cells >> (dim - 1));
  snprintf(l, sizeof l, length[dim - 1], cells >> (dim - 1));
  if (is_rz) {
    WN_ASSERT(dim == 2 && cells % RINGS == 0);
    snprintf(n, sizeof n, "[%d, %d]; geometry = \"r-z\"", RINGS, cells / RINGS);
    walls = "walls = { x_high = { field = \"neumann\"; }; };\n";
    snprintf(l, sizeof l, "[\"%d mm\", \"%d mm\"]", RINGS, cells / RINGS);
  }
  const int used =
      snprintf(text, sizeof text,
               "model = \"plasma\"; duration = \"1 ns\"; seed = 5; threads = 1;\n"
               "%sgrid = { cells = %s; length = %s; };\n"
               "plasma = { time_step = \"1 ps\"; background = true; %s %s allow = "
               "[\"plasma-frequency\", \"cell-crossing\", \"debye-length\"]; merging = { "
               "m = { %s }; "
               "}; };\n",
               walls, n, l, dim > 1 ? "velocities = 3;" : "", also, merging);
  snprintf(
      text + used, sizeof text - (size_t)used,
      dim == 1
          ? "gas = { pressure = \"1 Pa\"; components = { Ar = { file = "
            "\"builtin:argon\"; }; }; };\n"
            "species = { a = { density = \"1e12 m-3\"; per_cell = %d; loading = "
            "\"random\"; temperature = \"2 eV\"; collisions = \"gas\"; ions = \"i\"; "
            "};\n"
            " i = { density = \"0 m-3\"; charge = 1.0; mass = \"39.948 u\"; "
            "temperature = \"0.03 eV\"; collisions = \"gas\"; }; };\n"
          : "species = { a = { density = \"1e12 m-3\"; per_cell = %d; loading = "
            "\"random\"; temperature = \"2 eV\"; }; };\n",
      per_cell);
  scene_open(s, FILE_NAME, text, nothing);
  scene_start(s, 0.0);
}

static inline struct wn_particles *store(const struct scene *s)
{
  return &s->sim->species[0]->p;
}

static inline const struct wn_points *points(const struct scene *s)
{
  return wn_plasma_points(s->sim->species[0]);
}

static inline struct wn_reacting get(const struct scene *s, size_t i)
{
  struct wn_reacting one;
  wn_reacting_load(s->sim->species[0], i, &one);
  return one;
}

static inline void set(const struct scene *s, size_t i, const float u[3], float w)
{
  const int dim = s->config->plasma.dim;
  if (dim == 1) {
    struct wn_electron *e = wn_particles_at(store(s), i);
    memcpy(e->u, u, sizeof e->u);
    e->w = w;
    return;
  }
  union wn_word *r = wn_particles_at(store(s), i);
  for (int d = 0; d < 3; d++)
    r[dim + d].f = u[d];
  r[dim + 3].f = w;
}

static inline double normal(void)
{
  double sine, cosine;
  wn_sincos_turn(uniform(), &sine, &cosine);
  return sqrt(-2.0 * log(1.0 - uniform())) * cosine;
}

/* The same number of particles in each cell, at any place in it. */
static inline void spread_out(const struct scene *s, int per_cell)
{
  const struct wn_grid_view *g = &points(s)->grid;
  for (size_t i = 0; i < store(s)->n; i++) {
    int32_t *at = wn_particles_at(store(s), i);
    size_t cell = i / (size_t)per_cell;
    for (int d = 0; d < g->dim; d++) {
      at[d] = (int32_t)(cell % (size_t)g->cells[d]) << g->bits[d] |
              (int32_t)(uniform() * ldexp(1.0, g->bits[d]));
      cell /= (size_t)g->cells[d];
    }
  }
}

/* All in the first cell. */
static inline void bring_together(const struct scene *s)
{
  for (size_t i = 0; i < store(s)->n; i++) {
    int32_t *at = wn_particles_at(store(s), i);
    for (int d = 0; d < points(s)->grid.dim; d++)
      at[d] &= (1 << points(s)->grid.bits[d]) - 1;
  }
}

/* Normal velocities about a drift; weights are numbers of 1/16 up to most. */
static inline void fill(const struct scene *s, int per_cell, const double sigma[3],
                        const double drift[3], double most)
{
  spread_out(s, per_cell);
  for (size_t i = 0; i < store(s)->n; i++) {
    float u[3];
    for (int d = 0; d < 3; d++)
      u[d] = (float)(drift[d] + sigma[d] * normal());
    set(s, i, u, (float)(ceil(16.0 * most * (1.0 - uniform())) / 16.0));
  }
}

/* One pass; the dead leave the store. */
static inline void pass(const struct scene *s)
{
  for (size_t i = 0; i < s->sim->n_operators; i++)
    if (s->sim->operators[i]->ops == &wn_operator_merging) {
      s->sim->n_steps++;
      WN_ASSERT(s->sim->operators[i]->ops->apply(s->sim->operators[i], s->sim) == WN_OK);
      WN_ASSERT(wn_particles_compact(store(s)) == WN_OK);
    }
}

/* ---- sums of cells */

struct sums {
  int64_t quanta;
  double momentum[3], square[3], place, spread, energy, magnitude;
  size_t n;
};

static inline size_t cells_of(const struct scene *s)
{
  return wn_cell_pairs_cells(&points(s)->grid);
}

static inline struct sums *cell_sums(const struct scene *s)
{
  struct sums *sum = calloc(cells_of(s), sizeof *sum);
  WN_ASSERT(sum != NULL);
  for (size_t i = 0; i < store(s)->n; i++) {
    const struct wn_reacting one = get(s, i);
    struct sums *of =
        &sum[wn_cell_pairs_cell(&points(s)->grid, wn_particles_at(store(s), i))];
    const double w = (double)one.w;
    of->quanta += wn_quanta(one.w);
    of->n++;
    of->energy += w * wn_point_energy_ev(points(s), 3, one.u);
    const double at = (double)(one.at[0] & ((1 << points(s)->grid.bits[0]) - 1)) /
                          ldexp(1.0, points(s)->grid.bits[0]) -
                      0.5; /* in its cell */
    of->place += w * at;
    of->spread += w * at * at;
    for (int d = 0; d < 3; d++) {
      of->momentum[d] += w * (double)one.u[d];
      of->magnitude += w * fabs((double)one.u[d]);
      of->square[d] += w * (double)one.u[d] * (double)one.u[d];
    }
  }
  return sum;
}

/* A mean over cells, with its standard error. */
struct mean {
  double sum, square;
  size_t n;
};

static inline void put(struct mean *m, double x)
{
  m->sum += x;
  m->square += x * x;
  m->n++;
}

static inline double value(const struct mean *m)
{
  return m->sum / (double)m->n;
}

static inline double error(const struct mean *m)
{
  const double v = value(m);
  return sqrt(fmax(m->square / (double)m->n - v * v, 0.0) / (double)m->n);
}

static inline int is_zero(const struct mean *m)
{
  return fabs(value(m)) <= 4.5 * error(m);
}

#endif
