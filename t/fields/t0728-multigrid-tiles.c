/* t0728-multigrid-tiles.c - defends: a grid of multigrid as the product of its axes (fields/poisson/gpu_multigrid_tiles.h),
 * which kernels on a GPU take in the place of its conductances.
 *   - the table of interpolation is the transpose of wn_multigrid_restrict, to the rounding of floats: all grids of
 *     sides, odd numbers of cells, stretched axes, r-z, electrodes, permittivities, cut edges
 *   - at nodes that are not cut, conductances, diagonals and given potentials are products of the axes; so is interpolation to
 *     nodes that are not skipped; nodes of the next grid that take of others, and only these, have WN_MULTIGRID_LEAVES; the
 *     bricks of these bits are listed
 *   - without an electrode or a permittivity all grids are regular everywhere, down to the coarsest; an electrode makes
 *     irregular the bricks around it and no others, and a brick in which one edge has a factor is found
 * Reference: the conductances and the restriction of multigrid_levels.c and multigrid_cycle.c. */
#include <math.h>
#include <stdlib.h>
#include "fields/poisson/gpu_multigrid_tiles.h"
#include "t/tap/poisson_grids.h"
#include "t/tap/tap.h"

static struct wn_multigrid_lines lines[WN_MULTIGRID_LEVELS];

static size_t place(const struct wn_multigrid_level *l, const int32_t at[3])
{
  return wn_multigrid_row(l, at[1], at[2]) + (size_t)at[0];
}

static size_t brick_of(const struct wn_multigrid_level *l, const int32_t at[3])
{
  size_t to = 0;
  for (int d = 3; d-- > 0;)
    to =
        to * (size_t)wn_multigrid_bricks_along(l, d) + (size_t)at[d] / WN_MULTIGRID_BRICK;
  return to;
}

/* The greater of the two; NaN if one is. */
static double worse(double a, double b)
{
  return a >= b ? a : b;
}

/* How far the sums by the table are from the restriction, over the largest. */
static double of_table(struct wn_multigrid_level *l, struct wn_multigrid_level *next,
                       const float *table)
{
  const int most = l->dim == 3;
  float *r = malloc(l->size * sizeof *r);
  double worst = 0.0, largest = 0.0;
  for (size_t i = 0; i < l->size; i++)
    r[i] = l->inverse[i] > 0.0f ? (float)(uniform() - 0.5) : 0.0f;
  memcpy(l->r, r, l->size * sizeof *r);
  wn_multigrid_restrict(l, next);
  WN_MULTIGRID_ROWS(next)
  for (int32_t i = 0; i < next->axis[0].n; i++) {
    const int32_t of_next[3] = {i, j, k};
    const size_t to = place(next, of_next);
    double sum = 0.0;
    if (!(next->inverse[to] > 0.0f)) /* of given potential: nothing is made of it */
      continue;
    for (int number = 0; number < wn_multigrid_around(l->dim); number++) {
      const int by[3] = {number % 3 - 1, number / 3 % 3 - 1, most ? number / 9 - 1 : 0};
      int32_t at[3];
      for (int d = 0; d < 3; d++) {
        const struct wn_multigrid_axis *a = &l->axis[d];
        at[d] = (a->kept[of_next[d]] + by[d] + a->n) % a->n;
      }
      sum += (double)table[(size_t)number * next->size + to] * (double)r[place(l, at)];
    }
    worst = worse(fabs(sum - (double)next->b[to]), worst);
    largest = fmax(largest, fabs(sum));
  }
  free(r);
  return worst / largest;
}

/* How far regular nodes are from the product of the axes: conductances over the diagonal. */
static double of_nodes(const struct wn_multigrid_level *l,
                       const struct wn_multigrid_lines *x, const uint8_t *node)
{
  double worst = 0.0;
  WN_MULTIGRID_ROWS(l)
  for (int32_t i = 0; i < l->axis[0].n; i++) {
    const int32_t at[3] = {i, j, k};
    const size_t p = place(l, at);
    const struct wn_multigrid_node *n[3];
    double sum = 0.0, unknown = 1.0;
    if (node[p] & WN_MULTIGRID_CUT)
      continue;
    for (int d = 0; d < 3; d++) {
      n[d] = &x->node[d][at[d]];
      unknown *= (double)n[d]->unknown;
    }
    if ((unknown > 0.0) != (l->inverse[p] > 0.0f))
      return INFINITY;
    if (!(unknown > 0.0))
      continue;
    for (int d = 0; d < l->dim; d++) {
      const double face =
                       (double)n[(d + 1) % 3]->measure * (double)n[(d + 2) % 3]->measure,
                   low = face * (double)n[d]->below, high = face * (double)n[d]->above;
      sum += low + high;
      worst = worse(fabs(low - (double)l->c[d][p - l->step[d]]) * (double)l->inverse[p],
                    worst);
      worst = worse(fabs(high - (double)l->c[d][p]) * (double)l->inverse[p], worst);
    }
    worst = worse(fabs(sum * (double)l->inverse[p] - 1.0), worst);
  }
  return worst;
}

/* How far what regular nodes take of the next grid is from the product of the axes. */
static double of_interpolation(const struct wn_multigrid_level *l,
                               const struct wn_multigrid_level *next,
                               const struct wn_multigrid_lines *x, const float *table,
                               const uint8_t *node)
{
  double worst = 0.0;
  WN_MULTIGRID_ROWS(l)
  for (int32_t i = 0; i < l->axis[0].n; i++) {
    const int32_t at[3] = {i, j, k};
    if (node[place(l, at)] & WN_MULTIGRID_SKIPS)
      continue;
    for (int which = 0; which < 1 << l->dim; which++) {
      double want = 1.0;
      int32_t parent[3] = {0, 0, 0};
      int number = 0, third = 1;
      for (int d = 0; d < l->dim; d++) {
        const struct wn_multigrid_node *n = &x->node[d][at[d]];
        const int is_high = which >> d & 1;
        want *= (double)n->unknown * (double)(is_high ? n->from_high : n->from_low);
        parent[d] = (n->parent + is_high) % next->axis[d].n;
        number += third * (!l->axis[d].is_between[at[d]] ? 1 : is_high ? 0 : 2);
        third *= 3;
      }
      const size_t from = place(next, parent);
      if (want > 0.0 && next->inverse[from] > 0.0f)
        worst =
            worse(fabs(want - (double)table[(size_t)number * next->size + from]), worst);
    }
  }
  return worst;
}

/* The bits of all nodes of which a node of the next grid takes. */
static int bits_around(const struct wn_multigrid_level *l, const int32_t of_next[3],
                       const uint8_t *node)
{
  int32_t at[3];
  int bits = 0;
  for (int which = 0; which < (l->dim == 3 ? 27 : 9); which++) {
    const int by[3] = {which % 3 - 1, which / 3 % 3 - 1, which / 9 - (l->dim == 3)};
    for (int d = 0; d < 3; d++)
      at[d] = (l->axis[d].kept[of_next[d]] + by[d] + l->axis[d].n) % l->axis[d].n;
    bits |= node[place(l, at)];
  }
  return bits;
}

/* Bits of nodes that are wrong: a node that takes by the table is not skipped, or is given; an unknown node of the next grid
 * takes of a cut one and is not to be found by the table, or is, though all around are those of the axes; a brick does not
 * have its nodes' bits, or is not in the list. */
static size_t wrong_bits(const struct wn_multigrid_level *l,
                         const struct wn_multigrid_level *next, const uint8_t *brick,
                         const uint8_t *node)
{
  static const int bit[2] = {WN_MULTIGRID_ADDS, WN_MULTIGRID_LEAVES},
                   of_brick[2] = {WN_MULTIGRID_BRICK_ADDS, WN_MULTIGRID_BRICK_LEAVES};
  uint8_t *has = calloc(wn_multigrid_bricks(l), 1);
  int32_t *list = calloc(wn_multigrid_bricks(l), sizeof *list);
  size_t wrong = 0;
  for (int which = 0; which < 2; which++) {
    int32_t n = wn_multigrid_list_bricks(l, brick, of_brick[which], list);
    memset(has, 0, wn_multigrid_bricks(l));
    while (n-- > 0)
      has[list[n]] = 1;
    WN_MULTIGRID_ROWS(l)
    for (int32_t i = 0; i < l->axis[0].n; i++) {
      const int32_t at[3] = {i, j, k};
      const uint8_t bits = node[place(l, at)];
      wrong += (bits & bit[which]) != 0 && !has[brick_of(l, at)];
      wrong += (bits & WN_MULTIGRID_ADDS) != 0 && !(bits & WN_MULTIGRID_SKIPS);
      wrong += (bits & WN_MULTIGRID_ADDS) != 0 && !(l->inverse[place(l, at)] > 0.0f);
    }
  }
  WN_MULTIGRID_ROWS(next)
  for (int32_t i = 0; i < next->axis[0].n; i++) {
    const int32_t of_next[3] = {i, j, k};
    const int32_t at[3] = {l->axis[0].kept[i], l->axis[1].kept[j], l->axis[2].kept[k]};
    const int around = bits_around(l, of_next, node),
              leaves = (node[place(l, at)] & WN_MULTIGRID_LEAVES) != 0;
    if (next->inverse[place(next, of_next)] > 0.0f)
      wrong += leaves ? !(around & (WN_MULTIGRID_CUT | WN_MULTIGRID_ADDS))
                      : (around & WN_MULTIGRID_CUT) != 0;
  }
  free(has);
  free(list);
  return wrong;
}

struct found {
  double table, nodes, interpolation;
  size_t wrong;                      /* bits of nodes */
  size_t bricks, irregular, factors; /* of the finest grid */
  size_t of_all;                     /* irregular bricks of all grids */
};

/* Bits of the finest grid. */
static uint8_t finest[MAX_N / 64];

static struct found look(const struct wn_poisson_spec *spec)
{
  struct wn_poisson *p = NULL;
  struct found f = {0};
  memset(lines, 0, sizeof lines);
  if (wn_poisson_multigrid.create(spec, &p) != WN_OK)
    exit(1);
  struct wn_multigrid_solver *m = (struct wn_multigrid_solver *)(void *)p;
  if (wn_multigrid_lines_create(m, lines) != WN_OK)
    exit(1);
  for (int i = 0; i + 1 < m->levels.n; i++) {
    struct wn_multigrid_level *l = &m->levels.level[i];
    float *table = calloc((size_t)wn_multigrid_around(l->dim) * l[1].size, sizeof *table);
    uint8_t *brick = calloc(wn_multigrid_bricks(l), 1), *node = calloc(l->size, 1);
    wn_multigrid_table(l, l + 1, l[1].size, table);
    wn_multigrid_find_irregular(l, l + 1, &lines[i], table, l[1].size, brick, node);
    if (i == 0) {
      wn_multigrid_find_factors(m, brick);
      f.bricks = wn_multigrid_bricks(l);
      memcpy(finest, brick, f.bricks);
      for (size_t b = 0; b < f.bricks; b++) {
        f.irregular += (brick[b] & WN_MULTIGRID_IRREGULAR) != 0;
        f.factors += (brick[b] & WN_MULTIGRID_FACTOR) != 0;
      }
    }
    for (size_t b = 0; b < wn_multigrid_bricks(l); b++)
      f.of_all += (brick[b] & WN_MULTIGRID_IRREGULAR) != 0;
    f.table = worse(of_table(l, l + 1, table), f.table);
    f.nodes = worse(of_nodes(l, &lines[i], node), f.nodes);
    f.interpolation =
        worse(of_interpolation(l, l + 1, &lines[i], table, node), f.interpolation);
    f.wrong += wrong_bits(l, l + 1, brick, node);
    free(table);
    free(brick);
    free(node);
  }
  wn_multigrid_lines_free(lines);
  wn_poisson_free(p);
  return f;
}

static void grids(void)
{
  static const struct grid list[] = {
      {.name = "walls", .dim = 2, .cells = {64, 64}, .sides = {1, 1}},
      {.name = "walls", .dim = 3, .cells = {24, 24, 24}, .sides = {1, 1, 1}},
      {.name = "odd, walls and mirrors",
       .dim = 3,
       .cells = {33, 27, 20},
       .sides = {1, 2, 4}},
      {.name = "periodic", .dim = 3, .cells = {24, 32, 20}, .sides = {0, 0, 0}},
      {.name = "odd, periodic", .dim = 2, .cells = {51, 37}, .sides = {0, 0}},
      {.name = "cells 1 : 4 : 16",
       .dim = 3,
       .cells = {20, 20, 20},
       .sides = {1, 2, 1},
       .ratio = {1, 4, 16}},
      {.name = "r-z", .dim = 2, .cells = {64, 128}, .sides = {3, 0}, .is_rz = 1},
      {.name = "a stretched grid",
       .dim = 3,
       .cells = {20, 21, 22},
       .sides = {1, 3, 2},
       .spacing = GROWING},
      {.name = "r-z, stretched, a needle",
       .dim = 2,
       .cells = {50, 70},
       .sides = {3, 1},
       .spacing = GROWING,
       .inside = NEEDLE,
       .is_rz = 1},
      {.name = "cells at random",
       .dim = 2,
       .cells = {48, 49},
       .sides = {1, 4},
       .spacing = DRAWN},
      {.name = "a sphere",
       .dim = 3,
       .cells = {32, 32, 32},
       .sides = {1, 1, 1},
       .inside = BALL},
      {.name = "nodes at random",
       .dim = 2,
       .cells = {48, 48},
       .sides = {1, 0},
       .inside = NODES},
      {.name = "permittivity 100",
       .dim = 3,
       .cells = {24, 20, 24},
       .sides = {0, 1, 0},
       .inside = EPS_100},
      {.name = "edges are cut",
       .dim = 3,
       .cells = {15, 16, 17},
       .sides = {0, 1, 0},
       .inside = CUTS},
  };
  static struct domain d;
  for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
    make(&d, &list[i]);
    const struct found f = look(&d.spec);
    ok(f.table < 2e-6, "%d-D, %s: the table restricts as multigrid does (%.2g)",
       list[i].dim, list[i].name, f.table);
    ok(f.nodes < 2.0 * WN_MULTIGRID_EQUAL && f.interpolation < 2.0 * WN_MULTIGRID_EQUAL,
       "%d-D, %s: nodes are products of the axes (%.2g, %.2g), but some in %zu of %zu "
       "bricks",
       list[i].dim, list[i].name, f.nodes, f.interpolation, f.irregular, f.bricks);
    ok(f.wrong == 0, "%d-D, %s: bits of nodes and their bricks (%zu wrong)", list[i].dim,
       list[i].name, f.wrong);
    if (list[i].inside == NOTHING)
      ok(f.of_all == 0, "%d-D, %s: all bricks of all grids are (%zu)", list[i].dim,
         list[i].name, f.of_all);
    clear(&d);
  }
}

/* Those that have a node of the electrode, and none whose nodes are all more than two from it. */
static void near_an_electrode(void)
{
  enum { N = 65, BRICKS = (N - 1) / WN_MULTIGRID_BRICK + 1 };
  static uint8_t has[BRICKS * BRICKS * BRICKS], is_near[BRICKS * BRICKS * BRICKS];
  const struct grid g = {
      .dim = 3, .cells = {N - 1, N - 1, N - 1}, .sides = {1, 1, 1}, .inside = BALL};
  static struct domain d;
  size_t missing = 0, wrong = 0;
  make(&d, &g);
  const struct found f = look(&d.spec);
  for (int32_t i = 0; i < N * N * N; i++)
    for (int number = 0; number < 27 && held[i] >= 0; number++) {
      const int32_t at[3] = {i % N + 2 * (number % 3 - 1),
                             i / N % N + 2 * (number / 3 % 3 - 1),
                             i / N / N + 2 * (number / 9 - 1)};
      const int32_t brick =
          at[0] / WN_MULTIGRID_BRICK +
          BRICKS * (at[1] / WN_MULTIGRID_BRICK + BRICKS * (at[2] / WN_MULTIGRID_BRICK));
      is_near[brick] = 1;
      has[brick] |= number == 13;
    }
  for (int b = 0; b < BRICKS * BRICKS * BRICKS; b++) {
    missing += has[b] && !(finest[b] & WN_MULTIGRID_IRREGULAR);
    wrong += !is_near[b] && (finest[b] & WN_MULTIGRID_IRREGULAR);
  }
  ok(f.irregular > 0 && missing == 0 && wrong == 0,
     "a ball makes %zu of %zu bricks irregular: all with its nodes, none far from them",
     f.irregular, f.bricks);
  clear(&d);
}

static void one_factor(void)
{
  const struct grid g = {.dim = 2, .cells = {40, 40}, .sides = {1, 1}};
  static struct domain d;
  make(&d, &g); /* its factors are 1 */
  for (int k = 0; k < 2; k++)
    d.spec.edge[k] = edge[k];
  struct found f = look(&d.spec);
  is_int((long)f.factors, 0, "factors of 1 are none");
  edge[0][7 + 41 * 20] = 1.0 + 1e-9; /* from node 7 to 8, in two bricks */
  f = look(&d.spec);
  ok(f.factors == 2 && f.irregular == 0,
     "an edge between two bricks with a factor of 1 + 1e-9: %zu bricks have a factor, "
     "%zu "
     "are irregular",
     f.factors, f.irregular);
  clear(&d);
}

int main(void)
{
  plan(0);
  draw_state = 728;
  grids();
  near_an_electrode();
  one_factor();
  return done();
}
