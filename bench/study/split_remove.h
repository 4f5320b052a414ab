/* bench/study/split_remove.h - model `split-remove`: the synthetic two-process gas of the
 * scheduler study.  An electron moves with its acceleration at the start of the Poisson
 * step (half kick, drift, half kick; away from high density).  Then one uniform number
 * decides, by a table over log10 v^2, whether it splits, is removed, or neither.
 * Classical mechanics, as in the study.  State: struct wn_split_electron, 64 bytes; three
 * members hold the acceleration.
 *
 * A step is in single precision, 6e-8, except for the positions.  Velocities are stored
 * as float in any case, and their uses, a displacement and the level, need no more.  A
 * position is a sum of many small displacements, so it stays double: in float, 1e5 m/s
 * times 1 ps added to 5 m would leave it unchanged.  On a GPU a conversion between the
 * two takes as long as eight additions, and there are three in a step. */
#ifndef WN_BENCH_STUDY_SPLIT_REMOVE_H
#define WN_BENCH_STUDY_SPLIT_REMOVE_H
#include <stddef.h>
#include <stdint.h>
#include "physics/electron.h"
#include "bench/study/difference_view.h"
#include "physics/host_device.h"
#include "physics/mathfn.h"
#include "physics/rng.h"

#define WN_SPLIT_LEVELS 10000

/* The level as a function of the bits of the float v^2: bins of 1/256 octave, for all
 * values of the bits below the sign.  They are so narrow (at most 0.0056 of an octave; a
 * level is 0.0073 wide) that a bin holds the beginning of at most one level.  Made and
 * verified by wn_split_fill. */
#define WN_SPLIT_BIN_BITS 15 /* bits of v^2 inside a bin */
#define WN_SPLIT_BINS     (1 << (31 - WN_SPLIT_BIN_BITS))

struct wn_split_tables {
  /* Added to the bits of v^2, modulo 2^32, it gives a sum whose upper 16 bits are the
   * level: (level at the lower end of the bin) 2^16 + 2^16 - 1 - cut, less the bits at
   * the lower end.  The level is one higher where the low 15 bits are above cut. */
  uint32_t bin[WN_SPLIT_BINS];
  /* Of the 2^32 random words, the number that mean a split (low half), and the number of
   * the following ones that mean a removal (high half).  2^32 itself does not fit: where
   * all words split, or all remove, the last one does nothing, a probability of 2^-32. */
  uint64_t chance[WN_SPLIT_LEVELS];
};

struct wn_split_electron {
  double x[3]; /* m */
  float v[3];  /* m/s */
  float a0;    /* acceleration times half a mobility step, m/s; fixed in a Poisson step */
  uint64_t id;
  uint32_t event; /* steps taken: names the random numbers */
  float a1;
  float t_left; /* steps still to go; 0: done, below 0: dead */
  float a2;
};

struct wn_split {
  uint64_t seed;
  float dt, half_dt; /* mobility step, s; half_dt = dt/2 */
  double size;       /* of the box, m */
  struct wn_difference_view field;
  const struct wn_split_tables *tables;
};

enum { WN_SPLIT_DEAD = 2, WN_SPLIT_CHILD = 4 };

/* The kick of the Poisson step: half_dt times the acceleration; a step needs this product
 * twice, and the acceleration itself not at all.  An electron outside the box gets none;
 * it dies at its next step. */
static WN_HD void wn_split_gather(const struct wn_split *m, struct wn_split_electron *e)
{
  float a[3];
  wn_difference_at(&m->field, e->x, a);
  e->a0 = m->half_dt * a[0], e->a1 = m->half_dt * a[1], e->a2 = m->half_dt * a[2];
}

/* Level of the table: trunc((log10 v^2 + 6) 10^4 / 22), clamped to [0, 9999]; v = 0 is
 * level 0.  This is the definition, from which the bins are made. */
static WN_HD int wn_split_level(double v2)
{
  if (!(v2 > 1e-6))
    return 0;
  double l = (wn_ln(v2) * 0.43429448190325182765 + 6.0) * (1e4 / 22.0);
  return l < WN_SPLIT_LEVELS - 1 ? (int)l : WN_SPLIT_LEVELS - 1;
}

/* v^2 from the bin number and the bits that follow it. */
static WN_HD float wn_split_v2(int bin, uint32_t low)
{
  return wn_float_from_bits((uint32_t)bin << WN_SPLIT_BIN_BITS | low);
}

/* wn_split_level(v2) without a logarithm.  NaN, which occurs only for electrons outside
 * the box, gives some level of the table. */
static WN_HD int wn_split_level_of(const struct wn_split_tables *t, float v2)
{
  uint32_t bits = wn_float_bits(v2) & 0x7fffffffu;
  return (int)((t->bin[bits >> WN_SPLIT_BIN_BITS] + bits) >> 16);
}

/* Whether 0 <= x < size on each axis.  Doubles of positive sign are in the order of their
 * bits; those of negative sign come after them as unsigned integers.  So one comparison
 * covers both ends.  NaN is outside.  So is -0.0, which does not occur: a sum is -0.0
 * only if both terms are, and electrons begin at +0.0 or above. */
static WN_HD int wn_split_inside(const struct wn_split *m, const double x[3])
{
  const uint64_t size = wn_bits(m->size);
  return (int)(wn_bits(x[0]) < size) & (int)(wn_bits(x[1]) < size) &
         (int)(wn_bits(x[2]) < size);
}

/* The random word of an electron's step number `event`. */
static WN_HD struct wn_rng4 wn_split_words(const struct wn_split *m, uint64_t id,
                                           uint32_t event)
{
  return wn_rng(m->seed, id, event >> 2, WN_RNG_EVENT, 0);
}

static WN_HD uint32_t wn_split_word(const struct wn_rng4 *r, uint32_t event)
{
  uint32_t a = event & 1 ? r->w[1] : r->w[0], b = event & 1 ? r->w[3] : r->w[2];
  return event & 2 ? b : a;
}

/* The newborn of an electron that has just split: it moves in the original direction of
 * its parent, whose velocity was reversed.  It has the id of its parent and the number of
 * the step until it gets its own id. */
static WN_HD struct wn_split_electron wn_split_newborn(const struct wn_split_electron *e)
{
  struct wn_split_electron child = *e;
  for (int i = 0; i < 3; i++)
    child.v[i] = -e->v[i];
  child.event = e->event - 1;
  return child;
}

static WN_HD void wn_split_name(const struct wn_split *m, struct wn_split_electron *child)
{
  child->id = wn_rng_child_id(m->seed, child->id, child->event, 0);
  child->event = 0;
}

/* One mobility step; word: its random word. */
static WN_HD int wn_split_step_with(const struct wn_split *m, struct wn_split_electron *e,
                                    uint32_t word)
{
  const float kick[3] = {e->a0, e->a1, e->a2};
  float square[3];
  for (int i = 0; i < 3; i++) {
    float half = e->v[i] + kick[i], v = half + kick[i], dx = half * m->dt;
    e->x[i] += (double)dx;
    e->v[i] = v;
    square[i] = v * v;
  }
  float v2 = square[0] + square[1] + square[2];
  uint64_t chance = m->tables->chance[wn_split_level_of(m->tables, v2)];
  uint32_t split = (uint32_t)chance, removed = (uint32_t)(chance >> 32);
  /* Without a branch, as few lanes of a warp would take it.  Where word < split, the
   * difference wraps around to 2^32 - split or more, which is not below removed. */
  int inside = wn_split_inside(m, e->x), splits = inside & (int)(word < split),
      dies = (int)!inside | (int)(word - split < removed);
  e->t_left = dies ? WN_DEAD : e->t_left - 1.0f;
  for (int i = 0; i < 3; i++)
    e->v[i] = splits ? -e->v[i] : e->v[i];
  e->event++;
  return (splits ? WN_SPLIT_CHILD : 0) | (dies ? WN_SPLIT_DEAD : 0);
}

static WN_HD int wn_split_step(const struct wn_split *m, struct wn_split_electron *e,
                               struct wn_split_electron *child)
{
  struct wn_rng4 r = wn_split_words(m, e->id, e->event);
  int what = wn_split_step_with(m, e, wn_split_word(&r, e->event));
  if (what == WN_SPLIT_CHILD) {
    *child = wn_split_newborn(e);
    wn_split_name(m, child);
  }
  return what;
}

#endif
