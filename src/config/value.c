/* src/config/value.c - one value: from libconfig into its field */
#include "src/config/internal.h"

#include <libconfig.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "src/config/range.h"

_Static_assert(sizeof(enum wn_cfg_job) == sizeof(int) &&
                   sizeof(enum wn_xs_beyond) == sizeof(int),
               "words are stored as int");

static int wrong(char **why, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static int wrong(char **why, const char *fmt, ...)
{
  va_list ap;
  va_start(ap, fmt);
  if (vasprintf(why, fmt, ap) < 0)
    *why = NULL;
  va_end(ap);
  return WN_EINPUT;
}

/* A key of both models is read as one of plasma alone where the scenario is a plasma. */
static const char *relative_units(const struct wn_key *k)
{
  return k->flags & WN_KEY_MCC ? "" : wn_config_relative_units(k);
}

static int wrong_type(const struct wn_key *k, char **why)
{
  char range[300];
  if (k->type == WN_KEY_WORD || k->type == WN_KEY_WORDS)
    return wrong(why, "needs %s of these words, in quotes: %s",
                 k->type == WN_KEY_WORD ? "one" : "a list",
                 wn_config_range_text(k, range, sizeof range));
  if (k->type == WN_KEY_MODES)
    return wrong(why, "needs a list of lists with a number for each axis of the grid, as "
                      "in ( [1, 0], [0, 2] ); in one dimension a list of numbers");
  return wrong(
      why, "takes %s%s%s%s%s%s%s%s",
      k->type == WN_KEY_BOOL || k->type == WN_KEY_STRING || k->type == WN_KEY_FILE ? ""
                                                                                   : "a ",
      wn_config_type_text(k), *wn_config_units_allowed(k->unit) ? " (" : "",
      wn_config_units_allowed(k->unit), relative_units(k),
      *wn_config_units_allowed(k->unit) ? ")" : "", k->automatic != NULL ? ", or " : "",
      k->automatic != NULL ? k->automatic : "");
}

static int out_of_range(const struct wn_key *k, char **why)
{
  char range[300];
  return wrong(why, "out of range; allowed: %s",
               wn_config_range_text(k, range, sizeof range));
}

static bool is_number(const config_setting_t *v, double *number)
{
  switch (config_setting_type(v)) {
  case CONFIG_TYPE_INT:
  case CONFIG_TYPE_INT64:
    *number = (double)config_setting_get_int64(v);
    return true;
  case CONFIG_TYPE_FLOAT:
    *number = config_setting_get_float(v);
    return true;
  default:
    return false;
  }
}

static bool in_range(const struct wn_key *k, double x)
{
  return (k->flags & WN_KEY_ABOVE_MIN ? x > k->min : x >= k->min) && x <= k->max;
}

static int read_quantity(const struct wn_key *k, const config_setting_t *v, double *out,
                         bool *reduced, char **why)
{
  double x;
  *reduced = false;
  if (is_number(v, &x)) {
    if (k->unit != WN_UNIT_NONE && x != 0)
      return wrong(why, "has no unit; units of %s: %s%s, as in \"%.9g %s\"",
                   wn_config_units_plural(k->unit), wn_config_units_allowed(k->unit),
                   relative_units(k), x, wn_config_units_base(k->unit));
    if (!isfinite(x))
      return out_of_range(k, why);
  } else {
    const char *text = config_setting_get_string(v), *unit;
    if (text == NULL || (k->unit == WN_UNIT_NONE && k->automatic == NULL))
      return wrong_type(k, why);
    if (k->automatic != NULL && strcmp(text, k->automatic) == 0) {
      *out = WN_AUTO;
      return WN_OK;
    }
    switch (wn_config_units_parse(k->unit, text, &x, reduced, &unit)) {
    case WN_UNIT_GOOD:
      break;
    case WN_UNIT_MISSING:
      return wrong(why, "has no unit; units of %s: %s%s", wn_config_units_plural(k->unit),
                   wn_config_units_allowed(k->unit), relative_units(k));
    case WN_UNIT_UNKNOWN:
      if (k->unit == WN_UNIT_NONE)
        return wrong_type(k, why);
      return wrong(why, "unknown unit `%s`; units of %s: %s%s", unit,
                   wn_config_units_plural(k->unit), wn_config_units_allowed(k->unit),
                   relative_units(k));
    case WN_UNIT_NOT_A_NUMBER:
      return wrong_type(k, why);
    }
  }
  if (*reduced && k->type != WN_KEY_FIELDS && !(k->flags & WN_KEY_REDUCED))
    return wrong(why,
                 "divided by the density of the gas, which is not possible for this key");
  /* the limit is checked when the density is known: src/config/check.c */
  const bool later = *reduced && (k->flags & WN_KEY_REDUCED);
  if (later ? x < k->min : !in_range(k, x))
    return out_of_range(k, why);
  *out = x;
  return WN_OK;
}

/* A whole number; 1e6 is allowed. */
static int read_whole(const struct wn_key *k, const config_setting_t *v, long long *out,
                      char **why)
{
  double x;
  if (!is_number(v, &x))
    return wrong_type(k, why);
  if (config_setting_type(v) == CONFIG_TYPE_FLOAT) {
    if (x != floor(x))
      return wrong_type(k, why);
    if (!in_range(k, x) || fabs(x) > 9e18)
      return out_of_range(k, why);
    *out = (long long)x;
  } else {
    *out = config_setting_get_int64(v);
    if (!in_range(k, x))
      return out_of_range(k, why);
  }
  if ((k->flags & WN_KEY_POWER2) && (*out & (*out - 1)) != 0)
    return out_of_range(k, why);
  return WN_OK;
}

/* A whole number, or the word for WN_AUTO. */
static int read_int(const struct wn_key *k, const config_setting_t *v, long long *out,
                    char **why)
{
  const char *text = config_setting_get_string(v);
  if (text != NULL && k->automatic != NULL && strcmp(text, k->automatic) == 0) {
    *out = (int)WN_AUTO;
    return WN_OK;
  }
  return read_whole(k, v, out, why);
}

static int read_word(const struct wn_key *k, const config_setting_t *v, int *out,
                     char **why)
{
  const char *text = config_setting_get_string(v);
  if (text == NULL)
    return wrong_type(k, why);
  size_t n = 0;
  for (; k->words[n]; n++) {
    if (strcmp(k->words[n], text) == 0) {
      *out = (int)n;
      return WN_OK;
    }
  }
  char range[300];
  const char *near = wn_config_nearest(text, n, k->words);
  return wrong(why, "unknown word%s%s%s; allowed: %s%s%s",
               near != NULL ? ", nearest is \"" : "", near != NULL ? near : "",
               near != NULL ? "\"" : "", wn_config_range_text(k, range, sizeof range),
               k->hint != NULL ? "; " : "", k->hint != NULL ? k->hint : "");
}

/* Element i of a list, or the value itself if a single value is allowed in place of a list. */
static const config_setting_t *element(const config_setting_t *v, size_t i)
{
  return config_setting_is_aggregate(v) ? config_setting_get_elem(v, (unsigned)i) : v;
}

static int read_list(const struct wn_key *k, const config_setting_t *v, void **out,
                     size_t *n_out, char **why)
{
  if (config_setting_is_group(v))
    return wrong_type(k, why);
  size_t n = config_setting_is_aggregate(v) ? (size_t)config_setting_length(v) : 1;
  size_t size = k->type == WN_KEY_FIELDS    ? sizeof(struct wn_cfg_case)
                : k->type == WN_KEY_STRINGS ? sizeof(char *)
                                            : sizeof(double);
  void *list = wn_alloc(n ? n : 1, size);
  if (list == NULL)
    return WN_ENOMEM;
  int status = WN_OK;
  size_t done = 0;
  double last = -INFINITY;
  for (; done < n && status == WN_OK; done++) {
    const config_setting_t *e = element(v, done);
    double x = 0;
    bool reduced = false;
    if (k->type == WN_KEY_STRINGS) {
      const char *text = config_setting_get_string(e);
      char *copied = text != NULL ? wn_strdup(text) : NULL;
      status = text == NULL ? wrong_type(k, why) : copied == NULL ? WN_ENOMEM : WN_OK;
      ((char **)list)[done] = copied;
      continue;
    }
    status = read_quantity(k, e, &x, &reduced, why);
    if (status == WN_OK && (k->flags & WN_KEY_RISING) && x <= last)
      status = wrong(why, "each value must be above the one before it");
    last = x;
    if (k->type == WN_KEY_FIELDS) {
      struct wn_cfg_case *f = &((struct wn_cfg_case *)list)[done];
      const char *text = config_setting_get_string(e);
      f->e = reduced ? NAN : x;
      f->td = reduced ? x : NAN;
      /* without a unit only 0 gets here */
      f->text = wn_strdup(text != NULL ? text : "0");
      if (status == WN_OK && f->text == NULL)
        status = WN_ENOMEM;
    } else {
      ((double *)list)[done] = x;
    }
  }
  if (status != WN_OK) {
    for (size_t i = 0; i < done; i++) {
      if (k->type == WN_KEY_STRINGS)
        free(((char **)list)[i]);
      else if (k->type == WN_KEY_FIELDS)
        free(((struct wn_cfg_case *)list)[i].text);
    }
    free(list);
    return status;
  }
  *out = list;
  *n_out = n;
  return WN_OK;
}

/* The elements of a list of fields as libconfig reads them, with ranges expanded. */
static int write_out(const struct wn_key *k, const config_setting_t *v, FILE *to,
                     char **why)
{
  size_t n = config_setting_is_aggregate(v) ? (size_t)config_setting_length(v) : 1;
  fputs("value = (", to);
  for (size_t i = 0; i < n; i++) {
    const config_setting_t *e = element(v, i);
    const char *text = config_setting_get_string(e);
    char *list = NULL;
    fputs(i > 0 ? ", " : "", to);
    if (text != NULL)
      WN_TRY(wn_config_range_list(k->unit, text, &list, why));
    else if ((list = wn_config_value_show(e)) == NULL) /* 0, or no field */
      return WN_ENOMEM;
    fputs(list, to);
    free(list);
  }
  fputs(");", to);
  return WN_OK;
}

static int read_fields(const struct wn_key *k, const config_setting_t *v, void **out,
                       size_t *n_out, char **why)
{
  bool ranges = false;
  size_t size;
  char *text = NULL;
  if (config_setting_is_group(v))
    return wrong_type(k, why);
  for (int i = 0; i < (config_setting_is_aggregate(v) ? config_setting_length(v) : 1);
       i++) {
    const char *e = config_setting_get_string(element(v, (size_t)i));
    ranges = ranges || (e != NULL && wn_config_is_range(e));
  }
  if (!ranges)
    return read_list(k, v, out, n_out, why);
  FILE *to = open_memstream(&text, &size);
  if (to == NULL)
    return WN_ENOMEM;
  int status = write_out(k, v, to, why);
  if (fclose(to) != 0 && status == WN_OK)
    status = WN_ENOMEM;
  config_t t;
  config_init(&t);
  if (status == WN_OK)
    status = config_read_string(&t, text)
                 ? read_list(k, config_lookup(&t, "value"), out, n_out, why)
                 : wrong_type(k, why);
  config_destroy(&t);
  free(text);
  return status;
}

/* Number of elements of a list; 1 for a single value in place of a list. */
static size_t length(const config_setting_t *v)
{
  return config_setting_is_aggregate(v) ? (size_t)config_setting_length(v) : 1;
}

/* The words of a list, as bits. */
static int read_words(const struct wn_key *k, const config_setting_t *v, unsigned *out,
                      char **why)
{
  unsigned bits = 0;
  if (config_setting_is_group(v))
    return wrong_type(k, why);
  for (size_t i = 0; i < length(v); i++) {
    int word = 0;
    WN_TRY(read_word(k, element(v, i), &word, why));
    bits |= 1u << word;
  }
  *out = bits;
  return WN_OK;
}

/* Lists stored in place: VECTOR, COUNTS, INTEGERS. */
static int read_fixed(const struct wn_key *k, const config_setting_t *v, void *at,
                      char **why)
{
  enum { MOST = 3 };
  double x[MOST];
  long long whole[MOST];
  const char *text = config_setting_get_string(v);
  bool all = text != NULL && k->automatic != NULL && strcmp(text, k->automatic) == 0;
  size_t n = all ? 0 : length(v);
  WN_ASSERT(k->n <= MOST);
  if (config_setting_is_group(v))
    return wrong_type(k, why);
  if (!all && (n == 0 || n > k->n || (!(k->flags & WN_KEY_PER_AXIS) && n != k->n)))
    return wrong(why, "%zu value%s; allowed: %s%zu", n, n == 1 ? "" : "s",
                 k->flags & WN_KEY_PER_AXIS ? "one for each axis of the grid, at most "
                                            : "",
                 k->n);
  for (size_t i = 0; i < k->n; i++) {
    bool reduced;
    x[i] = k->automatic != NULL ? WN_AUTO : 0;
    whole[i] = k->type == WN_KEY_COUNTS;
    if (i < n && k->type == WN_KEY_VECTOR)
      WN_TRY(read_quantity(k, element(v, i), &x[i], &reduced, why));
    else if (i < n)
      WN_TRY(read_whole(k, element(v, i), &whole[i], why));
  }
  for (size_t i = 0; i < k->n; i++) {
    if (k->type == WN_KEY_VECTOR)
      ((double *)at)[i] = x[i];
    else if (k->type == WN_KEY_COUNTS)
      ((size_t *)at)[i] = (size_t)whole[i];
    else
      ((long *)at)[i] = (long)whole[i];
  }
  return WN_OK;
}

/* Three numbers to an element, 0 for missing ones. */
static int read_modes(const struct wn_key *k, const config_setting_t *v, double **out,
                      size_t *n_out, char **why)
{
  size_t n = length(v);
  if (config_setting_is_group(v))
    return wrong_type(k, why);
  double *list = wn_alloc(n ? n : 1, 3 * sizeof *list);
  int status = list != NULL ? WN_OK : WN_ENOMEM;
  for (size_t i = 0; i < n && status == WN_OK; i++) {
    const config_setting_t *e = element(v, i);
    size_t m = length(e);
    if (config_setting_is_group(e) || m == 0 || m > 3)
      status = wrong_type(k, why);
    for (size_t d = 0; d < m && status == WN_OK; d++) {
      bool reduced;
      status = read_quantity(k, element(e, d), &list[3 * i + d], &reduced, why);
    }
  }
  if (status != WN_OK) {
    free(list);
    return status;
  }
  *out = list;
  *n_out = n;
  return WN_OK;
}

/* Pointers of several types are stored here; memcpy avoids a conversion between pointer types. */
static void *get_pointer(const struct wn_key *k, const void *base)
{
  void *p;
  memcpy(&p, (const char *)base + k->offset, sizeof p);
  return p;
}

static void set_pointer(const struct wn_key *k, void *base, void *p)
{
  memcpy((char *)base + k->offset, &p, sizeof p);
}

void wn_config_value_free(const struct wn_key *k, void *base)
{
  size_t *n = (size_t *)((char *)base + k->n_offset);
  void *owned, *path;
  switch (k->type) {
  case WN_KEY_FIELDS:
    owned = get_pointer(k, base);
    for (size_t i = 0; i < *n; i++)
      free(((struct wn_cfg_case *)owned)[i].text);
    break;
  case WN_KEY_STRINGS:
    owned = get_pointer(k, base);
    for (size_t i = 0; i < *n; i++)
      free(((char **)owned)[i]);
    break;
  case WN_KEY_FILE:
    memcpy(&path, n, sizeof path);
    free(path);
    path = NULL;
    memcpy(n, &path, sizeof path);
    owned = get_pointer(k, base);
    break;
  case WN_KEY_QUANTITIES:
  case WN_KEY_MODES:
  case WN_KEY_STRING:
    owned = get_pointer(k, base);
    break;
  default:
    return; /* no memory to free */
  }
  free(owned);
  set_pointer(k, base, NULL);
  if (k->type != WN_KEY_STRING && k->type != WN_KEY_FILE)
    *n = 0;
}

/* Numbers and words, which have no memory to free. */
static int put_plain(const struct wn_key *k, const config_setting_t *v, void *base,
                     char **why)
{
  double x;
  long long whole;
  int word = 0;
  bool reduced;
  void *at = (char *)base + k->offset;
  switch (k->type) {
  case WN_KEY_QUANTITY:
    WN_TRY(read_quantity(k, v, &x, &reduced, why));
    *(double *)at = reduced ? NAN : x;
    if (k->flags & WN_KEY_REDUCED)
      *(double *)((char *)base + k->n_offset) = reduced ? x : NAN;
    return WN_OK;
  case WN_KEY_COUNT:
    WN_TRY(read_whole(k, v, &whole, why));
    *(size_t *)at = (size_t)whole;
    return WN_OK;
  case WN_KEY_SEED:
    WN_TRY(read_whole(k, v, &whole, why));
    *(uint64_t *)at = (uint64_t)whole;
    return WN_OK;
  case WN_KEY_INT:
    WN_TRY(read_int(k, v, &whole, why));
    *(int *)at = (int)whole;
    return WN_OK;
  case WN_KEY_BOOL:
    if (config_setting_type(v) != CONFIG_TYPE_BOOL)
      return wrong_type(k, why);
    *(bool *)at = config_setting_get_bool(v) != 0;
    return WN_OK;
  case WN_KEY_WORD:
    WN_TRY(read_word(k, v, &word, why));
    memcpy(at, &word, sizeof word);
    return WN_OK;
  case WN_KEY_WORDS:
    return read_words(k, v, at, why);
  case WN_KEY_VECTOR:
  case WN_KEY_COUNTS:
  case WN_KEY_INTEGERS:
    return read_fixed(k, v, at, why);
  default:
    return WN_EINTERN;
  }
}

int wn_config_value_put(const struct wn_key *k, const config_setting_t *v, void *base,
                        char **why)
{
  *why = NULL;
  switch (k->type) {
  case WN_KEY_STRING:
  case WN_KEY_FILE: {
    const char *text = config_setting_get_string(v);
    if (text == NULL)
      return wrong_type(k, why);
    char *copied = wn_strdup(text);
    if (copied == NULL)
      return WN_ENOMEM;
    wn_config_value_free(k, base);
    set_pointer(k, base, copied);
    return WN_OK;
  }
  case WN_KEY_QUANTITIES:
  case WN_KEY_STRINGS:
  case WN_KEY_FIELDS:
  case WN_KEY_MODES: {
    void *list = NULL;
    double *modes = NULL;
    size_t n = 0;
    if (k->type == WN_KEY_MODES)
      WN_TRY(read_modes(k, v, &modes, &n, why));
    else
      WN_TRY((k->type == WN_KEY_FIELDS ? read_fields : read_list)(k, v, &list, &n, why));
    wn_config_value_free(k, base);
    set_pointer(k, base, modes != NULL ? modes : list);
    *(size_t *)((char *)base + k->n_offset) = n;
    return WN_OK;
  }
  default:
    return put_plain(k, v, base, why);
  }
}

char *wn_config_value_show(const config_setting_t *v)
{
  char number[32];
  double x;
  const char *text = config_setting_get_string(v);
  if (text != NULL)
    return wn_asprintf("\"%.60s%s\"", text, strlen(text) > 60 ? "..." : "");
  if (config_setting_type(v) == CONFIG_TYPE_FLOAT && is_number(v, &x))
    return wn_strdup(wn_config_units_number(x, number));
  if (is_number(v, &x))
    return wn_asprintf("%lld", config_setting_get_int64(v));
  if (config_setting_type(v) == CONFIG_TYPE_BOOL)
    return wn_strdup(config_setting_get_bool(v) ? "true" : "false");
  if (config_setting_is_group(v))
    return wn_strdup("{...}");
  /* A list: its first elements. */
  char *all = wn_strdup("[");
  for (int i = 0; all != NULL && i < config_setting_length(v); i++) {
    char *one = wn_config_value_show(config_setting_get_elem(v, (unsigned)i));
    bool full = strlen(all) > 60;
    char *more = one != NULL
                     ? wn_asprintf("%s%s%s", all, i ? ", " : "", full ? "..." : one)
                     : NULL;
    free(one);
    free(all);
    all = more;
    if (full)
      break;
  }
  char *closed = all != NULL ? wn_asprintf("%s]", all) : NULL;
  free(all);
  return closed;
}
