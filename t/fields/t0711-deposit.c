/* t0711-deposit.c - defends: the charge on the grid, and of those that are outside, is the
 * charge of the particles to the last quantum, for every record, dimension, shape and kind
 * of side, with the same bits for every order of the particles and number of threads, also where these add to one grid; it is
 * where the particles will be in the middle of the step; and the fold loses nothing and
 * makes mirrors of mirrors.  The places are compared with double precision. */
#include "fields/deposit.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "physics/push.h"
#include "t/tap/capture.h"
#include "t/tap/grid.h"
#include "t/tap/tap.h"

#define N_PARTICLES 20011
#define ELECTRONS   WN_N_POINTS /* a kind more */

static const struct {
  const char *name;
  int low, high;
} walls[] = {{"periodic", WN_SIDE_PERIODIC, WN_SIDE_PERIODIC},
             {"absorbing", WN_SIDE_ABSORB, WN_SIDE_ABSORB},
             {"mirrors", WN_SIDE_REFLECT, WN_SIDE_REFLECT},
             {"a mirror and an open side", WN_SIDE_REFLECT, WN_SIDE_OPEN}};

static const char *const kind_name[] = {"1d3v", "2d2v", "2d3v", "3d3v", "electrons"};
static const char *const shape_name[] = {"ngp", "cic", "tsc"};
static const int32_t cells[3] = {12, 9, 7};
/* So many nodes for a few particles that threads add to one grid. */
static const int32_t many_cells[3][3] = {{15000, 1, 1}, {120, 130, 1}, {24, 25, 26}};
#define FEW 1301

/* One set of particles and what is to be done with it. */
struct set {
  struct wn_grid_view g;
  struct wn_points m; /* of electrons: the points of their dimension */
  struct wn_particles p;
  int kind;
};

/* In half a step the fastest cross some cells. */
#define SPEED 1e6

static void electrons_draw(struct set *s)
{
  const struct wn_record record = {sizeof(struct wn_electron),
                                   offsetof(struct wn_electron, t_left), 0};
  WN_ASSERT(wn_particles_init(&s->p, &record, N_PARTICLES, N_PARTICLES) == WN_OK);
  for (int i = 0; i < N_PARTICLES; i++) {
    struct wn_electron e = {.w = (float)between(0.125, 1e7), .id = (uint64_t)i};
    for (int d = 0; d < 3; d++) {
      if (d < s->g.dim)
        e.at[d] = (int32_t)(uniform() * (double)s->m.end[d]);
      e.u[d] = (float)(SPEED * draw_gauss());
    }
    WN_ASSERT(wn_particles_append(&s->p, &e, 1) == WN_OK);
  }
}

static struct set make_in(int kind, int dim, int shape, size_t wall, const int32_t of[3])
{
  static const int three[] = {WN_POINT_1D3V, WN_POINT_2D3V, WN_POINT_3D3V};
  struct set s = {.g = grid_make(dim, shape, WN_GATHER_MOMENTUM, of, walls[wall].low,
                                 walls[wall].high, 1e-3),
                  .kind = kind};
  s.m = (struct wn_points){.grid = s.g,
                           .kind = kind < WN_N_POINTS ? kind : three[dim - 1],
                           .relativistic = shape == WN_SHAPE_CIC,
                           .charge = -1.602e-19,
                           .mass = 9.11e-31,
                           .dt = 2e-9};
  wn_points_prepare(&s.m);
  if (kind == ELECTRONS)
    electrons_draw(&s);
  else
    WN_ASSERT(points_draw(&s.p, &s.g, kind, N_PARTICLES, SPEED) == WN_OK);
  for (size_t i = 0; i < s.p.n; i += 97) { /* the dead have no charge */
    if (kind == ELECTRONS)
      *wn_particles_t_left(&s.p, i) = WN_DEAD;
    else
      ((union wn_word *)wn_particles_at(&s.p, i))->i = WN_POINT_DEAD;
  }
  return s;
}

static struct set make(int kind, int dim, int shape, size_t wall)
{
  return make_in(kind, dim, shape, wall, cells);
}

static int deposit(const struct set *s, int threads, int64_t *grid,
                   struct wn_deposited *sum)
{
  struct wn_deposit *d;
  int status = wn_deposit_create(&s->g, threads, &d);
  if (status != WN_OK)
    return status;
  memset(grid, 0, (size_t)wn_grid_nodes(&s->g) * sizeof *grid);
  status = s->kind == ELECTRONS ? wn_deposit_electrons(d, &s->m, &s->p, grid, sum)
                                : wn_deposit_points(d, &s->m, &s->p, grid, sum);
  wn_deposit_free(d);
  return status;
}

static wn_i128 total(const struct wn_grid_view *g, const int64_t *grid)
{
  wn_i128 sum = 0;
  for (int64_t i = 0; i < wn_grid_nodes(g); i++)
    sum += grid[i];
  return sum;
}

/* The particle's middle in units of cells, in double precision; 0: it is outside or dead. */
static int middle(const struct set *s, size_t i, double x[3], double *w)
{
  const int dim = s->g.dim, n_v = s->kind == ELECTRONS ? 3 : wn_point_velocities(s->kind);
  double u[3] = {0.0, 0.0, 0.0};
  if (wn_particles_is_dead(&s->p, i))
    return 0;
  if (s->kind == ELECTRONS) {
    const struct wn_electron *e = &wn_particles_electrons(&s->p)[i];
    for (int d = 0; d < 3; d++)
      x[d] = ldexp((double)e->at[d], -s->g.bits[d]), u[d] = (double)e->u[d];
    *w = (double)e->w;
  } else {
    const union wn_word *r = wn_particles_at(&s->p, i);
    for (int d = 0; d < dim; d++)
      x[d] = ldexp((double)r[d].i, -s->g.bits[d]);
    for (int d = 0; d < n_v; d++)
      u[d] = (double)r[dim + d].f;
    *w = wn_point_weighs(dim, n_v) ? (double)r[dim + n_v].f : 1.0;
  }
  const double gamma = s->m.relativistic ? wn_gamma(u) : 1.0;
  for (int d = 0; d < dim; d++) {
    const double n = s->g.cells[d];
    x[d] += 0.5 * s->m.dt * u[d] / gamma / s->g.h[d];
    if (s->g.side[2 * d] == WN_SIDE_PERIODIC)
      x[d] -= n * floor(x[d] / n);
    else if (x[d] < 0.0 && s->g.side[2 * d] == WN_SIDE_REFLECT)
      x[d] = -x[d];
    else if (x[d] > n && s->g.side[2 * d + 1] == WN_SIDE_REFLECT)
      x[d] = 2.0 * n - x[d];
    if (x[d] < 0.0 || x[d] > n)
      return 0;
  }
  return 1;
}

static double spline(int order, double r)
{
  r = fabs(r);
  if (order == 0)
    return r < 0.5 ? 1.0 : 0.0;
  if (order == 1)
    return fmax(0.0, 1.0 - r);
  return r < 0.5 ? 0.75 - r * r : r < 1.5 ? 0.5 * (1.5 - r) * (1.5 - r) : 0.0;
}

/* The largest difference of a node from double precision, in particles of mean weight. */
static double off(const struct set *s, const int64_t *grid, size_t *n_on)
{
  const size_t nodes = (size_t)wn_grid_nodes(&s->g);
  double *want = calloc(nodes, sizeof *want), worst = 0.0, all = 0.0;
  *n_on = 0;
  for (size_t i = 0; i < s->p.n && want != NULL; i++) {
    double x[3], w;
    if (!middle(s, i, x, &w))
      continue;
    ++*n_on;
    all += w;
    /* the nodes of the cell and those beside it */
    for (int k = 0; k < 1 << (2 * s->g.dim); k++) {
      double part = w;
      int64_t at = s->g.first;
      for (int d = 0; d < s->g.dim; d++) {
        const int node = (int)x[d] - 1 + (k >> (2 * d) & 3);
        const int is_there = node >= -1 && node <= cells[d] + 1;
        part *= is_there ? spline(s->g.shape, x[d] - node) : 0.0;
        at += is_there ? (int64_t)node * s->g.step[d] : 0;
      }
      want[at] += part;
    }
  }
  for (size_t k = 0; k < nodes && want != NULL; k++)
    worst = fmax(worst, fabs((double)grid[k] / WN_QUANTA - want[k]));
  free(want);
  return worst / (all / (double)*n_on);
}

static void shuffle(struct wn_particles *p)
{
  unsigned char keep[64];
  for (size_t i = p->n; i-- > 1;) {
    const size_t k = (size_t)(word64() % (i + 1));
    memcpy(keep, wn_particles_at(p, i), p->record.bytes);
    memmove(wn_particles_at(p, i), wn_particles_at(p, k), p->record.bytes);
    memcpy(wn_particles_at(p, k), keep, p->record.bytes);
  }
}

/* Quanta of the particles that live, and how many they are. */
static wn_i128 charge_of(const struct set *s, size_t *n)
{
  wn_i128 sum = 0;
  *n = 0;
  for (size_t i = 0; i < s->p.n; i++) {
    const union wn_word *r = wn_particles_at(&s->p, i);
    float w = 1.0f;
    if (wn_particles_is_dead(&s->p, i))
      continue;
    if (s->kind == ELECTRONS)
      w = wn_particles_electrons(&s->p)[i].w;
    else if (s->kind == WN_POINT_2D3V || s->kind == WN_POINT_3D3V)
      w = r[s->kind == WN_POINT_2D3V ? 5 : 6].f;
    sum += llrint((double)w * WN_QUANTA);
    ++*n;
  }
  return sum;
}

/* Not as bytes: there are some between the members. */
static int sums_differ(const struct wn_deposited *a, const struct wn_deposited *b)
{
  int differ = a->n != b->n || a->quanta != b->quanta;
  for (int i = 0; i < 6; i++)
    differ |= a->n_outside[i] != b->n_outside[i] ||
              a->quanta_outside[i] != b->quanta_outside[i];
  return differ;
}

static void one(int kind, int dim, int shape, size_t wall)
{
  static const int threads[] = {2, 3, 5};
  struct set s = make(kind, dim, shape, wall);
  const size_t bytes = (size_t)wn_grid_nodes(&s.g) * sizeof(int64_t);
  int64_t *grid = malloc(bytes), *again = malloc(bytes);
  struct wn_deposited sum, other;
  char name[80];
  size_t n, n_on, n_outside = 0;
  wn_i128 outside = 0;
  snprintf(name, sizeof name, "%s, %d-D, %s, %s", kind_name[kind], dim, shape_name[shape],
           walls[wall].name);
  WN_ASSERT(grid != NULL && again != NULL);
  is_int(deposit(&s, 1, grid, &sum), WN_OK, "%s", name);
  for (int i = 0; i < 6; i++) {
    n_outside += sum.n_outside[i];
    outside += sum.quanta_outside[i];
  }
  const wn_i128 all = charge_of(&s, &n);
  ok(total(&s.g, grid) == sum.quanta && sum.quanta + outside == all &&
         sum.n + n_outside == n,
     "%s: every quantum of %zu particles, of which %zu are outside", name, n, n_outside);
  const int leave = walls[wall].low == WN_SIDE_ABSORB || walls[wall].high == WN_SIDE_OPEN;
  ok(leave == (n_outside > 0), "%s: some are outside only where they can be", name);
  const double worst = off(&s, grid, &n_on);
  /* A part of a cell is 2^-25 or less, and a way of up to 5 cells has 24 bits: 4e-7 of a
   * particle each at worst, for the 3300 particles that reach a node in 1-D.  With NGP
   * none of these is so near to the middle between nodes. */
  ok(n_on == sum.n && worst < 1.3e-3,
     "%s: they are where they will be; the worst node is off by %.1e particles", name,
     worst);
  for (size_t t = 0; t < sizeof threads / sizeof threads[0]; t++) {
    shuffle(&s.p);
    is_int(deposit(&s, threads[t], again, &other), WN_OK, "%s: %d threads", name,
           threads[t]);
    ok(memcmp(grid, again, bytes) == 0 && !sums_differ(&sum, &other),
       "%s: %d threads and another order give the same bits", name, threads[t]);
  }
  wn_deposit_fold(&s.g, 0, grid);
  int strays = 0;
  int32_t node[3];
  for (int64_t i = 0; grid_next(&s.g, i, node); i++) {
    int is_node = 1;
    for (int d = 0; d < dim; d++)
      is_node &=
          node[d] >= 0 && node[d] < cells[d] + (s.g.side[2 * d] != WN_SIDE_PERIODIC);
    strays += !is_node && grid[i] != 0;
  }
  ok(total(&s.g, grid) == sum.quanta, "%s: the fold loses nothing", name);
  is_int(strays, 0, "%s: and leaves nothing beyond the nodes", name);
  free(grid);
  free(again);
  wn_particles_clear(&s.p);
}

/* Few particles on a large grid: threads add to one grid. */
static void few(int kind, int dim, int shape)
{
  struct set s = make_in(kind, dim, shape, 1, many_cells[dim - 1]);
  const size_t bytes = (size_t)wn_grid_nodes(&s.g) * sizeof(int64_t);
  int64_t *grid = malloc(bytes), *again = malloc(bytes);
  struct wn_deposited sum, other;
  WN_ASSERT(grid != NULL && again != NULL);
  s.p.n = FEW;
  WN_ASSERT(deposit(&s, 1, grid, &sum) == WN_OK);
  for (int threads = 3; threads <= 5; threads += 2) {
    shuffle(&s.p);
    ok(deposit(&s, threads, again, &other) == WN_OK && memcmp(grid, again, bytes) == 0 &&
           !sums_differ(&sum, &other) && total(&s.g, grid) == sum.quanta,
       "%s, %d-D, %s, %d particles on %zu nodes: %d threads give the same bits",
       kind_name[kind], dim, shape_name[shape], FEW, bytes / sizeof *grid, threads);
  }
  free(grid);
  free(again);
  wn_particles_clear(&s.p);
}

/* A lattice of points at rest, 8 a cell along each axis, in mirrors: every node of the
 * inside has 8^dim particles, one on a wall half of them for each wall that it is on; and in a
 * periodic domain every node, but for the last, which is the first. */
enum { PERIODIC = 1 << 6 };
static void even(int dim, int shape, unsigned mirrors)
{
  const int around = mirrors == PERIODIC;
  struct set s = {.kind = dim == 1   ? WN_POINT_1D3V
                          : dim == 2 ? WN_POINT_2D2V
                                     : WN_POINT_3D3V};
  const int32_t small[3] = {5, 4, 3};
  const int side = around         ? WN_SIDE_PERIODIC
                   : mirrors != 0 ? WN_SIDE_ABSORB
                                  : WN_SIDE_REFLECT;
  s.g = grid_make(dim, shape, WN_GATHER_MOMENTUM, small, side, side, 1.0);
  s.m = (struct wn_points){
      .grid = s.g, .kind = s.kind, .charge = 1.0, .mass = 1.0, .dt = 1.0};
  wn_points_prepare(&s.m);
  const struct wn_record record = wn_particles_points(s.kind);
  size_t n = 1;
  for (int d = 0; d < dim; d++)
    n *= 8 * (size_t)small[d];
  WN_ASSERT(wn_particles_init(&s.p, &record, n, n) == WN_OK);
  for (size_t i = 0; i < n; i++) {
    union wn_word r[8] = {{0}};
    size_t rest = i;
    for (int d = 0; d < dim; d++) {
      const size_t at = rest % (8 * (size_t)small[d]);
      rest /= 8 * (size_t)small[d];
      r[d].i = (int32_t)((2 * at + 1) << (s.g.bits[d] - 4));
    }
    if (dim == 3)
      r[6].f = 1.0f;
    WN_ASSERT(wn_particles_append(&s.p, r, 1) == WN_OK);
  }
  int64_t *grid = malloc((size_t)wn_grid_nodes(&s.g) * sizeof *grid);
  struct wn_deposited sum;
  int32_t node[3];
  double worst = 0.0;
  WN_ASSERT(grid != NULL && deposit(&s, 1, grid, &sum) == WN_OK);
  wn_deposit_fold(&s.g, around ? 0 : mirrors, grid);
  for (int64_t i = 0; grid_next(&s.g, i, node); i++) {
    double want = WN_QUANTA;
    for (int d = 0; d < dim; d++)
      want *= node[d] < 0 || node[d] > small[d] - around         ? 0.0
              : !around && (node[d] == 0 || node[d] == small[d]) ? 4.0
                                                                 : 8.0;
    worst = fmax(worst, fabs((double)grid[i] - want));
  }
  /* weights are multiples of 2^-9 along each axis, so in 1-D and 2-D whole quanta; in 3-D a
   * quantum for each particle that reaches the node, of which there are 24 along an axis */
  ok(worst <= (dim < 3 ? 0.0 : pow(24.0, 3.0)),
     "%s, %d-D: an even lattice in %s is even; off by %g quanta", shape_name[shape], dim,
     around    ? "a periodic domain"
     : mirrors ? "mirrors of the field"
               : "mirrors",
     worst);
  free(grid);
  wn_particles_clear(&s.p);
}

static void misfits(void)
{
  static const float bad[] = {-1.0f, NAN, 0x1p42f, INFINITY};
  struct set s = make(WN_POINT_3D3V, 3, WN_SHAPE_TSC, 0);
  int64_t *grid = malloc((size_t)wn_grid_nodes(&s.g) * sizeof *grid);
  struct wn_deposited sum = {.n = 77};
  WN_ASSERT(grid != NULL);
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    union wn_word *r = wn_particles_at(&s.p, 5);
    r[6].f = bad[i];
    capture();
    const int status = deposit(&s, 2, grid, &sum);
    const char *text = captured();
    ok(status == WN_ERUN && strstr(text, "weights of 1 particles") && sum.n == 77,
       "a weight of %g is an error: %s", (double)bad[i], text);
  }
  for (size_t i = 0; i < s.p.n; i++)
    ((union wn_word *)wn_particles_at(&s.p, i))[6].f = 0x1p40f;
  capture();
  const int status = deposit(&s, 2, grid, &sum);
  const char *text = captured();
  ok(status == WN_ERUN && strstr(text, "too many"),
     "so is more charge than can be counted: %s", text);
  free(grid);
  wn_particles_clear(&s.p);
}

int main(void)
{
  plan(0);
  draw_state = 711;
  for (int kind = 0; kind <= ELECTRONS; kind++)
    for (int shape = 0; shape < WN_N_SHAPES; shape++)
      for (size_t wall = 0; wall < sizeof walls / sizeof walls[0]; wall++)
        if (kind != ELECTRONS)
          one(kind, wn_point_dim(kind), shape, wall);
        else
          for (int dim = 1; dim <= 3; dim++)
            one(kind, dim, shape, wall);
  for (int shape = 0; shape < WN_N_SHAPES; shape++)
    for (int kind = 0; kind <= ELECTRONS; kind++)
      for (int dim = 1; dim <= 3; dim++)
        if (kind == ELECTRONS || wn_point_dim(kind) == dim)
          few(kind, dim, shape);
  for (int dim = 1; dim <= 3; dim++)
    for (int shape = 0; shape < WN_N_SHAPES; shape++) {
      even(dim, shape, 0);
      even(dim, shape, 0x3f);
      even(dim, shape, PERIODIC);
    }
  misfits();
  return done();
}
