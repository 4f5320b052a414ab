/* physics/photons/roulette.h - Russian roulette of photons: few photons of much weight stand for many of little.  Units: eV.
 *
 * A photon of energy E has the importance I = min(1, E/below_ev): to an avalanche a photon is worth about the energy that it can give to an
 * electron.  One whose weight times importance is below `weight` plays.  It survives with the probability p = w I/weight, and has the weight
 * w/p = weight/I from then on.  The mean of the weight is w in each game, so that each mean of a linear sum over photons, and over what they free, is that without
 * roulette.  A survivor plays again only where its energy or its weight has fallen.  Bremsstrahlung, about dk/k, leaves about as many photons in each
 * equal interval of energy, instead of each decade.
 * Method: weight cutoff with an importance, as in textbooks of Monte Carlo transport; the unbiased mean is derived above.
 *
 * Random numbers: purpose ROULETTE, named by the photon and `turn`, in a block for each kind of game.
 * Checked by t/schedulers/t0316-roulette.c. */
#ifndef WN_PHYSICS_PHOTONS_ROULETTE_H
#define WN_PHYSICS_PHOTONS_ROULETTE_H
#include "physics/photons/flight.h"

struct wn_photon_roulette {
  double weight;   /* 0: none plays */
  double below_ev; /* above it the importance is 1; 0: it is 1 everywhere */
};

/* When a photon plays: after an event, the turn being the number of its events; after a change of all weights, the number of
 * these changes. */
enum wn_photon_game { WN_PHOTON_GAME_EVENT, WN_PHOTON_GAME_SCALE };

/* The weight that a survivor of e_ev has. */
static WN_HD double wn_photon_roulette_weight(const struct wn_photon_roulette *g,
                                              double e_ev)
{
  return e_ev < g->below_ev ? g->weight * g->below_ev / e_ev : g->weight;
}

/* Whether *p goes on, with the weight that it has then. */
static WN_HD int wn_photon_survives(const struct wn_photon_roulette *g, uint64_t seed,
                                    enum wn_photon_game game, uint32_t turn,
                                    struct wn_photon *p)
{
  const double weight = wn_photon_roulette_weight(g, p->e_ev);
  if (!(p->weight < weight))
    return 1;
  const struct wn_rng4 r = wn_rng(seed, p->id, turn, WN_RNG_ROULETTE, (uint32_t)game);
  if (!(wn_u01_open(r.w[0]) * weight < p->weight))
    return 0;
  p->weight = weight;
  return 1;
}

#endif
