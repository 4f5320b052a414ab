/* physics/field_work.h - the energy that E gives to a particle in a mobility step, before it moves:
 * src/sim/field_power.h has the formulae and their derivation. */
#ifndef WN_PHYSICS_FIELD_WORK_H
#define WN_PHYSICS_FIELD_WORK_H
#include <math.h>
#include "physics/constants.h"
#include "physics/energy_table.h"
#include "physics/host_device.h"
#include "physics/mathfn.h"
#include "physics/mcc_grid.h"
#include "physics/mover.h"

/* The gain of energy over mass in E = field.  collisions: frequency with which they take velocity,
 * 1/s; without values: there are none. */
static WN_HD double wn_field_work(const struct wn_points *m,
                                  const struct wn_energy_table *collisions, int dim,
                                  int n_v, const float before[3], const float field[3])
{
  const double half = 0.5 * m->charge / m->mass * m->dt;
  double u[3], d[3] = {0.0, 0.0, 0.0}, low[3], high[3], square[2] = {0.0, 0.0}, sum = 0.0;
  float turned[3] = {0.0f, 0.0f, 0.0f};
  for (int i = 0; i < n_v; i++) {
    u[i] = (double)before[i];
    d[i] = i < dim ? half * (double)field[i] : 0.0;
    low[i] = high[i] = u[i] + d[i];
    turned[i] = (float)low[i];
  }
  if (m->rotation != WN_ROTATION_NONE) {
    wn_point_rotate(m, n_v, m->relativistic, m->rotation, turned);
    for (int i = 0; i < n_v; i++)
      high[i] = (double)turned[i];
  }
  for (int i = 0; i < n_v; i++) {
    const double after = high[i] + d[i];
    square[0] += u[i] * u[i];
    square[1] += after * after;
    sum += d[i] * (u[i] + low[i] + high[i] + after);
  }
  if (collisions->value != NULL) {
    float later[3] = {0.0f, 0.0f, 0.0f};
    for (int i = 0; i < n_v; i++)
      later[i] = (float)(u[i] + d[i] * (2.0 / 3.0));
    const double x =
        wn_energy_table_at(collisions, 0, wn_point_energy_ev(m, n_v, later)) * m->dt;
    const double p = x > 1e-6 ? -wn_expm1(-x) / x : 1.0 - 0.5 * x,
                 r = x > 1e-3 ? (1.0 - p) / x : 0.5 - x / 6.0;
    for (int i = 0; i < dim; i++)
      sum += 4.0 * d[i] * ((p - 1.0) * u[i] + (r - 0.5) * 2.0 * d[i]);
  }
  if (!m->relativistic)
    return 0.5 * sum;
  const double per_c2 = 1.0 / (WN_C * WN_C);
  return sum / (sqrt(1.0 + square[0] * per_c2) + sqrt(1.0 + square[1] * per_c2));
}

/* Where a particle without collisions takes E: as wn_point_step.  Returns whether it is inside. */
static WN_HD int wn_field_work_place(const struct wn_points *m, int dim, int n_v,
                                     int32_t x[3], float u[3], int32_t cell[3],
                                     uint32_t part[3])
{
  if (wn_point_drift(m, dim, n_v, m->relativistic, x, u) >= 0)
    return 0;
  wn_point_place(m, dim, x, cell, part);
  return 1;
}

/* Electrons and ions with collisions: as wn_mcc_grid_feel.  E behind a mirror is an image. */
static WN_HD void wn_field_work_middle(const struct wn_mcc_grid *g, int dim,
                                       const int32_t x[3], const float u[3],
                                       int32_t cell[3], uint32_t part[3], float sign[3])
{
  struct wn_electron e;
  for (int i = 0; i < 3; i++) {
    e.at[i] = i < dim ? x[i] : 0;
    e.u[i] = u[i];
  }
  const struct wn_mcc_grid_middle middle = wn_mcc_grid_middle(g, dim, 1.0f, &e);
  for (int i = 0; i < dim; i++) {
    cell[i] = middle.cell[i];
    part[i] = middle.within[i];
    sign[i] = middle.is_image[i] ? -1.0f : 1.0f;
  }
}

#endif
