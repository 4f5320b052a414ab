/* t/tap/poisson_grids.h - for tests of Poisson's equation: grids of any geometry with electrodes,
 * permittivities or cut edges inside, and a charge at random. */
#ifndef WN_T_TAP_POISSON_GRIDS_H
#define WN_T_TAP_POISSON_GRIDS_H
#include <math.h>
#include <string.h>
#include "base/error.h"
#include "fields/geometry.h"
#include "fields/poisson/parts.h"
#include "t/tap/draw.h"
#include "t/tap/side_pairs.h"

#define MAX_N (65 * 65 * 65)
#define MOST  400  /* cells of an axis */
#define CELL  1e-4 /* m */
#define RHO   1e-5 /* C/m3 */

static double rho[MAX_N], edge[3][MAX_N];
static int32_t held[MAX_N];

enum inside {
  NOTHING,
  BALL,    /* an electrode */
  NEEDLE,  /* one node thick, from a side to the middle */
  POINT,   /* one node */
  NODES,   /* one node in fifty, at random */
  EPS_100, /* a ball of this permittivity */
  EPS_1E4,
  CUTS /* one edge in ten is cut, at random */
};
enum spacing { EVEN, GROWING, DRAWN };

struct grid {
  const char *name;
  int dim;
  int32_t cells[3];
  int sides[3];    /* numbers of side_pairs */
  double ratio[3]; /* of the cells; 0: 1 */
  enum spacing spacing;
  enum inside inside;
  int is_rz;
};

struct domain {
  struct wn_poisson_spec spec;
  struct wn_surface surface[7];
  size_t nodes, step[3];
};

static inline int is_in_ball(const struct grid *g, const int32_t at[3], int half)
{
  double r2 = 0.0;
  for (int d = 0; d < g->dim; d++) {
    const double u = ((double)at[d] + (half == d ? 0.5 : 0.0)) / g->cells[d] -
                     (g->is_rz && d == 0 ? 0.0 : 0.5);
    r2 += u * u;
  }
  return r2 < 0.2 * 0.2;
}

static inline int is_electrode(const struct grid *g, const int32_t at[3])
{
  const int last = g->dim - 1;
  int on_line = 1;
  for (int d = 0; d < last; d++)
    on_line &= at[d] == (g->is_rz && d == 0 ? 0 : g->cells[d] / 2 + 1);
  switch (g->inside) {
  case BALL:
    return is_in_ball(g, at, -1);
  case NEEDLE:
    return on_line && at[last] < g->cells[last] / 2;
  case POINT:
    return on_line && at[last] == g->cells[last] / 2 + 1;
  case NODES:
    return uniform() < 0.02;
  default:
    return 0;
  }
}

static inline double factor(const struct grid *g, const int32_t at[3], int d)
{
  switch (g->inside) {
  case EPS_100:
    return is_in_ball(g, at, d) ? 100.0 : 1.0;
  case EPS_1E4:
    return is_in_ball(g, at, d) ? 1e4 : 1.0;
  case CUTS:
    return uniform() < 0.1 ? 1.0 / (1.0 - 0.99 * uniform()) : 1.0;
  default:
    return 1.0;
  }
}

static inline void make_axis(const struct grid *g, int d, struct wn_axis *out)
{
  double x[MOST + 1] = {0.0};
  for (int32_t i = 0; i < g->cells[d]; i++) {
    const double u = fabs(((double)i + 0.5) / g->cells[d] - 0.4) / 0.6,
                 h = g->spacing == GROWING ? 1.0 + 9.0 * u
                     : g->spacing == DRAWN ? 0.3 + uniform()
                                           : 1.0;
    x[i + 1] = x[i] + CELL * h * (g->ratio[d] > 0.0 ? g->ratio[d] : 1.0);
  }
  WN_ASSERT(wn_axis_create(g->is_rz && d == 0 ? WN_COORDINATE_RADIUS : WN_COORDINATE_LINE,
                           g->cells[d], x, g->sides[d] == 0, out) == WN_OK);
}

static inline void make(struct domain *d, const struct grid *g)
{
  struct wn_geometry *of = &d->spec.geometry;
  memset(d, 0, sizeof *d);
  d->spec.threads = 1;
  d->spec.dim = of->dim = g->dim;
  of->surface = d->surface;
  d->nodes = 1;
  for (int i = 0; i < g->dim; i++) {
    make_axis(g, i, &of->axis[i]);
    d->spec.cells[i] = (size_t)g->cells[i];
    d->step[i] = d->nodes;
    d->nodes *= d->spec.cells[i] + 1;
    for (int high = 0; high < 2; high++) {
      d->spec.side[2 * i + high] = side_pairs[g->sides[i]][high];
      d->surface[of->n_surfaces] = wn_geometry_side(of, of->n_surfaces);
      d->surface[of->n_surfaces++].potential = (int32_t)side_pairs[g->sides[i]][high];
    }
  }
  WN_ASSERT(d->nodes <= MAX_N);
  d->surface[of->n_surfaces++] =
      (struct wn_surface){.name = "electrode", .potential = WN_DIRICHLET};
  for (size_t i = 0; i < d->nodes; i++) {
    int32_t at[3] = {0, 0, 0};
    for (int k = 0; k < g->dim; k++)
      at[k] = (int32_t)(i / d->step[k] % (d->spec.cells[k] + 1));
    held[i] = is_electrode(g, at) ? of->n_surfaces - 1 : -1;
    for (int k = 0; k < g->dim; k++)
      edge[k][i] = factor(g, at, k);
    rho[i] = RHO * (uniform() - 0.5);
  }
  if (g->inside != NOTHING && g->inside < EPS_100)
    of->held = held;
  for (int i = 0; i < g->dim && g->inside >= EPS_100; i++)
    d->spec.edge[i] = edge[i];
}

static inline void clear(struct domain *d)
{
  for (int i = 0; i < d->spec.dim; i++)
    wn_axis_clear(&d->spec.geometry.axis[i]);
}

#endif
