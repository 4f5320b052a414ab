/* schedulers/model_ion.c - model `ion` on the host: the loop around physics/ion.h.
 *
 * Its data is struct wn_ion.  The caller sets xs, key, charge, mass and n_groups, then
 * calls wn_ion_prepare; in a grid it also sets in_grid and the points of grid.  The field
 * is electric, uniform or that of a grid; a magnetic field does not act on these ions.
 *
 * advance is the reference.  advance_many gives the same bits.  In a thin gas most
 * mobility steps have no collision candidate.  Those of LANES ions are advanced together,
 * in loops without branches that the compiler vectorises; the other ions are advanced one
 * by one. */
#include <stddef.h>
#include "base/error.h"
#include "physics/ion.h"
#include "schedulers/collision_free.h"
#include "schedulers/model.h"
#include "schedulers/model_mcc_grid.h"

static int group_of(const struct wn_ion *m, const struct wn_electron *e)
{
  if (m->n_groups == 1) /* saves a division */
    return 0;
  return (int)wn_electron_group(e->tag, (uint32_t)m->n_groups);
}

/* Acceleration of an ion during a mobility step. */
static WN_HD const float *acceleration(const struct wn_ion *m,
                                       const struct wn_electron *e)
{
  return m->in_grid ? e->a : m->a;
}

/* Set the position at the end of a mobility step; all else is stored.  A side of the grid
 * may absorb the ion. */
static WN_HD void move(const struct wn_ion *m, struct wn_electron *e,
                       const float moved[3], struct wn_tally *tally)
{
  if (!m->in_grid) {
    for (int i = 0; i < 3; i++)
      e->x[i] += (double)moved[i];
  } else if (wn_mcc_grid_arrive(&m->grid, moved, 0, e, tally)) {
    e->t_left = WN_DEAD;
    tally->n_deaths++;
  }
}

/* One ion, one mobility step. */
static WN_HD void step(const struct wn_ion *m, struct wn_electron *e, int group,
                       struct wn_tally *tally)
{
  struct wn_ion_reg r;
  wn_ion_load(m, e, acceleration(m, e), &r);
  wn_ion_step(m, &r, e->id, &e->event, e->w, group, tally);
  wn_ion_store(m, &r, e, group, tally);
  move(m, e, r.moved, tally);
}

/* Not named `advance`: clang exports a symbol of the function's name for each such
 * function. */
WN_CLONES static void advance_ion(const struct wn_model *model, void *record,
                                  struct wn_tally *tally, struct wn_births *births)
{
  const struct wn_ion *m = model->data;
  struct wn_electron *e = record;
  const int group = group_of(m, e);
  (void)births;
  while (e->t_left > 0.0f)
    step(m, e, group, tally);
}

/* A multiple of every vector length; the state of all lanes stays in the first-level
 * cache. */
#define LANES 64

enum { SUMS = WN_ION_COLLISION_FREE_SUMS };

struct lanes {
  float v[3][LANES], a[3][LANES], moved[3][LANES];
  float next[LANES], t_left[LANES], w[LANES];
  int32_t free_flight[LANES]; /* no candidate in this mobility step */
  double sum[SUMS][LANES];    /* in the units of the tally, not rounded */
  int64_t fixed[SUMS][LANES]; /* rounded */
};

static WN_HD void load(const struct wn_ion *m, const struct wn_electron *e, int n,
                       struct lanes *restrict s)
{
  for (int l = 0; l < n; l++) {
    const float *a = acceleration(m, &e[l]);
    for (int i = 0; i < 3; i++) {
      s->v[i][l] = e[l].u[i];
      s->a[i][l] = a[i];
    }
    s->next[l] = e[l].t_next;
    s->t_left[l] = e[l].t_left;
    s->w[l] = e[l].w;
  }
}

/* wn_ion_collision_free of all lanes. */
static WN_HD void fly(const struct wn_ion *m, struct lanes *restrict s)
{
  const float energy_ev = m->energy_ev;
  const double dt = m->dt, per_length = m->per_length, per_step = m->per_step;
  for (int l = 0; l < LANES; l++) {
    const float t_left = s->t_left[l];
    const double lived = ((double)t_left - wn_ion_steps_after(t_left)) * dt;
    const float v[3] = {s->v[0][l], s->v[1][l], s->v[2][l]},
                a[3] = {s->a[0][l], s->a[1][l], s->a[2][l]};
    const struct wn_ion_collision_free q = wn_ion_collision_free(lived, v, a, s->next[l]);
    double sum[SUMS];
    wn_ion_collision_free_sums(&q, v, s->w[l], lived, energy_ev, per_step, per_length,
                               sum);
    for (int i = 0; i < 3; i++) {
      s->moved[i][l] = q.moved[i];
      s->v[i][l] = q.v[i];
    }
    s->free_flight[l] = (t_left > 0.0f) & q.is_collision_free;
    s->next[l] = q.next;
    s->t_left[l] = (float)wn_ion_steps_after(t_left);
    for (int k = 0; k < SUMS; k++)
      s->sum[k][l] = sum[k];
  }
}

/* wn_fix of the sums of collision-free lanes.  Terms below 2^51 are rounded as by llrint:
 * 1.5 2^52 is added, whose last bit is worth 1, so that the low bits of the sum are the
 * integer.  Returns whether any term is larger. */
static WN_HD int fix(struct lanes *restrict s)
{
  const uint64_t bits = 0x4338000000000000ull; /* of 1.5 2^52 */
  uint64_t large = 0;
  for (int k = 0; k < SUMS; k++)
    for (int l = 0; l < LANES; l++) {
      const uint64_t b = wn_bits(s->sum[k][l] + 0x1.8p52);
      large |= b >> 52 ^ bits >> 52;
      s->fixed[k][l] = (int64_t)(b - bits) & -(int64_t)s->free_flight[l];
    }
  return large != 0;
}

static void add(struct wn_tally_group *g, const int64_t sum[SUMS])
{
  for (int i = 0; i < 3; i++)
    g->path[i] += sum[i];
  g->time += sum[3];
  g->gained += sum[4];
}

/* Add the sums of collision-free lanes to the tally. */
static WN_HD void add_up(const struct wn_ion *m, const struct wn_electron *e, int n,
                         const struct lanes *restrict s, struct wn_tally *tally)
{
  int64_t sum[SUMS] = {0}; /* of 64 below 2^51 each */
  for (int l = 0; m->n_groups > 1 && l < n; l++) {
    const int64_t own[SUMS] = {s->fixed[0][l], s->fixed[1][l], s->fixed[2][l],
                               s->fixed[3][l], s->fixed[4][l]};
    add(&tally->group[group_of(m, &e[l])], own);
  }
  if (m->n_groups > 1)
    return;
  for (int k = 0; k < SUMS; k++)
    for (int l = 0; l < LANES; l++)
      sum[k] += s->fixed[k][l];
  add(&tally->group[0], sum);
}

/* Store the ions without a candidate, and advance the others.  Returns whether any has
 * mobility steps left. */
static WN_HD int finish(const struct wn_ion *m, struct wn_electron *e, int n,
                        const struct lanes *restrict s, struct wn_tally *tally)
{
  int more = 0;
  for (int l = 0; l < n; l++) {
    if (WN_LIKELY(s->free_flight[l])) {
      const float moved[3] = {s->moved[0][l], s->moved[1][l], s->moved[2][l]};
      for (int i = 0; i < 3; i++)
        e[l].u[i] = s->v[i][l];
      e[l].t_left = s->t_left[l];
      e[l].t_next = s->next[l];
      move(m, &e[l], moved, tally);
    } else if (e[l].t_left > 0.0f) {
      step(m, &e[l], group_of(m, &e[l]), tally);
    }
    more |= e[l].t_left > 0.0f;
  }
  return more;
}

WN_CLONES static void advance_ions(const struct wn_model *model, void *records, size_t n,
                                   struct wn_tally *tally, struct wn_births *births)
{
  const struct wn_ion *m = model->data;
  struct lanes s = {0}; /* unused lanes have t_left 0 */
  (void)births;
  for (size_t i = 0; i < n; i += LANES) {
    struct wn_electron *e = (struct wn_electron *)records + i;
    const int lanes = n - i < LANES ? (int)(n - i) : LANES;
    int more = 1;
    while (more) {
      load(m, e, lanes, &s);
      fly(m, &s);
      if (WN_LIKELY(!fix(&s)))
        add_up(m, e, lanes, &s, tally);
      else /* weights above 100, say */
        for (int l = 0; l < lanes; l++)
          s.free_flight[l] = 0;
      more = finish(m, e, lanes, &s, tally);
    }
  }
}

/* ---- in a grid: the collision-free pass */

WN_CLONES static void fly_ions_in_grid(const struct wn_ion *restrict m,
                                       struct wn_grid_lanes *restrict s)
{
  const float energy_ev = m->energy_ev;
  const double lived = wn_ion_left(m, 1.0f), per_length = m->per_length,
               per_step = m->per_step;
  for (int l = 0; l < s->n; l++) {
    const float v[3] = {s->u[0][l], s->u[1][l], s->u[2][l]},
                a[3] = {s->a[0][l], s->a[1][l], s->a[2][l]};
    const struct wn_ion_collision_free q = wn_ion_collision_free(lived, v, a, s->next[l]);
    double sum[SUMS];
    wn_ion_collision_free_sums(&q, v, s->w[l], lived, energy_ev, per_step, per_length,
                               sum);
    for (int i = 0; i < 3; i++) {
      s->moved[i][l] = q.moved[i];
      s->to[i][l] = q.v[i];
      s->sum[i][l] = sum[i];
    }
    s->later[l] = q.next;
    s->free_flight[l] = q.is_collision_free & s->lives[l];
    s->sum[3][l] = 0.0; /* control */
    s->sum[4][l] = sum[3];
    s->sum[5][l] = sum[4];
  }
}

static void fly_all(const void *m, struct wn_grid_lanes *s)
{
  fly_ions_in_grid(m, s);
}

static void advance_others(const struct wn_model *model, struct wn_electron *e,
                           const uint32_t *list, size_t n, struct wn_tally *tally,
                           struct wn_births *births)
{
  for (size_t i = 0; i < n; i++)
    advance_ion(model, &e[list[i]], tally, births);
}

static void pass(const struct wn_model *model, void *records, size_t n,
                 struct wn_tally *tally, struct wn_births *births,
                 struct wn_census *census)
{
  const struct wn_ion *m = model->data;
  const struct wn_grid_flight f = {&m->grid, 0, fly_all, m, advance_others};
  wn_collision_free_pass(model, &f, records, n, tally, births, census);
}

static double newborns(const struct wn_model *model)
{
  (void)model;
  return 0.0;
}

static void begin_step(struct wn_model *model, double t, double length)
{
  struct wn_ion *m = model->data;
  (void)t;
  wn_ion_set_step(m, length, model->steps);
  if (m->in_grid) {
    m->grid.points.dt = m->dt;
    wn_mcc_grid_prepare(&m->grid);
  }
}

static int feel(struct wn_model *model, const struct wn_field_view *field)
{
  struct wn_ion *m = model->data;
  const struct wn_uniform_view *v = &field->of.uniform;
  model->in_one_pass = m->in_grid && m->n_groups == 1;
  if (m->in_grid)
    return wn_mcc_grid_enter(&m->grid, model->steps, field);
  if (field->kind != WN_FIELD_UNIFORM)
    return WN_FAIL(WN_EINTERN, "ions that are in no grid live in a uniform field only");
  if (v->b != 0.0)
    return WN_FAIL(WN_EINTERN, "model ion knows no magnetic field");
  for (int i = 0; i < 3; i++)
    m->a[i] = (float)(m->charge / m->mass * v->e[i] + 0.0); /* no -0 */
  return WN_OK;
}

static void gather(const struct wn_model *model, void *e, size_t n)
{
  const struct wn_ion *m = model->data;
  if (m->in_grid)
    wn_mcc_grid_feel_all(&m->grid, e, n);
}

static size_t tables(const struct wn_model *model, struct wn_model_table *list)
{
  const struct wn_ion *m = model->data;
  const struct wn_ion_view *xs = &m->xs;
  list[0] = (struct wn_model_table){(size_t)((const char *)&m->xs.row - (const char *)m),
                                    (size_t)xs->n_bins * (size_t)xs->n_processes *
                                        sizeof *xs->row};
  return 1;
}

const struct wn_model_ops wn_model_ion = {
    .name = "ion",
    .doc =
        "ions in gases of thermal atoms: exact free flight, null collisions, any number "
        "of collisions a step",
    .bytes = sizeof(struct wn_ion),
    .record = {.bytes = sizeof(struct wn_electron),
               .t_left = offsetof(struct wn_electron, t_left)},
    .newborns = newborns,
    .begin_step = begin_step,
    .set_field = feel,
    .gather = gather,
    .advance = advance_ion,
    .advance_many = advance_ions,
    .pass = pass,
    .tables = tables,
    .is_ion = 1,
    .gpu = WN_ON_GPU(wn_gpu_model_ion),
};
