/* src/io/checkpoint_file.c - see checkpoint_file.h. */
#include "src/io/checkpoint_file.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/alloc.h"
#include "base/error.h"
#include "base/log.h"
#include "base/ranks.h"
#include "base/sha256.h"

#define LAYOUT 1
#define ORDER  UINT64_C(0x0102030405060708)
#define DIGITS (WN_SHA256_HEX - 1)

struct head {
  char magic[24];
  uint64_t version, order, bytes;
};

static const char magic[24] = "wilson checkpoint\n";

/* ---- writing */

struct writer {
  FILE *to;
  const char *path;
  struct wn_sha256 sha;
  int status;
};

static int failed(const char *path, const char *doing)
{
  return WN_FAIL(WN_EIO, "%s: cannot %s: %s", path, doing,
                 errno != 0 ? strerror(errno) : "unknown cause");
}

static int put(void *ctx, const void *data, size_t n)
{
  struct writer *w = ctx;
  if (w->status !=
      WN_OK) /* the other ranks still send their data: it is received and dropped */
    return WN_OK;
  wn_sha256_take(&w->sha, data, n);
  errno = 0;
  if (fwrite(data, 1, n, w->to) == n)
    return WN_OK;
  w->status = failed(w->path, "write");
  return wn_ranks() > 1 ? WN_OK : w->status;
}

static int count_only(void *ctx, const void *data, size_t n)
{
  (void)ctx, (void)data, (void)n;
  return WN_OK;
}

static int put_all(struct writer *w, wn_checkpoint_walk *walk, void *ctx)
{
  struct wn_state s;
  struct head h = {.version = LAYOUT, .order = ORDER};
  char hex[WN_SHA256_HEX];
  wn_state_init(&s);
  s.sink = count_only;
  s.is_dry = 1;
  WN_TRY(walk(ctx, &s));
  memcpy(h.magic, magic, sizeof magic);
  h.bytes = s.n;
  wn_sha256_start(&w->sha);
  WN_TRY(put(w, &h, sizeof h));
  wn_state_init(&s);
  s.sink = put;
  s.ctx = w;
  WN_TRY(walk(ctx, &s));
  WN_TRY(w->status);
  WN_ASSERT(s.n == h.bytes);
  wn_sha256_finish(&w->sha, hex);
  errno = 0;
  if (fwrite(hex, 1, DIGITS, w->to) != DIGITS || fflush(w->to) != 0)
    return failed(w->path, "write");
  /* EINVAL: the file system does not support it, which is no error of the run */
  if (fsync(fileno(w->to)) != 0 && errno != EINVAL)
    return failed(w->path, "write to disk");
  return WN_OK;
}

/* The new names are on disk only after the folder is synchronised. */
static void sync_folder(const char *path)
{
  const char *slash = strrchr(path, '/');
  char *folder =
      slash != NULL ? wn_asprintf("%.*s", (int)(slash - path + 1), path) : wn_strdup(".");
  int fd = folder != NULL ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
  if (fd >= 0 && fsync(fd) != 0)
    wn_log(WN_LOG_DEBUG, "%s: cannot synchronise the folder: %s", folder,
           strerror(errno));
  if (fd >= 0)
    close(fd);
  free(folder);
}

static int take_place(const char *path, const char *fresh)
{
  char *old = wn_asprintf("%s.old", path);
  if (old == NULL)
    return WN_ENOMEM;
  errno = 0;
  const int is_kept = rename(path, old) == 0 || errno == ENOENT;
  const int status = is_kept ? WN_OK : failed(path, "be kept as .old");
  free(old);
  WN_TRY(status);
  errno = 0;
  if (rename(fresh, path) != 0)
    return failed(fresh, "be renamed");
  sync_folder(path);
  return WN_OK;
}

/* The other ranks: walk twice as well, and send their data when it is requested. */
static int follow(wn_checkpoint_walk *walk, void *ctx)
{
  struct wn_state s;
  wn_state_init(&s);
  s.sink = count_only;
  s.is_dry = 1;
  WN_TRY(walk(ctx, &s));
  wn_state_init(&s);
  s.sink = count_only;
  return walk(ctx, &s);
}

/* A file of its own: not the one that a link of this name leads to. */
static FILE *create_file(const char *name)
{
  if (unlink(name) != 0 && errno != ENOENT)
    return NULL;
  const int fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  FILE *to = fd >= 0 ? fdopen(fd, "wb") : NULL;
  if (fd >= 0 && to == NULL)
    close(fd);
  return to;
}

static int write_file(const char *path, wn_checkpoint_walk *walk, void *ctx)
{
  char *fresh = wn_asprintf("%s.new", path);
  if (fresh == NULL)
    return WN_ENOMEM;
  errno = 0;
  struct writer w = {.to = create_file(fresh), .path = fresh};
  if (w.to == NULL)
    w.status = failed(fresh, "be created");
  int status = w.to != NULL || wn_ranks() > 1 ? put_all(&w, walk, ctx) : w.status;
  errno = 0;
  if (w.to != NULL && fclose(w.to) != 0 && status == WN_OK)
    status = failed(fresh, "be closed");
  if (status == WN_OK)
    status = take_place(path, fresh);
  if (status != WN_OK && w.to != NULL)
    unlink(fresh);
  free(fresh);
  return status;
}

int wn_checkpoint_write(const char *path, wn_checkpoint_walk *walk, void *ctx)
{
  if (wn_ranks() == 1)
    return write_file(path, walk, ctx);
  int status = wn_rank() == 0 ? write_file(path, walk, ctx) : follow(walk, ctx);
  if (wn_ranks_any(status != WN_OK) && status == WN_OK)
    status = WN_EIO; /* logged by rank 0 */
  return status;
}

/* ---- reading */

#define REFUSE(...) (snprintf(why, n, __VA_ARGS__), WN_EINPUT)

static int check_bytes(const unsigned char *at, size_t length, char *why, size_t n)
{
  struct head h;
  char hex[WN_SHA256_HEX];
  if (length < sizeof h)
    return REFUSE("it is truncated: %zu bytes, fewer than its head", length);
  memcpy(&h, at, sizeof h);
  if (memcmp(h.magic, magic, sizeof magic) != 0)
    return REFUSE("it is not a checkpoint, or its head is damaged");
  if (h.order != ORDER)
    return REFUSE(
        "its byte order differs: it is from another kind of machine, or damaged");
  if (h.version != LAYOUT)
    return REFUSE("its layout is version %" PRIu64 ", this program reads version %d",
                  h.version, LAYOUT);
  if (h.bytes > SIZE_MAX / 2 || length != sizeof h + (size_t)h.bytes + DIGITS)
    return REFUSE("it is %s: %zu bytes of %" PRIu64,
                  length < sizeof h + h.bytes + DIGITS ? "truncated" : "too long", length,
                  h.bytes + sizeof h + DIGITS);
  wn_sha256_mem(at, length - DIGITS, hex);
  if (memcmp(hex, at + length - DIGITS, DIGITS) != 0)
    return REFUSE("it is damaged: wrong checksum");
  return WN_OK;
}

int wn_checkpoint_open(const char *path, struct wn_checkpoint *out, char *why, size_t n)
{
  struct stat st;
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a pipe has no writer */
  if (fd < 0)
    return REFUSE("it cannot be opened: %s", strerror(errno));
  if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) || st.st_size == 0) {
    close(fd);
    return REFUSE("it is %s", S_ISREG(st.st_mode) ? "empty" : "no regular file");
  }
  *out = (struct wn_checkpoint){.length = (size_t)st.st_size};
  out->map = mmap(NULL, out->length, PROT_READ, MAP_PRIVATE, fd, 0);
  const int cause = errno;
  close(fd);
  if (out->map == MAP_FAILED)
    return REFUSE("it cannot be read: %s", strerror(cause));
  int status = check_bytes(out->map, out->length, why, n);
  if (status != WN_OK) {
    munmap(out->map, out->length);
    return status;
  }
  wn_state_init(&out->state);
  out->state.bytes = (unsigned char *)out->map + sizeof(struct head);
  out->state.n = out->length - sizeof(struct head) - DIGITS;
  wn_state_rewind(&out->state);
  return WN_OK;
}

void wn_checkpoint_close(struct wn_checkpoint *k)
{
  if (k->map != NULL)
    munmap(k->map, k->length);
  *k = (struct wn_checkpoint){0};
}

static const char *const ends[] = {"", ".old", ".new"};

/* Whether the file begins as a checkpoint does, as far as it was written.  A folder cannot be replaced by
 * one: nothing is lost, and the run goes on without checkpoints. */
static int begins_so(const char *name)
{
  struct stat st;
  char start[sizeof magic] = {0};
  const int fd = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0)
    return errno == ENOENT;
  ssize_t n = -1;
  if (fstat(fd, &st) == 0)
    n = S_ISREG(st.st_mode)   ? read(fd, start, sizeof start)
        : S_ISDIR(st.st_mode) ? 0
                              : -1;
  close(fd);
  return n >= 0 && memcmp(start, magic, (size_t)n) == 0;
}

int wn_checkpoint_allowed(const char *path)
{
  int status = WN_OK;
  for (size_t i = 0; i < sizeof ends / sizeof ends[0] && status == WN_OK; i++) {
    char *name = wn_asprintf("%s%s", path, ends[i]);
    if (name == NULL)
      return WN_ENOMEM;
    if (!begins_so(name))
      status =
          WN_FAIL(WN_EINPUT,
                  "%s: exists and is no checkpoint, which this run would write under "
                  "that name; move it, or give the output another name",
                  name);
    free(name);
  }
  return status;
}

void wn_checkpoint_remove(const char *path)
{
  for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
    char *name = wn_asprintf("%s%s", path, ends[i]);
    if (name != NULL && unlink(name) != 0 && errno != ENOENT)
      wn_log(WN_LOG_WARN, "%s: cannot remove: %s", name, strerror(errno));
    free(name);
  }
}
