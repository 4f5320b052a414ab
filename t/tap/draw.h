/* t/tap/draw.h - random numbers for tests: splitmix64 (Steele, Lea, Flood 2014), which no
 * part of Wilson uses.  A test sets draw_state, its seed, before it draws. */
#ifndef WN_T_TAP_DRAW_H
#define WN_T_TAP_DRAW_H
#include <math.h>
#include <stdint.h>

static uint64_t draw_state;

static inline uint64_t word64(void)
{
  uint64_t z = draw_state += 0x9e3779b97f4a7c15ull;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}

/* In [0, 1). */
static inline double uniform(void)
{
  return (double)(word64() >> 11) * 0x1p-53;
}

static inline double between(double lo, double hi) /* log-uniform */
{
  return lo * pow(hi / lo, uniform());
}

#endif
