/* t0169-excitation-angle.c - defends: physics/excitation_angle.h, and that excitations of model mcc have these angles.
 * References: dq^2/q^2 by quadrature; Born's approximation for 1s-2p of hydrogen, whose generalized oscillator strength is
 * that at 0 times (1 + (2 q a0/3)^2)^-6; the mean of 1 - cos of electrons that excite N2 only, with t (t - loss) of each process.
 * False alarms: 8 comparisons within 4.5 errors, 5e-5. */
#include "crosssections/xs.h"
#include "crosssections/xs_set.h"
#include "particles/tally.h"
#include "physics/angle.h"
#include "physics/excitation_angle.h"
#include "physics/mcc.h"
#include "physics/push.h"
#include "t/tap/fast_electrons.h"
#include "t/tap/tap.h"

#include <math.h>

#define DENSITY 2e25
#define SIGMAS  4.5

static const double energies[] = {1e3, 1e4, 1e5, 1e6, 4e7};
enum { N_ENERGIES = sizeof energies / sizeof energies[0] };

/* Mean of s over dq^2/q^2 times f(q^2/q_c^2), midpoint rule in ln q^2. */
static double quadrature(double t_ev, double loss_ev, int is_hydrogen)
{
  enum { N = 200000 };
  const struct wn_excitation_momenta m = wn_excitation_momenta(t_ev, loss_ev);
  const double top = is_hydrogen ? 1e4 * m.cut2 : m.least2 + m.cut2,
               h = log(top / m.least2) / N;
  double sum = 0.0, all = 0.0;
  for (int i = 0; i < N; i++) {
    const double q2 = m.least2 * exp(h * (i + 0.5)),
                 f = is_hydrogen ? pow(1.0 + q2 / m.cut2 * (4.0 / 9.0), -6.0) : 1.0;
    all += f;
    sum += f * (q2 - m.least2) / m.four_pp;
  }
  return sum / all;
}

static void test_shape(void)
{
  double mean = 0.0, inverse = 0.0, ends = 0.0, least = INFINITY, most = 0.0,
         coulomb = INFINITY;
  for (int i = 0; i < N_ENERGIES; i++)
    for (double loss = 0.02; loss < 60.0; loss *= 6.0) {
      const double t = energies[i], own = wn_excitation_mean_s(t, loss);
      const struct wn_excitation_momenta m = wn_excitation_momenta(t, loss);
      mean = fmax(mean, fabs(own / quadrature(t, loss, 0) - 1.0));
      for (int k = 0; k < 100; k++) {
        const double r = (k + 0.5) / 100.0,
                     q2 = m.least2 + m.four_pp * wn_excitation_s(t, loss, r);
        inverse =
            fmax(inverse, fabs(log(q2 / m.least2) / log(1.0 + m.cut2 / m.least2) - r));
      }
      ends = fmax(ends, fabs(wn_excitation_s(t, loss, 0.0)));
      if (loss > 1.0) {
        const double born = quadrature(t, loss, 1);
        least = fmin(least, own / born);
        most = fmax(most, own / born);
        coulomb = fmin(coulomb, 0.5 * wn_angle_ratio(wn_angle_coulomb_q(t)) / born);
      }
    }
  ok(mean < 1e-8, "mean of s against quadrature: relative %.2g, allowed 1e-8", mean);
  ok(inverse < 1e-9, "what is drawn inverts the distribution of q: off by %.2g", inverse);
  ok(ends == 0.0, "the smallest momentum is forward");
  ok(least > 1.0 && most < 2.5,
     "times %.2f to %.2f the mean angle of 1s-2p of hydrogen in Born's approximation",
     least, most);
  ok(coulomb > 15.0, "where the Coulomb-like angle has %.0f times that, and more",
     coulomb);
}

static void test_momenta(void)
{
  /* by hand, nonrelativistic, of 1 keV to 980 eV: p = sqrt(2 m t) */
  const double low = 1e-3, by_hand = sqrt(low) - sqrt(low - 2e-5);
  const struct wn_excitation_momenta m = wn_excitation_momenta(low, 2e-5);
  is_close(m.least2, 2.0 * WN_MC2_EV * by_hand * by_hand, 1e-7,
           "least momentum of a slow electron, nonrelativistic");
  /* at high energy W/(beta c) */
  const struct wn_excitation_momenta fast = wn_excitation_momenta(4e7, 10.0);
  const double gamma = 1.0 + 4e7 / WN_MC2_EV, beta2 = 1.0 - 1.0 / (gamma * gamma);
  is_close(fast.least2, 100.0 / beta2, 1e-6, "and W/(beta c) of a fast one");
  is_close(fast.cut2, 2.0 * WN_MC2_EV * 13.605693, 1e-7,
           "the largest is that of an electron of one rydberg");
  const struct wn_excitation_momenta up = wn_excitation_momenta(1e4, -2.0);
  ok(up.least2 > 0.0 && wn_excitation_s(1e4, -2.0, 0.5) > 0.0,
     "a superelastic collision has an angle, too");
  ok(wn_excitation_part(1e3, 1e3) == 0.0 && wn_excitation_part(1e3, 1e5) == 1.0,
     "the part begins at 0 and ends at 1");
  is_close(wn_excitation_part(1e3, sqrt(1e7)), 0.5, 1e-12,
           "and is one half at the mean of logarithms");
}

/* ---- model mcc */

/* N2 that is only excited. */
static void make(struct fast_electrons *g, double from_ev)
{
  struct wn_xs_set *set = fast_nitrogen();
  for (size_t i = 0; i < set->n; i++)
    for (size_t k = 0; k < set->process[i].n; k++)
      if (set->process[i].kind != WN_XS_EXCITATION)
        set->process[i].sigma[k] = 0.0;
  const struct wn_xs_table_spec spec = {.angle_model = WN_ANGLE_SCREENED_COULOMB,
                                        .excitation_from_ev = from_ev,
                                        .bins_per_octave = 64,
                                        .e_max_ev = 1e6};
  fast_begin(g, set, DENSITY, wn_xs_set_mass(set), &spec, 169, 200.0);
}

/* Expected 1 - cos after all collisions that were counted, in the limit of small angles. */
static double expected(const struct fast_electrons *g, double t_ev, double part)
{
  const double gamma = 1.0 + t_ev / WN_MC2_EV, beta2 = 1.0 - 1.0 / (gamma * gamma),
               q = wn_angle_coulomb_q(t_ev),
               single = wn_angle_ratio_spin(0.5 * q / (1.0 - q), beta2);
  double sum = 0.0;
  for (int k = 0; k < g->shape.n_processes; k++) {
    const struct wn_process_view *p = &g->mcc.xs.process[k];
    const double loss = p->loss_ev, n = (double)g->tally.count[p->index] / WN_FIX_WEIGHT;
    if (n > 0.0)
      sum += n * (part * 2.0 * wn_excitation_mean_s(t_ev, loss) + (1.0 - part) * single);
  }
  return sum;
}

static double check_mcc(double t_ev, double from_ev, double collisions, int n)
{
  struct fast_electrons g;
  make(&g, from_ev);
  const double part =
      !(t_ev >= from_ev) || from_ev <= 0.0 ? 0.0 : wn_excitation_part(from_ev, t_ev);
  double sigma = 0.0, sum = 0.0, square = 0.0;
  for (size_t k = 0; k < g.set->n; k++)
    if (g.set->process[k].kind == WN_XS_EXCITATION)
      sigma += wn_xs_sigma(g.set, &g.set->process[k], t_ev, WN_XS_BEYOND_CONSTANT);
  const double time = collisions / (DENSITY * sigma * wn_speed_from_ev(t_ev));
  for (int i = 0; i < n; i++) {
    const struct wn_electron e = fast_fly(&g, (uint64_t)i, t_ev, time, 1);
    const double x = (double)e.u[0], y = (double)e.u[1], z = (double)e.u[2],
                 across2 = x * x + y * y, size = sqrt(across2 + z * z),
                 y1 = z > 0.0 ? across2 / (size * (size + z)) : 1.0 - z / size;
    sum += y1;
    square += y1 * y1;
  }
  const double mean = sum / n, error = sqrt((square / n - mean * mean) / n),
               want = expected(&g, t_ev, part) / n;
  diag("%g eV, from %g: 1 - cos %.4g(%.2g), expected %.4g", t_ev, from_ev, mean, error,
       want);
  is_near(mean / want, 1.0, SIGMAS * error / want,
          "%g eV, from %g: mean of 1 - cos after %g excitations", t_ev, from_ev,
          collisions);
  fast_end(&g);
  return want;
}

int main(void)
{
  plan(0);
  test_shape();
  test_momenta();
  check_mcc(1e5, 1e3, 40.0, 4000);
  check_mcc(3e3, 1e3, 2.0, 20000);
  const double own = check_mcc(2e4, 1e3, 5.0, 20000),
               single = check_mcc(2e4, 0.0, 5.0, 20000);
  ok(single > 15.0 * own, "Coulomb-like ones turn %.0f times as much", single / own);
  return done();
}
