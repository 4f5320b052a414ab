/* t0210-rbeb.c - defends: the RBEB formulae are coded right.
 * Totals and mean losses of N2 and O2: evaluated independently from the published formula
 * and orbitals, with G = (1 + t'/2)^2, which moves totals by less than 0.01 % and mean
 * losses by less than 0.3 % at the energies used.  The rest are identities: the SDCS
 * integrates to the total, its mean is the closed form, and the limits at threshold and
 * of free electrons (Moller). */
#include "crosssections/xs.h"
#include "crosssections/xs_rbeb.h"
#include "physics/constants.h"
#include "t/tap/tap.h"

#include <math.h>

static const struct {
  double t_ev, n2, o2; /* 1e-20 m2 */
} total[] = {
    {20, 0.3269, 0.3543},    {30, 1.2423, 1.1316},    {50, 2.1653, 2.0465},
    {100, 2.6155, 2.6215},   {200, 2.2741, 2.3942},   {500, 1.4294, 1.5719},
    {1e3, 0.8925, 0.9989},   {1e4, 0.13975, 0.15912}, {1e5, 0.02251, 0.02568},
    {1e6, 0.00936, 0.01068}, {1e7, 0.01087, 0.01240},
};

static const struct {
  const char *gas;
  double t_ev, loss_ev; /* binding + mean secondary energy, over all orbitals */
} loss[] = {
    {"N2", 100, 29.5}, {"N2", 1e3, 46.06}, {"N2", 1e4, 62.3},
    {"O2", 1e3, 46.6}, {"O2", 1e4, 62.2},
};

static double sum(const char *gas, double t_ev, double *mean_loss)
{
  const struct wn_xs_orbital *o;
  size_t n = wn_xs_rbeb_orbitals(gas, &o);
  double s = 0.0, l = 0.0;
  for (size_t i = 0; i < n; i++) {
    double x = wn_xs_rbeb(&o[i], t_ev);
    s += x;
    l += x * (o[i].b_ev + wn_xs_rbeb_mean_w(&o[i], t_ev));
  }
  if (mean_loss != NULL)
    *mean_loss = s > 0.0 ? l / s : 0.0;
  return s;
}

/* Integral of W^k times the SDCS: Gauss-Legendre of 5 points in 400 panels of ln(1 +
 * W/B). */
static double moment(const struct wn_xs_orbital *o, double t_ev, int k)
{
  static const double x[] = {0.0, 0.5384693101056831, 0.9061798459386640};
  static const double w[] = {0.5688888888888889, 0.4786286704993665, 0.2369268850561891};
  enum { PANELS = 400 };
  double h = log1p(0.5 * (t_ev - o->b_ev) / o->b_ev) / PANELS, s = 0.0;
  for (int p = 0; p < PANELS; p++)
    for (int i = -2; i <= 2; i++) {
      int a = i < 0 ? -i : i;
      double y = h * (p + 0.5 + 0.5 * (i < 0 ? -x[a] : x[a]));
      double w_ev = o->b_ev * expm1(y);
      s += 0.5 * h * w[a] * wn_xs_rbeb_sdcs(o, t_ev, w_ev) * (k ? w_ev : 1.0) *
           (w_ev + o->b_ev);
    }
  return s;
}

static void totals(void)
{
  for (size_t i = 0; i < sizeof total / sizeof total[0]; i++) {
    /* The last printed digit of the small ones is worth up to 0.05 %. */
    is_close(1e20 * sum("N2", total[i].t_ev, NULL), total[i].n2, 1e-3, "N2 at %g eV",
             total[i].t_ev);
    is_close(1e20 * sum("O2", total[i].t_ev, NULL), total[i].o2, 1e-3, "O2 at %g eV",
             total[i].t_ev);
  }
  for (size_t i = 0; i < sizeof loss / sizeof loss[0]; i++) {
    double l;
    sum(loss[i].gas, loss[i].t_ev, &l);
    is_close(l, loss[i].loss_ev, 5e-3, "mean loss of %s at %g eV", loss[i].gas,
             loss[i].t_ev);
  }
}

/* The SDCS of each orbital of a gas of so many electrons against its closed integrals. */
static void integrals(const char *gas, double electrons)
{
  static const double ratio[] = {1.0003, 1.01, 1.5, 3, 10, 100, 1e3, 1e5};
  const struct wn_xs_orbital *o;
  size_t n = wn_xs_rbeb_orbitals(gas, &o);
  double n_el = 0.0, worst_total = 0.0, worst_mean = 0.0, lowest = INFINITY;
  bool zero = n > 0, positive = n > 0, inside = n > 0;
  for (size_t k = 0; k < n; k++) {
    double b = o[k].b_ev;
    n_el += o[k].n;
    zero = zero && wn_xs_rbeb(&o[k], 0.999 * b) == 0.0 && wn_xs_rbeb(&o[k], b) == 0.0 &&
           wn_xs_rbeb_mean_w(&o[k], b) == 0.0 && wn_xs_rbeb_sdcs(&o[k], b, 0.0) == 0.0;
    positive = positive && wn_xs_rbeb(&o[k], b * (1.0 + 1e-9)) > 0.0 &&
               isfinite(wn_xs_rbeb(&o[k], 1e9));
    for (size_t i = 0; i < sizeof ratio / sizeof ratio[0]; i++) {
      double t = ratio[i] * b, s = wn_xs_rbeb(&o[k], t), m = wn_xs_rbeb_mean_w(&o[k], t);
      double s0 = moment(&o[k], t, 0), m1 = moment(&o[k], t, 1) / s0;
      worst_total = fmax(worst_total, fabs(s0 / s - 1.0));
      worst_mean = fmax(worst_mean, fabs(m / m1 - 1.0));
      lowest = fmin(lowest, wn_xs_rbeb_sdcs(&o[k], t, 0.25 * (t - b)));
      inside = inside && m > 0.0 && m < 0.5 * (t - b) &&
               wn_xs_rbeb_sdcs(&o[k], t, 0.5001 * (t - b)) == 0.0 &&
               wn_xs_rbeb_sdcs(&o[k], t, -1.0) == 0.0;
    }
  }
  is_near(n_el, electrons, 0.0, "%s has its electrons", gas);
  is_near(worst_total, 0.0, 1e-6, "%s: the SDCS integrates to the total", gas);
  is_near(worst_mean, 0.0, 1e-6, "%s: the closed mean is the mean of the SDCS", gas);
  ok(zero, "%s: nothing at and below each binding energy", gas);
  ok(positive, "%s: positive just above, finite at 1 GeV", gas);
  ok(lowest > 0.0, "%s: the SDCS is positive", gas);
  ok(inside, "%s: secondaries only in [0, (T - B)/2]", gas);
  ok(wn_xs_rbeb_orbital_name(gas, n - 1) != NULL &&
         wn_xs_rbeb_orbital_name(gas, n) == NULL,
     "%s: as many names as orbitals", gas);
}

/* Threshold law: the total rises linearly and the mean secondary energy is (T - B)/4,
 * also across the switch from the closed form to its limit at T = B (1 + 2e-4). */
static void threshold(const struct wn_xs_orbital *last)
{
  double b = last->b_ev;
  is_close(wn_xs_rbeb(last, b * (1.0 + 2e-5)) / wn_xs_rbeb(last, b * (1.0 + 1e-5)), 2.0,
           1e-4, "linear at threshold");
  is_close(wn_xs_rbeb_mean_w(last, b * 1.00019) / (b * 0.00019), 0.25, 1e-6,
           "mean below the switch");
  is_close(wn_xs_rbeb_mean_w(last, b * 1.00021) / (b * 0.00021), 0.25, 1e-6,
           "mean above the switch");
}

/* Free electrons: for W and T - W far above B the SDCS is N times Moller's cross
 * section. */
static void moller_limit(const struct wn_xs_orbital *last)
{
  double t = 1e6, w = 2e5, x = t / WN_MC2_EV, g = 1.0 + x, b2 = x * (2.0 + x) / (g * g);
  double moller = 2.0 * WN_PI * WN_RE * WN_RE * WN_MC2_EV / b2 *
                  (1.0 / (w * w) + 1.0 / ((t - w) * (t - w)) + x * x / (g * g) / (t * t) -
                   (1.0 + 2.0 * x) / (g * g) / (w * (t - w)));
  is_close(wn_xs_rbeb_sdcs(last, t, w) / last->n, moller, 2e-3,
           "Moller's limit at 1 MeV, 200 keV");
}

static void nothing(const struct wn_xs_orbital *last)
{
  const struct wn_xs_orbital *none = last;
  is_int((long long)wn_xs_rbeb_orbitals("He", &none), 0, "no orbitals of an unknown gas");
  ok(none == NULL, "and no table");
  ok(wn_xs_rbeb_orbital_name("He", 0) == NULL, "and no name");
  is_near(wn_xs_rbeb(last, NAN), 0.0, 0.0, "not-a-number gives nothing");
}

int main(void)
{
  const struct wn_xs_orbital *o;
  plan(0);
  totals();
  integrals("N2", 14);
  integrals("O2", 16);
  integrals("Ar", 18);
  size_t n = wn_xs_rbeb_orbitals("N2", &o);
  threshold(&o[n - 1]);
  moller_limit(&o[n - 1]);
  nothing(&o[n - 1]);
  return done();
}
