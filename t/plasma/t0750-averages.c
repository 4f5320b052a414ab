/* t0750-averages.c - defends: fluxes and energies at the nodes are those of the particles, for
 * every shape, dimension and kind of side, with an exact number; the means of plasma.averages,
 * of all phases and of each, are those of what each sampled step has, and their errors those
 * of the scatter of the blocks' means, by the definitions in two passes; a run that was saved
 * in a block and gone on with writes the same; neither threads nor the scheduler change a
 * bit; maps have the moments of one moment.
 *
 * Tolerances are rounding.  Of moments: three quanta of 2^-20 a particle and node that it
 * reaches, one an axis, and single precision of a velocity.  Of means: some hundred doubles. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "fields/electrostatic.h"
#include "physics/constants.h"
#include "src/config/averages.h"
#include "src/config/plasma_derived.h"
#include "src/diag/diag.h"
#include "src/sim/grid_moments.h"
#include "src/sim/loading.h"
#include "src/sim/plasma.h"
#include "t/tap/command.h"
#include "t/tap/scene.h"
#include "t/tap/plain_nodes.h"
#include "t/tap/tap.h"

#define FILE_NAME "t0750.cfg"
#define OUT       "t0750.nc"
#define AGAIN     "t0750-again.nc"

/* ---- moments of one moment */

static const char *const boxes[] = {
    "grid = { cells = [12]; length = \"12 mm\"; };\nwalls = { x_low = { field = "
    "\"dirichlet\"; "
    "}; x_high = { field = \"neumann\"; }; };\n",
    "grid = { cells = [8, 6]; length = [\"8 mm\", \"9 mm\"]; };\nwalls = { x_low = { "
    "field = "
    "\"neumann\"; }; x_high = { field = \"dirichlet\"; particles = \"reflect\"; }; };\n",
    "grid = { cells = [6, 5, 4]; length = [\"6 mm\", \"6 mm\", \"6 mm\"]; };\nwalls = { "
    "y_low = { field = \"dirichlet\"; }; y_high = { field = \"dirichlet\"; }; z_low = { "
    "field "
    "= \"neumann\"; }; z_high = { field = \"neumann\"; }; };\n"};

/* Electrons with collisions, in hardly any gas, beside ions without; the field is weak. */
static const char matter[] =
    "model = \"plasma\"; duration = \"4 ns\"; threads = 2; seed = 5;\n"
    "gas = { pressure = \"1e-6 Pa\"; components = { Ar = { file = \"builtin:argon\"; }; "
    "}; "
    "};\ntables = { energy_max = \"1 keV\"; };\n"
    "species = { e = { density = \"1e10 m-3\"; per_cell = 300; temperature = \"5 eV\"; "
    "drift "
    "= [\"300 km/s\", \"-900 km/s\", \"500 km/s\"]; loading = \"random\"; collisions = "
    "\"gas\"; ions = \"i\"; };\n i = { density = \"1e10 m-3\"; per_cell = 300; charge = "
    "1.0; "
    "mass = \"40 u\"; temperature = \"0.1 eV\"; loading = \"random\"; }; };\n";

struct one {
  double s[3], v[3], w, energy; /* cells, m/s, -, eV */
};

static struct one read_one(const struct wn_species *of, size_t i)
{
  const struct wn_points *m = wn_plasma_points(of);
  const union wn_word *r = wn_particles_at(&of->p, i);
  const struct wn_electron *e = (const void *)r;
  const int dim = m->grid.dim, n_v = wn_point_velocities(m->kind),
            is_electron = wn_plasma_has_electrons(of);
  struct one p = {.w = is_electron                 ? (double)e->w
                       : wn_point_weighs(dim, n_v) ? (double)r[dim + n_v].f
                                                   : 1.0};
  double u2 = 0.0;
  for (int d = 0; d < dim; d++)
    p.s[d] = ldexp((double)r[d].i, -m->grid.bits[d]);
  for (int d = 0; d < n_v; d++) {
    p.v[d] = is_electron ? (double)e->u[d] : (double)r[dim + d].f;
    u2 += p.v[d] * p.v[d];
  }
  const double gamma = m->relativistic ? sqrt(1.0 + u2 / (WN_C * WN_C)) : 1.0;
  for (int d = 0; d < n_v; d++)
    p.v[d] /= gamma;
  p.energy = m->mass / WN_E * u2 / (1.0 + gamma);
  return p;
}

/* All moments in doubles, into want [2 + dim][nodes]; room: how far rounding may be off. */
static void by_hand(const struct wn_sim *s, size_t k, double *want, double *room)
{
  const struct wn_config *c = s->c;
  const int dim = c->plasma.dim, shape = (int)c->plasma.shape;
  const size_t nodes = wn_field_nodes(s->field);
  int cells[3] = {0, 0, 0};
  double volume = 1.0;
  for (int d = 0; d < dim; d++) {
    cells[d] = (int)c->plasma.cells[d];
    volume *= c->plasma.length[d] / cells[d];
  }
  for (size_t i = 0; i < (2 + (size_t)dim) * nodes; i++)
    want[i] = room[i] = 0.0;
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
          double w = p.w * wn_loading_weight(c, &c->species[k]) / volume, whole = w,
                 sign[3];
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
          for (int a = 0; a < 2 + dim; a++) {
            const double value = a == 0         ? 1.0
                                 : a == 1 + dim ? p.energy
                                                : sign[a - 1] * p.v[a - 1];
            want[(size_t)a * nodes + to] += w * value;
            room[(size_t)a * nodes + to] +=
                fabs(value) * (w * 0x1p-22 + whole * 3 * 0x1p-20);
          }
        }
      }
    }
  }
  /* the second end of a periodic axis has what the first has */
  for (int a = 0; a < 2 + dim; a++)
    for (int z = 0; z <= cells[2]; z++)
      for (int y = 0; y <= cells[1]; y++)
        for (int x = 0; x <= cells[0]; x++) {
          const int at[3] = {x, y, z};
          int from[3] = {x, y, z};
          for (int d = 0; d < dim; d++)
            if (c->plasma.wall[2 * d].field == WN_PERIODIC)
              from[d] = at[d] % cells[d];
          const size_t first = (size_t)a * nodes,
                       here = (size_t)((z * (cells[1] + 1) + y) * (cells[0] + 1) + x),
                       there = (size_t)((from[2] * (cells[1] + 1) + from[1]) *
                                            (cells[0] + 1) +
                                        from[0]);
          want[first + here] = want[first + there];
          room[first + here] = room[first + there];
        }
}

static void moments_of(size_t box, const char *shape)
{
  char text[4096], plasma[256];
  static const char *const nothing[] = {NULL};
  struct scene scene;
  struct wn_node_sums *m = NULL;
  snprintf(plasma, sizeof plasma,
           "plasma = { time_step = \"200 ps\"; shape = \"%s\"; allow = "
           "[\"cell-crossing\"]; };\n",
           shape);
  snprintf(text, sizeof text, "%s%s%s", matter, boxes[box], plasma);
  scene_open(&scene, FILE_NAME, text, nothing);
  scene_start(&scene, 200e-12);
  for (int i = 0; i < 4; i++)
    WN_ASSERT(scene_phase(&scene) == WN_OK);
  WN_ASSERT(wn_node_sums_create(scene.config, wn_grid_moments(scene.config), &m) ==
            WN_OK);
  const int dim = scene.config->plasma.dim;
  const size_t nodes = wn_field_nodes(scene.sim->field), n = 2 + (size_t)dim;
  double *got = malloc(n * nodes * sizeof *got), *want = malloc(n * nodes * sizeof *want),
         *room = malloc(n * nodes * sizeof *room);
  WN_ASSERT(got != NULL && want != NULL && room != NULL);
  for (size_t k = 0; k < 2; k++) {
    double off[5] = {0.0}, total = 0.0;
    WN_ASSERT(wn_grid_moments_take(m, scene.config, k, scene.sim->species[k], got) ==
              WN_OK);
    by_hand(scene.sim, k, want, room);
    for (size_t i = 0; i < n * nodes; i++) {
      off[i / nodes] = fmax(off[i / nodes], fabs(got[i] - want[i]) / room[i]);
      total += fabs(want[i]) / room[i];
    }
    ok(total / (double)(n * nodes) > 1e3, "%d-D, %s: allowed: something", dim, shape);
    for (size_t a = 0; a < n; a++)
      ok(off[a] <= 1.0, "%d-D, %s, species %s: moment %zu at all nodes, %.2g of its room",
         dim, shape, scene.config->species[k].name, a, off[a]);
  }
  free(got);
  free(want);
  free(room);
  wn_node_sums_free(m);
  scene_close(&scene);
}

/* ---- means of a window */

#define STEPS 240

/* Between plates, one with a voltage of 24 steps a period: three windows that overlap. */
static const char discharge[] =
    "model = \"plasma\"; duration = \"24 ns\"; threads = 1; seed = 5;\n"
    "grid = { cells = [20]; length = \"5 mm\"; };\n"
    "walls = { x_low = { field = \"dirichlet\"; amplitude = \"30 V\"; frequency = "
    "\"416.66666666666667 MHz\"; }; x_high = { field = \"dirichlet\"; }; };\n"
    "species = { e = { density = \"1e14 m-3\"; per_cell = 60; temperature = \"3 eV\"; "
    "};\n"
    " i = { density = \"1e14 m-3\"; per_cell = 60; charge = 1.0; mass = \"40 u\"; "
    "temperature "
    "= \"0.1 eV\"; };\n rest = { density = \"1e12 m-3\"; charge = 1.0; mobile = false; "
    "}; };\n"
    "plasma = { time_step = \"100 ps\"; fields_interval = \"5 ns\"; fields_moments = "
    "true; "
    "allow = [\"debye-length\", \"cell-crossing\"];\n"
    "  averages = { last = { periods = 5; phases = 6; };\n"
    "    some = { start = \"1.92 ns\"; length = \"12 ns\"; blocks = 4; every = 3; };\n"
    "    fields = { start = \"0\"; moments = false; }; }; };\n";

enum { PHI, RHO, EX, NE, NI, NR, N_E, FLUX_E, ENERGY_E, N_I, FLUX_I, ENERGY_I, N_RAW };

/* What each step has: [STEPS][N_RAW][nodes]. */
static double *raw;
static size_t nodes;

static double *at(size_t step, size_t q)
{
  return raw + (step * N_RAW + q) * nodes;
}

static void note(const struct wn_sim *s, struct wn_node_sums *m, size_t step)
{
  const double *grid;
  double *buf = malloc(3 * nodes * sizeof *buf);
  WN_ASSERT(buf != NULL);
  WN_ASSERT(wn_field_potential(s->field, &grid) == WN_OK);
  memcpy(at(step, PHI), grid, nodes * sizeof *grid);
  WN_ASSERT(wn_field_charge(s->field, &grid) == WN_OK);
  memcpy(at(step, RHO), grid, nodes * sizeof *grid);
  WN_ASSERT(wn_field_e(s->field, 0, at(step, EX)) == WN_OK);
  for (size_t k = 0; k < 3; k++) {
    WN_ASSERT(wn_field_density(s->field, k, at(step, NE + k)) == WN_OK);
    for (size_t i = 0; i < nodes; i++)
      at(step, NE + k)[i] *= wn_loading_weight(s->c, &s->c->species[k]);
  }
  for (size_t k = 0; k < 2; k++) {
    WN_ASSERT(wn_grid_moments_take(m, s->c, k, s->species[k], buf) == WN_OK);
    memcpy(at(step, N_E + 3 * k), buf, 3 * nodes * sizeof *buf);
  }
  free(buf);
}

/* Mean and error of the steps for which `is_in` says a block, in two passes. */
struct chosen {
  double from, to; /* steps, as numbers of steps */
  size_t blocks, every, first;
  double period;      /* in steps */
  long phase, phases; /* -1: all */
};

static long block_of(const struct chosen *w, size_t i)
{
  const double middle = (double)i + 0.5;
  if (middle < w->from || middle >= w->to || (i - w->first) % w->every != 0)
    return -1;
  const double turn = middle / w->period;
  if (w->phase >= 0 && (long)floor((turn - floor(turn)) * (double)w->phases) != w->phase)
    return -1;
  return (long)floor((middle - w->from) / (w->to - w->from) * (double)w->blocks);
}

static void estimate(const struct chosen *w, size_t q, size_t node, double *mean,
                     double *error)
{
  const int is_ratio = q == ENERGY_E || q == ENERGY_I;
  double block[16][2] = {{0.0}}, count[16] = {0.0}, m[2] = {0.0, 0.0}, scatter = 0.0;
  for (size_t i = 0; i < STEPS; i++) {
    const long b = block_of(w, i);
    if (b < 0)
      continue;
    block[b][0] += at(i, q)[node];
    block[b][1] += is_ratio ? at(i, q - 2)[node] : 1.0;
    count[b] += 1.0;
  }
  for (size_t b = 0; b < w->blocks; b++)
    for (int i = 0; i < 2; i++) {
      block[b][i] /= count[b];
      m[i] += block[b][i] / (double)w->blocks;
    }
  *mean = m[0] / m[1];
  for (size_t b = 0; b < w->blocks; b++)
    scatter += pow(block[b][0] - *mean * block[b][1], 2);
  *error = sqrt(scatter / (double)(w->blocks * (w->blocks - 1))) / m[1];
}

static const char *const written[N_RAW] = {
    [PHI] = "potential",         [RHO] = "charge_density", [EX] = "electric_field_x",
    [NE] = "density_e",          [NI] = "density_i",       [NR] = "density_rest",
    [FLUX_E] = "flux_e_x",       [FLUX_I] = "flux_i_x",    [ENERGY_E] = "mean_energy_e",
    [ENERGY_I] = "mean_energy_i"};

/* The greatest deviations of a variable and its error from what `w` says, over their own
 * greatest; record: of a phase. */
static double deviation(const char *name, const struct chosen *w, size_t q, size_t record)
{
  char error_name[96];
  size_t n = 0, n_error = 0;
  double off[2] = {0.0, 0.0}, most[2] = {0.0, 0.0}, worst = 0.0;
  snprintf(error_name, sizeof error_name, "%s_error", name);
  double *value = command_nc_read(OUT, name, &n),
         *error = command_nc_read(OUT, error_name, &n_error);
  if (value == NULL || error == NULL || n < (record + 1) * nodes || n != n_error)
    worst = INFINITY;
  for (size_t i = 0; i < nodes && worst == 0.0; i++) {
    double want[2];
    const double got[2] = {value[record * nodes + i], error[record * nodes + i]};
    estimate(w, q, i, &want[0], &want[1]);
    for (int j = 0; j < 2; j++) {
      if (isnan(want[j]) && isnan(got[j]))
        continue;
      off[j] = fmax(off[j], isnan(got[j]) ? INFINITY : fabs(got[j] - want[j]));
      most[j] = fmax(most[j], fabs(want[0]) + fabs(want[j]));
    }
  }
  for (int j = 0; j < 2; j++)
    worst = fmax(worst, off[j] > 0.0 ? off[j] / most[j] : 0.0);
  free(value);
  free(error);
  return worst;
}

static void compare(const char *window, const struct chosen *w, int moments)
{
  for (size_t q = 0; q < N_RAW; q++) {
    char name[96];
    if (written[q] == NULL || (q > NR && !moments))
      continue;
    snprintf(name, sizeof name, "average_%s_%s", window, written[q]);
    is_near(deviation(name, w, q, 0), 0.0, 1e-10, "%s and its error", name);
    double worst = 0.0;
    for (long p = 0; p < w->phases; p++) {
      struct chosen one = *w;
      one.phase = p;
      snprintf(name, sizeof name, "phase_average_%s_%s", window, written[q]);
      worst = fmax(worst, deviation(name, &one, q, (size_t)p));
    }
    if (w->phases > 0)
      is_near(worst, 0.0, 1e-10, "%s and its error, each phase", name);
  }
}

static void means(void)
{
  const struct chosen last = {120.0, 240.0, 5, 1, 120, 24.0, -1, 6},
                      some = {19.2, 139.2, 4, 3, 19, 24.0, -1, 0},
                      fields = {0.0, 240.0, 10, 1, 0, 24.0, -1, 0};
  compare("last", &last, 1);
  compare("some", &some, 1);
  compare("fields", &fields, 0);
  size_t n = 0;
  double *v = command_nc_read(OUT, "window_samples", &n);
  ok(n == 3 && v[0] == 120 && v[1] == 40 && v[2] == 240, "steps behind each window");
  free(v);
  v = command_nc_read(OUT, "window_blocks", &n);
  ok(n == 3 && v[0] == 5 && v[1] == 4 && v[2] == 10, "and blocks");
  free(v);
  v = command_nc_read(OUT, "phase_samples_last", &n);
  ok(n == 6 && v[0] == 20 && v[5] == 20, "and steps behind each phase");
  free(v);
  is_int(command_nc_read(OUT, "average_fields_flux_e_x", &n) == NULL, 1,
         "no fluxes where they are not asked for");
}

/* A diagnostic by hand, so that it can be saved in the middle of a block. */
static void follow(const char *path, size_t stop, int with_raw)
{
  static const char *const nothing[] = {NULL};
  const struct wn_diag_ops *const ops[] = {&wn_diag_nodes, &wn_diag_averages};
  struct scene scene;
  struct wn_output *o = NULL;
  struct wn_diag *d = NULL, *next = NULL;
  struct wn_node_sums *m = NULL;
  struct wn_state st;
  scene_open(&scene, FILE_NAME, discharge, nothing);
  scene_start(&scene, 100e-12);
  nodes = wn_field_nodes(scene.sim->field);
  if (with_raw)
    raw = malloc(STEPS * N_RAW * nodes * sizeof *raw);
  WN_ASSERT(!with_raw || raw != NULL);
  WN_ASSERT(wn_node_sums_create(scene.config, wn_grid_moments(scene.config), &m) ==
            WN_OK);
  WN_ASSERT(wn_output_create(path, &o) == WN_OK);
  for (int i = 0; i < 2; i++)
    WN_ASSERT(ops[i]->define(o, scene.config, NULL) == WN_OK);
  WN_ASSERT(wn_output_end_define(o) == WN_OK);
  for (int i = 0; i < 2; i++)
    WN_ASSERT(ops[i]->begin(o, scene.config, NULL) == WN_OK);
  WN_ASSERT(ops[1]->create(scene.sim, &d) == WN_OK);
  for (size_t i = 0; i < STEPS; i++) {
    WN_ASSERT(scene_phase(&scene) == WN_OK);
    if (with_raw)
      note(scene.sim, m, i);
    WN_ASSERT(ops[1]->sample(d, scene.sim, o) == WN_OK);
    if (i + 1 != stop)
      continue;
    wn_state_init(&st);
    WN_ASSERT(ops[1]->state(d, &st) == WN_OK);
    ops[1]->free(d);
    WN_ASSERT(ops[1]->create(scene.sim, &next) == WN_OK);
    d = next;
    wn_state_rewind(&st);
    is_int(ops[1]->state(d, &st), WN_OK, "a state of %zu bytes is restored", st.n);
    wn_state_clear(&st);
  }
  ops[1]->free(d);
  wn_node_sums_free(m);
  WN_ASSERT(wn_output_close(o) == WN_OK);
  scene_close(&scene);
}

/* ---- the program */

static int run(const char *out, const char *options)
{
  command_write(FILE_NAME, discharge);
  int status = command("%s run " FILE_NAME " --quiet --output %s %s", command_wilson(),
                       out, options);
  remove(FILE_NAME);
  if (status != 0)
    diag("%.800s", command_err);
  return status == 0;
}

/* The column `current` of a step is the mean of the fluxes at its ends, summed. */
static void currents(void)
{
  size_t n = 0;
  double *got = command_nc_read("t0750-a.nc", "current", &n), worst = 0.0;
  static const double charge[] = {-WN_E, WN_E};
  ok(got != NULL && n == STEPS * 9, "a current of each step and species");
  for (size_t step = 1; got != NULL && step < STEPS; step++)
    for (size_t k = 0; k < 2; k++) {
      const double h = 5e-3 / 20;
      double sum = 0.0;
      for (size_t i = 0; i < nodes; i++)
        sum += 0.5 * (at(step - 1, FLUX_E + 3 * k)[i] + at(step, FLUX_E + 3 * k)[i]) * h *
               (i == 0 || i == nodes - 1 ? 0.5 : 1.0);
      const double moved = got[step * 9 + 3 * k] - charge[k] * sum,
                   most =
                       WN_E * 5e11 * (k == 0 ? 1e6 : 600.0); /* all, at a thermal speed */
      worst = fmax(worst, fabs(moved) / most);
    }
  is_near(worst, 0.0, 1e-6,
          "which is that of the fluxes, to the parts of a thermal speed");
  free(got);
}

static void program(void)
{
  static const char *const other[] = {"--device cpu --threads 2",
                                      "--device cpu --threads 3",
                                      "--device cpu --scheduler serial"};
  size_t n = 0, n_map = 0;
  if (!ok(run("t0750-a.nc", "--device cpu"), "a run"))
    return;
  for (size_t i = 0; i < sizeof other / sizeof other[0]; i++) {
    const int done = run(AGAIN, other[i]);
    const char *what = command_nc_differs("t0750-a.nc", AGAIN, &n);
    ok(done && what == NULL && n > 1000, "%s gives the same %zu numbers%s%s", other[i], n,
       what != NULL ? "; differs: " : "", what != NULL ? what : "");
  }
  currents();
  /* the second map is that of step 50 */
  double *flux = command_nc_read("t0750-a.nc", "flux_i_x", &n_map),
         *energy = command_nc_read("t0750-a.nc", "mean_energy_e", &n);
  ok(flux != NULL && memcmp(flux + nodes, at(50, FLUX_I), nodes * sizeof *flux) == 0,
     "a map has the fluxes of its step");
  double off = 0.0;
  for (size_t i = 0; energy != NULL && i < nodes; i++)
    off = fmax(off, fabs(energy[nodes + i] * at(50, N_E)[i] / at(50, ENERGY_E)[i] - 1.0));
  is_near(energy != NULL ? off : INFINITY, 0.0, 1e-14, "and the mean energies");
  free(flux);
  free(energy);
  command_write(FILE_NAME, discharge);
  is_int(command("%s check " FILE_NAME, command_wilson()), 0, "wilson check");
  ok(strstr(command_out, "averages last, 1.2e-08 s to 2.4e-08 s") != NULL &&
         strstr(command_out, "sums of fluxes and energies") != NULL,
     "says the windows and what they take");
  remove(FILE_NAME);
  remove("t0750-a.nc");
}

int main(void)
{
  static const char *const shapes[] = {"ngp", "cic", "tsc"};
  size_t n = 0;
  plan(0);
  for (size_t box = 0; box < 3; box++)
    for (size_t i = 0; i < 3; i++)
      moments_of(box, shapes[i]);
  follow(OUT, 0, 1);
  means();
  follow(AGAIN, 131, 0);
  const char *what = command_nc_differs(OUT, AGAIN, &n);
  ok(what == NULL && n > 1000,
     "saved in a block and gone on with: the same %zu numbers%s", n,
     what != NULL ? what : "");
  program();
  free(raw);
  remove(OUT);
  remove(AGAIN);
  return done();
}
