/* crosssections/xs_lxcat_text.h - bytes, numbers and encodings of cross-section files;
 * for xs_lxcat_scan.c. */
#ifndef WN_CROSSSECTIONS_XS_LXCAT_TEXT_H
#define WN_CROSSSECTIONS_XS_LXCAT_TEXT_H
#include <stdbool.h>
#include <stddef.h>

bool wn_xs_text_is_blank(char c); /* space or tab, no line end */
char *wn_xs_text_strip(char *s);  /* without blanks at both ends; changes s */
bool wn_xs_text_starts(const char *s, const char *with);
bool wn_xs_text_all_of(const char *s, char c,
                       size_t n); /* at least n characters, all of them c */

/* A decimal number at s, also with Fortran's D; *end is behind it.  No hexadecimal, no
 * inf, no nan; a number too large for a double gives infinity. */
bool wn_xs_text_number(const char *s, const char **end, double *value);

bool wn_xs_text_is_utf8(const char *text);
char *wn_xs_text_from_windows(
    const char *text); /* Windows-1252 as UTF-8; free it; NULL without memory */

/* A whole file with a zero behind its n bytes; free *text.  WN_EIO, WN_ENOMEM, or
 * WN_EINPUT above 256 MiB. */
int wn_xs_text_read(const char *path, char **text, size_t *n);

#endif
