/* src/sim/species.c - see species.h. */
#include "src/sim/species.h"
#include <math.h>
#include <stdlib.h>
#include "base/alloc.h"
#include "base/error.h"
#include "base/ranks.h"
#include "device/gpu.h"
#include "particles/load_balance.h"
#include "src/sim/operators.h"

/* As many threads of the host sum and remove particles as the scheduler advances them with.
 * The threads of a GPU's scheduler are lanes of the GPU. */
static void use_threads(struct wn_species *s)
{
  const int of_host = s->ops->device == WN_DEVICE_CPU && s->ops->threads != NULL;
  wn_particles_use_threads(&s->p, of_host ? s->ops->threads(s->sched) : 1);
}

int wn_species_create(const struct wn_species_spec *spec, struct wn_species **out)
{
  struct wn_species *s = wn_alloc(1, sizeof *s);
  if (s == NULL)
    return WN_ENOMEM;
  s->ops = spec->ops;
  s->shape = spec->shape;
  s->mobility_steps = s->subcycling = 1;
  s->population = (struct wn_population){.n_groups = (size_t)spec->shape.n_groups};
  int status = wn_model_init(&s->model, spec->model);
  if (status == WN_OK)
    status = s->ops->create(&spec->options, &s->shape, &s->sched);
  if (status == WN_OK)
    status = wn_tally_init(&s->tally, &s->shape);
  if (status == WN_OK)
    status = wn_tally_init(&s->before, &s->shape);
  if (status == WN_OK && wn_ranks() > 1)
    status = wn_tally_init(&s->here, &s->shape);
  if (status == WN_OK)
    status = wn_particles_init(&s->p,
                               spec->record != NULL ? spec->record : &spec->model->record,
                               spec->capacity, spec->limit);
  if (status == WN_OK && wn_passages(&s->shape) > 0)
    status = wn_passages_create(&s->shape, &s->tally.first_passage);
  s->here.first_passage = s->tally.first_passage;
  if (status != WN_OK) {
    wn_species_free(s);
    return status;
  }
  use_threads(s);
  *out = s;
  return WN_OK;
}

void wn_species_free(struct wn_species *s)
{
  if (s == NULL)
    return;
  wn_particles_clear(&s->p);
  wn_sort_free(s->order);
  wn_ensemble_free(s->ensemble);
  if (s->sched != NULL)
    s->ops->free(s->sched);
  free(s->tally.first_passage);
  wn_tally_clear(&s->tally);
  wn_tally_clear(&s->before);
  wn_tally_clear(&s->here);
  wn_model_clear(&s->model);
  free(s);
}

int wn_species_use(struct wn_species *s, const struct wn_scheduler_ops *ops,
                   const struct wn_scheduler_options *options)
{
  struct wn_scheduler *sched = NULL;
  WN_TRY(ops->create(options, &s->shape, &sched));
  s->ops->free(s->sched);
  s->ops = ops;
  s->sched = sched;
  use_threads(s);
  return WN_OK;
}

void wn_species_begin(struct wn_species *s)
{
  wn_particles_empty(&s->p);
  wn_species_reset(s);
  if (s->ensemble != NULL)
    wn_ensemble_begin(s->ensemble);
  if (s->tally.first_passage != NULL)
    wn_passages_reset(s->tally.first_passage, &s->shape);
  wn_population_begin(&s->population);
  s->is_full = 0;
  s->steps = 0;
  s->n_before = 0;
  s->candidates = s->real = 0;
  s->max_energy_ev = 0.0;
  s->energy = 0;
  s->is_current = 1;
}

struct wn_mcc *wn_species_mcc(const struct wn_species *s)
{
  WN_ASSERT(s->model.ops->is_electron);
  return s->model.data;
}

/* Back to the beginning of the step, except for the particles.  First passages are
 * rounded to a part of a step: those later than the last finished step are dropped. */
static int take_back(struct wn_species *s, double t, double dt)
{
  size_t n = s->tally.first_passage != NULL ? wn_passages(&s->shape) : 0;
  int64_t last = wn_tally_tick(t, dt);
  wn_tally_copy(&s->tally, &s->before, &s->shape);
  if (wn_ranks() > 1)
    wn_tally_reset(&s->here, &s->shape);
  for (size_t i = 0; i < n; i++)
    if (s->tally.first_passage[i] > last)
      s->tally.first_passage[i] = INT64_MAX;
  s->is_full = 1;
  return WN_EFULL;
}

static int or_take_back(struct wn_species *s, int status, double t, double dt)
{
  status = wn_particles_room(status);
  return wn_particles_no_room(status) ? take_back(s, t, dt) : status;
}

struct wn_tally *wn_species_sums(struct wn_species *s)
{
  return wn_ranks() > 1 ? &s->here : &s->tally;
}

int wn_species_hold(struct wn_species *s, double t, double dt)
{
  if (s->is_reset) /* contributions of steps count from here on */
    WN_TRY(wn_species_refresh(s));
  s->n_before = wn_particles_all(&s->p);
  wn_tally_copy(&s->before, &s->tally, &s->shape);
  if (s->ensemble != NULL) /* the unit of weights of the step */
    wn_species_mcc(s)->halvings = (uint32_t)(WN_MOST_HALVINGS + s->ensemble->halvings);
  if (s->model.ops->begin_step != NULL)
    s->model.ops->begin_step(&s->model, t, dt / s->mobility_steps);
  return or_take_back(s, s->ops->hold(s->sched, &s->model, &s->p), t, dt);
}

int wn_species_gather(struct wn_species *s, const struct wn_field_view *field, double t,
                      double dt)
{
  if (s->model.ops->begin_step != NULL)
    s->model.ops->begin_step(&s->model, t, dt);
  if (s->model.ops->set_field != NULL)
    WN_TRY(s->model.ops->set_field(&s->model, field));
  return or_take_back(s, s->ops->gather(s->sched, &s->model, &s->p), t, dt);
}

/* Sort by cells, when that is due. */
static int put_in_order(struct wn_species *s)
{
  if (s->order == NULL)
    return WN_OK;
  if (s->steps == 0 && s->p.place == WN_PARTICLES_HOST)
    WN_TRY(wn_sort_particles(s->order, &s->p));
  s->steps = (s->steps + 1) % WN_SORT_EVERY;
  return WN_OK;
}

/* All particles to the end of the step; then the waiting newborns, generation by
 * generation. */
static int advance(struct wn_species *s)
{
  wn_particles_touched(&s->p);
  for (int k = 0; k < WN_POINT_SUMS; k++)
    s->p.census.sum[k] = 0;
  s->p.n_advanced = 0;
  for (;;) {
    const size_t first = s->p.n;
    const int status = s->ops->advance(s->sched, &s->model, &s->p, wn_species_sums(s));
    s->p.n_advanced = 0;
    WN_TRY(status);
    if (!s->newborns_wait || s->p.n == first)
      return WN_OK;
    s->p.n_advanced = first;
    for (size_t i = 0; i < *s->n_operators; i++)
      if (s->operators[i]->ops->born != NULL)
        WN_TRY(s->operators[i]->ops->born(s->operators[i], s, first));
    WN_TRY(s->ops->start_newborns(s->sched, &s->model, &s->p, first));
  }
}

int wn_species_launch(struct wn_species *s, double t, double dt)
{
  if (s->is_fixed || s->ops->launch == NULL)
    return WN_OK;
  return or_take_back(s, s->ops->launch(s->sched, &s->model, &s->p, wn_species_sums(s)),
                      t, dt);
}

int wn_species_bring_together(struct wn_species *s)
{
  if (wn_ranks() == 1)
    return WN_OK;
  WN_TRY(wn_tally_of_all(&s->here, &s->shape));
  wn_tally_add(&s->tally, &s->here, &s->shape);
  wn_tally_reset(&s->here, &s->shape);
  return WN_OK;
}

int wn_species_advance(struct wn_species *s, double t, double dt)
{
  const uint64_t candidates = s->tally.n_candidates, real = s->tally.n_real;
  if (s->is_fixed)
    return WN_OK;
  WN_TRY(or_take_back(s, put_in_order(s), t, dt));
  WN_TRY(or_take_back(s, advance(s), t, dt));
  WN_TRY(or_take_back(s, wn_particles_within(&s->p), t, dt));
  WN_TRY(wn_species_bring_together(s));
  s->candidates += s->tally.n_candidates - candidates;
  s->real += s->tally.n_real - real;
  s->max_energy_ev = fmax(s->max_energy_ev, s->tally.alarms->max_energy_ev);
  return WN_OK;
}

/* Add the change by steps since the energies were last summed. */
static int settle(struct wn_species *s)
{
  const wn_i128 before = s->energy;
  const int is_reset = s->is_reset; /* and no particle has moved since */
  WN_TRY(wn_species_refresh(s));
  s->carried += is_reset ? 0 : s->energy - before;
  return WN_OK;
}

/* If the store becomes full in the next step, this is not finished, and the energies at
 * its start are needed but no longer available.  A store filled to less than this part is
 * not full after one step, as a rule. */
#define MAY_BE_FULL 8

int wn_species_remove_dead(struct wn_species *s)
{
  wn_particles_complete_census(&s->p);
  /* no pass over particles that the host has if none is dead; the store
   * of a GPU knows itself whether any is */
  if (s->p.place == WN_PARTICLES_REMOTE || s->tally.n_deaths != s->before.n_deaths)
    WN_TRY(wn_particles_compact(&s->p));
  WN_TRY(s->is_fixed || s->in_slabs ? wn_particles_within(&s->p)
                                    : wn_particles_balance(&s->p));
  s->is_current = 0;
  return wn_particles_all(&s->p) > s->p.limit / MAY_BE_FULL ? settle(s) : WN_OK;
}

void wn_species_join_passages(struct wn_species *s)
{
  if (s->tally.first_passage != NULL)
    wn_ranks_least(s->tally.first_passage, wn_passages(&s->shape));
}

void wn_species_reset(struct wn_species *s)
{
  wn_tally_reset(&s->tally, &s->shape);
  s->carried = 0;
  s->is_reset = 1;
}

int wn_species_refresh(struct wn_species *s)
{
  const struct wn_sample energy = {.kind = WN_SAMPLE_ENERGY};
  wn_i128 sum = 0;
  if (!s->model.ops->is_electron || s->no_energy)
    return WN_OK;
  WN_TRY(wn_particles_sample(&s->p, &energy, &sum));
  s->energy = sum;
  s->is_current = 1;
  s->is_reset = 0;
  return WN_OK;
}

/* After a full store the particles are at different times. */
static int settle_if_whole(struct wn_species *s)
{
  return s->is_full || (s->is_current && !s->is_reset) ? WN_OK : settle(s);
}

int wn_species_energy(struct wn_species *s, double *energy_ev)
{
  WN_TRY(settle_if_whole(s));
  *energy_ev = (double)s->energy / WN_FIX_ENERGY;
  return WN_OK;
}

int wn_species_carried(struct wn_species *s, double *carried_ev)
{
  WN_TRY(settle_if_whole(s));
  *carried_ev = s->is_current ? (double)s->carried / WN_FIX_ENERGY : NAN;
  return WN_OK;
}

int wn_species_control(struct wn_species *s)
{
  if (s->ensemble != NULL) {
    WN_TRY(settle_if_whole(s));
    WN_TRY(wn_ensemble_control(s->ensemble, &s->p));
    return wn_species_refresh(s);
  }
  const uint64_t births = s->tally.n_births - s->before.n_births,
                 deaths = s->tally.n_deaths - s->before.n_deaths;
  int due;
  WN_TRY(wn_population_check(&s->population, &s->p, births, deaths, &due));
  if (!due)
    return WN_OK;
  WN_TRY(settle_if_whole(s));
  WN_TRY(wn_population_control(&s->population, &s->p));
  return wn_species_refresh(s);
}

int wn_species_append(struct wn_species *s, struct wn_gpu *gpu, const void *records,
                      size_t n)
{
  WN_TRY(settle_if_whole(s));
  WN_TRY(wn_particles_room(n == 0 ? WN_OK
                           : gpu != NULL && s->p.batches == NULL
                               ? wn_gpu_append(gpu, &s->p, records, n)
                               : wn_particles_append(&s->p, records, n)));
  return wn_species_refresh(s);
}

/* What others keep of the weights and places of electrons follows. */
static void tell_scaled(struct wn_species *s, int to_origin)
{
  for (size_t i = 0; s->n_operators != NULL && i < *s->n_operators; i++)
    if (s->operators[i]->ops->scaled != NULL)
      s->operators[i]->ops->scaled(s->operators[i], to_origin);
}

int wn_species_normalise(struct wn_species *s, double weight)
{
  WN_TRY(settle_if_whole(s));
  WN_TRY(wn_population_normalise(&s->population, &s->p, weight));
  tell_scaled(s, 0);
  return wn_species_refresh(s);
}

int wn_species_restart(struct wn_species *s, double weight)
{
  WN_TRY(settle_if_whole(s));
  WN_TRY(wn_population_restart(&s->population, &s->p, weight));
  tell_scaled(s, 1);
  return wn_species_refresh(s);
}

int wn_species_halve(struct wn_species *s)
{
  WN_TRY(settle_if_whole(s));
  WN_TRY(wn_ensemble_halve(s->ensemble, &s->p));
  return wn_species_refresh(s);
}

int wn_species_double(struct wn_species *s)
{
  WN_TRY(wn_ensemble_double(s->ensemble, &s->p));
  return wn_species_refresh(s);
}

int wn_species_state(struct wn_species *s, struct wn_state *state)
{
  if (state->way == WN_STATE_SAVE)
    wn_species_join_passages(s);
  WN_TRY(wn_particles_state(&s->p, state));
  WN_TRY(wn_tally_state(&s->tally, &s->shape, state));
  WN_TRY(wn_population_state(&s->population, state));
  if (s->ensemble != NULL)
    WN_TRY(wn_ensemble_state(s->ensemble, state));
  WN_TRY(WN_STATE(state, s->n_before));
  WN_TRY(WN_STATE(state, s->is_full));
  WN_TRY(WN_STATE(state, s->steps));
  WN_TRY(WN_STATE(state, s->candidates));
  WN_TRY(WN_STATE(state, s->real));
  WN_TRY(WN_STATE(state, s->max_energy_ev));
  WN_TRY(WN_STATE(state, s->energy));
  WN_TRY(WN_STATE(state, s->carried));
  WN_TRY(WN_STATE(state, s->is_reset));
  WN_TRY(WN_STATE(state, s->no_energy));
  return WN_STATE(state, s->is_current);
}
