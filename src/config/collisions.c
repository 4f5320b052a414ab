/* src/config/collisions.c - which species of a plasma collide with the gas, as electrons or
 * as ions, and the ions that these collisions produce */
#include "src/config/reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "physics/constants.h"
#include "src/config/plasma_derived.h"

#define SAME 1e-9 /* relative; rounding of units */

static struct wn_given of_species(const struct wn_reader *r,
                                  const struct wn_cfg_species *s, const char *last)
{
  return wn_reader_given(r, "species", s->name, last);
}

/* Logs an error of a key in a group that exists once. */
#define WRONG(r, name, ...)                                                              \
  wn_reader_error((r), wn_reader_find((r), (name)), (name), __VA_ARGS__)

/* A resolved scenario writes "" for none. */
static void take_empty(char **name)
{
  if (*name != NULL && !**name) {
    free(*name);
    *name = NULL;
  }
}

/* The names of all species but s, as many as fit into buf of n. */
static const char *other_species(const struct wn_config *c,
                                 const struct wn_cfg_species *s, char *buf, size_t n)
{
  size_t used = 0;
  snprintf(buf, n, "there is no other");
  for (size_t i = 0; i < c->n_species && used < n; i++)
    if (&c->species[i] != s)
      used += (size_t)snprintf(buf + used, n - used, "%s%s",
                               used > 0 ? ", " : "the others are ", c->species[i].name);
  return buf;
}

/* The ions of `charge` that collisions of s produce. */
static void check_product(struct wn_reader *r, const struct wn_cfg_species *s,
                          const char *last, const char *name, double charge)
{
  const struct wn_config *c = r->c;
  struct wn_given k = of_species(r, s, last);
  const struct wn_cfg_species *to = wn_config_species_of(c, name);
  if (name == NULL)
    return;
  if (!wn_config_is_electron(s)) {
    wn_reader_error(r, k.entry, k.key,
                    s->collisions == WN_COLLISIONS_NONE
                        ? "has no effect without species.%s.collisions"
                        : "species %s is ions, whose collisions produce no ions",
                    s->name);
    return;
  }
  if (to == NULL) {
    char others[256];
    wn_reader_error(r, k.entry, k.key, "there is no such species; %s",
                    other_species(c, s, others, sizeof others));
    return;
  }
  if (wn_config_is_electron(to)) {
    wn_reader_error(r, k.entry, k.key, "that species is electrons with collisions");
    return;
  }
  if (to->charge != charge)
    wn_reader_error(
        r, k.entry, k.key,
        "that species has a charge of %.9g; %.9g is needed to conserve charge",
        to->charge, charge);
  const double of_ion = wn_loading_own_weight(c, to), of_one = wn_loading_weight(c, s);
  if (of_ion > 0 && fabs(of_ion - of_one) > SAME * of_one)
    wn_reader_error(
        r, k.entry, k.key,
        "a macroparticle of that species stands for %.9g particles, one of %s for %.9g; "
        "charge is conserved only if density / per_cell is the same",
        of_ion, s->name, of_one);
}

static void check_electrons(struct wn_reader *r, const struct wn_cfg_species *s)
{
  struct wn_given charge = of_species(r, s, "charge"), mass = of_species(r, s, "mass");
  if (s->charge != -1)
    wn_reader_error(r, charge.entry, charge.key,
                    "a species with collisions and the mass of an electron must have the "
                    "charge -1; for ions give species.%s.mass",
                    s->name);
  if (fabs(s->mass - WN_ME) > SAME * WN_ME)
    wn_reader_error(r, mass.entry, mass.key,
                    "a species with collisions is electrons, of mass \"1 me\", or ions, "
                    "heavier than \"100 me\"");
}

/* A file of cross sections of ions, or a built-in set. */
static int check_cross_sections(struct wn_reader *r, struct wn_cfg_species *s)
{
  struct wn_given file = of_species(r, s, "cross_sections");
  if (s->cross_sections == NULL)
    return WN_OK;
  if (strncmp(s->cross_sections, "builtin:", 8) != 0)
    return wn_config_find_file(r, file.entry, file.key, s->cross_sections, &s->xs_path);
  if (strcmp(s->cross_sections, "builtin:argon") != 0)
    wn_reader_error(r, file.entry, file.key,
                    "the only built-in set with ions is builtin:argon, \"Ar+ / Ar\"");
  s->xs_path = wn_strdup(s->cross_sections);
  return s->xs_path != NULL ? WN_OK : WN_ENOMEM;
}

/* Ions with collisions; the targets of the components of the gas are known. */
static int check_ions(struct wn_reader *r, struct wn_cfg_species *s)
{
  const struct wn_config *c = r->c;
  struct wn_given charge = of_species(r, s, "charge"), ion = of_species(r, s, "ion");
  const double *b = c->plasma.magnetic;
  if (fabs(s->charge) != 1)
    wn_reader_error(r, charge.entry, charge.key,
                    "ions with collisions must have a charge of 1 or -1");
  if (b[0] != 0 || b[1] != 0 || b[2] != 0)
    WRONG(r, "plasma.magnetic_field",
          "species %s is ions with collisions, which take no magnetic field", s->name);
  if (c->plasma.relativistic)
    WRONG(r, "plasma.relativistic",
          "species %s is ions with collisions, which are not relativistic; electrons "
          "with collisions always are",
          s->name);
  size_t n_targets = 0;
  for (size_t i = 0; i < c->n_components; i++)
    n_targets += c->components[i].ions;
  if (n_targets == 0)
    WRONG(r, "gas.components",
          "no component has ions = true, and species %s is ions with collisions",
          s->name);
  if (s->ion == NULL && c->n_components == 1 && c->components[0].target != NULL) {
    s->ion = wn_asprintf("%s%c", c->components[0].target, s->charge < 0 ? '-' : '+');
    if (s->ion == NULL)
      return WN_ENOMEM;
  } else if (s->ion == NULL) {
    wn_reader_error(r, ion.entry, ion.key,
                    "missing; in a gas of %zu components ions need their name in files "
                    "of cross sections, as in \"N2+\"",
                    c->n_components);
  }
  return check_cross_sections(r, s);
}

/* Keys of ions with collisions, given for another species. */
static void refuse_ions(struct wn_reader *r, const struct wn_cfg_species *s)
{
  const struct {
    const char *last, *value;
  } part[] = {{"ion", s->ion}, {"cross_sections", s->cross_sections}};
  for (size_t i = 0; i < sizeof part / sizeof *part; i++) {
    struct wn_given k = of_species(r, s, part[i].last);
    if (part[i].value != NULL)
      wn_reader_error(r, k.entry, k.key,
                      "has no effect: species %s is not ions with collisions", s->name);
  }
  struct wn_given n = of_species(r, s, "subcycling");
  if (s->subcycling > 1)
    wn_reader_error(
        r, n.entry, n.key,
        "species %s is not ions with collisions; all other species move in every step",
        s->name);
}

/* Rules for a species with collisions, except those of the gas. */
static void check_collisions(struct wn_reader *r, struct wn_cfg_species *s)
{
  struct wn_given mobile = of_species(r, s, "mobile");
  take_empty(&s->ions);
  take_empty(&s->anions);
  take_empty(&s->ion);
  take_empty(&s->cross_sections);
  if (!wn_config_is_ion(s))
    refuse_ions(r, s);
  if (wn_config_is_electron(s))
    check_electrons(r, s);
  if (s->collisions != WN_COLLISIONS_NONE && !s->mobile)
    wn_reader_error(
        r, mobile.entry, mobile.key,
        "a species with collisions must be mobile; set collisions = \"none\"");
}

int wn_config_check_collisions(struct wn_reader *r)
{
  struct wn_config *c = r->c;
  size_t n_electrons = 0, n_ions = 0;
  for (size_t i = 0; i < c->n_species; i++) {
    check_collisions(r, &c->species[i]);
    n_electrons += wn_config_is_electron(&c->species[i]);
    n_ions += wn_config_is_ion(&c->species[i]);
  }
  if (n_electrons == 0 && c->plasma.mobility_steps > 1)
    WRONG(r, "plasma.mobility_steps",
          "no %s collisions; species without collisions take one mobility step",
          n_ions > 0 ? "electrons have" : "species has");
  if (n_ions == 0 && wn_config_has_gas(c) && c->ion_energy_max_ev != WN_AUTO)
    WRONG(r, "tables.ion_energy_max", "has no effect: no ions have collisions");
  if (wn_config_has_gas(c)) {
    WN_TRY(wn_config_check_gas(r));
    for (size_t i = 0; i < c->n_species; i++)
      if (wn_config_is_ion(&c->species[i]))
        WN_TRY(check_ions(r, &c->species[i]));
    return WN_OK;
  }
  for (size_t i = 0; i < r->n_entries; i++) {
    const struct wn_entry *e = &r->entry[i];
    const struct wn_key *k = wn_config_find_key(e->key, NULL, NULL);
    if (k != NULL && k->flags & WN_KEY_GAS)
      wn_reader_error(r, e, e->key,
                      "no species collides with the gas; set species.<NAME>.collisions = "
                      "\"gas\", or remove the group");
  }
  return WN_OK;
}

void wn_config_check_products(struct wn_reader *r)
{
  const struct wn_config *c = r->c;
  for (size_t i = 0; i < c->n_species; i++) {
    check_product(r, &c->species[i], "ions", c->species[i].ions, 1);
    check_product(r, &c->species[i], "anions", c->species[i].anions, -1);
  }
}
