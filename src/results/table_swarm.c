/* src/results/table_swarm.c - the columns of job swarm: see table_kind.h. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/error.h"
#include "base/log.h"
#include "src/results/table_kind.h"

static const struct wn_table_quantity quantities[] = {
    {WN_COLUMN("mean_energy", "Mean energy (eV)", "eV"), .needed = 1},
    {WN_COLUMN("drift_velocity_flux", "Mobility *N (1/m/V/s)", "m-1 V-1 s-1"),
     .by = WN_TABLE_BY_FIELD, .needed = 1},
    {WN_COLUMN("drift_velocity_bulk", "Bulk mobility *N (1/m/V/s)", "m-1 V-1 s-1"),
     .by = WN_TABLE_BY_FIELD},
    {WN_COLUMN("diffusion_transverse_flux", "Diffusion coefficient *N (1/m/s)",
               "m-1 s-1"),
     .by = WN_TABLE_BY_DENSITY, .needed = 1},
    {WN_COLUMN("diffusion_longitudinal_flux", "Longitud. diffusion coef. *N (1/m/s)",
               "m-1 s-1"),
     .by = WN_TABLE_BY_DENSITY},
    {WN_COLUMN("diffusion_transverse_bulk", "Bulk T diffusion coef. *N (1/m/s)",
               "m-1 s-1"),
     .by = WN_TABLE_BY_DENSITY},
    {WN_COLUMN("diffusion_longitudinal_bulk", "Bulk L diffusion coef. *N (1/m/s)",
               "m-1 s-1"),
     .by = WN_TABLE_BY_DENSITY},
    {WN_COLUMN("ionization_frequency", "Total ionization freq. /N (m3/s)", "m3 s-1"),
     .by = WN_TABLE_BY_FREQUENCY, .kind = WN_TABLE_IONIZATION},
    {WN_COLUMN("attachment_frequency", "Total attachment freq. /N (m3/s)", "m3 s-1"),
     .by = WN_TABLE_BY_FREQUENCY, .kind = WN_TABLE_ATTACHMENT},
    {WN_COLUMN("townsend_coefficient_reduced", "Townsend ioniz. coef. alpha/N (m2)",
               "m2"),
     .kind = WN_TABLE_IONIZATION, .needed = 1},
    {WN_COLUMN("attachment_coefficient_reduced", "Townsend attach. coef. eta/N (m2)",
               "m2"),
     .kind = WN_TABLE_ATTACHMENT, .needed = 1},
    {WN_COLUMN("growth_rate", "Growth rate /N (m3/s)", "m3 s-1"),
     .by = WN_TABLE_BY_FREQUENCY, .kind = WN_TABLE_EITHER, .is_extra = 1},
    {WN_COLUMN("townsend_effective_reduced", "PT effective coef. (alpha-eta)/N (m2)",
               "m2"),
     .kind = WN_TABLE_EITHER, .is_extra = 1},
    {WN_COLUMN("townsend_effective_sst_reduced", "SST effective coef. (alpha-eta)/N (m2)",
               "m2"),
     .kind = WN_TABLE_EITHER, .is_extra = 1},
    {WN_COLUMN("mean_energy_sst", "SST mean energy (eV)", "eV"), .is_extra = 1},
    {WN_COLUMN("drift_velocity_sst", "SST drift velocity (m/s)", "m s-1"), .is_extra = 1},
    {WN_COLUMN("drift_vector_flux", "Drift along E x B (m/s)", "m s-1"), .component = 1,
     .n_components = 3},
    {WN_COLUMN("drift_vector_flux", "Drift along the component of B across E (m/s)",
               "m s-1"),
     .component = 2, .n_components = 3},
};

/* "C9 N2 Ionization 15.58 eV" of "N2 ionization N2+ (3sg)". */
static char *rate_name(const struct wn_table_from *f, size_t k)
{
  static const char *const kinds[] = {" elastic", " effective", " excitation",
                                      " ionization", " attachment"};
  const char *text = f->process[k];
  for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
    const char *at = strstr(text, kinds[i]);
    if (at == NULL)
      continue;
    char *name = f->threshold[k] != 0.0
                     ? wn_asprintf("C%zu %.*s %c%s %.2f eV", k + 1, (int)(at - text),
                                   text, toupper((unsigned char)kinds[i][1]),
                                   kinds[i] + 2, f->threshold[k])
                     : wn_asprintf("C%zu %.*s %c%s", k + 1, (int)(at - text), text,
                                   toupper((unsigned char)kinds[i][1]), kinds[i] + 2);
    return name;
  }
  return wn_asprintf("C%zu %s", k + 1, text);
}

static int add_rate(struct wn_table *t, const struct wn_table_from *f,
                    const struct wn_table_variable *r, size_t k)
{
  struct wn_table_column *c;
  char *name = rate_name(f, k);
  int status =
      name != NULL ? wn_table_add(t, name, f->process[k], "m3 s-1", &c) : WN_ENOMEM;
  free(name);
  WN_TRY(status);
  c->is_rate = c->is_counted = 1;
  for (size_t row = 0; row < t->n_rows; row++)
    wn_table_put(c, row, r, f->order[row] * f->n_processes + k,
                 1.0 / (f->target[k] * t->density[row]), 1);
  return WN_OK;
}

static int add_rates(struct wn_table *t, const struct wn_table_from *f)
{
  struct wn_table_variable r;
  int status = wn_table_read(f, "process_frequency", "upper_limit",
                             f->n_records * f->n_processes, &r);
  for (size_t k = 0; status == WN_OK && r.value != NULL && k < f->n_processes; k++)
    status = add_rate(t, f, &r, k);
  wn_table_clear(&r);
  return status;
}

static int add(struct wn_table *t, const struct wn_table_from *f)
{
  for (size_t q = 0; q < sizeof quantities / sizeof quantities[0]; q++)
    WN_TRY(wn_table_add_quantity(t, f, &quantities[q]));
  if (f->target != NULL)
    return add_rates(t, f);
  wn_log(WN_LOG_WARN,
         "%s: written by an older version, without the fractions of the targets: the "
         "table has no rate coefficients of single processes",
         t->path);
  return WN_OK;
}

const struct wn_table_kind wn_table_swarm = {
    .job = "swarm",
    .record = "mean_energy",
    .about =
        "mobility and diffusion are those of the flux; diffusion is across the field;\n"
        "alpha and eta are frequencies over the flux drift velocity, as PT, of a pulsed\n"
        "Townsend experiment; SST is of a steady-state one; rate coefficients\n"
        "C1, C2, ... are over the density of the collision's target, and one of a\n"
        "three-body process is the effective one of two bodies at this density",
    .about_magnetic = "mobility is that along E",
    .add = add,
};
