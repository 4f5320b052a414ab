/* src/run/check_growth.h - the lines of `wilson check` about numbers of macroparticles of a plasma that grow: how far
 * they were followed and what is assumed beyond, memory at their greatest, and warnings of a store or a memory that
 * they outrun. */
#ifndef WN_SRC_RUN_CHECK_GROWTH_H
#define WN_SRC_RUN_CHECK_GROWTH_H
#include "base/memory.h"
#include "src/config/config.h"
#include "src/run/forecast_pilot.h"
#include "src/sim/device.h"

/* Nothing for numbers that do not change, in a run with equal steps.  Memory is that of the device which has the particles; without a
 * GPU for a run there, its size is not known, and nothing is too much.  WN_ECUDA. */
int wn_check_growth(const struct wn_config *c, const struct wn_device_plan *p,
                    const struct wn_pilot *g);

/* Warns of so many bytes where the memory is smaller. */
void wn_check_growth_memory(const struct wn_config *c, double bytes,
                            const struct wn_memory *m);

/* Bytes of the run with the greatest number of each species: those at the start, and for each particle more its record,
 * and its place in the second array of those that are sorted. */
double wn_check_growth_bytes(const struct wn_config *c, const struct wn_pilot *g);

#endif
