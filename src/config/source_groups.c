/* src/config/source_groups.c - rules for plasma.sources */
#include "src/config/reader.h"

#include <math.h>
#include <stdlib.h>

#include "src/config/plasma_derived.h"
#include "src/config/sources.h"

#define SAME 1e-9 /* relative; rounding of units */

static struct wn_given of_source(const struct wn_reader *r, const struct wn_cfg_source *o,
                                 const char *last)
{
  return wn_reader_given(r, "plasma.sources", o->name, last);
}

/* Logs an error of a key of source `o`. */
#define WRONG(r, o, last, ...)                                                           \
  do {                                                                                   \
    const struct wn_given k_ = of_source((r), (o), (last));                              \
    wn_reader_error((r), k_.entry, k_.key, __VA_ARGS__);                                 \
  } while (0)

/* The resolved scenario writes "" for none. */
static void no_empty(char **text)
{
  if (*text != NULL && **text == '\0') {
    free(*text);
    *text = NULL;
  }
}

static bool has_region(const struct wn_cfg_source *o, const char **last)
{
  for (int a = 0; a < 3; a++)
    if (o->low[a] != WN_AUTO || o->high[a] != WN_AUTO) {
      *last = o->low[a] != WN_AUTO ? "low" : "high";
      return true;
    }
  *last = "profile";
  return o->profile != WN_SOURCE_UNIFORM;
}

static void check_wall(struct wn_reader *r, const struct wn_cfg_source *o,
                       const struct wn_cfg_species *s)
{
  const struct wn_config *c = r->c;
  const int side = wn_source_side(c, o);
  const char *last;
  if (wn_source_electrode(c, o) >= 0)
    ; /* it always absorbs */
  else if (side < 0)
    WRONG(r, o, "wall",
          "the grid has no such side or electrode; allowed: x_low to %s, or the name of "
          "an electrode",
          wn_config_walls.names[2 * c->plasma.dim - 1]);
  else if (c->plasma.wall[side].particles == WN_SIDE_PERIODIC)
    WRONG(r, o, "wall", "this side is periodic, and no wall; set walls.%s.field",
          o->wall);
  if (o->current == WN_AUTO && o->flux == WN_AUTO)
    WRONG(r, o, "current",
          "missing; a side emits a current, as in \"1 A/m2\", or a flux, as in "
          "\"1e20 m-2 s-1\"");
  else if (o->current != WN_AUTO && o->flux != WN_AUTO)
    WRONG(r, o, "flux", "give either this or the current");
  else if (o->current != WN_AUTO && s != NULL && s->charge == 0)
    WRONG(r, o, "current", "species %s has no charge; give a flux", s->name);
  if (o->rate != WN_AUTO)
    WRONG(r, o, "rate", "is that of a volume; a side has a current or a flux");
  if (o->pair != NULL)
    WRONG(r, o, "pair", "particles of a side have no pair; remove `wall` for a region");
  if (has_region(o, &last))
    WRONG(r, o, last, "has no effect with a wall; give either a region or a wall");
}

static void check_pair(struct wn_reader *r, const struct wn_cfg_source *o,
                       const struct wn_cfg_species *s)
{
  const struct wn_config *c = r->c;
  const long k = wn_source_pair(c, o);
  if (o->pair == NULL || s == NULL)
    return;
  if (k < 0) {
    WRONG(r, o, "pair", "there is no species of this name");
    return;
  }
  const struct wn_cfg_species *other = &c->species[k];
  const double weight = wn_loading_weight(c, s), same = wn_loading_weight(c, other);
  if (other == s)
    WRONG(r, o, "pair", "is the species of the source itself");
  else if (other->charge != -s->charge)
    WRONG(r, o, "pair",
          "that species has a charge of %.9g; %.9g is needed to conserve charge",
          other->charge, -s->charge);
  else if (fabs(weight - same) > SAME * weight)
    WRONG(r, o, "pair",
          "a macroparticle of that species stands for %.9g particles, one of %s for "
          "%.9g; charge is conserved only if both are the same",
          same, s->name, weight);
}

static void check_region(struct wn_reader *r, const struct wn_cfg_source *o,
                         const struct wn_cfg_species *s)
{
  const struct wn_config *c = r->c;
  if (o->rate == WN_AUTO)
    WRONG(
        r, o, "rate",
        "missing; a source in a region has a rate, as in \"1e22 m-3 s-1\", and one at a "
        "side a `wall`");
  if (o->current != WN_AUTO)
    WRONG(r, o, "current", "is that of a side; give its `wall`, or a rate");
  if (o->flux != WN_AUTO)
    WRONG(r, o, "flux", "is that of a side; give its `wall`, or a rate");
  if (o->energy_ev > 0)
    WRONG(r, o, "energy", "is along the normal of a side; give its `wall`");
  if (o->pair == NULL && o->pair_ev > 0)
    WRONG(r, o, "pair_temperature", "has no effect without `pair`");
  for (int a = 0; a < c->plasma.dim; a++) {
    const double low = wn_source_low(o, a),
                 high = o->high[a] == WN_AUTO ? c->plasma.length[a] : o->high[a];
    /* a length may have been rounded */
    if (low < high && high <= c->plasma.length[a] * (1 + 1e-9))
      continue;
    WRONG(
        r, o, o->high[a] != WN_AUTO ? "high" : "low",
        "the region goes from %.9g m to %.9g m along %c, and the domain from 0 to %.9g m",
        low, high, "xyz"[a], c -> plasma.length[a]);
    return;
  }
  check_pair(r, o, s);
}

/* Returns the species; NULL: there is none. */
static const struct wn_cfg_species *species(struct wn_reader *r,
                                            const struct wn_cfg_source *o)
{
  const struct wn_config *c = r->c;
  const long k = wn_source_species(c, o);
  if (k < 0) {
    if (o->species == NULL)
      WRONG(r, o, "species", "missing; there is more than one mobile species, or none");
    else
      WRONG(r, o, "species", "there is no species of this name");
    return NULL;
  }
  const struct wn_cfg_species *s = &c->species[k];
  if (!s->mobile)
    WRONG(r, o, "species", "this species does not move");
  if (s->subcycling > 1)
    WRONG(r, o, "species",
          "this species moves only in every %zuth step; set species.%s.subcycling = 1",
          s->subcycling, s->name);
  if (o->per_step != WN_AUTO && wn_loading_own_weight(c, s) > 0)
    WRONG(r, o, "per_step",
          "the density of species %s and its particles per cell determine the weight of "
          "a macroparticle; remove the key, or set that density to 0",
          s->name);
  return s;
}

/* One source alone says what the weight of a species is. */
static void check_weights(struct wn_reader *r)
{
  const struct wn_cfg_plasma *p = &r->c->plasma;
  for (size_t i = 0; i < p->n_sources; i++)
    for (size_t j = 0; j < i; j++) {
      const struct wn_cfg_source *a = &p->sources[i], *b = &p->sources[j];
      if (a->per_step != WN_AUTO && b->per_step != WN_AUTO &&
          wn_source_species(r->c, a) == wn_source_species(r->c, b))
        WRONG(r, a, "per_step",
              "plasma.sources.%s.per_step determines the weight of the same species "
              "already; give one of them",
              b->name);
    }
}

/* Charge that leaves a side, or is created without its opposite, needs a side that fixes
 * the potential. */
static void check_charge(struct wn_reader *r, const struct wn_cfg_source *o,
                         const struct wn_cfg_species *s)
{
  const struct wn_cfg_plasma *p = &r->c->plasma;
  if (p->n_electrodes > 0)
    return;
  for (int side = 0; side < 2 * p->dim; side++)
    if (p->wall[side].field == WN_DIRICHLET || p->wall[side].field == WN_OPEN)
      return;
  if (s != NULL && s->charge != 0 && o->pair == NULL)
    WRONG(r, o, o->wall != NULL ? "wall" : "pair",
          "%sthe source changes the charge of the domain, and no side fixes the "
          "potential; make a side dirichlet%s",
          o->wall != NULL ? "" : "missing; ", o->wall != NULL ? "" : ", or create pairs");
}

void wn_config_name_sources(struct wn_reader *r)
{
  const struct wn_cfg_plasma *p = &r->c->plasma;
  for (size_t i = 0; i < p->n_sources; i++) {
    no_empty(&p->sources[i].species);
    no_empty(&p->sources[i].wall);
    no_empty(&p->sources[i].pair);
  }
}

void wn_config_check_sources(struct wn_reader *r)
{
  const struct wn_cfg_plasma *p = &r->c->plasma;
  for (size_t i = 0; i < p->n_sources; i++) {
    const struct wn_cfg_source *o = &p->sources[i];
    if (i == WN_MAX_SOURCES) {
      wn_reader_error(r, NULL, "plasma.sources", "%zu sources; there can be at most %d",
                      p->n_sources, WN_MAX_SOURCES);
      return;
    }
    const struct wn_cfg_species *s = species(r, o);
    if (o->wall != NULL)
      check_wall(r, o, s);
    else
      check_region(r, o, s);
    if (o->end != WN_AUTO && o->end <= o->start)
      WRONG(r, o, "end", "is not after plasma.sources.%s.start", o->name);
    check_charge(r, o, s);
  }
  check_weights(r);
}
