/* physics/excitation_angle.h - angles of excitations by fast electrons, in Bethe's form of the first Born
 * approximation.  Below their scale of momentum the generalized oscillator strength is the optical one, and
 *
 *   dsigma ~ dq^2/q^2,   q_min = |p - p'| <= q,   q^2 <= q_min^2 + q_c^2,   q_c^2 = 2 m R
 *
 * with the momenta p before and p' after, and R one rydberg: q_c = hbar/a0.  Larger momenta ionize (Bethe's ridge, physics/moller.h, xs_rbeb.h).
 * With s = (1 - cos chi)/2: q^2 = q_min^2 + 4 p p' s.  (H. Bethe, Ann. Physik 397, 325, 1930; M. Inokuti, Rev. Mod. Phys. 43, 297,
 * 1971; both from memory.)  The sharp end at q_c stands for the fall of the strength with q: for 1s-2p of hydrogen, (1 + (2 q a0/3)^2)^-6,
 * the mean of q^2 is 0.45 times that here times the ratio of the logarithms.  Left out: transverse excitation and forbidden
 * transitions, whose cross sections fall as 1/E.
 *
 * The Coulomb-like angle for want of data (physics/angle.h) has a tail 1/s^2 to s = 1, and some 150 times the mean 1 - cos
 * at 1 MeV.  Between the energies `from` and 10 `from` the part of this form grows as ln E from 0 to 1. */
#ifndef WN_PHYSICS_EXCITATION_ANGLE_H
#define WN_PHYSICS_EXCITATION_ANGLE_H
#include "physics/constants.h"
#include "physics/host_device.h"
#include "physics/mathfn.h"

/* The part of this form at t_ev >= from_ev > 0. */
static WN_HD double wn_excitation_part(double from_ev, double t_ev)
{
  const double part = wn_ln(t_ev / from_ev) * (1.0 / 2.3025850929940457);
  return part < 1.0 ? part : 1.0;
}

/* In eV^2: (q_min c)^2, without cancellation; (q_c c)^2; 4 p p' c^2. */
struct wn_excitation_momenta {
  double least2, cut2, four_pp;
};

/* Of an electron of t_ev that loses loss_ev < t_ev, which may be below 0; not 0. */
static WN_HD struct wn_excitation_momenta wn_excitation_momenta(double t_ev,
                                                                double loss_ev)
{
  const double rest = t_ev - loss_ev, p = sqrt(t_ev * (t_ev + 2.0 * WN_MC2_EV)),
               after = sqrt(rest * (rest + 2.0 * WN_MC2_EV)),
               least = loss_ev * (t_ev + rest + 2.0 * WN_MC2_EV) / (p + after);
  const struct wn_excitation_momenta m = {least * least, 2.0 * WN_MC2_EV * WN_RYDBERG_EV,
                                          4.0 * p * after};
  return m;
}

/* s from a uniform r in [0, 1). */
static WN_HD double wn_excitation_s(double t_ev, double loss_ev, double r)
{
  const struct wn_excitation_momenta m = wn_excitation_momenta(t_ev, loss_ev);
  const double s = m.least2 * wn_expm1(r * wn_ln(1.0 + m.cut2 / m.least2)) / m.four_pp;
  return s < 1.0 ? s : 1.0;
}

/* The mean of s, where none is above 1. */
static inline double wn_excitation_mean_s(double t_ev, double loss_ev)
{
  const struct wn_excitation_momenta m = wn_excitation_momenta(t_ev, loss_ev);
  return (m.cut2 / log1p(m.cut2 / m.least2) - m.least2) / m.four_pp;
}

#endif
