/* src/config/factor.h - one entry of gas.components.<NAME>.factors:
 *   PROCESS FACTOR
 *   PROCESS FACTOR from ENERGY to ENERGY */
#ifndef WN_SRC_CONFIG_FACTOR_H
#define WN_SRC_CONFIG_FACTOR_H
#include "crosssections/xs_factor.h"

/* Whether there is such a process only the cross sections tell (wn_xs_multiply).
 *   out  its process is malloc'd, its text is the one given
 *   why  on WN_EINPUT what is wrong and what is allowed (malloc'd, or NULL when out of
 *        memory)
 * out is written only when all is well. */
int wn_config_factor(const char *text, struct wn_xs_factor *out, char **why);

#endif
