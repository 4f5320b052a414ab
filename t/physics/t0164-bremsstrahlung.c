/* t0164-bremsstrahlung.c - defends: photons of electrons follow the tables.  Cross section above a cut and restricted stopping against
 * the quadrature of k dsigma/dk; their sum, mean energy times cross section, is the radiative stopping; energies sampled against the table
 * by chi-square, between the energies of the spectra, too; angles against dipole and 2BS, both written out here as published forms.
 * Fixed seed; chi-square at chance 1e-5. */
#include "physics/photons/radiation.h"
#include "t/crosssections/photon_files.h"
#include "t/physics/sampled.h"

struct at {
  const struct wn_photon_element *a;
  double e_ev;
};

/* dsigma/dk [m2/eV] and k dsigma/dk, from the table directly. */
static double k_differential(const void *what, double k)
{
  const struct at *p = what;
  struct wn_brems_between b = wn_brems_between(p->a, wn_ln(p->e_ev));
  return wn_brems_stopping(p->a, wn_ln(p->e_ev)) / p->e_ev * wn_brems_f(&b, k / p->e_ev);
}

static double differential(const void *what, double k)
{
  return k_differential(what, k) / k;
}

static double differential_of_log(const void *what, double l)
{
  return k_differential(what, exp(l));
}

static void test_totals(const struct wn_xs_photon *x)
{
  double worst = 0.0, closes = 0.0;
  for (double e = 3e3; e < 5e8; e *= 3.7)
    for (double part = 1e-5; part < 0.9; part *= 6.0) {
      struct at p = {&x->view, e};
      double cut = part * e, above = wn_brems_above(&x->view, e, cut),
             below = wn_brems_restricted(&x->view, e, cut);
      worst =
          fmax(worst,
               fabs(quadrature(differential_of_log, &p, log(cut), log(e), 4000) / above -
                    1.0));
      double lost = quadrature(k_differential, &p, cut, e, 4000);
      closes = fmax(closes,
                    fabs((lost + below) / wn_brems_stopping(&x->view, wn_ln(e)) - 1.0));
    }
  ok(worst < 1e-5,
     "%s: cross section above a cut is the quadrature, relative %.2g, allowed 1e-5",
     x->symbol, worst);
  ok(closes < 1e-5,
     "%s: lost above and below a cut is the stopping, relative %.2g, allowed 1e-5",
     x->symbol, closes);
  ok(wn_brems_above(&x->view, 1e5, 1e5) == 0.0,
     "%s: nothing above the energy of the electron", x->symbol);
}

static void test_energies(const struct wn_xs_photon *x, double e_ev, double cut_ev,
                          uint32_t event)
{
  enum { N = 200000 };
  struct at p = {&x->view, e_ev};
  struct sampled s;
  sampled_init(&s, cut_ev, e_ev, 1);
  double sum = 0.0, sum2 = 0.0;
  for (uint64_t i = 0; i < N; i++) {
    struct wn_draws r = wn_draws(11, i, event, WN_RNG_BREMSSTRAHLUNG);
    double k = wn_brems_photon(&x->view, e_ev, cut_ev, &r);
    sampled_add(&s, k);
    sum += k;
    sum2 += k * k;
  }
  char name[60];
  snprintf(name, sizeof name, "%s, %g MeV above %g keV", x->symbol, e_ev * 1e-6,
           cut_ev * 1e-3);
  sampled_ok(&s, differential, &p, name);
  double mean = sum / N, error = sqrt((sum2 / N - mean * mean) / N);
  double want = (wn_brems_stopping(&x->view, wn_ln(e_ev)) -
                 wn_brems_restricted(&x->view, e_ev, cut_ev)) /
                wn_brems_above(&x->view, e_ev, cut_ev);
  is_near(mean, want, 4.5 * error, "%s: mean energy", name);
}

static double dipole(const void *e_ev, double v)
{
  double g = 1.0 + *(const double *)e_ev / WN_MC2_EV, beta = sqrt(1.0 - 1.0 / (g * g)),
         c = 1.0 - v, k = 1.0 - beta * c;
  double in_frame = (c - beta) / k;
  return (1.0 + in_frame * in_frame) / (k * k);
}

/* 2BS of Koch and Motz in y = E0 theta (energies in mc2): y times
 *   16 y^2 E/((y^2+1)^4 E0) - (E0+E)^2/((y^2+1)^2 E0^2) + [(E0^2+E^2)/((y^2+1)^2 E0^2) - 4 y^2 E/((y^2+1)^4 E0)] ln M(y),
 *   1/M = (k/(2 E0 E))^2 + (Z^(1/3)/(111 (y^2+1)))^2 */
struct koch_motz {
  double e0, e1, z;
};
static double koch_motz(const void *what, double y)
{
  const struct koch_motz *p = what;
  double u = y * y + 1.0, u2 = u * u, r = p->e1 / p->e0, k = p->e0 - p->e1;
  double m = pow(k / (2.0 * p->e0 * p->e1), 2) + pow(cbrt(p->z) / (111.0 * u), 2);
  double g = 16.0 * y * y * r / (u2 * u2) - (1.0 + r) * (1.0 + r) / u2 -
             ((1.0 + r * r) / u2 - 4.0 * y * y * r / (u2 * u2)) * log(m);
  return y * (g > 0.0 ? g : 0.0);
}

static void test_dipole(double e_ev, uint32_t event)
{
  struct sampled s;
  sampled_init(&s, 0.0, 2.0, 0);
  double g = 1.0 + e_ev / WN_MC2_EV, beta = sqrt(1.0 - 1.0 / (g * g));
  for (int i = 1; i < SAMPLED_BINS; i++) {
    double c = 1.0 - 2.0 * i / SAMPLED_BINS;
    s.edge[i] = 1.0 - (c + beta) / (1.0 + beta * c);
  }
  for (uint64_t i = 0; i < 200000; i++) {
    struct wn_draws r = wn_draws(11, i, event, WN_RNG_BREMSSTRAHLUNG);
    double v = wn_brems_angle(WN_BREMS_DIPOLE, e_ev, 0.5 * e_ev, 7.0, &r);
    sampled_add(&s, v);
  }
  char name[60];
  snprintf(name, sizeof name, "dipole at %g MeV", e_ev * 1e-6);
  sampled_ok(&s, dipole, &e_ev, name);
}

static void test_2bs(double e_ev, double part, double z, uint32_t event)
{
  struct koch_motz p = {1.0 + e_ev / WN_MC2_EV, 1.0 + (1.0 - part) * e_ev / WN_MC2_EV, z};
  struct sampled s;
  sampled_init(&s, 0.05, WN_PI * p.e0, 1);
  s.edge[0] = 0.0;
  for (uint64_t i = 0; i < 200000; i++) {
    struct wn_draws r = wn_draws(11, i, event, WN_RNG_BREMSSTRAHLUNG);
    double v = wn_brems_angle(WN_BREMS_2BS, e_ev, part * e_ev, z, &r);
    sampled_add(&s, p.e0 * 2.0 * asin(sqrt(0.5 * v)));
  }
  struct wn_brems_2bs g = wn_brems_2bs(e_ev, part * e_ev, z);
  double most = pow(WN_PI * p.e0, 2), bound = wn_brems_2bs_bound(&g, most), worst = 0.0;
  for (double y = 1e-4; y < most; y *= 1.01)
    worst = fmax(worst, wn_brems_2bs_g(&g, y));
  char name[60];
  snprintf(name, sizeof name, "2bs at %g MeV, k/E %g", e_ev * 1e-6, part);
  ok(worst <= bound, "%s: at most %.4g, bound %.4g", name, worst, bound);
  sampled_ok(&s, koch_motz, &p, name);
}

/* The bound of 2BS on a grid of energies, photons and elements. */
static void test_bound(void)
{
  double worst = 0.0;
  for (double e = 5e4; e < 1e9; e *= 1.9)
    for (double part = 1e-6; part < 1.0;
         part = part < 0.5 ? 2.3 * part : 1.0 - 0.5 * (1.0 - part)) {
      if (1.0 - part < 1e-6)
        break;
      for (double z = 1.0; z < 20.0; z += 8.5) {
        struct wn_brems_2bs g = wn_brems_2bs(e, part * e, z);
        double most = pow(WN_PI * (1.0 + e / WN_MC2_EV), 2),
               bound = wn_brems_2bs_bound(&g, most);
        for (double y = 1e-4; y < most; y *= 1.1)
          worst = fmax(worst, wn_brems_2bs_g(&g, y) / fabs(bound));
      }
    }
  ok(worst <= 1.0, "2bs: at most %.4f of its bound, 50 keV to 1 GeV", worst);
}

/* Of a gas: elements by their cross sections; photons above a cut and friction below it make the stopping. */
static void test_gas(struct wn_xs_photon *x[])
{
  enum { N = 100000 };
  static const struct wn_xs_photon_gas gas[] = {{"N2", 2e25}, {"O2", 5e24}, {"Ar", 3e24}};
  struct wn_photon_medium m;
  struct wn_xs_photon_spec spec = {.element = (const struct wn_xs_photon *const *)x,
                                   .n_elements = 3,
                                   .gas = gas,
                                   .n_gases = 3,
                                   .cut_ev = 1e3,
                                   .most_ev = 1e8,
                                   .seed = 12};
  if (!ok(wn_xs_photon_medium(&spec, &m) == 0, "a gas"))
    return;
  const double e_ev = 5e6, cut = 1e4, above = wn_radiation_above(&m, e_ev, cut);
  double chi2 = 0.0, sum = 0.0, sum2 = 0.0, angle = 0.0;
  long count[PHOTON_FILES] = {0};
  const double place[3] = {1.0, 2.0, 3.0}, d[3] = {2.0 / 3.0, 1.0 / 3.0, 2.0 / 3.0};
  int good = 1;
  for (uint64_t i = 0; i < N; i++) {
    struct wn_draws r = wn_draws(m.seed, i, 0, WN_RNG_BREMSSTRAHLUNG);
    struct wn_radiated k = wn_radiate(&m, e_ev, cut, WN_BREMS_2BS, &r);
    struct wn_photon p = wn_radiated_photon(&m, &k, place, d, 1e-9, 0.5, i, 0, &r);
    count[k.element]++;
    sum += k.k_ev;
    sum2 += k.k_ev * k.k_ev;
    angle = fmax(angle, fabs(p.d[0] * d[0] + p.d[1] * d[1] + p.d[2] * d[2] -
                             (1.0 - k.one_minus_c)));
    good = good && p.x[1] == 2.0 && p.t == 1e-9 && p.weight == 0.5 && p.depth < 0.0 &&
           p.e_ev == k.k_ev;
  }
  for (int i = 0; i < PHOTON_FILES; i++) {
    double want = N * m.density[i] * wn_brems_above(&x[i]->view, e_ev, cut) / above;
    chi2 += (count[i] - want) * (count[i] - want) / want;
  }
  ok(chi2 < chi2_limit(2),
     "elements as their cross sections, chi2 %.2f of 3, allowed %.1f", chi2,
     chi2_limit(2));
  double mean = sum / N, all = wn_radiation_below(&m, e_ev, e_ev),
         error = sqrt((sum2 / N - mean * mean) / N);
  is_near(mean * above + wn_radiation_below(&m, e_ev, cut), all, 4.5 * error * above,
          "photons above and friction below make the stopping");
  ok(good && angle < 1e-14, "the photon is where the electron is, at its angle");
}

int main(void)
{
  plan(0);
  struct wn_xs_photon *x[PHOTON_FILES];
  if (ok(photon_files_read(x) == 0, "data are read")) {
    for (int i = 0; i < PHOTON_FILES; i++)
      test_totals(x[i]);
    test_energies(x[0], 1.18921e6, 1e3, 1);
    test_energies(x[0], 7.3e6, 1e4, 2);
    test_energies(x[1], 1e5, 1e3, 3);
    test_energies(x[2], 4e7, 1e5, 4);
    test_energies(x[2], 2e3, 1e3, 5);
    test_gas(x);
  }
  photon_files_free(x);
  test_dipole(2e4, 6);
  test_dipole(2e6, 7);
  test_2bs(2e6, 0.1, 7.0, 8);
  test_2bs(1e7, 0.5, 8.0, 9);
  test_2bs(4e7, 0.9, 18.0, 10);
  test_bound();
  return done();
}
