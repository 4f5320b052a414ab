/* schedulers/model_mcc_grid.c - see model_mcc_grid.h. */
#include "schedulers/model_mcc_grid.h"
#include "base/error.h"
#include "physics/mcc_grid.h"
#include "physics/mcc_collision_free.h"
#include "schedulers/collision_free.h"
#include "schedulers/mcc_lanes.h"

/* Before a mobility step, and of newborns that wait. */
#define FEEL(dim, name, shape, how)                                                      \
  WN_CLONES static void feel_##dim##_##name(const struct wn_mcc_grid *restrict g,        \
                                            struct wn_electron *restrict e, size_t n)    \
  {                                                                                      \
    for (size_t i = 0; i < n; i++)                                                       \
      if (e[i].t_left >= 0.0f)                                                           \
        wn_mcc_grid_feel(g, dim, shape, how, 1.0f, &e[i]);                               \
  }                                                                                      \
  WN_CLONES static void wake_##dim##_##name(const struct wn_mcc_grid *restrict g,        \
                                            struct wn_electron *restrict e, size_t n)    \
  {                                                                                      \
    for (size_t i = 0; i < n; i++)                                                       \
      wn_mcc_grid_wake(g, dim, shape, how, &e[i]);                                       \
  }
WN_GRID_SHAPES(FEEL, 1)
WN_GRID_SHAPES(FEEL, 2)
WN_GRID_SHAPES(FEEL, 3)

typedef void all_function(const struct wn_mcc_grid *g, struct wn_electron *e, size_t n);

static all_function *function_of(const struct wn_mcc_grid *g, int waiting)
{
#define FEEL_OF(dim, name, shape, how)                                                   \
  [dim - 1][how][shape] = {feel_##dim##_##name, wake_##dim##_##name},
  static all_function *const list[3][WN_N_GATHERS][WN_N_SHAPES][2] = {
      WN_GRID_SHAPES(FEEL_OF, 1) WN_GRID_SHAPES(FEEL_OF, 2) WN_GRID_SHAPES(FEEL_OF, 3)};
  const struct wn_grid_view *v = &g->points.grid;
  return list[v->dim - 1][v->gather][v->shape][waiting];
}

void wn_mcc_grid_feel_all(const struct wn_mcc_grid *g, struct wn_electron *e, size_t n)
{
  function_of(g, 0)(g, e, n);
}

void wn_mcc_grid_gather(const struct wn_model *model, void *e, size_t n)
{
  const struct wn_mcc *m = model->data;
  if (m->in_grid)
    wn_mcc_grid_feel_all(&m->grid, e, n);
}

void wn_mcc_grid_wake_all(const struct wn_model *model, void *e, size_t n)
{
  const struct wn_mcc *m = model->data;
  WN_ASSERT(m->in_grid);
  function_of(&m->grid, 1)(&m->grid, e, n);
}

int wn_mcc_grid_enter(struct wn_mcc_grid *grid, unsigned steps,
                      const struct wn_field_view *field)
{
  struct wn_points *p = &grid->points;
  const struct wn_grid_view *g = &field->of.grid;
  if (field->kind != WN_FIELD_GRID)
    return WN_FAIL(WN_EINTERN, "particles in a grid live in its field only");
  if (g->dim != p->grid.dim)
    return WN_FAIL(WN_EINTERN, "particles of %d dimensions in a grid of %d", p->grid.dim,
                   g->dim);
  if (g->gather == WN_GATHER_ENERGY && g->shape == WN_SHAPE_NGP)
    return WN_FAIL(WN_EINTERN, "there is no energy-conserving gather with NGP");
  if (steps != 1)
    return WN_FAIL(WN_EINTERN,
                   "particles in a grid take one mobility step a phase, "
                   "not %u",
                   steps);
  p->grid = *g;
  wn_mcc_grid_prepare(grid);
  return WN_OK;
}

int wn_mcc_grid_live(struct wn_model *model, const struct wn_field_view *field)
{
  struct wn_mcc *m = model->data;
  const struct wn_points *p = &m->grid.points;
  WN_TRY(wn_mcc_grid_enter(&m->grid, model->steps, field));
  m->has_b = 0;
  for (int i = 0; i < 3; i++) {
    m->gyro[i] = WN_QM * p->b[i];
    m->has_b |= p->b[i] != 0.0;
  }
  model->in_one_pass = !m->has_b && m->n_groups == 1;
  return WN_OK;
}

/* ---- one pass */

/* wn_mcc_collision_free of all.  Returns whether one is not slow that should be; nothing is then
 * changed that is read again. */
static WN_HD int fly_at(const struct wn_mcc_whole *restrict of, int slow,
                        struct wn_grid_lanes *restrict s)
{
  const struct wn_mcc_whole whole = *of;
  int32_t is_slow[WN_GRID_LANES], fast = 0; /* summed up in the loop it is no vector */
  for (int l = 0; l < s->n; l++) {
    const float u[3] = {s->u[0][l], s->u[1][l], s->u[2][l]},
                a[3] = {s->a[0][l], s->a[1][l], s->a[2][l]};
    const struct wn_mcc_force force = wn_mcc_force_of(a);
    const struct wn_mcc_collision_free q =
        wn_mcc_collision_free(&whole, u, &force, s->next[l], slow);
    double sum[WN_MCC_COLLISION_FREE_SUMS];
    wn_mcc_collision_free_sums(&whole, &q, s->w[l], sum);
    for (int i = 0; i < 3; i++) {
      s->moved[i][l] = q.moved[i];
      s->to[i][l] = q.u[i];
    }
    s->later[l] = q.next;
    s->free_flight[l] = q.is_collision_free & s->lives[l];
    for (int k = 0; k < WN_MCC_COLLISION_FREE_SUMS; k++)
      s->sum[k][l] = sum[k];
    is_slow[l] = q.is_slow;
  }
  for (int l = 0; slow && l < s->n; l++)
    fast |= is_slow[l] ^ 1;
  return fast;
}

WN_CLONES static int fly_slow(const struct wn_mcc_whole *restrict whole,
                              struct wn_grid_lanes *restrict s)
{
  return fly_at(whole, 1, s);
}

WN_CLONES static void fly(const struct wn_mcc_whole *restrict whole,
                          struct wn_grid_lanes *restrict s)
{
  fly_at(whole, 0, s);
}

static void fly_all(const void *whole, struct wn_grid_lanes *s)
{
  if (fly_slow(whole, s))
    fly(whole, s);
}

static void advance_others(const struct wn_model *model, struct wn_electron *e,
                           const uint32_t *list, size_t n, struct wn_tally *tally,
                           struct wn_births *births)
{
  wn_mcc_advance_lanes(model->data, e, list, n, tally, births);
}

void wn_mcc_grid_pass(const struct wn_model *model, void *records, size_t n,
                      struct wn_tally *tally, struct wn_births *births,
                      struct wn_census *census)
{
  const struct wn_mcc *m = model->data;
  const struct wn_mcc_whole whole = wn_mcc_whole(m);
  const struct wn_grid_flight f = {&m->grid, 1, fly_all, &whole, advance_others};
  wn_collision_free_pass(model, &f, records, n, tally, births, census);
}
