/* src/sim/ion_maker.h - the ion that is left where an electron was released or attached: its
 * record, with the weight of that electron and a thermal velocity of the gas. */
#ifndef WN_SRC_SIM_ION_MAKER_H
#define WN_SRC_SIM_ION_MAKER_H
#include "physics/ion.h"
#include "src/sim/sim.h"

/* Ions of a species. */
struct wn_ion_maker {
  struct wn_particles *to;  /* NULL: there is no such species */
  struct wn_points points;  /* of its motion, for energies */
  double sigma;             /* m/s along each axis, of their velocities */
  const struct wn_ion *ion; /* of their model, if they collide; NULL: they do not */
  size_t number;            /* of the species */
};

union wn_ion_record {
  union wn_word point[8];
  struct wn_electron ion;
};

/* Of the species of that name, NULL: none. */
struct wn_ion_maker wn_ion_maker(const struct wn_sim *s, const char *name);

/* The ion at the place of e, named by its id and event; grid: of the electrons' model.  Returns
 * its kinetic energy times its weight, eV. */
double wn_ion_maker_record(const struct wn_ion_maker *m, const struct wn_mcc_grid *grid,
                           const struct wn_electron *e, uint64_t seed,
                           union wn_ion_record *out);

#endif
