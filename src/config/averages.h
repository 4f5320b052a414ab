/* src/config/averages.h - time windows over which model plasma averages its fields: from the
 * scenario (struct wn_cfg_average) to steps.  SI. */
#ifndef WN_SRC_CONFIG_AVERAGES_H
#define WN_SRC_CONFIG_AVERAGES_H
#include "physics/node_values.h"
#include "src/config/config.h"

#define WN_MAX_AVERAGES   16 /* windows of a scenario */
#define WN_AVERAGE_BLOCKS 10 /* of a window whose length is a time */
#define WN_AVERAGE_RATES  64 /* of a window */

/* The frequency of the periods of a window, Hz; 0: there is none, or, if *more is set,
 * walls have different ones. */
double wn_average_frequency(const struct wn_config *c, const struct wn_cfg_average *a,
                            bool *more);

/* Number of periods of a window: that of the scenario, or, if the window ends with the run,
 * of the whole run. */
size_t wn_average_periods(const struct wn_config *c, const struct wn_cfg_average *a,
                          double period);

struct wn_window {
  double start, length; /* s */
  double period;        /* s; 0: no period */
  size_t blocks; /* equal parts of the window; 0: the run is shorter than a period */
  size_t phases; /* equal parts of a period; 0: not resolved */
  size_t every, first; /* steps: from sample to sample, the first in the window */
};

/* For a window that wn_config_check_averages has accepted. */
struct wn_window wn_average_window(const struct wn_config *c,
                                   const struct wn_cfg_average *a);

/* The block that contains the middle of step i, 0 being the first step of the run; -1:
 * outside of the window. */
long wn_window_block(const struct wn_window *w, double dt, size_t i);
/* Is step i sampled?  For steps in a block. */
bool wn_window_samples(const struct wn_window *w, size_t i);
/* The RF phase that contains the middle of step i; periods start at t = 0. */
size_t wn_window_phase(const struct wn_window *w, double dt, size_t i);

/* A rate as a part of names in results: letters and digits, all else an underscore. */
#define WN_RATE_WORD 64
void wn_average_rate_word(const char *rate, char word[WN_RATE_WORD]);

/* Averaged numbers at each node, at most: rates of species that have none are not among them;
 * bytes of a window on the host. */
size_t wn_average_quantities(const struct wn_config *c, const struct wn_cfg_average *a);
double wn_average_bytes(const struct wn_config *c, const struct wn_cfg_average *a);
/* Values that particles add at a time at a node (src/sim/node_sums.h) for moments and rates, the
 * most of all windows; 0: none. */
int wn_average_values(const struct wn_config *c);

#endif
