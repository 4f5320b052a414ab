/* physics/split_remove.h - model `split-remove`: the synthetic two-process gas of the
 * scheduler study. An electron moves with the acceleration it was given at the start of
 * the Poisson step (half kick, drift, half kick; away from the crowd), then one uniform
 * number decides by a table over log10 v^2 whether it splits, is removed, or neither.
 * Classical mechanics, as in the study.  State: struct wn_split_electron, the same 64
 * bytes as struct wn_electron with three fields used for the held acceleration. */
#ifndef WN_PHYSICS_SPLIT_REMOVE_H
#define WN_PHYSICS_SPLIT_REMOVE_H
#include <stddef.h>
#include <stdint.h>
#include "physics/electron.h"
#include "physics/hd.h"
#include "physics/mathfn.h"
#include "physics/rng.h"

#define WN_SPLIT_LEVELS 10000

/* The level as a function of the bits of v^2: bins of 1/512 octave from 2^-20, so narrow
 * that a bin holds the beginning of one level at most. */
#define WN_SPLIT_BINS_AN_OCTAVE_LOG2 9
#define WN_SPLIT_FIRST_OCTAVE        (-20)
#define WN_SPLIT_BINS                (76 << WN_SPLIT_BINS_AN_OCTAVE_LOG2)

struct wn_split_bin {
  uint32_t level; /* at the lower end of the bin */
  uint32_t cut;   /* the level is one higher where the next 32 bits are above this */
};

struct wn_split_tables {
  struct wn_split_bin bin[WN_SPLIT_BINS];
  float chance[WN_SPLIT_LEVELS][2]; /* per cent: split, removed */
};

struct wn_split_electron {
  double x[3]; /* m */
  float v[3];  /* m/s */
  float a0;    /* m/s2, held during a Poisson step */
  uint64_t id;
  uint32_t event; /* steps taken: names the random numbers */
  float a1;
  float t_left; /* steps still to go; same place and meaning as in struct wn_electron */
  float a2;
};

struct wn_split {
  uint64_t seed;
  int64_t cells;         /* a side */
  double cell_size, dt;  /* m, s */
  double size;           /* of the box, m: cells times cell_size */
  double k;              /* e^2/(4 pi eps0 h^2 m), m/s2 per electron */
  const uint32_t *count; /* [cells^3], x fastest: electrons of each cell at the start of
                            the Poisson step */
  const struct wn_split_tables *tables;
};

enum { WN_SPLIT_CHILD = 1, WN_SPLIT_DEAD = 2 };

/* Index of the cell of x, or -1 outside the box. */
static WN_HD int64_t wn_split_cell(const struct wn_split *m, const double x[3])
{
  int64_t c[3];
  for (int i = 0; i < 3; i++) {
    double s = x[i] / m->cell_size;
    if (!(s >= 0.0 && s < (double)m->cells))
      return -1;
    c[i] = (int64_t)s;
  }
  return (c[2] * m->cells + c[1]) * m->cells + c[0];
}

static WN_HD double wn_split_neighbour(const struct wn_split *m, int64_t cell, int64_t at,
                                       int64_t step, int64_t to)
{
  return at + to < 0 || at + to >= m->cells ? 0.0 : (double)m->count[cell + to * step];
}

/* Acceleration at the electron's cell: K (count[i+1] - count[i-1]) along each axis, away
 * from the crowd: an electron is repelled by the fuller neighbour, hence the minus sign.
 * An electron outside the box gets none; it dies at its next step. */
static WN_HD void wn_split_accelerate(const struct wn_split *m,
                                      struct wn_split_electron *e)
{
  int64_t cell = wn_split_cell(m, e->x), n = m->cells, step = 1;
  float a[3] = {0.0f, 0.0f, 0.0f};
  if (cell >= 0) {
    int64_t rest = cell;
    for (int i = 0; i < 3; i++, step *= n, rest /= n) {
      int64_t at = rest % n;
      a[i] = (float)(-m->k * (wn_split_neighbour(m, cell, at, step, 1) -
                              wn_split_neighbour(m, cell, at, step, -1)));
    }
  }
  e->a0 = a[0], e->a1 = a[1], e->a2 = a[2];
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

/* v^2 of the bin number and the 32 bits that follow it. */
static WN_HD double wn_split_v2(int bin, uint32_t low)
{
  const int shift = 52 - WN_SPLIT_BINS_AN_OCTAVE_LOG2;
  uint64_t first = (uint64_t)(1023 + WN_SPLIT_FIRST_OCTAVE)
                   << WN_SPLIT_BINS_AN_OCTAVE_LOG2;
  return wn_from_bits((first + (uint64_t)bin) << shift | (uint64_t)low << (shift - 32));
}

/* The same level without a logarithm. */
static WN_HD int wn_split_level_of(const struct wn_split_tables *t, double v2)
{
  const int shift = 52 - WN_SPLIT_BINS_AN_OCTAVE_LOG2;
  uint64_t bits = wn_bits(v2);
  int bin = (int)(bits >> shift) -
            ((1023 + WN_SPLIT_FIRST_OCTAVE) << WN_SPLIT_BINS_AN_OCTAVE_LOG2);
  if (bin < 0)
    return 0;
  bin = bin < WN_SPLIT_BINS ? bin : WN_SPLIT_BINS - 1;
  const struct wn_split_bin b = t->bin[bin];
  return (int)b.level + ((uint32_t)(bits >> (shift - 32)) > b.cut);
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

/* A newborn has the id of its parent and the number of the step until it is named. */
static WN_HD void wn_split_name(const struct wn_split *m, struct wn_split_electron *child)
{
  child->id = wn_rng_child_id(m->seed, child->id, child->event, 0);
  child->event = 0;
}

/* One mobility step; word: its random word.  A child is not yet named. */
static WN_HD int wn_split_step_with(const struct wn_split *m, struct wn_split_electron *e,
                                    struct wn_split_electron *child, uint32_t word)
{
  const double a[3] = {(double)e->a0, (double)e->a1, (double)e->a2};
  double v2 = 0.0;
  int inside = 1;
  for (int i = 0; i < 3; i++) {
    double kick = 0.5 * m->dt * a[i], half = (double)e->v[i] + kick, v = half + kick;
    e->x[i] += half * m->dt;
    inside &= e->x[i] >= 0.0 && e->x[i] < m->size;
    e->v[i] = (float)v;
    v2 += v * v;
  }
  e->t_left -= 1.0f;
  uint32_t event = e->event++;
  if (!inside) {
    e->t_left = WN_DEAD;
    return WN_SPLIT_DEAD;
  }
  double u = 100.0 * wn_u01(word);
  const float *chance = m->tables->chance[wn_split_level_of(m->tables, v2)];
  double s = (double)chance[0], either = s + (double)chance[1];
  if (u < s) {
    *child = *e;
    child->event = event;
    for (int i = 0; i < 3; i++)
      e->v[i] = -e->v[i];
    return WN_SPLIT_CHILD;
  }
  if (u < either) {
    e->t_left = WN_DEAD;
    return WN_SPLIT_DEAD;
  }
  return 0;
}

static WN_HD int wn_split_step(const struct wn_split *m, struct wn_split_electron *e,
                               struct wn_split_electron *child)
{
  struct wn_rng4 r = wn_split_words(m, e->id, e->event);
  int what = wn_split_step_with(m, e, child, wn_split_word(&r, e->event));
  if (what == WN_SPLIT_CHILD)
    wn_split_name(m, child);
  return what;
}

#endif
