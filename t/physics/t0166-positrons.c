/* t0166-positrons.c - defends: what a positron does in gas (physics/bhabha.h, physics/photons/positron.h, crosssections/xs_positron.h).  Its stopping is that
 * of Berger and Seltzer, written out here, and in air ESTAR's once their formula for electrons stands in its place; cross section above a cut and restricted
 * stopping are quadratures of the differential.  Energy and momentum of a Bhabha scattering are those before.  Elastic angles have the moments of
 * the cross section.  Tables are the sums they are made of, and no rate passes its bound.  Fixed seed, 4.5 sigma. */
#include "crosssections/xs_positron.h"

#include <math.h>

#include "base/error.h"
#include "base/log.h"
#include "physics/bhabha.h"
#include "t/crosssections/photon_files.h"
#include "t/physics/sampled.h"

#define LOSCHMIDT 2.6868e25
#define I_AIR     85.7

/* ICRU 37: K [ln(T^2/I^2) + ln(1 + tau/2) + F - delta], of electrons and of positrons. */
static double berger_seltzer(double t_ev, double delta, int positron)
{
  const double x = t_ev / WN_MC2_EV, y = x + 2.0, beta2 = wn_beta2(t_ev),
               f = positron
                       ? 2.0 * log(2.0) -
                             beta2 / 12.0 *
                                 (23.0 + 14.0 / y + 10.0 / (y * y) + 4.0 / (y * y * y))
                       : (1.0 - beta2) * (1.0 + x * x / 8.0 - (2.0 * x + 1.0) * log(2.0));
  return WN_MOLLER_K / beta2 * (2.0 * log(t_ev / I_AIR) + log1p(0.5 * x) + f - delta);
}

struct loss {
  struct wn_bhabha s;
  int moment;
};

/* Q^moment dsigma/dQ, of ln eps. */
static double of_log(const void *what, double l)
{
  const struct loss *p = what;
  const double eps = exp(l);
  return eps * pow(eps * p->s.t_ev, p->moment) * p->s.k * wn_bhabha_shape(&p->s, eps);
}

static void test_stopping(void)
{
  static const struct {
    double t_ev, electron; /* MeV cm2/g, ESTAR */
  } estar[] = {{1e4, 19.75}, {1e5, 3.633}, {1e6, 1.661}, {1.25e6, 1.655}, {1e7, 1.979}};
  double worst = 0.0, sum = 0.0, restricted = 0.0;
  for (double t_ev = 1e4; t_ev < 1.3e8; t_ev *= 1.37) {
    worst = fmax(worst, fabs(wn_bhabha_stopping(t_ev, INFINITY, I_AIR, 0.3) /
                                 berger_seltzer(t_ev, 0.3, 1) -
                             1.0));
    const struct loss number = {wn_bhabha(t_ev), 0}, energy = {wn_bhabha(t_ev), 1};
    for (double cut = 1e3; cut < 0.9 * t_ev; cut *= 3.1) {
      const double from = log(cut / t_ev);
      sum = fmax(sum, fabs(quadrature(of_log, &number, from, 0.0, 400) /
                               wn_bhabha_above(t_ev, cut) -
                           1.0));
      restricted = fmax(restricted, fabs((wn_bhabha_stopping(t_ev, t_ev, I_AIR, 0.3) -
                                          wn_bhabha_stopping(t_ev, cut, I_AIR, 0.3)) /
                                             quadrature(of_log, &energy, from, 0.0, 400) -
                                         1.0));
    }
  }
  ok(worst < 1e-12, "stopping is Berger and Seltzer's, off by %.2g, allowed 1e-12",
     worst);
  ok(sum < 1e-10, "cross section above a cut: off by %.2g, allowed 1e-10", sum);
  ok(restricted < 1e-8, "restricted stopping: off by %.2g, allowed 1e-8", restricted);
  /* electrons/g of dry air; 1 MeV cm2 is 1e2 eV m2 */
  const struct wn_density_effect d = wn_density_effect_air(WN_DENSITY_AIR);
  const double per_g = 0.49919 * 6.02214076e23;
  for (size_t i = 0; i < sizeof estar / sizeof *estar; i++) {
    const double t_ev = estar[i].t_ev, delta = wn_density_effect(&d, t_ev / WN_MC2_EV),
                 got = per_g * 1e-2 * wn_bhabha_stopping(t_ev, INFINITY, I_AIR, delta);
    is_close(got * berger_seltzer(t_ev, delta, 0) / berger_seltzer(t_ev, delta, 1),
             estar[i].electron, 3e-4,
             "%g eV: F- in the place of F+ gives ESTAR, MeV cm2/g", t_ev);
    diag("%g eV: positrons %.4g MeV cm2/g, of electrons %.4f", t_ev, got,
         got / estar[i].electron);
  }
}

static void test_kinematics(void)
{
  enum { N = 20000 };
  struct wn_positron_gas g = {.cut_ev = 2e3};
  double energy = 0.0, momentum = 0.0, least = 1.0;
  g.atoms.seed = 5;
  for (uint64_t i = 0; i < N; i++) {
    const double t_ev = 1e4 * pow(1e4, (double)i / N);
    const double d[3] = {2.0 / 7.0, -3.0 / 7.0, 6.0 / 7.0};
    struct wn_positron p = {.weight = 1.0, .id = i, .event = 1};
    struct wn_draws r = wn_draws(5, i, 0, WN_RNG_POSITRON);
    wn_positron_set(&p, d, t_ev);
    const struct wn_positron before = p;
    const struct wn_photon_charged c = wn_positron_bhabha(&g, &p, &r);
    const double q = wn_u_from_ev(c.t_ev), size = wn_u_from_ev(t_ev);
    energy = fmax(energy, fabs(wn_positron_ev(&p) + c.t_ev - t_ev) / t_ev);
    least = fmin(least, c.t_ev / 2e3);
    for (int k = 0; k < 3; k++)
      momentum = fmax(momentum, fabs(p.u[k] + q * c.d[k] - before.u[k]) / size);
  }
  ok(energy < 1e-14, "Bhabha: energy closes, relative %.2g, allowed 1e-14", energy);
  ok(momentum < 1e-11, "Bhabha: momentum closes, relative %.2g, allowed 1e-11", momentum);
  ok(least >= 1.0 - 1e-12 && least < 1.01, "electrons from the cut on");
}

static void test_elastic(double t_ev, double z)
{
  enum { N = 200000 };
  double sum = 0.0, sum2 = 0.0;
  for (uint64_t i = 0; i < N; i++) {
    struct wn_draws r = wn_draws(6, i, (uint32_t)z, WN_RNG_POSITRON);
    const double v = wn_positron_elastic_angle(t_ev, z, &r);
    sum += v;
    sum2 += v * v;
  }
  const double mean = sum / N;
  is_near(mean, wn_moliere(t_ev, z, 1) / wn_moliere(t_ev, z, 0),
          4.5 * sqrt((sum2 / N - mean * mean) / N),
          "elastic, Z %g, %g eV: mean of 1 - cos", z, t_ev);
}

static int make_medium(struct wn_xs_photon *const *files, struct wn_photon_medium *m)
{
  static const struct wn_xs_photon_gas gas[] = {
      {"N2", 0.7808 * LOSCHMIDT}, {"O2", 0.2095 * LOSCHMIDT}, {"Ar", 0.0097 * LOSCHMIDT}};
  const struct wn_xs_photon_spec s = {.element =
                                          (const struct wn_xs_photon *const *)files,
                                      .n_elements = 3,
                                      .gas = gas,
                                      .n_gases = 3,
                                      .compton = WN_PHOTON_BOUND,
                                      .rayleigh = WN_PHOTON_NO_RAYLEIGH,
                                      .cut_ev = 2e4,
                                      .most_ev = 1e8,
                                      .seed = 33};
  return wn_xs_photon_medium(&s, m);
}

static double off(double got, double want)
{
  return want > 0.0 ? fabs(got / want - 1.0) : fabs(got);
}

static void test_tables(const struct wn_photon_medium *atoms)
{
  const struct wn_xs_positron_spec s = {.atoms = atoms,
                                        .density = wn_density_effect_air(LOSCHMIDT),
                                        .brems = WN_POSITRON_BREMS_RATIO,
                                        .angle = WN_BREMS_2BS,
                                        .cut_ev = 1e4,
                                        .stop_ev = 1e4,
                                        .top_ev = 1e8};
  struct wn_xs_positron *x = NULL;
  if (!ok(wn_xs_positron_create(&s, &x) == WN_OK, "air for positrons"))
    return;
  const struct wn_positron_gas *g = &x->view.gas;
  const struct wn_positron_tables *t = &x->view.table;
  const int32_t columns = wn_positron_columns(g);
  double rate = 0.0, loss = 0.0, bound = 0.0;
  is_close(g->mean_ev, I_AIR, 5e-3, "mean excitation energy of air by Bragg's rule, eV");
  for (double t_ev = 1.0001e4; t_ev < 1e8; t_ev *= 1.0043) {
    const struct wn_positron_at at = wn_positron_at(t, t_ev);
    double all = 0.0;
    for (int32_t c = 0; c < columns; c++) {
      int32_t element;
      const enum wn_positron_event event = wn_positron_column(g, c, &element);
      const double got = wn_positron_between(&t->per_length[c], columns, &at),
                   want = wn_positron_per_length(g, event, element, t_ev);
      all += got;
      if (event == WN_POSITRON_ELASTIC || event == WN_POSITRON_ANNIHILATION || t_ev > 4e4)
        rate = fmax(rate, off(got, want));
    }
    const double got[2] = {wn_positron_between(t->collision, 1, &at),
                           wn_positron_between(t->photons, 1, &at)};
    loss = fmax(loss, off(got[0], wn_positron_collision_loss(g, t_ev)));
    loss = fmax(loss, off(got[1], wn_positron_photon_loss(g, t_ev)));
    /* of this interval and both neighbours */
    for (int32_t i = at.i > 0 ? at.i - 1 : 0; i <= at.i + 1 && i < t->n - 1; i++)
      bound = fmax(bound, all * wn_speed_from_ev(t_ev) / t->bound[i]);
  }
  ok(rate < 2e-3 && loss < 2e-3,
     "tables: rates within %.2g, losses within %.2g of their sums, allowed 2e-3", rate,
     loss);
  ok(bound <= 1.0 && bound > 0.99, "no rate passes its bound: at most %.5f of it", bound);
  wn_xs_positron_free(x);
  /* refused */
  FILE *null = fopen("/dev/null", "w");
  struct wn_xs_positron_spec bad = s;
  struct wn_photon_medium other = *atoms;
  wn_log_to(null);
  other.element[0].z = 3.0;
  bad.atoms = &other;
  ok(wn_xs_positron_create(&bad, &x) == WN_EINPUT, "lithium: no mean excitation energy");
  bad = s;
  bad.stop_ev = 5e3;
  ok(wn_xs_positron_create(&bad, &x) == WN_EINPUT, "positrons to 5 keV");
  bad = s;
  bad.cut_ev = 500.0;
  ok(wn_xs_positron_create(&bad, &x) == WN_EINPUT, "a cut of 500 eV");
  bad = s;
  bad.top_ev = 1e4;
  ok(wn_xs_positron_create(&bad, &x) == WN_EINPUT, "no energies");
  wn_log_to(NULL);
  if (null != NULL)
    fclose(null);
}

static void test_ratio(void)
{
  double last = 0.0;
  int rises = 1;
  for (double t_ev = 1e3; t_ev < 1e9; t_ev *= 1.2) {
    const double r = wn_positron_brems_ratio(t_ev, 7.0);
    rises = rises && r >= last && r <= 1.0;
    last = r;
  }
  ok(rises && last > 0.9999,
     "positrons radiate less than electrons, and as much at last");
  is_close(wn_positron_brems_ratio(49e4, 70.0), wn_positron_brems_ratio(4900.0, 7.0),
           1e-12, "the ratio depends on T/Z^2");
  diag("N at 10 keV, 100 keV, 1 MeV, 10 MeV: %.4f %.4f %.4f %.4f",
       wn_positron_brems_ratio(1e4, 7.0), wn_positron_brems_ratio(1e5, 7.0),
       wn_positron_brems_ratio(1e6, 7.0), wn_positron_brems_ratio(1e7, 7.0));
}

int main(void)
{
  struct wn_xs_photon *files[PHOTON_FILES];
  struct wn_photon_medium m;
  plan(0);
  test_stopping();
  test_kinematics();
  test_elastic(2e4, 7.0);
  test_elastic(3e6, 18.0);
  test_ratio();
  if (ok(photon_files_read(files) == WN_OK && make_medium(files, &m) == WN_OK,
         "data are read"))
    test_tables(&m);
  photon_files_free(files);
  return done();
}
