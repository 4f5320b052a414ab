/* src/config/photoionization.h - photoionization of model plasma, from the scenario
 * (plasma.photoionization).  Pure functions. */
#ifndef WN_SRC_CONFIG_PHOTOIONIZATION_H
#define WN_SRC_CONFIG_PHOTOIONIZATION_H
#include <stdbool.h>
#include "physics/photon_pairs.h"
#include "src/config/config.h"

bool wn_photoionization_is_on(const struct wn_config *c);

/* Pa: of the oxygen, which absorbs the photons; 0: the gas has none. */
double wn_photoionization_oxygen(const struct wn_config *c);

/* How it absorbs them; of a valid scenario with photoionization. */
struct wn_photon_gas wn_photoionization_gas(const struct wn_config *c);

/* Photons per ionization that ionize O2. */
double wn_photoionization_yield(const struct wn_config *c);

/* Weights that pairs are to have; of a valid scenario with photoionization. */
struct wn_pair_weights wn_photoionization_pairs(const struct wn_config *c);

#endif
