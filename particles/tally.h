/* particles/tally.h - create, reset, add and free tallies (physics/tally.h). */
#ifndef WN_PARTICLES_TALLY_H
#define WN_PARTICLES_TALLY_H
#include "base/state.h"
#include "physics/host_device.h"
#include "physics/passages.h"
#include "physics/tally.h"

WN_BEGIN_DECLS

struct wn_tally_shape {
  int n_groups, n_processes, n_thresholds;
  int bins;          /* passages are sorted into bins, too: struct wn_mcc.cohorts */
  size_t n_lineages; /* rows of first_passage; 0: none */
  int n_surfaces;    /* of the list; fewer than the sides of a box: these */
};

static inline size_t wn_tally_surfaces(const struct wn_tally_shape *s)
{
  return s->n_surfaces > WN_SIDES ? (size_t)s->n_surfaces : WN_SIDES;
}

/* Sums of electrons that passed thresholds. */
static inline size_t wn_passed(const struct wn_tally_shape *s)
{
  return (size_t)s->n_groups * (size_t)s->n_thresholds *
         (size_t)(WN_PASSED + (s->bins ? WN_PASSED_BIN_ROWS : 0));
}

/* Integers of 128 bits that wn_tally_of_all sums over ranks. */
static inline size_t wn_tally_sums(const struct wn_tally_shape *s)
{
  const size_t groups = (size_t)s->n_groups;
  return 7 + groups * (sizeof(struct wn_tally_group) / sizeof(wn_i128)) +
         wn_tally_surfaces(s) * (sizeof(struct wn_tally_surface) / sizeof(wn_i128)) +
         2 * groups * (size_t)s->n_processes + wn_passed(s);
}

/* All zero; first_passage NULL.  WN_ENOMEM: t is then without memory. */
int wn_tally_init(struct wn_tally *t, const struct wn_tally_shape *s);
/* Sums to zero; first_passage stays. */
void wn_tally_reset(struct wn_tally *t, const struct wn_tally_shape *s);
void wn_tally_add(struct wn_tally *to, const struct wn_tally *from,
                  const struct wn_tally_shape *s);
/* The same of n tallies, those of the n threads of a team, by these. */
void wn_tally_add_all(struct wn_tally *to, const struct wn_tally *from, int n,
                      const struct wn_tally_shape *s);
/* The sums of all ranks (base/ranks.h); first_passage stays.  WN_ENOMEM. */
int wn_tally_of_all(struct wn_tally *t, const struct wn_tally_shape *s);
/* The sums of `from`; first_passage stays. */
void wn_tally_copy(struct wn_tally *to, const struct wn_tally *from,
                   const struct wn_tally_shape *s);
/* Frees the memory of wn_tally_init; first_passage belongs to its owner. */
void wn_tally_clear(struct wn_tally *t);

/* First passages [n_lineages][n_thresholds], all `never`; malloc'd.  WN_ENOMEM. */
static inline size_t wn_passages(const struct wn_tally_shape *s)
{
  return s->n_lineages * (size_t)s->n_thresholds;
}
int wn_passages_create(const struct wn_tally_shape *s, int64_t **out);
void wn_passages_reset(int64_t *passage, const struct wn_tally_shape *s);

/* Its sums, and first_passage if there is one.  Errors: wn_state_item. */
int wn_tally_state(struct wn_tally *t, const struct wn_tally_shape *shape,
                   struct wn_state *s);

WN_END_DECLS

#endif
