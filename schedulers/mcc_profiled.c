/* schedulers/mcc_profiled.c - see mcc_profiled.h. */
#include "schedulers/mcc_profiled.h"
#include "physics/mcc_collide.h"
#include "physics/mcc_profiled.h"

/* As one_event of schedulers/mcc_detected.c. */
static int one_event(const struct wn_mcc *m, struct wn_mcc_kind kind,
                     struct wn_mcc_profiled *f, struct wn_electron *e, int group,
                     struct wn_tally *t, struct wn_electron *child)
{
  struct wn_mcc_ticket ticket = {0, 0};
  const int what = wn_mcc_profiled_flights(m, kind, f, e, group, t, &ticket);
  if (what == 0)
    return 0;
  wn_mcc_profiled_arrive(m, kind, e, f);
  if (what != WN_MCC_EVENT)
    return what;
  const int then = wn_mcc_collide(m, kind, &f->r, e, group, t, child, ticket.event,
                                  ticket.choice);
  wn_mcc_profiled_left(f);
  return then;
}

void wn_mcc_advance_profiled(const struct wn_mcc *m, struct wn_electron *e,
                             struct wn_tally *tally, struct wn_births *births)
{
  struct wn_mcc_kind kind = wn_mcc_kind(m);
  kind.in_grid = 0;
  kind.banded = wn_mcc_banded(m, 0);
  const int group = (int)wn_electron_group(e->tag, (uint32_t)m->n_groups);
  struct wn_electron child;
  while (e->t_left > 0.0f) {
    struct wn_mcc_profiled f;
    int what;
    wn_mcc_profiled_begin(m, e, &f);
    do {
      what = one_event(m, kind, &f, e, group, tally, &child);
      if (what & WN_MCC_CHILD)
        wn_births_push(births, &child);
    } while (!(what & (WN_MCC_DONE | WN_MCC_DEAD)));
    what |= wn_mcc_store(m, kind, &f.r, e, what, group, tally);
    if (what & WN_MCC_DEAD) {
      e->t_left = WN_DEAD;
      tally->n_deaths++;
    }
  }
}
