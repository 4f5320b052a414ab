/* src/config/thermostat_groups.c - rules for plasma.thermostats */
#include "src/config/reader.h"

#include <stdlib.h>

/* Logs an error of a key of thermostat `t`. */
#define WRONG(r, t, last, ...)                                                           \
  do {                                                                                   \
    const struct wn_given k_ =                                                           \
        wn_reader_given((r), "plasma.thermostats", (t)->name, (last));                   \
    wn_reader_error((r), k_.entry, k_.key, __VA_ARGS__);                                 \
  } while (0)

static void check_region(struct wn_reader *r, const struct wn_cfg_thermostat *t)
{
  const struct wn_cfg_plasma *p = &r->c->plasma;
  for (int a = 0; a < p->dim; a++) {
    const double low = t->low[a] == WN_AUTO ? 0.0 : t->low[a],
                 high = t->high[a] == WN_AUTO ? p->length[a] : t->high[a];
    /* a length may have been rounded */
    if (low < high && high <= p->length[a] * (1 + 1e-9))
      continue;
    WRONG(
        r, t, t->high[a] != WN_AUTO ? "high" : "low",
        "the region goes from %.9g m to %.9g m along %c, and the domain from 0 to %.9g m",
        low, high, "xyz"[a], p -> length[a]);
    return;
  }
}

void wn_config_check_thermostats(struct wn_reader *r)
{
  const struct wn_config *c = r->c;
  for (size_t i = 0; i < c->plasma.n_thermostats; i++) {
    struct wn_cfg_thermostat *t = &c->plasma.thermostats[i];
    if (t->species != NULL && *t->species == '\0') { /* of the resolved scenario */
      free(t->species);
      t->species = NULL;
    }
    const long k = wn_config_species_or_only(c, t->species);
    if (k < 0 && t->species == NULL)
      WRONG(r, t, "species", "missing; there is more than one mobile species, or none");
    else if (k < 0)
      WRONG(r, t, "species", "there is no species of this name");
    else if (!c->species[k].mobile)
      WRONG(r, t, "species", "this species does not move");
    if (wn_reader_given(r, "plasma.thermostats", t->name, "temperature").entry == NULL)
      WRONG(r, t, "temperature", "missing; give kT, as in \"2 eV\"");
    if (wn_reader_given(r, "plasma.thermostats", t->name, "time").entry == NULL)
      WRONG(r, t, "time", "missing; give a mean time, as in \"10 ns\"");
    check_region(r, t);
  }
}
