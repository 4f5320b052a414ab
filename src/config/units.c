/* src/config/units.c - the table of units and its reader */
#include "src/config/units.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "physics/constants.h"

/* value in the base unit = number * scale + offset */
struct unit {
  const char *name;
  double scale, offset;
};

#define LBF  4.4482216152605 /* N, pound-force: 0.45359237 kg * 9.80665 m/s2, exact */
#define INCH 0.0254          /* m, exact */

static const struct unit no_units[] = {{NULL, 0, 0}};
/* Td and Hx come first: they are no multiples of V/m and T, and the caller needs the
 * density of the gas. */
static const struct unit field_units[] = {
    {"Td", 1, 0},     {"V/m", 1, 0},    {"V/cm", 1e2, 0}, {"kV/cm", 1e5, 0},
    {"kV/m", 1e3, 0}, {"MV/m", 1e6, 0}, {NULL, 0, 0}};
static const struct unit energy_units[] = {{"eV", 1, 0},       {"meV", 1e-3, 0},
                                           {"keV", 1e3, 0},    {"MeV", 1e6, 0},
                                           {"J", 1 / WN_E, 0}, {NULL, 0, 0}};
static const struct unit kt_units[] = {
    {"eV", 1, 0},       {"meV", 1e-3, 0},       {"keV", 1e3, 0}, {"MeV", 1e6, 0},
    {"J", 1 / WN_E, 0}, {"K", WN_KB / WN_E, 0}, {NULL, 0, 0}};
static const struct unit time_units[] = {
    {"s", 1, 0},      {"ms", 1e-3, 0},  {"us", 1e-6, 0}, {"ns", 1e-9, 0},
    {"ps", 1e-12, 0}, {"fs", 1e-15, 0}, {NULL, 0, 0}};
/* mmHg: 13595.1 kg/m3 * 9.80665 m/s2 * 1 mm; it differs from the torr by 1.4e-7. */
static const struct unit pressure_units[] = {{"Pa", 1, 0},
                                             {"hPa", 1e2, 0},
                                             {"kPa", 1e3, 0},
                                             {"MPa", 1e6, 0},
                                             {"bar", 1e5, 0},
                                             {"mbar", 1e2, 0},
                                             {"atm", WN_ATM, 0},
                                             {"Torr", WN_TORR, 0},
                                             {"mmHg", 133.322387415, 0},
                                             {"psi", LBF / (INCH * INCH), 0},
                                             {NULL, 0, 0}};
static const struct unit temperature_units[] = {
    {"K", 1, 0}, {"C", 1, 273.15}, {"degC", 1, 273.15}, {NULL, 0, 0}};
static const struct unit length_units[] = {
    {"km", 1e3, 0},  {"m", 1, 0},     {"cm", 1e-2, 0}, {"mm", 1e-3, 0},
    {"um", 1e-6, 0}, {"nm", 1e-9, 0}, {NULL, 0, 0}};
static const struct unit density_units[] = {
    {"m-3", 1, 0}, {"cm-3", 1e6, 0}, {"m^-3", 1, 0}, {"cm^-3", 1e6, 0}, {NULL, 0, 0}};
static const struct unit mass_units[] = {
    {"kg", 1, 0}, {"u", WN_AMU, 0}, {"amu", WN_AMU, 0}, {"me", WN_ME, 0}, {NULL, 0, 0}};
static const struct unit angle_units[] = {
    {"rad", 1, 0}, {"deg", WN_PI / 180, 0}, {NULL, 0, 0}};
static const struct unit magnetic_units[] = {
    {"Hx", 1, 0}, {"T", 1, 0}, {"mT", 1e-3, 0}, {"G", 1e-4, 0}, {NULL, 0, 0}};
static const struct unit velocity_units[] = {
    {"m/s", 1, 0}, {"km/s", 1e3, 0}, {"c", WN_C, 0}, {NULL, 0, 0}};
static const struct unit voltage_units[] = {
    {"V", 1, 0}, {"mV", 1e-3, 0}, {"kV", 1e3, 0}, {NULL, 0, 0}};
static const struct unit frequency_units[] = {
    {"Hz", 1, 0}, {"kHz", 1e3, 0}, {"MHz", 1e6, 0}, {"GHz", 1e9, 0}, {NULL, 0, 0}};
static const struct unit farad_units[] = {
    {"F", 1, 0},      {"mF", 1e-3, 0},  {"uF", 1e-6, 0}, {"nF", 1e-9, 0},
    {"pF", 1e-12, 0}, {"fF", 1e-15, 0}, {NULL, 0, 0}};
static const struct unit ohm_units[] = {
    {"ohm", 1, 0}, {"mohm", 1e-3, 0}, {"kohm", 1e3, 0}, {"Mohm", 1e6, 0}, {NULL, 0, 0}};
static const struct unit henry_units[] = {
    {"H", 1, 0}, {"mH", 1e-3, 0}, {"uH", 1e-6, 0}, {"nH", 1e-9, 0}, {NULL, 0, 0}};
static const struct unit capacitance_units[] = {{"F/m2", 1, 0},      {"mF/m2", 1e-3, 0},
                                                {"uF/m2", 1e-6, 0},  {"nF/m2", 1e-9, 0},
                                                {"pF/m2", 1e-12, 0}, {NULL, 0, 0}};
static const struct unit resistance_units[] = {
    {"ohm m2", 1, 0}, {"mohm m2", 1e-3, 0}, {"kohm m2", 1e3, 0}, {NULL, 0, 0}};
static const struct unit inductance_units[] = {{"H m2", 1, 0},
                                               {"mH m2", 1e-3, 0},
                                               {"uH m2", 1e-6, 0},
                                               {"nH m2", 1e-9, 0},
                                               {NULL, 0, 0}};
static const struct unit current_units[] = {{"A/m2", 1, 0},    {"mA/m2", 1e-3, 0},
                                            {"kA/m2", 1e3, 0}, {"A/cm2", 1e4, 0},
                                            {"mA/cm2", 10, 0}, {NULL, 0, 0}};
static const struct unit flux_units[] = {
    {"m-2 s-1", 1, 0}, {"cm-2 s-1", 1e4, 0}, {NULL, 0, 0}};
static const struct unit creation_units[] = {
    {"m-3 s-1", 1, 0}, {"cm-3 s-1", 1e6, 0}, {NULL, 0, 0}};
static const struct unit rate_units[] = {
    {"1/s", 1, 0},    {"/s", 1, 0},     {"s-1", 1, 0},    {"s^-1", 1, 0},
    {"1/ms", 1e3, 0}, {"1/us", 1e6, 0}, {"1/ns", 1e9, 0}, {NULL, 0, 0}};
static const struct unit constant_units[] = {{"m3/s", 1, 0},
                                             {"cm3/s", 1e-6, 0},
                                             {"m^3/s", 1, 0},
                                             {"cm^3/s", 1e-6, 0},
                                             {NULL, 0, 0}};
static const struct unit absorption_units[] = {{"m-1 Pa-1", 1, 0},
                                               {"cm-1 Torr-1", 1e2 / WN_TORR, 0},
                                               {"m-1 bar-1", 1e-5, 0},
                                               {NULL, 0, 0}};
static const struct unit wall_units[] = {{"s", 1, 0},    {"ms", 1e-3, 0}, {"min", 60, 0},
                                         {"h", 3600, 0}, {"d", 86400, 0}, {NULL, 0, 0}};

static const struct {
  const char *plural, *base, *allowed;
  const struct unit *unit;
} kinds[WN_N_UNIT_KINDS] = {
    [WN_UNIT_NONE] = {"plain numbers", "", "", no_units},
    [WN_UNIT_FIELD] = {"fields", "V/m", "Td, V/m, V/cm, kV/cm, kV/m, MV/m", field_units},
    [WN_UNIT_ENERGY] = {"energies", "eV", "eV, meV, keV, MeV, J", energy_units},
    [WN_UNIT_KT] = {"temperatures of particles", "eV", "eV, meV, keV, MeV, J, K",
                    kt_units},
    [WN_UNIT_TIME] = {"times", "s", "s, ms, us, ns, ps, fs", time_units},
    [WN_UNIT_PRESSURE] = {"pressures", "Pa",
                          "Pa, hPa, kPa, MPa, bar, mbar, atm, Torr, mmHg, psi",
                          pressure_units},
    [WN_UNIT_TEMPERATURE] = {"temperatures", "K", "K, C, degC", temperature_units},
    [WN_UNIT_LENGTH] = {"lengths", "m", "km, m, cm, mm, um, nm", length_units},
    [WN_UNIT_DENSITY] = {"number densities", "m-3", "m-3, cm-3, m^-3, cm^-3",
                         density_units},
    [WN_UNIT_MASS] = {"masses", "kg", "kg, u, amu, me", mass_units},
    [WN_UNIT_ANGLE] = {"angles", "rad", "rad, deg", angle_units},
    [WN_UNIT_MAGNETIC] = {"magnetic fields", "T", "T, mT, G, Hx", magnetic_units},
    [WN_UNIT_VELOCITY] = {"velocities", "m/s", "m/s, km/s, c", velocity_units},
    [WN_UNIT_VOLTAGE] = {"voltages", "V", "V, mV, kV", voltage_units},
    [WN_UNIT_FREQUENCY] = {"frequencies", "Hz", "Hz, kHz, MHz, GHz", frequency_units},
    [WN_UNIT_CAPACITANCE] = {"capacitances per area", "F/m2",
                             "F/m2, mF/m2, uF/m2, nF/m2, pF/m2", capacitance_units},
    [WN_UNIT_RESISTANCE] = {"resistances times area", "ohm m2",
                            "ohm m2, mohm m2, kohm m2", resistance_units},
    [WN_UNIT_INDUCTANCE] = {"inductances times area", "H m2", "H m2, mH m2, uH m2, nH m2",
                            inductance_units},
    [WN_UNIT_FARAD] = {"capacitances", "F", "F, mF, uF, nF, pF, fF", farad_units},
    [WN_UNIT_OHM] = {"resistances", "ohm", "ohm, mohm, kohm, Mohm", ohm_units},
    [WN_UNIT_HENRY] = {"inductances", "H", "H, mH, uH, nH", henry_units},
    [WN_UNIT_CURRENT] = {"current densities", "A/m2", "A/m2, mA/m2, kA/m2, A/cm2, mA/cm2",
                         current_units},
    [WN_UNIT_FLUX] = {"fluxes", "m-2 s-1", "m-2 s-1, cm-2 s-1", flux_units},
    [WN_UNIT_CREATION] = {"rates in a volume", "m-3 s-1", "m-3 s-1, cm-3 s-1",
                          creation_units},
    [WN_UNIT_RATE] = {"rates", "1/s", "1/s, /s, s-1, s^-1, 1/ms, 1/us, 1/ns", rate_units},
    [WN_UNIT_CONSTANT] = {"rate constants", "m3/s", "m3/s, cm3/s, m^3/s, cm^3/s",
                          constant_units},
    [WN_UNIT_ABSORPTION] = {"absorption coefficients per pressure", "m-1 Pa-1",
                            "m-1 Pa-1, cm-1 Torr-1, m-1 bar-1", absorption_units},
    [WN_UNIT_WALL] = {"times of a clock", "s", "s, ms, min, h, d", wall_units},
};

static bool is_blank(char c)
{
  return c == ' ' || c == '\t';
}

bool wn_config_units_decimal(const char *text, double *value, char **end)
{
  const char *digits = text + (*text == '+' || *text == '-');
  digits += *digits == '.';
  if (*digits < '0' || *digits > '9' || (digits[0] == '0' && (digits[1] | 32) == 'x'))
    return false;
  char *behind;
  const double number = strtod(text, &behind);
  if (!isfinite(number))
    return false;
  *value = number;
  *end = behind;
  return true;
}

enum wn_unit_result wn_config_units_parse(enum wn_unit_kind kind, const char *text,
                                          double *value, bool *reduced, const char **unit)
{
  const char *s = text;
  while (is_blank(*s))
    s++;
  char *end;
  double number;
  if (!wn_config_units_decimal(s, &number, &end))
    return WN_UNIT_NOT_A_NUMBER;

  const char *name = end;
  while (is_blank(*name))
    name++;
  size_t len = strlen(name);
  while (len > 0 && is_blank(name[len - 1]))
    len--;

  if (len == 0) {
    if (kind != WN_UNIT_NONE && number != 0)
      return WN_UNIT_MISSING;
    *value = number;
    if (reduced != NULL)
      *reduced = false;
    return WN_UNIT_GOOD;
  }
  for (const struct unit *u = kinds[kind].unit; u->name; u++) {
    if (strlen(u->name) == len && strncmp(u->name, name, len) == 0) {
      double v = number * u->scale + u->offset;
      if (!isfinite(v))
        return WN_UNIT_NOT_A_NUMBER;
      *value = v;
      if (reduced != NULL)
        *reduced = u == field_units || u == magnetic_units;
      return WN_UNIT_GOOD;
    }
  }
  if (unit != NULL)
    *unit = name;
  return WN_UNIT_UNKNOWN;
}

const char *wn_config_units_plural(enum wn_unit_kind kind)
{
  return kinds[kind].plural;
}

const char *wn_config_units_allowed(enum wn_unit_kind kind)
{
  return kinds[kind].allowed;
}

const char *wn_config_units_base(enum wn_unit_kind kind)
{
  return kinds[kind].base;
}

const char *wn_config_units_number(double value, char buf[32])
{
  for (int digits = 15; digits <= 17; digits++) {
    snprintf(buf, 32, "%.*g", digits, value);
    if (strtod(buf, NULL) == value)
      break;
  }
  return buf;
}
