/* src/config/text.c - the resolved scenario: every key that the model uses, including
 * defaults, as libconfig text */
#include "src/config/internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

struct writer {
  FILE *to;
  char group[320]; /* open groups: "gas.components.N2." */
  int depth;
  size_t dim; /* axes of the grid */
};

static void indent(const struct writer *w)
{
  fprintf(w->to, "%*s", 2 * w->depth, "");
}

static void put_string(FILE *to, const char *s)
{
  fputc('"', to);
  for (; *s; s++) {
    unsigned char c = (unsigned char)*s;
    if (c == '"' || c == '\\')
      fprintf(to, "\\%c", c);
    else if (c < 32 || c == 127)
      fprintf(to, "\\x%02x", c);
    else
      fputc(c, to);
  }
  fputc('"', to);
}

/* "101325 Pa", or a plain number in libconfig's form. */
static void put_quantity(FILE *to, const struct wn_key *k, double x)
{
  char number[32];
  wn_config_units_number(x, number);
  if (k->automatic && x == WN_AUTO) {
    put_string(to, k->automatic);
  } else if (k->unit != WN_UNIT_NONE) {
    fprintf(to, "\"%s %s\"", number, wn_config_units_base(k->unit));
  } else {
    /* libconfig reads 1e-05 but takes a number without point or exponent for an int of 32
     * bits. */
    fprintf(to, "%s%s", number, strpbrk(number, ".e") ? "" : ".0");
  }
}

static void put_list(FILE *to, const struct wn_key *k, const void *list, size_t n)
{
  fputc('[', to);
  for (size_t i = 0; i < n; i++) {
    fputs(i ? ", " : "", to);
    if (k->type == WN_KEY_STRINGS)
      put_string(to, ((char *const *)list)[i]);
    else if (k->type == WN_KEY_FIELDS)
      put_string(to, ((const struct wn_cfg_case *)list)[i].text);
    else
      put_quantity(to, k, ((const double *)list)[i]);
  }
  fputc(']', to);
}

/* A list stored in place, as many elements as are used. */
static void put_fixed(FILE *to, const struct wn_key *k, const void *at, size_t dim)
{
  size_t n = k->flags & WN_KEY_PER_AXIS ? dim : k->n;
  fputc('[', to);
  for (size_t i = 0; i < n; i++) {
    fputs(i ? ", " : "", to);
    if (k->type == WN_KEY_COUNTS)
      fprintf(to, "%zu", ((const size_t *)at)[i]);
    else if (k->type == WN_KEY_INTEGERS)
      fprintf(to, "%ld", ((const long *)at)[i]);
    else
      put_quantity(to, k, ((const double *)at)[i]);
  }
  fputc(']', to);
}

static void put_words(FILE *to, const struct wn_key *k, unsigned bits)
{
  fputc('[', to);
  for (unsigned i = 0, done = 0; k->words[i] != NULL; i++) {
    if (!(bits & 1u << i))
      continue;
    fputs(done++ ? ", " : "", to);
    put_string(to, k->words[i]);
  }
  fputc(']', to);
}

/* Lists in a list have round brackets outside: libconfig allows square ones for numbers alone. */
static void put_modes(FILE *to, const double *mode, size_t n, size_t dim)
{
  bool flat = dim == 1;
  fputc(flat ? '[' : '(', to);
  for (size_t i = 0; i < n; i++) {
    fputs(i ? ", " : "", to);
    fputs(flat ? "" : "[", to);
    for (size_t d = 0; d < dim; d++) {
      fputs(d ? ", " : "", to);
      fprintf(to, "%.0f", mode[3 * i + d]); /* whole numbers, checked already */
    }
    fputs(flat ? "" : "]", to);
  }
  fputc(flat ? ']' : ')', to);
}

static void put_value(FILE *to, const struct wn_key *k, const void *base, size_t dim)
{
  const char *at = (const char *)base + k->offset;
  const void *pointer;
  int word;
  switch (k->type) {
  case WN_KEY_QUANTITY:
    put_quantity(to, k, *(const double *)at);
    break;
  case WN_KEY_COUNT:
    fprintf(to, "%zu%s", *(const size_t *)at, *(const size_t *)at > INT32_MAX ? "L" : "");
    break;
  case WN_KEY_SEED:
    fprintf(to, "%llu%s", (unsigned long long)*(const uint64_t *)at,
            *(const uint64_t *)at > INT32_MAX ? "L" : "");
    break;
  case WN_KEY_INT:
    if (k->automatic != NULL && *(const int *)at == (int)WN_AUTO)
      put_string(to, k->automatic);
    else
      fprintf(to, "%d", *(const int *)at);
    break;
  case WN_KEY_BOOL:
    fputs(*(const bool *)at ? "true" : "false", to);
    break;
  case WN_KEY_WORD:
    memcpy(&word, at, sizeof word);
    put_string(to, k->words[word]);
    break;
  case WN_KEY_STRING:
    memcpy(&pointer, at, sizeof pointer);
    /* database and table: "" stands for the default */
    put_string(to, pointer != NULL ? pointer : "");
    break;
  case WN_KEY_FILE: /* resolved, so that the text can be read in another folder */
    memcpy(&pointer, (const char *)base + k->n_offset, sizeof pointer);
    put_string(to, pointer != NULL ? pointer : "");
    break;
  case WN_KEY_VECTOR:
  case WN_KEY_COUNTS:
  case WN_KEY_INTEGERS:
    put_fixed(to, k, at, dim);
    break;
  case WN_KEY_WORDS:
    put_words(to, k, *(const unsigned *)at);
    break;
  case WN_KEY_MODES:
    memcpy(&pointer, at, sizeof pointer);
    put_modes(to, pointer, *(const size_t *)((const char *)base + k->n_offset), dim);
    break;
  case WN_KEY_QUANTITIES:
  case WN_KEY_STRINGS:
  case WN_KEY_FIELDS:
    memcpy(&pointer, at, sizeof pointer);
    put_list(to, k, pointer, *(const size_t *)((const char *)base + k->n_offset));
    break;
  }
}

/* Close and open groups until the open ones are those of a key ("gas.components.N2." or
 * ""). */
static void enter(struct writer *w, const char *group)
{
  size_t len = strlen(w->group);
  while (len > 0 && strncmp(w->group, group, len) != 0) {
    w->depth--;
    indent(w);
    fputs("};\n", w->to);
    w->group[--len] = '\0'; /* the dot, then the name */
    while (len > 0 && w->group[len - 1] != '.')
      w->group[--len] = '\0';
  }
  while (group[len]) {
    size_t n = strcspn(group + len, ".");
    indent(w);
    fprintf(w->to, "%.*s = {\n", (int)n, group + len);
    w->depth++;
    len += n + 1;
  }
  snprintf(w->group, sizeof w->group, "%s", group);
}

/* name: of the element of k->named at base; NULL if base is the scenario. */
static void put_key(struct writer *w, const struct wn_key *k, const char *name,
                    const void *base)
{
  char group[320];
  const char *dot = strrchr(k->key, '.'), *last = dot != NULL ? dot + 1 : k->key;
  if (name != NULL)
    snprintf(group, sizeof group, "%s%s.", k->named->prefix, name);
  else
    snprintf(group, sizeof group, "%.*s", (int)(last - k->key), k->key);
  enter(w, group);
  indent(w);
  fprintf(w->to, "%s = ", last);
  put_value(w->to, k, base, w->dim);
  fputs(";\n", w->to);
}

/* Whether the model of the scenario has the key. */
static bool is_of_model(const struct wn_config *c, const struct wn_key *k)
{
  return (k->flags & wn_config_model_flag[c->model]) &&
         (!(k->flags & WN_KEY_GAS) || wn_config_has_gas(c));
}

/* All keys of an element, then the next element.  Returns the row after those of the
 * group that begins at row i. */
static size_t put_named(struct writer *w, const struct wn_config *c, size_t i)
{
  const struct wn_named *g = wn_config_key(i)->named;
  size_t end = i;
  while (end < wn_config_n_keys() && wn_config_key(end)->named == g)
    end++;
  for (size_t j = 0; j < wn_config_named_count(g, c); j++) {
    const char *name = wn_config_named_name(g, c, j);
    for (size_t m = i; m < end && name != NULL; m++)
      if (is_of_model(c, wn_config_key(m)))
        put_key(w, wn_config_key(m), name, wn_config_named_at(g, c, j));
  }
  return end;
}

/* Of pressure and density the derived one is not written: it would not follow a scan.  A profile makes both. */
static bool is_made(const struct wn_config *c, const struct wn_key *k)
{
  if (wn_config_gas_changes(c))
    return strcmp(k->key, "gas.pressure") == 0 ||
           strcmp(k->key, "gas.number_density") == 0;
  return c->n_scans > 0 &&
         strcmp(k->key, c->density_given ? "gas.pressure" : "gas.number_density") == 0;
}

/* `accuracy` is a value, or a group of goals. */
static bool is_other_form(const struct wn_config *c, const struct wn_key *k)
{
  const bool named = wn_config_has_goals(c);
  if (strncmp(k->key, "accuracy.", 9) != 0)
    return named && strcmp(k->key, "accuracy") == 0;
  double x;
  memcpy(&x, (const char *)c + k->offset, sizeof x);
  return !named || x == WN_AUTO;
}

static bool is_used(const struct wn_config *c, const struct wn_key *k)
{
  if (is_made(c, k) || is_other_form(c, k))
    return false;
  return is_of_model(c, k);
}

char *wn_config_text(const struct wn_config *c)
{
  char *text = NULL;
  size_t size = 0;
  if (c->text != NULL)
    return wn_strdup(c->text);
  struct writer w = {.to = open_memstream(&text, &size), .dim = (size_t)c->plasma.dim};
  if (w.to == NULL)
    return NULL;
  for (size_t i = 0; i < wn_config_n_keys();) {
    const struct wn_key *k = wn_config_key(i);
    if (k->named != NULL && is_used(c, k)) {
      i = put_named(&w, c, i);
      continue;
    }
    if (k->named == NULL && is_used(c, k))
      put_key(&w, k, NULL, c);
    i++;
  }
  enter(&w, "");
  bool failed = ferror(w.to) != 0;
  if (fclose(w.to) != 0 || failed) {
    free(text);
    return NULL;
  }
  return text;
}
