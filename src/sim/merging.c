/* src/sim/merging.c - operator: merging and splitting of macroparticles (plasma.merging), by
 * cell and velocity, at the end of every `interval`-th step.
 *
 * Merging, in cells with more than `per_cell_most`.  The macroparticles of an energy class are
 * divided at the median of the component of u of the greatest variance, again and again, into
 * groups of ten, four or two (a k-d tree, as Teunissen and Ebert, J. Comput. Phys. 259 (2014)
 * 318, have it by their abstract; theirs is of places, too).  Groups become fewer in the order of
 * the energy about their mean velocity, the least first, until `per_cell_most` are left
 * or there are no more groups; the next pass goes on.  physics/merging.h has the formulae.
 *   weights  up to ten become at least five of them, with new weights, which are then rounded
 *            to quanta; a common shift of u and a factor on its deviation, by some 1e-5, make up
 *            for that.  Momentum and energy are exact to the rounding of u
 *   two      up to four become two of other velocities; the same holds
 *   one      of two one stays, with a probability by weight: momentum and energy are on average
 * Charge is exact to the quantum.
 *
 * Place.  With `weights` and `one` those that stay keep theirs.  Each of two stands for one part of the quanta of its group, in the order of u along
 * their own direction, and has the place of a member chosen by weight among this part.  So the
 * expected density does not change, and fast ones stay where fast ones were.
 *
 * Never across an energy.  Macroparticles above `protected_energy` are neither merged nor split.
 * Others are merged within their class, and none leaves it: where one of two would, their
 * direction is taken across the mean velocity, where both have nearly the mean energy; if that
 * does not do, the group is left.  So the weight of a class is exact.
 *
 * Splitting, in cells with fewer than `per_cell_least`: the heaviest first, into halves of the
 * same place and velocity, none of less than `least_weight`; and of those above the heaviest
 * that a cell may have, wherever `per_cell_least` is above 0.  They part at their next
 * collision, by random numbers of their own; without collisions they never would
 * (src/config/merging_groups.c refuses it).
 *
 * Left out: weights that are no whole number of quanta, or none.
 *
 * The bits.  Macroparticles of a cell are in the order of their records, random numbers are
 * named by cell, step, entry of plasma.merging and group.  So the result does not depend on the order of the
 * store, nor on threads.  Nothing but the ledger is kept between steps.
 *
 * Memory: two numbers of 32 bits for a macroparticle, and scratch for the fullest cell.  Merged
 * ones take records of their group; the others are dead, and leave the store in this step.
 *
 * Random numbers: purpose MERGING; the event is the step, the id cell + 2^48 entry, the
 * block 4 times the group plus 0 and 1 for the group; 4 times the first member plus 2 for a node
 * of the tree.
 * Copies have names of purpose POPULATION (physics/sample.h). */
#include "src/sim/merging.h"
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/error.h"
#include "base/threads.h"
#include "particles/load_balance.h"
#include "physics/ion.h"
#include "physics/merging.h"
#include "physics/mover.h"
#include "physics/sample.h"
#include "schedulers/model.h"
#include "src/config/merging.h"
#include "src/config/plasma_derived.h"
#include "src/sim/cell_lists.h"
#include "src/sim/operators.h"
#include "src/sim/plasma_points.h"

extern const struct wn_operator_ops wn_operator_merging;

/* Largest change of velocities by rounded weights, in parts of their spread. */
#define SMALL 1e-3

#define PER_CHUNK 4     /* cells that a thread takes at a time */
#define MANY      20000 /* macroparticles from which on there is more than one thread */
#define LARGEST   10    /* members of a group */
#define FOUR      4     /* of one that becomes two */

struct controlled {
  const struct wn_cfg_merging *is;
  size_t species; /* its number */
  uint32_t entry; /* of plasma.merging */
  struct wn_cell_lists by;
  const struct wn_points *points;
  uint32_t *wanted; /* [cells] more macroparticles, of this step */
  struct wn_merging_sums sums;
};

/* A macroparticle that may be merged. */
struct member {
  float u[3];
  uint32_t class;     /* the number of its energy class */
  uint32_t order, at; /* in the list of the cell; in the store */
  int64_t quanta;
};

struct group {
  double cost; /* quanta times m2/s2 about the mean */
  uint32_t first, n;
};

/* Of a thread: for the fullest cell. */
struct scratch {
  struct member *member;
  struct group *group;
  size_t n_groups;
};

struct merging {
  struct wn_operator operator; /* the head of every operator */
  struct wn_rng_key key;
  uint64_t seed;
  int threads;
  size_t n;
  struct controlled *of; /* [n] */
  struct wn_births copies;
};

/* What is done in a cell. */
struct place {
  const struct merging *o;
  struct controlled *c;
  size_t cell;
  uint32_t step;
  struct wn_merging_sums *sums; /* of the thread */
  uint64_t *deaths;
  int64_t most; /* quanta of one */
};

static struct merging *of(struct wn_operator *o)
{
  return (struct merging *)(void *)o;
}

static struct wn_rng4 draw(const struct place *p, uint32_t block)
{
  return wn_rng_with(&p->o->key, (uint64_t)p->cell | (uint64_t)p->c->entry << 48, p->step,
                     WN_RNG_MERGING, block & 0xffffffu);
}

/* The heaviest that a macroparticle may be in a cell.  Limits by field and place belong here. */
static double most_weight(const struct controlled *c, size_t cell)
{
  (void)cell;
  return c->is->most_weight;
}

/* ---- records */

static double energy_ev(const struct controlled *c, const float u[3])
{
  return wn_point_energy_ev(c->points, 3, u);
}

/* The class of an energy; n_classes + 1: protected. */
static uint32_t class_of(const struct wn_cfg_merging *is, double ev)
{
  uint32_t k = 0;
  if (ev > is->protect_ev)
    return (uint32_t)is->n_classes + 1;
  while (k < is->n_classes && ev >= is->classes_ev[k])
    k++;
  return k;
}

static void weigh(const struct controlled *c, uint32_t at, int64_t quanta)
{
  const float w = wn_merging_weight(quanta);
  memcpy(wn_cell_lists_record(&c->by, at) + c->by.w, &w, sizeof w);
}

static void take(const struct place *p, uint32_t at)
{
  struct wn_particles *store = &p->c->by.species->p;
  if (p->c->by.has_id)
    *wn_particles_t_left(store, at) = WN_DEAD;
  else
    ((union wn_word *)wn_particles_at(store, at))->i = WN_POINT_DEAD;
  ++*p->deaths;
}

/* All records begin with the place. */
static void move(const struct controlled *c, uint32_t from, uint32_t to)
{
  memcpy(wn_cell_lists_record(&c->by, to), wn_cell_lists_record(&c->by, from),
         (size_t)c->by.grid.dim * sizeof(int32_t));
}

static void count(const struct controlled *c, int64_t quanta, const float u[3],
                  wn_i128 momentum[3], wn_i128 *energy)
{
  const double w = (double)quanta / WN_QUANTA;
  for (int d = 0; d < 3; d++)
    wn_tally_sum(&momentum[d], w * (double)u[d], WN_MERGING_MOMENTUM);
  wn_tally_sum(energy, w * energy_ev(c, u), WN_FIX_ENERGY);
}

static void count_before(const struct place *p, const struct member *m, uint32_t n,
                         int64_t quanta)
{
  for (uint32_t i = 0; i < n; i++)
    count(p->c, m[i].quanta, m[i].u, p->sums->momentum_before, &p->sums->energy_before);
  p->sums->merged_quanta += quanta;
  p->sums->before += n;
}

static void count_after(const struct place *p, int64_t quanta, const float u[3])
{
  count(p->c, quanta, u, p->sums->momentum_after, &p->sums->energy_after);
  p->sums->after++;
}

/* ---- groups */

static int by_class(const void *a, const void *b)
{
  const struct member *x = a, *y = b;
  if (x->class != y->class)
    return x->class < y->class ? -1 : 1;
  return x->order < y->order ? -1 : x->order > y->order;
}

static int by_component(const struct member *x, const struct member *y, int d)
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
  const struct group *x = a, *y = b;
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

static struct whole whole_of(const struct controlled *c, const struct member *m,
                             uint32_t n)
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
static int widest(const struct member *m, uint32_t n)
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
static void divide(const struct place *p, struct scratch *s, uint32_t first, uint32_t n,
                   uint32_t size)
{
  const int keeps = p->c->is->method == WN_MERGING_WEIGHTS;
  static int (*const by[3])(const void *, const void *) = {by_x, by_y, by_z};
  if (n <= size) {
    const double cost = whole_of(p->c, &s->member[first], n).cost;
    if (n >= size / 2 + 1 || (keeps && n > 1 && cost == 0.0))
      s->group[s->n_groups++] = (struct group){cost, first, n};
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
static void direction(const struct member *m, uint32_t n, const struct whole *w,
                      struct wn_rng4 r, double e[3])
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
static void sort_along(struct member *m, uint32_t n, const double e[3])
{
  double along[FOUR];
  for (uint32_t i = 0; i < n; i++) {
    const struct member one = m[i];
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
static uint32_t owner(const struct member *m, uint32_t n, double quantum)
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
static int is_allowed(const struct controlled *c, uint32_t class, float u[2][3])
{
  return class_of(c->is, energy_ev(c, u[0])) == class &&
         class_of(c->is, energy_ev(c, u[1])) == class;
}

/* Velocities of weights a and b of a group, apart along e; returns whether they are allowed. */
static int try_two(const struct place *p, const struct member *m, const struct whole *w,
                   int64_t a, const double e[3], float u[2][3])
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
static uint32_t merge_into_two(const struct place *p, struct member *m, uint32_t n,
                               uint32_t block)
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
static uint32_t merge_into_one(const struct place *p, const struct member *m,
                               uint32_t block)
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
static int restore(const struct controlled *c, const struct member *m, uint32_t n,
                   const int64_t *quanta, const struct whole *w, float u[][3])
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
static void drop(const struct place *p, const struct member *m, uint32_t n,
                 uint32_t fewer, uint32_t block, double *w)
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
static uint32_t merge_by_weights(const struct place *p, const struct member *m,
                                 uint32_t n, size_t fewer, uint32_t block)
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
    is = quanta[i] == 0 || class_of(p->c->is, energy_ev(p->c, u[i])) == m->class;
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

/* ---- a cell */

/* The members of a cell, by classes. */
static uint32_t find_members(const struct place *p, struct member *m)
{
  const struct controlled *c = p->c;
  const size_t first = c->by.begin[p->cell], n = wn_cell_lists_number(&c->by, p->cell);
  uint32_t found = 0;
  for (size_t i = 0; i < n; i++) {
    struct member one = {.order = (uint32_t)i, .at = c->by.list[first + i]};
    one.quanta = wn_merging_quanta(wn_cell_lists_load(&c->by, one.at, one.u));
    one.class = class_of(c->is, energy_ev(c, one.u));
    if (one.quanta > 0 && one.quanta <= p->most && one.class <= c->is->n_classes &&
        !wn_particles_is_dead(&c->by.species->p, one.at))
      m[found++] = one;
  }
  qsort(m, found, sizeof *m, by_class);
  return found;
}

static void merge_cell(const struct place *p, struct scratch *s)
{
  const struct wn_cfg_merging *is = p->c->is;
  static const uint32_t size[WN_N_MERGING] = {
      [WN_MERGING_WEIGHTS] = LARGEST, [WN_MERGING_TWO] = FOUR, [WN_MERGING_ONE] = 2};
  const uint32_t n = find_members(p, s->member);
  size_t left = wn_cell_lists_number(&p->c->by, p->cell);
  s->n_groups = 0;
  for (uint32_t first = 0, end = 0; first < n; first = end) {
    while (end < n && s->member[end].class == s->member[first].class)
      end++;
    divide(p, s, first, end - first, size[is->method]);
  }
  qsort(s->group, s->n_groups, sizeof *s->group, by_cost);
  for (size_t i = 0; i < s->n_groups && left > is->most; i++) {
    struct member *m = &s->member[s->group[i].first];
    const uint32_t block = 4 * (uint32_t)i;
    left -= is->method == WN_MERGING_WEIGHTS
                ? merge_by_weights(p, m, s->group[i].n, left - is->most, block)
            : is->method == WN_MERGING_TWO ? merge_into_two(p, m, s->group[i].n, block)
                                           : merge_into_one(p, m, block);
  }
}

/* Macroparticles of a cell above the heaviest, which can be halved. */
static uint32_t heavy(const struct place *p)
{
  const struct controlled *c = p->c;
  uint32_t n = 0;
  for (size_t i = c->by.begin[p->cell]; c->is->least > 0 && i < c->by.begin[p->cell + 1];
       i++) {
    float u[3];
    const int64_t quanta =
        wn_merging_quanta(wn_cell_lists_load(&c->by, c->by.list[i], u));
    n += quanta > p->most && class_of(c->is, energy_ev(c, u)) <= c->is->n_classes;
  }
  return n;
}

/* Merges, and notes how many the cell should have more. */
static void do_cell(const struct place *p, struct scratch *s, uint32_t *wanted)
{
  const struct wn_cfg_merging *is = p->c->is;
  const size_t n = wn_cell_lists_number(&p->c->by, p->cell);
  const uint32_t fewer = n > 0 && n < is->least ? (uint32_t)(is->least - n) : 0;
  *wanted = heavy(p);
  if (fewer > *wanted)
    *wanted = fewer;
  if (n > is->most || *wanted > 0)
    wn_cell_lists_order(&p->c->by, p->cell);
  if (n > is->most)
    merge_cell(p, s);
}

/* ---- splitting */

static int by_weight(const void *a, const void *b)
{
  const struct member *x = a, *y = b;
  if (x->quanta != y->quanta)
    return x->quanta > y->quanta ? -1 : 1;
  return x->order < y->order ? -1 : x->order > y->order;
}

/* One half stays, the other has a name and a next candidate of its own. */
static void halve(struct merging *o, struct controlled *c, const struct member *m)
{
  const struct wn_species *s = c->by.species;
  struct wn_electron *e =
      (struct wn_electron *)(void *)wn_cell_lists_record(&c->by, m->at);
  const struct wn_change change = {
      .seed = o->seed,
      .inv_nu = s->model.ops->is_ion ? 0.0 : (double)wn_species_mcc(s)->inv_nu};
  struct wn_electron copy = wn_change_copy(&change, e, 0);
  wn_change_copied(e);
  if (s->model.ops->is_ion)
    copy.t_next = wn_ion_first_flight(s->model.data, copy.id, 0);
  e->w = wn_merging_weight(m->quanta / 2);
  copy.w = wn_merging_weight(m->quanta - m->quanta / 2);
  wn_births_push(&o->copies, &copy);
  c->sums.split++;
  c->sums.split_quanta += m->quanta;
}

static void split_cell(struct merging *o, struct controlled *c, size_t cell,
                       struct member *m)
{
  const struct place p = {.o = o, .c = c, .cell = cell, .most = INT64_MAX};
  const double least = 2.0 * c->is->least_weight * WN_QUANTA;
  const uint32_t n = find_members(&p, m);
  qsort(m, n, sizeof *m, by_weight);
  for (uint32_t i = 0; i < n && i < c->wanted[cell]; i++) {
    if (m[i].quanta < 2 || (double)m[i].quanta < least)
      return;
    halve(o, c, &m[i]);
  }
}

/* ---- a step */

static void add(struct wn_merging_sums *to, const struct wn_merging_sums *s)
{
  to->before += s->before;
  to->after += s->after;
  to->across += s->across;
  to->left += s->left;
  to->merged_quanta += s->merged_quanta;
  to->energy_before += s->energy_before;
  to->energy_after += s->energy_after;
  for (int d = 0; d < 3; d++) {
    to->momentum_before[d] += s->momentum_before[d];
    to->momentum_after[d] += s->momentum_after[d];
  }
}

static void free_scratch(struct scratch *s, int n)
{
  for (int i = 0; s != NULL && i < n; i++) {
    free(s[i].member);
    free(s[i].group);
  }
  free(s);
}

/* For each thread, for the fullest cell. */
static struct scratch *make_scratch(const struct controlled *c, int threads)
{
  size_t most = 0;
  struct scratch *s = wn_alloc((size_t)threads, sizeof *s);
  for (size_t cell = 0; cell < c->by.cells; cell++)
    if (wn_cell_lists_number(&c->by, cell) > most)
      most = wn_cell_lists_number(&c->by, cell);
  for (int i = 0; s != NULL && i < threads; i++) {
    s[i].member = wn_alloc(most + 1, sizeof *s[i].member);
    s[i].group = wn_alloc(most + 1, sizeof *s[i].group);
    if (s[i].member == NULL || s[i].group == NULL) {
      free_scratch(s, threads);
      return NULL;
    }
  }
  return s;
}

static void do_cells(struct merging *o, struct controlled *c, uint32_t step, int threads,
                     struct scratch *scratch, uint64_t *deaths)
{
#ifdef _OPENMP
#pragma omp parallel num_threads(threads)
#else
  (void)threads;
#endif
  {
    struct wn_merging_sums here = {0};
    uint64_t dead = 0;
#ifdef _OPENMP
#pragma omp for schedule(dynamic, PER_CHUNK)
#endif
    for (size_t cell = 0; cell < c->by.cells; cell++) {
      const double most = most_weight(c, cell) * WN_QUANTA;
      const struct place p = {o, c, cell, step, &here, &dead, (int64_t)most};
      do_cell(&p, &scratch[wn_thread()], &c->wanted[cell]);
    }
#ifdef _OPENMP
#pragma omp critical
#endif
    {
      add(&c->sums, &here);
      *deaths += dead;
    }
  }
}

/* Copies join at the end of the store, cell after cell. */
static int split(struct merging *o, struct wn_sim *s, struct controlled *c,
                 struct member *m)
{
  o->copies.n = 0;
  o->copies.record = c->by.species->p.record.bytes;
  for (size_t cell = 0; cell < c->by.cells; cell++)
    if (c->wanted[cell] > 0)
      split_cell(o, c, cell, m);
  WN_TRY(wn_particles_room(o->copies.status));
  return o->copies.n > 0
             ? wn_species_append(c->by.species, s->gpu, o->copies.e, o->copies.n)
             : WN_OK;
}

static int pass(struct merging *o, struct wn_sim *s, struct controlled *c)
{
  struct wn_species *species = c->by.species;
  const wn_i128 gained = c->sums.energy_after - c->sums.energy_before;
  WN_TRY(wn_particles_host(&species->p));
  /* all or one: where teams differ in size, libgomp ends threads and starts others */
  const int threads = species->p.n < MANY ? 1 : o->threads;
  WN_TRY(wn_cell_lists_make(&c->by, threads, "merging is"));
  struct scratch *scratch = make_scratch(c, threads);
  if (scratch == NULL)
    return WN_ENOMEM;
  uint64_t deaths = 0;
  do_cells(o, c, (uint32_t)s->n_steps, threads, scratch, &deaths);
  wn_species_sums(species)->n_deaths += deaths;
  int status = c->is->least > 0 ? split(o, s, c, scratch[0].member) : WN_OK;
  free_scratch(scratch, threads);
  c->sums.passes++;
  wn_particles_touched(&species->p);
  wn_energy_changed_by(s, WN_ENERGY_MERGING, c->species,
                       c->sums.energy_after - c->sums.energy_before - gained);
  return status;
}

static int apply(struct wn_operator *head, struct wn_sim *s)
{
  struct merging *o = of(head);
  for (size_t i = 0; i < o->n; i++)
    if (s->n_steps % o->of[i].is->interval == 0)
      WN_TRY(pass(o, s, &o->of[i]));
  return WN_OK;
}

/* ---- the operator */

static void destroy(struct wn_operator *head)
{
  struct merging *o = of(head);
  for (size_t i = 0; o->of != NULL && i < o->n; i++) {
    wn_cell_lists_clear(&o->of[i].by);
    free(o->of[i].wanted);
  }
  free(o->of);
  free(o->copies.e);
  free(o);
}

static int set_up(struct wn_sim *s, size_t i, struct controlled *c)
{
  const struct wn_grid_view g = wn_plasma_grid(s->c);
  c->is = &s->c->plasma.merging[i];
  c->species = (size_t)wn_merging_species(s->c, c->is);
  c->entry = (uint32_t)i;
  c->points = wn_plasma_points(s->species[c->species]);
  WN_TRY(wn_cell_lists_init(&c->by, s->species[c->species], &g));
  c->wanted = wn_alloc(c->by.cells, sizeof *c->wanted);
  return c->wanted != NULL ? WN_OK : WN_ENOMEM;
}

static int create(struct wn_sim *s, struct wn_operator **out)
{
  const struct wn_config *c = s->c;
  if (c->model != WN_MODEL_PLASMA || c->plasma.n_merging == 0)
    return WN_OK;
  struct merging *o = wn_alloc(1, sizeof *o);
  if (o == NULL)
    return WN_ENOMEM;
  o->operator.ops = & wn_operator_merging;
  o->key = wn_rng_key(c->seed);
  o->seed = c->seed;
  o->threads = wn_threads(c->threads);
  o->of = wn_alloc(c->plasma.n_merging, sizeof *o->of);
  int status = o->of != NULL ? WN_OK : WN_ENOMEM;
  for (; o->n < c->plasma.n_merging && status == WN_OK; o->n++)
    status = set_up(s, o->n, &o->of[o->n]);
  if (status != WN_OK) {
    destroy(&o->operator);
    return status;
  }
  *out = &o->operator;
  return WN_OK;
}

static void begin(struct wn_operator *o)
{
  for (size_t i = 0; i < of(o)->n; i++)
    of(o)->of[i].sums = (struct wn_merging_sums){0};
}

static int state(struct wn_operator *o, struct wn_state *st)
{
  for (size_t i = 0; i < of(o)->n; i++)
    WN_TRY(WN_STATE(st, of(o)->of[i].sums));
  return WN_OK;
}

const struct wn_merging_sums *wn_merging_sums(const struct wn_sim *s, size_t k)
{
  for (size_t i = 0; i < s->n_operators; i++)
    if (s->operators[i]->ops == &wn_operator_merging)
      for (size_t j = 0; j < of(s->operators[i])->n; j++)
        if (of(s->operators[i])->of[j].species == k)
          return &of(s->operators[i])->of[j].sums;
  return NULL;
}

const struct wn_operator_ops wn_operator_merging = {
    .create = create,
    .begin = begin,
    .apply = apply,
    .state = state,
    .free = destroy,
};
