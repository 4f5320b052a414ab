/* bench/study/box.h - model `box`: particles that fall and bounce in a 2-D box; each touch of
 * the floor creates one more.  Constant acceleration g downward, elastic floor and side
 * walls.  Motion and reflection are exact to rounding and use + - * / sqrt alone.  The
 * model serves to measure schedulers: births occur in the middle of a flight, at rates
 * that depend on the particle, and nothing dies.
 *
 * A touch: the vertical velocity of the particle is reversed.  A child of the same speed
 * leaves from the same point, in a direction uniform within 45 degrees of the vertical.
 * The child moves through the rest of the mobility step at once, so that it starts at the
 * next step, as in the other models.
 *
 * The energy per mass, (v_x^2 + v_y^2)/2 + g y, of a particle is that of its first
 * ancestor.  The first ones are released at rest at heights y0 in [H/2, H).  Hence no
 * particle rises above y0, and the box needs no lid.  The speed at the floor is V =
 * sqrt(2 g y0) < sqrt(2 g H).  A bounce has v_y >= V cos 45 degrees >= sqrt(g H/2) and
 * lasts 2 v_y/g >= sqrt(2 H/g).  wn_box_longest_step() keeps a mobility step below half
 * of the latter, so that a particle or its child touches the floor at most once per step.
 * It also keeps the step below the time to cross the box, so that a particle hits at most
 * one side wall. */
#ifndef WN_BENCH_STUDY_BOX_H
#define WN_BENCH_STUDY_BOX_H
#include <math.h>
#include <stdint.h>
#include "physics/electron.h"
#include "physics/host_device.h"
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

/* Longest mobility step [s] that the argument above allows. */
static WN_HD double wn_box_longest_step(double width, double height, double g)
{
  double floor_time = 0.5 * sqrt(2.0 * height / g),
         wall_time = width / sqrt(2.0 * g * height);
  return floor_time < wall_time ? floor_time : wall_time;
}

/* Straight motion along x for a time t, with at most one reflection. */
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

/* Motion upward from the floor with v_y for a time t. */
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
  if (y > 0.0) { /* the height is concave in time: above the floor throughout */
    wn_box_fly_x(m, e, m->dt);
    e->y = y;
    e->v_y -= m->g * m->dt;
    return 0;
  }
  /* Vertical speed at the floor and the time to it, each in the form free of
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
