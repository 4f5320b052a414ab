/* src/config/named_groups.c - groups of keys that a scenario has any number of times, each
 * under a name: components of the gas, species, walls */
#include "src/config/internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"

static const char *const sides[] = {"x_low", "x_high", "y_low", "y_high",
                                    "z_low", "z_high", NULL};

const struct wn_named wn_config_components = {
    .prefix = "gas.components.",
    .whose = "a component's",
    .bytes = sizeof(struct wn_cfg_component),
    .offset = offsetof(struct wn_config, components),
    .n_offset = offsetof(struct wn_config, n_components)};
const struct wn_named wn_config_species = {.prefix = "species.",
                                           .whose = "a species'",
                                           .bytes = sizeof(struct wn_cfg_species),
                                           .offset = offsetof(struct wn_config, species),
                                           .n_offset =
                                               offsetof(struct wn_config, n_species)};
const struct wn_named wn_config_walls = {.prefix = "walls.",
                                         .whose = "a wall's",
                                         .bytes = sizeof(struct wn_cfg_wall),
                                         .offset =
                                             offsetof(struct wn_config, plasma.wall),
                                         .names = sides};

const struct wn_named wn_config_averages = {
    .prefix = "plasma.averages.",
    .whose = "an average's",
    .bytes = sizeof(struct wn_cfg_average),
    .offset = offsetof(struct wn_config, plasma.averages),
    .n_offset = offsetof(struct wn_config, plasma.n_averages)};

const struct wn_named wn_config_distributions = {
    .prefix = "plasma.distributions.",
    .whose = "a distribution's",
    .bytes = sizeof(struct wn_cfg_distribution),
    .offset = offsetof(struct wn_config, plasma.distributions),
    .n_offset = offsetof(struct wn_config, plasma.n_distributions)};

const struct wn_named wn_config_sources = {
    .prefix = "plasma.sources.",
    .whose = "a source's",
    .bytes = sizeof(struct wn_cfg_source),
    .offset = offsetof(struct wn_config, plasma.sources),
    .n_offset = offsetof(struct wn_config, plasma.n_sources)};

const struct wn_named wn_config_thermostats = {
    .prefix = "plasma.thermostats.",
    .whose = "a thermostat's",
    .bytes = sizeof(struct wn_cfg_thermostat),
    .offset = offsetof(struct wn_config, plasma.thermostats),
    .n_offset = offsetof(struct wn_config, plasma.n_thermostats)};

const struct wn_named wn_config_reactions = {
    .prefix = "reactions.",
    .whose = "a reaction's",
    .bytes = sizeof(struct wn_cfg_reaction),
    .offset = offsetof(struct wn_config, reactions),
    .n_offset = offsetof(struct wn_config, n_reactions)};

const struct wn_named wn_config_followed = {
    .prefix = "followed.",
    .whose = "a followed component's",
    .bytes = sizeof(struct wn_cfg_followed),
    .offset = offsetof(struct wn_config, followed),
    .n_offset = offsetof(struct wn_config, n_followed)};

const struct wn_named wn_config_coulomb = {
    .prefix = "plasma.coulomb.",
    .whose = "a Coulomb collision's",
    .bytes = sizeof(struct wn_cfg_coulomb),
    .offset = offsetof(struct wn_config, plasma.coulomb),
    .n_offset = offsetof(struct wn_config, plasma.n_coulomb)};

const struct wn_named wn_config_merging = {
    .prefix = "plasma.merging.",
    .whose = "a merging's",
    .bytes = sizeof(struct wn_cfg_merging),
    .offset = offsetof(struct wn_config, plasma.merging),
    .n_offset = offsetof(struct wn_config, plasma.n_merging)};

const struct wn_named wn_config_scans = {.prefix = "scan.",
                                         .whose = "a scan's",
                                         .bytes = sizeof(struct wn_cfg_scan),
                                         .offset = offsetof(struct wn_config, scans),
                                         .n_offset = offsetof(struct wn_config, n_scans)};

_Static_assert(offsetof(struct wn_cfg_component, name) == 0 &&
                   offsetof(struct wn_cfg_average, name) == 0 &&
                   offsetof(struct wn_cfg_distribution, name) == 0 &&
                   offsetof(struct wn_cfg_source, name) == 0 &&
                   offsetof(struct wn_cfg_thermostat, name) == 0 &&
                   offsetof(struct wn_cfg_reaction, name) == 0 &&
                   offsetof(struct wn_cfg_followed, name) == 0 &&
                   offsetof(struct wn_cfg_coulomb, name) == 0 &&
                   offsetof(struct wn_cfg_merging, name) == 0 &&
                   offsetof(struct wn_cfg_scan, name) == 0 &&
                   offsetof(struct wn_cfg_species, name) == 0 &&
                   offsetof(struct wn_cfg_wall, given) == 0,
               "an element begins with its name, or with whether it is given");

static const struct wn_named *const groups[] = {
    &wn_config_components,  &wn_config_species,       &wn_config_walls,
    &wn_config_averages,    &wn_config_distributions, &wn_config_sources,
    &wn_config_thermostats, &wn_config_reactions,     &wn_config_followed,
    &wn_config_coulomb,     &wn_config_merging,       &wn_config_scans};

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
