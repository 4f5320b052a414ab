/* t0461-gpu-photon-pairs.c - defends: the photons of newborns in a store on a GPU (device/photon_pairs.cu): the pairs that they leave, sorted
 * by ionization and photon, and all sums have the bits of the host; in r-z with weights by distance and a factor, in one to three
 * dimensions with mirrors, with photons of the weight of what emits, of one photon in thousands of ionizations and of thousands in one, whether
 * the lists have room for them at once or not; none without newborns or photons.  Electrons are as they were.
 * Reference: the same function of one photon, one after the other. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "device/gpu.h"
#include "particles/particles.h"
#include "physics/photon_pairs.h"
#include "t/tap/gpu.h"
#include "t/tap/grid.h"
#include "t/tap/tap.h"

static const struct wn_record record = {sizeof(struct wn_electron),
                                        offsetof(struct wn_electron, t_left), 0};

static const struct {
  const char *name;
  int dim, is_radial, low, high;
  double yield, weight, heaviest; /* of photons, 0: what emits; of electrons */
  double wanted[3], factor;       /* 0: no list */
} cases[] = {
    {"r-z, three weights",
     2,
     1,
     WN_SIDE_REFLECT,
     WN_SIDE_ABSORB,
     3e-3,
     0.05,
     1e4,
     {0.05, 1.0, 50.0},
     1.0},
    {"and a factor",
     2,
     1,
     WN_SIDE_REFLECT,
     WN_SIDE_OPEN,
     3e-3,
     0.05,
     1e4,
     {0.05, 1.0, 50.0},
     7.3},
    {"heavy pairs",
     2,
     1,
     WN_SIDE_REFLECT,
     WN_SIDE_REFLECT,
     0.1,
     0.0,
     1e3,
     {1e3, 1e4, 1e5},
     2.0},
    {"one weight of what emits",
     1,
     0,
     WN_SIDE_ABSORB,
     WN_SIDE_ABSORB,
     3e-3,
     0.0,
     1.0,
     {0.0, 0.0, 0.0},
     1.0},
    {"two dimensions, a weight of 0.25",
     2,
     0,
     WN_SIDE_REFLECT,
     WN_SIDE_ABSORB,
     0.5,
     0.25,
     10.0,
     {0.0, 0.0, 0.0},
     1.0},
    {"three dimensions, a factor",
     3,
     0,
     WN_SIDE_PERIODIC,
     WN_SIDE_PERIODIC,
     0.1,
     0.1,
     100.0,
     {0.1, 0.1, 0.1},
     4.0},
    {"no photons",
     2,
     1,
     WN_SIDE_REFLECT,
     WN_SIDE_ABSORB,
     0.0,
     0.05,
     1e4,
     {0.05, 1.0, 50.0},
     1.0},
};

static struct wn_photon_source source_of(size_t c)
{
  static const double at[3] = {0.2e-3, 0.5e-3, 2e-3};
  static const int32_t cells[3] = {40, 50, 30};
  struct wn_photon_source is = {
      .key = wn_rng_key(461),
      .yield = cases[c].yield,
      .weight = (float)(rint(cases[c].weight * WN_QUANTA) / WN_QUANTA)};
  is.gas =
      wn_photon_gas(0.035 * 100.0 / 133.3223684 * 2e4, 2.0 * 100.0 / 133.3223684 * 2e4);
  is.grid = grid_make(cases[c].dim, WN_SHAPE_CIC, WN_GATHER_MOMENTUM, cells, cases[c].low,
                      cases[c].high, 1e-4);
  is.grid.is_radial = cases[c].is_radial;
  is.pairs.n = cases[c].wanted[0] > 0.0 ? 3 : 0;
  is.pairs.factor = 1.0;
  for (int i = 0; i < 3; i++) {
    is.pairs.at[i] = at[i];
    is.pairs.weight[i] = cases[c].wanted[i];
  }
  return is;
}

/* Weights in whole quanta, evenly in the logarithm from 0.05, or the heaviest alone. */
static void fill(size_t c, const struct wn_grid_view *g, struct wn_electron *e, size_t n)
{
  const double span = cases[c].heaviest / 0.05;
  for (size_t i = 0; i < n; i++) {
    const struct wn_rng4 r = wn_rng(5, i, (uint32_t)c, WN_RNG_INITIAL, 0);
    const double w = cases[c].heaviest > 1.0 ? 0.05 * pow(span, wn_u01(r.w[3])) : 1.0;
    memset(&e[i], 0, sizeof e[i]);
    e[i].id = (uint64_t)r.w[0] << 32 | (uint32_t)i;
    e[i].w = (float)(rint((double)(float)w * WN_QUANTA) / WN_QUANTA);
    for (int d = 0; d < g->dim; d++)
      e[i].at[d] = (int32_t)(wn_u01(r.w[1] ^ (uint32_t)d * 77777777u) *
                             (double)(g->cells[d] << g->bits[d]));
  }
}

struct pairs {
  struct wn_photon_pair *at;
  size_t n, room;
};

static void keep(struct pairs *to, const struct wn_photon_pair *p)
{
  if (to->n == to->room) {
    to->room = 2 * to->room + 1024;
    to->at = realloc(to->at, to->room * sizeof *to->at);
    if (to->at == NULL)
      exit(1);
  }
  to->at[to->n++] = *p;
}

static int by_photon(const void *a, const void *b)
{
  const struct wn_photon_pair *p = a, *q = b;
  const int of_id = (p->id > q->id) - (p->id < q->id);
  return of_id != 0 ? of_id : (p->photon > q->photon) - (p->photon < q->photon);
}

static void sort(struct pairs *p)
{
  if (p->n > 0)
    qsort(p->at, p->n, sizeof *p->at, by_photon);
}

/* From `first` on; returns the photons. */
static size_t fly(const struct wn_photon_source *is, const struct wn_electron *e,
                  size_t first, size_t n, struct wn_photon_sums *sums, struct pairs *to)
{
  size_t all = 0;
  for (size_t i = first; i < n; i++) {
    float w;
    const uint32_t photons =
        wn_photon_emitted(&is->key, is->yield, is->weight, &e[i], &w);
    sums->emitted += (wn_i128)photons * wn_quanta(w);
    all += photons;
    for (uint32_t j = 0; j < photons; j++) {
      struct wn_photon_pair pair;
      if (wn_photon_leaves_pair(is, &e[i], j, w, sums, &pair))
        keep(to, &pair);
    }
  }
  return all;
}

static void compare(size_t c, struct wn_gpu_photon_pairs *q, struct wn_photon_source is,
                    const struct wn_electron *e, struct wn_particles *p, size_t first)
{
  struct pairs want = {NULL, 0, 0}, got = {NULL, 0, 0};
  struct wn_photon_sums a = {0}, b = {0};
  struct wn_photon_pair *pair = NULL;
  size_t n = 0;
  is.pairs.factor = cases[c].factor;
  const size_t photons = fly(&is, e, first, p->n, &a, &want);
  is_int(wn_gpu_photon_pairs_make(q, p, first, cases[c].factor, &b, &pair, &n), WN_OK,
         "%s, from %zu on: flies", cases[c].name, first);
  for (size_t i = 0; i < n; i++)
    keep(&got, &pair[i]);
  sort(&want);
  sort(&got);
  ok(want.n == got.n && (want.n > 0 || first > 0 || cases[c].yield == 0.0) &&
         (want.n == 0 || memcmp(want.at, got.at, want.n * sizeof *want.at) == 0),
     "%s, from %zu on: %zu photons, %zu pairs, %zu on the GPU, the same bits",
     cases[c].name, first, photons, want.n, got.n);
  ok(memcmp(&a, &b, sizeof a) == 0 && (a.emitted > 0) == (photons > 0),
     "%s: the same sums", cases[c].name);
  free(want.at);
  free(got.at);
}

static void run(size_t c)
{
  const size_t n = gpu_size(60000, 3000);
  const struct wn_photon_source is = source_of(c);
  struct wn_electron *e = calloc(n, sizeof *e);
  struct wn_particles p;
  struct wn_gpu_photon_pairs *q = NULL;
  size_t differ = 0;
  if (e == NULL)
    exit(1);
  fill(c, &is.grid, e, n);
  WN_ASSERT(wn_particles_init(&p, &record, n, n) == WN_OK &&
            wn_particles_append(&p, e, n) == WN_OK);
  is_int(wn_gpu_hold(gpu_device(), &p, 0.0), WN_OK, "%s: on the GPU", cases[c].name);
  if (is_int(wn_gpu_photon_pairs_create(gpu_device(), &is, &q), WN_OK,
             "a source there")) {
    compare(c, q, is, e, &p, n - 100);
    compare(c, q, is, e, &p, 0);
    compare(c, q, is, e, &p, n / 3);
    compare(c, q, is, e, &p, n);
  }
  wn_gpu_photon_pairs_free(q);
  WN_ASSERT(wn_particles_host(&p) == WN_OK);
  for (size_t i = 0; i < n; i++)
    differ += memcmp(wn_particles_at(&p, i), &e[i], sizeof e[i]) != 0;
  is_int((long)differ, 0, "%s: electrons that have changed", cases[c].name);
  wn_particles_clear(&p);
  free(e);
}

int main(void)
{
  gpu_or_skip();
  plan(0);
  for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++)
    run(c);
  return done();
}
