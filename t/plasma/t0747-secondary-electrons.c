/* t0747-secondary-electrons.c - defends: a wall with a yield gives as many electrons as it
 * says, on average, for each ion that ends there, weights of both species counted, and no
 * other wall gives any, also without collisions; they leave where the ion hit, into the domain, with the velocities
 * of a Maxwellian's flux, each with a name of its own; numbers balance to the quantum and
 * energies to rounding; neither threads nor the scheduler change a bit.
 *
 * Errors: 4.5 standard errors, a false alarm in 1e5 checks.  Of n electrons the mean of
 * u^2/2 sigma^2 along the normal, which is exponential, is known to 1/sqrt(n), that of
 * u^2/sigma^2 across it to sqrt(2/n). */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "physics/constants.h"
#include "src/sim/plasma.h"
#include "t/tap/command.h"
#include "t/tap/scene.h"
#include "t/tap/tap.h"

#define FILE_NAME "t0747.cfg"
#define OUT       "t0747.nc"
#define KT        3.0 /* eV */
#define RATIO     2.5 /* real ions of one over real electrons of one */

/* So few that space charge is negligible, in a very thin gas. */
static const char text[] =
    "model = \"plasma\"; duration = \"400 ns\"; threads = 1; seed = 11;\n"
    "grid = { cells = [16, 12]; length = [\"2 mm\", \"1.5 mm\"]; };\n"
    "walls = { x_low = { field = \"dirichlet\"; yield = 1.5; emission_temperature = \"3 "
    "eV\"; }; x_high = { field = \"dirichlet\"; }; y_low = { field = \"neumann\"; "
    "particles = \"absorb\"; }; y_high = { field = \"dirichlet\"; yield = 0.2; "
    "emission_temperature = \"3 eV\"; }; };\n"
    "tables = { energy_max = \"1 keV\"; };\n"
    "gas = { pressure = \"1e-7 Pa\"; components = { Ar = { file = \"builtin:argon\"; }; "
    "}; };\n"
    "plasma = { time_step = \"20 ns\"; allow = [\"cell-crossing\"]; particles_interval = "
    "\"100 ns\"; };\n"
    "species = { e = { density = \"1 m-3\"; temperature = \"1 eV\"; per_cell = 10; "
    "collisions = \"gas\"; ions = \"left\"; };\n"
    " left = { density = \"0 m-3\"; charge = 1.0; mass = \"39.948 u\"; mobile = false; "
    "};\n"
    " i = { density = \"10 m-3\"; per_cell = 40; charge = 1.0; mass = \"39.948 u\"; "
    "temperature = \"10 eV\"; loading = \"random\"; collisions = \"gas\"; }; };\n";

enum { E = 0, I = 2, X_LOW = 0, Y_HIGH = 3 };

struct seen {
  double n[WN_SIDES], normal[WN_SIDES], across[WN_SIDES];
  int inward;
};

/* Those that a step has left on the walls: hardly another is there to the last bit. */
static void look(const struct wn_species *s, struct seen *seen)
{
  const struct wn_points *m = wn_plasma_points(s);
  for (size_t i = 0; i < s->p.n; i++) {
    const struct wn_electron *e = wn_particles_at(&s->p, i);
    for (int side = 0; side < 4; side++) {
      const int d = side / 2;
      if (e->at[d] != (side % 2 ? m->end[d] : 0) || e->event != 0 || e->a[0] != 0.0f)
        continue;
      const double u = (double)e->u[d], v = (double)e->u[1 - d], w = (double)e->u[2];
      seen->n[side] += 1.0;
      seen->normal[side] += u * u;
      seen->across[side] += 0.5 * (v * v + w * w);
      seen->inward += side % 2 ? u < 0.0 : u > 0.0;
      break; /* an ion in a corner ended at the first of its sides */
    }
  }
}

static double energy_ev(const struct wn_species *s)
{
  double sum = 0.0;
  for (size_t i = 0; i < s->p.n; i++) {
    const struct wn_electron *e = wn_particles_at(&s->p, i);
    sum += wn_point_energy_ev(wn_plasma_points(s), 3, e->u);
  }
  for (int side = 0; side < WN_SIDES; side++)
    sum += (double)s->tally.surface[side].energy / WN_FIX_ENERGY;
  for (int i = 0; i < s->shape.n_processes; i++)
    sum += (double)s->tally.lost[i] / WN_FIX_ENERGY;
  return sum - (double)s->tally.group[0].gained / WN_FIX_ENERGY;
}

static wn_i128 number(const struct wn_species *s)
{
  wn_i128 sum = (wn_i128)s->p.n * WN_QUANTA;
  for (int side = 0; side < WN_SIDES; side++)
    sum += s->tally.surface[side].quanta;
  return sum;
}

/* Ions without collisions that fly along y to a wall, between 0.75 and 1.25 mm of x, and
 * electrons that leave at rest, so that they stay where they are made. */
static const char free_text[] =
    "model = \"plasma\"; duration = \"400 ns\"; threads = 1; seed = 12;\n"
    "grid = { cells = [16, 12]; length = [\"2 mm\", \"1.5 mm\"]; };\n"
    "walls = { y_low = { field = \"dirichlet\"; yield = 1.5; emission_temperature = 0; "
    "}; "
    "y_high = { field = \"dirichlet\"; yield = 0.2; emission_temperature = 0; }; };\n"
    "plasma = { time_step = \"20 ns\"; velocities = 3; allow = [\"cell-crossing\"]; "
    "particles_interval = \"100 ns\"; };\n"
    "species = { e = { density = \"1 m-3\"; per_cell = 10; }; i = { density = \"10 "
    "m-3\"; "
    "per_cell = 40; charge = 1.0; mass = \"39.948 u\"; drift = [\"0\", \"10 km/s\", "
    "\"0\"]; "
    "profile = \"slab\"; width = [\"0.5 mm\", \"none\"]; temperature = \"0.001 eV\"; "
    "loading = \"random\"; }; };\n";

static int by_id(const void *a, const void *b)
{
  const uint64_t x = ((const struct wn_electron *)a)->id,
                 y = ((const struct wn_electron *)b)->id;
  return x < y ? -1 : x > y;
}

static void one_wall(const struct seen *s, int side, double ions, double yield)
{
  const double mean = yield * RATIO, part = mean - floor(mean), n = s->n[side],
               sigma2 = KT * WN_E / WN_ME;
  is_near(n, mean * ions, 4.5 * sqrt(part * (1.0 - part) * ions),
          "side %d: %.0f electrons for %.0f ions", side, n, ions);
  is_near(s->normal[side] / n / (2.0 * sigma2), 1.0, 4.5 / sqrt(n),
          "side %d: their flux along the normal", side);
  is_near(s->across[side] / n / sigma2, 1.0, 4.5 / sqrt(n),
          "side %d: their velocities across it", side);
  ok(n > 300.0, "side %d: enough of them", side);
}

static void emission(void)
{
  enum { STEPS = 20 };
  static const char *const nothing[] = {NULL};
  struct scene scene;
  struct seen seen = {0};
  int wrong = 0;
  size_t twice = 0;
  scene_open(&scene, FILE_NAME, text, nothing);
  scene_start(&scene, 20e-9);
  struct wn_species *e = scene.sim->species[E], *ions = scene.sim->species[I];
  const wn_i128 first = number(e), first_ions = number(ions);
  const double ev = energy_ev(e);
  for (int i = 0; i < STEPS; i++) {
    WN_ASSERT(scene_phase(&scene) == WN_OK);
    wrong += number(e) != first || number(ions) != first_ions;
    look(e, &seen);
  }
  is_int(wrong, 0, "steps after which numbers and walls are not what was there at first");
  is_int((long long)e->tally.n_births, 0, "nothing is ionized");
  one_wall(&seen, X_LOW, (double)ions->tally.surface[X_LOW].number, 1.5);
  one_wall(&seen, Y_HIGH, (double)ions->tally.surface[Y_HIGH].number, 0.2);
  ok(ions->tally.surface[1].number > 100 && ions->tally.surface[2].number > 100 &&
         seen.n[1] == 0.0 && seen.n[2] == 0.0,
     "walls without a yield give none");
  is_int(seen.inward, (long long)(seen.n[X_LOW] + seen.n[Y_HIGH]), "all go inward");
  is_near(energy_ev(e) / ev, 1.0, 1e-6, "energies balance");
  struct wn_electron *list = wn_particles_electrons(&e->p);
  qsort(list, e->p.n, sizeof *list, by_id);
  for (size_t i = 1; i < e->p.n; i++)
    twice += list[i].id == list[i - 1].id;
  ok(e->p.n > 20 && twice == 0, "%zu are there, each with a name of its own", e->p.n);
  scene_close(&scene);
}

/* Without collisions. */
static void collisionless(void)
{
  enum { STEPS = 10 };
  static const char *const nothing[] = {NULL};
  struct scene scene;
  int wrong = 0, elsewhere = 0;
  double at_wall = 0.0;
  scene_open(&scene, FILE_NAME, free_text, nothing);
  scene_start(&scene, 20e-9);
  const struct wn_species *e = scene.sim->species[0], *ions = scene.sim->species[1];
  const struct wn_points *m = wn_plasma_points(e);
  const wn_i128 first = number(e), first_ions = number(ions);
  const size_t before = e->p.n;
  for (int i = 0; i < STEPS; i++) {
    WN_ASSERT(scene_phase(&scene) == WN_OK);
    wrong += number(e) != first || number(ions) != first_ions;
  }
  is_int(wrong, 0, "without collisions: numbers and walls balance");
  for (size_t i = before; i < e->p.n; i++) {
    const union wn_word *r = wn_particles_at(&e->p, i);
    const double x = r[0].i * 2.0 / m->end[0];
    elsewhere += !(x > 0.74 && x < 1.26) || r[1].i < m->end[1] - 1000;
    at_wall += 1.0;
  }
  const double hit = (double)ions->tally.surface[Y_HIGH].number, mean = 0.2 * RATIO,
               part = mean - floor(mean);
  ok(hit > 1900.0 && ions->tally.surface[2].number == 0, "%.0f ions hit one wall", hit);
  is_near(at_wall, mean * hit, 4.5 * sqrt(part * (1.0 - part) * hit),
          "without collisions: as many electrons as it yields");
  is_int(elsewhere, 0, "and they are where the ions hit");
  scene_close(&scene);
}

static int run(const char *scenario, const char *options)
{
  command_write(FILE_NAME, scenario);
  int status = command("%s run " FILE_NAME " --quiet --output " OUT " %s",
                       command_wilson(), options);
  remove(FILE_NAME);
  if (status != 0)
    diag("%.800s", command_err);
  return status == 0;
}

static void same_bits(const char *scenario)
{
  static const char *const other[] = {"--device cpu --threads 2",
                                      "--device cpu --threads 3",
                                      "--device cpu --scheduler serial"};
  size_t n = 0;
  if (!ok(run(scenario, "--device cpu --threads 1") && rename(OUT, "t0747-a.nc") == 0,
          "a run"))
    return;
  for (size_t i = 0; i < sizeof other / sizeof other[0]; i++) {
    const int done = run(scenario, other[i]);
    const char *what = command_nc_differs("t0747-a.nc", OUT, &n);
    ok(done && what == NULL && n > 1000, "%s gives the same %zu numbers%s%s", other[i], n,
       what != NULL ? "; differs: " : "", what != NULL ? what : "");
  }
  ok(run(scenario, "--set walls.y_high.yield=0.3") &&
         command_nc_differs("t0747-a.nc", OUT, &n) != NULL,
     "another yield gives other numbers");
  remove("t0747-a.nc");
  remove(OUT);
}

int main(void)
{
  plan(0);
  emission();
  collisionless();
  same_bits(text);
  same_bits(free_text);
  return done();
}
