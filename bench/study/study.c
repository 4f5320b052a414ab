/* bench/study/study.c - see study.h. */
#include "bench/study/study.h"
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/error.h"
#include "bench/study/box.h"
#include "bench/study/difference.h"
#include "bench/study/lists.h"
#include "bench/study/rectangle.h"
#include "bench/study/split_table.h"
#include "device/gpu.h"
#include "particles/load_balance.h"
#include "physics/constants.h"

#define FIRST_CELL_BELOW_MIDDLE 30 /* the study's cube begins at cell n/2 - 30 */

static struct wn_study_steps rectangle_steps(const struct wn_study *y)
{
  return y->rectangle.steps;
}

static int check_rectangle(struct wn_study *y)
{
  const double s = y->rectangle.split_chance, removed = y->rectangle.remove_chance;
  if (s + removed <= 100)
    return WN_OK;
  return WN_FAIL(WN_EINPUT,
                 "key `rectangle.remove_chance` = %.9g: %.9g and rectangle.split_chance, "
                 "%.9g, add up to more than 100 per cent",
                 removed, removed, s);
}

static void set_up_rectangle(const struct wn_study *y, void *data)
{
  struct wn_rectangle *m = data;
  *m = (struct wn_rectangle){.seed = y->base.seed,
                             .width = y->rectangle.width,
                             .height = y->rectangle.height,
                             .split = y->rectangle.split_chance,
                             .removed = y->rectangle.remove_chance};
}

static void rectangle_primary(const struct wn_study *y, uint64_t id, struct wn_rng4 r,
                              void *record)
{
  struct wn_rectangle_electron *e = record;
  *e = (struct wn_rectangle_electron){.id = id};
  e->x[0] = y->rectangle.width * wn_u01(r.w[0]);
  e->x[1] = y->rectangle.height * wn_u01(r.w[1]);
}

const struct wn_study_kind wn_study_rectangle = {.model = &wn_model_rectangle,
                                                 .steps = rectangle_steps,
                                                 .check = check_rectangle,
                                                 .set_up = set_up_rectangle,
                                                 .primary = rectangle_primary};

static struct wn_study_steps box_steps(const struct wn_study *y)
{
  return y->box.steps;
}

static int check_box(struct wn_study *y)
{
  const double longest = wn_box_longest_step(y->box.width, y->box.height, y->box.gravity);
  if (y->box.steps.dt <= longest)
    return WN_OK;
  return WN_FAIL(WN_EINPUT,
                 "key `box.mobility_step`: %.9g s is too long: a particle could touch "
                 "the floor or a "
                 "wall more than once in a step; at most %.9g s in this box",
                 y->box.steps.dt, longest);
}

static void set_up_box(const struct wn_study *y, void *data)
{
  struct wn_box *m = data;
  *m = (struct wn_box){.seed = y->base.seed,
                       .width = y->box.width,
                       .height = y->box.height,
                       .g = y->box.gravity,
                       .dt = y->box.steps.dt};
}

static void box_primary(const struct wn_study *y, uint64_t id, struct wn_rng4 r,
                        void *record)
{
  struct wn_box_electron *e = record;
  *e = (struct wn_box_electron){.id = id};
  e->x = y->box.width * wn_u01(r.w[0]);
  e->y = y->box.height * (0.5 + 0.5 * wn_u01(r.w[1]));
}

static double box_speed2(const void *record, double unit)
{
  const struct wn_box_electron *b = record;
  return (b->v_x * b->v_x + b->v_y * b->v_y) * unit;
}

static double box_unit(const struct wn_study *y)
{
  return 2.0 * y->box.gravity * y->box.height;
}

const struct wn_study_kind wn_study_box = {.model = &wn_model_box,
                                           .steps = box_steps,
                                           .check = check_box,
                                           .set_up = set_up_box,
                                           .primary = box_primary,
                                           .speed2 = box_speed2,
                                           .speed2_unit = box_unit};

static struct wn_study_steps split_steps(const struct wn_study *y)
{
  return y->split_remove.steps;
}

/* And the tables are made. */
static int check_split(struct wn_study *y)
{
  const size_t cells = y->split_remove.cells, edge = y->split_remove.edge,
               middle = cells / 2;
  if (edge > cells)
    return WN_FAIL(WN_EINPUT,
                   "key `split_remove.edge` = %zu: an edge of %zu cells is longer than "
                   "split_remove.cells, %zu",
                   edge, edge, cells);
  if (middle < FIRST_CELL_BELOW_MIDDLE || middle - FIRST_CELL_BELOW_MIDDLE + edge > cells)
    return WN_FAIL(WN_EINPUT,
                   "key `split_remove.cells` = %zu: the cube of %zu cells in which the "
                   "electrons start begins at cell cells/2 - 30, so it would not lie in "
                   "%zu cells",
                   cells, edge, cells);
  if (y->split_remove.table != NULL && y->split_remove.constant > 0)
    return WN_FAIL(WN_EINPUT,
                   "key `split_remove.constant` = %.9g: takes the place of "
                   "split_remove.table; take one of the two out",
                   y->split_remove.constant);
  float *column = wn_alloc(2 * WN_SPLIT_LEVELS, sizeof *column);
  y->tables = wn_alloc(1, sizeof *y->tables);
  int status = y->tables != NULL && column != NULL ? WN_OK : WN_ENOMEM;
  if (status == WN_OK && y->split_remove.constant > 0.0)
    wn_split_constant(y->split_remove.constant, column, column + WN_SPLIT_LEVELS);
  else if (status == WN_OK)
    status = wn_split_table(y->split_remove.table, column, column + WN_SPLIT_LEVELS);
  if (status == WN_OK)
    wn_split_fill(column, column + WN_SPLIT_LEVELS, y->tables);
  free(column);
  return status;
}

static void set_up_split(const struct wn_study *y, void *data)
{
  struct wn_split *m = data;
  const float dt = (float)y->split_remove.steps.dt;
  *m =
      (struct wn_split){.seed = y->base.seed,
                        .dt = dt,
                        .half_dt = 0.5f * dt,
                        .size = (double)y->split_remove.cells * y->split_remove.cell_size,
                        .tables = y->tables};
}

/* At rest, uniform in the cube of `edge` cells that begins at cell cells/2 - 30. */
static void split_primary(const struct wn_study *y, uint64_t id, struct wn_rng4 r,
                          void *record)
{
  struct wn_split_electron *e = record;
  double h = y->split_remove.cell_size,
         first = ((double)(y->split_remove.cells / 2) - FIRST_CELL_BELOW_MIDDLE) * h,
         edge = (double)y->split_remove.edge * h;
  *e = (struct wn_split_electron){.id = id};
  for (int k = 0; k < 3; k++)
    e->x[k] = first + edge * wn_u01(r.w[k]);
}

static double split_speed2(const void *record, double unit)
{
  const struct wn_split_electron *e = record;
  double sum = 0.0;
  for (int k = 0; k < 3; k++)
    sum += (double)e->v[k] * (double)e->v[k] * unit;
  return sum;
}

static double split_unit(const struct wn_study *y)
{
  (void)y;
  return WN_C * WN_C;
}

const struct wn_study_kind wn_study_split_remove = {.model = &wn_model_split_remove,
                                                    .steps = split_steps,
                                                    .check = check_split,
                                                    .set_up = set_up_split,
                                                    .primary = split_primary,
                                                    .speed2 = split_speed2,
                                                    .speed2_unit = split_unit};

struct wn_study_steps wn_study_steps(const struct wn_study *y)
{
  return y->kind->steps(y);
}

const struct wn_model_ops *wn_study_ops(const struct wn_study *y)
{
  return y->kind->model;
}

size_t wn_study_grid_bytes(const struct wn_study *y)
{
  const size_t n = y->split_remove.cells;
  return y->kind == &wn_study_split_remove ? n * n * n * sizeof(uint32_t) : 0;
}

/* The field that the model lives in; one without a field is given one that is zero. */
static int make_field(const struct wn_study *y, struct wn_gpu *gpu, struct wn_field **out)
{
  if (y->kind == &wn_study_split_remove)
    return wn_difference_create(y->split_remove.cells, y->split_remove.cell_size, gpu,
                                out);
  return wn_field_uniform.create(&(struct wn_field_spec){0}, out);
}

/* A scheduler of the study in the place of one of the program, for the same device. */
static int choose(const struct wn_study *y, struct wn_device_plan *plan)
{
  const struct wn_scheduler_ops *own = wn_study_find(y->base.scheduler);
  struct wn_config c = y->base;
  char any[] = "auto", cuda[] = "cuda";
  if (own != NULL && own->device == WN_DEVICE_CUDA) {
    c.scheduler = any;
    if (strcmp(c.device, "auto") == 0)
      c.device = cuda;
  }
  WN_TRY(wn_device_choose(&c, plan));
  if (own == NULL || own == plan->ops)
    return WN_OK;
  if (own->device != plan->device)
    return WN_FAIL(WN_EINPUT, "scheduler `%s` does not run on device `%s`", own->name,
                   y->base.device);
  plan->ops = own;
  return WN_OK;
}

static int release(const struct wn_study *y, struct wn_particles *p)
{
  _Alignas(16) unsigned char record[WN_RECORD_MAX];
  WN_ASSERT(p->record.bytes <= sizeof record);
  const size_t n = y->base.electrons, first = wn_ranks_share(n, wn_rank(), wn_ranks()),
               last = wn_ranks_share(n, wn_rank() + 1, wn_ranks());
  for (size_t i = first; i < last; i++) {
    uint64_t id = wn_rng_primary_id(y->base.seed, i, 0);
    y->kind->primary(y, id, wn_rng(y->base.seed, id, 0, WN_RNG_INITIAL, 0), record);
    WN_TRY(wn_particles_append(p, record, 1));
  }
  return wn_particles_within(p);
}

static int make(struct wn_study *y, const struct wn_device_plan *plan, struct wn_sim *s)
{
  const size_t n = y->base.electrons, most = y->base.capacity, ranks = (size_t)wn_ranks();
  struct wn_species_spec spec = {.model = y->kind->model,
                                 .ops = plan->ops,
                                 .options = plan->options,
                                 .shape = {.n_groups = 1},
                                 .capacity = n < most ? n / ranks + 1 : most / ranks,
                                 .limit = most};
  s->c = &y->base;
  if (plan->device == WN_DEVICE_CUDA)
    WN_TRY(wn_gpu_open(plan->gpu, &s->gpu));
  spec.options.gpu = s->gpu;
  WN_TRY(wn_species_create(&spec, &s->species[0]));
  s->n_species = 1;
  struct wn_model *m = &s->species[0]->model;
  const struct wn_study_steps steps = wn_study_steps(y);
  m->steps = (unsigned)steps.mobility;
  s->interval = steps.dt * m->steps;
  y->kind->set_up(y, m->data);
  wn_species_begin(s->species[0]);
  WN_TRY(make_field(y, s->gpu, &s->field));
  return release(y, &s->species[0]->p);
}

int wn_study_create(struct wn_study *y, struct wn_sim **out)
{
  struct wn_device_plan plan;
  WN_TRY(choose(y, &plan));
  struct wn_sim *s = wn_alloc(1, sizeof *s);
  if (s == NULL)
    return WN_ENOMEM;
  const int status = make(y, &plan, s);
  if (status != WN_OK) {
    wn_sim_free(s);
    return status;
  }
  *out = s;
  return WN_OK;
}

int wn_study_use(const struct wn_study *y, struct wn_sim *s,
                 const struct wn_scheduler_ops *ops,
                 const struct wn_scheduler_options *options)
{
  WN_TRY(wn_sim_use(s, ops, options));
  if (s->field != NULL)
    s->field->ops->free(s->field);
  s->field = NULL;
  return make_field(y, ops->device == WN_DEVICE_CUDA ? options->gpu : NULL, &s->field);
}
