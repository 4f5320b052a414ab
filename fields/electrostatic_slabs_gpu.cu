/* fields/electrostatic_slabs_gpu.cu - see electrostatic_slabs_gpu.h.  Each kernel is a loop over nodes, and
 * computes at each what electrostatic_host.c does. */
#include "fields/electrostatic_slabs_gpu.cuh"
#include <stdlib.h>
#include "base/alloc.h"
#include "fields/deposit_gpu.h"

/* ---- kernels */

/* The quanta of a species that belong to node (x, y) of an own plane: those of a copy are the first's, and
 * what lies beyond the sides of the plane is folded. */
static __device__ int64_t folded(const struct wn_slab &s, const int64_t at[3],
                                 const int64_t *plane)
{
  int32_t from[2][3];
  int n[2] = {1, 1};
  int64_t sum = 0;
  for (int d = 0; d < s.axis; d++)
    n[d] = wn_nodes_folded(
        &s.nodes, d, wn_nodes_is_copy(&s.nodes, d, at[d]) ? 0 : (int32_t)at[d], from[d]);
  for (int j = 0; j < n[1]; j++)
    for (int i = 0; i < n[0]; i++) {
      int64_t node = 0;
      if (s.axis > 0)
        node += from[0][i] + WN_GRID_GUARD;
      if (s.axis > 1)
        node += (from[1][j] + WN_GRID_GUARD) * (int64_t)s.nodes.grid.step[1];
      sum += plane[node];
    }
  return sum;
}

/* What kernels know of the species. */
struct charges {
  int32_t n;
  double of[WN_FIELD_SPECIES]; /* C */
  int64_t n_padded;
};

/* One thread = one own node after the other.  Reads 8 bytes a species, writes 8. */
static __global__ void __launch_bounds__(WN_GPU_STRIDE_BLOCK)
    charge_kernel(const __grid_constant__ struct wn_slab s,
                  const __grid_constant__ struct charges c, const int64_t *quanta,
                  double background, double *rho, uint64_t *misfits)
{
  const int64_t n = (s.own[1] - s.own[0]) * s.plane;
  for (int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x; i < n;
       i += (int64_t)gridDim.x * blockDim.x) {
    const int64_t k = s.own[0] + i / s.plane, in = i % s.plane;
    int64_t at[3];
    double sum = 0.0;
    wn_slab_place(&s, in % s.nx, in / s.nx, k, at);
    for (int m = 0; m < c.n; m++) {
      const int64_t q = folded(s, at, quanta + m * c.n_padded + wn_slab_at_plane(&s, k));
      if ((uint64_t)q >= (uint64_t)1 << 62)
        atomicAdd((unsigned long long *)misfits, 1ull);
      sum += c.of[m] * (double)q;
    }
    rho[i] = sum * wn_slab_per_volume(&s, wn_slab_part_of(&s, at)) + background;
  }
}

/* One thread = one node, or guard, of plane blockIdx.y of the whole grid after the other, if this rank has
 * it.  phi: of plane 0, which may be elsewhere. */
static __global__ void __launch_bounds__(WN_GPU_STRIDE_BLOCK)
    floats_kernel(const __grid_constant__ struct wn_slab s, const double *phi, float *e)
{
  const struct wn_grid_view *g = &s.nodes.grid;
  const int64_t a = (int64_t)blockIdx.y - WN_GRID_GUARD,
                wide = s.axis > 0 ? s.nx + 2 * WN_GRID_GUARD : 1;
  const int staggered = g->gather == WN_GATHER_ENERGY;
  int64_t k;
  if (!wn_slab_is_near(&s, s.own, WN_SLAB_GUARD, a, &k))
    return;
  float *to = e + wn_slab_at_plane(&s, a) * g->stride;
  for (int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x; i < s.padded;
       i += (int64_t)gridDim.x * blockDim.x) {
    int64_t at[3];
    wn_slab_place(&s, i % wide - WN_GRID_GUARD, i / wide - WN_GRID_GUARD, k, at);
    for (int c = 0; c < g->dim; c++)
      to[i * g->stride + c] = (float)wn_slab_e(&s, phi, c, at, staggered);
  }
}

/* ---- life */

void wn_slabs_gpu_free(struct wn_slabs_gpu *g)
{
  if (g == NULL)
    return;
  wn_electrostatic_gpu_free(g->grid);
  wn_poisson_slabs_gpu_free(g->poisson);
  wn_gpu_exchange_free(g->exchange);
  if (wn_gpu_works(g->gpu)) {
    wn_gpu_release(g->gpu, g->rho, g->n_rho * sizeof *g->rho);
    wn_gpu_release(g->gpu, g->phi, g->n_phi * sizeof *g->phi);
    wn_gpu_release(g->gpu, g->passing, g->passing_bytes);
    wn_gpu_release(g->gpu, g->coming, g->coming_bytes);
    wn_gpu_release(g->gpu, g->leaver, g->n_leavers * sizeof *g->leaver);
    wn_gpu_release(g->gpu, g->count, (2 + (size_t)wn_ranks()) * sizeof *g->count);
    wn_gpu_release_pinned(g->host_count);
  }
  free(g);
}

int wn_slabs_gpu_passing(struct wn_slabs_gpu *g, size_t bytes)
{
  if (bytes <= g->passing_bytes)
    return WN_OK;
  WN_TRY(wn_gpu_wait(g->gpu, "planes for other processes"));
  wn_gpu_release(g->gpu, g->passing, g->passing_bytes);
  g->passing = NULL;
  g->passing_bytes = 0;
  WN_TRY(wn_gpu_array(g->gpu, "what goes to other processes", bytes, &g->passing));
  g->passing_bytes = bytes;
  return WN_OK;
}

static size_t more(size_t a, size_t b)
{
  return a > b ? a : b;
}

static int allocate(struct wn_slabs_gpu *g, const struct wn_electrostatic *f)
{
  const struct wn_slab *s = &f->slab;
  const size_t counts = (2 + (size_t)s->ranks) * sizeof *g->count,
               plane = 8 * (size_t)s->plane,
               padded = 8 * (size_t)s->padded * f->spec.n_species;
  void *memory = NULL;
  WN_TRY(wn_gpu_use(g->gpu));
  WN_TRY(wn_electrostatic_gpu_create(&f->spec, &g->grid));
  g->n_rho = (size_t)((s->own[1] - s->own[0]) * s->plane);
  g->n_phi = g->n_rho + 2 * WN_SLAB_GUARD_PHI * (size_t)s->plane;
  WN_TRY(wn_gpu_array(g->gpu, "charge", g->n_rho, &g->rho));
  WN_TRY(wn_gpu_array(g->gpu, "potential", g->n_phi, &g->phi));
  WN_TRY(wn_gpu_check(
      (int)cudaMemsetAsync(g->phi, 0, g->n_phi * sizeof *g->phi, g->gpu->stream),
      "potential"));
  WN_TRY(wn_slabs_gpu_passing(
      g, more(f->sums.n_send * padded, f->copies.n_send * plane) + 16));
  g->coming_bytes = more(f->sums.n_receive * padded, f->copies.n_receive * plane) + 16;
  WN_TRY(
      wn_gpu_array(g->gpu, "what comes of other processes", g->coming_bytes, &g->coming));
  WN_TRY(wn_gpu_alloc(g->gpu, "migration", counts, &memory));
  g->count = (unsigned long long *)memory;
  WN_TRY(wn_gpu_pinned("migration", counts, &memory));
  g->host_count = (unsigned long long *)memory;
  return WN_OK;
}

int wn_slabs_gpu_create(const struct wn_electrostatic *f, struct wn_slabs_gpu **out)
{
  struct wn_poisson_slabs_gpu *poisson;
  WN_TRY(wn_poisson_slabs_gpu_create(f->spec.gpu, &f->spec.poisson, &poisson));
  struct wn_slabs_gpu *g = (struct wn_slabs_gpu *)wn_alloc(1, sizeof *g);
  int status = g != NULL ? WN_OK : WN_ENOMEM;
  if (status == WN_OK) {
    g->gpu = f->spec.gpu;
    g->poisson = poisson;
    status = allocate(g, f);
  } else {
    wn_poisson_slabs_gpu_free(poisson);
  }
  if (wn_ranks_any(status != WN_OK)) {
    wn_slabs_gpu_free(g);
    return status != WN_OK ? status : WN_ENOMEM;
  }
  status = wn_gpu_exchange_create(g->gpu,
                                  more(8 * wn_poisson_slabs_gpu_words(poisson),
                                       more(g->passing_bytes, g->coming_bytes)),
                                  &g->exchange);
  if (status != WN_OK) {
    wn_slabs_gpu_free(g);
    return status;
  }
  *out = g;
  return WN_OK;
}

const float *wn_slabs_gpu_floats(const struct wn_slabs_gpu *g)
{
  return wn_electrostatic_gpu_floats(g->grid);
}

/* ---- charge */

static int copy(const struct wn_slabs_gpu *g, void *to, const void *from, size_t bytes)
{
  return wn_gpu_check(
      (int)cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, g->gpu->stream),
      "planes for other processes");
}

/* As wn_halo_add, of all species together, one after the other for each rank. */
static int add_halo(struct wn_slabs_gpu *g, const struct wn_electrostatic *f)
{
  const struct wn_slab *s = &f->slab;
  const struct wn_halo *m = &f->sums;
  const size_t n = f->spec.n_species, ranks = (size_t)s->ranks,
               bytes = 8 * (size_t)s->padded;
  size_t *words = (size_t *)wn_alloc(2 * ranks, sizeof *words);
  if (words == NULL)
    return WN_ENOMEM;
  for (size_t r = 0; r < ranks; r++) {
    words[r] = n * m->words_send[r];
    words[ranks + r] = n * m->words_receive[r];
  }
  int status = WN_OK;
  unsigned char *to = g->passing;
  for (size_t i = 0; i < m->n_send && status == WN_OK; i++)
    for (size_t k = 0; k < n && status == WN_OK; k++, to += bytes) {
      int64_t *plane =
          g->grid->quanta + k * g->grid->n_padded + wn_slab_at_plane(s, m->send[i]);
      status = copy(g, to, plane, bytes);
      if (status == WN_OK)
        status = wn_gpu_check((int)cudaMemsetAsync(plane, 0, bytes, g->gpu->stream),
                              "planes for other processes");
    }
  if (status == WN_OK)
    status = wn_gpu_exchange(g->exchange, g->passing, words, g->coming, words + ranks);
  free(words);
  WN_TRY(status);
  const unsigned char *from = g->coming;
  for (size_t i = 0; i < m->n_receive; i++)
    for (size_t k = 0; k < n; k++, from += bytes)
      WN_TRY(wn_electrostatic_gpu_add(
          g->gpu,
          g->grid->quanta + k * g->grid->n_padded + wn_slab_at_plane(s, m->receive[i]),
          (const int64_t *)(const void *)from, (size_t)s->padded));
  return WN_OK;
}

int wn_slabs_gpu_deposit(struct wn_slabs_gpu *g, const struct wn_electrostatic *f,
                         const struct wn_points *points,
                         struct wn_particles *const *species, int compares)
{
  WN_TRY(
      wn_electrostatic_gpu_misfits(g->grid)); /* of the last step, which was waited for */
  WN_TRY(wn_electrostatic_gpu_clear(g->grid, 0, f->spec.n_species));
  for (size_t k = 0; k < f->spec.n_species; k++) {
    WN_TRY(wn_electrostatic_gpu_deposit(g->grid, k, &points[k], species[k], 0));
    if (compares)
      WN_TRY(wn_electrostatic_gpu_compare(g->grid, k, &points[k], species[k]));
  }
  return add_halo(g, f);
}

/* ---- rho, phi, E */

/* As wn_halo_copy. */
static int copy_halo(struct wn_slabs_gpu *g, const struct wn_electrostatic *f,
                        double *phi)
{
  const struct wn_halo *m = &f->copies;
  const size_t bytes = 8 * (size_t)f->slab.plane;
  for (size_t i = 0; i < m->n_send; i++)
    WN_TRY(copy(g, g->passing + i * bytes, phi + m->send[i] * f->slab.plane, bytes));
  WN_TRY(
      wn_gpu_exchange(g->exchange, g->passing, m->words_send, g->coming, m->words_receive));
  for (size_t i = 0; i < m->n_receive; i++)
    WN_TRY(copy(g, phi + m->receive[i] * f->slab.plane, g->coming + i * bytes, bytes));
  return WN_OK;
}

int wn_slabs_gpu_solve(struct wn_slabs_gpu *g, const struct wn_electrostatic *f,
                       double background, const double volt[6])
{
  const struct wn_slab *s = &f->slab;
  struct charges c = {};
  /* that of plane 0 */
  double *phi = g->phi + (WN_SLAB_GUARD_PHI - s->own[0]) * s->plane;
  c.n = (int32_t)f->spec.n_species;
  c.n_padded = (int64_t)g->grid->n_padded;
  for (int k = 0; k < c.n; k++)
    c.of[k] = f->spec.charge[k];
  WN_TRY(wn_gpu_use(g->gpu));
  charge_kernel<<<wn_gpu_stride_blocks(g->gpu, g->n_rho), WN_GPU_STRIDE_BLOCK, 0,
                  g->gpu->stream>>>(*s, c, g->grid->quanta, background, g->rho,
                                    g->grid->misfits);
  WN_TRY(wn_gpu_check((int)cudaGetLastError(), "charge"));
  WN_TRY(wn_poisson_slabs_gpu_solve(g->poisson, g->exchange, g->rho, volt,
                                    phi + s->own[0] * s->plane));
  WN_TRY(copy_halo(g, f, phi));
  const dim3 blocks(
      (unsigned int)((s->padded + WN_GPU_STRIDE_BLOCK - 1) / WN_GPU_STRIDE_BLOCK),
      (unsigned int)(s->cells + 1 + 2 * WN_GRID_GUARD));
  floats_kernel<<<blocks, WN_GPU_STRIDE_BLOCK, 0, g->gpu->stream>>>(*s, phi, g->grid->e);
  return wn_gpu_check((int)cudaGetLastError(), "field");
}

/* ---- to the host */

int wn_slabs_gpu_fetch_quanta(struct wn_slabs_gpu *g, const struct wn_electrostatic *f,
                              size_t k)
{
  const struct wn_slab *s = &f->slab;
  const int64_t first = wn_slab_at_plane(s, s->own[0]);
  return wn_electrostatic_gpu_fetch(
      g->grid, g->grid->quanta + k * g->grid->n_padded + first, f->quanta[k] + first,
      8 * (size_t)((s->own[1] - s->own[0]) * s->padded));
}

int wn_slabs_gpu_fetch_charge(struct wn_slabs_gpu *g, const struct wn_electrostatic *f)
{
  return wn_electrostatic_gpu_fetch(g->grid, g->rho, f->rho, g->n_rho * sizeof *g->rho);
}

int wn_slabs_gpu_fetch_potential(struct wn_slabs_gpu *g, const struct wn_electrostatic *f)
{
  return wn_electrostatic_gpu_fetch(g->grid, g->phi, f->phi, g->n_phi * sizeof *g->phi);
}
