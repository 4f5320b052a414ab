/* physics/photon_pairs.h - one photon from its ionization to the pair that it leaves (physics/photoionization.h), and Russian
 * roulette of pairs by their distance from the axis of symmetry: light where single electrons decide, heavy and few elsewhere.
 * One photon at a time, the same text and bits on CPU and GPU.
 *
 * Roulette: a photon of weight w that is absorbed where W is wanted, W > w, leaves a pair with the probability w/W, of weight W.  So
 * the mean of the weight is w at each place, and each mean of a linear sum over pairs is that without roulette (derived here; the method
 * is the weight cutoff of textbooks of Monte Carlo transport).  Where W is not above w the pair has w: nothing is split.
 * Weights are whole quanta (WN_QUANTA), w/W is the ratio of these numbers, and a random number has 64 bits.
 * A factor of all wanted weights holds the number of pairs in a step: it follows from the step before (wn_pair_factor), so that means are unbiased
 * in each step, given what was before.
 *
 * Random numbers: purposes PHOTON and PAIR, named by the electron that the ionization released and the number of the photon.
 * Checked by t/physics/t0319-photon-pairs.c. */
#ifndef WN_PHYSICS_PHOTON_PAIRS_H
#define WN_PHYSICS_PHOTON_PAIRS_H
#include <math.h>
#include <stdint.h>
#include "physics/angle.h"
#include "physics/electron.h"
#include "physics/grid_view.h"
#include "physics/photoionization.h"
#include "physics/rng.h"
#include "physics/shape.h"
#include "physics/tally.h"
#include "physics/weight_limit.h"

/* ---- wanted weights */

#define WN_PAIR_PLACES   16
#define WN_PAIR_HEAVIEST 1e9 /* far below 2^62 quanta */

/* Weights at increasing distances from the axis, of which one stands for all places; n 0: each pair has the weight of its photon. */
struct wn_pair_weights {
  uint32_t n;
  double factor;                 /* of all of them, at least 1 */
  double at[WN_PAIR_PLACES];     /* m */
  double weight[WN_PAIR_PLACES]; /* of a loaded macroparticle */
};

/* The weight that a pair of a photon of weight w has at a distance r [m], at least w: the nearest whole number of quanta, as a
 * float. */
static WN_HD float wn_pair_weight(const struct wn_pair_weights *is, double r, float w)
{
  if (is->n == 0)
    return w;
  const double most = wn_weight_limit_at(is->at, is->weight, is->n, r) * is->factor;
  const float wanted = (float)rint(fmin(most, WN_PAIR_HEAVIEST) * (double)WN_QUANTA) *
                       (float)(1.0 / WN_QUANTA);
  return wanted > w ? wanted : w;
}

/* The factor of the next step, after one with this factor and so many pairs: as many as `most` are expected then, or fewer with a factor of 1. */
static WN_HD double wn_pair_factor(double factor, double pairs, double most)
{
  return fmax(1.0, factor * (pairs / most));
}

/* Whether a photon of `from` quanta leaves a pair of `to` > from. */
static WN_HD int wn_pair_survives(const struct wn_rng4 *r, int64_t from, int64_t to)
{
  return (wn_u01(r->w[0]) + wn_u01(r->w[1]) * 0x1p-32) * (double)to < (double)from;
}

/* Distance of a place in r-z from the axis, m. */
static WN_HD double wn_photon_off_axis(const struct wn_grid_view *g, const int32_t at[3])
{
  return ldexp((double)at[0], -g->bits[0]) * g->h[0];
}

/* ---- one photon */

/* What emits and absorbs; plain values, also in kernels. */
struct wn_photon_source {
  struct wn_rng_key key;
  double yield; /* photons of weight w per ionization of weight w */
  float weight; /* of a photon; 0: that of the ionizing electron */
  struct wn_photon_gas gas;
  struct wn_grid_view grid; /* without arrays */
  struct wn_pair_weights pairs;
};

/* A pair that a photon leaves. */
struct wn_photon_pair {
  uint64_t id;     /* of the electron that the ionization released */
  uint32_t photon; /* of this ionization */
  int32_t at[3];
  float w;
  uint32_t unused;
};

/* Photons with their weights in quanta; emitted = absorbed + the sum of left + roulette.  absorbed: what pairs have. */
struct wn_photon_sums {
  wn_i128 emitted, absorbed, left[WN_SIDES];
  wn_i128 roulette; /* what it took, less what it gave */
  wn_i128 pairs;    /* their number */
};

/* Photon j of weight w of an ionization, which is added to all sums but emitted.  Returns whether it leaves a pair, *out. */
static WN_HD int wn_photon_leaves_pair(const struct wn_photon_source *is,
                                       const struct wn_electron *released, uint32_t j,
                                       float w, struct wn_photon_sums *sums,
                                       struct wn_photon_pair *out)
{
  const struct wn_rng4 r =
      wn_photon_words(&is->key, released->id, j, WN_PHOTON_BLOCK_FLIGHT);
  const int64_t from = wn_quanta(w);
  double n[3];
  out->id = released->id;
  out->photon = j;
  out->unused = 0;
  for (int d = 0; d < 3; d++)
    out->at[d] = released->at[d];
  wn_angle_isotropic(n, wn_u01(r.w[2]), wn_u01(r.w[3]));
  const int side =
      wn_photon_fly(&is->grid, n, wn_photon_length(&is->gas, r.w[0], r.w[1]), out->at);
  if (side >= 0) {
    sums->left[side] += from;
    return 0;
  }
  out->w = wn_pair_weight(
      &is->pairs, is->pairs.n > 0 ? wn_photon_off_axis(&is->grid, out->at) : 0.0, w);
  const int64_t to = wn_quanta(out->w);
  if (to > from) {
    const struct wn_rng4 game = wn_rng_with(&is->key, released->id, wn_photon_event(j),
                                            WN_RNG_PAIR, wn_photon_of_event(j));
    sums->roulette += from;
    if (!wn_pair_survives(&game, from, to))
      return 0;
    sums->roulette -= to;
  }
  sums->absorbed += to;
  sums->pairs += 1;
  return 1;
}

#endif
