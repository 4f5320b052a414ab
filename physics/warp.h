/* physics/warp.h - work shared by lanes: those of a warp on a GPU, which is one on a CPU.  A loop over i from
 * wn_warp_lane() on in steps of WN_WARP_LANES, then wn_warp_wait(), is the loop of either; all lanes of a warp take part in
 * each of these calls.  And a sort that lanes can share, in place: it has no need of equal keys. */
#ifndef WN_PHYSICS_WARP_H
#define WN_PHYSICS_WARP_H
#include <stdint.h>
#include <string.h>
#include "physics/host_device.h"

#ifdef __CUDA_ARCH__
#define WN_WARP_LANES 32u
#else
#define WN_WARP_LANES 1u
#endif

/* Before a loop whose iterations wait for memory: some of them at a time. */
#ifdef __CUDA_ARCH__
#define WN_UNROLLED_BY_8 _Pragma("unroll 8")
#else
#define WN_UNROLLED_BY_8
#endif

static WN_HD uint32_t wn_warp_lane(void)
{
#ifdef __CUDA_ARCH__
  return threadIdx.x % WN_WARP_LANES;
#else
  return 0;
#endif
}

/* What lanes wrote before is there for all. */
static WN_HD void wn_warp_wait(void)
{
#ifdef __CUDA_ARCH__
  __syncwarp();
#endif
}

/* The sum over all lanes, in each; _below: over those before this one. */
static WN_HD uint32_t wn_warp_sum(uint32_t v)
{
#ifdef __CUDA_ARCH__
  for (int offset = 16; offset > 0; offset /= 2)
    v += __shfl_xor_sync(0xffffffffu, v, offset);
#endif
  return v;
}

static WN_HD uint32_t wn_warp_sum_below(uint32_t v)
{
#ifdef __CUDA_ARCH__
  uint32_t sum = v;
  for (int offset = 1; offset < 32; offset *= 2) {
    const uint32_t other = __shfl_up_sync(0xffffffffu, sum, offset);
    sum += wn_warp_lane() >= (uint32_t)offset ? other : 0;
  }
  return sum - v;
#else
  (void)v;
  return 0;
#endif
}

/* How many lanes from the first on all say yes. */
static WN_HD uint32_t wn_warp_leading(int yes)
{
#ifdef __CUDA_ARCH__
  const uint32_t no = ~__ballot_sync(0xffffffffu, yes);
  return no == 0 ? 32u : (uint32_t)__ffs((int)no) - 1;
#else
  return yes != 0;
#endif
}

/* *n += 1; returns what it was, a place of its own for each lane. */
static WN_HD uint32_t wn_warp_take(uint32_t *n)
{
#ifdef __CUDA_ARCH__
  return atomicAdd(n, 1u);
#else
  return (*n)++;
#endif
}

/* ---- sorting by a key, then by a tag; no two may have the same key and tag */

static WN_HD int wn_warp_is_before(uint64_t key, uint32_t tag, uint64_t other_key,
                                   uint32_t other_tag)
{
  return key != other_key ? key < other_key : tag < other_tag;
}

static WN_HD void wn_warp_sort_pair(uint64_t *key, uint32_t *tag, uint32_t a, uint32_t b)
{
  const uint64_t x = key[a], y = key[b];
  const uint32_t s = tag[a], t = tag[b];
  if (wn_warp_is_before(y, t, x, s)) {
    key[a] = y;
    key[b] = x;
    tag[a] = t;
    tag[b] = s;
  }
}

/* Batcher's bitonic sort of n by so many lanes.  Places from n on would have the greatest keys: as the lesser of
 * two always goes to the lower place, these never move, and need not be there. */
static WN_HD void wn_warp_sort_bitonic(uint32_t lane, uint32_t lanes, uint64_t *key,
                                       uint32_t *tag, uint32_t n)
{
  for (uint32_t half = 1; half < n; half *= 2) {
    const uint32_t pairs = (n + 2 * half - 1) / (2 * half) * half;
    for (uint32_t i = lane; i < pairs; i += lanes) { /* of two sorted parts, mirrored */
      const uint32_t within = i & (half - 1), first = 2 * (i - within),
                     b = first + 2 * half - 1 - within;
      if (b < n)
        wn_warp_sort_pair(key, tag, first + within, b);
    }
    wn_warp_wait();
    for (uint32_t by = half / 2; by > 0; by /= 2) {
      for (uint32_t i = lane; i < pairs; i += lanes) {
        const uint32_t within = i & (by - 1), a = 2 * (i - within) + within;
        if (a + by < n)
          wn_warp_sort_pair(key, tag, a, a + by);
      }
      wn_warp_wait();
    }
  }
}

/* The same order on a CPU, by insertion and merging; spare: room for half of them. */
#define WN_WARP_FEW 12
static inline void wn_warp_sort_merging(uint64_t *key, uint32_t *tag, uint32_t n,
                                        uint64_t *spare_key, uint32_t *spare_tag)
{
  if (n <= WN_WARP_FEW) {
    for (uint32_t i = 1; i < n; i++) {
      const uint64_t k = key[i];
      const uint32_t t = tag[i];
      uint32_t j = i;
      for (; j > 0 && wn_warp_is_before(k, t, key[j - 1], tag[j - 1]); j--) {
        key[j] = key[j - 1];
        tag[j] = tag[j - 1];
      }
      key[j] = k;
      tag[j] = t;
    }
    return;
  }
  const uint32_t half = n / 2;
  wn_warp_sort_merging(key, tag, half, spare_key, spare_tag);
  wn_warp_sort_merging(key + half, tag + half, n - half, spare_key, spare_tag);
  if (!wn_warp_is_before(key[half], tag[half], key[half - 1], tag[half - 1]))
    return;
  memcpy(spare_key, key, half * sizeof *key);
  memcpy(spare_tag, tag, half * sizeof *tag);
  for (uint32_t i = 0, j = half, to = 0; i < half; to++) {
    const int second =
        j < n && wn_warp_is_before(key[j], tag[j], spare_key[i], spare_tag[i]);
    key[to] = second ? key[j] : spare_key[i];
    tag[to] = second ? tag[j] : spare_tag[i];
    j += (uint32_t)second;
    i += (uint32_t)!second;
  }
}

/* By the lanes on a GPU; on a CPU with spare memory. */
static WN_HD void wn_warp_sort(uint64_t *key, uint32_t *tag, uint32_t n,
                               uint64_t *spare_key, uint32_t *spare_tag)
{
#ifdef __CUDA_ARCH__
  (void)spare_key, (void)spare_tag;
  wn_warp_sort_bitonic(wn_warp_lane(), WN_WARP_LANES, key, tag, n);
#else
  wn_warp_sort_merging(key, tag, n, spare_key, spare_tag);
#endif
}

/* Keys in the order of floats; 0 and -0 are the same.  And of doubles that are not negative. */
static WN_HD uint32_t wn_warp_key_f(float x)
{
  const float y = x == 0.0f ? 0.0f : x;
  uint32_t b;
  memcpy(&b, &y, sizeof b);
  return b & 0x80000000u ? ~b : b | 0x80000000u;
}

static WN_HD uint64_t wn_warp_key_positive(double x)
{
  uint64_t b;
  memcpy(&b, &x, sizeof b);
  return b;
}

#endif
