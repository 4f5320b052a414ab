/* src/sim/cell_temperatures.h - the temperature of a species in each cell, as the factor
 * (T/T0)^a of a rate constant.
 *
 * kT is m/f times the sum of squares of the velocities about their mean in the cell over n - 1,
 * with f components.  Of n particles of a Maxwellian it is kT X/s with s = f (n - 1)/2 and X of
 * the gamma distribution of shape s, so that the mean of its power a is (kT)^a G(s + a)/(G(s)
 * s^a), G the gamma function.  The power is divided by that ratio: the factor is right on average
 * for few particles, too.  A cell with s + a not above 1/2 has the factor of all cells together.
 * Sums are integers: they do not depend on the order of the particles. */
#ifndef WN_SRC_SIM_CELL_TEMPERATURES_H
#define WN_SRC_SIM_CELL_TEMPERATURES_H
#include <stddef.h>
#include "physics/grid_view.h"
#include "src/sim/species.h"

struct wn_cell_temperatures;

/* WN_ENOMEM. */
int wn_cell_temperatures_create(const struct wn_grid_view *g,
                                struct wn_cell_temperatures **out);
void wn_cell_temperatures_free(struct wn_cell_temperatures *t);

/* (T/T0)^a of species s, on the host, in each cell: valid until the next call.  kT0 in eV, above
 * 0.  At most 1e60, also of particles without a temperature. */
const double *wn_cell_temperatures_factors(struct wn_cell_temperatures *t,
                                           const struct wn_species *s, double exponent,
                                           double reference_ev);

#endif
