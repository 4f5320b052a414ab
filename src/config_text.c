/* src/config_text.c - the resolved scenario: every key that the model uses, defaults
 * included, as libconfig text */
#include "src/config_internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

struct writer {
  FILE *to;
  char group[320]; /* open groups: "gas.components.N2." */
  int depth;
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

/* "101325 Pa", or a plain number that libconfig takes for one. */
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

static void put_value(FILE *to, const struct wn_key *k, const void *base)
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

static void put_key(struct writer *w, const struct wn_key *k,
                    const struct wn_cfg_component *g, const void *base)
{
  char group[320];
  const char *dot = strrchr(k->key, '.'), *last = dot != NULL ? dot + 1 : k->key;
  if (g != NULL)
    snprintf(group, sizeof group, "gas.components.%s.", g->name);
  else
    snprintf(group, sizeof group, "%.*s", (int)(last - k->key), k->key);
  enter(w, group);
  indent(w);
  fprintf(w->to, "%s = ", last);
  /* The file is named where it was found, so that the text can be read elsewhere. */
  if (g != NULL && strcmp(last, "file") == 0)
    put_string(w->to, g->path);
  else
    put_value(w->to, k, base);
  fputs(";\n", w->to);
}

char *wn_config_text(const struct wn_config *c)
{
  char *text = NULL;
  size_t size = 0;
  struct writer w = {.to = open_memstream(&text, &size)};
  if (w.to == NULL)
    return NULL;
  unsigned model = wn_config_model_flag[c->model];
  for (size_t i = 0; i < wn_config_n_keys; i++) {
    const struct wn_key *k = &wn_config_keys[i];
    if (!(k->flags & model))
      continue;
    if (!(k->flags & WN_KEY_COMPONENT)) {
      put_key(&w, k, NULL, c);
      continue;
    }
    /* All keys of a component, then the next component. */
    size_t end = i;
    while (end < wn_config_n_keys && (wn_config_keys[end].flags & WN_KEY_COMPONENT))
      end++;
    for (size_t j = 0; j < c->n_components; j++) {
      for (size_t m = i; m < end; m++)
        put_key(&w, &wn_config_keys[m], &c->components[j], &c->components[j]);
    }
    i = end - 1;
  }
  enter(&w, "");
  bool failed = ferror(w.to) != 0;
  if (fclose(w.to) != 0 || failed) {
    free(text);
    return NULL;
  }
  return text;
}
