/* physics/mcc_grid.h - an electron of model `mcc`, or an ion of model `ion`, in the field of
 * a grid: what it feels in a mobility step, where it comes to, what the sides do, where
 * newborns are.
 *
 * Its place is that of a point (physics/point.h), and so is its step: E is taken where it
 * will be in the middle, at x + v dt/2, before it flies (wn_mcc_grid_feel).  Without
 * collisions the exact flight in that E is
 *
 *   u' = u + a dt,  x' = x + dt (v + v')/2    (v' = v + a dt, classical),
 *
 * which is half a drift by v, the kick, half a drift by v': drift-kick-drift, symplectic
 * and of second order.  With E taken at x it would not be: the map of (x, v) in a field
 * a = -omega^2 x has then the determinant 1 + (omega dt)^2/2 instead of 1, and a plasma
 * heats.
 *
 * Collisions see no side in a mobility step; what is born, or attached, behind one that
 * absorbs or is open is on that wall. */
#ifndef WN_PHYSICS_MCC_GRID_H
#define WN_PHYSICS_MCC_GRID_H
#include <math.h>
#include <stdint.h>
#include "physics/constants.h"
#include "physics/electron.h"
#include "physics/grid.h"
#include "physics/hd.h"
#include "physics/mathfn.h"
#include "physics/point.h"
#include "physics/rng.h"
#include "physics/tally.h"

struct wn_mcc_grid {
  struct wn_points points; /* of electrons relativistic; dt: the mobility step */
  double parts[3];         /* of the places in 1 m along each axis */
  float per_field;         /* m/s2 in 1 V/m: charge over mass */
};

/* What follows from the grid and dt. */
static WN_HD void wn_mcc_grid_prepare(struct wn_mcc_grid *g)
{
  wn_points_prepare(&g->points);
  g->per_field = (float)(g->points.charge / g->points.mass);
  for (int d = 0; d < 3; d++)
    g->parts[d] = ldexp(g->points.grid.per_h[d], g->points.grid.bits[d]);
}

/* Where an electron takes E in the part, in (0, 1], of a mobility step that is before it:
 * the middle of its way, after what the sides do; where one would take it, its place.
 * is_image: behind a mirror, where it flies on until it is turned at the end of its way, E
 * along that axis is the image of that within. */
struct wn_mcc_grid_middle {
  int32_t cell[3];
  uint32_t within[3];
  int is_image[3];
};

static WN_HD struct wn_mcc_grid_middle wn_mcc_grid_middle(const struct wn_mcc_grid *g,
                                                          int dim, float part,
                                                          const struct wn_electron *e)
{
  const struct wn_points *p = &g->points;
  const float slower = wn_point_slower(3, p->relativistic, e->u) * part;
  float v[3], before[3];
  int32_t x[3] = {0, 0, 0};
  struct wn_mcc_grid_middle m = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
  for (int d = 0; d < dim; d++) {
    x[d] = e->at[d];
    v[d] = before[d] = e->u[d] * slower;
  }
  if (wn_point_drift(p, dim, dim, 0, x, v) >= 0)
    for (int d = 0; d < dim; d++) {
      x[d] = e->at[d];
      v[d] = before[d];
    }
  wn_point_place(p, dim, x, m.cell, m.within);
  for (int d = 0; d < dim; d++)
    m.is_image[d] = v[d] != before[d];
  return m;
}

/* E there [V/m] is what it holds. */
static WN_HD void wn_mcc_grid_keep(const struct wn_mcc_grid *g,
                                   const struct wn_mcc_grid_middle *m, int dim,
                                   const float field[3], struct wn_electron *e)
{
  for (int d = 0; d < 3; d++)
    e->a[d] = d < dim ? (m->is_image[d] ? -g->per_field : g->per_field) * field[d] : 0.0f;
}

/* What it feels in that part: both. */
static WN_HD void wn_mcc_grid_feel(const struct wn_mcc_grid *g, int dim, int shape,
                                   int gather, float part, struct wn_electron *e)
{
  const struct wn_mcc_grid_middle m = wn_mcc_grid_middle(g, dim, part, e);
  float field[3] = {0.0f, 0.0f, 0.0f};
  wn_grid_gather(&g->points.grid, dim, shape, gather, m.cell, m.within, field);
  wn_mcc_grid_keep(g, &m, dim, field, e);
}

/* A place moved by so many metres, not looked at by the sides; no longer than the domain,
 * as wn_point_way.  dim is that of the grid, a constant where it is known, here and below.
 * Three axes whatever it is: a loop to a dim that nobody knows beforehand would index moved,
 * which is of struct wn_mcc_reg, and a kernel would have all of that in memory. */
static WN_HD void wn_mcc_grid_shift(const struct wn_mcc_grid *g, int dim,
                                    const float moved[3], int32_t at[3])
{
  const struct wn_points *p = &g->points;
  for (int d = 0; d < 3; d++) {
    if (d < dim) {
      const double most = (double)p->end[d];
      double way = (double)moved[d] * g->parts[d];
      way = way < most ? way : most;
      way = way > -most ? way : -most;
      at[d] += (int32_t)rint(way);
    }
  }
}

/* After wn_mcc_grid_shift: into the domain, the velocity turned by mirrors; behind a side
 * that takes, onto it.  Returns -1, or the first of those sides. */
static WN_HD int wn_mcc_grid_settle(const struct wn_mcc_grid *g, int dim, int32_t at[3],
                                    float u[3])
{
  const struct wn_points *p = &g->points;
  int first = -1;
  for (int d = 0; d < dim; d++) {
    const int side = wn_point_cross(p, d, &at[d], &u[d]);
    if (side < 0)
      continue;
    at[d] = side % 2 == 0 ? 0 : p->end[d];
    first = first < 0 ? side : first;
  }
  return first;
}

/* The end of a mobility step, u being stored: its place, moved, and what the sides do.
 * Returns -1, or the side that took it, which one who is dead does not notice. */
static WN_HD int wn_mcc_grid_land(const struct wn_mcc_grid *g, int dim,
                                  const float moved[3], int is_dead,
                                  struct wn_electron *e, struct wn_tally *t)
{
  wn_mcc_grid_shift(g, dim, moved, e->at);
  const int side = wn_mcc_grid_settle(g, dim, e->at, e->u);
  if (side < 0 || is_dead)
    return -1;
  wn_point_ended(&g->points, 3, e->u, e->w, side, t);
  return side;
}

/* A side took it where it is: both are noted, until the dead leave the store. */
static WN_HD void wn_mcc_grid_end(struct wn_electron *e, int side)
{
  e->a[0] = wn_float_from_bits((uint32_t)e->at[0]);
  e->a[1] = (float)side;
  e->at[0] = WN_POINT_DEAD;
}

/* Both, for schedulers: returns whether a side took it. */
static WN_HD int wn_mcc_grid_arrive(const struct wn_mcc_grid *g, const float moved[3],
                                    int is_dead, struct wn_electron *e,
                                    struct wn_tally *t)
{
  const int side = wn_mcc_grid_land(g, g->points.grid.dim, moved, is_dead, e, t);
  if (side < 0)
    return 0;
  if (WN_ON_DEVICE) /* it is asked of ions, and kernels of electrons have no register left */
    e->at[0] = WN_POINT_DEAD;
  else
    wn_mcc_grid_end(e, side);
  return 1;
}

/* What a mobility step adds to struct wn_tally_group for every particle: in units of the
 * group's sums, not rounded. */
struct wn_flight_adds {
  float path[3], time, gained;
};

/* Where one ended that a side has taken: the side, and its place there. */
static WN_HD int wn_mcc_grid_ended_side(const struct wn_electron *e)
{
  return (int)e->a[1];
}

static WN_HD void wn_mcc_grid_ended_at(const struct wn_electron *e, int32_t at[3])
{
  at[0] = (int32_t)wn_float_bits(e->a[0]);
  at[1] = e->at[1];
  at[2] = e->at[2];
}

/* A child of e, which has moved so far: its place, and it waits (struct wn_electron).  So
 * the record has the place of the birth until all others have flown, and ions can be made
 * there. */
static WN_HD void wn_mcc_grid_birth(const struct wn_mcc_grid *g,
                                    const struct wn_electron *e, const float moved[3],
                                    struct wn_electron *child)
{
  for (int d = 0; d < 3; d++)
    child->at[d] = e->at[d];
  wn_mcc_grid_shift(g, g->points.grid.dim, moved, child->at);
  wn_mcc_grid_settle(g, g->points.grid.dim, child->at, child->u);
  child->a[0] = child->t_left;
  child->a[1] = child->a[2] = 0.0f;
  child->t_left = 0.0f;
}

/* The velocity of the ion that is left where e was born (event 0), or where it was attached:
 * thermal with the spread sigma [m/s] along each axis. */
static WN_HD void wn_mcc_grid_thermal(const struct wn_electron *e, uint64_t seed,
                                      double sigma, float u[3])
{
  double v[3];
  wn_rng_normal3(wn_rng(seed, e->id, e->event, WN_RNG_ION, 0), v);
  for (int d = 0; d < 3; d++)
    u[d] = (float)(sigma * v[d]);
}

/* That ion: a point of the same weight.  One that collides is made by wn_ion_left_by. */
static WN_HD void wn_mcc_grid_ion(const struct wn_mcc_grid *g,
                                  const struct wn_electron *e, uint64_t seed,
                                  double sigma, union wn_word r[8])
{
  const int dim = g->points.grid.dim;
  float u[3];
  wn_mcc_grid_thermal(e, seed, sigma, u);
  for (int i = 0; i < 8; i++)
    r[i].i = 0;
  wn_point_store(dim, 3, r, e->at, u);
  if (wn_point_weighs(dim, 3))
    r[dim + 3].f = e->w;
}

/* A newborn flies from now on, for what is left of the mobility step. */
static WN_HD void wn_mcc_grid_wake(const struct wn_mcc_grid *g, int dim, int shape,
                                   int gather, struct wn_electron *e)
{
  const float part = e->a[0];
  wn_mcc_grid_feel(g, dim, shape, gather, part, e);
  e->t_left = part;
}

#endif
