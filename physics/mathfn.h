/* physics/mathfn.h - logarithm, exponential, sine, cosine, arctangent and normal quantiles of
 * Wilson itself.  The libraries of CPU and GPU differ in the last bits of these functions, so
 * both use the polynomials below.  They consist of + - * / and, in single precision, wn_fma
 * alone, and give the same bits on all machines if the compiler does not fuse operations by
 * itself (-ffp-contract=off, -fmad=false).  The series are Taylor's, cut where the next term
 * is below half a unit in the last place of the result.  Accuracy, measured by
 * t/physics/t0100-mathfn.c against long double: ln 2.1 ulp, exp(x) - 1 1.9 ulp, sin and
 * cos 2.2e-16 absolute, normal quantiles 1e-15 relative, atan 5 ulp, artanh(x)/x 4e-15
 * (that is at x = 0.03, where the series ends; 4e-16 below). */
#ifndef WN_PHYSICS_MATHFN_H
#define WN_PHYSICS_MATHFN_H
#include <math.h>
#include <stdint.h>
#include <string.h>
#include "physics/host_device.h"

static WN_HD uint64_t wn_bits(double x)
{
  uint64_t b;
  memcpy(&b, &x, sizeof b);
  return b;
}

static WN_HD double wn_from_bits(uint64_t b)
{
  double x;
  memcpy(&x, &b, sizeof x);
  return x;
}

static WN_HD uint32_t wn_float_bits(float x)
{
  uint32_t b;
  memcpy(&b, &x, sizeof b);
  return b;
}

static WN_HD float wn_float_from_bits(uint32_t b)
{
  float x;
  memcpy(&x, &b, sizeof x);
  return x;
}

/* Natural logarithm of a positive normal number.
 * x = 2^k m with m in [sqrt(1/2), sqrt(2)); ln m = 2 artanh s with s = (m-1)/(m+1),
 * |s| <= 0.1716. */
static WN_HD double wn_ln(double x)
{
  uint64_t b = wn_bits(x);
  /* with the distance from sqrt(1/2) to 1 added, the exponent field counts octaves from
   * sqrt(1/2) */
  uint64_t t = b + (0x3ff0000000000000ull - 0x3fe6a09e667f3bcdull);
  double k = (double)(int32_t)((int32_t)(t >> 52) - 1023);
  double m = wn_from_bits((t & 0x000fffffffffffffull) + 0x3fe6a09e667f3bcdull);
  double s = (m - 1.0) / (m + 1.0);
  double z = s * s, z2 = z * z, z4 = z2 * z2;
  double p = (2.0 / 3 + z * (2.0 / 5)) + z2 * (2.0 / 7 + z * (2.0 / 9)) +
             z4 * ((2.0 / 11 + z * (2.0 / 13)) + z2 * (2.0 / 15 + z * (2.0 / 17)) +
                   z4 * (2.0 / 19 + z * (2.0 / 21)));
  /* ln 2 in two parts: the first has trailing zeros, so k * hi is exact */
  return k * 0x1.62e42fefa0000p-1 + (2.0 * s + (s * z * p + k * 0x1.cf79abc9e3b39p-40));
}

/* e^x with a relative error below 1e-15, the same on every machine; x is limited to
 * +-700. x = k ln 2 + r, |r| <= 0.347, and 13 terms of the series: the next is 4e-18. */
static WN_COLD double wn_exp(double x)
{
  const double y = x < -700.0 ? -700.0 : x > 700.0 ? 700.0 : x;
  const double k = rint(y * 1.4426950408889634074);
  const double r = (y - k * 6.93147180369123816490e-01) - k * 1.90821492927058770002e-10;
  /* even and odd powers separately: two independent chains of operations */
  const double s = r * r;
  const double even =
      1.0 + s * (1.0 / 2 +
                 s * (1.0 / 24 +
                      s * (1.0 / 720 + s * (1.0 / 40320 + s * (1.0 / 3628800 +
                                                               s * (1.0 / 479001600))))));
  const double odd =
      1.0 +
      s * (1.0 / 6 +
           s * (1.0 / 120 +
                s * (1.0 / 5040 + s * (1.0 / 362880 + s * (1.0 / 39916800 +
                                                           s * (1.0 / 6227020800.0))))));
  return (even + r * odd) * wn_from_bits((uint64_t)((int64_t)k + 1023) << 52);
}

/* e^x - 1 without cancellation near 0, for x <= 700: as above, e^x = 2^k e^r. */
static WN_HD double wn_expm1(double x)
{
  if (x < -40.0)
    return -1.0;
  const double k = rint(x * 1.4426950408889634074);
  const double r = (x - k * 6.93147180369123816490e-01) - k * 1.90821492927058770002e-10;
  const double z = r * r, z2 = z * z;
  const double p =
      (1.0 / 2 + r * (1.0 / 6)) + z * (1.0 / 24 + r * (1.0 / 120)) +
      z2 * ((1.0 / 720 + r * (1.0 / 5040)) + z * (1.0 / 40320 + r * (1.0 / 362880))) +
      z2 * z2 *
          ((1.0 / 3628800 + r * (1.0 / 39916800)) +
           z * (1.0 / 479001600 + r * (1.0 / 6227020800.0)));
  const double power = wn_from_bits((uint64_t)((int64_t)k + 1023) << 52);
  return power * (r + z * p) + (power - 1.0);
}

/* Sine and cosine of r, |r| <= pi/4, plus `quarters` quarter turns. */
static WN_HD void wn_sincos_quarters(double r, int32_t quarters, double *sine,
                                     double *cosine)
{
  double z = r * r, z2 = z * z, z4 = z2 * z2;
  double s =
      r + r * z *
              ((-1.0 / 6 + z * (1.0 / 120)) + z2 * (-1.0 / 5040 + z * (1.0 / 362880)) +
               z4 * ((-1.0 / 39916800 + z * (1.0 / 6227020800)) -
                     z2 * (1.0 / 1307674368000)));
  double c = 1.0 + z * ((-0.5 + z * (1.0 / 24)) + z2 * (-1.0 / 720 + z * (1.0 / 40320)) +
                        z4 * ((-1.0 / 3628800 + z * (1.0 / 479001600)) +
                              z2 * (-1.0 / 87178291200 + z * (1.0 / 20922789888000))));
  int32_t i = quarters & 3;
  double a = (i & 1) ? c : s, b = (i & 1) ? s : c;
  *sine = (i & 2) ? -a : a;
  *cosine = (i == 1 || i == 2) ? -b : b;
}

/* Sine and cosine of 2 pi u, u in [0, 1): no reduction error, as u is in turns. */
static WN_HD void wn_sincos_turn(double u, double *sine, double *cosine)
{
  double q = (double)(int32_t)(4.0 * u + 0.5);
  wn_sincos_quarters((u - 0.25 * q) * 6.283185307179586477, (int32_t)q, sine, cosine);
}

/* Sine and cosine of x in radians, |x| < 1e6.  pi/2 in two parts: the first has 33 bits, so
 * q * hi is exact, and x - q * hi, too; the second brings the sum to 86 bits. */
static WN_HD void wn_sincos(double x, double *sine, double *cosine)
{
  double turns = x * 0.636619772367581343076; /* 2/pi */
  int32_t q = (int32_t)(turns < 0.0 ? turns - 0.5 : turns + 0.5);
  double r = (x - (double)q * 0x1.921fb544p+0) - (double)q * 0x1.0b4611a626331p-34;
  wn_sincos_quarters(r, q, sine, cosine);
}

/* num/den of polynomials of degree 7 in r; den's constant term is 1. */
static WN_HD double wn_ratio_of_7(double r, double a0, double a1, double a2, double a3,
                                  double a4, double a5, double a6, double a7, double b1,
                                  double b2, double b3, double b4, double b5, double b6,
                                  double b7)
{
  double num =
      ((((((a7 * r + a6) * r + a5) * r + a4) * r + a3) * r + a2) * r + a1) * r + a0;
  double den =
      ((((((b7 * r + b6) * r + b5) * r + b4) * r + b3) * r + b2) * r + b1) * r + 1.0;
  return num / den;
}

/* The quantile of the normal distribution, x with Phi(x) = p; p <= 0 gives -INFINITY, p >= 1
 * INFINITY.  Algorithm AS 241, PPND16 (Wichura 1988, Applied Statistics 37, 477), with the
 * coefficients as statistics.py of CPython 3 has them; the paper itself was not read. */
static WN_HD double wn_normal_quantile(double p)
{
  double q = p - 0.5, least = q <= 0.0 ? p : 1.0 - p, x;
  if (WN_LIKELY(q >= -0.425 && q <= 0.425))
    return q * wn_ratio_of_7(0.180625 - q * q, 3.38713287279636660800e+0,
                             1.33141667891784377450e+2, 1.97159095030655144270e+3,
                             1.37316937655094611250e+4, 4.59219539315498714570e+4,
                             6.72657709270087008530e+4, 3.34305755835881281050e+4,
                             2.50908092873012267270e+3, 4.23133307016009112520e+1,
                             6.87187007492057908300e+2, 5.39419602142475110770e+3,
                             2.12137943015865958670e+4, 3.93078958000927106100e+4,
                             2.87290857357219426740e+4, 5.22649527885285456100e+3);
  if (least <= 0.0)
    return q <= 0.0 ? -(double)INFINITY : (double)INFINITY;
  double r = sqrt(-wn_ln(least));
  if (r <= 5.0)
    x = wn_ratio_of_7(
        r - 1.6, 1.42343711074968357734e+0, 4.63033784615654529590e+0,
        5.76949722146069140550e+0, 3.64784832476320460504e+0, 1.27045825245236838258e+0,
        2.41780725177450611770e-1, 2.27238449892691845833e-2, 7.74545014278341407640e-4,
        2.05319162663775882187e+0, 1.67638483018380384940e+0, 6.89767334985100004550e-1,
        1.48103976427480074590e-1, 1.51986665636164571966e-2, 5.47593808499534494600e-4,
        1.05075007164441684324e-9);
  else
    x = wn_ratio_of_7(
        r - 5.0, 6.65790464350110377720e+0, 5.46378491116411436990e+0,
        1.78482653991729133580e+0, 2.96560571828504891230e-1, 2.65321895265761230930e-2,
        1.24266094738807843860e-3, 2.71155556874348757815e-5, 2.01033439929228813265e-7,
        5.99832206555887937690e-1, 1.36929880922735805310e-1, 1.48753612908506148525e-2,
        7.86869131145613259100e-4, 1.84631831751005468180e-5, 1.42151175831644588870e-7,
        2.04426310338993978564e-15);
  return q <= 0.0 ? -x : x;
}

/* Uniform in (0, 1) from a random word: (k + 1/2) / 2^23 with k = w >> 9, exact. */
static WN_HD float wn_u01_f(uint32_t w)
{
  return wn_float_from_bits(0x3f800000u | w >> 9) - 0x1.fffffep-1f;
}

/* Random variates need no more digits than the random words they are made from, so the
 * next two functions are single precision: coefficients fitted by least squares with
 * Lawson's weights on 3000 Chebyshev points, then rounded.  Accuracy, measured by
 * t/physics/t0100-mathfn.c over all words: exponential 1.2e-7 relative, sine and cosine
 * 9e-8 absolute.
 *
 * -ln((k + 1/2) / 2^23): an exponential variate of mean 1, between 6e-8 and 16.6. */
static WN_HD float wn_exponential_f(uint32_t w)
{
  /* 2^n (1 + z), 1 + z in [sqrt(1/2), sqrt(2)) */
  float x = wn_u01_f(w);
  uint32_t b = wn_float_bits(x) + (0x3f800000u - 0x3f3504f3u);
  float n = (float)((int32_t)(b >> 23) - 127);
  float z = wn_float_from_bits((b & 0x007fffffu) + 0x3f3504f3u) - 1.0f;
  float p = 0.08959912f;
  p = wn_fma(p, z, -0.14482185f);
  p = wn_fma(p, z, 0.14917378f);
  p = wn_fma(p, z, -0.16543739f);
  p = wn_fma(p, z, 0.19958417f);
  p = wn_fma(p, z, -0.25002947f);
  p = wn_fma(p, z, 0.3333416f);
  p = wn_fma(p, z, -0.4999998f);
  return wn_fma(n, -0.69314718f, -wn_fma(p, z * z, z));
}

/* Sine and cosine of 2 pi (k / 2^25 - 1/8) with k = w >> 7: a random azimuth.  The last
 * digits of the coefficients make sine^2 + cosine^2 equal to 1 on average over all words,
 * to 2e-11 (largest error 2.2e-7): directions built from them must not add or remove
 * energy. */
static WN_HD void wn_sincos_word_f(uint32_t w, float *sine, float *cosine)
{
  /* the upper two bits are the quadrant, the next 23 a part of it, f in [-1/2, 1/2) */
  float f = wn_float_from_bits(0x3f800000u | (w >> 7 & 0x007fffffu)) - 1.5f, z = f * f;
  float s = wn_fma(wn_fma(wn_fma(-0.004648488f, z, 0.07970032f), z, -0.64596534f), z,
                   1.5707963f);
  float c = wn_fma(wn_fma(wn_fma(-0.020409636f, z, 0.2536006f), z, -1.2336975f), z, 1.0f);
  float a = s * f;
  uint32_t q = w >> 30;
  float p = (q & 1) ? c : a, r = (q & 1) ? a : c;
  *sine = (q & 2) ? -p : p;
  *cosine = (q == 1 || q == 2) ? -r : r;
}

/* As wn_sincos_word_f, with sine^2 + cosine^2 = 1 to rounding. */
static WN_HD void wn_sincos_word(uint32_t w, double *sine, double *cosine)
{
  float s, c;
  wn_sincos_word_f(w, &s, &c);
  double a = (double)s, b = (double)c, off = a * a + b * b - 1.0;
  double norm = 1.0 + off * (0.375 * off - 0.5); /* off < 1e-6: off^3 is negligible */
  *sine = a * norm;
  *cosine = b * norm;
}

/* (sqrt(1 + x) - 1) / x for x > -1; near 0 a series, exact to rounding. */
static WN_HD double wn_sqrt1p(double x)
{
  return fabs(x) < 1e-3
             ? 0.5 - x * (0.125 - x * (0.0625 - x * (5.0 / 128 - x * (7.0 / 256))))
             : 1.0 / (1.0 + sqrt(1.0 + x));
}

/* Arctangent of x >= 0.  Halving the angle twice brings the argument below tan(pi/8)/2;
 * there the series is used. */
static WN_HD double wn_atan(double x)
{
  int inverted = x > 1.0;
  double y = inverted ? 1.0 / x : x;
  y = y / (1.0 + sqrt(1.0 + y * y));
  y = y / (1.0 + sqrt(1.0 + y * y));
  double z = -(y * y), p = 0.0;
  for (int n = 23; n >= 3; n -= 2)
    p = z * (1.0 / n + p);
  double a = 4.0 * (y + y * p);
  return inverted ? 1.57079632679489661923 - a : a;
}

/* artanh(x)/x - 1 with x^2 = z in [0, 1), to 4e-15, for the flight in an electric field.
 * _small: z < 1e-3. */
static WN_HD double wn_artanhc_m1_small(double z)
{
  return z *
         ((1.0 / 3 + z * (1.0 / 5)) + z * z * (1.0 / 7 + z * (1.0 / 9 + z * (1.0 / 11))));
}

static WN_HD double wn_artanhc_m1(double z)
{
  if (WN_LIKELY(z < 1e-3))
    return wn_artanhc_m1_small(z);
  double x = sqrt(z);
  return 0.5 * wn_ln((1.0 + x) / (1.0 - x)) / x - 1.0;
}

#endif
