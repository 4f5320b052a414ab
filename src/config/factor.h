/* src/config/factor.h - one entry of gas.components.<NAME>.factors:
 *   PROCESS FACTOR
 *   PROCESS FACTOR from ENERGY to ENERGY */
#ifndef WN_SRC_CONFIG_FACTOR_H
#define WN_SRC_CONFIG_FACTOR_H
#include "crosssections/xs_factor.h"

/* Whether the process exists is known only with the cross sections (wn_xs_multiply).
 *   out  its process is malloc'd, its text is the given one; written on success only
 *   why  on WN_EINPUT the error and the allowed form (malloc'd, or NULL when out of
 *   memory) */
int wn_config_factor(const char *text, struct wn_xs_factor *out, char **why);

#endif
