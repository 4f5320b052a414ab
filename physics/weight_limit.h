/* physics/weight_limit.h - the greatest weight that merging makes in a cell of a grid (src/sim/weight_limits.h): by a list of
 * weights at fields or at distances, and by the field at the nodes of the cell.  One cell at a time, the same text
 * and bits on CPU and GPU.
 * Cells and nodes have x the fastest; n cells have n + 1 nodes along an axis. */
#ifndef WN_PHYSICS_WEIGHT_LIMIT_H
#define WN_PHYSICS_WEIGHT_LIMIT_H
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include "physics/host_device.h"
#include "physics/mathfn.h"

/* A grid, and weights at n increasing fields [V/m]; n 0: the field does not matter. */
struct wn_weight_rule {
  uint32_t dim, cells[3]; /* 1 beyond dim */
  uint32_t n;
  const double *field, *weight; /* [n] */
};

/* The weight at x of a list of weights at increasing places, n above 0: linear in its logarithm between two of
 * them, constant beyond the first and the last. */
static WN_HD double wn_weight_limit_at(const double *at, const double *weight, size_t n,
                                       double x)
{
  size_t i = 0;
  while (i < n && at[i] < x)
    i++;
  if (i == 0)
    return weight[0];
  if (i == n)
    return weight[n - 1];
  const double part = (x - at[i - 1]) / (at[i] - at[i - 1]), low = wn_ln(weight[i - 1]);
  return wn_exp(low + part * (wn_ln(weight[i]) - low));
}

/* The greatest weight of float that is not above x, x positive. */
static WN_HD float wn_weight_not_above(double x)
{
  float w = (float)x;
  uint32_t bits;
  memcpy(&bits, &w, sizeof bits);
  bits -= (double)w > x; /* the float below */
  memcpy(&w, &bits, sizeof w);
  return w;
}

/* Coordinates of a cell; returns the first of its nodes. */
static WN_HD size_t wn_weight_place(const struct wn_weight_rule *is, size_t cell,
                                    size_t at[3])
{
  const size_t nx = is->cells[0], ny = is->cells[1];
  at[0] = cell % nx;
  at[1] = cell / nx % ny;
  at[2] = cell / nx / ny;
  return (at[2] * (ny + 1) + at[1]) * (nx + 1) + at[0];
}

/* Square of E at a node, from its components one after the other: sum of those before, 0 before the first. */
static WN_HD float wn_weight_square(float sum, double component)
{
  return sum + (float)(component * component);
}

/* V/m, the greatest field at the nodes of a cell; square: of all nodes. */
static WN_HD double wn_weight_strongest(const struct wn_weight_rule *is,
                                        const float *square, size_t cell)
{
  const size_t along_y = is->cells[0] + 1, along_z = along_y * (is->cells[1] + 1);
  size_t at[3];
  const size_t first = wn_weight_place(is, cell, at);
  float most = 0.0f;
  for (size_t k = 0; k < (size_t)1 << is->dim; k++)
    most = fmaxf(most, square[first + k % 2 + k / 2 % 2 * along_y + k / 4 * along_z]);
  return sqrt((double)most);
}

/* Of a cell: by_place, or less by its field. */
static WN_HD float wn_weight_limit_of(const struct wn_weight_rule *is, float by_place,
                                      const float *square, size_t cell)
{
  if (is->n == 0)
    return by_place;
  return wn_weight_not_above(
      fmin((double)by_place, wn_weight_limit_at(is->field, is->weight, is->n,
                                                wn_weight_strongest(is, square, cell))));
}

#endif
