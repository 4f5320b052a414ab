/* schedulers/mcc_collisions.c - model `mcc`, many electrons at a time: their collisions.
 *
 * The candidates of a round that may be real are packed, and then go through the parts of
 * wn_mcc_collide together: loops that become vectors where an electron is computed, short
 * ones without branches where a table is read.  A branch that is predicted wrongly costs
 * some ten nanoseconds: whether a collision is real, of which process, of which kind.  So
 * candidates are sorted into lists instead.  physics/collisions/list.h has the list of each
 * process; the loops of a list are in the file of the process.  What is rare is done one by
 * one. */
#include <stddef.h>
#include "physics/mcc_collide.h"
#include "schedulers/mcc_lanes.h"
#include "schedulers/model.h"

/* Those that may be real. */
WN_CLONES static void gather_candidates(const struct wn_mcc *m,
                                        const struct wn_mcc_lanes *s, int n,
                                        struct wn_mcc_collisions *restrict q)
{
  int found = 0;
  for (int l = 0; l < n; l++) {
    __builtin_prefetch(&m->xs.major[s->bin[l]]);
    q->lane[found] = l;
    found += (s->end[l] & WN_MCC_EVENT) != 0;
  }
  q->n = found;
  for (int k = 0; k < found; k++) {
    const int l = q->lane[k];
    for (int i = 0; i < 3; i++)
      q->u[i][k] = s->u[i][l];
    q->energy[k] = s->energy[l];
    q->control[k] = s->control[l];
    q->id[0][k] = s->id[0][l];
    q->id[1][k] = s->id[1][l];
    q->event[k] = s->event[l] - 1;
    q->choice[k] = s->choice[l];
    q->bin[k] = s->bin[l];
  }
  for (int k = 0; k < found; k++)
    q->free_time[k] = wn_mcc_free_time(m, &m->xs.top[q->bin[k]]);
}

/* wn_mcc_choose of all: four processes after the other, those that are above them on.  What
 * those would read next is fetched of all: of fast electrons most go on. */
static void choose(const struct wn_mcc *m, struct wn_mcc_collisions *q)
{
  const struct wn_xs_four *major = m->xs.major;
  struct wn_mcc_list on;
  for (int k = 0; k < q->n; k++) {
    on.k[k] = k;
    q->four[k].w[3] = 0;
  }
  on.n = q->n;
  for (int first = 0; on.n > 0; first += 4, major += m->xs.n_bins) {
    int more = 0;
    for (int i = 0; i < on.n; i++) {
      const int k = on.k[i];
      const struct wn_xs_four f = major[q->bin[k]];
      q->below[k] = q->four[k].w[3];
      q->four[k] = f;
      q->first[k] = first;
      on.k[more] = k;
      __builtin_prefetch(&major[m->xs.n_bins + q->bin[k]]);
      more += q->choice[k] >= f.w[3];
    }
    on.n = more;
  }
}

WN_CLONES static void choose_of_four(struct wn_mcc_collisions *restrict q)
{
  for (int k = 0; k < q->n; k++) {
    float pick, width;
    const int of = wn_mcc_choose_of(q->four[k], q->below[k], q->choice[k], &pick, &width);
    q->process[k] = q->first[k] + of;
    q->pick[k] = pick;
    q->width[k] = width;
  }
}

/* What the process and its gas say of a slow electron, which most are. */
WN_CLONES static void look_up(const struct wn_mcc *m, struct wn_mcc_collisions *q)
{
  for (int k = 0; k < q->n; k++) {
    const struct wn_process_view *v = &m->xs.process[q->process[k]];
    const struct wn_gas_view *g = &m->xs.gas[v->gas];
    q->sigma[k] = wn_mcc_target_sigma(m, g, q->energy[k]);
    q->recoil[k] = g->recoil;
    q->loss[k] = v->loss;
    q->elastic[k] = v->kind == WN_PROC_ELASTIC;
    /* what sort_out will read, but for those that the target's velocity brings elsewhere */
    const struct wn_xs_bin_view b = m->xs.bin[q->bin[k]];
    const void *
        line = &m->xs.row[(size_t)m->xs.n_segments * (uint32_t)q->process[k] + b.segment],
       *part = &m->xs.part[b.segment];
    __builtin_prefetch(b.cut < 0.0f ? part : line);
  }
}

/* The velocity of the target, and the electron in its frame. */
WN_CLONES static void to_target_frame(const struct wn_mcc *m,
                                      struct wn_mcc_collisions *restrict q)
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
    struct wn_mcc_relative one;
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

/* Which of them are real, and what those leave (physics/collisions/list.h): one electron in a
 * new direction, slow or not, two electrons, one with less energy, or anything else. */
WN_CLONES static void sort_out(const struct wn_mcc *m, const struct wn_mcc_lanes *s,
                               struct wn_mcc_collisions *q, struct wn_tally *t,
                               struct wn_mcc_list *slow, struct wn_mcc_list *fast,
                               struct wn_mcc_list *splits, struct wn_mcc_list *slowed,
                               struct wn_mcc_list *others)
{
  slow->n = fast->n = splits->n = slowed->n = others->n = 0;
  for (int k = 0; k < q->n; k++) {
    const struct wn_process_view *v = &m->xs.process[q->process[k]];
    const int real = wn_mcc_is_real(m, q->process[k], v->threshold_ev, q->t_ev[k],
                                    q->pick[k], q->width[k], q->word[1][k],
                                    s->e[q->lane[k]]->id, t),
              two = wn_process_splits(v->kind), one = wn_process_scatters(v->kind),
              slows = wn_process_slows(v->kind), is_slow = q->energy[k] < WN_SLOW_EV;
    q->index[k] = s->group[q->lane[k]] * m->xs.n_processes + v->index;
    q->is_slow[k] = real & one & is_slow;
    slow->k[slow->n] = fast->k[fast->n] = splits->k[splits->n] = k;
    slowed->k[slowed->n] = others->k[others->n] = k;
    slow->n += real & one & is_slow;
    fast->n += real & one & !is_slow;
    splits->n += real & two;
    slowed->n += real & slows;
    others->n += real & !one & !two & !slows;
  }
}

/* The electron of entry k goes on with what is in *one; given: energy of the newborn. */
static inline __attribute__((always_inline)) void
leave(const struct wn_mcc *m, struct wn_mcc_lanes *s, const struct wn_mcc_collisions *q,
      int k, float given, const struct wn_mcc_relative *one, struct wn_tally *t)
{
  const int l = q->lane[k];
  struct wn_mcc_reg r = wn_mcc_lane(s, l);
  wn_mcc_leave(&r, s->e[l], q->index[k], given, one, 0, t);
  for (int i = 0; i < 3; i++)
    s->u[i][l] = r.u[i];
  s->base_ev[l] = r.base_ev;
  s->since[l] = r.since;
  s->energy[l] = r.energy;
  s->n_real[l] = r.n_real;
  if (WN_UNLIKELY(r.energy < m->floor_ev))
    s->end[l] = WN_MCC_DEAD;
}

/* The same of one electron that does not split, which may fall below the floor. */
static inline __attribute__((always_inline)) void
leave_alone(const struct wn_mcc *m, struct wn_mcc_lanes *s,
            const struct wn_mcc_collisions *q, int k, const struct wn_mcc_relative *one,
            struct wn_tally *t)
{
  leave(m, s, q, k, 0.0f, one, t);
  wn_mcc_remain(m, one->t_ev, s->e[q->lane[k]]->w, 0, 0.0f, s->group[q->lane[k]], t);
}

WN_CLONES static void leave_slow(const struct wn_mcc *m, struct wn_mcc_lanes *s,
                                 const struct wn_mcc_collisions *q,
                                 const struct wn_mcc_list *slow, struct wn_tally *t)
{
  for (int i = 0; i < slow->n; i++) {
    const int k = slow->k[i];
    if (WN_UNLIKELY(q->forbidden[k])) {
      wn_tally_alarm(&t->alarms->n_forbidden);
      continue;
    }
    const struct wn_mcc_relative one = {
        {q->u[0][k], q->u[1][k], q->u[2][k]}, 0.0f, q->t_ev[k], {0.0f, 0.0f, 0.0f}};
    leave_alone(m, s, q, k, &one, t);
  }
}

static inline struct wn_mcc_relative relative_of(const struct wn_mcc_collisions *q, int k)
{
  const struct wn_mcc_relative one = {{q->u[0][k], q->u[1][k], q->u[2][k]},
                                      q->s[k],
                                      q->t_ev[k],
                                      {q->v[0][k], q->v[1][k], q->v[2][k]}};
  return one;
}

/* The end of a collision that was done by itself. */
static inline __attribute__((always_inline)) void
go_on(const struct wn_mcc *m, struct wn_mcc_lanes *s, struct wn_mcc_collisions *q, int k,
      const struct wn_mcc_outcome *out, struct wn_tally *t)
{
  struct wn_mcc_relative one = relative_of(q, k);
  q->control[k] = wn_fma(q->free_time[k], out->drift, q->control[k]);
  wn_mcc_back(&one, out->u);
  leave_alone(m, s, q, k, &one, t);
}

/* Where the next newborn is written: in the list of births, or, if that could not grow, in
 * `lost`. */
static inline struct wn_electron *next_child(struct wn_births *b,
                                             struct wn_electron *lost)
{
  return WN_LIKELY(wn_births_reserve(b, 1)) ? wn_births_next(b) : lost;
}

WN_CLONES static void split(const struct wn_mcc *m, struct wn_mcc_lanes *s,
                            struct wn_mcc_collisions *q, const struct wn_mcc_list *splits,
                            struct wn_tally *t, struct wn_births *births)
{
  const struct wn_mcc_kind kind = wn_mcc_kind(m);
  struct wn_mcc_ionizations x;
  struct wn_electron lost;
  wn_mcc_ionize_many(m, q, splits, &x);
  for (int i = 0; i < splits->n; i++) {
    const int k = splits->k[i], l = q->lane[k];
    const float moved[3] = {s->moved[0][l], s->moved[1][l], s->moved[2][l]};
    if (wn_mcc_remain(m, x.after.t_ev[i], s->e[l]->w, 1, x.given[i], s->group[l], t) &
        WN_MCC_CHILD) {
      struct wn_electron *child = next_child(births, &lost);
      wn_mcc_ionized(m, kind, &x, i, moved, s->left[l], s->e[l], child);
      if (kind.in_grid)
        wn_mcc_grid_birth(&m->grid, s->e[l], moved, child);
      t->n_births++;
    }
    const struct wn_mcc_relative one = {
        {x.after.u[0][i], x.after.u[1][i], x.after.u[2][i]},
        0.0f,
        x.after.t_ev[i],
        {0.0f, 0.0f, 0.0f}};
    q->control[k] = wn_fma(q->free_time[k], (float)x.drift[i], q->control[k]);
    leave(m, s, q, k, x.given[i], &one, t);
  }
}

/* Those in a new direction that are not slow. */
WN_CLONES static void deflect_fast(const struct wn_mcc *m, struct wn_mcc_lanes *s,
                                   struct wn_mcc_collisions *q,
                                   const struct wn_mcc_list *fast, struct wn_tally *t)
{
  struct wn_mcc_fast x;
  wn_mcc_deflect_fast(m, q, fast, &x);
  for (int i = 0; i < fast->n; i++) {
    const int k = fast->k[i];
    if (WN_UNLIKELY(x.forbidden[i])) {
      wn_tally_alarm(&t->alarms->n_forbidden);
      continue;
    }
    const struct wn_mcc_relative one = {
        {x.after.u[0][i], x.after.u[1][i], x.after.u[2][i]},
        0.0f,
        x.after.t_ev[i],
        {0.0f, 0.0f, 0.0f}};
    q->control[k] = wn_fma(q->free_time[k], x.drift[i], q->control[k]);
    leave_alone(m, s, q, k, &one, t);
  }
}

/* Those that lose a quantum. */
WN_CLONES static void slow_down(const struct wn_mcc *m, struct wn_mcc_lanes *s,
                                const struct wn_mcc_collisions *q,
                                const struct wn_mcc_list *slowed, struct wn_tally *t)
{
  struct wn_mcc_slowed x;
  wn_mcc_friction_many(m, q, slowed, &x);
  for (int i = 0; i < slowed->n; i++) {
    if (WN_UNLIKELY(x.forbidden[i])) {
      wn_tally_alarm(&t->alarms->n_forbidden);
      continue;
    }
    const struct wn_mcc_relative one = {
        {x.after.u[0][i], x.after.u[1][i], x.after.u[2][i]},
        0.0f,
        x.after.t_ev[i],
        {0.0f, 0.0f, 0.0f}};
    leave_alone(m, s, q, slowed->k[i], &one, t);
  }
}

/* Processes that end the electron or are their own. */
WN_CLONES static void do_others(const struct wn_mcc *m, struct wn_mcc_lanes *s,
                                struct wn_mcc_collisions *q,
                                const struct wn_mcc_list *others, struct wn_tally *t)
{
  const struct wn_mcc_kind kind = wn_mcc_kind(m);
  for (int i = 0; i < others->n; i++) {
    const int k = others->k[i], l = q->lane[k];
    const struct wn_process_view *p = &m->xs.process[q->process[k]];
    if (wn_process_ends(p->kind)) {
      struct wn_mcc_reg r = wn_mcc_lane(s, l);
      s->end[l] = wn_mcc_attachment(&r, s->e[l], q->index[k], 0, t);
      s->n_real[l] = r.n_real;
      continue;
    }
    const struct wn_mcc_case c = {
        .q = relative_of(q, k),
        .w = {{q->word[0][k], q->word[1][k], q->word[2][k], q->word[3][k]}},
        .g = &m->xs.gas[p->gas],
        .p = p,
        .event = q->event[k]};
    const struct wn_mcc_outcome out = wn_mcc_leave_one(m, kind, &c, s->e[l]);
    if (WN_UNLIKELY(out.forbidden))
      wn_tally_alarm(&t->alarms->n_forbidden);
    else
      go_on(m, s, q, k, &out, t);
  }
}

/* A lane without a change of state needs nothing: wn_mcc_commit was a rebase. */
void wn_mcc_collide_lanes(const struct wn_mcc *m, struct wn_mcc_lanes *s, int n,
                          struct wn_tally *t, struct wn_births *births)
{
  struct wn_mcc_collisions q;
  struct wn_mcc_list slow, fast, splits, slowed, others;
  gather_candidates(m, s, n, &q);
  choose(m, &q);
  choose_of_four(&q);
  look_up(m, &q);
  to_target_frame(m, &q);
  sort_out(m, s, &q, t, &slow, &fast, &splits, &slowed, &others);
  if (splits.n > 0)
    split(m, s, &q, &splits, t, births);
  if (fast.n > 0)
    deflect_fast(m, s, &q, &fast, t);
  if (slowed.n > 0)
    slow_down(m, s, &q, &slowed, t);
  do_others(m, s, &q, &others, t);
  if (slow.n > 0)
    wn_mcc_deflect_many(m, &q, &slow);
  for (int k = 0; k < q.n; k++)
    s->control[q.lane[k]] = q.control[k];
  leave_slow(m, s, &q, &slow, t);
}
