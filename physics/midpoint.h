/* physics/midpoint.h - the motion of a particle in E and B on nodes (physics/nodal_field.h)
 * by the implicit midpoint rule, or by Boris's explicit one.  Records, places and sides are
 * those of physics/mover.h; three components of velocity.
 *
 * Midpoint.  With the means x' = (x0 + x1)/2 and u' = (u0 + u1)/2 of a step h
 *
 *   x1 = x0 + h v',   u1 = u0 + (q h/m)(E(x') + v' x B(x')),   v' = u'/gamma(u').
 *
 * For a given x' the equation of u' has a closed form: with a = u0 + (q h/2m) E and
 * t = (q h/2m) B/gamma(u')
 *
 *   u' = (a + a x t + (a t) t)/(1 + t^2) = a + (a + a x t) x t/(1 + t^2),
 *
 * of which the second keeps |u| better: rounding of 1 + t^2 acts with t.
 *
 * x' is found by iteration from x' = x0: u' there, then x' = x0 + (h/2) v'.  In E = 0 |u|
 * does not change, whatever x' is; an angle of gyration is 2 atan(omega h/2).
 *
 * gamma(u') is 1, or that of the mean momentum, which follows from a and q h B/(2m) in closed
 * form (wn_point_mean_gamma_of): u' is the mean of u before and after the rotation of
 * Higuera and Cary, Phys. Plasmas 24, 052104 (2017), between the halves of the kick by E.
 *
 * A step may be divided into substeps of equal length, as many as a given number or as the
 * angle of gyration and the cells crossed in a substep ask for, by E, B and u at its start.
 *
 * Arguments named dim, relativistic or adapts of type `int` should be constants in the
 * call.  Single precision, every operation written out: the same bits on CPU and GPU. */
#ifndef WN_PHYSICS_MIDPOINT_H
#define WN_PHYSICS_MIDPOINT_H
#include <math.h>
#include <stdint.h>
#include "physics/host_device.h"
#include "physics/mover.h"
#include "physics/nodal_field.h"

/* A line for each mover in E and B on nodes: symbol, its word in a scenario. */
#define WN_NODAL_MOVERS(X)                                                               \
  X(MIDPOINT, "implicit-midpoint")                                                       \
  X(BORIS, "boris")                                                                      \
  /* the next */

enum wn_nodal_mover {
#define X(symbol, word) WN_NODAL_##symbol,
  WN_NODAL_MOVERS(X)
#undef X
      WN_N_NODAL_MOVERS
};

#define WN_MOST_SUBSTEPS 1000 /* of one step, whatever asks for more */

struct wn_midpoint {
  struct wn_points points; /* with the grid; its b is not used.  First: as wn_points */
  /* given */
  int32_t mover;      /* enum wn_nodal_mover */
  int32_t iterations; /* at most; 1 or more */
  double tolerance;   /* they end when u' changes by less than this part; 0: never */
  int32_t substeps;   /* at least; 1 to WN_MOST_SUBSTEPS */
  /* Of a substep at most; INFINITY: not limited */
  double most_turn;  /* angle q B h/m without gamma, rad */
  double most_cells; /* way along an axis, in cells */
  /* from these, for substeps of points.dt/substeps: wn_midpoint_prepare */
  int32_t adapts;   /* whether substeps differ */
  float beta;       /* (m/s)/(V/m): q h/(2 m) */
  float half[3];    /* parts per 1 m/s in h/2 */
  float most[3];    /* longest h/2, in parts: half the domain */
  float tolerance2; /* its square */
  float per_turn;   /* substeps, of the given length, per (2 beta B)  */
  float per_way[3]; /* and per m/s along each axis */
};

static WN_HD void wn_midpoint_prepare(struct wn_midpoint *m)
{
  struct wn_points *p = &m->points;
  wn_points_prepare(p);
  const double h = p->dt / (double)m->substeps;
  m->adapts = m->most_turn < (double)INFINITY || m->most_cells < (double)INFINITY;
  m->beta = (float)(0.5 * p->charge / p->mass * h);
  m->tolerance2 = (float)(m->tolerance * m->tolerance);
  m->per_turn = (float)(1.0 / m->most_turn);
  for (int d = 0; d < 3; d++) {
    m->half[d] = (float)(0.5 * h * ldexp(p->grid.per_h[d], p->grid.bits[d]));
    m->most[d] = (float)(p->end[d] / 2);
    m->per_way[d] = (float)(h * p->grid.per_h[d] / m->most_cells);
  }
}

/* ---- a substep.  per: the part of the given substep that it is, 1 if substeps do not differ */

/* E and B at a place that may be beyond a side. */
static WN_HD void wn_midpoint_field(const struct wn_points *p, int dim,
                                    const int32_t x[3], float eb[WN_NODAL_VALUES])
{
  int32_t cell[3] = {0, 0, 0};
  float part[3] = {0.0f, 0.0f, 0.0f};
  for (int d = 0; d < dim; d++)
    wn_nodal_place(&p->grid, d, wn_nodal_inside(&p->grid, d, p->end[d], x[d]), &cell[d],
                   &part[d]);
  wn_nodal_gather(&p->grid, dim, cell, part, eb);
}

static WN_HD float wn_midpoint_dot(const float a[3], const float b[3])
{
  return wn_fma(a[0], b[0], wn_fma(a[1], b[1], a[2] * b[2]));
}

/* u' from u0 and E, B at x'.  Returns 1/gamma(u'). */
static WN_HD float wn_midpoint_mean(int relativistic, float beta,
                                    const float eb[WN_NODAL_VALUES], const float u[3],
                                    float mean[3])
{
  const float *b = eb + WN_NODAL_B;
  const float a[3] = {wn_fma(beta, eb[0], u[0]), wn_fma(beta, eb[1], u[1]),
                      wn_fma(beta, eb[2], u[2])};
  float t[3] = {beta * b[0], beta * b[1], beta * b[2]}, slower = 1.0f;
  if (relativistic) {
    slower = 1.0f / wn_point_mean_gamma_of(t, 3, a);
    t[0] *= slower;
    t[1] *= slower;
    t[2] *= slower;
  }
  const float less = 1.0f / (1.0f + wn_midpoint_dot(t, t));
  const float s[3] = {t[0] * less, t[1] * less, t[2] * less};
  const float w[3] = {wn_fma(a[1], t[2], wn_fma(-a[2], t[1], a[0])),
                      wn_fma(a[2], t[0], wn_fma(-a[0], t[2], a[1])),
                      wn_fma(a[0], t[1], wn_fma(-a[1], t[0], a[2]))};
  mean[0] = wn_fma(w[1], s[2], wn_fma(-w[2], s[1], a[0]));
  mean[1] = wn_fma(w[2], s[0], wn_fma(-w[0], s[2], a[1]));
  mean[2] = wn_fma(w[0], s[1], wn_fma(-w[1], s[0], a[2]));
  return slower;
}

/* Half a substep at the velocity v, in parts: odd in v. */
static WN_HD int32_t wn_midpoint_way(const struct wn_midpoint *m, int d, float per,
                                     float v)
{
  const float half[3] = {m->half[0] * per, m->half[1] * per, m->half[2] * per};
  return wn_cartesian_way(half, m->most, d, v);
}

/* Apply the sides; as wn_point_drift. */
static WN_HD int wn_midpoint_sides(const struct wn_points *p, int dim, int32_t x[3],
                                   float u[3])
{
  for (int d = 0; d < dim; d++) {
    const int side = wn_point_cross(p, d, &x[d], &u[d]);
    if (side >= 0)
      return side;
  }
  return -1;
}

/* Returns -1, or the side that took the particle; x and u are then those beyond it. */
static WN_HD int wn_midpoint_substep(const struct wn_midpoint *m, int dim,
                                     int relativistic, float per, int32_t x[3],
                                     float u[3])
{
  const float beta = m->beta * per;
  float eb[WN_NODAL_VALUES], mean[3] = {0.0f, 0.0f, 0.0f}, slower = 1.0f;
  int32_t way[3] = {0, 0, 0};
  for (int i = 0; i < m->iterations; i++) {
    const float before[3] = {mean[0], mean[1], mean[2]};
    int32_t at[3] = {0, 0, 0};
    for (int d = 0; d < dim; d++)
      at[d] = x[d] + way[d];
    wn_midpoint_field(&m->points, dim, at, eb);
    slower = wn_midpoint_mean(relativistic, beta, eb, u, mean);
    for (int d = 0; d < dim; d++)
      way[d] = wn_midpoint_way(m, d, per, relativistic ? mean[d] * slower : mean[d]);
    const float change[3] = {mean[0] - before[0], mean[1] - before[1],
                             mean[2] - before[2]};
    if (wn_midpoint_dot(change, change) < m->tolerance2 * wn_midpoint_dot(mean, mean))
      break;
  }
  for (int d = 0; d < dim; d++)
    x[d] += 2 * way[d];
  for (int d = 0; d < 3; d++)
    u[d] = wn_fma(2.0f, mean[d], -u[d]);
  return wn_midpoint_sides(&m->points, dim, x, u);
}

/* Boris: half a drift, half the kick by E, the rotation about B, half the kick, half a
 * drift.  Of a relativistic particle with the gamma between the halves of the kick. */
static WN_HD int wn_boris_substep(const struct wn_midpoint *m, int dim, int relativistic,
                                  float per, int32_t x[3], float u[3])
{
  const float beta = m->beta * per;
  float eb[WN_NODAL_VALUES];
  for (int half = 0; half < 2; half++) {
    const float slower = wn_point_slower(3, relativistic, u);
    for (int d = 0; d < dim; d++)
      x[d] += wn_midpoint_way(m, d, per, relativistic ? u[d] * slower : u[d]);
    const int side = wn_midpoint_sides(&m->points, dim, x, u);
    if (side >= 0)
      return side;
    if (half == 1)
      return -1;
    wn_midpoint_field(&m->points, dim, x, eb);
    for (int d = 0; d < 3; d++)
      u[d] = wn_fma(beta, eb[d], u[d]);
    const float by = wn_point_slower(3, relativistic, u) * beta;
    const float t[3] = {by * eb[WN_NODAL_B], by * eb[WN_NODAL_B + 1],
                        by * eb[WN_NODAL_B + 2]};
    wn_point_rotate_by(t, 2.0f / (1.0f + wn_midpoint_dot(t, t)), u);
    for (int d = 0; d < 3; d++)
      u[d] = wn_fma(beta, eb[d], u[d]);
  }
  return -1;
}

/* ---- a step */

/* How many times the given number of substeps a particle takes: by |B| and u where it is. */
static WN_HD int32_t wn_midpoint_divisor(const struct wn_midpoint *m, int dim,
                                         int relativistic, const int32_t x[3],
                                         const float u[3])
{
  float eb[WN_NODAL_VALUES];
  wn_midpoint_field(&m->points, dim, x, eb);
  const float *b = eb + WN_NODAL_B, slower = wn_point_slower(3, relativistic, u);
  float most = fabsf(2.0f * m->beta) * sqrtf(wn_midpoint_dot(b, b)) * m->per_turn;
  for (int d = 0; d < dim; d++)
    most = fmaxf(most, fabsf(u[d] * slower) * m->per_way[d]);
  const float limit = (float)(WN_MOST_SUBSTEPS / m->substeps), n = ceilf(most);
  return n > 1.0f ? (int32_t)(n < limit ? n : limit) : 1; /* not a number: 1 */
}

/* A whole step.  Returns -1, or the side where the particle ended. */
static WN_HD int wn_midpoint_step(const struct wn_midpoint *m, int dim, int relativistic,
                                  int32_t x[3], float u[3])
{
  const int32_t divisor = m->adapts ? wn_midpoint_divisor(m, dim, relativistic, x, u) : 1;
  const float per = 1.0f / (float)divisor;
  const int32_t n = m->substeps * divisor;
  int side = -1;
  for (int32_t i = 0; i < n && side < 0; i++)
    side = m->mover == WN_NODAL_MIDPOINT
               ? wn_midpoint_substep(m, dim, relativistic, per, x, u)
               : wn_boris_substep(m, dim, relativistic, per, x, u);
  return side;
}

#endif
