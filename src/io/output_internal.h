/* src/io/output_internal.h - shared by src/io/output_netcdf.c and src/io/output_continue.c: an open
 * output file, and the records written of each variable. */
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
  int in_chunks, again; /* again: wn_output_rewritten */
  int is_coordinate;     /* of wn_output_var */
  int is_axis;          /* named as its only dimension: a coordinate variable of netCDF */
  int dim[WN_OUT_DIMS]; /* their ids */
  /* A record is the data at one index of the first dimension, or all of it if there is no dimension. */
  size_t n_records, per_record; /* per_record: numbers or strings in one */
  unsigned char *written;       /* [(n_records + 7) / 8] bit by bit */
  uint64_t
      sum; /* checksum of the written records, independent of order; not if `again` */
};

struct wn_output {
  char *path, *part, *fresh; /* see output_path.h */
  const char *name;          /* the one of these three that the file has now */
  int ncid;
  int fd;      /* second descriptor of the file, for fsync; it holds the lock */
  int fd_part; /* the lock of an earlier PATH.part, until that is replaced; -1: none */
  int again;   /* records of that file will be copied: wn_output_continue */
  int is_axes; /* data put now is known before the run */
  int record_written; /* other data was put: keep the file if the run stops */
  int broken;         /* a write failed: never rename to PATH */
  int is_silent;      /* of a rank that writes no file: the file is in memory */
  struct wn_output_journal *journal; /* NULL: data goes to the file */
  int is_journal_of; /* wn_output_journal_of: all else belongs to another output */
  size_t n_vars;
  struct wn_output_open_var *vars;
};

static inline int wn_output_has(const struct wn_output_open_var *v, size_t record)
{
  return v->written[record / 8] >> record % 8 & 1;
}

/* Of output_journal.c: appends to the journal, in place of the file, n records of variable v (NULL:
 * the global attribute `name`, a text) from `first` on; first < 0: the whole variable. */
int wn_output_journal_add(struct wn_output *o, const struct wn_output_open_var *v,
                          const char *name, long first, size_t n, const void *data);

/* Notes records [first, first + n) as written; `data` has the variable's type. */
void wn_output_note(struct wn_output_open_var *v, size_t first, size_t n,
                    const void *data);
/* Gives the file its name PATH.part: its header, and records of an earlier PATH.part, are complete. */
int wn_output_publish(struct wn_output *o);
int wn_output_note_room(
    struct wn_output_open_var *v); /* after the shape is known; WN_ENOMEM */

#endif
