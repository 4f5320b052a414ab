/* t0501-scenario-errors.c - defends: each mistake in a scenario is an error with its
 * place, key, value and what is allowed; all errors of a file come in one go; and no text
 * whatever makes the reader crash (run it under a sanitizer to see). The messages are
 * written out here as people are to read them. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "t/tap/scenario.h"
#include "t/tap/tap.h"

#define GAS    "gas = { components = { N2 = { file = \"builtin:air\"; }; }; };\n"
#define FIELDS "fields = [\"100 Td\"];\n"
#define BASE   FIELDS GAS

/* A list of 62 energies, to be gone on with. */
#define EV(x) "\"" x " eV\", "
#define EIGHT(x)                                                                         \
  EV(x "1") EV(x "2") EV(x "3") EV(x "4") EV(x "5") EV(x "6") EV(x "7") EV(x "8")
#define NINE(x)   EIGHT(x) EV(x "9")
#define SIXTY_TWO NINE("1") NINE("2") NINE("3") NINE("4") NINE("5") NINE("6") EIGHT("7")
#define RUNAWAY   BASE "job = \"runaway\"; duration = \"1 ns\";\n"

/* libconfig 1.5 does not free the text that stands where it finds a syntax error, 64
 * bytes each; a sanitizer is asked not to blame us for it. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
  return "leak:libconfig";
}

static int read_text(const char *text, const char *set, char **messages)
{
  return scenario_messages("t0501.cfg", text, set, messages);
}

static const struct {
  const char *text, *set, *messages;
} cases[] = {
    {BASE, NULL, ""},
    {BASE "acuracy = 0.1;", NULL,
     "t0501.cfg:3: key `acuracy`: unknown key; nearest is `accuracy`\n"},
    {BASE "pressure = \"1 atm\";", NULL,
     "t0501.cfg:3: key `pressure`: unknown key; nearest is `gas.pressure`\n"},
    {"fields = [\"1 Td to 9 Td\"];\n" GAS, NULL,
     "t0501.cfg:1: key `fields` = [\"1 Td to 9 Td\"]: has no number of values; a range "
     "is \"FROM to TO, NUMBER linear\" or logarithmic, as in "
     "\"1 Td to 1000 Td, 31 logarithmic\"\n"},
    {"fields = [\"1 Td to 9 Td, 1 linear\"];\n" GAS, NULL,
     "t0501.cfg:1: key `fields` = [\"1 Td to 9 Td, 1 linear\"]: has not 2 to 10000 "
     "values; a range is \"FROM to TO, NUMBER linear\" or logarithmic, as in "
     "\"1 Td to 1000 Td, 31 logarithmic\"\n"},
    {"fields = [\"1 Td to 9 Td, many linear\"];\n" GAS, NULL,
     "t0501.cfg:1: key `fields` = [\"1 Td to 9 Td, many linear\"]: has not 2 to 10000 "
     "values; a range is \"FROM to TO, NUMBER linear\" or logarithmic, as in "
     "\"1 Td to 1000 Td, 31 logarithmic\"\n"},
    {"fields = [\"1 Td to 9 Td, 3 log\"];\n" GAS, NULL,
     "t0501.cfg:1: key `fields` = [\"1 Td to 9 Td, 3 log\"]: is neither linear nor "
     "logarithmic; a range is \"FROM to TO, NUMBER linear\" or logarithmic, as in "
     "\"1 Td to 1000 Td, 31 logarithmic\"\n"},
    {"fields = [\"1 Td to 9 Td, 3\"];\n" GAS, NULL,
     "t0501.cfg:1: key `fields` = [\"1 Td to 9 Td, 3\"]: is neither linear nor "
     "logarithmic; a range is \"FROM to TO, NUMBER linear\" or logarithmic, as in "
     "\"1 Td to 1000 Td, 31 logarithmic\"\n"},
    {"fields = [\"0 to 9 Td, 3 logarithmic\"];\n" GAS, NULL,
     "t0501.cfg:1: key `fields` = [\"0 to 9 Td, 3 logarithmic\"]: is logarithmic and has "
     "an end that is not above 0; a range is \"FROM to TO, NUMBER linear\" or "
     "logarithmic, as in "
     "\"1 Td to 1000 Td, 31 logarithmic\"\n"},
    {"fields = [\"1 Td to 9 kV/cm, 3 linear\"];\n" GAS, NULL,
     "t0501.cfg:1: key `fields` = [\"1 Td to 9 kV/cm, 3 linear\"]: has one end in Td and "
     "one that is not; a range is \"FROM to TO, NUMBER linear\" or logarithmic, as in "
     "\"1 Td to 1000 Td, 31 logarithmic\"\n"},
    {"fields = [\"9 Td to 9 Td, 3 linear\"];\n" GAS, NULL,
     "t0501.cfg:1: key `fields` = [\"9 Td to 9 Td, 3 linear\"]: ends where it begins; a "
     "range is \"FROM to TO, NUMBER linear\" or logarithmic, as in "
     "\"1 Td to 1000 Td, 31 logarithmic\"\n"},
    {"fields = [\"1 Td to 1.00001 Td, 99 linear\"];\n" GAS, NULL,
     "t0501.cfg:1: key `fields` = [\"1 Td to 1.00001 Td, 99 linear\"]: has two values "
     "that are equal in six digits; a range is \"FROM to TO, NUMBER linear\" or "
     "logarithmic, as in \"1 Td to 1000 Td, 31 logarithmic\"\n"},
    {"fields = [\"-1 Td to 9 Td, 3 linear\"];\n" GAS, NULL,
     "t0501.cfg:1: key `fields` = [\"-1 Td to 9 Td, 3 linear\"]: out of range; allowed: "
     "0 V/m to 1e+12 V/m\n"},
    {BASE "scan = { T = { key = \"gas.temprature\"; values = [\"1 K\"]; }; };", NULL,
     "t0501.cfg:3: key `scan.T.key` = \"gas.temprature\": unknown key; nearest is "
     "gas.temperature\n"},
    {BASE
     "scan = { T = { key = \"gas.temperature\"; values = [\"300 K\", \"-3 K\"]; }; };",
     NULL,
     "t0501.cfg:3: key `scan.T.values` = [\"300 K\", \"-3 K\"]: \"-3 K\" for "
     "`gas.temperature`: out of range; allowed: 0 K to 100000 K\n"},
    {BASE "scan = { T = { key = \"output\"; values = [\"a\"]; }; };", NULL,
     "t0501.cfg:3: key `scan.T.key` = \"output\": cannot be scanned: it is not a single "
     "number or word\n"},
    {BASE "scan = { T = { key = \"threads\"; values = [\"1\"]; }; };", NULL,
     "t0501.cfg:3: key `scan.T.key` = \"threads\": cannot be scanned: it changes no "
     "result\n"},
    {BASE "scan = { T = { key = \"fields\"; values = [\"1 Td\"]; }; };", NULL,
     "t0501.cfg:3: key `scan.T.key` = \"fields\": cannot be scanned: it is a list "
     "already: all fields are run at each scan point\n"},
    {BASE "scan = { T = { key = \"seed\"; values = []; }; };", NULL,
     "t0501.cfg:3: key `scan.T.values` = []: missing or empty; give at least one "
     "value\n"},
    {BASE "scan = { T = { key = \"seed\"; values = [\"1.5\"]; }; };", NULL,
     "t0501.cfg:3: key `scan.T.values` = [\"1.5\"]: \"1.5\" for `seed`: takes a whole "
     "number\n"},
    {BASE "scan = { T = { values = [\"1\"]; }; };", NULL,
     "t0501.cfg: key `scan.T.key`: missing; give the key to be scanned\n"},
    {BASE
     "scan = { a = { key = \"seed\"; values = [\"1\"]; }; b = { key = \"seed\"; values "
     "= [\"2\"]; }; };",
     NULL, "t0501.cfg:3: key `scan.b.key` = \"seed\": scan `a` has the same key\n"},
    {BASE "scan = { a = { key = \"gas.components.O2.mass\"; values = [\"1 u\"]; }; };",
     NULL,
     "t0501.cfg:3: key `scan.a.key` = \"gas.components.O2.mass\": the scenario has no "
     "`O2`\n"},
    {BASE "waveform = { shape = \"sine\"; };", NULL,
     "t0501.cfg: key `waveform.frequency`: missing; a sine needs one, such as \"13.56 "
     "MHz\"\n"},
    {BASE "waveform = { shape = \"sine\"; frequency = \"0 Hz\"; };", NULL,
     "t0501.cfg:3: key `waveform.frequency` = \"0 Hz\": out of range; allowed: more than "
     "0 "
     "Hz to 1e+18 Hz, or \"none\"\n"},
    {BASE
     "waveform = { shape = \"sine\"; frequency = \"1 GHz\"; };\nsampling = { interval "
     "= \"0.2 ns\"; };",
     NULL,
     "t0501.cfg:4: key `sampling.interval` = \"0.2 ns\": 2e-10 s do not resolve a period "
     "of "
     "1e-09 s; at most 1.25e-10 s are allowed\n"},
    {BASE
     "waveform = { shape = \"steps\"; times = [\"0 s\", \"2 ns\", \"1 ns\"]; factors = "
     "[1, 2, 3]; };",
     NULL,
     "t0501.cfg:3: key `waveform.times` = [\"0 s\", \"2 ns\", \"1 ns\"]: each value must "
     "be above the one before it\nt0501.cfg: key `duration`: a swarm in a time-dependent "
     "field without a period needs a time, such as \"10 ns\"\n"},
    {BASE "waveform = { shape = \"pulse\"; length = \"1 ns\"; frequency = \"1 GHz\"; "
          "};\nduration = \"2 ns\";",
     NULL,
     "t0501.cfg:3: key `waveform.frequency` = \"1 GHz\": has no effect with "
     "waveform.shape "
     "= \"pulse\"\n"},
    {BASE "waveform = { shape = \"steps\"; file = \"t0501-none.csv\"; };", NULL,
     "t0501.cfg:3: key `waveform.file` = \"t0501-none.csv\": no such file, or not "
     "readable; searched: t0501-none.csv\n"},
    {BASE "waveform = { shape = \"steps\"; file = \"t0501-text.csv\"; };", NULL,
     "t0501-text.csv:3: not two numbers; a line holds a time in seconds and a factor, a "
     "comma or blanks between them\n"},
    {BASE "waveform = { shape = \"linear\"; file = \"t0501-back.csv\"; };", NULL,
     "t0501-back.csv:3: times must increase from line to line\n"},
    {BASE "waveform = { shape = \"linear\"; file = \"t0501-three.csv\"; };", NULL,
     "t0501-three.csv:2: not two numbers; a line holds a time in seconds and a factor, a "
     "comma or blanks between them\n"},
    {BASE "waveform = { shape = \"linear\"; file = \"t0501-nan.csv\"; };", NULL,
     "t0501-nan.csv:1: not two numbers; a line holds a time in seconds and a factor, a "
     "comma or blanks between them\n"},
    {BASE "waveform = { shape = \"linear\"; file = \"t0501-long.csv\"; };", NULL,
     "t0501-long.csv:4: a time must be from 0 to 1000 s\n"},
    {BASE "waveform = { shape = \"linear\"; file = \"t0501-high.csv\"; };", NULL,
     "t0501-high.csv:2: a factor must be from -1000 to 1000\n"},
    {BASE "waveform = { shape = \"steps\"; file = \"t0501-late.csv\"; };", NULL,
     "t0501.cfg:3: key `waveform.file` = \"t0501-late.csv\": begins at 1e-09 s; the "
     "first "
     "time must be 0\n"},
    {BASE "waveform = { shape = \"linear\"; file = \"t0501-one.csv\"; };", NULL,
     "t0501.cfg:3: key `waveform.file` = \"t0501-one.csv\": 1 point; waveform.shape = "
     "\"linear\" needs 2 at least, by waveform.times and waveform.factors or by "
     "waveform.file\n"},
    {BASE
     "waveform = { shape = \"sine\"; frequency = \"1 GHz\"; };\nsampling = { block = "
     "8; };",
     NULL,
     "t0501.cfg:4: key `sampling.block` = 8: has no effect in a time-dependent field: "
     "there are no blocks, means are over waveform.rows\n"},
    {BASE
     "waveform = { shape = \"sine\"; frequency = \"1 GHz\"; };\naccuracy = { bulk_DL "
     "= 0.01; };",
     NULL,
     "t0501.cfg:4: key `accuracy.bulk_DL` = 0.01: names a coefficient of a swarm in a "
     "constant field; in a time-dependent field accuracy is one number, for mean energy "
     "and drift amplitude\n"},
    {BASE "waveform = { shape = \"sine\"; frequency = \"1 GHz\"; };\nduration = \"5 "
          "ns\";",
     "accuracy=0.02",
     "wilson: warning: --set accuracy=0.02: key `accuracy`: has no effect beside "
     "duration, which gives the number of periods\n"},
    {RUNAWAY "waveform = { shape = \"steps\"; times = [\"0 s\"]; factors = [1]; };",
     "waveform.rows=8",
     "wilson: warning: --set waveform.rows=8: key `waveform.rows`: has no effect in a "
     "runaway job without runaway.levels, which has no time rows\n"},
    {BASE "waveform = { shape = \"steps\"; times = [\"0 s\"]; factors = [1]; };", NULL,
     "t0501.cfg: key `duration`: a swarm in a time-dependent field without a period "
     "needs a time, such as \"10 ns\"\n"},
    {RUNAWAY "waveform = { shape = \"steps\"; times = [\"0 s\"]; factors = [1]; };",
     "job=\"runaway-rate\"",
     "t0501.cfg:4: key `waveform.shape` = \"steps\": job runaway-rate needs a steady "
     "swarm, and there is none in a time-dependent field; use job swarm or runaway\n"},
    {BASE "zzzzzz = 1;", NULL,
     "t0501.cfg:3: key `zzzzzz`: unknown key; `wilson list keys` shows all\n"},
    {FIELDS "gas = { components = { N2 = { fil = \"builtin:air\"; file = "
            "\"builtin:air\"; }; }; };",
     NULL,
     "t0501.cfg:2: key `gas.components.N2.fil`: unknown key; nearest is "
     "`gas.components.N2.file`\n"},
    {BASE "seed = 1;\nseed = 2;", NULL,
     "t0501.cfg:4: key `seed`: given twice; first in line 3\n"},
    {BASE "runaway = { stop_above = \"1 keV\";\n stop_above = \"1 keV\"; };\nseed = 1; "
          "seed = 2;",
     NULL,
     "t0501.cfg:4: key `runaway.stop_above`: given twice; first in line 3\nt0501.cfg:5: "
     "key `seed`: given twice; first in line 5\n"},
    {BASE "seed = ;", NULL,
     "t0501.cfg:3: syntax error: expected key = value; with texts and values with unit "
     "in "
     "quotes\n"},
    {BASE "duration = 1 ns;", NULL,
     "t0501.cfg:3: syntax error: expected key = value; with texts and values with unit "
     "in "
     "quotes\n"},
    {BASE "title = \"no end;\nseed = 1;\n", NULL,
     "t0501.cfg:3: the quotes opened here are not closed\n"},
    {"@include \"x\"\n" BASE, NULL,
     "t0501.cfg:1: @include is not supported: a scenario is one file\n"},
    {BASE "seed = 99999999999999999999;", NULL,
     "t0501.cfg:3: 99999999999999999999 is too large for an integer; the largest is "
     "9223372036854775807\n"},
    /* libconfig 1.5 alone would wrap this around to 1410065408. */
    {BASE "electrons = 10000000000;", NULL,
     "t0501.cfg:3: key `electrons` = 10000000000: out of range; allowed: 1 to 4e+09\n"},
    {BASE "electrons = 1.5;", NULL,
     "t0501.cfg:3: key `electrons` = 1.5: takes a whole number\n"},
    {BASE "electrons = 1e3;", NULL, ""},
    {BASE "magnetic_field = \"200 Hx\";", NULL, ""},
    {BASE "magnetic_field = \"-1 Hx\";", NULL,
     "t0501.cfg:3: key `magnetic_field` = \"-1 Hx\": out of range; allowed: 0 T to 100 "
     "T\n"},
    {BASE "magnetic_field = \"1e8 Hx\";", NULL,
     "t0501.cfg:3: key `magnetic_field` = \"1e8 Hx\": 100000000 Hx is 2446313.29 T in "
     "this "
     "gas; at most 100 T is allowed\n"},
    {BASE "electrons = -5;", NULL,
     "t0501.cfg:3: key `electrons` = -5: out of range; allowed: 1 to 4e+09\n"},
    {BASE "quiet = 1;", NULL, "t0501.cfg:3: key `quiet` = 1: takes true or false\n"},
    {BASE "title = 5;", NULL, "t0501.cfg:3: key `title` = 5: takes text in quotes\n"},
    {BASE "seed = { a = 1; };", NULL, "t0501.cfg:3: key `seed`: takes a whole number\n"},
    {BASE "runaway = 5;", NULL,
     "t0501.cfg:3: key `runaway` = 5: `runaway` is a group of keys, not a value; `wilson "
     "help "
     "runaway` lists them\n"},
    {BASE "scattering = \"isotopic\";", NULL,
     "t0501.cfg:3: key `scattering` = \"isotopic\": unknown word, nearest is "
     "\"isotropic\"; "
     "allowed: isotropic, okhrimovskyy, screened-coulomb, moliere\n"},
    {BASE "duration = 1e-9;", NULL,
     "t0501.cfg:3: key `duration` = 1e-09: has no unit; units of times: s, ms, us, ns, "
     "ps, fs, as in \"1e-09 s\"\n"},
    {BASE "duration = \"1\";", NULL,
     "t0501.cfg:3: key `duration` = \"1\": has no unit; units of times: s, ms, us, ns, "
     "ps, fs\n"},
    {BASE "duration = \"soon\";", NULL,
     "t0501.cfg:3: key `duration` = \"soon\": takes a number with unit, in quotes (s, "
     "ms, us, ns, "
     "ps, fs), or auto\n"},
    {BASE "duration = \"0 s\";", NULL,
     "t0501.cfg:3: key `duration` = \"0 s\": out of range; allowed: more than 0 s to "
     "1000 s, or "
     "\"auto\"\n"},
    {BASE "relaxation = 0;", NULL, ""},
    {BASE "accuracy = \"0.1\";", NULL,
     "t0501.cfg:3: key `accuracy` = \"0.1\": takes a number\n"},
    {BASE "tables = { bins_per_octave = 100; };", NULL,
     "t0501.cfg:3: key `tables.bins_per_octave` = 100: out of range; allowed: 16 to "
     "1024, a power "
     "of two\n"},
    {BASE "runaway = { thresholds = [\"2 keV\", \"1 keV\"]; };", NULL,
     "t0501.cfg:3: key `runaway.thresholds` = [\"2 keV\", \"1 keV\"]: each value must be "
     "above "
     "the one before it\n"},
    {BASE "gas2 = 1;", "gas.pressure=760 Tor",
     "t0501.cfg:3: key `gas2`: unknown key; nearest is `gas`\n--set gas.pressure=760 "
     "Tor: unknown unit `Tor`; units of pressures: Pa, hPa, kPa, MPa, bar, mbar, atm, "
     "Torr, mmHg, psi\n"},
    {BASE, "gas.presure=1 atm",
     "--set gas.presure=1 atm: key `gas.presure`: unknown key; nearest is "
     "`gas.pressure`\n"},
    {BASE, "electrons", "--set electrons: not of the form key=value\n"},
    {BASE "electrons = 0;", "electrons=1000", ""}, /* --set replaces the file's value */
    {BASE, "gas.components.X Y.fraction=1",
     "--set gas.components.X Y.fraction=1: a component's name has a letter, then "
     "letters, digits, - and _, at most 63 characters in all\n"},
    {GAS, NULL,
     "t0501.cfg: key `fields`: missing; give the electric fields to run, as in fields = "
     "[\"120 "
     "Td\", \"10 kV/cm\"]\n"},
    {"fields = [];\n" GAS, NULL,
     "t0501.cfg:1: key `fields` = []: the list is empty; give at least one field\n"},
    {FIELDS, NULL,
     "t0501.cfg: key `gas.components`: missing; a gas needs a component, as in gas = { "
     "components = { N2 = { file = \"builtin:air\"; }; }; };\n"},
    {FIELDS "gas = { components = { N2 = {}; }; };", NULL,
     "t0501.cfg: key `gas.components.N2.file`: missing; give an LXCat file, or "
     "builtin:air for "
     "the analytic N2 and O2, or builtin:argon\n"},
    {FIELDS "gas = { components = { N2 = { file = \"no/such.txt\"; }; }; };", NULL,
     "t0501.cfg:2: key `gas.components.N2.file` = \"no/such.txt\": no such file, or not "
     "readable; searched: no/such.txt\n"},
    {FIELDS "gas = { components = { N2 = { file = \"builtin:ar\"; }; }; };", NULL,
     "t0501.cfg:2: key `gas.components.N2.file` = \"builtin:ar\": the built-in sets "
     "are builtin:air and builtin:argon\n"},
    {FIELDS "gas = { components = { N2 = { file = \"builtin:air\"; fraction = 0.8; };\n"
            "O2 = { file = \"builtin:air\"; fraction = 0.1; }; }; };",
     NULL,
     "t0501.cfg: the fractions of gas.components add up to 0.9; they must add up to 1 "
     "within "
     "1e-6\n"},
    {FIELDS "gas = { components = { N2 = { file = \"builtin:air\"; fraction = 0.8; };\n"
            "O2 = { file = \"builtin:air\"; }; }; };",
     NULL,
     "t0501.cfg: key `gas.components.O2.fraction`: missing; a gas of 2 components needs "
     "a fraction for each\n"},
    {FIELDS "gas = { components = { N2 = { file = \"builtin:air\"; fraction = 0.0; };\n"
            "O2 = { file = \"builtin:air\"; fraction = 0.0; }; }; };",
     NULL,
     "wilson: info: t0501.cfg:3: key `gas.components.O2.fraction`: 0; the component is "
     "left out\nwilson: info: t0501.cfg:2: key `gas.components.N2.fraction`: 0; the "
     "component is left out\nt0501.cfg: key `gas.components`: the fractions of all "
     "components are 0; one must be above 0\n"},
    {FIELDS "gas = { components = { N2 = { file = \"builtin:air\"; fraction = 0.8; };\n"
            "O2 = { file = \"builtin:air\"; fraction = 0.0; }; }; };",
     NULL,
     "wilson: info: t0501.cfg:3: key `gas.components.O2.fraction`: 0; the component is "
     "left out\n"
     "t0501.cfg: the fractions of gas.components add up to 0.8; they must add up to 1 "
     "within 1e-6\n"},
    {BASE, "gas.components.N2.rotational_weights=[2.0, 1.0]",
     "--set gas.components.N2.rotational_weights=[2.0, 1.0]: has no effect without "
     "gas.components.N2.rotational_temperature\n"},
    {BASE,
     "gas.components.N2={rotational_temperature=\"1 K\"; rotational_weights=[2.0];}",
     "--set gas.components.N2={rotational_temperature=\"1 K\"; "
     "rotational_weights=[2.0];}: 1 values; two are needed, of even and of odd J\n--set "
     "gas.components.N2={rotational_temperature=\"1 K\"; rotational_weights=[2.0];}: "
     "builtin:air has no blocks between states; give states_file, an LXCat file with "
     "such blocks\n"},
    {BASE, "gas.components.N2.states_file=t0501-one.csv",
     "--set gas.components.N2.states_file=t0501-one.csv: has no effect without "
     "gas.components.N2.rotational_temperature or vibrational_temperature\n"},
    {BASE, "gas.components.N2.vibrational_temperature=300 K",
     "--set gas.components.N2.vibrational_temperature=300 K: builtin:air has no blocks "
     "between states; give states_file, an LXCat file with such blocks\n"},
    {BASE, "gas.components.N2.excited_temperatures=[\"1000 K\"]",
     "--set gas.components.N2.excited_temperatures=[\"1000 K\"]: has no effect without "
     "gas.components.N2.excited\n"},
    {BASE, "gas.components.N2={excited=[\"a\", \"b\"]; excited_weights=[1.0];}",
     "--set gas.components.N2={excited=[\"a\", \"b\"]; excited_weights=[1.0];}: 1 values "
     "for the 2 levels of gas.components.N2.excited; give one for each level\n"},
    {BASE,
     "gas.components.N2={excited=[\"a\"]; excited_fractions=[0.1]; "
     "excited_temperatures=[\"9 K\"];}",
     "--set gas.components.N2={excited=[\"a\"]; excited_fractions=[0.1]; "
     "excited_temperatures=[\"9 K\"];}: gas.components.N2.excited_temperatures populates "
     "the levels, too; remove one of the two\n"},
    {BASE, "gas.components.N2.fraction=0.999998",
     "t0501.cfg: the fractions of gas.components add up to 0.999998; they must add up to "
     "1 within "
     "1e-6\n"},
    {BASE, "gas.components.N2.fraction=0.9999995", ""},
    {BASE, "gas.temperature=0",
     "--set gas.temperature=0: at 0 K the pressure gives no density; give "
     "gas.number_density\n"},
    {BASE, "gas={pressure=\"1 atm\"; number_density=\"1e25 m-3\";}",
     "--set gas={pressure=\"1 atm\"; number_density=\"1e25 m-3\";}: does not agree with "
     "gas.pressure: it is 41419.47 Pa at 300 K, not 101325 Pa; remove one of the two\n"},
    {FIELDS "scattering = \"screened-coulomb\";\n"
            "gas = { components = { X = { file = \"builtin:air\"; }; }; };",
     NULL,
     "t0501.cfg:3: key `gas.components.X.file` = \"builtin:air\": builtin:air has no "
     "target X; it has N2, O2\n"},
    {FIELDS "scattering = \"screened-coulomb\";\n"
            "gas = { components = { X = { file = \"t0501-text.csv\"; }; }; };",
     NULL,
     "t0501.cfg: key `gas.components.X.atomic_number`: screened-coulomb scattering needs "
     "a number "
     "here: X is not a molecule of one element of H, He, N, O, Ne, Ar, Kr, Xe\n"},
    {BASE "scattering = \"screened-coulomb\";", NULL, ""}, /* N2 is known by name */
    {BASE "job = \"runaway\";", NULL,
     "t0501.cfg: key `duration`: missing; a runaway job needs a time, such as \"1 "
     "ns\"\n"},
    {BASE "job = \"runaway\";\nduration = \"auto\";", NULL,
     "t0501.cfg:4: key `duration` = \"auto\": a runaway job needs a time, such as \"1 "
     "ns\"\n"},
    {RUNAWAY "runaway = { thresholds = [" SIXTY_TWO "\"79 eV\"]; };", NULL, ""},
    {RUNAWAY "runaway = { thresholds = [" SIXTY_TWO "\"79 eV\", \"80 eV\"]; };", NULL,
     "t0501.cfg:4: key `runaway.thresholds` = [\"11 eV\", \"12 eV\", \"13 eV\", "
     "\"14 eV\", \"15 eV\", \"16 eV\", \"17 eV\", ...]: 64 energies; there can be at "
     "most 63\n"},
    {BASE "split_remove = { cells = 5; };", NULL,
     "t0501.cfg:3: key `split_remove.cells`: unknown key; nearest is `grid.cells`\n"},
    {FIELDS "model = \"split-remove\";", NULL,
     "t0501.cfg:2: key `model` = \"split-remove\": unknown word; allowed: mcc, plasma; "
     "split-remove, rectangle and box, which measure schedulers, are run by "
     "bench/study/study\n"},
    {BASE "grid = { cells = 5; };", NULL,
     "t0501.cfg:3: key `grid.cells` = 5: model mcc does not use `grid.cells`; remove it, "
     "or set model = \"plasma\"\n"},
    {BASE "species = { e = { charge = 1; }; };", NULL,
     "t0501.cfg:3: key `species.e.charge` = 1: model mcc does not use "
     "`species.e.charge`; "
     "remove it, or set model = \"plasma\"\n"},
    {BASE "electrons = 10;", NULL,
     "t0501.cfg:3: key `electrons` = 10: 32 groups need at least as many electrons, and "
     "there are 10\n"},
    {BASE "elastic = { grouped_angle = \"5 deg\"; };", NULL,
     "t0501.cfg:3: key `elastic.grouped_angle` = \"5 deg\": has no effect without "
     "elastic.grouped_from\n"},
    {BASE "elastic = { grouped_from = \"50 keV\"; };", NULL,
     "t0501.cfg:3: key `elastic.grouped_from` = \"50 keV\": needs forward angles: "
     "scattering okhrimovskyy, screened-coulomb or moliere; with isotropic ones every "
     "deflection is large\n"},
    {BASE "scattering = \"okhrimovskyy\"; elastic = { grouped_from = \"20 MeV\"; };",
     NULL,
     "t0501.cfg:3: key `elastic.grouped_from` = \"20 MeV\": 20000000 eV is not below "
     "tables.energy_max, 16000000 eV\n"},
    {BASE "moller = { cut = \"2 keV\"; };", NULL,
     "t0501.cfg:3: key `moller.cut` = \"2 keV\": has no effect without sharing = "
     "\"moller\"\n"},
    {BASE "sharing = \"moller\"; moller = { soft_from = \"15 keV\"; };", NULL,
     "t0501.cfg:3: key `moller.soft_from` = \"15 keV\": 15000 eV is below twice "
     "moller.cut, 10000 eV; take at least 20000 eV\n"},
    {BASE "sharing = \"moller\"; moller = { soft_quantum = \"15 eV\"; };", NULL,
     "t0501.cfg:3: key `moller.soft_quantum` = \"15 eV\": has no effect without "
     "moller.soft_from\n"},
    {BASE "sharing = \"moller\"; moller = { soft_loss = \"continuous\"; };", NULL,
     "t0501.cfg:3: key `moller.soft_loss` = \"continuous\": has no effect without "
     "moller.soft_from\n"},
    {BASE "sharing = \"moller\"; moller = { soft_from = \"20 keV\"; soft_loss = "
          "\"continuous\"; };",
     NULL,
     "t0501.cfg:3: key `moller.soft_loss` = \"continuous\": needs stop_below: candidates "
     "come in its bands\n"},
    {BASE "sharing = \"moller\"; stop_below = \"20 keV\"; initial_energy = \"1 MeV\"; "
          "moller = { soft_from = \"20 keV\"; soft_loss = \"continuous\"; };",
     NULL,
     "t0501.cfg:3: key `moller.soft_loss` = \"continuous\": takes fields of 0 alone; "
     "with "
     "a field take \"quanta\"\n"},
    {BASE "moller = { soft_loss = \"continuous\"; };", NULL,
     "t0501.cfg:3: key `moller.soft_loss` = \"continuous\": has no effect without "
     "sharing "
     "= \"moller\"\n"},
    {BASE "sharing = \"moller\"; moller = { cut = \"9 MeV\"; };", NULL,
     "t0501.cfg:3: key `moller.cut` = \"9 MeV\": 9000000 eV is not below half of "
     "tables.energy_max, 16000000 eV: no electron of the tables would lose as much\n"},
    {BASE "detectors = { planes = [\"1 m\"]; };", NULL,
     "t0501.cfg:3: key `detectors.planes` = [\"1 m\"]: detectors are for job runaway; in "
     "a swarm job electrons are moved back in between, and places mean nothing\n"},
    {BASE "detectors = { rows = 7; };", NULL,
     "t0501.cfg:3: key `detectors.rows` = 7: has no effect without detectors.planes or "
     "detectors.spheres\n"},
    {BASE "runaway = { levels = true; };", NULL,
     "t0501.cfg:3: key `runaway.levels` = true: has no effect in a swarm job; levels are "
     "for job runaway\n"},
    {BASE "radiation = { compton = \"free\"; };", NULL,
     "t0501.cfg:3: key `radiation.compton` = \"free\": has no effect without "
     "radiation.photons_min\n"},
    {BASE "radiation = { roulette_weight = 1; };", NULL,
     "t0501.cfg:3: key `radiation.roulette_weight` = 1: has no effect without "
     "radiation.photons_min\n"},
    {BASE "radiation = { photons_min = \"10 keV\"; };", NULL,
     "t0501.cfg:3: key `radiation.photons_min` = \"10 keV\": no component names a file "
     "of "
     "photon data; give gas.components.<NAME>.photons, as in N2 = { photons = "
     "\"../photons/N.txt\"; }\n"},
    {BASE "stop_below = \"1 keV\";", NULL,
     "t0501.cfg:3: key `stop_below` = \"1 keV\": 1000 eV is not below initial_energy, "
     "0.1 "
     "eV: the electrons would be removed at their first collision\n"},
    {BASE "job = \"runaway-rate\"; duration = \"1 ns\"; initial_energy = \"2 keV\"; "
          "stop_below = \"1 keV\";",
     NULL,
     "t0501.cfg:3: key `stop_below` = \"1 keV\": a runaway-rate job follows electrons "
     "from "
     "the lowest energies on; only jobs swarm and runaway can do without\n"},
    {BASE, "runaway.stop_above=2 keV", /* said, but no error */
     "wilson: warning: --set runaway.stop_above=2 keV: key `runaway.stop_above`: has no "
     "effect in "
     "a swarm job\n"},
};

/* All errors of a file at once, in the order of its lines. */
static void many(void)
{
  char *messages = NULL;
  int status = read_text(
      "fields = [\"3 V\"];\nacuracy = 0.1;\nseed = -1;\n"
      "gas = {\n  presure = \"1 atm\";\n  temperature = 300;\n"
      "  components = { N2 = { file = \"nope.txt\"; fraction = 0.5; }; };\n};\n",
      "threads=x", &messages);
  is_int(status, WN_EINPUT, "a file with many errors is refused");
  size_t n = 0;
  for (const char *s = messages; s != NULL && (s = strchr(s, '\n')) != NULL; s++)
    n++;
  is_int((long)n, 8, "eight errors are eight messages");
  static const char *const order[] = {
      "t0501.cfg:1: ", "t0501.cfg:2: ",     "t0501.cfg:3: ", "t0501.cfg:5: ",
      "t0501.cfg:6: ", "--set threads=x: ", "t0501.cfg:7: ", "add up to 0.5"};
  const char *at = messages;
  for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
    const char *found = at ? strstr(at, order[i]) : NULL;
    ok(found != NULL, "message %zu is about \"%s\"", i + 1, order[i]);
    at = found ? found : at;
  }
  if (messages)
    diag("%s", messages);
  free(messages);
}

/* Small generator of our own (Knuth's MMIX): the same texts on every machine. */
static unsigned long long state = 1;
static unsigned next(unsigned n)
{
  state = state * 6364136223846793005ull + 1442695040888963407ull;
  return (unsigned)((state >> 33) % n);
}

static const char sound_mcc[] =
    "title = \"a\\\"b\"; # comment\nfields = [\"100 Td\", \"1 kV/cm\"]; electrons = "
    "1000;\n"
    "gas = { pressure = \"1 atm\"; /* c */ components = { N2 = { fraction = 0.8;\n"
    "file = \"builtin:air\"; exclude = [\"x\"]; }; O2 = { fraction = 0.2; file = "
    "\"builtin:air\"; }; }; };\nrunaway = { thresholds = [\"1 keV\"]; }; seed = "
    "20000000000;\n";
static const char sound_plasma[] =
    "model = \"plasma\"; duration = \"1 ns\"; grid = { cells = [8, 8];\nlength = [\"1 "
    "cm\", "
    "\"1 cm\"]; }; walls = { x_low = { field = \"dirichlet\"; voltage = \"1 V\"; };\n"
    "x_high = { field = \"neumann\"; }; }; species = { e = { density = \"1e9 m-3\"; "
    "width "
    "= [\"1 mm\", \"none\"];\nprofile = \"slab\"; drift = [\"1 m/s\", \"0\", \"0\"]; "
    "amplitude = 0.1; mode = [1, -2]; }; };\nplasma = { time_step = \"1 ps\"; modes = ( "
    "[1, 0], [0, 2] ); allow = [\"cell-crossing\"]; };\n";

static void broken_texts(const char *sound)
{
  static const char pieces[] = "{}[]();=:\"\\#/*@.,-+eEL0x9aN \n\t";
  size_t n_bad_status = 0, n_read = 0, n_silent = 0;
  /* WN_FEW=1: for valgrind, which takes fifty times as long */
  const int n_texts = getenv("WN_FEW") != NULL ? 150 : 2000;
  for (int i = 0; i < n_texts; i++) {
    char text[1024];
    size_t len = strlen(sound);
    memcpy(text, sound, len + 1);
    for (unsigned k = 1 + next(4); k > 0; k--) {
      size_t at = next((unsigned)len);
      switch (next(4)) {
      case 0:
        text[at] = pieces[next(sizeof pieces - 1)];
        break;
      case 1: /* take out */
        memmove(text + at, text + at + 1, len - at);
        len--;
        break;
      case 2: /* put in */
        memmove(text + at + 1, text + at, len - at + 1);
        text[at] = pieces[next(sizeof pieces - 1)];
        len++;
        break;
      default:
        text[at] = (char)(1 + next(255));
      }
    }
    char *messages = NULL;
    int status = read_text(text, NULL, &messages);
    n_bad_status += status != WN_OK && status != WN_EINPUT;
    n_read += status == WN_OK;
    n_silent += status == WN_EINPUT && (messages == NULL || !*messages);
    free(messages);
  }
  is_int((long)n_bad_status, 0, "%d damaged texts are read or refused", n_texts);
  is_int((long)n_silent, 0, "each that is refused has a message");
  diag("%zu of them were still valid", n_read);
}

static void write_text(const char *name, const char *text)
{
  FILE *f = fopen(name, "w");
  ok(f != NULL && fputs(text, f) != EOF && fclose(f) == 0, "%s is written", name);
}

int main(void)
{
  plan(0);
  write_text("t0501-text.csv", "# time, factor\n0, 1\n1e-9, 2x\n");
  write_text("t0501-back.csv", "0 1\n2e-9 1\n1e-9 1\n");
  write_text("t0501-three.csv", "0 1\n1e-9, 1, 2\n");
  write_text("t0501-nan.csv", "0 nan\n");
  write_text("t0501-long.csv", "# s\n0 1\n\n2e3 1\n");
  write_text("t0501-high.csv", "0 1\n1 -1001\n");
  write_text("t0501-late.csv", "1e-9 1\n2e-9 2\n");
  write_text("t0501-one.csv", "0 1\n");
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char *messages = NULL;
    int status = read_text(cases[i].text, cases[i].set, &messages);
    bool fine =
        !*cases[i].messages || strncmp(cases[i].messages, "wilson: warning", 15) == 0;
    is_int(status, fine ? WN_OK : WN_EINPUT, "status of case %zu", i);
    is_str(messages != NULL ? messages : "(none)", cases[i].messages,
           "messages of case %zu", i);
    free(messages);
  }
  many();
  broken_texts(sound_mcc);
  broken_texts(sound_plasma);
  remove("t0501.cfg");
  static const char *const files[] = {"text", "back", "three", "nan",
                                      "long", "high", "late",  "one"};
  for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
    char name[32];
    snprintf(name, sizeof name, "t0501-%s.csv", files[i]);
    remove(name);
  }
  return done();
}
