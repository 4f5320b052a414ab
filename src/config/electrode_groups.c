/* src/config/electrode_groups.c - rules for electrodes inside the domain: electrodes; and for the shapes of
 * dielectrics, which are the same */
#include "src/config/reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/config/electrode_shapes.h"
#include "src/config/plasma_derived.h"

static const char *group_of(const struct wn_reader *r, const struct wn_cfg_electrode *e)
{
  return wn_electrode_shapes_is_dielectric(r->c, e) ? "dielectrics" : "electrodes";
}

static const char *noun_of(const struct wn_reader *r, const struct wn_cfg_electrode *e)
{
  return wn_electrode_shapes_is_dielectric(r->c, e) ? "dielectric" : "electrode";
}

/* Logs an error of a key of electrode `e`. */
#define WRONG(r, e, last, ...)                                                           \
  do {                                                                                   \
    const struct wn_given k_ =                                                           \
        wn_reader_given((r), group_of((r), (e)), (e)->name, (last));                     \
    wn_reader_error((r), k_.entry, k_.key, __VA_ARGS__);                                 \
  } while (0)

static bool is_given(const struct wn_reader *r, const struct wn_cfg_electrode *e,
                     const char *last)
{
  return wn_reader_given(r, group_of(r, e), e->name, last).entry != NULL;
}

void wn_config_name_electrodes(struct wn_reader *r)
{
  const struct wn_cfg_plasma *p = &r->c->plasma;
  for (size_t i = 0; i < p->n_electrodes; i++) {
    char **of = &p->electrodes[i].part_of;
    if (*of != NULL && **of == '\0') { /* of the resolved scenario */
      free(*of);
      *of = NULL;
    }
  }
}

/* ---- the keys of a shape */

/* What a shape is made of. */
static bool has_size(const struct wn_cfg_electrode *e, const char *last)
{
  const struct {
    const char *last;
    bool is;
  } sizes[] = {
      {"centre", e->centre[0] != WN_AUTO},  {"semi_axes", e->semi_axes[0] != WN_AUTO},
      {"from", e->from[0] != WN_AUTO},      {"to", e->to[0] != WN_AUTO},
      {"low", e->low[0] != WN_AUTO},        {"high", e->high[0] != WN_AUTO},
      {"radius", e->radius != WN_AUTO},     {"thickness", e->thickness != WN_AUTO},
      {"edge_radius", e->edge_radius > 0.0}};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    if (strcmp(sizes[i].last, last) == 0)
      return sizes[i].is;
  return false;
}

/* Returns whether the shape is known and complete. */
static bool check_keys(struct wn_reader *r, const struct wn_cfg_electrode *e)
{
  enum { E = 1 << WN_ELECTRODE_ELLIPSOID, R = 1 << WN_ELECTRODE_ROD };
  enum { B = 1 << WN_ELECTRODE_BOX, D = 1 << WN_ELECTRODE_DISC };
#define WORD(symbol, word) word,
  static const char *const words[] = {WN_ELECTRODE_SHAPES(WORD)};
#undef WORD
  static const struct {
    const char *last;
    unsigned of;
    bool may_be_missing;
  } keys[] = {{"centre", E | D, 0}, {"semi_axes", E, 0}, {"from", R, 0},
              {"to", R, 0},         {"low", B, 0},       {"high", B, 0},
              {"radius", R | D, 0}, {"thickness", D, 0}, {"edge_radius", B | D, 1}};
  bool is_sound = true;
  if (!is_given(r, e, "shape")) {
    WRONG(r, e, "shape", "missing; allowed: ellipsoid, rod, box, disc");
    return false;
  }
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
    const bool has = has_size(e, keys[i].last), needs = keys[i].of >> e->shape & 1u;
    if (has && !needs)
      WRONG(r, e, keys[i].last, "has no effect with shape = \"%s\"", words[e->shape]);
    else if (!has && needs && !keys[i].may_be_missing)
      WRONG(r, e, keys[i].last, "missing; shape = \"%s\" needs it", words[e->shape]);
    is_sound = is_sound && (has == needs || (!has && keys[i].may_be_missing));
  }
  return is_sound;
}

/* Sizes that contradict each other. */
static bool check_sizes(struct wn_reader *r, const struct wn_cfg_electrode *e)
{
  const int dim = r->c->plasma.dim;
  double least = INFINITY;
  for (int d = 0; d < dim && e->shape == WN_ELECTRODE_BOX; d++) {
    least = fmin(least, e->high[d] - e->low[d]);
    if (e->high[d] > e->low[d])
      continue;
    WRONG(r, e, "high",
          "the box goes from %.9g m to %.9g m along %c; allowed: more than "
          "%s.%s.low",
          e->low[d], e->high[d], "xyz"[d], group_of(r, e), e -> name);
    return false;
  }
  if (e->shape == WN_ELECTRODE_DISC)
    least = fmin(2.0 * e->radius, e->thickness);
  if (e->edge_radius > 0.5 * least * (1 + 1e-9)) {
    WRONG(r, e, "edge_radius",
          "is more than half of the smallest size, %.9g m; allowed: 0 m to %.9g m", least,
          0.5 * least);
    return false;
  }
  if (e->shape == WN_ELECTRODE_DISC && e->axis >= dim) {
    WRONG(r, e, "axis", "the grid has %d axes; allowed: x to %c", dim, "xyz"[dim - 1]);
    return false;
  }
  if (e->shape == WN_ELECTRODE_DISC && wn_plasma_is_radial(r->c) && e->axis != 1) {
    WRONG(r, e, "axis", "allowed in r-z: y, along the axis of symmetry");
    return false;
  }
  return true;
}

/* ---- in the grid */

/* The part of the box around a shape that is in the domain. */
static bool check_extent(struct wn_reader *r, const struct wn_cfg_electrode *e)
{
  const struct wn_geometry g = wn_plasma_geometry(r->c);
  const struct wn_electrode_shape s = wn_electrode_shapes_one(r->c, e);
  double low[3], high[3];
  wn_electrode_bounds(&s, g.dim, low, high);
  for (int d = 0; d < g.dim; d++) {
    const double length = g.axis[d].length, h = g.axis[d].h, from = fmax(low[d], 0.0),
                 to = fmin(high[d], length);
    if (!(to > from))
      WRONG(r, e, "shape",
            "the %s goes from %.9g m to %.9g m along %c, outside of the grid, which "
            "goes from 0 to %.9g m; allowed: a part of it inside",
            noun_of(r, e), low[d], high[d], "xyz"[d], length);
    else if (to - from < h * (1 - 1e-9))
      WRONG(r, e, "shape",
            "the %s is %.4g m thick along %c, less than a cell of %.4g m; allowed: "
            "at least a cell, by a larger %s or more grid.cells",
            noun_of(r, e), to - from, "xyz"[d], h, noun_of(r, e));
    else
      continue;
    return false;
  }
  return true;
}

bool wn_config_check_shape(struct wn_reader *r, const struct wn_cfg_electrode *e)
{
  return check_keys(r, e) && check_sizes(r, e);
}

bool wn_config_check_extent(struct wn_reader *r, const struct wn_cfg_electrode *e)
{
  return check_extent(r, e);
}

/* The surface that holds a node: of a shape, or of a dirichlet side; -1: none. */
static int holder(const struct wn_config *c, const struct wn_geometry *g,
                  const struct wn_electrode_shape *shape, int n, const int64_t node[3])
{
  double x[3] = {0.0, 0.0, 0.0};
  for (int d = 0; d < g->dim; d++) {
    x[d] = wn_axis_x(&g->axis[d], node[d]);
    for (int high = 0; high < 2; high++)
      if (node[d] == (high ? g->axis[d].cells : 0) &&
          c->plasma.wall[2 * d + high].field == WN_DIRICHLET)
        return 2 * d + high;
  }
  return wn_electrode_at(shape, n, g->dim, x);
}

static bool have_one_voltage(const struct wn_config *c, int i, int j)
{
  const struct wn_cfg_wall *a = wn_electrode_shapes_wall(c, i),
                           *b = wn_electrode_shapes_wall(c, j);
  const struct wn_wall_circuit of_a = wn_plasma_circuit(a), of_b = wn_plasma_circuit(b);
  bool is =
      (!wn_wall_has_circuit(&of_a) || i < 2 * c->plasma.dim) &&
      (!wn_wall_has_circuit(&of_b) || j < 2 * c->plasma.dim) &&
      a->voltage == b->voltage && a->amplitude == b->amplitude &&
      a->pulse_start == b->pulse_start && a->pulse_end == b->pulse_end &&
      (a->amplitude == 0.0 || (a->frequency == b->frequency && a->phase == b->phase));
  for (int k = 0; k < WN_HARMONICS; k++)
    is = is && a->harmonics[k] == b->harmonics[k];
  return is;
}

/* Two surfaces at neighbouring nodes: logs, and returns false, if their voltages differ. */
static bool may_touch(struct wn_reader *r, const struct wn_cfg_electrode *e, int i, int j)
{
  const struct wn_config *c = r->c;
  const int own = wn_electrode_shapes_surface(c, e), other = i == own ? j : i;
  if (i < 0 || j < 0 || i == j || (i != own && j != own) || have_one_voltage(c, i, j))
    return true;
  const double volts = wn_electrode_shapes_wall(c, own)->voltage,
               of_other = wn_electrode_shapes_wall(c, other)->voltage;
  char differ[96] = "another amplitude, pulse or circuit";
  if (volts != of_other)
    snprintf(differ, sizeof differ, "%.6g V where this has %.6g V", of_other, volts);
  const bool is_given =
      wn_reader_given(r, group_of(r, e), e->name, "voltage").entry != NULL;
  WRONG(r, e, is_given ? "voltage" : "shape",
        "the electrode touches %s%s, or is less than a cell from it, and that has %s; "
        "allowed: the same voltage without a circuit, or a gap of at least a cell",
        other < 2 * c->plasma.dim ? "walls." : "electrodes.",
        wn_plasma_surface(c, other).name, differ);
  return false;
}

/* The nodes in the box around a shape, and those next to it. */
static void check_nodes(struct wn_reader *r, const struct wn_cfg_electrode *e)
{
  const struct wn_config *c = r->c;
  const struct wn_geometry g = wn_plasma_geometry(c);
  const struct wn_electrode_shape own = wn_electrode_shapes_one(c, e);
  struct wn_electrode_shape shape[WN_MOST_ELECTRODE_SHAPES];
  const int n = wn_electrode_shapes_of(c, shape);
  int64_t from[3] = {0, 0, 0}, to[3] = {0, 0, 0}, node[3];
  double low[3], high[3];
  bool has_node = false;
  wn_electrode_bounds(&own, g.dim, low, high);
  for (int d = 0; d < g.dim; d++) {
    const double cells = (double)g.axis[d].cells;
    from[d] = (int64_t)fmax(floor(low[d] / g.axis[d].h) - 1.0, 0.0);
    to[d] = (int64_t)fmin(ceil(high[d] / g.axis[d].h) + 1.0, cells);
  }
  for (node[2] = from[2]; node[2] <= to[2]; node[2]++)
    for (node[1] = from[1]; node[1] <= to[1]; node[1]++)
      for (node[0] = from[0]; node[0] <= to[0]; node[0]++) {
        double x[3] = {0.0, 0.0, 0.0};
        for (int d = 0; d < g.dim; d++)
          x[d] = wn_axis_x(&g.axis[d], node[d]);
        const bool is_in = wn_electrode_level(&own, g.dim, x) <= 0.0;
        const int at = is_in ? own.surface : -1, is = holder(c, &g, shape, n, node);
        has_node = has_node || is_in;
        if (is_in && !may_touch(r, e, own.surface, is))
          return;
        for (int d = 0; d < g.dim; d++) {
          int64_t next[3] = {node[0], node[1], node[2]};
          next[d]++;
          if (is_in && g.axis[d].is_periodic &&
              (node[d] <= 0 || node[d] >= g.axis[d].cells)) {
            WRONG(r, e, "shape",
                  "the electrode reaches a periodic side along %c; allowed: inside, or "
                  "sides that are not periodic",
                  "xyz"[d]);
            return;
          }
          if (node[d] == g.axis[d].cells)
            continue;
          const int beside = holder(c, &g, shape, n, next);
          if (!may_touch(r, e, at >= 0 ? at : is, beside))
            return;
        }
      }
  if (!has_node)
    WRONG(r, e, "shape",
          "no node of the grid is in the electrode, which is thinner than a cell there; "
          "allowed: a larger electrode, or more grid.cells");
}

/* ---- voltages */

static void check_voltage(struct wn_reader *r, const struct wn_cfg_electrode *e)
{
  static const char *const keys[] = {
      "voltage",       "amplitude", "frequency",           "phase",
      "pulse_start",   "pulse_end", "capacitance",         "resistance",
      "inductance",    "yield",     "electron_reflection", "electron_backscattering",
      "electron_yield"};
  const struct wn_cfg_wall *w = &e->wall;
  const bool is[] = {w->voltage != 0.0,
                     w->amplitude != 0.0,
                     w->frequency != 0.0,
                     w->phase != 0.0,
                     w->pulse_start != WN_AUTO,
                     w->pulse_end != WN_AUTO,
                     w->capacitance != WN_AUTO,
                     w->resistance > 0.0,
                     w->inductance > 0.0,
                     w->yield > 0.0,
                     w->electron_reflection > 0.0,
                     w->electron_backscattering > 0.0,
                     w->electron_yield > 0.0};
  for (size_t i = 0; e->part_of != NULL && i < sizeof is / sizeof *is; i++)
    if (is[i])
      WRONG(r, e, keys[i],
            "is a part of electrodes.%s, which has the voltage and emits; remove the key",
            e->part_of);
  const struct wn_wall_circuit loop = wn_plasma_circuit(w);
  const char *of_loop = w->capacitance != WN_AUTO ? "capacitance"
                        : w->resistance > 0.0     ? "resistance"
                                                  : "inductance";
  if (wn_wall_has_circuit(&loop) && r->c->plasma.dim < 3 && !wn_plasma_is_radial(r->c))
    WRONG(r, e, of_loop,
          "a circuit needs the whole electrode; allowed in r-z and in three dimensions");
  if (w->capacitance > 0.0 && w->capacitance < 1e-24)
    WRONG(r, e, "capacitance", "allowed: none, 0, or at least 1e-24 F");
  if (w->capacitance == 0.0 && (w->resistance > 0.0 || w->inductance > 0.0))
    WRONG(r, e, "capacitance",
          "nothing is connected to a floating electrode; remove its resistance and "
          "inductance");
  if (w->amplitude != 0.0 && w->frequency == 0.0)
    WRONG(r, e, "amplitude", "has no effect without electrodes.%s.frequency", e->name);
  if (w->frequency != 0.0 && !is_given(r, e, "amplitude"))
    WRONG(r, e, "frequency", "has no effect without electrodes.%s.amplitude", e->name);
  const double turns = w->frequency * r->c->plasma.time_step;
  if (r->c->plasma.time_step > 0 && turns >= 0.5)
    WRONG(
        r, e, "frequency",
        "plasma.time_step is %.9g of a period; a sine needs at least two steps a period",
        turns);
  if (w->pulse_end != WN_AUTO && w->pulse_end <= fmax(w->pulse_start, 0.0))
    WRONG(r, e, "pulse_end", "is not after electrodes.%s.pulse_start", e->name);
}

/* ---- what they go with */

#define WRONG_KEY(r, name, ...)                                                          \
  wn_reader_error((r), wn_reader_find((r), (name)), (name), __VA_ARGS__)

static void check_methods(struct wn_reader *r)
{
  const struct wn_cfg_plasma *p = &r->c->plasma;
  char key[64];
  if (p->dim < 2)
    WRONG_KEY(r, "grid.cells",
              "electrodes need two or three axes; in one dimension walls are electrodes");
  if (p->field != WN_FIELD_OF_GRID)
    WRONG_KEY(r, "plasma.field", "allowed with electrodes: electrostatic");
  if (p->solver == WN_POISSON_SPECTRAL)
    WRONG_KEY(r, "plasma.solver", "allowed with electrodes: differences, multigrid");
  if (p->shape == WN_SHAPE_TSC)
    WRONG_KEY(r, "plasma.shape", "allowed with electrodes: ngp, cic");
  if (p->gather != WN_GATHER_MOMENTUM)
    WRONG_KEY(r, "plasma.gather", "allowed with electrodes: momentum");
  if (p->adaptive.least != WN_AUTO && wn_plasma_has_loop(r->c))
    WRONG_KEY(r, "plasma.adaptive.least",
              "circuits of electrodes take equal steps; allowed with them: off");
  for (int side = 0; side < 2 * p->dim; side++)
    if (p->wall[side].field == WN_OPEN) {
      snprintf(key, sizeof key, "walls.%s.field", wn_config_walls.names[side]);
      WRONG_KEY(r, key, "allowed with electrodes: periodic, dirichlet, neumann");
      return;
    }
}

/* part_of names an electrode, which is no part itself. */
static bool check_parts(struct wn_reader *r, const struct wn_cfg_electrode *e)
{
  if (wn_electrode_shapes_surface(r->c, e) >= 0)
    return true;
  WRONG(r, e, "part_of",
        "there is no electrode of this name that is no part of another one itself");
  return false;
}

void wn_config_check_electrodes(struct wn_reader *r, bool has_grid)
{
  const struct wn_config *c = r->c;
  const struct wn_cfg_plasma *p = &c->plasma;
  bool all = has_grid;
  if (p->n_electrodes == 0)
    return;
  if (p->n_electrodes > WN_MOST_ELECTRODE_SHAPES) {
    wn_reader_error(r, NULL, "electrodes", "%zu shapes; there can be at most %d",
                    p->n_electrodes, WN_MOST_ELECTRODE_SHAPES);
    return;
  }
  check_methods(r);
  for (size_t i = 0; i < p->n_electrodes; i++) {
    const struct wn_cfg_electrode *e = &p->electrodes[i];
    check_voltage(r, e);
    const bool is_sound = check_keys(r, e) && check_sizes(r, e) && check_parts(r, e);
    all = all && is_sound && check_extent(r, e);
  }
  for (size_t i = 0; all && p->dim > 1 && i < p->n_electrodes; i++)
    check_nodes(r, &p->electrodes[i]);
}
