/* src/config/residence.h - where the particles of a run on a GPU stay (key population.residence): on it, or on
 * the host, from which they visit it in batches. */
#ifndef WN_SRC_CONFIG_RESIDENCE_H
#define WN_SRC_CONFIG_RESIDENCE_H
#include <stdbool.h>
#include "src/config/config.h"

struct wn_residence {
  bool in_batches;
  double resident, batches; /* bytes of the GPU that either takes, about */
  char why[400];            /* one line, for the log and `wilson check` */
};

/* Of model plasma.  The particles are divided among so many processes, of which on_gpu share the GPU; memory: its
 * bytes that are free, 0: not known.  A choice that is not available (src/config/available.h) is
 * refused elsewhere. */
void wn_residence_choose(const struct wn_config *c, int processes, int on_gpu,
                         double memory, struct wn_residence *out);

#endif
