/* fields/poisson/gpu_multigrid.cu - Poisson's equation by multigrid on a GPU: the method of multigrid.c, with
 * the grids and conductances that the host makes.
 *
 * Large grids take the kernels of gpu_multigrid_march.cuh, five of each grid in a cycle, those of
 * gpu_multigrid_bricks.cuh beside electrodes, and small ones one block for all of a cycle that is below them; grids of three colours a kernel for each
 * stage.  The coarsest is multiplied by the inverse of its matrix.
 *
 * A cycle is in single precision.  What it leaves of the residual, and its addition to the potential, are in double
 * precision: iterations are such cycles alone, as long as each leaves less than SLOW of the residual, else conjugate
 * gradients, as on the host.  An iteration is one CUDA graph; after each, one number comes to the host, which decides
 * whether another is needed: unlike the other methods this waits.  Sums are those of a fixed number of blocks, in their
 * order: the same bits each time. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "fields/poisson/gpu.cuh"
#include "fields/poisson/gpu_multigrid.h"
#include "fields/poisson/gpu_multigrid_bricks.cuh"
#include "fields/poisson/gpu_multigrid_equation.cuh"
#include "fields/poisson/gpu_multigrid_march.cuh"
#include "fields/poisson/parts.h"

/* ---- life */

struct multigrid {
  struct wn_poisson_gpu head;
  struct wn_multigrid_gpu_room room;
  float *floats;
  double *doubles;
  int32_t *integers;
  uint8_t *flags;
  struct view *grids; /* on the device */
  struct view view[WN_MULTIGRID_LEVELS];
  int n_grids, is_floating, cycles; /* cycles: of the last solution */
  int has_turned; /* conjugate gradients were where corrections are kept */
  size_t nodes, nodes_of_arrays, n_volt;
  struct equation e;
  int32_t n_bottom;
  const double *inverse;
  const int32_t *bottom;
  double *now; /* pinned: the residual's norm, and that of the charge */
  /* Of a cycle whose result is kept in each place; of conjugate gradients. */
  cudaGraphExec_t correction[WN_MULTIGRID_KEPT], iteration;
};

static struct multigrid *of(struct wn_poisson_gpu *p)
{
  return (struct multigrid *)(void *)p;
}

static void destroy(struct wn_poisson_gpu *head)
{
  struct multigrid *m = of(head);
  if (m == NULL)
    return;
  if (wn_gpu_works(head->gpu)) {
    struct wn_gpu *g = head->gpu;
    for (int i = 0; i < WN_MULTIGRID_KEPT; i++)
      if (m->correction[i] != NULL)
        (void)cudaGraphExecDestroy(m->correction[i]);
    if (m->iteration != NULL)
      (void)cudaGraphExecDestroy(m->iteration);
    wn_gpu_release(g, m->floats, m->room.floats * sizeof *m->floats);
    wn_gpu_release(g, m->doubles, m->room.doubles * sizeof *m->doubles);
    wn_gpu_release(g, m->integers, m->room.integers * sizeof *m->integers);
    wn_gpu_release(g, m->flags, m->room.flags);
    wn_gpu_release(g, m->grids, WN_MULTIGRID_VIEWS);
    wn_gpu_release_pinned(m->now);
  }
  free(m);
}

/* From memory of the host that is not pinned, so that it is read during the call. */
static int copy(const struct multigrid *m, void *to, const void *from, size_t bytes)
{
  return wn_gpu_check(
      (int)cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, m->head.gpu->stream),
      "multigrid");
}

/* What is left of the four blocks of memory. */
struct cursor {
  float *floats;
  double *doubles;
  int32_t *integers;
  uint8_t *flags;
};

/* The axes, the table and the bricks of a grid that kernels of gpu_multigrid_march.cuh handle. */
static int upload_tiles(struct multigrid *m, const struct wn_multigrid_solver *host,
                        const struct wn_multigrid_lines *lines, int number,
                        struct cursor *at, struct view *v)
{
  const struct wn_multigrid_level *l = &host->levels.level[number], *next = l + 1;
  const size_t stride = wn_multigrid_gpu_vector(next),
               bytes = (size_t)wn_multigrid_around(l->dim) * stride * sizeof(float),
               bricks = wn_multigrid_bricks(l);
  float *table = (float *)wn_alloc(bytes, 1);
  uint8_t *brick = (uint8_t *)wn_alloc(bricks, 1),
          *kind = (uint8_t *)wn_alloc(l->size, 1);
  int32_t *list = (int32_t *)wn_alloc(2 * bricks, sizeof *list);
  int status =
      table != NULL && brick != NULL && kind != NULL && list != NULL ? WN_OK : WN_ENOMEM;
  for (int d = 0; d < 3 && status == WN_OK; d++) {
    const size_t n = (size_t)l->axis[d].n, n_kept = (size_t)l->axis[d].n_kept;
    v->node[d] = (const struct wn_multigrid_node *)(void *)at->floats;
    status = copy(m, at->floats, lines->node[d], n * sizeof *lines->node[d]);
    at->floats += wn_multigrid_gpu_floats(n * sizeof *lines->node[d]);
    if (status == WN_OK) {
      v->lines[d] = (const struct wn_multigrid_kept *)(void *)at->floats;
      status = copy(m, at->floats, lines->kept[d], n_kept * sizeof *lines->kept[d]);
      at->floats += wn_multigrid_gpu_floats(n * sizeof *lines->kept[d]);
    }
  }
  if (status == WN_OK) {
    wn_multigrid_table(l, next, stride, table);
    wn_multigrid_find_irregular(l, next, lines, table, stride, brick, kind);
    if (number == 0)
      wn_multigrid_find_factors(host, brick);
    v->n_adds = wn_multigrid_list_bricks(l, brick, WN_MULTIGRID_BRICK_ADDS, list);
    v->n_leaves =
        wn_multigrid_list_bricks(l, brick, WN_MULTIGRID_BRICK_LEAVES, list + bricks);
    v->table = at->floats;
    v->stride = (int64_t)stride;
    v->kind = at->flags;
    v->brick = at->flags + wn_multigrid_gpu_vector(l);
    v->adds = at->integers;
    v->leaves = at->integers + bricks;
    status = copy(m, at->floats, table, bytes);
  }
  if (status == WN_OK)
    status = copy(m, at->flags, kind, l->size);
  at->floats += bytes / sizeof(float);
  at->flags += wn_multigrid_gpu_vector(l);
  if (status == WN_OK)
    status = copy(m, at->flags, brick, bricks);
  if (status == WN_OK)
    status = copy(m, at->integers, list, 2 * bricks * sizeof *list);
  at->flags += bricks;
  at->integers += 2 * bricks;
  free(table);
  free(brick);
  free(kind);
  free(list);
  return status;
}

static int upload_level(struct multigrid *m, const struct wn_multigrid_level *l,
                        int is_last, struct cursor *at, struct view *v)
{
  const size_t vector = wn_multigrid_gpu_vector(l);
  float **const to[] = {&v->c[0],   &v->c[1], &v->c[2], &v->inverse,
                        &v->weight, &v->x,    &v->b,    &v->r};
  float *const from[] = {l->c[0],   l->c[1], l->c[2], l->inverse,
                         l->weight, NULL,    NULL,    NULL};
  v->dim = l->dim;
  v->colours = l->colours;
  v->first = (int64_t)l->first;
  for (int i = 0; i < 8; i++) {
    if (i == 2 && l->dim < 3)
      continue;
    *to[i] = at->floats;
    at->floats += vector;
    if (from[i] != NULL)
      WN_TRY(copy(m, *to[i], from[i], l->size * sizeof(float)));
    else
      WN_TRY(wn_gpu_check(
          (int)cudaMemsetAsync(*to[i], 0, vector * sizeof(float), m->head.gpu->stream),
          "multigrid"));
  }
  for (int d = 0; d < 3; d++) {
    const struct wn_multigrid_axis *a = &l->axis[d];
    uint8_t *flags = (uint8_t *)wn_alloc((size_t)a->n, 1);
    if (flags == NULL)
      return WN_ENOMEM;
    for (int32_t i = 0; i < a->n; i++) /* beside: bit 0 low, bit 1 high */
      flags[i] = is_last ? 0 : (uint8_t)(a->is_between[i] | a->beside[i] << 1);
    v->n[d] = a->n;
    v->n_kept[d] = a->n_kept;
    v->wraps[d] = a->is_periodic;
    v->step[d] = (int64_t)l->step[d];
    v->flags[d] = at->flags;
    int status = copy(m, at->flags, flags, (size_t)a->n);
    free(flags);
    if (status == WN_OK && !is_last)
      status = copy(m, at->integers, a->kept, (size_t)a->n_kept * sizeof *a->kept);
    WN_TRY(status);
    v->kept[d] = is_last ? NULL : at->integers;
    at->flags += a->n;
    at->integers += a->n;
  }
  return WN_OK;
}

/* The inverse of the matrix of the coarsest grid, a column at a time by its factors. */
static int upload_bottom(struct multigrid *m, const struct wn_multigrid_bottom *b,
                         struct cursor *at)
{
  const size_t n = b->n;
  double *inverse = (double *)wn_alloc(n * n + 1, sizeof *inverse);
  int32_t *node = (int32_t *)wn_alloc(n + 1, sizeof *node);
  int status = inverse != NULL && node != NULL ? WN_OK : WN_ENOMEM;
  for (size_t c = 0; c < n && status == WN_OK; c++) {
    double *v = inverse + c * n;
    node[c] = (int32_t)b->node[c];
    v[c] = 1.0;
    for (size_t i = 0; i < n; i++)
      for (size_t j = 0; j < i; j++)
        v[i] -= b->factor[i * n + j] * v[j];
    for (size_t i = n; i-- > 0;) {
      v[i] *= b->factor[i * n + i];
      for (size_t j = i + 1; j < n; j++)
        v[i] -= b->factor[j * n + i] * v[j];
    }
  }
  m->n_bottom = (int32_t)n;
  m->inverse = at->doubles;
  m->bottom = at->integers;
  if (status == WN_OK)
    status = copy(m, at->doubles, inverse, n * n * sizeof *inverse);
  if (status == WN_OK)
    status = copy(m, at->integers, node, n * sizeof *node);
  at->doubles += n * n;
  at->integers += n;
  free(inverse);
  free(node);
  return status;
}

static int upload_equation(struct multigrid *m, const struct wn_multigrid_solver *host,
                           struct cursor *at)
{
  const struct wn_poisson_spec *s = &m->head.spec;
  const struct wn_multigrid_level *l = &host->levels.level[0];
  struct equation *e = &m->e;
  double **const vectors[] = {&e->x, &e->r, &e->p, &e->q};
  e->v = m->view[0];
  e->size = (int64_t)l->size;
  for (int i = 0; i < 4; i++) {
    *vectors[i] = at->doubles;
    at->doubles += l->size;
    WN_TRY(wn_gpu_check((int)cudaMemsetAsync(*vectors[i], 0, l->size * sizeof(double),
                                             m->head.gpu->stream),
                        "multigrid"));
  }
  for (int i = 0; i < WN_MULTIGRID_KEPT; i++) /* p and q are two arrays of floats each */
    e->kept[i] = i == 0 ? e->v.r : (float *)(i < 3 ? e->p : e->q) + (i - 1) % 2 * l->size;
  for (int d = 0; d < 3; d++) {
    e->of_phi[d] = (int64_t)host->step[d];
    e->nodes_of_phi[d] = (int32_t)host->n[d];
    WN_TRY(copy(m, at->doubles, host->measure[d], host->n[d] * sizeof(double)));
    e->measure[d] = at->doubles;
    at->doubles += host->n[d];
    WN_TRY(copy(m, at->doubles, host->over[d], (host->n[d] + 1) * sizeof(double)));
    e->over[d] = at->doubles;
    at->doubles += host->n[d] + 1;
    if (d < s->dim && s->edge[d] != NULL) {
      WN_TRY(copy(m, at->doubles, s->edge[d], host->nodes * sizeof(double)));
      e->edge[d] = at->doubles;
      at->doubles += host->nodes;
    }
  }
  e->volt = at->doubles;
  at->doubles += m->n_volt;
  e->partial = at->doubles;
  e->blocks = (int32_t)wn_multigrid_gpu_blocks(l);
  at->doubles += WN_MULTIGRID_SUMS * (size_t)e->blocks;
  e->scalar = at->doubles;
  at->doubles += WN_MULTIGRID_SCALARS;
  WN_TRY(wn_gpu_check((int)cudaMemsetAsync(e->scalar, 0,
                                           WN_MULTIGRID_SCALARS * sizeof(double),
                                           m->head.gpu->stream),
                      "multigrid"));
  int32_t *giver = (int32_t *)wn_alloc(l->size, sizeof *giver);
  if (giver == NULL)
    return WN_ENOMEM;
  for (size_t i = 0; i < l->size; i++) /* beyond an end, too */
    giver[i] = -1;
  WN_MULTIGRID_ROWS(l)
  for (int32_t i = 0; i < l->axis[0].n; i++) {
    const size_t node[3] = {(size_t)i, (size_t)j, (size_t)k};
    giver[wn_multigrid_row(l, j, k) + (size_t)i] = wn_multigrid_giver(host, node);
  }
  e->giver = at->integers;
  const int status = copy(m, at->integers, giver, l->size * sizeof *giver);
  at->integers += l->size;
  free(giver);
  return status;
}

static int allocate(struct multigrid *m)
{
  struct wn_gpu *g = m->head.gpu;
  void *now = NULL, *grids = NULL;
  WN_TRY(wn_gpu_array(g, "multigrid", m->room.floats, &m->floats));
  WN_TRY(wn_gpu_array(g, "multigrid", m->room.doubles, &m->doubles));
  WN_TRY(wn_gpu_array(g, "multigrid", m->room.integers, &m->integers));
  WN_TRY(wn_gpu_array(g, "multigrid", m->room.flags, &m->flags));
  WN_TRY(wn_gpu_alloc(g, "multigrid", WN_MULTIGRID_VIEWS, &grids));
  m->grids = (struct view *)grids;
  WN_TRY(wn_gpu_pinned("multigrid", 2 * sizeof *m->now, &now));
  m->now = (double *)now;
  return WN_OK;
}

static int upload(struct multigrid *m, const struct wn_multigrid_solver *host)
{
  const struct wn_multigrid_levels *levels = &host->levels;
  struct cursor at = {m->floats, m->doubles, m->integers, m->flags};
  m->n_grids = levels->n;
  struct wn_multigrid_lines *lines =
      (struct wn_multigrid_lines *)wn_alloc(WN_MULTIGRID_LEVELS, sizeof *lines);
  int status = lines != NULL ? wn_multigrid_lines_create(host, lines) : WN_ENOMEM;
  for (int i = 0; i < levels->n && status == WN_OK; i++) {
    struct view *v = &m->view[i];
    status = upload_level(m, &levels->level[i], i + 1 == levels->n, &at, v);
    v->e = v->x;
    if (status == WN_OK && wn_multigrid_gpu_marches(levels, i)) {
      v->e = v->r;
      status = upload_tiles(m, host, &lines[i], i, &at, v);
    }
  }
  if (lines != NULL)
    wn_multigrid_lines_free(lines);
  free(lines);
  WN_TRY(status);
  WN_TRY(upload_equation(m, host, &at));
  WN_TRY(upload_bottom(m, &levels->bottom, &at));
  WN_TRY(copy(m, m->grids, m->view, sizeof m->view));
  return wn_gpu_wait(m->head.gpu, "multigrid");
}

/* ---- launches */

template <class F> static int run(const struct multigrid *m, const F &f, uint32_t n)
{
  each<<<wn_gpu_stride_blocks(m->head.gpu, n), WN_GPU_STRIDE_BLOCK, 0,
         m->head.gpu->stream>>>(f, n);
  return wn_gpu_check((int)cudaGetLastError(), "multigrid");
}

template <int what> static int sum(const struct multigrid *m, const double *rho)
{
  const uint32_t n = nodes_of(&m->e.v);
  unsigned int blocks = wn_gpu_stride_blocks(m->head.gpu, n);
  blocks = blocks < WN_MULTIGRID_BLOCKS ? blocks : WN_MULTIGRID_BLOCKS;
  add_up<what><<<blocks, WN_GPU_STRIDE_BLOCK, 0, m->head.gpu->stream>>>(m->e, rho, n);
  WN_TRY(wn_gpu_check((int)cudaGetLastError(), "multigrid"));
  conclude<<<1, WN_GPU_STRIDE_BLOCK, 0, m->head.gpu->stream>>>(m->e, what, blocks);
  return wn_gpu_check((int)cudaGetLastError(), "multigrid");
}

static uint32_t half_of(const struct view *v)
{
  return (uint32_t)(v->n[0] + 1) / 2 * (uint32_t)v->n[1] * (uint32_t)v->n[2];
}

static unsigned int ratio_up(int32_t n, int32_t by)
{
  return (unsigned int)((n + by - 1) / by);
}

/* Planes of a block, of n, at most `most`: those with which the last block ends first, where a block goes through `step`
 * planes for each and `more`, and a multiprocessor has `resident` blocks at a time.  Long blocks along an electrode would
 * be waited for. */
static int32_t planes(const struct multigrid *m, int32_t n, unsigned int columns,
                      int resident, int32_t step, int32_t more, int32_t most)
{
  const int64_t places = (int64_t)m->head.gpu->multiprocessors * resident;
  int64_t least = INT64_MAX;
  int32_t best = 1;
  for (int32_t many = 1; many <= n && many <= most; many++) {
    const int64_t blocks = (int64_t)columns * ratio_up(n, many),
                  steps = (blocks + places - 1) / places * (step * many + more);
    if (steps < least) {
      least = steps;
      best = many;
    }
  }
  return best;
}

enum {
  LEAVE_X = 32,
  LEAVE_Y = 16,
  LEAVE_OF_TWO = 256
}; /* pairs, rows; pairs of two dimensions */
/* Blocks at a time on a multiprocessor, by registers. */
enum { LEAVE_BLOCKS = 2, LEAVE_BLOCKS_OF_TWO = 4 };

/* The blocks of kernels whose threads have pairs of lines one after the other; *many: planes of a thread. */
static dim3 march_blocks(const struct multigrid *m, const struct view *v, int32_t *many)
{
  const int32_t pairs = (v->n[0] + 1) / 2 * (v->dim == 3 ? v->n[1] : 1),
                planes_of = v->n[v->dim - 1];
  dim3 grid(ratio_up(pairs, MARCH_THREADS), 1, 1);
  *many = planes(m, planes_of, grid.x, MARCH_BLOCKS, 1, 2, 16);
  grid.y = ratio_up(planes_of, *many);
  return grid;
}

static unsigned int leave_threads(const struct multigrid *m, const struct view *v)
{
  return v->n_leaves > 2 * m->head.gpu->multiprocessors ? LEAVE_THREADS / 4
                                                        : LEAVE_THREADS;
}

template <int DIM>
static int march_down(const struct multigrid *m, const struct view *v,
                      const struct view *next)
{
  constexpr int X = DIM == 3 ? LEAVE_X : LEAVE_OF_TWO, Y = DIM == 3 ? LEAVE_Y : 1;
  cudaStream_t stream = m->head.gpu->stream;
  int32_t many;
  const dim3 grid = march_blocks(m, v, &many);
  begin_lines<DIM><<<grid, MARCH_THREADS, 0, stream>>>(*v, many);
  WN_TRY(wn_gpu_check((int)cudaGetLastError(), "multigrid"));
  dim3 tiles(ratio_up(next->n[0], LEAVE_NODES(X)),
             DIM == 3 ? ratio_up(next->n[1], (Y - 1) / 2) : 1, 1);
  many = planes(m, next->n[DIM - 1], tiles.x * tiles.y,
                DIM == 3 ? LEAVE_BLOCKS : LEAVE_BLOCKS_OF_TWO, 2, 3, 16);
  tiles.z = ratio_up(next->n[DIM - 1], many);
  leave_lines<DIM, X, Y><<<tiles, dim3(X, Y), 0, stream>>>(*v, *next, many);
  if (v->n_leaves > 0)
    leave_bricks<DIM><<<v->n_leaves, leave_threads(m, v), 0, stream>>>(*v, *next);
  return wn_gpu_check((int)cudaGetLastError(), "multigrid");
}

template <int DIM>
static int march_up(const struct multigrid *m, const struct view *v,
                    const struct view *next)
{
  cudaStream_t stream = m->head.gpu->stream;
  int32_t many;
  const dim3 grid = march_blocks(m, v, &many);
  add_next<DIM><<<grid, MARCH_THREADS, 0, stream>>>(*v, *next, many);
  if (v->n_adds > 0)
    add_bricks<DIM><<<v->n_adds, BRICK_THREADS(DIM), 0, stream>>>(*v, *next);
  WN_TRY(wn_gpu_check((int)cudaGetLastError(), "multigrid"));
  smooth_lines<DIM, 0><<<grid, MARCH_THREADS, 0, stream>>>(*v, many);
  WN_TRY(wn_gpu_check((int)cudaGetLastError(), "multigrid"));
  smooth_lines<DIM, 1><<<grid, MARCH_THREADS, 0, stream>>>(*v, many);
  return wn_gpu_check((int)cudaGetLastError(), "multigrid");
}

/* Each stage of a cycle in a kernel of its own: grids of three colours. */
static int step_down(const struct multigrid *m, const struct view *v,
                     const struct view *next)
{
  WN_TRY(v->colours == 2 ? run(m, begin_both{*v}, nodes_of(v))
                         : run(m, begin_smoothing{*v}, nodes_of(v)));
  for (int colour = 1; colour < v->colours && v->colours > 2; colour++)
    WN_TRY(run(m, smooth{*v, colour}, half_of(v)));
  WN_TRY(run(m, leave{*v}, nodes_of(v)));
  for (int k = v->dim - 1; k > 0; k--)
    WN_TRY(run(m, gather{*v, k}, nodes_of(v)));
  return run(m, restrict_to{*v, *next}, nodes_of(next));
}

static int step_up(const struct multigrid *m, const struct view *v,
                   const struct view *next)
{
  WN_TRY(run(m, interpolate_from{*v, *next}, nodes_of(next)));
  for (int k = 1; k <= v->dim; k++)
    WN_TRY(run(m, interpolate{*v, k}, nodes_of(v)));
  for (int colour = 0; colour < v->colours; colour++)
    WN_TRY(run(m, smooth{*v, colour}, half_of(v)));
  return WN_OK;
}

static int cycle(const struct multigrid *m)
{
  int small = 0;
  while (small + 1 < m->n_grids && nodes_of(&m->view[small]) > WN_MULTIGRID_TAIL)
    small++;
  for (int i = 0; i < small; i++) {
    const struct view *v = &m->view[i], *next = v + 1;
    WN_TRY(v->brick == NULL ? step_down(m, v, next)
           : v->dim == 3    ? march_down<3>(m, v, next)
                            : march_down<2>(m, v, next));
  }
  tail<<<1, TAIL_THREADS, 0, m->head.gpu->stream>>>(m->grids, small, m->n_grids - 1,
                                                    m->n_bottom, m->inverse, m->bottom);
  WN_TRY(wn_gpu_check((int)cudaGetLastError(), "multigrid"));
  for (int i = small - 1; i >= 0; i--) {
    const struct view *v = &m->view[i], *next = v + 1;
    WN_TRY(v->brick == NULL ? step_up(m, v, next)
           : v->dim == 3    ? march_up<3>(m, v, next)
                            : march_up<2>(m, v, next));
  }
  return WN_OK;
}

/* ---- iterations */

/* The blocks of kernels of lines of the equation; *many: nodes of a line. */
static dim3 exact_blocks(const struct multigrid *m, int32_t *many)
{
  const struct view *v = &m->e.v;
  const int last = v->dim - 1;
  dim3 grid(1, 1, 1);
  if (v->dim == 3) {
    grid.x = ratio_up(v->n[0], DEFECT_ROW);
    grid.y = ratio_up(v->n[1], DEFECT_THREADS / DEFECT_ROW);
  } else
    grid.x = ratio_up(v->n[0], DEFECT_THREADS);
  const int32_t fit = m->e.blocks / (int32_t)(grid.x * grid.y),
                most = (int32_t)ratio_up(v->n[last], fit),
                few = planes(m, v->n[last], grid.x * grid.y, DEFECT_BLOCKS, 1, 1, 64);
  *many = few > most ? few : most; /* sums have room for so many blocks */
  grid.z = ratio_up(v->n[last], *many);
  return grid;
}

static int conclude_exact(const struct multigrid *m, enum sum what, const dim3 &grid)
{
  WN_TRY(wn_gpu_check((int)cudaGetLastError(), "multigrid"));
  conclude<<<1, WN_GPU_STRIDE_BLOCK, 0, m->head.gpu->stream>>>(m->e, what,
                                                               grid.x * grid.y * grid.z);
  return wn_gpu_check((int)cudaGetLastError(), "multigrid");
}

/* The norm of the residual of potential x; the residual where r, b are not NULL. */
template <class X>
static int find_norm(const struct multigrid *m, const double *rho, const X &x,
                     enum sum what, double *r, float *b)
{
  int32_t many;
  const dim3 grid = exact_blocks(m, &many);
  if (m->e.v.dim == 3)
    residual<3, X>
        <<<grid, DEFECT_THREADS, 0, m->head.gpu->stream>>>(m->e, rho, x, r, b, many);
  else
    residual<2, X>
        <<<grid, DEFECT_THREADS, 0, m->head.gpu->stream>>>(m->e, rho, x, r, b, many);
  return conclude_exact(m, what, grid);
}

static int fetch_norms(const struct multigrid *m)
{
  return wn_gpu_check((int)cudaMemcpyAsync(m->now, m->e.scalar + NOW, 2 * sizeof *m->now,
                                           cudaMemcpyDeviceToHost, m->head.gpu->stream),
                      "multigrid");
}

/* A cycle, its result kept where v.e of the finest grid is, and what it leaves of the residual. */
static int correct_once(const struct multigrid *m)
{
  int32_t many;
  const dim3 grid = exact_blocks(m, &many);
  WN_TRY(cycle(m));
  if (m->e.v.dim == 3)
    defect<3><<<grid, DEFECT_THREADS, 0, m->head.gpu->stream>>>(m->e, many);
  else
    defect<2><<<grid, DEFECT_THREADS, 0, m->head.gpu->stream>>>(m->e, many);
  WN_TRY(conclude_exact(m, OF_DEFECT, grid));
  return fetch_norms(m);
}

/* One iteration of conjugate gradients. */
static int iterate_once(const struct multigrid *m)
{
  const uint32_t n = nodes_of(&m->e.v);
  WN_TRY(cycle(m));
  WN_TRY(sum<OF_CYCLE>(m, NULL));
  WN_TRY(run(m, turn{m->e}, n));
  WN_TRY(sum<OF_PRODUCT>(m, NULL));
  WN_TRY(sum<OF_STEP>(m, NULL));
  return fetch_norms(m);
}

static int record(struct multigrid *m, int (*what)(const struct multigrid *),
                  cudaGraphExec_t *out)
{
  cudaStream_t stream = m->head.gpu->stream;
  cudaGraph_t graph = NULL;
  WN_TRY(
      wn_gpu_check((int)cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal),
                   "multigrid"));
  int status = what(m);
  const int ended = wn_gpu_check((int)cudaStreamEndCapture(stream, &graph), "multigrid");
  status = status == WN_OK ? ended : status;
  if (status == WN_OK)
    status = wn_gpu_check((int)cudaGraphInstantiate(out, graph, 0), "multigrid");
  if (graph != NULL)
    (void)cudaGraphDestroy(graph);
  return status;
}

/* Kernels count places of an array in 32 bits. */
static int places_fit(const struct wn_poisson_spec *spec)
{
  double places = 1.0;
  for (int d = 0; d < spec->dim; d++)
    places *= (double)spec->cells[d] + 3.0;
  if (places < (double)INT32_MAX)
    return 1;
  (void)WN_FAIL(WN_EINPUT,
                "multigrid on a GPU takes fewer than 2^31 nodes; the grid has %.3g",
                places);
  return 0;
}

static int create(struct wn_gpu *g, const struct wn_poisson_spec *spec,
                  struct wn_poisson_gpu **out)
{
  struct wn_poisson_spec on_host = *spec;
  struct wn_poisson *p = NULL;
  struct multigrid *m = (struct multigrid *)wn_alloc(1, sizeof *m);
  if (m == NULL)
    return WN_ENOMEM;
  m->head.gpu = g;
  m->head.spec = *spec;
  m->nodes = 1;
  for (int d = 0; d < spec->dim; d++)
    m->nodes *= spec->cells[d] + 1;
  m->n_volt = spec->geometry.held != NULL && spec->geometry.n_surfaces > 6
                  ? (size_t)spec->geometry.n_surfaces
                  : 6;
  on_host.threads = 0;
  int status = places_fit(spec) ? wn_gpu_use(g) : WN_EINPUT;
  if (status == WN_OK)
    status = wn_poisson_multigrid.create(&on_host, &p);
  if (status == WN_OK) {
    const struct wn_multigrid_solver *host =
        (const struct wn_multigrid_solver *)(const void *)p;
    m->room = wn_multigrid_gpu_room(host);
    m->is_floating = host->is_floating;
    m->nodes_of_arrays = host->levels.level[0].size;
    status = allocate(m);
    if (status == WN_OK)
      status = upload(m, host);
    if (m->view[0].brick != NULL)
      for (int i = WN_MULTIGRID_KEPT; i-- > 0 && status == WN_OK;) {
        m->view[0].e = m->e.v.e = m->e.kept[i]; /* the first at last, as in m->grids */
        status = record(m, correct_once, &m->correction[i]);
      }
    if (status == WN_OK)
      status = record(m, iterate_once, &m->iteration);
  }
  wn_poisson_free(p);
  if (status != WN_OK) {
    destroy(&m->head);
    return status;
  }
  *out = &m->head;
  return WN_OK;
}

/* ---- a solution */

/* Of squares of norms: a cycle that leaves more than 0.6 is slow; b is found anew below 1e-6 of what it was, but
 * where the end is within 3e-7 of that. */
#define SLOW      0.36
#define FAR_BELOW 1e-12
#define TRUSTED   1e-13
/* No cycle leaves less than 0.04: as many as are needed then are launched before one waits. */
#define LEAST 0.0016

static int send_volts(const struct multigrid *m, const double *volt)
{
  const struct wn_poisson_spec *s = &m->head.spec;
  const size_t given = s->geometry.held != NULL ? (size_t)s->geometry.n_surfaces : 6;
  double few[6] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
  for (size_t i = 0; i < given; i++) {
    const int is_side = i < 2 * (size_t)s->dim,
              is_given = is_side ? s->side[i] == WN_DIRICHLET : s->geometry.held != NULL;
    if (is_given && !isfinite(volt[i]))
      return WN_FAIL(WN_EINPUT, "a wall of %g V: a finite potential is needed", volt[i]);
    if (is_given && i < 6)
      few[i] = volt[i];
  }
  return given > 6 ? copy(m, m->e.volt, volt, given * sizeof *volt)
                   : copy(m, m->e.volt, few, sizeof few);
}

/* The residual of x, and its norm in m->now; `what` tells whether of zero, the charge's. */
static int find_residual(const struct multigrid *m, const double *rho, enum sum what)
{
  const uint32_t n = nodes_of(&m->e.v);
  WN_TRY(run(m, first_residual{m->e, rho}, n));
  if (m->is_floating) { /* what rounding left of the sum of residuals */
    WN_TRY(sum<OF_RESIDUAL>(m, rho));
    WN_TRY(run(m, take_share{m->e}, n));
  }
  return what == OF_CHARGE ? sum<OF_CHARGE>(m, rho) : sum<OF_SQUARES>(m, rho);
}

/* Whether one kernel finds the residual and b. */
static int is_exact_by_lines(const struct multigrid *m)
{
  return !m->is_floating && m->view[0].brick != NULL;
}

/* The residual of x as b, and its norm; as r, too, where conjugate gradients follow. */
static int start_anew(const struct multigrid *m, const double *rho, int is_gradients)
{
  if (is_exact_by_lines(m))
    WN_TRY(find_norm(m, rho, of_array{m->e.x}, OF_SQUARES, is_gradients ? m->e.r : NULL,
                     m->e.v.b));
  else {
    WN_TRY(find_residual(m, rho, OF_SQUARES));
    WN_TRY(run(m, to_floats{m->e}, nodes_of(&m->e.v)));
  }
  WN_TRY(fetch_norms(m));
  return wn_gpu_wait(m->head.gpu, "multigrid");
}

/* x and its residual; the norm of that of phi = 0. */
static int begin(const struct multigrid *m, const double *rho, const double *volt,
                 const double *phi)
{
  const uint32_t n = nodes_of(&m->e.v);
  WN_TRY(send_volts(m, volt));
  if (is_exact_by_lines(m))
    WN_TRY(find_norm(m, rho, of_given{m->e.giver, m->e.volt}, OF_CHARGE, NULL, NULL));
  else {
    WN_TRY(run(m, set_given{m->e}, n));
    if (m->is_floating)
      WN_TRY(sum<OF_RHO>(m, rho));
    WN_TRY(find_residual(m, rho, OF_CHARGE));
  }
  if (m->head.spec.starts_from_phi)
    WN_TRY(run(m, set_start{m->e, phi}, n));
  else
    WN_TRY(run(m, set_given{m->e}, n));
  return start_anew(m, rho, 0);
}

/* Cycles, at least 1, that are needed at any rate until the square of the norm is below `end`. */
static int cycles_to(double now, double end)
{
  int n = 1;
  for (now *= LEAST; now > end && n < WN_MULTIGRID_MOST; now *= LEAST)
    n++;
  return n;
}

/* x with what is kept. */
static int correct_all(const struct multigrid *m, int *kept)
{
  const int n = *kept;
  *kept = 0;
  return n > 0 ? run(m, correct{m->e, n}, (uint32_t)m->e.size) : WN_OK;
}

static int clear(const struct multigrid *m)
{
  const size_t bytes = m->nodes_of_arrays * sizeof(double);
  for (int i = 0; i < 2; i++)
    WN_TRY(wn_gpu_check(
        (int)cudaMemsetAsync(i ? m->e.q : m->e.p, 0, bytes, m->head.gpu->stream),
        "multigrid"));
  return WN_OK;
}

/* So many cycles, or one iteration of conjugate gradients. */
static int launch(const struct multigrid *m, int is_gradients, int many, int *kept)
{
  for (int i = 0; i < many; i++) {
    if (*kept == WN_MULTIGRID_KEPT)
      WN_TRY(correct_all(m, kept));
    WN_TRY(wn_gpu_check(
        (int)cudaGraphLaunch(is_gradients ? m->iteration : m->correction[*kept],
                             m->head.gpu->stream),
        "multigrid"));
    *kept += !is_gradients;
  }
  return wn_gpu_wait(m->head.gpu, "multigrid");
}

/* Until *m->now is below `end`: cycles, and conjugate gradients if these leave too much.  Floats hold b, from
 * which each cycle takes its flux, to 6e-8 of what b was: it is found anew where it has fallen far below.
 * kept: of the cycles' results, those that x lacks. */
static int iterate(struct multigrid *m, const double *rho, double end, int *iterations,
                   int *kept)
{
  int is_gradients = m->correction[0] == NULL, is_set = 0;
  double found = *m->now, before = *m->now;
  *iterations = *kept = 0;
  if (m->has_turned && !is_gradients) {
    WN_TRY(clear(m));
    m->has_turned = 0;
  }
  while (!(*m->now <= end)) { /* NaN fails */
    if (*iterations == WN_MULTIGRID_MOST || !isfinite(*m->now))
      return WN_OK;
    if (is_gradients && !is_set) {
      WN_TRY(clear(m));
      is_set = m->has_turned = 1;
    }
    const int is_trusted = end >= TRUSTED * found;
    int many = is_gradients
                   ? 1
                   : cycles_to(before, is_trusted ? end : fmax(end, FAR_BELOW * found));
    if (many > WN_MULTIGRID_MOST - *iterations)
      many = WN_MULTIGRID_MOST - *iterations;
    WN_TRY(launch(m, is_gradients, many, kept));
    *iterations += many;
    if (is_gradients)
      continue;
    const int is_slow = !(*m->now <= pow(SLOW, many) * before);
    if (is_slow || (*m->now < FAR_BELOW * found && !is_trusted)) {
      is_gradients = is_slow;
      WN_TRY(correct_all(m, kept));
      WN_TRY(start_anew(m, rho, is_gradients));
      found = *m->now;
    }
    before = *m->now;
  }
  return WN_OK;
}

static int solve(struct wn_poisson_gpu *head, const double *rho, const double volt[6],
                 double *phi)
{
  struct multigrid *m = of(head);
  const double tolerance = wn_multigrid_tolerance(&head->spec);
  int n, kept;
  WN_TRY(begin(m, rho, volt, phi));
  const double end = tolerance * tolerance * m->now[1];
  WN_TRY(iterate(m, rho, end, &n, &kept));
  m->cycles = n;
  if (!(*m->now <= end))
    return WN_FAIL(WN_ERUN,
                   "Poisson's equation: the residual is %.3g of the charge after %d "
                   "cycles of multigrid, not below %.3g",
                   tolerance * sqrt(*m->now / end), n, tolerance);
  if (m->is_floating) {
    WN_TRY(correct_all(m, &kept));
    WN_TRY(sum<OF_POTENTIAL>(m, rho));
  }
  return run(m, unload{m->e, phi, kept}, (uint32_t)m->nodes);
}

const struct wn_poisson_gpu_ops wn_poisson_gpu_multigrid = {create, solve, destroy, NULL,
                                                            NULL};
