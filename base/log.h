/* base/log.h - messages for people, on stderr; stdout is for results.
 * Lower case, exact cause.  Output looks like "wilson: warning: text". */
#ifndef WN_BASE_LOG_H
#define WN_BASE_LOG_H
#include <stdio.h>

enum wn_log_level { WN_LOG_ERROR, WN_LOG_WARN, WN_LOG_INFO, WN_LOG_DEBUG };

#ifdef __cplusplus
extern "C" {
#endif

/* WN_LOG_INFO at start; --quiet sets WN_LOG_WARN. */
void wn_log_set_level(enum wn_log_level level);
enum wn_log_level wn_log_level(void);
void wn_log(enum wn_log_level level, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* A message about a place in an input file: "wilson: error: file:line: text"; line 0
 * leaves the line out. */
void wn_log_at(enum wn_log_level level, const char *file, int line, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

/* From now on errors are kept, and other messages dropped: another process prints the same.  On
 * release they are written with the prefix `prefix`, and later messages as usual. */
void wn_log_withhold(void);
void wn_log_release(const char *prefix);

/* Messages of the calling thread go to this stream, formatted as for stderr, withheld or not; NULL: as
 * before. */
void wn_log_to(FILE *to);

/* A progress line on a terminal, at most 79 characters, that the next message overwrites.
 * NULL erases it. */
void wn_log_progress(const char *line);

#ifdef __cplusplus
}
#endif

#endif
