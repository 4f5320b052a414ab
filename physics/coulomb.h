/* physics/coulomb.h - Coulomb collisions of pairs of charged particles: the angle of many
 * small deflections at once, and the velocities after it.
 *
 * For particles of charges q1, q2 and reduced mass mu with the relative velocity g the mean
 * cosine falls in a time dt, by small angles, by
 *
 *   s = n q1^2 q2^2 L dt / (4 pi eps0^2 mu^2 g^3)      <cos chi> = exp(-s)
 *
 * n: density of the partners, L: Coulomb logarithm.  Three methods draw the angle:
 *
 *   takizuka-abe  tan(chi/2) is normal with the variance s/2: Takizuka and Abe, J. Comput.
 *                 Phys. 25, 205 (1977).  For small s
 *   nanbu         the density of cos chi is exp(A cos chi) with coth A - 1/A = exp(-s): Nanbu,
 *                 Phys. Rev. E 55, 4642 (1997).  For any s; isotropic where s is large
 *   perez         that of Nanbu in the centre-of-mass frame of relativistic particles, with
 *                 an upper bound on s, below which a particle would be deflected within the
 *                 distance between particles: Perez et al., Phys. Plasmas 19, 083104 (2012)
 *
 * The papers were not read: the formulae of Nanbu and Perez et al. are those of the manuals of
 * PIConGPU ("Binary collisions") and Smilei ("Binary collisions & reactions").  The variance of
 * tan(chi/2) follows from s, as 1 - cos chi = 2 tan^2(chi/2) to lowest order.
 *
 * u: velocity or, of relativistic particles, gamma v, m/s.  The first two methods take u as
 * velocity.  They conserve the sum of m u and of m u^2/2 to rounding, the third the sum of
 * momenta and relativistic energies.  Checked by t/physics/t0151-coulomb.c. */
#ifndef WN_PHYSICS_COULOMB_H
#define WN_PHYSICS_COULOMB_H
#include <math.h>
#include <stdint.h>
#include "physics/constants.h"
#include "physics/host_device.h"
#include "physics/kinematics.h"
#include "physics/mathfn.h"
#include "physics/rng.h"

/* A line each: its word in a scenario. */
#define WN_COULOMB_METHODS(X)                                                            \
  X(TAKIZUKA_ABE, "takizuka-abe")                                                        \
  X(NANBU, "nanbu")                                                                      \
  X(PEREZ, "perez")

enum wn_coulomb_method {
#define X(symbol, word) WN_COULOMB_##symbol,
  WN_COULOMB_METHODS(X)
#undef X
      WN_N_COULOMB_METHODS
};

#define WN_COULOMB_LOG_MIN 2.0 /* of an automatic logarithm: Perez et al. */

/* ---- how strong */

/* m6/s4 kg2: s is this times the density over mu^2 g^3. */
static WN_HD double wn_coulomb_strength(double q1, double q2, double logarithm, double dt)
{
  const double q = q1 * q2 / WN_EPS0;
  return q * q * logarithm * dt / (4.0 * WN_PI);
}

/* g = 0 gives INFINITY. */
static WN_HD double wn_coulomb_s(double strength, double density, double mu, double g)
{
  return strength * density / (mu * mu * g * g * g);
}

/* The logarithm ln(1 + (lambda/b)^2)/2, at least WN_COULOMB_LOG_MIN, with the screening length
 * lambda and the greater b of the distance of closest approach, q1 q2/(4 pi eps0 mu g^2), and
 * half the reduced de Broglie wave length, hbar/(2 mu g).  g2: mean square of the relative
 * velocity. */
static WN_HD double wn_coulomb_logarithm(double lambda, double q1, double q2, double mu,
                                         double g2)
{
  const double closest = fabs(q1 * q2) / (4.0 * WN_PI * WN_EPS0 * mu * g2),
               wave = 0.5 * WN_HBAR / (mu * sqrt(g2)), b = fmax(closest, wave),
               ratio = lambda / b, l = 0.5 * wn_ln(1.0 + ratio * ratio);
  return g2 > 0.0 && b > 0.0 && l > WN_COULOMB_LOG_MIN ? l : WN_COULOMB_LOG_MIN;
}

/* m: the Debye length, but at least the radius of the sphere of one particle at the highest
 * density of a species [1/m3].  inverse2: sum over species of n q^2/(eps0 kT) [1/m2]. */
static WN_HD double wn_coulomb_screening(double inverse2, double highest)
{
  const double radius = wn_exp(wn_ln(3.0 / (4.0 * WN_PI * highest)) / 3.0),
               debye = 1.0 / sqrt(inverse2);
  return debye > radius ? debye : radius;
}

/* ---- the angle, as sine and 1 - cosine, which is exact for small angles */

struct wn_coulomb_angle {
  double sine, versine;
};

/* 1/A with coth A - 1/A = exp(-s).  The relative error of the mean cosine is below 1e-9.
 *
 * t = 1/A solves t - 2x/(1 - x) = m with x = exp(-2/t), m = 1 - exp(-s), without
 * cancellation for small s, where t = m.  Newton's method takes two steps from a rational
 * function of y = exp(-s).  Below y = 0.1 the series of the inverse of L(A) = coth A - 1/A
 * is used (its coefficients follow from L = A/3 - A^3/45 + 2 A^5/945 - A^7/4725 + ...). */
static WN_HD double wn_coulomb_inverse_a(double s)
{
  const double m = -wn_expm1(-s), y = 1.0 - m, y2 = y * y;
  if (y < 0.1)
    return 1.0 / (y * (3.0 + y2 * (9.0 / 5 +
                                   y2 * (297.0 / 175 + y2 * (1539.0 / 875 +
                                                             y2 * (126117.0 / 67375))))));
  if (m < 0.02) /* x is below the rounding of m */
    return m;
  double t = m * (1.0 + y) / (y * (3.0 - y2 * (1.2 + y2 * (0.2 - 0.4 * y2))));
  for (int i = 0; i < 2; i++) {
    const double x = wn_exp(-2.0 / t), inverse = 1.0 / (1.0 - x);
    const double slope = 1.0 - 4.0 * x * inverse * inverse / (t * t);
    t -= (t - 2.0 * x * inverse - m) / slope;
  }
  return t;
}

static WN_HD struct wn_coulomb_angle wn_coulomb_of_versine(double versine)
{
  struct wn_coulomb_angle a = {0.0, versine < 2.0 ? versine : 2.0};
  a.sine = sqrt(a.versine * (2.0 - a.versine));
  return a;
}

/* cos chi = ln(exp(-A) + 2 U sinh A)/A = 1 + ln(U + (1 - U) exp(-2 A))/A; the second form has
 * no overflow and no cancellation.  Where s is above 10 and A below 1.4e-4, to first order
 * in A. */
static WN_HD struct wn_coulomb_angle wn_coulomb_nanbu(double s, uint32_t word)
{
  const double u = wn_u01_open(word);
  if (s > 10.0) {
    const double a = 3.0 * wn_exp(-s);
    return wn_coulomb_of_versine(2.0 * (1.0 - u) * (1.0 - a * u));
  }
  const double t = wn_coulomb_inverse_a(s), x = wn_exp(-2.0 / t);
  return wn_coulomb_of_versine(-t * wn_ln(u + (1.0 - u) * x));
}

static WN_HD struct wn_coulomb_angle wn_coulomb_takizuka_abe(double s, uint32_t word0,
                                                             uint32_t word1)
{
  double sine, cosine;
  wn_sincos_turn(wn_u01(word1), &sine, &cosine);
  /* half of the square of a normal number of variance s/2 */
  const double half = 0.5 * s * wn_rng_exponential(word0) * cosine * cosine;
  struct wn_coulomb_angle a = {0.0, 2.0};
  if (half < 1e100) { /* tan^2(chi/2) = 2 half */
    a.sine = 2.0 * sqrt(2.0 * half) / (1.0 + 2.0 * half);
    a.versine = 4.0 * half / (1.0 + 2.0 * half);
  }
  return a;
}

/* ---- the pair */

/* What turns g by the angle, at an azimuth of `turn` turns: added to g. */
static WN_HD void wn_coulomb_turn(const double g[3], double length,
                                  struct wn_coulomb_angle a, double turn,
                                  double change[3])
{
  double sine, cosine, across = sqrt(g[0] * g[0] + g[1] * g[1]);
  wn_sincos_turn(turn, &sine, &cosine);
  sine *= a.sine;
  cosine *= a.sine;
  if (across > 0.0) {
    const double x = g[0] / across, y = g[1] / across;
    change[0] = x * g[2] * cosine - y * length * sine - g[0] * a.versine;
    change[1] = y * g[2] * cosine + x * length * sine - g[1] * a.versine;
    change[2] = -across * cosine - g[2] * a.versine;
  } else {
    change[0] = length * cosine;
    change[1] = length * sine;
    change[2] = -g[2] * a.versine;
  }
}

/* Constants of all pairs of two species in a cell. */
struct wn_coulomb {
  int32_t method;   /* enum wn_coulomb_method */
  double m1, m2;    /* kg */
  double strength;  /* wn_coulomb_strength */
  double dt;        /* s */
  double least_way; /* 1/m2, of method perez: wn_coulomb_least_way; 0: no bound */
};

/* n^(2/3) */
static WN_HD double wn_coulomb_two_thirds(double n)
{
  return n > 0.0 ? wn_exp(2.0 / 3 * wn_ln(n)) : 0.0;
}

/* (3/4 pi)^(1/3) max(m1 n1^(2/3), m2 n2^(2/3))/(m1 + m2): method perez bounds s by
 * n g dt/(this).  n1, n2: densities in the cell.  Unit 1/m2. */
static WN_HD double wn_coulomb_least_way(double m1, double n1, double m2, double n2)
{
  return 0.62035049089940001667 *
         fmax(m1 * wn_coulomb_two_thirds(n1), m2 * wn_coulomb_two_thirds(n2)) / (m1 + m2);
}

static WN_HD struct wn_coulomb_angle wn_coulomb_angle_of(const struct wn_coulomb *c,
                                                         double s, struct wn_rng4 r)
{
  return c->method == WN_COULOMB_TAKIZUKA_ABE ? wn_coulomb_takizuka_abe(s, r.w[0], r.w[1])
                                              : wn_coulomb_nanbu(s, r.w[0]);
}

/* One collision in c->dt with partners of `density` (1/m3).  Words 0 to 2 of r are used.
 * Particles without relative velocity stay as they are. */
static WN_HD void wn_coulomb_classical(const struct wn_coulomb *c, double density,
                                       struct wn_rng4 r, double u1[3], double u2[3])
{
  const double g[3] = {u1[0] - u2[0], u1[1] - u2[1], u1[2] - u2[2]},
               length = sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
  const double part1 = c->m2 / (c->m1 + c->m2), part2 = c->m1 / (c->m1 + c->m2);
  double change[3];
  if (!(length > 0.0))
    return;
  const double s = wn_coulomb_s(c->strength, density, c->m1 * part1, length);
  wn_coulomb_turn(g, length, wn_coulomb_angle_of(c, s, r), wn_u01(r.w[2]), change);
  for (int d = 0; d < 3; d++) {
    u1[d] += part1 * change[d];
    u2[d] -= part2 * change[d];
  }
}

/* s of relativistic particles:
 *   strength n/(c^4 m1 g1 m2 g2) gc p/(m1 g1 + m2 g2) (m1 h1 m2 h2 c^2/p^2 + 1)^2
 * with g1, g2 in the laboratory, h1, h2 and p in the centre-of-mass frame, gc of that frame;
 * bounded by (4 pi/3)^(1/3) n dt (m1 + m2)/max(m n^(2/3)) (m1 g1 + m2 g2) p/(m1 h1 m2 h2 gc).
 * Masses in units of m1 + m2 keep the powers of c within range. */
static WN_HD double wn_coulomb_perez_s(const struct wn_coulomb *c, double density,
                                       double g1, double g2, double gc, double h1,
                                       double h2, double p)
{
  const double sum = c->m1 + c->m2, a = c->m1 / sum, b = c->m2 / sum,
               all = a * g1 + b * g2, q = p / (WN_C * sum), inner = a * h1 * b * h2,
               bracket = inner / (q * q) + 1.0;
  const double s = c->strength * density / (WN_C * WN_C * WN_C * sum * sum) * gc * q *
                   bracket * bracket / (a * g1 * b * g2 * all);
  if (!(c->least_way > 0.0))
    return s;
  return fmin(s, density * c->dt / c->least_way * all * q * WN_C / (inner * gc));
}

static WN_HD double wn_coulomb_gamma(const double u[3])
{
  return sqrt(1.0 + (u[0] * u[0] + u[1] * u[1] + u[2] * u[2]) * (1.0 / (WN_C * WN_C)));
}

static WN_HD void wn_coulomb_perez(const struct wn_coulomb *c, double density,
                                   struct wn_rng4 r, double u1[3], double u2[3])
{
  const double g1 = wn_coulomb_gamma(u1), g2 = wn_coulomb_gamma(u2);
  const double all = 1.0 / ((c->m1 * g1 + c->m2 * g2) * WN_C);
  double beta[3], star[3], h1 = g1, change[3], p2 = 0.0;
  for (int d = 0; d < 3; d++) {
    beta[d] = (c->m1 * u1[d] + c->m2 * u2[d]) * all;
    star[d] = u1[d];
  }
  wn_boost(star, &h1, beta, 1.0);
  for (int d = 0; d < 3; d++)
    p2 += star[d] * star[d];
  const double length = sqrt(p2), ratio = c->m1 / c->m2;
  if (!(length > 0.0))
    return;
  double h2 = sqrt(1.0 + p2 * (ratio * ratio / (WN_C * WN_C)));
  const double gc = (c->m1 * g1 + c->m2 * g2) / (c->m1 * h1 + c->m2 * h2);
  const double s = wn_coulomb_perez_s(c, density, g1, g2, gc, h1, h2, c->m1 * length);
  wn_coulomb_turn(star, length, wn_coulomb_angle_of(c, s, r), wn_u01(r.w[2]), change);
  for (int d = 0; d < 3; d++) {
    u1[d] = star[d] + change[d];
    u2[d] = -ratio * u1[d];
  }
  wn_boost(u1, &h1, beta, -1.0);
  wn_boost(u2, &h2, beta, -1.0);
}

static WN_HD void wn_coulomb_collide(const struct wn_coulomb *c, double density,
                                     struct wn_rng4 r, double u1[3], double u2[3])
{
  if (c->method == WN_COULOMB_PEREZ)
    wn_coulomb_perez(c, density, r, u1, u2);
  else
    wn_coulomb_classical(c, density, r, u1, u2);
}

/* ---- weights */

/* Which of a pair of weights w1, w2 are changed, as bits 1 and 2, by word 3 of the pair: each
 * with the probability (weight of the other)/(greater weight), so that on average the momentum
 * that one gives is what the other takes.  Nanbu and Yonemura, J. Comput. Phys. 145, 639
 * (1998), of which the abstract was read; the rule is in the manual of PIConGPU. */
static WN_HD int wn_coulomb_changed(double w1, double w2, uint32_t word)
{
  const double u = wn_u01(word);
  return (u * w1 < w2 ? 1 : 0) | (u * w2 < w1 ? 2 : 0);
}

#endif
