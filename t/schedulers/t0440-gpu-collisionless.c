/* t0440-gpu-collisionless.c - defends: points (model `collisionless`) move on a GPU with the bits
 * of the CPU under every scheduler, tile, order and chunk, for every record, shape, gather,
 * motion and kind of side; what ends at the sides is counted the same; the charge that
 * `tiles` leaves behind is that of fields/deposit.h to the quantum, also where the sums of
 * a tile overflow and where points are far from their tile; in r-z by the schedulers that take it; sums over all of them are those
 * of the CPU, the dead not among them.  Reference: `serial` in the same program. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "bench/study/lists.h"
#include "fields/deposit.h"
#include "physics/constants.h"
#include "schedulers/scheduler.h"
#include "t/schedulers/gpu_points.h"
#include "t/tap/gpu.h"
#include "t/tap/grid.h"
#include "t/tap/tap.h"

#ifndef WN_HAVE_CUDA
int gpu_points_e(struct wn_gpu *g, const float *e, size_t n, float **out)
{
  (void)g, (void)e, (void)n, (void)out;
  return WN_EINTERN;
}

void gpu_points_e_free(struct wn_gpu *g, float *e, size_t n)
{
  (void)g, (void)e, (void)n;
}

int gpu_points_charge(struct wn_gpu *g, const struct wn_particles *p, int64_t *quanta,
                      size_t n, double *dt)
{
  (void)g, (void)p, (void)quanta, (void)n, (void)dt;
  return WN_EINTERN;
}
#endif

static const char *const gather_name[] = {"momentum", "energy", "nested grids"};
static const char *const kind_name[] = {"1d3v", "2d2v", "2d3v", "3d3v"};
static const char *const shape_name[] = {"ngp", "cic", "tsc"};

static const struct {
  const char *name;
  int low, high;
} walls[] = {{"periodic", WN_SIDE_PERIODIC, WN_SIDE_PERIODIC},
             {"absorbing", WN_SIDE_ABSORB, WN_SIDE_ABSORB},
             {"a mirror and an open side", WN_SIDE_REFLECT, WN_SIDE_OPEN}};
#define N_WALLS (sizeof walls / sizeof walls[0])

static const struct {
  const char *name;
  int relativistic, rotation;
  unsigned steps; /* of a phase */
} motions[] = {{"slow", 0, WN_ROTATION_NONE, 2},
               {"slow in B", 0, WN_ROTATION_BORIS, 1},
               {"fast", 1, WN_ROTATION_NONE, 1},
               {"fast in B", 1, WN_ROTATION_BORIS, 1},
               {"fast in B by Higuera and Cary", 1, WN_ROTATION_HIGUERA_CARY, 1},
               {"slow, a step at a time", 0, WN_ROTATION_NONE, 1}};
#define PLAIN     5 /* the last of them, for which `tiles` has kernels of their own */
#define N_MOTIONS 5 /* the others */

#define H      1e-3
#define DT     2e-10
#define SPEED  3e6 /* m/s: 0.6 cells a step */
#define PHASES 7

/* How to do it: a scheduler and its tiles. */
static const struct {
  const char *name, *scheduler;
  struct wn_scheduler_tiles tiles;
} ways[] = {
    {"tiles", "tiles", {.cells = {0, 0, 0}}},
    {"tiles of 4, ordered each step, chunks of 100",
     "tiles",
     {.cells = {4, 4, 4}, .chunk = 100, .reorder = 1}},
    {"tiles of 8 x 2 x 4, by a sort, every third step",
     "tiles",
     {.cells = {8, 2, 4}, .reorder = 3, .by_sort = 1}},
    {"tiles of 2, never ordered again", "tiles", {.cells = {2, 2, 2}, .reorder = 1000}},
    {"dynamic", "dynamic", {.cells = {0, 0, 0}}},
    {"naive", "naive", {.cells = {0, 0, 0}}}};
#define N_WAYS  (sizeof ways / sizeof ways[0])
#define N_TILES 4 /* the first of them */

struct scene {
  struct wn_model model;
  struct wn_grid_view grid; /* e: on the host */
  float *e, *e_gpu;
  size_t n_e;
  struct wn_particles first; /* what all begin with */
};

/* What came of it. */
struct outcome {
  size_t n;
  unsigned char *records; /* of the living, sorted */
  struct wn_tally_surface surface[WN_SIDES];
  uint64_t deaths;
  wn_i128 sums[WN_POINT_SUMS], broken;
  int64_t *charge; /* folded, for the middle of the next step; NULL: not known */
};

static size_t record_bytes;

static int by_bytes(const void *a, const void *b)
{
  return memcmp(a, b, record_bytes);
}

/* E at the ends and in the guards of a periodic axis is that of the nodes that they are
 * copies of, as in every field. */
static void make_periodic(const struct wn_grid_view *g, float *e)
{
  int32_t node[3];
  for (int64_t i = 0; grid_next(g, i, node); i++) {
    int32_t of[3] = {0, 0, 0};
    for (int d = 0; d < g->dim; d++)
      of[d] = (node[d] + g->cells[d]) % g->cells[d];
    memcpy(&e[i * g->stride], &e[(int64_t)wn_grid_node(g, g->dim, of) * g->stride],
           (size_t)g->stride * sizeof *e);
  }
}

static struct scene scene_make(int kind, int shape, int gather, size_t wall,
                               size_t motion, size_t n, int crowded)
{
  static const int32_t cells[3] = {24, 13, 9};
  struct scene s;
  memset(&s, 0, sizeof s);
  const int dim = wn_point_dim(kind);
  s.grid = grid_make(dim, shape, gather, cells, walls[wall].low, walls[wall].high, H);
  const int64_t nodes =
      gather == WN_GATHER_NESTED ? grid_nest(&s.grid) : wn_grid_nodes(&s.grid);
  s.n_e = (size_t)(nodes * s.grid.stride);
  s.e = malloc(s.n_e * sizeof *s.e);
  WN_ASSERT(s.e != NULL);
  for (size_t i = 0; i < s.n_e; i++)
    s.e[i] = (float)(2e4 * (2.0 * uniform() - 1.0));
  if (walls[wall].low == WN_SIDE_PERIODIC && gather != WN_GATHER_NESTED)
    make_periodic(&s.grid, s.e);
  s.grid.e = s.e;
  WN_ASSERT(gpu_points_e(gpu_device(), s.e, s.n_e, &s.e_gpu) == WN_OK);
  WN_ASSERT(wn_model_init(&s.model, &wn_model_collisionless) == WN_OK);
  struct wn_points *m = s.model.data;
  m->kind = kind;
  m->relativistic = motions[motion].relativistic;
  m->rotation = motions[motion].rotation;
  m->charge = -WN_E;
  m->mass = WN_ME;
  m->b[2] = m->rotation != WN_ROTATION_NONE ? 0.02 : 0.0;
  m->b[0] = m->rotation != WN_ROTATION_NONE && kind != WN_POINT_2D2V ? 0.01 : 0.0;
  s.model.steps = motions[motion].steps;
  WN_ASSERT(points_draw(&s.first, &s.grid, kind, n, SPEED) == WN_OK);
  for (size_t i = 0; crowded && i < n; i++) { /* slow, in one cell */
    union wn_word *r = wn_particles_at(&s.first, i);
    for (int d = 0; d < dim; d++)
      r[d].i = (5 << s.grid.bits[d]) + (r[d].i & ((1 << s.grid.bits[d]) - 1));
    for (int d = 0; d < wn_point_velocities(kind); d++)
      r[dim + d].f *= 0.01f;
  }
  return s;
}

static void scene_free(struct scene *s)
{
  gpu_points_e_free(gpu_device(), s->e_gpu, s->n_e);
  free(s->e);
  wn_particles_clear(&s->first);
  wn_model_clear(&s->model);
}

static void outcome_free(struct outcome *o)
{
  free(o->records);
  free(o->charge);
}

/* The charge in the middle of the next step, by fields/deposit.h. */
static int64_t *host_charge(const struct wn_points *m, const struct wn_particles *p)
{
  struct wn_deposit *d;
  struct wn_deposited sum;
  int64_t *quanta = calloc((size_t)wn_grid_nodes(&m->grid), sizeof *quanta);
  WN_ASSERT(quanta != NULL && wn_deposit_create(&m->grid, 1, &d) == WN_OK);
  WN_ASSERT(wn_deposit_points(d, m, p, quanta, &sum) == WN_OK);
  wn_deposit_free(d);
  wn_deposit_fold(&m->grid, 0, quanta);
  return quanta;
}

static int64_t *gpu_charge(const struct wn_points *m, const struct wn_particles *p)
{
  const size_t n = (size_t)wn_grid_nodes(&m->grid);
  double dt = 0.0;
  int64_t *quanta = calloc(n, sizeof *quanta);
  WN_ASSERT(quanta != NULL);
  WN_ASSERT(gpu_points_charge(gpu_device(), p, quanta, n, &dt) == WN_OK);
  if (dt != m->dt) {
    free(quanta);
    return NULL;
  }
  wn_deposit_fold(&m->grid, 0, quanta);
  return quanta;
}

static void sum_points(const struct wn_points *m, const struct wn_particles *p,
                       wn_i128 *sums)
{
  const int dim = wn_point_dim(m->kind), n_v = wn_point_velocities(m->kind);
  const struct wn_sample what = {.kind = WN_SAMPLE_POINTS,
                                 .unit = 1.0 / WN_C,
                                 .dim = dim,
                                 .velocities = n_v,
                                 .weighted = wn_point_weighs(dim, n_v),
                                 .relativistic = m->relativistic};
  WN_ASSERT(wn_particles_sample(p, &what, sums) == WN_OK);
}

/* How many are no numbers, of which there are none, and cross half a cell in a step. */
static wn_i128 broken(const struct wn_points *m, const struct wn_particles *p)
{
  const int dim = wn_point_dim(m->kind), n_v = wn_point_velocities(m->kind);
  struct wn_sample what = {.kind = WN_SAMPLE_BROKEN_POINTS,
                           .dim = dim,
                           .velocities = n_v,
                           .weighted = wn_point_weighs(dim, n_v),
                           .relativistic = m->relativistic,
                           .most = {INFINITY, INFINITY, INFINITY}};
  wn_i128 sum = 0;
  for (int d = 0; d < dim; d++)
    what.most[d] = (float)(0.5 * m->grid.h[d] / DT);
  WN_ASSERT(wn_particles_sample(p, &what, &sum) == WN_OK);
  return sum;
}

/* PHASES of the scene by a scheduler; -1: it failed. */
static int advance(const struct scene *s, const struct wn_scheduler_ops *ops,
                   const struct wn_scheduler_options *options, struct outcome *out)
{
  static const struct wn_tally_shape shape = {.n_groups = 1};
  struct wn_field_view field = {.kind = WN_FIELD_GRID};
  struct wn_scheduler *scheduler;
  struct wn_particles p;
  struct wn_tally tally;
  struct wn_points *m = s->model.data;
  const int is_gpu = ops->device == WN_DEVICE_CUDA;
  int status = WN_OK;
  memset(out, 0, sizeof *out);
  field.of.grid = s->grid;
  field.of.grid.e = is_gpu ? s->e_gpu : s->e;
  WN_ASSERT(ops->create(options, &shape, &scheduler) == WN_OK);
  WN_ASSERT(wn_tally_init(&tally, &shape) == WN_OK);
  WN_ASSERT(wn_particles_init(&p, &s->first.record, s->first.n, s->first.n) == WN_OK);
  WN_ASSERT(wn_particles_append(&p, s->first.e, s->first.n) == WN_OK);
  for (int k = 0; k < PHASES && status == WN_OK; k++) {
    s->model.ops->begin_step((struct wn_model *)&s->model, k * DT, DT * s->model.steps);
    WN_ASSERT(s->model.ops->set_field((struct wn_model *)&s->model, &field) == WN_OK);
    status = wn_scheduler_step(ops, scheduler, &s->model, &p, &tally);
    if (status == WN_OK)
      status = wn_particles_compact(&p);
  }
  if (status == WN_OK) {
    memcpy(out->surface, tally.surface, sizeof out->surface);
    out->deaths = tally.n_deaths;
    sum_points(m, &p, out->sums);
    out->broken = broken(m, &p);
    out->charge = is_gpu ? gpu_charge(m, &p) : host_charge(m, &p);
    status = wn_particles_read(&p);
  }
  if (status == WN_OK) {
    out->n = p.n;
    out->records = malloc(p.n * p.record.bytes + 1);
    WN_ASSERT(out->records != NULL);
    memcpy(out->records, p.e, p.n * p.record.bytes);
    record_bytes = p.record.bytes;
    qsort(out->records, p.n, p.record.bytes, by_bytes);
  }
  wn_particles_clear(&p);
  wn_tally_clear(&tally);
  ops->free(scheduler);
  return status;
}

/* What differs; NULL: nothing. */
static const char *differ(const struct scene *s, const struct outcome *got,
                          const struct outcome *want, int wants_charge)
{
  const size_t nodes = (size_t)wn_grid_nodes(&s->grid);
  if (got->n != want->n)
    return "the number of points";
  if (memcmp(got->records, want->records, want->n * s->first.record.bytes) != 0) {
    size_t i = 0;
    const size_t bytes = s->first.record.bytes;
    while (memcmp(got->records + i * bytes, want->records + i * bytes, bytes) == 0)
      i++;
    for (size_t k = 0; k < bytes / 4; k++) {
      union wn_word a, b;
      memcpy(&a, got->records + i * bytes + 4 * k, 4);
      memcpy(&b, want->records + i * bytes + 4 * k, 4);
      diag("word %zu of the first that differs, %zu: %d (%.9g), wanted %d (%.9g)", k, i,
           a.i, (double)a.f, b.i, (double)b.f);
    }
    return "the points";
  }
  if (got->deaths != want->deaths ||
      memcmp(got->surface, want->surface, sizeof got->surface) != 0)
    return "what ended at the sides";
  if (memcmp(got->sums, want->sums, sizeof got->sums) != 0)
    return "the sums over points";
  if (got->broken != want->broken || (uint64_t)got->broken != 0)
    return "how many are broken";
  if (wants_charge && got->charge == NULL)
    return "the charge, which is not there";
  if (got->charge != NULL &&
      memcmp(got->charge, want->charge, nodes * sizeof *got->charge) != 0)
    return "the charge";
  return NULL;
}

static void compare(int kind, int shape, int gather, size_t wall, size_t motion, size_t n,
                    int crowded, size_t from, size_t to)
{
  struct scene s = scene_make(kind, shape, gather, wall, motion, n, crowded);
  const struct wn_scheduler_options one = {.threads = 1};
  struct outcome want;
  WN_ASSERT(advance(&s, &wn_scheduler_serial, &one, &want) == WN_OK);
  for (size_t w = from; w < to; w++) {
    const struct wn_scheduler_ops *ops = wn_study_find(ways[w].scheduler);
    const struct wn_scheduler_options o = {.gpu = gpu_device(), .tiles = ways[w].tiles};
    struct outcome got;
    WN_ASSERT(ops != NULL);
    const int status = advance(&s, ops, &o, &got);
    const char *what = status == WN_OK
                           ? differ(&s, &got, &want,
                                    gather != WN_GATHER_NESTED &&
                                        strcmp(ways[w].scheduler, "tiles") == 0)
                           : "it failed";
    ok(what == NULL, "%s, %s by %s, %s, %s%s: %s gives the bits of the CPU%s%s",
       kind_name[kind], shape_name[shape], gather_name[gather], walls[wall].name,
       motions[motion].name, crowded ? ", crowded" : "", ways[w].name,
       what != NULL ? "; other: " : "", what != NULL ? what : "");
    if (status == WN_OK)
      outcome_free(&got);
  }
  outcome_free(&want);
  scene_free(&s);
}

/* r-z: axis 0 begins at the axis of symmetry, B lies along the other. */
static void radial(int shape, int gather, int around, size_t motion, size_t n)
{
  static const struct wn_scheduler_options one = {.threads = 1};
  const struct wn_scheduler_options o = {.gpu = gpu_device()};
  const struct wn_scheduler_ops *ops = wn_study_find("dynamic");
  struct scene s = scene_make(WN_POINT_2D3V, shape, gather, 1, motion, n, 0);
  struct wn_points *m = s.model.data;
  struct outcome want, got;
  s.grid.is_radial = 1;
  s.grid.side[0] = WN_SIDE_REFLECT;
  s.grid.side[1] = around;
  m->b[1] = m->b[2];
  m->b[0] = m->b[2] = 0.0;
  WN_ASSERT(ops != NULL && advance(&s, &wn_scheduler_serial, &one, &want) == WN_OK);
  const int status = advance(&s, ops, &o, &got);
  const char *what = status == WN_OK ? differ(&s, &got, &want, 0) : "it failed";
  ok(what == NULL && want.n > 0 && want.deaths > 0,
     "r-z, %s by %s, %s around, %s: the bits of the CPU%s%s", shape_name[shape],
     gather_name[gather], around == WN_SIDE_REFLECT ? "a mirror" : "absorbing",
     motions[motion].name, what != NULL ? "; other: " : "", what != NULL ? what : "");
  if (status == WN_OK)
    outcome_free(&got);
  outcome_free(&want);
  scene_free(&s);
}

static void bad_options(void)
{
  struct scene s =
      scene_make(WN_POINT_2D2V, WN_SHAPE_CIC, WN_GATHER_MOMENTUM, 0, 0, 100, 0);
  const struct wn_scheduler_ops *ops;
  const struct wn_scheduler_options o = {.gpu = gpu_device(), .tiles = {.cells = {6, 4}}};
  struct outcome got;
  WN_ASSERT(wn_scheduler_find("tiles", WN_DEVICE_CUDA, &ops) == WN_OK);
  ok(advance(&s, ops, &o, &got) == WN_EINPUT, "tiles of 6 cells are refused");
  scene_free(&s);
}

int main(void)
{
  gpu_or_skip();
  plan(0);
  const size_t n = gpu_size(20011, 2003);
  for (int kind = 0; kind < WN_N_POINTS; kind++)
    for (int shape = 0; shape < WN_N_SHAPES; shape++)
      for (int gather = 0; gather < WN_N_GATHERS; gather++) {
        if (gather == WN_GATHER_ENERGY && shape == WN_SHAPE_NGP)
          continue;
        if (gather == WN_GATHER_NESTED &&
            (shape != WN_SHAPE_CIC || kind == WN_POINT_1D3V))
          continue; /* particles on GPUs take them with linear shapes in two and three dimensions */
        /* each kind of side and motion with some of the shapes, all ways with each */
        const size_t wall = (size_t)(kind + shape + gather) % N_WALLS;
        for (size_t motion = (size_t)(shape + gather) % 2; motion < N_MOTIONS;
             motion += 2)
          compare(kind, shape, gather, wall, motion, n, 0, 0, N_WAYS);
        for (size_t any = 0; any < N_WALLS; any++)
          compare(kind, shape, gather, any, PLAIN, n, 0, 0, N_TILES);
      }
  /* 4096 particles of weight 1 are 2^32 quanta: what a node of a tile can count */
  for (int kind = 0; kind < WN_N_POINTS; kind++)
    for (size_t motion = 0; motion <= PLAIN; motion += PLAIN)
      compare(kind, WN_SHAPE_CIC, WN_GATHER_MOMENTUM, 0, motion, gpu_size(60000, 30000),
              1, 0, 2);
  for (size_t motion = 0; motion < N_MOTIONS; motion++) {
    radial(WN_SHAPE_CIC, WN_GATHER_MOMENTUM, WN_SIDE_ABSORB, motion, n);
    radial(WN_SHAPE_CIC, WN_GATHER_ENERGY, WN_SIDE_REFLECT, motion, n);
    radial(WN_SHAPE_NGP, WN_GATHER_MOMENTUM, WN_SIDE_REFLECT, motion, n);
  }
  bad_options();
  return done();
}
