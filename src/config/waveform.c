/* src/config/waveform.c - rules between the keys waveform.*, and the file of a waveform. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/log.h"
#include "src/config/columns.h"
#include "src/config/reader.h"

/* Steps of a period, at least: with 8 the amplitude of a sine is 2.6 % too small. */
#define LEAST_STEPS 8.0

static const char *const shape_word[] = {"constant", "sine", "pulse", "steps", "linear"};

/* The shapes that use a key, a bit each. */
#define OF(shape) (1u << WN_WAVEFORM_##shape)
static const struct {
  const char *key;
  unsigned of;
} belongs[] = {
    {"waveform.frequency", OF(SINE)},
    {"waveform.phase", OF(SINE)},
    {"waveform.offset", OF(SINE)},
    {"waveform.start", OF(PULSE)},
    {"waveform.rise", OF(PULSE)},
    {"waveform.length", OF(PULSE)},
    {"waveform.fall", OF(PULSE)},
    {"waveform.times", OF(STEPS) | OF(LINEAR)},
    {"waveform.factors", OF(STEPS) | OF(LINEAR)},
    {"waveform.file", OF(STEPS) | OF(LINEAR)},
    {"waveform.period", OF(PULSE) | OF(STEPS) | OF(LINEAR)},
    {"waveform.rows", OF(SINE) | OF(PULSE) | OF(STEPS) | OF(LINEAR)},
};

/* Whether a key has the value that the resolved scenario writes for an unused key. */
static bool is_unset(const struct wn_config *c, const char *key)
{
  const struct wn_waveform *w = &c->waveform.is;
  return strcmp(key, "waveform.rows") == 0        ? true
         : strcmp(key, "waveform.times") == 0     ? c->waveform.n_times == 0
         : strcmp(key, "waveform.factors") == 0   ? c->waveform.n_factors == 0
         : strcmp(key, "waveform.file") == 0      ? !*c->waveform.file
         : strcmp(key, "waveform.period") == 0    ? w->period < 0.0
         : strcmp(key, "waveform.frequency") == 0 ? w->frequency < 0.0
         : strcmp(key, "waveform.length") == 0    ? w->length < 0.0
         : strcmp(key, "waveform.phase") == 0     ? w->phase == 0.0
         : strcmp(key, "waveform.offset") == 0    ? w->offset == 0.0
         : strcmp(key, "waveform.start") == 0     ? w->start == 0.0
         : strcmp(key, "waveform.rise") == 0      ? w->rise == 0.0
                                                  : w->fall == 0.0;
}

static void check_belongs(struct wn_reader *r)
{
  const struct wn_config *c = r->c;
  for (size_t i = 0; i < sizeof belongs / sizeof belongs[0]; i++) {
    const struct wn_entry *e = wn_reader_find(r, belongs[i].key);
    if (e != NULL && !e->bad && !(belongs[i].of & 1u << c->waveform.is.shape) &&
        !is_unset(c, belongs[i].key))
      wn_reader_error(r, e, e->key, "has no effect with waveform.shape = \"%s\"",
                      shape_word[c->waveform.is.shape]);
  }
}

/* ---- the file */

/* The numbers replace the name of the file, so that the resolved scenario contains them. */
static int take_file(struct wn_reader *r)
{
  struct wn_config *c = r->c;
  const double most_time = wn_config_find_key("waveform.times", NULL, NULL)->max,
               most = wn_config_find_key("waveform.factors", NULL, NULL)->max;
  const struct wn_columns_spec spec = {
      .key = "waveform.file",
      .line = "a time in seconds and a factor",
      .order = "times must increase from line to line",
      .column = {{"a time", "from 0 to 1000 s", 0.0, most_time, 0},
                 {"a factor", "from -1000 to 1000", -most, most, 0}}};
  struct wn_columns p;
  const size_t errors = r->n_errors;
  WN_TRY(wn_config_find_file(r, wn_reader_find(r, "waveform.file"), "waveform.file",
                             c->waveform.file, &c->waveform.path));
  if (c->waveform.path == NULL)
    return WN_OK; /* reported already */
  WN_TRY(wn_columns_read(r, &spec, c->waveform.path, &p));
  if (r->n_errors > errors)
    return WN_OK;
  wn_config_value_free(wn_config_find_key("waveform.times", NULL, NULL), c);
  wn_config_value_free(wn_config_find_key("waveform.factors", NULL, NULL), c);
  c->waveform.source = c->waveform.path;
  c->waveform.path = NULL;
  wn_config_value_free(wn_config_find_key("waveform.file", NULL, NULL), c);
  c->waveform.times = p.value[0];
  c->waveform.factors = p.value[1];
  c->waveform.n_times = c->waveform.n_factors = p.n;
  return WN_OK;
}

/* ---- the shapes */

static int check_points(struct wn_reader *r)
{
  struct wn_config *c = r->c;
  const struct wn_entry *file = wn_reader_find(r, "waveform.file"),
                        *times = wn_reader_find(r, "waveform.times"),
                        *factors = wn_reader_find(r, "waveform.factors");
  const size_t errors = r->n_errors,
               least = c->waveform.is.shape == WN_WAVEFORM_LINEAR ? 2 : 1;
  const bool from_file = c->waveform.file != NULL && *c->waveform.file;
  if (from_file && (c->waveform.n_times > 0 || c->waveform.n_factors > 0))
    wn_reader_error(
        r, file, "waveform.file",
        "replaces waveform.times and waveform.factors; remove one or the other");
  else if (from_file)
    WN_TRY(take_file(r));
  if (r->n_errors > errors || (times != NULL && times->bad) ||
      (factors != NULL && factors->bad))
    return WN_OK;
  const struct wn_entry *of = from_file ? file : times;
  const char *key = from_file ? "waveform.file" : "waveform.times";
  if (c->waveform.n_times < least)
    wn_reader_error(r, of, key,
                    "%zu point%s; waveform.shape = \"%s\" needs %zu at least, by "
                    "waveform.times and waveform.factors or by waveform.file",
                    c->waveform.n_times, c->waveform.n_times == 1 ? "" : "s",
                    shape_word[c->waveform.is.shape], least);
  else if (c->waveform.n_times != c->waveform.n_factors)
    wn_reader_error(r, factors, "waveform.factors",
                    "%zu factors for %zu times; one for each is needed",
                    c->waveform.n_factors, c->waveform.n_times);
  else if (c->waveform.times[0] != 0.0)
    wn_reader_error(r, of, key, "begins at %.9g s; the first time must be 0",
                    c->waveform.times[0]);
  return WN_OK;
}

static void check_sine(struct wn_reader *r)
{
  const struct wn_config *c = r->c;
  const struct wn_entry *e = wn_reader_find(r, "waveform.frequency");
  if (c->waveform.is.frequency < 0.0)
    wn_reader_error(r, e, "waveform.frequency",
                    "missing; a sine needs one, such as \"13.56 MHz\"");
}

static void check_pulse(struct wn_reader *r)
{
  const struct wn_waveform *w = &r->c->waveform.is;
  const struct wn_entry *e = wn_reader_find(r, "waveform.length");
  if (w->length < 0.0)
    wn_reader_error(r, e, "waveform.length",
                    "missing; a pulse needs one, such as \"1 ns\"");
  else if (!(w->rise + w->length + w->fall > 0.0))
    wn_reader_error(r, e, "waveform.length", "a pulse needs a rise, a length or a fall");
}

/* The time from which the factor is constant. */
static double last_change(const struct wn_waveform *w)
{
  return w->shape == WN_WAVEFORM_PULSE ? w->start + w->rise + w->length + w->fall
         : w->n > 0                    ? w->times[w->n - 1]
                                       : 0.0;
}

/* The period is not among the times at which steps are divided, as it does not change. */
static void check_period(struct wn_reader *r)
{
  const struct wn_waveform *w = &r->c->waveform.is;
  const double last = last_change(w);
  if (w->shape != WN_WAVEFORM_SINE && w->period > 0.0 &&
      (w->shape == WN_WAVEFORM_STEPS ? w->period <= last : w->period < last))
    wn_reader_error(r, wn_reader_find(r, "waveform.period"), "waveform.period",
                    "%.9g s is shorter than the waveform, which ends at %.9g s",
                    w->period, last);
}

/* ---- for the job */

static void warn(const struct wn_reader *r, const char *key, const char *why)
{
  const struct wn_entry *e = wn_reader_find(r, key);
  if (e != NULL)
    wn_log_at(WN_LOG_WARN, e->from_set ? e->place : r->file, e->from_set ? 0 : e->line,
              "key `%s`: %s", key, why);
}

static size_t default_rows(void)
{
  return (size_t)strtoul(wn_config_find_key("waveform.rows", NULL, NULL)->def, NULL, 10);
}

static void check_scans(struct wn_reader *r)
{
  const struct wn_config *c = r->c;
  for (size_t i = 0; i < c->n_scans; i++)
    if (c->scans[i].key != NULL && strcmp(c->scans[i].key, "duration") == 0)
      wn_reader_error(r, NULL, c->scans[i].key,
                      "cannot be scanned in a time-dependent field without a period: it "
                      "determines the times of the file");
}

/* Keys that have an effect in a constant field only. */
static void check_unused(struct wn_reader *r)
{
#define GOAL_KEY(symbol, word, ...) "accuracy." word,
  static const char *const goal[] = {WN_GOALS(GOAL_KEY)};
#undef GOAL_KEY
  const struct wn_config *c = r->c;
  if (c->sample_block > 0)
    wn_reader_error(r, wn_reader_find(r, "sampling.block"), "sampling.block",
                    "has no effect in a time-dependent field: there are no blocks, means "
                    "are over waveform.rows");
  for (int i = 0; i < WN_N_GOALS; i++)
    if (c->goal[i] > 0)
      wn_reader_error(
          r, wn_reader_find(r, goal[i]), goal[i],
          "names a coefficient of a swarm in a constant field; in a time-dependent field "
          "accuracy is one number, for mean energy and drift amplitude");
}

static void check_swarm(struct wn_reader *r)
{
  const struct wn_config *c = r->c;
  check_unused(r);
  if (wn_waveform_period(&c->waveform.is) > 0.0) {
    if (c->duration > 0.0)
      warn(r, "accuracy",
           "has no effect beside duration, which gives the number of periods");
    return;
  }
  if (c->duration < 0.0)
    wn_reader_error(r, wn_reader_find(r, "duration"), "duration",
                    "a swarm in a time-dependent field without a period needs a time, "
                    "such as \"10 ns\"");
  warn(r, "accuracy",
       "has no effect in a time-dependent field without a period; errors depend on "
       "`electrons`");
  check_scans(r);
}

static void check_step(struct wn_reader *r)
{
  const struct wn_config *c = r->c;
  const double period = wn_waveform_period(&c->waveform.is);
  if (period > 0.0 && c->sample_interval * LEAST_STEPS > period * (1.0 + 1e-9))
    wn_reader_error(
        r, wn_reader_find(r, "sampling.interval"), "sampling.interval",
        "%.9g s do not resolve a period of %.9g s; at most %.9g s are allowed",
        c->sample_interval, period, period / LEAST_STEPS);
}

int wn_config_check_waveform(struct wn_reader *r)
{
  struct wn_config *c = r->c;
  struct wn_waveform *w = &c->waveform.is;
  const size_t errors = r->n_errors;
  const struct wn_entry *shape = wn_reader_find(r, "waveform.shape");
  if (shape != NULL && shape->bad)
    return WN_OK;
  check_belongs(r);
  if (w->shape == WN_WAVEFORM_CONSTANT)
    return WN_OK;
  if (c->job != WN_JOB_SWARM && c->job != WN_JOB_RUNAWAY)
    wn_reader_error(r, wn_reader_find(r, "waveform.shape"), "waveform.shape",
                    "job runaway-rate needs a steady swarm, and there is none in a "
                    "time-dependent field; use job swarm or runaway");
  if (w->shape == WN_WAVEFORM_SINE)
    check_sine(r);
  else if (w->shape == WN_WAVEFORM_PULSE)
    check_pulse(r);
  else
    WN_TRY(check_points(r));
  if (r->n_errors > errors)
    return WN_OK;
  w->n = c->waveform.n_times;
  w->times = c->waveform.times;
  w->factors = c->waveform.factors;
  check_period(r);
  check_step(r);
  if (c->job == WN_JOB_SWARM)
    check_swarm(r);
  else if (c->waveform.rows != default_rows() && !c->runaway_levels)
    warn(r, "waveform.rows",
         "has no effect in a runaway job without runaway.levels, which has no time rows");
  return WN_OK;
}
