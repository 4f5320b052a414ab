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
  int group = group_of(m, e);
  struct wn_electron child;
  while (e->t_left > 0.0f) {
    struct wn_mcc_reg r;
    int what;
    wn_mcc_load(m, e, &r);
    do {
      what = wn_mcc_advance(m, &r, e, group, tally, &child);
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
  double x[3][LANES], u[3][LANES], gamma[LANES], energy[LANES], left[LANES], next[LANES];
  double gained[LANES], energy_sum[LANES], dt[LANES], pick[LANES];
  uint32_t id[2][LANES], event[LANES], word[4][LANES];
  int32_t candidate[LANES];
  /* what the vector loops do not touch */
  struct wn_mcc_reg r[LANES];
  struct wn_electron *e[LANES];
};

/* Whole flights of n lanes to the candidate or the end of the mobility step; returns the
 * longest. */
VECTOR_CLONES static double choose_flights(struct lanes *restrict s, int n)
{
  double longest = 0.0;
  for (int l = 0; l < n; l++) {
    s->candidate[l] = s->next[l] <= s->left[l];
    double dt = s->next[l] <= s->left[l] ? s->next[l] : s->left[l];
    s->dt[l] = dt;
    longest = dt > longest ? dt : longest;
  }
  return longest;
}

VECTOR_CLONES static void fly(const struct wn_mcc *m, struct lanes *restrict s, int n)
{
  const double a[3] = {m->accel[0], m->accel[1], m->accel[2]}, inv_a2 = m->inv_accel2;
  for (int l = 0; l < n; l++) {
    double x[3] = {s->x[0][l], s->x[1][l], s->x[2][l]},
           u[3] = {s->u[0][l], s->u[1][l], s->u[2][l]};
    double gamma = s->gamma[l], dt = s->dt[l];
    wn_flight_e_short(x, u, &gamma, a, inv_a2, dt);
    double energy = wn_kinetic_ev(u, gamma);
    s->x[0][l] = x[0], s->x[1][l] = x[1], s->x[2][l] = x[2];
    s->u[0][l] = u[0], s->u[1][l] = u[1], s->u[2][l] = u[2];
    s->gamma[l] = gamma;
    s->gained[l] += energy - s->energy[l];
    s->energy[l] = energy;
    s->left[l] -= dt;
    s->next[l] -= dt;
  }
}

/* The random numbers of the coming event, and what follows from them alone. */
VECTOR_CLONES static void draw(const struct wn_mcc *m, struct lanes *restrict s, int n)
{
  const uint64_t seed = m->seed;
  const double inv_nu = m->inv_nu;
  for (int l = 0; l < n; l++) {
    struct wn_rng4 w = wn_rng(seed, (uint64_t)s->id[1][l] << 32 | s->id[0][l],
                              s->event[l], WN_RNG_EVENT, 0);
    s->word[0][l] = w.w[0], s->word[1][l] = w.w[1], s->word[2][l] = w.w[2],
    s->word[3][l] = w.w[3];
  }
  for (int l = 0; l < n; l++) {
    double next = wn_rng_exponential(s->word[1][l]) * inv_nu;
    s->next[l] = s->candidate[l] ? next : s->next[l];
    s->pick[l] = wn_u01(s->word[0][l]);
  }
}

/* Real collisions of one round, packed: entry k belongs to lane[k]. */
struct meetings {
  int n, lane[LANES];
  double u[3][LANES], gamma[LANES], t_ev[LANES], beta[3][LANES], sigma[LANES],
      sine[LANES], cosine[LANES];
  double pick[LANES], width[LANES], free_time[LANES];
  uint32_t id[2][LANES], event[LANES], turn[LANES];
  const struct wn_gas_view *gas[LANES];
};

/* Those of them that end with one electron: process chosen, direction known. */
struct partings {
  int n, from[LANES], process[LANES];
  double k_ev[LANES], mass[LANES], loss[LANES], d[3][LANES], drift[LANES];
  double u[3][LANES], gamma[LANES], t_ev[LANES], beta[3][LANES];
};

VECTOR_CLONES static void meet(const struct wn_mcc *m, struct meetings *restrict q)
{
  const uint64_t seed = m->seed;
  for (int k = 0; k < q->n; k++) {
    struct wn_mcc_meeting one = {
        {q->u[0][k], q->u[1][k], q->u[2][k]}, q->gamma[k], q->t_ev[k], {0.0, 0.0, 0.0}};
    wn_mcc_meet(seed, (uint64_t)q->id[1][k] << 32 | q->id[0][k], q->event[k], q->sigma[k],
                &one);
    q->u[0][k] = one.u[0], q->u[1][k] = one.u[1], q->u[2][k] = one.u[2];
    q->beta[0][k] = one.beta[0], q->beta[1][k] = one.beta[1], q->beta[2][k] = one.beta[2];
    q->gamma[k] = one.gamma;
    q->t_ev[k] = one.t_ev;
    wn_sincos_turn(wn_u01(q->turn[k]), &q->sine[k], &q->cosine[k]);
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
    wn_mcc_part(&one);
    p->u[0][k] = one.u[0], p->u[1][k] = one.u[1], p->u[2][k] = one.u[2];
    p->gamma[k] = one.gamma;
    p->t_ev[k] = one.t_ev;
  }
}

static void load(const struct wn_mcc *m, struct lanes *s, int l, struct wn_electron *e)
{
  struct wn_mcc_reg *r = &s->r[l];
  wn_mcc_load(m, e, r);
  for (int i = 0; i < 3; i++) {
    s->x[i][l] = r->x[i];
    s->u[i][l] = r->u[i];
  }
  s->gamma[l] = r->gamma;
  s->energy[l] = r->energy;
  s->left[l] = r->left;
  s->next[l] = r->next;
  s->gained[l] = s->energy_sum[l] = 0.0;
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
    r->x[i] = s->x[i][l];
    r->u[i] = s->u[i][l];
  }
  r->gamma = s->gamma[l];
  r->energy = s->energy[l];
  r->left = s->left[l];
}

static void store(const struct wn_mcc *m, struct lanes *s, int l, int what,
                  struct wn_tally *tally)
{
  struct wn_mcc_reg *r = &s->r[l];
  struct wn_electron *e = s->e[l];
  gather(s, l);
  r->next = s->next[l];
  r->gained = s->gained[l];
  r->energy_sum = s->energy_sum[l];
  r->n_candidates = s->event[l] - e->event;
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
    s->x[i][to] = s->x[i][from];
    s->u[i][to] = s->u[i][from];
  }
  s->gamma[to] = s->gamma[from];
  s->energy[to] = s->energy[from];
  s->left[to] = s->left[from];
  s->next[to] = s->next[from];
  s->gained[to] = s->gained[from];
  s->energy_sum[to] = s->energy_sum[from];
  s->id[0][to] = s->id[0][from];
  s->id[1][to] = s->id[1][from];
  s->event[to] = s->event[from];
  s->r[to] = s->r[from];
  s->e[to] = s->e[from];
}

/* What happens to lane l at the end of its flight: WN_MCC_DONE, WN_MCC_DEAD or 0.  A
 * candidate that may be real is put on the list of meetings. */
static int end_of_flight(const struct wn_mcc *m, struct lanes *s, int l,
                         struct meetings *q, struct wn_tally *tally)
{
  struct wn_electron *e = s->e[l];
  if (WN_UNLIKELY(s->energy[l] >= m->watch_ev)) {
    gather(s, l);
    int dead = wn_mcc_watch(m, &s->r[l], e, group_of(m, e), tally);
    if (dead)
      return dead;
  }
  if (!s->candidate[l])
    return WN_MCC_DONE;
  s->energy_sum[l] += s->energy[l];
  uint32_t event = s->event[l]++;
  int bin = wn_xs_bin(&m->xs, s->energy[l]);
  double pick = s->pick[l];
  if (pick >= (double)m->xs.major[(size_t)(bin + 1) * (size_t)m->xs.n_gases - 1])
    return 0;
  int k = q->n++;
  double below;
  const struct wn_gas_view *g =
      &m->xs.gas[wn_mcc_choose_gas(m, bin, pick, &below, &q->width[k])];
  q->lane[k] = l;
  q->gas[k] = g;
  q->pick[k] = pick - below;
  q->free_time[k] = wn_mcc_free_time(m, bin);
  for (int i = 0; i < 3; i++)
    q->u[i][k] = s->u[i][l];
  q->gamma[k] = s->gamma[l];
  q->t_ev[k] = s->energy[l];
  q->sigma[k] = wn_mcc_target_sigma(m, g, s->energy[l]);
  q->id[0][k] = s->id[0][l];
  q->id[1][k] = s->id[1][l];
  q->event[k] = event;
  q->turn[k] = s->word[3][l];
  s->r[l].control -= q->free_time[k] * s->u[2][l] / s->gamma[l];
  return 0;
}

/* Put the electron of a lane into the state after its collision. */
static void leave(struct lanes *s, int l, int index, double given,
                  const struct wn_mcc_meeting *one, struct wn_tally *t)
{
  struct wn_mcc_reg *r = &s->r[l];
  r->energy = s->energy[l];
  wn_mcc_leave(r, s->e[l], index, given, one, t);
  for (int i = 0; i < 3; i++)
    s->u[i][l] = r->u[i];
  s->gamma[l] = r->gamma;
  s->energy[l] = r->energy;
}

/* Choose the process of meeting k.  Returns WN_MCC_DEAD or 0; elastic and exciting
 * collisions go on to the partings. */
static int react(const struct wn_mcc *m, struct lanes *s, const struct meetings *q, int k,
                 struct partings *p, struct wn_tally *t, struct wn_births *births)
{
  int l = q->lane[k], process = wn_mcc_choose_process(m, q->gas[k], q->t_ev[k],
                                                      q->pick[k], q->width[k], t);
  if (process < 0)
    return 0;
  const struct wn_gas_view *g = q->gas[k];
  const struct wn_process_view *v = &m->xs.process[g->first + process];
  struct wn_mcc_reg *r = &s->r[l];
  struct wn_electron *e = s->e[l], child;
  int index = group_of(m, e) * m->xs.n_processes + g->first + process;
  const struct wn_rng4 w = {{s->word[0][l], s->word[1][l], s->word[2][l], s->word[3][l]}};
  struct wn_mcc_meeting one = {{q->u[0][k], q->u[1][k], q->u[2][k]},
                               q->gamma[k],
                               q->t_ev[k],
                               {q->beta[0][k], q->beta[1][k], q->beta[2][k]}};
  if (v->kind == WN_PROC_ATTACHMENT)
    return wn_mcc_attach(r, e, index, s->energy[l], t);
  if (v->kind == WN_PROC_IONIZATION) {
    double given;
    gather(s, l);
    wn_mcc_split(m, g, v, r, e, &w, q->event[k], q->free_time[k], &one, &child, &given);
    t->n_births++;
    wn_births_push(births, &child);
    wn_mcc_part(&one);
    leave(s, l, index, given, &one, t);
    return 0;
  }
  double k_ev = wn_cm_kinetic_ev(q->t_ev[k], g->mass_ev) - v->loss_ev, d[3];
  if (WN_UNLIKELY(k_ev < 0.0)) {
    t->n_forbidden++;
    return 0;
  }
  int j = p->n++;
  p->from[j] = k;
  p->process[j] = index;
  p->k_ev[j] = k_ev;
  p->mass[j] = g->mass_ev;
  p->loss[j] = v->loss_ev;
  p->drift[j] = wn_mcc_scatter(m, g, v->kind == WN_PROC_ELASTIC, q->t_ev[k], &w,
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
  if (m->has_b || a * m->dt * 1e-3 >= WN_FLIGHT_SHORT * WN_C) {
    /* rare: the vector loops know only short flights in an electric field */
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
    double longest = choose_flights(&s, lanes);
    if (WN_LIKELY(a * longest < WN_FLIGHT_SHORT * WN_C)) {
      fly(m, &s, lanes);
    } else {
      for (int l = 0; l < lanes; l++) {
        gather(&s, l);
        wn_flight_e(s.r[l].x, s.r[l].u, &s.gamma[l], m->accel, m->inv_accel2, s.dt[l]);
        double energy = wn_kinetic_ev(s.r[l].u, s.gamma[l]);
        for (int i = 0; i < 3; i++) {
          s.x[i][l] = s.r[l].x[i];
          s.u[i][l] = s.r[l].u[i];
        }
        s.gained[l] += energy - s.energy[l];
        s.energy[l] = energy;
        s.left[l] -= s.dt[l];
        s.next[l] -= s.dt[l];
      }
    }
    draw(m, &s, lanes);
    q.n = p.n = 0;
    for (int l = 0; l < lanes; l++)
      end[l] = end_of_flight(m, &s, l, &q, tally);
    meet(m, &q);
    for (int k = 0; k < q.n; k++)
      end[q.lane[k]] |= react(m, &s, &q, k, &p, tally, births);
    part(&p);
    for (int j = 0; j < p.n; j++) {
      const struct wn_mcc_meeting one = {
          {p.u[0][j], p.u[1][j], p.u[2][j]}, p.gamma[j], p.t_ev[j], {0.0, 0.0, 0.0}};
      int k = p.from[j], l = q.lane[k];
      s.r[l].control += q.free_time[k] * p.drift[j];
      leave(&s, l, p.process[j], 0.0, &one, tally);
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
