/* t0433-gpu-multigrid.c - defends: multigrid on a GPU (fields/poisson/gpu_multigrid.cu) is multigrid.c.
 *   - phi is the host's, to 2e-11 of the largest: the residual of both ends at 1e-12 of the charge.  All
 *     pairs of sides in two dimensions, odd numbers of cells, stretched axes, r-z, electrodes, permittivities, cut edges
 *   - the same bits twice, and after another solve
 *   - with a tolerance of 1e-6 phi is near that of 1e-12; from the solution phi stays what it is to 1e-12
 *   - wn_poisson_gpu_bytes says what it takes, and all is given back
 *   - a potential that is not finite is refused, and E of what is not constant spacing along lines
 * Reference: the host in the same program, which t0706 holds to volumes.c. */
#include <stdio.h>
#include <stdlib.h>
#include "fields/poisson/gpu.h"
#include "t/tap/capture.h"
#include "t/tap/differences.h"
#include "t/tap/gpu.h"
#include "t/tap/gpu_arrays.h"
#include "t/tap/poisson_grids.h"
#include "t/tap/tap.h"

#ifdef WN_HAVE_CUDA

static double want[MAX_N], got[MAX_N], again[MAX_N];
static const double volt[7] = {3.0, -2.0, 7.0, 1.0, 5.0, -4.0, 100.0};

/* On the device. */
static struct {
  void *rho, *phi;
} there;

static int solve_there(struct wn_poisson_gpu *q, size_t nodes, const double *volts,
                       double *to)
{
  struct wn_gpu *g = gpu_device();
  int status = gpu_array_put(g, rho, there.rho, nodes * sizeof *rho);
  if (status == WN_OK)
    status = wn_poisson_gpu_solve(q, there.rho, volts, there.phi);
  return status == WN_OK ? gpu_array_get(g, there.phi, to, nodes * sizeof *to) : status;
}

/* How far phi is from the host's; *same: the bits of several solves. */
static double compare(struct domain *d, int *same)
{
  static const double others[7] = {1.0, 1.0, 2.0, 2.0, 3.0, 3.0, -5.0};
  struct wn_gpu *g = gpu_device();
  struct wn_poisson *p = NULL;
  struct wn_poisson_gpu *q = NULL;
  const size_t before = wn_gpu_used(g), told = wn_poisson_gpu_bytes(&d->spec);
  double far = INFINITY;
  *same = 0;
  if (wn_poisson_multigrid.create(&d->spec, &p) == WN_OK &&
      wn_poisson_solve(p, rho, volt, want) == WN_OK &&
      wn_poisson_gpu_create(g, &d->spec, &q) == WN_OK &&
      solve_there(q, d->nodes, volt, got) == WN_OK) {
    far = furthest(got, want, d->nodes) / largest(want, d->nodes);
    *same = solve_there(q, d->nodes, volt, again) == WN_OK &&
            memcmp(got, again, d->nodes * sizeof *got) == 0 &&
            solve_there(q, d->nodes, others, again) == WN_OK &&
            solve_there(q, d->nodes, volt, again) == WN_OK &&
            memcmp(got, again, d->nodes * sizeof *got) == 0 &&
            wn_gpu_used(g) - before == told;
  }
  wn_poisson_gpu_free(q);
  wn_poisson_free(p);
  *same &= wn_gpu_used(g) == before;
  return far;
}

static void grids(void)
{
  static const struct grid grids[] = {
      {.name = "50 x 125 cells", .dim = 2, .cells = {50, 125}, .sides = {1, 1}},
      {.name = "r-z, a needle, stretched",
       .dim = 2,
       .cells = {50, 70},
       .sides = {3, 1},
       .spacing = GROWING,
       .inside = NEEDLE,
       .is_rz = 1},
      {.name = "cut edges, odd and periodic",
       .dim = 3,
       .cells = {15, 16, 17},
       .sides = {0, 1, 0},
       .inside = CUTS},
      {.name = "odd, periodic", .dim = 2, .cells = {51, 37}, .sides = {0, 0}},
      {.name = "a sphere",
       .dim = 3,
       .cells = {24, 24, 24},
       .sides = {1, 1, 1},
       .inside = BALL},
      {.name = "cells 1 : 4 : 16",
       .dim = 3,
       .cells = {20, 20, 20},
       .sides = {1, 2, 1},
       .ratio = {1, 4, 16}},
      {.name = "odd, periodic and walls",
       .dim = 3,
       .cells = {17, 25, 15},
       .sides = {0, 0, 1}},
      {.name = "cells at random",
       .dim = 2,
       .cells = {48, 49},
       .sides = {1, 4},
       .spacing = DRAWN},
      {.name = "a disc", .dim = 2, .cells = {200, 200}, .sides = {1, 1}, .inside = BALL},
      {.name = "a point, periodic",
       .dim = 2,
       .cells = {64, 64},
       .sides = {0, 0},
       .inside = POINT},
      {.name = "permittivity 1e4",
       .dim = 2,
       .cells = {64, 64},
       .sides = {1, 1},
       .inside = EPS_1E4},
      {.name = "permittivity 100",
       .dim = 3,
       .cells = {64, 64, 64},
       .sides = {1, 1, 1},
       .inside = EPS_100},
  };
  static struct domain d;
  const size_t n = gpu_size(sizeof grids / sizeof *grids, 3);
  int same;
  for (size_t i = 0; i < n; i++) {
    make(&d, &grids[i]);
    const double far = compare(&d, &same);
    ok(far < 2e-11, "%d-D, %s: phi is the host's (%.2g)", grids[i].dim, grids[i].name,
       far);
    ok(same, "%d-D, %s: the same bits again, and the memory that is foretold",
       grids[i].dim, grids[i].name);
    clear(&d);
  }
}

static void sides(void)
{
  static struct domain d;
  double worst = 0.0;
  int n = 0, all = 1, same;
  for (int which = 0; which < 25; which += (int)gpu_size(1, 6), n++) {
    const struct grid g = {.dim = 2,
                           .cells = {12, 9},
                           .sides = {which % N_SIDE_PAIRS, which / N_SIDE_PAIRS}};
    make(&d, &g);
    d.spec.method = WN_POISSON_MULTIGRID;
    const double far = compare(&d, &same);
    worst = far <= worst ? worst : far;
    all &= same;
    clear(&d);
  }
  ok(worst < 1e-11 && all, "2-D, %d pairs of sides: phi is the host's (%.2g)", n, worst);
}

static void tolerances(void)
{
  static const struct grid grids[] = {
      {.dim = 2, .cells = {80, 80}, .sides = {1, 1}, .inside = NEEDLE},
      {.dim = 3, .cells = {40, 40, 40}, .sides = {1, 3, 0}, .inside = BALL}};
  static struct domain d;
  struct wn_gpu *g = gpu_device();
  for (size_t i = 0; i < 2; i++) {
    struct wn_poisson_gpu *q = NULL;
    int status;
    double far[3] = {INFINITY, INFINITY, INFINITY};
    make(&d, &grids[i]);
    for (int k = 0; k < 3; k++) {
      d.spec.tolerance = k == 1 ? 1e-6 : 0.0;
      d.spec.starts_from_phi = k == 2;
      status = wn_poisson_gpu_create(g, &d.spec, &q);
      if (status == WN_OK && k == 2)
        status = gpu_array_put(g, want, there.phi, d.nodes * sizeof *want);
      if (status == WN_OK)
        status = solve_there(q, d.nodes, volt, k == 0 ? want : got);
      far[k] = status == WN_OK ? furthest(got, want, d.nodes) / largest(want, d.nodes)
                               : INFINITY;
      if (k == 2 && status == WN_OK) { /* there.phi is that of a charge */
        static const double zero[sizeof volt / sizeof *volt];
        memset(rho, 0, d.nodes * sizeof *rho);
        status = solve_there(q, d.nodes, zero, again);
        ok(status == WN_OK && largest(again, d.nodes) == 0.0,
           "%d-D: without charge zero, from the solution of a charge", grids[i].dim);
      }
      wn_poisson_gpu_free(q);
      q = NULL;
    }
    ok(far[1] < 1e-5 && far[1] > 1e-12, "%d-D: phi to 1e-6 of the charge is near (%.2g)",
       grids[i].dim, far[1]);
    ok(far[2] < 2e-12, "%d-D: from the solution it stays (%.2g)", grids[i].dim, far[2]);
    clear(&d);
  }
}

static void refused(void)
{
  static struct domain d;
  const struct grid g = {.dim = 2, .cells = {12, 9}, .sides = {1, 1}, .inside = BALL};
  struct wn_poisson_gpu *q = NULL;
  double bad[7];
  make(&d, &g);
  memcpy(bad, volt, sizeof bad);
  bad[4] = NAN; /* of the surface after the sides */
  is_str(wn_poisson_gpu_method(&d.spec), "multigrid", "electrodes take multigrid");
  is_int(wn_poisson_gpu_create(gpu_device(), &d.spec, &q), WN_OK, "made");
  capture();
  int status = solve_there(q, d.nodes, bad, got);
  const char *text = captured();
  ok(status == WN_EINPUT && strstr(text, "a finite potential is needed"),
     "an electrode without a potential is refused: %s", text);
  capture();
  status = wn_poisson_gpu_field(q, there.phi, 0, 0, there.rho);
  text = captured();
  ok(status == WN_EINPUT && strstr(text, "E on a GPU takes constant spacing"),
     "E beside an electrode is refused: %s", text);
  wn_poisson_gpu_free(q);
  clear(&d);
}

int main(void)
{
  gpu_or_skip();
  plan(0);
  draw_state = 433;
  struct wn_gpu *g = gpu_device();
  if (gpu_array_make(g, NULL, sizeof rho, &there.rho) != WN_OK ||
      gpu_array_make(g, NULL, sizeof rho, &there.phi) != WN_OK) {
    ok(0, "memory on the device");
    return done();
  }
  grids();
  sides();
  tolerances();
  refused();
  gpu_array_free(g, there.rho, sizeof rho);
  gpu_array_free(g, there.phi, sizeof rho);
  return done();
}

#else

int main(void)
{
  gpu_or_skip();
  return 1;
}

#endif
