/* base/log.c - messages on stderr.  A message is written under the stream's lock, so
 * lines of threads do not mix. */
#include "base/log.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>

/* The one piece of state in base: how much to say.  The command line sets it before
 * any thread starts. */
static atomic_int current_level = WN_LOG_INFO;

static const char *level_name(enum wn_log_level level)
{
  switch (level) {
  case WN_LOG_ERROR:
    return "error";
  case WN_LOG_WARN:
    return "warning";
  case WN_LOG_INFO:
    return "info";
  case WN_LOG_DEBUG:
    return "debug";
  }
  return "message";
}

void wn_log_set_level(enum wn_log_level level)
{
  atomic_store(&current_level, (int)level);
}

enum wn_log_level wn_log_level(void)
{
  return (enum wn_log_level)atomic_load(&current_level);
}

void wn_log(enum wn_log_level level, const char *fmt, ...)
{
  if (level > wn_log_level())
    return;
  va_list ap;
  va_start(ap, fmt);
  flockfile(stderr);
  fprintf(stderr, "wilson: %s: ", level_name(level));
  vfprintf(stderr, fmt, ap);
  fputc('\n', stderr);
  funlockfile(stderr);
  va_end(ap);
}

void wn_log_at(enum wn_log_level level, const char *file, int line, const char *fmt, ...)
{
  if (level > wn_log_level())
    return;
  va_list ap;
  va_start(ap, fmt);
  flockfile(stderr);
  if (line > 0)
    fprintf(stderr, "wilson: %s: %s:%d: ", level_name(level), file, line);
  else
    fprintf(stderr, "wilson: %s: %s: ", level_name(level), file);
  vfprintf(stderr, fmt, ap);
  fputc('\n', stderr);
  funlockfile(stderr);
  va_end(ap);
}
