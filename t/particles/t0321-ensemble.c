/* t0321-ensemble.c - defends: the weighted ensemble leaves the expected weight of each
 * level what it is, whatever the weights are; brings every level near the number wanted,
 * from too many and from too few; makes powers of two only; splits no further than
 * WN_LEAST_WEIGHT; holds electrons in the unit of weights of their cohort; closes its ledger to the last bit, halving and doubling included; decides by the
 * electron and not by the order of the store; and, many at a time, does the same to each and adds up the
 * same as the functions of physics/sample.h for one.  No outside numbers.  Statistical checks have
 * fixed seeds and a limit of 4.5 standard errors, which the right code passes but for 7 in
 * a million seeds. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "particles/weighted_ensemble.h"
#include "physics/angle.h"
#include "t/tap/tap.h"

#define GROUPS 4
/* A lineage of no cohort (wn_electron_cohort), as before any electron has passed a threshold. */
#define NO_COHORT (GROUPS * (2u * WN_MOST_HALVINGS + 1u))
#define TRIALS    300
#define WANTED    20.0

/* Three levels and what is above. */
static const struct wn_levels levels = {3, {10.0f, 30.0f, 100.0f}};

static void must(int status)
{
  if (status == WN_OK)
    return;
  printf("Bail out! %s\n", wn_status_text(status));
  exit(1);
}

static void add(struct wn_particles *p, uint64_t seed, uint32_t i, double energy_ev,
                double weight)
{
  struct wn_electron e = {.id = wn_rng_child_id(seed, i, 5, 0),
                          .tag = i % GROUPS + NO_COHORT,
                          .event = 17,
                          .w = (float)weight,
                          .t_next = 1e-13f};
  const struct wn_rng4 r = wn_rng(seed, e.id, 0, WN_RNG_INITIAL, 7);
  double d[3];
  wn_angle_isotropic(d, wn_u01(r.w[0]), wn_u01(r.w[1]));
  for (int k = 0; k < 3; k++)
    e.u[k] = (float)(d[k] * wn_u_from_ev(energy_ev));
  must(wn_particles_append(p, &e, 1));
}

/* In each level and group: 0: 400 of weight 1; 1: 5 of 2^-6; 2: 30 of 2^0 to 2^-29; 3: one
 * of 2^-49. */
static void fill(struct wn_particles *p, uint64_t seed)
{
  uint32_t i = 0;
  wn_particles_empty(p);
  for (; i < 400 * GROUPS; i++)
    add(p, seed, i, 5.0, 1.0);
  for (; i < 405 * GROUPS; i++)
    add(p, seed, i, 20.0, 0x1p-6);
  for (; i < 435 * GROUPS; i++)
    add(p, seed, i, 50.0, ldexp(1.0, -(int)(i / GROUPS - 405)));
  for (; i < 436 * GROUPS; i++)
    add(p, seed, i, 200.0, 0x1p-49);
}

static void look(const struct wn_particles *p, wn_i128 sums[WN_LEVEL_SUMS * 4 * GROUPS])
{
  const struct wn_sample what = {
      .kind = WN_SAMPLE_LEVELS, .n_groups = GROUPS, .levels = levels};
  struct wn_sample all = what;
  for (int i = levels.n_edges; i < WN_MAX_EDGES; i++)
    all.levels.edge[i] = INFINITY;
  memset(sums, 0, WN_LEVEL_SUMS * 4 * GROUPS * sizeof *sums);
  must(wn_particles_sample(p, &all, sums));
}

static void test_edges(void)
{
  struct wn_levels l = levels;
  for (int i = l.n_edges; i < WN_MAX_EDGES; i++)
    l.edge[i] = INFINITY;
  ok(wn_level_of(&l, 0.0) == 0 && wn_level_of(&l, 9.999) == 0 &&
         wn_level_of(&l, 10.0) == 1 && wn_level_of(&l, 99.0) == 2 &&
         wn_level_of(&l, 100.0) == 3 && wn_level_of(&l, 1e7) == 3,
     "an edge belongs to the level above it");
  l.n_edges = WN_MAX_EDGES;
  int right = 1;
  for (int i = 0; i < WN_MAX_EDGES; i++)
    l.edge[i] = (float)(i + 1);
  for (int i = 0; i <= WN_MAX_EDGES; i++)
    right &= wn_level_of(&l, i + 0.5) == (uint32_t)i;
  ok(right, "with all the edges that there can be");
}

static int is_power(float w)
{
  int exponent;
  return frexpf(w, &exponent) == 0.5f;
}

static void check_numbers(const struct wn_particles *p, const struct wn_ensemble *e)
{
  wn_i128 sums[WN_LEVEL_SUMS * 4 * GROUPS];
  int powers = 1, closed = 1;
  double least = INFINITY;
  look(p, sums);
  for (size_t i = 0; i < p->n; i++) {
    powers &= is_power(wn_particles_electrons(p)[i].w);
    least = fmin(least, (double)wn_particles_electrons(p)[i].w);
  }
  ok(powers, "weights are powers of two");
  is_close(least, WN_LEAST_WEIGHT, 0.0, "the least is WN_LEAST_WEIGHT");
  for (int level = 0; level < 3; level++) {
    double fewest = INFINITY, most = 0.0;
    for (int g = 0; g < GROUPS; g++) {
      fewest = fmin(fewest, (double)sums[WN_LEVEL_SUMS * (g * 4 + level)]);
      most = fmax(most, (double)sums[WN_LEVEL_SUMS * (g * 4 + level)]);
    }
    ok(fewest >= WANTED / 2.5 && most <= 3.2 * WANTED,
       "level %d: %g to %g electrons in a group, %g wanted", level, fewest, most, WANTED);
  }
  for (int i = 0; i < 4 * GROUPS; i++) {
    const struct wn_level_ledger *l = &e->ledger[i];
    closed &= l->living == sums[WN_LEVEL_SUMS * i + 1] &&
              l->living == l->carried - l->killed + l->raised - l->halved;
  }
  ok(closed, "the ledger is what the store holds, to the last bit");
}

static void test_numbers(void)
{
  struct wn_particles p;
  struct wn_ensemble *e;
  const struct wn_record record = {sizeof(struct wn_electron),
                                   offsetof(struct wn_electron, t_left), 0};
  must(wn_particles_init(&p, &record, 100, 100000));
  must(wn_ensemble_create(GROUPS, &levels, WANTED, &e));
  e->seed = 7;
  e->inv_nu = 1e-13;
  fill(&p, 1);
  /* 2^0 beside 2^-29 is split into at most 64 at a time */
  for (int i = 0; i < 4; i++)
    must(wn_ensemble_control(e, &p));
  check_numbers(&p, e);
  ok(e->killed > 0 && e->copied > 0, "%llu were killed, %llu copied",
     (unsigned long long)e->killed, (unsigned long long)e->copied);
  const size_t before = p.n;
  must(wn_ensemble_control(e, &p));
  is_int((long long)p.n, (long long)before, "a control more changes nothing");
  const double weight = wn_ensemble_weight(e);
  must(wn_ensemble_halve(e, &p));
  is_close(wn_ensemble_weight(e), weight / 2.0, 0.0, "halved");
  wn_i128 sums[WN_LEVEL_SUMS * 4 * GROUPS], sum = 0;
  look(&p, sums);
  for (int i = 0; i < 4 * GROUPS; i++)
    sum += sums[WN_LEVEL_SUMS * i + 1] - e->ledger[i].living;
  ok(sum == 0, "and the ledger with it");
  /* back, and as far as a sum of WN_FIX_RARE has room */
  for (int k = 0; k < 51; k++)
    must(wn_ensemble_double(e, &p));
  is_close(wn_ensemble_weight(e), ldexp(weight, 50), 0.0,
           "halved once, doubled 51 times");
  is_int(e->halvings, -50, "and counted");
  look(&p, sums);
  int closed = 1;
  for (int i = 0; i < 4 * GROUPS; i++) {
    const struct wn_level_ledger *l = &e->ledger[i];
    closed &= l->living == sums[WN_LEVEL_SUMS * i + 1] &&
              l->living == l->carried - l->killed + l->raised - l->halved;
  }
  ok(closed, "the ledger with it, to the last bit");
  wn_ensemble_free(e);
  wn_particles_clear(&p);
}

/* Over many seeds the weight of each level is, on average, what it was. */
static void test_mean(void)
{
  struct wn_particles p;
  struct wn_ensemble *e;
  const struct wn_record record = {sizeof(struct wn_electron),
                                   offsetof(struct wn_electron, t_left), 0};
  double sum[3] = {0}, square[3] = {0}, u = 0.0, u2 = 0.0;
  must(wn_particles_init(&p, &record, 100, 100000));
  must(wn_ensemble_create(GROUPS, &levels, WANTED, &e));
  e->inv_nu = 1e-13;
  for (int t = 0; t < TRIALS; t++) {
    wn_i128 before[WN_LEVEL_SUMS * 4 * GROUPS], after[WN_LEVEL_SUMS * 4 * GROUPS];
    double m = 0.0;
    wn_ensemble_begin(e);
    e->seed = 1000 + (uint64_t)t;
    fill(&p, e->seed);
    look(&p, before);
    for (size_t i = 0; i < p.n; i++)
      m -= (double)wn_particles_electrons(&p)[i].w *
           (double)wn_particles_electrons(&p)[i].u[2];
    must(wn_ensemble_control(e, &p));
    look(&p, after);
    for (size_t i = 0; i < p.n; i++)
      m += (double)wn_particles_electrons(&p)[i].w *
           (double)wn_particles_electrons(&p)[i].u[2];
    u += m / TRIALS;
    u2 += m * m / TRIALS;
    for (int level = 0; level < 3; level++) {
      double d = 0.0, all = 0.0;
      for (int g = 0; g < GROUPS; g++) {
        const int i = WN_LEVEL_SUMS * (g * 4 + level) + 1;
        d += (double)(after[i] - before[i]);
        all += (double)before[i];
      }
      sum[level] += d / all / TRIALS;
      square[level] += d * d / (all * all) / TRIALS;
    }
  }
  for (int level = 0; level < 3; level++) {
    const double error = sqrt((square[level] - sum[level] * sum[level]) / TRIALS);
    ok(fabs(sum[level]) <= 4.5 * error,
       "level %d: its weight changes by %.2g +- %.2g on average", level, sum[level],
       error);
  }
  ok(square[0] > 0.0, "though not each time");
  ok(fabs(u) <= 4.5 * sqrt(u2 / TRIALS), "and so does the momentum");
  wn_ensemble_free(e);
  wn_particles_clear(&p);
}

static int by_id(const void *a, const void *b)
{
  const uint64_t x = ((const struct wn_electron *)a)->id,
                 y = ((const struct wn_electron *)b)->id;
  return x < y ? -1 : x > y;
}

static void test_order(void)
{
  struct wn_particles p[2];
  const struct wn_record record = {sizeof(struct wn_electron),
                                   offsetof(struct wn_electron, t_left), 0};
  for (int k = 0; k < 2; k++) {
    struct wn_ensemble *e;
    must(wn_particles_init(&p[k], &record, 100, 100000));
    must(wn_ensemble_create(GROUPS, &levels, WANTED, &e));
    e->seed = 7;
    e->inv_nu = 1e-13;
    fill(&p[k], 1);
    struct wn_electron *all = wn_particles_electrons(&p[k]);
    for (size_t i = 0; k == 1 && i < p[k].n / 2; i++) {
      const struct wn_electron one = all[i];
      all[i] = all[p[k].n - 1 - i];
      all[p[k].n - 1 - i] = one;
    }
    must(wn_ensemble_control(e, &p[k]));
    must(wn_ensemble_control(e, &p[k]));
    qsort(wn_particles_electrons(&p[k]), p[k].n, sizeof(struct wn_electron), by_id);
    wn_ensemble_free(e);
  }
  ok(p[0].n == p[1].n && memcmp(p[0].e, p[1].e, p[0].n * sizeof(struct wn_electron)) == 0,
     "the other way round in the store: the same %zu electrons, to the bit", p[0].n);
  for (size_t i = 1; i < p[0].n; i++)
    if (wn_particles_electrons(&p[0])[i].id == wn_particles_electrons(&p[0])[i - 1].id) {
      ok(0, "two electrons have one id");
      break;
    }
  wn_particles_clear(&p[0]);
  wn_particles_clear(&p[1]);
}

/* Electrons that passed the first threshold so many halvings ago, with weights that were halved
 * since, are held as if there had been none: what passes counts in the unit of then.  Below the
 * first threshold the weight is what it is. */
static void test_cohorts(void)
{
  enum { AGE = 5 };
  struct wn_particles p[2];
  const struct wn_record record = {sizeof(struct wn_electron),
                                   offsetof(struct wn_electron, t_left), 0};
  for (int k = 0; k < 2; k++) {
    struct wn_ensemble *e;
    must(wn_particles_init(&p[k], &record, 100, 100000));
    must(wn_ensemble_create(GROUPS, &levels, WANTED, &e));
    e->seed = 7;
    e->inv_nu = 1e-13;
    e->below_ev = 30.0;
    e->halvings = AGE;
    fill(&p[k], 1);
    for (size_t i = 0; i < p[k].n; i++) {
      struct wn_electron *of = &wn_particles_electrons(&p[k])[i];
      if (wn_sample_energy_ev(of) < 30.0)
        continue;
      of->tag = wn_electron_in_cohort(of->tag, GROUPS,
                                      2u * (WN_MOST_HALVINGS + (k == 0 ? AGE : 0)));
      of->w = fmaxf(of->w, 0x1p-30f) * (k == 0 ? 1.0f : ldexpf(1.0f, -AGE));
    }
    for (int i = 0; i < 3; i++)
      must(wn_ensemble_control(e, &p[k]));
    wn_ensemble_free(e);
  }
  int same = p[0].n == p[1].n, aged = 0;
  for (size_t i = 0; same && i < p[0].n; i++) {
    const struct wn_electron *a = &wn_particles_electrons(&p[0])[i],
                             *b = &wn_particles_electrons(&p[1])[i];
    const int above = wn_sample_energy_ev(a) >= 30.0;
    same &= a->id == b->id && a->w == b->w * (above ? ldexpf(1.0f, AGE) : 1.0f);
    aged += above;
  }
  ok(same && aged > 100, "%d of %zu electrons of another age are held alike", aged,
     p[0].n);
  wn_particles_clear(&p[0]);
  wn_particles_clear(&p[1]);
}

/* Energies at and beside the edges, below below_ev and far above; every age, cohorts that are
 * below, and weights of which some fit, some are split, some play roulette. */
static void fill_at_random(struct wn_particles *p, uint32_t n, uint32_t halvings)
{
  for (uint32_t i = 0; i < n; i++) {
    const struct wn_rng4 r = wn_rng(11, i, 0, WN_RNG_INITIAL, 9);
    const double some[] = {0.0, 10.0, 30.0, 100.0, 12.5, 1e6};
    const uint32_t which = r.w[0] % 12, cohort = 2 * halvings - r.w[1] % 100 + 4;
    add(p, 5, i, which < 6 ? some[which] : 300.0 * pow(wn_u01(r.w[2]), 2.0),
        ldexp(1.0, -(int)(r.w[3] % 12)));
    wn_particles_electrons(p)[i].tag =
        i % GROUPS + GROUPS * cohort + (r.w[0] >> 30 << 26);
    wn_particles_electrons(p)[i].x[2] = 1e-6;
  }
}

static void test_one_by_one(void)
{
  enum { N = 1111, CELLS = 4 * GROUPS, ROOM = 70 * N };
  const uint32_t halvings = WN_MOST_HALVINGS + 3;
  struct wn_levels all = levels;
  struct wn_particles p;
  const struct wn_record record = {sizeof(struct wn_electron),
                                   offsetof(struct wn_electron, t_left), 0};
  double reference[CELLS];
  wn_i128 many[WN_LEVEL_SUMS * CELLS] = {0}, one[WN_LEVEL_SUMS * CELLS] = {0},
                               many_roulette[2 * CELLS] = {0},
                               one_roulette[2 * CELLS] = {0};
  for (int i = all.n_edges; i < WN_MAX_EDGES; i++)
    all.edge[i] = INFINITY;
  for (int i = 0; i < CELLS; i++)
    reference[i] = i == 5 ? 0.0 : ldexp(1.0, -(i % 5));
  must(wn_particles_init(&p, &record, N, ROOM));
  fill_at_random(&p, N, halvings);
  struct wn_electron *e = malloc(ROOM * sizeof *e);
  if (e == NULL)
    must(WN_ENOMEM);
  memcpy(e, p.e, N * sizeof *e);
  const struct wn_sample what = {.kind = WN_SAMPLE_LEVELS,
                                 .n_groups = GROUPS,
                                 .levels = all,
                                 .below_ev = 12.0,
                                 .halvings = halvings};
  must(wn_particles_sample(&p, &what, many));
  for (int i = 0; i < N; i++)
    wn_sample_add(&what, &e[i], one);
  ok(memcmp(many, one, sizeof one) == 0, "sums of many are those of one after the other");

  const struct wn_change change = {.n_groups = GROUPS,
                                   .reference = reference,
                                   .levels = all,
                                   .halvings = halvings,
                                   .below_ev = 12.0,
                                   .mark = 0.25,
                                   .seed = 3,
                                   .inv_nu = 1e-13,
                                   .n_copies = ROOM - N,
                                   .n_copies_all = ROOM - N};
  struct wn_changed done = {.roulette = many_roulette};
  must(wn_particles_change(&p, &change, &done));
  uint64_t killed = 0, copied = 0;
  size_t n = N;
  for (int i = 0; i < N; i++) {
    const int copies = wn_change_apply(&change, &e[i], one_roulette);
    for (int k = 1; k <= copies; k++)
      e[n++] = wn_change_copy(&change, &e[i], (uint32_t)k);
    if (copies > 0)
      wn_change_copied(&e[i]);
    copied += copies > 0 ? (uint64_t)copies : 0;
    killed += copies < 0;
  }
  ok(killed > 50 && copied > 500 && done.killed == killed && done.copied == copied,
     "%llu were killed, %llu copied, as one after the other", (unsigned long long)killed,
     (unsigned long long)copied);
  ok(p.n == n && memcmp(p.e, e, n * sizeof *e) == 0,
     "and all electrons have the same bits");
  ok(memcmp(many_roulette, one_roulette, sizeof one_roulette) == 0,
     "and so has what roulette took and gave");
  free(e);
  wn_particles_clear(&p);
}

int main(void)
{
  plan(0);
  test_cohorts();
  test_edges();
  test_numbers();
  test_mean();
  test_order();
  test_one_by_one();
  return done();
}
