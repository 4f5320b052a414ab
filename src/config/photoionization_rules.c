/* src/config/photoionization_rules.c - rules for plasma.photoionization */
#include "src/config/reader.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/config/photoionization.h"
#include "src/config/plasma_derived.h"

#define SAME  1e-9 /* relative; rounding of units */
#define GROUP "plasma.photoionization."

/* Logs an error of a key of the group, with its place where it is given. */
#define WRONG(r, last, ...)                                                              \
  wn_reader_error((r), wn_reader_find((r), GROUP last), GROUP last, __VA_ARGS__)

/* The resolved scenario writes "" for none. */
static void no_empty(char **text)
{
  if (*text != NULL && **text == '\0') {
    free(*text);
    *text = NULL;
  }
}

/* The default of a quantity, which the table has as it would stand in a scenario. */
static double default_of(const struct wn_key *k)
{
  char text[64];
  double value = NAN;
  const size_t quote = *k->def == '"';
  if (k->automatic != NULL)
    return WN_AUTO;
  snprintf(text, sizeof text, "%.*s", (int)(strlen(k->def) - 2 * quote), k->def + quote);
  const enum wn_unit_result is = wn_config_units_parse(k->unit, text, &value, NULL, NULL);
  return is == WN_UNIT_GOOD ? value : NAN;
}

/* Other keys of the group without that which switches it on; a resolved scenario has their
 * defaults. */
static void check_unused(struct wn_reader *r)
{
  for (size_t i = 0; i < r->n_entries; i++) {
    const struct wn_entry *e = &r->entry[i];
    const struct wn_key *k = wn_config_find_key(e->key, NULL, NULL);
    double value = NAN;
    if (k == NULL || strncmp(e->key, GROUP, sizeof GROUP - 1) != 0)
      continue;
    size_t n = 0;
    if (k->type == WN_KEY_QUANTITY)
      memcpy(&value, (const char *)r->c + k->offset, sizeof value);
    if (k->type == WN_KEY_QUANTITIES || k->type == WN_KEY_COUNT)
      memcpy(&n, (const char *)r->c + (k->type == WN_KEY_COUNT ? k->offset : k->n_offset),
             sizeof n);
    if (k->type == WN_KEY_QUANTITY ? value != default_of(k)
        : k->type == WN_KEY_STRING ? r->c->plasma.photoionization.electrons != NULL
                                   : n > 0)
      wn_reader_error(r, e, e->key,
                      "has no effect without " GROUP "ions, the species of O2+ that "
                      "switches photoionization on");
  }
}

static void check_electrons(struct wn_reader *r)
{
  const struct wn_config *c = r->c;
  size_t n = 0;
  for (size_t k = 0; k < c->n_species; k++)
    n += wn_config_is_electron(&c->species[k]);
  if (n == 0)
    WRONG(r, "ions",
          "no species is electrons with collisions, whose ionizations emit the photons; "
          "set species.<NAME>.collisions = \"gas\", or remove the group");
  else if (c->plasma.photoionization.electrons != NULL)
    WRONG(r, "electrons", "allowed: a species of electrons with collisions = \"gas\"");
  else
    WRONG(r, "electrons", "missing; %zu species are electrons with collisions", n);
}

static void check_ions(struct wn_reader *r, const struct wn_cfg_species *electrons)
{
  const struct wn_config *c = r->c;
  const struct wn_cfg_species *ions = wn_config_photo_ions(c);
  if (ions == NULL) {
    WRONG(r, "ions",
          "there is no species of this name; it is that of O2+, as in %s = { density = "
          "\"0 m-3\"; charge = 1; mass = \"32 u\"; }",
          c->plasma.photoionization.ions);
    return;
  }
  if (ions->charge != 1) {
    WRONG(r, "ions", "that species has a charge of %.9g; 1 is needed to conserve charge",
          ions->charge);
    return;
  }
  const double own = wn_loading_own_weight(c, ions),
               of_electrons = wn_loading_weight(c, electrons);
  if (own > 0 && fabs(own - of_electrons) > SAME * of_electrons)
    WRONG(r, "ions",
          "a macroparticle of that species stands for %.9g particles, one of %s for "
          "%.9g; charge is conserved only if density / per_cell is the same",
          own, electrons->name, of_electrons);
}

static void check_absorption(struct wn_reader *r)
{
  const struct wn_config *c = r->c;
  if (!(c->plasma.photoionization.chi_min < c->plasma.photoionization.chi_max))
    WRONG(r, "chi_min", "%.9g m-1 Pa-1 is not below " GROUP "chi_max, %.9g m-1 Pa-1",
          c->plasma.photoionization.chi_min, c->plasma.photoionization.chi_max);
  if (!(wn_photoionization_oxygen(c) > 0))
    WRONG(r, "ions",
          "the gas has no component O2, which absorbs the photons; give the pressure of "
          "the oxygen by " GROUP "oxygen_pressure, or remove the group");
}

/* A number of pairs changes the weight that they have. */
static void check_pairs_per_step(struct wn_reader *r)
{
  const struct wn_config *c = r->c;
  if (c->plasma.photoionization.pairs_per_step > 0 &&
      c->plasma.photoionization.n_distances == 0 &&
      c->plasma.photoionization.weight == WN_AUTO)
    WRONG(r, "pairs_per_step",
          "there is no weight that it would multiply; give " GROUP
          "weight, or weight_distances");
}

/* Pairs of another weight than 1. */
static void check_weight(struct wn_reader *r)
{
  const struct wn_config *c = r->c;
  const struct wn_cfg_species *ions = wn_config_photo_ions(c);
  const double w = c->plasma.photoionization.weight;
  const int changes = c->plasma.photoionization.pairs_per_step > 0;
  if (ions == NULL || !(changes || (w != WN_AUTO && w != 1.0)))
    return;
  const char *key = changes ? GROUP "pairs_per_step" : GROUP "weight",
             *allowed = changes ? "0" : "1";
  const struct wn_entry *given = wn_reader_find(r, key);
  if (c->plasma.dim == 1 && !wn_plasma_collides(c, (size_t)(ions - c->species)))
    wn_reader_error(r, given, key,
                    "ions without collisions have no weight of their own in one "
                    "dimension; allowed: %s, or collisions of species %s",
                    allowed, ions->name);
  for (size_t i = 0; i < c->n_reactions; i++)
    if (c->reactions[i].n_reactants > 1)
      wn_reader_error(r, given, key,
                      "reactions.%s is of two particles, which have one weight; "
                      "allowed: %s",
                      c->reactions[i].name, allowed);
}

/* Weights of pairs by distance from the axis. */
static void check_distances(struct wn_reader *r)
{
  const struct wn_config *c = r->c;
  const size_t n = c->plasma.photoionization.n_distances,
               weights = c->plasma.photoionization.n_distance_weights;
  const struct wn_entry *given[2] = {wn_reader_find(r, GROUP "weight_distances"),
                                     wn_reader_find(r, GROUP "distance_weights")};
  for (int i = 0; i < 2; i++)
    if (given[i] != NULL && given[i]->bad)
      return;
  if (weights != n && weights > 0)
    WRONG(r, "distance_weights",
          "has %zu values, and weight_distances %zu; give a weight for each", weights, n);
  else if (weights != n)
    WRONG(r, "weight_distances",
          "distance_weights is missing; give a weight for each of %zu", n);
  else if (n > WN_PAIR_PLACES)
    WRONG(r, "weight_distances", "%zu distances; there can be at most %d", n,
          WN_PAIR_PLACES);
  else if (n > 0 && !wn_plasma_is_radial(c))
    WRONG(r, "weight_distances",
          "these are distances from the axis of symmetry; allowed: grid.geometry = "
          "\"r-z\"");
}

void wn_config_check_photoionization(struct wn_reader *r)
{
  struct wn_config *c = r->c;
  no_empty(&c->plasma.photoionization.electrons);
  no_empty(&c->plasma.photoionization.ions);
  if (c->n_species > WN_MAX_SPECIES)
    return; /* reported already */
  if (c->plasma.photoionization.ions == NULL) {
    check_unused(r);
    return;
  }
  const struct wn_cfg_species *electrons = wn_config_photo_electrons(c);
  if (electrons == NULL) {
    check_electrons(r);
    return;
  }
  check_ions(r, electrons);
  check_absorption(r);
  check_weight(r);
  check_distances(r);
  check_pairs_per_step(r);
}
