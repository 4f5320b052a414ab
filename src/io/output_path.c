/* src/io/output_path.c - see output_path.h. */
#include "src/io/output_path.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/log.h"

#define MAX_LINKS 40 /* as in Linux */

static bool is_same_file(const char *a, const char *b)
{
  struct stat x, y;
  return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev &&
         x.st_ino == y.st_ino;
}

int wn_output_is_no_input(const char *path, const char *end, size_t n_inputs,
                          const char *const *inputs)
{
  char *name = wn_asprintf("%s%s", path, end);
  int status = name != NULL ? WN_OK : WN_ENOMEM;
  for (size_t i = 0; i < n_inputs && status == WN_OK; i++)
    if (is_same_file(name, inputs[i]))
      status = WN_FAIL(
          WN_EINPUT,
          "%s: the output would overwrite the input %s; give the output another name",
          name, inputs[i]);
  free(name);
  return status;
}

int wn_output_allowed(const char *path, bool keep, size_t n_inputs,
                      const char *const *inputs)
{
  struct stat st;
  static const char *const ends[] = {"", ".part", ".part.new"};
  for (size_t k = 0; k < sizeof ends / sizeof ends[0]; k++)
    WN_TRY(wn_output_is_no_input(path, ends[k], n_inputs, inputs));
  if (keep && stat(path, &st) == 0)
    return WN_FAIL(WN_EINPUT,
                   "%s: exists, and --no-clobber does not allow to replace it; give the "
                   "output another name",
                   path);
  return WN_OK;
}

/* The target of a symbolic link: its text, relative to the folder of the link. */
static char *target_of(const char *link)
{
  char text[PATH_MAX];
  const ssize_t n = readlink(link, text, sizeof text - 1);
  if (n < 0)
    return NULL;
  text[n] = '\0';
  const char *slash = strrchr(link, '/');
  return text[0] == '/' || slash == NULL
             ? wn_strdup(text)
             : wn_asprintf("%.*s%s", (int)(slash - link + 1), link, text);
}

static const char *kind_of(mode_t mode)
{
  return S_ISDIR(mode)    ? "a folder"
         : S_ISFIFO(mode) ? "a pipe"
         : S_ISSOCK(mode) ? "a socket"
                          : "a device";
}

int wn_output_follow(const char *path, char **real)
{
  struct stat st;
  char *at = wn_strdup(path);
  for (int i = 0; at != NULL && lstat(at, &st) == 0 && S_ISLNK(st.st_mode); i++) {
    char *next = i < MAX_LINKS ? target_of(at) : NULL;
    free(at);
    if (next == NULL)
      return WN_FAIL(
          WN_EIO, "%s: cannot write output: the symbolic link points to no file", path);
    at = next;
  }
  if (at == NULL)
    return WN_ENOMEM;
  if (stat(at, &st) == 0 && !S_ISREG(st.st_mode)) {
    free(at);
    return WN_FAIL(WN_EIO, "%s: cannot write output: it is %s", path,
                   kind_of(st.st_mode));
  }
  *real = at;
  return WN_OK;
}

int wn_output_possible(const char *path, size_t n_inputs, const char *const *inputs)
{
  char *real = NULL;
  WN_TRY(wn_output_allowed(path, false, n_inputs, inputs));
  WN_TRY(wn_output_follow(path, &real));
  char *slash = strrchr(real, '/');
  if (slash != NULL)
    slash[slash == real] = '\0';
  const char *folder = slash != NULL ? real : ".";
  const int status = access(folder, W_OK | X_OK) == 0
                         ? WN_OK
                         : WN_FAIL(WN_EIO, "%s: cannot create output: %s: %s", path,
                                   folder, strerror(errno));
  free(real);
  return status;
}

/* Whether the lock was obtained.  A file system without locks is used without one. */
static bool lock(int fd, const char *name)
{
  struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  if (fcntl(fd, F_OFD_SETLK, &whole) == 0)
    return true;
  if (errno == EAGAIN || errno == EACCES)
    return false;
  wn_log(WN_LOG_WARN,
         "%s: the file system has no locks (%s): make sure that no other run writes this "
         "file",
         name, strerror(errno));
  return true;
}

int wn_output_lock(const char *name, bool create, int *fd)
{
  const int flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | (create ? O_CREAT : 0);
  struct stat mine, there;
  *fd = -1;
  for (;;) {
    const int f = open(name, flags, 0666);
    if (f < 0 && errno == ENOENT && !create)
      return WN_OK;
    if (f < 0 && errno == ELOOP)
      return WN_FAIL(WN_EIO, "%s: cannot create output: it is a symbolic link; remove it",
                     name);
    if (f < 0)
      return WN_FAIL(WN_EIO, "%s: cannot create output: %s", name, strerror(errno));
    if (fstat(f, &mine) != 0 || !S_ISREG(mine.st_mode)) {
      close(f);
      return WN_FAIL(WN_EIO, "%s: cannot create output: not a regular file", name);
    }
    if (!lock(f, name)) {
      close(f);
      return WN_FAIL(WN_EIO, "%s: cannot create output: another run is writing it", name);
    }
    /* another run has renamed the file since it was opened */
    if (lstat(name, &there) == 0 && there.st_dev == mine.st_dev &&
        there.st_ino == mine.st_ino) {
      *fd = f;
      return WN_OK;
    }
    close(f);
  }
}

/* If closing fails, as on a full disk, HDF5 1.10 keeps the identifier of a file that it
 * has freed, uses it at exit, and crashes.  Its public H5dont_atexit removes its exit
 * handler (every file is closed here anyway).  It must be called before HDF5 starts, and
 * is looked up at run time because the program links netCDF, not HDF5. */
void wn_netcdf_start(void)
{
  static int is_done;
  int (*dont_atexit)(void);

  if (!is_done) {
    setenv("HDF5_USE_FILE_LOCKING", "FALSE", 1);
    *(void **)&dont_atexit = dlsym(
        RTLD_DEFAULT, "H5dont_atexit"); /* the cast recommended by POSIX for dlsym */
    if (dont_atexit != NULL)
      dont_atexit();
  }
  is_done = 1;
}

/* H5Eset_auto2(H5E_DEFAULT, NULL, NULL), of HDF5 1.10 and later, where an identifier has 64 bits. */
void wn_netcdf_thread(void)
{
  int (*set_auto)(int64_t stack, void *function, void *data);
  wn_netcdf_start();
  *(void **)&set_auto = dlsym(RTLD_DEFAULT, "H5Eset_auto2");
  if (set_auto != NULL)
    set_auto(0, NULL, NULL);
}
