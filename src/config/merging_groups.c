/* src/config/merging_groups.c - rules for plasma.merging */
#include "src/config/reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/config/merging.h"
#include "src/config/plasma_derived.h"
#include "src/config/reactions.h"

/* Logs an error of a key of the merging `m`. */
#define WRONG(r, m, last, ...)                                                           \
  do {                                                                                   \
    const struct wn_given k_ =                                                           \
        wn_reader_given((r), "plasma.merging", (m)->name, (last));                       \
    wn_reader_error((r), k_.entry, k_.key, __VA_ARGS__);                                 \
  } while (0)

static void check_numbers(struct wn_reader *r, const struct wn_cfg_merging *m)
{
  if (m->least > m->most)
    WRONG(r, m, "per_cell_least", "is above per_cell_most, %zu", m->most);
  if (2.0 * m->least_weight > m->most_weight)
    WRONG(r, m, "least_weight", "is above half of most_weight, %.9g", m->most_weight);
  if (m->n_classes > 0 && m->classes_ev[m->n_classes - 1] >= m->protect_ev)
    WRONG(r, m, "energy_classes", "the last is not below protected_energy, %.9g eV",
          m->protect_ev);
}

/* A list of weights at the values of another list. */
static void check_limits(struct wn_reader *r, const struct wn_cfg_merging *m,
                         const char *at, size_t n_at, const char *key,
                         const double *limit, size_t n)
{
  const struct wn_entry *given[2] = {
      wn_reader_given(r, "plasma.merging", m->name, at).entry,
      wn_reader_given(r, "plasma.merging", m->name, key).entry};
  for (int i = 0; i < 2; i++)
    if (given[i] != NULL && given[i]->bad)
      return;
  if (n != n_at && n > 0)
    WRONG(r, m, key, "has %zu values, and %s %zu; give a weight for each", n, at, n_at);
  else if (n != n_at)
    WRONG(r, m, at, "%s is missing; give a weight for each of %zu", key, n_at);
  for (size_t i = 0; i < n && m->least > 0; i++)
    if (limit[i] < 2.0 * m->least_weight) {
      WRONG(r, m, key,
            "%.9g is below twice least_weight, %.9g, so heavier macroparticles could not "
            "be halved; lower least_weight",
            limit[i], m->least_weight);
      return;
    }
}

static void check_centre(struct wn_reader *r, struct wn_cfg_merging *m)
{
  const struct wn_cfg_plasma *p = &r->c->plasma;
  for (int d = 0; d < p->dim; d++) {
    if (m->n_distances == 0 && m->centre[d] != WN_AUTO) {
      WRONG(r, m, "weight_centre", "has no effect without weight_distances");
      return;
    }
    if (m->n_distances > 0 && m->centre[d] == WN_AUTO)
      m->centre[d] = d == 0 && wn_plasma_is_radial(r->c) ? 0.0 : 0.5 * p->length[d];
    if (m->n_distances > 0 && m->centre[d] > p->length[d]) {
      WRONG(r, m, "weight_centre",
            "%.9g m along %c lies outside of the domain, 0 to %.9g m", m->centre[d],
            "xyz"[d], p -> length[d]);
      return;
    }
  }
}

/* What collisions of electrons make has their weight. */
static void check_products(struct wn_reader *r, const struct wn_cfg_merging *m,
                           const struct wn_cfg_species *s)
{
  const char *photons = r->c->plasma.photoionization.ions;
  const struct wn_cfg_species *made[3] = {
      wn_config_species_of(r->c, s->ions), wn_config_species_of(r->c, s->anions),
      wn_config_is_electron(s) ? wn_config_species_of(r->c, photons) : NULL};
  for (int i = 0; i < 3; i++)
    if (made[i] != NULL && !wn_merging_weighs(r->c, made[i]))
      WRONG(r, m, "species",
            "its %s, species %s, have no weights of their own in one dimension; give "
            "them collisions = \"gas\", or take two or three dimensions",
            i == 0   ? "ions"
            : i == 1 ? "anions"
                     : "ions by photons",
            made[i]->name);
}

static void check_species(struct wn_reader *r, const struct wn_cfg_merging *m)
{
  const struct wn_config *c = r->c;
  const long k = wn_merging_species(c, m);
  if (k < 0) {
    WRONG(r, m, "species",
          m->species == NULL ? "missing; there is more than one mobile species, or none"
                             : "there is no species of this name");
    return;
  }
  const struct wn_cfg_species *s = &c->species[k];
  if (!wn_merging_weighs(c, s)) {
    WRONG(r, m, "species",
          "macroparticles of species %s have no weights of their own; give it collisions "
          "= \"gas\", or take two dimensions with plasma.velocities = 3, or three",
          s->name);
    return;
  }
  if (m->least > 0 && s->collisions == WN_COLLISIONS_NONE)
    WRONG(r, m, "per_cell_least",
          "halves of a macroparticle without collisions would move alike; allowed: 0, or "
          "species with collisions = \"gas\"");
  for (size_t i = 0; i < c->n_reactions; i++)
    for (size_t j = 0; j < c->reactions[i].n_reactants; j++)
      if (strcmp(c->reactions[i].reactants[j], s->name) == 0) {
        WRONG(r, m, "species",
              "species %s is a reactant of reactions.%s, which counts macroparticles of "
              "one weight",
              s->name, c->reactions[i].name);
        return;
      }
  check_products(r, m, s);
}

void wn_config_check_merging(struct wn_reader *r)
{
  const struct wn_config *c = r->c;
  for (size_t i = 0; i < c->plasma.n_merging; i++) {
    struct wn_cfg_merging *m = &c->plasma.merging[i];
    if (m->species != NULL && *m->species == '\0') { /* of the resolved scenario */
      free(m->species);
      m->species = NULL;
    }
    if (wn_reader_given(r, "plasma.merging", m->name, "per_cell_most").entry == NULL)
      WRONG(r, m, "per_cell_most", "missing; give a number of macroparticles");
    check_numbers(r, m);
    check_limits(r, m, "weight_fields", m->n_fields, "weight_limits", m->field_limits,
                 m->n_field_limits);
    check_limits(r, m, "weight_distances", m->n_distances, "distance_limits",
                 m->distance_limits, m->n_distance_limits);
    check_centre(r, m);
    check_species(r, m);
    for (size_t j = 0; j < i; j++)
      if (wn_merging_species(c, m) >= 0 &&
          wn_merging_species(c, &c->plasma.merging[j]) == wn_merging_species(c, m))
        WRONG(r, m, "species", "the same species is in plasma.merging.%s",
              c->plasma.merging[j].name);
  }
}
