/* t0798-merging.c - defends: merging of macroparticles conserves charge to the quantum, and momentum
 * and energy of each cell to the rounding of floats, in one, two and three dimensions, in a
 * magnetic field, with relativity, without a drift in one direction; numbers come down to
 * per_cell_most; the ledger says so.  A Maxwellian stays one, temperatures along axes do not
 * mix, density does not move.  Nothing above the protected energy is touched, nothing crosses
 * it or an energy class.  Method "one" conserves charge, the rest on average.  In r-z the same holds,
 * and a uniform density stays uniform in each ring, its angular momentum with it.  The result depends
 * neither on the order of the store, nor on threads.  Splitting, and unusual particles: t0759.
 *
 * References: sums before and after; the normal distribution.  Thresholds of 4.5 standard
 * errors: each of some 40 comparisons fails by chance once in 1.5e5. */
#define FILE_NAME "t0798.cfg"
#include "t/plasma/merging_scene.h"

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
  all_in_rz();
  return done();
}
