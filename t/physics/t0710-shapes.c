/* t0710-shapes.c - defends: charge is divided among the nodes to the last quantum, in the
 * ratio of the splines (their moments are known: 1, the place, and the variance 0, f(1-f) or
 * 1/4); the gather is exact where it must be; with `momentum` there is no self-force, and two
 * push each other equally; by `energy` E is minus the gradient of the potential that the
 * particle feels.  No outside numbers. */
#include "physics/shape.h"
#include <math.h>
#include <string.h>
#include "t/tap/draw.h"
#include "t/tap/grid.h"
#include "t/tap/tap.h"

static const char *const shape_name[] = {"ngp", "cic", "tsc"};

static int reach(int dim, int order)
{
  int n = 1;
  for (int d = 0; d < dim; d++)
    n *= order + 1;
  return n;
}

/* ---- division */

static void partition(int dim, int order)
{
  static const uint64_t few[] = {0, 1, 2, 3, 7, WN_QUANTA, 0xffffffffu};
  int lost = 0, negative = 0, differ = 0;
  for (int k = 0; k < 200000; k++) {
    uint64_t q[WN_MAX_REACH] = {0}, r[WN_MAX_REACH] = {0}, sum = 0;
    uint32_t part[3];
    for (int d = 0; d < 3; d++) {
      const uint64_t z = word64();
      part[d] = z % 8 == 0 ? 0u : z % 8 == 1 ? 0xffffffffu : (uint32_t)(z >> 32);
      if (z % 8 == 2)
        part[d] = 0x80000000u - (uint32_t)(z >> 40) % 2;
    }
    const int wide = k % 2;
    const uint64_t w = !wide         ? few[(size_t)k / 2 % 7]
                       : k % 16 == 1 ? ((uint64_t)1 << 62) - 1
                                     : word64() >> (2 + word64() % 60);
    wn_grid_divide(dim, order, part, w, wide, q);
    for (int i = 0; i < reach(dim, order); i++) {
      sum += q[i];
      negative += q[i] > w;
    }
    lost += sum != w;
    if (!wide) {
      wn_grid_divide(dim, order, part, w, 1, r);
      differ += memcmp(q, r, (size_t)reach(dim, order) * sizeof *q) != 0;
    }
  }
  is_int(lost, 0, "%s in %d-D: every quantum is on a node", shape_name[order], dim);
  is_int(negative, 0, "%s in %d-D: no node has less than none", shape_name[order], dim);
  is_int(differ, 0, "%s in %d-D: 32 and 64 bits give the same", shape_name[order], dim);
}

/* A share is w part, rounded to nearest: not down, which would pull all charge one way. */
static void rounding(void)
{
  int bad = 0;
  for (int k = 0; k < 200000; k++) {
    const uint64_t w = word64() >> (2 + word64() % 60);
    const uint32_t part = (uint32_t)word64();
    const wn_i128 off = ((wn_i128)wn_quanta_share(w, part, 1) << 32) - (wn_i128)w * part;
    bad += off > (wn_i128)1 << 31 || off <= -((wn_i128)1 << 31);
  }
  is_int(bad, 0, "a share is rounded to nearest, a half up");
}

/* Moments along one axis, of 2^52 quanta: what is left is the rounding of the splines to
 * 2^-32, and of TSC's squares. */
static void moments(int order)
{
  const uint64_t w = (uint64_t)1 << 52;
  double worst[2] = {0.0, 0.0};
  for (int k = 0; k < 100000; k++) {
    uint64_t q[3] = {0, 0, 0};
    const uint32_t part = (uint32_t)word64();
    const double x = (double)part * 0x1p-32;
    const double variance = order == 0   ? (x < 0.5 ? x * x : (1.0 - x) * (1.0 - x))
                            : order == 1 ? x * (1.0 - x)
                                         : 0.25;
    double first = 0.0, second = 0.0;
    wn_spline_divide(order, part, w, 1, q);
    for (int i = 0; i <= order; i++) {
      const double at = (double)(wn_spline_first(order, 0, 0, part) + i) - x;
      first += (double)q[i] * 0x1p-52 * at;
      second += (double)q[i] * 0x1p-52 * at * at;
    }
    worst[0] = fmax(worst[0], order == 0 ? 0.0 : fabs(first));
    worst[1] = fmax(worst[1], fabs(second - variance));
  }
  is_near(worst[0], 0.0, 1e-15, "%s: the centre of the charge is the particle",
          shape_name[order]);
  is_near(worst[1], 0.0, order == 2 ? 0x1p-32 : 1e-15,
          "%s: the second moment is that of the spline", shape_name[order]);
}

static void quanta(void)
{
  is_int(wn_quanta(1.0f), WN_QUANTA, "a weight of 1");
  is_int(wn_quanta(0.0f), 0, "a weight of 0");
  is_int(wn_quanta(0x1p-22f), 0, "a weight below half a quantum");
  is_int(wn_quanta(0x1.fffffep41f), (long long)0x1.fffffep61, "the largest that fits");
  is_int(wn_quanta(0x1p42f), WN_QUANTA_MISFIT, "the smallest that does not");
  is_int(wn_quanta(-1.0f), WN_QUANTA_MISFIT, "a weight below 0");
  is_int(wn_quanta(NAN), WN_QUANTA_MISFIT, "no number");
}

/* ---- places */

static void places(void)
{
  const int32_t cells[3] = {100, 7, 12};
  const struct wn_grid_view g = grid_make(3, WN_SHAPE_CIC, WN_GATHER_MOMENTUM, cells,
                                          WN_SIDE_ABSORB, WN_SIDE_ABSORB, 0.3);
  int bad = 0;
  for (int k = 0; k < 100000; k++) {
    const int d = k % 3;
    const int32_t x = (int32_t)(uniform() * (g.cells[d] << g.bits[d]));
    int32_t a, b;
    uint32_t p, q;
    wn_place_of_fixed(g.bits[d], x, &a, &p);
    wn_place_of_length(&g, d, ldexp((double)x, -g.bits[d]) * g.h[d], &b, &q);
    /* 0.3 and 1/0.3 round: a last bit of 100 cells is 2^-46 of a cell */
    bad += fabs((double)(a - b) + ((double)p - (double)q) * 0x1p-32) > 0x1p-31;
  }
  is_int(bad, 0, "fixed point and metres name the same place");
  for (int d = 0; d < 3; d++) {
    int32_t cell;
    uint32_t part;
    wn_place_of_length(&g, d, g.length[d], &cell, &part);
    ok(cell == g.cells[d] && part == 0, "the upper wall of axis %d", d);
    ok(((int64_t)g.cells[d] << g.bits[d]) < 1 << 30 &&
           ((int64_t)g.cells[d] << (g.bits[d] + 1)) >= 1 << 30,
       "as many bits as there can be");
  }
}

static void sides(void)
{
  const int32_t cells[3] = {10, 10, 10};
  struct wn_grid_view g = grid_make(3, WN_SHAPE_CIC, WN_GATHER_MOMENTUM, cells,
                                    WN_SIDE_PERIODIC, WN_SIDE_PERIODIC, 1.0);
  double x[3] = {-0.25, 10.25, -31.0};
  is_int(wn_grid_side(&g, 3, x), -1, "no particle leaves a periodic domain");
  ok(x[0] == 9.75 && x[1] == 0.25 && x[2] == 9.0, "but comes in again: %g %g %g", x[0],
     x[1], x[2]);
  x[0] = -1e-300;
  is_int(wn_grid_side(&g, 1, x), -1, "from a hair below 0");
  ok(x[0] >= 0.0 && x[0] < 10.0, "it is in the domain: %g", x[0]);
  g.side[0] = WN_SIDE_REFLECT, g.side[1] = WN_SIDE_ABSORB;
  g.side[2] = WN_SIDE_OPEN, g.side[3] = WN_SIDE_REFLECT;
  x[0] = -0.5, x[1] = 10.5, x[2] = 5.0;
  is_int(wn_grid_side(&g, 3, x), -1, "mirrors keep it");
  ok(x[0] == 0.5 && x[1] == 9.5 && x[2] == 5.0, "at the image: %g %g", x[0], x[1]);
  x[0] = 10.0;
  is_int(wn_grid_side(&g, 3, x), -1, "on a wall it is in");
  x[0] = 10.5, x[1] = -0.5;
  is_int(wn_grid_side(&g, 3, x), 1, "beyond two walls: the first");
  x[0] = 1.0, x[1] = -0.5;
  is_int(wn_grid_side(&g, 3, x), 2, "beyond an open side");
  x[0] = NAN;
  is_int(wn_grid_side(&g, 3, x), 1, "no number is not in the domain");
}

/* ---- gather */

#define MAX_NODES 2048
static float e[4 * MAX_NODES];

static double plane(const double c[4], const double x[3])
{
  return c[0] + c[1] * x[0] + c[2] * x[1] + c[3] * x[2];
}

/* E_c linear in all coordinates, and where the spline along c is only constant, not along
 * that. */
static void linear(int dim, int shape, int gather)
{
  const int32_t cells[3] = {9, 6, 5};
  struct wn_grid_view g =
      grid_make(dim, shape, gather, cells, WN_SIDE_ABSORB, WN_SIDE_ABSORB, 1.0);
  double c[3][4], worst = 0.0, size = 0.0;
  int32_t node[3];
  for (int i = 0; i < dim; i++)
    for (int k = 0; k < 4; k++) {
      const int constant =
          shape == WN_SHAPE_NGP ||
          (shape == WN_SHAPE_CIC && gather == WN_GATHER_ENERGY && k == i + 1);
      c[i][k] = k > dim || (k > 0 && constant) ? 0.0 : 10.0 * (uniform() - 0.5);
    }
  for (int64_t i = 0; grid_next(&g, i, node); i++)
    for (int k = 0; k < dim; k++) {
      double x[3] = {node[0], node[1], node[2]};
      x[k] += gather == WN_GATHER_ENERGY ? 0.5 : 0.0;
      e[i * g.stride + k] = (float)plane(c[k], x);
      size = fmax(size, fabs(plane(c[k], x)));
    }
  g.e = e;
  for (int k = 0; k < 20000; k++) {
    double x[3] = {0.0, 0.0, 0.0};
    float got[3];
    int32_t cell[3];
    uint32_t part[3];
    for (int d = 0; d < dim; d++) {
      x[d] = k % 16 == 0 ? cells[d] : uniform() * cells[d];
      wn_place_of_length(&g, d, x[d], &cell[d], &part[d]);
    }
    wn_grid_gather(&g, dim, shape, gather, cell, part, got);
    for (int d = 0; d < dim; d++)
      worst = fmax(worst, fabs((double)got[d] - plane(c[d], x)));
  }
  /* the rounding of a node's value, of the place to 2^-24 and of three means: all below
   * 2^-24 of the largest value each, and the differences in them twice that */
  is_near(worst / size, 0.0, 8 * 0x1p-24, "%s, %s, %d-D: a linear field is what it is",
          shape_name[shape], gather == WN_GATHER_ENERGY ? "energy" : "momentum", dim);
}

/* phi at a place by the shape, in double precision. */
static double potential(const struct wn_grid_view *g, const double *phi,
                        const double x[3])
{
  double sum = 0.0;
  int32_t node[3];
  for (int64_t i = 0; grid_next(g, i, node); i++) {
    double w = 1.0;
    for (int d = 0; d < g->dim; d++) {
      const double r = fabs(x[d] - node[d]);
      w *= g->shape == WN_SHAPE_CIC ? fmax(0.0, 1.0 - r)
           : r < 0.5                ? 0.75 - r * r
           : r < 1.5                ? 0.5 * (1.5 - r) * (1.5 - r)
                                    : 0.0;
    }
    sum += w * phi[i];
  }
  return sum;
}

static void gradient(int dim, int shape)
{
  const int32_t cells[3] = {6, 5, 4};
  struct wn_grid_view g =
      grid_make(dim, shape, WN_GATHER_ENERGY, cells, WN_SIDE_ABSORB, WN_SIDE_ABSORB, 1.0);
  static double phi[MAX_NODES];
  double worst = 0.0;
  int32_t node[3];
  const int64_t nodes = wn_grid_nodes(&g);
  for (int64_t i = 0; i < nodes; i++)
    phi[i] = uniform();
  for (int64_t i = 0; grid_next(&g, i, node); i++)
    for (int k = 0; k < dim; k++)
      e[i * g.stride + k] =
          node[k] <= cells[k] ? (float)(phi[i] - phi[i + g.step[k]]) : 0.0f;
  g.e = e;
  const double step = 0x1p-12;
  for (int k = 0; k < 500; k++) {
    double x[3] = {0.0, 0.0, 0.0};
    float got[3];
    int32_t cell[3];
    uint32_t part[3];
    for (int d = 0; d < dim; d++) { /* away from the joints of the splines */
      x[d] =
          floor(uniform() * cells[d]) + (double)(k % 2) * 0.5 + 0.01 + 0.48 * uniform();
      wn_place_of_length(&g, d, x[d], &cell[d], &part[d]);
    }
    wn_grid_gather(&g, dim, shape, WN_GATHER_ENERGY, cell, part, got);
    for (int d = 0; d < dim; d++) {
      double up[3] = {x[0], x[1], x[2]}, down[3] = {x[0], x[1], x[2]};
      up[d] += step, down[d] -= step;
      const double slope =
          (potential(&g, phi, up) - potential(&g, phi, down)) / (2.0 * step);
      worst = fmax(worst, fabs((double)got[d] + slope));
    }
  }
  /* differences of a parabola are its slope; phi is of order 1 */
  is_near(worst, 0.0, 8 * 0x1p-24, "%s, %d-D: by `energy` E is minus the slope of phi",
          shape_name[shape], dim);
}

/* Forces of a deposit, a symmetric solver and a gather in a periodic square: E of a charge
 * at a node is odd in the distance from it.  E at the node's own place is 0. */
#define N 8
static void solve(const struct wn_grid_view *g, const double *rho)
{
  for (int32_t y = -1; y <= N + 1; y++)
    for (int32_t x = -1; x <= N + 1; x++) {
      double sum[2] = {0.0, 0.0};
      for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++) {
          const double a = 2.0 * 3.14159265358979323846 / N * (x - i),
                       b = 2.0 * 3.14159265358979323846 / N * (y - j);
          sum[0] += rho[j * N + i] * sin(a) * (1.0 + 0.3 * cos(b));
          sum[1] += rho[j * N + i] * (sin(b) + 0.4 * sin(2.0 * b)) * (1.5 + cos(a));
        }
      for (int k = 0; k < 2; k++)
        e[(g->first + x + y * g->step[1]) * 2 + k] = (float)sum[k];
    }
}

static double force(struct wn_grid_view *g, int n, const double x[][2],
                    const double charge[], double *largest)
{
  double rho[N * N] = {0.0}, sum[2] = {0.0, 0.0};
  int32_t cell[2][3];
  uint32_t part[2][3];
  for (int p = 0; p < n; p++) {
    uint64_t q[WN_MAX_REACH] = {0};
    for (int d = 0; d < 2; d++)
      wn_place_of_length(g, d, x[p][d], &cell[p][d], &part[p][d]);
    wn_grid_divide(2, g->shape, part[p], (uint64_t)1 << 31, 0, q);
    for (int i = 0; i < reach(2, g->shape); i++) {
      int32_t node[2];
      for (int d = 0; d < 2; d++)
        node[d] = wn_spline_first(g->shape, 0, cell[p][d], part[p][d]);
      node[0] = (node[0] + i % (g->shape + 1) + N) % N;
      node[1] = (node[1] + i / (g->shape + 1) + N) % N;
      rho[node[1] * N + node[0]] += charge[p] * (double)q[i] * 0x1p-31;
    }
  }
  solve(g, rho);
  g->e = e;
  for (int p = 0; p < n; p++) {
    float got[3];
    wn_grid_gather(g, 2, g->shape, g->gather, cell[p], part[p], got);
    for (int d = 0; d < 2; d++) {
      sum[d] += charge[p] * (double)got[d];
      *largest = fmax(*largest, fabs(charge[p] * (double)got[d]));
    }
  }
  return fmax(fabs(sum[0]), fabs(sum[1]));
}

static void momentum(int shape)
{
  const int32_t cells[3] = {N, N, 1};
  struct wn_grid_view g = grid_make(2, shape, WN_GATHER_MOMENTUM, cells, WN_SIDE_PERIODIC,
                                    WN_SIDE_PERIODIC, 1.0);
  double self = 0.0, pair = 0.0, largest = 0.0, dummy = 0.0;
  for (int k = 0; k < 200; k++) {
    const double x[2][2] = {{N * uniform(), N * uniform()},
                            {N * uniform(), N * uniform()}};
    const double charge[2] = {1.0, uniform() < 0.5 ? 1.0 : -2.0};
    self = fmax(self, force(&g, 1, x, charge, &dummy));
    pair = fmax(pair, force(&g, 2, x, charge, &largest));
  }
  /* A charge is 2^31 quanta, so that what is left is the rounding of E at the nodes, of the
   * place to 2^-24 and of the two means: a few 2^-24 */
  is_near(self / largest, 0.0, 8 * 0x1p-24, "%s: no self-force", shape_name[shape]);
  is_near(pair / largest, 0.0, 8 * 0x1p-24, "%s: two push each other equally",
          shape_name[shape]);
}

int main(void)
{
  plan(0);
  draw_state = 710;
  for (int order = 0; order < WN_N_SHAPES; order++) {
    for (int dim = 1; dim <= 3; dim++)
      partition(dim, order);
    moments(order);
    momentum(order);
  }
  rounding();
  quanta();
  places();
  sides();
  for (int dim = 1; dim <= 3; dim++)
    for (int shape = 0; shape < WN_N_SHAPES; shape++) {
      linear(dim, shape, WN_GATHER_MOMENTUM);
      if (shape == WN_SHAPE_NGP)
        continue;
      linear(dim, shape, WN_GATHER_ENERGY);
      gradient(dim, shape);
    }
  return done();
}
