/* src/io/checkpoint_file.h - a saved state (base/state.h) as a file that is either complete or rejected.
 *
 *   head     magic, version of the layout, byte order, number of bytes of the state
 *   state    as base/state.h writes it
 *   sha256   64 hexadecimal digits, of all before
 *
 * The file is written as PATH.new, synchronised and renamed; its predecessor is kept as PATH.old.  At any
 * time one of them is complete. */
#ifndef WN_SRC_IO_CHECKPOINT_FILE_H
#define WN_SRC_IO_CHECKPOINT_FILE_H
#include <stddef.h>
#include "base/state.h"

/* Saves the contents of the file.  Called twice: to count the bytes, and to write them. */
typedef int wn_checkpoint_walk(void *ctx, struct wn_state *s);

/* Collective: rank 0 (base/ranks.h) writes, the others send it their data, and all return the same
 * status.  WN_EIO with path and cause: the previous files are unchanged; the errors of walk. */
int wn_checkpoint_write(const char *path, wn_checkpoint_walk *walk, void *ctx);

struct wn_checkpoint {
  struct wn_state state; /* to be restored; it points into the bytes of the file */
  void *map;
  size_t length;
};

/* Opens a complete file.  WN_EINPUT, with the reason in why [n], if it is missing or damaged;
 * nothing is logged. */
int wn_checkpoint_open(const char *path, struct wn_checkpoint *out, char *why, size_t n);
void wn_checkpoint_close(struct wn_checkpoint *k);

/* WN_EINPUT: PATH, PATH.old or PATH.new exists and does not begin as a checkpoint. */
int wn_checkpoint_allowed(const char *path);

/* Removes PATH, PATH.old and PATH.new, if they exist. */
void wn_checkpoint_remove(const char *path);

#endif
