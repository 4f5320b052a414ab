/* src/sim/photoionization.h - operator: photoionization of O2 by photons of ionization
 * (plasma.photoionization; physics/photoionization.h).
 *
 * Each ionization by an electron emits a number of photons with the mean of the model, in all
 * directions, from the place of the ionization.  Each is absorbed at once: light crosses 1 mm
 * in 3 ps.  Where it is absorbed it leaves an electron and an ion of the same weight, so that
 * charge is exact; or a side takes it, or it leaves the domain; or roulette makes the pair
 * heavier, or none of it (physics/photon_pairs.h).  Both particles join their species at the end of the
 * step and have not moved.  Photons of electrons on a GPU fly there, and the host makes the pairs. */
#ifndef WN_SRC_SIM_PHOTOIONIZATION_H
#define WN_SRC_SIM_PHOTOIONIZATION_H
#include "physics/photon_pairs.h"
#include "src/sim/sim.h"

/* Of photons since the case began, over all ranks.  All 0 where the scenario has no photoionization. */
struct wn_photon_sums wn_photoionization_sums(const struct wn_sim *s);

/* Real particles of species k that photons have made so far. */
double wn_photoionization_born(const struct wn_sim *s, size_t k);

#endif
