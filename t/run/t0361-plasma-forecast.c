/* t0361-plasma-forecast.c - defends: what `wilson check` says of the work of a plasma (src/run/forecast.h) is that
 * of the run where nothing is extrapolated: of a run no longer than a trial the particles that move in its steps,
 * exactly, those of a species that moves in every n-th step by an n-th; and how many samples, rows and maps the
 * diagnostics take, counted step by step.  A number of particles goes on as it is, linearly, exponentially, up to
 * the store, by series made here.  A trial leaves no file.  Times themselves are not asked, and no trial here goes
 * by the clock. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include "base/error.h"
#include "particles/load_balance.h"
#include "src/config/averages.h"
#include "src/config/plasma_derived.h"
#include "src/diag/diag.h"
#include "src/jobs/job.h"
#include "src/run/forecast.h"
#include "src/run/forecast_diags.h"
#include "src/run/forecast_outlook.h"
#include "src/run/step.h"
#include "t/tap/tap.h"

#define FILE_NAME "t0361.cfg"

/* An avalanche that doubles in some 20 steps, between walls that absorb. */
static const char text[] =
    "model = \"plasma\"; duration = \"18 ps\"; device = \"cpu\"; scheduler = "
    "\"serial\";\n"
    "grid = { cells = [32]; length = [\"0.1 mm\"]; };\n"
    "walls = { x_low = { field = \"dirichlet\"; }; x_high = { field = \"dirichlet\"; "
    "voltage = \"1.2 kV\"; amplitude = "
    "\"1 V\"; frequency = \"400 GHz\"; }; };\n"
    "gas = { pressure = \"1 bar\"; components = { Ar = { file = \"builtin:argon\"; }; }; "
    "};\n"
    "species = { e = { density = \"1e16 m-3\"; per_cell = 20; temperature = \"5 eV\"; "
    "collisions = \"gas\"; ions = \"i\"; "
    "};\n i = { density = \"1e16 m-3\"; per_cell = 20; charge = 1.0; mass = \"40 u\"; "
    "collisions = \"gas\"; subcycling "
    "= 4; }; };\n"
    "plasma = { time_step = \"0.5 ps\"; allow = [\"cell-crossing\"]; fields_interval = "
    "\"3 ps\"; integrals_interval = \"1 ps\";\n"
    " averages = { a = { start = \"4 ps\"; length = \"10 ps\"; every = 3; blocks = 2; }; "
    "b = { periods = 4; phases = 2; }; };\n"
    " distributions = { d = { species = \"e\"; window = \"a\"; }; }; };\n";

static const char *const crossing[] = {"species.i.subcycling=4"};

static struct wn_config *scenario(const char *set)
{
  FILE *f = fopen(FILE_NAME, "w");
  struct wn_config *c = NULL;
  if (f != NULL) {
    fputs(text, f);
    fclose(f);
  }
  const char *sets[] = {crossing[0], set};
  is_int(wn_config_read(FILE_NAME, set != NULL ? 2 : 1, sets, &c), WN_OK, "a scenario");
  return c;
}

/* The moves in a step: on average over the run, and at its end and its start. */
static void run(const struct wn_config *c, const struct wn_gas *gas,
                const struct wn_device_plan *plan, double *mean, double *end,
                double *start)
{
  struct wn_sim *s = NULL;
  double sum = 0.0;
  int status = wn_sim_create(c, gas, &wn_job_of(c)->needs, plan, &s);
  if (status == WN_OK)
    status = wn_sim_begin(s, 0);
  for (size_t i = 0; i <= c->plasma.steps && status == WN_OK; i++) {
    *end = (double)s->species[0]->p.n + 0.25 * (double)s->species[1]->p.n;
    *start = i == 0 ? *end : *start;
    sum += *end;
    if (i < c->plasma.steps)
      status = wn_step(s, c->plasma.time_step);
  }
  is_int(status, WN_OK, "the run");
  *mean = sum / (double)(c->plasma.steps + 1);
  wn_sim_free(s);
}

static void same_as_the_run(void)
{
  struct wn_config *c = scenario(NULL);
  struct wn_device_plan plan;
  struct wn_gas *gas = NULL;
  struct wn_plasma_cost cost = {0};
  double mean = NAN, end = NAN, start = NAN;
  is_int((long)c->plasma.steps, 36, "a run shorter than a trial");
  is_int(wn_device_choose(c, &plan), WN_OK, "a device");
  is_int(wn_gas_create(c, &gas), WN_OK, "a gas");
  run(c, gas, &plan, &mean, &end, &start);
  is_int(wn_forecast_plasma(c, gas, &plan, 1e6, &cost), WN_OK, "a forecast");
  is_close(start, 800.0, 0.0, "640 electrons, and 640 ions in every fourth step");
  ok(end > 1.5 * start, "numbers grow, to %g", end);
  is_close(cost.moves, mean, 1e-12, "moves in a step, on average");
  is_close(cost.growth.grown * start, mean, 1e-12, "relative to those at the start");
  is_close(cost.growth.at_end * start, end, 1e-12, "and at the end");
  is_close(cost.n, 1280.0, 0.0, "particles to be released");
  ok(cost.grid >= 0.0 && cost.diags >= 0.0 && cost.particle >= 0.0 &&
         cost.grid + cost.particle > 0.0 &&
         isfinite(cost.grid + cost.particle + cost.create + cost.release),
     "times are numbers");
  ok(access("memory", F_OK) != 0 && access("memory.part", F_OK) != 0 &&
         access("memory.part.new", F_OK) != 0 && access("t0361.nc", F_OK) != 0,
     "and there is no file");
  wn_gas_free(gas);
  wn_config_free(c);
}

/* Samples of windows, rows and maps, by the rules for each step. */
static void samples(const char *set)
{
  struct wn_config *c = scenario(set);
  const struct wn_cfg_plasma *p = &c->plasma;
  double n[2] = {0.0, 0.0}, rows = 0.0, maps = 0.0;
  const size_t row = p->integrals_interval == WN_AUTO
                         ? 1
                         : wn_plasma_every(c, p->integrals_interval),
               map = wn_plasma_every(c, p->fields_interval);
  for (size_t k = 0; k < 2; k++) {
    const struct wn_window w = wn_average_window(c, &p->averages[k]);
    for (size_t i = 0; i < p->steps; i++)
      n[k] += wn_window_block(&w, p->time_step, i) >= 0 && wn_window_samples(&w, i);
  }
  for (size_t i = 1; i <= p->steps; i++) {
    rows += i % row == 0;
    maps += (i - 1) % map == 0;
  }
  is_near(wn_diags_samples(c), 0.5 * (n[0] + n[1]), 1.0,
          "%s: %g and %g samples of windows", set != NULL ? set : "as it is", n[0], n[1]);
  is_close(wn_diags_rows(c), rows, 0.0, "rows");
  is_close(wn_diags_maps(c), maps, 0.0, "maps");
  /* 1 s for each sample and map, none else */
  struct wn_diags_time t = {.file = 0.0, .block = 0.0};
  const struct wn_diag_ops *const *ops = wn_job_of(c)->diags;
  for (size_t k = 0; ops[k] != NULL; k++)
    t.sample[k] = ops[k] == &wn_diag_averages || ops[k] == &wn_diag_maps ? 1.0 : 0.0;
  is_near(wn_diags_step(c, &t) * (double)p->steps, 0.5 * (n[0] + n[1]) + maps, 1.0,
          "what they take is theirs");
  for (size_t k = 0; ops[k] != NULL; k++)
    t.sample[k] = 0.0;
  t.file = 3.0;
  t.block = 5.0;
  is_close(wn_diags_step(c, &t) * (double)p->steps, 3.0 + 5.0 * ceil(rows / 256.0), 1e-12,
           "a file, and a block of 256 rows");
  wn_config_free(c);
}

/* A trial of n steps by f, in a run `times` as long; the mean and the end. */
static double outlook(double (*f)(double), int n, double times, double most, double *end)
{
  struct wn_outlook *o = NULL;
  double mean = NAN;
  if (wn_outlook_create(&o) != WN_OK)
    return NAN;
  for (int i = 0; i <= n; i++)
    wn_outlook_note(o, f((double)i / n));
  mean = wn_outlook_mean(o, times, most, end);
  wn_outlook_free(o);
  return mean;
}

static double steady(double t)
{
  return 1e4 + 100.0 * sin(40.0 * t);
}

static double linear(double t)
{
  return 1e4 * (1.0 + t);
}

static double jump(double t) /* as a discharge from few particles, which are lost first */
{
  return 1e4 * (t + (t < 0.05 ? 20.0 * t : 1.0));
}

static double late(double t) /* which grow when they have settled */
{
  return 1e4 * (1.0 + (t > 0.5 ? t - 0.5 : 0.0));
}

static double avalanche(double t)
{
  return 1e4 * exp(t);
}

static double cubic(double t) /* growth whose rate falls as N^-1/3 */
{
  return 1e6 * (1.0 + 3.0 * t) * (1.0 + 3.0 * t) * (1.0 + 3.0 * t);
}

static double decay(double t)
{
  return 1e4 * exp(-t);
}

static void outlooks(void)
{
  double end;
  for (int n = 1000; n < 100000; n *= 97) { /* more steps than are kept, too */
    is_close(outlook(steady, n, 50.0, 1e9, &end), 1e4, 0.01, "%d steps: a steady number",
             n);
    is_close(end, 1e4, 0.011, "stays");
    is_close(outlook(linear, n, 4.0, 1e9, &end), 3e4, 2e-3, "%d: a linear one", n);
    is_close(end, 5e4, 2e-3, "goes on");
    is_close(outlook(linear, n, 1.0, 1e9, &end), 1.5e4, 2e-3, "%d: or does not", n);
    /* 1 + t up to 3 at t = 2, then 3 to t = 4: 4 + 6 over 4 */
    is_close(outlook(linear, n, 4.0, 3e4, &end), 2.5e4, 2e-3, "%d: up to the store", n);
    is_close(end, 3e4, 1e-12, "which is full");
    is_close(outlook(jump, n, 4.0, 1e9, &end), 1e4 * (0.5 * 4.0 + 1.0), 0.02,
             "%d: linear after a jump", n);
    is_close(end, 5e4, 5e-3, "goes on linearly");
    is_close(outlook(late, n, 4.0, 1e9, &end), 1e4 * (1.0 + 0.5 * 3.5 * 3.5 / 4.0), 2e-3,
             "%d: linear, later", n);
    is_close(end, 4.5e4, 5e-3, "goes on linearly, too");
    is_close(outlook(avalanche, n, 4.0, 1e9, &end), 1e4 * expm1(4.0) / 4.0, 2e-2,
             "%d: an avalanche", n);
    is_close(end, 1e4 * exp(4.0), 2e-2, "grows exponentially");
    is_close(outlook(avalanche, n, 4.0, 1e4 * exp(2.0), &end),
             1e4 * (expm1(2.0) + 2.0 * exp(2.0)) / 4.0, 2e-2, "%d: up to the store", n);
    is_close(outlook(cubic, n, 3.0, 1e12, &end), 1e6 * 9999.0 / 36.0, 0.1,
             "%d: growth that slows down", n);
    is_close(end, 1e9, 0.1, "goes on as the cube");
    is_close(outlook(cubic, n, 3.0, 2.16e8, &end),
             (1e6 * 1295.0 / 12.0 + 2.16e8 * 4.0 / 3.0) / 3.0, 0.1, "%d: up to the store",
             n);
    is_close(end, 2.16e8, 1e-12, "which is full");
    is_close(outlook(decay, n, 4.0, 1e9, &end), -1e4 * expm1(-4.0) / 4.0, 2e-2,
             "%d: a decay", n);
    is_close(end, 1e4 * exp(-4.0), 2e-2, "never ends");
  }
}

int main(void)
{
  plan(0);
  same_as_the_run();
  samples(NULL);
  samples("plasma.integrals_interval=step");
  samples("duration=\"31.5 ps\"");
  outlooks();
  remove(FILE_NAME);
  return done();
}
