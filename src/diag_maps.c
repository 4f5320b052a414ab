/* src/diag_maps.c - diagnostic `maps`: potential, field, charge and the density of each
 * species at the nodes, at chosen times.  A map is that of the middle of the step in which
 * its time lies: the field of a step is solved there. */
#include <math.h>
#include <stdlib.h>
#include "base/alloc.h"
#include "base/error.h"
#include "fields/electrostatic.h"
#include "src/diag.h"
#include "src/loading.h"
#include "src/plasma.h"

struct wn_diag {
  size_t n_maps, taken;
  size_t every;   /* steps from map to map */
  double *buffer; /* [nodes] */
};

static const char *const axis[3] = {"x", "y", "z"};

static size_t n_maps(const struct wn_config *c)
{
  return c->plasma.fields_interval == WN_AUTO
             ? 0
             : (c->plasma.steps - 1) / wn_plasma_every(c, c->plasma.fields_interval) + 1;
}

/* name_<species> for the species, E_x and so on; malloc'd. */
static char *density_name(const struct wn_config *c, size_t k)
{
  return wn_asprintf("density_%s", c->species[k].name);
}

static int define_map(struct wn_output *o, const struct wn_config *c, const char *name,
                      const char *units, const char *long_name)
{
  struct wn_output_var v = {.name = name,
                            .units = units,
                            .long_name = long_name,
                            .n_dims = 1 + (size_t)c->plasma.dim,
                            .dims = {"map"}};
  for (int d = 0; d < c->plasma.dim; d++)
    v.dims[c->plasma.dim - d] = axis[d];
  return wn_output_define(o, &v);
}

static int define(struct wn_output *o, const struct wn_config *c, const struct wn_gas *g)
{
  (void)g;
  if (n_maps(c) == 0)
    return WN_OK;
  WN_TRY(wn_output_dim(o, "map", n_maps(c)));
  for (int d = 0; d < c->plasma.dim; d++) {
    const struct wn_output_var v = {.name = axis[d],
                                    .units = "m",
                                    .long_name = "place of the nodes",
                                    .n_dims = 1,
                                    .dims = {axis[d]}};
    WN_TRY(wn_output_dim(o, axis[d], c->plasma.cells[d] + 1));
    WN_TRY(wn_output_define(o, &v));
  }
  static const struct wn_output_var time = {.name = "map_time",
                                            .units = "s",
                                            .long_name = "time of a map",
                                            .n_dims = 1,
                                            .dims = {"map"}};
  static const char *const e_name[3] = {"electric_field_x", "electric_field_y",
                                        "electric_field_z"};
  WN_TRY(wn_output_define(o, &time));
  WN_TRY(define_map(o, c, "potential", "V", "electric potential"));
  WN_TRY(define_map(o, c, "charge_density", "C m-3", "charge density"));
  for (int d = 0; d < c->plasma.dim; d++)
    WN_TRY(define_map(o, c, e_name[d], "V m-1", "electric field along an axis"));
  for (size_t k = 0; k < c->n_species; k++) {
    char *name = density_name(c, k);
    int status = name != NULL
                     ? define_map(o, c, name, "m-3", "number density of a species")
                     : WN_ENOMEM;
    free(name);
    WN_TRY(status);
  }
  return WN_OK;
}

static int begin(struct wn_output *o, const struct wn_config *c, const struct wn_gas *g)
{
  (void)g;
  if (n_maps(c) == 0)
    return WN_OK;
  for (int d = 0; d < c->plasma.dim; d++) {
    const size_t n = c->plasma.cells[d];
    double *at = wn_alloc(n + 1, sizeof *at);
    if (at == NULL)
      return WN_ENOMEM;
    for (size_t i = 0; i <= n; i++)
      at[i] = c->plasma.length[d] * (double)i / (double)n;
    int status = wn_output_put(o, axis[d], -1, at);
    free(at);
    WN_TRY(status);
  }
  return WN_OK;
}

static void destroy(struct wn_diag *d)
{
  if (d != NULL)
    free(d->buffer);
  free(d);
}

static int create(const struct wn_sim *s, struct wn_diag **out)
{
  struct wn_diag *d = wn_alloc(1, sizeof *d);
  if (d == NULL)
    return WN_ENOMEM;
  d->n_maps = n_maps(s->c);
  d->every = d->n_maps > 0 ? wn_plasma_every(s->c, s->c->plasma.fields_interval) : 0;
  d->buffer = wn_alloc(wn_electrostatic_nodes(s->field), sizeof *d->buffer);
  if (d->buffer == NULL) {
    free(d);
    return WN_ENOMEM;
  }
  *out = d;
  return WN_OK;
}

static int put_species(struct wn_diag *d, const struct wn_sim *s, size_t k,
                       struct wn_output *o)
{
  char *name = density_name(s->c, k);
  if (name == NULL)
    return WN_ENOMEM;
  int status = wn_electrostatic_density(s->field, k, d->buffer);
  const double weight = wn_loading_weight(s->c, &s->c->species[k]);
  for (size_t i = 0; i < wn_electrostatic_nodes(s->field) && status == WN_OK; i++)
    d->buffer[i] *= weight;
  if (status == WN_OK)
    status = wn_output_put(o, name, (long)d->taken, d->buffer);
  free(name);
  return status;
}

static int sample(struct wn_diag *d, const struct wn_sim *s, struct wn_output *o)
{
  static const char *const e_name[3] = {"electric_field_x", "electric_field_y",
                                        "electric_field_z"};
  const double time = s->time - 0.5 * s->interval, *grid;
  if (d->n_maps == 0 || (s->phases - 1) % d->every != 0)
    return WN_OK;
  const long map = (long)d->taken;
  WN_TRY(wn_output_put(o, "map_time", map, &time));
  WN_TRY(wn_electrostatic_potential(s->field, &grid));
  WN_TRY(wn_output_put(o, "potential", map, grid));
  WN_TRY(wn_electrostatic_charge(s->field, &grid));
  WN_TRY(wn_output_put(o, "charge_density", map, grid));
  for (int a = 0; a < s->c->plasma.dim; a++) {
    WN_TRY(wn_electrostatic_e(s->field, a, d->buffer));
    WN_TRY(wn_output_put(o, e_name[a], map, d->buffer));
  }
  for (size_t k = 0; k < s->n_species; k++)
    WN_TRY(put_species(d, s, k, o));
  d->taken++;
  return wn_output_sync(o);
}

static int state(struct wn_diag *d, struct wn_state *st)
{
  return WN_STATE(st, d->taken);
}

const struct wn_diag_ops wn_diag_maps = {
    .define = define,
    .begin = begin,
    .create = create,
    .sample = sample,
    .state = state,
    .free = destroy,
};
