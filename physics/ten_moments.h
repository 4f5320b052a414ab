/* physics/ten_moments.h - what one particle adds to the nodes of a grid for the ten moments of its
 * species: charge density, current density and the tensor of the momentum flux,
 *
 *   rho = sum q w S/V,   J_i = sum q w v_i S/V,   P_ij = sum m w u_i v_j S/V,
 *
 * with S the shape of the deposit, V the volume of the node, u = gamma v, and w real particles.  P is the
 * second moment about v = 0.  Codes in the convention of iPIC3D (Markidis, Lapenta and Rizwan-uddin, Math.
 * Comput. Simul. 80, 1509, 2010) have q where P has m; theirs is q/m times P.  The pressure about the mean
 * follows from sums: P_ij - m n <u_i><v_j>.  Relativistic: J has v, and u_i v_j = u_i u_j/gamma is
 * symmetric; P is the spatial part of the stress-energy tensor.
 *
 * Integers.  A particle of W quanta (wn_quanta: 2^20 a unit of weight) gives q_k quanta to node k, by
 * wn_grid_divide; their sum is W.  It has ten integers m_a, and adds to moment a of node k
 *
 *   c_0 = q_k,   c_a = q_k m_a/2^29, rounded to nearest (halves up)     a > 0
 *
 *   m_i  = round(v_i 2^30/U)                        i = x, y, z
 *   m_ij = round(u_i u_j/gamma 2^30/U^2)            ij = xx, xy, xz, yy, yz, zz
 *
 * U = 2^e m/s is the unit of the species at this time: e is the least integer with |u_i| < 2^e for each
 * component of each living particle, of all ranks (wn_ten_moments_exponent).  So it depends on the set of
 * particles alone, and so do the sums: the same bits for any order, threads, ranks and device.
 *
 * Range.  |v_i| <= |u_i| < U, hence |m_a| <= 2^30, |c_a| <= 2 q_k and, for any set of particles that give Q
 * quanta to a node together,
 *
 *   |sum c_a| <= 2 Q.
 *
 *   Sums of 64 bits: Q of all particles is below 2^62, or the run ends with a message; so they cannot overflow.
 *   Partial sums of 32 bits (a tile in shared memory): cannot overflow while Q < 2^30, which is 1023 particles
 *   of weight 1, however they lie.  Q is the sum of moment 0 itself, unsigned, right while it is below
 *   2^32; whether it is, is seen by the sum over nodes, as in device/charge_window.cuh.
 *   Where q_k < 2^31 (weights below 2^11), a contribution is one product of 32-bit integers, signed.
 *   Sums that exceed their range in between and return are right: additions are modulo 2^64 or 2^32.
 *
 * Resolution.  A particle gives each node its flux to 2^-22 of a unit of weight at the speed U, at the most: a
 * fourth of what a quantum of charge has there.  With most particles at U/8, and nodes that get a
 * tenth of a particle or more, that is 2e-5 of v and 2e-4 of P; the errors of particles are independent, so
 * that a node with N of them has 1/sqrt(N) of that.
 *
 * Arguments named dim, n_v, order, relativistic or wide of type `int` should be constants in the call.
 * Single precision, every operation written out: the same bits on CPU and GPU. */
#ifndef WN_PHYSICS_TEN_MOMENTS_H
#define WN_PHYSICS_TEN_MOMENTS_H
#include <math.h>
#include <stdint.h>
#include "physics/host_device.h"
#include "physics/mover.h"
#include "physics/shape.h"

enum wn_moment {
  WN_MOMENT_RHO,
  WN_MOMENT_JX,
  WN_MOMENT_JY,
  WN_MOMENT_JZ,
  WN_MOMENT_PXX,
  WN_MOMENT_PXY,
  WN_MOMENT_PXZ,
  WN_MOMENT_PYY,
  WN_MOMENT_PYZ,
  WN_MOMENT_PZZ,
  WN_TEN_MOMENTS
};

#define WN_MOMENT_ONE   0x1p30f /* the integer of v = U */
#define WN_MOMENT_SHIFT 29      /* of q m */
/* Quanta of a node for which sums of 32 bits suffice, signed */
#define WN_MOMENT_NEAR ((uint32_t)1 << 30)

/* ---- the unit */

#define WN_MOMENT_EXPONENT_MOST 60 /* 2^60 m/s; |e| of a unit is not above */

/* e of the unit for a largest |u_i| [m/s]; WN_MOMENT_EXPONENT_MOST + 1: it is no number, or too
 * large. */
static WN_HD int32_t wn_ten_moments_exponent(float most)
{
  int e = 0;
  if (!(most < 0x1p60f))
    return WN_MOMENT_EXPONENT_MOST + 1;
  frexpf(most, &e); /* most is below 2^e and not below 2^(e-1); e is 0 for 0 */
  return e < -WN_MOMENT_EXPONENT_MOST ? -WN_MOMENT_EXPONENT_MOST : e;
}

/* 1/U [s/m] of e, exact. */
static WN_HD float wn_ten_moments_per_unit(int32_t e)
{
  return ldexpf(1.0f, -e);
}

/* Largest |u_i| of a particle. */
static WN_HD float wn_ten_moments_most(int n_v, const float u[3])
{
  float most = fmaxf(fabsf(u[0]), fabsf(u[1]));
  return n_v > 2 ? fmaxf(most, fabsf(u[2])) : most;
}

/* Whether the unit holds for a particle; not for what is no number.  Always true if the unit is that of the
 * particles at this time. */
static WN_HD int wn_ten_moments_fits(int n_v, float per_unit, const float u[3])
{
  return fabsf(u[0] * per_unit) < 1.0f && fabsf(u[1] * per_unit) < 1.0f &&
         (n_v < 3 || fabsf(u[2] * per_unit) < 1.0f);
}

/* ---- a particle */

/* The integers m of a particle; those of z are 0 where it has no velocity along z. */
static WN_HD void wn_ten_moments(int n_v, int relativistic, float per_unit,
                                 const float u[3], int32_t m[WN_TEN_MOMENTS])
{
  const float slower = wn_point_slower(n_v, relativistic, u);
  const float a[3] = {u[0] * per_unit, u[1] * per_unit, n_v > 2 ? u[2] * per_unit : 0.0f};
  const float v[3] = {a[0] * slower, a[1] * slower, a[2] * slower};
  int at = WN_MOMENT_PXX;
  m[WN_MOMENT_RHO] = 1;
  WN_UNROLLED
  for (int i = 0; i < 3; i++) {
    m[WN_MOMENT_JX + i] = wn_nearest(v[i] * WN_MOMENT_ONE);
    WN_UNROLLED
    for (int j = i; j < 3; j++)
      m[at++] = wn_nearest(v[i] * a[j] * WN_MOMENT_ONE);
  }
}

/* The nodes of a particle of `quanta` at x (fixed point, physics/mover.h): the index of the first, and the
 * quanta q of each, q[k] at wn_grid_offset(g, dim, order, k).  wide 0: quanta are below 2^32. */
static WN_HD int32_t wn_ten_moments_nodes(const struct wn_grid_view *g, int dim,
                                          int order, const int32_t x[3], uint64_t quanta,
                                          int wide, uint64_t q[WN_MAX_REACH])
{
  int32_t cell[3] = {0, 0, 0};
  uint32_t part[3] = {0, 0, 0};
  for (int d = 0; d < dim; d++)
    wn_place_of_fixed(g->bits[d], x[d], &cell[d], &part[d]);
  wn_grid_divide(dim, order, part, quanta, wide, q);
  return wn_grid_first(g, dim, order, cell, part);
}

/* What moment a > 0 of a node gets; q is below 2^31. */
static WN_HD int32_t wn_ten_moments_share(uint32_t q, int32_t m)
{
  return (int32_t)(((int64_t)(int32_t)q * m + ((int64_t)1 << (WN_MOMENT_SHIFT - 1))) >>
                   WN_MOMENT_SHIFT);
}

/* The same for any q below 2^62. */
static WN_HD int64_t wn_ten_moments_share_wide(uint64_t q, int32_t m)
{
  /* q = high 2^29 + low: the first part needs no rounding */
  const int64_t high = (int64_t)(q >> WN_MOMENT_SHIFT),
                low = (int64_t)(q & (((uint64_t)1 << WN_MOMENT_SHIFT) - 1));
  return high * m + wn_ten_moments_share((uint32_t)low, m);
}

/* ---- the sums */

/* SI of a moment whose sum is WN_QUANTA, over the volume of a node still: C, A m, kg m2/s2.  charge, mass: of
 * a unit of weight [C, kg]. */
static WN_HD double wn_ten_moments_si(int moment, int32_t e, double charge, double mass)
{
  return moment == WN_MOMENT_RHO  ? charge
         : moment < WN_MOMENT_PXX ? ldexp(charge, e - 1)
                                  : ldexp(mass, 2 * e - 1);
}

/* The axes whose reflection changes the sign of a moment: bit 0 x, 1 y, 2 z.  What a mirror returns of a
 * shape is added with this sign. */
static WN_HD unsigned wn_ten_moments_odd(int moment)
{
  const unsigned x = 1, y = 2, z = 4;
  switch (moment) {
  case WN_MOMENT_JX:
    return x;
  case WN_MOMENT_JY:
    return y;
  case WN_MOMENT_JZ:
    return z;
  case WN_MOMENT_PXY:
    return x | y;
  case WN_MOMENT_PXZ:
    return x | z;
  case WN_MOMENT_PYZ:
    return y | z;
  default:
    return 0;
  }
}

#endif
