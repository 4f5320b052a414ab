/* t0798-merging.c - defends: merging of macroparticles conserves charge to the quantum, and momentum
 * and energy of each cell to the rounding of floats, in one, two and three dimensions, in a
 * magnetic field, with relativity, without a drift in one direction; numbers come down to
 * per_cell_most; the ledger says so.  A Maxwellian stays one, temperatures along axes do not
 * mix, density does not move.  Nothing above the protected energy is touched, nothing crosses
 * it or an energy class.  Method "one" conserves charge, the rest on average.  Splitting
 * halves the heaviest, down to least_weight and no further.  In r-z the same holds, and a uniform
 * density stays uniform in each ring, its angular momentum with it.  The result depends neither on the
 * order of the store, nor on threads, nor on a restart.  Nothing breaks with no particle,
 * one, equal ones, weights of no quantum or not whole, all in one cell.  What is not possible is
 * refused by name.
 *
 * References: sums before and after; the normal distribution.  Thresholds of 4.5 standard
 * errors: each of some 40 comparisons fails by chance once in 1.5e5. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/ranks.h"
#include "physics/constants.h"
#include "physics/merging.h"
#include "src/sim/cell_pairs.h"
#include "src/sim/merging.h"
#include "src/sim/operators.h"
#include "src/sim/plasma_points.h"
#include "src/sim/reaction_parts.h"
#include "t/tap/command.h"
#include "t/tap/draw.h"
#include "t/tap/ranks.h"
#include "t/tap/scene.h"
#include "t/tap/slices.h"
#include "t/tap/tap.h"

#define FILE_NAME "t0798.cfg"
#define OUT       "t0798.nc"

extern const struct wn_operator_ops wn_operator_merging;

/* ---- a plasma, and its particles */

#define RINGS 4 /* of r-z */

static int is_rz; /* dim 2: r-z, with RINGS cells along r */

/* dim 1: electrons that collide with a gas; else without collisions.  merging: members of
 * plasma.merging.m; also: of plasma. */
static void open_plasma(struct scene *s, int dim, int cells, int per_cell,
                        const char *merging, const char *also)
{
  static const char *const nothing[] = {NULL},
                           *const grid[] = {"[%d]", "[%d, 2]", "[%d, 2, 2]"},
                           *const length[] = {"[\"%d mm\"]", "[\"%d mm\", \"2 mm\"]",
                                              "[\"%d mm\", \"2 mm\", \"2 mm\"]"};
  const char *walls = "";
  char text[4096], n[64], l[96];
  snprintf(n, sizeof n, grid[dim - 1], cells >> (dim - 1));
  snprintf(l, sizeof l, length[dim - 1], cells >> (dim - 1));
  if (is_rz) {
    WN_ASSERT(dim == 2 && cells % RINGS == 0);
    snprintf(n, sizeof n, "[%d, %d]; geometry = \"r-z\"", RINGS, cells / RINGS);
    walls = "walls = { x_high = { field = \"neumann\"; }; };\n";
    snprintf(l, sizeof l, "[\"%d mm\", \"%d mm\"]", RINGS, cells / RINGS);
  }
  const int used =
      snprintf(text, sizeof text,
               "model = \"plasma\"; duration = \"1 ns\"; seed = 5; threads = 1;\n"
               "%sgrid = { cells = %s; length = %s; };\n"
               "plasma = { time_step = \"1 ps\"; background = true; %s %s allow = "
               "[\"plasma-frequency\", \"cell-crossing\", \"debye-length\"]; merging = { "
               "m = { %s }; "
               "}; };\n",
               walls, n, l, dim > 1 ? "velocities = 3;" : "", also, merging);
  snprintf(
      text + used, sizeof text - (size_t)used,
      dim == 1
          ? "gas = { pressure = \"1 Pa\"; components = { Ar = { file = "
            "\"builtin:argon\"; }; }; };\n"
            "species = { a = { density = \"1e12 m-3\"; per_cell = %d; loading = "
            "\"random\"; temperature = \"2 eV\"; collisions = \"gas\"; ions = \"i\"; "
            "};\n"
            " i = { density = \"0 m-3\"; charge = 1.0; mass = \"39.948 u\"; "
            "temperature = \"0.03 eV\"; collisions = \"gas\"; }; };\n"
          : "species = { a = { density = \"1e12 m-3\"; per_cell = %d; loading = "
            "\"random\"; temperature = \"2 eV\"; }; };\n",
      per_cell);
  scene_open(s, FILE_NAME, text, nothing);
  scene_start(s, 0.0);
}

static struct wn_particles *store(const struct scene *s)
{
  return &s->sim->species[0]->p;
}

static const struct wn_points *points(const struct scene *s)
{
  return wn_plasma_points(s->sim->species[0]);
}

static struct wn_reacting get(const struct scene *s, size_t i)
{
  struct wn_reacting one;
  wn_reacting_load(s->sim->species[0], i, &one);
  return one;
}

static void set(const struct scene *s, size_t i, const float u[3], float w)
{
  const int dim = s->config->plasma.dim;
  if (dim == 1) {
    struct wn_electron *e = wn_particles_at(store(s), i);
    memcpy(e->u, u, sizeof e->u);
    e->w = w;
    return;
  }
  union wn_word *r = wn_particles_at(store(s), i);
  for (int d = 0; d < 3; d++)
    r[dim + d].f = u[d];
  r[dim + 3].f = w;
}

static double normal(void)
{
  double sine, cosine;
  wn_sincos_turn(uniform(), &sine, &cosine);
  return sqrt(-2.0 * log(1.0 - uniform())) * cosine;
}

/* The same number of particles in each cell, at any place in it. */
static void spread_out(const struct scene *s, int per_cell)
{
  const struct wn_grid_view *g = &points(s)->grid;
  for (size_t i = 0; i < store(s)->n; i++) {
    int32_t *at = wn_particles_at(store(s), i);
    size_t cell = i / (size_t)per_cell;
    for (int d = 0; d < g->dim; d++) {
      at[d] = (int32_t)(cell % (size_t)g->cells[d]) << g->bits[d] |
              (int32_t)(uniform() * ldexp(1.0, g->bits[d]));
      cell /= (size_t)g->cells[d];
    }
  }
}

/* All in the first cell. */
static void bring_together(const struct scene *s)
{
  for (size_t i = 0; i < store(s)->n; i++) {
    int32_t *at = wn_particles_at(store(s), i);
    for (int d = 0; d < points(s)->grid.dim; d++)
      at[d] &= (1 << points(s)->grid.bits[d]) - 1;
  }
}

/* Normal velocities about a drift; weights are numbers of 1/16 up to most. */
static void fill(const struct scene *s, int per_cell, const double sigma[3],
                 const double drift[3], double most)
{
  spread_out(s, per_cell);
  for (size_t i = 0; i < store(s)->n; i++) {
    float u[3];
    for (int d = 0; d < 3; d++)
      u[d] = (float)(drift[d] + sigma[d] * normal());
    set(s, i, u, (float)(ceil(16.0 * most * (1.0 - uniform())) / 16.0));
  }
}

/* One pass; the dead leave the store. */
static void pass(const struct scene *s)
{
  for (size_t i = 0; i < s->sim->n_operators; i++)
    if (s->sim->operators[i]->ops == &wn_operator_merging) {
      s->sim->n_steps++;
      WN_ASSERT(s->sim->operators[i]->ops->apply(s->sim->operators[i], s->sim) == WN_OK);
      WN_ASSERT(wn_particles_compact(store(s)) == WN_OK);
    }
}

/* ---- sums of cells */

struct sums {
  int64_t quanta;
  double momentum[3], square[3], place, spread, energy, magnitude;
  size_t n;
};

static size_t cells_of(const struct scene *s)
{
  return wn_cell_pairs_cells(&points(s)->grid);
}

static struct sums *cell_sums(const struct scene *s)
{
  struct sums *sum = calloc(cells_of(s), sizeof *sum);
  WN_ASSERT(sum != NULL);
  for (size_t i = 0; i < store(s)->n; i++) {
    const struct wn_reacting one = get(s, i);
    struct sums *of =
        &sum[wn_cell_pairs_cell(&points(s)->grid, wn_particles_at(store(s), i))];
    const double w = (double)one.w;
    of->quanta += wn_quanta(one.w);
    of->n++;
    of->energy += w * wn_point_energy_ev(points(s), 3, one.u);
    const double at = (double)(one.at[0] & ((1 << points(s)->grid.bits[0]) - 1)) /
                          ldexp(1.0, points(s)->grid.bits[0]) -
                      0.5; /* in its cell */
    of->place += w * at;
    of->spread += w * at * at;
    for (int d = 0; d < 3; d++) {
      of->momentum[d] += w * (double)one.u[d];
      of->magnitude += w * fabs((double)one.u[d]);
      of->square[d] += w * (double)one.u[d] * (double)one.u[d];
    }
  }
  return sum;
}

/* A mean over cells, with its standard error. */
struct mean {
  double sum, square;
  size_t n;
};

static void put(struct mean *m, double x)
{
  m->sum += x;
  m->square += x * x;
  m->n++;
}

static double value(const struct mean *m)
{
  return m->sum / (double)m->n;
}

static double error(const struct mean *m)
{
  const double v = value(m);
  return sqrt(fmax(m->square / (double)m->n - v * v, 0.0) / (double)m->n);
}

static int is_zero(const struct mean *m)
{
  return fabs(value(m)) <= 4.5 * error(m);
}

/* ---- conservation */

static void conserved(const char *method, int dim, const char *also, double speed,
                      double most)
{
  enum { CELLS = 200, PER_CELL = 90, PASSES = 4 };
  const double sigma[3] = {speed, speed, 0.4 * speed}, drift[3] = {0.5 * speed, 0.0, 0.0};
  struct scene s;
  struct mean along = {0}, energy = {0};
  double worst_p = 0.0, worst_e = 0.0;
  long charge = 0, most_left = 0;
  char merging[128];
  snprintf(merging, sizeof merging,
           "species = \"a\"; per_cell_most = 20; method = \"%s\";", method);
  open_plasma(&s, dim, CELLS, PER_CELL, merging, also);
  fill(&s, PER_CELL, sigma, drift, most);
  struct sums *before = cell_sums(&s);
  for (int i = 0; i < PASSES; i++)
    pass(&s);
  struct sums *after = cell_sums(&s);
  for (int i = 0; i < CELLS; i++) {
    charge += after[i].quanta != before[i].quanta;
    most_left = (long)after[i].n > most_left ? (long)after[i].n : most_left;
    const double e = (after[i].energy / before[i].energy - 1.0) * 0x1p24;
    for (int d = 0; d < 3; d++) {
      const double p =
          (after[i].momentum[d] - before[i].momentum[d]) / before[i].magnitude * 0x1p24;
      worst_p = fmax(worst_p, fabs(p));
      if (d == 0)
        put(&along, p);
    }
    worst_e = fmax(worst_e, fabs(e));
    put(&energy, e);
  }
  /* a macroparticle is rounded some 4 times, by half a unit at most, at random */
  ok(charge == 0 && most_left <= 20,
     "%s, %dd %s: charge of each cell to the quantum, from %d to at most %ld a cell",
     method, dim, also, PER_CELL, most_left);
  ok(worst_p < 2.0 && worst_e < 2.0 && is_zero(&along) && is_zero(&energy) &&
         error(&energy) > 0.0,
     "%s, %dd %s: momentum to %.2g and energy to %.2g of 2^-24, on average to %.1g +- "
     "%.1g "
     "and "
     "%.1g +- %.1g",
     method, dim, also, worst_p, worst_e, value(&along), error(&along), value(&energy),
     error(&energy));
  const struct wn_merging_sums *l = wn_merging_sums(s.sim, 0);
  is_int((long long)(l->before - l->after),
         (long long)CELLS * PER_CELL - (long long)store(&s)->n,
         "the ledger has those that went");
  wn_i128 e = 0;
  for (int k = 0; k < WN_ENERGY_CHANGES; k++)
    e += s.sim->energy_changes.now[k][0];
  ok(l->passes == PASSES && l->merged_quanta > 0 && l->left == 0 && l->split == 0 &&
         l->energy_after - l->energy_before == e &&
         s.sim->energy_changes.now[WN_ENERGY_MERGING][0] == e,
     "its passes; the change of energy is in the balance of the species");
  double sum_p = 0.0, sum_m = 0.0;
  for (int i = 0; i < CELLS; i++) {
    sum_p += after[i].momentum[0] - before[i].momentum[0];
    sum_m += before[i].magnitude;
  }
  ok(fabs((double)(l->momentum_after[0] - l->momentum_before[0]) / WN_MERGING_MOMENTUM -
          sum_p) < 1e-10 * sum_m,
     "and the change of momentum is that of the cells");
  free(before);
  free(after);
  scene_close(&s);
}

/* ---- the distribution */

#define BINS 10

/* The fraction of a Maxwellian below an energy of x kT. */
static double below(double x)
{
  return erf(sqrt(x)) - 2.0 * sqrt(x / WN_PI) * exp(-x);
}

/* Energies in bins of equal fractions, from cells of 200 that are merged to 60; chi2 of the
 * means over cells with their scatter, without the last bin, which the others give.  99.99 % of
 * chi2 of 9 degrees are below 33.7.  The bins of a cell are nearly independent; their sum is
 * fixed.  Returns chi2. */
static double histogram(uint64_t seed, const char *merging, double *shift,
                        double *scatter)
{
  enum { CELLS = 400, PER_CELL = 200 };
  static const double still[3] = {0.0, 0.0, 0.0};
  const double kt = 2.0, v = sqrt(kt * WN_E / WN_ME), sigma[3] = {v, v, v};
  double edge[BINS];
  struct mean bin[BINS] = {{0}}, top = {0};
  struct scene s;
  for (int b = 0; b < BINS; b++) {
    double lo = 0.0, hi = 50.0;
    for (int i = 0; i < 60; i++)
      *(below(0.5 * (lo + hi)) < (b + 1.0) / BINS ? &lo : &hi) = 0.5 * (lo + hi);
    edge[b] = b + 1 < BINS ? lo * kt : INFINITY;
  }
  draw_state = seed;
  open_plasma(&s, 2, CELLS, PER_CELL, merging, "");
  s.config->seed = seed;
  scene_start(&s, 0.0);
  fill(&s, PER_CELL, sigma, still, 1.0 / 16.0);
  for (size_t i = 0; i < store(&s)->n; i++) {
    const struct wn_reacting one = get(&s, i);
    set(&s, i, one.u, 1.0f);
  }
  for (int i = 0; i < 3; i++)
    pass(&s);
  double(*of)[BINS] = calloc(CELLS, sizeof *of);
  WN_ASSERT(of != NULL);
  for (size_t i = 0; i < store(&s)->n; i++) {
    const struct wn_reacting one = get(&s, i);
    const double e = wn_point_energy_ev(points(&s), 3, one.u);
    int b = 0;
    while (e >= edge[b])
      b++;
    of[wn_cell_pairs_cell(&points(&s)->grid, wn_particles_at(store(&s), i))][b] +=
        (double)one.w / PER_CELL;
  }
  double chi2 = 0.0;
  *shift = *scatter = 0.0;
  for (int b = 0; b < BINS; b++) {
    for (int i = 0; i < CELLS; i++)
      put(&bin[b], of[i][b] - 1.0 / BINS);
    if (b + 1 < BINS)
      chi2 += pow(value(&bin[b]) / error(&bin[b]), 2);
    *shift = fmax(*shift, fabs(value(&bin[b])) * BINS);
    *scatter = fmax(*scatter, error(&bin[b]) * BINS);
  }
  (void)top;
  free(of);
  scene_close(&s);
  return chi2;
}

static void maxwellian(void)
{
  double sum = 0.0;
  for (uint64_t seed = 1; seed <= 4; seed++) {
    double shift, scatter;
    const double chi2 =
        histogram(seed, "species = \"a\"; per_cell_most = 60;", &shift, &scatter);
    sum += chi2;
    ok(chi2 < 33.7,
       "a Maxwellian, 200 to 60 a cell, seed %d: chi2 %.3g of 9, largest change of a bin "
       "%.2g %%, its error %.2g %%",
       (int)seed, chi2, 100.0 * shift, 100.0 * scatter);
  }
  /* 99.99 % of chi2 of 36 degrees are below 75.9 */
  ok(sum < 75.9, "four seeds: chi2 %.3g of 36", sum);
}

/* The faster along x, the farther along it in the cell; evenly spread. */
static void place_by_velocity(const struct scene *s, double sigma)
{
  for (size_t i = 0; i < store(s)->n; i++) {
    int32_t *at = wn_particles_at(store(s), i);
    const int bits = points(s)->grid.bits[0];
    const double x = 0.5 + 0.5 * erf((double)get(s, i).u[0] / sigma * sqrt(0.5));
    at[0] = (at[0] >> bits << bits) + (int32_t)(x * (ldexp(1.0, bits) - 1.0));
  }
}

/* Four of a cell, along a line of velocities and places, become two. */
static void places_of_two(void)
{
  enum { CELLS = 8000, PER_CELL = 4 };
  static const double sigma[3] = {1e6, 0.0, 0.0}, still[3] = {0.0, 0.0, 0.0};
  struct scene s;
  struct mean place = {0}, spread = {0};
  open_plasma(&s, 2, CELLS, PER_CELL,
              "species = \"a\"; per_cell_most = 2; method = \"two\";", "");
  fill(&s, PER_CELL, sigma, still, 2.0);
  place_by_velocity(&s, sigma[0]);
  struct sums *before = cell_sums(&s);
  pass(&s);
  struct sums *after = cell_sums(&s);
  for (int i = 0; i < CELLS; i++) {
    const double w = (double)before[i].quanta / WN_QUANTA;
    put(&place, (after[i].place - before[i].place) / w);
    put(&spread, (after[i].spread - before[i].spread) / w);
  }
  ok(is_zero(&place) && is_zero(&spread) && error(&place) > 0.0 && error(&spread) < 0.001,
     "two of four: the mean place moves by %.2g +- %.2g of a cell, the mean square by "
     "%.2g +- "
     "%.2g",
     value(&place), error(&place), value(&spread), error(&spread));
  free(before);
  free(after);
  scene_close(&s);
}

/* Temperatures of 4 : 1 : 1, a drift, and places that depend on the velocity: all of these stay. */
static void anisotropy(const char *merging)
{
  enum { CELLS = 600, PER_CELL = 100 };
  const double sigma[3] = {2e6, 1e6, 1e6}, drift[3] = {0.0, 1e6, 0.0};
  struct scene s;
  struct mean square[3] = {{0}}, place = {0}, spread = {0};
  open_plasma(&s, 2, CELLS, PER_CELL, merging, "");
  fill(&s, PER_CELL, sigma, drift, 2.0);
  place_by_velocity(&s, sigma[0]);
  struct sums *before = cell_sums(&s);
  for (int i = 0; i < 3; i++)
    pass(&s);
  struct sums *after = cell_sums(&s);
  for (int i = 0; i < CELLS; i++) {
    const double w = (double)before[i].quanta / WN_QUANTA;
    for (int d = 0; d < 3; d++)
      put(&square[d],
          (after[i].square[d] - before[i].square[d]) / w / (sigma[d] * sigma[d]));
    put(&place, (after[i].place - before[i].place) / w);
    put(&spread, (after[i].spread - before[i].spread) / w);
  }
  for (int d = 0; d < 3; d++)
    ok(is_zero(&square[d]) && error(&square[d]) < 0.01,
       "%s: the temperature along %c changes by %.2g +- %.2g", merging, "xyz"[d],
       value(&square[d]), error(&square[d]));
  ok(is_zero(&place) && error(&place) > 0.0 && error(&place) < 0.003 &&
         is_zero(&spread) && error(&spread) < 0.001,
     "%s: the mean place moves by %.2g +- %.2g of a cell, the mean square by %.2g +- "
     "%.2g",
     merging, value(&place), error(&place), value(&spread), error(&spread));
  free(before);
  free(after);
  scene_close(&s);
}

/* ---- in r-z */

struct spot {
  int32_t at[2];
};

static int by_spot(const void *a, const void *b)
{
  return memcmp(a, b, sizeof(struct spot));
}

static struct spot *spots_of(const struct scene *s)
{
  struct spot *of = malloc(store(s)->n * sizeof *of);
  WN_ASSERT(of != NULL);
  for (size_t i = 0; i < store(s)->n; i++)
    memcpy(of[i].at, wn_particles_at(store(s), i), sizeof of[i].at);
  qsort(of, store(s)->n, sizeof *of, by_spot);
  return of;
}

/* Weight times r times the velocity across, of each cell; r in mm. */
static void angular_momenta(const struct scene *s, double *of)
{
  for (size_t i = 0; i < store(s)->n; i++) {
    const struct wn_reacting one = get(s, i);
    of[wn_cell_pairs_cell(&points(s)->grid, wn_particles_at(store(s), i))] +=
        (double)one.w * (double)one.u[2] *
        ldexp((double)one.at[0], -points(s)->grid.bits[0]);
  }
}

/* A uniform density that turns around the axis: as many macroparticles in each cell, evenly spread
 * over its volume, with the weight of its volume.  What is left lies at places that were there
 * before, and in each ring the density and the angular momentum are on average the same, also around the
 * axis. */
static void uniform_in_rz(const char *method)
{
  enum { CELLS = 1600, PER_CELL = 90 };
  struct scene s;
  struct mean place[RINGS] = {{0}}, spread[RINGS] = {{0}}, turning[RINGS] = {{0}};
  static double was[CELLS], is[CELLS];
  char merging[128];
  int new = 0, wrong = 0;
  snprintf(merging, sizeof merging,
           "species = \"a\"; per_cell_most = 20; method = \"%s\";", method);
  open_plasma(&s, 2, CELLS, PER_CELL, merging, "");
  spread_out(&s, PER_CELL);
  for (size_t i = 0; i < store(&s)->n; i++) {
    int32_t *at = wn_particles_at(store(&s), i);
    const int bits = points(&s)->grid.bits[0], ring = at[0] >> bits;
    const double r = sqrt(ring * ring + uniform() * (2 * ring + 1));
    at[0] = (int32_t)ldexp(r, bits);
    const float u[3] = {(float)(1e6 * normal()), (float)(1e6 * normal()),
                        (float)(1e6 * (normal() + 0.5 * r))};
    set(&s, i, u, (float)(2 * ring + 1) / 16.0f);
  }
  struct sums *before = cell_sums(&s);
  struct spot *spot = spots_of(&s);
  const size_t n = store(&s)->n;
  memset(was, 0, sizeof was);
  memset(is, 0, sizeof is);
  angular_momenta(&s, was);
  for (int i = 0; i < 4; i++)
    pass(&s);
  angular_momenta(&s, is);
  struct sums *after = cell_sums(&s);
  struct spot *left = spots_of(&s);
  for (size_t i = 0; i < store(&s)->n; i++)
    new += bsearch(&left[i], spot, n, sizeof *spot, by_spot) == NULL;
  is_int(new, 0, "r-z, %s: of %zu in the place of %zu none is at a new place", method,
         store(&s)->n, n);
  for (int i = 0; i < CELLS; i++) {
    const double w = (double)before[i].quanta / WN_QUANTA;
    const int ring = i % RINGS;
    wrong += after[i].quanta != before[i].quanta || after[i].n > 20;
    put(&place[ring], (after[i].place - before[i].place) / w);
    put(&spread[ring], (after[i].spread - before[i].spread) / w);
    put(&turning[ring], (is[i] - was[i]) / w * 1e-6);
  }
  is_int(wrong, 0, "r-z, %s: charge of each cell to the quantum", method);
  for (int k = 0; k < RINGS; k++) {
    ok(is_zero(&place[k]) && is_zero(&spread[k]) && error(&place[k]) > 0.0 &&
           error(&place[k]) < 0.005,
       "r-z, %s, ring %d: the mean place moves by %.2g +- %.2g of a cell, the mean "
       "square by %.2g +- %.2g",
       method, k, value(&place[k]), error(&place[k]), value(&spread[k]),
       error(&spread[k]));
    ok(is_zero(&turning[k]) && error(&turning[k]) > 0.0 && error(&turning[k]) < 0.02,
       "and the angular momentum by %.2g +- %.2g", value(&turning[k]),
       error(&turning[k]));
  }
  free(before);
  free(after);
  free(spot);
  free(left);
  scene_close(&s);
}

static void all_in_rz(void)
{
  is_rz = 1;
  uniform_in_rz("weights");
  uniform_in_rz("two");
  uniform_in_rz("one");
  conserved("weights", 2, "/* r-z */", 1e6, 4.0);
  conserved("two", 2, "/* r-z */", 1e6, 4.0);
  is_rz = 0;
}

/* ---- energies that are not crossed */

static int by_bytes(const void *a, const void *b)
{
  return memcmp(a, b, 32);
}

static void protected_energy(const char *method, double drift_x)
{
  enum { CELLS = 60, PER_CELL = 200 };
  const double sigma[3] = {1e6, 1e6, 1e6}, drift[3] = {drift_x, 0.0, 0.0};
  static const double edge[] = {1.0, 4.0, 9.0};
  char merging[256];
  struct scene s;
  int64_t quanta[2][4] = {{0}};
  unsigned char *fast[2];
  size_t n_fast[2] = {0, 0};
  snprintf(merging, sizeof merging,
           "species = \"a\"; per_cell_most = 15; method = \"%s\"; energy_classes = [\"1 "
           "eV\", \"4 eV\"]; protected_energy = \"9 eV\";",
           method);
  open_plasma(&s, 2, CELLS, PER_CELL, merging, "");
  fill(&s, PER_CELL, sigma, drift, 3.0);
  for (int run = 0; run < 2; run++) {
    fast[run] = malloc(store(&s)->n * 32);
    WN_ASSERT(fast[run] != NULL && store(&s)->record.bytes == 32);
    for (size_t i = 0; i < store(&s)->n; i++) {
      const struct wn_reacting one = get(&s, i);
      const double e = wn_point_energy_ev(points(&s), 3, one.u);
      const int k = (e >= edge[0]) + (e >= edge[1]) + (e > edge[2]);
      quanta[run][k] += wn_quanta(one.w);
      if (k == 3)
        memcpy(fast[run] + 32 * n_fast[run]++, wn_particles_at(store(&s), i), 32);
    }
    qsort(fast[run], n_fast[run], 32, by_bytes);
    for (int i = 0; run == 0 && i < 6; i++)
      pass(&s);
  }
  const struct wn_merging_sums *l = wn_merging_sums(s.sim, 0);
  ok(n_fast[0] > 100 && n_fast[0] == n_fast[1] &&
         memcmp(fast[0], fast[1], 32 * n_fast[0]) == 0,
     "%s: not a bit of %zu above the protected energy changes", method, n_fast[0]);
  for (int k = 0; k < 4; k++)
    ok(quanta[0][k] == quanta[1][k] && quanta[0][k] > 0,
       "%s: nothing leaves energy class %d", method, k);
  ok(l->before > l->after && (strcmp(method, "two") != 0 || l->across > 0),
     "%s: while %d macroparticles become %d, %d groups across their mean", method,
     (int)l->before, (int)l->after, (int)l->across);
  free(fast[0]);
  free(fast[1]);
  scene_close(&s);
}

/* ---- two become one */

static void into_one(void)
{
  enum { CELLS = 400, PER_CELL = 90 };
  const double sigma[3] = {1e6, 1e6, 1e6}, drift[3] = {5e5, 0.0, 0.0};
  struct scene s;
  struct mean energy = {0}, momentum = {0};
  long wrong = 0;
  open_plasma(&s, 2, CELLS, PER_CELL,
              "species = \"a\"; per_cell_most = 40; method = \"one\";", "");
  fill(&s, PER_CELL, sigma, drift, 3.0);
  struct sums *before = cell_sums(&s);
  pass(&s);
  pass(&s);
  struct sums *after = cell_sums(&s);
  for (int i = 0; i < CELLS; i++) {
    wrong += after[i].quanta != before[i].quanta || after[i].n != 40;
    put(&energy, after[i].energy / before[i].energy - 1.0);
    put(&momentum, (after[i].momentum[0] - before[i].momentum[0]) / before[i].magnitude);
  }
  is_int(wrong, 0, "one of two: charge to the quantum, 40 are left in each cell");
  ok(is_zero(&energy) && error(&energy) > 1e-5 && is_zero(&momentum) &&
         error(&momentum) > 1e-5,
     "one of two: energy by %.1g +- %.1g, momentum by %.1g +- %.1g", value(&energy),
     error(&energy), value(&momentum), error(&momentum));
  free(before);
  free(after);
  scene_close(&s);
}

/* ---- bits */

static void turn_round(const struct scene *s)
{
  const size_t n = store(s)->n, bytes = store(s)->record.bytes;
  unsigned char one[WN_RECORD_MAX];
  for (size_t i = 0; i < n / 2; i++) {
    unsigned char *a = wn_particles_at(store(s), i),
                  *b = wn_particles_at(store(s), n - 1 - i);
    memcpy(one, a, bytes);
    memcpy(a, b, bytes);
    memcpy(b, one, bytes);
  }
}

static int by_bytes_64(const void *a, const void *b)
{
  return memcmp(a, b, 64);
}

static void same_bits(int dim, const char *method)
{
  enum { CELLS = 300, PER_CELL = 80 };
  const double sigma[3] = {1e6, 1e6, 1e6}, drift[3] = {0.0, 0.0, 0.0};
  unsigned char *first = NULL;
  size_t n = 0;
  char merging[128];
  snprintf(merging, sizeof merging,
           "species = \"a\"; per_cell_most = 30; method = \"%s\"; %s", method,
           dim == 1 ? "per_cell_least = 28; least_weight = 0.01;" : "");
  for (int run = 0; run < 3; run++) {
    struct scene s;
    draw_state = 42;
    open_plasma(&s, dim, CELLS, PER_CELL, merging, "");
    s.config->threads = run == 2 ? 3 : 1;
    scene_start(&s, 0.0);
    fill(&s, PER_CELL, sigma, drift, 2.0);
    /* half of the cells are nearly empty: what they had is in the others */
    for (size_t i = 0; i < store(&s)->n; i++)
      if (i % 10 != 0)
        *(int32_t *)wn_particles_at(store(&s), i) |= 1 << points(&s)->grid.bits[0];
    if (run == 1)
      turn_round(&s);
    for (int i = 0; i < 4; i++)
      pass(&s);
    qsort(store(&s)->e, store(&s)->n, store(&s)->record.bytes,
          store(&s)->record.bytes == 64 ? by_bytes_64 : by_bytes);
    if (run == 0) {
      const struct wn_merging_sums *l = wn_merging_sums(s.sim, 0);
      n = store(&s)->n;
      first = malloc(n * store(&s)->record.bytes);
      WN_ASSERT(first != NULL);
      memcpy(first, store(&s)->e, n * store(&s)->record.bytes);
      ok(l->before > l->after && (dim > 1 || l->split > 100),
         "%dd, %s: merged and, with collisions, split", dim, method);
    } else {
      ok(n == store(&s)->n &&
             memcmp(first, store(&s)->e, n * store(&s)->record.bytes) == 0,
         "%dd, %s: %s changes no bit", dim, method,
         run == 1 ? "the order of the store" : "the number of threads");
    }
    scene_close(&s);
  }
  free(first);
}

/* ---- splitting */

static void splitting(void)
{
  enum { CELLS = 2, PER_CELL = 3 };
  const double sigma[3] = {1e6, 1e6, 1e6}, drift[3] = {0.0, 0.0, 0.0};
  static const int number[] = {6, 10, 10, 10};
  struct scene s;
  open_plasma(&s, 1, CELLS, PER_CELL,
              "species = \"a\"; per_cell_most = 20; per_cell_least = 10;", "");
  fill(&s, PER_CELL, sigma, drift, 1.0);
  for (size_t i = 0; i < store(&s)->n; i++) {
    const struct wn_reacting one = get(&s, i);
    /* of the second cell: weights near least_weight; all in all an odd number of quanta */
    set(&s, i, one.u, i < 3 ? 8.0f : i == 3 ? 1.5f : i == 4 ? 2.0f + 0x1p-20f : 4.0f);
  }
  struct sums *before = cell_sums(&s);
  for (int k = 0; k < 4; k++) {
    pass(&s);
    struct sums *after = cell_sums(&s);
    is_int((long long)after[0].n, number[k], "three of weight 8 after pass %d", k + 1);
    ok(after[0].quanta == before[0].quanta && after[1].quanta == before[1].quanta &&
           fabs(after[0].energy / before[0].energy - 1.0) < 1e-15 &&
           fabs(after[0].momentum[0] - before[0].momentum[0]) <
               1e-15 * before[0].magnitude,
       "charge stays, momentum and energy to the rounding of the sums");
    if (k == 3)
      is_int((long long)after[1].n, 1 + 2 + 4, "weights down to 1, none below");
    free(after);
  }
  double least = 1e9;
  int twice = 0, flights = 0;
  for (size_t i = 0; i < store(&s)->n; i++) {
    const struct wn_electron *e = wn_particles_at(store(&s), i);
    least = fmin(least, (double)e->w);
    for (size_t j = 0; j < i; j++) {
      const struct wn_electron *f = wn_particles_at(store(&s), j);
      twice += e->id == f->id;
      flights += e->t_next == f->t_next;
    }
  }
  ok(least == 1.0, "the lightest has %.9g", least);
  is_int(twice, 0, "each has an id of its own");
  is_int(flights, 0, "and a next candidate");
  const struct wn_merging_sums *l = wn_merging_sums(s.sim, 0);
  is_int((long long)l->split, 3 + 4 + 1 + 3, "the ledger has them");
  free(before);
  scene_close(&s);
}

/* Above most_weight they are halved, too, in a full cell. */
static void heavy(void)
{
  const double sigma[3] = {1e6, 1e6, 1e6}, drift[3] = {0.0, 0.0, 0.0};
  struct scene s;
  open_plasma(
      &s, 1, 2, 30,
      "species = \"a\"; per_cell_most = 20; per_cell_least = 2; most_weight = 16.0;", "");
  fill(&s, 30, sigma, drift, 8.0);
  const struct wn_reacting one = get(&s, 4);
  set(&s, 4, one.u, 60.0f);
  struct sums *before = cell_sums(&s);
  for (int i = 0; i < 6; i++)
    pass(&s);
  struct sums *after = cell_sums(&s);
  double most = 0.0;
  for (size_t i = 0; i < store(&s)->n; i++)
    most = fmax(most, (double)get(&s, i).w);
  ok(most <= 16.0 && most > 8.0 && after[0].quanta == before[0].quanta,
     "most_weight 16: none above, the heaviest has %.4g; the charge stays", most);
  free(before);
  free(after);
  scene_close(&s);
}

/* ---- hostile */

static void hostile(const char *method, int dim)
{
  const double sigma[3] = {1e6, 1e6, 1e6}, drift[3] = {1e6, -1e6, 3e5};
  char merging[128];
  snprintf(merging, sizeof merging,
           "species = \"a\"; per_cell_most = 5; method = \"%s\";", method);
  static const double still[3] = {0.0, 0.0, 0.0};
  struct scene s;
  open_plasma(&s, dim, 8, 40, merging, "");
  fill(&s, 40, still, drift, 1.0);
  struct sums *before = cell_sums(&s);
  for (int i = 0; i < 6; i++)
    pass(&s);
  struct sums *after = cell_sums(&s);
  int wrong = 0;
  for (size_t i = 0; i < store(&s)->n; i++)
    for (int d = 0; d < 3; d++)
      wrong += get(&s, i).u[d] != (float)drift[d];
  ok(wrong == 0 && after[0].n <= 5 && after[2].quanta == before[2].quanta,
     "%s, %dd, equal velocities: they stay, %d in a cell", method, dim, (int)after[0].n);
  free(before);
  free(after);

  store(&s)->n = 1;
  pass(&s);
  is_int((long long)store(&s)->n, 1, "%dd, one particle", dim);
  store(&s)->n = 0;
  pass(&s);
  is_int((long long)store(&s)->n, 0, "%dd, none", dim);
  scene_close(&s);

  /* of no weight, of no whole quanta, of 2^41 and its next; the rest are merged */
  open_plasma(&s, dim, 8, 5, merging, "");
  fill(&s, 5, sigma, still, 1.0);
  bring_together(&s);
  static const float odd[] = {0.0f, 0.1f, 0x1p-22f, 0x1p41f, 0x1.000002p41f};
  for (size_t i = 0; i < 5; i++)
    set(&s, i, get(&s, i).u, odd[i]);
  for (int i = 0; i < 8; i++)
    pass(&s);
  int there = 0;
  for (size_t i = 0; i < store(&s)->n; i++)
    for (size_t k = 0; k < 5; k++)
      there += get(&s, i).w == odd[k];
  ok(there == 5 && store(&s)->n <= 10, "%dd, unusual weights stay: %d of 5, %d in all",
     dim, there, (int)store(&s)->n);
  scene_close(&s);

  open_plasma(&s, dim, 8, 2500, "species = \"a\"; per_cell_most = 100;", "");
  fill(&s, 2500, sigma, still, 1.0);
  bring_together(&s);
  before = cell_sums(&s);
  for (int i = 0; i < 9; i++)
    pass(&s);
  after = cell_sums(&s);
  ok(after[0].n == 100 && after[0].quanta == before[0].quanta &&
         fabs(after[0].energy / before[0].energy - 1.0) < 1e-6,
     "%dd, 20000 in one cell become %d", dim, (int)after[0].n);
  free(before);
  free(after);
  scene_close(&s);
}

/* A few quanta each: weights can hardly be divided.  By new weights velocities stay to 1 % of
 * their spread, or the group is left. */
static void few_quanta(const char *method)
{
  const double sigma[3] = {1e6, 1e6, 1e6}, still[3] = {0.0, 0.0, 0.0};
  char merging[128];
  struct scene s;
  double worst = 0.0;
  int wrong = 0;
  snprintf(merging, sizeof merging,
           "species = \"a\"; per_cell_most = 10; method = \"%s\";", method);
  open_plasma(&s, 2, 40, 50, merging, "");
  fill(&s, 50, sigma, still, 1.0);
  float(*was)[3] = malloc(store(&s)->n * sizeof *was);
  const size_t n = store(&s)->n;
  WN_ASSERT(was != NULL);
  for (size_t i = 0; i < n; i++) {
    set(&s, i, get(&s, i).u, (float)(1 + i % 4) * 0x1p-20f);
    memcpy(was[i], get(&s, i).u, sizeof was[i]);
  }
  struct sums *before = cell_sums(&s);
  for (int i = 0; i < 5; i++)
    pass(&s);
  struct sums *after = cell_sums(&s);
  for (int i = 0; i < 40; i++) {
    wrong += after[i].quanta != before[i].quanta;
    worst = fmax(worst, fabs(after[i].energy / before[i].energy - 1.0));
    for (int d = 0; d < 3; d++)
      worst = fmax(worst, fabs(after[i].momentum[d] - before[i].momentum[d]) /
                              before[i].magnitude);
  }
  for (size_t i = 0; i < store(&s)->n && strcmp(method, "weights") == 0; i++) {
    const struct wn_reacting one = get(&s, i);
    size_t k = 0;
    for (; k < n; k++)
      if (fabsf(one.u[0] - was[k][0]) + fabsf(one.u[1] - was[k][1]) +
              fabsf(one.u[2] - was[k][2]) <
          1e4f)
        break;
    wrong += k == n;
  }
  free(was);
  ok(wrong == 0 && worst < 1e-6,
     "%s: of 1 to 4 quanta each %d stay, charge to the quantum, the rest to %.2g", method,
     (int)store(&s)->n, worst);
  free(before);
  free(after);
  scene_close(&s);
}

static void interval(void)
{
  const double sigma[3] = {1e6, 1e6, 1e6}, drift[3] = {0.0, 0.0, 0.0};
  struct scene s;
  open_plasma(&s, 3, 8, 40, "species = \"a\"; per_cell_most = 39; interval = 3;", "");
  fill(&s, 40, sigma, drift, 1.0);
  pass(&s);
  pass(&s);
  is_int((long long)store(&s)->n, 320, "not before the interval is over");
  pass(&s);
  ok(store(&s)->n <= 8 * 39 && store(&s)->n >= 8 * 38,
     "then one group of each cell, and no more than needed");
  scene_close(&s);
}

/* ---- runs */

#define GAS                                                                              \
  "model = \"plasma\"; duration = \"80 ps\"; threads = 1; seed = 3;\n"                   \
  "grid = { cells = [8, 4]; length = [\"80 um\", \"40 um\"]; };\n"                       \
  "walls = { x_low = { field = \"dirichlet\"; }; x_high = { field = \"dirichlet\"; }; "  \
  "};\n"                                                                                 \
  "gas = { pressure = \"1 bar\"; components = { Ar = { file = \"builtin:argon\"; }; "    \
  "}; };\n"                                                                              \
  "tables = { energy_max = \"1 keV\"; };\n"                                              \
  "species = { e = { density = \"1e17 m-3\"; temperature = \"5 eV\"; per_cell = 21; "    \
  "collisions = \"gas\"; ions = \"i\"; };\n"                                             \
  " i = { density = \"1e17 m-3\"; per_cell = 21; charge = 1.0; mass = \"39.948 u\"; "    \
  "loading = \"random\"; mobile = false; };\n"                                           \
  " q = { density = \"1e14 m-3\"; per_cell = 1; charge = 1.0; mass = \"4 u\"; }; };\n"   \
  "plasma = { time_step = \"2 ps\"; merging = { e = { species = \"e\"; per_cell_most = " \
  "18; per_cell_least = 12; least_weight = 0.1; energy_classes = [\"6 eV\"]; interval "  \
  "= 2; }; i = { species = \"i\"; per_cell_most = 20; method = \"one\"; }; }; };\n"

static void restart(void)
{
  static const char *const options[] = {"--threads 1", "--scheduler serial",
                                        "--threads 3"};
  command_write(FILE_NAME, GAS);
  const int status =
      command("%s run " FILE_NAME " --quiet --threads 2 --output " OUT, command_wilson());
  if (!is_int(status, 0, "a plasma in a gas: undisturbed"))
    diag("%.900s", command_err);
  slices_are("a plasma in a gas", FILE_NAME, "t0798-again.nc", OUT, 7, 4, 3, options);
  remove(OUT);
  remove(FILE_NAME);
}

/* The energy of electrons of which two become one, so that it changes: kinetic energy, a mean of both ends
 * of a step, and the sums at these ends. */
static void balance(void)
{
  static const char *const names[] = {"field_work", "collision_energy", "wall_energy",
                                      "created_energy", "merging_energy"};
  static const double sign[] = {1.0, -1.0, -1.0, 1.0, 1.0};
  size_t n, rows;
  double *v[5], worst = 0.0, turned = 0.0;
  command_write(FILE_NAME, GAS);
  const int status = command("%s run " FILE_NAME " --quiet --output " OUT
                             " --set 'plasma.merging.e.method=\"one\"' --set "
                             "plasma.merging.e.per_cell_most=15",
                             command_wilson());
  remove(FILE_NAME);
  if (!is_int(status, 0, "two become one, in a gas")) {
    diag("%.500s", command_err);
    return;
  }
  free(command_nc_read(OUT, "time", &rows));
  double *kinetic = command_nc_read(OUT, "kinetic_energy", &n);
  WN_ASSERT(kinetic != NULL && n == 3 * rows && rows == 40);
  for (int k = 0; k < 5; k++) {
    v[k] = command_nc_read(OUT, names[k], &n);
    WN_ASSERT(v[k] != NULL && n == 3 * rows);
  }
  for (size_t i = 1; i < rows; i++) {
    double sum = 0.0;
    for (int k = 0; k < 5; k++) {
      sum += sign[k] * 0.5 * (v[k][3 * i] - v[k][3 * (i - 1)]);
      turned += fabs(v[k][3 * i] - v[k][3 * (i - 1)]);
      if (i > 1)
        sum += sign[k] * 0.5 * (v[k][3 * (i - 1)] - v[k][3 * (i - 2)]);
      else
        sum += sign[k] * 0.5 * v[k][0];
    }
    worst = fmax(worst, fabs(kinetic[3 * i] - kinetic[3 * (i - 1)] - sum));
  }
  ok(worst < 1e-6 * turned && fabs(v[4][3 * (rows - 1)]) > 1e-3 * kinetic[0],
     "the balance of energies closes to %.2g, with %.2g by merging", worst / turned,
     v[4][3 * (rows - 1)] / kinetic[0]);
  for (int k = 0; k < 5; k++)
    free(v[k]);
  free(kinetic);
  remove(OUT);
}

static void refused(const char *options, const char *words)
{
  command_write(FILE_NAME, GAS);
  const int status = command("%s check " FILE_NAME " %s", command_wilson(), options);
  remove(FILE_NAME);
  ok(status == 2 && strstr(command_err, words) != NULL, "%s: refused, %s", options,
     words);
  if (strstr(command_err, words) == NULL)
    diag("status %d: %.500s", status, command_err);
}

static void refusals(void)
{
  refused("--set 'plasma.merging.e.species=\"x\"'", "there is no species of this name");
  refused("--set 'plasma.merging.i.species=\"e\"'",
          "the same species is in plasma.merging.e");
  refused("--set plasma.merging.e.per_cell_least=19",
          "plasma.merging.e.per_cell_least=19: is above per_cell_most, 18");
  refused("--set plasma.merging.i.per_cell_least=2",
          "halves of a macroparticle without collisions would move alike");
  refused("--set plasma.merging.e.least_weight=6e5",
          "is above half of most_weight, 1000000");
  refused("--set plasma.merging.e.interval=0", "plasma.merging.e.interval");
  refused("--set 'plasma.merging.e.method=\"tow\"'", "two");
  refused("--set 'plasma.merging.e.protected_energy=\"6 eV\"'",
          "the last is not below protected_energy, 6 eV");
  refused("--set 'plasma.merging.e.energy_classes=[\"6 eV\", \"5 eV\"]'",
          "plasma.merging.e.energy_classes");
  refused("--set plasma.merging.z.per_cell_most=5", "plasma.merging.z.species");
  refused("--set 'plasma.merging.z={ species = \"q\"; }'",
          "plasma.merging.z.per_cell_most");
  refused("--set 'reactions.r={ reactants = [\"e\", \"i\"]; products = []; rate_constant "
          "= \"1e-13 m3/s\"; }'",
          "species e is a reactant of reactions.r");
  refused("--set 'grid.cells=[8]' --set 'grid.length=[\"80 um\"]'",
          "macroparticles of species i have no weights of their own");
  refused("--set 'grid.cells=[8]' --set 'grid.length=[\"80 um\"]'",
          "its ions, species i, have no weights of their own in one dimension");
  if (wn_ranks_library() == NULL) {
    skip(1, "built without MPI");
  } else {
    command_write(FILE_NAME, GAS);
    ranks_allow();
    const int status = command("mpirun -n 2 %s run " FILE_NAME " --quiet --output " OUT,
                               command_wilson());
    ok(status != 0 &&
           strstr(command_err, "merging needs all macroparticles of a cell") != NULL,
       "two processes: refused");
    remove(FILE_NAME);
  }
}

int main(void)
{
  plan(0);
  draw_state = 20261126;
  for (int i = 0; i < 2; i++) {
    const char *method = i == 0 ? "weights" : "two";
    conserved(method, 1, "", 1e6, 4.0);
    conserved(method, 2, "", 1e6, 4.0);
    conserved(method, 3, "magnetic_field = [\"0 T\", \"0 T\", \"0.1 T\"];", 1e6, 16.0);
    conserved(method, 3, "relativistic = true;", 2e8, 4.0);
  }
  maxwellian();
  anisotropy("species = \"a\"; per_cell_most = 30;");
  anisotropy("species = \"a\"; per_cell_most = 30; method = \"two\";");
  anisotropy("species = \"a\"; per_cell_most = 30; method = \"one\";");
  places_of_two();
  protected_energy("weights", 0.0);
  protected_energy("two", 0.0);
  protected_energy("two", 6e5);
  protected_energy("one", 0.0);
  into_one();
  for (int dim = 1; dim <= 3; dim++) {
    same_bits(dim, "weights");
    same_bits(dim, "two");
  }
  same_bits(2, "one");
  splitting();
  heavy();
  for (int dim = 1; dim <= 3; dim++)
    for (int i = 0; i < 2; i++)
      hostile(i == 0 ? "weights" : "two", dim);
  few_quanta("weights");
  few_quanta("two");
  interval();
  all_in_rz();
  restart();
  balance();
  refusals();
  return done();
}
