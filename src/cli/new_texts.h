/* src/cli/new_texts.h - the templates of `wilson new`, data/new/ as strings: new_texts.c is written by build-aux/new-texts. */
#ifndef WN_SRC_CLI_NEW_TEXTS_H
#define WN_SRC_CLI_NEW_TEXTS_H
#include <stddef.h>

struct wn_new_text {
  const char *name; /* the word of the command line */
  const char *text;
};

extern const struct wn_new_text wn_new_texts[];
extern const size_t wn_n_new_texts;

#endif
