/* src/rates.c - see rates.h. */
#include "src/rates.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/error.h"

struct wn_rates {
  size_t n_groups, n_columns; /* column 0 of a row: the time lived */
  size_t n_blocks;            /* that are full */
  uint64_t length, in_block;  /* steps of a block; of the one in hand */
  uint64_t pilot;             /* steps before the window; 0: it has not begun */
  double *sum;                /* [WN_RATES_BLOCKS + 1][n_groups][1 + n_columns] */
};

static size_t row(const struct wn_rates *r)
{
  return 1 + r->n_columns;
}

static double *block(const struct wn_rates *r, size_t b)
{
  return r->sum + b * r->n_groups * row(r);
}

int wn_rates_create(size_t n_groups, size_t n_columns, struct wn_rates **out)
{
  struct wn_rates *r = wn_alloc(1, sizeof *r);
  if (r == NULL)
    return WN_ENOMEM;
  r->n_groups = n_groups;
  r->n_columns = n_columns;
  r->length = 1;
  r->sum = wn_alloc((WN_RATES_BLOCKS + 1) * n_groups * row(r), sizeof *r->sum);
  if (r->sum == NULL) {
    free(r);
    return WN_ENOMEM;
  }
  *out = r;
  return WN_OK;
}

void wn_rates_free(struct wn_rates *r)
{
  if (r != NULL)
    free(r->sum);
  free(r);
}

void wn_rates_add(struct wn_rates *r, size_t group, double time, const double *events)
{
  double *to = block(r, r->n_blocks) + group * row(r);
  to[0] += time;
  for (size_t k = 0; k < r->n_columns; k++)
    to[1 + k] += events[k];
}

/* Of two blocks one. */
static void merge(struct wn_rates *r)
{
  const size_t n = r->n_groups * row(r);
  for (size_t b = 0; b < WN_RATES_BLOCKS / 2; b++)
    for (size_t i = 0; i < n; i++)
      block(r, b)[i] = block(r, 2 * b)[i] + block(r, 2 * b + 1)[i];
  memset(block(r, WN_RATES_BLOCKS / 2), 0,
         (WN_RATES_BLOCKS / 2 + 1) * n * sizeof *r->sum);
  r->n_blocks = WN_RATES_BLOCKS / 2;
  r->length *= 2;
}

int wn_rates_step(struct wn_rates *r)
{
  if (++r->in_block < r->length)
    return 0;
  r->in_block = 0;
  r->n_blocks++;
  const int due = r->n_blocks >= WN_RATES_BLOCKS / 2 && r->n_blocks % 8 == 0;
  if (r->n_blocks == WN_RATES_BLOCKS)
    merge(r);
  return due;
}

uint64_t wn_rates_open(struct wn_rates *r, uint64_t steps)
{
  memset(r->sum, 0, (WN_RATES_BLOCKS + 1) * r->n_groups * row(r) * sizeof *r->sum);
  r->pilot = r->n_blocks * r->length + r->in_block;
  r->n_blocks = r->in_block = 0;
  /* one less than there can be, as the last would make two of each one */
  r->length = (steps + WN_RATES_BLOCKS - 2) / (WN_RATES_BLOCKS - 1);
  return (steps + r->length - 1) / r->length * r->length;
}

/* The first block that is measured. */
static size_t first_block(const struct wn_rates *r)
{
  return r->pilot > 0 ? 0 : r->n_blocks / 2;
}

uint64_t wn_rates_window(const struct wn_rates *r, uint64_t *before)
{
  *before = r->pilot + first_block(r) * r->length;
  return (r->n_blocks - first_block(r)) * r->length;
}

/* Blocks [first, end). */
struct part {
  const struct wn_rates *r;
  size_t first, end;
  size_t column; /* 0: time */
};

static double sum_of(const struct part *p, long leave_out)
{
  const struct wn_rates *r = p->r;
  double sum = 0.0;
  for (size_t b = p->first; b < p->end; b++)
    for (size_t g = 0; g < r->n_groups; g++)
      if ((long)g != leave_out)
        sum += block(r, b)[g * row(r) + p->column];
  return sum;
}

static struct part window(const struct wn_rates *r, size_t column)
{
  const struct part p = {r, first_block(r), r->n_blocks, column};
  return p;
}

static double rate_of(const struct part *p, long leave_out)
{
  struct part time = *p;
  time.column = 0;
  return sum_of(p, leave_out) / sum_of(&time, leave_out);
}

struct pair {
  struct part one, other, third;
  enum {
    RATE,
    DIFFERENCE,
    RATIO,
    SPREAD
  } what; /* of one; of its rate and the other's; of sums; see wn_rates_spread */
};

static double ask(const void *ctx, long leave_out)
{
  const struct pair *p = ctx;
  if (p->what == RATIO)
    return sum_of(&p->one, leave_out) / sum_of(&p->other, leave_out);
  if (p->what == SPREAD) {
    const double n = sum_of(&p->third, leave_out), mean = sum_of(&p->one, leave_out) / n;
    return sqrt(fmax(sum_of(&p->other, leave_out) / n - mean * mean, 0.0));
  }
  const double one = rate_of(&p->one, leave_out);
  return p->what == DIFFERENCE ? one - rate_of(&p->other, leave_out) : one;
}

static struct wn_estimate estimate(const struct pair *p)
{
  return wn_stats_jackknife(p->one.r->n_groups, ask, p, NULL);
}

struct wn_estimate wn_rates_of(const struct wn_rates *r, size_t column)
{
  const struct pair p = {.one = window(r, 1 + column)};
  return estimate(&p);
}

struct wn_estimate wn_rates_ratio(const struct wn_rates *r, size_t one, size_t other)
{
  const struct pair p = {window(r, 1 + one), window(r, 1 + other), .what = RATIO};
  return estimate(&p);
}

/* Sums over the blocks that are measured, of each group. */
struct groups {
  size_t n;
  double *one, *other;
};

static double part_of(const void *ctx, long leave_out)
{
  const struct groups *s = ctx;
  double one = 0.0, other = 0.0;
  for (size_t g = 0; g < s->n; g++)
    if ((long)g != leave_out) {
      one += s->one[g];
      other += s->other[g];
    }
  return one / other;
}

struct wn_estimate wn_rates_part(const struct wn_rates *r, size_t one, size_t other,
                                 double *scratch)
{
  const struct groups s = {r->n_groups, scratch, scratch + r->n_groups};
  memset(scratch, 0, 2 * s.n * sizeof *scratch);
  for (size_t b = first_block(r); b < r->n_blocks; b++)
    for (size_t g = 0; g < s.n; g++) {
      const double *of = block(r, b) + g * row(r);
      s.one[g] += of[1 + one];
      s.other[g] += of[1 + other];
    }
  return wn_stats_jackknife(s.n, part_of, &s, NULL);
}

struct wn_estimate wn_rates_spread(const struct wn_rates *r, size_t sum, size_t squares,
                                   size_t of)
{
  const struct pair p = {window(r, 1 + sum), window(r, 1 + squares), window(r, 1 + of),
                         SPREAD};
  return estimate(&p);
}

struct wn_estimate wn_rates_drift(const struct wn_rates *r, size_t column)
{
  struct pair p = {window(r, 1 + column), window(r, 1 + column), .what = DIFFERENCE};
  const size_t middle = (p.one.first + p.one.end) / 2;
  p.one.first = p.other.end = middle;
  return estimate(&p);
}

uint64_t wn_rates_settled(const struct wn_rates *r, size_t column, double errors,
                          double part)
{
  struct pair p = {window(r, 1 + column), window(r, 1 + column), .what = DIFFERENCE};
  const double within = part * rate_of(&p.other, -1);
  for (size_t b = p.other.first; b > 0; b--) {
    p.one.first = b - 1;
    p.one.end = b;
    const struct wn_estimate d = estimate(&p);
    if (!(fabs(d.value) <= fmax(within, errors * d.error)))
      return b * r->length;
  }
  return 0;
}

double wn_rates_events(const struct wn_rates *r, size_t column)
{
  const struct part p = window(r, 1 + column);
  return sum_of(&p, -1);
}

double wn_rates_time(const struct wn_rates *r)
{
  const struct part p = window(r, 0);
  return sum_of(&p, -1);
}

int wn_rates_state(struct wn_rates *r, struct wn_state *s)
{
  WN_TRY(WN_STATE(s, r->n_blocks));
  WN_TRY(WN_STATE(s, r->length));
  WN_TRY(WN_STATE(s, r->in_block));
  WN_TRY(WN_STATE(s, r->pilot));
  return WN_STATE_ARRAY(s, r->sum, (WN_RATES_BLOCKS + 1) * r->n_groups * row(r));
}
