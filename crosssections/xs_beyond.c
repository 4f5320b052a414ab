/* crosssections/xs_beyond.c - cross sections above the last row of their tables.
 *
 * A table whose last value is 0 has ended and stays 0 under every policy.  Otherwise
 *   ERROR, CONSTANT  the last value (ERROR: the caller stops the electron before it
 *                    matters)
 *   ZERO             0
 *   POWER            the power law through the last two rows of different energy; flat
 *                    where that would rise
 *   BORN             a high-energy shape f(E), scaled to the last row:
 *                    sigma(E) = sigma_last f(E)/f(E_last)
 *
 * The shapes of BORN, with b2 = (v/c)^2 and g = gamma of the electron:
 *   ionization  the sum of RBEB (xs_rbeb.c) over the orbitals of the gas, or the one
 *               orbital that the process carries. Every channel of a gas keeps its share
 *               of its last row.
 *   elastic     the atoms of the molecule as independent screened Coulomb scatterers,
 *               s = sin^2(theta/2):
 *                 d sigma/ds = 4 pi A (1 - b2 s)/(s + eta)^2,  A = (Z r_e/(2 b2 g))^2,
 *                 eta = hbar^2/(4 p^2 a^2) (Moliere),  a = 1.3413 Z^(-1/3) a0,
 *               as in Particulator.jl, src/relativistic_coulomb.jl.  Momentum transfer is
 *               the integral of 2 s over it:
 *                 8 pi A (I1 - b2 I2),  I1 = l - 1/(1 + eta),
 *                 I2 = 1 - 2 eta l + eta/(1 + eta),  l = ln((1 + eta)/eta),
 *               and the integral cross section 4 pi A [1/(eta (1 + eta)) - b2 I1];
 *               both integrals done here by hand.
 *   excitation  A table does not say whether its transition is allowed.  What it says is
 *               how steeply it falls at its end, from half the last energy to the last:
 *               not steeper than E^-1.5: as an allowed one,
 *                 b2^-1 [ln(1 + m c^2 b2 g^2/(2 W)) - b2] with W = |loss|.
 *               This is ln(E/W)/E below and has the relativistic rise above (the same b2
 *               and g as L of RBEB). Forbidden transitions without change of spin fall as
 *               1/E: for them it errs high, by a logarithm.
 *               steeper: spin-changing (E^-3 in theory): goes on as E to the power of
 *               that slope, at least -3.
 *               W = 1 eV where the loss is 0.
 *   attachment  0: above the last row an electron is too fast to be captured. */
#include "crosssections/xs_beyond.h"

#include "crosssections/xs_rbeb.h"
#include "physics/constants.h"
#include "base/error.h"
#include "base/log.h"

#include <math.h>
#include <string.h>

/* Slopes d ln sigma/d ln E that separate allowed from spin-changing excitations, see
 * above. */
#define ALLOWED_SLOPE  -1.5
#define STEEPEST_SLOPE -3.0
/* Where, as a part of the last energy, the slope is measured from. */
#define POWER_FROM 1.0
#define BORN_FROM  0.5
/* Below this Born's approximation is no more than a guess. */
#define BORN_FROM_EV 100.0

static const struct {
  const char *gas;
  double z;
} atoms[] = {{"N2", 7.0}, {"O2", 8.0}, {"Ar", 18.0}};

double wn_xs_nuclear_charge(const char *gas)
{
  for (size_t i = 0; i < sizeof atoms / sizeof atoms[0]; i++)
    if (strcmp(gas, atoms[i].gas) == 0)
      return atoms[i].z;
  return 0.0;
}

static double beta2(double energy_ev)
{
  double x = energy_ev / WN_MC2_EV;
  return x * (2.0 + x) / ((1.0 + x) * (1.0 + x));
}

static double ionization_shape(const struct wn_xs_set *set, const struct wn_xs_process *p,
                               double energy_ev)
{
  if (p->orbital.n > 0.0)
    return wn_xs_rbeb(&p->orbital, energy_ev);
  const struct wn_xs_orbital *o;
  size_t n = wn_xs_rbeb_orbitals(set->name, &o);
  double sum = 0.0;
  for (size_t i = 0; i < n; i++)
    if (o[i].b_ev < energy_ev)
      sum += wn_xs_rbeb(&o[i], energy_ev);
  return sum;
}

/* Elastic of one atom [m2]: momentum transfer, or the integral when total is set. */
static double elastic_shape(double z, double energy_ev, bool total)
{
  double b2 = beta2(energy_ev), g = 1.0 + energy_ev / WN_MC2_EV;
  double a = 1.3413 / cbrt(z);        /* in a0 */
  double p = g * sqrt(b2) / WN_ALPHA; /* in hbar/a0: p a0/hbar = beta gamma/alpha */
  double eta = 1.0 / (4.0 * p * p * a * a);
  double amp = z * WN_RE / (2.0 * b2 * g);
  double l = log1p(1.0 / eta);
  double i1 = l - 1.0 / (1.0 + eta);
  if (total)
    return 4.0 * WN_PI * amp * amp * (1.0 / (eta * (1.0 + eta)) - b2 * i1);
  double i2 = 1.0 - 2.0 * eta * l + eta / (1.0 + eta);
  return 8.0 * WN_PI * amp * amp * (i1 - b2 * i2);
}

static double allowed_shape(double loss_ev, double energy_ev)
{
  double w = loss_ev != 0.0 ? fabs(loss_ev) : 1.0;
  double b2 = beta2(energy_ev), g = 1.0 + energy_ev / WN_MC2_EV;
  return (log1p(WN_MC2_EV * b2 * g * g / (2.0 * w)) - b2) / b2;
}

/* The last row at or below fraction of the last energy, else the first row that is not 0. */
static size_t slope_row(const struct wn_xs_process *p, const double *sigma,
                        double fraction)
{
  size_t i = p->n - 1;
  double e1 = p->energy_ev[i];
  while (i > 0 && p->energy_ev[i] >= e1)
    i--;
  while (i > 0 && p->energy_ev[i] > fraction * e1 && sigma[i - 1] > 0.0 &&
         p->energy_ev[i - 1] > 0.0)
    i--;
  return i;
}

/* d ln sigma/d ln E between that row and the last one; 0 where there is nothing to measure
 * or the table rises. */
static double final_slope(const struct wn_xs_process *p, const double *sigma,
                          double fraction)
{
  size_t last = p->n - 1, i = slope_row(p, sigma, fraction);
  double e1 = p->energy_ev[last], s1 = sigma[last];
  double e0 = p->energy_ev[i], s0 = sigma[i];
  if (!(e0 > 0.0) || !(e0 < e1) || !(s0 > 0.0))
    return 0.0;
  double slope = log(s1 / s0) / log(e1 / e0);
  return isfinite(slope) ? fmin(slope, 0.0) : 0.0;
}

static double born(const struct wn_xs_set *set, const struct wn_xs_process *p,
                   const double *sigma, double energy_ev)
{
  double e1 = p->energy_ev[p->n - 1], s1 = sigma[p->n - 1], at = 0.0, at1 = 0.0;
  switch (p->kind) {
  case WN_XS_IONIZATION:
    at = ionization_shape(set, p, energy_ev);
    at1 = ionization_shape(set, p, e1);
    break;
  case WN_XS_ELASTIC:
  case WN_XS_EFFECTIVE: {
    double z = wn_xs_nuclear_charge(set->name);
    if (z > 0.0 && e1 > 0.0) {
      at = elastic_shape(z, energy_ev, sigma == p->sigma_total);
      at1 = elastic_shape(z, e1, sigma == p->sigma_total);
    }
    break;
  }
  case WN_XS_EXCITATION: {
    if (!(e1 > 0.0))
      break;
    double slope = final_slope(p, sigma, BORN_FROM);
    if (slope < ALLOWED_SLOPE)
      return s1 * pow(energy_ev / e1, fmax(slope, STEEPEST_SLOPE));
    at = allowed_shape(p->loss_ev, energy_ev);
    at1 = allowed_shape(p->loss_ev, e1);
    break;
  }
  default: /* attachment; of ions: wn_xs_beyond_supported */
    return 0.0;
  }
  /* No shape at the last row: wn_xs_beyond_supported refuses such sets, so this only
   * keeps the value finite. */
  return at1 > 0.0 ? s1 * (at / at1) : s1;
}

double wn_xs_beyond_sigma(const struct wn_xs_set *set, const struct wn_xs_process *p,
                          const double *sigma, double energy_ev, enum wn_xs_beyond beyond)
{
  double s1 = sigma[p->n - 1];
  if (!(s1 > 0.0))
    return 0.0;
  switch (beyond) {
  case WN_XS_BEYOND_ERROR:
  case WN_XS_BEYOND_CONSTANT:
    return s1;
  case WN_XS_BEYOND_ZERO:
    return 0.0;
  case WN_XS_BEYOND_POWER:
    return s1 *
           pow(energy_ev / p->energy_ev[p->n - 1], final_slope(p, sigma, POWER_FROM));
  case WN_XS_BEYOND_BORN:
    return born(set, p, sigma, energy_ev);
  case WN_XS_N_BEYOND:
    break;
  }
  return s1;
}

double wn_xs_beyond_from(const struct wn_xs_process *p, const double *sigma,
                         enum wn_xs_beyond beyond)
{
  if (!(sigma[p->n - 1] > 0.0))
    return INFINITY;
  switch (beyond) {
  case WN_XS_BEYOND_CONSTANT:
    return p->energy_ev[p->n - 1];
  case WN_XS_BEYOND_POWER:
    return p->energy_ev[slope_row(p, sigma, POWER_FROM)];
  case WN_XS_BEYOND_BORN:
    if (p->kind == WN_XS_ATTACHMENT)
      return INFINITY;
    return p->energy_ev[p->kind == WN_XS_EXCITATION ? slope_row(p, sigma, BORN_FROM)
                                                    : p->n - 1];
  case WN_XS_BEYOND_ERROR: /* the run stops there */
  case WN_XS_BEYOND_ZERO:
  case WN_XS_N_BEYOND:
    break;
  }
  return INFINITY;
}

int wn_xs_beyond_supported(const struct wn_xs_set *set, enum wn_xs_beyond beyond)
{
  if (beyond != WN_XS_BEYOND_BORN)
    return WN_OK;
  const struct wn_xs_orbital *o;
  const char *source = set->source != NULL ? set->source : set->name;
  if (set->ion != NULL) {
    wn_log_at(WN_LOG_ERROR, source, 0,
              "%s / %s: beyond = \"born\" is for electrons; use \"error\", \"constant\", "
              "\"zero\" or \"power\"",
              set->ion, set->name);
    return WN_EINPUT;
  }
  if (wn_xs_rbeb_orbitals(set->name, &o) == 0 || wn_xs_nuclear_charge(set->name) == 0.0) {
    wn_log_at(
        WN_LOG_ERROR, source, 0,
        "gas \"%s\" cannot be extrapolated with beyond = \"born\": orbitals are known "
        "for N2, O2 and Ar only; use \"error\", \"constant\", \"zero\" or \"power\"",
        set->name);
    return WN_EINPUT;
  }
  for (size_t i = 0; i < set->n; i++) {
    const struct wn_xs_process *p = &set->process[i];
    double e1 = p->energy_ev[p->n - 1];
    if (!(p->sigma[p->n - 1] > 0.0) || p->kind == WN_XS_ATTACHMENT)
      continue;
    if (!(e1 > 0.0) ||
        (p->kind == WN_XS_IONIZATION && !(ionization_shape(set, p, e1) > 0.0))) {
      wn_log_at(
          WN_LOG_ERROR, source, p->line,
          "\"%s\" ends at %g eV, too low for beyond = \"born\": RBEB ionization is 0 "
          "there and cannot be "
          "scaled to the last row; use \"error\", \"constant\", \"zero\" or \"power\"",
          p->label, e1);
      return WN_EINPUT;
    }
    if (e1 < BORN_FROM_EV)
      wn_log_at(WN_LOG_WARN, source, p->line,
                "\"%s\" ends at %g eV; beyond = \"born\" extrapolates from there, but is "
                "unreliable below %g eV",
                p->label, e1, BORN_FROM_EV);
  }
  return WN_OK;
}
