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
  double k;              /* e^2/(4 pi eps0 h^2 m), m/s2 per electron */
  const uint32_t *count; /* [cells^3], x fastest: electrons of each cell at the start of
                            the Poisson step */
  const float *split, *removed; /* [WN_SPLIT_LEVELS] per cent */
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
 * level 0. */
static WN_HD int wn_split_level(double v2)
{
  if (!(v2 > 1e-6))
    return 0;
  double l = (wn_ln(v2) * 0.43429448190325182765 + 6.0) * (1e4 / 22.0);
  return l < WN_SPLIT_LEVELS - 1 ? (int)l : WN_SPLIT_LEVELS - 1;
}

/* One mobility step. */
static WN_HD int wn_split_step(const struct wn_split *m, struct wn_split_electron *e,
                               struct wn_split_electron *child)
{
  const double a[3] = {(double)e->a0, (double)e->a1, (double)e->a2};
  double v[3], v2 = 0.0;
  for (int i = 0; i < 3; i++) {
    double half = (double)e->v[i] + 0.5 * m->dt * a[i];
    e->x[i] += half * m->dt;
    v[i] = half + 0.5 * m->dt * a[i];
    e->v[i] = (float)v[i];
    v2 += v[i] * v[i];
  }
  e->t_left -= 1.0f;
  uint32_t event = e->event++;
  if (wn_split_cell(m, e->x) < 0) {
    e->t_left = WN_DEAD;
    return WN_SPLIT_DEAD;
  }
  struct wn_rng4 r = wn_rng(m->seed, e->id, event >> 2, WN_RNG_EVENT, 0);
  double u = 100.0 * wn_u01(r.w[event & 3]);
  int level = wn_split_level(v2);
  double s = (double)m->split[level];
  if (u < s) {
    *child = *e;
    child->id = wn_rng_child_id(m->seed, e->id, event, 0);
    child->event = 0;
    for (int i = 0; i < 3; i++)
      e->v[i] = -e->v[i];
    return WN_SPLIT_CHILD;
  }
  if (u < s + (double)m->removed[level]) {
    e->t_left = WN_DEAD;
    return WN_SPLIT_DEAD;
  }
  return 0;
}

#endif
