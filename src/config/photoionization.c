/* src/config/photoionization.c - see photoionization.h. */
#include "src/config/photoionization.h"
#include <string.h>

bool wn_photoionization_is_on(const struct wn_config *c)
{
  return c->model == WN_MODEL_PLASMA && c->plasma.photoionization.ions != NULL;
}

double wn_photoionization_oxygen(const struct wn_config *c)
{
  double part = 0.0;
  if (c->plasma.photoionization.oxygen_pressure != WN_AUTO)
    return c->plasma.photoionization.oxygen_pressure;
  for (size_t i = 0; i < c->n_components; i++) {
    const struct wn_cfg_component *k = &c->components[i];
    if (strcmp(k->target != NULL ? k->target : k->name, "O2") == 0)
      part += k->fraction;
  }
  return part * c->pressure;
}

struct wn_photon_gas wn_photoionization_gas(const struct wn_config *c)
{
  const double oxygen = wn_photoionization_oxygen(c);
  return wn_photon_gas(c->plasma.photoionization.chi_min * oxygen,
                       c->plasma.photoionization.chi_max * oxygen);
}

double wn_photoionization_yield(const struct wn_config *c)
{
  return wn_photon_yield(c->plasma.photoionization.efficiency,
                         c->plasma.photoionization.quenching_pressure, c->pressure);
}

struct wn_pair_weights wn_photoionization_pairs(const struct wn_config *c)
{
  struct wn_pair_weights pairs = {.n = (uint32_t)c->plasma.photoionization.n_distances,
                                  .factor = 1.0};
  for (size_t i = 0; i < pairs.n; i++) {
    pairs.at[i] = c->plasma.photoionization.distances[i];
    pairs.weight[i] = c->plasma.photoionization.distance_weights[i];
  }
  if (pairs.n == 0 && c->plasma.photoionization.pairs_per_step > 0) {
    pairs.n = 1; /* everywhere that of the photons, times the factor */
    pairs.weight[0] = c->plasma.photoionization.weight;
  }
  return pairs;
}
