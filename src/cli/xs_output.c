/* src/cli/xs_output.c - the netCDF file of `wilson xs`: all processes on one energy grid */
#include "src/cli/xs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "src/io/output.h"

#define GRID_MIN_EV     1e-3
#define GRID_MAX_EV     134217728.0 /* 2^27, the highest top of collision tables */
#define GRID_PER_DECADE 100

/* The files; a file with several targets in a row is named once. */
static int put_about(struct wn_output *o, const struct wn_cli_xs_sets *x)
{
  size_t n = 0;
  int status = WN_OK;
  char **file = wn_alloc(x->n_gases, sizeof *file);
  if (file == NULL)
    return WN_ENOMEM;
  for (size_t i = 0; i < x->n_gases && status == WN_OK; i++) {
    const struct wn_xs_set *set = x->gas[i].set;
    if (i > 0 && strcmp(set->source, x->gas[i - 1].set->source) == 0)
      continue;
    file[n] = wn_asprintf("%s%s%s", set->source, set->sha256 != NULL ? " " : "",
                          set->sha256 != NULL ? set->sha256 : "");
    status = file[n] != NULL ? WN_OK : WN_ENOMEM;
    n += status == WN_OK;
  }
  if (status == WN_OK)
    status = wn_output_about(o, "Cross sections of electrons in gases", x->args->argc,
                             x->args->argv, n, (const char *const *)file);
  while (n > 0)
    free(file[--n]);
  free(file);
  return status;
}

static const char about_friction[] =
    "energy lost in excitation and ionization per path length, at 1 atm and 0 degrees "
    "Celsius (2.6868e25 m-3); proportional to the density.  Elastic recoil and "
    "attachment are left out.  Not a number above the end of a table whose last value is "
    "not 0, and for ions";

/* The last two only for a mixture. */
static const struct wn_output_var vars[] = {
    {WN_VAR("energy", "eV", "energy of the electron; of ions see `wilson xs`"),
     .type = WN_OUT_DOUBLE, WN_DIMS("energy")},
    {.name = "gas_name",
     .long_name = "target",
     .is_coordinate = 1,
     .type = WN_OUT_STRING,
     WN_DIMS("gas")},
    {WN_VAR("friction", "eV m-1", "friction of the pure gas"), .comment = about_friction,
     .type = WN_OUT_DOUBLE, WN_DIMS("gas", "energy")},
    {.name = "process_name",
     .long_name = "label of the process",
     .is_coordinate = 1,
     .type = WN_OUT_STRING,
     WN_DIMS("process")},
    {.name = "process_kind",
     .long_name = "kind of the process",
     .is_coordinate = 1,
     .type = WN_OUT_STRING,
     WN_DIMS("process")},
    {WN_VAR("process_gas", "1",
            "index of the target of the process along the dimension gas"),
     .type = WN_OUT_INT64, WN_DIMS("process")},
    {WN_VAR("three_body", "1", "1 if sigma is in m2 per cm-3 of third body, else 0"),
     .type = WN_OUT_INT64, WN_DIMS("process")},
    {WN_VAR("threshold", "eV", "energy below which sigma is 0"), .type = WN_OUT_DOUBLE,
     WN_DIMS("process")},
    {WN_VAR("sigma", "m2", "cross section"),
     .comment = "interpolated as a run does; not a number above the last row of a table "
                "whose last value is not 0.  Elastic: momentum transfer",
     .type = WN_OUT_DOUBLE, WN_DIMS("process", "energy")},
    {WN_VAR("fraction", "1", "fraction of the gas in the mixture"), .type = WN_OUT_DOUBLE,
     WN_DIMS("gas")},
    {WN_VAR("friction_mixture", "eV m-1", "friction of the mixture"),
     .comment = about_friction, .type = WN_OUT_DOUBLE, WN_DIMS("energy")},
};

static int define(struct wn_output *o, const struct wn_cli_xs_sets *x, size_t n_processes,
                  size_t n_energies)
{
  size_t n = sizeof vars / sizeof vars[0] - (wn_cli_xs_is_mixture(x) ? 0 : 2);
  WN_TRY(wn_output_dim(o, "gas", x->n_gases));
  WN_TRY(wn_output_dim(o, "process", n_processes));
  WN_TRY(wn_output_dim(o, "energy", n_energies));
  for (size_t i = 0; i < n; i++)
    WN_TRY(wn_output_define(o, &vars[i]));
  WN_TRY(put_about(o, x));
  return wn_output_end_define(o);
}

static double sigma_at(const struct wn_xs_set *set, const struct wn_xs_process *p,
                       double energy_ev)
{
  if (energy_ev > p->energy_ev[p->n - 1] && p->sigma[p->n - 1] > 0)
    return NAN;
  return wn_xs_sigma(set, p, energy_ev, WN_XS_BEYOND_ZERO);
}

/* Working memory of all writes, freed in one place. */
struct columns {
  double *energy, *grid, *threshold, *fraction;
  long long *gas, *three_body;
  const char **gas_name, **process_name, **kind;
};

static int fill_and_put(struct wn_output *o, const struct wn_cli_xs_sets *x,
                        const struct columns *k, size_t n_energies)
{
  size_t n = 0;
  for (size_t i = 0; i < n_energies; i++)
    k->energy[i] = i + 1 < n_energies ? GRID_MIN_EV * pow(10, (double)i / GRID_PER_DECADE)
                                      : GRID_MAX_EV;
  for (size_t g = 0; g < x->n_gases; g++) {
    k->gas_name[g] = x->gas[g].name;
    k->fraction[g] = x->gas[g].fraction;
    for (size_t i = 0; i < n_energies; i++)
      k->grid[g * n_energies + i] =
          wn_cli_xs_friction(&x->gas[g], 1, false, k->energy[i]);
  }
  WN_TRY(wn_output_put(o, "energy", -1, k->energy));
  WN_TRY(wn_output_put_string(o, "gas_name", -1, k->gas_name));
  WN_TRY(wn_output_put(o, "friction", -1, k->grid));
  if (wn_cli_xs_is_mixture(x)) {
    for (size_t i = 0; i < n_energies; i++)
      k->grid[i] = wn_cli_xs_friction(x->gas, x->n_gases, true, k->energy[i]);
    WN_TRY(wn_output_put(o, "fraction", -1, k->fraction));
    WN_TRY(wn_output_put(o, "friction_mixture", -1, k->grid));
  }
  for (size_t g = 0; g < x->n_gases; g++) {
    const struct wn_xs_set *set = x->gas[g].set;
    for (size_t j = 0; j < set->n; j++, n++) {
      const struct wn_xs_process *p = &set->process[j];
      k->process_name[n] = p->label;
      k->kind[n] = wn_xs_kind_name(p->kind);
      k->gas[n] = (long long)g;
      k->three_body[n] = p->three_body;
      k->threshold[n] = p->threshold_ev;
      for (size_t i = 0; i < n_energies; i++)
        k->grid[n * n_energies + i] = sigma_at(set, p, k->energy[i]);
    }
  }
  WN_TRY(wn_output_put_string(o, "process_name", -1, k->process_name));
  WN_TRY(wn_output_put_string(o, "process_kind", -1, k->kind));
  WN_TRY(wn_output_put_int(o, "process_gas", -1, k->gas));
  WN_TRY(wn_output_put_int(o, "three_body", -1, k->three_body));
  WN_TRY(wn_output_put(o, "threshold", -1, k->threshold));
  return wn_output_put(o, "sigma", -1, k->grid);
}

int wn_cli_xs_write(const struct wn_cli_xs_sets *x)
{
  size_t n = 0, n_energies = 2;
  for (size_t g = 0; g < x->n_gases; g++)
    n += x->gas[g].set->n;
  if (n == 0)
    return WN_FAIL(WN_EINPUT, "%s is not written: there are no processes",
                   x->args->output);
  n_energies += (size_t)floor(GRID_PER_DECADE * log10(GRID_MAX_EV / GRID_MIN_EV));
  size_t rows = n > x->n_gases ? n : x->n_gases;
  struct columns k = {
      .energy = wn_alloc(n_energies, sizeof(double)),
      .grid = wn_alloc(rows * n_energies, sizeof(double)),
      .threshold = wn_alloc(n, sizeof(double)),
      .fraction = wn_alloc(x->n_gases, sizeof(double)),
      .gas = wn_alloc(n, sizeof(long long)),
      .three_body = wn_alloc(n, sizeof(long long)),
      .gas_name = wn_alloc(x->n_gases, sizeof(char *)),
      .process_name = wn_alloc(n, sizeof(char *)),
      .kind = wn_alloc(n, sizeof(char *)),
  };
  int status = WN_ENOMEM;
  struct wn_output *o = NULL;
  if (k.energy != NULL && k.grid != NULL && k.threshold != NULL && k.fraction != NULL &&
      k.gas != NULL && k.three_body != NULL && k.gas_name != NULL &&
      k.process_name != NULL && k.kind != NULL)
    status = wn_output_create(x->args->output, &o);
  if (status == WN_OK)
    status = define(o, x, n, n_energies);
  if (status == WN_OK)
    status = fill_and_put(o, x, &k, n_energies);
  if (status == WN_OK)
    status = wn_output_close(o);
  else if (o != NULL)
    wn_output_discard(o);
  free(k.energy);
  free(k.grid);
  free(k.threshold);
  free(k.fraction);
  free(k.gas);
  free(k.three_body);
  free(k.gas_name);
  free(k.process_name);
  free(k.kind);
  return status;
}
