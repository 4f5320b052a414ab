/* src/io/output_units.c - units of quantities as UDUNITS reads them. */
#include "src/io/output_units.h"
#include <stddef.h>
#include <string.h>

static const struct {
  const char *usual, *units;
} others[] = {
    {"Td", "1e-21 V m2"},
    {"Hx", "1e-27 T m3"},
    {"eV-3/2", NULL}, /* would be read as half of eV-3 */
};

const char *wn_output_units(const char *unit, int *is_usual)
{
  for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
    if (strcmp(others[i].usual, unit) == 0) {
      *is_usual = 1;
      return others[i].units;
    }
  *is_usual = 0;
  return unit;
}
