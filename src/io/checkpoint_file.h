/* src/io/checkpoint_file.h - a saved state (base/state.h) as a file that is whole or refused.
 *
 *   head     magic, version of the layout, order of the bytes, number of bytes of the state
 *   state    as base/state.h writes it
 *   sha256   64 hexadecimal digits, of all before
 *
 * The file is written as PATH.new, synchronised and renamed; the one before it is kept as
 * PATH.old, so that at each moment there is a whole one. */
#ifndef WN_SRC_IO_CHECKPOINT_FILE_H
#define WN_SRC_IO_CHECKPOINT_FILE_H
#include <stddef.h>
#include "base/state.h"

/* Saves what a file shall hold.  It is called twice: for its length, and for the bytes. */
typedef int wn_checkpoint_walk(void *ctx, struct wn_state *s);

/* By rank 0 (base/ranks.h), to which the others send what they have: all call it, and get what
 * came of it.  WN_EIO with the path and the cause, and what was there before is still there; the errors
 * of walk. */
int wn_checkpoint_write(const char *path, wn_checkpoint_walk *walk, void *ctx);

struct wn_checkpoint {
  struct wn_state state; /* to be restored; its bytes are those of the file */
  void *map;
  size_t length;
};

/* The file is there and whole.  WN_EINPUT, with the reason in why [n], where it is not; nothing
 * is logged. */
int wn_checkpoint_open(const char *path, struct wn_checkpoint *out, char *why, size_t n);
void wn_checkpoint_close(struct wn_checkpoint *k);

/* PATH, PATH.old and PATH.new, as far as they are there. */
void wn_checkpoint_remove(const char *path);

#endif
