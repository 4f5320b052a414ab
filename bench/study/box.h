/* bench/study/box.h - model `box`: particles that fall and bounce in a 2-D box, and one more
 * at each touch of the floor.  Constant acceleration g downward, elastic floor and side
 * walls; motion and reflection are exact but for rounding, with + - * / sqrt alone.
 * It is there to measure schedulers: births come in the middle of a flight, at rates that
 * depend on the particle, and nothing dies.
 *
 * A touch: the particle's vertical velocity turns round, and a child with the same speed
 * leaves from the same point, in a direction uniform within 45 degrees of the vertical.
 * The child flies with the rest of the mobility step at once, so that it starts at the
 * next step like those of the other models.
 *
 * Energy per mass, (v_x^2 + v_y^2)/2 + g y, is that of the first of the line for all that
 * descend from it.  Those are released at rest at heights y0 in [H/2, H), hence: nobody
 * gets above y0, and the box needs no lid; the speed at the floor is V = sqrt(2 g y0) <
 * sqrt(2 g H); a bounce has v_y >= V cos 45 degrees >= sqrt(g H/2) and lasts 2 v_y/g >=
 * sqrt(2 H/g).  wn_box_longest_step() keeps a mobility step below half of the latter, so
 * that a particle or its child touches the floor once in it at most, and below the time
 * to cross the box, so that it meets one wall at most. */
#ifndef WN_BENCH_STUDY_BOX_H
#define WN_BENCH_STUDY_BOX_H
#include <math.h>
#include <stdint.h>
#include "physics/electron.h"
#include "physics/hd.h"
#include "physics/mathfn.h"
#include "physics/rng.h"

/* 64 bytes. */
struct wn_box_electron {
  double x, y;     /* m, y upward from the floor */
  double v_x, v_y; /* m/s */
  double unused;
  uint64_t id;
  uint32_t event; /* steps taken: names the random numbers */
  uint32_t touches;
  float t_left; /* steps still to go; 0: done, below 0: dead */
  float spare;
};

struct wn_box {
  uint64_t seed;
  double width, height; /* m; the height only bounds the release */
  double g;             /* m/s2, downward */
  double dt;            /* s */
};

enum { WN_BOX_CHILD = 4 };

/* See above; s. */
static WN_HD double wn_box_longest_step(double width, double height, double g)
{
  double floor_time = 0.5 * sqrt(2.0 * height / g),
         wall_time = width / sqrt(2.0 * g * height);
  return floor_time < wall_time ? floor_time : wall_time;
}

/* Straight along x for a time t, with one reflection at most. */
static WN_HD void wn_box_fly_x(const struct wn_box *m, struct wn_box_electron *e,
                               double t)
{
  e->x += e->v_x * t;
  if (e->x < 0.0) {
    e->x = -e->x;
    e->v_x = -e->v_x;
  } else if (e->x > m->width) {
    e->x = 2.0 * m->width - e->x;
    e->v_x = -e->v_x;
  }
}

/* From the floor up with v_y for a time t. */
static WN_HD void wn_box_leave_floor(const struct wn_box *m, struct wn_box_electron *e,
                                     double v_y, double t)
{
  e->y = (v_y - 0.5 * m->g * t) * t;
  e->v_y = v_y - m->g * t;
}

/* One mobility step. */
static WN_HD int wn_box_step(const struct wn_box *m, struct wn_box_electron *e,
                             struct wn_box_electron *child)
{
  uint32_t event = e->event++;
  double y = e->y + (e->v_y - 0.5 * m->g * m->dt) * m->dt;
  e->t_left -= 1.0f;
  if (y > 0.0) { /* the height is concave in time, so it was above the floor all along */
    wn_box_fly_x(m, e, m->dt);
    e->y = y;
    e->v_y -= m->g * m->dt;
    return 0;
  }
  /* Vertical speed at the floor and the time to it, each by the form without
   * cancellation. */
  double v_y = sqrt(e->v_y * e->v_y + 2.0 * m->g * e->y);
  double before = e->v_y < 0.0 ? 2.0 * e->y / (v_y - e->v_y) : (v_y + e->v_y) / m->g;
  if (before > m->dt) /* by rounding */
    before = m->dt;
  double after = m->dt - before;
  wn_box_fly_x(m, e, before);
  *child = *e;
  wn_box_fly_x(m, e, after);
  wn_box_leave_floor(m, e, v_y, after);
  e->touches++;

  struct wn_rng4 r = wn_rng(m->seed, e->id, event, WN_RNG_EVENT, 0);
  double speed = sqrt(e->v_x * e->v_x + v_y * v_y), sine, cosine;
  wn_sincos_turn(0.125 + 0.25 * wn_u01(r.w[0]), &sine, &cosine);
  child->v_x = speed * cosine;
  wn_box_fly_x(m, child, after);
  wn_box_leave_floor(m, child, speed * sine, after);
  child->id = wn_rng_child_id(m->seed, e->id, event, 0);
  child->event = 0;
  child->touches = 0;
  return WN_BOX_CHILD;
}

#endif
