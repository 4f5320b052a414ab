/* src/config/distributions.h - distributions of energies and angles of model plasma: from the
 * scenario (struct wn_cfg_distribution) to species, window and region.  Pure functions. */
#ifndef WN_SRC_CONFIG_DISTRIBUTIONS_H
#define WN_SRC_CONFIG_DISTRIBUTIONS_H
#include "src/config/config.h"

#define WN_MAX_DISTRIBUTIONS 32 /* of a scenario */

/* The place of its species, window, side in their lists; -1: there is none of the name, or no
 * name and more than one.  The side is also -1 for a region. */
long wn_distribution_species(const struct wn_config *c,
                             const struct wn_cfg_distribution *d);
long wn_distribution_window(const struct wn_config *c,
                            const struct wn_cfg_distribution *d);
int wn_distribution_side(const struct wn_config *c, const struct wn_cfg_distribution *d);

/* Ends of the region along axis a, m. */
double wn_distribution_low(const struct wn_cfg_distribution *d, int a);
double wn_distribution_high(const struct wn_config *c,
                            const struct wn_cfg_distribution *d, int a);
/* m3 of a region, m2 of a wall; in one and two dimensions of a column of 1 m2 or a layer of
 * 1 m. */
double wn_distribution_extent(const struct wn_config *c,
                              const struct wn_cfg_distribution *d);

/* Numbers of one set, all phases or one of them; bytes of all on the host. */
size_t wn_distribution_cells(const struct wn_cfg_distribution *d);
double wn_distribution_bytes(const struct wn_config *c,
                             const struct wn_cfg_distribution *d);

#endif
