/* src/diag/passages_in_time.c - diagnostic `passages_in_time`: of a runaway job with energy levels, what happens in each of
 * waveform.rows equal parts of the duration: first passages of each threshold per primary and second, living electrons
 * per primary, their mean energy, and the mean factor on the field.  A passage belongs to the row of the middle of its
 * step.  Errors are those of means over independent groups (src/stats/jackknife.h).
 *
 * level_distribution is the spectrum at the end from the ledger of the levels, whose unit of weights is 2^-60: the
 * histogram of src/diag/energies.c rounds each electron to 2^-24. */
#include <math.h>
#include <stdlib.h>
#include "base/alloc.h"
#include "base/error.h"
#include "src/diag/diag.h"
#include "src/diag/time_rows.h"

struct wn_diag {
  size_t rows, groups, n; /* n: thresholds */
  double *primaries;      /* [groups] */
  double *passed;         /* [groups][rows][n] weight */
  double *group;          /* [groups] scratch */
  struct wn_time_rows *all;
};

static void destroy(struct wn_diag *d)
{
  if (d == NULL)
    return;
  free(d->primaries);
  free(d->passed);
  free(d->group);
  wn_time_rows_free(d->all);
  free(d);
}

static int create(const struct wn_sim *s, struct wn_diag **out)
{
  struct wn_diag *d = wn_alloc(1, sizeof *d);
  if (d == NULL)
    return WN_ENOMEM;
  d->rows = s->c->waveform.rows;
  d->groups = (size_t)s->species[0]->shape.n_groups;
  d->n = s->c->n_thresholds;
  d->primaries = wn_alloc(d->groups, sizeof *d->primaries);
  d->passed = wn_alloc(d->groups * d->rows, d->n * sizeof *d->passed);
  d->group = wn_alloc(d->groups, sizeof *d->group);
  int status =
      d->primaries != NULL && d->passed != NULL && d->group != NULL ? WN_OK : WN_ENOMEM;
  if (status == WN_OK)
    status = wn_time_rows_create(d->rows, d->groups, 0, &d->all);
  if (status != WN_OK) {
    destroy(d);
    return status;
  }
  for (size_t g = 0; g < d->groups; g++)
    d->primaries[g] =
        (double)(s->c->electrons / d->groups + (g < s->c->electrons % d->groups));
  *out = d;
  return WN_OK;
}

static double length_of_row(const struct wn_diag *d, const struct wn_sim *s)
{
  return s->c->duration / (double)d->rows;
}

static int sample(struct wn_diag *d, const struct wn_sim *s, struct wn_output *o)
{
  const struct wn_species *e = s->species[0];
  const double at = (s->time - 0.5 * s->interval) / length_of_row(d, s);
  const size_t row = at < (double)d->rows ? (size_t)at : d->rows - 1;
  (void)o;
  for (size_t g = 0; g < d->groups; g++)
    for (size_t k = 0; k < d->n; k++) {
      const size_t from = g * WN_PASSED * d->n + k;
      d->passed[(g * d->rows + row) * d->n + k] +=
          (double)(e->tally.passed[from] - e->before.passed[from]) / WN_FIX_RARE;
    }
  wn_time_rows_add(d->all, s, row,
                   s->c->waveform.is.shape != WN_WAVEFORM_CONSTANT
                       ? wn_field_varying_factor(s->field)
                       : 1.0);
  return WN_OK;
}

static int define(struct wn_output *o, const struct wn_config *c, const struct wn_gas *g)
{
  struct wn_levels levels;
  static const struct wn_output_var vars[] = {
      {WN_VAR("time", "s", "middle of the row, from the release"), WN_DIMS("time")},
      {WN_VAR("time_bounds", "s", "ends of the row"), WN_DIMS("time", "bound")},
      {WN_VAR("time_field_factor", "1", "factor on the electric field"),
       WN_DIMS("field", "time")},
      {WN_VAR("time_electrons", "1", "living electrons per primary"),
       WN_DIMS("field", "time"), .with_error = 1},
      {WN_VAR("time_mean_energy", "eV", "mean energy"), WN_DIMS("field", "time"),
       .with_error = 1},
      {WN_VAR("time_passages", "s-1",
              "first passages of the threshold, per primary and second"),
       WN_DIMS("field", "time", "threshold"), .with_error = 1,
       .comment = "each passing electron counts by its weight"},
      {WN_VAR("level", "eV", "lower edge of an energy level of the weighted ensemble"),
       WN_DIMS("level")},
      {WN_VAR("level_distribution", "eV-1",
              "electrons per primary in a level at the end, divided by its width"),
       WN_DIMS("field", "level"), .with_error = 1,
       .comment = "NaN in the last level, which has no upper edge"},
  };
  (void)g;
  wn_config_levels(c, &levels);
  WN_TRY(wn_output_dim(o, "time", c->waveform.rows));
  WN_TRY(wn_output_dim(o, "level", wn_levels_number(&levels)));
  WN_TRY(wn_output_define_all(o, vars, sizeof vars / sizeof vars[0]));
  return wn_output_attr_text(o, "time", "bounds", "time_bounds");
}

static int begin(struct wn_output *o, const struct wn_config *c, const struct wn_gas *g)
{
  const size_t n = c->waveform.rows;
  const double row = c->duration / (double)n;
  struct wn_levels levels;
  double edge[WN_MAX_EDGES + 1] = {0.0}, *time = wn_alloc(3 * n, sizeof *time);
  (void)g;
  if (time == NULL)
    return WN_ENOMEM;
  for (size_t i = 0; i < n; i++) {
    time[i] = ((double)i + 0.5) * row;
    time[n + 2 * i] = (double)i * row;
    time[n + 2 * i + 1] = (double)(i + 1) * row;
  }
  wn_config_levels(c, &levels);
  for (int i = 0; i < levels.n_edges; i++)
    edge[i + 1] = (double)levels.edge[i];
  int status = wn_output_put(o, "time", -1, time);
  if (status == WN_OK)
    status = wn_output_put(o, "time_bounds", -1, time + n);
  if (status == WN_OK)
    status = wn_output_put(o, "level", -1, edge);
  free(time);
  return status;
}

struct ask {
  const struct wn_diag *d;
  const struct wn_sim *s;
};

static struct wn_estimate passages(const void *ctx, size_t i)
{
  const struct ask *a = ctx;
  const struct wn_diag *d = a->d;
  for (size_t g = 0; g < d->groups; g++)
    d->group[g] =
        d->passed[g * d->rows * d->n + i] / d->primaries[g] / length_of_row(d, a->s);
  return wn_stats_mean(d->groups, d->group);
}

static struct wn_estimate electrons(const void *ctx, size_t row)
{
  const struct ask *a = ctx;
  const struct wn_estimate all = wn_time_rows_electrons(a->d->all, row);
  const double n = (double)a->s->c->electrons;
  return (struct wn_estimate){all.value / n, all.error / n};
}

static struct wn_estimate energy(const void *ctx, size_t row)
{
  const struct ask *a = ctx;
  return wn_time_rows_at(a->d->all, row, WN_TIME_ENERGY);
}

static struct wn_estimate in_level(const void *ctx, size_t i)
{
  const struct ask *a = ctx;
  const struct wn_diag *d = a->d;
  const struct wn_ensemble *e = a->s->species[0]->ensemble;
  const size_t levels = wn_levels_number(&e->levels);
  const double low = i > 0 ? (double)e->levels.edge[i - 1] : 0.0,
               high = i + 1 < levels ? (double)e->levels.edge[i] : NAN;
  for (size_t g = 0; g < d->groups; g++)
    d->group[g] = (double)e->ledger[g * levels + i].living / WN_FIX_RARE /
                  d->primaries[g] / (high - low);
  return wn_stats_mean(d->groups, d->group);
}

static int write(struct wn_diag *d, const struct wn_sim *s, int enough,
                 struct wn_output *o)
{
  const struct ask a = {d, s};
  const size_t levels = wn_levels_number(&s->species[0]->ensemble->levels);
  double *factor = wn_alloc(d->rows, sizeof *factor);
  (void)enough;
  if (factor == NULL)
    return WN_ENOMEM;
  for (size_t i = 0; i < d->rows; i++)
    factor[i] = wn_time_rows_factor(d->all, i);
  const int status = wn_output_put(o, "time_field_factor", (long)s->i_case, factor);
  free(factor);
  WN_TRY(status);
  WN_TRY(wn_diag_put_estimates(o, "time_electrons", s->i_case, d->rows, electrons, &a));
  WN_TRY(wn_diag_put_estimates(o, "time_mean_energy", s->i_case, d->rows, energy, &a));
  WN_TRY(
      wn_diag_put_estimates(o, "time_passages", s->i_case, d->rows * d->n, passages, &a));
  return wn_diag_put_estimates(o, "level_distribution", s->i_case, levels, in_level, &a);
}

static int state(struct wn_diag *d, struct wn_state *st)
{
  WN_TRY(WN_STATE_ARRAY(st, d->passed, d->groups * d->rows * d->n));
  return wn_time_rows_state(d->all, st);
}

const struct wn_diag_ops wn_diag_passages_in_time = {
    .define = define,
    .begin = begin,
    .create = create,
    .sample = sample,
    .write = write,
    .state = state,
    .free = destroy,
};
