/* t0319-photon-pairs.c - defends: roulette of the pairs that photons leave (physics/photon_pairs.h).
 * Wanted weights are those of the list at its distances, with a linear logarithm between them, constant beyond, whole quanta, and never
 * below the weight of the photon.  A pair survives with the ratio of quanta, also where that is 1e-9.  In each ring around the axis the
 * weight of pairs is that without roulette: the photons are the same ones, so that the difference has the mean 0 and the variance of
 * all games, the sum of w (W - w) (derived here).  No photon is lost, to the last quantum.  A factor of all weights is at
 * least 1.  Photons keep their random numbers, which
 * 3e7 of one ionization do not share, nor with another purpose.
 *
 * Statistical checks: 4.5 standard errors, 7e-6 false alarms a check; fixed seeds. */
#include <math.h>
#include <string.h>
#include "physics/photon_pairs.h"
#include "t/tap/grid.h"
#include "t/tap/tap.h"

#define SIGMAS 4.5
#define RADIUS 4e-3 /* m, of the domain */

/* 0.2 bar of oxygen (t0152) in r-z, absorbing around the axis. */
static struct wn_photon_source source_of(float weight, size_t n, const double *at,
                                         const double *wanted)
{
  static const int32_t cells[3] = {40, 50, 1};
  struct wn_photon_source is = {.key = wn_rng_key(170), .yield = 1.0, .weight = weight};
  is.gas =
      wn_photon_gas(0.035 * 100.0 / 133.3223684 * 2e4, 2.0 * 100.0 / 133.3223684 * 2e4);
  is.grid = grid_make(2, WN_SHAPE_CIC, WN_GATHER_MOMENTUM, cells, WN_SIDE_ABSORB,
                      WN_SIDE_ABSORB, RADIUS / 40);
  is.grid.is_radial = 1;
  is.grid.side[0] = WN_SIDE_REFLECT;
  is.pairs.n = (uint32_t)n;
  is.pairs.factor = 1.0;
  for (size_t i = 0; i < n; i++) {
    is.pairs.at[i] = at[i];
    is.pairs.weight[i] = wanted[i];
  }
  return is;
}

static float whole(double w)
{
  return (float)(rint(w * WN_QUANTA) / WN_QUANTA);
}

/* ---- wanted weights */

static void weights(void)
{
  static const double at[] = {0.2e-3, 0.4e-3, 2e-3}, wanted[] = {0.05, 0.1, 1e5};
  const struct wn_photon_source is = source_of(0.0f, 3, at, wanted);
  const struct wn_pair_weights none = {0};
  const float light = whole(0.001);
  for (int i = 0; i < 3; i++)
    is_close(wn_pair_weight(&is.pairs, at[i], light), wanted[i], 1e-5,
             "the weight at %g m", at[i]);
  is_close(wn_pair_weight(&is.pairs, 0.0, light), 0.05, 1e-5, "on the axis");
  is_close(wn_pair_weight(&is.pairs, 1.0, light), 1e5, 1e-7, "far out");
  is_close(wn_pair_weight(&is.pairs, 0.3e-3, light), sqrt(0.05 * 0.1), 1e-5,
           "the geometric mean in the middle of two");
  is_close(wn_pair_weight(&is.pairs, 1.2e-3, light), sqrt(0.1 * 1e5), 1e-6,
           "and of others");
  is_near(wn_pair_weight(&is.pairs, 0.0, 0.75f), 0.75, 0.0,
          "heavier photons keep theirs");
  is_near(wn_pair_weight(&is.pairs, 0.0, whole(0.05)), whole(0.05), 0.0,
          "so do equal ones");
  is_near(wn_pair_weight(&none, 1e-3, 0.3f), (double)0.3f, 0.0,
          "so do all without a list");
  struct wn_pair_weights more = is.pairs;
  more.factor = 3.0;
  is_close(wn_pair_weight(&more, 0.0, light), 0.15, 1e-5, "three times the weight");
  more.factor = 1e5;
  is_near(wn_pair_weight(&more, 1.0, light), 1e9, 0.0, "at most 1e9");
  is_near(wn_pair_factor(1.0, 500.0, 1000.0), 1.0, 0.0, "few pairs need no factor");
  is_near(wn_pair_factor(1.0, 3000.0, 1000.0), 3.0, 0.0,
          "three times as many a factor of 3");
  is_near(wn_pair_factor(3.0, 1000.0, 1000.0), 3.0, 0.0,
          "with which there are as many as wanted");
  is_near(wn_pair_factor(3.0, 0.0, 1000.0), 1.0, 0.0, "none end it");
  int odd = 0;
  for (int i = 0; i < 4000; i++) {
    const float w = wn_pair_weight(&is.pairs, 1e-6 * i, light);
    odd += (double)wn_quanta(w) / WN_QUANTA != (double)w;
  }
  is_int(odd, 0, "weights that are no whole number of quanta, of 4000");
  int32_t place[3] = {0, 0, 0};
  place[0] = 13 * (1 << is.grid.bits[0]) + (1 << (is.grid.bits[0] - 2));
  is_close(wn_photon_off_axis(&is.grid, place), 13.25 * RADIUS / 40, 1e-14,
           "a distance from the axis");
}

/* ---- games */

static void games(void)
{
  static const double to[] = {0.050001, 0.06, 0.1, 1.0, 37.0};
  const struct wn_rng_key key = wn_rng_key(1701);
  const int64_t from = wn_quanta(whole(0.05));
  enum { GAMES = 300000 };
  for (size_t k = 0; k < sizeof to / sizeof to[0]; k++) {
    const int64_t most = wn_quanta(whole(to[k]));
    const double p = (double)from / (double)most;
    long survive = 0;
    for (uint32_t i = 0; i < GAMES; i++) {
      const struct wn_rng4 r = wn_rng_with(&key, i, (uint32_t)k, WN_RNG_PAIR, 0);
      survive += wn_pair_survives(&r, from, most);
    }
    is_near((double)survive / GAMES, p, SIGMAS * sqrt(p * (1.0 - p) / GAMES),
            "0.05 to %g: survivors of %d", to[k], GAMES);
  }
  /* 1e-9: the first word is below 5, and of 4 the second decides */
  const int64_t few = 1000, many = 1000000000000;
  const struct wn_rng4 low = {{3, 0xffffffffu, 0, 0}}, edge = {{4, 0, 0, 0}},
                       below = {{4, (uint32_t)(0.29 * 0x1p32), 0, 0}},
                       above = {{4, (uint32_t)(0.30 * 0x1p32), 0, 0}};
  ok(wn_pair_survives(&low, few, many) && wn_pair_survives(&edge, few, many) &&
         wn_pair_survives(&below, few, many) && !wn_pair_survives(&above, few, many),
     "1e-9: survives below 4.294967296 2^-32, and not above");
}

/* ---- photons from one place */

enum { RINGS = 8 };

static int ring_of(const struct wn_photon_source *is, const struct wn_photon_pair *p)
{
  const int ring = (int)(wn_photon_off_axis(&is->grid, p->at) / (RADIUS / RINGS));
  return ring < RINGS ? ring : RINGS - 1;
}

static struct wn_electron released(uint64_t id)
{
  struct wn_electron e = {.id = id, .w = 1.0f};
  e.at[0] = 2 << 20;
  e.at[1] = 20 << 20;
  return e;
}

/* Photons of weight w, of ids a few each; wanted: as the list. */
static void rings(const char *what, float w, const double wanted[3], int plays)
{
  static const double at[] = {0.3e-3, 1e-3, 3e-3};
  enum { IDS = 2000, EACH = 100 };
  const struct wn_photon_source plain = source_of(w, 0, NULL, NULL),
                                is = source_of(w, 3, at, wanted);
  struct wn_photon_sums with = {0}, without = {0};
  double difference[RINGS] = {0}, variance[RINGS] = {0}, all = 0.0, var = 0.0;
  int wrong = 0;
  size_t pairs = 0, photons = 0;
  for (uint64_t id = 1; id <= IDS; id++) {
    const struct wn_electron e = released(id);
    for (uint32_t j = 0; j < EACH; j++) {
      struct wn_photon_pair a, b;
      with.emitted += wn_quanta(w);
      without.emitted += wn_quanta(w);
      const int there = wn_photon_leaves_pair(&plain, &e, j, w, &without, &a),
                still = wn_photon_leaves_pair(&is, &e, j, w, &with, &b);
      wrong += still && (!there || memcmp(a.at, b.at, sizeof a.at) != 0);
      if (!there)
        continue;
      const double own = (double)w,
                   wish =
                       wn_pair_weight(&is.pairs, wn_photon_off_axis(&is.grid, a.at), w);
      wrong += a.w != w || (still && (double)b.w != wish);
      wrong += wish == own && !still;
      difference[ring_of(&is, &a)] += (still ? wish : 0.0) - own;
      variance[ring_of(&is, &a)] += own * (wish - own);
      photons++;
      pairs += (size_t)still;
    }
  }
  for (int k = 0; k < RINGS; k++) {
    all += difference[k];
    var += variance[k];
    is_near(difference[k], 0.0, SIGMAS * sqrt(variance[k]) + 1e-9,
            "%s: weight of pairs in ring %d, less that of photons", what, k);
  }
  is_near(all, 0.0, SIGMAS * sqrt(var) + 1e-9, "%s: and of all", what);
  is_int(wrong, 0, "%s: pairs elsewhere or of another weight", what);
  wn_i128 left = 0;
  for (int side = 0; side < WN_SIDES; side++)
    left += with.left[side];
  ok(with.emitted == with.absorbed + left + with.roulette &&
         memcmp(with.left, without.left, sizeof with.left) == 0 && left > 0,
     "%s: emitted are absorbed, left, and what roulette took", what);
  ok(plays ? pairs < photons : pairs == photons && with.roulette == 0,
     "%s: %zu pairs of %zu photons that are absorbed", what, pairs, photons);
  is_near((double)(with.absorbed + with.roulette), (double)without.absorbed, 0.0,
          "%s: absorbed without roulette is absorbed and taken by it", what);
}

static void places(void)
{
  static const double grow[] = {0.05, 1.0, 30.0}, equal[] = {0.05, 0.05, 0.05},
                      less[] = {0.05, 0.05, 0.05}, huge[] = {1e4, 1e5, 1e6};
  rings("growing weights", whole(0.05), grow, 1);
  rings("equal weights", whole(0.05), equal, 0);
  rings("photons above the list", 0.5f, less, 0);
  rings("heavy pairs", whole(1.0), huge, 1);
}

/* ---- names of random numbers */

static void names(void)
{
  const struct wn_rng_key key = wn_rng_key(7);
  const uint32_t turn = 1u << 22;
  int same = 0;
  for (uint32_t which = 1; which <= WN_PHOTON_BLOCKS; which++)
    for (uint32_t j = 0; j < 4; j++) {
      const struct wn_rng4 a = wn_photon_words(&key, 99, j, which),
                           b = wn_rng_with(&key, 99, 0, WN_RNG_PHOTON,
                                           WN_PHOTON_BLOCKS * j + which),
                           c = wn_photon_words(&key, 99, j + turn, which);
      same += memcmp(&a, &b, sizeof a) == 0 && memcmp(&a, &c, sizeof a) != 0;
    }
  is_int(same, 12, "photons have the words of before; those from 2^22 on others");
  uint32_t most = 0;
  for (uint32_t j = turn - 2; j < turn + 2; j++) {
    const uint32_t block = WN_PHOTON_BLOCKS * wn_photon_of_event(j) + WN_PHOTON_BLOCKS;
    most = block > most ? block : most;
  }
  ok(most < 1u << 24, "the greatest block, %u, is below 2^24", most);
}

int main(void)
{
  plan(0);
  weights();
  games();
  places();
  names();
  return done();
}
