/* particles/tally.h - the life of a tally (physics/tally.h): sizes, zero, sums of two. */
#ifndef WN_PARTICLES_TALLY_H
#define WN_PARTICLES_TALLY_H
#include "base/state.h"
#include "physics/hd.h"
#include "physics/tally.h"

WN_BEGIN_DECLS

struct wn_tally_shape {
  int n_groups, n_processes, n_thresholds;
  size_t n_lineages; /* rows of first_passage; 0: not wanted */
};

/* All zero; first_passage NULL. */
int wn_tally_init(struct wn_tally *t, const struct wn_tally_shape *s);
/* The same with first passages of its own, all `never`. */
int wn_tally_init_passages(struct wn_tally *t, const struct wn_tally_shape *s);
/* Sums to zero; first_passage stays. */
void wn_tally_reset(struct wn_tally *t, const struct wn_tally_shape *s);
void wn_tally_add(struct wn_tally *to, const struct wn_tally *from,
                  const struct wn_tally_shape *s);
/* Frees what wn_tally_init made; first_passage is its owner's. */
void wn_tally_clear(struct wn_tally *t);

static inline size_t wn_tally_passages(const struct wn_tally_shape *s)
{
  return s->n_lineages * (size_t)s->n_thresholds;
}
void wn_tally_no_passages(struct wn_tally *t, const struct wn_tally_shape *s);

int wn_tally_state(struct wn_tally *t, const struct wn_tally_shape *shape,
                   struct wn_state *s);

WN_END_DECLS

#endif
