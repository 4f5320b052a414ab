/* src/config/coulomb_groups.c - rules for plasma.coulomb */
#include "src/config/reader.h"

#include <math.h>
#include <stdlib.h>

#include "base/log.h"
#include "src/config/coulomb.h"

/* Logs an error of a key of the collisions `g`. */
#define WRONG(r, g, last, ...)                                                           \
  do {                                                                                   \
    const struct wn_given k_ =                                                           \
        wn_reader_given((r), "plasma.coulomb", (g)->name, (last));                       \
    wn_reader_error((r), k_.entry, k_.key, __VA_ARGS__);                                 \
  } while (0)

/* Whether its species are two at most, and each can collide. */
static bool check_species(struct wn_reader *r, const struct wn_cfg_coulomb *g)
{
  if (g->n_species < 1 || g->n_species > 2) {
    WRONG(r, g, "species",
          "%zu species; give one, whose particles collide with each other, or two",
          g->n_species);
    return false;
  }
  for (int i = 0; i < (int)g->n_species; i++) {
    const long k = wn_coulomb_species(r->c, g, i);
    const struct wn_cfg_species *s = k < 0 ? NULL : &r->c->species[k];
    if (s == NULL || !s->mobile || s->charge == 0) {
      WRONG(r, g, "species", "%s `%s`; allowed: species that are charged and mobile",
            s == NULL    ? "there is no species"
            : !s->mobile ? "immobile species"
                         : "uncharged species",
            g->species[i]);
      return false;
    }
  }
  return true;
}

/* The same pair before `i`; NULL: none. */
static const struct wn_cfg_coulomb *same_before(const struct wn_config *c, size_t i)
{
  const struct wn_cfg_coulomb *all = c->plasma.coulomb;
  const long a = wn_coulomb_species(c, &all[i], 0), b = wn_coulomb_species(c, &all[i], 1);
  for (size_t j = 0; j < i; j++) {
    const long p = wn_coulomb_species(c, &all[j], 0),
               q = wn_coulomb_species(c, &all[j], 1);
    if ((p == a && q == b) || (p == b && q == a))
      return &all[j];
  }
  return NULL;
}

/* A step too long for the accuracy of the collisions. */
static void check_interval(struct wn_reader *r, const struct wn_cfg_coulomb *g)
{
  const double s = wn_coulomb_first_s(r->c, g);
  if (s > WN_COULOMB_COARSE && isfinite(s))
    wn_log(
        WN_LOG_WARN,
        "%s: key `plasma.coulomb.%s.interval`: the Coulomb collision frequency times the "
        "interval is %.3g; above %g relaxation times are inaccurate (doc/plasma.md)",
        r->file, g->name, s, WN_COULOMB_COARSE);
}

void wn_config_check_coulomb(struct wn_reader *r)
{
  const struct wn_cfg_plasma *p = &r->c->plasma;
  for (size_t i = 0; i < p->n_coulomb; i++) {
    const struct wn_cfg_coulomb *g = &p->coulomb[i];
    if (i == WN_MAX_COULOMB) {
      wn_reader_error(r, NULL, "plasma.coulomb", "%zu pairs; there can be at most %d",
                      p->n_coulomb, WN_MAX_COULOMB);
      return;
    }
    if (!check_species(r, g))
      continue;
    const struct wn_cfg_coulomb *other = same_before(r->c, i);
    if (other != NULL)
      WRONG(r, g, "species", "the same species collide by plasma.coulomb.%s",
            other->name);
    else if (p->time_step > 0)
      check_interval(r, g);
  }
}
