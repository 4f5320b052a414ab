/* t0316-roulette.c - defends: Russian roulette of photons changes no mean and follows fewer.  Each game keeps the mean weight, which is counted; a
 * beam of 1 MeV falls as exp(-mu L); energy deposited, carried by electrons, and escaped from a slab, and the number of pairs, are those of the analog
 * run.  The ledger closes to half a quantum an entry, with what roulette took, which is 0 in the mean.  Charged particles have the weight of
 * their photon.  Results depend neither on the order of releases, nor on steps, nor on a save and restore; photons play anew where
 * weights fall.  Errors are those of 40 batches or of counts, 4.5 sigma: a false alarm in 7e-6 of the checks.  Fixed seed. */
#include "schedulers/photon_transport.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/state.h"
#include "physics/photons/bremsstrahlung.h"
#include "t/crosssections/photon_files.h"
#include "t/tap/tap.h"

#define SIGMAS 4.5

static struct wn_xs_photon *files[PHOTON_FILES];

static struct wn_photon_medium nitrogen(void)
{
  static const struct wn_xs_photon_gas gas = {"N2", 2.6868e25};
  struct wn_photon_medium m = {.n = 0};
  const struct wn_xs_photon_spec s = {.element =
                                          (const struct wn_xs_photon *const *)files,
                                      .n_elements = 1,
                                      .gas = &gas,
                                      .n_gases = 1,
                                      .compton = WN_PHOTON_BOUND,
                                      .rayleigh = WN_PHOTON_FORM_FACTOR,
                                      .cut_ev = 1e4,
                                      .most_ev = 1e8,
                                      .seed = 316};
  if (wn_xs_photon_medium(&s, &m) != WN_OK)
    ok(0, "nitrogen is made");
  return m;
}

/* What was handed over, and what left without an interaction. */
struct seen {
  double charged, off, uncollided;
  double weight; /* of the last uncollided */
};

static int see_charged(void *to, const struct wn_photon_charged *c)
{
  struct seen *s = to;
  s->charged += c->weight * c->t_ev;
  return WN_OK;
}

static void see_escaped(void *to, const struct wn_photon *p)
{
  struct seen *s = to;
  if (p->event == 0) {
    s->uncollided += p->weight;
    s->weight = p->weight;
  }
}

static struct wn_photon_transport *transport(const struct wn_photon_medium *m,
                                             struct wn_photon_region region,
                                             struct wn_photon_roulette roulette,
                                             struct seen *to)
{
  const struct wn_photon_transport_spec s = {.medium = m,
                                             .region = region,
                                             .positrons = WN_PHOTON_POSITRONS_AT_REST,
                                             .roulette = roulette,
                                             .charged = see_charged,
                                             .escaped = see_escaped,
                                             .to = to};
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
  const int64_t entries = wn_photon_transport_ledger(t)->n_entries;
  return llabs((long long)wn_photon_ledger_off(t)) <=
         (entries + (int64_t)wn_photon_transport_n(t)) / 2;
}

/* One game, many times. */
static void test_game(double weight, double e_ev)
{
  enum { N = 200000 };
  const struct wn_photon_roulette g = {.weight = 0.5, .below_ev = 1e6};
  const double least = 0.5 / fmin(1.0, e_ev / 1e6), p = fmin(1.0, weight / least);
  double sum = 0.0;
  long n = 0, odd = 0;
  for (uint64_t i = 0; i < N; i++) {
    struct wn_photon k = beam(i, e_ev, weight);
    if (wn_photon_survives(&g, 7, WN_PHOTON_GAME_EVENT, 3, &k)) {
      n++;
      sum += k.weight;
      odd += fabs(k.weight - (p < 1.0 ? least : weight)) > 1e-12 * least;
    }
  }
  is_int(odd, 0, "%g MeV, weight %g: survivors weigh %g", e_ev * 1e-6, weight, least);
  is_near((double)n / N, p, SIGMAS * sqrt(p * (1.0 - p) / N) + 1e-15,
          "%g MeV, weight %g: they are as many as named", e_ev * 1e-6, weight);
  is_near(sum / N / weight, 1.0, SIGMAS * sqrt((1.0 - p) / (p * N)) + 1e-9,
          "%g MeV, weight %g: and keep the mean", e_ev * 1e-6, weight);
}

static void test_beam(const struct wn_photon_medium *m)
{
  enum { N = 60000 };
  const double mu = wn_photon_attenuation(m, 1e6), k = 1.5, p = exp(-k);
  for (int with = 0; with < 2; with++) {
    const struct wn_photon_roulette g = {.weight = with ? 4.0 : 0.0};
    struct seen seen = {.charged = 0.0};
    struct wn_photon_transport *t =
        transport(m, (struct wn_photon_region){WN_PHOTON_SLAB, 0.0, k / mu}, g, &seen);
    for (uint64_t i = 0; i < N; i++) {
      const struct wn_photon one = beam(i, 1e6, 1.0);
      wn_photon_transport_release(t, &one, 1);
    }
    wn_photon_transport_advance(t, INFINITY);
    const double w = with ? 4.0 : 1.0;
    is_near(seen.uncollided / N, p, SIGMAS * sqrt(w * p * (1.0 - p / w) / N),
            "%s: a beam falls as exp(-mu L)", with ? "roulette" : "analog");
    is_close(seen.weight, w, 0.0, "%s: with its weight", with ? "roulette" : "analog");
    ok(closes(t), "%s: the ledger closes, off %lld quanta, %lld entries",
       with ? "roulette" : "analog", (long long)wn_photon_ledger_off(t),
       (long long)wn_photon_transport_ledger(t)->n_entries);
    wn_photon_transport_free(t);
  }
}

enum { DEPOSITED, CHARGED, ESCAPED, PAIRS, ROULETTE, N_SUMS };
static const char *const sums[N_SUMS] = {"deposited", "of electrons", "escaped", "pairs",
                                         "of roulette"};

struct batches {
  double mean[N_SUMS], error[N_SUMS];
  int64_t interactions, lost;
  bool closes;
};

/* Photons of a spectrum dk/k from 20 keV to 20 MeV into a slab, in batches. */
static struct batches run(const struct wn_photon_medium *m, struct wn_photon_roulette g)
{
  enum { BATCHES = 40, N = 500 };
  struct batches b = {.closes = true};
  double sum2[N_SUMS] = {0.0};
  for (uint64_t batch = 0; batch < BATCHES; batch++) {
    struct seen seen = {.charged = 0.0};
    struct wn_photon_transport *t =
        transport(m, (struct wn_photon_region){WN_PHOTON_SLAB, -100.0, 200.0}, g, &seen);
    for (uint64_t i = 0; i < N; i++) {
      const double e_ev = 2e4 * pow(1e3, ((double)i + 0.5) / N);
      const struct wn_photon one = beam(batch * N + i, e_ev, 1.0);
      wn_photon_transport_release(t, &one, 1);
    }
    if (wn_photon_transport_advance(t, INFINITY) != WN_OK)
      ok(0, "photons fly");
    const struct wn_photon_ledger *l = wn_photon_transport_ledger(t);
    const double value[N_SUMS] = {
        (double)l->deposited, seen.charged * WN_PHOTON_QUANTA, (double)l->escaped,
        (double)(l->n_process[WN_PHOTON_PAIR] + l->n_process[WN_PHOTON_TRIPLET]),
        (double)l->roulette};
    for (int k = 0; k < N_SUMS; k++) {
      b.mean[k] += value[k] / BATCHES;
      sum2[k] += value[k] * value[k] / BATCHES;
    }
    for (int k = 0; k < WN_PHOTON_N_PROCESSES; k++)
      b.interactions += l->n_process[k];
    b.lost += l->n_lost;
    b.closes = b.closes && closes(t) && wn_photon_transport_n(t) == 0 && l->rest == 0;
    b.closes = b.closes && fabs(seen.charged * WN_PHOTON_QUANTA - (double)l->charged) <
                               (double)l->n_entries;
    wn_photon_transport_free(t);
  }
  for (int k = 0; k < N_SUMS; k++)
    b.error[k] = sqrt((sum2[k] - b.mean[k] * b.mean[k]) / (BATCHES - 1));
  return b;
}

static void test_deposit(const struct wn_photon_medium *m)
{
  const struct wn_photon_roulette none = {.weight = 0.0},
                                  by_energy = {.weight = 1.0, .below_ev = 1e6},
                                  by_weight = {.weight = 3.0};
  const struct batches analog = run(m, none), energy = run(m, by_energy),
                       weight = run(m, by_weight);
  ok(analog.closes && energy.closes && weight.closes,
     "ledgers close, all that is charged is handed over");
  ok(analog.lost == 0 && analog.mean[ROULETTE] == 0.0 && analog.error[ROULETTE] == 0.0,
     "analog: none plays");
  for (int with = 0; with < 2; with++) {
    const struct batches *b = with ? &weight : &energy;
    const char *name = with ? "by weight" : "by energy";
    for (int k = 0; k < N_SUMS; k++) {
      /* pairs are counted, not weighted: above 1 MeV the first roulette has no effect */
      const double factor = k == PAIRS && with ? 3.0 : 1.0;
      is_near(factor * b->mean[k] - analog.mean[k], 0.0,
              SIGMAS * hypot(factor * b->error[k], analog.error[k]), "%s: %s", name,
              sums[k]);
    }
    ok(b->error[DEPOSITED] < 0.1 * b->mean[DEPOSITED] &&
           b->error[CHARGED] < 0.05 * b->mean[CHARGED],
       "%s: errors of %.2g and %.2g of the mean", name,
       b->error[DEPOSITED] / b->mean[DEPOSITED], b->error[CHARGED] / b->mean[CHARGED]);
    ok(b->lost > 1000 && 2 * b->interactions < analog.interactions,
       "%s: %lld interactions instead of %lld, %lld photons lost", name,
       (long long)b->interactions, (long long)analog.interactions, (long long)b->lost);
  }
}

static uint32_t one_group(uint32_t tag, uint32_t n)
{
  return tag % n;
}

/* Ledgers of the same photons: in one go; reversed; saved and restored.  Halfway weights fall, and photons play anew. */
static void test_invariance(const struct wn_photon_medium *m)
{
  enum { N = 1500 };
  const struct wn_photon_roulette g = {.weight = 1.0, .below_ev = 1e6};
  const struct wn_photon_region everywhere = {.kind = WN_PHOTON_UNBOUNDED};
  const double tenth = 0.1;
  struct wn_photon_ledger got[3];
  double energy[3];
  for (int way = 0; way < 3; way++) {
    struct seen seen = {.charged = 0.0};
    struct wn_photon_transport *t = transport(m, everywhere, g, &seen);
    for (uint64_t i = 0; i < N; i++) {
      const struct wn_photon one = beam(way == 1 ? N - 1 - i : i, 3e6, 1.0);
      wn_photon_transport_release(t, &one, 1);
    }
    wn_photon_transport_advance(t, 1e-7);
    const size_t before = wn_photon_transport_n(t);
    wn_photon_transport_scale(t, &tenth, one_group, 1, 0);
    const size_t after = wn_photon_transport_n(t);
    if (way == 0)
      ok(before > N / 2 &&
             fabs((double)after - 0.1 * (double)before) < SIGMAS * sqrt(0.1 * before) &&
             closes(t),
         "weights fall to a tenth: %zu of %zu photons are left", after, before);
    if (way == 2) {
      struct wn_state s;
      wn_state_init(&s);
      int status = wn_photon_transport_state(t, &s);
      wn_photon_transport_free(t);
      t = transport(m, everywhere, g, &seen);
      wn_state_rewind(&s);
      ok(status == WN_OK && wn_photon_transport_state(t, &s) == WN_OK,
         "saved and restored");
      wn_state_clear(&s);
    }
    /* a second time: other games than the first */
    wn_photon_transport_scale(t, &tenth, one_group, 1, 0);
    const size_t third = wn_photon_transport_n(t);
    if (way == 0)
      ok(third > 0 && third < after / 4, "and again: %zu of %zu", third, after);
    wn_photon_transport_advance(t, INFINITY);
    got[way] = *wn_photon_transport_ledger(t);
    energy[way] = seen.charged;
    wn_photon_transport_free(t);
  }
  ok(memcmp(&got[0], &got[1], sizeof *got) == 0 &&
         fabs(energy[1] - energy[0]) < 1e-9 * energy[0],
     "reversed: the same ledger");
  ok(memcmp(&got[0], &got[2], sizeof *got) == 0 &&
         fabs(energy[2] - energy[0]) < 1e-9 * energy[0],
     "saved and restored: the same ledger");
}

int main(void)
{
  plan(0);
  if (ok(photon_files_read(files) == WN_OK, "data are read")) {
    const struct wn_photon_medium m = nitrogen();
    test_game(1.0, 2e6);
    test_game(0.1, 2e6);
    test_game(0.4, 1e5);
    test_game(6.0, 1e5);
    test_beam(&m);
    test_deposit(&m);
    test_invariance(&m);
  }
  photon_files_free(files);
  return done();
}
