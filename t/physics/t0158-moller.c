/* t0158-moller.c - defends: Moller's and Bhabha's cross sections (physics/moller.h, bhabha.h), the join of
 * the former to RBEB, the density effect, and what is drawn from them.  References: published totals above a cut;
 * the invariant amplitudes of e- e- and e+ e- at high energy, written out here; RBEB (crosssections/xs_rbeb.c, which
 * t0210 defends); quadrature.  One fixed seed; chi-square at chance 1e-5 for each of 15 histograms: another seed
 * would fail one with a chance below 2e-4. */
#include "crosssections/xs.h"
#include "crosssections/xs_rbeb.h"
#include "physics/bhabha.h"
#include "physics/constants.h"
#include "physics/moller.h"
#include "t/tap/tap.h"

#include <math.h>

#define SEED 158u
#define BARN 1e-28

static const struct {
  double t_ev, cut_ev, barn, half; /* half a unit of the last digit */
} totals[] = {
    {1e5, 1e3, 801.9, 0.05},    {1e5, 1e4, 57.36, 0.005},    {1e6, 1e3, 286.5, 0.05},
    {1e6, 1e4, 27.82, 0.005},   {1e6, 1e5, 2.254, 0.0005},   {7.3e6, 1e3, 256.0, 0.05},
    {7.3e6, 1e4, 25.56, 0.005}, {7.3e6, 1e5, 2.521, 0.0005}, {4e7, 1e3, 255.0, 0.05},
    {4e7, 1e4, 25.49, 0.005},   {4e7, 1e5, 2.546, 0.0005},
};

/* Integral of f over [low, high] in ln x, by Simpson's rule. */
static double simpson(double (*f)(const void *, double), const void *of, double low,
                      double high)
{
  enum { N = 4000 };
  const double h = log(high / low) / N;
  double sum = 0.0;
  for (int i = 0; i <= N; i++) {
    const double x = low * exp(h * i);
    sum += (i == 0 || i == N ? 1.0 : i % 2 ? 4.0 : 2.0) * x * f(of, x);
  }
  return sum * h / 3.0;
}

struct moment {
  struct wn_moller m;
  int moment, is_dipole;
};

static double of_moment(const void *of, double q)
{
  const struct moment *s = of;
  const double r = s->m.sum - q;
  return pow(q, s->moment) *
         (s->is_dipole ? pow(q, -3.0) + pow(r, -3.0) : wn_moller_shape(&s->m, q));
}

static void test_integrals(void)
{
  static const double t[] = {3e3, 1e5, 1e6, 4e7}, b[] = {0.0, 409.5};
  double worst = 0.0;
  for (int i = 0; i < 4; i++)
    for (int k = 0; k < 2; k++)
      for (int j = 0; j < 6; j++) {
        const struct moment s = {wn_moller(t[i], b[k]), j % 3, j / 3};
        const double low = 600.0, high = 0.5 * s.m.sum,
                     got = s.is_dipole ? wn_dipole_integral(&s.m, s.moment, low, high)
                                       : wn_moller_integral(&s.m, s.moment, low, high);
        worst = fmax(worst, fabs(got / simpson(of_moment, &s, low, high) - 1.0));
      }
  ok(worst < 1e-9, "integrals of three moments: off by %.2g, allowed 1e-9", worst);
}

/* Without masses, t = -s y, u = -s (1 - y), s = 2 T mc2, dsigma/dy = 4 pi dsigma/dOmega:
 *   e- e-   (alpha hbar c)^2/(2 s) [(s2 + u2)/t2 + (s2 + t2)/u2 + 2 s2/(t u)]
 *   e+ e-   (alpha hbar c)^2/(2 s) [(s2 + u2)/t2 + 2 u2/(s t) + (u2 + t2)/s2] */
static void test_amplitudes(void)
{
  const double t_ev = 1e13, alpha_hbar_c = WN_RE * WN_MC2_EV, s = 2.0 * t_ev * WN_MC2_EV,
               k = 4.0 * WN_PI * alpha_hbar_c * alpha_hbar_c / (2.0 * s);
  const struct wn_moller m = wn_moller(t_ev, 0.0);
  const struct wn_bhabha p = wn_bhabha(t_ev);
  double moller = 0.0, bhabha = 0.0;
  for (double y = 0.01; y < 0.995; y += 0.01) {
    const double t = -y, u = -(1.0 - y),
                 ee = k *
                      ((1.0 + u * u) / (t * t) + (1.0 + t * t) / (u * u) + 2.0 / (t * u)),
                 pe = k * ((1.0 + u * u) / (t * t) + 2.0 * u * u / t + u * u + t * t);
    if (y <= 0.5)
      moller = fmax(moller, fabs(t_ev * m.k * wn_moller_shape(&m, y * t_ev) / ee - 1.0));
    bhabha = fmax(bhabha, fabs(p.k * wn_bhabha_shape(&p, y) / pe - 1.0));
  }
  ok(moller < 1e-6, "e- e-: the invariant amplitude at 10 TeV, off by %.2g", moller);
  ok(bhabha < 1e-6, "e+ e-: the invariant amplitude at 10 TeV, off by %.2g", bhabha);
  const double slow = 100.0,
               ratio = wn_bhabha_above(slow, 1e-3) / wn_moller_above(slow, 1e-3);
  is_close(ratio, 1.0, 1e-3, "both are Rutherford's for slow ones and small losses");
}

/* RBEB of an orbital that is hardly bound is Moller's. */
static void test_limit(void)
{
  const struct wn_xs_orbital o = {1e-4, 0.0, 1.0};
  double worst = 0.0;
  for (double t = 1e4; t < 2e8; t *= 2.7) {
    const struct wn_moller m = wn_moller(t, 0.0);
    for (double q = 100.0; q < 0.49 * t; q *= 1.9)
      worst = fmax(
          worst, fabs(wn_xs_rbeb_sdcs(&o, t, q) / (m.k * wn_moller_shape(&m, q)) - 1.0));
  }
  ok(worst < 1e-4, "RBEB without binding is Moller's, off by %.2g", worst);
}

static struct wn_moller_model model_of(double cut, double soft_from)
{
  const struct wn_moller_model m = {cut, soft_from, wn_density_effect_none()};
  return m;
}

/* Both are functions of their own. */
static void test_join(const struct wn_xs_orbital *o, size_t n)
{
  const struct wn_moller_model model = model_of(1e4, INFINITY);
  double below = 0.0, above = 0.0, jump = 0.0;
  for (size_t i = 0; i < n; i++)
    for (double t = 50.0 + o[i].b_ev; t < 1e8; t *= 1.7) {
      const struct wn_join j =
          wn_join(&model, t, o[i].b_ev, wn_beta2(o[i].b_ev) + wn_beta2(o[i].u_ev));
      const double top = 0.5 * (t + o[i].b_ev), k = o[i].n * j.m.k;
      for (double q = o[i].b_ev; q < top; q *= 1.31) {
        const double shape = k * wn_join_shape(&j, q),
                     rbeb = wn_xs_rbeb_sdcs(&o[i], t, q - o[i].b_ev);
        if (q <= 5e3)
          below = fmax(below, fabs(shape / rbeb - 1.0));
        if (q >= 1e4)
          above = fmax(above, fabs(shape / (k * wn_moller_shape(&j.m, q)) - 1.0));
      }
      for (int end = 0; end < 2; end++) {
        const double q = end ? 1e4 : 5e3;
        if (q < 0.9 * top)
          jump = fmax(jump, fabs(wn_join_shape(&j, q * (1.0 + 1e-9)) /
                                     wn_join_shape(&j, q * (1.0 - 1e-9)) -
                                 1.0));
      }
    }
  ok(below < 1e-9, "join: RBEB up to half the cut, off by %.2g", below);
  is_near(above, 0.0, 0.0, "join: Moller's from the cut on");
  ok(jump < 1e-7, "join: continuous at both ends, jump %.2g", jump);
}

static void test_density(void)
{
  const struct wn_density_effect at_0c = wn_density_effect_air(2.6868e25),
                                 thin = wn_density_effect_air(2.6868e24);
  struct wn_density_effect d = wn_density_effect_air(WN_DENSITY_AIR);
  /* 28.816 eV (rho Z/A)^1/2 of the tables of Sternheimer et al. */
  const double plasma_ev =
      WN_HBAR / WN_E * sqrt(WN_DENSITY_AIR * 14.452 * WN_E * WN_E / (WN_EPS0 * WN_ME));
  is_close(2.0 * log(85.7 / plasma_ev) + 1.0, WN_DENSITY_C, 1e-3,
           "C follows from I and the plasma energy");
  is_near(wn_density_effect(&d, d.begins * (1.0 + 1e-9)), 0.0, 1e-4, "delta begins at 0");
  is_near(wn_density_effect(&d, 0.999 * d.begins), 0.0, 0.0, "and is 0 below");
  const double high = pow(10.0, WN_DENSITY_X1);
  is_near(wn_density_effect(&d, high * (1.0 + 1e-9)) -
              wn_density_effect(&d, high * (1.0 - 1e-6)),
          0.0, 1e-5, "no jump where the Fermi plateau begins");
  is_near(wn_density_effect(&d, 1e9) - wn_density_effect(&d, 1e8), 2.0 * log(10.0), 1e-6,
          "there it rises as ln gamma^2: the stopping power saturates");
  is_close(wn_density_effect(&at_0c, 4e7 / WN_MC2_EV), 0.2458, 1e-3,
           "1 atm, 0 C, 40 MeV");
  is_near(at_0c.begins * WN_MC2_EV * 1e-6, 26.72, 0.01, "there it begins at 26.7 MeV");
  is_close(wn_density_effect(&thin, 1e3), wn_density_effect(&at_0c, 1e3 * sqrt(0.1)),
           2e-3, "a tenth of the density: as at 10^1/2 less of beta gamma");
  d = wn_density_effect_none();
  is_near(wn_density_effect(&d, 1e9), 0.0, 0.0, "none: 0");
}

/* ---- what is drawn */

static double chi2_limit(int n) /* as in t0131 */
{
  double a = 2.0 / (9.0 * n), z = 1.0 - a + 4.265 * sqrt(a);
  return n * z * z * z;
}

enum kind { FREE, JOINED, HARD, POSITRON };

struct drawn {
  enum kind kind;
  double t_ev, cut_ev;
  const struct wn_xs_orbital *o;
  struct wn_join j;
  struct wn_bhabha p;
};

static double density(const void *of, double q)
{
  const struct drawn *d = of;
  return d->kind == POSITRON ? wn_bhabha_shape(&d->p, q / d->t_ev)
         : d->kind == JOINED ? wn_join_shape(&d->j, q)
                             : wn_moller_shape(&d->j.m, q);
}

static double draw(const struct drawn *d, const struct wn_moller_model *model,
                   uint64_t id)
{
  double q = 0.0;
  if (d->kind == JOINED || d->kind == HARD)
    return wn_ionize_moller(model, d->t_ev, d->o->b_ev,
                            wn_beta2(d->o->b_ev) + wn_beta2(d->o->u_ev), SEED, id, 3) +
           d->o->b_ev;
  for (uint32_t block = 0;; block++) {
    const struct wn_rng4 r = wn_rng(SEED, id, 7, WN_RNG_EVENT, block);
    if (d->kind == POSITRON
            ? wn_bhabha_try(&d->p, d->cut_ev, wn_u01(r.w[0]), wn_u01(r.w[1]), &q)
            : wn_moller_try(&d->j.m, d->cut_ev, r.w[0], r.w[1], &q))
      return q;
  }
}

static void test_drawn(enum kind kind, double t_ev, double cut_ev,
                       const struct wn_xs_orbital *o, const char *name)
{
  enum { N = 60000, BINS = 40 };
  const struct wn_moller_model model =
      model_of(cut_ev, kind == HARD ? 2.0 * cut_ev : INFINITY);
  struct drawn d = {.kind = kind, .t_ev = t_ev, .cut_ev = cut_ev, .o = o};
  const double b_ev = o != NULL ? o->b_ev : 0.0;
  d.j = wn_join(&model, t_ev, kind == FREE || kind == POSITRON ? 1.0 : b_ev,
                o != NULL ? wn_beta2(o->b_ev) + wn_beta2(o->u_ev) : 0.0);
  if (kind == FREE)
    d.j.m = wn_moller(t_ev, 0.0);
  if (kind == POSITRON)
    d.p = wn_bhabha(t_ev);
  const double low = kind == JOINED ? b_ev : cut_ev,
               high = kind == POSITRON ? t_ev : 0.5 * (t_ev + b_ev),
               all = simpson(density, &d, low, high), h = log(high / low) / BINS;
  int count[BINS] = {0}, inside = 1, degrees = -1;
  for (uint64_t i = 0; i < N; i++) {
    const double q = draw(&d, &model, i);
    const int bin = (int)(log(q / low) / h);
    inside = inside && q >= low * (1.0 - 1e-12) && q <= high * (1.0 + 1e-12);
    count[bin < 0 ? 0 : bin < BINS ? bin : BINS - 1]++;
  }
  double chi2 = 0.0, e = 0.0, c = 0.0, left = N;
  for (int b = 0; b < BINS; b++) {
    const double here =
        N * simpson(density, &d, low * exp(h * b), low * exp(h * (b + 1))) / all;
    e += here;
    c += count[b];
    left -= here;
    if (b < BINS - 1 && (e < 20.0 || left < 20.0))
      continue;
    chi2 += (c - e) * (c - e) / e;
    degrees++;
    e = c = 0.0;
  }
  ok(inside && chi2 < chi2_limit(degrees),
     "%s at %g eV: chi2 %.1f, allowed %.1f for %d degrees (false alarm 1e-5)", name, t_ev,
     chi2, chi2_limit(degrees), degrees);
}

/* The bounds of the trials hold: an acceptance above 1 would cut the density. */
static void test_bounds(const struct wn_xs_orbital *o, size_t n)
{
  const struct wn_moller_model model = model_of(1e4, INFINITY);
  double join = 0.0, hard = 0.0, positron = 0.0, least = 1.0;
  for (double t = 30.0; t < 1.3e8; t *= 1.3) {
    const struct wn_bhabha p = wn_bhabha(t);
    for (double x = 1e-7; x < 1.0; x *= 1.2)
      positron = fmax(positron, wn_bhabha_shape(&p, x) * x * x / p.inverse_beta2);
    for (size_t i = 0; i < n; i++) {
      if (t <= o[i].b_ev)
        continue;
      const struct wn_join j =
          wn_join(&model, t, o[i].b_ev, wn_beta2(o[i].b_ev) + wn_beta2(o[i].u_ev));
      const double top = 0.5 * j.m.sum, most = 2.0 + j.m.g * top * top,
                   all = wn_join_most(&j);
      double area = 0.0;
      const double h = log(top / o[i].b_ev) / 400;
      for (int k = 0; k <= 400; k++) {
        const double q = fmin(o[i].b_ev * exp(h * k), top);
        join = fmax(join, wn_join_shape(&j, q) * q * q / all);
        if (q > 1e4)
          hard = fmax(hard, wn_moller_shape(&j.m, q) * q * q / most);
        area += wn_join_shape(&j, q) * q * h * (k == 0 || k == 400 ? 0.5 : 1.0);
      }
      least = fmin(least, area / (all * (1.0 / o[i].b_ev - 1.0 / top)));
    }
  }
  ok(join <= 1.0 && hard <= 1.0 && positron <= 1.0,
     "densities never pass their bounds: at most %.4f, %.4f, %.4f of them", join, hard,
     positron);
  ok(least > 1.0 / 6.0, "fewer than 6 trials on average: least acceptance %.3f", least);
}

int main(void)
{
  const struct wn_xs_orbital *n2;
  const size_t n = wn_xs_rbeb_orbitals("N2", &n2);
  plan(0);
  for (size_t i = 0; i < sizeof totals / sizeof *totals; i++)
    is_near(wn_moller_above(totals[i].t_ev, totals[i].cut_ev) / BARN, totals[i].barn,
            totals[i].half, "Moller, %g eV above %g eV, barn an electron", totals[i].t_ev,
            totals[i].cut_ev);
  is_near(wn_moller_above(2e4, 1e4), 0.0, 0.0, "none where no loss is above the cut");
  is_near(wn_bhabha_above(1e4, 1e4), 0.0, 0.0, "of positrons, too");
  test_integrals();
  test_amplitudes();
  test_limit();
  test_join(n2, n);
  test_density();
  test_bounds(n2, n);
  static const double energy[] = {2.2e4, 1e6, 4e7};
  for (int i = 0; i < 3; i++) {
    test_drawn(FREE, energy[i], 1e3, NULL, "Moller above 1 keV");
    test_drawn(POSITRON, energy[i], 1e3, NULL, "Bhabha above 1 keV");
    test_drawn(JOINED, energy[i], 1e4, &n2[0], "join, 1s of N2");
    test_drawn(JOINED, energy[i], 1e4, &n2[4], "join, 3sg of N2");
    test_drawn(HARD, energy[i], 1e4, &n2[4], "hard losses, 3sg of N2");
  }
  return done();
}
