/* src/diag/adaptive_steps.c - diagnostic `adaptive_steps`: the length of each step and what decided it
 * (src/sim/adaptive_step.h), a row for each whole step with its parts in their order; the rest of a row
 * is not written.  Nothing where steps are equal. */
#include <math.h>
#include <stdlib.h>
#include "base/alloc.h"
#include "base/error.h"
#include "src/config/adaptive_step.h"
#include "src/diag/diag.h"

enum { LENGTH, LONGEST, REASON, N_COLUMNS };

#define OF_PART .n_dims = 2, .dims = {"whole_step", "step_part"}
static const struct wn_output_var vars[N_COLUMNS] = {
    [LENGTH] = {WN_VAR("step_length", "s", "length of a step"),
                .comment = "steps of a whole step in their order; NaN beyond the last",
                OF_PART},
    [LONGEST] = {WN_VAR("step_longest", "s", "longest step that the conditions allowed"),
                 .comment = "infinity: no condition set a limit", OF_PART},
    [REASON] = {WN_VAR("step_reason", "1", "what decided the length of a step"),
                .comment = "0 plasma.time_step, 1 plasma.adaptive.cells, 2 .growth, 3 "
                           ".relaxation, 4 twice the step before, 5 a longer one does "
                           "not begin at this time, 6 the first step",
                OF_PART},
};

struct wn_diag {
  size_t parts;              /* that a row has room for; 0: steps are equal */
  size_t taken;              /* of the row in hand */
  size_t rows;               /* written */
  double *column[N_COLUMNS]; /* [parts] */
};

static int define(struct wn_output *o, const struct wn_config *c, const struct wn_gas *g)
{
  (void)g;
  if (!wn_steps_are_adaptive(c))
    return WN_OK;
  WN_TRY(wn_output_dim(o, "whole_step", c->plasma.steps));
  WN_TRY(wn_output_dim(o, "step_part", (size_t)1 << wn_step_levels(c)));
  return wn_output_define_all(o, vars, N_COLUMNS);
}

static void destroy(struct wn_diag *d)
{
  for (int k = 0; k < N_COLUMNS; k++)
    free(d->column[k]);
  free(d);
}

static void empty(struct wn_diag *d)
{
  d->taken = 0;
  for (int k = 0; k < N_COLUMNS; k++)
    for (size_t i = 0; i < d->parts; i++)
      d->column[k][i] = NAN;
}

static int create(const struct wn_sim *s, struct wn_diag **out)
{
  struct wn_diag *d = wn_alloc(1, sizeof *d);
  if (d == NULL)
    return WN_ENOMEM;
  d->parts = wn_steps_are_adaptive(s->c) ? (size_t)1 << s->adaptive.clock.levels : 0;
  for (int k = 0; k < N_COLUMNS; k++) {
    d->column[k] = wn_alloc(d->parts + 1, sizeof *d->column[k]);
    if (d->column[k] == NULL) {
      destroy(d);
      return WN_ENOMEM;
    }
  }
  empty(d);
  *out = d;
  return WN_OK;
}

static int put_row(struct wn_diag *d, struct wn_output *o)
{
  for (int k = 0; k < N_COLUMNS; k++)
    WN_TRY(wn_output_put(o, vars[k].name, (long)d->rows, d->column[k]));
  d->rows++;
  empty(d);
  return WN_OK;
}

static int sample(struct wn_diag *d, const struct wn_sim *s, struct wn_output *o)
{
  const struct wn_adaptive_step *a = &s->adaptive;
  if (d->parts == 0)
    return WN_OK;
  WN_ASSERT(d->taken < d->parts);
  d->column[LENGTH][d->taken] = a->length;
  d->column[LONGEST][d->taken] = a->longest;
  d->column[REASON][d->taken] = (double)a->reason;
  d->taken++;
  return a->clock.part == 0 ? put_row(d, o) : WN_OK;
}

/* A run that ends early ends inside a whole step. */
static int write(struct wn_diag *d, const struct wn_sim *s, int enough,
                 struct wn_output *o)
{
  (void)s, (void)enough;
  return d->taken > 0 ? put_row(d, o) : WN_OK;
}

static int state(struct wn_diag *d, struct wn_state *st)
{
  if (d->parts == 0)
    return WN_OK;
  WN_TRY(WN_STATE(st, d->taken));
  WN_TRY(WN_STATE(st, d->rows));
  for (int k = 0; k < N_COLUMNS; k++)
    WN_TRY(WN_STATE_ARRAY(st, d->column[k], d->parts));
  return WN_OK;
}

const struct wn_diag_ops wn_diag_adaptive_steps = {
    .define = define,
    .create = create,
    .sample = sample,
    .write = write,
    .state = state,
    .free = destroy,
};
