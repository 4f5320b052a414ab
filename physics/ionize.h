/* physics/ionize.h - energy of the slower electron after an ionization.  All functions
 * return the secondary energy w_ev [eV] in [0, (t_ev - b_ev)/2]; t_ev: energy before,
 * b_ev: binding energy (loss), t_ev >= b_ev. */
#ifndef WN_PHYSICS_IONIZE_H
#define WN_PHYSICS_IONIZE_H
#include "physics/constants.h"
#include "physics/host_device.h"
#include "physics/mathfn.h"
#include "physics/rng.h"

/* Opal, Peterson, Beaty 1971 (J. Chem. Phys. 55, 4100): dsigma/dw ~ 1/(1 + (w/width)^2).
 * Inverse of the distribution. */
static WN_HD double wn_ionize_opal(double t_ev, double b_ev, double width_ev, double u)
{
  double top = 0.5 * (t_ev - b_ev), s, c;
  wn_sincos_turn(u * wn_atan(top / width_ev) * (1.0 / (2.0 * WN_PI)), &s, &c);
  double w = width_ev * s / c;
  return w < top ? w : top;
}

/* Relativistic binary-encounter-Bethe (Kim, Santos, Parente 2000, Phys. Rev. A 62,
 * 052710), one orbital of binding energy b; its kinetic energy scales the total, not the
 * shape.  Rejection from 1/(1+w)^2, whose product with the
 * differential cross section is bounded by 2 + 2 L + (t+1)^2 b'^2/(4 G) term by term,
 * since 1 + w <= t - w.  G = (1 + t')^2, as in crosssections/xs_rbeb.c.  Draws: one block
 * per trial, beginning at block WN_RNG_BLOCK_SHARE; on average fewer than 3. */
struct wn_rbeb {
  double t, ratio, bound, far, l, phi; /* phi over t + 1 */
};

/* t: t_ev/b_ev, above 1. */
static WN_HD struct wn_rbeb wn_rbeb(double t, double t_ev, double b_ev)
{
  struct wn_rbeb s;
  double tp = t_ev / WN_MC2_EV, bp = b_ev / WN_MC2_EV;
  double g = (1.0 + tp) * (1.0 + tp), phi = (1.0 + 2.0 * tp) / g;
  double beta2 = tp * (tp + 2.0) / g;
  s.t = t;
  s.l = wn_ln(beta2 * g) - beta2 - wn_ln(2.0 * bp);
  s.far = bp * bp / g;
  s.bound = 2.0 + (s.l > 0.0 ? 2.0 * s.l : 0.0) + 0.25 * (t + 1.0) * (t + 1.0) * s.far;
  s.ratio = (t + 1.0) / (t - 1.0);
  s.phi = phi / (t + 1.0);
  return s;
}

/* One trial: *w, in units of b_ev; returns whether it is accepted. */
static WN_HD int wn_rbeb_try(const struct wn_rbeb *s, uint32_t one, uint32_t other,
                             double *w)
{
  double v = wn_u01(one);
  *w = v / (s->ratio - v);
  double p = 1.0 / (*w + 1.0), q = 1.0 / (s->t - *w);
  double f = p * p + q * q - s->phi * (p + q) + s->far + s->l * (p * p * p + q * q * q);
  return wn_u01(other) * s->bound * (p * p) < f;
}

/* Trials from the given block on. */
static WN_HD double wn_rbeb_from(const struct wn_rbeb *s, uint64_t seed, uint64_t id,
                                 uint32_t event, uint32_t block)
{
  double w = 0.0;
  for (; block < WN_RNG_BLOCK_ANGLE; block++) {
    struct wn_rng4 r = wn_rng(seed, id, event, WN_RNG_EVENT, block);
    for (int i = 0; i < 4; i += 2)
      if (wn_rbeb_try(s, r.w[i], r.w[i + 1], &w))
        return w;
  }
  return w; /* 8160 rejections in a row: probability below 1e-700 */
}

static WN_HD double wn_ionize_rbeb(double t_ev, double b_ev, uint64_t seed, uint64_t id,
                                   uint32_t event)
{
  double t = t_ev / b_ev;
  if (t <= 1.0)
    return 0.0;
  struct wn_rbeb s = wn_rbeb(t, t_ev, b_ev);
  return wn_rbeb_from(&s, seed, id, event, WN_RNG_BLOCK_SHARE) * b_ev;
}

#endif
