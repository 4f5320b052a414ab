/* fields/electrostatic_gpu_sums.cu - sums over the nodes and edges of a field on a GPU, as
 * wn_field_sums of electrostatic.c makes them, in an order of their own that is always
 * the same. */
#include "fields/electrostatic_gpu.cuh"
#include "fields/electrostatic_gpu_sums.cuh"
#include "fields/poisson/stencil.h"
#include "physics/constants.h"

/* What a node, and the edges that begin there, add. */
template <int dim>
static __device__ void add_node(const struct wn_field_shape &s, uint32_t i,
                                const double *rho, const double *phi,
                                double sum[WN_FIELD_SUMS])
{
  const struct wn_charge_nodes *n = &s.nodes;
  int32_t at[dim], step = 1;
  double part[3] = {1.0, 1.0, 1.0};
  int held = 0, is_copy = 0;
  wn_field_place<dim>(s.along, i, at);
  if (wn_field_is_inner<dim>(s, at)) {
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
  const double here = phi[i];
#pragma unroll
  for (int d = 0; d < dim; d++) {
    const double others = part[d == 0 ? 1 : 0] * part[d == 2 ? 1 : 2];
    const int end = (at[d] == 0) - (at[d] == n->grid.cells[d]);
    if (end != 0 && !wn_nodes_are_periodic(n, d))
      sum[5 + d] += (double)end * others * here * s.cell * s.per_h[d];
  }
  const double q = rho[i] * part[0] * part[1] * part[2] * s.cell;
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

template <int dim>
static __global__ void sums_kernel(const __grid_constant__ struct wn_field_shape s,
                                   const double *WN_RESTRICT rho,
                                   const double *WN_RESTRICT phi, double *partial,
                                   unsigned int *arrived, struct wn_charge_sums *out)
{
  wn_field_add_up(
      s.n, [&](uint32_t i, double *sum) { add_node<dim>(s, i, rho, phi, sum); }, partial,
      arrived, out);
}

/* The residual of the equation; *sums has the charge. */
template <int dim>
static __global__ void residual_kernel(const __grid_constant__ struct wn_field_shape s,
                                       const double *WN_RESTRICT rho,
                                       const double *WN_RESTRICT phi,
                                       struct wn_charge_sums *sums)
{
  const double taken = s.floats ? sums->charge / s.volume : 0.0;
  double left = 0.0, largest = 0.0;
  for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < s.n;
       i += gridDim.x * blockDim.x) {
    int32_t at[dim], step = 1;
    int is_inside = 1;
    wn_field_place<dim>(s.along, i, at);
#pragma unroll
    for (int d = 0; d < dim; d++)
      is_inside &= at[d] >= s.begin[d] && at[d] < s.end[d];
    if (!is_inside)
      continue;
    double sum = (rho[i] - taken) / WN_EPS0;
    if (wn_field_is_inner<dim>(s, at)) {
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
  wn_field_raise(&sums->left, left);
  wn_field_raise(&sums->largest, largest / WN_EPS0);
}

int wn_electrostatic_gpu_begin_sums(struct wn_electrostatic_gpu *f)
{
  const unsigned int blocks = wn_field_sum_blocks(f->n);
  struct wn_charge_sums *there =
      (struct wn_charge_sums *)(f->partial + WN_FIELD_SUM_BLOCKS * WN_FIELD_SUMS);
  if (f->has_begun)
    return WN_OK;
  WN_TRY(wn_gpu_use(f->gpu));
  WN_TRY(WN_FIELD_LAUNCH(f, blocks, "sums of a field", sums_kernel, f->shape, f->rho,
                         f->phi, f->partial, f->arrived, there));
  WN_TRY(WN_FIELD_LAUNCH(f, blocks, "residual of a field", residual_kernel, f->shape,
                         f->rho, f->phi, there));
  WN_TRY(wn_gpu_check((int)cudaMemcpyAsync(f->sums, there, sizeof *f->sums,
                                           cudaMemcpyDeviceToHost, f->gpu->stream),
                      "sums of a field"));
  f->has_begun = 1;
  return WN_OK;
}

int wn_electrostatic_gpu_sums(struct wn_electrostatic_gpu *f, struct wn_charge_sums *out)
{
  WN_TRY(wn_electrostatic_gpu_begin_sums(f));
  WN_TRY(wn_gpu_wait(f->gpu, "sums of a field"));
  WN_TRY(wn_electrostatic_gpu_misfits(f));
  *out = *f->sums;
  return WN_OK;
}
