/* t0664-fast-electrons.c - defends: electrons of model mcc at 1 MeV in N2 without a field lose what friction says,
 * collision by collision and with losses below the cut in quanta: the same mean, variance and mean deflection, and the same hard
 * collisions; and stop_below removes what falls below it, with its energy in the sums.  References: the moments of
 * the join and of the set's excitations (t0214), momentum transfer of physics/moliere.h (t0159), free collisions; conservation of energy.
 * Electrons with a hard collision (a newborn of nearly the cut) are left out of the moments: their losses have a tail without end.
 * Fixed seed, errors from the run's own scatter, 4.5 sigma, 14 checks of that kind: a chance of 1e-4 that another seed fails. */
#include "base/error.h"
#include "crosssections/xs_join.h"
#include "crosssections/xs_moller.h"
#include "particles/tally.h"
#include "physics/mcc.h"
#include "physics/moliere.h"
#include "physics/push.h"
#include "t/tap/fast_electrons.h"
#include "t/tap/tap.h"

#include <math.h>
#include <stdlib.h>

#define DENSITY 2.6868e25
#define T_EV    1e6
#define CUT_EV  5e3
#define PATH    8e-3 /* m */
#define SIGMAS  4.5

static struct wn_xs_set *nitrogen(const struct wn_moller_model *moller)
{
  struct wn_xs_set *set = fast_nitrogen();
  fast_must(moller == NULL || wn_xs_set_moller(set, moller, -1.0) == WN_OK);
  return set;
}

static void make(struct fast_electrons *g, double soft_from, double floor_ev)
{
  const struct wn_moller_model moller = {CUT_EV, soft_from,
                                         wn_density_effect_air(DENSITY)};
  struct wn_xs_set *set = nitrogen(&moller);
  const struct wn_xs_table_spec spec = {.angle_model = WN_ANGLE_SCREENED_COULOMB,
                                        .share_model = WN_SHARING_MOLLER,
                                        .moller = moller,
                                        .bins_per_octave = 128,
                                        .e_max_ev = 1e8};
  fast_begin(g, set, DENSITY, wn_xs_set_mass(set), &spec, 664, floor_ev);
}

/* Of those without a hard collision. */
struct seen {
  int n, hard;
  double loss[3], turned[2]; /* sums of powers of the loss; of 1 - cos and its square */
  double quantum, lost; /* eV: of friction, and what one took on average; NaN: none */
};

static struct seen beam(double soft_from, int n)
{
  struct fast_electrons g;
  struct seen s = {0};
  make(&g, soft_from, 0.0);
  for (int i = 0; i < n; i++) {
    const struct wn_electron e =
        fast_fly(&g, (uint64_t)i, T_EV, PATH / wn_speed_from_ev(T_EV), 1);
    int hard = 0;
    for (size_t k = 0; k < g.births.n; k++)
      hard += fast_energy((const struct wn_electron *)g.births.e + k) > CUT_EV - 20.0;
    s.hard += hard > 0;
    if (hard > 0)
      continue;
    const double loss = T_EV - fast_energy(&e), u = hypot((double)e.u[0], (double)e.u[1]),
                 size = hypot(u, (double)e.u[2]),
                 turned = (double)e.u[2] > 0.0 ? u * u / (size * (size + (double)e.u[2]))
                                               : 1.0 - (double)e.u[2] / size;
    s.n++;
    for (int k = 0; k < 3; k++)
      s.loss[k] += pow(loss, k + 1);
    s.turned[0] += turned;
    s.turned[1] += turned * turned;
  }
  s.quantum = s.lost = NAN;
  for (size_t k = 0; k < g.set->n; k++)
    if (g.set->process[k].kind == WN_XS_FRICTION) {
      s.quantum = g.set->process[k].loss_ev;
      s.lost = (double)g.tally.lost[k] / WN_FIX_ENERGY /
               ((double)g.tally.count[k] / WN_FIX_WEIGHT);
    }
  fast_end(&g);
  return s;
}

/* Per metre, moments of losses below the cut of single collisions. */
static double soft(int moment)
{
  const struct wn_moller_model model = {CUT_EV, INFINITY, wn_density_effect_air(DENSITY)};
  struct wn_xs_set *set = nitrogen(NULL);
  double sum = 0.0;
  for (size_t k = 0; k < set->n; k++) {
    const struct wn_xs_process *p = &set->process[k];
    if (p->kind == WN_XS_EXCITATION)
      sum += wn_xs_sigma(set, p, T_EV, WN_XS_BEYOND_ERROR) * pow(p->loss_ev, moment);
    if (p->kind == WN_XS_IONIZATION)
      sum += wn_xs_join(&p->orbital, &model, moment, 0.0, CUT_EV, T_EV);
  }
  wn_xs_free(set);
  return DENSITY * sum;
}

static void check_beam(double soft_from, int n, const char *name)
{
  const struct seen s = beam(soft_from, n);
  const double mean = s.loss[0] / s.n, variance = s.loss[1] / s.n - mean * mean,
               error = sqrt(variance / s.n), want = soft(1) * PATH,
               want_variance = soft(2) * PATH,
               fourth = 3.0 * variance + CUT_EV * CUT_EV, /* at most */
      spread = sqrt(variance * fourth / s.n), turned = s.turned[0] / s.n,
               turned_error = sqrt((s.turned[1] / s.n - turned * turned) / s.n),
               /* of elastic collisions, and of free ones with electrons that take Q */
      want_turned = PATH * (DENSITY * 2.0 * wn_moliere(T_EV, 7.0, 1) +
                            soft(1) * WN_MC2_EV / (T_EV * (T_EV + 2.0 * WN_MC2_EV))),
               rate = DENSITY * 14.0 * wn_moller_above(T_EV, CUT_EV) * PATH,
               hard = n * (1.0 - exp(-rate));
  diag("%s: %d without hard collisions, loss %.1f(%.1f) eV, want %.1f; deviation %.1f, "
       "want "
       "%.1f; 1 - cos %.4g(%.2g), want %.4g; %d hard, want %.1f",
       name, s.n, mean, error, want, sqrt(variance), sqrt(want_variance), turned,
       turned_error, want_turned, s.hard, hard);
  is_near(mean, want, SIGMAS * error, "%s: mean loss in 8 mm, eV", name);
  is_near(variance / want_variance, 1.0, SIGMAS * spread / want_variance,
          "%s: its variance", name);
  is_near(turned, want_turned, SIGMAS * turned_error, "%s: mean of 1 - cos", name);
  is_near(s.hard, hard, SIGMAS * sqrt(hard), "%s: electrons with a hard collision", name);
  if (isfinite(soft_from)) /* rounded to floats, 0.06 eV, some 20000 times */
    is_close(s.lost, s.quantum, 1e-4, "%s: what a quantum takes, eV", name);
}

/* All that is left of electrons near the floor. */
static void check_floor(double soft_from, double floor_ev, double t_ev, double time,
                        const char *name)
{
  enum { N = 400 };
  struct fast_electrons g;
  double left = 0.0, lost = 0.0;
  int alive = 0, low = 0, born_low = 0, born = 0;
  make(&g, soft_from, floor_ev);
  for (int i = 0; i < N; i++) {
    const struct wn_electron e = fast_fly(&g, (uint64_t)i, t_ev, time, 1);
    const int is_alive = e.t_left != WN_DEAD;
    alive += is_alive;
    low += is_alive && fast_energy(&e) < floor_ev;
    left += is_alive ? fast_energy(&e) : 0.0;
    for (size_t k = 0; k < g.births.n; k++) {
      const double w = fast_energy((const struct wn_electron *)g.births.e + k);
      born++;
      born_low += w < floor_ev;
      left += w;
    }
  }
  for (int k = 0; k < g.shape.n_processes; k++)
    lost += (double)g.tally.lost[k] / WN_FIX_ENERGY;
  const double removed = (double)g.tally.group[0].removed / WN_FIX_RARE,
               dropped = (double)g.tally.group[0].dropped / WN_FIX_ENERGY;
  ok(alive > 0 && alive < N && born > 0, "%s: %d of %d electrons go on, %d are born",
     name, alive, N, born);
  is_int(low + born_low, 0, "%s: none of them is below the floor", name);
  ok(removed >= N - alive, "%s: %.0f were removed, newborns with them", name, removed);
  is_close(left + lost + dropped, N * t_ev, 1e-6, "%s: the energy is all there", name);
  is_int((long long)g.tally.n_deaths, N - alive,
         "%s: those that were followed count as dead", name);
  is_int((long long)g.tally.n_births, born, "%s: births are those that go on", name);
  fast_end(&g);
}

int main(void)
{
  plan(0);
  check_beam(INFINITY, 6000, "single collisions");
  check_beam(3.0 * CUT_EV, 12000, "quanta");
  check_floor(INFINITY, 30.0, 200.0, 6e-13, "floor of 30 eV");
  check_floor(10e3, 12e3, 30e3, 1.6e-10, "floor of 12 keV, quanta");
  return done();
}
