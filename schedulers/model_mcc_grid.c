/* schedulers/model_mcc_grid.c - see model_mcc_grid.h. */
#include "schedulers/model_mcc_grid.h"
#include "base/error.h"
#include "physics/mcc_grid.h"

#define SHAPES(X, dim)                                                                   \
  X(dim, ngp, WN_SHAPE_NGP, WN_GATHER_MOMENTUM)                                          \
  X(dim, cic, WN_SHAPE_CIC, WN_GATHER_MOMENTUM)                                          \
  X(dim, tsc, WN_SHAPE_TSC, WN_GATHER_MOMENTUM)                                          \
  X(dim, cic_energy, WN_SHAPE_CIC, WN_GATHER_ENERGY)                                     \
  X(dim, tsc_energy, WN_SHAPE_TSC, WN_GATHER_ENERGY)

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
SHAPES(FEEL, 1)
SHAPES(FEEL, 2)
SHAPES(FEEL, 3)

typedef void all_function(const struct wn_mcc_grid *g, struct wn_electron *e, size_t n);

static all_function *function_of(const struct wn_mcc_grid *g, int waiting)
{
#define FEEL_OF(dim, name, shape, how)                                                   \
  [dim - 1][how][shape] = {feel_##dim##_##name, wake_##dim##_##name},
  static all_function *const list[3][WN_N_GATHERS][WN_N_SHAPES][2] = {
      SHAPES(FEEL_OF, 1) SHAPES(FEEL_OF, 2) SHAPES(FEEL_OF, 3)};
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

int wn_mcc_grid_live(struct wn_mcc *m, unsigned steps, const struct wn_field_view *field)
{
  const struct wn_points *p = &m->grid.points;
  WN_TRY(wn_mcc_grid_enter(&m->grid, steps, field));
  m->has_b = 0;
  for (int i = 0; i < 3; i++) {
    m->gyro[i] = WN_QM * p->b[i];
    m->has_b |= p->b[i] != 0.0;
  }
  return WN_OK;
}
