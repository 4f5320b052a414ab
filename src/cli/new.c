/* src/cli/new.c - the first minute: what to try, and scenarios to begin with. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "base/error.h"
#include "base/log.h"
#include "src/cli/cli.h"
#include "src/cli/new_texts.h"
#include "src/config/config.h"
#include "src/config/internal.h"

void wn_cli_first_words(FILE *to)
{
  fputs("wilson - electrons in gases: particle-in-cell Monte-Carlo collisions\n\n"
        "To begin:\n"
        "  wilson new swarm       a commented scenario, swarm.cfg; also: runaway, ccp, "
        "plasma\n"
        "  wilson check swarm.cfg\n"
        "  wilson run swarm.cfg   some seconds\n"
        "  wilson open swarm.nc   a picture of what matters; wilson-plot --what all "
        "draws everything\n\n"
        "  wilson run FILE        runs any scenario; those in data/scenarios are "
        "examples\n"
        "  wilson help KEY        explains a key, as in wilson help gas.pressure\n"
        "  wilson --help          lists the commands\n",
        to);
}

static const struct wn_new_text *find_text(const char *kind)
{
  for (size_t i = 0; i < wn_n_new_texts; i++)
    if (strcmp(kind, wn_new_texts[i].name) == 0)
      return &wn_new_texts[i];
  return NULL;
}

static int no_such(const char *kind)
{
  const char *names[8];
  WN_ASSERT(wn_n_new_texts <= sizeof names / sizeof names[0]);
  for (size_t i = 0; i < wn_n_new_texts; i++)
    names[i] = wn_new_texts[i].name;
  const char *near = wn_config_nearest(kind, wn_n_new_texts, names);
  if (near != NULL)
    return WN_FAIL(WN_EINPUT, "no template `%s`; nearest is `%s`", kind, near);
  return WN_FAIL(WN_EINPUT, "no template `%s`; `wilson new -h` lists them", kind);
}

/* Closes fd.  Returns whether the whole text is on its way to the disk; else errno says why not. */
static int write_all(int fd, const char *text)
{
  size_t left = strlen(text);
  int good = 1;
  while (good && left > 0) {
    const ssize_t n = write(fd, text, left);
    good = n > 0 || (n < 0 && errno == EINTR);
    if (n > 0) {
      text += n;
      left -= (size_t)n;
    }
  }
  const int cause = errno;
  if (close(fd) != 0)
    return 0;
  errno = cause;
  return good;
}

int wn_cli_new(const char *kind, const char *path)
{
  const struct wn_new_text *t = find_text(kind);
  char own[64];
  if (t == NULL)
    return no_such(kind);
  if (path == NULL) {
    snprintf(own, sizeof own, "%s.cfg", t->name);
    path = own;
  }
  const int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (fd < 0 && errno == EEXIST)
    return WN_FAIL(WN_EINPUT,
                   "%s: exists, and is not replaced; `wilson new %s FILE` writes another",
                   path, t->name);
  if (fd < 0)
    return WN_FAIL(WN_EIO, "%s: cannot be created: %s", path, strerror(errno));
  if (!write_all(fd, t->text)) {
    const int cause = errno;
    unlink(path);
    return WN_FAIL(WN_EIO, "%s: cannot be written: %s", path, strerror(cause));
  }
  printf("%s: written; `wilson check %s` says what it needs, `wilson run %s` runs it\n",
         path, path, path);
  return WN_OK;
}
