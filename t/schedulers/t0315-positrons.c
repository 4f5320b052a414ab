/* t0315-positrons.c - defends: transport of positrons (schedulers/positron_transport.h).  Slowed continuously they stop when the integral of dT/(S v) says,
 * and annihilate in flight as often as that of the cross section over the stopping.  In a thin layer they free as many electrons and photons as the
 * cross sections above the cuts say, lose below them what restricted stopping says, and at half the cut the same in all.  In a field in
 * vacuum they gain e E z, along E; B turns them as a positive charge.  Ledgers of energy and charge close with fields, weights and what is handed
 * over; results depend neither on the order of releases nor on a save and restore, and in their statistics not on steps.
 * The gas has the electrons and the data of nitrogen, and Z = 1 where elastic scattering is not wanted.  Fixed seeds, 4.5 sigma. */
#include "schedulers/positron_transport.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/log.h"
#include "base/state.h"
#include "crosssections/xs_positron.h"
#include "t/crosssections/photon_files.h"
#include "t/physics/sampled.h"

#define LOSCHMIDT 2.6868e25
#define SEED      315u

static struct wn_xs_photon *files[PHOTON_FILES];

/* z 1: elastic scattering is 7 times as rare against stopping. */
static struct wn_xs_positron *gas(double z, double times, double cut_ev,
                                  double photons_ev)
{
  static const struct wn_xs_photon_gas n2 = {"N2", LOSCHMIDT};
  struct wn_photon_medium m = {.n = 0};
  const struct wn_xs_photon_spec s = {.element =
                                          (const struct wn_xs_photon *const *)files,
                                      .n_elements = 1,
                                      .gas = &n2,
                                      .n_gases = 1,
                                      .compton = WN_PHOTON_BOUND,
                                      .rayleigh = WN_PHOTON_NO_RAYLEIGH,
                                      .cut_ev = photons_ev,
                                      .most_ev = 1e8};
  struct wn_xs_positron *x = NULL;
  if (wn_xs_photon_medium(&s, &m) != WN_OK)
    return NULL;
  m.element[0].z = z;
  m.density[0] *= times;
  const struct wn_xs_positron_spec p = {.atoms = &m,
                                        .density = wn_density_effect_none(),
                                        .brems = WN_POSITRON_BREMS_ELECTRON,
                                        .angle = WN_BREMS_DIPOLE,
                                        .cut_ev = cut_ev,
                                        .stop_ev = 2e4,
                                        .top_ev = 1e8};
  if (wn_xs_positron_create(&p, &x) != WN_OK)
    ok(0, "a gas is made");
  return x;
}

/* What was handed over. */
struct seen {
  double electrons_ev, photons_ev, pairs_ev, in_flight_ev, last_t, weight;
  long n_electrons, n_photons, n_pairs, n_in_flight;
  uint64_t mix; /* of all ids, whatever their order */
};

static int see_electron(void *to, const struct wn_photon_charged *c)
{
  struct seen *s = to;
  s->electrons_ev += c->weight * c->t_ev;
  s->n_electrons++;
  s->mix += c->id * 3u;
  return c->charge == -1 ? WN_OK : WN_ERUN;
}

static int see_photon(void *to, const struct wn_photon *p)
{
  struct seen *s = to;
  s->photons_ev += p->weight * p->e_ev;
  s->n_photons++;
  s->mix += p->id * 5u;
  return WN_OK;
}

static int see_pair(void *to, const struct wn_photon p[2], double in_flight_ev)
{
  struct seen *s = to;
  s->pairs_ev += p[0].weight * (p[0].e_ev + p[1].e_ev);
  s->in_flight_ev += p[0].weight * in_flight_ev;
  s->n_pairs++;
  s->n_in_flight += in_flight_ev > 0.0;
  s->last_t = fmax(s->last_t, p[0].t);
  s->mix += p[0].id * 7u + p[1].id * 11u;
  return WN_OK;
}

static struct wn_positron_transport *transport(const struct wn_xs_positron *x,
                                               struct seen *seen)
{
  const struct wn_positron_transport_spec s = {.medium = &x->view,
                                               .seed = SEED,
                                               .electron = see_electron,
                                               .photon = see_photon,
                                               .pair = see_pair,
                                               .to = seen};
  struct wn_positron_transport *t = NULL;
  if (wn_positron_transport_create(&s, &t) != WN_OK)
    ok(0, "a transport is made");
  return t;
}

static void release(struct wn_positron_transport *t, uint64_t id, double t_ev,
                    double weight)
{
  const struct wn_photon_charged c = {.d = {0.0, 0.0, 1.0},
                                      .t_ev = t_ev,
                                      .weight = weight,
                                      .id = wn_rng_child_id(SEED, id, 1, 0),
                                      .charge = 1,
                                      .tag = (uint32_t)id};
  if (wn_positron_transport_release(t, &c) != WN_OK)
    ok(0, "a positron is released");
}

static const struct wn_positron_field no_field = {.has_b = 0};

/* Both to rounding; of what was handed over nothing is missing. */
static void closes(const struct wn_positron_transport *t, const struct seen *s,
                   const char *name)
{
  const struct wn_positron_ledger *l = wn_positron_transport_ledger(t);
  const int64_t bound = (l->n_entries + (int64_t)wn_positron_transport_n(t)) / 2,
                charge_bound =
                    (l->n_charge_entries + (int64_t)wn_positron_transport_n(t)) / 2,
                off = wn_positron_ledger_off(t), charge = wn_positron_charge_off(t);
  ok(llabs((long long)off) <= bound && l->born > 0,
     "%s: energy closes, %lld quanta of %lld entries", name, (long long)off,
     (long long)l->n_entries);
  ok(llabs((long long)charge) <= charge_bound,
     "%s: charge closes, %lld quanta of %lld entries", name, (long long)charge,
     (long long)l->n_charge_entries);
  is_int(l->n_born,
         l->n_in_flight + l->n_at_rest + l->n_ended + (long)wn_positron_transport_n(t),
         "%s: each positron has an end, or moves", name);
  const double rest =
      s->pairs_ev - s->in_flight_ev -
      2.0 * WN_MC2_EV * (double)l->charge_annihilated / WN_POSITRON_CHARGE_QUANTA;
  ok(fabs((double)l->electrons / WN_POSITRON_QUANTA - s->electrons_ev) <=
             1e-9 * s->electrons_ev + (double)s->n_electrons / WN_POSITRON_QUANTA &&
         fabs((double)l->photons / WN_POSITRON_QUANTA - s->photons_ev) <=
             1e-9 * s->photons_ev + (double)s->n_photons / WN_POSITRON_QUANTA &&
         fabs(rest) <= 1e-5 * s->pairs_ev,
     "%s: electrons, photons and pairs have what the ledger says; rest %.3g eV", name,
     rest);
}

/* ---- slowed continuously: cuts above all energies */

static double total_loss(const struct wn_positron_gas *g, double t_ev)
{
  return wn_positron_collision_loss(g, t_ev) + wn_positron_photon_loss(g, t_ev);
}

/* Of ln T. */
static double stopping_time(const void *what, double l)
{
  const double t_ev = exp(l);
  return t_ev / (total_loss(what, t_ev) * wn_speed_from_ev(t_ev));
}

static double annihilations(const void *what, double l)
{
  const struct wn_positron_gas *g = what;
  const double t_ev = exp(l);
  return t_ev * g->electrons * wn_annihilation_total(t_ev) / total_loss(g, t_ev);
}

static void test_slowing(void)
{
  enum { N = 1000 };
  const double t_ev = 3e6;
  struct wn_xs_positron *x = gas(1.0, 1.0, 9e7, 9e7);
  struct seen s = {.mix = 0};
  struct wn_positron_transport *t = transport(x, &s);
  for (uint64_t i = 0; i < N; i++)
    release(t, i, t_ev, 1.0);
  ok(wn_positron_transport_advance(t, &no_field, INFINITY) == WN_OK &&
         wn_positron_transport_n(t) == 0,
     "all annihilate");
  const double depth = quadrature(annihilations, &x->view.gas, log(2e4), log(t_ev), 400),
               want = 1.0 - exp(-depth);
  is_near((double)s.n_in_flight / N, want, 4.5 * sqrt(want * (1.0 - want) / N),
          "3 MeV: part that annihilates in flight");
  is_close(s.last_t, quadrature(stopping_time, &x->view.gas, log(2e4), log(t_ev), 400),
           1e-3, "the last stops when the integral of dT/(S v) says, s");
  ok(s.n_electrons == 0 && s.n_photons == 0, "nothing is freed above the cuts");
  closes(t, &s, "slowed");
  wn_positron_transport_free(t);
  wn_xs_positron_free(x);
}

/* ---- a thin layer */

enum { THIN = 16000 };

static double thin_layer(double cut_ev)
{
  enum { N = THIN };
  const double t_ev = 2e7, time = 1e-9, path = wn_speed_from_ev(t_ev) * time,
               photons_ev = 4.0 * cut_ev;
  struct wn_xs_positron *x = gas(1.0, 1.0, cut_ev, photons_ev);
  const struct wn_positron_gas *g = &x->view.gas;
  struct seen s = {.mix = 0};
  struct wn_positron_transport *t = transport(x, &s);
  for (uint64_t i = 0; i < N; i++)
    release(t, i, t_ev, 1.0);
  wn_positron_transport_advance(t, &no_field, time);
  const struct wn_positron_ledger *l = wn_positron_transport_ledger(t);
  const double electrons =
                   N * path * wn_positron_per_length(g, WN_POSITRON_BHABHA, 0, t_ev),
               photons = N * path * wn_positron_per_length(g, WN_POSITRON_BREMS, 0, t_ev);
  is_near((double)s.n_electrons, electrons, 4.5 * sqrt(electrons),
          "cut %g eV: electrons of a thin layer", cut_ev);
  is_near((double)s.n_photons, photons, 4.5 * sqrt(photons),
          "cut %g eV: photons of a thin layer", cut_ev);
  /* hard losses make the rest a little slower */
  is_close((double)l->collision / WN_POSITRON_QUANTA / (N * path),
           wn_positron_collision_loss(g, t_ev), 5e-3,
           "cut %g eV: collision loss below the cut, eV/m", cut_ev);
  is_close((double)l->soft / WN_POSITRON_QUANTA / (N * path),
           wn_positron_photon_loss(g, t_ev), 2e-2,
           "cut %g eV: photons below their cut, eV/m", cut_ev);
  closes(t, &s, "thin");
  const double all = (double)(l->collision + l->electrons) / WN_POSITRON_QUANTA / N;
  wn_positron_transport_free(t);
  wn_xs_positron_free(x);
  return all;
}

/* The loss by collisions does not know the cut: the variance of hard losses is that of K Q up to T. */
static void test_thin(void)
{
  const double a = thin_layer(4e3), b = thin_layer(2e3), t_ev = 2e7,
               path = wn_speed_from_ev(t_ev) * 1e-9,
               k = WN_MOLLER_K / wn_beta2(t_ev) * 2.0 * LOSCHMIDT,
               sigma = sqrt(k * path * 0.5 * t_ev / THIN);
  is_near(a, b, 4.5 * sqrt(2.0) * sigma, "the same collision loss at half the cut, eV");
  is_near(b, path * 2.0 * LOSCHMIDT * wn_bhabha_stopping(t_ev, t_ev, 19.2, 0.0),
          4.5 * sigma, "it is the stopping, eV");
}

/* ---- fields in vacuum: a gas of 1e-12 of the density */

static void test_fields(void)
{
  struct wn_xs_positron *x = gas(1.0, 1e-12, 1e4, 2e4);
  struct seen s = {.mix = 0};
  struct wn_positron_transport *t = transport(x, &s);
  const double e = 1e6, time = 3e-9;
  struct wn_positron_field f = {.accel = {0.0, 0.0, e * WN_E / WN_ME}};
  release(t, 1, 1e5, 2.0);
  wn_positron_transport_advance(t, &f, time);
  const struct wn_positron *p = wn_positron_transport_bank(t);
  is_close(wn_positron_ev(p) - 1e5, e * p->x[2], 1e-6,
           "energy gained along E: e E z, eV");
  is_close((double)wn_positron_transport_ledger(t)->work / WN_POSITRON_QUANTA,
           2.0 * e * p->x[2], 1e-6, "the work in the ledger, weighted");
  closes(t, &s, "E");
  wn_positron_transport_clear(t);
  /* u = u z, B = b y: the force on a positive charge is v x B = -v b x; gyro is -eB/m */
  const double b = 0.01, u = wn_u_from_ev(1e6),
               turn = WN_E * b / (WN_ME * (1.0 + 1e6 / WN_MC2_EV)) * time;
  f = (struct wn_positron_field){.gyro = {0.0, -WN_E * b / WN_ME, 0.0}, .has_b = 1};
  release(t, 2, 1e6, 1.0);
  wn_positron_transport_advance(t, &f, time);
  p = wn_positron_transport_bank(t);
  is_near(p->u[0] / u, -sin(turn), 1e-6, "B turns a positive charge");
  is_near(p->u[2] / u, cos(turn), 1e-6, "by e B t/(gamma m)");
  closes(t, &s, "B");
  wn_positron_transport_free(t);
  wn_xs_positron_free(x);
}

/* ---- everything together, in several ways */

enum way { STRAIGHT, REVERSED, RESTORED, STEPS, WAYS };

static void test_ways(void)
{
  enum { N = 32 };
  static const char *const name[] = {"straight", "reversed", "restored", "in 20 steps"};
  struct wn_xs_positron *x = gas(7.0, 1000.0, 1e4, 2e4);
  const struct wn_positron_field f = {
      .accel = {0.0, 0.0, -2e8 * WN_E / WN_ME}, .gyro = {0.0, -2e11, 0.0}, .has_b = 1};
  struct wn_positron_ledger got[WAYS];
  struct seen s[WAYS] = {{.mix = 0}};
  for (int way = 0; way < WAYS; way++) {
    struct wn_positron_transport *t = transport(x, &s[way]);
    for (uint64_t i = 0; i < N; i++)
      release(t, way == REVERSED ? N - 1 - i : i, 6e6, 0.5);
    /* a step ends for all but STEPS in the middle, too, so that the same flights are cut */
    if (way == STEPS)
      for (int k = 1; k < 20; k++)
        wn_positron_transport_advance(t, &f, k * 2e-12);
    else
      wn_positron_transport_advance(t, &f, 1.5e-11);
    if (way != STEPS)
      ok(wn_positron_transport_n(t) > N / 4, "%s: %zu move", name[way],
         wn_positron_transport_n(t));
    closes(t, &s[way], name[way]);
    if (way == RESTORED) {
      struct wn_state state;
      wn_state_init(&state);
      int status = wn_positron_transport_state(t, &state);
      wn_positron_transport_free(t);
      t = transport(x, &s[way]);
      wn_state_rewind(&state);
      ok(status == WN_OK && wn_positron_transport_state(t, &state) == WN_OK,
         "saved and restored");
      wn_state_clear(&state);
    }
    ok(wn_positron_transport_advance(t, &f, INFINITY) == WN_OK, "%s: to the end",
       name[way]);
    closes(t, &s[way], name[way]);
    got[way] = *wn_positron_transport_ledger(t);
    wn_positron_transport_free(t);
  }
  ok(got[0].n_in_flight > 2 && got[0].n_at_rest > 10 && got[0].n_electrons > 100 &&
         got[0].n_photons > 10 && got[0].work != 0,
     "%lld annihilate in flight, %lld at rest, %lld electrons, %lld photons",
     (long long)got[0].n_in_flight, (long long)got[0].n_at_rest,
     (long long)got[0].n_electrons, (long long)got[0].n_photons);
  for (int way = REVERSED; way <= RESTORED; way++)
    ok(memcmp(&got[0], &got[way], sizeof *got) == 0 && s[0].mix == s[way].mix,
       "%s: the same ledger and the same ids", name[way]);
  is_near((double)got[STEPS].n_electrons, (double)got[0].n_electrons,
          4.5 * sqrt((double)(got[0].n_electrons + got[STEPS].n_electrons)),
          "in 20 steps: electrons freed");
  is_near((double)got[STEPS].n_in_flight, (double)got[0].n_in_flight,
          4.5 * sqrt((double)(got[0].n_in_flight + got[STEPS].n_in_flight)),
          "in 20 steps: annihilations in flight");
  wn_xs_positron_free(x);
}

static uint32_t group_of(uint32_t tag, uint32_t n_groups)
{
  return tag % n_groups;
}

static void test_scaled(void)
{
  struct wn_xs_positron *x = gas(1.0, 1.0, 1e4, 2e4);
  struct seen s = {.mix = 0};
  struct wn_positron_transport *t = transport(x, &s);
  const double factor[2] = {0.25, 1e-31};
  for (uint64_t i = 0; i < 10; i++)
    release(t, i, 3e6, 4.0);
  wn_positron_transport_advance(t, &no_field, 1e-10);
  wn_positron_transport_scale(t, factor, group_of, 2, 1);
  const struct wn_positron *p = wn_positron_transport_bank(t);
  const struct wn_positron_ledger *l = wn_positron_transport_ledger(t);
  ok(wn_positron_transport_n(t) == 5 && l->n_ended == 5 && p->weight == 1.0 &&
         p->x[2] == 0.0,
     "weights are scaled by their group, the least end, the rest is at the origin");
  is_close((double)l->charge_scaled / WN_POSITRON_CHARGE_QUANTA, 35.0, 1e-5,
           "weight that scaling took");
  closes(t, &s, "scaled");
  /* at rest, and above the tables */
  wn_positron_transport_clear(t);
  s = (struct seen){.mix = 0};
  release(t, 3, 1e4, 2.0);
  wn_positron_transport_advance(t, &no_field, 1e-10);
  l = wn_positron_transport_ledger(t);
  ok(l->n_at_rest == 1 && s.n_pairs == 1 && s.in_flight_ev == 0.0 &&
         s.pairs_ev == 4.0 * WN_MC2_EV &&
         fabs((double)l->stopped / WN_POSITRON_QUANTA - 2e4) < 0.01,
     "below the end: energy is deposited, two photons of mc2");
  closes(t, &s, "at rest");
  release(t, 4, 1.1e8, 1.0);
  FILE *null = fopen("/dev/null", "w");
  wn_log_to(null);
  ok(wn_positron_transport_advance(t, &no_field, 1e-10) == WN_ERUN, "above the tables");
  wn_log_to(NULL);
  if (null != NULL)
    fclose(null);
  wn_positron_transport_free(t);
  wn_xs_positron_free(x);
}

int main(void)
{
  plan(0);
  if (ok(photon_files_read(files) == WN_OK, "data are read")) {
    test_slowing();
    test_thin();
    test_fields();
    test_ways();
    test_scaled();
  }
  photon_files_free(files);
  return done();
}
