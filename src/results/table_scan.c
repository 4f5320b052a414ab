/* src/results/table_scan.c - see table_scan.h. */
#include "src/results/table_scan.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/clean.h"
#include "base/error.h"

#define PREFIX "scan_"

static int is_same(const struct wn_table_scan *s, size_t a, size_t b)
{
  return s->value != NULL
             ? memcmp(&s->value[a], &s->value[b], sizeof *s->value) == 0 /* NaN: auto */
             : strcmp(s->word[a], s->word[b]) == 0;
}

/* A text attribute in one line; NULL: none, or out of memory. */
static char *text_of(const struct wn_result_file *file, const char *variable,
                     const char *name)
{
  char *text = wn_result_text(file, variable, name),
       *clean = text != NULL ? wn_clean_dup(text, "") : NULL;
  free(text);
  return clean;
}

static int read_scan(const struct wn_result_file *file, const char *variable,
                     size_t n_records, struct wn_table_scan *s)
{
  s->name = wn_clean_dup(variable + strlen(PREFIX), "");
  s->key = text_of(file, variable, "key");
  s->units = text_of(file, variable, "units");
  if (s->name == NULL)
    return WN_ENOMEM;
  if (s->key == NULL)
    return WN_FAIL(WN_EINPUT,
                   "variable %s lacks the text attribute `key` of results of Wilson",
                   variable);
  return s->units != NULL ? wn_result_doubles(file, variable, n_records, &s->value)
                          : wn_result_strings(file, variable, n_records, &s->word);
}

static int read_scans(const struct wn_result_file *file, struct wn_table_scans *s)
{
  char *name;
  int status = WN_OK;
  for (int i = 0; status == WN_OK && (name = wn_result_name(file, i)) != NULL; i++) {
    if (strncmp(name, PREFIX, strlen(PREFIX)) == 0) {
      struct wn_table_scan *more = wn_realloc(s->scan, s->n + 1, sizeof *more);
      status = more != NULL ? WN_OK : WN_ENOMEM;
      if (status == WN_OK) {
        s->scan = more;
        s->scan[s->n] = (struct wn_table_scan){0};
        status = read_scan(file, name, s->n_records, &s->scan[s->n++]);
      }
    }
    free(name);
  }
  return status;
}

/* If each point has one field, the first scan over numbers is the axis. */
static void choose_axis(struct wn_table_scans *s)
{
  size_t same = 0;
  s->axis = -1;
  for (size_t i = 0; i < s->n && s->n_records > 1; i++)
    same += (size_t)is_same(&s->scan[i], 0, 1);
  if (same == s->n)
    return;
  for (size_t i = s->n; i-- > 0;)
    if (s->scan[i].value != NULL)
      s->axis = (long)i;
}

static int share_out(struct wn_table_scans *s)
{
  s->table = wn_alloc(s->n_records, sizeof *s->table);
  if (s->table == NULL)
    return WN_ENOMEM;
  s->n_tables = s->n_records == 0; /* one table, whose message says so */
  for (size_t i = 0; i < s->n_records; i++) {
    size_t with = 0;
    for (; with < i; with++) {
      size_t same = 0;
      for (size_t k = 0; k < s->n; k++)
        same += (long)k == s->axis || is_same(&s->scan[k], i, with);
      if (same == s->n)
        break;
    }
    s->table[i] = with < i ? s->table[with] : s->n_tables++;
  }
  return WN_OK;
}

int wn_table_scans_read(const struct wn_result_file *file, size_t n_records,
                        struct wn_table_scans *out)
{
  *out = (struct wn_table_scans){.n_records = n_records};
  WN_TRY(read_scans(file, out));
  choose_axis(out);
  return share_out(out);
}

void wn_table_scans_free(struct wn_table_scans *s)
{
  for (size_t i = 0; i < s->n; i++) {
    for (size_t k = 0; s->scan[i].word != NULL && k < s->n_records; k++)
      free(s->scan[i].word[k]);
    free(s->scan[i].word);
    free(s->scan[i].value);
    free(s->scan[i].name);
    free(s->scan[i].key);
    free(s->scan[i].units);
  }
  free(s->scan);
  free(s->table);
  *s = (struct wn_table_scans){0};
}

/* Appends to an allocated text; it may move. */
static int append(char **text, const char *more)
{
  char *longer = wn_asprintf("%s%s", *text, more);
  free(*text);
  *text = longer;
  return longer != NULL ? WN_OK : WN_ENOMEM;
}

/* The value of a scan at a record, as text. */
static char *value_text(const struct wn_table_scan *s, size_t record)
{
  return s->value == NULL                       ? wn_clean_dup(s->word[record], "")
         : s->value[record] != s->value[record] ? wn_strdup("auto")
                                                : wn_asprintf("%.9g", s->value[record]);
}

static int put_words(const struct wn_table_scan *s, size_t record, struct wn_table *t)
{
  const char *unit = s->units != NULL && strcmp(s->units, "1") != 0 ? s->units : "";
  char *value = value_text(s, record), *point = NULL, *suffix = NULL;
  if (value != NULL) {
    point = wn_asprintf("%s%s = %s%s%s (%s)", *t->point ? ", " : "", s->name, value,
                        *unit ? " " : "", unit, s->key);
    suffix = wn_asprintf("%s%s_%s", *t->suffix ? "-" : "", s->name, value);
  }
  int status = point != NULL && suffix != NULL ? WN_OK : WN_ENOMEM;
  for (char *at = suffix; status == WN_OK && *at; at++)
    if (!isalnum((unsigned char)*at) && strchr("._-+", *at) == NULL)
      *at = '_';
  if (status == WN_OK)
    status = append(&t->point, point);
  if (status == WN_OK)
    status = append(&t->suffix, suffix);
  free(value);
  free(point);
  free(suffix);
  return status;
}

int wn_table_scans_words(const struct wn_table_scans *s, size_t i_table,
                         struct wn_table *t)
{
  const struct wn_table_scan *axis = s->axis >= 0 ? &s->scan[s->axis] : NULL;
  size_t record = 0;
  while (record < s->n_records && s->table[record] != i_table)
    record++;
  t->axis = axis == NULL ? wn_strdup("E/N (Td)")
            : strcmp(axis->units, "1") == 0
                ? wn_strdup(axis->key)
                : wn_asprintf("%s (%s)", axis->key, axis->units);
  if (t->axis == NULL)
    return WN_ENOMEM;
  if (s->n == 0)
    return WN_OK;
  t->point = wn_strdup("");
  t->suffix = wn_strdup("");
  if (t->point == NULL || t->suffix == NULL)
    return WN_ENOMEM;
  for (size_t k = 0; k < s->n; k++)
    if ((long)k != s->axis)
      WN_TRY(put_words(&s->scan[k], record, t));
  return WN_OK;
}
