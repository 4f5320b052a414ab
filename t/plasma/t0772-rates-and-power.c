/* t0772-rates-and-power.c - defends: collision rates and power of plasma.averages as a user runs
 * them.  Windows with other quantities do not change each other; the mean over the phases is the
 * whole; the expected ionizations are the births of the run; schedulers, threads, ranks, domains and
 * a run that goes on from a state change no bit (of domains, whose fields round otherwise, 1e-5).  A rate
 * of no process, of no species that collides, or of a name that is taken is refused with what is
 * allowed, and `wilson check` says what a window takes.
 *
 * Of births: eight seeds, chi-square of counted less expected, whose variance is the expected number;
 * 37.3 is exceeded once in 1e5. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "t/tap/command.h"
#include "t/tap/ranks.h"
#include "t/tap/tap.h"

#define FILE_NAME "t0772.cfg"
#define OUT       "t0772.nc"
#define AGAIN     "t0772-again.nc"

/* With collisions, ions that move in every third step, and particles without collisions. */
static const char discharge[] =
    "model = \"plasma\"; duration = \"60 ps\"; seed = 4; threads = 1;\n"
    "grid = { cells = [16, 8]; length = [\"0.2 mm\", \"0.1 mm\"]; };\n"
    "walls = { x_low = { field = \"dirichlet\"; }; x_high = { field = \"dirichlet\"; "
    "voltage = "
    "\"500 V\"; amplitude = \"100 V\"; frequency = \"100 GHz\"; }; };\n"
    "gas = { pressure = \"10 mbar\"; components = { Ar = { file = \"builtin:argon\"; }; "
    "}; };\n"
    "tables = { energy_max = \"3 keV\"; ion_energy_max = \"50 keV\"; };\n"
    "species = { e = { density = \"1e15 m-3\"; temperature = \"5 eV\"; per_cell = 40;\n"
    "    collisions = \"gas\"; ions = \"i\"; };\n"
    "  i = { density = \"1e15 m-3\"; per_cell = 40; charge = 1.0; mass = \"39.948 u\";\n"
    "    temperature = \"500 eV\"; loading = \"random\"; collisions = \"gas\"; "
    "subcycling = 3; "
    "};\n"
    "  p = { density = \"1e15 m-3\"; per_cell = 10; charge = -1.0; mass = \"0.01 u\";\n"
    "    temperature = \"9 eV\"; loading = \"random\"; };\n"
    "  rest = { density = \"1e12 m-3\"; charge = 1.0; mobile = false; }; };\n"
    "plasma = { time_step = \"1 ps\"; mobility_steps = 2;\n"
    "  allow = [\"cell-crossing\", \"plasma-frequency\", \"debye-length\"];\n"
    "  averages = {\n"
    "    six = { periods = 6; phases = 2; every = 2; moments = false; power = true;\n"
    "      rates = [\"backscatter\", \"ionization Ar+\", \"elastic\"]; };\n"
    "    few = { periods = 6; every = 2; rates = [\"elastic\"]; };\n"
    "    none = { periods = 6; every = 3; }; }; };\n";

static int run(const char *text, const char *before, const char *out, const char *options)
{
  return command_run(FILE_NAME, text, before, out, options);
}

/* The greatest difference of two variables, over the greatest value. */
static double difference(const char *a, const char *one, const char *b, const char *other)
{
  size_t n = 0, m = 0;
  double *x = command_nc_read(a, one, &n), *y = command_nc_read(b, other, &m), off = 0.0,
         most = 0.0;
  for (size_t i = 0; x != NULL && y != NULL && i < n && n == m; i++) {
    off = fmax(off, fabs(x[i] - y[i]));
    most = fmax(most, fabs(x[i]));
  }
  const int is = n > 0 && n == m && most > 0.0;
  free(x);
  free(y);
  return is ? off / most : INFINITY;
}

static int is_there(const char *name)
{
  size_t n = 0;
  double *v = command_nc_read(OUT, name, &n);
  free(v);
  return v != NULL;
}

static const char *const written[] = {"rate_backscatter_i",
                                      "rate_ionization_Ar_e",
                                      "rate_elastic_e",
                                      "power_e",
                                      "power_i",
                                      "power_p"};
#define N_WRITTEN (sizeof written / sizeof written[0])

static void quantities(void)
{
  static const char *const absent[] = {
      "average_six_rate_backscatter_e", "average_six_rate_elastic_i",
      "average_six_rate_elastic_p",     "average_six_power_rest",
      "average_six_flux_e_x",           "average_few_power_e",
      "average_few_rate_backscatter_i", "average_none_power_e",
      "average_none_rate_elastic_e"};
  is_int(run(discharge, "", OUT, "--scheduler serial"), 0, "a discharge");
  for (size_t i = 0; i < N_WRITTEN; i++) {
    char whole[64], phase[64], error[64];
    size_t n = 0, m = 0;
    snprintf(whole, sizeof whole, "average_six_%s", written[i]);
    snprintf(phase, sizeof phase, "phase_average_six_%s", written[i]);
    snprintf(error, sizeof error, "average_six_%s_error", written[i]);
    double *v = command_nc_read(OUT, whole, &n), *p = command_nc_read(OUT, phase, &m),
           most = 0.0;
    for (size_t j = 0; v != NULL && j < n; j++)
      most = fmax(most, fabs(v[j]));
    ok(n == 9 * 17 && m == 2 * n && most > 0.0 && is_there(error), "%s and its error",
       whole);
    free(v);
    free(p);
  }
  for (size_t i = 0; i < sizeof absent / sizeof absent[0]; i++)
    ok(!is_there(absent[i]), "no %s", absent[i]);
  is_near(
      difference(OUT, "average_six_rate_elastic_e", OUT, "average_few_rate_elastic_e"),
      0.0, 0.0, "two windows of the same steps have the same rate");
  ok(is_there("average_none_flux_e_x") && is_there("average_few_mean_energy_e"),
     "moments where they are wanted");
}

/* The mean over all steps is that of the phases, by their numbers of samples: a period has the steps
 * 0 2 4 and 6 8. */
static void phases(void)
{
  size_t n = 0, m = 0, of = 0;
  double *samples = command_nc_read(OUT, "phase_samples_six", &n);
  ok(samples != NULL && n == 2 && samples[0] == 18 && samples[1] == 12,
     "18 and 12 samples in the phases");
  for (size_t i = 0; i < N_WRITTEN && samples != NULL; i++) {
    char whole[64], phase[64];
    snprintf(whole, sizeof whole, "average_six_%s", written[i]);
    snprintf(phase, sizeof phase, "phase_average_six_%s", written[i]);
    double *v = command_nc_read(OUT, whole, &m), *p = command_nc_read(OUT, phase, &of),
           off = 0.0, most = 0.0;
    for (size_t j = 0; v != NULL && p != NULL && j < m && of == 2 * m; j++) {
      off = fmax(off, fabs((samples[0] * p[j] + samples[1] * p[m + j]) / 30.0 - v[j]));
      most = fmax(most, fabs(v[j]));
    }
    ok(most > 0.0 && off < 1e-12 * most, "%s: phases make up the whole, off by %.2g",
       written[i], off / most);
    free(v);
    free(p);
  }
  free(samples);
}

/* Ions that move in every third step, sampled in every second: as where every step is sampled. */
static void subcycled(void)
{
  is_int(run(discharge, "", AGAIN,
             "--set plasma.averages.none.power=true --set plasma.averages.none.every=1"),
         0, "power in every step");
  for (size_t i = 0; i < N_WRITTEN; i++) {
    char name[64];
    snprintf(name, sizeof name, "average_six_%s", written[i]);
    is_near(difference(OUT, name, AGAIN, name), 0.0, 0.0, "%s is the same", name);
  }
  remove(AGAIN);
}

/* 17 steps at a time, by two ranks and by one in turn, of the run in OUT. */
static void slices_by_ranks(void)
{
  int n = 0, status;
  remove(AGAIN ".ckpt"); /* of a test that was killed */
  remove(AGAIN ".part");
  do
    status = run(discharge, n % 2 == 0 ? "mpirun -n 2" : "", AGAIN,
                 "--restart auto --set checkpoint.step_limit=17");
  while (status == 3 && ++n < 9);
  is_int(n, 3, "four slices");
  ranks_same(OUT, AGAIN, "slices by two ranks and by one", status, 0);
}

static void same_bits(void)
{
  ranks_same(OUT, AGAIN, "scheduler openmp",
             run(discharge, "", AGAIN, "--scheduler openmp --threads 3"), 0);
  ranks_allow();
  if (command("mpirun -n 2 true") != 0) {
    skip(9, "mpirun starts no processes here");
    return;
  }
  ranks_same(OUT, AGAIN, "two ranks", run(discharge, "mpirun -n 2", AGAIN, ""), 0);
  slices_by_ranks();
  is_int(run(discharge, "mpirun -n 2", AGAIN, "--set divide=domains"), 0, "two domains");
  for (size_t i = 0; i < N_WRITTEN; i++) {
    char name[64];
    snprintf(name, sizeof name, "average_six_%s", written[i]);
    const double off = difference(OUT, name, AGAIN, name);
    ok(off < 1e-5, "%s in domains: off by %.2g", written[i], off);
  }
  remove(AGAIN);
}

/* Rates are those at the ends of steps: of a rate that falls from r to s in the window they miss (r -
 * s) dt/2, here 0.3 %, a tenth of the deviation of a seed. */
static void births(void)
{
  static const char text[] =
      "model = \"plasma\"; duration = \"2 ns\"; threads = 1;\n"
      "grid = { cells = [10]; length = \"4 mm\"; };\n"
      "walls = { x_low = { field = \"neumann\"; }; x_high = { field = \"neumann\"; }; "
      "};\n"
      "gas = { pressure = \"60 Pa\"; components = { Ar = { file = \"builtin:argon\"; }; "
      "}; };\n"
      "species = { e = { density = \"1e6 m-3\"; per_cell = 1000; temperature = \"10 "
      "eV\"; "
      "loading = \"random\"; collisions = \"gas\"; ions = \"i\"; };\n"
      " i = { density = \"1e6 m-3\"; per_cell = 1000; charge = 1.0; mass = \"40 u\"; "
      "mobile = "
      "false; }; };\n"
      "plasma = { time_step = \"10 ps\"; background = true; allow = "
      "[\"cell-crossing\"];\n"
      "  averages = { all = { start = \"0\"; rates = [\"ionization\"]; }; }; };\n";
  double chi = 0.0, least = INFINITY;
  for (int seed = 1; seed <= 8; seed++) {
    char option[32];
    size_t n = 0;
    snprintf(option, sizeof option, "--seed %d", seed);
    if (run(text, "", OUT, option) != 0)
      break;
    double *rate = command_nc_read(OUT, "average_all_rate_ionization_e", &n), sum = 0.0;
    for (size_t i = 0; rate != NULL && i < n; i++)
      sum += rate[i] * (i == 0 || i == 10 ? 0.5 : 1.0);
    free(rate);
    const double weight = 1e6 * 0.4e-3 / 1000.0, want = sum * 0.4e-3 * 2e-9 / weight,
                 got = command_nc_at(OUT, "born_particles", 2 * 199) / weight;
    chi += pow(got - want, 2) / want;
    least = fmin(least, want);
  }
  ok(least > 200.0 && chi < 37.3 && chi > 0.2,
     "births of eight seeds, at least %.0f: chi-square %.3g of 8", least, chi);
}

/* ---- refusals, and the forecast */

static void refused(const char *option, const char *place, const char *says)
{
  command_write(FILE_NAME, discharge);
  const int status =
      command("%s check " FILE_NAME " --set '%s'", command_wilson(), option);
  remove(FILE_NAME);
  ok(status == 2 && strstr(command_err, place) != NULL &&
         strstr(command_err, says) != NULL,
     "%s is refused", option);
  if (status != 2 || strstr(command_err, place) == NULL ||
      strstr(command_err, says) == NULL)
    diag("%.600s", command_err);
}

static void messages(void)
{
  refused("plasma.averages.six.rates=[\"ionisation\"]", "plasma.averages.six.rates",
          "\"ionisation\" is no process");
  refused("plasma.averages.six.rates=[\"elastic\",\"elastic \"]",
          "plasma.averages.six.rates",
          "would have the same name in the results, rate_elastic_e");
  refused("plasma.averages.six.power=1", "plasma.averages.six.power", "true");
  command_write(FILE_NAME,
                "model = \"plasma\"; duration = \"1 ns\";\n"
                "grid = { cells = [8]; length = \"1 mm\"; };\n"
                "species = { e = { density = \"1e10 m-3\"; temperature = \"1 eV\"; "
                "per_cell = 10; }; };\n"
                "plasma = { time_step = \"10 ps\"; background = true;\n"
                "  averages = { a = { start = \"0\";\n"
                "    rates = [\"elastic\"]; }; }; };\n");
  is_int(command("%s check " FILE_NAME, command_wilson()), 2, "rates without collisions");
  ok(strstr(command_err, FILE_NAME ":6") != NULL &&
         strstr(command_err, "no species collides"),
     "are refused with the line");
  command_write(FILE_NAME, discharge);
  is_int(command("%s check " FILE_NAME, command_wilson()), 0, "wilson check");
  ok(strstr(command_out, "averages six, 0 s to 6e-11 s") != NULL &&
         strstr(command_out, "rates and power") != NULL,
     "says the windows and what they take");
  remove(FILE_NAME);
}

int main(void)
{
  plan(0);
  quantities();
  phases();
  subcycled();
  same_bits();
  births();
  messages();
  remove(OUT);
  return done();
}
