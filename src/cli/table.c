/* src/cli/table.c - `wilson table`: a swarm run as a table for fluid codes, one of job
 * runaway-rate as CSV. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "base/alloc.h"
#include "base/error.h"
#include "base/log.h"
#include "src/cli/cli.h"
#include "src/config/internal.h"
#include "src/io/output_path.h"
#include "src/results/table.h"

/* The index of a word among n; WN_EINPUT names all n. */
static int take_word(const char *option, const char *word, size_t n,
                     const char *const *names, const char *allowed, int *out)
{
  for (size_t i = 0; i < n; i++)
    if (strcmp(word, names[i]) == 0) {
      *out = (int)i;
      return WN_OK;
    }
  const char *near = wn_config_nearest(word, n, names);
  return near != NULL ? WN_FAIL(WN_EINPUT, "%s %s: allowed: %s; nearest is %s", option,
                                word, allowed, near)
                      : WN_FAIL(WN_EINPUT, "%s %s: allowed: %s", option, word, allowed);
}

/* PATH with the scan point before its extension: air-T_300.csv. */
static char *name_of(const char *path, const struct wn_table *t)
{
  const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path,
             *dot = strrchr(name, '.');
  if (t->suffix == NULL || *t->suffix == 0)
    return wn_strdup(path);
  if (dot == NULL || dot == name)
    dot = name + strlen(name);
  return wn_asprintf("%.*s-%s%s", (int)(dot - path), path, t->suffix, dot);
}

static int write_to(const struct wn_table *t, enum wn_table_format format,
                    const char *path)
{
  struct stat st;
  const bool is_file = stat(path, &st) != 0 || S_ISREG(st.st_mode);
  FILE *to = fopen(path, "w");
  if (to == NULL)
    return WN_FAIL(WN_EIO, "%s: cannot be written: %s", path, strerror(errno));
  int status = wn_table_write(t, format, to), bad = ferror(to);
  errno = 0;
  if ((fclose(to) != 0 || bad) && status == WN_OK)
    status =
        WN_FAIL(WN_EIO, "%s: cannot be written completely: %s", path, strerror(errno));
  if (status != WN_OK && is_file)
    remove(path); /* an incomplete table would look complete */
  return status;
}

int wn_cli_table(const struct wn_cli_table *a)
{
  static const char *const unseen[] = {"leave", "zero"};
  int format = WN_TABLE_CSV, zero = 0;
  if (a->format != NULL)
    WN_TRY(take_word("--format", a->format, WN_TABLE_FORMATS, wn_table_format_name,
                     "bolsig, combined, afivo, csv", &format));
  if (a->unseen != NULL)
    WN_TRY(take_word("--unseen", a->unseen, 2, unseen, "leave, zero", &zero));
  struct wn_tables all;
  WN_TRY(wn_tables_read(a->file, &all));
  int status = WN_OK;
  if (all.n > 1 && a->output == NULL)
    status = WN_FAIL(WN_EINPUT,
                     "%s: has a scan of %zu tables; give --output FILE, and each is "
                     "written to a file with its point in the name",
                     a->file, all.n);
  /* before a file is opened and its contents are lost */
  for (size_t i = 0; i < all.n && status == WN_OK; i++)
    status = wn_table_allows(all.t[i], (enum wn_table_format)format);
  for (size_t i = 0; i < all.n && status == WN_OK; i++) {
    char *path = a->output != NULL ? name_of(a->output, all.t[i]) : NULL;
    all.t[i]->unseen_is_zero = zero;
    if (path != NULL)
      status = wn_output_allowed(path, a->keep, 1, &a->file);
    if (status != WN_OK) {
      free(path);
      break;
    }
    status = a->output == NULL
                 ? wn_table_write(all.t[i], (enum wn_table_format)format, stdout)
             : path == NULL ? WN_ENOMEM
                            : write_to(all.t[i], (enum wn_table_format)format, path);
    if (status == WN_OK && all.n > 1)
      wn_log(WN_LOG_INFO, "%s: %s", path, all.t[i]->point);
    free(path);
  }
  wn_tables_free(&all);
  return status;
}
