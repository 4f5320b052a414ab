/* t0141-collision-free.c - defends: a mobility step in which nothing happens (physics/mcc_collision_free.h) gives
 * the bits of the general way, of the record and of every sum: over random electrons in a
 * grid, of any weight, energy and rest of a step; those with a candidate in the step, or above
 * the energy that is watched, it leaves alone.  Reference: wn_mcc_flights to its end. */
#include <math.h>
#include <string.h>
#include "physics/mcc_collision_free.h"
#include "t/tap/draw.h"
#include "t/tap/tap.h"

#define NU_MAX 1e9
#define DT     1e-10

/* One of four candidates may be a collision, whatever the energy. */
static const struct wn_xs_top top[1] = {{.major = 0x40000000u}};

static struct wn_mcc make(void)
{
  struct wn_mcc m;
  memset(&m, 0, sizeof m);
  m.key = wn_rng_key(7);
  m.inv_nu = (float)(1.0 / NU_MAX);
  m.xs.nu_max = NU_MAX;
  m.xs.n_bins = 1;
  m.xs.top = top;
  m.n_groups = 1;
  m.in_grid = 1;
  m.watch_ev = 500.0f;
  m.limit_ev = m.stop_ev = 1e30;
  wn_mcc_set_step(&m, DT, 1.0);
  return m;
}

static struct wn_electron draw(int i)
{
  struct wn_electron e;
  const double speed = pow(10.0, 3.0 + 4.3 * uniform());
  memset(&e, 0, sizeof e);
  for (int d = 0; d < 3; d++) {
    e.u[d] = (float)(speed * (2.0 * uniform() - 1.0));
    e.a[d] = i % 7 == 0 ? 0.0f : (float)(1e18 * pow(uniform(), 3.0) * (uniform() - 0.5));
  }
  e.w = i % 3 == 0 ? 1.0f : (float)pow(2.0, 33.0 * uniform() - 3.0);
  e.id = word64();
  e.event = (uint32_t)word64() & 0xffff;
  e.t_left = i % 2 == 0 ? 1.0f : (float)uniform();
  e.t_next = (float)(-log(1.0 - uniform()) * 3.0 * DT);
  return e;
}

/* Sums of a group: rounded where they are those of general, compared as such. */
struct sums {
  struct wn_flight_adds adds;
  float control, energy, candidates;
  uint64_t n_candidates;
  int is_watched; /* the watch has counted the electron */
};

/* By the functions that every scheduler calls, but for the place, which both have from
 * wn_mcc_grid_land.  Returns 0: a collision is possible, or a threshold is watched. */
static int general(const struct wn_mcc *m, struct wn_electron *e, struct sums *s)
{
  struct wn_tally_alarms alarms = {0};
  struct wn_tally_group group;
  struct wn_tally t;
  struct wn_mcc_reg r;
  struct wn_mcc_ticket ticket;
  const struct wn_mcc_kind kind = wn_mcc_kind(m);
  int what;
  memset(&t, 0, sizeof t);
  memset(&group, 0, sizeof group);
  t.alarms = &alarms;
  t.group = &group;
  wn_mcc_load(m, e, &r);
  do
    what = wn_mcc_flights(m, kind, &r, e, 0, &t, &ticket);
  while (what == 0);
  if (what != WN_MCC_DONE || alarms.max_energy_ev > 0.0)
    return 0;
  wn_mcc_commit(m, kind, e, &r);
  const struct wn_electron before = *e;
  struct wn_mcc no_grid = *m; /* what is stored beside the place */
  struct wn_mcc_kind nowhere = kind;
  nowhere.in_grid = 0;
  wn_mcc_store(&no_grid, nowhere, &r, e, 0, 0, &t);
  memcpy(e->at, before.at, sizeof e->at);
  memcpy(e->a, before.a, sizeof e->a);
  for (int d = 0; d < 3; d++)
    s->adds.path[d] = (float)group.path[d];
  s->adds.time = (float)group.time;
  s->adds.gained = (float)group.gained;
  s->control = (float)group.control;
  s->energy = (float)group.energy;
  s->candidates = (float)group.candidates;
  s->n_candidates = t.n_candidates;
  return 1;
}

static int is_sum(float sum, float add, double scale)
{
  return sum == (float)wn_fix((double)add, scale);
}

/* How many of the sums differ. */
static int compare(const struct sums *want, const struct sums *got)
{
  int n = 0;
  for (int d = 0; d < 3; d++)
    n += !is_sum(want->adds.path[d], got->adds.path[d], WN_FIX_STEP);
  n += !is_sum(want->control, got->adds.path[2], WN_FIX_STEP);
  n += !is_sum(want->adds.time, got->adds.time, WN_FIX_STEP);
  n += !is_sum(want->adds.gained, got->adds.gained, WN_FIX_ENERGY);
  n += !is_sum(want->energy, got->energy, WN_FIX_ENERGY);
  n += !is_sum(want->candidates, got->candidates, WN_FIX_WEIGHT);
  return n + (want->n_candidates != got->n_candidates);
}

/* As schedulers/gpu/ does it, one way after the other; returns whether one flew it, and in *is_free
 * whether it was the first. */
static int by_passes(const struct wn_mcc *m, struct wn_electron *e, struct sums *s,
                     int *is_free)
{
  const struct wn_electron before = *e;
  struct wn_tally_alarms alarms = {0};
  struct wn_tally t;
  struct wn_mcc_reg r;
  memset(&t, 0, sizeof t);
  t.alarms = &alarms;
  *is_free = wn_mcc_collision_free_fly(m, e, &r);
  e->event += *is_free != 0;
  const int flies = *is_free || wn_mcc_null_fly(m, e, &r, &t);
  s->is_watched = alarms.max_energy_ev != 0.0;
  if (!flies)
    return 0;
  wn_mcc_collision_free_keep(m, &r, e, &s->adds);
  s->energy = before.w * r.energy_sum;
  s->candidates = before.w * (float)r.n_candidates;
  s->n_candidates = r.n_candidates;
  return 1;
}

int main(void)
{
  enum { N = 200000 };
  const struct wn_mcc m = make();
  int n_free = 0, n_null = 0, choice = 0, records = 0, sums = 0, watched = 0, met = 0,
      counted = 0;
  plan(10);
  ok(wn_mcc_is_collision_free(&m), "0.1 candidates in a step are few");
  struct wn_mcc other = m;
  other.n_groups = 2;
  ok(!wn_mcc_is_collision_free(&other), "groups of sums need the general way");
  for (int i = 0; i < N; i++) {
    const struct wn_electron e = draw(i);
    struct wn_electron a = e, b = e;
    struct sums want = {0}, got = {0};
    int is_free;
    const int is = general(&m, &a, &want), does = by_passes(&m, &b, &got, &is_free),
              has_candidate = e.t_next <= (float)wn_mcc_left(&m, e.t_left);
    choice += is != does || (is_free && has_candidate);
    watched += !has_candidate && !does;
    met += has_candidate && !does;
    counted += got.is_watched;
    if (!is || !does)
      continue;
    n_free += is_free;
    n_null += !is_free;
    records += memcmp(&a, &b, sizeof a) != 0;
    sums += compare(&want, &got);
  }
  is_int(choice, 0, "electrons that one way flies and the other does not");
  ok(n_free > N / 4, "%d of %d have a collision-free step", n_free, N);
  ok(n_null > N / 20, "%d meet null candidates alone", n_null);
  ok(met > N / 100, "%d are left alone as they may collide", met);
  ok(watched > 100, "%d are left alone for their energy", watched);
  is_int(counted, 0, "electrons that the watch counts, and will again");
  is_int(records, 0, "records that differ");
  is_int(sums, 0, "sums that differ");
  return done();
}
