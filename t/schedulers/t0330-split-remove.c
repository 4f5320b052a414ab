/* t0330-split-remove.c - defends: model split-remove is the scheduler study's: electrons
 * released where and how it says, the field of a Poisson step from the counts of the
 * neighbour cells, the leapfrog step away from the crowd, one uniform number a step
 * against its table, and its births and deaths; a table file gives what stands in it or a
 * message with its line, the one that is written gives the table that is built in, and a
 * constant chance takes its place. Reference: the model written again below from its
 * definition (bench/study/split_remove.h), without grid or buffers: an electron's neighbours
 * are found by looking at all others.  Only the random numbers are shared.  It does the
 * step in the same single precision, so that electrons are compared bit for bit; what
 * single precision is worth, the edges of the box, the beginnings of levels and the
 * random words that split and remove are looked at one step at a time. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/log.h"
#include "bench/study/split_table.h"
#include "t/tap/capture.h"
#include "t/tap/scene.h"
#include "t/tap/tap.h"

#define SCENARIO "t0330-split-remove.cfg"
#define TABLE    "t0330-split-remove.txt"
#define MAX      20000
#define LEVELS   10000
#define LOW      ((1u << WN_SPLIT_BIN_BITS) - 1)
#define FINITE   (0x7f800000 >> WN_SPLIT_BIN_BITS) /* the bins of finite numbers */

struct plain {
  double x[3];
  float v[3], a[3];
  uint64_t id;
  uint32_t n_steps;
  int steps_left, alive, in;
  long
      c[3]; /* its cell, and whether it is in the box, at the start of the Poisson step */
};

/* The study's table, per cent. */
static double rate(int level)
{
  return level == 0 ? 0.0 : (sin(pow(level, 2.6) / 5e7) + 1.01) * pow(level, 0.1);
}

static int level_of(double v2)
{
  double level = v2 > 0.0 ? (log10(v2) + 6.0) * 1e4 / 22.0 : 0.0;
  return level < 0.0 ? 0 : level > 9999.0 ? 9999 : (int)level;
}

static long cell(double x, double size)
{
  return (long)floor(x / size);
}

static int inside(const double x[3], double size, long cells)
{
  for (int k = 0; k < 3; k++)
    if (x[k] < 0.0 || cell(x[k], size) >= cells)
      return 0;
  return 1;
}

struct reference {
  struct plain e[MAX];
  size_t n;
  long long births, deaths, steps, outside;
  double expected, variance; /* of births, and as many deaths, from the table alone */
  double fastest;
};
static struct reference ref;

/* Acceleration along each axis: (electrons in the next cell - in the one before),
 * repelled, in units of e^2/(4 pi eps0 h^2 m). */
static void push_apart(size_t i, double size)
{
  /* CODATA 2018 */
  const double coulomb = 1.602176634e-19 * 1.602176634e-19 /
                         (4.0 * acos(-1.0) * 8.8541878128e-12 * 9.1093837015e-31);
  struct plain *e = &ref.e[i];
  for (int k = 0; k < 3; k++) {
    long above = 0, below = 0;
    for (size_t j = 0; j < ref.n; j++) {
      const struct plain *o = &ref.e[j];
      if (!o->in || o->c[(k + 1) % 3] != e->c[(k + 1) % 3] ||
          o->c[(k + 2) % 3] != e->c[(k + 2) % 3])
        continue;
      above += o->c[k] == e->c[k] + 1;
      below += o->c[k] == e->c[k] - 1;
    }
    e->a[k] = e->in ? (float)(coulomb / (size * size) * (double)(below - above)) : 0.0f;
  }
}

static void one_step(size_t i, uint64_t seed, double dt, double size, long cells)
{
  struct plain *e = &ref.e[i];
  const float whole = (float)dt;
  float v2 = 0.0f;
  for (int k = 0; k < 3; k++) {
    float kick = 0.5f * whole * e->a[k], middle = e->v[k] + kick, move = middle * whole;
    e->x[k] += (double)move;
    e->v[k] = middle + kick;
    v2 += e->v[k] * e->v[k];
  }
  ref.fastest = fmax(ref.fastest, sqrt((double)v2));
  uint32_t step = e->n_steps++;
  e->steps_left--;
  ref.steps++;
  if (!inside(e->x, size, cells)) {
    e->alive = 0;
    ref.deaths++;
    ref.outside++;
    return;
  }
  double p = rate(level_of((double)v2)),
         u = 100.0 * wn_u01(wn_rng(seed, e->id, step / 4, WN_RNG_EVENT, 0).w[step % 4]);
  ref.expected += p / 100.0;
  ref.variance += p / 100.0 * (1.0 - p / 100.0);
  if (u < p) {
    struct plain *child = &ref.e[ref.n++];
    *child = *e;
    child->id = wn_rng_child_id(seed, e->id, step, 0);
    child->n_steps = 0;
    for (int k = 0; k < 3; k++)
      e->v[k] = -e->v[k];
    ref.births++;
  } else if (u < 2.0 * p) {
    e->alive = 0;
    ref.deaths++;
  }
}

static void poisson_step(uint64_t seed, int steps, double dt, double size, long cells)
{
  size_t kept = 0;
  for (size_t i = 0; i < ref.n; i++) {
    ref.e[i].in = inside(ref.e[i].x, size, cells);
    for (int k = 0; k < 3; k++)
      ref.e[i].c[k] = cell(ref.e[i].x[k], size);
  }
  for (size_t i = 0; i < ref.n; i++)
    push_apart(i, size);
  for (size_t i = 0; i < ref.n; i++)
    ref.e[i].steps_left = steps;
  for (size_t i = 0; i < ref.n; i++)
    while (ref.e[i].alive && ref.e[i].steps_left > 0 && ref.n < MAX)
      one_step(i, seed, dt, size, cells);
  for (size_t i = 0; i < ref.n; i++)
    if (ref.e[i].alive)
      ref.e[kept++] = ref.e[i];
  ref.n = kept;
}

static int by_id(const void *a, const void *b)
{
  const struct plain *p = a, *q = b;
  return p->id < q->id ? -1 : p->id > q->id;
}

/* The first electron that differs, -1: none.  The accelerations, too, are floats that
 * both round the same way: computed in double in another order, they come out different
 * with a chance of 1e-8. */
static long differs(const struct wn_species *s)
{
  for (size_t i = 0; i < s->p.n && i < ref.n; i++) {
    const struct wn_split_electron e =
        *(const struct wn_split_electron *)wn_particles_at(&s->p, i);
    const struct plain *p = &ref.e[i];
    if (e.id != p->id || e.event != p->n_steps || e.t_left != 0.0f)
      return (long)i;
    for (int k = 0; k < 3; k++)
      if (!(e.x[k] == p->x[k]) || !(e.v[k] == p->v[k]))
        return (long)i;
  }
  return s->p.n == ref.n ? -1 : (long)(s->p.n < ref.n ? s->p.n : ref.n);
}

static const struct {
  const char *name, *electrons, *edge, *step, *steps;
  int poisson_steps;
  int leave; /* whether some must leave the box */
} cases[] = {
    {"50 Poisson steps of 10 x 1 ns", "electrons=300", "split_remove.edge=6",
     "split_remove.mobility_step=\"1 ns\"", "split_remove.mobility_steps=10", 50, 0},
    {"4 Poisson steps of 1000 x 1 ps, the study's", "electrons=200",
     "split_remove.edge=6", "split_remove.mobility_step=\"1 ps\"",
     "split_remove.mobility_steps=1000", 4, 0},
    {"50 Poisson steps of 3 x 2 us, out of the box", "electrons=400",
     "split_remove.edge=5", "split_remove.mobility_step=\"2 us\"",
     "split_remove.mobility_steps=3", 50, 1},
};

static void one_case(size_t which)
{
  const char *name = cases[which].name;
  const char *const set[] = {"model=\"split-remove\"",
                             "split_remove.cells=62",
                             "seed=11",
                             cases[which].electrons,
                             cases[which].edge,
                             cases[which].step,
                             cases[which].steps,
                             NULL};
  struct scene s;
  long long births = 0, deaths = 0, steps = 0;
  scene_open(&s, SCENARIO, "", set);
  scene_scheduler(&s, "serial", 1);
  scene_start(&s, 0.0);
  const struct wn_study *c = s.study;
  double size = c->split_remove.cell_size, first = 1.0 * size,
         edge = (double)c->split_remove.edge * size;
  int wrong = 0;
  struct wn_species *species = scene_species(&s);
  ref = (struct reference){.n = species->p.n};
  for (size_t i = 0; i < ref.n; i++) {
    const struct wn_split_electron *e = wn_particles_at(&species->p, i);
    ref.e[i] = (struct plain){.id = e->id, .alive = 1};
    for (int k = 0; k < 3; k++) {
      ref.e[i].x[k] = e->x[k];
      wrong += e->x[k] < first || e->x[k] >= first + edge || e->v[k] != 0.0f;
    }
  }
  is_int((long long)ref.n, (long long)c->base.electrons,
         "%s: as many electrons as asked for", name);
  is_int(wrong, 0, "%s: released at rest, inside the cube that begins at cell 62/2 - 30",
         name);
  long bad = -1;
  int at = -1;
  for (int i = 0; i < cases[which].poisson_steps && bad < 0 && ref.n < MAX / 2; i++) {
    wn_sim_reset(s.sim);
    if (scene_phase(&s) != WN_OK)
      break;
    births += (long long)scene_species(&s)->tally.n_births;
    deaths += (long long)scene_species(&s)->tally.n_deaths;
    steps += (long long)scene_species(&s)->tally.n_candidates;
    poisson_step(c->base.seed, (int)c->split_remove.steps.mobility,
                 c->split_remove.steps.dt, size, (long)c->split_remove.cells);
    scene_sort(species->p.e, species->p.n, species->p.record.bytes);
    qsort(ref.e, ref.n, sizeof ref.e[0], by_id);
    bad = differs(species);
    at = i;
  }
  is_int(at + 1, cases[which].poisson_steps, "%s: both got to the end", name);
  is_int(bad, -1,
         "%s: the same electrons after every Poisson step (%zu at the end, fastest %.3g "
         "m/s)",
         name, ref.n, ref.fastest);
  is_int(births, ref.births, "%s: births", name);
  is_int(deaths, ref.deaths, "%s: deaths", name);
  is_int(steps, ref.steps, "%s: steps of electrons", name);
  ok(cases[which].leave ? ref.outside > 0 : ref.outside == 0, "%s: %lld left the box",
     name, ref.outside);
  /* 4.5 standard deviations of so many independent draws: false alarm 7e-6, were the seed
   * not fixed */
  is_near((double)births, ref.expected, 4.5 * sqrt(ref.variance),
          "%s: births as the table lets expect", name);
  is_near((double)(deaths - ref.outside), ref.expected, 4.5 * sqrt(ref.variance),
          "%s: deaths as the table lets expect", name);
  ok(ref.births > 200, "%s: %lld births are enough to defend something", name,
     ref.births);
  scene_close(&s);
}

/* Uniform in the cube: 8000 electrons, each coordinate has mean 1/2 and variance 1/12, in
 * edges. */
static void release(void)
{
  static const char *const set[] = {"model=\"split-remove\"", "split_remove.cells=128",
                                    "electrons=8000", NULL};
  struct scene s;
  double sum[3] = {0}, sum2[3] = {0};
  scene_open(&s, SCENARIO, "", set);
  scene_scheduler(&s, "serial", 1);
  scene_start(&s, 0.0);
  const struct wn_particles *p = &scene_species(&s)->p;
  for (size_t i = 0; i < p->n; i++) {
    const struct wn_split_electron *e = wn_particles_at(p, i);
    for (int k = 0; k < 3; k++) {
      double t = (e->x[k] / 0.01 - 34.0) / 62.0;
      sum[k] += t / 8000.0;
      sum2[k] += t * t / 8000.0;
    }
  }
  for (int k = 0; k < 3; k++) {
    is_near(sum[k], 0.5, 4.5 * sqrt(1.0 / 12.0 / 8000.0),
            "axis %d: mean place in the default cube", k);
    is_near(sum2[k], 1.0 / 3.0, 4.5 * sqrt(4.0 / 45.0 / 8000.0),
            "axis %d: mean square place", k);
  }
  scene_close(&s);
}

static void default_table(void)
{
  static float split[LEVELS], removed[LEVELS];
  double worst = 0.0;
  is_int(wn_split_table(NULL, split, removed), WN_OK, "the study's table");
  for (int i = 0; i < LEVELS; i++)
    worst = fmax(worst, fmax(fabs((double)split[i] - rate(i)),
                             fabs((double)removed[i] - rate(i))));
  is_near(worst, 0.0, 5e-7, "as its formula, to float");
  is_near((double)split[0], 0.0, 0.0, "nothing happens at level 0");
  is_close((double)split[1], 1.01 + 2e-8, 1e-7, "level 1 by hand: 1.01");
  is_int(wn_split_level(0.0), 0, "level of rest");
  static struct wn_split_tables tables;
  wn_split_fill(split, removed, &tables);
  int other = wn_split_level_of(&tables, 0.0f) != 0;
  for (uint32_t i = 0; i < 2000000; i++) {
    /* every octave */
    struct wn_rng4 w = wn_rng(330, i, 0, WN_RNG_INITIAL, 0);
    float v2 = wn_split_v2((int)(w.w[0] % FINITE), w.w[1] & LOW);
    other += wn_split_level_of(&tables, v2) != wn_split_level((double)v2);
  }
  is_int(other, 0, "2e6 levels from bins are those of the definition");
  int wrong = 0, begins = 0;
  for (int i = 0; i < FINITE; i++) {
    uint32_t cut =
                 0xffff - ((tables.bin[i] + ((uint32_t)i << WN_SPLIT_BIN_BITS)) & 0xffff),
             at[] = {0, cut, cut < LOW ? cut + 1 : LOW, LOW};
    begins += cut < LOW || wn_split_level_of(&tables, wn_split_v2(i, LOW)) <
                               wn_split_level_of(&tables, wn_split_v2(i + 1, 0));
    for (int k = 0; k < 4; k++) {
      float v2 = wn_split_v2(i, at[k]);
      wrong += wn_split_level_of(&tables, v2) != wn_split_level((double)v2);
    }
  }
  is_int(wrong, 0, "so are those at both ends of each bin, and on both sides of its cut");
  is_int(begins, LEVELS - 1, "each level but the first begins in one of them");
  is_int(wn_split_level_of(&tables, INFINITY), 9999, "infinity is the last level");
  ok(wn_split_level_of(&tables, NAN) < LEVELS &&
         wn_split_level_of(&tables, -NAN) < LEVELS,
     "no number is in the table");
  is_int(wn_split_level(1e-7), 0, "level below the table");
  is_int(wn_split_level(1.0), 2727, "level of 1 m/s: trunc(6e4/22)");
  is_int(wn_split_level(1e10), 7272, "level of 1e5 m/s: trunc(16e4/22)");
  is_int(wn_split_level(1e30), 9999, "level above the table");
}

/* One electron, alone in a box of 62 cells, with these chances at all levels. */
static struct wn_split_tables alone_tables;

static struct wn_split alone(double dt, float split, float removed)
{
  static float s[LEVELS], r[LEVELS];
  for (int i = 0; i < LEVELS; i++)
    s[i] = split, r[i] = removed;
  wn_split_fill(s, r, &alone_tables);
  return (struct wn_split){.seed = 330,
                           .size = 62 * 0.01,
                           .dt = (float)dt,
                           .half_dt = 0.5f * (float)dt,
                           .tables = &alone_tables};
}

static int step(const struct wn_split *m, double x, double y, double z, uint32_t word)
{
  struct wn_split_electron e = {.x = {x, y, z}, .t_left = 1.0f};
  return wn_split_step_with(m, &e, word);
}

/* A step of random electrons against the same in double precision.  With e = 2^-24: dt is
 * right to e, the kick to 3 e of itself, v + kick to 3 e |kick| + e |v + kick|, the new v
 * and the displacement to less than twice that and 3 e of themselves: 12 e (|v| + 2
 * |kick|) is above both.  x adds half an ulp of double. */
static void precision(void)
{
  const double dt = 1.3e-9, eps = 0x1p-24;
  struct wn_split m = alone(dt, 0.0f, 0.0f);
  int wrong = 0;
  double worst = 0.0;
  for (uint32_t i = 0; i < 100000; i++) {
    struct wn_rng4 w = wn_rng(331, i, 0, WN_RNG_INITIAL, 0),
                   a = wn_rng(332, i, 0, WN_RNG_INITIAL, 0);
    double x[3], v[3], kick[3], force[3];
    struct wn_split_electron e = {.t_left = 3.0f, .event = i};
    for (int k = 0; k < 3; k++) {
      force[k] = (wn_u01(a.w[k]) - 0.5) * 1e15 * wn_u01(a.w[3]);
      v[k] = (double)(float)((wn_u01(w.w[k]) - 0.5) * 1e6 * wn_u01(w.w[3]));
      x[k] = 0.1 + 0.1 * wn_u01(w.w[k] ^ a.w[k]);
      e.x[k] = x[k];
      e.v[k] = (float)v[k];
      kick[k] = 0.5 * dt * (double)(float)force[k];
    }
    e.a0 = m.half_dt * (float)force[0];
    e.a1 = m.half_dt * (float)force[1];
    e.a2 = m.half_dt * (float)force[2];
    wrong +=
        wn_split_step_with(&m, &e, w.w[3]) != 0 || e.event != i + 1 || e.t_left != 2.0f;
    for (int k = 0; k < 3; k++) {
      double scale = fabs(v[k]) + 2.0 * fabs(kick[k]),
             off_v = fabs((double)e.v[k] - (v[k] + 2.0 * kick[k])) / (scale * eps),
             off_x = (fabs(e.x[k] - (x[k] + (v[k] + kick[k]) * dt)) - 0x1p-53) /
                     (scale * dt * eps);
      worst = fmax(worst, fmax(off_v, off_x));
    }
  }
  is_int(wrong, 0, "1e5 steps where nothing happens");
  ok(worst < 12.0, "are those of double precision to %.1f of 2^-24, 12 at most", worst);
}

/* The box is [0, size): both ends on each axis, and neighbours of size with the same
 * upper half of the bits. */
static void edges(void)
{
  struct wn_split m = alone(1e-12, 0.0f, 0.0f);
  const double size = m.size;
  const struct {
    double x;
    int what;
  } at[] = {{0.0, 0},
            {DBL_TRUE_MIN, 0},
            {-DBL_TRUE_MIN, WN_SPLIT_DEAD},
            {-1.0, WN_SPLIT_DEAD},
            {nextafter(size, 0.0), 0},
            {size, WN_SPLIT_DEAD},
            {nextafter(size, 1.0), WN_SPLIT_DEAD},
            {(double)(float)size, (double)(float)size < size ? 0 : WN_SPLIT_DEAD},
            {1e300, WN_SPLIT_DEAD},
            {INFINITY, WN_SPLIT_DEAD},
            {-INFINITY, WN_SPLIT_DEAD},
            {(double)NAN, WN_SPLIT_DEAD}};
  int wrong = 0;
  for (size_t i = 0; i < sizeof at / sizeof at[0]; i++)
    for (size_t j = 0; j < sizeof at / sizeof at[0]; j++) {
      int want = at[i].what | at[j].what;
      wrong += step(&m, at[i].x, at[j].x, 0.3, 0) != want;
      wrong += step(&m, 0.3, at[i].x, at[j].x, 0) != want;
      wrong += step(&m, at[j].x, 0.3, at[i].x, 0) != want;
    }
  is_int(wrong, 0, "particles on this side of an edge live, those on it or beyond die");
}

/* Every pair of chances: the words next to where the outcome changes, against 100 u < s
 * and 100 u < s + r with u = word 2^-32, in double, where all of that is exact. */
static void chances(void)
{
  static float split[LEVELS], removed[LEVELS];
  const float pairs[][2] = {{0.0f, 0.0f},   {0.001f, 0.001f},  {50.0f, 50.0f},
                            {90.0f, 10.0f}, {33.3f, 66.7f},    {70.1f, 29.9f},
                            {1e-9f, 1e-9f}, {0.0f, 1e-9f},     {99.99999f, 0.0f},
                            {25.0f, 0.0f},  {0.0f, 99.99999f}, {1e-30f, 100.0f}};
  const int n_pairs = (int)(sizeof pairs / sizeof pairs[0]);
  int wrong = 0;
  wn_split_table(NULL, split, removed);
  for (int i = 0; i < n_pairs + 40; i++) {
    int level = (i - n_pairs) * 249 + 1;
    float s = i < n_pairs ? pairs[i][0] : split[level],
          r = i < n_pairs ? pairs[i][1] : 2.0f * removed[level];
    struct wn_split m = alone(1e-12, s, r);
    double first = (double)s, end = first + (double)r, all = 0x1p32;
    for (int k = 0; k < 2000; k++) {
      double near = k % 2 ? first : end, at = floor(near * all / 100.0) + k / 2 % 5 - 2;
      uint32_t word = k < 10      ? (uint32_t)fmax(0.0, fmin(at, all - 1.0))
                      : k % 2     ? wn_rng(333, (uint64_t)k, 0, WN_RNG_INITIAL, 0).w[0]
                      : k / 2 % 2 ? (uint32_t)k / 4
                                  : UINT32_MAX - (uint32_t)k / 4;
      double u = 100.0 * wn_u01(word);
      int want = u < first ? WN_SPLIT_CHILD : u < end ? WN_SPLIT_DEAD : 0;
      wrong += step(&m, 0.3, 0.3, 0.3, word) != want;
    }
  }
  is_int(wrong, 0, "%d pairs of chances: no word is decided otherwise", n_pairs + 40);
  struct wn_split m = alone(1e-12, 100.0f, 0.0f);
  wrong = step(&m, 0.3, 0.3, 0.3, 0) != WN_SPLIT_CHILD ||
          step(&m, 0.3, 0.3, 0.3, UINT32_MAX - 1) != WN_SPLIT_CHILD ||
          step(&m, 0.3, 0.3, 0.3, UINT32_MAX) != 0;
  m = alone(1e-12, 0.0f, 100.0f);
  wrong += step(&m, 0.3, 0.3, 0.3, 0) != WN_SPLIT_DEAD ||
           step(&m, 0.3, 0.3, 0.3, UINT32_MAX - 1) != WN_SPLIT_DEAD ||
           step(&m, 0.3, 0.3, 0.3, UINT32_MAX) != 0;
  is_int(wrong, 0, "where all split, or all are removed, it is all words but the last");
}

static void write_table(int n, int bad_line, const char *bad)
{
  FILE *f = fopen(TABLE, "w");
  for (int i = 0; f != NULL && i < n; i++) {
    if (i + 2 == bad_line && bad != NULL) /* line 1 is the comment */
      fprintf(f, "%s\n", bad);
    if (i == 0)
      fprintf(f, "# split removed, per cent\n");
    fprintf(f, "%.6g\t%.6g\n", i * 0.002, 100.0 - i * 0.005);
  }
  if (f == NULL || fclose(f) != 0) {
    printf("Bail out! %s\n", TABLE);
    exit(1);
  }
}

static void refused(const char *path, const char *want, const char *name)
{
  static float split[LEVELS], removed[LEVELS];
  capture();
  int status = wn_split_table(path, split, removed);
  const char *text = captured();
  ok(status == WN_EINPUT && strstr(text, want), "%s is refused with `%s`: %s", name, want,
     text);
}

static void table_file(void)
{
  static const struct {
    const char *name, *line, *want;
  } bad[] = {
      {"one number", "5", TABLE ":7: expected two percentages"},
      {"a word", "five 5", TABLE ":7: expected two percentages"},
      {"a negative number", "-1 5", TABLE ":7: expected two percentages"},
      {"more than 100 per cent", "60 41", TABLE ":7: expected two percentages"},
      {"nan", "nan 5", TABLE ":7: expected two percentages"},
      {"a third number", "1 2 3", TABLE ":7: expected two percentages"},
  };
  static float split[LEVELS], removed[LEVELS];
  static char longest[700];
  double worst = 0.0;
  write_table(LEVELS, 0, NULL);
  is_int(wn_split_table(TABLE, split, removed), WN_OK, "a file of %d levels", LEVELS);
  for (int i = 0; i < LEVELS; i++)
    worst = fmax(worst, fmax(fabs((double)split[i] - i * 0.002),
                             fabs((double)removed[i] - (100.0 - i * 0.005))));
  is_near(worst, 0.0, 1e-4, "is read as it stands");
  write_table(LEVELS, 7, "   # a comment, and an empty line\n");
  is_int(wn_split_table(TABLE, split, removed), WN_OK,
         "comments and empty lines are passed over");
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    write_table(LEVELS, 7, bad[i].line);
    refused(TABLE, bad[i].want, bad[i].name);
  }
  memset(longest, '#', sizeof longest - 1);
  write_table(LEVELS, 7, longest);
  refused(TABLE, TABLE ":7: longer than", "a line beyond any use");
  write_table(LEVELS - 1, 0, NULL);
  refused(TABLE, "9999 levels; 10000 are needed", "a short file");
  write_table(LEVELS + 1, 0, NULL);
  refused(TABLE, TABLE ":10002: more than 10000 levels", "a long file");
  remove(TABLE);
  refused(TABLE, "No such file", "a missing file");
  refused(".", "cannot be read", "a folder");
}

/* What `bench/study/study split-table` writes is read back as it was, float by float. */
static void written_table(void)
{
  static float want[2][LEVELS], got[2][LEVELS];
  FILE *f = fopen(TABLE, "w");
  is_int(f != NULL ? wn_split_table_write(f) : -1, WN_OK, "the table is written");
  if (f == NULL || fclose(f) != 0 || wn_split_table(NULL, want[0], want[1]) != WN_OK) {
    printf("Bail out! %s\n", TABLE);
    exit(1);
  }
  is_int(wn_split_table(TABLE, got[0], got[1]), WN_OK, "and read back");
  ok(memcmp(got, want, sizeof want) == 0, "to the same floats");
  remove(TABLE);
}

static void constant(void)
{
  static const struct {
    double chance, split, removed;
  } want[] = {
      {0.001, 0.001, 0.001}, {50.0, 50.0, 50.0}, {90.0, 90.0, 10.0}, {100.0, 100.0, 0.0}};
  static float split[LEVELS], removed[LEVELS];
  for (size_t i = 0; i < sizeof want / sizeof want[0]; i++) {
    int wrong = 0;
    wn_split_constant(want[i].chance, split, removed);
    for (int k = 0; k < LEVELS; k++)
      wrong += split[k] != (float)want[i].split || removed[k] != (float)want[i].removed;
    is_int(wrong, 0, "constant %g per cent: as many are removed, at most the rest",
           want[i].chance);
  }
}

/* The key: one step of electrons at rest, level 0 of the table, where nothing happens
 * without it.  4.5 standard deviations: false alarm 7e-6, were the seed not fixed. */
static void constant_key(void)
{
  static const char *const set[] = {"model=\"split-remove\"",
                                    "split_remove.cells=62",
                                    "electrons=20000",
                                    "split_remove.edge=60",
                                    "split_remove.constant=70",
                                    "split_remove.mobility_steps=1",
                                    NULL};
  struct scene s;
  scene_open(&s, SCENARIO, "", set);
  scene_scheduler(&s, "serial", 1);
  scene_start(&s, 0.0);
  is_int(scene_phase(&s), WN_OK, "a step at 70 per cent");
  double sigma = sqrt(20000.0 * 0.7 * 0.3);
  const struct wn_tally *t = &scene_species(&s)->tally;
  is_near((double)t->n_births, 14000.0, 4.5 * sigma, "70 per cent split");
  is_int((long long)(t->n_births + t->n_deaths), 20000, "the rest is removed");
  scene_close(&s);
}

int main(void)
{
  plan(0);
  default_table();
  written_table();
  constant();
  constant_key();
  precision();
  edges();
  chances();
  release();
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    one_case(i);
  table_file();
  return done();
}
