/* t0716-radial.c - defends: particles in r-z (physics/radial.h), and their charge there.
 *   - half a drift ends where the straight line in space does, at any place, near the axis and
 *     through it: r to half a part and the rounding of the way, the velocity to that of floats
 *   - a mirror around the axis reflects the line of a particle: r is that of chords of one length,
 *     speed and angular momentum stay, to rounding
 *   - a free flight of many steps is a straight line, with its speed and angular momentum; in a
 *     field along r and z the angular momentum is that before; about a magnetic field along the
 *     axis the orbit closes
 *   - lanes and one particle at a time have the same bits, with sides, fields and B; an electron
 *     of model mcc without collisions takes the same way as a particle without
 *   - a uniform density is uniform to the noise on all nodes; by the volumes nearest to the nodes
 *     it is 4/3 on the axis, which is seen
 *   - charge is conserved to the last quantum, Gauss's law and Poisson's equation hold, and the
 *     energy of E is half the sum of charge times potential, with a wall and an open side around
 *   - E of a uniform charge at a particle is rho r/(2 eps0)
 * Statistics: seeds are fixed; a density differs by 5 of the standard errors of its own charge, one in
 * 2e6 for a node of many. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "fields/deposit.h"
#include "fields/electrostatic.h"
#include "particles/tally.h"
#include "physics/constants.h"
#include "physics/mcc_grid.h"
#include "physics/radial.h"
#include "schedulers/model.h"
#include "t/tap/grid.h"
#include "t/tap/tap.h"

#define N_R 24
#define N_Z 16

static const struct wn_tally_shape of_tally = {.n_groups = 1};
static float e_of_nodes[2 * (N_R + 3) * (N_Z + 3)];

/* R = 24 m, cells of 1 m. */
static struct wn_grid_view grid(int shape, int gather, int around, int at_ends)
{
  const int32_t cells[3] = {N_R, N_Z, 1};
  struct wn_grid_view g = grid_make(2, shape, gather, cells, at_ends, at_ends, 1.0);
  g.is_radial = 1;
  g.side[0] = WN_SIDE_REFLECT;
  g.side[1] = around;
  g.e = e_of_nodes;
  return g;
}

static struct wn_points points(const struct wn_grid_view *g, double dt)
{
  struct wn_points p = {
      .grid = *g, .kind = WN_POINT_2D3V, .charge = -WN_E, .mass = WN_ME, .dt = dt};
  wn_points_prepare(&p);
  return p;
}

static void field_is(double strength)
{
  for (size_t i = 0; i < sizeof e_of_nodes / sizeof *e_of_nodes; i++)
    e_of_nodes[i] = (float)(strength * (uniform() - 0.5));
}

/* ---- one drift */

static void drifts(void)
{
  const struct wn_grid_view g =
      grid(WN_SHAPE_CIC, WN_GATHER_MOMENTUM, WN_SIDE_ABSORB, WN_SIDE_PERIODIC);
  const double part = ldexp(1.0, -g.bits[0]);
  double worst = 0.0, worst_u = 0.0, worst_momentum = 0.0;
  int left = 0, through = 0;
  for (int i = 0; i < 20000; i++) {
    const struct wn_points p = points(&g, 2.0); /* half a step of 1 s */
    const double r = i % 3 == 0 ? between(2.0 * part, 1.0) : 20.0 * uniform();
    int32_t x[3] = {(int32_t)(r / part), p.end[1] / 2, 0};
    float u[3] = {(float)(draw_gauss() * 0.5), (float)draw_gauss(),
                  (float)(draw_gauss() * 0.5)};
    if (i % 5 == 0) { /* through the axis */
      u[0] = -(float)(x[0] * part + uniform());
      u[2] = 0.0f;
    }
    const double from = x[0] * part, along = from + (double)u[0], across = (double)u[2],
                 to = hypot(along, across), way = hypot((double)u[0], across),
                 c = to > 0.0 ? along / to : 1.0, s = to > 0.0 ? across / to : 0.0,
                 size = hypot(way, (double)u[1]) + 1e-30;
    const double want[2] = {c * (double)u[0] + s * across, c * across - s * (double)u[0]};
    const double momentum = from * across;
    left += wn_point_drift(&p, 2, 3, 0, x, u) >= 0;
    /* a rounding of the way turns the axes where they are near to the centre */
    const double slack = 2e-7 * size * (1.0 + 0.1 * way / fmax(to, 1e-3 * way));
    worst = fmax(worst, fabs(x[0] * part - to) / (0.5 * part + 2e-7 * way));
    worst_u =
        fmax(worst_u,
             fmax(fabs((double)u[0] - want[0]), fabs((double)u[2] - want[1])) / slack);
    worst_momentum = fmax(worst_momentum, fabs(to * (double)u[2] - momentum) /
                                              (2e-7 * (from + way) * size));
    through += u[0] > 0.0f && i % 5 == 0;
  }
  is_int(left, 0, "no particle was lost");
  is_int(through, 4000, "those that pass the axis go on outwards");
  ok(worst <= 1.0, "r is that of the straight line (%.2g of its rounding)", worst);
  ok(worst_u <= 1.0, "and the velocity has its direction (%.2g of its rounding)",
     worst_u);
  ok(worst_momentum <= 1.0, "and its angular momentum (%.2g of its rounding)",
     worst_momentum);
}

/* ---- a mirror around the axis */

/* A chord from mirror to mirror has the half length sqrt(R^2 - p^2), p the distance of the line from the
 * axis: reflection keeps it, so that the way along the chords is periodic, and r = sqrt(p^2 + t^2). */
static void mirrored(void)
{
  const struct wn_grid_view g =
      grid(WN_SHAPE_CIC, WN_GATHER_MOMENTUM, WN_SIDE_REFLECT, WN_SIDE_PERIODIC);
  const double part = ldexp(1.0, -g.bits[0]);
  double worst = 0.0, worst_u = 0.0, worst_momentum = 0.0;
  int left = 0, reflected = 0;
  for (int i = 0; i < 300; i++) {
    const struct wn_points points_of = points(&g, 2.0); /* half a step of 1 s */
    const double r = 23.0 * uniform() + 0.5, angle = 2.0 * WN_PI * uniform(),
                 speed = between(0.1, 4.0);
    int32_t x[3] = {(int32_t)(r / part), points_of.end[1] / 2, 0};
    float u[3] = {(float)(speed * cos(angle)), 0.0f, (float)(speed * sin(angle))};
    const double from = x[0] * part, size = hypot((double)u[0], (double)u[2]),
                 p = from * (double)u[2] / size, half = sqrt(24.0 * 24.0 - p * p),
                 start = from * (double)u[0] / size;
    for (int k = 1; k <= 60; k++) {
      left += wn_point_drift(&points_of, 2, 3, 0, x, u) >= 0;
      double t = start + k * size;
      reflected += t > half && t - size <= half;
      t -= 2.0 * half * floor((t + half) / (2.0 * half));
      worst = fmax(worst, fabs(x[0] * part - sqrt(p * p + t * t)) *
                              fmin(1.0, fabs(t) / 24.0 + x[0] * part));
      worst_u = fmax(worst_u, fabs(hypot((double)u[0], (double)u[2]) / size - 1.0));
      worst_momentum =
          fmax(worst_momentum, fabs(x[0] * part * (double)u[2] / size - p) / 24.0);
    }
  }
  is_int(left, 0, "a mirror around the axis takes none");
  ok(reflected > 200 && worst < 2e-4 && worst_u < 1e-6 && worst_momentum < 2e-6,
     "%d reflections: r is that of chords of one length (%.2g m), speed %.2g and angular "
     "momentum %.2g stay",
     reflected, worst, worst_u, worst_momentum);
}

/* ---- many steps */

static void flights(void)
{
  struct wn_grid_view g =
      grid(WN_SHAPE_CIC, WN_GATHER_MOMENTUM, WN_SIDE_ABSORB, WN_SIDE_PERIODIC);
  const double part = ldexp(1.0, -g.bits[0]);
  double worst = 0.0, worst_speed = 0.0, worst_momentum = 0.0;
  int ended = 0;
  field_is(0.0);
  for (int i = 0; i < 300; i++) {
    const struct wn_points p = points(&g, 0.01);
    const double angle = 6.3 * uniform(), r = 12.0 * uniform();
    int32_t x[3] = {(int32_t)(r / part), 0, 0};
    float u[3] = {(float)cos(angle), 0.1f, i % 4 == 0 ? 0.0f : (float)sin(angle)};
    const double from = x[0] * part, v[2] = {(double)u[0], (double)u[2]};
    const int steps = 1000;
    for (int k = 0; k < steps; k++)
      ended += wn_point_step(&p, 2, 3, WN_SHAPE_CIC, WN_GATHER_MOMENTUM, 0,
                             WN_ROTATION_NONE, x, u) >= 0;
    const double t = 0.01 * steps, to = hypot(from + v[0] * t, v[1] * t);
    worst = fmax(worst, fabs(x[0] * part - to));
    worst_speed =
        fmax(worst_speed, fabs(hypot((double)u[0], (double)u[2]) - hypot(v[0], v[1])));
    worst_momentum = fmax(worst_momentum, fabs(x[0] * part * (double)u[2] - from * v[1]));
  }
  is_int(ended, 0, "free flights end nowhere");
  /* 2000 roundings of at most 6e-8 of the velocity, up or down: 45 of these in its direction, of
   * which 1/sqrt(3) on average over the 10 m; and 6 standard deviations */
  ok(worst < 6e-5, "a free flight of 1000 steps is a straight line (%.2g of 10 m)",
     worst);
  ok(worst_speed < 6e-6, "with its speed (%.2g)", worst_speed);
  ok(worst_momentum < 1e-4, "and angular momentum (%.2g of 12)", worst_momentum);

  worst = worst_momentum = 0.0;
  field_is(2e-12); /* accelerations of 0.2 m/s2 */
  for (int how = 0; how < 2; how++)
    for (int i = 0; i < 200; i++) {
      g.gather = how;
      const struct wn_points p = points(&g, 0.01);
      int32_t x[3] = {(int32_t)(8.0 * uniform() / part), p.end[1] / 2, 0};
      float u[3] = {(float)draw_gauss(), 0.1f, (float)draw_gauss()};
      const double momentum = x[0] * part * (double)u[2], before = (double)u[0];
      for (int k = 0; k < 300; k++)
        ended +=
            wn_point_step(&p, 2, 3, WN_SHAPE_CIC, how, 0, WN_ROTATION_NONE, x, u) >= 0;
      worst_momentum = fmax(worst_momentum, fabs(x[0] * part * (double)u[2] - momentum));
      worst = fmax(worst, fabs((double)u[0] - before));
    }
  ok(worst > 0.5 && worst_momentum < 1e-4,
     "angular momentum is conserved in a field (%.2g of 20; u along r changed by %.2g)",
     worst_momentum, worst);
}

/* A full turn in B along the axis, around which the orbit goes or beside which it lies. */
static void gyration(void)
{
  const struct wn_grid_view g =
      grid(WN_SHAPE_CIC, WN_GATHER_MOMENTUM, WN_SIDE_ABSORB, WN_SIDE_PERIODIC);
  const double part = ldexp(1.0, -g.bits[0]), turn = 2.0 * WN_PI / 400.0;
  double worst = 0.0;
  int ended = 0;
  field_is(0.0);
  for (int i = 0; i < 100; i++) {
    struct wn_points p = points(&g, 0.01);
    p.rotation = WN_ROTATION_BORIS;
    /* a turn by 2 pi/400 in a step: 2 atan(q B dt/(2 m)) */
    p.b[1] = tan(0.5 * turn) * 2.0 * WN_ME / (WN_E * 0.01);
    wn_points_prepare(&p);
    int32_t x[3] = {(int32_t)((1.0 + 8.0 * uniform()) / part), p.end[1] / 2, 0};
    float u[3] = {(float)draw_gauss(), 0.1f, (float)draw_gauss()};
    const double from[3] = {x[0] * part, (double)u[0], (double)u[2]};
    for (int k = 0; k < 400; k++)
      ended += wn_point_step(&p, 2, 3, WN_SHAPE_CIC, WN_GATHER_MOMENTUM, 0,
                             WN_ROTATION_BORIS, x, u) >= 0;
    worst = fmax(worst,
                 fmax(fabs(x[0] * part - from[0]),
                      fmax(fabs((double)u[0] - from[1]), fabs((double)u[2] - from[2]))));
  }
  ok(ended == 0 && worst < 5e-5, "orbits in B along the axis close (%.2g)", worst);
}

/* ---- lanes */

static void lanes(void)
{
  static const int kinds[3] = {WN_SIDE_ABSORB, WN_SIDE_REFLECT, WN_SIDE_OPEN};
  int differ = 0, ended = 0, n_all = 0;
  for (int c = 0; c < 24; c++) {
    const struct wn_grid_view g =
        grid(c % 2 ? WN_SHAPE_CIC : WN_SHAPE_NGP, WN_GATHER_MOMENTUM, kinds[c % 3],
             c % 4 == 0 ? WN_SIDE_PERIODIC : WN_SIDE_ABSORB);
    struct wn_model m;
    struct wn_particles p = {0};
    struct wn_tally one, many;
    const struct wn_field_view v = {.kind = WN_FIELD_GRID, .of.grid = g};
    field_is(1e-10);
    WN_ASSERT(wn_model_init(&m, &wn_model_collisionless) == WN_OK);
    struct wn_points *of = m.data;
    of->kind = WN_POINT_2D3V;
    of->charge = -WN_E;
    of->mass = WN_ME;
    of->relativistic = c / 12;
    of->rotation = c % 5 == 0 ? WN_ROTATION_NONE : WN_ROTATION_BORIS;
    of->b[1] = 3e-12;
    m.steps = 3;
    m.ops->begin_step(&m, 0.0, 1.0);
    WN_ASSERT(m.ops->set_field(&m, &v) == WN_OK);
    WN_ASSERT(points_draw(&p, &g, WN_POINT_2D3V, 1000, 3.0) == WN_OK);
    union wn_word *copy = malloc(1000 * 32);
    memcpy(copy, p.e, 1000 * 32);
    WN_ASSERT(wn_tally_init(&one, &of_tally) == WN_OK);
    WN_ASSERT(wn_tally_init(&many, &of_tally) == WN_OK);
    for (int i = 0; i < 1000; i++)
      m.ops->advance(&m, copy + 8 * i, &one, NULL);
    m.ops->advance_many(&m, p.e, 1000, &many, NULL);
    for (int i = 0; i < 1000; i++) {
      const union wn_word *a = copy + 8 * i, *b = (const union wn_word *)p.e + 8 * i;
      differ += memcmp(a, b, 32) != 0;
      ended += a[0].i < 0;
      n_all++;
    }
    free(copy);
    wn_tally_clear(&one);
    wn_tally_clear(&many);
    wn_particles_clear(&p);
    wn_model_clear(&m);
  }
  ok(differ == 0 && ended > 100 && ended < n_all - 100,
     "lanes have the bits of one particle (%d of %d differ, %d ended)", differ, n_all,
     ended);
}

/* E felt before an electron's flight, and its end, against a step of drift, kick, drift. */
static void electrons(double strength)
{
  double worst = 0.0, worst_u = 0.0;
  int differ = 0, ended = 0;
  struct wn_tally tally;
  WN_ASSERT(wn_tally_init(&tally, &of_tally) == WN_OK);
  field_is(strength);
  for (int i = 0; i < 3000; i++) {
    const struct wn_grid_view g =
        grid(WN_SHAPE_CIC, i % 2, i % 3 == 0 ? WN_SIDE_REFLECT : WN_SIDE_ABSORB,
             WN_SIDE_PERIODIC);
    const double part = ldexp(1.0, -g.bits[0]);
    struct wn_mcc_grid m = {.points = points(&g, 0.05)};
    struct wn_electron e = {.w = 1.0f};
    wn_mcc_grid_prepare(&m);
    int32_t x[3] = {(int32_t)((i % 4 == 0   ? 0.2 * uniform()
                               : i % 4 == 1 ? 24.0 - 0.05 * uniform()
                                            : 24.0 * uniform()) /
                              part),
                    m.points.end[1] / 2, 0};
    float u[3] = {(float)draw_gauss(), (float)draw_gauss(), (float)draw_gauss()},
          moved[3];
    memcpy(e.at, x, sizeof x);
    memcpy(e.u, u, sizeof u);
    wn_mcc_grid_feel(&m, 2, WN_SHAPE_CIC, g.gather, 1.0f, &e);
    for (int d = 0; d < 3; d++) {
      const float to = e.u[d] + 0.05f * e.a[d];
      moved[d] = 0.025f * (e.u[d] + to);
      e.u[d] = to;
    }
    const int mine = wn_mcc_grid_land(&m, 2, moved, 0, &e, &tally),
              theirs = wn_point_step(&m.points, 2, 3, WN_SHAPE_CIC, g.gather, 0,
                                     WN_ROTATION_NONE, x, u);
    differ += mine != theirs;
    ended += mine >= 0;
    if (mine >= 0 || theirs >= 0)
      continue;
    /* near to a mirror one is reflected half a step before the other, in another field */
    if (x[0] * part > 23.5 && strength > 0.0)
      continue;
    worst = fmax(worst, fabs((double)(x[0] - e.at[0]) * part));
    worst_u =
        fmax(worst_u, fmax(fabs((double)(u[0] - e.u[0])), fabs((double)(u[2] - e.u[2]))) *
                          fmin(1.0, x[0] * part));
  }
  ok(differ < 3 && ended > 10,
     "electrons end at the sides as particles do (%d, %d differ)", ended, differ);
  ok(worst < 2e-6 && worst_u < 5e-6,
     "an electron goes where a particle without collisions goes (%.2g m, %.2g m/s)",
     worst, worst_u);
}

/* ---- charge */

#define N_UNIFORM 400000

/* Uniform in space, at rest. */
static void fill(const struct wn_grid_view *g, struct wn_particles *p)
{
  const struct wn_record record = wn_particles_points(WN_POINT_2D3V);
  const struct wn_axis r = wn_grid_axis(g, 0);
  WN_ASSERT(wn_particles_init(p, &record, N_UNIFORM, N_UNIFORM) == WN_OK);
  for (int i = 0; i < N_UNIFORM; i++) {
    union wn_word w[8] = {{0}};
    w[0].i = (int32_t)(wn_axis_even(&r, uniform()) * ldexp(1.0, g->bits[0]));
    w[1].i = (int32_t)(uniform() * N_Z * ldexp(1.0, g->bits[1]));
    w[5].f = 1.0f;
    WN_ASSERT(wn_particles_append(p, w, 1) == WN_OK);
  }
}

/* The density of all nodes at i along r over the mean, and its standard error, from the particles. */
static double density_at(const struct wn_grid_view *g, const struct wn_particles *p,
                         const struct wn_axis *r, int64_t i, double *error)
{
  const double want = N_UNIFORM / (WN_PI * N_R * N_R) * wn_axis_share(r, i);
  double sum = 0.0, square = 0.0;
  for (size_t k = 0; k < p->n; k++) {
    const union wn_word *w = (const union wn_word *)wn_particles_at(p, k);
    const double at = (double)w[0].i * ldexp(1.0, -g->bits[0]),
                 far = fabs(at - (double)i),
                 part = g->shape == WN_SHAPE_NGP ? (far < 0.5 ? 1.0 : 0.0)
                                                 : fmax(0.0, 1.0 - far);
    sum += part;
    square += part * part;
  }
  *error = sqrt(square) / want;
  return sum / want;
}

static void uniform_density(int shape)
{
  const struct wn_grid_view g =
      grid(shape, WN_GATHER_MOMENTUM, WN_SIDE_ABSORB, WN_SIDE_ABSORB);
  const struct wn_axis r = wn_grid_axis(&g, 0),
                       naive = wn_axis_radial(N_R, N_R, 1.0, WN_SHAPE_NGP);
  struct wn_points m = points(&g, 0.0);
  struct wn_particles p = {0};
  struct wn_deposit *d = NULL;
  struct wn_deposited sum;
  int64_t *quanta = calloc((size_t)wn_grid_nodes(&g), sizeof *quanta);
  double worst = 0.0, worst_sum = 0.0, on_axis = 0.0, error_on_axis = 0.0;
  wn_i128 all = 0;
  fill(&g, &p);
  WN_ASSERT(wn_deposit_create(&g, 1, &d) == WN_OK);
  WN_ASSERT(wn_deposit_points(d, &m, &p, quanta, &sum) == WN_OK);
  wn_deposit_fold(&g, 0, quanta);
  for (int64_t i = 0; i <= N_R; i++) {
    double error, of_nodes = 0.0;
    const double n = density_at(&g, &p, &r, i, &error),
                 want = N_UNIFORM / (WN_PI * N_R * N_R) * wn_axis_share(&r, i);
    for (int64_t j = 0; j <= N_Z; j++)
      of_nodes += (double)quanta[g.first + i + j * g.step[1]] / WN_QUANTA;
    for (int64_t j = 0; j <= N_Z; j++)
      all += quanta[g.first + i + j * g.step[1]];
    worst = fmax(worst, fabs(of_nodes / want - 1.0) / error);
    worst_sum = fmax(worst_sum, fabs(of_nodes / want - n));
    if (i == 0) {
      on_axis = of_nodes / want * wn_axis_share(&r, 0) / wn_axis_share(&naive, 0);
      error_on_axis = error;
    }
  }
  ok(all == (wn_i128)N_UNIFORM * WN_QUANTA && worst_sum < 1e-4,
     "shape %d: all quanta are on the grid", shape);
  ok(worst < 5.0, "shape %d: a uniform density is uniform to %.2f standard errors", shape,
     worst);
  if (shape == WN_SHAPE_CIC)
    ok((on_axis - 1.0) / error_on_axis > 5.0,
       "by the volumes nearest to the nodes it is %.3f on the axis (error %.3f)", on_axis,
       error_on_axis);
  wn_deposit_free(d);
  wn_particles_clear(&p);
  free(quanta);
}

static struct wn_field *field_of(struct wn_electrostatic_spec *spec,
                                 const struct wn_grid_view *g, enum wn_potential around,
                                 double charge)
{
  struct wn_field *f = NULL;
  *spec = (struct wn_electrostatic_spec){
      .grid = *g,
      .poisson = {.dim = 2,
                  .cells = {N_R, N_Z},
                  .side = {WN_NEUMANN, around, WN_DIRICHLET, WN_NEUMANN},
                  .threads = 1,
                  .geometry = {.dim = 2}},
      .n_species = 1,
      .charge = {charge}};
  for (int a = 0; a < 2; a++)
    spec->poisson.geometry.axis[a] = wn_grid_axis(g, a);
  spec->points[0] = points(g, 0.0);
  if (wn_electrostatic_create(spec, &f) != WN_OK)
    ok(0, "the field of r-z");
  return f;
}

static void fields(enum wn_potential around)
{
  const struct wn_grid_view g =
      grid(WN_SHAPE_CIC, WN_GATHER_MOMENTUM, WN_SIDE_ABSORB, WN_SIDE_ABSORB);
  const double q = 1e-12;
  struct wn_electrostatic_spec spec;
  struct wn_particles p = {0}, *all = &p;
  struct wn_field_sums s;
  const double *phi = NULL, *rho = NULL;
  struct wn_field *f = field_of(&spec, &g, around, q);
  fill(&g, &p);
  for (size_t k = 0; k < p.n; k++) /* not only a uniform one */
    ((union wn_word *)wn_particles_at(&p, k))[5].f = (float)(k % 7);
  const double total = q * ((double)(N_UNIFORM / 7) * 21.0 +
                            (double)((N_UNIFORM % 7) * (N_UNIFORM % 7 - 1) / 2));
  const int status = f->ops->solve(f, &all, 1, 0.0, 0.0) | wn_field_sums(f, &s) |
                     wn_field_potential(f, &phi) | wn_field_charge(f, &rho);
  double pairs = 0.0, charge = 0.0;
  for (int64_t j = 0, i = 0; j <= N_Z; j++)
    for (int64_t k = 0; k <= N_R; k++, i++) {
      const int64_t node[3] = {k, j, 0};
      const double of_node = rho[i] * wn_geometry_volume(&spec.poisson.geometry, node);
      charge += of_node;
      pairs += 0.5 * of_node * phi[i];
    }
  const char *name = around == WN_OPEN ? "open" : "a wall";
  ok(status == WN_OK && fabs(s.charge / total - 1.0) < 1e-12 &&
         fabs(charge / total - 1.0) < 1e-12,
     "%s: the charge of the nodes is that of the particles", name);
  ok(fabs(s.gauss) < 1e-11 * total && s.residual < 1e-11,
     "%s: Gauss's law but for %.2g of it, and the equation but for %.2g", name,
     s.gauss / total, s.residual);
  ok(fabs(s.energy / pairs - 1.0) < 1e-11,
     "%s: the energy of E is that of the charges (%.12g, %.12g)", name, s.energy, pairs);
  f->ops->free(f);
  wn_particles_clear(&p);
}

/* E at particles in a charge that is uniform by construction: one particle for every node, its weight
 * the volume. */
static void gathered(int how)
{
  const struct wn_grid_view g = grid(WN_SHAPE_CIC, how, WN_SIDE_ABSORB, WN_SIDE_ABSORB);
  const struct wn_axis r = wn_grid_axis(&g, 0), z = wn_grid_axis(&g, 1);
  const struct wn_record record = wn_particles_points(WN_POINT_2D3V);
  struct wn_electrostatic_spec spec;
  struct wn_particles p = {0}, *all = &p;
  struct wn_field_view v;
  double worst = 0.0;
  struct wn_field *f = field_of(&spec, &g, WN_DIRICHLET, WN_EPS0);
  f->ops->free(f);
  spec.poisson.side[2] = WN_NEUMANN;
  WN_ASSERT(wn_electrostatic_create(&spec, &f) == WN_OK);
  WN_ASSERT(wn_particles_init(&p, &record, 1000, 1000) == WN_OK);
  for (int64_t j = 0; j <= N_Z; j++)
    for (int64_t i = 0; i <= N_R; i++) {
      union wn_word w[8] = {{0}};
      w[0].i = (int32_t)i << g.bits[0];
      w[1].i = (int32_t)j << g.bits[1];
      w[5].f = (float)(wn_axis_share(&r, i) * wn_axis_share(&z, j));
      WN_ASSERT(wn_particles_append(&p, w, 1) == WN_OK);
    }
  WN_ASSERT(f->ops->solve(f, &all, 1, 0.0, 0.0) == WN_OK);
  f->ops->view(f, &v);
  for (int i = 0; i < 2000;
       i++) { /* between the nodes by energy: in the middle of edges */
    const double at =
        how == WN_GATHER_ENERGY ? floor(N_R * uniform()) + 0.5 : N_R * uniform();
    const int32_t x[2] = {(int32_t)(at * ldexp(1.0, g.bits[0])),
                          (int32_t)(uniform() * N_Z * ldexp(1.0, g.bits[1]))};
    int32_t cell[3] = {0, 0, 0};
    uint32_t part[3] = {0, 0, 0};
    float e[3];
    for (int d = 0; d < 2; d++)
      wn_place_of_fixed(g.bits[d], x[d], &cell[d], &part[d]);
    wn_grid_gather(&v.of.grid, 2, WN_SHAPE_CIC, how, cell, part, e);
    worst = fmax(worst, fmax(fabs((double)e[0] - 0.5 * at), fabs((double)e[1])));
  }
  ok(worst < 2e-5, "gather %d: E of a uniform charge is rho r/(2 eps0) (%.2g of 12)", how,
     worst);
  f->ops->free(f);
  wn_particles_clear(&p);
}

int main(void)
{
  plan(0);
  draw_state = 716;
  drifts();
  mirrored();
  flights();
  gyration();
  lanes();
  electrons(1e-10);
  electrons(0.0);
  uniform_density(WN_SHAPE_CIC);
  uniform_density(WN_SHAPE_NGP);
  fields(WN_DIRICHLET);
  fields(WN_OPEN);
  gathered(WN_GATHER_MOMENTUM);
  gathered(WN_GATHER_ENERGY);
  return done();
}
