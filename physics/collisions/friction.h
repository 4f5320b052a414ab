/* physics/collisions/friction.h - model `mcc`: distant collisions of a fast electron together: it goes
 * straight on with less energy, the loss of the process at a time.  Such quanta come as often as the mean
 * loss per length demands (crosssections/xs_moller.h); their variance is that of single collisions for one
 * size of the quantum, and the limit of small quanta is a continuous loss.  The angles of distant collisions, of order
 * (loss/energy)^1/2 of a binary one and less, are left out. */
#ifndef WN_PHYSICS_COLLISIONS_FRICTION_H
#define WN_PHYSICS_COLLISIONS_FRICTION_H
#include "physics/collisions/candidate.h"
#include "physics/push.h"

static WN_COLD struct wn_mcc_outcome wn_mcc_friction(const struct wn_mcc *m,
                                                     struct wn_mcc_kind kind,
                                                     const struct wn_mcc_case *c,
                                                     const struct wn_electron *e)
{
  struct wn_mcc_outcome out = {{0.0f, 0.0f, 0.0f}, 0.0f, 0.0f, 0.0f, 0};
  const double u[3] = {(double)c->q.u[0], (double)c->q.u[1], (double)c->q.u[2]},
               t_ev = wn_kinetic_ev(u, wn_gamma(u)), loss_ev = c->p->loss_ev;
  (void)m, (void)kind, (void)e;
  out.forbidden = !(t_ev > loss_ev);
  if (out.forbidden)
    return out;
  const double slower = wn_u_from_ev(t_ev - loss_ev) / wn_u_from_ev(t_ev);
  for (int i = 0; i < 3; i++)
    out.u[i] = (float)(slower * u[i]);
  return out;
}

#endif
