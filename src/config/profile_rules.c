/* src/config/profile_rules.c - rules for density and electric field along z of runaway jobs, and their files */
#include <math.h>
#include <string.h>
#include "base/error.h"
#include "physics/constants.h"
#include "src/config/columns.h"
#include "src/config/reader.h"

#define SHAPE     "gas.profile.shape"
#define MOST_ROWS 10000

/* A pair of lists that are given in the scenario or by a file. */
struct table {
  struct wn_columns_spec file; /* its key */
  const char *key[2];          /* of the lists */
  double **value[2];
  size_t *n[2];
  char **name, **path, **source;
};

static struct table gas_table(struct wn_config *c)
{
  const struct wn_key *altitudes =
                          wn_config_find_key("gas.profile.altitudes", NULL, NULL),
                      *densities =
                          wn_config_find_key("gas.profile.densities", NULL, NULL);
  return (struct table){.file = {.key = "gas.profile.table_file",
                                 .line = "an altitude in metres and a density in 1/m3",
                                 .order = "altitudes must increase from line to line",
                                 .column = {{"an altitude", "from -1e+07 to 1e+07 m",
                                             altitudes->min, altitudes->max, 0},
                                            {"a density", "above 0, up to 1e+31 1/m3",
                                             0.0, densities->max, 1}}},
                        .key = {altitudes->key, densities->key},
                        .value = {&c->gas_profile.altitudes, &c->gas_profile.densities},
                        .n = {&c->gas_profile.n_altitudes, &c->gas_profile.n_densities},
                        .name = &c->gas_profile.file,
                        .path = &c->gas_profile.path,
                        .source = &c->gas_profile.source};
}

static struct table field_table(struct wn_config *c)
{
  const struct wn_key *places = wn_config_find_key("field_profile.places", NULL, NULL),
                      *factors = wn_config_find_key("field_profile.factors", NULL, NULL);
  return (struct table){.file = {.key = "field_profile.file",
                                 .line = "a place in metres and a factor",
                                 .order = "places must increase from line to line",
                                 .column = {{"a place", "from -1e+07 to 1e+07 m",
                                             places->min, places->max, 0},
                                            {"a factor", "from -1e+12 to 1e+12",
                                             factors->min, factors->max, 0}}},
                        .key = {places->key, factors->key},
                        .value = {&c->field_profile.places, &c->field_profile.factors},
                        .n = {&c->field_profile.n_places, &c->field_profile.n_factors},
                        .name = &c->field_profile.file,
                        .path = &c->field_profile.path,
                        .source = &c->field_profile.source};
}

static bool names_file(const struct table *t)
{
  return *t->name != NULL && **t->name != '\0';
}

/* The numbers replace the name of the file, so that the resolved scenario contains them. */
static int take_file(struct wn_reader *r, const struct table *t)
{
  struct wn_columns p;
  const size_t errors = r->n_errors;
  const char *key = t->file.key;
  WN_TRY(wn_config_find_file(r, wn_reader_find(r, key), key, *t->name, t->path));
  if (*t->path == NULL)
    return WN_OK; /* reported already */
  WN_TRY(wn_columns_read(r, &t->file, *t->path, &p));
  if (r->n_errors > errors)
    return WN_OK;
  for (int i = 0; i < 2; i++) {
    wn_config_value_free(wn_config_find_key(t->key[i], NULL, NULL), r->c);
    *t->value[i] = p.value[i];
    *t->n[i] = p.n;
  }
  *t->source = *t->path;
  *t->path = NULL;
  wn_config_value_free(wn_config_find_key(key, NULL, NULL), r->c);
  return WN_OK;
}

/* Reads the file, if one is named; then both lists are as long, with `least` rows or more. */
static int check_table(struct wn_reader *r, const struct table *t, size_t least)
{
  const size_t errors = r->n_errors;
  const struct wn_entry *list[2] = {wn_reader_find(r, t->key[0]),
                                    wn_reader_find(r, t->key[1])},
                        *file = wn_reader_find(r, t->file.key);
  const bool from_file = names_file(t);
  if (from_file && (*t->n[0] > 0 || *t->n[1] > 0))
    wn_reader_error(r, file, t->file.key, "replaces %s and %s; remove one or the other",
                    t->key[0], t->key[1]);
  else if (from_file)
    WN_TRY(take_file(r, t));
  if (r->n_errors > errors || (list[0] != NULL && list[0]->bad) ||
      (list[1] != NULL && list[1]->bad))
    return WN_OK;
  const struct wn_entry *of = from_file ? file : list[0];
  const char *key = from_file ? t->file.key : t->key[0];
  if (*t->n[0] < least || *t->n[0] > MOST_ROWS)
    wn_reader_error(r, of, key, "%zu row%s; %zu to %d are needed, by %s and %s or by %s",
                    *t->n[0], *t->n[0] == 1 ? "" : "s", least, MOST_ROWS, t->key[0],
                    t->key[1], t->file.key);
  else if (*t->n[0] != *t->n[1])
    wn_reader_error(r, list[1], t->key[1], "%zu for %zu %s; one for each is needed",
                    *t->n[1], *t->n[0], t->key[0]);
  return WN_OK;
}

/* A profile is for electrons that stay where they are. */
static void check_job(struct wn_reader *r, const char *key)
{
  const struct wn_config *c = r->c;
  if (c->job == WN_JOB_SWARM)
    wn_reader_error(
        r, wn_reader_find(r, key), key,
        "is for job runaway; in a swarm job electrons are moved back to z = 0 "
        "in between, and a steady state needs a uniform gas and field");
  else if (c->job != WN_JOB_RUNAWAY)
    wn_reader_error(
        r, wn_reader_find(r, key), key,
        "is for job runaway; job runaway-rate needs a steady swarm, and there "
        "is none where gas or field change with the place");
}

/* ---- the gas */

static void check_gas_unused(struct wn_reader *r)
{
  const struct wn_config *c = r->c;
  const bool is_table = c->gas_profile.shape == WN_GAS_TABLE,
             is_profile = c->gas_profile.shape != WN_GAS_UNIFORM;
  const struct {
    const char *key;
    bool usual;
  } part[] = {
      {"gas.profile.altitude", is_profile || c->gas_profile.altitude == 0.0},
      {"gas.profile.upward", is_profile || c->gas_profile.upward == WN_UP_ALONG_Z},
      {"gas.profile.altitudes", is_table || c->gas_profile.n_altitudes == 0},
      {"gas.profile.densities", is_table || c->gas_profile.n_densities == 0},
      {"gas.profile.table_file",
       is_table || c->gas_profile.file == NULL || *c->gas_profile.file == '\0'}};
  static const char *const word[] = {"uniform", "us-standard-1976", "table"};
  for (size_t i = 0; i < sizeof part / sizeof *part; i++)
    if (!part[i].usual)
      wn_reader_error(r, wn_reader_find(r, part[i].key), part[i].key,
                      "has no effect with " SHAPE " = \"%s\"",
                      word[c->gas_profile.shape]);
}

/* The density at the release, which a given one must be. */
static void take_density(struct wn_reader *r)
{
  struct wn_config *c = r->c;
  const struct wn_entry *p = wn_reader_find(r, "gas.pressure"),
                        *n = wn_reader_find(r, "gas.number_density");
  const double made = wn_config_density_at(c, c->gas_profile.altitude),
               pressure = made * WN_KB * c->temperature;
  if (n != NULL && !n->bad && !(fabs(c->number_density - made) <= 1e-6 * made))
    wn_reader_error(r, n, "gas.number_density",
                    "does not agree with " SHAPE ": at gas.profile.altitude it is %.9g "
                    "1/m3; remove the key",
                    made);
  if (p != NULL && !p->bad && !(fabs(c->pressure - pressure) <= 1e-6 * pressure))
    wn_reader_error(r, p, "gas.pressure",
                    "does not agree with " SHAPE
                    ": at gas.profile.altitude it is %.9g Pa "
                    "at %.9g K; remove the key",
                    pressure, c->temperature);
  c->number_density = made;
  c->pressure = pressure;
}

static void check_altitude(struct wn_reader *r)
{
  const struct wn_config *c = r->c;
  const char *key = "gas.profile.altitude";
  const struct wn_entry *e = wn_reader_find(r, key);
  double low, high;
  wn_config_altitudes(c, &low, &high);
  const bool is_table = c->gas_profile.shape == WN_GAS_TABLE;
  if (c->gas_profile.altitude > high)
    wn_reader_error(r, e, key, "%.9g m is above the %s, which %s at %.9g m",
                    c->gas_profile.altitude,
                    is_table ? "table" : "U.S. Standard Atmosphere 1976",
                    is_table ? "ends" : "is known here up to 86 km and ends", high);
  else if (c->gas_profile.altitude < low)
    wn_reader_error(r, e, key, "%.9g m is below the %s, which begins at %.9g m",
                    c->gas_profile.altitude,
                    is_table ? "table" : "U.S. Standard Atmosphere 1976", low);
}

static int check_gas(struct wn_reader *r)
{
  struct wn_config *c = r->c;
  const size_t errors = r->n_errors;
  check_gas_unused(r);
  if (c->gas_profile.shape == WN_GAS_UNIFORM)
    return WN_OK;
  check_job(r, SHAPE);
  if (c->gas_profile.shape == WN_GAS_TABLE) {
    const struct table t = gas_table(c);
    WN_TRY(check_table(r, &t, 2));
  }
  if (r->n_errors > errors)
    return WN_OK;
  check_altitude(r);
  if (r->n_errors == errors)
    take_density(r);
  if (c->sharing == WN_SHARING_MOLLER && c->moller_density != WN_DENSITY_EFFECT_NONE)
    wn_reader_error(
        r, wn_reader_find(r, "moller.density_effect"), "moller.density_effect",
        "is that of one density, and with " SHAPE " there are many; allowed: none");
  return WN_OK;
}

/* ---- the field */

static int check_field(struct wn_reader *r)
{
  struct wn_config *c = r->c;
  const struct table t = field_table(c);
  if (*t.n[0] == 0 && *t.n[1] == 0 && !names_file(&t))
    return WN_OK;
  check_job(r, names_file(&t) ? t.file.key : t.key[0]);
  return check_table(r, &t, 2);
}

int wn_config_check_profiles(struct wn_reader *r)
{
  WN_TRY(check_gas(r));
  return check_field(r);
}
