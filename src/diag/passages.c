/* src/diag/passages.c - diagnostic `passages`: first passages of the thresholds.
 *   runaway_fraction    fraction of primaries whose lineage (the electron itself or a
 *   descendant)
 *                       passed the threshold
 *   first_passage_time  from the release to the first passage, mean over the lineages that
 *   passed
 *   passages_per_primary  electrons that passed, each counted, per primary
 *   runaway_rate        electrons that pass the threshold for the first time, per electron
 *   and
 *                       second of the time lived by all
 *   *_upper_limit       of the last two, if no electron passed: if 3 lineages are expected
 *   to pass,
 *                       none does with 5 % probability; one passage is assumed for each
 * With energy levels (runaway.levels) what a lineage does is not known: runaway_fraction and first_passage_time are NaN.
 * Roulette (population.target) leaves the rate unbiased but not the fraction, which is not
 * linear in the electrons: a removed branch might have passed.  The fraction is then a
 * lower bound, and the file and a warning say so. */
#include "src/diag/passages.h"
#include <math.h>
#include <stdlib.h>
#include "base/alloc.h"
#include "base/error.h"
#include "src/diag/diag.h"

struct ask {
  const struct wn_species *electrons;
  const struct wn_sim *s;
  size_t threshold;
};

static double rate(const void *ctx, long leave_out)
{
  const struct ask *a = ctx;
  size_t n_thresholds = (size_t)a->electrons->shape.n_thresholds;
  double n = 0.0;
  for (long g = 0; g < a->electrons->shape.n_groups; g++)
    if (g != leave_out)
      n += (double)a->electrons->tally
               .passed[(size_t)g * WN_PASSED * n_thresholds + a->threshold];
  return n / WN_FIX_RARE / wn_diag_time(a->s, leave_out);
}

/* For each group, per primary; group g has the primaries i with i mod n_groups = g. */
static struct wn_estimate per_primary(const struct wn_sim *s, size_t threshold,
                                      double *group)
{
  const struct wn_species *electrons = s->species[0];
  const size_t groups = (size_t)electrons->shape.n_groups, n = s->c->n_thresholds,
               primaries = s->c->electrons;
  for (size_t g = 0; g < groups; g++)
    group[g] = (double)electrons->tally.passed[g * WN_PASSED * n + threshold] /
               WN_FIX_RARE / (double)(primaries / groups + (g < primaries % groups));
  return wn_stats_mean(groups, group);
}

int wn_passages_estimate(const struct wn_sim *s, size_t threshold,
                         struct wn_passages_of *out)
{
  const struct wn_species *electrons = s->species[0];
  size_t n_primaries = s->c->electrons, n = s->c->n_thresholds, passed = 0;
  const int lineages = electrons->tally.first_passage != NULL;
  /* at least as many primaries as groups: src/config/check.c */
  double *time = wn_alloc(n_primaries, sizeof *time);
  if (time == NULL)
    return WN_ENOMEM;
  wn_species_join_passages(s->species[0]);
  for (size_t i = 0; i < n_primaries && lineages; i++) {
    int64_t t = electrons->tally.first_passage[i * n + threshold];
    if (t != INT64_MAX)
      time[passed++] = wn_tally_tick_time(t, s->interval);
  }
  const struct ask a = {electrons, s, threshold};
  out->fraction = out->time = (struct wn_estimate){NAN, NAN};
  if (lineages)
    out->fraction = wn_stats_fraction((double)passed, (double)n_primaries);
  out->rate = wn_stats_jackknife((size_t)electrons->shape.n_groups, rate, &a, NULL);
  if (lineages)
    out->time = wn_stats_mean(passed, time);
  out->passages = per_primary(s, threshold, time);
  out->rate_limit = out->passages_limit = NAN;
  if (out->passages.value == 0.0) {
    const double events =
        lineages && electrons->population.killed == 0 ? WN_STATS_UNSEEN : NAN;
    out->rate_limit = events / wn_diag_time(s, -1);
    out->passages_limit = events / (double)n_primaries;
    out->rate.error = out->passages.error = NAN;
  }
  free(time);
  return WN_OK;
}

#define LIMIT_OF                                                                         \
  "3 lineages with one passage each; NaN if an electron passed, and after roulette"

static int define(struct wn_output *o, const struct wn_config *c, const struct wn_gas *g)
{
  (void)g;
  WN_TRY(wn_diag_define_thresholds(o, c));
  static const struct wn_output_var vars[] = {
      {WN_VAR("runaway_fraction", "1",
              "fraction of primaries whose lineage passed the threshold"),
       WN_DIMS("field", "threshold"), .with_error = 1},
      {WN_VAR("runaway_rate", "s-1",
              "electrons that pass the threshold for the first time, per electron "
              "and second"),
       WN_DIMS("field", "threshold"), .with_error = 1},
      {WN_VAR("runaway_rate_upper_limit", "s-1",
              "95 % upper limit of the rate, if no electron passed the threshold"),
       WN_DIMS("field", "threshold"), .comment = LIMIT_OF},
      {WN_VAR("passages_per_primary_upper_limit", "1",
              "95 % upper limit of the number of electrons that passed, per "
              "primary, if none did"),
       WN_DIMS("field", "threshold"), .comment = LIMIT_OF},
      {WN_VAR("passages_per_primary", "1",
              "number of electrons that passed the threshold, per primary"),
       WN_DIMS("field", "threshold"), .with_error = 1,
       .comment = "with all descendants, each counted"},
      {WN_VAR("first_passage_time", "s",
              "mean time from the release to the first passage of a lineage"),
       WN_DIMS("field", "threshold"), .with_error = 1,
       .comment = "over the lineages that passed"},
      {WN_VAR("removed_electrons", "1",
              "electrons per primary removed above runaway.stop_above, below "
              "stop_below or outside of gas.profile"),
       WN_DIMS("field"), .comment = "they are not among the final electrons"},
      {WN_VAR("maximum_energy", "eV",
              "highest energy of any electron above the first threshold"),
       WN_DIMS("field")},
      {WN_VAR("followed_time", "s", "time from the release to the end"),
       WN_DIMS("field")},
      {WN_VAR("roulette_killed", "1", "electrons removed by population control"),
       .type = WN_OUT_INT64, WN_DIMS("field"),
       .comment = "if it is not 0, runaway_fraction is a lower bound"},
  };
  /* the last is that of the diagnostic `levels` */
  return wn_output_define_all(o, vars, sizeof vars / sizeof vars[0] - c->runaway_levels);
}

static int begin(struct wn_output *o, const struct wn_config *c, const struct wn_gas *g)
{
  (void)g;
  return wn_diag_put_thresholds(o, c);
}

/* A row of values and errors for each variable. */
static int put_rows(const struct wn_sim *s, struct wn_output *o)
{
  static const char *const name[] = {"runaway_fraction", "runaway_rate",
                                     "first_passage_time", "passages_per_primary"};
  enum { N = sizeof name / sizeof name[0] };
  size_t n = s->c->n_thresholds;
  double *row = wn_alloc((2 * N + 2) * n, sizeof *row);
  if (row == NULL)
    return WN_ENOMEM;
  double *limit = row + 2 * N * n;
  int status = WN_OK;
  for (size_t k = 0; k < n && status == WN_OK; k++) {
    struct wn_passages_of of;
    status = wn_passages_estimate(s, k, &of);
    if (status != WN_OK)
      break;
    const struct wn_estimate e[] = {of.fraction, of.rate, of.time, of.passages};
    for (size_t q = 0; q < N; q++) {
      row[2 * q * n + k] = e[q].value;
      row[(2 * q + 1) * n + k] = e[q].error;
    }
    limit[k] = of.rate_limit;
    limit[n + k] = of.passages_limit;
  }
  for (size_t q = 0; q < N && status == WN_OK; q++)
    status = wn_diag_put_row(o, name[q], (long)s->i_case, &row[2 * q * n],
                             &row[(2 * q + 1) * n]);
  if (status == WN_OK)
    status = wn_output_put(o, "runaway_rate_upper_limit", (long)s->i_case, limit);
  if (status == WN_OK)
    status =
        wn_output_put(o, "passages_per_primary_upper_limit", (long)s->i_case, limit + n);
  free(row);
  return status;
}

static int write(struct wn_diag *d, const struct wn_sim *s, int enough,
                 struct wn_output *o)
{
  const struct wn_species *electrons = s->species[0];
  (void)d, (void)enough;
  double maximum = electrons->max_energy_ev > 0.0 ? electrons->max_energy_ev : NAN,
         removed = 0.0;
  long long killed = (long long)electrons->population.killed;
  for (int g = 0; g < electrons->shape.n_groups; g++)
    removed +=
        (double)electrons->tally.group[g].removed / WN_FIX_RARE / (double)s->c->electrons;
  WN_TRY(put_rows(s, o));
  WN_TRY(wn_output_put(o, "maximum_energy", (long)s->i_case, &maximum));
  WN_TRY(wn_output_put(o, "removed_electrons", (long)s->i_case, &removed));
  WN_TRY(wn_output_put(o, "followed_time", (long)s->i_case, &s->time));
  return s->c->runaway_levels
             ? WN_OK
             : wn_output_put_int(o, "roulette_killed", (long)s->i_case, &killed);
}

const struct wn_diag_ops wn_diag_passages = {
    .define = define,
    .begin = begin,
    .write = write,
};
