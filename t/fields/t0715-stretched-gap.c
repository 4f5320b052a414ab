/* t0715-stretched-gap.c - defends: a step on a stretched geometry follows from the public headers
 * alone: deposit, solution, E, motion and surfaces, in a gap of one dimension.
 *   - a sheet of charge q at x between grounded walls of distance d: the charge on each wall is that
 *     of two plane capacitors, -q (1 - x/d) and -q x/d, at each step.  Linear shares f and 1 - f on
 *     two nodes of distance l have the field energy q^2 (x(d - x)/d - f(1 - f) l)/(2 eps0): half of
 *     q_i G_ij q_j, with G = x_i (d - x_j)/(eps0 d) for x_i <= x_j.  It and the kinetic energy change
 *     into each other as the sheet is drawn to a wall: exact for small steps, as E between nodes is
 *     minus its derivative; at a node the force jumps by q^2/eps0, for at most a step
 *   - a grid of wires inside, at a potential: electrons from both sides end at it, at its upper or
 *     lower surface as they came, with the energy of the potential that they fell through; each
 *     surface has its tally, and no charge is lost
 * The formulae are those of plane capacitors (Gauss's law).  No outside numbers. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "fields/deposit.h"
#include "fields/geometry.h"
#include "fields/poisson/poisson.h"
#include "particles/particles.h"
#include "particles/tally.h"
#include "physics/constants.h"
#include "physics/geometry.h"
#include "physics/mover.h"
#include "physics/shape.h"
#include "t/tap/draw.h"
#include "t/tap/tap.h"

enum { CELLS = 40, NODES = CELLS + 1, PADDED = NODES + 2 * WN_GRID_GUARD, MOST = 400 };
enum { X_LOW, X_HIGH, ABOVE, BELOW, SURFACES };

#define GAP  0.01 /* m */
#define WIRE 15   /* node */

/* A particle: where it is, in cells, and its velocity at half a step less. */
struct particle {
  double place;
  double v;
  int is_dead;
};

struct gap {
  struct wn_geometry geometry;
  struct wn_surface surface[SURFACES];
  int32_t held[NODES];
  double volt[SURFACES];
  struct wn_poisson *poisson;
  struct wn_points points; /* the species, at rest for the deposit */
  struct wn_particles store;
  struct wn_deposit *deposit;
  struct wn_tally tally;
  struct wn_tally_shape shape;
  int64_t quanta[PADDED];
  double rho[NODES], phi[NODES], e[NODES];
  float gathered[PADDED];
};

/* ---- the geometry: cells of random length, walls that absorb, and perhaps a grid of wires */

static void make_surfaces(struct gap *g, int has_wires)
{
  struct wn_geometry *of = &g->geometry;
  of->surface = g->surface;
  for (int k = 0; k < (has_wires ? SURFACES : ABOVE); k++, of->n_surfaces++) {
    if (k < ABOVE)
      g->surface[k] = wn_geometry_side(of, k);
    else
      g->surface[k] = (struct wn_surface){.name = k == ABOVE ? "above" : "below",
                                          .normal = k == ABOVE ? 1 : -1,
                                          .low = {WIRE},
                                          .high = {WIRE}};
    g->surface[k].particles = WN_SIDE_ABSORB;
    g->surface[k].potential = WN_DIRICHLET;
  }
  if (has_wires) {
    wn_geometry_hold(of, g->held);
    of->held = g->held;
  }
}

/* charge [C], mass [kg] of a particle, in a column of 1 m2. */
static void make(struct gap *g, double charge, double mass, int has_wires)
{
  double x[NODES] = {0.0};
  memset(g, 0, sizeof *g);
  for (int i = 1; i < NODES; i++)
    x[i] = x[i - 1] + 0.25 + uniform();
  for (int i = 1; i < NODES; i++)
    x[i] = i < CELLS ? GAP * x[i] / x[CELLS] : GAP;
  g->geometry.dim = 1;
  WN_ASSERT(wn_axis_create(WN_COORDINATE_LINE, CELLS, x, 0, &g->geometry.axis[0]) ==
            WN_OK);
  make_surfaces(g, has_wires);
  const struct wn_poisson_spec spec = {.dim = 1,
                                       .cells = {CELLS},
                                       .side = {WN_DIRICHLET, WN_DIRICHLET},
                                       .geometry = g->geometry};
  /* the places of records are in cells, so that this grid has cells of 1 */
  const struct wn_grid_view grid = {.dim = 1,
                                    .shape = WN_SHAPE_CIC,
                                    .gather = WN_GATHER_ENERGY,
                                    .stride = 1,
                                    .cells = {CELLS, 1, 1},
                                    .step = {1, PADDED, PADDED},
                                    .first = WN_GRID_GUARD,
                                    .side = {WN_SIDE_ABSORB, WN_SIDE_ABSORB},
                                    .bits = {wn_place_bits(CELLS)},
                                    .h = {1.0},
                                    .per_h = {1.0},
                                    .length = {CELLS},
                                    .e = g->gathered};
  g->points = (struct wn_points){
      .grid = grid, .kind = WN_POINT_1D3V, .charge = charge, .mass = mass};
  wn_points_prepare(&g->points);
  const struct wn_record record = wn_particles_points(WN_POINT_1D3V);
  g->shape = (struct wn_tally_shape){.n_groups = 1, .n_surfaces = SURFACES};
  ok(wn_poisson_create(&spec, &g->poisson) == WN_OK &&
         wn_deposit_create(&grid, 1, &g->deposit) == WN_OK &&
         wn_particles_init(&g->store, &record, MOST, MOST) == WN_OK &&
         wn_tally_init(&g->tally, &g->shape) == WN_OK,
     "a gap of %d cells%s", CELLS, has_wires ? ", with wires" : "");
  is_str(wn_poisson_method_name(&spec), "volumes", "solved by volumes");
}

static void clear(struct gap *g)
{
  wn_poisson_free(g->poisson);
  wn_deposit_free(g->deposit);
  wn_particles_clear(&g->store);
  wn_tally_clear(&g->tally);
  wn_axis_clear(&g->geometry.axis[0]);
}

/* ---- a step */

/* The field of the particles where they are.  Returns whether all calls were right. */
static int solve(struct gap *g, const struct particle *p, int n)
{
  struct wn_deposited sum;
  wn_i128 on_grid = 0;
  wn_particles_empty(&g->store);
  for (int i = 0; i < n; i++) {
    const union wn_word record[4] = {
        {.i = (int32_t)lrint(ldexp(p[i].place, g->points.grid.bits[0]))}};
    if (!p[i].is_dead && wn_particles_append(&g->store, record, 1) != WN_OK)
      return 0;
  }
  memset(g->quanta, 0, sizeof g->quanta);
  if (wn_deposit_points(g->deposit, &g->points, &g->store, g->quanta, &sum) != WN_OK)
    return 0;
  wn_deposit_fold(&g->points.grid, 0, g->quanta);
  for (int i = 0; i < PADDED; i++)
    on_grid += g->quanta[i];
  for (int64_t i = 0; i < NODES; i++)
    g->rho[i] = g->points.charge * (double)g->quanta[WN_GRID_GUARD + i] /
                (WN_QUANTA * wn_geometry_volume(&g->geometry, (const int64_t[3]){i}));
  if (wn_deposit_compare(0, on_grid, &sum) != WN_OK ||
      wn_poisson_solve(g->poisson, g->rho, g->volt, g->phi) != WN_OK)
    return 0;
  wn_poisson_field(g->poisson, g->phi, 0, 1, g->e);
  for (int i = 0; i < NODES; i++)
    g->gathered[WN_GRID_GUARD + i] = (float)g->e[i];
  return 1;
}

static double field_at(const struct gap *g, double place)
{
  const struct wn_grid_view *v = &g->points.grid;
  int32_t cell[3] = {0};
  uint32_t part[3] = {0};
  float e[3];
  wn_place_of_length(v, 0, place, &cell[0], &part[0]);
  wn_grid_gather(v, 1, WN_SHAPE_CIC, WN_GATHER_ENERGY, cell, part, e);
  return e[0];
}

/* The velocity by a kick of dt [s], then the way of `step` [s].  A particle that meets a surface
 * ends there: the number of the surface, and *part of the way; else -1. */
static int move(struct gap *g, struct particle *p, double dt, double step, double *part)
{
  const double a = g->points.charge / g->points.mass * field_at(g, p->place);
  p->v += a * dt;
  const double way = p->v * step;
  const double from[3] = {p->place},
               to[3] = {wn_axis_moved(&g->geometry.axis[0], p->place, way, 0.0)};
  const int hit = wn_geometry_hit(&g->geometry, from, to, part);
  const float u[3] = {(float)p->v, 0.0f, 0.0f};
  if (hit >= 0) {
    wn_point_ended(&g->points, 3, u, 1.0f, hit, &g->tally);
    p->is_dead = 1;
  }
  p->place =
      hit >= 0 ? wn_axis_moved(&g->geometry.axis[0], p->place, *part * way, 0.0) : to[0];
  return hit;
}

/* ---- a sheet of charge between grounded walls */

/* Charge of the metal of a wall: what leaves it, less what lies on its node. */
static double wall_charge(const struct gap *g, int high)
{
  const struct wn_axis *a = &g->geometry.axis[0];
  const int64_t node[3] = {high ? CELLS : 0}, edge[3] = {high ? CELLS - 1 : 0};
  const double across = (g->phi[high ? CELLS : 0] - g->phi[high ? CELLS - 1 : 1]) /
                        wn_axis_edge(a, edge[0]);
  return WN_EPS0 * across * wn_geometry_face(&g->geometry, 0, edge) -
         g->rho[node[0]] * wn_geometry_volume(&g->geometry, node);
}

/* J: half of charge times potential. */
static double field_energy(const struct gap *g)
{
  double sum = 0.0;
  for (int64_t i = 0; i < NODES; i++)
    sum += 0.5 * g->rho[i] * g->phi[i] *
           wn_geometry_volume(&g->geometry, (const int64_t[3]){i});
  return sum;
}

static void sheet(void)
{
  static struct gap g;
  const double of_one = 1e13, q = -of_one * WN_E, m = of_one * WN_ME, part_of_cell = 0.5;
  double off_walls = 0.0, off_field = 0.0, beyond = -INFINITY, bound = 0.0, part = 0.0,
         first = 0.0, largest = 0.0;
  make(&g, q, m, 0);
  const struct wn_axis *a = &g.geometry.axis[0];
  struct particle p = {.place = WIRE + part_of_cell};
  const double x = wn_axis_of_place(a, p.place),
               released = q * q * x * (GAP - x) / (2.0 * WN_EPS0 * GAP),
               dt = 2e-4 * sqrt(2.0 * m * x * x / released);
  int hit = -1, steps = 0, all = 1, cells = 0;
  p.v = -sqrt(0.4 * released / m); /* towards the nearer wall */
  for (; hit < 0 && steps < 20000; steps++) {
    const double before = p.v, f = p.place - floor(p.place),
                 l = wn_axis_edge(a, (int64_t)p.place), at = wn_axis_of_place(a, p.place);
    const int cell = (int)p.place;
    all &= solve(&g, &p, 1);
    off_walls = fmax(off_walls, fabs(wall_charge(&g, 0) / q + (1.0 - at / GAP)));
    off_walls = fmax(off_walls, fabs(wall_charge(&g, 1) / q + at / GAP));
    const double energy = field_energy(&g);
    off_field =
        fmax(off_field, fabs(energy - q * q / (2.0 * WN_EPS0) *
                                          (at * (GAP - at) / GAP - f * (1.0 - f) * l)) /
                            released);
    hit = move(&g, &p, dt, dt, &part);
    const double total = energy + 0.5 * m * before * p.v;
    first = steps == 0 ? total : first;
    largest = fmax(largest, fabs(total - first) / released);
    beyond = fmax(beyond, (fabs(total - first) - bound) / released);
    if (hit < 0 && (int)p.place != cell) {
      cells++;
      bound += q * q / WN_EPS0 * fabs(p.v) * dt;
    }
  }
  ok(all, "the charge of a sheet was deposited and the field found, %d times", steps);
  /* a share is rounded to a quantum: 2^-20 of the sheet */
  is_near(off_walls, 0.0, 0x1p-21, "the walls have the charges of two capacitors");
  is_near(off_field, 0.0, 0x1p-21, "the energy of E is that of the sheet on two nodes");
  is_int(cells, WIRE, "it goes through cells of all lengths");
  ok(beyond < 1e-4,
     "kinetic and field energy have the same sum, to what the jump of E at nodes "
     "allows (%.2g, at most %.2g)",
     largest, bound / released);
  is_int(hit, X_LOW, "it ends at the nearer wall");
  is_near(0.5 * m * p.v * p.v / first, 1.0, bound / first, "where all energy is kinetic");
  is_int((long long)g.tally.surface[X_LOW].quanta, WN_QUANTA, "which takes its charge");
  clear(&g);
}

/* ---- electrons around a grid of wires */

static void wires(void)
{
  static struct gap g;
  static struct particle p[MOST];
  double start[MOST], worst = 0.0, off_phi = 0.0;
  long long want[SURFACES] = {0}, wrong = 0, steps = 0, all = 1;
  int living = MOST;
  make(&g, -WN_E, WN_ME, 1);
  const struct wn_axis *a = &g.geometry.axis[0];
  const double middle = a->x[WIRE], volt = 100.0, dt = 2e-12;
  g.volt[ABOVE] = g.volt[BELOW] = volt;
  for (int i = 0; i < MOST; i++) {
    p[i].place = 0.05 + (CELLS - 0.1) * uniform();
    start[i] = wn_axis_of_place(a, p[i].place);
    want[start[i] > middle ? ABOVE : BELOW]++;
  }
  for (; living > 0 && steps < 5000; steps++) {
    all &= solve(&g, p, MOST);
    for (int i = 0; i < NODES; i++)
      off_phi =
          fmax(off_phi, fabs(g.phi[i] / volt - (a->x[i] <= middle
                                                    ? a->x[i] / middle
                                                    : (GAP - a->x[i]) / (GAP - middle))));
    for (int i = 0; i < MOST; i++) {
      double part = 0.0;
      if (p[i].is_dead)
        continue;
      const double from = p[i].place;
      const int hit = move(&g, &p[i], steps == 0 ? 0.5 * dt : dt, dt, &part);
      if (hit < 0)
        continue;
      living--;
      wrong +=
          hit != (start[i] > middle ? ABOVE : BELOW) || fabs(p[i].place - WIRE) > 1e-9;
      /* the speed where it ends, from that of the middle of the step.  The chord of a step is
       * off the way by at most a dt^2/8 */
      const double e = field_at(&g, from), kick = -WN_E / WN_ME * e * dt,
                   v = p[i].v + kick * (part - 0.5),
                   fell = fabs(e) * fabs(start[i] - middle),
                   chord = fabs(e) * fabs(kick) * dt / 8.0,
                   off = fabs(0.5 * WN_ME * v * v / WN_E - fell);
      worst = fmax(worst, (off - 1.001 * chord) / volt);
    }
  }
  ok(all, "the charge of electrons was deposited and the field found, %lld times", steps);
  is_near(off_phi, 0.0, 1e-7, "the potential is linear between wires and walls");
  is_int(living, 0, "all electrons end");
  is_int(wrong, 0, "on the side of the wires from which they come");
  is_near(worst, 0.0, 1e-6, "with the energy of the potential that they fell through");
  for (int k = 0; k < SURFACES; k++)
    is_int((long long)g.tally.surface[k].quanta, want[k] * WN_QUANTA,
           "the charge that surface %d took", k);
  ok(want[ABOVE] > 50 && want[BELOW] > 50, "many from both sides");
  clear(&g);
}

int main(void)
{
  plan(0);
  draw_state = 715;
  sheet();
  wires();
  return done();
}
