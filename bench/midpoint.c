/* bench/midpoint.c - particles in E and B on nodes (model `midpoint`) on a GPU, by scheduler `tiles`, with the
 * ten moments of each step and without, order included.
 *
 *   bench/midpoint [--dim 2|3] [--cells N[,N[,N]]] [--per-cell N] [--species N] [--steps N] [--iterations N]
 *                  [--chunk N] [--tile N[,N[,N]]] [--reorder N]
 *
 * Electrons and ions in turn, as in gem-2d.cfg: an angle of gyration of 0.3 a step, of ions 64 times less; 0.07 and 0.02 cells a
 * step along each axis.  A row has
 * ps a particle and step, by the host's clock after a warm-up of one order, of all species in turn; `copy`
 * is what reading and writing each record once would take at the measured rate.  Moments stay on the GPU;
 * at last those of one species are fetched and their charge is compared with the number of particles. */
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
#include "physics/midpoint.h"
#include "physics/node_values.h"
#include "schedulers/scheduler.h"

#define MOST_SPECIES 8
#define WARM         20   /* steps: an order and the next */
#define SPEED        0.28 /* cells a unit of time; a step is 0.25 */

struct what {
  int dim, species, steps, iterations;
  int32_t cells[3];
  size_t per_cell;
  struct wn_scheduler_tiles tiles;
};

struct species {
  struct wn_particles p;
  struct wn_model model;
};

static void die(const char *why)
{
  fprintf(stderr, "bench/midpoint: %s\n", why);
  exit(1);
}

static void read_options(int argc, char **argv, struct what *w)
{
  for (int i = 1; i < argc; i += 2) {
    const char *name = argv[i];
    if (i + 1 == argc)
      die("each option has a value: see the head of bench/midpoint.c");
    const char *value = argv[i + 1];
    if (strcmp(name, "--dim") == 0)
      w->dim = atoi(value);
    else if (strcmp(name, "--per-cell") == 0)
      w->per_cell = (size_t)strtoull(value, NULL, 10);
    else if (strcmp(name, "--species") == 0)
      w->species = atoi(value);
    else if (strcmp(name, "--steps") == 0)
      w->steps = atoi(value);
    else if (strcmp(name, "--iterations") == 0)
      w->iterations = atoi(value);
    else if (strcmp(name, "--chunk") == 0)
      w->tiles.chunk = atoi(value);
    else if (strcmp(name, "--reorder") == 0)
      w->tiles.reorder = atoi(value);
    else if (strcmp(name, "--tile") == 0)
      sscanf(value, "%d,%d,%d", &w->tiles.cells[0], &w->tiles.cells[1],
             &w->tiles.cells[2]);
    else if (strcmp(name, "--cells") != 0 ||
             sscanf(value, "%d,%d,%d", &w->cells[0], &w->cells[1], &w->cells[2]) < 1)
      die("no such option: see the head of bench/midpoint.c");
  }
  if (w->cells[0] == 0) {
    const int32_t flat[3] = {1024, 512, 1}, cube[3] = {64, 64, 64};
    memcpy(w->cells, w->dim == 2 ? flat : cube, sizeof w->cells);
  }
  if (w->per_cell == 0)
    w->per_cell = w->dim == 2 ? 125 : 64;
  if (w->dim < 2 || w->dim > 3 || w->species < 1 || w->species > MOST_SPECIES ||
      w->steps < 1 || w->iterations < 1)
    die("out of range: see the head of bench/midpoint.c");
}

static int release(struct wn_gpu *gpu, const struct what *w,
                   const struct wn_field_view *f, size_t n, int is_ion, struct species *s)
{
  const int kind = w->dim == 2 ? WN_POINT_2D3V : WN_POINT_3D3V;
  const struct wn_record record = wn_particles_points(kind);
  const union wn_word one[8] = {{0}};
  WN_TRY(wn_model_init(&s->model, &wn_model_midpoint));
  struct wn_midpoint *m = s->model.data;
  m->points.kind = kind;
  m->points.charge = -WN_E;
  m->points.mass = is_ion ? 64.0 * WN_ME : WN_ME;
  m->mover = WN_NODAL_MIDPOINT;
  m->iterations = w->iterations;
  m->substeps = 1;
  m->most_turn = m->most_cells = (double)INFINITY;
  s->model.steps = 1;
  s->model.ops->begin_step(&s->model, 0.0, 0.25);
  WN_TRY(s->model.ops->set_field(&s->model, f));
  WN_TRY(wn_particles_init(&s->p, &record, 1, n));
  WN_TRY(wn_particles_append(&s->p, one, 1));
  return wn_bench_points(gpu, &m->points, n, is_ion ? 0.28 * SPEED : SPEED, 0, &s->p);
}

static struct wn_node_values values_of(const struct species *s)
{
  const struct wn_midpoint *m = s->model.data;
  struct wn_node_values v = {.what = WN_NODE_TEN,
                             .n = WN_TEN_MOMENTS,
                             .per_unit = 0.25, /* above 5 times SPEED */
                             .grid.points = m->points};
  return v;
}

static int check(struct species *s, size_t nodes)
{
  const struct wn_node_values v = values_of(s);
  wn_i128 *sums, all = 0;
  uint64_t misfits;
  WN_TRY(s->p.remote_ops->sum_at_nodes(s->p.remote, &s->p, &v, nodes * WN_TEN_MOMENTS,
                                       &sums, &misfits));
  for (size_t i = 0; i < nodes; i++)
    all += sums[i * WN_TEN_MOMENTS];
  if (misfits != 0 || all != (wn_i128)s->p.n * WN_QUANTA)
    die("the charge on the nodes is not that of the particles");
  return WN_OK;
}

static int measure(struct wn_gpu *gpu, const struct what *w, double copy)
{
  const struct wn_scheduler_options options = {.gpu = gpu, .tiles = w->tiles};
  const struct wn_tally_shape shape = {.n_surfaces = WN_SIDES};
  const struct wn_scheduler_ops *ops;
  struct wn_field_view field = {.kind = WN_FIELD_GRID};
  struct species *s = calloc((size_t)w->species, sizeof *s);
  struct wn_scheduler *by;
  struct wn_tally tally;
  float *eb;
  size_t n = w->per_cell;
  if (s == NULL)
    die("no memory");
  field.of.grid = unit_grid(w->dim, WN_SHAPE_CIC, w->cells);
  const size_t nodes = (size_t)wn_grid_nodes(&field.of.grid);
  for (int d = 0; d < w->dim; d++)
    n *= (size_t)w->cells[d];
  WN_TRY(wn_scheduler_find("tiles", WN_DEVICE_CUDA, &ops));
  WN_TRY(ops->create(&options, &shape, &by));
  WN_TRY(wn_tally_init(&tally, &shape));
  WN_TRY(wn_bench_eb(gpu, nodes, (float)(1e-4 * 8.0 * WN_ME / WN_E),
                     (float)(0.15 * 8.0 * WN_ME / WN_E), &eb));
  field.of.grid.eb = eb;
  for (int k = 0; k < w->species; k++)
    WN_TRY(release(gpu, w, &field, n, k % 2, &s[k]));
  for (int with = 0; with < 2; with++) {
    double begin = 0.0;
    for (int i = 0; i < WARM + w->steps; i++) {
      if (i == WARM) {
        WN_TRY(wn_gpu_drain(gpu));
        begin = wn_clock_now();
      }
      for (int k = 0; k < w->species; k++) {
        const struct wn_node_values v = values_of(&s[k]);
        if (with)
          WN_TRY(s[k].p.remote_ops->expect_at_nodes(s[k].p.remote, &v,
                                                    nodes * WN_TEN_MOMENTS));
        WN_TRY(wn_scheduler_step(ops, by, &s[k].model, &s[k].p, &tally));
      }
    }
    WN_TRY(wn_gpu_drain(gpu));
    printf(
        "%d-D %dx%dx%d, %d species of %zu, %d iterations, %-11s %7.2f ps  (copy %.2f)\n",
        w->dim, (int)w->cells[0], (int)w->cells[1], w->dim > 2 ? (int)w->cells[2] : 1,
        w->species, n, w->iterations, with ? "ten moments" : "mover",
        (wn_clock_now() - begin) / w->steps / (double)n / w->species * 1e12,
        2.0 * (double)s[0].p.record.bytes / copy * 1e12);
  }
  return check(&s[0], nodes);
}

int main(int argc, char **argv)
{
  struct what w = {.dim = 2, .species = 4, .steps = 48, .iterations = 3};
  struct wn_gpu *gpu;
  double copy;
  read_options(argc, argv, &w);
  if (wn_gpu_open(0, &gpu) != WN_OK || wn_bench_copy_rate(gpu, &copy) != WN_OK)
    return 1;
  const int status = measure(gpu, &w, copy);
  wn_gpu_close(gpu);
  return status != WN_OK;
}
