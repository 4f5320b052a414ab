/* t0763-source-runs.c - defends: runs with sources and thermostats have the same bits with
 * any number of threads, by any scheduler, in slices that go on from checkpoints, and on
 * two processes; a store that is full ends the run with what it has, and its particles and
 * walls still balance; mistakes in a scenario are errors that say where and what. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/ranks.h"
#include "src/sim/plasma.h"
#include "t/tap/plasma.h"
#include "t/tap/command.h"
#include "t/tap/ranks.h"
#include "t/tap/scenario.h"
#include "t/tap/scene.h"
#include "t/tap/slices.h"
#include "t/tap/tap.h"

#define FILE_NAME "t0763.cfg"
#define OUT       "t0763.nc"
#define AGAIN     "t0763-again.nc"

#define WALLS                                                                            \
  "walls = { x_low = { field = \"dirichlet\"; }; x_high = { field = \"dirichlet\";\n"    \
  "  voltage = \"50 V\"; }; };\n"
#define THERMOSTAT                                                                       \
  "thermostats = { t = { species = \"e\"; temperature = \"2 eV\"; time = \"1 ns\"; }; "  \
  "};\n"
/* A beam and a heated cathode in vacuum, pairs in a part of it. */
#define VACUUM(cells, more)                                                              \
  "model = \"plasma\"; duration = \"1 ns\"; seed = 9;\n"                                 \
  "grid = { cells = " cells "; };\n" WALLS                                               \
  "species = { e = { density = \"1e12 m-3\"; per_cell = 20; temperature = \"2 eV\"; "    \
  "};\n"                                                                                 \
  "  b = { density = \"0 m-3\"; };\n"                                                    \
  "  i = { density = \"1e12 m-3\"; per_cell = 20; charge = 1.0; mass = \"1 u\"; }; };\n" \
  "plasma = { time_step = \"20 ps\"; velocities = 3; fields_interval = \"100 ps\"; "     \
  "fields_moments = true; allow = [\"cell-crossing\"]; background = true;\n"             \
  "  sources = { beam = { species = \"b\"; wall = \"x_low\"; flux = \"1e17 m-2 s-1\";\n" \
  "      energy = \"20 eV\"; temperature = \"1 eV\"; per_step = 15.5; start = \"90 "     \
  "ps\"; };\n"                                                                           \
  "    cathode = { species = \"e\"; wall = \"x_high\"; current = \"0.1 A/m2\"; "         \
  "temperature = \"0.5 eV\"; };\n"                                                       \
  "    pairs = { species = \"e\"; pair = \"i\"; rate = \"1e21 m-3 s-1\"; "               \
  "temperature = \"2 eV\"; }; };\n" more " };\n"
/* The same in a gas: electrons and ions that collide. */
#define GAS                                                                              \
  "model = \"plasma\"; duration = \"1 ns\"; seed = 9;\n"                                 \
  "grid = { cells = [16]; length = [\"2 mm\"]; };\n" WALLS                               \
  "gas = { pressure = \"1 Torr\"; components = { Ar = { file = \"builtin:argon\"; }; "   \
  "}; };\n"                                                                              \
  "tables = { energy_max = \"1 keV\"; };\n"                                              \
  "species = { e = { density = \"0 m-3\"; collisions = \"gas\"; ions = \"i\"; };\n"      \
  "  i = { density = \"0 m-3\"; charge = 1.0; mass = \"39.948 u\"; collisions = "        \
  "\"gas\"; }; };\n"                                                                     \
  "plasma = { time_step = \"10 ps\"; mobility_steps = 2; fields_interval = \"50 "        \
  "ps\"; fields_moments = true; allow = [\"cell-crossing\"];\n"                          \
  "  sources = { s = { species = \"e\"; wall = \"x_low\"; flux = \"1e17 m-2 s-1\"; "     \
  "energy = \"60 eV\"; per_step = 12.0; };\n"                                            \
  "    p = { species = \"e\"; pair = \"i\"; rate = \"1e20 m-3 s-1\"; temperature = \"5 " \
  "eV\"; pair_temperature = \"0.1 eV\"; }; };\n" THERMOSTAT "};\n"

static const struct {
  const char *name, *text;
} cases[] = {
    {"one axis", VACUUM("[16]; length = [\"2 mm\"]", THERMOSTAT)},
    {"two axes", VACUUM("[16, 4]; length = [\"2 mm\", \"0.5 mm\"]", THERMOSTAT)},
    {"in a gas", GAS},
};

static int run(const char *output, const char *options)
{
  const int status = command("%s run " FILE_NAME " --quiet --device cpu --output %s %s",
                             command_wilson(), output, options);
  if (status != 0)
    diag("%s: %.900s", options, command_err);
  return status;
}

static void same(const char *name, const char *options, int status)
{
  size_t n = 0;
  const char *differs = command_nc_differs(OUT, AGAIN, &n);
  ok(status == 0 && differs == NULL && n > 500, "%s, %s: the same %zu numbers%s%s", name,
     options, n, differs != NULL ? "; differs: " : "", differs != NULL ? differs : "");
  remove(AGAIN);
}

/* Samples of particles, which several processes do not write. */
#define PARTICLES "--set 'plasma.particles_interval=\"200 ps\"' "

static void bits(const char *name, const char *text)
{
  static const char *const other[] = {PARTICLES "--threads 2", PARTICLES "--threads 3",
                                      PARTICLES "--scheduler serial"},
                           *const slices[] = {PARTICLES "--threads 1",
                                              PARTICLES "--threads 2"};
  size_t n = 0;
  command_write(FILE_NAME, text);
  if (!is_int(run(OUT, PARTICLES "--threads 1"), 0, "%s: a run", name))
    return;
  for (size_t i = 0; i < sizeof other / sizeof other[0]; i++)
    same(name, other[i], run(AGAIN, other[i]));
  slices_are(name, FILE_NAME, AGAIN, OUT, 7, 7, 2, slices);
  run(OUT, "--threads 1");
  if (command("mpirun -n 2 true") == 0)
    same(name, "two processes",
         command("mpirun -n 2 %s run " FILE_NAME " --quiet --threads 1 --device cpu "
                 "--set 'divide=\"electrons\"' --output " AGAIN,
                 command_wilson()));
  ok(run(AGAIN, "--set seed=10") == 0 && command_nc_differs(OUT, AGAIN, &n) != NULL,
     "%s: another seed has other numbers", name);
  remove(AGAIN);
  remove(OUT);
}

static void domains(void)
{
  command_write(FILE_NAME, cases[0].text);
  if (command("mpirun -n 2 true") != 0)
    return;
  const int status =
      command("mpirun -n 2 %s run " FILE_NAME " --quiet --device cpu --set "
              "'divide=\"domains\"' --output " AGAIN,
              command_wilson());
  ok(status != 0 && strstr(command_err, "plasma.sources are not available where "
                                        "processes have parts of the grid") != NULL,
     "parts of the grid are refused");
}

/* The run ends with the results so far. */
static void full(void)
{
  command_write(FILE_NAME, cases[0].text);
  const int status = command("%s run " FILE_NAME " --quiet --device cpu --output " OUT
                             " --set population.capacity=420",
                             command_wilson());
  ok(status == 1 && strstr(command_err, "the store is full") != NULL,
     "a full store ends the run");
  ok(command_nc_at(OUT, "time", 9) > 0.0, "and has the results so far");
  remove(OUT);
}

/* No particle is lost, nor counted that is not there. */
static void balance_when_full(void)
{
  static const char *const set[] = {"population.capacity=420", NULL};
  struct scene scene;
  int status = WN_OK, steps = 0, wrong = 0;
  scene_open(&scene, FILE_NAME, cases[0].text, set);
  scene_start(&scene, 20e-12);
  const struct wn_species *b = scene.sim->species[1];
  while (status == WN_OK && steps < 100) {
    status = scene_phase(&scene);
    wrong += (wn_i128)b->p.n * WN_QUANTA + plasma_at_walls(b) != 0;
    steps += status == WN_OK;
  }
  ok(status == WN_EFULL && steps > 5 && wrong == 0,
     "full after %d steps: particles and walls balance to the end", steps);
  scene_close(&scene);
}

/* ---- mistakes */

#define S(more)                                                                          \
  "model = \"plasma\"; duration = \"1 ns\"; grid = { cells = [8]; length = [\"1 mm\"]; " \
  "};\n" WALLS "species = { e = { density = \"0 m-3\"; }; i = { density = \"0 m-3\"; "   \
  "charge = 1.0; mass = \"1 u\"; }; fixed = { density = \"1 m-3\"; mobile = false; }; "  \
  "};\nplasma = { time_step = \"1 ps\"; background = true; " more " };\n"
#define BOTH      "a = { species = \"i\"; wall = \"x_low\"; flux = \"1 m-2 s-1\"; }; "
#define ONE(more) S("sources = { " BOTH "s = { " more " }; };")
#define EMIT      "species = \"e\"; wall = \"x_low\"; "
#define CREATE    "species = \"e\"; rate = \"1e9 m-3 s-1\"; "
#define KEY(last) "key `plasma.sources.s." last "`"

static const struct {
  const char *text, *message;
} mistakes[] = {
    {ONE(EMIT "flux = \"0 m-2 s-1\";"),
     KEY("flux") " = \"0 m-2 s-1\": out of range; "
                 "allowed: more than 0 m-2 s-1 to 1e+40 m-2 s-1"},
    {ONE(EMIT "current = \"-1 A/m2\";"), KEY("current") " = \"-1 A/m2\": out of range"},
    {ONE(EMIT "current = \"1 A\";"), "units of current densities: A/m2"},
    {ONE("species = \"x\"; rate = \"1 m-3 s-1\";"),
     KEY("species") " = \"x\": there is no species of this name"},
    {ONE("rate = \"1 m-3 s-1\";"),
     KEY("species") ": missing; there is more than one mobile species, or none"},
    {ONE("species = \"fixed\"; rate = \"1 m-3 s-1\";"),
     KEY("species") " = \"fixed\": this species does not move"},
    {ONE(EMIT), KEY("current") ": missing; a side emits a current"},
    {ONE("species = \"e\";"), KEY("rate") ": missing; a source in a region has a rate"},
    {ONE("species = \"e\"; wall = \"y_low\"; flux = \"1 m-2 s-1\";"),
     KEY("wall") " = \"y_low\": the grid has no such side or electrode; allowed: x_low to x_high"},
    {ONE(EMIT "flux = \"1 m-2 s-1\"; current = \"1 A/m2\";"),
     KEY("flux") " = \"1 m-2 s-1\": give either this or the current"},
    {ONE(EMIT "flux = \"1 m-2 s-1\"; rate = \"1 m-3 s-1\";"), KEY("rate")},
    {ONE(EMIT "flux = \"1 m-2 s-1\"; pair = \"i\";"), KEY("pair")},
    {ONE(EMIT "flux = \"1 m-2 s-1\"; low = [\"0.1 mm\"];"),
     KEY("low") " = [\"0.1 mm\"]: has no effect with a wall"},
    {ONE(CREATE "pair = \"x\";"), KEY("pair") " = \"x\": there is no species"},
    {ONE(CREATE "pair = \"fixed\";"),
     KEY("pair") " = \"fixed\": that species has a charge of -1; 1 is needed to conserve "
                 "charge"},
    {ONE(CREATE "pair = \"i\";"),
     KEY("pair") " = \"i\": a macroparticle of that species stands for"},
    {ONE(CREATE "energy = \"1 eV\";"), KEY("energy") " = \"1 eV\": is along the normal"},
    {ONE(CREATE "low = [\"0.6 mm\"]; high = [\"0.5 mm\"];"),
     "the region goes from 0.0006 m to 0.0005 m along x"},
    {ONE(CREATE "start = \"1 ns\"; end = \"0.5 ns\";"),
     KEY("end") " = \"0.5 ns\": is not after plasma.sources.s.start"},
    {ONE(CREATE "pair_temperature = \"1 eV\";"), KEY("pair_temperature")},
    {ONE(CREATE "per_step = 3.0; }; r = { " CREATE "per_step = 4.0;"),
     "key `plasma.sources.r.per_step` = 4: plasma.sources.s.per_step determines"},
    {ONE("species = \"i\"; rate = \"1 m-3 s-1\"; energi = \"1 eV\";"),
     "plasma.sources.s.energy"},
    {S("sources = { " BOTH "s = { " CREATE
       "}; };\n thermostats = { t = { species = \"e\"; "
       "time = \"0 s\"; temperature = \"1 eV\"; }; };"),
     "key `plasma.thermostats.t.time` = \"0 s\": out of range"},
    {S("sources = { " BOTH "s = { " CREATE
       "}; };\n thermostats = { t = { species = \"e\"; "
       "time = \"1 s\"; }; };"),
     "key `plasma.thermostats.t.temperature`: missing; give kT"},
    {S("sources = { " BOTH "s = { " CREATE
       "}; };\n thermostats = { t = { species = \"x\"; "
       "time = \"1 s\"; temperature = \"1 eV\"; }; };"),
     "key `plasma.thermostats.t.species` = \"x\": there is no species of this name"},
};

static void hostile(void)
{
  for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; i++) {
    command_write(FILE_NAME, mistakes[i].text);
    const int status = command("%s check " FILE_NAME, command_wilson());
    if (!ok(status == 2 && strstr(command_err, mistakes[i].message) != NULL,
            "a mistake: %s", mistakes[i].message))
      diag("exit status %d; %.900s", status, command_err);
  }
}

int main(void)
{
  ranks_allow();
  plan(0);
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    bits(cases[i].name, cases[i].text);
  domains();
  full();
  balance_when_full();
  hostile();
  remove(FILE_NAME);
  return done();
}
