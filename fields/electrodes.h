/* fields/electrodes.h - electrodes inside a grid (physics/electrode.h): which nodes are in them,
 * where their surfaces cut the edges, and E beside them.
 *
 * A node inside is held at the potential of its surface.  An edge from a node in the gas to one
 * inside has the factor 1/theta, theta the part of the edge that lies in the gas, for Poisson's equation
 * (struct wn_poisson_spec).  A node closer to a surface than WN_ELECTRODE_NEAR of an edge is held, too.
 *
 * With these factors alone phi is of second order, and its slope at a surface of first order:
 * the volume of a node beside a surface reaches half-way to the surface, not to the next node.
 * The equation with the right volumes (G. H. Shortley and R. Weller, J. Appl. Phys. 9 (1938) 334, as
 * known, the paper was not at hand) has no symmetric matrix.  wn_electrodes_solve therefore
 * solves the symmetric one WN_ELECTRODE_SOLVES times, and puts what is left of the right equation, times
 * the ratio of both diagonals, into the charge of these nodes in between.  That leaves about 1/100 of what one solve
 * leaves (doc/electrodes.md has the numbers), and E at tips is of second order.
 *
 * E at a node in the gas beside a surface is minus the slope of the parabola through the
 * surface, the node and the next one beyond.  E at a node inside, one cell deep, is continued from the
 * gas along each axis, by a parabola, so that a gather between both kinds of nodes has E of the
 * gas.  Deeper inside E is 0.
 *
 * Dielectrics (fields/dielectrics.h) are shapes after those of electrodes.  Their nodes are not held.  At a node in the gas with
 * one of them beside E is minus the slope of the parabola through it and two nodes of the gas, of the line through two where
 * there are no more; where it lies between two bodies it is the plain difference.  E at their nodes is continued from the gas as
 * into electrodes.  No row is made at nodes whose edges have another permittivity than 1. */
#ifndef WN_FIELDS_ELECTRODES_H
#define WN_FIELDS_ELECTRODES_H
#include <stddef.h>
#include "fields/dielectrics.h"
#include "fields/poisson/poisson.h"
#include "physics/constants.h"
#include "physics/electrode_view.h"
#include "physics/geometry.h"
#include "physics/host_device.h"

WN_BEGIN_DECLS

#define WN_ELECTRODE_NEAR   1e-6
#define WN_ELECTRODE_SOLVES 3

/* A sum over other nodes, by weights. */
struct wn_electrode_stencil {
  size_t node;
  int axis, n;
  size_t from[18]; /* nodes */
  double weight[18];
  double
      part; /* of a row: the diagonal of the symmetric equation over that of this one */
  double volume; /* of a row: of its node, m3 */
  /* of E beside a surface: what wn_electrodes_lift adds, lift (rho - rho at the next node), and how much that is now, V/m */
  size_t next;
  double lift, lifted;
};

struct wn_electrodes {
  int dim, n_shapes;
  int n_conductors; /* the first so many shapes; those after them are dielectrics */
  struct wn_electrode_shape *shape;
  size_t n[3], nodes; /* along each axis, 1 beyond dim */
  int32_t *held;      /* [nodes]: as in struct wn_geometry */
  double *edge[3];    /* [nodes]: as in struct wn_poisson_spec */
  /* [cells], x fastest: whether a cell has a node inside, so that others need no formula */
  unsigned char *cell;
  size_t n_beside, n_inside, n_rows;
  size_t inside_end
      [4]; /* of those inside: that of depth 1, 2, ..., which are made of less deep ones */
  /* E from phi, at nodes in the gas; from E, at nodes inside, in this order; the left side of the right
   * equation, -div grad phi, at nodes beside a surface */
  struct wn_electrode_stencil *beside, *inside, *row;
  struct wn_dielectrics *dielectrics; /* NULL: there are none */
  double *rho; /* [nodes]: of the last solve, with what was put into it */
};

/* ---- one stencil, on the host and in kernels: n [3]: nodes along each axis */

static WN_HD double wn_electrode_sum(const struct wn_electrode_stencil *s,
                                     const double *of_nodes)
{
  double sum = 0.0;
  for (int k = 0; k < s->n; k++)
    sum += s->weight[k] * of_nodes[s->from[k]];
  return sum;
}

/* The place of component `axis` of a node in an array of a grid view. */
static WN_HD size_t wn_electrode_place(const size_t n[3], const struct wn_grid_view *g,
                                       size_t node, int axis)
{
  int64_t i = g->first;
  for (int d = 0; d < g->dim; d++) {
    i += (int64_t)(node % n[d]) * g->step[d];
    node /= n[d];
  }
  return (size_t)(i * g->stride) + (size_t)axis;
}

static WN_HD void wn_electrode_lift(struct wn_electrode_stencil *s, const double *rho)
{
  s->lifted = s->lift != 0.0 ? s->lift * (rho[s->node] - rho[s->next]) : 0.0;
}

/* E beside a surface from phi, and inside from E at other nodes: for a grid view. */
static WN_HD void wn_electrode_gather_beside(const struct wn_electrode_stencil *s,
                                             const size_t n[3],
                                             const struct wn_grid_view *g,
                                             const double *phi, float *e)
{
  e[wn_electrode_place(n, g, s->node, s->axis)] =
      (float)(wn_electrode_sum(s, phi) + s->lifted);
}

static WN_HD void wn_electrode_gather_inside(const struct wn_electrode_stencil *s,
                                             const size_t n[3],
                                             const struct wn_grid_view *g, float *e)
{
  double sum = 0.0;
  for (int k = 0; k < s->n; k++)
    sum += s->weight[k] * (double)e[wn_electrode_place(n, g, s->from[k], s->axis)];
  e[wn_electrode_place(n, g, s->node, s->axis)] = (float)sum;
}

/* The charge of a row for the next solution, from that of the right equation and what the last left of it: rho, next [nodes]. */
static WN_HD void wn_electrode_begin_row(const struct wn_electrode_stencil *s,
                                         double *next)
{
  next[s->node] *= s->part;
}

static WN_HD void wn_electrode_correct_row(const struct wn_electrode_stencil *s,
                                           const double *rho, const double *phi,
                                           double *next)
{
  const double left = rho[s->node] - WN_EPS0 * wn_electrode_sum(s, phi);
  next[s->node] += s->part * left;
}

/* g: axes, and the kinds of the surfaces; sides of the box: as in struct wn_poisson_spec; shapes: those of electrodes before
 * dielectrics.  WN_ENOMEM. */
int wn_electrodes_create(const struct wn_geometry *g, const enum wn_potential side[6],
                         const struct wn_electrode_shape *shape, int n,
                         struct wn_electrodes **out);
void wn_electrodes_free(struct wn_electrodes *e);

/* Bytes of create for a grid of so many nodes, without those that depend on the surfaces; permittivities: of dielectrics, too. */
size_t wn_electrodes_bytes(int dim, size_t nodes, int permittivities);

/* As wn_poisson_solve, of a p with the held nodes and factors of e.  Errors of that. */
int wn_electrodes_solve(struct wn_electrodes *e, struct wn_poisson *p, const double *rho,
                        const double *volt, double *phi);

/* What the layer of particles at the surfaces adds to E, from now on, with the density rho [nodes] of the equation.
 * With a surface at a small part theta of an edge, the slope of the parabola at the node beside it is E at the
 * surface, and not that of the middle of the charge that the node stands for: electrons that start there would be too
 * slow, and their current too low.  So (1 - theta) of the difference to the parabola through the surface and the next two nodes is
 * added, as far as it comes from charge: in one dimension
 * (1 - theta)^2/(2 + theta) h (rho - rho at the next node)/eps0, by the third difference of phi and Poisson's equation; and n^2 of
 * that where the normal has the component n along the axis (derived here).  0 without charge, so tips stay what they
 * are; an error of second order where the density is no layer along the surface. */
void wn_electrodes_lift(struct wn_electrodes *e, const double *rho);

/* E along d at all nodes [nodes], made as without electrodes: where it is another one. */
void wn_electrodes_field(const struct wn_electrodes *e, const double *phi, int d,
                         double *at_nodes);

/* The same for all components of E of a grid view, with guards. */
void wn_electrodes_gathered(const struct wn_electrodes *e, const double *phi,
                            const struct wn_grid_view *g, float *at_nodes);

/* Of the last solve, over nodes without given potential: their charge [C], the flux from them to the others
 * times eps0 [C], what is left of the solved equation and the largest charge over eps0 [V/m2]; and the sum
 * of A/l (phi - phi)^2 over all edges, V2 m.  The charge is that of the solver, with what
 * wn_electrodes_solve put into it. */
struct wn_electrode_sums {
  double inside, through, left, largest, square;
};
void wn_electrodes_sums(const struct wn_electrodes *e, const struct wn_geometry *g,
                        const enum wn_potential side[6], const double *phi,
                        struct wn_electrode_sums *out);

/* C of each of the n electrodes, by the flux from its nodes and what wn_electrodes_solve put into the charge of those
 * beside it, less the charge of its nodes in rho, which is that of this solution, phi.  In two dimensions along
 * lines per m. */
void wn_electrodes_charges(const struct wn_electrodes *e, const struct wn_geometry *g,
                           const enum wn_potential side[6], const double *rho,
                           const double *phi, int n, double *out);

/* As particles meet them; valid as long as e. */
static inline struct wn_electrode_view wn_electrodes_view(const struct wn_electrodes *e)
{
  const struct wn_electrode_view v = {e->dim, e->n_shapes, e->shape, e->cell};
  return v;
}

/* Where a way came from the gas: place [cells] is inside at its end, and comes out on the surface; way: m, along
 * the axes of a velocity (physics/radial.h in r-z), the last straight part of the path; h: m, of a cell.  normal:
 * the unit vector out of the surface there.  Where the way does not lead into the gas, as of a particle that
 * was born inside, the place goes along the normals.  Returns 0 where that finds no surface either. */
int wn_electrodes_entry(const struct wn_electrodes *e, const double h[3], int is_radial,
                        const double way[3], double place[3], double normal[3]);

WN_END_DECLS

#endif
