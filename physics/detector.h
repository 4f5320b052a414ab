/* physics/detector.h - surfaces that a flying electron crosses: planes across the drift, spheres around the origin.
 * Units: m, s, u = gamma v in m/s.
 *
 * g(x) is the signed distance to a surface, below 0 inside: z - at of a plane, |x| - at of a sphere.  An electron crosses
 * outward where g becomes 0 or more, inward where it becomes less than 0.
 *
 * A flight in uniform E and B is divided into parts that turn by half a radian in B at the most.  A part with ends on two sides crosses
 * once.  One with both ends on a side crosses twice, or not at all: twice if g has an extremum between them on the other side,
 * which is where its rate of change is 0.  The time of a crossing is found by bisection on the exact flight (physics/push.h), to
 * 2^-50 of the part.  So a plane is never missed; of a sphere, a path bent by E that has two extrema of g in one part is.
 * Checked by t/physics/t0111-detector.c. */
#ifndef WN_PHYSICS_DETECTOR_H
#define WN_PHYSICS_DETECTOR_H
#include <math.h>
#include <stddef.h>
#include "physics/constants.h"
#include "physics/host_device.h"
#include "physics/push.h"

enum wn_detector_shape { WN_DETECTOR_PLANE, WN_DETECTOR_SPHERE };

struct wn_detector {
  int shape; /* enum wn_detector_shape */
  double at; /* z, or radius, m */
};

/* A flight of dt seconds in uniform fields; a, gyro: as in physics/push.h. */
struct wn_arc {
  double x[3], u[3], dt;
  const double *a, *gyro;
  int has_b;
};

/* Where it is after t. */
struct wn_arc_place {
  double x[3], u[3], t;
};

static WN_COLD struct wn_arc_place wn_arc_at(const struct wn_arc *f, double t)
{
  struct wn_arc_place p = {{f->x[0], f->x[1], f->x[2]}, {f->u[0], f->u[1], f->u[2]}, t};
  double gamma = wn_gamma(p.u);
  const double a2 = f->a[0] * f->a[0] + f->a[1] * f->a[1] + f->a[2] * f->a[2];
  if (f->has_b)
    wn_flight_eb(p.x, p.u, &gamma, f->a, f->gyro, t);
  else
    wn_flight_e(p.x, p.u, &gamma, f->a, a2 > 0.0 ? 1.0 / a2 : 0.0, t);
  return p;
}

static WN_HD double wn_detector_distance(const struct wn_detector *d, const double x[3])
{
  return d->shape == WN_DETECTOR_PLANE
             ? x[2] - d->at
             : sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]) - d->at;
}

/* That of the rate of change of g; its size is no speed. */
static WN_HD double wn_detector_approach(const struct wn_detector *d,
                                          const struct wn_arc_place *p)
{
  return d->shape == WN_DETECTOR_PLANE
             ? p->u[2]
             : p->x[0] * p->u[0] + p->x[1] * p->u[1] + p->x[2] * p->u[2];
}

/* Cosine between the velocity and the outward normal. */
static WN_HD double wn_detector_cosine(const struct wn_detector *d,
                                        const struct wn_arc_place *p)
{
  const double u =
      sqrt(p->u[0] * p->u[0] + p->u[1] * p->u[1] + p->u[2] * p->u[2]) *
      (d->shape == WN_DETECTOR_PLANE
           ? 1.0
           : sqrt(p->x[0] * p->x[0] + p->x[1] * p->x[1] + p->x[2] * p->x[2]));
  return u > 0.0 ? wn_detector_approach(d, p) / u : 0.0;
}

#define WN_DETECTOR_HALVINGS 50

/* The end of the interval of [lo, hi] in which `what`, a sign, becomes that at hi.  of_rate: that of the approach. */
static WN_COLD struct wn_arc_place wn_detector_bisect(const struct wn_detector *d,
                                                     const struct wn_arc *f, double lo,
                                                     double hi, int of_rate, int positive)
{
  struct wn_arc_place p = wn_arc_at(f, hi);
  for (int i = 0; i < WN_DETECTOR_HALVINGS; i++) {
    const double middle = 0.5 * (lo + hi);
    const struct wn_arc_place q = wn_arc_at(f, middle);
    const double g = of_rate ? wn_detector_approach(d, &q) : wn_detector_distance(d, q.x);
    if ((g >= 0.0) == positive) {
      hi = middle;
      p = q;
    } else {
      lo = middle;
    }
  }
  return p;
}

/* At most two crossings of a part from p to q, whose distances are g and h. */
struct wn_detector_crossings {
  int n;
  int outward[2];
  struct wn_arc_place at[2];
};

static WN_HD void wn_detector_part(const struct wn_detector *d, const struct wn_arc *f,
                                    const struct wn_arc_place *p, double g,
                                    const struct wn_arc_place *q, double h,
                                    struct wn_detector_crossings *out)
{
  const int out_g = g >= 0.0, out_h = h >= 0.0;
  out->n = 0;
  if (out_g != out_h) {
    out->outward[0] = out_h;
    out->at[0] = wn_detector_bisect(d, f, p->t, q->t, 0, out_h);
    out->n = 1;
    return;
  }
  /* towards the surface first, away from it at the end, and not too far for light */
  const int rises = wn_detector_approach(d, q) >= 0.0;
  if (fabs(g) + fabs(h) > WN_C * (q->t - p->t) ||
      (wn_detector_approach(d, p) >= 0.0) == rises || rises != out_h)
    return;
  const struct wn_arc_place turn = wn_detector_bisect(d, f, p->t, q->t, 1, rises);
  const int out_turn = wn_detector_distance(d, turn.x) >= 0.0;
  if (out_turn == out_g)
    return;
  out->n = 2;
  out->outward[0] = out_turn;
  out->at[0] = wn_detector_bisect(d, f, p->t, turn.t, 0, out_turn);
  out->outward[1] = out_h;
  out->at[1] = wn_detector_bisect(d, f, turn.t, q->t, 0, out_h);
}

/* Parts of a flight; u grows, so that the turn is at most the gyro frequency times the time. */
static WN_HD size_t wn_detector_parts(const struct wn_arc *f)
{
  const double b =
      sqrt(f->gyro[0] * f->gyro[0] + f->gyro[1] * f->gyro[1] + f->gyro[2] * f->gyro[2]);
  return f->has_b ? 1 + (size_t)(2.0 * b * f->dt) : 1;
}

#endif
