/* src/config/reactions.c - see reactions.h. */
#include "src/config/reactions.h"
#include <math.h>
#include <string.h>
#include "physics/constants.h"

static bool is_in(char *const *list, size_t n, const char *name)
{
  for (size_t i = 0; i < n; i++)
    if (strcmp(list[i], name) == 0)
      return true;
  return false;
}

bool wn_reaction_has(const struct wn_cfg_reaction *r, const struct wn_cfg_species *s)
{
  return is_in(r->reactants, r->n_reactants, s->name) ||
         is_in(r->products, r->n_products, s->name);
}

bool wn_reaction_is_light(const struct wn_cfg_species *s)
{
  return s->mass < 100 * WN_ME;
}

double wn_reaction_rate(const struct wn_config *c, const struct wn_cfg_reaction *r)
{
  if (r->rate != WN_AUTO)
    return r->rate;
  for (size_t i = 0; r->component != NULL && i < c->n_components; i++)
    if (strcmp(c->components[i].name, r->component) == 0)
      return r->rate_constant * c->components[i].fraction * c->number_density;
  return r->rate_constant * r->density;
}

double wn_reaction_part(const struct wn_config *c, const struct wn_cfg_reaction *r)
{
  double most = 0.0;
  if (r->n_reactants == 1)
    return wn_reaction_rate(c, r) * c->plasma.time_step;
  for (size_t i = 0; i < r->n_reactants; i++)
    most = fmax(most, wn_config_species_of(c, r->reactants[i])->density);
  const double kt = wn_config_species_of(c, r->reactants[0])->temperature_ev;
  if (r->exponent != 0.0 && kt > 0.0)
    most *= pow(kt / r->reference_ev, r->exponent);
  return r->rate_constant * most * c->plasma.time_step;
}

bool wn_reaction_divides(const struct wn_config *c, const struct wn_cfg_reaction *r)
{
  return r->n_reactants == 1 &&
         wn_config_species_of(c, r->reactants[0])->collisions != WN_COLLISIONS_NONE;
}
