/* src/io/provenance.c - provenance in an output file: program, scenario, data, machine, command line.
 * Attribute names follow CF (Conventions, title, source, history) and ACDD (date_created). */
#include "src/io/output.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/version.h"

/* A growing string; after a failed allocation it is NULL, which is checked at the end. */
struct text {
  char *s;
  size_t n, room;
  int failed;
};

static void add_bytes(struct text *t, const char *s, size_t n)
{
  if (t->failed)
    return;
  if (t->n + n + 1 > t->room) {
    size_t room = 2 * (t->n + n + 1);
    char *p = wn_realloc(t->s, room, 1);
    if (p == NULL) {
      t->failed = 1;
      return;
    }
    t->s = p;
    t->room = room;
  }
  memcpy(t->s + t->n, s, n);
  t->n += n;
  t->s[t->n] = '\0';
}

static void add(struct text *t, const char *s)
{
  add_bytes(t, s, strlen(s));
}

/* Length of the UTF-8 sequence at s, 0 if it is invalid (RFC 3629; overlong forms and
 * surrogates are invalid). */
static size_t utf8_length(const unsigned char *s)
{
  size_t n = s[0] < 0x80                   ? 1
             : s[0] >= 0xc2 && s[0] < 0xe0 ? 2
             : (s[0] & 0xf0) == 0xe0       ? 3
             : s[0] >= 0xf0 && s[0] < 0xf5 ? 4
                                           : 0;

  for (size_t i = 1; i < n; i++)
    if ((s[i] & 0xc0) != 0x80)
      return 0;
  if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) ||
      (s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f))
    return 0;
  return n;
}

/* Readers expect attributes in UTF-8 and fail otherwise; file names and arguments may have any bytes. */
static void add_clean(struct text *t, const char *s)
{
  while (*s) {
    unsigned char c = (unsigned char)*s;
    size_t n = utf8_length((const unsigned char *)s);
    if (n > 1 || (n == 1 && ((c >= 0x20 && c != 0x7f) || c == '\n' || c == '\t')))
      add_bytes(t, s, n);
    else
      add(t, "?");
    s += n ? n : 1;
  }
}

/* One argument quoted for a shell, so that the line in the file can be run again. */
static void add_argument(struct text *t, const char *arg)
{
  static const char plain[] =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%";

  if (*arg && strspn(arg, plain) == strlen(arg)) {
    add(t, arg);
    return;
  }
  add(t, "'");
  for (const char *p = strchr(arg, '\''); p; p = strchr(arg, '\'')) {
    char *part = wn_asprintf("%.*s", (int)(p - arg), arg);
    if (part == NULL) {
      t->failed = 1;
      return;
    }
    add_clean(t, part);
    free(part);
    add(t, "'\\''");
    arg = p + 1;
  }
  add_clean(t, arg);
  add(t, "'");
}

/* Write the text as global attribute `name` and free it. */
static int put(struct wn_output *o, const char *name, struct text *t)
{
  int status = WN_ENOMEM;

  if (!t->failed)
    status = wn_output_attr_text(o, NULL, name, t->s != NULL ? t->s : "");
  free(t->s);
  memset(t, 0, sizeof *t);
  return status;
}

int wn_output_attr_clean(struct wn_output *o, const char *name, const char *s)
{
  struct text t = {0};

  add_clean(&t, s);
  return put(o, name, &t);
}

/* `date` and the command line, as CF 2.6.2 wants history: one line, date first. */
static void add_history(struct text *t, const char *date, int argc, char *const *argv)
{
  add(t, date);
  add(t, ":");
  for (int i = 0; argv != NULL && i < argc; i++) {
    add(t, " ");
    add_argument(t, argv[i]);
  }
  if (argv == NULL || argc == 0)
    add(t, " written through the library, without a command line");
}

static int put_history(struct wn_output *o, const char *date, int argc, char *const *argv)
{
  struct text t = {0};

  add_history(&t, date, argc, argv);
  return put(o, "history", &t);
}

static void write_date(char date[32])
{
  time_t now = time(NULL);
  struct tm utc;

  strcpy(date, "unknown date");
  if (now != (time_t)-1 && gmtime_r(&now, &utc))
    strftime(date, 32, "%Y-%m-%dT%H:%M:%SZ", &utc);
}

static int put_source(struct wn_output *o)
{
  struct text t = {0};

  add(&t, "Wilson ");
  add(&t, wn_version());
  add(&t, " (git ");
  add(&t, wn_version_git());
  add(&t, "), particle-in-cell Monte-Carlo-collision simulation of electrons in gases");
  return put(o, "source", &t);
}

static int put_sources(struct wn_output *o, size_t n, const char *const *sources)
{
  struct text t = {0};

  for (size_t i = 0; i < n; i++) {
    if (i > 0)
      add(&t, "\n");
    add_clean(&t, sources[i]);
  }
  return put(o, "cross_section_sources", &t);
}

/* A number, so that it can be overwritten in place: see src/io/output_netcdf.c. */
static int put_complete(struct wn_output *o, double complete)
{
  return wn_output_attr_double(o, NULL, "complete", 1, &complete);
}

int wn_output_about(struct wn_output *o, const char *title, int argc, char *const *argv,
                    size_t n_sources, const char *const *sources)
{
  char date[32];

  write_date(date);
  WN_TRY(wn_output_attr_text(o, NULL, "Conventions", "CF-1.10"));
  WN_TRY(wn_output_attr_clean(o, "title", title));
  WN_TRY(put_source(o));
  WN_TRY(put_history(o, date, argc, argv));
  WN_TRY(wn_output_attr_text(o, NULL, "date_created", date));
  return put_sources(o, n_sources, sources);
}

int wn_output_restarted(struct wn_output *o, const char *history, const char *where,
                        int argc, char *const *argv)
{
  struct text t = {0};
  char date[32];
  const char *end = strstr(history, "Z:"); /* end of the date at the beginning */
  char *first = wn_asprintf("%.*s", end != NULL ? (int)(end + 1 - history) : 0, history);
  if (first == NULL)
    return WN_ENOMEM;
  int status = *first ? wn_output_attr_text(o, NULL, "date_created", first) : WN_OK;
  free(first);
  WN_TRY(status);
  write_date(date);
  add_clean(&t, history);
  add(&t, "\n");
  add(&t, date);
  add(&t, ": continued from a checkpoint ");
  add(&t, where);
  add(&t, " by:");
  struct text line = {0};
  add_history(&line, "", argc, argv);
  if (line.s != NULL)
    add(&t, line.s + 1); /* without the colon */
  t.failed |= line.failed;
  free(line.s);
  return put(o, "history", &t);
}

int wn_output_complete(struct wn_output *o)
{
  return put_complete(o, 1.0);
}

int wn_output_stopped(struct wn_output *o, const char *why)
{
  return wn_output_attr_clean(o, "stopped", why);
}
