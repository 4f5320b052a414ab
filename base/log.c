/* base/log.c - messages on stderr.  A message is written under the stream's lock, so
 * lines of threads do not mix. */
#include "base/log.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "base/clean.h"

/* The only global state in base: the log level.  The command line sets it before any thread starts. */
static atomic_int current_level = WN_LOG_INFO;

/* Whether messages are kept, not written: on a process that does not print. */
static int is_withheld;

/* Whether the cursor is behind a line of wn_log_progress; under the lock of stderr. */
static int line_is_open;

static void wipe_line(void)
{
  if (line_is_open)
    fprintf(stderr, "\r%-79s\r", "");
  line_is_open = 0;
}

void wn_log_progress(const char *line)
{
  if (is_withheld)
    return;
  flockfile(stderr);
  if (line != NULL)
    fprintf(stderr, "\r%-79s", line);
  else
    wipe_line();
  line_is_open = line != NULL;
  funlockfile(stderr);
}

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

/* Longer messages, of which none is known, are truncated. */
#define LONGEST 16384

/* Withheld messages, as many as fit. */
static char kept[LONGEST];
static size_t n_kept;

static void keep(const char *file, int line, const char *text)
{
  int n;
  if (file != NULL && line > 0)
    n = snprintf(kept + n_kept, sizeof kept - n_kept, "%s:%d: %s\n", file, line, text);
  else
    n = snprintf(kept + n_kept, sizeof kept - n_kept, "%s%s%s\n",
                 file != NULL ? file : "", file != NULL ? ": " : "", text);
  n_kept += n > 0 ? (size_t)n : 0;
  n_kept = n_kept < sizeof kept ? n_kept : sizeof kept - 1;
}

/* Where messages of this thread go instead of stderr; NULL: to stderr. */
static _Thread_local FILE *elsewhere;

void wn_log_to(FILE *to)
{
  elsewhere = to;
}

void wn_log_withhold(void)
{
  is_withheld = 1;
}

void wn_log_release(const char *prefix)
{
  is_withheld = 0;
  for (char *at = kept; *at != '\0';) {
    const size_t n = strcspn(at, "\n");
    wn_log(WN_LOG_ERROR, "%s: %.*s", prefix, (int)n, at);
    at += n + (at[n] == '\n');
  }
  kept[n_kept = 0] = '\0';
}

/* One message; file NULL: no place in a file. */
static void put_message(enum wn_log_level level, const char *file, int line,
                        const char *fmt, va_list ap)
{
  static char text[LONGEST]; /* no malloc: this also reports that there is no memory */
  flockfile(stderr);
  vsnprintf(text, sizeof text, fmt, ap);
  if (is_withheld && elsewhere == NULL) {
    if (level == WN_LOG_ERROR)
      keep(file, line, text);
    funlockfile(stderr);
    return;
  }
  FILE *to = elsewhere != NULL ? elsewhere : stderr;
  if (to == stderr)
    wipe_line();
  fprintf(to, "wilson: %s: ", level_name(level));
  if (file != NULL)
    wn_clean_put(to, file);
  if (file != NULL && line > 0)
    fprintf(to, ":%d", line);
  if (file != NULL)
    fputs(": ", to);
  wn_clean_put(to, text);
  fputc('\n', to);
  funlockfile(stderr);
}

void wn_log(enum wn_log_level level, const char *fmt, ...)
{
  if (level > wn_log_level())
    return;
  va_list ap;
  va_start(ap, fmt);
  put_message(level, NULL, 0, fmt, ap);
  va_end(ap);
}

void wn_log_at(enum wn_log_level level, const char *file, int line, const char *fmt, ...)
{
  if (level > wn_log_level())
    return;
  va_list ap;
  va_start(ap, fmt);
  put_message(level, file, line, fmt, ap);
  va_end(ap);
}
