/* src/config/averages.h - windows of time over which model plasma averages its fields: what a
 * scenario says of one (struct wn_cfg_average), in steps.  SI. */
#ifndef WN_SRC_CONFIG_AVERAGES_H
#define WN_SRC_CONFIG_AVERAGES_H
#include "src/config/config.h"

#define WN_MAX_AVERAGES   16 /* windows of a scenario */
#define WN_AVERAGE_BLOCKS 10 /* of a window whose length is a time */

/* The one frequency of the periods of a window, Hz; 0: there is none, or *more says that
 * walls have different ones. */
double wn_average_frequency(const struct wn_config *c, const struct wn_cfg_average *a,
                            bool *more);

/* How many periods a window has: those of the scenario, or, of one that ends with the run, as
 * many as the run has. */
size_t wn_average_periods(const struct wn_config *c, const struct wn_cfg_average *a,
                          double period);

struct wn_window {
  double start, length; /* s */
  double period;        /* s; 0: it has none */
  size_t blocks;        /* equal parts of it; 0: the run has not one period */
  size_t phases;        /* equal parts of a period; 0: not told apart */
  size_t every, first;  /* steps: from sample to sample, the first that is in it */
};

/* Of a window that wn_config_check_averages found sound. */
struct wn_window wn_average_window(const struct wn_config *c,
                                   const struct wn_cfg_average *a);

/* The block in which the middle of step i lies, 0 being the first of the run; -1: it is not
 * in the window. */
long wn_window_block(const struct wn_window *w, double dt, size_t i);
/* Is step i a sample of it?  Asked of steps with a block. */
bool wn_window_samples(const struct wn_window *w, size_t i);
/* The phase in which the middle of step i lies; periods are counted from t = 0. */
size_t wn_window_phase(const struct wn_window *w, double dt, size_t i);

/* What is averaged: numbers at each node; bytes that a window takes on the host. */
size_t wn_average_quantities(const struct wn_config *c, bool moments);
double wn_average_bytes(const struct wn_config *c, const struct wn_cfg_average *a);

#endif
