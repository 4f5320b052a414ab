/* schedulers/births.c - list of newborns of one thread, see model.h. */
#include <string.h>
#include "base/alloc.h"
#include "base/error.h"
#include "schedulers/model.h"

int wn_births_reserve(struct wn_births *b, size_t n)
{
  if (n <= b->capacity - b->n)
    return 1;
  if (b->status != WN_OK)
    return 0;
  size_t capacity = b->capacity > 0 ? 2 * b->capacity : 256;
  if (capacity < b->n + n)
    capacity = b->n + n;
  unsigned char *grown = wn_realloc(b->e, capacity, b->record);
  if (grown == NULL) {
    b->status = WN_ENOMEM;
    return 0;
  }
  b->e = grown;
  b->capacity = capacity;
  return 1;
}

void wn_births_push(struct wn_births *b, const void *e)
{
  if (wn_births_reserve(b, 1))
    memcpy(wn_births_next(b), e, b->record);
}
