/* fields/deposit_gpu.cuh - common parts of the variants of the deposit on a GPU
 * (deposit_gpu.h): charge and place of a point, records loaded ahead, points of a warp in
 * the same cell. */
#ifndef WN_FIELDS_DEPOSIT_GPU_CUH
#define WN_FIELDS_DEPOSIT_GPU_CUH
#include "device/charge_deposit.cuh"
#include "device/tiles.cuh"
#include "fields/deposit_gpu.h"
#include "physics/shape.h"

/* The points, at most WN_DEPOSIT_MOST except for `tile`, and the target of their charge;
 * on the device. */
struct wn_deposit_job {
  const void *records;
  size_t n;
  unsigned long long *quanta; /* on the padded nodes */
  unsigned long long *misfits;
};

/* deposit_gpu_grid.cu: atomic, coarsen, aggregate. */
int wn_deposit_gpu_grid(struct wn_gpu *g, enum wn_deposit_gpu way,
                        const struct wn_points *m, const struct wn_deposit_job *job);
/* deposit_gpu_radial.cu: the same in r-z. */
int wn_deposit_gpu_radial(struct wn_gpu *g, enum wn_deposit_gpu way,
                          const struct wn_points *m, const struct wn_deposit_job *job);
/* deposit_gpu_window.cu: private, and tile, which requires the order. */
int wn_deposit_gpu_private(struct wn_gpu *g, const struct wn_points *m,
                           const struct wn_deposit_job *job);
int wn_deposit_gpu_tile(struct wn_gpu *g, const struct wn_points *m,
                        const struct wn_deposit_job *job,
                        const struct wn_gpu_tiles *tiles);
/* Nodes of a private grid; 0: it does not fit into shared memory. */
size_t wn_deposit_gpu_private_nodes(struct wn_gpu *g, const struct wn_points *m);

/* Call f(kind, shape), each a wn_gpu_int. */
template <class F> static int wn_deposit_for(const struct wn_points *m, F f)
{
  return wn_gpu_for_kind(m->kind, [&](auto kind) {
    switch (m->grid.shape) {
    case WN_SHAPE_NGP:
      return f(kind, wn_gpu_int<WN_SHAPE_NGP>());
    case WN_SHAPE_CIC:
      return f(kind, wn_gpu_int<WN_SHAPE_CIC>());
    default:
      return f(kind, wn_gpu_int<WN_SHAPE_TSC>());
    }
  });
}

/* The quanta of a weight outside [0, 2^32). */
static __device__ __noinline__ uint64_t wn_deposit_odd(float w,
                                                       unsigned long long *misfits)
{
  const int64_t q = wn_quanta(w);
  if (q == WN_QUANTA_MISFIT && misfits != NULL)
    atomicAdd(misfits, 1ull);
  return q == WN_QUANTA_MISFIT ? 0 : (uint64_t)q;
}

/* The quanta of a point and their place, with few branches.  0: not wanted, dead, outside
 * then, or a misfit, which is counted where misfits is not NULL.  w 2^20 is exact in
 * single precision, so that one rounding to an integer is that of wn_quanta.  plain: all
 * axes of the grid are periodic, and the particles are not relativistic. */
template <int kind, bool plain>
static __device__ __forceinline__ uint64_t wn_deposit_charge(
    const struct wn_points &m, const struct wn_gpu_point<kind> &r, bool is_wanted,
    unsigned long long *misfits, int32_t cell[3], uint32_t part[3])
{
  constexpr int dim = wn_gpu_point_kind<kind>::dim, n_v = wn_gpu_point_kind<kind>::n_v;
  int32_t x[3];
  float u[3], w;
  uint64_t q = WN_QUANTA;
  int side;
  wn_point_load(dim, n_v, r.word, x, u, &w);
  is_wanted = is_wanted && x[0] >= 0;
  x[0] = is_wanted ? x[0] : 0;
  if (wn_point_weighs(dim, n_v)) {
    const float scaled = w * (float)WN_QUANTA;
    q = __float2uint_rn(scaled);
    if (is_wanted && !(scaled >= 0.0f && scaled < 0x1p32f))
      q = wn_deposit_odd(w, misfits);
  }
  if (plain) {
#pragma unroll
    for (int d = 0; d < dim; d++)
      __builtin_assume(m.grid.side[2 * d] == WN_SIDE_PERIODIC);
    side = wn_point_drift(&m, dim, n_v, 0, x, u);
  } else {
    side = m.relativistic ? wn_point_drift(&m, dim, n_v, 1, x, u)
                          : wn_point_drift(&m, dim, n_v, 0, x, u);
  }
  wn_point_place(&m, dim, x, cell, part);
  return is_wanted && side < 0 ? q : 0;
}

static inline bool wn_deposit_is_plain(const struct wn_points *m)
{
  bool plain = !m->relativistic;
  for (int d = 0; d < m->grid.dim; d++)
    plain = plain && m->grid.side[2 * d] == WN_SIDE_PERIODIC;
  return plain;
}

/* Records from `at` on in strides: f(record, whether it is one of the n > 0) by all lanes
 * of a warp, which begin at 32 consecutive records.  Each thread has `ahead` loads in
 * flight while it handles one; beyond the end they repeat the last record, as a branch
 * would have to wait. */
template <int kind, int ahead, class F>
static __device__ __forceinline__ void
wn_deposit_points_of(const void *records, unsigned int n, unsigned int at,
                     unsigned int stride, F f)
{
  const unsigned int lane = threadIdx.x % 32;
  const auto bring = [&](unsigned int i) {
    return wn_gpu_point_read<kind>(records, i < n ? i : n - 1);
  };
  struct wn_gpu_point<kind> next[ahead > 0 ? ahead : 1];
  for (; ahead == 0 && at - lane < n; at += stride)
    f(bring(at), at < n);
#pragma unroll
  for (int k = 0; k < ahead; k++)
    next[k] = bring(at + (unsigned int)k * stride);
  while (at - lane < n) {
#pragma unroll
    for (int k = 0; k < ahead; k++) {
      const struct wn_gpu_point<kind> r = next[k];
      next[k] = bring(at + (unsigned int)ahead * stride);
      f(r, at < n);
      at += stride;
    }
  }
}

/* Points of a launch: 32 bits also count all strides beyond the end. */
#define WN_DEPOSIT_MOST ((size_t)1 << 30)

/* Fewer points of a warp in one cell are not merged: it would not pay. */
#define WN_DEPOSIT_MERGE 8

/* Points of a warp with the same first node, `to`: their quanta are summed, and each of
 * the first lanes passes one sum to add(to, lane, sum).  All lanes call this; w: the
 * quanta of a lane, q their division, w 0 where there is nothing to do.  Returns the
 * lanes that were not merged; the caller adds these one by one. */
template <int reached, class F>
static __device__ __forceinline__ unsigned int wn_deposit_merge(int32_t to, uint32_t w,
                                                                const uint64_t *q, F add)
{
  const unsigned int all = 0xffffffffu, lane = threadIdx.x % 32;
  unsigned int left = __ballot_sync(all, w != 0);
  while (left != 0) {
    const int32_t first = __shfl_sync(all, to, __ffs((int)left) - 1);
    const bool mine = (left >> lane & 1u) != 0 && to == first &&
                      w < 1u << 27; /* so that 32 of them fit into 32 bits */
    const unsigned int group = __ballot_sync(all, mine);
    if (__popc(group) < WN_DEPOSIT_MERGE)
      break;
    uint32_t sum = 0;
#pragma unroll
    for (int k = 0; k < reached; k++) {
      const uint32_t s = __reduce_add_sync(all, mine ? (uint32_t)q[k] : 0u);
      sum = lane == k ? s : sum;
    }
    if (lane < reached)
      add(first, lane, sum);
    left &= ~group;
  }
  return left;
}

#endif
