/* t0662-varying-errors.c - defends: stated standard errors of a swarm in a field that changes
 * are those of the scatter, and its rows of time agree with each other.
 *
 * Seeds 1 to n of air at 0.1 Torr, 320 electrons: three periods of 13.56 MHz at 300 Td, eight
 * rows; and a pulse of 400 Td, four rows.  Of each variable the scatter over the seeds in units
 * of the stated error, as chi-square per degree of freedom, on average over its rows and, of
 * the energy distribution, its bins where 30 electrons or more are:
 *
 *   mean over rows of sum (x - mean)^2/e^2/(n - 1)
 *
 * An error of 32 groups makes this 1.07 (t0640), with a standard deviation of 1.07
 * sqrt(2/(n - 1)) at the most, as rows are not independent.  WN_LONG=2: n = 192, 0.6 to 1.5, 4.3
 * and 3.9 of these; else n = 20, 0.3 to 2.3, 2.2 and 3.6.  The seeds are fixed.
 *
 * Of the means over the seeds: expected and counted rates agree within 4 errors of their
 * difference in each row, by the scatter over the seeds; f0 is normalised, and its mean
 * energy is that of the row, within 4 errors and the width of its bins, 12 %, squared. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "t/tap/command.h"
#include "t/tap/tap.h"

#define OUT     "t0662.nc"
#define MOST    192
#define AT_MOST 6000 /* numbers of a variable */

static const char *root(void)
{
  const char *s = getenv("WN_SRCDIR");
  return s != NULL ? s : ".";
}

struct quantity {
  const char *name;
  double least; /* numbers below this part of the greatest are not looked at */
};

/* Sums over the seeds of x, x^2, 1/e^2, x/e^2, x^2/e^2 of each number; seeds it had. */
struct sums {
  size_t n;
  double *of; /* [n][6] */
};

static void add(struct sums *s, const double *x, const double *e, size_t n)
{
  if (s->of == NULL) {
    s->n = n;
    s->of = calloc(n, 6 * sizeof *s->of);
  }
  for (size_t i = 0; s->of != NULL && i < n && i < s->n; i++) {
    double *to = s->of + 6 * i;
    if (!isfinite(x[i]) || !(e[i] > 0.0))
      continue;
    to[0] += x[i];
    to[1] += x[i] * x[i];
    to[2] += 1.0 / (e[i] * e[i]);
    to[3] += x[i] / (e[i] * e[i]);
    to[4] += x[i] * x[i] / (e[i] * e[i]);
    to[5] += 1.0;
  }
}

/* On average over the numbers that every seed has. */
static double chi_square(const struct sums *s, int seeds, double least, size_t *n)
{
  double sum = 0.0, greatest = 0.0;
  *n = 0;
  for (size_t i = 0; i < s->n; i++)
    greatest = fmax(greatest, fabs(s->of[6 * i]));
  for (size_t i = 0; i < s->n; i++) {
    const double *of = s->of + 6 * i, mean = of[0] / seeds;
    if (of[5] != seeds || fabs(of[0]) < least * greatest)
      continue;
    sum += (of[4] - 2.0 * mean * of[3] + mean * mean * of[2]) / (seeds - 1);
    ++*n;
  }
  return sum / (double)*n;
}

static int take(const char *name, struct sums *s)
{
  char error[80];
  size_t n = 0, m = 0;
  snprintf(error, sizeof error, "%s_error", name);
  double *x = command_nc_read(OUT, name, &n), *e = command_nc_read(OUT, error, &m);
  const int there = x != NULL && e != NULL && n == m && n <= AT_MOST;
  if (there)
    add(s, x, e, n);
  free(x);
  free(e);
  return there;
}

/* Differences of two variables of a seed, as if with an error of 1; of rates that were
 * counted. */
static int take_difference(const char *one, const char *other, struct sums *s)
{
  size_t n = 0, m = 0;
  double *x = command_nc_read(OUT, one, &n), *y = command_nc_read(OUT, other, &m);
  const int there = x != NULL && y != NULL && n == m && n <= AT_MOST;
  double *e = there ? malloc(n * sizeof *e) : NULL;
  for (size_t i = 0; e != NULL && i < n; i++) {
    e[i] = 1.0;
    x[i] = y[i] > 0.0 ? x[i] - y[i] : NAN;
  }
  if (e != NULL)
    add(s, x, e, n);
  free(x);
  free(y);
  free(e);
  return e != NULL;
}

/* Every mean is 0 within 4.5 errors, by the scatter, where every seed has it. */
static void is_zero(const struct sums *s, int seeds, const char *what)
{
  double worst = 0.0;
  size_t n = 0;
  for (size_t i = 0; i < s->n; i++) {
    const double *of = s->of + 6 * i, mean = of[0] / seeds,
                 var = (of[1] / seeds - mean * mean) / (seeds - 1);
    if (of[5] != seeds || !(var > 0.0))
      continue;
    worst = fmax(worst, fabs(mean) / sqrt(var));
    n++;
  }
  ok(n > 20 && worst < 4.5, "%s: of %zu the worst is %.2f errors off", what, n, worst);
}

/* f0 of the last seed: normalised, with the mean energy of its row. */
static void distribution(const char *rows, const char *what)
{
  char name[3][80];
  size_t n = 0, n_rows = 0, n_edges = 0, m = 0;
  snprintf(name[0], sizeof name[0], "%s_energy_distribution", rows);
  snprintf(name[1], sizeof name[1], "%s_mean_energy", rows);
  snprintf(name[2], sizeof name[2], "%s_mean_energy_error", rows);
  double *f = command_nc_read(OUT, name[0], &n),
         *e = command_nc_read(OUT, name[1], &n_rows),
         *error = command_nc_read(OUT, name[2], &m),
         *edge = command_nc_read(OUT, "energy_bounds", &n_edges);
  const size_t bins = n_edges / 2;
  if (!ok(f && e && error && edge && n == n_rows * bins && bins > 100,
          "%s: rows of the distribution", what))
    return;
  double worst = 0.0, off = 0.0;
  for (size_t row = 0; row < n_rows; row++) {
    double all = 0.0, energy = 0.0;
    for (size_t b = 0; b < bins; b++) {
      const double lo = edge[2 * b], hi = edge[2 * b + 1],
                   w = 2.0 / 3.0 * (pow(hi, 1.5) - pow(lo, 1.5)) * f[row * bins + b];
      all += w;
      energy += w * sqrt(lo > 0.0 ? lo * hi : 0.25 * hi * hi);
    }
    off = fmax(off, fabs(all - 1.0));
    worst = fmax(worst, fabs(energy - e[row]) / (0.015 * e[row] + 4.0 * error[row]));
  }
  ok(off < 1e-9, "%s: f0 is normalised within %.1g", what, off);
  ok(worst < 1.0, "%s: its mean energy is that of the row, %.2g of what is allowed", what,
     worst);
  free(f), free(e), free(error), free(edge);
}

static void test(const char *rows, const char *what, const char *options,
                 const struct quantity *q, size_t n_q)
{
  const int n = command_long() > 1 ? MOST : 20;
  const double low = command_long() > 1 ? 0.6 : 0.3, high = command_long() > 1 ? 1.5 : 2.3;
  struct sums *s = calloc(n_q + 1, sizeof *s);
  char expected[80], counted[80];
  int ran = s != NULL;
  snprintf(expected, sizeof expected, "%s_process_frequency", rows);
  snprintf(counted, sizeof counted, "%s_process_frequency_counted", rows);
  for (int seed = 1; seed <= n && ran; seed++) {
    ran = command("%s run %s/data/scenarios/swarm-rf.cfg --quiet --output " OUT
                  " --seed %d --set threads=1 --set electrons=320 %s",
                  command_wilson(), root(), seed, options) == 0;
    for (size_t k = 0; k < n_q && ran; k++)
      ran = take(q[k].name, &s[k]);
    ran = ran && take_difference(expected, counted, &s[n_q]);
  }
  if (!ok(ran, "%s: %d seeds", what, n))
    diag("%.600s", command_err);
  for (size_t k = 0; k < n_q && ran; k++) {
    size_t numbers;
    const double chi = chi_square(&s[k], n, q[k].least, &numbers);
    ok(numbers > 0 && chi > low && chi < high,
       "%s, %s: chi-square per degree of freedom %.2f of %zu numbers", what, q[k].name,
       chi, numbers);
  }
  if (ran) {
    is_zero(&s[n_q], n, "expected rates less counted ones");
    distribution(rows, what);
  }
  for (size_t k = 0; s != NULL && k <= n_q; k++)
    free(s[k].of);
  free(s);
}

int main(void)
{
  static const struct quantity periodic[] = {
      {"phase_mean_energy", 0.0},
      {"phase_drift_velocity", 0.0},
      {"phase_energy_gained", 0.0},
      {"phase_process_frequency", 1e-4},
      {"phase_process_frequency_counted", 1e-3},
      {"phase_energy_distribution", 0.05},
      {"period_mean_energy", 0.0},
      {"period_drift_velocity", 0.0},
      {"period_energy_gained", 0.0},
      {"period_process_frequency", 1e-4},
      {"period_process_frequency_counted", 1e-3},
      {"drift_amplitude", 0.0},
      {"drift_phase_lag", 0.0},
  };
  static const struct quantity once[] = {
      {"time_mean_energy", 0.0},        {"time_drift_velocity", 0.0},
      {"time_energy_gained", 0.0},      {"time_electrons", 0.0},
      {"time_process_frequency", 1e-4}, {"time_energy_distribution", 0.05},
  };
  command_skip_if_fast();
  plan(0);
  test("phase", "periods",
       "--set 'fields=[\"300 Td\"]' --set waveform.rows=8 --set 'relaxation=\"150 ns\"' "
       "--set 'duration=\"220 ns\"'",
       periodic, sizeof periodic / sizeof periodic[0]);
  test("time", "a pulse",
       "--set 'fields=[\"400 Td\"]' --set waveform.rows=4 --set 'relaxation=0' --set "
       "'duration=\"80 ns\"' --set 'waveform.shape=\"pulse\"' --set "
       "'waveform.frequency=\"none\"' --set 'waveform.rise=\"10 ns\"' --set "
       "'waveform.length=\"50 ns\"' --set 'waveform.fall=\"10 ns\"'",
       once, sizeof once / sizeof once[0]);
  remove(OUT);
  return done();
}
