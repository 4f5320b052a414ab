/* fields/electrostatic_gpu_sums.cu - sums over the nodes and edges of the slab of a rank on a GPU, by the
 * functions of electrostatic_sums.h, in an order of their own that is always the same. */
#include "fields/electrostatic_gpu_sums.cuh"
#include "fields/electrostatic_sums.h"
#include "fields/poisson/parts.h"

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

/* The charge whose mean is taken where nothing holds phi: NAN where it is the sum that lies on the device;
 * per_volume 0 elsewhere. */
struct taken {
  double charge, per_volume; /* C, 1/m3 */
};

static __global__ void __launch_bounds__(WN_FIELD_BLOCK)
    left_kernel(const __grid_constant__ struct wn_slab s,
                const __grid_constant__ struct unknown u, uint32_t n, const double *rho,
                const double *phi, struct taken taken_of, struct wn_charge_sums *out)
{
  const double taken =
      (isnan(taken_of.charge) ? out->charge : taken_of.charge) * taken_of.per_volume;
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
static struct wn_charge_sums *there(const struct wn_electrostatic_gpu *g)
{
  return (struct wn_charge_sums *)(g->partial + WN_FIELD_SUM_BLOCKS * WN_FIELD_SUMS);
}

static int bring(const struct wn_electrostatic_gpu *g)
{
  return wn_gpu_check((int)cudaMemcpyAsync(g->sums, there(g), sizeof *g->sums,
                                           cudaMemcpyDeviceToHost, g->gpu->stream),
                      "sums of a field");
}

static int wait(const struct wn_electrostatic_gpu *g)
{
  WN_TRY(wn_gpu_wait(g->gpu, "sums of a field"));
  return wn_electrostatic_gpu_misfits(g);
}

static int launch_left(struct wn_electrostatic_gpu *g, const struct wn_electrostatic *f,
                       double charge)
{
  struct unknown u = {};
  struct taken taken = {charge, wn_poisson_is_floating(&f->spec.poisson) ? 1.0 : 0.0};
  for (int d = 0; d < f->grid.dim; d++) {
    wn_poisson_inside(&f->spec.poisson, d, &u.begin[d], &u.end[d]);
    taken.per_volume /= f->grid.length[d];
  }
  left_kernel<<<wn_field_sum_blocks(g->n), WN_FIELD_BLOCK, 0, g->gpu->stream>>>(
      f->slab, u, (uint32_t)g->n, g->rho, wn_field_phi(g, &f->slab), taken, there(g));
  return wn_gpu_check((int)cudaGetLastError(), "residual of a field");
}

static_assert(WN_SLAB_SUMS == WN_FIELD_SUMS, "the first of struct wn_charge_sums");

int wn_electrostatic_gpu_begin_sums(struct wn_electrostatic_gpu *g,
                                    const struct wn_electrostatic *f)
{
  if (g->has_begun)
    return WN_OK;
  WN_TRY(wn_gpu_use(g->gpu));
  sums_kernel<<<wn_field_sum_blocks(g->n), WN_FIELD_BLOCK, 0, g->gpu->stream>>>(
      f->slab, (uint32_t)g->n, g->rho, wn_field_phi(g, &f->slab), g->partial, g->arrived,
      there(g));
  WN_TRY(wn_gpu_check((int)cudaGetLastError(), "sums of a field"));
  if (f->slab.ranks == 1) /* the charge of all is known there */
    WN_TRY(launch_left(g, f, NAN));
  WN_TRY(bring(g));
  g->has_begun = 1;
  return WN_OK;
}

int wn_electrostatic_gpu_sums(struct wn_electrostatic_gpu *g,
                              const struct wn_electrostatic *f, double *sum)
{
  const struct wn_charge_sums *s = g->sums;
  WN_TRY(wn_electrostatic_gpu_begin_sums(g, f));
  WN_TRY(wait(g));
  sum[WN_SLAB_CHARGE] = s->charge;
  sum[WN_SLAB_INSIDE] = s->inside;
  sum[WN_SLAB_PAIRS] = s->pairs;
  sum[WN_SLAB_SQUARE] = s->square;
  sum[WN_SLAB_THROUGH] = s->through;
  for (int d = 0; d < 3; d++)
    sum[WN_SLAB_DROP + d] = s->drop[d];
  return WN_OK;
}

int wn_electrostatic_gpu_left(struct wn_electrostatic_gpu *g,
                              const struct wn_electrostatic *f, double charge,
                              double most[2])
{
  if (f->slab.ranks > 1) {
    WN_TRY(launch_left(g, f, charge));
    WN_TRY(bring(g));
    WN_TRY(wait(g));
  }
  most[0] = g->sums->left;
  most[1] = g->sums->largest;
  return WN_OK;
}
