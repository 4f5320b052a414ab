/* src/config/config.c - a scenario: from the entries of reader.c to values.  Rules for
 * single values are in value.c, rules between values in check.c. */
#include "src/config/reader.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/log.h"
#include "physics/constants.h"

static int add_named(struct wn_reader *r)
{
  for (size_t i = 0; i < r->n_entries; i++) {
    const char *name;
    size_t len;
    const struct wn_entry *e = &r->entry[i];
    const struct wn_named *g = wn_config_named_of(e->key, &name, &len);
    /* a value in place of a group names no element */
    if (g != NULL && (name[len] || config_setting_is_group(e->value)))
      WN_TRY(wn_config_named_add(g, r->c, r->n_entries, name, len));
  }
  return WN_OK;
}

static int put_default(const struct wn_key *k, const char *def, void *base)
{
  char *why = NULL, *line = wn_asprintf("value = %s;", def);
  config_t t;
  config_init(&t);
  bool good = line != NULL && config_read_string(&t, line);
  free(line);
  int status =
      good ? wn_config_value_put(k, config_lookup(&t, "value"), base, &why) : WN_ENOMEM;
  WN_ASSERT(status != WN_EINPUT); /* a default outside of its own range */
  config_destroy(&t);
  return status;
}

static int put_defaults(struct wn_reader *r)
{
  for (size_t i = 0; i < wn_config_n_keys(); i++) {
    const struct wn_key *k = wn_config_key(i);
    const char *def =
        r->model != WN_MODEL_MCC && k->def_plasma != NULL ? k->def_plasma : k->def;
    if (def == NULL)
      continue;
    if (k->named == NULL)
      WN_TRY(put_default(k, def, r->c));
    else
      for (size_t j = 0; j < wn_config_named_count(k->named, r->c); j++)
        WN_TRY(put_default(k, def, (void *)wn_config_named_at(k->named, r->c, j)));
  }
  return WN_OK;
}

/* Defaults depend on the model, so it is read first; its errors are reported with the others.  broken: the
 * file could not be read, and the model is known only if an override names it. */
static int find_model(struct wn_reader *r, bool broken)
{
  const struct wn_key *k = wn_config_find_key("model", NULL, NULL);
  const struct wn_entry *e = wn_reader_find(r, "model");
  char *why = NULL;
  int status = e != NULL ? wn_config_value_put(k, e->value, r->c, &why) : WN_OK;
  free(why);
  r->model = r->c->model;
  r->model_is_bad = status == WN_EINPUT || (broken && e == NULL);
  return status == WN_EINPUT ? WN_OK : status;
}

static bool is_group(const char *key)
{
  size_t len, n = strlen(key);
  const char *name;
  if (wn_config_named_of(key, &name, &len) != NULL && len > 0 && !name[len])
    return true;
  for (size_t i = 0; i < wn_config_n_keys(); i++) {
    const char *full = wn_config_key(i)->key;
    if (strncmp(full, key, n) == 0 && full[n] == '.')
      return true;
  }
  return false;
}

/* A key of a named group without its name, such as walls.yield = 0.1. */
static bool lacks_name(const struct wn_entry *e)
{
  size_t len;
  const char *name;
  const struct wn_named *g = wn_config_named_of(e->key, &name, &len);
  if (g == NULL || config_setting_is_group(e->value) || name[len])
    return false;
  for (size_t i = 0; i < wn_config_n_keys(); i++)
    if (wn_config_key(i)->named == g &&
        strcmp(wn_config_last_part(wn_config_key(i)->key), name) == 0)
      return true;
  return false;
}

/* Unknown keys that are named; the others are counted.  The search for the nearest key
 * takes time, and a longer list would not be read. */
#define SHOWN_UNKNOWN 20

static void unknown_key(struct wn_reader *r, const struct wn_entry *e)
{
  if (is_group(e->key) && !lacks_name(e)) {
    const char *name, *group = e->key;
    size_t len;
    const struct wn_named *g = wn_config_named_of(e->key, &name, &len);
    if (g != NULL)
      group = g->prefix;
    len = strlen(group) - (g != NULL); /* without the dot */
    if (!config_setting_is_group(e->value))
      wn_reader_error(r, e, e->key,
                      "`%s` is a group of keys, not a value; `wilson help %.*s` lists "
                      "them",
                      e->key, (int)len, group);
    if (!config_setting_is_group(e->value))
      wn_reader_meant(r, wn_strdup(e->key));
    return; /* an empty group has no effect */
  }
  r->n_errors++;
  if (++r->n_unknown > SHOWN_UNKNOWN)
    return;
  char *near = wn_config_nearest_key(e->key);
  const char *file = e->from_set ? e->place : r->file;
  wn_log_at(WN_LOG_ERROR, file, e->from_set ? 0 : e->line, "key `%s`: unknown key%s%s%s",
            e->key, near != NULL ? "; nearest is `" : "; `wilson list keys` shows all",
            near != NULL ? near : "", near != NULL ? "`" : "");
  wn_reader_meant(r, near);
}

static void wrong_name(struct wn_reader *r, const struct wn_entry *e,
                       const struct wn_named *g)
{
  if (g->names == NULL)
    wn_reader_error(r, e, e->key,
                    "%s name has a letter, then letters, digits, - and _, at most 63 "
                    "characters in all",
                    g->whose);
  else
    wn_reader_error(r, e, e->key,
                    "%s name must be one of x_low, x_high, y_low, y_high, z_low, z_high",
                    g->whose);
}

/* An error of a value that needs itself, through that of `first`, which is being read. */
static int is_circular(struct wn_reader *r, struct wn_entry *e,
                       const struct wn_entry *first)
{
  char *through = wn_strdup("");
  for (const struct wn_entry *at = e; at != first && through != NULL;) {
    at = at->needed_by;
    char *longer = wn_asprintf("`%s`%s%s", at->key, *through ? ", " : "", through);
    free(through);
    through = longer;
  }
  if (through == NULL)
    return WN_ENOMEM;
  const struct wn_key *k = wn_config_find_key(e->key, NULL, NULL);
  wn_reader_error(r, e, e->key, "is defined by itself%s%s; units of %s: %s%s",
                  *through ? ", through " : "", through, wn_config_units_plural(k->unit),
                  wn_config_units_allowed(k->unit), wn_config_relative_units(k));
  free(through);
  e->bad = true;
  return WN_OK;
}

/* Values that define a value may be defined by others, in a chain of at most so many. */
#define LONGEST_CHAIN 16

static int put_entry(struct wn_reader *r, struct wn_entry *e);

/* Reads all values that this one needs. */
static int put_needed(struct wn_reader *r, struct wn_entry *e)
{
  size_t n = 0;
  for (const struct wn_entry *at = e; at != NULL; at = at->needed_by)
    n++;
  for (size_t i = 0; i < r->n_entries && !e->bad; i++) {
    struct wn_entry *on = &r->entry[i];
    if (on->state == WN_ENTRY_READ || !wn_relative_needs(r, e, on->key))
      continue;
    if (on->state == WN_ENTRY_READING) {
      WN_TRY(is_circular(r, e, on));
    } else if (n > LONGEST_CHAIN) {
      wn_reader_error(
          r, e, e->key,
          "is defined by the value of another key, which is defined by another, "
          "and so on; at most %d may follow each other",
          LONGEST_CHAIN);
      e->bad = true;
    } else {
      on->needed_by = e;
      WN_TRY(put_entry(r, on));
    }
  }
  return WN_OK;
}

/* A value into its place at base. */
static int put_value(struct wn_reader *r, struct wn_entry *e, const struct wn_key *k,
                     void *base)
{
  const config_setting_t *value = e->value;
  struct wn_key here = *k;
  here.flags &= r->model == WN_MODEL_PLASMA ? ~WN_KEY_MCC : ~0u; /* its messages */
  char *why = NULL;
  config_t absolute;
  config_init(&absolute);
  int status = WN_OK;
  const bool relative = wn_relative_is(r, e);
  if (relative)
    status = put_needed(r, e);
  if (relative && status == WN_OK)
    status = e->bad ? WN_EINPUT : wn_relative_resolve(r, e, &absolute, &value);
  if (status == WN_OK) {
    status = wn_config_value_put(&here, value, base, &why);
    if (status == WN_EINPUT)
      wn_reader_error(r, e, e->key, "%s", why != NULL ? why : "not valid");
  }
  free(why);
  config_destroy(&absolute);
  e->bad = e->bad || status == WN_EINPUT;
  return status == WN_EINPUT ? WN_OK : status;
}

static int put_entry(struct wn_reader *r, struct wn_entry *e)
{
  const char *name;
  size_t len;
  struct wn_config *c = r->c;
  const struct wn_key *k = wn_config_find_key(e->key, &name, &len);
  if (e->state != WN_ENTRY_UNREAD)
    return WN_OK;
  e->state = WN_ENTRY_READ;
  if (k == NULL) {
    unknown_key(r, e);
    return WN_OK;
  }
  if (!(k->flags & wn_config_model_flag[r->model]) && r->model_is_bad)
    return WN_OK; /* the model of the key is known when the scenario is */
  if (!(k->flags & wn_config_model_flag[r->model])) {
    int of = 0;
    if (k->named == &wn_config_scans) {
      wn_reader_error(r, e, e->key,
                      "model %s has no scans; run it once for each value, with --set "
                      "KEY=VALUE and --output FILE",
                      wn_config_model_name[r->model]);
      return WN_OK;
    }
    while (!(k->flags & wn_config_model_flag[of]))
      of++;
    wn_reader_error(r, e, e->key,
                    "model %s does not use `%s`; remove it, or set model = \"%s\"",
                    wn_config_model_name[r->model], e->key, wn_config_model_name[of]);
    return WN_OK;
  }
  void *base = k->named != NULL ? wn_config_named_find(k->named, c, name, len) : c;
  if (base == NULL) {
    wrong_name(r, e, k->named);
    return WN_OK;
  }
  e->state = WN_ENTRY_READING;
  WN_TRY(put_value(r, e, k, base));
  e->state = WN_ENTRY_READ;
  return WN_OK;
}

static int read_scenario(struct wn_reader *r, size_t n_set, const char *const *set,
                         char **place)
{
  int status = wn_reader_file(r);
  bool broken = status == WN_EINPUT; /* the overrides are still checked, alone */
  if (status != WN_OK && !broken)
    return status;
  for (size_t i = 0; i < n_set; i++)
    WN_TRY(wn_reader_set(r, set[i], &place[i]));
  WN_TRY(find_model(r, broken));
  WN_TRY(add_named(r));
  WN_TRY(put_defaults(r));
  for (size_t i = 0; i < r->n_entries; i++)
    WN_TRY(put_entry(r, &r->entry[i]));
  if (r->n_unknown > SHOWN_UNKNOWN)
    wn_log_at(WN_LOG_ERROR, r->file, 0,
              "%zu more unknown keys; `wilson list keys` shows all",
              r->n_unknown - SHOWN_UNKNOWN);
  if (broken || r->model_is_bad)
    return WN_EINPUT;
  return wn_config_check(r);
}

int wn_config_read(const char *file, size_t n_set, const char *const *set,
                   struct wn_config **out)
{
  return wn_config_read_text(file, NULL, n_set, set, out);
}

int wn_config_read_text(const char *name, const char *text, size_t n_set,
                        const char *const *set, struct wn_config **out)
{
  struct wn_reader r = {.file = name, .text = text};
  char **place = wn_alloc(n_set + 1, sizeof *place);
  r.tree = wn_alloc(n_set + 1, sizeof *r.tree);
  r.c = wn_alloc(1, sizeof *r.c);
  if (r.c != NULL)
    r.c->file = wn_strdup(name);
  int status = WN_ENOMEM;
  if (place != NULL && r.tree != NULL && r.c != NULL && r.c->file != NULL)
    status = read_scenario(&r, n_set, set, place);
  if (status == WN_OK && r.n_errors > 0)
    status = WN_EINPUT;

  for (size_t i = 0; i < r.n_entries; i++)
    free(r.entry[i].key);
  free(r.entry);
  for (size_t i = 0; i < r.n_meant; i++)
    free(r.meant[i]);
  for (size_t i = 0; i < r.n_trees; i++)
    config_destroy(&r.tree[i]);
  free(r.tree);
  for (size_t i = 0; place != NULL && i < n_set; i++)
    free(place[i]);
  free(place);
  if (status != WN_OK) {
    wn_config_free(r.c);
    return status;
  }
  *out = r.c;
  return WN_OK;
}

void wn_config_free(struct wn_config *c)
{
  if (c == NULL)
    return;
  for (size_t i = 0; i < wn_config_n_keys(); i++) {
    const struct wn_key *k = wn_config_key(i);
    if (k->named == NULL)
      wn_config_value_free(k, c);
    else
      for (size_t j = 0; j < wn_config_named_count(k->named, c); j++)
        wn_config_value_free(k, (void *)wn_config_named_at(k->named, c, j));
  }
  wn_config_named_free(&wn_config_components, c);
  wn_config_named_free(&wn_config_species, c);
  wn_config_named_free(&wn_config_electrodes, c);
  wn_config_named_free(&wn_config_dielectrics, c);
  wn_config_named_free(&wn_config_averages, c);
  wn_config_named_free(&wn_config_distributions, c);
  wn_config_named_free(&wn_config_sources, c);
  wn_config_named_free(&wn_config_thermostats, c);
  wn_config_named_free(&wn_config_reactions, c);
  wn_config_named_free(&wn_config_followed, c);
  wn_config_named_free(&wn_config_coulomb, c);
  wn_config_named_free(&wn_config_merging, c);
  wn_config_named_free(&wn_config_scans, c);
  free(c->waveform.source);
  free(c->gas_profile.source);
  free(c->field_profile.source);
  free(c->text);
  free(c->point);
  free(c->file);
  free(c->thresholds_at);
  free(c);
}
