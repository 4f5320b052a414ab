/* schedulers/model_ion.c - model `ion` for the host: the loop around physics/ion.h.
 *
 * Its data is struct wn_ion: xs, key, charge, mass and n_groups are the caller's to set,
 * then wn_ion_prepare.  The field is uniform and electric; ions do not turn about a
 * magnetic one. */
#include <stddef.h>
#include "base/error.h"
#include "physics/ion.h"
#include "schedulers/model.h"

/* One ion to the end of the phase. */
static WN_HD void fly(const struct wn_ion *m, struct wn_electron *e,
                      struct wn_tally *tally)
{
  const int group = (int)wn_electron_group(e->tag, (uint32_t)m->n_groups);
  while (e->t_left > 0.0f) {
    struct wn_ion_reg r;
    wn_ion_load(m, e, m->a, &r);
    wn_ion_step(m, &r, e->id, &e->event, e->w, group, tally);
    for (int i = 0; i < 3; i++)
      e->x[i] += (double)r.moved[i];
    wn_ion_store(m, &r, e, group, tally);
  }
}

/* Not `advance`: clang makes a symbol of the program of the name of each such function. */
WN_CLONES static void advance_ion(const struct wn_model *model, void *record,
                                  struct wn_tally *tally, struct wn_births *births)
{
  (void)births;
  fly(model->data, record, tally);
}

WN_CLONES static void advance_ions(const struct wn_model *model, void *records, size_t n,
                                   struct wn_tally *tally, struct wn_births *births)
{
  struct wn_electron *e = records;
  (void)births;
  for (size_t i = 0; i < n; i++)
    fly(model->data, &e[i], tally);
}

static double newborns(const struct wn_model *model)
{
  (void)model;
  return 0.0;
}

static void phase(struct wn_model *model, double t, double length)
{
  (void)t;
  wn_ion_set_phase(model->data, length, model->steps);
}

static int feel(struct wn_model *model, const struct wn_field_view *field)
{
  struct wn_ion *m = model->data;
  const struct wn_uniform_view *v = &field->of.uniform;
  if (field->kind != WN_FIELD_UNIFORM)
    return WN_FAIL(WN_EINTERN, "model ion lives in a uniform field only");
  if (v->b != 0.0)
    return WN_FAIL(WN_EINTERN, "model ion knows no magnetic field");
  for (int i = 0; i < 3; i++)
    m->a[i] = (float)(m->charge / m->mass * v->e[i] + 0.0); /* no -0 */
  return WN_OK;
}

static size_t tables(const struct wn_model *model, struct wn_model_table *list)
{
  const struct wn_ion *m = model->data;
  const struct wn_ion_view *xs = &m->xs;
  list[0] = (struct wn_model_table){(size_t)((const char *)&m->xs.row - (const char *)m),
                                    (size_t)xs->n_bins * (size_t)xs->n_processes *
                                        sizeof *xs->row};
  return 1;
}

const struct wn_model_ops wn_model_ion = {
    .name = "ion",
    .doc =
        "ions in gases of thermal atoms: exact free flight, null collisions, any number "
        "of collisions a step",
    .bytes = sizeof(struct wn_ion),
    .record = {.bytes = sizeof(struct wn_electron),
               .t_left = offsetof(struct wn_electron, t_left)},
    .newborns = newborns,
    .phase = phase,
    .feel = feel,
    .advance = advance_ion,
    .advance_many = advance_ions,
    .tables = tables,
    .speed2 = -1,
};
