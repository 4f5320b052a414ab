/* src/config/named_groups.c - groups of keys that a scenario has any number of times, each
 * under a name: components of the gas, species, walls */
#include "src/config/internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"

static const char *const sides[] = {"x_low", "x_high", "y_low", "y_high",
                                    "z_low", "z_high", NULL};

/* A group whose elements lie in `list`, and their number in `n_list`. */
#define GROUP(group, before, owner, element, list, n_list)                               \
  _Static_assert(offsetof(struct wn_cfg_##element, name) == 0,                           \
                 "it begins with its name");                                             \
  const struct wn_named wn_config_##group = {.prefix = before,                           \
                                             .whose = owner,                             \
                                             .bytes = sizeof(struct wn_cfg_##element),   \
                                             .offset = offsetof(struct wn_config, list), \
                                             .n_offset =                                 \
                                                 offsetof(struct wn_config, n_list)}

GROUP(components, "gas.components.", "a component's", component, components,
      n_components);
GROUP(species, "species.", "a species'", species, species, n_species);

_Static_assert(offsetof(struct wn_cfg_wall, given) == 0,
               "it begins with whether it is given");
const struct wn_named wn_config_walls = {.prefix = "walls.",
                                         .whose = "a wall's",
                                         .bytes = sizeof(struct wn_cfg_wall),
                                         .offset =
                                             offsetof(struct wn_config, plasma.wall),
                                         .names = sides};

GROUP(electrodes, "electrodes.", "an electrode's", electrode, plasma.electrodes,
      plasma.n_electrodes);
GROUP(dielectrics, "dielectrics.", "a dielectric's", electrode, plasma.dielectrics,
      plasma.n_dielectrics);
GROUP(averages, "plasma.averages.", "an average's", average, plasma.averages,
      plasma.n_averages);
GROUP(distributions, "plasma.distributions.", "a distribution's", distribution,
      plasma.distributions, plasma.n_distributions);
GROUP(sources, "plasma.sources.", "a source's", source, plasma.sources, plasma.n_sources);
GROUP(thermostats, "plasma.thermostats.", "a thermostat's", thermostat,
      plasma.thermostats, plasma.n_thermostats);
GROUP(reactions, "reactions.", "a reaction's", reaction, reactions, n_reactions);
GROUP(followed, "followed.", "a followed component's", followed, followed, n_followed);
GROUP(coulomb, "plasma.coulomb.", "a Coulomb collision's", coulomb, plasma.coulomb,
      plasma.n_coulomb);
GROUP(merging, "plasma.merging.", "a merging's", merging, plasma.merging,
      plasma.n_merging);
GROUP(scans, "scan.", "a scan's", scan, scans, n_scans);

static const struct wn_named *const groups[] = {
    &wn_config_components,  &wn_config_species,       &wn_config_walls,
    &wn_config_averages,    &wn_config_distributions, &wn_config_sources,
    &wn_config_thermostats, &wn_config_reactions,     &wn_config_followed,
    &wn_config_coulomb,     &wn_config_merging,       &wn_config_scans,
    &wn_config_electrodes,  &wn_config_dielectrics};

const struct wn_named *wn_config_named_of(const char *key, const char **name, size_t *len)
{
  for (size_t i = 0; i < sizeof groups / sizeof groups[0]; i++) {
    size_t n = strlen(groups[i]->prefix);
    if (strncmp(key, groups[i]->prefix, n) != 0)
      continue;
    *name = key + n;
    *len = strcspn(*name, ".");
    return groups[i];
  }
  return NULL;
}

size_t wn_config_named_count(const struct wn_named *g, const struct wn_config *c)
{
  size_t n = 0;
  if (g->names == NULL)
    return *(const size_t *)((const char *)c + g->n_offset);
  while (g->names[n] != NULL)
    n++;
  return n;
}

const void *wn_config_named_at(const struct wn_named *g, const struct wn_config *c,
                               size_t i)
{
  const char *first = (const char *)c + g->offset;
  if (g->names == NULL)
    memcpy(&first, (const void *)first, sizeof first);
  return first + i * g->bytes;
}

const char *wn_config_named_name(const struct wn_named *g, const struct wn_config *c,
                                 size_t i)
{
  const void *at = wn_config_named_at(g, c, i);
  const char *name;
  if (g->names != NULL)
    return *(const bool *)at ? g->names[i] : NULL;
  memcpy(&name, at, sizeof name);
  return name;
}

void *wn_config_named_find(const struct wn_named *g, struct wn_config *c,
                           const char *name, size_t len)
{
  for (size_t i = 0; i < wn_config_named_count(g, c); i++) {
    const char *there = wn_config_named_name(g, c, i);
    if (there != NULL && strlen(there) == len && memcmp(there, name, len) == 0)
      return (void *)wn_config_named_at(g, c, i);
  }
  return NULL;
}

/* libconfig accepts no other names, and the resolved scenario must be readable. */
static bool is_name(const char *name, size_t len)
{
  for (size_t i = 0; i < len; i++) {
    char c = name[i];
    bool letter = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
    if (!letter && (i == 0 || !(strchr("-_*", c) || (c >= '0' && c <= '9'))))
      return false;
  }
  return len > 0 && len < 64;
}

static void add_fixed(const struct wn_named *g, struct wn_config *c, const char *name,
                      size_t len)
{
  for (size_t i = 0; g->names[i] != NULL; i++)
    if (strlen(g->names[i]) == len && memcmp(g->names[i], name, len) == 0)
      *(bool *)wn_config_named_at(g, c, i) = true;
}

int wn_config_named_add(const struct wn_named *g, struct wn_config *c, size_t room,
                        const char *name, size_t len)
{
  if (g->names != NULL) {
    add_fixed(g, c, name, len);
    return WN_OK;
  }
  if (!is_name(name, len) || wn_config_named_find(g, c, name, len) != NULL)
    return WN_OK;
  size_t *n = (size_t *)((char *)c + g->n_offset);
  char *at = (char *)c + g->offset, *list;
  memcpy(&list, at, sizeof list);
  if (list == NULL && (list = wn_alloc(room, g->bytes)) == NULL)
    return WN_ENOMEM;
  memcpy(at, &list, sizeof list);
  char *copied = wn_asprintf("%.*s", (int)len, name);
  if (copied == NULL)
    return WN_ENOMEM;
  WN_ASSERT(*n < room);
  memcpy(list + *n * g->bytes, &copied, sizeof copied);
  ++*n;
  return WN_OK;
}

void wn_config_named_free(const struct wn_named *g, struct wn_config *c)
{
  char *at = (char *)c + g->offset, *list;
  if (g->names != NULL)
    return;
  for (size_t i = 0; i < wn_config_named_count(g, c); i++) {
    char *name;
    memcpy(&name, wn_config_named_at(g, c, i), sizeof name);
    free(name);
  }
  memcpy(&list, at, sizeof list);
  free(list);
}
