/* src/diag/integrals.c - diagnostic `integrals`: integrals over the whole plasma at the
 * middle of every step, or of every n-th: energies, momenta, charge, numbers, totals
 * taken by the walls, chosen modes of the potential.
 *
 * The field of a step is that of its middle.  Velocities belong to the ends, so kinetic
 * energy and momentum are the means of those before and after.  The sum of the energies
 * is that of a leapfrog scheme: it oscillates by the second order of the step and drifts
 * only in case of an error. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/error.h"
#include "fields/electrostatic.h"
#include "fields/waves.h"
#include "physics/constants.h"
#include "src/config/photoionization.h"
#include "src/config/plasma_derived.h"
#include "src/config/reactions.h"
#include "src/diag/buffered_rows.h"
#include "src/sim/followed.h"
#include "src/sim/particle_bounds.h"
#include "src/sim/photoionization.h"
#include "src/sim/plasma.h"
#include "src/sim/reactions.h"

/* The columns: a name, and the number of values in a row. */
enum {
  TIME,
  FIELD_ENERGY,
  CHARGE,
  GAUSS,
  RESIDUAL,
  KINETIC,
  MOMENTUM,
  CURRENT,
  DISPLACEMENT,
  PARTICLES,
  WALL_PARTICLES,
  WALL_CHARGE,
  WALL_ENERGY,
  MODE,
  /* for a species that collides with a gas; the first with sources, too */
  GAS,
  BORN = GAS,
  ATTACHED,
  WORK,
  COLLISIONS,
  /* with reactions */
  EVENTS,
  REACTION_ENERGY,
  /* of followed components of the gas */
  FOLLOWED,
  /* with photoionization */
  PHOTONS,
  PHOTONS_ABSORBED,
  PHOTONS_LEFT,
  PHOTONS_ROULETTE, /* with weights that pairs are to have */
  /* src/sim/energy_changes.h, in that order */
  CHANGES,
  CREATED = CHANGES,
  THERMOSTATS,
  COULOMB,
  MERGING,
  N_COLUMNS
};

struct wn_diag {
  const struct wn_config *c;
  size_t n_species, n_modes;
  int n_sides;    /* rows of surfaces */
  uint64_t every; /* steps per row */
  /* the integral of E in the last sampled step, and in the one before */
  double drop[3], drop_before[3];
  double length, length_before; /* s, of these steps */
  int knows_before;
  int uneven;  /* steps have several lengths */
  int is_open; /* the row after the buffered ones lacks only the field of the next step */
  struct wn_buffered_rows rows;
  struct wn_plasma_sums *last; /* [n_species], at the end of the last step */
  struct wn_waves waves;       /* of the modes; its arrays are the next */
  double *factor, *part;
};

static const struct wn_output_var vars[N_COLUMNS] = {
    [TIME] = {WN_VAR("time", "s", "time at the middle of the step"), WN_DIMS("time")},
    [FIELD_ENERGY] = {WN_VAR("field_energy", "J", "energy of the electric field"),
                      .comment = "of 1 m2 in one dimension, of 1 m in two, of all in r-z",
                      WN_DIMS("time")},
    [CHARGE] = {WN_VAR("total_charge", "C", "charge on the grid, with the background"),
                WN_DIMS("time")},
    [GAUSS] = {WN_VAR("gauss_error", "C",
                      "charge inside less eps0 times the flux through the walls"),
               WN_DIMS("time")},
    [RESIDUAL] = {WN_VAR("poisson_residual", "1",
                         "what is left of Poisson's equation by differences, over "
                         "the greatest charge density"),
                  .comment = "not of the spectral method, which has another operator",
                  WN_DIMS("time")},
    [KINETIC] = {WN_VAR("kinetic_energy", "J", "kinetic energy of each species"),
                 WN_DIMS("time", "species")},
    [MOMENTUM] = {WN_VAR("momentum", "kg m s-1", "momentum of each species"),
                  WN_DIMS("time", "species", "component")},
    [CURRENT] = {WN_VAR("current", "A m",
                        "current density of each species, integrated over the domain"),
                 .comment = "sum of charge times velocity; of relativistic species times "
                            "gamma",
                 WN_DIMS("time", "species", "component")},
    [DISPLACEMENT] =
        {WN_VAR("displacement_current", "A m",
                "eps0 times the change of the electric field with time, integrated "
                "over the domain"),
         .comment =
             "half of the change from the step before to the step after; the whole "
             "change to the only neighbour in the first and the last step of the run",
         WN_DIMS("time", "component")},
    [PARTICLES] = {WN_VAR("particles", "1",
                          "real particles of each species at the end of the step"),
                   WN_DIMS("time", "species")},
    [WALL_PARTICLES] =
        {WN_VAR("wall_particles", "1", "real particles that each side has taken so far"),
         .comment = "less those that it gave, as secondary electrons and by sources",
         WN_DIMS("time", "species", "side")},
    [WALL_CHARGE] = {WN_VAR("wall_charge", "C", "charge that each side has taken so far"),
                     WN_DIMS("time", "side")},
    [WALL_ENERGY] = {WN_VAR("wall_energy", "J",
                            "kinetic energy of the particles that the sides have "
                            "taken so far"),
                     .comment = "less that of the electrons and other particles that "
                                "they gave, as secondary "
                                "electrons and by sources",
                     WN_DIMS("time", "species")},
    [MODE] = {WN_VAR("potential_mode", "V",
                     "mean over the domain of the potential times exp(-i k x)"),
              WN_DIMS("time", "mode", "part")},
    [BORN] = {WN_VAR(
                  "born_particles", "1",
                  "real particles that collisions of electrons, photons, and sources in "
                  "regions, have made so far"),
              WN_DIMS("time", "species")},
    [ATTACHED] = {WN_VAR("attached_particles", "1",
                         "real particles that were attached so far"),
                  WN_DIMS("time", "species")},
    [WORK] = {WN_VAR("field_work", "J",
                     "energy that particles with collisions got from the field so "
                     "far"),
              WN_DIMS("time", "species")},
    [COLLISIONS] = {WN_VAR("collision_energy", "J",
                           "energy that collisions took so far, with all that "
                           "attached particles had"),
                    WN_DIMS("time", "species")},
    [EVENTS] = {WN_VAR("reaction_events", "1",
                       "events of each reaction so far, in real particles"),
                WN_DIMS("time", "reaction")},
    [REACTION_ENERGY] = {WN_VAR("reaction_energy", "J",
                                "kinetic energy of the particles that reactions "
                                "created so far, less that of those they removed"),
                         WN_DIMS("time", "species")},
    [FOLLOWED] = {WN_VAR("followed_density", "m-3",
                         "density of followed components of the gas at the end of "
                         "the step"),
                  WN_DIMS("time", "followed")},
    [PHOTONS] = {WN_VAR("photons", "1",
                        "photons that ionization has emitted so far, of those that "
                        "can ionize O2"),
                 WN_DIMS("time")},
    [PHOTONS_ABSORBED] = {WN_VAR("photons_absorbed", "1",
                                 "photons that have ionized O2 so far"),
                          WN_DIMS("time")},
    [PHOTONS_LEFT] = {WN_VAR("photons_left", "1",
                             "photons that have reached each side so far"),
                      WN_DIMS("time", "side")},
    [PHOTONS_ROULETTE] = {WN_VAR("photons_roulette", "1",
                                 "photons that roulette has taken so far, less those "
                                 "that it has given"),
                          WN_DIMS("time")},
    [CREATED] = {WN_VAR("created_energy", "J",
                        "kinetic energy at birth of the particles that sources in "
                        "regions, ionization, attachment and photons have created "
                        "so far"),
                 .comment =
                     "newborn electrons of ionization have theirs from an electron, "
                     "and are not in it; ions that a GPU made count with 3/2 kT",
                 WN_DIMS("time", "species")},
    [THERMOSTATS] = {WN_VAR("thermostat_energy", "J",
                            "energy that thermostats have given so far"),
                     WN_DIMS("time", "species")},
    [COULOMB] = {WN_VAR("coulomb_energy", "J",
                        "energy that Coulomb collisions have given so far"),
                 WN_DIMS("time", "species")},
    [MERGING] = {WN_VAR("merging_energy", "J",
                        "energy that merging of macroparticles has given so far"),
                 WN_DIMS("time", "species")},
};
_Static_assert(N_COLUMNS - CHANGES == WN_ENERGY_CHANGES, "a column each");

static int is_written(int column, const struct wn_config *c)
{
  const struct wn_cfg_plasma *p = &c->plasma;
  if (column >= CHANGES)
    return column == CREATED       ? wn_config_has_gas(c) || p->n_sources > 0
           : column == THERMOSTATS ? p->n_thermostats > 0
           : column == COULOMB     ? p->n_coulomb > 0
                                   : p->n_merging > 0;
  return column < MODE       ? 1
         : column == MODE    ? c->plasma.n_modes > 0
         : column == BORN    ? wn_config_has_gas(c) || c->plasma.n_sources > 0
         : column < EVENTS   ? wn_config_has_gas(c)
         : column < FOLLOWED ? c->n_reactions > 0
         : column < PHOTONS  ? c->n_followed > 0
         : column == PHOTONS_ROULETTE
             ? wn_photoionization_is_on(c) && wn_photoionization_pairs(c).n > 0
             : wn_photoionization_is_on(c);
}

static int define(struct wn_output *o, const struct wn_config *c, const struct wn_gas *g)
{
  (void)g;
  WN_TRY(wn_output_dim(o, "time", c->plasma.steps / wn_plasma_rows_every(c)));
  WN_TRY(wn_output_dim(o, "species", c->n_species));
  WN_TRY(wn_output_dim(o, "component", 3));
  WN_TRY(wn_output_dim(o, "side", (size_t)wn_plasma_surface_rows(c)));
  static const struct wn_output_var names[] = {
      {.name = "species_name",
       .long_name = "species",
       .type = WN_OUT_STRING,
       WN_DIMS("species"),
       .is_coordinate = 1},
      {.name = "side_name",
       .long_name = "side of the domain",
       .type = WN_OUT_STRING,
       WN_DIMS("side"),
       .is_coordinate = 1},
  };
  WN_TRY(wn_output_define_all(o, names, sizeof names / sizeof names[0]));
  if (c->plasma.n_modes > 0) {
    WN_TRY(wn_output_dim(o, "mode", c->plasma.n_modes));
    WN_TRY(wn_output_dim(o, "part", 2));
    static const struct wn_output_var numbers = {
        WN_VAR("mode_number", "1", "waves of a mode along each axis of the domain"),
        WN_DIMS("mode", "component")};
    WN_TRY(wn_output_define(o, &numbers));
  }
  if (c->n_reactions > 0) {
    WN_TRY(wn_output_dim(o, "reaction", c->n_reactions));
    static const struct wn_output_var of_reactions = {.name = "reaction_name",
                                                      .long_name = "reaction",
                                                      .type = WN_OUT_STRING,
                                                      WN_DIMS("reaction"),
                                                      .is_coordinate = 1};
    WN_TRY(wn_output_define(o, &of_reactions));
  }
  if (c->n_followed > 0) {
    WN_TRY(wn_output_dim(o, "followed", c->n_followed));
    static const struct wn_output_var of_followed = {.name = "followed_name",
                                                     .long_name = "component of the gas",
                                                     .type = WN_OUT_STRING,
                                                     WN_DIMS("followed"),
                                                     .is_coordinate = 1};
    WN_TRY(wn_output_define(o, &of_followed));
  }
  for (int k = 0; k < N_COLUMNS; k++)
    if (is_written(k, c))
      WN_TRY(wn_output_define(o, &vars[k]));
  return wn_bounds_define(o, c);
}

static int begin(struct wn_output *o, const struct wn_config *c, const struct wn_gas *g)
{
  const char *name[WN_MAX_SPECIES], *reaction[WN_MAX_REACTIONS],
      *followed[WN_XS_MAX_GASES];
  const int n = wn_plasma_surface_rows(c);
  (void)g;
  const char **side = wn_alloc((size_t)n, sizeof *side);
  if (side == NULL)
    return WN_ENOMEM;
  for (int i = 0; i < n; i++)
    side[i] = wn_plasma_surface_name(c, i);
  const int status = wn_output_put_string(o, "side_name", -1, side);
  free((void *)side);
  WN_TRY(status);
  for (size_t k = 0; k < c->n_species; k++)
    name[k] = c->species[k].name;
  WN_TRY(wn_output_put_string(o, "species_name", -1, name));
  for (size_t i = 0; i < c->n_reactions; i++)
    reaction[i] = c->reactions[i].name;
  if (c->n_reactions > 0)
    WN_TRY(wn_output_put_string(o, "reaction_name", -1, reaction));
  for (size_t i = 0; i < c->n_followed;
       i++) /* components of the gas are at most as many */
    followed[i] = c->followed[i].name;
  if (c->n_followed > 0)
    WN_TRY(wn_output_put_string(o, "followed_name", -1, followed));
  return c->plasma.n_modes > 0 ? wn_output_put(o, "mode_number", -1, c->plasma.modes)
                               : WN_OK;
}

static void destroy(struct wn_diag *d)
{
  if (d == NULL)
    return;
  wn_buffered_rows_clear(&d->rows);
  free(d->last);
  free(d->factor);
  free(d->part);
  free(d);
}

/* exp(-i k x) of every mode along every axis, at the nodes. */
static int make_waves(struct wn_diag *d, const struct wn_cfg_plasma *p,
                      const struct wn_geometry *g)
{
  struct wn_waves *all = &d->waves;
  all->n = d->n_modes;
  for (int a = 0; a < 3; a++)
    all->nodes[a] = a < p->dim ? p->cells[a] + 1 : 1;
  d->factor = wn_alloc(all->n * wn_waves_row(all) + 1, 2 * sizeof *d->factor);
  d->part = wn_alloc(wn_waves_row(all), sizeof *d->part);
  all->factor = d->factor;
  all->part = d->part;
  if (d->factor == NULL || d->part == NULL)
    return WN_ENOMEM;
  double *w = d->factor, *part = d->part;
  for (int a = 0; a < 3; a++)
    for (size_t i = 0; i < all->nodes[a]; i++)
      *part++ = a < g->dim
                    ? wn_axis_share(&g->axis[a], (int64_t)i) / wn_axis_mean(&g->axis[a])
                    : 1.0;
  for (size_t m = 0; m < d->n_modes; m++)
    for (int a = 0; a < 3; a++)
      for (size_t i = 0; i < all->nodes[a]; i++, w += 2) {
        double turn = a < p->dim
                          ? p->modes[3 * m + (size_t)a] * (double)i / (double)p->cells[a]
                          : 0.0;
        w[0] = cos(2.0 * WN_PI * turn);
        w[1] = -sin(2.0 * WN_PI * turn);
      }
  return WN_OK;
}

/* Names, widths and memory of the columns; n_species, n_modes and n_sides are set. */
static int make_columns(struct wn_diag *d)
{
  const struct wn_config *c = d->c;
  WN_TRY(wn_buffered_rows_create(&d->rows, N_COLUMNS));
  struct wn_buffered_column *column = d->rows.column;
  for (int k = 0; k < N_COLUMNS; k++) {
    column[k].name = is_written(k, c) ? vars[k].name : NULL;
    column[k].width = 1;
  }
  column[KINETIC].width = column[PARTICLES].width = d->n_species;
  column[MOMENTUM].width = column[CURRENT].width = 3 * d->n_species;
  column[DISPLACEMENT].width = 3;
  column[WALL_PARTICLES].width = (size_t)d->n_sides * d->n_species;
  column[WALL_CHARGE].width = (size_t)d->n_sides;
  column[WALL_ENERGY].width = d->n_species;
  column[MODE].width = 2 * d->n_modes;
  for (int k = GAS; k < EVENTS; k++)
    column[k].width = d->n_species;
  column[EVENTS].width = c->n_reactions;
  column[REACTION_ENERGY].width = c->n_reactions > 0 ? d->n_species : 0;
  column[FOLLOWED].width = c->n_followed;
  const size_t photons = wn_photoionization_is_on(c);
  column[PHOTONS].width = column[PHOTONS_ABSORBED].width = photons;
  column[PHOTONS_LEFT].width = photons * (size_t)d->n_sides;
  column[PHOTONS_ROULETTE].width = photons > 0 && wn_photoionization_pairs(c).n > 0;
  for (int k = CHANGES; k < N_COLUMNS; k++)
    column[k].width = d->n_species;
  return wn_buffered_rows_reserve(&d->rows);
}

static int create(const struct wn_sim *s, struct wn_diag **out)
{
  struct wn_diag *d = wn_alloc(1, sizeof *d);
  if (d == NULL)
    return WN_ENOMEM;
  d->n_species = s->n_species;
  d->n_modes = s->c->plasma.n_modes;
  d->every = wn_plasma_rows_every(s->c);
  d->c = s->c;
  d->uneven = s->adaptive.clock.levels > 0;
  d->n_sides = wn_plasma_surface_rows(s->c);
  int status = make_columns(d);
  d->last = wn_alloc(d->n_species, sizeof *d->last);
  if (d->last == NULL)
    status = WN_ENOMEM;
  if (status == WN_OK)
    status = make_waves(d, &s->c->plasma, &s->geometry);
  for (size_t k = 0; k < d->n_species && status == WN_OK; k++)
    status = wn_plasma_sums(s, k, &d->last[k]);
  if (status != WN_OK) {
    destroy(d);
    return status;
  }
  *out = d;
  return WN_OK;
}

/* The file, too, is written after each block. */
static int next_row(struct wn_diag *d, struct wn_output *o)
{
  WN_TRY(wn_buffered_rows_next(&d->rows, o));
  return d->rows.kept == 0 ? wn_output_sync(o) : WN_OK;
}

/* Complete the open row by the field of the step after it, `drop`, or NULL: the run is
 * over. */
static int close_row(struct wn_diag *d, const double *drop, double interval,
                     struct wn_output *o)
{
  double *row = wn_buffered_row(&d->rows, DISPLACEMENT);
  const double *after = drop != NULL ? drop : d->drop,
               *before = d->knows_before ? d->drop_before : d->drop;
  const int steps = (drop != NULL) + d->knows_before; /* 0: in a run of one step, NAN */
  /* between the middles of the steps */
  const double time = d->uneven
                          ? 0.5 * ((drop != NULL ? interval + d->length : 0.0) +
                                   (d->knows_before ? d->length + d->length_before : 0.0))
                          : steps * interval;
  for (size_t i = 0; i < 3; i++)
    row[i] = WN_EPS0 * (after[i] - before[i]) / time;
  d->is_open = 0;
  return next_row(d, o);
}

static void fill_photons(const struct wn_diag *d, const struct wn_sim *s, double *emitted,
                         double *absorbed, double *left, double *roulette)
{
  const struct wn_photon_sums sums = wn_photoionization_sums(s);
  const double of_one =
      wn_loading_weight(s->c, wn_config_photo_electrons(s->c)) / WN_QUANTA;
  *emitted = (double)sums.emitted * of_one;
  *absorbed = (double)sums.absorbed * of_one;
  for (int i = 0; i < d->n_sides; i++)
    left[i] = i < WN_SIDES ? (double)sums.left[i] * of_one : 0.0;
  if (wn_photoionization_pairs(s->c).n > 0)
    *roulette = (double)sums.roulette * of_one;
}

static void fill_row(struct wn_diag *d, const struct wn_sim *s,
                     const struct wn_field_sums *field, const struct wn_plasma_sums *all)
{
  double *row[N_COLUMNS];
  for (int k = 0; k < N_COLUMNS; k++)
    row[k] = wn_buffered_row(&d->rows, (size_t)k);
  *row[TIME] = s->time - 0.5 * s->interval;
  *row[FIELD_ENERGY] = field->energy;
  *row[CHARGE] = field->charge;
  *row[GAUSS] = field->gauss;
  *row[RESIDUAL] = field->residual;
  for (int i = 0; i < d->n_sides; i++)
    row[WALL_CHARGE][i] = 0.0;
  for (size_t k = 0; k < d->n_species; k++) {
    const struct wn_plasma_sums now = all[k], *before = &d->last[k];
    const struct wn_cfg_species *of = &s->c->species[k];
    row[KINETIC][k] = 0.5 * (before->energy + now.energy);
    for (size_t i = 0; i < 3; i++) {
      row[MOMENTUM][3 * k + i] = 0.5 * (before->momentum[i] + now.momentum[i]);
      row[CURRENT][3 * k + i] = of->charge * WN_E / of->mass * row[MOMENTUM][3 * k + i];
    }
    row[PARTICLES][k] = now.particles;
    for (int i = 0; i < d->n_sides; i++) {
      const double taken = wn_plasma_taken(s, k, i);
      row[WALL_PARTICLES][(size_t)d->n_sides * k + (size_t)i] = taken;
      row[WALL_CHARGE][i] += taken * of->charge * WN_E;
    }
    row[BORN][k] = now.born;
    row[ATTACHED][k] = now.attached;
    row[WORK][k] = now.work;
    row[COLLISIONS][k] = now.collisions;
    row[WALL_ENERGY][k] = now.wall_energy;
    for (int i = 0; i < WN_ENERGY_CHANGES; i++)
      row[CHANGES + i][k] = now.changes[i];
  }
  wn_followed_densities(s, row[FOLLOWED]);
  if (s->c->n_reactions > 0)
    wn_reactions_sums(s, row[EVENTS], row[REACTION_ENERGY]);
  if (wn_photoionization_is_on(s->c))
    fill_photons(d, s, row[PHOTONS], row[PHOTONS_ABSORBED], row[PHOTONS_LEFT],
                 row[PHOTONS_ROULETTE]);
}

/* Whether the step that comes `later` steps after this one has a row.  Of steps of several lengths
 * it is the last of a whole step, which the next may be. */
static int is_row(const struct wn_diag *d, const struct wn_sim *s, uint64_t later)
{
  const struct wn_step_clock *c = &s->adaptive.clock;
  if (later == 0)
    return wn_step_ends(c, d->every);
  return (c->whole + later) % d->every == 0 ||
         (c->levels > 0 && later == 2 && (c->whole + 1) % d->every == 0);
}

/* A step that a row needs: its own, the one before it or the one after it. */
static int look(struct wn_diag *d, const struct wn_sim *s, struct wn_output *o)
{
  const int of_species = is_row(d, s, 0) || is_row(d, s, 1);
  struct wn_field_sums field;
  struct wn_plasma_sums all[WN_MAX_SPECIES];
  if (of_species) {
    /* one wait for these and the sums of the species */
    WN_TRY(wn_field_begin_sums(s->field));
    WN_TRY(wn_plasma_all_sums(s, all));
  }
  WN_TRY(wn_field_sums(s->field, &field));
  if (d->is_open)
    WN_TRY(close_row(d, field.drop, s->interval, o));
  memcpy(d->drop_before, d->drop, sizeof d->drop);
  memcpy(d->drop, field.drop, sizeof d->drop);
  d->length_before = d->length;
  d->length = s->interval;
  d->knows_before = s->n_steps > 1;
  if (is_row(d, s, 0)) {
    fill_row(d, s, &field, all);
    if (d->n_modes > 0)
      WN_TRY(wn_field_waves(s->field, &d->waves, wn_buffered_row(&d->rows, MODE)));
    d->is_open = 1;
  }
  if (of_species)
    memcpy(d->last, all, d->n_species * sizeof *d->last);
  return WN_OK;
}

/* A row needs the species before and after its step, and the field of the steps around it. */
static int sample(struct wn_diag *d, const struct wn_sim *s, struct wn_output *o)
{
  if (is_row(d, s, 0) || is_row(d, s, 1) || d->is_open)
    WN_TRY(look(d, s, o));
  wn_plasma_expect_sums(s, is_row(d, s, 1) || is_row(d, s, 2));
  return WN_OK;
}

static int write(struct wn_diag *d, const struct wn_sim *s, int enough,
                 struct wn_output *o)
{
  (void)enough;
  if (d->is_open)
    WN_TRY(close_row(d, NULL, s->interval, o));
  WN_TRY(wn_buffered_rows_flush(&d->rows, o));
  WN_TRY(wn_output_sync(o));
  return wn_bounds_put(s, o);
}

static int state(struct wn_diag *d, struct wn_state *st)
{
  WN_TRY(wn_buffered_rows_state(&d->rows, st));
  WN_TRY(WN_STATE(st, d->drop));
  WN_TRY(WN_STATE(st, d->drop_before));
  WN_TRY(WN_STATE(st, d->length));
  WN_TRY(WN_STATE(st, d->length_before));
  WN_TRY(WN_STATE(st, d->knows_before));
  WN_TRY(WN_STATE(st, d->is_open));
  return WN_STATE_ARRAY(st, d->last, d->n_species);
}

const struct wn_diag_ops wn_diag_integrals = {
    .define = define,
    .begin = begin,
    .create = create,
    .sample = sample,
    .write = write,
    .state = state,
    .free = destroy,
};
