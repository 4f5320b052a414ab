/* src/diag/diag.c - shared by diagnostics: axes, records with errors, sums of a tally. */
#include "src/diag/diag.h"
#include <math.h>
#include <stdlib.h>
#include "base/alloc.h"
#include "base/error.h"
#include "src/diag/tensor.h"
#include "src/sim/radiation.h"

size_t wn_diag_n_bins(const struct wn_config *c)
{
  double decades = log10(c->distribution_max_ev / c->distribution_min_ev);
  return (size_t)ceil(decades * (double)c->distribution_bins_per_decade - 1e-9);
}

size_t wn_diag_most_lags(const struct wn_config *c)
{
  if (c->sample_block > 0)
    return (size_t)c->sample_block;
  return c->sample_interval > 0.0 ? WN_DIAG_LEAST_LAGS : WN_DIAG_MOST_LAGS;
}

void wn_diag_bin_edges(const struct wn_config *c, double *edge)
{
  size_t n = wn_diag_n_bins(c);
  edge[0] = 0.0;
  for (size_t i = 1; i <= n; i++)
    edge[i] = c->distribution_min_ev *
              pow(10.0, (double)i / (double)c->distribution_bins_per_decade);
}

int wn_diag_define_thresholds(struct wn_output *o, const struct wn_config *c)
{
  static const struct wn_output_var var = {
      WN_VAR("threshold", "eV", "energy threshold of runaways"), WN_DIMS("threshold")};
  WN_TRY(wn_output_dim(o, "threshold", c->n_thresholds));
  return wn_output_define_all(o, &var, 1);
}

int wn_diag_put_thresholds(struct wn_output *o, const struct wn_config *c)
{
  return wn_output_put(o, "threshold", -1, c->thresholds_ev);
}

/* A single number without a scan, a number for each case with one: wn_diag_put_point. */
static int define_magnetic(struct wn_output *o, const struct wn_config *c)
{
  struct wn_output_var vars[] = {
      {WN_VAR("magnetic_field", "T", "magnetic field")},
      {WN_VAR("reduced_magnetic_field", "Hx", "reduced magnetic field B/N"),
       .comment = "1 Hx = 1e-27 T m3"},
      {WN_VAR("magnetic_angle", "rad",
              "angle between the direction against E and the magnetic field")},
  };
  for (size_t i = 0; i < sizeof vars / sizeof vars[0]; i++) {
    vars[i].n_dims = c->n_scans > 0;
    vars[i].dims[0] = "field";
  }
  return wn_config_has_frame(c)
             ? wn_output_define_all(o, vars, sizeof vars / sizeof vars[0])
             : WN_OK;
}

static int put_magnetic(struct wn_output *o, const struct wn_config *c, long record)
{
  if (!wn_config_has_frame(c))
    return WN_OK;
  WN_TRY(wn_output_put(o, "magnetic_field", record, &c->magnetic_field));
  WN_TRY(wn_output_put(o, "reduced_magnetic_field", record, &c->magnetic_hx));
  return wn_output_put(o, "magnetic_angle", record, &c->magnetic_angle);
}

/* The fraction of its target in the gas for each process, which with the density turns
 * frequencies into rate coefficients: an attribute, in the order of the processes. */
static int define_targets(struct wn_output *o, const struct wn_config *c,
                          const struct wn_gas *g)
{
  size_t n = (size_t)g->table->view.n_processes, k = 0;
  double *fraction = wn_alloc(n, sizeof *fraction);
  if (fraction == NULL)
    return WN_ENOMEM;
  for (size_t i = 0; i < g->n; i++)
    for (size_t j = 0; j < g->set[i]->n; j++)
      fraction[k++] = c->components[i].fraction;
  int status =
      wn_output_attr_double(o, "process_threshold", "target_fraction", n, fraction);
  free(fraction);
  return status;
}

/* A single number without a scan, a number for each case with one. */
static int define_gas(struct wn_output *o, const struct wn_config *c)
{
  struct wn_output_var vars[] = {
      {WN_VAR("gas_number_density", "m-3", "number density of the gas")},
      {WN_VAR("maximum_candidate_frequency", "s-1",
              "bound on the collision frequency: highest rate of candidate collisions")},
  };
  for (size_t i = 0; i < 2; i++) {
    vars[i].n_dims = c->n_scans > 0;
    vars[i].dims[0] = "field";
  }
  return wn_output_define_all(o, vars, 2);
}

static int define_scans(struct wn_output *o, const struct wn_config *c)
{
  if (c->n_scans >
      0) /* for readers that expect a single value of everything but the field */
    WN_TRY(wn_output_attr_text(
        o, NULL, "scan",
        "the fields are repeated at each scan point, given by variables scan_NAME"));
  for (size_t j = 0; j < c->n_scans; j++) {
    const char *word;
    (void)wn_scan_value(c, j, &word);
    char *name = wn_asprintf("scan_%s", c->scans[j].name);
    char *text = wn_asprintf("value of %s", c->scans[j].key);
    const struct wn_output_var v = {.name = name,
                                    .long_name = text,
                                    .units =
                                        word == NULL ? wn_scan_unit(&c->scans[j]) : NULL,
                                    .type = word == NULL ? WN_OUT_DOUBLE : WN_OUT_STRING,
                                    WN_DIMS("field"),
                                    .is_coordinate = 1};
    int status = name != NULL && text != NULL ? wn_output_define(o, &v) : WN_ENOMEM;
    if (status == WN_OK)
      status = wn_output_attr_text(o, name, "key", c->scans[j].key);
    free(name);
    free(text);
    WN_TRY(status);
  }
  return WN_OK;
}

static int put_scan(struct wn_output *o, const struct wn_config *c, size_t scan,
                    long record)
{
  const char *word;
  const double value = wn_scan_value(c, scan, &word);
  char *name = wn_asprintf("scan_%s", c->scans[scan].name);
  int status = name == NULL   ? WN_ENOMEM
               : word != NULL ? wn_output_put_string(o, name, record, &word)
                              : wn_output_put(o, name, record, &value);
  free(name);
  return status;
}

int wn_diag_put_point(struct wn_output *o, const struct wn_config *c,
                      const struct wn_gas *g)
{
  for (size_t i = c->first_case; i < c->first_case + c->own_cases; i++) {
    WN_TRY(wn_output_put(o, "gas_number_density", (long)i, &c->number_density));
    WN_TRY(put_magnetic(o, c, (long)i));
    WN_TRY(
        wn_output_put(o, "maximum_candidate_frequency", (long)i, &g->table->view.nu_max));
    for (size_t j = 0; j < c->n_scans; j++)
      WN_TRY(put_scan(o, c, j, (long)i));
  }
  return WN_OK;
}

int wn_diag_define_times(struct wn_output *o)
{
  static const struct wn_output_var vars[] = {
      {WN_VAR("sampling_time", "s", "time sampled after relaxation"), WN_DIMS("field")},
      {WN_VAR("relaxation_time", "s", "time from the release to the first sample"),
       WN_DIMS("field")},
  };
  return wn_output_define_all(o, vars, sizeof vars / sizeof vars[0]);
}

int wn_diag_define_axes(struct wn_output *o, const struct wn_config *c,
                        const struct wn_gas *g)
{
  WN_TRY(wn_output_dim(o, "field", c->n_cases));
  WN_TRY(wn_output_dim(o, "process", (size_t)g->table->view.n_processes));
  WN_TRY(wn_output_dim(o, "energy", wn_diag_n_bins(c)));
  WN_TRY(wn_output_dim(o, "bound", 2));
  static const struct wn_output_var vars[] = {
      {WN_VAR("electric_field", "V m-1", "electric field"), .n_dims = 1,
       .is_coordinate = 1, .dims = {"field"}},
      {WN_VAR("reduced_electric_field", "Td", "reduced electric field E/N"), .n_dims = 1,
       .is_coordinate = 1, .dims = {"field"}, .comment = "1 Td = 1e-21 V m2"},
      {.name = "process_name",
       .long_name = "collision process",
       /* auxiliary: ncview cannot read a coordinate variable of strings */
       .is_coordinate = 1,
       .type = WN_OUT_STRING,
       WN_DIMS("process")},
      {WN_VAR("process_threshold", "eV", "energy loss of the process"),
       WN_DIMS("process")},
      {WN_VAR("energy", "eV", "electron energy, middle of the bin"), WN_DIMS("energy")},
      {WN_VAR("energy_bounds", "eV", "electron energy, edges of the bin"),
       WN_DIMS("energy", "bound")},
  };
  WN_TRY(define_gas(o, c));
  WN_TRY(define_scans(o, c));
  WN_TRY(wn_output_define_all(o, vars, sizeof vars / sizeof vars[0]));
  WN_TRY(define_magnetic(o, c));
  WN_TRY(define_targets(o, c, g));
  if (c->waveform.is.shape != WN_WAVEFORM_CONSTANT)
    WN_TRY(
        wn_output_attr_text(o, "electric_field", "comment",
                            "for the factor 1 of waveform.shape, which depends on time"));
  return wn_output_attr_text(o, "energy", "bounds", "energy_bounds");
}

int wn_diag_put_axes(struct wn_output *o, const struct wn_config *c,
                     const struct wn_gas *g)
{
  size_t n = wn_diag_n_bins(c), n_processes = (size_t)g->table->view.n_processes;
  double *edge = wn_alloc(n + 1, sizeof *edge),
         *buf = wn_alloc(2 * n + n_processes, sizeof *buf);
  int status = edge != NULL && buf != NULL ? WN_OK : WN_ENOMEM;
  for (size_t i = 0; i < c->n_cases && status == WN_OK; i++) {
    status = wn_output_put(o, "electric_field", (long)i, &c->cases[i].e);
    if (status == WN_OK)
      status = wn_output_put(o, "reduced_electric_field", (long)i, &c->cases[i].td);
  }
  const int scan = c->n_scans > 0; /* written by wn_diag_put_point */
  if (status == WN_OK && !scan)
    status = put_magnetic(o, c, -1);
  if (status == WN_OK && !scan)
    status = wn_output_put(o, "gas_number_density", -1, &c->number_density);
  if (status == WN_OK && !scan)
    status = wn_output_put(o, "maximum_candidate_frequency", -1, &g->table->view.nu_max);
  if (status == WN_OK)
    status =
        wn_output_put_string(o, "process_name", -1, (const char *const *)g->process_name);
  if (status == WN_OK) {
    for (size_t i = 0; i < n_processes; i++)
      buf[i] = wn_xs_table_process(g->table, (int)i)->loss_ev;
    status = wn_output_put(o, "process_threshold", -1, buf);
  }
  if (status == WN_OK) {
    wn_diag_bin_edges(c, edge);
    for (size_t i = 0; i < n; i++) {
      buf[2 * i] = edge[i];
      buf[2 * i + 1] = edge[i + 1];
    }
    status = wn_output_put(o, "energy_bounds", -1, buf);
    for (size_t i = 0; i < n; i++)
      buf[i] = i > 0 ? sqrt(edge[i] * edge[i + 1]) : 0.5 * edge[1];
    if (status == WN_OK)
      status = wn_output_put(o, "energy", -1, buf);
  }
  free(edge);
  free(buf);
  return status;
}

int wn_diag_put_row(struct wn_output *o, const char *name, long record,
                    const double *value, const double *error)
{
  char *error_name = wn_asprintf("%s_error", name);
  if (error_name == NULL)
    return WN_ENOMEM;
  int status = wn_output_put(o, name, record, value);
  if (status == WN_OK)
    status = wn_output_put(o, error_name, record, error);
  free(error_name);
  return status;
}

int wn_diag_put(struct wn_output *o, const char *name, size_t i_case,
                struct wn_estimate e)
{
  return wn_diag_put_row(o, name, (long)i_case, &e.value, &e.error);
}

int wn_diag_put_estimates(struct wn_output *o, const char *name, size_t i_case, size_t n,
                          wn_diag_estimate_fn *estimate, const void *ctx)
{
  double *value = wn_alloc(n, sizeof *value), *error = wn_alloc(n, sizeof *error);
  int status = value != NULL && error != NULL ? WN_OK : WN_ENOMEM;
  for (size_t i = 0; status == WN_OK && i < n; i++) {
    struct wn_estimate e = estimate(ctx, i);
    value[i] = e.value, error[i] = e.error;
  }
  if (status == WN_OK)
    status = wn_diag_put_row(o, name, (long)i_case, value, error);
  free(value);
  free(error);
  return status;
}

int wn_diag_define_quantity(struct wn_output *o, const char *name, const char *units,
                            const char *long_name, const char *comment)
{
  const struct wn_output_var v = {WN_VAR(name, units, long_name), .comment = comment,
                                  WN_DIMS("field"), .with_error = 1};
  return wn_output_define(o, &v);
}

void wn_diag_rate_text(struct wn_estimate rate, double upper_limit, int value_width,
                       int error_width, char *text, size_t n)
{
  char limit[32];
  snprintf(limit, sizeof limit, "< %.2g (95 %%)", upper_limit);
  if (isnan(upper_limit))
    snprintf(text, n, "%*.3g %*.2g", value_width, rate.value, error_width, rate.error);
  else
    snprintf(text, n, "%*s", value_width + 1 + error_width, limit);
}

double wn_diag_time(const struct wn_sim *s, long leave_out)
{
  return wn_diag_group_sum(s, offsetof(struct wn_tally_group, time), leave_out) /
         WN_FIX_STEP * s->interval;
}

double wn_diag_count(const struct wn_sim *s, size_t process, long leave_out)
{
  const struct wn_species *electrons = s->species[0];
  size_t n = (size_t)electrons->shape.n_processes;
  wn_i128 sum = 0; /* exact; a conversion costs as much as ten additions */
  for (long g = 0; g < electrons->shape.n_groups; g++)
    if (g != leave_out)
      sum += electrons->tally.count[(size_t)g * n + process];
  return (double)sum / WN_FIX_WEIGHT;
}

double wn_diag_joined(const struct wn_sim *s, long leave_out)
{
  return wn_radiation_sum(s, WN_RADIATION_FREED, leave_out);
}

double wn_diag_removed(const struct wn_sim *s, long leave_out)
{
  return wn_diag_group_sum(s, offsetof(struct wn_tally_group, removed), leave_out) /
         WN_FIX_RARE;
}

double wn_diag_group_sum(const struct wn_sim *s, size_t offset, long leave_out)
{
  const struct wn_species *electrons = s->species[0];
  wn_i128 sum = 0;
  for (long g = 0; g < electrons->shape.n_groups; g++)
    if (g != leave_out) {
      const char *group = (const char *)&electrons->tally.group[g];
      sum += *(const wn_i128 *)(const void *)(group + offset);
    }
  return (double)sum;
}
