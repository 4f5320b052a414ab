/* src/sim/detectors.c - see detectors.h. */
#include "src/sim/detectors.h"
#include <stdlib.h>
#include "base/alloc.h"
#include "base/error.h"
#include "device/gpu.h"
#include "src/sim/operators.h"
#include "src/sim/sim.h"

extern const struct wn_operator_ops wn_operator_detectors;

struct detectors {
  struct wn_operator operator; /* the head of every operator */
  struct wn_detector *detector;
  struct wn_crossings crossings;
};

static struct detectors *of(struct wn_operator *o)
{
  return (struct detectors *)(void *)o;
}

static void release(struct wn_operator *head)
{
  struct detectors *o = of(head);
  wn_gpu_crossings_free(o->crossings.remote);
  free(o->detector);
  free(o->crossings.list);
  free(o);
}

static int create(struct wn_sim *s, struct wn_operator **out)
{
  const struct wn_config *c = s->c;
  const size_t n = wn_config_detectors(c);
  if (n == 0)
    return WN_OK;
  struct detectors *o = wn_alloc(1, sizeof *o);
  struct wn_detector *d = wn_alloc(n, sizeof *d);
  if (o == NULL || d == NULL) {
    free(o);
    free(d);
    return WN_ENOMEM;
  }
  for (size_t i = 0; i < n; i++)
    d[i] = i < c->detectors.n_planes
               ? (struct wn_detector){WN_DETECTOR_PLANE, c->detectors.planes[i]}
               : (struct wn_detector){WN_DETECTOR_SPHERE,
                                      c->detectors.spheres[i - c->detectors.n_planes]};
  o->operator.ops = & wn_operator_detectors;
  o->detector = d;
  o->crossings = (struct wn_crossings){.n_detectors = n,
                                       .detector = d,
                                       .least_ev = c->detectors.above_ev,
                                       .add = wn_crossings_add};
  if (s->gpu != NULL) {
    const int status =
        wn_gpu_crossings_create(s->gpu, &o->crossings, 0, &o->crossings.remote);
    if (status != WN_OK) {
      release(&o->operator);
      return status;
    }
  }
  wn_species_mcc(s->species[0])->crossings = &o->crossings;
  *out = &o->operator;
  return WN_OK;
}

static void begin(struct wn_operator *head)
{
  wn_crossings_empty(&of(head)->crossings);
}

static int before_flight(struct wn_operator *head, struct wn_sim *s, size_t k, unsigned i)
{
  (void)s, (void)k, (void)i;
  wn_crossings_empty(&of(head)->crossings);
  return WN_OK;
}

static int apply(struct wn_operator *head, struct wn_sim *s)
{
  (void)s;
  return wn_crossings_collect(&of(head)->crossings);
}

const struct wn_operator_ops wn_operator_detectors = {
    .create = create,
    .begin = begin,
    .before_flight = before_flight,
    .apply = apply,
    .free = release,
};

const struct wn_crossing *wn_detectors_crossings(const struct wn_sim *s, size_t *n)
{
  for (size_t i = 0; i < s->n_operators; i++)
    if (s->operators[i]->ops == &wn_operator_detectors) {
      const struct wn_crossings *c = &of(s->operators[i])->crossings;
      *n = c->n;
      return c->list;
    }
  *n = 0;
  return NULL;
}
