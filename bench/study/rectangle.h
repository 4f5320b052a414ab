/* bench/study/rectangle.h - model `rectangle`: after every mobility step an electron is at a
 * new random place of a rectangle; then it splits, or is removed, with fixed
 * probabilities.  It is not physical: births and deaths come at a rate set by the user,
 * with almost no arithmetic, so that it measures a scheduler.  State: struct
 * wn_rectangle_electron, 32 bytes.  After n steps of N electrons there are N m^n on
 * average, m = 1 + s - r with the probabilities s to split and r to be removed; the
 * variance is N (s + r - (s - r)^2) m^(n-1) (m^n - 1) / (m - 1), or N (s + r) n for s = r
 * (a branching process of Galton and Watson). */
#ifndef WN_BENCH_STUDY_RECTANGLE_H
#define WN_BENCH_STUDY_RECTANGLE_H
#include <stdint.h>
#include "physics/electron.h"
#include "physics/host_device.h"
#include "physics/rng.h"

struct wn_rectangle_electron {
  double x[2]; /* m */
  uint64_t id;
  uint32_t event; /* steps taken: names the random numbers */
  float t_left;   /* steps still to go; 0: done, below 0: dead */
};

struct wn_rectangle {
  uint64_t seed;
  double width, height;  /* m, along x[0] and x[1] */
  double split, removed; /* per cent a mobility step */
};

enum { WN_RECTANGLE_DEAD = 2, WN_RECTANGLE_CHILD = 4 };

/* One mobility step: one Philox block; two words give the place and one decides.
 * The child is at the place of its parent and starts at the next step. */
static WN_HD int wn_rectangle_step(const struct wn_rectangle *m,
                                   struct wn_rectangle_electron *e,
                                   struct wn_rectangle_electron *child)
{
  uint32_t event = e->event++;
  struct wn_rng4 r = wn_rng(m->seed, e->id, event, WN_RNG_EVENT, 0);
  double u = 100.0 * wn_u01(r.w[2]);
  e->x[0] = m->width * wn_u01(r.w[0]);
  e->x[1] = m->height * wn_u01(r.w[1]);
  e->t_left -= 1.0f;
  if (u < m->split) {
    *child = *e;
    child->id = wn_rng_child_id(m->seed, e->id, event, 0);
    child->event = 0;
    return WN_RECTANGLE_CHILD;
  }
  if (u < m->split + m->removed) {
    e->t_left = WN_DEAD;
    return WN_RECTANGLE_DEAD;
  }
  return 0;
}

#endif
