/* base/state.c - see state.h. */
#include "base/state.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/error.h"

#define NAME 24 /* of an item, truncated to this length */

struct head {
  char name[NAME];
  uint64_t bytes;
};

void wn_state_init(struct wn_state *s)
{
  *s = (struct wn_state){.way = WN_STATE_SAVE};
}

void wn_state_rewind(struct wn_state *s)
{
  s->way = WN_STATE_RESTORE;
  s->at = 0;
}

void wn_state_clear(struct wn_state *s)
{
  free(s->bytes);
  wn_state_init(s);
}

static struct head head_of(const char *name, size_t bytes)
{
  struct head h = {.bytes = bytes};
  size_t n = strlen(name);
  memcpy(h.name, name, n < NAME - 1 ? n : NAME - 1);
  return h;
}

/* Reads the head of the next saved item. */
static int find(const struct wn_state *s, const struct head *h)
{
  struct head found = {{0}, 0};
  if (s->n - s->at >= sizeof found)
    memcpy(&found, s->bytes + s->at, sizeof found);
  if (memcmp(&found, h, sizeof found) != 0 || s->n - s->at - sizeof found < h->bytes)
    return WN_FAIL(
        WN_EINPUT,
        "a saved state does not fit: expected `%s` of %llu bytes, found "
        "`%.*s` of %llu bytes",
        h->name, (unsigned long long)h->bytes, NAME, found.name,
        (unsigned long long)found.bytes); /* the saved name may lack its final zero */
  return WN_OK;
}

/* To the sink, or to the end of the memory, which grows. */
static int put(struct wn_state *s, const void *data, size_t n)
{
  const size_t need = s->n + n;
  if (n == 0)
    return WN_OK;
  if (s->sink != NULL) {
    WN_TRY(s->sink(s->ctx, data, n));
    s->n = need;
    return WN_OK;
  }
  if (need > s->capacity) {
    const size_t capacity = need + need / 2;
    unsigned char *grown = wn_realloc(s->bytes, capacity, 1);
    if (grown == NULL)
      return WN_ENOMEM;
    s->bytes = grown;
    s->capacity = capacity;
  }
  memcpy(s->bytes + s->n, data, n);
  s->n = need;
  return WN_OK;
}

int wn_state_head(struct wn_state *s, const char *name, size_t bytes)
{
  const struct head h = head_of(name, bytes);
  return put(s, &h, sizeof h);
}

int wn_state_part(struct wn_state *s, const void *data, size_t n)
{
  return put(s, data, n);
}

int wn_state_item_part(struct wn_state *s, const char *name, void *data, size_t bytes,
                       size_t from, size_t n)
{
  const struct head h = head_of(name, bytes);
  WN_ASSERT(from + n <= bytes);
  WN_TRY(find(s, &h));
  if (n > 0)
    memcpy(data, s->bytes + s->at + sizeof h + from, n);
  s->at += sizeof h + bytes;
  return WN_OK;
}

int wn_state_item(struct wn_state *s, const char *name, void *data, size_t bytes)
{
  if (s->way == WN_STATE_RESTORE)
    return wn_state_item_part(s, name, data, bytes, 0, bytes);
  const size_t n = s->n;
  int status = wn_state_head(s, name, bytes);
  if (status == WN_OK)
    status = put(s, data, bytes);
  if (status != WN_OK && s->sink == NULL)
    s->n = n; /* a head without its data would be read as an item */
  return status;
}
