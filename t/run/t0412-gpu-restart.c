/* t0412-gpu-restart.c - defends: a run on a GPU that is stopped after any step goes on from its
 * checkpoint, on the GPU, by another scheduler of it, or on the CPU and back, to the bits of an
 * undisturbed one: every model and job whose fields are prescribed; and a plasma, which gives
 * other bits on the CPU, on the GPU alone, with collisions, ions, and electrons from walls.
 * Reference: the undisturbed run, on the CPU where that gives the same bits. */
#include <stdio.h>
#include "t/tap/command.h"
#include "t/tap/gpu.h"
#include "t/tap/runs.h"
#include "t/tap/slices.h"
#include "t/tap/tap.h"

#define FILE_NAME "t0412.cfg"
#define OUT       "t0412.nc"
#define AGAIN     "t0412-again.nc"

/* Of t/tap/runs.h: steps of a slice, and slices. */
static const struct {
  size_t steps, least;
} of_run[] = {{199, 3}, {1, 3}, {7, 3}};

static const char *const there_and_back[] = {
    "--device cuda", "--device cpu --threads 2", "--device cuda --scheduler dynamic",
    "--device cuda --set block_size=64", "--device cpu --scheduler serial"};
static const char *const there[] = {"--device cuda"};

static const char plasma[] =
    "model = \"plasma\"; duration = \"12 ps\"; grid = { cells = [16, 8];\n"
    "  length = [\"0.2 mm\", \"0.1 mm\"]; };\n"
    "walls = { x_low = { field = \"dirichlet\"; yield = 0.9; emission_temperature = \"3 "
    "eV\"; };\n"
    "  x_high = { field = \"dirichlet\"; voltage = \"2 kV\"; yield = 0.9; "
    "emission_temperature = \"3 eV\"; }; };\n"
    "gas = { pressure = \"1 bar\"; components = { Ar = { file = \"builtin:argon\"; }; }; "
    "};\n"
    "tables = { energy_max = \"1 keV\"; };\n"
    "species = { e = { density = \"1e15 m-3\"; temperature = \"5 eV\"; per_cell = 100;\n"
    "    collisions = \"gas\"; ions = \"i\"; };\n"
    "  i = { density = \"1e15 m-3\"; per_cell = 100; charge = 1.0; mass = \"39.948 u\";\n"
    "    temperature = \"1 eV\"; loading = \"random\"; collisions = \"gas\"; subcycling "
    "= "
    "3; }; };\n"
    "plasma = { time_step = \"1 ps\"; mobility_steps = 3; fields_interval = \"3 ps\";\n"
    "  allow = [\"cell-crossing\", \"plasma-frequency\", \"debye-length\"];\n"
    "  averages = { all = { length = \"10 ps\"; blocks = 2; moments = true; }; }; };\n";

static void one(const char *name, const char *text, const char *device, size_t steps,
                size_t least, size_t n, const char *const *options)
{
  command_write(FILE_NAME, text);
  int status = command("%s run " FILE_NAME " --quiet --device %s --output " OUT,
                       command_wilson(), device);
  if (!is_int(status, 0, "%s: undisturbed, on %s", name, device))
    diag("%.900s", command_err);
  slices_are(name, FILE_NAME, AGAIN, OUT, steps, least, n, options);
  remove(OUT);
  remove(FILE_NAME);
}

int main(void)
{
  gpu_or_skip();
  plan(0);
  for (size_t i = 0; i < n_run_cases; i++) {
    one(run_cases[i].name, run_cases[i].text, "cpu", of_run[i].steps, of_run[i].least, 5,
        there_and_back);
    one(run_cases[i].name, run_cases[i].text, "cpu", of_run[i].steps, of_run[i].least, 1,
        there);
  }
  one("a plasma", plasma, "cuda", 1, 12, 1, there);
  return done();
}
