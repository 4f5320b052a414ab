/* src/config/sources.c - see sources.h. */
#include "src/config/sources.h"
#include <math.h>
#include <string.h>
#include "physics/constants.h"
#include "fields/electrode_surface.h"
#include "src/config/electrode_shapes.h"
#include "src/config/internal.h"
#include "src/config/plasma_derived.h"

long wn_source_species(const struct wn_config *c, const struct wn_cfg_source *o)
{
  return wn_config_species_or_only(c, o->species);
}

long wn_source_pair(const struct wn_config *c, const struct wn_cfg_source *o)
{
  return o->pair != NULL ? wn_config_species_or_only(c, o->pair) : -1;
}

int wn_source_side(const struct wn_config *c, const struct wn_cfg_source *o)
{
  for (int side = 0; side < 2 * c->plasma.dim && o->wall != NULL; side++)
    if (strcmp(o->wall, wn_config_walls.names[side]) == 0)
      return side;
  return -1;
}

int wn_source_electrode(const struct wn_config *c, const struct wn_cfg_source *o)
{
  for (int i = 0; o->wall != NULL && i < wn_electrode_shapes_electrodes(c); i++) {
    const int surface = 2 * c->plasma.dim + i;
    if (strcmp(o->wall, wn_electrode_shapes_electrode(c, surface)->name) == 0)
      return surface;
  }
  return -1;
}

/* m2, of an electrode's surface. */
static double area_of(const struct wn_config *c, int surface)
{
  struct wn_electrode_shape shape[WN_MOST_ELECTRODE_SHAPES];
  const int n = wn_electrode_shapes_of(c, shape);
  const struct wn_geometry g = wn_plasma_geometry(c);
  return wn_electrode_surface(&g, shape, n, surface, NULL, NULL);
}

double wn_source_low(const struct wn_cfg_source *o, int a)
{
  return o->low[a] == WN_AUTO ? 0.0 : o->low[a];
}

double wn_source_high(const struct wn_config *c, const struct wn_cfg_source *o, int a)
{
  return o->high[a] == WN_AUTO ? c->plasma.length[a]
                               : fmin(o->high[a], c->plasma.length[a]);
}

double wn_source_rate(const struct wn_config *c, const struct wn_cfg_source *o)
{
  const long k = wn_source_species(c, o);
  const int side = wn_source_side(c, o), inside = wn_source_electrode(c, o);
  double rate = o->wall == NULL         ? o->rate
                : o->current == WN_AUTO ? o->flux
                : k < 0                 ? 0.0
                        : o->current / (fabs(c->species[k].charge) * WN_E);
  if (inside >= 0)
    return rate * area_of(c, inside);
  for (int a = 0; a < c->plasma.dim; a++)
    if (o->wall != NULL)
      rate *= a != side / 2 ? c->plasma.length[a] : 1.0;
    else
      rate *= (wn_source_high(c, o, a) - wn_source_low(o, a)) *
              (o->profile == WN_SOURCE_COSINE ? 2.0 / WN_PI : 1.0);
  return rate;
}

const struct wn_cfg_source *wn_source_of(const struct wn_config *c,
                                         const struct wn_cfg_species *s)
{
  for (size_t i = 0; i < c->plasma.n_sources; i++) {
    const struct wn_cfg_source *o = &c->plasma.sources[i];
    if (wn_source_species(c, o) == s - c->species ||
        wn_source_pair(c, o) == s - c->species)
      return o;
  }
  return NULL;
}

double wn_source_weight(const struct wn_config *c, const struct wn_cfg_species *s)
{
  const struct wn_cfg_source *by = NULL;
  for (size_t i = 0; i < c->plasma.n_sources; i++) {
    const struct wn_cfg_source *o = &c->plasma.sources[i];
    if (wn_source_species(c, o) == s - c->species &&
        (by == NULL || (by->per_step == WN_AUTO && o->per_step != WN_AUTO)))
      by = o;
  }
  if (by == NULL)
    return 0.0;
  return wn_source_rate(c, by) * c->plasma.time_step /
         (by->per_step != WN_AUTO ? by->per_step : WN_SOURCE_PER_STEP);
}
