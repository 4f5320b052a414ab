/* physics/photons/element.h - data of an element, as seen by the code of a particle: photon cross sections, form factors and
 * bremsstrahlung.  crosssections/xs_photon.h reads them and owns the memory; on a GPU the pointers are those of the device.
 * Units: cross sections m2 per atom, energies eV; ln_ is the natural logarithm of the number in that unit.
 * Energies outside of a table are refused when a gas is set up and at each call by the range, not clamped.
 * Checked by t/crosssections/t0225-photon-data.c. */
#ifndef WN_PHYSICS_PHOTONS_ELEMENT_H
#define WN_PHYSICS_PHOTONS_ELEMENT_H
#include <math.h>
#include <stdint.h>
#include "physics/constants.h"
#include "physics/host_device.h"
#include "physics/mathfn.h"
#include "physics/photons/draws.h"

/* ln_x rises; an edge has its x twice. */
struct wn_photon_table {
  const double *ln_x, *y;
  int32_t n;
};

enum wn_photon_process {
  WN_PHOTON_COHERENT,   /* Rayleigh */
  WN_PHOTON_INCOHERENT, /* Compton */
  WN_PHOTON_PHOTOELECTRIC,
  WN_PHOTON_PAIR,
  WN_PHOTON_TRIPLET,
  WN_PHOTON_N_PROCESSES
};

/* A spectrum of bremsstrahlung: f(x) = k dsigma/dk of x = k/E, its integral over [0, 1] is 1, linear between points, constant
 * below the first. */
struct wn_brems_spectrum {
  double ln_e;
  const double *x, *f;
  int32_t n;
  double most; /* max f */
  double mean; /* integral of x f */
};

struct wn_photon_element {
  double z;
  double binding_k_ev, binding_next_ev;
  /* y: ln sigma of the first three and of the K shell, sigma of pair and triplet */
  struct wn_photon_table sigma[WN_PHOTON_N_PROCESSES], k_shell;
  struct wn_photon_table form_factor,
      scattering_function; /* ln (E sin(theta/2)); ln F, ln S */
  /* at the points of form_factor, with x = E sin(theta/2): the integral of F^2 d(x^2) from 0, for sampling */
  const double *form_integral;
  struct wn_photon_table radiative; /* ln of the integral of k dsigma/dk, eV m2 */
  struct wn_photon_table tilt; /* c of physics/photons/bremsstrahlung.h; n = 0: none */
  const struct wn_brems_spectrum *spectrum;
  int32_t n_spectra;
};

/* The interval of ln_x: i with ln_x[i] <= x < ln_x[i + 1]; 0 or n - 2 outside. */
static WN_HD int32_t wn_photon_find(const double *ln_x, int32_t n, double x)
{
  int32_t lo = 0, hi = n - 1;
  while (hi - lo > 1) {
    const int32_t mid = (lo + hi) / 2;
    if (ln_x[mid] <= x)
      lo = mid;
    else
      hi = mid;
  }
  return lo;
}

/* Linear in ln x.  Outside of the table the end interval goes on: the caller has asked for the range. */
static WN_HD double wn_photon_at(const struct wn_photon_table *t, double ln_x)
{
  const int32_t i = wn_photon_find(t->ln_x, t->n, ln_x);
  const double step = t->ln_x[i + 1] - t->ln_x[i];
  return step > 0.0 ? t->y[i] + (t->y[i + 1] - t->y[i]) * (ln_x - t->ln_x[i]) / step
                    : t->y[i + 1];
}

/* [m2] of one process at ln_e = ln(E/eV).  Pairs are 0 below their threshold. */
static WN_HD double wn_photon_sigma(const struct wn_photon_element *a,
                                    enum wn_photon_process p, double ln_e)
{
  if (p == WN_PHOTON_PAIR || p == WN_PHOTON_TRIPLET) {
    const double s = ln_e <= a->sigma[p].ln_x[0] ? 0.0 : wn_photon_at(&a->sigma[p], ln_e);
    return s > 0.0 ? s : 0.0;
  }
  return wn_exp(wn_photon_at(&a->sigma[p], ln_e));
}

/* Part of the photoelectric effect in the K shell, in [0, 1]. */
static WN_HD double wn_photon_k_part(const struct wn_photon_element *a, double ln_e)
{
  if (ln_e < a->k_shell.ln_x[0])
    return 0.0;
  const double part = wn_exp(wn_photon_at(&a->k_shell, ln_e) -
                             wn_photon_at(&a->sigma[WN_PHOTON_PHOTOELECTRIC], ln_e));
  return part < 1.0 ? part : 1.0;
}

/* Electrons that scatter incoherently, in [0, Z], at x = E sin(theta/2) > 0 [eV]: ~ x^2 below the table, Z above. */
static WN_HD double wn_photon_scattering_function(const struct wn_photon_element *a,
                                                  double x)
{
  const struct wn_photon_table *t = &a->scattering_function;
  const double l = wn_ln(x);
  if (l < t->ln_x[0])
    return wn_exp(t->y[0] + 2.0 * (l - t->ln_x[0]));
  if (l >= t->ln_x[t->n - 1])
    return a->z;
  const double s = wn_exp(wn_photon_at(t, l));
  return s < a->z ? s : a->z;
}

/* Form factor F(x), in [0, Z]; Z below the table, 0 above. */
static WN_HD double wn_photon_form_factor(const struct wn_photon_element *a, double x)
{
  const struct wn_photon_table *t = &a->form_factor;
  const double l = wn_ln(x);
  if (l < t->ln_x[0])
    return a->z;
  if (l >= t->ln_x[t->n - 1])
    return 0.0;
  return wn_exp(wn_photon_at(t, l));
}

/* 1 - cos of a coherent scattering at e_ev: density ~ F^2 (1 + cos^2)/2.  x^2 has the density F^2 up to E^2: from its integral, which is
 * taken as linear in x^2 between points, so F^2 is constant there; t0314 holds it against F^2 by chi-square.  Two draws or more. */
static WN_HD double wn_rayleigh_angle(const struct wn_photon_element *a, double e_ev,
                                      struct wn_draws *r)
{
  const struct wn_photon_table *t = &a->form_factor;
  const double l = wn_ln(e_ev);
  /* the integral up to x = E */
  double most;
  if (l < t->ln_x[0])
    most = a->z * a->z * e_ev * e_ev;
  else if (l >= t->ln_x[t->n - 1])
    most = a->form_integral[t->n - 1];
  else {
    const int32_t i = wn_photon_find(t->ln_x, t->n, l);
    const double x0 = wn_exp(2.0 * t->ln_x[i]), x1 = wn_exp(2.0 * t->ln_x[i + 1]);
    most = a->form_integral[i] + (a->form_integral[i + 1] - a->form_integral[i]) *
                                     (e_ev * e_ev - x0) / (x1 - x0);
  }
  for (;;) {
    const double want = wn_draw(r) * most;
    double x2;
    if (want < a->form_integral[0])
      x2 = want / (a->z * a->z);
    else {
      const int32_t i = wn_photon_find(a->form_integral, t->n, want);
      const double x0 = wn_exp(2.0 * t->ln_x[i]), x1 = wn_exp(2.0 * t->ln_x[i + 1]);
      x2 = x0 + (x1 - x0) * (want - a->form_integral[i]) /
                    (a->form_integral[i + 1] - a->form_integral[i]);
    }
    double v = 2.0 * x2 / (e_ev * e_ev); /* sin^2(theta/2) = (1 - cos)/2 = x^2/E^2 */
    v = v > 2.0 ? 2.0 : v;
    const double c = 1.0 - v;
    if (2.0 * wn_draw(r) <= 1.0 + c * c)
      return v;
  }
}

#endif
