/* t0545-converge.c - defends: `wilson converge` compares what it says (src/results/converge.h): each
 * value is that of `wilson run` with the keys named, bit for bit; a difference is that to the
 * level before, its error that of two independent runs; a plasma's error is the scatter of four
 * seeds; a cold plasma, in which nothing is by chance, has the order of its leapfrog, 2.  A
 * parameter that is refused at the finer value is said and left out.  It leaves one file.
 * References: `wilson run`, and the order of the leapfrog, whose errors are even in the step (that
 * of the frequency is (omega dt)^2/24, from sin(omega dt/2) = omega_p dt/2).  A swarm that is fine
 * enough shows no difference of 5 errors (false alarm: 32 groups, 2e-5 each, of 96: 0.2 %). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "t/tap/command.h"
#include "t/tap/tap.h"

#define CFG "t0545.cfg"
#define OUT "t0545.nc"
#define RUN "t0545-run.nc"

static const char swarm[] =
    "fields = [\"100 Td\"]; electrons = 320; duration = \"25 ps\"; relaxation = \"20 "
    "ps\";\n"
    "sampling = { interval = \"0.25 ps\"; block = 8; };\n"
    "gas = { components = { N2 = { file = \"builtin:air\"; }; }; };\n";

static const char cold[] =
    "model = \"plasma\"; grid = { cells = [32]; length = [\"1 cm\"]; };\n"
    "species = { electrons = { density = \"1e15 m-3\"; per_cell = 100; amplitude = "
    "0.01;\n"
    "    mode = [1]; }; };\n"
    "plasma = { time_step = \"100 ps\"; background = true; };\n"
    "duration = \"12 ns\";\n";

static const char warm[] =
    "model = \"plasma\"; grid = { cells = [16]; length = [\"1 mm\"]; };\n"
    "species = { electrons = { density = \"1e15 m-3\"; per_cell = 20; temperature = \"2 "
    "eV\";\n"
    "    loading = \"random\"; }; };\n"
    "plasma = { time_step = \"8 ps\"; background = true; };\n"
    "duration = \"0.4 ns\";\n";

/* Number i of variant v. */
static double at(const char *name, size_t v, size_t i)
{
  size_t all = 0, variants = 0;
  double *x = command_nc_read(OUT, name, &all),
         *factor = command_nc_read(OUT, "factor", &variants), y = NAN;
  if (x != NULL && factor != NULL && v < variants && i < all / variants)
    y = x[v * (all / variants) + i];
  free(x);
  free(factor);
  return y;
}

/* Mean of a sum over the second half of the time, of a plain run. */
static double plain(const char *name, const char *set)
{
  size_t n = 0, m = 0;
  is_int(command("%s run " CFG " --quiet --output " RUN " %s", command_wilson(), set), 0,
         "a plain run %s", set);
  double *x = command_nc_read(RUN, name, &n), *t = command_nc_read(RUN, "time", &m),
         sum = 0.0, rows = 0.0;
  for (size_t i = 0; x != NULL && t != NULL && n == m && i < n; i++)
    if (t[i] > 0.5 * t[n - 1]) {
      sum += x[i];
      rows += 1.0;
    }
  free(x);
  free(t);
  return sum / rows;
}

static int is_there(const char *path)
{
  struct stat st;
  return stat(path, &st) == 0;
}

static void converge(const char *what, const char *options)
{
  if (!is_int(command("%s converge " CFG " --quiet --output " OUT " %s", command_wilson(),
                      options),
              0, "%s: exit status", what))
    diag("%.900s", command_err);
}

static void of_swarm(void)
{
  static const char *const keys[] = {"", "--set mobility_steps=2",
                                     "--set tables.bins_per_octave=256",
                                     "--set electrons=640 --set population.target=640"};
  double worst = 0.0;
  size_t n = 0;
  command_write(CFG, swarm);
  converge("a swarm", "--threads 2");
  ok(strstr(command_out, "population x2: population.target=640 electrons=640") != NULL,
     "it names the keys");
  ok(!is_there(OUT ".run.nc") && !is_there(OUT ".run.nc.part") && !is_there(OUT ".part"),
     "it leaves one file");
  for (size_t v = 0; v < 4; v++) {
    command("%s run " CFG " --quiet --output " RUN " %s", command_wilson(), keys[v]);
    is_close(at("value", v, 0), command_nc_at(RUN, "mean_energy", 0), 0.0,
             "the mean energy is that of the run %s", keys[v]);
    is_close(at("value_error", v, 0), command_nc_at(RUN, "mean_energy_error", 0), 0.0,
             "and its error");
    if (v == 0)
      continue;
    is_close(at("difference", v, 0), at("value", v, 0) - at("value", 0, 0), 0.0,
             "the difference is that");
    is_close(at("difference_error", v, 0),
             hypot(at("value_error", v, 0), at("value_error", 0, 0)), 1e-14,
             "and its error that of both");
  }
  double *value = command_nc_read(OUT, "value", &n);
  free(value);
  for (size_t v = 1; v < 4; v++)
    for (size_t i = 0; i < n / 4; i++) {
      const double d = at("difference", v, i), error = at("difference_error", v, i);
      if (error > 0.0)
        worst = fmax(worst, fabs(d) / error);
    }
  ok(n >= 4 * 20 && worst > 0.5 && worst < 5.0,
     "of %zu results none is off by %.3g errors", n, worst);
  rename(OUT, RUN);
  converge("with one thread", "--threads 1");
  const char *bad = command_nc_differs(OUT, RUN, &n);
  ok(bad == NULL && n > 200, "the same %zu numbers%s", n, bad != NULL ? bad : "");
}

static void of_order(void)
{
  command_write(CFG, cold);
  converge("a cold plasma", "--levels 3");
  ok(strstr(command_out, "exact") != NULL, "nothing is by chance");
  is_close(at("value_error", 0, 0), 0.0, 0.0, "so its errors are 0");
  /* variants: scenario, time step x2 and x4, population, cells; the first result is the field
   * energy */
  is_close(at("factor", 2, 0), 4.0, 0.0, "three levels");
  is_near(at("order", 2, 0), 2.0, 0.05, "the leapfrog is of order 2");
  ok(isnan(at("order", 1, 0)), "which two levels do not show");
  const double fine = plain("field_energy", "--set 'plasma.time_step=\"6.25 ps\"'");
  const double first = fabs(at("value", 0, 0) - fine),
               last = fabs(at("value", 2, 0) - fine);
  ok(last < 0.1 * first, "and nears the limit: %.3g, then %.3g J off", first, last);
}

static void of_scatter(void)
{
  double x[4], mean = 0.0, square = 0.0;
  char set[64];
  command_write(CFG, warm);
  for (int i = 0; i < 4; i++) {
    snprintf(set, sizeof set, "--seed %d", 1 + i);
    x[i] = plain("field_energy", set);
    mean += 0.25 * x[i];
  }
  for (int i = 0; i < 4; i++)
    square += (x[i] - mean) * (x[i] - mean);
  converge("a plasma with chance", "");
  is_close(at("value", 0, 0), mean, 1e-12, "the mean of four seeds");
  is_close(at("value_error", 0, 0), sqrt(square / 12.0), 1e-9, "with its error");
  /* time step, population, cells: an error of one run, of twice as many particles, of that */
  is_close(at("value_error", 1, 0), sqrt(square / 3.0), 1e-9, "that of one run");
  is_close(at("value_error", 2, 0), sqrt(square / 6.0), 1e-9,
           "of twice as many particles");
  is_close(at("value_error", 3, 0), sqrt(square / 6.0), 1e-9, "of twice as many cells");
  is_close(at("value", 2, 0),
           plain("field_energy", "--set species.electrons.per_cell=40"), 0.0,
           "more particles");
  is_close(at("value", 3, 0), plain("field_energy", "--set 'grid.cells=[32]'"), 0.0,
           "finer cells");
}

static void refused(const char *what, const char *options, const char *text)
{
  is_int(command("%s converge %s --output " OUT, command_wilson(), options), 2,
         "%s: exit status", what);
  if (!ok(strstr(command_err, text) != NULL, "%s: %s", what, text))
    diag("%.900s", command_err);
}

static void of_words(void)
{
  command_write(CFG, swarm);
  converge("tables that are fine already", "--set tables.bins_per_octave=1024");
  ok(strstr(command_out, "tables x2: tables.bins_per_octave=2048\n  rejected") != NULL &&
         strstr(command_err, "which was rejected") != NULL &&
         strstr(command_err, "1024") != NULL,
     "they are said");
  ok(isnan(at("value", 2, 0)) && isnan(at("difference", 2, 0)) &&
         isfinite(at("difference", 3, 0)),
     "and left out, the others are not");
  is_int(command("%s converge " CFG " --quiet --output " OUT
                 " --set checkpoint.step_limit=1",
                 command_wilson()),
         0, "limits of checkpoints are not for it");
  refused("--levels", CFG " --levels 4", "allowed are 2");
  refused("an earlier result", CFG " --no-clobber", "exists");
  command_write(OUT ".run.nc", "somebody's");
  refused("a file in the way", CFG, "the runs need this name");
  ok(is_there(OUT ".run.nc"), "which stays");
  remove(OUT ".run.nc");
  refused("a key of its own", CFG " --set electrons=0", "electrons");
  command_write(RUN, swarm);
  is_int(command("%s converge " RUN " --output " RUN, command_wilson()), 2,
         "the scenario is no output");
}

int main(void)
{
  plan(0);
  of_swarm();
  of_order();
  of_scatter();
  of_words();
  remove(CFG);
  remove(OUT);
  remove(RUN);
  return done();
}
