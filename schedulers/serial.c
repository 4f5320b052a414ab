/* schedulers/serial.c - one particle after the other: the reference implementation. */
#include "schedulers/scheduler.h"
#include <stdlib.h>
#include "base/alloc.h"
#include "base/error.h"

struct wn_scheduler {
  struct wn_births births;
};

static int create(const struct wn_scheduler_options *o,
                  const struct wn_tally_shape *shape, struct wn_scheduler **out)
{
  (void)o;
  (void)shape;
  *out = wn_alloc(1, sizeof **out);
  return *out != NULL ? WN_OK : WN_ENOMEM;
}

static int advance(struct wn_scheduler *s, const struct wn_model *model,
                   struct wn_particles *p, struct wn_tally *tally)
{
  s->births.record = p->record.bytes;
  /* newborns are appended, and reached by the same loop */
  for (size_t i = p->n_advanced; i < p->n; i++) {
    s->births.n = 0;
    model->ops->advance(model, wn_particles_at(p, i), tally, &s->births);
    WN_TRY(s->births.status);
    WN_TRY(wn_particles_append(p, s->births.e, s->births.n));
  }
  return WN_OK;
}

static void destroy(struct wn_scheduler *s)
{
  if (s != NULL)
    free(s->births.e);
  free(s);
}

const struct wn_scheduler_ops wn_scheduler_serial = {
    .name = "serial",
    .doc = "one thread, one electron after the other: the definition of the method",
    .create = create,
    .hold = wn_scheduler_hold_host,
    .gather = wn_scheduler_gather_host,
    .advance = advance,
    .start_newborns = wn_scheduler_start_newborns_host,
    .free = destroy,
};
