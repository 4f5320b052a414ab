/* t0623-passages.c - defends: the distributions of time, way and cosine of first passages
 * (physics/passages.h, src/jobs/runaway_rate_bins.c).
 *  - Bins begin at their edges, to the last bit, and the ends take what is beyond.
 *  - Known answer: electrons that begin with one energy in all directions fly freely in a
 *    made-up gas, which attaches with a constant frequency nu and does nothing else.  One
 *    that begins with the cosine mu has u_z = u_0 mu + a t, reaches the energy W when u_z^2 =
 *    u_W^2 - u_0^2 (1 - mu^2), and lives that long with the chance exp(-nu t); mu is uniform.
 *    All that is asked of it follows, and is summed over mu here, in the units of weights, which
 *    follow the decay of all.
 *  - The parts add up to 1, as each passage is in one bin; the means are those of the bins,
 *    as far as these say.
 *  - Schedulers and threads change no bit.
 * Fixed seed; four standard errors for each bin, of which there are 10: a false alarm in
 * 1500 seeds. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "physics/constants.h"
#include "physics/passages.h"
#include "t/tap/command.h"
#include "t/tap/loss_gas.h"
#include "t/tap/tap.h"

#define GAS    "t0623.txt"
#define CONFIG "t0623.cfg"
#define OUT    "t0623.nc"

#define DENSITY 2.5e25 /* m-3 */
#define FIELD   1e7    /* V/m */
#define LOSS    4e11   /* 1/s */
#define STEP    2e-14  /* s, between controls */
#define END                                                                              \
  5.12e-12 /* s: 256 steps, of which the second half is measured, as no window opens */
#define FIRST 50.0 /* eV: with it they begin, */
#define LOWER 51.0 /* these are the thresholds */
#define UPPER 98.3

static void test_bins(void)
{
  int exact = 1;
  for (int i = 1; i < WN_PASSED_BINS; i++)
    for (int octave = -4; octave < 20; octave++)
      exact &= wn_passed_bin(wn_passed_edge(i, octave), octave) == i &&
               wn_passed_bin(nextafter(wn_passed_edge(i, octave), 0.0), octave) == i - 1;
  ok(exact, "%d bins begin at their edges", WN_PASSED_BINS);
  is_close(wn_passed_edge(5, 3), 8.0 * 5.0 / 64.0, 0.0, "the sixth, at 5/64");
  ok(wn_passed_octave(63.9) == 5 && wn_passed_octave(64.0) == 6 &&
         wn_passed_octave(0.4) == -2 && wn_passed_octave_of_times(64.0) == 5 &&
         wn_passed_octave_of_times(127.0) == 5 && wn_passed_octave_of_times(0.1) == 0,
     "octaves of thresholds");
  ok(wn_passed_bin(0.0, 0) == 0 && wn_passed_bin(-3.0, 0) == 0 &&
         wn_passed_bin(1e-30, 0) == 0 && wn_passed_bin(8.0, 0) == WN_PASSED_BINS - 1 &&
         wn_passed_bin(DBL_MAX, 0) == WN_PASSED_BINS - 1,
     "the ends take what is beyond");
  ok(wn_passed_cosine_bin(-1.0) == 0 && wn_passed_cosine_bin(-1.5) == 0 &&
         wn_passed_cosine_bin(1.0) == WN_PASSED_COSINES - 1 &&
         wn_passed_cosine_bin(1.5) == WN_PASSED_COSINES - 1 &&
         wn_passed_cosine_bin(0.0) == WN_PASSED_COSINES / 2 &&
         wn_passed_cosine_bin(-1e-9) == WN_PASSED_COSINES / 2 - 1,
     "cosines from -1 to 1");
}

static double at(const char *name, size_t i)
{
  return command_nc_at(OUT, name, i);
}

static int run(const char *options)
{
  const int status =
      command("%s run " CONFIG " --quiet --output " OUT " %s", command_wilson(), options);
  if (!is_int(status, 0, "%s", options))
    diag("%.800s", command_err);
  return status == 0;
}

/* What is expected in the bins of the upper threshold. */
struct expected {
  double time[WN_PASSED_BINS], way[WN_PASSED_BINS], cosine[WN_PASSED_COSINES], all;
};

/* Velocities in units of that of 1 eV, so that u^2 is an energy. */
static double acceleration(void)
{
  return WN_E * FIELD / WN_ME / sqrt(2.0 * WN_E / WN_ME);
}

/* The end of the step in which an electron that begins with mu passes the upper threshold, and
 * leaves. */
static double passes_at(double mu)
{
  const double across = FIRST * (1.0 - mu * mu);
  return ceil((sqrt(UPPER - across) - sqrt(FIRST) * mu) / acceleration() / STEP) * STEP;
}

/* All weights were doubled so often by a time, at the ends of steps after which half of them
 * is no longer there (src/jobs/runaway_rate.c); what passes is counted in the unit of weights of the
 * time when it passed the lower threshold. */
static int doublings(double time)
{
  enum { STEPS = 256, MUS = 2000 };
  static int of_step[STEPS + 1], is_known;
  int n = 0;
  for (int step = 1; step <= STEPS && !is_known; step++) {
    int here = 0;
    for (int i = 0; i < MUS; i++)
      here += passes_at(2.0 * (i + 0.5) / MUS - 1.0) > (step + 0.5) * STEP;
    while (exp(-LOSS * step * STEP) * here / MUS <= ldexp(0.5, -n) && here > 0)
      n++;
    of_step[step] = n;
  }
  is_known = 1;
  return of_step[(int)(time / STEP + 0.5)];
}

/* An electron that begins with mu: that it has passed is noticed at the end of the step, but
 * for candidates, of which there is less than one in a hundred steps.  An electron that passes before
 * `from`, or after the end, is not in what is measured.  */
static void fly(double mu, double from, struct expected *x)
{
  const double a = acceleration(), u_0 = sqrt(FIRST) * mu,
               across = FIRST * (1.0 - mu * mu), lower = (sqrt(LOWER - across) - u_0) / a,
               t = passes_at(mu), mark = floor(lower / STEP) * STEP,
               u_mark = u_0 + a * mark, u = u_0 + a * t,
               weight = ldexp(exp(-LOSS * t), doublings(mark));
  if (t < from + 0.5 * STEP || t > END + 0.5 * STEP)
    return;
  x->time[wn_passed_bin((t - mark) * a, 5)] += weight; /* 64 <= UPPER < 128 */
  x->way[wn_passed_bin(u * u - u_mark * u_mark, 6)] += weight;
  x->cosine[wn_passed_cosine_bin(u / sqrt(u * u + across))] += weight;
  x->all += weight;
}

static struct expected expect(double from)
{
  struct expected x = {.all = 0.0};
  const int n = 200000;
  for (int i = 0; i < n; i++)
    fly(2.0 * (i + 0.5) / n - 1.0, from, &x);
  return x;
}

/* The parts of a distribution; 0.01 for what is noticed at candidates. */
static void compare(const char *name, size_t n, const double *expected, double all)
{
  char error[64];
  double sum = 0.0;
  int filled = 0;
  snprintf(error, sizeof error, "%s_error", name);
  for (size_t i = 0; i < n; i++) {
    const double got = at(name, n + i), e = at(error, n + i), want = expected[i] / all;
    sum += got;
    if (want > 0.0 || got > 0.0) {
      filled++;
      ok(fabs(got - want) < 4.0 * e + 0.01 && e < 0.02,
         "%s: %.4f +- %.4f in bin %zu, expected %.4f", name, got, e, i, want);
    }
  }
  ok(filled > 1, "%d bins are filled", filled);
  is_close(sum, 1.0, 1e-12, "their parts add up to 1");
}

static void test_mean(const char *name, const char *distribution, const char *bin)
{
  for (size_t k = 0; k < 2; k++) {
    double low = 0.0, high = 0.0;
    for (size_t i = k * WN_PASSED_BINS; i < (k + 1) * WN_PASSED_BINS; i++) {
      const double part = at(distribution, i);
      if (part == 0.0)
        continue;
      low += part * at(bin, i);
      high += part * at(bin, i + 1); /* the last is empty */
    }
    const double mean = at(name, k);
    ok(mean >= low && mean <= high && high < (k > 0 ? 1.3 * low : INFINITY),
       "%s: %.4g is between %.4g and %.4g", name, mean, low, high);
  }
}

static void test_known(void)
{
  write_loss_gas(GAS, LOSS, DENSITY, 400.0, "400");
  command_write(CONFIG,
                "job = \"runaway-rate\"; fields = [\"100 kV/cm\"]; electrons = 8000;\n"
                "initial_energy = \"50 eV\"; initial_spectrum = \"mono\";\n"
                "duration = \"5.12 ps\"; scattering = \"isotropic\"; accuracy = 1e-4;\n"
                "sampling = { interval = \"0.02 ps\"; };\n"
                "gas = { number_density = \"2.5e25 m-3\"; temperature = \"0.01 K\";\n"
                "  thermal_motion = false; components = { X = { file = \"" GAS
                "\"; }; }; };\n"
                "tables = { energy_max = \"300 eV\"; };\n"
                "population = { target = 2000; };\n"
                "runaway = { thresholds = [\"51 eV\", \"98.3 eV\"];\n"
                "  levels_from = \"20 eV\"; levels_per_decade = 5; };\n");
  if (!run("--set threads=1"))
    return;
  const double from = at("followed_time", 0) - at("measured_time", 0);
  const struct expected x = expect(from);
  is_close(from, 0.5 * END, 1e-9, "measured from %.3g ps on", 1e12 * from);
  compare("passage_time_distribution", WN_PASSED_BINS, x.time, x.all);
  compare("passage_distance_distribution", WN_PASSED_BINS, x.way, x.all);
  compare("passage_cosine_distribution", WN_PASSED_COSINES, x.cosine, x.all);
  is_close(at("passage_time_distribution", 0), 1.0, 1e-12,
           "the first threshold is passed at once");
  test_mean("passage_time", "passage_time_distribution", "passage_time_bin");
  test_mean("passage_distance", "passage_distance_distribution", "passage_distance_bin");
}

static void test_same(void)
{
  static const char *const other[] = {"--set threads=2", "--set threads=3",
                                      "--scheduler serial"};
  rename(OUT, "t0623-1.nc");
  for (size_t i = 0; i < sizeof other / sizeof other[0]; i++) {
    size_t n = 0;
    if (!run(other[i]))
      continue;
    const char *what = command_nc_differs(OUT, "t0623-1.nc", &n);
    ok(what == NULL && n > 500, "%s: the same %zu numbers%s%s", other[i], n,
       what ? "; differs: " : "", what ? what : "");
  }
  remove("t0623-1.nc");
}

int main(void)
{
  plan(0);
  test_bins();
  test_known();
  test_same();
  remove(CONFIG);
  remove(GAS);
  remove(OUT);
  return done();
}
