/* src/cli_table.c - `wilson table`: a swarm run as a table for fluid codes. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include "base/error.h"
#include "src/cli.h"
#include "src/config_internal.h"
#include "src/table.h"

/* The place of a word among n; WN_EINPUT names those that there are. */
static int take_word(const char *option, const char *word, size_t n,
                     const char *const *names, const char *allowed, int *out)
{
  for (size_t i = 0; i < n; i++)
    if (strcmp(word, names[i]) == 0) {
      *out = (int)i;
      return WN_OK;
    }
  const char *near = wn_config_nearest(word, n, names);
  return near != NULL ? WN_FAIL(WN_EINPUT, "%s %s: there is %s; nearest is %s", option,
                                word, allowed, near)
                      : WN_FAIL(WN_EINPUT, "%s %s: there is %s", option, word, allowed);
}

static int write_to(const struct wn_table *t, enum wn_table_format format,
                    const char *path)
{
  FILE *to = fopen(path, "w");
  if (to == NULL)
    return WN_FAIL(WN_EIO, "%s: cannot be written: %s", path, strerror(errno));
  int status = wn_table_write(t, format, to), bad = ferror(to);
  errno = 0;
  if ((fclose(to) != 0 || bad) && status == WN_OK)
    status =
        WN_FAIL(WN_EIO, "%s: cannot be written to its end: %s", path, strerror(errno));
  if (status != WN_OK)
    remove(path); /* half a table would be read as a whole one */
  return status;
}

int wn_cli_table(const struct wn_cli_table *a)
{
  static const char *const unseen[] = {"leave", "zero"};
  int format = WN_TABLE_CSV, zero = 0;
  if (a->format != NULL)
    WN_TRY(take_word("--format", a->format, WN_TABLE_FORMATS, wn_table_format_name,
                     "bolsig, afivo, csv", &format));
  if (a->unseen != NULL)
    WN_TRY(take_word("--unseen", a->unseen, 2, unseen, "leave, zero", &zero));
  struct wn_table *t;
  WN_TRY(wn_table_read(a->file, &t));
  t->unseen_is_zero = zero;
  int status = a->output != NULL
                   ? write_to(t, (enum wn_table_format)format, a->output)
                   : wn_table_write(t, (enum wn_table_format)format, stdout);
  wn_table_free(t);
  return status;
}
