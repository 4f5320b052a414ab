/* device/sum128.cuh - integers of 128 bits added by many threads on the device.  The sum is kept as sums of its four
 * words of 32 bits, each in 64: atomics in any order give the same bits. */
#ifndef WN_DEVICE_SUM128_CUH
#define WN_DEVICE_SUM128_CUH
#include "physics/tally.h"

/* to += the sum of v over the 32 lanes of the warp, all of which call this; 2^32 calls of warps fit. */
static __device__ void wn_sum128_add(unsigned long long to[4], wn_i128 v)
{
  unsigned __int128 sum = (unsigned __int128)v;
  for (int offset = 16; offset > 0; offset /= 2) {
    const unsigned long long low = __shfl_down_sync(0xffffffffu, (unsigned long long)sum,
                                                    offset),
                             high = __shfl_down_sync(
                                 0xffffffffu, (unsigned long long)(sum >> 64), offset);
    sum += (unsigned __int128)high << 64 | low;
  }
  if (threadIdx.x % 32 == 0 && sum != 0)
    for (int k = 0; k < 4; k++)
      atomicAdd(&to[k], (unsigned long long)(sum >> 32 * k) & 0xffffffffull);
}

/* The sum that is in the words, modulo 2^128. */
static inline wn_i128 wn_sum128_value(const unsigned long long word[4])
{
  unsigned __int128 v = 0;
  for (int k = 0; k < 4; k++)
    v += (unsigned __int128)word[k] << 32 * k;
  return (wn_i128)v;
}

#endif
