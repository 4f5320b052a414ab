/* crosssections/xs_names.c - which process of a set a name of a scenario means. */
#include "crosssections/xs_set.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "crosssections/xs.h"

/* By its label or product; all channels of a product by that without the brackets. */
bool wn_xs_named_by(const struct wn_xs_process *p, const char *name)
{
  const size_t n = strlen(name);
  if (strcmp(p->label, name) == 0)
    return true;
  return p->product != NULL && strncmp(p->product, name, n) == 0 &&
         (p->product[n] == '\0' || (p->channel && strncmp(p->product + n, " (", 2) == 0));
}

/* Edits (insert, remove, replace one byte) from a to b; SIZE_MAX without memory. */
static size_t distance(const char *a, const char *b)
{
  size_t n = strlen(b);
  size_t *row = wn_alloc(n + 1, sizeof *row);
  if (row == NULL)
    return SIZE_MAX;
  for (size_t j = 0; j <= n; j++)
    row[j] = j;
  for (size_t i = 0; a[i] != '\0'; i++) {
    size_t diagonal = row[0];
    row[0] = i + 1;
    for (size_t j = 0; j < n; j++) {
      size_t up = row[j + 1];
      size_t best = diagonal + (a[i] != b[j]);
      best = up + 1 < best ? up + 1 : best;
      best = row[j] + 1 < best ? row[j] + 1 : best;
      row[j + 1] = best;
      diagonal = up;
    }
  }
  size_t d = row[n];
  free(row);
  return d;
}

const char *wn_xs_nearest_or(const struct wn_xs_set *set, size_t n,
                             const char *const *word, const char *name)
{
  const char *nearest = NULL;
  size_t least = SIZE_MAX;
  for (size_t i = 0; i < set->n; i++) {
    const struct wn_xs_process *p = &set->process[i];
    size_t d = distance(name, p->label);
    size_t dp = p->product != NULL ? distance(name, p->product) : SIZE_MAX;
    d = dp < d ? dp : d;
    if (d < least) {
      least = d;
      nearest = p->label;
    }
  }
  for (size_t i = 0; i < n; i++) {
    size_t d = distance(name, word[i]);
    if (d < least) {
      least = d;
      nearest = word[i];
    }
  }
  return nearest;
}

const char *wn_xs_nearest(const struct wn_xs_set *set, const char *name)
{
  return wn_xs_nearest_or(set, 0, NULL, name);
}
