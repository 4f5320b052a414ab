/* src/config/electrode_shapes.h - what the keys electrodes.<NAME> and dielectrics.<NAME> mean: which there are, and
 * the shapes of each (physics/electrode.h).  Pure functions: no allocation, no log. */
#ifndef WN_SRC_CONFIG_ELECTRODE_SHAPES_H
#define WN_SRC_CONFIG_ELECTRODE_SHAPES_H
#include <stdbool.h>
#include "fields/electrostatic.h"
#include "src/config/config.h"

/* Electrodes: those that are no part of another one.  Their surfaces come after the sides, in the order of
 * the scenario. */
int wn_electrode_shapes_electrodes(const struct wn_config *c);

/* Dielectrics: their surfaces come after those of electrodes. */
int wn_electrode_shapes_dielectrics(const struct wn_config *c);

/* Whether an element is one of them; else it is one of electrodes. */
bool wn_electrode_shapes_is_dielectric(const struct wn_config *c,
                                       const struct wn_cfg_electrode *e);

/* The electrode or dielectric of a surface, by its place in the list of surfaces; NULL: it is a side, or there is none. */
const struct wn_cfg_electrode *wn_electrode_shapes_electrode(const struct wn_config *c,
                                                             int surface);

/* What a surface of the list does: that of a side, of an electrode, or of a dielectric. */
const struct wn_cfg_wall *wn_electrode_shapes_wall(const struct wn_config *c,
                                                   int surface);
/* The surface of an element of the list; -1: part_of is no electrode. */
int wn_electrode_shapes_surface(const struct wn_config *c,
                                const struct wn_cfg_electrode *e);

/* The shape of an element, in a scenario that was checked. */
struct wn_electrode_shape wn_electrode_shapes_one(const struct wn_config *c,
                                                  const struct wn_cfg_electrode *e);

/* Those of all electrodes; returns their number. */
int wn_electrode_shapes_of(const struct wn_config *c,
                           struct wn_electrode_shape out[WN_MOST_ELECTRODE_SHAPES]);

/* The same with those of dielectrics after them. */
int wn_electrode_shapes_all(const struct wn_config *c,
                            struct wn_electrode_shape out[WN_MOST_SHAPES]);

#endif
