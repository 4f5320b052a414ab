/* crosssections/xs_builtin.c - the sets that come with the program, by name. */
#include "crosssections/xs.h"

#include "base/alloc.h"
#include "base/error.h"

#include <stdlib.h>
#include <string.h>

#define MAX_TARGETS 2

static const struct builtin {
  const char *name;
  const char *target[MAX_TARGETS];
  int (*make)(const char *target, struct wn_xs_set **out);
} builtins[] = {
    {"builtin:air", {"N2", "O2"}, wn_xs_builtin_air},
    {"builtin:argon", {"Ar", "Ar+ / Ar"}, wn_xs_builtin_argon},
};

static const struct builtin *find(const char *name)
{
  for (size_t i = 0; i < sizeof builtins / sizeof builtins[0]; i++)
    if (strcmp(builtins[i].name, name) == 0)
      return &builtins[i];
  return NULL;
}

bool wn_xs_is_builtin(const char *name)
{
  return find(name) != NULL;
}

int wn_xs_builtin(const char *name, const char *target, struct wn_xs_set **out)
{
  const struct builtin *b = find(name);
  WN_ASSERT(b != NULL);
  return b->make(target, out);
}

int wn_xs_builtin_targets(const char *name, size_t *n, char ***names)
{
  const struct builtin *b = find(name);
  WN_ASSERT(b != NULL);
  char **list = wn_alloc(MAX_TARGETS, sizeof *list);
  if (list == NULL)
    return WN_ENOMEM;
  for (size_t i = 0; i < MAX_TARGETS; i++)
    if ((list[i] = wn_strdup(b->target[i])) == NULL) {
      while (i > 0)
        free(list[--i]);
      free(list);
      return WN_ENOMEM;
    }
  *n = MAX_TARGETS;
  *names = list;
  return WN_OK;
}
