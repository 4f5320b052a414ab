/* t0526-bounds.c - defends: what must hold of every particle is checked, and a particle that breaks it is named with
 * its state: numbers that are none, in swarms and plasmas, of the smallest id whatever the order; more than a
 * cell in a step, which plasma.allow permits and then counts; an energy beyond the tables; a bound on the collision
 * frequency that does not hold.  Broken by hand, in memory. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "base/error.h"
#include "src/sim/particle_bounds.h"
#include "src/sim/plasma.h"
#include "t/tap/capture.h"
#include "t/tap/command.h"
#include "t/tap/scene.h"
#include "t/tap/tap.h"

static const char plasma[] = "model = \"plasma\"; duration = \"10 ns\"; grid = { cells = "
                             "[32]; length = \"1 cm\"; };\n"
                             "walls = { x_low = { field = \"dirichlet\"; }; x_high = { "
                             "field = \"dirichlet\"; }; };\n"
                             "species = { e = { density = \"1e12 m-3\"; temperature = "
                             "\"1 eV\"; per_cell = 20; }; };\n"
                             "plasma = { time_step = \"20 ps\"; };\n";
static const char discharge[] =
    "model = \"plasma\"; duration = \"10 ns\"; grid = { cells = [32]; length = \"2 mm\"; "
    "};\n"
    "walls = { x_low = { field = \"dirichlet\"; }; x_high = { field = \"dirichlet\"; }; "
    "};\n"
    "gas = { pressure = \"1 mbar\"; components = { Ar = { file = \"builtin:argon\"; }; "
    "}; };\n"
    "tables = { energy_max = \"1 keV\"; };\n"
    "species = { e = { density = \"1e12 m-3\"; temperature = \"1 eV\"; per_cell = 20;\n"
    "  collisions = \"gas\"; ions = \"i\"; };\n"
    "  i = { density = \"0 m-3\"; charge = 1; mass = \"40 u\"; }; };\n"
    "plasma = { time_step = \"20 ps\"; background = true; };\n";

static void has(const char *said, const char *text, const char *what)
{
  if (!ok(strstr(said, text) != NULL, "%s: says `%s`", what, text))
    diag("it said: %.700s", said);
}

/* As a run looks, between steps. */
static int look(struct scene *s)
{
  s->sim->n_steps++;
  return wn_bounds_look(s->sim);
}

static void open_scene(struct scene *s, const char *text, const char *allow)
{
  const char *set[] = {allow, NULL};
  scene_open(s, "t0526.cfg", text, set);
  scene_start(s, 0.0);
  if (!(s->sim->interval > 0.0))
    s->sim->interval = 20e-12;
}

static void swarm(void)
{
  struct scene s;
  char text[1024], id[48];
  snprintf(text, sizeof text,
           "%s fields = [\"100 Td\"]; job = \"swarm\"; electrons = 200;\n", scene_air);
  open_scene(&s, text, NULL);
  is_int(look(&s), WN_OK, "a swarm as it is");
  struct wn_electron *e = scene_electrons(&s);
  e[150].u[1] = NAN;
  e[20].x[2] = INFINITY;
  const struct wn_electron *first = e[150].id < e[20].id ? &e[150] : &e[20];
  snprintf(id, sizeof id, "the first: id 0x%016llx", (unsigned long long)first->id);
  capture();
  const int status = look(&s);
  const char *said = captured();
  is_int(status, WN_ERUN, "a swarm with two that are no numbers");
  has(said, "the state of 2 particles of species electrons is no finite number",
      "a swarm");
  has(said, id, "a swarm");
  has(said, first == &e[150] ? "nan" : "inf", "a swarm");
  e[150].t_left = e[20].t_left = WN_DEAD;
  is_int(look(&s), WN_OK, "the dead do not count");
  scene_close(&s);
}

/* A point of a plasma: u behind its place. */
static float *u_of(struct scene *s, size_t i)
{
  return (float *)wn_particles_at(&s->sim->species[0]->p, i) + 1;
}

static void points(void)
{
  struct scene s;
  open_scene(&s, plasma, NULL);
  const float fast = (float)(1.5 * 1e-2 / 32.0 / 20e-12);
  is_int(look(&s), WN_OK, "points as they are");
  u_of(&s, 7)[0] = -fast;
  capture();
  int status = look(&s);
  const char *said = captured();
  is_int(status, WN_ERUN, "a point that crosses more than a cell");
  has(said, "1 of 640 particles of species e cross more than a cell in a step",
      "a point");
  has(said, "plasma.allow = [\"cell-crossing\"]", "a point");
  u_of(&s, 7)[0] = 0.5f * fast;
  is_int(look(&s), WN_OK, "points slower than a cell in a step");
  u_of(&s, 9)[0] = NAN;
  capture();
  status = look(&s);
  said = captured();
  is_int(status, WN_ERUN, "a point that is no number");
  has(said, "the state of 1 particle of species e is no finite number", "a point");
  scene_close(&s);

  open_scene(&s, plasma, "plasma.allow=[\"cell-crossing\"]");
  u_of(&s, 7)[0] = u_of(&s, 8)[0] = fast;
  is_int(look(&s) + look(&s), WN_OK, "two points that cross, allowed");
  is_int((long long)s.sim->crossed[0], 4, "they are counted, twice");
  is_int((long long)s.sim->looks[0], 1280, "among all that were looked at");
  capture();
  wn_bounds_report(s.sim);
  has(captured(), "species e: 4 of 1280 particles", "and said at the end");
  scene_close(&s);
}

static void in_gas(void)
{
  struct scene s;
  open_scene(&s, discharge, NULL);
  struct wn_electron *e = wn_particles_electrons(&s.sim->species[0]->p);
  is_int(look(&s), WN_OK, "electrons in a grid as they are");
  e[3].u[0] = (float)(1.2 * 2e-3 / 32.0 / 20e-12);
  e[3].u[1] = 8.0f * e[3].u[0]; /* across nothing is crossed */
  capture();
  int status = look(&s);
  const char *said = captured();
  is_int(status, WN_ERUN, "one that crosses more than a cell");
  has(said, "1 of 640 particles of species e cross more than a cell", "an electron");
  e[3].u[0] = 0.0f;
  is_int(look(&s), WN_OK, "and one that does not");
  e[5].w = -INFINITY;
  capture();
  status = look(&s);
  said = captured();
  is_int(status, WN_ERUN, "an electron in a grid that is no number");
  has(said, "weight -inf", "an electron");
  scene_close(&s);
}

/* The smallest id of those that broke the bound is named, alive or not. */
static void broken_bound(void)
{
  struct scene s;
  char text[1024], id[64];
  snprintf(text, sizeof text,
           "%s fields = [\"200 Td\"]; job = \"swarm\"; electrons = 200; "
           "initial_energy = \"10 eV\";\n",
           scene_air);
  const char *set[] = {NULL};
  scene_open(&s, "t0526.cfg", text, set);
  scene_raise_rows(&s);
  scene_start(&s, 1e-12);
  capture();
  int status = scene_phase(&s);
  const char *said = captured();
  is_int(status, WN_ERUN, "a bound that does not hold ends a run");
  const struct wn_tally_alarms *a = scene_species(&s)->tally.alarms;
  ok(a->n_violations > 0 && a->violator != 0, "%llu times",
     (unsigned long long)a->n_violations);
  snprintf(id, sizeof id, "the first by its id, now: id 0x%016llx, event ",
           (unsigned long long)~a->violator);
  has(said, "the bound on the collision frequency was exceeded", "a bound");
  has(said, id, "a bound");
  scene_species(&s)->tally.alarms->violator = ~UINT64_C(12345);
  capture();
  status = wn_sim_alarms(s.sim);
  said = captured();
  is_int(status, WN_ERUN, "one that has ended since, too");
  has(said, "id 0x0000000000003039, which has ended since", "a bound");
  scene_close(&s);
}

/* A run ends, and says which particle it was. */
static void beyond(void)
{
  command_write("t0526.cfg",
                "job = \"swarm\"; fields = [\"3000 Td\"]; electrons = 100; groups = 8;\n"
                "tables = { energy_max = \"100 eV\"; };\n"
                "gas = { components = { N2 = { file = \"builtin:air\"; }; }; };\n");
  const int status =
      command("%s run t0526.cfg --quiet --output t0526.nc", command_wilson());
  is_int(status, 1, "an energy beyond the tables ends a run");
  has(command_err, "the top of the tables", "beyond");
  has(command_err, "it happened ", "beyond");
  has(command_err, "the fastest now: id 0x", "beyond");
  remove("t0526.cfg");
  remove("t0526.nc");
}

/* The result has the number that was said. */
static void in_result(void)
{
  char text[sizeof plasma + 64];
  snprintf(text, sizeof text, "%s", plasma);
  command_write("t0526.cfg", text);
  const int status =
      command("%s run t0526.cfg --quiet --output t0526.nc --set "
              "'plasma.allow=[\"cell-crossing\"]' --set "
              "'species.e.temperature=\"300 eV\"' --set 'duration=\"2 ns\"'",
              command_wilson());
  is_int(status, 0, "a run of which some cross");
  const double crossed = command_nc_at("t0526.nc", "crossings", 0),
               looked = command_nc_at("t0526.nc", "crossings_looked_at", 0);
  snprintf(text, sizeof text, "species e: %.0f of %.0f particles that were checked",
           crossed, looked);
  ok(crossed > 0.0 && looked > crossed, "%.0f of %.0f in the result", crossed, looked);
  has(command_err, text, "the run");
  remove("t0526.cfg");
  remove("t0526.nc");
}

int main(void)
{
  plan(0);
  swarm();
  points();
  in_gas();
  broken_bound();
  beyond();
  in_result();
  return done();
}
