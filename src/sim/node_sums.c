/* src/sim/node_sums.c - see node_sums.h. */
#include "src/sim/node_sums.h"
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
#include "src/sim/plasma_points.h"
#include "src/sim/ten_sums.h"

#define CHUNK  1024 /* particles that a thread handles at a time */
#define SHARED 4096 /* nodes from which on threads share them */

struct wn_node_sums {
  struct wn_geometry geometry;
  struct wn_charge_nodes nodes;
  int threads, rows; /* of these, how many have a row of 128 bits */
  int most;          /* values that there is room for */
  int n;             /* values of the present sums */
  size_t padded;     /* nodes with guards */
  wn_i128 *sum;      /* [padded][n] */
  wn_i128 *now;      /* the present sums: these, or those that a GPU has sent */
  struct wn_thread_sums of_threads;
  struct wn_ten_sums ten; /* rows NULL: sums of 128 bits alone */
};

void wn_node_sums_free(struct wn_node_sums *m)
{
  if (m != NULL) {
    free(m->sum);
    wn_thread_sums_clear(&m->of_threads);
    wn_ten_sums_clear(&m->ten);
  }
  free(m);
}

/* rows: of 128 bits, so many threads with each its own. */
static int create(const struct wn_config *c, int n, int rows, struct wn_node_sums **out)
{
  const struct wn_grid_view grid = wn_plasma_grid(c);
  struct wn_node_sums *m = wn_alloc(1, sizeof *m);
  if (m == NULL)
    return WN_ENOMEM;
  m->geometry = wn_plasma_geometry(c);
  m->nodes = wn_plasma_charge_nodes(c);
  m->threads = wn_threads(c->threads);
  m->most = n;
  m->rows = rows;
  m->padded = (size_t)wn_grid_nodes(&grid);
  m->sum = wn_alloc_aligned(m->padded * (size_t)n, sizeof *m->sum, 64);
  if (m->sum == NULL ||
      !wn_thread_sums_reserve(&m->of_threads, rows, m->padded * (size_t)n)) {
    wn_node_sums_free(m);
    return WN_ENOMEM;
  }
  *out = m;
  return WN_OK;
}

int wn_node_sums_create(const struct wn_config *c, int n, struct wn_node_sums **out)
{
  return create(c, n, wn_threads(c->threads), out);
}

int wn_node_sums_create_ten(const struct wn_config *c, struct wn_node_sums **out)
{
  struct wn_node_sums *m = NULL;
  WN_TRY(create(c, WN_TEN_MOMENTS, 1, &m));
  const int status = wn_ten_sums_create(m->padded, m->threads, &m->ten);
  if (status != WN_OK)
    wn_node_sums_free(m);
  else
    *out = m;
  return status;
}

/* ---- particles onto a grid */

struct job {
  const struct wn_particles *p;
  const struct wn_node_values *what;
  int dim, order, n_v, nodes; /* nodes that a particle reaches */
};

/* Add particles [begin, end) to `to`.  Returns the number of weights that are no number of quanta, and
 * of values without an integer.  what, dim, n: constants in the frequent calls. */
static WN_HD uint64_t add(const struct job *j, size_t begin, size_t end, int what,
                          int dim, int n, wn_i128 *to)
{
  const struct wn_grid_view *g = &j->what->grid.points.grid;
  const int order = j->order;
  uint64_t misfits = 0;
  for (size_t i = begin; i < end; i++) {
    struct wn_node_particle p = {.x = {0, 0, 0}, .u = {0.0f, 0.0f, 0.0f}};
    uint64_t q[WN_MAX_REACH];
    int64_t value[WN_NODE_VALUES];
    if (!wn_node_load(j->what->is_electron, dim, j->n_v, wn_particles_at(j->p, i), &p))
      continue;
    const int64_t quanta = wn_quanta(p.w);
    const int adds = quanta == WN_QUANTA_MISFIT
                         ? WN_NODE_MISFIT
                         : wn_node_values_of(j->what, what, dim, j->n_v, &p, value);
    misfits += adds == WN_NODE_MISFIT;
    if (adds != WN_NODE_ADD)
      continue;
    wn_grid_divide(dim, order, p.part, (uint64_t)quanta, 1, q);
    wn_i128 *first = to + (int64_t)wn_grid_first(g, dim, order, p.cell, p.part) * n;
    for (int k = 0; k < j->nodes; k++) {
      wn_i128 *at = first + (int64_t)wn_grid_offset(g, dim, order, k) * n;
      for (int a = 0; a < n; a++)
        at[a] += wn_node_share(what, a, q[k], value[a]);
    }
  }
  return misfits;
}

static uint64_t add_some(const struct job *j, size_t begin, size_t end, wn_i128 *to)
{
  const int what = j->what->what;
  switch (what == WN_NODE_MOMENTS ? j->dim : 0) {
  case 1:
    return add(j, begin, end, WN_NODE_MOMENTS, 1, 3, to);
  case 2:
    return add(j, begin, end, WN_NODE_MOMENTS, 2, 4, to);
  case 3:
    return add(j, begin, end, WN_NODE_MOMENTS, 3, 5, to);
  default:
    return add(j, begin, end, what, j->dim, j->what->n, to);
  }
}

static uint64_t add_all(struct wn_node_sums *m, const struct job *j)
{
  const size_t n = j->p->n, chunks = (n + CHUNK - 1) / CHUNK,
               all = m->padded * (size_t)m->n;
  /* all or one: where teams differ in size, libgomp ends threads and starts others */
  const int threads = chunks > 1 ? m->rows : 1;
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
      misfits += add_some(j, c * CHUNK, end, to);
    }
    wn_thread_sums_collect(&m->of_threads, me, wn_team(), all, m->sum);
  }
  return misfits;
}

/* ---- nodes */

/* The nodes whose sum is node `i` along d, and the sign of a component along d from each:
 * the values behind a mirror are the image of those before it. */
static int sources(const struct wn_node_sums *m, int d, int32_t i, int32_t from[3],
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

/* A node, in terms of sums. */
struct folded {
  int n; /* sums that make it up, */
  struct {
    int64_t at;           /* of which the first value */
    signed char along[3]; /* sign of a component along each axis */
  } from[27];
  double per_volume; /* 1/m3, 1/m2, 1/m */
};

static struct folded fold(const struct wn_node_sums *m, const int64_t at[3])
{
  const struct wn_grid_view *g = &m->nodes.grid;
  struct folded f = {0};
  int32_t from[3][3];
  int sign[3][3], n[3];
  for (int d = 0; d < 3; d++)
    n[d] = sources(m, d, (int32_t)at[d], from[d], sign[d]);
  for (int z = 0; z < n[2]; z++)
    for (int y = 0; y < n[1]; y++)
      for (int x = 0; x < n[0]; x++) {
        const int32_t node[3] = {from[0][x], from[1][y], from[2][z]};
        f.from[f.n].at = (int64_t)wn_grid_node(g, g->dim, node) * m->n;
        f.from[f.n].along[0] = (signed char)sign[0][x];
        f.from[f.n].along[1] = (signed char)sign[1][y];
        f.from[f.n++].along[2] = (signed char)sign[2][z];
      }
  f.per_volume = 1.0 / (WN_QUANTA * wn_geometry_volume(&m->geometry, at));
  return f;
}

/* Value a of a node; odd: as of struct wn_node_values. */
static double value_of(const struct wn_node_sums *m, const struct folded *f, int a,
                       uint32_t odd)
{
  wn_i128 sum = 0;
  for (int i = 0; i < f->n; i++) {
    wn_i128 v = m->now[f->from[i].at + a];
    for (int d = 0; d < 3; d++)
      if ((odd >> d & 1) != 0)
        v *= f->from[i].along[d];
    sum += v;
  }
  return (double)sum;
}

static void collect(const struct wn_node_sums *m, const struct wn_node_values *what,
                    double weight, double *out)
{
  const struct wn_grid_view *g = &m->nodes.grid;
  const int64_t nx = wn_nodes_along(g, 0), ny = wn_nodes_along(g, 1),
                nz = wn_nodes_along(g, 2), nodes = nx * ny * nz;
#ifdef _OPENMP
#pragma omp parallel for num_threads(m->threads) if (nodes >= SHARED)
#endif
  for (int64_t i = 0; i < nodes; i++) {
    const int64_t at[3] = {i % nx, i / nx % ny, i / (nx * ny)};
    const struct folded f = fold(m, at);
    for (int a = 0; a < what->n; a++)
      out[a * nodes + i] =
          value_of(m, &f, a, what->odd[a]) * what->unit[a] * weight * f.per_volume;
  }
}

int wn_node_sums_on_gpu(const struct wn_node_sums *m, const struct wn_species *s, int n,
                        int *is)
{
  const struct wn_particles *p = &s->p;
  *is = 0;
  if (p->batches != NULL)
    return p->batches->room_for_nodes(p->device, m->padded * (size_t)n, is);
  return p->place != WN_PARTICLES_HOST
             ? p->remote_ops->room_for_nodes(p->remote, m->padded * (size_t)n, is)
             : WN_OK;
}

void wn_node_sums_prepare(const struct wn_species *s, struct wn_node_values *what)
{
  *what = (struct wn_node_values){.is_electron = wn_plasma_has_electrons(s),
                                  .grid.points = *wn_plasma_points(s)};
}

int wn_node_sums_expect(const struct wn_node_sums *m, struct wn_species *s,
                        const struct wn_node_values *what)
{
  const struct wn_particles *p = &s->p;
  const size_t n = m->padded * (size_t)what->n;
  if (p->batches != NULL)
    return p->batches->expect_at_nodes(p->device, p, what, n);
  return p->place != WN_PARTICLES_HOST
             ? p->remote_ops->expect_at_nodes(p->remote, what, n)
             : WN_OK;
}

static int sum(struct wn_node_sums *m, struct wn_species *s,
               const struct wn_node_values *what, int on_gpu, uint64_t *misfits)
{
  const struct wn_points *points = &what->grid.points;
  struct job j = {.p = &s->p,
                  .what = what,
                  .dim = points->grid.dim,
                  .order = points->grid.shape,
                  .n_v = wn_point_velocities(points->kind),
                  .nodes = 1};
  if (on_gpu && s->p.batches != NULL)
    return s->p.batches->sum_at_nodes(s->p.device, &s->p, what, m->padded * (size_t)m->n,
                                      &m->now, misfits);
  if (on_gpu)
    return s->p.remote_ops->sum_at_nodes(s->p.remote, &s->p, what,
                                         m->padded * (size_t)m->n, &m->now, misfits);
  m->now = m->sum;
  WN_TRY(wn_particles_read(&s->p));
  for (int d = 0; d < j.dim; d++)
    j.nodes *= j.order + 1;
  if (m->ten.rows != NULL && what->what == WN_NODE_TEN) {
    memset(m->sum, 0, m->padded * (size_t)m->n * sizeof *m->sum);
    *misfits = wn_ten_sums_add(&m->ten, &s->p, what, m->sum);
    return WN_OK;
  }
  *misfits = add_all(m, &j);
  return WN_OK;
}

int wn_node_sums_take(struct wn_node_sums *m, const struct wn_config *c, size_t k,
                      struct wn_species *s, const struct wn_node_values *what, int on_gpu,
                      double *out)
{
  uint64_t misfits = 0;
  WN_ASSERT(what->n <= m->most && what->n <= WN_NODE_VALUES);
  m->n = what->n;
  WN_TRY(sum(m, s, what, on_gpu, &misfits));
  wn_ranks_sum_u64(&misfits, 1);
  wn_ranks_sum(m->now, m->padded * (size_t)m->n);
  if (misfits > 0)
    return WN_FAIL(
        WN_ERUN,
        "the weights of %llu particles of species %s are below 0, not a number "
        "or too large for the sums on a grid%s",
        (unsigned long long)misfits, c->species[k].name,
        what->what == WN_NODE_TEN ? ", or their velocities are not numbers" : "");
  collect(m, what, wn_loading_weight(c, &c->species[k]), out);
  return WN_OK;
}

wn_i128 wn_node_sums_total(const struct wn_node_sums *m, int a)
{
  wn_i128 sum = 0;
  for (size_t i = 0; i < m->padded; i++)
    sum += m->now[i * (size_t)m->n + (size_t)a];
  return sum;
}
