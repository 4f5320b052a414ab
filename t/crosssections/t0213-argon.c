/* t0213-argon.c - defends: builtin:argon has the values of the formulae that it is made of,
 * linear between rows, in tables that a run takes; its ions have the momentum transfer of
 * Phelps' tables.
 *
 * Numbers: eduPIC's formulae (crosssections/xs_argon.c names their origin) evaluated apart
 * from this program, in Python; rows of Phelps' Ar+ / Ar on LXCat as quoted in public tests
 * and data (energies of the relative motion): isotropic 1.41394e-17 at 1e-4, 4.07343e-18 at
 * 1.2e-3, 1.39239e-18 at 1e-2 and 1.52468e-19 m2 at 3.1 eV; backscatter 1.10459e-17 at 1e-4
 * and, interpolated there, 4.03564e-19 m2 at 3.1001 eV.  The two sets differ in an exponent
 * that tells above some eV, but not in the momentum transfer. */
#include <math.h>
#include <string.h>
#include "base/error.h"
#include "crosssections/xs_ion.h"
#include "crosssections/xs_table.h"
#include "physics/constants.h"
#include "t/tap/capture.h"
#include "t/tap/tap.h"

static const struct {
  const char *label;
  double e_ev, sigma;
} electrons[] = {
    {"elastic", 0.01, 4.425328e-20},
    {"elastic", 0.1, 5.874228e-21},
    {"elastic", 0.25, 1.225949e-21},
    {"elastic", 1, 1.101820e-20},
    {"elastic", 5, 7.442870e-20},
    {"elastic", 12, 1.577963e-19},
    {"elastic", 20, 9.474110e-20},
    {"elastic", 100, 1.745502e-20},
    {"elastic", 1000, 1.515705e-21},
    {"excitation Ar*", 11.5, 0},
    {"excitation Ar*", 11.6, 5.702970e-23},
    {"excitation Ar*", 13, 1.109169e-21},
    {"excitation Ar*", 20, 9.198363e-21},
    {"excitation Ar*", 50, 1.134291e-20},
    {"excitation Ar*", 300, 3.993944e-21},
    {"excitation Ar*", 1000, 1.701980e-21},
    {"ionization Ar+", 15.8, 0},
    {"ionization Ar+", 16, 2.663603e-22},
    {"ionization Ar+", 20, 6.176597e-21},
    {"ionization Ar+", 30, 1.808998e-20},
    {"ionization Ar+", 100, 2.832447e-20},
    {"ionization Ar+", 500, 1.445596e-20},
    {"ionization Ar+", 1000, 8.338492e-21},
};

static const struct {
  double e_ev, isotropic, backscatter;
} ions[] = {
    {0.0001, 1.413937e-17, 1.104593e-17}, {0.001, 4.463809e-18, 1.633689e-18},
    {0.01, 1.392405e-18, 4.933613e-19},   {0.1, 4.254124e-19, 4.926523e-19},
    {1, 2.631405e-19, 4.073344e-19},      {10, 1.042090e-19, 3.742396e-19},
    {100, 1.317429e-20, 3.319329e-19},    {1000, 1.348194e-21, 2.682110e-19},
};

static double at(const struct wn_xs_set *set, const char *label, double e_ev)
{
  for (size_t i = 0; i < set->n; i++)
    if (strcmp(set->process[i].label, label) == 0)
      return wn_xs_sigma(set, &set->process[i], e_ev, WN_XS_BEYOND_ERROR);
  return NAN;
}

static void test_electrons(void)
{
  struct wn_xs_set *set = NULL;
  struct wn_xs_table *t = NULL;
  if (!ok(wn_xs_builtin("builtin:argon", "Ar", &set) == WN_OK, "Ar"))
    return;
  is_str(set->ion, NULL, "Ar: of electrons");
  is_close(wn_xs_set_mass(set), 39.948 * WN_AMU, 1e-12, "Ar: mass");
  for (size_t i = 0; i < sizeof electrons / sizeof electrons[0]; i++)
    is_close(at(set, electrons[i].label, electrons[i].e_ev), electrons[i].sigma, 1e-4,
             "Ar: %s at %g eV", electrons[i].label, electrons[i].e_ev);
  is_int(wn_xs_prepare(set, WN_XS_EFFECTIVE_ERROR, 0.0, 0, NULL), WN_OK,
         "Ar: a run can take it");
  struct wn_xs_gas gas = {.set = set, .density = 1e22, .opal_ev = 10.0};
  gas.mass = wn_xs_set_mass(set);
  const struct wn_xs_table_spec spec = {.n_gases = 1,
                                        .gas = &gas,
                                        .temperature = 300.0,
                                        .thermal_below_ev = 5.0,
                                        .bins_per_octave = 64,
                                        .e_max_ev = 1024.0};
  is_int(wn_xs_table_create(&spec, &t), WN_OK, "Ar: and make a table of it");
  wn_xs_table_free(t);
  wn_xs_free(set);
}

static void test_ions(void)
{
  struct wn_xs_set *set = NULL;
  struct wn_xs_ion_table *t = NULL;
  if (!ok(wn_xs_builtin("builtin:argon", "Ar+ / Ar", &set) == WN_OK, "Ar+ / Ar"))
    return;
  is_str(set->ion, "Ar+", "Ar+ / Ar: the ion");
  is_str(set->name, "Ar", "Ar+ / Ar: the gas");
  ok(set->frame == WN_XS_FRAME_CM && set->n == 2, "Ar+ / Ar: two processes, energies of "
                                                  "the relative motion");
  for (size_t i = 0; i < sizeof ions / sizeof ions[0]; i++) {
    is_close(at(set, "isotropic", ions[i].e_ev), ions[i].isotropic, 1e-4,
             "Ar+ / Ar: isotropic at %g eV", ions[i].e_ev);
    is_close(at(set, "backscatter", ions[i].e_ev), ions[i].backscatter, 1e-4,
             "Ar+ / Ar: backscatter at %g eV", ions[i].e_ev);
  }
  is_close(at(set, "isotropic", 1e-4), 1.41394e-17, 1e-5, "LXCat: isotropic at 0.1 meV");
  is_close(at(set, "isotropic", 1.2e-3), 4.07343e-18, 1e-4, "LXCat: at 1.2 meV");
  is_close(at(set, "isotropic", 1e-2), 1.39239e-18, 1e-4, "LXCat: at 10 meV");
  is_close(at(set, "backscatter", 1e-4), 1.10459e-17, 1e-4,
           "LXCat: backscatter at 0.1 meV");
  is_close(at(set, "isotropic", 3.1) + 2.0 * at(set, "backscatter", 3.1),
           1.52468e-19 + 2.0 * 4.03564e-19, 1e-4, "LXCat: momentum transfer at 3.1 eV");
  double least = INFINITY;
  for (size_t i = 0; i < set->process[1].n; i++)
    least = fmin(least, set->process[1].sigma[i]);
  ok(least > 0.0, "Ar+ / Ar: the difference is positive everywhere (%g)", least);
  is_int(wn_xs_prepare(set, WN_XS_EFFECTIVE_ERROR, 0.0, 0, NULL), WN_OK,
         "Ar+ / Ar: a run can take it");
  const struct wn_xs_ion_gas gas = {.set = set, .density = 1e22};
  const struct wn_xs_ion_spec spec = {.n_gases = 1,
                                      .gas = &gas,
                                      .temperature = 300.0,
                                      .bins_per_octave = 64,
                                      .e_max_ev = 500.0};
  is_int(wn_xs_ion_table_create(&spec, &t), WN_OK, "Ar+ / Ar: and make a table of it");
  if (t != NULL)
    is_close(wn_xs_ion_frequency(t, 1, 10.0),
             1e22 * 3.742396e-19 * sqrt(4.0 * 10.0 * WN_E / (39.948 * WN_AMU)), 1e-4,
             "Ar+ / Ar: frequency of backscatter at 10 eV");
  wn_xs_ion_table_free(t);
  wn_xs_free(set);
}

/* A set of ions where electrons are wanted, and names that are not there. */
static void test_refused(void)
{
  struct wn_xs_set *set = NULL;
  struct wn_xs_table *t = NULL;
  capture();
  int status = wn_xs_builtin("builtin:argon", "Xe", &set);
  char *said = captured();
  ok(status == WN_EINPUT && strstr(said, "\"Ar\" (electrons) and \"Ar+ / Ar\" (ions)"),
     "Xe is not there: %s", said);
  is_int(wn_xs_builtin("builtin:argon", "Ar+ / Ar", &set), WN_OK, "ions");
  struct wn_xs_gas gas = {.set = set, .density = 1e22, .mass = 39.948 * WN_AMU};
  const struct wn_xs_table_spec spec = {
      .n_gases = 1, .gas = &gas, .bins_per_octave = 64, .e_max_ev = 1024.0};
  capture();
  status = wn_xs_table_create(&spec, &t);
  said = captured();
  ok(status == WN_EINPUT && strstr(said, "of Ar+, not of electrons"),
     "no table of electrons is made of them: %s", said);
  ok(wn_xs_is_builtin("builtin:air") && wn_xs_is_builtin("builtin:argon") &&
         !wn_xs_is_builtin("builtin:ar") && !wn_xs_is_builtin("air"),
     "the names of the built-in sets");
  wn_xs_free(set);
}

int main(void)
{
  plan(0);
  test_electrons();
  test_ions();
  test_refused();
  return done();
}
