/* src/jobs/runaway_rate_record.c - results of a case of job `runaway-rate`: the record of the file,
 * the line, and messages on results that are missing or weak. */
#include <math.h>
#include <stdlib.h>
#include "base/alloc.h"
#include "base/error.h"
#include "base/log.h"
#include "physics/constants.h"
#include "src/jobs/runaway_rate.h"
#include "src/stats/levels_reached.h"

/* The column of first passages of a threshold. */
static size_t passing(const struct wn_config *c, size_t k)
{
  return wn_rate_threshold(c, WN_PASSED_COHORT, k);
}

static int has_passed(const struct wn_rate_case *j, const struct wn_config *c, size_t k)
{
  return wn_event_rates_events(j->rates, passing(c, k)) > 0.0;
}

/* The loss that decides about the plateau at the last thresholds; NaN if there is only one. */
static struct wn_estimate last_loss(const struct wn_rate_case *j, const struct wn_sim *s)
{
  const size_t last = s->c->n_thresholds - 1;
  return wn_rate_loss(j, s, last > 0 ? last - 1 : last);
}

struct record {
  const struct wn_rate_case *j;
  const struct wn_sim *s;
  double *group;     /* [n_groups] */
  double *threshold; /* [n_thresholds] */
  struct wn_levels_reached reach;
};

/* Electrons in a level before a control, and their weight in the unit in which passages are
 * counted: means over the measurement. */
static int means_of_levels(const struct wn_rate_case *j, const struct wn_sim *s,
                           struct wn_levels_reached *out)
{
  const size_t levels = wn_levels_number(&wn_rate_ensemble(s)->levels);
  uint64_t before;
  const double steps = (double)wn_event_rates_window(j->rates, &before);
  double *mean = wn_alloc(2 * levels, sizeof *mean);
  if (mean == NULL)
    return WN_ENOMEM;
  for (size_t i = 0; i < levels; i++) {
    mean[i] = wn_event_rates_events(j->rates, wn_rate_level(s->c, levels + i)) / steps;
    mean[levels + i] =
        wn_event_rates_events(j->rates, wn_rate_level(s->c, 2 * levels + i)) /
        (steps * j->interval);
  }
  *out = (struct wn_levels_reached){.n_levels = levels,
                                    .wanted = (double)s->c->population_target,
                                    .number = mean,
                                    .weight = mean + levels};
  return WN_OK;
}

/* Number of levels from the lowest up to the one that contains the energy, or ends there. */
static size_t levels_below(const struct wn_sim *s, double energy_ev)
{
  const struct wn_levels *l = &wn_rate_ensemble(s)->levels;
  size_t n = wn_level_of(l, energy_ev);
  return n == 0 || (double)l->edge[n - 1] < energy_ev * (1.0 - 1e-6) ? n + 1 : n;
}

static struct wn_estimate threshold_rate(const void *ctx, size_t k)
{
  const struct record *of = ctx;
  return wn_rate_of(of->j, of->s, k);
}

/* Upper limit of the rate of threshold k; NaN if an electron passed it.  An electron that passes has
 * passed all lower thresholds, so the rate of one of these is a limit, too (1.645 errors: 95 %). */
static double limit(const struct record *of, size_t k)
{
  if (has_passed(of->j, of->s->c, k))
    return NAN;
  double below =
      wn_levels_rate_limit(&of->reach, levels_below(of->s, of->s->c->thresholds_ev[k]),
                           wn_event_rates_time(of->j->rates));
  for (size_t i = 0; i < k && has_passed(of->j, of->s->c, i); i++) {
    const struct wn_estimate rate = threshold_rate(of, i);
    if (wn_rate_is_steady(of->j, of->s, i))
      below = fmin(below, rate.value + 1.645 * rate.error);
  }
  return below;
}

/* Mean of a quantity over the passing electrons, in its unit. */
static struct wn_estimate mean_of(const struct record *of, int row, size_t k, double unit)
{
  struct wn_estimate e = wn_event_rates_ratio(
      of->j->rates, wn_rate_threshold(of->s->c, row, k), passing(of->s->c, k));
  return (struct wn_estimate){e.value * unit, e.error * unit};
}

/* Its standard deviation; the next row has the squares. */
static struct wn_estimate spread_of(const struct record *of, int row, size_t k,
                                    double unit)
{
  struct wn_estimate e = wn_event_rates_spread(
      of->j->rates, wn_rate_threshold(of->s->c, row, k),
      wn_rate_threshold(of->s->c, row + 1, k), passing(of->s->c, k));
  return (struct wn_estimate){e.value * unit, e.error * unit};
}

static struct wn_estimate cosine(const void *ctx, size_t k)
{
  return mean_of(ctx, WN_PASSED_ANGLE, k, 1.0);
}

static struct wn_estimate mean_time(const void *ctx, size_t k)
{
  const struct record *of = ctx;
  return mean_of(of, WN_PASSED_TIME, k, of->j->interval);
}

static struct wn_estimate spread_of_time(const void *ctx, size_t k)
{
  const struct record *of = ctx;
  return spread_of(of, WN_PASSED_TIME, k, of->j->interval);
}

static struct wn_estimate mean_way(const void *ctx, size_t k)
{
  const struct record *of = ctx;
  return mean_of(of, WN_PASSED_WAY, k, WN_C * of->j->interval);
}

static struct wn_estimate spread_of_way(const void *ctx, size_t k)
{
  const struct record *of = ctx;
  return spread_of(of, WN_PASSED_WAY, k, WN_C * of->j->interval);
}

static struct wn_estimate per_primary(const void *ctx, size_t k)
{
  const struct record *of = ctx;
  const size_t groups = (size_t)of->s->species[0]->shape.n_groups,
               n = of->s->c->n_thresholds, electrons = of->s->c->electrons;
  for (size_t g = 0; g < groups; g++) {
    const size_t primaries = electrons / groups + (g < electrons % groups);
    of->group[g] = of->j->passages[g * n + k] / (double)primaries;
  }
  return wn_stats_mean(groups, of->group);
}

/* Part of the electrons in a level, per eV. */
static struct wn_estimate in_level(const void *ctx, size_t i)
{
  const struct record *of = ctx;
  const struct wn_levels *levels = &wn_rate_ensemble(of->s)->levels;
  const double low = i > 0 ? (double)levels->edge[i - 1] : 0.0,
               high = i < (size_t)levels->n_edges ? (double)levels->edge[i] : NAN;
  struct wn_estimate e = wn_event_rates_of(of->j->rates, wn_rate_level(of->s->c, i));
  e.value /= high - low;
  e.error /= high - low;
  return e;
}

int wn_rate_define(struct wn_output *o, const struct wn_config *c, const struct wn_gas *g)
{
  struct wn_levels levels;
  WN_TRY(wn_diag_define_axes(o, c, g));
  wn_config_levels(c, &levels);
  WN_TRY(wn_diag_define_thresholds(o, c));
  WN_TRY(wn_output_dim(o, "level", wn_levels_number(&levels)));
  static const struct wn_output_var vars[] = {
      {WN_VAR("level", "eV", "lower edge of an energy level of the weighted ensemble"),
       WN_DIMS("level")},
      {WN_VAR("passage_rate", "s-1",
              "electrons that pass the threshold for the first time, per second "
              "and per electron alive at the time when they last rose through the "
              "first threshold, or were born above it"),
       WN_DIMS("field", "threshold"), .with_error = 1},
      {WN_VAR("passage_cosine", "1",
              "mean cosine between drift and velocity of the electrons that pass "
              "the threshold"),
       WN_DIMS("field", "threshold"), .with_error = 1},
      {WN_VAR("passage_time", "s",
              "mean time to the threshold from the last control that found the "
              "electron below the first threshold, or before its birth above it"),
       WN_DIMS("field", "threshold"), .with_error = 1},
      {WN_VAR("passage_time_spread", "s",
              "standard deviation of this time over electrons"),
       WN_DIMS("field", "threshold"), .with_error = 1},
      {WN_VAR("passage_distance", "m", "mean displacement along the drift in this time"),
       WN_DIMS("field", "threshold"), .with_error = 1},
      {WN_VAR("passage_distance_spread", "m",
              "standard deviation of this displacement over electrons"),
       WN_DIMS("field", "threshold"), .with_error = 1},
      {WN_VAR("passages_per_primary", "1",
              "expected number of first passages of the threshold by a primary and "
              "its descendants, from the release to the end"),
       WN_DIMS("field", "threshold"), .with_error = 1},
      {WN_VAR("passage_rate_limit", "s-1",
              "95 % upper limit of the rate, if no electron passed the threshold"),
       WN_DIMS("field", "threshold"),
       .comment = "NaN: electrons passed, and passage_rate is measured"},
      {WN_VAR("plateau_threshold", "eV",
              "lowest threshold of the plateau: of the electrons that pass it at "
              "most the fraction runaway.plateau_loss fails to pass the last "
              "threshold, with 95 % confidence; the rate is that of runaways"),
       WN_DIMS("field"),
       .comment = "NaN: none, or not known (plateau_state); the rate of the last "
                  "threshold is an upper bound of the rate of runaways"},
      {WN_VAR("plateau_state", "1",
              "1: there is a plateau; 0: there is none below the last threshold; "
              "-1: not known: errors too large, or rates not steady"),
       .type = WN_OUT_INT64, WN_DIMS("field")},
      {WN_VAR("plateau_loss", "1",
              "fraction of the electrons passing the last threshold but one that "
              "do not pass the last"),
       WN_DIMS("field"), .with_error = 1,
       .comment = "NaN: no electron passed the last threshold"},
      {WN_VAR("threshold_is_steady", "1",
              "1: the measurement begins later than the delay of passages of the "
              "threshold, and its halves agree within three standard errors"),
       .type = WN_OUT_INT64, WN_DIMS("field", "threshold")},
      {WN_VAR("is_steady", "1", "1: all thresholds that an electron passed are steady"),
       .type = WN_OUT_INT64, WN_DIMS("field")},
      {WN_VAR("is_accurate", "1",
              "1: the relative standard error of the rate of the last threshold is at "
              "most accuracy, and the rate is steady"),
       .type = WN_OUT_INT64, WN_DIMS("field")},
      {WN_VAR("relaxation_time", "s",
              "time from the release after which the rate of the first threshold is "
              "steady"),
       WN_DIMS("field")},
      {WN_VAR("level_distribution", "eV-1",
              "fraction of the electrons in a level, divided by its width"),
       WN_DIMS("field", "level"), .with_error = 1,
       .comment = "NaN in the last level, which has no upper edge"},
      {WN_VAR("level_electrons", "1",
              "mean number of electrons in a level before a control"),
       WN_DIMS("field", "level"),
       .comment = "0: no electron reached it; the target is population.target"},
      {WN_VAR("measured_time", "s",
              "time over which rates are averaged, the last part of followed_time"),
       WN_DIMS("field")},
      {WN_VAR("followed_time", "s", "time from the release to the end"),
       WN_DIMS("field")},
  };
  WN_TRY(wn_output_define_all(o, vars, sizeof vars / sizeof vars[0]));
  WN_TRY(wn_rate_define_bins(o));
  WN_TRY(wn_diag_define_quantity(o, "ionization_rate", "s-1",
                                 "ionizations per electron and second", NULL));
  WN_TRY(wn_diag_define_quantity(o, "attachment_rate", "s-1",
                                 "attachments per electron and second", NULL));
  return wn_diag_define_quantity(
      o, "removed_rate", "s-1",
      "electrons removed above runaway.stop_above, per electron "
      "and second",
      NULL);
}

int wn_rate_begin(struct wn_output *o, const struct wn_config *c, const struct wn_gas *g)
{
  struct wn_levels levels;
  double edge[WN_MAX_EDGES + 1] = {0.0};
  WN_TRY(wn_diag_put_axes(o, c, g));
  wn_config_levels(c, &levels);
  for (int i = 0; i < levels.n_edges; i++)
    edge[i + 1] = (double)levels.edge[i];
  WN_TRY(wn_output_put(o, "level", -1, edge));
  WN_TRY(wn_rate_begin_bins(o));
  return wn_diag_put_thresholds(o, c);
}

static int put_rows(const struct record *of, struct wn_output *o)
{
  const struct wn_sim *s = of->s;
  const size_t n = s->c->n_thresholds,
               levels = wn_levels_number(&wn_rate_ensemble(s)->levels);
  static const struct {
    const char *name;
    wn_diag_estimate_fn *of;
  } rows[] = {
      {"passage_rate", threshold_rate},     {"passage_cosine", cosine},
      {"passage_time", mean_time},          {"passage_time_spread", spread_of_time},
      {"passage_distance", mean_way},       {"passage_distance_spread", spread_of_way},
      {"passages_per_primary", per_primary}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    WN_TRY(wn_diag_put_estimates(o, rows[i].name, s->i_case, n, rows[i].of, of));
  WN_TRY(wn_diag_put_estimates(o, "level_distribution", s->i_case, levels, in_level, of));
  for (size_t k = 0; k < n; k++)
    of->threshold[k] = limit(of, k);
  WN_TRY(wn_output_put(o, "passage_rate_limit", (long)s->i_case, of->threshold));
  return wn_output_put(o, "level_electrons", (long)s->i_case, of->reach.number);
}

/* Whether the rates are steady: for each threshold, and for all thresholds that were passed. */
static int put_steady(const struct record *of, struct wn_output *o, int *of_last)
{
  const size_t n = of->s->c->n_thresholds;
  const long at = (long)of->s->i_case;
  long long *each = wn_alloc(n, sizeof *each), all = has_passed(of->j, of->s->c, 0);
  if (each == NULL)
    return WN_ENOMEM;
  for (size_t k = 0; k < n; k++) {
    each[k] = wn_rate_is_steady(of->j, of->s, k);
    all &= each[k] || !has_passed(of->j, of->s->c, k);
  }
  *of_last = (int)each[n - 1];
  int status = wn_output_put_int(o, "threshold_is_steady", at, each);
  free(each);
  return status == WN_OK ? wn_output_put_int(o, "is_steady", at, &all) : status;
}

/* The relative standard error of the rate of the last threshold. */
static double accuracy(const struct record *of)
{
  const struct wn_estimate rate = threshold_rate(of, of->s->c->n_thresholds - 1);
  return rate.error / rate.value;
}

static int put_numbers(const struct record *of, struct wn_output *o)
{
  const struct wn_rate_case *j = of->j;
  const struct wn_sim *s = of->s;
  const struct wn_config *c = s->c;
  const long at = (long)s->i_case;
  const struct wn_rate_plateau plateau = wn_rate_plateau(j, s);
  uint64_t before;
  const double measured = (double)wn_event_rates_window(j->rates, &before) * j->interval,
               relaxation = (double)wn_rate_settled(j, s) * j->interval;
  int steady;
  WN_TRY(put_steady(of, o, &steady));
  const long long state = plateau.state, accurate = steady && accuracy(of) <= c->accuracy;
  WN_TRY(wn_diag_put(o, "ionization_rate", s->i_case,
                     wn_event_rates_of(j->rates, WN_RATE_IONIZATION)));
  WN_TRY(wn_diag_put(o, "attachment_rate", s->i_case,
                     wn_event_rates_of(j->rates, WN_RATE_ATTACHMENT)));
  WN_TRY(wn_diag_put(o, "removed_rate", s->i_case,
                     wn_event_rates_of(j->rates, WN_RATE_REMOVED)));
  WN_TRY(wn_output_put(o, "plateau_threshold", at, &plateau.from_ev));
  WN_TRY(wn_output_put_int(o, "plateau_state", at, &state));
  WN_TRY(wn_diag_put(o, "plateau_loss", s->i_case, last_loss(j, s)));
  WN_TRY(wn_output_put(o, "relaxation_time", at, &relaxation));
  WN_TRY(wn_output_put(o, "measured_time", at, &measured));
  WN_TRY(wn_output_put(o, "followed_time", at, &s->time));
  return wn_output_put_int(o, "is_accurate", at, &accurate);
}

/* A rate with its error; the upper limit if no electron passed; no error if the rate is not
 * steady, as the statistical error would not include the deviation. */
static void rate_text(const struct record *of, size_t k, char *text, size_t n)
{
  const struct wn_estimate rate = threshold_rate(of, k);
  if (rate.value > 0.0 && !wn_rate_is_steady(of->j, of->s, k))
    snprintf(text, n, "%10.3g unsteady", rate.value);
  else if (rate.value > 0.0)
    snprintf(text, n, "%10.3g %8.2g", rate.value, rate.error);
  else if (isfinite(limit(of, k)))
    snprintf(text, n, "< %.3g (95 %%)", limit(of, k));
  else
    snprintf(text, n, "not seen");
}

static void print_line(const struct record *of, FILE *to)
{
  const struct wn_rate_case *j = of->j;
  const struct wn_sim *s = of->s;
  const struct wn_config *c = s->c;
  const struct wn_cfg_case *at = &c->cases[s->i_case];
  const struct wn_estimate ionization = wn_event_rates_of(j->rates, WN_RATE_IONIZATION);
  const struct wn_rate_plateau plateau = wn_rate_plateau(j, s);
  char from[32], first[64], last[64];
  rate_text(of, 0, first, sizeof first);
  rate_text(of, c->n_thresholds - 1, last, sizeof last);
  if (plateau.state == WN_PLATEAU_FOUND)
    snprintf(from, sizeof from, "%.4g", plateau.from_ev);
  else
    snprintf(from, sizeof from, plateau.state == WN_PLATEAU_NONE ? "none" : "not known");
  fprintf(to, "%9.4g %9.4g  %19s  %19s  %9s  %10.4g  %9.3g\n", at->td, at->e * 1e-5,
          first, last, from, ionization.value, s->time);
}

void wn_rate_heading(FILE *to)
{
  fprintf(to, "%9s %9s  %19s  %19s  %9s  %10s  %9s\n", "E/N", "E", "rate of the first",
          "of the last thresh.", "plateau", "ionization", "followed");
  fprintf(to, "%9s %9s  %10s %8s  %10s %8s  %9s  %10s  %9s\n", "Td", "kV/cm", "1/s", "+-",
          "1/s", "+-", "from eV", "1/s", "s");
}

/* No electron passed a threshold: reports the highest level reached, and the upper limit of the rate. */
static void say_limit(const struct record *of, const char *field)
{
  const struct wn_sim *s = of->s;
  const struct wn_config *c = s->c;
  const struct wn_levels *l = &wn_rate_ensemble(s)->levels;
  size_t k = 0;
  while (k < c->n_thresholds && has_passed(of->j, c, k))
    k++;
  if (k == c->n_thresholds)
    return;
  const size_t end = levels_below(s, c->thresholds_ev[k]),
               empty = wn_levels_empty_from(&of->reach, end);
  const double below = limit(of, k);
  char why[128] = "", rate[64] = "";
  if (isfinite(below))
    snprintf(rate, sizeof rate, "; its 95 %% upper limit is %.3g/s", below);
  if (empty == 0) {
    wn_log(WN_LOG_WARN,
           "field %s: during the measurement no electron was below %.9g eV, and none "
           "passed it: its rate is not known; change duration (now %.4g s)",
           field, c->thresholds_ev[k], c->duration);
    return;
  }
  if (empty < end)
    snprintf(why, sizeof why,
             ", and none reached %.4g eV (%zu of the %zu levels below it)",
             (double)l->edge[empty - 1], end - empty, end);
  wn_log(WN_LOG_WARN,
         "field %s: no electron passed %.9g eV%s: its rate is not measured%s; for rarer "
         "electrons raise population.target (now %zu), runaway.levels_per_decade (%zu) "
         "or duration (%.4g s)",
         field, c->thresholds_ev[k], why, rate, c->population_target,
         c->levels_per_decade, c->duration);
}

/* Electrons passed, but from levels with few electrons. */
static void say_thin(const struct record *of, const char *field)
{
  const struct wn_sim *s = of->s;
  const struct wn_levels *l = &wn_rate_ensemble(s)->levels;
  size_t thinnest, end = levels_below(s, s->c->thresholds_ev[s->c->n_thresholds - 1]),
                   n = wn_levels_underfilled(&of->reach, end, &thinnest);
  if (n == 0 || !has_passed(of->j, s->c, s->c->n_thresholds - 1))
    return;
  wn_log(WN_LOG_WARN,
         "field %s: %zu of %zu levels had fewer than half of the %zu electrons of "
         "population.target, the level from %.4g eV on %.3g: rates above it may be less "
         "accurate than their errors say; raise population.target or "
         "runaway.levels_per_decade (now %zu), or shorten sampling.interval (%.3g s)",
         field, n, end, s->c->population_target,
         thinnest > 0 ? (double)l->edge[thinnest - 1] : 0.0, of->reach.number[thinnest],
         s->c->levels_per_decade, of->j->interval);
}

/* Why there is no plateau.  The cases of no passage of the last threshold, and of an unsteady
 * rate, are reported by say_limit and say_steady. */
static void say_plateau(const struct record *of, const char *field)
{
  const struct wn_config *c = of->s->c;
  const size_t last = c->n_thresholds - 1;
  const struct wn_rate_plateau plateau = wn_rate_plateau(of->j, of->s);
  const struct wn_estimate loss = last_loss(of->j, of->s);
  if (!has_passed(of->j, c, last) || !wn_rate_is_steady(of->j, of->s, last) ||
      plateau.state == WN_PLATEAU_FOUND)
    return;
  if (last == 0)
    wn_log(WN_LOG_INFO,
           "field %s: one threshold is not enough to find a plateau; add more to "
           "runaway.thresholds",
           field);
  else if (plateau.state == WN_PLATEAU_NONE)
    wn_log(
        WN_LOG_INFO,
        "field %s: no plateau: of the electrons passing %.9g eV the fraction %.3g +- "
        "%.2g does not pass %.9g eV, more than runaway.plateau_loss (%.3g); a plateau "
        "may begin above: raise the last of runaway.thresholds (and tables.energy_max)",
        field, c->thresholds_ev[last - 1], loss.value, loss.error, c->thresholds_ev[last],
        c->plateau_loss);
  else
    wn_log(WN_LOG_INFO,
           "field %s: whether there is a plateau is not known: of the electrons passing "
           "%.9g eV the fraction %.3g +- %.2g does not pass %.9g eV, and "
           "runaway.plateau_loss (%.3g) is within the error; lower accuracy (now %.3g), "
           "or raise runaway.plateau_loss or the last of runaway.thresholds",
           field, c->thresholds_ev[last - 1], loss.value, loss.error,
           c->thresholds_ev[last], c->plateau_loss, c->accuracy);
}

/* Reports rates that are not steady. */
static void say_steady(const struct record *of, const char *field)
{
  const struct wn_rate_case *j = of->j;
  const struct wn_sim *s = of->s;
  const struct wn_config *c = s->c;
  uint64_t before;
  size_t k = 0;
  while (k < c->n_thresholds && (!has_passed(j, c, k) || wn_rate_is_steady(j, s, k)))
    k++;
  if (k == c->n_thresholds)
    return;
  wn_event_rates_window(j->rates, &before);
  const uint64_t settled = wn_rate_settled(j, s);
  const double had = before > settled ? (double)(before - settled) * j->interval : 0.0,
               late = wn_rate_part_later(j, s, k, had);
  if (before <= settled)
    wn_log(WN_LOG_WARN,
           "field %s: the rate of %.9g eV was not steady %.3g s after the release, when "
           "the measurement begins; rates are no results; raise duration (now %.3g s)",
           field, c->thresholds_ev[0], (double)before * j->interval, c->duration);
  else if (late > WN_RATE_LATE)
    wn_log(WN_LOG_WARN,
           "field %s: the rate of %.9g eV is not steady: the fraction %.2g of the "
           "passages took longer than the %.3g s between the steady state of the swarm "
           "and the start of the measurement; raise duration (now %.3g s)",
           field, c->thresholds_ev[k], late, had, c->duration);
  else
    wn_log(WN_LOG_WARN,
           "field %s: the rate of %.9g eV is not steady: the halves of the measurement "
           "differ by more than %g standard errors; raise electrons (now %zu) or "
           "duration (%.3g s)",
           field, c->thresholds_ev[k], WN_RATE_STEADY, c->electrons, c->duration);
}

/* Reports an accuracy that was missed: the window's length follows from the pilot, not from
 * its own error. */
static void say_accuracy(const struct record *of, const char *field)
{
  const struct wn_config *c = of->s->c;
  const double is = accuracy(of);
  if (is > c->accuracy)
    wn_log(WN_LOG_INFO,
           "field %s: the rate of %.9g eV has the relative error %.2g, and accuracy "
           "requires %.2g: %s",
           field, c->thresholds_ev[c->n_thresholds - 1], is, c->accuracy,
           of->j->steps >= of->j->most
               ? "duration has ended; raise it, or electrons"
               : "the length of the measurement follows from the error of the pilot");
}

static void say(const struct record *of)
{
  const struct wn_sim *s = of->s;
  const char *field = s->c->cases[s->i_case].text;
  if (wn_sim_particles(s) == 0)
    wn_log(WN_LOG_WARN,
           "field %s: all electrons were attached or removed %.3g s after the release, "
           "before the end of duration (%.4g s); raise electrons (now %zu) or the field",
           field, s->time, s->c->duration, s->c->electrons);
  say_steady(of, field);
  say_accuracy(of, field);
  say_limit(of, field);
  say_plateau(of, field);
  say_thin(of, field);
}

static int put_all(const struct record *of, struct wn_output *o, FILE *to)
{
  WN_TRY(put_rows(of, o));
  WN_TRY(wn_rate_put_bins(of->j, of->s, o));
  WN_TRY(put_numbers(of, o));
  print_line(of, to);
  say(of);
  return WN_OK;
}

int wn_rate_finish(const struct wn_rate_case *j, const struct wn_sim *s,
                   struct wn_output *o, FILE *to)
{
  struct record of = {
      .j = j,
      .s = s,
      .group = wn_alloc((size_t)s->species[0]->shape.n_groups, sizeof *of.group),
      .threshold = wn_alloc(s->c->n_thresholds, sizeof *of.threshold)};
  int status = of.group != NULL && of.threshold != NULL ? WN_OK : WN_ENOMEM;
  if (status == WN_OK)
    status = means_of_levels(j, s, &of.reach);
  if (status == WN_OK)
    status = put_all(&of, o, to);
  free((void *)of.reach.number);
  free(of.group);
  free(of.threshold);
  return status;
}
