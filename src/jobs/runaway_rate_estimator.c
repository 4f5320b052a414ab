/* src/jobs/runaway_rate_estimator.c - the rates at which thresholds of job `runaway-rate` are passed.
 *
 * A passage has the unit of weight of the time when the electron rose through the first threshold, or was
 * born above it.  It is therefore divided by the number of electrons at that time, which the bins of
 * physics/passages.h give.  The delay in these bins starts at the last control that found the electron
 * below the first threshold; the mean time from there to the first threshold is subtracted. */
#include <math.h>
#include "physics/constants.h"
#include "physics/mcc.h"
#include "src/jobs/runaway_rate.h"

double wn_rate_bin_edge(const struct wn_sim *s, size_t k, int bin)
{
  return wn_passed_edge(bin, wn_passed_octave_of_times(s->c->thresholds_ev[k])) *
         WN_PASS_U * WN_ME / (WN_E * s->c->cases[s->i_case].e);
}

static size_t column(const struct wn_sim *s, size_t k)
{
  return wn_rate_threshold(s->c, WN_PASSED_COHORT, k);
}

static size_t column_of_bin(const struct wn_sim *s, size_t k, int bin)
{
  return wn_rate_bin(s->c, wn_levels_number(&wn_rate_ensemble(s)->levels), (size_t)bin,
                     k);
}

/* Limits, in steps, of each bin of threshold k; a single bin for the first threshold. */
struct delays {
  struct wn_event_rates_delayed is;
  double delay[WN_PASSED_BINS + 1];
};

static const struct wn_event_rates_delayed *delays_of(const struct wn_rate_case *j,
                                                      const struct wn_sim *s, size_t k,
                                                      struct delays *d)
{
  d->is = (struct wn_event_rates_delayed){1, column(s, k), 0, d->delay};
  d->delay[0] = d->delay[1] = 0.0;
  if (k == 0)
    return &d->is;
  const double to_first =
      wn_event_rates_ratio(j->rates, wn_rate_threshold(s->c, WN_PASSED_TIME, 0),
                           column(s, 0))
          .value;
  d->is.n = WN_PASSED_BINS;
  d->is.column = column_of_bin(s, k, 0);
  d->is.stride = column_of_bin(s, k, 1) - d->is.column;
  for (int b = 0; b <= WN_PASSED_BINS; b++)
    d->delay[b] = fmax(wn_rate_bin_edge(s, k, b) / j->interval - to_first, 0.0);
  return &d->is;
}

double wn_rate_passed(const struct wn_rate_case *j, const struct wn_sim *s, size_t k)
{
  return wn_event_rates_events(j->rates, column(s, k));
}

struct wn_estimate wn_rate_of(const struct wn_rate_case *j, const struct wn_sim *s,
                              size_t k)
{
  struct delays d;
  return wn_event_rates_of_delayed(j->rates, delays_of(j, s, k, &d));
}

struct wn_estimate wn_rate_drift(const struct wn_rate_case *j, const struct wn_sim *s,
                                 size_t k)
{
  struct delays d;
  return wn_event_rates_drift_delayed(j->rates, delays_of(j, s, k, &d));
}

struct wn_estimate wn_rate_loss(const struct wn_rate_case *j, const struct wn_sim *s,
                                size_t k)
{
  const size_t last = s->c->n_thresholds - 1;
  struct delays one, other;
  if (!(wn_rate_passed(j, s, last) > 0.0) || k >= last)
    return (struct wn_estimate){NAN, NAN};
  const struct wn_estimate on = wn_event_rates_ratio_delayed(
      j->rates, delays_of(j, s, last, &one), delays_of(j, s, k, &other));
  return (struct wn_estimate){1.0 - on.value, on.error};
}

double wn_rate_part_later(const struct wn_rate_case *j, const struct wn_sim *s, size_t k,
                          double time)
{
  double late = 0.0;
  for (int b = 0; b < WN_PASSED_BINS; b++) {
    const double in = wn_event_rates_events(j->rates, column_of_bin(s, k, b)),
                 from = wn_rate_bin_edge(s, k, b), to = wn_rate_bin_edge(s, k, b + 1);
    if (b == WN_PASSED_BINS - 1) /* it has no upper edge */
      late += in;
    else if (to > time)
      late += in * fmin((to - time) / (to - from), 1.0);
  }
  return late / wn_rate_passed(j, s, k);
}
