/* src/jobs/swarm_varying.c - job `swarm` in a time-dependent field (fields/waveform.h): mean energy,
 * drift and rates as functions of time.  Diagnostics: time_rows.h.
 *
 * With a period: whole periods pass until the mean energies of two successive windows, each twice as long
 * as the one before, agree within twice their combined standard error, as in swarm.c; then periods are
 * measured, until mean energy and drift amplitude have the required accuracy.  After each period weights
 * are scaled to their initial sum, so that periods have equal statistical weight.
 *
 * Without a period: the swarm relaxes in the initial field of the waveform (relaxation = 0: the
 * measurement starts at the release), then the waveform runs once.  Weights are not scaled, so that the
 * number of electrons is a result, too. */
#include "src/jobs/swarm_varying.h"
#include <math.h>
#include <stdlib.h>
#include "base/alloc.h"
#include "base/error.h"

#define FIRST_WINDOW 50 /* steps, without a period */
#define MAX_WINDOWS  24
#define MIN_PERIODS  2
/* As in swarm.c. */
#define LAST_IN_GROUP 12.0
/* Steps in a row of the output: limit on the search, absolute and as a multiple of the
 * necessary number. */
#define MOST_STEPS 1000.0
#define MOST_TIMES 8.0

struct wn_job {
  struct wn_varying_case is;
};

static int changes_number(const struct wn_sim *s)
{
  for (int k = 0; k < s->species[0]->shape.n_processes; k++) {
    const int kind = wn_xs_table_process(s->gas->table, k)->kind;
    if (kind == WN_PROC_IONIZATION || kind == WN_PROC_ATTACHMENT)
      return 1;
  }
  return 0;
}

/* Highest frequency, 1/s, at which the electrons that are not removed, from floor_ev on, change their number: tried
 * at 16 energies an octave, as such frequencies are smooth there. */
static double most_changes(const struct wn_xs_table *t, double floor_ev)
{
  double most = 0.0;
  for (double e = floor_ev; e < t->view.e_top; e *= exp2(0.0625)) {
    double sum = 0.0;
    for (int k = 0; k < t->view.n_processes; k++) {
      const int kind = wn_xs_table_process(t, k)->kind;
      if (kind == WN_PROC_IONIZATION || kind == WN_PROC_ATTACHMENT)
        sum += wn_xs_table_frequency(t, k, e);
    }
    most = fmax(most, sum);
  }
  return most;
}

/* Population control acts between steps, so the growth of the swarm in one step is limited: by the number of candidates
 * or, where electrons are removed below an energy far above those at which collisions are most frequent, to
 * about one change of the number. */
static double longest_step(const struct wn_sim *s)
{
  const struct wn_config *c = s->c;
  const struct wn_xs_table *t = s->gas->table;
  const double change = wn_waveform_resolution(&c->waveform.is);
  if (c->sample_interval > 0.0)
    return c->sample_interval;
  if (!changes_number(s))
    return change;
  double longest = WN_SWARM_CANDIDATES / t->view.nu_max;
  if (c->stop_below_ev > 0.0)
    longest = fmax(longest, 1.0 / most_changes(t, c->stop_below_ev));
  return fmin(change, longest);
}

static int choose_steps(struct wn_job *j, const struct wn_sim *s)
{
  const struct wn_config *c = s->c;
  const size_t rows = c->waveform.rows;
  const double row = j->is.span / (double)rows,
               least = fmin(fmax(1.0, ceil(row / longest_step(s) - 1e-9)), 1e12),
               most = fmax(MOST_STEPS, MOST_TIMES * least);
  const size_t n =
      wn_waveform_divide(&c->waveform.is, j->is.span, rows, (size_t)least, (size_t)most);
  if (n == 0)
    return WN_FAIL(
        WN_EINPUT,
        "no time step places the discontinuities of waveform.shape at the ends of steps: "
        "tried 1/%.0f to 1/%.0f of a row of %.6g s; choose waveform.rows and %s so that "
        "they are at simple fractions of a row, or give rise and fall a length above 0",
        least, most, row, j->is.is_periodic ? "waveform.period" : "duration");
  j->is.steps = n * rows;
  j->is.interval = j->is.span / (double)j->is.steps;
  return WN_OK;
}

static void destroy(struct wn_job *j)
{
  if (j != NULL) {
    wn_time_rows_free(j->is.rows);
    wn_time_samples_free(j->is.samples);
  }
  free(j);
}

static int begin_sampling(struct wn_job *j, struct wn_sim *s)
{
  j->is.sampling = 1;
  j->is.step = s->lag = 0;
  s->n_lags = j->is.steps;
  j->is.first = s->n_steps;
  wn_sim_reset(s);
  if (!j->is.is_periodic)
    wn_field_varying_begin(s->field, s->time);
  WN_TRY(wn_species_normalise(s->species[0], j->is.weight));
  return j->is.is_periodic ? WN_OK /* the next period starts where the last one ends */
                           : wn_time_samples_step(j->is.samples, s, 0, 0,
                                                  j->is.steps / s->c->waveform.rows, -1);
}

static int create(struct wn_sim *s, struct wn_job **out)
{
  const struct wn_config *c = s->c;
  const double period = wn_waveform_period(&c->waveform.is);
  struct wn_job *j = wn_alloc(1, sizeof *j);
  if (j == NULL)
    return WN_ENOMEM;
  j->is.is_periodic = period > 0.0;
  j->is.span = j->is.is_periodic ? period : c->duration;
  int status = choose_steps(j, s);
  if (status == WN_OK)
    status = wn_time_rows_create(c->waveform.rows, c->groups,
                                 (size_t)s->species[0]->shape.n_processes, &j->is.rows);
  if (status == WN_OK)
    status = wn_time_samples_create(s, c->waveform.rows, &j->is.samples);
  j->is.weight = (double)c->electrons / (double)c->groups;
  j->is.last = (struct wn_estimate){NAN, NAN};
  if (j->is.is_periodic && c->duration > 0.0)
    j->is.max_periods = (size_t)fmax(1.0, ceil(c->duration / period - 1e-9));
  const double unit = j->is.is_periodic ? j->is.span : j->is.interval;
  j->is.window_length = c->relaxation >= 0.0 ? (size_t)ceil(c->relaxation / unit - 1e-9)
                        : j->is.is_periodic  ? 1
                                             : FIRST_WINDOW;
  struct wn_population *p = &s->species[0]->population;
  p->target = c->population_target > 0 ? c->population_target : c->electrons;
  p->may_split = 1;
  p->least = changes_number(s) ? LAST_IN_GROUP : 0.0;
  if (status == WN_OK &&
      !j->is.is_periodic) /* until the measurement, the field is constant */
    wn_field_varying_begin(s->field, INFINITY);
  if (status == WN_OK && j->is.window_length == 0)
    status = begin_sampling(j, s);
  if (status != WN_OK) {
    destroy(j);
    return status;
  }
  *out = j;
  return WN_OK;
}

static double duration(const struct wn_config *c)
{
  return c->duration > 0.0 ? fmax(c->relaxation, 0.0) + c->duration : NAN;
}

static double interval(const struct wn_job *j)
{
  return j->is.interval;
}

/* After a step, or with a period after a whole one. */
static int relax(struct wn_job *j, struct wn_sim *s)
{
  if (++j->is.in_window < j->is.window_length)
    return WN_OK;
  const struct wn_estimate now = wn_transport_energy(s, NULL);
  const double noise = 2.0 * hypot(now.error, j->is.last.error),
               change = fabs(now.value - j->is.last.value);
  if (s->c->relaxation >= 0.0 || (j->is.window >= 2 && change <= noise))
    return begin_sampling(j, s);
  if (++j->is.window == MAX_WINDOWS)
    return WN_FAIL(WN_ERUN,
                   "field %s: the mean energy does not become steady (%.4g eV, before "
                   "%.4g eV); electrons run away, or the key relaxation is needed",
                   s->c->cases[s->i_case].text, now.value, j->is.last.value);
  j->is.last = now;
  j->is.in_window = 0;
  j->is.window_length *= 2;
  wn_sim_reset(s);
  return WN_OK;
}

static int is_accurate(const struct wn_job *j, const struct wn_sim *s)
{
  if (j->is.max_periods > 0)
    return j->is.periods >= j->is.max_periods;
  if (j->is.periods < MIN_PERIODS)
    return 0;
  const struct wn_estimate energy = wn_time_rows_mean(j->is.rows, WN_TIME_ENERGY),
                           drift = wn_time_rows_amplitude(j->is.rows);
  return energy.error <= s->c->accuracy * energy.value &&
         (s->c->cases[s->i_case].e == 0.0 || drift.error <= s->c->accuracy * drift.value);
}

/* A step of the measurement; is_end: the last of a span. */
static int measure(struct wn_job *j, struct wn_sim *s, int is_end)
{
  const size_t rows = s->c->waveform.rows, per_row = j->is.steps / rows,
               at = (j->is.step + j->is.steps - 1) %
                    j->is.steps; /* of the step just made */
  wn_time_rows_add(j->is.rows, s, at / per_row, wn_field_varying_factor(s->field));
  s->lag = j->is.step;
  const size_t row = at / per_row;
  const long next = row + 1 < rows ? (long)row + 1 : j->is.is_periodic ? 0 : -1;
  WN_TRY(wn_time_samples_step(j->is.samples, s, row, at % per_row + 1, per_row, next));
  if (!is_end)
    return WN_OK;
  j->is.periods++;
  j->is.done = !j->is.is_periodic || is_accurate(j, s);
  return WN_OK;
}

static int next(struct wn_job *j, struct wn_sim *s)
{
  const int is_end = ++j->is.step == j->is.steps;
  if (is_end)
    j->is.step = 0;
  if (j->is.sampling)
    WN_TRY(measure(j, s, is_end));
  if (wn_sim_particles(s) == 0 && !j->is.done)
    return WN_FAIL(WN_ERUN,
                   "field %s: all electrons were attached %.3g s after the release; "
                   "raise electrons or the field",
                   s->c->cases[s->i_case].text, s->time);
  if (j->is.is_periodic && !is_end)
    return WN_OK;
  if (!j->is.sampling) {
    WN_TRY(relax(j, s));
    return j->is.sampling ? WN_OK : wn_species_normalise(s->species[0], j->is.weight);
  }
  return j->is.is_periodic ? wn_species_normalise(s->species[0], j->is.weight) : WN_OK;
}

static int is_done(const struct wn_job *j)
{
  return j->is.done;
}

static double fraction(const struct wn_job *j, const struct wn_sim *s)
{
  (void)s;
  const double spans = (double)j->is.periods + (double)j->is.step / (double)j->is.steps;
  return !j->is.sampling         ? 0.0
         : !j->is.is_periodic    ? (double)j->is.step / (double)j->is.steps
         : j->is.max_periods > 0 ? fmin(1.0, spans / (double)j->is.max_periods)
                                 : 0.0;
}

/* After a full store: are there complete results? */
static int enough(const struct wn_job *j)
{
  return j->is.done || (j->is.is_periodic && j->is.periods >= MIN_PERIODS);
}

static int finish(struct wn_job *j, struct wn_sim *s, struct wn_diag *const *diags,
                  struct wn_output *o, FILE *to)
{
  (void)diags;
  return enough(j) ? wn_varying_finish(&j->is, s, o, to) : WN_OK;
}

static int state(struct wn_job *j, struct wn_state *st)
{
  WN_TRY(WN_STATE(st, j->is.sampling));
  WN_TRY(WN_STATE(st, j->is.done));
  WN_TRY(WN_STATE(st, j->is.step));
  WN_TRY(WN_STATE(st, j->is.window));
  WN_TRY(WN_STATE(st, j->is.in_window));
  WN_TRY(WN_STATE(st, j->is.window_length));
  WN_TRY(WN_STATE(st, j->is.last));
  WN_TRY(WN_STATE(st, j->is.periods));
  WN_TRY(WN_STATE(st, j->is.first));
  WN_TRY(wn_time_rows_state(j->is.rows, st));
  return wn_time_samples_state(j->is.samples, st);
}

static const struct wn_diag_ops *const diags[] = {&wn_diag_ledger, &wn_diag_radiation,
                                                  NULL};

const struct wn_job_ops wn_job_varying = {
    .diags = diags,
    .collisions = 1,
    .holds_number = 1,
    .define = wn_varying_define,
    .begin = wn_varying_begin,
    .heading = wn_varying_heading,
    .duration = duration,
    .create = create,
    .interval = interval,
    .next = next,
    .done = is_done,
    .fraction = fraction,
    .enough = enough,
    .finish = finish,
    .full = wn_job_full,
    .state = state,
    .free = destroy,
};
