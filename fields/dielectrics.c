/* fields/dielectrics.c - see dielectrics.h. */
#include "fields/dielectrics.h"
#include <math.h>
#include <stdlib.h>
#include "base/alloc.h"
#include "base/error.h"

#define LINES    8   /* through a cell, along each axis, by each axis across */
#define PIECES   8   /* of such a line, each searched for a surface */
#define HALVINGS 40  /* of a piece with one */
#define STEP     0.1 /* of a cell, for the gradients of formulas */

/* Sums over lines through a cell. */
struct means {
  double length, eps, inverse;
  double normal[3][3]; /* n n of surfaces, from the places where lines cross them */
};

struct bodies {
  const struct wn_geometry *g;
  const struct wn_electrode_shape *shape;
  int n, first;
};

/* The shape that has x inside; -1: the gas. */
static int body_at(const struct bodies *b, const double x[3])
{
  return wn_electrode_which(b->shape, b->n, b->g->dim, x);
}

/* 0: in an electrode. */
static double eps_of(const struct bodies *b, int body)
{
  return body < 0 ? 1.0 : body < b->first ? 0.0 : b->shape[body].permittivity;
}

/* All nodes i, at node[0] and so on. */
#define FOR_NODES(g, i, node)                                                            \
  for (int64_t node[3] = {0, 0, 0}, i = 0; node[2] <= last_of(g, 2); node[2]++)          \
    for (node[1] = 0; node[1] <= last_of(g, 1); node[1]++)                               \
      for (node[0] = 0; node[0] <= last_of(g, 0); node[0]++, i++)

static int64_t last_of(const struct wn_geometry *g, int d)
{
  return d < g->dim ? g->axis[d].cells : 0;
}

static int64_t step_of(const struct wn_geometry *g, int d)
{
  int64_t step = 1;
  for (int o = 0; o < d; o++)
    step *= last_of(g, o) + 1;
  return step;
}

static void nodes(const struct bodies *b, double *eps)
{
  FOR_NODES (b->g, i, node) {
    double x[3] = {0.0, 0.0, 0.0};
    for (int d = 0; d < b->g->dim; d++)
      x[d] = wn_axis_x(&b->g->axis[d], node[d]);
    eps[i] = fmax(eps_of(b, body_at(b, x)), 1.0);
  }
}

/* ---- the tensor of a box */

static void add_length(const struct bodies *b, int body, double part, struct means *m)
{
  const double eps = eps_of(b, body);
  if (eps == 0.0)
    return;
  m->length += part;
  m->eps += part * eps;
  m->inverse += part / eps;
}

/* At x on the surface between two bodies: that of the one which is not the gas, or comes later. */
static void add_normal(const struct bodies *b, int one, int other, double weight,
                       double step, const double x[3], struct means *m)
{
  double n[3];
  if (eps_of(b, one) == 0.0 || eps_of(b, other) == 0.0)
    return;
  wn_electrode_normal(&b->shape[one > other ? one : other], b->g->dim, step, x, n);
  for (int d = 0; d < b->g->dim; d++)
    for (int o = 0; o < b->g->dim; o++)
      m->normal[d][o] += weight * n[d] * n[o];
}

/* A line from x along d. */
static void add_line(const struct bodies *b, int d, double length, double weight,
                     double x[3], struct means *m)
{
  const double from = x[d], piece = length / PIECES;
  int body = body_at(b, x);
  for (int k = 0; k < PIECES; k++) {
    double low = from + k * piece, high = low + piece;
    const double begin = low, end = high;
    x[d] = high;
    const int next = body_at(b, x);
    for (int i = 0; i < HALVINGS && next != body; i++) {
      x[d] = 0.5 * (low + high);
      if (body_at(b, x) == body)
        low = x[d];
      else
        high = x[d];
    }
    if (next != body)
      add_normal(b, body, next, weight, STEP * length, x, m);
    add_length(b, body, weight * (high - begin) / length, m);
    add_length(b, next, weight * (end - high) / length, m);
    body = next;
  }
  x[d] = from;
}

/* The ends of a box along an axis: from a node to the next, or what is nearest to the node. */
static void ends(const struct wn_axis *a, int64_t node, int whole, double end[2])
{
  const double x = wn_axis_x(a, node);
  end[0] = whole || node == 0 ? x : 0.5 * (wn_axis_x(a, node - 1) + x);
  end[1] = whole             ? wn_axis_x(a, node + 1)
           : node < a->cells ? 0.5 * (wn_axis_x(a, node + 1) + x)
                             : x;
}

/* Lines along d through a box, which has whole edges along the axes with a bit of `whole`. */
static void add_lines(const struct bodies *b, const int64_t node[3], int whole, int d,
                      struct means *m)
{
  const struct wn_geometry *g = b->g;
  double end[3][2] = {{0.0}};
  int other[2] = {d, d}, n = 0;
  for (int o = 0; o < g->dim; o++) {
    ends(&g->axis[o], node[o], whole >> o & 1, end[o]);
    if (o != d)
      other[n++] = o;
  }
  for (int i = 0; i < LINES; i++)
    for (int j = 0; j < (n > 1 ? LINES : 1); j++) {
      const double at[2] = {(i + 0.5) / LINES, (j + 0.5) / LINES};
      double x[3] = {0.0, 0.0, 0.0}, weight = 1.0;
      x[d] = end[d][0];
      for (int k = 0; k < n; k++) {
        const int o = other[k];
        x[o] = end[o][0] + at[k] * (end[o][1] - end[o][0]);
        weight *= wn_coordinate_area(g->axis[o].coordinate, x[o]);
      }
      add_line(b, d, end[d][1] - end[d][0], weight, x, m);
    }
}

/* The tensor of layers in a box about a node. */
static void tensor(const struct bodies *b, const int64_t node[3], int whole,
                   double t[3][3])
{
  struct means along[3] = {{0}};
  double normal[3][3] = {{0.0}}, sum = 0.0;
  int best = 0;
  for (int d = 0; d < b->g->dim; d++) {
    add_lines(b, node, whole, d, &along[d]);
    for (int k = 0; k < 9; k++)
      normal[k / 3][k % 3] += along[d].normal[k / 3][k % 3];
  }
  for (int d = 0; d < b->g->dim; d++) {
    sum += normal[d][d];
    best = normal[d][d] > normal[best][best] ? d : best;
  }
  /* of the lines that are the least oblique, along which the place of the surface is exact */
  const struct means *m = &along[best];
  const double side = m->length > 0.0 ? m->eps / m->length : 1.0,
               series = m->length > 0.0 ? m->length / m->inverse : 1.0;
  for (int d = 0; d < 3; d++)
    for (int o = 0; o < 3; o++)
      t[d][o] = (d == o ? side : 0.0) +
                (sum > 0.0 ? (series - side) * normal[d][o] / sum : 0.0);
}

/* ---- edges and links */

/* Whether nodes about such a box have different permittivities. */
static int is_mixed(const struct wn_geometry *g, const double *eps, int64_t i,
                    const int64_t node[3], int whole)
{
  int is = 0;
  for (int n = 0; n < 27 && !is; n++) {
    int64_t to = i;
    int inside = 1;
    for (int o = 0, k = n; o < 3; o++, k /= 3) {
      const int64_t by = k % 3 - 1 + ((whole >> o & 1) && k % 3 == 0);
      inside &= node[o] + by >= 0 && node[o] + by <= last_of(g, o);
      to += by * step_of(g, o);
    }
    is = inside && eps[to] != eps[i];
  }
  return is;
}

static void make_edges(const struct bodies *b, int d, const double *eps, double *factor)
{
  const struct wn_geometry *g = b->g;
  FOR_NODES (g, i, node) {
    double t[3][3];
    factor[i] = eps[i];
    if (node[d] == last_of(g, d) || !is_mixed(g, eps, i, node, 1 << d))
      continue;
    tensor(b, node, 1 << d, t);
    factor[i] = t[d][d];
  }
}

static int64_t place_of(const struct wn_geometry *g, const int64_t node[3], int corner,
                        int wraps)
{
  int64_t at = 0;
  for (int d = 0; d < g->dim; d++) {
    const struct wn_axis *a = &g->axis[d];
    const int64_t i = node[d] + (corner >> d & 1);
    at += (wraps && a->is_periodic && i == a->cells ? 0 : i) * step_of(g, d);
  }
  return at;
}

/* The part of a node along an axis that lies beside the edge above it, or below. */
static double part_of(const struct wn_axis *a, int64_t i, int above)
{
  double end[2];
  const int c = a->coordinate;
  const double here = wn_coordinate_measure(c, wn_axis_x(a, i));
  if (a->is_periodic && (i == 0 || i == a->cells))
    return 0.5; /* its ends are alike */
  ends(a, i, 0, end);
  const double up = wn_coordinate_measure(c, end[1]) - here,
               down = here - wn_coordinate_measure(c, end[0]);
  return (above ? up : down) / (up + down);
}

/* Conductance of the edge along d of a corner of a face with axis o, that part of it which belongs to this corner, with
 * permittivity 1 and without the third axis. */
static double share(const struct wn_geometry *g, const int64_t node[3], int d, int o,
                    int corner)
{
  const struct wn_axis *a = &g->axis[d], *b = &g->axis[o];
  const int up = corner >> o & 1;
  return 0.5 * wn_axis_area(a, node[d]) / wn_axis_edge(a, node[d]) *
         wn_axis_measure(b, node[o] + up) * part_of(b, node[o] + up, !up);
}

/* The factor of that edge; in three dimensions each of two faces beside it may have half of it. */
static double factor_of(const struct wn_geometry *g, const int64_t node[3], int o,
                        int corner, const double *factor)
{
  int64_t at[3] = {node[0], node[1], node[2]};
  at[o] += corner >> o & 1;
  return factor[place_of(g, at, 0, 0)] / (g->dim > 2 ? 2.0 : 1.0);
}

static int push(struct wn_dielectrics *to, size_t *room, int64_t a, int64_t b, double c)
{
  if (to->n_links == *room) {
    const size_t more = 2 * *room + 64;
    struct wn_poisson_link *link = wn_realloc(to->link, more, sizeof *link);
    if (link == NULL)
      return WN_ENOMEM;
    to->link = link;
    *room = more;
  }
  to->link[to->n_links++] = (struct wn_poisson_link){{(size_t)a, (size_t)b}, c};
  return WN_OK;
}

/* Of the face of a node along d and o. */
static int add_links(const struct bodies *b, const int64_t node[3], int d, int o,
                     size_t *room, struct wn_dielectrics *to)
{
  const struct wn_geometry *g = b->g;
  const int x = 1 << d, y = 1 << o;
  double t[3][3], plain = INFINITY, most = INFINITY;
  tensor(b, node, x | y, t);
  for (int k = 0; k < 4; k++) {
    const int corner = (k & 1 ? x : 0) | (k & 2 ? y : 0);
    const double volume =
        sqrt(share(g, node, d, o, corner) * share(g, node, o, d, corner));
    plain = fmin(plain, volume);
    most = fmin(most, volume * sqrt(factor_of(g, node, o, corner, to->factor[d]) *
                                    factor_of(g, node, d, corner, to->factor[o])));
  }
  double c = 2.0 * copysign(fmin(fabs(t[d][o]) * plain, most), t[d][o]);
  for (int k = 0; k < g->dim; k++)
    c *= k != d && k != o ? wn_axis_measure(&g->axis[k], node[k]) : 1.0;
  if (c == 0.0)
    return WN_OK;
  WN_TRY(push(to, room, place_of(g, node, 0, 1), place_of(g, node, x | y, 1), c));
  return push(to, room, place_of(g, node, x, 1), place_of(g, node, y, 1), -c);
}

static int make_links(const struct bodies *b, struct wn_dielectrics *to)
{
  const struct wn_geometry *g = b->g;
  size_t room = 0;
  FOR_NODES (g, i, node)
    for (int d = 0; d < g->dim; d++)
      for (int o = d + 1; o < g->dim; o++) {
        int is = node[d] < last_of(g, d) && node[o] < last_of(g, o) &&
                 is_mixed(g, to->eps, i, node, 1 << d | 1 << o);
        for (int k = 0; k < g->dim; k++)
          is &= k == d || k == o || !g->axis[k].is_periodic || node[k] < last_of(g, k);
        if (is)
          WN_TRY(add_links(b, node, d, o, &room, to));
      }
  return WN_OK;
}

/* ---- life */

void wn_dielectrics_free(struct wn_dielectrics *d)
{
  if (d == NULL)
    return;
  free(d->eps);
  free(d->link);
  free(d->flux);
  for (int k = 0; k < 3; k++)
    free(d->factor[k]);
  free(d);
}

size_t wn_dielectrics_bytes(int dim, size_t nodes)
{
  return (size_t)(dim + 2) * nodes * sizeof(double);
}

static int make(const struct bodies *b, struct wn_dielectrics *to)
{
  const struct wn_geometry *g = b->g;
  size_t n = 1;
  for (int d = 0; d < g->dim; d++)
    n *= (size_t)last_of(g, d) + 1;
  to->eps = wn_alloc(n, sizeof *to->eps);
  to->flux = wn_alloc(n, sizeof *to->flux);
  if (to->eps == NULL || to->flux == NULL)
    return WN_ENOMEM;
  for (int d = 0; d < g->dim; d++) {
    to->factor[d] = wn_alloc(n, sizeof *to->factor[d]);
    if (to->factor[d] == NULL)
      return WN_ENOMEM;
  }
  nodes(b, to->eps);
  for (int d = 0; d < g->dim; d++)
    make_edges(b, d, to->eps, to->factor[d]);
  WN_TRY(make_links(b, to));
  return WN_OK;
}

int wn_dielectrics_create(const struct wn_geometry *g,
                          const struct wn_electrode_shape *shape, int n, int first,
                          struct wn_dielectrics **out)
{
  const struct bodies b = {g, shape, n, first};
  struct wn_dielectrics *d = wn_alloc(1, sizeof *d);
  if (d == NULL)
    return WN_ENOMEM;
  const int status = make(&b, d);
  if (status != WN_OK) {
    wn_dielectrics_free(d);
    return status;
  }
  *out = d;
  return WN_OK;
}

const double *wn_dielectrics_flux(const struct wn_dielectrics *d, size_t nodes,
                                  const double *phi)
{
  for (size_t i = 0; i < nodes; i++)
    d->flux[i] = 0.0;
  for (size_t k = 0; k < d->n_links; k++) {
    const struct wn_poisson_link *l = &d->link[k];
    const double flux = l->conductance * (phi[l->node[0]] - phi[l->node[1]]);
    d->flux[l->node[0]] += flux;
    d->flux[l->node[1]] -= flux;
  }
  return d->flux;
}

/* ---- charge on a surface */

int wn_dielectrics_divide(const struct wn_geometry *g, const double *eps,
                          const double place[3], int64_t quanta, size_t node[8],
                          int64_t part[8])
{
  const int corners = 1 << g->dim;
  double w[8], all = 0.0, so_far = 0.0;
  for (int c = 0; c < corners; c++) {
    int64_t at = 0;
    w[c] = 1.0;
    for (int d = 0; d < g->dim; d++) {
      const int64_t cells = g->axis[d].cells, low = (int64_t)fmax(floor(place[d]), 0.0),
                    cell = low < cells ? low : cells - 1;
      const double t = fmin(fmax(place[d] - (double)cell, 0.0), 1.0);
      const int up = c >> d & 1;
      int64_t i = cell + up;
      if (g->axis[d].is_periodic && i == cells)
        i = 0;
      w[c] *= up ? t : 1.0 - t;
      at += i * step_of(g, d);
    }
    node[c] = (size_t)at;
    w[c] *= eps[at];
    all += w[c];
  }
  int64_t given = 0;
  for (int c = 0; c < corners;
       c++) { /* each has what is due to it and those before, less theirs */
    so_far += w[c];
    const int64_t due =
        c + 1 < corners ? llrint((double)quanta * (so_far / all)) : quanta;
    part[c] = due - given;
    given = due;
  }
  return corners;
}
