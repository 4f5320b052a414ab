/* t0214-moller.c - defends: sets of sharing moller (crosssections/xs_moller.h): totals and mean losses are the
 * integrals of the join, the friction of air is that of ESTAR to 134 MeV whatever the cut is, as excitations have what
 * ionizations leave (crosssections/xs_bethe.h), the loss in quanta is that of
 * single collisions in mean and, for the matched quantum, in variance, and what cannot be is refused.
 * Numbers: NIST ESTAR, dry air, collision stopping power at 10 keV to 10 MeV, times 1.2929e-3 g/cm3; above, and
 * between, Bethe's formula as ESTAR evaluates it (Berger and Seltzer), I = 85.7 eV, Z/A = 0.49919, with
 * Sternheimer's delta, which gives those numbers to 4 digits.  1.5 % is what issue and README promise. */
#include "base/error.h"
#include "crosssections/xs.h"
#include "crosssections/xs_join.h"
#include "crosssections/xs_moller.h"
#include "crosssections/xs_rbeb.h"
#include "physics/constants.h"
#include "t/tap/tap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define N_AIR      2.6868e25
#define RHO        1.2929e-3 /* g/cm3 */
#define KEV_PER_CM 1e5       /* eV/m */

static const struct {
  double t_ev, stopping; /* MeV cm2/g */
} estar[] = {{1e4, 19.75}, {1e5, 3.633}, {1e6, 1.661}, {1.25e6, 1.655}, {1e7, 1.979}};

static const enum wn_xs_beyond beyond[2] = {WN_XS_BEYOND_ERROR, WN_XS_BEYOND_ERROR};

/* MeV cm2/g, with n molecules in a m3 and this mean excitation energy. */
static double bethe_at(double t_ev, double n, double mean_ev)
{
  const double x = t_ev / WN_MC2_EV, i = mean_ev / WN_MC2_EV, beta2 = wn_beta2(t_ev),
               f = (1.0 - beta2) * (1.0 + x * x / 8.0 - (2.0 * x + 1.0) * log(2.0));
  const struct wn_density_effect d = wn_density_effect_air(n);
  return 0.153537 * 0.49919 / beta2 *
         (log(x * x * (x + 2.0) / (2.0 * i * i)) + f - wn_density_effect(&d, x));
}

static double bethe(double t_ev)
{
  return bethe_at(t_ev, WN_DENSITY_AIR, 85.7);
}

static struct wn_xs_set *gas(const char *name, const struct wn_moller_model *model,
                             double quantum_ev)
{
  struct wn_xs_set *set = NULL;
  if (wn_xs_builtin_air(name, &set) != WN_OK ||
      (model != NULL && wn_xs_set_moller(set, model, quantum_ev) != WN_OK)) {
    diag("%s: no set", name);
    exit(1);
  }
  return set;
}

struct air {
  struct wn_xs_set *set[2];
};

static struct air make_air(const struct wn_moller_model *model, double quantum_ev)
{
  const struct air a = {{gas("N2", model, quantum_ev), gas("O2", model, quantum_ev)}};
  return a;
}

static void free_air(struct air *a)
{
  wn_xs_free(a->set[0]);
  wn_xs_free(a->set[1]);
}

/* keV/cm. */
static double friction(const struct air *a, double t_ev)
{
  const double density[2] = {0.79 * N_AIR, 0.21 * N_AIR};
  const struct wn_xs_set *set[2] = {a->set[0], a->set[1]};
  return wn_xs_friction(2, set, density, beyond, NULL, t_ev) / KEV_PER_CM;
}

static struct wn_moller_model model_of(double cut, double soft_from)
{
  const struct wn_moller_model m = {cut, soft_from, wn_density_effect_air(N_AIR)};
  return m;
}

static void test_friction(void)
{
  struct wn_moller_model model = model_of(1e4, INFINITY);
  struct air joined = make_air(&model, -1.0), plain = make_air(NULL, 0.0);
  double worst = 0.0, plain_worst = 0.0, at = 0.0;
  for (size_t i = 0; i < sizeof estar / sizeof *estar; i++) {
    is_close(bethe(estar[i].t_ev), estar[i].stopping, 3e-4,
             "Bethe's formula gives ESTAR at %g eV", estar[i].t_ev);
    is_close(friction(&joined, estar[i].t_ev), estar[i].stopping * RHO * 1e3, 0.015,
             "friction of air at %g eV within 1.5 %% of ESTAR, keV/cm", estar[i].t_ev);
  }
  for (double t = 1e4; t <= 1.3e8; t *= 1.05) {
    const double want = bethe(t) * RHO * 1e3,
                 off = fabs(friction(&joined, t) / want - 1.0);
    if (off > worst)
      worst = off, at = t;
    if (t <= 4e7)
      plain_worst = fmax(plain_worst, fabs(friction(&plain, t) / want - 1.0));
  }
  diag("RBEB alone, to 40 MeV: at most %.2f %%", 100.0 * plain_worst);
  ok(worst < 0.015, "from 10 keV to 130 MeV at most %.2f %% (at %.3g eV)", 100.0 * worst,
     at);
  free_air(&joined);
  free_air(&plain);
}

/* Ratio of the sums over excitations of two sets. */
static double of_excitations(const struct wn_xs_set *a, const struct wn_xs_set *b,
                             double t_ev)
{
  double sum[2] = {0.0, 0.0};
  for (size_t k = 0; k < b->n; k++)
    if (b->process[k].kind == WN_XS_EXCITATION) {
      sum[0] += wn_xs_sigma(a, &a->process[k], t_ev, WN_XS_BEYOND_ERROR);
      sum[1] += wn_xs_sigma(b, &b->process[k], t_ev, WN_XS_BEYOND_ERROR);
    }
  return sum[0] / sum[1];
}

/* ESTAR's formula for N2 and O2 alone, keV/cm: electrons in a m3 in the place of its Z/A, and I by Bragg's rule of 82 and
 * 95 eV (84.9 eV; dry air has argon and 85.7). */
static double without_argon(double t_ev)
{
  const double n2 = 0.79 * 14.0, o2 = 0.21 * 16.0,
               mean_ev = exp((n2 * log(82.0) + o2 * log(95.0)) / (n2 + o2)),
               grams = (n2 + o2) * N_AIR / (0.49919 * 6.02214076e23); /* in a m3 */
  return bethe_at(t_ev, N_AIR, mean_ev) * grams * 1e-3;
}

static void test_any_cut(void)
{
  static const double cuts[] = {2e3, 2.5e3, 5e3, 1e4, 2e4, 1e5};
  const struct wn_moller_model model = model_of(1e4, INFINITY);
  struct air first = make_air(&model, -1.0);
  for (size_t c = 0; c < sizeof cuts / sizeof *cuts; c++) {
    const struct wn_moller_model single = model_of(cuts[c], INFINITY),
                                 quanta = model_of(cuts[c], 2.0 * cuts[c]);
    struct air a = make_air(&single, -1.0), b = make_air(&quanta, -1.0);
    double estar_off = 0.0, off = 0.0, soft_off = 0.0;
    for (double t = 1e4; t <= 1.3e8; t *= 1.07) {
      const double has = friction(&a, t);
      estar_off = fmax(estar_off, fabs(has / without_argon(t) - 1.0));
      off = fmax(off, fabs(has / friction(&first, t) - 1.0));
      soft_off = fmax(soft_off, fabs(friction(&b, t) / friction(&first, t) - 1.0));
    }
    ok(estar_off < 2e-4, "cut %g eV: from 10 keV to 130 MeV Bethe's formula, off by %.2g",
       cuts[c], estar_off);
    ok(off < 2e-4, "as with 10 keV, off by %.2g", off);
    ok(soft_off < 2e-4, "and in quanta, off by %.2g", soft_off);
    free_air(&a);
    free_air(&b);
  }
  free_air(&first);
}

static void test_excitations(void)
{
  const struct wn_moller_model model = model_of(2.5e3, INFINITY);
  struct wn_xs_set *plain = gas("O2", NULL, 0.0), *joined = gas("O2", &model, -1.0),
                   *twice = gas("O2", NULL, 0.0);
  double below = 0.0, least = INFINITY, last = 1.0, doubled = 0.0;
  for (double t = 20.0; t <= 1e3; t *= 1.1)
    below = fmax(below, fabs(of_excitations(joined, plain, t) - 1.0));
  ok(below < 1e-14, "excitations are as measured to 1 keV, off by %.2g", below);
  for (double t = 1e3; t <= 1e4; t *= 1.05) {
    const double factor = of_excitations(joined, plain, t);
    least = fmin(least, factor - last);
    last = factor;
  }
  ok(least > -1e-9 && last > 1.5, "and grow to %.3g times that to 10 keV", last);
  is_close(of_excitations(joined, plain, 1.0001e4),
           of_excitations(joined, plain, 9.999e3), 1e-3, "with no step there");
  for (size_t k = 0; k < twice->n; k++)
    for (size_t i = 0; i < twice->process[k].n; i++)
      twice->process[k].sigma[i] *= 2.0;
  if (wn_xs_set_moller(twice, &model, -1.0) != WN_OK)
    exit(1);
  for (double t = 20.0; t <= 1.3e8; t *= 1.5)
    doubled = fmax(doubled, fabs(of_excitations(twice, joined, t) - 2.0));
  ok(doubled < 1e-12, "what multiplies a set multiplies its excitations, off by %.2g",
     doubled);
  wn_xs_free(plain);
  wn_xs_free(joined);
  wn_xs_free(twice);
}

/* The integral of the shape over losses, by Simpson's rule in ln Q with a point at each kink. */
static double integral(const struct wn_xs_orbital *o, const struct wn_moller_model *m,
                       int moment, double from, double to, double t_ev)
{
  enum { N = 2000 };
  const struct wn_join j =
      wn_join(m, t_ev, o->b_ev, wn_beta2(o->u_ev) + wn_beta2(o->b_ev));
  double sum = 0.0, edge[] = {from, 0.5 * m->cut_ev, m->cut_ev, to};
  for (int i = 0; i < 3; i++) {
    const double low = fmin(fmax(edge[i], from), to),
                 high = fmin(fmax(edge[i + 1], from), to), h = log(high / low) / N;
    for (int k = 0; k <= N && high > low; k++) {
      const double q = low * exp(h * k);
      sum += h / 3.0 *
             (k == 0 || k == N ? 1.0
              : k % 2          ? 4.0
                               : 2.0) *
             pow(q, moment + 1) * wn_join_shape(&j, q);
    }
  }
  return o->n * j.m.k * sum;
}

static void test_totals(void)
{
  const struct wn_moller_model model = model_of(1e4, INFINITY);
  struct wn_xs_set *set = gas("O2", &model, -1.0);
  double total = 0.0, mean = 0.0, table = 0.0;
  for (size_t k = 0; k < set->n; k++) {
    const struct wn_xs_process *p = &set->process[k];
    if (p->kind != WN_XS_IONIZATION)
      continue;
    for (double t = 1.01 * p->loss_ev; t < 1.3e8; t *= 1.83) {
      const double top = 0.5 * (t + p->loss_ev),
                   want = integral(&p->orbital, &model, 0, p->loss_ev, top, t),
                   first = integral(&p->orbital, &model, 1, p->loss_ev, top, t);
      total = fmax(
          total, fabs(wn_xs_join(&p->orbital, &model, 0, 0.0, INFINITY, t) / want - 1.0));
      mean = fmax(mean, fabs(wn_xs_join_mean_loss(p, t) * want / first - 1.0));
      if (t > 1.1 * p->loss_ev)
        table =
            fmax(table, fabs(wn_xs_sigma(set, p, t, WN_XS_BEYOND_ERROR) / want - 1.0));
    }
  }
  ok(total < 1e-7, "totals of the orbitals of O2 are the integral of the join: %.2g",
     total);
  ok(mean < 1e-7, "mean losses, too: %.2g", mean);
  ok(table < 5e-4, "and their tables: %.2g", table);
  wn_xs_free(set);
}

static double sum_of(const struct wn_xs_set *set, enum wn_xs_kind kind, double t_ev)
{
  double sum = 0.0;
  for (size_t k = 0; k < set->n; k++)
    if (set->process[k].kind == kind)
      sum += wn_xs_sigma(set, &set->process[k], t_ev, WN_XS_BEYOND_ERROR);
  return sum;
}

static void test_soft(double cut)
{
  const double from = 3.0 * cut;
  const struct wn_moller_model hard = model_of(cut, from),
                               single = model_of(cut, INFINITY);
  struct air a = make_air(&hard, -1.0), b = make_air(&single, -1.0),
             fine = make_air(&hard, 1.0);
  double mean = 0.0, small = 0.0, below = 0.0, ionized = 0.0;
  for (double t = 1.01 * from; t < 1.3e8; t *= 1.37) {
    mean = fmax(mean, fabs(friction(&a, t) / friction(&b, t) - 1.0));
    small = fmax(small, fabs(friction(&fine, t) / friction(&b, t) - 1.0));
    /* electrons of N2 are hardly bound for these losses */
    ionized = fmax(ionized, fabs(sum_of(a.set[0], WN_XS_IONIZATION, t) / 14.0 /
                                     wn_moller_above(t, cut) -
                                 1.0) /
                                (409.5 / t + 1e-3));
  }
  for (double t = 20.0; t < from; t *= 1.37)
    for (size_t k = 0; k < b.set[0]->n; k++)
      below =
          fmax(below,
               fabs(wn_xs_sigma(a.set[0], &a.set[0]->process[k], t, WN_XS_BEYOND_ERROR) -
                    wn_xs_sigma(b.set[0], &b.set[0]->process[k], t, WN_XS_BEYOND_ERROR)));
  ok(mean < 1e-4, "cut %g eV: the mean loss in quanta is that of collisions, off by %.2g",
     cut, mean);
  ok(small < 1e-4, "and in quanta of 1 eV, off by %.2g", small);
  ok(ionized < 3.0,
     "what is left of N2's ionizations is 14 times Moller's above the cut: %.2g",
     ionized);
  is_near(below, 0.0, 0.0, "below moller.soft_from nothing has changed");
  is_near(sum_of(a.set[0], WN_XS_EXCITATION, 1e6), 0.0, 0.0, "no excitation above it");
  ok(sum_of(a.set[0], WN_XS_FRICTION, 0.999 * from) == 0.0 &&
         sum_of(a.set[0], WN_XS_FRICTION, from) > 0.0,
     "friction begins there");
  /* variance at 1 MeV: sum of sigma loss^2 */
  const struct wn_xs_set *n2 = b.set[0];
  double want = 0.0;
  for (size_t k = 0; k < n2->n; k++) {
    const struct wn_xs_process *p = &n2->process[k];
    if (p->kind == WN_XS_EXCITATION)
      want += wn_xs_sigma(n2, p, 1e6, WN_XS_BEYOND_ERROR) * p->loss_ev * p->loss_ev;
    if (p->kind == WN_XS_IONIZATION)
      want += integral(&p->orbital, &single, 2, p->loss_ev, cut, 1e6);
  }
  const struct wn_xs_process *f = &a.set[0]->process[a.set[0]->n - 1];
  is_close(wn_xs_sigma(a.set[0], f, 1e6, WN_XS_BEYOND_ERROR) * f->loss_ev * f->loss_ev,
           want, 1e-3, "cut %g eV: the variance, too, with quanta of %.4g eV", cut,
           f->loss_ev);
  is_close(fine.set[0]->process[a.set[0]->n - 1].loss_ev, 1.0, 0.0, "a quantum by name");
  free_air(&a);
  free_air(&b);
  free_air(&fine);
}

static int refused(const char *name, const struct wn_moller_model *m, double quantum_ev)
{
  struct wn_xs_set *set = gas(name, NULL, 0.0);
  const size_t n = set->n;
  const int status = wn_xs_set_moller(set, m, quantum_ev);
  ok(set->n == n && set->process[n - 1].moller.cut_ev == 0.0,
     "a set that is refused is as it was");
  wn_xs_free(set);
  return status;
}

static void test_refused(void)
{
  struct wn_moller_model m = model_of(1000.0, INFINITY);
  is_int(refused("O2", &m, -1.0), WN_EINPUT,
         "a cut below twice the binding energy of 1s");
  m = model_of(1e4, 2e8);
  is_int(refused("N2", &m, -1.0), WN_EINPUT, "soft losses from above the tables");
  m = model_of(1e4, 3e4);
  is_int(refused("N2", &m, 4e3), WN_EINPUT, "a quantum of more than a tenth of that");
  struct wn_xs_set *set = gas("N2", NULL, 0.0);
  for (size_t k = 0; k < set->n; k++)
    set->process[k].orbital.n = 0.0;
  is_int(wn_xs_set_moller(set, &m, -1.0), WN_EINPUT, "a set without orbitals");
  wn_xs_free(set);
}

int main(void)
{
  plan(0);
  test_friction();
  test_any_cut();
  test_excitations();
  test_totals();
  test_soft(1e4);
  test_soft(3e3);
  test_refused();
  return done();
}
