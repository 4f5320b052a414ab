/* t0759-splitting.c - defends: at the ends of merging.  Splitting halves the heaviest, down to least_weight and no
 * further, with an id and a next candidate for each; charge stays to the quantum, momentum and energy to
 * the rounding of sums; none stays above most_weight.  Nothing breaks with no particle, one, equal ones,
 * weights of no quantum, of few or not whole, all in one cell.  A pass is made at each interval.
 *
 * References: sums before and after. */
#define FILE_NAME "t0759.cfg"
#include "t/plasma/merging_scene.h"

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

int main(void)
{
  plan(0);
  draw_state = 20261126;
  splitting();
  heavy();
  for (int dim = 1; dim <= 3; dim++)
    for (int i = 0; i < 2; i++)
      hostile(i == 0 ? "weights" : "two", dim);
  few_quanta("weights");
  few_quanta("two");
  interval();
  return done();
}
