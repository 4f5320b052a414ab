/* src/sim/field_power.c - see field_power.h: an operator that changes nothing. */
#include "src/sim/field_power.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/error.h"
#include "base/ranks.h"
#include "physics/constants.h"
#include "physics/ion.h"
#include "physics/mcc_grid.h"
#include "src/config/averages.h"
#include "src/config/plasma_derived.h"
#include "src/sim/node_sums.h"
#include "src/sim/operators.h"
#include "src/sim/plasma_points.h"
#include "src/stats/energy_table.h"
#include "src/stats/ion_frequencies.h"
#include "src/stats/momentum_loss.h"

extern const struct wn_operator_ops wn_operator_field_power;

/* Units of power: this part of what a particle that crosses a cell in a step gets, if it gets
 * all of its energy in that step. */
#define PART 0x1p-40

struct power {
  struct wn_operator operator; /* the head of every operator */
  size_t nodes, n_windows;
  struct wn_window window[WN_MAX_AVERAGES]; /* those with power */
  struct wn_node_sums *sums;
  double *now;                                          /* [nodes], of a mobility step */
  double *of[WN_MAX_SPECIES];                           /* [nodes]; NULL: immobile */
  struct wn_energy_table of_collisions[WN_MAX_SPECIES]; /* 1/s; empty: none */
};

/* What a particle of a species needs. */
struct gainer {
  struct wn_points points; /* with E on the host */
  struct wn_mcc_grid grid; /* of species with collisions: the same points */
  const struct wn_energy_table *collisions;
  double per_unit; /* of kg m2/s2, for a gain in a mobility step */
};

static struct power *of(struct wn_operator *o)
{
  return (struct power *)(void *)o;
}

/* ---- one particle */

/* The gain of energy over mass in a mobility step, in E = field. */
static double gain(const struct gainer *g, int dim, int n_v, const float before[3],
                   const float field[3])
{
  const struct wn_points *m = &g->points;
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
  if (g->collisions != NULL) {
    float later[3] = {0.0f, 0.0f, 0.0f};
    for (int i = 0; i < n_v; i++)
      later[i] = (float)(u[i] + d[i] * (2.0 / 3.0));
    const double x =
        wn_energy_table_at(g->collisions, 0, wn_point_energy_ev(m, n_v, later)) * m->dt;
    const double p = x > 1e-6 ? -expm1(-x) / x : 1.0 - 0.5 * x,
                 r = x > 1e-3 ? (1.0 - p) / x : 0.5 - x / 6.0;
    for (int i = 0; i < dim; i++)
      sum += 4.0 * d[i] * ((p - 1.0) * u[i] + (r - 0.5) * 2.0 * d[i]);
  }
  if (!m->relativistic)
    return 0.5 * sum;
  const double per_c2 = 1.0 / (WN_C * WN_C);
  return sum / (sqrt(1.0 + square[0] * per_c2) + sqrt(1.0 + square[1] * per_c2));
}

/* Where a particle without collisions takes E: as wn_point_step. */
static int place_of_point(const struct wn_points *m, int dim, int n_v,
                          struct wn_node_particle *p)
{
  if (wn_point_drift(m, dim, n_v, m->relativistic, p->x, p->u) >= 0)
    return 0;
  wn_point_place(m, dim, p->x, p->cell, p->part);
  return 1;
}

/* Electrons and ions with collisions: as wn_mcc_grid_feel.  E behind a mirror is an image. */
static void place_of_electron(const struct wn_mcc_grid *g, int dim,
                              struct wn_node_particle *p, float sign[3])
{
  struct wn_electron e = {.w = p->w};
  for (int i = 0; i < 3; i++) {
    e.at[i] = p->x[i];
    e.u[i] = p->u[i];
  }
  const struct wn_mcc_grid_middle middle = wn_mcc_grid_middle(g, dim, 1.0f, &e);
  for (int i = 0; i < dim; i++) {
    p->cell[i] = middle.cell[i];
    p->part[i] = middle.within[i];
    sign[i] = middle.is_image[i] ? -1.0f : 1.0f;
  }
}

static int power_of(const void *data, struct wn_node_particle *p,
                    int64_t value[WN_NODE_VALUES])
{
  const struct gainer *g = data;
  const struct wn_points *m = &g->points;
  const int dim = m->grid.dim, n_v = wn_point_velocities(m->kind);
  float field[3] = {0.0f, 0.0f, 0.0f}, sign[3] = {1.0f, 1.0f, 1.0f};
  if (g->collisions != NULL)
    place_of_electron(&g->grid, dim, p, sign);
  else if (!place_of_point(m, dim, n_v, p))
    return WN_NODE_NONE;
  wn_grid_gather(&m->grid, dim, m->grid.shape, m->grid.gather, p->cell, p->part, field);
  for (int i = 0; i < dim; i++)
    field[i] *= sign[i];
  const double units = gain(g, dim, n_v, p->u, field) * g->per_unit;
  if (!(fabs(units) < 0x1p62))
    return WN_NODE_MISFIT;
  value[0] = llrint(units);
  return WN_NODE_ADD;
}

/* ---- a species */

/* Whether a window samples one of the steps in which species k has moved last. */
static int is_wanted(const struct power *o, const struct wn_sim *s, size_t k)
{
  const double dt = s->c->plasma.time_step;
  for (size_t i = 0; i < o->n_windows; i++)
    for (size_t step = s->n_steps; step < s->n_steps + s->species[k]->subcycling; step++)
      if (wn_window_block(&o->window[i], dt, step) >= 0 &&
          wn_window_samples(&o->window[i], step))
        return 1;
  return 0;
}

static int before_flight(struct wn_operator *operator, struct wn_sim * s, size_t k,
                         unsigned part)
{
  struct power *o = of(operator);
  struct wn_species *one = s->species[k];
  struct gainer g = {.points = *wn_plasma_points(one)};
  if (o->of[k] == NULL || !is_wanted(o, s, k))
    return WN_OK;
  WN_TRY(wn_field_gathered(s->field, &g.points.grid.e));
  if (wn_plasma_collides(s->c, k)) {
    g.collisions = &o->of_collisions[k];
    g.grid.points = g.points;
    wn_mcc_grid_prepare(&g.grid);
  }
  const double h = s->c->plasma.time_step,
               v = fmin(g.points.grid.h[0] / h, WN_C), /* m/s */
      unit = v * v * PART;
  g.per_unit = 1.0 / unit;
  const struct wn_node_values what = {.n = 1,
                                      .axis = {-1},
                                      .unit = {unit * g.points.mass / g.points.dt},
                                      .of = power_of,
                                      .data = &g};
  WN_TRY(wn_node_sums_take(o->sums, s->c, k, one, &what, o->now));
  wn_particles_read_over(&one->p);
  for (size_t i = 0; i < o->nodes; i++)
    o->of[k][i] = (part > 0 ? o->of[k][i] : 0.0) + o->now[i] / one->mobility_steps;
  return WN_OK;
}

const double *wn_field_power(const struct wn_sim *s, size_t k)
{
  for (size_t i = 0; i < s->n_operators; i++)
    if (s->operators[i]->ops == &wn_operator_field_power)
      return of(s->operators[i])->of[k];
  return NULL;
}

/* ---- loss of velocity to collisions, 1/s */

static void loss_of_electron(const void *data, double e_ev, double *value)
{
  const struct wn_xs_view *xs = data;
  double force = 0.0;
  for (int k = 0; k < xs->n_processes; k++)
    force += wn_momentum_loss(xs, k, e_ev);
  *value = force * (WN_E / WN_ME) / wn_u_from_ev(e_ev);
}

static void loss_of_ion(const void *data, double e_ev, double *value)
{
  const struct wn_ion *m = data;
  double frequency[WN_ION_MAX_PROCESSES];
  *value = wn_ion_frequencies(&m->xs, sqrt(e_ev / (double)m->energy_ev), frequency);
}

static int tabulate(const struct wn_sim *s, size_t k, struct wn_energy_table *out)
{
  struct wn_species *one = s->species[k];
  if (wn_config_is_electron(&s->c->species[k])) {
    const struct wn_xs_view *xs = &wn_species_mcc(one)->xs;
    return wn_energy_table_create(-14, xs->e_top, 1, loss_of_electron, xs, out);
  }
  const struct wn_ion *m = one->model.data;
  double part = 1.0;
  for (int32_t g = 0; g < m->xs.n_gases; g++)
    part = fmin(part, (double)m->xs.gas[g].part);
  return wn_energy_table_create(-20, (double)m->xs.e_top / part, 1, loss_of_ion, m, out);
}

/* ---- the operator */

static void destroy(struct wn_operator *operator)
{
  struct power *o = of(operator);
  for (size_t k = 0; k < WN_MAX_SPECIES; k++) {
    free(o->of[k]);
    wn_energy_table_clear(&o->of_collisions[k]);
  }
  wn_node_sums_free(o->sums);
  free(o->now);
  free(o);
}

static int set_up(struct power *o, const struct wn_sim *s)
{
  const struct wn_config *c = s->c;
  o->nodes = 1;
  for (int d = 0; d < c->plasma.dim; d++)
    o->nodes *= c->plasma.cells[d] + 1;
  o->now = wn_alloc(o->nodes, sizeof *o->now);
  if (o->now == NULL)
    return WN_ENOMEM;
  for (size_t k = 0; k < s->n_species; k++) {
    if (!c->species[k].mobile)
      continue;
    o->of[k] = wn_alloc(o->nodes, sizeof *o->of[k]);
    if (o->of[k] == NULL)
      return WN_ENOMEM;
    if (wn_plasma_collides(c, k))
      WN_TRY(tabulate(s, k, &o->of_collisions[k]));
  }
  return wn_node_sums_create(c, 1, &o->sums);
}

static int create(struct wn_sim *s, struct wn_operator **out)
{
  const struct wn_config *c = s->c;
  struct power *o = NULL;
  for (size_t i = 0; c->model == WN_MODEL_PLASMA && i < c->plasma.n_averages; i++) {
    const struct wn_cfg_average *a = &c->plasma.averages[i];
    if (!a->power)
      continue;
    if (s->gpu != NULL && c->divide == WN_DIVIDE_DOMAINS && wn_ranks() > 1)
      return WN_FAIL(
          WN_EINPUT,
          "%s: key `plasma.averages.%s.power`: not available on GPUs where the grid "
          "is divided; use device cpu, or divide = \"electrons\"",
          c->file, a->name); /* with the first window, before o exists */
    if (o == NULL && (o = wn_alloc(1, sizeof *o)) == NULL)
      return WN_ENOMEM;
    o->window[o->n_windows++] = wn_average_window(c, a);
  }
  if (o == NULL)
    return WN_OK;
  o->operator.ops = & wn_operator_field_power;
  const int status = set_up(o, s);
  if (status != WN_OK) {
    destroy(&o->operator);
    return status;
  }
  *out = &o->operator;
  return WN_OK;
}

/* A subcycled species keeps what its last step had. */
static int state(struct wn_operator *operator, struct wn_state * st)
{
  struct power *o = of(operator);
  for (size_t k = 0; k < WN_MAX_SPECIES; k++)
    if (o->of[k] != NULL)
      WN_TRY(WN_STATE_ARRAY(st, o->of[k], o->nodes));
  return WN_OK;
}

const struct wn_operator_ops wn_operator_field_power = {
    .create = create,
    .before_flight = before_flight,
    .state = state,
    .free = destroy,
};
