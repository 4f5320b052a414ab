/* src/config/test_electrons.c - see test_electrons.h. */
#include "src/config/test_electrons.h"
#include <string.h>
#include "physics/electron.h"

bool wn_test_electrons_are_on(const struct wn_config *c)
{
  return c->model == WN_MODEL_PLASMA && c->plasma.test_electrons.number > 0;
}

long wn_test_electrons_species(const struct wn_config *c)
{
  const char *name = c->plasma.test_electrons.species;
  long found = -1;
  for (size_t k = 0; k < c->n_species; k++) {
    const struct wn_cfg_species *s = &c->species[k];
    if (!wn_config_is_electron(s) || (name != NULL && strcmp(name, s->name) != 0))
      continue;
    if (found >= 0)
      return -1;
    found = (long)k;
  }
  return found;
}

double wn_test_electrons_top_ev(const struct wn_config *c)
{
  const size_t n = c->plasma.test_electrons.n_thresholds;
  return n > 0 ? c->plasma.test_electrons.thresholds_ev[n - 1] : 0.0;
}

void wn_test_electrons_levels(const struct wn_config *c, struct wn_levels *out)
{
  wn_config_levels_between(c->plasma.test_electrons.from_ev, wn_test_electrons_top_ev(c),
                           c->plasma.test_electrons.levels_per_decade, out);
}

double wn_test_electrons_bytes(const struct wn_config *c)
{
  struct wn_levels levels;
  wn_test_electrons_levels(c, &levels);
  /* particles/weighted_ensemble.h: 2.8 times the target number */
  return 2.8 * (double)c->plasma.test_electrons.number *
         (double)wn_levels_number(&levels) * (double)sizeof(struct wn_electron);
}
