/* t0801-cases-divided.c - defends: where several processes divide a run by cases (key `divide`), each
 * of which one process has as a whole, the file has the bits, and what is printed the lines, of a run
 * that is alone, whichever is free first; a case whose store is full, or that fails, ends the run as it
 * ends that; so does a limit, a signal or a death, and the run goes on from there with any number of
 * processes, divided so or otherwise; what cannot be divided is refused.
 * Reference: the run that is alone. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/ranks.h"
#include "t/tap/command.h"
#include "t/tap/ranks.h"
#include "t/tap/runs.h"
#include "t/tap/slices.h"
#include "t/tap/tap.h"

#define FILE_NAME "t0801.cfg"
#define OUT       "t0801.nc"
#define AGAIN     "t0801-again.nc"

static const struct {
  const char *name, *text;
  int cases, steps,
      least; /* of slices, fewer than the first case has; so many at least */
} runs[] = {
    {"five fields",
     "fields = [\"100 Td\", \"150 Td\", \"200 Td\", \"300 Td\", \"500 Td\"];\n"
     "accuracy = 0.05;\n" RUN_AIR,
     5, 150, 2},
    {"a scan of four points, two fields each",
     "fields = [\"100 Td\", \"200 Td\"]; duration = \"0.1 ns\"; relaxation = \"20 ps\";\n"
     "scan = { B = { key = \"magnetic_field\"; values = [\"0 T\", \"2 T\"]; };\n"
     "  angles = { key = \"scattering\"; values = [\"isotropic\", \"okhrimovskyy\"]; }; "
     "};\n" RUN_AIR,
     8, 40, 2},
    /* saved while another has the second, of which the point is in the file by then */
    {"a scan whose second point takes long",
     "fields = [\"200 Td\"]; duration = \"0.1 ns\"; relaxation = \"20 ps\";\n"
     "scan = { n = { key = \"electrons\"; values = [\"32\", \"4000\", \"48\", \"40\"]; "
     "}; };\n" RUN_AIR,
     4, 100, 2},
    {"three avalanches",
     "job = \"runaway\"; fields = [\"1500 Td\", \"300 Td\", \"1000 Td\"];\n"
     "duration = \"8 ps\"; sampling = { interval = \"0.4 ps\"; };\n"
     "runaway = { thresholds = [\"30 eV\", \"100 eV\"]; };\n" RUN_AIR,
     3, 7, 2},
    {"three rates of runaways",
     "job = \"runaway-rate\"; fields = [\"300 kV/cm\", \"400 kV/cm\", \"500 kV/cm\"];\n"
     "electrons = 64; groups = 8; duration = \"4 ps\"; accuracy = 0.01;\n"
     "population = { target = 64; };\n"
     "runaway = { thresholds = [\"100 eV\", \"200 eV\"]; };\n"
     "tables = { energy_max = \"10 keV\"; };\n"
     "gas = { components = { N2 = { file = \"builtin:air\"; }; }; };\n",
     3, 5, 2},
};
enum { FIELDS, SCAN, LONG, AVALANCHES, N_RUNS = sizeof runs / sizeof runs[0] };

static char alone_out[sizeof command_out];

static int run_on(int ranks, const char *options)
{
  return command("mpirun -n %d %s run " FILE_NAME " --quiet --threads 1 --output " AGAIN
                 " --set 'divide=\"cases\"' %s",
                 ranks, command_wilson(), options);
}

/* Alone, with what it printed kept. */
static void alone(const char *name, const char *text, const char *options, int wanted)
{
  command_write(FILE_NAME, text);
  const int status =
      command("%s run " FILE_NAME " --quiet --threads 1 --output " OUT " %s",
              command_wilson(), options);
  if (!is_int(status, wanted, "%s: alone", name))
    diag("%.900s", command_err);
  memcpy(alone_out, command_out, sizeof alone_out);
}

/* lines: whether all were printed by this run. */
static void same(const char *what, int status, int wanted, int lines)
{
  ranks_same(OUT, AGAIN, what, status, wanted);
  if (lines && !ok(strcmp(command_out, alone_out) == 0, "%s: and its lines", what))
    diag("%.900s", command_out);
}

static void bits(void)
{
  static const int ranks[] = {2, 3, 4, 5};
  for (size_t k = 0; k < N_RUNS; k++) {
    alone(runs[k].name, runs[k].text, "", 0);
    /* WN_LONG=1: the second is another one for each run; WN_LONG=2: all */
    const size_t turn = command_long() == 1 ? k % 3 : 0;
    for (size_t i = 0; i < (command_long() > 1 ? 4 : command_fast() ? 1 : 2); i++) {
      char what[128];
      const int n = ranks[i == 0 ? 0 : i + turn];
      if (n > runs[k].cases)
        break;
      snprintf(what, sizeof what, "%s, %d processes", runs[k].name, n);
      same(what, run_on(n, ""), 0, 1);
    }
  }
}

/* In slices, of which each divides something else. */
static void slices(size_t k)
{
  static const struct {
    int ranks;
    const char *options;
  } how[] = {{2, ""}, {3, ""}, {1, ""}, {2, "--set 'divide=\"electrons\"'"}};
  int i = 0, status;
  char options[160];
  alone(runs[k].name, runs[k].text, "", 0);
  do {
    snprintf(options, sizeof options, "--restart auto --set checkpoint.step_limit=%d %s",
             runs[k].steps, how[i % 4].options);
    status = run_on(how[i % 4].ranks, options);
  } while (status == 3 && ++i < 300);
  ok(i + 1 >= runs[k].least && !slices_exists(AGAIN ".ckpt"),
     "%s: in %d slices, of 2, 3, 1 and 2 processes in turn", runs[k].name, i + 1);
  same(runs[k].name, status, 0, 0);
}

/* The second of four finds the store full: the third and fourth, which are over sooner, are not in
 * the file. */
static void full(void)
{
  static const char text[] =
      "job = \"runaway\"; fields = [\"300 Td\", \"1500 Td\", \"250 Td\", \"200 Td\"];\n"
      "duration = \"12 ps\"; sampling = { interval = \"0.4 ps\"; };\n"
      "population = { capacity = 700; };\n"
      "runaway = { thresholds = [\"30 eV\"]; };\n" RUN_AIR;
  alone("a store that is full", text, "", 1);
  same("a store that is full, 2 processes", run_on(2, ""), 1, 1);
  same("a store that is full, 4 processes", run_on(4, ""), 1, 1);
  ok(ranks_times(command_err, "was full:") == 1, "it is said once");
  remove(AGAIN ".ckpt");
}

/* The third of four gets to the end of the tables: two are kept, and it is said once. */
static void fails(void)
{
  static const char text[] =
      "fields = [\"300 Td\", \"100 Td\", \"5000 Td\", \"50 Td\"]; duration = \"0.1 "
      "ns\";\n"
      "relaxation = \"20 ps\"; groups = 8; electrons = 100;\n"
      "tables = { energy_max = \"60 eV\"; };\n"
      "gas = { components = { N2 = { file = \"builtin:air\"; }; }; };\n";
  alone("a case that fails", text, "", 1);
  for (int n = command_fast() ? 4 : 2; n <= 4; n += 2) {
    const int status = run_on(n, "");
    ok(status == 1 && strcmp(command_out, alone_out) == 0 &&
           ranks_times(command_err, "the top of the tables") == 1,
       "the third fails under %d processes: two lines before it, one message", n);
    size_t values = 0;
    const char *differs = command_nc_differs(OUT ".part", AGAIN ".part", &values);
    ok(differs == NULL && values > 20, "what was finished before is kept%s%s",
       differs ? "; differs: " : "", differs ? differs : "");
    remove(AGAIN ".part");
  }
  remove(OUT ".part");
}

#define ENDLESS                                                                          \
  "fields = [\"100 Td\", \"200 Td\", \"300 Td\"]; duration = \"%s\"; relaxation = "      \
  "\"20 ps\"; checkpoint = { steps = 20; };\n" RUN_AIR

/* One is stopped, or killed, as soon as there is a checkpoint; and then all goes on. */
static void ended(const char *signal, int rank, int wanted)
{
  char text[2048], what[64];
  snprintf(text, sizeof text, ENDLESS, "20 ns");
  snprintf(what, sizeof what, "%s to process %d", signal, rank);
  alone(what, text, "", 0);
  const int status = command(
      "mpirun -n 3 sh -c 'test ${OMPI_COMM_WORLD_RANK:-$PMI_RANK} = %d && echo $$ "
      ">t0801.pid; exec %s run " FILE_NAME " --quiet --threads 1 --output " AGAIN
      " --set divide=\\\"cases\\\"' & all=$!;\n"
      "while test ! -e " AGAIN ".ckpt && kill -0 $all; do sleep 0.02; done; "
      "kill -%s $(cat t0801.pid); wait $all",
      rank, command_wilson(), signal);
  ok((wanted < 0 ? status != 0 : status == wanted) && slices_exists(AGAIN ".ckpt") &&
         !slices_exists(AGAIN),
     "%s ends all of them, status %d, and the checkpoint stays", what, status);
  remove("t0801.pid");
  same("and it goes on with two", run_on(2, "--restart auto"), 0, 0);
}

static void refused(void)
{
  command_write(FILE_NAME, RUN_PLASMA(""));
  int status = run_on(2, "");
  ok(status == 2 &&
         ranks_times(command_err, "only cases of model mcc can be divided") == 1,
     "cases of a plasma are not divided");
  command_write(FILE_NAME, runs[AVALANCHES].text);
  status = run_on(4, "");
  ok(status == 2 && ranks_times(command_err, "with 3 cases and 4 processes") == 1,
     "three cases are not divided among four");
  /* by itself it takes what there is */
  status = command("mpirun -n 2 %s run " FILE_NAME " --threads 1 --output " AGAIN,
                   command_wilson());
  ok(status == 0 &&
         ranks_times(command_err, "whole cases, 3 in all, are divided among") == 1,
     "auto divides three cases among two, and says so");
  status = command("mpirun -n 4 %s run " FILE_NAME " --threads 1 --output " AGAIN,
                   command_wilson());
  ok(status == 0 && strstr(command_err, "are divided among") == NULL,
     "and among four their electrons");
  remove(AGAIN);
}

int main(void)
{
  if (wn_ranks_library() == NULL)
    skip_all("built without MPI");
  ranks_or_skip();
  plan(0);
  bits();
  for (size_t k = 0; k < N_RUNS; k++)
    if (!command_fast() || k == LONG)
      slices(k);
  full();
  fails();
  if (!command_fast()) {
    ended("TERM", 0, 1);
    ended("KILL", 1, -1);
  }
  ended("TERM", 2, 1);
  refused();
  remove(OUT);
  remove(AGAIN);
  remove(AGAIN ".part");
  remove(AGAIN ".ckpt");
  remove(FILE_NAME);
  return done();
}
