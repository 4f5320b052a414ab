/* fields/poisson/poisson.h - Poisson's equation on a grid of one to three dimensions,
 * div grad phi = -rho / eps0, on the host.  One file a method of solution (struct
 * wn_poisson_ops of parts.h; poisson.c lists them, and takes the first that supports what the
 * grid needs).
 *
 * Grid: the nodes of a geometry (physics/geometry.h), i = 0 .. cells along each axis; along a
 * periodic axis node `cells` is node 0 again.  Arrays here are [nz][ny][nx] doubles with n = cells + 1 along every axis
 * of the grid (x fastest, no guards, the doubled node of a periodic axis included: it is
 * read from node 0 and written as a copy of it).
 *
 * Sides, by pairs:
 *   periodic   both sides of an axis or none
 *   dirichlet  phi is given, one value [V] for the whole side
 *   neumann    d phi / d n = 0: a plane of symmetry
 *   open       free space: all sides of all axes or none, or the side around an axis of
 *              symmetry alone (mixed.c); phi goes to 0 far away in three
 *              dimensions, and in one and two is that of -|x|/2 and -ln r/(2 pi)
 * Where no side fixes the potential (periodic and Neumann only), the mean of rho must be
 * zero: any remainder (rounding, or a neutralising background) is subtracted, and the
 * mean of phi is 0.
 *
 * Methods: `differences`, the three-point operator along each axis, of second order;
 * `multigrid`, the same, solved by multigrid whatever the grid is (multigrid.c), which takes two or
 * three dimensions without open sides; `spectral`, the exact operator of the modes (sines, cosines
 * or both).  Open
 * boundaries: a doubled grid and the Green function integrated over the cell of a node,
 * of second order (open.c; in one dimension that of the three-point
 * operator, so that its equation holds to rounding).  There both methods are the same.
 * Two cells away from the charge of one node phi is within 1 % of that of a point charge,
 * for cubic cells.  Those of modes take constant spacing along lines; `mixed` takes in two
 * dimensions any first axis, as a radius, with constant spacing along the second (mixed.c);
 * `volumes` takes any axes, nodes inside whose potential is given, factors of edges, and
 * links between nodes (volumes.c). */
#ifndef WN_FIELDS_POISSON_H
#define WN_FIELDS_POISSON_H
#include <stddef.h>
#include "physics/geometry.h"
#include "physics/host_device.h"

WN_BEGIN_DECLS

enum wn_potential { WN_PERIODIC, WN_DIRICHLET, WN_NEUMANN, WN_OPEN, WN_N_POTENTIALS };
enum wn_poisson_method {
  WN_POISSON_DIFFERENCES,
  WN_POISSON_SPECTRAL,
  WN_POISSON_MULTIGRID,
  WN_N_POISSON
};

/* Two nodes that exchange flux beside the edges, as across a cell whose permittivity is a tensor: eps0 conductance
 * (phi of the first - phi of the second).  The conductance [m] may be negative, the matrix must stay positive. */
struct wn_poisson_link {
  size_t node[2]; /* places in phi, of a periodic axis those below its end */
  double conductance;
};

struct wn_poisson_spec {
  int dim;
  size_t cells[3];           /* >= 2 along each axis of the grid */
  enum wn_potential side[6]; /* 2 * axis + (0: low, 1: high) */
  struct wn_geometry
      geometry; /* of the same dim and cells; its arrays: until wn_poisson_free */
  /* [nodes], or NULL for 1 everywhere, of each axis: the factor of A/l, area over length of the
   * edge from a node to the next along that axis.  1/theta where a surface cuts the edge at the
   * part theta from its node in the gas, and the other node is held at the potential of the
   * surface; times the relative permittivity on the edge.  The entry of the last node, which has no
   * next one, is not read.  Until wn_poisson_free */
  const double *edge[3];
  const struct wn_poisson_link *link; /* [n_links], until wn_poisson_free */
  size_t n_links;
  enum wn_poisson_method method;
  /* Of multigrid: the residual over that of phi = 0, in the norm r D^-1 r with the diagonal D, at which iterations
   * end, 0: 1e-12; and whether they start from what phi is before solve, so that it decides on the last bits. */
  double tolerance;
  int starts_from_phi;
  int threads; /* 0: all */
  int ranks; /* 0 or 1: the whole grid on one rank; else that it is divided among: planes.h */
};

/* The geometry of dim, cells and sides with constant spacing h [m] along lines. */
static inline void wn_poisson_uniform(struct wn_poisson_spec *spec, const double h[3])
{
  spec->geometry.dim = spec->dim;
  for (int d = 0; d < spec->dim && d < WN_MAX_DIM; d++)
    spec->geometry.axis[d] =
        wn_axis_uniform((int32_t)spec->cells[d], h[d] * (double)spec->cells[d], h[d],
                        spec->side[2 * d] == WN_PERIODIC);
}

/* m, of every edge along axis d; 0 where the spacing is not constant along a line. */
static WN_HD double wn_poisson_h(const struct wn_poisson_spec *spec, int d)
{
  return spec->geometry.axis[d].h;
}

struct wn_poisson;

/* WN_EINPUT with the allowed values: sides that are not compatible, a geometry that is not that of
 * the cells and sides, or no method supports all that they need. */
int wn_poisson_check(const struct wn_poisson_spec *spec);

/* For solvers that are not in the list, as those of GPUs: the same, and WN_EINPUT where the
 * spacing is not constant along lines.  solver: in the message. */
int wn_poisson_check_uniform(const struct wn_poisson_spec *spec, const char *solver);

/* The name of the method of a valid spec. */
const char *wn_poisson_method_name(const struct wn_poisson_spec *spec);

/* WN_EINPUT of wn_poisson_check; WN_ENOMEM.  With several ranks all call this, and solve, together, and
 * fail together. */
int wn_poisson_create(const struct wn_poisson_spec *spec, struct wn_poisson **out);
void wn_poisson_free(struct wn_poisson *p);

/* Bytes that create will allocate (on the first of the ranks), without FFTW's own; undefined for an
 * invalid spec.  SIZE_MAX: overflow. */
size_t wn_poisson_bytes(const struct wn_poisson_spec *spec);

/* rho [C/m3] -> phi [V]; volt: potentials of the Dirichlet sides, and of surfaces inside by their
 * place in the list of the geometry; others are not read (NULL where there are none).  At a node
 * of given potential rho is not read.  At one of
 * a Neumann side it is the density of the half cell (quarter, eighth) in the domain; at
 * one of an open side that of a whole cell.  A node on two Dirichlet sides has the
 * potential of the lower axis, one on a side and on a surface that of the side.  rho and phi may not overlap.  The same bits for the same
 * input on one machine, with any number of threads.
 *
 * WN_EINPUT: a voltage that is not finite; with `spectral`, different ones on more than
 * one axis, or on one while another axis has walls, too.  WN_ERUN: iterations do not end. */
int wn_poisson_solve(struct wn_poisson *p, const double *rho, const double *volt,
                     double *phi);

/* E = -grad phi [V/m], component d of all nodes of a whole grid.
 *   staggered 0  at the nodes: by central differences (the parabola through three nodes), one-sided of second order at
 *                Dirichlet and open sides, 0 along the normal at Neumann sides; by the
 *                spectral method, the derivative of the modes where the axis is periodic,
 *                otherwise as by differences.  At a node of given potential inside,
 *                beside one more along d: from the other side, one-sided; on a plate without
 *                thickness the mean of both sides, so that staggered 1 is better there
 *   staggered 1  at i + 1/2 along d, by differences (entry i; the last entry of a row is
 *                that of the cell beyond: for a periodic axis the first, otherwise a copy
 *                of the one before)
 * phi and e may not overlap. */
void wn_poisson_field(struct wn_poisson *p, const double *phi, int d, int staggered,
                      double *e);

WN_END_DECLS

#endif
