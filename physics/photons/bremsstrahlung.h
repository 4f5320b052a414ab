/* physics/photons/bremsstrahlung.h - bremsstrahlung of electrons in the field of atoms, from tables.
 * Units: energies eV, cross sections m2 per atom.
 *
 *   k dsigma/dk = phi(E) f(E, x),   x = k/E,   integral of f over x in [0, 1] = 1
 *
 * phi = S/E, where S [eV m2] is the radiative stopping cross section of the table: all its points are kept, so the stopping is
 * that of the table at any energy.  f is linear in ln E between the energies of the spectra at fixed x, and linear in x.
 * Above a photon cut kc:
 *
 *   sigma(E, kc) = phi(E) integral of f(E, x) dx/x over [kc/E, 1]                       wn_brems_above
 *   restricted stopping S(E, kc) = E phi(E) integral of f dx over [0, kc/E]             wn_brems_restricted
 *
 * Positrons are taken as electrons: they radiate less below some MeV in heavy elements, which is not modelled.
 * Angles: `dipole`, (1 + cos^2) in the frame of the electron, or `2bs`, formula 2BS of Koch and Motz (1959) in the form
 * in which it is sampled by EGS (Bielajew, Mohan, Chui 1989); neither was read.  2BS needs E0 >> mc2: use it above some MeV.
 * Checked by t/physics/t0164-bremsstrahlung.c and t/crosssections/t0225-photon-data.c. */
#ifndef WN_PHYSICS_PHOTONS_BREMSSTRAHLUNG_H
#define WN_PHYSICS_PHOTONS_BREMSSTRAHLUNG_H
#include "physics/photons/element.h"

/* The spectra on both sides of E, and the part of the second. */
struct wn_brems_between {
  const struct wn_brems_spectrum *s[2];
  double part;
};

static WN_HD struct wn_brems_between wn_brems_between(const struct wn_photon_element *a,
                                                      double ln_e)
{
  int32_t i = 0;
  while (i + 2 < a->n_spectra && a->spectrum[i + 1].ln_e <= ln_e)
    i++;
  struct wn_brems_between b;
  b.s[0] = &a->spectrum[i];
  b.s[1] = &a->spectrum[i + 1];
  b.part = (ln_e - b.s[0]->ln_e) / (b.s[1]->ln_e - b.s[0]->ln_e);
  return b;
}

static WN_HD double wn_brems_f1(const struct wn_brems_spectrum *s, double x)
{
  if (x <= s->x[0])
    return s->f[0];
  const int32_t i = wn_photon_find(s->x, s->n, x);
  return s->f[i] + (s->f[i + 1] - s->f[i]) * (x - s->x[i]) / (s->x[i + 1] - s->x[i]);
}

static WN_HD double wn_brems_f(const struct wn_brems_between *b, double x)
{
  return (1.0 - b->part) * wn_brems_f1(b->s[0], x) + b->part * wn_brems_f1(b->s[1], x);
}

/* S(E) [eV m2]. */
static WN_HD double wn_brems_stopping(const struct wn_photon_element *a, double ln_e)
{
  return wn_exp(wn_photon_at(&a->radiative, ln_e));
}

/* Integral of f dx/x over [from, 1], and of f dx over [0, from]: exact for the lines between points. */
static WN_HD void wn_brems_integrals(const struct wn_brems_spectrum *s, double from,
                                     double *above, double *below)
{
  *above = 0.0;
  *below = from < s->x[0] ? s->f[0] * from : s->f[0] * s->x[0];
  double x0 = 0.0;
  for (int32_t i = -1; i + 1 < s->n; i++) {
    const double x1 = s->x[i + 1], f1 = s->f[i + 1], f0 = i < 0 ? f1 : s->f[i];
    const double slope = i < 0 ? 0.0 : (f1 - f0) / (x1 - x0), base = f0 - slope * x0;
    if (x1 > from) {
      const double lo = x0 > from ? x0 : from;
      *above += base * wn_ln(x1 / lo) + slope * (x1 - lo);
    }
    if (i >= 0 && x0 < from) {
      const double hi = x1 < from ? x1 : from;
      *below += (hi - x0) * (base + 0.5 * slope * (hi + x0));
    }
    x0 = x1;
  }
}

/* [m2] of photons above cut_ev > 0; 0 where E <= cut. */
static WN_HD double wn_brems_above(const struct wn_photon_element *a, double e_ev, double cut_ev)
{
  if (!(e_ev > cut_ev))
    return 0.0;
  const double ln_e = wn_ln(e_ev);
  const struct wn_brems_between b = wn_brems_between(a, ln_e);
  double above[2], below;
  wn_brems_integrals(b.s[0], cut_ev / e_ev, &above[0], &below);
  wn_brems_integrals(b.s[1], cut_ev / e_ev, &above[1], &below);
  return wn_brems_stopping(a, ln_e) / e_ev *
         ((1.0 - b.part) * above[0] + b.part * above[1]);
}

/* [eV m2] lost to photons below cut_ev. */
static WN_HD double wn_brems_restricted(const struct wn_photon_element *a, double e_ev,
                                        double cut_ev)
{
  const double ln_e = wn_ln(e_ev);
  if (!(e_ev > cut_ev))
    return wn_brems_stopping(a, ln_e);
  const struct wn_brems_between b = wn_brems_between(a, ln_e);
  double above, below[2];
  wn_brems_integrals(b.s[0], cut_ev / e_ev, &above, &below[0]);
  wn_brems_integrals(b.s[1], cut_ev / e_ev, &above, &below[1]);
  return wn_brems_stopping(a, ln_e) * ((1.0 - b.part) * below[0] + b.part * below[1]);
}

/* Energy of a photon above cut_ev, of an electron of e_ev > cut_ev: ln x is uniform, f accepts.  Two draws or more; f falls
 * with x, and more than a third is accepted where the cut is below E/100. */
static WN_HD double wn_brems_photon(const struct wn_photon_element *a, double e_ev,
                                    double cut_ev, struct wn_draws *r)
{
  const struct wn_brems_between b = wn_brems_between(a, wn_ln(e_ev));
  const double bound = (1.0 - b.part) * b.s[0]->most + b.part * b.s[1]->most;
  const double range = wn_ln(e_ev / cut_ev);
  for (;;) {
    const double x = wn_exp(-range * wn_draw(r));
    if (wn_draw(r) * bound <= wn_brems_f(&b, x))
      return x * e_ev;
  }
}

/* ---- angles between electron and photon */

enum wn_brems_angle { WN_BREMS_DIPOLE, WN_BREMS_2BS };

/* 1 - cos: (1 + c^2) 3/8 in the frame of the electron, c' = (c + beta)/(1 + beta c). */
static WN_HD double wn_brems_dipole(double e_ev, struct wn_draws *r)
{
  const double t = e_ev / WN_MC2_EV, g = t + 1.0, beta = sqrt(t * (t + 2.0)) / g;
  const double below = 1.0 / (g * g * (1.0 + beta)); /* 1 - beta */
  double c;
  do
    c = 2.0 * wn_draw(r) - 1.0;
  while (2.0 * wn_draw(r) > 1.0 + c * c);
  const double v = (1.0 - c) * below / (below + beta * (1.0 + c));
  return v > 2.0 ? 2.0 : v;
}

/* Of 2BS: with y = (E0 theta/mc2)^2, E0 and E the energies of the electron before and after with rest energy, rho = E/E0, the
 * density of y is g(y)/(1 + y)^2. */
struct wn_brems_2bs {
  double rho, a2, b2; /* a = (1 - rho)/(2 E0 rho), b = Z^(1/3)/111; E0 in mc2 */
};

static WN_HD double wn_brems_2bs_g(const struct wn_brems_2bs *s, double y)
{
  const double t = 1.0 / (1.0 + y), m = s->a2 + s->b2 * t * t;
  const double square = 1.0 + s->rho * s->rho, cross = 4.0 * y * s->rho * t * t;
  return 3.0 * square - 2.0 * s->rho - (4.0 + wn_ln(m)) * (square - cross);
}

static WN_HD struct wn_brems_2bs wn_brems_2bs(double e_ev, double k_ev, double z)
{
  struct wn_brems_2bs s;
  const double e0 = 1.0 + e_ev / WN_MC2_EV, e1 = e0 - k_ev / WN_MC2_EV;
  const double rho = e1 > 1.0 ? e1 / e0 : 1.0 / e0;
  const double a = (1.0 - rho) / (2.0 * e0 * rho), b = wn_exp(wn_ln(z) / 3.0) / 111.0;
  s.rho = rho;
  s.a2 = a * a;
  s.b2 = b * b;
  return s;
}

/* Above g for all y: with t = 1/(1 + y), -ln m falls with t, and square - cross lies in [(1 - rho)^2, 1 + rho^2]. */
static WN_HD double wn_brems_2bs_bound(const struct wn_brems_2bs *s, double most)
{
  const double g0 = wn_brems_2bs_g(s, 0.0), g1 = wn_brems_2bs_g(s, 1.0), g2 = wn_brems_2bs_g(s, most);
  const double g = g0 > g1 ? g0 : g1;
  return 1.05 * (g > g2 ? g : g2);
}

/* 1 - cos by 2BS; y up to (pi E0)^2 as in the formula, whose theta stands for the angle. */
static WN_HD double wn_brems_2bs_sample(double e_ev, double k_ev, double z, struct wn_draws *r)
{
  const struct wn_brems_2bs s = wn_brems_2bs(e_ev, k_ev, z);
  const double e0 = 1.0 + e_ev / WN_MC2_EV, most = WN_PI * WN_PI * e0 * e0;
  const double bound = wn_brems_2bs_bound(&s, most);
  for (;;) {
    const double u = wn_draw(r) * most / (1.0 + most), y = u / (1.0 - u);
    if (wn_draw(r) * bound <= wn_brems_2bs_g(&s, y)) {
      const double theta = sqrt(y) / e0;
      double sine, cosine;
      wn_sincos(0.5 * (theta < WN_PI ? theta : WN_PI), &sine, &cosine);
      return 2.0 * sine * sine;
    }
  }
}

static WN_HD double wn_brems_angle(enum wn_brems_angle kind, double e_ev, double k_ev, double z,
                                   struct wn_draws *r)
{
  return kind == WN_BREMS_2BS ? wn_brems_2bs_sample(e_ev, k_ev, z, r)
                              : wn_brems_dipole(e_ev, r);
}

#endif
