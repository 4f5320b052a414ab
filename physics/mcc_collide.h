/* physics/mcc_collide.h - model `mcc` at a candidate: whether it is a real collision, and
 * what that does to the electron.  The definition: one electron at a time.
 *
 * The word picks a process by majorants that hold for every velocity of the target; then
 * that is drawn from its Maxwellian, and the collision is real with the probability that
 * belongs to the relative energy, so that the rate of collisions with approaching and
 * receding molecules is right (physics/collisions/candidate.h).
 *
 * Kinds of processes: physics/collisions/list.h, each with a file beside it.  A process
 * SLOWS or OTHER has there
 *
 *   struct wn_mcc_outcome wn_mcc_FILE(const struct wn_mcc *m, struct wn_mcc_kind kind,
 *                                     const struct wn_mcc_case *c,
 *                                     const struct wn_electron *e)
 *
 * of electron e, whose case is c: velocities before in c->q, words of block REAL in c->w
 * (the last two are free), the process in *c->p and its gas in *c->g. */
#ifndef WN_PHYSICS_MCC_COLLIDE_H
#define WN_PHYSICS_MCC_COLLIDE_H
#include "physics/collisions/attachment.h"
#include "physics/collisions/candidate.h"
#include "physics/collisions/friction.h"
#include "physics/collisions/ionization.h"
#include "physics/collisions/list.h"
#include "physics/collisions/scattering.h"
#include "physics/electron.h"
#include "physics/host_device.h"
#include "physics/mcc.h"
#include "physics/mcc_grid.h"
#include "physics/single_precision.h"
#include "physics/tally.h"
/* the next */

/* A real collision that leaves one electron, of any energy. */
static WN_HD struct wn_mcc_outcome wn_mcc_leave_one(const struct wn_mcc *m,
                                                    struct wn_mcc_kind kind,
                                                    const struct wn_mcc_case *c,
                                                    const struct wn_electron *e)
{
#define CARRY_OUT(KIND, name, file)                                                      \
  if (c->p->kind == WN_PROC_##KIND)                                                      \
    return wn_mcc_##file(m, kind, c, e);
  WN_PROCESSES(WN_NO_KIND, WN_NO_KIND, WN_NO_KIND, CARRY_OUT, CARRY_OUT)
#undef CARRY_OUT
  return wn_mcc_scattering(m, kind, c, e);
}

/* For WN_MCC_REST.  Slow electrons were considered by WN_MCC_COMMON, too: a bound that does not
 * hold has been counted. */
static WN_COLD void wn_mcc_consider_again(const struct wn_mcc *m,
                                          const struct wn_mcc_reg *r, uint64_t id,
                                          const struct wn_tally *t, uint32_t event,
                                          uint32_t word, struct wn_mcc_case *c)
{
  struct wn_tally to = *t;
  if (r->energy < WN_SLOW_EV)
    to.alarms = NULL;
  *c = wn_mcc_consider(m, wn_mcc_kind(m), r, id, &to, event, word);
}

/* A candidate that is not ruled out by the majorant of its bin (wn_mcc_fly said
 * WN_MCC_EVENT, and x and u are at the present): choose the process and carry it out.
 * word: of the choice.  Returns WN_MCC_DEAD, WN_MCC_CHILD, 0, or (kind.part)
 * WN_MCC_RARE; WN_MCC_REST considers the candidate once more. */
static WN_HD int wn_mcc_collide(const struct wn_mcc *m, struct wn_mcc_kind kind,
                                struct wn_mcc_reg *r, const struct wn_electron *e,
                                int group, struct wn_tally *t, struct wn_electron *child,
                                uint32_t event, uint32_t word)
{
  if (kind.part == WN_MCC_COMMON && WN_UNLIKELY(!(r->energy < WN_SLOW_EV)))
    return WN_MCC_RARE;
  struct wn_mcc_case c;
  if (kind.part == WN_MCC_REST)
    wn_mcc_consider_again(m, r, e->id, t, event, word, &c);
  else
    c = wn_mcc_consider(m, kind, r, e->id, t, event, word);
  const int splits = c.real && wn_process_splits(c.v.kind),
            rare = splits || c.fast || (c.real && wn_process_is_other(c.v.kind));
  if (kind.part == WN_MCC_COMMON && WN_UNLIKELY(rare))
    return WN_MCC_RARE;
  r->control = wn_fma(-c.free_time, wn_mcc_velocity_z(r->u[2], r->energy), r->control);
  if (!c.real) { /* null */
    wn_mcc_rebase(r, r->energy);
    return 0;
  }
  if (wn_process_ends(c.v.kind))
    return wn_mcc_attachment(r, e, group * m->xs.n_processes + c.v.index, kind.near, t);
  struct wn_mcc_outcome out;
  const int slow = kind.part != WN_MCC_REST && WN_LIKELY(!rare);
  if (slow)
    out = wn_mcc_deflect_slow(m, kind, c.g, &c.v, &c.q, e->id, &c.w, c.event);
  else if (splits)
    out = wn_mcc_ionization(m, kind, &c, r, e, child);
  else
    out = wn_mcc_leave_one(m, kind, &c, e);
  if (WN_UNLIKELY(out.forbidden)) {
    wn_tally_alarm(&t->alarms->n_forbidden);
    wn_mcc_rebase(r, r->energy);
    return 0;
  }
  r->control = wn_fma(c.free_time, out.drift, r->control);
  if (slow)
    wn_mcc_back_slow(&c.q, out.u, out.us);
  else
    wn_mcc_back(&c.q, out.u);
  wn_mcc_leave(r, e, group * m->xs.n_processes + c.v.index, out.given, &c.q, kind.near,
               t);
  const int remain = wn_mcc_remain(m, r->energy, e->w, splits, out.given, group, t);
  if (kind.in_grid && remain & WN_MCC_CHILD)
    wn_mcc_grid_birth(&m->grid, e, r->moved, child);
  t->n_births += remain & WN_MCC_CHILD ? 1u : 0u;
  return remain;
}

#endif
