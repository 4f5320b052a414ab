/* src/sim/reaction_parts.h - what the files of src/sim/reactions*.c share: a particle of any
 * record, and the products of an event. */
#ifndef WN_SRC_SIM_REACTION_PARTS_H
#define WN_SRC_SIM_REACTION_PARTS_H
#include <stddef.h>
#include <stdint.h>
#include "physics/rng.h"
#include "src/sim/species.h"

/* Random numbers: purpose REACTION, named by a particle, or a cell, and the step.  Each reaction
 * has so many blocks. */
enum {
  WN_REACTION_DECIDES = 0,  /* whether a particle reacts */
  WN_REACTION_PRODUCTS = 1, /* two for each: velocity; id and first flight */
  WN_REACTION_FIRST = 5,    /* which of a cell react, of the first reactant */
  WN_REACTION_SECOND = 6,   /* and of the second */
  WN_REACTION_PAIRS = 7,    /* how many pairs of a cell */
  WN_REACTION_BLOCKS = 8
};

/* A particle of any record. */
struct wn_reacting {
  uint64_t key; /* names its random numbers */
  int32_t at[3];
  float u[3], w;
};

/* Particle i of the store.  The key is its id or, where records have none, a hash of place,
 * velocity and weight. */
void wn_reacting_load(const struct wn_species *s, size_t i, struct wn_reacting *out);
double wn_reacting_energy_ev(const struct wn_species *s, const float u[3]);

/* What an event makes. */
struct wn_reaction_product {
  struct wn_species *species;
  double sigma; /* m/s along each axis */
  double speed; /* m/s, u in a random direction; below 0: by sigma */
};

/* Draws of an event: the seed, the step and the first block of its reaction. */
struct wn_reaction_draw {
  const struct wn_rng_key *key;
  uint32_t step, block;
};

/* Product j of an event at the place of `at`: its record [WN_RECORD_MAX]; and its velocity. */
void wn_reaction_make(const struct wn_reaction_product *p, int j,
                      const struct wn_reacting *at, const struct wn_reaction_draw *draw,
                      void *record, float u[3]);

#endif
