/* t0302-store-threads.c - defends: sums over the store, changes of its electrons and the removal
 * of the dead give the same bits and the same order with any number of threads; the number of
 * particles is below, at and beyond the ends of the windows that a team goes through.  The
 * reference is a loop over one electron after the other, written here. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "particles/load_balance.h"
#include "particles/particles.h"
#include "t/tap/tap.h"

#define MOST   40000
#define GROUPS 8
#define SEED   11

static const struct wn_record electron = {sizeof(struct wn_electron),
                                          offsetof(struct wn_electron, t_left), 0};

static struct wn_electron make(size_t i, int mortal)
{
  const struct wn_rng4 r = wn_rng(SEED, i, 0, WN_RNG_INITIAL, 0);
  struct wn_electron e = {.id = 1000 + i,
                          .event = (uint32_t)(i % 5),
                          .tag = r.w[0] % (2 * GROUPS),
                          .w = 1.0f + (float)(r.w[1] % 32),
                          .t_left = mortal && r.w[2] % 16 == 0 ? WN_DEAD : 0.0f};
  for (int k = 0; k < 3; k++) {
    e.x[k] = 1e-6 * (double)((i + (size_t)k) % 100);
    e.u[k] = (float)(wn_u01(r.w[3] + (uint32_t)k * 0x9e3779b9u) * 4e6);
  }
  return e;
}

static struct wn_particles filled(size_t n, int threads, int mortal)
{
  struct wn_particles p;
  if (wn_particles_init(&p, &electron, n, 16 * MOST) != WN_OK)
    exit(1);
  wn_particles_use_threads(&p, threads);
  for (size_t i = 0; i < n; i++) {
    const struct wn_electron e = make(i, mortal);
    if (wn_particles_append(&p, &e, 1) != WN_OK)
      exit(1);
  }
  wn_particles_count(&p);
  return p;
}

static void sums(size_t n, int threads)
{
  const struct wn_sample what[] = {
      {.kind = WN_SAMPLE_ENERGY},
      {.kind = WN_SAMPLE_NUMBER, .n_groups = GROUPS, .above_ev = 20.0},
      {.kind = WN_SAMPLE_ELECTRONS, .velocities = 3, .unit = 1e-8, .relativistic = 1},
      {.kind = WN_SAMPLE_MOMENTS,
       .n_groups = GROUPS,
       .unit = 1.0,
       .bin_min_ev = 1.0,
       .bins_per_decade = 10.0,
       .n_bins = 30}};
  struct wn_particles p = filled(n, threads, 0);
  size_t wrong = 0;
  for (size_t k = 0; k < sizeof what / sizeof what[0]; k++) {
    const size_t cells = wn_sample_cells(&what[k]);
    wn_i128 *want = calloc(cells, sizeof *want), *got = calloc(cells, sizeof *got);
    if (want == NULL || got == NULL)
      exit(1);
    for (size_t c = 0; c < cells; c++) /* they are added to what is there */
      want[c] = got[c] = (wn_i128)(3 * c);
    for (int twice = 0; twice < 2; twice++) { /* rows are empty again after the first */
      for (size_t i = 0; i < n; i++)
        wn_sample_add(&what[k], wn_particles_at(&p, i), want);
      wrong += wn_particles_sample_here(&p, &what[k], got) != WN_OK;
    }
    wrong += memcmp(want, got, cells * sizeof *want) != 0;
    free(want);
    free(got);
  }
  is_int((long long)wrong, 0, "%zu particles, %d threads: sums", n, threads);
  wn_particles_clear(&p);
}

/* Of points, in loops of vectors: slow ones and, at the end, some whose gamma is far from 1 and some
 * whose contributions are beyond 64 bits. */
static void point_sums(int kind, size_t n, int threads)
{
  const int dim = wn_point_dim(kind), n_v = wn_point_velocities(kind),
            weighs = wn_point_weighs(dim, n_v);
  const struct wn_record record = wn_particles_points(kind);
  const struct wn_sample what = {.kind = WN_SAMPLE_POINTS,
                                 .dim = dim,
                                 .velocities = n_v,
                                 .weighted = weighs,
                                 .relativistic = threads > 2,
                                 .unit = 1e-9};
  wn_i128 want[WN_POINT_SUMS] = {1, 2, 3, 4, 5}, got[WN_POINT_SUMS] = {1, 2, 3, 4, 5};
  struct wn_particles p;
  size_t wrong = 0;
  if (wn_particles_init(&p, &record, n, MOST) != WN_OK)
    exit(1);
  wn_particles_use_threads(&p, threads);
  for (size_t i = 0; i < n; i++) {
    const struct wn_rng4 r = wn_rng(SEED, i, 0, WN_RNG_INITIAL, 1);
    union wn_word word[WN_RECORD_MAX / sizeof(union wn_word)] = {{.i = 0}};
    for (int d = 0; d < dim; d++)
      word[d].i = (int32_t)(r.w[0] >> (1 + d));
    for (int d = 0; d < n_v; d++)
      word[dim + d].f = (float)((wn_u01(r.w[1 + d]) - 0.5) * (i > 3 * n / 4 ? 3e8 : 1e6));
    if (weighs)
      word[dim + n_v].f = i > n - n / 8 ? 1e6f : 1.0f + (float)(r.w[0] % 3);
    wrong += wn_particles_append(&p, word, 1) != WN_OK;
    wn_sample_add(&what, wn_particles_at(&p, i), want);
  }
  wrong += wn_particles_sample_here(&p, &what, got) != WN_OK;
  ok(wrong == 0 && memcmp(want, got, sizeof want) == 0,
     "%zu points %d-D with %d velocities%s, %d threads: sums", n, dim, n_v,
     weighs ? " and weights" : "", threads);
  wn_particles_clear(&p);
}

/* Copies of groups 0 and 1, roulette in groups 2 and 3. */
static void by_group(struct wn_change *c, struct wn_change_group group[GROUPS])
{
  for (int g = 0; g < GROUPS; g++)
    group[g] = (struct wn_change_group){.factor = 1.0,
                                        .survive = g == 2 || g == 3 ? 0.25 : 1.0,
                                        .copies = g < 2 ? 2 + 3 * (uint32_t)g : 1};
  *c = (struct wn_change){.n_groups = GROUPS,
                          .group = group,
                          .protect_ev = 1e3,
                          .seed = SEED,
                          .inv_nu = 1e-12};
}

static void by_level(struct wn_change *c, double reference[3 * GROUPS])
{
  for (int i = 0; i < 3 * GROUPS; i++)
    reference[i] = i % 3 == 0 ? 8.0 : i % 3 == 1 ? 2.0 : 16.0;
  *c = (struct wn_change){.n_groups = GROUPS,
                          .reference = reference,
                          .levels = {.n_edges = 2, .edge = {10.0f, 30.0f}},
                          .halvings = 1,
                          .seed = SEED,
                          .inv_nu = 1e-12};
  for (int i = 2; i < WN_MAX_EDGES; i++)
    c->levels.edge[i] = INFINITY;
}

static void changes(size_t n, int threads, int levels)
{
  struct wn_change_group group[GROUPS];
  double reference[3 * GROUPS];
  struct wn_change c;
  wn_i128 want_roulette[2 * 3 * GROUPS] = {0}, got_roulette[2 * 3 * GROUPS] = {0};
  if (levels)
    by_level(&c, reference);
  else
    by_group(&c, group);
  struct wn_particles p = filled(n, threads, 0);
  struct wn_electron *want = calloc(n + 1, 16 * sizeof *want);
  struct wn_changed a = {.roulette = want_roulette},
                    b = {.roulette = levels ? got_roulette : NULL};
  size_t all = n;
  if (want == NULL)
    exit(1);
  for (size_t i = 0; i < n; i++) {
    want[i] = make(i, 0);
    const int k = wn_change_apply(&c, &want[i], want_roulette);
    a.killed += k < 0;
    for (int j = 1; j <= k; j++)
      want[all++] = wn_change_copy(&c, &want[i], (uint32_t)j);
    if (k > 0)
      wn_change_copied(&want[i]);
  }
  a.copied = all - n;
  c.n_copies = c.n_copies_all = all - n;
  is_int(wn_particles_change(&p, &c, &b), WN_OK, "%zu electrons, %d threads: changed %s",
         n, threads, levels ? "by level" : "by group");
  ok(a.killed == b.killed && a.copied == b.copied &&
         (n < 100 || (a.killed > 0 && all > n)) &&
         memcmp(want_roulette, got_roulette, sizeof want_roulette) == 0,
     "%llu killed, %llu copied", (unsigned long long)b.killed,
     (unsigned long long)b.copied);
  ok(p.n == all && memcmp(p.e, want, all * sizeof *want) == 0,
     "the copies in the order of those that they are copies of");
  free(want);
  wn_particles_clear(&p);
}

static void removal(size_t n, int threads)
{
  struct wn_particles p = filled(n, threads, 1);
  struct wn_electron *want = calloc(n + 1, sizeof *want);
  size_t kept = 0, counted = 0;
  if (want == NULL)
    exit(1);
  p.census.n = n / 2;
  for (size_t i = 0; i < n; i++) {
    want[kept] = make(i, 1);
    if (want[kept].t_left < 0.0f)
      continue;
    counted += i < n / 2;
    kept++;
  }
  is_int(wn_particles_compact(&p), WN_OK, "%zu particles, %d threads: removal", n,
         threads);
  ok(p.n == kept && memcmp(p.e, want, kept * sizeof *want) == 0, "%zu stay, in order",
     kept);
  is_int((long long)p.census.n, (long long)counted,
         "and the census has those below its end");
  ok(wn_particles_compact(&p) == WN_OK && p.n == kept &&
         memcmp(p.e, want, kept * sizeof *want) == 0,
     "the second time none goes");
  free(want);
  wn_particles_clear(&p);
}

int main(void)
{
  static const size_t n[] = {0, 1, 1023, 1024, 4096, 4097, 14336, MOST};
  static const int threads[] = {1, 2, 3, 7};
  plan(0);
  for (size_t i = 0; i < sizeof n / sizeof n[0]; i++)
    for (size_t k = 0; k < sizeof threads / sizeof threads[0]; k++) {
      sums(n[i], threads[k]);
      point_sums(WN_POINT_1D3V, n[i], threads[k]);
      point_sums(WN_POINT_2D2V, n[i], threads[k]);
      point_sums(WN_POINT_2D3V, n[i], threads[k]);
      point_sums(WN_POINT_3D3V, n[i], threads[k]);
      changes(n[i], threads[k], 0);
      changes(n[i], threads[k], 1);
      removal(n[i], threads[k]);
    }
  return done();
}
