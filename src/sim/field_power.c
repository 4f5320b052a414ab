/* src/sim/field_power.c - see field_power.h: an operator that changes nothing. */
#include "src/sim/field_power.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/error.h"
#include "base/ranks.h"
#include "device/gpu.h"
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
  /* the same on the GPU */
  struct wn_gpu *gpu;
  struct wn_energy_table collisions_there[WN_MAX_SPECIES];
  struct wn_gpu_copy copy[WN_MAX_SPECIES];
};

static struct power *of(struct wn_operator *o)
{
  return (struct power *)(void *)o;
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

/* Where the particles are: E, and the frequency of collisions. */
static int tables_of(struct power *o, struct wn_sim *s, size_t k, int on_gpu,
                     struct wn_node_values *what)
{
  if (on_gpu) {
    struct wn_field_view field;
    s->field->ops->view(s->field, &field);
    what->grid.points.grid = field.of.grid;
    what->table = o->collisions_there[k];
    return WN_OK;
  }
  what->table = o->of_collisions[k];
  return wn_field_gathered(s->field, &what->grid.points.grid);
}

static int before_flight(struct wn_operator *operator, struct wn_sim * s, size_t k,
                         unsigned part)
{
  struct power *o = of(operator);
  struct wn_species *one = s->species[k];
  struct wn_node_values what;
  int on_gpu;
  if (o->of[k] == NULL || !is_wanted(o, s, k))
    return WN_OK;
  WN_TRY(wn_node_sums_on_gpu(o->sums, one, 1, &on_gpu));
  wn_node_sums_prepare(one, &what);
  WN_TRY(tables_of(o, s, k, on_gpu, &what));
  if (what.table.value != NULL)
    wn_mcc_grid_prepare(&what.grid);
  const struct wn_points *points = &what.grid.points;
  const double h = s->c->plasma.time_step,
               v = fmin(points->grid.h[0] / h, WN_C), /* m/s */
      unit = v * v * PART;
  what.what = WN_NODE_POWER;
  what.n = 1;
  what.unit[0] = unit * points->mass / points->dt;
  what.per_unit = 1.0 / unit;
  WN_TRY(wn_node_sums_take(o->sums, s->c, k, one, &what, on_gpu, o->now));
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

static int copy(struct power *o, const struct wn_sim *s, size_t k)
{
  const struct wn_energy_table *t = &o->of_collisions[k];
  o->gpu = s->gpu;
  WN_TRY(wn_gpu_copy(o->gpu, t->value, wn_energy_table_bytes(t), &o->copy[k]));
  o->collisions_there[k] = *t;
  o->collisions_there[k].value = o->copy[k].at;
  return WN_OK;
}

/* ---- the operator */

static void destroy(struct wn_operator *operator)
{
  struct power *o = of(operator);
  for (size_t k = 0; k < WN_MAX_SPECIES; k++) {
    free(o->of[k]);
    wn_energy_table_clear(&o->of_collisions[k]);
    wn_gpu_copy_free(o->gpu, &o->copy[k]);
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
    if (wn_plasma_collides(c, k) && s->gpu != NULL)
      WN_TRY(copy(o, s, k));
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
