/* t0100-mathfn.c - defends: the functions of physics/mathfn.h have the accuracy that its
 * first comment states. Reference: logl, expl, expm1l, sinl, cosl, erfcl, atanl, atanhl and sqrtl of the C
 * library in long double (64-bit mantissa), at arguments from a fixed sequence, dense
 * near the places where the code changes from one branch to another; for random variates,
 * all words that there are. */
#include "physics/mathfn.h"
#include "t/tap/draw.h"
#include "t/tap/tap.h"

#include <float.h>
#include <math.h>
#include <stdint.h>

/* |got - want| in units of the last place of want as a double. */
static double ulps(double got, long double want)
{
  int e;
  frexpl(want, &e);
  if (want == 0.0L)
    return got == 0.0 ? 0.0 : INFINITY;
  return (double)fabsl(((long double)got - want) / ldexpl(1.0L, e - DBL_MANT_DIG));
}

static void worst(double *w, double *at, double v, double x)
{
  if (!(v <= *w)) {
    *w = v;
    *at = x;
  }
}

/* One rounding, in either way: that of the processor, or of the C library. */
static void test_fma(void)
{
  ok(wn_fma(1.0f + 0x1p-12f, 1.0f + 0x1p-12f, -1.0f - 0x1p-11f) == 0x1p-24f,
     "a b + c: nothing is rounded off the product");
  /* just below the middle of two floats, by less than a double holds */
  ok(wn_fma(0x1p-24f + 0x1p-47f, 1.0f - 0x1p-23f, 1.0f + 0x1p-23f) == 1.0f + 0x1p-23f,
     "nor is the sum rounded twice");
  ok(wn_fma(-0x1p-80f, 0x1p-66f, 0x1p-126f) == 0x1p-126f - 0x1p-146f,
     "below the normal numbers");
}

static void test_ln(void)
{
  double w = 0.0, at = 0.0;
  for (int i = 0; i < 400000; i++) {
    double x = ldexp(1.0 + uniform(), (int)(uniform() * 2040.0) - 1021);
    worst(&w, &at, ulps(wn_ln(x), logl((long double)x)), x);
  }
  ok(w < 2.1, "ln, whole range of doubles: worst %.3f ulp at %a, allowed 2.1", w, at);
  w = at = 0.0;
  /* in particular -ln of uniform numbers, and arguments near 1 on both sides */
  for (int i = 0; i < 400000; i++) {
    double x = i & 1 ? 0.5 + 1.5 * uniform()
                     : 1.0 + ldexp(uniform() - 0.5, -(int)(uniform() * 50.0));
    worst(&w, &at, ulps(wn_ln(x), logl((long double)x)), x);
  }
  ok(w < 2.1, "ln, near 1: worst %.3f ulp at %a, allowed 2.1", w, at);
  w = at = 0.0;
  for (uint32_t i = 0; i < 200000; i++) {
    double x = ((double)(i * 21474u) + 0.5) * 0x1p-32;
    worst(&w, &at, ulps(wn_ln(x), logl((long double)x)), x);
  }
  ok(w < 2.1, "ln, the uniform numbers of rng.h: worst %.3f ulp at %a, allowed 2.1", w,
     at);
  ok(wn_ln(1.0) == 0.0, "ln 1 = 0");
  is_close(wn_ln(DBL_MIN), (double)logl((long double)DBL_MIN), 4e-16,
           "smallest normal number");
  is_close(wn_ln(DBL_MAX), (double)logl((long double)DBL_MAX), 4e-16, "largest number");
  /* The octave changes at sqrt(1/2) 2^k: a step down there of more than the rounding
   * would make -ln of a rising uniform number fall. */
  double fall = 0.0;
  for (int k = -40; k <= 40; k++) {
    double x = ldexp(0x1.6a09e667f3bcdp-1, k);
    for (int i = 0; i < 200; i++)
      x = nextafter(x, 0.0);
    for (int i = 0; i < 400; i++) {
      double y = nextafter(x, INFINITY), d = wn_ln(x) - wn_ln(y);
      worst(&fall, &at, d / (DBL_EPSILON * fmax(fabs(wn_ln(x)), 0.25)), x);
      x = y;
    }
  }
  ok(fall <= 2.0,
     "ln never falls by more than its rounding across an octave: %.2f epsilon of its "
     "value, allowed 2",
     fall);
}

/* Over the whole range, dense near 0 and where the octave changes, at odd halves of ln 2. */
static void test_exp(void)
{
  double w = 0.0, at = 0.0, w1 = 0.0, at1 = 0.0;
  for (int i = 0; i < 400000; i++) {
    double x = i % 4 == 0   ? 1416.0 * uniform() - 708.0
               : i % 4 == 1 ? -30.0 * uniform()
               : i % 4 == 2 ? ldexp(uniform() - 0.5, -(int)(uniform() * 60.0))
                            : 0.34657359027997265 * (2 * (i % 40) - 39) +
                                  ldexp(uniform() - 0.5, -(int)(uniform() * 50.0));
    if (fabs(x) < 700.0)
      worst(&w, &at, fabs((double)((long double)wn_exp(x) / expl((long double)x) - 1.0L)),
            x);
    worst(&w1, &at1, ulps(wn_expm1(x), expm1l((long double)x)), x);
  }
  ok(w <= 1e-15, "exp: worst relative error %.3g at %a, allowed 1e-15", w, at);
  ok(w1 <= 1.9, "exp(x) - 1: worst %.3f ulp at %a, allowed 1.9", w1, at1);
  ok(wn_exp(0.0) == 1.0 && wn_expm1(0.0) == 0.0 && wn_expm1(-(double)INFINITY) == -1.0,
     "exp at 0 and far below");
}

static void test_sincos(void)
{
  const long double two_pi = 6.283185307179586476925286766559L;
  double w = 0.0, at = 0.0, norm = 0.0, jump = 0.0;
  for (int i = 0; i < 500000; i++) {
    /* the last part lies within a few of the smallest steps of the changes of quadrant at
     * odd eighths */
    double u = i < 200000 ? uniform()
               : i < 400000
                   ? (double)(uint32_t)(uniform() * 0x1p32) * 0x1p-32
                   : fabs((2 * (i % 4) + 1) / 8.0 + ldexp(uniform() - 0.5, -20 - i % 30));
    double s, c;
    wn_sincos_turn(u, &s, &c);
    worst(&w, &at, (double)fabsl((long double)s - sinl(two_pi * (long double)u)), u);
    worst(&w, &at, (double)fabsl((long double)c - cosl(two_pi * (long double)u)), u);
    norm = fmax(norm, fabs(s * s + c * c - 1.0));
  }
  ok(w <= 2.2e-16, "sine and cosine: worst absolute error %.3g at %a, allowed 2.2e-16", w,
     at);
  ok(norm <= 6e-16, "sin^2 + cos^2 - 1: worst %.3g, allowed 6e-16", norm);
  for (int k = 1; k < 8; k += 2) {
    double u = k / 8.0, s0, c0, s1, c1;
    wn_sincos_turn(nextafter(u, 0.0), &s0, &c0);
    wn_sincos_turn(u, &s1, &c1);
    jump = fmax(jump, fmax(fabs(s1 - s0), fabs(c1 - c0)));
  }
  ok(jump <= 1e-15, "no jump where the quadrant changes: %.3g, allowed 1e-15", jump);
  static const double exact[4][2] = {{0, 1}, {1, 0}, {0, -1}, {-1, 0}};
  for (int k = 0; k < 4; k++) {
    double s, c;
    wn_sincos_turn(0.25 * k, &s, &c);
    ok(s == exact[k][0] && c == exact[k][1], "exact at %d quarter turns: %g %g", k, s, c);
  }
}

/* In radians: every size that a perturbation of a plasma has, of either sign, and close to
 * the changes of quadrant, where the reduction cancels most. */
static void test_sincos_radians(void)
{
  double w = 0.0, at = 0.0;
  for (int i = 0; i < 400000; i++) {
    double x = i % 4 == 0   ? 20.0 * uniform() - 10.0
               : i % 4 == 1 ? 1.57079632679489661923 * (i % 4000 - 2000) +
                                  ldexp(uniform() - 0.5, -i % 50)
                            : ldexp(uniform() - 0.5, (int)(uniform() * 61.0) - 40);
    double s, c;
    wn_sincos(x, &s, &c);
    worst(&w, &at, (double)fabsl((long double)s - sinl((long double)x)), x);
    worst(&w, &at, (double)fabsl((long double)c - cosl((long double)x)), x);
  }
  ok(w <= 2.2e-16,
     "sine and cosine, in radians: worst absolute error %.3g at %a, allowed 2.2e-16", w,
     at);
  double s, c;
  wn_sincos(0.0, &s, &c);
  ok(s == 0.0 && c == 1.0, "sine and cosine of 0, in radians: exact");
  wn_sincos(-0.7, &s, &c);
  double s2, c2;
  wn_sincos(0.7, &s2, &c2);
  ok(s == -s2 && c == c2, "sine is odd, cosine even, to the bit");
}

/* (Phi(x) - p)/Phi'(x) is the error of x; Phi from the middle, or from the smaller tail.  Both
 * tails to the smallest normal number, and dense where the branches meet:
 * |p - 1/2| = 0.425, and p = exp(-25) = 1.389e-11. */
static void test_normal_quantile(void)
{
  double w = 0.0, at = 0.0, tail = 0.0, at_tail = 0.0, fall = 0.0;
  for (int i = 0; i < 600000; i++) {
    double p = i % 6 == 0   ? uniform()
               : i % 6 == 1 ? 0.5 + ldexp(uniform() - 0.5, -(int)(50.0 * uniform()))
               : i % 6 == 2 ? 0.075 + ldexp(uniform() - 0.5, -4 - (int)(40.0 * uniform()))
               : i % 6 == 3 ? 0.925 + ldexp(uniform() - 0.5, -4 - (int)(40.0 * uniform()))
               : i % 6 == 4 ? 1.388794386496402e-11 * (1.0 + 1e-3 * (uniform() - 0.5))
                            : ldexp(1.0 + uniform(), -(int)(1021.0 * uniform()) - 1);
    if (!(p > 0.0 && p < 1.0))
      continue;
    const double got = wn_normal_quantile(p);
    const long double x = (long double)got, root = 0.70710678118654752440084436210485L;
    const long double density = expl(-0.5L * x * x) * 0.39894228040143267793994605993438L;
    const long double of = fabs(got) < 1.0
                               ? 0.5L * erfl(x * root) - ((long double)p - 0.5L)
                           : p < 0.5 ? 0.5L * erfcl(-x * root) - (long double)p
                                     : (1.0L - (long double)p) - 0.5L * erfcl(x * root);
    const double off = (double)fabsl(of / density);
    worst(&w, &at, off / fmax(fabs(got), 1e-300), p);
    if (fabs(got) > 1.0)
      worst(&tail, &at_tail, off / fabs(got), p);
  }
  ok(w <= 1e-15, "normal quantiles: worst relative error %.3g at %a, allowed 1e-15", w,
     at);
  ok(tail <= 1e-15, "normal quantiles beyond 1: worst relative error %.3g at %a", tail,
     at_tail);
  ok(wn_normal_quantile(0.5) == 0.0, "the median is 0");
  is_close(wn_normal_quantile(0.975), 1.959963984540054235524594, 1e-15,
           "the quantile of 0.975, from tables");
  ok(wn_normal_quantile(0.0) == -(double)INFINITY &&
         wn_normal_quantile(1.0) == (double)INFINITY,
     "0 and 1 are infinitely far");
  int odd = 1;
  for (int i = 1; i < 10000; i++) {
    const double p = i / 16384.0; /* 1 - p is exact */
    odd = odd && wn_normal_quantile(1.0 - p) == -wn_normal_quantile(p);
  }
  ok(odd, "the quantile of 1 - p is that of p with the other sign, to the bit");
  /* across the branches: no step back of more than the rounding */
  static const double edges[] = {0.075, 0.925, 1.388794386496402e-11};
  for (size_t k = 0; k < 3; k++) {
    double p = edges[k];
    for (int i = 0; i < 500; i++)
      p = nextafter(p, 0.0);
    for (int i = 0; i < 1000; i++) {
      const double q = nextafter(p, 1.0),
                   d = wn_normal_quantile(p) - wn_normal_quantile(q);
      worst(&fall, &at, d / (DBL_EPSILON * fabs(wn_normal_quantile(p))), p);
      p = q;
    }
  }
  ok(fall <= 6.0, "it never falls by more than %.2f epsilon of its value, allowed 6",
     fall);
}

static void test_atan(void)
{
  double w = 0.0, at = 0.0, fall = 0.0;
  for (int i = 0; i < 400000; i++) {
    double x =
        i & 1 ? 4.0 * uniform() : ldexp(1.0 + uniform(), (int)(uniform() * 200.0) - 100);
    if (i > 390000)
      x = 1.0 + ldexp(uniform() - 0.5, -(int)(uniform() * 50.0));
    worst(&w, &at, ulps(wn_atan(x), atanl((long double)x)), x);
  }
  ok(w < 5.0, "atan: worst %.3f ulp at %a, allowed 5", w, at);
  double x = 1.0;
  for (int i = 0; i < 1000; i++)
    x = nextafter(x, 0.0);
  for (int i = 0; i < 3000; i++) {
    double y = nextafter(x, INFINITY);
    worst(&fall, &at, (wn_atan(x) - wn_atan(y)) / DBL_EPSILON, x);
    x = y;
  }
  ok(fall <= 2.0, "atan falls by %.2f epsilon at most across 1, allowed 2", fall);
  ok(wn_atan(0.0) == 0.0, "atan 0 = 0");
  is_close(wn_atan(1e300), 1.57079632679489661923, 2e-16, "atan of a huge number");
}

/* artanh(x)/x - 1: the flight adds it to 1, so its absolute error counts.  The closed
 * form rounds (1 + x)/(1 - x) once, which the division by x makes 2e-16/x: 2e-15 where it
 * takes over from the series at x = 0.03.  Near z = 1 the function itself grows as -ln(1
 * - x)/2, whose slope 1/(2 (1 - z)) amplifies the rounding of z. */
static void test_artanhc(void)
{
  double small = 0.0, rest = 0.0, at = 0.0, at_rest = 0.0, last = -1.0;
  int rises = 1;
  for (int i = 0; i < 400000; i++) {
    double z = i & 1 ? ldexp(uniform(), -10 - (int)(uniform() * 60.0)) : uniform();
    if (i % 7 == 0)
      z = 1.0 - ldexp(uniform(), -(int)(uniform() * 40.0) - 1);
    long double x = sqrtl((long double)z);
    if (z < 1e-3) {
      /* artanhl(x)/x - 1 cancels: the series, to terms below 1e-40 */
      long double p = (long double)z, want = 0.0L;
      for (int n = 3; n < 31; n += 2, p *= (long double)z)
        want += p / n;
      worst(&small, &at, ulps(wn_artanhc_m1(z), want), z);
    } else {
      long double want = atanhl(x) / x - 1.0L;
      double room = 1.0 + (double)want + 1.0 / (double)x + 1.0 / (1.0 - z);
      worst(&rest, &at_rest, (double)fabsl((long double)wn_artanhc_m1(z) - want) / room,
            z);
    }
  }
  ok(small < 4.0, "artanhc - 1, series: worst %.3f ulp at %a, allowed 4", small, at);
  ok(rest < 2e-16,
     "artanhc - 1, closed form: worst %.3g of 1 + r + 1/x + 1/(1 - z) at %a, allowed "
     "2e-16",
     rest, at_rest);
  is_near(wn_artanhc_m1(1e-3), wn_artanhc_m1(nextafter(1e-3, 0.0)), 4e-15,
          "series and closed form meet at 1e-3");
  for (int i = 0; i < 1000; i++) {
    double r = wn_artanhc_m1(i / 1000.0);
    rises = rises && r > last;
    last = r;
  }
  ok(rises, "artanhc - 1 rises with z");
  ok(wn_artanhc_m1(0.0) == 0.0, "0 at 0, so a field of 0 costs nothing");
}

/* All words that there are: 2^23 variates.  Two words that differ in the lower 9 bits are
 * the same. */
static void test_exponential(void)
{
  const uint32_t n = 1u << 23;
  double w = 0.0, at = 0.0, least = INFINITY, most = 0.0;
  long double sum = 0.0L;
  float last = INFINITY;
  int falls = 1, same = 1;
  for (uint32_t k = 0; k < n; k++) {
    float got = wn_exponential_f(k << 9);
    long double want = -logl((k + 0.5L) / n);
    worst(&w, &at, (double)fabsl((long double)got / want - 1.0L), k);
    same = same && wn_exponential_f(k << 9 | 0x1ffu) == got;
    falls = falls && got < last;
    last = got;
    least = fmin(least, (double)got);
    most = fmax(most, (double)got);
    sum += (long double)got;
  }
  ok(w < 1.2e-7,
     "exponential variates, all 2^23: worst relative error %.3g at k = %.0f, allowed "
     "1.2e-7, two units in the last place",
     w, at);
  /* that of the exact logarithms is 1 - ln 2/2^24 = 1 - 4.1e-8 (Stirling) */
  is_near((double)(sum / n), 1.0, 1e-7, "their mean");
  ok(falls, "they fall with every step of the word");
  ok(least > 5.9e-8 && most < 16.64, "between %.3g and %.4f: never 0, never negative",
     least, most);
  ok(same, "the lower 9 bits of the word do nothing");
}

/* Uniform numbers from the upper 23 bits: all of them. */
static void test_u01(void)
{
  const uint32_t n = 1u << 23;
  int exact = 1, same = 1, mirrored = 1;
  for (uint32_t k = 0; k < n; k++) {
    float r = wn_u01_f(k << 9);
    exact = exact && (double)r == (k + 0.5) / n;
    same = same && wn_u01_f(k << 9 | 0x1ffu) == r;
    mirrored = mirrored && wn_u01_f(~(k << 9)) == 1.0f - r;
  }
  ok(exact, "uniform numbers are (k + 1/2) / 2^23, exactly: never 0, never 1");
  ok(same, "the lower 9 bits of the word do nothing");
  ok(mirrored, "the complement of a word gives 1 - r, exactly: the mean is 1/2");
  ok(wn_float_bits(1.0f) == 0x3f800000u && wn_float_bits(-2.5f) == 0xc0200000u &&
         wn_float_from_bits(0x40490fdbu) == 3.14159274f,
     "bits of floats, there and back");
}

/* Sine and cosine: every eighth of the 2^25 azimuths; norm, means and signs: all.
 *
 * In single precision s^2 + c^2 misses 1 by what rounding makes of s and c (2.2e-7 at the
 * most), and an electron that is turned has that much more or less energy.  So the mean
 * over all azimuths counts: 3e-9, of which 2/3 act in an isotropic collision, is 2.4e-4
 * of what an electron loses in xenon (8.4e-6 of its energy). */
static void test_sincos_word(void)
{
  const long double two_pi = 6.283185307179586476925286766559L;
  double w = 0.0, at = 0.0, norm = 0.0, wf = 0.0, at_f = 0.0, norm_f = 0.0, mean = 0.0;
  int opposite = 1, quarter = 1, opposite_f = 1, quarter_f = 1, same = 1;
  for (uint32_t k = 0; k < 1u << 25; k++) {
    double s, c, s2, c2;
    float sf, cf, sg, cg;
    wn_sincos_word(k << 7, &s, &c);
    norm = fmax(norm, fabs(s * s + c * c - 1.0));
    wn_sincos_word((k << 7) ^ 0x80000000u, &s2, &c2);
    opposite = opposite && s2 == -s && c2 == -c;
    wn_sincos_word((k << 7) + 0x40000000u, &s2, &c2);
    quarter = quarter && s2 == c && c2 == -s;
    wn_sincos_word_f(k << 7, &sf, &cf);
    double off = (double)sf * (double)sf + (double)cf * (double)cf - 1.0;
    mean += off;
    norm_f = fmax(norm_f, fabs(off));
    wn_sincos_word_f((k << 7) ^ 0x80000000u, &sg, &cg);
    opposite_f = opposite_f && sg == -sf && cg == -cf;
    wn_sincos_word_f((k << 7) + 0x40000000u, &sg, &cg);
    quarter_f = quarter_f && sg == cf && cg == -sf;
    wn_sincos_word_f(k << 7 | 0x7fu, &sg, &cg);
    same = same && sg == sf && cg == cf;
    if (k % 8 == 0) {
      long double turn = two_pi * ((long double)k * 0x1p-25L - 0.125L), sine = sinl(turn),
                  cosine = cosl(turn);
      worst(&w, &at, (double)fabsl((long double)s - sine), k);
      worst(&w, &at, (double)fabsl((long double)c - cosine), k);
      worst(&wf, &at_f, (double)fabsl((long double)sf - sine), k);
      worst(&wf, &at_f, (double)fabsl((long double)cf - cosine), k);
    }
  }
  mean /= 1u << 25;
  ok(w < 7e-8,
     "azimuths: worst absolute error of sine and cosine %.3g at k = %.0f, allowed 7e-8",
     w, at);
  ok(norm < 1e-15, "sin^2 + cos^2 - 1 of all: worst %.3g, allowed 1e-15", norm);
  ok(opposite, "half a turn changes both signs, to the bit: the means are 0");
  ok(quarter, "a quarter turn makes (cos, -sin) of (sin, cos), to the bit");
  /* before the norm is mended; 3e-8 is what rounding of the result alone gives */
  ok(wf < 9.5e-8,
     "in single precision: worst absolute error %.3g at k = %.0f, allowed 9.5e-8", wf,
     at_f);
  ok(norm_f < 2.5e-7, "in single precision: sin^2 + cos^2 - 1 %.3g, allowed 2.5e-7",
     norm_f);
  ok(fabs(mean) < 3e-9,
     "in single precision: its mean over all azimuths %.3g, allowed 3e-9", mean);
  ok(opposite_f && quarter_f,
     "in single precision: half a turn and a quarter turn likewise");
  ok(same, "the lower 7 bits of the word do nothing");
  double s, c;
  float sf, cf;
  wn_sincos_word(0x20000000u, &s, &c);
  wn_sincos_word_f(0x20000000u, &sf, &cf);
  ok(s == 0.0 && c == 1.0 && sf == 0.0f && cf == 1.0f,
     "an eighth of the words: angle 0, got %g %g", s, c);
}

static void test_sqrt1p(void)
{
  double small = 0.0, any = 0.0, at_small = 0.0, at = 0.0;
  for (int i = 0; i < 1000000; i++) {
    double x = i & 1 ? 1e-3 * (2.0 * uniform() - 1.0)
                     : ldexp(uniform() - 0.5, -9 - (int)(uniform() * 50.0));
    if (fabs(x) >= 1e-3)
      continue;
    long double want = 1.0L / (1.0L + sqrtl(1.0L + (long double)x));
    worst(&small, &at_small, (double)fabsl(wn_sqrt1p(x) / want - 1.0L), x);
  }
  ok(small < 2e-16,
     "(sqrt(1 + x) - 1)/x, series: worst relative error %.3g at %a, allowed 2e-16", small,
     at_small);
  for (int i = 0; i < 1000000; i++) {
    double x = i & 1 ? uniform() - 1.0 : ldexp(1.0 + uniform(), i % 70 - 12);
    long double want = 1.0L / (1.0L + sqrtl(1.0L + (long double)x));
    worst(&any, &at, (double)fabsl(wn_sqrt1p(x) / want - 1.0L), x);
  }
  ok(any < 3e-16,
     "(sqrt(1 + x) - 1)/x, x from -1 to 2^58: worst relative error %.3g at %a, allowed "
     "3e-16",
     any, at);
  for (int side = -1; side <= 1; side += 2)
    is_near(wn_sqrt1p(side * nextafter(1e-3, 0.0)), wn_sqrt1p(side * 1e-3), 1.2e-16,
            "series and square root meet at %g", side * 1e-3);
}

int main(void)
{
  plan(0);
  draw_state = 1;
  test_fma();
  test_ln();
  test_exp();
  test_sincos();
  test_sincos_radians();
  test_normal_quantile();
  test_atan();
  test_artanhc();
  test_exponential();
  test_u01();
  test_sincos_word();
  test_sqrt1p();
  return done();
}
