/* t0331-rectangle.c - defends: model rectangle is what bench/study/rectangle.h says: every
 * electron at a fresh place of the rectangle after each mobility step, splits and
 * removals with the fixed chances, children from the next step on; numbers, births and
 * deaths as a branching process lets expect.  References: the family tree followed by
 * recursion, with nothing but the random numbers shared, exactly; the mean and variance
 * of a process of Galton and Watson, to 4.5 standard deviations (false alarm 7e-6 each,
 * were the seed not fixed). */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "bench/study/rectangle.h"
#include "t/tap/scene.h"
#include "t/tap/tap.h"

#define SCENARIO "t0331-rectangle.cfg"
#define MAX      200000
#define WIDTH    3.0
#define HEIGHT   0.25

struct member {
  uint64_t id;
  uint32_t steps;
};

static struct {
  struct member living[MAX];
  size_t n;
  long long births, deaths, steps;
  uint64_t seed;
  double split, removed; /* chances */
} ref;

/* An electron and all that descend from it, to the end of the run. */
static void follow(uint64_t id, int steps)
{
  for (int i = 0; i < steps; i++) {
    double u = wn_rng(ref.seed, id, (uint32_t)i, WN_RNG_EVENT, 0).w[2] / 4294967296.0;
    ref.steps++;
    if (u < ref.split) {
      ref.births++;
      follow(wn_rng_child_id(ref.seed, id, (uint32_t)i, 0), steps - i - 1);
    } else if (u < ref.split + ref.removed) {
      ref.deaths++;
      return;
    }
  }
  if (ref.n < MAX)
    ref.living[ref.n++] = (struct member){id, (uint32_t)steps};
}

static int by_id(const void *a, const void *b)
{
  const struct member *p = a, *q = b;
  return p->id < q->id ? -1 : p->id > q->id;
}

static const struct {
  const char *name, *electrons, *split, *removed, *steps;
  int phases;
} cases[] = {
    {"0.5 per cent split", "electrons=5000", "rectangle.split_chance=0.5",
     "rectangle.remove_chance=0", "rectangle.mobility_steps=100", 4},
    {"1 per cent split, as many removed", "electrons=20000", "rectangle.split_chance=1.0",
     "rectangle.remove_chance=1", "rectangle.mobility_steps=50", 3},
    {"2 per cent split, 3 removed", "electrons=20000", "rectangle.split_chance=2",
     "rectangle.remove_chance=3", "rectangle.mobility_steps=7", 10},
    {"90 per cent split", "electrons=500", "rectangle.split_chance=90",
     "rectangle.remove_chance=0", "rectangle.mobility_steps=8", 1},
    {"30 per cent split, 70 removed", "electrons=20000", "rectangle.split_chance=30",
     "rectangle.remove_chance=70", "rectangle.mobility_steps=3", 1},
};

/* The place of each is that of its last step; a newborn has its parent's. */
static long misplaced(const struct scene_result *r)
{
  for (size_t i = 0; i < r->n; i++) {
    const struct wn_rectangle_electron *e = scene_record(r, i);
    if (!(e->x[0] >= 0.0 && e->x[0] < WIDTH && e->x[1] >= 0.0 && e->x[1] < HEIGHT))
      return (long)i;
    if (e->event == 0)
      continue;
    struct wn_rng4 w = wn_rng(ref.seed, e->id, e->event - 1, WN_RNG_EVENT, 0);
    if (e->x[0] != WIDTH * (w.w[0] / 4294967296.0) ||
        e->x[1] != HEIGHT * (w.w[1] / 4294967296.0))
      return (long)i;
  }
  return -1;
}

static void places(const struct scene_result *r, const char *name)
{
  double n = (double)r->n, sum[2] = {0}, sum2[2] = {0}, product = 0;
  for (size_t i = 0; i < r->n; i++) {
    const struct wn_rectangle_electron *e = scene_record(r, i);
    double t[2] = {e->x[0] / WIDTH, e->x[1] / HEIGHT};
    for (int k = 0; k < 2; k++) {
      sum[k] += t[k] / n;
      sum2[k] += t[k] * t[k] / n;
    }
    product += (t[0] - 0.5) * (t[1] - 0.5) / n;
  }
  for (int k = 0; k < 2; k++) {
    is_near(sum[k], 0.5, 4.5 * sqrt(1.0 / 12.0 / n), "%s: axis %d: mean place", name, k);
    is_near(sum2[k], 1.0 / 3.0, 4.5 * sqrt(4.0 / 45.0 / n),
            "%s: axis %d: mean square place", name, k);
  }
  is_near(product, 0.0, 4.5 / 12.0 / sqrt(n), "%s: the axes are independent", name);
}

static void one_case(size_t which)
{
  const char *name = cases[which].name;
  const char *const set[] = {"model=\"rectangle\"",
                             "seed=5",
                             "rectangle.width=\"3 m\"",
                             "rectangle.height=\"25 cm\"",
                             cases[which].electrons,
                             cases[which].split,
                             cases[which].removed,
                             cases[which].steps,
                             NULL};
  struct scene s;
  struct scene_result r;
  scene_open(&s, SCENARIO, "", set);
  scene_scheduler(&s, "serial", 1);
  scene_start(&s, 0.0);
  const struct wn_study *c = s.study;
  int steps = cases[which].phases * (int)c->rectangle.steps.mobility;
  const struct wn_particles *p = &scene_species(&s)->p;
  size_t n0 = p->n;
  memset(&ref, 0, sizeof ref);
  ref.seed = c->base.seed;
  ref.split = c->rectangle.split_chance / 100.0;
  ref.removed = c->rectangle.remove_chance / 100.0;
  is_int((long long)n0, (long long)c->base.electrons,
         "%s: as many electrons as asked for", name);
  for (size_t i = 0; i < n0; i++)
    follow(((const struct wn_rectangle_electron *)wn_particles_at(p, i))->id, steps);
  qsort(ref.living, ref.n, sizeof ref.living[0], by_id);

  scene_run(&s, cases[which].phases, 0, &r);
  long bad = -1;
  for (size_t i = 0; i < r.n && i < ref.n && bad < 0; i++) {
    const struct wn_rectangle_electron *e = scene_record(&r, i);
    if (e->id != ref.living[i].id || e->event != ref.living[i].steps || e->t_left != 0.0f)
      bad = (long)i;
  }
  is_int((long long)r.n, (long long)ref.n, "%s: electrons at the end", name);
  is_int(bad, -1, "%s: they are those of the family tree", name);
  is_int((long long)r.tally.n_births, ref.births, "%s: births", name);
  is_int((long long)r.tally.n_deaths, ref.deaths, "%s: deaths", name);
  is_int((long long)r.tally.n_candidates, ref.steps, "%s: steps of electrons", name);
  is_int(misplaced(&r), -1, "%s: each is where its last step put it", name);
  /* a child of the last step stands beside its parent, so not all places are independent:
   * only where few are */
  if (ref.split < 0.1)
    places(&r, name);

  double n = (double)n0, m = 1.0 + ref.split - ref.removed, mn = pow(m, steps),
         sum = m == 1.0 ? steps : (mn - 1.0) / (m - 1.0); /* of m^i, i below steps */
  double variance = n * (ref.split + ref.removed - (m - 1.0) * (m - 1.0)) * mn / m * sum;
  is_near((double)r.n, n * mn, 4.5 * sqrt(variance), "%s: as many as expected", name);
  /* births less their chance times the steps is a martingale, each step of an electron
   * one difference of variance s (1 - s); the expected steps are n0 (m^n - 1)/(m - 1) */
  double walked = (double)r.tally.n_candidates;
  is_near((double)r.tally.n_births, ref.split * walked,
          4.5 * sqrt(n * sum * ref.split * (1.0 - ref.split)), "%s: births per step",
          name);
  is_near((double)r.tally.n_deaths, ref.removed * walked,
          4.5 * sqrt(n * sum * ref.removed * (1.0 - ref.removed)), "%s: deaths per step",
          name);
  scene_result_clear(&r);
  scene_close(&s);
}

int main(void)
{
  plan(0);
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    one_case(i);
  return done();
}
