/* src/config/followed_groups.c - rules for followed densities of components of the gas */
#include "src/config/reader.h"

#include <string.h>

/* Logs an error of a key of followed component `d`. */
#define WRONG(r, d, last, ...)                                                           \
  do {                                                                                   \
    const struct wn_given k_ = wn_reader_given((r), "followed", (d)->name, (last));      \
    wn_reader_error((r), k_.entry, k_.key, __VA_ARGS__);                                 \
  } while (0)

static const struct wn_cfg_component *component(const struct wn_config *c,
                                                const char *name)
{
  for (size_t i = 0; i < c->n_components; i++)
    if (strcmp(c->components[i].name, name) == 0)
      return &c->components[i];
  return NULL;
}

void wn_config_check_followed(struct wn_reader *r)
{
  const struct wn_config *c = r->c;
  size_t n_electrons = 0;
  for (size_t k = 0; k < c->n_species; k++)
    n_electrons += wn_config_is_electron(&c->species[k]);
  for (size_t i = 0; i < c->n_followed && wn_config_has_gas(c); i++) {
    const struct wn_cfg_followed *d = &c->followed[i];
    const struct wn_cfg_component *of = component(c, d->name);
    if (d->n_sources == 0)
      WRONG(r, d, "sources", "missing; name the processes that make one");
    if (n_electrons == 0)
      WRONG(r, d, "sources", "no species is electrons with collisions");
    if (of == NULL) {
      WRONG(r, d, "sources", "the gas has no component %s with a fraction above 0",
            d->name);
      continue;
    }
    const double most = of->fraction * c->number_density;
    if (d->density > most)
      WRONG(r, d, "density",
            "is above %.9g m-3, the density of gas.components.%s, which is the most that "
            "it may become",
            most, d->name);
  }
}
