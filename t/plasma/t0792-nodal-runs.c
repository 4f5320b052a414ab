/* t0792-nodal-runs.c - defends runs with plasma.field = "nodes": serial and openmp write the same bits,
 * by each mover; the field of a file gives the bits of the same field by a formula; maps have E, B and
 * the densities of the particles: of a sheet with weights or with numbers by its profile, and of
 * weights from a file; energy is kept in B alone, and grows by q E x; particle files with weights that are
 * none are refused.  Reference: the formulas; integrals by hand. */
#include <math.h>
#include <netcdf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "t/tap/command.h"
#include "t/tap/runs.h"
#include "t/tap/tap.h"

#define FILE_NAME "t0792.cfg"
#define FIELD     "t0792-field.nc"
#define PARTICLES "t0792-particles.nc"
#define OUT       "t0792.nc"
#define AGAIN     "t0792-again.nc"

static void must(int status)
{
  if (status != NC_NOERR) {
    diag("%s", nc_strerror(status));
    abort();
  }
}

static void same(const char *what)
{
  size_t n = 0;
  const char *differs = command_nc_differs(OUT, AGAIN, &n);
  ok(differs == NULL && n > 1000, "%s: the same %zu numbers%s%s", what, n,
     differs ? "; differs: " : "", differs ? differs : "");
  remove(AGAIN);
}

static void schedulers(const char *more)
{
  char options[300];
  snprintf(options, sizeof options, "--quiet --scheduler serial %s", more);
  is_int(command_run(FILE_NAME, RUN_NODES, "", OUT, options), 0, "serial %s", more);
  for (int threads = 1; threads <= 3; threads += 2) {
    snprintf(options, sizeof options, "--quiet --scheduler openmp --threads %d %s",
             threads, more);
    is_int(command_run(FILE_NAME, RUN_NODES, "", AGAIN, options), 0, "openmp, %d",
           threads);
    same("serial and openmp");
  }
  const double took = command_nc_sum(OUT, "wall_particles");
  ok(took > 0.0, "and the wall took some");
  remove(OUT);
}

/* ---- E and B of a file */

#define UNIFORM                                                                          \
  "model = \"plasma\"; duration = \"40 ps\"; grid = { cells = [16, 8];\n"                \
  "  length = [\"0.2 mm\", \"0.1 mm\"]; };\n"                                            \
  "walls = { y_low = { field = \"neumann\"; }; y_high = { field = \"neumann\"; }; };\n"  \
  "species = { e = { density = \"1e15 m-3\"; temperature = \"5 eV\"; per_cell = 40;\n"   \
  "  loading = \"random\"; }; };\n"                                                      \
  "plasma = { time_step = \"1 ps\"; field = \"nodes\"; fields_interval = \"39 ps\";\n"   \
  "  allow = [\"cell-crossing\"]; };\n"

static const double given[6] = {1e5, -2e5, 3e4, 0.25, -0.125, 0.5};

static void write_field(void)
{
  static const char *const names[6] = {"electric_field_x", "electric_field_y",
                                       "electric_field_z", "magnetic_field_x",
                                       "magnetic_field_y", "magnetic_field_z"};
  double v[17 * 9];
  int nc, dims[2], var[6];
  must(nc_create(FIELD, NC_CLOBBER, &nc));
  must(nc_def_dim(nc, "y", 9, &dims[0]));
  must(nc_def_dim(nc, "x", 17, &dims[1]));
  for (int c = 0; c < 6; c++) {
    must(nc_def_var(nc, names[c], NC_DOUBLE, 2, dims, &var[c]));
    must(nc_put_att_text(nc, var[c], "units", c < 3 ? 3 : 1, c < 3 ? "V/m" : "T"));
  }
  must(nc_enddef(nc));
  for (int c = 0; c < 6; c++) {
    for (int i = 0; i < 17 * 9; i++)
      v[i] = given[c];
    must(nc_put_var_double(nc, var[c], v));
  }
  must(nc_close(nc));
}

static void from_file(void)
{
  static const char *const names[6] = {"electric_field_x", "electric_field_y",
                                       "electric_field_z", "magnetic_field_x",
                                       "magnetic_field_y", "magnetic_field_z"};
  write_field();
  is_int(command_run(FILE_NAME, UNIFORM, "", OUT,
                     "--quiet --set 'plasma.nodes.electric_field=[\"1e5 V/m\",\"-2e5 "
                     "V/m\",\"3e4 V/m\"]' --set 'plasma.magnetic_field=[\"0.25 "
                     "T\",\"-0.125 T\",\"0.5 T\"]'"),
         0, "E and B by a formula");
  is_int(command_run(FILE_NAME, UNIFORM, "", AGAIN,
                     "--quiet --set plasma.nodes.file=" FIELD),
         0, "E and B by a file");
  same("formula and file");
  is_int(command_run(FILE_NAME, UNIFORM, "", AGAIN,
                     "--quiet --set plasma.nodes.between_times=linear --set "
                     "plasma.nodes.file=" OUT),
         0, "E and B by the maps of a result");
  same("formula and a result");
  for (int c = 0; c < 6; c++)
    is_close(command_nc_sum(OUT, names[c]) / (2 * 17 * 9), given[c], 1e-7,
             "%s is in the maps", names[c]);
  command_write(FILE_NAME, UNIFORM);
  const int status =
      command("%s run " FILE_NAME " --quiet --output " AGAIN
              " --set 'grid.cells=[16, 10]' --set plasma.nodes.file=" FIELD,
              command_wilson());
  ok(status == 2 && strstr(command_err, FIELD ": `electric_field_x` has 9 x 17 nodes; "
                                              "expected: 11 x 17") != NULL,
     "a file of another grid ends the run");
  remove(FILE_NAME);
  remove(FIELD);
  remove(OUT);
}

/* ---- energy */

static void energy(void)
{
  size_t n = 0;
  /* B alone */
  is_int(command_run(FILE_NAME, UNIFORM, "", OUT,
                     "--quiet --set 'plasma.nodes={formula=\"harris\"; sheet_field=\"0.5 "
                     "T\"; sheet_thickness=\"20 um\"; local_perturbation=0.4;}'"),
         0, "in B alone");
  double *k = command_nc_read(OUT, "kinetic_energy", &n);
  /* u of each particle is rounded to 2^-24 in 40 steps, at random */
  is_close(n > 0 ? k[n - 1] / k[0] : NAN, 1.0, 1e-6, "no energy");
  free(k);
  /* E along x, without B: u = u0 + (q/m) E t */
  is_int(command_run(FILE_NAME, UNIFORM, "", OUT,
                     "--quiet --set 'plasma.nodes.electric_field=[\"1e5 "
                     "V/m\",\"0\",\"0\"]'"),
         0, "in E alone");
  double *p = command_nc_read(OUT, "momentum", &n);
  const double number = 1e15 * 0.2e-3 * 0.1e-3;
  /* rows are means of both ends of a step */
  is_close(n > 3 ? p[n - 3] - p[0] : NAN, -1.602176634e-19 * 1e5 * 39e-12 * number, 1e-5,
           "the momentum is force times time");
  free(p);
  remove(OUT);
}

/* ---- densities */

#define SHEET                                                                            \
  "model = \"plasma\"; duration = \"1 fs\"; grid = { cells = [8, 64];\n"                 \
  "  length = [\"1 mm\", \"8 mm\"]; };\n"                                                \
  "walls = { y_low = { field = \"neumann\"; }; y_high = { field = \"neumann\"; }; };\n"  \
  "species = { e = { density = \"1e15 m-3\"; profile = \"sheet\"; per_cell = 400;\n"     \
  "  width = [\"none\", \"1 mm\"]; centre = [\"auto\", \"3 mm\"]; }; };\n"               \
  "plasma = { time_step = \"1 fs\"; field = \"nodes\"; fields_interval = \"1 fs\"; };\n"

/* The mean of 1/cosh^2 by the shape of cic: by Simpson's rule over both cells. */
static double cic_of_sheet(double y, double h)
{
  double sum = 0.0, weight = 0.0;
  for (int i = -200; i <= 200; i++) {
    const double s = (double)i / 200.0, x = (y + s * h - 3.0) / 1.0;
    const double w = (1.0 - fabs(s)) * (i % 2 == 0 ? 2.0 : 4.0) *
                     (y + s * h < 0.0 || y + s * h > 8.0 ? 0.0 : 1.0);
    sum += w / (cosh(x) * cosh(x));
    weight += w;
  }
  return sum / weight;
}

static void sheets(void)
{
  static const char *const weights[] = {"profile", "equal"};
  for (int k = 0; k < 2; k++) {
    char options[100];
    size_t n = 0;
    double worst = 0.0, all = 0.0;
    snprintf(options, sizeof options, "--quiet --set species.e.weights=%s", weights[k]);
    is_int(command_run(FILE_NAME, SHEET, "", OUT, options), 0, "a sheet, weights %s",
           weights[k]);
    double *v = command_nc_read(OUT, "density_e", &n);
    is_int((long long)n, 9 * 65, "nodes");
    for (int y = 0; y <= 64 && n > 0; y++) {
      double mean = 0.0;
      for (int x = 0; x < 8; x++)
        mean += v[y * 9 + x] / 8.0;
      worst = fmax(worst, fabs(mean / 1e15 - cic_of_sheet(y * 0.125, 0.125)));
      all += mean * (y % 64 == 0 ? 0.5 : 1.0) * 0.125e-3;
    }
    free(v);
    /* a quiet start: Hammersley's points in two dimensions, some 1e-3 */
    is_near(worst, 0.0, 4e-3, "the density of each row of nodes");
    /* the integral of 1/cosh^2 is tanh */
    is_close(all, 1e15 * 1e-3 * (tanh(3.0) + tanh(5.0)), 1e-3, "and all particles");
    is_close(command_nc_at(OUT, "particles", 0), all * 1e-3, 1e-3, "as the sums say");
  }
  remove(OUT);
}

/* ---- weights of a file: three particles, one at a node */

static void write_particles(int n_weights, double second, size_t velocities)
{
  const double x[3][2] = {{0.25e-3, 4e-3}, {0.5e-3, 2e-3}, {0.75e-3, 6.0625e-3}},
               u[3][3] = {{1e8, 0, 0}, {0}, {0}}, w[3] = {2.5, second, 0.25};
  int nc, dims[4], var[3];
  must(nc_create(PARTICLES, NC_CLOBBER, &nc));
  must(nc_def_dim(nc, "particle", 3, &dims[0]));
  must(nc_def_dim(nc, "axis", 2, &dims[1]));
  must(nc_def_dim(nc, "component", velocities, &dims[2]));
  must(nc_def_dim(nc, "weights", (size_t)n_weights, &dims[3]));
  must(nc_def_var(nc, "position", NC_DOUBLE, 2, dims, &var[0]));
  must(
      nc_def_var(nc, "velocity", NC_DOUBLE, 2, (const int[]){dims[0], dims[2]}, &var[1]));
  must(nc_def_var(nc, "weight", NC_DOUBLE, 1, &dims[3], &var[2]));
  must(nc_enddef(nc));
  must(nc_put_var_double(nc, var[0], &x[0][0]));
  must(nc_put_var_double(nc, var[1], &u[0][0]));
  must(nc_put_var_double(nc, var[2], w));
  must(nc_close(nc));
}

static void weights(void)
{
  static const char option[] = "--quiet --set species.e.profile=file --set "
                               "species.e.file=" PARTICLES " --set "
                               "'species.e.width=\"none\"' --set "
                               "'species.e.centre=\"auto\"'";
  static const struct {
    int n;
    double second;
    const char *more, *says;
  } wrong[] = {
      {2, 1.0, "", "3 positions, but 2 weights"},
      {3, -1.0, "", "`weight` of particle 1 (from 0) is -1; allowed: 0 to 1e+12"},
      {3, NAN, "", "`weight` of particle 1 (from 0) is nan"},
      {3, 1.0, " --set plasma.field=electrostatic --set plasma.background=true",
       "variable `weight` needs particles with a weight"},
      {3, 1.0,
       " --set plasma.field=electrostatic --set plasma.background=true --set "
       "plasma.velocities=3 --set 'species.n={density=\"0 m-3\"; charge=-1.0; mass=\"32 "
       "u\";}' --set 'reactions.r={reactants=[\"e\"]; products=[\"n\"]; rate=\"1 "
       "1/s\";}'",
       "variable `weight` is not available with `reactions`"}};
  const double one = 1e15 / 400; /* m-3, of weight 1 in a cell */
  size_t n = 0;
  write_particles(3, 7.0, 3);
  is_int(command_run(FILE_NAME, SHEET, "", OUT, option), 0, "weights from a file");
  double *v = command_nc_read(OUT, "density_e", &n);
  ok(n == 9 * 65, "a map");
  if (n == 9 * 65) {
    /* from a node, in the middle of the step: 1e8 m/s times 0.5 fs of 0.125 mm */
    is_close(v[32 * 9 + 2], 2.5 * one * (1.0 - 4e-4), 1e-6, "2.5 beside a node");
    is_close(v[16 * 9 + 4], 7.0 * one, 1e-6, "7 at another");
    is_close(v[48 * 9 + 6], 0.125 * one, 1e-6, "half of a quarter between two");
    is_close(v[49 * 9 + 6], 0.125 * one, 1e-6, "and the other half");
  }
  free(v);
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    write_particles(wrong[i].n, wrong[i].second, i != 3 ? 3 : 2);
    command_write(FILE_NAME, SHEET);
    const int status = command("%s run " FILE_NAME " --output " AGAIN " %s%s",
                               command_wilson(), option, wrong[i].more);
    if (!ok(status == 2 && strstr(command_err, wrong[i].says) != NULL, "refused: %s",
            wrong[i].says))
      diag("%d: %.900s", status, command_err);
  }
  remove(PARTICLES);
  remove(FILE_NAME);
  remove(OUT);
}

int main(void)
{
  plan(0);
  schedulers("");
  schedulers("--set plasma.relativistic=true");
  schedulers("--set plasma.mover=boris --set plasma.midpoint.iterations=3 --set "
             "plasma.midpoint.substeps=2");
  from_file();
  energy();
  sheets();
  weights();
  return done();
}
