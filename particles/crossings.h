/* particles/crossings.h - crossings of detectors (physics/detector.h) by the electrons of a step, a list to which all threads add.
 * Its order depends on threads until it is sorted: by time, then detector, electron and direction, which are different for
 * different crossings. */
#ifndef WN_PARTICLES_CROSSINGS_H
#define WN_PARTICLES_CROSSINGS_H
#include <stddef.h>
#include <stdint.h>
#include "physics/detector.h"

struct wn_crossing {
  double time;       /* s since the release */
  double x[3], u[3]; /* m; m/s, gamma v */
  double energy_ev, weight, cosine;
  uint64_t id;
  uint32_t tag;
  int32_t detector, outward;
  int32_t unused; /* 0: a record has no holes */
};

struct wn_crossings {
  size_t n_detectors;
  const struct wn_detector *detector;
  double least_ev; /* slower electrons are not noted */
  size_t n, room;
  struct wn_crossing *list;
  int status; /* WN_ENOMEM: some are missing */
};

/* One more; from any thread. */
void wn_crossings_add(struct wn_crossings *c, const struct wn_crossing *one);
/* Those of all ranks, sorted, on each rank.  Returns c->status of all ranks; WN_ENOMEM. */
int wn_crossings_collect(struct wn_crossings *c);
/* The list is empty again. */
void wn_crossings_empty(struct wn_crossings *c);

#endif
