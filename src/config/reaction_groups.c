/* src/config/reaction_groups.c - rules for reactions */
#include "src/config/reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "src/config/plasma_derived.h"
#include "src/config/reactions.h"

#define SAME 1e-9 /* relative; rounding of units */

/* Logs an error of a key of reaction `d`. */
#define WRONG(r, d, last, ...)                                                           \
  do {                                                                                   \
    const struct wn_given k_ = wn_reader_given((r), "reactions", (d)->name, (last));     \
    wn_reader_error((r), k_.entry, k_.key, __VA_ARGS__);                                 \
  } while (0)

/* Names of all species, as many as fit into buf of n. */
static const char *all_species(const struct wn_config *c, char *buf, size_t n)
{
  size_t used = 0;
  buf[0] = '\0';
  for (size_t i = 0; i < c->n_species && used < n; i++)
    used += (size_t)snprintf(buf + used, n - used, "%s%s", used > 0 ? ", " : "",
                             c->species[i].name);
  return buf;
}

/* Whether all names of a list are species; *charge: their sum. */
static bool check_list(struct wn_reader *r, const struct wn_cfg_reaction *d,
                       const char *last, size_t n, char *const *list, double *charge)
{
  const struct wn_config *c = r->c;
  char all[256];
  *charge = 0.0;
  if (n > WN_MAX_REACTANTS) {
    WRONG(r, d, last, "%zu species; at most %d", n, WN_MAX_REACTANTS);
    return false;
  }
  for (size_t i = 0; i < n; i++) {
    const struct wn_cfg_species *s = wn_config_species_of(c, list[i]);
    if (s == NULL) {
      WRONG(r, d, last, "there is no species `%s`; allowed: %s", list[i],
            all_species(c, all, sizeof all));
      return false;
    }
    *charge += s->charge;
  }
  return true;
}

static bool is_component(const struct wn_config *c, const char *name)
{
  for (size_t i = 0; i < c->n_components; i++)
    if (strcmp(c->components[i].name, name) == 0)
      return true;
  return false;
}

/* Exactly one way to the rate. */
static void check_rate(struct wn_reader *r, const struct wn_cfg_reaction *d)
{
  const bool constant = d->rate_constant != WN_AUTO, rate = d->rate != WN_AUTO,
             partner = d->component != NULL || d->density != WN_AUTO;
  const char *of_partner = d->component != NULL ? "component" : "density";
  if (d->exponent != 0.0 && d->n_reactants == 1)
    WRONG(r, d, "exponent",
          "only a rate constant of two reactants depends on a temperature");
  if (d->n_reactants == 2) {
    if (rate)
      WRONG(r, d, "rate", "two reactants have a rate_constant, in m3/s");
    else if (!constant)
      WRONG(r, d, "rate_constant", "missing; give that of the two reactants, in m3/s");
    if (partner)
      WRONG(r, d, of_partner,
            "only the rate constant of one reactant is multiplied by a density; multiply "
            "that of two by the density of a third");
    return;
  }
  if (rate && constant)
    WRONG(r, d, "rate_constant", "a reaction has either rate or rate_constant");
  else if (!rate && !constant)
    WRONG(
        r, d, "rate",
        "missing; give it in 1/s, or a rate_constant in m3/s with component or density");
  else if (rate && partner)
    WRONG(r, d, of_partner, "%s has no effect with reactions.%s.rate", of_partner,
          d->name);
  else if (constant && !partner)
    WRONG(r, d, "rate_constant",
          "missing is the density that it is multiplied by: give component or density");
  if (d->component != NULL && d->density != WN_AUTO)
    WRONG(r, d, "density", "a reaction has either component or density");
  else if (d->component != NULL && !is_component(r->c, d->component))
    WRONG(r, d, "component", "%s",
          wn_config_has_gas(r->c)
              ? "the gas has no component of this name with a fraction above 0"
              : "no species collides with the gas, which is not used; give density");
}

/* All species of a reaction have macroparticles of one weight, so that charge is conserved to
 * the last quantum. */
static void check_weights(struct wn_reader *r, const struct wn_cfg_reaction *d)
{
  const struct wn_config *c = r->c;
  const struct wn_cfg_species *first = NULL;
  for (size_t k = 0; k < c->n_species; k++) {
    const struct wn_cfg_species *s = &c->species[k];
    if (!wn_reaction_has(d, s))
      continue;
    const double of_first = first != NULL ? wn_loading_weight(c, first) : 0.0,
                 own = wn_loading_own_weight(c, s),
                 w = own > 0 ? own : wn_loading_weight(c, s);
    if (!(w > 0)) {
      WRONG(r, d, "reactants",
            "no weight is known for a macroparticle of species %s: give it, or another "
            "species of the reaction, a density and per_cell or macroparticles",
            s->name);
      return;
    }
    if (first != NULL && fabs(w - of_first) > SAME * of_first) {
      WRONG(
          r, d, "reactants",
          "a macroparticle of species %s stands for %.9g particles, one of %s for %.9g; "
          "charge is conserved only if density / per_cell is the same",
          s->name, w, first->name, of_first);
      return;
    }
    first = s;
  }
}

static void check_products(struct wn_reader *r, const struct wn_cfg_reaction *d)
{
  const struct wn_config *c = r->c;
  bool light = false;
  for (size_t i = 0; i < d->n_products; i++) {
    const struct wn_cfg_species *s = wn_config_species_of(c, d->products[i]);
    light = light || wn_reaction_is_light(s);
    for (size_t j = 0; j < d->n_reactants; j++)
      if (strcmp(d->products[i], d->reactants[j]) == 0)
        WRONG(
            r, d, "products",
            "%s is a reactant, too; a species that only takes part is left out, and its "
            "density is given by density",
            d->products[i]);
  }
  if (d->energy_ev != WN_AUTO && !light)
    WRONG(r, d, "energy",
          "no product is an electron (below 100 me), which would get an energy");
}

/* What reacts in a step. */
static void check_step(struct wn_reader *r, const struct wn_cfg_reaction *d)
{
  const struct wn_given k = wn_reader_given(
      r, "reactions", d->name, d->rate != WN_AUTO ? "rate" : "rate_constant");
  const double part = wn_reaction_part(r->c, d);
  if (!(part > WN_REACTION_COARSE))
    return;
  wn_log_at(WN_LOG_WARN, k.entry->from_set ? k.entry->place : r->file,
            k.entry->from_set ? 0 : k.entry->line,
            "key `%s`: rate times time step is %.4g at the initial densities; above %g "
            "other processes do not see what the reaction changes within a step",
            k.key, part, WN_REACTION_COARSE);
}

/* The resolved scenario writes "" for none. */
static void no_empty(char **text)
{
  if (*text != NULL && **text == '\0') {
    free(*text);
    *text = NULL;
  }
}

void wn_config_check_reactions(struct wn_reader *r)
{
  const struct wn_config *c = r->c;
  if (c->n_species > WN_MAX_SPECIES)
    return; /* reported already */
  for (size_t i = 0; i < c->n_reactions; i++) {
    struct wn_cfg_reaction *d = &c->reactions[i];
    const size_t before = r->n_errors;
    double in, out;
    no_empty(&d->component);
    if (i == WN_MAX_REACTIONS) {
      wn_reader_error(r, NULL, "reactions", "%zu reactions; there can be at most %d",
                      c->n_reactions, WN_MAX_REACTIONS);
      return;
    }
    if (d->n_reactants == 0)
      WRONG(r, d, "reactants", "%sgive one or two species",
            wn_reader_given(r, "reactions", d->name, "reactants").entry == NULL
                ? "missing; "
                : "");
    if (d->n_reactants == 0 ||
        !check_list(r, d, "reactants", d->n_reactants, d->reactants, &in) ||
        !check_list(r, d, "products", d->n_products, d->products, &out))
      continue;
    if (in != out)
      WRONG(r, d, d->n_products > 0 ? "products" : "reactants",
            "charge is not conserved: %.9g e before an event, %.9g e after it", in, out);
    check_products(r, d);
    check_rate(r, d);
    if (r->n_errors == before)
      check_weights(r, d);
    if (r->n_errors == before && c->plasma.time_step > 0)
      check_step(r, d);
  }
}
