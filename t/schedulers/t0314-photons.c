/* t0314-photons.c - defends: transport of photons.  A beam of 1 MeV in air falls as exp(-mu L); first interactions are divided as the cross
 * sections are, and the mean energy of Compton electrons is that of the quadrature of Klein-Nishina; the ledger closes to half a quantum an entry in
 * every energy range, with weights, with positrons handed over and at rest; results depend neither on the order of releases, nor on steps,
 * nor on a save and restore in between.  Fixed seed; limits at 4.5 sigma and chi-square at chance 1e-5. */
#include "schedulers/photon_transport.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/log.h"
#include "base/state.h"
#include "physics/photons/bremsstrahlung.h"
#include "t/crosssections/photon_files.h"
#include "t/physics/sampled.h"

static struct wn_xs_photon *files[PHOTON_FILES];

static struct wn_photon_medium air(enum wn_photon_compton compton,
                                   enum wn_photon_rayleigh rayleigh, double cut_ev)
{
  static const struct wn_xs_photon_gas gas[] = {
      {"N2", 0.7808 * 2.6868e25}, {"O2", 0.2095 * 2.6868e25}, {"Ar", 0.0097 * 2.6868e25}};
  struct wn_photon_medium m = {.n = 0};
  struct wn_xs_photon_spec s = {.element = (const struct wn_xs_photon *const *)files,
                                .n_elements = 3,
                                .gas = gas,
                                .n_gases = 3,
                                .compton = compton,
                                .rayleigh = rayleigh,
                                .cut_ev = cut_ev,
                                .most_ev = 1e8,
                                .seed = 33};
  if (wn_xs_photon_medium(&s, &m) != WN_OK)
    ok(0, "air is made");
  return m;
}

/* What was handed over. */
struct list {
  struct wn_photon_charged *c;
  size_t n, n_max;
  double last_escape, at_c;
  long n_direct;
};

static int keep(void *to, const struct wn_photon_charged *c)
{
  struct list *l = to;
  if (l->n < l->n_max)
    l->c[l->n] = *c;
  l->n++;
  return WN_OK;
}

static void see(void *to, const struct wn_photon *p)
{
  struct list *l = to;
  if (p->event == 0) {
    l->n_direct++;
    l->at_c = fmax(l->at_c, fabs(p->t * WN_C / p->x[2] - 1.0));
  }
}

static struct wn_photon_transport *transport(const struct wn_photon_medium *m,
                                             struct wn_photon_region region,
                                             enum wn_photon_positrons positrons,
                                             struct list *l)
{
  struct wn_photon_transport_spec s = {.medium = m,
                                       .region = region,
                                       .positrons = positrons,
                                       .charged = l != NULL ? keep : NULL,
                                       .escaped = l != NULL ? see : NULL,
                                       .to = l};
  struct wn_photon_transport *t = NULL;
  if (wn_photon_transport_create(&s, &t) != WN_OK)
    ok(0, "transport is made");
  return t;
}

static struct wn_photon beam(uint64_t i, double e_ev, double weight)
{
  return (struct wn_photon){
      .d = {0.0, 0.0, 1.0}, .e_ev = e_ev, .weight = weight, .depth = -1.0, .id = i};
}

static bool closes(const struct wn_photon_transport *t)
{
  const struct wn_photon_ledger *l = wn_photon_transport_ledger(t);
  const int64_t off = wn_photon_ledger_off(t),
                bound = (l->n_entries + (int64_t)wn_photon_transport_n(t)) / 2;
  return llabs((long long)off) <= bound;
}

static void test_beam(void)
{
  enum { N = 40000 };
  const struct wn_photon_medium m = air(WN_PHOTON_BOUND, WN_PHOTON_FORM_FACTOR, 1e3);
  const double mu = wn_photon_attenuation(&m, 1e6);
  /* 1.2929 kg/m3: NIST's 6.358e-3 m2/kg */
  is_close(mu, 6.358e-3 * 1.2929, 5e-3, "attenuation of 1 MeV in air at 0 C, 1/m");
  for (int k = 1; k <= 2; k++) {
    struct list l = {.n_max = 0};
    struct wn_photon_transport *t =
        transport(&m, (struct wn_photon_region){WN_PHOTON_SLAB, 0.0, k / mu},
                  WN_PHOTON_POSITRONS_AT_REST, &l);
    for (uint64_t i = 0; i < N; i++) {
      struct wn_photon p = beam(i + (uint64_t)k * N, 1e6, 1.0);
      wn_photon_transport_release(t, &p, 1);
    }
    ok(wn_photon_transport_advance(t, INFINITY) == WN_OK && wn_photon_transport_n(t) == 0,
       "all photons end");
    const struct wn_photon_ledger *g = wn_photon_transport_ledger(t);
    const double p = exp(-k);
    is_near((double)g->n_uncollided / N, p, 4.5 * sqrt(p * (1.0 - p) / N),
            "beam after %d free paths", k);
    ok(l.n_direct == g->n_uncollided && l.at_c < 1e-14,
       "they are seen at the boundary, at the speed of light");
    ok(closes(t), "ledger closes: off %lld quanta, %lld entries",
       (long long)wn_photon_ledger_off(t), (long long)g->n_entries);
    ok(g->escaped > 0 && g->charged > 0 && g->escaped < g->released,
       "some escape, some is left");
    wn_photon_transport_free(t);
  }
}

/* The mean energy of the electron times dsigma/de. */
static double transferred(const void *e_ev, double e)
{
  return (1.0 - e) * wn_compton_differential(*(const double *)e_ev, e);
}

static void test_first(double e_ev, enum wn_photon_compton compton)
{
  enum { N = 60000 };
  const struct wn_photon_medium m = air(compton, WN_PHOTON_FORM_FACTOR, 1e3);
  double part[WN_PHOTON_N_PROCESSES] = {0}, all = 0.0, sum = 0.0, sum2 = 0.0, chi2 = 0.0,
         balance = 0.0;
  long count[WN_PHOTON_N_PROCESSES] = {0};
  int n = 0;
  for (int i = 0; i < m.n; i++)
    for (int k = 0; k < WN_PHOTON_N_PROCESSES; k++) {
      part[k] += m.density[i] * wn_photon_model_sigma(&m, i, k, e_ev, wn_ln(e_ev));
      all += m.density[i] * wn_photon_model_sigma(&m, i, k, e_ev, wn_ln(e_ev));
    }
  for (uint64_t i = 0; i < N; i++) {
    struct wn_photon p = beam(i, e_ev, 1.0);
    struct wn_photon_outcome out;
    wn_photon_begin(&m, &p);
    wn_photon_interact(&m, &p, &out);
    count[out.process]++;
    double after = (out.alive ? p.e_ev : 0.0) + out.deposited_ev + out.rest_ev;
    for (int k = 0; k < out.n_charged; k++)
      after += out.charged[k].t_ev;
    balance = fmax(balance, fabs(after / e_ev - 1.0));
    if (out.process == WN_PHOTON_INCOHERENT) {
      sum += out.charged[0].t_ev;
      sum2 += out.charged[0].t_ev * out.charged[0].t_ev;
    }
  }
  for (int k = 0; k < WN_PHOTON_N_PROCESSES; k++) {
    double want = part[k] / all * N;
    if (want < 20.0)
      continue;
    chi2 += (count[k] - want) * (count[k] - want) / want;
    n++;
  }
  ok(balance < 1e-14,
     "%g MeV: each interaction keeps the energy, relative %.2g, allowed 1e-14",
     e_ev * 1e-6, balance);
  ok(n >= 2 && chi2 < chi2_limit(n - 1),
     "%g MeV: first interactions as the cross sections, chi2 %.2f of %d, allowed %.1f",
     e_ev * 1e-6, chi2, n, chi2_limit(n - 1));
  if (compton != WN_PHOTON_FREE)
    return;
  long c = count[WN_PHOTON_INCOHERENT];
  double mean = sum / c,
         want = e_ev *
                quadrature(transferred, &e_ev, 1.0 / (1.0 + 2.0 * e_ev / WN_MC2_EV), 1.0,
                           1000) /
                wn_compton_total(e_ev);
  is_near(mean, want, 4.5 * sqrt((sum2 / c - mean * mean) / c),
          "%g MeV: mean energy of Compton electrons", e_ev * 1e-6);
}

/* Rayleigh and bound Compton angles of one element against form factor and scattering function. */
struct angle {
  const struct wn_photon_element *a;
  double e_ev;
};
static double rayleigh(const void *what, double v)
{
  const struct angle *p = what;
  double f = wn_photon_form_factor(p->a, p->e_ev * sqrt(0.5 * v)), c = 1.0 - v;
  return f * f * (1.0 + c * c);
}
static double bound_compton(const void *what, double v)
{
  const struct angle *p = what;
  double k = p->e_ev / WN_MC2_EV, e = 1.0 / (1.0 + k * v);
  /* de = k e^2 dv */
  return wn_photon_scattering_function(p->a, p->e_ev * sqrt(0.5 * v)) * e * e *
         (1.0 / e + e - v * (2.0 - v));
}

static void test_angles(double e_ev)
{
  enum { N = 100000 };
  struct wn_photon_medium m = air(WN_PHOTON_BOUND, WN_PHOTON_FORM_FACTOR, 1e3);
  m.n = 1;
  struct angle what = {&m.element[0], e_ev};
  struct sampled r, b;
  sampled_init(&r, 0.0, 2.0, 0);
  sampled_init(&b, 0.0, 2.0, 0);
  for (uint64_t i = 0; i < N; i++) {
    struct wn_draws d = wn_draws(5, i, 0, WN_RNG_PHOTON_FLIGHT);
    sampled_add(&r, wn_rayleigh_angle(what.a, e_ev, &d));
    struct wn_photon p = beam(i, e_ev, 1.0);
    struct wn_photon_outcome out = {.n_charged = 0};
    wn_photon_compton_event(&m, what.a, &p, &d, &out);
    sampled_add(&b, fmin(fmax(1.0 - p.d[2], 0.0), 2.0));
  }
  char name[60];
  snprintf(name, sizeof name, "Rayleigh at %g keV", e_ev * 1e-3);
  sampled_ok(&r, rayleigh, &what, name);
  snprintf(name, sizeof name, "bound Compton at %g keV", e_ev * 1e-3);
  sampled_ok(&b, bound_compton, &what, name);
}

static void test_cascade(double e_ev, double weight)
{
  enum { N = 3000 };
  const struct wn_photon_medium m = air(WN_PHOTON_BOUND, WN_PHOTON_FORM_FACTOR, 1e4);
  struct wn_photon_transport *t =
      transport(&m, (struct wn_photon_region){.kind = WN_PHOTON_UNBOUNDED},
                WN_PHOTON_POSITRONS_AT_REST, NULL);
  for (uint64_t i = 0; i < N; i++) {
    struct wn_photon p = beam(i, e_ev, weight);
    wn_photon_transport_release(t, &p, 1);
  }
  wn_photon_transport_advance(t, INFINITY);
  const struct wn_photon_ledger *l = wn_photon_transport_ledger(t);
  ok(wn_photon_transport_n(t) == 0 && l->escaped == 0 && closes(t),
     "%g MeV, weight %g: all is deposited, off %lld quanta in %lld entries", e_ev * 1e-6,
     weight, (long long)wn_photon_ledger_off(t), (long long)l->n_entries);
  ok(l->n_annihilated == l->n_process[WN_PHOTON_PAIR] + l->n_process[WN_PHOTON_TRIPLET] &&
         l->rest == 0,
     "%g MeV: each pair annihilates, %lld", e_ev * 1e-6, (long long)l->n_annihilated);
  ok((e_ev > 2e6) == (l->n_annihilated > 0) &&
         l->n_process[WN_PHOTON_INCOHERENT] > (e_ev < 1e5 ? N / 4 : N),
     "%g MeV: cascades of Compton scattering", e_ev * 1e-6);
  wn_photon_transport_free(t);
}

static void test_handed(void)
{
  enum { N = 5000 };
  const struct wn_photon_medium m = air(WN_PHOTON_FREE, WN_PHOTON_NO_RAYLEIGH, 1e4);
  struct list l = {.n_max = 200000};
  l.c = calloc(l.n_max, sizeof *l.c);
  if (l.c == NULL)
    return;
  struct wn_photon_transport *t =
      transport(&m, (struct wn_photon_region){WN_PHOTON_SPHERE, 0.0, 500.0},
                WN_PHOTON_POSITRONS_HANDED, &l);
  for (uint64_t i = 0; i < N; i++) {
    struct wn_photon p = beam(i, 2e7, 1.5);
    wn_photon_transport_release(t, &p, 1);
  }
  wn_photon_transport_advance(t, INFINITY);
  const struct wn_photon_ledger *g = wn_photon_transport_ledger(t);
  double sum = 0.0, unit = 0.0, far = 0.0;
  long positrons = 0;
  for (size_t i = 0; i < l.n && i < l.n_max; i++) {
    const struct wn_photon_charged *c = &l.c[i];
    sum += c->t_ev * c->weight;
    positrons += c->charge == 1;
    unit =
        fmax(unit, fabs(c->d[0] * c->d[0] + c->d[1] * c->d[1] + c->d[2] * c->d[2] - 1.0));
    far = fmax(far, sqrt(c->x[0] * c->x[0] + c->x[1] * c->x[1] + c->x[2] * c->x[2]));
  }
  is_int(positrons, g->n_process[WN_PHOTON_PAIR] + g->n_process[WN_PHOTON_TRIPLET],
         "a positron each pair");
  is_close(sum * WN_PHOTON_QUANTA, (double)g->charged, 1e-9,
           "the ledger has what was handed over");
  is_close((double)g->rest, 2.0 * WN_MC2_EV * 1.5 * WN_PHOTON_QUANTA * (double)positrons,
           1e-9, "and their rest energy");
  ok(unit < 1e-14 && far <= 500.0 * (1 + 1e-12), "unit directions, within the sphere");
  ok(closes(t), "ledger closes");
  ok(g->n_process[WN_PHOTON_COHERENT] == 0, "no coherent scattering without its name");
  size_t same = 0;
  for (size_t i = 1; i < l.n && i < 3000; i++)
    for (size_t k = 0; k < i; k++)
      same += l.c[i].id == l.c[k].id;
  is_int((long long)same, 0, "no id twice");
  free(l.c);
  wn_photon_transport_free(t);
}

/* Ledgers of the same photons: in one go; reversed; in steps; saved and restored in between. */
static void test_invariance(void)
{
  enum { N = 2000 };
  const struct wn_photon_medium m = air(WN_PHOTON_BOUND, WN_PHOTON_FORM_FACTOR, 1e4);
  struct wn_photon_ledger got[4];
  for (int way = 0; way < 4; way++) {
    struct wn_photon_transport *t =
        transport(&m, (struct wn_photon_region){WN_PHOTON_SLAB, 0.0, 400.0},
                  WN_PHOTON_POSITRONS_AT_REST, NULL);
    for (uint64_t i = 0; i < N; i++) {
      struct wn_photon p = beam(way == 1 ? N - 1 - i : i, 5e6, 1.0);
      wn_photon_transport_release(t, &p, 1);
    }
    if (way == 2)
      for (int k = 1; k < 30; k++)
        wn_photon_transport_advance(t, k * 1e-7);
    if (way == 3) {
      wn_photon_transport_advance(t, 5e-7);
      ok(wn_photon_transport_n(t) > N / 2 && closes(t),
         "in flight: %zu photons, the ledger closes with them", wn_photon_transport_n(t));
      struct wn_state s;
      wn_state_init(&s);
      int status = wn_photon_transport_state(t, &s);
      wn_photon_transport_free(t);
      t = transport(&m, (struct wn_photon_region){WN_PHOTON_SLAB, 0.0, 400.0},
                    WN_PHOTON_POSITRONS_AT_REST, NULL);
      wn_state_rewind(&s);
      ok(status == WN_OK && wn_photon_transport_state(t, &s) == WN_OK,
         "saved and restored");
      wn_state_clear(&s);
    }
    wn_photon_transport_advance(t, INFINITY);
    got[way] = *wn_photon_transport_ledger(t);
    wn_photon_transport_free(t);
  }
  static const char *const name[] = {"", "reversed", "in 30 steps", "saved and restored"};
  for (int way = 1; way < 4; way++)
    ok(memcmp(&got[0], &got[way], sizeof *got) == 0, "%s: the same ledger", name[way]);
}

static void test_refused(void)
{
  const struct wn_photon_medium m = air(WN_PHOTON_BOUND, WN_PHOTON_FORM_FACTOR, 1e4);
  FILE *null = fopen("/dev/null", "w");
  wn_log_to(null);
  struct wn_photon_transport_spec s = {.medium = &m,
                                       .region = {WN_PHOTON_SLAB, 1.0, 1.0},
                                       .positrons = WN_PHOTON_POSITRONS_AT_REST};
  struct wn_photon_transport *t = NULL;
  ok(wn_photon_transport_create(&s, &t) == WN_EINPUT, "an empty slab");
  s.region.high = 2.0;
  s.positrons = WN_PHOTON_POSITRONS_HANDED;
  ok(wn_photon_transport_create(&s, &t) == WN_EINPUT, "positrons handed to nothing");
  s.positrons = WN_PHOTON_POSITRONS_AT_REST;
  ok(wn_photon_transport_create(&s, &t) == WN_OK, "a slab");
  struct wn_photon good = beam(1, 1e6, 1.0), bad;
  good.x[2] = 1.5;
  bad = good;
  bad.e_ev = 9e3;
  ok(wn_photon_transport_release(t, &bad, 1) == WN_EINPUT, "below the cut");
  bad.e_ev = 2e8;
  ok(wn_photon_transport_release(t, &bad, 1) == WN_EINPUT, "above the tables");
  bad = good;
  bad.x[2] = 3.0;
  ok(wn_photon_transport_release(t, &bad, 1) == WN_EINPUT, "outside");
  bad = good;
  bad.d[0] = 1.0;
  ok(wn_photon_transport_release(t, &bad, 1) == WN_EINPUT, "no unit vector");
  bad = good;
  bad.weight = 0.0;
  ok(wn_photon_transport_release(t, &bad, 1) == WN_EINPUT, "no weight");
  ok(wn_photon_transport_n(t) == 0 && wn_photon_transport_ledger(t)->released == 0,
     "none of them is released");
  good.weight = 4e9;
  int status = WN_OK;
  for (uint64_t i = 0; i < 3 && status == WN_OK; i++) {
    good.id = i;
    status = wn_photon_transport_release(t, &good, 1);
    status = status == WN_OK ? wn_photon_transport_advance(t, INFINITY) : status;
  }
  ok(status == WN_ERUN, "a full ledger");
  wn_photon_transport_free(t);
  wn_log_to(NULL);
  if (null != NULL)
    fclose(null);
}

int main(void)
{
  plan(0);
  if (ok(photon_files_read(files) == WN_OK, "data are read")) {
    test_beam();
    test_first(2e4, WN_PHOTON_BOUND);
    test_first(1e6, WN_PHOTON_FREE);
    test_first(2e7, WN_PHOTON_FREE);
    test_angles(2e4);
    test_angles(2e5);
    test_cascade(3e4, 1.0);
    test_cascade(1e6, 0.37);
    test_cascade(2e7, 123.456);
    test_handed();
    test_invariance();
    test_refused();
  }
  photon_files_free(files);
  return done();
}
