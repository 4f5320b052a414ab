/* t0160-compton.c - defends: Compton scattering by free electrons.  Totals: 0.56151, 0.49275, 0.28654, 0.21121, 0.082865, 0.050988 and
 * 0.017464 barn at 0.05, 0.1, 0.511, 1, 5, 10 and 40 MeV (computed independently from the formula of Klein and Nishina), the
 * quadrature of the differential, and Thomson's limit.  Kinematics: a free electron at rest takes energy and momentum.
 * Fixed seed; chi-square at chance 1e-5. */
#include "physics/photons/compton.h"
#include "t/physics/sampled.h"

#include <stdio.h>

static double density(const void *e_ev, double e)
{
  return wn_compton_differential(*(const double *)e_ev, e);
}

static void test_totals(void)
{
  static const struct {
    double e_ev, barn;
  } known[] = {{5e4, .56151},  {1e5, .49275},  {.511e6, .28654}, {1e6, .21121},
               {5e6, .082865}, {1e7, .050988}, {4e7, .017464}};
  for (int i = 0; i < 7; i++)
    is_close(wn_compton_total(known[i].e_ev) * 1e28, known[i].barn, 2e-5,
             "total at %g MeV, barn", known[i].e_ev * 1e-6);
  double worst = 0.0;
  for (double e_ev = 1e2; e_ev < 2e8; e_ev *= 1.7) {
    double least = 1.0 / (1.0 + 2.0 * e_ev / WN_MC2_EV);
    worst = fmax(worst, fabs(quadrature(density, &e_ev, least, 1.0, 4000) /
                                 wn_compton_total(e_ev) -
                             1.0));
  }
  ok(worst < 1e-9,
     "the total is the integral of the differential, 100 eV to 100 MeV, relative %.2g, "
     "allowed 1e-9",
     worst);
  const double at = 0.02 * WN_MC2_EV;
  is_close(wn_compton_total(at * (1.0 - 1e-12)), wn_compton_total(at), 1e-10,
           "series and closed form join");
  is_close(wn_compton_total(1e-3), 8.0 * WN_PI / 3.0 * WN_RE * WN_RE, 1e-8,
           "Thomson's limit");
  double e_ev = 1e6;
  ok(density(&e_ev, 1.0001) == 0.0 && density(&e_ev, 0.2) == 0.0,
     "nothing outside of the limits");
}

static void test_sampling(double e_ev, uint32_t event)
{
  enum { N = 200000 };
  const double k = e_ev / WN_MC2_EV;
  struct sampled s;
  sampled_init(&s, 1.0 / (1.0 + 2.0 * k), 1.0, e_ev > 1e6);
  double energy = 0.0, angle = 0.0;
  for (uint64_t i = 0; i < N; i++) {
    struct wn_draws r = wn_draws(7, i, event, WN_RNG_PHOTON_FLIGHT);
    struct wn_compton c = wn_compton_sample(e_ev, &r);
    sampled_add(&s, c.e_ev / e_ev);
    double d[3] = {0.6, 0.0, 0.8}, d1[3] = {0.6, 0.0, 0.8}, p[3];
    wn_turn_direction(d1, c.one_minus_c, wn_draw(&r));
    wn_compton_recoil(e_ev, d, c.e_ev, d1, p);
    double p2 = p[0] * p[0] + p[1] * p[1] + p[2] * p[2];
    double t =
        p2 / (sqrt(p2 + WN_MC2_EV * WN_MC2_EV) + WN_MC2_EV); /* sqrt(p^2 + m^2) - m */
    energy = fmax(energy, fabs(t - (e_ev - c.e_ev)) / e_ev);
    double cos = d[0] * d1[0] + d[1] * d1[1] + d[2] * d1[2];
    angle = fmax(angle, fabs(cos - (1.0 - c.one_minus_c)));
  }
  char name[40];
  snprintf(name, sizeof name, "%g MeV", e_ev * 1e-6);
  sampled_ok(&s, density, &e_ev, name);
  ok(energy < 1e-13,
     "%s: the electron of the momentum left has the energy left, relative to E %.2g, "
     "allowed 1e-13",
     name, energy);
  ok(angle < 1e-14, "%s: direction turned by the angle, %.2g, allowed 1e-14", name,
     angle);
}

int main(void)
{
  plan(0);
  test_totals();
  test_sampling(1e3, 1);
  test_sampling(1e5, 2);
  test_sampling(1e6, 3);
  test_sampling(4e7, 4);
  return done();
}
