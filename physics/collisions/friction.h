/* physics/collisions/friction.h - model `mcc`: distant collisions of a fast electron together: it loses the energy
 * of the process at a time.  Such quanta come as often as the mean loss per length demands
 * (crosssections/xs_moller.h); their variance is that of single collisions for one size of the quantum, and the limit of
 * small quanta is a continuous loss.  The angle is that of a collision with a free electron that takes the
 * quantum K: sin^2 = 2 mc2 K/(T (T - K + 2 mc2)) is proportional to K for small K, so that quanta turn the
 * electron on average as much as the collisions that they stand for.  With isotropic angles it goes straight on. */
#ifndef WN_PHYSICS_COLLISIONS_FRICTION_H
#define WN_PHYSICS_COLLISIONS_FRICTION_H
#include "physics/angle.h"
#include "physics/collisions/candidate.h"
#include "physics/mathfn.h"
#include "physics/push.h"

static WN_COLD struct wn_mcc_outcome wn_mcc_friction(const struct wn_mcc *m,
                                                     struct wn_mcc_kind kind,
                                                     const struct wn_mcc_case *c,
                                                     const struct wn_electron *e)
{
  struct wn_mcc_outcome out = {{0.0f, 0.0f, 0.0f}, 0.0f, 0.0f, 0.0f, 0};
  const double u[3] = {(double)c->q.u[0], (double)c->q.u[1], (double)c->q.u[2]},
               t_ev = wn_kinetic_ev(u, wn_gamma(u)), loss_ev = c->p->loss_ev;
  (void)m, (void)e;
  out.forbidden = !(t_ev > loss_ev);
  if (out.forbidden)
    return out;
  const double before = wn_u_from_ev(t_ev), after = wn_u_from_ev(t_ev - loss_ev);
  double d[3] = {u[0] / before, u[1] / before, u[2] / before}, sine, cosine;
  if (kind.angle_model != WN_ANGLE_ISOTROPIC) {
    wn_sincos_turn(wn_u01(c->w.w[3]), &sine, &cosine);
    wn_angle_turn(d, 0.5 * (1.0 - wn_angle_binary_cos(t_ev, t_ev - loss_ev)), sine,
                  cosine);
  }
  for (int i = 0; i < 3; i++)
    out.u[i] = (float)(after * d[i]);
  return out;
}

#endif
