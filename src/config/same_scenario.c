/* src/config/same_scenario.c - see same_scenario.h. */
#include "src/config/same_scenario.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "base/alloc.h"
#include "base/error.h"
#include "base/sha256.h"
#include "src/config/internal.h"

/* Keys, or beginnings of keys, that may differ in a restart. */
static const char *const is_free[] = {
    "device", "scheduler", "threads",     "block_size",          "title",
    "output", "quiet",     "checkpoint.", "population.capacity", "population.residence",
    "divide",
};

static int may_differ(const char *key)
{
  for (size_t i = 0; i < sizeof is_free / sizeof is_free[0]; i++) {
    const size_t n = strlen(is_free[i]);
    if (is_free[i][n - 1] == '.' ? strncmp(key, is_free[i], n) == 0
                                 : strcmp(key, is_free[i]) == 0)
      return 1;
  }
  return 0;
}

/* The value of a string of the resolved scenario: without quotes, with \" \\ \xHH decoded, in place. */
static void unquote(char *s)
{
  char *to = s;
  for (s += *s == '"'; *s != '\0' && *s != '"'; s++) {
    unsigned byte;
    if (s[0] == '\\' && s[1] == 'x' && sscanf(s + 2, "%2x", &byte) == 1) {
      *to++ = (char)byte;
      s += 3;
    } else {
      s += s[0] == '\\' && s[1] != '\0';
      *to++ = *s;
    }
  }
  *to = '\0';
}

/* Replaces the value of a key that names a file by the file's hash; a built-in set keeps its name. */
static int put_file(FILE *to, const char *key, const char *value)
{
  struct stat st;
  char hex[WN_SHA256_HEX], *path = wn_strdup(value);
  if (path == NULL)
    return WN_ENOMEM;
  unquote(path);
  int status = WN_OK;
  if (stat(path, &st) == 0 && S_ISREG(st.st_mode)) {
    status = wn_sha256_file(path, hex);
    if (status == WN_OK)
      fprintf(to, "%s = a file with SHA-256 %s\n", key, hex);
  } else {
    fprintf(to, "%s = %s\n", key, value);
  }
  free(path);
  return status;
}

static int put_line(FILE *to, const char *key, const char *value)
{
  const struct wn_key *k = wn_config_find_key(key, NULL, NULL);
  if (may_differ(key))
    return WN_OK;
  if (k != NULL && k->type == WN_KEY_FILE)
    return put_file(to, key, value);
  fprintf(to, "%s = %s\n", key, value);
  return WN_OK;
}

/* Each line of the resolved scenario has a key, or the begin or end of a group
 * (src/config/text.c); text is modified. */
static int put_lines(FILE *to, char *text)
{
  char group[512] = "", key[640];
  for (char *next, *line = text; *line != '\0'; line = next) {
    const size_t n = strcspn(line, "\n");
    next = line + n + (line[n] == '\n');
    line[n] = '\0';
    line += strspn(line, " ");
    char *equals = strstr(line, " = "), *end = line + strlen(line);
    if (strcmp(line, "};") == 0) { /* "gas.components." becomes "gas." */
      size_t m = strlen(group); /* 0 if an earlier file closes a group that is not open */
      while (m > 0 && group[m - 1] == '.')
        group[--m] = '\0';
      while (m > 0 && group[m - 1] != '.')
        group[--m] = '\0';
    } else if (equals != NULL && equals[3] == '{') {
      const size_t m = strlen(group);
      snprintf(group + m, sizeof group - m, "%.*s.", (int)(equals - line), line);
    } else if (equals != NULL) {
      if (end > equals + 3 && end[-1] == ';')
        end[-1] = '\0';
      snprintf(key, sizeof key, "%s%.*s", group,
               (int)(equals - line < 120 ? equals - line : 120), line);
      WN_TRY(put_line(to, key, equals + 3));
    }
  }
  return WN_OK;
}

char *wn_same_text_of(const char *resolved)
{
  char *lines = wn_strdup(resolved), *text = NULL;
  size_t size = 0;
  FILE *to = lines != NULL ? open_memstream(&text, &size) : NULL;
  int bad = to == NULL || put_lines(to, lines) != WN_OK;
  if (to != NULL) {
    bad = ferror(to) != 0 || bad;
    bad = fclose(to) != 0 || bad;
  }
  free(lines);
  if (bad) {
    free(text);
    return NULL;
  }
  return text;
}

char *wn_same_text(const struct wn_config *c)
{
  char *resolved = wn_config_text(c), *text = NULL;
  if (resolved != NULL)
    text = wn_same_text_of(resolved);
  free(resolved);
  return text;
}

/* Value of a key in such a text, and its length; NULL: none. */
static const char *value_of(const char *text, const char *key, size_t n_key, size_t *n)
{
  for (const char *line = text; *line != '\0';) {
    const size_t length = strcspn(line, "\n");
    if (length > n_key + 3 && strncmp(line, key, n_key) == 0 &&
        strncmp(line + n_key, " = ", 3) == 0) {
      *n = length - n_key - 3;
      return line + n_key + 3;
    }
    line += length + (line[length] == '\n');
  }
  *n = 4;
  return NULL;
}

static int differs(const char *file, const char *key, size_t n_key, const char *saved,
                   size_t n_saved, const char *now, size_t n_now)
{
  return WN_FAIL(WN_EINPUT,
                 "%s: the run that wrote it had key `%.*s` = %.*s, this scenario has "
                 "%.*s; a run can only continue with the scenario that it started with",
                 file, (int)n_key, key, (int)(n_saved < 300 ? n_saved : 300),
                 saved != NULL ? saved : "none", (int)(n_now < 300 ? n_now : 300),
                 now != NULL ? now : "none");
}

/* The lines of `a` that are not in `b`; swap: `a` is the current scenario. */
static int compare(const char *file, const char *a, const char *b, int swap)
{
  for (const char *line = a; *line != '\0';) {
    const size_t length = strcspn(line, "\n");
    const char *equals = strstr(line, " = ");
    const size_t n_key = equals != NULL ? (size_t)(equals - line) : length;
    size_t n, n_other;
    const char *value = value_of(a, line, n_key, &n),
               *other = value_of(b, line, n_key, &n_other);
    if (value != NULL && (other == NULL || n != n_other || memcmp(value, other, n) != 0))
      return swap ? differs(file, line, n_key, other, n_other, value, n)
                  : differs(file, line, n_key, value, n, other, n_other);
    line += length + (line[length] == '\n');
  }
  return WN_OK;
}

int wn_same_check(const char *file, const char *saved, const char *now)
{
  WN_TRY(compare(file, saved, now, 0));
  return compare(file, now, saved, 1);
}
