/* physics/push.h - flight of an electron in uniform fields, exact to rounding at any
 * speed. u = gamma v [m/s], a = acceleration of u by the electric field [m/s2] (-eE/m), x
 * [m], dt [s].  Swarms fly by it; on a grid physics/mover.h moves particles without collisions,
 * mcc_flight.h and mcc_grid.h those with.  Loops over particles are in schedulers/. */
#ifndef WN_PHYSICS_PUSH_H
#define WN_PHYSICS_PUSH_H
#include <math.h>
#include "physics/constants.h"
#include "physics/host_device.h"
#include "physics/mathfn.h"

static WN_HD double wn_gamma(const double u[3])
{
  return sqrt(1.0 + (u[0] * u[0] + u[1] * u[1] + u[2] * u[2]) * (1.0 / (WN_C * WN_C)));
}

/* Kinetic energy [eV] without the cancellation of gamma - 1. */
static WN_HD double wn_kinetic_ev(const double u[3], double gamma)
{
  return (u[0] * u[0] + u[1] * u[1] + u[2] * u[2]) * (WN_MC2_EV / (WN_C * WN_C)) /
         (gamma + 1.0);
}

/* |u| of an electron of energy t_ev. */
static WN_HD double wn_u_from_ev(double t_ev)
{
  double t = t_ev * (1.0 / WN_MC2_EV);
  return WN_C * sqrt(t * (t + 2.0));
}

/* Speed [m/s] of an electron of energy t_ev. */
static WN_HD double wn_speed_from_ev(double t_ev)
{
  double t = t_ev * (1.0 / WN_MC2_EV);
  return WN_C * sqrt(t * (t + 2.0)) / (t + 1.0);
}

/* Flight in a uniform E: u grows as a t.  x is the integral of u/gamma, in closed form:
 * with g0, g1 the values of gamma at the ends and X = |a| dt / (c (g0 + g1)),
 *
 *   along a   (u0 + u1) dt / (g0 + g1)        (gamma1^2 - gamma0^2 = (u1^2 - u0^2)/c^2)
 *   across    u 2 dt / (g0 + g1) artanh(X)/X  (hyperbolic; difference of two arsinh)
 *
 * inv_a2: 1/|a|^2, 0 when a = 0.  gamma: in, the value at the start; out, at the end.
 * Derived here; checked against Runge-Kutta by t/physics/t0110-push.c.  The event loop
 * uses wn_flight_f (physics/single_precision.h), which tests compare with this function. */
static WN_HD void wn_flight_e(double x[3], double u[3], double *gamma, const double a[3],
                              double inv_a2, double dt)
{
  const double v[3] = {u[0] + a[0] * dt, u[1] + a[1] * dt, u[2] + a[2] * dt};
  double g1 = wn_gamma(v), h = dt / (*gamma + g1);
  double a2_c2 = (a[0] * a[0] + a[1] * a[1] + a[2] * a[2]) * (1.0 / (WN_C * WN_C));
  /* the correction acts on the part of u across a: u - a (u.a)/a2; it is 0 where a = 0 */
  double d = (u[0] * a[0] + u[1] * a[1] + u[2] * a[2]) * inv_a2,
         k = 2.0 * wn_artanhc_m1(a2_c2 * (h * h));
  for (int i = 0; i < 3; i++) {
    x[i] += h * ((u[i] + v[i]) + k * (u[i] - d * a[i]));
    u[i] = v[i];
  }
  *gamma = g1;
}

/* Flight in uniform E and B.  b = e B / m [1/s] as a vector (electron: du/dt = a - v x b,
 * so with proper time tau du/dtau = gamma a - u x b, d(gamma)/dtau = u.a/c^2).  This is
 * linear in (gamma c, u), so that the exponential series in tau is exact; tau for the
 * given time is found by Newton's method on t(tau) = integral of gamma.  Long flights are
 * divided into parts with |F| tau < 1/2.  The series stops at terms below 1e-18 of the
 * sum. */
static WN_HD void wn_flight_eb(double x[3], double u[3], double *gamma, const double a[3],
                               const double b[3], double dt)
{
  double an = sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]) / WN_C;
  double bn = sqrt(b[0] * b[0] + b[1] * b[1] + b[2] * b[2]);
  double rate = an + bn, left = dt;
  double g = *gamma;
  while (left > 0.0) {
    /* gamma may grow along the part: dt <= tau gamma, so a part of proper time 1/(2 rate)
     * lasts at least gamma_min ~ g/2 of it */
    double part = left, limit = 0.25 * g / rate;
    if (rate > 0.0 && part > limit)
      part = limit;
    double tau = part / g;
    double s[4], r[3], t, w[4];
    for (int it = 0; it < 8; it++) {
      /* s = exp(F tau) (gamma c, u), r = its integral (x), t = integral of gamma */
      double term[4] = {g * WN_C, u[0], u[1], u[2]};
      for (int i = 0; i < 4; i++)
        s[i] = term[i];
      for (int i = 0; i < 3; i++)
        r[i] = term[i + 1] * tau;
      t = g * tau;
      for (int n = 1; n < 40; n++) {
        double f = tau / n;
        w[0] = f * (term[1] * a[0] + term[2] * a[1] + term[3] * a[2]) / WN_C;
        w[1] = f * (term[0] * a[0] / WN_C - (term[2] * b[2] - term[3] * b[1]));
        w[2] = f * (term[0] * a[1] / WN_C - (term[3] * b[0] - term[1] * b[2]));
        w[3] = f * (term[0] * a[2] / WN_C - (term[1] * b[1] - term[2] * b[0]));
        double size = 0.0, f1 = tau / (n + 1);
        for (int i = 0; i < 4; i++) {
          term[i] = w[i];
          s[i] += w[i];
          size += fabs(w[i]);
        }
        for (int i = 0; i < 3; i++)
          r[i] += w[i + 1] * f1;
        t += w[0] * f1 / WN_C;
        if (size < 1e-18 * s[0])
          break;
      }
      double off = part - t;
      if (fabs(off) <= 2e-16 * part)
        break;
      tau += off * WN_C / s[0];
    }
    for (int i = 0; i < 3; i++) {
      x[i] += r[i];
      u[i] = s[i + 1];
    }
    g = wn_gamma(u);
    left -= part;
  }
  *gamma = g;
}

#endif
