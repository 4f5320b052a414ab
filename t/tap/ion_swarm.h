/* t/tap/ion_swarm.h - a swarm of ions of model `ion` in a uniform field along z, under any
 * scheduler, without a scenario.  Averages over time have standard errors from groups of
 * ions, which are independent.  Inline: each test uses a part. */
#ifndef WN_T_TAP_ION_SWARM_H
#define WN_T_TAP_ION_SWARM_H
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "crosssections/xs_ion.h"
#include "particles/particles.h"
#include "particles/tally.h"
#include "physics/ion.h"
#include "schedulers/scheduler.h"
#include "t/tap/tap.h"

#define SWARM_GROUPS 32

/* A value, and its standard error. */
struct swarm_mean {
  double value, error;
};

struct swarm {
  struct wn_xs_ion_table *table;
  struct wn_model model;
  struct wn_particles p;
  struct wn_tally tally;
  struct wn_tally_shape shape;
  double time;
  double begin_ev; /* kinetic energy of all when the tally was last set to 0 */
  /* sums over samples, by group: 1, v_z, v_z^2, v_x^2, v^2, v^4, v^3 */
  double sum[SWARM_GROUPS][7];
};
enum { SWARM_ONE, SWARM_Z, SWARM_ZZ, SWARM_XX, SWARM_V2, SWARM_V4, SWARM_V3 };

static inline void swarm_must(int status)
{
  if (status == WN_OK)
    return;
  diag("status %d", status);
  exit(1);
}

static inline struct wn_ion *swarm_ion(const struct swarm *s)
{
  return s->model.data;
}

static inline struct wn_electron *swarm_record(const struct swarm *s, size_t i)
{
  return wn_particles_at(&s->p, i);
}

/* n ions of charge e at the origin, at rest, with one gas or several; e_field [V/m]. */
static inline void swarm_open(struct swarm *s, const struct wn_xs_ion_spec *spec,
                              size_t n, uint64_t seed, double e_field, unsigned steps)
{
  const struct wn_field_view field = {.kind = WN_FIELD_UNIFORM,
                                      .of.uniform.e = {0.0, 0.0, e_field}};
  memset(s, 0, sizeof *s);
  swarm_must(wn_xs_ion_table_create(spec, &s->table));
  swarm_must(wn_model_init(&s->model, &wn_model_ion));
  s->model.steps = steps;
  struct wn_ion *m = swarm_ion(s);
  m->xs = s->table->view;
  m->key = wn_rng_key(seed);
  m->charge = WN_E;
  m->mass = s->table->ion_mass;
  m->n_groups = SWARM_GROUPS;
  wn_ion_prepare(m);
  swarm_must(s->model.ops->set_field(&s->model, &field));
  s->shape =
      (struct wn_tally_shape){.n_groups = SWARM_GROUPS, .n_processes = m->xs.n_processes};
  swarm_must(wn_tally_init(&s->tally, &s->shape));
  swarm_must(wn_particles_init(&s->p, &s->model.ops->record, n, n));
  for (size_t i = 0; i < n; i++) {
    struct wn_electron e = {.w = 1.0f, .tag = (uint32_t)i};
    e.id = wn_rng_primary_id(seed, i, 0);
    e.t_next = wn_ion_first_flight(m, e.id, 0);
    swarm_must(wn_particles_append(&s->p, &e, 1));
  }
}

static inline void swarm_close(struct swarm *s)
{
  wn_xs_ion_table_free(s->table);
  wn_model_clear(&s->model);
  wn_tally_clear(&s->tally);
  wn_particles_clear(&s->p);
}

static inline void swarm_phase(struct swarm *s, const struct wn_scheduler_ops *ops,
                               struct wn_scheduler *sched, double length)
{
  s->model.ops->begin_step(&s->model, s->time, length);
  s->time += length;
  swarm_must(wn_scheduler_step(ops, sched, &s->model, &s->p, &s->tally));
}

static inline double swarm_energy_ev(const struct swarm *s)
{
  double sum = 0.0;
  for (size_t i = 0; i < s->p.n; i++) {
    const float *u = swarm_record(s, i)->u;
    for (int k = 0; k < 3; k++)
      sum += (double)u[k] * (double)u[k];
  }
  return 0.5 * swarm_ion(s)->mass / WN_E * sum;
}

static inline void swarm_sample(struct swarm *s)
{
  for (size_t i = 0; i < s->p.n; i++) {
    const struct wn_electron *e = swarm_record(s, i);
    double *sum = s->sum[e->tag % SWARM_GROUPS];
    const double x = (double)e->u[0], y = (double)e->u[1], z = (double)e->u[2],
                 v2 = x * x + y * y + z * z;
    sum[SWARM_ONE] += 1.0;
    sum[SWARM_Z] += z;
    sum[SWARM_ZZ] += z * z;
    sum[SWARM_XX] += x * x;
    sum[SWARM_V2] += v2;
    sum[SWARM_V4] += v2 * v2;
    sum[SWARM_V3] += v2 * sqrt(v2);
  }
}

/* `relax` phases, and then `phases` that are sampled; on two threads, if there are any. */
static inline void swarm_run(struct swarm *s, int relax, int phases, double length)
{
  const struct wn_scheduler_ops *ops;
  const struct wn_scheduler_options options = {.threads = 2};
  struct wn_scheduler *sched = NULL;
  swarm_must(wn_scheduler_find("auto", WN_DEVICE_CPU, &ops));
  swarm_must(ops->create(&options, &s->shape, &sched));
  for (int i = 0; i < relax; i++)
    swarm_phase(s, ops, sched, length);
  wn_tally_reset(&s->tally, &s->shape);
  s->begin_ev = swarm_energy_ev(s);
  for (int i = 0; i < phases; i++) {
    swarm_phase(s, ops, sched, length);
    swarm_sample(s);
  }
  ops->free(sched);
}

/* Mean of one value a group. */
static inline struct swarm_mean swarm_groups(const double x[SWARM_GROUPS])
{
  double sum = 0.0, off = 0.0;
  for (int g = 0; g < SWARM_GROUPS; g++)
    sum += x[g];
  const double mean = sum / SWARM_GROUPS;
  for (int g = 0; g < SWARM_GROUPS; g++)
    off += (x[g] - mean) * (x[g] - mean);
  return (struct swarm_mean){mean, sqrt(off / SWARM_GROUPS / (SWARM_GROUPS - 1))};
}

/* Of what was sampled. */
static inline struct swarm_mean swarm_moment(const struct swarm *s, int which)
{
  double x[SWARM_GROUPS];
  for (int g = 0; g < SWARM_GROUPS; g++)
    x[g] = s->sum[g][which] / s->sum[g][SWARM_ONE];
  return swarm_groups(x);
}

/* Of the tallies: flux drift [m/s]. */
static inline struct swarm_mean swarm_drift(const struct swarm *s)
{
  double x[SWARM_GROUPS];
  for (int g = 0; g < SWARM_GROUPS; g++)
    x[g] = WN_C * (double)s->tally.group[g].path[2] / (double)s->tally.group[g].time;
  return swarm_groups(x);
}

/* Mean energy at candidates, which is that over time [eV]. */
static inline struct swarm_mean swarm_mean_ev(const struct swarm *s)
{
  double x[SWARM_GROUPS];
  for (int g = 0; g < SWARM_GROUPS; g++)
    x[g] = (double)s->tally.group[g].energy / WN_FIX_ENERGY * WN_FIX_WEIGHT /
           (double)s->tally.group[g].candidates;
  return swarm_groups(x);
}

/* Frequency of a process, 1/s; phase: length of the phases. */
static inline struct swarm_mean swarm_frequency(const struct swarm *s, int k,
                                                double phase)
{
  double x[SWARM_GROUPS];
  for (int g = 0; g < SWARM_GROUPS; g++)
    x[g] = (double)s->tally.count[g * s->shape.n_processes + k] / WN_FIX_WEIGHT /
           ((double)s->tally.group[g].time / WN_FIX_STEP * phase);
  return swarm_groups(x);
}

/* What a process takes per collision, eV. */
static inline struct swarm_mean swarm_loss(const struct swarm *s, int k)
{
  double x[SWARM_GROUPS];
  for (int g = 0; g < SWARM_GROUPS; g++) {
    const int at = g * s->shape.n_processes + k;
    x[g] = (double)s->tally.lost[at] / WN_FIX_ENERGY * WN_FIX_WEIGHT /
           (double)s->tally.count[at];
  }
  return swarm_groups(x);
}

/* got = want within 5 standard errors, and these below `most` of what is wanted (of
 * `scale`, where that is given). */
static inline void swarm_is(struct swarm_mean got, double want, double scale, double most,
                            const char *name, const char *what)
{
  const double size = scale > 0.0 ? scale : fabs(want);
  is_near(got.value, want, 5.0 * got.error, "%s: %s (error %.2g of it)", name, what,
          got.error / size);
  ok(got.error < most * size, "%s: %s is known to %g", name, what, most);
}

#endif
