/* bench/sparse.c - the step of a plasma on sparse grids of a GPU (fields/sparse/sparse_gpu.h), part by part.
 *
 *   bench/sparse [--levels N] [--particles N] [--least N] [--tries N] [--tile N] [--ways] [--nodes] [--particle]
 *
 * Without options the cases are those of published runs in three dimensions: 7 levels with 3.45e6 particles and
 * with 1.35e7, 9 levels with 9.01e7; 3d3v, all sides periodic, cells of the full grid 1, spread of velocities 1,
 * step 0.025, weights 1.  A row of the deposit is the best of some tries by the host's clock: ms, ps a particle,
 * and the part of the copying rate that reading each record once would be; with the particles at random and, --ways,
 * in the order of cells.  Then the best of the solve (rho, phi and E of all components), of the combination, and the
 * mean of whole steps, by scheduler `dynamic` and by `tiles`, which keeps an order.  Both with E combined at nodes of
 * the full grid, and at the particle; --nodes, --particle: one of them alone. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/clock.h"
#include "base/error.h"
#include "bench/gpu_plasma.h"
#include "bench/unit_grid.h"
#include "device/gpu.h"
#include "fields/sparse/sparse_gpu.h"
#include "physics/constants.h"
#include "schedulers/scheduler.h"

#define REPEATS 4  /* of a try */
#define STEPS   16 /* of a whole run, after as many */

struct what {
  int levels, least;
  size_t n;
};

static const struct what standard[] = {
    {7, 1, 3450000}, {7, 1, 13500000}, {9, 1, 90100000}};
static const char *const ways[] = {
#define X(symbol, name) name,
    WN_SPARSE_DEPOSIT_LIST(X)
#undef X
};

struct bench {
  struct wn_gpu *gpu;
  struct wn_points m;
  struct wn_particles p;
  struct wn_components c;
  struct wn_sparse_gpu *f;
  double copy; /* bytes/s */
  int tries;
  enum wn_sparse_combined at;
  int32_t tile; /* cells along each axis of a tile of `tiles`; 0: its own */
};

static const double volt[6];

static int deposit_by(struct bench *b, enum wn_sparse_deposit way)
{
  WN_TRY(wn_sparse_gpu_clear(b->f, 0));
  return wn_sparse_gpu_deposit(b->f, way, 0, &b->m, &b->p, 0);
}

static int solve(struct bench *b, enum wn_sparse_deposit way)
{
  (void)way;
  return wn_sparse_gpu_solve(b->f, 0.0, volt);
}

static int combine(struct bench *b, enum wn_sparse_deposit way)
{
  (void)way;
  return wn_sparse_gpu_combine(b->f);
}

/* The best time of a part, s. */
static int best_of(struct bench *b,
                   int (*part)(struct bench *b, enum wn_sparse_deposit way),
                   enum wn_sparse_deposit way, double *best)
{
  *best = INFINITY;
  for (int k = 0; k <= b->tries; k++) { /* the first is a warm-up */
    const double begin = wn_clock_now();
    for (int i = 0; i < REPEATS; i++)
      WN_TRY(part(b, way));
    WN_TRY(wn_gpu_drain(b->gpu));
    const double took = (wn_clock_now() - begin) / REPEATS;
    *best = k > 0 && took < *best ? took : *best;
  }
  return WN_OK;
}

static int deposits(struct bench *b, const char *order, int all)
{
  const double least = (double)(b->p.n * b->p.record.bytes) / b->copy;
  for (int way = 0; way < (all ? WN_N_SPARSE_DEPOSITS : 1); way++) {
    double took;
    WN_TRY(best_of(b, deposit_by, (enum wn_sparse_deposit)way, &took));
    printf("  deposit, %-6s %-10s %8.4f ms %8.2f ps %6.1f %%\n", order, ways[way],
           1e3 * took, 1e12 * took / (double)b->p.n, 100.0 * least / took);
    fflush(stdout);
  }
  return WN_OK;
}

static int step(struct bench *b, const struct wn_scheduler_ops *ops,
                struct wn_scheduler *s, struct wn_model *model, struct wn_tally *tally)
{
  struct wn_field_view field = {.kind = WN_FIELD_GRID};
  field.of.grid = b->m.grid;
  WN_TRY(deposit_by(b, WN_SPARSE_AUTO));
  WN_TRY(wn_sparse_gpu_solve(b->f, 0.0, volt));
  WN_TRY(wn_sparse_gpu_combine(b->f));
  wn_sparse_view(&b->c, b->at, &field.of.grid);
  field.of.grid.e = wn_sparse_gpu_floats(b->f);
  model->ops->begin_step(model, 0.0, b->m.dt);
  WN_TRY(model->ops->set_field(model, &field));
  return wn_scheduler_step(ops, s, model, &b->p, tally);
}

static int whole_steps(struct bench *b, const char *name)
{
  const struct wn_scheduler_ops *ops;
  const struct wn_scheduler_options options = {
      .gpu = b->gpu, .tiles.cells = {b->tile, b->tile, b->tile}};
  static const struct wn_tally_shape shape = {.n_groups = 1};
  struct wn_scheduler *s;
  struct wn_tally tally;
  struct wn_model model;
  double begin = 0.0;
  WN_TRY(wn_scheduler_find(name, WN_DEVICE_CUDA, &ops));
  WN_TRY(ops->create(&options, &shape, &s));
  WN_TRY(wn_tally_init(&tally, &shape));
  WN_TRY(wn_model_init(&model, &wn_model_collisionless));
  struct wn_points *m = model.data;
  m->kind = b->m.kind;
  m->charge = b->m.charge;
  m->mass = b->m.mass;
  model.steps = 1;
  for (int k = 0; k < 2 * STEPS; k++) {
    if (k == STEPS) {
      WN_TRY(wn_gpu_drain(b->gpu));
      begin = wn_clock_now();
    }
    WN_TRY(step(b, ops, s, &model, &tally));
  }
  WN_TRY(wn_gpu_drain(b->gpu));
  printf("  whole step, `%s` %8.4f ms\n", name, 1e3 * (wn_clock_now() - begin) / STEPS);
  fflush(stdout);
  ops->free(s);
  wn_tally_clear(&tally);
  wn_model_clear(&model);
  return WN_OK;
}

static int measure(struct bench *b, int all_ways)
{
  double took;
  WN_TRY(wn_bench_points(b->gpu, &b->m, b->p.limit, 1.0, 1, &b->p));
  WN_TRY(deposits(b, "random", all_ways));
  if (all_ways) {
    WN_TRY(wn_bench_points(b->gpu, &b->m, b->p.limit, 1.0, 0, &b->p));
    WN_TRY(deposits(b, "cells", 1));
    WN_TRY(wn_bench_points(b->gpu, &b->m, b->p.limit, 1.0, 1, &b->p));
  }
  WN_TRY(best_of(b, solve, WN_SPARSE_AUTO, &took));
  printf("  solve          %8.4f ms\n", 1e3 * took);
  WN_TRY(best_of(b, combine, WN_SPARSE_AUTO, &took));
  printf("  combination    %8.4f ms\n", 1e3 * took);
  fflush(stdout);
  WN_TRY(whole_steps(b, "dynamic"));
  WN_TRY(whole_steps(b, "tiles"));
  WN_TRY(wn_sparse_gpu_misfits(b->f));
  printf("  memory of the GPU %.3g GB\n", 1e-9 * (double)wn_gpu_used(b->gpu));
  return WN_OK;
}

static int measure_case(const struct bench *with, const struct what *w, int all_ways)
{
  const struct wn_sparse_levels levels = wn_sparse_truncated(3, w->levels, w->least);
  const int32_t cells = 1 << w->levels, all[3] = {cells, cells, cells};
  const struct wn_record record = wn_particles_points(WN_POINT_3D3V);
  struct wn_electrostatic_spec spec = {
      .n_species = 1, .charge = {-WN_E}, .gpu = with->gpu};
  struct bench b = *with;
  const union wn_word one[8] = {{0}};
  WN_TRY(wn_components_make(&levels, &b.c));
  spec.grid = unit_grid(3, WN_SHAPE_CIC, all);
  spec.poisson.dim = 3;
  for (int d = 0; d < 3; d++)
    spec.poisson.cells[d] = (size_t)cells;
  wn_poisson_uniform(&spec.poisson, spec.grid.h);
  b.m = (struct wn_points){.grid = spec.grid,
                           .kind = WN_POINT_3D3V,
                           .charge = -WN_E,
                           .mass = WN_ME,
                           .dt = 0.025};
  wn_points_prepare(&b.m);
  printf("%d levels, %d grids with %lld nodes, %d parents with %lld, %zu particles, at "
         "%s\n",
         w->levels, b.c.n_components, (long long)b.c.nodes, b.c.n_parents,
         (long long)b.c.parent_nodes, w->n,
         b.at == WN_SPARSE_NODES ? "nodes" : "the particle");
  WN_TRY(wn_sparse_gpu_create(&spec, &b.c, b.at, &b.f));
  WN_TRY(wn_particles_init(&b.p, &record, 1, w->n));
  WN_TRY(wn_particles_append(&b.p, one, 1));
  WN_TRY(measure(&b, all_ways));
  wn_particles_clear(&b.p);
  wn_sparse_gpu_free(b.f);
  return WN_OK;
}

int main(int argc, char **argv)
{
  struct what w = {7, 1, 3450000};
  struct bench b = {.tries = 10};
  int asked = 0, all_ways = 0, only = -1, status = WN_OK;
  for (int i = 1; i < argc; i++) {
    const char *value = i + 1 < argc ? argv[i + 1] : "";
    if (strcmp(argv[i], "--ways") == 0) {
      all_ways = 1;
      continue;
    }
    if (strcmp(argv[i], "--nodes") == 0 || strcmp(argv[i], "--particle") == 0) {
      only = strcmp(argv[i], "--nodes") == 0 ? WN_SPARSE_NODES : WN_SPARSE_PARTICLE;
      continue;
    }
    i++;
    asked |= strcmp(argv[i - 1], "--tries") != 0 && strcmp(argv[i - 1], "--tile") != 0;
    if (strcmp(argv[i - 1], "--levels") == 0)
      w.levels = atoi(value);
    else if (strcmp(argv[i - 1], "--least") == 0)
      w.least = atoi(value);
    else if (strcmp(argv[i - 1], "--particles") == 0 && atof(value) >= 1.0)
      w.n = (size_t)atof(value);
    else if (strcmp(argv[i - 1], "--tries") == 0 && atoi(value) > 0)
      b.tries = atoi(value);
    else if (strcmp(argv[i - 1], "--tile") == 0)
      b.tile = atoi(value);
    else {
      fprintf(stderr, "bench/sparse: an option that is not known, or its number\n");
      return 1;
    }
  }
  if (wn_gpu_open(0, &b.gpu) != WN_OK || wn_bench_copy_rate(b.gpu, &b.copy) != WN_OK)
    return 1;
  printf("copy %.3f TB/s\n", b.copy * 1e-12);
  for (size_t k = 0; k < (asked ? 1 : sizeof standard / sizeof *standard); k++)
    for (int at = 0; at < WN_N_SPARSE_COMBINED; at++) {
      b.at = (enum wn_sparse_combined)at;
      if (status == WN_OK && (only < 0 || only == at))
        status = measure_case(&b, asked ? &w : &standard[k], all_ways);
    }
  wn_gpu_close(b.gpu);
  return status != WN_OK;
}
