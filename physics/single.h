/* physics/single.h - the arithmetic of the event loop, in single precision: what an
 * electron has in registers between its collisions, and the collisions of slow electrons.
 *
 * Velocities are stored as floats, so that their last digit is 6e-8 in any case; single
 * precision inside the loop keeps that digit and halves registers and time on a GPU.
 * What must not be rounded away is small against what it is added to: the energy of an
 * elastic collision (2 m/M of the energy, 3.9e-5 in N2), the velocity of a target, the
 * rise of gamma.  All of these are therefore written as large + small, which rounds the
 * sum without preference for one side, and never as a product with a factor close to 1,
 * whose rounded constant would pull every collision the same way
 * (t/t0121-single.c measures what is left).
 *
 * Unit of |u|^2: (2^20 m/s)^2, so that the change of units is exact; the kinetic energy
 * that belongs to 1 of it is WN_UNIT_EV = 3.126 eV. */
#ifndef WN_PHYSICS_SINGLE_H
#define WN_PHYSICS_SINGLE_H
#include <math.h>
#include <stdint.h>
#include "physics/constants.h"
#include "physics/hd.h"
#include "physics/mathfn.h"

#define WN_UNIT_U     0x1p20                                  /* m/s */
#define WN_UNIT_BETA2 (WN_UNIT_U * WN_UNIT_U / (WN_C * WN_C)) /* the unit over c^2 */
#define WN_UNIT_EV    (0.5 * WN_MC2_EV * WN_UNIT_BETA2)

/* Below this kinetic energy an electron is slow: |u|^2/c^2 < 1e-3, where gamma and the
 * like are series, before and after any collision with a thermal target. */
#define WN_SLOW_EV 200.0f

/* |u|^2 in units of WN_UNIT_U^2. */
static WN_HD float wn_square_f(const float u[3])
{
  return (u[0] * u[0] + u[1] * u[1] + u[2] * u[2]) * 0x1p-40f;
}

/* 1/(1 + x), x >= 0. */
static WN_HD float wn_inverse1p_f(float x)
{
  return WN_LIKELY(x < 1e-3f) ? 1.0f - x * (1.0f - x) : 1.0f / (1.0f + x);
}

/* Kinetic energy in units of WN_UNIT_EV of s = |u|^2 in units of WN_UNIT_U^2: 2 s/(1 +
 * sqrt(1 + x)) with x = |u|^2/c^2. */
static WN_HD float wn_kinetic_slow(float s)
{
  float x = s * (float)WN_UNIT_BETA2;
  return s - s * (x * (0.25f - 0.125f * x));
}

static WN_HD float wn_kinetic_f(float s)
{
  float x = s * (float)WN_UNIT_BETA2;
  return WN_LIKELY(x < 1e-3f) ? s - s * (x * (0.25f - 0.125f * x))
                              : 2.0f * s / (1.0f + sqrtf(1.0f + x));
}

/* The same in eV. */
static WN_HD float wn_energy_f(float s)
{
  return wn_kinetic_f(s) * (float)WN_UNIT_EV;
}

/* Flight of dt seconds in a uniform electric field, as wn_flight_e (physics/push.h): a
 * [m/s2], its direction n and a_c = |a|/c; rise = gamma before + gamma after - 2.  The
 * part across the field changes by X^2/3 of itself (hyperbolic motion), X = |a| dt / (c
 * (g0
 * + g1)); left out below X = WN_FLIGHT_STRAIGHT, where that is 3e-7.  is_straight:
 * that is known. */
#define WN_FLIGHT_STRAIGHT 1e-3f
static WN_HD void wn_flight_f(float x[3], float u[3], const float a[3], const float n[3],
                              float a_c, float rise, float dt, int is_straight)
{
  float h = 0.5f * dt * wn_inverse1p_f(0.5f * rise);
  float v[3] = {u[0] + a[0] * dt, u[1] + a[1] * dt, u[2] + a[2] * dt};
  float w[3] = {u[0] + v[0], u[1] + v[1], u[2] + v[2]};
  float r = a_c * h;
  if (!is_straight && WN_UNLIKELY(r >= WN_FLIGHT_STRAIGHT)) {
    float z = r * r, d = u[0] * n[0] + u[1] * n[1] + u[2] * n[2];
    float k = WN_LIKELY(z < 5e-4f)
                  ? z * (float)(2.0 / 3.0) /* 2/5 z^2 is left out: 1e-7 */
                  : 2.0f * (float)wn_artanhc_m1((double)r * (double)r);
    for (int i = 0; i < 3; i++)
      w[i] += k * (u[i] - d * n[i]);
  }
  for (int i = 0; i < 3; i++) {
    x[i] += h * w[i];
    u[i] = v[i];
  }
}

/* ---- directions.  As in physics/angle.h. */

/* s = (1 - cos chi)/2 from a uniform r in (0, 1). */
static WN_HD float wn_angle_s_f(float q, float r)
{
  return r * q / (2.0f * (1.0f - r) * (1.0f - q) + q);
}

static WN_HD float wn_angle_coulomb_q_f(float e_ev)
{
  return 1.0f / (1.0f + e_ev * (float)(2.0 / WN_RYDBERG_EV));
}

static WN_HD void wn_angle_turn_f(float d[3], float s, float sin_phi, float cos_phi)
{
  float cos_chi = 1.0f - 2.0f * s, sin_chi = 2.0f * sqrtf(s * (1.0f - s));
  float sign = d[2] < 0.0f ? -1.0f : 1.0f;
  float a = -1.0f / (sign + d[2]), b = d[0] * d[1] * a;
  float p = sin_chi * cos_phi, q = sin_chi * sin_phi;
  float x = d[0], y = d[1], z = d[2];
  d[0] = cos_chi * x + p * (1.0f + sign * x * x * a) + q * b;
  d[1] = cos_chi * y + p * (sign * b) + q * (sign + y * y * a);
  d[2] = cos_chi * z - p * (sign * x) - q * y;
}

/* Isotropic unit vector from a word and the sine and cosine of the azimuth. */
static WN_HD void wn_angle_isotropic_f(float d[3], uint32_t word, float sine,
                                       float cosine)
{
  float c = 1.0f - 2.0f * wn_u01_f(word), sz = sqrtf((1.0f - c) * (1.0f + c));
  d[0] = sz * cosine;
  d[1] = sz * sine;
  d[2] = c;
}

/* ---- two-body collision of a slow electron with a target at rest, as
 * wn_collide_two_body (physics/kinematics.h).
 *
 * u [m/s]: before; after, if that is possible. kinetic: of u, in units of WN_UNIT_EV.
 * recoil = m/(m + M). loss: energy that stays in the target, in units of WN_UNIT_EV.
 * d: direction of the electron in the centre-of-mass frame.  Returns |u| in that frame
 * after the collision; below 0: the energy there does not cover the loss.
 *
 * In the centre of mass (1 - recoil) of the energy is there before, and the electron has
 * (1 - recoil) of the energy of the relative motion after, each with its relativistic
 * correction; terms of T/M (2e-7 for H atoms at 200 eV, 8e-9 for N2) are left out. */
static WN_HD float wn_collide_slow(float u[3], float kinetic, float recoil, float loss,
                                   const float d[3])
{
  float all = kinetic + kinetic * (kinetic * (float)(0.25 * WN_UNIT_BETA2));
  float k = kinetic - (all * recoil + loss);
  if (WN_UNLIKELY(k < 0.0f))
    return -1.0f;
  float s = k + k * (k * (float)(0.25 * WN_UNIT_BETA2));
  float part = recoil + recoil * (k * (float)(0.5 * WN_UNIT_BETA2));
  float us = sqrtf(s - s * part) * (float)WN_UNIT_U;
  for (int i = 0; i < 3; i++)
    u[i] = us * d[i] + part * u[i];
  return us;
}

#endif
