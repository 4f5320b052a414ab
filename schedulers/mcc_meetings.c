/* schedulers/mcc_meetings.c - see mcc_meetings.h.
 *
 * The candidates of a round that may be real are packed, and then go through the parts of
 * wn_mcc_collide together: loops that become vectors where an electron is computed, short
 * ones without branches where a table is asked.  What cannot be foreseen - how far down
 * the list of processes, real or not, which kind - costs some ten nanoseconds each time
 * that the processor guesses wrong, so it makes lists, not branches.  Electrons that are
 * not slow are done one by one. */
#include "schedulers/mcc_meetings.h"
#include <stddef.h>
#include "physics/mcc_collide.h"
#include "schedulers/mcc_splits.h"

#define LANES WN_MCC_LANES

/* Entry k belongs to lane[k]. */
struct meetings {
  int n, lane[LANES], bin[LANES];
  uint32_t id[2][LANES], event[LANES], choice[LANES];
  /* the process that it may be, and the four among which it is: whose first, majorants */
  int process[LANES], first[LANES];
  uint32_t below[LANES];
  struct wn_xs_four four[LANES];
  float u[3][LANES], energy[LANES], sigma[LANES], pick[LANES], width[LANES];
  float free_time[LANES], control[LANES];
  uint32_t word[4][LANES];
  float s[LANES], t_ev[LANES], v[3][LANES]; /* with u: struct wn_mcc_meeting */
  /* of slow electrons, what their angles come from; q at the edges of bin */
  int elastic[LANES], angle_bin[LANES];
  float low[LANES], high[LANES], q[LANES], chi[LANES], d[3][LANES], drift[LANES];
  /* of those that end with one slow electron, what wn_collide_slow wants to know, and
   * whether it could; of the others control stays as it is */
  int is_slow[LANES], index[LANES], forbidden[LANES];
  float recoil[LANES], loss[LANES];
};

/* Some of the entries, in their order. */
struct list {
  int n, k[LANES];
};

/* Those that may be real. */
WN_CLONES static void line_up(const struct wn_mcc *m, const struct wn_mcc_lanes *s, int n,
                              struct meetings *restrict q)
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

/* wn_mcc_choose of all: four processes after the other, those that are above them on. */
static void choose(const struct wn_mcc *m, struct meetings *q)
{
  const struct wn_xs_four *major = m->xs.major;
  struct list on;
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
      more += q->choice[k] >= f.w[3];
    }
    on.n = more;
  }
}

WN_CLONES static void choose_of_four(struct meetings *restrict q)
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
static void look_up(const struct wn_mcc *m, struct meetings *q)
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

/* Which of them are real, and what becomes of those: one slow electron, two, or one that
 * is fast or none. */
static void sort_out(const struct wn_mcc *m, const struct wn_mcc_lanes *s,
                     struct meetings *q, struct wn_tally *t, struct list *slow,
                     struct list *splits, struct list *others)
{
  slow->n = splits->n = others->n = 0;
  for (int k = 0; k < q->n; k++) {
    const struct wn_process_view *v = &m->xs.process[q->process[k]];
    const int real = wn_mcc_is_real(m, q->process[k], v->threshold_ev, q->t_ev[k],
                                    q->pick[k], q->width[k], q->word[1][k],
                                    s->e[q->lane[k]]->id, t),
              two = v->kind == WN_PROC_IONIZATION,
              one = !two & (v->kind != WN_PROC_ATTACHMENT) & (q->energy[k] < WN_SLOW_EV);
    q->index[k] = s->group[q->lane[k]] * m->xs.n_processes + v->index;
    q->is_slow[k] = real & one;
    slow->k[slow->n] = splits->k[splits->n] = others->k[others->n] = k;
    slow->n += real & one;
    splits->n += real & two;
    others->n += real & !one & !two;
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

/* The tables of the elastic angles. */
static void look_up_angles(const struct wn_mcc *m, struct meetings *q)
{
  for (int k = 0; k < q->n; k++) {
    const float *angle = m->xs.gas[m->xs.process[q->process[k]].gas].angle;
    const int bin = wn_xs_bin(&m->xs, q->t_ev[k]);
    q->angle_bin[k] = bin;
    q->low[k] = angle[bin];
    q->high[k] = angle[bin + 1];
  }
}

WN_CLONES static void draw_angles(const struct wn_mcc *m, struct meetings *restrict q)
{
  const struct wn_xs_view xs = m->xs;
  for (int k = 0; k < q->n; k++) {
    const float t_ev = q->t_ev[k],
                table = wn_xs_angle_of(&xs, q->angle_bin[k], q->low[k], q->high[k], t_ev),
                coulomb = wn_angle_coulomb_q_f(t_ev);
    const float of = q->elastic[k] ? table : coulomb;
    q->q[k] = of;
    q->chi[k] = wn_angle_s_f(of, wn_u01_f(q->word[2][k]));
  }
}

WN_CLONES static void turn(struct meetings *restrict q)
{
  for (int k = 0; k < q->n; k++) {
    const float u[3] = {q->u[0][k], q->u[1][k], q->u[2][k]};
    float d[3], sine, cosine;
    wn_sincos_word_f(q->word[3][k], &sine, &cosine);
    q->drift[k] = wn_mcc_turn_slow(u, q->s[k], q->chi[k], sine, cosine, d);
    q->d[0][k] = d[0], q->d[1][k] = d[1], q->d[2][k] = d[2];
  }
}

/* The same with a forward peak; those that are not slow are done as well, and not looked
 * at. */
static void scatter_forward(const struct wn_mcc *m, struct meetings *q,
                            const struct list *slow)
{
  look_up_angles(m, q);
  draw_angles(m, q);
  if (m->xs.angle_model == WN_ANGLE_SCREENED_COULOMB)
    for (int i = 0; i < slow->n; i++) {
      const int k = slow->k[i];
      q->chi[k] =
          wn_mcc_spin_slow(m, q->chi[k], q->q[k], q->s[k],
                           (uint64_t)q->id[1][k] << 32 | q->id[0][k], q->event[k]);
    }
  turn(q);
}

/* wn_collide_slow, and back to the frame of the gas. */
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
    q->control[k] = us < 0.0f || !q->is_slow[k]
                        ? q->control[k]
                        : wn_fma(q->free_time[k], q->drift[k] * us, q->control[k]);
    q->u[0][k] = one.u[0], q->u[1][k] = one.u[1], q->u[2][k] = one.u[2];
    q->t_ev[k] = one.t_ev;
  }
}

/* The electron of entry k goes on with what is in *one; given: energy of the newborn. */
static inline __attribute__((always_inline)) void
leave(struct wn_mcc_lanes *s, const struct meetings *q, int k, float given,
      const struct wn_mcc_meeting *one, struct wn_tally *t)
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
}

WN_CLONES static void leave_slow(struct wn_mcc_lanes *s, const struct meetings *q,
                                 const struct list *slow, struct wn_tally *t)
{
  for (int i = 0; i < slow->n; i++) {
    const int k = slow->k[i];
    if (WN_UNLIKELY(q->forbidden[k])) {
      wn_tally_alarm(&t->alarms->n_forbidden);
      continue;
    }
    const struct wn_mcc_meeting one = {
        {q->u[0][k], q->u[1][k], q->u[2][k]}, 0.0f, q->t_ev[k], {0.0f, 0.0f, 0.0f}};
    leave(s, q, k, 0.0f, &one, t);
  }
}

/* What is done one by one is called with. */
struct one {
  const struct wn_process_view *v;
  const struct wn_gas_view *g;
  struct wn_rng4 w;
  struct wn_mcc_meeting meeting;
};

static inline struct one one_of(const struct wn_mcc *m, const struct meetings *q, int k)
{
  const struct wn_process_view *v = &m->xs.process[q->process[k]];
  const struct one one = {v,
                          &m->xs.gas[v->gas],
                          {{q->word[0][k], q->word[1][k], q->word[2][k], q->word[3][k]}},
                          {{q->u[0][k], q->u[1][k], q->u[2][k]},
                           q->s[k],
                           q->t_ev[k],
                           {q->v[0][k], q->v[1][k], q->v[2][k]}}};
  return one;
}

/* The end of a collision that was done by itself. */
static inline __attribute__((always_inline)) void
go_on(struct wn_mcc_lanes *s, struct meetings *q, int k, const struct wn_mcc_outcome *out,
      struct one *one, struct wn_tally *t)
{
  q->control[k] = wn_fma(q->free_time[k], out->drift, q->control[k]);
  wn_mcc_part(&one->meeting, out->u);
  leave(s, q, k, out->given, &one->meeting, t);
}

/* Ionization. */
static void list_splits(const struct meetings *q, const struct list *splits,
                        struct wn_mcc_splits *x)
{
  x->n = splits->n;
  for (int i = 0; i < splits->n; i++) {
    const int k = splits->k[i];
    x->process[i] = q->process[k];
    x->id[0][i] = q->id[0][k];
    x->id[1][i] = q->id[1][k];
    x->event[i] = q->event[k];
    x->word[0][i] = q->word[2][k];
    x->word[1][i] = q->word[3][k];
    for (int c = 0; c < 3; c++) {
      x->u[c][i] = (double)q->u[c][k];
      x->v[c][i] = q->v[c][k];
    }
  }
}

/* Where the next newborn is written: in the list of births, or, if that could not grow, where
 * nobody looks. */
static inline struct wn_electron *next_child(struct wn_births *b,
                                             struct wn_electron *nobody)
{
  return WN_LIKELY(wn_births_reserve(b, 1)) ? wn_births_next(b) : nobody;
}

WN_CLONES static void split(const struct wn_mcc *m, struct wn_mcc_lanes *s,
                            struct meetings *q, const struct list *splits,
                            struct wn_tally *t, struct wn_births *births)
{
  const struct wn_mcc_kind kind = wn_mcc_kind(m);
  struct wn_mcc_splits x;
  struct wn_electron nobody;
  list_splits(q, splits, &x);
  wn_mcc_split_many(m, &x);
  for (int i = 0; i < splits->n; i++) {
    const int k = splits->k[i], l = q->lane[k];
    const struct wn_electron *e = s->e[l];
    const float moved[3] = {s->moved[0][l], s->moved[1][l], s->moved[2][l]};
    const struct wn_rng4 b = {
        {x.birth[0][i], x.birth[1][i], x.birth[2][i], x.birth[3][i]}};
    struct wn_electron *child = next_child(births, &nobody);
    wn_mcc_newborn(m, kind, moved, s->left[l], e, &b, child);
    for (int c = 0; c < 3; c++)
      child->u[c] = (float)x.born[c][i];
    if (kind.in_grid)
      wn_mcc_grid_birth(&m->grid, e, moved, child);
    t->n_births++;
    const struct wn_mcc_outcome out = {
        {(float)x.u[0][i], (float)x.u[1][i], (float)x.u[2][i]},
        0.0f,
        (float)x.drift[i],
        wn_energy_f(wn_square_f(child->u)),
        0};
    struct one one = one_of(m, q, k);
    go_on(s, q, k, &out, &one, t);
  }
}

/* Attachment, and electrons that are not slow. */
WN_CLONES static void do_others(const struct wn_mcc *m, struct wn_mcc_lanes *s,
                                struct meetings *q, const struct list *others,
                                struct wn_tally *t)
{
  const struct wn_mcc_kind kind = wn_mcc_kind(m);
  for (int i = 0; i < others->n; i++) {
    const int k = others->k[i], l = q->lane[k];
    const struct wn_electron *e = s->e[l];
    struct one one = one_of(m, q, k);
    if (one.v->kind == WN_PROC_ATTACHMENT) {
      struct wn_mcc_reg r = wn_mcc_lane(s, l);
      s->end[l] = wn_mcc_attach(&r, e, q->index[k], 0, t);
      s->n_real[l] = r.n_real;
      continue;
    }
    const struct wn_mcc_outcome out =
        wn_mcc_deflect(m, kind, one.g, one.v, &one.meeting, e->id, &one.w, q->event[k]);
    if (WN_UNLIKELY(out.forbidden))
      wn_tally_alarm(&t->alarms->n_forbidden);
    else
      go_on(s, q, k, &out, &one, t);
  }
}

/* A lane without a change of state needs nothing: wn_mcc_commit was a rebase. */
void wn_mcc_meet(const struct wn_mcc *m, struct wn_mcc_lanes *s, int n,
                 struct wn_tally *t, struct wn_births *births)
{
  struct meetings q;
  struct list slow, splits, others;
  line_up(m, s, n, &q);
  choose(m, &q);
  choose_of_four(&q);
  look_up(m, &q);
  meet(m, &q);
  sort_out(m, s, &q, t, &slow, &splits, &others);
  if (splits.n > 0)
    split(m, s, &q, &splits, t, births);
  do_others(m, s, &q, &others, t);
  if (m->xs.angle_model == WN_ANGLE_ISOTROPIC)
    scatter_isotropic(&q);
  else
    scatter_forward(m, &q, &slow);
  part(&q);
  for (int k = 0; k < q.n; k++)
    s->control[q.lane[k]] = q.control[k];
  leave_slow(s, &q, &slow, t);
}
