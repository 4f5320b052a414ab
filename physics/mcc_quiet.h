/* physics/mcc_quiet.h - a mobility step of model `mcc` in which nothing happens: one exact
 * flight to its end, as most electrons of a thin gas make.  The operations, in their order, of
 * wn_mcc_load, wn_mcc_flights, wn_mcc_commit and wn_mcc_store: t/t0141-quiet.c compares the
 * bits.  In the field of a grid, without magnetic field. */
#ifndef WN_PHYSICS_MCC_QUIET_H
#define WN_PHYSICS_MCC_QUIET_H
#include "physics/mcc.h"
#include "physics/mcc_flight.h"

/* Steps with fewer candidates than this, on average, are worth looking for those without:
 * measured, bench/RESULTS.md. */
#define WN_MCC_QUIET_MOST 0.3

/* Is this model one of which most steps are? */
static WN_HD int wn_mcc_is_quiet(const struct wn_mcc *m)
{
  return m->in_grid && !m->has_b && m->n_groups == 1 &&
         m->xs.nu_max * m->dt < WN_MCC_QUIET_MOST;
}

/* A step of e, which has t_left > 0 and holds what it feels.  Returns 0: it has a candidate
 * in it, or an energy that is watched; *r is then of no use.  Else r is what it is at the end
 * of the step. */
static WN_HD int wn_mcc_quiet_fly(const struct wn_mcc *m, const struct wn_electron *e,
                                  struct wn_mcc_reg *r)
{
  struct wn_mcc_kind kind = wn_mcc_kind(m);
  kind.has_b = 0;
  kind.in_grid = 1;
  wn_mcc_load(m, e, r);
  if (r->next <= r->left)
    return 0;
  const struct wn_mcc_force force = wn_mcc_force(m, kind, e);
  const struct wn_mcc_parabola p = wn_mcc_parabola(&force, r->u);
  r->next -= r->left;
  r->since = r->left;
  r->left = 0.0f;
  r->energy = wn_energy_f(wn_mcc_parabola_at(&p, force.a2, r->since));
  if (r->energy >= m->watch_ev)
    return 0;
  wn_mcc_commit(m, kind, e, r);
  return 1;
}

/* What is stored of it, but for the place, and what it adds to its group; adds->path[2] is
 * also what the control variate gets. */
static WN_HD void wn_mcc_quiet_keep(const struct wn_mcc *m, const struct wn_mcc_reg *r,
                                    struct wn_electron *e, struct wn_flight_adds *adds)
{
  const double w = (double)e->w, length = w * m->per_length,
               lived = wn_mcc_left(m, e->t_left);
  for (int i = 0; i < 3; i++) {
    adds->path[i] = (float)((double)r->moved[i] * length);
    e->u[i] = r->u[i];
  }
  e->event++; /* the numbers of a flight are drawn, needed or not */
  e->t_left = (float)wn_mcc_steps_after(e->t_left);
  e->t_next = r->next;
  adds->time = (float)(w * (lived * m->per_phase));
  adds->gained = e->w * r->gained;
}

#endif
