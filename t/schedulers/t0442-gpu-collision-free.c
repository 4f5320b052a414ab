/* t0442-gpu-collision-free.c - defends: particles that hardly collide move on a GPU (schedulers/gpu/
 * collision_free.cuh) with the bits of the CPU in the same field, under every scheduler: ions of model
 * `ion`, and electrons of model `mcc`, with the pass for quiet steps and without it; records,
 * every sum of the tallies, births and the generations after them, what ends at the sides; and
 * the charge that the pass leaves for the next step is that of fields/deposit.h to the quantum,
 * also where nodes of a block overflow and where a particle alone is more than 32 bits, for
 * every number of dimensions and r-z, some shapes, gathers and sides; and also where the particles are
 * put into the order of the tiles of the grid before each phase.  Ions in a uniform field, in
 * several mobility steps and groups of sums, are those of the CPU, too.  Reference: `serial` in
 * the same program. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "bench/study/lists.h"
#include "device/gpu.h"
#include "device/sizes.h"
#include "fields/deposit.h"
#include "fields/deposit_gpu.h"
#include "physics/ion.h"
#include "schedulers/scheduler.h"
#include "src/sim/plasma.h"
#include "t/tap/gpu_arrays.h"
#include "t/tap/draw.h"
#include "t/tap/gpu.h"
#include "t/tap/grid.h"
#include "t/tap/scene.h"
#include "t/tap/tap.h"

#ifndef WN_HAVE_CUDA
int gpu_array_make(struct wn_gpu *g, const void *host, size_t bytes, void **device)
{
  (void)g, (void)host, (void)bytes, (void)device;
  return WN_EINTERN;
}

void gpu_array_free(struct wn_gpu *g, void *device, size_t bytes)
{
  (void)g, (void)device, (void)bytes;
}

int gpu_array_put(struct wn_gpu *g, const void *host, void *device, size_t bytes)
{
  (void)g, (void)host, (void)device, (void)bytes;
  return WN_EINTERN;
}

int gpu_array_get(struct wn_gpu *g, const void *device, void *host, size_t bytes)
{
  (void)g, (void)device, (void)host, (void)bytes;
  return WN_EINTERN;
}
#endif

#define FILE_NAME "t0442.cfg"
#define PHASES    5
#define DT        20e-12
#define FIELD     1e5 /* V/m at the most */

#define HEAD(gas)                                                                        \
  "model = \"plasma\"; duration = \"1 ns\"; threads = 1; seed = 5; tables = { "          \
  "energy_max = \"1 keV\"; };\n" gas
#define ARGON                                                                            \
  "gas = { pressure = \"100 Pa\"; components = { Ar = { file = \"builtin:argon\"; "      \
  "}; }; };\n"
#define PAIR(per_cell)                                                                   \
  "species = { e = { density = \"1e12 m-3\"; temperature = \"30 eV\"; per_cell "         \
  "= " per_cell "; loading = \"random\"; collisions = \"gas\"; ions = \"i\"; }; i = { "  \
  "density = \"1e12 m-3\"; charge = 1.0; mass = \"39.948 u\"; temperature = \"9 eV\"; "  \
  "per_cell = " per_cell "; loading = \"random\"; collisions = \"gas\"; }; };\n"
#define WITH(more)                                                                       \
  "plasma = { time_step = \"20 ps\"; allow = [\"cell-crossing\", \"debye-length\", "     \
  "\"plasma-frequency\"]; " more " };\n"

static const struct {
  const char *name, *text;
  float heaviest; /* weights from 1 to this; 0: all 1 */
  int all;        /* every scheduler, not the first alone */
  int is_large;   /* not with WN_GPU_SMALL=1 */
  int nested;     /* E on nested grids */
} cases[] = {
    {"1-D between a wall and a mirror",
     HEAD(ARGON) "grid = { cells = [50]; length = [\"2 mm\"]; };\n"
                 "walls = { x_low = { field = \"dirichlet\"; }; x_high = { field = "
                 "\"neumann\"; }; };\n" PAIR("200") WITH(""),
     0.0f, 1, 0, 0},
    {"1-D, of weights up to 6000",
     HEAD(ARGON) "grid = { cells = [16]; length = [\"1 mm\"]; };\n"
                 "walls = { x_low = { field = \"dirichlet\"; }; x_high = { field = "
                 "\"dirichlet\"; }; };\n" PAIR("600") WITH("shape = \"tsc\"; "),
     6000.0f, 0, 0, 0},
    {"2-D, periodic along y, by energy",
     HEAD(ARGON) "grid = { cells = [24, 20]; length = [\"1 mm\", \"0.8 mm\"]; };\n"
                 "walls = { x_low = { field = \"dirichlet\"; }; x_high = { field = "
                 "\"dirichlet\"; particles = \"reflect\"; }; };\n" PAIR("20")
                     WITH("shape = \"tsc\"; gather = \"energy\"; "),
     100.0f, 0, 0, 0},
    {"2-D, more nodes than a small window",
     HEAD(ARGON) "grid = { cells = [110, 100]; length = [\"1 mm\", \"1 mm\"]; };\n"
                 "walls = { x_low = { field = \"dirichlet\"; }; x_high = { field = "
                 "\"dirichlet\"; }; };\n" PAIR("36") WITH(""),
     0.0f, 0, 1, 0},
    {"3-D",
     HEAD(ARGON) "grid = { cells = [12, 8, 10]; length = [\"1 mm\", \"1 mm\", \"1 mm\"]; "
                 "};\n"
                 "walls = { z_low = { field = \"dirichlet\"; }; z_high = { field = "
                 "\"dirichlet\"; }; };\n" PAIR("15") WITH(""),
     0.0f, 0, 0, 0},
    {"r-z, a mirror around the axis",
     HEAD(ARGON) "grid = { geometry = \"r-z\"; cells = [24, 20]; length = [\"1 mm\", "
                 "\"0.8 mm\"]; };\n"
                 "walls = { x_high = { field = \"neumann\"; }; y_low = { field = "
                 "\"dirichlet\"; }; y_high = { field = \"dirichlet\"; }; };\n" PAIR("20")
                     WITH(""),
     0.0f, 0, 0, 0},
    {"r-z, by energy, of weights up to 6000",
     HEAD(ARGON) "grid = { geometry = \"r-z\"; cells = [12, 10]; length = [\"1 mm\", "
                 "\"0.8 mm\"]; };\n"
                 "walls = { x_high = { field = \"dirichlet\"; }; };\n" PAIR("60")
                     WITH("gather = \"energy\"; "),
     6000.0f, 0, 0, 0},
    {"r-z, nearest nodes",
     HEAD(ARGON) "grid = { geometry = \"r-z\"; cells = [12, 10]; length = [\"1 mm\", "
                 "\"0.8 mm\"]; };\n"
                 "walls = { x_high = { field = \"open\"; }; y_low = { field = "
                 "\"neumann\"; }; y_high = { field = \"neumann\"; }; };\n" PAIR("60")
                     WITH("shape = \"ngp\"; "),
     100.0f, 0, 0, 0},
    {"2-D, nested grids",
     HEAD(ARGON) "grid = { cells = [24, 20]; length = [\"1 mm\", \"0.8 mm\"]; };\n"
                 "walls = { x_low = { field = \"dirichlet\"; }; x_high = { field = "
                 "\"dirichlet\"; particles = \"reflect\"; }; };\n" PAIR("20") WITH(""),
     0.0f, 1, 0, 1},
    {"3-D, nested grids",
     HEAD(ARGON) "grid = { cells = [12, 8, 10]; length = [\"1 mm\", \"1 mm\", \"1 mm\"]; "
                 "};\n"
                 "walls = { z_low = { field = \"dirichlet\"; }; z_high = { field = "
                 "\"dirichlet\"; }; };\n" PAIR("15") WITH(""),
     0.0f, 0, 0, 1}};
/* so cold that there are no newborns, for which the store would grow */
static const char many[] = HEAD(
    ARGON) "grid = { cells = [50]; length = [\"2 mm\"]; };\n"
           "walls = { x_low = { field = \"dirichlet\"; }; x_high = { field = "
           "\"neumann\"; }; };\n"
           "species = { e = { density = \"1e12 m-3\"; temperature = \"0.5 eV\"; "
           "per_cell = 80000; loading = \"random\"; collisions = \"gas\"; ions = "
           "\"i\"; }; i = { density = \"1e12 m-3\"; charge = 1.0; mass = \"39.948 "
           "u\"; mobile = false; per_cell = 80000; loading = \"random\"; }; };\n" WITH(
               "");
#define N_CASES (sizeof cases / sizeof cases[0])

/* ---- a species in a field */

struct field {
  struct wn_grid_view grid; /* of the host */
  float *e;
  void *e_gpu, *quanta_gpu, *misfits_gpu;
  size_t n_e, nodes;
};

static void field_make(struct field *f, const struct wn_grid_view *g, int nested)
{
  int32_t node[3];
  f->grid = *g;
  f->nodes = (size_t)wn_grid_nodes(g);
  f->n_e = f->nodes * (size_t)g->stride;
  if (nested) {
    f->grid.gather = WN_GATHER_NESTED;
    f->n_e = (size_t)(grid_nest(&f->grid) * g->stride);
  }
  f->e = malloc(f->n_e * sizeof *f->e);
  WN_ASSERT(f->e != NULL);
  for (size_t i = 0; i < f->n_e; i++)
    f->e[i] = (float)(FIELD * (2.0 * uniform() - 1.0));
  /* what a periodic axis has twice is the same */
  for (int64_t i = 0; !nested && grid_next(g, i, node); i++) {
    int32_t of[3] = {node[0], node[1], node[2]};
    for (int d = 0; d < g->dim; d++)
      if (g->side[2 * d] == WN_SIDE_PERIODIC)
        of[d] = (node[d] + g->cells[d]) % g->cells[d];
    memcpy(&f->e[i * g->stride], &f->e[(int64_t)wn_grid_node(g, g->dim, of) * g->stride],
           (size_t)g->stride * sizeof *f->e);
  }
  WN_ASSERT(gpu_array_make(gpu_device(), f->e, f->n_e * sizeof *f->e, &f->e_gpu) ==
            WN_OK);
  WN_ASSERT(gpu_array_make(gpu_device(), NULL, f->nodes * 8, &f->quanta_gpu) == WN_OK);
  WN_ASSERT(gpu_array_make(gpu_device(), NULL, 8, &f->misfits_gpu) == WN_OK);
}

static void field_free(struct field *f)
{
  gpu_array_free(gpu_device(), f->e_gpu, f->n_e * sizeof *f->e);
  gpu_array_free(gpu_device(), f->quanta_gpu, f->nodes * 8);
  gpu_array_free(gpu_device(), f->misfits_gpu, 8);
  free(f->e);
}

struct outcome {
  struct wn_particles p; /* sorted by id */
  struct wn_tally tally;
  int64_t *charge[PHASES]; /* folded, before each phase; NULL: not asked */
  uint64_t misfits;
  long in_disorder;
};

static void outcome_free(struct outcome *o)
{
  wn_particles_clear(&o->p);
  wn_tally_clear(&o->tally);
  for (int k = 0; k < PHASES; k++)
    free(o->charge[k]);
}

/* The charge in the middle of the step to come, as a field asks for it. */
static int64_t *charge_of(const struct field *f, const struct wn_points *m,
                          struct wn_particles *p, int is_gpu, uint64_t *misfits)
{
  int64_t *quanta = calloc(f->nodes, sizeof *quanta);
  struct wn_gpu *g = is_gpu ? gpu_device() : NULL;
  WN_ASSERT(quanta != NULL);
  if (is_gpu) {
    WN_ASSERT(gpu_array_put(g, quanta, f->quanta_gpu, f->nodes * 8) == WN_OK);
    WN_ASSERT(gpu_array_put(g, misfits, f->misfits_gpu, 8) == WN_OK);
    WN_ASSERT(wn_deposit_gpu_electrons(g, m, p, 0, f->quanta_gpu, f->misfits_gpu) ==
              WN_OK);
    WN_ASSERT(gpu_array_get(g, f->quanta_gpu, quanta, f->nodes * 8) == WN_OK);
    WN_ASSERT(gpu_array_get(g, f->misfits_gpu, misfits, 8) == WN_OK);
  } else {
    struct wn_deposit *d;
    struct wn_deposited sum;
    WN_ASSERT(wn_deposit_create(&m->grid, 1, &d) == WN_OK);
    WN_ASSERT(wn_deposit_electrons(d, m, p, quanta, &sum) == WN_OK);
    wn_deposit_free(d);
  }
  wn_deposit_fold(&m->grid, 0, quanta);
  return quanta;
}

/* A phase as src/sim/species.c has it: newborns follow, generation by generation. */
static int phase(const struct wn_scheduler_ops *ops, struct wn_scheduler *s,
                 const struct wn_model *model, struct wn_particles *p,
                 struct wn_tally *tally)
{
  WN_TRY(ops->gather(s, model, p));
  for (;;) {
    const size_t first = p->n;
    WN_TRY(ops->advance(s, model, p, tally));
    if (p->n == first)
      return WN_OK;
    WN_TRY(ops->start_newborns(s, model, p, first));
  }
}

/* Quiet steps apart, or by the general way, or apart and in the order of the tiles. */
enum { QUIET, GENERAL, ORDERED, WAYS };

/* Puts them in order.  Returns, if asked to look, how many are of a lower tile than the one
 * before them; -1: it failed. */
static long order(const struct wn_grid_view *g, struct wn_particles *p, int look)
{
  const struct wn_electron *e;
  long wrong = 0;
  int64_t before = -1;
  int done;
  if (wn_gpu_sort(gpu_device(), g, p, &done) != WN_OK || !done)
    return -1;
  if (!look)
    return 0;
  if (wn_particles_host(p) != WN_OK)
    return -1;
  e = wn_particles_electrons(p);
  for (size_t i = 0; i < p->n; i++) {
    int64_t tile = 0;
    for (int d = g->dim - 1; d >= 0; d--)
      tile = tile * 4096 + (e[i].at[d] >> g->bits[d] >> WN_GPU_SORT_BITS(g->dim));
    wrong += tile < before;
    before = tile;
  }
  return wrong;
}

/* f NULL: a uniform field of FIELD along z. */
static int run(struct wn_model *model, const struct wn_particles *from,
               const struct wn_tally_shape *shape, const struct field *f,
               const struct wn_scheduler_ops *ops, int way, struct outcome *out)
{
  const int is_gpu = ops->device == WN_DEVICE_CUDA;
  const struct wn_scheduler_options options = {.threads = 1,
                                               .gpu = is_gpu ? gpu_device() : NULL,
                                               .no_collision_free = way == GENERAL};
  const double length = DT * model->steps;
  struct wn_field_view view = {.kind = WN_FIELD_UNIFORM};
  struct wn_scheduler *s;
  int status = WN_OK;
  memset(out, 0, sizeof *out);
  view.of.uniform.e[2] = FIELD;
  if (f != NULL) {
    view.kind = WN_FIELD_GRID;
    view.of.grid = f->grid;
    view.of.grid.e = is_gpu ? f->e_gpu : f->e;
  }
  WN_ASSERT(ops->create(&options, shape, &s) == WN_OK);
  WN_ASSERT(wn_tally_init(&out->tally, shape) == WN_OK);
  WN_ASSERT(wn_particles_init(&out->p, &from->record, from->n, 2 * from->n) == WN_OK);
  WN_ASSERT(wn_particles_append(&out->p, from->e, from->n) == WN_OK);
  for (int k = 0; k < PHASES && status == WN_OK; k++) {
    status = ops->hold(s, model, &out->p);
    if (status == WN_OK && way == ORDERED)
      out->in_disorder += order(&f->grid, &out->p, k == 0);
    if (status == WN_OK && way == ORDERED)
      status = ops->hold(s, model, &out->p);
    model->ops->begin_step(model, k * length, length);
    if (status == WN_OK)
      status = model->ops->set_field(model, &view);
    if (status == WN_OK && f != NULL) {
      const struct wn_points *m =
          model->ops == &wn_model_ion
              ? &((const struct wn_ion *)model->data)->grid.points
              : &((const struct wn_mcc *)model->data)->grid.points;
      out->charge[k] = charge_of(f, m, &out->p, is_gpu, &out->misfits);
    }
    if (status == WN_OK)
      status = phase(ops, s, model, &out->p, &out->tally);
    if (status == WN_OK)
      status = wn_particles_compact(&out->p);
  }
  if (status == WN_OK)
    status = wn_particles_host(&out->p);
  if (status == WN_OK)
    scene_sort(out->p.e, out->p.n, out->p.record.bytes);
  ops->free(s);
  return status;
}

/* What differs; NULL: nothing. */
static const char *differ(const struct outcome *a, const struct outcome *b,
                          const struct wn_tally_shape *shape, size_t nodes)
{
  const struct wn_tally *t = &a->tally, *u = &b->tally;
  const size_t groups = (size_t)shape->n_groups,
               processes = groups * (size_t)shape->n_processes;
  if (a->p.n != b->p.n)
    return "the number";
  if (memcmp(a->p.e, b->p.e, a->p.n * a->p.record.bytes) != 0)
    return "the records";
  if (memcmp(t->group, u->group, groups * sizeof *t->group) != 0)
    return "sums of the groups";
  if (memcmp(t->count, u->count, processes * sizeof *t->count) != 0 ||
      memcmp(t->lost, u->lost, processes * sizeof *t->lost) != 0)
    return "collisions";
  if (memcmp(t->surface, u->surface, WN_SIDES * sizeof *t->surface) != 0)
    return "what ended at the sides";
  if (t->n_candidates != u->n_candidates || t->n_real != u->n_real ||
      t->n_births != u->n_births || t->n_deaths != u->n_deaths)
    return "counts";
  if (memcmp(t->alarms, u->alarms, sizeof *t->alarms) != 0)
    return "alarms";
  for (int k = 0; k < PHASES; k++)
    if (a->charge[k] != NULL &&
        memcmp(a->charge[k], b->charge[k], nodes * sizeof *a->charge[k]) != 0)
      return "the charge";
  return a->misfits != b->misfits ? "misfits" : NULL;
}

static void one_way(const char *name, const char *what, struct wn_model *model,
                    const struct wn_particles *p, const struct wn_tally_shape *shape,
                    const struct field *f, const struct wn_scheduler_ops *ops, int way,
                    const struct outcome *want)
{
  static const char *const ways[WAYS] = {"", ", the general way,", ", in order,"};
  struct outcome got;
  const int status = run(model, p, shape, f, ops, way, &got);
  const char *other =
      status == WN_OK ? differ(&got, want, shape, f != NULL ? f->nodes : 0) : "it failed";
  ok(other == NULL, "%s, %s: %s%s gives the bits of the CPU%s%s", name, what, ops->name,
     ways[way], other != NULL ? "; other: " : "", other != NULL ? other : "");
  if (way == ORDERED)
    is_int(got.in_disorder, 0, "%s, %s: tile after tile", name, what);
  outcome_free(&got);
}

static void all_ways(const char *name, const char *what, struct wn_model *model,
                     const struct wn_particles *p, const struct wn_tally_shape *shape,
                     const struct field *f, int all, const struct outcome *want)
{
  const struct wn_scheduler_ops *ops;
  size_t done = 0;
  for (size_t i = 0; (ops = wn_study_scheduler(i)) != NULL; i++) {
    if (ops->device != WN_DEVICE_CUDA || ops->supports != NULL || (done > 0 && !all))
      continue;
    one_way(name, what, model, p, shape, f, ops, QUIET, want);
    if (done == 0 && f != NULL)
      one_way(name, what, model, p, shape, f, ops, ORDERED, want);
    if (done++ == 0 && model->ops == &wn_model_mcc)
      one_way(name, what, model, p, shape, f, ops, GENERAL, want);
  }
}

/* ---- a discharge's electrons and ions in a field at random */

static void weigh(struct wn_particles *p, float heaviest)
{
  struct wn_electron *e = wn_particles_electrons(p);
  for (size_t i = 0; i < p->n && heaviest > 0.0f; i++)
    e[i].w = (float)pow((double)heaviest, uniform());
}

static void in_grid(size_t i)
{
  static const char *const nothing[] = {NULL};
  struct scene scene;
  struct field f;
  draw_state = 17 + i;
  scene_open(&scene, FILE_NAME, cases[i].text, nothing);
  scene_start(&scene, DT);
  for (size_t k = 0; k < 2; k++) {
    struct wn_species *s = scene.sim->species[k];
    const char *what = k == 0 ? "electrons" : "ions";
    const struct wn_tally_shape shape = {.n_groups = 1,
                                         .n_processes = s->shape.n_processes};
    struct outcome want;
    weigh(&s->p, cases[i].heaviest);
    field_make(&f, &wn_plasma_points(s)->grid, cases[i].nested);
    WN_ASSERT(run(&s->model, &s->p, &shape, &f, &wn_scheduler_serial, 0, &want) == WN_OK);
    uint64_t ended = 0;
    for (int side = 0; side < WN_SIDES; side++)
      ended += (uint64_t)want.tally.surface[side].number;
    ok(want.tally.n_candidates > 10 && want.tally.n_real > 0 && ended > 0 &&
           (k == 1 || want.tally.n_births > 0),
       "%s, %s: of %zu %llu had candidates, %llu were born, %llu ended", cases[i].name,
       what, s->p.n, (unsigned long long)want.tally.n_candidates,
       (unsigned long long)want.tally.n_births, (unsigned long long)ended);
    all_ways(cases[i].name, what, &s->model, &s->p, &shape, &f, cases[i].all, &want);
    outcome_free(&want);
    field_free(&f);
  }
  scene_close(&scene);
}

/* ---- ions in a uniform field */

static void in_uniform_field(void)
{
  static const char *const nothing[] = {NULL};
  struct scene scene;
  struct wn_model model;
  struct outcome want;
  scene_open(&scene, FILE_NAME, cases[0].text, nothing);
  scene_start(&scene, DT);
  struct wn_species *s = scene.sim->species[1];
  struct wn_ion *m;
  WN_ASSERT(wn_model_init(&model, &wn_model_ion) == WN_OK);
  m = model.data;
  *m = *(const struct wn_ion *)s->model.data;
  m->in_grid = 0;
  m->n_groups = 3;
  model.steps = 4;
  const struct wn_tally_shape shape = {.n_groups = 3,
                                       .n_processes = s->shape.n_processes};
  struct wn_electron *e = wn_particles_electrons(&s->p);
  for (size_t i = 0; i < s->p.n; i++) {
    e[i].tag = (uint32_t)i;
    e[i].x[0] = e[i].x[1] = e[i].x[2] = 0.0;
  }
  WN_ASSERT(run(&model, &s->p, &shape, NULL, &wn_scheduler_serial, 0, &want) == WN_OK);
  ok(want.tally.n_real > 0, "ions in a uniform field collide");
  all_ways("uniform", "ions", &model, &s->p, &shape, NULL, 1, &want);
  outcome_free(&want);
  wn_model_clear(&model);
  scene_close(&scene);
}

/* ---- memory */

/* What a phase of many electrons takes, on a GPU opened for it, against the forecast, of which
 * 6 % are the lists. */
static void forecast(void)
{
  static const char *const nothing[] = {NULL};
  struct scene scene;
  struct field f;
  struct wn_gpu_info info;
  struct wn_scheduler_options options = {.threads = 1};
  struct wn_scheduler *scheduler;
  struct wn_tally tally;
  struct wn_field_view view = {.kind = WN_FIELD_GRID};
  size_t n, first = 0;
  const struct wn_scheduler_ops *const *list = wn_scheduler_list(&n);
  while (list[first]->device != WN_DEVICE_CUDA || list[first]->supports != NULL)
    first++;
  const struct wn_scheduler_ops *ops = list[first];
  scene_open(&scene, FILE_NAME, many, nothing);
  scene_start(&scene, DT);
  struct wn_species *s = scene.sim->species[0];
  const struct wn_tally_shape shape = {.n_groups = 1,
                                       .n_processes = s->shape.n_processes};
  field_make(&f, &wn_plasma_points(s)->grid, 0);
  view.of.grid = f.grid;
  view.of.grid.e = f.e_gpu;
  WN_ASSERT(wn_gpu_open(0, &options.gpu) == WN_OK && wn_gpu_describe(0, &info) == WN_OK &&
            ops->create(&options, &shape, &scheduler) == WN_OK &&
            wn_tally_init(&tally, &shape) == WN_OK);
  s->model.ops->begin_step(&s->model, 0.0, DT);
  WN_ASSERT(ops->hold(scheduler, &s->model, &s->p) == WN_OK &&
            s->model.ops->set_field(&s->model, &view) == WN_OK);
  is_int(phase(ops, scheduler, &s->model, &s->p, &tally), WN_OK,
         "many electrons: a phase");
  const struct wn_gpu_need need = {.electrons = s->p.n,
                                   .record_bytes = s->p.record.bytes,
                                   .listed = 1,
                                   .newborns = wn_model_newborns(&s->model),
                                   .multiprocessors = info.multiprocessors,
                                   .table_bytes = scene.gas->table->bytes,
                                   .shape = shape};
  const double used = (double)wn_gpu_used(options.gpu);
  is_close((double)wn_gpu_forecast(&need), used, 0.02,
           "%zu electrons, with the list of those that collide: %.0f bytes", s->p.n,
           used);
  ops->free(scheduler);
  wn_tally_clear(&tally);
  field_free(&f);
  scene_close(&scene);
  wn_gpu_close(options.gpu);
}

int main(void)
{
  gpu_or_skip();
  plan(0);
  for (size_t i = 0; i < N_CASES; i++)
    if (!cases[i].is_large || gpu_size(1, 0) > 0)
      in_grid(i);
  in_uniform_field();
  if (gpu_size(1, 0) > 0)
    forecast();
  return done();
}
