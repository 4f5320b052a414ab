/* src/config/factor.c - see factor.h. */
#include "src/config/factor.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "src/config/units.h"

#define FROM       " from "
#define TO         " to "
#define FACTOR_MAX 100.0
#define NARROWEST  1.01 /* ratio of the ends of a range */

static bool is_blank(char c)
{
  return c == ' ' || c == '\t';
}

static char *trimmed(const char *text, size_t n)
{
  while (n > 0 && is_blank(*text))
    text++, n--;
  while (n > 0 && is_blank(text[n - 1]))
    n--;
  return wn_asprintf("%.*s", (int)n, text);
}

/* "PROCESS FACTOR" in the first n bytes; a process may have blanks in its name, a factor has
 * none.  WN_EINPUT: anything else. */
static int read_head(const char *text, size_t n, char **process, double *factor)
{
  char *head = trimmed(text, n);
  if (head == NULL)
    return WN_ENOMEM;
  size_t number = strlen(head);
  while (number > 0 && !is_blank(head[number - 1]))
    number--;
  int status = number > 0 && wn_config_units_parse(WN_UNIT_NONE, head + number, factor,
                                                   NULL, NULL) == WN_UNIT_GOOD
                   ? WN_OK
                   : WN_EINPUT;
  if (status == WN_OK && (*process = trimmed(head, number)) == NULL)
    status = WN_ENOMEM;
  free(head);
  return status;
}

static int is_no_factor(const char *text, char **why)
{
  *why =
      wn_asprintf("\"%s\" is neither \"PROCESS FACTOR\" nor \"PROCESS FACTOR from ENERGY "
                  "to ENERGY\", as in \"inelastic 1.1\" or \"momentum-transfer 1.2 from "
                  "300 eV to 3 keV\"",
                  text);
  return WN_EINPUT;
}

static int read_energy(const char *text, const char *at, size_t n, double *ev, char **why)
{
  char *energy = trimmed(at, n);
  if (energy == NULL)
    return WN_ENOMEM;
  const bool good =
      wn_config_units_parse(WN_UNIT_ENERGY, energy, ev, NULL, NULL) == WN_UNIT_GOOD;
  if (!good)
    *why = wn_asprintf("\"%s\": `%s` is not an energy with a unit; units of energies: %s",
                       text, energy, wn_config_units_allowed(WN_UNIT_ENERGY));
  free(energy);
  return good ? WN_OK : WN_EINPUT;
}

/* "ENERGY to ENERGY" */
static int read_range(const char *text, const char *range, struct wn_xs_factor *f,
                      char **why)
{
  const char *to = strstr(range, TO);
  if (to == NULL)
    return is_no_factor(text, why);
  WN_TRY(read_energy(text, range, (size_t)(to - range), &f->from_ev, why));
  to += strlen(TO);
  WN_TRY(read_energy(text, to, strlen(to), &f->to_ev, why));
  if (f->from_ev > 0.0 && f->to_ev >= NARROWEST * f->from_ev)
    return WN_OK;
  *why = wn_asprintf(
      "\"%s\": the range must begin above 0 eV, and end at least 1 %% higher", text);
  return WN_EINPUT;
}

/* The range begins with the last "from" after a factor, as a label may contain the word, too. */
static int read_entry(const char *text, struct wn_xs_factor *f, char **why)
{
  for (size_t i = strlen(text); i-- > 0;) {
    if (strncmp(text + i, FROM, strlen(FROM)) != 0)
      continue;
    const int status = read_head(text, i, &f->process, &f->factor);
    if (status == WN_OK)
      return read_range(text, text + i + strlen(FROM), f, why);
    if (status != WN_EINPUT)
      return status;
  }
  const int status = read_head(text, strlen(text), &f->process, &f->factor);
  return status == WN_EINPUT ? is_no_factor(text, why) : status;
}

static int check(const char *text, const struct wn_xs_factor *f, char **why)
{
  if (!(f->factor > 0.0 && f->factor <= FACTOR_MAX)) {
    *why = wn_asprintf("\"%s\": the factor is out of range; allowed: more than 0 to %g",
                       text, FACTOR_MAX);
    return WN_EINPUT;
  }
  if (strcmp(f->process, "isotropic") == 0 || strcmp(f->process, "backscatter") == 0) {
    *why = wn_asprintf("\"%s\": factors are for cross sections of electrons; those of "
                       "ions cannot be multiplied",
                       text);
    return WN_EINPUT;
  }
  return WN_OK;
}

int wn_config_factor(const char *text, struct wn_xs_factor *out, char **why)
{
  struct wn_xs_factor f = {.text = text};
  *why = NULL;
  int status = read_entry(text, &f, why);
  if (status == WN_OK)
    status = check(text, &f, why);
  if (status != WN_OK) {
    free(f.process);
    return status;
  }
  *out = f;
  return WN_OK;
}
