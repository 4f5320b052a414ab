/* src/stats/event_rates.c - see event_rates.h. */
#include "src/stats/event_rates.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/error.h"
#include "src/stats/time_lived.h"

struct wn_event_rates {
  size_t n_groups, n_columns; /* column 0 of a row: time lived */
  size_t n_blocks;            /* that are full */
  uint64_t length, in_block;  /* steps of a block; steps of the current one */
  uint64_t pilot;             /* steps before the window; 0: no window yet */
  double *sum;                /* [WN_EVENT_RATES_BLOCKS + 1][n_groups][1 + n_columns] */
  struct wn_time_lived *lived;
  size_t most_delays;
  double *scratch; /* [2][2][most_delays][n_groups + 1] */
};

static size_t row(const struct wn_event_rates *r)
{
  return 1 + r->n_columns;
}

static double *block(const struct wn_event_rates *r, size_t b)
{
  return r->sum + b * r->n_groups * row(r);
}

int wn_event_rates_create(size_t n_groups, size_t n_columns, size_t most_delays,
                          struct wn_event_rates **out)
{
  struct wn_event_rates *r = wn_alloc(1, sizeof *r);
  if (r == NULL)
    return WN_ENOMEM;
  r->n_groups = n_groups;
  r->n_columns = n_columns;
  r->most_delays = most_delays > 0 ? most_delays : 1;
  r->length = 1;
  r->sum = wn_alloc((WN_EVENT_RATES_BLOCKS + 1) * n_groups * row(r), sizeof *r->sum);
  r->scratch = wn_alloc(4 * r->most_delays * (n_groups + 1), sizeof *r->scratch);
  if (r->sum == NULL || r->scratch == NULL ||
      wn_time_lived_create(n_groups, &r->lived) != WN_OK) {
    wn_event_rates_free(r);
    return WN_ENOMEM;
  }
  *out = r;
  return WN_OK;
}

void wn_event_rates_free(struct wn_event_rates *r)
{
  if (r == NULL)
    return;
  wn_time_lived_free(r->lived);
  free(r->scratch);
  free(r->sum);
  free(r);
}

void wn_event_rates_add(struct wn_event_rates *r, size_t group, double time,
                        const double *events)
{
  double *to = block(r, r->n_blocks) + group * row(r);
  to[0] += time;
  wn_time_lived_add(r->lived, group, time);
  for (size_t k = 0; k < r->n_columns; k++)
    to[1 + k] += events[k];
}

/* Merges blocks in pairs. */
static void merge(struct wn_event_rates *r)
{
  const size_t n = r->n_groups * row(r);
  for (size_t b = 0; b < WN_EVENT_RATES_BLOCKS / 2; b++)
    for (size_t i = 0; i < n; i++)
      block(r, b)[i] = block(r, 2 * b)[i] + block(r, 2 * b + 1)[i];
  memset(block(r, WN_EVENT_RATES_BLOCKS / 2), 0,
         (WN_EVENT_RATES_BLOCKS / 2 + 1) * n * sizeof *r->sum);
  r->n_blocks = WN_EVENT_RATES_BLOCKS / 2;
  r->length *= 2;
}

int wn_event_rates_step(struct wn_event_rates *r)
{
  wn_time_lived_step(r->lived);
  if (++r->in_block < r->length)
    return 0;
  r->in_block = 0;
  r->n_blocks++;
  const int due = r->n_blocks >= WN_EVENT_RATES_BLOCKS / 2 && r->n_blocks % 8 == 0;
  if (r->n_blocks == WN_EVENT_RATES_BLOCKS)
    merge(r);
  return due;
}

uint64_t wn_event_rates_open(struct wn_event_rates *r, uint64_t steps)
{
  memset(r->sum, 0, (WN_EVENT_RATES_BLOCKS + 1) * r->n_groups * row(r) * sizeof *r->sum);
  r->pilot = r->n_blocks * r->length + r->in_block;
  r->n_blocks = r->in_block = 0;
  /* one less than the maximum, as a full set would be merged */
  r->length = (steps + WN_EVENT_RATES_BLOCKS - 2) / (WN_EVENT_RATES_BLOCKS - 1);
  return (steps + r->length - 1) / r->length * r->length;
}

/* The first block that is measured. */
static size_t first_block(const struct wn_event_rates *r)
{
  return r->pilot > 0 ? 0 : r->n_blocks / 2;
}

uint64_t wn_event_rates_window(const struct wn_event_rates *r, uint64_t *before)
{
  *before = r->pilot + first_block(r) * r->length;
  return (r->n_blocks - first_block(r)) * r->length;
}

/* Blocks [first, end). */
struct part {
  size_t first, end;
};

static struct part window(const struct wn_event_rates *r)
{
  const struct part p = {first_block(r), r->n_blocks};
  return p;
}

static double sum_of(const struct wn_event_rates *r, struct part p, size_t of, size_t g)
{
  double sum = 0.0;
  for (size_t b = p.first; b < p.end; b++)
    sum += block(r, b)[g * row(r) + of];
  return sum;
}

/* ---- sums of quotients of sums over groups: rates, and parts of them */

/* [n][n_groups + 1]: the groups, then their sum. */
struct quotients {
  size_t n;
  double *above, *below;
};

/* A function of one or two of them. */
struct request {
  const struct wn_event_rates *r;
  struct quotients one, other;
  enum {
    ONE,
    DIFFERENCE,
    RATIO,
    SPREAD /* sqrt(other - one^2) */
  } what;
};

static double of_groups(const struct wn_event_rates *r, const struct quotients *q,
                        long leave_out)
{
  const size_t groups = r->n_groups;
  double sum = 0.0;
  for (size_t i = 0; i < q->n; i++) {
    const double *above = q->above + i * (groups + 1),
                 *below = q->below + i * (groups + 1);
    if (above[groups] > 0.0 || q->n == 1)
      sum += leave_out < 0 ? above[groups] / below[groups]
                           : (above[groups] - above[leave_out]) /
                                 (below[groups] - below[leave_out]);
  }
  return sum;
}

static double ask(const void *ctx, long leave_out)
{
  const struct request *a = ctx;
  const double one = of_groups(a->r, &a->one, leave_out);
  if (a->what == ONE)
    return one;
  const double other = of_groups(a->r, &a->other, leave_out);
  return a->what == DIFFERENCE ? one - other
         : a->what == RATIO    ? one / other
                               : sqrt(fmax(other - one * one, 0.0));
}

static struct wn_estimate estimate(const struct request *a)
{
  return wn_stats_jackknife(a->r->n_groups, ask, a, NULL);
}

/* The sums of a column of a row over a part; all: over the groups, too. */
static void fill(const struct wn_event_rates *r, struct part p, size_t of, double *out)
{
  out[r->n_groups] = 0.0;
  for (size_t g = 0; g < r->n_groups; g++) {
    out[g] = sum_of(r, p, of, g);
    out[r->n_groups] += out[g];
  }
}

/* Time lived in a part shifted back by a number of steps: mean over delays from..to. */
static void fill_time_lived(const struct wn_event_rates *r, struct part p, double from,
                            double to, double *out)
{
  enum { POINTS = 8 };
  const double first = (double)(r->pilot + p.first * r->length),
               end = (double)(r->pilot + p.end * r->length);
  const int n = to > from ? POINTS : 1;
  out[r->n_groups] = 0.0;
  for (size_t g = 0; g < r->n_groups; g++) {
    out[g] = 0.0;
    for (int i = 0; i < n; i++) {
      const double delay = from + (to - from) * (i + 0.5) / n;
      out[g] += (wn_time_lived_until(r->lived, g, end - delay) -
                 wn_time_lived_until(r->lived, g, first - delay)) /
                n;
    }
    out[r->n_groups] += out[g];
  }
}

/* Memory of the first or second quotient of a request. */
static struct quotients memory(const struct wn_event_rates *r, int second, size_t n)
{
  const size_t most = r->most_delays * (r->n_groups + 1);
  double *at = r->scratch + (second ? 2 * most : 0);
  const struct quotients q = {n, at, at + most};
  return q;
}

/* The ratio of two columns; a column has number 1 + its index. */
static struct quotients quotient(const struct wn_event_rates *r, int second, size_t above,
                                 size_t below)
{
  const struct quotients q = memory(r, second, 1);
  fill(r, window(r), above, q.above);
  fill(r, window(r), below, q.below);
  return q;
}

static struct quotients rate_of(const struct wn_event_rates *r, int second,
                                const struct wn_event_rates_delayed *x, struct part p)
{
  const struct quotients q = memory(r, second, x->n);
  for (size_t i = 0; i < x->n; i++) {
    double *above = q.above + i * (r->n_groups + 1),
           *below = q.below + i * (r->n_groups + 1);
    fill(r, p, 1 + x->column + i * x->stride, above);
    if (above[r->n_groups] > 0.0 || x->n == 1)
      fill_time_lived(r, p, x->delay[i], x->delay[i + 1], below);
  }
  return q;
}

static const double at_once[] = {0.0, 0.0};

static struct wn_event_rates_delayed column_alone(size_t column)
{
  const struct wn_event_rates_delayed x = {1, column, 0, at_once};
  return x;
}

struct wn_estimate wn_event_rates_of(const struct wn_event_rates *r, size_t column)
{
  const struct wn_event_rates_delayed x = column_alone(column);
  return wn_event_rates_of_delayed(r, &x);
}

struct wn_estimate wn_event_rates_of_delayed(const struct wn_event_rates *r,
                                             const struct wn_event_rates_delayed *x)
{
  const struct request a = {.r = r, .one = rate_of(r, 0, x, window(r))};
  return estimate(&a);
}

struct wn_estimate
wn_event_rates_ratio_delayed(const struct wn_event_rates *r,
                             const struct wn_event_rates_delayed *one,
                             const struct wn_event_rates_delayed *other)
{
  const struct request a = {.r = r,
                            .one = rate_of(r, 0, one, window(r)),
                            .other = rate_of(r, 1, other, window(r)),
                            .what = RATIO};
  return estimate(&a);
}

struct wn_estimate wn_event_rates_drift_delayed(const struct wn_event_rates *r,
                                                const struct wn_event_rates_delayed *x)
{
  struct part first = window(r), second = first;
  first.end = second.first = (first.first + first.end) / 2;
  const struct request a = {.r = r,
                            .one = rate_of(r, 0, x, second),
                            .other = rate_of(r, 1, x, first),
                            .what = DIFFERENCE};
  return estimate(&a);
}

struct wn_estimate wn_event_rates_ratio(const struct wn_event_rates *r, size_t one,
                                        size_t other)
{
  const struct request a = {.r = r, .one = quotient(r, 0, 1 + one, 1 + other)};
  return estimate(&a);
}

struct wn_estimate wn_event_rates_spread(const struct wn_event_rates *r, size_t sum,
                                         size_t squares, size_t of)
{
  const struct request a = {.r = r,
                            .one = quotient(r, 0, 1 + sum, 1 + of),
                            .other = quotient(r, 1, 1 + squares, 1 + of),
                            .what = SPREAD};
  return estimate(&a);
}

uint64_t wn_event_rates_settled(const struct wn_event_rates *r, size_t column,
                                double errors, double part)
{
  const struct wn_event_rates_delayed x = column_alone(column);
  struct request a = {.r = r, .other = rate_of(r, 1, &x, window(r)), .what = DIFFERENCE};
  const double within = part * of_groups(r, &a.other, -1);
  int later = 0; /* whether the block after this one differs */
  for (size_t b = first_block(r); b > 0; b--) {
    const struct part one = {b - 1, b};
    a.one = rate_of(r, 0, &x, one);
    const struct wn_estimate d = estimate(&a);
    const int differs = !(fabs(d.value) <= fmax(within, errors * d.error));
    if (differs && (later || b == 1))
      return (b + (size_t)later) * r->length;
    later = differs;
  }
  return 0;
}

static double sum_of_groups(const struct wn_event_rates *r, size_t of)
{
  double sum = 0.0;
  for (size_t g = 0; g < r->n_groups; g++)
    sum += sum_of(r, window(r), of, g);
  return sum;
}

double wn_event_rates_events(const struct wn_event_rates *r, size_t column)
{
  return sum_of_groups(r, 1 + column);
}

double wn_event_rates_time(const struct wn_event_rates *r)
{
  return sum_of_groups(r, 0);
}

int wn_event_rates_state(struct wn_event_rates *r, struct wn_state *s)
{
  WN_TRY(WN_STATE(s, r->n_blocks));
  WN_TRY(WN_STATE(s, r->length));
  WN_TRY(WN_STATE(s, r->in_block));
  WN_TRY(WN_STATE(s, r->pilot));
  WN_TRY(wn_time_lived_state(r->lived, s));
  return WN_STATE_ARRAY(s, r->sum, (WN_EVENT_RATES_BLOCKS + 1) * r->n_groups * row(r));
}
