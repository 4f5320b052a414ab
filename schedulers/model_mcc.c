/* schedulers/model_mcc.c - model `mcc` for the host: the loop around the physics of
 * physics/mcc.h, mcc_flight.h and mcc_collide.h, for one electron and for many.
 *
 * advance is the definition.  advance_many gives the same bits: it flies LANES electrons
 * to their next candidates together, in loops without branches that the compiler turns
 * into vector instructions; so are the velocity of the target and the kinematics of the
 * collision; only the choice of the process and the rare events are done one by one.
 * Electrons are independent, so the order changes nothing, and vectors round as scalars
 * do.
 *
 * What keeps a loop from becoming vectors (gcc 12, -fopt-info-vec-missed): reading what
 * belongs to m or the lanes under a condition, a table of structures, a reduction that is
 * not of plain 0 and 1. */
#include <math.h>
#include <stddef.h>
#include "base/error.h"
#include "physics/mcc_collide.h"
#include "physics/mcc_flight.h"
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

/* A multiple of every vector length; the state of all lanes stays in the first-level
 * cache. */
#define LANES 64

/* Beside WN_MCC_DONE, DEAD and EVENT, at the end of a flight: the energy is one that
 * wn_mcc_watch wants to see, and until it has, nothing else is known. */
#define WATCHED 16

/* The same, of a lane that goes on flying: it was cut at the horizon. */
#define CUT 32

/* struct wn_mcc_reg of all lanes and what belongs to it.  u and energy of a lane that
 * stopped are up to date after commit. */
struct lanes {
  float moved[3][LANES], u[3][LANES], base_ev[LANES], since[LANES], energy[LANES];
  float left[LANES], next[LANES], gained[LANES], energy_sum[LANES], control[LANES];
  uint32_t n_candidates[LANES], n_real[LANES];
  float s0[LANES], s1[LANES];
  float slower[LANES], horizon[LANES]; /* of the band, and part: in a swarm */
  uint32_t part[LANES];
  uint32_t id[2][LANES], event[LANES], word[4][LANES], choice[LANES];
  int32_t flying[LANES], end[LANES], bin[LANES];
  struct wn_electron *e[LANES];
  int group[LANES];
  float a[3][LANES], a2[LANES]; /* in a grid: the force */
  /* in a magnetic field: of struct wn_turn, but s0 and s1 */
  float sine[LANES], cosine[LANES], turns[LANES], period[LANES], inverse[LANES];
};

/* wn_mcc_force of a lane.  in_grid is a constant where the loops are, so that those of a
 * swarm read the one force before they begin. */
WN_BOTH struct wn_mcc_force force_of(const struct lanes *s, int in_grid,
                                     struct wn_mcc_force uniform, int l)
{
  if (!in_grid)
    return uniform;
  const struct wn_mcc_force f = {{s->a[0][l], s->a[1][l], s->a[2][l]}, s->a2[l]};
  return f;
}

/* Begin an event: its random numbers, the flight. */
WN_BOTH void begin_in(const struct wn_mcc *m, int in_grid, struct lanes *restrict s,
                      int n)
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
WN_CLONES static void look_up_bands(const struct wn_mcc *m, struct lanes *restrict s,
                                    int n)
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
                   struct lanes *restrict s, int n, const uint32_t *restrict flight)
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
WN_BOTH void find_events_in(const struct wn_mcc *m, int banded, struct lanes *restrict s,
                            int n, const uint32_t *restrict choice,
                            const uint32_t *restrict flight, struct wn_tally *t)
{
  uint32_t major[LANES];
  int beyond[LANES], any = 0;
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
      wn_tally_alarm(&t->alarms->n_violations);
}

/* Bring x and u of those that stopped to the present: wn_mcc_commit. */
WN_BOTH void commit_in(const struct wn_mcc *m, int in_grid, int banded,
                       struct lanes *restrict s, int n)
{
  const struct wn_mcc_force uniform = m->uniform;
  float h[LANES], k[LANES], k_a2[LANES];
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

/* Candidates of one round that may be real, packed: entry k belongs to lane[k]. */
struct meetings {
  int n, lane[LANES];
  int process[LANES]; /* the one that it may be */
  uint32_t id[2][LANES], event[LANES], word[4][LANES];
  float u[3][LANES], energy[LANES], sigma[LANES], pick[LANES], width[LANES];
  float free_time[LANES], control[LANES];
  float s[LANES], t_ev[LANES], v[3][LANES]; /* with u: struct wn_mcc_meeting */
  /* those that end with one slow electron: index in the tally, -1 for others; what
   * wn_collide_slow wants to know */
  int index[LANES], forbidden[LANES];
  float recoil[LANES], loss[LANES], d[3][LANES], drift[LANES];
};

/* The velocity of the target, and the electron as it sees it. */
WN_CLONES static void meet(const struct wn_mcc *m, struct meetings *restrict q)
{
  const uint64_t seed = m->key.seed;
  const float *normal = m->xs.normal;
  for (int k = 0; k < q->n; k++) {
    struct wn_rng4 w = wn_rng(seed, (uint64_t)q->id[1][k] << 32 | q->id[0][k],
                              q->event[k], WN_RNG_EVENT, WN_RNG_BLOCK_REAL);
    q->word[0][k] = w.w[0], q->word[1][k] = w.w[1], q->word[2][k] = w.w[2],
    q->word[3][k] = w.w[3];
  }
  for (int k = 0; k < q->n; k++) {
    const struct wn_rng4 w = {{q->word[0][k], q->word[1][k], 0, 0}};
    const float u[3] = {q->u[0][k], q->u[1][k], q->u[2][k]}, energy = q->energy[k];
    struct wn_mcc_meeting one;
    wn_mcc_target(normal, q->sigma[k], &w, one.v);
    wn_mcc_boost(&one, u, energy, 1.0f);
    q->control[k] =
        wn_fma(-q->free_time[k], wn_mcc_velocity_z(u[2], energy), q->control[k]);
    for (int i = 0; i < 3; i++) {
      q->u[i][k] = one.u[i];
      q->v[i][k] = one.v[i];
    }
    q->s[k] = one.s;
    q->t_ev[k] = one.t_ev;
  }
}

/* wn_mcc_scatter_slow for all, when angles are isotropic. */
WN_CLONES static void scatter_isotropic(struct meetings *restrict q)
{
  for (int k = 0; k < q->n; k++) {
    float d[3], sine, cosine;
    wn_sincos_word_f(q->word[3][k], &sine, &cosine);
    wn_angle_isotropic_f(d, q->word[2][k], sine, cosine);
    q->d[0][k] = d[0], q->d[1][k] = d[1], q->d[2][k] = d[2];
    q->drift[k] = d[2];
  }
}

/* wn_collide_slow, and back to the frame of the gas; those that do not part are done as
 * well and not looked at. */
WN_CLONES static void part(struct meetings *restrict q)
{
  for (int k = 0; k < q->n; k++) {
    const float d[3] = {q->d[0][k], q->d[1][k], q->d[2][k]};
    float u[3] = {q->u[0][k], q->u[1][k], q->u[2][k]};
    struct wn_mcc_meeting one;
    one.v[0] = q->v[0][k], one.v[1] = q->v[1][k], one.v[2] = q->v[2][k];
    float us = wn_collide_slow(u, wn_kinetic_slow(q->s[k]), q->recoil[k], q->loss[k], d);
    wn_mcc_part_slow(&one, u, us);
    q->forbidden[k] = us < 0.0f;
    q->control[k] = us < 0.0f || q->index[k] < 0
                        ? q->control[k]
                        : wn_fma(q->free_time[k], q->drift[k] * us, q->control[k]);
    q->u[0][k] = one.u[0], q->u[1][k] = one.u[1], q->u[2][k] = one.u[2];
    q->t_ev[k] = one.t_ev;
  }
}

/* From the lanes to the registers of the scalar code, and back. */
static inline struct wn_mcc_reg gather(const struct lanes *s, int l)
{
  struct wn_mcc_reg r = {
      {s->moved[0][l], s->moved[1][l], s->moved[2][l]},
      {s->u[0][l], s->u[1][l], s->u[2][l]},
      s->base_ev[l],
      s->since[l],
      s->energy[l],
      s->left[l],
      s->next[l],
      s->gained[l],
      s->control[l],
      s->energy_sum[l],
      s->n_candidates[l],
      s->n_real[l],
  };
  return r;
}

static inline void scatter(struct lanes *s, int l, const struct wn_mcc_reg *r)
{
  for (int i = 0; i < 3; i++) {
    s->moved[i][l] = r->moved[i];
    s->u[i][l] = r->u[i];
  }
  s->base_ev[l] = r->base_ev;
  s->since[l] = r->since;
  s->energy[l] = r->energy;
  s->left[l] = r->left;
  s->next[l] = r->next;
  s->gained[l] = r->gained;
  s->energy_sum[l] = r->energy_sum;
  s->control[l] = r->control;
  s->n_candidates[l] = r->n_candidates;
  s->n_real[l] = r->n_real;
}

WN_BOTH void load_in(const struct wn_mcc *m, int in_grid, struct lanes *s, int l,
                     struct wn_electron *e)
{
  struct wn_mcc_reg r;
  wn_mcc_load(m, e, &r);
  scatter(s, l, &r);
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

WN_BOTH void store_in(const struct wn_mcc *m, int in_grid, const struct lanes *s, int l,
                      struct wn_tally *tally)
{
  struct wn_mcc_reg r = gather(s, l);
  struct wn_electron *e = s->e[l];
  e->event = s->event[l];
  const int what = s->end[l] | wn_mcc_store(m, kind_of(m, in_grid), &r, e, s->end[l],
                                            s->group[l], tally);
  if (what & WN_MCC_DEAD) {
    e->t_left = WN_DEAD;
    tally->n_deaths++;
  }
}

WN_BOTH void copy_lane(int in_grid, struct lanes *s, int to, int from)
{
  struct wn_mcc_reg r = gather(s, from);
  scatter(s, to, &r);
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

/* What wn_mcc_fly does above watch_ev. */
static void watch_energies(const struct wn_mcc *m, struct lanes *s, int n,
                           struct wn_tally *tally)
{
  for (int l = 0; l < n; l++) {
    if (!(s->end[l] & WATCHED))
      continue;
    struct wn_mcc_reg r = gather(s, l);
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

/* Put the candidates that may be real on the list. */
static void line_up(const struct wn_mcc *m, const struct lanes *s, int n,
                    struct meetings *q)
{
  q->n = 0;
  for (int l = 0; l < n; l++) {
    if (!(s->end[l] & WN_MCC_EVENT))
      continue;
    int k = q->n++, bin = s->bin[l];
    int process = wn_mcc_choose(m, bin, s->choice[l], &q->pick[k], &q->width[k]);
    q->lane[k] = l;
    q->process[k] = process;
    q->free_time[k] = wn_mcc_free_time(m, &m->xs.top[bin]);
    q->sigma[k] =
        wn_mcc_target_sigma(m, &m->xs.gas[m->xs.process[process].gas], s->energy[l]);
    for (int i = 0; i < 3; i++)
      q->u[i][k] = s->u[i][l];
    q->energy[k] = s->energy[l];
    q->control[k] = s->control[l];
    q->id[0][k] = s->id[0][l];
    q->id[1][k] = s->id[1][l];
    q->event[k] = s->event[l] - 1;
  }
}

/* The electron of lane l goes on with what is in *one; given: energy of the newborn. */
static inline void leave(struct lanes *s, int l, int index, float given,
                         const struct wn_mcc_meeting *one, struct wn_tally *t)
{
  struct wn_mcc_reg r = gather(s, l);
  wn_mcc_leave(&r, s->e[l], index, given, one, t);
  for (int i = 0; i < 3; i++)
    s->u[i][l] = r.u[i];
  s->base_ev[l] = r.base_ev;
  s->since[l] = r.since;
  s->energy[l] = r.energy;
  s->n_real[l] = r.n_real;
}

/* Carry meeting k out, if it is a real collision, unless that can wait for part().
 * Without a change of state nothing is left to do: wn_mcc_commit was a rebase. */
WN_BOTH void react(const struct wn_mcc *m, int in_grid, struct lanes *s,
                   struct meetings *q, int k, struct wn_tally *t,
                   struct wn_births *births)
{
  const struct wn_mcc_kind kind = kind_of(m, in_grid);
  const struct wn_process_view *v = &m->xs.process[q->process[k]];
  const struct wn_gas_view *g = &m->xs.gas[v->gas];
  int l = q->lane[k];
  q->index[k] = -1;
  if (!wn_mcc_is_real(m, q->process[k], v->threshold_ev, q->t_ev[k], q->pick[k],
                      q->width[k], q->word[1][k], t))
    return;
  const struct wn_electron *e = s->e[l];
  int index = s->group[l] * m->xs.n_processes + v->index;
  const struct wn_rng4 w = {{q->word[0][k], q->word[1][k], q->word[2][k], q->word[3][k]}};
  struct wn_mcc_meeting one = {{q->u[0][k], q->u[1][k], q->u[2][k]},
                               q->s[k],
                               q->t_ev[k],
                               {q->v[0][k], q->v[1][k], q->v[2][k]}};
  struct wn_mcc_outcome out;
  if (v->kind == WN_PROC_ATTACHMENT) {
    struct wn_mcc_reg r = gather(s, l);
    s->end[l] = wn_mcc_attach(&r, e, index, t);
    s->n_real[l] = r.n_real;
    return;
  }
  if (WN_UNLIKELY(v->kind == WN_PROC_IONIZATION)) {
    struct wn_electron child;
    const float moved[3] = {s->moved[0][l], s->moved[1][l], s->moved[2][l]};
    out =
        wn_mcc_split(m, kind, g, v, &one, moved, s->left[l], e, &w, q->event[k], &child);
    if (kind.in_grid)
      wn_mcc_grid_birth(&m->grid, e, moved, &child);
    t->n_births++;
    wn_births_push(births, &child);
  } else if (WN_LIKELY(q->energy[k] < WN_SLOW_EV)) {
    q->index[k] = index;
    q->recoil[k] = g->recoil;
    q->loss[k] = v->loss;
    if (kind.angle_model != WN_ANGLE_ISOTROPIC) {
      float d[3];
      q->drift[k] = wn_mcc_scatter_slow(m, kind, g, v->kind == WN_PROC_ELASTIC, one.t_ev,
                                        one.s, &w, e->id, q->event[k], one.u, d);
      q->d[0][k] = d[0], q->d[1][k] = d[1], q->d[2][k] = d[2];
    }
    return;
  } else {
    out = wn_mcc_deflect(m, kind, g, v, &one, e->id, &w, q->event[k]);
    if (WN_UNLIKELY(out.forbidden)) {
      wn_tally_alarm(&t->alarms->n_forbidden);
      return;
    }
  }
  q->control[k] = wn_fma(q->free_time[k], out.drift, q->control[k]);
  wn_mcc_part(&one, out.u);
  leave(s, l, index, out.given, &one, t);
}

/* wn_mcc_collide of all that may collide. */
WN_BOTH void collide_in(const struct wn_mcc *m, int in_grid, struct lanes *s,
                        struct meetings *q, struct wn_tally *t, struct wn_births *births)
{
  meet(m, q);
  for (int k = 0; k < q->n; k++)
    react(m, in_grid, s, q, k, t, births);
  if (m->xs.angle_model == WN_ANGLE_ISOTROPIC)
    scatter_isotropic(q);
  part(q);
  for (int k = 0; k < q->n; k++) {
    int l = q->lane[k];
    s->control[l] = q->control[k];
    if (q->index[k] < 0)
      continue;
    if (WN_UNLIKELY(q->forbidden[k])) {
      wn_tally_alarm(&t->alarms->n_forbidden);
      continue;
    }
    const struct wn_mcc_meeting one = {
        {q->u[0][k], q->u[1][k], q->u[2][k]}, 0.0f, q->t_ev[k], {0.0f, 0.0f, 0.0f}};
    leave(s, l, q->index[k], 0.0f, &one, t);
  }
}

/* The loops of a swarm, whose candidates come in bands or not, and those of electrons in a
 * grid. */
#define LOOPS(where, in_grid, banded)                                                    \
  WN_CLONES static void load_##where(const struct wn_mcc *m, struct lanes *s, int l,     \
                                     struct wn_electron *e)                              \
  {                                                                                      \
    load_in(m, in_grid, s, l, e);                                                        \
  }                                                                                      \
  WN_CLONES static void begin_##where(const struct wn_mcc *m, struct lanes *restrict s,  \
                                      int n)                                             \
  {                                                                                      \
    begin_in(m, in_grid, s, n);                                                          \
  }                                                                                      \
  WN_CLONES static int fly_##where(const struct wn_mcc *m, struct lanes *restrict s,     \
                                   int n, const uint32_t *restrict flight)               \
  {                                                                                      \
    return fly_in(m, in_grid, banded, s, n, flight);                                     \
  }                                                                                      \
  WN_CLONES static void find_##where(const struct wn_mcc *m, struct lanes *restrict s,   \
                                     int n, const uint32_t *restrict choice,             \
                                     const uint32_t *restrict flight,                    \
                                     struct wn_tally *t)                                 \
  {                                                                                      \
    find_events_in(m, banded, s, n, choice, flight, t);                                  \
  }                                                                                      \
  WN_CLONES static void commit_##where(const struct wn_mcc *m, struct lanes *restrict s, \
                                       int n)                                            \
  {                                                                                      \
    commit_in(m, in_grid, banded, s, n);                                                 \
  }                                                                                      \
  WN_CLONES static void collide_##where(const struct wn_mcc *m, struct lanes *s,         \
                                        struct meetings *q, struct wn_tally *t,          \
                                        struct wn_births *births)                        \
  {                                                                                      \
    collide_in(m, in_grid, s, q, t, births);                                             \
  }                                                                                      \
  static void many_##where(const struct wn_mcc *m, struct wn_electron *e,                \
                           const uint32_t *list, size_t n, struct wn_tally *tally,       \
                           struct wn_births *births)                                     \
  {                                                                                      \
    static const struct parts f = {load_##where, begin_##where,  fly_##where,            \
                                   find_##where, commit_##where, collide_##where};       \
    many_in(m, in_grid, banded, &f, e, list, n, tally, births);                          \
  }

struct parts {
  void (*load)(const struct wn_mcc *m, struct lanes *s, int l, struct wn_electron *e);
  void (*begin)(const struct wn_mcc *m, struct lanes *restrict s, int n);
  int (*fly)(const struct wn_mcc *m, struct lanes *restrict s, int n,
             const uint32_t *restrict flight);
  void (*find)(const struct wn_mcc *m, struct lanes *restrict s, int n,
               const uint32_t *restrict choice, const uint32_t *restrict flight,
               struct wn_tally *t);
  void (*commit)(const struct wn_mcc *m, struct lanes *restrict s, int n);
  void (*collide)(const struct wn_mcc *m, struct lanes *s, struct meetings *q,
                  struct wn_tally *t, struct wn_births *births);
};

WN_BOTH void many_in(const struct wn_mcc *m, int in_grid, int banded,
                     const struct parts *f, struct wn_electron *e, const uint32_t *list,
                     size_t n, struct wn_tally *tally, struct wn_births *births)
{
  struct lanes s;
  struct meetings q;
  size_t next = 0;
  int lanes = 0;
  for (;;) {
    while (lanes < LANES && next < n) {
      struct wn_electron *one = &e[list != NULL ? list[next] : next];
      if (one->t_left > 0.0f)
        f->load(m, &s, lanes++, one);
      next++;
    }
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
    line_up(m, &s, lanes, &q);
    f->collide(m, &s, &q, tally, births);
    for (int l = lanes - 1; l >= 0; l--) {
      if (!(s.end[l] & (WN_MCC_DONE | WN_MCC_DEAD)))
        continue;
      store_in(m, in_grid, &s, l, tally);
      if (s.e[l]->t_left > 0.0f) /* the next mobility step */
        f->load(m, &s, l, s.e[l]);
      else if (l != --lanes)
        copy_lane(in_grid, &s, l, lanes);
    }
  }
}

LOOPS(swarm, 0, 0)
LOOPS(bands, 0, 1)
LOOPS(grid, 1, 0)

/* ---- a swarm in a magnetic field: the same loops with the turn of physics/turn.h.  What
 * flies in double precision (wn_mcc_turns) is done one by one after them. */

static struct wn_turn turn_of(const struct lanes *s, int l)
{
  const struct wn_turn t = {s->s0[l],    s->s1[l],     s->sine[l],   s->cosine[l],
                            s->turns[l], s->period[l], s->inverse[l]};
  return t;
}

WN_CLONES static void begin_turning(const struct wn_mcc *m, struct lanes *restrict s,
                                    int n)
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
                                                           const struct lanes *s, int n,
                                                           const int32_t *fast,
                                                           float *energy)
{
  for (int l = 0; l < n; l++)
    if (fast[l])
      energy[l] = wn_mcc_turned_ev(m, s->u[0][l], s->u[1][l], s->u[2][l], s->base_ev[l],
                                   s->since[l]);
}

WN_BOTH int fly_turning_in(const struct wn_mcc *m, int banded, struct lanes *restrict s,
                           int n, const uint32_t *restrict flight)
{
  const float inv_nu = m->inv_nu, watch_ev = m->watch_ev;
  const struct wn_xs_view xs = m->xs;
  const struct wn_turn_field field = m->turn;
  float energies[LANES], flown[LANES];
  int32_t fast[LANES], cuts[LANES], some = 0;
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

WN_CLONES static int fly_turning(const struct wn_mcc *m, struct lanes *restrict s, int n,
                                 const uint32_t *restrict flight)
{
  return fly_turning_in(m, 0, s, n, flight);
}

WN_CLONES static int fly_turning_bands(const struct wn_mcc *m, struct lanes *restrict s,
                                       int n, const uint32_t *restrict flight)
{
  return fly_turning_in(m, 1, s, n, flight);
}

/* wn_mcc_commit_b of one that does not turn. */
static __attribute__((noinline)) void commit_fast(const struct wn_mcc *m, struct lanes *s,
                                                  int l)
{
  struct wn_mcc_reg r = gather(s, l);
  wn_mcc_commit_b(m, &r);
  scatter(s, l, &r);
}

WN_CLONES static void commit_turning(const struct wn_mcc *m, struct lanes *restrict s,
                                     int n)
{
  const struct wn_turn_field field = m->turn;
  float squares[LANES], moved[3][LANES], velocity[3][LANES];
  int32_t stopped[LANES], fast[LANES], some = 0;
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
                                   find_swarm, commit_turning, collide_swarm},
                            bands = {load_bands, begin_turning,  fly_turning_bands,
                                     find_bands, commit_turning, collide_bands};
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

static void phase(struct wn_model *model, double t, double length)
{
  struct wn_mcc *m = model->data;
  m->t_end = t + length;
  wn_mcc_set_phase(m, length, model->steps);
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
    .phase = phase,
    .feel = feel,
    .gather = wn_mcc_grid_gather,
    .wake = wn_mcc_grid_wake_all,
    .advance = advance,
    .advance_many = advance_many,
    .pass = wn_mcc_grid_pass,
    .tables = tables,
    .is_electron = 1,
    .speed2 = -1,
};
