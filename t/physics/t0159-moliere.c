/* t0159-moliere.c - defends: elastic scattering of fast electrons by physics/moliere.h, and sets with it.  Reference:
 * Born's approximation with the form factors of the electrons of N and O (fit of D. Waasmaier and A. Kirfel, Acta Cryst. A
 * 51, 416, 1995: coefficients from memory, checked by their sum, Z), integrated here; the moments of the shape by quadrature; the
 * built-in set below 1 keV. */
#include "base/error.h"
#include "crosssections/xs.h"
#include "crosssections/xs_moliere.h"
#include "physics/angle.h"
#include "physics/moliere.h"
#include "t/tap/tap.h"

#include <math.h>
#include <stdlib.h>

static const struct atom {
  const char *gas;
  double z, a[5], c, b[5];
} atoms[] = {
    {"N2",
     7.0,
     {11.893780, 3.277479, 1.858092, 0.858927, 0.912985},
     -11.804902,
     {0.000158, 10.232723, 30.344690, 0.656065, 0.217287}},
    {"O2",
     8.0,
     {2.960427, 2.508818, 0.637853, 0.722838, 1.142756},
     0.027014,
     {14.182259, 5.936858, 0.112726, 34.958481, 0.390240}},
};

/* F of a momentum transfer q in hbar/a0; the fit goes to 6/angstrom of q/4 pi, beyond which F is small. */
static double form_factor(const struct atom *at, double q)
{
  const double x = fmin(q / (WN_A0 * 1e10) / (4.0 * WN_PI), 6.0);
  double sum = at->c;
  for (int i = 0; i < 5; i++)
    sum += at->a[i] * exp(-at->b[i] * x * x);
  return fmin(fmax(sum, 0.0), at->z);
}

/* Momentum transfer of an atom with F in place of the screening angle [m2]. */
static double born(const struct atom *at, double t_ev)
{
  enum { N = 20000 };
  const double beta2 = wn_beta2(t_ev), gamma = 1.0 + t_ev / WN_MC2_EV,
               p = gamma * sqrt(beta2) / WN_ALPHA,
               f = at->z * WN_RE / (2.0 * beta2 * gamma), h = log(1e14) / N;
  double sum = 0.0;
  for (int i = 0; i < N; i++) {
    const double s = exp(-h * (i + 0.5)),
                 left = 1.0 - form_factor(at, 2.0 * p * sqrt(s)) / at->z;
    sum += h * left * left * (1.0 - beta2 * s);
  }
  return 8.0 * WN_PI * f * f * sum;
}

static void test_born(const struct atom *at)
{
  double sum = at->c;
  for (int i = 0; i < 5; i++)
    sum += at->a[i];
  is_close(sum, at->z, 1e-3, "%s: the form factor of no momentum is Z", at->gas);
  for (double t = 1e5; t < 2e8; t *= 10.0)
    is_close(wn_moliere(t, at->z, 1), born(at, t), 0.016,
             "%s: momentum transfer at %g eV is that of the form factor", at->gas, t);
  is_close(wn_moliere(1e4, at->z, 1), born(at, 1e4), 0.035, "%s: at 10 keV, too",
           at->gas);
}

static void test_moments(const struct atom *at)
{
  enum { N = 20000 };
  double worst = 0.0;
  for (double t = 1e4; t < 2e8; t *= 5.0) {
    const double eta = wn_moliere_eta(t, at->z), beta2 = wn_beta2(t),
                 f = at->z * WN_RE / (2.0 * beta2 * (1.0 + t / WN_MC2_EV)),
                 h = log(1.0 / (1e-5 * eta)) / N;
    double sum[2] = {0.0, 0.0};
    for (int i = 0; i < N; i++) {
      const double s = exp(-h * (i + 0.5)),
                   d = h * s * (1.0 - beta2 * s) / ((s + eta) * (s + eta));
      sum[0] += d;
      sum[1] += 2.0 * s * d;
    }
    for (int k = 0; k < 2; k++)
      worst = fmax(worst,
                   fabs(wn_moliere(t, at->z, k) / (4.0 * WN_PI * f * f * sum[k]) - 1.0));
    worst = fmax(worst, fabs(wn_moliere(t, at->z, 1) / wn_moliere(t, at->z, 0) /
                                 wn_angle_ratio_spin(eta, beta2) -
                             1.0));
  }
  ok(worst < 2e-5, "%s: both moments are those of the shape: %.2g", at->gas, worst);
}

static void test_set(const struct atom *at)
{
  struct wn_xs_set *own = NULL, *set = NULL;
  const struct wn_xs_process *p = NULL, *was = NULL;
  double low = 0.0, high = 0.0, jump = 0.0;
  if (wn_xs_builtin_air(at->gas, &own) != WN_OK ||
      wn_xs_builtin_air(at->gas, &set) != WN_OK)
    exit(1);
  is_int(wn_xs_set_moliere(set), WN_OK, "%s: the built-in set takes it", at->gas);
  for (size_t k = 0; k < set->n; k++)
    if (set->process[k].kind == WN_XS_ELASTIC)
      p = &set->process[k], was = &own->process[k];
  for (size_t i = 0; i < p->n; i++) {
    const double e = p->energy_ev[i];
    if (e <= 1e3)
      low = fmax(low, fabs(p->sigma[i] - was->sigma[i]) +
                          fabs(p->sigma_total[i] - was->sigma_total[i]));
    if (e >= 1e4)
      high =
          fmax(high, fabs(p->sigma[i] / (2.0 * wn_moliere(e, at->z, 1)) - 1.0) +
                         fabs(p->sigma_total[i] / (2.0 * wn_moliere(e, at->z, 0)) - 1.0));
    if (i > 0)
      jump = fmax(jump, fmax(fabs(log(p->sigma[i] / p->sigma[i - 1])),
                             fabs(log(p->sigma_total[i] / p->sigma_total[i - 1]))));
  }
  is_near(low, 0.0, 0.0, "%s: nothing changes up to 1 keV", at->gas);
  is_near(high, 0.0, 1e-12, "from 10 keV on both are two atoms'");
  ok(jump < 0.05, "no row differs by 5 %% from the one before (%.3f)", jump);
  wn_xs_free(own);
  wn_xs_free(set);
}

static void test_refused(void)
{
  struct wn_xs_set *set = NULL;
  is_int(wn_xs_builtin_argon("Ar", &set), WN_OK, "argon");
  is_int(wn_xs_set_moliere(set), WN_EINPUT,
         "a set without integral cross section that ends at 1 keV");
  wn_xs_free(set);
  is_int(wn_xs_builtin_air("N2", &set), WN_OK, "nitrogen");
  set->name[0] = 'X';
  is_int(wn_xs_set_moliere(set), WN_EINPUT, "atoms that are not known");
  wn_xs_free(set);
}

int main(void)
{
  plan(0);
  for (int i = 0; i < 2; i++) {
    test_born(&atoms[i]);
    test_moments(&atoms[i]);
    test_set(&atoms[i]);
  }
  test_refused();
  return done();
}
