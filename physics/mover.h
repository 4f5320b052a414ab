/* physics/mover.h - particles without collisions and without identity; the small records
 * have no weight either.  Place and velocity remain.  Their records, and their motion.
 *
 *   1d3v  int32 x;     float u[3]            16 bytes
 *   2d2v  int32 x[2];  float u[2]            16 bytes
 *   2d3v  int32 x[2];  float u[3], w, -, -   32 bytes
 *   3d3v  int32 x[3];  float u[3], w, -      32 bytes
 *
 * x: fixed point, cell * 2^bits + part, from 0 to cells * 2^bits (struct wn_grid_view),
 * so that a step has the same resolution anywhere in the domain; below 0: dead.  u =
 * gamma v [m/s].  w: particles that this one stands for, in units of the species' own.
 *
 * A step of dt is half a drift, E at that place, the kick by it, half a drift.  The
 * charge is deposited at the place after the first half, too, so that E at the particle
 * is that of the charge at this place: with the field solved from the deposit,
 * drift-kick-drift, symplectic and of second order.
 *
 * Arguments named dim, n_v (components of u), relativistic or rotation of type `int`
 * should be constants in the call.  Single precision, every operation written out: the
 * same bits on CPU and GPU. */
#ifndef WN_PHYSICS_MOVER_H
#define WN_PHYSICS_MOVER_H
#include <math.h>
#include <stdint.h>
#include "physics/cartesian.h"
#include "physics/constants.h"
#include "physics/radial.h"
#include "physics/shape.h"
#include "physics/grid_view.h"
#include "physics/host_device.h"
#include "physics/tally.h"

enum wn_point_kind {
  WN_POINT_1D3V,
  WN_POINT_2D2V,
  WN_POINT_2D3V,
  WN_POINT_3D3V,
  WN_N_POINTS
};

#define WN_POINT_DEAD                                                                    \
  INT32_MIN /* x[0]; on the host of a particle that a side took: wn_point_end */

/* Rotation of u about B in a step.  Boris: by the gamma between the halves of the
 * electric kick.  Higuera and Cary: by the gamma of the mean of u before and after the
 * rotation, with which the drift across E and B is right at any speed. */
enum wn_rotation { WN_ROTATION_NONE, WN_ROTATION_BORIS, WN_ROTATION_HIGUERA_CARY };

/* ---- records, as words: x at word 0, u at word dim, w at word dim + n_v */

union wn_word {
  int32_t i;
  float f;
};

static WN_HD int wn_point_dim(int kind)
{
  return kind == WN_POINT_1D3V ? 1 : kind == WN_POINT_3D3V ? 3 : 2;
}

static WN_HD int wn_point_velocities(int kind)
{
  return kind == WN_POINT_2D2V ? 2 : 3;
}

static WN_HD int wn_point_words(int kind)
{
  return kind == WN_POINT_1D3V || kind == WN_POINT_2D2V ? 4 : 8;
}

/* Whether the record has a weight; otherwise the weight is 1. */
static WN_HD int wn_point_weighs(int dim, int n_v)
{
  return dim + n_v > 4;
}

static WN_HD void wn_point_load(int dim, int n_v, const union wn_word *r, int32_t x[3],
                                float u[3], float *w)
{
  for (int d = 0; d < dim; d++)
    x[d] = r[d].i;
  for (int d = 0; d < n_v; d++)
    u[d] = r[dim + d].f;
  *w = wn_point_weighs(dim, n_v) ? r[dim + n_v].f : 1.0f;
}

/* Store place and velocity; the weight is unchanged. */
static WN_HD void wn_point_store(int dim, int n_v, union wn_word *r, const int32_t x[3],
                                 const float u[3])
{
  for (int d = 0; d < dim; d++)
    r[d].i = x[d];
  for (int d = 0; d < n_v; d++)
    r[dim + d].f = u[d];
}

/* A name of 64 bits of a particle that has none: its words, one after the other, mixed by the
 * function that ends splitmix64. */
static WN_HD uint64_t wn_point_name(const union wn_word *r, int words)
{
  uint64_t h = 0;
  for (int i = 0; i < words; i++) {
    h += 0x9e3779b97f4a7c15u + (uint32_t)r[i].i;
    h = (h ^ h >> 30) * 0xbf58476d1ce4e5b9u;
    h = (h ^ h >> 27) * 0x94d049bb133111ebu;
    h ^= h >> 31;
  }
  return h;
}

/* Of a dead record, on the host. */
static WN_HD int wn_point_ended_side(const union wn_word *r)
{
  return (int)((uint32_t)r[0].i & 7u);
}

/* ---- constants of all particles of a species */

struct wn_points {
  struct wn_grid_view grid;
  /* given */
  int32_t kind;         /* enum wn_point_kind */
  int32_t relativistic; /* else u = v */
  int32_t rotation;     /* enum wn_rotation */
  double charge, mass;  /* C, kg */
  double b[3];          /* T, uniform; along z alone for 2d2v */
  double dt;            /* s */
  /* from these and the grid: wn_points_prepare */
  int32_t end[3]; /* cells * 2^bits */
  float most[3];  /* this and the next: wn_cartesian_prepare; not in a struct of their */
  float half[3];  /* own, by which kernels take more registers */
  float kick;     /* (m/s) / (V/m): q dt/m */
  float tau[3];   /* q B dt/(2 m) */
  float turn;     /* 2/(1 + tau^2) */
  double energy_ev; /* energy of 1 (m/s)^2: m/(2 e) */
};

static WN_HD void wn_points_prepare(struct wn_points *p)
{
  const double half = 0.5 * p->charge / p->mass * p->dt;
  double tau2 = 0.0;
  p->kick = (float)(2.0 * half);
  p->energy_ev = 0.5 * p->mass / WN_E;
  for (int d = 0; d < 3; d++) {
    p->tau[d] = (float)(half * p->b[d]);
    tau2 += (double)p->tau[d] * (double)p->tau[d];
  }
  wn_cartesian_prepare(&p->grid, p->dt, p->end, p->most, p->half);
  p->turn = (float)(2.0 / (1.0 + tau2));
}

/* ---- motion */

static WN_HD float wn_point_square(int n_v, const float u[3])
{
  return n_v == 2 ? wn_fma(u[0], u[0], u[1] * u[1])
                  : wn_fma(u[0], u[0], wn_fma(u[1], u[1], u[2] * u[2]));
}

/* 1/gamma. */
static WN_HD float wn_point_slower(int n_v, int relativistic, const float u[3])
{
  return relativistic ? 1.0f / sqrtf(wn_fma(wn_point_square(n_v, u),
                                            (float)(1.0 / (WN_C * WN_C)), 1.0f))
                      : 1.0f;
}

/* Kinetic energy [eV] of one particle. */
static WN_HD double wn_point_energy_ev(const struct wn_points *p, int n_v,
                                       const float u[3])
{
  double s = 0.0;
  for (int d = 0; d < n_v; d++)
    s += (double)u[d] * (double)u[d];
  if (p->relativistic) /* mc2 (gamma - 1) without cancellation */
    s *= 2.0 / (1.0 + sqrt(1.0 + s * (1.0 / (WN_C * WN_C))));
  return p->energy_ev * s;
}

/* Half a step at the velocity v [m/s], in parts. */
static WN_HD int32_t wn_point_way(const struct wn_points *p, int d, float v)
{
  return wn_cartesian_way(p->half, p->most, d, v);
}

/* Apply the sides of axis d: wn_cartesian_cross.  Returns -1, or the surface that took the
 * particle. */
static WN_HD int wn_point_cross(const struct wn_points *p, int d, int32_t *x, float *u)
{
  return wn_cartesian_cross(&p->grid, d, p->end[d], x, u);
}

/* Bits of a dead record with the depth below. */
#define WN_POINT_DEPTH_BITS 27

/* On the host: a side took it.  Side, velocity and the place there are kept until it leaves
 * the store: those along the side where they always are, but x in the word of the axis
 * across it.  Word 0 has the side, and how deep the particle is behind it, in parts:
 * otherwise particles of a cold beam in one dimension would be the same.  x: may be
 * outside along other axes, too. */
static WN_HD void wn_point_end(const struct wn_points *p, int dim, int n_v,
                               union wn_word *r, const int32_t x[3], const float u[3],
                               int side)
{
  const int axis = side / 2;
  const uint32_t depth = (uint32_t)(side % 2 ? x[axis] - p->end[axis] : -x[axis]) &
                         ((1u << WN_POINT_DEPTH_BITS) - 1u);
  for (int d = 0; d < dim; d++) {
    int32_t at = x[d];
    float unused = 0.0f;
    if (d == axis)
      continue;
    wn_point_cross(p, d, &at, &unused);
    at = at < 0 ? 0 : at < p->end[d] ? at : p->end[d];
    r[d == 0 ? axis : d].i = at;
  }
  r[0].i = WN_POINT_DEAD + (int32_t)(depth << 3) + side;
  for (int d = 0; d < n_v; d++)
    r[dim + d].f = u[d];
}

/* Where a dead record ended. */
static WN_HD void wn_point_ended_at(const struct wn_points *p, int dim,
                                    const union wn_word *r, int32_t at[3])
{
  const int side = wn_point_ended_side(r), axis = side / 2;
  for (int d = 0; d < 3; d++)
    at[d] = d >= dim    ? 0
            : d == axis ? (side % 2 ? p->end[d] : 0)
                        : r[d == 0 ? axis : d].i;
}

/* Whether the particles of this record are in r-z. */
static WN_HD int wn_point_is_radial(const struct wn_points *p, int dim, int n_v)
{
  return dim == 2 && n_v == 3 && (WN_ON_DEVICE ? WN_RADIAL_KERNELS : p->grid.is_radial);
}

/* Half a drift at the velocity v [m/s] of three components, before the sides; the same turn
 * for other vectors. */
static WN_HD struct wn_radial_turn wn_point_radial_drift(const struct wn_points *p,
                                                         int32_t x[3], const float v[3])
{
  struct wn_radial_turn turn;
  x[0] = wn_radial_moved(x[0], wn_radial_way(p->half[0], p->most[0], v[0]),
                         wn_radial_way(p->half[0], p->most[0], v[2]), p->end[0], &turn);
  x[1] += wn_point_way(p, 1, v[1]);
  return turn;
}

/* A mirror around the axis of r-z. */
static WN_HD void wn_point_radial_mirror(const struct wn_points *p, int32_t *x,
                                         float u[3])
{
  if (*x > p->end[0] && p->grid.side[1] == WN_SIDE_REFLECT)
    wn_radial_mirrored(p->end[0], x, u);
}

/* Half a drift.  Returns -1, or the side that the particle left by or that took it, on
 * the first such axis; x and u are then valid only for the energy. */
static WN_HD int wn_point_drift(const struct wn_points *p, int dim, int n_v,
                                int relativistic, int32_t x[3], float u[3])
{
  const float slower = wn_point_slower(n_v, relativistic, u);
  if (wn_point_is_radial(p, dim, n_v)) {
    const float v[3] = {u[0] * slower, u[1] * slower, u[2] * slower};
    const struct wn_radial_turn turn = wn_point_radial_drift(p, x, v);
    wn_radial_turned(&turn, u);
    wn_point_radial_mirror(p, x, u);
  } else
    for (int d = 0; d < dim; d++)
      x[d] += wn_point_way(p, d, relativistic ? u[d] * slower : u[d]);
  for (int d = 0; d < dim; d++) {
    const int side = wn_point_cross(p, d, &x[d], &u[d]);
    if (side >= 0)
      return side;
  }
  return -1;
}

/* gamma of the rotation by Higuera and Cary, at the mean w of u before (here u) and after
 * the rotation: w = u + w x t, t = tau/gamma.  With T = |tau|, c = 1 and the parts of u
 * along and across B
 *
 *   gamma^2 = 1 + w^2 = 1 + along^2 + across^2 gamma^2/(gamma^2 + T^2)
 *   gamma^4 - s gamma^2 - q = 0,  s = 1 + u^2 - T^2,  q = T^2 + (u tau)^2
 *
 * The positive root is taken, in the form without cancellation for either sign of s.
 * Derived here from the statement of their abstract (Phys. Plasmas 24, 052104, 2017: the
 * momentum is averaged before it is used in the rotation); checked by
 * t/physics/t0712-point-push.c. */
static WN_HD float wn_point_mean_gamma_of(const float tau[3], int n_v, const float u[3])
{
  const float per_c = (float)(1.0 / WN_C);
  const float tau2 =
      n_v == 2 ? tau[2] * tau[2]
               : wn_fma(tau[0], tau[0], wn_fma(tau[1], tau[1], tau[2] * tau[2]));
  const float along =
      n_v == 2 ? 0.0f : wn_fma(u[0], tau[0], wn_fma(u[1], tau[1], u[2] * tau[2])) * per_c;
  const float s = wn_fma(wn_point_square(n_v, u), per_c * per_c, 1.0f - tau2);
  const float q = wn_fma(along, along, tau2), root = sqrtf(wn_fma(s, s, 4.0f * q));
  return sqrtf(s >= 0.0f ? 0.5f * (s + root) : 2.0f * q / (root - s));
}

static WN_HD float wn_point_mean_gamma(const struct wn_points *p, int n_v,
                                       const float u[3])
{
  return wn_point_mean_gamma_of(p->tau, n_v, u);
}

/* Rotation about t, turn = 2/(1 + t^2): u + (u + u x t) x s, s = turn t. */
static WN_HD void wn_point_rotate_by(const float t[3], float turn, float u[3])
{
  const float a[3] = {wn_fma(u[1], t[2], wn_fma(-u[2], t[1], u[0])),
                      wn_fma(u[2], t[0], wn_fma(-u[0], t[2], u[1])),
                      wn_fma(u[0], t[1], wn_fma(-u[1], t[0], u[2]))};
  const float s[3] = {turn * t[0], turn * t[1], turn * t[2]};
  u[0] = wn_fma(a[1], s[2], wn_fma(-a[2], s[1], u[0]));
  u[1] = wn_fma(a[2], s[0], wn_fma(-a[0], s[2], u[1]));
  u[2] = wn_fma(a[0], s[1], wn_fma(-a[1], s[0], u[2]));
}

/* Rotation about B: u + (u + u x t) x s, s = 2 t/(1 + t^2). */
static WN_HD void wn_point_rotate(const struct wn_points *p, int n_v, int relativistic,
                                  int rotation, float u[3])
{
  float t[3] = {p->tau[0], p->tau[1], p->tau[2]}, turn = p->turn;
  if (relativistic) {
    const float slower = rotation == WN_ROTATION_HIGUERA_CARY
                             ? 1.0f / wn_point_mean_gamma(p, n_v, u)
                             : wn_point_slower(n_v, 1, u);
    for (int d = 0; d < 3; d++)
      t[d] *= slower;
    turn =
        2.0f / (1.0f + (n_v == 2 ? t[2] * t[2]
                                 : wn_fma(t[0], t[0], wn_fma(t[1], t[1], t[2] * t[2]))));
  }
  if (n_v == 2) {
    const float a = wn_fma(u[1], t[2], u[0]), b = wn_fma(-u[0], t[2], u[1]),
                s = turn * t[2];
    u[0] = wn_fma(b, s, u[0]);
    u[1] = wn_fma(-a, s, u[1]);
    return;
  }
  wn_point_rotate_by(t, turn, u);
}

/* Kick of a whole step: half by E [V/m], the rotation about B, half by E. */
static WN_HD void wn_point_kick(const struct wn_points *p, int dim, int n_v,
                                int relativistic, int rotation, const float e[3],
                                float u[3])
{
  const float kick = rotation == WN_ROTATION_NONE ? p->kick : 0.5f * p->kick;
  for (int d = 0; d < dim; d++)
    u[d] = wn_fma(kick, e[d], u[d]);
  if (rotation == WN_ROTATION_NONE)
    return;
  wn_point_rotate(p, n_v, relativistic, rotation, u);
  for (int d = 0; d < dim; d++)
    u[d] = wn_fma(kick, e[d], u[d]);
}

/* Cells and parts of a particle in the domain. */
static WN_HD void wn_point_place(const struct wn_points *p, int dim, const int32_t x[3],
                                 int32_t cell[3], uint32_t part[3])
{
  for (int d = 0; d < dim; d++)
    wn_place_of_fixed(p->grid.bits[d], x[d], &cell[d], &part[d]);
}

/* A whole step.  Returns -1, or the side where the particle ended. */
static WN_HD int wn_point_step(const struct wn_points *p, int dim, int n_v, int shape,
                               int gather, int relativistic, int rotation, int32_t x[3],
                               float u[3])
{
  int32_t cell[3];
  uint32_t part[3];
  float e[3];
  const int side = wn_point_drift(p, dim, n_v, relativistic, x, u);
  if (side >= 0)
    return side;
  wn_point_place(p, dim, x, cell, part);
  wn_grid_gather(&p->grid, dim, shape, gather, cell, part, e);
  wn_point_kick(p, dim, n_v, relativistic, rotation, e, u);
  return wn_point_drift(p, dim, n_v, relativistic, x, u);
}

/* Count a particle of velocity u and weight w that ended at a surface. */
static WN_HD void wn_point_ended(const struct wn_points *p, int n_v, const float u[3],
                                 float w, int surface, struct wn_tally *tally)
{
  struct wn_tally_surface *s = &tally->surface[surface];
  wn_tally_sum(&s->number, 1.0, 1.0);
  wn_tally_sum(&s->quanta, (double)w, (double)WN_QUANTA);
  wn_tally_sum(&s->energy, (double)w * wn_point_energy_ev(p, n_v, u), WN_FIX_ENERGY);
}

#endif
