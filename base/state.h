/* base/state.h - save and restore.  Every object with a state has one function that visits its members in
 * a fixed order, wn_<object>_state(object, s), and calls wn_state_item for each.  Saving writes them one
 * after the other, restoring reads them back, so that one list serves both.  An item has a name and a
 * size; if either differs the item is rejected, with both names, and nothing is written to the object. */
#ifndef WN_BASE_STATE_H
#define WN_BASE_STATE_H
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum wn_state_way { WN_STATE_SAVE, WN_STATE_RESTORE };

/* Receives the saved bytes, in order; its errors end the saving. */
typedef int wn_state_sink(void *ctx, const void *data, size_t n);

struct wn_state {
  enum wn_state_way way;
  unsigned char *bytes; /* [capacity], malloc'd; the first n are in use */
  size_t n, capacity;
  size_t at; /* restore: where the next item begins */
  /* Destination in place of memory, so that a state as large as the memory can be saved; n
   * then counts its bytes.  NULL: memory */
  wn_state_sink *sink;
  void *ctx;
  int is_dry; /* only the length is needed: the sink does not read the data */
};

void wn_state_init(struct wn_state *s);   /* empty, ready to save */
void wn_state_rewind(struct wn_state *s); /* restore what was saved */
void wn_state_clear(struct wn_state *s);  /* frees the memory */

/* Save the bytes at `data`, or fill them.  WN_ENOMEM; WN_EINPUT when the next item saved
 * has another name or size, or there is none. */
int wn_state_item(struct wn_state *s, const char *name, void *data, size_t bytes);

/* Saves an item in parts: its name and length, then its bytes, part by part; restores n of
 * its bytes, from byte `from` on.  Errors as above. */
int wn_state_head(struct wn_state *s, const char *name, size_t bytes);
int wn_state_part(struct wn_state *s, const void *data, size_t n);
int wn_state_item_part(struct wn_state *s, const char *name, void *data, size_t bytes,
                       size_t from, size_t n);

/* A member, by its own name. */
#define WN_STATE(s, member) wn_state_item((s), #member, (void *)&(member), sizeof(member))
/* An array of n behind a pointer. */
#define WN_STATE_ARRAY(s, pointer, n)                                                    \
  wn_state_item((s), #pointer, (pointer), (n) * sizeof *(pointer))

#ifdef __cplusplus
}
#endif

#endif
