/* src/diag_runaway.c - job `runaway`: electrons released at t = 0 are followed for a
 * given time. runaway_fraction    of the primaries, those whose lineage (the electron
 * itself or a descendant) passed the threshold first_passage_time  from the release to
 * the first passage, mean over the lineages that passed runaway_rate        electrons
 * that pass the threshold for the first time, per electron and second of all that lived
 *   final energies      histogram of the living at the end, and of those removed above
 * runaway.stop_above their number Roulette (population.target) leaves the rate and the
 * histogram unbiased but not the fraction, which is not linear in the electrons: a killed
 * branch may have passed.  The fraction is then a lower bound, and the file and a warning
 * say so. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "physics/constants.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/log.h"
#include "src/diag.h"

struct wn_diag {
  uint64_t steps, total;
  size_t n_bins;
  wn_i128 *energies; /* [groups][n_bins + 2] weights by energy, all weights, all energy */
  uint64_t taken;    /* phases done when it was filled */
};

struct ask {
  const struct wn_sim *s;
  size_t threshold;
};

static int create(struct wn_sim *s, struct wn_diag **out)
{
  struct wn_diag *d = wn_alloc(1, sizeof *d);
  if (d == NULL)
    return WN_ENOMEM;
  double want = s->c->sample_interval > 0.0
                    ? s->c->sample_interval
                    : WN_RUNAWAY_CANDIDATES / s->gas->table->view.nu_max;
  d->total = (uint64_t)ceil(s->c->duration / want - 1e-9);
  if (d->total == 0)
    d->total = 1;
  wn_sim_set_interval(s, s->c->duration / (double)d->total);
  d->n_bins = wn_diag_n_bins(s->c);
  d->energies =
      wn_alloc((size_t)s->shape.n_groups * (d->n_bins + 2), sizeof *d->energies);
  if (d->energies == NULL) {
    free(d);
    return WN_ENOMEM;
  }
  d->taken = UINT64_MAX;
  *out = d;
  return WN_OK;
}

static int take_energies(struct wn_diag *d, struct wn_sim *s)
{
  size_t n = d->n_bins;
  WN_TRY(wn_particles_read(&s->p));
  memset(d->energies, 0, (size_t)s->shape.n_groups * (n + 2) * sizeof *d->energies);
  for (size_t i = 0; i < s->p.n; i++) {
    const struct wn_electron *e = &s->p.e[i];
    wn_i128 *row = &d->energies[wn_sample_group((uint32_t)s->shape.n_groups, e) * (n + 2)];
    double energy = wn_sample_energy_ev(e);
    row[wn_diag_bin(s->c, energy)] += wn_fix((double)e->w, WN_FIX_WEIGHT);
    row[n] += wn_fix((double)e->w, WN_FIX_WEIGHT);
    row[n + 1] += wn_fix((double)e->w * energy, WN_FIX_ENERGY);
  }
  d->taken = s->phases;
  return WN_OK;
}

/* Whether the next phase may fill the store, if the electrons grow as in the last one and
 * half as much again.  The energies are then taken before it, since after it they cannot
 * be known; to take them always would cost a copy of the electrons a phase. */
static int nearly_full(const struct wn_sim *s)
{
  double n = (double)s->p.n, growth = fmax(n / (double)s->n, 1.0);
  return 1.5 * growth * n > (double)s->p.limit;
}

static int sample(struct wn_diag *d, struct wn_sim *s)
{
  d->steps++;
  if (nearly_full(s) && d->steps < d->total)
    WN_TRY(take_energies(d, s));
  if (s->p.n == 0) /* all attached or removed: nothing more will happen */
    d->steps = d->total;
  return WN_OK;
}

static int is_done(const struct wn_diag *d)
{
  return d->steps >= d->total;
}

static double fraction(const struct wn_diag *d, const struct wn_sim *s)
{
  (void)s;
  return (double)d->steps / (double)d->total;
}

static double rate(const void *ctx, long leave_out)
{
  const struct ask *a = ctx;
  double n = 0.0;
  for (long g = 0; g < a->s->shape.n_groups; g++)
    if (g != leave_out)
      n += (double)a->s->tally
               .passed[(size_t)g * (size_t)a->s->shape.n_thresholds + a->threshold];
  return n / WN_FIX_WEIGHT / wn_diag_time(a->s, leave_out);
}

static int define(struct wn_output *o, const struct wn_config *c, const struct wn_gas *g)
{
  WN_TRY(wn_diag_define_common(o, c, g));
  WN_TRY(wn_output_dim(o, "threshold", c->n_thresholds));
  static const struct wn_output_var vars[] = {
      {.name = "threshold",
       .units = "eV",
       .long_name = "energy that counts as running away",
       .n_dims = 1,
       .dims = {"threshold"}},
      {.name = "runaway_fraction",
       .units = "1",
       .long_name = "fraction of primaries whose lineage passed the threshold",
       .n_dims = 2,
       .dims = {"field", "threshold"},
       .with_error = 1},
      {.name = "runaway_rate",
       .units = "s-1",
       .long_name = "electrons that pass the threshold for the first time, per electron "
                    "and second",
       .n_dims = 2,
       .dims = {"field", "threshold"},
       .with_error = 1},
      {.name = "first_passage_time",
       .units = "s",
       .long_name = "mean time from the release to the first passage of a lineage",
       .n_dims = 2,
       .dims = {"field", "threshold"},
       .with_error = 1,
       .comment = "over the lineages that passed"},
      {.name = "final_energy_distribution",
       .units = "eV-1",
       .long_name = "electrons per primary and energy at the end",
       .n_dims = 2,
       .dims = {"field", "energy"},
       .with_error = 1},
      {.name = "final_electrons",
       .units = "1",
       .long_name = "living electrons per primary at the end",
       .n_dims = 1,
       .dims = {"field"}},
      {.name = "removed_electrons",
       .units = "1",
       .long_name = "electrons per primary removed above runaway.stop_above",
       .n_dims = 1,
       .dims = {"field"},
       .comment = "they are not among the final electrons"},
      {.name = "final_mean_energy",
       .units = "eV",
       .long_name = "mean energy of the living at the end",
       .n_dims = 1,
       .dims = {"field"},
       .with_error = 1},
      {.name = "maximum_energy",
       .units = "eV",
       .long_name = "highest energy of any electron above the first threshold",
       .n_dims = 1,
       .dims = {"field"}},
      {.name = "followed_time",
       .units = "s",
       .long_name = "time from the release to the end",
       .n_dims = 1,
       .dims = {"field"}},
      {.name = "roulette_killed",
       .units = "1",
       .long_name = "electrons taken by the population control",
       .type = WN_OUT_INT64,
       .n_dims = 1,
       .dims = {"field"},
       .comment = "where it is not 0, runaway_fraction is a lower bound"},
  };
  for (size_t i = 0; i < sizeof vars / sizeof vars[0]; i++)
    WN_TRY(wn_output_define(o, &vars[i]));
  return WN_OK;
}

static int begin(struct wn_output *o, const struct wn_config *c, const struct wn_gas *g)
{
  WN_TRY(wn_diag_begin_common(o, c, g));
  return wn_output_put(o, "threshold", -1, c->thresholds_ev);
}

/* Histogram and mean energy of the living, with errors from the scatter between groups.
 */
static int final_energies(const struct wn_diag *d, const struct wn_sim *s,
                          struct wn_output *o)
{
  size_t n = d->n_bins, groups = (size_t)s->shape.n_groups;
  const wn_i128 *h = d->energies;
  double primaries = (double)s->c->electrons / (double)groups;
  double *edge = wn_alloc(n + 1, sizeof *edge), *value = wn_alloc(n, sizeof *value),
         *error = wn_alloc(n, sizeof *error);
  double *column = wn_alloc(groups, sizeof *column);
  int status = edge && value && error && column ? WN_OK : WN_ENOMEM;
  if (status == WN_OK) {
    wn_diag_bin_edges(s->c, edge);
    for (size_t b = 0; b < n; b++) {
      for (size_t g = 0; g < groups; g++)
        column[g] = (double)h[g * (n + 2) + b] / WN_FIX_WEIGHT / primaries /
                    (edge[b + 1] - edge[b]);
      struct wn_estimate m = wn_stats_mean(groups, column);
      value[b] = m.value, error[b] = m.error;
    }
    status = wn_diag_put_row(o, "final_energy_distribution", s->field, value, error);
  }
  if (status == WN_OK) {
    double weight = 0.0, energy = 0.0;
    for (size_t g = 0; g < groups; g++) {
      weight += (double)h[g * (n + 2) + n] / WN_FIX_WEIGHT;
      energy += (double)h[g * (n + 2) + n + 1] / WN_FIX_ENERGY;
    }
    double mean = energy / weight, sum2 = 0.0;
    for (size_t g = 0; g < groups; g++) { /* ratio estimator: residuals of the groups */
      double r = (double)h[g * (n + 2) + n + 1] / WN_FIX_ENERGY -
                 mean * (double)h[g * (n + 2) + n] / WN_FIX_WEIGHT;
      sum2 += r * r;
    }
    struct wn_estimate m = {mean,
                            sqrt(sum2 * (double)groups / (double)(groups - 1)) / weight};
    double living = weight / (double)s->c->electrons;
    status = wn_output_put(o, "final_electrons", (long)s->field, &living);
    if (status == WN_OK)
      status = wn_diag_put(o, "final_mean_energy", s->field, m);
  }
  free(edge);
  free(value);
  free(error);
  free(column);
  return status;
}

static int finish(struct wn_diag *d, struct wn_sim *s, struct wn_output *o, FILE *to)
{
  const struct wn_config *c = s->c;
  size_t n = c->n_thresholds, n_primaries = c->electrons;
  double *row = wn_alloc(6 * n, sizeof *row), *time = wn_alloc(n_primaries, sizeof *time);
  if (row == NULL || time == NULL) {
    free(row);
    free(time);
    return WN_ENOMEM;
  }
  static const char *const name[] = {"runaway_fraction", "runaway_rate",
                                     "first_passage_time"};
  for (size_t k = 0; k < n; k++) {
    size_t passed = 0;
    for (size_t i = 0; i < n_primaries; i++) {
      int64_t t = s->tally.first_passage[i * n + k];
      if (t != INT64_MAX)
        time[passed++] = wn_tally_tick_time(t, s->interval);
    }
    struct ask a = {s, k};
    struct wn_estimate e[3] = {
        wn_stats_fraction((double)passed, (double)n_primaries),
        wn_stats_jackknife((size_t)s->shape.n_groups, rate, &a, NULL),
        wn_stats_mean(passed, time)};
    for (size_t q = 0; q < 3; q++) {
      row[2 * q * n + k] = e[q].value;
      row[(2 * q + 1) * n + k] = e[q].error;
    }
  }
  free(time);
  int status = WN_OK;
  for (size_t q = 0; q < 3 && status == WN_OK; q++)
    status =
        wn_diag_put_row(o, name[q], s->field, &row[2 * q * n], &row[(2 * q + 1) * n]);
  double maximum = s->max_energy_ev > 0.0 ? s->max_energy_ev : NAN;
  long long killed = (long long)s->killed;
  if (status == WN_OK)
    status = wn_output_put(o, "maximum_energy", (long)s->field, &maximum);
  double removed = 0.0;
  for (int g = 0; g < s->shape.n_groups; g++)
    removed += (double)s->tally.group[g].removed / WN_FIX_WEIGHT / (double)n_primaries;
  if (status == WN_OK)
    status = wn_output_put(o, "removed_electrons", (long)s->field, &removed);
  if (status == WN_OK)
    status = wn_output_put(o, "followed_time", (long)s->field, &s->time);
  if (status == WN_OK)
    status = wn_output_put_int(o, "roulette_killed", (long)s->field, &killed);
  if (status == WN_OK && !s->is_full)
    status = take_energies(d, s);
  if (status == WN_OK && d->taken == s->phases)
    status = final_energies(d, s, o);
  if (status == WN_OK)
    status = wn_diag_ledger(s, o);
  if (status == WN_OK) {
    size_t k = 0; /* the table shows 1 keV, or the threshold that comes next to it */
    for (size_t i = 1; i < n; i++)
      if (fabs(log(c->thresholds_ev[i] / 1e3)) < fabs(log(c->thresholds_ev[k] / 1e3)))
        k = i;
    fprintf(to, "%9.4g %9.4g  %9.4g  %8.5f %8.5f  %10.3g %8.2g  %9.3g %8.2g  %9zu\n",
            c->cases[s->field].td, c->cases[s->field].e * 1e-5, c->thresholds_ev[k],
            row[k], row[n + k], row[2 * n + k], row[3 * n + k], row[4 * n + k],
            row[5 * n + k], s->is_full ? s->n : s->p.n);
    if (s->killed > 0)
      wn_log(WN_LOG_WARN,
             "field %s: the population control took %" PRIu64
             " electrons, so runaway_fraction is a lower "
             "bound; raise population.target (0: none) to avoid it",
             c->cases[s->field].text, s->killed);
  }
  free(row);
  return status;
}

static void heading(FILE *to)
{
  fprintf(to, "%9s %9s  %9s  %17s  %19s  %18s  %9s\n", "E/N", "E", "threshold",
          "fraction passed", "rate per electron", "first passage", "electrons");
  fprintf(to, "%9s %9s  %9s  %8s %8s  %10s %8s  %9s %8s  %9s\n", "Td", "kV/cm", "eV", "",
          "+-", "1/s", "+-", "s", "+-", "at end");
}

static void destroy(struct wn_diag *d)
{
  if (d != NULL)
    free(d->energies);
  free(d);
}

const struct wn_diag_ops wn_diag_runaway = {
    .name = "runaway",
    .doc = "how many released electrons, or their descendants, pass given energies",
    .define = define,
    .begin = begin,
    .create = create,
    .sample = sample,
    .done = is_done,
    .fraction = fraction,
    .finish = finish,
    .heading = heading,
    .free = destroy,
};
