/* src/run/check_ranks.h - the lines of `wilson check --ranks`: what a run costs on several processes, and which
 * way to divide it is the better; and what its other lines are written with. */
#ifndef WN_SRC_RUN_CHECK_RANKS_H
#define WN_SRC_RUN_CHECK_RANKS_H
#include <stddef.h>
#include "src/config/config.h"
#include "src/run/forecast.h"
#include "src/run/run.h"
#include "src/sim/device.h"

#define WN_CHECK_MIB (1024.0 * 1024.0)
void wn_check_memory_line(const char *what, double bytes);
/* Of s, with its unit; returns text. */
const char *wn_check_time_text(double s, char *text, size_t n);

/* Of model mcc; f [n]: of each case, most: electrons, sums: bytes that a step sums over
 * all. */
void wn_check_ranks_electrons(const struct wn_config *c, const struct wn_check_ranks *r,
                              const struct wn_forecast *f, size_t n, size_t most,
                              double sums);

/* Of a plasma; cost: of a step by one process; bytes: of the particles at the start; steps: of the run.
 * Particles divided, and the grid in slabs where that can be, and which of them takes less. */
void wn_check_ranks_plasma(const struct wn_config *c, const struct wn_device_plan *p,
                           const struct wn_check_ranks *r,
                           const struct wn_plasma_cost *cost, double bytes, double steps);

#endif
