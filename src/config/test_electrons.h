/* src/config/test_electrons.h - test electrons of model plasma, from the scenario
 * (plasma.test_electrons; src/sim/test_electrons.h).  Pure functions. */
#ifndef WN_SRC_CONFIG_TEST_ELECTRONS_H
#define WN_SRC_CONFIG_TEST_ELECTRONS_H
#include <stdbool.h>
#include "physics/levels.h"
#include "src/config/config.h"

/* Groups by which the errors of their sums are estimated: the error of an error is 13 %. */
#define WN_TEST_GROUPS 32

bool wn_test_electrons_are_on(const struct wn_config *c);

/* The species of the electrons of which they are copies; -1: none has this name, or several could
 * be meant. */
long wn_test_electrons_species(const struct wn_config *c);

/* eV: the last threshold, at which they end; 0: there are no thresholds. */
double wn_test_electrons_top_ev(const struct wn_config *c);

void wn_test_electrons_levels(const struct wn_config *c, struct wn_levels *out);

/* Bytes of as many as the control of their number leaves, at most. */
double wn_test_electrons_bytes(const struct wn_config *c);

#endif
