/* t0170-ionization-angle.c - defends: physics/ionization_angle.h: deflections by distant collisions, and that ionizations, quanta of
 * friction and losses along the flight of model mcc have them.
 * References: dq^2/q^2 by quadrature; the rule that electrons of an atom scatter 1/Z of what the nucleus does (Z (Z + 1) in the
 * place of Z^2, H. A. Bethe, Phys. Rev. 89, 1256, 1953, from memory); the mean of 1 - cos of electrons in N2 without elastic
 * scattering, beside sums over losses.
 * False alarms: 3 comparisons within 4.5 errors, 2e-5. */
#include "base/error.h"
#include "crosssections/xs.h"
#include "crosssections/xs_bethe.h"
#include "crosssections/xs_join.h"
#include "crosssections/xs_moller.h"
#include "particles/tally.h"
#include "physics/angle.h"
#include "physics/ionization_angle.h"
#include "physics/mcc.h"
#include "physics/moliere.h"
#include "physics/push.h"
#include "t/tap/fast_electrons.h"
#include "t/tap/tap.h"

#include <math.h>

#define DENSITY 2e25
#define CUT_EV  5e3
#define FROM_EV 1e3
#define SIGMAS  4.5

static struct wn_moller_model model_of(double soft_from)
{
  const struct wn_moller_model m = {CUT_EV, soft_from, wn_density_effect_none()};
  return m;
}

/* 3sg of N2. */
static struct wn_join join_at(double t_ev)
{
  const struct wn_moller_model m = model_of(INFINITY);
  return wn_join(&m, t_ev, 15.58, wn_beta2(15.58) + wn_beta2(54.91));
}

/* Mean of 1 - cos over dq^2/q^2 from |p - p'| to a free electron's q^2 = 2 m Q, over that of the free collision. */
static double distant(double t_ev, double q_ev)
{
  enum { N = 100000 };
  const double rest = t_ev - q_ev, p = sqrt(t_ev * (t_ev + 2.0 * WN_MC2_EV)),
               after = sqrt(rest * (rest + 2.0 * WN_MC2_EV)),
               least = q_ev * (t_ev + rest + 2.0 * WN_MC2_EV) / (p + after),
               least2 = least * least, most2 = 2.0 * WN_MC2_EV * q_ev,
               h = log(1.0 + most2 / least2) / N;
  double sum = 0.0;
  for (int i = 0; i < N; i++)
    sum += (least2 * exp(h * (i + 0.5)) - least2) / (2.0 * p * after) / N;
  return sum / (1.0 - wn_angle_binary_cos(t_ev, rest));
}

static void test_factor(void)
{
  double off = 0.0, beyond = 0.0;
  for (double t = 2e4; t < 4e7; t *= 5.0) {
    const struct wn_join j = join_at(t);
    for (double q = 20.0; q < 0.01 * t && q < CUT_EV; q *= 3.0) {
      const double part = wn_join_dipole_part(&j, q),
                   want = 1.0 - part + part * distant(t, q);
      off = fmax(off, fabs(wn_ionization_deflection(&j, t, q) / want - 1.0));
    }
    for (double q = CUT_EV; q < 0.5 * t; q *= 1.3)
      beyond = fmax(beyond, fabs(wn_ionization_deflection(&j, t, q) - 1.0));
  }
  ok(off < 0.02, "the mean of close and distant collisions, off by %.2g", off);
  is_near(beyond, 0.0, 0.0, "free collisions from the cut on");
  const struct wn_join j = join_at(1e6);
  const double q = 100.0, b = 1.0 / q, r = 1.0 / (j.m.sum - q);
  is_close(wn_join_dipole_part(&j, q) * wn_join_shape(&j, q),
           j.dipole * (b * b * b + r * r * r), 1e-12, "the dipole term is a part of it");
  is_near(wn_deflection_from(FROM_EV, 0.9 * FROM_EV, 0.3), 1.0, 0.0, "none below `from`");
  is_close(wn_deflection_from(FROM_EV, FROM_EV * sqrt(10.0), 0.3), 0.65, 1e-12,
           "half of it at the mean of logarithms");
  is_near(wn_deflection_from(INFINITY, 1e6, 0.3), 1.0, 0.0, "and nowhere");
}

/* ---- sums over losses */

/* sigma (1 - cos) of all collisions with electrons of N2, without those above the cut if is_soft; of_free: with angles of
 * free ones. */
static double summed(double t_ev, int is_soft, double *of_free)
{
  enum { N = 4000 };
  const struct wn_moller_model m = model_of(INFINITY);
  struct wn_xs_set *set = fast_nitrogen();
  struct wn_xs_bethe b;
  double sum = 0.0;
  *of_free = 0.0;
  fast_must(wn_xs_bethe_create("N2", &m, &b) == WN_OK);
  for (size_t k = 0; k < set->n; k++) {
    const struct wn_xs_process *p = &set->process[k];
    if (p->kind == WN_XS_EXCITATION)
      sum += wn_xs_sigma(set, p, t_ev, WN_XS_BEYOND_ERROR) *
             wn_xs_bethe_factor(&b, t_ev) * 2.0 * wn_excitation_mean_s(t_ev, p->loss_ev);
    if (p->kind != WN_XS_IONIZATION)
      continue;
    const struct wn_xs_orbital *o = &p->orbital;
    const struct wn_join j =
        wn_join(&m, t_ev, o->b_ev, wn_beta2(o->u_ev) + wn_beta2(o->b_ev));
    const double top = is_soft ? CUT_EV : 0.5 * j.m.sum, h = log(top / o->b_ev) / N;
    for (int i = 0; i < N; i++) {
      const double q = o->b_ev * exp(h * (i + 0.5)),
                   free_one = o->n * j.m.k * h * q * wn_join_shape(&j, q) *
                              (1.0 - wn_angle_binary_cos(t_ev, t_ev - q));
      *of_free += free_one;
      sum += free_one * wn_ionization_deflection(&j, t_ev, q);
    }
  }
  wn_xs_bethe_clear(&b);
  wn_xs_free(set);
  return sum;
}

static void test_rule(void)
{
  for (double t = 3e4; t < 2e7; t *= 8.0) {
    double of_free;
    const double nuclei = 2.0 * wn_moliere(t, 7.0, 1),
                 has = 7.0 * summed(t, 0, &of_free) / nuclei;
    ok(has > 0.9 && has < 1.2,
       "%g eV: electrons of N2 scatter %.2f/Z of what its nuclei do (%.2f/Z with angles "
       "of "
       "free ones)",
       t, has, 7.0 * of_free / nuclei);
  }
}

static void test_quanta(void)
{
  const struct wn_moller_model m = model_of(2.0 * CUT_EV);
  struct wn_xs_set *set = fast_nitrogen();
  double off = 0.0;
  fast_must(wn_xs_set_moller(set, &m, -1.0) == WN_OK);
  const struct wn_xs_process *p = &set->process[set->n - 1];
  for (double t = 1.5e4; t < 4e7; t *= 1.7) {
    double of_free;
    const double taken = wn_xs_sigma(set, p, t, WN_XS_BEYOND_ERROR) * p->loss_ev *
                         WN_MC2_EV / (t * (t + 2.0 * WN_MC2_EV)),
                 want = summed(t, 1, &of_free) / taken;
    off = fmax(off, fabs(wn_soft_deflection(&p->deflection, t) / want - 1.0));
  }
  ok(off < 0.04, "the line for quanta, off by %.2g", off);
  wn_xs_free(set);
}

/* ---- model mcc */

/* Electrons without a hard collision; N2 has no elastic scattering. */
static void check_mcc(double soft_from, int continuous, double t_ev, int n,
                      const char *name)
{
  struct fast_electrons g;
  struct wn_xs_set *set = fast_nitrogen();
  const struct wn_moller_model m = model_of(soft_from);
  fast_must(wn_xs_set_moller(set, &m, continuous ? 20.0 : -1.0) == WN_OK);
  for (size_t i = 0; i < set->n; i++)
    for (size_t k = 0; k < set->process[i].n && set->process[i].kind == WN_XS_ELASTIC;
         k++)
      set->process[i].sigma[k] = 0.0;
  const struct wn_xs_table_spec spec = {.angle_model = WN_ANGLE_SCREENED_COULOMB,
                                        .share_model = WN_SHARING_MOLLER,
                                        .excitation_from_ev = FROM_EV,
                                        .moller = m,
                                        .continuous = continuous,
                                        .bins_per_octave = 128,
                                        .e_max_ev = 1e7};
  fast_begin(&g, set, DENSITY, wn_xs_set_mass(set), &spec, 170, 0.0);
  const double path = 0.02 * t_ev / (DENSITY * 1.1e-20); /* loses about 2 % of 1 MeV */
  double of_free, sum = 0.0, square = 0.0;
  int good = 0;
  for (int i = 0; i < n; i++) {
    const struct wn_electron e =
        fast_fly(&g, (uint64_t)i, t_ev, path / wn_speed_from_ev(t_ev), 1);
    int hard = 0;
    for (size_t k = 0; k < g.births.n; k++)
      hard += fast_energy((const struct wn_electron *)g.births.e + k) > CUT_EV - 20.0;
    if (hard > 0)
      continue;
    const double x = (double)e.u[0], y = (double)e.u[1], z = (double)e.u[2],
                 across2 = x * x + y * y, size = sqrt(across2 + z * z),
                 turned = z > 0.0 ? across2 / (size * (size + z)) : 1.0 - z / size;
    good++;
    sum += turned;
    square += turned * turned;
  }
  const double mean = sum / good, error = sqrt((square / good - mean * mean) / good),
               want = DENSITY * path * summed(0.993 * t_ev, 1, &of_free);
  diag("%s: %d of %d without hard collisions, 1 - cos %.4g(%.2g), expected %.4g", name,
       good, n, mean, error, want);
  is_near(mean / want, 1.0, SIGMAS * error / want, "%s: mean of 1 - cos at %g eV", name,
          t_ev);
  ok(error < 0.1 * want, "%s: its error is small enough to tell free angles, %.2f of it",
     name, of_free * DENSITY * path / want);
  fast_end(&g);
}

int main(void)
{
  plan(0);
  test_factor();
  test_rule();
  test_quanta();
  check_mcc(INFINITY, 0, 1e5, 3000, "single collisions");
  check_mcc(2.0 * CUT_EV, 0, 1e5, 3000, "quanta");
  check_mcc(2.0 * CUT_EV, 1, 1e5, 3000, "along the flight");
  return done();
}
