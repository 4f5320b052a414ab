/* fields/electrostatic_gpu.cu - see electrostatic_gpu.h.  Each kernel is a loop over nodes;
 * what it does at one is what electrostatic.c does there, by the functions of
 * charge_nodes.h and poisson/stencil.h: rho has the same bits. */
#include "fields/electrostatic_gpu.cuh"
#include <stdlib.h>
#include "base/alloc.h"
#include "fields/deposit_gpu.h"
#include "fields/poisson/parts.h"
#include "fields/poisson/stencil.h"
#include "physics/constants.h"

#define MANY 4 /* nodes of a thread of charge_kernel that are on their way together */

/* ---- charge */

/* The quanta of a species that belong to a node at a side, or one beside it. */
template <int dim>
static __device__ int64_t folded(const struct wn_field_shape &s, const int32_t at[dim],
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

/* One thread = MANY nodes at a time.  Reads 8 bytes
 * a species, writes 8.  Of 256^3 cells and one species 257 us on an H200 (2026-11-22), four
 * times what a copy takes: places are divisions, and warps with an end of a row fold. */
template <int dim>
static __global__ void charge_kernel(const __grid_constant__ struct wn_field_shape s,
                                     const int64_t *WN_RESTRICT quanta, double background,
                                     double *WN_RESTRICT rho, uint64_t *misfits)
{
  const struct wn_grid_view *g = &s.nodes.grid;
  for (uint32_t first = blockIdx.x * (MANY * WN_FIELD_BLOCK) + threadIdx.x; first < s.n;
       first += gridDim.x * (MANY * WN_FIELD_BLOCK)) {
    int32_t at[MANY][dim], own[MANY];
    bool inner[MANY];
    double sum[MANY];
#pragma unroll
    for (int m = 0; m < MANY; m++) {
      wn_field_place<dim>(s.along, first + m * WN_FIELD_BLOCK, at[m]);
      own[m] = g->first;
      sum[m] = 0.0;
#pragma unroll
      for (int d = 0; d < dim; d++)
        own[m] += at[m][d] * g->step[d];
      inner[m] = wn_field_is_inner<dim>(s, at[m]);
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
        if (!inner[m] && first + m * WN_FIELD_BLOCK < s.n) {
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
      if (first + m * WN_FIELD_BLOCK < s.n)
        rho[first + m * WN_FIELD_BLOCK] =
            background != 0.0 ? sum[m] + background : sum[m];
    }
  }
}

/* ---- E for the particles */

/* Component c where the padded node takes it from: of `modes` if given, else of phi. */
template <int dim, int c>
static __device__ float component(const struct wn_field_shape &s, const int32_t node[dim],
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
static __device__ float inner(const struct wn_field_shape &s, int32_t i,
                              const double *phi)
{
  const int staggered = s.nodes.grid.gather == WN_GATHER_ENERGY;
  const int32_t own = c == 0   ? 1
                      : c == 1 ? (int32_t)s.along[0]
                               : (int32_t)(s.along[0] * s.along[1]);
  const double w = staggered ? s.per_h[c] : 0.5 * s.per_h[c];
  return (float)(w * phi[staggered ? i : i - own] + -w * phi[i + own]);
}

template <int dim>
static __device__ float component_of(const struct wn_field_shape &s, int c,
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
static __global__ void floats_kernel(const __grid_constant__ struct wn_field_shape s,
                                     int only, const double *WN_RESTRICT modes,
                                     const double *WN_RESTRICT phi, float *WN_RESTRICT e)
{
  for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < s.n_padded;
       i += gridDim.x * blockDim.x) {
    int32_t node[dim];
    float of[3];
    wn_field_place<dim>(s.padded_along, i, node);
#pragma unroll
    for (int d = 0; d < dim; d++)
      node[d] -= WN_GRID_GUARD;
    float *to = e + (size_t)i * (dim == 3 ? 4 : dim);
    if (only >= 0) {
      to[only] = component_of<dim>(s, only, node, modes, phi);
      continue;
    }
    if (wn_field_is_inner<dim>(s, node)) {
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

/* ---- life */

static struct wn_field_shape shape_of(const struct wn_electrostatic_spec *spec)
{
  struct wn_field_shape s = {};
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
  f->arrived = (unsigned int *)(f->partial + WN_FIELD_SUM_BLOCKS * WN_FIELD_SUMS +
                                sizeof(struct wn_charge_sums) / sizeof(double));
  f->compared = (uint64_t *)memory + WN_ELECTROSTATIC_GPU_SUMS / sizeof(uint64_t) - 2;
  WN_TRY(zero(f, memory, WN_ELECTROSTATIC_GPU_SUMS));
  WN_TRY(wn_gpu_pinned("sums of a field", sizeof *f->sums, &memory));
  f->sums = (struct wn_charge_sums *)memory;
  WN_TRY(wn_gpu_pinned("sums of a field", sizeof *f->misfits, &memory));
  f->misfits = (uint64_t *)memory;
  *f->misfits = 0;
  WN_TRY(wn_gpu_pinned("sums of a field", sizeof *f->differs, &memory));
  f->differs = (struct wn_charge_differs *)memory;
  f->differs->is = 0;
  WN_TRY(zero(f, f->quanta, f->n_species * f->n_padded * sizeof *f->quanta));
  WN_TRY(zero(f, f->e, f->n_floats * sizeof *f->e));
  return spec->in_slabs ? (int)WN_OK
                        : wn_poisson_gpu_create(g, &spec->poisson, &f->poisson);
}

static_assert(WN_ELECTROSTATIC_GPU_SUMS >=
                  WN_FIELD_SUM_BLOCKS * WN_FIELD_SUMS * sizeof(double) +
                      sizeof(struct wn_charge_sums) + 2 * sizeof(unsigned int) +
                      2 * sizeof(uint64_t),
              "memory of the sums");

void wn_electrostatic_gpu_free(struct wn_electrostatic_gpu *f)
{
  if (f == NULL)
    return;
  struct wn_gpu *g = f->gpu;
  wn_poisson_gpu_free(f->poisson);
  free(f->passing);
  if (wn_gpu_works(g)) {
    wn_gpu_release(g, f->quanta, f->n_species * f->n_padded * sizeof *f->quanta);
    wn_gpu_release(g, f->rho, f->n * sizeof *f->rho);
    wn_gpu_release(g, f->phi, f->n * sizeof *f->phi);
    wn_gpu_release(g, f->component, f->n * sizeof *f->component);
    wn_gpu_release(g, f->e, f->n_floats * sizeof *f->e);
    wn_gpu_release(g, f->partial, WN_ELECTROSTATIC_GPU_SUMS);
    wn_gpu_release_pinned(f->sums);
    wn_gpu_release_pinned(f->misfits);
    wn_gpu_release_pinned(f->differs);
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
  f->n = spec->in_slabs ? 0 : f->shape.n; /* rho, phi and its solver are elsewhere */
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
                                 const struct wn_points *m, struct wn_particles *p,
                                 size_t first)
{
  int64_t *to = f->quanta + k * f->n_padded;
  return p->record.no_t_left
             ? wn_deposit_gpu_points(f->gpu, WN_DEPOSIT_AUTO, m, p, first, to, f->misfits)
             : wn_deposit_gpu_electrons(f->gpu, m, p, first, to, f->misfits);
}

int wn_electrostatic_gpu_compare(struct wn_electrostatic_gpu *f, size_t k,
                                 const struct wn_points *m, const struct wn_particles *p)
{
  return wn_charge_gpu_compare(f->gpu, m, p, f->quanta + k * f->n_padded, k, f->compared,
                               f->differs);
}

static int launch_floats(struct wn_electrostatic_gpu *f, int only, const double *modes)
{
  return WN_FIELD_LAUNCH(f, wn_gpu_stride_blocks(f->gpu, f->n_padded), "field",
                         floats_kernel, f->shape, only, modes, f->phi, f->e);
}

int wn_electrostatic_gpu_solve(struct wn_electrostatic_gpu *f, double background,
                               const double volt[6])
{
  const struct wn_grid_view *g = &f->shape.nodes.grid;
  const int staggered = g->gather == WN_GATHER_ENERGY;
  int modes = 0;
  f->has_begun = 0;
  WN_TRY(wn_gpu_use(f->gpu));
  WN_TRY(WN_FIELD_LAUNCH(f, wn_gpu_stride_blocks(f->gpu, f->n), "charge", charge_kernel,
                         f->shape, f->quanta, background, f->rho, f->misfits));
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

/* One thread = one node after the other.  Reads 8 bytes, over the bus it may be, and 8 of its own. */
static __global__ void __launch_bounds__(WN_GPU_STRIDE_BLOCK)
    add_kernel(int64_t *to, const int64_t *from, size_t n)
{
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
       i += (size_t)gridDim.x * blockDim.x)
    to[i] += from[i];
}

int wn_electrostatic_gpu_add(const struct wn_gpu *g, int64_t *to, const int64_t *from,
                             size_t n)
{
  add_kernel<<<wn_gpu_stride_blocks(g, n), WN_GPU_STRIDE_BLOCK, 0, g->stream>>>(to, from,
                                                                                n);
  return wn_gpu_check((int)cudaGetLastError(), "adding the charge of other processes");
}

/* ---- to the host */

int wn_electrostatic_gpu_misfits(const struct wn_electrostatic_gpu *f)
{
  const uint64_t n = *(volatile const uint64_t *)f->misfits;
  const volatile struct wn_charge_differs *d = f->differs;
  if (n == 0 && d->is)
    return WN_FAIL(
        WN_ERUN,
        "the charge of species %llu (from 0) on the grid is that of %.9g "
        "particles of weight 1, but the particles have that of %.9g: this is a "
        "bug, or memory has failed",
        (unsigned long long)d->species, (double)d->of_nodes / WN_QUANTA,
        (double)d->of_particles / WN_QUANTA);
  if (n == 0)
    return WN_OK;
  return WN_FAIL(WN_ERUN,
                 "the weights of %llu particles are below 0, not a number, or too large "
                 "for the charge on a grid, which counts to 2^62 parts of 2^-20",
                 (unsigned long long)n);
}

int wn_electrostatic_gpu_fetch(struct wn_electrostatic_gpu *f, const void *from, void *to,
                               size_t bytes)
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
  return wn_electrostatic_gpu_fetch(f, f->quanta + k * f->n_padded, quanta,
                                    f->n_padded * sizeof *quanta);
}

int wn_electrostatic_gpu_charge(struct wn_electrostatic_gpu *f, double *rho)
{
  return wn_electrostatic_gpu_fetch(f, f->rho, rho, f->n * sizeof *rho);
}

int wn_electrostatic_gpu_potential(struct wn_electrostatic_gpu *f, double *phi)
{
  return wn_electrostatic_gpu_fetch(f, f->phi, phi, f->n * sizeof *phi);
}

int wn_electrostatic_gpu_e(struct wn_electrostatic_gpu *f, int d, double *e)
{
  WN_TRY(wn_poisson_gpu_field(f->poisson, f->phi, d, 0, f->component));
  return wn_electrostatic_gpu_fetch(f, f->component, e, f->n * sizeof *e);
}
