/* src/run/check_ranks.h - the lines of `wilson check --ranks`: the cost of a run on several processes,
 * and which way of dividing it is faster; and functions that its other lines use, too. */
#ifndef WN_SRC_RUN_CHECK_RANKS_H
#define WN_SRC_RUN_CHECK_RANKS_H
#include <stddef.h>
#include "src/config/config.h"
#include "src/run/forecast.h"
#include "src/run/run.h"
#include "src/sim/device.h"

#define WN_CHECK_MIB (1024.0 * 1024.0)
void wn_check_memory_line(const char *what, double bytes);
/* A time s as text, with its unit; returns text. */
const char *wn_check_time_text(double s, char *text, size_t n);

/* Of model mcc; f [n]: of each case, most: electrons, sums: bytes that a step sums over
 * all. */
void wn_check_ranks_electrons(const struct wn_config *c, const struct wn_check_ranks *r,
                              const struct wn_forecast *f, size_t n, size_t most,
                              double sums);

/* A plasma.  cost: a step on one process; bytes: particles at the start; steps: of the run.  Compares
 * divided particles with the grid in slabs, where slabs are possible. */
void wn_check_ranks_plasma(const struct wn_config *c, const struct wn_device_plan *p,
                           const struct wn_check_ranks *r,
                           const struct wn_plasma_cost *cost, double bytes, double steps);

#endif
