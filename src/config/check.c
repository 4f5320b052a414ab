/* src/config/check.c - rules between values of a scenario, and defaults that depend on other values */
#include "src/config/reader.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/log.h"
#include "crosssections/xs.h"
#include "physics/constants.h"
#include "physics/electron.h"
#include "src/config/available.h"
#include "src/config/factor.h"

/* For an error of two incompatible keys: names the first, unless only the second was given. */
static const char *key_to_name(const struct wn_reader *r, const char *first,
                               const char *second)
{
  return wn_reader_find(r, first) != NULL || wn_reader_find(r, second) == NULL ? first
                                                                               : second;
}

/* Atomic numbers by name; the Opal widths are those of Opal, Peterson and Beaty (1971) in
 * the form 1/(1+(W/w)^2) that is used with the project's reference cross sections. */
static const struct {
  const char *symbol;
  double z;
} elements[] = {{"H", 1},   {"He", 2},  {"N", 7},   {"O", 8},
                {"Ne", 10}, {"Ar", 18}, {"Kr", 36}, {"Xe", 54}};

static const struct {
  const char *gas;
  double w_ev;
} opal_widths[] = {{"N2", 13.0}, {"O2", 17.4}, {"Ar", 10.0}, {"He", 15.8}};

bool wn_config_gas_z(const char *gas, double *atomic_number)
{
  size_t letters = strcspn(gas, "0123456789");
  for (size_t i = 0; i < sizeof elements / sizeof *elements; i++) {
    if (strlen(elements[i].symbol) != letters ||
        strncmp(gas, elements[i].symbol, letters) != 0)
      continue;
    char *end = (char *)gas + letters;
    long n = *end ? strtol(end, &end, 10) : 1;
    if (*end || n < 1 || n > 1000)
      return false; /* "O2(a1)" is a different molecule */
    *atomic_number = elements[i].z;
    return true;
  }
  return false;
}

double wn_config_gas_opal_width(const char *gas)
{
  for (size_t i = 0; i < sizeof opal_widths / sizeof *opal_widths; i++) {
    if (strcmp(gas, opal_widths[i].gas) == 0)
      return opal_widths[i].w_ev;
  }
  return WN_AUTO;
}

/* A key of a component with its entry, NULL when it is not given. */
struct component_key {
  char key[128]; /* names have at most 63 letters */
  const struct wn_entry *entry;
};

static struct component_key component_key(const struct wn_reader *r,
                                          const struct wn_cfg_component *g,
                                          const char *last)
{
  struct component_key k;
  snprintf(k.key, sizeof k.key, "gas.components.%s.%s", g->name, last);
  k.entry = wn_reader_find(r, k.key);
  return k;
}

/* Is the gas in the built-in set? */
static int check_builtin(struct wn_reader *r, const struct wn_cfg_component *g)
{
  size_t n = 0;
  char **names = NULL;
  bool there = false;
  char list[256] = "";
  WN_TRY(wn_xs_builtin_targets(g->file, &n, &names));
  for (size_t i = 0; i < n; i++) {
    const size_t used = strlen(list);
    there = there || strcmp(names[i], g->target) == 0;
    snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", names[i]);
    free(names[i]);
  }
  free(names);
  if (there)
    return WN_OK;
  struct component_key k = component_key(r, g, "target");
  if (k.entry == NULL)
    k = component_key(r, g, "file");
  wn_reader_error(r, k.entry, k.key, "%s has no target %s; it has %s", g->file, g->target,
                  list);
  return WN_OK;
}

static int check_file(struct wn_reader *r, struct wn_cfg_component *g)
{
  struct component_key k = component_key(r, g, "file");
  if (k.entry == NULL) {
    wn_reader_error(
        r, NULL, k.key,
        "missing; give an LXCat file, or builtin:air for the analytic N2 and O2, or "
        "builtin:argon");
    return WN_OK;
  }
  if (g->file == NULL)
    return WN_OK; /* of the wrong type, reported already */
  if (strncmp(g->file, "builtin:", 8) == 0) {
    if (!wn_xs_is_builtin(g->file))
      wn_reader_error(r, k.entry, k.key,
                      "the built-in sets are builtin:air and builtin:argon");
    else
      WN_TRY(check_builtin(r, g));
    g->path = wn_strdup(g->file);
    return g->path != NULL ? WN_OK : WN_ENOMEM;
  }
  if (!*g->file) {
    wn_reader_error(r, k.entry, k.key, "an empty name is not allowed");
    return WN_OK;
  }
  return wn_config_find_file(r, k.entry, k.key, g->file, &g->path);
}

static void needs_z(struct wn_reader *r, const struct wn_cfg_component *g)
{
  struct component_key k = component_key(r, g, "atomic_number");
  wn_reader_error(
      r, k.entry, k.key,
      "screened-coulomb scattering needs a number here: %s is not a molecule of one "
      "element of H, He, N, O, Ne, Ar, Kr, Xe",
      g->target);
}

/* A list that belongs to `excited`: one element for each of its elements or, where allowed,
 * one for all. */
static void check_excited_list(struct wn_reader *r, const struct wn_cfg_component *g,
                               const char *last, size_t n, bool one_for_all)
{
  struct component_key k = component_key(r, g, last);
  if (n == 0 || (k.entry != NULL && k.entry->bad))
    return;
  if (g->n_excited == 0)
    wn_reader_error(r, k.entry, k.key, "has no effect without gas.components.%s.excited",
                    g->name);
  else if (n != g->n_excited && !(n == 1 && one_for_all))
    wn_reader_error(r, k.entry, k.key,
                    "%zu values for the %zu levels of gas.components.%s.excited; %sone "
                    "for each level",
                    n, g->n_excited, g->name,
                    one_for_all ? "give one for all levels, or " : "give ");
}

static void check_excited(struct wn_reader *r, const struct wn_cfg_component *g)
{
  struct component_key k = component_key(r, g, "excited_fractions");
  check_excited_list(r, g, "excited_temperatures", g->n_excited_k, true);
  check_excited_list(r, g, "excited_fractions", g->n_excited_part, false);
  check_excited_list(r, g, "excited_weights", g->n_excited_weight, false);
  if (g->n_excited_part > 0 && g->n_excited_k > 0)
    wn_reader_error(r, k.entry, k.key,
                    "gas.components.%s.excited_temperatures populates the levels, too; "
                    "remove one of the two",
                    g->name);
}

/* The file of photon data; whether it is of use: radiation_rules.c. */
static int check_photons(struct wn_reader *r, struct wn_cfg_component *g)
{
  const struct component_key file = component_key(r, g, "photons");
  if (g->photons_file == NULL || !*g->photons_file)
    return WN_OK;
  if (r->c->model == WN_MODEL_PLASMA)
    wn_reader_error(r, file.entry, file.key,
                    "has no effect in model plasma, whose electrons do not radiate");
  return wn_config_find_file(r, file.entry, file.key, g->photons_file, &g->photons_path);
}

/* Blocks between states: keys that require each other. */
static int check_states(struct wn_reader *r, struct wn_cfg_component *g)
{
  struct component_key weights = component_key(r, g, "rotational_weights"),
                       file = component_key(r, g, "states_file"),
                       rotational = component_key(r, g, "rotational_temperature"),
                       vibrational = component_key(r, g, "vibrational_temperature");
  const bool has_file = g->states_file != NULL && *g->states_file,
             wanted = g->rotational_k >= 0.0 || g->vibrational_k >= 0.0;
  if (g->n_rotational_weight > 0 && g->rotational_k < 0.0)
    wn_reader_error(r, weights.entry, weights.key,
                    "has no effect without gas.components.%s.rotational_temperature",
                    g->name);
  else if (g->n_rotational_weight > 0 && g->n_rotational_weight != 2)
    wn_reader_error(r, weights.entry, weights.key,
                    "%zu values; two are needed, of even and of odd J",
                    g->n_rotational_weight);
  if (has_file && !wanted)
    wn_reader_error(r, file.entry, file.key,
                    "has no effect without gas.components.%s.rotational_temperature or "
                    "vibrational_temperature",
                    g->name);
  else if (wanted && !has_file && g->file != NULL && wn_xs_is_builtin(g->file))
    wn_reader_error(r, g->rotational_k >= 0.0 ? rotational.entry : vibrational.entry,
                    g->rotational_k >= 0.0 ? rotational.key : vibrational.key,
                    "%s has no blocks between states; give states_file, an LXCat file "
                    "with such blocks",
                    g->file);
  else if (has_file)
    return wn_config_find_file(r, file.entry, file.key, g->states_file, &g->states_path);
  return WN_OK;
}

/* Checks factors as far as possible without the cross sections. */
static int check_factors(struct wn_reader *r, const struct wn_cfg_component *g)
{
  struct component_key k = component_key(r, g, "factors");
  for (size_t i = 0; i < g->n_factors; i++) {
    struct wn_xs_factor f = {0};
    char *why = NULL;
    const int status = wn_config_factor(g->factors[i], &f, &why);
    if (status == WN_EINPUT && why != NULL)
      wn_reader_error(r, k.entry, k.key, "%s", why);
    else if (status != WN_OK)
      return WN_ENOMEM;
    else if (r->c->scattering == WN_ANGLE_ISOTROPIC && strcmp(f.process, "integral") == 0)
      wn_reader_error(r, k.entry, k.key,
                      "\"%s\" has no effect with scattering = \"isotropic\", which uses "
                      "the momentum-transfer cross section alone",
                      g->factors[i]);
    free(f.process);
    free(why);
  }
  return WN_OK;
}

static int check_component(struct wn_reader *r, struct wn_cfg_component *g)
{
  struct wn_config *c = r->c;
  if (g->target == NULL && !(g->target = wn_strdup(g->name)))
    return WN_ENOMEM;
  if (g->database != NULL && !*g->database) {
    /* "" in a resolved scenario: the only database */
    free(g->database);
    g->database = NULL;
  }
  double z = WN_AUTO;
  wn_config_gas_z(g->target, &z);
  if (g->atomic_number < 0)
    g->atomic_number = z;
  if (g->opal_width < 0)
    g->opal_width = wn_config_gas_opal_width(g->target);
  const size_t errors = r->n_errors;
  WN_TRY(check_file(r, g));
  if (c->scattering == WN_ANGLE_SCREENED_COULOMB && g->atomic_number < 0 &&
      r->n_errors == errors)
    needs_z(r, g);
  check_excited(r, g);
  WN_TRY(check_factors(r, g));
  WN_TRY(check_photons(r, g));
  return check_states(r, g);
}

static void remove_component(struct wn_config *c, size_t i)
{
  struct wn_cfg_component *g = &c->components[i];
  for (size_t k = 0; k < wn_config_n_keys(); k++)
    if (wn_config_key(k)->named == &wn_config_components)
      wn_config_value_free(wn_config_key(k), g);
  free(g->name);
  c->n_components--;
  memmove(g, g + 1, (c->n_components - i) * sizeof *g);
}

/* A component of fraction 0, as in scans over mixtures, is left out with all its keys;
 * its file need not exist. */
static void leave_out_empty(struct wn_reader *r)
{
  struct wn_config *c = r->c;
  const size_t n = c->n_components;
  for (size_t i = c->n_components; i-- > 0;) {
    const struct wn_cfg_component *g = &c->components[i];
    struct component_key k = component_key(r, g, "fraction");
    if (k.entry == NULL || k.entry->bad || g->fraction != 0)
      continue;
    wn_log_at(WN_LOG_INFO, k.entry->from_set ? k.entry->place : r->file, k.entry->line,
              "key `%s`: 0; the component is left out", k.key);
    remove_component(c, i);
  }
  if (n > 0 && c->n_components == 0)
    wn_reader_error(r, NULL, "gas.components",
                    "the fractions of all components are 0; one must be above 0");
}

/* The same cross sections twice would only add their fractions. */
static void check_twice(struct wn_reader *r)
{
  const struct wn_config *c = r->c;
  for (size_t i = 1; i < c->n_components; i++)
    for (size_t j = 0; j < i; j++) {
      const struct wn_cfg_component *a = &c->components[j], *b = &c->components[i];
      struct component_key k = component_key(r, b, "target");
      if (a->path == NULL || b->path == NULL || strcmp(a->target, b->target) != 0 ||
          strcmp(a->path, b->path) != 0 ||
          strcmp(a->database != NULL ? a->database : "",
                 b->database != NULL ? b->database : "") != 0)
        continue;
      wn_reader_error(r, k.entry, k.key,
                      "%s of %s is component %s already; remove one of the two and add "
                      "up their fractions",
                      b->target, b->file, a->name);
    }
}

static void check_fractions(struct wn_reader *r)
{
  struct wn_config *c = r->c;
  double sum = 0;
  bool complete = true;
  for (size_t i = 0; i < c->n_components; i++) {
    struct wn_cfg_component *g = &c->components[i];
    struct component_key k = component_key(r, g, "fraction");
    if (k.entry == NULL && c->n_components == 1)
      g->fraction = 1;
    else if (k.entry == NULL)
      wn_reader_error(r, NULL, k.key,
                      "missing; a gas of %zu components needs a fraction for each",
                      c->n_components);
    complete = complete && g->fraction > 0;
    sum += g->fraction;
  }
  if (!complete || c->n_components == 0)
    return; /* reported already */
  if (!(fabs(sum - 1) <= 1e-6)) {
    wn_reader_error(
        r, NULL, NULL,
        "the fractions of gas.components add up to %.9g; they must add up to 1 within "
        "1e-6",
        sum);
    return;
  }
  /* A sum within rounding is not changed, so that a resolved scenario reads back the same. */
  if (fabs(sum - 1) > 2 * (double)c->n_components * DBL_EPSILON) {
    for (size_t i = 0; i < c->n_components; i++)
      c->components[i].fraction /= sum;
  }
}

static void check_density(struct wn_reader *r)
{
  struct wn_config *c = r->c;
  const struct wn_entry *n = wn_reader_find(r, "gas.number_density");
  const struct wn_entry *p = wn_reader_find(r, "gas.pressure");
  double kt = WN_KB * c->temperature;
  c->density_given = n != NULL;
  if (c->number_density < 0) {
    if (c->temperature > 0 && c->pressure > 0)
      c->number_density = c->pressure / kt;
    else if (c->temperature > 0)
      wn_reader_error(r, p, "gas.pressure",
                      "a gas of pressure 0 has no collisions; give a "
                      "pressure above 0, or gas.number_density");
    else
      wn_reader_error(r, wn_reader_find(r, "gas.temperature"), "gas.temperature",
                      "at 0 K the pressure gives no density; give gas.number_density");
    return;
  }
  double made = c->number_density * kt;
  if (p == NULL)
    c->pressure = made;
  else if (!(fabs(c->pressure - made) <= 1e-6 * made))
    wn_reader_error(r, n, "gas.number_density",
                    "does not agree with gas.pressure: it is %.9g Pa at %.9g K, not %.9g "
                    "Pa; remove one of the two",
                    made, c->temperature, c->pressure);
}

static void check_fields(struct wn_reader *r)
{
  struct wn_config *c = r->c;
  const struct wn_entry *e = wn_reader_find(r, "fields");
  const struct wn_key *k = wn_config_find_key("fields", NULL, NULL);
  if (e == NULL) {
    wn_reader_error(r, NULL, "fields",
                    "missing; give the electric fields to run, as in fields = [\"120 "
                    "Td\", \"10 kV/cm\"]");
  } else if (c->cases != NULL && c->n_cases == 0) {
    wn_reader_error(r, e, "fields", "the list is empty; give at least one field");
  }
  if (!(c->number_density > 0))
    return; /* reported already */
  for (size_t i = 0; i < c->n_cases; i++) {
    struct wn_cfg_case *f = &c->cases[i];
    if (isnan(f->e))
      f->e = f->td * WN_TD * c->number_density;
    else
      f->td = f->e / c->number_density / WN_TD;
    if (!(f->e <= k->max))
      wn_reader_error(r, e, "fields",
                      "%s is %.9g V/m in this gas; at most %.9g V/m is allowed", f->text,
                      f->e, k->max);
  }
}

/* B from B/N, or B/N from B. */
static void check_magnetic(struct wn_reader *r)
{
  struct wn_config *c = r->c;
  const struct wn_key *k = wn_config_find_key("magnetic_field", NULL, NULL);
  if (!(c->number_density > 0))
    return; /* reported already */
  if (!isnan(c->magnetic_field)) {
    c->magnetic_hx = c->magnetic_field / c->number_density / WN_HX;
    return;
  }
  c->magnetic_field = c->magnetic_hx * WN_HX * c->number_density;
  if (!(c->magnetic_field <= k->max))
    wn_reader_error(r, wn_reader_find(r, k->key), k->key,
                    "%.9g Hx is %.9g T in this gas; at most %.9g T is allowed",
                    c->magnetic_hx, c->magnetic_field, k->max);
}

/* Keys of runaway jobs are harmless in a swarm, but a value that has no effect is reported. */
static void warn_unused(const struct wn_reader *r)
{
  const struct wn_config *c = r->c;
  static const double usual[] = {500, 1000, 2000, 5000};
  bool usual_list =
      c->n_thresholds == 4 && memcmp(c->thresholds_ev, usual, sizeof usual) == 0;
  const struct wn_entry *e[2] = {
      usual_list ? NULL : wn_reader_find(r, "runaway.thresholds"),
      c->stop_above_ev < 0 ? NULL : wn_reader_find(r, "runaway.stop_above")};
  for (int i = 0; i < 2; i++) {
    if (e[i] != NULL)
      wn_log_at(WN_LOG_WARN, e[i]->from_set ? e[i]->place : r->file,
                e[i]->from_set ? 0 : e[i]->line, "key `%s`: has no effect in a swarm job",
                e[i]->key);
  }
}

static void below_table_top(struct wn_reader *r, const char *key, double energy_ev)
{
  if (energy_ev > r->c->energy_max_ev)
    wn_reader_error(r, wn_reader_find(r, key), key,
                    "%.9g eV is above tables.energy_max, %.9g eV; raise that, or choose "
                    "a value up to it",
                    energy_ev, r->c->energy_max_ev);
}

/* A weighted ensemble. */
static void check_levels(struct wn_reader *r)
{
  struct wn_config *c = r->c;
  const double top = c->n_thresholds > 0 ? c->thresholds_ev[c->n_thresholds - 1] : 0.0,
               levels = log10(top / c->levels_from_ev) * (double)c->levels_per_decade;
  const char *key = key_to_name(r, "runaway.levels_from", "runaway.thresholds");
  if (!(top > c->levels_from_ev))
    wn_reader_error(r, wn_reader_find(r, key), key,
                    "runaway.levels_from, %.9g eV, is not below the last of "
                    "runaway.thresholds, %.9g eV",
                    c->levels_from_ev, top);
  else if (levels > (double)(WN_MAX_EDGES - 1))
    wn_reader_error(
        r, wn_reader_find(r, "runaway.levels_per_decade"), "runaway.levels_per_decade",
        "%zu a decade are %.0f levels from %.9g eV to %.9g eV; at most %d are allowed",
        c->levels_per_decade, ceil(levels), c->levels_from_ev, top, WN_MAX_EDGES - 1);
  if (c->population_target == 0)
    c->population_target = 1000;
  if (c->population_target < c->groups)
    wn_reader_error(
        r, wn_reader_find(r, "population.target"), "population.target",
        "%zu electrons in a level are less than one in each of the %zu groups; at least "
        "%zu are needed, or fewer `groups`",
        c->population_target, c->groups, c->groups);
}

/* Coefficients named in `accuracy`. */
static void check_goals(struct wn_reader *r)
{
#define GOAL_KEY(symbol, word, ...) "accuracy." word,
  static const char *const key[] = {WN_GOALS(GOAL_KEY)};
#undef GOAL_KEY
  const struct wn_config *c = r->c;
  bool field = true;
  for (size_t i = 0; i < c->n_cases; i++)
    field = field && c->cases[i].e != 0;
  for (int i = 0; i < WN_N_GOALS; i++) {
    const struct wn_entry *e = wn_reader_find(r, key[i]);
    if (!(c->goal[i] > 0))
      continue;
    if (c->job != WN_JOB_SWARM)
      wn_reader_error(r, e, key[i],
                      "names a coefficient of a swarm; job \"%s\" takes a number, as in "
                      "accuracy = 0.1",
                      c->job == WN_JOB_RATE ? "runaway-rate" : "runaway");
    else if (!field && (i == WN_GOAL_MOBILITY || i == WN_GOAL_BULK_MOBILITY ||
                        i >= WN_GOAL_IONIZATION))
      wn_reader_error(r, e, key[i],
                      "not defined for the field of 0 in `fields`; allowed with it: "
                      "mean_energy, flux_DT, flux_DL, bulk_DT, bulk_DL");
  }
  const struct wn_entry *floor = wn_reader_find(r, "accuracy.floor");
  if (floor != NULL && !wn_config_has_goals(c))
    wn_reader_error(r, floor, "accuracy.floor",
                    "needs names of coefficients beside it, as in accuracy = { alpha = "
                    "0.01; floor = 1e-25; }");
}

/* Given, and rejected: rules that depend on it cannot be checked. */
static bool is_bad(const struct wn_reader *r, const char *key)
{
  const struct wn_entry *e = wn_reader_find(r, key);
  return e != NULL && e->bad;
}

/* In gas at rest and no field electrons lose energy without end: no accuracy is ever reached. */
static void check_steady(struct wn_reader *r)
{
  const struct wn_config *c = r->c;
  for (size_t i = 0; i < c->n_cases; i++)
    if (c->cases[i].e == 0.0 && !c->thermal_motion && !(c->duration > 0.0)) {
      wn_reader_error(
          r, wn_reader_find(r, "fields"), "fields",
          "%s in a gas without thermal motion has no steady state to wait for; "
          "give duration, or gas.thermal_motion = true",
          c->cases[i].text);
      return;
    }
}

static void check_job(struct wn_reader *r)
{
  struct wn_config *c = r->c;
  if (is_bad(r, "job"))
    return;
  check_goals(r);
  if (c->job == WN_JOB_RUNAWAY || c->job == WN_JOB_RATE) {
    const struct wn_entry *e = wn_reader_find(r, "duration");
    if (c->duration < 0)
      wn_reader_error(r, e, "duration", "%sa %s job needs a time, such as \"1 ns\"",
                      e != NULL ? "" : "missing; ",
                      c->job == WN_JOB_RATE ? "runaway-rate" : "runaway");
    if (wn_config_has_levels(c) && c->n_thresholds > 0)
      check_levels(r);
    if (c->job == WN_JOB_RATE && c->runaway_levels)
      wn_reader_error(r, wn_reader_find(r, "runaway.levels"), "runaway.levels",
                      "is for job runaway; a runaway-rate job always has levels");
    if (c->n_thresholds == 0 && !is_bad(r, "runaway.thresholds"))
      wn_reader_error(r, wn_reader_find(r, "runaway.thresholds"), "runaway.thresholds",
                      "the list is empty; a %s job needs at least one energy",
                      c->job == WN_JOB_RATE ? "runaway-rate" : "runaway");
    /* first passages of each primary are found by its number */
    if (c->job == WN_JOB_RUNAWAY && c->electrons > WN_TAG_LINEAGE_MASK)
      wn_reader_error(r, wn_reader_find(r, "electrons"), "electrons",
                      "a runaway job follows at most %u primaries; use fewer, or several "
                      "runs with different values of `seed`",
                      WN_TAG_LINEAGE_MASK);
    if (c->n_thresholds > WN_MAX_THRESHOLDS)
      wn_reader_error(r, wn_reader_find(r, "runaway.thresholds"), "runaway.thresholds",
                      "%zu energies; there can be at most %d", c->n_thresholds,
                      WN_MAX_THRESHOLDS);
    for (size_t i = 0; i < c->n_thresholds; i++)
      below_table_top(r, "runaway.thresholds", c->thresholds_ev[i]);
    c->thresholds_at =
        wn_reader_place(r, wn_reader_find(r, "runaway.thresholds"), "runaway.thresholds");
    below_table_top(r, "runaway.stop_above", c->stop_above_ev);
  } else {
    if (c->population_target == 0)
      c->population_target = c->electrons;
    check_steady(r);
    warn_unused(r);
    if (c->runaway_levels)
      wn_reader_error(r, wn_reader_find(r, "runaway.levels"), "runaway.levels",
                      "has no effect in a swarm job; levels are for job runaway");
  }
  below_table_top(r, "initial_energy", c->initial_energy_ev);
  const char *key = key_to_name(r, "groups", "electrons");
  if (c->groups > c->electrons)
    wn_reader_error(r, wn_reader_find(r, key), key,
                    "%zu groups need at least as many electrons, and there are %zu",
                    c->groups, c->electrons);
  if (!wn_config_has_levels(c) && c->population_target > 0 &&
      c->population_target < c->groups && c->groups <= c->electrons)
    wn_reader_error(r, wn_reader_find(r, "population.target"), "population.target",
                    "%zu electrons are less than one in each of the %zu groups; at least "
                    "%zu are needed, or fewer `groups`",
                    c->population_target, c->groups, c->groups);
  /* the default for a swarm is `electrons`, which was checked before */
  if (c->population_target > c->capacity &&
      (c->population_target != c->electrons || c->electrons <= c->capacity))
    wn_reader_error(r, wn_reader_find(r, "population.target"), "population.target",
                    "%zu electrons are more than population.capacity, %zu",
                    c->population_target, c->capacity);
  if (!(c->distribution_min_ev < c->distribution_max_ev))
    wn_reader_error(r, wn_reader_find(r, "distribution.maximum"), "distribution.maximum",
                    "%.9g eV is not above distribution.minimum, %.9g eV",
                    c->distribution_max_ev, c->distribution_min_ev);
}

#define MOLLER_CUT_EV 1e4 /* the default */

/* Where losses along the flight are not available. */
static void check_continuous(struct wn_reader *r)
{
  const struct wn_config *c = r->c;
  bool field = false;
  for (size_t i = 0; i < c->n_cases; i++)
    field = field || c->cases[i].e != 0.0;
  const struct {
    bool is;
    const char *text;
  } wrong[] = {
      {!(c->moller_soft_from_ev > 0.0), "has no effect without moller.soft_from"},
      {!(c->stop_below_ev > 0.0), "needs stop_below: candidates come in its bands"},
      {field, "takes fields of 0 alone; with a field take \"quanta\""},
      {c->magnetic_field > 0.0,
       "is not available with a magnetic field; take \"quanta\""},
      {wn_config_gas_changes(c) || wn_config_field_changes(c),
       "is not available where density or field change along z; take "
       "\"quanta\""},
      {wn_config_detectors(c) > 0, "is not available with detectors; take \"quanta\""},
  };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    if (wrong[i].is) {
      wn_reader_error(r, wn_reader_find(r, "moller.soft_loss"), "moller.soft_loss", "%s",
                      wrong[i].text);
      return;
    }
}

/* Keys of sharing moller. */
static void check_moller(struct wn_reader *r)
{
  const struct wn_config *c = r->c;
  const struct {
    const char *key;
    bool usual; /* a resolved scenario writes it */
  } part[] = {
      {"moller.cut", c->moller_cut_ev == MOLLER_CUT_EV},
      {"moller.soft_from", c->moller_soft_from_ev < 0.0},
      {"moller.soft_quantum", c->moller_soft_quantum_ev < 0.0},
      {"moller.soft_loss", c->moller_loss == WN_LOSS_QUANTA},
      {"moller.density_effect", c->moller_density == WN_DENSITY_EFFECT_AIR},
  };
  for (size_t i = 0; i < sizeof part / sizeof *part; i++)
    if (c->sharing != WN_SHARING_MOLLER && !part[i].usual)
      wn_reader_error(r, wn_reader_find(r, part[i].key), part[i].key,
                      "has no effect without sharing = \"moller\"");
  if (c->sharing != WN_SHARING_MOLLER)
    return;
  if (!(2.0 * c->moller_cut_ev < c->energy_max_ev))
    wn_reader_error(
        r, wn_reader_find(r, "moller.cut"), "moller.cut",
        "%.9g eV is not below half of tables.energy_max, %.9g eV: no electron "
        "of the tables would lose as much",
        c->moller_cut_ev, c->energy_max_ev);
  if (c->moller_soft_from_ev > 0.0 && !(c->moller_soft_from_ev >= 2.0 * c->moller_cut_ev))
    wn_reader_error(r, wn_reader_find(r, "moller.soft_from"), "moller.soft_from",
                    "%.9g eV is below twice moller.cut, %.9g eV; take at least %.9g eV",
                    c->moller_soft_from_ev, c->moller_cut_ev, 2.0 * c->moller_cut_ev);
  if (c->moller_soft_from_ev < 0.0 && c->moller_soft_quantum_ev > 0.0)
    wn_reader_error(r, wn_reader_find(r, "moller.soft_quantum"), "moller.soft_quantum",
                    "has no effect without moller.soft_from");
  if (c->moller_loss == WN_LOSS_CONTINUOUS)
    check_continuous(r);
}

#define GROUPED_ANGLE (10.0 * WN_PI / 180.0) /* the default */

/* Keys of grouped elastic scattering. */
static void check_grouped(struct wn_reader *r)
{
  const struct wn_config *c = r->c;
  const char *from = "elastic.grouped_from", *angle = "elastic.grouped_angle";
  if (!(c->grouped_from_ev > 0.0)) {
    if (fabs(c->grouped_angle - GROUPED_ANGLE) > 1e-12)
      wn_reader_error(r, wn_reader_find(r, angle), angle,
                      "has no effect without elastic.grouped_from");
    return;
  }
  if (c->scattering == WN_ANGLE_ISOTROPIC)
    wn_reader_error(r, wn_reader_find(r, from), from,
                    "needs forward angles: scattering okhrimovskyy, screened-coulomb or "
                    "moliere; with isotropic ones every deflection is large");
  if (!(c->grouped_from_ev < c->energy_max_ev))
    wn_reader_error(r, wn_reader_find(r, from), from,
                    "%.9g eV is not below tables.energy_max, %.9g eV", c->grouped_from_ev,
                    c->energy_max_ev);
}

/* Electrons below an energy are removed. */
static void check_floor(struct wn_reader *r)
{
  const struct wn_config *c = r->c;
  const struct wn_entry *e = wn_reader_find(r, "stop_below");
  if (!(c->stop_below_ev > 0.0))
    return;
  if (wn_config_has_levels(c))
    wn_reader_error(r, e, "stop_below",
                    "a runaway%s follows electrons from the lowest energies on; only "
                    "jobs swarm and runaway can do without%s",
                    c->job == WN_JOB_RATE ? "-rate job" : " job with runaway.levels",
                    c->job == WN_JOB_RATE ? "" : ", the latter without levels");
  else if (!(c->initial_energy_ev > c->stop_below_ev))
    wn_reader_error(
        r, e, "stop_below",
        "%.9g eV is not below initial_energy, %.9g eV: the electrons would be "
        "removed at their first collision",
        c->stop_below_ev, c->initial_energy_ev);
}

int wn_config_check_gas(struct wn_reader *r)
{
  struct wn_config *c = r->c;
  if (c->n_components == 0)
    wn_reader_error(
        r, NULL, "gas.components",
        "missing; a gas needs a component, as in gas = { components = { N2 = { file = "
        "\"builtin:air\"; }; }; };");
  leave_out_empty(r);
  for (size_t i = 0; i < c->n_components; i++)
    WN_TRY(check_component(r, &c->components[i]));
  check_twice(r);
  check_fractions(r);
  check_density(r);
  check_moller(r);
  check_grouped(r);
  return WN_OK;
}

static int check_mcc(struct wn_reader *r)
{
  WN_TRY(wn_config_check_scans(r));
  WN_TRY(wn_config_check_profiles(r));
  WN_TRY(wn_config_check_gas(r));
  check_fields(r);
  check_magnetic(r);
  check_job(r);
  check_floor(r);
  wn_config_check_radiation(r);
  wn_config_check_detectors(r);
  WN_TRY(wn_config_check_waveform(r));
  return WN_OK;
}

/* The name of the scenario file without folders and without .cfg. */
static int make_names(struct wn_config *c)
{
  const char *slash = strrchr(c->file, '/'), *base = slash != NULL ? slash + 1 : c->file;
  size_t len = strlen(base);
  if (len > 4 && strcmp(base + len - 4, ".cfg") == 0)
    len -= 4;
  if (c->title == NULL)
    c->title = wn_asprintf("%.*s", (int)len, base);
  if (c->output == NULL)
    c->output = wn_asprintf("%.*s.nc", (int)len, base);
  return c->title != NULL && c->output != NULL ? WN_OK : WN_ENOMEM;
}

bool wn_config_device(const char *text, int *gpu)
{
  int n = 0;
  if (strcmp(text, "auto") == 0)
    *gpu = WN_ON_WHATEVER_THERE_IS;
  else if (strcmp(text, "cpu") == 0)
    *gpu = WN_ON_CPU;
  else if (strcmp(text, "cuda") == 0)
    *gpu = 0;
  else if (strncmp(text, "cuda:", 5) == 0 && strlen(text + 5) <= 3 &&
           text[5 + strspn(text + 5, "0123456789")] == '\0' &&
           sscanf(text + 5, "%d", &n) == 1)
    *gpu = n;
  else
    return false;
  return true;
}

static void check_device(struct wn_reader *r)
{
  const struct wn_config *c = r->c;
  int gpu;
  if (!wn_config_device(c->device, &gpu))
    wn_reader_error(r, wn_reader_find(r, "device"), "device",
                    "no such device; allowed: auto, cpu, cuda, cuda:N with the number N "
                    "of a GPU");
  if (c->block_size % 32 != 0)
    wn_reader_error(r, wn_reader_find(r, "block_size"), "block_size",
                    "%d is not a multiple of 32, the threads of a warp", c->block_size);
}

/* What the key `device` excludes; the number of processes is not known here. */
static void check_available(struct wn_reader *r)
{
  int gpu = WN_ON_CPU;
  struct wn_unavailable part;
  if (r->n_errors == 0 && wn_config_device(r->c->device, &gpu) &&
      wn_unavailable(r->c, wn_available_where(r->c, gpu >= 0, 1), &part))
    wn_reader_error(r, wn_reader_find(r, part.key), part.key, "%s", part.text);
}

int wn_config_check(struct wn_reader *r)
{
  struct wn_config *c = r->c;
  WN_TRY(make_names(c));
  if (!*c->output)
    wn_reader_error(r, wn_reader_find(r, "output"), "output",
                    "an empty name is not allowed");
  const char *key = key_to_name(r, "electrons", "population.capacity");
  if (r->model != WN_MODEL_PLASMA && c->electrons > c->capacity)
    wn_reader_error(r, wn_reader_find(r, key), key,
                    "%zu electrons are more than population.capacity, %zu", c->electrons,
                    c->capacity);
  check_device(r);
  if (r->model == WN_MODEL_PLASMA)
    WN_TRY(wn_config_check_plasma(r));
  else
    WN_TRY(check_mcc(r));
  check_available(r);
  return WN_OK;
}
