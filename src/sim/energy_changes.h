/* src/sim/energy_changes.h - the kinetic energy that operators of a step give the particles of a
 * species of model plasma, besides reactions (src/sim/reactions.h): the terms of the energy balance
 * that neither the field nor collisions with the gas have.  What walls emit, by sources and as secondary
 * electrons, is in the sums of walls with a minus sign.
 *
 * Sums are integers, WN_FIX_ENERGY for 1 eV of a macroparticle of weight 1, so that they do not
 * depend on the order in which particles, threads or ranks add. */
#ifndef WN_SRC_SIM_ENERGY_CHANGES_H
#define WN_SRC_SIM_ENERGY_CHANGES_H
#include <stddef.h>
#include "base/state.h"
#include "physics/tally.h"
#include "src/config/config.h"

struct wn_sim;

enum wn_energy_change {
  /* of particles that were created inside, at their birth: by sources in regions, by photons, and
   * ions of ionization and attachment on the host (src/sim/plasma.c adds those of a GPU) */
  WN_ENERGY_CREATED,
  WN_ENERGY_THERMOSTATS, /* after a thermostat less before it */
  WN_ENERGY_COULOMB,     /* the same of Coulomb collisions */
  WN_ENERGY_MERGING,     /* and of merging */
  WN_ENERGY_CHANGES
};

struct wn_energy_changes {
  wn_i128 all[WN_ENERGY_CHANGES][WN_MAX_SPECIES]; /* of the case, over all ranks */
  wn_i128 now[WN_ENERGY_CHANGES][WN_MAX_SPECIES]; /* of this step, and this rank */
};

/* In a step: a sum in fixed point over particles of a species. */
void wn_energy_changed_by(struct wn_sim *s, enum wn_energy_change what, size_t species,
                          wn_i128 sum);

/* At the start of a case; and at the end of a step, by all ranks. */
void wn_energy_changes_begin(struct wn_energy_changes *e);
void wn_energy_changes_settle(struct wn_energy_changes *e);

/* Save or restore.  Errors: base/state.h. */
int wn_energy_changes_state(struct wn_energy_changes *e, struct wn_state *st);

#endif
