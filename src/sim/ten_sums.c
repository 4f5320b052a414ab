/* src/sim/ten_sums.c - see ten_sums.h.
 *
 * Threads add to rows of their own, a batch of particles at a time; then they add the rows to the sums, each a
 * part of the nodes.  A batch has some particles a node, so that the second costs little beside the first.  A row
 * cannot overflow: a particle here has less than 2^31 quanta, and a batch at most 2^30 particles. */
#include "src/sim/ten_sums.h"
#include <stdlib.h>
#include "base/alloc.h"
#include "base/error.h"
#include "base/threads.h"

#define CHUNK      1024 /* particles that a thread handles at a time */
#define A_NODE     16 /* particles of a batch for each node, on the average over nodes */
#define FEW        4096 /* particles of a batch and thread at least */
#define MOST_BATCH ((size_t)1 << 30)

int wn_ten_sums_create(size_t nodes, int threads, struct wn_ten_sums *s)
{
  *s = (struct wn_ten_sums){.threads = threads, .nodes = nodes};
  s->rows =
      wn_alloc_aligned((size_t)threads * nodes, WN_TEN_MOMENTS * sizeof *s->rows, 64);
  return s->rows != NULL ? WN_OK : WN_ENOMEM;
}

void wn_ten_sums_clear(struct wn_ten_sums *s)
{
  free(s->rows);
  s->rows = NULL;
}

/* ---- particles */

/* One that is too heavy for a row; seldom. */
static void add_wide(const struct wn_grid_view *g, int dim, int order, int nodes,
                     const struct wn_node_particle *p, int64_t quanta,
                     const int64_t *value, wn_i128 *sum)
{
  uint64_t q[WN_MAX_REACH];
  wn_grid_divide(dim, order, p->part, (uint64_t)quanta, 1, q);
  wn_i128 *first =
      sum + (int64_t)wn_grid_first(g, dim, order, p->cell, p->part) * WN_TEN_MOMENTS;
#ifdef _OPENMP
#pragma omp critical(wn_ten_sums)
#endif
  for (int k = 0; k < nodes; k++) {
    wn_i128 *at = first + (int64_t)wn_grid_offset(g, dim, order, k) * WN_TEN_MOMENTS;
    for (int a = 0; a < WN_TEN_MOMENTS; a++)
      at[a] += wn_node_share(WN_NODE_TEN, a, q[k], value[a]);
  }
}

/* Particles [begin, end) to a row.  dim, order, n_v: constants in the calls. */
static WN_HD uint64_t add(const struct wn_particles *p, const struct wn_node_values *what,
                          size_t begin, size_t end, int dim, int order, int n_v,
                          int64_t *restrict row, wn_i128 *sum)
{
  const struct wn_grid_view *g = &what->grid.points.grid;
  const int along = order + 1,
            nodes = along * (dim > 1 ? along : 1) * (dim > 2 ? along : 1);
  int32_t offset[WN_MAX_REACH];
  uint64_t misfits = 0;
  for (int k = 0; k < nodes; k++)
    offset[k] = wn_grid_offset(g, dim, order, k) * WN_TEN_MOMENTS;
  for (size_t i = begin; i < end; i++) {
    struct wn_node_particle one = {.x = {0, 0, 0}, .u = {0.0f, 0.0f, 0.0f}};
    uint64_t q[WN_MAX_REACH];
    int64_t value[WN_NODE_VALUES];
    if (!wn_node_load(what->is_electron, dim, n_v, wn_particles_at(p, i), &one))
      continue;
    const int64_t quanta = wn_quanta(one.w);
    if (quanta == WN_QUANTA_MISFIT ||
        wn_node_values_of(what, WN_NODE_TEN, dim, n_v, &one, value) != WN_NODE_ADD) {
      misfits++;
      continue;
    }
    if (WN_UNLIKELY(quanta >= (int64_t)1 << 31)) {
      add_wide(g, dim, order, nodes, &one, quanta, value, sum);
      continue;
    }
    wn_grid_divide(dim, order, one.part, (uint64_t)quanta, 0, q);
    int64_t *first =
        row + (int64_t)wn_grid_first(g, dim, order, one.cell, one.part) * WN_TEN_MOMENTS;
    for (int k = 0; k < nodes; k++) {
      int64_t *restrict at = first + offset[k];
      at[WN_MOMENT_RHO] += (int64_t)q[k];
      for (int a = 1; a < WN_TEN_MOMENTS; a++)
        at[a] += wn_ten_moments_share((uint32_t)q[k], (int32_t)value[a]);
    }
  }
  return misfits;
}

#define ADD(dim, order, n_v)                                                             \
  WN_CLONES static uint64_t add_##dim##_##order##_##n_v(                                 \
      const struct wn_particles *p, const struct wn_node_values *what, size_t begin,     \
      size_t end, int64_t *restrict row, wn_i128 *sum)                                   \
  {                                                                                      \
    return add(p, what, begin, end, dim, order, n_v, row, sum);                          \
  }
#define ORDERS(X, dim, n_v) X(dim, 0, n_v) X(dim, 1, n_v) X(dim, 2, n_v)
ORDERS(ADD, 1, 3)
ORDERS(ADD, 2, 2)
ORDERS(ADD, 2, 3)
ORDERS(ADD, 3, 3)

typedef uint64_t add_function(const struct wn_particles *p,
                              const struct wn_node_values *what, size_t begin, size_t end,
                              int64_t *restrict row, wn_i128 *sum);

static add_function *adds(const struct wn_node_values *what)
{
#define OF(dim, order, n_v) add_##dim##_##order##_##n_v,
  static add_function *const list[WN_N_POINTS][WN_N_SHAPES] = {
      [WN_POINT_1D3V] = {ORDERS(OF, 1, 3)},
      [WN_POINT_2D2V] = {ORDERS(OF, 2, 2)},
      [WN_POINT_2D3V] = {ORDERS(OF, 2, 3)},
      [WN_POINT_3D3V] = {ORDERS(OF, 3, 3)}};
  return list[what->grid.points.kind][what->grid.points.grid.shape];
}

/* ---- rows */

/* By thread `me`: its part of all rows to the sums. */
static void collect(struct wn_ten_sums *s, int me, int team, wn_i128 *sum)
{
  const size_t begin = wn_thread_part(s->nodes, me, team),
               end = wn_thread_part(s->nodes, me + 1, team);
  for (int t = 0; t < team; t++) {
    int64_t *row = s->rows + (size_t)t * s->nodes * WN_TEN_MOMENTS;
    for (size_t i = begin; i < end; i++) {
      int64_t *from = row + i * WN_TEN_MOMENTS;
      if (from[WN_MOMENT_RHO] == 0)
        continue; /* then all are: each share is 0 or more */
      for (int a = 0; a < WN_TEN_MOMENTS; a++) {
        sum[i * WN_TEN_MOMENTS + (size_t)a] += from[a];
        from[a] = 0;
      }
    }
  }
}

uint64_t wn_ten_sums_add(struct wn_ten_sums *s, const struct wn_particles *p,
                         const struct wn_node_values *what, wn_i128 *sum)
{
  /* all or one: where teams differ in size, libgomp ends threads and starts others */
  const int threads = p->n > CHUNK ? s->threads : 1;
  const size_t even = A_NODE * s->nodes > FEW ? A_NODE * s->nodes : FEW,
               batch = (even < MOST_BATCH ? even : MOST_BATCH) * (size_t)threads;
  add_function *const to_row = adds(what);
  uint64_t misfits = 0;
#ifdef _OPENMP
#pragma omp parallel num_threads(threads) reduction(+ : misfits)
#endif
  {
    const int me = wn_thread();
    int64_t *row = s->rows + (size_t)me * s->nodes * WN_TEN_MOMENTS;
    for (size_t first = 0; first < p->n; first += batch) {
      const size_t n = p->n - first < batch ? p->n - first : batch,
                   chunks = (n + CHUNK - 1) / CHUNK;
#ifdef _OPENMP
#pragma omp for schedule(dynamic, 1)
#endif
      for (size_t c = 0; c < chunks; c++) {
        const size_t begin = first + c * CHUNK,
                     end = n - c * CHUNK < CHUNK ? first + n : begin + CHUNK;
        misfits += to_row(p, what, begin, end, row, sum);
      }
      collect(s, me, wn_team(), sum);
#ifdef _OPENMP
#pragma omp barrier
#endif
    }
  }
  return misfits;
}
