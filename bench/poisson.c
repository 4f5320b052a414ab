/* bench/poisson.c - how fast Poisson's equation is solved, and the field `electrostatic`
 * around it.
 *
 *   bench/poisson [cpu] [NAME]
 *
 * On the first GPU if there is one, else, or with `cpu`, on one thread of the host; with
 * NAME only grids that have it in their names.  A line a grid:
 *   solve    us from rho to phi, many solves one after the other
 *   copy     us of reading and writing the grid once at the rate of a copy on this device
 *            in this run: the ceiling of any solver; and how many such passes a solve is
 *   field    us of a step without particles: quanta cleared, rho, phi, E for the particles
 *   sums     us of the sums that a run asks for each step, with their way to the host
 * Best of TRIES; the clock is the host's, so that launches count. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/clock.h"
#include "base/error.h"
#include "bench/gpu_ceiling.h"
#include "bench/gpu_poisson.h"
#include "device/gpu.h"
#include "fields/electrostatic.h"
#include "physics/shape.h"

#define TRIES   3
#define SECONDS 0.05 /* of a try, about */

enum { P = WN_PERIODIC, D = WN_DIRICHLET, N = WN_NEUMANN, O = WN_OPEN };

/* Of the solver alone: an electrode of half the width, a needle of 1/64 of it from a side to the middle, this one
 * on the axis of r-z.  r-z. */
enum { NOTHING, SPHERE, AXIS, NEEDLE, AXIS_NEEDLE };
/* To 1e-8 of the charge; from the potential of a charge that is 1 % different. */
enum { COARSE = 1, STARTED = 2 };

static const struct {
  const char *name;
  int dim;
  size_t cells[3];
  int side[6], method, with, how;
} grids[] = {
    {"128, walls", 1, {128}, {D, D}, 0, 0, 0},
    {"128, periodic", 1, {128}, {P, P}, 0, 0, 0},
    {"128, periodic, spectral", 1, {128}, {P, P}, 1, 0, 0},
    {"1000, walls", 1, {1000}, {D, D}, 0, 0, 0},
    {"64 x 64, periodic", 2, {64, 64}, {P, P, P, P}, 0, 0, 0},
    {"64 x 64, walls along x", 2, {64, 64}, {D, D, P, P}, 0, 0, 0},
    {"512 x 512, periodic", 2, {512, 512}, {P, P, P, P}, 0, 0, 0},
    {"1024 x 1024, periodic", 2, {1024, 1024}, {P, P, P, P}, 0, 0, 0},
    {"1024 x 1024, periodic, spectral", 2, {1024, 1024}, {P, P, P, P}, 1, 0, 0},
    {"1024 x 1024, walls", 2, {1024, 1024}, {D, D, D, D}, 0, 0, 0},
    {"1024 x 1024, open", 2, {1024, 1024}, {O, O, O, O}, 0, 0, 0},
    {"1000 x 900, wall and mirror", 2, {1000, 900}, {D, N, D, N}, 0, 0, 0},
    {"64^3, periodic", 3, {64, 64, 64}, {P, P, P, P, P, P}, 0, 0, 0},
    {"128^3, open", 3, {128, 128, 128}, {O, O, O, O, O, O}, 0, 0, 0},
    {"256^3, periodic", 3, {256, 256, 256}, {P, P, P, P, P, P}, 0, 0, 0},
    {"256^3, periodic, spectral", 3, {256, 256, 256}, {P, P, P, P, P, P}, 1, 0, 0},
    {"256^3, walls along x", 3, {256, 256, 256}, {D, D, P, P, P, P}, 0, 0, 0},
    {"256^3, walls", 3, {256, 256, 256}, {D, D, D, D, D, D}, 0, 0, 0},
    {"256^3, wall and mirror", 3, {256, 256, 256}, {D, N, D, N, D, N}, 0, 0, 0},
    {"512 x 512, walls, multigrid",
     2,
     {512, 512},
     {D, D, D, D},
     WN_POISSON_MULTIGRID,
     0,
     0},
    {"64^3, walls, multigrid",
     3,
     {64, 64, 64},
     {D, D, D, D, D, D},
     WN_POISSON_MULTIGRID,
     0,
     0},
    {"256^3, walls, multigrid",
     3,
     {256, 256, 256},
     {D, D, D, D, D, D},
     WN_POISSON_MULTIGRID,
     0,
     0},
    {"512 x 512, a disc inside", 2, {512, 512}, {D, D, D, D}, 0, SPHERE, 0},
    {"64^3, a sphere inside", 3, {64, 64, 64}, {D, D, D, D, D, D}, 0, SPHERE, 0},
    {"256^3, a sphere inside", 3, {256, 256, 256}, {D, D, D, D, D, D}, 0, SPHERE, 0},
    {"256^3, walls, multigrid, 1e-8",
     3,
     {256, 256, 256},
     {D, D, D, D, D, D},
     WN_POISSON_MULTIGRID,
     0,
     COARSE},
    {"256^3, a sphere inside, 1e-8",
     3,
     {256, 256, 256},
     {D, D, D, D, D, D},
     0,
     SPHERE,
     COARSE},
    {"256^3, a sphere, started, 1e-8",
     3,
     {256, 256, 256},
     {D, D, D, D, D, D},
     0,
     SPHERE,
     COARSE | STARTED},
    {"256^3, a needle, 1e-8", 3, {256, 256, 256}, {D, D, D, D, D, D}, 0, NEEDLE, COARSE},
    {"4096 x 4096, a needle, 1e-8", 2, {4096, 4096}, {D, D, D, D}, 0, NEEDLE, COARSE},
    {"4096 x 4096, r-z, a needle, 1e-8",
     2,
     {4096, 4096},
     {N, D, D, D},
     0,
     AXIS_NEEDLE,
     COARSE},
    {"4096 x 4096, r-z, needle, 1e-12", 2, {4096, 4096}, {N, D, D, D}, 0, AXIS_NEEDLE, 0},
    {"8192 x 8192, r-z, a needle, 1e-8",
     2,
     {8192, 8192},
     {N, D, D, D},
     0,
     AXIS_NEEDLE,
     COARSE},
    {"8192 x 8192, r-z, started, 1e-8",
     2,
     {8192, 8192},
     {N, D, D, D},
     0,
     AXIS_NEEDLE,
     COARSE | STARTED},
    {"1024 x 1024, r-z, periodic", 2, {1024, 1024}, {N, D, P, P}, 0, AXIS, 0},
    {"1024 x 1024, r-z, walls", 2, {1024, 1024}, {N, D, D, D}, 0, AXIS, 0},
    {"1024 x 1024, r-z, open around", 2, {1024, 1024}, {N, O, D, D}, 0, AXIS, 0},
    {"1024 x 1024, r-z, wall and mirror", 2, {1024, 1024}, {N, D, D, N}, 0, AXIS, 0},
    {"4096 x 4096, r-z, periodic", 2, {4096, 4096}, {N, D, P, P}, 0, AXIS, 0},
    {"4096 x 4096, r-z, walls", 2, {4096, 4096}, {N, D, D, D}, 0, AXIS, 0},
    {"8192 x 8192, r-z, periodic", 2, {8192, 8192}, {N, D, P, P}, 0, AXIS, 0},
    {"8192 x 8192, r-z, walls", 2, {8192, 8192}, {N, D, D, D}, 0, AXIS, 0},
    {"8192 x 8192, r-z, wall and mirror", 2, {8192, 8192}, {N, O, D, N}, 0, AXIS, 0},
};

/* One species without particles: what is timed is the grid. */
static struct wn_electrostatic_spec field_spec(size_t i, struct wn_gpu *g)
{
  struct wn_electrostatic_spec s = {
      .poisson = {.dim = grids[i].dim,
                  .method = (enum wn_poisson_method)grids[i].method,
                  .threads = 1},
      .grid = {.dim = grids[i].dim,
               .shape = WN_SHAPE_CIC,
               .stride = grids[i].dim == 3 ? 4 : grids[i].dim,
               .cells = {1, 1, 1}},
      .n_species = 1,
      .charge = {-1.0},
      .gpu = g};
  int32_t step = 1;
  for (int d = 0; d < grids[i].dim; d++) {
    s.poisson.cells[d] = grids[i].cells[d];
    s.grid.h[d] = 1e-4;
    s.grid.per_h[d] = 1e4;
    s.grid.cells[d] = (int32_t)grids[i].cells[d];
    s.grid.bits[d] = wn_place_bits(s.grid.cells[d]);
    s.grid.step[d] = step;
    s.grid.first += WN_GRID_GUARD * step;
    step *= s.grid.cells[d] + 1 + 2 * WN_GRID_GUARD;
    for (int side = 2 * d; side < 2 * d + 2; side++) {
      s.poisson.side[side] = (enum wn_potential)grids[i].side[side];
      s.grid.side[side] = grids[i].side[side] == P ? WN_SIDE_PERIODIC : WN_SIDE_ABSORB;
      s.voltage[side] =
          (struct wn_voltage){.constant = 1.0, .start = -INFINITY, .end = INFINITY};
    }
  }
  wn_poisson_uniform(&s.poisson, s.grid.h);
  s.poisson.tolerance = grids[i].how & COARSE ? 1e-8 : 0.0;
  s.poisson.starts_from_phi = (grids[i].how & STARTED) != 0;
  if (grids[i].with == AXIS || grids[i].with == AXIS_NEEDLE) {
    s.grid.is_radial = 1;
    s.grid.side[0] = WN_SIDE_REFLECT;
    for (int d = 0; d < 2; d++)
      s.grid.length[d] = s.grid.h[d] * s.grid.cells[d];
    s.poisson.geometry.axis[0] =
        wn_axis_radial(s.grid.cells[0], s.grid.length[0], s.grid.h[0], s.grid.shape);
  }
  s.points[0] = (struct wn_points){.grid = s.grid,
                                   .kind = s.grid.dim == 1   ? WN_POINT_1D3V
                                           : s.grid.dim == 2 ? WN_POINT_2D3V
                                                             : WN_POINT_3D3V,
                                   .mass = 1.0,
                                   .charge = -1.0};
  return s;
}

/* us of n steps of a field, or of n times its sums, each. */
static int time_field(const struct wn_electrostatic_spec *spec, struct wn_field *f,
                      int sums, int n, double *us)
{
  struct wn_particles none = {.record = wn_particles_points(spec->points[0].kind)},
                      *list[1] = {&none};
  struct wn_field_sums s;
  double best = INFINITY;
  for (int t = 0; t <= TRIES; t++) {
    const double begin = wn_clock_now();
    for (int i = 0; i < n; i++)
      WN_TRY(sums ? wn_field_sums(f, &s) : f->ops->solve(f, list, 1, 0.0, 1e-12));
    if (spec->gpu != NULL)
      WN_TRY(wn_gpu_drain(spec->gpu));
    const double took = (wn_clock_now() - begin) / (double)n;
    best = t > 0 && took < best ? took : best;
  }
  *us = 1e6 * best;
  return WN_OK;
}

static int time_host(const struct wn_poisson_spec *spec, size_t nodes, int n,
                     double *seconds)
{
  static const double volt[7] = {1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 2.0};
  struct wn_poisson *p = NULL;
  double *rho = calloc(nodes, sizeof *rho), *phi = calloc(nodes, sizeof *phi);
  int status = rho != NULL && phi != NULL ? wn_poisson_create(spec, &p) : WN_ENOMEM;
  *seconds = INFINITY;
  for (int t = 0; t < TRIES && status == WN_OK; t++) {
    const double begin = wn_clock_now();
    for (int i = 0; i < n && status == WN_OK; i++)
      status = wn_poisson_solve(p, rho, volt, phi);
    *seconds = fmin(*seconds, (wn_clock_now() - begin) / (double)n);
  }
  wn_poisson_free(p);
  free(rho);
  free(phi);
  return status;
}

/* As many as take a try's time, if one takes so many seconds. */
static int number(double seconds)
{
  const double n = SECONDS / seconds;
  return n < 1.0 ? 1 : n > 2000.0 ? 2000 : (int)n;
}

/* Whether a place, as parts of the width, is inside the electrode. */
static int is_inside(int with, int dim, const double at[3])
{
  double r2 = 0.0;
  for (int d = 0; d < dim - (with != SPHERE); d++) {
    const double x = at[d] - (with == AXIS_NEEDLE ? 0.0 : 0.5);
    r2 += x * x;
  }
  if (with != SPHERE)
    return r2 < 1.0 / (128.0 * 128.0) && at[dim - 1] < 0.5;
  return r2 < 0.25 * 0.25;
}

/* Nodes inside have a potential of their own. */
static int put_electrode(struct wn_poisson_spec *s, int with, size_t nodes,
                         int32_t **held, struct wn_surface surface[7])
{
  struct wn_geometry *g = &s->geometry;
  const size_t n[3] = {s->cells[0] + 1, s->dim > 1 ? s->cells[1] + 1 : 1,
                       s->dim > 2 ? s->cells[2] + 1 : 1};
  *held = malloc(nodes * sizeof **held);
  if (*held == NULL)
    return WN_ENOMEM;
  g->surface = surface;
  for (g->n_surfaces = 0; g->n_surfaces < 2 * s->dim; g->n_surfaces++) {
    surface[g->n_surfaces] = wn_geometry_side(g, g->n_surfaces);
    surface[g->n_surfaces].potential = (int32_t)s->side[g->n_surfaces];
  }
  surface[g->n_surfaces++] =
      (struct wn_surface){.name = "electrode", .potential = WN_DIRICHLET};
  for (size_t i = 0; i < nodes; i++) {
    const size_t at[3] = {i % n[0], i / n[0] % n[1], i / n[0] / n[1]};
    double x[3] = {0.0, 0.0, 0.0};
    for (int d = 0; d < s->dim; d++)
      x[d] = (double)at[d] / (double)s->cells[d];
    (*held)[i] = is_inside(with, s->dim, x) ? 2 * s->dim : -1;
  }
  g->held = *held;
  return WN_OK;
}

static int time_field_and_sums(const struct wn_electrostatic_spec *spec, int n,
                               double *field, double *sums)
{
  struct wn_field *f = NULL;
  WN_TRY(wn_electrostatic_create(spec, &f));
  int status = time_field(spec, f, 0, n, field);
  if (status == WN_OK)
    status = time_field(spec, f, 1, n, sums);
  f->ops->free(f);
  return status;
}

static int time_solver(struct wn_gpu *g, const struct wn_poisson_spec *spec, size_t nodes,
                       double *solve)
{
#ifdef WN_HAVE_CUDA
  if (g != NULL) {
    WN_TRY(wn_bench_poisson(g, spec, 1, 1, solve));
    return wn_bench_poisson(g, spec, TRIES, number(*solve), solve);
  }
#else
  (void)g;
#endif
  WN_TRY(time_host(spec, nodes, 1, solve));
  return time_host(spec, nodes, number(*solve), solve);
}

static int line(struct wn_gpu *g, size_t i, double copy)
{
  struct wn_electrostatic_spec spec = field_spec(i, g);
  struct wn_surface surface[7];
  int32_t *held = NULL;
  size_t nodes = 1;
  double solve = 0.0, field = NAN, sums = NAN;
  for (int d = 0; d < spec.grid.dim; d++)
    nodes *= spec.poisson.cells[d] + 1;
  const int with = grids[i].with, has_electrode = with != NOTHING && with != AXIS;
  int status =
      has_electrode ? put_electrode(&spec.poisson, with, nodes, &held, surface) : WN_OK;
  if (status == WN_OK)
    status = time_solver(g, &spec.poisson, nodes, &solve);
  free(held);
  WN_TRY(status);
  if (!has_electrode && grids[i].how == 0)
    WN_TRY(time_field_and_sums(&spec, number(solve), &field, &sums));
  const double pass = 16e6 * (double)nodes / copy;
  printf("%-33s %11.2f %9.2f %8.1f %11.2f %11.2f\n", grids[i].name, 1e6 * solve, pass,
         1e6 * solve / pass, field, sums);
  fflush(stdout);
  return WN_OK;
}

/* Bytes/s read and written by a copy of more than any cache holds. */
static double host_copy(void)
{
  const size_t bytes = (size_t)256 << 20;
  char *a = malloc(bytes), *b = malloc(bytes);
  double best = INFINITY;
  for (int t = 0; t < TRIES + 1 && a != NULL && b != NULL; t++) {
    memset(a, t, bytes);
    const double begin = wn_clock_now();
    memcpy(b, a, bytes);
    best = t > 0 ? fmin(best, wn_clock_now() - begin) : best;
  }
  free(a);
  free(b);
  return 2.0 * (double)bytes / best;
}

static int run(int on_cpu, const char *name)
{
  const char *why;
  struct wn_gpu *g = NULL;
  double copy = 0.0;
  int status = WN_OK;
  if (!on_cpu && wn_gpu_count(&why) > 0) {
    WN_TRY(wn_gpu_open(0, &g));
#ifdef WN_HAVE_CUDA
    struct wn_gpu_info info;
    double philox;
    status = wn_gpu_describe(0, &info);
    if (status == WN_OK)
      status = wn_bench_hardware(g, &copy, &philox);
    if (status == WN_OK)
      printf("# %s\n", info.name);
#endif
  } else {
    copy = host_copy();
    printf("# one thread of the host\n");
  }
  printf("# a copy reads and writes %.3g bytes/s\n", copy);
  printf("# %-31s %11s %9s %8s %11s %11s\n", "grid", "solve us", "copy us", "passes",
         "field us", "sums us");
  for (size_t i = 0; i < sizeof grids / sizeof *grids && status == WN_OK; i++)
    if (strstr(grids[i].name, name) != NULL)
      status = line(g, i, copy);
  wn_gpu_close(g);
  return status;
}

int main(int argc, char **argv)
{
  const int on_cpu = argc > 1 && strcmp(argv[1], "cpu") == 0;
  return run(on_cpu, argc > 1 + on_cpu ? argv[1 + on_cpu] : "") == WN_OK ? 0 : 1;
}
