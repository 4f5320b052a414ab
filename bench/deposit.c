/* bench/deposit.c - the charge of particles on a grid in the memory of a GPU, by every
 * variant of fields/deposit_gpu.h, and nothing else: the particles stay where they are.
 *
 *   bench/deposit [--kind 1d3v|2d2v|2d3v|3d3v] [--cells N[,N[,N]]] [--particles N]
 *                 [--tries N]
 *
 * Without options the cases are that of the scheduler study, 26e6 particles on
 * 128 x 128 x 2 cells (3d3v), and that of a public tiled code, 2-D, 1024^2 cells with 36
 * particles each (2d2v, warm); CIC, periodic, weights 1, and a few more from which `auto`
 * was taken.  Each with the particles at random, in the order of cells, and as `tile` has
 * ordered them.  The spread of velocities is 1 and the step 0.025 in units of cells.
 *
 * A row is the best of some tries of some deposits each, by the host's clock: ms a deposit,
 * ps a particle, and the part of the copying rate that reading each record once would be. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/clock.h"
#include "base/error.h"
#include "bench/gpu_plasma.h"
#include "bench/unit_grid.h"
#include "device/gpu.h"
#include "fields/deposit_gpu.h"
#include "physics/constants.h"

#define DEPOSITS      4     /* of a try */
#define PRIVATE_NODES 57856 /* that fit into the shared memory of a block of sm_90 */

struct what {
  int kind;
  int32_t cells[3];
  size_t n;
};

static const struct what standard[] = {{WN_POINT_3D3V, {128, 128, 2}, 26000000},
                                       {WN_POINT_2D2V, {1024, 1024, 1}, 37748736},
                                       {WN_POINT_3D3V, {128, 128, 128}, 62914560},
                                       {WN_POINT_1D3V, {1024, 1, 1}, 10000000},
                                       {WN_POINT_2D2V, {128, 128, 1}, 10000000},
                                       {WN_POINT_2D2V, {128, 128, 1}, 1000000},
                                       {WN_POINT_2D2V, {128, 128, 1}, 250000}};

static const char *const kinds[] = {"1d3v", "2d2v", "2d3v", "3d3v"};

static void die(const char *why)
{
  fprintf(stderr, "bench/deposit: %s\n", why);
  exit(1);
}

static struct wn_points points_of(const struct what *w)
{
  const struct wn_grid_view g = unit_grid(wn_point_dim(w->kind), WN_SHAPE_CIC, w->cells);
  struct wn_points m = {
      .grid = g, .kind = w->kind, .charge = -WN_E, .mass = WN_ME, .dt = 0.025};
  wn_points_prepare(&m);
  return m;
}

/* What a case has on the device. */
struct bench {
  struct wn_gpu *gpu;
  struct wn_points m;
  struct wn_particles p;
  int64_t *quanta;
  uint64_t *misfits;
  double copy; /* bytes/s */
  size_t n;
  int tries;
};

static int measure(struct bench *b, const char *order, enum wn_deposit_gpu way)
{
  double best = INFINITY;
  for (int k = 0; k <= b->tries; k++) { /* the first is a warm-up */
    const double begin = wn_clock_now();
    for (int i = 0; i < DEPOSITS; i++)
      WN_TRY(wn_deposit_gpu_points(b->gpu, way, &b->m, &b->p, 0, b->quanta, b->misfits));
    WN_TRY(wn_gpu_drain(b->gpu));
    const double took = (wn_clock_now() - begin) / DEPOSITS;
    best = k > 0 && took < best ? took : best;
  }
  const double least = (double)(b->n * b->p.record.bytes) / b->copy;
  printf("  %-7s %-10s %8.4f ms %8.2f ps %6.1f %%\n", order, wn_deposit_gpu_name(way),
         1e3 * best, 1e12 * best / (double)b->n, 100.0 * least / best);
  fflush(stdout);
  return WN_OK;
}

static int all_ways(struct bench *b, const char *order, int with_tile)
{
  double nodes = 1.0;
  for (int d = 0; d < b->m.grid.dim; d++)
    nodes *= b->m.grid.cells[d] + 1;
  for (int way = 0; way < WN_N_DEPOSITS; way++) {
    if (way == WN_DEPOSIT_TILE && !with_tile)
      continue; /* it would make its order */
    if (way == WN_DEPOSIT_PRIVATE && nodes > PRIVATE_NODES)
      continue; /* refused */
    WN_TRY(measure(b, order, (enum wn_deposit_gpu)way));
  }
  return WN_OK;
}

static int measure_case(struct wn_gpu *gpu, const struct what *w, double copy, int tries)
{
  const struct wn_record record = wn_particles_points(w->kind);
  struct bench b = {
      .gpu = gpu, .m = points_of(w), .copy = copy, .n = w->n, .tries = tries};
  const union wn_word one[8] = {{0}};
  int64_t *misfits;
  printf("%s, %d x %d x %d cells, %zu particles, %zu bytes each\n", kinds[w->kind],
         b.m.grid.cells[0], b.m.grid.cells[1], b.m.grid.cells[2], w->n, record.bytes);
  WN_TRY(wn_bench_quanta(gpu, (size_t)wn_grid_nodes(&b.m.grid), &b.quanta));
  WN_TRY(wn_bench_quanta(gpu, 1, &misfits));
  b.misfits = (uint64_t *)(void *)misfits;
  WN_TRY(wn_particles_init(&b.p, &record, 1, w->n));
  WN_TRY(wn_particles_append(&b.p, one, 1));
  WN_TRY(wn_bench_points(gpu, &b.m, w->n, 1.0, 1, &b.p));
  WN_TRY(all_ways(&b, "random", 0));
  WN_TRY(wn_bench_points(gpu, &b.m, w->n, 1.0, 0, &b.p));
  WN_TRY(all_ways(&b, "cells", 0));
  double begin = 0.0;
  for (int k = 0; k < 2; k++) { /* the first takes memory, too */
    WN_TRY(wn_bench_points(gpu, &b.m, w->n, 1.0, 1, &b.p));
    WN_TRY(wn_gpu_drain(gpu));
    begin = wn_clock_now();
    WN_TRY(
        wn_deposit_gpu_points(gpu, WN_DEPOSIT_TILE, &b.m, &b.p, 0, b.quanta, b.misfits));
    WN_TRY(wn_gpu_drain(gpu));
  }
  printf("  random  order and tile %.4f ms\n", 1e3 * (wn_clock_now() - begin));
  WN_TRY(all_ways(&b, "tiles", 1));
  wn_particles_clear(&b.p);
  return WN_OK; /* the arrays of the grid go with the process */
}

static int read_options(int argc, char **argv, struct what *w, int *tries)
{
  int asked = 0;
  for (int i = 1; i < argc; i += 2) {
    const char *key = argv[i], *value = i + 1 < argc ? argv[i + 1] : "";
    int n[3] = {0, 0, 0}, kind = 0;
    asked |= strcmp(key, "--tries") != 0;
    if (strcmp(key, "--kind") == 0) {
      while (kind < WN_N_POINTS && strcmp(value, kinds[kind]) != 0)
        kind++;
      if (kind == WN_N_POINTS)
        die("--kind takes 1d3v, 2d2v, 2d3v or 3d3v");
      w->kind = kind;
    } else if (strcmp(key, "--particles") == 0 && atof(value) >= 1.0) {
      w->n = (size_t)atof(value);
    } else if (strcmp(key, "--tries") == 0 && atoi(value) > 0) {
      *tries = atoi(value);
    } else if (strcmp(key, "--cells") == 0) {
      const int given = sscanf(value, "%d,%d,%d", &n[0], &n[1], &n[2]);
      for (int d = 0; d < 3; d++)
        w->cells[d] = given > 0 ? n[d < given ? d : given - 1] : 0;
      if (w->cells[0] < 1 || w->cells[1] < 1 || w->cells[2] < 1)
        die("--cells takes one to three numbers above 0");
    } else {
      die("an option that is not known, or without its number");
    }
  }
  return asked;
}

int main(int argc, char **argv)
{
  struct what w = standard[0];
  struct wn_gpu *gpu;
  double copy;
  int tries = 10, status = WN_OK;
  const int asked = read_options(argc, argv, &w, &tries);
  if (wn_gpu_open(0, &gpu) != WN_OK || wn_bench_copy_rate(gpu, &copy) != WN_OK)
    return 1;
  printf("copy %.3f TB/s\n", copy * 1e-12);
  for (size_t k = 0; k < (asked ? 1 : sizeof standard / sizeof *standard); k++)
    if (status == WN_OK)
      status = measure_case(gpu, asked ? &w : &standard[k], copy, tries);
  wn_gpu_close(gpu);
  return status != WN_OK;
}
