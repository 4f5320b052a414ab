/* t0162-pair.c - defends: the division of a pair follows Bethe and Heitler with screening, and energies add up.  The screening functions
 * join at 1 (to the digits of their coefficients), give the complete screening of 4 ln(183) and of 4 ln(183) - 2/3 at 0, and fall; the
 * bound is one.  From 10 MeV on the integral is the evaluated cross section within 2 %.  Angles: the density 1/(1 - beta cos)^2.  Fixed seed; chi-square at chance 1e-5. */
#include "physics/photons/pair.h"
#include "t/crosssections/photon_files.h"
#include "t/physics/sampled.h"

#include <stdio.h>

static double density(const void *shape, double x)
{
  return wn_pair_density(shape, x);
}

static void test_energies(double e_ev, double z, uint32_t event)
{
  enum { N = 200000 };
  struct wn_pair_shape shape = wn_pair_shape(e_ev, z);
  struct sampled s;
  sampled_init(&s, shape.least, 1.0 - shape.least, 0);
  double most = 0.0, sum = 0.0;
  int positive = 1;
  for (int i = 0; i <= 1000; i++)
    most = fmax(most, wn_pair_density(&shape, shape.least +
                                                  (1.0 - 2.0 * shape.least) * i / 1000));
  for (uint64_t i = 0; i < N; i++) {
    struct wn_draws r = wn_draws(9, i, event, WN_RNG_PHOTON_FLIGHT);
    struct wn_pair p = wn_pair_sample(e_ev, z, &r);
    sampled_add(&s, (p.t_ev[0] + WN_MC2_EV) / e_ev);
    sum = fmax(sum, fabs(p.t_ev[0] + p.t_ev[1] + 2.0 * WN_MC2_EV - e_ev) / e_ev);
    positive = positive && p.t_ev[0] >= 0.0 && p.t_ev[1] >= 0.0;
  }
  char name[60];
  snprintf(name, sizeof name, "%g MeV, Z = %g", e_ev * 1e-6, z);
  ok(most <= shape.bound, "%s: at most %.4g, bound %.4g", name, most, shape.bound);
  sampled_ok(&s, density, &shape, name);
  ok(positive && sum < 1e-15, "%s: energies add up, relative %.2g, allowed 1e-15", name,
     sum);
}

static double angle(const void *t_ev, double v)
{
  double g = 1.0 + *(const double *)t_ev / WN_MC2_EV, beta = sqrt(1.0 - 1.0 / (g * g)),
         k = 1.0 - beta * (1.0 - v);
  return 1.0 / (k * k);
}

static void test_angle(double t_ev, uint32_t event)
{
  struct sampled s;
  sampled_init(&s, 0.0, 2.0, 0);
  for (int i = 1; i < SAMPLED_BINS; i++)
    s.edge[i] = wn_pair_angle(t_ev, 1.0 - (double)i / SAMPLED_BINS);
  for (uint64_t i = 0; i < 100000; i++) {
    struct wn_draws r = wn_draws(9, i, event, WN_RNG_PHOTON_FLIGHT);
    sampled_add(&s, wn_pair_angle(t_ev, wn_draw(&r)));
  }
  char name[60];
  snprintf(name, sizeof name, "angle at %g MeV", t_ev * 1e-6);
  sampled_ok(&s, angle, &t_ev, name);
}

/* alpha r_e^2 Z^2 times the integral of the density is the cross section in the field of the nucleus; the evaluation has it with a
 * Coulomb correction and better screening.  Below 10 MeV the high-energy form falls short of it, and the data give the total. */
static void test_total(void)
{
  struct wn_xs_photon *x[PHOTON_FILES];
  double worst = 0.0;
  if (ok(photon_files_read(x) == 0, "data are read"))
    for (int i = 0; i < PHOTON_FILES; i++)
      for (double e_ev = 1e7; e_ev < 1e8; e_ev *= 1.7) {
        const double z = x[i]->view.z;
        struct wn_pair_shape s = wn_pair_shape(e_ev, z);
        double total = WN_ALPHA * WN_RE * WN_RE * z * z *
                       quadrature(density, &s, s.least, 1.0 - s.least, 2000);
        worst =
            fmax(worst,
                 fabs(total / wn_photon_sigma(&x[i]->view, WN_PHOTON_PAIR, wn_ln(e_ev)) -
                      1.0));
      }
  ok(worst < 0.02,
     "the integral of the density is the evaluated cross section from 10 MeV on, off by "
     "%.4f, allowed 0.02",
     worst);
  photon_files_free(x);
}

int main(void)
{
  plan(0);
  test_total();
  is_near(wn_pair_phi1(1.0), wn_pair_phi1(1.0 + 1e-9), 0.2,
          "phi1 is continuous at 1, to its digits");
  is_close(wn_pair_phi1(0.0), 4.0 * log(183.0), 2e-3, "phi1(0), complete screening");
  is_close(wn_pair_phi2(0.0), 4.0 * log(183.0) - 2.0 / 3.0, 2e-3,
           "phi2(0), complete screening");
  int falls = 1;
  for (int i = 1; i < 5000; i++) {
    double d = 0.01 * i, slack = i == 101 ? 0.2 : 0.0; /* where the two forms join */
    falls = falls && wn_pair_phi1(d) < wn_pair_phi1(d - 0.01) + slack &&
            wn_pair_phi2(d) < wn_pair_phi2(d - 0.01) + slack;
  }
  ok(falls, "screening functions fall");
  test_energies(1.1e6, 7.0, 1);
  test_energies(2.5e6, 8.0, 2);
  test_energies(1e7, 18.0, 3);
  test_energies(1e8, 7.0, 4);
  test_angle(1e4, 5);
  test_angle(1e7, 6);
  return done();
}
