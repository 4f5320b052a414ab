/* device/step_counts.cu - the sums of particles on the device by which adaptive steps have their lengths: gpu.h.
 * A block has the histogram in shared memory, where most particles fall into a few tens of bins, and adds what is
 * in it to the one in the memory of the device.  Sums are integers, so that their order does not matter. */
#include "physics/step_counts.h" /* before any other header of cuRAND */
#include "device/device.cuh"
#include "device/sum128.cuh"
#include <string.h>

enum { WEIGHT, ACCELERATIONS, N_SUMS };

struct found {
  unsigned long long of[WN_STEP_BINS];
  unsigned long long sum[N_SUMS]
                        [4]; /* of 128 bits, each as sums of its four words of 32 */
};

/* One thread = one particle at a time.  Reads 36 bytes of an electron, 8 to 12 of a point, and the word that marks a
 * dead one; one atomic in shared memory.  Limit expected: memory. */
template <bool electrons>
static __global__ void __launch_bounds__(WN_GPU_STRIDE_BLOCK)
    counts_kernel(const __grid_constant__ struct wn_step_look what, const void *records,
                  size_t n, struct found *found)
{
  __shared__ unsigned int near_of[WN_STEP_BINS];
  wn_i128 weight = 0, accelerations = 0;
  for (int i = (int)threadIdx.x; i < WN_STEP_BINS; i += (int)blockDim.x)
    near_of[i] = 0;
  __syncthreads();
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
       i += (size_t)gridDim.x * blockDim.x) {
    float u[3];
    if (electrons) {
      const struct wn_electron *e = (const struct wn_electron *)records + i;
      if (e->t_left < 0.0f)
        continue;
      for (int d = 0; d < 3; d++)
        u[d] = e->u[d];
      wn_step_electron(e, &weight, &accelerations);
    } else {
      const union wn_word *r = (const union wn_word *)records + i * (size_t)what.words;
      if (r[0].i < 0)
        continue;
      wn_step_point_u(&what, r, u);
    }
    atomicAdd(&near_of[wn_step_bin_of_motion(&what, u)], 1u);
  }
  __syncthreads();
  for (int i = (int)threadIdx.x; i < WN_STEP_BINS; i += (int)blockDim.x)
    if (near_of[i] != 0)
      atomicAdd(&found->of[i], (unsigned long long)near_of[i]);
  if (electrons) {
    wn_sum128_add(found->sum[WEIGHT], weight);
    wn_sum128_add(found->sum[ACCELERATIONS], accelerations);
  }
}

int wn_gpu_step_counts(struct wn_gpu *g, const struct wn_particles *p,
                       const struct wn_step_look *what, struct wn_step_counts *out)
{
  memset(out, 0, sizeof *out);
  if (p->n == 0)
    return WN_OK;
  struct wn_gpu_store *t = wn_gpu_store_of(g, p);
  const size_t bytes = what->has_electrons ? sizeof(struct wn_electron)
                                           : (size_t)what->words * sizeof(union wn_word);
  if (t == NULL || p->place == WN_PARTICLES_HOST || t->record.bytes != bytes)
    return WN_FAIL(WN_EINTERN, "sums for a step over other particles, or not on the GPU");
  WN_TRY(wn_gpu_use(g));
  WN_TRY(wn_gpu_scratch_fit(g, sizeof(struct found)));
  struct found *found = (struct found *)(void *)g->scratch;
  WN_TRY(wn_gpu_check((int)cudaMemsetAsync(found, 0, sizeof *found, g->stream),
                      "sums for a step"));
  const unsigned int blocks = wn_gpu_stride_blocks(g, p->n);
  if (what->has_electrons)
    counts_kernel<true><<<blocks, WN_GPU_STRIDE_BLOCK, 0, g->stream>>>(
        *what, wn_gpu_records(t), p->n, found);
  else
    counts_kernel<false><<<blocks, WN_GPU_STRIDE_BLOCK, 0, g->stream>>>(
        *what, wn_gpu_records(t), p->n, found);
  WN_TRY(wn_gpu_check((int)cudaGetLastError(), "sums for a step"));
  WN_TRY(wn_gpu_check((int)cudaMemcpyAsync(g->host_scratch, found, sizeof *found,
                                           cudaMemcpyDeviceToHost, g->stream),
                      "sums for a step"));
  WN_TRY(wn_gpu_wait(g, "sums for a step"));
  WN_TRY(wn_gpu_store_settle(t));
  const struct found *here = (const struct found *)(const void *)g->host_scratch;
  for (int i = 0; i < WN_STEP_BINS; i++)
    out->of[i] = here->of[i];
  out->weight = wn_sum128_value(here->sum[WEIGHT]);
  out->accelerations = wn_sum128_value(here->sum[ACCELERATIONS]);
  return WN_OK;
}
