/* src/config/plasma.c - rules between values of a scenario of model plasma, and defaults
 * that depend on other values */
#include "src/config/reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/log.h"
#include "physics/constants.h"
#include "physics/loading.h"
#include "src/config/adaptive_step.h"
#include "src/config/plasma_derived.h"
#include "src/config/plasma_limits.h"
#include "src/config/sources.h"

#define MOST_CELLS 32768     /* along an axis, in more than one dimension */
#define MOST_NODES 536870912 /* 2^29: four floats a node, counted in 32 bits */
#define MOST_STEPS 1e15
#define NEUTRAL    1e-6 /* net charge, divided by the sum of the magnitudes of all charges */

static const char axis_name[] = "xyz";

/* A key with its entry, NULL when it is not given. */
struct given {
  char key[128]; /* names have at most 63 letters */
  const struct wn_entry *entry;
};

/* "species.e.mass": group "species", name "e", last "mass" */
static struct given given(const struct wn_reader *r, const char *group, const char *name,
                          const char *last)
{
  struct given k;
  snprintf(k.key, sizeof k.key, "%s.%s.%s", group, name, last);
  k.entry = wn_reader_find(r, k.key);
  return k;
}

static struct given of_species(const struct wn_reader *r, const struct wn_cfg_species *s,
                               const char *last)
{
  return given(r, "species", s->name, last);
}

static struct given of_wall(const struct wn_reader *r, int side, const char *last)
{
  return given(r, "walls", wn_config_walls.names[side], last);
}

/* Logs an error of a key in a group that exists once. */
#define WRONG(r, name, ...)                                                              \
  wn_reader_error((r), wn_reader_find((r), (name)), (name), __VA_ARGS__)

static size_t elements(const struct wn_entry *e)
{
  return config_setting_is_aggregate(e->value) ? (size_t)config_setting_length(e->value)
                                               : 1;
}

/* Lists with an element for each axis have as many elements as the grid has axes. */
static void check_lists(struct wn_reader *r)
{
  int dim = r->c->plasma.dim;
  for (size_t i = 0; i < r->n_entries; i++) {
    const struct wn_entry *e = &r->entry[i];
    const struct wn_key *k = wn_config_find_key(e->key, NULL, NULL);
    const char *text = config_setting_get_string(e->value);
    if (k == NULL || !(k->flags & WN_KEY_PER_AXIS) || strcmp(k->key, "grid.cells") == 0)
      continue;
    bool all = text != NULL && k->automatic != NULL && strcmp(text, k->automatic) == 0;
    if (!all && elements(e) != (size_t)dim)
      wn_reader_error(
          r, e, e->key,
          "%zu value%s, and the grid has %d ax%ss; the number must be that of grid.cells",
          elements(e), elements(e) == 1 ? "" : "s", dim, dim > 1 ? "e" : "i");
  }
}

/* Whether the grid is valid, so that other values can be compared with it. */
static bool check_grid(struct wn_reader *r)
{
  struct wn_cfg_plasma *p = &r->c->plasma;
  const struct wn_entry *cells = wn_reader_find(r, "grid.cells");
  if (cells == NULL)
    wn_reader_error(r, NULL, "grid.cells",
                    "missing; give the number of cells along each axis, as in grid = { "
                    "cells = [64, 64]; length = [\"1 cm\", \"1 cm\"]; };");
  if (wn_reader_find(r, "grid.length") == NULL)
    wn_reader_error(r, NULL, "grid.length",
                    "missing; give a length for each axis, as in grid = { cells = [64, "
                    "64]; length = [\"1 cm\", \"1 cm\"]; };");
  if (cells == NULL || p->cells[0] == 0)
    return false; /* reported already */
  p->dim = (int)elements(cells);
  for (int d = 0; p->dim > 1 && d < p->dim; d++)
    if (p->cells[d] > MOST_CELLS)
      wn_reader_error(r, cells, cells->key,
                      "%zu cells along %c; at most %d in more than one dimension",
                      p->cells[d], axis_name[d], MOST_CELLS);
  if (wn_plasma_nodes(r->c) > MOST_NODES)
    wn_reader_error(r, cells, cells->key, "%.0f nodes including guard cells; at most %d",
                    wn_plasma_nodes(r->c), MOST_NODES);
  check_lists(r);
  for (int d = 0; d < p->dim; d++)
    if (!(p->length[d] > 0))
      return false; /* reported already */
  return true;
}

/* Default particle boundary conditions. */
static void default_particles(struct wn_reader *r)
{
  static const enum wn_side_kind usual[WN_N_POTENTIALS] = {
      [WN_PERIODIC] = WN_SIDE_PERIODIC,
      [WN_DIRICHLET] = WN_SIDE_ABSORB,
      [WN_NEUMANN] = WN_SIDE_REFLECT,
      [WN_OPEN] = WN_SIDE_OPEN};
  for (int side = 0; side < 6; side++) {
    struct wn_cfg_wall *w = &r->c->plasma.wall[side];
    if (side == 0 && wn_plasma_is_radial(r->c) && of_wall(r, side, "field").entry == NULL)
      w->field = WN_NEUMANN; /* the axis of symmetry */
    if (of_wall(r, side, "particles").entry == NULL)
      w->particles = usual[w->field];
  }
}

static bool any(const double v[WN_HARMONICS])
{
  return v[0] != 0 || v[1] != 0 || v[2] != 0;
}

/* The highest harmonic in a voltage; 1: the sine of its frequency alone. */
static int highest(const struct wn_cfg_wall *w)
{
  int most = 1;
  for (int k = 0; k < WN_HARMONICS; k++)
    most = w->harmonics[k] != 0 ? k + 2 : most;
  return most;
}

/* Harmonics are those of a sine that is there. */
static void check_harmonics(struct wn_reader *r, int side)
{
  const struct wn_cfg_wall *w = &r->c->plasma.wall[side];
  const char *name = wn_config_walls.names[side];
  struct given k = of_wall(r, side, "harmonics");
  if (any(w->harmonics) && w->amplitude == 0)
    wn_reader_error(r, k.entry, k.key, "has no effect without walls.%s.amplitude", name);
  k = of_wall(r, side, "harmonic_phases");
  if (any(w->harmonic_phases) && of_wall(r, side, "harmonics").entry == NULL)
    wn_reader_error(r, k.entry, k.key, "has no effect without walls.%s.harmonics", name);
}

/* Potentials require a wall of a kind that has one. */
static void check_voltage(struct wn_reader *r, int side)
{
  const struct wn_cfg_wall *w = &r->c->plasma.wall[side];
  const char *name = wn_config_walls.names[side];
  const struct {
    const char *key;
    bool used;
  } part[] = {{"voltage", w->voltage != 0},
              {"amplitude", w->amplitude != 0},
              {"frequency", w->frequency != 0},
              {"phase", w->phase != 0},
              {"harmonics", any(w->harmonics)},
              {"harmonic_phases", any(w->harmonic_phases)},
              {"pulse_start", w->pulse_start != WN_AUTO},
              {"pulse_end", w->pulse_end != WN_AUTO}};
  for (size_t i = 0; i < sizeof part / sizeof *part; i++) {
    struct given k = of_wall(r, side, part[i].key);
    if (part[i].used && w->field != WN_DIRICHLET)
      wn_reader_error(r, k.entry, k.key,
                      "only a dirichlet side has a voltage; set walls.%s.field = "
                      "\"dirichlet\", or remove the key",
                      name);
  }
  if (w->field != WN_DIRICHLET)
    return;
  struct given k = of_wall(r, side, "amplitude");
  if (w->amplitude != 0 && w->frequency == 0)
    wn_reader_error(r, k.entry, k.key, "has no effect without walls.%s.frequency", name);
  /* a 0 that is given switches the other key off; without it that key may be a mistake */
  k = of_wall(r, side, "frequency");
  if (w->frequency != 0 && of_wall(r, side, "amplitude").entry == NULL)
    wn_reader_error(r, k.entry, k.key, "has no effect without walls.%s.amplitude", name);
  const double turns = highest(w) * w->frequency * r->c->plasma.time_step;
  if (r->c->plasma.time_step > 0 && turns >= 0.5)
    wn_reader_error(r, k.entry, k.key,
                    "plasma.time_step is %.9g of a period%s; a sine needs at least two "
                    "steps a period",
                    turns, highest(w) > 1 ? " of the highest harmonic" : "");
  check_harmonics(r, side);
  k = of_wall(r, side, "pulse_end");
  if (w->pulse_end != WN_AUTO && w->pulse_end <= fmax(w->pulse_start, 0))
    wn_reader_error(r, k.entry, k.key, "is not after walls.%s.pulse_start", name);
}

/* The two sides of an axis. */
static void check_pair(struct wn_reader *r, int axis)
{
  static const char *const other[] = {"low", "high"};
  const struct wn_cfg_wall *w = &r->c->plasma.wall[2 * axis];
  bool field[2], particles[2];
  for (int i = 0; i < 2; i++) {
    field[i] = w[i].field == WN_PERIODIC;
    particles[i] = w[i].particles == WN_SIDE_PERIODIC;
  }
  if (field[0] != field[1]) {
    int i = field[1]; /* the side that is not periodic */
    struct given k = of_wall(r, 2 * axis + !i, "field");
    wn_reader_error(r, k.entry, k.key,
                    "the other side of the axis is periodic%s; both sides of an axis "
                    "must be periodic, or none: give walls.%c_%s.field",
                    w[i].given ? "" : " by default", axis_name[axis], other[i]);
    return;
  }
  for (int i = 0; i < 2; i++) {
    struct given k = of_wall(r, 2 * axis + i, "particles");
    if (particles[i] != field[i])
      wn_reader_error(
          r, k.entry, k.key,
          "the %s periodic at this side, and the %s not; both must be, or none",
          field[i] ? "field is" : "particles are",
          field[i] ? "particles are" : "field is");
  }
}

static bool is_of_wall(const char *key, int side)
{
  const char *name, *wall = wn_config_walls.names[side];
  size_t len;
  return wn_config_named_of(key, &name, &len) == &wn_config_walls &&
         len == strlen(wall) && memcmp(name, wall, len) == 0;
}

/* In r-z the low side of the first axis is no wall, and no side but that around it is open. */
static void check_axis_of_symmetry(struct wn_reader *r)
{
  const struct wn_cfg_wall *w = r->c->plasma.wall;
  const bool is_axis = w[0].field == WN_NEUMANN && w[0].particles == WN_SIDE_REFLECT;
  for (size_t i = 0; !is_axis && i < r->n_entries; i++)
    if (is_of_wall(r->entry[i].key, 0))
      wn_reader_error(
          r, &r->entry[i], r->entry[i].key,
          "is at the axis of symmetry of grid.geometry = \"r-z\", where there "
          "is no wall; remove the key");
  for (int side = 2; side < 4; side++)
    if (w[side].field == WN_OPEN) {
      struct given k = of_wall(r, side, "field");
      wn_reader_error(r, k.entry, k.key,
                      "in r-z only the side around the axis, walls.x_high, may be open; "
                      "allowed here: periodic, dirichlet, neumann");
    }
}

static void check_walls(struct wn_reader *r)
{
  const struct wn_cfg_plasma *p = &r->c->plasma;
  int n_open = 0, first = -1;
  for (size_t i = 0; i < r->n_entries; i++) {
    const struct wn_entry *e = &r->entry[i];
    for (int side = 2 * p->dim; side < 6; side++)
      if (is_of_wall(e->key, side))
        wn_reader_error(r, e, e->key, "there is no wall %s: the grid has %d ax%ss",
                        wn_config_walls.names[side], p->dim, p->dim > 1 ? "e" : "i");
  }
  for (int axis = 0; axis < p->dim; axis++)
    check_pair(r, axis);
  for (int side = 0; side < 2 * p->dim; side++) {
    check_voltage(r, side);
    bool open = p->wall[side].field == WN_OPEN;
    first = open && first < 0 ? side : first;
    n_open += open;
  }
  if (wn_plasma_is_radial(r->c))
    check_axis_of_symmetry(r);
  else if (n_open > 0 && n_open < 2 * p->dim) {
    struct given k = of_wall(r, first, "field");
    wn_reader_error(r, k.entry, k.key,
                    "%d of %d sides are open; all sides must be open, or none", n_open,
                    2 * p->dim);
  }
}

/* Multigrid takes two and three axes, and the potential of free space from nowhere. */
static void check_multigrid(struct wn_reader *r)
{
  const struct wn_cfg_plasma *p = &r->c->plasma;
  const struct wn_entry *e = wn_reader_find(r, "plasma.solver");
  if (p->solver != WN_POISSON_MULTIGRID)
    return;
  if (p->dim == 1)
    wn_reader_error(r, e, "plasma.solver",
                    "\"multigrid\" takes two or three axes, and the grid has one; "
                    "allowed: differences, spectral");
  for (int side = 0; side < 2 * p->dim; side++)
    if (p->wall[side].field == WN_OPEN) {
      wn_reader_error(r, e, "plasma.solver",
                      "\"multigrid\" takes no open side (walls.%s.field); allowed: "
                      "differences",
                      wn_config_walls.names[side]);
      return;
    }
}

/* Keys of another profile, if they are given. */
static void check_profile_keys(struct wn_reader *r, const struct wn_cfg_species *s)
{
  bool centre = false, width = false, drift = false;
  for (int d = 0; d < 3; d++) {
    centre = centre || s->centre[d] != WN_AUTO;
    width = width || s->width[d] != WN_AUTO;
    drift = drift || s->drift[d] != 0;
  }
  enum {
    U = 1 << WN_PROFILE_UNIFORM,
    S = 1 << WN_PROFILE_SLAB,
    G = 1 << WN_PROFILE_GAUSSIAN,
    A = 1 << WN_PROFILE_ANNULUS,
    H = 1 << WN_PROFILE_SHEET,
    R = 1 << WN_PROFILE_RING,
    F = 1 << WN_PROFILE_FILE
  };
  const struct {
    const char *key, *why;
    int profiles;
    bool said;
  } part[] = {
      {"centre", "use slab, gaussian, annulus, ring or sheet", S | G | A | R | H, centre},
      {"width", "only slab, gaussian and sheet use it", S | G | H, width},
      {"weights", "only sheet does", H, s->weights != WN_WEIGHTS_EQUAL},
      {"radius", "only annulus does", A, s->radius[0] != 0 || s->radius[1] != 0},
      {"ring", "only ring does", R, s->ring[0] != 0 || s->ring[1] != 0},
      {"file", "only file does", F, s->file != NULL && *s->file},
      {"temperature", "the file has the velocities", U | S | G | A | R | H,
       s->temperature_ev != 0 && s->thermal_speed == WN_AUTO},
      {"thermal_speed", "the file has the velocities", U | S | G | A | R | H,
       s->thermal_speed != WN_AUTO},
      {"drift", "the file has the velocities", U | S | G | A | R | H, drift},
      {"amplitude", "the file has the positions", U | S | G | A | R | H,
       s->amplitude != 0}};
  const char *profile =
      wn_config_find_key("species.x.profile", NULL, NULL)->words[s->profile];
  for (size_t i = 0; i < sizeof part / sizeof *part; i++) {
    struct given k = of_species(r, s, part[i].key);
    if (part[i].said && !(part[i].profiles & 1 << s->profile))
      wn_reader_error(r, k.entry, k.key, "profile %s does not use it; %s", profile,
                      part[i].why);
  }
}

/* The interval from a to b must lie in the domain. */
static void inside(struct wn_reader *r, const struct given *k, int d, double a, double b)
{
  double length = r->c->plasma.length[d], slack = 1e-12 * length;
  if (a < -slack || b > length + slack)
    wn_reader_error(
        r, k->entry, k->key,
        "reaches from %.9g m to %.9g m along %c; the domain is from 0 to %.9g "
        "m",
        a, b, axis_name[d], length);
}

static void check_shape(struct wn_reader *r, struct wn_cfg_species *s)
{
  const struct wn_cfg_plasma *p = &r->c->plasma;
  struct given width = of_species(r, s, "width"), radius = of_species(r, s, "radius"),
               ring_key = of_species(r, s, "ring"), centre = of_species(r, s, "centre");
  bool slab = s->profile == WN_PROFILE_SLAB, gaussian = s->profile == WN_PROFILE_GAUSSIAN,
       annulus = s->profile == WN_PROFILE_ANNULUS, ring = s->profile == WN_PROFILE_RING,
       sheet = s->profile == WN_PROFILE_SHEET, any = false;
  const double outermost = s->ring[0] + WN_LOADING_RING * s->ring[1];
  if (!slab && !gaussian && !annulus && !ring && !sheet)
    return;
  for (int d = 0; d < p->dim; d++) {
    double w = s->width[d];
    const bool is_radius = d == 0 && wn_plasma_is_radial(r->c);
    if (s->centre[d] == WN_AUTO)
      s->centre[d] = is_radius ? 0.0 : 0.5 * p->length[d];
    any = any || w != WN_AUTO;
    if (s->centre[d] > p->length[d])
      wn_reader_error(r, centre.entry, centre.key,
                      "%.9g m along %c lies outside of the domain, 0 to %.9g m",
                      s->centre[d], axis_name[d], p->length[d]);
    else if (slab && w != WN_AUTO)
      inside(r, &width, d, s->centre[d] - (is_radius ? 0.0 : 0.5 * w),
             s->centre[d] + 0.5 * w);
    else if (annulus && d < 2)
      inside(r, &radius, d, s->centre[d] - s->radius[1], s->centre[d] + s->radius[1]);
    else if (ring && d < 2)
      inside(r, &ring_key, d, s->centre[d] - outermost, s->centre[d] + outermost);
    else if ((gaussian || sheet) && w > p->length[d])
      wn_reader_error(r, width.entry, width.key,
                      "%.9g m along %c is more than the domain, %.9g m", w, axis_name[d],
                      p->length[d]);
  }
  if ((slab || gaussian || sheet) && !any)
    wn_reader_error(r, width.entry, width.key,
                    "%sprofile %s needs a width along at least one axis",
                    width.entry == NULL ? "missing; " : "",
                    slab       ? "slab"
                    : gaussian ? "gaussian"
                               : "sheet");
  if (annulus && p->dim < 2)
    wn_reader_error(r, radius.entry, radius.key,
                    "an annulus needs a grid of two or three dimensions");
  if (annulus && !(s->radius[0] < s->radius[1]))
    wn_reader_error(r, radius.entry, radius.key,
                    "%sprofile annulus needs an inner radius and a greater outer one",
                    radius.entry == NULL ? "missing; " : "");
  if (ring && p->dim < 2)
    wn_reader_error(r, ring_key.entry, ring_key.key,
                    "a ring needs a grid of two or three dimensions");
  if (ring && !(s->ring[0] > 0 && s->ring[1] > 0))
    wn_reader_error(r, ring_key.entry, ring_key.key,
                    "%sprofile ring needs a radius of its crest and a spread above 0",
                    ring_key.entry == NULL ? "missing; " : "");
}

static void check_perturbation(struct wn_reader *r, const struct wn_cfg_species *s)
{
  const struct wn_cfg_plasma *p = &r->c->plasma;
  struct given amplitude = of_species(r, s, "amplitude"), mode = of_species(r, s, "mode");
  bool none = s->mode[0] == 0 && s->mode[1] == 0 && s->mode[2] == 0;
  const bool is_round = s->profile == WN_PROFILE_ANNULUS || s->profile == WN_PROFILE_RING;
  if (s->amplitude > 0 && s->profile != WN_PROFILE_UNIFORM && !is_round)
    wn_reader_error(r, amplitude.entry, amplitude.key,
                    "only the profiles uniform, annulus and ring can be perturbed");
  if (is_round && (s->mode[1] != 0 || s->mode[2] != 0))
    wn_reader_error(r, mode.entry, mode.key,
                    "%s is perturbed around its axis: the first number is the mode, the "
                    "others must be 0",
                    s->profile == WN_PROFILE_RING ? "a ring" : "an annulus");
  if (s->amplitude >= 1)
    wn_reader_error(r, amplitude.entry, amplitude.key,
                    "must be below 1, so that the density is positive everywhere");
  if (s->amplitude > 0 && none)
    wn_reader_error(r, mode.entry, mode.key,
                    "%sa perturbation with an amplitude needs a mode along an axis",
                    mode.entry == NULL ? "missing; " : "");
  if (!none && amplitude.entry == NULL)
    wn_reader_error(r, mode.entry, mode.key, "has no effect without species.%s.amplitude",
                    s->name);
  for (int d = 0; d < p->dim; d++)
    if ((size_t)labs(s->mode[d]) * 2 > p->cells[d])
      wn_reader_error(r, mode.entry, mode.key,
                      "%ld waves along %c are not resolved by %zu cells; at most %zu",
                      s->mode[d], axis_name[d], p->cells[d], p->cells[d] / 2);
}

/* Whether particles of a species come from others, or from a source. */
static bool is_supplied(const struct wn_config *c, const struct wn_cfg_species *s)
{
  return wn_config_is_product(c, s) || wn_source_of(c, s) != NULL;
}

/* Their total number takes the place of the number a cell. */
static void check_macroparticles(struct wn_reader *r, struct wn_cfg_species *s)
{
  struct given k = of_species(r, s, "macroparticles"),
               per_cell = of_species(r, s, "per_cell");
  if (s->macroparticles == 0)
    return;
  if (per_cell.entry != NULL && s->per_cell > 0)
    wn_reader_error(r, k.entry, k.key,
                    "species.%s.per_cell is given, too; give one of them", s->name);
  if (s->profile == WN_PROFILE_FILE)
    wn_reader_error(r, k.entry, k.key,
                    "profile file has its own particles; allowed: 0, with "
                    "species.%s.per_cell for their weight",
                    s->name);
  else if (s->density == 0)
    wn_reader_error(r, k.entry, k.key,
                    "a species of density 0 has no particles; allowed: 0");
  s->per_cell = 0; /* the resolved scenario has both */
}

/* Numbers and charges of the particles. */
static void check_amount(struct wn_reader *r, struct wn_cfg_species *s, bool grid)
{
  check_macroparticles(r, s);
  const bool is_total = s->macroparticles > 0;
  struct given number = of_species(r, s, is_total ? "macroparticles" : "per_cell"),
               density = of_species(r, s, "density"), charge = of_species(r, s, "charge");
  double speed2 = 0, n = grid ? wn_plasma_particles(r->c, s) : NAN;
  for (int d = 0; d < 3; d++)
    speed2 += s->drift[d] * s->drift[d];
  if (speed2 >= WN_C * WN_C) {
    struct given k = of_species(r, s, "drift");
    wn_reader_error(r, k.entry, k.key, "%.9g m/s is not below the speed of light",
                    sqrt(speed2));
  }
  if (density.entry == NULL)
    wn_reader_error(r, NULL, density.key, "missing; give a density, as in \"1e15 m-3\"");
  else if (s->density == 0 && s->mobile && !is_supplied(r->c, s))
    wn_reader_error(r, density.entry, density.key,
                    "a mobile species of density 0 has no particles");
  if (!is_total && s->per_cell == 0 && (s->mobile || s->density > 0) &&
      !is_supplied(r->c, s))
    wn_reader_error(r, number.entry, number.key,
                    "0 particles a cell; at least 1 is needed");
  else if (n > (double)r->c->capacity)
    wn_reader_error(r, number.entry, number.key,
                    "%.9g particles are more than population.capacity, %zu", n,
                    r->c->capacity);
  else if (grid && s->density > 0 &&
           (is_total ? wn_loading_mean(r->c, s) <= 0.0 : n == 0 && s->per_cell > 0))
    wn_reader_error(r, number.entry, number.key,
                    "the profile has less than half a particle");
  if (s->charge == 0)
    wn_log_at(WN_LOG_WARN, charge.entry->from_set ? charge.entry->place : r->file,
              charge.entry->from_set ? 0 : charge.entry->line,
              "key `%s` = 0: these particles neither make a field nor respond to one",
              charge.key);
}

/* kT by the thermal speed.  A resolved scenario has both. */
static void check_thermal_speed(struct wn_reader *r, struct wn_cfg_species *s)
{
  struct given speed = of_species(r, s, "thermal_speed"),
               temperature = of_species(r, s, "temperature");
  if (s->thermal_speed == WN_AUTO)
    return;
  const double kt = s->mass * s->thermal_speed * s->thermal_speed / WN_E;
  if (temperature.entry == NULL || fabs(s->temperature_ev - kt) <= 1e-9 * kt)
    s->temperature_ev = kt;
  else
    wn_reader_error(r, speed.entry, speed.key,
                    "is a temperature of %.9g eV, and species.%s.temperature is %.9g eV; "
                    "give one of them",
                    kt, s->name, s->temperature_ev);
}

static void check_weights(struct wn_reader *r, const struct wn_cfg_species *s)
{
  const struct wn_cfg_plasma *p = &r->c->plasma;
  struct given weights = of_species(r, s, "weights");
  if (s->weights == WN_WEIGHTS_PROFILE &&
      (s->collisions != WN_COLLISIONS_NONE || p->dim == 1 || p->velocities == 2))
    wn_reader_error(r, weights.entry, weights.key,
                    "\"profile\" needs particles with a weight: without collisions, in "
                    "two or three dimensions with plasma.velocities = 3");
}

static int check_species(struct wn_reader *r, struct wn_cfg_species *s, bool grid)
{
  struct given file = of_species(r, s, "file"), drift = of_species(r, s, "drift");
  check_thermal_speed(r, s);
  check_profile_keys(r, s);
  if (s->profile == WN_PROFILE_FILE && (s->file == NULL || !*s->file))
    wn_reader_error(r, file.entry, file.key, "missing; profile file needs a file");
  if (s->file != NULL && *s->file)
    WN_TRY(wn_config_find_file(r, file.entry, file.key, s->file, &s->path));
  size_t n_errors = r->n_errors;
  if (grid) {
    check_shape(r, s);
    check_weights(r, s);
    check_perturbation(r, s);
    if (r->c->plasma.velocities == 2 && s->drift[2] != 0)
      wn_reader_error(r, drift.entry, drift.key,
                      "a drift along z needs plasma.velocities = 3");
  }
  check_amount(r, s, grid && r->n_errors == n_errors);
  return WN_OK;
}

static int check_all_species(struct wn_reader *r, bool grid)
{
  struct wn_config *c = r->c;
  size_t n_mobile = 0;
  for (size_t i = 0; i < c->n_species; i++) {
    WN_TRY(check_species(r, &c->species[i], grid));
    n_mobile += c->species[i].mobile;
  }
  if (c->n_species == 0)
    wn_reader_error(r, NULL, "species",
                    "missing; a plasma needs a species, as in species = { electrons = { "
                    "density = \"1e15 m-3\"; }; };");
  else if (c->n_species > WN_MAX_SPECIES)
    wn_reader_error(r, NULL, "species", "%zu species; there can be at most %d",
                    c->n_species, WN_MAX_SPECIES);
  else if (n_mobile == 0)
    wn_reader_error(r, NULL, "species", "no species is mobile; one must be");
  return WN_OK;
}

/* If no side fixes the potential, the total charge must be zero. */
static void check_charge(struct wn_reader *r)
{
  const struct wn_config *c = r->c;
  double net = 0, all = 0;
  if (c->plasma.n_electrodes > 0)
    return;
  for (int side = 0; side < 2 * c->plasma.dim; side++)
    if (c->plasma.wall[side].field == WN_DIRICHLET ||
        c->plasma.wall[side].field == WN_OPEN)
      return;
  for (size_t i = 0; i < c->n_species; i++) {
    const struct wn_cfg_species *s = &c->species[i];
    double q = s->charge * s->density * wn_loading_mean(c, s);
    net += q;
    all += fabs(q);
  }
  if (c->plasma.field != WN_FIELD_NODES && !c->plasma.background &&
      fabs(net) > NEUTRAL * all) /* not for NAN: from a file */
    WRONG(r, "plasma.background",
          "the charges of all species add up to %.9g e/m3, and no side fixes the "
          "potential; set plasma.background = true for a uniform neutralizing charge, or "
          "make the species neutral in sum",
          net);
}

/* The nodes of the coarser grid are nodes of the grid. */
static void check_coarsening(struct wn_reader *r)
{
  const struct wn_cfg_plasma *p = &r->c->plasma;
  char allowed[200] = "1";
  size_t len = 1, wrong = 0;
  for (int d = 0; d < p->dim && wrong == 0; d++)
    wrong = p->fields_coarsening == 0 || p->cells[d] % p->fields_coarsening != 0
                ? p->cells[d]
                : 0;
  if (wrong == 0)
    return;
  for (size_t k = 2; k <= p->cells[0] && len < sizeof allowed - 24; k++) {
    bool divides = true;
    for (int d = 0; d < p->dim; d++)
      divides = divides && p->cells[d] % k == 0;
    if (divides)
      len += (size_t)snprintf(allowed + len, sizeof allowed - len, ", %zu", k);
  }
  WRONG(r, "plasma.fields_coarsening",
        "%zu does not divide the %zu cells along an axis; allowed: %s",
        p->fields_coarsening, wrong, allowed);
}

static void check_methods(struct wn_reader *r)
{
  struct wn_cfg_plasma *p = &r->c->plasma;
  if (p->shape == WN_SHAPE_NGP && p->gather == WN_GATHER_ENERGY)
    WRONG(r, "plasma.gather",
          "shape ngp has no gather energy, which needs the next lower shape; use shape "
          "cic, or gather momentum");
  if (p->dim == 0)
    return;
  check_coarsening(r);
  const bool collide = wn_config_has_gas(r->c) || p->n_coulomb > 0;
  if (p->velocities < 0)
    p->velocities = p->dim == 2 && !collide && !wn_plasma_is_radial(r->c) &&
                            p->field != WN_FIELD_NODES
                        ? 2
                        : 3;
  else if (p->velocities == 2 && collide)
    WRONG(r, "plasma.velocities",
          "a species has collisions, which need all three components; allowed: 3");
  else if (p->velocities == 2 && p->dim != 2)
    WRONG(r, "plasma.velocities",
          "2 components are possible in two dimensions only; allowed: 3");
  if (p->dim == 2 && p->velocities == 2 && (p->magnetic[0] != 0 || p->magnetic[1] != 0))
    WRONG(r, "plasma.magnetic_field",
          "a field across z rotates velocities out of the plane; set plasma.velocities = "
          "3");
}

static void check_moments(struct wn_reader *r)
{
  const struct wn_config *c = r->c;
  if (c->plasma.moments_interval == WN_AUTO)
    return;
  if (c->plasma.moments_pressure && c->plasma.relativistic)
    WRONG(r, "plasma.moments_pressure",
          "a pressure about the mean velocity is not available for relativistic motion, "
          "only the momentum flux about 0; remove the key, or plasma.relativistic");
  for (size_t i = 0; i < c->n_species; i++)
    if (strcmp(c->species[i].name, "net") == 0)
      WRONG(r, "plasma.moments_interval",
            "a species with the name net would have the map rho_net, which is that of "
            "all species; give it another name");
}

static void check_interval(struct wn_reader *r, const char *key, double interval)
{
  const struct wn_cfg_plasma *p = &r->c->plasma;
  if (interval > 0 && interval < p->time_step)
    WRONG(r, key, "%.9g s is shorter than plasma.time_step, %.9g s", interval,
          p->time_step);
}

static void check_time(struct wn_reader *r)
{
  struct wn_config *c = r->c;
  struct wn_cfg_plasma *p = &c->plasma;
  const struct wn_entry *e = wn_reader_find(r, "duration");
  if (c->duration < 0)
    wn_reader_error(r, e, "duration", "%sa plasma needs a time, such as \"1 us\"",
                    e != NULL ? "" : "missing; ");
  if (wn_reader_find(r, "plasma.time_step") == NULL)
    wn_reader_error(r, NULL, "plasma.time_step",
                    "missing; give the time between two solutions of the field");
  if (!(c->duration > 0 && p->time_step > 0))
    return; /* reported already */
  /* a quotient that rounding has raised above a whole number is that number */
  double steps = ceil(c->duration / p->time_step * (1 - 1e-12));
  if (steps > MOST_STEPS)
    WRONG(r, "plasma.time_step", "%.9g steps in the duration, %.9g s; at most %.9g",
          steps, c->duration, MOST_STEPS);
  else
    p->steps = (size_t)steps;
  check_interval(r, "plasma.integrals_interval", p->integrals_interval);
  check_interval(r, "plasma.fields_interval", p->fields_interval);
  check_interval(r, "plasma.moments_interval", p->moments_interval);
  check_interval(r, "plasma.particles_interval", p->particles_interval);
}

static void check_modes(struct wn_reader *r)
{
  const struct wn_cfg_plasma *p = &r->c->plasma;
  const struct wn_entry *e = wn_reader_find(r, "plasma.modes");
  for (size_t i = 0; e != NULL && p->modes != NULL && i < p->n_modes; i++) {
    const config_setting_t *one = config_setting_is_aggregate(e->value)
                                      ? config_setting_get_elem(e->value, (unsigned)i)
                                      : e->value;
    const double *m = &p->modes[3 * i];
    size_t n = config_setting_is_aggregate(one) ? (size_t)config_setting_length(one) : 1;
    if (n != (size_t)p->dim) {
      wn_reader_error(r, e, e->key,
                      "mode %zu has %zu number%s, and the grid has %d ax%ss; give a list "
                      "of lists, as in ( [1, 0], [0, 2] )",
                      i + 1, n, n == 1 ? "" : "s", p->dim, p->dim > 1 ? "e" : "i");
      continue;
    }
    if (m[0] == 0 && m[1] == 0 && m[2] == 0)
      wn_reader_error(r, e, e->key, "mode %zu is 0 along all axes", i + 1);
    for (int d = 0; d < p->dim; d++)
      if (m[d] != floor(m[d]) || fabs(m[d]) * 2 > (double)p->cells[d])
        wn_reader_error(r, e, e->key,
                        "mode %zu has %.9g waves along %c; allowed: a whole number, at "
                        "most %zu on %zu cells",
                        i + 1, m[d], axis_name[d], p->cells[d] / 2, p->cells[d]);
  }
}

/* Steps and cells beyond the limits of the method. */
static void check_limits(struct wn_reader *r)
{
  const struct wn_cfg_plasma *p = &r->c->plasma;
  const char *key =
      wn_steps_are_adaptive(r->c) ? "plasma.adaptive.least" : "plasma.time_step";
  const struct wn_entry *e = wn_reader_find(r, key);
  const double dt = wn_step_of_level(r->c, wn_step_levels(r->c));
  struct wn_plasma_limits l;
  wn_plasma_limits(r->c, &l);
  if (p->field == WN_FIELD_NODES) { /* no charge makes it */
    l.omega_p_dt = l.omega_p = l.h_max = 0.0;
    l.cold = NULL;
  }
  if (l.omega_p_dt >= WN_PLASMA_FREQUENCY && !(p->allow & WN_ALLOW_PLASMA_FREQUENCY))
    wn_reader_error(
        r, e, key,
        "plasma frequency (%.4g rad/s) times time step is %.4g: the run would be "
        "unstable; use a step below %.4g s, or set plasma.allow = [\"plasma-frequency\"]",
        l.omega_p, l.omega_p_dt, WN_PLASMA_FREQUENCY * dt / l.omega_p_dt);
  else if (l.omega_p_dt > WN_PLASMA_COARSE && !(p->allow & WN_ALLOW_PLASMA_FREQUENCY))
    wn_log_at(WN_LOG_WARN, e->from_set ? e->place : r->file, e->from_set ? 0 : e->line,
              "key `%s`: plasma frequency times time step is %.4g; above "
              "%.4g oscillations are poorly resolved",
              key, l.omega_p_dt, WN_PLASMA_COARSE);
  if (l.crossing > WN_PLASMA_CROSSING && !(p->allow & WN_ALLOW_CELL_CROSSING))
    wn_reader_error(r, e, key,
                    "species %s crosses %.4g cells in a step, with its drift and five "
                    "thermal speeds; at most %.4g s for one cell, or set plasma.allow = "
                    "[\"cell-crossing\"]",
                    l.fastest->name, l.crossing, dt / l.crossing);
  else if (l.driven > WN_PLASMA_CROSSING && !(p->allow & WN_ALLOW_CELL_CROSSING))
    wn_log_at(WN_LOG_WARN, e->from_set ? e->place : r->file, e->from_set ? 0 : e->line,
              "key `%s`: a particle of species %s that falls through the %.4g "
              "V between walls crosses %.3g cells in a step, and a run in which one "
              "crosses more than one ends then; %.3g s would do, or plasma.allow = "
              "[\"cell-crossing\"]",
              key, l.driven_one->name, l.voltage, l.driven, dt / l.driven);
  const double periods = l.omega_p * p->time_step * (double)p->steps / (2.0 * WN_PI);
  const bool is_magnetized =
      p->magnetic[0] != 0.0 || p->magnetic[1] != 0.0 || p->magnetic[2] != 0.0;
  if (l.cold != NULL && !is_magnetized && p->gather == WN_GATHER_MOMENTUM &&
      periods > WN_PLASMA_COLD)
    wn_log(
        WN_LOG_WARN,
        "%s: species %s has no temperature, and the run %.3g plasma periods: it will "
        "heat by the finite-grid instability; plasma.gather = \"energy\" does not have "
        "it (doc/plasma.md, Limits)",
        r->file, l.cold->name, periods);
  if (l.h_max > WN_PLASMA_DEBYE * l.debye && !(p->allow & WN_ALLOW_DEBYE_LENGTH))
    WRONG(r, "grid.cells",
          "a cell of %.4g m is longer than pi Debye lengths of species %s, %.4g m: the "
          "plasma would heat up; use %.1f times as many cells, or set plasma.allow = "
          "[\"debye-length\"]",
          l.h_max, l.coldest->name, l.debye, l.h_max / (WN_PLASMA_DEBYE * l.debye));
}

int wn_config_check_plasma(struct wn_reader *r)
{
  struct wn_config *c = r->c;
  bool grid = check_grid(r), sound = true;
  default_particles(r);
  wn_config_name_sources(r);
  wn_config_name_electrodes(r);
  WN_TRY(wn_config_check_collisions(r));
  check_methods(r);
  check_moments(r);
  wn_reader_check_sparse(r);
  wn_reader_check_nodes(r);
  if (c->plasma.nodes.file != NULL && *c->plasma.nodes.file)
    WN_TRY(wn_config_find_file(r, wn_reader_find(r, "plasma.nodes.file"),
                               "plasma.nodes.file", c->plasma.nodes.file,
                               &c->plasma.nodes.path));
  check_time(r);
  wn_config_check_adaptive(r);
  WN_TRY(check_all_species(r, grid));
  if (c->plasma.dim > 0) {
    check_walls(r);
    check_multigrid(r);
    wn_config_check_circuits(r);
    wn_config_check_electrodes(r, grid);
    wn_config_check_dielectrics(r, grid);
    wn_config_check_emission(r);
    check_modes(r);
    wn_config_check_averages(r);
    wn_config_check_distributions(r);
    wn_config_check_sources(r);
    wn_config_check_thermostats(r);
    wn_config_check_coulomb(r);
    wn_config_check_merging(r);
  }
  if (grid) {
    wn_config_check_products(r);
    wn_config_check_reactions(r);
    wn_config_check_followed(r);
    wn_config_check_photoionization(r);
    wn_config_check_test_electrons(r);
  }
  for (size_t i = 0; i < c->n_species; i++)
    sound = sound && (c->species[i].density > 0 || !c->species[i].mobile ||
                      is_supplied(c, &c->species[i]));
  if (grid && sound)
    check_charge(r);
  if (grid && sound && c->plasma.time_step > 0)
    check_limits(r);
  return WN_OK;
}
