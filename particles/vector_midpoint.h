/* particles/vector_midpoint.h - the implicit midpoint rule of physics/midpoint.h for several
 * particles at a time, on the host: loops over the lanes of particles/vector_push.h.  The
 * operations of a lane are the same, so the bits are the same. */
#ifndef WN_PARTICLES_VECTOR_MIDPOINT_H
#define WN_PARTICLES_VECTOR_MIDPOINT_H
#include <stdint.h>
#include <string.h>
#include "particles/vector_push.h"
#include "physics/midpoint.h"

/* Lanes that are transposed at a time: as many as the values of a node. */
#define WN_MIDPOINT_ROWS WN_NODAL_VALUES

struct wn_midpoint_lanes {
  struct wn_point_lanes p;
  int32_t way[3][WN_POINT_LANES];   /* to x', parts */
  float mean[3][WN_POINT_LANES];    /* u' */
  float slower[WN_POINT_LANES];     /* 1/gamma(u') */
  int32_t done[WN_POINT_LANES];     /* whether the iteration has ended */
  float per[WN_POINT_LANES];        /* as in wn_midpoint_substep */
  int32_t substeps[WN_POINT_LANES]; /* of the step */
  /* where the field is gathered */
  int32_t node[WN_POINT_LANES];
  float part[3][WN_POINT_LANES];
  float eb[WN_NODAL_VALUES][WN_POINT_LANES];
};

/* The place x'; unused lanes of the last square: node 0. */
WN_LANES void wn_midpoint_lanes_place(const struct wn_points *WN_RESTRICT p, int dim,
                                      struct wn_midpoint_lanes *WN_RESTRICT s)
{
  const int n = s->p.n;
  for (int l = 0; l < n; l++)
    s->node[l] = p->grid.first;
  for (int l = n; l % WN_MIDPOINT_ROWS != 0; l++) {
    s->node[l] = p->grid.first;
    s->part[0][l] = s->part[1][l] = s->part[2][l] = 0.0f;
  }
  for (int d = 0; d < dim; d++) {
    const int32_t end = p->end[d], step = p->grid.step[d], bits = p->grid.bits[d];
    const int32_t wide = (int32_t)1 << bits;
    const int wraps = p->grid.side[2 * d] == WN_SIDE_PERIODIC;
    /* wn_nodal_inside without a branch by the side */
    const int32_t around = wraps ? end : 0, last = wraps ? end : INT32_MAX,
                  low = wraps ? INT32_MIN : -wide,
                  high = wraps ? INT32_MAX : end + wide - 1;
    for (int l = 0; l < n; l++) {
      int32_t x = s->p.x[d][l] + s->way[d][l];
      x += x < 0 ? around : 0;
      x -= x >= last ? around : 0;
      x = x < low ? low : x;
      x = x < high ? x : high;
      s->node[l] += (x >> bits) * step;
      s->part[d][l] = wn_spline_part(1, 0, (uint32_t)x << (32 - bits));
    }
  }
}

/* The values of a node.  By pointers: there is no one way to pass such vectors to functions. */
typedef float wn_float8 __attribute__((vector_size(32)));

/* a becomes its mean with b, whose part is f. */
WN_LANES void wn_float8_mean(float f, wn_float8 *WN_RESTRICT a,
                             const wn_float8 *WN_RESTRICT b)
{
  const wn_float8 by = *b - *a;
  const wn_float8 v = {wn_fma(f, by[0], (*a)[0]), wn_fma(f, by[1], (*a)[1]),
                       wn_fma(f, by[2], (*a)[2]), wn_fma(f, by[3], (*a)[3]),
                       wn_fma(f, by[4], (*a)[4]), wn_fma(f, by[5], (*a)[5]),
                       wn_fma(f, by[6], (*a)[6]), wn_fma(f, by[7], (*a)[7])};
  *a = v;
}

/* Along z and y, of the nodes of one x. */
WN_LANES void wn_midpoint_column(int dim, const float *at, int64_t y, int64_t z, float fy,
                                 float fz, wn_float8 *WN_RESTRICT out)
{
  wn_float8 other;
  memcpy(out, at, sizeof *out);
  if (dim > 2) {
    memcpy(&other, at + z, sizeof other);
    wn_float8_mean(fz, out, &other);
  }
  if (dim > 1) {
    wn_float8 high;
    memcpy(&high, at + y, sizeof high);
    if (dim > 2) {
      memcpy(&other, at + y + z, sizeof other);
      wn_float8_mean(fz, &high, &other);
    }
    wn_float8_mean(fy, out, &high);
  }
}

#define WN_PAIRS_LOW(a, b)   __builtin_shufflevector(a, b, 0, 8, 1, 9, 4, 12, 5, 13)
#define WN_PAIRS_HIGH(a, b)  __builtin_shufflevector(a, b, 2, 10, 3, 11, 6, 14, 7, 15)
#define WN_FOURS_LOW(a, b)   __builtin_shufflevector(a, b, 0, 1, 8, 9, 4, 5, 12, 13)
#define WN_FOURS_HIGH(a, b)  __builtin_shufflevector(a, b, 2, 3, 10, 11, 6, 7, 14, 15)
#define WN_HALVES_LOW(a, b)  __builtin_shufflevector(a, b, 0, 1, 2, 3, 8, 9, 10, 11)
#define WN_HALVES_HIGH(a, b) __builtin_shufflevector(a, b, 4, 5, 6, 7, 12, 13, 14, 15)

/* Rows of eight lanes into columns of values; the fourth of E and of B are not used. */
WN_LANES void wn_midpoint_columns(const wn_float8 r[WN_MIDPOINT_ROWS], int l,
                                  struct wn_midpoint_lanes *WN_RESTRICT s)
{
  wn_float8 two[2][4], four[4][2];
  for (int i = 0; i < 4; i++) {
    two[0][i] = WN_PAIRS_LOW(r[2 * i], r[2 * i + 1]);
    two[1][i] = WN_PAIRS_HIGH(r[2 * i], r[2 * i + 1]);
  }
  for (int i = 0; i < 2; i++) {
    four[0][i] = WN_FOURS_LOW(two[0][2 * i], two[0][2 * i + 1]);
    four[1][i] = WN_FOURS_HIGH(two[0][2 * i], two[0][2 * i + 1]);
    four[2][i] = WN_FOURS_LOW(two[1][2 * i], two[1][2 * i + 1]);
  }
  for (int c = 0; c < 3; c++) {
    const wn_float8 e = WN_HALVES_LOW(four[c][0], four[c][1]),
                    b = WN_HALVES_HIGH(four[c][0], four[c][1]);
    memcpy(&s->eb[c][l], &e, sizeof e);
    memcpy(&s->eb[WN_NODAL_B + c][l], &b, sizeof b);
  }
}

/* wn_nodal_gather. */
WN_LANES void wn_midpoint_lanes_gather(const struct wn_points *WN_RESTRICT p, int dim,
                                       struct wn_midpoint_lanes *WN_RESTRICT s)
{
  const struct wn_grid_view *g = &p->grid;
  const int64_t y = dim > 1 ? (int64_t)g->step[1] * WN_NODAL_VALUES : 0,
                z = dim > 2 ? (int64_t)g->step[2] * WN_NODAL_VALUES : 0;
  for (int l = 0; l < s->p.n; l += WN_MIDPOINT_ROWS) {
    wn_float8 row[WN_MIDPOINT_ROWS];
    for (int i = 0; i < WN_MIDPOINT_ROWS; i++) {
      const float *at = g->eb + (int64_t)s->node[l + i] * WN_NODAL_VALUES;
      const float fy = dim > 1 ? s->part[1][l + i] : 0.0f,
                  fz = dim > 2 ? s->part[2][l + i] : 0.0f;
      wn_float8 next;
      wn_midpoint_column(dim, at, y, z, fy, fz, &row[i]);
      wn_midpoint_column(dim, at + WN_NODAL_VALUES, y, z, fy, fz, &next);
      wn_float8_mean(s->part[0][l + i], &row[i], &next);
    }
    wn_midpoint_columns(row, l, s);
  }
}

/* wn_midpoint_mean, and the way to x'.  checks: the iteration of a lane ends by itself.
 * Returns how many have not ended. */
WN_LANES int wn_midpoint_lanes_mean(const struct wn_midpoint *WN_RESTRICT m, int dim,
                                    int relativistic, int checks,
                                    struct wn_midpoint_lanes *WN_RESTRICT s)
{
  const int n = s->p.n;
  int left = checks ? 0 : n;
  for (int l = 0; l < n; l++) {
    float eb[WN_NODAL_VALUES], u[3], mean[3];
    for (int c = 0; c < WN_NODAL_VALUES; c++)
      eb[c] = c % 4 < 3 ? s->eb[c][l] : 0.0f;
    for (int d = 0; d < 3; d++)
      u[d] = s->p.u[d][l];
    const float per = s->per[l],
                slower = wn_midpoint_mean(relativistic, m->beta * per, eb, u, mean);
    const int32_t keep = checks ? s->done[l] : 0;
    int32_t ends = 0;
    if (checks) {
      const float change[3] = {mean[0] - s->mean[0][l], mean[1] - s->mean[1][l],
                               mean[2] - s->mean[2][l]};
      ends =
          wn_midpoint_dot(change, change) < m->tolerance2 * wn_midpoint_dot(mean, mean);
      s->done[l] = keep | ends;
      left += !(keep | ends);
    }
    for (int d = 0; d < 3; d++)
      s->mean[d][l] = keep ? s->mean[d][l] : mean[d];
    for (int d = 0; d < dim; d++) {
      const int32_t way =
          wn_midpoint_way(m, d, per, relativistic ? mean[d] * slower : mean[d]);
      s->way[d][l] = keep ? s->way[d][l] : way;
    }
  }
  return left;
}

/* wn_midpoint_divisor: the substeps of each lane.  Returns the largest number. */
WN_LANES int32_t wn_midpoint_lanes_adapt(const struct wn_midpoint *WN_RESTRICT m, int dim,
                                         int relativistic,
                                         struct wn_midpoint_lanes *WN_RESTRICT s)
{
  int32_t most = 0;
  for (int l = 0; l < s->p.n; l++) {
    int32_t x[3] = {0, 0, 0};
    const float u[3] = {s->p.u[0][l], s->p.u[1][l], s->p.u[2][l]};
    for (int d = 0; d < dim; d++)
      x[d] = s->p.x[d][l];
    const int32_t divisor = wn_midpoint_divisor(m, dim, relativistic, x, u);
    s->per[l] = 1.0f / (float)divisor;
    s->substeps[l] = m->substeps * divisor;
    most = s->substeps[l] > most ? s->substeps[l] : most;
  }
  return most;
}

/* The end of substep i: x1, u1, and the sides.  Lanes with all their substeps behind them
 * stay as they are.  Returns how many ended: their fate is a side until they are removed. */
WN_LANES int wn_midpoint_lanes_end(const struct wn_midpoint *WN_RESTRICT m, int dim,
                                   int adapts, int32_t i,
                                   struct wn_midpoint_lanes *WN_RESTRICT s)
{
  const struct wn_points *p = &m->points;
  struct wn_point_lanes *q = &s->p;
  const int n = q->n;
  int ended = 0;
  for (int d = 0; d < 3; d++)
    for (int l = 0; l < n; l++) {
      const float u = wn_fma(2.0f, s->mean[d][l], -q->u[d][l]);
      q->u[d][l] = adapts && i >= s->substeps[l] ? q->u[d][l] : u;
    }
  for (int d = 0; d < dim; d++) {
    const int32_t end = p->end[d];
    const int wraps = p->grid.side[2 * d] == WN_SIDE_PERIODIC;
    const int32_t around = wraps ? end : 0, last = wraps ? end : INT32_MAX;
    for (int l = 0; l < n; l++) {
      const int32_t way = adapts && i >= s->substeps[l] ? 0 : s->way[d][l];
      int32_t x = q->x[d][l] + 2 * way;
      x += x < 0 ? around : 0;
      q->x[d][l] = x - (x >= last ? around : 0);
    }
  }
  for (int d = 0; d < dim; d++)
    if (p->grid.side[2 * d] != WN_SIDE_PERIODIC)
      ended += wn_point_lanes_walls(p, d, q);
  q->n_gone += ended;
  return ended;
}

#endif
