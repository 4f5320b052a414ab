/* fields/poisson/volumes.c - Poisson's equation on any geometry (physics/geometry.h): stretched
 * axes, axes of symmetry, nodes inside whose potential is given, and factors of edges.
 *
 * Finite volumes: each node has a volume V_i, and across the face A_ij on the edge of length
 * l_ij between two nodes passes the flux eps0 (phi_i - phi_j) A_ij / l_ij.  Gauss's law of the
 * volume of a node without given potential is
 *
 *   sum_j C_ij (phi_i - phi_j) = rho_i V_i / eps0,   C_ij = f_ij A_ij / l_ij,
 *
 * with C in m (m2 and 1 in a column of 1 m2 and a layer of 1 m: as physics/geometry.h counts).
 * No flux passes a side of Neumann's condition, which has no face.  On constant spacing along
 * lines this is the three-point operator of `differences` times V_i; on any smooth geometry it
 * is of second order.  The matrix is symmetric, and positive where some potential is given.
 * Derived here from the divergence theorem; t/fields/t0702-volumes.c.
 *
 * The factor f_ij of an edge is 1, or what the spec says.  Where a surface cuts the edge at the part
 * theta from its node in the gas, the other node is held at the potential of the surface and f =
 * 1/theta: the difference of phi is that over the way to the surface.  The matrix stays symmetric,
 * and phi is of second order (F. Gibou, R. P. Fedkiw, L.-T. Cheng and M. Kang, J. Comput. Phys. 176
 * (2002) 205, as known, the paper was not at hand; measured by t/fields/t0702-volumes.c).
 *
 * One axis: by elimination along it, exact to rounding.  Two and three: by conjugate gradients
 * with the diagonal as preconditioner (M. R. Hestenes and E. Stiefel, J. Res. Natl. Bur. Stand.
 * 49 (1952) 409; formulae as known, the paper was not at hand), from phi = 0 in each solve, so
 * that a solution depends on nothing but its input.  They end when the residual r, in the norm
 * r D^-1 r with the diagonal D, is below TOLERANCE of that of the right-hand side.  Sums are
 * over rows, then over the rows in their order: the same bits with any number of threads. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/error.h"
#include "base/threads.h"
#include "fields/poisson/parts.h"
#include "physics/constants.h"

#define TOLERANCE 1e-13

/* Below so many nodes one thread is faster than several. */
#define NODES_OF_ONE_THREAD 8192

struct volumes {
  struct wn_poisson head;
  size_t n[3], step[3], nodes; /* along each axis, 1 beyond dim; as in phi */
  int is_floating;             /* no potential is given */
  double *measure[3];          /* [n] of each axis: wn_axis_measure */
  double *over[3];   /* [n - 1]: area over edge, the part of C that an axis has */
  signed char *kind; /* [nodes] */
  double *row;       /* [n[1]][n[2]], a sum of each row */
  double *diagonal, *residual, *direction, *product; /* [nodes]; of one axis: n each */
};

/* Kinds of nodes. */
enum {
  UNKNOWN,
  GIVEN, /* its potential */
  COPY   /* the second end of a periodic axis */
};

static struct volumes *of(struct wn_poisson *p)
{
  return (struct volumes *)(void *)p;
}

/* ---- life */

/* Links are between nodes of different lines: elimination has none. */
static int takes(const struct wn_poisson_spec *s)
{
  return s->dim > 1 || s->n_links == 0;
}

/* Shapes; no memory. */
static void lay_out(struct volumes *p, const struct wn_poisson_spec *spec)
{
  *p = (struct volumes){.head = {&wn_poisson_volumes, *spec}, .nodes = 1};
  for (int d = 0; d < 3; d++) {
    p->n[d] = d < spec->dim ? spec->cells[d] + 1 : 1;
    p->step[d] = p->nodes;
    p->nodes *= p->n[d];
  }
}

static size_t bytes(const struct wn_poisson_spec *spec)
{
  struct volumes p;
  double nodes = 1.0;
  for (int d = 0; d < spec->dim; d++)
    nodes *= (double)spec->cells[d] + 1.0;
  if (nodes > 1e17)
    return SIZE_MAX;
  lay_out(&p, spec);
  return sizeof p + p.nodes * (4 * sizeof(double) + sizeof *p.kind) +
         (2 * (p.n[0] + p.n[1] + p.n[2]) + p.n[1] * p.n[2]) * sizeof(double);
}

static void destroy(struct wn_poisson *head)
{
  struct volumes *p = of(head);
  if (p == NULL)
    return;
  for (int d = 0; d < 3; d++) {
    free(p->measure[d]);
    free(p->over[d]);
  }
  free(p->kind);
  free(p->row);
  free(p->diagonal);
  free(p->residual);
  free(p->direction);
  free(p->product);
  free(p);
}

static int allocate(struct volumes *p)
{
  double **const arrays[] = {&p->diagonal, &p->residual, &p->direction, &p->product};
  for (int d = 0; d < 3; d++) {
    p->measure[d] = wn_alloc(p->n[d], sizeof *p->measure[d]);
    p->over[d] = wn_alloc(p->n[d], sizeof *p->over[d]);
    if (p->measure[d] == NULL || p->over[d] == NULL)
      return WN_ENOMEM;
  }
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
    *arrays[i] = wn_alloc(p->nodes, sizeof **arrays[i]);
    if (*arrays[i] == NULL)
      return WN_ENOMEM;
  }
  p->kind = wn_alloc(p->nodes, sizeof *p->kind);
  p->row = wn_alloc(p->n[1] * p->n[2], sizeof *p->row);
  return p->kind != NULL && p->row != NULL ? WN_OK : WN_ENOMEM;
}

/* All nodes i, x at node[0] and so on. */
#define FOR_NODES(p, i, node)                                                            \
  for (size_t node[3] = {0, 0, 0}, i = 0; node[2] < (p)->n[2]; node[2]++)                \
    for (node[1] = 0; node[1] < (p)->n[1]; node[1]++)                                    \
      for (node[0] = 0; node[0] < (p)->n[0]; node[0]++, i++)

/* What gives a node its potential: a side, that of the lower axis first, or a surface inside; -1: none. */
static int giver(const struct volumes *p, size_t i, const size_t node[3])
{
  const struct wn_poisson_spec *s = &p->head.spec;
  for (int d = 0; d < s->dim; d++) {
    if (s->side[2 * d] == WN_DIRICHLET && node[d] == 0)
      return 2 * d;
    if (s->side[2 * d + 1] == WN_DIRICHLET && node[d] == s->cells[d])
      return 2 * d + 1;
  }
  return s->geometry.held != NULL ? s->geometry.held[i] : -1;
}

static int kind_of(const struct volumes *p, size_t i, const size_t node[3])
{
  const struct wn_poisson_spec *s = &p->head.spec;
  for (int d = 0; d < s->dim; d++)
    if (s->side[2 * d] == WN_PERIODIC && node[d] == s->cells[d])
      return COPY;
  return giver(p, i, node) >= 0 ? GIVEN : UNKNOWN;
}

/* ---- faces */

/* The volume of a node. */
static double volume(const struct volumes *p, const size_t node[3])
{
  return p->measure[0][node[0]] * p->measure[1][node[1]] * p->measure[2][node[2]];
}

/* C of the edge along d from node[d] = `from` to the next; the other axes as in `node`.  i: the
 * index of the node at `from`. */
static double conductance(const struct volumes *p, int d, const size_t node[3],
                          size_t from, size_t i)
{
  const double *factor = p->head.spec.edge[d];
  double c = factor != NULL ? p->over[d][from] * factor[i] : p->over[d][from];
  for (int o = 0; o < 3; o++)
    c *= o != d ? p->measure[o][node[o]] : 1.0;
  return c;
}

/* The neighbour of node i along d, high or low: its index, and *c of the edge; i itself, and 0,
 * where there is none. */
static size_t beside(const struct volumes *p, size_t i, const size_t node[3], int d,
                     int high, double *c)
{
  const size_t cells = p->n[d] - 1, at = node[d];
  const int wraps = p->head.spec.side[2 * d] == WN_PERIODIC;
  *c = 0.0;
  if (high) {
    if (at == cells)
      return i;
    *c = conductance(p, d, node, at, i);
    return at + 1 == cells && wraps ? i - at * p->step[d] : i + p->step[d];
  }
  if (at == 0 && !wraps)
    return i;
  const size_t from = (at > 0 ? at : cells) - 1,
               other = i + from * p->step[d] - at * p->step[d];
  *c = conductance(p, d, node, from, other);
  return other;
}

static void prepare(struct volumes *p)
{
  const struct wn_poisson_spec *s = &p->head.spec;
  for (int d = 0; d < 3; d++)
    for (size_t i = 0; i < p->n[d]; i++) {
      const struct wn_axis *a = &s->geometry.axis[d];
      p->measure[d][i] = d < s->dim ? wn_axis_measure(a, (int64_t)i) : 1.0;
      if (i + 1 < p->n[d])
        p->over[d][i] = wn_axis_area(a, (int64_t)i) / wn_axis_edge(a, (int64_t)i);
    }
  p->is_floating = 1;
  FOR_NODES (p, i, node) {
    p->kind[i] = (signed char)kind_of(p, i, node);
    p->is_floating &= p->kind[i] != GIVEN;
    for (int d = 0; d < s->dim; d++)
      for (int high = 0; high < 2 && p->kind[i] == UNKNOWN; high++) {
        double c;
        beside(p, i, node, d, high, &c);
        p->diagonal[i] += c;
      }
  }
}

static int create(const struct wn_poisson_spec *spec, struct wn_poisson **out)
{
  struct volumes *p = wn_alloc(1, sizeof *p);
  if (p == NULL)
    return WN_ENOMEM;
  lay_out(p, spec);
  const int status = allocate(p);
  if (status != WN_OK) {
    destroy(&p->head);
    return status;
  }
  prepare(p);
  *out = &p->head;
  return WN_OK;
}

/* ---- the potential that is given, and the mean that is not */

/* The given potential, 0 elsewhere.  WN_EINPUT. */
static int set_given(const struct volumes *p, const double *volt, double *phi)
{
  FOR_NODES (p, i, node) {
    phi[i] = p->kind[i] == GIVEN ? volt[giver(p, i, node)] : 0.0;
    if (!isfinite(phi[i]))
      return WN_FAIL(WN_EINPUT, "a wall of %g V: a finite potential is needed", phi[i]);
  }
  return WN_OK;
}

/* By volume, over all nodes but copies. */
static double mean(const struct volumes *p, const double *of_nodes)
{
  double sum = 0.0, all = 0.0;
  FOR_NODES (p, i, node)
    if (p->kind[i] != COPY) {
      const double v = volume(p, node);
      sum += of_nodes[i] * v;
      all += v;
    }
  return sum / all;
}

static void close_periodic(const struct volumes *p, double *phi)
{
  for (int d = 0; d < p->head.spec.dim; d++)
    if (p->head.spec.side[2 * d] == WN_PERIODIC)
      FOR_NODES (p, i, node)
        if (node[d] + 1 == p->n[d])
          phi[i] = phi[i - node[d] * p->step[d]];
}

/* ---- one axis: elimination, along the nodes from one whose potential is given where the axis is
 * periodic, once round.  A node of given potential is a row phi = V. */

static void eliminate(struct volumes *p, const double *rho, double taken, double *phi)
{
  const size_t cells = p->n[0] - 1;
  const int wraps = p->head.spec.side[0] == WN_PERIODIC;
  double *value = p->residual,
         *ratio = p->product; /* phi_k = value_k + ratio_k phi_{k+1} */
  double before = 0.0;        /* C to node k - 1 */
  double back = 0.0; /* and what is left of it: to the last given potential, in series */
  size_t first = 0;
  WN_ASSERT(cells > 0); /* wn_poisson_check */
  while (wraps && !p->is_floating && p->kind[first] != GIVEN)
    first++;
  for (size_t k = 0; k <= cells; k++) {
    const size_t i = wraps ? (first + k) % cells : k;
    const double after = k < cells ? conductance(p, 0, (size_t[3]){i, 0, 0}, i, i) : 0.0;
    /* where none is given, 0 V at node 0: the sum of all equations is 0, so its own follows */
    if (p->kind[i] == GIVEN || (p->is_floating && i == 0)) {
      value[k] = phi[i];
      ratio[k] = 0.0;
      back = after;
    } else {
      const double diagonal = back + after,
                   charge = (rho[i] - taken) / WN_EPS0 * p->measure[0][i];
      value[k] = (charge + (k > 0 ? before * value[k - 1] : 0.0)) / diagonal;
      ratio[k] = after / diagonal;
      back *= ratio[k];
    }
    before = after;
  }
  for (size_t k = cells + 1; k-- > 0;) {
    const size_t i = wraps ? (first + k) % cells : k,
                 next = wraps ? (first + k + 1) % cells : k + 1;
    phi[i] = value[k] + (k < cells ? ratio[k] * phi[next] : 0.0);
  }
}

/* ---- conjugate gradients.  Each pass is over rows, some of which may run at the same time. */

#ifdef _OPENMP
#define WN_PRAGMA(text) _Pragma(#text)
#define FOR_ROWS(p)                                                                      \
  WN_PRAGMA(omp parallel for collapse(2) num_threads(wn_threads((p)->head.spec.threads)) \
                schedule(static) if ((p)->nodes > NODES_OF_ONE_THREAD))                  \
  ROWS(p)
#else
#define FOR_ROWS(p) ROWS(p)
#endif
#define ROWS(p)                                                                          \
  for (size_t k = 0; k < (p)->n[2]; k++)                                                 \
    for (size_t j = 0; j < (p)->n[1]; j++)

static double sum_of_rows(const struct volumes *p)
{
  double sum = 0.0;
  for (size_t i = 0; i < p->n[1] * p->n[2]; i++)
    sum += p->row[i];
  return sum;
}

/* The outward flux from a node over eps0, of the potential x. */
static double flux(const struct volumes *p, size_t i, const size_t node[3],
                   const double *x)
{
  double sum = 0.0, c;
  for (int d = 0; d < p->head.spec.dim; d++)
    for (int high = 0; high < 2; high++) {
      const size_t other = beside(p, i, node, d, high, &c);
      sum += c * (x[i] - x[other]);
    }
  return sum;
}

/* The flux of x by links [V m], times `sign`, added to `out` at unknown nodes; returns x times it.  One after the other. */
static double add_links(const struct volumes *p, const double *x, double sign,
                        double *out)
{
  const struct wn_poisson_spec *s = &p->head.spec;
  double sum = 0.0;
  for (size_t k = 0; k < s->n_links; k++) {
    const size_t *at = s->link[k].node;
    const double f = sign * s->link[k].conductance * (x[at[0]] - x[at[1]]);
    for (int i = 0; i < 2; i++)
      if (p->kind[at[i]] == UNKNOWN) {
        out[at[i]] += i == 0 ? f : -f;
        sum += x[at[i]] * (i == 0 ? f : -f);
      }
  }
  return sum;
}

/* residual = right-hand side - flux of phi; 0 at nodes that are no unknowns. */
static void begin(struct volumes *p, const double *rho, double taken, const double *phi)
{
  FOR_ROWS (p) {
    size_t node[3] = {0, j, k}, i = j * p->step[1] + k * p->step[2];
    for (; node[0] < p->n[0]; node[0]++, i++)
      p->residual[i] =
          p->kind[i] == UNKNOWN
              ? (rho[i] - taken) / WN_EPS0 * volume(p, node) - flux(p, i, node, phi)
              : 0.0;
  }
  add_links(p, phi, -1.0, p->residual);
}

/* Where nothing is given, what rounding left of the sum of residuals, which is 0. */
static void take_sum(struct volumes *p)
{
  double sum = 0.0, all = 0.0;
  FOR_NODES (p, i, node)
    if (p->kind[i] != COPY) {
      sum += p->residual[i];
      all += volume(p, node);
    }
  FOR_NODES (p, i, node)
    if (p->kind[i] != COPY)
      p->residual[i] -= sum / all * volume(p, node);
}

/* residual D^-1 residual. */
static double norm(struct volumes *p)
{
  FOR_ROWS (p) {
    double sum = 0.0;
    const size_t first = j * p->step[1] + k * p->step[2];
    for (size_t i = first; i < first + p->n[0]; i++)
      if (p->kind[i] == UNKNOWN)
        sum += p->residual[i] * p->residual[i] / p->diagonal[i];
    p->row[j + k * p->n[1]] = sum;
  }
  return sum_of_rows(p);
}

/* direction = D^-1 residual + beta direction. */
static void turn(struct volumes *p, double beta)
{
  FOR_ROWS (p) {
    const size_t first = j * p->step[1] + k * p->step[2];
    for (size_t i = first; i < first + p->n[0]; i++)
      p->direction[i] = p->kind[i] == UNKNOWN
                            ? p->residual[i] / p->diagonal[i] + beta * p->direction[i]
                            : 0.0;
  }
}

/* product = the flux of direction; returns direction product. */
static double multiply(struct volumes *p)
{
  FOR_ROWS (p) {
    double sum = 0.0;
    size_t node[3] = {0, j, k}, i = j * p->step[1] + k * p->step[2];
    for (; node[0] < p->n[0]; node[0]++, i++) {
      if (p->kind[i] != UNKNOWN)
        continue;
      p->product[i] = flux(p, i, node, p->direction);
      sum += p->direction[i] * p->product[i];
    }
    p->row[j + k * p->n[1]] = sum;
  }
  return sum_of_rows(p) + add_links(p, p->direction, 1.0, p->product);
}

static void advance(struct volumes *p, double alpha, double *phi)
{
  FOR_ROWS (p) {
    const size_t first = j * p->step[1] + k * p->step[2];
    for (size_t i = first; i < first + p->n[0]; i++)
      if (p->kind[i] == UNKNOWN) {
        phi[i] += alpha * p->direction[i];
        p->residual[i] -= alpha * p->product[i];
      }
  }
}

static int iterate(struct volumes *p, const double *rho, double taken, double *phi)
{
  begin(p, rho, taken, phi);
  if (p->is_floating)
    take_sum(p);
  double now = norm(p), beta = 0.0;
  const double end = TOLERANCE * TOLERANCE * now;
  const size_t most =
      p->nodes + 1000; /* exact arithmetic needs at most one for each node */
  for (size_t n = 0; now > end; n++) {
    if (n == most || !isfinite(now))
      return WN_FAIL(WN_ERUN,
                     "Poisson's equation: the residual is %.3g of the charge after %zu "
                     "iterations, not below %.3g",
                     TOLERANCE * sqrt(now / end), n, TOLERANCE);
    turn(p, beta);
    advance(p, now / multiply(p), phi);
    const double before = now;
    now = norm(p);
    beta = now / before;
  }
  return WN_OK;
}

static int solve(struct wn_poisson *head, const double *rho, const double *volt,
                 double *phi)
{
  struct volumes *p = of(head);
  WN_TRY(set_given(p, volt, phi));
  const double taken = p->is_floating ? mean(p, rho) : 0.0;
  if (head->spec.dim == 1)
    eliminate(p, rho, taken, phi);
  else
    WN_TRY(iterate(p, rho, taken, phi));
  if (p->is_floating) {
    const double level = mean(p, phi);
    for (size_t i = 0; i < p->nodes; i++)
      phi[i] -= level;
  }
  close_periodic(p, phi);
  return WN_OK;
}

const struct wn_poisson_ops wn_poisson_volumes = {
    .name = "volumes",
    .supports = WN_POISSON_NEEDS_AXES | WN_POISSON_NEEDS_INSIDE | WN_POISSON_NEEDS_EDGES |
                WN_POISSON_NEEDS_LINKS,
    .takes = takes,
    .check = wn_poisson_check_centre,
    .bytes = bytes,
    .create = create,
    .solve = solve,
    .field = wn_poisson_slopes,
    .free = destroy,
};
