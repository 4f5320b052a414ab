/* schedulers/model_midpoint.c - model `midpoint`: macroparticles (physics/mover.h) that move in
 * E and B on the nodes of a grid, by the implicit midpoint rule or by Boris's (physics/midpoint.h).
 * They end at sides of the domain that absorb or are open.
 *
 * Its data is struct wn_midpoint.  The caller sets what is given there, and of its points
 * kind, charge, mass and relativistic; dt is set by the step, the grid by the field. */
#include <stddef.h>
#include "base/error.h"
#include "particles/vector_midpoint.h"
#include "schedulers/model.h"

_Static_assert(WN_POINT_LANES % WN_MIDPOINT_ROWS == 0, "whole squares");

#define KINDS(X)        X(1d3v, 1) X(2d3v, 2) X(3d3v, 3)
#define MOTIONS(X, ...) X(__VA_ARGS__, slow, 0) X(__VA_ARGS__, fast, 1)

/* ---- lanes */

#define PARTS(kind, dim)                                                                 \
  WN_CLONES static void midpoint_load_##kind(const union wn_word *restrict r, int n,     \
                                             struct wn_point_lanes *restrict s)          \
  {                                                                                      \
    wn_point_lanes_load(dim, 3, r, n, s);                                                \
  }                                                                                      \
  WN_CLONES static void midpoint_store_##kind(const struct wn_point_lanes *restrict s,   \
                                              union wn_word *restrict r)                 \
  {                                                                                      \
    wn_point_lanes_store(dim, 3, s, r);                                                  \
  }                                                                                      \
  WN_CLONES static void midpoint_gather_##kind(const struct wn_points *restrict p,       \
                                               struct wn_midpoint_lanes *restrict s)     \
  {                                                                                      \
    wn_midpoint_lanes_place(p, dim, s);                                                  \
    wn_midpoint_lanes_gather(p, dim, s);                                                 \
  }                                                                                      \
  WN_CLONES static int midpoint_end_##kind(const struct wn_midpoint *restrict m,         \
                                           int32_t i,                                    \
                                           struct wn_midpoint_lanes *restrict s)         \
  {                                                                                      \
    return m->adapts ? wn_midpoint_lanes_end(m, dim, 1, i, s)                            \
                     : wn_midpoint_lanes_end(m, dim, 0, i, s);                           \
  }
KINDS(PARTS)

#define MEAN(kind, dim, name, relativistic)                                              \
  WN_CLONES static int midpoint_mean_##kind##_##name(                                    \
      const struct wn_midpoint *restrict m, struct wn_midpoint_lanes *restrict s)        \
  {                                                                                      \
    return m->tolerance2 > 0.0f ? wn_midpoint_lanes_mean(m, dim, relativistic, 1, s)     \
                                : wn_midpoint_lanes_mean(m, dim, relativistic, 0, s);    \
  }                                                                                      \
  WN_CLONES static int32_t midpoint_adapt_##kind##_##name(                               \
      const struct wn_midpoint *restrict m, struct wn_midpoint_lanes *restrict s)        \
  {                                                                                      \
    return wn_midpoint_lanes_adapt(m, dim, relativistic, s);                             \
  }
#define MEANS(kind, dim) MOTIONS(MEAN, kind, dim)
KINDS(MEANS)

/* The functions for a species. */
struct parts {
  void (*load)(const union wn_word *r, int n, struct wn_point_lanes *s);
  void (*store)(const struct wn_point_lanes *s, union wn_word *r);
  void (*gather)(const struct wn_points *p, struct wn_midpoint_lanes *s);
  int (*mean)(const struct wn_midpoint *m, struct wn_midpoint_lanes *s);
  int32_t (*adapt)(const struct wn_midpoint *m, struct wn_midpoint_lanes *s);
  int (*end)(const struct wn_midpoint *m, int32_t i, struct wn_midpoint_lanes *s);
};

static struct parts parts_of(const struct wn_points *p)
{
#define OF(kind, dim, name, relativistic)                                                \
  [dim -                                                                                 \
      1][relativistic] = {midpoint_load_##kind,           midpoint_store_##kind,         \
                          midpoint_gather_##kind,         midpoint_mean_##kind##_##name, \
                          midpoint_adapt_##kind##_##name, midpoint_end_##kind},
#define ALL_OF(kind, dim) MOTIONS(OF, kind, dim)
  static const struct parts list[3][2] = {KINDS(ALL_OF)};
  return list[wn_point_dim(p->kind) - 1][p->relativistic != 0];
}

/* A particle that ended at a side. */
static void end_at(const struct wn_points *p, union wn_word *r, const int32_t x[3],
                   const float u[3], float w, int side, struct wn_tally *tally)
{
  wn_point_ended(p, 3, u, w, side, tally);
  tally->n_deaths++;
  wn_point_end(p, wn_point_dim(p->kind), 3, r, x, u, side);
}

/* ---- reference implementation: one particle, one mobility step after the other.  Not named
 * `advance`: clang exports a symbol of the function's name for each such function. */
WN_CLONES static void advance_midpoint(const struct wn_model *model, void *e,
                                       struct wn_tally *tally, struct wn_births *births)
{
  const struct wn_midpoint *m = model->data;
  const struct wn_points *p = &m->points;
  const int dim = wn_point_dim(p->kind);
  union wn_word *r = e;
  int32_t x[3] = {0, 0, 0};
  float u[3] = {0.0f, 0.0f, 0.0f}, w;
  int side = -1;
  (void)births;
  tally->n_candidates += model->steps;
  if (r[0].i < 0)
    return;
  wn_point_load(dim, 3, r, x, u, &w);
  for (unsigned step = 0; step < model->steps && side < 0; step++)
    side = wn_midpoint_step(m, dim, p->relativistic, x, u);
  if (side < 0)
    wn_point_store(dim, 3, r, x, u);
  else
    end_at(p, r, x, u, w, side, tally);
}

/* Those that ended in the last substep; r: the records of the lanes. */
static void count_ended(const struct wn_points *p, struct wn_point_lanes *s,
                        union wn_word *r, struct wn_tally *tally)
{
  const int dim = wn_point_dim(p->kind);
  for (int l = 0; l < s->n; l++) {
    if (s->fate[l] < 0)
      continue;
    const float u[3] = {s->u[0][l], s->u[1][l], s->u[2][l]};
    const int32_t x[3] = {s->x[0][l], dim > 1 ? s->x[1][l] : 0, dim > 2 ? s->x[2][l] : 0};
    end_at(p, &r[(size_t)l * (size_t)wn_point_words(p->kind)], x, u, s->w[l], s->fate[l],
           tally);
    wn_point_lanes_remove(dim, 3, l, s);
  }
}

/* Lanes that are not alive are accelerated with the others: back to where they are at rest. */
static void rest(int dim, struct wn_point_lanes *s)
{
  for (int l = 0; l < s->n; l++)
    if (s->fate[l] == WN_POINT_GONE)
      wn_point_lanes_remove(dim, 3, l, s);
}

static void iterate(const struct wn_midpoint *m, const struct parts *f,
                    struct wn_midpoint_lanes *s)
{
  for (int d = 0; d < 3; d++)
    for (int l = 0; l < s->p.n; l++) {
      s->way[d][l] = 0;
      s->mean[d][l] = 0.0f;
    }
  for (int l = 0; l < s->p.n; l++)
    s->done[l] = 0;
  for (int k = 0; k < m->iterations; k++) {
    f->gather(&m->points, s);
    if (f->mean(m, s) == 0)
      break;
  }
}

static void advance_many(const struct wn_model *model, void *e, size_t n,
                         struct wn_tally *tally, struct wn_births *births)
{
  const struct wn_midpoint *m = model->data;
  const struct wn_points *p = &m->points;
  const size_t words = (size_t)wn_point_words(p->kind);
  if (m->mover != WN_NODAL_MIDPOINT) { /* for comparison alone */
    for (size_t i = 0; i < n; i++)
      advance_midpoint(model, (union wn_word *)e + i * words, tally, births);
    return;
  }
  const struct parts f = parts_of(p);
  struct wn_midpoint_lanes s;
  tally->n_candidates += n * model->steps; /* as in other models without collisions */
  for (int l = 0; l < WN_POINT_LANES; l++)
    s.per[l] = 1.0f;
  for (size_t i = 0; i < n; i += WN_POINT_LANES) {
    union wn_word *r = (union wn_word *)e + i * words;
    f.load(r, n - i < WN_POINT_LANES ? (int)(n - i) : WN_POINT_LANES, &s.p);
    wn_point_lanes_prefetch(r, words * sizeof *r, n - i);
    for (unsigned step = 0; step < model->steps; step++) {
      const int32_t substeps = m->adapts ? f.adapt(m, &s) : m->substeps;
      for (int32_t k = 0; k < substeps; k++) {
        iterate(m, &f, &s);
        if (f.end(m, k, &s) > 0)
          count_ended(p, &s.p, r, tally);
        if (s.p.n_gone > 0)
          rest(wn_point_dim(p->kind), &s.p);
      }
    }
    f.store(&s.p, r);
  }
}

static void begin_step(struct wn_model *model, double t, double length)
{
  (void)t;
  ((struct wn_midpoint *)model->data)->points.dt = length / (double)model->steps;
}

static int feel(struct wn_model *model, const struct wn_field_view *field)
{
  struct wn_midpoint *m = model->data;
  const struct wn_grid_view *g = &field->of.grid;
  if (field->kind != WN_FIELD_GRID || g->eb == NULL)
    return WN_FAIL(WN_EINTERN, "model `midpoint` needs E and B on the nodes of a grid");
  if (g->dim != wn_point_dim(m->points.kind) || wn_point_velocities(m->points.kind) != 3)
    return WN_FAIL(
        WN_EINTERN, "points of %d dimensions and %d velocities in a grid of %d",
        wn_point_dim(m->points.kind), wn_point_velocities(m->points.kind), g->dim);
  if (m->iterations < 1 || m->substeps < 1 || m->substeps > WN_MOST_SUBSTEPS)
    return WN_FAIL(WN_EINTERN, "%d iterations, %d substeps", (int)m->iterations,
                   (int)m->substeps);
  m->points.grid = *g;
  wn_midpoint_prepare(m);
  return WN_OK;
}

const struct wn_model_ops wn_model_midpoint = {
    .name = "midpoint",
    .doc = "particles that move in E and B on the nodes of a grid, implicitly",
    .bytes = sizeof(struct wn_midpoint),
    .record = {16, 0, 1},
    .begin_step = begin_step,
    .set_field = feel,
    .advance = advance_midpoint,
    .advance_many = advance_many,
    .gpu = WN_ON_GPU(wn_gpu_model_midpoint),
};
