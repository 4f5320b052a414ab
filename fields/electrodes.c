/* fields/electrodes.c - nodes and cut edges of electrodes, and the field beside them: see electrodes.h. */
#include "fields/electrodes.h"
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/error.h"
#include "physics/constants.h"

#define HALVINGS 60 /* of an edge: to rounding */

/* All nodes i, at node[0] and so on. */
#define FOR_NODES(e, i, node)                                                            \
  for (size_t node[3] = {0, 0, 0}, i = 0; node[2] < (e)->n[2]; node[2]++)                \
    for (node[1] = 0; node[1] < (e)->n[1]; node[1]++)                                    \
      for (node[0] = 0; node[0] < (e)->n[0]; node[0]++, i++)

/* While they are made. */
struct maker {
  struct wn_electrodes *e;
  const struct wn_geometry *g;
  const enum wn_potential *side;
  size_t room_beside, room_inside, room_row;
  signed char *
      depth; /* [nodes]: 0 in the gas; 1, 2, ...: inside, so many nodes from it; -1: deeper */
  unsigned char *is_dielectric; /* [nodes] */
};

static size_t step_along(const struct wn_electrodes *e, int d)
{
  return d == 0 ? 1 : d == 1 ? e->n[0] : e->n[0] * e->n[1];
}

static void place_of(const struct maker *m, const size_t node[3], double x[3])
{
  for (int d = 0; d < 3; d++)
    x[d] = d < m->e->dim ? wn_axis_x(&m->g->axis[d], (int64_t)node[d]) : 0.0;
}

static int is_in(const struct wn_electrodes *e, size_t i)
{
  return e->held[i] >= 0;
}

/* ---- nodes and edges */

/* The part of the edge along d between a node in the gas and one inside that lies in the gas. */
static double part_in_gas(const struct maker *m, const size_t gas[3], int d, int to)
{
  const struct wn_electrodes *e = m->e;
  double x[3], from, length, low = 0.0, high = 1.0;
  place_of(m, gas, x);
  from = x[d];
  length = wn_axis_x(&m->g->axis[d], (int64_t)gas[d] + to) - from;
  for (int i = 0; i < HALVINGS; i++) {
    const double middle = 0.5 * (low + high);
    x[d] = from + middle * length;
    if (wn_electrode_at(e->shape, e->n_conductors, e->dim, x) < 0)
      low = middle;
    else
      high = middle;
  }
  return high;
}

static void hold(const struct maker *m)
{
  struct wn_electrodes *e = m->e;
  FOR_NODES (e, i, node) {
    double x[3];
    place_of(m, node, x);
    m->is_dielectric[i] =
        wn_electrode_which(e->shape, e->n_shapes, e->dim, x) >= e->n_conductors;
    e->held[i] = wn_electrode_at(e->shape, e->n_conductors, e->dim, x);
  }
}

/* Edge i along d, to the next node: 0 if it is plain, else its part in the gas; *to: 1 if the
 * node in the gas is the lower one, else -1. */
static double cut(const struct maker *m, size_t i, const size_t node[3], int d, int *to)
{
  const struct wn_electrodes *e = m->e;
  size_t gas[3] = {node[0], node[1], node[2]};
  if (node[d] + 1 >= e->n[d] || is_in(e, i) == is_in(e, i + step_along(e, d)))
    return 0.0;
  *to = is_in(e, i) ? -1 : 1;
  gas[d] += *to < 0;
  return part_in_gas(m, gas, d, *to);
}

/* Nodes that all but lie on a surface are held; then no factor exceeds 1/WN_ELECTRODE_NEAR. */
static void hold_near(const struct maker *m)
{
  struct wn_electrodes *e = m->e;
  FOR_NODES (e, i, node)
    for (int d = 0; d < e->dim; d++) {
      int to = 0;
      const double part = cut(m, i, node, d, &to);
      if (part > 0.0 && part < WN_ELECTRODE_NEAR) {
        const size_t next = i + step_along(e, d);
        e->held[to > 0 ? i : next] = e->held[to > 0 ? next : i];
      }
    }
}

static void cut_edges(const struct maker *m)
{
  struct wn_electrodes *e = m->e;
  FOR_NODES (e, i, node)
    for (int d = 0; d < e->dim; d++) {
      int to = 0;
      const double part = cut(m, i, node, d, &to);
      e->edge[d][i] = part > 0.0 ? 1.0 / fmax(part, WN_ELECTRODE_NEAR) : 1.0;
    }
}

static void flag_cells(const struct maker *m)
{
  struct wn_electrodes *e = m->e;
  FOR_NODES (e, i, node)
    if (is_in(e, i) || m->is_dielectric[i])
      for (int corner = 0; corner < 1 << e->dim; corner++) {
        size_t cell = 0, step = 1;
        int is = 1;
        for (int d = 0; d < e->dim; d++) {
          const size_t below = (size_t)(corner >> d & 1);
          is &= node[d] >= below && node[d] - below < e->n[d] - 1;
          cell += (node[d] - below) * step;
          step *= e->n[d] - 1;
        }
        if (is)
          e->cell[cell] = 1;
      }
}

/* ---- E beside a surface */

static int push(struct wn_electrode_stencil **list, size_t *n, size_t *room,
                const struct wn_electrode_stencil *one)
{
  if (*n == *room) {
    const size_t more = 2 * *room + 64;
    struct wn_electrode_stencil *at = wn_realloc(*list, more, sizeof *at);
    if (at == NULL)
      return WN_ENOMEM;
    *list = at;
    *room = more;
  }
  (*list)[(*n)++] = *one;
  return WN_OK;
}

/* A node, or the surface before it, on one side along an axis: the distance [m], negative below, and
 * the node that has its potential; 0: there is none. */
static double beyond(const struct maker *m, size_t i, const size_t node[3], int d, int to,
                     int *is_cut, size_t *at)
{
  const struct wn_electrodes *e = m->e;
  const struct wn_axis *a = &m->g->axis[d];
  const size_t step = step_along(e, d), last = e->n[d] - 1;
  const int wraps = a->is_periodic;
  size_t low = node[d];
  *at = i;
  if (to < 0 && node[d] == 0) {
    if (!wraps)
      return 0.0;
    low = last;
  }
  if (to > 0 && node[d] == last) {
    if (!wraps)
      return 0.0;
    low = 0;
  }
  low -= to < 0;
  const size_t edge = i - node[d] * step + low * step; /* its lower node */
  *at = to < 0 ? edge : edge + step;
  const double length = wn_axis_edge(a, (int64_t)low), factor = e->edge[d][edge];
  *is_cut |= is_in(e, *at) && !is_in(e, i);
  return (double)to * length / (is_in(e, *at) != is_in(e, i) ? factor : 1.0);
}

/* Minus the slope at 0 of the parabola through (0, phi[i]), (x, phi[a]) and (y, phi[b]). */
static struct wn_electrode_stencil slope(size_t i, int d, double x, size_t a, double y,
                                         size_t b)
{
  struct wn_electrode_stencil s = {.node = i, .axis = d, .n = 3, .from = {i, a, b}};
  s.weight[1] = -y / (x * (y - x));
  s.weight[2] = x / (y * (y - x));
  s.weight[0] = -s.weight[1] - s.weight[2];
  return s;
}

/* What the charge of the layer beside a surface at x, of one edge, adds to E: as in electrodes.h. */
static void lift(const struct maker *m, const size_t node[3], int d, double near,
                 double first, size_t next, struct wn_electrode_stencil *s)
{
  const struct wn_electrodes *e = m->e;
  const double theta = fabs(near / first);
  double x[3], n[3];
  int k;
  place_of(m, node, x);
  x[d] += near * (1.0 + WN_ELECTRODE_NEAR);
  k = wn_electrode_which(e->shape, e->n_conductors, e->dim, x);
  if (k < 0 || theta >= 1.0)
    return;
  wn_electrode_normal(&e->shape[k], e->dim, 1e-5 * fabs(first), x, n);
  s->next = next;
  s->lift = n[d] * n[d] * (1.0 - theta) * (1.0 - theta) / (2.0 + theta) * first / WN_EPS0;
}

/* A wall at a side, whose normal is along d: from two nodes into the domain. */
static int at_wall(const struct maker *m, size_t i, const size_t node[3], int d, int to,
                   int *is_cut, struct wn_electrode_stencil *s)
{
  size_t next[3] = {node[0], node[1], node[2]}, a = i, b = i;
  const double x = beyond(m, i, node, d, to, is_cut, &a);
  next[d] = to > 0 ? node[d] + 1 : node[d] - 1;
  if (*is_cut) { /* the first edge */
    *s = (struct wn_electrode_stencil){
        .node = i, .axis = d, .n = 2, .from = {i, a}, .weight = {1.0 / x, -1.0 / x}};
    return 1;
  }
  const double y = x + beyond(m, a, next, d, to, is_cut, &b);
  if (*is_cut)
    *s = slope(i, d, x, a, y, b);
  return *is_cut;
}

/* E along d at a node in the gas, if a surface cuts an edge of it there.  Returns whether it does. */
static int beside(const struct maker *m, size_t i, const size_t node[3], int d,
                  struct wn_electrode_stencil *s)
{
  int is_cut = 0;
  size_t a, b;
  const double x = beyond(m, i, node, d, -1, &is_cut, &a),
               y = beyond(m, i, node, d, 1, &is_cut, &b);
  if (x < 0.0 && y > 0.0) {
    if (is_cut) {
      *s = slope(i, d, x, a, y, b);
      if (is_in(m->e, a) && !is_in(m->e, b))
        lift(m, node, d, x, y, b, s);
      if (is_in(m->e, b) && !is_in(m->e, a))
        lift(m, node, d, y, x, a, s);
    }
    return is_cut;
  }
  if (m->side[2 * d + (node[d] > 0)] == WN_NEUMANN)
    return 0;
  is_cut = 0;
  return at_wall(m, i, node, d, node[d] == 0 ? 1 : -1, &is_cut, s);
}

/* ---- E beside a dielectric */

/* Whether the node next to one along d is in a dielectric; *at: that node, SIZE_MAX if there is none. */
static int is_dielectric(const struct maker *m, size_t i, const size_t node[3], int d,
                         int to, size_t far, size_t *at)
{
  const struct wn_electrodes *e = m->e;
  const size_t last = e->n[d] - 1, step = step_along(e, d);
  size_t k = node[d];
  *at = SIZE_MAX;
  if (m->g->axis[d].is_periodic)
    k = (k + (to > 0 ? far : last - far)) % last;
  else if (to > 0 ? k + far > last : k < far)
    return 0;
  else
    k = to > 0 ? k + far : k - far;
  *at = i + k * step - node[d] * step;
  return m->is_dielectric[*at];
}

/* m, to the next but `far` node. */
static double way(const struct maker *m, const size_t node[3], int d, int to, int far)
{
  const struct wn_axis *a = &m->g->axis[d];
  double sum = 0.0;
  for (int k = 0; k < far; k++) {
    int64_t low = (int64_t)node[d] + (to > 0 ? k : -k - 1);
    low = low < 0 ? low + a->cells : low >= a->cells ? low - a->cells : low;
    sum += wn_axis_edge(a, low);
  }
  return to * sum;
}

/* E along d at a node in the gas with a dielectric on one side: from the other, as long as that is gas.  Returns whether it is so. */
static int beside_dielectric(const struct maker *m, size_t i, const size_t node[3], int d,
                             struct wn_electrode_stencil *s)
{
  size_t low, high, second;
  const int below = is_dielectric(m, i, node, d, -1, 1, &low),
            above = is_dielectric(m, i, node, d, 1, 1, &high), to = below ? 1 : -1;
  const size_t next = below ? high : low;
  if (below == above || next == SIZE_MAX || is_in(m->e, next))
    return 0;
  const double x = way(m, node, d, to, 1);
  const int ends = is_dielectric(m, i, node, d, to, 2, &second);
  if (ends || second == SIZE_MAX || is_in(m->e, second))
    *s = (struct wn_electrode_stencil){
        .node = i, .axis = d, .n = 2, .from = {i, next}, .weight = {1.0 / x, -1.0 / x}};
  else
    *s = slope(i, d, x, next, way(m, node, d, to, 2), second);
  return 1;
}

/* ---- E continued into electrodes */

/* The node next along d, of a depth below `deeper`; SIZE_MAX: there is none. */
static size_t next_of(const struct maker *m, size_t i, const size_t node[3], int d,
                      int to, int far, int deeper)
{
  const struct wn_electrodes *e = m->e;
  const size_t last = e->n[d] - 1, step = step_along(e, d);
  if (to < 0 ? node[d] < (size_t)far : node[d] + (size_t)far > last)
    return SIZE_MAX;
  const size_t at = to < 0 ? i - (size_t)far * step : i + (size_t)far * step;
  return m->depth[at] >= 0 && m->depth[at] < deeper ? at : SIZE_MAX;
}

static void add(struct wn_electrode_stencil *s, size_t from, double weight)
{
  s->from[s->n] = from;
  s->weight[s->n++] = weight;
}

/* Along axis d, from the nodes of the places x[0 .. n), to the place 0: the weights of the polynomial
 * through them. */
static void weights(int n, const double *x, double *w)
{
  for (int i = 0; i < n; i++) {
    w[i] = 1.0;
    for (int j = 0; j < n; j++)
      w[i] *= i != j ? x[j] / (x[j] - x[i]) : 1.0;
  }
}

/* From all axes along which there is a node that is less deep: through up to three of them. */
static struct wn_electrode_stencil continued(const struct maker *m, size_t i,
                                             const size_t node[3], int deeper)
{
  struct wn_electrode_stencil s = {.node = i};
  int lines = 0;
  for (int d = 0; d < m->e->dim; d++)
    for (int to = -1; to < 2; to += 2) {
      const struct wn_axis *axis = &m->g->axis[d];
      double x[3], w[3];
      size_t at[3];
      int n = 0;
      for (int far = 1; far <= 3 && n == far - 1; far++) {
        at[n] = next_of(m, i, node, d, to, far, deeper);
        if (at[n] != SIZE_MAX)
          x[n++] = wn_axis_x(axis, (int64_t)node[d] + (int64_t)to * far) -
                   wn_axis_x(axis, (int64_t)node[d]);
      }
      lines += n > 0;
      weights(n, x, w);
      for (int k = 0; k < n; k++)
        add(&s, at[k], w[k]);
    }
  for (int k = 0; k < s.n; k++)
    s.weight[k] /= (double)lines;
  return s;
}

/* All components at a node; 0 along the normal of a plane of symmetry. */
static int continue_at(struct maker *m, size_t i, const size_t node[3], int deeper)
{
  struct wn_electrodes *e = m->e;
  struct wn_electrode_stencil s = continued(m, i, node, deeper);
  const int n = s.n;
  if (n == 0)
    return WN_OK;
  m->depth[i] = (signed char)deeper;
  for (int d = 0; d < e->dim; d++) {
    const int is_end = node[d] == 0 || node[d] + 1 == e->n[d];
    s.axis = d;
    s.n = is_end && m->side[2 * d + (node[d] > 0)] == WN_NEUMANN ? 0 : n;
    WN_TRY(push(&e->inside, &e->n_inside, &m->room_inside, &s));
  }
  return WN_OK;
}

/* ---- the right equation beside a surface */

/* The part of axis d in -div grad phi at a node.  Returns whether a surface cuts an edge along it. */
static int add_axis(const struct maker *m, size_t i, const size_t node[3], int d,
                    struct wn_electrode_stencil *s)
{
  const struct wn_axis *a = &m->g->axis[d];
  const double here = wn_axis_x(a, (int64_t)node[d]),
               of_node = wn_axis_measure(a, (int64_t)node[d]);
  int is_cut = 0;
  size_t at[2];
  double x[2], middle[2], measure = of_node;
  for (int k = 0; k < 2; k++) {
    x[k] = beyond(m, i, node, d, 2 * k - 1, &is_cut, &at[k]);
    middle[k] = here + 0.5 * x[k];
  }
  if (is_cut)
    measure = wn_coordinate_measure(a->coordinate, middle[1]) -
              wn_coordinate_measure(a->coordinate, middle[0]);
  for (int k = 0; k < 2; k++) {
    if (x[k] == 0.0)
      continue;
    const size_t last = m->e->n[d] - 1, edge = k > 0          ? node[d] % last
                                               : node[d] == 0 ? last - 1
                                                              : node[d] - 1;
    const double plain = wn_axis_area(a, (int64_t)edge),
                 area = is_cut ? wn_coordinate_area(a->coordinate, middle[k]) : plain,
                 w = area / (fabs(x[k]) * measure);
    s->weight[0] += w;
    s->part += plain / (fabs(x[k]) * of_node);
    add(s, at[k], -w);
  }
  return is_cut;
}

static int is_by_dielectric(const struct maker *m, size_t i, const size_t node[3])
{
  int is = 0;
  size_t at;
  for (int d = 0; d < m->e->dim; d++)
    is |= is_dielectric(m, i, node, d, -1, 1, &at) ||
          is_dielectric(m, i, node, d, 1, 1, &at);
  return is;
}

static int make_row(struct maker *m, size_t i, const size_t node[3])
{
  struct wn_electrode_stencil s = {.node = i, .n = 1, .from = {i}};
  int is_cut = 0;
  for (int d = 0; d < m->e->dim; d++) {
    const int end = node[d] == 0 ? 0 : node[d] + 1 == m->e->n[d] ? 1 : -1;
    if (end >= 0 && m->side[2 * d + end] == WN_DIRICHLET)
      return WN_OK;
    if (end == 1 && m->side[2 * d] == WN_PERIODIC)
      return WN_OK;
    is_cut |= add_axis(m, i, node, d, &s);
  }
  const int64_t at[3] = {(int64_t)node[0], (int64_t)node[1], (int64_t)node[2]};
  s.part /= s.weight[0];
  s.volume = wn_geometry_volume(m->g, at);
  return is_cut ? push(&m->e->row, &m->e->n_rows, &m->room_row, &s) : WN_OK;
}

/* A cell with a node in the gas has none deeper than dim. */
static int make_stencils(struct maker *m)
{
  struct wn_electrodes *e = m->e;
  FOR_NODES (e, i, node) {
    struct wn_electrode_stencil s;
    const int is_gas = !is_in(e, i) && !m->is_dielectric[i];
    m->depth[i] = is_gas ? 0 : -1;
    for (int d = 0; d < e->dim && is_gas; d++)
      if (beside_dielectric(m, i, node, d, &s) || beside(m, i, node, d, &s))
        WN_TRY(push(&e->beside, &e->n_beside, &m->room_beside, &s));
    if (is_gas && !is_by_dielectric(m, i, node))
      WN_TRY(make_row(m, i, node));
  }
  for (int deeper = 1; deeper <= e->dim; deeper++) {
    FOR_NODES (e, i, node)
      if (m->depth[i] < 0)
        WN_TRY(continue_at(m, i, node, deeper));
    e->inside_end[deeper] = e->n_inside;
  }
  return WN_OK;
}

/* ---- life */

void wn_electrodes_free(struct wn_electrodes *e)
{
  if (e == NULL)
    return;
  free(e->shape);
  free(e->held);
  free(e->cell);
  free(e->beside);
  free(e->inside);
  free(e->row);
  free(e->rho);
  wn_dielectrics_free(e->dielectrics);
  for (int d = 0; d < 3; d++)
    free(e->edge[d]);
  free(e);
}

static int allocate(struct wn_electrodes *e)
{
  size_t cells = 1;
  for (int d = 0; d < e->dim; d++) {
    cells *= e->n[d] - 1;
    e->edge[d] = wn_alloc(e->nodes, sizeof *e->edge[d]);
    if (e->edge[d] == NULL)
      return WN_ENOMEM;
  }
  e->shape = wn_alloc((size_t)e->n_shapes, sizeof *e->shape);
  e->held = wn_alloc(e->nodes, sizeof *e->held);
  e->rho = wn_alloc(e->nodes, sizeof *e->rho);
  e->cell = wn_alloc(cells, sizeof *e->cell);
  return e->shape != NULL && e->held != NULL && e->cell != NULL && e->rho != NULL
             ? WN_OK
             : WN_ENOMEM;
}

size_t wn_electrodes_bytes(int dim, size_t nodes, int permittivities)
{
  return nodes * ((size_t)(dim + 1) * sizeof(double) + sizeof(int32_t) + 1) +
         (permittivities ? wn_dielectrics_bytes(dim, nodes) : 0);
}

/* What permittivities do to the factors of edges, after all that takes these for cuts. */
static int add_dielectrics(struct wn_electrodes *e, const struct wn_geometry *g)
{
  if (e->n_conductors == e->n_shapes)
    return WN_OK;
  WN_TRY(
      wn_dielectrics_create(g, e->shape, e->n_shapes, e->n_conductors, &e->dielectrics));
  for (int d = 0; d < e->dim; d++)
    for (size_t i = 0; i < e->nodes; i++)
      e->edge[d][i] *= e->dielectrics->factor[d][i];
  return WN_OK;
}

static int make(struct wn_electrodes *e, const struct wn_geometry *g,
                const enum wn_potential side[6])
{
  struct maker m = {.e = e,
                    .g = g,
                    .side = side,
                    .depth = wn_alloc(e->nodes, 1),
                    .is_dielectric = wn_alloc(e->nodes, 1)};
  int status = m.depth != NULL && m.is_dielectric != NULL ? WN_OK : WN_ENOMEM;
  if (status == WN_OK) {
    hold(&m);
    hold_near(&m);
    cut_edges(&m);
    flag_cells(&m);
    status = make_stencils(&m);
  }
  free(m.depth);
  free(m.is_dielectric);
  return status == WN_OK ? add_dielectrics(e, g) : status;
}

int wn_electrodes_create(const struct wn_geometry *g, const enum wn_potential side[6],
                         const struct wn_electrode_shape *shape, int n,
                         struct wn_electrodes **out)
{
  struct wn_electrodes *e = wn_alloc(1, sizeof *e);
  if (e == NULL)
    return WN_ENOMEM;
  e->dim = g->dim;
  e->n_shapes = n;
  while (e->n_conductors < n && shape[e->n_conductors].permittivity == 0.0)
    e->n_conductors++;
  e->nodes = 1;
  for (int d = 0; d < 3; d++) {
    e->n[d] = d < g->dim ? (size_t)g->axis[d].cells + 1 : 1;
    e->nodes *= e->n[d];
  }
  int status = allocate(e);
  if (status == WN_OK) {
    memcpy(e->shape, shape, (size_t)n * sizeof *shape);
    status = make(e, g, side);
  }
  if (status != WN_OK) {
    wn_electrodes_free(e);
    return status;
  }
  *out = e;
  return WN_OK;
}

/* ---- solution */

int wn_electrodes_solve(struct wn_electrodes *e, struct wn_poisson *p, const double *rho,
                        const double *volt, double *phi)
{
  memcpy(e->rho, rho, e->nodes * sizeof *rho);
  for (size_t i = 0; i < e->n_rows; i++) /* as without a flux along the surface */
    wn_electrode_begin_row(&e->row[i], e->rho);
  for (int n = 1;; n++) {
    WN_TRY(wn_poisson_solve(p, e->rho, volt, phi));
    if (n == WN_ELECTRODE_SOLVES || e->n_rows == 0)
      return WN_OK;
    for (size_t i = 0; i < e->n_rows; i++)
      wn_electrode_correct_row(&e->row[i], rho, phi, e->rho);
  }
}

void wn_electrodes_lift(struct wn_electrodes *e, const double *rho)
{
  for (size_t i = 0; i < e->n_beside; i++)
    wn_electrode_lift(&e->beside[i], rho);
}

void wn_electrodes_field(const struct wn_electrodes *e, const double *phi, int d,
                         double *at_nodes)
{
  for (size_t i = 0; i < e->n_beside; i++)
    if (e->beside[i].axis == d)
      at_nodes[e->beside[i].node] =
          wn_electrode_sum(&e->beside[i], phi) + e->beside[i].lifted;
  for (size_t i = 0; i < e->n_inside; i++)
    if (e->inside[i].axis == d)
      at_nodes[e->inside[i].node] = wn_electrode_sum(&e->inside[i], at_nodes);
}

void wn_electrodes_gathered(const struct wn_electrodes *e, const double *phi,
                            const struct wn_grid_view *g, float *at_nodes)
{
  for (size_t i = 0; i < e->n_beside; i++)
    wn_electrode_gather_beside(&e->beside[i], e->n, g, phi, at_nodes);
  for (size_t i = 0; i < e->n_inside; i++)
    wn_electrode_gather_inside(&e->inside[i], e->n, g, at_nodes);
}
