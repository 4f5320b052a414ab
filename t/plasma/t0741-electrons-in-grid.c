/* t0741-electrons-in-grid.c - defends: an electron with collisions in a grid moves, where it
 * does not collide, as a point does (drift, kick, drift: physics/mover.h), to rounding; what the
 * sides do with it, with its newborns and with those that are attached; its force is right
 * in fields beyond 1e8 V/m; ions are made where something was born or attached, one for
 * each, with velocities of the gas; and after every step the charge on the grid, with what
 * the walls took, is to the quantum what it was. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "fields/deposit.h"
#include "physics/constants.h"
#include "physics/mcc.h"
#include "physics/push.h"
#include "src/run/run.h"
#include "src/sim/plasma.h"
#include "t/tap/plasma.h"
#include "t/tap/scene.h"
#include "t/tap/tap.h"

#define SCENARIO "t0741.cfg"

static const char gas[] =
    "gas = { pressure = \"1 bar\"; components = { N2 = { fraction = 0.8; file = "
    "\"builtin:air\"; }; O2 = { fraction = 0.2; file = \"builtin:air\"; }; }; };\n";

/* ---- without collisions: drift, kick, drift */

static const char mirrors[] =
    "model = \"plasma\"; duration = \"10 ns\"; threads = 1; scheduler = \"serial\";\n"
    "grid = { cells = [24, 20]; length = [\"5 mm\", \"4 mm\"]; };\n"
    "walls = { x_low = { field = \"neumann\"; }; x_high = { field = \"dirichlet\"; "
    "particles = \"reflect\"; }; };\n"
    "plasma = { time_step = \"50 ps\"; background = true; relativistic = true; "
    "velocities "
    "= 3; };\n"
    "species = { e = { density = \"1e15 m-3\"; temperature = \"1 eV\"; per_cell = 9;";

static void same_motion(void)
{
  enum { STEPS = 40 };
  static const char *const nothing[] = {NULL};
  char text[2][2048];
  struct scene points, electrons;
  snprintf(text[0], sizeof text[0], "%s }; };\n", mirrors);
  snprintf(text[1], sizeof text[1],
           "%s collisions = \"gas\"; ions = \"i\"; anions = \"a\"; };\n i = { density = "
           "\"0 m-3\"; charge = 1.0; };\n a = { density = \"0 m-3\"; }; };\n"
           "gas = { pressure = \"4e-8 Pa\"; components = { N2 = { file = "
           "\"builtin:air\"; }; }; };\n",
           mirrors);
  scene_open(&points, SCENARIO, text[0], nothing);
  scene_open(&electrons, SCENARIO, text[1], nothing);
  scene_start(&points, 50e-12);
  scene_start(&electrons, 50e-12);
  for (int i = 0; i < STEPS; i++)
    WN_ASSERT(scene_phase(&points) == WN_OK && scene_phase(&electrons) == WN_OK);
  const struct wn_particles *a = &scene_species(&points)->p,
                            *b = &scene_species(&electrons)->p;
  is_int((long long)b->n, (long long)a->n, "as many electrons as points");
  double far = 0.0, fast = 0.0, went = 0.0;
  for (size_t i = 0; i < a->n && i < b->n; i++) {
    const union wn_word *p = wn_particles_at(a, i);
    const struct wn_electron *e = wn_particles_at(b, i);
    for (int d = 0; d < 2; d++)
      far = fmax(far, fabs(ldexp((double)e->at[d] - (double)p[d].i, -24)));
    for (int d = 0; d < 3; d++) {
      fast = fmax(fast, fabs((double)e->u[d] - (double)p[2 + d].f));
      went = fmax(went, fabs((double)e->u[d]));
    }
  }
  /* cells have 2^25 parts; a step rounds places to one, and velocities to 2^-24 of 1e6
   * m/s, which is 1e-8 of a cell in a step */
  ok(far < 40e-6, "without collisions they are where points are, to %.2g of half a cell",
     far);
  ok(fast < 20.0 && went > 1e6, "and as fast, to %.2g of %.2g m/s", fast, went);
  scene_close(&points);
  scene_close(&electrons);
}

/* Across a uniform E and B, in any number of mobility steps, the exact flight. */
static void magnetic(void)
{
  enum { STEPS = 40 };
  static const char *const nothing[] = {NULL};
  static const char text[] =
      "model = \"plasma\"; duration = \"10 ns\"; threads = 1;\n"
      "grid = { cells = [16, 8]; length = [\"8 mm\", \"4 mm\"]; };\n"
      "walls = { x_low = { field = \"dirichlet\"; }; x_high = { field = \"dirichlet\"; "
      "voltage = \"800 V\"; }; };\n"
      "plasma = { time_step = \"5 ps\"; magnetic_field = [\"20 mT\", \"0\", \"0.1 T\"]; "
      "mobility_steps = 3; };\n"
      "species = { e = { density = \"1 m-3\"; temperature = \"1 eV\"; per_cell = 5; "
      "profile = \"slab\"; width = [\"4 mm\", \"none\"]; collisions = \"gas\"; ions = "
      "\"i\"; anions = \"a\"; };\n i = { density = \"0 m-3\"; charge = 1.0; };\n a = { "
      "density = \"0 m-3\"; }; };\n"
      "gas = { pressure = \"4e-8 Pa\"; components = { N2 = { file = "
      "\"builtin:air\"; }; }; };\n";
  const double a[3] = {WN_QM * 1e5, 0.0, 0.0}, b[3] = {WN_QM * 0.02, 0.0, WN_QM * 0.1},
               h = 0.5e-3;
  struct scene scene;
  scene_open(&scene, SCENARIO, text, nothing);
  scene_start(&scene, 5e-12);
  const size_t n = scene_species(&scene)->p.n;
  struct wn_electron *first = malloc(n * sizeof *first);
  WN_ASSERT(first != NULL);
  memcpy(first, scene_electrons(&scene), n * sizeof *first);
  for (int i = 0; i < STEPS; i++)
    WN_ASSERT(scene_phase(&scene) == WN_OK);
  const int32_t bits = wn_species_mcc(scene_species(&scene))->grid.points.grid.bits[1];
  double far = 0.0, fast = 0.0;
  for (size_t i = 0; i < n; i++) {
    const struct wn_electron *e = &scene_electrons(&scene)[i];
    double x[3] = {0.0, 0.0, 0.0}, u[3];
    for (int d = 0; d < 3; d++)
      u[d] = (double)first[i].u[d];
    double gamma = wn_gamma(u);
    wn_flight_eb(x, u, &gamma, a, b, STEPS * 5e-12);
    for (int d = 0; d < 3; d++)
      fast = fmax(fast, fabs((double)e->u[d] - u[d]));
    for (int d = 0; d < 2; d++) {
      const int32_t axis_bits = d == 0 ? bits - 1 : bits;
      const double cells = d == 0 ? 16.0 : 8.0;
      double moved = ldexp((double)e->at[d] - (double)first[i].at[d], -axis_bits);
      moved -= cells * rint((moved - x[d] / h) / cells);
      far = fmax(far, fabs(moved - x[d] / h));
    }
  }
  ok(n == scene_species(&scene)->p.n && far < 1e-4 && fast < 100.0,
     "across E and B: places to %.2g cells, velocities to %.2g m/s", far, fast);
  free(first);
  scene_close(&scene);
}

/* ---- sides */

/* One axis of 8 cells and 8 mm between these sides. */
static struct wn_mcc_grid line(int low, int high)
{
  struct wn_mcc_grid g = {.points = {.grid = {.dim = 1,
                                              .cells = {8, 1, 1},
                                              .bits = {20, 20, 20},
                                              .side = {low, high, 0, 0, 0, 0},
                                              .h = {1e-3, 1.0, 1.0},
                                              .per_h = {1e3, 1.0, 1.0},
                                              .length = {8e-3, 1.0, 1.0}},
                                     .kind = WN_POINT_1D3V,
                                     .relativistic = 1,
                                     .charge = -WN_E,
                                     .mass = WN_ME,
                                     .dt = 1e-9}};
  wn_mcc_grid_prepare(&g);
  return g;
}

static const struct {
  const char *name;
  int low, high;
  double from, moved;  /* mm */
  int taken;           /* side, or -1 */
  double to, to_child; /* mm */
  int turned;
} sides[] = {
    {"inside", WN_SIDE_ABSORB, WN_SIDE_ABSORB, 1.0, 2.5, -1, 3.5, 3.5, 0},
    {"around", WN_SIDE_PERIODIC, WN_SIDE_PERIODIC, 1.0, -2.5, -1, 6.5, 6.5, 0},
    {"around above", WN_SIDE_PERIODIC, WN_SIDE_PERIODIC, 7.0, 2.5, -1, 1.5, 1.5, 0},
    {"a mirror", WN_SIDE_REFLECT, WN_SIDE_ABSORB, 1.0, -2.5, -1, 1.5, 1.5, 1},
    {"a mirror above", WN_SIDE_ABSORB, WN_SIDE_REFLECT, 7.0, 2.5, -1, 6.5, 6.5, 1},
    {"a wall", WN_SIDE_ABSORB, WN_SIDE_REFLECT, 1.0, -2.5, 0, 0.0, 0.0, 0},
    {"an open side", WN_SIDE_REFLECT, WN_SIDE_OPEN, 7.0, 2.5, 1, 8.0, 8.0, 0},
};

static double mm(int32_t at)
{
  return ldexp((double)at, -20);
}

static void what_sides_do(void)
{
  const struct wn_tally_shape shape = {.n_groups = 1};
  struct wn_tally t;
  WN_ASSERT(wn_tally_init(&t, &shape) == WN_OK);
  for (size_t i = 0; i < sizeof sides / sizeof sides[0]; i++) {
    const struct wn_mcc_grid g = line(sides[i].low, sides[i].high);
    const float moved[3] = {(float)(sides[i].moved * 1e-3), 1.0f, 1.0f};
    struct wn_electron start = {.u = {1e6f, 2e6f, 3e6f}, .w = 1.0f, .t_left = 1.0f},
                       e = start, dead = start, child = {.u = {1e6f, 0.0f, 0.0f}};
    start.at[0] = e.at[0] = dead.at[0] = (int32_t)ldexp(sides[i].from, 20);
    child.t_left = 0.25f;
    wn_tally_reset(&t, &shape);
    const int taken = wn_mcc_grid_arrive(&g, moved, 0, &e, &t);
    is_int(taken, sides[i].taken >= 0, "%s: whether one is taken", sides[i].name);
    for (int side = 0; side < 2; side++)
      is_int((long long)t.surface[side].quanta, side == sides[i].taken ? WN_QUANTA : 0,
             "%s: counted at side %d", sides[i].name, side);
    if (taken)
      is_int(e.at[0], WN_POINT_DEAD, "%s: and marked", sides[i].name);
    else
      is_near(mm(e.at[0]), sides[i].to, 1e-5, "%s: where it comes to", sides[i].name);
    is_int(e.u[0] < 0.0f, sides[i].turned, "%s: whether it is turned", sides[i].name);
    wn_tally_reset(&t, &shape);
    ok(!wn_mcc_grid_arrive(&g, moved, 1, &dead, &t) && t.surface[0].number == 0 &&
           t.surface[1].number == 0,
       "%s: attached electrons are not counted", sides[i].name);
    is_near(mm(dead.at[0]), sides[i].to, 1e-5, "%s: where it was attached",
            sides[i].name);
    wn_mcc_grid_birth(&g, &start, moved, &child);
    is_near(mm(child.at[0]), sides[i].to_child, 1e-5, "%s: where a child is",
            sides[i].name);
    ok(child.t_left == 0.0f && child.a[0] == 0.25f &&
           (child.u[0] < 0.0f) == sides[i].turned,
       "%s: it waits, and is turned as its parent will be", sides[i].name);
  }
  wn_tally_clear(&t);
}

/* |a|^2 is beyond the floats in m2/s4 from 1.05e8 V/m on. */
static void strong_field(void)
{
  static struct wn_mcc m = {.in_grid = 1, .dt = 1e-12};
  const double field[] = {1.0, 1e5, 1e9, 1e12};
  for (size_t i = 0; i < sizeof field / sizeof field[0]; i++) {
    const double a = WN_QM * field[i], square = a * a / (WN_UNIT_U * WN_UNIT_U);
    struct wn_electron e = {.w = 1.0f, .t_left = 1.0f};
    e.a[1] = (float)a;
    is_close((double)wn_mcc_force(&m, wn_mcc_kind(&m), &e).a2, square, 1e-6,
             "the square of the force at %g V/m", field[i]);
  }
}

/* ---- charge, ions */

static const char avalanche[] =
    "model = \"plasma\"; duration = \"1 ns\"; threads = 1; seed = 5;\n"
    "grid = { cells = [24, 12]; length = [\"0.2 mm\", \"0.1 mm\"]; };\n"
    "walls = { x_low = { field = \"dirichlet\"; }; x_high = { field = \"dirichlet\"; "
    "voltage = \"2.5 kV\"; }; };\n"
    "plasma = { time_step = \"1 ps\"; mobility_steps = 2; };\n"
    "species = { e = { density = \"2e18 m-3\"; temperature = \"5 eV\"; per_cell = 20; "
    "loading = \"random\"; collisions = \"gas\"; ions = \"i\"; anions = \"a\"; };\n"
    " i = { density = \"0 m-3\"; charge = 1.0; mass = \"30 u\"; };\n"
    " a = { density = \"0 m-3\"; mass = \"32 u\"; mobile = false; }; };\n";

/* In units of e over WN_QUANTA, what the walls took included. */
static wn_i128 charge(const struct wn_sim *s, int from_grid)
{
  wn_i128 sum = 0;
  for (size_t k = 0; k < s->n_species; k++) {
    const wn_i128 here =
        from_grid ? plasma_on_grid(s, k) : (wn_i128)s->species[k]->p.n * WN_QUANTA;
    sum +=
        (here + plasma_at_walls(s->species[k])) * (s->c->species[k].charge > 0 ? 1 : -1);
  }
  return sum;
}

static void charge_and_ions(void)
{
  enum { STEPS = 25, E = 0, I = 1, A = 2 };
  static const char *const nothing[] = {NULL};
  char text[2048];
  struct scene scene;
  snprintf(text, sizeof text, "%s%s", avalanche, gas);
  scene_open(&scene, SCENARIO, text, nothing);
  scene_start(&scene, 1e-12);
  struct wn_sim *s = scene.sim;
  const wn_i128 first = charge(s, 0);
  int wrong = 0, outside = 0;
  for (int i = 0; i < STEPS; i++) {
    WN_ASSERT(scene_phase(&scene) == WN_OK);
    wrong += charge(s, 0) != first || charge(s, 1) != first;
  }
  const struct wn_tally *t = &s->species[E]->tally;
  diag("%zu electrons, %zu ions, %zu negative ions, %llu born, %llu ended",
       s->species[E]->p.n, s->species[I]->p.n, s->species[A]->p.n,
       (unsigned long long)t->n_births, (unsigned long long)t->n_deaths);
  is_int(wrong, 0, "steps after which the charge is not that of the beginning");
  is_int((long long)s->species[I]->p.n,
         (long long)t->n_births - (long long)(plasma_at_walls(s->species[I]) / WN_QUANTA),
         "an ion for each birth, but those at the walls");
  is_int((long long)s->species[A]->p.n,
         (long long)t->n_deaths - (long long)(plasma_at_walls(s->species[E]) / WN_QUANTA),
         "a negative ion for each death but at the walls");
  ok(s->species[I]->p.n > 1000 && s->species[A]->p.n > 5 &&
         plasma_at_walls(s->species[E]) > 0,
     "all of it happens");
  double v2 = 0.0;
  for (size_t i = 0; i < s->species[I]->p.n; i++) {
    const union wn_word *r = wn_particles_at(&s->species[I]->p, i);
    const struct wn_points *m = s->species[I]->model.data;
    for (int d = 0; d < 2; d++)
      outside += r[d].i < 0 || r[d].i > m->end[d];
    v2 += (double)r[4].f * (double)r[4].f; /* along z, where no field is */
  }
  is_int(outside, 0, "ions are in the domain");
  const double n = (double)s->species[I]->p.n,
               kt = v2 / n * s->c->species[I].mass / (WN_KB * 300.0);
  is_near(kt, 1.0, 4.5 * sqrt(2.0 / n), "they are as warm as the gas");
  scene_close(&scene);
}

int main(void)
{
  plan(0);
  same_motion();
  magnetic();
  what_sides_do();
  strong_field();
  charge_and_ions();
  return done();
}
