/* src/io/output_continue.c - the file of a run that continues: the records that the previous run had
 * written up to its checkpoint, in a new file.  That file is created as in any run and then receives the
 * records.  It never depends on a write that a killed process left incomplete. */
#include <errno.h>
#include <netcdf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/alloc.h"
#include "base/error.h"
#include "base/log.h"
#include "base/ranks.h"
#include "src/io/output_internal.h"
#include "src/io/output_path.h"

#define COPIED_AT_ONCE ((size_t)1 << 20) /* bytes, at least one record */

int wn_output_note_room(struct wn_output_open_var *v)
{
  v->n_records = v->n_dims > 0 ? v->shape[0] : 1;
  v->per_record = 1;
  for (size_t i = 1; i < v->n_dims; i++)
    v->per_record *= v->shape[i];
  v->written = wn_alloc((v->n_records + 7) / 8, 1);
  return v->written != NULL ? WN_OK : WN_ENOMEM;
}

/* A 64-bit mixing function (the finalizer of MurmurHash3): it detects changed records, and
 * is no protection against forgery. */
static uint64_t mix(uint64_t h)
{
  h ^= h >> 33;
  h *= UINT64_C(0xff51afd7ed558ccd);
  h ^= h >> 33;
  h *= UINT64_C(0xc4ceb9fe1a85ec53);
  return h ^ h >> 33;
}

static uint64_t sum_of(const struct wn_output_open_var *v, size_t record,
                       const void *data)
{
  uint64_t h = mix(record + 1), word;
  for (size_t i = 0; i < v->per_record; i++) {
    if (v->type == WN_OUT_STRING) {
      const char *s = ((const char *const *)data)[i];
      word = s == NULL; /* a string of an earlier file may be missing */
      for (; s != NULL && *s != '\0'; s++)
        h = mix(h ^ (unsigned char)*s);
    } else {
      memcpy(&word, (const char *)data + 8 * i, 8);
    }
    h = mix(h ^ word);
  }
  return h;
}

void wn_output_note(struct wn_output_open_var *v, size_t first, size_t n,
                    const void *data)
{
  const size_t bytes = v->per_record * (v->type == WN_OUT_STRING ? sizeof(char *) : 8);
  for (size_t i = 0; i < n; i++) {
    const size_t record = first + i;
    WN_ASSERT(v->again || !wn_output_has(v, record)); /* the sum would contain it twice */
    if (!v->again)
      v->sum += sum_of(v, record, (const char *)data + i * bytes);
    v->written[record / 8] |= (unsigned char)(1u << record % 8);
  }
}

/* ---- the file of the previous run */

struct before {
  const char *path;
  int ncid;
};

static int refuse(const struct before *b, const char *name, const char *why)
{
  return WN_FAIL(
      WN_EINPUT,
      "%s: variable %s %s: the file is not the output of the run of this checkpoint, or "
      "it is damaged; without --restart the run starts from the beginning",
      b->path, name, why);
}

int wn_output_is_complete(const char *path)
{
  int ncid;
  size_t n;
  double complete = 0.0;
  char *part = wn_asprintf("%s.part", path);
  const int is_alone = part != NULL && access(part, F_OK) != 0;
  free(part);
  wn_netcdf_start();
  if (!is_alone || nc_open(path, NC_NOWRITE, &ncid) != NC_NOERR)
    return 0;
  if (nc_inq_attlen(ncid, NC_GLOBAL, "complete", &n) != NC_NOERR || n != 1 ||
      nc_get_att_double(ncid, NC_GLOBAL, "complete", &complete) != NC_NOERR)
    complete = 0.0;
  nc_close(ncid);
  return complete != 0.0;
}

/* A running program holds the lock of the file that it writes (src/io/output_path.h); the
 * lock on o->part is our own. */
static int is_free(const struct wn_output *o, const char *part)
{
  struct flock whole = {.l_type = F_RDLCK, .l_whence = SEEK_SET};
  struct stat this, ours;
  const int fd = open(part, O_RDONLY | O_CLOEXEC);
  if (fd < 0) /* it does not exist or cannot be read: reported where it is needed */
    return WN_OK;
  const int is_ours = o->fd_part >= 0 && fstat(fd, &this) == 0 &&
                      fstat(o->fd_part, &ours) == 0 && this.st_dev == ours.st_dev &&
                      this.st_ino == ours.st_ino,
            is_busy = !is_ours && fcntl(fd, F_OFD_GETLK, &whole) == 0 &&
                      whole.l_type != F_UNLCK;
  close(fd);
  return is_busy ? WN_FAIL(WN_EIO, "%s: another run is writing it", part) : WN_OK;
}

/* Opens PATH.part, or PATH if it is the file of an incomplete run. */
static int open_before(struct before *b, const char *path, const char *part)
{
  b->path = access(part, F_OK) == 0 ? part : path;
  if (wn_output_is_complete(path))
    return WN_FAIL(WN_EINPUT, "%s: there is no such file, and %s is complete", part,
                   path);
  const int fd = open(b->path, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return WN_FAIL(WN_EINPUT,
                   "%s: cannot be opened: %s; it holds the records written before the "
                   "checkpoint, and the run cannot continue without them; without "
                   "--restart it starts from the beginning",
                   part, strerror(errno));
  close(fd);
  int nc = nc_open(b->path, NC_NOWRITE, &b->ncid);
  if (nc != NC_NOERR)
    return WN_FAIL(WN_EINPUT, "%s: cannot be read: %s", b->path, nc_strerror(nc));
  return WN_OK;
}

/* The variable of the same name, type and shape in that file; *id: its number. */
static int find(const struct before *b, const struct wn_output_open_var *v, int *id)
{
  static const nc_type types[] = {[WN_OUT_DOUBLE] = NC_DOUBLE,
                                  [WN_OUT_INT64] = NC_INT64,
                                  [WN_OUT_STRING] = NC_STRING};
  int n_dims, dims[NC_MAX_VAR_DIMS];
  nc_type type;
  size_t n;
  if (nc_inq_varid(b->ncid, v->name, id) != NC_NOERR)
    return refuse(b, v->name, "is not there");
  if (nc_inq_var(b->ncid, *id, NULL, &type, &n_dims, dims, NULL) != NC_NOERR ||
      type != types[v->type] || n_dims != (int)v->n_dims)
    return refuse(b, v->name, "is of another type");
  for (size_t i = 0; i < v->n_dims; i++)
    if (nc_inq_dimlen(b->ncid, dims[i], &n) != NC_NOERR || n != v->shape[i])
      return refuse(b, v->name, "has another shape");
  return WN_OK;
}

static int get(int ncid, int id, enum wn_output_type type, const size_t *start,
               const size_t *count, void *to)
{
  return type == WN_OUT_DOUBLE  ? nc_get_vara_double(ncid, id, start, count, to)
         : type == WN_OUT_INT64 ? nc_get_vara_longlong(ncid, id, start, count, to)
                                : nc_get_vara_string(ncid, id, start, count, to);
}

/* Records [first, first + n), all of which were written. */
static int copy_run(struct wn_output *o, struct wn_output_open_var *v,
                    const struct before *b, int id, size_t first, size_t n, void *buffer)
{
  size_t start[WN_OUT_DIMS] = {first}, count[WN_OUT_DIMS];
  for (size_t i = 0; i < v->n_dims; i++)
    count[i] = v->shape[i];
  count[0] = n;
  errno = 0;
  int nc = get(b->ncid, id, v->type, start, count, buffer);
  if (nc != NC_NOERR)
    return refuse(b, v->name, "cannot be read");
  nc = v->type == WN_OUT_DOUBLE ? nc_put_vara_double(o->ncid, v->id, start, count, buffer)
       : v->type == WN_OUT_INT64
           ? nc_put_vara_longlong(o->ncid, v->id, start, count, buffer)
           : nc_put_vara_string(o->ncid, v->id, start, count, buffer);
  wn_output_note(v, first, n, buffer);
  if (v->type == WN_OUT_STRING)
    nc_free_string(n * v->per_record, buffer);
  if (nc != NC_NOERR) {
    o->broken = 1;
    return WN_FAIL(WN_EIO, "%s: cannot copy variable %s: %s%s%s", o->part, v->name,
                   nc_strerror(nc), errno != 0 ? ": " : "",
                   errno != 0 ? strerror(errno) : "");
  }
  return WN_OK;
}

/* Copies the records listed in `had`, and compares their checksum. */
static int copy(struct wn_output *o, struct wn_output_open_var *v, const struct before *b,
                const unsigned char *had, uint64_t sum)
{
  const size_t bytes = v->per_record * (v->type == WN_OUT_STRING ? sizeof(char *) : 8),
               most = bytes < COPIED_AT_ONCE ? COPIED_AT_ONCE / bytes : 1;
  int id, status = WN_OK;
  WN_TRY(find(b, v, &id));
  void *buffer = wn_alloc(most < v->n_records ? most : v->n_records, bytes);
  if (buffer == NULL)
    return WN_ENOMEM;
  memset(v->written, 0, (v->n_records + 7) / 8);
  v->sum = 0;
  for (size_t first = 0; first < v->n_records && status == WN_OK;) {
    size_t n = 0;
    while (n < most && first + n < v->n_records &&
           had[(first + n) / 8] >> (first + n) % 8 & 1)
      n++;
    if (n > 0)
      status = copy_run(o, v, b, id, first, n, buffer);
    first += n > 0 ? n : 1;
  }
  free(buffer);
  if (status == WN_OK && !v->again && v->sum != sum)
    return refuse(b, v->name, "lacks records written before the checkpoint");
  return status;
}

/* ---- state */

int wn_output_state(struct wn_output *o, struct wn_state *s)
{
  for (size_t i = 0; i < o->n_vars; i++) {
    struct wn_output_open_var *v = &o->vars[i];
    WN_TRY(wn_state_item(s, v->name, v->written, (v->n_records + 7) / 8));
    WN_TRY(wn_state_item(s, "sum", &v->sum, sizeof v->sum));
  }
  return WN_OK;
}

/* Does the previous run have records of this variable that this file lacks? */
static int wants(const struct wn_output_open_var *v, const unsigned char *had)
{
  for (size_t i = 0; i < v->n_records; i++)
    if (had[i / 8] >> i % 8 & 1 && !wn_output_has(v, i))
      return 1;
  return 0;
}

static int continue_one(struct wn_output *o, struct wn_output_open_var *v,
                        struct wn_state *s, struct before *b, const char *path,
                        const char *part)
{
  uint64_t sum;
  const size_t n = (v->n_records + 7) / 8;
  unsigned char *had = wn_alloc(n, 1);
  int status = had != NULL ? wn_state_item(s, v->name, had, n) : WN_ENOMEM;
  if (status == WN_OK)
    status = wn_state_item(s, "sum", &sum, sizeof sum);
  /* coordinates are written already; a run without other records needs no previous file */
  if (status == WN_OK && wants(v, had)) {
    if (b->path == NULL)
      status = open_before(b, path, part);
    if (status == WN_OK)
      status = copy(o, v, b, had, sum);
    else
      b->path = NULL;
  }
  free(had);
  return status;
}

int wn_output_continue(struct wn_output *o, struct wn_state *s, const char *of)
{
  struct before b = {0};
  char *real = NULL;
  WN_TRY(wn_output_follow(of, &real));
  char *from = wn_asprintf("%s.part", real);
  int status = from == NULL ? WN_ENOMEM : o->is_silent ? WN_OK : is_free(o, from);
  for (size_t i = 0; i < o->n_vars && status == WN_OK; i++)
    status = continue_one(o, &o->vars[i], s, &b, real, from);
  if (b.path != NULL)
    nc_close(b.ncid);
  if (status == WN_OK)
    status = wn_output_sync(o);
  if (status == WN_OK) {
    wn_ranks_wait(); /* every rank has read the file that is replaced now */
    status = wn_output_publish(o);
  }
  o->record_written |= status == WN_OK;
  free(from);
  free(real);
  return status;
}

static char *text_of(int ncid, const char *name)
{
  size_t n;
  nc_type type;
  if (nc_inq_att(ncid, NC_GLOBAL, name, &type, &n) != NC_NOERR || type != NC_CHAR)
    return NULL;
  char *text = wn_alloc(n + 1, 1);
  if (text != NULL && nc_get_att_text(ncid, NC_GLOBAL, name, text) != NC_NOERR) {
    free(text);
    return NULL;
  }
  return text;
}

char *wn_output_get_text(struct wn_output *o, const char *name)
{
  return text_of(o->ncid, name);
}

char *wn_output_text_of(const char *path, const char *name)
{
  int ncid;
  if (nc_open(path, NC_NOWRITE, &ncid) != NC_NOERR)
    return NULL;
  char *text = text_of(ncid, name);
  nc_close(ncid);
  return text;
}
