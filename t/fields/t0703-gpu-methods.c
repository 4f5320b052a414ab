/* t0703-gpu-methods.c - defends: which method solves Poisson's equation on a GPU (fields/poisson/gpu_list.h),
 * and the forecast of its memory in every build.  Known without a GPU: a line without modes needs no memory;
 * transforms in shared memory have one buffer of the unknowns, all others two of at least those, and a
 * cosine's or sine's lines of twice the cells; r-z has a number a node and mode besides, and its modes where the
 * transforms have them; a grid that is divided among ranks needs on each about its part of that. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "fields/poisson/fft.h"
#include "fields/poisson/gpu.h"
#include "fields/poisson/gpu_layout.h"
#include "fields/poisson/gpu_list.h"
#include "fields/poisson/gpu_sines.h"
#include "physics/constants.h"
#include "physics/grid_view.h"
#include "t/tap/side_pairs.h"
#include "t/tap/tap.h"

/* The same sides along all axes. */
static struct wn_poisson_spec grid(int dim, size_t cells, enum wn_potential side,
                                   enum wn_poisson_method method, int ranks)
{
  struct wn_poisson_spec spec = {.dim = dim, .method = method, .ranks = ranks};
  for (int d = 0; d < dim; d++) {
    spec.cells[d] = cells;
    spec.side[2 * d] = spec.side[2 * d + 1] = side;
  }
  wn_poisson_uniform(&spec, (const double[3]){1e-4, 1e-4, 1e-4});
  return spec;
}

static struct wn_poisson_spec rz(size_t n_r, size_t n_z, int pair)
{
  struct wn_poisson_spec s = {
      .dim = 2,
      .cells = {n_r, n_z},
      .side = {WN_NEUMANN, WN_OPEN, side_pairs[pair][0], side_pairs[pair][1]}};
  s.geometry.dim = 2;
  s.geometry.axis[0] = wn_axis_radial((int32_t)n_r, 1.0, 1.0 / (double)n_r, WN_SHAPE_CIC);
  s.geometry.axis[1] = wn_axis_uniform((int32_t)n_z, 1.0, 1.0 / (double)n_z, pair == 0);
  return s;
}

/* Point j of the line whose transform has mode k alone: odd, even, or periodic of m points. */
static double point(int kind, size_t k, int j, int m)
{
  const double turn = 2.0 * WN_PI * (double)j / (double)m;
  return kind == WN_FFT_SINES     ? sin(turn * (double)(k + 1))
         : kind == WN_FFT_COSINES ? cos(turn * (double)k)
                                  : cos(turn * (double)k) + sin(turn * (double)k);
}

/* In r-z a column is a place in a transformed line: that of its mode and of no other. */
static void columns(size_t cells, int pair)
{
  struct wn_poisson_layout layout;
  struct wn_poisson_columns l;
  const struct wn_poisson_spec s = rz(5, cells, pair);
  wn_poisson_radial_layout(&s, &layout, &l);
  const int m = layout.lines[1][0].m;
  int wrong = 0, half = l.kind == WN_FFT_SINES_HALF || l.kind == WN_FFT_COSINES_HALF;
  for (int32_t c = 0; half && c < l.n;
       c++) { /* even modes in order, odd ones from the end */
    const int64_t k = wn_poisson_column_mode(&l, c);
    wrong += k < 0 || k >= l.modes || (k % 2 == 0 ? k / 2 : l.n - 1 - k / 2) != c;
  }
  const size_t different = l.kind == WN_FFT_PERIODIC ? cells / 2 + 1 : (size_t)l.modes;
  for (size_t k = 0; !half && k < different; k++)
    for (int32_t c = 0; c < l.n; c++) {
      const int at = l.at + c * l.step;
      double value = 0.0;
      for (int j = 0; j < m; j++) {
        const double turn = 2.0 * WN_PI * (double)(at / 2) * (double)j / (double)m;
        value += point(l.kind, k, j, m) * (at % 2 == 0 ? cos(turn) : -sin(turn));
      }
      const int is_own = wn_poisson_column_mode(&l, c) == (int64_t)k,
                is_none = at % 2 == 1 && l.kind == WN_FFT_PERIODIC &&
                          (k == 0 || 2 * k == cells); /* of real lines */
      wrong += (fabs(value) > 1e-9) != (is_own && !is_none);
    }
  is_int(wrong, 0, "r-z, %zu cells along z, sides %d: columns of all modes", cells, pair);
}

/* Of sines by gpu_radial_sines.cu a row has each mode once, and no mode first; memory is two arrays. */
static void sines(size_t cells)
{
  struct wn_poisson_layout layout;
  struct wn_poisson_columns l;
  const struct wn_poisson_spec s = rz(300, cells, 1);
  const int log2_cells = wn_poisson_sines_log2(&s);
  wn_poisson_radial_layout(&s, &layout, &l);
  int *times = calloc(cells, sizeof *times), wrong = 0;
  for (int32_t c = 0; times != NULL && c < l.n; c++) {
    const int64_t k = wn_poisson_column_mode(&l, c);
    wrong += k < -1 || k >= l.modes || (k == -1) != (c == 0) ||
             wn_poisson_sines_place(log2_cells, (int32_t)k + 1) != c;
    if (k >= -1 && k < l.modes)
      times[k + 1]++;
  }
  for (size_t i = 0; times != NULL && i < cells; i++)
    wrong += times[i] != 1;
  ok(times != NULL && log2_cells > 0 && (size_t)1 << log2_cells == cells && wrong == 0 &&
         l.n == (int32_t)cells && l.step == 1,
     "r-z, %zu cells between walls: each mode once", cells);
  free(times);
  const double bytes = (double)wn_poisson_gpu_bytes(&s),
               least = 8.0 * 2.0 * 301.0 * (double)cells;
  ok(bytes > least && bytes < 1.1 * least,
     "two arrays of modes: %.0f bytes of at least %.0f", bytes, least);
}

static void no_sines(void)
{
  struct wn_poisson_spec s = rz(9, 1000, 1);
  is_int(wn_poisson_sines_log2(&s), 0, "r-z, 1000 cells: no power of two");
  s = rz(9, 16384, 1);
  is_int(wn_poisson_sines_log2(&s), 0, "16384: more than fit");
  for (int pair = 0; pair < N_SIDE_PAIRS; pair++) {
    s = rz(9, 1024, pair);
    is_int(wn_poisson_sines_log2(&s), pair == 1 ? 10 : 0, "1024 cells, sides %d", pair);
  }
}

int main(void)
{
  static const struct {
    int dim;
    size_t cells;
    enum wn_potential side;
    enum wn_poisson_method method;
    int ranks;
    const char *name;
    double doubles; /* of all buffers at least; 0: no memory */
  } cases[] = {
      {1, 1000, WN_PERIODIC, WN_POISSON_DIFFERENCES, 1, "direct", 0.0},
      {1, 1000, WN_DIRICHLET, WN_POISSON_DIFFERENCES, 0, "direct", 0.0},
      {1, 1000, WN_OPEN, WN_POISSON_SPECTRAL, 1, "direct", 0.0},
      {1, 16384, WN_NEUMANN, WN_POISSON_DIFFERENCES, 1, "direct", 0.0},
      {1, 16385, WN_NEUMANN, WN_POISSON_DIFFERENCES, 1, "modes", 4.0 * 16385},
      {1, 1000, WN_DIRICHLET, WN_POISSON_SPECTRAL, 1, "modes", 4.0 * 1000},
      {1, 16385, WN_OPEN, WN_POISSON_DIFFERENCES, 1, "open", 4.0 * 16385},
      {2, 64, WN_PERIODIC, WN_POISSON_SPECTRAL, 1, "modes", 2.0 * 64 * 64},
      {2, 64, WN_OPEN, WN_POISSON_SPECTRAL, 1, "open", 8.0 * 64 * 64},
      {3, 32, WN_OPEN, WN_POISSON_DIFFERENCES, 1, "open", 16.0 * 32 * 32 * 32},
      {3, 32, WN_DIRICHLET, WN_POISSON_DIFFERENCES, 1, "shared", 31.0 * 31 * 31},
      {3, 32, WN_NEUMANN, WN_POISSON_SPECTRAL, 1, "shared", 33.0 * 33 * 33},
      {2, 64, WN_PERIODIC, WN_POISSON_DIFFERENCES, 1, "shared", 64.0 * 64},
      {2, 2048, WN_PERIODIC, WN_POISSON_DIFFERENCES, 1, "shared", 2048.0 * 2048},
      {2, 2049, WN_PERIODIC, WN_POISSON_DIFFERENCES, 1, "modes", 2.0 * 2049 * 2049},
      {2, 2048, WN_DIRICHLET, WN_POISSON_DIFFERENCES, 1, "modes", 4.0 * 2047 * 2047},
      {2, 509, WN_DIRICHLET, WN_POISSON_DIFFERENCES, 1, "shared", 508.0 * 508},
      {2, 64, WN_DIRICHLET, WN_POISSON_MULTIGRID, 1, "multigrid", 9.0 * 65 * 65},
      {3, 32, WN_PERIODIC, WN_POISSON_MULTIGRID, 0, "multigrid", 9.0 * 32 * 32 * 32},
      {3, 37, WN_DIRICHLET, WN_POISSON_DIFFERENCES, 1, "shared", 36.0 * 36 * 36},
      {3, 111, WN_DIRICHLET, WN_POISSON_DIFFERENCES, 1, "modes", 4.0 * 110 * 110 * 110},
      {2, 64, WN_PERIODIC, WN_POISSON_DIFFERENCES, 2, "slabs", 2.0 * 64 * 32},
      {3, 32, WN_NEUMANN, WN_POISSON_DIFFERENCES, 4, "slabs", 4.0 * 32 * 32 * 8},
  };
  static const char *const names[] = {
#define X(method) #method,
      WN_POISSON_GPU_LIST(X)
#undef X
  };
  plan(0);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const struct wn_poisson_spec spec = grid(cases[i].dim, cases[i].cells, cases[i].side,
                                             cases[i].method, cases[i].ranks);
    const double bytes = (double)wn_poisson_gpu_bytes(&spec),
                 least = 8 * cases[i].doubles;
    is_str(wn_poisson_gpu_method(&spec), cases[i].name, "grid %zu", i);
    ok(least > 0.0 ? bytes > least && bytes < 8.0 * least : bytes == 0.0,
       "its forecast: %.0f bytes, of the buffers at least %.0f", bytes, least);
  }
  for (size_t m = 0; m < sizeof names / sizeof *names; m++) {
    int is_there = strcmp(names[m], "radial") == 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
      is_there |= strcmp(names[m], cases[i].name) == 0;
    ok(is_there, "some grid takes method %s", names[m]);
  }
  for (int pair = 0; pair < N_SIDE_PAIRS; pair++) {
    const struct wn_poisson_spec s = rz(300, 200, pair);
    const double bytes = (double)wn_poisson_gpu_bytes(&s),
                 least = 8.0 * 301.0 * 199.0 * (pair == 1 || pair == 4 ? 5.0 : 3.0);
    ok(strcmp(wn_poisson_gpu_method(&s), "radial") == 0 && bytes > least &&
           bytes < 1.1 * least,
       "r-z, sides %d: %.0f bytes, of two buffers and the factors %.0f", pair, bytes,
       least);
    columns(12, pair);
    columns(7, pair);
  }
  for (size_t cells = 512; cells <= 8192; cells *= 2)
    sines(cells);
  no_sines();
  for (int ranks = 2; ranks <= 8; ranks *= 2) {
    struct wn_poisson_spec spec =
        grid(3, 128, WN_DIRICHLET, WN_POISSON_DIFFERENCES, ranks);
    const double part = (double)wn_poisson_gpu_bytes(&spec);
    spec.ranks = 1;
    /* three arrays of unknowns, and two buffers of lines of 2 x; the whole has one array */
    ok(part * ranks < 8.0 * (double)wn_poisson_gpu_bytes(&spec),
       "a rank of %d: %.0f bytes", ranks, part);
  }
  const struct wn_poisson_spec large =
      grid(3, (size_t)1 << 20, WN_PERIODIC, WN_POISSON_DIFFERENCES, 1);
  ok(wn_poisson_gpu_bytes(&large) == SIZE_MAX, "too large a grid is said to be");
  return done();
}
