/* src/sim/study.c - see study.h. */
#include "src/sim/study.h"
#include "base/alloc.h"
#include "base/error.h"
#include "particles/parts.h"
#include "physics/box.h"
#include "physics/rectangle.h"
#include "physics/split_remove.h"
#include "src/sim/split_table.h"

#define FIRST_CELL_BELOW_MIDDLE 30 /* the study's cube begins at cell n/2 - 30 */

/* The functions and constants of a model. */
struct study {
  const struct wn_model_ops *model;
  struct wn_study_steps (*steps)(const struct wn_config *c);
  /* Its field, and the specification of it in the scenario; NULL: none. */
  const struct wn_field_ops *field;
  struct wn_field_spec (*field_spec)(const struct wn_config *c);
  int (*set_up)(const struct wn_config *c, struct wn_sim *s, void *data);
  /* Primary i with its id; r: the random numbers of its place. */
  void (*primary)(const struct wn_config *c, uint64_t id, struct wn_rng4 r, void *record);
};

static struct wn_study_steps rectangle_steps(const struct wn_config *c)
{
  return (struct wn_study_steps){c->rectangle.poisson_steps, c->rectangle.mobility_steps,
                                 c->rectangle.mobility_step};
}

static int set_up_rectangle(const struct wn_config *c, struct wn_sim *s, void *data)
{
  struct wn_rectangle *m = data;
  (void)s;
  *m = (struct wn_rectangle){.seed = c->seed,
                             .width = c->rectangle.width,
                             .height = c->rectangle.height,
                             .split = c->rectangle.split_chance,
                             .removed = c->rectangle.remove_chance};
  return WN_OK;
}

static void rectangle_primary(const struct wn_config *c, uint64_t id, struct wn_rng4 r,
                              void *record)
{
  struct wn_rectangle_electron *e = record;
  *e = (struct wn_rectangle_electron){.id = id};
  e->x[0] = c->rectangle.width * wn_u01(r.w[0]);
  e->x[1] = c->rectangle.height * wn_u01(r.w[1]);
}

static struct wn_study_steps box_steps(const struct wn_config *c)
{
  return (struct wn_study_steps){c->box.poisson_steps, c->box.mobility_steps,
                                 c->box.mobility_step};
}

static int set_up_box(const struct wn_config *c, struct wn_sim *s, void *data)
{
  struct wn_box *m = data;
  (void)s;
  *m = (struct wn_box){.seed = c->seed,
                       .width = c->box.width,
                       .height = c->box.height,
                       .g = c->box.gravity,
                       .dt = c->box.mobility_step};
  return WN_OK;
}

static void box_primary(const struct wn_config *c, uint64_t id, struct wn_rng4 r,
                        void *record)
{
  struct wn_box_electron *e = record;
  *e = (struct wn_box_electron){.id = id};
  e->x = c->box.width * wn_u01(r.w[0]);
  e->y = c->box.height * (0.5 + 0.5 * wn_u01(r.w[1]));
}

static struct wn_study_steps split_steps(const struct wn_config *c)
{
  return (struct wn_study_steps){c->split_remove.poisson_steps,
                                 c->split_remove.mobility_steps,
                                 c->split_remove.mobility_step};
}

static struct wn_field_spec split_field(const struct wn_config *c)
{
  return (struct wn_field_spec){.cells = c->split_remove.cells,
                                .cell_size = c->split_remove.cell_size};
}

static int set_up_split(const struct wn_config *c, struct wn_sim *s, void *data)
{
  struct wn_split *m = data;
  struct wn_split_tables *tables = wn_alloc(1, sizeof *tables);
  float *column = wn_alloc(2 * WN_SPLIT_LEVELS, sizeof *column);
  float dt = (float)c->split_remove.mobility_step;
  s->owned = tables;
  *m =
      (struct wn_split){.seed = c->seed,
                        .dt = dt,
                        .half_dt = 0.5f * dt,
                        .size = (double)c->split_remove.cells * c->split_remove.cell_size,
                        .tables = tables};
  int status = tables != NULL && column != NULL ? WN_OK : WN_ENOMEM;
  if (status == WN_OK && c->split_remove.constant > 0.0)
    wn_split_constant(c->split_remove.constant, column, column + WN_SPLIT_LEVELS);
  else if (status == WN_OK)
    status = wn_split_table(c->split_remove.table, column, column + WN_SPLIT_LEVELS);
  if (status == WN_OK)
    wn_split_fill(column, column + WN_SPLIT_LEVELS, tables);
  free(column);
  return status;
}

/* At rest, uniform in the cube of `edge` cells that begins at cell cells/2 - 30. */
static void split_primary(const struct wn_config *c, uint64_t id, struct wn_rng4 r,
                          void *record)
{
  struct wn_split_electron *e = record;
  double h = c->split_remove.cell_size,
         first = ((double)(c->split_remove.cells / 2) - FIRST_CELL_BELOW_MIDDLE) * h,
         edge = (double)c->split_remove.edge * h;
  *e = (struct wn_split_electron){.id = id};
  for (int k = 0; k < 3; k++)
    e->x[k] = first + edge * wn_u01(r.w[k]);
}

/* One entry per model; mcc and plasma have none. */
static const struct study studies[WN_N_MODELS] = {
    [WN_MODEL_SPLIT_REMOVE] = {.model = &wn_model_split_remove,
                               .steps = split_steps,
                               .field = &wn_field_difference,
                               .field_spec = split_field,
                               .set_up = set_up_split,
                               .primary = split_primary},
    [WN_MODEL_RECTANGLE] = {.model = &wn_model_rectangle,
                            .steps = rectangle_steps,
                            .set_up = set_up_rectangle,
                            .primary = rectangle_primary},
    [WN_MODEL_BOX] = {.model = &wn_model_box,
                      .steps = box_steps,
                      .set_up = set_up_box,
                      .primary = box_primary},
};

struct wn_study_steps wn_study_steps(const struct wn_config *c)
{
  WN_ASSERT(studies[c->model].steps != NULL);
  return studies[c->model].steps(c);
}

const struct wn_model_ops *wn_study_model(const struct wn_config *c)
{
  WN_ASSERT(studies[c->model].model != NULL);
  return studies[c->model].model;
}

int wn_study_set_up(struct wn_sim *s)
{
  struct wn_model *m = &s->species[0]->model;
  struct wn_study_steps steps = wn_study_steps(s->c);
  m->steps = (unsigned)steps.mobility;
  s->interval = steps.dt * m->steps;
  return studies[s->c->model].set_up(s->c, s, m->data);
}

int wn_study_field(struct wn_sim *s, struct wn_field **out)
{
  const struct study *study = &studies[s->c->model];
  if (study->field == NULL) /* a model without a field gets one that is zero */
    return wn_field_uniform.create(&(struct wn_field_spec){0}, out);
  struct wn_field_spec spec = study->field_spec(s->c);
  spec.gpu = s->gpu;
  return study->field->create(&spec, out);
}

size_t wn_study_grid_bytes(const struct wn_config *c)
{
  const struct study *study = &studies[c->model];
  if (study->field == NULL || study->field->bytes == NULL)
    return 0;
  const struct wn_field_spec spec = study->field_spec(c);
  return study->field->bytes(&spec);
}

int wn_study_release(struct wn_sim *s)
{
  const struct wn_config *c = s->c;
  struct wn_particles *p = &s->species[0]->p;
  _Alignas(16) unsigned char record[WN_RECORD_MAX];
  WN_ASSERT(p->record.bytes <= sizeof record);
  const size_t first = wn_ranks_share(c->electrons, wn_rank(), wn_ranks()),
               last = wn_ranks_share(c->electrons, wn_rank() + 1, wn_ranks());
  for (size_t i = first; i < last; i++) {
    uint64_t id = wn_rng_primary_id(c->seed, i, 0);
    studies[c->model].primary(c, id, wn_rng(c->seed, id, 0, WN_RNG_INITIAL, 0), record);
    WN_TRY(wn_particles_append(p, record, 1));
  }
  return wn_particles_within(p);
}
