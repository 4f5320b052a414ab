/* src/stats/expected_rates.c - see expected_rates.h. */
#include "src/stats/expected_rates.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/error.h"
#include "base/threads.h"
#include "physics/expected_frequency.h"

#define LOWEST_LOG2 (-14) /* where the tables start (crosssections/xs_table.c) */
#define NODES       4     /* of Gauss's rule in a piece of a bin */

struct line {
  double at, slope; /* 1/s; 1/s/eV from the middle of the bin */
};

struct wn_expected_rates {
  const struct wn_xs_view *xs;
  struct wn_sample sample;
  struct line *line; /* [n_bins][n_processes], by index over all components of the gas */
  char *known;       /* [n_bins] whether its lines are computed */
  int threads;
};

/* Lower edge of a bin, eV; that of the first is 0. */
static double edge(const struct wn_expected_rates *r, size_t bin)
{
  const uint32_t number = (uint32_t)((int32_t)bin + r->sample.base);
  return bin > 0 ? (double)wn_float_from_bits(number << r->sample.shift) : 0.0;
}

int wn_expected_rates_create(const struct wn_xs_table *table, size_t n_groups,
                             int threads, struct wn_expected_rates **out)
{
  struct wn_expected_rates *r = wn_alloc(1, sizeof *r);
  if (r == NULL)
    return WN_ENOMEM;
  r->xs = &table->view;
  r->sample = (struct wn_sample){
      .kind = WN_SAMPLE_OCTAVES,
      .n_groups = (uint32_t)n_groups,
      .shift = 23 - WN_EXPECTED_RATES_BINS_LOG2,
      .base = (int32_t)((127 + LOWEST_LOG2) << WN_EXPECTED_RATES_BINS_LOG2) - 1};
  const uint32_t top = wn_float_bits((float)table->view.e_top) >> r->sample.shift;
  r->sample.n_bins = (size_t)((int32_t)top - r->sample.base) + 1;
  r->line = wn_alloc(r->sample.n_bins * (size_t)r->xs->n_processes, sizeof *r->line);
  r->threads = threads;
  r->known = wn_alloc(r->sample.n_bins, 1);
  if (r->line == NULL || r->known == NULL) {
    wn_expected_rates_free(r);
    return WN_ENOMEM;
  }
  *out = r;
  return WN_OK;
}

void wn_expected_rates_free(struct wn_expected_rates *r)
{
  if (r != NULL) {
    free(r->line);
    free(r->known);
  }
  free(r);
}

struct wn_sample wn_expected_rates_sample(const struct wn_expected_rates *r)
{
  return r->sample;
}

/* Adds to the lines of a bin the frequencies of all processes of component g at a
 * relative energy, times weight and times offset * weight. */
static void add_gas(const struct wn_xs_view *xs, int g, float e_ev, double weight,
                    double offset, struct line *line)
{
  for (int k = 0; k < xs->n_processes; k++) {
    const struct wn_process_view *p = &xs->process[k];
    if (p->gas != g || e_ev < p->threshold_ev)
      continue;
    const double nu =
        weight * (double)wn_xs_probability(xs, k, p->threshold_ev, e_ev) * xs->nu_max;
    line[p->index].at += nu;
    line[p->index].slope += nu * offset;
  }
}

/* The pieces of a bin in which all frequencies are smooth end at edges of segments and at
 * thresholds: the next end above e. */
static double piece_end(const struct wn_xs_view *xs, double e, double bin_end)
{
  float lower;
  const uint32_t n = wn_xs_segment(xs, (float)e, &lower);
  double end = fmin(bin_end, (double)xs->edge[n + 1]);
  for (int k = 0; k < xs->n_processes; k++) {
    const double threshold = (double)xs->process[k].threshold_ev;
    if (threshold > e)
      end = fmin(end, threshold);
  }
  return end > e ? end : bin_end;
}

static void add_piece(const struct wn_expected_rates *r, size_t bin, double from,
                      double to)
{
  static const double x[NODES] = {-0.86113631159405258, -0.33998104358485626,
                                  0.33998104358485626, 0.86113631159405258},
                      of[NODES] = {0.17392742256872693, 0.32607257743127307,
                                   0.32607257743127307, 0.17392742256872693};
  const struct wn_xs_view *xs = r->xs;
  const double lo = edge(r, bin), hi = edge(r, bin + 1), width = hi - lo;
  struct line *line = &r->line[bin * (size_t)xs->n_processes];
  for (int i = 0; i < NODES; i++) {
    const double e = 0.5 * (from + to) + 0.5 * (to - from) * x[i],
                 offset = (e - 0.5 * (lo + hi)) * 12.0 / (width * width),
                 part = of[i] * (to - from) / width;
    for (int g = 0; g < xs->n_gases; g++) {
      struct wn_relative_energy seen[WN_SEEN];
      const int n = wn_expected_relative(xs, g, e, seen);
      for (int j = 0; j < n; j++)
        add_gas(xs, g, seen[j].energy, seen[j].weight * part, offset, line);
    }
  }
}

static void make_lines(struct wn_expected_rates *r, size_t bin)
{
  const double end = edge(r, bin + 1);
  for (double from = edge(r, bin), to; from < end; from = to) {
    to = piece_end(r->xs, from, end);
    add_piece(r, bin, from, to);
  }
  r->known[bin] = 1;
}

/* A sum as a double; one that fits 64 bits is converted in one instruction, with the same value. */
static double to_double(wn_i128 x)
{
  return x == (int64_t)x ? (double)(int64_t)x : (double)x;
}

static int is_populated(const struct wn_expected_rates *r, const wn_i128 *sums,
                        size_t bin)
{
  for (size_t g = 0; g < r->sample.n_groups; g++)
    if (sums[2 * (g * r->sample.n_bins + bin)] != 0)
      return 1;
  return 0;
}

static void make_wanted(struct wn_expected_rates *r, const wn_i128 *sums)
{
#ifdef _OPENMP
  const int threads = wn_threads(r->threads);
#pragma omp parallel for num_threads(threads) schedule(dynamic)
#endif
  for (size_t b = 0; b < r->sample.n_bins; b++)
    if (!r->known[b] && is_populated(r, sums, b))
      make_lines(r, b);
}

void wn_expected_rates_rates(struct wn_expected_rates *r, const wn_i128 *sums,
                             double *rate)
{
  const size_t n = (size_t)r->xs->n_processes, row = 1 + n, bins = r->sample.n_bins;
  memset(rate, 0, r->sample.n_groups * row * sizeof *rate);
  make_wanted(r, sums);
  for (size_t g = 0; g < r->sample.n_groups; g++)
    for (size_t b = 0; b < bins; b++) {
      const wn_i128 *cell = &sums[2 * (g * bins + b)];
      if (cell[0] == 0)
        continue;
      const double w = to_double(cell[0]) / WN_FIX_WEIGHT,
                   off = to_double(cell[1]) / WN_FIX_ENERGY -
                         w * 0.5 * (edge(r, b) + edge(r, b + 1));
      const struct line *line = &r->line[b * n];
      rate[g * row] += w;
      for (size_t k = 0; k < n; k++)
        rate[g * row + 1 + k] += w * line[k].at + off * line[k].slope;
    }
}
