/* src/sim/followed.c - see followed.h. */
#include "src/sim/followed.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/error.h"
#include "src/config/plasma_derived.h"
#include "src/sim/operators.h"

extern const struct wn_operator_ops wn_operator_followed;

struct one {
  size_t gas;
  double most, first, loss; /* m-3, m-3, 1/s */
  double density;           /* below 0 when more were taken in a step than there were */
  signed char *change;      /* [n_processes] of an event of each process */
};

struct followed {
  struct wn_operator operator; /* the head of every operator */
  const struct wn_config *c;
  struct wn_xs_table *table;
  double volume; /* m3 */
  size_t n;
  struct one *of; /* [n] */
};

static struct followed *of(struct wn_operator *o)
{
  return (struct followed *)(void *)o;
}

/* The component of that name; it is there. */
static size_t gas_of(const struct wn_config *c, const char *name)
{
  size_t i = 0;
  while (strcmp(c->components[i].name, name) != 0)
    i++;
  return i;
}

/* The index of a process of electrons with another component; below 0: none. */
static int source_of(const struct wn_gas *g, const char *name, size_t gas)
{
  for (int i = 0; i < g->table->view.n_processes; i++)
    if (strcmp(g->process_name[i], name) == 0 &&
        wn_xs_table_process(g->table, i)->gas != gas)
      return i;
  return -1;
}

static int unknown(const struct wn_config *c, const struct wn_gas *g,
                   const struct wn_cfg_followed *d, const char *name, size_t gas)
{
  char all[1024];
  size_t used = 0;
  all[0] = '\0';
  for (int i = 0; i < g->table->view.n_processes && used < sizeof all; i++)
    if (wn_xs_table_process(g->table, i)->gas != gas)
      used += (size_t)snprintf(all + used, sizeof all - used, "%s\"%s\"",
                               used > 0 ? ", " : "", g->process_name[i]);
  return WN_FAIL(WN_EINPUT,
                 "%s: key `followed.%s.sources`: there is no process \"%s\" of another "
                 "component; allowed: %s",
                 c->file, d->name, name, all);
}

int wn_followed_possible(const struct wn_config *c, const struct wn_gas *gas)
{
  for (size_t i = 0; c->model == WN_MODEL_PLASMA && i < c->n_followed; i++) {
    const struct wn_cfg_followed *d = &c->followed[i];
    const size_t of = gas_of(c, d->name);
    for (size_t j = 0; j < d->n_sources; j++)
      if (source_of(gas, d->sources[j], of) < 0)
        return unknown(c, gas, d, d->sources[j], of);
  }
  return WN_OK;
}

/* Real events of a process in the step, of all electrons, times how it changes the number. */
static double changes(const struct followed *f, const struct wn_sim *s,
                      const struct one *one)
{
  const int n = f->table->view.n_processes;
  double sum = 0.0;
  for (size_t k = 0; k < s->n_species; k++) {
    const struct wn_species *e = s->species[k];
    if (!wn_config_is_electron(&f->c->species[k]))
      continue;
    wn_i128 events = 0;
    for (int g = 0; g < e->shape.n_groups; g++)
      for (int i = 0; i < n; i++)
        events +=
            (e->tally.count[g * n + i] - e->before.count[g * n + i]) * one->change[i];
    sum += (double)events / WN_FIX_WEIGHT * wn_loading_weight(f->c, &f->c->species[k]);
  }
  return sum;
}

static int thin(const struct followed *f, const struct one *one)
{
  return wn_xs_table_thin(f->table, one->gas, fmax(one->density, 0.0) / one->most);
}

static int apply(struct wn_operator *o, struct wn_sim *s)
{
  struct followed *f = of(o);
  for (size_t i = 0; i < f->n; i++) {
    struct one *one = &f->of[i];
    const double x = one->loss * s->interval;
    one->density = one->density * exp(-x) +
                   changes(f, s, one) / f->volume * (x > 0.0 ? -expm1(-x) / x : 1.0);
    if (one->density > one->most)
      return WN_FAIL(
          WN_ERUN,
          "at %.6g s the followed density of %s is %.6g m-3, above that of "
          "gas.components.%s, %.6g m-3, which bounds on the collision frequency "
          "are for; raise its fraction",
          s->time, f->c->followed[i].name, one->density, f->c->followed[i].name,
          one->most);
    WN_TRY(thin(f, one));
  }
  return WN_OK;
}

static void destroy(struct wn_operator *o)
{
  struct followed *f = of(o);
  for (size_t i = 0; f->of != NULL && i < f->n; i++) {
    wn_xs_table_thin(f->table, f->of[i].gas, 1.0); /* as it was made */
    free(f->of[i].change);
  }
  free(f->of);
  free(f);
}

static int set_up(const struct followed *f, const struct wn_sim *s,
                  const struct wn_cfg_followed *d, struct one *one)
{
  const int n = f->table->view.n_processes;
  one->gas = gas_of(s->c, d->name);
  one->most = s->gas->density[one->gas];
  one->first = one->density = d->density;
  one->loss = d->loss;
  one->change = wn_alloc((size_t)n, sizeof *one->change);
  if (one->change == NULL)
    return WN_ENOMEM;
  for (int i = 0; i < n; i++) {
    const struct wn_process_view *p = wn_xs_table_process(f->table, i);
    one->change[i] = p->gas == one->gas && p->kind != WN_PROC_ELASTIC ? -1 : 0;
  }
  for (size_t j = 0; j < d->n_sources; j++)
    one->change[source_of(s->gas, d->sources[j], one->gas)] = 1;
  return thin(f, one);
}

static int create(struct wn_sim *s, struct wn_operator **out)
{
  const struct wn_config *c = s->c;
  if (c->model != WN_MODEL_PLASMA || c->n_followed == 0)
    return WN_OK;
  WN_TRY(wn_followed_possible(c, s->gas));
  struct followed *f = wn_alloc(1, sizeof *f);
  if (f == NULL)
    return WN_ENOMEM;
  f->operator.ops = & wn_operator_followed;
  f->c = c;
  f->table = s->gas->table;
  f->volume = 1.0;
  for (int d = 0; d < s->geometry.dim; d++)
    f->volume *= wn_axis_mean(&s->geometry.axis[d]) * (double)s->geometry.axis[d].cells;
  f->of = wn_alloc(c->n_followed, sizeof *f->of);
  int status = f->of != NULL ? WN_OK : WN_ENOMEM;
  for (; f->n < c->n_followed && status == WN_OK; f->n++)
    status = set_up(f, s, &c->followed[f->n], &f->of[f->n]);
  if (status != WN_OK) {
    destroy(&f->operator);
    return status;
  }
  *out = &f->operator;
  return WN_OK;
}

static void begin(struct wn_operator *o)
{
  struct followed *f = of(o);
  for (size_t i = 0; i < f->n; i++) {
    f->of[i].density = f->of[i].first;
    thin(f, &f->of[i]); /* has its memory since create */
  }
}

static int state(struct wn_operator *o, struct wn_state *st)
{
  struct followed *f = of(o);
  for (size_t i = 0; i < f->n; i++) {
    WN_TRY(WN_STATE(st, f->of[i].density));
    WN_TRY(thin(f, &f->of[i]));
  }
  return WN_OK;
}

void wn_followed_densities(const struct wn_sim *s, double *density)
{
  for (size_t i = 0; i < s->n_operators; i++)
    if (s->operators[i]->ops == &wn_operator_followed)
      for (size_t j = 0; j < of(s->operators[i])->n; j++)
        density[j] = of(s->operators[i])->of[j].density;
}

const struct wn_operator_ops wn_operator_followed = {
    .create = create,
    .begin = begin,
    .apply = apply,
    .state = state,
    .free = destroy,
};
