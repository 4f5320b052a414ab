/* t0704-waves.c - defends: the amplitudes of waves (fields/waves.h) from nodes and from sums over
 * planes are the sums of their definition, and of a wave on a periodic grid its own amplitude. */
#include <math.h>
#include <stdlib.h>
#include "t/tap/drawn_waves.h"
#include "t/tap/tap.h"

static const int32_t cells[3] = {5, 4, 7};

/* Factor (part 0 or 1 of the complex number) of wave m at node i of axis d. */
static double factor(const struct wn_waves *w, size_t m, int d, size_t i, int part)
{
  size_t at = m * wn_waves_row(w);
  for (int a = 0; a < d; a++)
    at += w->nodes[a];
  return w->factor[2 * (at + i) + (size_t)part];
}

static double share(const struct wn_waves *w, int d, size_t i)
{
  size_t at = 0;
  for (int a = 0; a < d; a++)
    at += w->nodes[a];
  return w->part[at + i];
}

/* Product of the factors and parts of the first `axes` axes at a node. */
static void product(const struct wn_waves *w, size_t m, int axes, const size_t at[3],
                    double out[2])
{
  out[0] = 1.0;
  out[1] = 0.0;
  for (int d = 0; d < axes; d++) {
    const double re = factor(w, m, d, at[d], 0), im = factor(w, m, d, at[d], 1),
                 part = share(w, d, at[d]), old = out[0];
    out[0] = part * (out[0] * re - out[1] * im);
    out[1] = part * (old * im + out[1] * re);
  }
}

static void drawn(int dim)
{
  struct wn_waves w = drawn_waves(dim, cells);
  const size_t n = w.nodes[0] * w.nodes[1] * w.nodes[2], planes = w.nodes[dim - 1];
  double *x = calloc(n, sizeof *x), *sum = calloc(2 * w.n * planes, sizeof *sum);
  double wanted[DRAWN_WAVES][2] = {{0.0}}, of_nodes[DRAWN_WAVES][2],
         of_planes[DRAWN_WAVES][2], volume = 1.0, worst[2] = {0.0, 0.0};
  for (size_t i = 0; i < n; i++)
    x[i] = 2.0 * uniform() - 1.0;
  for (int d = 0; d < dim; d++)
    volume *= (double)cells[d];
  for (size_t m = 0; m < w.n; m++)
    for (size_t i = 0; i < n; i++) {
      const size_t at[3] = {i % w.nodes[0], i / w.nodes[0] % w.nodes[1],
                            i / w.nodes[0] / w.nodes[1]};
      double all[2], plane[2];
      product(&w, m, 3, at, all);
      product(&w, m, dim - 1, at, plane);
      for (int c = 0; c < 2; c++) {
        wanted[m][c] += x[i] * all[c] / volume;
        sum[2 * (at[dim - 1] * w.n + m) + (size_t)c] += x[i] * plane[c];
      }
    }
  wn_waves_of_nodes(&w, x, of_nodes[0]);
  wn_waves_of_planes(&w, dim - 1, sum, of_planes[0]);
  for (size_t m = 0; m < w.n; m++)
    for (int c = 0; c < 2; c++) {
      worst[0] = fmax(worst[0], fabs(of_nodes[m][c] - wanted[m][c]));
      worst[1] = fmax(worst[1], fabs(of_planes[m][c] - wanted[m][c]));
    }
  ok(worst[0] < 1e-14, "%d-D, from nodes: off by %.2g", dim, worst[0]);
  ok(worst[1] < 1e-14, "%d-D, from planes: off by %.2g", dim, worst[1]);
  free(x);
  free(sum);
  drawn_waves_free(&w);
}

/* cos(2 pi 2 x/L) of 6 cells: half of it belongs to exp(-i k x) with 2 waves, nothing to 1. */
static void own_amplitude(void)
{
  enum { CELLS = 6, NODES = CELLS + 1 };
  double x[NODES], part[NODES + 2], f[2][NODES + 2][2], out[2][2];
  for (int i = 0; i < NODES + 2; i++) {
    part[i] = i == 0 || i == CELLS ? 0.5 : 1.0;
    for (int m = 0; m < 2; m++) {
      const double turn = 2.0 * acos(-1.0) * (m + 1) * i / CELLS;
      f[m][i][0] = i < NODES ? cos(turn) : 1.0;
      f[m][i][1] = i < NODES ? -sin(turn) : 0.0;
    }
    if (i < NODES)
      x[i] = f[1][i][0];
  }
  const struct wn_waves w = {
      .n = 2, .nodes = {NODES, 1, 1}, .factor = &f[0][0][0], .part = part};
  wn_waves_of_nodes(&w, x, out[0]);
  ok(fabs(out[1][0] - 0.5) < 1e-14 && fabs(out[1][1]) < 1e-14 &&
         fabs(out[0][0]) < 1e-14 && fabs(out[0][1]) < 1e-14,
     "a standing wave of amplitude 1: %.15g, %.2g, and %.2g, %.2g of the other",
     out[1][0], out[1][1], out[0][0], out[0][1]);
}

int main(void)
{
  plan(0);
  draw_state = 704;
  for (int dim = 1; dim <= 3; dim++)
    drawn(dim);
  own_amplitude();
  return done();
}
