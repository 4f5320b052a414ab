/* src/sim/merging_groups.c - see merging_groups.h. */
#include "src/sim/merging_groups.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "physics/ion.h"
#include "physics/merging.h"
#include "physics/sample.h"
#include "src/config/plasma_derived.h"

/* Largest change of velocities by rounded weights, in parts of their spread. */
#define SMALL 1e-3

#define LARGEST 10 /* members of a group */
#define FOUR    4  /* of one that becomes two */

static struct wn_rng4 draw(const struct wn_merging_place *p, uint32_t block)
{
  return wn_rng_with(p->key, (uint64_t)p->cell | (uint64_t)p->c->entry << 48, p->step,
                     WN_RNG_MERGING, block & 0xffffffu);
}

/* ---- records */

static void weigh(const struct wn_merging_controlled *c, uint32_t at, int64_t quanta)
{
  const float w = wn_merging_weight(quanta);
  memcpy(wn_cell_lists_record(&c->by, at) + c->by.w, &w, sizeof w);
}

static void take(const struct wn_merging_place *p, uint32_t at)
{
  struct wn_particles *store = &p->c->by.species->p;
  if (p->c->by.has_id)
    *wn_particles_t_left(store, at) = WN_DEAD;
  else
    ((union wn_word *)wn_particles_at(store, at))->i = WN_POINT_DEAD;
  ++*p->deaths;
}

/* All records begin with the place. */
static void move(const struct wn_merging_controlled *c, uint32_t from, uint32_t to)
{
  memcpy(wn_cell_lists_record(&c->by, to), wn_cell_lists_record(&c->by, from),
         (size_t)c->by.grid.dim * sizeof(int32_t));
}

static void count(const struct wn_merging_controlled *c, int64_t quanta, const float u[3],
                  wn_i128 momentum[3], wn_i128 *energy)
{
  const double w = (double)quanta / WN_QUANTA;
  for (int d = 0; d < 3; d++)
    wn_tally_sum(&momentum[d], w * (double)u[d], WN_MERGING_MOMENTUM);
  wn_tally_sum(energy, w * wn_merging_energy_ev(c, u), WN_FIX_ENERGY);
}

static void count_before(const struct wn_merging_place *p,
                         const struct wn_merging_member *m, uint32_t n, int64_t quanta)
{
  for (uint32_t i = 0; i < n; i++)
    count(p->c, m[i].quanta, m[i].u, p->sums->momentum_before, &p->sums->energy_before);
  p->sums->merged_quanta += quanta;
  p->sums->before += n;
}

static void count_after(const struct wn_merging_place *p, int64_t quanta,
                        const float u[3])
{
  count(p->c, quanta, u, p->sums->momentum_after, &p->sums->energy_after);
  p->sums->after++;
}

/* ---- groups */

static int by_component(const struct wn_merging_member *x,
                        const struct wn_merging_member *y, int d)
{
  if (x->u[d] != y->u[d])
    return x->u[d] < y->u[d] ? -1 : 1;
  return x->order < y->order ? -1 : x->order > y->order;
}

static int by_x(const void *a, const void *b)
{
  return by_component(a, b, 0);
}

static int by_y(const void *a, const void *b)
{
  return by_component(a, b, 1);
}

static int by_z(const void *a, const void *b)
{
  return by_component(a, b, 2);
}

static int by_cost(const void *a, const void *b)
{
  const struct wn_merging_group *x = a, *y = b;
  if (x->cost != y->cost)
    return x->cost < y->cost ? -1 : 1;
  return x->first < y->first ? -1 : x->first > y->first;
}

/* Sums of a group. */
struct whole {
  int64_t quanta;
  double mean[3];
  double energy; /* quanta times wn_merging_kinetic */
  double cost;
};

static struct whole whole_of(const struct wn_merging_controlled *c,
                             const struct wn_merging_member *m, uint32_t n)
{
  struct whole w = {0};
  for (uint32_t i = 0; i < n; i++) {
    const double q = (double)m[i].quanta,
                 u[3] = {(double)m[i].u[0], (double)m[i].u[1], (double)m[i].u[2]};
    w.quanta += m[i].quanta;
    w.energy += q * wn_merging_kinetic(c->points->relativistic, u);
    for (int d = 0; d < 3; d++)
      w.mean[d] += q * u[d];
  }
  int same = 1;
  for (uint32_t i = 1; i < n; i++)
    for (int d = 0; d < 3; d++)
      same &= m[i].u[d] == m[0].u[d];
  for (int d = 0; d < 3; d++) /* without rounding where all have one velocity */
    w.mean[d] = same ? (double)m[0].u[d] : w.mean[d] / (double)w.quanta;
  for (uint32_t i = 0; i < n; i++)
    for (int d = 0; d < 3; d++) {
      const double off = (double)m[i].u[d] - w.mean[d];
      w.cost += (double)m[i].quanta * off * off;
    }
  return w;
}

/* The component of the greatest variance, each macroparticle counted once. */
static int widest(const struct wn_merging_member *m, uint32_t n)
{
  double most = -1.0;
  int is = 0;
  for (int d = 0; d < 3; d++) {
    double mean = 0.0, square = 0.0;
    for (uint32_t i = 0; i < n; i++)
      mean += (double)m[i].u[d] / n;
    for (uint32_t i = 0; i < n; i++)
      square += ((double)m[i].u[d] - mean) * ((double)m[i].u[d] - mean);
    if (square > most) {
      most = square;
      is = d;
    }
  }
  return is;
}

/* Groups of `size` of the n members from `first` on, of one class.  What is left over by
 * `size` is at either end, at random: faster ones are left over as often as slower ones. */
static void divide(const struct wn_merging_place *p, struct wn_merging_scratch *s,
                   uint32_t first, uint32_t n, uint32_t size)
{
  const int keeps = p->c->is->method == WN_MERGING_WEIGHTS;
  static int (*const by[3])(const void *, const void *) = {by_x, by_y, by_z};
  if (n <= size) {
    const double cost = whole_of(p->c, &s->member[first], n).cost;
    if (n >= size / 2 + 1 || (keeps && n > 1 && cost == 0.0))
      s->group[s->n_groups++] = (struct wn_merging_group){cost, first, n};
    return;
  }
  qsort(&s->member[first], n, sizeof *s->member, by[widest(&s->member[first], n)]);
  uint32_t low = (n + size - 1) / size / 2 * size;
  if (draw(p, 4 * s->member[first].order + 2).w[0] & 1u)
    low = n - low;
  divide(p, s, first, low, size);
  divide(p, s, first + low, n - low, size);
}

/* ---- two of a group */

/* A direction apart: physics/merging.h; any for members of one velocity. */
static void direction(const struct wn_merging_member *m, uint32_t n,
                      const struct whole *w, struct wn_rng4 r, double e[3])
{
  const double chosen = wn_u01(r.w[0]) * w->cost;
  double sum = 0.0, length = 0.0;
  e[0] = e[1] = 0.0;
  e[2] = 1.0;
  for (uint32_t i = 0; i < n && w->cost > 0.0 && !(sum > chosen); i++) {
    double off[3], square = 0.0;
    for (int d = 0; d < 3; d++) {
      off[d] = (double)m[i].u[d] - w->mean[d];
      square += off[d] * off[d];
    }
    sum += (double)m[i].quanta * square;
    if (square == 0.0)
      continue;
    length = r.w[3] & 1u ? sqrt(square) : -sqrt(square); /* to either side */
    for (int d = 0; d < 3; d++)
      e[d] = off[d] / length;
  }
}

/* Members in the order of u along e, the farthest first. */
static void sort_along(struct wn_merging_member *m, uint32_t n, const double e[3])
{
  double along[FOUR];
  for (uint32_t i = 0; i < n; i++) {
    const struct wn_merging_member one = m[i];
    double x = 0.0;
    for (int d = 0; d < 3; d++)
      x += (double)one.u[d] * e[d];
    uint32_t j = i;
    for (;
         j > 0 && (along[j - 1] < x || (along[j - 1] == x && m[j - 1].order > one.order));
         j--) {
      m[j] = m[j - 1];
      along[j] = along[j - 1];
    }
    m[j] = one;
    along[j] = x;
  }
}

/* The member that has a quantum of its group. */
static uint32_t owner(const struct wn_merging_member *m, uint32_t n, double quantum)
{
  double sum = 0.0;
  for (uint32_t i = 0; i + 1 < n; i++) {
    sum += (double)m[i].quanta;
    if (quantum < sum)
      return i;
  }
  return n - 1;
}

/* Whether the two velocities keep the class. */
static int is_allowed(const struct wn_merging_controlled *c, uint32_t class,
                      float u[2][3])
{
  return wn_merging_class_of(c->is, wn_merging_energy_ev(c, u[0])) == class &&
         wn_merging_class_of(c->is, wn_merging_energy_ev(c, u[1])) == class;
}

/* Velocities of weights a and b of a group, apart along e; returns whether they are allowed. */
static int try_two(const struct wn_merging_place *p, const struct wn_merging_member *m,
                   const struct whole *w, int64_t a, const double e[3], float u[2][3])
{
  double x[3], y[3];
  const int is_relativistic = p->c->points->relativistic;
  const double energy =
      w->cost > 0.0 ? w->energy
                    : (double)w->quanta * wn_merging_kinetic(is_relativistic, w->mean);
  wn_merging_two(is_relativistic, (double)a, (double)(w->quanta - a), w->mean, energy, e,
                 x, y);
  for (int d = 0; d < 3; d++) {
    u[0][d] = (float)x[d];
    u[1][d] = (float)y[d];
  }
  return is_allowed(p->c, m->class, u);
}

/* Two of n members; returns how many fewer there are. */
static uint32_t merge_into_two(const struct wn_merging_place *p,
                               struct wn_merging_member *m, uint32_t n, uint32_t block)
{
  const struct whole w = whole_of(p->c, m, n);
  const struct wn_rng4 r = draw(p, block);
  int64_t a;
  float u[2][3];
  double e[3];
  if (!wn_merging_share(w.quanta, &a) || w.quanta - a > p->most) {
    p->sums->left++;
    return 0;
  }
  direction(m, n, &w, r, e);
  if (!try_two(p, m, &w, a, e, u)) {
    direction(m, n, &w, draw(p, block + 1), e);
    wn_merging_across(w.mean, e);
    if (!try_two(p, m, &w, a, e, u)) {
      p->sums->left++;
      return 0;
    }
    p->sums->across++;
  }
  count_before(p, m, n, w.quanta);
  sort_along(m, n, e);
  const uint32_t i = owner(m, n, wn_u01(r.w[1]) * (double)a),
                 of_b = owner(m, n, (double)a + wn_u01(r.w[2]) * (double)(w.quanta - a)),
                 j = of_b > i    ? of_b
                     : i + 1 < n ? i + 1
                                 : i - 1;
  if (j != of_b)
    move(p->c, m[of_b].at, m[j].at);
  const int64_t share[2] = {a, w.quanta - a};
  const uint32_t at[2] = {m[i].at, m[j].at};
  for (int k = 0; k < 2; k++) {
    weigh(p->c, at[k], share[k]);
    wn_cell_lists_store(&p->c->by, at[k], u[k]);
    count_after(p, share[k], u[k]);
  }
  for (uint32_t k = 0; k < n; k++)
    if (k != i && k != j)
      take(p, m[k].at);
  return n - 2;
}

/* One of two members, by weight. */
static uint32_t merge_into_one(const struct wn_merging_place *p,
                               const struct wn_merging_member *m, uint32_t block)
{
  const int64_t quanta = m[0].quanta + m[1].quanta;
  if (!wn_merging_is_weight(quanta) || quanta > p->most) {
    p->sums->left++;
    return 0;
  }
  const uint32_t i = owner(m, 2, wn_u01(draw(p, block).w[0]) * (double)quanta);
  count_before(p, m, 2, quanta);
  weigh(p->c, m[i].at, quanta);
  count_after(p, quanta, m[i].u);
  take(p, m[1 - i].at);
  return 1;
}

/* ---- fewer by new weights */

/* Weights in quanta that add up, of n; what is left by rounding goes to the lightest that can take it.
 * Returns whether there are such. */
static int round_weights(const double *w, uint32_t n, int64_t all, int64_t most,
                         int64_t *quanta)
{
  int64_t rest = all;
  for (uint32_t i = 0; i < n; i++) {
    quanta[i] = w[i] > 0.0 ? wn_merging_nearest(w[i]) : 0;
    rest -= quanta[i];
    if (quanta[i] > most)
      return 0;
  }
  uint32_t lightest = n;
  for (uint32_t i = 0; i < n; i++)
    if (quanta[i] > 0 && wn_merging_is_weight(quanta[i] + rest) &&
        quanta[i] + rest <= most && (lightest == n || quanta[i] < quanta[lightest]))
      lightest = i;
  if (lightest == n)
    return 0;
  quanta[lightest] += rest;
  return 1;
}

/* Rounded weights have another momentum and energy, by some 1e-5: u' = U + f (u - V), with the
 * mean velocity U of the group and V that of these weights, has those of the group.  Returns
 * whether the change is small, which it is not for weights of a few quanta. */
static int restore(const struct wn_merging_controlled *c,
                   const struct wn_merging_member *m, uint32_t n, const int64_t *quanta,
                   const struct whole *w, float u[][3])
{
  const int relativistic = c->points->relativistic;
  double mean[3] = {0.0}, f = 1.0;
  for (uint32_t i = 0; i < n; i++)
    for (int d = 0; d < 3; d++)
      mean[d] += (double)quanta[i] * (double)m[i].u[d] / (double)w->quanta;
  for (int k = 0; k < 20; k++) { /* Newton's method */
    double energy = 0.0, slope = 0.0;
    for (uint32_t i = 0; i < n; i++) {
      double x[3], along = 0.0, square = 0.0;
      for (int d = 0; d < 3; d++) {
        const double off = (double)m[i].u[d] - mean[d];
        x[d] = w->mean[d] + f * off;
        along += x[d] * off;
        square += x[d] * x[d];
      }
      energy += (double)quanta[i] * wn_merging_kinetic(relativistic, x);
      slope += (double)quanta[i] * along /
               (relativistic ? sqrt(1.0 + square * (1.0 / (WN_C * WN_C))) : 1.0);
    }
    const double less = slope > 0.0 ? (energy - w->energy) / slope : 0.0;
    f -= less;
    if (!(fabs(less) > 1e-14))
      break;
  }
  for (uint32_t i = 0; i < n; i++)
    for (int d = 0; d < 3; d++)
      u[i][d] = (float)(w->mean[d] + f * ((double)m[i].u[d] - mean[d]));
  double shift = 0.0;
  for (int d = 0; d < 3; d++)
    shift += (w->mean[d] - mean[d]) * (w->mean[d] - mean[d]);
  return !(w->cost > 0.0) ||
         (fabs(f - 1.0) <= SMALL && shift * (double)w->quanta <= SMALL * SMALL * w->cost);
}

/* Members whose weight becomes 0, at most `fewer`, until WN_MERGING_SUMS are left. */
static void drop(const struct wn_merging_place *p, const struct wn_merging_member *m,
                 uint32_t n, uint32_t fewer, uint32_t block, double *w)
{
  struct wn_rng4 r = {{0}};
  for (uint32_t k = 0; k < fewer; k++) {
    double u[WN_MERGING_SUMS + 1][3], some[WN_MERGING_SUMS + 1];
    uint32_t which[WN_MERGING_SUMS + 1], found = 0;
    if (k % 4 == 0)
      r = draw(p, block + k / 4);
    for (uint32_t i = 0; i < n && found <= WN_MERGING_SUMS; i++)
      if (w[i] > 0.0)
        which[found++] = i;
    if (found <= WN_MERGING_SUMS)
      return;
    for (uint32_t i = 0; i < found; i++) {
      some[i] = w[which[i]];
      for (int d = 0; d < 3; d++)
        u[i][d] = (double)m[which[i]].u[d];
    }
    wn_merging_drop(p->c->points->relativistic, u, some, wn_u01(r.w[k % 4]));
    for (uint32_t i = 0; i < found; i++)
      w[which[i]] = some[i];
  }
}

static void keep(uint32_t one, uint32_t n, double all, double *w)
{
  for (uint32_t i = 0; i < n; i++)
    w[i] = i == one ? all : 0.0;
}

/* Fewer of n members, by `fewer` where that can be; returns by how many. */
static uint32_t merge_by_weights(const struct wn_merging_place *p,
                                 const struct wn_merging_member *m, uint32_t n,
                                 size_t fewer, uint32_t block)
{
  const struct whole all = whole_of(p->c, m, n);
  double w[LARGEST];
  int64_t quanta[LARGEST];
  float u[LARGEST][3];
  uint32_t gone = 0;
  for (uint32_t i = 0; i < n; i++)
    w[i] = (double)m[i].quanta;
  if (all.cost > 0.0)
    drop(p, m, n, fewer < n ? (uint32_t)fewer : n, block, w);
  else /* one velocity: one of them has all */
    keep(owner(m, n, wn_u01(draw(p, block).w[0]) * (double)all.quanta), n,
         (double)all.quanta, w);
  int is = round_weights(w, n, all.quanta, p->most, quanta);
  if (is)
    is = restore(p->c, m, n, quanta, &all, u);
  for (uint32_t i = 0; i < n && is; i++)
    is = quanta[i] == 0 ||
         wn_merging_class_of(p->c->is, wn_merging_energy_ev(p->c, u[i])) == m->class;
  if (!is) {
    p->sums->left++;
    return 0;
  }
  count_before(p, m, n, all.quanta);
  for (uint32_t i = 0; i < n; i++) {
    if (quanta[i] == 0) {
      take(p, m[i].at);
      gone++;
      continue;
    }
    weigh(p->c, m[i].at, quanta[i]);
    wn_cell_lists_store(&p->c->by, m[i].at, u[i]);
    count_after(p, quanta[i], u[i]);
  }
  return gone;
}

/* ---- all groups */

void wn_merge_members(const struct wn_merging_place *p, struct wn_merging_scratch *s,
                      uint32_t n)
{
  const struct wn_cfg_merging *is = p->c->is;
  const uint32_t size = is->method == WN_MERGING_WEIGHTS ? LARGEST
                        : is->method == WN_MERGING_TWO   ? FOUR
                                                         : 2;
  size_t left = wn_cell_lists_number(&p->c->by, p->cell);
  s->n_groups = 0;
  for (uint32_t first = 0, end = 0; first < n; first = end) {
    while (end < n && s->member[end].class == s->member[first].class)
      end++;
    divide(p, s, first, end - first, size);
  }
  qsort(s->group, s->n_groups, sizeof *s->group, by_cost);
  for (size_t i = 0; i < s->n_groups && left > is->most; i++) {
    struct wn_merging_member *m = &s->member[s->group[i].first];
    const uint32_t block = 4 * (uint32_t)i;
    left -= is->method == WN_MERGING_WEIGHTS
                ? merge_by_weights(p, m, s->group[i].n, left - is->most, block)
            : is->method == WN_MERGING_TWO ? merge_into_two(p, m, s->group[i].n, block)
                                           : merge_into_one(p, m, block);
  }
}
