/* src/diag/time_samples.c - see time_samples.h. */
#include "src/diag/time_samples.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/error.h"
#include "src/diag/diag.h"
#include "src/stats/expected_rates.h"

/* Samples in a row, at most.  The trapezoidal rule leaves in the mean over a row an error of
 * 1/(12 SAMPLES^2) of the second difference from row to row.  With 4 the rates of a pulse that
 * rises in one row were off by 17 errors of 192 runs of 320 electrons (t0662). */
#define SAMPLES 16
/* As in rates.c. */
#define ENOUGH_COUNTS 10.0

struct wn_time_samples {
  size_t rows, groups, n_bins, n_processes;
  struct wn_expected_rates *bins;
  struct wn_sample energies, octaves;
  size_t n_energies, n_octaves; /* sums of a sample */
  wn_i128 *sum;                 /* [rows][n_energies + n_octaves] */
  wn_i128 *one;                 /* [n_energies + n_octaves] */
  /* computed by wn_time_samples_finish: [rows][groups + 1][1 + n_processes] weight,
   * weight times frequency; the last group: all.  [rows][n_bins] weight of all groups */
  double *rate;
  wn_i128 *all;
  double *difference; /* [groups] scratch: counted minus expected */
};

void wn_time_samples_free(struct wn_time_samples *t)
{
  if (t != NULL) {
    wn_expected_rates_free(t->bins);
    free(t->sum);
    free(t->one);
    free(t->rate);
    free(t->all);
    free(t->difference);
  }
  free(t);
}

static int make_room(struct wn_time_samples *t)
{
  const size_t row = t->n_energies + t->n_octaves, rates = 1 + t->n_processes;
  const double bytes =
      (double)t->rows * ((double)row * sizeof *t->sum +
                         (double)(t->groups + 1) * (double)rates * sizeof *t->rate);
  if (bytes > WN_TIME_SAMPLES_MOST)
    return WN_FAIL(
        WN_EINPUT,
        "the energies of %zu time rows and %zu groups take %.2g GiB; at most 4 GiB are "
        "allowed: lower waveform.rows, groups or distribution.bins_per_decade",
        t->rows, t->groups, bytes / 1073741824.0);
  t->sum = wn_alloc(t->rows, row * sizeof *t->sum);
  t->one = wn_alloc(row, sizeof *t->one);
  t->rate = wn_alloc(t->rows * (t->groups + 1), rates * sizeof *t->rate);
  t->all = wn_alloc(t->rows, t->n_bins * sizeof *t->all);
  t->difference = wn_alloc(t->groups, sizeof *t->difference);
  return t->sum != NULL && t->one != NULL && t->rate != NULL && t->all != NULL &&
                 t->difference != NULL
             ? WN_OK
             : WN_ENOMEM;
}

int wn_time_samples_create(const struct wn_sim *s, size_t rows,
                           struct wn_time_samples **out)
{
  struct wn_time_samples *t = wn_alloc(1, sizeof *t);
  if (t == NULL)
    return WN_ENOMEM;
  t->rows = rows;
  t->groups = (size_t)s->species[0]->shape.n_groups;
  t->n_processes = (size_t)s->species[0]->shape.n_processes;
  t->n_bins = wn_diag_n_bins(s->c);
  t->energies =
      (struct wn_sample){.kind = WN_SAMPLE_ENERGIES,
                         .n_groups = (uint32_t)t->groups,
                         .bin_min_ev = s->c->distribution_min_ev,
                         .bins_per_decade = (double)s->c->distribution_bins_per_decade,
                         .n_bins = t->n_bins};
  int status =
      wn_expected_rates_create(s->gas->table, t->groups, s->c->threads, &t->bins);
  if (status == WN_OK) {
    t->octaves = wn_expected_rates_sample(t->bins);
    t->n_energies = wn_sample_cells(&t->energies);
    t->n_octaves = wn_sample_cells(&t->octaves);
    status = make_room(t);
  }
  if (status != WN_OK) {
    wn_time_samples_free(t);
    return status;
  }
  *out = t;
  return WN_OK;
}

/* Adds the last sample to a row, with a weight. */
static void add(struct wn_time_samples *t, size_t row, size_t times)
{
  const size_t n = t->n_energies + t->n_octaves;
  wn_i128 *to = t->sum + row * n;
  for (size_t i = 0; i < n; i++)
    if (t->one[i] != 0)
      to[i] += (wn_i128)times * t->one[i];
}

/* The step after which sample i of 0..n is taken; increasing in i. */
static size_t step_of(size_t i, size_t n, size_t steps)
{
  return i * steps / n;
}

int wn_time_samples_step(struct wn_time_samples *t, const struct wn_sim *s, size_t row,
                         size_t step, size_t steps_of_row, long next)
{
  const size_t n = steps_of_row < SAMPLES ? steps_of_row : SAMPLES;
  size_t i = 0;
  while (step_of(i, n, steps_of_row) < step)
    i++;
  if (step_of(i, n, steps_of_row) != step)
    return WN_OK;
  memset(t->one, 0, (t->n_energies + t->n_octaves) * sizeof *t->one);
  WN_TRY(wn_particles_sample(&s->species[0]->p, &t->energies, t->one));
  WN_TRY(wn_particles_sample(&s->species[0]->p, &t->octaves, t->one + t->n_energies));
  /* half the times to the samples before and after, in half steps */
  if (i > 0)
    add(t, row, step - step_of(i - 1, n, steps_of_row));
  if (i < n)
    add(t, row, step_of(i + 1, n, steps_of_row) - step);
  if (i == n && next >= 0)
    add(t, (size_t)next, step_of(1, n, steps_of_row));
  return WN_OK;
}

void wn_time_samples_finish(struct wn_time_samples *t)
{
  const size_t n = t->n_energies + t->n_octaves, rates = 1 + t->n_processes;
  for (size_t row = 0; row < t->rows; row++) {
    const wn_i128 *sum = t->sum + row * n;
    double *rate = t->rate + row * (t->groups + 1) * rates,
           *all = rate + t->groups * rates;
    wn_i128 *bins = t->all + row * t->n_bins;
    wn_expected_rates_rates(t->bins, sum + t->n_energies, rate);
    for (size_t k = 0; k < rates; k++)
      all[k] = 0.0;
    for (size_t i = 0; i < t->n_bins; i++)
      bins[i] = 0;
    for (size_t g = 0; g < t->groups; g++) {
      for (size_t k = 0; k < rates; k++)
        all[k] += rate[g * rates + k];
      for (size_t i = 0; i < t->n_bins; i++)
        bins[i] += sum[g * (t->n_bins + 1) + i];
    }
  }
}

/* ---- estimates */

struct ask {
  const struct wn_time_samples *t;
  const struct wn_time_rows *r;
  size_t row, bin, process;
  long rows; /* number of rows, from `row` on */
  double width;
};

static double in_bin(const void *ctx, long leave_out)
{
  const struct ask *a = ctx;
  const struct wn_time_samples *t = a->t;
  const size_t rates = 1 + t->n_processes;
  const double *rate = t->rate + a->row * (t->groups + 1) * rates;
  double weight = rate[t->groups * rates];
  wn_i128 in = t->all[a->row * t->n_bins + a->bin];
  if (leave_out >= 0) {
    in -= t->sum[a->row * (t->n_energies + t->n_octaves) +
                 (size_t)leave_out * (t->n_bins + 1) + a->bin];
    weight -= rate[(size_t)leave_out * rates];
  }
  return (double)in / WN_FIX_WEIGHT / weight / a->width;
}

struct wn_estimate wn_time_samples_f0(const struct wn_time_samples *t, size_t row,
                                      size_t bin, double width)
{
  const struct ask a = {.t = t, .row = row, .bin = bin, .width = width};
  if (t->all[row * t->n_bins + bin] == 0)
    return (struct wn_estimate){0.0, NAN};
  return wn_stats_jackknife(t->groups, in_bin, &a, NULL);
}

static double expected(const void *ctx, long leave_out)
{
  const struct ask *a = ctx;
  const size_t rates = 1 + a->t->n_processes, groups = a->t->groups;
  double mean = 0.0;
  for (size_t row = a->row; row < a->row + (size_t)a->rows; row++) {
    const double *rate = a->t->rate + row * (groups + 1) * rates,
                 *all = rate + groups * rates;
    double sum = all[1 + a->process], weight = all[0];
    if (leave_out >= 0) {
      sum -= rate[(size_t)leave_out * rates + 1 + a->process];
      weight -= rate[(size_t)leave_out * rates];
    }
    mean += sum / weight;
  }
  return mean / (double)a->rows;
}

static double counted(const void *ctx, long leave_out)
{
  const struct ask *a = ctx;
  double mean = 0.0;
  for (size_t row = a->row; row < a->row + (size_t)a->rows; row++)
    mean += wn_time_rows_value(a->r, row, WN_TIME_PROCESS + (int)a->process, leave_out);
  return mean / (double)a->rows;
}

static double difference(const void *ctx, long leave_out)
{
  return counted(ctx, leave_out) - expected(ctx, leave_out);
}

struct wn_estimate wn_time_samples_rate(const struct wn_time_samples *t,
                                        const struct wn_time_rows *r, long row, size_t k)
{
  const struct ask a = {.t = t,
                        .r = r,
                        .row = row < 0 ? 0 : (size_t)row,
                        .rows = row < 0 ? (long)t->rows : 1,
                        .process = k};
  const double *controls[1] = {t->difference};
  const int is_counted = wn_time_rows_least_count(r, row, k) >= ENOUGH_COUNTS &&
                         wn_stats_pseudo(t->groups, difference, &a, t->difference);
  /* no electron at these energies, or so few near a threshold that the fitted line is not
   * above 0 there */
  if (!(expected(&a, -1) > 0.0))
    return wn_stats_jackknife(t->groups, counted, &a, NULL);
  return wn_stats_regression(t->groups, expected, &a, is_counted ? 1 : 0, controls);
}

int wn_time_samples_state(struct wn_time_samples *t, struct wn_state *state)
{
  return WN_STATE_ARRAY(state, t->sum, t->rows * (t->n_energies + t->n_octaves));
}
