/* src/config/test_electrons_rules.c - rules for plasma.test_electrons */
#include "src/config/reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "physics/constants.h"
#include "physics/electron.h"
#include "src/config/coulomb.h"
#include "src/config/merging.h"
#include "src/config/plasma_derived.h"
#include "src/config/test_electrons.h"

#define GROUP "plasma.test_electrons."

/* Logs an error of a key of the group, with its place where it is given. */
#define WRONG(r, last, ...)                                                              \
  wn_reader_error((r), wn_reader_find((r), GROUP last), GROUP last, __VA_ARGS__)

/* Keys of the group with another value than the default, without `number`; a resolved scenario has
 * all defaults. */
static void check_unused(struct wn_reader *r)
{
  static const double usual[] = {200, 500, 1000, 2000, 5000, 10000};
  const struct wn_cfg_plasma *p = &r->c->plasma;
  const bool usual_list =
      p->test_electrons.n_thresholds == sizeof usual / sizeof *usual &&
      memcmp(p->test_electrons.thresholds_ev, usual, sizeof usual) == 0;
  const struct {
    const char *key;
    bool used;
  } part[] = {{GROUP "species", p->test_electrons.species != NULL},
              {GROUP "from", p->test_electrons.from_ev != 50.0},
              {GROUP "thresholds", !usual_list},
              {GROUP "levels_per_decade", p->test_electrons.levels_per_decade != 10},
              {GROUP "rows", p->test_electrons.rows != 1000}};
  for (size_t i = 0; i < sizeof part / sizeof *part; i++) {
    const struct wn_entry *e = wn_reader_find(r, part[i].key);
    if (e != NULL && !e->bad && part[i].used)
      wn_reader_error(r, e, e->key,
                      "has no effect without " GROUP
                      "number, the test electrons in each energy level");
  }
}

static void check_levels(struct wn_reader *r)
{
  const struct wn_config *c = r->c;
  const size_t n = c->plasma.test_electrons.n_thresholds;
  const double top = wn_test_electrons_top_ev(c), from = c->plasma.test_electrons.from_ev;
  if (c->plasma.test_electrons.number < WN_TEST_GROUPS)
    WRONG(r, "number",
          "%zu in a level are less than one in each of %d groups; allowed: 0, or at "
          "least %d",
          c->plasma.test_electrons.number, WN_TEST_GROUPS, WN_TEST_GROUPS);
  if (n == 0 || n > WN_MAX_THRESHOLDS) {
    WRONG(r, "thresholds", "%zu energies; allowed: 1 to %d", n, WN_MAX_THRESHOLDS);
    return;
  }
  const double levels =
      log10(top / from) * (double)c->plasma.test_electrons.levels_per_decade;
  if (!(c->plasma.test_electrons.thresholds_ev[0] > from))
    WRONG(r, "thresholds", "the first, %.9g eV, is not above " GROUP "from, %.9g eV",
          c->plasma.test_electrons.thresholds_ev[0], from);
  else if (levels > (double)(WN_MAX_EDGES - 1))
    WRONG(r, "levels_per_decade",
          "%zu a decade are %.0f levels from %.9g eV to %.9g eV; at most %d are allowed",
          c->plasma.test_electrons.levels_per_decade, ceil(levels), from, top,
          WN_MAX_EDGES - 1);
  if (top > c->energy_max_ev)
    WRONG(r, "thresholds", "%.9g eV is above tables.energy_max, %.9g eV", top,
          c->energy_max_ev);
}

/* What changes electrons of the species otherwise than by flight, walls and collisions with the
 * gas does not act on test electrons. */
static void check_others(struct wn_reader *r, long k)
{
  const struct wn_config *c = r->c;
  const struct wn_cfg_plasma *p = &c->plasma;
  const char *name = c->species[k].name;
  for (size_t i = 0; i < p->n_merging; i++)
    if (wn_merging_species(c, &p->merging[i]) == k &&
        p->merging[i].protect_ev > p->test_electrons.from_ev)
      WRONG(r, "from",
            "%.9g eV; merging changes electrons of species %s up to %.9g eV, and test "
            "electrons have to start where it does not: lower "
            "plasma.merging.%s.protected_energy, or raise this key",
            p->test_electrons.from_ev, name, p->merging[i].protect_ev,
            p->merging[i].name);
  for (size_t i = 0; i < p->n_coulomb; i++)
    for (size_t j = 0; j < p->coulomb[i].n_species; j++)
      if (strcmp(p->coulomb[i].species[j], name) == 0)
        WRONG(r, "number",
              "test electrons have no Coulomb collisions, and plasma.coulomb.%s is of "
              "species %s; allowed with it: 0",
              p->coulomb[i].name, name);
  for (size_t i = 0; i < p->n_thermostats; i++)
    if (wn_config_species_or_only(c, p->thermostats[i].species) == k)
      WRONG(r, "number",
            "a thermostat does not act on test electrons, and plasma.thermostats.%s is "
            "of species %s; allowed with it: 0",
            p->thermostats[i].name, name);
  for (size_t i = 0; i < c->n_reactions; i++)
    for (size_t j = 0; j < c->reactions[i].n_reactants; j++)
      if (strcmp(c->reactions[i].reactants[j], name) == 0)
        WRONG(r, "number",
              "test electrons have no reactions by rates, and species %s is a reactant "
              "of reactions.%s; allowed with it: 0",
              name, c->reactions[i].name);
}

/* At the last threshold, in cells along the shortest edge, in a mobility step. */
static void warn_fast(struct wn_reader *r)
{
  const struct wn_cfg_plasma *p = &r->c->plasma;
  const double gamma = 1.0 + wn_test_electrons_top_ev(r->c) / WN_MC2_EV,
               v = WN_C * sqrt(1.0 - 1.0 / (gamma * gamma)),
               way = v * p->time_step / (double)p->mobility_steps;
  double h = INFINITY;
  for (int d = 0; d < p->dim; d++)
    h = fmin(h, p->length[d] / (double)p->cells[d]);
  const struct wn_entry *e = wn_reader_find(r, GROUP "number");
  if (e != NULL && way > h)
    wn_log_at(WN_LOG_WARN, e->from_set ? e->place : r->file, e->from_set ? 0 : e->line,
              "key `%s`: a test electron of the last threshold crosses %.3g cells in a "
              "mobility step, and takes the field at the middle of that path; "
              "plasma.mobility_steps = %.0f would do for one cell",
              e->key, way / h, ceil(way / h * (double)p->mobility_steps));
}

void wn_config_check_test_electrons(struct wn_reader *r)
{
  struct wn_config *c = r->c;
  char **species = &c->plasma.test_electrons.species;
  if (*species != NULL && **species == '\0') { /* of the resolved scenario */
    free(*species);
    *species = NULL;
  }
  if (c->n_species > WN_MAX_SPECIES)
    return; /* reported already */
  if (c->plasma.test_electrons.number == 0) {
    check_unused(r);
    return;
  }
  const long k = wn_test_electrons_species(c);
  if (c->plasma.field != WN_FIELD_OF_GRID)
    WRONG(r, "number",
          "test electrons need plasma.field = \"electrostatic\"; allowed with others: 0");
  check_levels(r);
  if (k < 0 && *species != NULL)
    WRONG(r, "species", "allowed: a species of electrons with collisions = \"gas\"");
  else if (k < 0)
    WRONG(r, "number",
          "no species, or more than one, is electrons with collisions = \"gas\"; name "
          "one by " GROUP "species");
  else
    check_others(r, k);
  if (r->n_errors == 0)
    warn_fast(r);
}
