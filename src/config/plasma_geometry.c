/* src/config/plasma_geometry.c - the grid of a plasma as axes: see plasma_derived.h.  Apart from the rest, which asks
 * sources, as the current of a source at an electrode takes the area in this geometry. */
#include "src/config/plasma_derived.h"

bool wn_plasma_is_radial(const struct wn_config *c)
{
  return c->model == WN_MODEL_PLASMA && c->plasma.geometry == WN_GEOMETRY_RZ;
}

struct wn_geometry wn_plasma_geometry(const struct wn_config *c)
{
  const struct wn_cfg_plasma *p = &c->plasma;
  struct wn_geometry g = {.dim = p->dim};
  for (int d = 0; d < p->dim; d++)
    g.axis[d] = wn_axis_uniform((int32_t)p->cells[d], p->length[d],
                                p->length[d] / (double)p->cells[d],
                                p->wall[2 * d].field == WN_PERIODIC);
  if (wn_plasma_is_radial(c))
    g.axis[0] =
        wn_axis_radial(g.axis[0].cells, g.axis[0].length, g.axis[0].h, (int)p->shape);
  return g;
}
