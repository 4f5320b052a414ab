/* t0758-planar-front.c - defends: a planar negative front of particles in air at 1 bar and 10 MV/m has the speed and
 * leaves the density that follow from the coefficients of the swarms of the same particles, doc/streamers.md:
 *
 *   speed v* = W + 2 sqrt(D nu), with the bulk drift and diffusion and the rate of ionization less attachment of the
 *   swarm, less pi^2 sqrt(D nu)/ln^2 N for the N macroparticles in the leading edge (Brunet and Derrida);
 *   density (eps0/e) times the integral of alpha over the field, of the flux drift.
 *
 * Tolerances.  Speed: 5 %.  Of five seeds the speed scatters by 1.8 % about 1.009 of what is expected here, whose own
 * error is 1.5 % (diffusion and rate as the swarm states them): another seed is beyond once in 30.  With coefficients of
 * the flux the speed would be 9 % less, which is beyond.  Density: particles ionize more than the integral says, by 5 % at
 * this field (doc/streamers.md); 1 to 1.10 are allowed.  It scatters by 0.6 %, the integral by 1 %: beyond once in 1e4.
 *
 * Also: the field ahead is that of the sheet at all times, and charge is conserved with what walls took.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "physics/constants.h"
#include "t/tap/command.h"
#include "t/tap/tap.h"

#define OUT "t0758.nc"
#define GAS                                                                              \
  "gas = { pressure = \"1 bar\"; components = { N2 = { fraction = 0.8; file = "          \
  "\"builtin:air\"; }; O2 = { fraction = 0.2; file = \"builtin:air\"; }; }; };\n"

/* data/scenarios/planar-front.cfg, for a shorter way. */
static const double cell = 0.5e-6, field = 1e7, weight = 1.25e11;
static const char front[] =
    "model = \"plasma\"; duration = \"400.05 ps\"; threads = 1; seed = 3;\n"
    "grid = { cells = 520; length = \"260 um\"; };\n"
    "walls = { x_low = { field = \"neumann\"; particles = \"reflect\"; };\n"
    "  x_high = { field = \"dirichlet\"; particles = \"absorb\"; }; };\n" GAS
    "species = {\n"
    "  electrons = { density = \"1.6e19 m-3\"; macroparticles = 642; temperature = "
    "\"5 eV\"; loading = \"random\"; profile = \"gaussian\"; centre = \"20 um\"; width "
    "= \"2 um\"; collisions = \"gas\"; ions = \"ions\"; anions = \"anions\"; };\n"
    "  ions = { density = \"1.6e19 m-3\"; macroparticles = 642; charge = 1.0; mass = "
    "\"29 u\"; mobile = false; loading = \"random\"; profile = \"gaussian\"; centre = "
    "\"20 um\"; width = \"2 um\"; };\n"
    "  anions = { density = \"0 m-3\"; charge = -1.0; mass = \"32 u\"; mobile = false; "
    "};\n"
    "  sheet = { density = \"5.526349e20 m-3\"; per_cell = 100; charge = -1.0; mass = "
    "\"29 u\"; mobile = false; profile = \"slab\"; centre = \"2 um\"; width = \"1 um\"; "
    "};\n};\n"
    "plasma = { time_step = \"0.1 ps\"; fields_interval = \"5 ps\"; };\n";

static const char swarm[] =
    "job = \"swarm\"; electrons = 1000; accuracy = 0.02; threads = 1; seed = 1;\n"
    "fields = [\"20 kV/cm\", \"30 kV/cm\", \"40 kV/cm\", \"50 kV/cm\", \"60 kV/cm\", "
    "\"80 kV/cm\", \"100 kV/cm\"];\n" GAS;

static double *read(const char *name, size_t *n)
{
  double *v = command_nc_read(OUT, name, n);
  if (v == NULL) {
    printf("Bail out! no %s in " OUT "\n", name);
    exit(1);
  }
  return v;
}

/* What the swarms say of the front: speed without and with the cut-off by single macroparticles, and density. */
struct expected {
  double speed, cut, flux_speed, density;
};

static double ten_of(const char *name)
{
  return command_nc_at(OUT, name, 6);
}

/* (eps0/e) int alpha dE: ln alpha is linear in 1/E between the fields, as known of it; below 2 MV/m there is nothing. */
static double density_behind(void)
{
  size_t n;
  double *e = read("electric_field", &n), *nu = read("ionization_frequency", &n),
         *w = read("drift_velocity_flux", &n), sum = 0.0;
  for (size_t i = 0; i + 1 < n; i++) {
    const int parts = 200;
    const double a = log(nu[i] / w[i]), b = log(nu[i + 1] / w[i + 1]),
                 de = e[i + 1] - e[i];
    for (int k = 0; k < parts; k++) {
      const double x = e[i] + de * (k + 0.5) / parts,
                   part = (1.0 / x - 1.0 / e[i]) / (1.0 / e[i + 1] - 1.0 / e[i]);
      sum += exp(a + (b - a) * part) * de / parts;
    }
  }
  free(e);
  free(nu);
  free(w);
  return WN_EPS0 / WN_E * sum;
}

static struct expected by_swarms(void)
{
  struct expected x;
  const double nu = ten_of("ionization_frequency") - ten_of("attachment_frequency"),
               d = ten_of("diffusion_longitudinal_bulk"),
               w = ten_of("drift_velocity_bulk");
  x.density = density_behind();
  const double ln = log(x.density / sqrt(nu / d) / weight);
  x.speed = w + 2.0 * sqrt(d * nu);
  x.cut = WN_PI * WN_PI * sqrt(d * nu) / (ln * ln);
  x.flux_speed = ten_of("drift_velocity_flux") +
                 2.0 * sqrt(ten_of("diffusion_longitudinal_flux") * nu);
  return x;
}

/* Slope of y over t by least squares, rows [from, to). */
static double slope(const double *t, const double *y, size_t from, size_t to)
{
  double n = (double)(to - from), mt = 0.0, my = 0.0, a = 0.0, b = 0.0;
  for (size_t i = from; i < to; i++) {
    mt += t[i] / n;
    my += y[i] / n;
  }
  for (size_t i = from; i < to; i++) {
    a += (t[i] - mt) * (y[i] - my);
    b += (t[i] - mt) * (t[i] - mt);
  }
  return a / b;
}

/* Speed, its error from four blocks, and the density behind. */
struct seen {
  double speed, error, density, ahead;
};

static struct seen of_particles(void)
{
  size_t n_time, n_x, n;
  double *t = read("map_time", &n_time), *x = read("x", &n_x),
         *e = read("electric_field_x", &n), *ions = read("density_ions", &n),
         *place = malloc(n_time * sizeof *place);
  struct seen s = {0};
  /* The length over which the field is screened: the front moves by its change, whatever is in it. */
  for (size_t i = 0; i < n_time; i++) {
    place[i] = 0.0;
    for (size_t k = 12; k < n_x; k++) /* behind the sheet */
      place[i] += cell * (1.0 - fabs(e[i * n_x + k]) / field);
  }
  const size_t from = n_time * 45 / 100, block = (n_time - from) / 4;
  s.speed = slope(t, place, from, n_time);
  for (size_t b = 0; b < 4; b++) {
    const double v = slope(t, place, from + b * block, from + (b + 1) * block);
    s.error += (v - s.speed) * (v - s.speed) / 12.0;
  }
  s.error = sqrt(s.error);
  /* Between the start, where the front was not yet steady, and where ionization goes on. */
  const size_t low = (size_t)(70e-6 / cell), high = (size_t)(170e-6 / cell);
  for (size_t k = low; k < high; k++)
    s.density += ions[(n_time - 1) * n_x + k] / (double)(high - low);
  for (size_t k = n_x - 20; k < n_x - 1; k++)
    s.ahead = fmax(s.ahead, fabs(fabs(e[k]) / field - 1.0));
  free(t);
  free(x);
  free(e);
  free(ions);
  free(place);
  return s;
}

int main(void)
{
  plan(0);
  if (!is_int(command_run("t0758.cfg", swarm, "", OUT, "--quiet"), 0, "the swarms run")) {
    remove(OUT);
    return done();
  }
  const struct expected x = by_swarms();
  if (!is_int(command_run("t0758.cfg", front, "", OUT, "--quiet"), 0, "the front runs")) {
    remove(OUT);
    return done();
  }
  const struct seen s = of_particles();
  const double v = x.speed - x.cut;
  diag("speed %.4g +- %.1f %%, of swarms %.4g less %.3g; with coefficients of the flux "
       "%.4g",
       s.speed, 100.0 * s.error / s.speed, x.speed, x.cut, x.flux_speed);
  diag("density behind %.4g, of swarms %.4g: %.3f", s.density, x.density,
       s.density / x.density);
  ok(s.ahead < 1e-6, "the field ahead is that of the sheet of charge, to %.1e", s.ahead);
  ok(fabs(s.speed - v) < 0.05 * v, "speed %.4g m/s, %.4g by the swarms", s.speed, v);
  ok(s.error < 0.03 * s.speed, "its own error is %.1f %%", 100.0 * s.error / s.speed);
  ok(x.flux_speed < 0.94 * v,
     "the flux coefficients are another speed, %.4g m/s: the test tells them apart",
     x.flux_speed);
  ok(s.density > x.density && s.density < 1.10 * x.density,
     "density behind %.4g m-3, %.3f of the integral of alpha", s.density,
     s.density / x.density);
  double *charge, *particles;
  size_t n;
  charge = read("total_charge", &n);
  particles = read("wall_charge", &n);
  size_t rows;
  double *time = read("time", &rows);
  ok(fabs(charge[rows - 1] + particles[2 * rows - 1] + WN_EPS0 * field) <
         1e-6 * WN_EPS0 * field,
     "the charge is that of the sheet");
  free(charge);
  free(particles);
  free(time);
  remove(OUT);
  return done();
}
