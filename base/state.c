/* base/state.c - see state.h. */
#include "base/state.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/error.h"

#define NAME 24 /* of an item, cut to this length */

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

static int pour(struct wn_state *s, const struct head *h, const void *data)
{
  WN_TRY(s->sink(s->ctx, h, sizeof *h));
  if (h->bytes > 0)
    WN_TRY(s->sink(s->ctx, data, h->bytes));
  s->n += sizeof *h + h->bytes;
  return WN_OK;
}

static int save(struct wn_state *s, const struct head *h, const void *data)
{
  if (s->sink != NULL)
    return pour(s, h, data);
  size_t need = s->n + sizeof *h + h->bytes;
  if (need > s->capacity) {
    size_t capacity = need + need / 2;
    unsigned char *grown = wn_realloc(s->bytes, capacity, 1);
    if (grown == NULL)
      return WN_ENOMEM;
    s->bytes = grown;
    s->capacity = capacity;
  }
  memcpy(s->bytes + s->n, h, sizeof *h);
  if (h->bytes > 0)
    memcpy(s->bytes + s->n + sizeof *h, data, h->bytes);
  s->n = need;
  return WN_OK;
}

static int restore(struct wn_state *s, const struct head *h, void *data)
{
  struct head found = {{0}, 0};
  if (s->n - s->at >= sizeof found)
    memcpy(&found, s->bytes + s->at, sizeof found);
  if (memcmp(&found, h, sizeof found) != 0 || s->n - s->at - sizeof found < h->bytes)
    return WN_FAIL(WN_EINPUT,
                   "a saved state does not fit: `%s` of %llu bytes is wanted, `%s` of "
                   "%llu bytes is there",
                   h->name, (unsigned long long)h->bytes, found.name,
                   (unsigned long long)found.bytes);
  if (h->bytes > 0)
    memcpy(data, s->bytes + s->at + sizeof found, h->bytes);
  s->at += sizeof found + h->bytes;
  return WN_OK;
}

int wn_state_item(struct wn_state *s, const char *name, void *data, size_t bytes)
{
  const struct head h = head_of(name, bytes);
  return s->way == WN_STATE_SAVE ? save(s, &h, data) : restore(s, &h, data);
}
