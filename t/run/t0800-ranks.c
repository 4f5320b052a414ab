/* t0800-ranks.c - defends: a run on several processes (mpirun) writes the bits of one that is
 * alone, in every variable of every model and job, with threads and without, with population control, weights, a full store; and when it is stopped and goes on
 * with another number of processes, or one of them is killed.  Mistakes are said once.
 * Cases that are divided as wholes are t0801's.  Reference: the run that is alone. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/ranks.h"
#include "t/tap/command.h"
#include "t/tap/ranks.h"
#include "t/tap/runs.h"
#include "t/tap/slices.h"
#include "t/tap/tap.h"

#define FILE_NAME "t0800.cfg"
#define OUT       "t0800.nc"
#define AGAIN     "t0800-again.nc"

static const struct {
  const char *name, *text;
} cases[] = {
    {"a swarm that relaxes by itself and ends by its accuracy",
     "fields = [\"100 Td\", \"300 Td\"]; accuracy = 0.05;\n" RUN_AIR},
    {"a scan in a magnetic field",
     "fields = [\"100 Td\"]; duration = \"0.1 ns\"; relaxation = \"20 ps\";\n"
     "scan = { B = { key = \"magnetic_field\"; values = [\"0 T\", \"2 T\"]; };\n"
     "  angles = { key = \"scattering\"; values = [\"isotropic\", \"okhrimovskyy\"]; }; "
     "};\n" RUN_AIR},
    {"a field that changes, with attachment and few electrons",
     "fields = [\"90 Td\", \"400 Td\"]; duration = \"100 ps\"; relaxation = \"0 s\";\n"
     "waveform = { shape = \"sine\"; frequency = \"100 GHz\"; rows = 8; };\n"
     "sampling = { interval = \"0.25 ps\"; };\n" RUN_AIR},
    {"a plasma with averages, maps, moments and modes",
     RUN_PLASMA("moments_interval = \"100 ps\"; moments_pressure = true;")},
    {"a discharge: collisions, ions, subcycling, electrons from walls", RUN_DISCHARGE},
    {"an avalanche that grows unevenly, so that electrons move between processes",
     "job = \"runaway\"; fields = [\"1500 Td\"]; duration = \"9 ps\";\n"
     "scattering = \"okhrimovskyy\"; sharing = \"rbeb\"; runaway = { thresholds = "
     "[\"30 eV\", \"100 eV\"]; };\n"
     "groups = 8; electrons = 9; tables = { energy_max = \"10 keV\"; };\n"
     "gas = { components = { N2 = { file = \"builtin:air\"; }; }; };\n"},
    {"particles in E and B on nodes", RUN_NODES},
    {"electrodes that take and emit, one behind a resistor, and a dielectric",
     "model = \"plasma\"; duration = \"3 ps\"; seed = 5;\n"
     "gas = { pressure = \"1 bar\"; components = { N2 = { file = \"builtin:air\"; }; }; "
     "};\n"
     "grid = { geometry = \"r-z\"; cells = [14, 20]; length = [\"0.7 mm\", \"1 mm\"]; "
     "};\n"
     "walls = { x_high = { field = \"neumann\"; }; y_low = { field = \"dirichlet\"; }; "
     "y_high = { field = \"dirichlet\"; voltage = \"3 kV\"; }; };\n"
     "electrodes = { needle = { shape = \"ellipsoid\"; centre = [\"0 mm\", \"0 mm\"]; "
     "semi_axes = [\"0.15 mm\", \"0.4 mm\"]; yield = 0.5; electron_yield = 1.2; };\n"
     "  ring = { shape = \"box\"; low = [\"0.4 mm\", \"0.5 mm\"]; high = [\"0.55 mm\", "
     "\"0.65 mm\"]; voltage = \"1.2 kV\"; resistance = \"10 kohm\"; }; };\n"
     "dielectrics = { glass = { shape = \"box\"; low = [\"0 mm\", \"0.86 mm\"]; high = "
     "[\"0.7 mm\", \"1 mm\"]; permittivity = 5; yield = 0.5; }; };\n"
     "species = { e = { density = \"1e16 m-3\"; per_cell = 20; temperature = \"1 eV\"; "
     "collisions = \"gas\"; ions = \"p\"; }; p = { charge = 1; mass = \"28 u\"; density "
     "= "
     "\"1e16 m-3\"; per_cell = 20; temperature = \"300 K\"; }; };\n"
     "plasma = { time_step = \"0.25 ps\"; allow = [\"debye-length\", "
     "\"cell-crossing\"]; };\n"},
};

enum { PLASMA = 3, DISCHARGE = 4 };

/* mpirun says its own of a run that fails; the rest is ours. */
#define RANKS "mpirun -n %d %s run " FILE_NAME " --quiet --set 'divide=\"electrons\"'"

static int run_on(int ranks, const char *output, const char *options)
{
  return command(RANKS " --output %s %s", ranks, command_wilson(), output, options);
}

static void same(const char *what, int status, int wanted)
{
  ranks_same(OUT, AGAIN, what, status, wanted);
}

/* Alone; whether it could. */
static int alone(const char *name, const char *text, const char *options, int wanted)
{
  command_write(FILE_NAME, text);
  const int status =
      command("%s run " FILE_NAME " --quiet --threads 2 --output " OUT " %s",
              command_wilson(), options);
  if (status != wanted)
    diag("%s: %.900s", name, command_err);
  return is_int(status, wanted, "%s: alone", name);
}

static void bits(const char *name, const char *text)
{
  static const struct {
    int ranks;
    const char *options;
  } how[] = {{2, "--threads 1"},
             {1, "--threads 2"},
             {5, "--threads 1"},
             {3, "--scheduler serial"},
             {4, "--threads 2"}};
  /* the first, and every second case one of the others in turn; WN_LONG=2 takes all */
  static size_t turn;
  const size_t all = sizeof how / sizeof how[0], usual = 1,
               extra =
                   command_fast() || turn++ % 2 ? 0 : usual + turn / 2 % (all - usual);
  char what[256];
  alone(name, text, "", 0);
  for (size_t i = 0; i < all; i++) {
    if (i >= usual && i != extra && command_long() < 2)
      continue;
    snprintf(what, sizeof what, "%s, %d processes, %s", name, how[i].ranks,
             how[i].options);
    same(what, run_on(how[i].ranks, AGAIN, how[i].options), 0);
  }
}

/* In slices of some steps, each of another number of processes.  The one alone was run by bits(). */
static void slices(const char *name, int steps, int least)
{
  static const int ranks[] = {2, 1, 3};
  int i = 0, status;
  char options[160];
  remove(AGAIN ".ckpt"); /* of a test that was killed */
  snprintf(options, sizeof options,
           "--threads 1 --restart auto --set checkpoint.step_limit=%d", steps);
  do
    status = run_on(ranks[i % 3], AGAIN, options);
  while (status == 3 && ++i < 200);
  ok(i >= least && !slices_exists(AGAIN ".ckpt"),
     "%s: in %d slices, of 2, 1 and 3 processes in turn", name, i + 1);
  same(name, status, 0);
}

static const char full_text[] =
    "job = \"runaway\"; fields = [\"1000 Td\", \"1500 Td\"];\n"
    "duration = \"12 ps\"; sampling = { interval = \"0.4 ps\"; };\n"
    "runaway = { thresholds = [\"30 eV\"]; };\n" RUN_AIR;

static void full(void)
{
  static const char options[] = "--set population.capacity=700";
  alone("a store that is full", full_text, options, 1);
  same("a store that is full", run_on(3, AGAIN, options), 1);
  remove(AGAIN ".ckpt");
}

/* One is killed as soon as there is a checkpoint. */
static void killed(void)
{
  static const char text[] =
      "fields = [\"100 Td\"]; duration = \"5 ns\"; relaxation = \"20 ps\";\n" RUN_AIR;
  alone("one is killed", text, "", 0);
  int status =
      command("mpirun -n 2 sh -c 'test ${OMPI_COMM_WORLD_RANK:-$PMI_RANK} = 0 || echo $$ "
              ">t0800.pid; exec "
              "%s run " FILE_NAME " --quiet --threads 1 --output " AGAIN
              " --set checkpoint.steps=20 --set divide=\\\"electrons\\\"' & all=$!;\n"
              "while test ! -e " AGAIN ".ckpt && kill -0 $all; do sleep 0.02; done; "
              "kill -9 $(cat t0800.pid); wait $all",
              command_wilson());
  ok(status != 0 && slices_exists(AGAIN ".ckpt") && !slices_exists(AGAIN),
     "one that is killed ends all of them, and the checkpoint stays");
  remove("t0800.pid");
  same("and goes on with three", run_on(3, AGAIN, "--threads 1 --restart auto"), 0);
}

static void messages(void)
{
  command_write(FILE_NAME, "fields = [\"100 Td\"]; electrns = 5;\n" RUN_AIR);
  int status = run_on(3, AGAIN, "");
  ok(status == 2 && ranks_times(command_err, "key `electrns`: unknown key") == 1,
     "a mistake in the scenario is said once, with exit status 2");
  command_write(FILE_NAME, cases[PLASMA].text);
  status = run_on(2, AGAIN, "--set 'plasma.particles_interval=\"200 ps\"'");
  ok(status == 2 && ranks_times(command_err,
                                "key `plasma.particles_interval`: the choice of sampled "
                                "particles would depend on the number of processes") == 1,
     "what would depend on the number of processes is refused");
  command_write(FILE_NAME, cases[0].text);
  status = command("mpirun -n 2 %s check " FILE_NAME, command_wilson());
  ok(status == 0 && ranks_times(command_out, "work: ") == 1,
     "the forecast of a run is that of one process, and comes once");
  status = command("mpirun -n 3 %s list jobs", command_wilson());
  ok(status == 0 && ranks_times(command_out, "runaway-rate") >= 1 &&
         ranks_times(command_out, "\nswarm ") +
                 (strncmp(command_out, "swarm ", 6) == 0) ==
             1,
     "what one of them can do is done once");
}

/* A build without MPI. */
static void refused(void)
{
  plan(0);
  command_write(FILE_NAME, cases[0].text);
  const int status =
      command("OMPI_COMM_WORLD_SIZE=3 %s run " FILE_NAME, command_wilson());
  ok(status == 2 &&
         ranks_times(command_err, "one of 3 processes, but MPI is not built in") == 1,
     "without MPI a program that is one of several refuses to run");
  remove(FILE_NAME);
  skip(1, "built without MPI");
}

int main(void)
{
  if (wn_ranks_library() == NULL) {
    refused();
    return done();
  }
  ranks_or_skip();
  plan(0);
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    bits(cases[i].name, cases[i].text);
    if (i == 0)
      slices("a swarm", 149, 3);
    else if (i == PLASMA && !command_fast())
      slices(cases[i].name, 11, 4);
    else if (i == DISCHARGE)
      slices(cases[i].name, 9, 4);
  }
  for (size_t i = 0; i < n_run_cases; i++) {
    bits(run_cases[i].name, run_cases[i].text);
    if (i > 0 && !command_fast())
      slices(run_cases[i].name, i == 1 ? 1 : 8, i == 1 ? 2 : 4);
  }
  full();
  killed();
  messages();
  remove(OUT);
  remove(AGAIN);
  remove(AGAIN ".part");
  remove(AGAIN ".ckpt");
  remove(FILE_NAME);
  return done();
}
