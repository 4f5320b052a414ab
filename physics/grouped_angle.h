/* physics/grouped_angle.h - elastic deflections up to a cut angle, grouped: fewer and larger ones with the same first
 * and second transport moments.  Those above the cut stay single.
 *
 * With s = sin^2(chi/2) the shape of a forward model is p(s) ~ (1 - beta2 s)/(s + eta)^2, 0 <= s <= 1; beta2 is 0 without
 * spin factor.  Collisions of s below s_cut are replaced by ones whose s is uniform in [0, s_max], at the rate g; both
 * per collision of the single ones:
 *
 *   M_n = integral of s^n p(s) ds over [0, s_cut],  integral of p over [0, 1] = 1
 *   g s_max/2 = M_1,  g s_max^2/3 = M_2      =>      s_max = 3 M_2/(2 M_1),  g = 4 M_1^2/(3 M_2)
 *
 * 1 - P1(cos chi) = 2 s and 1 - P2 = 6 s (1 - s) are linear in s and s^2, so the transport rates of orders 1 and 2 are
 * those of single scattering.  By Lewis (Phys. Rev. 78, 526, 1950; the paper was not read, derivation in
 * t/swarm/t0667-grouped-elastic.c) the means of z, z cos, z^2 and x^2 + y^2 at a given path depend on these two only: they are
 * exact for any cut.  Order 3 and above converge as s_cut falls.  The path between collisions stays exponential, so that
 * no step is chosen, no displacement is approximated, and fields, boundaries and restarts need nothing of
 * their own.  Replacing a forward peak by a process with the same low moments is the idea of Franke and Prinja (Nucl. Sci.
 * Eng. 149, 1, 2005; from memory, not read); the uniform law is chosen here: p falls with s, so it is a mixture of uniform laws, and by
 * Jensen g is at most the rate of what it replaces, with equality as s_cut -> 0, where the uniform law is p itself.
 * For eta << s_cut << 1 g is about (4/3) (eta/s_cut) (ln(s_cut/eta) - 1)^2, against eta/s_cut of single ones. */
#ifndef WN_PHYSICS_GROUPED_ANGLE_H
#define WN_PHYSICS_GROUPED_ANGLE_H
#include <math.h>
#include "physics/angle.h"
#include "physics/host_device.h"

/* s^n/(s + eta)^2 integrated from 0 to x, n = 0..3.  Below x = eta/8 by the series in x/eta, as the
 * closed forms cancel. */
static inline void wn_grouped_integrals(double eta, double x, double out[4])
{
  const double l = log1p(x / eta), r = x / (x + eta);
  if (x < 0.125 * eta) {
    for (int n = 0; n < 4; n++) { /* (1 + y)^-2 = sum of (-1)^k (k + 1) y^k */
      double power = pow(x, n + 1) / (eta * eta);
      out[n] = 0.0;
      for (int k = 0; k < 20; k++, power *= -x / eta)
        out[n] += (k + 1) * power / (n + k + 1);
    }
    return;
  }
  out[0] = r / eta;
  out[1] = l - r;
  out[2] = x - 2.0 * eta * l + eta * r;
  out[3] = 0.5 * x * x - 2.0 * eta * x + 3.0 * eta * eta * l - eta * eta * r;
}

/* Moments 0, 1 and 2 of s over [0, x], of p normalized over [0, 1]. */
static inline void wn_grouped_moments(double eta, double beta2, double x, double m[3])
{
  double part[4], all[4];
  wn_grouped_integrals(eta, x, part);
  wn_grouped_integrals(eta, 1.0, all);
  for (int n = 0; n < 3; n++)
    m[n] = (part[n] - beta2 * part[n + 1]) / (all[0] - beta2 * all[1]);
}

/* Per collision of the single ones: all that remain, grouped and single; the part of the grouped ones among
 * them; the largest s of those. */
struct wn_grouped_angle {
  double rate, part, s_max;
};

/* eta > 0, 0 <= beta2 < 1, 0 < s_cut <= 1 (caller checks).  Never fails. */
static inline struct wn_grouped_angle wn_grouped_angle(double eta, double beta2,
                                                       double s_cut)
{
  double m[3];
  wn_grouped_moments(eta, beta2, s_cut, m);
  const double grouped = 4.0 * m[1] * m[1] / (3.0 * m[2]), single = 1.0 - m[0];
  const struct wn_grouped_angle g = {grouped + single, grouped / (grouped + single),
                                     1.5 * m[2] / m[1]};
  return g;
}

/* ---- drawn; q: of physics/angle.h, eta = (q/2)/(1 - q) */

/* The part of 1/(s + eta)^2 that is above s_cut: 1 - r_c of wn_angle_s(q, r_c) = s_cut. */
static WN_HD double wn_angle_tail(double q, double s_cut)
{
  return (1.0 - s_cut) * q / (2.0 * s_cut * (1.0 - q) + q);
}

/* wn_angle_s among the s of that part, from a uniform r in [0, 1); tail = 1 gives the same bits as wn_angle_s, as r has
 * 32 bits and 1 - (1 - r) is exact. */
static WN_HD double wn_angle_s_above(double q, double tail, double r)
{
  const double w = tail * (1.0 - r);
  return (1.0 - w) * q / (2.0 * w * (1.0 - q) + q);
}

/* One word for both: below `part` a grouped deflection, else a single one above the cut, before the spin
 * factor. */
static WN_HD double wn_grouped_s(double q, double tail, double part, double s_max,
                                 double u)
{
  return u < part ? s_max * (u / part)
                  : wn_angle_s_above(q, tail, (u - part) / (1.0 - part));
}

#endif
