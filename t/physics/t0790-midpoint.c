/* t0790-midpoint.c - defends the motion in E and B on nodes (physics/midpoint.h) under the
 * schedulers of the CPU: a gyration turns by 2 atan(omega dt/2) at any omega dt and keeps its
 * energy; drifts across E and B, by a changing E and by a gradient of B are those of the rule
 * in closed form; steps run back; iterations converge at the rate omega dt/2 of the gradient;
 * substeps are steps; the sides do what they are told; all kinds of records, movers and options
 * give the same bits one by one and in lanes.
 *
 * Closed forms, by hand.  In B alone u1 is u0 turned by theta = 2 a, a = atan(t), t = q B dt/(2 m
 * g): with u' = (u0 + u1)/2 the rule says u1 - u0 = 2 u' x t, so that |u1| = |u0| and
 * tan(theta/2) = t.  Relativistic, g is gamma of u', whose part across B is cos(a) that of u.
 * In uniform E and B, u - E x B/B^2 turns alone.  With E = R t, taken at the middle of each
 * step, u = (R x B) t_n/B^2 + (m/(q B^2)) R solves the rule exactly.
 * A gradient of B along y: the midpoints x' lie on a circle of radius cos(a) v/omega, on which u'
 * is cos(a) u, so that the mean force, and with it the drift, is cos(a)^2 = 1/(1 + t^2) times
 * that of the exact orbit, v^2/(2 omega L), in the first order of the radius over L. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "physics/constants.h"
#include "physics/push.h"
#include "schedulers/scheduler.h"
#include "t/tap/grid.h"
#include "t/tap/tap.h"

#include "physics/midpoint.h"

#define NODES 4096 /* of the largest grid here, at most */
static _Alignas(64) float eb[NODES * WN_NODAL_VALUES];

/* Charge and mass of 1 e and 1 electron's. */
static struct wn_model model_make(int kind, int relativistic, int mover)
{
  struct wn_model m;
  WN_ASSERT(wn_model_init(&m, &wn_model_midpoint) == WN_OK);
  struct wn_midpoint *p = m.data;
  *p = (struct wn_midpoint){.points.kind = kind,
                            .points.relativistic = relativistic,
                            .points.charge = WN_E,
                            .points.mass = WN_ME,
                            .mover = mover,
                            .iterations = 30,
                            .tolerance = 1e-7,
                            .substeps = 1,
                            .most_turn = (double)INFINITY,
                            .most_cells = (double)INFINITY};
  return m;
}

static struct wn_midpoint *of(struct wn_model *m)
{
  return m->data;
}

static void feel(struct wn_model *m, const struct wn_grid_view *g, double dt)
{
  struct wn_field_view field = {.kind = WN_FIELD_GRID};
  field.of.grid = *g;
  m->ops->begin_step(m, 0.0, dt * m->steps);
  WN_ASSERT(m->ops->set_field(m, &field) == WN_OK);
}

/* One particle, by the model alone: its place in cells and u. */
struct one {
  union wn_word r[8];
  struct wn_tally tally;
};

static struct one one_make(const struct wn_grid_view *g, const double x[3],
                           const double u[3])
{
  static const struct wn_tally_shape shape = {.n_groups = 1};
  struct one p;
  int32_t at[3];
  float v[3];
  memset(&p, 0, sizeof p);
  WN_ASSERT(wn_tally_init(&p.tally, &shape) == WN_OK);
  for (int d = 0; d < 3; d++) {
    at[d] = (int32_t)lrint(ldexp(x[d], g->bits[d]));
    v[d] = (float)u[d];
  }
  wn_point_store(g->dim, 3, p.r, at, v);
  if (wn_point_weighs(g->dim, 3))
    p.r[g->dim + 3].f = 1.0f;
  return p;
}

static void step(const struct wn_model *m, struct one *p)
{
  struct wn_births none = {0};
  m->ops->advance(m, p->r, &p->tally, &none);
}

static void get(const struct wn_grid_view *g, const struct one *p, double x[3],
                double u[3])
{
  int32_t at[3] = {0, 0, 0};
  float v[3], w;
  wn_point_load(g->dim, 3, p->r, at, v, &w);
  for (int d = 0; d < 3; d++) {
    x[d] = ldexp((double)at[d], -g->bits[d]);
    u[d] = (double)v[d];
  }
}

static void one_clear(struct one *p)
{
  wn_tally_clear(&p->tally);
}

static double norm(const double a[3])
{
  return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
}

/* A grid whose nodes have eb = value + gradient y, y in cells. */
static struct wn_grid_view grid_of(int dim, int sides, const double value[6],
                                   const double gradient[6], double h)
{
  const int32_t cells[3] = {6, 6, 6};
  struct wn_grid_view g =
      grid_make(dim, WN_SHAPE_CIC, WN_GATHER_MOMENTUM, cells, sides, sides, h);
  int32_t node[3];
  WN_ASSERT(wn_grid_nodes(&g) <= NODES);
  for (int64_t i = 0; grid_next(&g, i, node); i++)
    for (int c = 0; c < 6; c++)
      eb[i * WN_NODAL_VALUES + (c < 3 ? c : WN_NODAL_B + c - 3)] =
          (float)(value[c] + gradient[c] * node[1]);
  g.eb = eb;
  return g;
}

static const double none6[6];

/* ---- gyration */

/* From a to b, seen against the axis: as a positive charge turns. */
static double angle_about(const double axis[3], const double a[3], const double b[3])
{
  double dot = 0.0, along[2] = {0.0, 0.0}, cross = 0.0;
  for (int d = 0; d < 3; d++) {
    const int i = (d + 1) % 3, k = (d + 2) % 3;
    dot += a[d] * b[d];
    along[0] += a[d] * axis[d];
    along[1] += b[d] * axis[d];
    cross += axis[d] * (a[i] * b[k] - a[k] * b[i]);
  }
  return atan2(-cross, dot - along[0] * along[1]);
}

/* t: q B dt/(2 m). */
static void gyrate(int dim, int relativistic, double speed, double t)
{
  static const double axis[3] = {0.48, 0.6, 0.64};
  const int kind = dim == 1 ? WN_POINT_1D3V : dim == 2 ? WN_POINT_2D3V : WN_POINT_3D3V;
  const double b = 0.01, dt = 2.0 * t * WN_ME / (WN_E * b);
  const double value[6] = {0, 0, 0, b * axis[0], b * axis[1], b * axis[2]};
  const struct wn_grid_view g =
      grid_of(dim, WN_SIDE_PERIODIC, value, none6, 10.0 * speed * dt + 1e-3);
  struct wn_model m = model_make(kind, relativistic, WN_NODAL_MIDPOINT);
  double u0[3] = {0.6 * speed, -0.8 * speed, 0.3 * speed}, x[3] = {1, 1, 1}, u[3],
         last[3], turned = 0.0, gain = 0.0, along = 0.0, gamma = 1.0;
  const int steps = 20000;
  struct one p = one_make(&g, x, u0);
  feel(&m, &g, dt);
  get(&g, &p, x, u0);
  memcpy(last, u0, sizeof last);
  for (int d = 0; d < 3; d++)
    along += u0[d] * axis[d];
  const double across = sqrt(norm(u0) * norm(u0) - along * along);
  for (int i = 0; i < 200 && relativistic; i++) {
    const double c = cos(atan(t / gamma));
    gamma = sqrt(1.0 + (along * along + across * across * c * c) / (WN_C * WN_C));
  }
  const double angle = 2.0 * atan(t / gamma);
  for (int i = 1; i <= steps; i++) {
    step(&m, &p);
    get(&g, &p, x, u);
    turned += angle_about(axis, last, u);
    gain = fmax(gain, fabs(norm(u) / norm(u0) - 1.0));
    memcpy(last, u, sizeof last);
  }
  /* 2^-24 a step at random.  An error r of t/(1 + t^2) is always the same here, and adds 2 r t^2/(1 + t^2) of |u| a step: 1.5 of 2^-24 at the worst */
  is_near(gain, 0.0, steps * 1.8e-7 * t * t / (1.0 + t * t) + 3e-5,
          "%d-D%s, omega dt %g: no energy in %d steps", dim,
          relativistic ? ", relativistic" : "", 2.0 * t, steps);
  is_close(turned / steps, angle, 1e-5, "%d-D%s, omega dt %g: the angle", dim,
           relativistic ? ", relativistic" : "", 2.0 * t);
  one_clear(&p);
  wn_model_clear(&m);
}

/* ---- drifts in uniform fields */

/* E x B, from at rest: u - u_d turns, and the place moves by u_d t and a gyration. */
static void drift_across(double t)
{
  const double b = 0.01, e = 100.0, v = e / b, dt = 2.0 * t * WN_ME / (WN_E * b);
  const double value[6] = {0, e, 0, 0, 0, b}; /* along x */
  const struct wn_grid_view g =
      grid_of(2, WN_SIDE_PERIODIC, value, none6, 2000.0 * v * dt);
  struct wn_model m = model_make(WN_POINT_2D3V, 0, WN_NODAL_MIDPOINT);
  const double x0[3] = {1, 1, 0}, u0[3] = {0, 0, 0};
  struct one p = one_make(&g, x0, u0);
  double x[3], u[3];
  const int steps = 2000;
  feel(&m, &g, dt);
  for (int i = 0; i < steps; i++)
    step(&m, &p);
  get(&g, &p, x, u);
  const double a = 2.0 * atan(t) * steps, radius = v / (WN_E * b / WN_ME);
  /* u rounds by 2^-24 of 2 v a step at random, E and B by 6e-8 */
  is_near(u[0], v - v * cos(a), 5e-5 * v, "E x B, omega dt %g: u along", 2 * t);
  is_near(u[1], v * sin(a), 5e-5 * v, "u across");
  is_near((x[0] - x0[0]) * g.h[0], v * dt * steps - radius * sin(a),
          1e-5 * (v * dt * steps + radius), "the way along");
  is_near((x[1] - x0[1]) * g.h[0], radius * (1.0 - cos(a)),
          1e-5 * (v * dt * steps + radius), "and none across but the gyration");
  one_clear(&p);
  wn_model_clear(&m);
}

static void drift_of_changing_e(double t)
{
  const double b = 0.01, omega = WN_E * b / WN_ME, dt = 2.0 * t / omega;
  const double rate = 100.0 * omega / 50.0; /* V/m/s */
  const double value[6] = {0, 0, 0, 0, 0, b};
  struct wn_grid_view g = grid_of(2, WN_SIDE_PERIODIC, value, none6, 1.0);
  struct wn_model m = model_make(WN_POINT_2D3V, 0, WN_NODAL_MIDPOINT);
  const double v_p = WN_ME / (WN_E * b * b) * rate, x0[3] = {1, 1, 0},
               u0[3] = {0, v_p, 0};
  struct one p = one_make(&g, x0, u0);
  double x[3], u[3], worst = 0.0;
  const int steps = 200;
  for (int i = 0; i < steps; i++) {
    for (int64_t k = 0; k < wn_grid_nodes(&g); k++)
      eb[k * WN_NODAL_VALUES + 1] = (float)(rate * dt * (i + 0.5));
    feel(&m, &g, dt);
    step(&m, &p);
    get(&g, &p, x, u);
    worst = fmax(worst, fabs(u[1] - v_p));
    worst = fmax(worst, fabs(u[0] - rate * dt * (i + 1) / b));
  }
  /* in each step 6e-8 of u, which grows to so much, at random */
  const double most = rate * dt * steps / b;
  is_near(worst / most, 0.0, 2.0 * 6e-8 * sqrt(steps), "polarization drift, omega dt %g",
          2.0 * t);
  one_clear(&p);
  wn_model_clear(&m);
}

/* ---- a gradient of B: Bz = b (1 + (y - 3)/(L/h)), the drift along x */
static void drift_by_gradient(double t)
{
  const double b = 0.01, omega = WN_E * b / WN_ME, dt = 2.0 * t / omega;
  const double v = 1e6, radius = v / omega, h = 4.0 * radius, length = 800.0 * radius;
  const double per_cell = b * h / length;
  const double value[6] = {0, 0, 0, 0, 0, b - 3.0 * per_cell},
               gradient[6] = {0, 0, 0, 0, 0, per_cell};
  struct wn_grid_view g = grid_of(2, WN_SIDE_REFLECT, value, gradient, h);
  struct wn_model m = model_make(WN_POINT_2D3V, 0, WN_NODAL_MIDPOINT);
  const double x0[3] = {3, 3.2, 0}, u0[3] = {v, 0, 0};
  double x[3], u[3], at = 0.0, centre[2] = {0.0, 0.0};
  const int turns = 400, steps = (int)(turns * WN_PI / atan(t));
  g.side[0] = g.side[1] = WN_SIDE_PERIODIC;
  struct one p = one_make(&g, x0, u0);
  feel(&m, &g, dt);
  get(&g, &p, x, u);
  double last = x[0], unwrapped = x[0];
  for (int i = 0; i <= steps; i++) {
    if (i > 0)
      step(&m, &p);
    get(&g, &p, x, u);
    unwrapped += x[0] - last - 6.0 * rint((x[0] - last) / 6.0);
    last = x[0];
    /* the guiding centre: x + u x b/omega */
    at = unwrapped * h + u[1] * WN_ME / (WN_E * b * (1.0 + (x[1] - 3.0) * h / length));
    if (i == 0)
      centre[0] = at;
  }
  centre[1] = at;
  /* ions: B x grad B is along -x for Bz and its gradient along y: z x y = -x */
  const double want = -v * v / (2.0 * omega * length) / (1.0 + t * t);
  /* of the next order: the radius over L, 1/800, squared in the mean, and in B at the start;
   * the ends of the orbit by that of the centre itself, 0.5 radius/L of the radius */
  is_close((centre[1] - centre[0]) / (steps * dt), want, 0.006,
           "grad B drift, omega dt %g: that of the rule", 2.0 * t);
  one_clear(&p);
  wn_model_clear(&m);
}

/* ---- relativistic, across E and B at 0.9 c */
static void drift_fast(void)
{
  const double b = 0.01, beta = 0.9, e = beta * WN_C * b;
  const double gamma = 1.0 / sqrt(1.0 - beta * beta);
  const double value[6] = {0, e, 0, 0, 0, b}; /* along x */
  const struct wn_grid_view g = grid_of(2, WN_SIDE_PERIODIC, value, none6, 1.0);
  const double x0[3] = {1, 1, 0}, u0[3] = {gamma * beta * WN_C, 0, 0};
  for (int mover = 0; mover < WN_N_NODAL_MOVERS; mover++) {
    struct wn_model m = model_make(WN_POINT_2D3V, 1, mover);
    struct one p = one_make(&g, x0, u0);
    double x[3], u[3], worst = 0.0;
    feel(&m, &g, gamma * WN_ME / (WN_E * b));
    for (int i = 0; i < 1000; i++) {
      step(&m, &p);
      get(&g, &p, x, u);
      worst = fmax(worst, hypot(u[0] - u0[0], u[1]) / u0[0]);
    }
    /* E is a float, gamma^2 6e-8; sqrt(1000) roundings */
    if (mover == WN_NODAL_MIDPOINT)
      is_near(worst, 0.0, 1e-5, "E x B at 0.9 c: no force by the midpoint rule");
    else
      ok(worst > 0.01, "by Boris it is off by %g", worst);
    one_clear(&p);
    wn_model_clear(&m);
  }
}

/* ---- back again; iterations; substeps */

/* A smooth field on a grid of `dim` axes, periodic, and random where `noise` is not 0. */
static struct wn_grid_view waves(int dim, double b, double e, double noise, double h)
{
  const int32_t cells[3] = {12, 9, 7};
  struct wn_grid_view g = grid_make(dim, WN_SHAPE_CIC, WN_GATHER_MOMENTUM, cells,
                                    WN_SIDE_PERIODIC, WN_SIDE_PERIODIC, h);
  int32_t node[3];
  WN_ASSERT(wn_grid_nodes(&g) <= NODES);
  for (int64_t i = 0; grid_next(&g, i, node); i++) {
    float *v = eb + i * WN_NODAL_VALUES;
    double phase[3];
    for (int d = 0; d < 3; d++)
      phase[d] = 2.0 * WN_PI * node[d] / g.cells[d];
    for (int c = 0; c < 3; c++) {
      const double wave = cos(phase[0] + c) + (dim > 1 ? sin(phase[1] - c) : 0.0) +
                          (dim > 2 ? cos(phase[2] + 2 * c) : 0.0);
      v[c] = (float)(e * (wave + noise * draw_gauss()));
      v[WN_NODAL_B + c] = (float)(b * (1.0 + 0.3 * wave + noise * draw_gauss()));
    }
  }
  g.eb = eb;
  return g;
}

/* Many particles by a step of dt, and one of -dt: the farthest off, in cells. */
static double there_and_back(struct wn_model *m, const struct wn_grid_view *g, double v,
                             double dt)
{
  double worst = 0.0;
  for (int i = 0; i < 300; i++) {
    double x0[3], u0[3], x[3], u[3];
    for (int d = 0; d < 3; d++) {
      x0[d] = uniform() * g->cells[d];
      u0[d] = v * draw_gauss();
    }
    struct one p = one_make(g, x0, u0);
    get(g, &p, x0, u0);
    feel(m, g, dt);
    step(m, &p);
    feel(m, g, -dt);
    step(m, &p);
    get(g, &p, x, u);
    for (int d = 0; d < 3; d++) {
      const double off = x[d] - x0[d];
      worst = fmax(worst, fabs(off - g->cells[d] * rint(off / g->cells[d])));
    }
    one_clear(&p);
  }
  return worst;
}

static void backwards(int relativistic)
{
  const double v = relativistic ? 2e8 : 2e6, h = 1e-3, dt = 0.3 * h / v;
  const double b = 0.5 * WN_ME / (WN_E * dt), e = 0.2 * b * v;
  const char *name = relativistic ? "relativistic, " : "";
  const struct wn_grid_view g = waves(3, b, e, 0.0, h);
  struct wn_model m = model_make(WN_POINT_3D3V, relativistic, WN_NODAL_MIDPOINT);
  /* u' is known to 2e-7 of u each way, 3 v at the most, and x' is 0.15 of a cell off by v */
  is_near(there_and_back(&m, &g, v, dt), 0.0, 1e-6, "%sa step back ends where it began",
          name);
  of(&m)->iterations = 2;
  ok(there_and_back(&m, &g, v, dt) > 1e-5, "%sby 2 iterations it does not", name);
  wn_model_clear(&m);
}

/* The distance of u after a step by n iterations from that by many. */
static double after(struct wn_model *m, const struct wn_grid_view *g, double dt, int n,
                    double tolerance, double u[3])
{
  const double x0[3] = {3.3, 2.6, 1.2}, u0[3] = {1.5e6, -1e6, 5e5};
  double x[3];
  struct one p = one_make(g, x0, u0);
  of(m)->iterations = n;
  of(m)->tolerance = tolerance;
  feel(m, g, dt);
  step(m, &p);
  get(g, &p, x, u);
  one_clear(&p);
  return norm(u);
}

static void iterations(void)
{
  const double h = 1e-3, dt = 0.8 * h / 2e6, b = 1.0 * WN_ME / (WN_E * dt);
  const struct wn_grid_view g = waves(3, b, 0.2 * b * 2e6, 0.0, h);
  struct wn_model m = model_make(WN_POINT_3D3V, 0, WN_NODAL_MIDPOINT);
  double exact[3], u[3], off[8];
  const double speed = after(&m, &g, dt, 40, 0.0, exact);
  for (int n = 1; n < 8; n++) {
    after(&m, &g, dt, n, 0.0, u);
    for (int d = 0; d < 3; d++)
      u[d] -= exact[d];
    off[n] = norm(u) / speed;
  }
  diag("off by %g %g %g %g %g %g %g", off[1], off[2], off[3], off[4], off[5], off[6],
       off[7]);
  /* the map has the factor (dt/2) |d u'/d x'|, here below (omega dt/2) k v dt/2 = 0.5 0.3 0.4 */
  for (int n = 1; n < 5; n++)
    ok(off[n] > 1e-6 && off[n + 1] < 0.25 * off[n] + 3e-7, "iteration %d: %g, then %g", n,
       off[n], off[n + 1]);
  after(&m, &g, dt, 40, 1e-3, u);
  for (int d = 0; d < 3; d++)
    u[d] -= exact[d];
  ok(norm(u) / speed < 1e-3 && norm(u) / speed > 1e-7,
     "with a tolerance of 1e-3 it ends earlier, and is off by %g", norm(u) / speed);
  wn_model_clear(&m);
}

static void substeps(void)
{
  const double h = 1e-3, dt = 0.5 * h / 2e6, b = 1.0 * WN_ME / (WN_E * dt);
  const struct wn_grid_view g = waves(3, b, 0.2 * b * 2e6, 0.0, h);
  const double x0[3] = {3.3, 2.6, 1.2}, u0[3] = {1.5e6, -1e6, 5e5};
  struct wn_model m = model_make(WN_POINT_3D3V, 0, WN_NODAL_MIDPOINT);
  struct one a = one_make(&g, x0, u0), c = a;
  of(&m)->substeps = 5;
  feel(&m, &g, dt);
  step(&m, &a);
  of(&m)->substeps = 1;
  feel(&m, &g, dt / 5.0);
  for (int i = 0; i < 5; i++)
    step(&m, &c);
  ok(memcmp(a.r, c.r, sizeof a.r) == 0, "five substeps are five steps, to the bit");
  one_clear(&a);
  wn_model_clear(&m);

  /* adaptive, in a uniform B: the angle tells their number */
  const double t = 3.0, field = 0.01, long_dt = 2.0 * t * WN_ME / (WN_E * field);
  const double value[6] = {0, 0, 0, 0, 0, field};
  const struct wn_grid_view even =
      grid_of(2, WN_SIDE_PERIODIC, value, none6, 40.0 * 1e6 * long_dt);
  static const struct {
    double turn, cells;
    int n;
    const char *why;
  } cases[] = {{0.5, INFINITY, 12, "6 rad by 0.5 rad"},
               {0.7, INFINITY, 9, "6 rad by 0.7 rad"},
               {7.0, INFINITY, 1, "none needed"},
               {INFINITY, 0.1, 1, "1/40 of a cell by 0.1"},
               {INFINITY, 0.004, 7, "1/40 of a cell by 0.004"},
               {0.5, 0.004, 12, "the larger of two"},
               {1e-9, INFINITY, WN_MOST_SUBSTEPS, "as many as there may be"}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct wn_model n = model_make(WN_POINT_2D3V, 0, WN_NODAL_MIDPOINT);
    const double at[3] = {2, 2, 0}, from[3] = {1e6, 0, 0};
    struct one p = one_make(&even, at, from);
    double x[3], u[3];
    of(&n)->most_turn = cases[i].turn;
    of(&n)->most_cells = cases[i].cells;
    feel(&n, &even, long_dt);
    step(&n, &p);
    get(&even, &p, x, u);
    const double angle = -2.0 * atan(t / cases[i].n) * cases[i].n;
    is_near(hypot(u[0] / 1e6 - cos(angle), u[1] / 1e6 - sin(angle)), 0.0, 3e-5,
            "%d substeps: %s", cases[i].n, cases[i].why);
    one_clear(&p);
    wn_model_clear(&n);
  }
}

/* ---- the sides: without a field, a cell is 1 m and a step 1 s */
static void box(int mover)
{
  struct wn_grid_view g = grid_of(3, WN_SIDE_PERIODIC, none6, none6, 1.0);
  static const struct {
    const char *name;
    double x[3], u[3], to[3], after[3];
    int side; /* -1: stays */
  } cases[] = {
      {"a mirror below", {0.25, 1, 1}, {-1, 0, 0}, {0.75, 1, 1}, {1, 0, 0}, -1},
      {"from the wall of a mirror", {0, 1, 1}, {-1, 0, 0}, {1, 1, 1}, {1, 0, 0}, -1},
      {"absorbed above", {5.75, 1, 1}, {1, 0, 0}, {0}, {0}, 1},
      {"to the wall and no further",
       {5.5, 1, 1},
       {0.5, 0, 0},
       {6, 1, 1},
       {0.5, 0, 0},
       -1},
      {"open below", {1, 0.25, 1}, {0, -1, 0}, {0}, {0}, 2},
      {"a mirror above", {1, 5.75, 1}, {0, 1, 0}, {1, 5.25, 1}, {0, -1, 0}, -1},
      {"around upward", {1, 1, 5.75}, {0, 0, 1}, {1, 1, 0.75}, {0, 0, 1}, -1},
      {"around downward", {1, 1, 0.25}, {0, 0, -1}, {1, 1, 5.25}, {0, 0, -1}, -1},
      {"around to the end", {1, 1, 5.5}, {0, 0, 0.5}, {1, 1, 0}, {0, 0, 0.5}, -1},
      {"a corner", {5.75, 5.75, 1}, {1, 1, 0}, {0}, {0}, 1},
      {"a mirror, then a wall", {0.25, 0.25, 1}, {-1, -1, 0}, {0}, {0}, 2},
      {"faster than the domain", {1, 1, 1}, {1e6, 0, 0}, {0}, {0}, 1},
  };
  struct wn_model m = model_make(WN_POINT_3D3V, 0, mover);
  g.side[0] = WN_SIDE_REFLECT, g.side[1] = WN_SIDE_ABSORB;
  g.side[2] = WN_SIDE_OPEN, g.side[3] = WN_SIDE_REFLECT;
  feel(&m, &g, 1.0);
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct one p = one_make(&g, cases[i].x, cases[i].u);
    double x[3], u[3];
    step(&m, &p);
    if (cases[i].side >= 0) {
      const struct wn_tally_surface *t = &p.tally.surface[cases[i].side];
      ok(p.r[0].i < 0 && wn_point_ended_side(p.r) == cases[i].side &&
             (double)t->number == 1.0 && p.tally.n_deaths == 1,
         "%s: it ends, at side %d", cases[i].name, cases[i].side);
    } else {
      get(&g, &p, x, u);
      ok(p.tally.n_deaths == 0 && memcmp(x, cases[i].to, sizeof x) == 0 &&
             memcmp(u, cases[i].after, sizeof u) == 0,
         "%s: x %g %g %g u %g %g %g", cases[i].name, x[0], x[1], x[2], u[0], u[1], u[2]);
    }
    one_clear(&p);
  }
  wn_model_clear(&m);
}

/* ---- Boris, against the mover of other fields (physics/mover.h) in uniform E and B */
static void boris(int relativistic)
{
  static float e_alone[4 * NODES];
  const double v = relativistic ? 3e8 : 2e6, h = 1e-3, dt = 0.3 * h / v;
  const double b = 0.8 * WN_ME / (WN_E * dt), e = 0.2 * b * v;
  const double value[6] = {e, -0.5 * e, 0.3 * e, 0.2 * b, 0.3 * b, -b};
  struct wn_grid_view g = grid_of(3, WN_SIDE_PERIODIC, value, none6, h);
  struct wn_model m = model_make(WN_POINT_3D3V, relativistic, WN_NODAL_BORIS);
  struct wn_points q = {.kind = WN_POINT_3D3V,
                        .relativistic = relativistic,
                        .rotation = WN_ROTATION_BORIS,
                        .charge = WN_E,
                        .mass = WN_ME,
                        .b = {value[3], value[4], value[5]},
                        .dt = dt};
  const double x0[3] = {1.3, 2.4, 4.5}, u0[3] = {v, -0.5 * v, 0.3 * v};
  struct one p = one_make(&g, x0, u0);
  for (int64_t i = 0; i < wn_grid_nodes(&g); i++)
    for (int d = 0; d < 3; d++)
      e_alone[4 * i + d] = (float)value[d];
  g.e = e_alone;
  q.grid = g;
  wn_points_prepare(&q);
  feel(&m, &g, dt);
  int32_t x[3];
  float u[3], w;
  double far = 0.0, worst = 0.0, y[3], s[3];
  wn_point_load(3, 3, p.r, x, u, &w);
  for (int i = 0; i < 100; i++) {
    step(&m, &p);
    wn_point_step(&q, 3, 3, WN_SHAPE_CIC, WN_GATHER_MOMENTUM, relativistic,
                  WN_ROTATION_BORIS, x, u);
    get(&g, &p, y, s);
    for (int d = 0; d < 3; d++) {
      const double off = y[d] - ldexp((double)x[d], -g.bits[d]);
      far = fmax(far, fabs(off - 6.0 * rint(off / 6.0)));
      worst = fmax(worst, fabs(s[d] - (double)u[d]));
    }
  }
  /* B is rounded to a float before or after its product with q dt/(2 m): 6e-8 of 100 turns of
   * 0.8 rad, and of 20 cells */
  is_near(worst / v, 0.0, 100 * 6e-8 * 3, "Boris is Boris%s: u",
          relativistic ? ", relativistic" : "");
  is_near(far, 0.0, 100 * 6e-8 * 30, "and the place; cells");
  one_clear(&p);
  wn_model_clear(&m);
}

/* ---- the same bits in lanes */

#define MANY 3001

static int tallies_differ(const struct wn_tally *a, const struct wn_tally *b)
{
  return a->n_deaths != b->n_deaths || a->n_candidates != b->n_candidates ||
         memcmp(a->surface, b->surface, WN_SIDES * sizeof *a->surface) != 0;
}

struct option {
  const char *name;
  int mover, iterations, substeps;
  double tolerance, turn, cells;
};

static void same_bits(int kind, int relativistic, int periodic, const struct option *o)
{
  static const struct wn_tally_shape shape = {.n_groups = 1};
  static const struct {
    const char *name;
    int threads;
  } ways[] = {{"serial", 1}, {"auto", 1}, {"auto", 3}};
  static const char *const kind_name[] = {"1d3v", "2d2v", "2d3v", "3d3v"};
  const int dim = wn_point_dim(kind);
  const double v = relativistic ? 2e8 : 2e6, h = 1e-3, dt = 0.4 * h / v;
  const double b = 0.7 * WN_ME / (WN_E * dt), e = 0.3 * b * v;
  struct wn_grid_view g = waves(dim, b, e, 0.5, h);
  struct wn_model m = model_make(kind, relativistic, o->mover);
  struct wn_particles p;
  if (!periodic) { /* every kind of side */
    g.side[0] = WN_SIDE_REFLECT;
    g.side[1] = WN_SIDE_ABSORB;
    if (dim > 1)
      g.side[2] = WN_SIDE_OPEN, g.side[3] = WN_SIDE_REFLECT;
  }
  of(&m)->iterations = o->iterations;
  of(&m)->substeps = o->substeps;
  of(&m)->tolerance = o->tolerance;
  of(&m)->most_turn = o->turn;
  of(&m)->most_cells = o->cells;
  m.steps = 2;
  feel(&m, &g, dt);
  WN_ASSERT(points_draw(&p, &g, kind, MANY, v) == WN_OK);
  for (size_t i = 5; i < MANY; i += 501)
    ((union wn_word *)wn_particles_at(&p, i))->i = WN_POINT_DEAD;
  const size_t bytes = MANY * p.record.bytes;
  unsigned char *first = malloc(bytes), *want = malloc(bytes);
  WN_ASSERT(first != NULL && want != NULL);
  memcpy(first, p.e, bytes);
  struct wn_tally tally[3];
  int same = 1;
  for (int k = 0; k < 3; k++) {
    const struct wn_scheduler_options options = {.threads = ways[k].threads};
    const struct wn_scheduler_ops *ops;
    struct wn_scheduler *s;
    WN_ASSERT(wn_scheduler_find(ways[k].name, WN_DEVICE_CPU, &ops) == WN_OK);
    WN_ASSERT(ops->create(&options, &shape, &s) == WN_OK);
    WN_ASSERT(wn_tally_init(&tally[k], &shape) == WN_OK);
    memcpy(p.e, first, bytes);
    for (int i = 0; i < 3; i++)
      WN_ASSERT(wn_scheduler_step(ops, s, &m, &p, &tally[k]) == WN_OK);
    if (k == 0)
      memcpy(want, p.e, bytes);
    same &= memcmp(want, p.e, bytes) == 0 && !tallies_differ(&tally[k], &tally[0]);
    ops->free(s);
  }
  ok(same && memcmp(first, want, bytes) != 0 &&
         (periodic ? tally[0].n_deaths == 0 : tally[0].n_deaths > 20) &&
         tally[0].n_deaths < MANY - 500,
     "%s%s, %s: the same points and sums; %llu end", kind_name[kind],
     relativistic ? ", relativistic" : "", o->name,
     (unsigned long long)tally[0].n_deaths);
  for (int k = 0; k < 3; k++)
    wn_tally_clear(&tally[k]);
  free(first);
  free(want);
  wn_particles_clear(&p);
  wn_model_clear(&m);
}

int main(void)
{
  static const int kinds[] = {WN_POINT_1D3V, WN_POINT_2D3V, WN_POINT_3D3V};
  static const double angles[] = {0.05, 0.5, 5.0, 50.0};
  static const struct option options[] = {
      {"3 iterations", WN_NODAL_MIDPOINT, 3, 1, 0.0, INFINITY, INFINITY},
      {"one", WN_NODAL_MIDPOINT, 1, 1, 0.0, INFINITY, INFINITY},
      {"a tolerance", WN_NODAL_MIDPOINT, 20, 1, 1e-4, INFINITY, INFINITY},
      {"4 substeps", WN_NODAL_MIDPOINT, 3, 4, 0.0, INFINITY, INFINITY},
      {"substeps by the angle", WN_NODAL_MIDPOINT, 3, 1, 0.0, 0.4, INFINITY},
      {"by angle and cells, and a tolerance", WN_NODAL_MIDPOINT, 8, 2, 1e-3, 0.4, 0.1},
      {"Boris", WN_NODAL_BORIS, 1, 1, 0.0, INFINITY, INFINITY},
      {"Boris with substeps", WN_NODAL_BORIS, 1, 1, 0.0, 0.4, INFINITY}};
  plan(0);
  draw_state = 790;
  for (size_t i = 0; i < sizeof angles / sizeof angles[0]; i++)
    for (int relativistic = 0; relativistic < 2; relativistic++)
      gyrate(3, relativistic, relativistic ? 6e8 : 1e6, angles[i]);
  gyrate(1, 0, 1e6, 0.5);
  gyrate(2, 1, 6e8, 0.5);
  drift_across(0.1);
  drift_across(10.0);
  drift_of_changing_e(0.1);
  drift_of_changing_e(5.0);
  drift_by_gradient(0.1);
  drift_by_gradient(1.0);
  drift_by_gradient(3.0);
  drift_fast();
  backwards(0);
  backwards(1);
  iterations();
  substeps();
  box(WN_NODAL_MIDPOINT);
  box(WN_NODAL_BORIS);
  boris(0);
  boris(1);
  for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
    for (size_t k = 0; k < sizeof options / sizeof options[0]; k++)
      for (int relativistic = 0; relativistic < 2; relativistic++)
        for (int periodic = 0; periodic < 2; periodic++)
          same_bits(kinds[i], relativistic, periodic, &options[k]);
  return done();
}
