/* t0560-restart.c - defends: a run that is stopped after any step and goes on by another
 * program, with other threads and another scheduler, writes the bits of an undisturbed one, in
 * every variable: every model and job, while it relaxes, inside blocks, windows of averages and
 * periods, between fields and points of a scan, with population control, a full store, fields
 * from a grid, ions and electrons from walls.  Reference: the undisturbed run. */
#include <stdio.h>
#include <string.h>
#include "t/tap/command.h"
#include "t/tap/runs.h"
#include "t/tap/slices.h"
#include "t/tap/tap.h"

#define FILE_NAME "t0560.cfg"
#define OUT       "t0560.nc"
#define AGAIN     "t0560-again.nc"

static const struct {
  const char *name;
  size_t steps, least; /* of a slice; slices */
  const char *text;
} cases[] = {
    {"a swarm that relaxes by itself and ends by its accuracy", 97, 4,
     "fields = [\"100 Td\", \"300 Td\"]; accuracy = 0.05;\n" RUN_AIR},
    {"a swarm that aims at coefficients", 29, 5,
     "fields = [\"400 Td\"]; accuracy = { mobility = 0.02; ionization = 0.1; "
     "};\n" RUN_AIR},
    {"a scan in a magnetic field", 149, 6,
     "fields = [\"100 Td\", \"300 Td\"]; duration = \"0.2 ns\"; relaxation = \"20 ps\";\n"
     "scan = { B = { key = \"magnetic_field\"; values = [\"0 T\", \"2 T\"]; };\n"
     "  angles = { key = \"scattering\"; values = [\"isotropic\", \"okhrimovskyy\"]; }; "
     "};\n" RUN_AIR},
    {"a field that changes, with attachment and few electrons", 101, 4,
     "fields = [\"90 Td\", \"400 Td\"]; duration = \"100 ps\"; relaxation = \"0 s\";\n"
     "waveform = { shape = \"sine\"; frequency = \"100 GHz\"; rows = 8; };\n"
     "sampling = { interval = \"0.25 ps\"; };\n" RUN_AIR},
    {"runaways in small steps, with population control", 2, 12,
     "job = \"runaway\"; fields = [\"1000 Td\", \"1500 Td\"]; duration = \"6 ps\";\n"
     "sampling = { interval = \"0.4 ps\"; }; population = { target = 300; };\n"
     "runaway = { thresholds = [\"30 eV\", \"100 eV\"]; stop_above = \"200 eV\"; "
     "};\n" RUN_AIR},
    /* so long that blocks of steps are merged: what is inside one is a part of the state */
    {"rates of runaways over more steps than there are blocks", 19, 6,
     "job = \"runaway-rate\"; fields = [\"1500 Td\"]; duration = \"50 ps\"; accuracy = "
     "0.001;\n"
     "electrons = 64; groups = 8; population = { target = 64; };\n"
     "runaway = { thresholds = [\"30 eV\", \"60 eV\"]; };\n"
     "tables = { energy_max = \"10 keV\"; };\n"
     "gas = { components = { N2 = { file = \"builtin:air\"; }; }; };\n"},
    {"a plasma with averages, maps, moments, samples and modes", 1, 50,
     RUN_PLASMA("particles_interval = \"200 ps\"; moments_interval = \"60 ps\";")},
    {"a discharge: collisions, ions, subcycling, electrons from walls", 1, 40,
     RUN_DISCHARGE},
    {"particles in E and B on nodes", 3, 13, RUN_NODES},
};

/* The jobs and models of t/tap/runs.h. */
static const struct {
  size_t steps, least;
} of_run[] = {{139, 4}, {1, 3}, {3, 8}};

static const char *const options[] = {"--threads 1", "--scheduler serial", "--threads 3"};

static void one(const char *name, const char *text, size_t steps, size_t least)
{
  command_write(FILE_NAME, text);
  int status =
      command("%s run " FILE_NAME " --quiet --threads 2 --output " OUT, command_wilson());
  if (!is_int(status, 0, "%s: undisturbed", name))
    diag("%.900s", command_err);
  slices_are(name, FILE_NAME, AGAIN, OUT, steps, least, 3, options);
  remove(OUT);
  remove(FILE_NAME);
}

/* A full store ends a run; with a larger one it goes on, in the file of the first. */
static void full(void)
{
  static const char text[] =
      "job = \"runaway\"; fields = [\"1000 Td\", \"1500 Td\"];\n"
      "duration = \"12 ps\"; sampling = { interval = \"0.4 ps\"; };\n"
      "runaway = { thresholds = [\"30 eV\"]; };\n" RUN_AIR;
  size_t n = 0;
  command_write(FILE_NAME, text);
  is_int(command("%s run " FILE_NAME " --quiet --output " OUT, command_wilson()), 0,
         "a store with room");
  int status = command("%s run " FILE_NAME " --quiet --output " AGAIN
                       " --set population.capacity=700 --set checkpoint.steps=3",
                       command_wilson());
  ok(status == 1 && slices_exists(AGAIN) && slices_exists(AGAIN ".ckpt"),
     "a full store ends the run with exit status 1, and the checkpoint stays");
  status = command("%s run " FILE_NAME " --quiet --restart auto --output " AGAIN,
                   command_wilson());
  const char *what = command_nc_differs(OUT, AGAIN, &n);
  if (!ok(status == 0 && what == NULL && n > 20,
          "with a larger store it goes on, to the same %zu numbers%s%s", n,
          what ? "; differs: " : "", what ? what : ""))
    diag("exit status %d; %.900s", status, command_err);
  ok(!slices_exists(AGAIN ".ckpt"), "and takes the checkpoint away");
  ok(command_nc_at(AGAIN, "followed_time", 1) > 0.0, "the second field is there");
  remove(OUT);
  remove(AGAIN);
  remove(FILE_NAME);
}

/* Maps of 8 MiB and more are compressed, each in a chunk of its own. */
static const char large[] =
    "model = \"plasma\"; duration = \"0.4 ns\"; grid = { cells = [256, 256];\n"
    "  length = [\"1 cm\", \"1 cm\"]; };\n"
    "walls = { x_low = { field = \"dirichlet\"; }; x_high = { field = \"dirichlet\"; }; "
    "};\n"
    "species = { e = { density = \"1e13 m-3\"; temperature = \"10 eV\"; per_cell = 1;\n"
    "  loading = \"random\"; }; };\n"
    "plasma = { time_step = \"20 ps\"; fields_interval = \"20 ps\"; background = true;\n"
    "  allow = [\"cell-crossing\", \"plasma-frequency\", \"debye-length\"]; };\n";

int main(void)
{
  plan(0);
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    one(cases[i].name, cases[i].text, cases[i].steps, cases[i].least);
  for (size_t i = 0; i < n_run_cases; i++)
    one(run_cases[i].name, run_cases[i].text, of_run[i].steps, of_run[i].least);
  if (command_long() > 1)
    one("a plasma with compressed maps", large, 7, 3);
  full();
  return done();
}
