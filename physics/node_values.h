/* physics/node_values.h - what a particle adds to the nodes of a grid among which its charge would be
 * divided: moments, expected collision rates, or the power of the field.  Values are integers and are
 * added in 128 bits: src/sim/node_sums.h on the host and device/node_sums.cu on a GPU have the same
 * bits.
 *
 * Arguments named dim, n_v and what of type `int` should be constants in the call. */
#ifndef WN_PHYSICS_NODE_VALUES_H
#define WN_PHYSICS_NODE_VALUES_H
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include "physics/constants.h"
#include "physics/electron.h"
#include "physics/energy_table.h"
#include "physics/expected_frequency.h"
#include "physics/field_work.h"
#include "physics/host_device.h"
#include "physics/mover.h"
#include "physics/shape.h"
#include "physics/tally.h"
#include "physics/ten_moments.h"

#define WN_NODE_VALUES    16   /* that a particle adds to its nodes at a time, at most */
#define WN_NODE_PROCESSES 1024 /* of rates at a time */

/* MOMENTS: number, flux along each axis, kinetic energy; at the place of the particle.
 * RATES_OF_ELECTRONS, RATES_OF_IONS: collision frequencies there.
 * POWER: the energy that E gives to it in the mobility step that follows, where it takes E.
 * TEN: the ten moments of physics/ten_moments.h, at its place. */
enum wn_node_what {
  WN_NODE_MOMENTS,
  WN_NODE_RATES_OF_ELECTRONS,
  WN_NODE_RATES_OF_IONS,
  WN_NODE_POWER,
  WN_NODE_TEN
};

#define WN_NODE_PER_SPEED 0x1p40 /* units of velocity per c: 0.27 mm/s */

struct wn_node_values {
  int32_t what;                 /* enum wn_node_what */
  int32_t n;                    /* values, at most WN_NODE_VALUES */
  uint32_t odd[WN_NODE_VALUES]; /* axes whose reflection changes its sign: bit 0 x, ... */
  double unit[WN_NODE_VALUES];  /* of each value */
  int32_t is_electron;          /* the records are struct wn_electron */
  struct wn_mcc_grid grid;      /* of particles without collisions its points alone */
  double per_unit; /* of rates: s; of power: (kg m2/s2)^-1 kg; of ten moments: 1/U, s/m */
  /* Rates: a is the sum of processes process[first[a]] .. process[first[a + 1] - 1] of the view, or,
   * of ions, of the columns of the table.  Power: the table is wn_field_work's. */
  struct wn_xs_view xs;
  struct wn_energy_table table;
  uint32_t first[WN_NODE_VALUES + 1];
  uint16_t process[WN_NODE_PROCESSES];
};

struct wn_node_particle {
  int32_t x[3]; /* fixed point, as in its record (physics/mover.h) */
  float u[3], w;
  /* Where its values go, in the domain */
  int32_t cell[3];
  uint32_t part[3];
};

enum { WN_NODE_NONE, WN_NODE_ADD, WN_NODE_MISFIT }; /* what a particle adds */

/* Load a record.  Returns whether the particle is living. */
static WN_HD int wn_node_load(int is_electron, int dim, int n_v, const void *record,
                              struct wn_node_particle *p)
{
  if (!is_electron) {
    wn_point_load(dim, n_v, (const union wn_word *)record, p->x, p->u, &p->w);
    return p->x[0] >= 0;
  }
  const struct wn_electron *e = (const struct wn_electron *)record;
  for (int d = 0; d < dim; d++)
    p->x[d] = e->at[d];
  for (int d = 0; d < 3; d++)
    p->u[d] = e->u[d];
  p->w = e->w;
  return e->t_left >= 0.0f && e->at[0] >= 0;
}

static WN_HD void wn_node_moments(const struct wn_points *m, int dim, int n_v,
                                  const float u[3], int64_t *value)
{
  const float slower = wn_point_slower(n_v, m->relativistic, u);
  value[0] = 1;
  for (int d = 0; d < dim; d++)
    value[1 + d] = llrint((double)(u[d] * slower) * (WN_NODE_PER_SPEED / WN_C));
  value[1 + dim] = llrint(wn_point_energy_ev(m, n_v, u) * WN_FIX_ENERGY);
}

static WN_HD void wn_node_rates(const struct wn_node_values *v, int what, double e_ev,
                                int64_t *value)
{
  for (int a = 0; a < v->n; a++) {
    double sum = 0.0;
    for (uint32_t i = v->first[a]; i < v->first[a + 1]; i++) {
      const int k = v->process[i];
      sum += what == WN_NODE_RATES_OF_ELECTRONS
                 ? wn_expected_frequency(&v->xs, k, e_ev)
                 : wn_energy_table_at(&v->table, (size_t)k, e_ev);
    }
    value[a] = llrint(sum * v->per_unit);
  }
}

static WN_HD int wn_node_power(const struct wn_node_values *v, int dim, int n_v,
                               struct wn_node_particle *p, int64_t *value)
{
  const struct wn_points *m = &v->grid.points;
  float field[3] = {0.0f, 0.0f, 0.0f}, sign[3] = {1.0f, 1.0f, 1.0f};
  if (v->table.value != NULL)
    wn_field_work_middle(&v->grid, dim, p->x, p->u, p->cell, p->part, sign);
  else if (!wn_field_work_place(m, dim, n_v, p->x, p->u, p->cell, p->part))
    return WN_NODE_NONE;
  wn_grid_gather(&m->grid, dim, m->grid.shape, m->grid.gather, p->cell, p->part, field);
  for (int i = 0; i < dim; i++)
    field[i] *= sign[i];
  const double units = wn_field_work(m, &v->table, dim, n_v, p->u, field) * v->per_unit;
  if (!(fabs(units) < 0x1p62))
    return WN_NODE_MISFIT;
  value[0] = llrint(units);
  return WN_NODE_ADD;
}

static WN_HD int wn_node_ten(const struct wn_node_values *v, int n_v, const float u[3],
                             int64_t *value)
{
  int32_t m[WN_TEN_MOMENTS];
  const float per_unit = (float)v->per_unit; /* exact: a power of two */
  if (!wn_ten_moments_fits(n_v, per_unit, u))
    return WN_NODE_MISFIT;
  wn_ten_moments(n_v, v->grid.points.relativistic, per_unit, u, m);
  for (int a = 0; a < WN_TEN_MOMENTS; a++)
    value[a] = m[a];
  return WN_NODE_ADD;
}

/* What value a of a particle adds to a node that gets q quanta of it, below 2^62. */
static WN_HD wn_i128 wn_node_share(int what, int a, uint64_t q, int64_t value)
{
  return what == WN_NODE_TEN && a != WN_MOMENT_RHO
             ? (wn_i128)wn_ten_moments_share_wide(q, (int32_t)value)
             : (wn_i128)(int64_t)q * value;
}

/* From place and velocity of a living particle: the place of its values, and these.  MISFIT: a value
 * does not fit into its integer. */
static WN_HD int wn_node_values_of(const struct wn_node_values *v, int what, int dim,
                                   int n_v, struct wn_node_particle *p,
                                   int64_t value[WN_NODE_VALUES])
{
  const struct wn_points *m = &v->grid.points;
  if (what == WN_NODE_POWER)
    return wn_node_power(v, dim, n_v, p, value);
  if (what == WN_NODE_MOMENTS)
    wn_node_moments(m, dim, n_v, p->u, value);
  else if (what == WN_NODE_TEN) {
    if (wn_node_ten(v, n_v, p->u, value) != WN_NODE_ADD)
      return WN_NODE_MISFIT;
  } else
    wn_node_rates(v, what, wn_point_energy_ev(m, n_v, p->u), value);
  wn_point_place(m, dim, p->x, p->cell, p->part);
  return WN_NODE_ADD;
}

#endif
