/* physics/collisions/friction.h - model `mcc`: distant collisions of a fast electron together: it loses the energy
 * of the process at a time.  Such quanta come as often as the mean loss per length demands
 * (crosssections/xs_moller.h); their variance is that of single collisions for one size of the quantum, and the limit of
 * small quanta is a continuous loss.  The angle is that of a collision with a free electron that takes the
 * quantum K: sin^2 = 2 mc2 K/(T (T - K + 2 mc2)) is proportional to K for small K, so that quanta turn the
 * electron on average as much as the collisions that they stand for, with the deflection of these (physics/ionization_angle.h).  With isotropic angles it goes straight on. */
#ifndef WN_PHYSICS_COLLISIONS_FRICTION_H
#define WN_PHYSICS_COLLISIONS_FRICTION_H
#include "physics/angle.h"
#include "physics/collisions/candidate.h"
#include "physics/collisions/lanes.h"
#include "physics/mathfn.h"
#include "physics/push.h"

/* u, of energy t_ev above loss_ev, after a quantum.  deflection: of physics/ionization_angle.h; word: of the azimuth. */
static WN_HD void wn_mcc_slow_down(int angle_model, double deflection, double t_ev,
                                   double loss_ev, uint32_t word, double u[3])
{
  const double before = wn_u_from_ev(t_ev), after = wn_u_from_ev(t_ev - loss_ev);
  double d[3] = {u[0] / before, u[1] / before, u[2] / before}, sine, cosine;
  if (angle_model != WN_ANGLE_ISOTROPIC) {
    wn_sincos_turn(wn_u01(word), &sine, &cosine);
    wn_angle_turn(d, 0.5 * (1.0 - wn_angle_binary_cos(t_ev, t_ev - loss_ev)) * deflection,
                  sine, cosine);
  }
  for (int i = 0; i < 3; i++)
    u[i] = after * d[i];
}

static WN_COLD struct wn_mcc_outcome wn_mcc_friction(const struct wn_mcc *m,
                                                     struct wn_mcc_kind kind,
                                                     const struct wn_mcc_case *c,
                                                     const struct wn_electron *e)
{
  struct wn_mcc_outcome out = {{0.0f, 0.0f, 0.0f}, 0.0f, 0.0f, 0.0f, 0};
  double u[3] = {(double)c->q.u[0], (double)c->q.u[1], (double)c->q.u[2]};
  const double t_ev = wn_kinetic_ev(u, wn_gamma(u)), loss_ev = c->p->loss_ev;
  (void)e;
  out.forbidden = !(t_ev > loss_ev);
  if (out.forbidden)
    return out;
  wn_mcc_slow_down(kind.angle_model,
                   wn_deflection_from((double)m->xs.excitation_from_ev, t_ev,
                                      wn_soft_deflection(&c->p->deflection, t_ev)),
                   t_ev, loss_ev, c->w.w[3], u);
  for (int i = 0; i < 3; i++)
    out.u[i] = (float)u[i];
  return out;
}

/* ---- wn_mcc_friction of many, and back to the frame of the gas.  Entries of the list are packed; arrays are written
 * up to the next multiple of the length of a vector. */
struct wn_mcc_slowed {
  int forbidden[WN_MCC_LANES];
  uint32_t word[WN_MCC_LANES];
  double u[3][WN_MCC_LANES], loss_ev[WN_MCC_LANES];
  float at[WN_MCC_LANES], slope[WN_MCC_LANES]; /* struct wn_soft_deflection */
  float v[3][WN_MCC_LANES];
  struct {
    float u[3][WN_MCC_LANES], t_ev[WN_MCC_LANES];
  } after;
};

static inline void wn_mcc_take_slowed(const struct wn_mcc *m,
                                      const struct wn_mcc_collisions *c,
                                      const struct wn_mcc_list *list,
                                      struct wn_mcc_slowed *x, int n)
{
  for (int i = 0; i < n; i++) {
    const int k = list->k[i < list->n ? i : 0];
    x->word[i] = c->word[3][k];
    x->loss_ev[i] = m->xs.process[c->process[k]].loss_ev;
    x->at[i] = m->xs.process[c->process[k]].deflection.at;
    x->slope[i] = m->xs.process[c->process[k]].deflection.slope;
    for (int l = 0; l < 3; l++) {
      x->u[l][i] = (double)c->u[l][k];
      x->v[l][i] = c->v[l][k];
    }
  }
}

/* Of those that are forbidden nothing is used. */
WN_LOOP void wn_mcc_slow_down_all(int angle_model, double from_ev,
                                  struct wn_mcc_slowed *WN_RESTRICT x, int n)
{
  const int isotropic = angle_model == WN_ANGLE_ISOTROPIC;
  for (int i = 0; i < n && isotropic; i++) {
    double u[3] = {x->u[0][i], x->u[1][i], x->u[2][i]};
    const double t_ev = wn_kinetic_ev(u, wn_gamma(u)), loss_ev = x->loss_ev[i];
    wn_mcc_slow_down(WN_ANGLE_ISOTROPIC, 1.0, t_ev, loss_ev, 0, u);
    x->forbidden[i] = !(t_ev > loss_ev);
    x->after.u[0][i] = (float)u[0];
    x->after.u[1][i] = (float)u[1];
    x->after.u[2][i] = (float)u[2];
  }
  for (int i = 0; i < n && !isotropic; i++) {
    double u[3] = {x->u[0][i], x->u[1][i], x->u[2][i]};
    const double t_ev = wn_kinetic_ev(u, wn_gamma(u)), loss_ev = x->loss_ev[i];
    const struct wn_soft_deflection deflection = {x->at[i], x->slope[i]};
    wn_mcc_slow_down(
        WN_ANGLE_SCREENED_COULOMB,
        wn_deflection_from(from_ev, t_ev, wn_soft_deflection(&deflection, t_ev)), t_ev,
        loss_ev, x->word[i], u);
    x->forbidden[i] = !(t_ev > loss_ev);
    x->after.u[0][i] = (float)u[0];
    x->after.u[1][i] = (float)u[1];
    x->after.u[2][i] = (float)u[2];
  }
  for (int i = 0; i < n; i++) {
    const float u[3] = {x->after.u[0][i], x->after.u[1][i], x->after.u[2][i]};
    struct wn_mcc_relative one;
    one.v[0] = x->v[0][i], one.v[1] = x->v[1][i], one.v[2] = x->v[2][i];
    wn_mcc_back(&one, u);
    x->after.u[0][i] = one.u[0], x->after.u[1][i] = one.u[1], x->after.u[2][i] = one.u[2];
    x->after.t_ev[i] = one.t_ev;
  }
}

static inline void wn_mcc_friction_many(const struct wn_mcc *m,
                                        const struct wn_mcc_collisions *c,
                                        const struct wn_mcc_list *list,
                                        struct wn_mcc_slowed *x)
{
  const int n = wn_mcc_abreast(list->n);
  wn_mcc_take_slowed(m, c, list, x, n);
  wn_mcc_slow_down_all(m->xs.angle_model, (double)m->xs.excitation_from_ev, x, n);
}

#endif
