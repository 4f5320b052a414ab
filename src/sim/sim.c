/* src/sim/sim.c - see sim.h. */
#include "src/sim/sim.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include "base/alloc.h"
#include "base/error.h"
#include "device/gpu.h"
#include "particles/load_balance.h"
#include "physics/constants.h"
#include "src/sim/particle_bounds.h"
#include "src/sim/plasma.h"
#include "src/sim/primaries.h"
#include "src/sim/profile.h"

static float just_below(double x)
{
  return nextafterf((float)x, 0.0f); /* not above x, whatever the rounding */
}

void wn_sim_gas(const struct wn_sim *s, struct wn_mcc *m)
{
  const struct wn_xs_table *t = s->gas->table;
  m->xs = t->view;
  m->key = wn_rng_key(s->c->seed);
  m->inv_nu = (float)(1.0 / t->view.nu_max);
  m->n_groups = 1;
  m->limit_ev = fmin(t->limit_ev, t->view.e_top);
  m->stop_ev = INFINITY;
  m->watch_ev = just_below(m->limit_ev);
}

/* Constants of all cases. */
static void set_up_mcc(struct wn_sim *s)
{
  const struct wn_config *c = s->c;
  struct wn_species *electrons = s->species[0];
  struct wn_mcc *m = wn_species_mcc(electrons);
  electrons->model.steps = (unsigned)c->mobility_steps;
  wn_sim_gas(s, m);
  m->n_groups = (int)c->groups;
  m->n_thresholds = electrons->shape.n_thresholds;
  m->threshold_ev = c->thresholds_ev;
  m->cohorts = s->needs.cohorts;
  m->floor_ev = (float)c->stop_below_ev;
  if (s->needs.spreads)
    m->spreads = wn_config_has_frame(c) ? WN_MCC_ALL_SPREADS : WN_MCC_FEW_SPREADS;
  if (s->needs.passages && c->stop_above_ev > 0.0)
    m->stop_ev = c->stop_above_ev;
  else if (s->needs.cohorts)
    m->stop_ev = c->thresholds_ev[c->n_thresholds - 1];
  double watch = fmin(m->limit_ev, m->stop_ev);
  if (m->n_thresholds > 0)
    watch = fmin(watch, c->thresholds_ev[0]);
  m->watch_ev = just_below(watch);
  if (s->profile != NULL)
    m->profile = *s->profile;
  electrons->population.protect_ev = c->population_protect_ev;
  electrons->population.seed = c->seed;
  electrons->population.inv_nu = m->inv_nu;
}

/* A weighted ensemble, where the job needs one. */
static int set_up_ensemble(struct wn_sim *s)
{
  const struct wn_config *c = s->c;
  struct wn_species *electrons = s->species[0];
  struct wn_levels levels;
  if (!s->needs.weighted)
    return WN_OK;
  wn_config_levels(c, &levels);
  WN_TRY(wn_ensemble_create(c->groups, &levels,
                            (double)c->population_target / (double)c->groups,
                            &electrons->ensemble));
  electrons->ensemble->seed = c->seed;
  /* as many as in all other levels, which costs a sixth and reduces the variance of a
   * rate tenfold (doc/physics.md) */
  electrons->ensemble->bulk = electrons->ensemble->wanted * levels.n_edges;
  struct wn_mcc *m = wn_species_mcc(electrons);
  electrons->ensemble->inv_nu = m->inv_nu;
  if (!s->needs.cohorts)
    return WN_OK; /* none is marked, places are true, and weights are those of one primary */
  electrons->ensemble->below_ev = c->thresholds_ev[0];
  m->mark_m = exp2(ceil(log2(2.0 * WN_C * c->duration)) + 1.0);
  m->per_mark = 1.0 / m->mark_m;
  electrons->ensemble->mark_m = m->mark_m;
  return WN_OK;
}

static int create_species(struct wn_sim *s, const struct wn_device_plan *plan)
{
  const struct wn_config *c = s->c;
  if (c->model == WN_MODEL_PLASMA)
    return wn_plasma_set_up(s, plan);
  int passages = s->needs.passages;
  struct wn_species_spec spec = {
      .model = &wn_model_mcc,
      .ops = plan->ops,
      .options = plan->options,
      .shape = {.n_groups = (int)c->groups,
                .n_processes = s->gas != NULL ? s->gas->table->view.n_processes : 0,
                .n_thresholds = passages ? (int)c->n_thresholds : 0,
                .bins = s->needs.cohorts,
                .n_lineages = passages && !s->needs.weighted ? c->electrons : 0},
      /* electrons of a GPU are copied to the host only on request */
      .capacity = s->gpu != NULL               ? 0
                  : c->electrons < c->capacity ? c->electrons / (size_t)wn_ranks() + 1
                                               : c->capacity / (size_t)wn_ranks(),
      .limit = c->capacity};
  spec.options.gpu = s->gpu;
  WN_TRY(wn_species_create(&spec, &s->species[0]));
  s->n_species = 1;
  WN_TRY(wn_profile_create(c, &s->profile));
  set_up_mcc(s);
  return set_up_ensemble(s);
}

int wn_sim_create(const struct wn_config *c, const struct wn_gas *gas,
                  const struct wn_sim_needs *needs, const struct wn_device_plan *plan,
                  struct wn_sim **out)
{
  struct wn_sim *s = wn_alloc(1, sizeof *s);
  if (s == NULL)
    return WN_ENOMEM;
  s->needs = *needs;
  s->c = c;
  s->gas = gas;
  int status = WN_OK;
  if (plan->device == WN_DEVICE_CUDA)
    status = wn_gpu_open(plan->gpu, &s->gpu);
  if (status == WN_OK)
    status = create_species(s, plan);
  if (status == WN_OK)
    status = wn_operators_create(s);
  for (size_t k = 0; k < s->n_species; k++) {
    s->species[k]->operators = s->operators;
    s->species[k]->n_operators = &s->n_operators;
  }
  if (status != WN_OK) {
    wn_sim_free(s);
    return status;
  }
  *out = s;
  return WN_OK;
}

static void end_case(struct wn_sim *s)
{
  if (s->field != NULL)
    s->field->ops->free(s->field);
  s->field = NULL;
}

void wn_sim_free(struct wn_sim *s)
{
  if (s == NULL)
    return;
  end_case(s);
  for (size_t i = 0; i < s->n_operators; i++)
    s->operators[i]->ops->free(s->operators[i]);
  for (size_t k = 0; k < s->n_species; k++)
    wn_species_free(s->species[k]);
  wn_gpu_close(s->gpu);
  wn_profile_free(s->profile);
  free(s->geometry.surface);
  free(s);
}

/* E points along -z, so that electrons drift along +z. */
static int uniform_field(struct wn_sim *s)
{
  const struct wn_config *c = s->c;
  const struct wn_field_spec spec = {
      .e = {0.0, 0.0, -c->cases[s->i_case].e},
      .b = c->magnetic_field,
      .b_axis = {sin(c->magnetic_angle), 0.0, cos(c->magnetic_angle)},
      .waveform = c->waveform.is.shape != WN_WAVEFORM_CONSTANT ? &c->waveform.is : NULL};
  return spec.waveform != NULL ? wn_field_varying.create(&spec, &s->field)
                               : wn_field_uniform.create(&spec, &s->field);
}

int wn_sim_begin(struct wn_sim *s, size_t i_case)
{
  end_case(s);
  s->i_case = i_case;
  s->time = 0.0;
  s->n_steps = s->looked_at = 0;
  wn_adaptive_reset(s);
  for (size_t k = 0; k < WN_MAX_SPECIES; k++)
    s->looks[k] = s->crossed[k] = 0;
  s->lag = s->n_lags = 0;
  wn_energy_changes_begin(&s->energy_changes);
  for (size_t k = 0; k < s->n_species; k++)
    wn_species_begin(s->species[k]);
  for (size_t i = 0; i < s->n_operators; i++)
    if (s->operators[i]->ops->begin != NULL)
      s->operators[i]->ops->begin(s->operators[i]);
  if (s->c->model == WN_MODEL_PLASMA) {
    WN_TRY(wn_plasma_field(s, &s->field));
    return wn_plasma_release(s);
  }
  WN_TRY(uniform_field(s));
  return wn_release(s);
}

int wn_sim_use(struct wn_sim *s, const struct wn_scheduler_ops *ops,
               const struct wn_scheduler_options *options)
{
  for (size_t k = 0; k < s->n_species; k++)
    WN_TRY(wn_species_use(s->species[k], ops, options));
  return WN_OK;
}

/* Alarms of ions; above the top of the tables an excess over the bound is no bug. */
static int ion_alarms(const struct wn_sim *s, size_t k, const char *fastest)
{
  const struct wn_tally_alarms *t = s->species[k]->tally.alarms;
  const struct wn_xs_ion_table *x = s->gas->ions[k]->table;
  const char *name = s->c->species[k].name;
  if (t->n_beyond > 0)
    return WN_FAIL(
        WN_ERUN,
        "species %s: an ion and an atom collided at %.4g eV, but the table of `%s` "
        "ends at %.4g eV; choose what holds above with gas.components.<NAME>.beyond "
        "(constant, zero, power), or lower the voltages%s",
        name, t->max_energy_ev, x->limit_process, (double)x->view.limit_ev, fastest);
  if (t->n_violations > 0 && t->max_energy_ev >= (double)x->view.e_top)
    return WN_FAIL(
        WN_ERUN,
        "species %s: an ion and an atom collided at %.4g eV, above the top of the ions' "
        "tables, %.4g eV; raise tables.ion_energy_max%s",
        name, t->max_energy_ev, (double)x->view.e_top, fastest);
  return WN_OK;
}

int wn_sim_alarms(const struct wn_sim *s)
{
  for (size_t k = 0; k < s->n_species; k++) {
    const struct wn_tally_alarms *t = s->species[k]->tally.alarms;
    char fastest[WN_BOUNDS_TEXT] = "";
    if (t->n_beyond > 0 || t->n_violations > 0)
      wn_bounds_fastest(s, k, fastest, sizeof fastest);
    const int is_ion = s->species[k]->model.ops->is_ion;
    if (is_ion)
      WN_TRY(ion_alarms(s, k, fastest));
    if (!is_ion && t->n_beyond > 0) {
      const struct wn_xs_table *x = s->gas->table;
      if (x->limit_ev < x->view.e_top)
        return WN_FAIL(
            WN_ERUN,
            "an electron reached %.4g eV, but the table of `%s` ends at %.4g eV; choose "
            "what holds above with gas.components.<NAME>.beyond (constant, zero, power, "
            "born), or lower the field; it happened %" PRIu64 " times%s",
            t->max_energy_ev, x->limit_process, x->limit_ev, t->n_beyond, fastest);
      return WN_FAIL(
          WN_ERUN,
          "an electron reached %.4g eV, the top of the tables; %s; it happened "
          "%" PRIu64 " times%s",
          t->max_energy_ev, wn_config_more_energy(s->c), t->n_beyond, fastest);
    }
    /* checked last: beyond the table's end the bound does not hold */
    if (t->n_violations > 0) {
      char particle[WN_BOUNDS_TEXT];
      wn_bounds_particle(s, k, ~t->violator, particle, sizeof particle);
      return WN_FAIL(WN_ERUN,
                     "the bound on the collision frequency was exceeded %" PRIu64
                     " times: this is a bug; please report it with the scenario and the "
                     "cross sections%s",
                     t->n_violations, particle);
    }
  }
  return WN_OK;
}

void wn_sim_reset(struct wn_sim *s)
{
  for (size_t k = 0; k < s->n_species; k++)
    wn_species_reset(s->species[k]);
  for (size_t i = 0; i < s->n_operators; i++)
    if (s->operators[i]->ops->reset != NULL)
      s->operators[i]->ops->reset(s->operators[i]);
}

const char *wn_sim_species_name(const struct wn_sim *s, size_t k)
{
  return s->c->model == WN_MODEL_PLASMA ? s->c->species[k].name : "electrons";
}

size_t wn_sim_particles(const struct wn_sim *s)
{
  size_t n = 0;
  for (size_t k = 0; k < s->n_species; k++)
    n += wn_particles_all(&s->species[k]->p);
  return n;
}

int wn_sim_state(struct wn_sim *s, struct wn_state *state)
{
  WN_TRY(WN_STATE(state, s->i_case));
  WN_TRY(WN_STATE(state, s->time));
  WN_TRY(WN_STATE(state, s->interval));
  WN_TRY(WN_STATE(state, s->n_steps));
  WN_TRY(wn_adaptive_state(&s->adaptive, state));
  WN_TRY(WN_STATE(state, s->lag));
  WN_TRY(WN_STATE(state, s->n_lags));
  WN_TRY(WN_STATE(state, s->looked_at));
  WN_TRY(WN_STATE(state, s->looks));
  WN_TRY(WN_STATE(state, s->crossed));
  for (size_t k = 0; k < s->n_species; k++)
    WN_TRY(wn_species_state(s->species[k], state));
  for (size_t i = 0; i < s->n_operators; i++)
    if (s->operators[i]->ops->state != NULL)
      WN_TRY(s->operators[i]->ops->state(s->operators[i], state));
  WN_TRY(wn_energy_changes_state(&s->energy_changes, state));
  return s->field->ops->state(s->field, state);
}
