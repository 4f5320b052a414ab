/* src/config/find_file.c - where a file is that a key names */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/alloc.h"
#include "base/error.h"
#include "src/config/reader.h"

static bool is_file(const char *path)
{
  struct stat st;
  return stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, R_OK) == 0;
}

int wn_config_find_file(struct wn_reader *r, const struct wn_entry *e, const char *key,
                        const char *name, char **path)
{
  const char *slash = strrchr(r->file, '/');
  char *beside = slash != NULL && name[0] != '/'
                     ? wn_asprintf("%.*s/%s", (int)(slash - r->file), r->file, name)
                     : wn_strdup(name);
  if (beside == NULL)
    return WN_ENOMEM;
  if (is_file(beside)) {
    *path = beside;
    return WN_OK;
  }
  if (strcmp(beside, name) != 0 && is_file(name)) {
    free(beside);
    *path = wn_strdup(name);
    return *path != NULL ? WN_OK : WN_ENOMEM;
  }
  bool two = strcmp(beside, name) != 0;
  wn_reader_error(r, e, key, "no such file, or not readable; searched: %s%s%s", beside,
                  two ? ", then " : "", two ? name : "");
  free(beside);
  return WN_OK;
}
