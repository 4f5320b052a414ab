/* fields/charge_check_gpu.cu - compares the charge on the grid of a GPU with that of the
 * particles: charge_check_gpu.h. */
#include "device/batches.cuh"
#include "fields/charge_check_gpu.h"
#include "fields/charge_sums_gpu.cuh"

/* Reads 8 bytes per node.  Limit: memory. */
static __global__ void __launch_bounds__(WN_GPU_STRIDE_BLOCK)
    nodes_kernel(const int64_t *quanta, size_t n, unsigned long long *to)
{
  unsigned long long sum = 0;
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
       i += (size_t)gridDim.x * blockDim.x)
    sum += (unsigned long long)quanta[i];
  wn_charge_add_up(sum, to);
}

/* Keeps the first species whose sums differ; one thread. */
static __global__ void compare_kernel(const unsigned long long *sum, uint64_t species,
                                      struct wn_charge_differs *out)
{
  if (sum[0] == sum[1] || out->is)
    return;
  out->species = species;
  out->of_particles = sum[0];
  out->of_nodes = sum[1];
  out->is = 1;
}

static int sum_points(struct wn_gpu *g, const struct wn_points *m, const void *records,
                      size_t n, unsigned long long *sum)
{
  if (m->grid.is_radial)
    return wn_charge_gpu_radial_points(g, m, records, n, sum);
  return wn_gpu_for_kind(m->kind, [&](auto kind) {
    wn_charge_points_kernel<decltype(kind)::is>
        <<<wn_gpu_stride_blocks(g, n), WN_GPU_STRIDE_BLOCK, 0, g->stream>>>(*m, records,
                                                                            n, sum);
    return wn_gpu_check((int)cudaGetLastError(), "sums of charge");
  });
}

int wn_charge_gpu_compare(struct wn_gpu *g, const struct wn_points *m,
                          struct wn_particles *p, const int64_t *quanta,
                          const struct wn_gpu_part *part, uint64_t species,
                          uint64_t *scratch, struct wn_charge_differs *out)
{
  const struct wn_gpu_store *t = p->n > 0 ? wn_gpu_store_of(g, p) : NULL;
  unsigned long long *sum = (unsigned long long *)scratch;
  const size_t nodes = (size_t)wn_grid_nodes(&m->grid);
  const unsigned int blocks = wn_gpu_stride_blocks(g, p->n);
  const struct wn_gpu_part whole = {};
  const bool in_batches = wn_gpu_is_in_batches(g, p);
  if (p->n > 0 && t == NULL && !in_batches)
    return WN_FAIL(WN_EINTERN, "charge of particles on a GPU that does not hold them");
  WN_TRY(wn_gpu_use(g));
  WN_TRY(wn_gpu_check((int)cudaMemsetAsync(sum, 0, 2 * sizeof *sum, g->stream),
                      "sums of charge"));
  if (in_batches)
    WN_TRY(wn_gpu_batches_visit(g, p, 0, WN_BATCH_READS,
                                [&](const void *records, size_t, size_t n) {
                                  return sum_points(g, m, records, n, sum);
                                }));
  else if (p->n > 0 && p->record.no_t_left)
    WN_TRY(sum_points(g, m, wn_gpu_records(t), p->n, sum));
  else if (p->n > 0 && m->grid.is_radial)
    WN_TRY(wn_charge_gpu_radial_electrons(
        g, m, (const struct wn_electron *)wn_gpu_records(t), p->n, sum));
  else if (p->n > 0)
    wn_charge_electrons_kernel<<<blocks, WN_GPU_STRIDE_BLOCK, 0, g->stream>>>(
        *m, (const struct wn_electron *)wn_gpu_records(t), p->n, sum);
  WN_TRY(
      wn_gpu_part_each(part != NULL ? part : &whole, nodes, [&](size_t from, size_t to) {
        nodes_kernel<<<wn_gpu_stride_blocks(g, to - from), WN_GPU_STRIDE_BLOCK, 0,
                       g->stream>>>(quanta + from, to - from, sum + 1);
        return wn_gpu_check((int)cudaGetLastError(), "sums of charge");
      }));
  compare_kernel<<<1, 1, 0, g->stream>>>(sum, species, out);
  return wn_gpu_check((int)cudaGetLastError(), "sums of charge");
}

int wn_charge_gpu_misfits(const uint64_t *misfits,
                          const struct wn_charge_differs *differs)
{
  const uint64_t n = *(volatile const uint64_t *)misfits;
  const volatile struct wn_charge_differs *d = differs;
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
