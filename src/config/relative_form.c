/* src/config/relative_form.c - see relative_form.h. */
#include "src/config/relative_form.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static const struct {
  const char *one, *many;
  enum wn_unit_kind kind;
} units[WN_RELATIVE_N] = {
    [WN_RELATIVE_DEBYE] = {"debye", "debye", WN_UNIT_LENGTH},
    [WN_RELATIVE_CELLS] = {"cell", "cells", WN_UNIT_LENGTH},
    [WN_RELATIVE_PERIODS] = {"period", "periods", WN_UNIT_TIME},
    [WN_RELATIVE_PLASMA_PERIODS] = {"plasma_period", "plasma_periods", WN_UNIT_TIME},
    [WN_RELATIVE_PER_OMEGA_P] = {"omega_p", "omega_p", WN_UNIT_TIME},
    [WN_RELATIVE_STEPS] = {"step", "steps", WN_UNIT_TIME},
    [WN_RELATIVE_PER_OMEGA_0] = {"omega_0", "omega_0", WN_UNIT_TIME},
    [WN_RELATIVE_C_PER_OMEGA_0] = {"c / omega_0", "c/omega_0", WN_UNIT_LENGTH},
    [WN_RELATIVE_OMEGA_0_MAGNETIC] = {"m omega_0 / q", "m omega_0/q", WN_UNIT_MAGNETIC},
    [WN_RELATIVE_OMEGA_0_ELECTRIC] = {"m c omega_0 / q", "m c omega_0/q", WN_UNIT_FIELD}};

/* Whether a time is in units of one over it. */
static bool is_inverse(int unit)
{
  return unit == WN_RELATIVE_PER_OMEGA_P || unit == WN_RELATIVE_PER_OMEGA_0;
}

const char *wn_config_relative_units(const struct wn_key *k)
{
  if (!(k->flags & WN_KEY_PLASMA))
    return "";
  switch (k->unit) {
  case WN_UNIT_LENGTH:
    return strcmp(k->key, "grid.length") == 0 ? ", debye, c / omega_0"
                                              : ", debye, c / omega_0, cells";
  case WN_UNIT_TIME:
    return strcmp(k->key, "plasma.time_step") == 0
               ? ", periods, plasma_periods, / omega_p, / omega_0"
               : ", periods, plasma_periods, / omega_p, / omega_0, steps";
  case WN_UNIT_MAGNETIC:
    return ", m omega_0 / q";
  case WN_UNIT_FIELD:
    return ", m c omega_0 / q";
  default:
    return "";
  }
}

static const char *skip_blanks(const char *s)
{
  return s + strspn(s, " \t");
}

/* A finite decimal number, with the blanks behind it. */
static bool read_number(const char **s, double *x)
{
  char *end;
  if (!wn_config_units_decimal(*s, x, &end))
    return false;
  *s = skip_blanks(end);
  return true;
}

static bool is_word(const char *text, const char *word)
{
  const size_t n = strlen(word);
  return strncmp(text, word, n) == 0 && *skip_blanks(text + n) == '\0';
}

/* "species.e.width / 2": a key, and a divisor.  alone: without a number before it or behind it a word is a
 * key only if there is one of that name. */
static bool parse_key(const char *text, bool alone, struct wn_relative *out)
{
  size_t n = 0;
  while (isalnum((unsigned char)text[n]) || (text[n] && strchr("._-", text[n])))
    n++;
  if (!isalpha((unsigned char)*text) || n >= sizeof out->key)
    return false;
  snprintf(out->key, sizeof out->key, "%.*s", (int)n, text);
  text = skip_blanks(text + n);
  if (*text == '\0' && alone)
    return wn_config_find_key(out->key, NULL, NULL) != NULL;
  if (*text == '/') {
    double divisor;
    text = skip_blanks(text + 1);
    if (!read_number(&text, &divisor))
      return false;
    out->divisor *= divisor;
  }
  return *text == '\0';
}

bool wn_relative_parse(const struct wn_key *k, const char *text, struct wn_relative *out)
{
  *out = (struct wn_relative){.number = 1.0, .divisor = 1.0, .unit = WN_RELATIVE_OF_KEY};
  text = skip_blanks(text);
  if (!read_number(&text, &out->number))
    return parse_key(text, true, out);
  if (*text == '/') {
    const char *divisor = skip_blanks(text + 1);
    if (read_number(&divisor, &out->divisor))
      text = divisor;
  }
  if (*text == '*')
    return parse_key(skip_blanks(text + 1), false, out);
  const bool inverse = *text == '/';
  if (inverse)
    text = skip_blanks(text + 1);
  for (int u = 0; u < WN_RELATIVE_N; u++)
    if (units[u].kind == k->unit && inverse == is_inverse(u) &&
        (is_word(text, units[u].one) || is_word(text, units[u].many))) {
      out->unit = (enum wn_relative_unit)u;
      return true;
    }
  return false;
}
