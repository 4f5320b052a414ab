/* fields/uniform.c - uniform E and B, given by the scenario. */
#include <stdlib.h>
#include "base/alloc.h"
#include "base/error.h"
#include "fields/field.h"

struct uniform {
  struct wn_field field;
  struct wn_uniform_view view;
};

static int create(const struct wn_field_spec *spec, struct wn_field **out)
{
  struct uniform *f = wn_alloc(1, sizeof *f);
  if (f == NULL)
    return WN_ENOMEM;
  f->field.ops = &wn_field_uniform;
  for (int i = 0; i < 3; i++) {
    f->view.e[i] = spec->e[i];
    f->view.b_axis[i] = spec->b_axis[i];
  }
  f->view.b = spec->b;
  *out = &f->field;
  return WN_OK;
}

static void view(const struct wn_field *field, struct wn_field_view *out)
{
  const struct uniform *f = (const struct uniform *)(const void *)field;
  out->kind = WN_FIELD_UNIFORM;
  out->of.uniform = f->view;
}

void wn_field_uniform_set(struct wn_field *field, const double e[3])
{
  WN_ASSERT(field->ops == &wn_field_uniform);
  struct uniform *f = (struct uniform *)(void *)field;
  for (int i = 0; i < 3; i++)
    f->view.e[i] = e[i];
}

static int state(struct wn_field *field, struct wn_state *s)
{
  struct uniform *f = (struct uniform *)(void *)field;
  return WN_STATE(s, f->view);
}

static void destroy(struct wn_field *field)
{
  free(field);
}

const struct wn_field_ops wn_field_uniform = {
    .name = "uniform",
    .create = create,
    .view = view,
    .state = state,
    .free = destroy,
};
