/* src/cli/open.c - `wilson open`: hands a result file to wilson-plot. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/alloc.h"
#include "base/error.h"
#include "src/cli/cli.h"

/* Where it is beside the program: installed, and in a build folder of the tree. */
static const char *const beside[] = {"wilson-plot", "../src/plot/wilson-plot",
                                     "src/plot/wilson-plot"};

/* The path of wilson-plot beside this program, malloc'd; NULL: there is none. */
static char *find(void)
{
  char self[PATH_MAX];
  const ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
  if (n < 0)
    return NULL;
  self[n] = '\0';
  char *slash = strrchr(self, '/');
  *(slash != NULL ? slash : self) = '\0';
  for (size_t i = 0; i < sizeof beside / sizeof beside[0]; i++) {
    char *path = wn_asprintf("%s/%s", self, beside[i]);
    if (path != NULL && access(path, X_OK) == 0)
      return path;
    free(path);
  }
  return NULL;
}

int wn_cli_open(const char *file)
{
  const char *named = getenv("WILSON_PLOT");
  char *found = named != NULL && *named ? NULL : find();
  const char *plot = found != NULL             ? found
                     : named != NULL && *named ? named
                                               : "wilson-plot";
  /* an option would be one of wilson-plot */
  char *path = file[0] == '-' ? wn_asprintf("./%s", file) : wn_strdup(file);
  char *words[] = {(char *)plot, (char *)"--show", path, NULL};
  if (path == NULL) {
    free(found);
    return WN_ENOMEM;
  }
  fflush(NULL);
  execvp(plot, words); /* a path, or a name in $PATH */
  const int status = WN_FAIL(WN_ERUN,
                             "%s cannot be started: %s; it is installed with wilson, and "
                             "$WILSON_PLOT may name it",
                             plot, strerror(errno));
  free(path);
  free(found);
  return status;
}
