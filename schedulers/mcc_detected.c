/* schedulers/mcc_detected.c - see mcc_detected.h. */
#include "schedulers/mcc_detected.h"
#include "particles/crossings.h"
#include "physics/mcc_collide.h"
#include "physics/mcc_flight.h"

struct wn_mcc_state wn_mcc_state_of(const struct wn_electron *e,
                                    const struct wn_mcc_reg *r)
{
  struct wn_mcc_state a = {.left = (double)r->left};
  for (int i = 0; i < 3; i++) {
    a.x[i] = e->x[i] + (double)r->moved[i];
    a.u[i] = (double)r->u[i];
  }
  return a;
}

static void note(const struct wn_mcc *m, const struct wn_electron *e, int detector,
                 const struct wn_arc_place *p, int outward, double begin)
{
  struct wn_crossings *c = m->crossings;
  const double energy = wn_kinetic_ev(p->u, wn_gamma(p->u));
  if (energy < c->least_ev)
    return;
  const struct wn_crossing one = {
      .time = begin + p->t,
      .x = {p->x[0], p->x[1], p->x[2]},
      .u = {p->u[0], p->u[1], p->u[2]},
      .energy_ev = energy,
      .weight = (double)e->w,
      .cosine = wn_detector_cosine(&c->detector[detector], p),
      .id = e->id,
      .tag = e->tag,
      .detector = detector,
      .outward = outward,
  };
  wn_crossings_add(c, &one);
}

void wn_mcc_look(const struct wn_mcc *m, const struct wn_electron *e,
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
        note(m, e, (int)k, &found.at[j], found.outward[j], begin);
      p = q;
      g = h;
    }
  }
}

/* As one_event of schedulers/model_mcc.c. */
static int one_event(const struct wn_mcc *m, struct wn_mcc_kind kind,
                     struct wn_mcc_reg *r, struct wn_electron *e, int group,
                     struct wn_tally *t, struct wn_mcc_state *last,
                     struct wn_electron *child)
{
  struct wn_mcc_ticket ticket = {0, 0};
  const int what = wn_mcc_flights(m, kind, r, e, group, t, &ticket);
  if (what == 0)
    return 0;
  wn_mcc_commit(m, kind, e, r);
  const struct wn_mcc_state now = wn_mcc_state_of(e, r);
  wn_mcc_look(m, e, m->accel, last, &now);
  const int then = what == WN_MCC_EVENT ? wn_mcc_collide(m, kind, r, e, group, t, child,
                                                         ticket.event, ticket.choice)
                                        : what;
  *last = wn_mcc_state_of(e, r);
  return then;
}

void wn_mcc_advance_detected(const struct wn_mcc *m, struct wn_electron *e,
                             struct wn_tally *tally, struct wn_births *births)
{
  struct wn_mcc_kind kind = wn_mcc_kind(m);
  kind.in_grid = 0;
  kind.banded = wn_mcc_banded(m, 0);
  const int group = (int)wn_electron_group(e->tag, (uint32_t)m->n_groups);
  struct wn_electron child;
  while (e->t_left > 0.0f) {
    struct wn_mcc_reg r;
    int what;
    wn_mcc_load(m, e, &r);
    struct wn_mcc_state last = wn_mcc_state_of(e, &r);
    do {
      what = one_event(m, kind, &r, e, group, tally, &last, &child);
      if (what & WN_MCC_CHILD)
        wn_births_push(births, &child);
    } while (!(what & (WN_MCC_DONE | WN_MCC_DEAD)));
    what |= wn_mcc_store(m, kind, &r, e, what, group, tally);
    if (what & WN_MCC_DEAD) {
      e->t_left = WN_DEAD;
      tally->n_deaths++;
    }
  }
}
