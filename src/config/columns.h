/* src/config/columns.h - a text file of two columns of numbers that a key names, as of a waveform: a line holds two numbers, a comma or
 * blanks between them; text after a # and blank lines are ignored; the first column increases. */
#ifndef WN_SRC_CONFIG_COLUMNS_H
#define WN_SRC_CONFIG_COLUMNS_H
#include <stddef.h>
#include "src/config/reader.h"

/* A column, in words and numbers. */
struct wn_column {
  const char *name;  /* "a time" */
  const char *range; /* "from 0 to 1000 s" */
  double min, max;
  int above_min; /* min itself is not allowed */
};

struct wn_columns_spec {
  const char *key;
  const char *line;  /* "a time in seconds and a factor" */
  const char *order; /* "times must increase from line to line" */
  struct wn_column column[2];
};

struct wn_columns {
  double *value[2]; /* [n], malloc'd */
  size_t n;
};

/* Errors, with file and line, are counted in r; then n is 0.  WN_ENOMEM. */
int wn_columns_read(struct wn_reader *r, const struct wn_columns_spec *spec,
                    const char *path, struct wn_columns *out);

#endif
