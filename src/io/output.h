/* src/io/output.h - one netCDF-4 file a run, written by output_netcdf.c and output_continue.c.
 * The file is written as PATH.part (PATH.part.new until its header is whole), synchronised after every record and
 * renamed to PATH when closed, so that what stands under the final name is whole (or says
 * complete = 0: the store of electrons was full) and a killed run leaves PATH.part
 * readable to its last record.
 *
 * Of several ranks (base/ranks.h) the first writes; those of the others are in memory, and go with
 * them. */
#ifndef WN_SRC_IO_OUTPUT_H
#define WN_SRC_IO_OUTPUT_H
#include <stddef.h>
#include "base/state.h"

struct wn_output;

enum wn_output_type { WN_OUT_DOUBLE, WN_OUT_INT64, WN_OUT_STRING };

struct wn_output_var {
  const char *name;
  const char *units; /* "1" for a plain number; NULL for strings */
  const char *long_name;
  const char *standard_name; /* CF standard name or NULL */
  const char *comment;       /* or NULL */
  enum wn_output_type type;
  size_t n_dims;
  const char *dims[4]; /* dimension names, slowest first */
  /* also <name>_error: same shape and units, "standard error of <long_name>", named in
   * ancillary_variables of <name> */
  int with_error;
};

/* Fails with WN_EIO and the path when the folder is missing, not writable, the disk is
 * full, another run writes there, or the path is a folder, a device, a pipe. */
int wn_output_create(const char *path, struct wn_output **out);
int wn_output_dim(struct wn_output *o, const char *name, size_t n);
/* Doubles have _FillValue NaN; big variables are deflated. */
int wn_output_define(struct wn_output *o, const struct wn_output_var *v);
/* n of them. */
int wn_output_define_all(struct wn_output *o, const struct wn_output_var *v, size_t n);
/* var NULL: global. */
int wn_output_attr_text(struct wn_output *o, const char *var, const char *name,
                        const char *text);
int wn_output_attr_double(struct wn_output *o, const char *var, const char *name,
                          size_t n, const double *v);
/* Records of a variable that was defined, and of its errors, are written more than once, with
 * other values. */
int wn_output_rewritten(struct wn_output *o, const char *name);
int wn_output_end_define(struct wn_output *o);

/* Write a whole variable (record < 0) or the slab at index `record` of its first
 * dimension. */
int wn_output_put(struct wn_output *o, const char *var, long record, const double *v);
/* n records from `first` on; v: [n] slabs. */
int wn_output_put_records(struct wn_output *o, const char *var, size_t first, size_t n,
                          const double *v);
int wn_output_put_int(struct wn_output *o, const char *var, long record,
                      const long long *v);
int wn_output_put_string(struct wn_output *o, const char *var, long record,
                         const char *const *v);

/* What is put from here on, and attributes of the file, go to a journal instead of the file, and
 * wn_output_sync does nothing; to be put into another output with the same variables.
 * WN_ENOMEM. */
int wn_output_journal(struct wn_output *o);
/* What it has, malloc'd; it is empty then. */
void wn_output_journal_take(struct wn_output *o, unsigned char **bytes, size_t *n);
/* Into the file of o, whether o has a journal or not.  Errors: wn_output_put. */
int wn_output_journal_put(struct wn_output *o, const unsigned char *bytes, size_t n);
/* No longer; what it has is dropped. */
void wn_output_journal_end(struct wn_output *o);

/* on: what is put from here on was known before the run (axes, points of a scan), and alone is
 * not worth keeping. */
void wn_output_axes(struct wn_output *o, int on);
/* ---- a run that goes on from a checkpoint (src/run/checkpoint.h) */

/* Which records were written until now, and a sum over each variable's; saved only. */
int wn_output_state(struct wn_output *o, struct wn_state *s);

/* In the place of wn_output_create; the file of the run before stays where it is. */
int wn_output_create_again(const char *path, struct wn_output **out);
/* After the coordinates: the records that were written when the state was saved come from
 * OF.part, or from OF if that is the file of a run that did not come to its end; this file
 * then has the name PATH.part.
 *   WN_EINPUT  they are needed and not there, or are not what was written
 *   WN_EIO, WN_ENOMEM */
int wn_output_continue(struct wn_output *o, struct wn_state *s, const char *of);

/* Whether PATH is the file of a run that came to its end, and there is no PATH.part. */
int wn_output_is_complete(const char *path);
/* A global attribute of such a file, malloc'd; NULL: there is none, no memory. */
char *wn_output_text_of(const char *path, const char *name);

/* PATH.part is worth keeping, though nothing was written: a checkpoint goes on with it. */
void wn_output_keep(struct wn_output *o);

int wn_output_sync(struct wn_output *o);
int wn_output_close(struct wn_output *o); /* close and rename; frees o whatever happens */
/* close, keep PATH.part if a record was written, else remove it; frees o */
void wn_output_discard(struct wn_output *o);

/* Global attributes of every file: Conventions, title, source (version, git), history
 * (date and command line), date_created, cross-section sources with sha256 (sources
 * [n_sources]: "path sha256").  argv may be NULL.  WN_ENOMEM, WN_EIO. */
int wn_output_about(struct wn_output *o, const char *title, int argc, char *const *argv,
                    size_t n_sources, const char *const *sources);

/* A global attribute, in which bytes that are no UTF-8 are replaced. */
int wn_output_attr_clean(struct wn_output *o, const char *name, const char *text);
/* After those, of a run that goes on: `history` and date_created are those of the run before,
 * with a line that says when it went on, where ("at step 12 of ...") and by which command. */
int wn_output_restarted(struct wn_output *o, const char *history, const char *where,
                        int argc, char *const *argv);
/* A global attribute as it stands in the file, malloc'd; NULL: there is none, no memory. */
char *wn_output_get_text(struct wn_output *o, const char *name);
/* Before closing a file with provenance: complete = 1; or complete stays 0 and the
 * attribute `stopped` says why the run ended before its end. */
int wn_output_complete(struct wn_output *o);
int wn_output_stopped(struct wn_output *o, const char *why);

const char *wn_output_library(void); /* "netCDF 4.9.0 ..." for --version */

#endif
