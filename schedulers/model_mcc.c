/* schedulers/model_mcc.c - model `mcc` for the host: the loop around physics/mcc.h, for
 * one electron and for many.
 *
 * advance is the definition.  advance_many gives the same bits: it flies LANES electrons
 * to their next candidates together, in loops without branches that the compiler turns
 * into vector instructions; so are the velocity of the target and the kinematics of the
 * collision; only the choice of the process and the rare events are done one by one.
 * Electrons are independent, so the order changes nothing, and vectors round as scalars
 * do. */
#include <math.h>
#include "schedulers/model.h"

static int group_of(const struct wn_mcc *m, const struct wn_electron *e)
{
  return (int)((e->tag & WN_TAG_LINEAGE_MASK) % (uint32_t)m->n_groups);
}

static void advance(const struct wn_model *model, struct wn_electron *e,
                    struct wn_tally *tally, struct wn_births *births)
{
  const struct wn_mcc *m = &model->mcc;
  const struct wn_mcc_kind kind = wn_mcc_kind(m);
  int group = group_of(m, e);
  struct wn_electron child;
  while (e->t_left > 0.0f) {
    struct wn_mcc_reg r;
    int what;
    wn_mcc_load(m, e, &r);
    do {
      what = wn_mcc_advance(m, kind, &r, e, group, tally, &child);
      if (what & WN_MCC_CHILD)
        wn_births_push(births, &child);
    } while (!(what & (WN_MCC_DONE | WN_MCC_DEAD)));
    wn_mcc_store(m, &r, e, group, tally);
    if (what & WN_MCC_DEAD) {
      e->t_left = WN_DEAD;
      tally->n_deaths++;
    }
  }
}

/* One function for several instruction sets, chosen at start.  Sanitizers do not like the
 * mechanism (ifunc). */
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) &&                   \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) &&                   \
    defined(__gnu_linux__)
#define VECTOR_CLONES                                                                    \
  __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default"),           \
                 optimize("O3")))
#else
#define VECTOR_CLONES
#endif

#define LANES                                                                            \
  32 /* a multiple of every vector length; the state of all lanes stays in the           \
        first-level cache */

struct lanes {
  double moved[3][LANES], u[3][LANES], base_ev[LANES], s0[LANES], s1[LANES], since[LANES];
  double energy[LANES], left[LANES], next[LANES], gained[LANES], energy_sum[LANES];
  uint32_t id[2][LANES], event[LANES], word[4][LANES], n_candidates[LANES];
  int32_t flying[LANES], candidate[LANES];
  /* what the vector loops do not touch */
  struct wn_mcc_reg r[LANES];
  struct wn_electron *e[LANES];
};

/* The random numbers of the coming event. */
VECTOR_CLONES static void draw(const struct wn_mcc *m, struct lanes *restrict s, int n)
{
  const uint64_t seed = m->seed;
  for (int l = 0; l < n; l++) {
    struct wn_rng4 w = wn_rng(seed, (uint64_t)s->id[1][l] << 32 | s->id[0][l],
                              s->event[l]++, WN_RNG_EVENT, 0);
    s->word[0][l] = w.w[0], s->word[1][l] = w.w[1], s->word[2][l] = w.w[2],
    s->word[3][l] = w.w[3];
    s->flying[l] = 1;
  }
}

/* Those that are flying: to the next candidate or to the end of the mobility step;
 * flight: which word names the flight after it. */
VECTOR_CLONES static void fly(const struct wn_mcc *m, struct lanes *restrict s, int n,
                              int flight)
{
  const double a2 = m->accel2_c2, inv_nu = m->inv_nu;
  for (int l = 0; l < n; l++) {
    double left = s->left[l], next = s->next[l], since = s->since[l];
    int at = next <= left;
    double dt = s->flying[l] ? (at ? next : left) : 0.0;
    since += dt;
    left -= dt;
    next -= dt;
    const struct wn_mcc_parabola p = {s->s0[l], s->s1[l]};
    double drawn = (double)wn_exponential_f(s->word[flight][l]) * inv_nu;
    s->energy[l] = wn_kinetic_of(wn_mcc_parabola_at(&p, a2, since), 0);
    s->since[l] = since;
    s->left[l] = left;
    s->next[l] = s->flying[l] && at ? drawn : next;
    s->candidate[l] = at;
  }
}

/* Real collisions of one round, packed: entry k belongs to lane[k]. */
struct meetings {
  int n, lane[LANES];
  double moved[3][LANES], u[3][LANES], base_ev[LANES], since[LANES], energy[LANES];
  double gained[LANES], v_z[LANES];
  double gamma[LANES], t_ev[LANES], beta[3][LANES], sigma[LANES], sine[LANES],
      cosine[LANES];
  double width[LANES], free_time[LANES];
  float pick[LANES];
  uint32_t id[2][LANES], event[LANES], word[4][LANES];
  const struct wn_gas_view *gas[LANES];
};

/* Those of them that end with one electron: process chosen, direction known. */
struct partings {
  int n, from[LANES], process[LANES];
  double k_ev[LANES], mass[LANES], loss[LANES], d[3][LANES], drift[LANES];
  double u[3][LANES], gamma[LANES], t_ev[LANES], beta[3][LANES];
};

/* Bring x and u to the present. */
VECTOR_CLONES static void commit(const struct wn_mcc *m, struct meetings *restrict q)
{
  const double a[3] = {m->accel[0], m->accel[1], m->accel[2]}, inv_a2 = m->inv_accel2,
               a2_c2 = m->accel2_c2;
  for (int k = 0; k < q->n; k++) {
    double x[3] = {q->moved[0][k], q->moved[1][k], q->moved[2][k]},
           u[3] = {q->u[0][k], q->u[1][k], q->u[2][k]};
    double energy = q->energy[k], base = q->base_ev[k],
           gamma = 1.0 + energy * (1.0 / WN_MC2_EV);
    wn_flight_e_gammas(x, u, 1.0 + base * (1.0 / WN_MC2_EV), gamma, a, inv_a2, a2_c2,
                       q->since[k], 1);
    q->moved[0][k] = x[0], q->moved[1][k] = x[1], q->moved[2][k] = x[2];
    q->u[0][k] = u[0], q->u[1][k] = u[1], q->u[2][k] = u[2];
    q->gained[k] = energy - base;
    q->gamma[k] = gamma;
    q->t_ev[k] = energy;
    q->v_z[k] = wn_mcc_velocity_z(u[2], gamma);
  }
}

VECTOR_CLONES static void meet(const struct wn_mcc *m, struct meetings *restrict q)
{
  const uint64_t seed = m->seed;
  const float *normal = m->xs.normal;
  for (int k = 0; k < q->n; k++) {
    struct wn_rng4 w = wn_rng(seed, (uint64_t)q->id[1][k] << 32 | q->id[0][k],
                              q->event[k], WN_RNG_EVENT, WN_RNG_BLOCK_REAL);
    q->word[0][k] = w.w[0], q->word[1][k] = w.w[1], q->word[2][k] = w.w[2],
    q->word[3][k] = w.w[3];
  }
  for (int k = 0; k < q->n; k++) {
    const struct wn_rng4 w = {{q->word[0][k], q->word[1][k], 0, 0}};
    double beta[3];
    wn_mcc_target(normal, q->sigma[k], &w, beta);
    q->beta[0][k] = beta[0], q->beta[1][k] = beta[1], q->beta[2][k] = beta[2];
  }
  for (int k = 0; k < q->n; k++) {
    struct wn_mcc_meeting one = {{q->u[0][k], q->u[1][k], q->u[2][k]},
                                 q->gamma[k],
                                 q->t_ev[k],
                                 {q->beta[0][k], q->beta[1][k], q->beta[2][k]}};
    int moves = q->sigma[k] > 0.0;
    wn_mcc_meet(&one, 0);
    q->u[0][k] = moves ? one.u[0] : q->u[0][k];
    q->u[1][k] = moves ? one.u[1] : q->u[1][k];
    q->u[2][k] = moves ? one.u[2] : q->u[2][k];
    q->gamma[k] = moves ? one.gamma : q->gamma[k];
    q->t_ev[k] = moves ? one.t_ev : q->t_ev[k];
    wn_sincos_word(q->word[3][k], &q->sine[k], &q->cosine[k]);
  }
}

VECTOR_CLONES static void part(struct partings *restrict p)
{
  for (int k = 0; k < p->n; k++) {
    struct wn_mcc_meeting one = {{p->u[0][k], p->u[1][k], p->u[2][k]},
                                 p->gamma[k],
                                 p->t_ev[k],
                                 {p->beta[0][k], p->beta[1][k], p->beta[2][k]}};
    const double d[3] = {p->d[0][k], p->d[1][k], p->d[2][k]};
    p->drift[k] *=
        wn_collide_two_body(one.u, &one.gamma, p->k_ev[k], p->mass[k], p->loss[k], d);
    wn_mcc_part(&one, 0);
    p->u[0][k] = one.u[0], p->u[1][k] = one.u[1], p->u[2][k] = one.u[2];
    p->t_ev[k] = one.t_ev;
  }
}

static void set_parabola(const struct wn_mcc *m, struct lanes *s, int l)
{
  struct wn_mcc_parabola p = wn_mcc_parabola(m, s->r[l].u);
  s->s0[l] = p.s0;
  s->s1[l] = p.s1;
}

static void load(const struct wn_mcc *m, struct lanes *s, int l, struct wn_electron *e)
{
  struct wn_mcc_reg *r = &s->r[l];
  wn_mcc_load(m, e, r);
  for (int i = 0; i < 3; i++) {
    s->moved[i][l] = r->moved[i];
    s->u[i][l] = r->u[i];
  }
  s->base_ev[l] = r->base_ev;
  set_parabola(m, s, l);
  s->since[l] = r->since;
  s->energy[l] = r->energy;
  s->left[l] = r->left;
  s->next[l] = r->next;
  s->gained[l] = s->energy_sum[l] = 0.0;
  s->n_candidates[l] = 0;
  s->id[0][l] = (uint32_t)e->id;
  s->id[1][l] = (uint32_t)(e->id >> 32);
  s->event[l] = e->event;
  s->e[l] = e;
}

/* From the lanes to the registers of the scalar code. */
static void gather(struct lanes *s, int l)
{
  struct wn_mcc_reg *r = &s->r[l];
  for (int i = 0; i < 3; i++) {
    r->moved[i] = s->moved[i][l];
    r->u[i] = s->u[i][l];
  }
  r->base_ev = s->base_ev[l];
  r->since = s->since[l];
  r->energy = s->energy[l];
  r->left = s->left[l];
  r->next = s->next[l];
  r->gained = s->gained[l];
}

/* And what a collision changes of them back. */
static void scatter(const struct wn_mcc *m, struct lanes *s, int l)
{
  const struct wn_mcc_reg *r = &s->r[l];
  for (int i = 0; i < 3; i++) {
    s->moved[i][l] = r->moved[i];
    s->u[i][l] = r->u[i];
  }
  s->base_ev[l] = r->base_ev;
  set_parabola(m, s, l);
  s->since[l] = r->since;
  s->energy[l] = r->energy;
  s->gained[l] = r->gained;
}

static void store(const struct wn_mcc *m, struct lanes *s, int l, int what,
                  struct wn_tally *tally)
{
  struct wn_mcc_reg *r = &s->r[l];
  struct wn_electron *e = s->e[l];
  r->energy_sum = s->energy_sum[l];
  r->n_candidates = s->n_candidates[l];
  e->event = s->event[l];
  wn_mcc_store(m, r, e, group_of(m, e), tally);
  if (what & WN_MCC_DEAD) {
    e->t_left = WN_DEAD;
    tally->n_deaths++;
  }
}

static void copy_lane(struct lanes *s, int to, int from)
{
  for (int i = 0; i < 3; i++) {
    s->moved[i][to] = s->moved[i][from];
    s->u[i][to] = s->u[i][from];
  }
  s->base_ev[to] = s->base_ev[from];
  s->s0[to] = s->s0[from];
  s->s1[to] = s->s1[from];
  s->since[to] = s->since[from];
  s->energy[to] = s->energy[from];
  s->left[to] = s->left[from];
  s->next[to] = s->next[from];
  s->gained[to] = s->gained[from];
  s->energy_sum[to] = s->energy_sum[from];
  s->n_candidates[to] = s->n_candidates[from];
  s->id[0][to] = s->id[0][from];
  s->id[1][to] = s->id[1][from];
  s->event[to] = s->event[from];
  s->r[to] = s->r[from];
  s->e[to] = s->e[from];
}

/* What happens to lane l at the end of a flight: WN_MCC_DONE, WN_MCC_DEAD (x, u and left
 * in s->r are then up to date) or 0.  A candidate that may be real is put on the list of
 * meetings. */
static int end_of_flight(const struct wn_mcc *m, struct lanes *s, int l, int choice,
                         struct meetings *q, struct wn_tally *tally)
{
  struct wn_electron *e = s->e[l];
  if (WN_UNLIKELY(s->energy[l] >= m->watch_ev)) {
    gather(s, l);
    int dead = wn_mcc_watch(m, &s->r[l], e, group_of(m, e), tally);
    if (dead) {
      wn_mcc_commit(m, &s->r[l]);
      s->flying[l] = 0;
      return dead;
    }
  }
  if (!s->candidate[l]) {
    gather(s, l);
    s->r[l].left = 0.0;
    wn_mcc_commit(m, &s->r[l]);
    s->flying[l] = 0;
    return WN_MCC_DONE;
  }
  s->energy_sum[l] += s->energy[l];
  s->n_candidates[l]++;
  int bin = wn_xs_bin(&m->xs, s->energy[l]);
  uint32_t word = s->word[choice][l];
  if (word >= m->xs.major[(size_t)(bin + 1) * (size_t)m->xs.n_gases - 1])
    return 0;
  s->flying[l] = 0;
  int k = q->n++;
  const struct wn_gas_view *g =
      &m->xs.gas[wn_mcc_choose_gas(m, bin, word, &q->pick[k], &q->width[k])];
  q->lane[k] = l;
  q->gas[k] = g;
  q->free_time[k] = wn_mcc_free_time(m, bin);
  for (int i = 0; i < 3; i++) {
    q->moved[i][k] = s->moved[i][l];
    q->u[i][k] = s->u[i][l];
  }
  q->base_ev[k] = s->base_ev[l];
  q->since[k] = s->since[l];
  q->energy[k] = s->energy[l];
  q->sigma[k] = wn_mcc_target_sigma(m, g, s->energy[l]);
  q->id[0][k] = s->id[0][l];
  q->id[1][k] = s->id[1][l];
  q->event[k] = s->event[l] - 1;
  return 0;
}

/* Meeting k is over without a change of state. */
static void leave_unchanged(const struct wn_mcc *m, struct lanes *s, int l)
{
  struct wn_mcc_reg *r = &s->r[l];
  wn_mcc_rebase(r, r->energy);
  scatter(m, s, l);
}

/* Choose the process of meeting k.  Returns WN_MCC_DEAD or 0; elastic and exciting
 * collisions go on to the partings. */
static int react(const struct wn_mcc *m, struct lanes *s, const struct meetings *q, int k,
                 struct partings *p, struct wn_tally *t, struct wn_births *births)
{
  int l = q->lane[k], process = wn_mcc_choose_process(m, q->gas[k], q->t_ev[k],
                                                      q->pick[k], q->width[k], t);
  struct wn_mcc_reg *r = &s->r[l];
  if (process < 0) {
    leave_unchanged(m, s, l);
    return 0;
  }
  const struct wn_gas_view *g = q->gas[k];
  const struct wn_process_view *v = &m->xs.process[g->first + process];
  struct wn_electron *e = s->e[l], child;
  int index = group_of(m, e) * m->xs.n_processes + g->first + process;
  const struct wn_rng4 w = {{q->word[0][k], q->word[1][k], q->word[2][k], q->word[3][k]}};
  struct wn_mcc_meeting one = {{q->u[0][k], q->u[1][k], q->u[2][k]},
                               q->gamma[k],
                               q->t_ev[k],
                               {q->beta[0][k], q->beta[1][k], q->beta[2][k]}};
  if (v->kind == WN_PROC_ATTACHMENT)
    return wn_mcc_attach(r, e, index, r->energy, t);
  if (v->kind == WN_PROC_IONIZATION) {
    double given;
    wn_mcc_split(m, wn_mcc_kind(m), g, v, r, e, &w, q->event[k], q->free_time[k], &one,
                 &child, &given);
    t->n_births++;
    wn_births_push(births, &child);
    wn_mcc_part(&one, 0);
    wn_mcc_leave(r, e, index, given, &one, t);
    scatter(m, s, l);
    return 0;
  }
  double k_ev = wn_cm_kinetic_with(q->t_ev[k], g->cm_part, g->cm_x, 0) - v->loss_ev, d[3];
  if (WN_UNLIKELY(k_ev < 0.0)) {
    wn_tally_alarm(&t->alarms->n_forbidden);
    leave_unchanged(m, s, l);
    return 0;
  }
  int j = p->n++;
  p->from[j] = k;
  p->process[j] = index;
  p->k_ev[j] = k_ev;
  p->mass[j] = g->mass_ev;
  p->loss[j] = v->loss_ev;
  p->drift[j] =
      wn_mcc_scatter(m, wn_mcc_kind(m), g, v->kind == WN_PROC_ELASTIC, q->t_ev[k], &w,
                     q->sine[k], q->cosine[k], e->id, q->event[k], one.u, d);
  for (int i = 0; i < 3; i++) {
    p->d[i][j] = d[i];
    p->u[i][j] = one.u[i];
    p->beta[i][j] = one.beta[i];
  }
  p->gamma[j] = one.gamma;
  p->t_ev[j] = one.t_ev;
  return 0;
}

/* Bring x and u of all meetings to the present, here and in the scalar registers. */
static void commit_all(const struct wn_mcc *m, struct lanes *s, struct meetings *q,
                       double a)
{
  double longest = 0.0;
  for (int k = 0; k < q->n; k++)
    longest = q->since[k] > longest ? q->since[k] : longest;
  int is_short = a * longest < WN_FLIGHT_SHORT * WN_C;
  if (WN_LIKELY(is_short))
    commit(m, q);
  for (int k = 0; k < q->n; k++) {
    int l = q->lane[k];
    struct wn_mcc_reg *r = &s->r[l];
    gather(s, l);
    if (WN_LIKELY(is_short)) {
      for (int i = 0; i < 3; i++) {
        r->moved[i] = q->moved[i][k];
        r->u[i] = q->u[i][k];
      }
      r->gained += q->gained[k];
    } else {
      wn_mcc_commit(m, r);
      for (int i = 0; i < 3; i++) {
        q->moved[i][k] = r->moved[i];
        q->u[i][k] = r->u[i];
      }
      q->gamma[k] = 1.0 + r->energy * (1.0 / WN_MC2_EV);
      q->t_ev[k] = r->energy;
      q->v_z[k] = wn_mcc_velocity_z(r->u[2], q->gamma[k]);
    }
    r->control -= q->free_time[k] * q->v_z[k];
  }
}

static void advance_many(const struct wn_model *model, struct wn_electron *e, size_t n,
                         struct wn_tally *tally, struct wn_births *births)
{
  const struct wn_mcc *m = &model->mcc;
  double a = sqrt(m->accel[0] * m->accel[0] + m->accel[1] * m->accel[1] +
                  m->accel[2] * m->accel[2]);
  struct lanes s;
  struct meetings q;
  struct partings p;
  size_t next = 0;
  int lanes = 0, end[LANES];
  if (m->has_b) {
    for (size_t i = 0; i < n; i++)
      advance(model, &e[i], tally, births);
    return;
  }
  for (;;) {
    while (lanes < LANES && next < n) {
      if (e[next].t_left > 0.0f)
        load(m, &s, lanes++, &e[next]);
      next++;
    }
    if (lanes == 0)
      return;
    q.n = p.n = 0;
    draw(m, &s, lanes);
    fly(m, &s, lanes, 1);
    for (int l = 0; l < lanes; l++)
      end[l] = end_of_flight(m, &s, l, 0, &q, tally);
    fly(m, &s, lanes, 3);
    for (int l = 0; l < lanes; l++)
      if (s.flying[l])
        end[l] = end_of_flight(m, &s, l, 2, &q, tally);
    commit_all(m, &s, &q, a);
    meet(m, &q);
    for (int k = 0; k < q.n; k++)
      end[q.lane[k]] |= react(m, &s, &q, k, &p, tally, births);
    part(&p);
    for (int j = 0; j < p.n; j++) {
      const struct wn_mcc_meeting one = {
          {p.u[0][j], p.u[1][j], p.u[2][j]}, p.gamma[j], p.t_ev[j], {0.0, 0.0, 0.0}};
      int k = p.from[j], l = q.lane[k];
      s.r[l].control += q.free_time[k] * p.drift[j];
      wn_mcc_leave(&s.r[l], s.e[l], p.process[j], 0.0, &one, tally);
      scatter(m, &s, l);
    }
    for (int l = lanes - 1; l >= 0; l--) {
      if (WN_LIKELY(end[l] == 0))
        continue;
      store(m, &s, l, end[l], tally);
      if (s.e[l]->t_left > 0.0f) /* the next mobility step */
        load(m, &s, l, s.e[l]);
      else if (l != --lanes)
        copy_lane(&s, l, lanes);
    }
  }
}

const struct wn_model_ops wn_model_mcc = {
    .name = "mcc",
    .doc = "electrons in gases: exact free flight, null collisions, any number of "
           "collisions a step",
    .advance = advance,
    .advance_many = advance_many,
};
