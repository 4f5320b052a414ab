/* fields/deposit.c - the charge of particles on the nodes of the grid, on the host: see deposit.h. */
#include "fields/deposit.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include "base/alloc.h"
#include "base/error.h"
#include "base/threads.h"
#include "particles/vector_push.h"
#include "physics/shape.h"

/* Particles that a thread handles at a time, multiples of the lanes: at the most, and at the least;
 * between them a part of those for each thread, so that the threads end together. */
#define CHUNK       (64 * WN_POINT_LANES)
#define CHUNK_LEAST (4 * WN_POINT_LANES)
#define PARTS       8

struct wn_deposit {
  int threads;
  size_t nodes;
  int64_t *own; /* [threads - 1][nodes], all 0 between calls */
  char *added;  /* [threads] whether a thread has added to its nodes */
  size_t range[WN_DEPOSIT_RANGES][2]; /* nodes that particles can add to */
  int n_ranges;
};

/* Particles in lanes, before their charge is added to the grid. */
struct lanes {
  struct wn_point_lanes point;
  int32_t first[WN_POINT_LANES]; /* node */
  uint32_t part[3][WN_POINT_LANES];
  uint64_t quanta[WN_POINT_LANES];
  int n;
};

size_t wn_deposit_bytes(const struct wn_grid_view *g, int threads)
{
  return (size_t)(wn_threads(threads) - 1) * (size_t)wn_grid_nodes(g) * sizeof(int64_t);
}

int wn_deposit_create(const struct wn_grid_view *g, int threads, struct wn_deposit **out)
{
  struct wn_deposit *d = wn_alloc(1, sizeof *d);
  if (d == NULL)
    return WN_ENOMEM;
  d->threads = wn_threads(threads);
  d->nodes = (size_t)wn_grid_nodes(g);
  d->range[0][1] = d->nodes;
  d->n_ranges = 1;
  WN_ASSERT(d->nodes <= INT32_MAX);
  if (d->threads > 1) {
    d->own = wn_alloc((size_t)(d->threads - 1) * d->nodes, sizeof *d->own);
    d->added = wn_alloc((size_t)d->threads, 1);
    if (d->own == NULL || d->added == NULL) {
      wn_deposit_free(d);
      return WN_ENOMEM;
    }
  }
  *out = d;
  return WN_OK;
}

void wn_deposit_within(struct wn_deposit *d, const size_t range[][2], int n_ranges)
{
  WN_ASSERT(n_ranges <= WN_DEPOSIT_RANGES);
  d->n_ranges = n_ranges;
  for (int i = 0; i < n_ranges; i++) {
    d->range[i][0] = range[i][0];
    d->range[i][1] = range[i][1];
  }
}

void wn_deposit_free(struct wn_deposit *d)
{
  if (d != NULL) {
    free(d->own);
    free(d->added);
  }
  free(d);
}

/* ---- lanes onto the grid */

/* Unsigned: beyond the limit a sum may wrap before that is detected. */
static WN_HD void add_to(int64_t *node, uint64_t quanta)
{
  *node = (int64_t)((uint64_t)*node + quanta);
}

/* Nodes that the shape of a particle covers. */
static WN_HD int reach(int dim, int order)
{
  return order == 0 ? 1 : order == 1 ? 1 << dim : dim == 1 ? 3 : dim == 2 ? 9 : 27;
}

/* Particles of weight 1: first the share of each node, for all lanes as vectors; then the
 * additions to the grid, one lane after the other. */
static WN_HD void add(const struct wn_grid_view *restrict g, int dim, int order,
                      const struct lanes *restrict s, int64_t *restrict grid)
{
  const int n = reach(dim, order);
  int32_t offset[WN_MAX_REACH];
  uint32_t q[WN_MAX_REACH][WN_POINT_LANES];
  for (int i = 0; i < n; i++)
    offset[i] = wn_grid_offset(g, dim, order, i);
  for (int l = 0; l < s->n; l++) {
    const uint32_t part[3] = {s->part[0][l], dim > 1 ? s->part[1][l] : 0,
                              dim > 2 ? s->part[2][l] : 0};
    uint64_t of[WN_MAX_REACH];
    wn_grid_divide(dim, order, part, s->quanta[l], 0, of);
    for (int i = 0; i < n; i++)
      q[i][l] = (uint32_t)of[i];
  }
  for (int l = 0; l < s->n; l++) {
    int64_t *to = &grid[s->first[l]];
    for (int i = 0; i < n; i++)
      add_to(&to[offset[i]], q[i][l]);
  }
}

/* Particles of any weight. */
static WN_HD void add_wide(const struct wn_grid_view *restrict g, int dim, int order,
                           const struct lanes *restrict s, int64_t *restrict grid)
{
  int32_t offset[WN_MAX_REACH];
  const int n = reach(dim, order);
  for (int i = 0; i < n; i++)
    offset[i] = wn_grid_offset(g, dim, order, i);
  for (int l = 0; l < s->n; l++) {
    const uint32_t part[3] = {s->part[0][l], s->part[1][l], s->part[2][l]};
    uint64_t q[WN_MAX_REACH];
    int64_t *to = &grid[s->first[l]];
    wn_grid_divide(dim, order, part, s->quanta[l], 1, q);
    for (int i = 0; i < n; i++)
      add_to(&to[offset[i]], q[i]);
  }
}

#define ORDERS(X) X(1, 0) X(1, 1) X(1, 2) X(2, 0) X(2, 1) X(2, 2) X(3, 0) X(3, 1) X(3, 2)

#define ADD(dim, order)                                                                  \
  WN_CLONES static void add_##dim##_##order(const struct wn_grid_view *restrict g,       \
                                            const struct lanes *restrict s,              \
                                            int64_t *restrict grid)                      \
  {                                                                                      \
    add(g, dim, order, s, grid);                                                         \
  }                                                                                      \
  WN_CLONES static void add_wide_##dim##_##order(const struct wn_grid_view *restrict g,  \
                                                 const struct lanes *restrict s,         \
                                                 int64_t *restrict grid)                 \
  {                                                                                      \
    add_wide(g, dim, order, s, grid);                                                    \
  }
ORDERS(ADD)

typedef void add_function(const struct wn_grid_view *g, const struct lanes *s,
                          int64_t *grid);

static add_function *adds(const struct wn_grid_view *g, int wide)
{
#define ADD_OF(dim, order)                                                               \
  [dim - 1][order] = {add_##dim##_##order, add_wide_##dim##_##order},
  static add_function *const list[3][WN_N_SHAPES][2] = {ORDERS(ADD_OF)};
  return list[g->dim - 1][g->shape][wide];
}

/* ---- particles into lanes; those outside are counted */

static void count_outside(int side, uint64_t quanta, struct wn_deposited *sum)
{
  sum->n_outside[side]++;
  sum->quanta_outside[side] += (wn_i128)quanta;
}

/* Move the lanes of s->point to the places of the deposit. */
static WN_HD void place(const struct wn_points *restrict m, int dim, int n_v,
                        int relativistic, int order, int n, struct lanes *restrict s)
{
  struct wn_point_lanes *p = &s->point;
  wn_point_lanes_drift(m, dim, n_v, relativistic, p);
  s->n = n;
  for (int l = 0; l < n; l++) {
    int32_t x[3], cell[3];
    uint32_t part[3];
    for (int d = 0; d < dim; d++)
      x[d] = p->fate[l] == WN_POINT_LIVES ? p->x[d][l] : 0;
    wn_point_place(m, dim, x, cell, part);
    s->first[l] = wn_grid_first(&m->grid, dim, order, cell, part);
    for (int d = 0; d < dim; d++)
      s->part[d][l] = part[d];
  }
}

static WN_HD void take(const struct wn_points *restrict m, int dim, int n_v,
                       int relativistic, int order, const void *restrict r, int n,
                       struct lanes *restrict s)
{
  wn_point_lanes_load(dim, n_v, r, n, &s->point);
  place(m, dim, n_v, relativistic, order, n, s);
}

/* The same for electrons. */
static WN_HD void take_electrons(const struct wn_points *restrict m, int dim,
                                 int relativistic, const struct wn_electron *restrict e,
                                 int n, struct lanes *restrict s)
{
  struct wn_point_lanes *p = &s->point;
  p->n = n;
  p->n_gone = 0;
  for (int l = 0; l < n; l++) {
    for (int d = 0; d < dim; d++)
      p->x[d][l] = e[l].at[d];
    for (int d = 0; d < 3; d++)
      p->u[d][l] = e[l].u[d];
    p->w[l] = e[l].w;
    p->fate[l] = WN_POINT_LIVES;
    if (e[l].t_left < 0.0f) {
      wn_point_lanes_remove(dim, 3, l, p);
      p->n_gone++;
    }
  }
  place(m, dim, 3, relativistic, m->grid.shape, n, s);
}

/* The drift is compiled for each kind, but not for each shape: that costs three
 * comparisons. */
#define TAKE(kind, dim, n_v)                                                             \
  WN_CLONES static void take_##kind(const struct wn_points *restrict m,                  \
                                    const void *restrict r, int n,                       \
                                    struct lanes *restrict s)                            \
  {                                                                                      \
    take(m, dim, n_v, 0, m->grid.shape, r, n, s);                                        \
  }                                                                                      \
  WN_CLONES static void take_fast_##kind(const struct wn_points *restrict m,             \
                                         const void *restrict r, int n,                  \
                                         struct lanes *restrict s)                       \
  {                                                                                      \
    take(m, dim, n_v, 1, m->grid.shape, r, n, s);                                        \
  }
WN_POINT_KINDS(TAKE)

#define TAKE_ELECTRONS(dim)                                                              \
  WN_CLONES static void take_electrons_##dim(const struct wn_points *restrict m,         \
                                             const void *restrict e, int n,              \
                                             struct lanes *restrict s)                   \
  {                                                                                      \
    take_electrons(m, dim, 0, e, n, s);                                                  \
  }                                                                                      \
  WN_CLONES static void take_fast_electrons_##dim(const struct wn_points *restrict m,    \
                                                  const void *restrict e, int n,         \
                                                  struct lanes *restrict s)              \
  {                                                                                      \
    take_electrons(m, dim, 1, e, n, s);                                                  \
  }
TAKE_ELECTRONS(1)
TAKE_ELECTRONS(2)
TAKE_ELECTRONS(3)

typedef void take_function(const struct wn_points *m, const void *r, int n,
                           struct lanes *s);

static take_function *takes(const struct wn_points *m)
{
#define TAKE_OF(kind, dim, n_v) {take_##kind, take_fast_##kind},
  static take_function *const list[][2] = {WN_POINT_KINDS(TAKE_OF)};
  return list[m->kind][m->relativistic != 0];
}

static take_function *takes_electrons(const struct wn_points *m)
{
  static take_function *const list[3][2] = {{take_electrons_1, take_fast_electrons_1},
                                            {take_electrons_2, take_fast_electrons_2},
                                            {take_electrons_3, take_fast_electrons_3}};
  return list[m->grid.dim - 1][m->relativistic != 0];
}

/* Whether all have weight 1 and are on the grid, as in most blocks of electrons. */
WN_CLONES static int all_weigh_one(const struct wn_point_lanes *restrict p, int n)
{
  int others = p->n_gone;
  for (int l = 0; l < n; l++)
    others |= p->w[l] != 1.0f;
  return others == 0;
}

/* The charge of the lanes, 0 for those that are not on the grid.  Returns the number of
 * weights that are no number of quanta. */
static uint64_t weigh(struct lanes *s, int weighs, struct wn_deposited *sum)
{
  const struct wn_point_lanes *p = &s->point;
  uint64_t misfits = 0;
  if (!weighs && p->n_gone == 0) {
    for (int l = 0; l < s->n; l++)
      s->quanta[l] = WN_QUANTA;
    sum->n += (uint64_t)s->n;
    sum->quanta += (wn_i128)s->n * WN_QUANTA;
    return 0;
  }
  for (int l = 0; l < s->n; l++) {
    const int64_t q = wn_quanta(p->w[l]);
    s->quanta[l] = 0;
    if (p->fate[l] == WN_POINT_GONE) {
      continue;
    } else if (q == WN_QUANTA_MISFIT) {
      misfits++;
    } else if (p->fate[l] >= 0) {
      count_outside(p->fate[l], (uint64_t)q, sum);
    } else {
      s->quanta[l] = (uint64_t)q;
      sum->n++;
      sum->quanta += q;
    }
  }
  return misfits;
}

/* ---- all particles */

struct job {
  const struct wn_points *m;
  const struct wn_particles *p;
  add_function *add, *add_ones; /* for any weight; for weight 1 throughout */
  take_function *take;
  int weighs;
};

/* Deposit particles [begin, end) on `grid`. */
static uint64_t part_of(const struct job *j, size_t begin, size_t end, int64_t *grid,
                        struct wn_deposited *sum)
{
  uint64_t misfits = 0;
  struct lanes s;
  for (size_t i = begin; i < end; i += WN_POINT_LANES) {
    const int n = end - i < WN_POINT_LANES ? (int)(end - i) : WN_POINT_LANES;
    const void *r = wn_particles_at(j->p, i);
    j->take(j->m, r, n, &s);
    wn_point_lanes_prefetch(r, j->p->record.bytes, end - i);
    const int ones = j->weighs && all_weigh_one(&s.point, s.n);
    misfits += weigh(&s, j->weighs && !ones, sum);
    (ones ? j->add_ones : j->add)(&j->m->grid, &s, grid);
  }
  return misfits;
}

static void add_sum(struct wn_deposited *to, const struct wn_deposited *from)
{
  to->n += from->n;
  to->quanta += from->quanta;
  for (int i = 0; i < 6; i++) {
    to->n_outside[i] += from->n_outside[i];
    to->quanta_outside[i] += from->quanta_outside[i];
  }
}

#ifdef _OPENMP
/* add_wide() where other threads add to this grid at the same time. */
static void add_shared(const struct wn_grid_view *g, const struct lanes *s, int64_t *grid)
{
  const int n = reach(g->dim, g->shape);
  for (int l = 0; l < s->n; l++) {
    const uint32_t part[3] = {s->part[0][l], s->part[1][l], s->part[2][l]};
    uint64_t q[WN_MAX_REACH];
    int64_t *to = &grid[s->first[l]];
    wn_grid_divide(g->dim, g->shape, part, s->quanta[l], 1, q);
    for (int i = 0; i < n; i++)
      __atomic_fetch_add(&to[wn_grid_offset(g, g->dim, g->shape, i)], (int64_t)q[i],
                         __ATOMIC_RELAXED);
  }
}

/* By every thread of a team: add a part of the grids of all to that of the first, and clear it. */
static void collect(const struct wn_deposit *d, int me, int team, int64_t *grid)
{
  for (int r = 0; r < d->n_ranges; r++) {
    const size_t first = d->range[r][0], n = d->range[r][1] - first,
                 end = first + wn_thread_part(n, me + 1, team);
    for (int k = 1; k < team; k++) {
      int64_t *own = &d->own[(size_t)(k - 1) * d->nodes];
      for (size_t i = first + wn_thread_part(n, me, team); d->added[k] && i < end; i++) {
        add_to(&grid[i], (uint64_t)own[i]);
        own[i] = 0;
      }
    }
  }
}

static size_t chunk_of(size_t n, int threads)
{
  const size_t part = n / (size_t)(PARTS * threads) / WN_POINT_LANES * WN_POINT_LANES;
  return part < CHUNK_LEAST ? CHUNK_LEAST : part < CHUNK ? part : CHUNK;
}

/* Nodes of all threads' grids for a particle, from which on threads add to one grid. */
#define SHARED 16

/* Nodes of the grids of threads, of those that collect() goes through. */
static size_t nodes_within(const struct wn_deposit *d)
{
  size_t n = 0;
  for (int r = 0; r < d->n_ranges; r++)
    n += d->range[r][1] - d->range[r][0];
  return n * (size_t)(d->threads - 1);
}

/* Those of all threads, or of one where there are few: where teams differ in size, libgomp ends
 * threads and starts others. */
static uint64_t deposit_by_all(const struct wn_deposit *d, const struct job *of,
                               int64_t *grid, struct wn_deposited *sum)
{
  const struct job shared = {.m = of->m,
                             .p = of->p,
                             .add = add_shared,
                             .add_ones = add_shared,
                             .take = of->take,
                             .weighs = of->weighs};
  /* an atomic addition costs as much as several nodes of a grid of a thread, which are read and cleared */
  const int is_shared = nodes_within(d) > SHARED * of->p->n;
  const struct job *j = is_shared ? &shared : of;
  const size_t n = j->p->n, chunk = chunk_of(n, d->threads),
               chunks = (n + chunk - 1) / chunk;
  uint64_t misfits = 0;
#pragma omp parallel num_threads(d->threads) reduction(+ : misfits)
  {
    const int me = omp_get_thread_num();
    int64_t *to = me == 0 || is_shared ? grid : &d->own[(size_t)(me - 1) * d->nodes];
    struct wn_deposited mine = {0};
    d->added[me] = 0;
#pragma omp for schedule(dynamic, 1)
    for (size_t c = 0; c < chunks; c++) {
      misfits +=
          part_of(j, c * chunk, n - c * chunk < chunk ? n : (c + 1) * chunk, to, &mine);
      d->added[me] = 1;
    }
#pragma omp critical
    add_sum(sum, &mine);
    if (!is_shared)
      collect(d, me, omp_get_num_threads(), grid);
  }
  return misfits;
}
#endif

static uint64_t deposit(const struct wn_deposit *d, const struct job *j, int64_t *grid,
                        struct wn_deposited *sum)
{
#ifdef _OPENMP
  if (d->threads > 1 && j->p->n > 2 * CHUNK_LEAST)
    return deposit_by_all(d, j, grid, sum);
#else
  (void)d, (void)add_sum;
#endif
  return part_of(j, 0, j->p->n, grid, sum);
}

static int deposit_checked(struct wn_deposit *d, const struct job *j, int64_t *grid,
                           struct wn_deposited *sum)
{
  struct wn_deposited done = {0};
  if (j->p->place == WN_PARTICLES_REMOTE)
    return WN_FAIL(WN_EINTERN, "the particles are not on the host");
  WN_ASSERT(d->nodes == (size_t)wn_grid_nodes(&j->m->grid));
  const uint64_t misfits = deposit(d, j, grid, &done);
  if (misfits > 0)
    return WN_FAIL(
        WN_ERUN,
        "the weights of %llu particles are below 0, not a number, or too large "
        "for the charge on a grid, which counts to 2^62 parts of 2^-20",
        (unsigned long long)misfits);
  /* no node has more than the sum of all */
  if (done.quanta >= (wn_i128)1 << 62)
    return WN_FAIL(
        WN_ERUN,
        "%.6g particles are too many for the charge on a grid, which counts to "
        "2^62 parts of 2^-20; take larger units of weight",
        (double)done.quanta / WN_QUANTA);
  *sum = done;
  return WN_OK;
}

int wn_deposit_points(struct wn_deposit *d, const struct wn_points *m,
                      const struct wn_particles *p, int64_t *grid,
                      struct wn_deposited *sum)
{
  const int weighs = wn_point_weighs(wn_point_dim(m->kind), wn_point_velocities(m->kind));
  const struct job j = {.m = m,
                        .p = p,
                        .add = adds(&m->grid, weighs),
                        .add_ones = adds(&m->grid, 0),
                        .take = takes(m),
                        .weighs = weighs};
  WN_ASSERT(p->record.bytes == wn_particles_points(m->kind).bytes);
  WN_ASSERT(m->grid.dim == wn_point_dim(m->kind));
  return deposit_checked(d, &j, grid, sum);
}

int wn_deposit_electrons(struct wn_deposit *d, const struct wn_points *m,
                         const struct wn_particles *p, int64_t *grid,
                         struct wn_deposited *sum)
{
  const struct job j = {.m = m,
                        .p = p,
                        .add = adds(&m->grid, 1),
                        .add_ones = adds(&m->grid, 0),
                        .take = takes_electrons(m),
                        .weighs = 1};
  WN_ASSERT(p->record.bytes == sizeof(struct wn_electron));
  WN_ASSERT(m->grid.dim == wn_point_dim(m->kind));
  return deposit_checked(d, &j, grid, sum);
}

/* ---- fold */

static void move(int64_t *row, int64_t step, int64_t from, int64_t to)
{
  row[to * step] += row[from * step];
  row[from * step] = 0;
}

/* A row along an axis; row: its node 0. */
static void fold_row(const struct wn_grid_view *g, int d, unsigned mirrors, int64_t *row)
{
  const int64_t step = g->step[d], n = g->cells[d];
  if (g->side[2 * d] == WN_SIDE_PERIODIC) {
    move(row, step, -1, n - 1);
    move(row, step, n + 1, 1);
    move(row, step, n, 0); /* last: with one cell, node 1 received charge before */
    return;
  }
  for (int high = 0; high < 2; high++) {
    const int side = 2 * d + high;
    const int is_mirror =
        g->side[side] == WN_SIDE_REFLECT || (mirrors & (1u << side)) != 0;
    move(row, step, high ? n + 1 : -1,
         high ? (is_mirror ? n - 1 : n) : (is_mirror ? 1 : 0));
  }
}

void wn_deposit_fold(const struct wn_grid_view *g, unsigned mirrors, int64_t *grid)
{
  for (int d = 0; d < g->dim; d++) {
    /* every row along d, including guards of the other axes, which are folded in turn */
    const int a = d == 0 ? 1 : 0, b = d == 2 ? 1 : 2;
    const int lo_a = a < g->dim ? -1 : 0, hi_a = a < g->dim ? g->cells[a] + 1 : 0;
    const int lo_b = b < g->dim ? -1 : 0, hi_b = b < g->dim ? g->cells[b] + 1 : 0;
    for (int j = lo_b; j <= hi_b; j++)
      for (int i = lo_a; i <= hi_a; i++)
        fold_row(g, d, mirrors,
                 &grid[g->first + (int64_t)i * (a < g->dim ? g->step[a] : 0) +
                       (int64_t)j * (b < g->dim ? g->step[b] : 0)]);
  }
}

int wn_deposit_compare(size_t species, wn_i128 on_grid, const struct wn_deposited *sum)
{
  if (on_grid == sum->quanta)
    return WN_OK;
  return WN_FAIL(
      WN_ERUN,
      "the charge of species %zu (from 0) on the grid is that of %.9g particles, but "
      "%" PRIu64 " particles have that of %.9g: this is a bug, or memory has failed",
      species, (double)on_grid / (double)WN_QUANTA, sum->n,
      (double)sum->quanta / (double)WN_QUANTA);
}
