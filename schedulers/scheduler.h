/* schedulers/scheduler.h - who advances which electron, when, on what hardware.
 * One scheduler is one file that exports one ops struct; scheduler.c lists what is built.
 * All give the same electrons (in another order, perhaps) and the same tallies, bit for
 * bit; `serial` is the definition of the method. */
#ifndef WN_SCHEDULERS_SCHEDULER_H
#define WN_SCHEDULERS_SCHEDULER_H
#include <stddef.h>
#include "schedulers/model.h"
#include "src/particles.h"

struct wn_scheduler;

struct wn_scheduler_ops {
  const char *name, *doc;
  /* threads: 0 for all.  shape: of the tallies it will be given. */
  int (*create)(int threads, const struct wn_tally_shape *shape,
                struct wn_scheduler **out);
  /* One phase: on entry every electron is alive with t_left = 0; on return each, newborns
   * included, is at the end of the phase or dead (t_left < 0, still in the store).  Adds
   * to the tally. Errors: WN_ERUN when the store is full, WN_ENOMEM; the store is then
   * consistent but the phase is not finished. */
  int (*advance)(struct wn_scheduler *s, const struct wn_model *model,
                 struct wn_particles *p, struct wn_tally *tally);
  int (*threads)(const struct wn_scheduler *s);
  void (*free)(struct wn_scheduler *s);
};

const struct wn_scheduler_ops *const *wn_scheduler_list(size_t *n);

/* By name; "auto" is the fastest that is built.  WN_EINPUT with the list, or with "not
 * built in" and what to install. */
int wn_scheduler_find(const char *name, const struct wn_scheduler_ops **out);

extern const struct wn_scheduler_ops wn_scheduler_serial, wn_scheduler_openmp;

#endif
