/* physics/mcc_grid.h - an electron of model `mcc`, or an ion of model `ion`, in the field
 * of a grid: its acceleration in a mobility step, its place afterwards, the sides, and
 * the places of newborns.
 *
 * Place and step are those of physics/mover.h: E is taken at the middle of the step, x +
 * v dt/2, before the flight (wn_mcc_grid_feel).  Without collisions the exact flight in
 * that E is
 *
 *   u' = u + a dt,  x' = x + dt (v + v')/2    (v' = v + a dt, classical),
 *
 * which is half a drift by v, the kick, half a drift by v': drift-kick-drift, symplectic
 * and of second order.  With E taken at x it would not be symplectic: in a field a =
 * -omega^2 x the map of (x, v) then has the determinant 1 + (omega dt)^2/2 instead of 1,
 * and a plasma heats.
 *
 * Collisions ignore the sides within a mobility step.  An electron born or attached
 * behind an absorbing or open side is put onto that wall. */
#ifndef WN_PHYSICS_MCC_GRID_H
#define WN_PHYSICS_MCC_GRID_H
#include <math.h>
#include <stdint.h>
#include "physics/constants.h"
#include "physics/electron.h"
#include "physics/shape.h"
#include "physics/host_device.h"
#include "physics/mathfn.h"
#include "physics/mover.h"
#include "physics/rng.h"
#include "physics/tally.h"

struct wn_mcc_grid {
  struct wn_points points; /* of electrons relativistic; dt: the mobility step */
  double parts[3];         /* parts per metre along each axis */
  float per_field;         /* m/s2 per V/m: charge over mass */
};

/* Constants that follow from the grid and dt. */
static WN_HD void wn_mcc_grid_prepare(struct wn_mcc_grid *g)
{
  wn_points_prepare(&g->points);
  g->per_field = (float)(g->points.charge / g->points.mass);
  for (int d = 0; d < 3; d++)
    g->parts[d] = ldexp(g->points.grid.per_h[d], g->points.grid.bits[d]);
}

/* Where an electron takes E for the part, in (0, 1], of a mobility step that lies ahead:
 * the middle of its path, after the sides; its own place where a side would take it.
 * is_image: the middle is behind a mirror.  The electron flies on and is reflected at the
 * end of the path, so E along that axis is the image of E inside. */
struct wn_mcc_grid_middle {
  int32_t cell[3];
  uint32_t within[3];
  int is_image[3];
  struct wn_radial_turn turn; /* in r-z: to the axes there (physics/radial.h) */
};

/* The same in r-z, where E at the middle is along the axes there. */
static WN_HD struct wn_mcc_grid_middle
wn_mcc_grid_radial_middle(const struct wn_mcc_grid *g, float part,
                          const struct wn_electron *e)
{
  const struct wn_points *p = &g->points;
  const float slower = wn_point_slower(3, p->relativistic, e->u) * part;
  const float v[3] = {e->u[0] * slower, e->u[1] * slower, e->u[2] * slower};
  struct wn_mcc_grid_middle m = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {1.0, 0.0, 0}};
  int32_t x[3] = {e->at[0], e->at[1], 0};
  float sign[2] = {1.0f, 1.0f};
  m.turn = wn_point_radial_drift(p, x, v);
  for (int d = 0; d < 2; d++)
    if (wn_point_cross(p, d, &x[d], &sign[d]) >= 0) {
      const struct wn_radial_turn none = {1.0, 0.0, 0};
      m.turn = none;
      x[0] = e->at[0];
      x[1] = e->at[1];
      sign[0] = sign[1] = 1.0f;
      break;
    }
  wn_point_place(p, 2, x, m.cell, m.within);
  for (int d = 0; d < 2; d++)
    m.is_image[d] = sign[d] < 0.0f;
  return m;
}

static WN_HD struct wn_mcc_grid_middle wn_mcc_grid_middle(const struct wn_mcc_grid *g,
                                                          int dim, float part,
                                                          const struct wn_electron *e)
{
  const struct wn_points *p = &g->points;
  if (wn_point_is_radial(p, dim, 3))
    return wn_mcc_grid_radial_middle(g, part, e);
  const float slower = wn_point_slower(3, p->relativistic, e->u) * part;
  float v[3], before[3];
  int32_t x[3] = {0, 0, 0};
  struct wn_mcc_grid_middle m = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {1.0, 0.0, 0}};
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

/* Store the acceleration by E = field [V/m] there in the record. */
static WN_HD void wn_mcc_grid_keep(const struct wn_mcc_grid *g,
                                   const struct wn_mcc_grid_middle *m, int dim,
                                   const float field[3], struct wn_electron *e)
{
  for (int d = 0; d < 3; d++)
    e->a[d] = d < dim ? (m->is_image[d] ? -g->per_field : g->per_field) * field[d] : 0.0f;
  if (wn_point_is_radial(&g->points, dim, 3))
    wn_radial_turned_back(&m->turn, e->a);
}

/* Both: E at the middle of that part, stored. */
static WN_HD void wn_mcc_grid_feel(const struct wn_mcc_grid *g, int dim, int shape,
                                   int gather, float part, struct wn_electron *e)
{
  const struct wn_mcc_grid_middle m = wn_mcc_grid_middle(g, dim, part, e);
  float field[3] = {0.0f, 0.0f, 0.0f};
  wn_grid_gather(&g->points.grid, dim, shape, gather, m.cell, m.within, field);
  wn_mcc_grid_keep(g, &m, dim, field, e);
}

/* A place moved by so many metres, before the sides; at most by the domain's length, as
 * in wn_point_way.  dim is that of the grid, here and below, a constant where it is
 * known.  Always three axes: a loop to a dim unknown at compile time would index moved, a
 * member of struct wn_mcc_reg.  A kernel would then keep all of that struct in memory. */
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

/* The same in r-z, with the velocity turned into the axes there. */
static WN_HD void wn_mcc_grid_radial_carry(const struct wn_mcc_grid *g,
                                           const float moved[3], int32_t at[3],
                                           float u[3])
{
  const struct wn_points *p = &g->points;
  const double most = (double)p->end[0];
  const float along_z[3] = {0.0f, moved[1], 0.0f};
  double way[2] = {(double)moved[0] * g->parts[0], (double)moved[2] * g->parts[0]};
  struct wn_radial_turn turn;
  for (int i = 0; i < 2; i++) {
    way[i] = way[i] < most ? way[i] : most;
    way[i] = way[i] > -most ? way[i] : -most;
  }
  at[0] = wn_radial_moved(at[0], way[0], way[1], p->end[0], &turn);
  wn_mcc_grid_shift(g, 2, along_z, at);
  wn_radial_turned(&turn, u);
}

/* By the geometry. */
static WN_HD void wn_mcc_grid_carry(const struct wn_mcc_grid *g, int dim,
                                    const float moved[3], int32_t at[3], float u[3])
{
  if (wn_point_is_radial(&g->points, dim, 3))
    wn_mcc_grid_radial_carry(g, moved, at, u);
  else
    wn_mcc_grid_shift(g, dim, moved, at);
}

/* After wn_mcc_grid_shift: into the domain, the velocity reflected by mirrors; behind a
 * side that takes particles, onto it.  Returns -1, or the first of those sides. */
static WN_HD int wn_mcc_grid_settle(const struct wn_mcc_grid *g, int dim, int32_t at[3],
                                    float u[3])
{
  const struct wn_points *p = &g->points;
  int first = -1;
  if (wn_point_is_radial(p, dim, 3))
    wn_point_radial_mirror(p, &at[0], u);
  for (int d = 0; d < dim; d++) {
    const int side = wn_point_cross(p, d, &at[d], &u[d]);
    if (side < 0)
      continue;
    at[d] = side % 2 == 0 ? 0 : p->end[d];
    first = first < 0 ? side : first;
  }
  return first;
}

/* End of a mobility step, with u stored: the place, moved, and the sides.  Returns -1, or
 * the side that took the electron; a dead electron is not counted there. */
static WN_HD int wn_mcc_grid_land(const struct wn_mcc_grid *g, int dim,
                                  const float moved[3], int is_dead,
                                  struct wn_electron *e, struct wn_tally *t)
{
  wn_mcc_grid_carry(g, dim, moved, e->at, e->u);
  const int side = wn_mcc_grid_settle(g, dim, e->at, e->u);
  if (side < 0 || is_dead)
    return -1;
  wn_point_ended(&g->points, 3, e->u, e->w, side, t);
  return side;
}

/* A side took it: side and place are recorded until dead electrons leave the store. */
static WN_HD void wn_mcc_grid_end(struct wn_electron *e, int side)
{
  e->a[0] = wn_float_from_bits((uint32_t)e->at[0]);
  e->a[1] = (float)side;
  e->at[0] = WN_POINT_DEAD;
}

/* Both, for schedulers; returns whether a side took it. */
static WN_HD int wn_mcc_grid_arrive(const struct wn_mcc_grid *g, const float moved[3],
                                    int is_dead, struct wn_electron *e,
                                    struct wn_tally *t)
{
  const int side = wn_mcc_grid_land(g, g->points.grid.dim, moved, is_dead, e, t);
  if (side < 0)
    return 0;
  /* emission and distributions at walls need the side, which are not on a GPU, and kernels of electrons lack
   * the registers; passages of test electrons need the place */
  wn_mcc_grid_end(e, WN_ON_DEVICE ? 0 : side);
  return 1;
}

/* Terms that every particle adds to struct wn_tally_group in a mobility step, in units of
 * the group's sums, not rounded. */
struct wn_flight_adds {
  float path[3], time, gained;
};

/* For an electron that a side has taken: the side, and its place there. */
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

/* A child of e, which has moved so far: its place.  The child waits (struct wn_electron),
 * so that the record keeps the place of birth until the others are at the end of the step,
 * and ions can be created there. */
static WN_HD void wn_mcc_grid_birth(const struct wn_mcc_grid *g,
                                    const struct wn_electron *e, const float moved[3],
                                    struct wn_electron *child)
{
  for (int d = 0; d < 3; d++)
    child->at[d] = e->at[d];
  wn_mcc_grid_carry(g, g->points.grid.dim, moved, child->at, child->u);
  wn_mcc_grid_settle(g, g->points.grid.dim, child->at, child->u);
  child->a[0] = child->t_left;
  child->a[1] = child->a[2] = 0.0f;
  child->t_left = 0.0f;
}

/* Velocity of the ion left where e was born (event 0), or where it was attached: thermal
 * with the standard deviation sigma [m/s] along each axis. */
static WN_HD void wn_mcc_grid_thermal(const struct wn_electron *e, uint64_t seed,
                                      double sigma, float u[3])
{
  double v[3];
  wn_rng_normal3(wn_rng(seed, e->id, e->event, WN_RNG_ION, 0), v);
  for (int d = 0; d < 3; d++)
    u[d] = (float)(sigma * v[d]);
}

/* That ion without collisions, with the weight of e; wn_ion_left_by makes ions that
 * collide. */
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

/* Start a newborn, for the rest of the mobility step. */
static WN_HD void wn_mcc_grid_wake(const struct wn_mcc_grid *g, int dim, int shape,
                                   int gather, struct wn_electron *e)
{
  const float part = e->a[0];
  wn_mcc_grid_feel(g, dim, shape, gather, part, e);
  e->t_left = part;
}

#endif
