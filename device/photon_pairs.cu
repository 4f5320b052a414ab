/* device/photon_pairs.cu - photons of the newborns of a store on the device, from the ionization to the pairs that they leave: gpu.h,
 * physics/photon_pairs.h.  Launches change no electron, so that they are repeated where a list was too short. */
#include "physics/photon_pairs.h" /* before any other header of cuRAND */
#include <stdlib.h>
#include "base/alloc.h"
#include "device/device.cuh"
#include "device/sum128.cuh"

/* Photons of one ionization that a warp flies together, at most one a lane. */
struct bundle {
  uint32_t newborn, first, n;
  float w;
};

#define N_SUMS (sizeof(struct wn_photon_sums) / sizeof(wn_i128))

/* At the head of the scratch memory. */
struct found {
  unsigned long long bundles, pairs;
  unsigned long long sum[N_SUMS][4]; /* sum128.cuh */
};

struct lists {
  struct found *found;
  struct bundle *bundle; /* [bundles] */
  struct wn_photon_pair *pair;
  unsigned long long bundles, pairs; /* room */
};

struct wn_gpu_photon_pairs {
  struct wn_gpu *gpu;
  struct wn_photon_source is;
  size_t bundles, pairs; /* room of the longest lists so far */
};

/* Room at first: a tip of a streamer makes some thousand in a step. */
#define BUNDLES ((size_t)1 << 14)
#define PAIRS   ((size_t)1 << 14)

/* One thread = one newborn at a time.  Reads 24 bytes of each, writes 16 for each 32 photons or part of them. */
static __global__ void __launch_bounds__(WN_GPU_STRIDE_BLOCK)
    bundles_kernel(const __grid_constant__ struct wn_photon_source is,
                   const struct wn_electron *e, size_t n, struct lists to)
{
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
       i += (size_t)gridDim.x * blockDim.x) {
    float w;
    const uint32_t photons = wn_photon_emitted(&is.key, is.yield, is.weight, &e[i], &w);
    if (photons == 0)
      continue;
    const unsigned long long parts = photons / 32u + (photons % 32u > 0u),
                             at = atomicAdd(&to.found->bundles, parts);
    for (unsigned long long k = 0; k < parts && at + k < to.bundles; k++) {
      const uint32_t first = (uint32_t)k * 32u, rest = photons - first;
      struct bundle *b = &to.bundle[at + k];
      b->newborn = (uint32_t)i;
      b->first = first;
      b->n = rest < 32u ? rest : 32u;
      b->w = w;
    }
  }
}

/* One warp = one bundle at a time, one lane = one of its photons.  Reads 16 bytes and the newborn of each, writes 32 bytes of each pair.
 * Limit expected: double precision. */
static __global__ void __launch_bounds__(WN_GPU_STRIDE_BLOCK)
    pairs_kernel(const __grid_constant__ struct wn_photon_source is,
                 const struct wn_electron *e, struct lists to)
{
  const unsigned long long n = to.found->bundles < to.bundles ? to.found->bundles
                                                              : to.bundles,
                           warps = (unsigned long long)gridDim.x * blockDim.x / 32;
  const uint32_t lane = threadIdx.x % 32;
  struct wn_photon_sums sums = {};
  for (unsigned long long i =
           ((unsigned long long)blockIdx.x * blockDim.x + threadIdx.x) / 32;
       i < n; i += warps) {
    const struct bundle b = to.bundle[i];
    struct wn_photon_pair pair;
    if (lane == 0)
      sums.emitted += (wn_i128)b.n * wn_quanta(b.w);
    if (lane >= b.n ||
        !wn_photon_leaves_pair(&is, &e[b.newborn], b.first + lane, b.w, &sums, &pair))
      continue;
    const unsigned long long at = atomicAdd(&to.found->pairs, 1ull);
    if (at < to.pairs)
      to.pair[at] = pair;
  }
  __syncwarp();
  for (size_t k = 0; k < N_SUMS; k++)
    wn_sum128_add(to.found->sum[k], (&sums.emitted)[k]);
}

int wn_gpu_photon_pairs_create(struct wn_gpu *g, const struct wn_photon_source *is,
                               struct wn_gpu_photon_pairs **out)
{
  struct wn_gpu_photon_pairs *q = (struct wn_gpu_photon_pairs *)wn_alloc(1, sizeof *q);
  if (q == NULL)
    return WN_ENOMEM;
  q->gpu = g;
  q->is = *is;
  q->bundles = BUNDLES;
  q->pairs = PAIRS;
  *out = q;
  return WN_OK;
}

void wn_gpu_photon_pairs_free(struct wn_gpu_photon_pairs *q)
{
  free(q);
}

/* In the scratch memory: the counts and sums, the pairs, the bundles. */
static int lay_out(struct wn_gpu_photon_pairs *q, struct lists *to)
{
  static_assert(sizeof(struct wn_photon_pair) % 16 == 0 && sizeof(struct bundle) == 16,
                "bundles are aligned behind pairs");
  struct wn_gpu *g = q->gpu;
  const size_t head = wn_gpu_round(sizeof(struct found), WN_GPU_ALIGN),
               pairs = q->pairs * sizeof *to->pair;
  WN_TRY(wn_gpu_scratch_fit(g, head + pairs + q->bundles * sizeof *to->bundle));
  to->found = (struct found *)(void *)g->scratch;
  to->pair = (struct wn_photon_pair *)(void *)(g->scratch + head);
  to->bundle = (struct bundle *)(void *)(g->scratch + head + pairs);
  to->bundles = q->bundles;
  to->pairs = q->pairs;
  return WN_OK;
}

/* Both launches; *found on the host. */
static int launch(struct wn_gpu_photon_pairs *q, const struct wn_electron *e, size_t n,
                  struct lists *to, struct found *found)
{
  struct wn_gpu *g = q->gpu;
  WN_TRY(lay_out(q, to));
  WN_TRY(wn_gpu_check((int)cudaMemsetAsync(to->found, 0, sizeof *to->found, g->stream),
                      "photons"));
  bundles_kernel<<<wn_gpu_stride_blocks(g, n), WN_GPU_STRIDE_BLOCK, 0, g->stream>>>(
      q->is, e, n, *to);
  WN_TRY(wn_gpu_check((int)cudaGetLastError(), "photons"));
  pairs_kernel<<<wn_gpu_stride_blocks(g, 32 * q->bundles), WN_GPU_STRIDE_BLOCK, 0,
                 g->stream>>>(q->is, e, *to);
  WN_TRY(wn_gpu_check((int)cudaGetLastError(), "photons"));
  WN_TRY(wn_gpu_check((int)cudaMemcpyAsync(g->host_scratch, to->found, sizeof *found,
                                           cudaMemcpyDeviceToHost, g->stream),
                      "photons"));
  WN_TRY(wn_gpu_wait(g, "photons"));
  *found = *(const struct found *)(const void *)g->host_scratch;
  return WN_OK;
}

/* A list with room for n, and a quarter more, as steps differ. */
static int make_longer(size_t *room, unsigned long long n)
{
  if (n <= *room)
    return 0;
  *room = (size_t)n + (size_t)n / 4;
  return 1;
}

int wn_gpu_photon_pairs_make(struct wn_gpu_photon_pairs *q, const struct wn_particles *p,
                             size_t first, double factor, struct wn_photon_sums *sums,
                             struct wn_photon_pair **out, size_t *n)
{
  struct wn_gpu *g = q->gpu;
  const struct wn_gpu_store *t = wn_gpu_store_of(g, p);
  const size_t born = p->n - first;
  struct lists to = {};
  struct found found;
  *n = 0;
  q->is.pairs.factor = factor;
  if (born == 0)
    return WN_OK;
  if (t == NULL || p->place == WN_PARTICLES_HOST)
    return WN_FAIL(WN_EINTERN, "photons of electrons on a GPU that does not hold them");
  if (born > UINT32_MAX)
    return WN_FAIL(WN_EINTERN, "photons of %zu newborns", born);
  WN_ASSERT(p->record.bytes == sizeof(struct wn_electron));
  WN_TRY(wn_gpu_use(g));
  const struct wn_electron *e = (const struct wn_electron *)wn_gpu_records(t) + first;
  WN_TRY(launch(q, e, born, &to, &found));
  /* the bundles that were cut left fewer pairs: a second time may be needed for these */
  for (int more = 0; more < 2 && (make_longer(&q->bundles, found.bundles) |
                                  make_longer(&q->pairs, found.pairs)) != 0;
       more++)
    WN_TRY(launch(q, e, born, &to, &found));
  if (found.bundles > to.bundles || found.pairs > to.pairs)
    return WN_FAIL(WN_EINTERN, "%llu pairs of photons, in room for %llu", found.pairs,
                   to.pairs);
  for (size_t k = 0; k < N_SUMS; k++)
    (&sums->emitted)[k] += wn_sum128_value(found.sum[k]);
  if (found.pairs == 0)
    return WN_OK;
  WN_TRY(wn_gpu_check((int)cudaMemcpyAsync(g->host_scratch, to.pair,
                                           found.pairs * sizeof *to.pair,
                                           cudaMemcpyDeviceToHost, g->stream),
                      "photons"));
  WN_TRY(wn_gpu_wait(g, "photons"));
  *out = (struct wn_photon_pair *)(void *)g->host_scratch;
  *n = (size_t)found.pairs;
  return WN_OK;
}
