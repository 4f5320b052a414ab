/* base/clean.h - texts of files and arguments made safe for a terminal or a table: bytes
 * that a terminal takes for commands, C0, DEL and C1 in UTF-8, are shown as \x1b.  All
 * other bytes, which need not be UTF-8, are unchanged. */
#ifndef WN_BASE_CLEAN_H
#define WN_BASE_CLEAN_H
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Failure to write shows in ferror(to).  Needs no memory. */
void wn_clean_put(FILE *to, const char *text);

/* The same as a new string, malloc'd; the control characters in `keep` are kept: "\n"
 * where lines are separated later.  NULL: out of memory, logged. */
char *wn_clean_dup(const char *text, const char *keep);

#ifdef __cplusplus
}
#endif

#endif
