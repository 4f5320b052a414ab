/* t0340-stats.c - defends: values and standard errors from groups, the time to go of
 * the progress line, and what that counts. References: closed forms (jackknife of a mean is the mean and its
 * error; of a ratio the delta method, to 1/n), the exact moments of toy models with
 * random numbers from Philox, and integrals of exponential growth by hand. */
#include "src/stats/jackknife.h"
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "base/log.h"
#include "physics/rng.h"
#include "src/run/progress.h"
#include "src/stats/event_rates.h"
#include "src/stats/growth.h"
#include "t/tap/capture.h"
#include "t/tap/tap.h"

#define N     32
#define SEEDS 2000

struct data {
  size_t n;
  const double *x, *y;
};

static double mean(const void *ctx, long leave_out)
{
  const struct data *d = ctx;
  double sum = 0.0, n = 0.0;
  for (size_t i = 0; i < d->n; i++)
    if ((long)i != leave_out)
      sum += d->x[i], n += 1.0;
  return sum / n;
}

static double ratio(const void *ctx, long leave_out)
{
  const struct data *d = ctx;
  double x = 0.0, y = 0.0;
  for (size_t i = 0; i < d->n; i++)
    if ((long)i != leave_out)
      x += d->x[i], y += d->y[i];
  return x / y;
}

static double normal(uint64_t seed, uint32_t i, int k)
{
  double v[3];
  wn_rng_normal3(wn_rng(seed, 4242, i, 0, 0), v);
  return v[k];
}

static void means(void)
{
  static const double x[] = {1.0, 2.0, 4.0, 9.0};
  struct wn_estimate e = wn_stats_mean(4, x);
  is_close(e.value, 4.0, 1e-15, "mean of 1 2 4 9");
  is_close(e.error, sqrt(38.0 / 12.0), 1e-14,
           "its error: squares of the deviations add up to 38");
  e = wn_stats_mean(1, x);
  ok(e.value == 1.0 && isnan(e.error), "one value has no error");
  e = wn_stats_mean(0, x);
  ok(isnan(e.value) && isnan(e.error), "no values have no mean");
  struct data d = {4, x, NULL};
  e = wn_stats_jackknife(4, mean, &d, NULL);
  is_close(e.value, 4.0, 1e-15, "jackknife of a mean is the mean");
  is_close(e.error, sqrt(38.0 / 12.0), 1e-12, "and its error that of the mean");
  d.n = 1;
  e = wn_stats_jackknife(1, mean, &d, NULL);
  ok(e.value == 1.0 && isnan(e.error), "one group has no error");
}

static void ratios(void)
{
  double x[N], y[N], r, sum = 0.0, ym = 0.0;
  for (uint32_t i = 0; i < N; i++) {
    y[i] = 10.0 + normal(1, i, 0);
    x[i] = 3.0 * y[i] + 0.5 * normal(1, i, 1);
    ym += y[i] / N;
  }
  struct data d = {N, x, y};
  struct wn_estimate e = wn_stats_jackknife(N, ratio, &d, NULL);
  r = ratio(&d, -1);
  for (int i = 0; i < N; i++)
    sum += (x[i] - r * y[i]) * (x[i] - r * y[i]);
  is_close(e.value, r, 1e-15, "jackknife of a ratio is the ratio of the sums");
  is_close(e.error, sqrt(sum / (N * (N - 1.0))) / ym, 0.02,
           "its error is that of the delta method, but for terms of 1/n^2");
}

/* x = 5 + 2 control + noise of 1/3: what the control explains goes, the noise stays. */
static void control(void)
{
  double plain_mean = 0.0, best_mean = 0.0, plain_square = 0.0, best_square = 0.0,
         plain_error = 0.0, best_error = 0.0;
  double none = 0.0;
  int smaller = 0, left_out = 0;
  for (int s = 0; s < SEEDS; s++) {
    double x[N], c[N], other[N];
    for (uint32_t i = 0; i < N; i++) {
      c[i] = normal(100 + (uint64_t)s, i, 0);
      x[i] = 5.0 + 2.0 * c[i] + normal(100 + (uint64_t)s, i, 1) / 3.0;
      other[i] = normal(100 + (uint64_t)s, i, 2);
    }
    struct data d = {N, x, NULL};
    struct wn_estimate p = wn_stats_jackknife(N, mean, &d, NULL),
                       b = wn_stats_jackknife(N, mean, &d, c);
    struct wn_estimate o = wn_stats_jackknife(N, mean, &d, other);
    plain_mean += (p.value - 5.0) / SEEDS, best_mean += (b.value - 5.0) / SEEDS,
        none += (o.value - 5.0) / SEEDS;
    plain_square += (p.value - 5.0) * (p.value - 5.0) / SEEDS,
        best_square += (b.value - 5.0) * (b.value - 5.0) / SEEDS;
    plain_error += p.error * p.error / SEEDS, best_error += b.error * b.error / SEEDS;
    smaller += b.error < 0.4 * p.error;
    left_out += o.value == p.value;
  }
  double true_plain = (4.0 + 1.0 / 9.0) / N, true_best = 1.0 / 9.0 / N;
  /* standard error of a mean of SEEDS squares of normal numbers: sqrt(2/SEEDS) of it; 4.5
   * of them: false alarm 7e-6 */
  double limit = 4.5 * sqrt(2.0 / SEEDS);
  is_near(plain_mean, 0.0, 4.5 * sqrt(true_plain / SEEDS),
          "without control the mean over %d seeds is right", SEEDS);
  is_near(best_mean, 0.0, 4.5 * sqrt(1.1 * true_best / SEEDS),
          "with control too: no bias");
  is_close(plain_square, true_plain, limit,
           "without control the scatter over seeds is the known one");
  /* the slope is fitted: 1/(n - 3) more, exact for normal numbers */
  is_close(best_square, true_best * (1.0 + 1.0 / (N - 3.0)), limit,
           "with control it is that of the noise the control leaves");
  is_close(plain_error, plain_square, 2.0 * limit,
           "the error that is stated without control is the scatter");
  is_close(best_error, best_square, 2.0 * limit,
           "the error that is stated with control is the scatter");
  ok(smaller == SEEDS,
     "the control makes the error smaller than 0.4 of what it was, %d times of %d",
     smaller, SEEDS);
  is_near(none, 0.0, 4.5 * sqrt(true_plain / SEEDS),
          "a control that has nothing to do with the value does no harm");
  ok(left_out > SEEDS / 4, "and is left out where it does not help, %d times of %d",
     left_out, SEEDS);
  double x[N], zero[N] = {0};
  for (uint32_t i = 0; i < N; i++)
    x[i] = normal(5, i, 0);
  struct data d = {N, x, NULL};
  struct wn_estimate p = wn_stats_jackknife(N, mean, &d, NULL),
                     z = wn_stats_jackknife(N, mean, &d, zero);
  ok(z.value == p.value && z.error == p.error,
     "a control that is always zero changes nothing");
}

static void fractions(void)
{
  struct wn_estimate e = wn_stats_fraction(25.0, 100.0);
  is_close(e.value, 0.25, 1e-15, "25 of 100");
  is_close(e.error, sqrt(0.25 * 0.75 / 100.0), 0.02,
           "its error is nearly that of the binomial distribution");
  e = wn_stats_fraction(0.0, 98.0);
  ok(e.value == 0.0, "0 of 98 is 0");
  is_close(e.error, sqrt(0.01 * 0.99 / 100.0), 1e-14,
           "with an error, by hand: (k+1)/(n+2) = 0.01");
  struct wn_estimate f = wn_stats_fraction(98.0, 98.0);
  ok(f.value == 1.0, "98 of 98 is 1");
  is_close(f.error, e.error, 1e-12, "with the same error, by symmetry");
}

static void to_go(void)
{
  is_close(wn_progress_to_go(200.0, 5.0, 100.0, 0.0, 8.0, INFINITY), 20.0, 1e-12,
           "constant number: a fifth took 5 s, 20 s to go");
  /* doubling each unit from 100: the work of [0,1] is 100/ln 2, of [1,10] 1022 times that */
  is_close(wn_progress_to_go(100.0 / log(2.0), 3.0, 200.0, log(2.0), 9.0, INFINITY),
           3.0 * 1022.0, 1e-12, "doubling: 1 of 1023 took 3 s");
  is_close(wn_progress_to_go(100.0 / log(2.0), 4.0, 100.0, -log(2.0), 2.0, INFINITY),
           4.0 * (0.875 - 0.5) / 0.5, 1e-12, "halving: 1/2 of 7/8 took 4 s");
  is_near(wn_progress_to_go(1.0, 7.0, 900.0, 1.0, 0.0, INFINITY), 0.0, 1e-12,
          "at the end nothing is to go");
  is_close(wn_progress_to_go(100.0, 1.0, 100.0, 1e-8, 3.0, INFINITY), 3.0, 1e-6,
           "slow growth goes over into none");
  /* doubling twice from 100, then 400 for 3: 300/ln 2 + 1200 */
  is_close(wn_progress_to_go(100.0, 1.0, 100.0, log(2.0), 5.0, 400.0),
           3.0 / log(2.0) + 12.0, 1e-12, "growth that ends at a target");
  is_close(wn_progress_to_go(100.0, 1.0, 500.0, log(2.0), 5.0, 400.0), 25.0, 1e-12,
           "more than the target: as many go on");
  /* extreme: 1e-15 s steps of a long run */
  is_close(wn_progress_to_go(2e-12, 1.0, 1001, 1e12, 2e-15, INFINITY), 1.002, 1e-3,
           "times of femtoseconds");
  /* from 100 by 10 a second: 100 + 5 in the first second, 1050 + 25 in the first ten */
  is_close(wn_progress_to_go_linear(100.0, 2.0, 100.0, 10.0, 1.0, INFINITY), 2.1, 1e-12,
           "linear growth");
  is_close(wn_progress_to_go_linear(100.0, 2.0, 100.0, 10.0, 4.0, 120.0), 9.2, 1e-12,
           "linear growth up to a limit");
  is_close(wn_progress_to_go_linear(100.0, 2.0, 150.0, 10.0, 4.0, 120.0), 12.0, 1e-12,
           "linear growth beyond it");
}

/* The line of a plasma counts steps of particles: 10^6 s for 1000 steps of 100 particles, in which 7
 * candidates were drawn, are 10^10 ns each.  The seconds of the test itself do not show. */
static void line(void)
{
  struct wn_progress p;
  wn_progress_init(&p, 1, 0, 0);
  p.terminal = 0;
  wn_progress_case(&p, "plasma");
  p.case_start -= 1e6;
  capture();
  for (int i = 1; i <= 1000; i++) {
    p.last = i < 1000 ? p.case_start + 2e6 : p.case_start;
    wn_progress_step(&p, 1e-12 * i, 100, INFINITY, (uint64_t)(7 * i / 1000), 0,
                     2.5e-4 * i);
  }
  const char *said = captured();
  ok(strstr(said, "plasma:  25 %, 100 particles, 1e+10 ns per step of one, 833:20:") !=
         NULL,
     "progress of a plasma: %s", said);
}

/* N of a growth law, and when the store would be full: never foreseen earlier, and right in
 * the second half of the time. */
static void foreseen(const char *what, double (*law)(double), double t_full, double limit,
                     double slack)
{
  struct wn_growth g = {0};
  double doubling, first = INFINITY, worst = 0.0, early = INFINITY;
  for (double t = 0.0; t < t_full; t += 1e-6 * t_full)
    if (wn_growth_note(&g, t, law(t))) {
      const double until = wn_growth_until(&g, limit, &doubling);
      if (isinf(until))
        continue;
      /* growth is taken a fifth slower than measured */
      const double ratio = until / 1.2 / (t_full - t);
      first = fmin(first, t);
      early = fmin(early, ratio);
      if (t > 0.5 * t_full)
        worst = fmax(worst, fabs(ratio - 1.0));
    }
  ok(first < 0.6 * t_full, "%s: foreseen from %.2g of the time on", what, first / t_full);
  ok(early > 1.0 - slack, "%s: never earlier than it is: %.3g", what, early);
  ok(worst < slack, "%s: in the second half right to %.2g of what is left", what, worst);
}

static double exponential(double t)
{
  return 1e3 * exp(t);
}

static double linear(double t)
{
  return 1e3 * (1.0 + t);
}

static double late(double t) /* none at first */
{
  return 1e3 * exp(fmax(0.0, t - 3.0));
}

static void outgrown(void)
{
  struct wn_growth g = {0};
  double doubling;
  foreseen("exponential", exponential, log(1e5), 1e8, 0.02);
  /* the mean rate of a stretch is not quite that in its middle */
  foreseen("linear", linear, 1e5, 1e8 + 1e3, 0.1);
  foreseen("late", late, 3.0 + log(1e5), 1e8, 0.02);
  foreseen("small store", exponential, log(4.0), 4e3, 0.1);
  /* 20 electrons that double do not say much: 1/20 - 1/40 is an error of 0.23 */
  for (int i = 0; i <= 10; i++)
    wn_growth_note(&g, i, 10.0 * exp(0.14 * i));
  ok(isinf(wn_growth_until(&g, 1e6, &doubling)), "few of them say nothing");
  for (int i = 11; i <= 40; i++)
    wn_growth_note(&g, i, 10.0 * exp(0.14 * i));
  is_close(wn_growth_until(&g, 1e6, &doubling), 1.2 * (log(1e5) / 0.14 - g.at[g.n - 1].t),
           1e-9, "more of them do");
  is_close(doubling, log(2.0) / 0.14, 1e-9, "and how fast they double");
  wn_growth_note(&g, 41.0, 100.0);
  ok(isinf(wn_growth_until(&g, 1e6, &doubling)), "when they become fewer it begins anew");
}

/* Of the numbers 0 and 2, 1 and 3, 2 and 4, 3 and 5: mean 5/2, mean square 17/2. */
static void spread(void)
{
  enum { NUMBER, SUM, SQUARES, COLUMNS };
  struct wn_event_rates *r = NULL;
  is_int(wn_event_rates_create(4, COLUMNS, 1, &r), 0, "rates of four groups");
  for (int g = 0; g < 4; g++) {
    const double x = g, y = g + 2.0, events[] = {2.0, x + y, x * x + y * y};
    wn_event_rates_add(r, (size_t)g, 1.0, events);
  }
  wn_event_rates_step(r);
  is_close(wn_event_rates_spread(r, SUM, SQUARES, NUMBER).value, 1.5, 1e-14,
           "their standard deviation");
  is_close(wn_event_rates_ratio(r, SUM, NUMBER).value, 2.5, 1e-14, "and mean");
  /* leaving one group out: means 3, 8/3, 7/3, 2 and variances 5/3, 23/9, 23/9, 5/3 */
  const double out[] = {sqrt(5.0 / 3.0), sqrt(23.0 / 9.0), sqrt(23.0 / 9.0),
                        sqrt(5.0 / 3.0)};
  double mean = 0.0, sum = 0.0;
  for (int i = 0; i < 4; i++)
    mean += out[i] / 4.0;
  for (int i = 0; i < 4; i++)
    sum += (out[i] - mean) * (out[i] - mean);
  is_close(wn_event_rates_spread(r, SUM, SQUARES, NUMBER).error, sqrt(0.75 * sum), 1e-12,
           "and the error that the jackknife gives it");
  wn_event_rates_free(r);
}

int main(void)
{
  plan(0);
  wn_log_set_level(WN_LOG_ERROR);
  means();
  ratios();
  spread();
  control();
  fractions();
  to_go();
  line();
  outgrown();
  return done();
}
