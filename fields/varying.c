/* fields/varying.c - a uniform field whose E is multiplied by a factor that changes with
 * time (fields/waveform.h), and a constant B.  During a step it has its value at the
 * middle of the step. */
#include <math.h>
#include <stdlib.h>
#include "base/alloc.h"
#include "base/error.h"
#include "fields/field.h"
#include "fields/waveform.h"

struct varying {
  struct wn_field field;
  struct wn_uniform_view full; /* with a factor of 1 */
  struct wn_waveform waveform; /* its lists belong to the scenario */
  double start;                /* s, origin of its time */
  double factor;               /* of the current step */
};

static int create(const struct wn_field_spec *spec, struct wn_field **out)
{
  struct varying *f = wn_alloc(1, sizeof *f);
  if (f == NULL)
    return WN_ENOMEM;
  WN_ASSERT(spec->waveform != NULL);
  f->field.ops = &wn_field_varying;
  for (int i = 0; i < 3; i++) {
    f->full.e[i] = spec->e[i];
    f->full.b_axis[i] = spec->b_axis[i];
  }
  f->full.b = spec->b;
  f->waveform = *spec->waveform;
  f->factor = wn_waveform_at(&f->waveform, 0.0);
  *out = &f->field;
  return WN_OK;
}

static struct varying *of(struct wn_field *field)
{
  WN_ASSERT(field->ops == &wn_field_varying);
  return (struct varying *)(void *)field;
}

void wn_field_varying_begin(struct wn_field *field, double t)
{
  of(field)->start = t;
}

double wn_field_varying_factor(const struct wn_field *field)
{
  return ((const struct varying *)(const void *)field)->factor;
}

static int solve(struct wn_field *field, struct wn_particles *const *species, size_t n,
                 double t, double dt)
{
  struct varying *f = of(field);
  (void)species, (void)n;
  f->factor = wn_waveform_at(&f->waveform, t - f->start + 0.5 * dt);
  return WN_OK;
}

static void view(const struct wn_field *field, struct wn_field_view *out)
{
  const struct varying *f = (const struct varying *)(const void *)field;
  out->kind = WN_FIELD_UNIFORM;
  out->of.uniform = f->full;
  for (int i = 0; i < 3; i++)
    out->of.uniform.e[i] *= f->factor;
}

static int state(struct wn_field *field, struct wn_state *s)
{
  WN_TRY(WN_STATE(s, of(field)->start));
  return WN_STATE(s, of(field)->factor);
}

static void destroy(struct wn_field *field)
{
  free(field);
}

const struct wn_field_ops wn_field_varying = {
    .name = "varying",
    .create = create,
    .solve = solve,
    .view = view,
    .state = state,
    .free = destroy,
};
