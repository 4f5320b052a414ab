/* physics/mcc_detected.h - model `mcc` in a swarm with detectors (struct wn_mcc.crossings): each flight between collisions is compared with
 * each detector (physics/detector.h).  Flights and collisions are those without detectors.
 *
 * A scheduler calls wn_mcc_detected_begin in the place of wn_mcc_load, wn_mcc_detected_arrive in that of wn_mcc_commit, and
 * wn_mcc_detected_left after each collision.
 * Checked by t/runaway/t0626-detectors.c; on a GPU by t0457. */
#ifndef WN_PHYSICS_MCC_DETECTED_H
#define WN_PHYSICS_MCC_DETECTED_H
#include <math.h>
#include "physics/crossing.h"
#include "physics/electron.h"
#include "physics/host_device.h"
#include "physics/mcc.h"
#include "physics/mcc_flight.h"
#include "physics/push.h"

/* An electron at one time of a step. */
struct wn_mcc_state {
  double x[3], u[3], left; /* left: s, of the mobility step */
};

/* That of r, which has just been loaded or committed. */
static WN_HD struct wn_mcc_state wn_mcc_state_of(const struct wn_electron *e,
                                                 const struct wn_mcc_reg *r)
{
  struct wn_mcc_state a;
  a.left = (double)r->left;
  for (int i = 0; i < 3; i++) {
    a.x[i] = e->x[i] + (double)r->moved[i];
    a.u[i] = (double)r->u[i];
  }
  return a;
}

static WN_HD void wn_mcc_note(const struct wn_mcc *m, const struct wn_electron *e,
                              int detector, const struct wn_arc_place *p, int outward,
                              double begin)
{
  struct wn_crossings *c = m->crossings;
  const double energy = wn_kinetic_ev(p->u, wn_gamma(p->u));
  if (energy < c->least_ev)
    return;
  const struct wn_crossing one = {begin + p->t,
                                  {p->x[0], p->x[1], p->x[2]},
                                  {p->u[0], p->u[1], p->u[2]},
                                  energy,
                                  (double)e->w,
                                  wn_detector_cosine(&c->detector[detector], p),
                                  e->id,
                                  e->tag,
                                  detector,
                                  outward,
                                  0};
  wn_crossings_note(c, &one);
}

/* Notes the crossings of a flight in the uniform acceleration accel and the B of m.  Its ends are the stored ones: one
 * flight ends where the next begins, to the last bit.  So no crossing is counted twice or missed. */
static WN_COLD void wn_mcc_look(const struct wn_mcc *m, const struct wn_electron *e,
                                const double accel[3], const struct wn_mcc_state *from,
                                const struct wn_mcc_state *to)
{
  const struct wn_crossings *c = m->crossings;
  const struct wn_arc f = {{from->x[0], from->x[1], from->x[2]},
                           {from->u[0], from->u[1], from->u[2]},
                           from->left - to->left,
                           accel,
                           m->gyro,
                           m->has_b};
  const double begin = m->t_end - from->left - wn_mcc_steps_after(e->t_left) * m->dt;
  struct wn_detector_crossings found;
  if (!(f.dt > 0.0))
    return;
  for (size_t k = 0; k < c->n_detectors; k++) {
    const struct wn_detector *d = &c->detector[k];
    double g = wn_detector_distance(d, from->x);
    if (fabs(g) > WN_C * f.dt * (1.0 + 1e-6))
      continue;
    const size_t parts = wn_detector_parts(&f);
    struct wn_arc_place p = wn_arc_at(&f, 0.0);
    for (size_t i = 1; i <= parts; i++) {
      const struct wn_arc_place q = wn_arc_at(&f, f.dt * (double)i / (double)parts);
      const double h = wn_detector_distance(d, i < parts ? q.x : to->x);
      wn_detector_part(d, &f, &p, g, &q, h, &found);
      for (int j = 0; j < found.n; j++)
        wn_mcc_note(m, e, (int)k, &found.at[j], found.outward[j], begin);
      p = q;
      g = h;
    }
  }
}

/* An electron in a mobility step: in registers, and at its last commit or collision. */
struct wn_mcc_detected {
  struct wn_mcc_reg r;
  struct wn_mcc_state at;
};

static WN_HD void wn_mcc_detected_begin(const struct wn_mcc *m,
                                        const struct wn_electron *e,
                                        struct wn_mcc_detected *f)
{
  wn_mcc_load(m, e, &f->r);
  f->at = wn_mcc_state_of(e, &f->r);
}

static WN_HD void wn_mcc_detected_arrive(const struct wn_mcc *m, struct wn_mcc_kind kind,
                                         const struct wn_electron *e,
                                         struct wn_mcc_detected *f)
{
  wn_mcc_commit(m, kind, e, &f->r);
  const struct wn_mcc_state from = f->at, now = wn_mcc_state_of(e, &f->r);
  wn_mcc_look(m, e, m->accel, &from, &now);
  f->at = now;
}

static WN_HD void wn_mcc_detected_left(const struct wn_electron *e,
                                       struct wn_mcc_detected *f)
{
  f->at = wn_mcc_state_of(e, &f->r);
}

#endif
