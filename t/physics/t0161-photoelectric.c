/* t0161-photoelectric.c - defends: photoelectrons have Sauter's angles.  The density is written out here as in the formula, in cos;
 * at low energy it is sin^2, at high energy forward.  Fixed seed; chi-square at chance 1e-5. */
#include "physics/photons/photoelectric.h"
#include "t/physics/sampled.h"

#include <stdio.h>

static double sauter(const void *t_ev, double v)
{
  double g = 1.0 + *(const double *)t_ev / WN_MC2_EV, beta = sqrt(1.0 - 1.0 / (g * g)),
         c = 1.0 - v, k = 1.0 - beta * c;
  return (1.0 - c * c) / (k * k * k * k) * (1.0 + 0.5 * g * (g - 1.0) * (g - 2.0) * k);
}

static void test_angle(double t_ev, uint32_t event)
{
  enum { N = 200000 };
  struct sampled s;
  sampled_init(&s, t_ev > 2e6 ? 1e-5 : 0.0, 2.0, t_ev > 2e6);
  if (t_ev > 2e6)
    s.edge[0] = 0.0;
  double ratio = NAN, worst = 0.0;
  for (double v = 0.01; v < 2.0; v += 0.01) {
    double r = sauter(&t_ev, v) / wn_photoelectric_density(t_ev, v);
    worst = isnan(ratio) ? 0.0 : fmax(worst, fabs(r / ratio - 1.0));
    ratio = isnan(ratio) ? r : ratio;
  }
  for (uint64_t i = 0; i < N; i++) {
    struct wn_draws r = wn_draws(8, i, event, WN_RNG_PHOTON_FLIGHT);
    sampled_add(&s, wn_photoelectric_angle(t_ev, &r));
  }
  char name[40];
  snprintf(name, sizeof name, "%g keV", t_ev * 1e-3);
  ok(worst < 1e-7, "%s: the density sampled is Sauter's, relative %.2g, allowed 1e-7",
     name, worst);
  sampled_ok(&s, sauter, &t_ev, name);
}

int main(void)
{
  plan(0);
  test_angle(10.0, 1);
  test_angle(1e4, 2);
  test_angle(3e5, 3);
  test_angle(5e5, 4); /* gamma (gamma - 1)(gamma - 2) is negative */
  test_angle(5e6, 5);
  return done();
}
