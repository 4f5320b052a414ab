/* physics/photons/bremsstrahlung.h - bremsstrahlung of electrons in the field of atoms, from tables.
 * Units: energies eV, cross sections m2 per atom.
 *
 *   k dsigma/dk = phi(E) f(E, x),   x = k/E,   integral of f over x in [0, 1] = 1
 *
 * phi = S/E, where S [eV m2] is the radiative stopping cross section of the table: all its points are kept, so the stopping is
 * that of the table at any energy.  Between the energies of the spectra, which are few,
 *
 *   f(E, x) = g(E, x) (1 + c (b - x)),   b = integral of x g,
 *
 * g being linear in ln E at fixed x, and linear in x.  The integral of f is 1 for any c.  The table of c(E) is made from the number of
 * photons above 0.1 eV, which the evaluation has at many energies: f gives that number at these (derived here; crosssections/xs_photon.c).
 *
 * Above a photon cut kc:
 *
 *   sigma(E, kc) = phi(E) integral of f(E, x) dx/x over [kc/E, 1]                       wn_brems_above
 *   restricted stopping S(E, kc) = E phi(E) integral of f dx over [0, kc/E]             wn_brems_restricted
 *
 * Positrons radiate less, below some MeV: physics/photons/positron.h has the ratio.
 * Angles: `dipole`, (1 + cos^2) in the frame of the electron, or `2bs`, formula 2BS of Koch and Motz (1959) in the form
 * in which it is sampled by EGS (Bielajew, Mohan, Chui 1989); neither was read.  2BS needs E0 >> mc2: use it above some MeV.
 * Checked by t/physics/t0164-bremsstrahlung.c and t/crosssections/t0225-photon-data.c. */
#ifndef WN_PHYSICS_PHOTONS_BREMSSTRAHLUNG_H
#define WN_PHYSICS_PHOTONS_BREMSSTRAHLUNG_H
#include "physics/photons/element.h"

/* The spectra on both sides of E, the part of the second, c and b. */
struct wn_brems_between {
  const struct wn_brems_spectrum *s[2];
  double part, c, b;
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
  b.b = (1.0 - b.part) * b.s[0]->mean + b.part * b.s[1]->mean;
  b.c = a->tilt.n > 0 ? wn_photon_at(&a->tilt, ln_e) : 0.0;
  return b;
}

static WN_HD double wn_brems_g1(const struct wn_brems_spectrum *s, double x)
{
  if (x <= s->x[0])
    return s->f[0];
  const int32_t i = wn_photon_find(s->x, s->n, x);
  return s->f[i] + (s->f[i + 1] - s->f[i]) * (x - s->x[i]) / (s->x[i + 1] - s->x[i]);
}

static WN_HD double wn_brems_f(const struct wn_brems_between *b, double x)
{
  return ((1.0 - b->part) * wn_brems_g1(b->s[0], x) + b->part * wn_brems_g1(b->s[1], x)) *
         (1.0 + b->c * (b->b - x));
}

/* Above f for all x. */
static WN_HD double wn_brems_bound(const struct wn_brems_between *b)
{
  const double ends = b->c > 0.0 ? b->c * b->b : b->c * (b->b - 1.0);
  return ((1.0 - b->part) * b->s[0]->most + b->part * b->s[1]->most) * (1.0 + ends);
}

/* S(E) [eV m2]. */
static WN_HD double wn_brems_stopping(const struct wn_photon_element *a, double ln_e)
{
  return wn_exp(wn_photon_at(&a->radiative, ln_e));
}

/* Of one spectrum g: integral of g dx/x over [from, 1], of g dx and of x g dx over [0, from]; exact for the lines between points. */
struct wn_brems_integrals {
  double above, below, first;
};

static WN_HD struct wn_brems_integrals
wn_brems_integrals(const struct wn_brems_spectrum *s, double from)
{
  const double flat = from < s->x[0] ? from : s->x[0];
  struct wn_brems_integrals all;
  all.above = from < s->x[0] ? s->f[0] * wn_ln(s->x[0] / from) : 0.0;
  all.below = s->f[0] * flat;
  all.first = 0.5 * s->f[0] * flat * flat;
  for (int32_t i = 0; i + 1 < s->n; i++) {
    const double x0 = s->x[i], x1 = s->x[i + 1];
    const double slope = (s->f[i + 1] - s->f[i]) / (x1 - x0), base = s->f[i] - slope * x0;
    if (x1 > from) {
      const double lo = x0 > from ? x0 : from;
      all.above += base * wn_ln(x1 / lo) + slope * (x1 - lo);
    }
    if (x0 < from) {
      const double hi = x1 < from ? x1 : from;
      const double square = hi * hi - x0 * x0, cube = hi * hi * hi - x0 * x0 * x0;
      all.below += base * (hi - x0) + 0.5 * slope * square;
      all.first += 0.5 * base * square + slope / 3.0 * cube;
    }
  }
  return all;
}

/* Of f: integral of f dx/x over [from, 1], and of f dx over [0, from]. */
static WN_HD void wn_brems_parts(const struct wn_brems_between *b, double from,
                                 double *above, double *below)
{
  const struct wn_brems_integrals p = wn_brems_integrals(b->s[0], from),
                                  q = wn_brems_integrals(b->s[1], from);
  const double g_above = (1.0 - b->part) * p.above + b->part * q.above;
  const double g_below = (1.0 - b->part) * p.below + b->part * q.below;
  const double g_first = (1.0 - b->part) * p.first + b->part * q.first;
  *above = (1.0 + b->c * b->b) * g_above - b->c * (1.0 - g_below);
  *below = (1.0 + b->c * b->b) * g_below - b->c * g_first;
}

/* [m2] of photons above cut_ev > 0; 0 where E <= cut. */
static WN_HD double wn_brems_above(const struct wn_photon_element *a, double e_ev,
                                   double cut_ev)
{
  if (!(e_ev > cut_ev))
    return 0.0;
  const double ln_e = wn_ln(e_ev);
  const struct wn_brems_between b = wn_brems_between(a, ln_e);
  double above, below;
  wn_brems_parts(&b, cut_ev / e_ev, &above, &below);
  return wn_brems_stopping(a, ln_e) / e_ev * above;
}

/* [eV m2] lost to photons below cut_ev. */
static WN_HD double wn_brems_restricted(const struct wn_photon_element *a, double e_ev,
                                        double cut_ev)
{
  const double ln_e = wn_ln(e_ev);
  if (!(e_ev > cut_ev))
    return wn_brems_stopping(a, ln_e);
  const struct wn_brems_between b = wn_brems_between(a, ln_e);
  double above, below;
  wn_brems_parts(&b, cut_ev / e_ev, &above, &below);
  return wn_brems_stopping(a, ln_e) * below;
}

/* Energy of a photon above cut_ev, of an electron of e_ev > cut_ev: ln x is uniform, f accepts.  Two draws or more. */
static WN_HD double wn_brems_photon(const struct wn_photon_element *a, double e_ev,
                                    double cut_ev, struct wn_draws *r)
{
  const struct wn_brems_between b = wn_brems_between(a, wn_ln(e_ev));
  const double bound = wn_brems_bound(&b);
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

/* Above g for y in [0, most]: the greatest of three places and 5 %, as EGS takes the greatest of these.  The test holds it
 * against g on a grid of energies, photons and elements. */
static WN_HD double wn_brems_2bs_bound(const struct wn_brems_2bs *s, double most)
{
  const double g0 = wn_brems_2bs_g(s, 0.0), g1 = wn_brems_2bs_g(s, 1.0),
               g2 = wn_brems_2bs_g(s, most);
  const double g = g0 > g1 ? g0 : g1;
  return 1.05 * (g > g2 ? g : g2);
}

/* 1 - cos by 2BS; y up to (pi E0)^2 as in the formula, whose theta stands for the angle. */
static WN_HD double wn_brems_2bs_sample(double e_ev, double k_ev, double z,
                                        struct wn_draws *r)
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

static WN_HD double wn_brems_angle(enum wn_brems_angle kind, double e_ev, double k_ev,
                                   double z, struct wn_draws *r)
{
  return kind == WN_BREMS_2BS ? wn_brems_2bs_sample(e_ev, k_ev, z, r)
                              : wn_brems_dipole(e_ev, r);
}

#endif
