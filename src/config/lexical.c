/* src/config/lexical.c - checks of the text of a scenario before libconfig parses it.  libconfig 1.5
 * wraps integers beyond 32 bits without a message, reports one duplicate key without its name or the line
 * of the first, and opens included files.  This scanner knows the tokens of the format and not its
 * grammar: libconfig reports an invalid file. */
#include "src/config/internal.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/log.h"

#define MAX_LEVELS 32 /* a scenario needs four */
/* A scenario has some dozen.  Names are compared with all earlier ones, here and in
 * libconfig: a file with too many is rejected at once. */
#define MAX_NAMES 4096

#define SHOWN_ERRORS 20 /* a longer list would not be read */

struct name {
  size_t group; /* number of the group that the name stands in */
  const char *text;
  size_t len;
  int line;
};

struct level {
  size_t group;
  char *path; /* of the group, with a dot at the end; "" at the top */
};

struct scan {
  const char *file, *text;
  size_t at, len;
  int line, n_errors;
  char *out;
  size_t n_out;
  struct name *name;
  size_t n_names, name_room;
  /* the open groups and lists, the top of the file first */
  struct level level[MAX_LEVELS];
  size_t n_levels, n_groups;
  struct name last; /* name that a following = or : makes a key */
  char *key_path;   /* path of the last key seen, for the group that may follow */
};

static int peek(const struct scan *s, size_t ahead)
{
  return s->at + ahead < s->len ? (unsigned char)s->text[s->at + ahead] : 0;
}

static void copy(struct scan *s, size_t n)
{
  for (size_t i = 0; i < n && s->at < s->len; i++) {
    if (s->text[s->at] == '\n' && s->line > 0)
      s->line++;
    s->out[s->n_out++] = s->text[s->at++];
  }
}

/* Copies a comment at this position; returns false if there is none. */
static bool skip_comment(struct scan *s)
{
  if (peek(s, 0) == '#' || (peek(s, 0) == '/' && peek(s, 1) == '/')) {
    while (s->at < s->len && s->text[s->at] != '\n')
      copy(s, 1);
    return true;
  }
  if (peek(s, 0) == '/' && peek(s, 1) == '*') {
    const int line = s->line;
    copy(s, 2);
    while (s->at < s->len && !(peek(s, 0) == '*' && peek(s, 1) == '/'))
      copy(s, 1);
    if (s->at == s->len) {
      wn_log_at(WN_LOG_ERROR, s->file, line,
                "the comment opened here with /* is not closed");
      s->n_errors++;
    }
    copy(s, 2);
    return true;
  }
  return false;
}

static void skip_string(struct scan *s)
{
  int line = s->line;
  copy(s, 1);
  while (s->at < s->len && s->text[s->at] != '"')
    copy(s, s->text[s->at] == '\\' ? 2 : 1);
  if (s->at == s->len) {
    wn_log_at(WN_LOG_ERROR, s->file, line, "the quotes opened here are not closed");
    s->n_errors++;
  }
  copy(s, 1);
}

static void scan_number(struct scan *s)
{
  size_t n = peek(s, 0) == '+' || peek(s, 0) == '-';
  bool hex = peek(s, n) == '0' && (peek(s, n + 1) | 32) == 'x';
  if (hex) {
    n += 2;
    while (isxdigit(peek(s, n)))
      n++;
  } else {
    while (isdigit(peek(s, n)))
      n++;
    int c = peek(s, n);
    if (c == '.' || c == 'e' || c == 'E') {
      while (isdigit(c) || c == '.' || c == 'e' || c == 'E' || c == '+' || c == '-')
        c = peek(s, ++n);
      copy(s, n);
      return;
    }
  }
  const char *number = s->text + s->at;
  errno = 0;
  long long v = strtoll(number, NULL, hex ? 16 : 10);
  if (errno == ERANGE) {
    wn_log_at(WN_LOG_ERROR, s->file, s->line,
              "%.*s is too large for an integer; the largest is %lld",
              (int)(n < 60 ? n : 60), number, LLONG_MAX);
    s->n_errors++;
  }
  copy(s, n);
  if (peek(s, 0) == 'L')
    copy(s, peek(s, 1) == 'L' ? 2 : 1);
  else if (v > INT_MAX || v < INT_MIN)
    s->out[s->n_out++] = 'L';
}

static int push(struct scan *s, const char *path)
{
  if (s->n_levels == MAX_LEVELS) {
    wn_log_at(WN_LOG_ERROR, s->file, s->line, "groups and lists stand more than %d deep",
              MAX_LEVELS);
    return WN_EINPUT;
  }
  char *copied = wn_strdup(path);
  if (copied == NULL)
    return WN_ENOMEM;
  s->level[s->n_levels++] = (struct level){.group = s->n_groups++, .path = copied};
  return WN_OK;
}

/* The last name is a key: search it among the names of its group. */
static int add_key(struct scan *s)
{
  const struct level *top = &s->level[s->n_levels - 1];
  free(s->key_path);
  s->key_path = wn_asprintf("%s%.*s", top->path, (int)s->last.len, s->last.text);
  if (s->key_path == NULL)
    return WN_ENOMEM;
  s->last.group = top->group;
  for (size_t i = 0; i < s->n_names; i++) {
    const struct name *a = &s->name[i];
    if (a->group == s->last.group && a->len == s->last.len &&
        memcmp(a->text, s->last.text, a->len) == 0) {
      wn_log_at(WN_LOG_ERROR, s->file, s->last.line,
                "key `%s`: given twice; first in line %d", s->key_path, a->line);
      s->n_errors++;
      return WN_OK;
    }
  }
  if (s->n_names == MAX_NAMES) {
    wn_log_at(WN_LOG_ERROR, s->file, s->last.line,
              "not a scenario: more than %d keys; `wilson list keys` shows all keys",
              MAX_NAMES);
    return WN_EINPUT;
  }
  if (s->n_names == s->name_room) {
    size_t room = 2 * s->name_room + 64;
    struct name *p = wn_realloc(s->name, room, sizeof *p);
    if (p == NULL)
      return WN_ENOMEM;
    s->name = p;
    s->name_room = room;
  }
  s->name[s->n_names++] = s->last;
  return WN_OK;
}

/* gas.pressure of a file as it must stand there, "gas = { pressure = ...; };"; to buf of n. */
static const char *in_braces(const struct name *name, char *buf, size_t n)
{
  size_t used = 0, depth = 0;
  for (size_t i = 0; i < name->len && used < n; depth++) {
    const char *at = name->text + i, *dot = memchr(at, '.', name->len - i);
    const size_t part = dot != NULL ? (size_t)(dot - at) : name->len - i;
    used += (size_t)snprintf(buf + used, n - used, "%s%.*s = ", depth ? "{ " : "",
                             (int)part, name->text + i);
    i += part + 1;
  }
  for (size_t i = 0; i < depth && used < n; i++)
    used += (size_t)snprintf(buf + used, n - used, "%s", i == 0 ? "...;" : " };");
  return buf;
}

/* libconfig calls a wrong name a syntax error, and does not say of what. */
static void bad_name(struct scan *s, struct name name)
{
  static const char rule[] = "a name is a letter, then letters, digits, - and _";
  const char *group = s->level[s->n_levels - 1].path;
  char braces[200];
  if (s->n_errors++ >= SHOWN_ERRORS)
    return;
  group += *group == '.'; /* a brace at the top, as in JSON */
  name.len = name.len < 60 ? name.len : 60;
  if (*name.text == '"')
    wn_log_at(WN_LOG_ERROR, s->file, name.line, "key `%s%.*s`: a key has no quotes; %s",
              group, (int)name.len, name.text, rule);
  else if (memchr(name.text, '.', name.len) != NULL)
    wn_log_at(WN_LOG_ERROR, s->file, name.line,
              "key `%s%.*s`: in a file a key stands in the braces of its group: %s",
              group, (int)name.len, name.text, in_braces(&name, braces, sizeof braces));
  else
    wn_log_at(WN_LOG_ERROR, s->file, name.line, "key `%s%.*s`: %s%s", group,
              (int)name.len, name.text, rule,
              strcmp(group, "species.") == 0
                  ? "; that of ions in files of cross sections, as in \"Ar+\", is the "
                    "value of `ion`"
                  : "");
}

/* Whether = or : follows n letters from here, or blanks behind them. */
static bool is_before_value(const struct scan *s, size_t n)
{
  while (peek(s, n) == ' ' || peek(s, n) == '\t')
    n++;
  return peek(s, n) == '=' || peek(s, n) == ':';
}

/* Length of the name at this position, whose first n letters are right.  Others may follow, as in Ar+ or
 * gas.pressure: then it is an error. */
static size_t name_length(struct scan *s, size_t n)
{
  size_t all = n;
  while (peek(s, all) > ' ' && peek(s, all) != 127 &&
         !strchr("=:;,{}()[]\"#/", peek(s, all)))
    all++;
  if (all == n || !is_before_value(s, all))
    return n;
  bad_name(s, (struct name){.text = s->text + s->at, .len = all, .line = s->line});
  return all;
}

/* A text, or a name in quotes. */
static void scan_string(struct scan *s)
{
  const size_t begin = s->at;
  struct name name = {.text = s->text + s->at, .line = s->line};
  skip_string(s);
  name.len = s->at - begin;
  s->last = name;
  if (is_before_value(s, 0))
    bad_name(s, s->last);
  else
    s->last.text = NULL;
}

static int scan_one(struct scan *s)
{
  int c = peek(s, 0);
  if (skip_comment(s))
    return WN_OK;
  if (isspace(c)) {
    copy(s, 1);
    return WN_OK;
  }
  if (isalpha(c) || c == '*') {
    size_t n = 1;
    while (isalnum(peek(s, n)) || strchr("-_*", peek(s, n) ? peek(s, n) : ' '))
      n++;
    n = name_length(s, n);
    s->last = (struct name){.text = s->text + s->at, .len = n, .line = s->line};
    copy(s, n);
    return WN_OK;
  }
  if (c == '=' || c == ':') {
    if (s->last.text)
      WN_TRY(add_key(s));
    s->last.text = NULL;
    copy(s, 1);
    return WN_OK;
  }
  s->last.text = NULL;
  if (c == '"') {
    scan_string(s);
  } else if (isdigit(c) || ((c == '-' || c == '+') && isdigit(peek(s, 1)))) {
    scan_number(s);
  } else if (c == '{' || c == '(' || c == '[') {
    char *path = wn_asprintf("%s%s", s->key_path != NULL ? s->key_path : "",
                             c == '{' ? "." : "[]");
    if (path == NULL)
      return WN_ENOMEM;
    int status = push(s, path);
    free(path);
    WN_TRY(status);
    copy(s, 1);
  } else if (c == '}' || c == ')' || c == ']') {
    if (s->n_levels > 1)
      free(s->level[--s->n_levels].path);
    copy(s, 1);
  } else {
    if (c == '@') {
      wn_log_at(WN_LOG_ERROR, s->file, s->line,
                "@include is not supported: a scenario is one file");
      s->n_errors++;
    }
    copy(s, 1);
  }
  return WN_OK;
}

char *wn_config_scan(const char *file, int line, const char *text, size_t len,
                     int *status)
{
  if (memchr(text, 0, len)) {
    wn_log_at(WN_LOG_ERROR, file, 0, "not a scenario: the file contains a zero byte");
    *status = WN_EINPUT;
    return NULL;
  }
  struct scan s = {.file = file, .text = text, .len = len, .line = line};
  if (line > 0 && len >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
    s.at = 3; /* the byte order mark that some editors write before UTF-8 */
  s.out = wn_alloc(len + len / 10 + 2, 1); /* an L needs ten digits before it */
  *status = s.out != NULL ? push(&s, "") : WN_ENOMEM;
  while (*status == WN_OK && s.at < s.len)
    *status = scan_one(&s);
  if (*status == WN_OK && s.n_errors > 0)
    *status = WN_EINPUT;
  for (size_t i = 0; i < s.n_levels; i++)
    free(s.level[i].path);
  free(s.name);
  free(s.key_path);
  if (*status != WN_OK) {
    free(s.out);
    return NULL;
  }
  s.out[s.n_out] = '\0';
  return s.out;
}
