/* t0797-photoionization.c - defends: photoionization in plasmas (src/sim/photoionization.c).
 * Each ionization emits efficiency p_q/(p + p_q) photons on average, in one or several
 * mobility steps.  Every photon is absorbed or leaves through a side that takes it, to the
 * last quantum; each absorbed one has left an electron and an ion at one place, with the
 * weight and the energy of the scenario, in all directions; charge is exact.  The part that a
 * gap absorbs, at two pressures, and that beside a plane of electrons are integrals of the
 * model.  Efficiency 0 changes no bit, nor do threads, schedulers, slices and processes.  What
 * cannot be is refused, with the key.
 *
 * Tolerances: 4.5 standard errors of the run (7e-6 false alarms a check); the seeds are
 * fixed. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "physics/photoionization.h"
#include "physics/shape.h"
#include "src/config/photoionization.h"
#include "src/sim/photoionization.h"
#include "src/sim/plasma.h"
#include "src/sim/plasma_points.h"
#include "src/sim/reaction_parts.h"
#include "t/tap/command.h"
#include "t/tap/ranks.h"
#include "t/tap/scene.h"
#include "t/tap/slices.h"
#include "t/tap/tap.h"

#define FILE_NAME "t0797.cfg"
#define OUT       "t0797.nc"
#define AGAIN     "t0797-again.nc"
#define SIGMAS    4.5

enum { E, N2P, O2M, O2P };

/* Electrons of some 100 eV in air, so few real ones that they have no field. */
static const char air[] =
    "model = \"plasma\"; duration = \"1 ns\"; seed = 11; threads = 1;\n"
    "grid = { cells = [4]; length = \"1 mm\"; };\n"
    "gas = { pressure = \"1 bar\"; temperature = \"300 K\"; components = { N2 = { file = "
    "\"builtin:air\"; fraction = 0.8; }; O2 = { file = \"builtin:air\"; fraction = 0.2; "
    "}; "
    "}; };\n"
    "species = { e = { density = \"1 m-3\"; per_cell = 5000; temperature = \"300 eV\"; "
    "loading = \"random\"; collisions = \"gas\"; ions = \"N2p\"; anions = \"O2m\"; };\n"
    "  N2p = { density = \"0 m-3\"; charge = 1.0; mass = \"28 u\"; mobile = false; };\n"
    "  O2m = { density = \"0 m-3\"; charge = -1.0; mass = \"32 u\"; mobile = false; };\n"
    "  O2p = { density = \"0 m-3\"; charge = 1.0; mass = \"32 u\"; mobile = false; }; "
    "};\n"
    "plasma = { time_step = \"0.1 ps\"; background = true; allow = [\"cell-crossing\"];\n"
    "  photoionization = { ions = \"O2p\"; efficiency = 10.0; }; };\n";

#define WALLS(low, high)                                                                 \
  "walls={x_low={particles=\"" low "\"; field=\"neumann\";}; x_high={particles=\"" high  \
  "\"; field=\"neumann\";};}"

static size_t number(const struct scene *s, size_t k)
{
  return s->sim->species[k]->p.n;
}

static void start(struct scene *s, const char *const *set, double dt)
{
  scene_open(s, FILE_NAME, air, set);
  scene_start(s, dt);
}

static wn_i128 quanta_of(const struct scene *s, size_t k)
{
  wn_i128 sum = 0;
  for (size_t i = 0; i < s->sim->species[k]->p.n; i++) {
    struct wn_reacting one;
    wn_reacting_load(s->sim->species[k], i, &one);
    sum += wn_quanta(one.w);
  }
  return sum;
}

/* ---- numbers */

static void numbers(const char *what, const char *const *set, double yield)
{
  struct scene s;
  start(&s, set, 0.1e-12);
  is_close(wn_photoionization_yield(s.config), yield, 1e-12, "%s: the mean", what);
  for (int step = 0; step < 8; step++)
    WN_ASSERT(scene_phase(&s) == WN_OK);
  const double n = (double)number(&s, N2P), part = yield - floor(yield),
               photons = (double)wn_photoionization_sums(s.sim).emitted / WN_QUANTA;
  ok(n > 20000.0, "%s: %g ionizations", what, n);
  is_near(photons / n, yield, SIGMAS * sqrt(part * (1.0 - part) / n),
          "%s: photons per ionization", what);
  scene_close(&s);
}

static void all_numbers(void)
{
  static const char
      *const one[] = {NULL},
             *const thin[] = {"gas.pressure=\"0.4 bar\"",
                              "plasma.photoionization.quenching_pressure=\"0.1 bar\"",
                              "species.e.per_cell=10000", NULL},
             *const several[] = {"plasma.mobility_steps=3",
                                 "plasma.photoionization.efficiency=0.5", NULL},
             *const light[] = {"plasma.photoionization.efficiency=1.0",
                               "plasma.photoionization.weight=0.125",
                               "grid.cells=[4,3]",
                               "grid.length=[\"1 mm\",\"1 mm\"]",
                               "species.e.per_cell=1500",
                               NULL};
  numbers("air", one, 10.0 * 0.04 / 1.04);
  numbers("at another pressure", thin, 2.0);
  numbers("three mobility steps", several, 0.5 * 0.04 / 1.04);
  struct scene s;
  /* lighter pairs: their weight adds up to the same mean; each number is the one below or above
   * the mean over the weight */
  start(&s, light, 0.1e-12);
  for (int step = 0; step < 8; step++)
    WN_ASSERT(scene_phase(&s) == WN_OK);
  const double n = (double)number(&s, N2P), mean = 0.04 / 1.04, part = 8.0 * mean,
               photons = (double)wn_photoionization_sums(s.sim).emitted / WN_QUANTA;
  is_near(photons / n, mean, SIGMAS * sqrt(part * (1.0 - part) / n) / 8.0,
          "an eighth of the weight: photons per ionization");
  scene_close(&s);
}

/* ---- what is absorbed between two walls, of photons from everywhere in the gap */

static double gap(const struct wn_photon_gas *g, double length)
{
  enum { PARTS = 20000 };
  const double a = 1e-12, step = log(1.0 / a) / PARTS;
  double sum = 0.0;
  for (int i = 0; i <= PARTS; i++) {
    const double r = a * exp(i * step),
                 stays = r < length ? 1.0 - 0.5 * r / length : 0.5 * length / r;
    sum += (i == 0 || i == PARTS ? 1.0
            : i % 2              ? 4.0
                                 : 2.0) *
           (exp(-g->chi_min * r) - exp(-g->chi_max * r)) / g->log_ratio * stays;
  }
  return sum * step / 3.0;
}

static void absorption(const char *what, const char *pressure, const char *length,
                       double bar)
{
  char p[64], l[64];
  snprintf(p, sizeof p, "gas.pressure=\"%s\"", pressure);
  snprintf(l, sizeof l, "grid.length=\"%s\"", length);
  const char *const set[] = {p,
                             l,
                             WALLS("absorb", "absorb"),
                             "species.e.per_cell=100000",
                             "plasma.photoionization.efficiency=1.0",
                             "plasma.photoionization.quenching_pressure=\"1e12 Pa\"",
                             NULL};
  struct scene s;
  start(&s, set, 0.02e-12 / bar); /* electrons move 1/2000 of the gap */
  WN_ASSERT(scene_phase(&s) == WN_OK);
  const struct wn_photon_gas g = wn_photoionization_gas(s.config);
  const struct wn_photon_sums sums = wn_photoionization_sums(s.sim);
  is_close(g.chi_min, 0.2 * bar * 0.035 * 100.0 * 750.0616827, 1e-9, "%s: absorption",
           what);
  const double n = (double)sums.emitted / WN_QUANTA, mean = gap(&g, 1e-3 / bar),
               error = SIGMAS * sqrt(mean * (1.0 - mean) / n), half = 0.5 * (1.0 - mean);
  is_near((double)sums.absorbed / WN_QUANTA / n, mean, error, "%s: absorbed of %g", what,
          n);
  for (int side = 0; side < 2; side++)
    is_near((double)sums.left[side] / WN_QUANTA / n, half,
            SIGMAS * sqrt(half * (1.0 - half) / n), "%s: through side %d", what, side);
  scene_close(&s);
}

/* Of photons from a plane, the part absorbed within a distance of it on both sides: the mean over
 * the direction of F. */
static double beside_plane(const struct wn_photon_gas *g, double distance)
{
  enum { PARTS = 20000 };
  const double a = 1e-12, step = log(1.0 / a) / PARTS;
  double sum = 0.0;
  for (int i = 0; i <= PARTS; i++) {
    const double r = a * exp(i * step);
    sum += (i == 0 || i == PARTS ? 1.0
            : i % 2              ? 4.0
                                 : 2.0) *
           (exp(-g->chi_min * r) - exp(-g->chi_max * r)) / g->log_ratio *
           fmin(1.0, distance / r);
  }
  return sum * step / 3.0;
}

/* Electrons in a plane in the middle of the gap, which move 1/2000 of it. */
static void places_of_ions(void)
{
  static const double distance[] = {0.03e-3, 0.1e-3, 0.3e-3};
  static const char *const set[] = {
      WALLS("absorb", "absorb"),
      "species.e.profile=\"slab\"",
      "species.e.centre=[\"0.5 mm\"]",
      "species.e.width=[\"1 um\"]",
      "species.e.per_cell=0",
      "species.e.macroparticles=400000",
      "plasma.photoionization.efficiency=1.0",
      "plasma.photoionization.quenching_pressure=\"1e12 Pa\"",
      NULL};
  struct scene s;
  start(&s, set, 0.02e-12);
  WN_ASSERT(scene_phase(&s) == WN_OK);
  const struct wn_points *m = wn_plasma_points(s.sim->species[E]);
  const struct wn_photon_gas g = wn_photoionization_gas(s.config);
  const double n = (double)wn_photoionization_sums(s.sim).emitted / WN_QUANTA;
  double low = 0.0;
  for (size_t k = 0; k < sizeof distance / sizeof distance[0]; k++) {
    double within = 0.0;
    for (size_t i = 0; i < number(&s, O2P); i++) {
      struct wn_reacting one;
      wn_reacting_load(s.sim->species[O2P], i, &one);
      const double x = 1e-3 * ((double)one.at[0] / m->end[0] - 0.5);
      within += fabs(x) < distance[k];
      low += k == 0 && x < 0.0;
    }
    const double p = beside_plane(&g, distance[k]);
    is_near(within / n, p, SIGMAS * sqrt(p * (1.0 - p) / n),
            "ions within %g m of the plane, of %g photons", distance[k], n);
  }
  is_near(low / (double)number(&s, O2P), 0.5,
          SIGMAS * sqrt(0.25 / (double)number(&s, O2P)), "on both sides of it");
  scene_close(&s);
}

/* ---- pairs */

#define RZ                                                                               \
  "grid.geometry=\"r-z\"", "grid.cells=[4,3]", "grid.length=[\"1 mm\",\"1 mm\"]",        \
      "species.e.per_cell=1500"

static const struct {
  const char *name;
  int dim;
  unsigned taken; /* bits of the sides that take photons */
  const char *set[8];
} scenes[] = {
    {"periodic", 1, 0, {NULL}},
    {"walls", 1, 3, {WALLS("absorb", "absorb"), NULL}},
    {"mirrors", 1, 0, {WALLS("reflect", "reflect"), NULL}},
    {"a mirror and a wall", 1, 2, {WALLS("reflect", "absorb"), NULL}},
    {"two dimensions",
     2,
     3,
     {"grid.cells=[4,3]", "grid.length=[\"1 mm\",\"0.5 mm\"]", "species.e.per_cell=1500",
      WALLS("absorb", "absorb"), NULL}},
    {"light pairs",
     2,
     1,
     {"grid.cells=[4,3]", "grid.length=[\"1 mm\",\"0.5 mm\"]", "species.e.per_cell=1500",
      WALLS("absorb", "reflect"), "plasma.photoionization.weight=0.1", NULL}},
    {"three dimensions, ions with collisions",
     3,
     3,
     {"grid.cells=[2,2,3]", "grid.length=[\"0.3 mm\",\"0.3 mm\",\"1 mm\"]",
      "species.e.per_cell=1500", WALLS("absorb", "absorb"),
      "species.O2p={density=\"0 m-3\"; charge=1.0; mass=\"32 u\";}", NULL}},
    /* sides 1, 2, 3: around the axis, low and high along it; the axis is none */
    {"r-z, walls",
     2,
     14,
     {RZ,
      "walls={x_high={particles=\"absorb\"; field=\"neumann\";}; "
      "y_low={particles=\"absorb\"; field=\"neumann\";}; "
      "y_high={particles=\"absorb\"; field=\"neumann\";};}",
      NULL}},
    {"r-z, open around, light pairs",
     2,
     2,
     {RZ, "walls={x_high={field=\"open\";};}", "plasma.photoionization.weight=0.1",
      NULL}},
    {"r-z, a mirror around, ions with collisions",
     2,
     8,
     {RZ,
      "walls={x_high={particles=\"reflect\"; field=\"neumann\";}; "
      "y_low={particles=\"reflect\"; field=\"neumann\";}; "
      "y_high={particles=\"absorb\"; field=\"neumann\";};}",
      "species.O2p={density=\"0 m-3\"; charge=1.0; mass=\"32 u\";}", NULL}},
};

struct place {
  int32_t at[3];
  float w;
};

static int by_place(const void *a, const void *b)
{
  return memcmp(a, b, sizeof(struct place));
}

/* Particles of species k from place `first` of the store on; of electrons those that have the
 * energy of the scenario and have not flown. */
static size_t places(const struct scene *s, size_t k, size_t first, struct place *out,
                     double mean[3], double square[3])
{
  const struct wn_species *of = s->sim->species[k];
  size_t n = 0;
  for (size_t i = first; i < of->p.n; i++) {
    struct wn_reacting one;
    wn_reacting_load(of, i, &one);
    if (k == E) {
      const struct wn_electron *e = wn_particles_at(&of->p, i);
      const double ev = wn_reacting_energy_ev(of, one.u);
      if (fabs(ev / 0.3 - 1.0) > 1e-6 || e->event != 0)
        continue;
      for (int d = 0; d < 3; d++) {
        const double u = (double)one.u[d] / sqrt(2.0 * 0.3 * WN_E / WN_ME);
        mean[d] += u;
        square[d] += u * u;
      }
    }
    memset(&out[n], 0, sizeof out[n]);
    memcpy(out[n].at, one.at, sizeof out[n].at);
    out[n++].w = one.w;
  }
  qsort(out, n, sizeof *out, by_place);
  return n;
}

static void pairs(size_t i)
{
  struct scene s;
  enum { MOST = 200000 };
  static struct place electron[MOST], ion[MOST];
  double mean[3] = {0.0}, square[3] = {0.0}, all = 0.0;
  int wrong = 0, apart = 0, charge = 0;
  start(&s, scenes[i].set, 0.1e-12);
  const wn_i128 before = quanta_of(&s, E);
  const float w = s.config->plasma.photoionization.weight == WN_AUTO
                      ? 1.0f
                      : 104858.0f / WN_QUANTA; /* the nearest to 0.1 */
  for (int step = 0; step < 5; step++) {
    const size_t first = number(&s, O2P);
    WN_ASSERT(scene_phase(&s) == WN_OK);
    const struct wn_photon_sums sums = wn_photoionization_sums(s.sim);
    wn_i128 left = 0, walls = 0;
    for (int side = 0; side < WN_SIDES; side++) {
      left += sums.left[side];
      wrong += (sums.left[side] > 0) != (int)(scenes[i].taken >> side & 1u);
    }
    for (int side = 0; side < 2 * scenes[i].dim; side++)
      walls += s.sim->species[E]->tally.surface[side].quanta;
    wrong += sums.emitted != sums.absorbed + left || sums.absorbed <= 0;
    wrong += quanta_of(&s, O2P) != sums.absorbed;
    charge += quanta_of(&s, E) + walls + quanta_of(&s, O2M) - quanta_of(&s, N2P) -
                  quanta_of(&s, O2P) !=
              before;
    const size_t n = places(&s, O2P, first, ion, NULL, NULL),
                 m = places(&s, E, 0, electron, mean, square);
    apart += n != m || n == 0 || memcmp(ion, electron, n * sizeof *ion) != 0;
    for (size_t j = 0; j < n; j++)
      apart += ion[j].w != w;
    all += (double)m;
  }
  is_int(wrong, 0, "%s: steps in which photons are lost", scenes[i].name);
  is_int(charge, 0, "%s: steps in which charge is not conserved", scenes[i].name);
  is_int(apart, 0, "%s: steps in which an electron is not at the place of its ion",
         scenes[i].name);
  for (int d = 0; d < 3; d++) {
    is_near(mean[d] / all, 0.0, SIGMAS * sqrt(1.0 / 3.0 / all),
            "%s: direction along %c of %g electrons", scenes[i].name, "xyz"[d], all);
    is_near(square[d] / all, 1.0 / 3.0, SIGMAS * sqrt(4.0 / 45.0 / all),
            "%s: and its square", scenes[i].name);
  }
  scene_close(&s);
}

/* Ions have the velocities of the gas: 1/2 kT along each axis. */
static void ions(void)
{
  static const char *const set[] = {"grid.cells=[4,3]", "grid.length=[\"1 mm\",\"1 mm\"]",
                                    "species.O2p.mobile=true", "species.e.per_cell=3000",
                                    NULL};
  struct scene s;
  double square = 0.0;
  start(&s, set, 0.1e-12);
  for (int step = 0; step < 5; step++)
    WN_ASSERT(scene_phase(&s) == WN_OK);
  const double n = (double)number(&s, O2P), kt = WN_KB * 300.0 / WN_E;
  for (size_t i = 0; i < number(&s, O2P); i++) {
    struct wn_reacting one;
    wn_reacting_load(s.sim->species[O2P], i, &one);
    square += wn_reacting_energy_ev(s.sim->species[O2P], one.u) / n;
  }
  is_near(square / kt, 1.5, SIGMAS * sqrt(1.5 / n), "energy of %g ions over kT", n);
  scene_close(&s);
}

/* ---- runs of the program */

static const char gap_of_air[] =
    "model = \"plasma\"; duration = \"6 ps\"; seed = 5; threads = 1;\n"
    "grid = { cells = [16, 8]; length = [\"0.6 mm\", \"0.3 mm\"]; };\n"
    "walls = { x_low = { field = \"dirichlet\"; }; x_high = { field = \"dirichlet\"; "
    "voltage = \"4 kV\"; }; };\n"
    "gas = { pressure = \"1 bar\"; temperature = \"300 K\"; components = { N2 = { file = "
    "\"builtin:air\"; fraction = 0.8; }; O2 = { file = \"builtin:air\"; fraction = 0.2; "
    "}; "
    "}; };\n"
    "species = { e = { density = \"1e15 m-3\"; temperature = \"100 eV\"; per_cell = 20;\n"
    "    collisions = \"gas\"; ions = \"N2p\"; anions = \"O2m\"; };\n"
    "  N2p = { density = \"0 m-3\"; charge = 1.0; mass = \"28 u\"; };\n"
    "  O2m = { density = \"0 m-3\"; charge = -1.0; mass = \"32 u\"; };\n"
    "  O2p = { density = \"0 m-3\"; charge = 1.0; mass = \"32 u\"; }; };\n"
    "plasma = { time_step = \"0.1 ps\"; integrals_interval = \"step\"; allow = "
    "[\"cell-crossing\", \"debye-length\"];\n"
    "  photoionization = { ions = \"O2p\"; efficiency = 2.0; weight = 0.25; energy = \"2 "
    "eV\"; }; };\n";

static int run(const char *before, const char *out, const char *options)
{
  return command_run(FILE_NAME, gap_of_air, before, out, options);
}

static void ledger(void)
{
  is_int(run("", OUT, ""), 0, "a run");
  const double photons = command_nc_last(OUT, "photons", 1, 0),
               absorbed = command_nc_last(OUT, "photons_absorbed", 1, 0);
  double left = 0.0;
  for (size_t i = 0; i < 6; i++)
    left += command_nc_last(OUT, "photons_left", 6, i);
  ok(absorbed > 0.1 * photons && left > 0.1 * photons, "%.4g photons, %.4g absorbed",
     photons, absorbed);
  is_close(absorbed + left, photons, 1e-13, "none is lost");
  is_close(command_nc_last(OUT, "particles", 4, O2P), absorbed, 1e-13,
           "each leaves an ion");
  is_close(command_nc_last(OUT, "born_particles", 4, O2P), absorbed, 1e-13,
           "that counts as born");
  /* the ions of the other species are those of ionizations */
  is_close(command_nc_last(OUT, "born_particles", 4, E),
           command_nc_last(OUT, "born_particles", 4, N2P) + absorbed, 1e-13,
           "and electrons of both");
  /* of ionization electrons get none that is created: all is of photons */
  is_close(command_nc_last(OUT, "created_energy", 4, E), absorbed * 2.0 * WN_E, 1e-5,
           "the energy of the new electrons");
  const double walls = command_nc_last(OUT, "wall_particles", 24, 0) +
                       command_nc_last(OUT, "wall_particles", 24, 1);
  is_close(command_nc_last(OUT, "particles", 4, E),
           1e15 * 0.6e-3 * 0.3e-3 + command_nc_last(OUT, "born_particles", 4, E) -
               command_nc_last(OUT, "attached_particles", 4, E) - walls,
           1e-9, "electrons are those at the start and born, less attached and taken");
}

static void bits(void)
{
  static const char *const options[] = {"--threads 3", "--threads 1"};
  ranks_same(OUT, AGAIN, "three threads", run("", AGAIN, "--threads 3"), 0);
  ranks_same(OUT, AGAIN, "scheduler serial", run("", AGAIN, "--scheduler serial"), 0);
  command_write(FILE_NAME, gap_of_air);
  slices_are("slices", FILE_NAME, AGAIN, OUT, 23, 2, 2, options);
  remove(FILE_NAME);
}

static void several_processes(void)
{
  static const char *const name[] = {"photons", "photons_absorbed", "photons_left",
                                     "particles"};
  static const char few[] = "--set 'species.e.density=\"1e10 m-3\"'";
  ranks_allow();
  if (command("mpirun -n 2 true") != 0) {
    skip(7, "mpirun starts no processes here");
    return;
  }
  ranks_same(OUT, AGAIN, "two processes", run("mpirun -n 2", AGAIN, ""), 0);
  ranks_same(OUT, AGAIN, "three processes", run("mpirun -n 3", AGAIN, ""), 0);
  is_int(run("", OUT, few), 0, "few electrons alone");
  char domains[sizeof few + 32];
  snprintf(domains, sizeof domains, "%s --set divide=domains", few);
  is_int(run("mpirun -n 2", AGAIN, domains), 0, "two domains");
  ranks_equal(OUT, AGAIN, sizeof name / sizeof name[0], name);
}

/* Efficiency 0: the plasma is that without photoionization. */
static void none(void)
{
  static const char *const name[] = {"particles", "kinetic_energy", "field_energy"};
  static const char fixed[] = "--set species.O2p.mobile=false";
  char options[200];
  snprintf(options, sizeof options, "%s --set plasma.photoionization.efficiency=0",
           fixed);
  is_int(run("", OUT, options), 0, "efficiency 0");
  is_near(command_nc_last(OUT, "photons", 1, 0), 0.0, 0.0, "no photons");
  snprintf(options, sizeof options, "%s --set 'plasma.photoionization={}'", fixed);
  is_int(run("", AGAIN, options), 0, "without photoionization");
  ok(isnan(command_nc_at(AGAIN, "photons", 0)), "which has no photons in its file");
  for (size_t i = 0; i < 3; i++)
    ok(command_nc_sum(OUT, name[i]) == command_nc_sum(AGAIN, name[i]), "the same %s",
       name[i]);
  remove(AGAIN);
}

static void refusals(void)
{
  static const struct {
    const char *set, *says;
  } of[] = {
      {"gas.components.O2.fraction=0 --set gas.components.N2.fraction=1",
       "key `plasma.photoionization.ions` = \"O2p\": the gas has no component O2"},
      {"'plasma.photoionization.ions=\"O2x\"'",
       "plasma.photoionization.ions=\"O2x\": there is no species of this name"},
      {"'plasma.photoionization.ions=\"O2m\"'",
       "that species has a charge of -1; 1 is needed to conserve charge"},
      {"'plasma.photoionization.ions=\"\"'",
       "has no effect without plasma.photoionization.ions"},
      {"'plasma.photoionization.electrons=\"N2p\"'",
       "plasma.photoionization.electrons=\"N2p\": allowed: a species of electrons with "
       "collisions"},
      {"plasma.photoionization.efficiency=-0.1", "plasma.photoionization.efficiency"},
      {"'plasma.photoionization.quenching_pressure=\"0 Pa\"'",
       "plasma.photoionization.quenching_pressure"},
      {"'plasma.photoionization.oxygen_pressure=\"0 Pa\"'",
       "plasma.photoionization.oxygen_pressure"},
      {"'plasma.photoionization.chi_min=\"2 cm-1 Torr-1\"'",
       "1.50012337 m-1 Pa-1 is not below plasma.photoionization.chi_max"},
      {"'plasma.photoionization.chi_max=\"2 cm-1\"'", "m-1 Pa-1, cm-1 Torr-1, m-1 bar-1"},
      {"plasma.photoionization.weight=2", "plasma.photoionization.weight"},
      {"'grid={cells=[8]; length=\"1 mm\";}'",
       "ions without collisions have no weight of their own in one dimension"},
      {"'reactions.r={reactants=[\"e\",\"O2p\"]; rate_constant=\"1e-13 m3/s\";}'",
       "key `plasma.photoionization.weight` = 0.25: reactions.r is of two particles"},
      {"'species.O2p={density=\"1e15 m-3\"; per_cell=7; charge=1.0; mass=\"32 u\";}'",
       "a macroparticle of that species stands for"},
      {"'species.e.collisions=\"none\"'", "no species collides with the gas"},
  };
  for (size_t i = 0; i < sizeof of / sizeof of[0]; i++) {
    command_write(FILE_NAME, gap_of_air);
    is_int(command("%s check " FILE_NAME " --set %s", command_wilson(), of[i].set), 2,
           "refused: %s", of[i].set);
    ok(strstr(command_err, of[i].says) != NULL, "says `%s`: %.400s", of[i].says,
       command_err);
  }
  is_int(command("%s check " FILE_NAME " --set %s --set %s", command_wilson(), of[0].set,
                 "'plasma.photoionization.oxygen_pressure=\"20 kPa\"'"),
         0, "a gas without O2 may have its pressure given: %.300s", command_err);
  is_int(command("%s check " FILE_NAME, command_wilson()), 0, "check");
  ok(strstr(command_out, "0.07692 photons per ionization, absorbed by 2e+04 Pa of O2 "
                         "within 0.0004626 m on average") != NULL,
     "says numbers and lengths");
  remove(FILE_NAME);
}

int main(void)
{
  plan(0);
  all_numbers();
  absorption("1 bar", "1 bar", "1 mm", 1.0);
  absorption("0.1 bar", "0.1 bar", "1 cm", 0.1);
  places_of_ions();
  for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; i++)
    pairs(i);
  ions();
  ledger();
  bits();
  several_processes();
  none();
  refusals();
  remove(OUT);
  return done();
}
