/* src/config/plasma_derived.c - see plasma_derived.h. */
#include "src/config/plasma_derived.h"
#include <math.h>
#include "base/ranks.h"
#include "base/threads.h"
#include "particles/sort.h"
#include "physics/constants.h"
#include "physics/loading.h"
#include "schedulers/model.h"
#include "src/config/electrode_shapes.h"
#include "src/config/internal.h"
#include "src/config/reactions.h"
#include "src/config/sources.h"
#include "src/io/particle_file.h"

int wn_plasma_n_surfaces(const struct wn_config *c)
{
  return 2 * c->plasma.dim + wn_electrode_shapes_electrodes(c) +
         wn_electrode_shapes_dielectrics(c);
}

struct wn_surface wn_plasma_surface(const struct wn_config *c, int i)
{
  const struct wn_geometry g = wn_plasma_geometry(c);
  if (i >= 2 * g.dim)
    return (struct wn_surface){
        .name = wn_electrode_shapes_electrode(c, i)->name,
        .particles = WN_SIDE_ABSORB,
        .potential = i < 2 * g.dim + wn_electrode_shapes_electrodes(c) ? WN_DIRICHLET
                                                                       : WN_NEUMANN};
  const struct wn_cfg_wall *w = &c->plasma.wall[i];
  struct wn_surface s = wn_geometry_side(&g, i);
  s.name = wn_config_walls.names[i];
  s.particles = (int32_t)w->particles;
  s.potential = (int32_t)w->field;
  return s;
}

int wn_plasma_surface_rows(const struct wn_config *c)
{
  const int n = wn_plasma_n_surfaces(c);
  return n > WN_SIDES ? n : WN_SIDES;
}

const char *wn_plasma_surface_name(const struct wn_config *c, int i)
{
  return i < wn_plasma_n_surfaces(c) ? wn_plasma_surface(c, i).name
                                     : wn_config_walls.names[i];
}

struct wn_grid_view wn_plasma_grid(const struct wn_config *c)
{
  const struct wn_cfg_plasma *p = &c->plasma;
  const struct wn_geometry of = wn_plasma_geometry(c);
  struct wn_grid_view g = {.dim = p->dim,
                           .shape = (int32_t)p->shape,
                           .gather = (int32_t)p->gather,
                           .stride = p->dim == 3 ? 4 : p->dim,
                           .cells = {1, 1, 1},
                           .is_radial = wn_plasma_is_radial(c)};
  int32_t step = 1;
  for (int d = 0; d < p->dim; d++) {
    g.cells[d] = of.axis[d].cells;
    g.length[d] = of.axis[d].length;
    g.h[d] = of.axis[d].h;
    g.per_h[d] = (double)g.cells[d] / g.length[d];
    g.bits[d] = wn_place_bits(g.cells[d]);
    g.step[d] = step;
    g.first += WN_GRID_GUARD * step;
    step *= g.cells[d] + 1 + 2 * WN_GRID_GUARD;
    for (int side = 2 * d; side < 2 * d + 2; side++)
      g.side[side] = (int32_t)p->wall[side].particles;
  }
  return g;
}

static double own_or_source(const struct wn_config *c, const struct wn_cfg_species *sp)
{
  const double own = wn_loading_own_weight(c, sp);
  return own > 0.0 ? own : wn_source_weight(c, sp);
}

/* Of collisions, its own, or of sources. */
static double weight_of(const struct wn_config *c, const struct wn_cfg_species *sp)
{
  const struct wn_cfg_species *maker = wn_config_product_source(c, sp),
                              *of = maker != NULL ? maker : sp;
  double weight = own_or_source(c, of);
  for (size_t i = 0; i < c->plasma.n_sources && weight == 0.0; i++) { /* of its pair */
    const struct wn_cfg_source *o = &c->plasma.sources[i];
    const long k = wn_source_species(c, o);
    if (k >= 0 && wn_source_pair(c, o) == of - c->species)
      weight = own_or_source(c, &c->species[k]);
  }
  return weight;
}

/* Where none is known by that, of a species that reacts with it; 0: none. */
static double weight_by_reactions(const struct wn_config *c,
                                  const struct wn_cfg_species *sp, unsigned seen)
{
  const struct wn_cfg_species *maker = wn_config_product_source(c, sp);
  double w = weight_of(c, sp);
  seen |= 1u << (sp - c->species);
  if (!(w > 0) && maker != NULL && !(seen >> (maker - c->species) & 1u))
    w = weight_by_reactions(c, maker, seen);
  for (size_t i = 0; i < c->n_reactions && !(w > 0); i++) {
    const struct wn_cfg_reaction *r = &c->reactions[i];
    if (!wn_reaction_has(r, sp))
      continue;
    for (size_t k = 0; k < c->n_species && !(w > 0); k++)
      if (!(seen >> k & 1u) && wn_reaction_has(r, &c->species[k]))
        w = weight_by_reactions(c, &c->species[k], seen);
  }
  return w;
}

double wn_loading_weight(const struct wn_config *c, const struct wn_cfg_species *sp)
{
  return c->n_reactions == 0 || c->n_species > WN_MAX_SPECIES
             ? weight_of(c, sp)
             : weight_by_reactions(c, sp, 0);
}

static double cells_of(const struct wn_config *c)
{
  double n = 1.0;
  for (int d = 0; d < c->plasma.dim; d++)
    n *= (double)c->plasma.cells[d];
  return n;
}

/* Particles per volume beside those at the maximum: the mean of the profile, unless weights follow it. */
static double mean_number(const struct wn_config *c, const struct wn_cfg_species *sp)
{
  return sp->weights == WN_WEIGHTS_PROFILE ? 1.0 : wn_loading_mean(c, sp);
}

double wn_loading_own_weight(const struct wn_config *c, const struct wn_cfg_species *sp)
{
  const struct wn_geometry g = wn_plasma_geometry(c);
  if (sp->macroparticles > 0)
    return sp->density * wn_geometry_cell(&g) * cells_of(c) * mean_number(c, sp) /
           (double)sp->macroparticles;
  return sp->per_cell > 0 ? sp->density * wn_geometry_cell(&g) / (double)sp->per_cell
                          : 0.0;
}

/* The normal distribution function. */
static double normal(double x)
{
  return 0.5 * erfc(-x * sqrt(0.5));
}

bool wn_loading_along(const struct wn_config *c, const struct wn_cfg_species *sp, int d,
                      double *from, double *to)
{
  const double length = c->plasma.length[d], width = sp->width[d], centre = sp->centre[d];
  if (width == WN_AUTO ||
      (sp->profile != WN_PROFILE_SLAB && sp->profile != WN_PROFILE_GAUSSIAN &&
       sp->profile != WN_PROFILE_SHEET))
    return false;
  if (sp->profile == WN_PROFILE_SHEET) {
    *from = 0.5 + 0.5 * tanh(-centre / width);
    *to = 0.5 + 0.5 * tanh((length - centre) / width);
    return true;
  }
  if (sp->profile == WN_PROFILE_SLAB) {
    *from = fmax(0.0, (centre - 0.5 * width) / length);
    *to = fmin(1.0, (centre + 0.5 * width) / length);
    if (d == 0 && wn_plasma_is_radial(c)) { /* parts of the volume */
      *from *= *from;
      *to *= *to;
    }
  } else if (d == 0 &&
             wn_plasma_is_radial(c)) { /* 1 - exp(-(r/width)^2/2), about r = 0 */
    *from = 0.0;
    *to = -expm1(-0.5 * (length / width) * (length / width));
  } else {
    *from = normal(-centre / width);
    *to = normal((length - centre) / width);
  }
  return true;
}

double wn_loading_mean(const struct wn_config *c, const struct wn_cfg_species *sp)
{
  const struct wn_cfg_plasma *p = &c->plasma;
  double mean = 1.0;
  if (sp->profile == WN_PROFILE_FILE)
    return NAN;
  for (int d = 0; d < p->dim; d++) {
    double from, to;
    if (!wn_loading_along(c, sp, d, &from, &to))
      continue;
    mean *= to - from;
    if (sp->profile == WN_PROFILE_GAUSSIAN && d == 0 && wn_plasma_is_radial(c))
      mean *= 2.0 * (sp->width[d] / p->length[d]) * (sp->width[d] / p->length[d]);
    else if (sp->profile == WN_PROFILE_GAUSSIAN)
      mean *= sqrt(2.0 * WN_PI) * sp->width[d] / p->length[d];
    if (sp->profile == WN_PROFILE_SHEET)
      mean *= 2.0 * sp->width[d] / p->length[d];
  }
  if (sp->profile == WN_PROFILE_ANNULUS)
    mean *= WN_PI * (sp->radius[1] * sp->radius[1] - sp->radius[0] * sp->radius[0]) /
            (p->length[0] * p->length[1]);
  if (sp->profile == WN_PROFILE_RING) {
    struct wn_loading l = {.crest = sp->ring[0], .spread = sp->ring[1]};
    wn_loading_ring(&l);
    const double all =
        wn_loading_within(&l, WN_LOADING_RING, l.ring_to) - l.ring_below; /* m */
    mean *= 2.0 * WN_PI * sqrt(2.0 * WN_PI) * sp->ring[1] * all /
            (p->length[0] * p->length[1]);
  }
  return mean;
}

size_t wn_loading_number(const struct wn_config *c, const struct wn_cfg_species *sp)
{
  if (sp->profile == WN_PROFILE_FILE)
    return wn_particle_file_count(sp->path);
  if (sp->macroparticles > 0)
    return sp->density > 0 ? sp->macroparticles : 0;
  const double n =
      sp->density > 0 ? (double)sp->per_cell * mean_number(c, sp) * cells_of(c) : 0.0;
  return (size_t)(n + 0.5);
}

double wn_plasma_mass(const struct wn_config *c, size_t k)
{
  return c->species[k].mass * wn_loading_weight(c, &c->species[k]);
}

double wn_plasma_charge(const struct wn_config *c, size_t k)
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

bool wn_plasma_collides(const struct wn_config *c, size_t k)
{
  return c->species[k].collisions != WN_COLLISIONS_NONE;
}

double wn_plasma_lists_bytes(const struct wn_config *c, const struct wn_cfg_species *s)
{
  double cells = 1.0;
  for (int d = 0; d < c->plasma.dim; d++)
    cells *= (double)c->plasma.cells[d];
  const double n = s->profile != WN_PROFILE_FILE && s->density > 0
                       ? (double)wn_loading_number(c, s)
                       : 0.0;
  return 2.0 * sizeof(size_t) * cells + 2.0 * sizeof(uint32_t) * 1.125 * n;
}

struct wn_record wn_plasma_record(const struct wn_config *c, size_t k)
{
  return wn_plasma_collides(c, k) ? wn_model_mcc.record /* also the record of model ion */
                                  : wn_particles_points(point_kind(&c->plasma));
}

bool wn_plasma_has_electron_emission(const struct wn_config *c)
{
  bool any = false;
  for (int i = 0; c->model == WN_MODEL_PLASMA && i < wn_plasma_n_surfaces(c); i++) {
    const struct wn_cfg_wall *w = wn_electrode_shapes_wall(c, i);
    any = any || w->electron_reflection > 0 || w->electron_backscattering > 0 ||
          w->electron_yield > 0;
  }
  return any;
}

long wn_plasma_emits_into(const struct wn_config *c, size_t k)
{
  long to = -1;
  if (!wn_config_is_any_electron(&c->species[k]))
    return -1;
  if (wn_plasma_collides(c, k))
    return (long)k;
  for (size_t i = 0; i < c->n_species; i++)
    if (wn_config_is_electron(&c->species[i])) {
      if (to >= 0)
        return -1;
      to = (long)i;
    }
  return to >= 0 ? to : (long)k;
}

static bool is_emitted(const struct wn_config *c, size_t k)
{
  bool any = false;
  for (int i = 0; i < wn_plasma_n_surfaces(c); i++)
    any = any || wn_electrode_shapes_wall(c, i)->yield > 0;
  return (any && wn_config_is_emitted(c, k)) ||
         (wn_plasma_has_electron_emission(c) &&
          wn_config_is_any_electron(&c->species[k]));
}

bool wn_plasma_grows(const struct wn_config *c, size_t k)
{
  return is_emitted(c, k) || wn_config_is_electron(&c->species[k]) ||
         wn_config_is_product(c, &c->species[k]) ||
         wn_source_of(c, &c->species[k]) != NULL;
}

struct wn_points wn_plasma_points_of(const struct wn_config *c, size_t k)
{
  const struct wn_cfg_plasma *p = &c->plasma;
  const struct wn_cfg_species *sp = &c->species[k];
  const int has_b =
      p->magnetic[0] != 0.0 || p->magnetic[1] != 0.0 || p->magnetic[2] != 0.0;
  struct wn_points m = {.grid = wn_plasma_grid(c),
                        .kind = point_kind(p),
                        .relativistic =
                            p->relativistic || wn_config_is_electron(&c->species[k]),
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

/* Whether number i, after the sides, belongs to another electrode and has no voltage of its own. */
static bool is_part(const struct wn_config *c, int i)
{
  return i >= 2 * c->plasma.dim &&
         c->plasma.electrodes[i - 2 * c->plasma.dim].part_of != NULL;
}

double wn_plasma_voltage(const struct wn_config *c)
{
  const struct wn_cfg_plasma *p = &c->plasma;
  const int sides = 2 * p->dim, n = sides + (int)p->n_electrodes;
  double most = 0.0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      const struct wn_cfg_wall *a = i < sides ? &p->wall[i]
                                              : &p->electrodes[i - sides].wall,
                               *b = j < sides ? &p->wall[j]
                                              : &p->electrodes[j - sides].wall;
      if (i != j && (i >= sides || a->field == WN_DIRICHLET) &&
          (j >= sides || b->field == WN_DIRICHLET) && !is_part(c, i) && !is_part(c, j))
        most = fmax(most, a->voltage + wn_plasma_amplitudes(a) - b->voltage +
                              wn_plasma_amplitudes(b));
    }
  return most;
}

double wn_plasma_amplitudes(const struct wn_cfg_wall *w)
{
  double sum = fabs(w->amplitude);
  for (int k = 0; k < WN_HARMONICS; k++)
    sum += fabs(w->harmonics[k]);
  return sum;
}

struct wn_wall_circuit wn_plasma_circuit(const struct wn_cfg_wall *w)
{
  const int has = w->capacitance > 0.0;
  return (struct wn_wall_circuit){
      .elastance = (has ? 1.0 / w->capacitance : 0.0) +
                   (w->dielectric_thickness > 0.0
                        ? w->dielectric_thickness / (WN_EPS0 * w->permittivity)
                        : 0.0),
      .resistance = w->resistance,
      .inductance = w->inductance,
      .floats = w->capacitance == 0.0};
}

bool wn_plasma_has_loop(const struct wn_config *c)
{
  bool any = false;
  for (int i = 0; i < wn_electrode_shapes_electrodes(c); i++) {
    const struct wn_wall_circuit loop =
        wn_plasma_circuit(wn_electrode_shapes_wall(c, 2 * c->plasma.dim + i));
    any = any || wn_wall_has_circuit(&loop);
  }
  return any;
}

bool wn_plasma_has_circuit(const struct wn_config *c)
{
  const struct wn_wall_circuit low = wn_plasma_circuit(&c->plasma.wall[0]),
                               high = wn_plasma_circuit(&c->plasma.wall[1]);
  return c->plasma.dim == 1 && (wn_wall_has_circuit(&low) || wn_wall_has_circuit(&high));
}

static struct wn_voltage voltage_of(const struct wn_cfg_wall *w)
{
  struct wn_voltage v = {.constant = w->voltage,
                         .amplitude = w->amplitude,
                         .frequency = w->frequency,
                         .phase = w->phase,
                         .start = w->pulse_start != WN_AUTO ? w->pulse_start : -INFINITY,
                         .end = w->pulse_end != WN_AUTO ? w->pulse_end : INFINITY};
  for (int k = 0; k < WN_HARMONICS; k++) {
    v.harmonic[k] = w->harmonics[k];
    v.harmonic_phase[k] = w->harmonic_phases[k];
  }
  return v;
}

struct wn_electrostatic_spec wn_plasma_field_spec(const struct wn_config *c)
{
  const struct wn_cfg_plasma *p = &c->plasma;
  struct wn_electrostatic_spec spec = {
      .grid = wn_plasma_grid(c),
      .poisson = {.dim = p->dim, .method = p->solver, .threads = c->threads},
      .n_species = c->n_species,
      .in_slabs = c->divide == WN_DIVIDE_DOMAINS && wn_ranks() > 1,
      .background = p->background ? NAN : 0.0};
  spec.poisson.geometry = wn_plasma_geometry(c);
  for (int d = 0; d < p->dim; d++)
    spec.poisson.cells[d] = p->cells[d];
  for (int side = 0; side < 2 * p->dim; side++) {
    const struct wn_cfg_wall *w = &p->wall[side];
    spec.poisson.side[side] = w->field;
    spec.voltage[side] = voltage_of(w);
    if (p->dim == 1)
      spec.circuit[side] = wn_plasma_circuit(w);
  }
  spec.n_electrodes = wn_electrode_shapes_electrodes(c);
  for (int i = 0; i < spec.n_electrodes; i++) {
    const struct wn_cfg_wall *w = wn_electrode_shapes_wall(c, 2 * p->dim + i);
    spec.electrode[i] = voltage_of(w);
    spec.loop[i] = wn_plasma_circuit(w);
  }
  spec.n_shapes = wn_electrode_shapes_all(c, spec.shape);
  for (size_t k = 0; k < c->n_species; k++) {
    spec.charge[k] = wn_plasma_charge(c, k);
    spec.fixed[k] = !c->species[k].mobile;
    spec.electrons[k] = wn_plasma_collides(c, k);
    spec.waits[k] = c->species[k].subcycling > 1 ? (int)c->species[k].subcycling : 0;
    spec.points[k] = wn_plasma_points_of(c, k);
  }
  return spec;
}

struct wn_sparse_spec wn_plasma_sparse_spec(const struct wn_config *c)
{
  const struct wn_cfg_plasma *p = &c->plasma;
  const int32_t least = (int32_t)p->sparse_least;
  struct wn_sparse_spec spec = {.full = wn_plasma_field_spec(c),
                                .at = p->sparse_combine,
                                .levels = {.dim = p->dim,
                                           .least = least,
                                           .more = p->sparse_offset > 0
                                                       ? (int32_t)p->sparse_offset
                                                       : (p->dim - 1) * least}};
  while (spec.levels.n < 30 && (size_t)2 << spec.levels.n <= p->cells[0])
    spec.levels.n++;
  return spec;
}

struct wn_nodal_parameters wn_plasma_nodal_parameters(const struct wn_config *c)
{
  struct wn_nodal_parameters p = c->plasma.nodes.by;
  for (int d = 0; d < 3; d++) {
    p.b[d] = c->plasma.magnetic[d];
    p.length[d] = c->plasma.length[d];
  }
  return p;
}

struct wn_midpoint wn_plasma_midpoint_of(const struct wn_config *c, size_t k)
{
  const struct wn_cfg_plasma *p = &c->plasma;
  struct wn_midpoint m = {
      .points = wn_plasma_points_of(c, k),
      .mover = p->mover,
      .iterations = (int32_t)p->midpoint.iterations,
      .tolerance = p->midpoint.tolerance,
      .substeps = (int32_t)p->midpoint.substeps,
      .most_turn =
          p->midpoint.most_turn != WN_AUTO ? p->midpoint.most_turn : (double)INFINITY,
      .most_cells =
          p->midpoint.most_cells != WN_AUTO ? p->midpoint.most_cells : (double)INFINITY};
  wn_midpoint_prepare(&m);
  return m;
}

bool wn_plasma_orders(const struct wn_config *c, size_t k)
{
  const struct wn_grid_view g = wn_plasma_grid(c);
  return !wn_plasma_collides(c, k) && c->species[k].mobile && wn_sort_pays(&g);
}

size_t wn_plasma_every(const struct wn_config *c, double interval)
{
  const double steps = round(interval / c->plasma.time_step);
  return steps < 1.0                       ? 1
         : steps < (double)c->plasma.steps ? (size_t)steps
                                           : c->plasma.steps;
}

size_t wn_plasma_moment_records(const struct wn_config *c)
{
  const double interval = c->plasma.moments_interval;
  return interval == WN_AUTO ? 0 : c->plasma.steps / wn_plasma_every(c, interval);
}

size_t wn_plasma_rows_every(const struct wn_config *c)
{
  const double interval = c->plasma.integrals_interval;
  return interval == WN_AUTO ? 1 : wn_plasma_every(c, interval);
}

double wn_plasma_node_sums_bytes(const struct wn_config *c, int values)
{
  const struct wn_grid_view g = wn_plasma_grid(c);
  return (double)wn_grid_nodes(&g) * values * sizeof(wn_i128) * wn_threads(c->threads);
}

struct wn_charge_nodes wn_plasma_charge_nodes(const struct wn_config *c)
{
  const struct wn_electrostatic_spec spec = wn_plasma_field_spec(c);
  return wn_charge_nodes(&spec.grid, &spec.poisson);
}

static int slabs_of(const struct wn_config *c)
{
  return c->divide == WN_DIVIDE_DOMAINS ? wn_ranks() : 1;
}

double wn_plasma_grid_bytes(const struct wn_config *c)
{
  return wn_plasma_slab_bytes(c, slabs_of(c), 0);
}

double wn_plasma_grid_gpu_bytes(const struct wn_config *c)
{
  return wn_plasma_slab_bytes(c, slabs_of(c), 1);
}

double wn_plasma_slab_bytes(const struct wn_config *c, int ranks, int on_gpu)
{
  const struct wn_electrostatic_spec spec = wn_plasma_field_spec(c);
  if (c->plasma.field == WN_FIELD_NODES) {
    const struct wn_nodal_spec of = {
        .plasma = spec, .source.is_linear = c->plasma.nodes.between, .source.n_times = 2};
    return (double)(on_gpu ? wn_nodal_gpu_bytes : wn_nodal_bytes)(&of);
  }
  if (c->plasma.field == WN_FIELD_SPARSE) {
    const struct wn_sparse_spec of = wn_plasma_sparse_spec(c);
    return (double)(on_gpu ? wn_sparse_gpu_bytes : wn_sparse_bytes)(&of);
  }
  return (double)(on_gpu ? wn_electrostatic_gpu_bytes : wn_electrostatic_bytes)(&spec,
                                                                                ranks);
}
