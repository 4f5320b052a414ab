/* src/sim/secondary_emission.h - secondary electrons: a wall of yield g gives g electrons on average for
 * each positive ion that ends there, of the species of ions that collide.  They leave at the
 * end of the step in which the ion came, where it hit the wall, with velocities of a
 * Maxwellian's flux through a surface into the half space: along the normal
 * sigma sqrt(2 x), x exponential with mean 1, across it normal with the spread sigma =
 * sqrt(kT/m); mean energy 2 kT (derived: the flux through a plane has the density
 * v exp(-v^2/2 sigma^2)).  They are counted as taken by the wall with a minus, so charge and
 * energy balance.  On a GPU the ions that ended come to the host, and their electrons go there.
 *
 * Random numbers: purpose EMISSION, named by the ion.  Block 0: how many; 2 j + 1 and 2 j +
 * 2: velocity of electron j, and its name, normal velocity and first flight. */
#ifndef WN_SRC_SIM_SECONDARY_EMISSION_H
#define WN_SRC_SIM_SECONDARY_EMISSION_H
#include "src/sim/species.h"

/* Ions whose ends are looked at. */
struct wn_emission_ions {
  const struct wn_species *species;
  double ratio; /* real ions of one over real electrons of one */
};

struct wn_emission {
  struct wn_gpu *gpu; /* where all of them are; NULL: on the host */
  uint64_t seed;
  double yield[WN_SIDES];       /* electrons for an ion */
  double sigma[WN_SIDES];       /* m/s */
  struct wn_species *electrons; /* of model mcc, in a grid */
  size_t n;
  struct wn_emission_ions ions[8];
  struct wn_births made; /* in this step */
};

/* No yield, no ions, for the caller to fill in.  WN_ENOMEM. */
int wn_emission_create(struct wn_emission **out);
void wn_emission_free(struct wn_emission *e);

/* At the end of a step, the dead still in the stores: the electrons for all ions that ended
 * in it join their species.  WN_ENOMEM, WN_EFULL as wn_particles_append. */
int wn_emission_leave(struct wn_emission *e);

#endif
