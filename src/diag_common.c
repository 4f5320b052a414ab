/* src/diag_common.c - what both jobs write: coordinates, processes, the energy ledger,
 * the energy grid. */
#include <math.h>
#include <stdlib.h>
#include "physics/constants.h"
#include "base/alloc.h"
#include "base/error.h"
#include "src/diag.h"

size_t wn_diag_n_bins(const struct wn_config *c)
{
  double decades = log10(c->distribution_max_ev / c->distribution_min_ev);
  return (size_t)ceil(decades * (double)c->distribution_bins_per_decade - 1e-9);
}

void wn_diag_bin_edges(const struct wn_config *c, double *edge)
{
  size_t n = wn_diag_n_bins(c);
  edge[0] = 0.0;
  for (size_t i = 1; i <= n; i++)
    edge[i] = c->distribution_min_ev *
              pow(10.0, (double)i / (double)c->distribution_bins_per_decade);
}

size_t wn_diag_bin(const struct wn_config *c, double energy_ev)
{
  const struct wn_sample what = {.bin_min_ev = c->distribution_min_ev,
                                 .bins_per_decade =
                                     (double)c->distribution_bins_per_decade,
                                 .n_bins = wn_diag_n_bins(c)};
  return wn_sample_bin(&what, energy_ev);
}

int wn_diag_define_common(struct wn_output *o, const struct wn_config *c,
                          const struct wn_gas *g)
{
  WN_TRY(wn_output_dim(o, "field", c->n_cases));
  WN_TRY(wn_output_dim(o, "process", (size_t)g->table->view.n_processes));
  WN_TRY(wn_output_dim(o, "energy", wn_diag_n_bins(c)));
  WN_TRY(wn_output_dim(o, "bound", 2));
  static const struct wn_output_var vars[] = {
      {.name = "electric_field",
       .units = "V m-1",
       .long_name = "electric field",
       .n_dims = 1,
       .dims = {"field"}},
      {.name = "reduced_electric_field",
       .units = "Td",
       .long_name = "reduced electric field E/N",
       .n_dims = 1,
       .dims = {"field"},
       .comment = "1 Td = 1e-21 V m2"},
      {.name = "gas_number_density",
       .units = "m-3",
       .long_name = "number density of the gas"},
      {.name = "process_name",
       .long_name = "collision process",
       .type = WN_OUT_STRING,
       .n_dims = 1,
       .dims = {"process"}},
      {.name = "process_threshold",
       .units = "eV",
       .long_name = "energy loss of the process",
       .n_dims = 1,
       .dims = {"process"}},
      {.name = "energy",
       .units = "eV",
       .long_name = "electron energy, middle of the bin",
       .n_dims = 1,
       .dims = {"energy"}},
      {.name = "energy_bounds",
       .units = "eV",
       .long_name = "electron energy, edges of the bin",
       .n_dims = 2,
       .dims = {"energy", "bound"}},
      {.name = "energy_gained",
       .units = "eV s-1",
       .long_name = "energy gained from the field, per electron and second",
       .n_dims = 1,
       .dims = {"field"}},
      {.name = "energy_lost",
       .units = "eV s-1",
       .long_name = "energy lost to the process, per electron and second",
       .n_dims = 2,
       .dims = {"field", "process"},
       .comment = "recoil included; attachment counts the whole energy of the electron"},
      {.name = "energy_removed",
       .units = "eV s-1",
       .long_name = "energy of electrons removed above runaway.stop_above, per electron "
                    "and second",
       .n_dims = 1,
       .dims = {"field"}},
      {.name = "energy_carried",
       .units = "eV s-1",
       .long_name = "growth of the energy carried by the living, per electron and second",
       .n_dims = 1,
       .dims = {"field"}},
      {.name = "energy_residual",
       .units = "eV s-1",
       .long_name = "gained minus lost minus removed minus carried: what the ledger does "
                    "not account for",
       .n_dims = 1,
       .dims = {"field"},
       .comment = "rounding of the stored momentum (single precision) and of the sums"},
      {.name = "candidates",
       .units = "1",
       .long_name = "candidate collisions simulated, null ones included",
       .type = WN_OUT_INT64,
       .n_dims = 1,
       .dims = {"field"}},
      {.name = "real_collisions",
       .units = "1",
       .long_name = "real collisions simulated",
       .type = WN_OUT_INT64,
       .n_dims = 1,
       .dims = {"field"}},
      {.name = "maximum_candidate_frequency",
       .units = "s-1",
       .long_name = "bound on the collision frequency: rate of candidate collisions"},
  };
  for (size_t i = 0; i < sizeof vars / sizeof vars[0]; i++)
    WN_TRY(wn_output_define(o, &vars[i]));
  /* text is an auxiliary coordinate: ncview cannot read a coordinate variable of strings
   */
  WN_TRY(wn_output_attr_text(o, "energy_lost", "coordinates", "process_name"));
  return wn_output_attr_text(o, "energy", "bounds", "energy_bounds");
}

int wn_diag_begin_common(struct wn_output *o, const struct wn_config *c,
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
  if (status == WN_OK)
    status = wn_output_put(o, "gas_number_density", -1, &c->number_density);
  if (status == WN_OK)
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

int wn_diag_put_row(struct wn_output *o, const char *name, size_t field,
                    const double *value, const double *error)
{
  char *error_name = wn_asprintf("%s_error", name);
  if (error_name == NULL)
    return WN_ENOMEM;
  int status = wn_output_put(o, name, (long)field, value);
  if (status == WN_OK)
    status = wn_output_put(o, error_name, (long)field, error);
  free(error_name);
  return status;
}

int wn_diag_put(struct wn_output *o, const char *name, size_t field, struct wn_estimate e)
{
  return wn_diag_put_row(o, name, field, &e.value, &e.error);
}

double wn_diag_time(const struct wn_sim *s, long leave_out)
{
  double sum = 0.0;
  for (long g = 0; g < s->shape.n_groups; g++)
    if (g != leave_out)
      sum += (double)s->tally.group[g].time;
  return sum / WN_FIX_PHASE * s->interval;
}

double wn_diag_count(const struct wn_sim *s, size_t process, long leave_out)
{
  double sum = 0.0;
  for (long g = 0; g < s->shape.n_groups; g++)
    if (g != leave_out)
      sum += (double)s->tally.count[(size_t)g * (size_t)s->shape.n_processes + process];
  return sum / WN_FIX_WEIGHT;
}

int wn_diag_ledger(const struct wn_sim *s, struct wn_output *o)
{
  size_t n = (size_t)s->shape.n_processes;
  double *lost = wn_alloc(n, sizeof *lost), time = wn_diag_time(s, -1);
  if (lost == NULL)
    return WN_ENOMEM;
  double gained = 0.0, removed = 0.0, carried = s->carried_ev / time, residual;
  for (size_t g = 0; g < (size_t)s->shape.n_groups; g++) {
    gained += (double)s->tally.group[g].gained / WN_FIX_ENERGY / time;
    removed += (double)s->tally.group[g].dropped / WN_FIX_ENERGY / time;
    for (size_t k = 0; k < n; k++)
      lost[k] += (double)s->tally.lost[g * n + k] / WN_FIX_ENERGY / time;
  }
  residual = gained - removed - carried;
  for (size_t k = 0; k < n; k++)
    residual -= lost[k];
  long f = (long)s->field;
  int status = wn_output_put(o, "energy_gained", f, &gained);
  if (status == WN_OK)
    status = wn_output_put(o, "energy_lost", f, lost);
  if (status == WN_OK)
    status = wn_output_put(o, "energy_removed", f, &removed);
  if (status == WN_OK)
    status = wn_output_put(o, "energy_carried", f, &carried);
  if (status == WN_OK)
    status = wn_output_put(o, "energy_residual", f, &residual);
  if (status == WN_OK)
    status = wn_diag_counts(s, o);
  free(lost);
  return status;
}

int wn_diag_counts(const struct wn_sim *s, struct wn_output *o)
{
  long long candidates = (long long)s->candidates, real = (long long)s->real;
  WN_TRY(wn_output_put_int(o, "candidates", (long)s->field, &candidates));
  return wn_output_put_int(o, "real_collisions", (long)s->field, &real);
}
