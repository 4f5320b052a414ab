/* src/diag/passages.h - first passages of one threshold, for the line of a job. */
#ifndef WN_SRC_DIAG_PASSAGES_H
#define WN_SRC_DIAG_PASSAGES_H
#include "src/sim/sim.h"
#include "src/stats/jackknife.h"

struct wn_passages_of {
  struct wn_estimate fraction; /* of the lineages of the primaries */
  /* 1/s, per electron.  If no electron passed: 0, error NAN, and rate_limit is the 95 % upper limit.
   * Otherwise rate_limit is NAN, and also after roulette, as removed electrons might have passed. */
  struct wn_estimate rate;
  double rate_limit;
  struct wn_estimate time; /* s since the release */
  struct wn_estimate
      passages; /* electrons that passed, per primary; the limit likewise */
  double passages_limit;
};

/* threshold: index in c->thresholds_ev.  WN_ENOMEM. */
int wn_passages_estimate(const struct wn_sim *s, size_t threshold,
                         struct wn_passages_of *out);

#endif
