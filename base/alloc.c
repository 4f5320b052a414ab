/* base/alloc.c - checked allocation.  A request of no bytes gives a block of one, so
 * NULL always means failure. */
#include "base/alloc.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/memory.h"

#define GIB (1024.0 * 1024.0 * 1024.0)

/* n * size into *bytes, at least 1; 0 when it does not fit.  PTRDIFF_MAX is the largest
 * object C allows. */
static int total_bytes(size_t n, size_t size, size_t *bytes)
{
  size_t b;
  if (__builtin_mul_overflow(n, size, &b) || b > PTRDIFF_MAX)
    return 0;
  *bytes = b > 0 ? b : 1;
  return 1;
}

static void *no_memory(size_t n, size_t size)
{
  const struct wn_memory m = wn_memory_here();
  wn_log(WN_LOG_ERROR,
         "out of memory: cannot get %zu x %zu bytes (%.4g GiB); %.4g GiB are available, "
         "and %s has %.4g",
         n, size, (double)n * (double)size / GIB, m.available / GIB, m.limit,
         m.total / GIB);
  return NULL;
}

void *wn_alloc(size_t n, size_t size)
{
  size_t bytes;
  void *p = total_bytes(n, size, &bytes) ? calloc(1, bytes) : NULL;
  return p ? p : no_memory(n, size);
}

void *wn_realloc(void *old, size_t n, size_t size)
{
  size_t bytes;
  void *p = total_bytes(n, size, &bytes) ? realloc(old, bytes) : NULL;
  return p ? p : no_memory(n, size);
}

void *wn_alloc_aligned_unset(size_t n, size_t size, size_t align)
{
  size_t bytes;
  void *p = NULL;
  /* posix_memalign asks for a power of two that is a multiple of this */
  if (align < sizeof(void *))
    align = sizeof(void *);
  if (!total_bytes(n, size, &bytes) || posix_memalign(&p, align, bytes) != 0)
    return no_memory(n, size);
  return p;
}

void *wn_alloc_aligned(size_t n, size_t size, size_t align)
{
  void *p = wn_alloc_aligned_unset(n, size, align);
  return p != NULL ? memset(p, 0, n * size > 0 ? n * size : 1) : NULL;
}

int wn_grow_aligned(void **block, size_t n, size_t size, size_t align)
{
  size_t bytes;
  void *p = total_bytes(n, size, &bytes) ? realloc(*block, bytes) : NULL;
  if (p == NULL) {
    no_memory(n, size);
    return 0;
  }
  *block = p;
  if ((uintptr_t)p % align == 0)
    return 1;
  void *aligned = NULL;
  if (align < sizeof(void *))
    align = sizeof(void *);
  if (posix_memalign(&aligned, align, bytes) != 0) {
    no_memory(n, size);
    return 0;
  }
  *block = memcpy(aligned, p, bytes);
  free(p);
  return 1;
}

char *wn_strdup(const char *s)
{
  size_t n = strlen(s) + 1;
  char *copy = wn_alloc(n, 1);
  return copy ? memcpy(copy, s, n) : NULL;
}

char *wn_asprintf(const char *fmt, ...)
{
  va_list ap, again;
  char *text = NULL;
  va_start(ap, fmt);
  va_copy(again, ap);
  int n = vsnprintf(NULL, 0, fmt, ap);
  if (n < 0)
    wn_log(WN_LOG_ERROR, "cannot format \"%s\"", fmt);
  else
    text = wn_alloc((size_t)n + 1, 1);
  if (text)
    vsnprintf(text, (size_t)n + 1, fmt, again);
  va_end(again);
  va_end(ap);
  return text;
}
