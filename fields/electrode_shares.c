/* fields/electrode_shares.c - see electrode_shares.h. */
#include "fields/electrode_shares.h"
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/error.h"
#include "fields/electrode_surface.h"

#define BESIDE   27   /* nodes around a node, with itself */
#define ON_PIECE 8    /* places on a piece of the surface, along a line */
#define ON_SIDE  4    /* and along each side of a triangle */
#define IN_CELL  16   /* parts of a cell along an axis, in two dimensions */
#define IN_BOX   6    /* in three */
#define LEAST    0.25 /* of the volume of a node */

/* While they are made. */
struct maker {
  const struct wn_electrodes *e;
  const struct wn_geometry *g;
  const enum wn_potential *side;
  struct wn_electrode_shares *s;
  int32_t *
      place; /* [nodes]: of a node in the gas that takes part, in the list of rows, or of one inside, in that; -1 */
  size_t n_inside;
  size_t *inside; /* [n_inside]: nodes */
  double *sum;    /* [n_inside]: S_j */
  double *shared; /* [n_inside][BESIDE]: M_kj, by where k is from j */
  double *volume; /* [n_rows]: of the shares, m3 */
  double *gas;    /* [n_inside]: integral of w_j over the gas, m3 */
};

/* The corners of the cell of a place, and their weights. */
struct corners {
  int n;
  size_t node[8];
  int at[8][3]; /* 0 or 1 along each axis */
  double w[8];
};

static void corners_of(const struct maker *m, const double x[3], struct corners *c)
{
  const struct wn_electrodes *e = m->e;
  size_t low[3] = {0, 0, 0};
  double part[3] = {0.0, 0.0, 0.0};
  for (int d = 0; d < e->dim; d++) {
    const double cells = (double)(e->n[d] - 1),
                 at = fmin(fmax(wn_axis_place(&m->g->axis[d], x[d]), 0.0), cells);
    low[d] = (size_t)fmin(at, cells - 1.0);
    part[d] = at - (double)low[d];
  }
  c->n = 1 << e->dim;
  for (int k = 0; k < c->n; k++) {
    size_t step = 1;
    c->node[k] = 0;
    c->w[k] = 1.0;
    for (int d = 0; d < 3; d++) {
      c->at[k][d] = k >> d & 1;
      c->node[k] += (low[d] + (size_t)c->at[k][d]) * step;
      step *= e->n[d];
      c->w[k] *= d >= e->dim ? 1.0 : c->at[k][d] ? part[d] : 1.0 - part[d];
    }
  }
}

static int is_in(const struct maker *m, size_t node)
{
  return m->e->held[node] >= 0;
}

/* Where corner k is from corner j, of BESIDE. */
static int direction(const struct corners *c, int k, int j)
{
  int to = 0, step = 1;
  for (int d = 0; d < 3; d++) {
    to += (c->at[k][d] - c->at[j][d] + 1) * step;
    step *= 3;
  }
  return to;
}

/* ---- the surface */

/* A place on it, which stands for so many m2. */
static void add_place(struct maker *m, const double x[3], double area)
{
  struct corners c;
  double all = 0.0;
  corners_of(m, x, &c);
  for (int j = 0; j < c.n; j++)
    if (is_in(m, c.node[j]) && m->place[c.node[j]] >= 0)
      all += c.w[j];
  for (int j = 0; j < c.n && all > 0.0; j++) {
    if (!is_in(m, c.node[j]) || m->place[c.node[j]] < 0)
      continue;
    const size_t at = (size_t)m->place[c.node[j]];
    m->sum[at] += area * c.w[j];
    for (int k = 0; k < c.n; k++)
      if (!is_in(m, c.node[k]) && m->place[c.node[k]] >= 0)
        m->shared[at * BESIDE + (size_t)direction(&c, k, j)] +=
            area * c.w[k] * c.w[j] / all;
  }
}

static void add_piece(const struct wn_electrode_piece *piece, void *context)
{
  struct maker *m = context;
  const int is_line = m->e->dim < 3, n = is_line ? ON_PIECE : ON_SIDE,
            across = is_line ? 1 : ON_SIDE;
  for (int i = 0; i < n; i++)
    for (int k = 0; k < across; k++) {
      double x[3];
      wn_electrode_on_piece(m->g, piece, (i + 0.5) / n, (k + 0.5) / across, x);
      add_place(m, x, piece->area / (n * across));
    }
}

static void add_surfaces(struct maker *m)
{
  const struct wn_electrodes *e = m->e;
  for (int i = 0; i < e->n_conductors; i++) {
    int is_first = 1;
    for (int k = 0; k < i; k++)
      is_first &= e->shape[k].surface != e->shape[i].surface;
    if (is_first)
      wn_electrode_surface(m->g, e->shape, e->n_conductors, e->shape[i].surface,
                           add_piece, m);
  }
}

/* ---- volumes */

/* The part of a box with these edges around x that lies in the gas, where the surface is about plane, and its middle. */
static double part_in_gas(const struct maker *m, const double x[3], const double edge[3],
                          double middle[3])
{
  const struct wn_electrodes *e = m->e;
  double least = 1.0;
  memcpy(middle, x, 3 * sizeof *x);
  for (int i = 0; i < e->n_conductors; i++) {
    double n[3], ahead[3], size = 0.0;
    const double step = 1e-3 * edge[0];
    wn_electrode_normal(&e->shape[i], e->dim, step, x, n);
    for (int d = 0; d < 3; d++) {
      ahead[d] = x[d] + step * n[d];
      size += d < e->dim ? fabs(n[d]) * edge[d] : 0.0;
    }
    const double here = wn_electrode_level(&e->shape[i], e->dim, x),
                 slope = (wn_electrode_level(&e->shape[i], e->dim, ahead) - here) / step,
                 part = slope > 0.0 && size > 0.0 ? 0.5 + here / (slope * size)
                        : here > 0.0              ? 1.0
                                                  : 0.0;
    if (part >= least)
      continue;
    least = fmax(part, 0.0);
    for (int d = 0; d < e->dim; d++)
      middle[d] = x[d] + 0.5 * (1.0 - least) * size * n[d];
  }
  return least;
}

static double *volume_at(const struct maker *m, size_t node)
{
  return is_in(m, node) ? &m->gas[m->place[node]] : &m->volume[m->place[node]];
}

static void add_part(struct maker *m, const double x[3], const double edge[3],
                     double volume)
{
  struct corners whole, c;
  double middle[3];
  const double gas = part_in_gas(m, x, edge, middle);
  corners_of(m, x, &whole);
  corners_of(m, middle, &c);
  for (int k = 0; k < c.n; k++) {
    if (m->place[c.node[k]] >= 0)
      *volume_at(m, c.node[k]) += gas * volume * c.w[k];
    if (!is_in(m, whole.node[k]) && m->place[whole.node[k]] >= 0)
      *volume_at(m, whole.node[k]) -= volume * whole.w[k];
  }
}

static void add_cell(struct maker *m, const int64_t low[3])
{
  const int dim = m->e->dim, n = dim < 3 ? IN_CELL : IN_BOX;
  int i[3];
  for (i[2] = 0; i[2] < (dim > 2 ? n : 1); i[2]++)
    for (i[1] = 0; i[1] < (dim > 1 ? n : 1); i[1]++)
      for (i[0] = 0; i[0] < n; i[0]++) {
        double x[3] = {0.0, 0.0, 0.0}, edge[3] = {0.0, 0.0, 0.0}, volume = 1.0;
        for (int d = 0; d < dim; d++) {
          const struct wn_axis *a = &m->g->axis[d];
          const double from = wn_axis_x(a, low[d]);
          edge[d] = wn_axis_edge(a, low[d]) / n;
          x[d] = from + (i[d] + 0.5) * edge[d];
          volume *= wn_coordinate_measure(a->coordinate, x[d] + 0.5 * edge[d]) -
                    wn_coordinate_measure(a->coordinate, x[d] - 0.5 * edge[d]);
        }
        add_part(m, x, edge, volume);
      }
}

/* Cells that have nodes inside. */
static void add_volumes(struct maker *m)
{
  const struct wn_electrodes *e = m->e;
  int64_t low[3], n[3];
  size_t cell = 0;
  for (int d = 0; d < 3; d++)
    n[d] = d < e->dim ? (int64_t)e->n[d] - 1 : 1;
  for (low[2] = 0; low[2] < n[2]; low[2]++)
    for (low[1] = 0; low[1] < n[1]; low[1]++)
      for (low[0] = 0; low[0] < n[0]; low[0]++, cell++)
        if (e->cell[cell])
          add_cell(m, low);
}

/* ---- lists */

static size_t step_along(const struct wn_electrodes *e, int d)
{
  return d == 0 ? 1 : d == 1 ? e->n[0] : e->n[0] * e->n[1];
}

/* Whether both neighbours of a node inside, along an axis, are in the gas. */
static int is_thin(const struct wn_electrodes *e, size_t node)
{
  size_t at = node;
  int is = 0;
  for (int d = 0; d < e->dim; d++) {
    const size_t i = at % e->n[d], step = step_along(e, d);
    at /= e->n[d];
    is |=
        i > 0 && i + 1 < e->n[d] && e->held[node - step] < 0 && e->held[node + step] < 0;
  }
  return is;
}

static void node_at(const struct wn_electrodes *e, size_t node, int64_t at[3])
{
  for (int d = 0; d < 3; d++) {
    at[d] = (int64_t)(node % e->n[d]);
    node /= e->n[d];
  }
}

/* Whether a node is a corner of a cell with a node in the gas, or inside. */
static int is_near(const struct wn_electrodes *e, size_t node, int inside)
{
  int64_t at[3], i[3];
  node_at(e, node, at);
  for (i[2] = at[2] - 1; i[2] <= at[2] + 1; i[2]++)
    for (i[1] = at[1] - 1; i[1] <= at[1] + 1; i[1]++)
      for (i[0] = at[0] - 1; i[0] <= at[0] + 1; i[0]++) {
        int is = 1;
        for (int d = 0; d < 3; d++)
          is &= i[d] >= 0 && i[d] < (int64_t)e->n[d];
        if (is &&
            (e->held[((size_t)i[2] * e->n[1] + (size_t)i[1]) * e->n[0] + (size_t)i[0]] >=
             0) == inside)
          return 1;
      }
  return 0;
}

static int gives(const struct wn_electrodes *e, size_t i)
{
  return e->held[i] >= 0 && is_near(e, i, 0) && !is_thin(e, i);
}

/* Nodes in the gas whose potential is not given. */
static int takes(const struct maker *m, size_t i)
{
  const struct wn_electrodes *e = m->e;
  size_t at = i;
  int is = e->held[i] < 0 && is_near(e, i, 1);
  for (int d = 0; d < e->dim && is; d++) {
    const size_t k = at % e->n[d];
    at /= e->n[d];
    is = !(k == 0 && m->side[2 * d] != WN_NEUMANN) &&
         !(k + 1 == e->n[d] && m->side[2 * d + 1] != WN_NEUMANN);
  }
  return is;
}

static double volume_of(const struct maker *m, size_t node)
{
  int64_t at[3];
  node_at(m->e, node, at);
  return wn_geometry_volume(m->g, at);
}

static int list_nodes(struct maker *m)
{
  const struct wn_electrodes *e = m->e;
  for (size_t i = 0; i < e->nodes; i++) {
    m->place[i] = -1;
    m->n_inside += gives(e, i) ? 1 : 0;
    m->s->n_rows += takes(m, i) ? 1 : 0;
  }
  m->inside = wn_alloc(m->n_inside, sizeof *m->inside);
  m->sum = wn_alloc(m->n_inside, sizeof *m->sum);
  m->gas = wn_alloc(m->n_inside, sizeof *m->gas);
  m->shared = wn_alloc(m->n_inside, BESIDE * sizeof *m->shared);
  m->volume = wn_alloc(m->s->n_rows, sizeof *m->volume);
  m->s->row = wn_alloc(m->s->n_rows, sizeof *m->s->row);
  if (m->inside == NULL || m->sum == NULL || m->gas == NULL || m->shared == NULL ||
      m->volume == NULL || m->s->row == NULL)
    return WN_ENOMEM;
  for (size_t i = 0, n = 0, row = 0; i < e->nodes; i++)
    if (gives(e, i)) {
      m->inside[n] = i;
      m->place[i] = (int32_t)n++;
    } else if (takes(m, i)) {
      m->s->row[row].node = i;
      m->volume[row] = volume_of(m, i);
      m->place[i] = (int32_t)row++;
    }
  return WN_OK;
}

/* The node in a direction from another. */
static size_t towards(const struct wn_electrodes *e, size_t node, int to)
{
  for (int d = 0; d < 3; d++, to /= 3)
    node = to % 3 == 0 ? node - step_along(e, d)
                       : node + (size_t)(to % 3 - 1) * step_along(e, d);
  return node;
}

/* The row that takes share i of n_inside * BESIDE. */
static struct wn_electrode_share_row *row_of(const struct maker *m, size_t i)
{
  const size_t to = towards(m->e, m->inside[i / BESIDE], (int)(i % BESIDE));
  return &m->s->row[m->place[to]];
}

/* Row after row, and of each in the order of the nodes inside. */
static int list_shares(struct maker *m)
{
  struct wn_electrode_shares *s = m->s;
  const size_t all = m->n_inside * BESIDE;
  for (size_t i = 0; i < all; i++)
    if (m->shared[i] > 0.0)
      row_of(m, i)->end++; /* their number */
  for (size_t i = 0; i < s->n_rows; i++) {
    s->row[i].first = s->n;
    s->n += s->row[i].end;
    s->row[i].end = s->row[i].first;
  }
  s->share = wn_alloc(s->n, sizeof *s->share);
  if (s->share == NULL)
    return WN_ENOMEM;
  for (size_t i = 0; i < all; i++) {
    const size_t j = i / BESIDE;
    if (!(m->shared[i] > 0.0))
      continue;
    struct wn_electrode_share_row *row = row_of(m, i);
    const double c = fmin(m->shared[i] / m->sum[j], WN_ELECTRODE_SHARE);
    s->share[row->end++] = (struct wn_electrode_share){
        m->inside[j], c * volume_of(m, m->inside[j]) / volume_of(m, row->node)};
    m->volume[row - s->row] -= c * m->gas[j];
  }
  for (size_t i = 0; i < s->n_rows; i++) {
    const double whole = volume_of(m, s->row[i].node);
    s->row[i].per = whole / fmax(m->volume[i], LEAST * whole);
  }
  return WN_OK;
}

static int make(struct maker *m)
{
  m->place = wn_alloc(m->e->nodes, sizeof *m->place);
  m->s->rho = wn_alloc(m->e->nodes, sizeof *m->s->rho);
  if (m->place == NULL || m->s->rho == NULL)
    return WN_ENOMEM;
  WN_TRY(list_nodes(m));
  add_surfaces(m);
  add_volumes(m);
  return list_shares(m);
}

/* ---- life */

void wn_electrode_shares_free(struct wn_electrode_shares *s)
{
  if (s == NULL)
    return;
  free(s->share);
  free(s->row);
  free(s->rho);
  free(s);
}

size_t wn_electrode_shares_bytes(size_t nodes)
{
  return nodes * (sizeof(double) + sizeof(int32_t));
}

int wn_electrode_shares_create(const struct wn_electrodes *e, const struct wn_geometry *g,
                               const enum wn_potential side[6],
                               struct wn_electrode_shares **out)
{
  struct wn_electrode_shares *s = wn_alloc(1, sizeof *s);
  if (s == NULL)
    return WN_ENOMEM;
  s->nodes = e->nodes;
  struct maker m = {.e = e, .g = g, .side = side, .s = s};
  const int status = make(&m);
  free(m.place);
  free(m.inside);
  free(m.sum);
  free(m.shared);
  free(m.volume);
  free(m.gas);
  if (status != WN_OK) {
    wn_electrode_shares_free(s);
    return status;
  }
  *out = s;
  return WN_OK;
}

void wn_electrode_shares_apply(struct wn_electrode_shares *s, const double *rho,
                               double background)
{
  memcpy(s->rho, rho, s->nodes * sizeof *rho);
  for (size_t i = 0; i < s->n_rows; i++)
    s->rho[s->row[i].node] =
        wn_electrode_shares_of(&s->row[i], s->share, rho, background);
}
