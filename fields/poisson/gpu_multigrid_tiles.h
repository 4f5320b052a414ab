/* fields/poisson/gpu_multigrid_tiles.h - a grid of multigrid as the product of its axes, where it is one.
 *
 * Without electrodes, permittivities and cut edges the conductances of a grid are products of numbers of the axes, on
 * uniform and stretched axes, in r-z, and on all coarser grids: the edge below node (i, j, k) along the first axis has
 * over_0[i] measure_1[j] measure_2[k], and interpolation is that along one axis after the other.  A kernel that knows
 * this reads no conductances.  Which parts of a grid are so is found here by comparison: a brick of WN_MULTIGRID_BRICK
 * nodes along each axis is irregular if one of its nodes is not, and kernels read conductances there.
 *
 * The interpolation at irregular nodes is a table: what a node of the next grid gives to each of the 3^dim nodes around
 * it.  Single precision, as the conductances; t/fields/t0728-multigrid-tiles.c. */
#ifndef WN_FIELDS_POISSON_GPU_MULTIGRID_TILES_H
#define WN_FIELDS_POISSON_GPU_MULTIGRID_TILES_H
#include "fields/poisson/multigrid.h"

WN_BEGIN_DECLS

#define WN_MULTIGRID_BRICK 8
/* Bits of a brick: a node is irregular; an edge has a factor other than 1 (of the finest grid); a node has WN_MULTIGRID_ADDS,
 * WN_MULTIGRID_LEAVES. */
#define WN_MULTIGRID_IRREGULAR    1
#define WN_MULTIGRID_FACTOR       2
#define WN_MULTIGRID_BRICK_ADDS   4
#define WN_MULTIGRID_BRICK_LEAVES 8
/* Bits of a node: interpolation at it is not that of the axes, as it is given or by the table; it is by the table; the node
 * of the next grid that is here takes, by the table, of residuals which are not all those of the axes.  CUT: its own
 * equation is not that of the axes. */
#define WN_MULTIGRID_SKIPS  1
#define WN_MULTIGRID_ADDS   2
#define WN_MULTIGRID_LEAVES 4
#define WN_MULTIGRID_CUT    8
/* Conductances, and parts of interpolation, are regular if they differ by less, of the diagonal and of 1. */
#define WN_MULTIGRID_EQUAL 2e-5

/* A node of an axis.  Lengths and areas of the axes together make conductances [m]. */
struct wn_multigrid_node {
  float below, above; /* of its edges: over of the axis, 0 beyond an end */
  float measure;
  float unknown; /* 1; 0 on a side of given potential */
  /* Interpolation from node `parent` of the next grid and from the one after it; a kept node: 1 and 0. */
  float from_low, from_high;
  int32_t parent, spare;
};

/* What kept node m takes of the nodes below and above it, 0 if they are kept; its place; bit 0, 1: one below, above is between. */
struct wn_multigrid_kept {
  float low, high;
  int32_t node, beside;
};

/* Of one grid; node[d][n], kept[d][n_kept]. */
struct wn_multigrid_lines {
  struct wn_multigrid_node *node[3];
  struct wn_multigrid_kept *kept[3];
  double *over[3], *measure[3]; /* [n + 1], [n], of all grids before rounding */
};

/* Of all grids of a solver whose conductances are made.  WN_ENOMEM; in any case wn_multigrid_lines_free. */
int wn_multigrid_lines_create(const struct wn_multigrid_solver *m,
                              struct wn_multigrid_lines lines[WN_MULTIGRID_LEVELS]);
void wn_multigrid_lines_free(struct wn_multigrid_lines lines[WN_MULTIGRID_LEVELS]);

static inline int32_t wn_multigrid_bricks_along(const struct wn_multigrid_level *l, int d)
{
  return (l->axis[d].n + WN_MULTIGRID_BRICK - 1) / WN_MULTIGRID_BRICK;
}
static inline size_t wn_multigrid_bricks(const struct wn_multigrid_level *l)
{
  size_t n = 1;
  for (int d = 0; d < 3; d++)
    n *= (size_t)wn_multigrid_bricks_along(l, d);
  return n;
}

/* 3^dim. */
static inline int wn_multigrid_around(int dim)
{
  return dim == 3 ? 27 : 9;
}

/* table[3^dim][stride], places as in arrays of the next grid: what its nodes give to those around their own place,
 * number (1 + a) + 3 (1 + b) + 9 (1 + c) of the one at (a, b, c) from it; zeros where that is not between. */
void wn_multigrid_table(const struct wn_multigrid_level *l,
                        const struct wn_multigrid_level *next, size_t stride,
                        float *table);

/* Bits of brick[wn_multigrid_bricks], axis 0 fastest, and node[size], places as in arrays, which are zeros before. */
void wn_multigrid_find_irregular(const struct wn_multigrid_level *l,
                                 const struct wn_multigrid_level *next,
                                 const struct wn_multigrid_lines *lines,
                                 const float *table, size_t stride, uint8_t *brick,
                                 uint8_t *node);

/* Numbers of the bricks that have a bit.  Returns how many. */
int32_t wn_multigrid_list_bricks(const struct wn_multigrid_level *l, const uint8_t *brick,
                                 int bit, int32_t *list);

/* And WN_MULTIGRID_FACTOR of the finest grid. */
void wn_multigrid_find_factors(const struct wn_multigrid_solver *m, uint8_t *brick);

WN_END_DECLS

#endif
