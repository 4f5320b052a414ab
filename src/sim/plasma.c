/* src/sim/plasma.c - see plasma.h. */
#include "src/sim/plasma.h"
#include <math.h>
#include <stdlib.h>
#include "base/alloc.h"
#include "base/error.h"
#include "base/threads.h"
#include "device/gpu.h"
#include "particles/load_balance.h"
#include "physics/constants.h"
#include "physics/ion.h"
#include "physics/mcc_collision_free.h"
#include "physics/mover.h"
#include "src/config/plasma_derived.h"
#include "src/config/plasma_limits.h"
#include "src/config/source_numbers.h"
#include "fields/electrode_circuit.h"
#include "src/sim/electrodes.h"
#include "src/sim/grid_rates.h"
#include "src/sim/loading.h"
#include "src/sim/nodal_source.h"
#include "src/sim/photoionization.h"

/* Groups of the sums of electrons that collide often, on a GPU: more cells mean fewer
 * conflicting atomics.  On the CPU, and where sums are made in registers
 * (physics/mcc_collision_free.h), one group is the fastest. */
#define GROUPS 32

_Static_assert(WN_FIELD_SPECIES >= WN_MAX_SPECIES, "a field is made by all species");

static int is_ion(const struct wn_config *c, size_t k)
{
  return wn_config_is_ion(&c->species[k]);
}

static int is_electron(const struct wn_config *c, size_t k)
{
  return wn_config_is_electron(&c->species[k]);
}

int wn_plasma_check_gas(const struct wn_config *c, const struct wn_gas *gas)
{
  const struct wn_xs_view *v = &gas->table->view;
  for (size_t k = 0; k < c->n_species; k++) {
    const struct wn_cfg_species *s = &c->species[k];
    for (int i = 0; i < v->n_processes && is_electron(c, k); i++) {
      const int kind = v->process[i].kind;
      if ((kind == WN_PROC_IONIZATION && s->ions == NULL) ||
          (kind == WN_PROC_ATTACHMENT && s->anions == NULL))
        return WN_FAIL(
            WN_EINPUT,
            "%s: key `species.%s.%s`: missing; the gas has `%s`, and its ions "
            "are charge that may not be lost: name a species of charge %s1, as "
            "in %s = { density = \"0 m-3\"; charge = %s1; mass = \"30 u\"; }",
            c->file, s->name, kind == WN_PROC_IONIZATION ? "ions" : "anions",
            gas->process_name[v->process[i].index], kind == WN_PROC_IONIZATION ? "" : "-",
            kind == WN_PROC_IONIZATION ? "ions" : "anions",
            kind == WN_PROC_IONIZATION ? "" : "-");
    }
  }
  return wn_grid_rates_check(c, gas);
}

/* Set up a species without collisions. */
static int set_up_points(struct wn_sim *s, size_t k)
{
  const struct wn_points m = wn_plasma_points_of(s->c, k);
  s->species[k]->is_fixed = !s->c->species[k].mobile;
  if (s->species[k]->model.ops == &wn_model_midpoint)
    *(struct wn_midpoint *)s->species[k]->model.data = wn_plasma_midpoint_of(s->c, k);
  else
    *(struct wn_points *)s->species[k]->model.data = m;
  return s->gpu == NULL && wn_plasma_orders(s->c, k)
             ? wn_sort_create(&m.grid, s->c->threads, &s->species[k]->order)
             : WN_OK;
}

/* Set up electrons in the gas. */
static void set_up_electrons(struct wn_sim *s, size_t k)
{
  struct wn_species *e = s->species[k];
  struct wn_mcc *m = wn_species_mcc(e);
  wn_sim_gas(s, m);
  m->n_groups = e->shape.n_groups;
  m->in_grid = 1;
  m->grid.points = wn_plasma_points_of(s->c, k);
  wn_mcc_grid_prepare(&m->grid);
  e->mobility_steps = (unsigned)s->c->plasma.mobility_steps;
}

/* Ions in the gas. */
static void set_up_ions(struct wn_sim *s, size_t k)
{
  struct wn_ion *m = s->species[k]->model.data;
  m->xs = s->gas->ions[k]->table->view;
  s->species[k]->subcycling = (unsigned)s->c->species[k].subcycling;
  m->key = wn_rng_key(s->c->seed);
  m->charge = s->c->species[k].charge * WN_E;
  m->mass = s->c->species[k].mass;
  m->n_groups = 1;
  m->in_grid = 1;
  m->grid.points = wn_plasma_points_of(s->c, k);
  wn_mcc_grid_prepare(&m->grid);
  wn_ion_prepare(m);
}

static const struct wn_model_ops *model_of(const struct wn_config *c, size_t k)
{
  return is_electron(c, k)                   ? &wn_model_mcc
         : is_ion(c, k)                      ? &wn_model_ion
         : c->plasma.field == WN_FIELD_NODES ? &wn_model_midpoint
                                             : &wn_model_collisionless;
}

/* The scheduler of a species: `tiles` is for those without collisions. */
static int scheduler_of(const struct wn_config *c, size_t k,
                        const struct wn_device_plan *plan,
                        const struct wn_scheduler_ops **out)
{
  *out = plan->ops;
  return plan->ops->supports != NULL && !plan->ops->supports(model_of(c, k))
             ? wn_scheduler_find("auto", plan->device, out)
             : WN_OK;
}

/* Groups of the sums of species k. */
static int n_groups(const struct wn_sim *s, size_t k)
{
  const struct wn_config *c = s->c;
  if (!is_electron(c, k) || s->gpu == NULL)
    return 1;
  const double h = c->plasma.time_step / (double)c->plasma.mobility_steps;
  return s->gas->table->view.nu_max * h < WN_MCC_COLLISION_FREE_MOST ? 1 : GROUPS;
}

static int n_processes(const struct wn_sim *s, size_t k)
{
  return is_electron(s->c, k) ? s->gas->table->view.n_processes
         : is_ion(s->c, k)    ? s->gas->ions[k]->table->view.n_processes
                              : 0;
}

static int set_up_geometry(struct wn_sim *s)
{
  const int n = wn_plasma_n_surfaces(s->c);
  s->geometry = wn_plasma_geometry(s->c);
  s->geometry.surface = wn_alloc((size_t)n, sizeof *s->geometry.surface);
  if (s->geometry.surface == NULL)
    return WN_ENOMEM;
  for (; s->geometry.n_surfaces < n; s->geometry.n_surfaces++)
    s->geometry.surface[s->geometry.n_surfaces] =
        wn_plasma_surface(s->c, s->geometry.n_surfaces);
  return WN_OK;
}

/* The host keeps the particles, and sums and removes them by all its threads. */
static int put_in_batches(struct wn_sim *s, size_t k, size_t bytes)
{
  struct wn_particles *p = &s->species[k]->p;
  WN_TRY(wn_gpu_in_batches(s->gpu, p, bytes));
  wn_particles_use_threads(p, wn_threads(s->c->threads));
  return WN_OK;
}

int wn_plasma_set_up(struct wn_sim *s, const struct wn_device_plan *plan)
{
  const struct wn_config *c = s->c;
  WN_ASSERT(c->n_species <= WN_MAX_SPECIES);
  WN_TRY(wn_plasma_fits(c));
  WN_TRY(set_up_geometry(s));
  if (s->gas != NULL)
    WN_TRY(wn_plasma_check_gas(c, s->gas));
  for (size_t k = 0; k < c->n_species; k++) {
    const size_t n = wn_loading_number(c, &c->species[k]);
    const struct wn_record record = wn_plasma_record(c, k);
    struct wn_species_spec spec = {
        .model = model_of(c, k),
        .options = plan->options,
        .shape = {.n_groups = n_groups(s, k),
                  .n_processes = n_processes(s, k),
                  .n_surfaces = s->geometry.n_surfaces},
        .record = &record,
        /* those made on a GPU come to the host only when they are asked for, or in batches */
        .capacity = s->gpu != NULL && c->species[k].profile != WN_PROFILE_FILE ? 0 : n,
        .limit = wn_plasma_grows(c, k) ? c->capacity : n};
    spec.options.gpu = s->gpu;
    WN_TRY(scheduler_of(c, k, plan, &spec.ops));
    WN_TRY(wn_species_create(&spec, &s->species[k]));
    s->n_species = k + 1;
    if (plan->in_batches)
      WN_TRY(put_in_batches(s, k, plan->options.batch_bytes));
    s->species[k]->no_energy = 1; /* the ledger of other jobs */
    s->species[k]->in_slabs = c->divide == WN_DIVIDE_DOMAINS;
    if (is_ion(c, k))
      set_up_ions(s, k);
    else if (!wn_plasma_collides(c, k))
      WN_TRY(set_up_points(s, k));
  }
  for (size_t k = 0; k < c->n_species; k++)
    if (is_electron(c, k))
      set_up_electrons(s, k);
  return WN_OK;
}

int wn_plasma_field(const struct wn_sim *s, struct wn_field **out)
{
  struct wn_electrostatic_spec spec = wn_plasma_field_spec(s->c);
  spec.gpu = s->gpu;
  if (s->c->plasma.field == WN_FIELD_NODES) {
    struct wn_nodal_spec of = {.plasma = spec};
    WN_TRY(wn_nodal_source(s->c, &of.source));
    return wn_nodal_create(&of, out);
  }
  if (s->c->plasma.field == WN_FIELD_SPARSE) {
    struct wn_sparse_spec of = wn_plasma_sparse_spec(s->c);
    of.full.gpu = s->gpu;
    return wn_sparse_create(&of, out);
  }
  return wn_electrostatic_create(&spec, out);
}

/* The same for electrodes. */
static void tell_electrodes(struct wn_sim *s)
{
  struct wn_electrode_circuits *c = wn_field_loops(s->field);
  for (int i = 0; c != NULL && i < c->n; i++)
    for (size_t k = 0; k < s->n_species; k++)
      c->loop[i].taken[k] =
          s->species[k]->tally.surface[2 * s->geometry.dim + c->loop[i].electrode].quanta;
}

void wn_plasma_tell_walls(struct wn_sim *s)
{
  tell_electrodes(s);
  if (!wn_field_has_circuit(s->field))
    return;
  for (size_t k = 0; k < s->n_species; k++) {
    const struct wn_tally_surface *side = s->species[k]->tally.surface;
    const wn_i128 quanta[2] = {side[0].quanta, side[1].quanta};
    s->field->ops->grid->taken(s->field, k, quanta);
  }
}

int wn_plasma_release(struct wn_sim *s)
{
  for (size_t k = 0; k < s->n_species; k++) {
    WN_TRY(wn_particles_room(wn_load(s->c, k, s->gpu, s->species[k])));
    WN_TRY(wn_particles_within(&s->species[k]->p));
  }
  return wn_electrodes_clear_seeds(s);
}

/* The square of the plasma frequency of one real particle in 1 m3, rad2/s2, times the square of its steps; 0 where
 * the species does not move. */
static double square_of_one(const struct wn_config *c, size_t k)
{
  const double q = c->species[k].charge * WN_E;
  return c->species[k].mobile ? q * q / (WN_EPS0 * c->species[k].mass) *
                                    wn_loading_weight(c, &c->species[k]) *
                                    pow((double)c->species[k].subcycling, 2)
                              : 0.0;
}

/* The largest square over the nodes, of all species. */
static int square_of_nodes(const struct wn_sim *s, double *most)
{
  const struct wn_config *c = s->c;
  const size_t n = wn_field_nodes(s->field);
  int status = WN_OK;
  double *density = wn_alloc(2 * n, sizeof *density); /* all 0 */
  if (density == NULL)
    return WN_ENOMEM;
  double *square = density + n;
  for (size_t k = 0; k < c->n_species && status == WN_OK; k++) {
    const double of_one = square_of_one(c, k);
    if (!(of_one > 0.0))
      continue;
    status = wn_field_density(s->field, k, density);
    for (size_t i = 0; i < n && status == WN_OK; i++)
      square[i] += of_one * density[i];
  }
  *most = 0.0;
  for (size_t i = 0; i < n; i++)
    *most = fmax(*most, square[i]);
  free(density);
  return status;
}

/* Not below it: each species where it is densest, INFINITY where the field does not know.  That is
 * one number of each, where the densities of a large grid take seconds. */
static int square_at_most(const struct wn_sim *s, double *most)
{
  *most = 0.0;
  for (size_t k = 0; k < s->c->n_species; k++) {
    const double of_one = square_of_one(s->c, k);
    double densest;
    if (!(of_one > 0.0))
      continue;
    WN_TRY(wn_field_densest(s->field, k, &densest));
    *most += of_one * densest;
  }
  return WN_OK;
}

int wn_plasma_outgrown(const struct wn_sim *s)
{
  const struct wn_config *c = s->c;
  const double dt = s->interval;
  double most;
  if ((!wn_config_has_gas(c) && c->n_reactions == 0 && c->plasma.n_sources == 0) ||
      c->plasma.allow & WN_ALLOW_PLASMA_FREQUENCY)
    return WN_OK;
  WN_TRY(square_at_most(s, &most));
  if (sqrt(most) * dt < WN_PLASMA_FREQUENCY)
    return WN_OK;
  WN_TRY(square_of_nodes(s, &most));
  if (sqrt(most) * dt < WN_PLASMA_FREQUENCY)
    return WN_OK;
  return WN_FAIL(
      WN_ERUN,
      "at %.6g s the plasma has outgrown its step: plasma frequency (%.4g "
      "rad/s) times the step is %.4g, and from %g on the run is "
      "unstable; take a shorter step or duration, steps that become shorter with "
      "the plasma (plasma.adaptive.least), or set plasma.allow = "
      "[\"plasma-frequency\"]",
      s->time, sqrt(most), sqrt(most) * dt, WN_PLASMA_FREQUENCY);
}

/* The sample of a species' particles. */
static struct wn_sample sample_of(const struct wn_species *of)
{
  const struct wn_points *m = wn_plasma_points(of);
  struct wn_sample what = {.kind = WN_SAMPLE_ELECTRONS,
                           .unit = 1.0 / WN_C,
                           .velocities = 3,
                           .relativistic = m->relativistic};
  if (wn_plasma_has_electrons(of))
    return what;
  what.kind = WN_SAMPLE_POINTS;
  what.dim = wn_point_dim(m->kind);
  what.velocities = wn_point_velocities(m->kind);
  what.weighted = wn_point_weighs(what.dim, what.velocities);
  return what;
}

/* The contributions of gas and field; weight: real particles of one. */
static void gas_sums(const struct wn_sim *s, size_t k, double weight,
                     struct wn_plasma_sums *out)
{
  const struct wn_tally *t = &s->species[k]->tally;
  const struct wn_xs_view *v = &s->gas->table->view;
  const double joule = weight * WN_E / WN_FIX_ENERGY;
  const int groups = s->species[k]->shape.n_groups,
            n_all = s->species[k]->shape.n_processes;
  wn_i128 gained = 0;
  for (int g = 0; g < groups; g++)
    gained += t->group[g].gained;
  out->work = (double)gained * joule;
  for (int i = 0; i < groups * n_all; i++)
    out->collisions += (double)t->lost[i] * joule;
  for (int i = 0; is_electron(s->c, k) && i < v->n_processes; i++) {
    const struct wn_process_view *p = &v->process[i];
    wn_i128 count = 0;
    for (int g = 0; g < groups; g++)
      count += t->count[g * n_all + p->index];
    const double n = (double)count / WN_FIX_WEIGHT * weight;
    out->born += p->kind == WN_PROC_IONIZATION ? n : 0.0;
    out->attached += p->kind == WN_PROC_ATTACHMENT ? n : 0.0;
  }
}

/* The sums of species k, from its sample and tally. */
static void make_sums(const struct wn_sim *s, size_t k, double unit, const wn_i128 *sums,
                      struct wn_plasma_sums *out)
{
  const struct wn_species *of = s->species[k];
  const double mass = wn_plasma_mass(s->c, k);
  *out = (struct wn_plasma_sums){0};
  const double weight = wn_loading_weight(s->c, &s->c->species[k]);
  out->particles = (double)sums[0] / WN_FIX_WEIGHT * weight;
  out->energy = (double)sums[4] / WN_FIX_LAG / (unit * unit) * mass;
  for (int d = 0; d < 3; d++)
    out->momentum[d] = (double)sums[1 + d] / WN_FIX_LAG / unit * mass;
  for (int i = 0; i < s->geometry.n_surfaces; i++) {
    const struct wn_tally_surface *took = &of->tally.surface[i];
    out->wall_energy += (double)took->energy / WN_FIX_ENERGY * weight * WN_E;
  }
  for (int i = 0; i < WN_ENERGY_CHANGES; i++)
    out->changes[i] = (double)s->energy_changes.all[i][k] / WN_FIX_ENERGY * weight * WN_E;
  if (wn_plasma_collides(s->c, k))
    gas_sums(s, k, weight, out);
}

double wn_plasma_taken(const struct wn_sim *s, size_t k, int surface)
{
  return (double)s->species[k]->tally.surface[surface].quanta / WN_QUANTA *
         wn_loading_weight(s->c, &s->c->species[k]);
}

int wn_plasma_sums(const struct wn_sim *s, size_t k, struct wn_plasma_sums *out)
{
  struct wn_species *of = s->species[k];
  const struct wn_sample what = sample_of(of);
  wn_i128 sums[WN_POINT_SUMS] = {0};
  of->p.census.wanted = 1; /* from the next step on */
  of->p.census.what = what;
  WN_TRY(wn_particles_sample(&of->p, &what, sums));
  make_sums(s, k, what.unit, sums, out);
  return WN_OK;
}

/* Whether a side took so many of species k by which a discharge leaves, by the weights. */
static int has_left(const struct wn_sim *s, size_t k, int side, int *has)
{
  const struct wn_cfg_species *of = &s->c->species[k];
  struct wn_plasma_sums sums;
  WN_TRY(wn_plasma_sums(s, k, &sums));
  const double took = wn_plasma_taken(s, k, side), all = sums.particles + took,
               loaded = wn_loading_weight(s->c, of) * (double)wn_loading_number(s->c, of);
  *has = took >= (all < 10.0 * loaded ? 10.0 : 1.0) * WN_PLASMA_LEFT * all;
  return WN_OK;
}

int wn_plasma_left_by(const struct wn_sim *s, int *left)
{
  const struct wn_config *c = s->c;
  *left = -1;
  for (size_t k = 0; k < s->n_species; k++) {
    const struct wn_species *of = s->species[k];
    if (!wn_config_is_electron(&c->species[k]))
      continue;
    const double present = (double)wn_particles_all(&of->p);
    for (int side = 0; side < 2 * c->plasma.dim && *left < 0; side++) {
      const enum wn_potential field = c->plasma.wall[side].field;
      const double took = (double)of->tally.surface[side].number;
      int has = 0;
      if ((field == WN_NEUMANN || field == WN_OPEN) && took > 0.0 &&
          took >= WN_PLASMA_LEFT * (present + took))
        WN_TRY(has_left(s, k, side, &has));
      *left = has ? side : *left;
    }
  }
  return WN_OK;
}

void wn_plasma_expect_sums(const struct wn_sim *s, int expected)
{
  for (size_t k = 0; k < s->n_species; k++)
    if (s->species[k]->subcycling == 1)
      s->species[k]->p.census.wanted = expected;
}

/* Whether all species are on the GPU. */
static int are_there(const struct wn_sim *s)
{
  int are = s->gpu != NULL;
  for (size_t k = 0; k < s->n_species; k++)
    are = are && (s->species[k]->p.n == 0 || s->species[k]->p.place != WN_PARTICLES_HOST);
  return are;
}

/* n real ions from collisions of electrons.  A GPU makes them without the sum of their
 * energies: each counts with its mean, 3/2 kT. */
static void add_product(const struct wn_sim *s, double n, struct wn_plasma_sums *out)
{
  out->born += n;
  if (s->gpu != NULL && s->c->thermal_motion)
    out->changes[WN_ENERGY_CREATED] += 1.5 * WN_KB * s->c->temperature * n;
}

/* Ions that came of collisions of electrons (src/sim/ion_products.c). */
static void add_products(const struct wn_sim *s, struct wn_plasma_sums *out)
{
  const struct wn_config *c = s->c;
  for (size_t k = 0; k < s->n_species; k++) {
    const struct wn_cfg_species *ions = wn_config_species_of(c, c->species[k].ions),
                                *anions = wn_config_species_of(c, c->species[k].anions);
    if (!is_electron(c, k) || !wn_plasma_collides(c, k))
      continue;
    if (ions != NULL)
      add_product(s, out[k].born, &out[ions - c->species]);
    if (anions != NULL)
      add_product(s, out[k].attached, &out[anions - c->species]);
  }
}

int wn_plasma_all_sums(const struct wn_sim *s, struct wn_plasma_sums *out)
{
  const struct wn_particles *p[WN_MAX_SPECIES];
  struct wn_sample what[WN_MAX_SPECIES];
  wn_i128 sums[WN_MAX_SPECIES][WN_POINT_SUMS] = {{0}};
  const int there = are_there(s);
  for (size_t k = 0; k < s->n_species; k++) {
    struct wn_species *of = s->species[k];
    p[k] = &of->p;
    what[k] = sample_of(of);
    if (there)
      continue;
    of->p.census.wanted = 1; /* from the next step on */
    of->p.census.what = what[k];
    WN_TRY(wn_particles_sample_here(p[k], &what[k], sums[k]));
  }
  if (there)
    WN_TRY(wn_gpu_sample_moving(s->gpu, s->n_species, p, what, sums));
  wn_ranks_sum(&sums[0][0], s->n_species * WN_POINT_SUMS);
  for (size_t k = 0; k < s->n_species; k++)
    make_sums(s, k, what[k].unit, sums[k], &out[k]);
  add_products(s, out);
  for (size_t k = 0; k < s->n_species; k++)
    out[k].born +=
        wn_source_created(
            s->c, k, wn_step_clock_count(&s->adaptive.clock) * s->c->plasma.time_step) +
        wn_photoionization_born(s, k);
  return WN_OK;
}
