/* src/config/range.c - see range.h. */
#include "src/config/range.h"
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/error.h"

#define TO " to "

struct range {
  char *from, *to; /* as written, without blanks around */
  long n;
  bool logarithmic;
};

bool wn_config_is_range(const char *text)
{
  return strstr(text, TO) != NULL;
}

static int wrong(char **why, const char *what)
{
  *why = wn_asprintf("%s; a range is \"FROM to TO, NUMBER linear\" or logarithmic, as in "
                     "\"1 Td to 1000 Td, 31 logarithmic\"",
                     what);
  return WN_EINPUT;
}

static char *trimmed(const char *text, size_t n)
{
  while (n > 0 && isspace((unsigned char)*text))
    text++, n--;
  while (n > 0 && isspace((unsigned char)text[n - 1]))
    n--;
  return wn_asprintf("%.*s", (int)n, text);
}

static int read_range(const char *text, struct range *r, char **why)
{
  const char *to = strstr(text, TO), *comma = strrchr(text, ',');
  char *end;
  if (comma == NULL || comma < to)
    return wrong(why, "has no number of values");
  r->n = strtol(comma + 1, &end, 10);
  if (end == comma + 1 || r->n < 2 || r->n > WN_MAX_RANGE)
    return wrong(why, "has not 2 to 10000 values");
  while (isspace((unsigned char)*end))
    end++;
  r->logarithmic = strcmp(end, "logarithmic") == 0;
  if (!r->logarithmic && strcmp(end, "linear") != 0)
    return wrong(why, "is neither linear nor logarithmic");
  r->from = trimmed(text, (size_t)(to - text));
  to += strlen(TO);
  r->to = trimmed(to, (size_t)(comma - to));
  return r->from != NULL && r->to != NULL ? WN_OK : WN_ENOMEM;
}

static void put_quoted(FILE *f, const char *text)
{
  fputc('"', f);
  for (; *text; text++) {
    if (*text == '"' || *text == '\\')
      fputc('\\', f);
    fputc(*text, f);
  }
  fputc('"', f);
}

/* The values between the ends; each must differ from the one before it. */
static int put_between(FILE *f, const struct range *r, double a, double b,
                       const char *unit, char **why)
{
  char value[64], last[64] = "";
  for (long i = 1; i < r->n - 1; i++) {
    double w = (double)i / (double)(r->n - 1);
    double x = r->logarithmic ? a * pow(b / a, w) : a + (b - a) * w;
    snprintf(value, sizeof value, "%.6g%s%s", x, *unit ? " " : "", unit);
    if (strcmp(value, last) == 0)
      return wrong(why, "has two values that are equal in six digits");
    memcpy(last, value, sizeof last);
    fputs(", ", f);
    put_quoted(f, value);
  }
  return WN_OK;
}

static int put_list(FILE *f, enum wn_unit_kind kind, const struct range *r, char **why)
{
  double a, b;
  bool reduced_a = false, reduced_b = false;
  if (wn_config_units_parse(kind, r->from, &a, &reduced_a, NULL) != WN_UNIT_GOOD) {
    put_quoted(f, r->from);
    return WN_OK;
  }
  if (wn_config_units_parse(kind, r->to, &b, &reduced_b, NULL) != WN_UNIT_GOOD) {
    put_quoted(f, r->to);
    return WN_OK;
  }
  if (reduced_a != reduced_b && a != 0.0 && b != 0.0)
    return wrong(why, "has one end in Td and one that is not");
  if (r->logarithmic && !(a > 0.0 && b > 0.0))
    return wrong(why, "is logarithmic and has an end that is not above 0");
  if (a == b)
    return wrong(why, "ends where it begins");
  put_quoted(f, r->from);
  WN_TRY(put_between(f, r, a, b,
                     reduced_a || reduced_b ? "Td" : wn_config_units_base(kind), why));
  fputs(", ", f);
  put_quoted(f, r->to);
  return WN_OK;
}

int wn_config_range_list(enum wn_unit_kind kind, const char *text, char **list,
                         char **why)
{
  struct range r = {0};
  size_t size;
  const bool is_range = wn_config_is_range(text);
  *list = NULL;
  int status = is_range ? read_range(text, &r, why) : WN_OK;
  FILE *f = status == WN_OK ? open_memstream(list, &size) : NULL;
  if (status == WN_OK && f == NULL)
    status = WN_ENOMEM;
  if (status == WN_OK && is_range)
    status = put_list(f, kind, &r, why);
  else if (status == WN_OK)
    put_quoted(f, text);
  if (f != NULL && fclose(f) != 0 && status == WN_OK)
    status = WN_ENOMEM;
  free(r.from);
  free(r.to);
  if (status != WN_OK) {
    free(*list);
    *list = NULL;
  }
  return status;
}
