/* t0453-gpu-electrodes.c - defends: electrodes inside the grid on a GPU have the bits of the CPU, step after step, in the
 * field of the GPU: the records of all particles, births and deaths, what each side and electrode took (number, charge,
 * energy), and what electrodes emit for ions, with collisions or without, and for electrons; particles at time 0 that
 * would begin inside; in r-z, two and three dimensions, with voltages that are pulsed, merging with limits by field,
 * photons, test electrons and adaptive steps.  So the field that particles gather beside surfaces, E at the nodes, and the
 * charge left for the next step are those of the host, too (fields: t0454).
 *
 * A step of such a run on a GPU has the particles and charge of the CPU in its own field within 1e-5 (t0441).  Runs that stop and
 * go on have the bits of one that did not.  Reference: the CPU in the same program. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "src/run/step.h"
#include "src/sim/adaptive_step.h"
#include "src/sim/test_electrons.h"
#include "t/tap/command.h"
#include "t/tap/gpu.h"
#include "t/tap/slices.h"
#include "t/tap/tap.h"
#include "t/tap/two_devices.h"

#define FILE_NAME "t0453.cfg"
#define OUT       "t0453.nc"
#define CLOSE     1e-5

#define HEAD "model = \"plasma\"; duration = \"4 ps\"; seed = 453; threads = 2;\n"
#define AIR                                                                              \
  "gas = { pressure = \"1 bar\"; components = { N2 = { fraction = 0.8; file = "          \
  "\"builtin:air\"; }; O2 = { fraction = 0.2; file = \"builtin:air\"; }; }; };\n"        \
  "species = { e = { density = \"1e18 m-3\"; temperature = \"12 eV\"; per_cell = 50; "   \
  "loading = \"random\"; collisions = \"gas\"; ions = \"i\"; anions = \"a\"; }; i = { "  \
  "density = \"1e18 m-3\"; charge = 1; mass = \"29 u\"; per_cell = 50; loading = "       \
  "\"random\"; mobile = false; }; a = { density = \"0 m-3\"; mass = \"16 u\"; mobile = " \
  "false; }; p = { density = \"0 m-3\"; charge = 1; mass = \"32 u\"; mobile = false; "   \
  "}; };\n"
#define PLASMA(step, more)                                                               \
  "plasma = { time_step = \"" step                                                       \
  "\"; allow = [\"cell-crossing\", \"debye-length\", \"plasma-frequency\"]; " more       \
  "integrals_interval = \"step\"; };\n"
#define RZ(more)                                                                         \
  "grid = { geometry = \"r-z\"; cells = [16, 20]; length = [\"0.08 mm\", \"0.1 mm\"]; "  \
  "};\n"                                                                                 \
  "walls = { x_high = { field = \"neumann\"; }; y_low = { field = \"dirichlet\"; }; "    \
  "y_high = { field = \"dirichlet\"; voltage = \"3 kV\"; }; };\n"                        \
  "electrodes = { needle = { shape = \"ellipsoid\"; centre = [\"0 mm\", \"0.1 mm\"]; "   \
  "semi_axes = [\"0.02 mm\", \"0.05 mm\"]; voltage = \"3 kV\"; " more                    \
  "}; ring = { shape = \"box\"; low = [\"0.04 mm\", \"0.02 mm\"]; high = [\"0.06 "       \
  "mm\", \"0.04 mm\"]; edge_radius = \"4 um\"; voltage = \"1 kV\"; pulse_start = \"1 "   \
  "ps\"; }; };\n"
#define STREAMER                                                                         \
  "adaptive = { least = \"0.0125 ps\"; growth = 0.05; }; "                               \
  "photoionization = { ions = \"p\"; efficiency = 5.0; weight = 0.25; }; "               \
  "test_electrons = { number = 128; from = \"80 eV\"; thresholds = [\"120 eV\", \"200 "  \
  "eV\"]; rows = 40; }; "                                                                \
  "merging = { e = { species = \"e\"; per_cell_most = 45; per_cell_least = 30; "         \
  "least_weight = 0.05; interval = 2; protected_energy = \"80 eV\"; weight_fields = "    \
  "[\"40 MV/m\", \"90 MV/m\"]; "                                                         \
  "weight_limits = [6.0, 1.5]; }; }; "
#define PAIR                                                                             \
  "species = { e = { density = \"1e16 m-3\"; temperature = \"100 eV\"; per_cell = 60; "  \
  "loading = \"random\"; drift = [\"2000 km/s\", \"0\", \"0\"]; }; i = { density = "     \
  "\"1e16 m-3\"; charge = 1; mass = \"1 u\"; temperature = \"20 eV\"; per_cell = 60; "   \
  "loading = \"random\"; }; };\n"
#define RELEASES "electron_yield = 0.5; electron_reflection = 0.2; "
#define EMITS    "yield = 0.5; " RELEASES

static const char streamer[] = HEAD RZ("") AIR PLASMA("0.2 ps", STREAMER);

static const struct {
  const char *name, *text;
  int steps, electrodes, emits;
} cases[] = {
    {"r-z, a needle and a ring in air", streamer, 24, 2, 0},
    {"r-z, they emit for electrons that collide",
     HEAD RZ(RELEASES) AIR PLASMA("0.1 ps", ""), 30, 2, 1},
    {"2-D, a disc and a blade, pairs, which it emits for",
     HEAD
     "grid = { cells = [24, 20]; length = [\"1.2 mm\", \"1 mm\"]; };\n"
     "walls = { x_low = { field = \"dirichlet\"; }; x_high = { field = "
     "\"dirichlet\"; }; };\n"
     "electrodes = { disc = { shape = \"disc\"; centre = [\"0.5 mm\", \"0.48 "
     "mm\"]; radius = \"0.2 mm\"; thickness = \"0.3 mm\"; edge_radius = \"20 um\"; "
     "voltage = \"20 V\"; " EMITS
     "}; rod = { shape = \"rod\"; from = [\"0.9 mm\", \"0.3 mm\"]; to = [\"0.9 "
     "mm\", \"0.7 mm\"]; radius = \"0.08 mm\"; voltage = \"-30 V\"; }; };\n" PAIR PLASMA(
         "20 ps", "velocities = 3; "),
     30, 2, 1},
    {"2-D, two velocities",
     HEAD "grid = { cells = [24, 20]; length = [\"1.2 mm\", \"1 mm\"]; };\n"
          "walls = { x_low = { field = \"dirichlet\"; }; x_high = { field = "
          "\"dirichlet\"; }; };\n"
          "electrodes = { rod = { shape = \"rod\"; from = [\"0.6 mm\", \"0.3 mm\"]; to = "
          "[\"0.7 mm\", \"0.7 mm\"]; radius = \"0.13 mm\"; voltage = \"-30 V\"; }; "
          "};\n" PAIR PLASMA("20 ps", "velocities = 2; "),
     20, 1, 0},
    {"3-D, a sphere, relativistic",
     HEAD "grid = { cells = [12, 10, 10]; length = [\"1.2 mm\", \"1 mm\", \"1 mm\"]; "
          "};\n"
          "walls = { x_low = { field = \"dirichlet\"; }; x_high = { field = "
          "\"dirichlet\"; voltage = \"10 V\"; }; };\n"
          "electrodes = { ball = { shape = \"ellipsoid\"; centre = [\"0.6 mm\", \"0.5 "
          "mm\", \"0.45 mm\"]; semi_axes = [\"0.31 mm\", \"0.25 mm\", \"0.25 mm\"]; "
          "voltage = \"50 V\"; yield = 0.7; }; };\n" PAIR PLASMA("20 ps",
                                                                 "relativistic = true; "),
     16, 1, 1},
};
#define N_CASES (sizeof cases / sizeof cases[0])

/* The name of what differs; NULL: nothing. */
static const char *species_differ(const struct two_plasma *cpu,
                                  const struct two_plasma *gpu, size_t k, size_t surfaces)
{
  struct wn_species *a = cpu->s->species[k], *b = gpu->s->species[k];
  if (!two_same_records(&a->p, &b->p))
    return "records";
  if (a->tally.n_births != b->tally.n_births || a->tally.n_deaths != b->tally.n_deaths)
    return "births or deaths";
  if (memcmp(a->tally.surface, b->tally.surface, surfaces * sizeof *a->tally.surface) !=
      0)
    return "what ended at sides and electrodes";
  return NULL;
}

static const char *differ(const struct two_plasma *cpu, const struct two_plasma *gpu,
                          size_t surfaces)
{
  const char *what = NULL;
  for (size_t k = 0; k < cpu->s->n_species && what == NULL; k++)
    what = species_differ(cpu, gpu, k, surfaces);
  if (what == NULL && wn_test_electrons_exist(cpu->s) &&
      wn_test_electrons_number(cpu->s) != wn_test_electrons_number(gpu->s))
    what = "test electrons";
  return what;
}

/* Of all species: particles that an electrode took, and those that it gave. */
static void ended(const struct two_plasma *p, int surface, double *taken, double *given)
{
  *taken = *given = 0.0;
  for (size_t k = 0; k < p->s->n_species; k++) {
    const wn_i128 quanta = p->s->species[k]->tally.surface[surface].quanta;
    *(quanta > 0 ? taken : given) += fabs((double)quanta);
  }
}

static double all(const struct two_plasma *p)
{
  double n = 0.0;
  for (size_t k = 0; k < p->s->n_species; k++)
    n += (double)two_store(p, k)->n;
  return n;
}

/* Particles that are there though neither at the start nor by a collision: emitted, or ions of those that were born. */
static double others(const struct two_plasma *p, double start)
{
  double n = all(p) - start;
  for (size_t k = 0; k < p->s->n_species; k++)
    n += (double)p->s->species[k]->tally.n_deaths -
         (double)p->s->species[k]->tally.n_births;
  return n;
}

static void compare(size_t c)
{
  const char *name = cases[c].name, *what = NULL;
  struct two_plasma cpu, gpu;
  int step = 0;
  command_write(FILE_NAME, cases[c].text);
  two_open(FILE_NAME, "cpu", &cpu);
  two_open(FILE_NAME, "cuda", &gpu);
  const size_t surfaces = (size_t)gpu.s->geometry.n_surfaces,
               sides = 2 * (size_t)gpu.s->geometry.dim;
  is_int((long long)surfaces, (long long)sides + cases[c].electrodes, "%s: surfaces",
         name);
  ok(differ(&cpu, &gpu, surfaces) == NULL, "%s: the same particles begin", name);
  const double start = all(&gpu);
  two_share(&cpu, &gpu);
  wn_adaptive_begin(cpu.s);
  wn_adaptive_begin(gpu.s);
  for (; step < cases[c].steps && what == NULL; step++) {
    const double length = gpu.s->adaptive.length;
    two_must(wn_step(gpu.s, length), "a step on the GPU");
    two_must(wn_step(cpu.s, length), "a step");
    two_must(wn_adaptive_next(gpu.s), "the next step on the GPU");
    two_must(wn_adaptive_next(cpu.s), "the next step");
    what = differ(&cpu, &gpu, surfaces);
  }
  ok(what == NULL, "%s: the same bits in %d steps%s%s", name, step,
     what != NULL ? "; differ: " : "", what != NULL ? what : "");
  for (int i = 0; i < cases[c].electrodes; i++) {
    double taken, given;
    ended(&gpu, (int)sides + i, &taken, &given);
    ok(taken > 0.0, "%s: electrode %d took %g quanta, and gave %g", name, i, taken,
       given);
  }
  ok(!cases[c].emits || others(&gpu, start) > 0.0, "%s: %g were emitted, or are ions",
     name, others(&gpu, start));
  two_close(&cpu);
  two_close(&gpu);
  remove(FILE_NAME);
}

/* ---- each in its own field */

static double energy_of(const struct two_plasma *p)
{
  struct wn_field_sums f;
  two_must(wn_field_sums(p->s->field, &f), "sums of the field");
  return f.energy;
}

static void alone(size_t c)
{
  struct two_plasma cpu, gpu;
  const double *rho = NULL, *there = NULL;
  double most = 0.0, off = 0.0;
  command_write(FILE_NAME, cases[c].text);
  two_open(FILE_NAME, "cpu", &cpu);
  two_open(FILE_NAME, "cuda", &gpu);
  for (int i = 0; i < 4; i++) {
    two_must(wn_step(gpu.s, gpu.c->plasma.time_step), "a step on the GPU");
    two_must(wn_step(cpu.s, cpu.c->plasma.time_step), "a step");
  }
  is_close(energy_of(&gpu), energy_of(&cpu), CLOSE, "%s: energy of the field",
           cases[c].name);
  is_close(all(&gpu), all(&cpu), 1e-4, "%s: particles", cases[c].name);
  two_must(wn_field_charge(cpu.s->field, &rho), "charge");
  two_must(wn_field_charge(gpu.s->field, &there), "charge");
  for (size_t i = 0; i < wn_field_nodes(cpu.s->field); i++) {
    most = fmax(most, fabs(rho[i]));
    off = fmax(off, fabs(rho[i] - there[i]));
  }
  ok(most > 0.0 && off <= CLOSE * most, "%s: charge after 4 steps, off by %.2g of it",
     cases[c].name, off / most);
  two_close(&cpu);
  two_close(&gpu);
  remove(FILE_NAME);
}

/* ---- runs */

static void runs(void)
{
  static const char *const options[] = {"--device cuda --threads 2",
                                        "--device cuda --threads 1"};
  if (!is_int(command_run(FILE_NAME, streamer, "", OUT, "--device cuda"), 0,
              "a run on a GPU"))
    return;
  command_write(FILE_NAME, streamer);
  slices_are("a run", FILE_NAME, "t0453-again.nc", OUT, 4, 4, 2, options);
  ok(command_nc_last(OUT, "wall_charge", 6, 4) != 0.0 &&
         command_nc_last(OUT, "wall_charge", 6, 5) != 0.0,
     "both electrodes took charge");
  remove(OUT);
  remove(FILE_NAME);
}

int main(void)
{
  gpu_or_skip();
  plan(0);
  for (size_t i = 0; i < gpu_size(N_CASES, 2); i++)
    compare(i);
  for (size_t i = 0; i < gpu_size(N_CASES, 0); i++)
    alone(i);
  if (gpu_size(1, 0) > 0)
    runs();
  return done();
}
