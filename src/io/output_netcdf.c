/* src/io/output_netcdf.c - the netCDF-4 file of a run.
 *
 * Why a killed run leaves a readable file: a netCDF-4 file is an HDF5 file, and HDF5 loses it if the
 * process dies between the writes of two pieces of metadata that belong together.  So all metadata is on
 * disk before the first record.  wn_output_end_define gives every uncompressed variable its place in the
 * file (one element is written, HDF5 fills the rest with the fill value) and synchronises.  A record then
 * only overwrites numbers in place.  A large variable has chunks of one record each, which are compressed or, where they are
 * very large, not.  The index of chunks is a tree, and when it grows beyond one node HDF5 writes the
 * root before the branches, so that a process killed then would leave nothing readable.  So all chunks
 * are first written with the fill value, where they are more than a node has entries for; a record then
 * gives its chunk another place and changes one entry.  Of fewer the first one is written, by which there is a node; a record
 * then adds an entry to it, and one that is not there is read as the fill value. */
#include "src/io/output_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <netcdf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/log.h"
#include "base/ranks.h"
#include "src/io/output_repair.h"
#include "src/io/output_path.h"
#include "src/io/output_units.h"

#define MAX_DIMS WN_OUT_DIMS
/* Variables of at least 8 MiB of doubles are compressed.  For smaller ones, space reserved at the start
 * matters more than its amount: a full disk then shows before the first step. */
#define DEFLATE_FROM ((size_t)1 << 20)
/* Level 4 takes 1.3 to 1.9 times as long for maps that are 1 to 8 % smaller (zlib, 2026-11-27). */
#define DEFLATE_LEVEL 1
/* A longer record is written as it is, if the chunks are few: compressing one of 2^26 numbers takes some 3 s. */
#define DEFLATE_RECORD ((size_t)1 << 25)
/* Entries of a node of HDF5's index of chunks, twice its default for H5Pset_istore_k. */
#define INDEX_NODE 64
/* Numbers; a shorter record does not need its own chunk. */
#define RECORD_MIN 64
#define LINE_CHUNK ((size_t)1 << 16) /* of a variable of one dimension */
/* HDF5 requires chunks below 4 GiB; a longer record stays uncompressed. */
#define CHUNK_MAX ((size_t)1 << 28)

/* Reports the cause of a failure.  netCDF returns only "HDF error" for all errors below it; errno,
 * cleared before each call, still holds the error of the system (no space left, file too large). */
static int failed(struct wn_output *o, int nc, const char *doing, const char *name)
{
  int sys = errno;
  int status;

  switch (nc) {
  case NC_ENOMEM:
    status = WN_ENOMEM;
    break;
  case NC_EBADID:
  case NC_EINVAL:
  case NC_ENOTINDEFINE:
  case NC_EINDEFINE:
  case NC_EINVALCOORDS:
  case NC_EMAXDIMS:
  case NC_ENAMEINUSE:
  case NC_ENOTATT:
  case NC_EBADTYPE:
  case NC_EBADDIM:
  case NC_ENOTVAR:
  case NC_EBADNAME:
  case NC_EDIMSIZE:
  case NC_EEDGE:
    status = WN_EINTERN;
    break;
  default:
    status = WN_EIO;
  }
  o->broken = 1;
  if (status == WN_EIO && nc != sys && sys != 0)
    return WN_FAIL(status, "%s: cannot %s%s%s: %s (%s)", o->part, doing,
                   name != NULL ? " " : "", name != NULL ? name : "", nc_strerror(nc),
                   strerror(sys));
  return WN_FAIL(status, "%s: cannot %s%s%s: %s", o->part, doing, name != NULL ? " " : "",
                 name != NULL ? name : "", nc_strerror(nc));
}

/* Makes one netCDF call with errno cleared; on failure reports it and returns. */
#define NC_TRY(o, call, doing, name)                                                     \
  do {                                                                                   \
    errno = 0;                                                                           \
    int nc_ = (call);                                                                    \
    if (nc_ != NC_NOERR)                                                                 \
      return failed((o), nc_, (doing), (name));                                          \
  } while (0)

static void free_output(struct wn_output *o)
{
  if (o->fd >= 0)
    close(o->fd);
  if (o->fd_part >= 0)
    close(o->fd_part);
  for (size_t i = 0; i < o->n_vars; i++) {
    free(o->vars[i].name);
    free(o->vars[i].written);
  }
  wn_output_journal_end(o);
  free(o->vars);
  free(o->fresh);
  free(o->part);
  free(o->path);
  free(o);
}

/* Whether an existing file begins as netCDF-4 does, as far as it was written: a killed run may leave zeros. */
static int is_result(int fd)
{
  static const char signature[8] = "\211HDF\r\n\032\n", zeros[8] = {0};
  char start[sizeof signature] = {0};
  const ssize_t n = fd >= 0 ? pread(fd, start, sizeof start, 0) : 0;
  return n >= 0 && (memcmp(start, signature, (size_t)n) == 0 ||
                    memcmp(start, zeros, (size_t)n) == 0);
}

/* Takes the first name of the file, and makes sure that no other run writes PATH.part.
 * open() also reports causes (no such folder, permission) that netCDF does not. */
static int take_names(struct wn_output *o)
{
  struct stat st;
  WN_TRY(wn_output_lock(o->fresh, true, &o->fd));
  int status = wn_output_lock(o->part, false, &o->fd_part);
  const char *other = !is_result(o->fd)        ? o->fresh
                      : !is_result(o->fd_part) ? o->part
                                               : NULL;
  if (status == WN_OK && other == o->part)
    unlink(o->fresh);
  if (status == WN_OK && other != NULL)
    return WN_FAIL(
        WN_EINPUT,
        "%s: exists and is no result of a run, which this run would write under "
        "that name; move it, or give the output another name",
        other);
  if (status != WN_OK) {
    unlink(o->fresh);
    return status;
  }
  if (!o->again && o->fd_part >= 0 && fstat(o->fd_part, &st) == 0 && st.st_size > 0)
    wn_log(WN_LOG_WARN, "%s: from an earlier run that did not finish; it is overwritten",
           o->part);
  if (stat(o->path, &st) == 0)
    wn_log(WN_LOG_INFO, "%s: exists; it is replaced when this run is complete", o->path);
  return WN_OK;
}

/* again: records of an earlier PATH.part will be copied from there.  silent: in memory. */
static int create(const char *path, int again, int silent, struct wn_output **out)
{
  int status = WN_ENOMEM;

  if (path == NULL || !*path)
    return WN_FAIL(WN_EIO, "cannot create output: the path is empty");
  struct wn_output *o = wn_alloc(1, sizeof *o);
  if (o == NULL)
    return WN_ENOMEM;
  o->fd = o->fd_part = -1;
  o->again = again;
  status = wn_output_follow(path, &o->path);
  if (status != WN_OK)
    goto free_o;
  status = WN_ENOMEM;
  o->part = wn_asprintf("%s.part", o->path);
  o->fresh = wn_asprintf("%s.part.new", o->path);
  if (o->part == NULL || o->fresh == NULL)
    goto free_o;
  o->name = o->fresh;
  o->is_silent = silent;
  status = o->is_silent ? WN_OK : take_names(o);
  if (status != WN_OK)
    goto free_o;
  wn_netcdf_start();
  errno = 0;
  int nc = nc_create(o->fresh, NC_NETCDF4 | (o->is_silent ? NC_DISKLESS : NC_CLOBBER),
                     &o->ncid);
  if (nc != NC_NOERR) {
    status = failed(o, nc, "create the netCDF file", NULL);
    if (!o->is_silent)
      unlink(o->fresh);
    goto free_o;
  }
  *out = o;
  return WN_OK;

free_o:
  free_output(o);
  return status;
}

int wn_output_create(const char *path, struct wn_output **out)
{
  return create(path, 0, wn_rank_of_all() > 0, out);
}

int wn_output_create_in_memory(struct wn_output **out)
{
  return create("memory", 0, 1, out);
}

int wn_output_create_again(const char *path, struct wn_output **out)
{
  return create(path, 1, wn_rank_of_all() > 0, out);
}

int wn_output_dim(struct wn_output *o, const char *name, size_t n)
{
  int id = -1;

  if (n == 0) /* netCDF would take 0 for "unlimited" */
    return WN_FAIL(WN_EINTERN, "%s: dimension %s has no elements", o->part, name);
  NC_TRY(o, nc_def_dim(o->ncid, name, n, &id), "define dimension", name);
  return WN_OK;
}

static struct wn_output_open_var *find_var(struct wn_output *o, const char *name)
{
  for (size_t i = 0; i < o->n_vars; i++)
    if (strcmp(o->vars[i].name, name) == 0)
      return &o->vars[i];
  return NULL;
}

static int put_text(struct wn_output *o, int varid, const char *name, const char *text)
{
  NC_TRY(o, nc_put_att_text(o->ncid, varid, name, strlen(text), text), "write attribute",
         name);
  return WN_OK;
}

static size_t chunks_of(const struct wn_output_open_var *v)
{
  return v->n_dims > 1 ? v->shape[0] : (v->shape[0] + LINE_CHUNK - 1) / LINE_CHUNK;
}

/* Chunks of one record (or of LINE_CHUNK numbers when there is one dimension only), and deflate. */
static int compress(struct wn_output *o, struct wn_output_open_var *v)
{
  size_t n = 1, chunk[MAX_DIMS], record = 1;

  for (size_t i = 0; i < v->n_dims; i++) {
    n *= v->shape[i];
    chunk[i] = v->shape[i];
    if (i > 0)
      record *= v->shape[i];
  }
  if (v->type == WN_OUT_STRING || n < DEFLATE_FROM || record > CHUNK_MAX ||
      (v->n_dims > 1 && record < RECORD_MIN))
    return WN_OK;
  chunk[0] = v->n_dims > 1 ? 1 : LINE_CHUNK;
  NC_TRY(o, nc_def_var_chunking(o->ncid, v->id, NC_CHUNKED, chunk), "set the chunks of",
         v->name);
  if (record <= DEFLATE_RECORD || chunks_of(v) > INDEX_NODE)
    NC_TRY(o, nc_def_var_deflate(o->ncid, v->id, 1, 1, DEFLATE_LEVEL), "compress",
           v->name);
  v->in_chunks = 1;
  return WN_OK;
}

static int put_units(struct wn_output *o, int varid, const char *unit)
{
  int is_usual;
  const char *units = wn_output_units(unit, &is_usual);
  if (units != NULL)
    WN_TRY(put_text(o, varid, "units", units));
  return is_usual ? put_text(o, varid, WN_OUT_USUAL_UNIT, unit) : WN_OK;
}

static int define_one(struct wn_output *o, const struct wn_output_var *d,
                      const char *name, const char *long_name, int is_error)
{
  static const nc_type types[] = {[WN_OUT_DOUBLE] = NC_DOUBLE,
                                  [WN_OUT_INT64] = NC_INT64,
                                  [WN_OUT_STRING] = NC_STRING};
  struct wn_output_open_var v = {.type = d->type, .n_dims = d->n_dims};
  int *const dims = v.dim;

  if (d->n_dims > MAX_DIMS)
    return WN_FAIL(WN_EINTERN, "%s: variable %s has %zu dimensions, at most %d", o->part,
                   name, d->n_dims, MAX_DIMS);
  for (size_t i = 0; i < d->n_dims; i++) {
    NC_TRY(o, nc_inq_dimid(o->ncid, d->dims[i], &dims[i]), "find dimension", d->dims[i]);
    NC_TRY(o, nc_inq_dimlen(o->ncid, dims[i], &v.shape[i]), "measure dimension",
           d->dims[i]);
  }
  NC_TRY(o, nc_def_var(o->ncid, name, types[d->type], (int)d->n_dims, dims, &v.id),
         "define variable", name);

  struct wn_output_open_var *vars = wn_realloc(o->vars, o->n_vars + 1, sizeof *vars);
  if (vars == NULL)
    return WN_ENOMEM;
  o->vars = vars;
  WN_TRY(wn_output_note_room(&v));
  v.name = wn_strdup(name);
  if (v.name == NULL) {
    free(v.written);
    return WN_ENOMEM;
  }
  o->vars[o->n_vars] = v;
  struct wn_output_open_var *w = &o->vars[o->n_vars++];

  WN_TRY(compress(o, w));
  /* CF 2.5.1: a coordinate variable has no missing values, so no _FillValue either. */
  w->is_axis = d->n_dims == 1 && strcmp(name, d->dims[0]) == 0;
  w->is_coordinate = d->is_coordinate && !is_error;
  if (d->type == WN_OUT_DOUBLE && !w->is_axis) {
    double nan = NAN;
    NC_TRY(o, nc_def_var_fill(o->ncid, w->id, NC_FILL, &nan), "set the fill value of",
           name);
  }
  if (d->units != NULL && d->type != WN_OUT_STRING)
    WN_TRY(put_units(o, w->id, d->units));
  if (long_name != NULL)
    WN_TRY(put_text(o, w->id, "long_name", long_name));
  if (d->standard_name != NULL) {
    /* CF 3.3: the modifier standard_error marks the uncertainty of a quantity that has a
     * standard name. */
    char *s = wn_asprintf("%s%s", d->standard_name, is_error ? " standard_error" : "");
    int status = s != NULL ? put_text(o, w->id, "standard_name", s) : WN_ENOMEM;
    free(s);
    WN_TRY(status);
  }
  if (d->comment != NULL && !is_error)
    WN_TRY(put_text(o, w->id, "comment", d->comment));
  return WN_OK;
}

int wn_output_define(struct wn_output *o, const struct wn_output_var *v)
{
  WN_TRY(define_one(o, v, v->name, v->long_name, 0));
  if (!v->with_error)
    return WN_OK;

  int status = WN_ENOMEM;
  int id = o->vars[o->n_vars - 1].id;
  char *name = wn_asprintf("%s_error", v->name);
  char *long_name =
      wn_asprintf("standard error of %s", v->long_name != NULL ? v->long_name : v->name);
  if (name != NULL && long_name != NULL)
    status = define_one(o, v, name, long_name, 1);
  if (status == WN_OK)
    status = put_text(o, id, "ancillary_variables", name);
  free(long_name);
  free(name);
  return status;
}

static int var_id(struct wn_output *o, const char *var, int *id)
{
  const struct wn_output_open_var *v = var != NULL ? find_var(o, var) : NULL;

  if (var != NULL && v == NULL)
    return WN_FAIL(WN_EINTERN, "%s: variable %s is not defined", o->part, var);
  *id = v != NULL ? v->id : NC_GLOBAL;
  return WN_OK;
}

int wn_output_define_all(struct wn_output *o, const struct wn_output_var *v, size_t n)
{
  for (size_t i = 0; i < n; i++)
    WN_TRY(wn_output_define(o, &v[i]));
  return WN_OK;
}

int wn_output_rewritten(struct wn_output *o, const char *name)
{
  int id;

  WN_TRY(var_id(o, name, &id));
  find_var(o, name)->again = 1;
  char *error_name = wn_asprintf("%s_error", name);
  if (error_name == NULL)
    return WN_ENOMEM;
  struct wn_output_open_var *error = find_var(o, error_name);
  if (error != NULL)
    error->again = 1;
  free(error_name);
  return WN_OK;
}

int wn_output_attr_text(struct wn_output *o, const char *var, const char *name,
                        const char *text)
{
  int id = -1;

  WN_TRY(var_id(o, var, &id));
  if (o->journal != NULL && var == NULL)
    return wn_output_journal_add(o, NULL, name, -1, 1, text);
  return put_text(o, id, name, text);
}

int wn_output_attr_double(struct wn_output *o, const char *var, const char *name,
                          size_t n, const double *v)
{
  int id = -1;

  WN_TRY(var_id(o, var, &id));
  NC_TRY(o, nc_put_att_double(o->ncid, id, name, NC_DOUBLE, n, v), "write attribute",
         name);
  return WN_OK;
}

/* Whether v has all dimensions of a coordinate, which is then one of its own (CF 5). */
static int has_dims_of(const struct wn_output_open_var *v,
                       const struct wn_output_open_var *coordinate)
{
  for (size_t i = 0; i < coordinate->n_dims; i++) {
    size_t k = 0;
    while (k < v->n_dims && v->dim[k] != coordinate->dim[i])
      k++;
    if (k == v->n_dims)
      return 0;
  }
  return coordinate->n_dims > 0;
}

/* The attribute `coordinates` of a variable.  One that is named as its dimension is known by that. */
static int put_coordinates(struct wn_output *o, const struct wn_output_open_var *v)
{
  char *list = NULL;
  int status = WN_OK;
  for (size_t i = 0; i < o->n_vars && status == WN_OK; i++) {
    const struct wn_output_open_var *w = &o->vars[i];
    if (!w->is_coordinate || w->is_axis || !has_dims_of(v, w))
      continue;
    char *longer =
        list != NULL ? wn_asprintf("%s %s", list, w->name) : wn_strdup(w->name);
    status = longer != NULL ? WN_OK : WN_ENOMEM;
    free(list);
    list = longer;
  }
  if (status == WN_OK && list != NULL)
    status = put_text(o, v->id, "coordinates", list);
  free(list);
  return status;
}

/* Missing numbers for all of an axis, which has no fill value: a killed run leaves them after its rows. */
static int make_axis(struct wn_output *o, const struct wn_output_open_var *v)
{
  double *nan = wn_alloc(v->shape[0], sizeof *nan);
  if (nan == NULL)
    return WN_ENOMEM;
  for (size_t i = 0; i < v->shape[0]; i++)
    nan[i] = NAN;
  errno = 0;
  const int nc = nc_put_var_double(o->ncid, v->id, nan);
  free(nan);
  return nc == NC_NOERR ? WN_OK : failed(o, nc, "make room for", v->name);
}

/* Chunks of a variable, with the fill value: the first one, or all of an axis, which has no fill value to be read, and where the
 * index has several nodes. */
static int make_chunks(struct wn_output *o, const struct wn_output_open_var *v)
{
  size_t start[MAX_DIMS] = {0}, count[MAX_DIMS], n = 1;

  for (size_t i = 0; i < v->n_dims; i++)
    count[i] = v->shape[i];
  count[0] = v->n_dims > 1                             ? 1
             : v->is_axis || chunks_of(v) > INDEX_NODE ? v->shape[0]
                                                       : LINE_CHUNK;
  for (size_t i = 0; i < v->n_dims; i++)
    n *= count[i];
  double *nan = v->type == WN_OUT_DOUBLE ? wn_alloc(n, sizeof *nan) : NULL;
  long long *none = v->type == WN_OUT_INT64 ? wn_alloc(n, sizeof *none) : NULL;
  int status = nan != NULL || none != NULL ? WN_OK : WN_ENOMEM, nc = NC_NOERR;
  for (size_t i = 0; i < n && status == WN_OK; i++) {
    if (nan != NULL)
      nan[i] = NAN;
    else
      none[i] = NC_FILL_INT64;
  }
  errno = 0;
  const size_t rows = v->is_axis || chunks_of(v) > INDEX_NODE ? v->shape[0] : count[0];
  for (; start[0] < rows && status == WN_OK && nc == NC_NOERR; start[0] += count[0])
    nc = nan != NULL ? nc_put_vara_double(o->ncid, v->id, start, count, nan)
                     : nc_put_vara_longlong(o->ncid, v->id, start, count, none);
  if (nc != NC_NOERR)
    status = failed(o, nc, "make room for", v->name);
  free(nan);
  free(none);
  return status;
}

int wn_output_end_define(struct wn_output *o)
{
  const size_t zero[MAX_DIMS] = {0, 0, 0, 0};

  for (size_t i = 0; i < o->n_vars; i++)
    if (!o->vars[i].is_coordinate && !o->vars[i].is_axis)
      WN_TRY(put_coordinates(o, &o->vars[i]));
  NC_TRY(o, nc_enddef(o->ncid), "write the header", NULL);
  for (size_t i = 0; i < o->n_vars; i++) {
    const struct wn_output_open_var *v = &o->vars[i];
    double nan = NAN;
    long long none = NC_FILL_INT64;

    if (v->in_chunks) {
      WN_TRY(make_chunks(o, v));
      continue;
    }
    if (v->type == WN_OUT_DOUBLE && v->is_axis)
      WN_TRY(make_axis(o, v));
    else if (v->type == WN_OUT_DOUBLE)
      NC_TRY(o, nc_put_var1_double(o->ncid, v->id, zero, &nan), "make room for", v->name);
    else if (v->type == WN_OUT_INT64)
      NC_TRY(o, nc_put_var1_longlong(o->ncid, v->id, zero, &none), "make room for",
             v->name);
  }
  WN_TRY(wn_output_sync(o));
  return o->again ? WN_OK : wn_output_publish(o);
}

/* From here on the file is readable, even if the process is killed. */
int wn_output_publish(struct wn_output *o)
{
  if (o->is_silent)
    return WN_OK;
  if (rename(o->fresh, o->part) != 0)
    return WN_FAIL(WN_EIO, "%s: cannot rename to %s: %s", o->fresh, o->part,
                   strerror(errno));
  o->name = o->part;
  if (o->fd_part >= 0)
    close(o->fd_part);
  o->fd_part = -1;
  return WN_OK;
}

void wn_output_axes(struct wn_output *o, int on)
{
  o->is_axes = on;
}

/* The part of variable `var` that `record` selects; checks the type. */
static int slab(struct wn_output *o, const char *var, long record,
                enum wn_output_type type, struct wn_output_open_var **out, size_t *start,
                size_t *count)
{
  struct wn_output_open_var *v = find_var(o, var);

  if (v == NULL)
    return WN_FAIL(WN_EINTERN, "%s: variable %s is not defined", o->part, var);
  if (v->type != type)
    return WN_FAIL(WN_EINTERN, "%s: variable %s is of another type", o->part, var);
  if (record >= 0 && (v->n_dims == 0 || (size_t)record >= v->shape[0]))
    return WN_FAIL(WN_EINTERN, "%s: variable %s has no record %ld", o->part, var, record);
  for (size_t i = 0; i < v->n_dims; i++) {
    start[i] = 0;
    count[i] = v->shape[i];
  }
  if (record >= 0) {
    start[0] = (size_t)record;
    count[0] = 1;
  }
  *out = v;
  return WN_OK;
}

static void note(struct wn_output *o, struct wn_output_open_var *w, long record,
                 const void *v)
{
  wn_output_note(w, record >= 0 ? (size_t)record : 0, record >= 0 ? 1 : w->n_records, v);
  if (record >= 0 && !o->is_axes)
    o->record_written = 1;
}

int wn_output_put(struct wn_output *o, const char *var, long record, const double *v)
{
  struct wn_output_open_var *w;
  size_t start[MAX_DIMS], count[MAX_DIMS];

  WN_TRY(slab(o, var, record, WN_OUT_DOUBLE, &w, start, count));
  if (o->journal != NULL)
    return wn_output_journal_add(o, w, NULL, record, 1, v);
  NC_TRY(o, nc_put_vara_double(o->ncid, w->id, start, count, v), "write", var);
  note(o, w, record, v);
  return WN_OK;
}

int wn_output_put_records(struct wn_output *o, const char *var, size_t first, size_t n,
                          const double *v)
{
  struct wn_output_open_var *w;
  size_t start[MAX_DIMS], count[MAX_DIMS];

  if (n == 0)
    return WN_OK;
  WN_TRY(slab(o, var, (long)(first + n - 1), WN_OUT_DOUBLE, &w, start, count));
  start[0] = first;
  count[0] = n;
  if (o->journal != NULL)
    return wn_output_journal_add(o, w, NULL, (long)first, n, v);
  NC_TRY(o, nc_put_vara_double(o->ncid, w->id, start, count, v), "write", var);
  wn_output_note(w, first, n, v);
  o->record_written = 1;
  return WN_OK;
}

int wn_output_put_int(struct wn_output *o, const char *var, long record,
                      const long long *v)
{
  struct wn_output_open_var *w;
  size_t start[MAX_DIMS], count[MAX_DIMS];

  WN_TRY(slab(o, var, record, WN_OUT_INT64, &w, start, count));
  if (o->journal != NULL)
    return wn_output_journal_add(o, w, NULL, record, 1, v);
  NC_TRY(o, nc_put_vara_longlong(o->ncid, w->id, start, count, v), "write", var);
  note(o, w, record, v);
  return WN_OK;
}

int wn_output_put_string(struct wn_output *o, const char *var, long record,
                         const char *const *v)
{
  struct wn_output_open_var *w;
  size_t start[MAX_DIMS], count[MAX_DIMS];

  WN_TRY(slab(o, var, record, WN_OUT_STRING, &w, start, count));
  if (o->journal != NULL)
    return wn_output_journal_add(o, w, NULL, record, 1, v);
  /* netCDF-C takes const char ** although it does not write there. */
  NC_TRY(o, nc_put_vara_string(o->ncid, w->id, start, count, (const char **)v), "write",
         var);
  note(o, w, record, v);
  return WN_OK;
}

/* fsync; EINVAL: the file system does not support it, which is no error of the run. */
static int sync_disk(struct wn_output *o)
{
  if (o->is_silent)
    return WN_OK;
  if (fsync(o->fd) != 0 && errno != EINVAL) {
    o->broken = 1;
    return WN_FAIL(WN_EIO, "%s: cannot write to disk: %s", o->part, strerror(errno));
  }
  return WN_OK;
}

int wn_output_sync(struct wn_output *o)
{
  if (o->journal != NULL)
    return WN_OK;
  NC_TRY(o, nc_sync(o->ncid), "write", NULL);
  return sync_disk(o);
}

/* The new name is on disk only after its folder is synchronised; a failure here loses
 * only that guarantee. */
static void sync_folder(const char *path)
{
  const char *slash = strrchr(path, '/');
  char *folder =
      slash != NULL ? wn_asprintf("%.*s", (int)(slash - path + 1), path) : wn_strdup(".");
  int fd = folder != NULL ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;

  if (fd >= 0) {
    if (fsync(fd) != 0)
      wn_log(WN_LOG_DEBUG, "%s: cannot synchronise the folder: %s", folder,
             strerror(errno));
    close(fd);
  }
  free(folder);
}

int wn_output_close(struct wn_output *o)
{
  int status = WN_OK;

  if (o == NULL)
    return WN_OK;
  if (o->broken) {
    status = WN_FAIL(WN_EIO, "%s: not renamed to %s because writing it failed", o->part,
                     o->path);
    wn_output_discard(o);
    return status;
  }
  errno = 0;
  int nc = nc_close(o->ncid);
  if (nc != NC_NOERR)
    status = failed(o, nc, "close", NULL);
  if (status == WN_OK)
    status = sync_disk(o);
  if (status == WN_OK && !o->is_silent && rename(o->name, o->path) != 0)
    status =
        WN_FAIL(WN_EIO, "%s: cannot rename to %s: %s", o->name, o->path, strerror(errno));
  if (status == WN_OK && !o->is_silent)
    sync_folder(o->path);
  free_output(o);
  return status;
}

void wn_output_discard(struct wn_output *o)
{
  if (o == NULL)
    return;
  if (o->is_journal_of) {
    wn_output_journal_end(o);
    free(o);
    return;
  }
  /* After a failed write HDF5 must not write again: closing would write a header that refers to numbers
   * that are not on disk, and the earlier records would be lost with it. */
  int nc = o->broken ? NC_NOERR : nc_close(o->ncid);
  if (nc != NC_NOERR) /* the cause was logged before */
    wn_log(WN_LOG_DEBUG, "%s: %s while closing", o->part, nc_strerror(nc));
  if (o->is_silent) {
    free_output(o);
    return;
  }
  if (o->broken && o->name == o->part && o->record_written && !wn_output_repair(o->fd))
    wn_log(WN_LOG_WARN, "%s: it may be unreadable", o->part);
  if (o->name == o->part && o->record_written)
    wn_log(WN_LOG_WARN, "finished records are kept in %s", o->part);
  else if (unlink(o->name) != 0)
    wn_log(WN_LOG_WARN, "%s: cannot remove: %s", o->name, strerror(errno));
  free_output(o);
}

void wn_output_keep(struct wn_output *o)
{
  o->record_written = 1;
}

const char *wn_output_library(void)
{
  static char text[128];
  const char *version = nc_inq_libvers(); /* "4.9.0 of Aug  7 2022 23:41:41 $" */

  snprintf(text, sizeof text, "netCDF %.*s", (int)strcspn(version, " $"), version);
  return text;
}
