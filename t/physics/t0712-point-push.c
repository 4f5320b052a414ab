/* t0712-point-push.c - defends the motion of points (physics/mover.h) under the schedulers of
 * the CPU: an oscillator has the orbit that drift-kick-drift has in exact arithmetic, of
 * second order and with bounded energy, and runs back; gyration has its radius and angle and
 * gains no energy; the drift across E and B is right by Higuera and Cary at any speed, and
 * by Boris only when slow; the sides do what they are told and count it; and all kinds of
 * records, shapes and motions give the same bits under serial and openmp.
 *
 * Known orbits: with w = omega dt the matrix of a step has the invariant omega^2 x^2 +
 * (1 - w^2/4) u^2 and turns by acos(1 - w^2/2) (multiplied out by hand).  In B alone a step
 * turns u by 2 atan(t), t = q B dt/(2 m g): the chord of the orbit's circle is v dt cos
 * atan(t), so that its radius is v dt/(2 t) on the spot, which is that of the exact orbit
 * where g is gamma (Boris).  By Higuera and Cary g is the gamma of the mean of u before and
 * after, whose part across B is u cos atan(t): found here by iteration, there by a root. */
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

static const char *const kind_name[] = {"1d3v", "2d2v", "2d3v", "3d3v"};
static const char *const shape_name[] = {"ngp", "cic", "tsc"};
static const char *const gather_name[] = {"momentum", "energy", "nested grids"};
static const char *const rotation_name[] = {"no B", "Boris", "Higuera-Cary"};

/* Points of a charge and mass of 1 e and 1 electron's. */
static struct wn_model model_make(int kind, int relativistic, int rotation)
{
  struct wn_model m;
  WN_ASSERT(wn_model_init(&m, &wn_model_collisionless) == WN_OK);
  struct wn_points *p = m.data;
  p->kind = kind;
  p->relativistic = relativistic;
  p->rotation = rotation;
  p->charge = WN_E;
  p->mass = WN_ME;
  return m;
}

static void feel(struct wn_model *m, const struct wn_grid_view *g, double dt)
{
  struct wn_field_view field = {.kind = WN_FIELD_GRID};
  field.of.grid = *g;
  m->ops->begin_step(m, 0.0, dt * m->steps);
  WN_ASSERT(m->ops->set_field(m, &field) == WN_OK);
}

/* A scheduler with a tally, for as many phases as wanted. */
struct bench {
  const struct wn_scheduler_ops *ops;
  struct wn_scheduler *s;
  struct wn_tally tally;
};
static const struct wn_tally_shape shape_of_tally = {.n_groups = 1};

static struct bench bench_make(const char *scheduler, int threads)
{
  struct bench b;
  const struct wn_scheduler_options o = {.threads = threads};
  WN_ASSERT(wn_scheduler_find(scheduler, WN_DEVICE_CPU, &b.ops) == WN_OK);
  WN_ASSERT(b.ops->create(&o, &shape_of_tally, &b.s) == WN_OK);
  WN_ASSERT(wn_tally_init(&b.tally, &shape_of_tally) == WN_OK);
  return b;
}

static void bench_free(struct bench *b)
{
  b->ops->free(b->s);
  wn_tally_clear(&b->tally);
}

static void run(struct bench *b, const struct wn_model *m, struct wn_particles *p)
{
  WN_ASSERT(wn_scheduler_step(b->ops, b->s, m, p, &b->tally) == WN_OK);
}

static struct wn_particles store(int kind, size_t n)
{
  struct wn_particles p;
  const struct wn_record record = wn_particles_points(kind);
  WN_ASSERT(wn_particles_init(&p, &record, n, n) == WN_OK);
  return p;
}

static void put(struct wn_particles *p, int kind, const int32_t x[3], const float u[3],
                float w)
{
  const int dim = wn_point_dim(kind), n_v = wn_point_velocities(kind);
  union wn_word r[8] = {{0}};
  wn_point_store(dim, n_v, r, x, u);
  if (wn_point_weighs(dim, n_v))
    r[dim + n_v].f = w;
  WN_ASSERT(wn_particles_append(p, r, 1) == WN_OK);
}

static void get(const struct wn_particles *p, int kind, size_t i, int32_t x[3],
                float u[3])
{
  float w;
  wn_point_load(wn_point_dim(kind), wn_point_velocities(kind), wn_particles_at(p, i), x,
                u, &w);
}

/* ---- an oscillator: E = -k (x - middle) at the nodes of a line */

#define CELLS 64
static float line[CELLS + 3];
#define H     1e-3 /* m */
#define OMEGA 1e9  /* 1/s */

static struct wn_grid_view well(int shape)
{
  const int32_t cells[3] = {CELLS, 1, 1};
  struct wn_grid_view g =
      grid_make(1, shape, WN_GATHER_MOMENTUM, cells, WN_SIDE_ABSORB, WN_SIDE_ABSORB, H);
  for (int i = -1; i <= CELLS + 1; i++)
    line[i + 1] = (float)(-OMEGA * OMEGA * WN_ME / WN_E * H * (i - CELLS / 2)); /* V/m */
  g.e = line;
  return g;
}

/* Place from the middle [m] and velocity [m/s] after `steps` of w = omega dt, from 10.3
 * cells and 4e6 m/s. */
#define X0 (10.3 * H)
#define U0 4e6
static void oscillate(int shape, double w, int steps, double *x_out, double *u_out,
                      double *wobble)
{
  const struct wn_grid_view g = well(shape);
  struct wn_model m = model_make(WN_POINT_1D3V, 0, WN_ROTATION_NONE);
  struct bench b = bench_make("auto", 1);
  struct wn_particles p = store(WN_POINT_1D3V, 1);
  int32_t x[3] = {(int32_t)lrint(ldexp(X0 / H + CELLS / 2, g.bits[0])), 0, 0};
  float u[3] = {(float)U0, 0.0f, 0.0f};
  double first = 0.0;
  feel(&m, &g, w / OMEGA);
  put(&p, WN_POINT_1D3V, x, u, 1.0f);
  *wobble = 0.0;
  for (int i = 0; i <= steps; i++) {
    if (i > 0)
      run(&b, &m, &p);
    get(&p, WN_POINT_1D3V, 0, x, u);
    *x_out = (ldexp((double)x[0], -g.bits[0]) - CELLS / 2) * H;
    *u_out = (double)u[0];
    const double invariant =
        OMEGA * OMEGA * *x_out * *x_out + (1.0 - 0.25 * w * w) * *u_out * *u_out;
    if (i == 0)
      first = invariant;
    *wobble = fmax(*wobble, fabs(invariant / first - 1.0));
  }
  wn_particles_clear(&p);
  bench_free(&b);
  wn_model_clear(&m);
}

static void oscillator(int shape)
{
  const double w = 0.2;
  const int steps = 10000;
  double x, u, wobble, error[2];
  oscillate(shape, w, steps, &x, &u, &wobble);
  const double angle = acos(1.0 - 0.5 * w * w), s = sqrt(1.0 - 0.25 * w * w);
  const double want_x = X0 * cos(steps * angle) + U0 * s / OMEGA * sin(steps * angle);
  const double want_u = U0 * cos(steps * angle) - X0 * OMEGA / s * sin(steps * angle);
  /* a step rounds x to 2^-25 of a cell twice and u to 2^-24: at random, sqrt(1e4) times
   * that; each kick by 1e-7 of E always the same way at a place, which moves the phase by
   * less than 1e4 w 1e-7/2 */
  is_near(x / X0, want_x / X0, 3e-4, "%s: the place after %d steps", shape_name[shape],
          steps);
  is_near(u / U0, want_u / U0, 3e-4, "%s: the velocity", shape_name[shape]);
  is_near(wobble, 0.0, 2e-5, "%s: and all the while the energy of the scheme is kept",
          shape_name[shape]);
  for (int i = 0; i < 2; i++) { /* to t = 10/omega */
    oscillate(shape, 0.2 / (1 << i), 50 << i, &x, &u, &wobble);
    error[i] = hypot(x - (X0 * cos(10.0) + U0 / OMEGA * sin(10.0)),
                     (u - (U0 * cos(10.0) - X0 * OMEGA * sin(10.0))) / OMEGA);
  }
  /* the next order is w^2 of this: ratio 4 (1 + O(w^2)) */
  is_close(error[0] / error[1], 4.0, 0.04, "%s: second order", shape_name[shape]);
}

/* ---- back again */

static void backwards(void)
{
  const struct wn_grid_view g = well(WN_SHAPE_TSC);
  struct wn_grid_view free_of_e = g;
  static const float none[CELLS + 3];
  struct wn_model m = model_make(WN_POINT_1D3V, 1, WN_ROTATION_NONE);
  struct bench b = bench_make("serial", 1);
  struct wn_particles p = store(WN_POINT_1D3V, 1000);
  int32_t x[3], x0[1000], worst[2] = {0, 0};
  float u[3];
  free_of_e.e = none;
  free_of_e.side[0] = free_of_e.side[1] = WN_SIDE_PERIODIC;
  for (int field = 0; field < 2; field++) {
    wn_particles_empty(&p);
    feel(&m, field ? &g : &free_of_e, 0.1 / OMEGA);
    for (int i = 0; i < 1000; i++) {
      x0[i] = (int32_t)((0.3 + 0.4 * uniform()) * (double)(CELLS << g.bits[0]));
      u[0] = (float)(2e6 * draw_gauss()), u[1] = u[2] = 0.0f;
      put(&p, WN_POINT_1D3V, &x0[i], u, 1.0f);
    }
    for (int way = 0; way < 2; way++) {
      for (int i = 0; i < 100; i++)
        run(&b, &m, &p);
      for (int i = 0; i < 1000; i++) {
        union wn_word *r = wn_particles_at(&p, (size_t)i);
        r[1].f = -r[1].f;
      }
    }
    for (size_t i = 0; i < 1000; i++) {
      get(&p, WN_POINT_1D3V, i, x, u);
      if (abs(x[0] - x0[i]) > worst[field])
        worst[field] = abs(x[0] - x0[i]);
    }
  }
  is_int(worst[0], 0, "without a field the way back ends where it began, to the bit");
  /* u loses 2^-24 a step, up to 0.5 m/s of 8e6, and is off for 200 steps of 0.1 ns */
  is_near(ldexp(worst[1], -g.bits[0]), 0.0, 200 * 0.5 * 200 * 1e-10 / H,
          "in a field it does but for the rounding of u; cells");
  wn_particles_clear(&p);
  bench_free(&b);
  wn_model_clear(&m);
}

/* ---- E and B the same everywhere, in a periodic domain */

static float same_e[4 * 6 * 6 * 6];

static struct wn_grid_view everywhere(int dim, const double e[3], double h)
{
  const int32_t cells[3] = {3, 3, 3};
  struct wn_grid_view g = grid_make(dim, WN_SHAPE_CIC, WN_GATHER_MOMENTUM, cells,
                                    WN_SIDE_PERIODIC, WN_SIDE_PERIODIC, h);
  for (int64_t i = 0; i < wn_grid_nodes(&g); i++)
    for (int d = 0; d < dim; d++)
      same_e[i * g.stride + d] = (float)e[d];
  g.e = same_e;
  return g;
}

static double norm(const double a[3])
{
  return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
}

/* In B alone: u0 across and along it, tau/gamma = t. */
static void gyrate(int kind, int relativistic, int rotation, const double b_axis[3],
                   double speed, double t)
{
  const int dim = wn_point_dim(kind), n_v = wn_point_velocities(kind), steps = 20000;
  const double zero[3] = {0.0, 0.0, 0.0}, field = 0.01;
  struct wn_model m = model_make(kind, relativistic, rotation);
  struct wn_points *p = m.data;
  struct bench bench = bench_make("auto", 1);
  struct wn_particles store_of_one = store(kind, 1);
  double u0[3] = {speed * 0.6, -speed * 0.8, n_v == 3 ? speed * 0.3 : 0.0};
  const float start[3] = {(float)u0[0], (float)u0[1], (float)u0[2]};
  for (int d = 0; d < 3; d++) {
    p->b[d] = field * b_axis[d];
    u0[d] = (double)start[d];
  }
  const double gamma = relativistic ? wn_gamma(u0) : 1.0;
  const double omega = WN_E * field / (WN_ME * gamma), dt = 2.0 * t / omega;
  const double radius = speed / gamma / omega;
  const struct wn_grid_view g = everywhere(dim, zero, 10.0 * radius);
  int32_t x[3] = {1 << g.bits[0], 1 << g.bits[1], 1 << g.bits[2]};
  float u[3] = {start[0], start[1], start[2]};
  double turned = 0.0, gain = 0.0, last[3], place[3][3] = {{0}};
  char name[80];
  snprintf(name, sizeof name, "%s, %s%s", kind_name[kind], rotation_name[rotation],
           relativistic ? ", relativistic" : "");
  feel(&m, &g, dt);
  put(&store_of_one, kind, x, u, 1.0f);
  memcpy(last, u0, sizeof last);
  double along = 0.0;
  for (int d = 0; d < 3; d++)
    along += u0[d] * b_axis[d];
  const double across = sqrt(norm(u0) * norm(u0) - along * along);
  double mean = gamma;
  for (int i = 0; i < 100 && rotation == WN_ROTATION_HIGUERA_CARY; i++) {
    const double c = cos(atan(t * gamma / mean));
    mean = sqrt(1.0 + (along * along + across * across * c * c) / (WN_C * WN_C));
  }
  const double t_mean = t * gamma / mean;
  for (int i = 1; i <= steps; i++) {
    double now[3] = {0.0, 0.0, 0.0}, chord = 0.0;
    run(&bench, &m, &store_of_one);
    get(&store_of_one, kind, 0, x, u);
    for (int d = 0; d < n_v; d++)
      now[d] = (double)u[d];
    for (int d = 0; d < 3; d++)
      chord += (now[d] - last[d]) * (now[d] - last[d]);
    turned += 2.0 * asin(fmin(1.0, 0.5 * sqrt(chord) / across));
    gain = fmax(gain, fabs(norm(now) / norm(u0) - 1.0));
    memcpy(last, now, sizeof last);
    for (int d = 0; d < dim && i <= 3; d++)
      place[i - 1][d] = ldexp((double)x[d], -g.bits[d]) * g.h[d];
  }
  /* Rounding of u is 2^-25 of it a step, and always the same way at the worst along a
   * part of the orbit; the factor 2/(1+t^2) rounds by 6e-8 and acts with t^2. */
  is_near(gain, 0.0, steps * 6e-8 * t * t + 1e-5, "%s: no energy in %d steps", name,
          steps);
  is_close(turned, steps * 2.0 * atan(t_mean), 1e-5, "%s: the angle", name);
  if (n_v == 2) { /* in the plane of the orbit: the circle through three places */
    double a = hypot(place[1][0] - place[0][0], place[1][1] - place[0][1]),
           b = hypot(place[2][0] - place[1][0], place[2][1] - place[1][1]),
           c = hypot(place[2][0] - place[0][0], place[2][1] - place[0][1]),
           area = 0.5 * fabs((place[1][0] - place[0][0]) * (place[2][1] - place[0][1]) -
                             (place[2][0] - place[0][0]) * (place[1][1] - place[0][1]));
    is_close(a * b * c / (4.0 * area), 0.5 * norm(u0) / gamma * dt / t_mean, 1e-5,
             "%s: the radius", name);
  }
  wn_particles_clear(&store_of_one);
  bench_free(&bench);
  wn_model_clear(&m);
}

/* E across B: with v = E x B/B^2 there is no force.  How far u is from that after a time,
 * over u. */
static double drifts(int kind, int rotation, double beta, double t)
{
  const double b = 0.01, e[3] = {0.0, -beta * WN_C * b, 0.0}; /* E x B along -x */
  const double gamma = 1.0 / sqrt(1.0 - beta * beta);
  const struct wn_grid_view g = everywhere(2, e, 1.0);
  struct wn_model m = model_make(kind, 1, rotation);
  struct wn_points *p = m.data;
  struct bench bench = bench_make("auto", 1);
  struct wn_particles one = store(kind, 1);
  int32_t x[3] = {0, 0, 0};
  float u[3] = {(float)(-gamma * beta * WN_C), 0.0f, 0.0f};
  double worst = 0.0;
  const double u0 = (double)u[0];
  p->b[2] = b;
  feel(&m, &g, 2.0 * t * gamma * WN_ME / (WN_E * b));
  put(&one, kind, x, u, 1.0f);
  for (int i = 0; i < 1000; i++) {
    run(&bench, &m, &one);
    get(&one, kind, 0, x, u);
    worst = fmax(worst, hypot((double)u[0] - u0, (double)u[1]) / fabs(u0));
  }
  wn_particles_clear(&one);
  bench_free(&bench);
  wn_model_clear(&m);
  return worst;
}

static void across(void)
{
  static const int kinds[] = {WN_POINT_2D2V, WN_POINT_2D3V};
  for (int k = 0; k < 2; k++) {
    const double slow = drifts(kinds[k], WN_ROTATION_BORIS, 1e-3, 0.5),
                 fast = drifts(kinds[k], WN_ROTATION_BORIS, 0.9, 0.5),
                 right = drifts(kinds[k], WN_ROTATION_HIGUERA_CARY, 0.9, 0.5),
                 tiny = drifts(kinds[k], WN_ROTATION_HIGUERA_CARY, 1e-3, 0.5);
    /* E is a float: the velocity without a force is off by 6e-8, and with gamma by
     * gamma^2 = 5 of that; each step rounds by 6e-8 of the u that turns, sqrt(1000) times */
    is_near(slow, 0.0, 1e-5, "%s: the drift across E and B by Boris at 0.001 c",
            kind_name[kinds[k]]);
    is_near(tiny, 0.0, 1e-5, "%s: by Higuera-Cary at 0.001 c", kind_name[kinds[k]]);
    is_near(right, 0.0, 1e-5, "%s: by Higuera-Cary at 0.9 c", kind_name[kinds[k]]);
    ok(fast > 0.01, "%s: by Boris at 0.9 c it is off by %g", kind_name[kinds[k]], fast);
  }
}

/* ---- the sides */

static void box(void)
{
  const double zero[3] = {0.0, 0.0, 0.0};
  struct wn_grid_view g = everywhere(3, zero, 1.0);
  struct wn_model m = model_make(WN_POINT_3D3V, 0, WN_ROTATION_NONE);
  struct bench b = bench_make("auto", 1);
  struct wn_particles p = store(WN_POINT_3D3V, 16);
  size_t ends = 0;
  const int32_t one = 1 << g.bits[0];
  const struct {
    const char *name;
    double x[3], u[3]; /* cells; cells a step */
    double to[3], after[3];
    int side; /* -1: stays */
  } cases[] = {
      {"a mirror below", {0.25, 1, 1}, {-1, 0, 0}, {0.75, 1, 1}, {1, 0, 0}, -1},
      {"from the wall of a mirror", {0, 1, 1}, {-1, 0, 0}, {1, 1, 1}, {1, 0, 0}, -1},
      {"absorbed above", {2.75, 1, 1}, {1, 0, 0}, {0}, {0}, 1},
      {"in the second half", {2.25, 1, 1}, {1, 0, 0}, {0}, {0}, 1},
      {"to the wall and no further",
       {2.5, 1, 1},
       {0.5, 0, 0},
       {3, 1, 1},
       {0.5, 0, 0},
       -1},
      {"open below", {1, 0.25, 1}, {0, -1, 0}, {0}, {0}, 2},
      {"a mirror above", {1, 2.75, 1}, {0, 1, 0}, {1, 2.25, 1}, {0, -1, 0}, -1},
      {"around upward", {1, 1, 2.75}, {0, 0, 1}, {1, 1, 0.75}, {0, 0, 1}, -1},
      {"around downward", {1, 1, 0.25}, {0, 0, -1}, {1, 1, 2.25}, {0, 0, -1}, -1},
      {"around to the end", {1, 1, 2.5}, {0, 0, 0.5}, {1, 1, 0}, {0, 0, 0.5}, -1},
      {"a corner", {2.75, 2.75, 1}, {1, 1, 0}, {0}, {0}, 1},
      {"a mirror, then a wall", {0.25, 0.25, 1}, {-1, -1, 0}, {0}, {0}, 2},
      {"faster than the domain", {1, 1, 1}, {1e6, 0, 0}, {0}, {0}, 1},
  };
  const size_t n = sizeof cases / sizeof cases[0];
  double number[6] = {0}, energy[6] = {0}, quanta[6] = {0};
  g.side[0] = WN_SIDE_REFLECT, g.side[1] = WN_SIDE_ABSORB;
  g.side[2] = WN_SIDE_OPEN, g.side[3] = WN_SIDE_REFLECT;
  feel(&m, &g, 1.0);
  for (size_t i = 0; i < n; i++) {
    int32_t x[3];
    float u[3];
    for (int d = 0; d < 3; d++) {
      x[d] = (int32_t)(cases[i].x[d] * one);
      u[d] = (float)cases[i].u[d];
    }
    put(&p, WN_POINT_3D3V, x, u, 1.0f + (float)i);
    if (cases[i].side >= 0) {
      ends++;
      number[cases[i].side] += 1.0;
      quanta[cases[i].side] += (1.0 + (double)i) * WN_QUANTA;
      energy[cases[i].side] +=
          (1.0 + (double)i) * 0.5 * WN_ME / WN_E * norm(cases[i].u) * norm(cases[i].u);
    }
  }
  run(&b, &m, &p);
  for (size_t i = 0; i < n; i++) {
    int32_t x[3];
    float u[3];
    int as_told = 1;
    get(&p, WN_POINT_3D3V, i, x, u);
    for (int d = 0; d < 3; d++)
      as_told &=
          x[d] == (int32_t)(cases[i].to[d] * one) && u[d] == (float)cases[i].after[d];
    if (cases[i].side >= 0)
      ok(x[0] < 0 && wn_point_ended_side(wn_particles_at(&p, i)) == cases[i].side,
         "%s: it ends, at side %d", cases[i].name, cases[i].side);
    else
      ok(as_told, "%s: x %.3f %.3f %.3f u %g %g %g", cases[i].name, (double)x[0] / one,
         (double)x[1] / one, (double)x[2] / one, (double)u[0], (double)u[1],
         (double)u[2]);
  }
  for (int s = 0; s < 6; s++) {
    const struct wn_tally_surface *t = &b.tally.surface[s];
    ok((double)t->number == number[s] && (double)t->quanta == quanta[s],
       "side %d: %g ended there, %g quanta", s, number[s], quanta[s]);
    is_near((double)t->energy / WN_FIX_ENERGY, energy[s],
            1e-9 * energy[s] + 16 / WN_FIX_ENERGY, "side %d: their energy", s);
  }
  is_int((long long)b.tally.n_deaths, (long long)ends, "deaths");
  WN_ASSERT(wn_particles_compact(&p) == WN_OK);
  is_int((long long)p.n, (long long)(n - ends), "and they are gone");
  wn_particles_clear(&p);
  bench_free(&b);
  wn_model_clear(&m);
}

/* ---- the same bits under every scheduler */

#define MANY 3001
static float noise[4 * 4096];

static int tallies_differ(const struct wn_tally *a, const struct wn_tally *b)
{
  return a->n_deaths != b->n_deaths ||
         memcmp(a->surface, b->surface, WN_SIDES * sizeof *a->surface) != 0;
}

static void same_bits(int kind, int shape, int gather, int relativistic, int rotation)
{
  static const int32_t cells[3] = {12, 9, 7};
  static const struct {
    const char *name;
    int threads;
  } others[] = {{"auto", 1}, {"auto", 3}};
  struct wn_grid_view g = grid_make(wn_point_dim(kind), shape, gather, cells,
                                    WN_SIDE_PERIODIC, WN_SIDE_PERIODIC, 1e-3);
  struct wn_model m = model_make(kind, relativistic, rotation);
  struct wn_points *p = m.data;
  struct wn_particles start;
  char name[100];
  snprintf(name, sizeof name, "%s, %s by %s, %s%s", kind_name[kind], shape_name[shape],
           gather_name[gather], rotation_name[rotation],
           relativistic ? ", relativistic" : "");
  /* every side takes some in one case or another */
  g.side[0] = shape == WN_SHAPE_CIC ? WN_SIDE_REFLECT : WN_SIDE_OPEN;
  g.side[1] = WN_SIDE_ABSORB;
  if (g.dim > 1 && shape != WN_SHAPE_CIC)
    g.side[2 * g.dim - 2] = g.side[2 * g.dim - 1] = WN_SIDE_ABSORB;
  g.e = noise;
  if (gather == WN_GATHER_NESTED)
    WN_ASSERT(grid_nest(&g) * g.stride <= (int64_t)(sizeof noise / sizeof noise[0]));
  p->b[0] = p->b[1] = kind == WN_POINT_2D2V ? 0.0 : 0.02;
  p->b[2] = 0.03;
  m.steps = 3;
  const double v = relativistic ? 2e8 : 2e6;
  feel(&m, &g, 0.4e-3 / v);
  WN_ASSERT(points_draw(&start, &g, kind, MANY, v) == WN_OK);
  for (size_t i = 5; i < MANY; i += 501)
    ((union wn_word *)wn_particles_at(&start, i))->i = WN_POINT_DEAD;
  const size_t bytes = MANY * start.record.bytes;
  unsigned char *first = malloc(bytes), *want = malloc(bytes);
  WN_ASSERT(first != NULL && want != NULL);
  memcpy(first, start.e, bytes);
  struct bench serial = bench_make("serial", 1);
  for (int i = 0; i < 3; i++)
    run(&serial, &m, &start);
  memcpy(want, start.e, bytes);
  ok(serial.tally.n_deaths > 50 && serial.tally.n_deaths < MANY - 1000 &&
         memcmp(first, want, bytes) != 0,
     "%s: %llu of %d end", name, (unsigned long long)serial.tally.n_deaths, MANY);
  for (size_t k = 0; k < sizeof others / sizeof others[0]; k++) {
    struct bench b = bench_make(others[k].name, others[k].threads);
    memcpy(start.e, first, bytes);
    for (int i = 0; i < 3; i++)
      run(&b, &m, &start);
    ok(memcmp(want, start.e, bytes) == 0 && !tallies_differ(&b.tally, &serial.tally),
       "%s: %s with %d threads gives the points and sums of serial", name, b.ops->name,
       others[k].threads);
    bench_free(&b);
  }
  free(first);
  free(want);
  bench_free(&serial);
  wn_particles_clear(&start);
  wn_model_clear(&m);
}

/* Energies of single particles against mc2 (gamma - 1) in long double, and m u^2/2. */
static void energies(void)
{
  struct wn_points p = {.relativistic = 1, .energy_ev = 0.5 * WN_ME / WN_E};
  double worst = 0.0, slow = 0.0;
  for (double u = 1e3; u < 1e11; u *= 7.0) {
    const float v[3] = {(float)(0.6 * u), (float)(-0.48 * u), (float)(0.64 * u)};
    long double s = 0.0L;
    for (int d = 0; d < 3; d++)
      s += (long double)v[d] * (long double)v[d];
    const long double x = s / ((long double)WN_C * WN_C),
                      exact = WN_MC2_EV * (x / (1.0L + sqrtl(1.0L + x)));
    p.relativistic = 1;
    worst = fmax(worst, fabs(wn_point_energy_ev(&p, 3, v) / (double)exact - 1.0));
    p.relativistic = 0;
    const double half = 0.5 * WN_ME / WN_E * (double)s;
    slow = fmax(slow, fabs(wn_point_energy_ev(&p, 3, v) / half - 1.0));
  }
  is_near(worst, 0.0, 1e-9, "the energy of a point is mc2 (gamma - 1)");
  is_near(slow, 0.0, 1e-14, "and m u^2/2 where nothing is relativistic");
}

int main(void)
{
  static const double z[3] = {0.0, 0.0, 1.0}, oblique[3] = {0.48, 0.6, 0.64};
  plan(0);
  draw_state = 712;
  for (int shape = WN_SHAPE_CIC; shape < WN_N_SHAPES; shape++)
    oscillator(shape);
  backwards();
  energies();
  for (int kind = 0; kind < WN_N_POINTS; kind++) {
    const double *axis = kind == WN_POINT_2D2V ? z : oblique;
    gyrate(kind, 0, WN_ROTATION_BORIS, axis, 1e6, 0.1);
    gyrate(kind, 1, WN_ROTATION_BORIS, axis, 6e8, 0.1);
    gyrate(kind, 1, WN_ROTATION_HIGUERA_CARY, axis, 6e8, 0.1);
  }
  across();
  box();
  for (size_t i = 0; i < sizeof noise / sizeof noise[0]; i++)
    noise[i] = (float)(1e4 * draw_gauss());
  for (int kind = 0; kind < WN_N_POINTS; kind++) {
    for (int shape = 0; shape < WN_N_SHAPES; shape++)
      for (int gather = 0; gather < WN_N_GATHERS; gather++)
        if (gather == WN_GATHER_MOMENTUM ||
            (gather == WN_GATHER_NESTED ? shape == WN_SHAPE_CIC : shape != WN_SHAPE_NGP))
          same_bits(kind, shape, gather, 0, WN_ROTATION_NONE);
    same_bits(kind, WN_SHAPE_CIC, WN_GATHER_MOMENTUM, 0, WN_ROTATION_BORIS);
    for (int rotation = 0; rotation <= WN_ROTATION_HIGUERA_CARY; rotation++)
      same_bits(kind, WN_SHAPE_CIC, WN_GATHER_MOMENTUM, 1, rotation);
  }
  return done();
}
