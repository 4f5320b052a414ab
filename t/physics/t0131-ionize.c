/* t0131-ionize.c - defends: the energy of the slower electron after an ionization has the
 * distribution it claims. References: Opal's form and its mean (w/2) ln(1 + x^2)/atan x
 * in closed form; RBEB's differential cross section and its closed mean in
 * crosssections/xs_rbeb.c, which t/crosssections/t0210-rbeb.c defends; the mean loss of 46.06 eV of N2
 * at 1 keV, evaluated independently from the published formula. One fixed seed; limits
 * at 4.5 sigma of the run's own scatter and chi-square at chance 1e-5: another seed would
 * fail one of the checks with a chance below 2e-4. */
#include "crosssections/xs.h"
#include "crosssections/xs_rbeb.h"
#include "physics/ionize.h"
#include "t/tap/tap.h"

#include <math.h>

#define SEED 31u

static const double gx[5] = {-0.9061798459386640, -0.5384693101056831, 0.0,
                             0.5384693101056831, 0.9061798459386640};
static const double gw[5] = {0.2369268850561891, 0.4786286704993665, 0.5688888888888889,
                             0.4786286704993665, 0.2369268850561891};

static void test_opal(void)
{
  static const double width[] = {10.0, 13.0, 17.4},
                      energy[] = {15.7, 20.0, 100.0, 1e3, 1e5};
  double inverse = 0.0, mean_worst = 0.0;
  int inside = 1;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 5; j++) {
      double w0 = width[i], t = energy[j], b = 15.6, top = 0.5 * (t - b), x = top / w0,
             mean = 0.0;
      for (int k = 0; k < 2000; k++) {
        double u = (k + 0.5) / 2000.0, w = wn_ionize_opal(t, b, w0, u);
        inside = inside && w >= 0.0 && w <= top;
        inverse = fmax(inverse, fabs(atan(w / w0) / atan(x) - u));
      }
      inside = inside && wn_ionize_opal(t, b, w0, 0.0) == 0.0 &&
               wn_ionize_opal(t, b, w0, 1.0 - 0x1p-32) <= top;
      /* Gauss-Legendre in ln(1 - u), as 1e5 eV has its mean in the last part of u */
      for (int p = 0; p < 400; p++)
        for (int k = 0; k < 5; k++) {
          double h = 34.0 / 400, v = exp(-h * (p + 0.5 + 0.5 * gx[k]));
          mean += 0.5 * h * gw[k] * v * wn_ionize_opal(t, b, w0, 1.0 - v);
        }
      mean_worst =
          fmax(mean_worst, fabs(mean / (0.5 * w0 * log1p(x * x) / atan(x)) - 1.0));
    }
  ok(inside, "opal: in [0, (t - b)/2]");
  ok(inverse < 2e-15,
     "opal: inverse of its distribution function, off by %.2g, allowed 2e-15", inverse);
  ok(mean_worst < 1e-7,
     "opal: mean (w/2) ln(1 + x^2)/atan x, relative %.2g, allowed 1e-7", mean_worst);
  ok(wn_ionize_opal(15.6, 15.6, 13.0, 0.5) == 0.0, "opal: 0 at the threshold");
}

static double
chi2_limit(int n) /* exceeded by chance once in 1e5 (Wilson and Hilferty 1931) */
{
  double a = 2.0 / (9.0 * n), z = 1.0 - a + 4.265 * sqrt(a);
  return n * z * z * z;
}

static void test_rbeb(const struct wn_xs_orbital *o, const char *name, double t,
                      uint32_t event)
{
  enum { N = 400000, BINS = 40 };
  double top = 0.5 * (t - o->b_ev), h = log1p(top / o->b_ev) / BINS, sum = 0.0,
         sum2 = 0.0, chi2 = 0.0, expected[BINS];
  int count[BINS] = {0}, inside = 1, degrees = -1;
  for (uint64_t i = 0; i < N; i++) {
    double w = wn_ionize_rbeb(t, o->b_ev, SEED, i, event);
    inside = inside && w >= 0.0 && w <= top;
    int b = (int)(log1p(w / o->b_ev) / h);
    count[b < BINS ? b : BINS - 1]++;
    sum += w;
    sum2 += w * w;
  }
  double mean = sum / N, error = sqrt((sum2 / N - mean * mean) / N),
         want = wn_xs_rbeb_mean_w(o, t);
  ok(inside, "rbeb, %s at %g eV: in [0, (t - b)/2]", name, t);
  ok(fabs(mean - want) < 4.5 * error,
     "rbeb, %s at %g eV: mean %.4f eV, want %.4f, error %.4f, off by %.2f sigma (allowed "
     "4.5)",
     name, t, mean, want, error, (mean - want) / error);
  for (int b = 0; b < BINS; b++) {
    double p = 0.0;
    for (int i = 0; i < 5; i++) {
      double w = o->b_ev * expm1(h * (b + 0.5 + 0.5 * gx[i]));
      p += 0.5 * h * gw[i] * (w + o->b_ev) * wn_xs_rbeb_sdcs(o, t, w);
    }
    expected[b] = N * p / wn_xs_rbeb(o, t);
  }
  /* bins with fewer than 20 expected join their upper neighbour, the last ones the lower
   * one */
  double e = 0.0, c = 0.0;
  for (int b = 0; b < BINS; b++) {
    e += expected[b];
    c += count[b];
    double rest = 0.0;
    for (int i = b + 1; i < BINS; i++)
      rest += expected[i];
    if (b < BINS - 1 && (e < 20.0 || rest < 20.0))
      continue;
    chi2 += (c - e) * (c - e) / e;
    degrees++;
    e = c = 0.0;
  }
  ok(chi2 < chi2_limit(degrees),
     "rbeb, %s at %g eV: histogram chi2 %.1f, allowed %.1f for %d degrees (false alarm "
     "1e-5)",
     name, t, chi2, chi2_limit(degrees), degrees);
}

static void test_mean_loss(const struct wn_xs_orbital *o, size_t n)
{
  double total = 0.0, loss = 0.0;
  for (size_t i = 0; i < n; i++) {
    double sigma = wn_xs_rbeb(&o[i], 1000.0), sum = 0.0;
    for (uint64_t k = 0; k < 400000; k++)
      sum += wn_ionize_rbeb(1000.0, o[i].b_ev, SEED, k, 500 + (uint32_t)i);
    total += sigma;
    loss += sigma * (o[i].b_ev + sum / 400000.0);
  }
  is_close(loss / total, 46.06, 5e-3,
           "rbeb: mean loss of 1 keV electrons in all orbitals of N2 [eV]");
}

/* The claim of the comment of wn_ionize_rbeb: f(w) (1 + w)^2 <= 2 + 2 L + (t+1)^2 b'^2/(4
 * G) for every w in [0, (t-1)/2]. */
static void test_bound(const struct wn_xs_orbital *o, size_t n)
{
  double most = 0.0, at_t = 0.0, at_b = 0.0, accept = 1.0;
  for (size_t k = 0; k < n; k++)
    for (int i = 1; i <= 300; i++) {
      double b = o[k].b_ev, t_ev = b * pow(3e7 / b, i / 300.0), t = t_ev / b,
             bp = b / WN_MC2_EV, tp = t_ev / WN_MC2_EV;
      double g = (1.0 + tp) * (1.0 + tp);
      double l = log(tp * (tp + 2.0)) - tp * (tp + 2.0) / g - log(2.0 * bp),
             phi = (1.0 + 2.0 * tp) / g;
      double bound =
                 2.0 + 2.0 * fmax(l, 0.0) + 0.25 * (t + 1.0) * (t + 1.0) * bp * bp / g,
             area = 0.0;
      double h = log(0.5 * (t + 1.0)) / 200;
      for (int j = 0; j <= 200; j++) {
        double w = expm1(h * j), p = 1.0 / (1.0 + w), q = 1.0 / (t - w);
        double f = p * p + q * q - phi / (t + 1.0) * (p + q) + bp * bp / g +
                   l * (p * p * p + q * q * q);
        if (f / (p * p) / bound > most) {
          most = f / (p * p) / bound;
          at_t = t_ev, at_b = b;
        }
        area += f * (1.0 + w) * h * (j == 0 || j == 200 ? 0.5 : 1.0);
      }
      accept = fmin(accept, area / (bound * (t - 1.0) / (t + 1.0)));
    }
  ok(most <= 1.0,
     "rbeb: the density never passes its bound, at most %.6f of it (%.4g eV, orbital "
     "%.4g eV)",
     most, at_t, at_b);
  ok(accept > 1.0 / 6.0,
     "rbeb: fewer than 3 blocks, two trials each, on average: least acceptance %.3f",
     accept);
}

/* The density itself, from where the sampler begins to refuse: the trial of w is taken while u
 * < f(w) (1 + w)^2 / bound, and the largest u that is taken is found by halving.  f and the
 * bound are written out here in the terms of the paper, t = T/B, b' = B/mc2, and compared
 * with 1e-6, where histograms need 1e7 electrons for 1 % of L. */
static void test_density(double b_ev, double t_ev)
{
  const double t = t_ev / b_ev, tp = t_ev / WN_MC2_EV, bp = b_ev / WN_MC2_EV,
               gamma = 1.0 + tp, beta2 = 1.0 - 1.0 / (gamma * gamma),
               l = log(beta2 / (1.0 - beta2)) - beta2 - log(2.0 * bp),
               bound = 2.0 + 2.0 * fmax(l, 0.0) + pow(0.5 * (t + 1.0) * bp / gamma, 2.0);
  const struct wn_rbeb s = wn_rbeb(t, t_ev, b_ev);
  double worst = 0.0;
  for (uint32_t one = 1u << 27; one < 0xf0000000u; one += 1u << 28) {
    uint32_t low = 0, high = 0xffffffffu; /* taken; refused */
    double w;
    while (high - low > 1) {
      const uint32_t middle = low + (high - low) / 2;
      if (wn_rbeb_try(&s, one, middle, &w))
        low = middle;
      else
        high = middle;
    }
    const double p = 1.0 + w, q = t - w,
                 f = 1.0 / (p * p) + 1.0 / (q * q) -
                     (1.0 + 2.0 * tp) / (gamma * gamma) / (t + 1.0) *
                         (1.0 / p + 1.0 / q) +
                     pow(bp / gamma, 2.0) + l * (pow(p, -3.0) + pow(q, -3.0));
    worst = fmax(worst, fabs(high * 0x1p-32 / (f * p * p / bound) - 1.0));
  }
  ok(worst < 1e-6,
     "rbeb, %g eV of %g: density at 15 values of w, off by %.2g, allowed 1e-6", b_ev,
     t_ev, worst);
}

int main(void)
{
  static const double energy[] = {50.0, 1e3, 1e5, 1e6};
  const struct wn_xs_orbital *o;
  plan(0);
  test_opal();
  size_t n = wn_xs_rbeb_orbitals("N2", &o);
  is_int((long long)n, 5, "orbitals of N2");
  for (int i = 0; i < 4; i++) {
    test_rbeb(&o[4], "N2 3sg", energy[i], (uint32_t)i);
    if (i > 0)
      test_rbeb(&o[0], "N2 1s", energy[i], 100 + (uint32_t)i);
  }
  test_rbeb(&o[0], "N2 1s", 420.0, 99);
  for (int i = 0; i < 4; i++) {
    test_density(15.58, energy[i]);
    test_density(409.5, 500.0 + energy[i]);
  }
  test_mean_loss(o, n);
  test_bound(o, n);
  ok(wn_ionize_rbeb(15.58, 15.58, SEED, 1, 1) == 0.0, "rbeb: 0 at the threshold");
  ok(wn_ionize_rbeb(100.0, 15.58, SEED, 1, 1) ==
             wn_ionize_rbeb(100.0, 15.58, SEED, 1, 1) &&
         wn_ionize_rbeb(100.0, 15.58, SEED, 1, 1) !=
             wn_ionize_rbeb(100.0, 15.58, SEED, 1, 2),
     "rbeb: named by electron and event alone");
  return done();
}
