/* t0446-gpu-midpoint.c - defends: particles in E and B on nodes (model midpoint) have the same bits on a GPU as
 * on the CPU, and so have all that a run writes of them: places, velocities, energies, walls, densities, ten
 * moments, which the kernel of a step may take with it: at each step, of particles outside of their
 * tile's window, of more than 32 bits can sum, of another unit of velocity than the step before.  Particles are
 * compared in any order, as scheduler `tiles` sorts them.  One, two and three dimensions; the implicit midpoint rule by number and by tolerance, with substeps by
 * the angle of gyration, relativistic; Boris; periodic, reflecting and absorbing sides; fields that change in time.
 * Reference: the same program on the CPU. */
#include <netcdf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "t/tap/command.h"
#include "t/tap/gpu.h"
#include "t/tap/tap.h"

#define ON_CPU    "t0446-cpu.nc"
#define ON_GPU    "t0446-gpu.nc"
#define FIELD     "t0446-field.nc"
#define FILE_NAME "t0446.cfg"

#define RUN(grid, walls, how) RUN_OF("50", "20 steps", grid, walls, PARTICLES how)
#define PARTICLES             "particles_interval = \"40 steps\"; particles_sample = 100000;"
#define RUN_OF(per_cell, moments, grid, walls, how)                                      \
  "model = \"plasma\"; duration = \"40 steps\"; seed = 446; threads = 2;\n"              \
  "grid = { " grid " };\n" walls "species = { e = { density = \"1e15 m-3\"; "            \
  "temperature = \"500 eV\"; per_cell = " per_cell "; "                                  \
  "loading = \"random\"; }; i = { density = \"1e15 m-3\"; charge = 1.0; mass = \"64 "    \
  "me\"; temperature = \"50 eV\"; per_cell = 30; loading = \"random\"; }; };\n"          \
  "plasma = { time_step = \"1 ps\"; field = \"nodes\"; velocities = 3; "                 \
  "allow = [\"cell-crossing\"]; fields_interval = \"10 steps\"; moments_interval = "     \
  "\"" moments "\"; "                                                                    \
  "integrals_interval = \"5 steps\"; " how " };\n"

#define IN_1 "cells = [64]; length = [\"6.4 mm\"];"
#define IN_2 "cells = [32, 16]; length = [\"3.2 mm\", \"1.6 mm\"];"
#define IN_3 "cells = [12, 10, 8]; length = [\"1.2 mm\", \"1 mm\", \"0.8 mm\"];"
#define MIRRORS                                                                          \
  "walls = { y_low = { field = \"neumann\"; }; y_high = { field = \"neumann\"; }; };\n"
#define ABSORBING                                                                        \
  "walls = { x_low = { field = \"dirichlet\"; }; x_high = { field = \"dirichlet\"; }; "  \
  "};\n"
#define SHEET                                                                            \
  "nodes = { formula = \"harris\"; sheet_field = \"0.3 T\"; sheet_thickness = \"0.2 "    \
  "mm\"; perturbation = 0.2; electric_field = [\"1e6 V/m\", \"-2e6 V/m\", \"5e5 "        \
  "V/m\"]; };"
#define BOTH                                                                             \
  "magnetic_field = [\"0.1 T\", \"-0.2 T\", \"0.3 T\"]; nodes = { electric_field = "     \
  "[\"1e6 V/m\", \"-2e6 V/m\", \"5e5 V/m\"]; };"

static const struct {
  const char *name, *text;
} cases[] = {
    {"1-D, periodic", RUN(IN_1, "", BOTH)},
    {"1-D between walls", RUN(IN_1, ABSORBING, BOTH)},
    {"2-D, a sheet and mirrors",
     RUN(IN_2, MIRRORS, SHEET " midpoint = { iterations = 3; };")},
    {"2-D, relativistic, by tolerance, absorbing",
     RUN(IN_2, ABSORBING,
         SHEET
         " relativistic = true; midpoint = { iterations = 10; tolerance = 1e-5; };")},
    {"2-D, substeps by the angle",
     RUN(IN_2, MIRRORS,
         SHEET " midpoint = { substep_angle = \"0.02 rad\"; substep_cells = 0.1; };")},
    {"3-D, relativistic", RUN(IN_3, "", BOTH " relativistic = true;")},
    {"3-D, mirrors and walls, two substeps",
     RUN(IN_3,
         "walls = { y_low = { field = \"neumann\"; }; y_high = { field = \"neumann\"; }; "
         "z_low = { field = \"dirichlet\"; }; z_high = { field = \"dirichlet\"; }; };\n",
         SHEET " midpoint = { substeps = 2; };")},
    {"2-D, Boris",
     RUN(IN_2, ABSORBING, SHEET " mover = \"boris\"; midpoint = { substeps = 3; };")},
    {"3-D, Boris, relativistic",
     RUN(IN_3, "", BOTH " mover = \"boris\"; relativistic = true;")},
    {"2-D, a file of three times, linear between",
     RUN(IN_2, "", "nodes = { file = \"" FIELD "\"; between_times = \"linear\"; };")},
    /* several cells a step, and each time another unit of velocity */
    {"2-D, moments of each step, fast particles",
     RUN_OF("50", "1 step", IN_2, MIRRORS,
            PARTICLES "magnetic_field = [\"0.1 T\", \"-0.2 T\", \"0.3 T\"]; nodes = { "
                      "electric_field = [\"2e8 V/m\", \"-1e8 V/m\", \"5e7 V/m\"]; };")},
    {"3-D, moments of each step, fast particles and walls",
     RUN_OF("50", "1 step", IN_3, ABSORBING,
            PARTICLES BOTH "relativistic = true; midpoint = { substeps = 3; };")},
    /* a block has more than 4096 particles, and each of four cells more than 1023 of them: 32 bits do not suffice */
    {"2-D, millions a cell",
     RUN_OF("4000000", "20 steps", "cells = [2, 2]; length = [\"3.2 mm\", \"1.6 mm\"];",
            "", SHEET)},
    {"2-D, the same in steps", RUN(IN_2, "", "nodes = { file = \"" FIELD "\"; };")},
};

static void must(int status)
{
  if (status == NC_NOERR)
    return;
  printf("Bail out! netCDF: %s\n", nc_strerror(status));
  exit(1);
}

/* Three times of the grid of two dimensions, periodic. */
static void write_field(void)
{
  static const char *const names[6] = {"electric_field_x", "electric_field_y",
                                       "electric_field_z", "magnetic_field_x",
                                       "magnetic_field_y", "magnetic_field_z"};
  enum { NX = 33, NY = 17, TIMES = 3 };
  static const double times[TIMES] = {0.0, 12.5e-12, 30e-12};
  static double v[TIMES][NY][NX];
  int nc, dims[3], var[6], time;
  must(nc_create(FIELD, NC_CLOBBER, &nc));
  must(nc_def_dim(nc, "time", TIMES, &dims[0]));
  must(nc_def_dim(nc, "y", NY, &dims[1]));
  must(nc_def_dim(nc, "x", NX, &dims[2]));
  must(nc_def_var(nc, "time", NC_DOUBLE, 1, dims, &time));
  must(nc_put_att_text(nc, time, "units", 1, "s"));
  for (int c = 0; c < 6; c++) {
    must(nc_def_var(nc, names[c], NC_DOUBLE, 3, dims, &var[c]));
    must(nc_put_att_text(nc, var[c], "units", c < 3 ? 3 : 1, c < 3 ? "V/m" : "T"));
  }
  must(nc_enddef(nc));
  must(nc_put_var_double(nc, time, times));
  for (int c = 0; c < 6; c++) {
    for (int t = 0; t < TIMES; t++)
      for (int y = 0; y < NY; y++)
        for (int x = 0; x < NX; x++)
          v[t][y][x] =
              (c < 3 ? 1e6 : 0.2) *
              (double)((7 * (x % (NX - 1)) + 5 * (y % (NY - 1)) + 3 * c + 11 * t) % 13 -
                       6) /
              6.0;
    must(nc_put_var_double(nc, var[c], &v[0][0][0]));
  }
  must(nc_close(nc));
}

int main(void)
{
  gpu_or_skip();
  write_field();
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    size_t n = 0;
    const char *differs = "";
    if (!ok(command_run(FILE_NAME, cases[i].text, "", ON_CPU, "--quiet --device cpu") ==
                0,
            "%s: on the CPU", cases[i].name))
      continue;
    const int ran =
        command_run(FILE_NAME, cases[i].text, "", ON_GPU, "--quiet --device cuda") == 0;
    if (ok(ran, "%s: on the GPU", cases[i].name)) {
      differs = command_nc_differs_in_order(ON_CPU, ON_GPU, &n);
      ok(differs == NULL && n > 1000, "%s: the same %zu numbers%s%s", cases[i].name, n,
         differs != NULL ? "; differs: " : "", differs != NULL ? differs : "");
    }
    remove(ON_CPU);
    remove(ON_GPU);
  }
  remove(FIELD);
  return done();
}
