/* fields/electrostatic_gpu_node_sums.cuh - kernels of electrostatic_gpu_sums.cu. */
#ifndef WN_FIELDS_ELECTROSTATIC_GPU_NODE_SUMS_CUH
#define WN_FIELDS_ELECTROSTATIC_GPU_NODE_SUMS_CUH
#include "fields/electrostatic_gpu_sums.cuh"
#include "fields/electrostatic_sums.h"

/* Own node i. */
static __device__ struct wn_slab_node
wn_field_node(const struct wn_slab &s, const double *rho, const double *phi, uint32_t i)
{
  const uint32_t plane = (uint32_t)s.plane, k = i / plane, in = i - k * plane,
                 y = in / (uint32_t)s.nx;
  return wn_slab_node(&s, rho, phi, in - y * s.nx, y, s.own[0] + k);
}

/* One thread = one node after the other. */
static __global__ void __launch_bounds__(WN_FIELD_BLOCK)
    wn_field_sums_kernel(const __grid_constant__ struct wn_slab s, uint32_t n,
                         const double *rho, const double *phi, double *partial,
                         unsigned int *arrived, struct wn_charge_sums *out)
{
  const double cell = wn_nodes_cell(&s.nodes.grid);
  wn_field_add_up(
      n,
      [&](uint32_t i, double *sum) {
        const struct wn_slab_node at = wn_field_node(s, rho, phi, i);
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

struct wn_field_unknown {
  int64_t begin[3], end[3];
};

/* The charge whose mean is taken where nothing holds phi: NAN where it is the sum that lies on the device;
 * per_volume 0 elsewhere. */
struct wn_field_taken {
  double charge, per_volume; /* C, 1/m3 */
};

static __global__ void __launch_bounds__(WN_FIELD_BLOCK)
    wn_field_left_kernel(const __grid_constant__ struct wn_slab s,
                         const __grid_constant__ struct wn_field_unknown u, uint32_t n,
                         const double *rho, const double *phi,
                         struct wn_field_taken taken_of, struct wn_charge_sums *out)
{
  const double taken =
      (isnan(taken_of.charge) ? out->charge : taken_of.charge) * taken_of.per_volume;
  double left = 0.0, largest = 0.0;
  for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x) {
    const struct wn_slab_node at = wn_field_node(s, rho, phi, i);
    if (!wn_slab_is_unknown(&s, u.begin, u.end, &at))
      continue;
    const double here = wn_slab_left(&s, &at, taken);
    left = here > left || isnan(here) ? here : left;
    largest = fmax(largest, fabs(at.rho));
  }
  wn_field_raise(&out->left, left);
  wn_field_raise(&out->largest, largest / WN_EPS0);
}

/* Where the sums are on the device. */
static inline struct wn_charge_sums *
wn_field_sums_there(const struct wn_electrostatic_gpu *g)
{
  return (struct wn_charge_sums *)(g->partial + WN_FIELD_SUM_BLOCKS * WN_FIELD_SUMS);
}

static inline int wn_field_launch_sums(struct wn_electrostatic_gpu *g,
                                       const struct wn_electrostatic *f)
{
  wn_field_sums_kernel<<<wn_field_sum_blocks(g->n), WN_FIELD_BLOCK, 0, g->gpu->stream>>>(
      f->slab, (uint32_t)g->n, g->rho, wn_field_phi(g, &f->slab), g->partial, g->arrived,
      wn_field_sums_there(g));
  return wn_gpu_check((int)cudaGetLastError(), "sums of a field");
}

static inline int wn_field_launch_left(struct wn_electrostatic_gpu *g,
                                       const struct wn_electrostatic *f,
                                       const struct wn_field_unknown *u,
                                       const struct wn_field_taken *taken)
{
  wn_field_left_kernel<<<wn_field_sum_blocks(g->n), WN_FIELD_BLOCK, 0, g->gpu->stream>>>(
      f->slab, *u, (uint32_t)g->n, g->rho, wn_field_phi(g, &f->slab), *taken,
      wn_field_sums_there(g));
  return wn_gpu_check((int)cudaGetLastError(), "residual of a field");
}

/* electrostatic_gpu_radial.cu: both in r-z. */
int wn_field_radial_sums(struct wn_electrostatic_gpu *g,
                         const struct wn_electrostatic *f);
int wn_field_radial_left(struct wn_electrostatic_gpu *g, const struct wn_electrostatic *f,
                         const struct wn_field_unknown *u,
                         const struct wn_field_taken *taken);

#endif
