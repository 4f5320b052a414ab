/* t0786-ten-moments.c - defends: the ten moments of physics/ten_moments.h at the nodes are those of the particles,
 * for every shape, number of axes and kind of side, with and without weights, relativistic or not; the charge
 * on the nodes is that of the particles to the last quantum; sums have the same bits for any order of the
 * store and number of threads, in 64 bits and in 128; what could overflow, and what is no number, is refused;
 * the integers keep the range that the proof of the header states; a drifting Maxwellian has its moments at all
 * nodes, walls included, within the noise; the maps of a run are these, with their totals, the net charge and the
 * pressure about the mean.
 *
 * References: sums in double precision, particle by particle, with splines written here anew; the moments of a
 * normal distribution.  Tolerances of the first: three quanta of 2^-20 a particle and node that it reaches, single
 * precision of a velocity and twice of a product, 2^-31 of the unit, and 2^-22 of it for a particle and node; of 128 particles or more a node in three
 * dimensions.  Statistics: fixed seed; sum over nodes that share no particle of (difference/sigma)^2, with
 * sigma exact, as a normal deviate (Wilson and Hilferty, Proc. Natl. Acad. Sci. 17, 684, 1931), below 4.5:
 * one false alarm in 7,000 seeds for all 20 checks together. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "fields/field.h"
#include "physics/constants.h"
#include "src/config/plasma_derived.h"
#include "src/sim/loading.h"
#include "src/sim/plasma_points.h"
#include "src/sim/ten_moments.h"
#include "src/sim/ten_sums.h"
#include "t/tap/command.h"
#include "t/tap/scene.h"
#include "t/tap/plain_nodes.h"
#include "t/tap/tap.h"

#define FILE_NAME "t0786.cfg"
#define OUT       "t0786.nc"

static const char *const nothing[] = {NULL};
static const int first[6] = {0, 0, 0, 1, 1, 2}, second[6] = {0, 1, 2, 1, 2, 2};

/* ---- a second program */

static const char *const boxes[] = {
    "grid = { cells = [12]; length = \"12 mm\"; };\nwalls = { x_low = { field = "
    "\"dirichlet\"; }; x_high = { field = \"neumann\"; }; };\n",
    "grid = { cells = [8, 6]; length = [\"8 mm\", \"9 mm\"]; };\nwalls = { x_low = { "
    "field = \"neumann\"; }; x_high = { field = \"dirichlet\"; particles = \"reflect\"; "
    "}; };\n",
    "grid = { cells = [6, 5, 4]; length = [\"6 mm\", \"6 mm\", \"6 mm\"]; };\nwalls = { "
    "y_low = { field = \"dirichlet\"; }; y_high = { field = \"dirichlet\"; }; z_low = { "
    "field = \"neumann\"; }; z_high = { field = \"neumann\"; }; };\n",
    /* mirrors along all axes: each component has its sign */
    "grid = { cells = [5, 4, 4]; length = [\"5 mm\", \"6 mm\", \"6 mm\"]; };\nwalls = { "
    "x_low = { field = \"neumann\"; }; x_high = { field = \"neumann\"; }; y_low = { "
    "field = \"neumann\"; }; y_high = { field = \"neumann\"; }; z_low = { field = "
    "\"neumann\"; }; z_high = { field = \"neumann\"; }; };\n"};

/* Electrons with collisions, in hardly any gas, beside ions without; the field is weak. */
static const char matter[] =
    "model = \"plasma\"; duration = \"4 ns\"; threads = 2; seed = 5;\n"
    "gas = { pressure = \"1e-6 Pa\"; components = { Ar = { file = \"builtin:argon\"; }; "
    "}; };\ntables = { energy_max = \"1 keV\"; };\n"
    "species = { e = { density = \"1e10 m-3\"; per_cell = 100; temperature = \"5 eV\"; "
    "drift = [\"300 km/s\", \"-900 km/s\", \"500 km/s\"]; loading = \"random\"; "
    "collisions = \"gas\"; ions = \"i\"; };\n i = { density = \"1e10 m-3\"; per_cell = "
    "100; charge = 1.0; mass = \"40 u\"; temperature = \"0.1 eV\"; loading = \"random\"; "
    "}; };\n";

/* Two velocity components, or relativistic ones. */
static const char alone[] =
    "model = \"plasma\"; duration = \"4 ns\"; threads = 2; seed = 5;\n"
    "species = { e = { density = \"1e10 m-3\"; per_cell = 100; temperature = \"60 keV\"; "
    "drift = [\"0.3 c\", \"-0.2 c\", \"0\"]; loading = \"random\"; };\n i = { density = "
    "\"1e10 m-3\"; per_cell = 100; charge = 1.0; mass = \"1 u\"; temperature = \"0.1 "
    "eV\"; loading = \"random\"; }; };\n";

struct one {
  double s[3], u[3], gamma, w; /* cells, m/s */
};

static double weight_of(const struct wn_species *of, size_t i)
{
  const struct wn_points *m = wn_plasma_points(of);
  const int dim = m->grid.dim, n_v = wn_point_velocities(m->kind);
  return wn_plasma_has_electrons(of) ? (double)wn_particles_electrons(&of->p)[i].w
         : wn_point_weighs(dim, n_v)
             ? (double)((const union wn_word *)wn_particles_at(&of->p, i))[dim + n_v].f
             : 1.0;
}

static float *velocity_of(const struct wn_species *of, size_t i)
{
  return wn_plasma_has_electrons(of) ? wn_particles_electrons(&of->p)[i].u
                                     : &((union wn_word *)wn_particles_at(
                                           &of->p, i))[wn_plasma_points(of)->grid.dim]
                                            .f;
}

static struct one read_one(const struct wn_species *of, size_t i)
{
  const struct wn_points *m = wn_plasma_points(of);
  const union wn_word *r = wn_particles_at(&of->p, i);
  const int dim = m->grid.dim, n_v = wn_point_velocities(m->kind);
  struct one p = {.w = weight_of(of, i)};
  double u2 = 0.0;
  for (int d = 0; d < dim; d++)
    p.s[d] = ldexp((double)r[d].i, -m->grid.bits[d]);
  for (int d = 0; d < n_v; d++) {
    p.u[d] = (double)velocity_of(of, i)[d];
    u2 += p.u[d] * p.u[d];
  }
  p.gamma = m->relativistic ? sqrt(1.0 + u2 / (WN_C * WN_C)) : 1.0;
  return p;
}

/* The values of a particle for the ten moments, in numbers, m/s, kg m2/s2. */
static void values_of(const struct one *p, double mass, const double sign[3],
                      double v[10])
{
  v[0] = 1.0;
  for (int d = 0; d < 3; d++)
    v[1 + d] = sign[d] * p->u[d] / p->gamma;
  for (int k = 0; k < 6; k++)
    v[4 + k] = mass * sign[first[k]] * sign[second[k]] * p->u[first[k]] *
               p->u[second[k]] / p->gamma;
}

/* All moments in doubles, into want [10][nodes]; room: how far rounding may be off.  exponent: of the unit. */
static void by_hand(const struct wn_sim *s, size_t k, int exponent, double *want,
                    double *room)
{
  const struct wn_config *c = s->c;
  const struct wn_points *m = wn_plasma_points(s->species[k]);
  const int dim = c->plasma.dim, shape = (int)c->plasma.shape;
  const size_t nodes = wn_field_nodes(s->field);
  const double unit = ldexp(1.0, exponent);
  int cells[3] = {0, 0, 0};
  double volume = 1.0;
  for (int d = 0; d < dim; d++) {
    cells[d] = (int)c->plasma.cells[d];
    volume *= c->plasma.length[d] / cells[d];
  }
  memset(want, 0, 10 * nodes * sizeof *want);
  memset(room, 0, 10 * nodes * sizeof *room);
  for (size_t i = 0; i < s->species[k]->p.n; i++) {
    const struct one p = read_one(s->species[k], i);
    for (int z = dim > 2 ? -1 : 0; z <= (dim > 2 ? cells[2] + 1 : 0); z++) {
      if (dim > 2 && plain_spline(shape, p.s[2], z) == 0.0)
        continue;
      for (int y = dim > 1 ? -1 : 0; y <= (dim > 1 ? cells[1] + 1 : 0); y++) {
        if (dim > 1 && plain_spline(shape, p.s[1], y) == 0.0)
          continue;
        for (int x = -1; x <= cells[0] + 1; x++) {
          const int at[3] = {x, y, z};
          double w = p.w * wn_loading_weight(c, &c->species[k]) / volume, whole = w / p.w,
                 sign[3] = {1.0, 1.0, 1.0}, value[10];
          int node[3] = {0, 0, 0};
          for (int d = 0; d < dim && w != 0.0; d++) {
            w *= plain_spline(shape, p.s[d], at[d]);
            node[d] = plain_onto(c, d, at[d], &sign[d]);
            w /= plain_part(c, d, node[d]);
            whole /= plain_part(c, d, node[d]);
          }
          if (w == 0.0)
            continue;
          const size_t to =
              (size_t)((node[2] * (cells[1] + 1) + node[1]) * (cells[0] + 1) + node[0]);
          values_of(&p, m->mass, sign, value);
          for (size_t a = 0; a < 10; a++) {
            const double quantum = a == 0 ? 0.0 : a < 4 ? unit : m->mass * unit * unit;
            want[a * nodes + to] += w * value[a];
            room[a * nodes + to] += fabs(value[a]) * (w * 0x1p-21 + whole * 3 * 0x1p-20) +
                                    w * quantum * 0x1p-30 + whole * quantum * 0x1p-22;
          }
        }
      }
    }
  }
  /* the second end of a periodic axis has what the first has */
  for (size_t a = 0; a < 10; a++)
    for (int z = 0; z <= cells[2]; z++)
      for (int y = 0; y <= cells[1]; y++)
        for (int x = 0; x <= cells[0]; x++) {
          const int at[3] = {x, y, z};
          int from[3] = {x, y, z};
          for (int d = 0; d < dim; d++)
            if (c->plasma.wall[2 * d].field == WN_PERIODIC)
              from[d] = at[d] % cells[d];
          const size_t here = a * nodes +
                              (size_t)((z * (cells[1] + 1) + y) * (cells[0] + 1) + x),
                       there = a * nodes + (size_t)((from[2] * (cells[1] + 1) + from[1]) *
                                                        (cells[0] + 1) +
                                                    from[0]);
          want[here] = want[there];
          room[here] = room[there];
        }
}

/* Weights of parts of one to some tens, where records have one; one particle in 50 by `heavy`. */
static void weigh(struct wn_species *of, double heavy)
{
  const struct wn_points *m = wn_plasma_points(of);
  const int dim = m->grid.dim, n_v = wn_point_velocities(m->kind);
  for (size_t i = 0; i < of->p.n; i++) {
    const float w = i % 50 == 3 ? (float)heavy : 0.3f + 0.37f * (float)(i % 7);
    if (wn_plasma_has_electrons(of))
      wn_particles_electrons(&of->p)[i].w = w;
    else if (wn_point_weighs(dim, n_v))
      ((union wn_word *)wn_particles_at(&of->p, i))[dim + n_v].f = w;
  }
}

static wn_i128 quanta_of(const struct wn_species *of)
{
  wn_i128 sum = 0;
  for (size_t i = 0; i < of->p.n; i++)
    sum += wn_quanta((float)weight_of(of, i));
  return sum;
}

static void compare(struct scene *scene, struct wn_node_sums *m, struct wn_ten_moments *t,
                    size_t k, const char *what)
{
  const size_t nodes = wn_field_nodes(scene->sim->field);
  struct wn_species *of = scene->sim->species[k];
  double *want = malloc(10 * nodes * sizeof *want),
         *room = malloc(10 * nodes * sizeof *room), off[10] = {0.0}, total = 0.0,
         most = 0.0;
  WN_ASSERT(want != NULL && room != NULL);
  is_int(wn_ten_moments_take(m, scene->config, k, of, t), WN_OK, "%s", what);
  for (size_t i = 0; i < of->p.n; i++)
    for (int d = 0; d < wn_point_velocities(wn_plasma_points(of)->kind); d++)
      most = fmax(most, fabs((double)velocity_of(of, i)[d]));
  ok(most < ldexp(1.0, t->exponent) && most >= ldexp(0.5, t->exponent),
     "%s: the unit of velocity is the next power of two above %.6g m/s", what, most);
  ok(t->quanta == quanta_of(of), "%s: the charge on the nodes is that of the particles",
     what);
  by_hand(scene->sim, k, t->exponent, want, room);
  for (size_t i = 0; i < 10 * nodes; i++) {
    if (room[i] > 0.0)
      off[i / nodes] = fmax(off[i / nodes], fabs(t->value[i] - want[i]) / room[i]);
    else
      off[i / nodes] = t->value[i] == want[i] ? off[i / nodes] : INFINITY;
    total += room[i] > 0.0 ? fabs(want[i]) / room[i] : 0.0;
  }
  ok(total / (double)(10 * nodes) > 1e3, "%s: allowed: something", what);
  for (size_t a = 0; a < 10; a++)
    ok(off[a] <= 1.0, "%s: moment %zu at all nodes, %.2g of its room", what, a, off[a]);
  free(want);
  free(room);
}

static void second_program(const char *text, const char *box, const char *plasma)
{
  char whole[4096], what[256];
  struct scene scene;
  struct wn_node_sums *m = NULL;
  struct wn_ten_moments t;
  snprintf(whole, sizeof whole,
           "%s%splasma = { time_step = \"200 ps\"; allow = [\"cell-crossing\"]; %s };\n",
           text, box, plasma);
  scene_open(&scene, FILE_NAME, whole, nothing);
  scene_start(&scene, 200e-12);
  for (int i = 0; i < 2; i++)
    WN_ASSERT(scene_phase(&scene) == WN_OK);
  WN_ASSERT(wn_node_sums_create_ten(scene.config, &m) == WN_OK);
  WN_ASSERT(wn_ten_moments_create(wn_field_nodes(scene.sim->field), &t) == WN_OK);
  for (size_t k = 0; k < 2; k++)
    for (int round = 0; round < 3; round++) { /* as they are; of 64 bits; of 128 */
      snprintf(what, sizeof what, "%d-D, %s species %s, round %d",
               scene.config->plasma.dim, plasma, scene.config->species[k].name, round);
      if (round > 0)
        weigh(scene.sim->species[k], round == 1 ? 41.0 : 3e7);
      compare(&scene, m, &t, k, what);
    }
  wn_ten_moments_clear(&t);
  wn_node_sums_free(m);
  scene_close(&scene);
}

/* ---- bits, range and errors */

static void reverse(struct wn_particles *p)
{
  struct wn_electron *e = wn_particles_electrons(p);
  for (size_t i = 0, j = p->n - 1; i < j; i++, j--) {
    const struct wn_electron one = e[i];
    e[i] = e[j];
    e[j] = one;
  }
}

static void refused(struct scene *scene, struct wn_node_sums *m, struct wn_ten_moments *t,
                    const char *what)
{
  is_int(wn_ten_moments_take(m, scene->config, 0, scene->sim->species[0], t), WN_ERUN,
         "%s is refused", what);
}

/* The charge in partial sums of 64 bits. */
static void sums_of_64_bits(const struct wn_config *c, struct wn_species *of,
                            const struct wn_ten_moments *t)
{
  const struct wn_grid_view g = wn_plasma_grid(c);
  const size_t nodes = (size_t)wn_grid_nodes(&g);
  struct wn_ten_sums s;
  struct wn_node_values what;
  wn_i128 *sum = calloc(nodes * WN_TEN_MOMENTS, sizeof *sum), all = 0;
  WN_ASSERT(sum != NULL && wn_ten_sums_create(nodes, 1, &s) == WN_OK);
  wn_node_sums_prepare(of, &what);
  what.what = WN_NODE_TEN;
  what.per_unit = (double)wn_ten_moments_per_unit(t->exponent);
  const uint64_t misfits = wn_ten_sums_add(&s, &of->p, &what, sum);
  for (size_t i = 0; i < nodes; i++)
    all += sum[i * WN_TEN_MOMENTS];
  ok(misfits == 0 && all == t->quanta, "%.9g quanta", (double)all);
  wn_ten_sums_clear(&s);
  free(sum);
}

static void bits_and_errors(void)
{
  struct scene scene;
  struct wn_node_sums *m[3] = {NULL, NULL, NULL};
  struct wn_ten_moments a, b;
  char text[4096];
  snprintf(text, sizeof text, "%s%s%s", matter, boxes[1],
           "plasma = { time_step = \"200 ps\"; shape = \"tsc\"; allow = "
           "[\"cell-crossing\"]; };\n");
  scene_open(&scene, FILE_NAME, text, nothing);
  scene_start(&scene, 200e-12);
  const size_t nodes = wn_field_nodes(scene.sim->field),
               bytes = 10 * nodes * sizeof *a.value;
  struct wn_species *e = scene.sim->species[0];
  struct wn_electron *one = wn_particles_electrons(&e->p);
  for (int i = 0; i < 3; i++) { /* in 128 bits by one thread; in 64 by one and three */
    scene.config->threads = 1 + 2 * (i == 1);
    WN_ASSERT((i == 0 ? wn_node_sums_create(scene.config, WN_TEN_MOMENTS, &m[i])
                      : wn_node_sums_create_ten(scene.config, &m[i])) == WN_OK);
  }
  WN_ASSERT(wn_ten_moments_create(nodes, &a) == WN_OK);
  WN_ASSERT(wn_ten_moments_create(nodes, &b) == WN_OK);
  for (int round = 0; round < 4; round++) {
    const double heavy[] = {17.0, 2047.0, 3e7, 1e10};
    weigh(e, heavy[round]);
    WN_ASSERT(wn_ten_moments_take(m[0], scene.config, 0, e, &a) == WN_OK);
    WN_ASSERT(wn_ten_moments_take(m[1], scene.config, 0, e, &b) == WN_OK);
    ok(memcmp(a.value, b.value, bytes) == 0 &&
           memcmp(a.total, b.total, sizeof a.total) == 0,
       "weights up to %g: three threads have the bits of one", heavy[round]);
    WN_ASSERT(wn_ten_moments_take(m[2], scene.config, 0, e, &b) == WN_OK);
    ok(memcmp(a.value, b.value, bytes) == 0, "and sums of 64 bits by one thread");
    sums_of_64_bits(scene.config, e, &a);
    reverse(&e->p);
    WN_ASSERT(wn_ten_moments_take(m[1], scene.config, 0, e, &b) == WN_OK);
    ok(memcmp(a.value, b.value, bytes) == 0, "and another order of the store");
    reverse(&e->p);
  }
  weigh(e, 3e12); /* each below 2^62 quanta, not all together */
  refused(&scene, m[0], &a, "a sum that could overflow");
  weigh(e, 1.0);
  WN_ASSERT(wn_ten_moments_take(m[0], scene.config, 0, e, &b) == WN_OK);
  one[7].w = -1.0f;
  refused(&scene, m[0], &a, "a weight below 0");
  one[7].w = 5e12f;
  refused(&scene, m[1], &a, "a weight of 2^62 quanta");
  one[7].w = 1.0f;
  const float before = one[7].u[2];
  one[7].u[2] = NAN;
  refused(&scene, m[0], &a, "a velocity that is no number");
  one[7].u[2] = INFINITY;
  refused(&scene, m[1], &a, "an infinite velocity");
  one[7].u[2] = before;
  is_int(wn_ten_moments_take(m[0], scene.config, 0, e, &a), WN_OK, "and without");
  wn_ten_moments_clear(&a);
  wn_ten_moments_clear(&b);
  for (int i = 0; i < 3; i++)
    wn_node_sums_free(m[i]);
  scene_close(&scene);
}

/* The bounds on which the proof of physics/ten_moments.h stands, at the ends of the unit. */
static void range(void)
{
  static const float at[] = {1e-30f, 0.7f, 1.0f, 3e3f, 1.1e6f, 2.9e8f, 1e12f};
  int outside = 0, below = 0;
  for (size_t i = 0; i < sizeof at / sizeof at[0]; i++)
    for (int relativistic = 0; relativistic < 2; relativistic++) {
      const int e = wn_ten_moments_exponent(at[i]);
      const float per = wn_ten_moments_per_unit(e),
                  edge = nextafterf(ldexpf(1.0f, e), 0.0f);
      for (int sign = 0; sign < 8; sign++) {
        const float u[3] = {sign & 1 ? -edge : edge, sign & 2 ? -edge : edge,
                            sign & 4 ? -edge : edge};
        int32_t m[10];
        wn_ten_moments(3, relativistic, per, u, m);
        for (int a = 0; a < 10; a++)
          outside += m[a] > 1 << 30 || m[a] < -(1 << 30);
        below += !relativistic && abs(m[WN_MOMENT_PXX]) < (1 << 30) - 200;
      }
      outside += !wn_ten_moments_fits(3, per, (const float[3]){edge, edge, edge}) ||
                 wn_ten_moments_fits(3, per, (const float[3]){0.0f, 0.0f, 2.0f * edge}) ||
                 wn_ten_moments_fits(3, per, (const float[3]){NAN, 0.0f, 0.0f});
    }
  is_int(outside, 0, "no integer of a particle leaves -2^30 to 2^30");
  is_int(below, 0, "and the unit is used to its end");
  is_int(wn_ten_moments_exponent(0.0f), 0, "exponent of no velocity");
  ok(wn_ten_moments_exponent(NAN) > WN_MOMENT_EXPONENT_MOST &&
         wn_ten_moments_exponent(0x1p60f) > WN_MOMENT_EXPONENT_MOST,
     "and of none that there can be");
}

/* ---- a drifting Maxwellian */

#define CELLS 32

/* Mean and mean square of a value of the distribution, for each moment. */
static void expected(double s2, const double u[3], double mass, double mean[10],
                     double square[10])
{
  mean[0] = square[0] = 1.0;
  for (int d = 0; d < 3; d++) {
    mean[1 + d] = u[d];
    square[1 + d] = s2 + u[d] * u[d];
  }
  for (int k = 0; k < 6; k++) {
    const double a = u[first[k]], b = u[second[k]];
    mean[4 + k] = mass * (a * b + (first[k] == second[k] ? s2 : 0.0));
    square[4 + k] =
        mass * mass *
        (first[k] == second[k] ? 3.0 * s2 * s2 + 6.0 * s2 * a * a + a * a * a * a
                               : (s2 + a * a) * (s2 + b * b));
  }
}

static void maxwellian(void)
{
  static const char text[] =
      "model = \"plasma\"; duration = \"1 ns\"; threads = 2; seed = 11;\n"
      "grid = { cells = [32, 32]; length = [\"32 mm\", \"32 mm\"]; };\n"
      "walls = { x_low = { field = \"dirichlet\"; }; x_high = { field = \"dirichlet\"; "
      "}; "
      "};\n"
      "species = { e = { density = \"1e10 m-3\"; per_cell = 100; temperature = \"5 eV\"; "
      "drift = [\"600 km/s\", \"-900 km/s\", \"300 km/s\"]; loading = \"random\"; };\n"
      "i = { density = \"1e10 m-3\"; per_cell = 100; charge = 1.0; mass = \"4 u\"; "
      "temperature = \"0.3 eV\"; drift = [\"0\", \"2 km/s\", \"0\"]; loading = "
      "\"random\"; "
      "}; };\n"
      "plasma = { time_step = \"100 ps\"; velocities = 3; };\n";
  struct scene scene;
  struct wn_node_sums *m = NULL;
  struct wn_ten_moments t;
  scene_open(&scene, FILE_NAME, text, nothing);
  scene_start(&scene, 100e-12);
  WN_ASSERT(wn_node_sums_create_ten(scene.config, &m) == WN_OK);
  WN_ASSERT(wn_ten_moments_create(wn_field_nodes(scene.sim->field), &t) == WN_OK);
  for (size_t k = 0; k < 2; k++) {
    const struct wn_cfg_species *s = &scene.config->species[k];
    const double n = (double)scene.sim->species[k]->p.n, cell = 1e-6,
                 weight = wn_loading_weight(scene.config, s),
                 s2 = s->temperature_ev * WN_E / s->mass;
    double mean[10], square[10];
    WN_ASSERT(wn_ten_moments_take(m, scene.config, k, scene.sim->species[k], &t) ==
              WN_OK);
    expected(s2, s->drift, s->mass, mean, square);
    for (size_t a = 0; a < 10; a++) {
      double chi2 = 0.0, dof = 0.0;
      for (size_t y = 0; y < CELLS; y += 2)
        for (size_t x = 0; x <= CELLS; x += 2) {
          /* means over the domain of S and S^2: along a periodic axis 1 and 2/3 of a cell, at a wall half */
          const double half = x == 0 || x == CELLS ? 0.5 : 1.0,
                       cells = CELLS * (double)CELLS, of_s = half / cells,
                       of_s2 = half * 4.0 / 9.0 / cells,
                       variance =
                           n * (of_s2 * square[a] - of_s * of_s * mean[a] * mean[a]),
                       got = t.value[(a * (CELLS + 1) + y) * (CELLS + 1) + x] * half *
                             cell / weight,
                       want = n * of_s * mean[a];
          chi2 += (got - want) * (got - want) / variance;
          dof += 1.0;
        }
      const double z =
          (cbrt(chi2 / dof) - (1.0 - 2.0 / (9.0 * dof))) / sqrt(2.0 / (9.0 * dof));
      ok(fabs(z) < 4.5, "%s: moment %zu at %.0f nodes: chi2 %.1f, deviate %.2f", s->name,
         a, dof, chi2, z);
    }
  }
  wn_ten_moments_clear(&t);
  wn_node_sums_free(m);
  scene_close(&scene);
}

/* ---- a run */

static const char program[] =
    "model = \"plasma\"; duration = \"2 ns\"; threads = 2; seed = 3;\n"
    "grid = { cells = [10, 8]; length = [\"5 mm\", \"4 mm\"]; };\n"
    "walls = { x_low = { field = \"dirichlet\"; }; x_high = { field = \"dirichlet\"; }; "
    "};\n"
    "species = { e = { density = \"1e13 m-3\"; per_cell = 50; temperature = \"5 eV\"; "
    "drift = [\"300 km/s\", \"0\", \"100 km/s\"]; loading = \"random\"; };\n"
    "i = { density = \"1e13 m-3\"; per_cell = 50; charge = 1.0; mass = \"1 u\"; "
    "temperature = \"1 eV\"; }; };\n"
    "plasma = { time_step = \"100 ps\"; velocities = 3; moments_interval = \"500 ps\"; "
    "moments_pressure = true; };\n";

#define NODES ((size_t)(11 * 9))

static double *read_map(const char *name, size_t want)
{
  size_t n = 0;
  double *v = command_nc_read(OUT, name, &n);
  ok(v != NULL && n == want, "%s has %zu numbers", name, want);
  WN_ASSERT(v != NULL && n == want);
  return v;
}

/* Sum over the nodes times their volumes; y is periodic, its last node a copy. */
static double integral(const double *map)
{
  double sum = 0.0;
  for (size_t y = 0; y < 8; y++)
    for (size_t x = 0; x < 11; x++)
      sum += map[y * 11 + x] * 0.25e-6 * (x == 0 || x == 10 ? 0.5 : 1.0);
  return sum;
}

static void of_a_run(void)
{
  static const char *const tensor[] = {"xx", "xy", "xz", "yy", "yz", "zz"};
  if (!is_int(command_run(FILE_NAME, program, "", OUT, "--quiet"), 0, "a run"))
    return;
  double *time = read_map("moment_time", 4), *net = read_map("rho_net", 4 * NODES),
         *rho[2] = {read_map("rho_e", 4 * NODES), read_map("rho_i", 4 * NODES)},
         *total = read_map("total_rho_e", 4), *all = read_map("total_rho_net", 4),
         *charge = read_map("species_charge", 2), *mass = read_map("species_mass", 2),
         *current[3] = {read_map("J_e_x", 4 * NODES), read_map("J_e_y", 4 * NODES),
                        read_map("J_e_z", 4 * NODES)},
         *total_j = read_map("total_J_e_z", 4), *total_p = read_map("total_P_e_xx", 4),
         *pxx = read_map("P_e_xx", 4 * NODES);
  double off = 0.0;
  for (size_t r = 0; r < 4; r++) {
    is_near(time[r], 0.5e-9 * (double)(r + 1), 1e-20, "time of record %zu", r);
    is_close(integral(rho[0] + r * NODES), total[r], 1e-12, "its charge of electrons");
    is_close(integral(net + r * NODES), all[r], 1e-6, "its charge");
    is_close(integral(current[2] + r * NODES), total_j[r], 1e-10, "its current along z");
    is_close(integral(pxx + r * NODES), total_p[r], 1e-10, "its momentum flux");
  }
  for (size_t i = 0; i < 4 * NODES; i++)
    off = fmax(off, fabs(rho[0][i] + rho[1][i] - net[i]) / fabs(rho[0][i]));
  ok(off < 1e-15, "the net charge density is the sum of the species'");
  is_close(charge[0], -WN_E, 1e-15, "charge of an electron");
  is_close(mass[1], 1.66053906660e-27, 1e-9, "mass of an ion");
  for (int k = 0; k < 6; k++) {
    char name[32];
    snprintf(name, sizeof name, "P_e_%s", tensor[k]);
    double *about_0 = read_map(name, 4 * NODES);
    snprintf(name, sizeof name, "pressure_e_%s", tensor[k]);
    double *about_mean = read_map(name, 4 * NODES);
    off = 0.0;
    for (size_t i = 0; i < 4 * NODES; i++) {
      const double n = rho[0][i] / charge[0], u = current[first[k]][i] / rho[0][i],
                   v = current[second[k]][i] / rho[0][i];
      off = fmax(off, fabs(about_0[i] - mass[0] * n * u * v - about_mean[i]) /
                          (mass[0] * n * 1e12));
    }
    ok(off < 1e-12, "pressure %s about the mean: off by %.1e", tensor[k], off);
    free(about_0);
    free(about_mean);
  }
  double *const used[] = {time,       net,     rho[0],  rho[1],     total,
                          all,        charge,  mass,    current[0], current[1],
                          current[2], total_j, total_p, pxx};
  for (size_t i = 0; i < sizeof used / sizeof used[0]; i++)
    free(used[i]);
  is_int(command_run(FILE_NAME, program, "", "t0786-threads.nc", "--quiet --threads 1"),
         0, "by one thread");
  size_t n = 0;
  ok(command_nc_differs(OUT, "t0786-threads.nc", &n) == NULL && n > 8 * NODES,
     "the same file");
  remove("t0786-threads.nc");
  remove(OUT);
}

/* What is not there is refused by name. */
static void refusals(void)
{
  char *text = strdup(program), *at;
  WN_ASSERT(text != NULL);
  command_write(FILE_NAME, text);
  is_int(
      command("%s check " FILE_NAME " --set plasma.relativistic=true", command_wilson()),
      2, "a pressure about the mean of relativistic particles");
  ok(strstr(command_err, "plasma.moments_pressure") != NULL, "names the key");
  is_int(command("%s check " FILE_NAME, command_wilson()), 0, "a scenario is checked");
  ok(strstr(command_out, "ten moments") != NULL, "with the memory of ten moments");
  at = strstr(text, "i = {");
  WN_ASSERT(at != NULL);
  is_int(command("sed 's/^i = /net = /' " FILE_NAME " >t0786-net.cfg && %s check "
                 "t0786-net.cfg",
                 command_wilson()),
         2, "a species with the name of a map");
  ok(strstr(command_err, "rho_net") != NULL, "names the map");
  remove("t0786-net.cfg");
  remove(FILE_NAME);
  free(text);
}

int main(void)
{
  static const char *const shapes[] = {"ngp", "cic", "tsc"};
  char plasma[128];
  plan(0);
  range();
  for (size_t box = 0; box < 3; box++)
    for (size_t i = 0; i < 3; i++) {
      snprintf(plasma, sizeof plasma, "shape = \"%s\";", shapes[i]);
      second_program(matter, boxes[box], plasma);
    }
  second_program(matter, boxes[3], "shape = \"tsc\";");
  second_program(alone, boxes[1], "shape = \"cic\"; velocities = 2;");
  second_program(alone, boxes[0], "shape = \"tsc\"; relativistic = true;");
  second_program(alone, boxes[2], "shape = \"cic\"; relativistic = true;");
  bits_and_errors();
  maxwellian();
  of_a_run();
  refusals();
  return done();
}
