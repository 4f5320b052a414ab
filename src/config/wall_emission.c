/* src/config/wall_emission.c - rules between the keys of secondary electrons from walls and electrodes of model
 * plasma: by ions, and by electrons */
#include "src/config/reader.h"

#include "src/config/plasma_derived.h"

/* Secondaries that one absorbed electron releases, at most. */
#define MOST_SECONDARIES 100.0

/* A side, or an electrode, which always absorbs. */
struct surface {
  const char *group, *name;
  const struct wn_cfg_wall *wall;
  bool absorbs;
  bool emits_for_ions_alone; /* there are no other keys */
};

static struct wn_given of(const struct wn_reader *r, const struct surface *at,
                          const char *last)
{
  return wn_reader_given(r, at->group, at->name, last);
}

/* Logs an error of a key of a surface. */
#define WRONG(r, at, last, ...)                                                          \
  do {                                                                                   \
    const struct wn_given k_ = of((r), (at), (last));                                    \
    wn_reader_error((r), k_.entry, k_.key, __VA_ARGS__);                                 \
  } while (0)

static bool is_given(const struct wn_reader *r, const struct surface *at,
                     const char *last)
{
  return of(r, at, last).entry != NULL;
}

/* ---- by ions */

/* The species of secondary emission by ions: one of electrons, and positive ions. */
static void check_emitters(struct wn_reader *r, const struct surface *at)
{
  const struct wn_config *c = r->c;
  size_t n_electrons = 0, n_ions = 0;
  for (size_t i = 0; i < c->n_species; i++) {
    n_electrons += wn_config_is_emitted(c, i);
    n_ions += c->species[i].mobile && c->species[i].charge > 0;
  }
  if (n_electrons != 1)
    WRONG(r, at, "yield",
          "%zu species are electrons%s; secondary electrons need exactly one: mobile, of "
          "charge -1 and mass \"1 me\"",
          n_electrons, wn_config_has_gas(c) ? " with collisions" : "");
  if (n_ions == 0)
    WRONG(r, at, "yield",
          "no species is mobile positive ions, which release secondary electrons");
}

/* ---- by electrons */

/* The keys that emit electrons for electrons. */
static const char *const emits[] = {"electron_reflection", "electron_backscattering",
                                    "electron_yield"};

static double value_of(const struct wn_cfg_wall *w, int i)
{
  return i == 0   ? w->electron_reflection
         : i == 1 ? w->electron_backscattering
                  : w->electron_yield;
}

/* The species of true secondaries. */
static void check_species(struct wn_reader *r, const struct surface *at, const char *last)
{
  const struct wn_config *c = r->c;
  size_t n = 0, n_collide = 0;
  long without = -1;
  for (size_t k = 0; k < c->n_species; k++) {
    const struct wn_cfg_species *s = &c->species[k];
    n += wn_config_is_any_electron(s);
    n_collide += wn_config_is_electron(s);
    if (wn_config_is_any_electron(s) && !wn_config_is_electron(s))
      without = (long)k;
  }
  if (n == 0)
    WRONG(r, at, last, "no species is electrons: mobile, of charge -1 and mass \"1 me\"");
  else if (n_collide > 1 && without >= 0)
    WRONG(r, at, last,
          "%zu species of electrons have collisions and %s has none; its secondary "
          "electrons join the species with collisions, of which there must be one",
          n_collide, c->species[without].name);
}

/* Chances and numbers. */
static void check_sum(struct wn_reader *r, const struct surface *at)
{
  const struct wn_cfg_wall *w = at->wall;
  const double back = w->electron_reflection + w->electron_backscattering;
  if (back > 1)
    WRONG(r, at, "electron_backscattering",
          "with %s.%s.electron_reflection this is %.9g, a probability; allowed: at "
          "most 1 in sum",
          at->group, at->name, back);
  else if (w->electron_yield > MOST_SECONDARIES * (1 - back))
    WRONG(r, at, "electron_yield",
          "a part of %.9g of the electrons is absorbed and releases them; allowed: at "
          "most %.9g, which is %g for each",
          1 - back, MOST_SECONDARIES * (1 - back), MOST_SECONDARIES);
}

static void check_vaughan(struct wn_reader *r, const struct surface *at)
{
  const struct wn_cfg_wall *w = at->wall;
  static const char *const of_vaughan[] = {"electron_yield_threshold",
                                           "electron_yield_smoothness"};
  if (w->yield_energy_ev == WN_AUTO) {
    for (int i = 0; i < 2; i++)
      if (is_given(r, at, of_vaughan[i]) && !is_given(r, at, "electron_yield_energy"))
        WRONG(r, at, of_vaughan[i],
              "has no effect without %s.%s.electron_yield_energy, with which the "
              "yield depends on energy and angle",
              at->group, at->name);
  } else if (w->yield_threshold_ev >= w->yield_energy_ev) {
    WRONG(r, at, "electron_yield_energy",
          "the yield rises from %s.%s.electron_yield_threshold, %.9g eV, to its "
          "maximum there; allowed: more than that",
          at->group, at->name, w->yield_threshold_ev);
  }
}

/* Keys that do nothing without another that is not given either. */
static void check_needed(struct wn_reader *r, const struct surface *at)
{
  static const char *const needs[][2] = {
      {"electron_reflection_law", "electron_reflection"},
      {"electron_yield_energy", "electron_yield"},
      {"electron_yield_number", "electron_yield"}};
  for (size_t i = 0; i < sizeof needs / sizeof needs[0]; i++)
    if (is_given(r, at, needs[i][0]) && !is_given(r, at, needs[i][1]))
      WRONG(r, at, needs[i][0], "has no effect without %s.%s.%s", at->group, at->name,
            needs[i][1]);
}

static void check_electrons(struct wn_reader *r, const struct surface *at)
{
  const struct wn_cfg_wall *w = at->wall;
  const char *first = NULL;
  for (int i = 0; i < 3 && first == NULL; i++)
    first = value_of(w, i) > 0 ? emits[i] : NULL;
  check_needed(r, at);
  check_vaughan(r, at);
  if (first == NULL)
    return;
  if (!at->absorbs)
    WRONG(r, at, first,
          "particles are not absorbed there; set walls.%s.particles = \"absorb\"",
          at->name);
  else
    check_species(r, at, first);
  check_sum(r, at);
}

static void check(struct wn_reader *r, const struct surface *at)
{
  const struct wn_cfg_wall *w = at->wall;
  if (w->yield > 0 && !at->absorbs)
    WRONG(r, at, "yield",
          "particles are not absorbed there; set walls.%s.particles = \"absorb\"",
          at->name);
  else if (w->yield > 0)
    check_emitters(r, at);
  else if (w->emission_ev != 2.0 && is_given(r, at, "emission_temperature") &&
           !is_given(r, at, "yield") && !is_given(r, at, "electron_yield"))
    WRONG(r, at, "emission_temperature",
          "has no effect without %s.%s.yield or %s.%s.electron_yield", at->group,
          at->name, at->group, at->name);
  if (!at->emits_for_ions_alone)
    check_electrons(r, at);
}

void wn_config_check_emission(struct wn_reader *r)
{
  const struct wn_cfg_plasma *p = &r->c->plasma;
  for (int side = 0; side < 2 * p->dim; side++) {
    const struct wn_cfg_wall *w = &p->wall[side];
    check(r, &(struct surface){"walls", wn_config_walls.names[side], w,
                               w->particles == WN_SIDE_ABSORB, false});
  }
  for (size_t i = 0; i < p->n_electrodes; i++)
    check(r, &(struct surface){"electrodes", p->electrodes[i].name,
                               &p->electrodes[i].wall, true, false});
  for (size_t i = 0; i < p->n_dielectrics; i++)
    check(r, &(struct surface){"dielectrics", p->dielectrics[i].name,
                               &p->dielectrics[i].wall, true, true});
}
