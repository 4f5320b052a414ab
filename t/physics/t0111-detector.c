/* t0111-detector.c - defends: crossings of planes and spheres by a flight (physics/detector.h) are found, all of them, when they are.
 * References: kinematics by hand.
 *  - straight flights: the time is distance over speed, a chord of a sphere is entered and left;
 *  - against a field: an electron turns and comes back through a plane with the energy that it had there, or turns before it;
 *  - in a magnetic field: a circle crosses a plane twice each turn, at angles that follow from its radius;
 *  - what ends on a surface and begins there again is counted once. */
#include <math.h>
#include "physics/detector.h"
#include "t/tap/tap.h"

#define MOST 64

struct seen {
  int n;
  int outward[MOST];
  struct wn_arc_place at[MOST];
};

/* As schedulers/mcc_detected.c, of one flight. */
static struct seen fly(const struct wn_detector *d, const struct wn_arc *f)
{
  struct seen s = {.n = 0};
  struct wn_detector_crossings found;
  const size_t parts = wn_detector_parts(f);
  struct wn_arc_place p = wn_arc_at(f, 0.0);
  for (size_t i = 1; i <= parts; i++) {
    const struct wn_arc_place q = wn_arc_at(f, f->dt * (double)i / (double)parts);
    wn_detector_part(d, f, &p, wn_detector_distance(d, p.x), &q,
                     wn_detector_distance(d, q.x), &found);
    for (int j = 0; j < found.n && s.n < MOST; j++) {
      s.outward[s.n] = found.outward[j];
      s.at[s.n++] = found.at[j];
    }
    p = q;
  }
  return s;
}

static const double none[3] = {0.0, 0.0, 0.0};

static void straight(void)
{
  const double speed = 0.6 * WN_C, u = 0.75 * WN_C; /* gamma 1.25 */
  struct wn_arc f = {{0.1, 0.0, -1.0}, {0.0, 0.0, u}, 2.0 / speed, none, none, 0};
  const struct wn_detector plane = {WN_DETECTOR_PLANE, 0.25},
                           sphere = {WN_DETECTOR_SPHERE, 0.5},
                           small = {WN_DETECTOR_SPHERE, 0.09};
  struct seen s = fly(&plane, &f);
  is_int(s.n, 1, "a plane is crossed once");
  is_close(s.at[0].t, 1.25 / speed, 1e-12, "after distance over speed");
  is_close(wn_detector_cosine(&plane, &s.at[0]), 1.0, 1e-15, "along its normal");
  const double half = sqrt(0.5 * 0.5 - 0.1 * 0.1);
  s = fly(&sphere, &f);
  if (ok(s.n == 2 && !s.outward[0] && s.outward[1], "a sphere is entered and left")) {
    is_close(s.at[0].t, (1.0 - half) / speed, 1e-12, "in");
    is_close(s.at[1].t, (1.0 + half) / speed, 1e-12, "out");
    is_close(wn_detector_cosine(&sphere, &s.at[1]), half / 0.5, 1e-12, "with its cosine");
    is_close(wn_detector_cosine(&sphere, &s.at[0]), -half / 0.5, 1e-12, "and against");
  }
  is_int(fly(&small, &f).n, 0, "one that is passed by is not");
  f.u[2] = -u;
  is_int(fly(&plane, &f).n, 0, "nor a plane that is behind");
  f.x[2] = 0.25;
  s = fly(&plane, &f);
  ok(s.n == 1 && !s.outward[0], "from the surface backwards is a crossing");
  f.u[2] = u;
  is_int(fly(&plane, &f).n, 0, "and forwards it is not");
}

static void turns(void)
{
  const double a[3] = {0.0, 0.0, -1e15}, u = 0.75 * WN_C,
               top = 0.25 * WN_C * WN_C / 1e15; /* (gamma - 1) c^2/a */
  const struct wn_arc f = {{0.0, 0.0, 0.0}, {1e6, 0.0, u}, 3.0 * u / 1e15, a, none, 0};
  const struct wn_detector low = {WN_DETECTOR_PLANE, 0.5 * top},
                           high = {WN_DETECTOR_PLANE, 0.999 * top},
                           beyond = {WN_DETECTOR_PLANE, 1.001 * top};
  const struct seen s = fly(&low, &f);
  if (ok(s.n == 2 && s.outward[0] && !s.outward[1], "up and down through a plane")) {
    is_close(s.at[0].u[2], -s.at[1].u[2], 1e-12, "with opposite velocities");
    is_close(s.at[0].t + s.at[1].t, 2.0 * u / 1e15, 1e-12, "at times around the turn");
    is_close(wn_gamma(s.at[0].u), wn_gamma(f.u) - 0.125, 1e-10,
             "with the energy that is left there");
  }
  is_int(fly(&high, &f).n, 2, "just below the turn");
  is_int(fly(&beyond, &f).n, 0, "just above it");
}

static void circles(void)
{
  const double gyro[3] = {1e10, 0.0, 0.0}, u = 1e8;
  const double u3[3] = {0.0, 0.0, u}, rate = 1e10 / wn_gamma(u3), radius = u / 1e10,
               turn = 2.0 * WN_PI / rate;
  const struct wn_arc f = {{0.0, 0.0, 0.0}, {0.0, 0.0, u}, 5.0 * turn, none, gyro, 1};
  const struct wn_detector d = {WN_DETECTOR_PLANE, 0.3 * radius},
                           out = {WN_DETECTOR_PLANE, 1.01 * radius},
                           ball = {WN_DETECTOR_SPHERE, 1.2 * radius};
  struct seen s = fly(&d, &f);
  int good = s.n == 10;
  for (int i = 0; i < s.n; i++) {
    /* z = radius sin(angle) */
    const double angle = i % 2 == 0 ? asin(0.3) : WN_PI - asin(0.3),
                 t = (angle + 2.0 * WN_PI * (i / 2)) / rate;
    good &= fabs(s.at[i].t - t) < 1e-9 * turn && s.outward[i] == (i % 2 == 0);
  }
  ok(good, "five turns cross a plane ten times (%d), when they must", s.n);
  is_int(fly(&out, &f).n, 0, "one beyond the circle is not crossed");
  s = fly(&ball, &f);
  good = s.n == 10;
  for (int i = 0; i < s.n; i++) {
    /* distance from the place of the beginning: 2 radius sin(angle/2) */
    const double half = asin(0.6), angle = i % 2 == 0 ? 2.0 * half : 2.0 * (WN_PI - half),
                 t = (angle + 2.0 * WN_PI * (i / 2)) / rate;
    good &= fabs(s.at[i].t - t) < 1e-9 * turn && s.outward[i] == (i % 2 == 0);
  }
  ok(good, "and a sphere around a place on it (%d)", s.n);
}

int main(void)
{
  plan(0);
  straight();
  turns();
  circles();
  return done();
}
