/* src/sim/grid_moments.c - see grid_moments.h. */
#include "src/sim/grid_moments.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/error.h"
#include "base/ranks.h"
#include "base/threads.h"
#include "fields/charge_nodes.h"
#include "fields/electrostatic.h"
#include "particles/thread_sums.h"
#include "physics/shape.h"
#include "src/config/plasma_derived.h"
#include "src/sim/loading.h"
#include "src/sim/plasma.h"

#define CHUNK     1024   /* particles that a thread handles at a time */
#define PER_SPEED 0x1p40 /* per c: 0.27 mm/s */

enum { NUMBER, FLUX, MOST = 2 + WN_MAX_DIM }; /* then the energy */

struct wn_grid_moments {
  struct wn_geometry geometry;
  struct wn_charge_nodes nodes;
  int threads, n; /* moments */
  size_t padded;  /* nodes with guards */
  wn_i128 *sum;   /* [padded][n] */
  struct wn_thread_sums of_threads;
};

static int n_moments(const struct wn_config *c)
{
  return 2 + c->plasma.dim;
}

void wn_grid_moments_free(struct wn_grid_moments *m)
{
  if (m != NULL) {
    free(m->sum);
    wn_thread_sums_clear(&m->of_threads);
  }
  free(m);
}

int wn_grid_moments_create(const struct wn_config *c, struct wn_grid_moments **out)
{
  const struct wn_grid_view grid = wn_plasma_grid(c);
  struct wn_grid_moments *m = wn_alloc(1, sizeof *m);
  if (m == NULL)
    return WN_ENOMEM;
  m->geometry = wn_plasma_geometry(c);
  m->nodes = wn_plasma_charge_nodes(c);
  m->threads = wn_threads(c->threads);
  m->n = n_moments(c);
  m->padded = (size_t)wn_grid_nodes(&grid);
  m->sum = wn_alloc_aligned(m->padded * (size_t)m->n, sizeof *m->sum, 64);
  if (m->sum == NULL ||
      !wn_thread_sums_reserve(&m->of_threads, m->threads, m->padded * (size_t)m->n)) {
    wn_grid_moments_free(m);
    return WN_ENOMEM;
  }
  *out = m;
  return WN_OK;
}

/* ---- particles onto a grid */

struct job {
  const struct wn_points *points;
  const struct wn_particles *p;
  int is_electron, n_v;
};

/* Returns whether the particle is living. */
static int load(const struct job *j, size_t i, int32_t x[3], float u[3], float *w)
{
  const int dim = j->points->grid.dim;
  if (!j->is_electron) {
    wn_point_load(dim, j->n_v, wn_particles_at(j->p, i), x, u, w);
    return x[0] >= 0;
  }
  const struct wn_electron *e = wn_particles_at(j->p, i);
  for (int d = 0; d < dim; d++)
    x[d] = e->at[d];
  for (int d = 0; d < 3; d++)
    u[d] = e->u[d];
  *w = e->w;
  return e->t_left >= 0.0f && e->at[0] >= 0;
}

/* Add particle i to `to`.  Returns the number of weights that are no number of quanta. */
static uint64_t add(const struct job *j, size_t i, wn_i128 *to)
{
  const struct wn_points *m = j->points;
  const int dim = m->grid.dim, order = m->grid.shape, n = 2 + dim;
  int nodes = 1;
  int32_t x[3] = {0, 0, 0}, cell[3];
  uint32_t part[3];
  float u[3] = {0.0f, 0.0f, 0.0f}, w;
  uint64_t q[WN_MAX_REACH];
  int64_t value[MOST];
  if (!load(j, i, x, u, &w))
    return 0;
  const int64_t quanta = wn_quanta(w);
  if (quanta == WN_QUANTA_MISFIT)
    return 1;
  const float slower = wn_point_slower(j->n_v, m->relativistic, u);
  value[NUMBER] = 1;
  for (int d = 0; d < dim; d++)
    value[FLUX + d] = llrint((double)(u[d] * slower) * (PER_SPEED / WN_C));
  value[n - 1] = llrint(wn_point_energy_ev(m, j->n_v, u) * WN_FIX_ENERGY);
  wn_point_place(m, dim, x, cell, part);
  wn_grid_divide(dim, order, part, (uint64_t)quanta, 1, q);
  to += (int64_t)wn_grid_first(&m->grid, dim, order, cell, part) * n;
  for (int d = 0; d < dim; d++)
    nodes *= order + 1;
  for (int k = 0; k < nodes; k++) {
    wn_i128 *at = to + (int64_t)wn_grid_offset(&m->grid, dim, order, k) * n;
    for (int a = 0; a < n; a++)
      at[a] += (wn_i128)(int64_t)q[k] * value[a];
  }
  return 0;
}

static uint64_t add_all(struct wn_grid_moments *m, const struct job *j)
{
  const size_t n = j->p->n, chunks = (n + CHUNK - 1) / CHUNK,
               all = m->padded * (size_t)m->n;
  /* all or one: where teams differ in size, libgomp ends threads and starts others */
  const int threads = chunks > 1 ? m->threads : 1;
  uint64_t misfits = 0;
  memset(m->sum, 0, all * sizeof *m->sum);
#ifdef _OPENMP
#pragma omp parallel num_threads(threads) reduction(+ : misfits)
#else
  (void)threads;
#endif
  {
    const int me = wn_thread();
    wn_i128 *to = wn_thread_sums_row(&m->of_threads, me, all, m->sum);
#ifdef _OPENMP
#pragma omp for schedule(dynamic, 1)
#endif
    for (size_t c = 0; c < chunks; c++) {
      const size_t end = n - c * CHUNK < CHUNK ? n : (c + 1) * CHUNK;
      for (size_t i = c * CHUNK; i < end; i++)
        misfits += add(j, i, to);
    }
    wn_thread_sums_collect(&m->of_threads, me, wn_team(), all, m->sum);
  }
  return misfits;
}

/* ---- nodes */

/* The nodes whose sum is node `i` along d, and the sign of the flux along d from each:
 * the values behind a mirror are the image of those before it. */
static int sources(const struct wn_grid_moments *m, int d, int32_t i, int32_t from[3],
                   int sign[3])
{
  const struct wn_grid_view *g = &m->nodes.grid;
  if (d >= g->dim) {
    from[0] = 0, sign[0] = 1;
    return 1;
  }
  if (wn_nodes_is_copy(&m->nodes, d, i))
    i = 0;
  const int n = wn_nodes_folded(&m->nodes, d, i, from);
  for (int k = 0; k < n; k++) {
    const int side = 2 * d + (from[k] > g->cells[d]),
              is_guard = from[k] < 0 || from[k] > g->cells[d],
              is_mirror =
                  g->side[side] == WN_SIDE_REFLECT || (m->nodes.mirrors >> side & 1) != 0;
    sign[k] = is_guard && is_mirror ? -1 : 1;
  }
  return n;
}

/* Moment a of a node. */
static double fold(const struct wn_grid_moments *m, const int32_t node[3], int a)
{
  const struct wn_grid_view *g = &m->nodes.grid;
  int32_t from[3][3];
  int sign[3][3], n[3];
  wn_i128 sum = 0;
  for (int d = 0; d < 3; d++)
    n[d] = sources(m, d, node[d], from[d], sign[d]);
  for (int z = 0; z < n[2]; z++)
    for (int y = 0; y < n[1]; y++)
      for (int x = 0; x < n[0]; x++) {
        const int32_t at[3] = {from[0][x], from[1][y], from[2][z]};
        const int turn[3] = {sign[0][x], sign[1][y], sign[2][z]};
        const wn_i128 v = m->sum[(int64_t)wn_grid_node(g, g->dim, at) * m->n + a];
        sum += a >= FLUX && a < m->n - 1 ? turn[a - FLUX] * v : v;
      }
  return (double)sum;
}

static void collect(const struct wn_grid_moments *m, double weight, double *out)
{
  const struct wn_grid_view *g = &m->nodes.grid;
  const int64_t nx = wn_nodes_along(g, 0), ny = wn_nodes_along(g, 1),
                nz = wn_nodes_along(g, 2);
  for (int a = 0; a < m->n; a++) {
    const double unit = a == NUMBER    ? 1.0
                        : a < m->n - 1 ? WN_C / PER_SPEED
                                       : 1.0 / WN_FIX_ENERGY;
    for (int64_t z = 0; z < nz; z++)
      for (int64_t y = 0; y < ny; y++)
        for (int64_t x = 0; x < nx; x++) {
          const int32_t node[3] = {(int32_t)x, (int32_t)y, (int32_t)z};
          const int64_t at[3] = {x, y, z};
          *out++ = fold(m, node, a) * unit * weight *
                   (1.0 / (WN_QUANTA * wn_geometry_volume(&m->geometry, at)));
        }
  }
}

int wn_grid_moments_take(struct wn_grid_moments *m, const struct wn_config *c, size_t k,
                         struct wn_species *s, double *out)
{
  const struct wn_points *points = wn_plasma_points(s);
  const struct job j = {.points = points,
                        .p = &s->p,
                        .is_electron = wn_plasma_has_electrons(s),
                        .n_v = wn_point_velocities(points->kind)};
  WN_TRY(wn_particles_read(&s->p));
  uint64_t misfits = add_all(m, &j);
  wn_ranks_sum_u64(&misfits, 1);
  wn_ranks_sum(m->sum, m->padded * (size_t)m->n);
  if (misfits > 0)
    return WN_FAIL(
        WN_ERUN,
        "the weights of %llu particles of species %s are below 0, not a number "
        "or too large for the sums on a grid",
        (unsigned long long)misfits, c->species[k].name);
  collect(m, wn_loading_weight(c, &c->species[k]), out);
  return WN_OK;
}
