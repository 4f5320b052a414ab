/* src/plasma.c - see plasma.h. */
#include "src/plasma.h"
#include <math.h>
#include "base/error.h"
#include "physics/constants.h"
#include "physics/point.h"
#include "src/loading.h"
#include "src/plasma_limits.h"

_Static_assert(WN_FIELD_SPECIES >= WN_MAX_SPECIES, "a field is made by all species");

struct wn_grid_view wn_plasma_grid(const struct wn_config *c)
{
  const struct wn_cfg_plasma *p = &c->plasma;
  struct wn_grid_view g = {.dim = p->dim,
                           .shape = (int32_t)p->shape,
                           .gather = (int32_t)p->gather,
                           .stride = p->dim == 3 ? 4 : p->dim,
                           .cells = {1, 1, 1}};
  int32_t step = 1;
  for (int d = 0; d < p->dim; d++) {
    g.cells[d] = (int32_t)p->cells[d];
    g.length[d] = p->length[d];
    g.h[d] = p->length[d] / (double)p->cells[d];
    g.per_h[d] = (double)p->cells[d] / p->length[d];
    g.bits[d] = wn_place_bits(g.cells[d]);
    g.step[d] = step;
    g.first += WN_GRID_GUARD * step;
    step *= g.cells[d] + 1 + 2 * WN_GRID_GUARD;
    for (int side = 2 * d; side < 2 * d + 2; side++)
      g.side[side] = (int32_t)p->wall[side].particles;
  }
  return g;
}

/* kg, C of a particle of weight 1. */
static double mass_of(const struct wn_config *c, size_t k)
{
  return c->species[k].mass * wn_loading_weight(c, &c->species[k]);
}

static double charge_of(const struct wn_config *c, size_t k)
{
  return c->species[k].charge * WN_E * wn_loading_weight(c, &c->species[k]);
}

static enum wn_point_kind point_kind(const struct wn_cfg_plasma *p)
{
  if (p->dim == 1)
    return WN_POINT_1D3V;
  if (p->dim == 3)
    return WN_POINT_3D3V;
  return p->velocities == 2 ? WN_POINT_2D2V : WN_POINT_2D3V;
}

struct wn_record wn_plasma_record(const struct wn_config *c)
{
  return wn_particles_points(point_kind(&c->plasma));
}

static struct wn_points points_of(const struct wn_config *c, size_t k)
{
  const struct wn_cfg_plasma *p = &c->plasma;
  const struct wn_cfg_species *sp = &c->species[k];
  const int has_b =
      p->magnetic[0] != 0.0 || p->magnetic[1] != 0.0 || p->magnetic[2] != 0.0;
  struct wn_points m = {.grid = wn_plasma_grid(c),
                        .kind = point_kind(p),
                        .relativistic = p->relativistic,
                        .rotation = !has_b            ? WN_ROTATION_NONE
                                    : p->relativistic ? WN_ROTATION_HIGUERA_CARY
                                                      : WN_ROTATION_BORIS,
                        .charge = sp->charge * WN_E,
                        .mass = sp->mass,
                        .b = {p->magnetic[0], p->magnetic[1], p->magnetic[2]},
                        .dt = p->time_step};
  wn_points_prepare(&m);
  return m;
}

struct wn_electrostatic_spec wn_plasma_field_spec(const struct wn_config *c)
{
  const struct wn_cfg_plasma *p = &c->plasma;
  struct wn_electrostatic_spec spec = {.grid = wn_plasma_grid(c),
                                       .poisson = {.dim = p->dim, .method = p->solver},
                                       .n_species = c->n_species,
                                       .background = p->background ? NAN : 0.0,
                                       .threads = c->threads};
  for (int d = 0; d < p->dim; d++) {
    spec.poisson.cells[d] = p->cells[d];
    spec.poisson.h[d] = spec.grid.h[d];
  }
  for (int side = 0; side < 2 * p->dim; side++) {
    const struct wn_cfg_wall *w = &p->wall[side];
    spec.poisson.side[side] = w->field;
    spec.voltage[side] = (struct wn_voltage){
        .constant = w->voltage,
        .amplitude = w->amplitude,
        .frequency = w->frequency,
        .phase = w->phase,
        .start = w->pulse_start != WN_AUTO ? w->pulse_start : -INFINITY,
        .end = w->pulse_end != WN_AUTO ? w->pulse_end : INFINITY};
  }
  for (size_t k = 0; k < c->n_species; k++) {
    spec.charge[k] = charge_of(c, k);
    spec.fixed[k] = !c->species[k].mobile;
    spec.points[k] = points_of(c, k);
  }
  return spec;
}

int wn_plasma_set_up(struct wn_sim *s, const struct wn_device_plan *plan)
{
  const struct wn_config *c = s->c;
  const struct wn_record record = wn_plasma_record(c);
  WN_ASSERT(c->n_species <= WN_MAX_SPECIES);
  WN_TRY(wn_plasma_fits(c));
  for (size_t k = 0; k < c->n_species; k++) {
    const size_t n = wn_loading_number(c, &c->species[k]);
    struct wn_species_spec spec = {.model = &wn_model_collisionless,
                                   .ops = plan->ops,
                                   .options = plan->options,
                                   .shape = {.n_groups = 1},
                                   .record = &record,
                                   .capacity = n,
                                   .limit = n};
    spec.options.gpu = s->gpu;
    WN_TRY(wn_species_create(&spec, &s->species[k]));
    s->n_species = k + 1;
    s->species[k]->is_fixed = !c->species[k].mobile;
    *(struct wn_points *)s->species[k]->model.data = points_of(c, k);
  }
  return WN_OK;
}

int wn_plasma_field(const struct wn_sim *s, struct wn_field **out)
{
  struct wn_electrostatic_spec spec = wn_plasma_field_spec(s->c);
  spec.gpu = s->gpu;
  return wn_electrostatic_create(&spec, out);
}

size_t wn_plasma_every(const struct wn_config *c, double interval)
{
  const double steps = round(interval / c->plasma.time_step);
  return steps < 1.0                       ? 1
         : steps < (double)c->plasma.steps ? (size_t)steps
                                           : c->plasma.steps;
}

int wn_plasma_release(struct wn_sim *s)
{
  const struct wn_grid_view g = wn_plasma_grid(s->c);
  for (size_t k = 0; k < s->n_species; k++)
    WN_TRY(wn_load(s->c, k, &g, s->species[k]));
  return WN_OK;
}

int wn_plasma_sums(const struct wn_sim *s, size_t k, struct wn_plasma_sums *out)
{
  const struct wn_species *of = s->species[k];
  const struct wn_points *m = of->model.data;
  const double unit = 1.0 / WN_C, mass = mass_of(s->c, k);
  const struct wn_sample what = {
      .kind = WN_SAMPLE_POINTS,
      .unit = unit,
      .dim = wn_point_dim(m->kind),
      .velocities = wn_point_velocities(m->kind),
      .weighted = wn_point_weighs(wn_point_dim(m->kind), wn_point_velocities(m->kind)),
      .relativistic = m->relativistic};
  wn_i128 sums[WN_POINT_SUMS] = {0};
  WN_TRY(wn_particles_sample(&of->p, &what, sums));
  *out = (struct wn_plasma_sums){0};
  const double weight = wn_loading_weight(s->c, &s->c->species[k]);
  out->particles = (double)sums[0] / WN_FIX_WEIGHT * weight;
  out->energy = (double)sums[4] / WN_FIX_LAG / (unit * unit) * mass;
  for (int d = 0; d < 3; d++)
    out->momentum[d] = (double)sums[1 + d] / WN_FIX_LAG / unit * mass;
  for (int side = 0; side < WN_SIDES; side++)
    out->wall[side] = (double)of->tally.side[side].quanta / WN_QUANTA * weight;
  return WN_OK;
}
