/* src/run/forecast_pilot.h - how the numbers of macroparticles of model plasma, and its steps, go on to the end of a
 * run, from pilots: the steps of the run from its start, without diagnostics.
 *
 * A pilot may have a part f of the macroparticles, each of 1/f of the weight.  Limits of merging in a cell, and of pairs of
 * photoionization in a step, are about f times as many; those of weights stay, as they are relative to a loaded macroparticle.  So every number of the run is 1/f
 * times that of the pilot, but for chance.  It takes less time a step, and reaches further into the run.
 *
 * What it did not reach goes on as in its second half (forecast_outlook.h), each species by itself, up to its store
 * (population.capacity) and to per_cell_most of merging in the cells that it will have: they become more as in the last
 * part of the pilot.  Adaptive steps stay as short as in the last quarter.  A pilot has a larger store than the run, and ends where
 * that of the run would be full. */
#ifndef WN_SRC_RUN_FORECAST_PILOT_H
#define WN_SRC_RUN_FORECAST_PILOT_H
#include <stddef.h>
#include "src/sim/sim.h"

/* A pilot ends after `seconds` or after `steps`, the earlier.  Not before `least` steps, as long as there are fewer
 * than WN_PILOT_MANY times the moving particles of its start. */
struct wn_pilot_budget {
  double seconds;
  size_t steps, least;
};
#define WN_PILOT_MANY 100.0

struct wn_pilot {
  double reached; /* part of the run that the pilot followed */
  double part;    /* f */
  double steps;   /* of the run, of any length */
  /* Moves in a step of the run, on average over these and in the last, relative to the first */
  double grown, at_end;
  /* Macroparticles of a species, of the run: at its start, and the greatest number */
  double first[WN_MAX_SPECIES], peak[WN_MAX_SPECIES];
  /* Part of the run after which they are as many as the store holds; INFINITY: they never are.  Number at the end, or the greatest,
   * without this limit: INFINITY if that is beyond numbers */
  double full_at[WN_MAX_SPECIES], needed[WN_MAX_SPECIES];
  /* Of the pilot, in its last quarter, of a step of any length: s, with all that species that do not move, merging and photons take;
   * and moves.  0: it made none. */
  double late_seconds, late_moves;
};

/* Of a run whose numbers stay, of which nothing was followed. */
struct wn_pilot wn_pilot_none(const struct wn_config *c);

/* Particles that move in a step, on average. */
double wn_pilot_moves(const struct wn_sim *s);

/* Species k of a trial: one that sources alone bring is loaded, as many as there will be. */
struct wn_cfg_species wn_pilot_species(const struct wn_config *c, size_t k);

/* Merging where there is the part f of the macroparticles: its limits in a cell.  Of a species that moves it is a little
 * above f times per_cell_most, as their number in a cell scatters, and what is above the limit is merged each time. */
struct wn_cfg_merging wn_pilot_merging(const struct wn_config *c,
                                       const struct wn_cfg_merging *m, double f);

/* plasma.photoionization.pairs_per_step where there is the part f of the macroparticles; 0: no limit. */
size_t wn_pilot_pairs(const struct wn_config *c, double f);

/* population.capacity of a trial, which is to go on where the run would stop. */
size_t wn_pilot_capacity(const struct wn_config *c);

/* Follows a simulation, begun anew, of a scenario that is c or has fewer macroparticles.  c: the run.  What ends a
 * pilot early is returned, with *out from the steps before; WN_ENOMEM: without. */
int wn_pilot_follow(struct wn_sim *s, const struct wn_config *c,
                    const struct wn_pilot_budget *b, struct wn_pilot *out);

/* f of a pilot with few macroparticles: the least with WN_PILOT_FEW of each loaded species that moves, with
 * WN_PILOT_FEW_OF_CELL of per_cell_most and with WN_PILOT_FEW_PAIRS of pairs_per_step.  1: the scenario has hardly more, or particles from a file, which have the
 * weights of the file. */
#define WN_PILOT_FEW         256.0
#define WN_PILOT_FEW_OF_CELL 4.0
#define WN_PILOT_FEW_PAIRS   16.0
double wn_pilot_part(const struct wn_config *c);

/* A pilot with the part f of the macroparticles: errors of wn_sim_create, and of wn_pilot_follow. */
int wn_pilot_run(const struct wn_config *c, const struct wn_gas *gas,
                 const struct wn_device_plan *plan, double f,
                 const struct wn_pilot_budget *b, struct wn_pilot *out);

#endif
