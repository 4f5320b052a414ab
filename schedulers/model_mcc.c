/* schedulers/model_mcc.c - model `mcc` for the host: the loop around the physics of
 * physics/mcc.h, mcc_flight.h and mcc_collide.h.
 *
 * advance is the definition, one electron at a time.  advance_many gives the same bits:
 * schedulers/mcc_flights.c and mcc_collisions.c. */
#include <math.h>
#include <stddef.h>
#include "base/error.h"
#include "physics/mcc_collide.h"
#include "physics/mcc_flight.h"
#include "schedulers/mcc_detected.h"
#include "schedulers/mcc_lanes.h"
#include "schedulers/mcc_profiled.h"
#include "schedulers/model.h"
#include "schedulers/model_mcc_grid.h"

static int group_of(const struct wn_mcc *m, const struct wn_electron *e)
{
  return (int)wn_electron_group(e->tag, (uint32_t)m->n_groups);
}

/* One event: the flights, and what happens at their end. */
static WN_HD int one_event(const struct wn_mcc *m, struct wn_mcc_kind kind,
                           struct wn_mcc_reg *r, struct wn_electron *e, int group,
                           struct wn_tally *t, struct wn_electron *child)
{
  struct wn_mcc_ticket ticket;
  int what = wn_mcc_flights(m, kind, r, e, group, t, &ticket);
  if (what == 0)
    return 0;
  if (wn_mcc_waits(kind))
    wn_mcc_commit(m, kind, e, r);
  return what == WN_MCC_EVENT
             ? wn_mcc_collide(m, kind, r, e, group, t, child, ticket.event, ticket.choice)
             : what;
}

/* What is different in a grid is decided once, so that swarms pay nothing for it: in_grid is
 * a constant in the call. */
static WN_HD void advance_in(const struct wn_mcc *m, int in_grid, struct wn_electron *e,
                             struct wn_tally *tally, struct wn_births *births)
{
  struct wn_mcc_kind kind = wn_mcc_kind(m);
  kind.in_grid = (short)in_grid;
  kind.banded = wn_mcc_banded(m, in_grid);
  int group = group_of(m, e);
  struct wn_electron child;
  while (e->t_left > 0.0f) {
    struct wn_mcc_reg r;
    int what;
    wn_mcc_load(m, e, &r);
    do {
      what = one_event(m, kind, &r, e, group, tally, &child);
      if (what & WN_MCC_CHILD)
        wn_births_push(births, &child);
    } while (!(what & (WN_MCC_DONE | WN_MCC_DEAD)));
    what |= wn_mcc_store(m, kind, &r, e, what, group, tally);
    if (what & WN_MCC_DEAD) {
      e->t_left = WN_DEAD;
      tally->n_deaths++;
    }
  }
}

WN_CLONES static void advance_swarm(const struct wn_mcc *m, struct wn_electron *e,
                                    struct wn_tally *tally, struct wn_births *births)
{
  advance_in(m, 0, e, tally, births);
}

WN_CLONES static void advance_grid(const struct wn_mcc *m, struct wn_electron *e,
                                   struct wn_tally *tally, struct wn_births *births)
{
  advance_in(m, 1, e, tally, births);
}

static void advance(const struct wn_model *model, void *record, struct wn_tally *tally,
                    struct wn_births *births)
{
  const struct wn_mcc *m = model->data;
  if (!wn_profile_is_uniform(&m->profile))
    wn_mcc_advance_profiled(m, record, tally, births);
  else if (m->crossings != NULL)
    wn_mcc_advance_detected(m, record, tally, births);
  else
    m->in_grid ? advance_grid(m, record, tally, births)
               : advance_swarm(m, record, tally, births);
}

static void advance_many(const struct wn_model *model, void *records, size_t n,
                         struct wn_tally *tally, struct wn_births *births)
{
  const struct wn_mcc *m = model->data;
  struct wn_electron *e = records;
  if (!wn_profile_is_uniform(&m->profile) || m->crossings != NULL ||
      !wn_mcc_waits(wn_mcc_kind(m)))
    for (size_t i = 0; i < n; i++)
      advance(model, &e[i], tally, births);
  else
    wn_mcc_advance_lanes(m, e, NULL, n, tally, births);
}

/* They are among an electron's candidates, which are a Poisson process of rate nu_max at
 * the most, whatever it does. */
static double newborns(const struct wn_model *model)
{
  const struct wn_mcc *m = model->data;
  return m->dt / m->inv_nu;
}

static void begin_step(struct wn_model *model, double t, double length)
{
  struct wn_mcc *m = model->data;
  m->t_end = t + length;
  wn_mcc_set_step(m, length, model->steps);
  if (m->in_grid) {
    m->grid.points.dt = m->dt;
    wn_mcc_grid_prepare(&m->grid);
  }
}

static int feel(struct wn_model *model, const struct wn_field_view *field)
{
  struct wn_mcc *m = model->data;
  const struct wn_uniform_view *v = &field->of.uniform;
  if (m->in_grid)
    return wn_mcc_grid_live(model, field);
  if (field->kind != WN_FIELD_UNIFORM)
    return WN_FAIL(WN_EINTERN, "electrons of a swarm live in a uniform field only");
  const double gyro = WN_QM * v->b;
  for (int i = 0; i < 3; i++) {
    m->accel[i] = 0.0 - WN_QM * v->e[i]; /* no -0 where the field is 0 */
    m->gyro[i] = gyro * v->b_axis[i];
  }
  m->has_b = wn_turn_is_felt(m->gyro);
  wn_mcc_set_field(m);
  wn_mcc_set_bands(m);
  return WN_OK;
}

/* Every array of struct wn_xs_view but the edges, which only the making of tables reads, and of struct
 * wn_profile, a line each; sizes: physics/xs_view.h, physics/profile.h. */
static size_t tables(const struct wn_model *model, struct wn_model_table *list)
{
  const struct wn_mcc *m = model->data;
  const struct wn_xs_view *xs = &m->xs;
  size_t bins = (size_t)xs->n_bins, processes = (size_t)xs->n_processes, k = 0;
  _Static_assert(16 + 2 * WN_XS_MAX_GASES <= WN_MODEL_TABLES,
                 "16 lines below, and two of each gas");
#define TABLE(pointer, n)                                                                \
  (WN_ASSERT(k < WN_MODEL_TABLES),                                                       \
   list[k++] = (struct wn_model_table){                                                  \
       (size_t)((const char *)&m->pointer - (const char *)m), (n) * sizeof *m->pointer})
  TABLE(xs.major, bins * wn_xs_fours(xs));
  TABLE(xs.normal, WN_XS_NORMALS);
  TABLE(xs.top, bins);
  TABLE(xs.bin, bins);
  TABLE(xs.part, xs->n_parts);
  TABLE(xs.edge, 0);
  TABLE(xs.process, processes);
  TABLE(xs.row, xs->n_segments * processes);
  for (int i = 0; i < xs->n_gases; i++)
    TABLE(xs.gas[i].angle, xs->gas[i].angle != NULL ? bins + 1 : 0);
  for (int i = 0; i < xs->n_gases; i++)
    TABLE(xs.gas[i].grouped, xs->gas[i].grouped != NULL ? bins + 1 : 0);
  TABLE(threshold_ev, (size_t)m->n_thresholds);
  const size_t knots = m->profile.n, intervals = knots > 0 ? knots + 1 : 0;
  TABLE(profile.z, knots);
  TABLE(profile.ln_ratio, knots);
  TABLE(profile.most, intervals);
  TABLE(profile.low, intervals);
  TABLE(profile.high, intervals);
  TABLE(profile.field_z, m->profile.n_field);
  TABLE(profile.factor, m->profile.n_field);
#undef TABLE
  return k;
}

const struct wn_model_ops wn_model_mcc = {
    .name = "mcc",
    .doc = "electrons in gases: exact free flight, null collisions, any number of "
           "collisions a step",
    .bytes = sizeof(struct wn_mcc),
    .record = {.bytes = sizeof(struct wn_electron),
               .t_left = offsetof(struct wn_electron, t_left)},
    .newborns = newborns,
    .begin_step = begin_step,
    .set_field = feel,
    .gather = wn_mcc_grid_gather,
    .start_newborns = wn_mcc_grid_wake_all,
    .advance = advance,
    .advance_many = advance_many,
    .pass = wn_mcc_grid_pass,
    .tables = tables,
    .is_electron = 1,
    .gpu = WN_ON_GPU(wn_gpu_model_mcc),
};
