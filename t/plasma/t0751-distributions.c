/* t0751-distributions.c - defends: the distributions of plasma.distributions.  A Maxwellian of
 * particles without collisions that reaches an absorbing wall has the flux n v/4 with the mean
 * speed v = sqrt(8 kT/(pi m)), the mean energy 2 kT and the angles 2 sin cos; in the middle
 * its energies are the Maxwellian's, with the mean 3/2 kT (elementary kinetic theory).  The
 * parts of a distribution and what is above it are 1; all particles that a side took are
 * counted; phases make up the whole.  Schedulers, ranks, domains and a state saved in a block
 * change no bit.
 *
 * Tolerances: 4.5 standard errors of the run (1e-5 false alarms a check) for single numbers;
 * of chi-square 4.5 standard deviations sqrt(2/bins).  The seed is fixed. */
#include <math.h>
#include <stdlib.h>
#include "base/error.h"
#include "physics/constants.h"
#include "src/diag/diag.h"
#include "t/tap/command.h"
#include "t/tap/ranks.h"
#include "t/tap/scene.h"
#include "t/tap/tap.h"

#define FILE_NAME "t0751.cfg"
#define OUT       "t0751.nc"
#define AGAIN     "t0751-again.nc"
#define BINS      40
#define ANGLES    18

/* kT = 5 eV; so few that they have no field; the walls take 1/50 of them. */
static const char gas_into_walls[] =
    "model = \"plasma\"; duration = \"5 ns\"; seed = 3; threads = 2;\n"
    "grid = { cells = [100]; length = \"10 cm\"; };\n"
    "walls = { x_low = { field = \"dirichlet\"; }; x_high = { field = \"dirichlet\"; }; "
    "};\n"
    "species = { e = { density = \"1 m-3\"; per_cell = 2000; temperature = \"5 eV\";\n"
    "  loading = \"random\"; }; };\n"
    "plasma = { time_step = \"0.1 ns\"; allow = [\"cell-crossing\"];\n"
    "  averages = { all = { start = \"0 ns\"; length = \"5 ns\"; blocks = 50; every = 1; "
    "}; };\n"
    "  distributions = { middle = { energy_max = \"40 eV\"; bins = 40; low = \"4 cm\"; "
    "high = "
    "\"6 cm\"; };\n"
    "    left = { wall = \"x_low\"; energy_max = \"20 eV\"; bins = 40; angles = 18; };\n"
    "    right = { wall = \"x_high\"; angles = 18; };\n"
    "    empty = { high = \"1 mm\"; energy_max = \"1e-6 eV\"; bins = 1; }; }; };\n";

/* With collisions, ions that move in every third step, secondary electrons, and phases. */
static const char discharge[] =
    "model = \"plasma\"; duration = \"60 ps\"; seed = 4; grid = { cells = [16, 8];\n"
    "  length = [\"0.2 mm\", \"0.1 mm\"]; };\n"
    "walls = { x_low = { field = \"dirichlet\"; yield = 0.9; emission_temperature = \"3 "
    "eV\"; };\n"
    "  x_high = { field = \"dirichlet\"; voltage = \"500 V\"; amplitude = \"100 V\";\n"
    "    frequency = \"100 GHz\"; yield = 0.9; emission_temperature = \"3 eV\"; }; };\n"
    "gas = { pressure = \"10 mbar\"; components = { Ar = { file = \"builtin:argon\"; }; "
    "}; "
    "};\n"
    "tables = { energy_max = \"3 keV\"; ion_energy_max = \"50 keV\"; };\n"
    "species = { e = { density = \"1e15 m-3\"; temperature = \"5 eV\"; per_cell = 60;\n"
    "    collisions = \"gas\"; ions = \"i\"; };\n"
    "  i = { density = \"1e15 m-3\"; per_cell = 60; charge = 1.0; mass = \"39.948 u\";\n"
    "    temperature = \"500 eV\"; loading = \"random\"; collisions = \"gas\"; "
    "subcycling = 3; };\n"
    "  p = { density = \"1e15 m-3\"; per_cell = 10; charge = -1.0; mass = \"0.01 u\";\n"
    "    temperature = \"9 eV\"; loading = \"random\"; }; };\n"
    "plasma = { time_step = \"1 ps\"; mobility_steps = 3;\n"
    "  allow = [\"cell-crossing\", \"plasma-frequency\", \"debye-length\"];\n"
    "  averages = { six = { periods = 6; phases = 2; every = 2; moments = false; }; };\n"
    "  distributions = {\n"
    "    eedf = { species = \"e\"; low = [\"0.05 mm\", \"0 m\"]; energy_max = \"50 eV\"; "
    "};\n"
    "    e_right = { species = \"e\"; wall = \"x_high\"; energy_max = \"200 eV\"; angles "
    "= 3; "
    "};\n"
    "    iedf = { species = \"i\"; wall = \"x_low\"; energy_max = \"3 keV\"; angles = 3; "
    "};\n"
    "    fast = { species = \"p\"; wall = \"x_high\"; energy_max = \"500 eV\"; angles = "
    "3; };\n"
    "    slow = { species = \"p\"; energy_max = \"50 eV\"; }; }; };\n";

static int run(const char *text, const char *before, const char *out, const char *options)
{
  return command_run(FILE_NAME, text, before, out, options);
}

static double number(const char *name)
{
  return command_nc_at(OUT, name, 0);
}

static void within(const char *name, double want)
{
  char error[96];
  snprintf(error, sizeof error, "%s_error", name);
  const double e = number(error);
  ok(e > 0.0, "%s has an error", name);
  is_near(number(name), want, 4.5 * e, "%s", name);
}

/* Chi-square per bin of counts, of which n are expected in all, whose parts up to bin i are
 * cdf(i). */
static double chi_square(const char *name, double width, double n, size_t bins,
                         double (*cdf)(size_t i))
{
  double sum = 0.0;
  for (size_t i = 0; i < bins; i++) {
    const double want = n * (cdf(i + 1) - cdf(i)),
                 off = command_nc_at(OUT, name, i) * width * n - want;
    sum += off * off / want;
  }
  return sum / (double)bins;
}

static double by_angle(size_t i)
{
  const double s = sin((double)i * 0.5 * WN_PI / ANGLES);
  return s * s;
}

/* Of the flux: 1 - (1 + x) exp(-x), x = E/kT, 0.5 eV a bin. */
static double of_flux(size_t i)
{
  const double x = (double)i * 0.5 / 5.0;
  return 1.0 - (1.0 + x) * exp(-x);
}

/* Of the particles: erf(sqrt(x)) - 2 sqrt(x/pi) exp(-x), 1 eV a bin. */
static double of_particles(size_t i)
{
  const double x = (double)i / 5.0;
  return erf(sqrt(x)) - 2.0 * sqrt(x / WN_PI) * exp(-x);
}

static void maxwellian(void)
{
  const double v = sqrt(8.0 * 5.0 * WN_E / (WN_PI * WN_ME));
  const double spread = 4.5 * sqrt(2.0 / ANGLES), wide = 4.5 * sqrt(2.0 / BINS);
  is_int(run(gas_into_walls, "", OUT, ""), 0, "a Maxwellian between absorbing walls");
  within("distribution_flux_left", v / 4.0);
  within("distribution_mean_energy_left", 10.0);
  within("distribution_energy_flux_left", v / 4.0 * 10.0 * WN_E);
  const double hits = number("distribution_particles_left");
  is_near(chi_square("angle_distribution_left", 90.0 / ANGLES, hits, ANGLES, by_angle),
          1.0, spread, "angles at the wall, chi-square per bin");
  is_near(chi_square("angle_distribution_right", 90.0 / ANGLES,
                     number("distribution_particles_right"), ANGLES, by_angle),
          1.0, spread, "angles at the other wall, chi-square per bin");
  /* the variance of an energy in a flux is 2 (kT)^2; 50 blocks: chi-square of 49 over 49 is
   * within 0.25 and 2.2 but for 1e-5 */
  const double off = number("distribution_mean_energy_left_error"),
               ratio = off * off * hits / (2.0 * 5.0 * 5.0);
  ok(ratio > 0.25 && ratio < 2.2,
     "square of the error of the mean energy over its own: %g", ratio);
  is_near(chi_square("energy_distribution_left", 0.5, hits, BINS, of_flux), 1.0, wide,
          "energies at the wall, chi-square per bin");
  /* 50 samples, of mostly the same particles: compared with the number in one */
  const double inside = number("distribution_particles_middle") / 50.0;
  ok(inside > 35000.0 && inside < 45000.0, "a fifth of the particles in the middle");
  ok(chi_square("energy_distribution_middle", 1.0, inside, BINS, of_particles) <
         1.0 + wide,
     "energies in the middle, chi-square per bin");
  is_near(number("distribution_mean_energy_middle"), 7.5,
          4.5 * 5.0 * sqrt(1.5) / sqrt(inside), "mean energy in the middle");
  is_near(number("distribution_density_middle"), 1.0, 4.5 / sqrt(inside),
          "density in the middle");
  is_near(command_nc_sum(OUT, "energy_distribution_middle") +
              number("distribution_above_middle"),
          1.0, 1e-12, "energies and what is above are all particles");
  is_near(command_nc_sum(OUT, "energy_distribution_left") * 0.5 +
              number("distribution_above_left"),
          1.0, 1e-12, "the same at the wall");
  is_near(command_nc_sum(OUT, "angle_distribution_left") * 5.0, 1.0, 1e-12, "angles too");
  is_near(command_nc_sum(OUT, "energy_angle_distribution_left") * 5.0 * 0.5,
          1.0 - number("distribution_above_left"), 1e-12, "and both together");
  /* the probability function: of a Maxwellian 2/sqrt(pi) T^(-3/2) exp(-E/T) */
  const double want =
      (of_particles(4) - of_particles(3)) * 1.5 / (pow(4.0, 1.5) - pow(3.0, 1.5));
  is_near(command_nc_at(OUT, "energy_probability_middle", 3), want,
          4.5 * want / sqrt(inside * (of_particles(4) - of_particles(3))),
          "energy probability function from 3 to 4 eV");
  is_near(number("distribution_above_empty"), 1.0, 1e-3,
          "hardly any have next to no energy");
  /* the last row of the totals: species e, side x_low */
  size_t n = 0;
  double *wall = command_nc_read(OUT, "wall_particles", &n);
  ok(wall != NULL && n == 50 * 6, "rows of the totals");
  const double weight = 1.0 * 0.1 / (2000.0 * 100.0);
  is_near(wall != NULL ? wall[49 * 6] / weight : NAN, hits, 1e-6,
          "every particle that the side took is counted");
  is_near(number("distribution_flux_left") * 5e-9 / weight, hits, 1e-6,
          "and the flux is that number");
  free(wall);
}

static void sums_of_phases(void)
{
  static const char *const name[] = {"e_right", "iedf", "fast"};
  for (size_t i = 0; i < 3; i++) {
    char flux[64], phase[64], count[64], counts[64];
    snprintf(flux, sizeof flux, "distribution_flux_%s", name[i]);
    snprintf(phase, sizeof phase, "phase_distribution_flux_%s", name[i]);
    snprintf(count, sizeof count, "distribution_particles_%s", name[i]);
    snprintf(counts, sizeof counts, "phase_distribution_particles_%s", name[i]);
    ok(number(count) > 20, "%s: %g particles", name[i], number(count));
    is_near(command_nc_sum(OUT, counts), number(count), 0.0, "%s: the sum of the phases",
            name[i]);
    is_near(command_nc_sum(OUT, phase) / 2.0, number(flux), 1e-9 * number(flux),
            "%s: the mean of the phases", name[i]);
  }
}

/* The diagnostic by hand; stop: the step after which it is saved and restored, 0: none. */
static void follow(const char *path, size_t stop)
{
  static const char *const nothing[] = {NULL};
  const struct wn_diag_ops *const ops[] = {&wn_diag_nodes, &wn_diag_averages,
                                           &wn_diag_distributions};
  struct scene scene;
  struct wn_output *o = NULL;
  struct wn_diag *d = NULL, *next = NULL;
  struct wn_state st;
  scene_open(&scene, FILE_NAME, discharge, nothing);
  scene_start(&scene, 1e-12);
  WN_ASSERT(wn_output_create(path, &o) == WN_OK);
  for (int i = 0; i < 3; i++)
    WN_ASSERT(ops[i]->define(o, scene.config, NULL) == WN_OK);
  WN_ASSERT(wn_output_end_define(o) == WN_OK);
  for (int i = 0; i < 3; i++)
    WN_ASSERT(ops[i]->begin(o, scene.config, NULL) == WN_OK);
  WN_ASSERT(ops[2]->create(scene.sim, &d) == WN_OK);
  for (size_t i = 1; i <= 60; i++) {
    WN_ASSERT(scene_phase(&scene) == WN_OK);
    WN_ASSERT(ops[2]->sample(d, scene.sim, o) == WN_OK);
    if (i != stop)
      continue;
    wn_state_init(&st);
    WN_ASSERT(ops[2]->state(d, &st) == WN_OK);
    ops[2]->free(d);
    WN_ASSERT(ops[2]->create(scene.sim, &next) == WN_OK);
    d = next;
    wn_state_rewind(&st);
    is_int(ops[2]->state(d, &st), WN_OK, "a state of %zu bytes is restored", st.n);
    wn_state_clear(&st);
  }
  ops[2]->free(d);
  WN_ASSERT(wn_output_close(o) == WN_OK);
  scene_close(&scene);
}

/* 17 steps at a time, by two ranks and by one in turn, of the run in OUT. */
static void slices_by_ranks(void)
{
  int n = 0, status;
  remove(AGAIN ".ckpt"); /* of a test that was killed */
  remove(AGAIN ".part");
  do
    status = run(discharge, n % 2 == 0 ? "mpirun -n 2" : "", AGAIN,
                 "--restart auto --set checkpoint.step_limit=17");
  while (status == 3 && ++n < 9);
  is_int(n, 3, "four slices");
  ranks_same(OUT, AGAIN, "slices by two ranks and by one", status, 0);
}

static void two_domains(void)
{
  static const char *const name[] = {"distribution_particles_left",
                                     "energy_angle_distribution_left",
                                     "energy_distribution_middle"};
  is_int(run(gas_into_walls, "", OUT, ""), 0, "alone");
  is_int(run(gas_into_walls, "mpirun -n 2", AGAIN, "--set divide=domains"), 0,
         "two domains");
  ranks_equal(OUT, AGAIN, sizeof name / sizeof name[0], name);
}

static void same_bits(void)
{
  size_t n = 0;
  is_int(run(discharge, "", OUT, "--scheduler serial"), 0, "a discharge");
  sums_of_phases();
  ranks_same(OUT, AGAIN, "scheduler openmp",
             run(discharge, "", AGAIN, "--scheduler openmp --threads 3"), 0);
  ranks_allow();
  if (command("mpirun -n 2 true") == 0) {
    ranks_same(OUT, AGAIN, "two ranks", run(discharge, "mpirun -n 2", AGAIN, ""), 0);
    slices_by_ranks();
    two_domains();
  } else {
    skip(8, "mpirun starts no processes here");
  }
  follow(OUT, 0);
  follow(AGAIN, 33);
  const char *differs = command_nc_differs(OUT, AGAIN, &n);
  ok(differs == NULL && n > 500, "saved in a block, the same %zu numbers%s%s", n,
     differs ? "; differs: " : "", differs ? differs : "");
  remove(AGAIN);
}

int main(void)
{
  plan(0);
  maxwellian();
  same_bits();
  remove(OUT);
  return done();
}
