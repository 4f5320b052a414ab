/* t0604-streamer-gas.c - defends: swarms in data/crosssections/streamer-gas.txt have the coefficients of the comparison
 * of six streamer codes (Bagheri et al., Plasma Sources Sci. Technol. 27, 095002 (2018), not read; from public codes):
 *
 *   drift velocity, of the flux        2.3987 E^0.74
 *   ionization                         (1.1944e6 + 4.3666e26/E^3) exp(-2.73e7/E)
 *   attachment                         340.75 1/m
 *
 * E in V/m, 1 bar, 300 K.  The set was fitted, and is as near as the table in doc/streamers.md says: drift 0.5 %,
 * ionization 2 %, attachment 13 % at these fields.  To that comes what the run does not know, four standard errors of
 * its own: one run of 2000 fails by chance.  builtin:air has 21 and 8 % less ionization at 5 and 8 MV/m, and fails.
 * At 8 MV/m diffusion along the field is that of the comparison, 4.3628e-3 E^0.22, within 10 %; the set was not fitted to it.
 * make-model-gases writes the file that is shipped.
 */
#include <math.h>
#include <stdlib.h>
#include "t/tap/command.h"
#include "t/tap/tap.h"

#define OUT "t0604.nc"

static const double fields[] = {5e6, 8e6, 16e6}; /* V/m */
#define N_FIELDS (sizeof fields / sizeof fields[0])

static const char scenario[] =
    "job = \"swarm\"; fields = [\"5 MV/m\", \"8 MV/m\", \"16 MV/m\"]; electrons = 1500;\n"
    "accuracy = 0.02; seed = 1; threads = 1;\n"
    "gas = { pressure = \"1 bar\"; temperature = \"300 K\";\n"
    "  components = { A = { file = \"streamer-gas.txt\"; beyond = \"power\"; }; }; };\n"
    "scattering = \"isotropic\"; sharing = \"equal\";\n";

static double drift(double e)
{
  return 2.3987 * pow(e, 0.74);
}

static double ionization(double e)
{
  return (1.1944e6 + 4.3666e26 / (e * e * e)) * exp(-2.73e7 / e);
}

/* got is want within part of it and four errors. */
static void agrees(double got, double error, double want, double part, const char *what,
                   double e)
{
  ok(error > 0.0 && fabs(got - want) < part * want + 4.0 * error,
     "%s at %g MV/m: %.4g, %.4g wanted within %g %%; error %.1f %%", what, 1e-6 * e, got,
     want, 100.0 * part, 100.0 * error / want);
}

static void of_field(size_t i)
{
  const double e = fields[i], w = command_nc_at(OUT, "drift_velocity_flux", i);
  agrees(w, command_nc_at(OUT, "drift_velocity_flux_error", i), drift(e), 0.005,
         "drift velocity", e);
  agrees(command_nc_at(OUT, "ionization_frequency", i) / w,
         command_nc_at(OUT, "ionization_frequency_error", i) / w, ionization(e), 0.02,
         "ionization", e);
  agrees(command_nc_at(OUT, "attachment_frequency", i) / w,
         command_nc_at(OUT, "attachment_frequency_error", i) / w, 340.75, 0.13,
         "attachment", e);
}

int main(void)
{
  const char *root = getenv("WN_SRCDIR");
  plan(2 + 3 * N_FIELDS + 1);
  if (root == NULL)
    root = ".";
  is_int(
      command("mkdir -p t0604 && '%s/data/crosssections/make-model-gases' t0604 && cmp "
              "t0604/streamer-gas.txt '%s/data/crosssections/streamer-gas.txt'",
              root, root),
      0, "make-model-gases writes the file that is shipped");
  command("cp t0604/streamer-gas.txt . && rm -r t0604");
  if (is_int(command_run("t0604.cfg", scenario, "", OUT, "--quiet"), 0, "swarms run")) {
    for (size_t i = 0; i < N_FIELDS; i++)
      of_field(i);
    agrees(command_nc_at(OUT, "diffusion_longitudinal_flux", 1),
           command_nc_at(OUT, "diffusion_longitudinal_flux_error", 1),
           4.3628e-3 * pow(fields[1], 0.22), 0.1, "diffusion along the field", fields[1]);
  }
  command("rm -f " OUT " streamer-gas.txt");
  return done();
}
