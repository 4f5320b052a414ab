/* src/run/capacity_outlook.c - see capacity_outlook.h. */
#include "src/run/capacity_outlook.h"
#include <math.h>
#include <stdio.h>
#include "base/log.h"
#include "particles/load_balance.h"

#define CONTROLLED 1.25 /* times the target: particles/population_control.h */

void wn_capacity_begin(struct wn_capacity_outlook *o, const struct wn_sim *s)
{
  o->is_said = 0;
  for (size_t k = 0; k < s->n_species; k++) {
    o->growth[k].n = 0;
    wn_growth_note(&o->growth[k], s->time, (double)wn_particles_all(&s->species[k]->p));
  }
}

static int is_controlled(const struct wn_species *s)
{
  return s->ensemble != NULL || s->population.target > 0;
}

static void say(const struct wn_sim *s, size_t k, double n, double doubling, double until,
                double end)
{
  wn_log(WN_LOG_WARN,
         "%s%s: %.0f %s %.4g s after the start, doubling every %.3g s: if this "
         "continues, the store (population.capacity is %zu) is full at about %.3g s, "
         "before the end at %.4g s, and the run stops there with its results so far; %s",
         s->c->model == WN_MODEL_MCC ? "field " : "",
         wn_config_case_text(s->c, s->i_case), n, wn_sim_species_name(s, k), s->time,
         doubling, s->species[k]->p.limit, s->time + until, end,
         wn_config_more_room(s->c));
}

void wn_capacity_check(struct wn_capacity_outlook *o, const struct wn_sim *s,
                       const struct wn_job_ops *ops)
{
  const double end = ops->duration != NULL ? ops->duration(s->c) : NAN;
  if (o->is_said || !(end > s->time))
    return;
  for (size_t k = 0; k < s->n_species && !o->is_said; k++) {
    const struct wn_particles *p = &s->species[k]->p;
    const double n = (double)wn_particles_all(p);
    if (is_controlled(s->species[k]) || !wn_growth_note(&o->growth[k], s->time, n))
      continue;
    double doubling;
    const double until = wn_growth_until(&o->growth[k], (double)p->limit, &doubling);
    if (until < end - s->time) {
      say(s, k, n, doubling, until, end);
      o->is_said = 1;
    }
  }
}

double wn_capacity_limit(const struct wn_sim *s)
{
  double most = 0.0;
  for (size_t k = 0; k < s->n_species; k++) {
    const struct wn_species *of = s->species[k];
    most += of->ensemble != NULL        ? INFINITY
            : of->population.target > 0 ? CONTROLLED * (double)of->population.target
                                        : (double)of->p.limit;
  }
  return most;
}
