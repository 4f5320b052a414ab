/* src/cli/xs_photons.c - `wilson xs --photons`: attenuation of photons, radiative friction of electrons, friction and annihilation of positrons, from
 * files of photon data.  Of a mixture at 1 atm and 0 degrees Celsius; of elements per mass. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "crosssections/xs_photon.h"
#include "crosssections/xs_positron.h"
#include "physics/photons/bremsstrahlung.h"
#include "src/cli/cli.h"
#include "src/cli/xs.h"

struct tables {
  const struct wn_cli_xs *args;
  struct wn_xs_photon *element[WN_PHOTON_ELEMENTS];
  size_t n;
};

static int read_files(struct tables *t)
{
  if (t->args->n_files > WN_PHOTON_ELEMENTS)
    return WN_FAIL(WN_EINPUT, "%zu files of photon data: at most %d", t->args->n_files,
                   WN_PHOTON_ELEMENTS);
  for (size_t i = 0; i < t->args->n_files; i++, t->n++)
    WN_TRY(wn_xs_photon_read(t->args->file[i], &t->element[i]));
  return WN_OK;
}

static double step_energy(int i)
{
  static const double steps[] = {1, 1.5, 2, 3, 5, 7};
  return 1e3 * steps[i % 6] * pow(10.0, floor(i / 6.0));
}

/* Rows of the elements with numbers of atoms per kg; density in kg/m3, 0: none.  Energies within all tables. */
static void print_tables(struct wn_xs_photon *const *x, const double *per_kg, size_t n,
                         double density)
{
  double first = 0.0, last = INFINITY, electron_first = 0.0, electron_last = INFINITY;
  for (size_t k = 0; k < n; k++) {
    first = fmax(first, x[k]->photon_first_ev * (1.0 - 1e-9));
    last = fmin(last, x[k]->photon_last_ev * (1.0 + 1e-9));
    electron_first = fmax(electron_first, x[k]->electron_first_ev * (1.0 - 1e-9));
    electron_last = fmin(electron_last, x[k]->electron_last_ev * (1.0 + 1e-9));
  }
  printf("  %9s  %11s  %11s  %11s  %11s  %11s  %11s%s\n  %9s  %11s  %11s  %11s  %11s  "
         "%11s  %11s%s\n",
         "photon", "coherent", "incoherent", "photoelec.", "pairs", "total",
         "without coh.", density > 0.0 ? "    free path" : "", "eV", "cm2/g", "cm2/g",
         "cm2/g", "cm2/g", "cm2/g", "cm2/g", density > 0.0 ? "            m" : "");
  for (int i = 0; step_energy(i) <= last; i++) {
    const double e = step_energy(i);
    if (e < first)
      continue;
    double mu[WN_PHOTON_N_PROCESSES] = {0}, all = 0.0;
    for (size_t k = 0; k < n; k++)
      for (int p = 0; p < WN_PHOTON_N_PROCESSES; p++)
        mu[p] +=
            per_kg[k] * wn_photon_sigma(&x[k]->view, (enum wn_photon_process)p, wn_ln(e));
    for (int p = 0; p < WN_PHOTON_N_PROCESSES; p++)
      all += mu[p];
    printf("  %9.4g  %11.4g  %11.4g  %11.4g  %11.4g  %11.4g  %11.4g", e,
           10.0 * mu[WN_PHOTON_COHERENT], 10.0 * mu[WN_PHOTON_INCOHERENT],
           10.0 * mu[WN_PHOTON_PHOTOELECTRIC],
           10.0 * (mu[WN_PHOTON_PAIR] + mu[WN_PHOTON_TRIPLET]), 10.0 * all,
           10.0 * (all - mu[WN_PHOTON_COHERENT]));
    if (density > 0.0)
      printf("  %11.4g", 1.0 / (density * all));
    printf("\n");
  }
  printf("\n  %9s  %11s%s\n  %9s  %11s%s\n", "electron", "radiative",
         density > 0.0 ? "     friction" : "", "eV", "MeV cm2/g",
         density > 0.0 ? "       keV/cm" : "");
  for (int i = 0; step_energy(i) <= electron_last; i++) {
    const double e = step_energy(i);
    if (e < electron_first)
      continue;
    double s = 0.0;
    for (size_t k = 0; k < n; k++)
      s += per_kg[k] * wn_brems_stopping(&x[k]->view, wn_ln(e));
    printf("  %9.4g  %11.4g", e, s * 1e-5);
    if (density > 0.0)
      printf("  %11.4g", s * density * 1e-5);
    printf("\n");
  }
}

/* The same of positrons; the density effect is that of air, where there is a density. */
static void print_positrons(struct wn_xs_photon *const *x, const double *per_kg, size_t n,
                            double density)
{
  struct wn_positron_gas g = {.density = density > 0.0
                                             ? wn_density_effect_air(WN_CLI_XS_LOSCHMIDT)
                                             : wn_density_effect_none(),
                              .cut_ev = INFINITY};
  double first = WN_POSITRON_LEAST_EV, last = INFINITY;
  for (size_t k = 0; k < n; k++) {
    if (!(per_kg[k] > 0.0))
      continue;
    g.atoms.element[g.atoms.n] = x[k]->view;
    g.atoms.density[g.atoms.n++] = per_kg[k];
    g.electrons += per_kg[k] * x[k]->view.z;
    first = fmax(first, x[k]->electron_first_ev * (1.0 - 1e-9));
    last = fmin(last, x[k]->electron_last_ev * (1.0 + 1e-9));
  }
  g.mean_ev = wn_xs_gas_excitation_ev(&g.atoms);
  if (!(g.mean_ev > 0.0)) {
    printf("\n  positrons: the mean excitation energy of an element is not known\n");
    return;
  }
  printf("\n  %9s  %11s  %11s  %11s%s\n  %9s  %11s  %11s  %11s%s\n", "positron",
         "collision", "radiative", "annihil.",
         density > 0.0 ? "     friction    free path" : "", "eV", "MeV cm2/g",
         "MeV cm2/g", "cm2/g", density > 0.0 ? "       keV/cm            m" : "");
  for (int i = 0; step_energy(i) <= last; i++) {
    const double e = step_energy(i);
    if (e < first)
      continue;
    double radiative = 0.0;
    for (int32_t k = 0; k < g.atoms.n; k++)
      radiative += g.atoms.density[k] * wn_positron_brems_ratio(e, g.atoms.element[k].z) *
                   wn_brems_stopping(&g.atoms.element[k], wn_ln(e));
    const double collision = wn_positron_collision_loss(&g, e),
                 annihilation = g.electrons * wn_annihilation_total(e);
    printf("  %9.4g  %11.4g  %11.4g  %11.4g", e, collision * 1e-5, radiative * 1e-5,
           annihilation * 10.0);
    if (density > 0.0)
      printf("  %11.4g  %11.4g", (collision + radiative) * density * 1e-5,
             1.0 / (density * annihilation));
    printf("\n");
  }
}

struct weighing {
  const struct tables *t;
  double per_molecule[WN_PHOTON_ELEMENTS], fraction;
  const char *formula;
};

static int weigh(void *to, const char *symbol, double count)
{
  struct weighing *w = to;
  for (size_t i = 0; i < w->t->n; i++)
    if (strcmp(w->t->element[i]->symbol, symbol) == 0) {
      w->per_molecule[i] += count * w->fraction;
      return WN_OK;
    }
  return WN_FAIL(WN_EINPUT,
                 "--gas: photons have no data of %s, an element of %s: name a file of it "
                 "(data/photons/README)",
                 symbol, w->formula);
}

static int print_gas(const struct tables *t, const struct wn_cli_xs_sets *gas)
{
  struct weighing w = {.t = t};
  for (size_t i = 0; i < gas->n_picks; i++) {
    w.formula = gas->pick[i].target;
    w.fraction = gas->pick[i].fraction;
    if (isnan(w.fraction)) {
      if (gas->n_picks > 1)
        return WN_FAIL(
            WN_EINPUT,
            "--gas %s: photons need the fractions, as in N2:0.78,O2:0.21,Ar:0.01",
            t->args->gas);
      w.fraction = 1.0;
    }
    WN_TRY(wn_xs_formula(w.formula, weigh, &w));
  }
  double mass = 0.0;
  for (size_t i = 0; i < t->n; i++)
    mass += w.per_molecule[i] * t->element[i]->mass;
  const double density = mass * WN_CLI_XS_LOSCHMIDT;
  printf("\nphotons and radiation in %s at 1 atm and 0 degrees Celsius (%.5g m-3, %.5g "
         "kg/m3)\n",
         t->args->gas, WN_CLI_XS_LOSCHMIDT, density);
  for (size_t i = 0; i < t->n; i++)
    w.per_molecule[i] /= mass;
  print_tables(t->element, w.per_molecule, t->n, density);
  print_positrons(t->element, w.per_molecule, t->n, density);
  return WN_OK;
}

static int work(struct tables *t, struct wn_cli_xs_sets *gas)
{
  if (t->args->output != NULL)
    return WN_FAIL(WN_EINPUT, "%s",
                   "--output: tables of photons are printed alone; redirect them");
  WN_TRY(read_files(t));
  if (t->args->gas != NULL)
    WN_TRY(wn_cli_xs_read_picks(gas));
  for (size_t i = 0; i < t->n; i++) {
    const struct wn_xs_photon *x = t->element[i];
    printf("%s%s from %s\nsha256 %s\n  Z %g, K shell %g eV, next %g eV; photons %g to %g "
           "eV, electrons %g to %g eV\n",
           i > 0 ? "\n" : "", x->symbol, x->source, x->sha256, x->view.z,
           x->view.binding_k_ev, x->view.binding_next_ev, x->photon_first_ev,
           x->photon_last_ev, x->electron_first_ev, x->electron_last_ev);
    if (t->args->gas == NULL) {
      const double per_kg = 1.0 / x->mass;
      print_tables(&t->element[i], &per_kg, 1, 0.0);
      print_positrons(&t->element[i], &per_kg, 1, 0.0);
    }
  }
  return t->args->gas != NULL ? print_gas(t, gas) : WN_OK;
}

int wn_cli_xs_photons(const struct wn_cli_xs *a)
{
  struct tables t = {.args = a};
  struct wn_cli_xs_sets gas = {.args = a};
  const int status = work(&t, &gas);
  for (size_t i = 0; i < t.n; i++)
    wn_xs_photon_free(t.element[i]);
  wn_cli_xs_clear(&gas);
  return status;
}
