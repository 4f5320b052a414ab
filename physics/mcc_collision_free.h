/* physics/mcc_collision_free.h - model `mcc`, collision-free pass: the whole mobility step of an
 * electron in a grid (physics/mcc_grid.h) without a candidate.  In a thin plasma 98 of
 * 100 electrons have none in a step, and need no random numbers.
 *
 * The result is that of wn_mcc_load, wn_mcc_fly, wn_mcc_commit and wn_mcc_store in turn,
 * by the same operations: the same bits, one event counted.  Whether the step was free of
 * candidates is known at its end.  wn_mcc_collision_free has no branches, so that a host
 * vectorizes a loop over electrons, and reads nothing but its arguments.
 * wn_mcc_collision_free_fly is for one electron in registers, in a thread of a GPU, and stops at a
 * candidate. t/physics/t0141-collision-free.c and t/plasma/t0743-one-pass.c compare the bits. */
#ifndef WN_PHYSICS_MCC_COLLISION_FREE_H
#define WN_PHYSICS_MCC_COLLISION_FREE_H
#include "physics/host_device.h"
#include "physics/mcc.h"
#include "physics/mcc_flight.h"
#include "physics/single_precision.h"
#include "physics/tally.h"

/* A mobility step from start to end: what all electrons have in common. */
struct wn_mcc_whole {
  float left;                         /* s */
  double lived, per_step, per_length; /* s; as of struct wn_mcc */
  float watch_ev;
};

static WN_HD struct wn_mcc_whole wn_mcc_whole(const struct wn_mcc *m)
{
  const struct wn_mcc_whole whole = {(float)wn_mcc_left(m, 1.0f), wn_mcc_left(m, 1.0f),
                                     m->per_step, m->per_length, m->watch_ev};
  return whole;
}

/* An electron at the end of the step; valid only if is_collision_free. */
struct wn_mcc_collision_free {
  float moved[3], u[3]; /* m; m/s */
  float next, gained;   /* s to the next candidate; eV */
  int is_collision_free, is_slow;
};

/* Gain below which an electron is slow at both ends, as 1/2 of its value for WN_SLOW_S
 * with the other end at rest; by the slow forms, which are monotonic.  (One comparison,
 * as compilers turn three into branches.) */
#define WN_MCC_COLLISION_FREE_SLOW 2.4e-4f

/* From velocity, acceleration, and time to the next candidate.  is_collision_free is 0 for an
 * electron with a candidate in the step, with an energy to be watched, or with a bent
 * flight (wn_flight_bend).  slow, a constant in the call: all electrons of the call are
 * slow (physics/single_precision.h) throughout, which saves five roots and divisions; is_slow says
 * whether that held. */
static WN_HD struct wn_mcc_collision_free
wn_mcc_collision_free(const struct wn_mcc_whole *whole, const float u[3],
                      const struct wn_mcc_force *f, float next, int slow)
{
  const float left = whole->left;
  const struct wn_mcc_parabola p = wn_mcc_parabola(f, u);
  const float s1 = wn_mcc_parabola_at(&p, f->a2, left);
  const float base_ev = slow ? wn_energy_slow(p.s0) : wn_energy_f(p.s0),
              energy = slow ? wn_energy_slow(s1) : wn_energy_f(s1),
              rise = wn_mcc_rise(base_ev, energy);
  const struct wn_flight flight =
      wn_flight_with(f->a2, slow ? wn_inverse1p_slow(rise) : wn_inverse1p_f(rise), left);
  struct wn_mcc_collision_free q = {{0.0f, 0.0f, 0.0f},
                                    {u[0], u[1], u[2]},
                                    next - left,
                                    energy - base_ev,
                                    (next > left) & (energy < whole->watch_ev) &
                                        (flight.k < WN_FLIGHT_BENT),
                                    rise < WN_MCC_COLLISION_FREE_SLOW};
  wn_flight_end(q.moved, q.u, f->a, &flight, left);
  return q;
}

/* Its terms in wn_mcc_store for struct wn_tally_group, in the units of the tally and not
 * rounded: path along three axes, control, time, gained.  All others are 0. */
enum { WN_MCC_COLLISION_FREE_SUMS = 6 };

static WN_HD void wn_mcc_collision_free_sums(const struct wn_mcc_whole *whole,
                                             const struct wn_mcc_collision_free *q,
                                             float weight,
                                             double sum[WN_MCC_COLLISION_FREE_SUMS])
{
  const double w = (double)weight, length = w * whole->per_length;
  for (int i = 0; i < 3; i++)
    sum[i] = (double)(float)((double)q->moved[i] * length) * WN_FIX_STEP;
  sum[3] = sum[2];
  sum[4] = (double)(float)(w * (whole->lived * whole->per_step)) * WN_FIX_STEP;
  sum[5] = (double)(weight * q->gained) * WN_FIX_ENERGY;
}

/* ---- one electron in registers */

/* Largest mean number of candidates in a step for which the collision-free pass pays:
 * measured, bench/RESULTS.md. */
#define WN_MCC_COLLISION_FREE_MOST 0.3

/* Whether most steps of this model are free of candidates. */
static WN_HD int wn_mcc_is_collision_free(const struct wn_mcc *m)
{
  return m->in_grid && !m->has_b && m->n_groups == 1 &&
         m->xs.nu_max * m->dt < WN_MCC_COLLISION_FREE_MOST;
}

/* Flights of such a model. */
static WN_HD struct wn_mcc_kind wn_mcc_collision_free_kind(const struct wn_mcc *m)
{
  struct wn_mcc_kind kind = wn_mcc_kind(m);
  kind.has_b = 0;
  kind.in_grid = 1;
  kind.banded = 0;
  kind.watched = WN_MCC_WATCH_STOPS;
  return kind;
}

/* A step of e, which has t_left > 0 and holds its acceleration.  Returns 0 if there is a
 * candidate in the step, or an energy that is watched; *r is then invalid.  Otherwise *r
 * is the state at the end of the step. */
static WN_HD int wn_mcc_collision_free_fly(const struct wn_mcc *m,
                                           const struct wn_electron *e,
                                           struct wn_mcc_reg *r)
{
  const struct wn_mcc_kind kind = wn_mcc_collision_free_kind(m);
  wn_mcc_load(m, e, r);
  if (r->next <= r->left)
    return 0;
  const struct wn_mcc_force force = wn_mcc_force(m, kind, e);
  const struct wn_mcc_parabola p = wn_mcc_parabola(&force, r->u);
  const struct wn_mcc_leg leg = wn_mcc_go(m, kind, r, &p, e);
  r->next = wn_mcc_rest(kind, r->next, leg.dt);
  r->left = 0.0f;
  if (r->energy >= m->watch_ev)
    return 0;
  wn_mcc_commit(m, kind, e, r);
  return 1;
}

/* A step for which wn_mcc_collision_free_fly has returned 0, from its start.  Returns 0 if a
 * candidate is not null, or an energy at one is watched: *e and *r are then invalid.
 * Otherwise *r is the state at the end of the step. */
static WN_HD int wn_mcc_null_fly(const struct wn_mcc *m, struct wn_electron *e,
                                 struct wn_mcc_reg *r, struct wn_tally *t)
{
  const struct wn_mcc_kind kind = wn_mcc_collision_free_kind(m);
  struct wn_mcc_ticket ticket;
  int what;
  wn_mcc_load(m, e, r);
  do
    what = wn_mcc_flights(m, kind, r, e, 0, t, &ticket);
  while (what == 0);
  if (what != WN_MCC_DONE)
    return 0;
  wn_mcc_commit(m, kind, e, r);
  return 1;
}

/* What is stored after either of them, except for place and event, and the terms for its
 * group; adds->path[2] is also the term of the control variate. */
static WN_HD void wn_mcc_collision_free_keep(const struct wn_mcc *m,
                                             const struct wn_mcc_reg *r,
                                             struct wn_electron *e,
                                             struct wn_flight_adds *adds)
{
  const double w = (double)e->w, length = w * m->per_length,
               lived = wn_mcc_left(m, e->t_left);
  for (int i = 0; i < 3; i++) {
    adds->path[i] = (float)((double)r->moved[i] * length);
    e->u[i] = r->u[i];
  }
  e->t_left = (float)wn_mcc_steps_after(e->t_left);
  e->t_next = r->next;
  adds->time = (float)(w * (lived * m->per_step));
  adds->gained = e->w * r->gained;
}

#endif
