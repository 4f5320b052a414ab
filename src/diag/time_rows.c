/* src/diag/time_rows.c - see time_rows.h. */
#include "src/diag/time_rows.h"
#include <math.h>
#include <stdlib.h>
#include "base/alloc.h"
#include "base/error.h"
#include "physics/constants.h"

/* Cells for each row and group: sums of struct wn_tally_group, then counts of each process. */
enum { TIME, PATH, ENERGY = PATH + 3, CANDIDATES, GAINED, COUNTS };

struct wn_time_rows {
  size_t rows, groups, cells;
  double interval; /* s, of a step */
  wn_i128 *sum;    /* [rows][groups][cells] */
  wn_i128 *all;    /* [rows][cells], of all groups */
  double *factor;  /* [rows] sum over steps */
  double *steps;   /* [rows] */
};

void wn_time_rows_free(struct wn_time_rows *r)
{
  if (r == NULL)
    return;
  free(r->sum);
  free(r->all);
  free(r->factor);
  free(r->steps);
  free(r);
}

int wn_time_rows_create(size_t rows, size_t groups, size_t n_processes,
                        struct wn_time_rows **out)
{
  struct wn_time_rows *r = wn_alloc(1, sizeof *r);
  if (r == NULL)
    return WN_ENOMEM;
  r->rows = rows;
  r->groups = groups;
  r->cells = COUNTS + n_processes;
  r->sum = wn_alloc(rows * groups, r->cells * sizeof *r->sum);
  r->all = wn_alloc(rows, r->cells * sizeof *r->all);
  r->factor = wn_alloc(rows, sizeof *r->factor);
  r->steps = wn_alloc(rows, sizeof *r->steps);
  if (r->sum == NULL || r->all == NULL || r->factor == NULL || r->steps == NULL) {
    wn_time_rows_free(r);
    return WN_ENOMEM;
  }
  *out = r;
  return WN_OK;
}

static void add(struct wn_time_rows *r, size_t row, size_t group, size_t k, wn_i128 x)
{
  r->sum[(row * r->groups + group) * r->cells + k] += x;
  r->all[row * r->cells + k] += x;
}

void wn_time_rows_add(struct wn_time_rows *r, const struct wn_sim *s, size_t row,
                      double factor)
{
  const struct wn_species *e = s->species[0];
  const size_t n = r->cells - COUNTS;
  WN_ASSERT(row < r->rows);
  r->interval = s->interval;
  r->factor[row] += factor;
  r->steps[row] += 1.0;
  for (size_t g = 0; g < r->groups; g++) {
    const struct wn_tally_group *now = &e->tally.group[g], *then = &e->before.group[g];
    add(r, row, g, TIME, now->time - then->time);
    for (size_t i = 0; i < 3; i++)
      add(r, row, g, PATH + i, now->path[i] - then->path[i]);
    add(r, row, g, ENERGY, now->energy - then->energy);
    add(r, row, g, CANDIDATES, now->candidates - then->candidates);
    add(r, row, g, GAINED, now->gained - then->gained);
    for (size_t k = 0; k < n; k++)
      add(r, row, g, COUNTS + k, e->tally.count[g * n + k] - e->before.count[g * n + k]);
  }
}

double wn_time_rows_factor(const struct wn_time_rows *r, size_t row)
{
  return r->factor[row] / r->steps[row];
}

/* A quantity: `scale` times the ratio of two cells. */
struct ratio {
  size_t over, under;
  double scale;
};

static struct ratio ratio(const struct wn_time_rows *r, int what)
{
  static const size_t path[] = {PATH + 2, PATH, PATH + 1};
  const double per_time = WN_FIX_STEP / r->interval; /* the unit of time, in 1/s */
  switch (what) {
  case WN_TIME_ENERGY:
    return (struct ratio){ENERGY, CANDIDATES, WN_FIX_WEIGHT / WN_FIX_ENERGY};
  case WN_TIME_DRIFT:
  case WN_TIME_DRIFT_X:
  case WN_TIME_DRIFT_Y:
    return (struct ratio){path[what - WN_TIME_DRIFT], TIME, WN_C};
  case WN_TIME_GAINED:
    return (struct ratio){GAINED, TIME, per_time / WN_FIX_ENERGY};
  default:
    return (struct ratio){COUNTS + (size_t)(what - WN_TIME_PROCESS), TIME,
                          per_time / WN_FIX_WEIGHT};
  }
}

/* A cell of a row, summed over all groups except leave_out. */
static double cell(const struct wn_time_rows *r, size_t row, size_t k, long leave_out)
{
  wn_i128 sum = r->all[row * r->cells + k];
  if (leave_out >= 0)
    sum -= r->sum[(row * r->groups + (size_t)leave_out) * r->cells + k];
  return (double)sum;
}

static double value(const struct wn_time_rows *r, size_t row, const struct ratio *q,
                    long leave_out)
{
  return q->scale * cell(r, row, q->over, leave_out) / cell(r, row, q->under, leave_out);
}

double wn_time_rows_value(const struct wn_time_rows *r, size_t row, int what,
                          long leave_out)
{
  const struct ratio q = ratio(r, what);
  return value(r, row, &q, leave_out);
}

double wn_time_rows_least_count(const struct wn_time_rows *r, long row, size_t k)
{
  const size_t first = row < 0 ? 0 : (size_t)row, end = row < 0 ? r->rows : first + 1;
  double least = INFINITY;
  for (size_t g = 0; g < r->groups; g++) {
    double sum = 0.0;
    for (size_t i = first; i < end; i++)
      sum += (double)r->sum[(i * r->groups + g) * r->cells + COUNTS + k];
    least = fmin(least, sum / WN_FIX_WEIGHT);
  }
  return least;
}

/* The error of a ratio is from the residuals of the groups. */
struct wn_estimate wn_time_rows_at(const struct wn_time_rows *r, size_t row, int what)
{
  const struct ratio q = ratio(r, what);
  const double n = (double)r->groups, under = cell(r, row, q.under, -1),
               of_all = cell(r, row, q.over, -1) / under;
  double sum2 = 0.0;
  for (size_t g = 0; g < r->groups; g++) {
    const wn_i128 *in = &r->sum[(row * r->groups + g) * r->cells];
    const double rest = (double)in[q.over] - of_all * (double)in[q.under];
    sum2 += rest * rest;
  }
  return (struct wn_estimate){q.scale * of_all,
                              q.scale * sqrt(sum2 * n / (n - 1.0)) / under};
}

struct wn_estimate wn_time_rows_electrons(const struct wn_time_rows *r, size_t row)
{
  const double n = (double)r->groups, scale = 1.0 / WN_FIX_STEP / r->steps[row],
               mean = cell(r, row, TIME, -1) / n;
  double sum2 = 0.0;
  for (size_t g = 0; g < r->groups; g++) {
    const double rest = (double)r->sum[(row * r->groups + g) * r->cells + TIME] - mean;
    sum2 += rest * rest;
  }
  return (struct wn_estimate){scale * mean * n, scale * sqrt(sum2 * n / (n - 1.0))};
}

double wn_time_rows_lived(const struct wn_time_rows *r, size_t row)
{
  return cell(r, row, TIME, -1) / WN_FIX_STEP * r->interval;
}

/* ---- over all rows */

struct ask {
  const struct wn_time_rows *r;
  struct ratio of;
  double about; /* rad */
};

static double mean(const void *ctx, long leave_out)
{
  const struct ask *a = ctx;
  double sum = 0.0;
  for (size_t row = 0; row < a->r->rows; row++)
    sum += value(a->r, row, &a->of, leave_out);
  return sum / (double)a->r->rows;
}

static struct wn_estimate estimate(const struct wn_time_rows *r, wn_stats_fn *f, int what,
                                   double about)
{
  const struct ask a = {r, ratio(r, what), about};
  return wn_stats_jackknife(r->groups, f, &a, NULL);
}

struct wn_estimate wn_time_rows_mean(const struct wn_time_rows *r, int what)
{
  return estimate(r, mean, what, 0.0);
}

/* Twice the mean of row means times sine and cosine, at the middle of each row. */
struct harmonic {
  double sine, cosine;
};

static struct harmonic first(const struct ask *a, int of_factor, long leave_out)
{
  const double rows = (double)a->r->rows, x = WN_PI / rows,
               scale = 2.0 / rows * x / sin(x);
  struct harmonic h = {0.0, 0.0};
  for (size_t row = 0; row < a->r->rows; row++) {
    const double angle = 2.0 * WN_PI * ((double)row + 0.5) / rows,
                 y = of_factor ? wn_time_rows_factor(a->r, row)
                               : value(a->r, row, &a->of, leave_out);
    h.sine += scale * y * sin(angle);
    h.cosine += scale * y * cos(angle);
  }
  return h;
}

static double amplitude(const void *ctx, long leave_out)
{
  const struct harmonic h = first(ctx, 0, leave_out);
  return hypot(h.sine, h.cosine);
}

/* In the branch around `about`, so that groups do not differ by 2 pi. */
static double lag(const void *ctx, long leave_out)
{
  const struct ask *a = ctx;
  const struct harmonic v = first(a, 0, leave_out), e = first(a, 1, leave_out);
  const double angle = atan2(e.cosine, e.sine) - atan2(v.cosine, v.sine);
  return a->about + remainder(angle - a->about, 2.0 * WN_PI);
}

struct wn_estimate wn_time_rows_amplitude(const struct wn_time_rows *r)
{
  return estimate(r, amplitude, WN_TIME_DRIFT, 0.0);
}

struct wn_estimate wn_time_rows_lag(const struct wn_time_rows *r)
{
  const struct ask a = {r, ratio(r, WN_TIME_DRIFT), 0.0};
  return estimate(r, lag, WN_TIME_DRIFT, lag(&a, -1));
}

int wn_time_rows_state(struct wn_time_rows *r, struct wn_state *state)
{
  WN_TRY(WN_STATE(state, r->interval));
  WN_TRY(WN_STATE_ARRAY(state, r->sum, r->rows * r->groups * r->cells));
  WN_TRY(WN_STATE_ARRAY(state, r->all, r->rows * r->cells));
  WN_TRY(WN_STATE_ARRAY(state, r->factor, r->rows));
  return WN_STATE_ARRAY(state, r->steps, r->rows);
}
