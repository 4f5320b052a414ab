/* t0441-gpu-plasma.c - defends: a plasma on a GPU is the plasma of the CPU: after some
 * steps from the same state, places for energy, momentum, wall losses, potential, charge
 * and densities agree within 1e-5 of their scale (the solvers round differently in double
 * precision, E in single now and then), for every number of dimensions, walls with
 * voltages, mirrors, free space, a relativistic species in a magnetic field, electrons and
 * ions that collide, often or seldom, walls that give electrons, and sources; and on the
 * GPU every scheduler and every tile gives the same bits.  Reference: the CPU in the same
 * program. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "fields/electrostatic.h"
#include "src/jobs/job.h"
#include "src/run/run.h"
#include "src/run/step.h"
#include "src/sim/device.h"
#include "src/sim/plasma.h"
#include "src/sim/sim.h"
#include "t/tap/command.h"
#include "t/tap/gpu.h"
#include "t/tap/tap.h"

#define FILE_NAME "t0441.cfg"
#define STEPS     4
#define CLOSE     1e-5

#define HEAD "model = \"plasma\"; duration = \"1 ns\"; seed = 5;\n"
#define PAIR(more)                                                                       \
  "species = { e = { density = \"1e15 m-3\"; temperature = \"1 eV\"; per_cell = 60; "    \
  "loading = \"random\"; " more                                                          \
  "}; i = { density = \"1e15 m-3\"; charge = 1; mass = \"4 u\"; temperature = "          \
  "\"0.1 eV\"; per_cell = 60; loading = \"random\"; }; };\n"
/* Many are born, and attached, in a step. */
#define GAS                                                                              \
  "gas = { pressure = \"1 bar\"; components = { N2 = { fraction = 0.8; file = "          \
  "\"builtin:air\"; }; O2 = { fraction = 0.2; file = \"builtin:air\"; }; }; };\n"
#define AVALANCHE(ions)                                                                  \
  "species = { e = { density = \"1e18 m-3\"; temperature = \"8 eV\"; per_cell = 60; "    \
  "loading = \"random\"; collisions = \"gas\"; ions = \"i\"; anions = \"a\"; }; i = { "  \
  "density = \"1e18 m-3\"; charge = 1; mass = \"29 u\"; per_cell = 60; loading = "       \
  "\"random\"; " ions "}; a = { density = \"0 m-3\"; mass = \"16 u\"; " ions "}; };\n"
#define WALL(name, more) name " = { " more " }; "
/* Thin: hardly any electron collides in a step, but fast electrons ionize, and ions end at
 * walls. */
#define DISCHARGE(mass, sections)                                                        \
  "walls = { x_low = { field = \"dirichlet\"; yield = 1.5; emission_temperature = \"3 "  \
  "eV\"; }; x_high = { field = \"dirichlet\"; voltage = \"100 V\"; yield = 0.4; }; };\n" \
  "species = { e = { density = \"1e14 m-3\"; temperature = \"30 eV\"; per_cell = 100; "  \
  "loading = \"random\"; collisions = \"gas\"; ions = \"i\"; }; i = { density = "        \
  "\"1e14 m-3\"; charge = 1.0; mass = \"" mass " u\"; temperature = \"300 eV\"; "        \
  "per_cell = 100; loading = \"random\"; collisions = \"gas\"; " sections "}; };\n"
#define ANYHOW "allow = [\"cell-crossing\", \"debye-length\", \"plasma-frequency\"]; "
#define FREE   "field = \"open\"; particles = \"open\"; "
#define METAL  "field = \"dirichlet\"; particles = \"absorb\"; "

/* Some twenty particles of each in a step. */
#define SOURCES(flux, rate)                                                              \
  "plasma = { time_step = \"20 ps\"; " ANYHOW "sources = { beam = { species = \"e\"; "   \
  "wall = \"x_low\"; flux = \"" flux " m-2 s-1\"; energy = \"10 eV\"; temperature = "    \
  "\"1 eV\"; }; cathode = { species = \"e\"; wall = \"x_high\"; flux = \"" flux          \
  " m-2 s-1\"; temperature = \"2 eV\"; }; pairs = { species = \"e\"; pair = \"i\"; "     \
  "rate = \"" rate " m-3 s-1\"; temperature = \"1 eV\"; }; }; };\n"

static const struct {
  const char *name, *text;
} cases[] = {
    {"1-D, periodic", HEAD "grid = { cells = [64]; length = [\"1 cm\"]; };\n" PAIR(
                          "drift = [\"100 "
                          "km/s\", \"0\", "
                          "\"0\"]; ") "plasma = { time_step = \"20 ps\"; };\n"},
    {"1-D between plates",
     HEAD "grid = { cells = [50]; length = [\"1 cm\"]; };\n" PAIR("") "walls = { " WALL(
         "x_low", METAL "voltage = \"3 V\"; amplitude = \"20 V\"; "
                        "frequency = \"1 GHz\"; ")
         WALL("x_high", METAL) "};\n"
                               "plasma = { time_step = \"20 ps\"; };\n"},
    {"1-D between plates, a beam, a cathode and pairs",
     HEAD "grid = { cells = [50]; length = [\"1 cm\"]; };\n" PAIR("") "walls = { " WALL(
         "x_low", METAL "voltage = \"3 V\"; ")
         WALL("x_high", METAL) "};\n" SOURCES("3.3e21", "3.3e23")},
    {"2-D with walls along y",
     HEAD "grid = { cells = [24, 20]; length = [\"4 mm\", \"3 mm\"]; };\n" PAIR(
         "") "walls = { " WALL("y_low", METAL "voltage = \"-2 V\"; ")
         WALL("y_high",
              "field = \"neumann\"; particles = \"reflect\"; ") "};\n"
                                                                "plasma = { time_step = "
                                                                "\"20 ps\"; velocities = "
                                                                "2; "
                                                                "shape = \"tsc\"; };\n"},
    {"2-D in free space, fast in B",
     HEAD "grid = { cells = [20, 20]; length = [\"4 mm\", \"4 mm\"]; };\n" PAIR(
         "drift = [\"0\", \"100 km/s\", \"0\"]; ") "walls = { " WALL("x_low", FREE)
         WALL("x_high", FREE) WALL("y_low", FREE)
             WALL("y_high", FREE) "};\n"
                                  "plasma = { time_step = \"20 ps\"; velocities = 3; "
                                  "relativistic = true; "
                                  "magnetic_field = [\"10 mT\", \"0\", \"30 mT\"]; "
                                  "};\n"},
    {"electrons in air, 2-D, three mobility steps", HEAD GAS
     "grid = { cells = [24, 16]; length = [\"0.1 mm\", \"0.06 mm\"]; };\n" AVALANCHE(
         "mobile = false; ") "walls = { " WALL("x_low",
                                               METAL) WALL("x_high",
                                                           METAL "voltage = \"1.7 kV\"; ")
         WALL("y_low", "field = \"neumann\"; particles = \"reflect\"; ") WALL(
             "y_high",
             "field = \"neumann\"; particles = \"absorb\"; ") "};\n"
                                                              "plasma = { time_step = "
                                                              "\"0.4 ps\"; "
                                                              "mobility_steps "
                                                              "= 3; };\n"},
    {"electrons in air, 1-D in B, ions that move",
     HEAD GAS "grid = { cells = [40]; length = [\"0.1 mm\"]; };\n" AVALANCHE(
         "temperature = \"0.03 eV\"; ") "walls = { " WALL("x_low", METAL)
         WALL("x_high",
              METAL "voltage = \"1.7 kV\"; ") "};\n"
                                              "plasma = { time_step = \"0.4 ps\"; "
                                              "magnetic_field "
                                              "= [\"0\", \"0\", \"0.2 T\"]; };\n"},
    {"electrons in air, 3-D, periodic along two axes", HEAD GAS
     "grid = { cells = [12, 8, 8]; length = [\"0.05 mm\", \"0.03 mm\", \"0.03 mm\"]; "
     "};\n" AVALANCHE("mobile = false; ") "walls = { " WALL("x_low", METAL) WALL(
         "x_high", METAL "voltage = \"850 V\"; ") "};\n"
                                                  "plasma = { time_step = \"0.4 ps\"; "
                                                  "shape = \"tsc\"; };\n"},
    {"electrons in air that photons release, 3-D", HEAD GAS
     "grid = { cells = [12, 8, 8]; length = [\"0.05 mm\", \"0.03 mm\", \"0.03 mm\"]; "
     "};\n" AVALANCHE("mobile = false; ") "walls = { " WALL("x_low", METAL) WALL(
         "x_high", METAL "voltage = \"850 V\"; ") "};\n"
                                                  "plasma = { time_step = \"0.4 ps\"; "
                                                  "photoionization = { ions = \"i\"; "
                                                  "efficiency = 10.0; weight = 0.25; }; "
                                                  "};\n"},
    {"argon, ions that collide, walls that give electrons",
     HEAD "gas = { pressure = \"100 Pa\"; components = { Ar = { file = "
          "\"builtin:argon\"; }; }; };\n"
          "tables = { energy_max = \"1 keV\"; };\n"
          "grid = { cells = [60]; length = [\"2 mm\"]; };\n" DISCHARGE(
              "39.948", "") "plasma = { time_step = \"20 ps\"; " ANYHOW "};\n"},
    {"argon, ions that move in every third step",
     HEAD "gas = { pressure = \"100 Pa\"; components = { Ar = { file = "
          "\"builtin:argon\"; }; }; };\n"
          "tables = { energy_max = \"1 keV\"; };\n"
          "grid = { cells = [60]; length = [\"2 mm\"]; };\n" DISCHARGE(
              "39.948", "subcycling = 3; ") "plasma = { time_step = \"20 ps\"; " ANYHOW
                                            "};\n"},
    {"argon, a beam, a cathode and pairs",
     HEAD "gas = { pressure = \"100 Pa\"; components = { Ar = { file = "
          "\"builtin:argon\"; }; }; };\n"
          "tables = { energy_max = \"1 keV\"; };\n"
          "grid = { cells = [60]; length = [\"2 mm\"]; };\n" DISCHARGE("39.948", "")
              SOURCES("3.3e19", "1.7e22")},
    {"made-up helium in 2-D, ions that collide, walls that give electrons", HEAD
     "gas = { number_density = \"9.64e21 m-3\"; components = { He = { file = "
     "\"t0441-gas.txt\"; }; }; };\n"
     "scattering = \"isotropic\"; sharing = \"equal\"; tables = { energy_max = \"1 "
     "keV\"; };\n"
     "grid = { cells = [24, 20]; length = [\"2 mm\", \"1.5 mm\"]; };\n" DISCHARGE(
         "4.0026", "cross_sections = \"t0441-ions.txt\"; ") "plasma = { time_step = \"20 "
                                                            "ps\"; shape = \"tsc\"; "
                                                            "gather = \"energy\"; " ANYHOW
                                                            "};\n"},
    {"r-z between plates in a tube",
     HEAD "grid = { geometry = \"r-z\"; cells = [20, 24]; length = [\"3 mm\", \"4 "
          "mm\"]; };\n" PAIR("") "walls = { " WALL("x_high", METAL) WALL("y_low", METAL)
              WALL("y_high", METAL "voltage = \"30 V\"; ") "};\n"
                                                           "plasma "
                                                           "= { "
                                                           "time_"
                                                           "step = "
                                                           "\"20 "
                                                           "ps\"; "
                                                           "};\n"},
    {"r-z, periodic, a mirror around, by energy",
     HEAD "grid = { geometry = \"r-z\"; cells = [20, 24]; length = [\"3 mm\", \"4 "
          "mm\"]; };\n" PAIR("") "walls = { x_high = { field = \"neumann\"; }; };\n"
                                 "plasma = { time_step = \"20 ps\"; gather = "
                                 "\"energy\"; magnetic_field = [\"0\", \"20 mT\", "
                                 "\"0\"]; };\n"},
    {"electrons in air that photons release, r-z, open around", HEAD GAS
     "grid = { geometry = \"r-z\"; cells = [24, 16]; length = [\"0.1 mm\", \"0.06 "
     "mm\"]; };\n" AVALANCHE("temperature = \"0.03 eV\"; ") "walls = { " WALL(
         "x_high", FREE) WALL("y_low", METAL)
         WALL("y_high", METAL "voltage = \"1 kV\"; ") "};\n"
                                                      "plasma = { "
                                                      "time_step = "
                                                      "\"0.4 ps\"; "
                                                      "mobility_steps "
                                                      "= 3; "
                                                      "photoionization "
                                                      "= { ions = "
                                                      "\"i\"; "
                                                      "efficiency = "
                                                      "10.0; weight = "
                                                      "0.25; }; };\n"},
    {"3-D, periodic, gather by energy", HEAD
     "grid = { cells = [12, 10, 8]; length = [\"2 mm\", \"2 mm\", \"1 mm\"]; };\n" PAIR(
         "drift = [\"0\", \"0\", \"100 km/s\"]; ") "plasma = { time_step = \"20 ps\"; "
                                                   "gather = \"energy\"; };\n"},
};
#define N_CASES (sizeof cases / sizeof cases[0])

/* Invented numbers. */
static const char gas_file[] =
    "LXCat\n\nELASTIC\nHe\n 1.37e-4\nSPECIES: e / He\n-----------------------------\n"
    " 0.0 5e-20\n 10.0 4e-20\n 1000.0 1e-21\n-----------------------------\n\n"
    "EXCITATION\nHe -> He*\n 19.8\nSPECIES: e / He\n-----------------------------\n"
    " 19.8 0.0\n 30.0 1e-21\n 1000.0 2e-22\n-----------------------------\n\n"
    "IONIZATION\nHe -> He^+\n 24.6\nSPECIES: e / He\n-----------------------------\n"
    " 24.6 0.0\n 60.0 3e-21\n 1000.0 1e-21\n-----------------------------\n";
static const char ions_file[] =
    "LXCat\n\nSPECIES: He^+ / He\nPROCESS: He+ + He -> , Isotropic\nPARAM.:  Mi = "
    "4.0026, "
    "Mi/M = 1, complete set\n-----------------------------\n 0.0 3e-19\n 1.0 2e-19\n "
    "10000.0 1e-20\n-----------------------------\n\nSPECIES: He^+ / He\nPROCESS: He+ + "
    "He "
    "-> , Backscat\nPARAM.:  Mi = 4.0026, Mi/M = 1, complete set\n"
    "-----------------------------\n 0.0 4e-19\n 1.0 3e-19\n 10000.0 5e-20\n"
    "-----------------------------\n";

/* What is left of a run. */
struct outcome {
  size_t nodes, n_species;
  double *phi, *rho, *density[WN_MAX_SPECIES];
  struct wn_field_sums field;
  struct wn_plasma_sums sums[WN_MAX_SPECIES];
  double wall[WN_MAX_SPECIES][WN_SIDES]; /* taken */
};

static double *copy(const double *from, size_t n)
{
  double *to = malloc(n * sizeof *to);
  WN_ASSERT(to != NULL);
  memcpy(to, from, n * sizeof *to);
  return to;
}

static int look(struct wn_sim *s, struct outcome *o)
{
  const double *phi, *rho;
  o->nodes = wn_field_nodes(s->field);
  o->n_species = s->n_species;
  WN_TRY(wn_field_potential(s->field, &phi));
  o->phi = copy(phi, o->nodes);
  WN_TRY(wn_field_charge(s->field, &rho));
  o->rho = copy(rho, o->nodes);
  WN_TRY(wn_field_sums(s->field, &o->field));
  for (size_t k = 0; k < s->n_species; k++) {
    o->density[k] = malloc(o->nodes * sizeof *o->density[k]);
    WN_ASSERT(o->density[k] != NULL);
    WN_TRY(wn_field_density(s->field, k, o->density[k]));
    WN_TRY(wn_plasma_sums(s, k, &o->sums[k]));
    for (int side = 0; side < WN_SIDES; side++)
      o->wall[k][side] = wn_plasma_taken(s, k, side);
  }
  return WN_OK;
}

static void outcome_free(struct outcome *o)
{
  free(o->phi);
  free(o->rho);
  for (size_t k = 0; k < o->n_species; k++)
    free(o->density[k]);
}

static int run(const char *device, const char *scheduler, struct outcome *out)
{
  struct wn_config *c = NULL;
  struct wn_device_plan plan;
  struct wn_sim *s = NULL;
  struct wn_gas *gas = NULL;
  char d[64], w[64];
  snprintf(d, sizeof d, "device=%s", device);
  snprintf(w, sizeof w, "scheduler=%s", scheduler);
  const char *const set[] = {d, w};
  memset(out, 0, sizeof *out);
  int status = wn_config_read(FILE_NAME, 2, set, &c);
  if (status == WN_OK)
    status = wn_device_choose(c, &plan);
  if (status == WN_OK && wn_config_has_gas(c))
    status = wn_gas_create(c, &gas);
  if (status == WN_OK)
    status = wn_sim_create(c, gas, &wn_job_of(c)->needs, &plan, &s);
  if (status == WN_OK)
    status = wn_sim_begin(s, 0);
  for (int k = 0; k < STEPS && status == WN_OK; k++) {
    status = wn_step(s, c->plasma.time_step);
    /* as averages do: host and GPU both have the particles when the next step begins */
    for (size_t of = 0; of < s->n_species && k % 2 == 0 && status == WN_OK; of++)
      status = wn_particles_read(&s->species[of]->p);
  }
  if (status == WN_OK)
    status = look(s, out);
  wn_sim_free(s);
  wn_gas_free(gas);
  wn_config_free(c);
  return status;
}

/* The largest difference over the largest value. */
static double off(const double *a, const double *b, size_t n)
{
  double most = 0.0, scale = 0.0;
  for (size_t i = 0; i < n; i++) {
    most = fmax(most, fabs(a[i] - b[i]));
    scale = fmax(scale, fabs(b[i]));
  }
  return scale > 0.0 ? most / scale : most;
}

static double off_sums(const struct outcome *a, const struct outcome *b)
{
  double worst = fabs(a->field.energy / b->field.energy - 1.0);
  for (size_t k = 0; k < a->n_species; k++) {
    const struct wn_plasma_sums *p = &a->sums[k], *q = &b->sums[k];
    /* momenta may be 0 on average: in units of that of all at the mean speed */
    const double momentum =
        sqrt(2.0 * q->energy * (k == 0 ? 9.1e-31 : 6.6e-27) * q->particles);
    worst = fmax(worst, fabs(p->particles - q->particles) / fmax(q->particles, 1.0));
    worst = fmax(worst, fabs(p->energy - q->energy) / fmax(q->energy, 1e-300));
    for (int d = 0; d < 3; d++)
      worst = fmax(worst, fabs(p->momentum[d] - q->momentum[d]) / fmax(momentum, 1e-300));
    for (int side = 0; side < WN_SIDES; side++)
      worst = fmax(worst,
                   fabs(a->wall[k][side] - b->wall[k][side]) / fmax(q->particles, 1.0));
  }
  return worst;
}

static void near(const char *name, const struct outcome *got, const struct outcome *want)
{
  ok(off(got->phi, want->phi, want->nodes) < CLOSE, "%s: the potential, within %.1e",
     name, off(got->phi, want->phi, want->nodes));
  ok(off(got->rho, want->rho, want->nodes) < CLOSE, "%s: the charge, within %.1e", name,
     off(got->rho, want->rho, want->nodes));
  for (size_t k = 0; k < want->n_species; k++)
    ok(off(got->density[k], want->density[k], want->nodes) < CLOSE,
       "%s: density of species %zu, within %.1e", name, k,
       off(got->density[k], want->density[k], want->nodes));
  ok(off_sums(got, want) < CLOSE, "%s: energies, momenta, numbers, walls, within %.1e",
     name, off_sums(got, want));
}

static int same(const struct outcome *a, const struct outcome *b)
{
  const size_t bytes = a->nodes * sizeof *a->phi;
  int is = a->nodes == b->nodes && memcmp(a->phi, b->phi, bytes) == 0 &&
           memcmp(a->rho, b->rho, bytes) == 0 &&
           memcmp(a->sums, b->sums, sizeof a->sums) == 0 &&
           memcmp(&a->field.energy, &b->field.energy, sizeof a->field.energy) == 0;
  for (size_t k = 0; k < a->n_species; k++)
    is &= memcmp(a->density[k], b->density[k], bytes) == 0;
  return is;
}

static void compare(size_t i)
{
  size_t n;
  const struct wn_scheduler_ops *const *list = wn_scheduler_list(&n);
  struct outcome want, got, first;
  const int is_rz = strstr(cases[i].text, "r-z") != NULL;
  command_write(FILE_NAME, cases[i].text);
  if (!is_int(run("cpu", "auto", &want), WN_OK, "%s: on the CPU", cases[i].name) ||
      !is_int(run("cuda", "auto", &first), WN_OK, "%s: on the GPU", cases[i].name))
    return;
  near(cases[i].name, &first, &want);
  if (strstr(cases[i].text, "yield") != NULL) {
    double ended = 0.0;
    for (int side = 0; side < 4; side++)
      ended += want.wall[1][side];
    ok(want.sums[0].born > 0.0 && ended > 0.0, "%s: %g born, %g ions at walls",
       cases[i].name, want.sums[0].born, ended);
  }
  if (want.n_species > 2)
    ok(want.sums[0].born > 0.0 && want.sums[0].attached > 0.0 && want.wall[0][1] > 0.0,
       "%s: %g born, %g attached, %g at a wall", cases[i].name, want.sums[0].born,
       want.sums[0].attached, want.wall[0][1]);
  for (size_t k = 0; k < n; k++) {
    if (list[k]->device != WN_DEVICE_CUDA ||
        (is_rz && strcmp(list[k]->name, "tiles") == 0)) /* which does not take it */
      continue;
    const int status = run("cuda", list[k]->name, &got);
    ok(status == WN_OK && same(&got, &first), "%s: %s has the bits of auto",
       cases[i].name, list[k]->name);
    outcome_free(&got);
  }
  outcome_free(&want);
  outcome_free(&first);
}

int main(void)
{
  gpu_or_skip();
  plan(0);
  command_write("t0441-gas.txt", gas_file);
  command_write("t0441-ions.txt", ions_file);
  for (size_t i = 0; i < N_CASES; i++)
    compare(i);
  remove(FILE_NAME);
  remove("t0441-gas.txt");
  remove("t0441-ions.txt");
  return done();
}
