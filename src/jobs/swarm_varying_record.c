/* src/jobs/swarm_varying_record.c - variables and line of a swarm in a time-dependent field.
 * Names of rows begin with phase_ if there is a period, else with time_. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/error.h"
#include "src/diag/tensor.h"
#include "src/jobs/swarm_varying.h"

static int has_period(const struct wn_config *c)
{
  return wn_waveform_period(&c->waveform.is) > 0.0;
}

/* A quantity of each row and, with a period, its mean over all rows. */
static const struct {
  const char *name, *units, *long_name;
  int what;
} quantities[] = {
    {"mean_energy", "eV", "mean electron energy", WN_TIME_ENERGY},
    {"drift_velocity", "m s-1", "flux drift velocity, against the field of factor 1",
     WN_TIME_DRIFT},
    {"energy_gained", "eV s-1", "power gained from the field, per electron",
     WN_TIME_GAINED},
};
#define N_QUANTITIES (sizeof quantities / sizeof quantities[0])

static const struct {
  const char *name, *units, *long_name, *comment;
  int with_error;
} of_period[] = {
    {"drift_amplitude", "m s-1", "amplitude of the first harmonic of the drift", NULL, 1},
    {"drift_phase_lag", "rad",
     "lag of the first harmonic of the drift behind that of the field", "from -pi to pi",
     1},
    {"period", "s", "period of the field", NULL, 0},
    {"periods_sampled", "1", "measured periods", NULL, 0},
};
#define N_OF_PERIOD (sizeof of_period / sizeof of_period[0])

/* ---- definitions */

/* PREFIX_NAME over field, rows and possibly another dimension. */
static int define_rows(struct wn_output *o, const struct wn_config *c, const char *name,
                       const char *units, const char *long_name, const char *third,
                       int with_error)
{
  char *full = wn_asprintf("%s_%s", has_period(c) ? "phase" : "time", name);
  const struct wn_output_var v = {
      WN_VAR(full, units, long_name), .n_dims = third != NULL ? 3 : 2,
      .dims = {"field", has_period(c) ? "phase" : "time", third},
      .with_error = with_error};
  const int status = full != NULL ? wn_output_define(o, &v) : WN_ENOMEM;
  free(full);
  return status;
}

#define PROCESS_TEXT                                                                     \
  "collisions of the process per electron and second: expected from the energies of "    \
  "the electrons, corrected by regression on the counts"
#define COUNTED_TEXT "counted collisions of the process per electron and second"
#define OF_PERIOD    "mean over the period: "
#define LIMIT_TEXT   "95 % upper limit, if no collision was seen; else NaN"

static int define_all_rows(struct wn_output *o, const struct wn_config *c)
{
  const char *rows = has_period(c) ? "phase" : "time";
  const struct wn_output_var axis = {
      .name = rows,
      .units = has_period(c) ? "1" : "s",
      .long_name = has_period(c)
                       ? "middle of the row, as a fraction of the period"
                       : "middle of the row, from the beginning of the waveform",
      WN_DIMS(rows)};
  WN_TRY(wn_output_dim(o, rows, c->waveform.rows));
  WN_TRY(wn_output_define(o, &axis));
  WN_TRY(define_rows(o, c, "field_factor", "1", "factor on the electric field", NULL, 0));
  for (size_t i = 0; i < N_QUANTITIES; i++)
    WN_TRY(define_rows(o, c, quantities[i].name, quantities[i].units,
                       quantities[i].long_name, NULL, 1));
  if (!has_period(c))
    WN_TRY(define_rows(o, c, "electrons", "1", "living electrons per primary", NULL, 1));
  if (wn_config_has_frame(c))
    WN_TRY(define_rows(o, c, "drift_vector", "m s-1", "flux drift velocity", "axis", 1));
  WN_TRY(define_rows(o, c, "energy_distribution", "eV-3/2",
                     "electron energy distribution f0: the integral of f0(e) sqrt(e) de "
                     "is 1",
                     "energy", 1));
  WN_TRY(define_rows(o, c, "process_frequency", "s-1", PROCESS_TEXT, "process", 1));
  WN_TRY(
      define_rows(o, c, "process_frequency_counted", "s-1", COUNTED_TEXT, "process", 1));
  return define_rows(o, c, "process_frequency_upper_limit", "s-1", LIMIT_TEXT, "process",
                     0);
}

static int define_period(struct wn_output *o)
{
  for (size_t i = 0; i < N_QUANTITIES; i++) {
    char *name = wn_asprintf("period_%s", quantities[i].name),
         *long_name = wn_asprintf(OF_PERIOD "%s", quantities[i].long_name);
    const int status =
        name != NULL && long_name != NULL
            ? wn_diag_define_quantity(o, name, quantities[i].units, long_name, NULL)
            : WN_ENOMEM;
    free(long_name);
    free(name);
    WN_TRY(status);
  }
  for (size_t i = 0; i < N_OF_PERIOD; i++) {
    const struct wn_output_var v = {.name = of_period[i].name,
                                    .units = of_period[i].units,
                                    .long_name = of_period[i].long_name,
                                    .comment = of_period[i].comment,
                                    WN_DIMS("field"),
                                    .with_error = of_period[i].with_error};
    WN_TRY(wn_output_define(o, &v));
  }
  const struct wn_output_var rates[] = {
      {WN_VAR("period_process_frequency", "s-1", OF_PERIOD PROCESS_TEXT),
       WN_DIMS("field", "process"), .with_error = 1},
      {WN_VAR("period_process_frequency_counted", "s-1", OF_PERIOD COUNTED_TEXT),
       WN_DIMS("field", "process"), .with_error = 1},
      {WN_VAR("period_process_frequency_upper_limit", "s-1",
              "95 % upper limit of the mean over the period, if no collision was "
              "seen; else NaN"),
       WN_DIMS("field", "process")},
  };
  return wn_output_define_all(o, rates, sizeof rates / sizeof rates[0]);
}

int wn_varying_define(struct wn_output *o, const struct wn_config *c,
                      const struct wn_gas *g)
{
  static const struct wn_output_var step = {
      WN_VAR("time_step", "s", "time for which the field is taken as constant"),
      WN_DIMS("field")};
  WN_TRY(wn_diag_define_axes(o, c, g));
  WN_TRY(wn_frame_define(o, c));
  WN_TRY(define_all_rows(o, c));
  if (has_period(c))
    WN_TRY(define_period(o));
  WN_TRY(wn_diag_define_times(o));
  return wn_output_define(o, &step);
}

int wn_varying_begin(struct wn_output *o, const struct wn_config *c,
                     const struct wn_gas *g)
{
  const size_t n = c->waveform.rows;
  const double length = (has_period(c) ? 1.0 : c->duration) / (double)n;
  double *middle = wn_alloc(n, sizeof *middle);
  int status = middle != NULL ? WN_OK : WN_ENOMEM;
  for (size_t i = 0; status == WN_OK && i < n; i++)
    middle[i] = ((double)i + 0.5) * length;
  if (status == WN_OK)
    status = wn_output_put(o, has_period(c) ? "phase" : "time", -1, middle);
  free(middle);
  WN_TRY(status);
  WN_TRY(wn_frame_put(o, c));
  return wn_diag_put_axes(o, c, g);
}

/* ---- the record */

/* What is written: estimates of cells, each of a row and one of n more. */
struct record {
  const struct wn_varying_case *j;
  const struct wn_sim *s;
  size_t rows, n_processes;
  const double *width; /* [n_bins] of the bins of energy, in energy^(3/2) */
};

/* A rate without an event in the time lived has no error, but an upper limit. */
static struct wn_estimate or_nothing(const struct record *f, struct wn_estimate e,
                                     double lived, double *limit)
{
  const struct wn_sim *s = f->s;
  const double weight =
      fmax(1.0, (double)s->c->electrons / (double)s->species[0]->population.target);
  *limit = NAN;
  if (e.value > 0.0)
    return e;
  *limit = WN_STATS_UNSEEN * weight / lived;
  return (struct wn_estimate){e.value, NAN};
}

static struct wn_estimate factor_of(const struct record *f, size_t row, size_t k)
{
  (void)k;
  return (struct wn_estimate){wn_time_rows_factor(f->j->rows, row), NAN};
}

static struct wn_estimate quantity_of(const struct record *f, size_t row, size_t k)
{
  return wn_time_rows_at(f->j->rows, row, quantities[k].what);
}

static struct wn_estimate electrons_of(const struct record *f, size_t row, size_t k)
{
  const double primaries = (double)f->s->c->electrons;
  const struct wn_estimate e = wn_time_rows_electrons(f->j->rows, row);
  (void)k;
  return (struct wn_estimate){e.value / primaries, e.error / primaries};
}

static struct wn_estimate vector_of(const struct record *f, size_t row, size_t k)
{
  static const int what[] = {WN_TIME_DRIFT_X, WN_TIME_DRIFT_Y, WN_TIME_DRIFT};
  struct wn_estimate e = wn_time_rows_at(f->j->rows, row, what[wn_frame_axis[k].from]);
  e.value *= wn_frame_axis[k].sign;
  return e;
}

static struct wn_estimate process_of(const struct record *f, size_t row, size_t k)
{
  double limit;
  return or_nothing(f, wn_time_samples_rate(f->j->samples, f->j->rows, (long)row, k),
                    wn_time_rows_lived(f->j->rows, row), &limit);
}

static struct wn_estimate counted_of(const struct record *f, size_t row, size_t k)
{
  double limit;
  return or_nothing(f, wn_time_rows_at(f->j->rows, row, WN_TIME_PROCESS + (int)k),
                    wn_time_rows_lived(f->j->rows, row), &limit);
}

static struct wn_estimate in_bin(const struct record *f, size_t row, size_t bin)
{
  return wn_time_samples_f0(f->j->samples, row, bin, f->width[bin]);
}

static struct wn_estimate limit_of(const struct record *f, size_t row, size_t k)
{
  struct wn_estimate e = {NAN, NAN};
  or_nothing(f, wn_time_samples_rate(f->j->samples, f->j->rows, (long)row, k),
             wn_time_rows_lived(f->j->rows, row), &e.value);
  return e;
}

/* Cells first .. first + n - 1 of each row. */
static int put_rows(const struct record *f, struct wn_output *o, const char *name,
                    struct wn_estimate (*of)(const struct record *, size_t, size_t),
                    size_t first, size_t n, int with_error)
{
  const size_t all = f->rows * n;
  char *full = wn_asprintf("%s_%s", f->j->is_periodic ? "phase" : "time", name);
  double *value = wn_alloc(2 * all, sizeof *value);
  int status = full != NULL && value != NULL ? WN_OK : WN_ENOMEM;
  for (size_t i = 0; status == WN_OK && i < all; i++) {
    const struct wn_estimate e = of(f, i / n, first + i % n);
    value[i] = e.value;
    value[all + i] = e.error;
  }
  if (status == WN_OK)
    status = with_error ? wn_diag_put_row(o, full, (long)f->s->i_case, value, value + all)
                        : wn_output_put(o, full, (long)f->s->i_case, value);
  free(full);
  free(value);
  return status;
}

static int put_distribution(const struct record *f, struct wn_output *o)
{
  const struct wn_config *c = f->s->c;
  const size_t n = wn_diag_n_bins(c);
  double *edge = wn_alloc(n + 1, sizeof *edge);
  if (edge == NULL)
    return WN_ENOMEM;
  wn_diag_bin_edges(c, edge);
  for (size_t i = 0; i < n; i++)
    edge[i] = 2.0 / 3.0 * (edge[i + 1] * sqrt(edge[i + 1]) - edge[i] * sqrt(edge[i]));
  struct record with = *f;
  with.width = edge;
  const int status = put_rows(&with, o, "energy_distribution", in_bin, 0, n, 1);
  free(edge);
  return status;
}

static int put_all_rows(const struct record *f, struct wn_output *o)
{
  WN_TRY(put_rows(f, o, "field_factor", factor_of, 0, 1, 0));
  for (size_t i = 0; i < N_QUANTITIES; i++)
    WN_TRY(put_rows(f, o, quantities[i].name, quantity_of, i, 1, 1));
  if (!f->j->is_periodic)
    WN_TRY(put_rows(f, o, "electrons", electrons_of, 0, 1, 1));
  if (wn_config_has_frame(f->s->c))
    WN_TRY(put_rows(f, o, "drift_vector", vector_of, 0, WN_FRAME_AXES, 1));
  WN_TRY(put_distribution(f, o));
  WN_TRY(put_rows(f, o, "process_frequency", process_of, 0, f->n_processes, 1));
  WN_TRY(put_rows(f, o, "process_frequency_counted", counted_of, 0, f->n_processes, 1));
  return put_rows(f, o, "process_frequency_upper_limit", limit_of, 0, f->n_processes, 0);
}

/* Rates over the period; upper limits where no event was seen. */
static int put_period_rates(const struct record *f, struct wn_output *o)
{
  const size_t n = f->n_processes, i_case = f->s->i_case;
  double lived = 0.0, limit, *value = wn_alloc(5 * n, sizeof *value);
  if (value == NULL)
    return WN_ENOMEM;
  for (size_t row = 0; row < f->rows; row++)
    lived += wn_time_rows_lived(f->j->rows, row);
  for (size_t k = 0; k < n; k++) {
    const struct wn_estimate e = or_nothing(
                                 f,
                                 wn_time_samples_rate(f->j->samples, f->j->rows, -1, k),
                                 lived, &value[2 * n + k]),
                             c = or_nothing(
                                 f,
                                 wn_time_rows_mean(f->j->rows, WN_TIME_PROCESS + (int)k),
                                 lived, &limit);
    value[k] = e.value;
    value[n + k] = e.error;
    value[3 * n + k] = c.value;
    value[4 * n + k] = c.error;
  }
  int status =
      wn_diag_put_row(o, "period_process_frequency", (long)i_case, value, value + n);
  if (status == WN_OK)
    status = wn_diag_put_row(o, "period_process_frequency_counted", (long)i_case,
                             value + 3 * n, value + 4 * n);
  if (status == WN_OK)
    status = wn_output_put(o, "period_process_frequency_upper_limit", (long)i_case,
                           value + 2 * n);
  free(value);
  return status;
}

static int put_period(const struct record *f, struct wn_output *o)
{
  const long record = (long)f->s->i_case;
  const double periods = (double)f->j->periods;
  for (size_t i = 0; i < N_QUANTITIES; i++) {
    char *name = wn_asprintf("period_%s", quantities[i].name);
    const int status =
        name != NULL ? wn_diag_put(o, name, f->s->i_case,
                                   wn_time_rows_mean(f->j->rows, quantities[i].what))
                     : WN_ENOMEM;
    free(name);
    WN_TRY(status);
  }
  WN_TRY(wn_diag_put(o, "drift_amplitude", f->s->i_case,
                     wn_time_rows_amplitude(f->j->rows)));
  WN_TRY(wn_diag_put(o, "drift_phase_lag", f->s->i_case, wn_time_rows_lag(f->j->rows)));
  WN_TRY(wn_output_put(o, "period", record, &f->j->span));
  WN_TRY(wn_output_put(o, "periods_sampled", record, &periods));
  return put_period_rates(f, o);
}

/* ---- lines */

void wn_varying_heading(FILE *to)
{
  fprintf(to, "%9s %9s  %9s  %16s  %16s  %18s\n", "E/N", "E", "time", "mean energy",
          "drift", "later by");
  fprintf(to, "%9s %9s  %9s  %9s %6s  %9s %6s  %9s %8s\n", "Td", "kV/cm", "s", "eV", "+-",
          "m/s", "+-", "rad", "+-");
}

static void print_row(const struct wn_sim *s, double time, struct wn_estimate energy,
                      struct wn_estimate drift, FILE *to)
{
  const struct wn_cfg_case *at = &s->c->cases[s->i_case];
  fprintf(to, "%9.4g %9.4g  %9.4g  %9.4g %5.2f%%  %9.4g %5.2f%%", at->td, at->e * 1e-5,
          time, energy.value, 100.0 * energy.error / energy.value, drift.value,
          100.0 * fabs(drift.error / drift.value));
}

/* With a period: mean energy, amplitude and lag of the drift; otherwise the first and the last row. */
static void print(const struct wn_varying_case *j, const struct wn_sim *s, FILE *to)
{
  const struct wn_time_rows *r = j->rows;
  const size_t last = s->c->waveform.rows - 1;
  const double row = j->span / (double)(last + 1);
  if (j->is_periodic) {
    const struct wn_estimate lag = wn_time_rows_lag(r);
    print_row(s, j->span, wn_time_rows_mean(r, WN_TIME_ENERGY), wn_time_rows_amplitude(r),
              to);
    fprintf(to, "  %9.4f %8.4f\n", lag.value, lag.error);
    return;
  }
  for (size_t i = 0; i <= last; i += last) {
    print_row(s, ((double)i + 0.5) * row, wn_time_rows_at(r, i, WN_TIME_ENERGY),
              wn_time_rows_at(r, i, WN_TIME_DRIFT), to);
    fputc('\n', to);
  }
}

int wn_varying_finish(const struct wn_varying_case *j, const struct wn_sim *s,
                      struct wn_output *o, FILE *to)
{
  const struct record f = {.j = j,
                           .s = s,
                           .rows = s->c->waveform.rows,
                           .n_processes = (size_t)s->species[0]->shape.n_processes};
  const double sampled = (double)(s->n_steps - j->first) * s->interval,
               relaxed = s->time - sampled;
  WN_TRY(wn_output_put(o, "sampling_time", (long)s->i_case, &sampled));
  WN_TRY(wn_output_put(o, "relaxation_time", (long)s->i_case, &relaxed));
  WN_TRY(wn_output_put(o, "time_step", (long)s->i_case, &j->interval));
  wn_time_samples_finish(j->samples);
  WN_TRY(put_all_rows(&f, o));
  if (j->is_periodic)
    WN_TRY(put_period(&f, o));
  print(j, s, to);
  return WN_OK;
}
