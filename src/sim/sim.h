/* src/sim/sim.h - the state of a run: the gas, the species, the field, and the clock of
 * the current case.  A case is one value of the list that a run goes through: an E/N of
 * `fields`; a plasma has one. */
#ifndef WN_SRC_SIM_SIM_H
#define WN_SRC_SIM_SIM_H
#include <stddef.h>
#include <stdint.h>
#include "fields/field.h"
#include "physics/geometry.h"
#include "src/config/config.h"
#include "src/sim/adaptive_step.h"
#include "src/sim/device.h"
#include "src/sim/energy_changes.h"
#include "src/sim/gas.h"
#include "src/sim/operators.h"
#include "src/sim/species.h"

/* Quantities that a job (src/jobs/job.h) requires; all 0: none. */
struct wn_sim_needs {
  int passages; /* first passages of runaway.thresholds */
  int spreads;  /* the sums of diffusion (struct wn_mcc.spreads) */
  int weighted; /* electrons are a weighted ensemble (particles/weighted_ensemble.h) */
  /* with `weighted`: passages count in the unit of weights of their cohort, electrons below the first
   * threshold are marked, and those above the last leave (struct wn_mcc.cohorts) */
  int cohorts;
};

#define WN_MAX_OPERATORS 24

struct wn_sim {
  const struct wn_config *c;
  struct wn_sim_needs needs;
  const struct wn_gas *gas;    /* NULL where the model needs none */
  struct wn_profile *profile;  /* of density and field along z; NULL: both are uniform */
  struct wn_gpu *gpu;          /* NULL on the CPU */
  struct wn_geometry geometry; /* of model plasma, with its surfaces */
  size_t n_species;
  struct wn_species *species[WN_MAX_SPECIES];
  struct wn_field *field; /* of the case */
  size_t n_operators;     /* of the scenario, in the order of a step */
  struct wn_operator *operators[WN_MAX_OPERATORS];
  size_t i_case;
  double time;      /* s since the case began, at the end of the last step */
  double interval;  /* s, length of the current or the last step, set by the job */
  uint64_t n_steps; /* steps finished */
  struct wn_adaptive_step adaptive;        /* the same in whole steps; the next length */
  struct wn_energy_changes energy_changes; /* of model plasma */
  /* For a job that measures in blocks of samples: the place of the next sample in its
   * block, and the length of a block; n_lags 0: no measurement in blocks now. */
  size_t lag, n_lags;
  /* src/sim/particle_bounds.h: steps of the case at the last check; particles checked,
   * summed over checks; and the number of these that crossed a cell */
  uint64_t looked_at, looks[WN_MAX_SPECIES], crossed[WN_MAX_SPECIES];
};

/* Species and models on the device of the plan; c and gas, as above, must outlive this.
 * No case has begun.
 *   WN_EINPUT, WN_ECUDA  there is no such GPU, or it cannot be used
 *   WN_ENOMEM */
int wn_sim_create(const struct wn_config *c, const struct wn_gas *gas,
                  const struct wn_sim_needs *needs, const struct wn_device_plan *plan,
                  struct wn_sim **out);
void wn_sim_free(struct wn_sim *s);

/* Constants of electrons in the gas: all of *m except the field, the phase and the energy
 * thresholds. */
void wn_sim_gas(const struct wn_sim *s, struct wn_mcc *m);

/* Begin case i_case (below wn_config_cases): its field, the clock at 0, primaries
 * released.  Also after a case that failed.  WN_EINPUT: more electrons than can be
 * numbered; WN_EFULL: more than the store may hold; WN_ENOMEM, WN_ECUDA. */
int wn_sim_begin(struct wn_sim *s, size_t i_case);

/* Between steps of a case that has begun, for tests and bench/: another scheduler for all
 * species.  options->gpu: of a scheduler of a GPU, open until another
 * scheduler is in use or s is freed; s->gpu is unchanged.  Errors of the scheduler's
 * create. */
int wn_sim_use(struct wn_sim *s, const struct wn_scheduler_ops *ops,
               const struct wn_scheduler_options *options);

/* Check for errors of a phase: WN_ERUN with the reason when the bound on the collision
 * frequency was exceeded or the end of a table reached. */
int wn_sim_alarms(const struct wn_sim *s);

/* Sums of all species to zero: start of a measurement. */
void wn_sim_reset(struct wn_sim *s);

/* The name in messages. */
const char *wn_sim_species_name(const struct wn_sim *s, size_t k);

/* Particles of all species. */
size_t wn_sim_particles(const struct wn_sim *s);

/* Save or restore everything that the next step depends on.  Errors: base/state.h. */
int wn_sim_state(struct wn_sim *s, struct wn_state *state);

#endif
