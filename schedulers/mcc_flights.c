/* schedulers/mcc_flights.c - model `mcc`, many electrons at a time: physics/mcc_flight.h for
 * WN_MCC_LANES electrons together, to their next candidates, in loops without branches that
 * the compiler turns into vector instructions.  What is rare is done one by one.  Electrons
 * are independent, so the order changes nothing, and vectors round as scalars do: the same
 * bits as wn_model_mcc.advance.
 *
 * Each loop is written once, and compiled for what `kind` says (LOOPS, below): in a swarm or
 * in a grid, with bands or without, in a magnetic field or not, with losses along the flight.
 *
 * What keeps a loop from becoming vectors (gcc 12, -fopt-info-vec-missed): reading what
 * belongs to m or the lanes under a condition, a table of structures, a reduction that is
 * not of plain 0 and 1. */
#include <math.h>
#include <stddef.h>
#include "physics/mcc_flight.h"
#include "schedulers/mcc_lanes.h"
#include "schedulers/model.h"

#define LANES WN_MCC_LANES

/* Beside WN_MCC_DONE, DEAD and EVENT, at the end of a flight: the energy is one for
 * wn_mcc_watch, and until that was called, nothing else is known. */
#define WATCHED 16

/* The same, of a lane that goes on flying: it was cut at the horizon. */
#define CUT 32

/* ---- from the records to the lanes, and back */

/* Energy below which wn_mcc_watch has nothing to do for an electron with this tag, eV: at
 * least watch_ev.  Most electrons of a runaway ensemble are above watch_ev, and passed the
 * thresholds below them long ago.  The factor keeps the rounding below the threshold. */
static WN_HD float watch_from(const struct wn_mcc *m, uint32_t tag)
{
  const uint32_t passed = tag >> WN_TAG_LINEAGE_BITS;
  if (passed == 0 ||
      (m->cohorts && (wn_electron_cohort(tag, (uint32_t)m->n_groups) & 1u) != 0u))
    return m->watch_ev;
  double ev = m->stop_ev < m->limit_ev ? m->stop_ev : m->limit_ev;
  if ((int)passed < m->n_thresholds && m->threshold_ev[passed] < ev)
    ev = m->threshold_ev[passed];
  const float from = (float)ev * (1.0f - 0x1p-22f);
  return from > m->watch_ev ? from : m->watch_ev;
}

static WN_HD void load_in(const struct wn_mcc *m, struct wn_mcc_kind kind,
                          struct wn_mcc_lanes *s, int l, struct wn_electron *e)
{
  struct wn_mcc_reg r;
  wn_mcc_load(m, e, &r);
  wn_mcc_lane_set(s, l, &r);
  if (kind.in_grid) {
    const struct wn_mcc_force force = wn_mcc_force(m, kind, e);
    for (int i = 0; i < 3; i++)
      s->a[i][l] = force.a[i];
    s->a2[l] = force.a2;
  }
  s->id[0][l] = (uint32_t)e->id;
  s->id[1][l] = (uint32_t)(e->id >> 32);
  s->event[l] = e->event;
  s->watch[l] = watch_from(m, e->tag);
  s->e[l] = e;
  s->group[l] = (int)wn_electron_group(e->tag, (uint32_t)m->n_groups);
}

static WN_HD void store_in(const struct wn_mcc *m, struct wn_mcc_kind kind,
                           const struct wn_mcc_lanes *s, int l, struct wn_tally *tally)
{
  struct wn_mcc_reg r = wn_mcc_lane(s, l);
  struct wn_electron *e = s->e[l];
  e->event = s->event[l];
  const int what =
      s->end[l] | wn_mcc_store(m, kind, &r, e, s->end[l], s->group[l], tally);
  if (what & WN_MCC_DEAD) {
    e->t_left = WN_DEAD;
    tally->n_deaths++;
  }
}

static WN_HD void copy_lane(struct wn_mcc_kind kind, struct wn_mcc_lanes *s, int to,
                            int from)
{
  struct wn_mcc_reg r = wn_mcc_lane(s, from);
  wn_mcc_lane_set(s, to, &r);
  s->id[0][to] = s->id[0][from];
  s->id[1][to] = s->id[1][from];
  s->event[to] = s->event[from];
  s->watch[to] = s->watch[from];
  s->e[to] = s->e[from];
  s->group[to] = s->group[from];
  if (!kind.in_grid)
    return;
  for (int i = 0; i < 3; i++)
    s->a[i][to] = s->a[i][from];
  s->a2[to] = s->a2[from];
}

/* Electrons whose mobility step is over leave their lanes, or begin the next.  Returns how
 * many lanes are left.  A list, as which they are cannot be foreseen. */
static WN_HD int put_back_in(const struct wn_mcc *m, struct wn_mcc_kind kind,
                             struct wn_mcc_lanes *s, int lanes, struct wn_tally *tally)
{
  int list[LANES], n = 0;
  for (int l = 0; l < lanes; l++) {
    list[n] = l;
    n += (s->end[l] & (WN_MCC_DONE | WN_MCC_DEAD)) != 0;
  }
  while (n > 0) {
    const int l = list[--n];
    store_in(m, kind, s, l, tally);
    if (s->e[l]->t_left > 0.0f)
      load_in(m, kind, s, l, s->e[l]);
    else if (l != --lanes)
      copy_lane(kind, s, l, lanes);
  }
  return lanes;
}

/* ---- flights */

/* wn_mcc_force of a lane: that of a swarm is read before the loop. */
static WN_HD struct wn_mcc_force force_of(struct wn_mcc_kind kind,
                                          const struct wn_mcc_lanes *s,
                                          struct wn_mcc_force uniform, int l)
{
  if (!kind.in_grid)
    return uniform;
  const struct wn_mcc_force f = {{s->a[0][l], s->a[1][l], s->a[2][l]}, s->a2[l]};
  return f;
}

static WN_HD struct wn_turn turn_of(const struct wn_mcc_lanes *s, int l)
{
  const struct wn_turn t = {s->s0[l],    s->s1[l],     s->sine[l],   s->cosine[l],
                            s->turns[l], s->period[l], s->inverse[l]};
  return t;
}

/* Begin an event: its random numbers, the flight. */
static WN_HD void begin_in(const struct wn_mcc *m, struct wn_mcc_kind kind,
                           struct wn_mcc_lanes *restrict s, int n)
{
  const struct wn_mcc_force uniform = m->uniform;
  const struct wn_turn_field field = m->turn;
  const uint64_t seed = m->key.seed;
  for (int l = 0; l < n; l++) {
    struct wn_rng4 w = wn_rng(seed, (uint64_t)s->id[1][l] << 32 | s->id[0][l],
                              s->event[l]++, WN_RNG_EVENT, 0);
    s->word[0][l] = w.w[0], s->word[1][l] = w.w[1], s->word[2][l] = w.w[2],
    s->word[3][l] = w.w[3];
  }
  for (int l = 0; kind.slows && l < n; l++) {
    const struct wn_continuous_knot k = wn_continuous_at(m->xs.continuous, s->base_ev[l]);
    s->s1[l] = k.g;
    s->a2[l] = k.h;
  }
  for (int l = 0; l < n; l++) {
    const float u[3] = {s->u[0][l], s->u[1][l], s->u[2][l]};
    if (kind.has_b) {
      const struct wn_turn t =
          wn_turn_begin(&field, u, s->base_ev[l] * (float)(1.0 / WN_MC2_EV));
      s->s0[l] = t.s0, s->s1[l] = t.s1, s->sine[l] = t.sine, s->cosine[l] = t.cosine;
      s->turns[l] = t.turns, s->period[l] = t.period, s->inverse[l] = t.inverse;
    } else {
      const struct wn_mcc_force force = force_of(kind, s, uniform, l);
      const struct wn_mcc_parabola p = wn_mcc_parabola(&force, u);
      s->s0[l] = p.s0;
      s->s1[l] = kind.slows ? s->s1[l] : p.s1;
    }
    s->flying[l] = 1;
    s->end[l] = 0;
  }
}

/* The bands in which the flights begin. */
WN_CLONES static void look_up_bands(const struct wn_mcc *m,
                                    struct wn_mcc_lanes *restrict s, int n)
{
  for (int l = 0; l < n; l++) {
    const struct wn_mcc_band *b = &m->band[wn_mcc_band_of(s->energy[l])];
    s->part[l] = b->part;
    s->slower[l] = b->slower;
    s->horizon[l] = b->horizon;
  }
}

/* Of a lane; one that does not fly goes nowhere. */
static WN_HD struct wn_mcc_leg leg_of(struct wn_mcc_kind kind,
                                      const struct wn_mcc_lanes *s, int l)
{
  const struct wn_mcc_reg r = {.next = s->next[l], .left = s->left[l]};
  const float slower = kind.banded ? s->slower[l] : 1.0f,
              horizon = kind.banded ? s->horizon[l] : INFINITY;
  struct wn_mcc_leg leg = {.band = {0u, slower, 1.0f / slower, horizon}};
  const int flying = s->flying[l];
  wn_mcc_measure(kind, &r, &leg);
  leg.cut &= flying;
  leg.dt = flying ? leg.dt : 0.0f;
  return leg;
}

/* In a magnetic field, of lanes that do not turn (wn_mcc_turns), one by one: their energies;
 * wn_mcc_commit_b. */
static __attribute__((noinline)) void fast_energies(const struct wn_mcc *m,
                                                    const struct wn_mcc_lanes *s, int n,
                                                    const int32_t *fast, float *energy)
{
  for (int l = 0; l < n; l++)
    if (fast[l])
      energy[l] = wn_mcc_turned_ev(m, s->u[0][l], s->u[1][l], s->u[2][l], s->base_ev[l],
                                   s->since[l]);
}

static __attribute__((noinline)) void
commit_fast(const struct wn_mcc *m, struct wn_mcc_lanes *s, int n, const int32_t *fast)
{
  for (int l = 0; l < n; l++) {
    if (!fast[l])
      continue;
    struct wn_mcc_reg r = wn_mcc_lane(s, l);
    wn_mcc_commit_b(m, &r);
    wn_mcc_lane_set(s, l, &r);
  }
}

static WN_HD int any_of(const int32_t *flag, int n)
{
  int32_t some = 0;
  for (int l = 0; l < n; l++)
    some |= flag[l];
  return some;
}

/* In a magnetic field: the time since the last commit, and the energies then. */
static WN_HD void turn_in(const struct wn_mcc *m, struct wn_mcc_kind kind,
                          struct wn_mcc_lanes *restrict s, int n,
                          float *restrict energies)
{
  const struct wn_turn_field field = m->turn;
  int32_t fast[LANES];
  for (int l = 0; l < n; l++)
    s->since[l] += leg_of(kind, s, l).dt;
  for (int l = 0; l < n; l++) {
    const struct wn_turn turn = turn_of(s, l);
    const float energy = wn_energy_slow(wn_turn_square(&field, &turn, s->since[l]));
    energies[l] = energy;
    fast[l] = !wn_mcc_turns(s->base_ev[l], energy);
  }
  if (WN_UNLIKELY(any_of(fast, n)))
    fast_energies(m, s, n, fast, energies);
}

/* Lanes that are flying: to the next candidate or to the end of the mobility step, which is
 * all of wn_mcc_fly but its look-up.  flight: word that names the flight after it.
 * Returns the bits of all ends together. */
static WN_HD int fly_in(const struct wn_mcc *m, struct wn_mcc_kind kind,
                        struct wn_mcc_lanes *restrict s, int n,
                        const uint32_t *restrict flight)
{
  const float uniform = m->uniform.a2, inv_nu = m->inv_nu;
  const struct wn_xs_view xs = m->xs; /* a copy, as wn_xs_bin reads under conditions */
  float energies[LANES];
  if (kind.has_b)
    turn_in(m, kind, s, n, energies);
  for (int l = 0; l < n; l++) {
    const float left = s->left[l], next = s->next[l], sum = s->energy_sum[l],
                highest = s->highest[l], slower = kind.banded ? s->slower[l] : 1.0f,
                a2 = kind.in_grid || kind.slows ? s->a2[l] : uniform;
    const uint32_t n_candidates = s->n_candidates[l];
    const int flying = s->flying[l], end = s->end[l];
    const struct wn_mcc_leg leg = leg_of(kind, s, l);
    const struct wn_mcc_parabola p = {s->s0[l], s->s1[l]};
    const float since = s->since[l] + (kind.has_b ? 0.0f : leg.dt),
                energy = kind.has_b ? energies[l]
                                    : wn_energy_f(wn_mcc_parabola_at(&p, a2, since)),
                drawn = wn_exponential_f(flight[l]) * inv_nu,
                after = wn_mcc_less(next, leg.band.rate * leg.dt),
                more = wn_mcc_energy_seen(kind.banded, energy, slower, inv_nu);
    const int seen = energy >= s->watch[l],
              arrives = flying & leg.at_candidate & !leg.cut, counts = arrives & !seen;
    const int what = (leg.cut            ? CUT
                      : leg.at_candidate ? 0
                                         : WN_MCC_DONE) |
                     (seen ? WATCHED : 0);
    if (!kind.has_b)
      s->since[l] = since;
    s->energy[l] = energy;
    s->highest[l] = energy > highest ? energy : highest;
    s->bin[l] = wn_xs_bin(&xs, energy);
    s->left[l] = wn_mcc_less(left, leg.dt);
    s->next[l] = arrives ? drawn : after;
    if (!kind.banded || kind.has_b)
      s->energy_sum[l] = counts ? sum + more : sum;
    s->n_candidates[l] = n_candidates + (uint32_t)counts;
    s->end[l] = flying ? what : end;
  }
  return any_of(s->end, n);
}

/* What wn_mcc_fly does above watch_ev. */
WN_CLONES static void watch_energies(const struct wn_mcc *m, int banded,
                                     struct wn_mcc_lanes *s, int n,
                                     struct wn_tally *tally)
{
  for (int l = 0; l < n; l++) {
    if (!(s->end[l] & WATCHED))
      continue;
    struct wn_mcc_reg r = wn_mcc_lane(s, l);
    if (m->has_b) /* wn_mcc_watch flies straight on */
      wn_mcc_commit_b(m, &r);
    int dead = wn_mcc_watch(m, &r, s->e[l], s->group[l], tally);
    s->end[l] = dead ? dead : s->end[l] & ~WATCHED;
    s->watch[l] = watch_from(m, s->e[l]->tag);
    if (s->end[l] == 0) {
      if (!banded || m->has_b)
        s->energy_sum[l] +=
            wn_mcc_energy_seen(banded, s->energy[l], s->slower[l], m->inv_nu);
      s->n_candidates[l]++;
    }
  }
}

/* Of those at a candidate: which may be real?  Without branches, as these are seldom
 * foreseen. */
static WN_HD void find_in(struct wn_mcc_kind kind, const struct wn_mcc *m,
                          struct wn_mcc_lanes *restrict s, int n,
                          const uint32_t *restrict choice,
                          const uint32_t *restrict flight, struct wn_tally *t)
{
  uint32_t major[LANES];
  int beyond[LANES], any = 0;
  for (int l = 0; l < n; l++)
    major[l] = m->xs.top[s->bin[l]].major;
  for (int l = 0; l < n; l++) {
    const uint32_t part = kind.banded ? s->part[l] : 0u, chosen = s->choice[l],
                   word = kind.banded ? wn_mcc_part_of(choice[l], flight[l], part)
                                      : choice[l];
    int end = s->end[l], at = s->flying[l] & (end == 0), event = at & (word < major[l]);
    s->end[l] = event ? WN_MCC_EVENT : end == CUT ? 0 : end;
    s->choice[l] = event ? word : chosen;
    s->flying[l] = (at & !event) | (end == CUT);
    beyond[l] = kind.banded ? at & (major[l] > part) : 0;
    any |= beyond[l];
  }
  for (int l = 0; WN_UNLIKELY(any) && l < n; l++)
    if (beyond[l])
      wn_tally_violation(t->alarms, s->e[l]->id);
}

/* x and u of a lane that stopped are these. */
static WN_HD void stop(struct wn_mcc_lanes *restrict s, int l, int stopped,
                       const float x[3], const float u[3])
{
  const float energy = s->energy[l], base = s->base_ev[l], gained = s->gained[l],
              since = s->since[l];
  for (int i = 0; i < 3; i++) {
    s->moved[i][l] = stopped ? x[i] : s->moved[i][l];
    s->u[i][l] = stopped ? u[i] : s->u[i][l];
  }
  s->gained[l] = stopped ? gained + (energy - base) : gained;
  s->base_ev[l] = stopped ? energy : base;
  s->since[l] = stopped ? 0.0f : since;
}

/* Bring x and u of those that stopped to the present: wn_mcc_commit. */
static WN_HD void commit_in(const struct wn_mcc *m, struct wn_mcc_kind kind,
                            struct wn_mcc_lanes *restrict s, int n)
{
  const struct wn_mcc_force uniform = m->uniform;
  float h[LANES], k[LANES], k_a2[LANES];
  int bent = 0;
  for (int l = 0; l < n; l++) {
    const float a2 = kind.in_grid ? s->a2[l] : uniform.a2;
    const struct wn_flight f =
        wn_flight_begin(a2, wn_mcc_rise(s->base_ev[l], s->energy[l]), s->since[l]);
    h[l] = f.h, k[l] = f.k, k_a2[l] = f.k_a2;
    bent |= f.k >= WN_FLIGHT_BENT;
  }
  for (int l = 0; WN_UNLIKELY(bent) && l < n; l++) {
    struct wn_flight f = {h[l], k[l], k_a2[l]};
    if (f.k < WN_FLIGHT_BENT)
      continue;
    f = wn_flight_bend(f, kind.in_grid ? s->a2[l] : uniform.a2);
    k[l] = f.k, k_a2[l] = f.k_a2;
  }
  for (int l = 0; l < n; l++) {
    float x[3] = {s->moved[0][l], s->moved[1][l], s->moved[2][l]},
          u[3] = {s->u[0][l], s->u[1][l], s->u[2][l]}, since = s->since[l];
    const struct wn_flight f = {h[l], k[l], k_a2[l]};
    const struct wn_mcc_force force = force_of(kind, s, uniform, l);
    const int stopped = s->end[l] != 0;
    if (kind.banded) {
      const float sum = s->energy_sum[l],
                  more =
                      wn_mcc_energy_time(u, force.a, s->base_ev[l], s->energy[l], since);
      s->energy_sum[l] = stopped ? sum + more : sum;
    }
    wn_flight_end(x, u, force.a, &f, since);
    stop(s, l, stopped, x, u);
  }
}

/* The same with losses along the flight: wn_mcc_commit_slowed. */
static WN_HD void commit_slowed_in(const struct wn_mcc *m,
                                   struct wn_mcc_lanes *restrict s, int n)
{
  const uint64_t seed = m->key.seed;
  uint32_t word[LANES];
  for (int l = 0; l < n; l++)
    word[l] = wn_rng(seed, (uint64_t)s->id[1][l] << 32 | s->id[0][l], s->event[l] - 1,
                     WN_RNG_EVENT, WN_RNG_BLOCK_LOSS)
                  .w[0];
  for (int l = 0; l < n; l++) {
    float x[3] = {s->moved[0][l], s->moved[1][l], s->moved[2][l]},
          u[3] = {s->u[0][l], s->u[1][l], s->u[2][l]};
    const struct wn_continuous_knot k = {s->s1[l], s->a2[l]};
    const float sum = s->energy_sum[l];
    const int stopped = s->end[l] != 0;
    const float more = wn_continuous_end(
        s->s0[l], k, s->since[l], s->base_ev[l], s->energy[l],
        wn_continuous_deflection(m->xs.continuous, s->base_ev[l]), word[l], x, u);
    s->energy_sum[l] = stopped ? sum + more : sum;
    stop(s, l, stopped, x, u);
  }
}

/* The same in a magnetic field. */
static WN_HD void commit_turned_in(const struct wn_mcc *m,
                                   struct wn_mcc_lanes *restrict s, int n)
{
  const struct wn_turn_field field = m->turn;
  float squares[LANES], moved[3][LANES], velocity[3][LANES];
  int32_t stopped[LANES], fast[LANES];
  for (int l = 0; l < n; l++) {
    const struct wn_turn turn = turn_of(s, l);
    const float square = wn_turn_square(&field, &turn, s->since[l]);
    const int turns = wn_mcc_turns(s->base_ev[l], wn_energy_slow(square)),
              ends = s->end[l] != 0;
    squares[l] = square;
    stopped[l] = ends & turns;
    fast[l] = ends & !turns;
  }
  if (WN_UNLIKELY(any_of(fast, n)))
    commit_fast(m, s, n, fast);
  for (int l = 0; l < n; l++) {
    const struct wn_turn turn = turn_of(s, l);
    float x[3] = {s->moved[0][l], s->moved[1][l], s->moved[2][l]},
          u[3] = {s->u[0][l], s->u[1][l], s->u[2][l]};
    wn_turn_end(x, u, &field, &turn, s->since[l], squares[l]);
    for (int i = 0; i < 3; i++) {
      moved[i][l] = x[i];
      velocity[i][l] = u[i];
    }
  }
  for (int l = 0; l < n; l++) {
    const float x[3] = {moved[0][l], moved[1][l], moved[2][l]},
                u[3] = {velocity[0][l], velocity[1][l], velocity[2][l]};
    stop(s, l, stopped[l], x, u);
  }
}

/* ---- all of it: for each kind, its loops */

struct loops {
  int in_grid, banded;
  void (*load)(const struct wn_mcc *m, struct wn_mcc_lanes *s, int l,
               struct wn_electron *e);
  void (*begin)(const struct wn_mcc *m, struct wn_mcc_lanes *restrict s, int n);
  int (*fly)(const struct wn_mcc *m, struct wn_mcc_lanes *restrict s, int n,
             const uint32_t *restrict flight);
  void (*find)(const struct wn_mcc *m, struct wn_mcc_lanes *restrict s, int n,
               const uint32_t *restrict choice, const uint32_t *restrict flight,
               struct wn_tally *t);
  void (*commit)(const struct wn_mcc *m, struct wn_mcc_lanes *restrict s, int n);
  int (*put_back)(const struct wn_mcc *m, struct wn_mcc_lanes *s, int n,
                  struct wn_tally *t);
};

static WN_HD struct wn_mcc_kind kind_of(const struct wn_mcc *m, short in_grid,
                                        short banded, short has_b, short slows)
{
  struct wn_mcc_kind kind = wn_mcc_kind(m);
  kind.in_grid = in_grid;
  kind.banded = banded;
  kind.has_b = has_b;
  kind.slows = slows;
  return kind;
}

#define FLIGHTS(where, in_grid, banded, has_b, slows)                                    \
  WN_CLONES static void begin_##where(const struct wn_mcc *m,                            \
                                      struct wn_mcc_lanes *restrict s, int n)            \
  {                                                                                      \
    begin_in(m, kind_of(m, in_grid, banded, has_b, slows), s, n);                        \
  }                                                                                      \
  WN_CLONES static int fly_##where(const struct wn_mcc *m,                               \
                                   struct wn_mcc_lanes *restrict s, int n,               \
                                   const uint32_t *restrict flight)                      \
  {                                                                                      \
    return fly_in(m, kind_of(m, in_grid, banded, has_b, slows), s, n, flight);           \
  }                                                                                      \
  WN_CLONES static void commit_##where(const struct wn_mcc *m,                           \
                                       struct wn_mcc_lanes *restrict s, int n)           \
  {                                                                                      \
    if (has_b)                                                                           \
      commit_turned_in(m, s, n);                                                         \
    else if (slows)                                                                      \
      commit_slowed_in(m, s, n);                                                         \
    else                                                                                 \
      commit_in(m, kind_of(m, in_grid, banded, has_b, slows), s, n);                     \
  }

#define STORES(where, in_grid, banded, slows)                                            \
  WN_CLONES static void load_##where(const struct wn_mcc *m, struct wn_mcc_lanes *s,     \
                                     int l, struct wn_electron *e)                       \
  {                                                                                      \
    load_in(m, kind_of(m, in_grid, banded, 0, slows), s, l, e);                          \
  }                                                                                      \
  WN_CLONES static void find_##where(                                                    \
      const struct wn_mcc *m, struct wn_mcc_lanes *restrict s, int n,                    \
      const uint32_t *restrict choice, const uint32_t *restrict flight,                  \
      struct wn_tally *t)                                                                \
  {                                                                                      \
    find_in(kind_of(m, in_grid, banded, 0, 0), m, s, n, choice, flight, t);              \
  }                                                                                      \
  WN_CLONES static int put_back_##where(const struct wn_mcc *m, struct wn_mcc_lanes *s,  \
                                        int n, struct wn_tally *t)                       \
  {                                                                                      \
    return put_back_in(m, kind_of(m, in_grid, banded, 0, slows), s, n, t);               \
  }

#define LOOPS(flight, store, in_grid, banded)                                            \
  {                                                                                      \
    in_grid, banded, load_##store, begin_##flight, fly_##flight, find_##store,           \
        commit_##flight, put_back_##store                                                \
  }

STORES(swarm, 0, 0, 0)
STORES(bands, 0, 1, 0)
STORES(grid, 1, 0, 0)
STORES(slowing, 0, 1, 1)
FLIGHTS(swarm, 0, 0, 0, 0)
FLIGHTS(bands, 0, 1, 0, 0)
FLIGHTS(grid, 1, 0, 0, 0)
FLIGHTS(turning, 0, 0, 1, 0)
FLIGHTS(turning_bands, 0, 1, 1, 0)
FLIGHTS(slowing, 0, 1, 0, 1)

static const struct loops *loops_of(const struct wn_mcc *m)
{
  static const struct loops grid = LOOPS(grid, grid, 1, 0),
                            slowing = LOOPS(slowing, slowing, 0, 1),
                            swarm[2][2] = {
                                {LOOPS(swarm, swarm, 0, 0), LOOPS(bands, bands, 0, 1)},
                                {LOOPS(turning, swarm, 0, 0),
                                 LOOPS(turning_bands, bands, 0, 1)}};
  return wn_mcc_slows(m) ? &slowing
         : m->in_grid    ? &grid
                         : &swarm[m->has_b != 0][m->banded != 0];
}

/* Newborns are advanced in the list where they are. */
static inline struct wn_electron *newborn(const struct wn_births *b, size_t k)
{
  return &((struct wn_electron *)(void *)b->e)[k];
}

static inline int has_next(const struct wn_births *b)
{
  return b->n_advanced < b->n && b->n_advanced < b->may_advance;
}

/* Room for as many newborns as there are lanes, before there are any: the list may move, and
 * with it the electrons of lanes that are in it. */
static void make_room(struct wn_mcc_lanes *s, int n, struct wn_births *b)
{
  size_t at[LANES];
  if (WN_LIKELY((size_t)n <= b->capacity - b->n))
    return;
  for (int l = 0; l < n; l++)
    at[l] = ((uintptr_t)s->e[l] - (uintptr_t)b->e) / sizeof *s->e[l];
  const size_t advanced = b->n_advanced;
  if (wn_births_reserve(b, (size_t)n))
    for (int l = 0; l < n; l++)
      s->e[l] = at[l] < advanced ? newborn(b, at[l]) : s->e[l];
}

/* max_energy_ev, of those that wn_mcc_watch did not see, too. */
static void note_highest(const struct wn_mcc *m, const struct wn_mcc_lanes *s,
                         struct wn_tally *tally)
{
  float highest = 0.0f;
  for (int l = 0; l < LANES; l++)
    highest = s->highest[l] > highest ? s->highest[l] : highest;
  if (highest >= m->watch_ev)
    wn_tally_max(&tally->alarms->max_energy_ev, (double)highest);
}

void wn_mcc_advance_lanes(const struct wn_mcc *m, struct wn_electron *e,
                          const uint32_t *list, size_t n, struct wn_tally *tally,
                          struct wn_births *births)
{
  const struct loops *f = loops_of(m);
  struct wn_mcc_lanes s;
  for (int l = 0; l < LANES; l++)
    s.highest[l] = 0.0f;
  size_t next = 0;
  int lanes = 0;
  for (;;) {
    while (lanes < LANES && next < n) {
      struct wn_electron *one = &e[list != NULL ? list[next] : next];
      if (one->t_left > 0.0f)
        f->load(m, &s, lanes++, one);
      next++;
    }
    for (; !f->in_grid && lanes < LANES && has_next(births); births->n_advanced++)
      f->load(m, &s, lanes++, newborn(births, births->n_advanced));
    if (lanes == 0)
      break;
    f->begin(m, &s, lanes);
    for (int word = 0; word < 4; word += 2) {
      if (f->banded)
        look_up_bands(m, &s, lanes);
      const int some = f->fly(m, &s, lanes, s.word[word + 1]);
      if (WN_UNLIKELY(some & WATCHED))
        watch_energies(m, f->banded, &s, lanes, tally);
      f->find(m, &s, lanes, s.word[word], s.word[word + 1], tally);
    }
    f->commit(m, &s, lanes);
    if (!f->in_grid)
      make_room(&s, lanes, births);
    wn_mcc_collide_lanes(m, &s, lanes, tally, births);
    lanes = f->put_back(m, &s, lanes, tally);
  }
  note_highest(m, &s, tally);
}
