/* t0167-grouped-angle.c - defends: physics/grouped_angle.h.  Groups of small deflections have the first and second moments of
 * s = (1 - cos chi)/2 of the single ones that they replace, are never more, and become them as the cut falls; the transport rate of
 * order 3 converges, too; what is drawn above the cut is the tail of the shape.  References: moments by quadrature in
 * ln s, the distribution function of 1/(s + eta)^2 by hand, P3(1 - 2 s) = 1 - 12 s + 30 s^2 - 20 s^3. */
#include "physics/grouped_angle.h"
#include "physics/moller.h"
#include "physics/rng.h"
#include "t/tap/tap.h"

#include <math.h>

/* Of N2 at 1 keV to 40 MeV, about; at the last the peak is as wide as the cut. */
static const struct {
  double eta, t_ev;
} cases[] = {{4e-2, 1e3}, {1.2e-3, 1e4}, {1.4e-4, 1e5},
             {9e-6, 1e6}, {1.2e-8, 4e7}, {3.0, 1e3}};
enum { N_CASES = sizeof cases / sizeof cases[0] };

/* Moments 0 to 3 of s over [0, x], normalized over [0, 1], by the midpoint rule in ln s. */
static void quadrature(double eta, double beta2, double x, double m[4])
{
  enum { N = 40000 };
  const double least = log(1e-9 * fmin(eta, x));
  double all = 0.0;
  for (int n = 0; n < 4; n++)
    m[n] = 0.0;
  for (int side = 0; side < 2; side++) { /* to x, and from x to 1 */
    const double from = side ? log(x) : least, h = ((side ? 0.0 : log(x)) - from) / N;
    for (int i = 0; i < N; i++) {
      const double s = exp(from + h * (i + 0.5)),
                   p = h * s * (1.0 - beta2 * s) / ((s + eta) * (s + eta));
      all += p;
      for (int n = 0; n < 4 && side == 0; n++)
        m[n] += p * pow(s, n);
    }
  }
  for (int n = 0; n < 4; n++)
    m[n] /= all;
}

static double cut_of(double degrees)
{
  const double half = sin(0.5 * degrees * WN_PI / 180.0);
  return half * half;
}

static void test_moments(void)
{
  double moments = 0.0, first = 0.0, second = 0.0, most = 0.0, largest = 0.0;
  for (int c = 0; c < N_CASES; c++)
    for (double degrees = 0.1; degrees < 91.0; degrees *= 3.0)
      for (int spin = 0; spin < 2; spin++) {
        const double eta = cases[c].eta, beta2 = spin ? wn_beta2(cases[c].t_ev) : 0.0,
                     x = cut_of(degrees);
        double want[4], got[3];
        quadrature(eta, beta2, x, want);
        wn_grouped_moments(eta, beta2, x, got);
        for (int n = 0; n < 3; n++)
          moments = fmax(moments, fabs(got[n] / want[n] - 1.0));
        const struct wn_grouped_angle g = wn_grouped_angle(eta, beta2, x);
        const double groups = g.rate * g.part;
        first = fmax(first, fabs(groups * g.s_max / 2.0 / want[1] - 1.0));
        second = fmax(second, fabs(groups * g.s_max * g.s_max / 3.0 / want[2] - 1.0));
        most = fmax(most, groups / got[0]);
        largest = fmax(largest, g.s_max / x);
      }
  ok(moments < 2e-7,
     "moments in closed form against quadrature: relative %.2g, allowed 2e-7", moments);
  ok(first < 2e-7 && second < 2e-7,
     "first and second moment of groups: relative %.2g, %.2g, allowed 2e-7", first,
     second);
  ok(most <= 1.0 + 1e-9 && most > 0.9999,
     "groups are at most as many as the single ones that they replace: %.10g of them",
     most);
  ok(largest <= 1.0 + 1e-9 && largest > 0.9, "and within the cut: up to %.10g of it",
     largest);
}

/* Relative error of the transport rate of order 3. */
static double third(double eta, double beta2, double degrees)
{
  double m[4], all[4];
  quadrature(eta, beta2, cut_of(degrees), m);
  quadrature(eta, beta2, 1.0 - 1e-12, all);
  const struct wn_grouped_angle g = wn_grouped_angle(eta, beta2, cut_of(degrees));
  return 20.0 * (g.rate * g.part * pow(g.s_max, 3) / 4.0 - m[3]) /
         (12.0 * all[1] - 30.0 * all[2] + 20.0 * all[3]);
}

static void test_limit(void)
{
  for (int c = 2; c < 5; c++) {
    const double eta = cases[c].eta, beta2 = wn_beta2(cases[c].t_ev),
                 e40 = third(eta, beta2, 40.0), e20 = third(eta, beta2, 20.0),
                 e10 = third(eta, beta2, 10.0);
    diag("order 3 at %g eV: %.2g with 40 deg, %.2g with 20, %.2g with 10", cases[c].t_ev,
         e40, e20, e10);
    ok(fabs(e40) < 2e-3 && fabs(e20) < fabs(e40) / 8.0 && fabs(e10) < fabs(e20) / 8.0,
       "%g eV: the rate of order 3 converges at least as the third power of the cut",
       cases[c].t_ev);
    const struct wn_grouped_angle g = wn_grouped_angle(eta, beta2, 1e-4 * eta);
    ok(fabs(g.rate - 1.0) < 1e-8 && fabs(g.s_max / (1e-4 * eta) - 1.0) < 1e-4,
       "%g eV: far below the width of the peak groups are single collisions",
       cases[c].t_ev);
    const struct wn_grouped_angle ten = wn_grouped_angle(eta, beta2, cut_of(10.0));
    diag("%g eV: %.4g collisions in the place of one with 10 deg", cases[c].t_ev,
         ten.rate);
    ok(c < 3 || ten.rate < 0.08, "%g eV: with 10 deg there are far fewer: %.3g",
       cases[c].t_ev, ten.rate);
  }
}

static void test_drawn(void)
{
  int same = 1, in_place = 1;
  double tail = 0.0, above = 0.0, grouped = 0.0;
  for (int c = 0; c < N_CASES; c++) {
    const double eta = cases[c].eta, q = 2.0 * eta / (1.0 + 2.0 * eta), x = cut_of(12.0);
    /* integral of 1/(s + eta)^2 from s on, over that from 0 on */
    const double t = wn_angle_tail(q, x);
    tail = fmax(tail, fabs(t / (eta * (1.0 - x) / (x + eta)) - 1.0));
    for (uint32_t i = 0; i < 2000; i++) {
      const double r = wn_u01(wn_rng(166, i, (uint32_t)c, WN_RNG_EVENT, 0).w[0]),
                   s = wn_angle_s_above(q, t, r), part = 0.9, s_max = 0.7 * x,
                   one = wn_grouped_s(q, t, part, s_max, r);
      same = same && wn_angle_s_above(q, 1.0, r) == wn_angle_s(q, r) &&
             wn_grouped_s(q, 1.0, 0.0, 1.0, r) == wn_angle_s(q, r);
      /* the part of the tail that is above s is 1 - r */
      above = fmax(above, fabs(eta * (1.0 - s) / (s + eta) / t - (1.0 - r)));
      in_place = in_place && s >= x * (1.0 - 1e-12) && s <= 1.0 &&
                 (r < part ? one <= s_max : one >= x * (1.0 - 1e-12));
      if (r < part)
        grouped = fmax(grouped, fabs(one / s_max - r / part));
    }
  }
  ok(same, "without groups the same bits as wn_angle_s");
  ok(tail < 1e-12, "the part above the cut: relative %.2g, allowed 1e-12", tail);
  ok(above < 1e-9, "single ones above it invert its distribution function: off by %.2g",
     above);
  ok(in_place, "groups are below their largest angle, single ones above the cut");
  ok(grouped < 1e-15, "groups are uniform");
}

int main(void)
{
  plan(0);
  test_moments();
  test_limit();
  test_drawn();
  return done();
}
