/* src/config/coulomb.c - see coulomb.h. */
#include "src/config/coulomb.h"
#include <math.h>
#include <string.h>
#include "physics/constants.h"
#include "physics/coulomb.h"
#include "src/config/plasma_derived.h"

long wn_coulomb_species(const struct wn_config *c, const struct wn_cfg_coulomb *g, int i)
{
  if (g->n_species == 0)
    return -1;
  for (size_t k = 0; k < c->n_species; k++)
    if (strcmp(c->species[k].name, g->species[g->n_species > 1 ? i : 0]) == 0)
      return (long)k;
  return -1;
}

/* Mean square of the relative velocity of particles of two species, or of one. */
static double relative_square(const struct wn_cfg_species *a,
                              const struct wn_cfg_species *b)
{
  double square =
      3.0 * WN_E * (a->temperature_ev / a->mass + b->temperature_ev / b->mass);
  for (int d = 0; d < 3; d++)
    square += pow(a->drift[d] - b->drift[d], 2);
  return square;
}

static double reduced(const struct wn_cfg_species *a, const struct wn_cfg_species *b)
{
  return a->mass * b->mass / (a->mass + b->mass);
}

double wn_coulomb_first_logarithm(const struct wn_config *c,
                                  const struct wn_cfg_coulomb *g)
{
  const struct wn_cfg_species *a = &c->species[wn_coulomb_species(c, g, 0)],
                              *b = &c->species[wn_coulomb_species(c, g, 1)];
  double inverse2 = 0.0, highest = 0.0;
  int is_counted[WN_MAX_SPECIES] = {0};
  if (g->logarithm != WN_AUTO)
    return g->logarithm;
  for (size_t i = 0; i < c->plasma.n_coulomb; i++)
    for (int j = 0; j < 2; j++) {
      const long k = wn_coulomb_species(c, &c->plasma.coulomb[i], j);
      if (k < 0 || is_counted[k]++)
        continue;
      const struct wn_cfg_species *s = &c->species[k];
      inverse2 +=
          s->density * s->charge * s->charge * WN_E / (WN_EPS0 * s->temperature_ev);
      highest = fmax(highest, s->density);
    }
  return wn_coulomb_logarithm(wn_coulomb_screening(inverse2, highest), a->charge * WN_E,
                              b->charge * WN_E, reduced(a, b), relative_square(a, b));
}

double wn_coulomb_first_s(const struct wn_config *c, const struct wn_cfg_coulomb *g)
{
  const struct wn_cfg_species *a = &c->species[wn_coulomb_species(c, g, 0)],
                              *b = &c->species[wn_coulomb_species(c, g, 1)];
  const double strength = wn_coulomb_strength(a->charge * WN_E, b->charge * WN_E,
                                              wn_coulomb_first_logarithm(c, g),
                                              c->plasma.time_step * (double)g->interval);
  return wn_coulomb_s(strength, fmax(a->density, b->density), reduced(a, b),
                      sqrt(relative_square(a, b)));
}

double wn_coulomb_bytes(const struct wn_config *c)
{
  double bytes = 0.0;
  int is_counted[WN_MAX_SPECIES] = {0};
  for (size_t i = 0; i < c->plasma.n_coulomb; i++)
    for (int j = 0; j < 2; j++) {
      const long k = wn_coulomb_species(c, &c->plasma.coulomb[i], j);
      if (k < 0 || is_counted[k]++)
        continue;
      bytes += wn_plasma_lists_bytes(c, &c->species[k]);
    }
  return bytes;
}
