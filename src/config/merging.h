/* src/config/merging.h - merging of macroparticles of model plasma, from the scenario (struct
 * wn_cfg_merging): its species and its memory.  Pure functions. */
#ifndef WN_SRC_CONFIG_MERGING_H
#define WN_SRC_CONFIG_MERGING_H
#include "src/config/config.h"

/* The place of its species in the list; -1: there is none. */
long wn_merging_species(const struct wn_config *c, const struct wn_cfg_merging *m);

/* Whether macroparticles of a species have a weight of their own in their records. */
bool wn_merging_weighs(const struct wn_config *c, const struct wn_cfg_species *s);

/* Whether its weights have limits by field or by place; the key that says so, or NULL. */
const char *wn_merging_limits(const struct wn_cfg_merging *m);

/* Bytes of the limits of weights of one, on the host, or on a GPU that merges. */
double wn_merging_limits_bytes(const struct wn_config *c, const struct wn_cfg_merging *m,
                               bool on_gpu);

/* Bytes of the lists of particles by cells, and of limits, on the host. */
double wn_merging_bytes(const struct wn_config *c);

#endif
