/* t0362-growth-forecast.c - defends: the pilots of `wilson check` (src/run/forecast_pilot.h) forecast macroparticles of each
 * species, moves and steps of runs that grow within a factor of 1.5 of the run's own: an avalanche from a third of its
 * steps, a front that its space charge limits an avalanche in r-z that is merged, and one of photoionization whose pairs
 * are held to a number in a step, from a part of the macroparticles, and one with adaptive steps from half of its time.  A pilot of the whole run with all macroparticles has the numbers
 * of the run, exactly.  On a GPU, where there is one, the same.  The run is counted here, step by step.  Budgets are steps: no clock. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "src/config/plasma_derived.h"
#include "src/config/plasma_limits.h"
#include "src/jobs/job.h"
#include "src/run/check_growth.h"
#include "src/run/forecast_pilot.h"
#include "src/run/step.h"
#include "t/tap/capture.h"
#include "t/tap/gpu.h"
#include "t/tap/tap.h"

#define FILE_NAME "t0362.cfg"
#define FACTOR    1.5

#define N2                                                                               \
  "gas = { pressure = \"1 bar\"; components = { N2 = { file = \"builtin:air\"; }; }; "   \
  "};\n"                                                                                 \
  "model = \"plasma\"; device = \"cpu\"; scheduler = \"serial\"; threads = 1;\n"

/* 20 MV/m: electrons double in some 7 ps */
#define AVALANCHE                                                                        \
  N2 "duration = \"30 ps\"; grid = { cells = [20]; length = [\"0.1 mm\"]; };\n"          \
     "walls = { x_low = { field = \"dirichlet\"; }; x_high = { field = "                 \
     "\"dirichlet\"; voltage = \"2 kV\"; particles = \"reflect\"; }; };\n"               \
     "species = { e = { density = \"1e14 m-3\"; per_cell = 12; temperature = \"5 "       \
     "eV\"; loading = \"random\"; collisions = \"gas\"; ions = \"i\"; };\n"              \
     " i = { density = \"1e14 m-3\"; per_cell = 12; charge = 1.0; mass = \"29 u\"; "     \
     "mobile = false; loading = \"random\"; }; };\n"

struct counts {
  double first[WN_MAX_SPECIES], most[WN_MAX_SPECIES], moves, at_end, steps, begin;
};

static int on_gpu; /* else as the scenarios say */

static struct wn_config *scenario(const char *text)
{
  static const char *const set[] = {"device=cuda", "scheduler=auto"};
  FILE *f = fopen(FILE_NAME, "w");
  struct wn_config *c = NULL;
  if (f != NULL) {
    fputs(text, f);
    fclose(f);
  }
  is_int(wn_config_read(FILE_NAME, on_gpu ? 2 : 0, set, &c), WN_OK, "a scenario");
  return c;
}

static double moves(const struct wn_sim *s)
{
  double n = 0.0;
  for (size_t k = 0; k < s->n_species; k++)
    n += s->species[k]->is_fixed ? 0.0 : (double)s->species[k]->p.n;
  return n;
}

/* The run itself. */
static void count(const struct wn_config *c, const struct wn_gas *gas,
                  const struct wn_device_plan *plan, struct counts *out)
{
  struct wn_sim *s = NULL;
  int status = wn_sim_create(c, gas, &wn_job_of(c)->needs, plan, &s);
  *out = (struct counts){.moves = 0.0};
  if (status == WN_OK)
    status = wn_sim_begin(s, 0);
  if (status == WN_OK) {
    out->begin = moves(s);
    for (size_t k = 0; k < s->n_species; k++)
      out->first[k] = out->most[k] = (double)s->species[k]->p.n;
    wn_adaptive_begin(s);
  }
  while (status == WN_OK && s->adaptive.clock.whole < c->plasma.steps) {
    status = wn_step(s, s->adaptive.length);
    out->steps += 1.0;
    out->moves += moves(s);
    for (size_t k = 0; k < s->n_species; k++)
      out->most[k] = fmax(out->most[k], (double)s->species[k]->p.n);
    if (status == WN_OK && s->adaptive.clock.whole < c->plasma.steps)
      status = wn_adaptive_next(s);
  }
  is_int(status, WN_OK, "the run");
  out->at_end = status == WN_OK ? moves(s) : NAN;
  wn_sim_free(s);
}

static void within(double forecast, double run, const char *name, const char *what)
{
  ok(forecast < FACTOR * run && forecast > run / FACTOR,
     "%s: %s, forecast %.4g, run %.4g", name, what, forecast, run);
}

/* A forecast from the part f of the macroparticles and `part` of the steps, beside the run. */
static void forecast(const char *name, const char *text, double f, double part,
                     double least_growth)
{
  struct wn_config *c = scenario(text);
  struct wn_device_plan plan;
  struct wn_gas *gas = NULL;
  struct wn_pilot p = {.reached = NAN}, exact = p;
  struct counts run;
  is_int(wn_device_choose(c, &plan), WN_OK, "a device");
  is_int(wn_gas_create(c, &gas), WN_OK, "a gas");
  count(c, gas, &plan, &run);
  const struct wn_pilot_budget all = {INFINITY, SIZE_MAX, 0};
  struct wn_pilot_budget some = all;
  some.steps = (size_t)(part * run.steps);
  is_int(wn_pilot_run(c, gas, &plan, f, &some, &p), WN_OK, "a pilot");
  ok(run.at_end > least_growth * run.begin, "%s: the run grows, to %.3g times", name,
     run.at_end / run.begin);
  if (part < 1.0)
    ok(p.reached < part + 0.1, "%s: of %.3g the pilot reaches %.3g", name, 1.0,
       p.reached);
  within(p.grown * run.begin * p.steps, run.moves, name, "moves in all");
  within(p.at_end * run.begin, run.at_end, name, "moves in the last step");
  within(p.steps, run.steps, name, "steps");
  double bytes = wn_check_growth_bytes(c, &p), own = bytes;
  for (size_t k = 0; k < c->n_species; k++) {
    within(p.peak[k] + 20.0, run.most[k] + 20.0, name, c->species[k].name);
    own += (run.most[k] - run.first[k] - p.peak[k] + p.first[k]) *
           (double)wn_plasma_record(c, k).bytes * (wn_plasma_orders(c, k) ? 2.0 : 1.0);
  }
  within(bytes, own, name, "memory");
  if (f == 1.0) {
    is_int(wn_pilot_run(c, gas, &plan, 1.0, &all, &exact), WN_OK, "a pilot of the run");
    is_close(exact.reached, 1.0, 0.0, "%s: which it follows to its end", name);
    is_close(exact.steps, run.steps, 1e-12, "with its steps");
    is_close(exact.at_end * run.begin, run.at_end, 1e-12, "and its last one");
    ok(exact.late_moves > run.moves / run.steps && exact.late_moves < run.at_end &&
           exact.late_seconds > 0.0,
       "in the last quarter %.4g moves a step, on average %.4g, at the end %.4g",
       exact.late_moves, run.moves / run.steps, run.at_end);
    for (size_t k = 0; k < c->n_species; k++)
      is_close(exact.peak[k], run.most[k], 0.0, "and its %s", c->species[k].name);
  }
  wn_gas_free(gas);
  wn_config_free(c);
}

static const char avalanche[] = AVALANCHE "plasma = { time_step = \"0.1 ps\"; };\n";

static const char adaptive[] = AVALANCHE "plasma = { time_step = \"1 ps\"; adaptive = { "
                                         "least = \"0.05 ps\"; cells = 1.0; growth = "
                                         "0.02; }; };\n";

/* planar-front.cfg, smaller */
static const char front[] = N2
    "duration = \"150 ps\"; grid = { cells = 150; length = \"100 um\"; };\n"
    "walls = { x_low = { field = \"neumann\"; particles = \"reflect\"; }; x_high = { "
    "field = \"dirichlet\"; particles = \"absorb\"; }; };\n"
    "species = { e = { density = \"1.6e19 m-3\"; macroparticles = 160; temperature = \"5 "
    "eV\"; loading = \"random\"; profile = \"gaussian\"; centre = \"20 um\"; width = \"2 "
    "um\"; collisions = \"gas\"; ions = \"i\"; };\n"
    " i = { density = \"1.6e19 m-3\"; macroparticles = 160; charge = 1.0; mass = \"29 "
    "u\"; mobile = false; loading = \"random\"; profile = \"gaussian\"; centre = \"20 "
    "um\"; width = \"2 um\"; };\n"
    " sheet = { density = \"5.526349e20 m-3\"; per_cell = 100; charge = -1.0; mass = "
    "\"29 u\"; mobile = false; profile = \"slab\"; centre = \"2 um\"; width = \"1 um\"; "
    "}; };\n"
    "plasma = { time_step = \"0.1 ps\"; };\n";

/* merged to 16 in a cell, which most electrons reach */
static const char merged[] = N2
    "duration = \"200 ps\"; grid = { geometry = \"r-z\"; cells = [16, 48]; length = "
    "[\"0.1 "
    "mm\", \"0.3 mm\"]; };\n"
    "walls = { x_high = { field = \"neumann\"; particles = \"absorb\"; }; y_low = { "
    "field = \"dirichlet\"; }; y_high = { field = \"dirichlet\"; voltage = \"3 kV\"; }; "
    "};\n"
    "species = { e = { density = \"1e17 m-3\"; macroparticles = 256; temperature = \"5 "
    "eV\"; loading = \"random\"; profile = \"gaussian\"; centre = [\"0 mm\", \"0.06 "
    "mm\"]; width = [\"15 um\", \"15 um\"]; collisions = \"gas\"; ions = \"i\"; };\n"
    " i = { density = \"1e17 m-3\"; macroparticles = 256; charge = 1.0; mass = \"29 u\"; "
    "mobile = false; loading = \"random\"; profile = \"gaussian\"; centre = [\"0 mm\", "
    "\"0.06 mm\"]; width = [\"15 um\", \"15 um\"]; }; };\n"
    "plasma = { time_step = \"0.4 ps\"; allow = [\"cell-crossing\"]; merging = { e = { "
    "species = \"e\"; per_cell_most = 16; interval = 5; }; i = { species = \"i\"; "
    "per_cell_most = 16; method = \"one\"; interval = 5; }; }; };\n";

/* Most newborns are pairs of photons, held to 54 in a step, with weights by distance */
static const char photons[] =
    "model = \"plasma\"; device = \"cpu\"; scheduler = \"serial\"; threads = 1; duration "
    "= \"30 "
    "ps\";\n"
    "gas = { pressure = \"1 bar\"; components = { N2 = { fraction = 0.8; file = "
    "\"builtin:air\"; }; O2 = { fraction = 0.2; file = \"builtin:air\"; }; }; };\n"
    "grid = { geometry = \"r-z\"; cells = [10, 20]; length = [\"0.1 mm\", \"0.2 mm\"]; "
    "};\n"
    "walls = { x_high = { field = \"neumann\"; particles = \"absorb\"; }; y_low = { "
    "field = \"dirichlet\"; }; y_high = { field = \"dirichlet\"; voltage = \"1.6 kV\"; "
    "}; };\n"
    "species = { e = { density = \"1e14 m-3\"; macroparticles = 2400; temperature = \"5 "
    "eV\"; loading = \"random\"; collisions = \"gas\"; ions = \"i\"; anions = \"a\"; };\n"
    " i = { density = \"0 m-3\"; charge = 1.0; mass = \"29 u\"; mobile = false; };\n"
    " a = { density = \"0 m-3\"; charge = -1.0; mass = \"32 u\"; mobile = false; };\n"
    " p = { density = \"0 m-3\"; charge = 1.0; mass = \"32 u\"; mobile = false; }; };\n"
    "plasma = { time_step = \"0.2 ps\"; background = true; allow = "
    "[\"cell-crossing\"];\n"
    "  photoionization = { ions = \"p\"; efficiency = 10.0; weight = 0.01; "
    "weight_distances = [\"0.02 mm\", \"0.1 mm\"]; distance_weights = [0.01, 0.01]; "
    "pairs_per_step = 54; }; };\n";

/* A device smaller than what the growth takes is named; its memory is that of the loaded particles, and of those that come. */
static void of_a_device(void)
{
  struct wn_config *c = scenario(merged);
  const double loaded[] = {256.0, 256.0}, many[] = {3e7, 2e7};
  const double bytes = wn_plasma_gpu_bytes_of(c, many);
  is_close(wn_plasma_gpu_bytes_of(c, loaded), wn_plasma_gpu_bytes(c), 1e-12,
           "on a GPU, as loaded");
  within(bytes, wn_plasma_gpu_bytes(c) + 3e7 * 2.0 * 64.0 + 2e7 * 32.0, "on a GPU",
         "bytes of 5e7");
  capture();
  wn_check_growth_memory(c, bytes, &(struct wn_memory){bytes, bytes, "cuda:0"});
  is_int((long)strlen(captured()), 0, "which a GPU has, just");
  capture();
  wn_check_growth_memory(c, bytes, &(struct wn_memory){0.99 * bytes, 0.0, "cuda:0"});
  const char *said = captured();
  ok(strstr(said, FILE_NAME ": with the particles to come the run takes about ") !=
             NULL &&
         strstr(said, "MiB, and cuda:0 has ") != NULL &&
         strstr(said, "merge macroparticles (plasma.merging)") != NULL,
     "or has not: %.300s", said);
  wn_config_free(c);
}

static void all(void)
{
  forecast("an avalanche", avalanche, 1.0, 1.0 / 3.0, 8.0);
  forecast("adaptive steps", adaptive, 1.0, 0.5, 8.0);
  forecast("a front", front, 0.4, 1.0, 8.0);
  forecast("merged in r-z", merged, 0.25, 1.0, 8.0);
  forecast("photons in r-z", photons, 0.3, 1.0, 3.0);
  forecast("merged, from a fifth of its steps", merged, 1.0, 0.2, 8.0);
}

int main(void)
{
  const char *why = "";
  plan(0);
  of_a_device();
  all();
  on_gpu = gpu_there(&why);
  if (on_gpu)
    all();
  else
    ok(!gpu_required(), "not on a GPU: %s", why);
  remove(FILE_NAME);
  return done();
}
