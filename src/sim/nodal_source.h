/* src/sim/nodal_source.h - where E and B of field nodes come from: the formula or the file of a scenario. */
#ifndef WN_SRC_SIM_NODAL_SOURCE_H
#define WN_SRC_SIM_NODAL_SOURCE_H
#include "fields/nodal.h"
#include "src/config/config.h"

/* WN_EINPUT of the file; WN_ENOMEM.  What it holds is freed by its own function. */
int wn_nodal_source(const struct wn_config *c, struct wn_nodal_source *out);

#endif
