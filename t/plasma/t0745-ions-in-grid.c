/* t0745-ions-in-grid.c - defends: ions that collide, in the field of a grid.  Where they meet
 * these they move as macroparticles do (drift, kick, drift: physics/mover.h), to rounding.  Between
 * two walls with a voltage few Ar+ have the drift and the mean energy of the swarm of model
 * `ion` in that uniform field, along either axis.  Candidates come at the constant rate
 * nu_max, of those that are born too.  For each ionization an ion, with a name of its own and
 * a velocity of the gas; after every step the charge on the grid, with what the walls took,
 * is to the quantum what it was.  Energies and numbers balance, also over two periods of the
 * discharge that is shipped, and on a GPU, if there is one.  Neither threads nor the scheduler change
 * a bit.  An ion above the top of its tables ends the run with the key to raise.
 *
 * Errors: standard errors of SEEDS runs and of the swarm; 4.5 of both together (and STUDENT,
 * as the first are of few runs) is a false alarm in 1e5 checks. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "fields/deposit.h"
#include "physics/constants.h"
#include "src/sim/plasma.h"
#include "t/tap/command.h"
#include "t/tap/gpu.h"
#include "t/tap/ion_swarm.h"
#include "t/tap/plasma.h"
#include "t/tap/scene.h"
#include "t/tap/tap.h"

#define FILE_NAME "t0745.cfg"
#define OUT       "t0745.nc"
#define SEEDS     8
#define STUDENT   2.2 /* Student's t of 7 degrees of freedom at 1e-5: 9.9/4.4 */
#define ARGON     "components = { Ar = { file = \"builtin:argon\"; }; }; };\n"

static const char *const nothing[] = {NULL};

/* ---- without collisions: drift, kick, drift */

static const char mirrors[] =
    "model = \"plasma\"; duration = \"10 us\"; threads = 1; scheduler = \"serial\";\n"
    "grid = { cells = [24, 20]; length = [\"5 mm\", \"4 mm\"]; };\n"
    "walls = { x_low = { field = \"neumann\"; }; x_high = { field = \"dirichlet\"; "
    "particles = \"reflect\"; }; };\n"
    "plasma = { time_step = \"20 ns\"; background = true; velocities = 3; };\n"
    "species = { i = { density = \"1e15 m-3\"; temperature = \"1 eV\"; per_cell = 9; "
    "charge = 1.0; mass = \"39.948 u\";";

static void same_motion(void)
{
  enum { STEPS = 40 };
  char text[2][2048];
  struct scene points, ions;
  snprintf(text[0], sizeof text[0], "%s }; };\n", mirrors);
  snprintf(text[1], sizeof text[1],
           "%s collisions = \"gas\"; }; };\ngas = { pressure = \"1e-9 Pa\"; " ARGON,
           mirrors);
  scene_open(&points, FILE_NAME, text[0], nothing);
  scene_open(&ions, FILE_NAME, text[1], nothing);
  scene_start(&points, 20e-9);
  scene_start(&ions, 20e-9);
  for (int i = 0; i < STEPS; i++)
    swarm_must(scene_phase(&points) | scene_phase(&ions));
  const struct wn_particles *a = &scene_species(&points)->p,
                            *b = &scene_species(&ions)->p;
  is_int((long long)b->n, (long long)a->n, "as many ions as points");
  double far = 0.0, fast = 0.0, turned = 0.0;
  for (size_t i = 0; i < a->n && i < b->n; i++) {
    const union wn_word *p = wn_particles_at(a, i);
    const struct wn_electron *e = wn_particles_at(b, i);
    for (int d = 0; d < 2; d++)
      far = fmax(far, fabs(ldexp((double)e->at[d] - (double)p[d].i, -25)));
    for (int d = 0; d < 3; d++)
      fast = fmax(fast, fabs((double)e->u[d] - (double)p[2 + d].f));
    turned += p[2].f < 0.0f;
  }
  /* cells have 2^25 parts; a step rounds places to one, and velocities to 2^-24 of 1e4 m/s,
   * which is 6e-8 of a cell in a step */
  ok(far < 40e-6, "without collisions they are where points are, to %.2g of a cell", far);
  ok(fast < 0.2 && turned > 0.0, "and as fast, to %.2g m/s", fast);
  scene_close(&points);
  scene_close(&ions);
}

/* ---- the drift between two walls */

/* 200 Td at 100 Pa and 300 K: 4828.64 V/m over 20 mm along the axis. */
static void walls_text(char *text, size_t room, const char *grid, const char *axis,
                       const char *width)
{
  snprintf(text, room,
           "model = \"plasma\"; %s\n"
           "walls = { %s_low = { field = \"dirichlet\"; voltage = \"96.5728 V\"; }; "
           "%s_high = { field = \"dirichlet\"; }; };\n"
           "species = { i = { density = \"1e5 m-3\"; temperature = \"25.85 meV\"; "
           "profile = \"slab\"; width = %s; loading = \"random\"; charge = 1.0; mass = "
           "\"39.948 u\"; collisions = \"gas\"; }; };\n"
           "gas = { pressure = \"100 Pa\"; " ARGON
           "plasma = { time_step = \"20 ns\"; }; duration = \"3 us\"; threads = 1;\n",
           grid, axis, axis, width);
}

static int run(const char *text, const char *options)
{
  command_write(FILE_NAME, text);
  int status = command("%s run " FILE_NAME " --quiet --output " OUT " %s",
                       command_wilson(), options);
  remove(FILE_NAME);
  if (status != 0)
    diag("%.800s", command_err);
  return status == 0;
}

/* A variable that must be there. */
static double *read(const char *name, size_t *n)
{
  size_t own;
  double *v = command_nc_read(OUT, name, n != NULL ? n : &own);
  if (v == NULL) {
    printf("Bail out! no %s in " OUT "\n", name);
    exit(1);
  }
  return v;
}

enum { DRIFT, ENERGY, N_NUMBERS };

/* Means of the second half of a run, of all that were there at the beginning. */
static void measure(int axis, double value[N_NUMBERS], double *ended)
{
  size_t n;
  double *particles = read("particles", &n), *momentum = read("momentum", NULL),
         *kinetic = read("kinetic_energy", NULL);
  value[DRIFT] = value[ENERGY] = 0.0;
  for (size_t i = n / 2; i < n; i++) {
    const double parts = particles[i] * (double)(n - n / 2);
    value[DRIFT] += momentum[3 * i + (size_t)axis] / (39.948 * WN_AMU) / parts;
    value[ENERGY] += kinetic[i] / WN_E / parts;
  }
  *ended += particles[0] - particles[n - 1];
  free(particles), free(momentum), free(kinetic);
}

static void swarm_200_td(struct swarm_mean value[N_NUMBERS])
{
  const double n_gas = 100.0 / (WN_KB * 300.0);
  struct wn_xs_set *set = NULL;
  struct swarm s;
  swarm_must(wn_xs_builtin("builtin:argon", "Ar+ / Ar", &set));
  const struct wn_xs_ion_gas gas = {.set = set, .density = n_gas};
  const struct wn_xs_ion_spec spec = {.n_gases = 1,
                                      .gas = &gas,
                                      .temperature = 300.0,
                                      .bins_per_octave = 64,
                                      .e_max_ev = 64.0};
  swarm_open(&s, &spec, 8192, 7, 200.0 * WN_TD * n_gas, 1);
  swarm_run(&s, 10, 40, 100e-9);
  value[DRIFT] = swarm_drift(&s);
  value[ENERGY] = swarm_mean_ev(&s);
  swarm_close(&s);
  wn_xs_free(set);
}

static void between_walls(const struct swarm_mean want[N_NUMBERS], const char *grid,
                          int axis, const char *width, const char *options)
{
  static const char *const name[N_NUMBERS] = {"drift", "mean energy"};
  char text[2048], with[256];
  double sum[N_NUMBERS] = {0}, sum2[N_NUMBERS] = {0}, ended = 0.0;
  /* with WN_FAST=1 it runs, and t0530 has its bits */
  const int seeds = command_fast() ? 1 : SEEDS;
  int runs = 0;
  walls_text(text, sizeof text, grid, axis == 0 ? "x" : "y", width);
  for (int seed = 1; seed <= seeds; seed++) {
    double v[N_NUMBERS];
    snprintf(with, sizeof with, "--seed %d %s", seed, options);
    runs += run(text, with);
    measure(axis, v, &ended);
    for (int k = 0; k < N_NUMBERS; k++)
      sum[k] += v[k], sum2[k] += v[k] * v[k];
  }
  is_int(runs, seeds, "%s: runs", grid);
  ok(ended == 0.0, "%s: no ion reaches a wall", grid);
  for (int k = 0; k < N_NUMBERS && seeds == SEEDS; k++) {
    const double mean = sum[k] / SEEDS,
                 error = sqrt((sum2[k] / SEEDS - mean * mean) / (SEEDS - 1)),
                 both = hypot(STUDENT * error, want[k].error);
    is_near(mean, want[k].value, 4.5 * both, "%s: %.5g, of the swarm %.5g", name[k], mean,
            want[k].value);
    ok(both < 0.02 * mean, "%s is known to 2 %%: %.2g %%", name[k], 100.0 * both / mean);
  }
}

/* ---- births, candidates, charge */

/* A discharge that lives for some steps: enough is ionized, and ions come to the walls. */
static const char discharge[] =
    "model = \"plasma\"; duration = \"1 ns\"; threads = 1; seed = 5;\n"
    "grid = { cells = [24, 12]; length = [\"0.2 mm\", \"0.1 mm\"]; };\n"
    "walls = { x_low = { field = \"dirichlet\"; }; x_high = { field = \"dirichlet\"; "
    "voltage = \"1 kV\"; }; y_low = { field = \"neumann\"; }; y_high = { field = "
    "\"neumann\"; particles = \"absorb\"; }; };\n"
    "tables = { energy_max = \"1 keV\"; };\n"
    "gas = { pressure = \"1 bar\"; components = { Ar = { file = \"builtin:argon\"; "
    "beyond "
    "= \"power\"; }; }; };\n"
    "plasma = { time_step = \"1.5 ps\"; mobility_steps = 2; particles_interval = \"3 "
    "ps\"; "
    "fields_interval = \"3 ps\"; particles_sample = 500; };\n"
    "species = { e = { density = \"2e18 m-3\"; temperature = \"5 eV\"; per_cell = 20; "
    "loading = \"random\"; collisions = \"gas\"; ions = \"i\"; };\n"
    " i = { density = \"1e18 m-3\"; per_cell = 10; charge = 1.0; mass = \"39.948 u\"; "
    "temperature = \"0.5 eV\"; loading = \"random\"; collisions = \"gas\"; }; };\n";

/* In units of e over WN_QUANTA, what the walls took included. */
static wn_i128 charge(const struct wn_sim *s)
{
  wn_i128 sum = 0;
  for (size_t k = 0; k < s->n_species; k++)
    sum += (plasma_on_grid(s, k) + plasma_at_walls(s->species[k])) *
           (s->c->species[k].charge > 0 ? 1 : -1);
  return sum;
}

static int by_id(const void *a, const void *b)
{
  const uint64_t x = ((const struct wn_electron *)a)->id,
                 y = ((const struct wn_electron *)b)->id;
  return x < y ? -1 : x > y;
}

static size_t ids_twice(struct wn_particles *p)
{
  struct wn_electron *e = wn_particles_electrons(p);
  size_t n = 0;
  qsort(e, p->n, sizeof *e, by_id);
  for (size_t i = 1; i < p->n; i++)
    n += e[i].id == e[i - 1].id;
  return n;
}

static void births(void)
{
  enum { STEPS = 30, E = 0, I = 1 };
  struct scene scene;
  int wrong = 0, cold = 0;
  double fresh = 0.0, v2 = 0.0;
  scene_open(&scene, FILE_NAME, discharge, nothing);
  scene_start(&scene, 1.5e-12);
  struct wn_sim *s = scene.sim;
  struct wn_species *ions = s->species[I];
  const struct wn_ion *m = ions->model.data;
  const wn_i128 first = charge(s);
  const long long begin = (long long)ions->p.n;
  double lived = 0.0;
  for (int i = 0; i < STEPS; i++) {
    const size_t before = ions->p.n;
    const wn_i128 walls = plasma_at_walls(ions);
    swarm_must(scene_phase(&scene));
    wrong += charge(s) != first;
    lived += 1.5e-12 * (double)before;
    /* the last of the store were made in this step and have not moved */
    const size_t born =
        ions->p.n - (before - (size_t)((plasma_at_walls(ions) - walls) / WN_QUANTA));
    for (size_t k = ions->p.n - born; k < ions->p.n; k++) {
      const struct wn_electron *e = wn_particles_at(&ions->p, k);
      cold += e->event != 0 || !(e->t_next > 0.0f);
      fresh += 1.0;
      for (int d = 0; d < 3; d++)
        v2 += (double)e->u[d] * (double)e->u[d];
    }
  }
  const struct wn_tally *t = &ions->tally;
  const double candidates = (double)t->n_candidates, expected = lived * m->xs.nu_max,
               kt = v2 / (3.0 * fresh) * m->mass / (WN_KB * 300.0);
  is_int(wrong, 0, "steps after which the charge is not that of the beginning");
  is_int((long long)ions->p.n,
         begin + (long long)s->species[E]->tally.n_births -
             (long long)(plasma_at_walls(ions) / WN_QUANTA),
         "an ion for each birth, but those at the walls");
  ok(fresh > 500.0 && plasma_at_walls(ions) > 0 && plasma_at_walls(s->species[E]) > 0,
     "%.0f ions are made, and walls take some", fresh);
  is_int(cold, 0, "each begins with a flight of its own");
  is_near(kt, 1.0, 4.5 * sqrt(2.0 / (3.0 * fresh)), "they are as warm as the gas");
  is_int((long long)ids_twice(&ions->p), 0, "ions of the same name");
  /* an ion that ends at a wall lived for less than was counted: 1e-3 of all */
  is_near(candidates, expected, 4.5 * sqrt(expected) + 2e-3 * expected,
          "%.0f candidates, at the rate nu_max", candidates);
  ok(expected > 1e4, "which are many");
  is_int((long long)(t->alarms->n_violations + t->alarms->n_beyond), 0, "no alarm");
  scene_close(&scene);
}

/* ---- balances of a run */

enum { ELECTRONS, IONS, N_SPECIES };

/* What kinetic energy gains from row j to k. */
#define GAIN(k, j) ((work[k] - work[j]) - (lost[k] - lost[j]) - (wall[k] - wall[j]))

/* one: real ones of a particle; kelvin: of the gas; walls_took: ions at the least; of_gpu: on one
 * created_energy has 3/2 kT for each.  Numbers
 * are sums of small integers times one weight; energies are those of single
 * precision, 1e-6 of what was turned over.  An ion brings the energy with which it is made, in
 * created_energy, 3/2 kT on average with a spread of sqrt(3/2) kT. */
static void balances(double one, double kelvin, double walls_took, int of_gpu)
{
  size_t n;
  free(read("time", &n));
  double *particles = read("particles", NULL), *taken = read("wall_particles", NULL),
         *born = read("born_particles", NULL), *work = read("field_work", NULL),
         *lost = read("collision_energy", NULL), *wall = read("wall_energy", NULL),
         *kinetic = read("kinetic_energy", NULL), *created = read("created_energy", NULL);
  const double kt = WN_KB * kelvin;
  double brought = 0.0, ended[N_SPECIES] = {0}, off[N_SPECIES] = {0},
         turned[N_SPECIES] = {0};
  const size_t last = n - 1;
  for (int k = 0; k < N_SPECIES; k++)
    for (int side = 0; side < 6; side++)
      ended[k] += taken[6 * (N_SPECIES * last + (size_t)k) + (size_t)side] -
                  taken[6 * (size_t)k + (size_t)side];
  const double n_born = born[N_SPECIES * last] - born[0];
  for (int k = 0; k < N_SPECIES; k++) { /* each by its own column */
    const double of_k = born[N_SPECIES * last + (size_t)k] - born[k];
    is_near((particles[N_SPECIES * last + (size_t)k] - particles[k] - of_k + ended[k]) /
                one,
            0.0, 1e-6, "species %d: born %.0f, to the walls %.0f", k, of_k / one,
            ended[k] / one);
  }
  ok(n_born > 500.0 * one && ended[ELECTRONS] > 10.0 * walls_took * one &&
         ended[IONS] > walls_took * one,
     "all of it happens");
  /* kinetic energies are means of the ends of a step, so the changes are of two */
  for (size_t i = 2; i < n; i++)
    for (size_t k = 0; k < N_SPECIES; k++) {
      const size_t b = N_SPECIES * i + k, a = b - N_SPECIES, c = a - N_SPECIES;
      off[k] += kinetic[b] - kinetic[a] - 0.5 * (GAIN(b, a) + GAIN(a, c));
      turned[k] += fabs(work[b] - work[a]) + fabs(lost[b] - lost[a]);
      brought += k == IONS ? 0.5 * (created[b] - created[c]) : 0.0;
    }
  ok(fabs(off[ELECTRONS]) < 1e-6 * turned[ELECTRONS],
     "energies of electrons balance: off by %.2g of what was turned over",
     off[ELECTRONS] / turned[ELECTRONS]);
  /* those of the first and of the last step count by half */
  const double made = n_born - 0.5 * (born[N_SPECIES] - born[0]) -
                      0.5 * (born[N_SPECIES * last] - born[N_SPECIES * (last - 1)]);
  const double spread = sqrt(1.5 * made / one) * one * kt;
  is_near(off[IONS], 1.5 * kt * made, 4.5 * spread + 1e-6 * turned[IONS],
          "those of ions: 3/2 kT for each that was made, within %.2g of what was turned "
          "over",
          (4.5 * spread + 1e-6 * turned[IONS]) / turned[IONS]);
  const double expected = of_gpu ? 1.5 * kt * made : off[IONS];
  is_near(brought, expected, 1e-6 * turned[IONS], "and what they brought, to %.2g",
          fabs(expected - brought) / turned[IONS]);
  ok(lost[N_SPECIES * last + IONS] != 0.0 && work[N_SPECIES * last + IONS] > 0.0,
     "ions gain from the field and lose in collisions");
  free(particles), free(taken), free(born), free(work), free(lost), free(wall);
  free(kinetic), free(created);
}

/* Ions alone, none of them new: to rounding. */
static void energy_of_ions(void)
{
  char text[2048];
  size_t n;
  walls_text(text, sizeof text, "grid = { cells = [50]; length = \"20 mm\"; };", "x",
             "\"20 mm\"");
  if (!ok(run(text, ""), "ions everywhere between two walls"))
    return;
  double *kinetic = read("kinetic_energy", &n), *work = read("field_work", NULL),
         *lost = read("collision_energy", NULL), *wall = read("wall_energy", NULL);
  double off = 0.0, turned = 0.0;
  for (size_t b = 2; b < n; b++) {
    const size_t a = b - 1, c = a - 1;
    off += kinetic[b] - kinetic[a] - 0.5 * (GAIN(b, a) + GAIN(a, c));
    turned += fabs(work[b] - work[a]) + fabs(lost[b] - lost[a]);
  }
  ok(fabs(off) < 1e-6 * turned && wall[n - 1] > 1e-3 * turned,
     "their energies balance: off by %.2g of what was turned over, walls took %.2g",
     off / turned, wall[n - 1] / turned);
  free(kinetic), free(work), free(lost), free(wall);
}

/* The discharge that is shipped: 8000 steps. */
static int run_shipped(const char *options)
{
  const char *source = getenv("WN_SRCDIR");
  const int status = command(
      "%s run %s/data/scenarios/ccp-argon.cfg --quiet --threads 1 --output " OUT
      " --set 'plasma.integrals_interval=\"step\"' %s", /* the balances add up all steps */
      command_wilson(), source != NULL && *source ? source : ".", options);
  if (status != 0)
    diag("%.800s", command_err);
  return status == 0;
}

/* The same balances where a GPU holds all of them. */
static void on_a_gpu(void)
{
  const char *why;
  if (!gpu_there(&why)) {
    if (gpu_required())
      ok(0, "a GPU: %s", why);
    else
      skip(1, "%s", why);
    return;
  }
  if (ok(run(discharge, "--device cuda --set 'duration=\"60 ps\"'"),
         "the discharge runs on a GPU"))
    balances(2e18 * 0.2e-3 * 0.1e-3 / 24 / 12 / 20, 300.0, 5.0, 1);
  if (ok(run_shipped("--device cuda --set 'duration=\"147.5 ns\"'"),
         "two periods of ccp-argon.cfg on a GPU"))
    balances(7e8, 350.0, 50.0, 1);
}

static void same_bits(void)
{
  static const char *const other[] = {"--device cpu --threads 2",
                                      "--device cpu --threads 3",
                                      "--device cpu --scheduler serial"};
  size_t n = 0;
  const char *const shorter = " --set 'duration=\"30 ps\"'";
  char with[128];
  snprintf(with, sizeof with, "--device cpu --threads 1%s", shorter);
  if (!ok(run(discharge, with) && rename(OUT, "t0745-a.nc") == 0, "a discharge"))
    return;
  for (size_t i = 0; i < sizeof other / sizeof other[0]; i++) {
    snprintf(with, sizeof with, "%s%s", other[i], shorter);
    const int done = run(discharge, with);
    const char *what = command_nc_differs("t0745-a.nc", OUT, &n);
    ok(done && what == NULL && n > 1000, "%s gives the same %zu numbers%s%s", other[i], n,
       what != NULL ? "; differs: " : "", what != NULL ? what : "");
  }
  snprintf(with, sizeof with, "--device cpu --threads 1 --seed 2%s", shorter);
  ok(run(discharge, with) && command_nc_differs("t0745-a.nc", OUT, &n) != NULL,
     "another seed gives other numbers");
  remove("t0745-a.nc");
}

/* ---- the top of the tables */

static void too_fast(void)
{
  command_write(FILE_NAME, discharge);
  const int status = command("%s run " FILE_NAME " --quiet --output " OUT
                             " --set 'tables.ion_energy_max=\"2 eV\"'",
                             command_wilson());
  ok(status != 0 && strstr(command_err, "species i") != NULL &&
         strstr(command_err, "raise tables.ion_energy_max") != NULL,
     "an ion above the top of its tables ends the run: %.300s", command_err);
  remove(FILE_NAME);
}

int main(void)
{
  struct swarm_mean want[N_NUMBERS] = {{0}};
  plan(0);
  same_motion();
  if (!command_fast())
    swarm_200_td(want);
  between_walls(want, "grid = { cells = [50]; length = \"20 mm\"; };", 0, "\"8 mm\"", "");
  between_walls(want, "grid = { cells = [8, 50]; length = [\"3 mm\", \"20 mm\"]; };", 1,
                "[\"none\", \"8 mm\"]",
                "--set species.i.per_cell=12 --set plasma.gather=energy --set "
                "plasma.shape=tsc");
  births();
  if (ok(run(discharge, "--threads 1 --set 'duration=\"60 ps\"'"), "the discharge runs"))
    balances(2e18 * 0.2e-3 * 0.1e-3 / 24 / 12 / 20, 300.0, 5.0, 0);
  if (!command_fast() &&
      ok(run_shipped("--set 'duration=\"147.5 ns\"'"), "two periods of ccp-argon.cfg"))
    balances(7e8, 350.0, 50.0, 0);
  on_a_gpu();
  energy_of_ions();
  same_bits();
  too_fast();
  remove(OUT);
  return done();
}
