/* schedulers/model.c - the beginning of a phase, births and tallies. */
#include "schedulers/model.h"
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/error.h"

int wn_model_begin(const struct wn_model *model, struct wn_electron *e, size_t n)
{
  if (model->ops->prepare != NULL)
    WN_TRY(model->ops->prepare(model, e, n));
  for (size_t i = 0; i < n; i++)
    e[i].t_left = (float)model->steps;
  return WN_OK;
}

void wn_births_push(struct wn_births *b, const struct wn_electron *e)
{
  if (b->n == b->capacity) {
    size_t capacity = b->capacity > 0 ? 2 * b->capacity : 256;
    struct wn_electron *grown = wn_realloc(b->e, capacity, sizeof *grown);
    if (grown == NULL) {
      b->status = WN_ENOMEM;
      return;
    }
    b->e = grown;
    b->capacity = capacity;
  }
  b->e[b->n++] = *e;
}

int wn_tally_init(struct wn_tally *t, const struct wn_tally_shape *s)
{
  size_t groups = (size_t)s->n_groups;
  *t = (struct wn_tally){0};
  t->group = wn_alloc(groups, sizeof *t->group);
  t->count = wn_alloc(groups * (size_t)s->n_processes + 1, sizeof *t->count);
  t->lost = wn_alloc(groups * (size_t)s->n_processes + 1, sizeof *t->lost);
  t->passed = wn_alloc(groups * (size_t)s->n_thresholds + 1, sizeof *t->passed);
  t->alarms = wn_alloc(1, sizeof *t->alarms);
  if (t->group && t->count && t->lost && t->passed && t->alarms)
    return WN_OK;
  wn_tally_clear(t);
  return WN_ENOMEM;
}

void wn_tally_reset(struct wn_tally *t, const struct wn_tally_shape *s)
{
  size_t groups = (size_t)s->n_groups;
  struct wn_tally keep = *t;
  memset(t->group, 0, groups * sizeof *t->group);
  memset(t->count, 0, groups * (size_t)s->n_processes * sizeof *t->count);
  memset(t->lost, 0, groups * (size_t)s->n_processes * sizeof *t->lost);
  memset(t->passed, 0, groups * (size_t)s->n_thresholds * sizeof *t->passed);
  memset(t->alarms, 0, sizeof *t->alarms);
  *t = (struct wn_tally){.group = keep.group,
                         .count = keep.count,
                         .lost = keep.lost,
                         .passed = keep.passed,
                         .alarms = keep.alarms,
                         .first_passage = keep.first_passage};
}

static void add_array(wn_i128 *to, const wn_i128 *from, size_t n)
{
  for (size_t i = 0; i < n; i++)
    to[i] += from[i];
}

void wn_tally_add(struct wn_tally *to, const struct wn_tally *from,
                  const struct wn_tally_shape *s)
{
  size_t groups = (size_t)s->n_groups;
  to->n_candidates += from->n_candidates;
  to->n_real += from->n_real;
  to->n_births += from->n_births;
  to->n_deaths += from->n_deaths;
  to->alarms->n_violations += from->alarms->n_violations;
  to->alarms->n_beyond += from->alarms->n_beyond;
  to->alarms->n_forbidden += from->alarms->n_forbidden;
  wn_tally_max(&to->alarms->max_energy_ev, from->alarms->max_energy_ev);
  /* a group is nothing but sums of one type */
  add_array((wn_i128 *)to->group, (const wn_i128 *)from->group,
            groups * sizeof *to->group / sizeof(wn_i128));
  add_array(to->count, from->count, groups * (size_t)s->n_processes);
  add_array(to->lost, from->lost, groups * (size_t)s->n_processes);
  add_array(to->passed, from->passed, groups * (size_t)s->n_thresholds);
}

void wn_tally_clear(struct wn_tally *t)
{
  free(t->group);
  free(t->count);
  free(t->lost);
  free(t->passed);
  free(t->alarms);
  *t = (struct wn_tally){0};
}
