/* src/diag/passages.h - first passages of one threshold, for the line of a job. */
#ifndef WN_SRC_DIAG_PASSAGES_H
#define WN_SRC_DIAG_PASSAGES_H
#include "src/sim/sim.h"
#include "src/stats/jackknife.h"

struct wn_passages_of {
  struct wn_estimate fraction; /* of the primaries' lineages */
  /* 1/s, per electron.  Where nobody passed it is 0, its error NAN, and with 95 % it is below
   * rate_limit; else that is NAN, and also where roulette took electrons, as nobody knows what
   * they would have done */
  struct wn_estimate rate;
  double rate_limit;
  struct wn_estimate time;     /* s since the release */
  struct wn_estimate passages; /* electrons that passed, per primary; likewise */
  double passages_limit;
};

/* threshold: its place in c->thresholds_ev.  WN_ENOMEM. */
int wn_passages_estimate(const struct wn_sim *s, size_t threshold,
                         struct wn_passages_of *out);

#endif
