/* src/run/check_growth.h - the lines of `wilson check` about numbers of macroparticles of a plasma that grow: how far
 * they were followed and what is assumed beyond, memory at their greatest, and warnings of a store or a memory that
 * they outrun. */
#ifndef WN_SRC_RUN_CHECK_GROWTH_H
#define WN_SRC_RUN_CHECK_GROWTH_H
#include "src/config/config.h"
#include "src/run/forecast_pilot.h"
#include "src/sim/device.h"

/* Nothing for numbers that do not change, in a run with equal steps. */
void wn_check_growth(const struct wn_config *c, const struct wn_device_plan *p,
                     const struct wn_pilot *g);

/* Bytes of the run with the greatest number of each species: those at the start, and for each particle more its record,
 * and its place in the second array of those that are sorted. */
double wn_check_growth_bytes(const struct wn_config *c, const struct wn_pilot *g);

#endif
