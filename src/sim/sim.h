/* src/sim/sim.h - what a run holds: the gas, the species, the field, and the clock of the
 * case in hand.  A case is one value of the list that a run goes through: an E/N of
 * `fields`; the models of the study have one. */
#ifndef WN_SRC_SIM_SIM_H
#define WN_SRC_SIM_SIM_H
#include <stddef.h>
#include <stdint.h>
#include "fields/field.h"
#include "src/config/config.h"
#include "src/sim/device.h"
#include "src/sim/gas.h"
#include "src/sim/operators.h"
#include "src/sim/species.h"

/* What a job (src/jobs/job.h) asks the simulation to count and keep; all 0: nothing. */
struct wn_sim_needs {
  int passages; /* first passages of runaway.thresholds */
  int spreads;  /* the sums of diffusion (struct wn_mcc.spreads) */
  int weighted; /* electrons are a weighted ensemble (particles/ensemble.h) */
};

#define WN_MAX_OPERATORS 16

struct wn_sim {
  const struct wn_config *c;
  struct wn_sim_needs needs;
  const struct wn_gas *gas; /* NULL where the model needs none */
  struct wn_gpu *gpu;       /* NULL on the CPU */
  size_t n_species;
  struct wn_species *species[WN_MAX_SPECIES];
  struct wn_field *field; /* of the case */
  size_t n_operators;     /* of the scenario, in the order of a step */
  struct wn_operator *operators[WN_MAX_OPERATORS];
  size_t i_case;
  double time;     /* s since the case began, at the end of the last step */
  double interval; /* s, length of the step in hand or of the last; the job gives it */
  uint64_t phases; /* steps finished */
  /* Of a job that measures in blocks of samples: the place of the next sample in its
   * block, of so many; n_lags 0: nothing is measured in blocks now. */
  size_t lag, n_lags;
  void *owned; /* tables that a model points to; malloc'd */
  /* src/sim/particle_bounds.h: after how many steps of the case particles were last looked at; how many,
   * with each look; and of these that crossed a cell */
  uint64_t looked_at, looks[WN_MAX_SPECIES], crossed[WN_MAX_SPECIES];
};

/* Species and models on the device of the plan; c and gas, as above, for as long as this
 * lives.  No case has begun.
 *   WN_EINPUT, WN_ECUDA  there is no such GPU, or it cannot be used
 *   WN_EINPUT            what the scenario gives the model does not fit (src/sim/study.h)
 *   WN_ENOMEM */
int wn_sim_create(const struct wn_config *c, const struct wn_gas *gas,
                  const struct wn_sim_needs *needs, const struct wn_device_plan *plan,
                  struct wn_sim **out);
void wn_sim_free(struct wn_sim *s);

/* What electrons in the gas have in common: all of *m but the field, the phase and the
 * thresholds of energies. */
void wn_sim_gas(const struct wn_sim *s, struct wn_mcc *m);

/* Case i_case (below wn_config_cases) begins: its field, the clock at 0, primaries released.
 * Also after a case that failed.  WN_EINPUT: more electrons than can be numbered;
 * WN_EFULL: more than the store may hold; WN_ENOMEM, WN_ECUDA. */
int wn_sim_begin(struct wn_sim *s, size_t i_case);

/* Between steps of a case that has begun, for tests and bench/: another scheduler for all
 * species, and the field, if the model makes its own, where the particles will be; what
 * it had noted is lost.  options->gpu: of a scheduler of a GPU, open until another
 * scheduler is in use or s is freed; s->gpu stays what it is.  Errors of the scheduler's
 * and the field's create. */
int wn_sim_use(struct wn_sim *s, const struct wn_scheduler_ops *ops,
               const struct wn_scheduler_options *options);

/* What should not happen in a phase: WN_ERUN with the reason when the bound on the
 * collision frequency was broken or the end of a table reached. */
int wn_sim_alarms(const struct wn_sim *s);

/* Sums of all species to zero: a measurement begins. */
void wn_sim_reset(struct wn_sim *s);

/* As messages call it. */
const char *wn_sim_species_name(const struct wn_sim *s, size_t k);

/* Particles of all species. */
size_t wn_sim_particles(const struct wn_sim *s);

/* Save or restore everything that the next step depends on.  Errors: base/state.h. */
int wn_sim_state(struct wn_sim *s, struct wn_state *state);

#endif
