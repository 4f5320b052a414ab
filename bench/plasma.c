/* bench/plasma.c - the particle part of a step of a plasma on a GPU: points that move in E
 * on a grid and leave their charge for the next step, order included, by scheduler `tiles`
 * and, for comparison, one thread a point in any order.
 *
 *   bench/plasma [--case warm|hot|cold] [--kind 2d2v|2d3v|3d3v|1d3v] [--cells N[,N[,N]]]
 *                [--per-cell N] [--steps N] [--tile N[,N[,N]]] [--chunk N] [--reorder N]
 *                [--sort] [--shape ngp|cic|tsc] [--scheduler NAME]
 *
 * The cases of a public tiled code: spread of velocities along each axis 1 (warm, hot) or 0
 * (cold), step 0.025 (hot: 0.1), in units in which a cell is 1.  Timed by the host's clock
 * after a warm-up of one order; a row has ps a particle and step, and the part of the
 * copying rate that reading and writing each record once would be. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/clock.h"
#include "base/error.h"
#include "bench/gpu_plasma.h"
#include "bench/unit_grid.h"
#include "device/gpu.h"
#include "physics/constants.h"
#include "schedulers/scheduler.h"

struct what {
  const char *name, *scheduler;
  int kind, shape;
  int32_t cells[3];
  double per_cell, v, dt;
  int steps;
  struct wn_scheduler_tiles tiles;
};

static void die(const char *why)
{
  fprintf(stderr, "bench/plasma: %s\n", why);
  exit(1);
}

static struct wn_grid_view grid_of(const struct what *w)
{
  return unit_grid(wn_point_dim(w->kind), w->shape, w->cells);
}

static int numbers(const char *text, int32_t out[3])
{
  int a[3];
  const int n = sscanf(text, "%d,%d,%d", &a[0], &a[1], &a[2]);
  for (int d = 0; d < 3 && n > 0; d++)
    out[d] = a[d < n ? d : n - 1];
  return n > 0;
}

static int word(const char *text, const char *const *list, int n)
{
  for (int i = 0; i < n; i++)
    if (strcmp(text, list[i]) == 0)
      return i;
  fprintf(stderr, "bench/plasma: no `%s`\n", text);
  exit(1);
}

static void set_case(struct what *w, int number)
{
  static const char *const name[] = {"warm", "hot", "cold"};
  w->name = name[number];
  w->v = number == 2 ? 0.0 : 1.0;
  w->dt = number == 1 ? 0.1 : 0.025;
}

static void read_options(int argc, char **argv, struct what *w)
{
  static const char *const cases[] = {"warm", "hot", "cold"},
                           *const kinds[] = {"1d3v", "2d2v", "2d3v", "3d3v"},
                           *const shapes[] = {"ngp", "cic", "tsc"};
  for (int i = 1; i < argc; i++) {
    const char *key = argv[i], *value = i + 1 < argc ? argv[i + 1] : "";
    int32_t n[3];
    if (strcmp(key, "--sort") == 0) {
      w->tiles.by_sort = 1;
      continue;
    }
    i++;
    if (strcmp(key, "--case") == 0)
      set_case(w, word(value, cases, 3));
    else if (strcmp(key, "--kind") == 0)
      w->kind = word(value, kinds, 4);
    else if (strcmp(key, "--shape") == 0)
      w->shape = word(value, shapes, 3);
    else if (strcmp(key, "--scheduler") == 0)
      w->scheduler = value;
    else if (strcmp(key, "--per-cell") == 0)
      w->per_cell = atof(value);
    else if (!numbers(value, n))
      die("an option without its number");
    else if (strcmp(key, "--cells") == 0)
      memcpy(w->cells, n, sizeof n);
    else if (strcmp(key, "--tile") == 0)
      memcpy(w->tiles.cells, n, sizeof n);
    else if (strcmp(key, "--chunk") == 0)
      w->tiles.chunk = n[0];
    else if (strcmp(key, "--reorder") == 0)
      w->tiles.reorder = n[0];
    else if (strcmp(key, "--steps") == 0)
      w->steps = n[0];
    else
      die("an option that is not known");
  }
}

static int measure(struct wn_gpu *gpu, const struct what *w, double copy)
{
  const struct wn_scheduler_ops *ops;
  const struct wn_scheduler_options options = {.gpu = gpu, .tiles = w->tiles};
  static const struct wn_tally_shape shape = {.n_groups = 1};
  struct wn_field_view field = {.kind = WN_FIELD_GRID};
  struct wn_scheduler *s;
  struct wn_particles p;
  struct wn_tally tally;
  struct wn_model model;
  const struct wn_record record = wn_particles_points(w->kind);
  float *e;
  size_t n = 1;
  WN_TRY(wn_scheduler_find(w->scheduler, WN_DEVICE_CUDA, &ops));
  WN_TRY(ops->create(&options, &shape, &s));
  WN_TRY(wn_tally_init(&tally, &shape));
  WN_TRY(wn_model_init(&model, &wn_model_collisionless));
  field.of.grid = grid_of(w);
  for (int d = 0; d < field.of.grid.dim; d++)
    n *= (size_t)w->cells[d];
  n = (size_t)((double)n * w->per_cell);
  WN_TRY(wn_bench_e(gpu, (size_t)(wn_grid_nodes(&field.of.grid) * field.of.grid.stride),
                    (float)(0.01 * WN_ME / WN_E), &e));
  field.of.grid.e = e;
  struct wn_points *m = model.data;
  m->kind = w->kind;
  m->charge = -WN_E;
  m->mass = WN_ME;
  model.steps = 1;
  model.ops->begin_step(&model, 0.0, w->dt);
  WN_TRY(model.ops->set_field(&model, &field));
  WN_TRY(wn_particles_init(&p, &record, 1, n));
  const union wn_word one[8] = {{0}};
  WN_TRY(wn_particles_append(&p, one, 1));
  WN_TRY(wn_bench_points(gpu, m, n, w->v, 0, &p));
  const int warm = w->tiles.reorder > 0 ? w->tiles.reorder : 16;
  double begin = 0.0;
  for (int k = 0; k < warm + w->steps; k++) {
    if (k == warm) {
      WN_TRY(wn_gpu_drain(gpu));
      begin = wn_clock_now();
    }
    WN_TRY(wn_scheduler_step(ops, s, &model, &p, &tally));
  }
  WN_TRY(wn_gpu_drain(gpu));
  const double each = (wn_clock_now() - begin) / w->steps / (double)n,
               least = 2.0 * (double)record.bytes / copy;
  printf("%-5s %-8s %d-D %5d^d %7.4g/cell %10zu  tile %d,%d,%d chunk %d reorder %d%s  "
         "%7.2f ps  %3.0f %% of copying\n",
         w->name, w->scheduler, field.of.grid.dim, w->cells[0], w->per_cell, n,
         w->tiles.cells[0], w->tiles.cells[1], w->tiles.cells[2], w->tiles.chunk,
         w->tiles.reorder, w->tiles.by_sort ? " sort" : "", each * 1e12,
         100.0 * least / each);
  fflush(stdout);
  ops->free(s);
  wn_particles_clear(&p);
  wn_tally_clear(&tally);
  wn_model_clear(&model);
  return WN_OK;
}

int main(int argc, char **argv)
{
  struct what w = {.scheduler = "tiles",
                   .kind = WN_POINT_2D2V,
                   .shape = WN_SHAPE_CIC,
                   .cells = {1024, 1024, 1024},
                   .per_cell = 36,
                   .steps = 64};
  struct wn_gpu *gpu;
  double copy;
  set_case(&w, 0);
  read_options(argc, argv, &w);
  if (wn_gpu_open(0, &gpu) != WN_OK || wn_bench_copy_rate(gpu, &copy) != WN_OK)
    return 1;
  printf("copy %.3f TB/s; ", copy * 1e-12);
  const int status = measure(gpu, &w, copy);
  wn_gpu_close(gpu);
  return status != WN_OK;
}
