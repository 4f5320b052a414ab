/* base/clean.c - see clean.h. */
#include "base/clean.h"
#include <string.h>
#include "base/alloc.h"

#define LONGEST 8 /* bytes shown for one character: \xc2\x9b */

/* Writes the visible form of the character at *s to out and advances *s; returns its length. */
static size_t show(const unsigned char **s, const char *keep, char out[LONGEST])
{
  static const char hex[] = "0123456789abcdef";
  const unsigned char *at = *s;
  const int is_c1 = at[0] == 0xc2 && at[1] >= 0x80 && at[1] < 0xa0,
            is_c0 = at[0] < 0x20 || at[0] == 0x7f;
  size_t n = 0;
  if (!is_c1 && (!is_c0 || strchr(keep, at[0]) != NULL)) {
    out[n++] = (char)*at;
    *s += 1;
    return n;
  }
  for (int i = 0; i < 1 + is_c1; i++) {
    out[n++] = '\\';
    out[n++] = 'x';
    out[n++] = hex[at[i] >> 4];
    out[n++] = hex[at[i] & 15];
  }
  *s += 1 + is_c1;
  return n;
}

void wn_clean_put(FILE *to, const char *text)
{
  char out[LONGEST] = "";
  for (const unsigned char *s = (const unsigned char *)text; *s != '\0';) {
    const size_t n = show(&s, "", out);
    fwrite(out, 1, n, to);
  }
}

char *wn_clean_dup(const char *text, const char *keep)
{
  char out[LONGEST];
  size_t n = 0;
  const unsigned char *s = (const unsigned char *)text;
  while (*s != '\0')
    n += show(&s, keep, out);
  char *clean = wn_alloc(n + 1, 1);
  n = 0;
  for (s = (const unsigned char *)text; clean != NULL && *s != '\0';) {
    const size_t more = show(&s, keep, out);
    memcpy(clean + n, out, more);
    n += more;
  }
  return clean;
}
