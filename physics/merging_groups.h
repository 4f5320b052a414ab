/* physics/merging_groups.h - a group of macroparticles of a cell, of similar velocity, becomes fewer by one of
 * three methods: src/sim/merging.c describes them, physics/merging.h has the formulae.  One group at a time, the
 * same text and bits on CPU and GPU. */
#ifndef WN_PHYSICS_MERGING_GROUPS_H
#define WN_PHYSICS_MERGING_GROUPS_H
#include "physics/rng.h" /* before any other header of cuRAND */
#include <math.h>
#include <stdint.h>
#include "physics/constants.h"
#include "physics/host_device.h"
#include "physics/merging.h"
#include "physics/mover.h"
#include "physics/tally.h"

#define WN_MERGING_LARGEST 10 /* members of a group */
#define WN_MERGING_FOUR    4  /* of one that becomes two */

/* Largest change of velocities by rounded weights, in parts of their spread. */
#define WN_MERGING_SMALL 1e-3

/* Units of the sums: weight times u over c, and (WN_FIX_ENERGY) weight times eV. */
#define WN_MERGING_MOMENTUM (0x1p60 / WN_C)

/* The ledger, of all passes since the case began. */
struct wn_merging_sums {
  uint64_t passes;        /* steps in which the species was looked at */
  uint64_t before, after; /* macroparticles that were merged, and that came of them */
  uint64_t split;         /* macroparticles that were halved */
  uint64_t across;        /* groups whose two went apart across their mean velocity */
  uint64_t left; /* groups left as they were: no weights for their charge, or an edge */
  wn_i128 merged_quanta, split_quanta;
  wn_i128 momentum_before[3], momentum_after[3]; /* of what was merged */
  wn_i128 energy_before, energy_after;
};

/* What is asked of the cells of a species in a step. */
struct wn_merging_rule {
  int32_t method;       /* enum wn_merging_method */
  uint32_t most, least; /* macroparticles of a cell; least 0: none is halved */
  int64_t
      heaviest; /* quanta of one; a cell may have another limit (struct wn_merging_cell) */
  double least_halved; /* quanta of one that may be halved */
  uint32_t n_classes;
  const double *classes_ev; /* [n_classes] energies that merging does not cross */
  double protect_ev;        /* above it nothing is merged or halved */
  struct wn_points points;
  /* names of the random numbers: the entry of plasma.merging, the step */
  struct wn_rng_key key;
  uint32_t entry, step;
};

/* A macroparticle that may be merged. */
struct wn_merging_member {
  int64_t quanta;
  float u[3];
  uint32_t order; /* in the list of the cell */
};

/* What becomes of a group of n members. */
struct wn_merging_outcome {
  int64_t heaviest; /* quanta of one, in this cell */
  uint32_t n, gone; /* gone: those that end; 0: the group is left as it is */
  int32_t is_across;
  uint32_t from, to; /* the place of member `from` is that of `to`, too */
  int64_t quanta[WN_MERGING_LARGEST]; /* 0: it ends; */
  float u[WN_MERGING_LARGEST][3];     /* of the others */
  struct wn_merging_member m[WN_MERGING_LARGEST];
};

static WN_HD struct wn_rng4 wn_merging_draw(const struct wn_merging_rule *is,
                                            uint64_t cell, uint32_t block)
{
  return wn_rng_with(&is->key, cell | (uint64_t)is->entry << 48, is->step, WN_RNG_MERGING,
                     block & 0xffffffu);
}

static WN_HD double wn_merging_energy_ev(const struct wn_merging_rule *is,
                                         const float u[3])
{
  return wn_point_energy_ev(&is->points, 3, u);
}

/* The class of an energy; n_classes + 1: protected. */
static WN_HD uint32_t wn_merging_class_of(const struct wn_merging_rule *is, double ev)
{
  uint32_t k = 0;
  if (ev > is->protect_ev)
    return is->n_classes + 1;
  while (k < is->n_classes && ev >= is->classes_ev[k])
    k++;
  return k;
}

static WN_HD uint32_t wn_merging_class(const struct wn_merging_rule *is, const float u[3])
{
  return wn_merging_class_of(is, wn_merging_energy_ev(is, u));
}

/* Members of the largest groups. */
static WN_HD uint32_t wn_merging_size(int method)
{
  return method == WN_MERGING_WEIGHTS ? WN_MERGING_LARGEST
         : method == WN_MERGING_TWO   ? WN_MERGING_FOUR
                                      : 2;
}

/* ---- sums of a group */

struct wn_merging_whole {
  int64_t quanta;
  double mean[3];
  double energy; /* quanta times wn_merging_kinetic */
  double cost;   /* quanta times m2/s2 about the mean */
};

static WN_HD struct wn_merging_whole
wn_merging_whole_of(const struct wn_merging_rule *is, const struct wn_merging_member *m,
                    uint32_t n)
{
  struct wn_merging_whole w = {0, {0.0, 0.0, 0.0}, 0.0, 0.0};
  for (uint32_t i = 0; i < n; i++) {
    const double q = (double)m[i].quanta,
                 u[3] = {(double)m[i].u[0], (double)m[i].u[1], (double)m[i].u[2]};
    w.quanta += m[i].quanta;
    w.energy += q * wn_merging_kinetic(is->points.relativistic, u);
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

/* ---- two of a group */

/* A direction apart: physics/merging.h; any for members of one velocity. */
static WN_HD void wn_merging_direction(const struct wn_merging_member *m, uint32_t n,
                                       const struct wn_merging_whole *w, struct wn_rng4 r,
                                       double e[3])
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
static WN_HD void wn_merging_sort_along(struct wn_merging_member *m, uint32_t n,
                                        const double e[3])
{
  double along[WN_MERGING_FOUR];
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
static WN_HD uint32_t wn_merging_owner(const struct wn_merging_member *m, uint32_t n,
                                       double quantum)
{
  double sum = 0.0;
  for (uint32_t i = 0; i + 1 < n; i++) {
    sum += (double)m[i].quanta;
    if (quantum < sum)
      return i;
  }
  return n - 1;
}

/* Velocities of weights a and b of a group, apart along e; returns whether both keep the class. */
static WN_HD int wn_merging_try_two(const struct wn_merging_rule *is, uint32_t class_of,
                                    const struct wn_merging_whole *w, int64_t a,
                                    const double e[3], float u[2][3])
{
  double x[3], y[3];
  const int relativistic = is->points.relativistic;
  const double energy =
      w->cost > 0.0 ? w->energy
                    : (double)w->quanta * wn_merging_kinetic(relativistic, w->mean);
  wn_merging_two(relativistic, (double)a, (double)(w->quanta - a), w->mean, energy, e, x,
                 y);
  for (int d = 0; d < 3; d++) {
    u[0][d] = (float)x[d];
    u[1][d] = (float)y[d];
  }
  return wn_merging_class(is, u[0]) == class_of && wn_merging_class(is, u[1]) == class_of;
}

static WN_COLD void wn_merging_into_two(const struct wn_merging_rule *is, uint64_t cell,
                                        uint32_t block, struct wn_merging_outcome *o)
{
  struct wn_merging_member *m = o->m;
  const uint32_t n = o->n, class_of = wn_merging_class(is, m->u);
  const struct wn_merging_whole w = wn_merging_whole_of(is, m, n);
  const struct wn_rng4 r = wn_merging_draw(is, cell, block);
  int64_t a;
  float u[2][3];
  double e[3];
  if (!wn_merging_share(w.quanta, &a) || w.quanta - a > o->heaviest)
    return;
  wn_merging_direction(m, n, &w, r, e);
  if (!wn_merging_try_two(is, class_of, &w, a, e, u)) {
    wn_merging_direction(m, n, &w, wn_merging_draw(is, cell, block + 1), e);
    wn_merging_across(w.mean, e);
    if (!wn_merging_try_two(is, class_of, &w, a, e, u))
      return;
    o->is_across = 1;
  }
  wn_merging_sort_along(m, n, e);
  const uint32_t i = wn_merging_owner(m, n, wn_u01(r.w[1]) * (double)a),
                 of_b = wn_merging_owner(
                     m, n, (double)a + wn_u01(r.w[2]) * (double)(w.quanta - a)),
                 j = of_b > i    ? of_b
                     : i + 1 < n ? i + 1
                                 : i - 1;
  o->from = of_b;
  o->to = j;
  for (uint32_t k = 0; k < n; k++)
    o->quanta[k] = k == i ? a : k == j ? w.quanta - a : 0;
  for (int d = 0; d < 3; d++) {
    o->u[i][d] = u[0][d];
    o->u[j][d] = u[1][d];
  }
  o->gone = n - 2;
}

/* ---- one of two members, by weight */

static WN_HD void wn_merging_into_one(const struct wn_merging_rule *is, uint64_t cell,
                                      uint32_t block, struct wn_merging_outcome *o)
{
  const int64_t quanta = o->m[0].quanta + o->m[1].quanta;
  if (!wn_merging_is_weight(quanta) || quanta > o->heaviest)
    return;
  const uint32_t i = wn_merging_owner(
      o->m, 2, wn_u01(wn_merging_draw(is, cell, block).w[0]) * (double)quanta);
  o->quanta[i] = quanta;
  o->quanta[1 - i] = 0;
  for (int d = 0; d < 3; d++)
    o->u[i][d] = o->m[i].u[d];
  o->gone = 1;
}

/* ---- fewer by new weights */

/* Weights in quanta that add up, of n; what is left by rounding goes to the lightest that can take it.
 * Returns whether there are such. */
static WN_HD int wn_merging_round_weights(const double *w, uint32_t n, int64_t all,
                                          int64_t most, int64_t *quanta)
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
static WN_HD int wn_merging_restore(const struct wn_merging_rule *is,
                                    const struct wn_merging_whole *w,
                                    struct wn_merging_outcome *o)
{
  const int relativistic = is->points.relativistic;
  const struct wn_merging_member *m = o->m;
  const uint32_t n = o->n;
  double mean[3] = {0.0, 0.0, 0.0}, f = 1.0;
  for (uint32_t i = 0; i < n; i++)
    for (int d = 0; d < 3; d++)
      mean[d] += (double)o->quanta[i] * (double)m[i].u[d] / (double)w->quanta;
  WN_ROLLED
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
      energy += (double)o->quanta[i] * wn_merging_kinetic(relativistic, x);
      slope += (double)o->quanta[i] * along /
               (relativistic ? sqrt(1.0 + square * (1.0 / (WN_C * WN_C))) : 1.0);
    }
    const double less = slope > 0.0 ? (energy - w->energy) / slope : 0.0;
    f -= less;
    if (!(fabs(less) > 1e-14))
      break;
  }
  for (uint32_t i = 0; i < n; i++)
    for (int d = 0; d < 3; d++)
      o->u[i][d] = (float)(w->mean[d] + f * ((double)m[i].u[d] - mean[d]));
  double shift = 0.0;
  for (int d = 0; d < 3; d++)
    shift += (w->mean[d] - mean[d]) * (w->mean[d] - mean[d]);
  return !(w->cost > 0.0) ||
         (fabs(f - 1.0) <= WN_MERGING_SMALL &&
          shift * (double)w->quanta <= WN_MERGING_SMALL * WN_MERGING_SMALL * w->cost);
}

/* Members whose weight becomes 0, at most `fewer`, until WN_MERGING_SUMS are left that may change: neither
 * these nor those at the greatest weight, which rounding must not exceed.  Returns how many. */
static WN_HD uint32_t wn_merging_drop_some(const struct wn_merging_rule *is,
                                           int64_t heaviest, uint64_t cell,
                                           const struct wn_merging_member *m, uint32_t n,
                                           uint32_t fewer, uint32_t block, double *w)
{
  const double most = (double)heaviest * (1.0 - 0x1p-16);
  uint32_t gone = 0;
  struct wn_rng4 r = {{0, 0, 0, 0}};
  WN_ROLLED
  for (uint32_t k = 0; gone < fewer; k++) {
    double u[WN_MERGING_SUMS + 1][3], some[WN_MERGING_SUMS + 1];
    uint32_t which[WN_MERGING_SUMS + 1], at = 0;
    if (k % 4 == 0)
      r = wn_merging_draw(is, cell, block + k / 4);
    WN_UNROLLED
    for (int i = 0; i <= WN_MERGING_SUMS; i++) { /* the first of those that are left */
      while (at < n && !(w[at] > 0.0 && w[at] < most))
        at++;
      if (at == n)
        return gone;
      which[i] = at;
      some[i] = w[at];
      for (int d = 0; d < 3; d++)
        u[i][d] = (double)m[at].u[d];
      at++;
    }
    const uint32_t word = k % 4 == 0   ? r.w[0]
                          : k % 4 == 1 ? r.w[1]
                          : k % 4 == 2 ? r.w[2]
                                       : r.w[3];
    wn_merging_drop(is->points.relativistic, (const double(*)[3])u, some, most,
                    wn_u01(word));
    uint32_t ends = 0;
    WN_UNROLLED
    for (int i = 0; i <= WN_MERGING_SUMS; i++) {
      w[which[i]] = some[i];
      ends |= some[i] == 0.0;
    }
    gone += ends;
  }
  return gone;
}

/* Fewer members, by `fewer` where that can be. */
static WN_COLD void wn_merging_by_weights(const struct wn_merging_rule *is, uint64_t cell,
                                          uint32_t fewer, uint32_t block,
                                          struct wn_merging_outcome *o)
{
  const struct wn_merging_member *m = o->m;
  const uint32_t n = o->n, class_of = wn_merging_class(is, m->u);
  const struct wn_merging_whole all = wn_merging_whole_of(is, m, n);
  double w[WN_MERGING_LARGEST];
  for (uint32_t i = 0; i < n; i++)
    w[i] = (double)m[i].quanta;
  int fits = 1;
  if (all.cost > 0.0) {
    fits = wn_merging_drop_some(is, o->heaviest, cell, m, n, fewer < n ? fewer : n, block,
                                w) > 0;
  } else { /* one velocity: one of them has all */
    const uint32_t one = wn_merging_owner(
        m, n, wn_u01(wn_merging_draw(is, cell, block).w[0]) * (double)all.quanta);
    for (uint32_t i = 0; i < n; i++)
      w[i] = i == one ? (double)all.quanta : 0.0;
  }
  fits = fits && wn_merging_round_weights(w, n, all.quanta, o->heaviest, o->quanta) &&
         wn_merging_restore(is, &all, o);
  for (uint32_t i = 0; i < n && fits; i++)
    fits = o->quanta[i] == 0 || wn_merging_class(is, o->u[i]) == class_of;
  for (uint32_t i = 0; i < n && fits; i++)
    o->gone += o->quanta[i] == 0;
}

/* ---- any method */

/* What becomes of the group of n members o->m, none above o->heaviest, by `method`, which is that of the rule: a
 * kernel has it as a constant.  cell: its number; block: of the random numbers, the next two are
 * the group's, too; fewer: as many fewer at most, which only `weights` heeds. */
static WN_HD void wn_merging_decide(const struct wn_merging_rule *is, int method,
                                    uint64_t cell, uint32_t fewer, uint32_t block,
                                    struct wn_merging_outcome *o)
{
  o->gone = o->from = o->to = 0;
  o->is_across = 0;
  if (method == WN_MERGING_WEIGHTS)
    wn_merging_by_weights(is, cell, fewer, block, o);
  else if (method == WN_MERGING_TWO)
    wn_merging_into_two(is, cell, block, o);
  else
    wn_merging_into_one(is, cell, block, o);
}

static WN_HD void wn_merging_count(const struct wn_merging_rule *is, int64_t quanta,
                                   const float u[3], wn_i128 momentum[3], wn_i128 *energy)
{
  const double w = (double)quanta / WN_QUANTA;
  for (int d = 0; d < 3; d++)
    momentum[d] += wn_fix(w * (double)u[d], WN_MERGING_MOMENTUM);
  *energy += wn_fix(w * wn_merging_energy_ev(is, u), WN_FIX_ENERGY);
}

/* A group and what it became, into the ledger. */
static WN_HD void wn_merging_enter(const struct wn_merging_rule *is,
                                   const struct wn_merging_outcome *o,
                                   struct wn_merging_sums *sums)
{
  if (o->gone == 0) {
    sums->left++;
    return;
  }
  sums->before += o->n;
  sums->after += o->n - o->gone;
  sums->across += (uint64_t)o->is_across;
  for (uint32_t i = 0; i < o->n; i++) {
    wn_merging_count(is, o->m[i].quanta, o->m[i].u, sums->momentum_before,
                     &sums->energy_before);
    sums->merged_quanta += o->m[i].quanta;
    if (o->quanta[i] > 0)
      wn_merging_count(is, o->quanta[i], o->u[i], sums->momentum_after,
                       &sums->energy_after);
  }
}

#endif
