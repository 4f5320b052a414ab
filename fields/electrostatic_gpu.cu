/* fields/electrostatic_gpu.cu - see electrostatic_gpu.h.  Each kernel is a loop over nodes;
 * what it does at one is what electrostatic.c does there, by the functions of
 * charge_nodes.h and poisson_stencil.h: rho has the same bits. */
#include "fields/electrostatic_gpu.h"
#include <stdlib.h>
#include "base/alloc.h"
#include "device/device.cuh"
#include "fields/charge_nodes.h"
#include "fields/deposit_gpu.h"
#include "fields/poisson_gpu.h"
#include "fields/poisson_parts.h"
#include "fields/poisson_stencil.h"
#include "physics/constants.h"

#define BLOCK      256
#define SUM_BLOCKS 1024 /* at most; not by the device, so that sums have one order */
#define SUMS       5    /* the first of struct wn_charge_sums */

/* What kernels know of a field. */
struct shape {
  struct wn_charge_nodes nodes;
  /* C/m3 that a quantum is at a node; halves of the cell are outside along 0, 1 or 2 of y
   * and z */
  double of_one[WN_FIELD_SPECIES][3];
  int32_t n_species;
  int32_t begin[3], end[3]; /* nodes along each axis where Poisson's equation holds */
  uint32_t along[3], n;     /* nodes, and of all */
  uint32_t padded_along[3], n_padded;
  int32_t floats; /* no side holds the potential */
  double volume;  /* of the domain */
  double cell;    /* of a cell */
  double per_h[3];
};

struct wn_electrostatic_gpu {
  struct wn_gpu *gpu;
  struct shape shape;
  struct wn_poisson_gpu *poisson;
  size_t n, n_padded, n_floats, n_species;
  int64_t *quanta;               /* [n_species][n_padded] */
  double *rho, *phi, *component; /* [n] */
  float *e;                      /* [n_padded][stride] */
  double *partial;               /* [SUM_BLOCKS][SUMS], then struct wn_charge_sums */
  unsigned int *arrived;         /* blocks that have summed; 0 between launches */
  /* pinned, so that the host sees them after any wait */
  uint64_t *misfits;
  struct wn_charge_sums *sums;
};

/* ---- charge */

/* Number i of a box of n[0] x n[1] x n[2]. */
template <int dim>
static __device__ void place(const uint32_t n[3], uint32_t i, int32_t at[dim])
{
  uint32_t rest = i;
#pragma unroll
  for (int d = 0; d < dim - 1; d++) {
    const uint32_t above = rest / n[d];
    at[d] = (int32_t)(rest - above * n[d]);
    rest = above;
  }
  at[dim - 1] = (int32_t)rest;
}

/* Neither at a side nor beside one, as most are: nothing but its own counts there. */
template <int dim>
static __device__ bool is_inner(const struct shape &s, const int32_t at[dim])
{
  bool inner = true;
#pragma unroll
  for (int d = 0; d < dim; d++)
    inner &= at[d] > 1 && at[d] < s.nodes.grid.cells[d] - 1;
  return inner;
}

/* The quanta of a species that belong to a node at a side, or one beside it. */
template <int dim>
static __device__ int64_t folded(const struct shape &s, const int32_t at[dim],
                                 const int64_t *quanta)
{
  const struct wn_grid_view *g = &s.nodes.grid;
  int32_t from[3][3];
  int n[3] = {1, 1, 1};
  int64_t sum = 0;
#pragma unroll
  for (int d = 0; d < dim; d++)
    n[d] = wn_nodes_folded(&s.nodes, d, wn_nodes_is_copy(&s.nodes, d, at[d]) ? 0 : at[d],
                           from[d]);
#pragma unroll
  for (int k = 0; k < (dim > 2 ? 3 : 1); k++)
#pragma unroll
    for (int j = 0; j < (dim > 1 ? 3 : 1); j++)
#pragma unroll
      for (int i = 0; i < 3; i++)
        if (i < n[0] && j < n[1] && k < n[2])
          sum += quanta[g->first + from[0][i] + (dim > 1 ? from[1][j] * g->step[1] : 0) +
                        (dim > 2 ? from[2][k] * g->step[2] : 0)];
  return sum;
}

/* One thread = MANY nodes at a time, whose quanta are on their way together.  Reads 8 bytes
 * a species, writes 8.  Of 256^3 cells and one species 257 us on an H200 (2026-11-22), four
 * times what a copy takes: places are divisions, and warps with an end of a row fold. */
#define MANY 4

template <int dim>
static __global__ void charge_kernel(const __grid_constant__ struct shape s,
                                     const int64_t *WN_RESTRICT quanta, double background,
                                     double *WN_RESTRICT rho, uint64_t *misfits)
{
  const struct wn_grid_view *g = &s.nodes.grid;
  for (uint32_t first = blockIdx.x * (MANY * BLOCK) + threadIdx.x; first < s.n;
       first += gridDim.x * (MANY * BLOCK)) {
    int32_t at[MANY][dim], own[MANY];
    bool inner[MANY];
    double sum[MANY];
#pragma unroll
    for (int m = 0; m < MANY; m++) {
      place<dim>(s.along, first + m * BLOCK, at[m]);
      own[m] = g->first;
      sum[m] = 0.0;
#pragma unroll
      for (int d = 0; d < dim; d++)
        own[m] += at[m][d] * g->step[d];
      inner[m] = is_inner<dim>(s, at[m]);
    }
    for (int k = 0; k < s.n_species; k++) {
      const int64_t *of = quanta + (size_t)k * s.n_padded;
      int64_t q[MANY];
#pragma unroll
      for (int m = 0; m < MANY; m++)
        q[m] = inner[m] ? of[own[m]] : 0;
#pragma unroll
      for (int m = 0; m < MANY; m++) {
        int halves = 0;
        if (!inner[m] && first + m * BLOCK < s.n) {
          q[m] = folded<dim>(s, at[m], of);
#pragma unroll
          for (int d = 1; d < dim; d++)
            halves += wn_nodes_is_end(&s.nodes, d, at[m][d]);
        }
        if ((uint64_t)q[m] >= (uint64_t)1 << 62)
          atomicAdd((unsigned long long *)misfits, 1ull);
        sum[m] += s.of_one[k][halves] * (double)q[m];
      }
    }
#pragma unroll
    for (int m = 0; m < MANY; m++) {
      sum[m] *= wn_nodes_is_end(&s.nodes, 0, at[m][0]) ? 2.0 : 1.0;
      if (first + m * BLOCK < s.n)
        rho[first + m * BLOCK] = background != 0.0 ? sum[m] + background : sum[m];
    }
  }
}

template <class Kernel1, class Kernel2, class Kernel3, class... Args>
static int launch(const struct wn_gpu *g, int dim, unsigned int blocks, const char *what,
                  Kernel1 one, Kernel2 two, Kernel3 three, Args... args)
{
  (dim == 1 ? one : dim == 2 ? two : three)<<<blocks, BLOCK, 0, g->stream>>>(args...);
  return wn_gpu_check((int)cudaGetLastError(), what);
}

/* A kernel of the dimension of f. */
#define LAUNCH(f, blocks, what, kernel, ...)                                             \
  launch((f)->gpu, (f)->shape.nodes.grid.dim, blocks, what, kernel<1>, kernel<2>,        \
         kernel<3>, __VA_ARGS__)

/* ---- E for the particles */

/* Component c where the padded node takes it from: of `modes` if given, else of phi. */
template <int dim, int c>
static __device__ float component(const struct shape &s, const int32_t node[dim],
                                  const double *modes, const double *phi)
{
  const struct wn_grid_view *g = &s.nodes.grid;
  const int staggered = g->gather == WN_GATHER_ENERGY;
  int32_t i = 0, step = 1, own = 1, own_at = 0;
  int sign = 1;
#pragma unroll
  for (int d = 0; d < dim; d++) {
    int turned = 1;
    const int32_t at =
        (int32_t)wn_nodes_beyond(&s.nodes, d, node[d], staggered && d == c, &turned);
    if (d == c) {
      sign = turned;
      own = step;
      own_at = at;
    }
    i += at * step;
    step *= (int32_t)s.along[d];
  }
  if (modes != NULL)
    return (float)(sign * modes[i]);
  const struct wn_poisson_stencil w =
      wn_poisson_stencil_at(g->cells[c], s.per_h[c], s.nodes.side[2 * c],
                            s.nodes.side[2 * c + 1], staggered, own_at);
  return (float)(sign * wn_poisson_stencil_of(&w, own, phi + (i - own_at * own)));
}

/* The same of an inner node, whose stencil is that of all of them. */
template <int dim, int c>
static __device__ float inner(const struct shape &s, int32_t i, const double *phi)
{
  const int staggered = s.nodes.grid.gather == WN_GATHER_ENERGY;
  const int32_t own = c == 0   ? 1
                      : c == 1 ? (int32_t)s.along[0]
                               : (int32_t)(s.along[0] * s.along[1]);
  const double w = staggered ? s.per_h[c] : 0.5 * s.per_h[c];
  return (float)(w * phi[staggered ? i : i - own] + -w * phi[i + own]);
}

template <int dim>
static __device__ float component_of(const struct shape &s, int c,
                                     const int32_t node[dim], const double *modes,
                                     const double *phi)
{
  if (dim > 2 && c == 2)
    return component<dim, dim - 1>(s, node, modes, phi);
  if (dim > 1 && c == 1)
    return component < dim, dim == 1 ? 0 : 1 > (s, node, modes, phi);
  return component<dim, 0>(s, node, modes, phi);
}

/* One thread = one node, or guard, at a time.  Reads phi, 8 bytes (its neighbours come out
 * of the caches), writes 4 bytes a component (16 in three dimensions).  Of 256^3 cells 211 us
 * on an H200 (2026-11-22), twice what a copy takes. */
template <int dim>
static __global__ void floats_kernel(const __grid_constant__ struct shape s, int only,
                                     const double *WN_RESTRICT modes,
                                     const double *WN_RESTRICT phi, float *WN_RESTRICT e)
{
  for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < s.n_padded;
       i += gridDim.x * blockDim.x) {
    int32_t node[dim];
    float of[3];
    place<dim>(s.padded_along, i, node);
#pragma unroll
    for (int d = 0; d < dim; d++)
      node[d] -= WN_GRID_GUARD;
    float *to = e + (size_t)i * (dim == 3 ? 4 : dim);
    if (only >= 0) {
      to[only] = component_of<dim>(s, only, node, modes, phi);
      continue;
    }
    if (is_inner<dim>(s, node)) {
      int32_t at = node[dim - 1];
#pragma unroll
      for (int d = dim - 2; d >= 0; d--)
        at = at * (int32_t)s.along[d] + node[d];
      of[0] = inner<dim, 0>(s, at, phi);
      of[1] = dim > 1 ? inner<dim, 1>(s, at, phi) : 0.0f;
      of[2] = dim > 2 ? inner<dim, 2>(s, at, phi) : 0.0f;
    } else {
#pragma unroll
      for (int c = 0; c < dim; c++)
        of[c] = component_of<dim>(s, c, node, NULL, phi);
    }
    if (dim == 3)
      *(float4 *)to = make_float4(of[0], of[1], of[2], 0.0f);
    else if (dim == 2)
      *(float2 *)to = make_float2(of[0], of[1]);
    else
      *to = of[0];
  }
}

/* ---- sums */

/* The sum over the block in thread 0, in one order. */
static __device__ double block_sum(double x, double shared[BLOCK / 32])
{
  for (int step = 16; step > 0; step /= 2)
    x += __shfl_down_sync(0xffffffffu, x, step);
  __syncthreads(); /* those who still read the last sum */
  if (threadIdx.x % 32 == 0)
    shared[threadIdx.x / 32] = x;
  __syncthreads();
  double sum = 0.0;
  for (int i = 0; i < BLOCK / 32; i++)
    sum += shared[i];
  return sum;
}

/* What a node, and the edges that begin there, add. */
template <int dim>
static __device__ void add_node(const struct shape &s, uint32_t i, const double *rho,
                                const double *phi, double sum[SUMS])
{
  const struct wn_charge_nodes *n = &s.nodes;
  int32_t at[dim], step = 1;
  double part[3] = {1.0, 1.0, 1.0};
  int held = 0, is_copy = 0;
  place<dim>(s.along, i, at);
  if (is_inner<dim>(s, at)) {
    const double here = phi[i], q = rho[i] * s.cell;
    sum[0] += q;
    sum[1] += q;
    sum[2] += 0.5 * q * here;
#pragma unroll
    for (int d = 0; d < dim; d++) {
      const double e = (here - phi[i + step]) * s.per_h[d];
      sum[3] += e * e;
      step *= (int32_t)s.along[d];
    }
    return;
  }
#pragma unroll
  for (int d = 0; d < dim; d++) {
    is_copy |= wn_nodes_is_copy(n, d, at[d]);
    part[d] = wn_nodes_is_end(n, d, at[d]) ? 0.5 : 1.0;
    held |= at[d] == 0 && wn_nodes_are_held(n, 2 * d);
    held |= at[d] == n->grid.cells[d] && wn_nodes_are_held(n, 2 * d + 1);
  }
  if (is_copy)
    return;
  const double here = phi[i], q = rho[i] * part[0] * part[1] * part[2] * s.cell;
  sum[0] += q;
  sum[1] += held ? 0.0 : q;
  sum[2] += 0.5 * q * here;
#pragma unroll
  for (int d = 0; d < dim; d++) {
    const int32_t cells = n->grid.cells[d];
    if (at[d] < cells) {
      const double others = part[d == 0 ? 1 : 0] * part[d == 2 ? 1 : 2];
      const double e = (here - phi[i + step]) * s.per_h[d];
      const int low = at[d] == 0 && wn_nodes_are_held(n, 2 * d),
                high = at[d] == cells - 1 && wn_nodes_are_held(n, 2 * d + 1);
      sum[3] += others * e * e;
      if (low != high)
        sum[4] += WN_EPS0 * others * (double)(high - low) * e * s.cell * s.per_h[d];
    }
    step *= (int32_t)s.along[d];
  }
}

/* Blocks add their nodes up; the last one that is ready adds up the blocks, and clears what
 * the next kernel finds. */
template <int dim>
static __global__ void sums_kernel(const __grid_constant__ struct shape s,
                                   const double *WN_RESTRICT rho,
                                   const double *WN_RESTRICT phi, double *partial,
                                   unsigned int *arrived, struct wn_charge_sums *out)
{
  __shared__ double shared[BLOCK / 32];
  __shared__ int is_last;
  double sum[SUMS] = {0.0, 0.0, 0.0, 0.0, 0.0};
  for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < s.n;
       i += gridDim.x * blockDim.x)
    add_node<dim>(s, i, rho, phi, sum);
  for (int k = 0; k < SUMS; k++) {
    const double all = block_sum(sum[k], shared);
    if (threadIdx.x == 0)
      partial[blockIdx.x * SUMS + k] = all;
  }
  if (threadIdx.x == 0) {
    __threadfence();
    is_last = atomicAdd(arrived, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (!is_last)
    return;
  __threadfence();
  double all[SUMS];
  for (int k = 0; k < SUMS; k++) {
    double mine = 0.0;
    for (unsigned int b = threadIdx.x; b < gridDim.x; b += blockDim.x)
      mine += ((volatile double *)partial)[b * SUMS + k];
    all[k] = block_sum(mine, shared);
  }
  if (threadIdx.x == 0) {
    const struct wn_charge_sums done = {all[0], all[1], all[2], all[3], all[4], 0.0, 0.0};
    *out = done;
    *arrived = 0;
  }
}

/* Of numbers from 0 on the order is that of their bits; no number is above all. */
static __device__ void raise(double *to, double x)
{
  for (int step = 16; step > 0; step /= 2) {
    const double other = __shfl_down_sync(0xffffffffu, x, step);
    x = other > x || isnan(other) ? other : x;
  }
  if (threadIdx.x % 32 == 0)
    atomicMax((unsigned long long *)to,
              (unsigned long long)__double_as_longlong(fabs(x)));
}

/* What wn_poisson_residual looks at; *sums has the charge. */
template <int dim>
static __global__ void
residual_kernel(const __grid_constant__ struct shape s, const double *WN_RESTRICT rho,
                const double *WN_RESTRICT phi, struct wn_charge_sums *sums)
{
  const double taken = s.floats ? sums->charge / s.volume : 0.0;
  double left = 0.0, largest = 0.0;
  for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < s.n;
       i += gridDim.x * blockDim.x) {
    int32_t at[dim], step = 1;
    int is_inside = 1;
    place<dim>(s.along, i, at);
#pragma unroll
    for (int d = 0; d < dim; d++)
      is_inside &= at[d] >= s.begin[d] && at[d] < s.end[d];
    if (!is_inside)
      continue;
    double sum = (rho[i] - taken) / WN_EPS0;
    if (is_inner<dim>(s, at)) {
#pragma unroll
      for (int d = 0; d < dim; d++) {
        const double h = s.nodes.grid.h[d];
        sum += ((phi[i - step] - phi[i]) + (phi[i + step] - phi[i])) / (h * h);
        step *= (int32_t)s.along[d];
      }
      left = fabs(sum) > left || isnan(sum) ? fabs(sum) : left;
      largest = fmax(largest, fabs(rho[i]));
      continue;
    }
#pragma unroll
    for (int d = 0; d < dim; d++) {
      sum += wn_poisson_second(s.nodes.grid.cells[d], s.nodes.grid.h[d],
                               wn_nodes_are_periodic(&s.nodes, d), step, phi + i, at[d]);
      step *= (int32_t)s.along[d];
    }
    left = fabs(sum) > left || isnan(sum) ? fabs(sum) : left;
    largest = fmax(largest, fabs(rho[i]));
  }
  raise(&sums->left, left);
  raise(&sums->largest, largest / WN_EPS0);
}

/* ---- life */

static struct shape shape_of(const struct wn_electrostatic_spec *spec)
{
  struct shape s = {};
  s.nodes = wn_charge_nodes(&spec->grid, &spec->poisson);
  s.n_species = (int32_t)spec->n_species;
  s.floats = wn_poisson_is_floating(&spec->poisson);
  s.n = s.n_padded = 1;
  s.volume = 1.0;
  s.cell = wn_nodes_cell(&spec->grid);
  for (size_t k = 0; k < spec->n_species; k++)
    for (int halves = 0; halves < 3; halves++)
      s.of_one[k][halves] = spec->charge[k] * wn_nodes_per_volume(&s.nodes,
                                                                  halves == 0   ? 1.0
                                                                  : halves == 1 ? 0.5
                                                                                : 0.25,
                                                                  1);
  for (int d = 0; d < 3; d++) {
    const int in = d < spec->grid.dim, cells = spec->grid.cells[d];
    s.along[d] = in ? (uint32_t)cells + 1 : 1;
    s.padded_along[d] = in ? s.along[d] + 2 * WN_GRID_GUARD : 1;
    s.n *= s.along[d];
    s.n_padded *= s.padded_along[d];
    if (!in)
      continue;
    s.per_h[d] = 1.0 / spec->grid.h[d];
    s.volume *= (double)cells * spec->grid.h[d];
    const struct wn_poisson_axis a = wn_poisson_axis(&spec->poisson, d);
    const int is_open = wn_poisson_is_open(&spec->poisson);
    s.begin[d] = is_open ? 1 : (int32_t)a.first;
    s.end[d] = is_open ? cells : (int32_t)(a.first + a.n);
  }
  return s;
}

static int zero(struct wn_electrostatic_gpu *f, void *memory, size_t bytes)
{
  return wn_gpu_check((int)cudaMemsetAsync(memory, 0, bytes, f->gpu->stream),
                      "grids of a field");
}

static int allocate(struct wn_electrostatic_gpu *f,
                    const struct wn_electrostatic_spec *spec)
{
  struct wn_gpu *g = f->gpu;
  void *memory = NULL;
  WN_TRY(wn_gpu_use(g));
  WN_TRY(
      wn_gpu_array(g, "charge of the species", f->n_species * f->n_padded, &f->quanta));
  WN_TRY(wn_gpu_array(g, "charge", f->n, &f->rho));
  WN_TRY(wn_gpu_array(g, "potential", f->n, &f->phi));
  WN_TRY(wn_gpu_array(g, "field", f->n, &f->component));
  WN_TRY(wn_gpu_array(g, "field", f->n_floats, &f->e));
  WN_TRY(wn_gpu_alloc(g, "sums of a field", WN_ELECTROSTATIC_GPU_SUMS, &memory));
  f->partial = (double *)memory;
  f->arrived = (unsigned int *)(f->partial + SUM_BLOCKS * SUMS +
                                sizeof(struct wn_charge_sums) / sizeof(double));
  WN_TRY(zero(f, memory, WN_ELECTROSTATIC_GPU_SUMS));
  WN_TRY(wn_gpu_pinned("sums of a field", sizeof *f->sums, &memory));
  f->sums = (struct wn_charge_sums *)memory;
  WN_TRY(wn_gpu_pinned("sums of a field", sizeof *f->misfits, &memory));
  f->misfits = (uint64_t *)memory;
  *f->misfits = 0;
  WN_TRY(zero(f, f->quanta, f->n_species * f->n_padded * sizeof *f->quanta));
  WN_TRY(zero(f, f->e, f->n_floats * sizeof *f->e));
  return wn_poisson_gpu_create(g, &spec->poisson, &f->poisson);
}

static_assert(WN_ELECTROSTATIC_GPU_SUMS >= SUM_BLOCKS * SUMS * sizeof(double) +
                                               sizeof(struct wn_charge_sums) +
                                               sizeof(unsigned int),
              "memory of the sums");

void wn_electrostatic_gpu_free(struct wn_electrostatic_gpu *f)
{
  if (f == NULL)
    return;
  struct wn_gpu *g = f->gpu;
  wn_poisson_gpu_free(f->poisson);
  if (wn_gpu_works(g)) {
    wn_gpu_release(g, f->quanta, f->n_species * f->n_padded * sizeof *f->quanta);
    wn_gpu_release(g, f->rho, f->n * sizeof *f->rho);
    wn_gpu_release(g, f->phi, f->n * sizeof *f->phi);
    wn_gpu_release(g, f->component, f->n * sizeof *f->component);
    wn_gpu_release(g, f->e, f->n_floats * sizeof *f->e);
    wn_gpu_release(g, f->partial, WN_ELECTROSTATIC_GPU_SUMS);
    wn_gpu_release_pinned(f->sums);
    wn_gpu_release_pinned(f->misfits);
  }
  free(f);
}

int wn_electrostatic_gpu_create(const struct wn_electrostatic_spec *spec,
                                struct wn_electrostatic_gpu **out)
{
  WN_TRY(wn_poisson_check(&spec->poisson));
  struct wn_electrostatic_gpu *f = (struct wn_electrostatic_gpu *)wn_alloc(1, sizeof *f);
  if (f == NULL)
    return WN_ENOMEM;
  f->gpu = spec->gpu;
  f->shape = shape_of(spec);
  f->n = f->shape.n;
  f->n_padded = f->shape.n_padded;
  f->n_floats = f->n_padded * (size_t)spec->grid.stride;
  f->n_species = spec->n_species;
  int status = allocate(f, spec);
  if (status != WN_OK) {
    wn_electrostatic_gpu_free(f);
    return status;
  }
  *out = f;
  return WN_OK;
}

/* ---- the step */

int wn_electrostatic_gpu_clear(struct wn_electrostatic_gpu *f, size_t first, size_t n)
{
  WN_TRY(wn_gpu_use(f->gpu));
  return zero(f, f->quanta + first * f->n_padded, n * f->n_padded * sizeof *f->quanta);
}

int wn_electrostatic_gpu_deposit(struct wn_electrostatic_gpu *f, size_t k,
                                 const struct wn_points *m, const struct wn_particles *p)
{
  return wn_deposit_gpu_points(f->gpu, m, p, f->quanta + k * f->n_padded, f->misfits);
}

static int launch_floats(struct wn_electrostatic_gpu *f, int only, const double *modes)
{
  return LAUNCH(f, wn_gpu_stride_blocks(f->gpu, f->n_padded), "field", floats_kernel,
                f->shape, only, modes, f->phi, f->e);
}

int wn_electrostatic_gpu_solve(struct wn_electrostatic_gpu *f, double background,
                               const double volt[6])
{
  const struct wn_grid_view *g = &f->shape.nodes.grid;
  const int staggered = g->gather == WN_GATHER_ENERGY;
  int modes = 0;
  WN_TRY(wn_gpu_use(f->gpu));
  WN_TRY(LAUNCH(f, wn_gpu_stride_blocks(f->gpu, f->n), "charge", charge_kernel, f->shape,
                f->quanta, background, f->rho, f->misfits));
  WN_TRY(wn_poisson_gpu_solve(f->poisson, f->rho, volt, f->phi));
  for (int d = 0; d < g->dim; d++)
    modes |= wn_poisson_gpu_has_modes(f->poisson, d, staggered);
  if (!modes)
    return launch_floats(f, -1, NULL);
  for (int d = 0; d < g->dim; d++) {
    const int has = wn_poisson_gpu_has_modes(f->poisson, d, staggered);
    if (has)
      WN_TRY(wn_poisson_gpu_field(f->poisson, f->phi, d, staggered, f->component));
    WN_TRY(launch_floats(f, d, has ? f->component : NULL));
  }
  return WN_OK;
}

const float *wn_electrostatic_gpu_floats(const struct wn_electrostatic_gpu *f)
{
  return f->e;
}

/* ---- to the host */

int wn_electrostatic_gpu_misfits(const struct wn_electrostatic_gpu *f)
{
  const uint64_t n = *(volatile const uint64_t *)f->misfits;
  if (n == 0)
    return WN_OK;
  return WN_FAIL(WN_ERUN,
                 "the weights of %llu particles are below 0, not a number, or too large "
                 "for the charge on a grid, which counts to 2^62 parts of 2^-20",
                 (unsigned long long)n);
}

static int fetch(struct wn_electrostatic_gpu *f, const void *from, void *to, size_t bytes)
{
  WN_TRY(wn_gpu_use(f->gpu));
  WN_TRY(wn_gpu_check(
      (int)cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, f->gpu->stream),
      "copying a field to the host"));
  WN_TRY(wn_gpu_wait(f->gpu, "copying a field to the host"));
  return wn_electrostatic_gpu_misfits(f);
}

int wn_electrostatic_gpu_quanta(struct wn_electrostatic_gpu *f, size_t k, int64_t *quanta)
{
  return fetch(f, f->quanta + k * f->n_padded, quanta, f->n_padded * sizeof *quanta);
}

int wn_electrostatic_gpu_charge(struct wn_electrostatic_gpu *f, double *rho)
{
  return fetch(f, f->rho, rho, f->n * sizeof *rho);
}

int wn_electrostatic_gpu_potential(struct wn_electrostatic_gpu *f, double *phi)
{
  return fetch(f, f->phi, phi, f->n * sizeof *phi);
}

int wn_electrostatic_gpu_e(struct wn_electrostatic_gpu *f, int d, double *e)
{
  WN_TRY(wn_poisson_gpu_field(f->poisson, f->phi, d, 0, f->component));
  return fetch(f, f->component, e, f->n * sizeof *e);
}

int wn_electrostatic_gpu_sums(struct wn_electrostatic_gpu *f, struct wn_charge_sums *out)
{
  const size_t wanted = (f->n + 4 * BLOCK - 1) / (4 * BLOCK);
  const unsigned int blocks = (unsigned int)(wanted < SUM_BLOCKS ? wanted : SUM_BLOCKS);
  struct wn_charge_sums *there =
      (struct wn_charge_sums *)(f->partial + SUM_BLOCKS * SUMS);
  WN_TRY(wn_gpu_use(f->gpu));
  WN_TRY(LAUNCH(f, blocks, "sums of a field", sums_kernel, f->shape, f->rho, f->phi,
                f->partial, f->arrived, there));
  WN_TRY(LAUNCH(f, blocks, "residual of a field", residual_kernel, f->shape, f->rho,
                f->phi, there));
  WN_TRY(fetch(f, there, f->sums, sizeof *f->sums));
  *out = *f->sums;
  return WN_OK;
}
