/* src/diag/merging.c - diagnostic `merging`: the ledger of merging and splitting of macroparticles
 * (src/sim/merging.h), in the rows of the diagnostic `integrals`.  Sums are of all passes until the end of
 * the step.  Nothing without plasma.merging. */
#include <math.h>
#include <stdlib.h>
#include "base/alloc.h"
#include "base/error.h"
#include "physics/constants.h"
#include "physics/grid_view.h"
#include "src/config/merging.h"
#include "src/config/plasma_derived.h"
#include "src/diag/buffered_rows.h"
#include "src/sim/merging.h"
#include "src/sim/plasma.h"
#include "src/sim/weight_limits.h"

enum {
  PASSES,
  BEFORE,
  AFTER,
  MERGED,
  LEFT,
  ACROSS,
  SPLIT,
  SPLIT_WEIGHT,
  HEAVY, /* this and the next with limits of weights by field or place */
  LIMIT,
  ENERGY_BEFORE,
  ENERGY_AFTER,
  MOMENTUM_BEFORE, /* and three components */
  MOMENTUM_AFTER,
  N_COLUMNS
};

#define OF_SPECIES WN_DIMS("time", "species")
static const struct wn_output_var vars[N_COLUMNS] = {
    [PASSES] = {WN_VAR("merging_passes", "1",
                       "steps so far in which a species was merged and split"),
                OF_SPECIES},
    [BEFORE] = {WN_VAR("merged_macroparticles", "1",
                       "macroparticles that were merged so far"),
                OF_SPECIES},
    [AFTER] = {WN_VAR("merging_macroparticles", "1",
                      "macroparticles that came of merging so far"),
               OF_SPECIES},
    [MERGED] = {WN_VAR("merged_particles", "1",
                       "real particles of the macroparticles that were merged so far"),
                OF_SPECIES},
    [LEFT] = {WN_VAR("merging_left", "1", "groups that could not be merged so far"),
              .comment =
                  "no two weights have their charge, or an energy would be crossed",
              OF_SPECIES},
    [ACROSS] = {WN_VAR("merging_across", "1",
                       "groups so far whose two macroparticles went apart across "
                       "their mean velocity, not to cross an energy"),
                OF_SPECIES},
    [SPLIT] = {WN_VAR("split_macroparticles", "1",
                      "macroparticles that were halved so far"),
               OF_SPECIES},
    [SPLIT_WEIGHT] = {WN_VAR(
                          "split_particles", "1",
                          "real particles of the macroparticles that were halved so far"),
                      OF_SPECIES},
    [HEAVY] = {WN_VAR(
                   "merging_heavy", "1",
                   "macroparticles above the limit of weights of their cell so far, in "
                   "each pass those that it found"),
               OF_SPECIES},
    [LIMIT] = {WN_VAR("merging_least_limit", "1",
                      "least limit of weights of a cell, in the last pass"),
               .comment = "in units of the weight of a loaded macroparticle", OF_SPECIES},
    [ENERGY_BEFORE] = {WN_VAR("merging_energy_before", "J",
                              "kinetic energy that all macroparticles merged so far "
                              "had before"),
                       OF_SPECIES},
    [ENERGY_AFTER] = {WN_VAR("merging_energy_after", "J",
                             "kinetic energy that they had after"),
                      OF_SPECIES},
    [MOMENTUM_BEFORE] = {WN_VAR(
                             "merging_momentum_before", "kg m s-1",
                             "momentum that all macroparticles merged so far had before"),
                         WN_DIMS("time", "species", "component")},
    [MOMENTUM_AFTER] = {WN_VAR("merging_momentum_after", "kg m s-1",
                               "momentum that they had after"),
                        WN_DIMS("time", "species", "component")},
};

struct wn_diag {
  size_t n_species; /* 0: nothing is merged */
  uint64_t every;   /* steps per row */
  struct wn_buffered_rows rows;
};

static int has_limits(const struct wn_config *c)
{
  for (size_t i = 0; i < c->plasma.n_merging; i++)
    if (wn_merging_limits(&c->plasma.merging[i]) != NULL)
      return 1;
  return 0;
}

static int is_there(int is_limited, int column)
{
  return is_limited || (column != HEAVY && column != LIMIT);
}

static int define(struct wn_output *o, const struct wn_config *c, const struct wn_gas *g)
{
  (void)g;
  for (int k = 0; k < N_COLUMNS && c->plasma.n_merging > 0; k++)
    if (is_there(has_limits(c), k))
      WN_TRY(wn_output_define_all(o, &vars[k], 1));
  return WN_OK;
}

static void destroy(struct wn_diag *d)
{
  wn_buffered_rows_clear(&d->rows);
  free(d);
}

static int create(const struct wn_sim *s, struct wn_diag **out)
{
  struct wn_diag *d = wn_alloc(1, sizeof *d);
  if (d == NULL)
    return WN_ENOMEM;
  d->n_species = s->c->plasma.n_merging > 0 ? s->n_species : 0;
  d->every = wn_plasma_rows_every(s->c);
  int status = wn_buffered_rows_create(&d->rows, d->n_species > 0 ? N_COLUMNS : 0);
  for (size_t k = 0; k < d->rows.n; k++) {
    d->rows.column[k].name = is_there(has_limits(s->c), (int)k) ? vars[k].name : NULL;
    d->rows.column[k].width = k >= MOMENTUM_BEFORE ? 3 * d->n_species : d->n_species;
  }
  if (status == WN_OK)
    status = wn_buffered_rows_reserve(&d->rows);
  if (status != WN_OK)
    destroy(d);
  else
    *out = d;
  return status;
}

/* weight: real particles of a macroparticle of weight 1. */
static void put(const struct wn_merging_sums *m, double weight, double mass, size_t k,
                double *row[N_COLUMNS])
{
  row[PASSES][k] = (double)m->passes;
  row[BEFORE][k] = (double)m->before;
  row[AFTER][k] = (double)m->after;
  row[MERGED][k] = (double)m->merged_quanta / WN_QUANTA * weight;
  row[LEFT][k] = (double)m->left;
  row[ACROSS][k] = (double)m->across;
  row[SPLIT][k] = (double)m->split;
  row[SPLIT_WEIGHT][k] = (double)m->split_quanta / WN_QUANTA * weight;
  row[ENERGY_BEFORE][k] = (double)m->energy_before / WN_FIX_ENERGY * weight * WN_E;
  row[ENERGY_AFTER][k] = (double)m->energy_after / WN_FIX_ENERGY * weight * WN_E;
  for (size_t i = 0; i < 3; i++) {
    row[MOMENTUM_BEFORE][3 * k + i] =
        (double)m->momentum_before[i] / WN_MERGING_MOMENTUM * mass;
    row[MOMENTUM_AFTER][3 * k + i] =
        (double)m->momentum_after[i] / WN_MERGING_MOMENTUM * mass;
  }
}

static int sample(struct wn_diag *d, const struct wn_sim *s, struct wn_output *o)
{
  static const struct wn_merging_sums none;
  double *row[N_COLUMNS];
  if (d->n_species == 0 || !wn_step_ends(&s->adaptive.clock, d->every))
    return WN_OK;
  for (int k = 0; k < N_COLUMNS; k++)
    row[k] = wn_buffered_row(&d->rows, (size_t)k);
  for (size_t k = 0; k < d->n_species; k++) {
    const struct wn_merging_sums *m = wn_merging_sums(s, k);
    put(m != NULL ? m : &none, wn_loading_weight(s->c, &s->c->species[k]),
        wn_plasma_mass(s->c, k), k, row);
    const struct wn_weight_limits *l = wn_merging_weight_limits(s, k);
    row[HEAVY][k] = l != NULL ? (double)l->heavy : 0.0;
    row[LIMIT][k] = l != NULL ? l->least : NAN;
  }
  return wn_buffered_rows_next(&d->rows, o);
}

static int write(struct wn_diag *d, const struct wn_sim *s, int enough,
                 struct wn_output *o)
{
  (void)enough, (void)s;
  return wn_buffered_rows_flush(&d->rows, o);
}

static int state(struct wn_diag *d, struct wn_state *st)
{
  return d->n_species > 0 ? wn_buffered_rows_state(&d->rows, st) : WN_OK;
}

const struct wn_diag_ops wn_diag_merging = {
    .define = define,
    .create = create,
    .sample = sample,
    .write = write,
    .state = state,
    .free = destroy,
};
