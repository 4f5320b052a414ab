/* src/jobs/runaway_rate_bins.c - distributions of the electrons that pass a threshold in job
 * `runaway-rate`: time, path length and direction, in the bins of physics/passages.h, over the
 * passages measured.  There is none of their energy, which is the threshold. */
#include <stdlib.h>
#include "base/alloc.h"
#include "base/error.h"
#include "src/jobs/runaway_rate.h"

/* The part of the passages of threshold k in a bin; first: the row of the first bin. */
struct in_bins {
  const struct wn_rate_case *j;
  const struct wn_sim *s;
  size_t first, n;
};

static struct wn_estimate in_bin(const void *ctx, size_t i)
{
  const struct in_bins *b = ctx;
  const struct wn_config *c = b->s->c;
  const size_t k = i / b->n, levels = wn_levels_number(&wn_rate_ensemble(b->s)->levels);
  return wn_event_rates_ratio(b->j->rates, wn_rate_bin(c, levels, b->first + i % b->n, k),
                              wn_rate_threshold(c, WN_PASSED_COHORT, k));
}

static int put_parts(const struct wn_rate_case *j, const struct wn_sim *s,
                     struct wn_output *o)
{
  static const struct {
    const char *name;
    size_t first, n;
  } rows[] = {
      {"passage_time_distribution", 0, WN_PASSED_BINS},
      {"passage_distance_distribution", WN_PASSED_BINS, WN_PASSED_BINS},
      {"passage_cosine_distribution", (size_t)2 * WN_PASSED_BINS, WN_PASSED_COSINES}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    const struct in_bins b = {j, s, rows[i].first, rows[i].n};
    WN_TRY(wn_diag_put_estimates(o, rows[i].name, s->i_case, s->c->n_thresholds * b.n,
                                 in_bin, &b));
  }
  return WN_OK;
}

/* Lower edges of the bins, in the field of this case. */
static int put_edges(const struct wn_sim *s, struct wn_output *o)
{
  const size_t n = s->c->n_thresholds;
  const double e = s->c->cases[s->i_case].e;
  double *time = wn_alloc(2 * n * WN_PASSED_BINS, sizeof *time);
  if (time == NULL)
    return WN_ENOMEM;
  double *way = time + n * WN_PASSED_BINS;
  for (size_t k = 0; k < n; k++)
    for (int b = 0; b < WN_PASSED_BINS; b++) {
      const double ev = s->c->thresholds_ev[k];
      const size_t i = k * WN_PASSED_BINS + (size_t)b;
      time[i] = wn_rate_bin_edge(s, k, b);
      way[i] = wn_passed_edge(b, wn_passed_octave(ev)) / e;
    }
  int status = wn_output_put(o, "passage_time_bin", (long)s->i_case, time);
  if (status == WN_OK)
    status = wn_output_put(o, "passage_distance_bin", (long)s->i_case, way);
  free(time);
  return status;
}

#define BIN_PART "fraction of the electrons that pass the threshold; the sum is 1"
#define BIN_ENDS                                                                         \
  "a bin ends where the next begins; the first includes all lower values, the last has " \
  "no upper edge"

int wn_rate_define_bins(struct wn_output *o)
{
  static const struct wn_output_var vars[] = {
      {WN_VAR("passage_time_bin", "s",
              "lower edge of a bin of passage_time_distribution"),
       WN_DIMS("field", "threshold", "passage_bin"), .comment = BIN_ENDS,
       .is_coordinate = 1},
      {WN_VAR("passage_time_distribution", "1",
              "distribution of the times averaged in passage_time"),
       WN_DIMS("field", "threshold", "passage_bin"), .with_error = 1,
       .comment = BIN_PART},
      {WN_VAR("passage_distance_bin", "m",
              "lower edge of a bin of passage_distance_distribution"),
       WN_DIMS("field", "threshold", "passage_bin"), .comment = BIN_ENDS,
       .is_coordinate = 1},
      {WN_VAR("passage_distance_distribution", "1",
              "distribution of the displacements averaged in passage_distance"),
       WN_DIMS("field", "threshold", "passage_bin"), .with_error = 1,
       .comment = BIN_PART},
      {WN_VAR("passage_cosine_bin", "1",
              "lower edge of a bin of passage_cosine_distribution"),
       WN_DIMS("cosine_bin"), .is_coordinate = 1,
       .comment = "a bin ends where the next begins, the last at 1"},
      {WN_VAR("passage_cosine_distribution", "1",
              "distribution of the cosines averaged in passage_cosine"),
       WN_DIMS("field", "threshold", "cosine_bin"), .with_error = 1, .comment = BIN_PART},
  };
  WN_TRY(wn_output_dim(o, "passage_bin", WN_PASSED_BINS));
  WN_TRY(wn_output_dim(o, "cosine_bin", WN_PASSED_COSINES));
  return wn_output_define_all(o, vars, sizeof vars / sizeof vars[0]);
}

int wn_rate_begin_bins(struct wn_output *o)
{
  double edge[WN_PASSED_COSINES];
  for (int i = 0; i < WN_PASSED_COSINES; i++)
    edge[i] = -1.0 + 2.0 * i / WN_PASSED_COSINES;
  return wn_output_put(o, "passage_cosine_bin", -1, edge);
}

int wn_rate_put_bins(const struct wn_rate_case *j, const struct wn_sim *s,
                     struct wn_output *o)
{
  WN_TRY(put_edges(s, o));
  return put_parts(j, s, o);
}
