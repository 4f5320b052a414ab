/* src/jobs/runaway_rate.c - job `runaway-rate`: how often electrons of a swarm in steady
 * exponential growth first pass energies that very few electrons reach.
 *
 * Primaries are released and followed; a weighted ensemble in energy (particles/weighted_ensemble.h)
 * keeps about as many electrons at high as at low energies.  When the weighted number of
 * electrons has doubled, all weights are halved; when attachment has halved it, they are
 * doubled.  All times then contribute equally.
 *
 * The rate of a threshold is the number of first passages per unit time, divided by the number
 * of electrons at the time when the passing electrons rose through the first threshold, or were
 * born above it (struct wn_mcc.cohorts).  The delay matters: the swarm multiplies while they
 * gain energy, and a division by the present number would give too small a rate.  With this
 * definition the rates of two thresholds differ only by the electrons stopped in between.  Where
 * very few are stopped, the rate is that of runaways: the plateau. */
#include "src/jobs/runaway_rate.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include "base/alloc.h"
#include "base/error.h"

struct wn_job {
  struct wn_rate_case is;
};

static size_t n_columns(const struct wn_sim *s)
{
  return wn_rate_columns(s->c, wn_levels_number(&wn_rate_ensemble(s)->levels));
}

static void destroy(struct wn_job *j)
{
  if (j == NULL)
    return;
  wn_event_rates_free(j->is.rates);
  free(j->is.events);
  free(j->is.passages);
  free(j);
}

static int create(struct wn_sim *s, struct wn_job **out)
{
  const struct wn_config *c = s->c;
  const size_t groups = (size_t)s->species[0]->shape.n_groups;
  struct wn_job *j = wn_alloc(1, sizeof *j);
  if (j == NULL)
    return WN_ENOMEM;
  const double want = c->sample_interval > 0.0
                          ? c->sample_interval
                          : WN_RATE_CANDIDATES / s->gas->table->view.nu_max,
               most = fmax(1.0, ceil(c->duration / want - 1e-9));
  j->is.interval = c->duration / most;
  j->is.most = (uint64_t)most;
  j->is.events = wn_alloc(n_columns(s), sizeof *j->is.events);
  j->is.n_passages = groups * c->n_thresholds;
  j->is.passages = wn_alloc(j->is.n_passages, sizeof *j->is.passages);
  int status = j->is.events != NULL && j->is.passages != NULL ? WN_OK : WN_ENOMEM;
  if (status == WN_OK)
    status = wn_event_rates_create(groups, n_columns(s), WN_PASSED_BINS, &j->is.rates);
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
  return j->is.interval;
}

/* ---- sums of a step */

/* Weight of the collisions of a kind in this step. */
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

/* Weight of the electrons that passed in this step, in the unit of a row of struct wn_tally.passed. */
static double passed(const struct wn_sim *s, size_t g, int unit, size_t threshold)
{
  const struct wn_species *e = s->species[0];
  const size_t n = s->c->n_thresholds,
               at = (g * WN_PASSED + (size_t)unit) * n + threshold;
  return (double)(e->tally.passed[at] - e->before.passed[at]) / WN_FIX_RARE;
}

/* Into columns from `to` on: passages of this step, by bin. */
static void add_bins(const struct wn_sim *s, size_t g, double *to)
{
  const struct wn_species *e = s->species[0];
  const size_t n = s->c->n_thresholds, rows = WN_PASSED_BIN_ROWS * n,
               first = (size_t)e->shape.n_groups * WN_PASSED * n + g * rows;
  for (size_t i = 0; i < rows; i++) {
    const wn_i128 in = e->tally.passed[first + i] - e->before.passed[first + i];
    to[i] = in != 0 ? (double)in / WN_FIX_RARE : 0.0;
  }
}

static void add_group(struct wn_job *j, const struct wn_sim *s, size_t g)
{
  const struct wn_species *e = s->species[0];
  const struct wn_ensemble *of = wn_rate_ensemble(s);
  const size_t n = s->c->n_thresholds, levels = wn_levels_number(&of->levels);
  const double unit = ldexp(1.0, of->halvings),
               time = (double)(e->tally.group[g].time - e->before.group[g].time) /
                      WN_FIX_STEP * s->interval;
  j->is.events[WN_RATE_IONIZATION] = collisions(s, g, WN_PROC_IONIZATION);
  j->is.events[WN_RATE_ATTACHMENT] = collisions(s, g, WN_PROC_ATTACHMENT);
  j->is.events[WN_RATE_REMOVED] =
      (double)(e->tally.group[g].removed - e->before.group[g].removed) / WN_FIX_RARE;
  for (size_t k = 0; k < n; k++) {
    for (int row = WN_PASSED_COHORT; row < WN_PASSED; row++)
      j->is.events[wn_rate_threshold(s->c, row, k)] = passed(s, g, row, k);
    j->is.passages[g * n + k] += passed(s, g, WN_PASSED_NOW, k) * unit;
  }
  for (size_t i = 0; i < levels;
       i++) { /* value at the end of the step, taken for the whole step */
    const wn_i128 *in = &of->sums[WN_LEVEL_SUMS * (g * levels + i)];
    j->is.events[wn_rate_level(s->c, i)] = (double)in[1] / WN_FIX_RARE * s->interval;
    j->is.events[wn_rate_level(s->c, levels + i)] = (double)in[0];
    j->is.events[wn_rate_level(s->c, 2 * levels + i)] =
        (double)in[2] / WN_FIX_RARE * s->interval;
  }
  add_bins(s, g, &j->is.events[wn_rate_bin(s->c, levels, 0, 0)]);
  wn_event_rates_add(j->is.rates, g, time, j->is.events);
}

/* ---- decisions */

/* Rescales the total weight to about one for each primary.  After WN_MOST_HALVINGS doublings,
 * by 10^301, a decaying swarm is left to die out; wn_rate_finish reports that. */
static int keep_weight(struct wn_sim *s)
{
  struct wn_species *e = s->species[0];
  const struct wn_ensemble *of = wn_rate_ensemble(s);
  const double electrons = (double)s->c->electrons;
  if (wn_ensemble_weight(of) > 2.0 * electrons) {
    if (of->halvings == WN_MOST_HALVINGS)
      return WN_FAIL(WN_ERUN,
                     "field %s: the electrons have doubled %d times in %.4g s, the most "
                     "that can be counted; shorten duration",
                     s->c->cases[s->i_case].text, WN_MOST_HALVINGS, s->time);
    return wn_species_halve(e);
  }
  while (wn_ensemble_weight(of) <= 0.5 * electrons && of->halvings > -WN_MOST_HALVINGS)
    WN_TRY(wn_species_double(e));
  return WN_OK;
}

static int next(struct wn_job *j, struct wn_sim *s)
{
  const size_t groups = (size_t)s->species[0]->shape.n_groups;
  for (size_t g = 0; g < groups; g++)
    add_group(j, s, g);
  j->is.steps++;
  if (wn_event_rates_step(j->is.rates) && !j->is.opened)
    wn_rate_open(&j->is, s);
  j->is.done =
      j->is.steps >= (j->is.opened ? j->is.end : j->is.most) || wn_sim_particles(s) == 0;
  return j->is.done ? WN_OK : keep_weight(s);
}

static int is_done(const struct wn_job *j)
{
  return j->is.done;
}

/* The length of the window is known only when it opens. */
static double fraction(const struct wn_job *j, const struct wn_sim *s)
{
  (void)s;
  return (double)j->is.steps / (double)(j->is.opened ? j->is.end : j->is.most);
}

static int finish(struct wn_job *j, struct wn_sim *s, struct wn_diag *const *diags,
                  struct wn_output *o, FILE *to)
{
  (void)diags;
  return wn_rate_finish(&j->is, s, o, to);
}

static int state(struct wn_job *j, struct wn_state *st)
{
  WN_TRY(WN_STATE(st, j->is.steps));
  WN_TRY(WN_STATE_ARRAY(st, j->is.passages, j->is.n_passages));
  WN_TRY(WN_STATE(st, j->is.opened));
  WN_TRY(WN_STATE(st, j->is.settled));
  WN_TRY(WN_STATE(st, j->is.end));
  WN_TRY(WN_STATE(st, j->is.done));
  return wn_event_rates_state(j->is.rates, st);
}

static const struct wn_diag_ops *const diags[] = {&wn_diag_levels, &wn_diag_ledger, NULL};

const struct wn_job_ops wn_job_rate = {
    .doc =
        "rate at which electrons of a steady swarm exceed energies that very few reach",
    .diags = diags,
    .collisions = 1,
    .holds_number = 1,
    .needs = {.passages = 1, .weighted = 1, .cohorts = 1},
    .define = wn_rate_define,
    .begin = wn_rate_begin,
    .heading = wn_rate_heading,
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
