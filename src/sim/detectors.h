/* src/sim/detectors.h - operator: planes and spheres at which electrons of a runaway job are noted as they cross (detectors.*), on
 * whatever device they fly.  It changes nothing.  Planes lie across z, along which electrons drift, spheres around the place of the release. */
#ifndef WN_SRC_SIM_DETECTORS_H
#define WN_SRC_SIM_DETECTORS_H
#include <stddef.h>
#include "particles/crossings.h"

struct wn_sim;

/* Crossings of the last step, sorted (particles/crossings.h), those of all ranks; NULL: there are no detectors. */
const struct wn_crossing *wn_detectors_crossings(const struct wn_sim *s, size_t *n);

#endif
