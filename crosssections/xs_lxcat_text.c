/* crosssections/xs_lxcat_text.c - bytes, numbers and encodings of cross-section files. */
#include "crosssections/xs_lxcat_text.h"

#include "base/alloc.h"
#include "base/error.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Far above any set; stops at devices and wrong files. */
#define MAX_BYTES ((size_t)256 << 20)

bool wn_xs_text_is_blank(char c)
{
  return c == ' ' || c == '\t' || c == '\v' || c == '\f';
}

char *wn_xs_text_strip(char *s)
{
  while (wn_xs_text_is_blank(*s))
    s++;
  size_t n = strlen(s);
  while (n > 0 && wn_xs_text_is_blank(s[n - 1]))
    n--;
  s[n] = '\0';
  return s;
}

bool wn_xs_text_starts(const char *s, const char *with)
{
  return strncmp(s, with, strlen(with)) == 0;
}

bool wn_xs_text_all_of(const char *s, char c, size_t n)
{
  size_t k = strspn(s, (const char[]){c, '\0'});
  return k >= n && s[k] == '\0';
}

bool wn_xs_text_number(const char *s, const char **end, double *value)
{
  char buf[128];
  size_t n = 0, digits = 0;
  const char *p = s;
  bool point = false;
  if (*p == '+' || *p == '-')
    buf[n++] = *p++;
  for (; n < sizeof buf - 8; p++) {
    if (*p >= '0' && *p <= '9')
      digits++;
    else if (*p == '.' && !point)
      point = true;
    else
      break;
    buf[n++] = *p;
  }
  if (digits == 0)
    return false;
  if (*p != '\0' && strchr("eEdD", *p) != NULL) {
    const char *q = p + 1;
    if (*q == '+' || *q == '-')
      q++;
    size_t k = strspn(q, "0123456789");
    if (k > 0) {
      size_t len = (size_t)(q - p) + k;
      if (n + len + 1 > sizeof buf)
        return false;
      memcpy(buf + n, p, len);
      buf[n] = 'e';
      n += len;
      p += len;
    }
  }
  buf[n] = '\0';
  char *stop;
  *value = strtod(buf, &stop);
  *end = p;
  return stop == buf + n;
}

bool wn_xs_text_is_utf8(const char *text)
{
  const unsigned char *s = (const unsigned char *)text;
  while (*s != 0) {
    int more;
    unsigned long c;
    if (*s < 0x80) {
      s++;
      continue;
    }
    if (*s >= 0xc2 && *s <= 0xdf)
      more = 1, c = *s & 0x1fUL;
    else if (*s >= 0xe0 && *s <= 0xef)
      more = 2, c = *s & 0x0fUL;
    else if (*s >= 0xf0 && *s <= 0xf4)
      more = 3, c = *s & 0x07UL;
    else
      return false;
    s++;
    for (int i = 0; i < more; i++, s++) {
      if ((*s & 0xc0) != 0x80)
        return false;
      c = c << 6 | (*s & 0x3fUL);
    }
    if ((more == 2 && c < 0x800) || (c >= 0xd800 && c <= 0xdfff) ||
        (more == 3 && c < 0x10000) || c > 0x10ffff)
      return false;
  }
  return true;
}

char *wn_xs_text_from_windows(const char *text)
{
  /* 0x80 to 0x9f; the five bytes without a character give U+FFFD. */
  static const unsigned short high[32] = {
      0x20ac, 0xfffd, 0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021,
      0x02c6, 0x2030, 0x0160, 0x2039, 0x0152, 0xfffd, 0x017d, 0xfffd,
      0xfffd, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014,
      0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0xfffd, 0x017e, 0x0178,
  };
  char *out = wn_alloc(strlen(text) + 1, 3);
  if (out == NULL)
    return NULL;
  char *o = out;
  for (const unsigned char *s = (const unsigned char *)text; *s != 0; s++) {
    unsigned c = *s;
    if (c >= 0x80 && c < 0xa0)
      c = high[c - 0x80];
    if (c < 0x80)
      *o++ = (char)c;
    else if (c < 0x800) {
      *o++ = (char)(0xc0 | c >> 6);
      *o++ = (char)(0x80 | (c & 0x3f));
    } else {
      *o++ = (char)(0xe0 | c >> 12);
      *o++ = (char)(0x80 | (c >> 6 & 0x3f));
      *o++ = (char)(0x80 | (c & 0x3f));
    }
  }
  *o = '\0';
  return out;
}

int wn_xs_text_read(const char *path, char **text, size_t *n)
{
  FILE *f = fopen(path, "rb");
  if (f == NULL)
    return WN_FAIL(WN_EIO, "cannot open cross-section file \"%s\": %s", path,
                   strerror(errno));
  char *buf = NULL;
  size_t len = 0, cap = 0;
  int status = WN_OK;
  for (;;) {
    if (cap - len < 2) {
      cap = cap > 0 ? 2 * cap : 65536;
      char *more = wn_realloc(buf, cap, 1);
      if (more == NULL) {
        status = WN_ENOMEM;
        break;
      }
      buf = more;
    }
    errno = 0;
    size_t got = fread(buf + len, 1, cap - len - 1, f);
    len += got;
    if (got == 0) {
      if (ferror(f))
        status =
            WN_FAIL(errno == EISDIR ? WN_EINPUT : WN_EIO,
                    "cannot read cross-section file \"%s\": %s", path, strerror(errno));
      break;
    }
    if (len > MAX_BYTES) {
      status = WN_FAIL(WN_EINPUT, "\"%s\" is larger than 256 MiB: not an LXCat text file",
                       path);
      break;
    }
  }
  fclose(f);
  if (status != WN_OK) {
    free(buf);
    return status;
  }
  buf[len] = '\0';
  *text = buf;
  *n = len;
  return WN_OK;
}
