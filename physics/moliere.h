/* physics/moliere.h - elastic scattering of fast electrons by a screened nucleus: Rutherford with Mott's spin
 * factor and Moliere's screening angle.  With s = sin^2(theta/2), T the kinetic energy, p the momentum:
 *
 *   dsigma/ds = 4 pi A (1 - beta^2 s)/(s + eta)^2,   A = (Z r_e/(2 beta^2 gamma))^2          an atom
 *   eta = (hbar/(2 p a))^2 [1.13 + 3.76 (alpha Z/beta)^2],   a = 0.8853 Z^(-1/3) a0
 *
 * (G. Moliere, Z. Naturforsch. 2a, 133, 1947, screening of the Thomas-Fermi atom; from memory, the paper was not
 * read.)  The usual single length 1.3413 Z^(-1/3) a0 (physics/angle.h) has 2.6 times less eta.  What decides is the momentum transfer, whose
 * logarithm is the integral of (1 - F/Z)^2 over ln s, F the form factor of the electrons: with F of N and O as fitted by Waasmaier and Kirfel
 * (Acta Cryst. A 51, 416, 1995) Moliere's eta gives 0.8 to 1.4 % more from 0.1 to 10 MeV and 3 % less at 10 keV, the single length 7
 * to 14 % and 20 % more (t/physics/t0159-moliere.c).  The total is that of this shape; a Born total with F is larger, by
 * angles that are too small to matter.
 * Nuclei are points: at 40 MeV that is 2 % at right angles, and 1e-3 of the momentum transfer. */
#ifndef WN_PHYSICS_MOLIERE_H
#define WN_PHYSICS_MOLIERE_H
#include <math.h>
#include "physics/constants.h"
#include "physics/host_device.h"
#include "physics/moller.h"

static inline double wn_moliere_eta(double t_ev, double z)
{
  const double pc2 = t_ev * (t_ev + 2.0 * WN_MC2_EV), /* (p c)^2, eV^2 */
      a = 0.8853 * WN_A0 / cbrt(z), k = WN_HBAR * WN_C / WN_E / (2.0 * a),
               coulomb = WN_ALPHA * z;
  return k * k / pc2 * (1.13 + 3.76 * coulomb * coulomb / wn_beta2(t_ev));
}

/* Cross section of an atom: integral (moment 0), or for momentum transfer, of 1 - cos theta = 2 s
 * (moment 1) [m2]. */
static inline double wn_moliere(double t_ev, double z, int moment)
{
  const double beta2 = wn_beta2(t_ev), gamma = 1.0 + t_ev / WN_MC2_EV,
               f = z * WN_RE / (2.0 * beta2 * gamma), eta = wn_moliere_eta(t_ev, z),
               l = log1p(1.0 / eta), i1 = l - 1.0 / (1.0 + eta);
  if (moment == 0)
    return 4.0 * WN_PI * f * f * (1.0 / (eta * (1.0 + eta)) - beta2 * i1);
  return 8.0 * WN_PI * f * f * (i1 - beta2 * (1.0 - 2.0 * eta * l + eta / (1.0 + eta)));
}

#endif
