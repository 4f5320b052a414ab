/* t0500-units.c - defends: a value with a unit is read as the definition of the unit
 * says, and what is no such value is refused by kind.  Numbers: the SI brochure's
 * definitions of bar, atm, Torr (1/760 atm) and mmHg (BIPM), psi = lbf/in2 with lbf =
 * 0.45359237 kg * 9.80665 m/s2; CODATA 2018 for eV, u, the electron mass and the speed of
 * light, typed here again. */
#include "src/config/units.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "t/tap/tap.h"

static const struct {
  enum wn_unit_kind kind;
  const char *text;
  double value;
} good[] = {
    {WN_UNIT_NONE, "0.003", 0.003},
    {WN_UNIT_NONE, " -1e3 ", -1000},
    {WN_UNIT_FIELD, "120 Td", 120},
    {WN_UNIT_FIELD, "2.6e7 V/m", 2.6e7},
    {WN_UNIT_FIELD, "3 V/cm", 300},
    {WN_UNIT_FIELD, "10 kV/cm", 1e6},
    {WN_UNIT_FIELD, "284 kV/m", 284e3},
    {WN_UNIT_FIELD, "1.5MV/m", 1.5e6},
    {WN_UNIT_FIELD, "0", 0},
    {WN_UNIT_ENERGY, "0.1 eV", 0.1},
    {WN_UNIT_ENERGY, "1eV", 1}, /* not 1e with a unit of V */
    {WN_UNIT_ENERGY, "25 meV", 0.025},
    {WN_UNIT_ENERGY, "1 keV", 1000},
    {WN_UNIT_ENERGY, "1 MeV", 1e6},
    {WN_UNIT_ENERGY, "1.602176634e-19 J", 1},
    {WN_UNIT_KT, "30 meV", 0.03},
    {WN_UNIT_KT, "300 K", 0.025851999786435535}, /* k/e = 8.61733326214e-5 eV/K */
    {WN_UNIT_TIME, "2 s", 2},
    {WN_UNIT_TIME, "2 ms", 2e-3},
    {WN_UNIT_TIME, "2 us", 2e-6},
    {WN_UNIT_TIME, "2 ns", 2e-9},
    {WN_UNIT_TIME, "2 ps", 2e-12},
    {WN_UNIT_TIME, "2 fs", 2e-15},
    {WN_UNIT_PRESSURE, "1 Pa", 1},
    {WN_UNIT_PRESSURE, "1013.25 hPa", 101325},
    {WN_UNIT_PRESSURE, "101.325 kPa", 101325},
    {WN_UNIT_PRESSURE, "1 MPa", 1e6},
    {WN_UNIT_PRESSURE, "1 bar", 1e5},
    {WN_UNIT_PRESSURE, "1 mbar", 100},
    {WN_UNIT_PRESSURE, "1 atm", 101325},
    {WN_UNIT_PRESSURE, "760 Torr", 101325},
    {WN_UNIT_PRESSURE, "1 mmHg", 133.322387415},
    {WN_UNIT_PRESSURE, "1 psi", 6894.757293168361},
    {WN_UNIT_TEMPERATURE, "300 K", 300},
    {WN_UNIT_TEMPERATURE, "20 C", 293.15},
    {WN_UNIT_TEMPERATURE, "0 degC", 273.15},
    {WN_UNIT_TEMPERATURE, "-10 degC", 263.15},
    {WN_UNIT_LENGTH, "1 m", 1},
    {WN_UNIT_LENGTH, "1 cm", 0.01},
    {WN_UNIT_LENGTH, "1 mm", 1e-3},
    {WN_UNIT_LENGTH, "1 um", 1e-6},
    {WN_UNIT_LENGTH, "1 nm", 1e-9},
    {WN_UNIT_DENSITY, "2.5e25 m-3", 2.5e25},
    {WN_UNIT_DENSITY, "2.5e19 cm-3", 2.5e25},
    {WN_UNIT_DENSITY, "2.5e25 m^-3", 2.5e25},
    {WN_UNIT_DENSITY, "2.5e19 cm^-3", 2.5e25},
    {WN_UNIT_MASS, "1 kg", 1},
    {WN_UNIT_MASS, "4 u", 4 * 1.66053906660e-27},
    {WN_UNIT_MASS, "4 amu", 4 * 1.66053906660e-27},
    {WN_UNIT_MASS, "1000 me", 1000 * 9.1093837015e-31},
    {WN_UNIT_ANGLE, "1 rad", 1},
    {WN_UNIT_ANGLE, "90 deg", 1.5707963267948966},
    {WN_UNIT_MAGNETIC, "1 T", 1},
    {WN_UNIT_MAGNETIC, "1 mT", 1e-3},
    {WN_UNIT_MAGNETIC, "500 G", 0.05},
    {WN_UNIT_MAGNETIC, "200 Hx", 200},
    {WN_UNIT_VELOCITY, "-3 m/s", -3},
    {WN_UNIT_VELOCITY, "3 km/s", 3e3},
    {WN_UNIT_VELOCITY, "0.1 c", 29979245.8},
    {WN_UNIT_VOLTAGE, "250 V", 250},
    {WN_UNIT_VOLTAGE, "-5 mV", -5e-3},
    {WN_UNIT_VOLTAGE, "1.5 kV", 1500},
    {WN_UNIT_FREQUENCY, "50 Hz", 50},
    {WN_UNIT_FREQUENCY, "100 kHz", 1e5},
    {WN_UNIT_FREQUENCY, "13.56 MHz", 13.56e6},
    {WN_UNIT_FREQUENCY, "2.45 GHz", 2.45e9},
    {WN_UNIT_CAPACITANCE, "3 uF/m2", 3e-6},
    {WN_UNIT_RESISTANCE, " 50 mohm m2 ", 0.05}, /* a unit with a blank */
    {WN_UNIT_INDUCTANCE, "20 nH m2", 2e-8},
    {WN_UNIT_RATE, "2 1/us", 2e6},
    {WN_UNIT_RATE, "3 /s", 3},
    {WN_UNIT_CONSTANT, "2e-7 cm3/s", 2e-13},
    {WN_UNIT_CONSTANT, "1e-12 m^3/s", 1e-12},
    {WN_UNIT_ABSORPTION, "2 m-1 Pa-1", 2},
    {WN_UNIT_ABSORPTION, "0.035 cm-1 Torr-1", 3.5 * 760 / 101325.0},
    {WN_UNIT_ABSORPTION, "4147.85 m-1 bar-1", 0.0414785},
};

static const struct {
  enum wn_unit_kind kind;
  const char *text;
  enum wn_unit_result result;
  const char *unit;
} bad[] = {
    {WN_UNIT_PRESSURE, "760 Tor", WN_UNIT_UNKNOWN, "Tor"},
    {WN_UNIT_PRESSURE, "760 torr", WN_UNIT_UNKNOWN,
     "torr"}, /* case counts: meV and MeV */
    {WN_UNIT_PRESSURE, "1 atm or so", WN_UNIT_UNKNOWN, "atm or so"},
    {WN_UNIT_ENERGY, "1 V", WN_UNIT_UNKNOWN, "V"},
    {WN_UNIT_NONE, "3 eV", WN_UNIT_UNKNOWN, "eV"},
    {WN_UNIT_FIELD, "3 V", WN_UNIT_UNKNOWN, "V"},
    {WN_UNIT_VELOCITY, "3 C", WN_UNIT_UNKNOWN, "C"}, /* degrees; light is c */
    {WN_UNIT_RATE, "1 Hz", WN_UNIT_UNKNOWN, "Hz"},
    {WN_UNIT_FREQUENCY, "3 mHz", WN_UNIT_UNKNOWN, "mHz"},
    {WN_UNIT_CAPACITANCE, "3 uF", WN_UNIT_UNKNOWN, "uF"}, /* per area */
    {WN_UNIT_RESISTANCE, "50 ohm", WN_UNIT_UNKNOWN, "ohm"},
    {WN_UNIT_TIME, "1", WN_UNIT_MISSING, NULL},
    {WN_UNIT_FIELD, "1e5", WN_UNIT_MISSING, NULL},
    {WN_UNIT_ENERGY, "", WN_UNIT_NOT_A_NUMBER, NULL},
    {WN_UNIT_ENERGY, "eV", WN_UNIT_NOT_A_NUMBER, NULL},
    {WN_UNIT_ENERGY, "nan eV", WN_UNIT_NOT_A_NUMBER, NULL},
    {WN_UNIT_ENERGY, "inf eV", WN_UNIT_NOT_A_NUMBER, NULL},
    {WN_UNIT_ENERGY, "1e400 eV", WN_UNIT_NOT_A_NUMBER, NULL},
    {WN_UNIT_ENERGY, "1e308 MeV", WN_UNIT_NOT_A_NUMBER, NULL}, /* overflows in eV */
    {WN_UNIT_ENERGY, "0x10 eV", WN_UNIT_NOT_A_NUMBER, NULL},
    {WN_UNIT_ENERGY, "--1 eV", WN_UNIT_NOT_A_NUMBER, NULL},
    {WN_UNIT_NONE, ".", WN_UNIT_NOT_A_NUMBER, NULL},
};

static const double numbers[] = {
    0,    1,          0.1,     1.0 / 3,         101325,
    300,  2.4463e25,  1e-300,  5e-324,          1.7976931348623157e308,
    -0.5, 16777216.0, 2.0 / 7, 1.6605390666e-27};

int main(void)
{
  plan(0);
  for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
    double value = NAN;
    bool reduced = false;
    enum wn_unit_result r =
        wn_config_units_parse(good[i].kind, good[i].text, &value, &reduced, NULL);
    is_int(r, WN_UNIT_GOOD, "\"%s\" is read", good[i].text);
    is_close(value, good[i].value, 4e-16, "value of \"%s\"", good[i].text);
    is_int(reduced,
           strstr(good[i].text, "Td") != NULL || strstr(good[i].text, "Hx") != NULL,
           "\"%s\" is reduced or not", good[i].text);
  }
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    double value = 7;
    bool reduced = false;
    const char *unit = NULL;
    enum wn_unit_result r =
        wn_config_units_parse(bad[i].kind, bad[i].text, &value, &reduced, &unit);
    is_int(r, bad[i].result, "\"%s\" is refused", bad[i].text);
    ok(value == 7, "\"%s\" writes nothing", bad[i].text);
    if (bad[i].unit)
      is_str(unit ? unit : "(none)", bad[i].unit, "the unit of \"%s\"", bad[i].text);
  }
  /* Each unit that is said to be allowed is. */
  for (int kind = WN_UNIT_NONE + 1; kind < WN_N_UNIT_KINDS; kind++) {
    char list[200], *save = NULL;
    snprintf(list, sizeof list, "%s", wn_config_units_allowed(kind));
    for (char *u = strtok_r(list, ",", &save); u; u = strtok_r(NULL, ",", &save)) {
      char text[40]; /* with the blank after the comma, and those in a unit */
      double value;
      bool reduced;
      u += *u == ' '; /* units may have blanks, too: m-2 s-1 */
      snprintf(text, sizeof text, "1 %s", u);
      is_int(wn_config_units_parse(kind, text, &value, &reduced, NULL), WN_UNIT_GOOD,
             "%s take %s", wn_config_units_plural(kind), u);
    }
    char one[40];
    double value = NAN;
    snprintf(one, sizeof one, "1 %s", wn_config_units_base(kind));
    wn_config_units_parse(kind, one, &value, &(bool){false}, NULL);
    ok(value == 1, "%s is the base unit of %s", wn_config_units_base(kind),
       wn_config_units_plural(kind));
  }
  for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
    char buf[32];
    ok(strtod(wn_config_units_number(numbers[i], buf), NULL) == numbers[i],
       "%s reads back to the same bits", buf);
  }
  return done();
}
