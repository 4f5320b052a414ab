/* t0624-rate-window.c - defends: when job runaway-rate measures, by what it divides, and what it
 * calls a plateau.
 *  - Time lived until any moment, of a made-up history, and after every other mark was dropped.
 *  - Events that come late, of electrons that grow in number and whose weights are halved: the
 *    rate is the one that was put in, whenever the window begins and ends.  (Events over the time
 *    lived in the window are wrong by up to 12 % there.)
 *  - The pilot's relaxation is found, and one block apart is none.
 *  - The judgement of a plateau errs in at most 5 % of cases, however large errors are: losses
 *    drawn with errors of 32 groups, Student's t.
 *  - In air the window opens after the time that passages need, and its length does not depend on the
 *    error that it comes to.  Rates do not depend on the last threshold.  With WN_LONG=2 rates of 32
 *    seeds scatter as stated about those of a run that is ten times as long.
 * Statistical checks have fixed seeds; limits are stated where they are. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "src/jobs/runaway_rate.h"
#include "src/stats/event_rates.h"
#include "src/stats/time_lived.h"
#include "t/tap/command.h"
#include "t/tap/draw.h"
#include "t/tap/tap.h"

#define CONFIG "t0624.cfg"
#define OUT    "t0624.nc"

/* ---- time lived */

static void test_lived(void)
{
  struct wn_time_lived *l = NULL;
  const double n = 2.5 * WN_TIME_LIVED_MOST; /* until it is dropped twice */
  double sum = 0.0, worst = 0.0;
  is_int(wn_time_lived_create(2, &l), 0, "of two groups");
  for (int i = 0; i < n; i++) {
    wn_time_lived_add(l, 0, 1.0 + i);
    wn_time_lived_add(l, 1, 2.0);
    wn_time_lived_step(l);
    sum += 1.0 + i;
    if (i == 9) {
      is_close(wn_time_lived_until(l, 0, 10.0), 55.0, 1e-15, "ten steps");
      is_close(wn_time_lived_until(l, 0, 3.5), 8.0, 1e-15, "three and a half");
      is_close(wn_time_lived_until(l, 0, 11.0), 55.0, 1e-15, "after the last: no more");
      is_near(wn_time_lived_until(l, 0, -1.0), 0.0, 0.0, "before the release: nothing");
    }
  }
  is_close(wn_time_lived_until(l, 0, n), sum, 1e-14, "the sum is what it was");
  for (double at = 0.0; at < n; at += 1.75)
    worst = fmax(worst, fabs(wn_time_lived_until(l, 1, at) - 2.0 * at));
  is_near(worst, 0.0, 1e-9, "steady everywhere");
  is_close(wn_time_lived_until(l, 0, 1003.0), 1003.0 * 1004.0 / 2.0, 1e-5,
           "between marks");
  wn_time_lived_free(l);
}

/* ---- rates of late events */

enum { GROUPS = 4, BINS = 8 };

/* Electrons at the time of a step, in the unit of weights of then: they double in `period` steps,
 * and when they have, weights are halved. */
static double number(double step, double period)
{
  const double doublings = step / period;
  return exp2(doublings - floor(doublings));
}

/* A rate of 0.3 of events that come 2 to 4, 4 to 6, ... steps later, in parts that fall. */
static void test_late(double period, int before, int window)
{
  struct wn_event_rates *r = NULL;
  double part[BINS], delay[BINS + 1], all = 0.0, events[BINS + 1], plain = 0.0;
  for (int b = 0; b <= BINS; b++)
    delay[b] = 2.0 + 2.0 * b;
  for (int b = 0; b < BINS; b++)
    all += part[b] = exp(-0.3 * b);
  if (wn_event_rates_create(GROUPS, BINS + 1, BINS, &r) != 0)
    return;
  int opened = 0, end = before + window;
  for (int step = 0; step < end; step++) {
    for (int g = 0; g < GROUPS; g++) {
      const double scale = 1.0 + 0.1 * g; /* groups differ in weight alone */
      events[BINS] = 0.0;
      for (int b = 0; b < BINS; b++) {
        events[b] = 0.0;
        for (int i = 0; i < 40; i++) { /* over the delays of the bin and the step */
          const double then =
              step + 0.5 - (delay[b] + (delay[b + 1] - delay[b]) * (i + 0.5) / 40.0);
          events[b] += then > 0.0
                           ? 0.3 * scale * part[b] / all * number(then, period) / 40.0
                           : 0.0;
        }
        events[BINS] += events[b];
      }
      wn_event_rates_add(r, (size_t)g, scale * number(step + 0.5, period), events);
    }
    wn_event_rates_step(r);
    if (!opened && step + 1 == before) {
      opened = 1;
      end = before + (int)wn_event_rates_open(r, (uint64_t)window);
    }
  }
  const struct wn_event_rates_delayed late = {BINS, 0, 1, delay},
                                      same = {1, BINS, 0, delay};
  plain = wn_event_rates_of(r, BINS).value / 0.3 - 1.0;
  is_close(wn_event_rates_of_delayed(r, &late).value, 0.3, 4e-3,
           "doubling in %g steps, a window of %d after %d (else %+.1f %%)", period,
           window, before, 100.0 * plain);
  is_near(wn_event_rates_of_delayed(r, &late).error, 0.0, 1e-9,
          "all groups have the same");
  is_near(wn_event_rates_drift_delayed(r, &late).value, 0.0, 3e-3,
          "steady in its halves");
  is_close(wn_event_rates_ratio_delayed(r, &late, &late).value, 1.0, 1e-14, "a ratio");
  is_close(wn_event_rates_of_delayed(r, &same).value, 0.3, 0.2, "one delay for all");
  wn_event_rates_free(r);
}

/* Of 64 blocks the first ones have another rate, and one in the middle has. */
static void test_settled(int wrong, int lonely)
{
  struct wn_event_rates *r = NULL;
  if (wn_event_rates_create(8, 1, 1, &r) != 0)
    return;
  draw_state = 5;
  for (int step = 0; step < 60; step++) {
    for (int g = 0; g < 8; g++) {
      const double events = step < wrong || step == lonely ? 1.5 : 1.0,
                   drawn = events + 0.02 * (uniform() - 0.5);
      wn_event_rates_add(r, (size_t)g, 1.0, &drawn);
    }
    wn_event_rates_step(r);
  }
  is_int((long)wn_event_rates_settled(r, 0, 4.0, 0.1), wrong,
         "steady after %d steps, with %s wrong alone", wrong,
         lonely < 0 ? "none" : "one");
  wn_event_rates_free(r);
}

/* ---- the plateau */

static double normal(void)
{
  const double u = 1.0 - uniform(), v = uniform();
  return sqrt(-2.0 * log(u)) * cos(2.0 * acos(-1.0) * v);
}

/* Parts of 20000 cases with the mean of 32 groups drawn about a loss, error their own. */
static void judged(double loss, double error, double *found, double *none)
{
  enum { CASES = 20000, OF = 32 };
  *found = *none = 0.0;
  for (int i = 0; i < CASES; i++) {
    double sum = 0.0, squares = 0.0;
    for (int g = 0; g < OF; g++) {
      const double x = loss + error * sqrt(OF) * normal();
      sum += x;
      squares += x * x;
    }
    const double mean = sum / OF, var = (squares / OF - mean * mean) * OF / (OF - 1);
    const enum wn_plateau is =
        wn_rate_judge((struct wn_estimate){mean, sqrt(var / OF)}, 0.1, OF);
    *found += (is == WN_PLATEAU_FOUND) / (double)CASES;
    *none += (is == WN_PLATEAU_NONE) / (double)CASES;
  }
}

static void test_plateau(void)
{
  static const double errors[] = {0.003, 0.01, 0.03, 0.1, 0.5};
  double found, none, before = 1.0;
  draw_state = 3;
  for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++) {
    /* 0.05 of 20000 is known to 0.0015 */
    judged(0.1, errors[i], &found, &none);
    ok(fabs(found - 0.05) < 0.0065 && fabs(none - 0.05) < 0.0065,
       "a loss at the limit, error %g: called a plateau in %.4f, none in %.4f of cases",
       errors[i], found, none);
    judged(0.05, errors[i], &found, &none);
    ok(found <= before + 0.01 && none < 0.05,
       "half of the limit: worse statistics call less a plateau, %.3f; none %.4f", found,
       none);
    before = found;
    judged(0.15, errors[i], &found, &none);
    ok(found < 0.05 && (errors[i] > 0.02 || none > 0.9),
       "above the limit: %.4f called a plateau, %.3f none", found, none);
  }
  ok(before < 0.08, "where nothing is known hardly any is called so (%.3f)", before);
  ok(wn_rate_judge((struct wn_estimate){NAN, NAN}, 0.1, 32) == WN_PLATEAU_UNKNOWN &&
         wn_rate_judge((struct wn_estimate){0.0, NAN}, 0.1, 32) == WN_PLATEAU_UNKNOWN,
     "NaN: not known");
}

/* ---- air */

#define MOST_UP 9

static const char *const with_first[] = {
    "\"200 eV\",\"500 eV\",\"1 keV\",\"2 keV\",\"4 keV\"",
    "\"200 eV\",\"500 eV\",\"1 keV\",\"2 keV\",\"4 keV\",\"16 keV\"",
    "\"200 eV\",\"500 eV\",\"1 keV\",\"2 keV\",\"4 keV\",\"16 keV\",\"64 keV\""};

static double at(const char *name, size_t i)
{
  return command_nc_at(OUT, name, i);
}

static int run(const char *what, const char *options)
{
  const int status =
      command("%s run " CONFIG " --quiet --output " OUT " %s", command_wilson(), options);
  if (!is_int(status, 0, "%s runs", what))
    diag("%.800s", command_err);
  return status == 0;
}

struct found {
  size_t n;
  double rate[MOST_UP], error[MOST_UP];
};

static struct found result(size_t n)
{
  struct found f = {.n = n};
  for (size_t k = 0; k < n; k++) {
    f.rate[k] = at("passage_rate", k);
    f.error[k] = at("passage_rate_error", k);
  }
  return f;
}

static void write_air(void)
{
  command_write(CONFIG,
                "job = \"runaway-rate\"; initial_energy = \"0.1 eV\";\n"
                "scattering = \"okhrimovskyy\"; sharing = \"rbeb\";\n"
                "electrons = 1000; accuracy = 0.1; duration = \"100 ps\";\n"
                "gas = { pressure = \"1 atm\"; temperature = \"0 degC\"; components = {\n"
                "  N2 = { fraction = 0.79; file = \"builtin:air\"; };\n"
                "  O2 = { fraction = 0.21; file = \"builtin:air\"; };\n"
                "}; };\n"
                "tables = { energy_max = \"10 keV\"; }; population = { target = 400; };\n"
                "runaway = { thresholds = [\"200 eV\", \"500 eV\", \"1 keV\", \"2 keV\", "
                "\"4 keV\"]; };\n");
}

/* Of the run that was made last, with the threshold `last`. */
static void test_opening(size_t last)
{
  ok(at("followed_time", 0) - at("measured_time", 0) - at("relaxation_time", 0) >=
             at("passage_time", last) + 2.0 * at("passage_time_spread", last) &&
         at("measured_time", 0) > 0.19 * at("followed_time", 0),
     "the window opens after the time that passages need");
}

/* Rates over seeds against those of a long run.  Chi-square of n seeds, Student's t of 31 degrees
 * of freedom: 1.07 +- 1.12 sqrt(2/n).  Of 32 seeds it is to be 0.6 to 1.5, which is 1.7 and 1.5
 * standard deviations: the seeds are fixed, it is one draw. */
static void test_seeds(const char *field, int seeds, const char *as_long)
{
  enum { N = 5 };
  double chi[N] = {0.0}, mean[N] = {0.0}, stated[N] = {0.0};
  int steady = 0, plateaus = 0, none = 0;
  char options[256];
  snprintf(
      options, sizeof options,
      "--set 'fields=[\"%s\"]' --seed 777 --set accuracy=1e-6 --set 'duration=\"%s\"'",
      field, as_long);
  if (!run("the long run", options))
    return;
  const struct found truth = result(N);
  const double loss = at("plateau_loss", 0);
  for (int seed = 1; seed <= seeds; seed++) {
    snprintf(options, sizeof options, "--set 'fields=[\"%s\"]' --seed %d", field, seed);
    if (!run(field, options))
      return;
    const struct found f = result(N);
    for (size_t k = 0; k < N; k++) {
      const double d = (f.rate[k] - truth.rate[k]) / f.error[k];
      chi[k] += d * d / seeds;
      mean[k] += f.rate[k] / seeds;
      stated[k] += f.error[k] * f.error[k] / seeds;
    }
    steady += (int)at("is_steady", 0);
    plateaus += (int)at("plateau_state", 0) == WN_PLATEAU_FOUND;
    none += (int)at("plateau_state", 0) == WN_PLATEAU_NONE;
    test_opening(N - 1);
  }
  for (size_t k = 0; k < N; k++) {
    const double e = sqrt(stated[k] / seeds + truth.error[k] * truth.error[k]);
    ok(chi[k] > 0.6 && chi[k] < 1.5,
       "%s, threshold %zu: chi-square per degree of freedom %.2f", field, k, chi[k]);
    ok(fabs(mean[k] - truth.rate[k]) < 4.0 * e,
       "%s, threshold %zu: mean %.4g, long run %.4g, %.2f errors apart", field, k,
       mean[k], truth.rate[k], (mean[k] - truth.rate[k]) / e);
  }
  /* one false alarm in 40 runs of 5 thresholds, by their halves */
  ok(steady >= seeds - 2 - seeds / 8, "%s: %d of %d are steady", field, steady, seeds);
  ok(loss < 0.1 ? none <= 1 + seeds / 10 : plateaus <= 1 + seeds / 10,
     "%s: a loss of %.3f: %d called a plateau, %d none", field, loss, plateaus, none);
}

static void test_last(void)
{
  struct found f[3];
  const int n = command_long() > 1 ? 3 : 2;
  for (int i = 0; i < n; i++) {
    char options[400];
    snprintf(options, sizeof options,
             "--set 'fields=[\"500 kV/cm\"]' --seed %d --set 'duration=\"300 ps\"' "
             "--set 'tables.energy_max=\"160 keV\"' --set 'runaway.thresholds=[%s]'",
             i + 1, with_first[i]);
    if (!run(with_first[i], options))
      return;
    f[i] = result((size_t)(5 + i));
    for (size_t k = 0; i > 0 && k < 5; k++) {
      const double e = hypot(f[i].error[k], f[0].error[k]),
                   d = f[i].rate[k] - f[0].rate[k];
      ok(fabs(d) < 4.0 * e && e < 0.05 * f[0].rate[k],
         "threshold %zu with %s keV as the last: %.4g, else %.4g, %.2f errors apart", k,
         i == 1 ? "16" : "64", f[i].rate[k], f[0].rate[k], d / e);
    }
  }
}

/* Its length comes from the pilot: whatever the window sees, at the same seed and the same pilot
 * its end is the same.  A lower accuracy makes it longer. */
static void test_length(void)
{
  const char *set = "--set 'fields=[\"500 kV/cm\"]' --set electrons=300 ";
  char options[200];
  double length[2], opened[2];
  for (int i = 0; i < 2; i++) {
    snprintf(options, sizeof options, "%s --set accuracy=%s", set,
             i == 0 ? "0.1" : "0.02");
    if (!run("accuracy", options))
      return;
    length[i] = at("measured_time", 0);
    opened[i] = at("followed_time", 0) - length[i];
  }
  is_close(opened[1], opened[0], 1e-9, "accuracy does not move where the window opens");
  ok(length[1] > 2.0 * length[0], "and makes it longer: %.3g and %.3g s", length[0],
     length[1]);
}

/* A duration that ends before passages had their time: no rate is passed off as one. */
static void test_short(void)
{
  if (!run("short", "--set 'fields=[\"500 kV/cm\"]' --set 'duration=\"6 ps\"'"))
    return;
  is_int((long)at("threshold_is_steady", 4), 0, "not steady: 4 keV");
  is_int((long)at("is_steady", 0), 0, "nor all");
  is_int((long)at("is_accurate", 0), 0, "not accurate");
  is_int((long)at("plateau_state", 0), WN_PLATEAU_UNKNOWN, "no plateau is known");
  ok(isnan(at("plateau_threshold", 0)), "and none is named");
  ok(strstr(command_out, "unsteady") != NULL, "the line says so");
  ok(strstr(command_err, "is not steady: the fraction ") != NULL &&
         strstr(command_err, "raise duration (now 6e-12 s)") != NULL,
     "and why, and what to do");
}

int main(void)
{
  plan(0);
  test_lived();
  test_late(10.0, 100, 33);
  test_late(10.0, 103, 400);
  test_late(7.3, 64, 21);
  test_late(300.0, 200, 40);
  test_late(1e9, 100, 30);
  test_settled(0, -1);
  test_settled(7, -1);
  test_settled(7, 20);
  test_settled(0, 20);
  test_plateau();
  write_air();
  test_short();
  if (!command_fast()) {
    test_length();
    test_last();
    if (command_long() > 1) {
      test_seeds("500 kV/cm", 32, "300 ps");
      test_seeds("400 kV/cm", 32, "400 ps");
      test_seeds("300 kV/cm", 32, "400 ps");
    } else if (run("one seed", "--set 'fields=[\"500 kV/cm\"]' --seed 1")) {
      test_opening(4);
    }
  }
  remove(CONFIG);
  remove(OUT);
  return done();
}
