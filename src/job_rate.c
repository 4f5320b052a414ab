/* src/job_rate.c - job `runaway-rate`: how often an electron of a swarm that has become
 * steady, but for its growth, passes energies that hardly any passes.
 *
 * Primaries are released and followed; a weighted ensemble in energy (particles/ensemble.h)
 * keeps as many electrons among the fast as among the slow.  When the electrons have
 * doubled, all weights are halved, so that every time counts the same.
 *
 * The rate of a threshold is that of the first passages over the electrons that lived when
 * those who pass last went through the first threshold (struct wn_mcc.cohorts): on their way
 * from there, which takes time, the others multiply, and what passes a higher threshold now
 * would be too few for those that live now.  Counted so, the rates of two thresholds differ
 * only by those electrons that were stopped in between.  Where that are none, within errors,
 * the rate is that of runaways: the plateau. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include "base/alloc.h"
#include "base/error.h"
#include "base/log.h"
#include "src/job.h"
#include "src/rates.h"
#include "src/reach.h"

/* Candidates of an electron between controls, where sampling.interval is auto: those of
 * the fast shall not get far in it. */
#define CANDIDATES 4.0

/* Errors between two numbers that are called the same. */
#define SAME 2.0
/* The same of the halves of what was measured, where a run ends without being accurate: a
 * warning without a reason in 1 run of 200. */
#define STEADY 3.0

/* What fits into an exponent, and beside 4096 groups into a tag. */
#define MOST_HALVINGS 1000

/* Columns: these, passages of the thresholds, their cosines; of the levels times in them,
 * and electrons before the controls. */
enum { IONIZATION, ATTACHMENT, REMOVED, THRESHOLDS };

struct wn_job {
  struct wn_rates *rates;
  double interval;
  uint64_t steps, most; /* done; at the most */
  int done, accurate;
  double *events; /* [n_columns] of a group in a step */
  /* [n_groups][n_thresholds] first passages since the release, in weights of then */
  double *passages;
  size_t n_passages;
};

static struct wn_ensemble *ensemble(const struct wn_sim *s)
{
  return s->species[0]->ensemble;
}

static size_t n_columns(const struct wn_sim *s)
{
  return THRESHOLDS + 2 * s->c->n_thresholds + 2 * wn_levels_number(&ensemble(s)->levels);
}

static void destroy(struct wn_job *j)
{
  if (j == NULL)
    return;
  wn_rates_free(j->rates);
  free(j->events);
  free(j->passages);
  free(j);
}

static int create(struct wn_sim *s, struct wn_job **out)
{
  const struct wn_config *c = s->c;
  const size_t groups = (size_t)s->species[0]->shape.n_groups;
  struct wn_job *j = wn_alloc(1, sizeof *j);
  if (j == NULL)
    return WN_ENOMEM;
  const double want = c->sample_interval > 0.0 ? c->sample_interval
                                               : CANDIDATES / s->gas->table->view.nu_max,
               most = fmax(1.0, ceil(c->duration / want - 1e-9));
  j->interval = c->duration / most;
  j->most = (uint64_t)most;
  j->events = wn_alloc(n_columns(s), sizeof *j->events);
  j->n_passages = groups * c->n_thresholds;
  j->passages = wn_alloc(j->n_passages, sizeof *j->passages);
  int status = j->events != NULL && j->passages != NULL ? WN_OK : WN_ENOMEM;
  if (status == WN_OK)
    status = wn_rates_create(groups, n_columns(s), &j->rates);
  if (status != WN_OK) {
    destroy(j);
    return status;
  }
  *out = j;
  return WN_OK;
}

static double duration(const struct wn_config *c)
{
  return c->duration;
}

static double interval(const struct wn_job *j)
{
  return j->interval;
}

/* ---- what a step adds */

/* w of the collisions of a kind in this step. */
static double collisions(const struct wn_sim *s, size_t g, int kind)
{
  const struct wn_species *e = s->species[0];
  const size_t n = (size_t)e->shape.n_processes;
  wn_i128 sum = 0;
  for (size_t k = 0; k < n; k++)
    if (wn_xs_table_process(s->gas->table, (int)k)->kind == kind)
      sum += e->tally.count[g * n + k] - e->before.count[g * n + k];
  return (double)sum / WN_FIX_WEIGHT;
}

/* w of those that passed, in this step, in the unit of a row of struct wn_tally.passed. */
static double passed(const struct wn_sim *s, size_t g, int unit, size_t threshold)
{
  const struct wn_species *e = s->species[0];
  const size_t n = s->c->n_thresholds,
               at = (g * WN_PASSED + (size_t)unit) * n + threshold;
  return (double)(e->tally.passed[at] - e->before.passed[at]) / WN_FIX_RARE;
}

static void add_group(struct wn_job *j, const struct wn_sim *s, size_t g)
{
  const struct wn_species *e = s->species[0];
  const struct wn_ensemble *of = ensemble(s);
  const size_t n = s->c->n_thresholds, levels = wn_levels_number(&of->levels);
  const double unit = ldexp(1.0, (int)of->halvings),
               time = (double)(e->tally.group[g].time - e->before.group[g].time) /
                      WN_FIX_PHASE * s->interval;
  j->events[IONIZATION] = collisions(s, g, WN_PROC_IONIZATION);
  j->events[ATTACHMENT] = collisions(s, g, WN_PROC_ATTACHMENT);
  j->events[REMOVED] =
      (double)(e->tally.group[g].removed - e->before.group[g].removed) / WN_FIX_RARE;
  for (size_t k = 0; k < n; k++) {
    j->events[THRESHOLDS + k] = passed(s, g, WN_PASSED_COHORT, k);
    j->events[THRESHOLDS + n + k] = passed(s, g, WN_PASSED_ANGLE, k);
    j->passages[g * n + k] += passed(s, g, WN_PASSED_NOW, k) * unit;
  }
  for (size_t i = 0; i < levels; i++) { /* of the end of the step, for all of it */
    const wn_i128 *in = &of->sums[2 * (g * levels + i)];
    j->events[THRESHOLDS + 2 * n + i] = (double)in[1] / WN_FIX_RARE * s->interval;
    j->events[THRESHOLDS + 2 * n + levels + i] = (double)in[0];
  }
  wn_rates_add(j->rates, g, time, j->events);
}

/* ---- decisions */

static size_t top(const struct wn_config *c)
{
  return THRESHOLDS + c->n_thresholds - 1;
}

static int within(struct wn_estimate difference, double errors)
{
  return fabs(difference.value) <= errors * difference.error;
}

static int same(struct wn_estimate difference)
{
  return within(difference, SAME);
}

static int is_steady(const struct wn_job *j, const struct wn_sim *s, double errors)
{
  return within(wn_rates_drift(j->rates, THRESHOLDS), errors) &&
         within(wn_rates_drift(j->rates, top(s->c)), errors);
}

static int is_accurate(const struct wn_job *j, const struct wn_sim *s)
{
  const struct wn_estimate rate = wn_rates_of(j->rates, top(s->c));
  return rate.value > 0.0 && rate.error <= s->c->accuracy * rate.value &&
         is_steady(j, s, SAME);
}

static int next(struct wn_job *j, struct wn_sim *s)
{
  const size_t groups = (size_t)s->species[0]->shape.n_groups;
  for (size_t g = 0; g < groups; g++)
    add_group(j, s, g);
  j->steps++;
  if (wn_rates_step(j->rates))
    j->accurate = is_accurate(j, s);
  j->done = j->accurate || j->steps >= j->most || wn_sim_particles(s) == 0;
  if (j->done || wn_ensemble_weight(ensemble(s)) <= 2.0 * (double)s->c->electrons)
    return WN_OK;
  if (ensemble(s)->halvings == MOST_HALVINGS)
    return WN_FAIL(WN_ERUN,
                   "field %s: the electrons have doubled %d times in %.4g s, and more "
                   "cannot be noted; shorten duration",
                   s->c->cases[s->i_case].text, MOST_HALVINGS, s->time);
  return wn_species_halve(s->species[0]);
}

static int is_done(const struct wn_job *j)
{
  return j->done;
}

static double fraction(const struct wn_job *j, const struct wn_sim *s)
{
  const double time = (double)j->steps / (double)j->most;
  const struct wn_estimate rate = wn_rates_of(j->rates, top(s->c));
  const double error = rate.error / rate.value / s->c->accuracy;
  return error > 0.0 ? fmax(time, fmin(1.0, 1.0 / (error * error))) : time;
}

/* ---- the record */

/* eV: the lowest threshold from which on all rates agree with the last, where the plateau
 * begins; NaN: there is none. */
static double plateau(const struct wn_job *j, const struct wn_config *c)
{
  size_t k = top(c);
  if (!(wn_rates_events(j->rates, k) > 0.0))
    return NAN;
  while (k > THRESHOLDS && same(wn_rates_difference(j->rates, k - 1, top(c))))
    k--;
  return k < top(c) ? c->thresholds_ev[k - THRESHOLDS] : NAN;
}

static struct wn_estimate threshold_rate(const void *ctx, size_t k)
{
  const struct wn_job *j = ctx;
  return wn_rates_of(j->rates, THRESHOLDS + k);
}

struct record {
  const struct wn_job *j;
  const struct wn_sim *s;
  double *group;     /* [n_groups] */
  double *threshold; /* [n_thresholds] */
  struct wn_reach_of reach;
};

/* Electrons that a level has before a control, and what they weigh: means of what is
 * measured. */
static int means_of_levels(const struct wn_job *j, const struct wn_sim *s,
                           struct wn_reach_of *out)
{
  const size_t levels = wn_levels_number(&ensemble(s)->levels),
               first = THRESHOLDS + 2 * s->c->n_thresholds;
  uint64_t before;
  const double steps = (double)wn_rates_window(j->rates, &before);
  double *mean = wn_alloc(2 * levels, sizeof *mean);
  if (mean == NULL)
    return WN_ENOMEM;
  for (size_t i = 0; i < levels; i++) {
    mean[i] = wn_rates_events(j->rates, first + levels + i) / steps;
    mean[levels + i] = wn_rates_events(j->rates, first + i) / (steps * s->interval);
  }
  *out = (struct wn_reach_of){.n_levels = levels,
                              .wanted = (double)s->c->population_target,
                              .number = mean,
                              .weight = mean + levels};
  return WN_OK;
}

/* Levels from the lowest to the one that ends at the energy, or holds it. */
static size_t levels_below(const struct wn_sim *s, double energy_ev)
{
  const struct wn_levels *l = &ensemble(s)->levels;
  size_t n = wn_level_of(l, energy_ev);
  return n == 0 || (double)l->edge[n - 1] < energy_ev * (1.0 - 1e-6) ? n + 1 : n;
}

/* Of threshold k: NaN where somebody passed it. */
static double limit(const struct record *of, size_t k)
{
  if (wn_rates_events(of->j->rates, THRESHOLDS + k) > 0.0)
    return NAN;
  return wn_reach_limit(&of->reach, levels_below(of->s, of->s->c->thresholds_ev[k]),
                        wn_rates_time(of->j->rates));
}

static struct wn_estimate cosine(const void *ctx, size_t k)
{
  const struct record *of = ctx;
  return wn_rates_ratio(of->j->rates, THRESHOLDS + of->s->c->n_thresholds + k,
                        THRESHOLDS + k);
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
  const struct wn_levels *levels = &ensemble(of->s)->levels;
  const double low = i > 0 ? (double)levels->edge[i - 1] : 0.0,
               high = i < (size_t)levels->n_edges ? (double)levels->edge[i] : NAN;
  struct wn_estimate e =
      wn_rates_of(of->j->rates, THRESHOLDS + 2 * of->s->c->n_thresholds + i);
  e.value /= high - low;
  e.error /= high - low;
  return e;
}

static int define(struct wn_output *o, const struct wn_config *c, const struct wn_gas *g)
{
  struct wn_levels levels;
  WN_TRY(wn_diag_define_axes(o, c, g));
  wn_config_levels(c, &levels);
  WN_TRY(wn_diag_define_thresholds(o, c));
  WN_TRY(wn_output_dim(o, "level", wn_levels_number(&levels)));
  static const struct wn_output_var vars[] = {
      {.name = "level",
       .units = "eV",
       .long_name = "energy at which a level of the weighted ensemble begins",
       .n_dims = 1,
       .dims = {"level"}},
      {.name = "passage_rate",
       .units = "s-1",
       .long_name =
           "electrons that pass the threshold for the first time, per second and "
           "electron that lived when they last rose through the first threshold",
       .n_dims = 2,
       .dims = {"field", "threshold"},
       .with_error = 1},
      {.name = "passage_cosine",
       .units = "1",
       .long_name =
           "mean cosine between the drift and the velocity of those that pass the "
           "threshold",
       .n_dims = 2,
       .dims = {"field", "threshold"},
       .with_error = 1},
      {.name = "passages_per_primary",
       .units = "1",
       .long_name = "expected number of first passages of the threshold by a primary and "
                    "its descendants, from the release to the end",
       .n_dims = 2,
       .dims = {"field", "threshold"},
       .with_error = 1},
      {.name = "passage_rate_limit",
       .units = "s-1",
       .long_name = "upper limit: the rate is below it with 95 %, where nobody passed "
                    "the threshold",
       .n_dims = 2,
       .dims = {"field", "threshold"},
       .comment = "NaN: somebody passed, and passage_rate is a measurement"},
      {.name = "plateau_threshold",
       .units = "eV",
       .long_name =
           "lowest threshold from which on the rate is, within two errors, that of "
           "the last: the rate of runaways",
       .n_dims = 1,
       .dims = {"field"},
       .comment =
           "NaN: there is no plateau, and the rate of the last threshold is an upper "
           "bound of that of runaways"},
      {.name = "is_steady",
       .units = "1",
       .long_name = "1: the halves of the measured time agree within three errors",
       .type = WN_OUT_INT64,
       .n_dims = 1,
       .dims = {"field"}},
      {.name = "is_accurate",
       .units = "1",
       .long_name = "1: ended by accuracy; 0: by duration, or nobody lived",
       .type = WN_OUT_INT64,
       .n_dims = 1,
       .dims = {"field"}},
      {.name = "level_distribution",
       .units = "eV-1",
       .long_name = "part of the electrons in a level over its width",
       .n_dims = 2,
       .dims = {"field", "level"},
       .with_error = 1,
       .comment = "NaN in the last, which has no end"},
      {.name = "level_electrons",
       .units = "1",
       .long_name = "electrons in a level before a control, on average",
       .n_dims = 2,
       .dims = {"field", "level"},
       .comment = "0: nobody reached it; population.target is what is wanted"},
      {.name = "measured_time",
       .units = "s",
       .long_name = "time that the rates are means of",
       .n_dims = 1,
       .dims = {"field"}},
      {.name = "followed_time",
       .units = "s",
       .long_name = "time from the release to the end",
       .n_dims = 1,
       .dims = {"field"}},
  };
  WN_TRY(wn_output_define_all(o, vars, sizeof vars / sizeof vars[0]));
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

static int begin(struct wn_output *o, const struct wn_config *c, const struct wn_gas *g)
{
  struct wn_levels levels;
  double edge[WN_MAX_EDGES + 1] = {0.0};
  WN_TRY(wn_diag_put_axes(o, c, g));
  wn_config_levels(c, &levels);
  for (int i = 0; i < levels.n_edges; i++)
    edge[i + 1] = (double)levels.edge[i];
  WN_TRY(wn_output_put(o, "level", -1, edge));
  return wn_diag_put_thresholds(o, c);
}

static int put_rows(const struct record *of, struct wn_output *o)
{
  const struct wn_sim *s = of->s;
  const size_t n = s->c->n_thresholds, levels = wn_levels_number(&ensemble(s)->levels);
  WN_TRY(wn_diag_put_estimates(o, "passage_rate", s->i_case, n, threshold_rate, of->j));
  WN_TRY(wn_diag_put_estimates(o, "passage_cosine", s->i_case, n, cosine, of));
  WN_TRY(wn_diag_put_estimates(o, "passages_per_primary", s->i_case, n, per_primary, of));
  WN_TRY(wn_diag_put_estimates(o, "level_distribution", s->i_case, levels, in_level, of));
  for (size_t k = 0; k < n; k++)
    of->threshold[k] = limit(of, k);
  WN_TRY(wn_output_put(o, "passage_rate_limit", (long)s->i_case, of->threshold));
  return wn_output_put(o, "level_electrons", (long)s->i_case, of->reach.number);
}

static int put_numbers(const struct wn_job *j, const struct wn_sim *s,
                       struct wn_output *o)
{
  const struct wn_config *c = s->c;
  const long at = (long)s->i_case;
  uint64_t before;
  const double measured = (double)wn_rates_window(j->rates, &before) * j->interval,
               from = plateau(j, c);
  const long long steady = is_steady(j, s, STEADY), accurate = j->accurate;
  WN_TRY(wn_diag_put(o, "ionization_rate", s->i_case, wn_rates_of(j->rates, IONIZATION)));
  WN_TRY(wn_diag_put(o, "attachment_rate", s->i_case, wn_rates_of(j->rates, ATTACHMENT)));
  WN_TRY(wn_diag_put(o, "removed_rate", s->i_case, wn_rates_of(j->rates, REMOVED)));
  WN_TRY(wn_output_put(o, "plateau_threshold", at, &from));
  WN_TRY(wn_output_put(o, "measured_time", at, &measured));
  WN_TRY(wn_output_put(o, "followed_time", at, &s->time));
  WN_TRY(wn_output_put_int(o, "is_steady", at, &steady));
  return wn_output_put_int(o, "is_accurate", at, &accurate);
}

/* A rate with its error; or, where nobody passed, the upper limit. */
static void rate_text(const struct record *of, size_t k, char *text, size_t n)
{
  const struct wn_estimate rate = threshold_rate(of->j, k);
  if (rate.value > 0.0)
    snprintf(text, n, "%10.3g %8.2g", rate.value, rate.error);
  else
    snprintf(text, n, "< %.3g (95 %%)", limit(of, k));
}

static void print_line(const struct record *of, FILE *to)
{
  const struct wn_job *j = of->j;
  const struct wn_sim *s = of->s;
  const struct wn_config *c = s->c;
  const struct wn_cfg_case *at = &c->cases[s->i_case];
  const struct wn_estimate ionization = wn_rates_of(j->rates, IONIZATION);
  const double begins = plateau(j, c);
  char from[32], first[64], last[64];
  rate_text(of, 0, first, sizeof first);
  rate_text(of, c->n_thresholds - 1, last, sizeof last);
  snprintf(from, sizeof from, isnan(begins) ? "none" : "%.4g", begins);
  fprintf(to, "%9.4g %9.4g  %19s  %19s  %9s  %10.4g  %9.3g\n", at->td, at->e * 1e-5,
          first, last, from, ionization.value, s->time);
}

static void heading(FILE *to)
{
  fprintf(to, "%9s %9s  %19s  %19s  %9s  %10s  %9s\n", "E/N", "E", "rate of the first",
          "of the last thresh.", "plateau", "ionization", "followed");
  fprintf(to, "%9s %9s  %10s %8s  %10s %8s  %9s  %10s  %9s\n", "Td", "kV/cm", "1/s", "+-",
          "1/s", "+-", "from eV", "1/s", "s");
}

/* Nobody passed a threshold: how far they came, and what the rate is below. */
static void say_limit(const struct record *of, const char *field)
{
  const struct wn_sim *s = of->s;
  const struct wn_config *c = s->c;
  const struct wn_levels *l = &ensemble(s)->levels;
  size_t k = 0;
  while (k < c->n_thresholds && wn_rates_events(of->j->rates, THRESHOLDS + k) > 0.0)
    k++;
  if (k == c->n_thresholds)
    return;
  const size_t end = levels_below(s, c->thresholds_ev[k]),
               empty = wn_reach_empty_from(&of->reach, end);
  char why[128] = "";
  if (empty < end)
    snprintf(why, sizeof why, ", nor reached %.4g eV (%zu of the %zu levels below it)",
             empty > 0 ? (double)l->edge[empty - 1] : 0.0, end - empty, end);
  wn_log(
      WN_LOG_WARN,
      "field %s: nobody passed %.9g eV%s: its rate is not measured, and is below "
      "%.3g/s with 95 %%; population.target (now %zu), runaway.levels_per_decade (%zu) "
      "and duration (%.4g s), raised, see rarer electrons",
      field, c->thresholds_ev[k], why, limit(of, k), c->population_target,
      c->levels_per_decade, c->duration);
}

/* Somebody passed, out of levels in which hardly anybody was. */
static void say_thin(const struct record *of, const char *field)
{
  const struct wn_sim *s = of->s;
  const struct wn_levels *l = &ensemble(s)->levels;
  size_t thinnest, end = levels_below(s, s->c->thresholds_ev[s->c->n_thresholds - 1]),
                   n = wn_reach_thin(&of->reach, end, &thinnest);
  if (n == 0 || !(wn_rates_events(of->j->rates, top(s->c)) > 0.0))
    return;
  wn_log(WN_LOG_WARN,
         "field %s: %zu of %zu levels had fewer than half of the %zu electrons of "
         "population.target, that from %.4g eV on %.3g: rates above it may be worse than "
         "their errors; raise population.target or runaway.levels_per_decade (now %zu), "
         "or shorten sampling.interval (%.3g s)",
         field, n, end, s->c->population_target,
         thinnest > 0 ? (double)l->edge[thinnest - 1] : 0.0, of->reach.number[thinnest],
         s->c->levels_per_decade, of->j->interval);
}

static void say(const struct record *of)
{
  const struct wn_sim *s = of->s;
  const char *field = s->c->cases[s->i_case].text;
  if (wn_sim_particles(s) == 0)
    wn_log(WN_LOG_WARN,
           "field %s: every electron was attached or has left %.3g s after the release, "
           "before the end of duration (%.4g s); raise electrons (now %zu) or the field",
           field, s->time, s->c->duration, s->c->electrons);
  else if (!is_steady(of->j, s, STEADY))
    wn_log(WN_LOG_WARN,
           "field %s: the rates were not steady yet; raise duration (now %.4g s)", field,
           s->c->duration);
  say_limit(of, field);
  say_thin(of, field);
}

static int put_all(const struct record *of, struct wn_output *o, FILE *to)
{
  WN_TRY(put_rows(of, o));
  WN_TRY(put_numbers(of->j, of->s, o));
  print_line(of, to);
  say(of);
  return WN_OK;
}

static int finish(struct wn_job *j, struct wn_sim *s, struct wn_diag *const *diags,
                  struct wn_output *o, FILE *to)
{
  struct record of = {
      .j = j,
      .s = s,
      .group = wn_alloc((size_t)s->species[0]->shape.n_groups, sizeof *of.group),
      .threshold = wn_alloc(s->c->n_thresholds, sizeof *of.threshold)};
  int status = of.group != NULL && of.threshold != NULL ? WN_OK : WN_ENOMEM;
  (void)diags;
  if (status == WN_OK)
    status = means_of_levels(j, s, &of.reach);
  if (status == WN_OK)
    status = put_all(&of, o, to);
  free((void *)of.reach.number);
  free(of.group);
  free(of.threshold);
  return status;
}

static int state(struct wn_job *j, struct wn_state *st)
{
  WN_TRY(WN_STATE(st, j->steps));
  WN_TRY(WN_STATE_ARRAY(st, j->passages, j->n_passages));
  WN_TRY(WN_STATE(st, j->done));
  WN_TRY(WN_STATE(st, j->accurate));
  return wn_rates_state(j->rates, st);
}

static const struct wn_diag_ops *const diags[] = {&wn_diag_levels, &wn_diag_ledger, NULL};

const struct wn_job_ops wn_job_rate = {
    .doc =
        "how often an electron of a steady swarm passes energies that hardly any passes",
    .diags = diags,
    .collisions = 1,
    .passages = 1,
    .weighted = 1,
    .define = define,
    .begin = begin,
    .heading = heading,
    .duration = duration,
    .create = create,
    .interval = interval,
    .next = next,
    .done = is_done,
    .fraction = fraction,
    .finish = finish,
    .full = wn_job_full,
    .state = state,
    .free = destroy,
};
