/* schedulers/collision_free.c - see collision_free.h. */
#include "schedulers/collision_free.h"
#include "particles/vector_sample.h"

#define LANES WN_GRID_LANES

WN_CLONES static void load(const struct wn_electron *restrict e, int n,
                           struct wn_grid_lanes *restrict s)
{
  for (int l = 0; l < n; l++) {
    const int lives = e[l].t_left >= 0.0f;
    for (int d = 0; d < 3; d++) {
      s->at[d][l] = lives ? e[l].at[d] : 0;
      s->u[d][l] = lives ? e[l].u[d] : 0.0f;
    }
    s->w[l] = lives ? e[l].w : 0.0f;
    s->next[l] = e[l].t_next;
    s->lives[l] = lives;
  }
}

/* Load the first WN_GRID_LANES of n records, or all n if there are fewer, at the
 * beginning of a step. */
static void load_lanes(const struct wn_electron *e, size_t n, struct wn_grid_lanes *s)
{
  s->n = n < LANES ? (int)n : LANES;
  load(e, s->n, s);
  wn_point_lanes_prefetch(e, sizeof *e, n);
}

/* ---- field at the particles */

/* Positions after half a step, as wn_mcc_grid_middle.  Returns whether any is beyond a
 * side of the domain, where E is not gathered at x. */
static WN_HD int find_middle(const struct wn_points *restrict p, int dim,
                             struct wn_grid_lanes *restrict s)
{
  const int n = s->n;
  float slower[LANES];
  int32_t outside = 0;
  s->middle.n = n;
  for (int l = 0; p->relativistic && l < n; l++) {
    const float u[3] = {s->u[0][l], s->u[1][l], s->u[2][l]};
    slower[l] = wn_point_slower(3, 1, u) * 1.0f;
  }
  for (int l = 0; !p->relativistic && l < n; l++)
    slower[l] = 1.0f;
  for (int l = 0; l < n; l++)
    s->crosses[l] = 0;
  for (int d = 0; d < dim; d++) {
    const int32_t end = p->end[d];
    const int wraps = p->grid.side[2 * d] == WN_SIDE_PERIODIC;
    const int32_t around = wraps ? end : 0, last = wraps ? end : INT32_MAX;
    for (int l = 0; l < n; l++) {
      int32_t x = s->at[d][l] + wn_point_way(p, d, s->u[d][l] * slower[l]);
      x += x < 0 ? around : 0;
      x -= x >= last ? around : 0;
      const int32_t out = (x < 0) | (x > end);
      s->middle.x[d][l] = out ? 0 : x;
      s->crosses[l] |= out;
      outside |= out;
    }
  }
  return outside;
}

/* wn_mcc_grid_feel of one lane. */
static WN_HD void feel_lane(const struct wn_mcc_grid *restrict g, int dim, int shape,
                            int how, int l, struct wn_grid_lanes *restrict s)
{
  struct wn_electron e = {.at = {s->at[0][l], s->at[1][l], s->at[2][l]},
                          .u = {s->u[0][l], s->u[1][l], s->u[2][l]}};
  wn_mcc_grid_feel(g, dim, shape, how, 1.0f, &e);
  for (int d = 0; d < 3; d++)
    s->a[d][l] = e.a[d];
}

/* find_middle in r-z: along, across: of struct wn_radial_turn. */
static WN_HD int find_radial_middle(const struct wn_points *restrict p,
                                    double *restrict along, double *restrict across,
                                    struct wn_grid_lanes *restrict s)
{
  const int n = s->n, wraps = p->grid.side[2] == WN_SIDE_PERIODIC;
  const int32_t end = p->end[1], around = wraps ? end : 0, last = wraps ? end : INT32_MAX,
                radius = p->end[0];
  int32_t outside = 0;
  s->middle.n = n;
  for (int l = 0; l < n; l++) {
    const float u[3] = {s->u[0][l], s->u[1][l], s->u[2][l]},
                slower = wn_point_slower(3, p->relativistic, u) * 1.0f,
                v[3] = {u[0] * slower, u[1] * slower, u[2] * slower};
    int32_t x[3] = {s->at[0][l], s->at[1][l], 0};
    const struct wn_radial_turn turn = wn_point_radial_drift(p, x, v);
    x[1] += x[1] < 0 ? around : 0;
    x[1] -= x[1] >= last ? around : 0;
    const int32_t out = (x[1] < 0) | (x[1] > end) | (x[0] > radius);
    s->middle.x[0][l] = out ? 0 : x[0];
    s->middle.x[1][l] = out ? 0 : x[1];
    along[l] = turn.along;
    across[l] = turn.across;
    s->crosses[l] = out;
    outside |= out;
  }
  return outside;
}

/* gather_field in r-z. */
static WN_HD void gather_radial(const struct wn_mcc_grid *restrict g, int shape, int how,
                                struct wn_grid_lanes *restrict s)
{
  const float per_field = g->per_field;
  double along[LANES], across[LANES];
  const int n = s->n, outside = find_radial_middle(&g->points, along, across, s);
  wn_point_lanes_gather(&g->points, 2, shape, how, &s->middle);
  for (int l = 0; l < n; l++) {
    const struct wn_radial_turn turn = {along[l], across[l], 0};
    float a[3] = {per_field * s->middle.e[0][l], per_field * s->middle.e[1][l], 0.0f};
    wn_radial_turned_back(&turn, a);
    for (int d = 0; d < 3; d++)
      s->a[d][l] = a[d];
  }
  for (int l = 0; WN_UNLIKELY(outside) && l < n; l++)
    if (s->crosses[l])
      feel_lane(g, 2, shape, how, l, s);
}

/* E at x, and the acceleration from it. */
static WN_HD void gather_field(const struct wn_mcc_grid *restrict g, int dim, int shape,
                               int how, struct wn_grid_lanes *restrict s)
{
  const struct wn_points *p = &g->points;
  const float per_field = g->per_field;
  const int n = s->n, outside = find_middle(p, dim, s);
  if (dim == 1) {
    for (int l = 0; l < n; l++) {
      const int32_t x[3] = {s->middle.x[0][l], 0, 0};
      int32_t cell[3];
      uint32_t part[3];
      float e[3];
      wn_point_place(p, 1, x, cell, part);
      wn_grid_gather(&p->grid, 1, shape, how, cell, part, e);
      s->middle.e[0][l] = e[0];
    }
  } else {
    wn_point_lanes_gather(p, dim, shape, how, &s->middle);
  }
  for (int d = 0; d < 3; d++)
    for (int l = 0; l < n; l++)
      s->a[d][l] = d < dim ? per_field * s->middle.e[d][l] : 0.0f;
  for (int l = 0; WN_UNLIKELY(outside) && l < n; l++) {
    if (s->crosses[l])
      feel_lane(g, dim, shape, how, l, s);
  }
}

#define GATHER(dim, name, shape, how)                                                    \
  WN_CLONES static void gather_lanes_##dim##_##name(                                     \
      const struct wn_mcc_grid *restrict g, struct wn_grid_lanes *restrict s)            \
  {                                                                                      \
    gather_field(g, dim, shape, how, s);                                                 \
  }
WN_GRID_SHAPES(GATHER, 1)
WN_GRID_SHAPES(GATHER, 2)
WN_GRID_SHAPES(GATHER, 3)

/* Functions of their own, so that those of Cartesian grids stay as they are. */
#define GATHER_RADIAL(dim, name, shape, how)                                             \
  WN_CLONES static void gather_radial_##name(const struct wn_mcc_grid *restrict g,       \
                                             struct wn_grid_lanes *restrict s)           \
  {                                                                                      \
    gather_radial(g, shape, how, s);                                                     \
  }
WN_GRID_SHAPES(GATHER_RADIAL, 2)

/* wn_mcc_grid_feel for all lanes with a living particle, over the whole step. */
static void gather_lanes(const struct wn_mcc_grid *g, struct wn_grid_lanes *s)
{
#define GATHER_OF(dim, name, shape, how)                                                 \
  [dim - 1][how][shape] = gather_lanes_##dim##_##name,
  static void (*const list[3][WN_N_GATHERS][WN_N_SHAPES])(const struct wn_mcc_grid *,
                                                          struct wn_grid_lanes *) = {
      WN_GRID_SHAPES(GATHER_OF, 1) WN_GRID_SHAPES(GATHER_OF, 2)
          WN_GRID_SHAPES(GATHER_OF, 3)};
#define GATHER_RADIAL_OF(dim, name, shape, how) [how][shape] = gather_radial_##name,
  static void (*const radial[WN_N_GATHERS][WN_N_SHAPES])(const struct wn_mcc_grid *,
                                                         struct wn_grid_lanes *) = {
      WN_GRID_SHAPES(GATHER_RADIAL_OF, 2)};
  const struct wn_grid_view *v = &g->points.grid;
  if (wn_point_is_radial(&g->points, v->dim, 3))
    radial[v->gather][v->shape](g, s);
  else
    list[v->dim - 1][v->gather][v->shape](g, s);
}

/* ---- sums for the tally */

/* wn_fix of terms below 2^51, with the rounding of llrint: 1.5 2^52 is added, whose last
 * bit is worth 1, so that the low bits of the sum are the integer.  Returns whether any
 * term is larger. */
WN_CLONES static int sum_up(const struct wn_grid_lanes *restrict s,
                            int64_t total[WN_GRID_SUMS])
{
  const uint64_t bits = 0x4338000000000000ull; /* of 1.5 2^52 */
  uint64_t large = 0;
  for (int k = 0; k < WN_GRID_SUMS; k++) {
    int64_t sum = 0; /* of 128 below 2^51 each */
    for (int l = 0; l < s->n; l++) {
      const uint64_t b = wn_bits(s->sum[k][l] + 0x1.8p52);
      large |= b >> 52 ^ bits >> 52;
      sum += (int64_t)(b - bits) & -(int64_t)s->free_flight[l];
    }
    total[k] = sum;
  }
  return large != 0;
}

/* After the flight: add the sums of the collision-free lanes to `group`, the only group.
 * If a term is too large for this way of rounding, no lane is treated as
 * collision-free. */
static void add_lanes(struct wn_grid_lanes *s, struct wn_tally_group *group)
{
  int64_t sum[WN_GRID_SUMS];
  if (WN_UNLIKELY(sum_up(s, sum))) { /* weights above 100, say */
    for (int l = 0; l < s->n; l++)
      s->free_flight[l] = 0;
    return;
  }
  for (int d = 0; d < 3; d++)
    group->path[d] += sum[d];
  group->control += sum[3];
  group->time += sum[4];
  group->gained += sum[5];
}

/* ---- positions at the end of the step */

WN_CLONES static int arrive(const struct wn_mcc_grid *restrict g, int dim,
                            struct wn_grid_lanes *restrict s)
{
  const struct wn_points *p = &g->points;
  int32_t any = 0;
  for (int l = 0; l < s->n; l++)
    s->crosses[l] = 0;
  for (int d = 0; d < dim; d++) {
    const int32_t end = p->end[d];
    const int wraps = p->grid.side[2 * d] == WN_SIDE_PERIODIC;
    const int32_t around = wraps ? end : 0, last = wraps ? end : INT32_MAX;
    const double most = (double)end, parts = g->parts[d];
    for (int l = 0; l < s->n; l++) {
      double way = (double)s->moved[d][l] * parts;
      way = way < most ? way : most;
      way = way > -most ? way : -most;
      int32_t x = s->at[d][l] + (int32_t)rint(way);
      x += x < 0 ? around : 0;
      x -= x >= last ? around : 0;
      const int32_t out = (x < 0) | (x > end);
      s->crosses[l] |= out;
      any |= out;
      s->at[d][l] = x;
    }
  }
  return any;
}

/* The same in r-z, where the velocity of those that cross no side is turned, too. */
WN_CLONES static int arrive_radial(const struct wn_mcc_grid *restrict g,
                                   struct wn_grid_lanes *restrict s)
{
  const struct wn_points *p = &g->points;
  const int wraps = p->grid.side[2] == WN_SIDE_PERIODIC;
  const int32_t end = p->end[1], around = wraps ? end : 0, last = wraps ? end : INT32_MAX,
                radius = p->end[0];
  int32_t any = 0;
  for (int l = 0; l < s->n; l++) {
    const float moved[3] = {s->moved[0][l], s->moved[1][l], s->moved[2][l]};
    float u[3] = {s->to[0][l], s->to[1][l], s->to[2][l]};
    int32_t x[3] = {s->at[0][l], s->at[1][l], 0};
    wn_mcc_grid_radial_carry(g, moved, x, u);
    x[1] += x[1] < 0 ? around : 0;
    x[1] -= x[1] >= last ? around : 0;
    const int32_t out = (x[1] < 0) | (x[1] > end) | (x[0] > radius);
    s->crosses[l] = out;
    any |= out;
    s->at[0][l] = x[0];
    s->at[1][l] = x[1];
    s->to[0][l] = out ? s->to[0][l] : u[0];
    s->to[2][l] = out ? s->to[2][l] : u[2];
  }
  return any;
}

/* wn_mcc_grid_arrive for the collision-free lanes that cross no side: sets at.  crosses:
 * the other lanes. */
static void arrive_lanes(const struct wn_mcc_grid *g, struct wn_grid_lanes *s)
{
  if (wn_point_is_radial(&g->points, g->points.grid.dim, 3)) {
    s->any_crosses = arrive_radial(g, s);
    return;
  }
  s->any_crosses = arrive(g, g->points.grid.dim, s);
}

static WN_HD int store(int dim, uint32_t events, const struct wn_grid_lanes *restrict s,
                       struct wn_electron *restrict e, uint32_t first,
                       uint32_t *restrict list)
{
  int n = 0;
  for (int l = 0; l < s->n; l++) {
    if (WN_UNLIKELY(!s->free_flight[l])) {
      if (!s->lives[l])
        continue;
      for (int d = 0; d < 3; d++)
        e[l].a[d] = s->a[d][l];
      e[l].t_left = 1.0f;
      list[n++] = first + (uint32_t)l;
      continue;
    }
    for (int d = 0; d < dim && !s->crosses[l]; d++)
      e[l].at[d] = s->at[d][l];
    for (int d = 0; d < 3; d++) {
      e[l].a[d] = s->a[d][l];
      e[l].u[d] = s->to[d][l];
    }
    e[l].event += events;
    e[l].t_left = 0.0f;
    e[l].t_next = s->later[l];
  }
  return n;
}

/* Write back.  Collision-free particles are at the end of the step, or dead if a side
 * absorbed them; their event number rises by `events`, if flights are counted as events.
 * The other records get the acceleration and the whole step as time left; their numbers,
 * counted from `first`, are appended to list.  Returns the number of these. */
static int store_lanes(const struct wn_mcc_grid *g, uint32_t events,
                       const struct wn_grid_lanes *s, struct wn_electron *e,
                       uint32_t first, uint32_t *list, struct wn_tally *tally)
{
  const int dim = g->points.grid.dim;
  const int n = dim == 1   ? store(1, events, s, e, first, list)
                : dim == 2 ? store(2, events, s, e, first, list)
                           : store(3, events, s, e, first, list);
  for (int l = 0; s->any_crosses && l < s->n; l++) {
    const float moved[3] = {s->moved[0][l], s->moved[1][l], s->moved[2][l]};
    if (!(s->free_flight[l] & s->crosses[l]) ||
        !wn_mcc_grid_arrive(g, moved, 0, &e[l], tally))
      continue;
    e[l].t_left = WN_DEAD;
    tally->n_deaths++;
  }
  return n;
}

/* ---- sums over the particles at the end of the step */

/* Of the lanes that count: wn_sample_lanes. */
WN_CLONES static int count(const struct wn_grid_lanes *restrict s,
                           const struct wn_sample *restrict what,
                           int64_t high[WN_POINT_SUMS], int64_t low[WN_POINT_SUMS])
{
  float w[LANES];
  for (int l = 0; l < s->n; l++)
    w[l] = s->free_flight[l] & (s->crosses[l] ^ 1) ? s->w[l] : 0.0f;
  return wn_sample_lanes(what, s->n, w, s->to[0], s->to[1], s->to[2], high, low);
}

/* Add the living collision-free particles to the sums. */
static void count_collision_free(const struct wn_grid_lanes *s,
                                 const struct wn_electron *e, struct wn_census *census)
{
  int64_t high[WN_POINT_SUMS], low[WN_POINT_SUMS];
  const int large = count(s, &census->what, high, low);
  for (int k = 0; !large && k < WN_POINT_SUMS; k++)
    census->sum[k] += wn_sample_lanes_sum(high[k], low[k]);
  for (int l = 0; (s->any_crosses || large) && l < s->n;
       l++) /* after a reflection, u is in the record */
    if (s->free_flight[l] && (s->crosses[l] || large) && e[l].t_left >= 0.0f)
      wn_sample_moving(&census->what, &e[l], census->sum);
}

/* Add the other particles, after their advance. */
static void count_others(const struct wn_electron *e, const uint32_t *list, size_t n,
                         struct wn_census *census)
{
  for (size_t i = 0; i < n; i++)
    if (e[list[i]].t_left >= 0.0f)
      wn_sample_moving(&census->what, &e[list[i]], census->sum);
}

/* ---- the pass */

#define BLOCK 1024

void wn_collision_free_pass(const struct wn_model *model, const struct wn_grid_flight *f,
                            void *records, size_t n, struct wn_tally *tally,
                            struct wn_births *births, struct wn_census *census)
{
  struct wn_grid_lanes s;
  uint32_t list[BLOCK];
  for (size_t i = 0; i < n; i += BLOCK) {
    struct wn_electron *e = (struct wn_electron *)records + i;
    const size_t block = n - i < BLOCK ? n - i : BLOCK;
    size_t listed = 0;
    for (size_t k = 0; k < block; k += LANES) {
      load_lanes(&e[k], block - k, &s);
      gather_lanes(f->grid, &s);
      f->fly(f->own, &s);
      add_lanes(&s, &tally->group[0]);
      arrive_lanes(f->grid, &s);
      listed += (size_t)store_lanes(f->grid, f->events, &s, &e[k], (uint32_t)k,
                                    &list[listed], tally);
      if (census != NULL)
        count_collision_free(&s, &e[k], census);
    }
    f->others(model, e, list, listed, tally, births);
    if (census != NULL)
      count_others(e, list, listed, census);
  }
}
