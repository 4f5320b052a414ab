/* src/config/reader.c - the sources of a scenario, file and --set, as one list of
 * entries; error messages that name them. */
#include "src/config/reader.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/log.h"

#define LARGEST_FILE (256 * 1024) /* bytes; a scenario has some thousand */

/* Is one key a group that contains the other? */
static bool is_within(const char *group, const char *key)
{
  const size_t n = strlen(group);
  return strncmp(group, key, n) == 0 && key[n] == '.';
}

void wn_reader_meant(struct wn_reader *r, char *key)
{
  if (key != NULL && r->n_meant < WN_READER_MEANT)
    r->meant[r->n_meant++] = key;
  else
    free(key);
}

static bool was_meant(const struct wn_reader *r, const char *key)
{
  for (size_t i = 0; i < r->n_meant; i++)
    if (strcmp(r->meant[i], key) == 0 || is_within(r->meant[i], key) ||
        is_within(key, r->meant[i]))
      return true;
  return false;
}

static void say(struct wn_reader *r, const struct wn_entry *e, const char *key,
                const char *text)
{
  r->n_errors++;
  if (e != NULL ? e->bad : key != NULL && was_meant(r, key))
    return; /* a related error was reported already */
  char *shown =
      e != NULL && !e->from_set && e->value != NULL && !config_setting_is_group(e->value)
          ? wn_config_value_show(e->value)
          : NULL;
  const char *file = e != NULL && e->from_set ? e->place : r->file;
  int line = e != NULL && !e->from_set ? e->line : 0;
  if (e != NULL && e->from_set)
    wn_log_at(WN_LOG_ERROR, file, 0, "%s", text);
  else if (key != NULL)
    wn_log_at(WN_LOG_ERROR, file, line, "key `%s`%s%s: %s", key,
              shown != NULL ? " = " : "", shown != NULL ? shown : "", text);
  else
    wn_log_at(WN_LOG_ERROR, file, line, "%s", text);
  free(shown);
}

void wn_reader_error(struct wn_reader *r, const struct wn_entry *e, const char *key,
                     const char *fmt, ...)
{
  char *text;
  va_list ap;
  va_start(ap, fmt);
  if (vasprintf(&text, fmt, ap) < 0)
    text = NULL;
  va_end(ap);
  say(r, e, key, text != NULL ? text : "not valid");
  free(text);
}

char *wn_reader_place(const struct wn_reader *r, const struct wn_entry *e,
                      const char *key)
{
  if (e == NULL)
    return wn_asprintf("%s: key `%s`", r->file, key);
  if (e->from_set)
    return wn_asprintf("%s: key `%s`", e->place, key);
  char *shown = wn_config_value_show(e->value),
       *text = wn_asprintf("%s:%d: key `%s` = %s", r->file, e->line, key,
                           shown != NULL ? shown : "");
  free(shown);
  return text;
}

const struct wn_entry *wn_reader_find(const struct wn_reader *r, const char *key)
{
  for (size_t i = 0; i < r->n_entries; i++) {
    if (strcmp(r->entry[i].key, key) == 0)
      return &r->entry[i];
  }
  return NULL;
}

struct wn_given wn_reader_given(const struct wn_reader *r, const char *table,
                                const char *name, const char *last)
{
  struct wn_given k;
  snprintf(k.key, sizeof k.key, "%s.%s.%s", table, name, last);
  k.entry = wn_reader_find(r, k.key);
  return k;
}

/* For a key that is either a value or a group of values (`accuracy`), the later one counts. */
static void drop_other_form(struct wn_reader *r, const char *key)
{
  size_t kept = 0;
  for (size_t i = 0; i < r->n_entries; i++) {
    if (is_within(r->entry[i].key, key) || is_within(key, r->entry[i].key))
      free(r->entry[i].key);
    else
      r->entry[kept++] = r->entry[i];
  }
  r->n_entries = kept;
}

/* A later source replaces the value of an earlier one. */
static int add_entry(struct wn_reader *r, const struct wn_entry *new)
{
  if (new->from_set)
    drop_other_form(r, new->key);
  /* the scanner has made sure that no key occurs twice in the file */
  for (size_t i = 0; new->from_set &&i < r->n_entries; i++) {
    if (strcmp(r->entry[i].key, new->key) == 0) {
      free(r->entry[i].key);
      r->entry[i] = *new;
      return WN_OK;
    }
  }
  if (r->n_entries == r->entry_room) {
    size_t room = 2 * r->entry_room + 32;
    struct wn_entry *p = wn_realloc(r->entry, room, sizeof *p);
    if (p == NULL)
      return WN_ENOMEM;
    r->entry = p;
    r->entry_room = room;
  }
  r->entry[r->n_entries++] = *new;
  return WN_OK;
}

/* All values below a setting, each with its full key.  The scanner has limited the depth. */
static int flatten(struct wn_reader *r, const char *key, const config_setting_t *s,
                   const char *set)
{
  if (config_setting_is_group(s) && config_setting_length(s) > 0 &&
      (strcmp(key, "accuracy") == 0 || !wn_config_find_key(key, NULL, NULL))) {
    for (int i = 0; i < config_setting_length(s); i++) {
      const config_setting_t *child = config_setting_get_elem(s, (unsigned)i);
      char *full =
          wn_asprintf("%s%s%s", key, *key ? "." : "", config_setting_name(child));
      if (full == NULL)
        return WN_ENOMEM;
      int status = flatten(r, full, child, set);
      free(full);
      WN_TRY(status);
    }
    return WN_OK;
  }
  if (!*key)
    return WN_OK; /* an empty file */
  struct wn_entry e = {.key = wn_strdup(key),
                       .value = s,
                       .from_set = set != NULL,
                       .place = set,
                       .line = (int)config_setting_source_line(s)};
  if (e.key == NULL)
    return WN_ENOMEM;
  int status = add_entry(r, &e);
  if (status != WN_OK)
    free(e.key);
  return status;
}

static int too_large(const char *path)
{
  return WN_FAIL(WN_EINPUT, "%s: not a scenario: larger than %d bytes", path,
                 LARGEST_FILE);
}

static int read_all(const char *path, char **text, size_t *len)
{
  FILE *f = fopen(path, "rb");
  if (f == NULL)
    return WN_FAIL(WN_EINPUT, "%s: cannot open the scenario file: %s", path,
                   strerror(errno));
  char *buf = wn_alloc(LARGEST_FILE + 1, 1);
  if (buf == NULL) {
    fclose(f);
    return WN_ENOMEM;
  }
  errno = 0;
  size_t n = fread(buf, 1, LARGEST_FILE + 1, f);
  bool failed = ferror(f) != 0;
  int cause = errno;
  fclose(f);
  if (failed || n > LARGEST_FILE) {
    free(buf);
    if (failed)
      return WN_FAIL(WN_EINPUT, "%s: cannot read the scenario file: %s", path,
                     strerror(cause));
    return too_large(path);
  }
  *text = buf;
  *len = n;
  return WN_OK;
}

static config_t *next_tree(struct wn_reader *r)
{
  config_t *t = &r->tree[r->n_trees++];
  config_init(t);
  return t;
}

int wn_reader_file(struct wn_reader *r)
{
  char *text = NULL;
  size_t len = 0;
  int status;
  if (r->text == NULL)
    WN_TRY(read_all(r->file, &text, &len));
  else if ((len = strlen(r->text)) > LARGEST_FILE)
    return too_large(r->file);
  char *clean = wn_config_scan(r->file, 1, text != NULL ? text : r->text, len, &status);
  free(text);
  if (clean == NULL)
    return status;
  config_t *t = next_tree(r);
  if (!config_read_string(t, clean)) {
    const char *what = config_error_text(t);
    wn_log_at(WN_LOG_ERROR, r->file, config_error_line(t), "%s%s",
              what != NULL ? what : "not valid",
              what != NULL && strcmp(what, "syntax error") == 0
                  ? ": expected key = value; with texts and values with unit in quotes"
                  : "");
    free(clean);
    return WN_EINPUT;
  }
  free(clean);
  return flatten(r, "", config_root_setting(t), NULL);
}

/* The value of a --set: parsed by libconfig, or else a text whose quotes the shell has removed. */
static int read_set_value(struct wn_reader *r, const char *place, const char *value,
                          config_setting_t **out)
{
  config_t *t = next_tree(r);
  char *line = wn_asprintf("value = %s;", value);
  if (line == NULL)
    return WN_ENOMEM;
  bool good = !strchr(value, '@') && config_read_string(t, line) &&
              config_setting_length(config_root_setting(t)) == 1;
  if (good) { /* again, for integers beyond 32 bits */
    int status;
    char *clean = wn_config_scan(place, 0, line, strlen(line), &status);
    if (clean == NULL) {
      free(line);
      return status;
    }
    good = config_read_string(t, clean);
    free(clean);
  }
  free(line);
  if (!good) {
    config_destroy(t);
    config_init(t);
    config_setting_t *s =
        config_setting_add(config_root_setting(t), "value", CONFIG_TYPE_STRING);
    if (s == NULL || !config_setting_set_string(s, value))
      return WN_ENOMEM;
  }
  *out = config_setting_get_elem(config_root_setting(t), 0);
  return WN_OK;
}

int wn_reader_set(struct wn_reader *r, const char *set, char **place)
{
  *place = wn_asprintf("--set %s", set);
  const char *equals = strchr(set, '=');
  if (*place == NULL)
    return WN_ENOMEM;
  if (equals == NULL || equals == set) {
    wn_log_at(WN_LOG_ERROR, *place, 0, "not of the form key=value");
    r->n_errors++;
    return WN_OK;
  }
  char *key = wn_strdup(set);
  if (key == NULL)
    return WN_ENOMEM;
  key[equals - set] = '\0';
  size_t len = strlen(key); /* "key = value" is accepted, too */
  while (len > 0 && key[len - 1] == ' ')
    key[--len] = '\0';
  config_setting_t *value = NULL;
  int status = read_set_value(r, *place, equals + 1, &value);
  if (status == WN_EINPUT) { /* logged; continue to find further errors */
    r->n_errors++;
    status = WN_OK;
  } else if (status == WN_OK) {
    status = flatten(r, key, value, *place);
  }
  free(key);
  return status;
}
