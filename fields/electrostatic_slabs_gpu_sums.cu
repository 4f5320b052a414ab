/* fields/electrostatic_slabs_gpu_sums.cu - sums over the nodes and edges of a slab on a GPU: see
 * electrostatic_slabs_gpu.h. */
#include "fields/electrostatic_gpu_sums.cuh"
#include "fields/electrostatic_slabs_gpu.cuh"
#include "fields/electrostatic_sums.h"

/* Own node i. */
static __device__ struct wn_slab_node node(const struct wn_slab &s, const double *rho,
                                           const double *phi, uint32_t i)
{
  const uint32_t plane = (uint32_t)s.plane, k = i / plane, in = i - k * plane,
                 y = in / (uint32_t)s.nx;
  return wn_slab_node(&s, rho, phi, in - y * s.nx, y, s.own[0] + k);
}

/* One thread = one node after the other. */
static __global__ void __launch_bounds__(WN_FIELD_BLOCK)
    sums_kernel(const __grid_constant__ struct wn_slab s, uint32_t n, const double *rho,
                const double *phi, double *partial, unsigned int *arrived,
                struct wn_charge_sums *out)
{
  const double cell = wn_nodes_cell(&s.nodes.grid);
  wn_field_add_up(
      n,
      [&](uint32_t i, double *sum) {
        const struct wn_slab_node at = node(s, rho, phi, i);
        if (!at.far && wn_slab_is_copy(&s, at.at))
          return;
        wn_slab_add_node(&s, &at, cell, sum);
        for (int d = 0; d < s.nodes.grid.dim; d++) {
          double flux = 0.0;
          wn_slab_add_edge(&s, &at, d, &sum[WN_SLAB_SQUARE], &flux);
          sum[WN_SLAB_THROUGH] += WN_EPS0 * flux * cell / s.nodes.grid.h[d];
        }
      },
      partial, arrived, out);
}

struct unknown {
  int64_t begin[3], end[3];
};

static __global__ void __launch_bounds__(WN_FIELD_BLOCK)
    left_kernel(const __grid_constant__ struct wn_slab s,
                const __grid_constant__ struct unknown u, uint32_t n, const double *rho,
                const double *phi, double taken, struct wn_charge_sums *out)
{
  double left = 0.0, largest = 0.0;
  for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x) {
    const struct wn_slab_node at = node(s, rho, phi, i);
    if (!wn_slab_is_unknown(&s, u.begin, u.end, &at))
      continue;
    const double here = wn_slab_left(&s, &at, taken);
    left = here > left || isnan(here) ? here : left;
    largest = fmax(largest, fabs(at.rho));
  }
  wn_field_raise(&out->left, left);
  wn_field_raise(&out->largest, largest / WN_EPS0);
}

/* Where they are on the device. */
static struct wn_charge_sums *there(const struct wn_slabs_gpu *g)
{
  return (struct wn_charge_sums *)(g->grid->partial +
                                   WN_FIELD_SUM_BLOCKS * WN_FIELD_SUMS);
}

static const double *phi_of_0(const struct wn_slabs_gpu *g, const struct wn_slab *s)
{
  return g->phi + (WN_SLAB_GUARD_PHI - s->own[0]) * s->plane;
}

static int fetch(struct wn_slabs_gpu *g)
{
  return wn_electrostatic_gpu_fetch(g->grid, there(g), g->grid->sums,
                                    sizeof *g->grid->sums);
}

static_assert(WN_SLAB_SUMS == WN_FIELD_SUMS, "the first of struct wn_charge_sums");

int wn_slabs_gpu_sums(struct wn_slabs_gpu *g, const struct wn_electrostatic *f, double *sum)
{
  const struct wn_charge_sums *s = g->grid->sums;
  WN_TRY(wn_gpu_use(g->gpu));
  sums_kernel<<<wn_field_sum_blocks(g->n_rho), WN_FIELD_BLOCK, 0, g->gpu->stream>>>(
      f->slab, (uint32_t)g->n_rho, g->rho, phi_of_0(g, &f->slab), g->grid->partial,
      g->grid->arrived, there(g));
  WN_TRY(wn_gpu_check((int)cudaGetLastError(), "sums of a field"));
  WN_TRY(fetch(g));
  sum[WN_SLAB_CHARGE] = s->charge;
  sum[WN_SLAB_INSIDE] = s->inside;
  sum[WN_SLAB_PAIRS] = s->pairs;
  sum[WN_SLAB_SQUARE] = s->square;
  sum[WN_SLAB_THROUGH] = s->through;
  for (int d = 0; d < 3; d++)
    sum[WN_SLAB_DROP + d] = s->drop[d];
  return WN_OK;
}

int wn_slabs_gpu_left(struct wn_slabs_gpu *g, const struct wn_electrostatic *f,
                      const int64_t begin[3], const int64_t end[3], double taken,
                      double most[2])
{
  struct unknown u = {};
  for (int d = 0; d < f->grid.dim; d++) {
    u.begin[d] = begin[d];
    u.end[d] = end[d];
  }
  left_kernel<<<wn_field_sum_blocks(g->n_rho), WN_FIELD_BLOCK, 0, g->gpu->stream>>>(
      f->slab, u, (uint32_t)g->n_rho, g->rho, phi_of_0(g, &f->slab), taken, there(g));
  WN_TRY(wn_gpu_check((int)cudaGetLastError(), "residual of a field"));
  WN_TRY(fetch(g));
  most[0] = g->grid->sums->left;
  most[1] = g->grid->sums->largest;
  return WN_OK;
}
