/* crosssections/xs_argon.c - the built-in analytic argon: electrons in Ar, 1 meV to 1 keV,
 * and Ar+ in Ar, 0.1 meV to 10 keV of the relative motion.
 *
 * The formulae are those of eduPIC (github.com/donkozoltan/eduPIC, C/eduPIC.cc, version
 * 1.0; Donko et al., Plasma Sources Sci. Technol. 30, 095017, 2021), so that its discharge
 * can be computed anew.  It cites for electrons A. V. Phelps and Z. Lj. Petrovic, Plasma
 * Sources Sci. Technol. 8, R21 (1999), for ions A. V. Phelps, J. Appl. Phys. 76, 747 (1994).
 * No paper was read for this work.  What was compared: the formulae of the ions with rows of
 * Phelps' tables on LXCat, as quoted in public tests and data.  These have the exponent 2.3
 * where eduPIC has 2 (ISO_EXPONENT), in all three of its languages; the momentum transfer
 * sigma_i + 2 sigma_b does not depend on it. */
#include "crosssections/xs.h"

#include "crosssections/xs_set.h"
#include "physics/constants.h"
#include "base/alloc.h"
#include "base/error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SOURCE       "builtin:argon"
#define MASS_U       39.948
#define EXCITATION   11.5 /* eV, all levels as one */
#define IONIZATION   15.8 /* eV */
#define ISO_EXPONENT 2.0
#define UNIT         1e-20 /* m2 */

enum { PER_DECADE = 400, NEAR_THRESHOLD = 160 };

/* ---- formulae: eV, m2 */

/* Momentum transfer. */
static double elastic(double e)
{
  const double low = 6.0 / pow(1.0 + e / 0.1 + pow(e / 0.6, 2.0), 3.3),
               middle = 1.1 * pow(e, 1.4) / (1.0 + pow(e / 15.0, 1.2)) /
                        sqrt(1.0 + pow(e / 5.5, 2.5) + pow(e / 60.0, 4.1));
  return UNIT * (fabs(low - middle) + 0.05 / pow(1.0 + e / 10.0, 2.0) +
                 0.01 * pow(e, 3.0) / (1.0 + pow(e / 12.0, 6.0)));
}

static double excitation(double e)
{
  const double x = fmax(e - EXCITATION, 0.0);
  return UNIT *
         (0.034 * pow(x, 1.1) * (1.0 + pow(e / 15.0, 2.8)) / (1.0 + pow(e / 23.0, 5.5)) +
          0.023 * x / pow(1.0 + e / 80.0, 1.9));
}

static double ionization(double e)
{
  const double x = fmax(e - IONIZATION, 0.0);
  return UNIT * (970.0 * x / pow(70.0 + e, 2.0) + 0.06 * x * x * exp(-e / 9.0));
}

/* Of ions, e being the energy of the relative motion; the formulae take that of the ion,
 * which is twice as much. */
static double isotropic(double e)
{
  const double lab = 2.0 * e;
  return 2e-19 / (sqrt(lab) * (1.0 + lab)) +
         3e-19 * lab / pow(1.0 + lab / 3.0, ISO_EXPONENT);
}

static double backscatter(double e)
{
  const double lab = 2.0 * e,
               momentum = 1.15e-18 * pow(lab, -0.1) * pow(1.0 + 0.015 / lab, 0.6);
  return 0.5 * (momentum - isotropic(e));
}

/* ---- processes */

static const struct analytic {
  enum wn_xs_kind kind;
  double loss_ev;
  double first_ev, last_ev;
  double (*sigma)(double e);
  const char *product, *comment;
} electrons[] =
    {
        {WN_XS_ELASTIC, 0.0, 1e-3, 1e3, elastic, NULL,
         "momentum transfer, Phelps and Petrovic 1999, as in eduPIC"},
        {WN_XS_EXCITATION, EXCITATION, EXCITATION, 1e3, excitation, "Ar*",
         "all levels as one, Phelps and Petrovic 1999, as in eduPIC"},
        {WN_XS_IONIZATION, IONIZATION, IONIZATION, 1e3, ionization, "Ar+",
         "Phelps and Petrovic 1999, as in eduPIC"},
},
  ions[] = {
      {WN_XS_ISOTROPIC, 0.0, 1e-4, 1e4, isotropic, NULL, "Phelps 1994, as in eduPIC"},
      {WN_XS_BACKSCATTER, 0.0, 1e-4, 1e4, backscatter, NULL, "Phelps 1994, as in eduPIC"},
};

static int rising(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* PER_DECADE energies a decade, and above a threshold some that close in on it: linear
 * interpolation of E^-2 is right to 2e-5. */
static int tabulate(const struct analytic *a, struct wn_xs_process *p)
{
  const int steps = (int)lrint(log10(a->last_ev / a->first_ev) * PER_DECADE),
            near = a->loss_ev > 0.0 ? NEAR_THRESHOLD : 0;
  const size_t n = (size_t)steps + 1 + (size_t)near;
  p->energy_ev = wn_alloc(n, sizeof *p->energy_ev);
  p->sigma = wn_alloc(n, sizeof *p->sigma);
  if (p->energy_ev == NULL || p->sigma == NULL)
    return WN_ENOMEM;
  for (int i = 0; i <= steps; i++)
    p->energy_ev[i] = a->first_ev * pow(a->last_ev / a->first_ev, (double)i / steps);
  for (int i = 0; i < near; i++) /* 1e-4 to 1 of the threshold above it */
    p->energy_ev[steps + 1 + i] = a->loss_ev * (1.0 + pow(10.0, -4.0 * i / near));
  qsort(p->energy_ev, n, sizeof *p->energy_ev, rising);
  for (size_t i = 0; i < n; i++)
    if (p->n == 0 || p->energy_ev[i] > p->energy_ev[p->n - 1] * (1.0 + 1e-9))
      p->energy_ev[p->n++] = p->energy_ev[i];
  for (size_t i = 0; i < p->n; i++)
    p->sigma[i] = a->sigma(p->energy_ev[i]);
  return WN_OK;
}

static int add(struct wn_xs_set *set, const struct analytic *a)
{
  struct wn_xs_process p = {
      .kind = a->kind,
      .loss_ev = a->loss_ev,
      .threshold_ev = a->loss_ev,
      .mass_ratio = a->kind == WN_XS_ELASTIC ? WN_ME / (MASS_U * WN_AMU) : 0.0};
  int status = tabulate(a, &p);
  p.target = wn_strdup(set->name);
  p.product = a->product != NULL ? wn_strdup(a->product) : NULL;
  p.database = wn_strdup(SOURCE);
  p.comment = wn_strdup(a->comment);
  if (p.target == NULL || p.database == NULL || p.comment == NULL ||
      (a->product != NULL && p.product == NULL))
    status = WN_ENOMEM;
  if (status == WN_OK)
    status = wn_xs_append(set, &p);
  if (status != WN_OK)
    wn_xs_process_clear(&p);
  return status;
}

static int fill(struct wn_xs_set *set, int is_ion)
{
  const struct analytic *from = is_ion ? ions : electrons;
  const size_t n =
      is_ion ? sizeof ions / sizeof ions[0] : sizeof electrons / sizeof electrons[0];
  set->name = wn_strdup("Ar");
  set->source = wn_strdup(SOURCE);
  set->ion = is_ion ? wn_strdup("Ar+") : NULL;
  if (set->name == NULL || set->source == NULL || (is_ion && set->ion == NULL))
    return WN_ENOMEM;
  if (is_ion)
    set->ion_mass = set->target_mass = MASS_U * WN_AMU;
  WN_TRY(wn_xs_note(
      set, is_ion ? SOURCE ": the fits of eduPIC; the tables on LXCat have less "
                           "isotropic scattering above some eV"
                  : SOURCE ": the fits of eduPIC, with one excitation of 11.5 eV "
                           "for all"));
  for (size_t i = 0; i < n; i++)
    WN_TRY(add(set, &from[i]));
  return WN_OK;
}

int wn_xs_builtin_argon(const char *target, struct wn_xs_set **out)
{
  const int is_ion = target != NULL && strcmp(target, "Ar+ / Ar") == 0;
  if (!is_ion && (target == NULL || strcmp(target, "Ar") != 0))
    return WN_FAIL(WN_EINPUT,
                   "target \"%s\" is not in " SOURCE
                   ", which has \"Ar\" (electrons) and \"Ar+ / Ar\" (ions)",
                   target != NULL ? target : "");
  struct wn_xs_set *set = wn_alloc(1, sizeof *set);
  if (set == NULL)
    return WN_ENOMEM;
  const int status = fill(set, is_ion);
  if (status != WN_OK) {
    wn_xs_free(set);
    return status;
  }
  *out = set;
  return WN_OK;
}
