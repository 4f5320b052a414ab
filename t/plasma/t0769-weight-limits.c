/* t0769-weight-limits.c - defends: limits of weights of plasma.merging by field and by place.  In one, two and
 * three dimensions and in r-z no macroparticle that merging makes is above the limit of its cell, where limits
 * are low many are at them, and where they are high the cell comes down to per_cell_most.  The charge of each cell
 * stays to the quantum, and its energy to rounding.  A limit biases no distribution: energies in ten bins.
 * Heavier macroparticles are halved until they obey, once in a pass, and fill no cell above per_cell_most.
 * Interpolation; the ledger; bits in runs for threads and restarts; messages.
 *
 * References: the formula of the limit, again here, from E at the nodes; the fractions of a Maxwellian; sums
 * before and after.  99.99 % of chi2 of 36 degrees are below 75.9. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "physics/constants.h"
#include "physics/grid_view.h"
#include "physics/mathfn.h"
#include "src/config/plasma_derived.h"
#include "src/sim/cell_pairs.h"
#include "src/sim/merging.h"
#include "src/sim/operators.h"
#include "src/sim/plasma_points.h"
#include "src/sim/weight_limits.h"
#include "t/tap/command.h"
#include "t/tap/draw.h"
#include "t/tap/scene.h"
#include "t/tap/slices.h"
#include "t/tap/tap.h"

#define FILE_NAME "t0769.cfg"
#define OUT       "t0769.nc"

extern const struct wn_operator_ops wn_operator_merging;

/* ---- a plasma, and its particles */

enum grid { LINE, PLANE, BOX, RZ, N_GRIDS };
static const struct {
  const char *name, *cells, *length, *walls;
  int dim, n[3];
} grids[N_GRIDS] = {
    {"one dimension", "[64]", "[\"64 mm\"]", "", 1, {64, 1, 1}},
    {"two dimensions", "[12, 8]", "[\"12 mm\", \"8 mm\"]", "", 2, {12, 8, 1}},
    {"three dimensions", "[6, 4, 4]", "[\"6 mm\", \"4 mm\", \"4 mm\"]", "", 3, {6, 4, 4}},
    {"r-z",
     "[8, 12]; geometry = \"r-z\"",
     "[\"8 mm\", \"12 mm\"]",
     "walls = { x_high = { field = \"neumann\"; }; };\n",
     2,
     {8, 12, 1}},
};

static void open_plasma(struct scene *s, enum grid g, int per_cell, const char *merging)
{
  static const char *const nothing[] = {NULL};
  char text[4096];
  snprintf(text, sizeof text,
           "model = \"plasma\"; duration = \"1 ns\"; seed = 5; threads = 1;\n"
           "%sgrid = { cells = %s; length = %s; };\n"
           "plasma = { time_step = \"1 ps\"; background = true; %s allow = "
           "[\"plasma-frequency\", \"cell-crossing\", \"debye-length\"]; merging = { "
           "m = { species = \"a\"; %s }; }; };\n"
           "gas = { pressure = \"1 Pa\"; components = { Ar = { file = "
           "\"builtin:argon\"; }; }; };\n"
           "species = { a = { density = \"1e12 m-3\"; per_cell = %d; loading = "
           "\"random\"; temperature = \"2 eV\"; collisions = \"gas\"; ions = \"i\"; };\n"
           " i = { density = \"0 m-3\"; charge = 1.0; mass = \"39.948 u\"; "
           "temperature = \"0.03 eV\"; collisions = \"gas\"; }; };\n",
           grids[g].walls, grids[g].cells, grids[g].length,
           grids[g].dim > 1 ? "velocities = 3;" : "", merging, per_cell);
  scene_open(s, FILE_NAME, text, nothing);
  scene_start(s, 0.0);
}

static struct wn_particles *store(const struct scene *s)
{
  return &s->sim->species[0]->p;
}

static struct wn_electron *electron(const struct scene *s, size_t i)
{
  return wn_particles_at(store(s), i);
}

static size_t cell_of(const struct scene *s, size_t i)
{
  return wn_cell_pairs_cell(&wn_plasma_points(s->sim->species[0])->grid, electron(s, i));
}

static double energy_ev(const struct scene *s, size_t i)
{
  return wn_point_energy_ev(wn_plasma_points(s->sim->species[0]), 3, electron(s, i)->u);
}

static size_t cells_of(enum grid g)
{
  return (size_t)grids[g].n[0] * (size_t)grids[g].n[1] * (size_t)grids[g].n[2];
}

static double normal(void)
{
  double sine, cosine;
  wn_sincos_turn(uniform(), &sine, &cosine);
  return sqrt(-2.0 * log(1.0 - uniform())) * cosine;
}

/* per_cell at any place in each cell, of weight `low`, or `high` in the second half along x. */
static void fill(const struct scene *s, enum grid g, int per_cell, float low, float high)
{
  const struct wn_grid_view *v = &wn_plasma_points(s->sim->species[0])->grid;
  const double sigma = sqrt(2.0 * WN_E / WN_ME);
  WN_ASSERT(store(s)->n == cells_of(g) * (size_t)per_cell);
  for (size_t i = 0; i < store(s)->n; i++) {
    struct wn_electron *e = electron(s, i);
    size_t cell = i / (size_t)per_cell;
    const int is_second = cell % (size_t)grids[g].n[0] >= (size_t)grids[g].n[0] / 2;
    for (int d = 0; d < v->dim; d++) {
      e->at[d] = (int32_t)(cell % (size_t)v->cells[d]) << v->bits[d] |
                 (int32_t)(uniform() * ldexp(1.0, v->bits[d]));
      cell /= (size_t)v->cells[d];
    }
    for (int d = 0; d < 3; d++)
      e->u[d] = (float)(sigma * normal());
    e->w = is_second ? high : low;
  }
}

static void solve(const struct scene *s)
{
  struct wn_particles *p[WN_MAX_SPECIES];
  for (size_t k = 0; k < s->sim->n_species; k++) {
    WN_ASSERT(wn_species_hold(s->sim->species[k], 0.0, 1e-12) == WN_OK);
    p[k] = &s->sim->species[k]->p;
  }
  WN_ASSERT(s->sim->field->ops->solve(s->sim->field, p, s->sim->n_species, 0.0, 1e-12) ==
            WN_OK);
}

/* One pass in the same field; the dead leave the store. */
static void pass(const struct scene *s)
{
  for (size_t i = 0; i < s->sim->n_operators; i++)
    if (s->sim->operators[i]->ops == &wn_operator_merging) {
      s->sim->n_steps++;
      WN_ASSERT(s->sim->operators[i]->ops->apply(s->sim->operators[i], s->sim) == WN_OK);
      WN_ASSERT(wn_particles_compact(store(s)) == WN_OK);
    }
}

/* ---- the limits, again */

static double at_list(const double *at, const double *weight, int n, double x)
{
  if (x <= at[0])
    return weight[0];
  for (int i = 1; i < n; i++)
    if (x <= at[i])
      return weight[i - 1] *
             pow(weight[i] / weight[i - 1], (x - at[i - 1]) / (at[i] - at[i - 1]));
  return weight[n - 1];
}

/* Of each cell; h: 1 mm. */
static double *limits_of(const struct scene *s, enum grid g, int n_at,
                         const double *field, const double *weight, const double *centre)
{
  static const double distance[] = {2e-3, 5e-3}, near[] = {3.0, 1e3};
  const int *n = grids[g].n, dim = grids[g].dim;
  size_t nodes = 1;
  for (int d = 0; d < dim; d++)
    nodes *= (size_t)n[d] + 1;
  double *e = calloc(3 * nodes, sizeof *e), *limit = calloc(cells_of(g), sizeof *limit);
  WN_ASSERT(e != NULL && limit != NULL);
  for (int d = 0; d < dim; d++)
    WN_ASSERT(wn_field_e(s->sim->field, d, e + (size_t)d * nodes) == WN_OK);
  for (int z = 0, cell = 0; z < n[2]; z++)
    for (int y = 0; y < n[1]; y++)
      for (int x = 0; x < n[0]; x++, cell++) {
        double most = 0.0, square = 0.0;
        for (int k = 0; k < 1 << dim; k++) {
          const int node =
              ((z + k / 4) * (n[1] + 1) + y + k / 2 % 2) * (n[0] + 1) + x + k % 2;
          most = fmax(most, hypot(hypot(e[node], e[nodes + (size_t)node]),
                                  e[2 * nodes + (size_t)node]));
        }
        const int at[3] = {x, y, z};
        for (int d = 0; d < dim && centre != NULL; d++)
          square += pow(1e-3 * (at[d] + 0.5) - centre[d], 2);
        limit[cell] = at_list(field, weight, n_at, most);
        if (centre != NULL)
          limit[cell] = fmin(limit[cell], at_list(distance, near, 2, sqrt(square)));
      }
  free(e);
  return limit;
}

struct cell {
  int64_t quanta;
  double energy, most;
  int n;
};

static struct cell *sums(const struct scene *s, enum grid g)
{
  struct cell *of = calloc(cells_of(g), sizeof *of);
  WN_ASSERT(of != NULL);
  for (size_t i = 0; i < store(s)->n; i++) {
    struct cell *c = &of[cell_of(s, i)];
    const double w = (double)electron(s, i)->w;
    c->quanta += wn_quanta(electron(s, i)->w);
    c->energy += w * energy_ev(s, i);
    c->most = fmax(c->most, w);
    c->n++;
  }
  return of;
}

/* ---- weights obey */

static void obeyed(enum grid g, const char *method, int by_place)
{
  enum { PER_CELL = 60, MOST = 8 };
  /* of the fields, which grow with the length of the grid */
  static const double scale[N_GRIDS] = {2.0, 0.35, 0.155, 0.125};
  static const double weight[] = {200.0, 10.0, 2.5}, centre[3] = {1e-3, 1e-3, 1e-3};
  const double field[] = {40.0 * scale[g], 60.0 * scale[g], 100.0 * scale[g]};
  struct scene s;
  char merging[512];
  snprintf(merging, sizeof merging,
           "per_cell_most = 8; method = \"%s\"; weight_fields = [\"%.9g V/m\", \"%.9g "
           "V/m\", \"%.9g V/m\"]; weight_limits = [200.0, 10.0, 2.5]; %s%s",
           method, field[0], field[1], field[2],
           by_place ? "weight_distances = [\"2 mm\", \"5 mm\"]; distance_limits = [3.0, "
                      "1e3]; weight_centre = "
                    : "",
           !by_place   ? ""
           : g == LINE ? "\"1 mm\";"
           : g == BOX  ? "[\"1 mm\", \"1 mm\", \"1 mm\"];"
                       : "[\"1 mm\", \"1 mm\"];");
  open_plasma(&s, g, PER_CELL, merging);
  fill(&s, g, PER_CELL, 0.25f, 1.75f);
  solve(&s);
  double *limit = limits_of(&s, g, 3, field, weight, by_place ? centre : NULL);
  struct cell *before = sums(&s, g);
  for (int i = 0; i < 7; i++)
    pass(&s);
  struct cell *after = sums(&s, g);
  int charge = 0, above = 0, full = 0, high = 0, low = 0, at_limit = 0;
  double worst = 0.0, least = INFINITY, most = 0.0, energy = 0.0;
  for (size_t i = 0; i < cells_of(g); i++) {
    charge += after[i].quanta != before[i].quanta;
    energy = fmax(energy, fabs(after[i].energy / before[i].energy - 1.0));
    above += after[i].most > limit[i] * (1.0 + 1e-6);
    worst = fmax(worst, after[i].most / limit[i]);
    least = fmin(least, limit[i]);
    most = fmax(most, limit[i]);
    if (limit[i] > 75.0) { /* no less than a whole cell */
      high++;
      full += after[i].n > MOST;
    }
    if (limit[i] < 5.0) {
      low++;
      at_limit += after[i].most > 0.5 * limit[i];
    }
  }
  ok(above == 0 && charge == 0 && least < 3.5 && most > 75.0,
     "%s, %s, by field%s: limits from %.3g to %.3g, %d cells above theirs, the heaviest "
     "%.6g of it; charge to the quantum",
     grids[g].name, method, by_place ? " and place" : "", least, most, above, worst);
  ok(high > 0 && full == 0 && low > 0 && at_limit == low,
     "%d cells of high limits come down to %d, %d of %d with low limits use them", high,
     MOST, at_limit, low);
  ok(strcmp(method, "one") == 0 || energy < 2e-6, "energies of cells to %.2g", energy);
  const struct wn_weight_limits *l = wn_merging_weight_limits(s.sim, 0);
  ok(fabs(l->least / least - 1.0) < 1e-6 && l->heavy == 0,
     "the least limit, %.6g, is in the ledger", l->least);
  free(limit);
  free(before);
  free(after);
  scene_close(&s);
}

static void interpolation(void)
{
  static const double at[] = {1.0, 2.0, 6.0}, weight[] = {1e4, 10.0, 1000.0},
                      x[] = {0.0, 1.0, 1.5, 2.0, 3.0, 6.0, 1e9},
                      is[] = {1e4, 1e4, 316.2277660168379, 10.0, 31.62277660168379,
                              1e3, 1e3};
  double worst = 0.0;
  for (int i = 0; i < 7; i++)
    worst = fmax(worst, fabs(wn_weight_limit_at(at, weight, 3, x[i]) / is[i] - 1.0));
  ok(worst < 1e-14 && wn_weight_limit_at(at, weight, 1, 0.5) == 1e4 &&
         wn_weight_limit_at(at, weight, 1, 7.0) == 1e4,
     "interpolation in the logarithm to %.1g; one value holds everywhere", worst);
}

/* ---- no bias */

#define BINS 10

/* The fraction of a Maxwellian below an energy of x kT. */
static double below(double x)
{
  return erf(sqrt(x)) - 2.0 * sqrt(x / WN_PI) * exp(-x);
}

/* Cells of 200 of weight 1, with weights of at most 4 (by place: everywhere), in bins of energy; chi2 of means over
 * cells with their scatter, without the last bin, which the others give. */
static double histogram(uint64_t seed, double *n, double *scatter)
{
  enum { PER_CELL = 200, CELLS = 96, ROUNDS = 5 };
  double edge[BINS], sum[BINS] = {0.0}, square[BINS] = {0.0};
  for (int b = 0; b < BINS; b++) {
    double lo = 0.0, hi = 50.0;
    for (int i = 0; i < 60; i++)
      *(below(0.5 * (lo + hi)) < (b + 1.0) / BINS ? &lo : &hi) = 0.5 * (lo + hi);
    edge[b] = b + 1 < BINS ? 2.0 * lo : INFINITY;
  }
  draw_state = seed;
  *n = 0.0;
  for (int round = 0; round < ROUNDS; round++) {
    static double of[CELLS][BINS];
    struct scene s;
    open_plasma(
        &s, PLANE, PER_CELL,
        "per_cell_most = 20; weight_distances = [\"0 m\"]; distance_limits = [4];");
    WN_ASSERT(cells_of(PLANE) == CELLS);
    fill(&s, PLANE, PER_CELL, 1.0f, 1.0f);
    s.sim->n_steps = 100 * (seed + 10 * (uint64_t)round); /* other random numbers */
    for (int i = 0; i < 5; i++)
      pass(&s);
    memset(of, 0, sizeof of);
    for (size_t i = 0; i < store(&s)->n; i++) {
      int b = 0;
      while (energy_ev(&s, i) >= edge[b])
        b++;
      of[cell_of(&s, i)][b] += (double)electron(&s, i)->w / PER_CELL;
    }
    for (int i = 0; i < CELLS; i++)
      for (int b = 0; b < BINS; b++) {
        const double off = of[i][b] - 1.0 / BINS;
        sum[b] += off / (CELLS * ROUNDS);
        square[b] += off * off / (CELLS * ROUNDS);
      }
    *n += (double)store(&s)->n / (CELLS * ROUNDS);
    scene_close(&s);
  }
  double chi2 = 0.0;
  *scatter = 0.0;
  for (int b = 0; b < BINS; b++) {
    const double error = sqrt((square[b] - sum[b] * sum[b]) / (CELLS * ROUNDS));
    chi2 += b + 1 < BINS ? pow(sum[b] / error, 2) : 0.0;
    *scatter = fmax(*scatter, error * BINS);
  }
  return chi2;
}

static void unbiased(void)
{
  double chi2 = 0.0, n = 0.0, worst = 0.0;
  for (uint64_t seed = 1; seed <= 4; seed++) {
    double left, scatter;
    chi2 += histogram(seed, &left, &scatter);
    n += 0.25 * left;
    worst = fmax(worst, scatter);
  }
  ok(chi2 < 75.9 && n < 80.0 && n > 50.0 && worst < 0.04,
     "a Maxwellian, weights of at most 4, 200 to %.3g a cell, four seeds: chi2 %.3g of "
     "36, errors of bins up to %.2g %%",
     n, chi2, 100.0 * worst);
}

/* ---- heavier ones are halved */

static void halved(void)
{
  enum { PER_CELL = 4, MOST = 60 };
  struct scene s;
  int number[8], full = 0;
  double most[8];
  open_plasma(&s, LINE, PER_CELL,
              "per_cell_most = 60; per_cell_least = 1; weight_distances = [\"31.9 mm\", "
              "\"32 mm\"]; distance_limits = [10.0, 1e4]; weight_centre = \"0 mm\";");
  fill(&s, LINE, PER_CELL, 80.0f, 80.0f);
  struct cell *before = sums(&s, LINE);
  for (int i = 0; i < 4; i++) {
    pass(&s);
    struct cell *after = sums(&s, LINE);
    number[i] = after[0].n;
    most[i] = after[0].most;
    for (size_t k = 0; k < 64; k++) {
      full += k >= 32 && (after[k].n != PER_CELL || after[k].most != 80.0);
      full += after[k].quanta != before[k].quanta;
    }
    free(after);
  }
  ok(number[0] == 8 && number[1] == 16 && number[2] == 32 && number[3] == 32 &&
         most[2] == 10.0 && most[3] == 10.0 && full == 0,
     "of weight 80, limit 10: %d, %d, %d, %d after passes; beyond 32 mm they stay, and "
     "charge does",
     number[0], number[1], number[2], number[3]);
  const struct wn_weight_limits *l = wn_merging_weight_limits(s.sim, 0);
  is_int((long long)l->heavy, 32 * (4 + 8 + 16), "the ledger has those above the limit");
  is_int((long long)wn_merging_sums(s.sim, 0)->split, 32 * (4 + 8 + 16),
         "and those halved");
  free(before);
  scene_close(&s);

  /* 20 of 640 would be 1280 of 10 */
  open_plasma(&s, LINE, 20,
              "per_cell_most = 60; per_cell_least = 1; weight_distances = [\"0 m\"]; "
              "distance_limits = [10];");
  fill(&s, LINE, 20, 640.0f, 640.0f);
  for (int i = 0; i < 6; i++)
    pass(&s);
  struct cell *after = sums(&s, LINE);
  for (size_t k = 0; k < 64; k++)
    full += after[k].n != MOST;
  is_int(full, 0, "halving fills no cell above per_cell_most");
  free(after);
  scene_close(&s);

  /* without per_cell_least nothing is halved, and heavy ones are counted */
  open_plasma(&s, LINE, 4,
              "per_cell_most = 3; weight_distances = [\"0 m\"]; distance_limits = [10];");
  fill(&s, LINE, 4, 12.0f, 8.0f);
  pass(&s);
  ok(store(&s)->n == 64 * 4 && wn_merging_weight_limits(s.sim, 0)->heavy == 32 * 4,
     "without per_cell_least none is halved, and none of 8 merged to above 10");
  scene_close(&s);
}

/* ---- runs */

/* %s: the grid. */
#define RUN                                                                              \
  "model = \"plasma\"; duration = \"80 ps\"; threads = 1; seed = 3;\n"                   \
  "grid = { cells = [8, 4]; length = [\"80 um\", \"40 um\"]; %s };\n"                    \
  "walls = { %s_low = { field = \"dirichlet\"; }; %s_high = { field = \"dirichlet\"; "   \
  "voltage = \"40 V\"; }; %s };\n"                                                       \
  "gas = { pressure = \"1 bar\"; components = { Ar = { file = \"builtin:argon\"; }; "    \
  "}; };\n"                                                                              \
  "tables = { energy_max = \"1 keV\"; };\n"                                              \
  "species = { e = { density = \"1e17 m-3\"; temperature = \"5 eV\"; per_cell = 21; "    \
  "collisions = \"gas\"; ions = \"i\"; };\n"                                             \
  " i = { density = \"1e17 m-3\"; per_cell = 21; charge = 1.0; mass = \"39.948 u\"; "    \
  "loading = \"random\"; mobile = false; }; };\n"                                        \
  "plasma = { time_step = \"2 ps\"; velocities = 3; merging = { e = { species = \"e\"; " \
  "per_cell_most = 18; per_cell_least = 12; least_weight = 0.1; weight_fields = [\"0.2 " \
  "MV/m\", \"1 MV/m\"]; weight_limits = [20.0, 1.5]; interval = 2; weight_distances = "  \
  "[\"10 um\", \"20 um\"]; distance_limits = [0.8, 30.0]; }; i = { species = \"i\"; "    \
  "per_cell_most = 20; method = \"one\"; }; }; };\n"

static void write_run(int is_rz)
{
  char text[4096];
  snprintf(text, sizeof text, RUN, is_rz ? "geometry = \"r-z\";" : "", is_rz ? "y" : "x",
           is_rz ? "y" : "x", is_rz ? "x_high = { field = \"neumann\"; };" : "");
  command_write(FILE_NAME, text);
}

static void runs(int is_rz)
{
  static const char *const options[] = {"--threads 1", "--scheduler serial",
                                        "--threads 3"};
  const char *name = is_rz ? "a run in r-z" : "a run";
  write_run(is_rz);
  const int status =
      command("%s run " FILE_NAME " --quiet --threads 2 --output " OUT, command_wilson());
  if (!is_int(status, 0, "%s with limits", name))
    diag("%.900s", command_err);
  slices_are(name, FILE_NAME, "t0769-again.nc", OUT, 7, 4, 3, options);
  size_t n;
  double *heavy = command_nc_read(OUT, "merging_heavy", &n),
         *least = command_nc_read(OUT, "merging_least_limit", &n);
  WN_ASSERT(heavy != NULL && least != NULL && n % 2 == 0);
  ok(heavy[n - 2] > 100.0 && heavy[n - 1] == 0.0 && least[n - 2] < 1.5 &&
         least[n - 2] >= 0.7999 && least[n - 1] == 1e6,
     "%s: its file has %g macroparticles above limits, the least limit %.4g", name,
     heavy[n - 2], least[n - 2]);
  free(heavy);
  free(least);
  remove(OUT);
  remove(FILE_NAME);
}

/* ---- messages */

static void refused(const char *options, const char *words)
{
  write_run(0);
  const int status = command("%s check " FILE_NAME " %s", command_wilson(), options);
  remove(FILE_NAME);
  ok(status == 2 && strstr(command_err, words) != NULL, "%s: refused, %s", options,
     words);
  if (strstr(command_err, words) == NULL)
    diag("status %d: %.500s", status, command_err);
}

static void refusals(void)
{
  refused("--set 'plasma.merging.e.weight_limits=[3]'",
          "has 1 values, and weight_fields 2; give a weight for each");
  refused("--set 'plasma.merging.e.weight_limits=[]'",
          "weight_limits is missing; give a weight for each of 2");
  refused("--set 'plasma.merging.e.distance_limits=[1, 2, 3]'",
          "has 3 values, and weight_distances 2; give a weight for each");
  refused("--set 'plasma.merging.e.weight_fields=[\"3 V/m\", \"2 V/m\"]'",
          "each value must be above the one before it");
  refused("--set 'plasma.merging.e.weight_fields=[3, 4]'", "has no unit");
  refused("--set 'plasma.merging.e.weight_limits=[3.0, 0.0]'",
          "plasma.merging.e.weight_limits");
  refused("--set 'plasma.merging.e.distance_limits=[0.1, 30.0]'",
          "0.1 is below twice least_weight, 0.1, so heavier macroparticles could not be "
          "halved; lower least_weight");
  refused("--set 'plasma.merging.e.weight_centre=[\"81 um\", \"0 um\"]'",
          "along x lies outside of the domain, 0 to 8e-05 m");
  refused("--set 'plasma.merging.i.weight_centre=[\"8 um\", \"0 um\"]'",
          "has no effect without weight_distances");
}

int main(void)
{
  plan(0);
  draw_state = 20261126;
  interpolation();
  for (enum grid g = LINE; g < N_GRIDS; g++) {
    obeyed(g, "weights", 0);
    obeyed(g, "weights", 1);
  }
  obeyed(PLANE, "two", 1);
  obeyed(PLANE, "one", 1);
  unbiased();
  halved();
  runs(0);
  runs(1);
  refusals();
  return done();
}
