/* src/config/electrode_shapes.c - see electrode_shapes.h. */
#include "src/config/electrode_shapes.h"
#include <string.h>

int wn_electrode_shapes_electrodes(const struct wn_config *c)
{
  int n = 0;
  for (size_t i = 0; c->model == WN_MODEL_PLASMA && i < c->plasma.n_electrodes; i++)
    n += c->plasma.electrodes[i].part_of == NULL;
  return n < WN_MOST_ELECTRODES ? n : WN_MOST_ELECTRODES;
}

int wn_electrode_shapes_dielectrics(const struct wn_config *c)
{
  const size_t n = c->model == WN_MODEL_PLASMA ? c->plasma.n_dielectrics : 0;
  return n < WN_MOST_DIELECTRICS ? (int)n : WN_MOST_DIELECTRICS;
}

bool wn_electrode_shapes_is_dielectric(const struct wn_config *c,
                                       const struct wn_cfg_electrode *e)
{
  const struct wn_cfg_plasma *p = &c->plasma;
  return p->n_dielectrics > 0 && e >= p->dielectrics &&
         e < p->dielectrics + p->n_dielectrics;
}

const struct wn_cfg_electrode *wn_electrode_shapes_electrode(const struct wn_config *c,
                                                             int surface)
{
  int n = 2 * c->plasma.dim;
  for (size_t i = 0; i < c->plasma.n_electrodes; i++) {
    const struct wn_cfg_electrode *e = &c->plasma.electrodes[i];
    if (e->part_of == NULL && n++ == surface)
      return e;
  }
  const int k = surface - 2 * c->plasma.dim - wn_electrode_shapes_electrodes(c);
  return k >= 0 && k < wn_electrode_shapes_dielectrics(c) ? &c->plasma.dielectrics[k]
                                                          : NULL;
}

const struct wn_cfg_wall *wn_electrode_shapes_wall(const struct wn_config *c, int surface)
{
  return surface < 2 * c->plasma.dim ? &c->plasma.wall[surface]
                                     : &wn_electrode_shapes_electrode(c, surface)->wall;
}

int wn_electrode_shapes_surface(const struct wn_config *c,
                                const struct wn_cfg_electrode *e)
{
  if (wn_electrode_shapes_is_dielectric(c, e))
    return 2 * c->plasma.dim + wn_electrode_shapes_electrodes(c) +
           (int)(e - c->plasma.dielectrics);
  const char *name = e->part_of != NULL ? e->part_of : e->name;
  for (int k = 0; k < wn_electrode_shapes_electrodes(c); k++)
    if (strcmp(wn_electrode_shapes_electrode(c, 2 * c->plasma.dim + k)->name, name) == 0)
      return 2 * c->plasma.dim + k;
  return -1;
}

struct wn_electrode_shape wn_electrode_shapes_one(const struct wn_config *c,
                                                  const struct wn_cfg_electrode *e)
{
  struct wn_electrode_shape s = {
      .kind = (int32_t)e->shape,
      .surface = wn_electrode_shapes_surface(c, e),
      .axis = e->axis,
      .radius = e->radius,
      .edge = e->edge_radius,
      .thickness = e->thickness,
      .permittivity = wn_electrode_shapes_is_dielectric(c, e) ? e->permittivity : 0.0};
  const double *from = e->shape == WN_ELECTRODE_ROD   ? e->from
                       : e->shape == WN_ELECTRODE_BOX ? e->low
                                                      : e->centre,
               *to = e->shape == WN_ELECTRODE_ROD   ? e->to
                     : e->shape == WN_ELECTRODE_BOX ? e->high
                                                    : e->semi_axes;
  for (int d = 0; d < c->plasma.dim; d++) {
    s.from[d] = from[d];
    s.to[d] = to[d];
  }
  return s;
}

int wn_electrode_shapes_of(const struct wn_config *c,
                           struct wn_electrode_shape out[WN_MOST_ELECTRODE_SHAPES])
{
  int n = 0;
  for (size_t i = 0; c->model == WN_MODEL_PLASMA && i < c->plasma.n_electrodes &&
                     n < WN_MOST_ELECTRODE_SHAPES;
       i++)
    out[n++] = wn_electrode_shapes_one(c, &c->plasma.electrodes[i]);
  return n;
}

int wn_electrode_shapes_all(const struct wn_config *c,
                            struct wn_electrode_shape out[WN_MOST_SHAPES])
{
  int n = wn_electrode_shapes_of(c, out);
  for (int i = 0; i < wn_electrode_shapes_dielectrics(c); i++)
    out[n++] = wn_electrode_shapes_one(c, &c->plasma.dielectrics[i]);
  return n;
}
