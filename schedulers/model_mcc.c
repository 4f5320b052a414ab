/* schedulers/model_mcc.c - model `mcc` for the host: the loop around physics/mcc.h, for one electron and for many.
 *
 * advance is the definition.  advance_many gives the same bits: it flies LANES electrons to their next candidates together,
 * in loops without branches that the compiler turns into vector instructions, and then carries out the real collisions one
 * by one.  Electrons are independent, so the order changes nothing, and vectors round as scalars do. */
#include <math.h>
#include "schedulers/model.h"

static int group_of(const struct wn_mcc *m, const struct wn_electron *e)
{
  return (int)((e->tag & WN_TAG_LINEAGE_MASK) % (uint32_t)m->n_groups);
}

static void advance(const struct wn_model *model, struct wn_electron *e, struct wn_tally *tally,
                    struct wn_births *births)
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

/* One function for several instruction sets, chosen at start.  Sanitizers do not like the mechanism (ifunc). */
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__) &&               \
    !defined(__SANITIZE_THREAD__) && defined(__gnu_linux__)
#define VECTOR_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default"), optimize("O3")))
#else
#define VECTOR_CLONES
#endif

#define LANES 32 /* a multiple of every vector length; the state of all lanes stays in the first-level cache */

struct lanes {
  double x[3][LANES], u[3][LANES], gamma[LANES], energy[LANES], left[LANES], next[LANES];
  double gained[LANES], energy_sum[LANES], dt[LANES], pick[LANES];
  uint32_t id[2][LANES], event[LANES], word[4][LANES];
  int32_t candidate[LANES], bin[LANES];
  /* what the vector loops do not touch */
  struct wn_mcc_reg r[LANES];
  struct wn_electron *e[LANES];
};

/* Whole flights of n lanes to the candidate or the end of the mobility step; returns the longest. */
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
    double x[3] = {s->x[0][l], s->x[1][l], s->x[2][l]}, u[3] = {s->u[0][l], s->u[1][l], s->u[2][l]};
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
    struct wn_rng4 w = wn_rng(seed, (uint64_t)s->id[1][l] << 32 | s->id[0][l], s->event[l], WN_RNG_EVENT, 0);
    s->word[0][l] = w.w[0], s->word[1][l] = w.w[1], s->word[2][l] = w.w[2], s->word[3][l] = w.w[3];
  }
  for (int l = 0; l < n; l++) {
    double next = wn_rng_exponential(s->word[1][l]) * inv_nu;
    s->next[l] = s->candidate[l] ? next : s->next[l];
    s->pick[l] = wn_u01(s->word[0][l]);
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

static void store(const struct wn_mcc *m, struct lanes *s, int l, int what, struct wn_tally *tally)
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

/* What happens to lane l at the end of its flight: WN_MCC_DONE, WN_MCC_DEAD or 0. */
static int end_of_flight(const struct wn_mcc *m, struct lanes *s, int l, struct wn_tally *tally,
                         struct wn_births *births)
{
  struct wn_electron *e = s->e[l], child;
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
  if (s->pick[l] >= (double)m->xs.major[(size_t)(bin + 1) * (size_t)m->xs.n_gases - 1])
    return 0;
  struct wn_rng4 w = {{s->word[0][l], s->word[1][l], s->word[2][l], s->word[3][l]}};
  struct wn_mcc_reg *r = &s->r[l];
  gather(s, l);
  int what = wn_mcc_collide(m, r, e, group_of(m, e), tally, &child, &w, event, bin);
  for (int i = 0; i < 3; i++)
    s->u[i][l] = r->u[i];
  s->gamma[l] = r->gamma;
  s->energy[l] = r->energy;
  if (what & WN_MCC_CHILD)
    wn_births_push(births, &child);
  return what & WN_MCC_DEAD;
}

static void advance_many(const struct wn_model *model, struct wn_electron *e, size_t n, struct wn_tally *tally,
                         struct wn_births *births)
{
  const struct wn_mcc *m = &model->mcc;
  double a = sqrt(m->accel[0] * m->accel[0] + m->accel[1] * m->accel[1] + m->accel[2] * m->accel[2]);
  struct lanes s;
  size_t next = 0;
  int lanes = 0;
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
    for (int l = lanes - 1; l >= 0; l--) {
      int what = end_of_flight(m, &s, l, tally, births);
      if (WN_LIKELY(what == 0))
        continue;
      store(m, &s, l, what, tally);
      if (s.e[l]->t_left > 0.0f) /* the next mobility step */
        load(m, &s, l, s.e[l]);
      else if (l != --lanes)
        copy_lane(&s, l, lanes);
    }
  }
}

const struct wn_model_ops wn_model_mcc = {
    .name = "mcc",
    .doc = "electrons in gases: exact free flight, null collisions, any number of collisions a step",
    .advance = advance,
    .advance_many = advance_many,
};
