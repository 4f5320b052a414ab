/* src/sim/gas_ions.h - cross sections of a species of ions in a plasma: one prepared set
 * for each component of the gas, and the table made from them. */
#ifndef WN_SRC_SIM_GAS_IONS_H
#define WN_SRC_SIM_GAS_IONS_H
#include <stddef.h>
#include "crosssections/xs_ion.h"
#include "src/config/config.h"

struct wn_gas_ions {
  size_t n;               /* components */
  struct wn_xs_set **set; /* [n]; NULL: ions do not collide with it */
  double e_max_ev;        /* requested top, of the relative motion */
  struct wn_xs_ion_table *table;
};

/* Reads and prepares the sets of species s, ions that collide; density [m-3] of each
 * component of the gas.
 *   WN_EINPUT  a file or a set is invalid: with its name
 *   WN_EIO     a file cannot be read to its end
 *   WN_ENOMEM */
int wn_gas_ions_create(const struct wn_config *c, const struct wn_cfg_species *s,
                       const double *density, struct wn_gas_ions **out);
void wn_gas_ions_free(struct wn_gas_ions *g);

#endif
