/* physics/photons/pair.h - energies and directions of the pair from a photon in the field of a nucleus.  The total is that
 * of the data (physics/photons/element.h); here is its division.  Units: eV where the name ends in _ev.
 *
 * Bethe and Heitler with screening, as it is coded since Butcher and Messel (1960, not read):
 *   dsigma/dx ~ (x^2 + (1-x)^2) [phi1(d) - 4/3 ln Z] + 2/3 x (1-x) [phi2(d) - 4/3 ln Z]
 * with x = E_/E the part of one of the two, E_ with its rest energy, x in [mc2/E, 1 - mc2/E], and
 *   d = 136 Z^(-1/3) (mc2/E)/(x (1 - x)),
 *   phi1 = 20.867 - 3.242 d + 0.625 d^2, phi2 = 20.209 - 1.930 d - 0.086 d^2   for d <= 1,
 *   phi1 = phi2 = 21.12 - 4.184 ln(d + 0.952)                                  above.
 * A bracket that is negative (large d, near the threshold) counts as 0.  The part of an electron in whose field the pair is
 * made (triplet) is taken as a pair: its recoil is not followed.  No Coulomb correction: Z <= 18 here.
 * Where both brackets vanish for all x (below some 1.5 MeV), and everywhere below 2 MeV, x is uniform.
 *
 * Directions: both at an angle to the photon with density ~ 1/(1 - beta cos)^2, the leading term at high energy
 * (Sauter and Gavrila; not read), azimuths independent; momentum is that of the nucleus to take up.
 * Checked by t/physics/t0162-pair.c. */
#ifndef WN_PHYSICS_PHOTONS_PAIR_H
#define WN_PHYSICS_PHOTONS_PAIR_H
#include "physics/constants.h"
#include "physics/host_device.h"
#include "physics/mathfn.h"
#include "physics/photons/draws.h"

#define WN_PAIR_UNIFORM_EV 2e6 /* below: x uniform */

static WN_HD double wn_pair_phi1(double d)
{
  return d <= 1.0 ? 20.867 + d * (-3.242 + d * 0.625) : 21.12 - 4.184 * wn_ln(d + 0.952);
}

static WN_HD double wn_pair_phi2(double d)
{
  return d <= 1.0 ? 20.209 + d * (-1.930 - d * 0.086) : 21.12 - 4.184 * wn_ln(d + 0.952);
}

struct wn_pair_shape {
  double least; /* mc2/E */
  double d4;    /* d at x = 1/2, the least */
  double log_z; /* 4/3 ln Z */
  double bound; /* of wn_pair_density */
  int is_uniform;
};

/* dsigma/dx in any unit; x in [least, 1 - least]. */
static WN_HD double wn_pair_density(const struct wn_pair_shape *s, double x)
{
  if (s->is_uniform)
    return 1.0;
  const double xx = x * (1.0 - x), d = 0.25 * s->d4 / xx;
  const double a = wn_pair_phi1(d) - s->log_z, b = wn_pair_phi2(d) - s->log_z;
  return (1.0 - 2.0 * xx) * (a > 0.0 ? a : 0.0) + 2.0 / 3.0 * xx * (b > 0.0 ? b : 0.0);
}

/* e_ev > 2 mc2; z the atomic number. */
static WN_HD struct wn_pair_shape wn_pair_shape(double e_ev, double z)
{
  struct wn_pair_shape s;
  const double l = wn_ln(z);
  s.least = WN_MC2_EV / e_ev;
  s.d4 = 4.0 * 136.0 * wn_exp(-l / 3.0) * s.least;
  s.log_z = 4.0 / 3.0 * l;
  s.is_uniform = e_ev < WN_PAIR_UNIFORM_EV;
  /* both brackets fall with d, which is least at x = 1/2; the factors are at most 1 and 1/6 */
  const double a = wn_pair_phi1(s.d4) - s.log_z, b = wn_pair_phi2(s.d4) - s.log_z;
  s.bound = s.is_uniform ? 1.0 : (a > 0.0 ? a : 0.0) + (b > 0.0 ? b : 0.0) / 6.0;
  if (s.bound <= 0.0) {
    s.is_uniform = 1;
    s.bound = 1.0;
  }
  return s;
}

struct wn_pair {
  double t_ev
      [2]; /* kinetic energy of the electron and of the positron; their sum is E - 2 mc2 */
  double one_minus_c[2];
};

/* 1 - cos of the density ~ 1/(1 - beta cos)^2 over the sphere, of an electron of kinetic energy t_ev. */
static WN_HD double wn_pair_angle(double t_ev, double u)
{
  const double t = t_ev / WN_MC2_EV, g = t + 1.0;
  const double beta = sqrt(t * (t + 2.0)) / g;
  const double below = 1.0 / (g * g * (1.0 + beta)); /* 1 - beta */
  /* cos = (2u - 1 + beta)/((2u - 1) beta + 1) */
  return 2.0 * (1.0 - u) * below / (below + 2.0 * u * beta);
}

static WN_HD struct wn_pair wn_pair_sample(double e_ev, double z, struct wn_draws *r)
{
  const struct wn_pair_shape s = wn_pair_shape(e_ev, z);
  double x;
  do
    x = s.least + (1.0 - 2.0 * s.least) * wn_draw(r);
  while (wn_draw(r) * s.bound > wn_pair_density(&s, x));
  struct wn_pair p;
  const double all = e_ev - 2.0 * WN_MC2_EV;
  double t = x * e_ev - WN_MC2_EV;
  t = t < 0.0 ? 0.0 : t > all ? all : t;
  p.t_ev[0] = t;
  p.t_ev[1] = all - t;
  p.one_minus_c[0] = wn_pair_angle(p.t_ev[0], wn_draw(r));
  p.one_minus_c[1] = wn_pair_angle(p.t_ev[1], wn_draw(r));
  return p;
}

#endif
