/* physics/helix.h - flight of a slow electron in a uniform electric and a uniform magnetic
 * field, in single precision: the helix with the initial gamma, in closed form.
 *
 * du/dt = a + Omega x u, Omega = (e B/m)/gamma, is solved by a rotation about the axis b
 * of B.  With theta = Omega t, a = a_b b + a_p, d = b x a, u_p the part of u across b,
 * and
 *
 *   T1 = sin(theta)/Omega   T2 = (1 - cos(theta))/Omega^2   T3 = (t - T1)/Omega
 *
 *   u       = u0 + a_b t b + T1 a_p + Omega T1 (b x u0) + Omega T2 d - Omega^2 T2 u_p
 *   gamma x = (u_b t + a_b t^2/2) b + T1 u_p + Omega T2 (b x u0) + T2 a_p + T3 d
 *   |u|^2   = |u0|^2 + 2 a.(gamma x)
 *           = |u0|^2 + t (2 a_b u_b + t a_b^2) + T1 2 a_p.u0 + T2 2 (a_p^2 - Omega d.u0)
 *
 * Nothing is divided by B, so that B may be arbitrarily weak.  Whole turns are subtracted
 * exactly: theta/2 pi = turns + r with |r| <= 1/2, r by a fused multiply-add.  Derived
 * here.
 *
 * Neglected: the change of gamma along the path, by the energy gained over m c^2.  The
 * gyrophase at the end is wrong by theta times half of that, 1e-6 for each eV, as if B
 * were wrong by this part.  The caller makes sure that electron energy and gain are small
 * (physics/mcc_flight.h).
 *
 * |u|^2 is that of the last line, which adds small terms to a large one.  The rounding of
 * a rotation, whose square is 1 only to 1e-7, is removed from u by a factor
 * (wn_turn_end).  So the rotation neither adds nor removes energy:
 * t/physics/t0122-turn.c. */
#ifndef WN_PHYSICS_HELIX_H
#define WN_PHYSICS_HELIX_H
#include <math.h>
#include "physics/host_device.h"
#include "physics/single_precision.h"

/* The fields, the same for all electrons; a in m/s2. */
struct wn_turn_field {
  float axis[3];         /* b */
  float along;           /* a_b */
  float across[3];       /* a_p */
  float side[3];         /* d */
  float along2, across2; /* a_b^2, 2 a_p^2, in units of WN_UNIT_U^2/s2 */
  float turns, period;   /* of an electron at rest: turns per second, and the inverse */
};

/* A flight from its start: squares in units of WN_UNIT_U^2. */
struct wn_turn {
  float s0, s1;        /* |u0|^2, 2 a_b u_b */
  float sine, cosine;  /* factors of T1 and T2 */
  float turns, period; /* at this gamma */
  float inverse;       /* 1/gamma */
};

/* Gyrophase after a time t. */
struct wn_turn_phase {
  float turns, r, z; /* whole turns; the remainder, and its square */
  float y, sinc;     /* the remainder, s; sin(pi r)/(pi r) */
};

/* A magnetic field that rotates an electron by less than 1e-6 in a second counts as none:
 * such times are beyond floats (B below 1e-17 T). */
static WN_HD int wn_turn_is_felt(const double gyro[3])
{
  return gyro[0] * gyro[0] + gyro[1] * gyro[1] + gyro[2] * gyro[2] > 1e-12;
}

/* accel = a, gyro = e B/m. */
static WN_HD struct wn_turn_field wn_turn_field(const double accel[3],
                                                const double gyro[3])
{
  const double pi = 3.14159265358979323846;
  struct wn_turn_field f;
  double size = sqrt(gyro[0] * gyro[0] + gyro[1] * gyro[1] + gyro[2] * gyro[2]), b[3],
         along = 0.0, across2 = 0.0;
  for (int i = 0; i < 3; i++) {
    b[i] = gyro[i] / size;
    along += b[i] * accel[i];
  }
  for (int i = 0; i < 3; i++) {
    const int k = (i + 1) % 3, l = (i + 2) % 3;
    const double across = accel[i] - along * b[i];
    f.axis[i] = (float)b[i];
    f.across[i] = (float)across;
    f.side[i] = (float)(b[k] * accel[l] - b[l] * accel[k]);
    across2 += across * across;
  }
  f.along = (float)along;
  f.along2 = (float)(along * along / (WN_UNIT_U * WN_UNIT_U));
  f.across2 = (float)(2.0 * across2 / (WN_UNIT_U * WN_UNIT_U));
  f.turns = (float)(size / (2.0 * pi));
  f.period = (float)(2.0 * pi / size);
  return f;
}

/* u: at the start, m/s; rise: gamma there, minus 1. */
static WN_HD struct wn_turn wn_turn_begin(const struct wn_turn_field *f, const float u[3],
                                          float rise)
{
  const float unit = (float)(2.0 / (WN_UNIT_U * WN_UNIT_U));
  struct wn_turn t;
  t.inverse = wn_inverse1p_slow(rise);
  t.turns = f->turns * t.inverse;
  t.period = wn_fma(f->period, rise, f->period);
  t.s0 = wn_square_f(u);
  t.s1 = wn_dot_f(u, f->axis) * (f->along * unit);
  t.sine = wn_dot_f(u, f->across) * unit;
  t.cosine = wn_fma(-t.turns * (float)6.283185307179586, wn_dot_f(u, f->side) * unit,
                    f->across2);
  return t;
}

/* The nearest integer to |x| < 2^22: the added constant leaves no bits below 1. */
static WN_HD float wn_turn_whole(float x)
{
  return (x + 0x1.8p23f) - 0x1.8p23f;
}

/* After t >= 0 seconds.  From 2^23 turns on their number, rounded to a float, is an
 * integer; the turns that this leaves in the remainder are subtracted once more. */
static WN_HD struct wn_turn_phase wn_turn_phase(const struct wn_turn *f, float t)
{
  struct wn_turn_phase p;
  const float all = t * f->turns, some = (all + 0x1p23f) - 0x1p23f,
              whole = all < 0x1p23f ? some : all, left = wn_fma(t, f->turns, -whole),
              more = wn_turn_whole(left);
  p.turns = whole + more;
  p.r = left - more;
  p.z = p.r * p.r;
  p.y = p.r * f->period;
  /* fitted for |r| <= 1/2 like those of physics/mathfn.h: 1e-8 */
  p.sinc = wn_fma(
      p.z,
      wn_fma(p.z, wn_fma(p.z, wn_fma(p.z, 0.0246882383f, -0.190426379f), 0.811712384f),
             -1.6449331f),
      1.0f);
  return p;
}

/* cos(pi r), to 2e-8. */
static WN_HD float wn_turn_cosine(float z)
{
  float c = wn_fma(z, -0.0243967157f, 0.234937564f);
  c = wn_fma(c, z, -1.33521211f);
  c = wn_fma(c, z, 4.05870914f);
  c = wn_fma(c, z, -4.93480206f);
  return wn_fma(c, z, 1.0f);
}

/* (1 - sin(2 pi r)/(2 pi r))/r^2, to 3e-8. */
static WN_HD float wn_turn_rest(float z)
{
  float c = wn_fma(z, -0.526381731f, 2.37943029f);
  c = wn_fma(c, z, -6.69081831f);
  c = wn_fma(c, z, 12.2079334f);
  c = wn_fma(c, z, -12.987875f);
  return wn_fma(c, z, 6.57973623f);
}

/* |u|^2 after t; limited to 0, below which rounding could bring it at a turning point. */
static WN_HD float wn_turn_square(const struct wn_turn_field *f, const struct wn_turn *b,
                                  float t)
{
  const struct wn_turn_phase p = wn_turn_phase(b, t);
  const float half = p.y * p.sinc, t1 = half * wn_turn_cosine(p.z),
              t2 = 0.5f * half * half;
  const float s =
      wn_fma(t, wn_fma(t, f->along2, b->s1), b->s0) + wn_fma(t1, b->sine, t2 * b->cosine);
  return s > 0.0f ? s : 0.0f;
}

/* x += the path of t seconds; u: at the start, replaced by that at the end, whose |u|^2 =
 * s is known (wn_turn_square). */
static WN_HD void wn_turn_end(float x[3], float u[3], const struct wn_turn_field *f,
                              const struct wn_turn *b, float t, float s)
{
  const struct wn_turn_phase p = wn_turn_phase(b, t);
  const float half = p.y * p.sinc, t1 = half * wn_turn_cosine(p.z),
              t2 = 0.5f * half * half,
              two_pi_r = p.r * (float)6.283185307179586, /* of half an angle: sin^2 */
      sine = two_pi_r * p.sinc * wn_turn_cosine(p.z),
              versine = 0.5f * (two_pi_r * p.sinc) * (two_pi_r * p.sinc);
  const float inverse_omega = b->period * (float)(1.0 / 6.283185307179586),
              quarter = versine * inverse_omega,
              t3 = inverse_omega *
                   wn_fma(p.turns, b->period, p.y * p.z * wn_turn_rest(p.z));
  const float u_b = wn_dot_f(u, f->axis), way_b = t * wn_fma(0.5f * f->along, t, u_b),
              gain_b = f->along * t;
  const float turned[3] = {wn_fma(f->axis[1], u[2], -(f->axis[2] * u[1])),
                           wn_fma(f->axis[2], u[0], -(f->axis[0] * u[2])),
                           wn_fma(f->axis[0], u[1], -(f->axis[1] * u[0]))};
  float v[3];
  for (int i = 0; i < 3; i++) {
    const float across = wn_fma(-u_b, f->axis[i], u[i]);
    const float way = wn_fma(
        way_b, f->axis[i],
        wn_fma(t1, across,
               wn_fma(quarter, turned[i], wn_fma(t2, f->across[i], t3 * f->side[i]))));
    const float gain =
        wn_fma(gain_b, f->axis[i],
               wn_fma(t1, f->across[i],
                      wn_fma(sine, turned[i],
                             wn_fma(quarter, f->side[i], -(versine * across)))));
    x[i] = wn_fma(b->inverse, way, x[i]);
    v[i] = u[i] + gain;
  }
  /* the rounding of the rotation; near a stop, where all is rounding, it stays.  (The
   * divisor is selected, not the quotient, which compilers turn into a branch.) */
  const float q = wn_square_f(v), off = s - q, by = fabsf(off) < 1e-3f * q ? q : INFINITY,
              part = 0.5f * off / by;
  for (int i = 0; i < 3; i++)
    u[i] = wn_fma(part, v[i], v[i]);
}

#endif
