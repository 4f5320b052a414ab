/* physics/ionization_angle.h - the deflection of a fast electron by an ionization, over that by a collision with a free
 * electron that takes as much: ratio of the means of 1 - cos.
 *
 * Of the cross section for a loss Q (physics/moller.h) the part d is that of distant collisions, the dipole term
 * B L (1/Q^3 + 1/R^3).  They have momentum transfers q spread as dq^2/q^2 (H. Bethe, Ann. Physik 397, 325, 1930; M. Inokuti, Rev. Mod.
 * Phys. 43, 297, 1971; both from memory) from q_min = Q/(beta c) to that of a free electron, q^2 = 2 m Q, and so a mean 1 - cos
 * that is smaller by
 *
 *   1/ln(1 + R) - 1/R,   R = 2 mc2 beta^2/Q,
 *
 * 0.1 at MeV.  The others are close collisions, which deflect as free ones.  On average both are
 *
 *   deflection = 1 - d (1 - 1/ln(1 + R) + 1/R).
 *
 * About half of the mean loss is that of distant collisions: with angles of free ones at all losses the electrons of a gas scatter
 * 1.8 times as much as they should, a quarter of what its nuclei do in air, in the place of some 1/Z of it.
 *
 * It is multiplied to 1 - cos, so that the direction after one collision has the right mean, and not the spread between close
 * and distant ones.  Between the energies `from` and 10 `from` its part grows as ln E from 0 to 1, as that of excitations
 * (physics/excitation_angle.h).  t/physics/t0170-ionization-angle.c */
#ifndef WN_PHYSICS_IONIZATION_ANGLE_H
#define WN_PHYSICS_IONIZATION_ANGLE_H
#include "physics/constants.h"
#include "physics/excitation_angle.h"
#include "physics/host_device.h"
#include "physics/mathfn.h"
#include "physics/moller.h"

/* Of a loss q_ev > 0 of an electron of t_ev; 1 from the cut on. */
static WN_HD double wn_ionization_deflection(const struct wn_join *j, double t_ev,
                                             double q_ev)
{
  const double r = 2.0 * WN_MC2_EV * wn_beta2(t_ev) / q_ev;
  return 1.0 - wn_join_dipole_part(j, q_ev) * (1.0 - 1.0 / wn_ln(1.0 + r) + 1.0 / r);
}

/* With the part that it has at t_ev; from_ev > 0, INFINITY: nowhere. */
static WN_HD double wn_deflection_from(double from_ev, double t_ev, double deflection)
{
  return t_ev > from_ev ? 1.0 - wn_excitation_part(from_ev, t_ev) * (1.0 - deflection)
                        : 1.0;
}

/* Of quanta (physics/collisions/friction.h): at + slope ln(T/eV), which is within 3 % of the sums over losses below the
 * cut from 10 keV to 40 MeV. */
struct wn_soft_deflection {
  float at, slope;
};

static WN_HD double wn_soft_deflection(const struct wn_soft_deflection *s, double t_ev)
{
  return (double)s->at + (double)s->slope * wn_ln(t_ev);
}

#endif
