/* src/io/output_internal.h - what src/io/output_netcdf.c and src/io/output_continue.c share: the file in
 * hand, and for each variable which of its records were written. */
#ifndef WN_SRC_IO_OUTPUT_INTERNAL_H
#define WN_SRC_IO_OUTPUT_INTERNAL_H
#include <stddef.h>
#include <stdint.h>
#include "src/io/output.h"

#define WN_OUT_DIMS 4

struct wn_output_open_var {
  char *name;
  int id;
  enum wn_output_type type;
  size_t n_dims, shape[WN_OUT_DIMS];
  int compressed, again; /* again: wn_output_rewritten */
  /* A record is what one value of the first dimension has, or all where there is none. */
  size_t n_records, per_record; /* per_record: numbers or strings in one */
  unsigned char *written;       /* [(n_records + 7) / 8] bit by bit */
  uint64_t sum;                 /* of what was written, in any order; not where again */
};

struct wn_output {
  char *path, *part, *fresh; /* see output_path.h */
  const char *name;          /* that of the three which the file has */
  int ncid;
  int fd;      /* second descriptor of the file, for fsync; it has the lock */
  int fd_part; /* the lock of an earlier PATH.part, until it is replaced; -1: none */
  int again;   /* records of that will be taken: wn_output_continue */
  int is_axes; /* what is put now is known before the run */
  int record_written; /* another slab was put: worth keeping when the run stops */
  int broken;         /* a write failed: never rename to PATH */
  int is_silent;      /* of a rank that writes no file: all of it is in memory */
  struct wn_output_journal *journal; /* NULL: what is put goes to the file */
  size_t n_vars;
  struct wn_output_open_var *vars;
};

static inline int wn_output_has(const struct wn_output_open_var *v, size_t record)
{
  return v->written[record / 8] >> record % 8 & 1;
}

/* Of output_journal.c: into the journal, in the place of the file: n records of variable v (NULL: the
 * global attribute `name`, a text) from `first` on, which is below 0 where all of it is meant. */
int wn_output_journal_add(struct wn_output *o, const struct wn_output_open_var *v,
                          const char *name, long first, size_t n, const void *data);

/* Records [first, first + n) are written; `data` is of the variable's type. */
void wn_output_note(struct wn_output_open_var *v, size_t first, size_t n,
                    const void *data);
/* Its header, and what comes from an earlier PATH.part, is whole: it has that name. */
int wn_output_publish(struct wn_output *o);
int wn_output_note_room(
    struct wn_output_open_var *v); /* after its shape is known; WN_ENOMEM */

#endif
