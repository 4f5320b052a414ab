/* schedulers/model_mcc_grid.h - the part of the models `mcc` and `ion` that only particles in
 * a grid have: what they feel there, for physics/mcc_grid.h.  For model_mcc.c and
 * model_ion.c. */
#ifndef WN_SCHEDULERS_MODEL_MCC_GRID_H
#define WN_SCHEDULERS_MODEL_MCC_GRID_H
#include <stddef.h>
#include "physics/field_view.h"
#include "physics/mcc.h"
#include "schedulers/model.h"

/* What n records feel in the mobility step to come. */
void wn_mcc_grid_feel_all(const struct wn_mcc_grid *g, struct wn_electron *e, size_t n);

/* The grid of the phase to come, of so many mobility steps.  WN_EINTERN: it is no field that
 * they can live in, or the phase has more than one mobility step: forces are those of one. */
int wn_mcc_grid_enter(struct wn_mcc_grid *g, unsigned steps,
                      const struct wn_field_view *field);

/* Of struct wn_model_ops of model `mcc`; of a swarm gather does nothing, and no newborn
 * waits. */
void wn_mcc_grid_gather(const struct wn_model *model, void *e, size_t n);
void wn_mcc_grid_wake_all(const struct wn_model *model, void *e, size_t n);
void wn_mcc_grid_pass(const struct wn_model *model, void *e, size_t n,
                      struct wn_tally *tally, struct wn_births *births,
                      struct wn_census *census);

/* The same as wn_mcc_grid_enter of electrons, with the magnetic field, and whether the phase
 * may go in one pass. */
int wn_mcc_grid_live(struct wn_model *model, const struct wn_field_view *field);

#endif
