/* schedulers/model_collisionless.c - model `collisionless`: macroparticles
 * (physics/mover.h) that move in the field of a grid, and end at the sides of the domain
 * that absorb or are open.
 *
 * Its data is struct wn_points.  The caller sets kind, charge, mass, B, relativistic and
 * rotation; dt is set by the step, the grid by the field.  All mobility steps of a step
 * use the same field.  The record depends on the kind. */
#include <stddef.h>
#include "base/error.h"
#include "particles/vector_push.h"
#include "schedulers/model.h"

#define MOTIONS(X, kind, dim, n_v)                                                       \
  X(kind, dim, n_v, free, 0, WN_ROTATION_NONE)                                           \
  X(kind, dim, n_v, turned, 0, WN_ROTATION_BORIS)                                        \
  X(kind, dim, n_v, fast, 1, WN_ROTATION_NONE)                                           \
  X(kind, dim, n_v, fast_boris, 1, WN_ROTATION_BORIS)                                    \
  X(kind, dim, n_v, fast_mean, 1, WN_ROTATION_HIGUERA_CARY)

#define LOAD(kind, dim, n_v)                                                             \
  WN_CLONES static void load_##kind(const union wn_word *restrict r, int n,              \
                                    struct wn_point_lanes *restrict s)                   \
  {                                                                                      \
    wn_point_lanes_load(dim, n_v, r, n, s);                                              \
  }                                                                                      \
  WN_CLONES static void store_##kind(const struct wn_point_lanes *restrict s,            \
                                     union wn_word *restrict r)                          \
  {                                                                                      \
    wn_point_lanes_store(dim, n_v, s, r);                                                \
  }
WN_POINT_KINDS(LOAD)

#define DRIFT(kind, dim, n_v)                                                            \
  WN_CLONES static int drift_##kind(const struct wn_points *restrict p,                  \
                                    struct wn_point_lanes *restrict s)                   \
  {                                                                                      \
    return wn_point_lanes_drift(p, dim, n_v, 0, s);                                      \
  }                                                                                      \
  WN_CLONES static int drift_fast_##kind(const struct wn_points *restrict p,             \
                                         struct wn_point_lanes *restrict s)              \
  {                                                                                      \
    return wn_point_lanes_drift(p, dim, n_v, 1, s);                                      \
  }
WN_POINT_KINDS(DRIFT)

#define GATHER(dim, name, shape, how)                                                    \
  WN_CLONES static void gather_##dim##_##name(const struct wn_points *restrict p,        \
                                              struct wn_point_lanes *restrict s)         \
  {                                                                                      \
    wn_point_lanes_gather(p, dim, shape, how, s);                                        \
  }
WN_GRID_SHAPES(GATHER, 1)
WN_GRID_SHAPES(GATHER, 2)
WN_GRID_SHAPES(GATHER, 3)

#define KICK(kind, dim, n_v, name, relativistic, rotation)                               \
  WN_CLONES static void kick_##kind##_##name(const struct wn_points *restrict p,         \
                                             struct wn_point_lanes *restrict s)          \
  {                                                                                      \
    wn_point_lanes_kick(p, dim, n_v, relativistic, rotation, s);                         \
  }
#define KICKS(kind, dim, n_v) MOTIONS(KICK, kind, dim, n_v)
WN_POINT_KINDS(KICKS)

/* The functions for a species. */
struct parts {
  void (*load)(const union wn_word *r, int n, struct wn_point_lanes *s);
  int (*drift)(const struct wn_points *p, struct wn_point_lanes *s);
  void (*gather)(const struct wn_points *p, struct wn_point_lanes *s);
  void (*kick)(const struct wn_points *p, struct wn_point_lanes *s);
  void (*store)(const struct wn_point_lanes *s, union wn_word *r);
};

static struct parts parts_of(const struct wn_points *p)
{
#define LOAD_OF(kind, dim, n_v)          load_##kind,
#define STORE_OF(kind, dim, n_v)         store_##kind,
#define DRIFT_OF(kind, dim, n_v)         {drift_##kind, drift_fast_##kind},
#define GATHER_OF(dim, name, shape, how) [dim - 1][how][shape] = gather_##dim##_##name,
#define KICK_OF(kind, dim, n_v, name, relativistic, rotation)                            \
  [relativistic][rotation] = kick_##kind##_##name,
#define KICKS_OF(kind, dim, n_v) {MOTIONS(KICK_OF, kind, dim, n_v)},
  static void (*const load[])(const union wn_word *, int,
                              struct wn_point_lanes *) = {WN_POINT_KINDS(LOAD_OF)};
  static void (*const store[])(const struct wn_point_lanes *,
                               union wn_word *) = {WN_POINT_KINDS(STORE_OF)};
  static int (*const drift[][2])(const struct wn_points *,
                                 struct wn_point_lanes *) = {WN_POINT_KINDS(DRIFT_OF)};
  static void (*const gather[3][WN_N_GATHERS][WN_N_SHAPES])(const struct wn_points *,
                                                            struct wn_point_lanes *) = {
      WN_GRID_SHAPES(GATHER_OF, 1) WN_GRID_SHAPES(GATHER_OF, 2)
          WN_GRID_SHAPES(GATHER_OF, 3)};
  static void (*const kick[][2][3])(const struct wn_points *,
                                    struct wn_point_lanes *) = {WN_POINT_KINDS(KICKS_OF)};
  const int fast = p->relativistic != 0;
  /* without gamma both rotations are the same */
  const int turn =
      p->rotation == WN_ROTATION_NONE || fast ? p->rotation : WN_ROTATION_BORIS;
  return (struct parts){.load = load[p->kind],
                        .drift = drift[p->kind][fast],
                        .gather = gather[p->grid.dim - 1][p->grid.gather][p->grid.shape],
                        .kick = kick[p->kind][fast][turn],
                        .store = store[p->kind]};
}

/* Particles that left through a side in the last drift; r: the records of the lanes. */
static void count_ended(const struct wn_points *p, struct wn_point_lanes *s,
                        union wn_word *r, struct wn_tally *tally)
{
  const int dim = wn_point_dim(p->kind), n_v = wn_point_velocities(p->kind);
  for (int l = 0; l < s->n; l++) {
    const float u[3] = {s->u[0][l], s->u[1][l], n_v > 2 ? s->u[2][l] : 0.0f};
    if (s->fate[l] < 0)
      continue;
    wn_point_ended(p, n_v, u, s->w[l], s->fate[l], tally);
    tally->n_deaths++;
    const int32_t x[3] = {s->x[0][l], dim > 1 ? s->x[1][l] : 0, dim > 2 ? s->x[2][l] : 0};
    wn_point_end(p, dim, n_v, &r[(size_t)l * (size_t)wn_point_words(p->kind)], x, u,
                 s->fate[l]);
    wn_point_lanes_remove(dim, n_v, l, s);
  }
}

static void advance_many(const struct wn_model *model, void *e, size_t n,
                         struct wn_tally *tally, struct wn_births *births)
{
  const struct wn_points *p = model->data;
  const struct parts f = parts_of(p);
  const size_t words = (size_t)wn_point_words(p->kind);
  tally->n_candidates += n * model->steps; /* as in other models without collisions */
  struct wn_point_lanes s;
  (void)births;
  for (size_t i = 0; i < n; i += WN_POINT_LANES) {
    union wn_word *r = (union wn_word *)e + i * words;
    f.load(r, n - i < WN_POINT_LANES ? (int)(n - i) : WN_POINT_LANES, &s);
    wn_point_lanes_prefetch(r, words * sizeof *r, n - i);
    for (unsigned step = 0; step < model->steps; step++) {
      if (f.drift(p, &s) > 0)
        count_ended(p, &s, r, tally);
      f.gather(p, &s);
      f.kick(p, &s);
      if (f.drift(p, &s) > 0)
        count_ended(p, &s, r, tally);
    }
    f.store(&s, r);
  }
}

/* Reference implementation: one particle, one mobility step after the other.  Not named
 * `advance`: clang exports a symbol of the function's name for each such function. */
WN_CLONES static void advance_point(const struct wn_model *model, void *e,
                                    struct wn_tally *tally, struct wn_births *births)
{
  const struct wn_points *p = model->data;
  const int dim = wn_point_dim(p->kind), n_v = wn_point_velocities(p->kind);
  union wn_word *r = e;
  int32_t x[3] = {0, 0, 0};
  float u[3] = {0.0f, 0.0f, 0.0f}, w;
  int side = -1;
  (void)births;
  tally->n_candidates += model->steps;
  if (r[0].i < 0)
    return;
  wn_point_load(dim, n_v, r, x, u, &w);
  for (unsigned step = 0; step < model->steps && side < 0; step++)
    side = wn_point_step(p, dim, n_v, p->grid.shape, p->grid.gather, p->relativistic,
                         p->rotation, x, u);
  if (side < 0) {
    wn_point_store(dim, n_v, r, x, u);
    return;
  }
  wn_point_ended(p, n_v, u, w, side, tally);
  tally->n_deaths++;
  wn_point_end(p, dim, n_v, r, x, u, side);
}

static void begin_step(struct wn_model *model, double t, double length)
{
  (void)t;
  ((struct wn_points *)model->data)->dt = length / (double)model->steps;
}

static int feel(struct wn_model *model, const struct wn_field_view *field)
{
  struct wn_points *p = model->data;
  const struct wn_grid_view *g = &field->of.grid;
  if (field->kind != WN_FIELD_GRID)
    return WN_FAIL(WN_EINTERN, "model `collisionless` lives in the field of a grid");
  if (g->dim != wn_point_dim(p->kind))
    return WN_FAIL(WN_EINTERN, "points of %d dimensions in a grid of %d",
                   wn_point_dim(p->kind), g->dim);
  if (g->gather == WN_GATHER_ENERGY && g->shape == WN_SHAPE_NGP)
    return WN_FAIL(WN_EINTERN, "there is no energy-conserving gather with NGP");
  if (p->kind == WN_POINT_2D2V && (p->b[0] != 0.0 || p->b[1] != 0.0))
    return WN_FAIL(WN_EINTERN, "points of two velocities turn about z alone");
  p->grid = *g;
  wn_points_prepare(p);
  return WN_OK;
}

const struct wn_model_ops wn_model_collisionless = {
    .name = "collisionless",
    .doc = "particles that move in the field of a grid without collisions",
    .bytes = sizeof(struct wn_points),
    .record = {16, 0, 1},
    .begin_step = begin_step,
    .set_field = feel,
    .advance = advance_point,
    .advance_many = advance_many,
    .gpu = WN_ON_GPU(wn_gpu_model_collisionless),
};
