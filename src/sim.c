/* src/sim.c - see sim.h. */
#include "src/sim.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "physics/angle.h"
#include "physics/constants.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/log.h"
#include "src/device.h"

static void set_up_mcc(struct wn_sim *s)
{
  const struct wn_config *c = s->c;
  const struct wn_xs_table *t = s->gas->table;
  struct wn_mcc *m = &s->model.mcc;
  double a = WN_QM * c->cases[s->field].e, b = WN_QM * c->magnetic_field;
  s->model.ops = &wn_model_mcc;
  s->model.steps = (unsigned)c->mobility_steps;
  m->xs = t->view;
  m->key = wn_rng_key(c->seed);
  m->accel[2] = a; /* E points along -z, electrons drift along +z */
  wn_mcc_set_field(m);
  m->gyro[0] = b * sin(c->magnetic_angle);
  m->gyro[2] = b * cos(c->magnetic_angle);
  m->has_b = b != 0.0;
  m->inv_nu = (float)(1.0 / t->view.nu_max);
  m->n_groups = (int)c->groups;
  m->limit_ev = fmin(t->limit_ev, t->view.e_top);
  m->stop_ev =
      c->job == WN_JOB_RUNAWAY && c->stop_above_ev > 0.0 ? c->stop_above_ev : INFINITY;
  m->n_thresholds = s->shape.n_thresholds;
  m->threshold_ev = c->thresholds_ev;
  double watch = fmin(m->limit_ev, m->stop_ev);
  if (m->n_thresholds > 0)
    watch = fmin(watch, c->thresholds_ev[0]);
  m->watch_ev = nextafterf((float)watch, 0.0f); /* not above it, rounded as it may be */
}

int wn_sim_create(const struct wn_config *c, const struct wn_gas *gas, size_t field,
                  struct wn_sim **out)
{
  struct wn_sim *s = wn_alloc(1, sizeof *s);
  if (s == NULL)
    return WN_ENOMEM;
  s->c = c;
  s->gas = gas;
  s->field = field;
  s->shape = (struct wn_tally_shape){
      .n_groups = (int)c->groups,
      .n_processes = gas != NULL ? gas->table->view.n_processes : 0,
      .n_thresholds = gas != NULL && c->job == WN_JOB_RUNAWAY ? (int)c->n_thresholds : 0};
  if (gas != NULL)
    set_up_mcc(s);
  struct wn_device_plan plan;
  int status = wn_device_choose(c, &plan);
  if (status == WN_OK) {
    s->ops = plan.ops;
    status = s->ops->create(&plan.options, &s->shape, &s->sched);
  }
  if (status == WN_OK)
    status = wn_tally_init(&s->tally, &s->shape);
  if (status == WN_OK)
    status = wn_tally_init(&s->before, &s->shape);
  if (status == WN_OK)
    status = wn_particles_init(
        &s->p, c->electrons < c->capacity ? c->electrons : c->capacity, c->capacity);
  if (status == WN_OK && s->shape.n_thresholds > 0) {
    size_t n = c->electrons * c->n_thresholds;
    s->tally.first_passage = wn_alloc(n, sizeof *s->tally.first_passage);
    if (s->tally.first_passage == NULL)
      status = WN_ENOMEM;
    for (size_t i = 0; status == WN_OK && i < n; i++)
      s->tally.first_passage[i] = INT64_MAX;
  }
  if (status != WN_OK) {
    wn_sim_free(s);
    return status;
  }
  *out = s;
  return WN_OK;
}

void wn_sim_free(struct wn_sim *s)
{
  if (s == NULL)
    return;
  if (s->sched != NULL)
    s->ops->free(s->sched);
  free(s->tally.first_passage);
  wn_tally_clear(&s->tally);
  wn_tally_clear(&s->before);
  wn_particles_clear(&s->p);
  free(s->model.count);
  free(s->split_tables);
  free(s);
}

void wn_sim_set_interval(struct wn_sim *s, double interval)
{
  s->interval = interval;
  wn_mcc_set_phase(&s->model.mcc, interval, s->model.steps);
}

int wn_sim_release(struct wn_sim *s)
{
  const struct wn_config *c = s->c;
  if (c->electrons > WN_TAG_LINEAGE_MASK)
    return WN_FAIL(WN_EINPUT, "electrons = %zu: at most %u primaries are possible",
                   c->electrons, WN_TAG_LINEAGE_MASK);
  for (size_t i = 0; i < c->electrons; i++) {
    struct wn_electron e = {.w = 1.0f, .tag = (uint32_t)i};
    /* ids of primaries are hashed like those of children, so that no small numbers stand
     * out */
    e.id = wn_rng_primary_id(c->seed, i, s->field);
    struct wn_rng4 r = wn_rng(c->seed, e.id, 0, WN_RNG_INITIAL, 0);
    double u[3];
    if (c->initial_spectrum == WN_SPECTRUM_MONO) {
      wn_angle_isotropic(u, wn_u01(r.w[0]), wn_u01(r.w[1]));
      for (int k = 0; k < 3; k++)
        u[k] *= wn_u_from_ev(c->initial_energy_ev);
    } else {
      /* classical Maxwellian of that mean energy: each component has variance 2 e/(3 m)
       */
      wn_rng_normal3(r, u);
      for (int k = 0; k < 3; k++)
        u[k] *= sqrt(2.0 / 3.0 * c->initial_energy_ev * WN_QM);
    }
    if (c->initial_direction == WN_DIRECTION_DRIFT) {
      u[2] = sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
      u[0] = u[1] = 0.0;
    }
    for (int k = 0; k < 3; k++)
      e.u[k] = (float)u[k];
    r = wn_rng(c->seed, e.id, 0, WN_RNG_INITIAL, 1);
    e.t_next = (float)((double)wn_exponential_f(r.w[0]) * s->model.mcc.inv_nu);
    WN_TRY(wn_particles_append(&s->p, &e, 1));
  }
  return wn_sim_refresh(s);
}

static int check(const struct wn_sim *s)
{
  const struct wn_tally_alarms *t = s->tally.alarms;
  if (t->n_beyond > 0) {
    const struct wn_xs_table *x = s->gas->table;
    if (x->limit_ev < x->view.e_top)
      return WN_FAIL(WN_ERUN,
                     "an electron reached %.4g eV, but the table of `%s` ends at %.4g "
                     "eV; choose what holds above "
                     "with gas.components.<NAME>.beyond (constant, zero, power, born), "
                     "or lower the field",
                     t->max_energy_ev, x->limit_process, x->limit_ev);
    return WN_FAIL(WN_ERUN,
                   "an electron reached %.4g eV, the top of the tables; raise "
                   "tables.energy_max or set "
                   "runaway.stop_above",
                   t->max_energy_ev);
  }
  /* asked last: beyond the table's end the bound does not hold */
  if (t->n_violations > 0)
    return WN_FAIL(WN_ERUN,
                   "the bound on the collision frequency was exceeded %" PRIu64
                   " times: this is a bug; please "
                   "report it with the scenario and the cross sections",
                   t->n_violations);
  return WN_OK;
}

static void copy_tally(struct wn_tally *to, const struct wn_tally *from,
                       const struct wn_tally_shape *shape)
{
  wn_tally_reset(to, shape);
  wn_tally_add(to, from, shape);
}

/* Back to the beginning of the phase, in all but the electrons.  First passages are
 * rounded to ticks: what is later than the last finished phase goes. */
static void take_back(struct wn_sim *s)
{
  size_t n = s->c->electrons * (size_t)s->shape.n_thresholds;
  int64_t last = wn_tally_tick(s->time, s->interval);
  copy_tally(&s->tally, &s->before, &s->shape);
  for (size_t i = 0; s->tally.first_passage != NULL && i < n; i++)
    if (s->tally.first_passage[i] > last)
      s->tally.first_passage[i] = INT64_MAX;
  s->is_full = 1;
}

int wn_sim_phase(struct wn_sim *s)
{
  uint64_t candidates = s->tally.n_candidates, real = s->tally.n_real;
  s->model.mcc.t_end = s->time + s->interval;
  s->n = s->p.n;
  copy_tally(&s->before, &s->tally, &s->shape);
  int status = s->ops->advance(s->sched, &s->model, &s->p, &s->tally);
  if (status == WN_EFULL || status == WN_ENOMEM) {
    take_back(s);
    return WN_EFULL;
  }
  WN_TRY(status);
  s->time += s->interval;
  s->phases++;
  s->candidates += s->tally.n_candidates - candidates;
  s->real += s->tally.n_real - real;
  s->max_energy_ev = fmax(s->max_energy_ev, s->tally.alarms->max_energy_ev);
  WN_TRY(wn_particles_compact(&s->p));
  double before = s->energy_ev;
  WN_TRY(wn_sim_refresh(s));
  s->carried_ev += s->energy_ev - before;
  return check(s);
}

void wn_sim_reset(struct wn_sim *s)
{
  wn_tally_reset(&s->tally, &s->shape);
  s->carried_ev = 0.0;
}

int wn_sim_refresh(struct wn_sim *s)
{
  const struct wn_sample energy = {.kind = WN_SAMPLE_ENERGY};
  wn_i128 sum = 0;
  /* only mcc has weights and energies where struct wn_electron says */
  if (s->gas == NULL)
    return WN_OK;
  WN_TRY(wn_particles_sample(&s->p, &energy, &sum));
  s->energy_ev = (double)sum / WN_FIX_ENERGY;
  return WN_OK;
}
