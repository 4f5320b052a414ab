/* t0141-quiet.c - defends: a mobility step in which nothing happens (physics/mcc_quiet.h) gives
 * the bits of the general way, of the record and of every sum: over random electrons in a
 * grid, of any weight, energy and rest of a step; those with a candidate in the step, or above
 * the energy that is watched, it leaves alone.  Reference: wn_mcc_flights to its end. */
#include <math.h>
#include <string.h>
#include "physics/mcc_quiet.h"
#include "t/tap/draw.h"
#include "t/tap/tap.h"

#define NU_MAX 1e9
#define DT     1e-10

static struct wn_mcc make(void)
{
  struct wn_mcc m;
  memset(&m, 0, sizeof m);
  m.key = wn_rng_key(7);
  m.inv_nu = (float)(1.0 / NU_MAX);
  m.xs.nu_max = NU_MAX;
  m.n_groups = 1;
  m.in_grid = 1;
  m.watch_ev = 500.0f;
  m.limit_ev = m.stop_ev = 1e30;
  wn_mcc_set_phase(&m, DT, 1.0);
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

/* By the functions that every scheduler calls, but for the place, which both have from
 * wn_mcc_grid_land. */
static int general(const struct wn_mcc *m, struct wn_electron *e,
                   struct wn_flight_adds *adds, float *control)
{
  struct wn_tally_alarms alarms = {0};
  struct wn_tally_group group;
  struct wn_tally t;
  struct wn_mcc_reg r;
  struct wn_mcc_ticket ticket;
  const struct wn_mcc_kind kind = wn_mcc_kind(m);
  memset(&t, 0, sizeof t);
  memset(&group, 0, sizeof group);
  t.alarms = &alarms;
  t.group = &group;
  wn_mcc_load(m, e, &r);
  if (r.next <= r.left)
    return 0;
  if (wn_mcc_flights(m, kind, &r, e, 0, &t, &ticket) != WN_MCC_DONE ||
      alarms.max_energy_ev > 0.0)
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
    adds->path[d] = (float)group.path[d]; /* rounded sums, compared as such */
  adds->time = (float)group.time;
  adds->gained = (float)group.gained;
  *control = (float)group.control;
  return group.energy == 0 && group.candidates == 0 && t.n_candidates == 0;
}

static int is_sum(float sum, float add, double scale)
{
  return sum == (float)wn_fix((double)add, scale);
}

int main(void)
{
  enum { N = 200000 };
  const struct wn_mcc m = make();
  int quiet = 0, choice = 0, records = 0, sums = 0, watched = 0;
  plan(7);
  ok(wn_mcc_is_quiet(&m), "0.1 candidates in a step are few");
  struct wn_mcc other = m;
  other.n_groups = 2;
  ok(!wn_mcc_is_quiet(&other), "groups of sums need the general way");
  for (int i = 0; i < N; i++) {
    const struct wn_electron e = draw(i);
    struct wn_electron a = e, b = e;
    struct wn_mcc_reg r;
    struct wn_flight_adds want, got;
    float control;
    const int is = general(&m, &a, &want, &control), does = wn_mcc_quiet_fly(&m, &e, &r);
    choice += is != does;
    watched += !(e.t_next <= (float)wn_mcc_left(&m, e.t_left)) && !does;
    if (!is || !does)
      continue;
    quiet++;
    wn_mcc_quiet_keep(&m, &r, &b, &got);
    records += memcmp(&a, &b, sizeof a) != 0;
    for (int d = 0; d < 3; d++)
      sums += !is_sum(want.path[d], got.path[d], WN_FIX_PHASE);
    sums += !is_sum(want.time, got.time, WN_FIX_PHASE) ||
            !is_sum(want.gained, got.gained, WN_FIX_ENERGY) ||
            !is_sum(control, got.path[2], WN_FIX_PHASE);
  }
  is_int(choice, 0, "electrons that one way flies and the other does not");
  ok(quiet > N / 4, "%d of %d have a quiet step", quiet, N);
  ok(watched > 100, "%d are left alone for their energy", watched);
  is_int(records, 0, "records that differ");
  is_int(sums, 0, "sums that differ");
  return done();
}
