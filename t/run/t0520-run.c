/* t0520-run.c - defends: a run writes every quantity that it promises, with errors,
 * normalised, with an energy ledger that closes; and whatever ends a run early has a
 * name, exit status 1, and leaves what was finished in FILE.part and nothing under FILE.
 * No outside numbers; the limits of the ledger are those of single precision in the
 * stored momentum. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "t/tap/command.h"
#include "t/tap/tap.h"

#define GAS                                                                              \
  "groups = 8;\n"                                                                        \
  "gas = { components = {\n"                                                             \
  "  N2 = { fraction = 0.8; file = \"builtin:air\"; };\n"                                \
  "  O2 = { fraction = 0.2; file = \"builtin:air\"; };\n"                                \
  "}; };\n"

static const char swarm[] = "job = \"swarm\"; fields = [\"200 Td\", \"400 Td\"]; "
                            "electrons = 200; duration = \"400 ps\"; "
                            "sampling = { block = 64; };\n" GAS;
static const char runaway[] =
    "job = \"runaway\"; fields = [\"1000 Td\", \"2000 Td\"]; electrons = 100; duration = "
    "\"5 ps\";\n"
    "scattering = \"okhrimovskyy\"; sharing = \"rbeb\"; population = { target = 400; "
    "protect_above = \"100 eV\"; };\n"
    "runaway = { thresholds = [\"50 eV\", \"100 eV\", \"1 keV\"]; stop_above = \"200 "
    "eV\"; };\n" GAS;

static int exists(const char *path)
{
  struct stat st;
  return stat(path, &st) == 0;
}

/* A variable must be there with n values, all finite (or some may be NaN); returns the
 * first. */
static double has(const char *path, const char *name, size_t want, int all_finite)
{
  size_t n = 0, finite = 0;
  double *v = command_nc_read(path, name, &n), first = v != NULL && n > 0 ? v[0] : NAN;
  for (size_t i = 0; v != NULL && i < n; i++)
    finite += isfinite(v[i]) != 0;
  ok(v != NULL && (want == 0 ? n > 1 : n == want) &&
         (all_finite ? finite == n : finite > 0),
     "%s: %zu values, %zu finite", name, n, finite);
  free(v);
  return first;
}

static void has_error(const char *path, const char *name, size_t want)
{
  char error[128], limit[128];
  size_t n = 0, m = 0, k = 0, bad = 0;
  snprintf(error, sizeof error, "%s_error", name);
  has(path, name, want, 1);
  double *v = command_nc_read(path, name, &n), *e = command_nc_read(path, error, &m);
  /* a rate of which nothing was seen is 0 and has no error, but an upper limit, or NaN where
   * roulette forbids one */
  snprintf(limit, sizeof limit, "%s_upper_limit", name);
  double *below = command_nc_read(path, limit, &k);
  for (size_t i = 0; v != NULL && e != NULL && i < n && i < m; i++)
    bad += !(e[i] >= 0.0 ||
             (v[i] == 0.0 && below != NULL && k == n && !(below[i] <= 0.0))) ||
           (want > 0 && v[i] != 0.0 && !(e[i] > 0.0 && e[i] < 1e3 * fabs(v[i])));
  ok(v != NULL && e != NULL && n == m && bad == 0, "%s: one positive error a value",
     error);
  free(v);
  free(e);
  free(below);
}

static void ledger(const char *path, size_t n_fields)
{
  size_t n = 0, m = 0, k = 0, lost_n = 0;
  double *gained = command_nc_read(path, "energy_gained", &n),
         *left = command_nc_read(path, "energy_residual", &m);
  double *carried = command_nc_read(path, "energy_carried", &k),
         *lost = command_nc_read(path, "energy_lost", &lost_n);
  double *removed = command_nc_read(path, "energy_removed", &k);
  int there = gained && left && carried && lost && removed && n == n_fields &&
              m == n_fields && lost_n % n_fields == 0;
  ok(there, "the ledger is there");
  for (size_t i = 0; there && i < n_fields; i++) {
    double sum = gained[i] - removed[i] - carried[i];
    for (size_t p = 0; p < lost_n / n_fields; p++)
      sum -= lost[i * (lost_n / n_fields) + p];
    ok(gained[i] > 0.0 && fabs(left[i]) <= 1e-6 * gained[i],
       "field %zu: the residual is %.2g of the energy gained", i, left[i] / gained[i]);
    is_near(sum, left[i], 1e-9 * gained[i], "field %zu: the items add up to the residual",
            i);
  }
  free(gained);
  free(left);
  free(carried);
  free(lost);
  free(removed);
}

static void distribution(const char *path)
{
  size_t n = 0, m = 0;
  double *f = command_nc_read(path, "energy_distribution", &n),
         *edge = command_nc_read(path, "energy_bounds", &m);
  size_t bins = m / 2;
  ok(f != NULL && edge != NULL && bins > 0 && n == 2 * bins, "%zu bins", bins);
  for (size_t i = 0; f != NULL && edge != NULL && i < 2; i++) {
    double sum = 0.0, mean = 0.0;
    for (size_t b = 0; b < bins; b++) {
      double lo = edge[2 * b], hi = edge[2 * b + 1];
      sum += f[i * bins + b] * 2.0 / 3.0 * (hi * sqrt(hi) - lo * sqrt(lo));
      mean += f[i * bins + b] * 0.4 * (hi * hi * sqrt(hi) - lo * lo * sqrt(lo));
    }
    size_t k;
    double *e = command_nc_read(path, "mean_energy", &k),
           *error = command_nc_read(path, "mean_energy_error", &k);
    is_near(sum, 1.0, 1e-9, "field %zu: the integral of f(e) sqrt(e) de is 1", i);
    /* bins of a tenth of an octave or so: the mean from them is 1 % off at the most; the
     * control variate moves the other */
    if (e != NULL && error != NULL)
      is_near(mean, e[i], 0.01 * e[i] + 4.0 * error[i],
              "field %zu: the mean energy of the distribution", i);
    free(e);
    free(error);
  }
  free(f);
  free(edge);
}

static void swarm_variables(void)
{
  static const char *const with_error[] = {"mean_energy",
                                           "drift_velocity_flux",
                                           "drift_velocity_bulk",
                                           "diffusion_transverse_flux",
                                           "diffusion_longitudinal_flux",
                                           "diffusion_transverse_bulk",
                                           "diffusion_longitudinal_bulk",
                                           "ionization_frequency",
                                           "attachment_frequency",
                                           "townsend_coefficient_reduced",
                                           "attachment_coefficient_reduced"};
  command_write("t0520.cfg", swarm);
  int status = command("%s run t0520.cfg --quiet", command_wilson());
  if (!is_int(status, 0, "a swarm run"))
    diag("%.900s", command_err);
  ok(exists("t0520.nc") && !exists("t0520.nc.part"),
     "its file has the name of the scenario, in the working folder");
  is_str(command_err, "", "--quiet: nothing on stderr");
  is_close(has("t0520.nc", "reduced_electric_field", 2, 1), 200.0, 1e-12, "200 Td");
  double density = has("t0520.nc", "gas_number_density", 1, 1);
  is_close(density, 101325.0 / (1.380649e-23 * 300.0), 1e-9,
           "density of 1 atm and 300 K");
  is_close(has("t0520.nc", "electric_field", 2, 1), 200e-21 * density, 1e-9,
           "200 Td in V/m");
  for (size_t i = 0; i < sizeof with_error / sizeof with_error[0]; i++)
    has_error("t0520.nc", with_error[i], 2);
  has_error("t0520.nc", "process_frequency", 0);
  has_error("t0520.nc", "energy_distribution", 0);
  distribution("t0520.nc");
  ledger("t0520.nc", 2);
  remove("t0520.nc");
}

/* No electron passes 1 keV within 1 ps, and none is removed: 3 of 100 primaries at the most. */
static void runaway_limits(void)
{
  size_t n = 0, m = 0;
  command_write("t0520.cfg", runaway);
  is_int(command("%s run t0520.cfg --output t0520-b.nc --set population.target=0 --set "
                 "'duration=\"1 ps\"' --set 'fields=[\"2000 Td\"]'",
                 command_wilson()),
         0, "a runaway run without roulette");
  double *rate = command_nc_read("t0520-b.nc", "runaway_rate_upper_limit", &n),
         *passages =
             command_nc_read("t0520-b.nc", "passages_per_primary_upper_limit", &m);
  if (ok(rate != NULL && passages != NULL && n == 3 && m == 3, "it has upper limits")) {
    is_near(passages[2], 0.03, 1e-12, "3 of 100 primaries pass 1 keV at the most");
    ok(rate[2] > 1e9 && rate[2] < 0.03 / 1e-12 * 1.001, "which is a rate, %.3g", rate[2]);
    ok(isnan(rate[0]), "50 eV are passed, so there is no limit");
  }
  ok(strstr(command_out, "(95 %)") != NULL, "the line shows the limit");
  free(rate);
  free(passages);
}

static void runaway_variables(void)
{
  command_write("t0520.cfg", runaway);
  int status = command("%s run t0520.cfg --quiet --output t0520-b.nc", command_wilson());
  if (!is_int(status, 0, "a runaway run"))
    diag("%.900s", command_err);
  ok(exists("t0520-b.nc"), "--output names the file");
  has_error("t0520-b.nc", "runaway_fraction", 6);
  has_error("t0520-b.nc", "runaway_rate", 6);
  has("t0520-b.nc", "first_passage_time", 6, 0); /* NaN where none passed */
  has("t0520-b.nc", "first_passage_time_error", 6, 0);
  has_error("t0520-b.nc", "final_energy_distribution", 0);
  has_error("t0520-b.nc", "final_mean_energy", 2);
  double time = has("t0520-b.nc", "followed_time", 2, 1);
  is_close(time, 5e-12, 1e-9, "followed for the duration");
  ok(strstr(command_err, "lower bound") != NULL,
     "and the run says that roulette makes the fraction a lower bound");
  ledger("t0520-b.nc", 2);
  remove("t0520-b.nc");
}

/* Stopped in the second field of twenty: signalled when the first has its line on stdout,
 * however long that takes, with 19 times as long left to take the signal. */
static void stopped(const char *name, int number)
{
  char want[64];
  size_t n = 0;
  command_write(
      "t0520.cfg",
      "job = \"swarm\"; electrons = 200; duration = \"2 ns\";\n"
      "fields = [\"200 Td\", \"210 Td\", \"211 Td\", \"212 Td\", \"213 Td\",\n"
      "  \"214 Td\", \"215 Td\", \"216 Td\", \"217 Td\", \"218 Td\", \"219 Td\",\n"
      "  \"220 Td\", \"221 Td\", \"222 Td\", \"223 Td\", \"224 Td\", \"225 Td\",\n"
      "  \"226 Td\", \"227 Td\", \"228 Td\"];\n"
      "sampling = { block = 8; };\n" GAS);
  int status = command("%s run t0520.cfg --threads 1 >t0520.out & pid=$!\n"
                       "until grep -q '^ *200 ' t0520.out 2>/dev/null; do\n"
                       "  kill -0 $pid 2>/dev/null || break; sleep 0.1\ndone\n"
                       "kill -%s $pid; wait $pid",
                       command_wilson(), name);
  is_int(status, 1, "SIG%s ends the run with exit status 1", name);
  snprintf(want, sizeof want, "stopped by signal %d", number);
  ok(strstr(command_err, want) != NULL, "and with the message `%s`: %.300s", want,
     command_err);
  ok(!exists("t0520.nc"), "nothing stands under the final name");
  double *e = command_nc_read("t0520.nc.part", "mean_energy", &n);
  ok(e != NULL && n == 20 && isfinite(e[0]) && isnan(e[19]),
     "FILE.part is readable, with the field that was finished");
  free(e);
  remove("t0520.nc.part");
  remove("t0520.out");
}

static void ended(const char *name, const char *text, const char *want, int want_status)
{
  command_write("t0520.cfg", text);
  int status = command("%s run t0520.cfg", command_wilson());
  is_int(status, want_status, "%s: exit status", name);
  if (!ok(strstr(command_err, want) != NULL, "%s: the message has `%s`", name, want))
    diag("%.900s", command_err);
  ok(!exists("t0520.nc"), "%s: nothing under the final name", name);
  remove("t0520.nc.part");
  remove("t0520.nc");
}

static void ends(void)
{
  command_write("t0520-lxcat.txt",
                "ELASTIC\nA\n 1.0e-4\nSPECIES: e / A\nPROCESS: E + A -> E + A, Elastic\n"
                "PARAM.:  m/M = 1.0e-4, complete set\n-----------------------------\n"
                " 0.0 1e-20\n 1.0 1e-20\n 10.0 1e-20\n-----------------------------\n");
  ended("a table's end",
        "job = \"swarm\"; fields = [\"500 Td\"]; electrons = 64; groups = 8;\n"
        "gas = { components = { A = { file = \"t0520-lxcat.txt\"; }; }; };\n",
        "ends at 10 eV; choose what holds above with gas.components.<NAME>.beyond", 1);
  remove("t0520-lxcat.txt");
  ended("the top of the tables",
        "fields = [\"300 Td\"]; electrons = 64; tables = { energy_max = \"16 eV\"; "
        "};\n" GAS,
        "raise tables.energy_max", 1);
  ended(
      "all attached",
      "job = \"swarm\"; fields = [\"1 Td\"]; electrons = 8; accuracy = 0.001; duration = "
      "\"100 us\";\n"
      "initial_energy = \"7 eV\"; initial_spectrum = \"mono\"; relaxation = \"10 us\";\n"
      /* within a step, without splitting */
      "sampling = { interval = \"1 us\"; };\n"
      "gas = { components = { O2 = { file = \"builtin:air\"; three_body = \"self\"; }; "
      "}; }; groups = 8;\n",
      "all electrons were attached", 1);
  ended("an unknown scheduler",
        "scheduler = \"quantum\"; fields = [\"1 Td\"]; electrons = 8;\n" GAS,
        "unknown scheduler `quantum`; on the CPU there are auto, ", 2);
  ended("too many threads", "threads = 5000; fields = [\"1 Td\"]; electrons = 8;\n" GAS,
        "allowed: 0 to 4096", 2);
  if (command("%s list schedulers | grep -q '^openmp'", command_wilson()) != 0)
    ended("no OpenMP",
          "scheduler = \"openmp\"; fields = [\"1 Td\"]; electrons = 8;\n" GAS,
          "is not built in", 2);
  ended("a model of the study", "model = \"split-remove\"; electrons = 10;\n",
        "are run by bench/study/study", 2);
}

/* Where a run is.  Without a GPU `cuda` must not run elsewhere, `auto` must. */
static void devices(void)
{
  static const char wanted[] =
      "fields = [\"500 Td\"]; electrons = 64; accuracy = 0.4; duration = \"2 ps\"; "
      "relaxation = \"1 ps\";\n" GAS;
  static const char *const runs[] = {"--device cpu", "--device auto",
                                     "--device auto --scheduler serial",
                                     "--device cpu --scheduler serial"};
  size_t n = 0;
  ended("an unknown device", "device = \"tpu\"; fields = [\"1 Td\"];\n" GAS,
        "t0520.cfg:1: key `device` = \"tpu\": no such device; allowed: auto, cpu, cuda, "
        "cuda:N",
        2);
  ended("a number that is none", "device = \"cuda:1x\"; fields = [\"1 Td\"];\n" GAS,
        "no such device", 2);
  ended("a block of 33", "block_size = 33; fields = [\"1 Td\"];\n" GAS,
        "33 is not a multiple of 32", 2);
  ended("a GPU that no machine has", "device = \"cuda:999\"; fields = [\"1 Td\"];\n" GAS,
        "device `cuda:999` cannot be used: ", 2);
  ended("a scheduler of a GPU on the CPU",
        "device = \"cpu\"; scheduler = \"dynamic\"; fields = [\"1 Td\"];\n" GAS,
        "on the CPU there are auto, ", 2);
  command_write("t0520.cfg", wanted);
  for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++) {
    int status = command("%s run t0520.cfg --quiet %s --output t0520-%c.nc",
                         command_wilson(), runs[i], i == 0 ? 'a' : 'b');
    const char *what = i > 0 ? command_nc_differs("t0520-a.nc", "t0520-b.nc", &n) : NULL;
    ok(status == 0 && what == NULL && *command_err == '\0',
       "%s runs, and gives the same: %.300s", runs[i], command_err);
  }
  remove("t0520-a.nc");
  remove("t0520-b.nc");
  if (command("%s list devices | grep '^cuda:0'", command_wilson()) == 0) {
    int status = command("%s run t0520.cfg --device cuda --set block_size=64 --output "
                         "t0520-b.nc",
                         command_wilson());
    is_int(status, 0, "a run on the GPU");
    ok(strstr(command_err, "runs on cuda:0, ") != NULL, "says so");
    remove("t0520-b.nc");
    return;
  }
  int status = command("%s run t0520.cfg --device cuda", command_wilson());
  is_int(status, 2, "no GPU: cuda stops");
  ok(strstr(command_err, "device `cuda` cannot be used: ") != NULL &&
         strstr(command_err, "take device cpu, or auto") != NULL,
     "no GPU: it says why and what to do: %.300s", command_err);
  status = command("%s run t0520.cfg --scheduler dynamic", command_wilson());
  is_int(status, 2, "no GPU: dynamic stops");
  ok(strstr(command_err, "scheduler `dynamic` runs on a GPU") != NULL,
     "no GPU: and says why: %.300s", command_err);
  ok(!exists("t0520.nc") && !exists("t0520.nc.part"), "no GPU: nothing is written");
}

static void outputs(void)
{
  command_write("t0520.cfg", swarm);
  int status =
      command("%s run t0520.cfg --quiet --output t0520-none/x.nc", command_wilson());
  is_int(status, 1, "a missing folder: exit status");
  ok(strstr(command_err, "t0520-none/x.nc") && strstr(command_err, "No such file"),
     "and the message: %.300s", command_err);
  ok(!exists("t0520-none"), "nothing was made");
  status = command("%s run t0520.cfg --quiet --set electrons=50 --set 'fields=[\"200 "
                   "Td\"]' >/dev/full",
                   command_wilson());
  is_int(status, 1, "a full disk behind stdout: exit status");
  ok(strstr(command_err, "standard output") != NULL, "and the message: %.300s",
     command_err);
  remove("t0520.nc");
  remove("t0520.nc.part");
  /* a limit on the size of files stands for the full disk: EFBIG instead of ENOSPC, at
   * the same calls; 8 blocks of 512 */
  status =
      command("trap '' XFSZ; ulimit -f 8; %s run t0520.cfg --quiet --set electrons=50 "
              "--set 'fields=[\"200 Td\"]'",
              command_wilson());
  is_int(status, 1, "a full disk: exit status");
  ok(strstr(command_err, "t0520.nc") != NULL, "and the message names the file: %.300s",
     command_err);
  ok(!exists("t0520.nc"), "nothing under the final name");
  remove("t0520.nc");
  remove("t0520.nc.part");
}

/* A swarm that grows by e^300 before it is sampled: weights must stay in the range of a
 * float, and so did not once, when the population then ran away from its target.  14.1 eV
 * is what longer runs of this program give (no outside number). */
static void growing(void)
{
  command_write("t0520.cfg", "job = \"swarm\"; fields = [\"900 Td\"]; electrons = 200; "
                             "relaxation = \"1.5 ns\"; duration = \"200 ps\";\n" GAS);
  int status = command("%s run t0520.cfg --quiet --output t0520-b.nc", command_wilson());
  if (!is_int(status, 0, "a swarm that grows fast runs"))
    diag("%.600s", command_err);
  size_t n = 0;
  double *e = command_nc_read("t0520-b.nc", "mean_energy", &n);
  ok(e != NULL && n == 1 && fabs(e[0] - 14.1) < 1.0,
     "its mean energy is %.4g eV, want 14.1 within 1", e != NULL && n > 0 ? e[0] : NAN);
  free(e);
  remove("t0520-b.nc");
}

/* 35 electrons in 8 groups of 4 or 5, which fly freely, all with 60 eV: each passes 55 eV once, so every
 * group has one passage a primary and the same mean energy, but for 5e-4 eV that the field gives. */
static void unequal_groups(void)
{
  command_write("t0520.cfg",
                "job = \"runaway\"; fields = [\"1 V/cm\"]; electrons = 35; groups = 8;\n"
                "duration = \"1 ps\"; initial_energy = \"60 eV\";\n"
                "initial_spectrum = \"mono\"; tables = { energy_max = \"1 keV\"; };\n"
                "runaway = { thresholds = [\"55 eV\"]; };\n"
                "gas = { pressure = \"1e-6 Torr\"; components = {\n"
                "  N2 = { file = \"builtin:air\"; }; }; };\n");
  int status = command("%s run t0520.cfg --quiet --output t0520-b.nc", command_wilson());
  if (!is_int(status, 0, "groups of unequal size run"))
    diag("%.600s", command_err);
  const char *b = "t0520-b.nc";
  is_close(command_nc_at(b, "passages_per_primary", 0), 1.0, 1e-12, "each passes once");
  is_near(command_nc_at(b, "passages_per_primary_error", 0), 0.0, 1e-12,
          "and so does each group");
  is_close(command_nc_at(b, "final_mean_energy", 0), 60.0, 1e-4, "all have 60 eV");
  is_near(command_nc_at(b, "final_mean_energy_error", 0), 0.0, 1e-3,
          "and so has each group, whatever its size");
  remove(b);
}

int main(void)
{
  plan(0);
  unequal_groups();
  growing();
  swarm_variables();
  runaway_limits();
  runaway_variables();
  stopped("INT", 2);
  stopped("TERM", 15);
  ends();
  devices();
  outputs();
  remove("t0520.cfg");
  return done();
}
