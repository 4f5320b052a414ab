/* src/config/dielectric_groups.c - rules for dielectric bodies inside the domain: dielectrics */
#include "src/config/reader.h"

#include <math.h>

#include "src/config/electrode_shapes.h"
#include "src/config/plasma_derived.h"

/* Logs an error of a key of dielectric `e`. */
#define WRONG(r, e, last, ...)                                                           \
  do {                                                                                   \
    const struct wn_given k_ = wn_reader_given((r), "dielectrics", (e)->name, (last));   \
    wn_reader_error((r), k_.entry, k_.key, __VA_ARGS__);                                 \
  } while (0)
#define WRONG_KEY(r, name, ...)                                                          \
  wn_reader_error((r), wn_reader_find((r), (name)), (name), __VA_ARGS__)

/* What they go with. */
static void check_methods(struct wn_reader *r)
{
  const struct wn_cfg_plasma *p = &r->c->plasma;
  bool is_held = p->n_electrodes > 0;
  char key[64];
  if (p->dim < 2)
    WRONG_KEY(r, "grid.cells",
              "dielectrics need two or three axes; in one dimension take "
              "walls.<NAME>.dielectric_thickness");
  if (p->field != WN_FIELD_OF_GRID)
    WRONG_KEY(r, "plasma.field", "allowed with dielectrics: electrostatic");
  if (p->solver == WN_POISSON_SPECTRAL)
    WRONG_KEY(r, "plasma.solver", "allowed with dielectrics: differences, multigrid");
  if (p->shape == WN_SHAPE_TSC)
    WRONG_KEY(r, "plasma.shape", "allowed with dielectrics: ngp, cic");
  if (p->gather != WN_GATHER_MOMENTUM)
    WRONG_KEY(r, "plasma.gather", "allowed with dielectrics: momentum");
  for (int side = 0; side < 2 * p->dim; side++) {
    is_held = is_held || p->wall[side].field == WN_DIRICHLET;
    if (p->wall[side].field != WN_OPEN)
      continue;
    snprintf(key, sizeof key, "walls.%s.field", wn_config_walls.names[side]);
    WRONG_KEY(r, key, "allowed with dielectrics: periodic, dirichlet, neumann");
    return;
  }
  if (!is_held)
    WRONG_KEY(r, "dielectrics",
              "no side and no electrode has a given potential, which dielectrics need; "
              "allowed: at least one side with walls.<NAME>.field = \"dirichlet\", or an "
              "electrode");
}

/* At a periodic side a body goes on at the other: along that axis it fills the domain. */
static bool check_sides(struct wn_reader *r, const struct wn_cfg_electrode *e)
{
  const struct wn_geometry g = wn_plasma_geometry(r->c);
  const struct wn_electrode_shape s = wn_electrode_shapes_one(r->c, e);
  double low[3], high[3];
  wn_electrode_bounds(&s, g.dim, low, high);
  for (int d = 0; d < g.dim; d++) {
    const double length = g.axis[d].length;
    const bool fills = e->shape == WN_ELECTRODE_BOX && e->edge_radius == 0.0 &&
                       low[d] <= 0.0 && high[d] >= length;
    if (!g.axis[d].is_periodic || fills || (low[d] > 0.0 && high[d] < length))
      continue;
    WRONG(r, e, "shape",
          "the dielectric reaches a periodic side along %c; allowed: inside, a box with "
          "sharp edges from 0 to %.9g m, or sides that are not periodic",
          "xyz"[d], length);
    return false;
  }
  return true;
}

/* The body that has a node, of those in the order of the list; -1: none. */
static int body_at(const struct wn_geometry *g, const struct wn_electrode_shape *shape,
                   int n, const int64_t node[3], double x[3])
{
  for (int d = 0; d < 3; d++)
    x[d] = d < g->dim ? wn_axis_x(&g->axis[d], node[d]) : 0.0;
  return wn_electrode_which(shape, n, g->dim, x);
}

/* Its nodes: some, of which not all are in electrodes, and none in a dielectric of another permittivity. */
static void check_nodes(struct wn_reader *r, const struct wn_cfg_electrode *e)
{
  const struct wn_config *c = r->c;
  const struct wn_geometry g = wn_plasma_geometry(c);
  struct wn_electrode_shape shape[WN_MOST_SHAPES];
  const struct wn_electrode_shape own = wn_electrode_shapes_one(c, e);
  const int n = wn_electrode_shapes_all(c, shape);
  int64_t from[3] = {0, 0, 0}, to[3] = {0, 0, 0}, node[3];
  double low[3], high[3], x[3];
  bool has_node = false, is_seen = false;
  wn_electrode_bounds(&own, g.dim, low, high);
  for (int d = 0; d < g.dim; d++) {
    const double cells = (double)g.axis[d].cells;
    from[d] = (int64_t)fmax(floor(low[d] / g.axis[d].h), 0.0);
    to[d] = (int64_t)fmin(ceil(high[d] / g.axis[d].h), cells);
  }
  for (node[2] = from[2]; node[2] <= to[2]; node[2]++)
    for (node[1] = from[1]; node[1] <= to[1]; node[1]++)
      for (node[0] = from[0]; node[0] <= to[0]; node[0]++) {
        const int k = body_at(&g, shape, n, node, x);
        if (wn_electrode_level(&own, g.dim, x) > 0.0)
          continue;
        has_node = true;
        is_seen = is_seen || shape[k].permittivity > 0.0;
        if (shape[k].permittivity == 0.0 || shape[k].permittivity == own.permittivity)
          continue;
        WRONG(r, e, "permittivity",
              "the dielectric overlaps dielectrics.%s, whose permittivity is %.9g; "
              "allowed: "
              "the same, or bodies apart",
              wn_plasma_surface_name(c, shape[k].surface), shape[k].permittivity);
        return;
      }
  if (!has_node)
    WRONG(r, e, "shape",
          "no node of the grid is in the dielectric, which is thinner than a cell there; "
          "allowed: a larger dielectric, or more grid.cells");
  else if (!is_seen)
    WRONG(r, e, "shape",
          "the dielectric lies in an electrode; allowed: a part of it outside, or none");
}

void wn_config_check_dielectrics(struct wn_reader *r, bool has_grid)
{
  const struct wn_cfg_plasma *p = &r->c->plasma;
  bool all = has_grid;
  if (p->n_dielectrics == 0)
    return;
  if (p->n_dielectrics > WN_MOST_DIELECTRICS) {
    wn_reader_error(r, NULL, "dielectrics", "%zu bodies; there can be at most %d",
                    p->n_dielectrics, WN_MOST_DIELECTRICS);
    return;
  }
  check_methods(r);
  for (size_t i = 0; i < p->n_dielectrics; i++) {
    const struct wn_cfg_electrode *e = &p->dielectrics[i];
    bool is_sound = wn_config_check_shape(r, e);
    if (wn_reader_given(r, "dielectrics", e->name, "permittivity").entry == NULL) {
      WRONG(r, e, "permittivity", "missing; allowed: 1 to 1e4, such as 4 of glass");
      is_sound = false;
    }
    for (size_t k = 0; k < p->n_electrodes; k++)
      if (strcmp(p->electrodes[k].name, e->name) == 0) {
        WRONG(r, e, "shape", "there is an electrode of this name; take another");
        is_sound = false;
      }
    all = all && is_sound && wn_config_check_extent(r, e) && check_sides(r, e);
  }
  for (size_t i = 0; all && p->dim > 1 && i < p->n_dielectrics; i++)
    check_nodes(r, &p->dielectrics[i]);
}
