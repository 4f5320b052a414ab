/* t0130-angle.c - defends: scattering angles follow the stated shapes, and the ratios of
 * momentum-transfer to total cross section that the tables use belong to these shapes.
 * References: quadrature of the densities written out here; for the screened Coulomb form
 * with spin the totals and momentum-transfer cross sections of N2 as two independent
 * atoms, evaluated independently from sigma = pi r_e^2 Z^2/(beta^4 gamma^2) [(1 + eta
 * beta^2)/(eta (1 + eta)) + beta^2 ln(eta/(1 + eta))] to three digits.  Histograms use
 * one fixed seed; another would fail one of them with a chance of 1e-4. */
#include "physics/angle.h"
#include "physics/rng.h"
#include "t/tap/tap.h"

#include <math.h>

static const double gx[5] = {-0.9061798459386640, -0.5384693101056831, 0.0,
                             0.5384693101056831, 0.9061798459386640};
static const double gw[5] = {0.2369268850561891, 0.4786286704993665, 0.5688888888888889,
                             0.4786286704993665, 0.2369268850561891};

/* The moments of s over [0, 1] of s^n (1 - beta2 s)/(s + eta)^2, n = 0, 1: Gauss-Legendre
 * in y = ln(1 + s/eta). Negative eta (backward) below -1: in s itself, from the peak at s
 * = 1 with ln(-eta - s). */
static void moments(double eta, double beta2, double m[2])
{
  enum { PANELS = 400 };
  m[0] = m[1] = 0.0;
  double top = eta > 0.0 ? log1p(1.0 / eta) : log(-eta / (-eta - 1.0)), h = top / PANELS;
  for (int p = 0; p < PANELS; p++)
    for (int i = 0; i < 5; i++) {
      double y = h * (p + 0.5 + 0.5 * gx[i]), s, jacobian;
      if (eta > 0.0) {
        s = eta * expm1(y);
        jacobian = s + eta;
      } else {
        s = eta * expm1(-y); /* -eta - s = -eta exp(-y) */
        jacobian = -eta - s;
      }
      double f = 0.5 * h * gw[i] * jacobian * (1.0 - beta2 * s) / ((s + eta) * (s + eta));
      m[0] += f;
      m[1] += f * s;
    }
}

/* Mean of 1 - cos = 2 s over the sampled distribution: Gauss-Legendre over r, in ln r and
 * ln(1 - r), which resolves both the forward and the backward peak. */
static double sampled_mean(double q)
{
  enum { PANELS = 300 };
  double sum = 0.0, top = 34.0, h = top / PANELS;
  for (int side = 0; side < 2; side++)
    for (int p = 0; p < PANELS; p++)
      for (int i = 0; i < 5; i++) {
        double x = 0.5 * exp(-h * (p + 0.5 + 0.5 * gx[i]));
        sum += 0.5 * h * gw[i] * x * wn_angle_s(q, side ? 1.0 - x : x);
      }
  return 2.0 * sum;
}

static double
chi2_limit(int n) /* exceeded by chance once in 1e5 (Wilson and Hilferty 1931) */
{
  double a = 2.0 / (9.0 * n), z = 1.0 - a + 4.265 * sqrt(a);
  return n * z * z * z;
}

static void test_inverse(void)
{
  static const double qs[] = {1e-9,  1e-6, 1e-3, 0.1, 0.5, 0.9,
                              0.985, 1.0,  1.01, 1.3, 1.9, 1.9999};
  double inverse = 0.0, mean = 0.0, ratio = 0.0, last = 0.0;
  int inside = 1, rises = 1;
  for (int k = 0; k < 12; k++) {
    double q = qs[k], m[2];
    for (int i = 0; i < 1000; i++) {
      double r = (i + 0.5) / 1000.0, s = wn_angle_s(q, r);
      inside = inside && s >= 0.0 && s <= 1.0;
      /* distribution function s (1 + eta)/(s + eta), multiplied out with eta = (q/2)/(1 -
       * q) */
      double f = s * (2.0 - q) / (2.0 * s * (1.0 - q) + q);
      inverse = fmax(
          inverse,
          fabs(f - r) /
              (1.0 + 1.0 / (2.0 - q))); /* the density at s = 1 amplifies rounding of s */
    }
    inside = inside && wn_angle_s(q, 0.0) == 0.0 && wn_angle_s(q, 1.0 - 0x1p-32) <= 1.0;
    double want = 1.0;
    if (q != 1.0) {
      moments(0.5 * q / (1.0 - q), 0.0, m);
      want = 2.0 * m[1] / m[0];
    }
    double got = wn_angle_ratio(q);
    ratio = fmax(ratio, fabs(got / want - 1.0));
    mean = fmax(mean, fabs(sampled_mean(q) / got - 1.0));
    rises = rises && got > last;
    last = got;
  }
  ok(inside, "s lies in [0, 1], for q from 1e-9 to 1.9999");
  ok(inverse < 4e-15,
     "wn_angle_s inverts its distribution function: off by %.2g (1 + 1/(2 - q)), allowed "
     "4e-15",
     inverse);
  ok(mean < 1e-6,
     "mean of 1 - cos over it is wn_angle_ratio: relative %.2g, allowed 1e-6", mean);
  ok(ratio < 1e-9,
     "wn_angle_ratio against quadrature of the density: relative %.2g, allowed 1e-9",
     ratio);
  ok(rises, "the ratio rises with q");
}

static void test_series(void)
{
  is_close(wn_angle_ratio(1.0), 1.0, 1e-16, "q = 1 is isotropic");
  for (int side = -1; side <= 1; side += 2) {
    double edge = 1.0 - 0.02 * side;
    is_close(wn_angle_ratio(edge * (1.0 + 1e-13)), wn_angle_ratio(edge * (1.0 - 1e-13)),
             1e-10, "series and closed form meet at q = %g", edge);
  }
  is_close(wn_angle_ratio(1e-12), 0.5e-12 * (2.0 * log(2e12) - 2.0), 1e-10,
           "q -> 0: q (ln(2/q) - 1)");
  is_close(wn_angle_ratio(2.0 - 1e-9), 2.0, 1e-7, "q -> 2: all backward");
  is_close(wn_angle_coulomb_q(27.211386), 0.2, 1e-7,
           "Coulomb default at 27.2 eV: xi = 4/5");
  is_close(wn_angle_coulomb_q(0.0), 1.0, 0.0, "and isotropic at 0");
}

static void test_spin(void)
{
  double worst = 0.0, near = 0.0, far = 0.0, none = 0.0;
  for (int k = 0; k < 60; k++)
    for (int j = 0; j <= 4; j++) {
      double eta = pow(10.0, -12.0 + 14.4 * k / 59.0), beta2 = j / 4.0, m[2];
      moments(eta, beta2, m);
      double off = fabs(wn_angle_ratio_spin(eta, beta2) * m[0] / (2.0 * m[1]) - 1.0);
      worst = fmax(worst, eta < 10.0 ? off : 0.0);
      near = fmax(near, off);
      if (j == 0)
        none = fmax(none, fabs(wn_angle_ratio_spin(eta, 0.0) /
                                   wn_angle_ratio(2.0 * eta / (1.0 + 2.0 * eta)) -
                               1.0));
      moments(301.0 + 1e4 * k, beta2, m);
      far = fmax(
          far,
          fabs(wn_angle_ratio_spin(301.0 + 1e4 * k, beta2) * m[0] / (2.0 * m[1]) - 1.0));
    }
  ok(worst < 1e-10,
     "ratio with spin against quadrature, eta 1e-12 to 10: relative %.2g, allowed 1e-10",
     worst);
  ok(near < 1e-7,
     "and to 250, where the closed form cancels as eta^3: relative %.2g, allowed 1e-7",
     near);
  ok(none < 1e-9, "without spin it is the other ratio: relative %.2g, allowed 1e-9",
     none);
  ok(far < 1.7e-3,
     "above eta = 300 the isotropic limit: relative %.2g, allowed 1.7e-3 = 1/(2 eta)",
     far);
  is_close(wn_angle_ratio_spin(1e4, 1.0), 2.0 / 3.0, 1e-14,
           "isotropic, beta = 1: (1/2 - 1/3)/(1 - 1/2) 2");
}

static void test_moliere(void)
{
  static const struct {
    double t, total, mt, tol;
  } known[] = {{1e3, 2.30e-20, 1.27e-21, 5e-3},
               {1e4, 2.37e-21, 2.03e-23, 5e-3},
               {1e5, 3.00e-22, 3.17e-25, 5e-3},
               {1e6, 1.02e-22, 7.6e-27, 8e-3}};
  for (int i = 0; i < 4; i++) {
    double t = known[i].t, g = t / WN_MC2_EV + 1.0, beta2 = 1.0 - 1.0 / (g * g),
           eta = wn_angle_moliere_eta(t, cbrt(7.0));
    double total =
        2.0 * WN_PI * WN_RE * WN_RE * 49.0 / (beta2 * beta2 * g * g) *
        ((1.0 + eta * beta2) / (eta * (1.0 + eta)) + beta2 * log(eta / (1.0 + eta)));
    is_close(total, known[i].total, known[i].tol,
             "N2 at %g eV: total from Moliere's eta = %.4g", t, eta);
    is_close(total * wn_angle_ratio_spin(eta, beta2), known[i].mt, known[i].tol,
             "N2 at %g eV: momentum transfer", t);
  }
}

/* What wn_mcc_scatter does with the spin: accept s with probability 1 - beta2 s.  Here
 * only the shape without it. */
static void test_histogram(void)
{
  static const double qs[] = {1e-4, 0.05, 0.6, 1.0, 1.7};
  enum { N = 200000, BINS = 50 };
  for (int k = 0; k < 5; k++) {
    double q = qs[k], edge[BINS + 1], chi2 = 0.0;
    int count[BINS] = {0};
    /* edges of equal chance, found from the density by bisection of its antiderivative,
     * not from wn_angle_s */
    double eta = q == 1.0 ? INFINITY : 0.5 * q / (1.0 - q);
    for (int b = 0; b <= BINS; b++) {
      double lo = 0.0, hi = 1.0, want = (double)b / BINS;
      for (int i = 0; i < 100; i++) {
        double s = 0.5 * (lo + hi), f = isinf(eta) ? s
                                                   : (1.0 / eta - 1.0 / (s + eta)) /
                                                         (1.0 / eta - 1.0 / (1.0 + eta));
        *(f < want ? &lo : &hi) = s;
      }
      edge[b] = hi;
    }
    for (uint32_t i = 0; i < N / 4; i++) {
      struct wn_rng4 r = wn_rng(4242, i, (uint32_t)k, WN_RNG_EVENT, 0);
      for (int j = 0; j < 4; j++) {
        double s = wn_angle_s(q, wn_u01(r.w[j]));
        int b = 0;
        while (b < BINS - 1 && s >= edge[b + 1])
          b++;
        count[b]++;
      }
    }
    for (int b = 0; b < BINS; b++)
      chi2 += pow(count[b] - (double)N / BINS, 2) * BINS / N;
    ok(chi2 < chi2_limit(BINS - 1),
       "q = %g, %d angles: chi2 %.1f, allowed %.1f for 49 degrees (false alarm 1e-5)", q,
       N, chi2, chi2_limit(BINS - 1));
  }
}

static void test_turn(void)
{
  double unit = 0.0, polar = 0.0, even = 0.0, side = 0.0;
  for (int k = 0; k < 2000; k++) {
    double d[3], p = 2.0 * WN_PI * k * 0.6180339887, z = (k + 0.5) / 1000.0 - 1.0;
    if (k < 2) /* the poles, and beside them */
      z = k ? 1.0 : -1.0;
    else if (k < 200)
      z = (k & 1 ? 1.0 : -1.0) * (1.0 - pow(10.0, -k / 12.0));
    else if (k < 210)
      z = (k & 1 ? 1.0 : -1.0) * pow(10.0, -k / 10.0);
    double sz = sqrt((1.0 - z) * (1.0 + z));
    d[0] = sz * cos(p), d[1] = sz * sin(p), d[2] = z;
    double n = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    for (int i = 0; i < 3; i++)
      d[i] /= n;
    double s = k % 5 == 0 ? pow(10.0, -(k % 50) / 5.0) : (k % 97) / 96.0, mean[3] = {0.0},
           outer[3][3] = {{0.0}};
    double turned[8][3];
    for (int j = 0; j < 8; j++) {
      double *e = turned[j];
      e[0] = d[0], e[1] = d[1], e[2] = d[2];
      wn_angle_turn(e, s, sin(WN_PI * j / 4.0), cos(WN_PI * j / 4.0));
      double dot = 0.0, n2 = 0.0, step = 0.0;
      for (int i = 0; i < 3; i++) {
        dot += d[i] * e[i];
        n2 += e[i] * e[i];
        mean[i] += e[i] / 8.0;
        if (j > 0)
          step += (e[i] - turned[j - 1][i]) * (e[i] - turned[j - 1][i]);
      }
      unit = fmax(unit, fabs(n2 - 1.0));
      polar = fmax(polar, fabs(dot - (1.0 - 2.0 * s)));
      /* neighbours an eighth of a turn apart: chord 2 sin chi sin(pi/8) */
      if (j > 0)
        side =
            fmax(side, fabs(sqrt(step) - 4.0 * sqrt(s * (1.0 - s)) * sin(WN_PI / 8.0)));
    }
    for (int i = 0; i < 3; i++)
      for (int l = 0; l < 3; l++) {
        for (int j = 0; j < 8; j++)
          outer[i][l] += (turned[j][i] - (1.0 - 2.0 * s) * d[i]) *
                         (turned[j][l] - (1.0 - 2.0 * s) * d[l]) / 8.0;
        /* a round cone: half of sin^2 chi in every direction across d */
        even = fmax(even, fabs(outer[i][l] - 2.0 * s * (1.0 - s) *
                                                 ((i == l ? 1.0 : 0.0) - d[i] * d[l])));
      }
    for (int i = 0; i < 3; i++)
      even = fmax(even, fabs(mean[i] - (1.0 - 2.0 * s) * d[i]));
  }
  ok(unit < 4e-15, "turned directions are unit vectors: %.2g, allowed 4e-15", unit);
  ok(polar < 4e-15, "at the right angle: %.2g, allowed 4e-15", polar);
  ok(even < 4e-15, "on a round cone: %.2g, allowed 4e-15", even);
  ok(side < 4e-15, "equal azimuths are equal distances: %.2g, allowed 4e-15", side);
}

static void test_isotropic(void)
{
  enum { N = 400 };
  double m1[3] = {0.0}, m2[3][3] = {{0.0}}, unit = 0.0, worst = 0.0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) { /* midpoints of equal parts of both uniform numbers */
      double d[3], n = 0.0;
      wn_angle_isotropic(d, (i + 0.5) / N, (j + 0.5) / N);
      for (int k = 0; k < 3; k++) {
        n += d[k] * d[k];
        m1[k] += d[k] / (N * N);
        for (int l = 0; l < 3; l++)
          m2[k][l] += d[k] * d[l] / (N * N);
      }
      unit = fmax(unit, fabs(n - 1.0));
    }
  for (int k = 0; k < 3; k++) {
    worst = fmax(worst, fabs(m1[k]));
    for (int l = 0; l < 3; l++)
      worst = fmax(worst, fabs(m2[k][l] - (k == l ? 1.0 / 3.0 : 0.0)));
  }
  ok(unit < 1e-15, "isotropic directions are unit vectors: %.2g, allowed 1e-15", unit);
  ok(worst < 5e-6,
     "mean 0, second moments 1/3: off by %.2g, allowed 5e-6 (2/(3 n^2) of the midpoints)",
     worst);
}

static void test_binary(void)
{
  double across = 0.0, along = 0.0;
  for (int k = 0; k < 1000; k++) {
    double t = pow(10.0, 1.0 + 6.0 * (k % 10) / 9.0), e = t * (k + 0.5) / 1000.0,
           f = t - e, m = WN_MC2_EV;
    double p0 = sqrt(t * (t + 2.0 * m)), p1 = sqrt(e * (e + 2.0 * m)),
           p2 = sqrt(f * (f + 2.0 * m));
    double c1 = wn_angle_binary_cos(t, e), c2 = wn_angle_binary_cos(t, f);
    along = fmax(along, fabs(p1 * c1 + p2 * c2 - p0) / p0);
    across = fmax(across, fabs(p1 * p1 * (1.0 - c1 * c1) - p2 * p2 * (1.0 - c2 * c2)) /
                              (p0 * p0));
  }
  ok(along < 1e-14 && across < 1e-14,
     "two free electrons close momentum: along %.2g, across %.2g of it, allowed 1e-14",
     along, across);
  ok(wn_angle_binary_cos(100.0, 100.0) == 1.0 && wn_angle_binary_cos(100.0, 0.0) == 0.0,
     "ends: forward, and at right angles");
  is_close(wn_angle_binary_cos(100.0, 50.0), sqrt(0.5), 1e-4,
           "half the energy, slow: 45 degrees");
}

int main(void)
{
  plan(0);
  test_inverse();
  test_series();
  test_spin();
  test_moliere();
  test_histogram();
  test_turn();
  test_isotropic();
  test_binary();
  return done();
}
