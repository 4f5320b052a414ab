/* fields/electrostatic_gpu.cu - see electrostatic_gpu.h.  Each kernel is a loop over nodes;
 * what it does at one is what electrostatic_host.c does there, by the functions of
 * charge_nodes.h and poisson/stencil.h: rho has the same bits. */
#include "fields/electrostatic_gpu.cuh"
#include <stdlib.h>
#include "base/alloc.h"
#include "base/ranks.h"
#include "fields/deposit_gpu.h"
#include "fields/poisson/stencil.h"

/* Nodes of a thread of charge_kernel that are on their way together; of grids with fewer nodes than FEW one, so
 * that those of a whole row at a side are in many warps. */
#define MANY 4
#define FEW  2000000

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
    if (d == dim - 1 && s.is_slab)
      from[d][0] = at[d];
    else
      n[d] = wn_nodes_folded(&s.nodes, d,
                             wn_nodes_is_copy(&s.nodes, d, at[d]) ? 0 : at[d], from[d]);
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

/* One thread = `many` nodes at a time.  Reads 8 bytes
 * a species, writes 8.  Of 256^3 cells and one species 257 us on an H200 (2026-11-22), four
 * times what a copy takes: places are divisions, and warps with an end of a row fold. */
template <int dim, int many, bool is_radial = false>
static __global__ void charge_kernel(const __grid_constant__ struct wn_field_shape s,
                                     const __grid_constant__ struct wn_field_charge from,
                                     double background, double *rho, uint64_t *misfits)
{
  const struct wn_grid_view *g = &s.nodes.grid;
  wn_gpu_after_others();
  for (uint32_t first = blockIdx.x * (many * WN_FIELD_BLOCK) + threadIdx.x; first < s.n;
       first += gridDim.x * (many * WN_FIELD_BLOCK)) {
    int32_t at[many][dim], own[many];
    bool inner[many];
    double sum[many];
#pragma unroll
    for (int m = 0; m < many; m++) {
      wn_field_place<dim>(s.along, first + m * WN_FIELD_BLOCK, at[m]);
      at[m][dim - 1] += s.first;
      own[m] = g->first;
      sum[m] = 0.0;
#pragma unroll
      for (int d = 0; d < dim; d++)
        own[m] += at[m][d] * g->step[d];
      inner[m] = first + m * WN_FIELD_BLOCK < s.n && wn_field_is_inner<dim>(s, at[m]);
    }
    for (int k = 0; k < s.n_species; k++) {
      const int64_t *of = from.left[k] != NULL ? from.left[k] : from.quanta[k];
      int64_t q[many];
#pragma unroll
      for (int m = 0; m < many; m++)
        q[m] = inner[m] ? of[own[m]] : 0;
#pragma unroll
      for (int m = 0; m < many; m++) {
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
    for (int m = 0; m < many; m++) {
      if (is_radial)
        sum[m] /= wn_axis_share(&s.radius, at[m][0]) / s.radius.h;
      else
        sum[m] *= wn_nodes_is_end(&s.nodes, 0, at[m][0]) ? 2.0 : 1.0;
      if (first + m * WN_FIELD_BLOCK < s.n)
        rho[first + m * WN_FIELD_BLOCK] =
            background != 0.0 ? sum[m] + background : sum[m];
    }
  }
}

/* ---- E for the particles */

/* Component c of an inner node, whose stencil is that of all of them. */
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

/* The same where the padded node takes it from: of `modes` if given, else of phi. */
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
    const int32_t at = d == dim - 1 && s.wraps /* the guards have it */
                           ? node[d]
                           : (int32_t)wn_nodes_beyond(&s.nodes, d, node[d],
                                                      staggered && d == c, &turned);
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
  if (c == dim - 1 && s.wraps)
    return inner<dim, c>(s, i, phi);
  const struct wn_poisson_stencil w =
      wn_poisson_stencil_at(g->cells[c], s.per_h[c], s.nodes.side[2 * c],
                            s.nodes.side[2 * c + 1], staggered, own_at);
  return (float)(sign * wn_poisson_stencil_of(&w, own, phi + (i - own_at * own)));
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

/* One thread = one node, or guard, at a time, of planes from `plane` on, n nodes in all.  phi: of the first
 * node of plane 0, which may be elsewhere.  Reads phi, 8 bytes (its neighbours come out
 * of the caches), writes 4 bytes a component (16 in three dimensions).  Of 256^3 cells 211 us
 * on an H200 (2026-11-22), twice what a copy takes. */
template <int dim>
static __global__ void
floats_kernel(const __grid_constant__ struct wn_field_shape s, int only,
              const double *modes, const double *phi, int32_t plane, uint32_t n, float *e,
              const __grid_constant__ struct wn_field_charge move, uint64_t *misfits)
{
  wn_gpu_after_others();
  for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x) {
    int32_t node[dim];
    for (int k = 0; k < move.n; k++)
      if (move.left[k] != NULL)
        for (uint32_t word = i; word < move.words[k]; word += n) /* one, or two */
          wn_gpu_charge_move_node(move.left[k], word, n, move.quanta[k],
                                  (unsigned long long *)misfits);
    float of[3];
    wn_field_place<dim>(s.padded_along, i, node);
#pragma unroll
    for (int d = 0; d < dim - 1; d++)
      node[d] -= WN_GRID_GUARD;
    node[dim - 1] += plane;
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

static struct wn_field_shape shape_of(const struct wn_electrostatic *f)
{
  const struct wn_electrostatic_spec *spec = &f->spec;
  const struct wn_grid_view *g = &spec->grid;
  const struct wn_slab *slab = &f->slab;
  struct wn_field_shape s = {};
  s.nodes = slab->nodes;
  s.n_species = (int32_t)spec->n_species;
  s.first = (int32_t)slab->own[0];
  s.is_slab = slab->ranks > 1;
  s.wraps = slab->wraps;
  s.n = s.n_padded = 1;
  s.radius = slab->radius;
  for (size_t k = 0; k < spec->n_species; k++)
    for (int halves = 0; halves < 3; halves++)
      s.of_one[k][halves] = spec->charge[k] * wn_nodes_per_volume(&s.nodes,
                                                                  halves == 0   ? 1.0
                                                                  : halves == 1 ? 0.5
                                                                                : 0.25,
                                                                  1);
  for (int d = 0; d < 3; d++) {
    const int in = d < g->dim;
    s.along[d] = d == slab->axis ? (uint32_t)(slab->own[1] - slab->own[0])
                 : in            ? (uint32_t)g->cells[d] + 1
                                 : 1;
    s.padded_along[d] = in ? (uint32_t)g->cells[d] + 1 + 2 * WN_GRID_GUARD : 1;
    s.n *= s.along[d];
    s.n_padded *= s.padded_along[d];
    s.per_h[d] = in ? slab->per_h[d] : 0.0;
  }
  return s;
}

static int zero(struct wn_electrostatic_gpu *g, void *memory, size_t bytes)
{
  return wn_gpu_check((int)cudaMemsetAsync(memory, 0, bytes, g->gpu->stream),
                      "grids of a field");
}

/* Planes up to so many beside the slab; all nodes of a whole grid. */
static struct wn_gpu_part part_of(const struct wn_slab *slab, int64_t guard)
{
  struct wn_gpu_part part = {};
  size_t range[WN_SLAB_RANGES][2];
  static_assert(WN_SLAB_RANGES < WN_GPU_PARTS, "those of a slab, and one more");
  if (slab->ranks > 1)
    part.n = (size_t)wn_slab_ranges(slab, guard, range);
  for (size_t i = 0; i < part.n; i++) {
    part.from[i] = range[i][0];
    part.to[i] = range[i][1];
  }
  return part;
}

/* Charge and E. */
static int allocate_padded(struct wn_electrostatic_gpu *g)
{
  if (!g->shape.is_slab) {
    WN_TRY(wn_gpu_array(g->gpu, "charge of the species", g->n_species * g->n_padded,
                        &g->quanta));
    return wn_gpu_array(g->gpu, "field", g->n_floats, &g->e);
  }
  WN_TRY(wn_gpu_addresses_part(g->gpu, "charge of the species", g->n_species, g->n_padded,
                               sizeof *g->quanta, &g->charge_part, &g->quanta_addresses));
  g->quanta = (int64_t *)g->quanta_addresses.base;
  WN_TRY(wn_gpu_addresses_part(g->gpu, "field", 1, g->n_padded,
                               g->n_floats / g->n_padded * sizeof *g->e, &g->e_part,
                               &g->e_addresses));
  g->e = (float *)g->e_addresses.base;
  return WN_OK;
}

static void release_padded(struct wn_electrostatic_gpu *g)
{
  if (!g->shape.is_slab) {
    wn_gpu_release(g->gpu, g->quanta, g->n_species * g->n_padded * sizeof *g->quanta);
    wn_gpu_release(g->gpu, g->e, g->n_floats * sizeof *g->e);
  }
  wn_gpu_addresses_free(&g->quanta_addresses);
  wn_gpu_addresses_free(&g->e_addresses);
}

/* All but solvers and what goes between ranks. */
static int allocate(struct wn_electrostatic_gpu *g)
{
  void *memory = NULL;
  WN_TRY(wn_gpu_use(g->gpu));
  WN_TRY(allocate_padded(g));
  for (size_t k = 0; k < g->n_species; k++)
    g->charge.quanta[k] = g->quanta + k * g->n_padded;
  WN_TRY(wn_gpu_array(g->gpu, "charge", g->n, &g->rho));
  WN_TRY(wn_gpu_array(g->gpu, "potential", g->n_phi, &g->phi));
  if (!g->shape.is_slab)
    WN_TRY(wn_gpu_array(g->gpu, "field", g->n, &g->component));
  WN_TRY(wn_gpu_alloc(g->gpu, "sums of a field", WN_ELECTROSTATIC_GPU_SUMS, &memory));
  g->partial = (double *)memory;
  g->arrived = (unsigned int *)(g->partial + WN_FIELD_SUM_BLOCKS * WN_FIELD_SUMS +
                                sizeof(struct wn_charge_sums) / sizeof(double));
  g->compared = (uint64_t *)memory + WN_ELECTROSTATIC_GPU_SUMS / sizeof(uint64_t) - 2;
  WN_TRY(zero(g, memory, WN_ELECTROSTATIC_GPU_SUMS));
  WN_TRY(wn_gpu_pinned("sums of a field", sizeof *g->sums, &memory));
  g->sums = (struct wn_charge_sums *)memory;
  WN_TRY(wn_gpu_pinned("sums of a field", sizeof *g->misfits, &memory));
  g->misfits = (uint64_t *)memory;
  *g->misfits = 0;
  WN_TRY(wn_gpu_pinned("sums of a field", sizeof *g->differs, &memory));
  g->differs = (struct wn_charge_differs *)memory;
  g->differs->is = 0;
  WN_TRY(zero(g, g->quanta, g->n_species * g->n_padded * sizeof *g->quanta));
  WN_TRY(zero(g, g->phi, g->n_phi * sizeof *g->phi));
  return zero(g, g->e, g->n_floats * sizeof *g->e);
}

static_assert(WN_ELECTROSTATIC_GPU_SUMS >=
                  WN_FIELD_SUM_BLOCKS * WN_FIELD_SUMS * sizeof(double) +
                      sizeof(struct wn_charge_sums) + 2 * sizeof(unsigned int) +
                      2 * sizeof(uint64_t),
              "memory of the sums");

void wn_electrostatic_gpu_free(struct wn_electrostatic_gpu *g)
{
  if (g == NULL)
    return;
  wn_poisson_gpu_free(g->poisson);
  wn_electrodes_gpu_free(g->electrodes);
  wn_halo_gpu_free(g);
  free(g->passing_quanta);
  if (wn_gpu_works(g->gpu)) {
    release_padded(g);
    wn_gpu_release(g->gpu, g->rho, g->n * sizeof *g->rho);
    wn_gpu_release(g->gpu, g->phi, g->n_phi * sizeof *g->phi);
    wn_gpu_release(g->gpu, g->component, g->n * sizeof *g->component);
    wn_gpu_release(g->gpu, g->partial, WN_ELECTROSTATIC_GPU_SUMS);
    wn_gpu_release_pinned(g->sums);
    wn_gpu_release_pinned(g->misfits);
    wn_gpu_release_pinned(g->differs);
  }
  free(g);
}

/* Ranks that have slabs fail together. */
static int create_parts(struct wn_electrostatic_gpu *g, const struct wn_electrostatic *f)
{
  const int in_slabs = f->slab.ranks > 1;
  WN_TRY(wn_poisson_gpu_create(g->gpu, &f->spec.poisson, &g->poisson));
  if (f->electrodes != NULL)
    WN_TRY(wn_electrodes_gpu_create(g->gpu, f->electrodes, f->shares, &g->electrodes));
  const int status = allocate(g);
  if (!in_slabs)
    return status;
  if (wn_ranks_any(status != WN_OK))
    return status != WN_OK ? status : WN_ENOMEM;
  return wn_halo_gpu_create(g, f);
}

int wn_electrostatic_gpu_create(const struct wn_electrostatic *f,
                                struct wn_electrostatic_gpu **out)
{
  const int in_slabs = f->slab.ranks > 1;
  WN_TRY(wn_poisson_check(&f->spec.poisson));
  struct wn_electrostatic_gpu *g = (struct wn_electrostatic_gpu *)wn_alloc(1, sizeof *g);
  if (in_slabs ? wn_ranks_any(g == NULL) : g == NULL) {
    free(g);
    return WN_ENOMEM;
  }
  g->gpu = f->spec.gpu;
  g->shape = shape_of(f);
  g->n = g->shape.n;
  g->n_phi = g->n + (size_t)(2 * wn_slab_guard_phi(&f->slab) * f->slab.plane);
  g->charge_part = part_of(&f->slab, WN_SLAB_GUARD_CHARGE_GPU);
  g->e_part = part_of(&f->slab, WN_SLAB_GUARD);
  g->n_padded = g->shape.n_padded;
  g->n_floats = g->n_padded * (size_t)f->spec.grid.stride;
  g->n_species = f->spec.n_species;
  const int status = create_parts(g, f);
  if (status != WN_OK) {
    wn_electrostatic_gpu_free(g);
    return status;
  }
  *out = g;
  return WN_OK;
}

/* ---- the step */

/* Whether a component of E comes from the modes. */
static int has_modes(const struct wn_electrostatic_gpu *g)
{
  const struct wn_grid_view *grid = &g->shape.nodes.grid;
  int is = 0;
  for (int d = 0; d < grid->dim; d++)
    is |= wn_poisson_gpu_has_modes(g->poisson, d, grid->gather == WN_GATHER_ENERGY);
  return is;
}

int wn_electrostatic_gpu_clear(struct wn_electrostatic_gpu *g, size_t first, size_t n)
{
  WN_TRY(wn_gpu_use(g->gpu));
  if (!g->shape.is_slab)
    return zero(g, g->quanta + first * g->n_padded, n * g->n_padded * sizeof *g->quanta);
  for (size_t k = first; k < first + n; k++)
    WN_TRY(wn_gpu_part_zero(g->gpu, "grids of a field", g->quanta + k * g->n_padded,
                            g->n_padded, sizeof *g->quanta, &g->charge_part));
  return WN_OK;
}

int wn_electrostatic_gpu_deposit(struct wn_electrostatic_gpu *g, size_t k,
                                 const struct wn_points *m, struct wn_particles *p,
                                 size_t first)
{
  int64_t *to = g->quanta + k * g->n_padded;
  return p->record.no_t_left
             ? wn_deposit_gpu_points(g->gpu, WN_DEPOSIT_AUTO, m, p, first, to, g->misfits)
             : wn_deposit_gpu_electrons(g->gpu, m, p, first, to, g->misfits);
}

int wn_electrostatic_gpu_deposit_all(struct wn_electrostatic_gpu *g, size_t k,
                                     const struct wn_points *m, struct wn_particles *p,
                                     int later)
{
  struct wn_gpu_store *t =
      p->n > 0 && p->place != WN_PARTICLES_HOST ? wn_gpu_store_of(g->gpu, p) : NULL;
  struct wn_field_charge *c = &g->charge;
  int is_known = 0;
  WN_TRY(wn_gpu_use(g->gpu));
  c->left[k] = NULL;
  if (later && t != NULL && !has_modes(g)) {
    c->left[k] = wn_gpu_charge_lend(t, m, &c->words[k]);
    g->store[k] = t;
  }
  if (c->left[k] != NULL) {
    c->n = (int32_t)g->n_species;
    return WN_OK;
  }
  if (t != NULL)
    WN_TRY(wn_gpu_charge_move(t, m, g->quanta + k * g->n_padded, g->misfits, &is_known));
  if (is_known)
    return WN_OK;
  WN_TRY(wn_electrostatic_gpu_clear(g, k, 1));
  return wn_electrostatic_gpu_deposit(g, k, m, p, 0);
}

int wn_electrostatic_gpu_compare(struct wn_electrostatic_gpu *g, size_t k,
                                 const struct wn_points *m, struct wn_particles *p)
{
  return wn_charge_gpu_compare(g->gpu, m, p, g->quanta + k * g->n_padded, &g->charge_part,
                               k, g->compared, g->differs);
}

/* After the launch of the kernel that moves the charge. */
static void is_moved(struct wn_electrostatic_gpu *g)
{
  for (int32_t k = 0; k < g->charge.n; k++) {
    if (g->charge.left[k] != NULL)
      wn_gpu_charge_moved(g->store[k]);
    g->charge.left[k] = NULL;
  }
  g->charge.n = 0;
}

/* E in planes from a on, n of them, which are those from `plane` on of phi. */
static int launch_floats(struct wn_electrostatic_gpu *g, const struct wn_slab *s,
                         int only, const double *modes, int64_t a, int64_t plane,
                         int64_t n)
{
  const uint32_t nodes = (uint32_t)(n * s->padded);
  WN_TRY(WN_FIELD_LAUNCH(
      g, wn_gpu_stride_blocks(g->gpu, nodes), "field", floats_kernel, g->shape, only,
      modes, (const double *)wn_field_phi(g, s), (int32_t)plane, nodes,
      g->e + wn_slab_at_plane(s, a) * g->shape.nodes.grid.stride, g->charge, g->misfits));
  is_moved(g);
  return WN_OK;
}

static int floats_of_whole(struct wn_electrostatic_gpu *g, const struct wn_slab *s)
{
  const struct wn_grid_view *grid = &g->shape.nodes.grid;
  const int staggered = grid->gather == WN_GATHER_ENERGY;
  const int64_t n = s->cells + 1 + 2 * WN_GRID_GUARD;
  if (!has_modes(g))
    return launch_floats(g, s, -1, NULL, -WN_GRID_GUARD, -WN_GRID_GUARD, n);
  for (int d = 0; d < grid->dim; d++) {
    const int has = wn_poisson_gpu_has_modes(g->poisson, d, staggered);
    if (has)
      WN_TRY(wn_poisson_gpu_field(g->poisson, g->phi, d, staggered, g->component));
    WN_TRY(launch_floats(g, s, d, has ? g->component : NULL, -WN_GRID_GUARD,
                         -WN_GRID_GUARD, n));
  }
  return WN_OK;
}

/* Own planes and guards; adjacent ones together. */
static int floats_of_slab(struct wn_electrostatic_gpu *g, const struct wn_slab *s)
{
  int64_t k, next;
  for (int64_t a = -WN_GRID_GUARD, end; a <= s->cells + WN_GRID_GUARD; a = end) {
    end = a + 1;
    if (!wn_slab_is_near(s, s->own, WN_SLAB_GUARD, a, &k))
      continue;
    while (end <= s->cells + WN_GRID_GUARD &&
           wn_slab_is_near(s, s->own, WN_SLAB_GUARD, end, &next) && next - k == end - a)
      end++;
    WN_TRY(launch_floats(g, s, -1, NULL, a, k, end - a));
  }
  return WN_OK;
}

template <int many>
static int launch_charge(struct wn_electrostatic_gpu *g, double background)
{
  if (g->shape.nodes.grid.is_radial)
    return wn_gpu_launch_early(g->gpu, "charge", charge_kernel<2, many, true>,
                               wn_gpu_stride_blocks(g->gpu, g->n), WN_FIELD_BLOCK, 0,
                               g->shape, g->charge, background, g->rho, g->misfits);
  return wn_field_launch(
      g->gpu, g->shape.nodes.grid.dim, wn_gpu_stride_blocks(g->gpu, g->n), "charge",
      charge_kernel<1, many>, charge_kernel<2, many>, charge_kernel<3, many>, g->shape,
      g->charge, background, g->rho, g->misfits);
}

/* As solve_beside_electrodes of electrostatic_host.c. */
static int solve_beside_electrodes(struct wn_electrostatic_gpu *g,
                                   const struct wn_slab *s, double background,
                                   const double *volt)
{
  const int solves = wn_electrodes_gpu_solves(g->electrodes);
  const double *rho = NULL;
  WN_TRY(wn_electrodes_gpu_begin(g->electrodes, g->rho, background, &rho));
  for (int i = 0; i < solves; i++) {
    if (i > 0)
      WN_TRY(wn_electrodes_gpu_correct(g->electrodes, g->phi));
    WN_TRY(wn_poisson_gpu_solve(g->poisson, rho, volt, g->phi));
  }
  WN_TRY(floats_of_whole(g, s));
  return wn_electrodes_gpu_gathered(g->electrodes, g->phi, &g->shape.nodes.grid, g->e);
}

int wn_electrostatic_gpu_solve(struct wn_electrostatic_gpu *g,
                               const struct wn_electrostatic *f, double background,
                               const double volt[6])
{
  g->has_begun = 0;
  WN_TRY(wn_gpu_use(g->gpu));
  WN_TRY(g->n < FEW ? launch_charge<1>(g, background)
                    : launch_charge<MANY>(g, background));
  if (g->electrodes != NULL)
    return solve_beside_electrodes(g, &f->slab, background, volt);
  WN_TRY(
      wn_poisson_gpu_solve(g->poisson, g->rho, volt,
                           wn_field_phi(g, &f->slab) + f->slab.own[0] * f->slab.plane));
  if (!g->shape.is_slab)
    return floats_of_whole(g, &f->slab);
  WN_TRY(wn_halo_gpu_copy(g, f));
  return floats_of_slab(g, &f->slab);
}

const float *wn_electrostatic_gpu_floats(const struct wn_electrostatic_gpu *g)
{
  return g->e;
}

/* ---- to the host */

int wn_electrostatic_gpu_misfits(const struct wn_electrostatic_gpu *g)
{
  return wn_charge_gpu_misfits(g->misfits, g->differs);
}

int wn_electrostatic_gpu_fetch(struct wn_electrostatic_gpu *g, const void *from, void *to,
                               size_t bytes)
{
  WN_TRY(wn_gpu_use(g->gpu));
  WN_TRY(wn_gpu_check(
      (int)cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, g->gpu->stream),
      "copying a field to the host"));
  WN_TRY(wn_gpu_wait(g->gpu, "copying a field to the host"));
  return wn_electrostatic_gpu_misfits(g);
}

int wn_electrostatic_gpu_quanta(struct wn_electrostatic_gpu *g,
                                const struct wn_electrostatic *f, size_t k)
{
  const struct wn_slab *s = &f->slab;
  const size_t first = s->ranks > 1 ? (size_t)wn_slab_at_plane(s, s->own[0]) : 0,
               n = s->ranks > 1 ? (size_t)((s->own[1] - s->own[0]) * s->padded)
                                : g->n_padded;
  return wn_electrostatic_gpu_fetch(g, g->quanta + k * g->n_padded + first,
                                    f->quanta[k] + first, n * sizeof *g->quanta);
}

int wn_electrostatic_gpu_charge(struct wn_electrostatic_gpu *g,
                                const struct wn_electrostatic *f)
{
  return wn_electrostatic_gpu_fetch(g, g->rho, f->rho, g->n * sizeof *g->rho);
}

int wn_electrostatic_gpu_solved(struct wn_electrostatic_gpu *g,
                                const struct wn_electrostatic *f)
{
  WN_ASSERT(g->electrodes != NULL);
  return wn_electrostatic_gpu_fetch(g, wn_electrodes_gpu_rho(g->electrodes),
                                    f->electrodes->rho, g->n * sizeof *g->rho);
}

int wn_electrostatic_gpu_potential(struct wn_electrostatic_gpu *g,
                                   const struct wn_electrostatic *f)
{
  return wn_electrostatic_gpu_fetch(g, g->phi, f->phi, g->n_phi * sizeof *g->phi);
}

/* One thread = one node at a time.  Reads phi around it, writes 8 bytes. */
static __global__ void e_kernel(const __grid_constant__ struct wn_slab s, uint32_t n,
                                int c, const double *phi, double *e)
{
  wn_gpu_after_others();
  for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x) {
    const int64_t row = i / s.nx;
    int64_t at[3];
    wn_slab_place(&s, i - row * s.nx, row % s.ny, s.own[0] + row / s.ny, at);
    e[i] = wn_slab_e(&s, phi, c, at, 0);
  }
}

/* In r-z and with electrodes as wn_electrostatic_e; else the solver has it, which may have modes. */
int wn_electrostatic_gpu_e_there(struct wn_electrostatic_gpu *g,
                                 const struct wn_electrostatic *f, int d,
                                 const double **e)
{
  WN_TRY(wn_gpu_use(g->gpu));
  *e = g->component;
  if (!g->shape.nodes.grid.is_radial && g->electrodes == NULL)
    return wn_poisson_gpu_field(g->poisson, g->phi, d, 0, g->component);
  WN_TRY(wn_gpu_launch_early(
      g->gpu, "field", e_kernel, wn_gpu_stride_blocks(g->gpu, g->n), WN_FIELD_BLOCK, 0,
      f->slab, g->shape.n, d, (const double *)wn_field_phi(g, &f->slab), g->component));
  return g->electrodes != NULL
             ? wn_electrodes_gpu_field(g->electrodes, g->phi, d, g->component)
             : (int)WN_OK;
}

int wn_electrostatic_gpu_e(struct wn_electrostatic_gpu *g,
                           const struct wn_electrostatic *f, int d, double *e)
{
  const double *there;
  WN_TRY(wn_electrostatic_gpu_e_there(g, f, d, &there));
  return wn_electrostatic_gpu_fetch(g, there, e, g->n * sizeof *e);
}

/* ---- the greatest density of a species */

/* Particles of weight 1 per volume that a quantum at a node is, as wn_slab_per_volume. */
template <int dim, bool is_radial>
static __device__ double per_volume(const struct wn_field_shape &s, const int32_t at[dim])
{
  double part = 1.0;
#pragma unroll
  for (int d = 0; d < dim; d++)
    part *= d == 0 && is_radial ? wn_axis_share(&s.radius, at[d]) / s.radius.h
            : wn_nodes_is_end(&s.nodes, d, at[d]) ? 0.5
                                                  : 1.0;
  return 1.0 / (WN_QUANTA * wn_nodes_cell(&s.nodes.grid) * part);
}

/* One thread = one node at a time.  Reads 8 bytes of each.  The bits of doubles that are not negative have their
 * order. */
template <int dim, bool is_radial = false>
static __global__ void densest_kernel(const __grid_constant__ struct wn_field_shape s,
                                      const int64_t *quanta, unsigned long long *most)
{
  const struct wn_grid_view *g = &s.nodes.grid;
  unsigned long long here = 0;
  wn_gpu_after_others();
  for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < s.n;
       i += gridDim.x * blockDim.x) {
    int32_t at[dim], own = g->first;
    wn_field_place<dim>(s.along, i, at);
#pragma unroll
    for (int d = 0; d < dim; d++)
      own += at[d] * g->step[d];
    const int64_t q =
        wn_field_is_inner<dim>(s, at) ? quanta[own] : folded<dim>(s, at, quanta);
    const double density = (double)q * per_volume<dim, is_radial>(s, at);
    const unsigned long long bits = (unsigned long long)__double_as_longlong(density);
    here = density > 0.0 && bits > here ? bits : here;
  }
  for (int offset = 16; offset > 0; offset /= 2) {
    const unsigned long long other = __shfl_down_sync(0xffffffffu, here, offset);
    here = other > here ? other : here;
  }
  if (threadIdx.x % 32 == 0 && here != 0)
    atomicMax(most, here);
}

int wn_electrostatic_gpu_densest(struct wn_electrostatic_gpu *g, size_t k, double *most)
{
  const int64_t *quanta = g->quanta + k * g->n_padded;
  WN_ASSERT(!g->shape.is_slab);
  WN_TRY(wn_gpu_use(g->gpu));
  WN_TRY(wn_gpu_scratch_fit(g->gpu, sizeof *most));
  unsigned long long *there = (unsigned long long *)(void *)g->gpu->scratch;
  WN_TRY(zero(g, there, sizeof *there));
  const unsigned int blocks = wn_gpu_stride_blocks(g->gpu, g->n);
  if (g->shape.nodes.grid.is_radial)
    WN_TRY(wn_gpu_launch_early(g->gpu, "densities", densest_kernel<2, true>, blocks,
                               WN_FIELD_BLOCK, 0, g->shape, quanta, there));
  else
    WN_TRY(
        WN_FIELD_LAUNCH(g, blocks, "densities", densest_kernel, g->shape, quanta, there));
  return wn_electrostatic_gpu_fetch(g, there, most, sizeof *most);
}
