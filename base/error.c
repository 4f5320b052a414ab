/* base/error.c - status texts, the place where a failure is first reported, and
 * assertions. */
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/log.h"

const char *wn_status_text(int status)
{
  static const char *const texts[] = {
#define X(sym, text) text,
      WN_STATUS_LIST(X)
#undef X
  };
  if (status < 0 || status >= WN_N_STATUS)
    return "unknown status";
  return texts[status];
}

int wn_fail_at(const char *file, int line, int status, const char *fmt, ...)
{
  /* Formatted here and not by malloc: this also reports that there is no memory. */
  char text[2048];
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(text, sizeof text, fmt, ap);
  va_end(ap);
  wn_log(WN_LOG_ERROR, "%s", text);
  wn_log(WN_LOG_DEBUG, "%s:%d: status %d, %s", file, line, status,
         wn_status_text(status));
  return status;
}

void wn_assert_failed(const char *file, int line, const char *text)
{
  wn_log(WN_LOG_ERROR, "%s:%d: internal error: %s does not hold", file, line, text);
  abort();
}
