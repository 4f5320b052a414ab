/* schedulers/model_mcc.c - model `mcc` for the host: the loop around the physics of
 * physics/mcc.h, mcc_flight.h and mcc_collide.h, for one electron and for many.
 *
 * advance is the definition.  advance_many gives the same bits: it flies WN_MCC_LANES
 * electrons to their next candidates together, in loops without branches that the compiler
 * turns into vector instructions, and so their collisions are computed (mcc_meetings.c);
 * rare events are done one by one.  Electrons are independent, so the order changes
 * nothing, and vectors round as scalars do.
 *
 * What keeps a loop from becoming vectors (gcc 12, -fopt-info-vec-missed): reading what
 * belongs to m or the lanes under a condition, a table of structures, a reduction that is
 * not of plain 0 and 1. */
#include <math.h>
#include <stddef.h>
#include "base/error.h"
#include "physics/mcc_collide.h"
#include "physics/mcc_flight.h"
#include "schedulers/mcc_lanes.h"
#include "schedulers/mcc_meetings.h"
#include "schedulers/model.h"
#include "schedulers/model_mcc_grid.h"

static int group_of(const struct wn_mcc *m, const struct wn_electron *e)
{
  return (int)wn_electron_group(e->tag, (uint32_t)m->n_groups);
}

/* One event: the flights, and what happens at their end. */
static WN_HD int one_event(const struct wn_mcc *m, struct wn_mcc_kind kind,
                           struct wn_mcc_reg *r, struct wn_electron *e, int group,
                           struct wn_tally *t, struct wn_electron *child)
{
  struct wn_mcc_ticket ticket;
  int what = wn_mcc_flights(m, kind, r, e, group, t, &ticket);
  if (what == 0)
    return 0;
  if (wn_mcc_waits(kind))
    wn_mcc_commit(m, kind, e, r);
  return what == WN_MCC_EVENT
             ? wn_mcc_collide(m, kind, r, e, group, t, child, ticket.event, ticket.choice)
             : what;
}

/* What is different in a grid is decided once, so that swarms pay nothing for it: what is
 * told in_grid is compiled for both. */
#define WN_BOTH static inline __attribute__((always_inline))
WN_BOTH struct wn_mcc_kind kind_of(const struct wn_mcc *m, int in_grid)
{
  struct wn_mcc_kind kind = wn_mcc_kind(m);
  kind.in_grid = (short)in_grid;
  kind.banded = wn_mcc_banded(m, in_grid);
  return kind;
}

WN_BOTH void advance_in(const struct wn_mcc *m, int in_grid, struct wn_electron *e,
                        struct wn_tally *tally, struct wn_births *births)
{
  const struct wn_mcc_kind kind = kind_of(m, in_grid);
  int group = group_of(m, e);
  struct wn_electron child;
  while (e->t_left > 0.0f) {
    struct wn_mcc_reg r;
    int what;
    wn_mcc_load(m, e, &r);
    do {
      what = one_event(m, kind, &r, e, group, tally, &child);
      if (what & WN_MCC_CHILD)
        wn_births_push(births, &child);
    } while (!(what & (WN_MCC_DONE | WN_MCC_DEAD)));
    what |= wn_mcc_store(m, kind, &r, e, what, group, tally);
    if (what & WN_MCC_DEAD) {
      e->t_left = WN_DEAD;
      tally->n_deaths++;
    }
  }
}

WN_CLONES static void advance_swarm(const struct wn_mcc *m, struct wn_electron *e,
                                    struct wn_tally *tally, struct wn_births *births)
{
  advance_in(m, 0, e, tally, births);
}

WN_CLONES static void advance_grid(const struct wn_mcc *m, struct wn_electron *e,
                                   struct wn_tally *tally, struct wn_births *births)
{
  advance_in(m, 1, e, tally, births);
}

static void advance(const struct wn_model *model, void *record, struct wn_tally *tally,
                    struct wn_births *births)
{
  const struct wn_mcc *m = model->data;
  m->in_grid ? advance_grid(m, record, tally, births)
             : advance_swarm(m, record, tally, births);
}

/* Beside WN_MCC_DONE, DEAD and EVENT, at the end of a flight: the energy is one that
 * wn_mcc_watch wants to see, and until it has, nothing else is known. */
#define WATCHED 16

/* The same, of a lane that goes on flying: it was cut at the horizon. */
#define CUT 32

/* wn_mcc_force of a lane.  in_grid is a constant where the loops are, so that those of a
 * swarm read the one force before they begin. */
WN_BOTH struct wn_mcc_force force_of(const struct wn_mcc_lanes *s, int in_grid,
                                     struct wn_mcc_force uniform, int l)
{
  if (!in_grid)
    return uniform;
  const struct wn_mcc_force f = {{s->a[0][l], s->a[1][l], s->a[2][l]}, s->a2[l]};
  return f;
}

/* Begin an event: its random numbers, the flight. */
WN_BOTH void begin_in(const struct wn_mcc *m, int in_grid,
                      struct wn_mcc_lanes *restrict s, int n)
{
  const struct wn_mcc_force uniform = m->uniform;
  const uint64_t seed = m->key.seed;
  for (int l = 0; l < n; l++) {
    struct wn_rng4 w = wn_rng(seed, (uint64_t)s->id[1][l] << 32 | s->id[0][l],
                              s->event[l]++, WN_RNG_EVENT, 0);
    s->word[0][l] = w.w[0], s->word[1][l] = w.w[1], s->word[2][l] = w.w[2],
    s->word[3][l] = w.w[3];
  }
  for (int l = 0; l < n; l++) {
    const float u[3] = {s->u[0][l], s->u[1][l], s->u[2][l]};
    const struct wn_mcc_force force = force_of(s, in_grid, uniform, l);
    const struct wn_mcc_parabola p = wn_mcc_parabola(&force, u);
    s->s0[l] = p.s0;
    s->s1[l] = p.s1;
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

/* Those that are flying: to the next candidate or to the end of the mobility step, which
 * is all of wn_mcc_fly but its look-up.  flight: word that names the flight after it.
 * Returns the bits of all ends together. */
WN_BOTH int fly_in(const struct wn_mcc *m, int in_grid, int banded,
                   struct wn_mcc_lanes *restrict s, int n,
                   const uint32_t *restrict flight)
{
  const float uniform = m->uniform.a2, inv_nu = m->inv_nu, watch_ev = m->watch_ev;
  const struct wn_xs_view xs = m->xs; /* a copy, as wn_xs_bin reads under conditions */
  for (int l = 0; l < n; l++) {
    float left = s->left[l], next = s->next[l], since = s->since[l], s0 = s->s0[l],
          s1 = s->s1[l], sum = s->energy_sum[l];
    const float a2 = in_grid ? s->a2[l] : uniform, slower = banded ? s->slower[l] : 1.0f,
                until = next * slower;
    int flying = s->flying[l], end = s->end[l], at = until <= left;
    uint32_t n_candidates = s->n_candidates[l];
    float dt = at ? until : left;
    const float horizon = banded ? s->horizon[l] : INFINITY;
    const int cut = flying & (dt > horizon);
    dt = cut ? horizon : dt;
    dt = flying ? dt : 0.0f;
    since += dt;
    const struct wn_mcc_parabola p = {s0, s1};
    const float energy = wn_energy_f(wn_mcc_parabola_at(&p, a2, since)),
                drawn = wn_exponential_f(flight[l]) * inv_nu,
                after = wn_mcc_less(next, banded ? 1.0f / slower * dt : dt);
    const int seen = energy >= watch_ev, arrives = flying & at & !cut,
              counts = arrives & !seen;
    const int what = (cut ? CUT : at ? 0 : WN_MCC_DONE) | (seen ? WATCHED : 0);
    s->since[l] = since;
    s->energy[l] = energy;
    s->bin[l] = wn_xs_bin(&xs, energy);
    s->left[l] = wn_mcc_less(left, dt);
    s->next[l] = arrives ? drawn : after;
    if (!banded)
      s->energy_sum[l] = counts ? sum + energy : sum;
    s->n_candidates[l] = n_candidates + (uint32_t)counts;
    s->end[l] = flying ? what : end;
  }
  int some = 0;
  for (int l = 0; l < n; l++)
    some |= s->end[l];
  return some;
}

/* Of those at a candidate: which may be real?  Without branches, as these are seldom
 * foreseen. */
WN_BOTH void find_events_in(const struct wn_mcc *m, int banded,
                            struct wn_mcc_lanes *restrict s, int n,
                            const uint32_t *restrict choice,
                            const uint32_t *restrict flight, struct wn_tally *t)
{
  uint32_t major[WN_MCC_LANES];
  int beyond[WN_MCC_LANES], any = 0;
  for (int l = 0; l < n; l++)
    major[l] = m->xs.top[s->bin[l]].major;
  for (int l = 0; l < n; l++) {
    const uint32_t part = banded ? s->part[l] : 0u, chosen = s->choice[l],
                   word = banded ? wn_mcc_part_of(choice[l], flight[l], part) : choice[l];
    int end = s->end[l], at = s->flying[l] & (end == 0), event = at & (word < major[l]);
    s->end[l] = event ? WN_MCC_EVENT : end == CUT ? 0 : end;
    s->choice[l] = event ? word : chosen;
    s->flying[l] = (at & !event) | (end == CUT);
    beyond[l] = banded ? at & (major[l] > part) : 0;
    any |= beyond[l];
  }
  for (int l = 0; WN_UNLIKELY(any) && l < n; l++)
    if (beyond[l])
      wn_tally_violation(t->alarms, s->e[l]->id);
}

/* Bring x and u of those that stopped to the present: wn_mcc_commit. */
WN_BOTH void commit_in(const struct wn_mcc *m, int in_grid, int banded,
                       struct wn_mcc_lanes *restrict s, int n)
{
  const struct wn_mcc_force uniform = m->uniform;
  float h[WN_MCC_LANES], k[WN_MCC_LANES], k_a2[WN_MCC_LANES];
  int bent = 0;
  for (int l = 0; l < n; l++) {
    const float a2 = in_grid ? s->a2[l] : uniform.a2;
    const struct wn_flight f =
        wn_flight_begin(a2, wn_mcc_rise(s->base_ev[l], s->energy[l]), s->since[l]);
    h[l] = f.h, k[l] = f.k, k_a2[l] = f.k_a2;
    bent |= f.k >= WN_FLIGHT_BENT;
  }
  for (int l = 0; WN_UNLIKELY(bent) && l < n; l++) {
    struct wn_flight f = {h[l], k[l], k_a2[l]};
    if (f.k < WN_FLIGHT_BENT)
      continue;
    f = wn_flight_bend(f, in_grid ? s->a2[l] : uniform.a2);
    k[l] = f.k, k_a2[l] = f.k_a2;
  }
  for (int l = 0; l < n; l++) {
    float x[3] = {s->moved[0][l], s->moved[1][l], s->moved[2][l]},
          u[3] = {s->u[0][l], s->u[1][l], s->u[2][l]}, since = s->since[l];
    float energy = s->energy[l], base = s->base_ev[l], gained = s->gained[l];
    const struct wn_flight f = {h[l], k[l], k_a2[l]};
    const struct wn_mcc_force force = force_of(s, in_grid, uniform, l);
    int stopped = s->end[l] != 0;
    if (banded) {
      const float sum = s->energy_sum[l],
                  more = wn_mcc_energy_time(u, force.a, base, energy, since);
      s->energy_sum[l] = stopped ? sum + more : sum;
    }
    wn_flight_end(x, u, force.a, &f, since);
    for (int i = 0; i < 3; i++) {
      s->moved[i][l] = stopped ? x[i] : s->moved[i][l];
      s->u[i][l] = stopped ? u[i] : s->u[i][l];
    }
    s->gained[l] = stopped ? gained + (energy - base) : gained;
    s->base_ev[l] = stopped ? energy : base;
    s->since[l] = stopped ? 0.0f : since;
  }
}

WN_BOTH void load_in(const struct wn_mcc *m, int in_grid, struct wn_mcc_lanes *s, int l,
                     struct wn_electron *e)
{
  struct wn_mcc_reg r;
  wn_mcc_load(m, e, &r);
  wn_mcc_lane_set(s, l, &r);
  if (in_grid) {
    const struct wn_mcc_force force = wn_mcc_force(m, kind_of(m, in_grid), e);
    for (int i = 0; i < 3; i++)
      s->a[i][l] = force.a[i];
    s->a2[l] = force.a2;
  }
  s->id[0][l] = (uint32_t)e->id;
  s->id[1][l] = (uint32_t)(e->id >> 32);
  s->event[l] = e->event;
  s->e[l] = e;
  s->group[l] = group_of(m, e);
}

WN_BOTH void store_in(const struct wn_mcc *m, int in_grid, const struct wn_mcc_lanes *s,
                      int l, struct wn_tally *tally)
{
  struct wn_mcc_reg r = wn_mcc_lane(s, l);
  struct wn_electron *e = s->e[l];
  e->event = s->event[l];
  const int what = s->end[l] | wn_mcc_store(m, kind_of(m, in_grid), &r, e, s->end[l],
                                            s->group[l], tally);
  if (what & WN_MCC_DEAD) {
    e->t_left = WN_DEAD;
    tally->n_deaths++;
  }
}

WN_BOTH void copy_lane(int in_grid, struct wn_mcc_lanes *s, int to, int from)
{
  struct wn_mcc_reg r = wn_mcc_lane(s, from);
  wn_mcc_lane_set(s, to, &r);
  s->id[0][to] = s->id[0][from];
  s->id[1][to] = s->id[1][from];
  s->event[to] = s->event[from];
  s->e[to] = s->e[from];
  s->group[to] = s->group[from];
  if (!in_grid)
    return;
  for (int i = 0; i < 3; i++)
    s->a[i][to] = s->a[i][from];
  s->a2[to] = s->a2[from];
}

/* Those whose mobility step is over leave their lanes, or begin the next.  Returns how many
 * lanes are left. */
WN_BOTH int put_back_in(const struct wn_mcc *m, int in_grid, struct wn_mcc_lanes *s,
                        int lanes, struct wn_tally *tally)
{
  for (int l = lanes - 1; l >= 0; l--) {
    if (!(s->end[l] & (WN_MCC_DONE | WN_MCC_DEAD)))
      continue;
    store_in(m, in_grid, s, l, tally);
    if (s->e[l]->t_left > 0.0f)
      load_in(m, in_grid, s, l, s->e[l]);
    else if (l != --lanes)
      copy_lane(in_grid, s, l, lanes);
  }
  return lanes;
}

/* What wn_mcc_fly does above watch_ev. */
static void watch_energies(const struct wn_mcc *m, struct wn_mcc_lanes *s, int n,
                           struct wn_tally *tally)
{
  for (int l = 0; l < n; l++) {
    if (!(s->end[l] & WATCHED))
      continue;
    struct wn_mcc_reg r = wn_mcc_lane(s, l);
    if (m->has_b && !m->in_grid) /* the watch knows no turn */
      wn_mcc_commit_b(m, &r);
    int dead = wn_mcc_watch(m, &r, s->e[l], s->group[l], tally);
    s->end[l] = dead ? dead : s->end[l] & ~WATCHED;
    if (s->end[l] == 0) {
      const int banded = m->banded && !m->in_grid;
      if (!banded || m->has_b)
        s->energy_sum[l] +=
            wn_mcc_energy_seen(banded, s->energy[l], s->slower[l], m->inv_nu);
      s->n_candidates[l]++;
    }
  }
}

/* The loops of a swarm, whose candidates come in bands or not, and those of electrons in a
 * grid. */
#define LOOPS(where, in_grid, banded)                                                    \
  WN_CLONES static void load_##where(const struct wn_mcc *m, struct wn_mcc_lanes *s,     \
                                     int l, struct wn_electron *e)                       \
  {                                                                                      \
    load_in(m, in_grid, s, l, e);                                                        \
  }                                                                                      \
  WN_CLONES static void begin_##where(const struct wn_mcc *m,                            \
                                      struct wn_mcc_lanes *restrict s, int n)            \
  {                                                                                      \
    begin_in(m, in_grid, s, n);                                                          \
  }                                                                                      \
  WN_CLONES static int fly_##where(const struct wn_mcc *m,                               \
                                   struct wn_mcc_lanes *restrict s, int n,               \
                                   const uint32_t *restrict flight)                      \
  {                                                                                      \
    return fly_in(m, in_grid, banded, s, n, flight);                                     \
  }                                                                                      \
  WN_CLONES static void find_##where(                                                    \
      const struct wn_mcc *m, struct wn_mcc_lanes *restrict s, int n,                    \
      const uint32_t *restrict choice, const uint32_t *restrict flight,                  \
      struct wn_tally *t)                                                                \
  {                                                                                      \
    find_events_in(m, banded, s, n, choice, flight, t);                                  \
  }                                                                                      \
  WN_CLONES static void commit_##where(const struct wn_mcc *m,                           \
                                       struct wn_mcc_lanes *restrict s, int n)           \
  {                                                                                      \
    commit_in(m, in_grid, banded, s, n);                                                 \
  }                                                                                      \
  WN_CLONES static int put_back_##where(const struct wn_mcc *m, struct wn_mcc_lanes *s,  \
                                        int n, struct wn_tally *t)                       \
  {                                                                                      \
    return put_back_in(m, in_grid, s, n, t);                                             \
  }                                                                                      \
  static void many_##where(const struct wn_mcc *m, struct wn_electron *e,                \
                           const uint32_t *list, size_t n, struct wn_tally *tally,       \
                           struct wn_births *births)                                     \
  {                                                                                      \
    static const struct parts f = {load_##where, begin_##where,  fly_##where,            \
                                   find_##where, commit_##where, put_back_##where};      \
    many_in(m, in_grid, banded, &f, e, list, n, tally, births);                          \
  }

struct parts {
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

/* Newborns that fly where they lie. */
static inline struct wn_electron *newborn(const struct wn_births *b, size_t k)
{
  return &((struct wn_electron *)(void *)b->e)[k];
}

static inline int has_next(const struct wn_births *b)
{
  return b->n_advanced < b->n && b->n_advanced < b->may_advance;
}

/* Room for as many newborns as there are lanes, before there are any: the list may move, and
 * those who fly in it with it. */
static void make_room(struct wn_mcc_lanes *s, int n, struct wn_births *b)
{
  size_t at[WN_MCC_LANES];
  if (WN_LIKELY((size_t)n <= b->capacity - b->n))
    return;
  for (int l = 0; l < n; l++)
    at[l] = ((uintptr_t)s->e[l] - (uintptr_t)b->e) / sizeof *s->e[l];
  const size_t flown = b->n_advanced;
  if (wn_births_reserve(b, (size_t)n))
    for (int l = 0; l < n; l++)
      s->e[l] = at[l] < flown ? newborn(b, at[l]) : s->e[l];
}

WN_BOTH void many_in(const struct wn_mcc *m, int in_grid, int banded,
                     const struct parts *f, struct wn_electron *e, const uint32_t *list,
                     size_t n, struct wn_tally *tally, struct wn_births *births)
{
  struct wn_mcc_lanes s;
  size_t next = 0;
  int lanes = 0;
  for (;;) {
    while (lanes < WN_MCC_LANES && next < n) {
      struct wn_electron *one = &e[list != NULL ? list[next] : next];
      if (one->t_left > 0.0f)
        f->load(m, &s, lanes++, one);
      next++;
    }
    for (; !in_grid && lanes < WN_MCC_LANES && has_next(births); births->n_advanced++)
      f->load(m, &s, lanes++, newborn(births, births->n_advanced));
    if (lanes == 0)
      return;
    f->begin(m, &s, lanes);
    for (int word = 0; word < 4; word += 2) {
      if (banded)
        look_up_bands(m, &s, lanes);
      const int some = f->fly(m, &s, lanes, s.word[word + 1]);
      if (WN_UNLIKELY(some & WATCHED))
        watch_energies(m, &s, lanes, tally);
      f->find(m, &s, lanes, s.word[word], s.word[word + 1], tally);
    }
    f->commit(m, &s, lanes);
    if (!in_grid)
      make_room(&s, lanes, births);
    wn_mcc_meet(m, &s, lanes, tally, births);
    lanes = f->put_back(m, &s, lanes, tally);
  }
}

LOOPS(swarm, 0, 0)
LOOPS(bands, 0, 1)
LOOPS(grid, 1, 0)

/* ---- a swarm in a magnetic field: the same loops with the turn of physics/turn.h.  What
 * flies in double precision (wn_mcc_turns) is done one by one after them. */

static struct wn_turn turn_of(const struct wn_mcc_lanes *s, int l)
{
  const struct wn_turn t = {s->s0[l],    s->s1[l],     s->sine[l],   s->cosine[l],
                            s->turns[l], s->period[l], s->inverse[l]};
  return t;
}

WN_CLONES static void begin_turning(const struct wn_mcc *m,
                                    struct wn_mcc_lanes *restrict s, int n)
{
  const struct wn_turn_field field = m->turn;
  begin_in(m, 0, s, n);
  for (int l = 0; l < n; l++) {
    const float u[3] = {s->u[0][l], s->u[1][l], s->u[2][l]};
    const struct wn_turn t =
        wn_turn_begin(&field, u, s->base_ev[l] * (float)(1.0 / WN_MC2_EV));
    s->s0[l] = t.s0, s->s1[l] = t.s1, s->sine[l] = t.sine, s->cosine[l] = t.cosine;
    s->turns[l] = t.turns, s->period[l] = t.period, s->inverse[l] = t.inverse;
  }
}

/* Energies of those that do not turn, if any; *at: that of each lane. */
static __attribute__((noinline)) void energies_of_the_fast(const struct wn_mcc *m,
                                                           const struct wn_mcc_lanes *s,
                                                           int n, const int32_t *fast,
                                                           float *energy)
{
  for (int l = 0; l < n; l++)
    if (fast[l])
      energy[l] = wn_mcc_turned_ev(m, s->u[0][l], s->u[1][l], s->u[2][l], s->base_ev[l],
                                   s->since[l]);
}

WN_BOTH int fly_turning_in(const struct wn_mcc *m, int banded,
                           struct wn_mcc_lanes *restrict s, int n,
                           const uint32_t *restrict flight)
{
  const float inv_nu = m->inv_nu, watch_ev = m->watch_ev;
  const struct wn_xs_view xs = m->xs;
  const struct wn_turn_field field = m->turn;
  float energies[WN_MCC_LANES], flown[WN_MCC_LANES];
  int32_t fast[WN_MCC_LANES], cuts[WN_MCC_LANES], some = 0;
  for (int l = 0; l < n; l++) {
    const float left = s->left[l], until = s->next[l] * (banded ? s->slower[l] : 1.0f),
                horizon = banded ? s->horizon[l] : INFINITY;
    float dt = until <= left ? until : left;
    const int flying = s->flying[l], cut = flying & (dt > horizon);
    dt = cut ? horizon : dt;
    dt = flying ? dt : 0.0f;
    cuts[l] = cut;
    flown[l] = dt;
    s->since[l] += dt;
  }
  for (int l = 0; l < n; l++) {
    const struct wn_turn turn = turn_of(s, l);
    const float energy = wn_energy_slow(wn_turn_square(&field, &turn, s->since[l]));
    energies[l] = energy;
    fast[l] = !wn_mcc_turns(s->base_ev[l], energy);
  }
  for (int l = 0; l < n; l++)
    some |= fast[l];
  if (WN_UNLIKELY(some))
    energies_of_the_fast(m, s, n, fast, energies);
  for (int l = 0; l < n; l++) {
    const float energy = energies[l], left = s->left[l], next = s->next[l], dt = flown[l],
                sum = s->energy_sum[l], slower = banded ? s->slower[l] : 1.0f,
                drawn = wn_exponential_f(flight[l]) * inv_nu,
                more = wn_mcc_energy_seen(banded, energy, slower, inv_nu),
                after = wn_mcc_less(next, banded ? 1.0f / slower * dt : dt);
    const int flying = s->flying[l], end = s->end[l], at = next * slower <= left,
              cut = cuts[l];
    const int seen = energy >= watch_ev, arrives = flying & at & !cut,
              counts = arrives & !seen;
    const int what = (cut ? CUT : at ? 0 : WN_MCC_DONE) | (seen ? WATCHED : 0);
    const uint32_t n_candidates = s->n_candidates[l];
    s->energy[l] = energy;
    s->bin[l] = wn_xs_bin(&xs, energy);
    s->left[l] = wn_mcc_less(left, dt);
    s->next[l] = arrives ? drawn : after;
    s->energy_sum[l] = counts ? sum + more : sum;
    s->n_candidates[l] = n_candidates + (uint32_t)counts;
    s->end[l] = flying ? what : end;
  }
  some = 0;
  for (int l = 0; l < n; l++)
    some |= s->end[l];
  return some;
}

WN_CLONES static int fly_turning(const struct wn_mcc *m, struct wn_mcc_lanes *restrict s,
                                 int n, const uint32_t *restrict flight)
{
  return fly_turning_in(m, 0, s, n, flight);
}

WN_CLONES static int fly_turning_bands(const struct wn_mcc *m,
                                       struct wn_mcc_lanes *restrict s, int n,
                                       const uint32_t *restrict flight)
{
  return fly_turning_in(m, 1, s, n, flight);
}

/* wn_mcc_commit_b of one that does not turn. */
static __attribute__((noinline)) void commit_fast(const struct wn_mcc *m,
                                                  struct wn_mcc_lanes *s, int l)
{
  struct wn_mcc_reg r = wn_mcc_lane(s, l);
  wn_mcc_commit_b(m, &r);
  wn_mcc_lane_set(s, l, &r);
}

WN_CLONES static void commit_turning(const struct wn_mcc *m,
                                     struct wn_mcc_lanes *restrict s, int n)
{
  const struct wn_turn_field field = m->turn;
  float squares[WN_MCC_LANES], moved[3][WN_MCC_LANES], velocity[3][WN_MCC_LANES];
  int32_t stopped[WN_MCC_LANES], fast[WN_MCC_LANES], some = 0;
  for (int l = 0; l < n; l++) {
    const struct wn_turn turn = turn_of(s, l);
    const float square = wn_turn_square(&field, &turn, s->since[l]);
    const int turns = wn_mcc_turns(s->base_ev[l], wn_energy_slow(square)),
              ends = s->end[l] != 0;
    squares[l] = square;
    stopped[l] = ends & turns;
    fast[l] = ends & !turns;
  }
  for (int l = 0; l < n; l++)
    some |= fast[l];
  for (int l = 0; WN_UNLIKELY(some) && l < n; l++)
    if (fast[l])
      commit_fast(m, s, l);
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
    const float energy = s->energy[l], base = s->base_ev[l], gained = s->gained[l],
                since = s->since[l];
    const int here = stopped[l];
    for (int i = 0; i < 3; i++) {
      s->moved[i][l] = here ? moved[i][l] : s->moved[i][l];
      s->u[i][l] = here ? velocity[i][l] : s->u[i][l];
    }
    s->gained[l] = here ? gained + (energy - base) : gained;
    s->base_ev[l] = here ? energy : base;
    s->since[l] = here ? 0.0f : since;
  }
}

static void many_turning(const struct wn_mcc *m, struct wn_electron *e, size_t n,
                         struct wn_tally *tally, struct wn_births *births)
{
  static const struct parts all = {load_swarm, begin_turning,  fly_turning,
                                   find_swarm, commit_turning, put_back_swarm},
                            bands = {load_bands, begin_turning,  fly_turning_bands,
                                     find_bands, commit_turning, put_back_bands};
  if (m->banded)
    many_in(m, 0, 1, &bands, e, NULL, n, tally, births);
  else
    many_in(m, 0, 0, &all, e, NULL, n, tally, births);
}

static void advance_many(const struct wn_model *model, void *records, size_t n,
                         struct wn_tally *tally, struct wn_births *births)
{
  const struct wn_mcc *m = model->data;
  struct wn_electron *e = records;
  if (m->has_b && !m->in_grid) {
    many_turning(m, e, n, tally, births);
    return;
  }
  if (m->has_b) {
    for (size_t i = 0; i < n; i++)
      advance(model, &e[i], tally, births);
    return;
  }
  m->in_grid  ? many_grid(m, e, NULL, n, tally, births)
  : m->banded ? many_bands(m, e, NULL, n, tally, births)
              : many_swarm(m, e, NULL, n, tally, births);
}

void wn_mcc_advance_listed(const struct wn_mcc *m, struct wn_electron *e,
                           const uint32_t *list, size_t n, struct wn_tally *tally,
                           struct wn_births *births)
{
  many_grid(m, e, list, n, tally, births);
}

/* They are among an electron's candidates, which are a Poisson process of rate nu_max at
 * the most, whatever it does. */
static double newborns(const struct wn_model *model)
{
  const struct wn_mcc *m = model->data;
  return m->dt / m->inv_nu;
}

static void begin_step(struct wn_model *model, double t, double length)
{
  struct wn_mcc *m = model->data;
  m->t_end = t + length;
  wn_mcc_set_step(m, length, model->steps);
  if (m->in_grid) {
    m->grid.points.dt = m->dt;
    wn_mcc_grid_prepare(&m->grid);
  }
}

static int feel(struct wn_model *model, const struct wn_field_view *field)
{
  struct wn_mcc *m = model->data;
  const struct wn_uniform_view *v = &field->of.uniform;
  if (m->in_grid)
    return wn_mcc_grid_live(model, field);
  if (field->kind != WN_FIELD_UNIFORM)
    return WN_FAIL(WN_EINTERN, "electrons of a swarm live in a uniform field only");
  const double gyro = WN_QM * v->b;
  for (int i = 0; i < 3; i++) {
    m->accel[i] = 0.0 - WN_QM * v->e[i]; /* no -0 where the field is 0 */
    m->gyro[i] = gyro * v->b_axis[i];
  }
  m->has_b = wn_turn_is_felt(m->gyro);
  wn_mcc_set_field(m);
  wn_mcc_set_bands(m);
  return WN_OK;
}

/* Every array of struct wn_xs_view but the edges, which only the making of tables asks,
 * a line each; sizes: physics/xs_view.h. */
static size_t tables(const struct wn_model *model, struct wn_model_table *list)
{
  const struct wn_mcc *m = model->data;
  const struct wn_xs_view *xs = &m->xs;
  size_t bins = (size_t)xs->n_bins, processes = (size_t)xs->n_processes, k = 0;
  _Static_assert(9 + WN_XS_MAX_GASES <= WN_MODEL_TABLES, "9 lines below, and the gases");
#define TABLE(pointer, n)                                                                \
  (WN_ASSERT(k < WN_MODEL_TABLES),                                                       \
   list[k++] = (struct wn_model_table){                                                  \
       (size_t)((const char *)&m->pointer - (const char *)m), (n) * sizeof *m->pointer})
  TABLE(xs.major, bins * wn_xs_fours(xs));
  TABLE(xs.normal, WN_XS_NORMALS);
  TABLE(xs.top, bins);
  TABLE(xs.bin, bins);
  TABLE(xs.part, xs->n_parts);
  TABLE(xs.edge, 0);
  TABLE(xs.process, processes);
  TABLE(xs.row, xs->n_segments * processes);
  for (int i = 0; i < xs->n_gases; i++)
    TABLE(xs.gas[i].angle, xs->gas[i].angle != NULL ? bins + 1 : 0);
  TABLE(threshold_ev, (size_t)m->n_thresholds);
#undef TABLE
  return k;
}

const struct wn_model_ops wn_model_mcc = {
    .name = "mcc",
    .doc = "electrons in gases: exact free flight, null collisions, any number of "
           "collisions a step",
    .bytes = sizeof(struct wn_mcc),
    .record = {.bytes = sizeof(struct wn_electron),
               .t_left = offsetof(struct wn_electron, t_left)},
    .newborns = newborns,
    .begin_step = begin_step,
    .set_field = feel,
    .gather = wn_mcc_grid_gather,
    .start_newborns = wn_mcc_grid_wake_all,
    .advance = advance,
    .advance_many = advance_many,
    .pass = wn_mcc_grid_pass,
    .tables = tables,
    .is_electron = 1,
    .gpu = WN_ON_GPU(wn_gpu_model_mcc),
};
