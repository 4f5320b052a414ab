/* src/sim/secondary_emission.h - what surfaces emit for the particles that they take: electrons for positive ions
 * (secondary_emission_ions.c) and for electrons (secondary_emission_electrons.c).  The operators of these files
 * do it for the sides of the domain; the operator of electrodes has one of each for those. */
#ifndef WN_SRC_SIM_SECONDARY_EMISSION_H
#define WN_SRC_SIM_SECONDARY_EMISSION_H
#include "src/sim/impact.h"
#include "src/sim/sim.h"

struct wn_ion_emission;
struct wn_electron_emission;

/* Of the surfaces from `first` to before `end` of the list; *out stays NULL where these emit nothing.  WN_ENOMEM. */
int wn_ion_emission_create(struct wn_sim *s, int first, int end,
                           struct wn_ion_emission **out);
int wn_electron_emission_create(struct wn_sim *s, int first, int end,
                                struct wn_electron_emission **out);
void wn_ion_emission_free(struct wn_ion_emission *e);
void wn_electron_emission_free(struct wn_electron_emission *e);

/* The beginning of a step; one particle of species k, which releases nothing where it is of no kind that does;
 * the end, at which all that was emitted joins its species.  WN_ENOMEM; WN_EFULL. */
void wn_ion_emission_begin(struct wn_ion_emission *e);
int wn_ion_emission_take(struct wn_ion_emission *e, const struct wn_species *k,
                         const struct wn_impact *ion);
int wn_ion_emission_end(struct wn_ion_emission *e);
void wn_electron_emission_begin(struct wn_electron_emission *e);
int wn_electron_emission_take(struct wn_electron_emission *e, size_t k,
                              const struct wn_impact *in);
int wn_electron_emission_end(struct wn_electron_emission *e);

#endif
