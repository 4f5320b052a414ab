/* src/diag_passages.h - first passages of one threshold, for the line of a job. */
#ifndef WN_SRC_DIAG_PASSAGES_H
#define WN_SRC_DIAG_PASSAGES_H
#include "src/sim.h"
#include "src/stats.h"

struct wn_passages_of {
  struct wn_estimate fraction; /* of the primaries' lineages */
  struct wn_estimate rate;     /* 1/s, per electron */
  struct wn_estimate time;     /* s since the release */
  struct wn_estimate passages; /* electrons that passed, per primary */
};

/* threshold: its place in c->thresholds_ev.  WN_ENOMEM. */
int wn_passages_estimate(const struct wn_sim *s, size_t threshold,
                         struct wn_passages_of *out);

#endif
