/* t0725-electrode-shares.c - defends: the charge of particles in cells that a surface cuts (fields/electrode_shares.h).
 *   - a plane that cuts edges at any part of a cell, and a sheet of charge at any place in the gas: the potential
 *     at all nodes is that of a sheet between two plates, x_s (1 - x/d) sigma/eps0 beyond it (elementary), to the 0.4 % that
 *     three solves leave (fields/electrodes.h); also in r-z, where the plane lies across the axis
 *   - a uniform density that is deposited in the gas is seen as that at all nodes beside a surface: exactly beside a plane,
 *     within 4 % beside a circle and a sphere, whose edges are cut anywhere; without the shares it is up to half too low
 *   - a uniform charge on the surface of a circle, and of a sphere in r-z, makes no field in the gas: with the shares less than 1e-3 of
 *     that without, and 0.15 of it for a sphere in a box with 12 cells, whose pieces are sampled at 16 places each
 *   - a uniform background stays what it is; an electrode of one node across takes nothing
 *   - E at a node beside a plane is lifted as the header says, and not where there is no charge
 *   - a particle in a circle comes out where its straight way meets it, with the normal there, by hand; one with a way that
 *     begins inside, along the radius; in r-z one that goes across, where the hyperbola of its way does */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "fields/electrode_shares.h"
#include "fields/electrode_surface.h"
#include "fields/electrodes.h"
#include "fields/geometry.h"
#include "physics/constants.h"
#include "t/tap/tap.h"

#define MOST (25 * 25 * 25)

static double rho[MOST], phi[MOST];

struct scene {
  struct wn_geometry g;
  struct wn_surface surface[7];
  struct wn_poisson_spec spec;
  struct wn_electrodes *e;
  struct wn_electrode_shares *s;
  struct wn_poisson *p;
};

/* n cells of 1/n along each axis; is_plane: Neumann's sides but those of axis 1. */
static void begin(struct scene *o, int dim, int is_rz, int32_t n, int is_plane,
                  const struct wn_electrode_shape *shape)
{
  *o = (struct scene){.g = {.dim = dim}};
  for (int d = 0; d < dim; d++)
    o->g.axis[d] = is_rz && d == 0 ? wn_axis_radial(n, 1.0, 1.0 / n, WN_SHAPE_CIC)
                                   : wn_axis_uniform(n, 1.0, 1.0 / n, 0);
  o->spec.dim = dim;
  for (int d = 0; d < dim; d++)
    o->spec.cells[d] = (size_t)n;
  o->spec.geometry = o->g;
  for (int i = 0; i < 7; i++) {
    const int is_open = (is_rz && i == 0) || (is_plane && i / 2 != 1);
    o->surface[i] = (struct wn_surface){.name = "", .potential = WN_DIRICHLET};
    if (i < 6)
      o->spec.side[i] = is_open ? WN_NEUMANN : WN_DIRICHLET;
    if (i < 6 && is_open)
      o->surface[i].potential = WN_NEUMANN;
  }
  o->surface[2 * dim].potential = WN_DIRICHLET;
  WN_ASSERT(wn_electrodes_create(&o->g, o->spec.side, shape, 1, &o->e) == WN_OK);
  WN_ASSERT(wn_electrode_shares_create(o->e, &o->g, o->spec.side, &o->s) == WN_OK);
  o->spec.geometry.surface = o->surface;
  o->spec.geometry.n_surfaces = 2 * dim + 1;
  o->spec.geometry.held = o->e->held;
  for (int d = 0; d < dim; d++)
    o->spec.edge[d] = o->e->edge[d];
  WN_ASSERT(wn_poisson_create(&o->spec, &o->p) == WN_OK);
  memset(rho, 0, sizeof rho);
}

static void end(struct scene *o)
{
  wn_poisson_free(o->p);
  wn_electrode_shares_free(o->s);
  wn_electrodes_free(o->e);
}

static double volume_of(const struct scene *o, size_t node)
{
  int64_t at[3];
  for (int d = 0; d < 3; d++) {
    at[d] = (int64_t)(node % o->e->n[d]);
    node /= o->e->n[d];
  }
  return wn_geometry_volume(&o->g, at);
}

/* A charge at a place, linear in it, as a deposit does. */
static void deposit(const struct scene *o, const double x[3], double charge)
{
  for (int k = 0; k < 1 << o->g.dim; k++) {
    size_t node = 0, step = 1;
    double w = charge;
    for (int d = 0; d < o->g.dim; d++) {
      const double at = x[d] * (double)(o->e->n[d] - 1),
                   low = fmin(floor(at), (double)o->e->n[d] - 2.0);
      node += ((size_t)low + (size_t)(k >> d & 1)) * step;
      step *= o->e->n[d];
      w *= k >> d & 1 ? at - low : 1.0 - (at - low);
    }
    rho[node] += w / volume_of(o, node);
  }
}

static int solve(struct scene *o)
{
  const double volt[7] = {0.0};
  wn_electrode_shares_apply(o->s, rho, 0.0);
  return wn_electrodes_solve(o->e, o->p, o->s->rho, volt, phi);
}

/* ---- planes */

#define CELLS 20

static struct wn_electrode_shape plate_up_to(double top)
{
  return (struct wn_electrode_shape){
      .kind = WN_ELECTRODE_BOX, .surface = 4, .from = {-1.0, -1.0}, .to = {2.0, top}};
}

static void plane(int is_rz, double part, double sheet)
{
  struct scene o;
  const double h = 1.0 / CELLS, top = (3.0 - part) * h, d = 1.0 - top, x_s = sheet * h,
               x[2] = {0.0, top + x_s};
  const struct wn_electrode_shape shape = plate_up_to(top);
  double worst = 0.0;
  begin(&o, 2, is_rz, CELLS, 1, &shape);
  for (size_t i = 0; i <= CELLS; i++) { /* 1 C/m2, by the measures of nodes */
    const double measure = wn_axis_measure(&o.g.axis[0], (int64_t)i),
                 at[3] = {(double)i * h, x[1], 0.0};
    deposit(&o, at, measure * WN_EPS0);
  }
  ok(solve(&o) == WN_OK, "a plane at %.3g of a cell, a sheet at %.3g: solved", part,
     sheet);
  for (size_t i = 0; i < o.e->nodes; i++) {
    const double z = (double)(i / (CELLS + 1)) * h - top,
                 want = z <= 0.0  ? 0.0
                        : z < x_s ? z * (1.0 - x_s / d)
                                  : x_s * (1.0 - z / d);
    worst = fmax(worst, fabs(phi[i] - want));
  }
  is_near(worst / fmax(x_s, 1e-3 * h), 0.0, 5e-3,
          "%s: the potential is that of a sheet between plates", is_rz ? "r-z" : "2-D");
  end(&o);
}

/* ---- uniform densities */

/* The places of n parts of each edge of all cells. */
static void fill(const struct scene *o, const struct wn_electrode_shape *shape, int cells,
                 int n)
{
  const int of = cells * n, dim = o->g.dim;
  const double edge = 1.0 / of;
  for (int64_t i = 0; i < (dim > 2 ? (int64_t)of : 1) * of * of; i++) {
    double x[3] = {0.0, 0.0, 0.0}, volume = 1.0;
    int64_t at = i;
    for (int d = 0; d < dim; d++, at /= of) {
      const int c = o->g.axis[d].coordinate;
      x[d] = ((double)(at % of) + 0.5) * edge;
      volume *= wn_coordinate_measure(c, x[d] + 0.5 * edge) -
                wn_coordinate_measure(c, x[d] - 0.5 * edge);
    }
    if (wn_electrode_at(shape, 1, dim, x) < 0)
      deposit(o, x, volume);
  }
}

static void uniform(const char *what, int dim, int is_rz, int cells, int n,
                    const struct wn_electrode_shape *shape, double most)
{
  struct scene o;
  double with = 0.0, without = 0.0;
  begin(&o, dim, is_rz, cells, 0, shape);
  fill(&o, shape, cells, n);
  wn_electrode_shares_apply(o.s, rho, 0.0);
  for (size_t i = 0; i < o.s->n_rows; i++) {
    with = fmax(with, fabs(o.s->rho[o.s->row[i].node] - 1.0));
    without = fmax(without, fabs(rho[o.s->row[i].node] - 1.0));
  }
  ok(o.s->n_rows > 10 && with < most && without > 0.1,
     "%s: a uniform density at %zu nodes, to %.3g; without shares %.3g", what,
     o.s->n_rows, with, without);
  for (size_t i = 0; i < o.e->nodes; i++)
    rho[i] = 0.7;
  wn_electrode_shares_apply(o.s, rho, 0.7);
  with = 0.0;
  for (size_t i = 0; i < o.e->nodes; i++)
    with = fmax(with, fabs(o.s->rho[i] - 0.7));
  is_near(with, 0.0, 1e-15, "%s: a background stays", what);
  end(&o);
}

/* ---- a charge on a surface */

static void on_piece(const struct wn_electrode_piece *piece, void *context)
{
  const struct scene *o = context;
  const int n = 9, across = o->g.dim > 2 ? n : 1;
  for (int i = 0; i < n; i++)
    for (int k = 0; k < across; k++) {
      double x[3];
      wn_electrode_on_piece(&o->g, piece, (i + 0.5) / n, (k + 0.5) / across, x);
      deposit(o, x, WN_EPS0 * piece->area / (n * across));
    }
}

/* The greatest potential in the gas. */
static double most_of(const struct scene *o)
{
  double most = 0.0;
  for (size_t i = 0; i < o->e->nodes; i++)
    most = fmax(most, fabs(phi[i]));
  return most;
}

static void on_surface(const char *what, int dim, int is_rz, int cells,
                       const struct wn_electrode_shape *shape, double most)
{
  struct scene o;
  const double volt[7] = {0.0};
  begin(&o, dim, is_rz, cells, 0, shape);
  wn_electrode_surface(&o.g, shape, 1, shape->surface, on_piece, &o);
  ok(solve(&o) == WN_OK, "%s: solved", what);
  const double with = most_of(&o);
  WN_ASSERT(wn_electrodes_solve(o.e, o.p, rho, volt, phi) == WN_OK);
  const double without = most_of(&o);
  ok(without > 0.0 && with < most * without,
     "%s: a charge on it is %.2g V, %.2g of that without shares", what, with,
     with / without);
  end(&o);
}

/* ---- the rest */

static void thin(void)
{
  struct scene o;
  const struct wn_electrode_shape shape = {
      .kind = WN_ELECTRODE_BOX, .surface = 4, .from = {-1.0, 0.47}, .to = {2.0, 0.53}};
  begin(&o, 2, 0, CELLS, 1, &shape);
  is_int((long long)o.s->n, 0,
         "a plate with gas on both sides of its nodes takes nothing");
  end(&o);
}

static void lifted(void)
{
  struct scene o;
  const double h = 1.0 / CELLS, part = 0.3;
  const struct wn_electrode_shape shape = plate_up_to((3.0 - part) * h);
  static double plain[MOST], with[MOST];
  const size_t node = 3 * (CELLS + 1) + 5;
  begin(&o, 2, 0, CELLS, 1, &shape);
  memset(phi, 0, sizeof phi);
  rho[node] = 5.0 * WN_EPS0;
  rho[node + CELLS + 1] = 2.0 * WN_EPS0;
  wn_electrodes_field(o.e, phi, 1, plain);
  wn_electrodes_lift(o.e, rho);
  wn_electrodes_field(o.e, phi, 1, with);
  is_close(with[node] - plain[node], (1.0 - part) * (1.0 - part) / (2.0 + part) * h * 3.0,
           1e-9, "E beside a plane is lifted");
  is_near(with[node + 1] - plain[node + 1], 0.0, 1e-15, "not where there is no charge");
  end(&o);
}

/* ---- where a particle came in */

static void entry(const struct scene *o, int is_rz, double x, double y,
                  const double way[3], double want_x, double want_y,
                  const double centre[2], const char *name)
{
  const double h[3] = {1.0 / CELLS, 1.0 / CELLS, 1.0 / CELLS},
               far = hypot(want_x - centre[0], want_y - centre[1]);
  double place[3] = {x / h[0], y / h[1], 0.0}, normal[3] = {0.0, 0.0, 0.0};
  ok(wn_electrodes_entry(o->e, h, is_rz, way, place, normal) != 0, "%s: found", name);
  is_near(place[0] * h[0], want_x, 1e-8, "%s: x", name);
  is_near(place[1] * h[1], want_y, 1e-8, "%s: y", name);
  is_near(normal[0], (want_x - centre[0]) / far, 1e-4, "%s: its normal along x", name);
  is_near(normal[1], (want_y - centre[1]) / far, 1e-4, "%s: and along y", name);
}

static void entries(const struct wn_electrode_shape *circle,
                    const struct wn_electrode_shape *ball)
{
  struct scene o;
  const double r = circle->to[0], along[3] = {0.1, 0.0, 0.0}, none[3] = {0.0, 0.0, 0.0},
               down = 0.6 * r, oblique[3] = {0.08, -0.06, 0.0},
               across[3] = {0.0, 0.0, 0.15};
  begin(&o, 2, 0, CELLS, 0, circle);
  const double *c = circle->from;
  entry(&o, 0, c[0] - 0.8 * r, c[1], along, c[0] - r, c[1], c, "along x");
  /* meets the circle at -0.8 r, 0.6 r of the centre, and ends 0.02 along x and -0.015 along y further */
  entry(&o, 0, c[0] - 0.8 * r + 0.02, c[1] + down - 0.015, oblique, c[0] - 0.8 * r,
        c[1] + down, c, "oblique");
  entry(&o, 0, c[0] + 0.3 * r, c[1] - 0.4 * r, none, c[0] + down, c[1] - 0.8 * r, c,
        "born inside");
  end(&o);
  begin(&o, 2, 1, CELLS, 0, ball);
  entry(&o, 1, 0.2, ball->from[1], across, r, ball->from[1], ball->from, "across in r-z");
  end(&o);
}

int main(void)
{
  static const double parts[] = {1.0, 0.9, 0.73, 0.5, 0.31, 0.1, 0.02};
  static const struct wn_electrode_shape circle = {.kind = WN_ELECTRODE_ELLIPSOID,
                                                   .surface = 4,
                                                   .from = {0.47, 0.52},
                                                   .to = {0.23, 0.23}},
                                         ball = {.kind = WN_ELECTRODE_ELLIPSOID,
                                                 .surface = 4,
                                                 .from = {0.0, 0.52},
                                                 .to = {0.23, 0.23}},
                                         sphere = {.kind = WN_ELECTRODE_ELLIPSOID,
                                                   .surface = 6,
                                                   .from = {0.47, 0.52, 0.49},
                                                   .to = {0.23, 0.23, 0.23}};
  plan(0);
  for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
    plane(0, parts[i], 0.0);
    plane(0, parts[i], 0.6 * parts[i]);
    plane(1, parts[i], 0.6 * parts[i]);
    plane(0, parts[i], parts[i] + 0.4);
  }
  const struct wn_electrode_shape plate = plate_up_to((3.0 - 0.37) / CELLS);
  uniform("plane", 2, 0, CELLS, 40, &plate, 0.02);
  uniform("circle", 2, 0, CELLS, 40, &circle, 0.04);
  uniform("sphere in r-z", 2, 1, CELLS, 40, &ball, 0.04);
  uniform("sphere", 3, 0, 12, 8, &sphere, 0.04);
  on_surface("circle", 2, 0, CELLS, &circle, 1e-3);
  on_surface("sphere in r-z", 2, 1, CELLS, &ball, 1e-3);
  on_surface("sphere", 3, 0, 12, &sphere, 0.15);
  thin();
  lifted();
  entries(&circle, &ball);
  return done();
}
