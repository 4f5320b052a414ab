/* src/cli/xs.c - `wilson xs`: the contents of files of cross sections.  Tables and notes
 * go to stdout, errors to stderr.  Sets are shown as read, before they are prepared for a
 * run, so that a file unsuitable for a run can be inspected, too. */
#include "src/cli/xs.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "src/io/output_path.h"

static void print_notes(const struct wn_xs_process *p, double peak)
{
  const char *gap = "";
  if (p->three_body) {
    printf("%sthree-body, m2 per cm-3 of third body", gap);
    gap = "; ";
  }
  if (p->kind == WN_XS_EFFECTIVE) {
    printf("%selastic and all inelastic", gap);
    gap = "; ";
  }
  if (p->sigma_total != NULL) {
    printf("%sintegral elastic known", gap);
    gap = "; ";
  }
  if (p->orbital.n > 0) {
    printf("%sorbital known", gap);
    gap = "; ";
  }
  if (p->loss_ev < 0) {
    printf("%ssuperelastic", gap);
    gap = "; ";
  }
  if (p->reversible) {
    printf("%sreversible, g1/g0 %.4g", gap, p->weight_ratio);
    gap = "; ";
  }
  if (p->sigma[p->n - 1] > 1e-4 * peak) /* truncated: the last value is not close to 0 */
    printf("%sends at %.3g m2", gap, p->sigma[p->n - 1]);
}

static void print_gas(const struct wn_cli_xs_gas *g)
{
  const struct wn_xs_set *set = g->set;
  int width = 7;
  for (size_t i = 0; i < set->n; i++) {
    int len = (int)strlen(set->process[i].label);
    width = len > width ? len : width;
  }
  printf("\n%s from %s, %zu process%s", g->name, set->source, set->n,
         set->n == 1 ? "" : "es");
  if (set->n > 0 && set->process[0].database != NULL &&
      strcmp(set->process[0].database, set->source) != 0)
    printf(", %s", set->process[0].database);
  printf("\n");
  if (set->sha256 != NULL)
    printf("sha256 %s\n", set->sha256);
  printf("  %-*s  %-11s  %12s  %11s  %11s  %11s  %11s  %s\n", width, "process", "kind",
         "threshold", "first", "last", "peak", "peak at", "notes");
  printf("  %-*s  %-11s  %12s  %11s  %11s  %11s  %11s\n", width, "", "", "eV", "eV", "eV",
         "m2", "eV");
  for (size_t i = 0; i < set->n; i++) {
    const struct wn_xs_process *p = &set->process[i];
    size_t peak = 0;
    for (size_t j = 1; j < p->n; j++) {
      if (p->sigma[j] > p->sigma[peak])
        peak = j;
    }
    printf("  %-*s  %-11s  %12.7g  %11.5g  %11.5g  %11.4g  %11.5g  ", width, p->label,
           wn_xs_kind_name(p->kind), p->threshold_ev, p->energy_ev[0],
           p->energy_ev[p->n - 1], p->sigma[peak], p->energy_ev[peak]);
    print_notes(p, p->sigma[peak]);
    printf("\n");
  }
  if (set->ion != NULL)
    printf("  energies: of the %s\n", set->frame == WN_XS_FRAME_CM
                                          ? "relative motion (centre of mass)"
                                          : "ion, the target at rest (laboratory)");
  for (const char *s = set->notes; s != NULL && *s;) {
    size_t len = strcspn(s, "\n");
    printf("  note: %.*s\n", (int)len, s);
    s += len + (s[len] == '\n');
  }
  const char *why = wn_cli_xs_obstacle(set);
  if (why != NULL || g->unfit)
    printf("  cannot be used in a run: %s\n",
           why != NULL ? why : "see the error message");
}

static void print_friction(const struct wn_cli_xs_sets *x)
{
  printf("\nfriction of %s at 1 atm and 0 degrees Celsius (%.5g m-3), excitation and "
         "ionization\n",
         x->args->gas, WN_CLI_XS_LOSCHMIDT);
  printf("  %12s  %12s\n  %12s  %12s\n", "energy", "friction", "eV", "keV/cm");
  static const double steps[] = {1, 2, 5};
  for (int i = -3; i <= 21; i++) { /* 0.1 eV to 10 MeV */
    double energy_ev = steps[((i % 3) + 3) % 3] * pow(10, floor(i / 3.0));
    double f = wn_cli_xs_friction(x->gas, x->n_gases, true, energy_ev);
    if (isnan(f))
      printf("  %12.6g  %12s\n", energy_ev, "table ended");
    else
      printf("  %12.6g  %12.5g\n", energy_ev, f * 1e-5); /* eV/m to keV/cm */
  }
}

static int work(struct wn_cli_xs_sets *x)
{
  int status = wn_cli_xs_read(x);
  if (status == WN_ENOMEM)
    return status;
  for (size_t i = 0; i < x->n_gases; i++)
    print_gas(&x->gas[i]);
  WN_TRY(status);
  WN_TRY(wn_cli_xs_check_picks(x));
  if (wn_cli_xs_is_mixture(x))
    print_friction(x);
  return x->args->output != NULL ? wn_cli_xs_write(x) : WN_OK;
}

int wn_cli_xs(const struct wn_cli_xs *a)
{
  struct wn_cli_xs_sets x = {.args = a};
  if (a->output != NULL)
    WN_TRY(wn_output_allowed(a->output, a->keep, a->n_files, a->file));
  int status = work(&x);
  wn_cli_xs_clear(&x);
  return status;
}
