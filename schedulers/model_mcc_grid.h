/* schedulers/model_mcc_grid.h - the part of model `mcc` that only electrons in a grid have:
 * what they feel there, for physics/mcc_grid.h.  For model_mcc.c alone. */
#ifndef WN_SCHEDULERS_MODEL_MCC_GRID_H
#define WN_SCHEDULERS_MODEL_MCC_GRID_H
#include <stddef.h>
#include "physics/field_view.h"
#include "physics/mcc.h"
#include "schedulers/model.h"

/* Of struct wn_model_ops; of a swarm gather does nothing, and there is nobody to wake. */
void wn_mcc_grid_gather(const struct wn_model *model, void *e, size_t n);
void wn_mcc_grid_wake_all(const struct wn_model *model, void *e, size_t n);

/* The field of the phase to come.  WN_EINTERN: it is none that they can live in, or the
 * phase has more than one mobility step: forces are those of one. */
int wn_mcc_grid_live(struct wn_mcc *m, unsigned steps, const struct wn_field_view *field);

#endif
