/* src/stats/energy_table.h - makes tables of functions of the kinetic energy of a particle
 * (physics/energy_table.h), for what is too expensive for each particle. */
#ifndef WN_SRC_STATS_ENERGY_TABLE_H
#define WN_SRC_STATS_ENERGY_TABLE_H
#include "physics/energy_table.h"

/* Tables of so many functions, from 2^lowest_log2 to at least top eV; f puts them into value
 * [columns].  WN_ENOMEM. */
int wn_energy_table_create(int lowest_log2, double top_ev, size_t columns,
                           void (*f)(const void *data, double e_ev, double *value),
                           const void *data, struct wn_energy_table *out);
void wn_energy_table_clear(struct wn_energy_table *t);

#endif
