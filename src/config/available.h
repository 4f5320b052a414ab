/* src/config/available.h - one table of the parts of a scenario that are not available: on a GPU,
 * on several processes, where the grid is divided among them, in r-z, or with adaptive steps.  The reader, the choice
 * of the device (src/sim/device.h) and `wilson check` ask it; no other file refuses. */
#ifndef WN_SRC_CONFIG_AVAILABLE_H
#define WN_SRC_CONFIG_AVAILABLE_H
#include <stdbool.h>
#include "src/config/config.h"

/* Where a run takes place, bits. */
#define WN_ON_A_GPU        1u
#define WN_AMONG_PROCESSES 2u  /* particles are divided among several */
#define WN_IN_DOMAINS      4u  /* and the grid (divide = "domains") */
#define WN_IN_RZ           8u  /* grid.geometry = "r-z" */
#define WN_IN_BATCHES      16u /* on a GPU, but they stay on the host */
#define WN_WITH_STEPS      32u /* plasma.adaptive: steps of several lengths */

unsigned wn_available_where(const struct wn_config *c, bool on_gpu, int processes);

/* A part that is not available: the key that asks for it, and the reason with what is allowed. */
struct wn_unavailable {
  char key[128], text[384];
};

/* Whether there is one; the first is written to *out. */
bool wn_unavailable(const struct wn_config *c, unsigned where,
                    struct wn_unavailable *out);

/* WN_EINPUT, logged: there is one. */
int wn_available_check(const struct wn_config *c, unsigned where);

#endif
