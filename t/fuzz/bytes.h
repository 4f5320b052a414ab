/* t/fuzz/bytes.h - libFuzzer's bytes as decisions: what is asked for is taken from
 * them, one after the other, and is 0 when they are used up.  So a target has its
 * plain case for 0. */
#ifndef WN_T_FUZZ_BYTES_H
#define WN_T_FUZZ_BYTES_H
#include <math.h>
#include <stdint.h>
#include <string.h>

struct bytes {
  const uint8_t *at, *end;
};

static inline unsigned next(struct bytes *b)
{
  return b->at < b->end ? *b->at++ : 0;
}

/* n is below 256. */
static inline unsigned one_of(struct bytes *b, unsigned n)
{
  return next(b) % n;
}

/* A number: plain where the byte is 0; else one that is seldom met, any bits, or a
 * small one. */
static inline double a_number(struct bytes *b, double plain)
{
  static const double odd[] = {0.0,       -0.0,  NAN,    INFINITY,
                               -INFINITY, -1.0,  1e300,  -1e-300,
                               4.9e-324,  1e-30, 9.3e18, 4294967296.0};
  const unsigned how = next(b), n_odd = sizeof odd / sizeof odd[0];
  double x;
  uint64_t bits = 0;
  if (how == 0)
    return plain;
  if (how <= n_odd)
    return odd[how - 1];
  if (how != 255)
    return (double)how - 128.0;
  for (int i = 0; i < 8; i++)
    bits = bits << 8 | next(b);
  memcpy(&x, &bits, sizeof x);
  return x;
}

/* Any bytes, fewer than `most`, with a zero behind them; how many. */
static inline size_t a_text(struct bytes *b, char *to, size_t most)
{
  const size_t n = next(b) % most;
  for (size_t i = 0; i < n; i++)
    to[i] = (char)next(b);
  to[n] = '\0';
  return n;
}

#endif
