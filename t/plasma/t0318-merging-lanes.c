/* t0318-merging-lanes.c - defends: what the lanes of a warp of a GPU do in merging (physics/merging_cell.h on physics/warp.h) has
 * the bits of one lane, which is what a CPU does: all records, the ledger, how many are left, and which members are halved; for each
 * method, with 2, 4 and 32 lanes for the groups of a cell and several cells at once, for cells of 2 to 300 macroparticles, with
 * energy classes, relativity, one velocity for many, weights that are no number of quanta and limits of weights; with lanes in
 * their order and backwards.  The lanes are emulated (t/tap/lanes.h), so no GPU is wanted.  And the sorts of lanes give the order.
 * Reference: the same header with one lane. */
#include <stdlib.h>
#include <string.h>
#include "physics/merging_cell.h"
#include "t/plasma/merging_lanes.h"
#include "t/tap/draw.h"
#include "t/tap/tap.h"

#define MOST_CELLS 20
#define TOGETHER   5 /* cells with one limit; the last may have fewer than that */

static const struct {
  const char *name;
  int method, relativistic, n_classes;
  double ev, heaviest; /* mean energy, weights */
  uint32_t lanes, excess;
  int odd; /* equal velocities and odd weights among them */
} cases[] = {
    {"weights", WN_MERGING_WEIGHTS, 0, 0, 3.0, 1e6, 2, 10, 0},
    {"weights, many fewer", WN_MERGING_WEIGHTS, 0, 0, 3.0, 1e6, 4, 1000, 0},
    {"weights, odd ones, classes, relativistic", WN_MERGING_WEIGHTS, 1, 2, 3e4, 40.0, 2,
     12, 1},
    {"weights, a low limit", WN_MERGING_WEIGHTS, 0, 1, 3.0, 5.0, 32, 25, 1},
    {"weights, a lower limit", WN_MERGING_WEIGHTS, 0, 0, 3.0, 3.2, 4, 7, 0},
    {"weights, a lower limit, warps", WN_MERGING_WEIGHTS, 0, 0, 3.0, 3.2, 32, 13, 0},
    {"two", WN_MERGING_TWO, 0, 0, 3.0, 1e6, 4, 10, 0},
    {"two, odd ones, classes, relativistic", WN_MERGING_TWO, 1, 2, 3e4, 40.0, 4, 1000, 1},
    {"two, a low limit", WN_MERGING_TWO, 0, 1, 3.0, 6.0, 32, 20, 1},
    {"one", WN_MERGING_ONE, 0, 0, 3.0, 1e6, 4, 10, 0},
    {"one, odd ones, classes", WN_MERGING_ONE, 0, 2, 3.0, 6.0, 32, 1000, 1},
};
#define N_CASES (sizeof cases / sizeof cases[0])

static const uint32_t sizes[] = {2,  3,  5,  11, 21, 24, 29,  30,  31,  32,
                                 33, 40, 64, 65, 96, 97, 129, 161, 300, 23};
#define N_SIZES (sizeof sizes / sizeof sizes[0])

static double normal(void)
{
  double s = -6.0;
  for (int k = 0; k < 12; k++)
    s += uniform();
  return s;
}

static void fill(struct wn_electron *e, size_t n, double ev, int odd)
{
  static const float weights[] = {0.3f, 0.0f, 1e9f, 0x1p-20f, 5.5f};
  const double v = sqrt(2.0 * ev / 3.0 * WN_E / WN_ME);
  memset(e, 0, n * sizeof *e);
  for (size_t i = 0; i < n; i++) {
    e[i].id = word64();
    for (int d = 0; d < 3; d++) {
      e[i].u[d] = (float)(v * normal());
      e[i].at[d] = (int32_t)(word64() >> 40);
    }
    e[i].w = (float)(ceil(16.0 * 3.0 * uniform() + 1e-9) / 16.0);
    e[i].t_left = 0.0f;
    if (odd && i > 0 && i % 4 == 0)
      memcpy(e[i].u, e[i - 1].u, sizeof e[i].u);
    if (odd && i % 9 == 0)
      e[i].w = weights[i / 9 % 5];
    if (odd && i % 13 == 0)
      e[i].t_left = WN_DEAD;
    if (odd && i > 100)
      memcpy(e[i].u, e[100].u, sizeof e[i].u);
  }
}

static int same_sums(const struct wn_merging_sums *a, const struct wn_merging_sums *b)
{
  return memcmp(a, b, sizeof *a) == 0;
}

struct cells {
  struct wn_merging_rule is;
  double classes_ev[2];
  struct lanes_cell of[MOST_CELLS];
  struct wn_electron *e[2]; /* by one lane, and by 32 */
  uint32_t *list;
  size_t n;
};

static void open_cells(struct cells *c, size_t i)
{
  memset(c, 0, sizeof *c);
  c->classes_ev[0] = 1.2 * cases[i].ev;
  c->classes_ev[1] = 3.0 * cases[i].ev;
  c->is.method = cases[i].method;
  c->is.least = 1;
  c->is.heaviest = (int64_t)(cases[i].heaviest * WN_QUANTA);
  c->is.least_halved = 0.5 * WN_QUANTA;
  c->is.n_classes = (uint32_t)cases[i].n_classes;
  c->is.classes_ev = c->classes_ev;
  c->is.protect_ev = cases[i].odd ? 5.0 * cases[i].ev : INFINITY;
  c->is.points.relativistic = cases[i].relativistic;
  c->is.points.energy_ev = 0.5 * WN_ME / WN_E;
  c->is.key = wn_rng_key(318 + i);
  c->is.step = 7;
  for (size_t k = 0; k < N_SIZES; k++)
    c->n += sizes[k];
  c->e[0] = calloc(c->n, sizeof *c->e[0]);
  c->e[1] = calloc(c->n, sizeof *c->e[1]);
  c->list = calloc(c->n, sizeof *c->list);
  if (c->e[0] == NULL || c->e[1] == NULL || c->list == NULL)
    abort();
  draw_state = 318 + i;
  size_t begin = 0;
  for (size_t k = 0; k < N_SIZES; k++) {
    fill(c->e[0] + begin, sizes[k], cases[i].ev, cases[i].odd);
    for (uint32_t j = 0; j < sizes[k]; j++)
      c->list[begin + j] = (uint32_t)(begin + sizes[k] - 1 - j);
    c->of[k] = (struct lanes_cell){.n = sizes[k],
                                   .heaviest = c->is.heaviest,
                                   .cell = 1000 + 17 * k,
                                   .list = c->list + begin};
    begin += sizes[k];
  }
}

static void close_cells(struct cells *c)
{
  free(c->e[0]);
  free(c->e[1]);
  free(c->list);
}

/* A cell by one lane, as src/sim/merging.c; returns how many are left. */
static uint32_t merge_one(const struct cells *c, const struct lanes_cell *of,
                          struct wn_merging_sums *sums)
{
  const uint64_t ended = sums->before - sums->after;
  unsigned char *scratch = malloc(wn_merging_scratch_bytes(of->n, 1));
  if (scratch == NULL)
    abort();
  struct wn_merging_cell it = {.is = &c->is,
                               .records = wn_merging_records_of(c->e[0], 2, 1),
                               .heaviest = of->heaviest,
                               .cell = of->cell,
                               .list = of->list,
                               .n = of->n};
  wn_merging_scratch_set(&it, scratch, of->n, 1);
  wn_merging_merge(&it, sums);
  free(scratch);
  return of->n - (uint32_t)(sums->before - sums->after - ended);
}

static void compare(size_t i, int is_backwards)
{
  struct cells c;
  uint32_t left[MOST_CELLS] = {0};
  int equal = 1, same_left = 1;
  struct wn_merging_sums one, lanes;
  memset(&one, 0, sizeof one);
  memset(&lanes, 0, sizeof lanes);
  open_cells(&c, i);
  memcpy(c.e[1], c.e[0], c.n * sizeof *c.e[0]);
  const struct wn_merging_records r = wn_merging_records_of(c.e[1], 2, 1);
  for (size_t k = 0; k < N_SIZES; k += TOGETHER) {
    c.is.most = sizes[k] > cases[i].excess ? sizes[k] - cases[i].excess : 1;
    for (size_t j = k; j < k + TOGETHER; j++)
      left[j] = merge_one(&c, &c.of[j], &one);
    equal &=
        lanes_merge(&c.is, &r, c.of + k, TOGETHER, cases[i].lanes, is_backwards, &lanes);
    for (size_t j = k; j < k + TOGETHER; j++)
      same_left &= c.of[j].left == left[j];
  }
  const char *order = is_backwards ? "backwards" : "in order";
  ok(one.before > one.after && same_sums(&one, &lanes),
     "%s, lanes %s: %llu merged into %llu, %llu groups left, the same ledger",
     cases[i].name, order, (unsigned long long)one.before, (unsigned long long)one.after,
     (unsigned long long)one.left);
  ok(memcmp(c.e[0], c.e[1], c.n * sizeof *c.e[0]) == 0, "%s, lanes %s: the same records",
     cases[i].name, order);
  ok(same_left, "%s, lanes %s: as many left in each cell", cases[i].name, order);
  ok(equal, "%s, lanes %s: all wait equally often", cases[i].name, order);
  close_cells(&c);
}

static void halves(size_t i, int is_backwards)
{
  struct cells c;
  int same = 1, equal = 1;
  size_t all = 0;
  open_cells(&c, i);
  const struct wn_merging_records r = wn_merging_records_of(c.e[0], 2, 1);
  for (size_t k = 0; k < N_SIZES; k++) {
    const uint32_t n = sizes[k], wanted = n / 2 + 1;
    unsigned char *scratch = malloc(wn_merging_scratch_bytes(n, 1));
    uint32_t *halved = calloc(n, sizeof *halved), n_halved = 0;
    if (scratch == NULL || halved == NULL)
      abort();
    struct wn_merging_cell it = {.is = &c.is,
                                 .records = r,
                                 .heaviest = c.of[k].heaviest,
                                 .list = c.of[k].list,
                                 .n = n};
    wn_merging_scratch_set(&it, scratch, n, 1);
    const uint32_t expected = wn_merging_find_halves(&it, wanted);
    equal &= lanes_halves(&c.is, &r, &c.of[k], wanted, is_backwards, halved, &n_halved);
    same &=
        n_halved == expected && memcmp(halved, it.order, expected * sizeof *halved) == 0;
    all += expected;
    free(halved);
    free(scratch);
  }
  ok(same && equal && all > 0, "%s: the same %zu members are halved", cases[i].name, all);
  close_cells(&c);
}

int main(void)
{
  plan(0);
  for (size_t i = 0; i < N_CASES; i++)
    compare(i, i % 2 == 1);
  compare(0, 1);
  compare(5, 0);
  halves(2, 0);
  halves(7, 1);
  return done();
}
