/* bench/study/main.c - the program of the scheduler study: runs its models by any scheduler.
 * How fast they are bench/schedulers measures. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "base/alloc.h"
#include "base/error.h"
#include "base/ranks.h"
#include "bench/study/lists.h"
#include "bench/study/split_table.h"
#include "bench/study/study.h"

static const char usage[] =
    "usage: bench/study/study run --model MODEL [--KEY VALUE]... [KEY=VALUE]...\n"
    "       bench/study/study list [models|schedulers|keys]\n"
    "       bench/study/study split-table [FILE]\n\n"
    "run prints a row after each Poisson step; keys are those of `list keys`, as in\n"
    "  bench/study/study run --model box --scheduler naive --electrons 1000\n"
    "split-table writes the built-in table of split-remove to FILE, which must not be "
    "there\n"
    "yet, or standard output: a start for one of your own, which split_remove.table "
    "names.\n";

/* --KEY VALUE becomes KEY=VALUE. */
static int run(int argc, char **argv)
{
  char **set = wn_alloc((size_t)argc + 1, sizeof *set);
  struct wn_study *y = NULL;
  struct wn_sim *s = NULL;
  size_t n = 0;
  int status = set != NULL ? WN_OK : WN_ENOMEM;
  for (int i = 0; i < argc && status == WN_OK; i++) {
    const int dashes = strncmp(argv[i], "--", 2) == 0,
              pair = dashes && strchr(argv[i], '=') == NULL;
    if (pair && i + 1 == argc)
      status = WN_FAIL(WN_EINPUT, "%s takes a value", argv[i]);
    else if (pair)
      set[n] = wn_asprintf("%s=%s", argv[i] + 2, argv[i + 1]);
    else
      set[n] = wn_strdup(argv[i] + (dashes ? 2 : 0));
    if (status == WN_OK && set[n++] == NULL)
      status = WN_ENOMEM;
    i += pair;
  }
  if (status == WN_OK)
    status = wn_study_read(n, (const char *const *)set, &y);
  if (status == WN_OK)
    status = wn_study_create(y, &s);
  if (status == WN_OK)
    status = wn_study_run(y, s, stdout);
  wn_sim_free(s);
  wn_study_free(y);
  for (size_t i = 0; i < n; i++)
    free(set[i]);
  free(set);
  return status;
}

static int list(const char *what)
{
  const struct wn_scheduler_ops *scheduler;
  const struct wn_model_ops *model;
  if (strcmp(what, "models") == 0)
    for (size_t i = 0; (model = wn_study_model(i)) != NULL; i++)
      printf("%-18s %s\n", model->name, model->doc);
  else if (strcmp(what, "schedulers") == 0)
    for (size_t i = 0; (scheduler = wn_study_scheduler(i)) != NULL; i++)
      printf("%-18s %-4s  %s\n", scheduler->name,
             scheduler->device == WN_DEVICE_CUDA ? "cuda" : "cpu", scheduler->doc);
  else if (strcmp(what, "keys") == 0)
    wn_study_keys(stdout);
  else
    return WN_FAIL(WN_EINPUT, "list: `%s`: there are models, schedulers, keys", what);
  return WN_OK;
}

/* For users who want to change it; NULL: stdout. */
static int split_table(const char *path)
{
  if (path == NULL)
    return wn_split_table_write(stdout);
  struct stat st;
  if (stat(path, &st) == 0 && S_ISREG(st.st_mode)) /* it may have been edited */
    return WN_FAIL(WN_EINPUT,
                   "%s: is there already, and is not overwritten; give another name, or "
                   "remove it",
                   path);
  FILE *to = fopen(path, "w");
  if (to == NULL)
    return WN_FAIL(WN_EIO, "%s: cannot be written: %s", path, strerror(errno));
  int status = wn_split_table_write(to), bad = ferror(to);
  errno = 0;
  if ((fclose(to) != 0 || bad) && status == WN_OK)
    status =
        WN_FAIL(WN_EIO, "%s: cannot be written to its end: %s", path, strerror(errno));
  return status;
}

static int start(int argc, char **argv)
{
  const char *word = argc > 1 ? argv[1] : "";
  if (strcmp(word, "run") == 0)
    return run(argc - 2, argv + 2);
  if (strcmp(word, "list") == 0)
    return list(argc > 2 ? argv[2] : "schedulers");
  if (strcmp(word, "split-table") == 0)
    return split_table(argc > 2 ? argv[2] : NULL);
  if (strcmp(word, "--help") == 0) {
    fputs(usage, stdout);
    return WN_OK;
  }
  fputs(usage, stderr);
  return WN_EINPUT;
}

int main(int argc, char **argv)
{
  int status = wn_ranks_begin();
  if (status == WN_OK && wn_rank() > 0 && freopen("/dev/null", "w", stdout) == NULL)
    status = WN_FAIL(WN_EIO, "/dev/null: cannot be opened: %s", strerror(errno));
  if (status == WN_OK)
    status = start(argc, argv);
  if (fflush(stdout) != 0 && status == WN_OK)
    status = WN_FAIL(WN_EIO, "cannot write to standard output");
  exit(wn_ranks_end(status == WN_OK ? 0 : status == WN_EINPUT ? 2 : 1));
}
