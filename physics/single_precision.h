/* physics/single_precision.h - the arithmetic of the event loop, in single precision: the state of
 * an electron in registers between its collisions, and the collisions of slow electrons.
 *
 * Velocities are stored as floats, so that their last digit is 6e-8 in any case.  Single
 * precision inside the loop keeps that digit and halves registers and time on a GPU. Some
 * small terms must not be lost: the energy of an elastic collision (2 m/M of the energy,
 * 3.9e-5 in N2), the velocity of a target, the increase of gamma.  All of these are
 * therefore written as large + small, which rounds the sum without bias.  They are never
 * a product with a factor close to 1, whose rounded constant would bias every collision
 * in the same direction (t/physics/t0121-single.c measures the remaining bias).  Products
 * that are added to something are wn_fma: half the instructions, and one rounding less.
 *
 * Unit of |u|^2: (2^20 m/s)^2, so that the change of units is exact; one unit corresponds
 * to the kinetic energy WN_UNIT_EV = 3.126 eV. */
#ifndef WN_PHYSICS_SINGLE_PRECISION_H
#define WN_PHYSICS_SINGLE_PRECISION_H
#include <math.h>
#include <stdint.h>
#include "physics/constants.h"
#include "physics/host_device.h"
#include "physics/mathfn.h"

#define WN_UNIT_U     0x1p20                                  /* m/s */
#define WN_UNIT_BETA2 (WN_UNIT_U * WN_UNIT_U / (WN_C * WN_C)) /* the unit over c^2 */
#define WN_UNIT_EV    (0.5 * WN_MC2_EV * WN_UNIT_BETA2)

/* Below this kinetic energy an electron is slow: |u|^2/c^2 < 1e-3, where gamma and
 * related functions are series, before and after any collision with a thermal target. */
#define WN_SLOW_EV 200.0f

/* The same limit for |u|^2 in units of WN_UNIT_U^2. */
#define WN_SLOW_S ((float)(1e-3 / WN_UNIT_BETA2))

static WN_HD float wn_dot_f(const float a[3], const float b[3])
{
  return wn_fma(a[0], b[0], wn_fma(a[1], b[1], a[2] * b[2]));
}

/* |u|^2 in units of WN_UNIT_U^2. */
static WN_HD float wn_square_f(const float u[3])
{
  return wn_dot_f(u, u) * 0x1p-40f;
}

/* 1/(1 + x), x >= 0; slow: x < 1e-3. */
static WN_HD float wn_inverse1p_slow(float x)
{
  return wn_fma(x, x - 1.0f, 1.0f);
}

static WN_HD float wn_inverse1p_f(float x)
{
  return WN_LIKELY(x < 1e-3f) ? wn_inverse1p_slow(x) : 1.0f / (1.0f + x);
}

/* Kinetic energy in units of WN_UNIT_EV of s = |u|^2 in units of WN_UNIT_U^2: 2 s/(1 +
 * sqrt(1 + x)) with x = |u|^2/c^2; slow: s - s (x/4 - x^2/8), s < WN_SLOW_S. */
static WN_HD float wn_kinetic_slow(float s)
{
  return wn_fma(s * s,
                wn_fma(s, (float)(0.125 * WN_UNIT_BETA2 * WN_UNIT_BETA2),
                       (float)(-0.25 * WN_UNIT_BETA2)),
                s);
}

static WN_HD float wn_kinetic_f(float s)
{
  return WN_LIKELY(s < WN_SLOW_S)
             ? wn_kinetic_slow(s)
             : 2.0f * s / (1.0f + sqrtf(wn_fma(s, (float)WN_UNIT_BETA2, 1.0f)));
}

/* The same in eV. */
static WN_HD float wn_energy_slow(float s)
{
  return wn_kinetic_slow(s) * (float)WN_UNIT_EV;
}

static WN_HD float wn_energy_f(float s)
{
  return wn_kinetic_f(s) * (float)WN_UNIT_EV;
}

/* Flight of dt seconds in a uniform electric field, as wn_flight_e (physics/push.h), with
 * g0, g1 = gamma before and after and X = |a| h/c:
 *
 *   x += h (u0 + u1 + k (part of u0 across a)), h = dt/(g0 + g1), k = 2 (artanh(X)/X - 1)
 *      = h (2 + k) u0 + h (dt - k (u0 a)/a^2) a,
 *
 * so that the direction of a is not needed, and nothing is divided by zero where there is
 * no field. */
struct wn_flight {
  float h, k;
  float k_a2; /* k/|a|^2, in the unit of 1/|a|^2: 1/WN_UNIT_U^2 s^4 */
};

/* Below this k, k = 2/3 X^2, as 2/5 X^4 is 1e-7 there: X < 0.0224. */
#define WN_FLIGHT_BENT ((float)(5e-4 * 2.0 / 3.0))

/* a2: |a|^2 in units of WN_UNIT_U^2; inverse: 2/(g0 + g1).  Requires k < WN_FLIGHT_BENT,
 * or a call of wn_flight_bend afterwards. */
static WN_HD struct wn_flight wn_flight_with(float a2, float inverse, float dt)
{
  const double root = 0.81649658092772603; /* of 2/3 */
  struct wn_flight f;
  f.h = 0.5f * dt * inverse;
  float r = f.h * (float)(root * WN_UNIT_U / WN_C);
  f.k_a2 = r * r;
  f.k = f.k_a2 * a2;
  return f;
}

/* The same; rise = (g0 + g1)/2 - 1. */
static WN_HD struct wn_flight wn_flight_begin(float a2, float rise, float dt)
{
  return wn_flight_with(a2, wn_inverse1p_f(rise), dt);
}

/* Recompute k, at any X. */
static WN_COLD struct wn_flight wn_flight_bend(struct wn_flight f, float a2)
{
  double h = (double)f.h;
  float k = (float)(2.0 * wn_artanhc_m1(h * h * (double)a2 * WN_UNIT_BETA2));
  f.k_a2 *= k / f.k;
  f.k = k;
  return f;
}

/* a [m/s2]. */
static WN_HD void wn_flight_end(float x[3], float u[3], const float a[3],
                                const struct wn_flight *f, float dt)
{
  float along = f->h * wn_fma(-f->k_a2, wn_dot_f(u, a) * 0x1p-40f, dt),
        both = wn_fma(f->h, f->k, 2.0f * f->h);
  for (int i = 0; i < 3; i++) {
    x[i] = wn_fma(both, u[i], wn_fma(along, a[i], x[i]));
    u[i] = wn_fma(a[i], dt, u[i]);
  }
}

static WN_HD void wn_flight_f(float x[3], float u[3], const float a[3], float a2,
                              float rise, float dt)
{
  struct wn_flight f = wn_flight_begin(a2, rise, dt);
  if (WN_UNLIKELY(f.k >= WN_FLIGHT_BENT))
    f = wn_flight_bend(f, a2);
  wn_flight_end(x, u, a, &f, dt);
}

/* ---- directions.  As in physics/angle.h. */

/* s = (1 - cos chi)/2 from a uniform r in (0, 1). */
static WN_HD float wn_angle_s_f(float q, float r)
{
  return r * q / wn_fma(2.0f * (1.0f - r), 1.0f - q, q);
}

static WN_HD float wn_angle_coulomb_q_f(float e_ev)
{
  return 1.0f / wn_fma(e_ev, (float)(2.0 / WN_RYDBERG_EV), 1.0f);
}

static WN_HD void wn_angle_turn_f(float d[3], float s, float sin_phi, float cos_phi)
{
  float cos_chi = wn_fma(-2.0f, s, 1.0f), sin_chi = 2.0f * sqrtf(wn_fma(-s, s, s));
  float sign = d[2] < 0.0f ? -1.0f : 1.0f;
  float a = -1.0f / (sign + d[2]), b = d[0] * d[1] * a;
  float p = sin_chi * cos_phi, q = sin_chi * sin_phi;
  float x = d[0], y = d[1], z = d[2], sx = sign * x;
  d[0] = wn_fma(cos_chi, x, wn_fma(p, wn_fma(sx, x * a, 1.0f), q * b));
  d[1] = wn_fma(cos_chi, y, wn_fma(p, sign * b, q * wn_fma(y, y * a, sign)));
  d[2] = wn_fma(cos_chi, z, -wn_fma(p, sx, q * y));
}

/* Isotropic unit vector from a word and the sine and cosine of the azimuth. */
static WN_HD void wn_angle_isotropic_f(float d[3], uint32_t word, float sine,
                                       float cosine)
{
  float c = wn_fma(-2.0f, wn_u01_f(word), 1.0f), sz = sqrtf(wn_fma(-c, c, 1.0f));
  d[0] = sz * cosine;
  d[1] = sz * sine;
  d[2] = c;
}

/* ---- two-body collision of a slow electron with a target at rest, as
 * wn_collide_two_body (physics/kinematics.h).
 *
 * u [m/s]: before; replaced by its value after, if the collision is possible.  kinetic:
 * of u, in units of WN_UNIT_EV.  recoil = m/(m + M).  loss: energy that stays in the
 * target, in units of WN_UNIT_EV.  d: direction of the electron in the centre-of-mass
 * frame.  Returns |u| in that frame after the collision; below 0: the energy there does
 * not cover the loss.
 *
 * Before the collision the energy in the centre-of-mass frame is (1 - recoil) of the
 * total.  After it the electron has (1 - recoil) of the energy of the relative motion.
 * Each has its relativistic correction; terms of T/M (2e-7 for H atoms at 200 eV, 8e-9
 * for N2) are left out. */
static WN_HD float wn_collide_slow(float u[3], float kinetic, float recoil, float loss,
                                   const float d[3])
{
  float all = wn_fma(kinetic * kinetic, (float)(0.25 * WN_UNIT_BETA2), kinetic);
  float k = kinetic - wn_fma(all, recoil, loss);
  if (WN_UNLIKELY(k < 0.0f))
    return -1.0f;
  float s = wn_fma(k * k, (float)(0.25 * WN_UNIT_BETA2), k);
  float part = wn_fma(recoil * k, (float)(0.5 * WN_UNIT_BETA2), recoil);
  float us = sqrtf(wn_fma(-s, part, s)) * (float)WN_UNIT_U;
  for (int i = 0; i < 3; i++)
    u[i] = wn_fma(us, d[i], part * u[i]);
  return us;
}

#endif
