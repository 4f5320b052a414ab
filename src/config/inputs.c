/* src/config/inputs.c - the files that a run reads. */
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/error.h"
#include "src/config/internal.h"

struct list {
  size_t n, room;
  const char **name;
};

static int add(struct list *l, const char *name)
{
  if (name == NULL || !*name)
    return WN_OK;
  if (l->n == l->room) {
    const size_t room = 2 * l->room + 16;
    const char **p = wn_realloc(l->name, room, sizeof *p);
    if (p == NULL)
      return WN_ENOMEM;
    l->name = p;
    l->room = room;
  }
  l->name[l->n++] = name;
  return WN_OK;
}

/* The resolved path of a key's file. */
static int add_found(struct list *l, const struct wn_key *k, const void *base)
{
  const char *path;
  memcpy(&path, (const char *)base + k->n_offset, sizeof path);
  return add(l, path);
}

static int add_all(struct list *l, const struct wn_config *c)
{
  WN_TRY(add(l, c->file));
  WN_TRY(add(l, c->waveform.source));
  WN_TRY(add(l, c->gas_profile.source));
  WN_TRY(add(l, c->field_profile.source));
  for (size_t i = 0; i < wn_config_n_keys(); i++) {
    const struct wn_key *k = wn_config_key(i);
    const size_t n = k->named != NULL ? wn_config_named_count(k->named, c) : 1;
    for (size_t j = 0; k->type == WN_KEY_FILE && j < n; j++)
      WN_TRY(add_found(l, k, k->named != NULL ? wn_config_named_at(k->named, c, j) : c));
  }
  return WN_OK;
}

int wn_config_inputs(const struct wn_config *c, size_t *n, const char ***names)
{
  struct list l = {0};
  const int status = add_all(&l, c);
  if (status != WN_OK) {
    free(l.name);
    return status;
  }
  *n = l.n;
  *names = l.name;
  return WN_OK;
}
