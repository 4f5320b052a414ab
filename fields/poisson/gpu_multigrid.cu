/* fields/poisson/gpu_multigrid.cu - Poisson's equation by multigrid on a GPU: the method of multigrid.c, with
 * the grids and conductances that the host makes.
 *
 * One thread handles a node at a time.  Small grids take one block for all of a cycle that is below them.  The
 * coarsest is multiplied by the inverse of its matrix.  An iteration is one CUDA graph; after each, one number
 * comes to the host, which decides whether another is needed: unlike the other methods this waits.  Sums are
 * those of a fixed number of blocks, in their order: the same bits each time. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "fields/poisson/gpu.cuh"
#include "fields/poisson/gpu_multigrid.h"
#include "fields/poisson/gpu_multigrid_cycle.cuh"
#include "fields/poisson/parts.h"

/* ---- the equation in double precision */

struct equation {
  struct view v; /* the finest grid */
  int64_t of_phi[3];
  int32_t nodes_of_phi[3];
  const double *measure[3], *over[3], *edge[3];
  const int32_t *giver; /* as arrays of v: -1 is unknown */
  double *x, *r, *p, *q, *volt, *partial, *scalar;
};

enum { NOW, SCALE, ALPHA, BETA, BEFORE, RZ, TAKEN, SHARE, LEVEL };

static __device__ __forceinline__ double volume(const struct equation &e,
                                                const struct place &p)
{
  return e.measure[0][p.at[0]] * (e.measure[1][p.at[1]] * e.measure[2][p.at[2]]);
}

static __device__ __forceinline__ int64_t phi_of(const struct equation &e,
                                                 const int32_t at[3])
{
  return at[0] * e.of_phi[0] + at[1] * e.of_phi[1] + at[2] * e.of_phi[2];
}

/* The flux out of a node over eps0, of the potential x. */
static __device__ __forceinline__ double flux(const struct equation &e,
                                              const struct place &p, const double *x)
{
  const struct view &v = e.v;
  const double m[3] = {e.measure[0][p.at[0]], e.measure[1][p.at[1]],
                       e.measure[2][p.at[2]]},
               face[3] = {m[1] * m[2], m[0] * m[2], m[0] * m[1]};
  double sum = 0.0;
#pragma unroll
  for (int d = 0; d < 3; d++) {
    if (d >= v.dim)
      continue;
    double low = e.over[d][p.at[d]] * face[d], high = e.over[d][p.at[d] + 1] * face[d];
    if (e.edge[d] != NULL) {
      const int64_t at = phi_of(e, p.at);
      high *= e.edge[d][at];
      /* below node 0: round a periodic axis, or no flux */
      low *= e.edge[d][p.at[d] > 0 ? at - e.of_phi[d]
                                   : at + (e.nodes_of_phi[d] - 2) * e.of_phi[d]];
    }
    sum += low * (x[p.i] - x[below(v, p, d)]) + high * (x[p.i] - x[above(v, p, d)]);
  }
  return sum;
}

struct set_given {
  struct equation e;
  __device__ void operator()(uint32_t index) const
  {
    const struct place p = node_of(e.v, index);
    const int32_t from = e.giver[p.i];
    e.x[p.i] = from >= 0 ? e.volt[from] : 0.0;
    e.p[p.i] = e.q[p.i] = 0.0;
  }
};

struct first_residual {
  struct equation e;
  const double *rho;
  __device__ void operator()(uint32_t index) const
  {
    const struct place p = node_of(e.v, index);
    e.r[p.i] = e.v.inverse[p.i] > 0.0f
                   ? (rho[phi_of(e, p.at)] - e.scalar[TAKEN]) / WN_EPS0 * volume(e, p) -
                         flux(e, p, e.x)
                   : 0.0;
  }
};

struct take_share {
  struct equation e;
  __device__ void operator()(uint32_t index) const
  {
    const struct place p = node_of(e.v, index);
    e.r[p.i] -= e.scalar[SHARE] * volume(e, p);
  }
};

struct to_floats {
  struct equation e;
  __device__ void operator()(uint32_t index) const
  {
    const struct place p = node_of(e.v, index);
    e.v.b[p.i] = (float)(e.r[p.i] * e.scalar[SCALE]);
  }
};

struct turn {
  struct equation e;
  __device__ void operator()(uint32_t index) const
  {
    const struct place p = node_of(e.v, index);
    e.p[p.i] = (double)e.v.x[p.i] + e.scalar[BETA] * e.p[p.i];
  }
};

/* All nodes of phi, with the copies of periodic axes. */
struct unload {
  struct equation e;
  double *phi;
  __device__ void operator()(uint32_t index) const
  {
    int32_t at[3], from[3];
    uint32_t rest = index;
    for (int d = 0; d < 3; d++) {
      at[d] = (int32_t)(rest % (uint32_t)e.nodes_of_phi[d]);
      from[d] = at[d] % e.v.n[d];
      rest /= (uint32_t)e.nodes_of_phi[d];
    }
    phi[index] = e.x[place_of(e.v, from).i] - e.scalar[LEVEL];
  }
};

/* ---- sums: what each node gives to two, of all nodes */

enum sum { OF_RHO, OF_RESIDUAL, OF_SQUARES, OF_CYCLE, OF_PRODUCT, OF_STEP, OF_POTENTIAL };

static __device__ __forceinline__ void
give(const struct equation &e, int what, const double *rho, uint32_t index, double sum[2])
{
  const struct place p = node_of(e.v, index);
  switch (what) {
  case OF_RHO:
    sum[0] += rho[phi_of(e, p.at)] * volume(e, p);
    sum[1] += volume(e, p);
    break;
  case OF_RESIDUAL:
    sum[0] += e.r[p.i];
    sum[1] += volume(e, p);
    break;
  case OF_SQUARES:
    sum[0] += e.r[p.i] * e.r[p.i] * (double)e.v.inverse[p.i];
    sum[1] += e.r[p.i] * e.r[p.i];
    break;
  case OF_CYCLE:
    sum[0] += e.r[p.i] * (double)e.v.x[p.i];
    sum[1] += e.q[p.i] * (double)e.v.x[p.i];
    break;
  case OF_PRODUCT: { /* and the product itself */
    const double f = e.v.inverse[p.i] > 0.0f ? flux(e, p, e.p) : 0.0;
    e.q[p.i] = f;
    sum[0] += e.p[p.i] * f;
    break;
  }
  case OF_STEP: { /* and the step itself */
    const double r = e.r[p.i] - e.scalar[ALPHA] * e.q[p.i];
    e.x[p.i] += e.scalar[ALPHA] * e.p[p.i];
    e.r[p.i] = r;
    e.v.b[p.i] = (float)(r * e.scalar[SCALE]); /* of the next cycle */
    sum[0] += r * r * (double)e.v.inverse[p.i];
    break;
  }
  default:
    sum[0] += e.x[p.i] * volume(e, p);
    sum[1] += volume(e, p);
  }
}

/* Both sums of a block, in thread 0, in a fixed order. */
static __device__ void sum_block(double sum[2])
{
  __shared__ double of_warp[2][32];
  const unsigned int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (int k = 0; k < 2; k++) {
    for (unsigned int step = 16; step > 0; step /= 2)
      sum[k] += __shfl_down_sync(0xffffffffu, sum[k], step);
    if (lane == 0)
      of_warp[k][warp] = sum[k];
  }
  __syncthreads();
  if (threadIdx.x == 0)
    for (int k = 0; k < 2; k++) {
      sum[k] = 0.0;
      for (unsigned int w = 0; w < blockDim.x / 32; w++)
        sum[k] += of_warp[k][w];
    }
}

template <int what>
static __global__ void add_up(const __grid_constant__ struct equation e,
                              const double *rho, uint32_t n)
{
  double sum[2] = {0.0, 0.0};
  for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    give(e, what, rho, i, sum);
  sum_block(sum);
  if (threadIdx.x == 0)
    for (int k = 0; k < 2; k++)
      e.partial[k * WN_MULTIGRID_BLOCKS + blockIdx.x] = sum[k];
}

/* The sums of `blocks` blocks, and what follows from them; one block. */
static __global__ void conclude(const __grid_constant__ struct equation e, int what,
                                unsigned int blocks)
{
  double sum[2] = {0.0, 0.0};
  for (unsigned int i = threadIdx.x; i < blocks; i += blockDim.x)
    for (int k = 0; k < 2; k++)
      sum[k] += e.partial[k * WN_MULTIGRID_BLOCKS + i];
  sum_block(sum);
  if (threadIdx.x != 0)
    return;
  double *s = e.scalar;
  switch (what) {
  case OF_RHO:
    s[TAKEN] = sum[0] / sum[1];
    break;
  case OF_RESIDUAL:
    s[SHARE] = sum[0] / sum[1];
    break;
  case OF_SQUARES:
    s[NOW] = sum[0];
    s[SCALE] = sum[1] > 0.0 ? rsqrt(sum[1]) : 0.0;
    s[BEFORE] = 0.0;
    break;
  case OF_CYCLE:
    s[BETA] = s[BEFORE] != 0.0 ? -s[ALPHA] * sum[1] / s[BEFORE] : 0.0;
    s[RZ] = sum[0];
    break;
  case OF_PRODUCT:
    s[ALPHA] = s[RZ] / sum[0];
    s[BEFORE] = s[RZ];
    break;
  case OF_STEP:
    s[NOW] = sum[0];
    break;
  default:
    s[LEVEL] = sum[0] / sum[1];
  }
}

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
  int n_grids, is_floating;
  size_t nodes, n_volt;
  struct equation e;
  int32_t n_bottom;
  const double *inverse;
  const int32_t *bottom;
  double *now; /* pinned */
  cudaGraphExec_t iteration;
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
  for (int i = 0; i < 4; i++) {
    *vectors[i] = at->doubles;
    at->doubles += l->size;
    WN_TRY(wn_gpu_check((int)cudaMemsetAsync(*vectors[i], 0, l->size * sizeof(double),
                                             m->head.gpu->stream),
                        "multigrid"));
  }
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
  at->doubles += WN_MULTIGRID_SUMS * WN_MULTIGRID_BLOCKS;
  e->scalar = at->doubles;
  at->doubles += WN_MULTIGRID_SCALARS;
  WN_TRY(wn_gpu_check((int)cudaMemsetAsync(e->scalar, 0,
                                           WN_MULTIGRID_SCALARS * sizeof(double),
                                           m->head.gpu->stream),
                      "multigrid"));
  int32_t *giver = (int32_t *)wn_alloc(l->size, sizeof *giver);
  if (giver == NULL)
    return WN_ENOMEM;
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
  WN_TRY(wn_gpu_pinned("multigrid", sizeof *m->now, &now));
  m->now = (double *)now;
  return WN_OK;
}

static int upload(struct multigrid *m, const struct wn_multigrid_solver *host)
{
  const struct wn_multigrid_levels *levels = &host->levels;
  struct cursor at = {m->floats, m->doubles, m->integers, m->flags};
  m->n_grids = levels->n;
  for (int i = 0; i < levels->n; i++)
    WN_TRY(upload_level(m, &levels->level[i], i + 1 == levels->n, &at, &m->view[i]));
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

static int cycle(const struct multigrid *m)
{
  int small = 0;
  while (small + 1 < m->n_grids && nodes_of(&m->view[small]) > TAIL_NODES)
    small++;
  for (int i = 0; i < small; i++) {
    const struct view *v = &m->view[i], *next = v + 1;
    WN_TRY(v->colours == 2 ? run(m, begin_both{*v}, nodes_of(v))
                           : run(m, begin_smoothing{*v}, nodes_of(v)));
    for (int colour = 1; colour < v->colours && v->colours > 2; colour++)
      WN_TRY(run(m, smooth{*v, colour}, half_of(v)));
    WN_TRY(run(m, leave{*v}, nodes_of(v)));
    for (int k = v->dim - 1; k > 0; k--)
      WN_TRY(run(m, gather{*v, k}, nodes_of(v)));
    WN_TRY(run(m, restrict_to{*v, *next}, nodes_of(next)));
  }
  tail<<<1, TAIL_THREADS, 0, m->head.gpu->stream>>>(m->grids, small, m->n_grids - 1,
                                                    m->n_bottom, m->inverse, m->bottom);
  WN_TRY(wn_gpu_check((int)cudaGetLastError(), "multigrid"));
  for (int i = small - 1; i >= 0; i--) {
    const struct view *v = &m->view[i], *next = v + 1;
    WN_TRY(run(m, interpolate_from{*v, *next}, nodes_of(next)));
    for (int k = 1; k <= v->dim; k++)
      WN_TRY(run(m, interpolate{*v, k}, nodes_of(v)));
    for (int colour = v->colours - 1; colour >= 0; colour--)
      WN_TRY(run(m, smooth{*v, colour}, half_of(v)));
  }
  return WN_OK;
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
  return wn_gpu_check((int)cudaMemcpyAsync(m->now, m->e.scalar + NOW, sizeof *m->now,
                                           cudaMemcpyDeviceToHost, m->head.gpu->stream),
                      "multigrid");
}

static int record(struct multigrid *m)
{
  cudaStream_t stream = m->head.gpu->stream;
  cudaGraph_t graph = NULL;
  WN_TRY(
      wn_gpu_check((int)cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal),
                   "multigrid"));
  int status = iterate_once(m);
  const int ended = wn_gpu_check((int)cudaStreamEndCapture(stream, &graph), "multigrid");
  status = status == WN_OK ? ended : status;
  if (status == WN_OK)
    status =
        wn_gpu_check((int)cudaGraphInstantiate(&m->iteration, graph, 0), "multigrid");
  if (graph != NULL)
    (void)cudaGraphDestroy(graph);
  return status;
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
  int status = wn_gpu_use(g);
  if (status == WN_OK)
    status = wn_poisson_multigrid.create(&on_host, &p);
  if (status == WN_OK) {
    const struct wn_multigrid_solver *host =
        (const struct wn_multigrid_solver *)(const void *)p;
    m->room = wn_multigrid_gpu_room(host);
    m->is_floating = host->is_floating;
    status = allocate(m);
    if (status == WN_OK)
      status = upload(m, host);
    if (status == WN_OK)
      status = record(m);
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

static int begin(const struct multigrid *m, const double *rho, const double *volt)
{
  const uint32_t n = nodes_of(&m->e.v);
  WN_TRY(send_volts(m, volt));
  WN_TRY(run(m, set_given{m->e}, n));
  if (m->is_floating)
    WN_TRY(sum<OF_RHO>(m, rho));
  WN_TRY(run(m, first_residual{m->e, rho}, n));
  if (m->is_floating) { /* what rounding left of the sum of residuals */
    WN_TRY(sum<OF_RESIDUAL>(m, rho));
    WN_TRY(run(m, take_share{m->e}, n));
  }
  WN_TRY(sum<OF_SQUARES>(m, rho));
  return run(m, to_floats{m->e}, n);
}

static int solve(struct wn_poisson_gpu *head, const double *rho, const double volt[6],
                 double *phi)
{
  struct multigrid *m = of(head);
  cudaStream_t stream = head->gpu->stream;
  WN_TRY(begin(m, rho, volt));
  WN_TRY(wn_gpu_check((int)cudaMemcpyAsync(m->now, m->e.scalar + NOW, sizeof *m->now,
                                           cudaMemcpyDeviceToHost, stream),
                      "multigrid"));
  WN_TRY(wn_gpu_wait(head->gpu, "multigrid"));
  const double end = WN_MULTIGRID_TOLERANCE * WN_MULTIGRID_TOLERANCE * *m->now;
  for (int n = 0; !(*m->now <= end); n++) { /* NaN fails */
    if (n == WN_MULTIGRID_MOST || !isfinite(*m->now))
      return WN_FAIL(WN_ERUN,
                     "Poisson's equation: the residual is %.3g of the charge after %d "
                     "cycles of multigrid, not below %.3g",
                     WN_MULTIGRID_TOLERANCE * sqrt(*m->now / end), n,
                     WN_MULTIGRID_TOLERANCE);
    WN_TRY(wn_gpu_check((int)cudaGraphLaunch(m->iteration, stream), "multigrid"));
    WN_TRY(wn_gpu_wait(head->gpu, "multigrid"));
  }
  if (m->is_floating)
    WN_TRY(sum<OF_POTENTIAL>(m, rho));
  return run(m, unload{m->e, phi}, (uint32_t)m->nodes);
}

const struct wn_poisson_gpu_ops wn_poisson_gpu_multigrid = {create, solve, destroy, NULL,
                                                            NULL};
