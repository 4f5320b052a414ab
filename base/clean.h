/* base/clean.h - texts of files and arguments as a terminal or a table may have them:
 * bytes that a terminal would take for orders, C0, DEL and C1 in UTF-8, are shown as
 * \x1b.  All else, which need not be UTF-8, stays as it is. */
#ifndef WN_BASE_CLEAN_H
#define WN_BASE_CLEAN_H
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Whether it could be written shows ferror(to).  Needs no memory. */
void wn_clean_put(FILE *to, const char *text);

/* The same as a text of its own, malloc'd, in which the control characters named in
 * `keep` stay: "\n" where lines are told apart later.  NULL: no memory, which was
 * logged. */
char *wn_clean_dup(const char *text, const char *keep);

#ifdef __cplusplus
}
#endif

#endif
