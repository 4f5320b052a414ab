/* t0602-diffusion.c - defends: diffusion coefficients of a swarm come from every moment of
 * a block and not from a few samples, in blocks that are as long as they must be.  Where no
 * electron is born or lost flux and bulk coefficients are the same sums, to rounding; forms
 * of coefficients (mu N, N D, D/mu) are what their names say; blocks
 * of four times the length give the same values; and an error of 1 % takes no more
 * candidates than what follows from Brownian motion.
 *
 * That is, for blocks of T of which the first third is waited for: var D_T / D_T^2 = 2 /
 * (ln 3 * blocks) for x and y together and var D_L / D_L^2 = 4 / (ln 3 * blocks), derived
 * here from independent increments of x^2 weighted by 1/t, so 3.6e4 blocks for 1 % of D_L
 * and half of that for D_T; with 21 relaxation times a block, see src/jobs/swarm.c.  Errors
 * from 32 groups scatter by 13 %, their squares by 26 %: twice that number of blocks is 3.9
 * of these.  Before, they were 100 times as many. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "t/tap/command.h"
#include "t/tap/tap.h"

static double value(const char *file, const char *name)
{
  size_t n = 0;
  double *v = command_nc_read(file, name, &n), x = v != NULL && n > 0 ? v[0] : NAN;
  free(v);
  return x;
}

static double error_of(const char *file, const char *name)
{
  char error[128];
  snprintf(error, sizeof error, "%s_error", name);
  return value(file, error);
}

static void run(const char *scenario, const char *out, const char *more)
{
  const char *root = getenv("WN_SRCDIR");
  remove(out);
  if (!is_int(command("%s run %s/data/scenarios/%s --quiet --device cpu --output %s %s",
                      command_wilson(), root != NULL ? root : ".", scenario, out, more),
              0, "%s %s", scenario, more))
    diag("%.800s", command_err);
}

static void same_sums(void)
{
  run("reid-ramp.cfg", "t0602.nc", "--set electrons=500");
  for (int k = 0; k < 2; k++) {
    const char *const names[2][2] = {
        {"diffusion_transverse_flux", "diffusion_transverse_bulk"},
        {"diffusion_longitudinal_flux", "diffusion_longitudinal_bulk"}};
    const double flux = value("t0602.nc", names[k][0]),
                 bulk = value("t0602.nc", names[k][1]);
    is_near(flux / bulk, 1.0, 1e-7, "%s is %s", names[k][0], names[k][1]);
  }
}

static const char *const names[] = {
    "diffusion_transverse_flux", "diffusion_longitudinal_flux",
    "diffusion_transverse_bulk", "diffusion_longitudinal_bulk", "drift_velocity_bulk"};
enum { NAMES = sizeof names / sizeof names[0] };

/* mu N, N D and D/mu of the run before are what their names say; the error of a ratio is not
 * less than what two errors that are not independent may leave, nor more than both. */
static void reduced(void)
{
  static const char *const of[][2] = {{"transverse", "flux"},
                                      {"longitudinal", "flux"},
                                      {"transverse", "bulk"},
                                      {"longitudinal", "bulk"}};
  const double n = value("t0602.nc", "gas_number_density"),
               field = value("t0602.nc", "electric_field");
  for (int k = 0; k < 4; k++) {
    char d_name[64], nd_name[64], w_name[64], mu_name[64], ratio_name[64];
    snprintf(d_name, sizeof d_name, "diffusion_%s_%s", of[k][0], of[k][1]);
    snprintf(nd_name, sizeof nd_name, "diffusion_%s_reduced_%s", of[k][0], of[k][1]);
    snprintf(w_name, sizeof w_name, "drift_velocity_%s", of[k][1]);
    snprintf(mu_name, sizeof mu_name, "mobility_reduced_%s", of[k][1]);
    snprintf(ratio_name, sizeof ratio_name, "characteristic_energy_%s_%s", of[k][0],
             of[k][1]);
    const double d = value("t0602.nc", d_name), w = value("t0602.nc", w_name),
                 de = error_of("t0602.nc", d_name) / d,
                 we = error_of("t0602.nc", w_name) / w,
                 ratio = value("t0602.nc", ratio_name),
                 e = error_of("t0602.nc", ratio_name) / ratio;
    is_near(value("t0602.nc", nd_name) / (n * d), 1.0, 1e-9, "%s", nd_name);
    is_near(value("t0602.nc", mu_name) * field / (n * w), 1.0, 1e-9, "%s", mu_name);
    is_near(ratio * w / (d * field), 1.0, 0.5 * de, "%s", ratio_name);
    ok(e > 0.5 * fabs(de - we) && e < 1.2 * (de + we),
       "its error: %.2g, of D %.2g, W %.2g", e, de, we);
  }
}

/* Ten comparisons at 3.5 standard errors: a false alarm one time in 200, were the seed not
 * fixed. */
static void longer_blocks(void)
{
  char more[256];
  run("swarm-air.cfg", "t0602.nc",
      "--set 'fields=[\"500 Td\"]' --set electrons=1000 --set accuracy=0.005");
  /* every block is of 16 intervals, of 20 candidates at the least */
  reduced();
  const double nu = value("t0602.nc", "maximum_candidate_frequency");
  snprintf(more, sizeof more,
           "--set 'fields=[\"500 Td\"]' --set electrons=1000 --set "
           "'sampling.interval=\"%.6g s\"' --set 'duration=\"%.6g s\"'",
           80.0 / nu, 12.0 * 16.0 * 80.0 / nu);
  run("swarm-air.cfg", "t0602-long.nc", more);
  for (int k = 0; k < NAMES; k++) {
    const double one = value("t0602.nc", names[k]), e1 = error_of("t0602.nc", names[k]),
                 other = value("t0602-long.nc", names[k]),
                 e2 = error_of("t0602-long.nc", names[k]);
    ok(fabs(one - other) < 3.5 * hypot(e1, e2),
       "%s: %.4g +- %.2g, in longer blocks %.4g +- %.2g", names[k], one, e1, other, e2);
  }
}

static void few_candidates(void)
{
  const double electrons = 2000.0;
  run("swarm-air.cfg", "t0602.nc",
      "--set 'fields=[\"200 Td\"]' --set electrons=2000 --set accuracy=0.003");
  const double energy = value("t0602.nc", "mean_energy"),
               field = value("t0602.nc", "electric_field"),
               drift = value("t0602.nc", "drift_velocity_flux"),
               relaxation = (energy - 1.5 * 0.025852) / (field * drift),
               blocks =
                   electrons * value("t0602.nc", "sampling_time") / (21.0 * relaxation);
  for (int k = 0; k < 4; k++) {
    const double relative = error_of("t0602.nc", names[k]) / value("t0602.nc", names[k]),
                 wanted = (k % 2 == 0 ? 2.0 : 4.0) / log(3.0) / (relative * relative);
    diag("%s: %.2g %%, in %.3g blocks, of Brownian motion %.3g", names[k],
         100.0 * relative, blocks, wanted);
    ok(blocks < 2.0 * wanted, "%s: no more than twice the blocks of Brownian motion",
       names[k]);
  }
}

int main(void)
{
  plan(0);
  same_sums();
  longer_blocks();
  few_candidates();
  remove("t0602.nc");
  remove("t0602-long.nc");
  return done();
}
