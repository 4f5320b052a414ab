/* t0779-electron-emission.c - defends: walls that emit electrons for electrons, in a plasma.
 *
 *   - Floating potential.  A plane emits the flux J_e of a Maxwellian of electrons and J_i of
 *     ions; a wall that floats, or a dielectric, takes all ions and J_e exp(-V/T) electrons,
 *     where V is its potential below the plane and the potential has no minimum before it.
 *     It emits the part g of these, which the field takes away.  So
 *
 *       J_i = (1 - g) J_e exp(-V/T),   V/T = log((1 - g) J_e/J_i),
 *
 *     and for J_i/J_e = sqrt(2 pi m/M), ions at the speed sqrt(T/M), V/T = log((1 - g)
 *     sqrt(M/(2 pi m))), the floating potential attributed to Hobbs and Wesson, whose
 *     paper was not read: derived here.  It does not matter which of the three ways g is made of.
 *     Error: 4.5 standard errors from 8 blocks of 150 ns, and 0.5 % of T for fluctuations
 *     s of the potential, which raise the mean of exp by s^2/2.
 *   - In a discharge with ions, collisions, secondary electrons of both kinds and walls that
 *     float or are dielectric, Gauss's law at a wall gives the charge of circuit and
 *     particles to rounding in every row, and the energies of electrons balance.
 *   - Attached electrons make a wall emit nothing.
 *   - Runs have the same bits with any number of threads, by any scheduler, on several
 *     processes, and in slices that go on from checkpoints; with a grid in slabs they are
 *     equal to rounding.  Reference: the undisturbed run.
 *   - In a full store numbers balance to the end.
 *   - Keys that make no sense are refused, and so is a GPU, with key, value and what is
 *     allowed. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "physics/constants.h"
#include "src/sim/plasma.h"
#include "t/tap/command.h"
#include "t/tap/ranks.h"
#include "t/tap/scene.h"
#include "t/tap/slices.h"
#include "t/tap/tap.h"

#define FILE_NAME "t0779.cfg"
#define OUT       "t0779.nc"
#define AGAIN     "t0779-again.nc"

static double *read(const char *name, size_t *n)
{
  double *all = command_nc_read(OUT, name, n);
  if (all == NULL) {
    ok(0, "%s: is there", name);
    exit(done());
  }
  return all;
}

static int run(const char *before, const char *output, const char *options)
{
  return command("%s %s run " FILE_NAME " --quiet --output %s %s", before,
                 command_wilson(), output, options);
}

static int plain_run(const char *text)
{
  command_write(FILE_NAME, text);
  const int status = run("", OUT, "--device cpu");
  if (!is_int(status, 0, "a run"))
    diag("%.900s", command_err);
  return status;
}

/* ---- a floating wall */

enum { BLOCKS = 8, A_BLOCK = 150, BEFORE = 500 }; /* rows, one a ns */

static void floating(const char *what, const char *wall, double g)
{
  /* 1e14 m-3, 1 eV, M = 400 m: J_e = n sqrt(T/(2 pi m)), J_i = n sqrt(T/M) */
  const double mass = 400.0, sigma = sqrt(WN_E / WN_ME),
               j_e = 1e14 * sigma / sqrt(2.0 * WN_PI), j_i = 1e14 * sigma / sqrt(mass),
               want = log((1.0 - g) * sqrt(mass / (2.0 * WN_PI)));
  char text[2048];
  snprintf(
      text, sizeof text,
      "model = \"plasma\"; duration = \"1700 ns\"; threads = 1; seed = 12;\n"
      "grid = { cells = [30]; length = [\"5.6 mm\"]; };\nwalls = { x_low = { field = "
      "\"dirichlet\"; }; x_high = { field = \"dirichlet\"; %s }; };\nspecies = { e = "
      "{ density = \"0 m-3\"; }; i = { density = \"0 m-3\"; charge = 1.0; mass = "
      "\"400 me\"; }; };\nplasma = { time_step = \"100 ps\"; integrals_interval = "
      "\"1 ns\"; allow = [\"cell-crossing\"]; sources = {\n  s = { species = \"e\"; "
      "wall = \"x_low\"; flux = \"%.9g m-2 s-1\"; temperature = \"1 eV\"; per_step = "
      "18.0; };\n  i = { species = \"i\"; wall = \"x_low\"; flux = \"%.9g m-2 s-1\"; "
      "energy = \"0.5 eV\"; per_step = %.9g; }; }; };\n",
      wall, j_e, j_i, 18.0 * j_i / j_e);
  if (plain_run(text) != 0)
    return;
  size_t n;
  double *phi = read("wall_potential", &n), mean = 0.0, square = 0.0;
  WN_ASSERT(n == 2 * (BEFORE + BLOCKS * A_BLOCK));
  for (int i = 0; i < BLOCKS; i++) {
    double block = 0.0;
    for (int j = 0; j < A_BLOCK; j++)
      block -= phi[2 * (BEFORE + i * A_BLOCK + j) + 1] / A_BLOCK;
    mean += block / BLOCKS;
    square += block * block / BLOCKS;
  }
  const double error = sqrt((square - mean * mean) / (BLOCKS - 1));
  is_near(mean, want, 4.5 * error + 0.005,
          "%s: a potential of -%.4f(%.4f) T, by theory -%.4f T", what, mean, error, want);
  ok(error < 0.02, "%s: which is known", what);
  free(phi);
}

/* ---- a discharge */

#define DISCHARGE(low, high)                                                             \
  "model = \"plasma\"; duration = \"1.6 ns\"; seed = 3;\n"                               \
  "grid = { cells = [24]; length = [\"3 mm\"]; };\n"                                     \
  "walls = { x_low = { field = \"dirichlet\"; amplitude = \"400 V\"; frequency = \"200 " \
  "MHz\"; phase = \"1 rad\"; yield = 0.3; " low " };\n"                                  \
  "  x_high = { field = \"dirichlet\"; " high " }; };\n"                                 \
  "gas = { pressure = \"200 Pa\"; components = { Ar = { file = \"builtin:argon\"; }; "   \
  "}; };\n"                                                                              \
  "species = { e = { density = \"2e14 m-3\"; per_cell = 20; temperature = \"20 eV\"; "   \
  "collisions = \"gas\"; ions = \"i\"; };\n"                                             \
  " i = { density = \"2e14 m-3\"; per_cell = 20; temperature = \"2 eV\"; charge = 1.0; " \
  "mass = \"39.948 u\"; collisions = \"gas\"; };\n"                                      \
  " b = { density = \"1e14 m-3\"; per_cell = 15; temperature = \"20 eV\"; drift = "      \
  "[\"5e6 m/s\", \"0\", \"0\"]; }; };\n"                                                 \
  "plasma = { time_step = \"20 ps\"; mobility_steps = 2; integrals_interval = \"40 "     \
  "ps\"; allow = [\"cell-crossing\"]; background = true; };\n"
#define EMITS                                                                            \
  "electron_reflection = 0.2; electron_backscattering = 0.1; electron_yield = 1.5; "     \
  "electron_yield_energy = \"200 eV\"; electron_yield_number = \"poisson\"; "
#define REFLECTS                                                                         \
  "electron_reflection = 0.3; electron_reflection_law = \"specular\"; electron_yield = " \
  "0.4; "

static const struct {
  const char *name, *text;
} runs[] = {
    {"a floating wall", DISCHARGE(EMITS, "capacitance = 0; " REFLECTS)},
    {"dielectrics",
     DISCHARGE("resistance = \"2 ohm m2\"; dielectric_thickness = \"1 mm\"; "
               "dielectric_permittivity = 3.0; " REFLECTS,
               "dielectric_thickness = \"1 mm\"; " EMITS)},
};

/* Of electrons alone, in one and two dimensions, without collisions. */
#define FREE(grid, more)                                                                 \
  "model = \"plasma\"; duration = \"1.6 ns\"; seed = 7;\ngrid = { " grid " };\n"         \
  "walls = { x_low = { field = \"dirichlet\"; " EMITS " }; x_high = { field = "          \
  "\"dirichlet\"; voltage = \"20 V\"; " REFLECTS " }; };\n"                              \
  "species = { e = { density = \"1e13 m-3\"; per_cell = 40; temperature = \"30 eV\"; "   \
  "}; };\nplasma = { time_step = \"20 ps\"; integrals_interval = \"40 ps\"; "            \
  "background = true; allow = [\"cell-crossing\"]; " more " };\n"
static const char line[] = FREE("cells = [24]; length = [\"3 mm\"];", "");
static const char plane[] =
    FREE("cells = [12, 4]; length = [\"3 mm\", \"1 mm\"];", "velocities = 3;");

/* Charge of walls and gap, in every row. */
static void closes(const char *name, const char *text)
{
  if (plain_run(text) != 0)
    return;
  size_t n, unused;
  double *gauss = read("surface_charge", &n), *circuit = read("circuit_charge", &n),
         *convected = read("convected_charge", &n), *grid = read("total_charge", &unused);
  const double first = grid[0] + convected[0] + convected[1];
  double size = 0.0, off = 0.0, all = 0.0, moved = 0.0;
  for (size_t i = 0; i < n / 2; i++) {
    double sum = grid[i];
    for (size_t k = 2 * i; k < 2 * i + 2; k++) {
      size = fmax(size, fabs(gauss[k]));
      off = fmax(off, fabs(gauss[k] - circuit[k] - convected[k]));
      sum += gauss[k];
    }
    all = fmax(all, fabs(sum));
    moved = fmax(moved, fabs(grid[i] + convected[2 * i] + convected[2 * i + 1] - first));
  }
  ok(n == 80 && fabs(convected[n - 1]) > 0.01 * size &&
         fabs(convected[n - 2]) > 0.01 * size,
     "%s: both walls have charge of particles", name);
  is_near(off / size, 0.0, 1e-12, "%s: Gauss's law at the walls", name);
  is_near(all / size, 0.0, 1e-12, "%s: walls and grid", name);
  is_near(moved / size, 0.0, 1e-12, "%s: particles, in the gap and at the walls", name);
  free(gauss), free(circuit), free(convected), free(grid);
}

/* Kinetic energy of living electrons, with what walls and collisions took less what the field gave; eV. */
static double energy_ev(const struct wn_species *s)
{
  double sum = 0.0;
  for (size_t i = 0; i < s->p.n; i++) {
    const struct wn_electron *e = wn_particles_at(&s->p, i);
    sum += (double)e->w * wn_point_energy_ev(wn_plasma_points(s), 3, e->u);
  }
  for (int side = 0; side < WN_SIDES; side++)
    sum += (double)s->tally.surface[side].energy / WN_FIX_ENERGY;
  for (int i = 0; i < s->shape.n_processes; i++)
    sum += (double)s->tally.lost[i] / WN_FIX_ENERGY;
  return sum - (double)s->tally.group[0].gained / WN_FIX_ENERGY;
}

static void energies(void)
{
  static const char *const nothing[] = {NULL};
  struct scene scene;
  scene_open(&scene, FILE_NAME, runs[0].text, nothing);
  scene_start(&scene, 20e-12);
  const struct wn_species *e = scene.sim->species[0];
  const double first = energy_ev(e);
  for (int i = 0; i < 80; i++)
    WN_ASSERT(scene_phase(&scene) == WN_OK);
  double at_walls = 0.0;
  for (int side = 0; side < WN_SIDES; side++)
    at_walls += (double)e->tally.surface[side].energy / WN_FIX_ENERGY;
  ok(at_walls > 0.05 * first, "the walls took a part of %.2g of the energy",
     at_walls / first);
  is_close(energy_ev(e), first, 1e-6, "the energies of electrons balance");
  scene_close(&scene);
}

/* Electrons that the gas attaches are dead, and no wall took them. */
static void attached(void)
{
  static const char text[] =
      "model = \"plasma\"; duration = \"200 ps\"; threads = 1; seed = 4;\n"
      "grid = { cells = [20]; length = [\"20 mm\"]; };\nwalls = { x_low = { field = "
      "\"dirichlet\"; electron_reflection = 0.3; electron_yield = 2; }; x_high = { field "
      "= \"dirichlet\"; }; };\ngas = { pressure = \"1 bar\"; components = { O2 = { file "
      "= "
      "\"builtin:air\"; }; }; };\n"
      "species = { e = { density = \"1e6 m-3\"; per_cell = 500; temperature = \"3 eV\"; "
      "profile = \"slab\"; centre = [\"10 mm\"]; width = [\"10 mm\"]; collisions = "
      "\"gas\"; ions = \"i\"; anions = \"a\"; }; i = { density = \"0 m-3\"; charge = "
      "1.0; "
      "mass = \"32 u\"; mobile = false; }; a = { density = \"0 m-3\"; charge = -1.0; "
      "mass "
      "= \"32 u\"; mobile = false; }; };\n"
      "plasma = { time_step = \"10 ps\"; background = true; };\n";
  static const char *const nothing[] = {NULL};
  struct scene scene;
  scene_open(&scene, FILE_NAME, text, nothing);
  scene_start(&scene, 10e-12);
  const struct wn_species *const *s =
      (const struct wn_species *const *)scene.sim->species;
  const size_t n = s[0]->p.n;
  for (int i = 0; i < 20; i++)
    WN_ASSERT(scene_phase(&scene) == WN_OK);
  ok(s[2]->p.n > 100 && s[0]->p.n + s[2]->p.n == n + s[1]->p.n &&
         s[0]->tally.surface[0].number == 0,
     "%zu are attached: walls emit nothing for these", s[2]->p.n);
  scene_close(&scene);
}

/* ---- bits */

static void same(const char *what, int status)
{
  ranks_same(OUT, AGAIN, what, status, 0);
}

static void near(const char *what, int status)
{
  static const char *const names[] = {"wall_potential", "circuit_charge",
                                      "convected_charge", "wall_energy"};
  ranks_near(OUT, AGAIN, what, status, sizeof names / sizeof names[0], names);
}

/* Names of random numbers are those of electrons with collisions, whatever the last bits of their velocities
 * are. */
static void slabs(void)
{
#define COLLIDE                                                                          \
  "--set 'species.b.collisions=\"gas\"' --set 'species.b.ions=\"i\"' --set "             \
  "species.b.per_cell=10 --set walls.x_low.yield=0 "
  command_write(FILE_NAME, runs[0].text);
  if (!is_int(run("", OUT, COLLIDE), 0, "all electrons collide: undisturbed"))
    diag("%.900s", command_err);
  near("two slabs", run("mpirun -n 2", AGAIN, COLLIDE "--set 'divide=\"domains\"'"));
#undef COLLIDE
}

static void same_bits(const char *name, const char *text, int has_ranks)
{
  static const char *const options[] = {"--threads 1", "--scheduler serial",
                                        "--threads 3"};
  size_t n;
  command_write(FILE_NAME, text);
  if (!is_int(run("", OUT, "--device cpu --threads 2"), 0, "%s: undisturbed", name))
    diag("%.900s", command_err);
  for (int i = 0; i < 3; i++)
    same(options[i], run("", AGAIN, options[i]));
  slices_are(name, FILE_NAME, AGAIN, OUT, 27, 3, 3, options);
  ok(run("", AGAIN, "--set walls.x_low.electron_reflection=0.25") == 0 &&
         command_nc_differs(OUT, AGAIN, &n) != NULL,
     "%s: another reflection has other numbers", name);
  remove(AGAIN);
  if (has_ranks) {
    same("two processes", run("mpirun -n 2", AGAIN, "--set 'divide=\"electrons\"'"));
    same("three", run("mpirun -n 3", AGAIN, "--set 'divide=\"electrons\"'"));
  }
  remove(OUT);
}

/* Living particles and walls, when the store becomes full. */
static void full(void)
{
  static const char *const set[] = {"population.capacity=1500",
                                    "walls.x_high.electron_yield=6", NULL};
  struct scene scene;
  int status = WN_OK, steps = 0, wrong = 0;
  scene_open(&scene, FILE_NAME, line, set);
  scene_start(&scene, 20e-12);
  const struct wn_species *e = scene.sim->species[0];
  const double first = (double)e->p.n;
  while (status == WN_OK && steps < 80) {
    double sum = 0.0;
    status = scene_phase(&scene);
    for (size_t i = 0; i < e->p.n; i++)
      sum += ((const union wn_word *)wn_particles_at(&e->p, i))->i >= 0;
    for (int side = 0; side < WN_SIDES; side++)
      sum += (double)e->tally.surface[side].number;
    wrong += sum != first;
    steps += status == WN_OK;
  }
  ok(status == WN_EFULL && steps > 5 && wrong == 0,
     "full after %d steps: particles and walls balance to the end", steps);
  scene_close(&scene);
}

/* ---- what is refused */

#define S(wall, species)                                                                 \
  "model = \"plasma\"; duration = \"1 ns\"; grid = { cells = [8]; length = [\"1 mm\"]; " \
  "};\nwalls = { x_low = { field = \"dirichlet\"; " wall " }; x_high = { field = "       \
  "\"dirichlet\"; }; };\nspecies = { " species " };\nplasma = { time_step = \"1 ps\"; "  \
  "background = true; };\n"
#define E         "e = { density = \"1e9 m-3\"; }; "
#define KEY(last) "key `walls.x_low." last "`"

static const struct {
  const char *text, *message;
} mistakes[] = {
    {S("electron_reflection = 1.5;", E),
     KEY("electron_reflection") " = 1.5: out of range; allowed: 0 to 1"},
    {S("electron_yield = -1;", E),
     KEY("electron_yield") " = -1: out of range; allowed: 0 to 100"},
    {S("electron_reflection = 0.7; electron_backscattering = 0.4;", E),
     KEY("electron_backscattering") " = 0.4: with walls.x_low.electron_reflection this "
                                    "is "
                                    "1.1, a probability; allowed: at most 1 in sum"},
    {S("electron_reflection = 0.7; electron_backscattering = 0.3; electron_yield = 0.1;",
       E),
     KEY("electron_yield") " = 0.1: a part of 0 of the electrons is absorbed"},
    {S("electron_reflection = 0.9; electron_yield = 11;", E),
     "allowed: at most 10, which is 100 for each"},
    {S("electron_yield = 2; electron_yield_energy = \"10 eV\";", E),
     KEY("electron_yield_energy") " = \"10 eV\": the yield rises from "
                                  "walls.x_low.electron_yield_threshold, 12.5 eV"},
    {S("electron_yield = 2; electron_yield_threshold = \"10 eV\";", E),
     KEY("electron_yield_threshold") " = \"10 eV\": has no effect without "
                                     "walls.x_low.electron_yield_energy"},
    {S("electron_yield = 2; electron_yield_smoothness = 1;", E),
     KEY("electron_yield_smoothness") " = 1: has no effect without"},
    {S("electron_yield_energy = \"100 eV\";", E),
     KEY("electron_yield_energy") " = \"100 eV\": has no effect without "
                                  "walls.x_low.electron_yield"},
    {S("electron_yield_number = \"poisson\";", E),
     KEY("electron_yield_number") " = \"poisson\": has no effect without "
                                  "walls.x_low.electron_yield"},
    {S("electron_yield = 1; electron_yield_number = \"binomial\";", E),
     KEY("electron_yield_number") " = \"binomial\""},
    {S("electron_reflection_law = \"specular\";", E),
     KEY("electron_reflection_law") " = \"specular\": has no effect without "
                                    "walls.x_low.electron_reflection"},
    {S("electron_reflection = 0.2; particles = \"reflect\";", E),
     KEY("electron_reflection") " = 0.2: particles are not absorbed there; set "
                                "walls.x_low.particles = \"absorb\""},
    {S("electron_backscattering = 0.2;", "p = { density = \"1e9 m-3\"; charge = 1.0; };"),
     KEY("electron_backscattering") " = 0.2: no species is electrons: mobile, of charge "
                                    "-1 and mass \"1 me\""},
    {S("electron_yield = 0.2;", "e = { density = \"1e9 m-3\"; mobile = false; };"),
     KEY("electron_yield") " = 0.2: no species is electrons"},
    {S("emission_temperature = \"1 eV\";", E),
     "has no effect without walls.x_low.yield or walls.x_low.electron_yield"},
    {S("electron_reflexion = 0.2;", E), "nearest is `walls.x_low.electron_reflection`"},
    {S("delta_max = 2.4;", E), "nearest is `walls.<NAME>.electron_yield`"},
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
  command_write(FILE_NAME,
                S("electron_yield = 0.2; emission_temperature = \"1 eV\";", E));
  is_int(command("%s check " FILE_NAME, command_wilson()), 0, "a check");
  is_int(command("%s check " FILE_NAME " --device cuda", command_wilson()), 2,
         "a GPU is refused by the check");
  ok(strstr(command_err, "device `cuda`") != NULL &&
         strstr(command_err, "key `walls.x_low.electron_yield` = 0.2") != NULL &&
         strstr(command_err, "allowed: device cpu or auto") != NULL,
     "with key, value and what is allowed: %.300s", command_err);
}

int main(void)
{
  ranks_allow();
  plan(0);
  hostile();
  full();
  energies();
  attached();
  const int has_ranks = command("mpirun -n 2 true") == 0;
  for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++) {
    closes(runs[i].name, runs[i].text);
    same_bits(runs[i].name, runs[i].text, has_ranks && i == 0);
  }
  same_bits("without collisions", line, has_ranks);
  same_bits("two axes", plane, has_ranks);
  if (has_ranks)
    slabs();
  floating("a floating wall of yield 0.5",
           "capacitance = 0; electron_yield = 0.5; emission_temperature = \"0.02 eV\";",
           0.5);
  floating("a dielectric that emits in all ways",
           "dielectric_thickness = \"1 mm\"; electron_reflection = 0.2; "
           "electron_backscattering = 0.15; electron_yield = 0.3; emission_temperature = "
           "\"0.02 eV\";",
           0.65);
  remove(FILE_NAME);
  remove(OUT);
  return done();
}
