/* src/config/units.h - values with units as text: "760 Torr", "1.5 keV", "120 Td".
 * Values are returned in the base unit of their kind: SI, but eV for energies. */
#ifndef WN_SRC_CONFIG_UNITS_H
#define WN_SRC_CONFIG_UNITS_H
#include <stdbool.h>
#include <stddef.h>

enum wn_unit_kind {
  WN_UNIT_NONE,        /* a plain number */
  WN_UNIT_FIELD,       /* V/m, or townsend: see `reduced` */
  WN_UNIT_ENERGY,      /* eV */
  WN_UNIT_KT,          /* eV: a temperature as the energy kT, or in K */
  WN_UNIT_TIME,        /* s */
  WN_UNIT_PRESSURE,    /* Pa */
  WN_UNIT_TEMPERATURE, /* K */
  WN_UNIT_LENGTH,      /* m */
  WN_UNIT_DENSITY,     /* m-3 */
  WN_UNIT_MASS,        /* kg */
  WN_UNIT_ANGLE,       /* rad */
  WN_UNIT_MAGNETIC,    /* T, or huxley: see `reduced` */
  WN_UNIT_VELOCITY,    /* m/s */
  WN_UNIT_VOLTAGE,     /* V */
  WN_UNIT_FREQUENCY,   /* Hz */
  WN_UNIT_CAPACITANCE, /* F/m2, per area */
  WN_UNIT_RESISTANCE,  /* ohm m2, times area */
  WN_UNIT_INDUCTANCE,  /* H m2, times area */
  WN_UNIT_FARAD,       /* F, of a whole electrode */
  WN_UNIT_OHM,         /* ohm */
  WN_UNIT_HENRY,       /* H */
  WN_UNIT_CURRENT,     /* A/m2 */
  WN_UNIT_FLUX,        /* m-2 s-1 */
  WN_UNIT_CREATION,    /* m-3 s-1 */
  WN_UNIT_RATE,        /* 1/s, of events */
  WN_UNIT_CONSTANT,    /* m3/s, of a reaction of two particles */
  WN_UNIT_ABSORPTION,  /* m-1 Pa-1 */
  WN_UNIT_WALL,        /* s, wall clock */
  WN_N_UNIT_KINDS
};

enum wn_unit_result {
  WN_UNIT_GOOD,
  WN_UNIT_NOT_A_NUMBER, /* does not begin with a finite decimal number */
  WN_UNIT_MISSING,      /* a number other than 0 with no unit, where the kind has one */
  WN_UNIT_UNKNOWN       /* a unit that this kind does not have */
};

/* Reads the finite decimal number with which the text begins; *end is behind it.  strtod alone would also take
 * inf, nan and hexadecimal numbers.  False: there is none, nothing is written. */
bool wn_config_units_decimal(const char *text, double *value, char **end);

/* Reads a number and its unit.
 *   text     "760 Torr"; blanks around and between are ignored; 0 needs no unit
 *   value    result in the base unit of the kind; for a field in Td the number of Td, for
 *            one in Hx that of Hx
 *   reduced  may be NULL unless kind is WN_UNIT_FIELD or WN_UNIT_MAGNETIC; set when the
 *            unit is Td or Hx
 *   unit     may be NULL; on WN_UNIT_UNKNOWN points into text at the unit, which ends
 *            with the text
 * value and reduced are written only when the result is WN_UNIT_GOOD. */
enum wn_unit_result wn_config_units_parse(enum wn_unit_kind kind, const char *text,
                                          double *value, bool *reduced,
                                          const char **unit);

const char *wn_config_units_plural(enum wn_unit_kind kind); /* "pressures" */
const char *wn_config_units_allowed(
    enum wn_unit_kind kind); /* "Pa, hPa, ..."; "" for plain numbers */
const char *wn_config_units_base(enum wn_unit_kind kind); /* "Pa"; "" for plain numbers */

/* The shortest decimal text that reads back to exactly the same double; buf of 32. */
const char *wn_config_units_number(double value, char buf[32]);

#endif
