/* bench/gpu_plasma.cu - see gpu_plasma.h. */
#include "bench/gpu_plasma.h"
#include "device/tiles.cuh"
#include "physics/mathfn.h"
#include "physics/nodal_field.h"
#include "physics/rng.h" /* before any other header of cuRAND */

static __global__ void e_kernel(float *e, size_t n, float amplitude)
{
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
       i += (size_t)gridDim.x * blockDim.x)
    e[i] = amplitude * sinf((float)(i % 1024) * (float)(6.2831853 / 1024));
}

int wn_bench_e(struct wn_gpu *g, size_t n, float e, float **out)
{
  WN_TRY(wn_gpu_use(g));
  WN_TRY(wn_gpu_array(g, "E", n, out));
  e_kernel<<<wn_gpu_stride_blocks(g, n), WN_GPU_STRIDE_BLOCK, 0, g->stream>>>(*out, n, e);
  return wn_gpu_check((int)cudaGetLastError(), "E");
}

static __global__ void eb_kernel(float *eb, size_t n, float e, float b)
{
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n * WN_NODAL_VALUES;
       i += (size_t)gridDim.x * blockDim.x) {
    const size_t c = i % WN_NODAL_VALUES, node = i / WN_NODAL_VALUES;
    eb[i] = c % 4 == 3 ? 0.0f
                       : (c < WN_NODAL_B ? e : b) *
                             sinf(0.006f * (float)(node % 1024) + (float)c);
  }
}

int wn_bench_eb(struct wn_gpu *g, size_t n, float e, float b, float **out)
{
  WN_TRY(wn_gpu_use(g));
  WN_TRY(wn_gpu_array(g, "E and B", n * WN_NODAL_VALUES, out));
  eb_kernel<<<wn_gpu_stride_blocks(g, n), WN_GPU_STRIDE_BLOCK, 0, g->stream>>>(*out, n, e,
                                                                               b);
  return wn_gpu_check((int)cudaGetLastError(), "E and B");
}

int wn_bench_quanta(struct wn_gpu *g, size_t n, int64_t **out)
{
  WN_TRY(wn_gpu_use(g));
  WN_TRY(wn_gpu_array(g, "quanta", n, out));
  return wn_gpu_check((int)cudaMemsetAsync(*out, 0, n * sizeof **out, g->stream),
                      "quanta");
}

template <int kind>
static __global__ void points_kernel(const __grid_constant__ struct wn_points m,
                                     void *records, size_t n, double v, int random)
{
  typedef wn_gpu_point_kind<kind> K;
  size_t cells = 1;
  for (int d = 0; d < K::dim; d++)
    cells *= (size_t)m.grid.cells[d];
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
       i += (size_t)gridDim.x * blockDim.x) {
    struct wn_gpu_point<kind> r = {
    };
    const struct wn_rng4 place = wn_rng(1, i, 0, 0, 0), a = wn_rng(1, i, 1, 0, 0);
    size_t cell = random ? (size_t)wn_rng(1, i, 2, 0, 0).w[0] * cells >> 32
                         : (size_t)((double)i / (double)n * (double)cells);
    for (int d = 0; d < K::dim; d++) {
      const int32_t at = (int32_t)(cell % (size_t)m.grid.cells[d]);
      cell /= (size_t)m.grid.cells[d];
      r.word[d].i =
          (at << m.grid.bits[d]) + (int32_t)(place.w[d] >> (32 - m.grid.bits[d]));
    }
    const double r0 = sqrt(-2.0 * log(1.0 - wn_u01(a.w[0]))),
                 r1 = sqrt(-2.0 * log(1.0 - wn_u01(a.w[2])));
    const double t0 = 2.0 * WN_PI * wn_u01(a.w[1]), t1 = 2.0 * WN_PI * wn_u01(a.w[3]);
    const double u[3] = {v * r0 * cos(t0), v * r0 * sin(t0), v * r1 * cos(t1)};
    for (int d = 0; d < K::n_v; d++)
      r.word[K::dim + d].f = (float)u[d];
    if (wn_point_weighs(K::dim, K::n_v))
      r.word[K::dim + K::n_v].f = 1.0f;
    wn_gpu_point_write<kind>(records, i, r);
  }
}

int wn_bench_points(struct wn_gpu *g, const struct wn_points *m, size_t n, double v,
                    int random, struct wn_particles *p)
{
  int enough;
  WN_TRY(wn_gpu_hold(g, p, 0.0));
  struct wn_gpu_store *t = wn_gpu_store_of(g, p);
  WN_TRY(wn_gpu_store_fit(t, n, n, 0.0, &enough));
  if (!enough)
    return WN_FAIL(WN_ENOMEM, "%zu points do not fit on the GPU", n);
  WN_TRY(wn_gpu_for_kind(m->kind, [&](auto kind) {
    points_kernel<decltype(kind)::is>
        <<<wn_gpu_stride_blocks(g, n), WN_GPU_STRIDE_BLOCK, 0, g->stream>>>(
            *m, wn_gpu_records(t), n, v, random);
    return wn_gpu_check((int)cudaGetLastError(), "points");
  }));
  wn_gpu_store_forget(t);
  p->n = n;
  p->place = WN_PARTICLES_REMOTE;
  return WN_OK;
}

static __global__ void copy_kernel(const uint4 *from, uint4 *to, size_t n)
{
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
       i += (size_t)gridDim.x * blockDim.x)
    __stcs(&to[i], __ldcs(&from[i]));
}

int wn_bench_copy_rate(struct wn_gpu *g, double *rate)
{
  const size_t n = (size_t)1 << 26; /* 1 GiB each way */
  uint4 *from = NULL, *to = NULL;
  cudaEvent_t begin, end;
  float best = 1e30f, ms;
  WN_TRY(wn_gpu_array(g, "copy", n, &from));
  WN_TRY(wn_gpu_array(g, "copy", n, &to));
  WN_TRY(wn_gpu_check((int)cudaEventCreate(&begin), "copy"));
  WN_TRY(wn_gpu_check((int)cudaEventCreate(&end), "copy"));
  for (int k = 0; k < 10; k++) {
    cudaEventRecord(begin, g->stream);
    copy_kernel<<<(unsigned int)g->multiprocessors * 16, 512, 0, g->stream>>>(from, to,
                                                                              n);
    cudaEventRecord(end, g->stream);
    WN_TRY(wn_gpu_wait(g, "copy"));
    WN_TRY(wn_gpu_check((int)cudaEventElapsedTime(&ms, begin, end), "copy"));
    best = ms < best ? ms : best;
  }
  cudaEventDestroy(begin);
  cudaEventDestroy(end);
  wn_gpu_release(g, from, n * sizeof *from);
  wn_gpu_release(g, to, n * sizeof *to);
  *rate = 2.0 * (double)(n * sizeof *from) / ((double)best * 1e-3);
  return WN_OK;
}
