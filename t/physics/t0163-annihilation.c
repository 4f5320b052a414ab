/* t0163-annihilation.c - defends: positrons annihilate as Heitler says, in flight and at rest.  The total is the quadrature of the
 * differential and, slow, pi r_e^2/beta; energy and momentum of the two photons are those before, to rounding.
 * Fixed seed; chi-square at chance 1e-5. */
#include "physics/photons/annihilation.h"
#include "t/physics/sampled.h"

#include <stdio.h>

static double density(const void *t_ev, double e)
{
  return wn_annihilation_differential(*(const double *)t_ev, e);
}

/* Of ln e, for the quadrature. */
static double density_of_log(const void *t_ev, double l)
{
  return exp(l) * density(t_ev, exp(l));
}

static void limits(double t_ev, double *least, double *most)
{
  double t = t_ev / WN_MC2_EV, half = 0.5 * sqrt(t / (t + 2.0));
  *most = 0.5 + half;
  *least = 0.5 / (t + 2.0) / *most;
}

static void test_flight(double t_ev, uint32_t event)
{
  enum { N = 200000 };
  struct sampled s;
  double least, most, energy = 0.0, momentum = 0.0, on_shell = 0.0;
  limits(t_ev, &least, &most);
  sampled_init(&s, least * (1 + 1e-9), most * (1 - 1e-9), t_ev > 1e6);
  const double t = t_ev / WN_MC2_EV, all = t_ev + 2.0 * WN_MC2_EV,
               p = WN_MC2_EV * sqrt(t * (t + 2.0));
  const double d[3] = {2.0 / 7.0, 3.0 / 7.0, 6.0 / 7.0};
  for (uint64_t i = 0; i < N; i++) {
    struct wn_draws r = wn_draws(10, i, event, WN_RNG_ANNIHILATION);
    struct wn_annihilation a = wn_annihilation_sample(t_ev, d, &r);
    sampled_add(&s, fmin(fmax(a.e_ev[0] / all, s.edge[0]), s.edge[SAMPLED_BINS]));
    energy = fmax(energy, fabs(a.e_ev[0] + a.e_ev[1] - all) / all);
    for (int k = 0; k < 3; k++)
      momentum = fmax(
          momentum, fabs(a.e_ev[0] * a.d[0][k] + a.e_ev[1] * a.d[1][k] - p * d[k]) / all);
    for (int j = 0; j < 2; j++)
      on_shell = fmax(on_shell, fabs(a.d[j][0] * a.d[j][0] + a.d[j][1] * a.d[j][1] +
                                     a.d[j][2] * a.d[j][2] - 1.0));
  }
  char name[40];
  snprintf(name, sizeof name, "%g MeV", t_ev * 1e-6);
  sampled_ok(&s, density, &t_ev, name);
  ok(energy < 1e-15, "%s: energy closes, relative %.2g, allowed 1e-15", name, energy);
  ok(momentum < 1e-12, "%s: momentum closes, relative to the energy %.2g, allowed 1e-12",
     name, momentum);
  ok(on_shell < 1e-14, "%s: unit directions, %.2g, allowed 1e-14", name, on_shell);
}

int main(void)
{
  plan(0);
  double worst = 0.0, least, most;
  for (double t_ev = 1e4; t_ev < 2e8; t_ev *= 1.9) {
    limits(t_ev, &least, &most);
    worst = fmax(worst, fabs(quadrature(density_of_log, &t_ev, log(least * (1 + 1e-12)),
                                        log(most * (1 - 1e-12)), 4000) /
                                 wn_annihilation_total(t_ev) -
                             1.0));
  }
  ok(worst < 1e-8,
     "the total is the integral of the differential, relative %.2g, allowed 1e-8", worst);
  const double t = 100.0 / WN_MC2_EV, beta = sqrt(t * (t + 2.0)) / (t + 1.0);
  is_close(wn_annihilation_total(100.0) * beta, WN_PI * WN_RE * WN_RE, 1e-3,
           "slow: pi r_e^2/beta");
  test_flight(1e4, 1);
  test_flight(5e5, 2);
  test_flight(1e7, 3);
  double sum = 0.0, z2 = 0.0;
  int opposite = 1;
  for (uint64_t i = 0; i < 100000; i++) {
    struct wn_draws r = wn_draws(10, i, 9, WN_RNG_ANNIHILATION);
    struct wn_annihilation a = wn_annihilation_at_rest(&r);
    for (int k = 0; k < 3; k++)
      opposite = opposite && a.d[0][k] == -a.d[1][k];
    opposite = opposite && a.e_ev[0] == WN_MC2_EV && a.e_ev[1] == WN_MC2_EV;
    sum += a.d[0][2];
    z2 += a.d[0][2] * a.d[0][2];
  }
  ok(opposite, "at rest: two photons of mc2, opposite");
  is_near(sum / 1e5, 0.0, 4.5 / sqrt(3e5), "at rest: isotropic, mean cos");
  is_near(z2 / 1e5, 1.0 / 3.0, 4.5 * sqrt(4.0 / 45.0 / 1e5),
          "at rest: isotropic, mean cos^2");
  return done();
}
