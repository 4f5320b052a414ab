/* src/io/output.h - one netCDF-4 file a run, written by output_netcdf.c and output_continue.c.  The file
 * is written as PATH.part (PATH.part.new until its header is complete), synchronised after every record
 * and renamed to PATH when closed.  So a file with the final name is complete (or says complete = 0: the
 * store of electrons was full), and a killed run leaves PATH.part readable up to its last record.
 *
 * Rank 0 (base/ranks.h) writes; the output of the other ranks is in memory, and discarded. */
#ifndef WN_SRC_IO_OUTPUT_H
#define WN_SRC_IO_OUTPUT_H
#include <stddef.h>
#include "base/state.h"

struct wn_output;

enum wn_output_type { WN_OUT_DOUBLE, WN_OUT_INT64, WN_OUT_STRING };

struct wn_output_var {
  const char *name;
  /* "1" for a plain number; NULL for strings; as used by people: output_units.h */
  const char *units;
  const char *long_name;
  const char *standard_name; /* CF standard name or NULL */
  const char *comment;       /* or NULL */
  enum wn_output_type type;
  size_t n_dims;
  const char *dims[4]; /* dimension names, slowest first */
  /* also defines <name>_error: same shape and units, "standard error of <long_name>",
   * named in ancillary_variables of <name> */
  int with_error;
  /* a place, time or label of others: in their attribute `coordinates` if they have its dimensions */
  int is_coordinate;
};

/* The head of a variable in a table, and its dimensions. */
#define WN_VAR(its_name, its_units, text)                                                \
  .name = its_name, .units = its_units, .long_name = text
#define WN_DIMS(...)                                                                     \
  .n_dims = sizeof((const char *[]){__VA_ARGS__}) / sizeof(const char *),                \
  .dims = {__VA_ARGS__}

/* Fails with WN_EIO and the path if the folder is missing or not writable, the disk is
 * full, another run writes there, or the path is a folder, a device, a pipe. */
int wn_output_create(const char *path, struct wn_output **out);
/* One in memory alone, for trials; it ends with wn_output_discard. */
int wn_output_create_in_memory(struct wn_output **out);
int wn_output_dim(struct wn_output *o, const char *name, size_t n);
/* Doubles have _FillValue NaN; large variables are deflated. */
int wn_output_define(struct wn_output *o, const struct wn_output_var *v);
/* n variables. */
int wn_output_define_all(struct wn_output *o, const struct wn_output_var *v, size_t n);
/* var NULL: a global attribute. */
int wn_output_attr_text(struct wn_output *o, const char *var, const char *name,
                        const char *text);
int wn_output_attr_double(struct wn_output *o, const char *var, const char *name,
                          size_t n, const double *v);
/* Records of a defined variable, and of its errors, are written more than once, with other values. */
int wn_output_rewritten(struct wn_output *o, const char *name);
int wn_output_end_define(struct wn_output *o);

/* Write a whole variable (record < 0) or the slab at index `record` of its first
 * dimension. */
int wn_output_put(struct wn_output *o, const char *var, long record, const double *v);
/* n records from `first` on; v: [n] records. */
int wn_output_put_records(struct wn_output *o, const char *var, size_t first, size_t n,
                          const double *v);
int wn_output_put_int(struct wn_output *o, const char *var, long record,
                      const long long *v);
int wn_output_put_string(struct wn_output *o, const char *var, long record,
                         const char *const *v);

/* From here on, data and attributes of the file go to a journal in place of the file, and wn_output_sync
 * does nothing; an output that has one keeps it.  The journal can be put into another output with the same
 * variables.  WN_ENOMEM. */
int wn_output_journal(struct wn_output *o);
/* Another output with the variables of o, which must outlive it, and a journal of its own: for another
 * thread.  It ends with wn_output_discard.  WN_ENOMEM. */
int wn_output_journal_of(const struct wn_output *o, struct wn_output **out);
/* Returns its bytes, malloc'd, and empties it. */
void wn_output_journal_take(struct wn_output *o, unsigned char **bytes, size_t *n);
/* Writes journal bytes into the file of o, even if o has a journal itself.  Errors: wn_output_put. */
int wn_output_journal_put(struct wn_output *o, const unsigned char *bytes, size_t n);
/* Ends the journal; its contents are dropped. */
void wn_output_journal_end(struct wn_output *o);

/* on: data from here on was known before the run (axes, scan points), and is not worth keeping alone. */
void wn_output_axes(struct wn_output *o, int on);
/* ---- a run that continues from a checkpoint (src/run/checkpoint.h) */

/* The records written so far, and a checksum of those of each variable; saving only. */
int wn_output_state(struct wn_output *o, struct wn_state *s);

/* In place of wn_output_create; the file of the previous run is not touched. */
int wn_output_create_again(const char *path, struct wn_output **out);
/* After the coordinates: records written before the state was saved are copied from OF.part, or from OF
 * if that is the file of an incomplete run; this file is then named PATH.part.
 *   WN_EINPUT  records are missing or have changed
 *   WN_EIO, WN_ENOMEM */
int wn_output_continue(struct wn_output *o, struct wn_state *s, const char *of);

/* Whether PATH is the file of a completed run, and there is no PATH.part. */
int wn_output_is_complete(const char *path);
/* A global attribute of such a file, malloc'd; NULL: none, or out of memory. */
char *wn_output_text_of(const char *path, const char *name);

/* Keeps PATH.part even without records: a checkpoint refers to it. */
void wn_output_keep(struct wn_output *o);

int wn_output_sync(struct wn_output *o);
int wn_output_close(struct wn_output *o); /* close and rename; always frees o */
/* close, keep PATH.part if it has a record, else remove it; frees o */
void wn_output_discard(struct wn_output *o);

/* Global attributes of every file: Conventions, title, source (version, git), history
 * (date and command line), date_created, cross-section sources with sha256 (sources
 * [n_sources]: "path sha256").  argv may be NULL.  WN_ENOMEM, WN_EIO. */
int wn_output_about(struct wn_output *o, const char *title, int argc, char *const *argv,
                    size_t n_sources, const char *const *sources);

/* A global attribute; bytes that are not UTF-8 are replaced. */
int wn_output_attr_clean(struct wn_output *o, const char *name, const char *text);
/* After those, for a run that continues: `history` and date_created of the previous run, with
 * a line on when it continued, where ("at step 12 of ...") and by which command. */
int wn_output_restarted(struct wn_output *o, const char *history, const char *where,
                        int argc, char *const *argv);
/* A global attribute of the file, malloc'd; NULL: none, or out of memory. */
char *wn_output_get_text(struct wn_output *o, const char *name);
/* Before a file with provenance is closed: complete = 1; or complete stays 0 and the
 * attribute `stopped` has the reason why the run ended early. */
int wn_output_complete(struct wn_output *o);
int wn_output_stopped(struct wn_output *o, const char *why);

const char *wn_output_library(void); /* "netCDF 4.9.0 ..." for --version */

#endif
