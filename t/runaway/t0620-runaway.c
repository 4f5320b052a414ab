/* t0620-runaway.c - defends: the runaway job is right where physics says what must come
 * out, and does not depend on the numerical parameters.
 *  - a beam of 1 keV electrons along the drift in air at 1 atm and 0 C: friction at 1 keV
 * is near 130 keV/cm, so that at 100 kV/cm (almost) none and at 260 kV/cm most go on
 * to 1.5 keV (bracketing of the thermal-runaway literature);
 *  - halving each numerical parameter changes the yield by less than 3 standard errors of
 * the difference (false alarm 0.3 % a comparison; the seeds are fixed), and so do all
 * halvings together, against a run of six times as many electrons, on whose
 * chance all of them depend (seeds 99
 * and 100 to 106 gave two of 35 beyond it; 60 and 80 seeds more of the same two halvings
 * gave 0.0456 and 0.632 against 0.0450 and 0.632, errors 0.0004 and 0.001);
 *  - the cold main job: nothing at 250 kV/cm, more and more above, first passages later
 * than free fall;
 *  - roulette leaves the production rate what it is. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "physics/constants.h"
#include "t/tap/command.h"
#include "t/tap/tap.h"

#define N_FIELDS 5

static const char *const beam =
    "--set initial_energy='\"1 keV\"' --set initial_spectrum=mono --set "
    "initial_direction=drift --set electrons=%d "
    "--set duration='\"20 ps\"' --set 'runaway.thresholds=[\"1.5 keV\", \"2 keV\"]' "
    "--set runaway.stop_above='\"2.1 keV\"' "
    "--set population.target=4000 --set population.protect_above='\"150 eV\"' "
    "--set 'fields=[\"100 kV/cm\", \"140 kV/cm\", \"180 kV/cm\", \"220 kV/cm\", \"260 "
    "kV/cm\"]'";

struct yield {
  double p[N_FIELDS], e[N_FIELDS];
};

static double at(const char *name, size_t i)
{
  return command_nc_at("t0620.nc", name, i);
}

static int run(const char *what, const char *options, const char *more)
{
  const char *root = getenv("WN_SRCDIR");
  int status = command(
      "%s run %s/data/scenarios/runaway-families.cfg --quiet --output t0620.nc %s %s",
      command_wilson(), root != NULL ? root : ".", options, more);
  if (!is_int(status, 0, "%s runs", what))
    diag("%.800s", command_err);
  return status == 0;
}

static struct yield beam_yield(const char *what, int electrons, const char *more)
{
  char options[1024];
  struct yield y = {{0}, {0}};
  snprintf(options, sizeof options, beam, electrons);
  if (run(what, options, more))
    for (size_t i = 0; i < N_FIELDS; i++) {
      y.p[i] = at("runaway_fraction", 2 * i);
      y.e[i] = at("runaway_fraction_error", 2 * i);
    }
  return y;
}

/* Two proportions of n and m electrons: the error of their difference comes from what
 * they are together. */
static void differ(const char *what, size_t field, double p, double n, double q, double m)
{
  double both = (p * n + q * m + 1.0) / (n + m + 2.0),
         e = sqrt(both * (1.0 - both) * (1.0 / n + 1.0 / m));
  ok(fabs(p - q) < 3.0 * e,
     "%s, field %zu: %.4f against %.4f, which is %.2f errors of the difference", what,
     field, p, q, fabs(p - q) / e);
}

static void test_beam(int electrons)
{
  struct yield y = beam_yield("the beam", electrons, "");
  ok(y.p[0] < 0.01,
     "100 kV/cm: %.4f +- %.4f of the 1 keV electrons pass 1.5 keV, want none (below "
     "0.01)",
     y.p[0], y.e[0]);
  ok(y.p[4] > 0.5, "260 kV/cm: %.4f +- %.4f pass, want most (above 0.5)", y.p[4], y.e[4]);
  for (size_t i = 1; i < N_FIELDS; i++)
    ok(y.p[i] >= y.p[i - 1], "the yield rises with the field: %.4f, then %.4f",
       y.p[i - 1], y.p[i]);
  static const struct {
    const char *name, *set;
  } half[] = {
      {"samples half as long", "--set sampling.interval='\"1.6 ps\"'"},
      {"samples a quarter as long", "--set sampling.interval='\"0.8 ps\"'"},
      {"two mobility steps a sample", "--set mobility_steps=2"},
      {"tables twice as fine", "--set tables.bins_per_octave=512"},
      {"tables half as fine", "--set tables.bins_per_octave=128"},
      {"half the population", "--set population.target=2000"},
      {"targets at rest above half the energy", "--set gas.thermal_below='\"25 eV\"'"},
  };
  const size_t n = sizeof half / sizeof half[0];
  double mean[N_FIELDS] = {0.0}, many = 6.0 * electrons;
  y = beam_yield("the beam with six times the electrons", 6 * electrons,
                 "--seed 199");
  for (size_t k = 0; k < n; k++) {
    /* another seed, so that the two are independent */
    char more[256];
    snprintf(more, sizeof more, "%s --seed %zu", half[k].set, 200 + k);
    struct yield z = beam_yield(half[k].name, electrons, more);
    for (size_t i = 0; i < N_FIELDS; i++) {
      differ(half[k].name, i, z.p[i], electrons, y.p[i], many);
      mean[i] += z.p[i] / (double)n;
    }
  }
  for (size_t i = 0; i < N_FIELDS; i++)
    differ("all halvings together", i, mean[i], (double)n * electrons, y.p[i], many);
}

static void test_cold(void)
{
  if (!run("the cold main job", "--set electrons=1000", ""))
    return;
  size_t n_thresholds = 4, one_kev = 2;
  double last = -1.0;
  ok(at("runaway_fraction", one_kev) == 0.0,
     "250 kV/cm, below the friction peak: no family passes 1 keV in 8 ps");
  for (size_t f = 0; f < 6; f++) {
    double p = at("runaway_fraction", f * n_thresholds + one_kev),
           e = at("electric_field", f);
    double t = at("first_passage_time", f * n_thresholds + one_kev);
    ok(p >= last, "the yield rises: %.4f at %.0f kV/cm", p, e * 1e-5);
    last = p;
    /* free fall from rest to 1 keV takes gamma v m/(e E) */
    if (p > 0.0) {
      double fall = 1.876e7 * WN_ME / (WN_E * e);
      ok(t > fall, "%.0f kV/cm: first passage after %.3g s, free fall takes %.3g s",
         e * 1e-5, t, fall);
    }
    ok(fabs(at("energy_residual", f)) < 1e-6 * at("energy_gained", f),
       "the energy ledger closes at %.0f kV/cm", e * 1e-5);
  }
  ok(last > 0.2, "500 kV/cm, nearly twice the peak: %.3f of the families", last);
}

static void test_roulette(void)
{
  const char *base =
      "--set electrons=2000 --set 'fields=[\"450 kV/cm\"]' --set duration='\"7 ps\"'";
  if (!run("without roulette", base, ""))
    return;
  double r0 = at("runaway_rate", 1), e0 = at("runaway_rate_error", 1);
  if (!run("with roulette", base,
           "--set population.target=30000 --set population.protect_above='\"100 eV\"' "
           "--seed 7"))
    return;
  double r1 = at("runaway_rate", 1), e1 = at("runaway_rate_error", 1);
  ok(at("roulette_killed", 0) > 1000, "roulette took %.0f electrons",
     at("roulette_killed", 0));
  ok(r0 > 0.0 && fabs(r1 - r0) < 4.0 * hypot(e0, e1),
     "rate past 500 eV: %.4g +- %.2g without, %.4g +- %.2g with", r0, e0, r1, e1);
}

int main(void)
{
  command_skip_if_fast();
  plan(0);
  test_beam(command_long() > 1 ? 4000 : 1000);
  test_cold();
  test_roulette();
  remove("t0620.nc");
  return done();
}
