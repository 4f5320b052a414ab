/* t/physics/gpu_arithmetic.h - the functions of physics/ with arguments that are the same
 * everywhere, for t0401-gpu-arithmetic: compiled by the C compiler for the CPU and by
 * nvcc for the GPU. */
#ifndef WN_T_GPU_ARITHMETIC_H
#define WN_T_GPU_ARITHMETIC_H
#include <math.h>
#include <stddef.h>
#include "physics/angle.h"
#include "physics/coulomb.h"
#include "physics/excitation_angle.h"
#include "physics/host_device.h"
#include "physics/ion.h"
#include "physics/ionize.h"
#include "physics/kinematics.h"
#include "physics/mathfn.h"
#include "physics/mcc.h"
#include "physics/mcc_collide.h"
#include "physics/mcc_flight.h"
#include "physics/push.h"
#include "physics/rng.h"
#include "physics/single_precision.h"

enum { ARITHMETIC_OUT = 8 }; /* most results of a function */

/* name, as the functions are numbered */
#define ARITHMETIC_LIST(X)                                                               \
  X(FIVE, "+ - * / sqrt")                                                                \
  X(FIVE_FLOAT, "+ - * / sqrt in single precision")                                      \
  X(CHAIN, "a * b + c, a * b - c * d, wn_fma")                                           \
  X(CONVERT, "conversions, rint, floor, ceil, llrint")                                   \
  X(LN, "wn_ln")                                                                         \
  X(EXP, "wn_exp, wn_expm1")                                                             \
  X(EXPONENTIAL, "wn_exponential_f, wn_rng_exponential, wn_u01_f")                       \
  X(SINCOS_TURN, "wn_sincos_turn")                                                       \
  X(SINCOS_WORD, "wn_sincos_word, wn_sincos_word_f")                                     \
  X(ATAN, "wn_atan")                                                                     \
  X(ARTANH, "wn_artanhc_m1")                                                             \
  X(SQRT1P, "wn_sqrt1p")                                                                 \
  X(NORMAL3, "wn_rng_normal3")                                                           \
  X(GAMMA, "wn_gamma, wn_kinetic_ev")                                                    \
  X(SPEED, "wn_u_from_ev, wn_speed_from_ev")                                             \
  X(FLIGHT_E, "wn_flight_e")                                                             \
  X(FLIGHT_EB, "wn_flight_eb")                                                           \
  X(BOOST, "wn_boost")                                                                   \
  X(CM_KINETIC, "wn_cm_kinetic_ev")                                                      \
  X(COLLIDE, "wn_collide_two_body")                                                      \
  X(ANGLE_S, "wn_angle_s, wn_angle_coulomb_q, wn_angle_moliere_eta")                     \
  X(ANGLE_RATIO, "wn_angle_ratio, wn_angle_ratio_spin")                                  \
  X(ANGLE_TURN, "wn_angle_turn")                                                         \
  X(EXCITATION, "wn_excitation_s, wn_excitation_part")                                   \
  X(ISOTROPIC, "wn_angle_isotropic, wn_angle_binary_cos")                                \
  X(COULOMB, "wn_coulomb_collide, wn_coulomb_least_way")                                 \
  X(OPAL, "wn_ionize_opal")                                                              \
  X(RBEB, "wn_ionize_rbeb")                                                              \
  X(KINETIC_F,                                                                           \
    "wn_square_f, wn_kinetic_f, wn_energy_f, wn_inverse1p_f, and what is slow of them")  \
  X(FLIGHT_F, "wn_flight_f")                                                             \
  X(COLLIDE_SLOW, "wn_collide_slow")                                                     \
  X(ANGLE_F, "wn_angle_s_f, wn_angle_coulomb_q_f, wn_angle_isotropic_f")                 \
  X(ANGLE_TURN_F, "wn_angle_turn_f")                                                     \
  X(MCC_BOOST, "wn_mcc_boost, wn_mcc_back_slow")                                         \
  X(PARABOLA, "wn_mcc_parabola, wn_mcc_parabola_at")                                     \
  X(TURN, "wn_turn_field, wn_turn_begin, wn_turn_square, wn_turn_end")                   \
  X(ION, "wn_ion_target, wn_ion_scatter, wn_ion_fly, wn_ion_uniform")

enum arithmetic {
#define X(symbol, name) ARITHMETIC_##symbol,
  ARITHMETIC_LIST(X)
#undef X
      N_ARITHMETIC
};

/* A number with all its bits at random: 2^e to 2^(e + octaves), of any sign when signed.
 * words: two random ones. */
static WN_HD double arithmetic_number(const uint32_t words[2], int e, unsigned octaves,
                                      int is_signed)
{
  uint64_t mantissa = ((uint64_t)words[0] << 32 | words[1]) & 0x000fffffffffffffull;
  uint64_t exponent = (uint64_t)(1023 + e) + (words[0] >> 20) % octaves;
  uint64_t sign = is_signed ? (uint64_t)(words[1] & 1u) << 63 : 0u;
  return wn_from_bits(sign | exponent << 52 | mantissa);
}

static WN_HD void arithmetic_vector(const uint32_t words[6], int e, unsigned octaves,
                                    double v[3])
{
  for (int i = 0; i < 3; i++)
    v[i] = arithmetic_number(&words[2 * i], e, octaves, 1);
}

static WN_HD void arithmetic_floats(const double v[3], float f[3])
{
  for (int i = 0; i < 3; i++)
    f[i] = (float)v[i];
}

/* What the functions get for arguments: random words, numbers made of them. */
struct arithmetic_input {
  uint64_t i;
  uint32_t w[16];
  double a, b, c, d; /* 2^-40 to 2^40, of any sign */
  double ev;         /* eV: 2e-4 to 2e7 */
  double u[3], x[3]; /* up to 6e8 m/s, and shorter than a second at that */
  float uf[3], xf[3];
};

static WN_HD void arithmetic_input(int which, uint64_t i, struct arithmetic_input *in)
{
  uint32_t *w = in->w;
  for (int k = 0; k < 4; k++) {
    struct wn_rng4 r = wn_rng(401, i, (uint32_t)which, WN_RNG_INITIAL, (uint32_t)k);
    for (int j = 0; j < 4; j++)
      w[4 * k + j] = r.w[j];
  }
  in->i = i;
  in->a = arithmetic_number(&w[0], -40, 80, 1);
  in->b = arithmetic_number(&w[2], -40, 80, 1);
  in->c = arithmetic_number(&w[4], -40, 80, 1);
  in->d = arithmetic_number(&w[6], -40, 80, 1);
  in->ev = arithmetic_number(&w[0], -12, 36, 0);
  arithmetic_vector(&w[0], 4, 26, in->u);
  arithmetic_vector(&w[6], -20, 16, in->x);
  arithmetic_floats(in->u, in->uf);
  arithmetic_floats(in->x, in->xf);
}

/* The operations of the processor. */
static WN_HD int arithmetic_operations(int which, struct arithmetic_input *in,
                                       double out[ARITHMETIC_OUT])
{
  const uint32_t *w = in->w;
  double a = in->a, b = in->b, c = in->c, d = in->d;
  float f, g;
  switch (which) {
  case ARITHMETIC_FIVE:
    out[0] = a + b;
    out[1] = a - b;
    out[2] = a * b;
    out[3] = a / b;
    out[4] = sqrt(fabs(a));
    return 1;
  case ARITHMETIC_FIVE_FLOAT:
    f = (float)a, g = (float)b;
    out[0] = (double)(f + g);
    out[1] = (double)(f - g);
    out[2] = (double)(f * g);
    out[3] = (double)(f / g);
    out[4] = (double)sqrtf(fabsf(f));
    return 1;
  case ARITHMETIC_CHAIN:
    /* of one size, or a fused operation would not show */
    a = arithmetic_number(&w[0], 0, 1, 1), b = arithmetic_number(&w[2], 0, 1, 1);
    c = arithmetic_number(&w[4], 0, 1, 1), d = arithmetic_number(&w[6], 0, 1, 1);
    out[0] = a * b + c;
    out[1] = a * b - c * d;
    out[2] = (double)((float)a * (float)b + (float)c);
    out[3] = (double)wn_fma((float)a, (float)b, (float)c);
    out[4] = (double)wn_fma((float)a, (float)b, (float)(c * 0x1p-20));
    return 1;
  case ARITHMETIC_CONVERT:
    out[0] = (double)(float)a;
    out[1] = (double)(int64_t)a + 1.0; /* some compilers keep the sign of a zero */
    out[2] = rint(a);
    out[3] = floor(a);
    out[4] = ceil(a);
    out[5] = (double)(int64_t)llrint(a * 0x1p20);
    out[6] = (double)(((uint64_t)w[0] << 32) | w[1]);
    out[7] = (double)(int32_t)w[0];
    return 1;
  default:
    return 0;
  }
}

/* What physics/mathfn.h and rng.h have in the place of the library. */
static WN_HD int arithmetic_functions(int which, struct arithmetic_input *in,
                                      double out[ARITHMETIC_OUT])
{
  const uint32_t *w = in->w;
  double a = in->a;
  float f, g;
  switch (which) {
  case ARITHMETIC_LN:
    out[0] = wn_ln(fabs(a));
    out[1] = wn_ln(wn_u01_open(w[0]));
    out[2] = wn_ln(1.0 + 0x1p-20 * wn_u01(w[0])); /* near 1 */
    return 1;
  case ARITHMETIC_EXP:
    out[0] = wn_exp(1400.0 * (wn_u01(w[0]) - 0.5));
    out[1] = wn_expm1(-fabs(a));
    out[2] = wn_expm1(100.0 * (wn_u01(w[4]) - 0.5));
    return 1;
  case ARITHMETIC_EXPONENTIAL:
    out[0] = (double)wn_exponential_f(w[0]);
    out[1] = wn_rng_exponential(w[0]);
    out[2] = (double)wn_u01_f(w[0]);
    return 1;
  case ARITHMETIC_SINCOS_TURN:
    wn_sincos_turn(wn_u01(w[0]), &out[0], &out[1]);
    return 1;
  case ARITHMETIC_SINCOS_WORD:
    wn_sincos_word(w[0], &out[0], &out[1]);
    wn_sincos_word_f(w[0], &f, &g);
    out[2] = (double)f, out[3] = (double)g;
    return 1;
  case ARITHMETIC_ATAN:
    out[0] = wn_atan(fabs(a));
    out[1] = wn_atan(wn_u01(w[4]));
    return 1;
  case ARITHMETIC_ARTANH:
    out[0] = wn_artanhc_m1(wn_u01(w[0]));
    out[1] = wn_artanhc_m1(1e-3 * wn_u01(w[1]));
    return 1;
  case ARITHMETIC_SQRT1P:
    out[0] = wn_sqrt1p(fabs(a));
    out[1] = wn_sqrt1p(2e-3 * (wn_u01(w[4]) - 0.5));
    return 1;
  case ARITHMETIC_NORMAL3: {
    const struct wn_rng4 r = {{w[0], w[1], w[2], w[3]}};
    wn_rng_normal3(r, out);
    return 1;
  }
  default:
    return 0;
  }
}

/* Flights, boosts and collisions in double precision. */
static WN_HD int arithmetic_motion(int which, struct arithmetic_input *in,
                                   double out[ARITHMETIC_OUT])
{
  const uint32_t *w = in->w;
  double ev = in->ev, *u = in->u, *x = in->x, c, d, s, t, v[3];
  switch (which) {
  case ARITHMETIC_GAMMA:
    t = wn_gamma(u);
    out[0] = t;
    out[1] = wn_kinetic_ev(u, t);
    return 1;
  case ARITHMETIC_SPEED:
    out[0] = wn_u_from_ev(ev);
    out[1] = wn_speed_from_ev(ev);
    return 1;
  case ARITHMETIC_FLIGHT_E:
    arithmetic_vector(&w[0], 50, 14, v); /* 1e15 to 2e19 m/s2 */
    arithmetic_vector(&w[10], 10, 20, u);
    t = wn_gamma(u);
    wn_flight_e(x, u, &t, v, 1.0 / (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]),
                arithmetic_number(&w[8], -50, 16, 0));
    for (int k = 0; k < 3; k++)
      out[k] = x[k], out[3 + k] = u[k];
    out[6] = t;
    return 1;
  case ARITHMETIC_FLIGHT_EB: {
    double gyro[3];
    arithmetic_vector(&w[0], 50, 12, v);
    arithmetic_vector(&w[10], 10, 18, u);
    arithmetic_vector(&w[4], 30, 10, gyro); /* 6e-3 to 12 T */
    t = wn_gamma(u);
    wn_flight_eb(x, u, &t, v, gyro, arithmetic_number(&w[8], -50, 12, 0));
    for (int k = 0; k < 3; k++)
      out[k] = x[k], out[3 + k] = u[k];
    out[6] = t;
    return 1;
  }
  case ARITHMETIC_BOOST:
    arithmetic_vector(&w[6], -30, 28, v);
    t = wn_gamma(u);
    wn_boost(u, &t, v, w[15] & 1u ? 1.0 : -1.0);
    out[0] = u[0], out[1] = u[1], out[2] = u[2], out[3] = t;
    return 1;
  case ARITHMETIC_CM_KINETIC:
    out[0] = wn_cm_kinetic_ev(ev, arithmetic_number(&w[4], 19, 20, 0));
    return 1;
  case ARITHMETIC_COLLIDE:
    wn_angle_isotropic(v, wn_u01(w[12]), wn_u01(w[13]));
    t = wn_gamma(u);
    s = arithmetic_number(&w[6], 30, 8, 0); /* 1 to 274 GeV */
    d = wn_cm_kinetic_ev(wn_kinetic_ev(u, t), s);
    c = d * wn_u01(w[14]); /* what is lost */
    out[0] = wn_collide_two_body(u, &t, d - c, s, c, v);
    out[1] = u[0], out[2] = u[1], out[3] = u[2], out[4] = t;
    return 1;
  default:
    return 0;
  }
}

/* Angles and energies of secondaries, in double precision. */
static WN_HD int arithmetic_angles(int which, struct arithmetic_input *in,
                                   double out[ARITHMETIC_OUT])
{
  const uint32_t *w = in->w;
  double ev = in->ev, c, s, v[3];
  switch (which) {
  case ARITHMETIC_ANGLE_S:
    out[0] = wn_angle_s(2.0 * wn_u01_open(w[2]), wn_u01(w[3]));
    out[1] = wn_angle_s(arithmetic_number(&w[4], -40, 40, 0), wn_u01(w[3]));
    out[2] = wn_angle_coulomb_q(ev);
    out[3] = wn_angle_moliere_eta(ev, 1.0 + wn_u01(w[3]));
    return 1;
  case ARITHMETIC_ANGLE_RATIO:
    out[0] = wn_angle_ratio(2.0 * wn_u01_open(w[0]));
    out[1] = wn_angle_ratio(1.0 + 0.04 * (wn_u01(w[0]) - 0.5));
    out[2] = wn_angle_ratio_spin(arithmetic_number(&w[4], -20, 30, 0), wn_u01(w[6]));
    return 1;
  case ARITHMETIC_ANGLE_TURN:
    wn_angle_isotropic(v, wn_u01(w[0]), wn_u01(w[1]));
    wn_sincos_turn(wn_u01(w[2]), &s, &c);
    wn_angle_turn(v, wn_u01(w[3]), s, c);
    out[0] = v[0], out[1] = v[1], out[2] = v[2];
    return 1;
  case ARITHMETIC_EXCITATION:
    out[0] = wn_excitation_s(1e3 + ev, 0.02 + 60.0 * wn_u01(w[2]), wn_u01(w[3]));
    out[1] = wn_excitation_s(1e3 + ev, -3.0 * wn_u01_open(w[2]), wn_u01(w[4]));
    out[2] = wn_excitation_part(1e3, 1e3 + ev);
    return 1;
  case ARITHMETIC_ISOTROPIC:
    wn_angle_isotropic(out, wn_u01(w[2]), wn_u01(w[3]));
    out[3] = wn_angle_binary_cos(ev, ev * wn_u01_open(w[4]));
    return 1;
  case ARITHMETIC_COULOMB: {
    /* s from 1e-4 to 1e2 and its bound, by each method in turn */
    const double fast = 1.0 + fabs(in->u[0]);
    const struct wn_coulomb pair = {(int32_t)(in->i % WN_N_COULOMB_METHODS),
                                    WN_ME,
                                    WN_ME * (1.0 + wn_u01(w[5])),
                                    1.0,
                                    1e-12,
                                    wn_coulomb_least_way(WN_ME, 1e20, WN_ME, 1e18)};
    const struct wn_rng4 r = {{w[12], w[13], w[14], w[15]}};
    double other[3] = {0.0, 0.0, 0.0};
    for (int i = 0; i < 3; i++)
      out[i] = in->u[i];
    wn_coulomb_collide(
        &pair, fast * fast * fast * WN_ME * WN_ME * wn_exp(14.0 * wn_u01(w[6]) - 9.0), r,
        out, other);
    for (int i = 0; i < 3; i++)
      out[3 + i] = other[i];
    out[6] = pair.least_way;
    return 1;
  }
  case ARITHMETIC_OPAL:
    out[0] = wn_ionize_opal(20.0 + ev, 15.6, 13.0, wn_u01(w[4]));
    return 1;
  case ARITHMETIC_RBEB:
    out[0] = wn_ionize_rbeb(20.0 + ev, 15.6, 401, in->i, w[4]);
    return 1;
  default:
    return 0;
  }
}

/* The same in single precision: flights, collisions and angles. */
static WN_HD int arithmetic_single(int which, struct arithmetic_input *in,
                                   double out[ARITHMETIC_OUT])
{
  const uint32_t *w = in->w;
  double ev = in->ev, *u = in->u, s, t, v[3];
  float *xf = in->xf, *uf = in->uf, f, g, vf[3], df[3];
  switch (which) {
  case ARITHMETIC_KINETIC_F:
    f = wn_square_f(uf);
    out[0] = (double)f;
    out[1] = (double)wn_kinetic_f(f);
    out[2] = (double)wn_kinetic_slow(f);
    out[3] = (double)wn_energy_f(f);
    out[4] = (double)wn_inverse1p_f(f);
    out[5] = (double)wn_inverse1p_f(2e-3f * wn_u01_f(w[6])); /* about the joint */
    out[6] = (double)wn_inverse1p_slow(1e-3f * wn_u01_f(w[6]));
    out[7] = (double)wn_energy_slow(f);
    return 1;
  case ARITHMETIC_FLIGHT_F:
    arithmetic_vector(&w[0], 50, 14, v); /* 1e15 to 2e19 m/s2 */
    arithmetic_vector(&w[10], 10, 20, u);
    arithmetic_floats(v, vf);
    arithmetic_floats(u, uf);
    s = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
    f = (float)arithmetic_number(&w[8], -50, 16, 0);
    t = wn_gamma(u) - 1.0;
    for (int k = 0; k < 3; k++)
      u[k] += v[k] * (double)f;
    wn_flight_f(xf, uf, vf, (float)(s / (WN_UNIT_U * WN_UNIT_U)),
                (float)(0.5 * (t + (wn_gamma(u) - 1.0))), f);
    for (int k = 0; k < 3; k++)
      out[k] = (double)xf[k], out[3 + k] = (double)uf[k];
    return 1;
  case ARITHMETIC_COLLIDE_SLOW:
    wn_sincos_word_f(w[12], &f, &g);
    wn_angle_isotropic_f(df, w[13], f, g);
    arithmetic_vector(&w[0], 8, 15, u); /* up to 8e6 m/s */
    arithmetic_floats(u, uf);
    f = wn_kinetic_slow(wn_square_f(uf));
    out[0] = (double)wn_collide_slow(uf, f, (float)arithmetic_number(&w[6], -19, 9, 0),
                                     f * wn_u01_f(w[14]), df);
    for (int k = 0; k < 3; k++)
      out[1 + k] = (double)uf[k];
    return 1;
  case ARITHMETIC_ANGLE_F:
    out[0] = (double)wn_angle_s_f((float)(2.0 * wn_u01_open(w[2])), wn_u01_f(w[3]));
    out[1] =
        (double)wn_angle_s_f((float)arithmetic_number(&w[4], -40, 40, 0), wn_u01_f(w[3]));
    out[2] = (double)wn_angle_coulomb_q_f((float)ev);
    wn_sincos_word_f(w[12], &f, &g);
    wn_angle_isotropic_f(df, w[13], f, g);
    for (int k = 0; k < 3; k++)
      out[3 + k] = (double)df[k];
    return 1;
  case ARITHMETIC_ANGLE_TURN_F:
    wn_sincos_word_f(w[0], &f, &g);
    wn_angle_isotropic_f(df, w[1], f, g);
    wn_sincos_word_f(w[2], &f, &g);
    wn_angle_turn_f(df, wn_u01_f(w[3]), f, g);
    for (int k = 0; k < 3; k++)
      out[k] = (double)df[k];
    return 1;
  default:
    return 0;
  }
}

/* What the event loop makes of them. */
static WN_HD int arithmetic_mcc(int which, struct arithmetic_input *in,
                                double out[ARITHMETIC_OUT])
{
  const uint32_t *w = in->w;
  double v[3];
  float *uf = in->uf;
  switch (which) {
  case ARITHMETIC_MCC_BOOST: {
    struct wn_mcc_relative q;
    arithmetic_vector(&w[6], -4, 16, v); /* up to 4 km/s */
    arithmetic_floats(v, q.v);
    wn_mcc_boost(&q, uf, wn_energy_f(wn_square_f(uf)), w[15] & 1u ? 1.0f : -1.0f);
    for (int k = 0; k < 3; k++)
      out[k] = (double)q.u[k];
    out[3] = (double)q.s;
    out[4] = (double)q.t_ev;
    wn_mcc_back_slow(&q, uf, 0x1p22f * wn_u01_f(w[14]));
    out[5] = (double)q.u[2];
    out[6] = (double)q.s;
    out[7] = (double)q.t_ev;
    return 1;
  }
  case ARITHMETIC_PARABOLA: {
    struct wn_mcc m;
    arithmetic_vector(&w[6], 50, 14, m.accel);
    m.gyro[0] = m.gyro[1] = m.gyro[2] = 0.0;
    wn_mcc_set_field(&m);
    struct wn_mcc_parabola p = wn_mcc_parabola(&m.uniform, uf);
    out[0] = (double)p.s0;
    out[1] = (double)p.s1;
    out[2] = (double)wn_mcc_parabola_at(&p, m.uniform.a2,
                                        (float)arithmetic_number(&w[12], -50, 16, 0));
    out[3] = (double)m.uniform.a2;
    return 1;
  }
  case ARITHMETIC_TURN: { /* up to 2^16 turns */
    float x[3] = {0.0f, 0.0f, 0.0f};
    arithmetic_vector(&w[6], 45, 14, v);
    const double gyro[3] = {(double)w[12] - 0x1p31, (double)w[13] - 0x1p31, 0x1p34};
    const float t = (float)arithmetic_number(&w[14], -36, 18, 0),
                rise = 0x1p-12f * wn_u01_f(w[5]);
    const struct wn_turn_field field = wn_turn_field(v, gyro);
    const struct wn_turn turn = wn_turn_begin(&field, uf, rise);
    out[0] = (double)wn_turn_square(&field, &turn, t);
    wn_turn_end(x, uf, &field, &turn, t, (float)out[0]);
    for (int k = 0; k < 3; k++) {
      out[1 + k] = (double)x[k];
      out[4 + k] = (double)uf[k];
    }
    return 1;
  }
  case ARITHMETIC_ION: {
    struct wn_ion m;
    struct wn_ion_reg r;
    const struct wn_rng4 words = {{w[0], w[1], w[2], w[3]}};
    float g[3], atom[3];
    m.energy_ev = 2e-7f;
    arithmetic_vector(&w[4], 0, 17, v);
    arithmetic_floats(v, r.v);
    arithmetic_vector(&w[10], 20, 24, v);
    arithmetic_floats(v, r.a);
    r.moved[0] = r.moved[1] = r.moved[2] = r.left = r.next = r.gained = 0.0f;
    r.energy = wn_ion_energy(&m, r.v);
    wn_ion_fly(&m, &r, 0x1p-28f * wn_ion_uniform(w[15]));
    wn_ion_target(250.0f, &words, atom);
    for (int k = 0; k < 3; k++)
      g[k] = r.v[k] - atom[k];
    wn_ion_scatter(w[0] & 1u ? WN_ION_ISOTROPIC : WN_ION_BACKSCATTER, 0.7f, g,
                   sqrtf(wn_dot_f(g, g)), w[8], w[9], r.v);
    for (int k = 0; k < 3; k++) {
      out[k] = (double)r.v[k];
      out[3 + k] = (double)r.moved[k];
    }
    out[6] = (double)r.gained;
    out[7] = (double)r.energy;
    return 1;
  }
  default:
    return 0;
  }
}

/* Argument i of a function; its results go to out, those that it has not are 0.  Returns
 * whether there is such a function. */
static WN_HD int arithmetic(int which, uint64_t i, double out[ARITHMETIC_OUT])
{
  struct arithmetic_input in;
  arithmetic_input(which, i, &in);
  for (int k = 0; k < ARITHMETIC_OUT; k++)
    out[k] = 0.0;
  return arithmetic_operations(which, &in, out) ||
         arithmetic_functions(which, &in, out) || arithmetic_motion(which, &in, out) ||
         arithmetic_angles(which, &in, out) || arithmetic_single(which, &in, out) ||
         arithmetic_mcc(which, &in, out);
}

WN_BEGIN_DECLS

/* The first n arguments on the GPU: out [n][ARITHMETIC_OUT].  exact: as everything is
 * compiled; fused: with -fmad=true.  WN_OK, or WN_ECUDA, logged. */
int gpu_arithmetic_exact(int which, size_t n, double *out);
int gpu_arithmetic_fused(int which, size_t n, double *out);

WN_END_DECLS

#endif
