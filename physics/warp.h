/* physics/warp.h - work shared by lanes: those of a warp on a GPU, which is one on a CPU.  A loop over i from
 * wn_warp_lane() on in steps of WN_WARP_LANES, then wn_warp_wait(), is the loop of either; all lanes of a warp take part in
 * each of these calls.  And a sort that lanes can share, in place: it has no need of equal keys.
 *
 * A tile is so many neighbouring lanes, a power of 2, which do one of several things that a warp does at a time; on a
 * CPU it is the one lane.  All tiles of a warp make the same calls, also those with nothing left to do.
 *
 * WN_WARP_IS_EMULATED: the lanes are 32 contexts of one thread of a CPU (t/tap/lanes.c), so that what a GPU runs can be
 * checked without one. */
#ifndef WN_PHYSICS_WARP_H
#define WN_PHYSICS_WARP_H
#include <stdint.h>
#include <string.h>
#include "physics/host_device.h"

#ifdef __CUDA_ARCH__
#define WN_WARP_LANES 32u
#elif defined(WN_WARP_IS_EMULATED)
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

/* ---- what the kinds of warps do each in their way */

#ifdef WN_WARP_IS_EMULATED
uint32_t lanes_this(void);
void lanes_wait(void);
uint32_t lanes_value(uint32_t v, uint32_t lane);
uint32_t lanes_ballot(int yes);
#endif

static WN_HD uint32_t wn_warp_lane(void)
{
#ifdef __CUDA_ARCH__
  return threadIdx.x % WN_WARP_LANES;
#elif defined(WN_WARP_IS_EMULATED)
  return lanes_this();
#else
  return 0;
#endif
}

/* What lanes wrote before is there for all. */
static WN_HD void wn_warp_wait(void)
{
#ifdef __CUDA_ARCH__
  __syncwarp();
#elif defined(WN_WARP_IS_EMULATED)
  lanes_wait();
#endif
}

/* The v of another lane. */
static WN_HD uint32_t wn_warp_value(uint32_t v, uint32_t lane)
{
#ifdef __CUDA_ARCH__
  return __shfl_sync(0xffffffffu, v, (int)lane);
#elif defined(WN_WARP_IS_EMULATED)
  return lanes_value(v, lane);
#else
  (void)lane;
  return v;
#endif
}

/* A bit for each lane that says yes. */
static WN_HD uint32_t wn_warp_ballot(int yes)
{
#ifdef __CUDA_ARCH__
  return __ballot_sync(0xffffffffu, yes);
#elif defined(WN_WARP_IS_EMULATED)
  return lanes_ballot(yes);
#else
  return yes != 0;
#endif
}

/* ---- sums and questions over lanes */

/* The bits that are 1. */
static WN_HD uint32_t wn_warp_bits(uint32_t v)
{
#ifdef __CUDA_ARCH__
  return (uint32_t)__popc(v);
#else
  uint32_t n = 0;
  for (; v != 0; v &= v - 1)
    n++;
  return n;
#endif
}

/* The sum over the lanes of a tile, in each; _below: over those before this one. */
static WN_HD uint32_t wn_tile_sum(uint32_t lanes, uint32_t v)
{
  for (uint32_t by = lanes / 2; by > 0; by /= 2)
    v += wn_warp_value(v, wn_warp_lane() ^ by);
  return v;
}

static WN_HD uint32_t wn_tile_sum_below(uint32_t lanes, uint32_t v)
{
  uint32_t sum = v;
  const uint32_t at = wn_warp_lane() % lanes;
  for (uint32_t by = 1; by < lanes; by *= 2) {
    const uint32_t other = wn_warp_value(sum, at >= by ? wn_warp_lane() - by : 0);
    sum += at >= by ? other : 0;
  }
  return sum - v;
}

/* How many lanes of a tile from its first on all say yes. */
static WN_HD uint32_t wn_tile_leading(uint32_t lanes, int yes)
{
  const uint32_t of_tile = wn_warp_ballot(yes) >> (wn_warp_lane() / lanes * lanes),
                 no = ~of_tile & (lanes < 32 ? (1u << lanes) - 1 : 0xffffffffu);
  return no == 0 ? lanes : wn_warp_bits((no & (~no + 1u)) - 1);
}

static WN_HD uint32_t wn_warp_sum(uint32_t v)
{
  return wn_tile_sum(WN_WARP_LANES, v);
}

/* How many lanes before this one say yes; *n += all that do. */
static WN_HD uint32_t wn_warp_place(int yes, uint32_t *n)
{
  const uint32_t all = wn_warp_ballot(yes), place = *n;
  *n += wn_warp_bits(all);
  return place + wn_warp_bits(all & ((1u << wn_warp_lane()) - 1));
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

/* Each lane counts what comes before its numbers, at most `each` of them: for few, fewer instructions than the
 * network, and no step waits for another. */
#define WN_WARP_RANKED 3u /* numbers of a lane at most */
static WN_HD void wn_warp_sort_ranked(uint32_t each, uint64_t *key, uint32_t *tag,
                                      uint32_t n)
{
  uint64_t k[WN_WARP_RANKED];
  uint32_t t[WN_WARP_RANKED], rank[WN_WARP_RANKED];
  WN_UNROLLED
  for (uint32_t m = 0; m < each; m++) {
    const uint32_t i = wn_warp_lane() + m * WN_WARP_LANES, at = i < n ? i : 0;
    k[m] = key[at];
    t[m] = tag[at];
    rank[m] = 0;
  }
  WN_UNROLLED_BY_8
  for (uint32_t j = 0; j < n; j++) {
    const uint64_t other = key[j];
    const uint32_t with = tag[j];
    WN_UNROLLED
    for (uint32_t m = 0; m < each; m++)
      rank[m] += (uint32_t)wn_warp_is_before(other, with, k[m], t[m]);
  }
  wn_warp_wait();
  WN_UNROLLED
  for (uint32_t m = 0; m < each; m++)
    if (wn_warp_lane() + m * WN_WARP_LANES < n) {
      key[rank[m]] = k[m];
      tag[rank[m]] = t[m];
    }
  wn_warp_wait();
}

/* By the lanes on a GPU; on a CPU with spare memory. */
static WN_HD void wn_warp_sort(uint64_t *key, uint32_t *tag, uint32_t n,
                               uint64_t *spare_key, uint32_t *spare_tag)
{
#if WN_WARP_LANES == 1
  wn_warp_sort_merging(key, tag, n, spare_key, spare_tag);
#else
  (void)spare_key, (void)spare_tag;
  if (n <= WN_WARP_LANES)
    wn_warp_sort_ranked(1, key, tag, n);
  else if (n <= WN_WARP_RANKED * WN_WARP_LANES)
    wn_warp_sort_ranked(WN_WARP_RANKED, key, tag, n);
  else
    wn_warp_sort_bitonic(wn_warp_lane(), WN_WARP_LANES, key, tag, n);
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
