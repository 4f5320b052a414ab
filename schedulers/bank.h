/* schedulers/bank.h - a bank of weighted particles, photons or positrons, that waits between steps; each process has a part of it.
 *
 * A record begins with its place, double [3]; weight (double) and tag (uint32_t) lie where the layout says.  Records move when the bank grows. */
#ifndef WN_SCHEDULERS_BANK_H
#define WN_SCHEDULERS_BANK_H
#include <stddef.h>
#include <stdint.h>
#include "physics/host_device.h"

struct wn_state;

WN_BEGIN_DECLS

struct wn_bank_layout {
  const char *name;          /* in a state */
  size_t bytes, weight, tag; /* of a record; offsets */
};

struct wn_bank {
  const struct wn_bank_layout *is;
  void *at;        /* [n_max] records, the first n in use; NULL: no room yet */
  size_t n, n_max; /* of this process */
};

/* Room for n more.  WN_ENOMEM. */
int wn_bank_room(struct wn_bank *b, size_t n);

#define WN_BANK_LEAST_WEIGHT 1e-30 /* lighter ones end */

/* The group of a tag, below n_groups. */
typedef uint32_t wn_bank_group(uint32_t tag, uint32_t n_groups);
/* Told of a record that is scaled, whose weight was `before`: whether it is kept. */
typedef int wn_bank_scaled(void *to, void *record, double before);

/* Weights times factor[group], unchanged where factor is NULL; to_origin: all places become 0. */
void wn_bank_scale(struct wn_bank *b, const double *factor, wn_bank_group *group_of,
                   uint32_t n_groups, int to_origin, wn_bank_scaled *scaled, void *to);

/* Saves the records of all processes; each restores its share.  Collective. */
int wn_bank_state(struct wn_bank *b, struct wn_state *s);

/* The same for sums of each process [n]: those of all are saved, and belong to the first process from then on. */
int wn_bank_sums_state(struct wn_state *s, const char *name, int64_t *sums, size_t n);

WN_END_DECLS

#endif
