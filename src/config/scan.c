/* src/config/scan.c - scans: a key that takes several values in turn.  A scan point is a
 * scenario like any other, read with these values as by --set. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/error.h"
#include "base/log.h"
#include "src/config/range.h"
#include "src/config/reader.h"

#define MAX_POINTS 10000

/* Groups and keys that cannot vary within a file, or that change no result. */
static const struct {
  const char *begins, *why;
} refused[] = {
    {"scan.", "is a scan itself"},
    {"fields", "is a list already: all fields are run at each scan point"},
    {"model", "determines the meaning of all other keys"},
    {"job", "determines the variables of the file"},
    {"waveform.shape", "determines the variables of the file"},
    {"waveform.period", "determines the variables of the file"},
    {"waveform.rows", "determines the variables of the file"},
    {"distribution.", "determines the variables of the file"},
    {"runaway.", "determines the variables of the file"},
    {"detectors.", "determines the variables of the file"},
    {"sampling.", "determines the method of measurement"},
    {"groups", "determines the method of measurement"},
    {"population.capacity", "changes no result"},
    {"population.residence", "changes no result"},
    {"device", "changes no result"},
    {"scheduler", "changes no result"},
    {"threads", "changes no result"},
    {"block_size", "changes no result"},
    {"quiet", "changes no result"},
    {"checkpoint.", "changes no result"},
};

static const char *why_not(const struct wn_key *k, const char *key)
{
  for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++)
    if (strncmp(key, refused[i].begins, strlen(refused[i].begins)) == 0)
      return refused[i].why;
  switch (k->type) {
  case WN_KEY_QUANTITY:
  case WN_KEY_COUNT:
  case WN_KEY_SEED:
  case WN_KEY_INT:
  case WN_KEY_BOOL:
  case WN_KEY_WORD:
    return k->flags & WN_KEY_MCC || k->named == &wn_config_components
               ? NULL
               : "belongs to another model";
  default:
    return "is not a single number or word";
  }
}

/* The value as in a scenario: words and numbers with unit in quotes. */
static char *written(const struct wn_key *k, const char *value)
{
  return k->type == WN_KEY_WORD ||
                 ((k->type == WN_KEY_QUANTITY || k->type == WN_KEY_INT) &&
                  (k->unit != WN_UNIT_NONE || strcmp(value, "auto") == 0))
             ? wn_asprintf("\"%s\"", value)
             : wn_strdup(value);
}

/* Reads one value into a temporary struct. */
static int try_value(const struct wn_key *k, const char *value, void *scratch, char **why)
{
  char *text = written(k, value), *line = NULL;
  if (text != NULL)
    line = wn_asprintf("value = %s;", text);
  config_t t;
  config_init(&t);
  int status = line == NULL                    ? WN_ENOMEM
               : !config_read_string(&t, line) ? WN_EINPUT
                                               : WN_OK;
  if (status == WN_OK)
    status = wn_config_value_put(k, config_lookup(&t, "value"), scratch, why);
  config_destroy(&t);
  free(text);
  free(line);
  return status;
}

/* The values with ranges expanded, which are list elements in quotes. */
static int write_out(const struct wn_key *k, struct wn_cfg_scan *s, char **why)
{
  char *list = NULL, **values = NULL;
  size_t n = 0;
  int status = WN_OK;
  for (size_t i = 0; i < s->n_values && status == WN_OK; i++) {
    status = wn_config_range_list(k->unit, s->values[i], &list, why);
    for (char *at = list; status == WN_OK && (at = strchr(at, '"')) != NULL;) {
      char *end = strchr(at + 1, '"'), **more = wn_realloc(values, n + 1, sizeof *values);
      if (more == NULL || end == NULL) {
        status = WN_ENOMEM;
        break;
      }
      values = more;
      values[n] = wn_asprintf("%.*s", (int)(end - at - 1), at + 1);
      status = values[n++] != NULL ? WN_OK : WN_ENOMEM;
      at = end + 1;
    }
    free(list);
    list = NULL;
  }
  if (status != WN_OK) {
    while (n > 0)
      free(values[--n]);
    free(values);
    return status;
  }
  for (size_t i = 0; i < s->n_values; i++)
    free(s->values[i]);
  free(s->values);
  s->values = values;
  s->n_values = n;
  return WN_OK;
}

static int check_values(struct wn_reader *r, const struct wn_key *k,
                        struct wn_cfg_scan *s)
{
  struct wn_given v = wn_reader_given(r, "scan", s->name, "values");
  char *why = NULL;
  if (s->n_values == 0) {
    wn_reader_error(r, v.entry, v.key, "missing or empty; give at least one value");
    return WN_OK;
  }
  int status = write_out(k, s, &why);
  if (status == WN_EINPUT)
    wn_reader_error(r, v.entry, v.key, "%s", why != NULL ? why : "not valid");
  void *scratch =
      wn_alloc(1, k->named != NULL ? k->named->bytes : sizeof(struct wn_config));
  if (scratch == NULL)
    status = WN_ENOMEM;
  for (size_t i = 0; status == WN_OK && i < s->n_values; i++) {
    free(why);
    why = NULL;
    status = try_value(k, s->values[i], scratch, &why);
    if (status == WN_EINPUT)
      wn_reader_error(r, v.entry, v.key, "\"%s\" for `%s`: %s", s->values[i], s->key,
                      why != NULL ? why : "not valid");
  }
  free(scratch);
  free(why);
  return status == WN_EINPUT ? WN_OK : status;
}

static int check_scan(struct wn_reader *r, size_t i)
{
  struct wn_cfg_scan *s = &r->c->scans[i];
  struct wn_given g = wn_reader_given(r, "scan", s->name, "key");
  const char *name;
  size_t len;
  if (s->key == NULL) { /* or of the wrong type, reported already */
    wn_reader_error(r, g.entry, g.key, "missing; give the key to be scanned");
    return WN_OK;
  }
  const struct wn_key *k = wn_config_find_key(s->key, &name, &len);
  if (k == NULL) {
    char *near = wn_config_nearest_key(s->key);
    wn_reader_error(r, g.entry, g.key, "unknown key%s%s",
                    near != NULL ? "; nearest is " : "", near != NULL ? near : "");
    free(near);
    return WN_OK;
  }
  const char *why = why_not(k, s->key);
  if (why != NULL)
    wn_reader_error(r, g.entry, g.key, "cannot be scanned: it %s", why);
  else if (k->named != NULL && wn_config_named_find(k->named, r->c, name, len) == NULL)
    wn_reader_error(r, g.entry, g.key, "the scenario has no `%.*s`", (int)len, name);
  for (size_t j = 0; j < i; j++)
    if (r->c->scans[j].key != NULL && strcmp(r->c->scans[j].key, s->key) == 0)
      wn_reader_error(r, g.entry, g.key, "scan `%s` has the same key",
                      r->c->scans[j].name);
  return why == NULL ? check_values(r, k, s) : WN_OK;
}

int wn_config_check_scans(struct wn_reader *r)
{
  struct wn_config *c = r->c;
  double points = 1.0;
  for (size_t i = 0; i < c->n_scans; i++) {
    WN_TRY(check_scan(r, i));
    points *= (double)c->scans[i].n_values;
  }
  if (points > MAX_POINTS)
    wn_reader_error(r, NULL, "scan", "%.9g points; at most %d", points, MAX_POINTS);
  if (wn_scan_of_magnetic(c)) /* all points write the same variables */
    c->sample_tensor = true;
  return WN_OK;
}

bool wn_scan_of_magnetic(const struct wn_config *c)
{
  for (size_t i = 0; i < c->n_scans; i++)
    if (c->scans[i].key != NULL && strncmp(c->scans[i].key, "magnetic_", 9) == 0)
      return true;
  return false;
}

double wn_scan_value(const struct wn_config *point, size_t scan, const char **text)
{
  const char *name;
  size_t len;
  const struct wn_key *k = wn_config_find_key(point->scans[scan].key, &name, &len);
  const char *base = k->named != NULL
                         ? wn_config_named_find(k->named, (void *)point, name, len)
                         : (const void *)point;
  const void *at = base + k->offset;
  int word;
  *text = NULL;
  switch (k->type) {
  case WN_KEY_COUNT:
    return (double)*(const size_t *)at;
  case WN_KEY_SEED:
    return (double)*(const uint64_t *)at;
  case WN_KEY_INT:
    return k->automatic != NULL && *(const int *)at == (int)WN_AUTO ? NAN
                                                                    : *(const int *)at;
  case WN_KEY_BOOL:
    return *(const bool *)at;
  case WN_KEY_WORD:
    memcpy(&word, at, sizeof word);
    *text = k->words[word];
    return NAN;
  default:
    return k->automatic != NULL && *(const double *)at == WN_AUTO ? NAN
                                                                  : *(const double *)at;
  }
}

const char *wn_scan_unit(const struct wn_cfg_scan *scan)
{
  const struct wn_key *k = wn_config_find_key(scan->key, NULL, NULL);
  return *wn_config_units_base(k->unit) ? wn_config_units_base(k->unit) : "1";
}

/* The scenario with the values of point i, and a name for its cases. */
static int read_point(const struct wn_config *c, const char *scenario, size_t i,
                      size_t n_set, const char *const *set, struct wn_config **out,
                      char **what)
{
  const char **sets = wn_alloc(n_set + c->n_scans, sizeof *sets);
  char **own = wn_alloc(c->n_scans, sizeof *own);
  int status = sets != NULL && own != NULL ? WN_OK : WN_ENOMEM;
  *what = wn_strdup("");
  for (size_t j = 0; j < n_set && status == WN_OK; j++)
    sets[j] = set[j];
  for (size_t j = c->n_scans; j-- > 0 && status == WN_OK; i /= c->scans[j].n_values) {
    const struct wn_cfg_scan *s = &c->scans[j];
    const char *value = s->values[i % s->n_values];
    char *text = written(wn_config_find_key(s->key, NULL, NULL), value);
    char *longer = wn_asprintf(", %s %s%s", s->name, value, *what != NULL ? *what : "");
    own[j] = text != NULL ? wn_asprintf("%s=%s", s->key, text) : NULL;
    free(text);
    free(*what);
    *what = longer;
    sets[n_set + j] = own[j];
    status = own[j] != NULL && longer != NULL ? WN_OK : WN_ENOMEM;
  }
  const enum wn_log_level level = wn_log_level();
  wn_log_set_level(WN_LOG_ERROR); /* its messages are those of the scenario itself */
  if (status == WN_OK)
    status = wn_config_read_text(c->file, scenario, n_set + c->n_scans, sets, out);
  wn_log_set_level(level);
  for (size_t j = 0; own != NULL && j < c->n_scans; j++)
    free(own[j]);
  free(own);
  free(sets);
  return status;
}

/* Every point gets the cases of all points. */
static int join_cases(struct wn_scenarios *p, char *const *what)
{
  size_t n = 0;
  for (size_t i = 0; i < p->n; i++) {
    struct wn_config *c = p->c[i];
    if ((c->point = wn_strdup(what[i] + strlen(", "))) == NULL)
      return WN_ENOMEM;
    c->first_case = n;
    n += c->own_cases = c->n_cases;
    if ((c->text = wn_config_text(c)) == NULL)
      return WN_ENOMEM;
  }
  struct wn_cfg_case **all = wn_alloc(p->n, sizeof *all);
  int status = all != NULL ? WN_OK : WN_ENOMEM;
  for (size_t i = 0; i < p->n && status == WN_OK; i++) {
    all[i] = wn_alloc(n, sizeof **all);
    if (all[i] == NULL)
      status = WN_ENOMEM;
    for (size_t j = 0, k = 0; j < p->n && status == WN_OK; j++)
      for (size_t m = 0; m < p->c[j]->own_cases && status == WN_OK; m++, k++) {
        all[i][k] = p->c[j]->cases[m];
        all[i][k].text = wn_asprintf("%s%s", p->c[j]->cases[m].text, what[j]);
        status = all[i][k].text != NULL ? WN_OK : WN_ENOMEM;
      }
  }
  for (size_t i = 0; i < p->n && status == WN_OK; i++) {
    for (size_t m = 0; m < p->c[i]->own_cases; m++)
      free(p->c[i]->cases[m].text);
    free(p->c[i]->cases);
    p->c[i]->cases = all[i];
    p->c[i]->n_cases = n;
  }
  free(all); /* out of memory: the program ends */
  return status;
}

int wn_scenarios_read(const char *file, size_t n_set, const char *const *set,
                      struct wn_scenarios *out)
{
  return wn_scenarios_read_text(file, NULL, n_set, set, out);
}

int wn_scenarios_read_text(const char *name, const char *text, size_t n_set,
                           const char *const *set, struct wn_scenarios *out)
{
  struct wn_config *c = NULL;
  struct wn_scenarios p = {.n = 1};
  WN_TRY(wn_config_read_text(name, text, n_set, set, &c));
  for (size_t i = 0; i < c->n_scans; i++)
    p.n *= c->scans[i].n_values;
  p.c = wn_alloc(p.n, sizeof *p.c);
  char **what = wn_alloc(p.n, sizeof *what);
  int status = p.c != NULL && what != NULL ? WN_OK : WN_ENOMEM;
  if (c->n_scans == 0 && status == WN_OK) {
    p.c[0] = c;
  } else {
    for (size_t i = 0; i < p.n && status == WN_OK; i++)
      status = read_point(c, text, i, n_set, set, &p.c[i], &what[i]);
    if (status == WN_OK)
      status = join_cases(&p, what);
    wn_config_free(c);
  }
  for (size_t i = 0; what != NULL && i < p.n; i++)
    free(what[i]);
  free(what);
  if (status != WN_OK) {
    wn_scenarios_free(&p);
    return status;
  }
  *out = p;
  return WN_OK;
}

void wn_scenarios_free(struct wn_scenarios *p)
{
  for (size_t i = 0; p->c != NULL && i < p->n; i++)
    wn_config_free(p->c[i]);
  free(p->c);
  *p = (struct wn_scenarios){0};
}

int wn_scenarios_share(const struct wn_scenarios *p, int threads,
                       struct wn_scenarios *out)
{
  struct wn_scenarios own = {.c = wn_alloc(p->n, sizeof *own.c)};
  if (own.c == NULL)
    return WN_ENOMEM;
  for (; own.n < p->n; own.n++) {
    own.c[own.n] = wn_alloc(1, sizeof *own.c[own.n]);
    if (own.c[own.n] == NULL) {
      wn_scenarios_drop(&own);
      return WN_ENOMEM;
    }
    *own.c[own.n] = *p->c[own.n];
    own.c[own.n]->threads = threads;
  }
  *out = own;
  return WN_OK;
}

void wn_scenarios_drop(struct wn_scenarios *p)
{
  for (size_t i = 0; p->c != NULL && i < p->n; i++)
    free(p->c[i]);
  free(p->c);
  *p = (struct wn_scenarios){0};
}
