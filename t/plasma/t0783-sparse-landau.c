/* t0783-sparse-landau.c - defends: Landau damping along each axis of three dimensions on sparse grids is that of one
 * dimension.  The particles of the 1-D run stand at each node across the axis, without velocity there: the charge
 * depends on one coordinate alone, and the combination has the field of the full grid.
 *
 * Reference: the 1-D run of the same particles on as many cells, with 1e-5 of the largest potential apart, as E is in
 * floats for the particles; and the root of the dispersion relation (t/tap/landau.h), with the force of the grid:
 * frequency within 1 %, damping within 3 %, the error of 500 particles a cell over two periods.  No random numbers:
 * no chance of a false alarm. */
#include <math.h>
#include <netcdf.h>
#include <stdio.h>
#include <stdlib.h>
#include "physics/constants.h"
#include "physics/mathfn.h"
#include "t/tap/command.h"
#include "t/tap/landau.h"
#include "t/tap/tap.h"
#include "t/tap/waves.h"

#define FILE_NAME "t0783.cfg"
#define PARTICLES "t0783-particles.nc"
#define OUT       "t0783.nc"

#define CELLS    8
#define PER_CELL 500
#define N        (CELLS * PER_CELL)
#define STEP                                                                             \
  1269 /* N/2 over it has small partial quotients: the lattice of physics/loading.h */
#define K         0.5
#define AMPLITUDE 0.03
#define DT        0.2 /* over the plasma frequency */
#define STEPS     50

static void nc(int status)
{
  if (status != NC_NOERR) {
    printf("Bail out! netCDF: %s\n", nc_strerror(status));
    exit(99);
  }
}

/* Place along the axis, of 1, and velocity over the thermal one of particle i. */
static void state_of(size_t i, double *x, double *v)
{
  const double even = ((double)i + 0.5) / N, wave = 2.0 * WN_PI;
  *x = even - AMPLITUDE / wave * sin(wave * even);
  *x -= floor(*x);
  const size_t part = (2 * i + 1) * STEP % N; /* (i + 1/2) STEP modulo N/2, in halves */
  *v = wn_normal_quantile((double)part / N);
}

/* On a grid of dim axes, along one of them. */
static void write_particles(int dim, int axis, double length, double thermal)
{
  const size_t across = dim == 3 ? (size_t)CELLS * CELLS : 1, n = N * across;
  float *v = calloc(n * 3, sizeof *v);
  double *place = calloc(n * (size_t)dim, sizeof *place);
  int file, dims[3], vars[2];
  for (size_t i = 0; i < n; i++) {
    double at, velocity;
    size_t other = i / N;
    state_of(i % N, &at, &velocity);
    for (int d = 0; d < dim; d++) {
      place[i * (size_t)dim + (size_t)d] =
          length * (d == axis ? at : (double)(other % CELLS) / CELLS);
      if (d != axis)
        other /= CELLS;
    }
    v[3 * i + (size_t)axis] = (float)(thermal * velocity);
  }
  nc(nc_create(PARTICLES, NC_CLOBBER | NC_NETCDF4, &file));
  nc(nc_def_dim(file, "particle", n, &dims[0]));
  nc(nc_def_dim(file, "axis", (size_t)dim, &dims[1]));
  nc(nc_def_dim(file, "component", 3, &dims[2]));
  nc(nc_def_var(file, "position", NC_DOUBLE, 2, dims, &vars[0]));
  nc(nc_def_var(file, "velocity", NC_FLOAT, 2, (int[]){dims[0], dims[2]}, &vars[1]));
  nc(nc_put_var_double(file, vars[0], place));
  nc(nc_put_var_float(file, vars[1], v));
  nc(nc_close(file));
  free(place);
  free(v);
}

/* The potential of the mode, [2 *n]. */
static double *run(int dim, int axis, const char *field, size_t *n)
{
  const double omega_p = sqrt(1e15 * WN_E * WN_E / (WN_EPS0 * WN_ME)),
               thermal = sqrt(WN_E / WN_ME), /* 1 eV */
      length = 2.0 * WN_PI * thermal / omega_p / K;
  const int is_cube = dim == 3;
  char text[1024], of_grid[200], mode[20];
  if (is_cube)
    snprintf(of_grid, sizeof of_grid,
             "cells = [%d, %d, %d]; length = [\"%.17g m\", \"%.17g m\", \"%.17g m\"]",
             CELLS, CELLS, CELLS, length, length, length);
  else
    snprintf(of_grid, sizeof of_grid, "cells = [%d]; length = [\"%.17g m\"]", CELLS,
             length);
  if (is_cube)
    snprintf(mode, sizeof mode, "[%d, %d, %d]", axis == 0, axis == 1, axis == 2);
  else
    snprintf(mode, sizeof mode, "[1]");
  snprintf(text, sizeof text,
           "model = \"plasma\"; duration = \"%d steps\"; threads = 2;\n"
           "grid = { %s; };\n"
           "species = { e = { density = \"1e15 m-3\"; per_cell = %d; profile = \"file\"; "
           "file = \"" PARTICLES "\"; }; };\n"
           "plasma = { field = \"%s\"; time_step = \"%.17g s\"; background = true; "
           "modes = ( %s ); };\n",
           STEPS, of_grid, PER_CELL, field, DT / omega_p, mode);
  write_particles(dim, axis, length, thermal);
  is_int(command_run(FILE_NAME, text, "", OUT, ""), 0, "%d-D, axis %d, %s: runs", dim,
         axis, field);
  double *y = command_nc_read(OUT, "potential_mode", n);
  *n /= 2;
  return y;
}

/* The force on a wave over that in a continuum: twice the linear shape, and E by differences of the potential over
 * two cells, which has the error of Poisson's equation by differences. */
static double force_of_grid(void)
{
  const double kh = 2.0 * WN_PI / CELLS, half = sin(0.5 * kh) / (0.5 * kh);
  return half * half * sin(kh) / kh;
}

static struct wave damping_of(const double *y, size_t n)
{
  const size_t from = (size_t)(2.0 / DT);
  return wave_damped(y + 2 * from, 2, n - from, (size_t)(0.8 / DT));
}

int main(void)
{
  size_t n = 0, n_line = 0;
  const double complex root = landau_root(K, force_of_grid()),
                       plain = landau_root(K, 1.0);
  command_skip_if_fast();
  plan(0);
  double *line = run(1, 0, "electrostatic", &n_line);
  if (!ok(line != NULL && n_line == STEPS, "one dimension has its wave")) {
    free(line);
    return done();
  }
  const struct wave w = damping_of(line, n_line);
  diag("a continuum has %.5f %+.5f i, the grid %.5f %+.5f i, the run %.5f %+.5f i",
       creal(plain), cimag(plain), creal(root), cimag(root), w.omega / DT, w.gamma / DT);
  is_close(w.omega / DT, creal(root), 0.01, "1-D: frequency");
  is_close(w.gamma / DT, cimag(root), 0.03, "1-D: damping");
  for (int axis = 0; axis < 3; axis++) {
    double most = 0.0, apart = 0.0;
    double *cube = run(3, axis, "sparse", &n);
    for (size_t i = 0; cube != NULL && n == n_line && i < 2 * n; i++) {
      most = fmax(most, fabs(line[i]));
      apart = fmax(apart, fabs(cube[i] - line[i]));
    }
    if (ok(most > 0.0 && apart < 1e-5 * most,
           "axis %d: the potential of one dimension, %.1e of the largest apart", axis,
           apart / most)) {
      const struct wave s = damping_of(cube, n);
      is_close(s.omega, w.omega, 1e-4, "axis %d: frequency of one dimension", axis);
      is_close(s.gamma, w.gamma, 1e-3, "axis %d: damping of one dimension", axis);
    }
    free(cube);
  }
  free(line);
  remove(FILE_NAME);
  remove(PARTICLES);
  remove(OUT);
  return done();
}
