/* t0506-relative-units.c - defends: a value of model plasma in Debye lengths, cells, periods, steps or as a part
 * or multiple of another key's value is the one in m or s, to the bit where it is a quotient of given
 * numbers; the resolved text has m and s; and each mistake is an error with its place, value and what is
 * allowed.  Numbers: 1e15 electrons/m3 of 1 eV have the Debye length sqrt(eps0 kT / (n e^2)) = 0.2350818869682883
 * mm and the plasma frequency sqrt(n e^2 / (eps0 m)) = 1.783986365979084e9 rad/s, a period of
 * 3.521991774713626 ns (CODATA 2018, in forty digits). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "src/config/config.h"
#include "t/tap/scenario.h"
#include "t/tap/tap.h"

#define FILE_NAME "t0506.cfg"

/* The period of the walls is 80 ns; cells are 0.3 mm by 0.3125 mm. */
#define HEAD "model = \"plasma\"; duration = \"1 ns\";\n"
#define GRID "grid = { cells = [100, 64]; length = [\"3 cm\", \"2 cm\"]; };\n"
#define WALLS                                                                            \
  "walls = { x_low = { field = \"dirichlet\"; amplitude = \"1 V\"; frequency = \"12.5 "  \
  "MHz\"; pulse_end = \"none\"; };\n"                                                    \
  "  x_high = { field = \"dirichlet\"; }; };\n"
#define SPECIES(more)                                                                    \
  "species = { e = { density = \"1e15 m-3\"; temperature = \"1 eV\"; profile = "         \
  "\"slab\"; width = [\"1 mm\", \"1 "                                                    \
  "mm\"]; };\n  i = { density = \"0.25e15 m-3\"; charge = 1; mass = \"40 u\"; "          \
  "temperature = \"300 K\"; }; " more "};\n"
#define PLASMA                                                                           \
  "plasma = { time_step = \"10 ps\"; background = true; averages = { w = { start = "     \
  "\"0.1 ns\"; length = \"0.2 ns\"; blocks = 2; }; };\n"                                 \
  "  distributions = { d = { species = \"e\"; }; };\n"                                   \
  "  allow = [\"plasma-frequency\", \"cell-crossing\", \"debye-length\"]; };\n"
#define BASE HEAD GRID WALLS SPECIES("") PLASMA

/* As given, and the same in absolute units: the resolved scenarios are equal, letter by letter. */
static const struct {
  const char *given, *same;
} equal[] = {
    {"species.e.width=[\"100 cells\", \"64 cells\"]",
     "species.e.width=[\"3 cm\", \"2 cm\"]"},
    {"species.e.width=[\"1 cell\", \"1 cell\"]",
     "species.e.width=[\"0.3 mm\", \"0.3125 mm\"]"},
    {"species.e.width=[\"\t7/28\tcells \", \"1.5e0cells\"]",
     "species.e.width=[\"75 um\", \"468.75 um\"]"},
    {"species.e.width=[\"none\", \"+32 cells\"]", "species.e.width=[\"none\", \"1 cm\"]"},
    {"species.e.centre=[\"1.75 cm\", \"32 cells\"]",
     "species.e.centre=[\"1.75 cm\", \"1 cm\"]"},
    {"plasma.distributions.d.low=[\"25 cells\", \"0 cells\"]",
     "plasma.distributions.d.low=[\"0.75 cm\", \"0\"]"},
    {"plasma.distributions.d.high=[\"grid.length / 4\", \"3/4 * grid.length\"]",
     "plasma.distributions.d.high=[\"0.75 cm\", \"1.5 cm\"]"},
    {"duration=1/64 period", "duration=1.25 ns"},
    {"duration=100 periods", "duration=8 us"},
    {"plasma.time_step=1/4000 periods", "plasma.time_step=20 ps"},
    {"plasma.fields_interval=0.0125periods", "plasma.fields_interval=1 ns"},
    {"duration=1024 steps", "duration=10240 ps"},
    {"duration=64 * plasma.time_step", "duration=6.4e-10 s"},
    {"plasma.time_step=duration / 128", "plasma.time_step=7.8125 ps"},
    {"plasma.time_step=1/8*duration/16", "plasma.time_step=7.8125 ps"},
    {"plasma.integrals_interval=1 step", "plasma.integrals_interval=10 ps"},
    {"plasma.integrals_interval=step", "plasma.integrals_interval=step"},
    {"plasma.averages.w.length=plasma.averages.w.start",
     "plasma.averages.w.length=0.1 ns"},
    {"walls.x_low.pulse_end=0.5 * duration", "walls.x_low.pulse_end=0.5 ns"},
    {"walls.x_high.voltage=-2 * walls.x_low.amplitude", "walls.x_high.voltage=-2 V"},
    {"species.i.density=species.e.density", "species.i.density=1e15 m-3"},
    {"species.i.temperature=1/4 * species.e.temperature",
     "species.i.temperature=0.25 eV"},
    {"species.e.mass=1/2 * species.i.mass", "species.e.mass=20 u"},
    {"species.e.temperature=2 * species.i.temperature", "species.e.temperature=600 K"},
};

/* Debye lengths and plasma periods, of grid.length along x and of the time step. */
static const struct {
  const char *set;
  double length, step;
} electrons[] = {
    {"grid.length=[\"64 debye\", \"2 cm\"]", 64 * 0.2350818869682883e-3, 10e-12},
    {"plasma.time_step=1/200 plasma_period", 3e-2, 3.521991774713626e-9 / 200},
    {"plasma.time_step=0.02 plasma_periods", 3e-2, 3.521991774713626e-9 * 0.02},
    {"plasma.time_step=0.1 / omega_p", 3e-2, 0.1 / 1.783986365979084e9},
    {"plasma.time_step=1/10 / omega_p", 3e-2, 0.1 / 1.783986365979084e9},
};

#define LENGTHS "units of lengths: km, m, cm, mm, um, nm, debye, c / omega_0"
#define TIMES                                                                            \
  "units of times: s, ms, us, ns, ps, fs, periods, plasma_periods, / omega_p, / omega_0"

static const struct {
  const char *text, *set, *messages;
} wrong[] = {
    /* ---- what is no such value, by its place ---- */
    {HEAD "grid = { cells = [100, 64];\n  length = [\"3 cm\", \"8 debyes\"]; };\n" WALLS
         SPECIES("") PLASMA,
     NULL,
     "t0506.cfg:3: key `grid.length` = [\"3 cm\", \"8 debyes\"]: unknown unit "
     "`debyes`; " LENGTHS "\n"},
    {BASE, "duration=1e400 periods",
     "--set duration=1e400 periods: takes a number with unit, in quotes (s, ms, us, ns, "
     "ps, fs, periods, plasma_periods, / omega_p, / omega_0, steps), or auto\n"},
    {BASE, "species.e.width=[\"nan cells\", \"1 cm\"]",
     "--set species.e.width=[\"nan cells\", \"1 cm\"]: takes a list of numbers with "
     "unit, in quotes, one for each axis of the grid (km, m, cm, mm, um, nm, debye, c / "
     "omega_0, cells), or none\n"},
    {BASE, "plasma.time_step=0x10 periods",
     "--set plasma.time_step=0x10 periods: takes a number with unit, in quotes (s, ms, "
     "us, ns, ps, fs, periods, plasma_periods, / omega_p, / omega_0)\n"},
    {BASE, "plasma.time_step=1 / period",
     "--set plasma.time_step=1 / period: unknown unit `/ period`; " TIMES "\n"},
    {BASE, "plasma.time_step=1 omega_p",
     "--set plasma.time_step=1 omega_p: unknown unit `omega_p`; " TIMES "\n"},
    {BASE, "plasma.time_step=1 cell",
     "--set plasma.time_step=1 cell: unknown unit `cell`; " TIMES "\n"},
    {BASE, "grid.length=[\"1 period\", \"1 cm\"]",
     "--set grid.length=[\"1 period\", \"1 cm\"]: unknown unit `period`; " LENGTHS "\n"},
    {BASE, "plasma.time_step=2 * * duration",
     "--set plasma.time_step=2 * * duration: unknown unit `* * duration`; " TIMES "\n"},
    {BASE, "plasma.time_step=1/0 period",
     "--set plasma.time_step=1/0 period: division by 0\n"},
    {BASE, "plasma.time_step=duration / 0",
     "--set plasma.time_step=duration / 0: division by 0\n"},
    {BASE, "plasma.time_step=1e308 * duration / 1e-300",
     "--set plasma.time_step=1e308 * duration / 1e-300: not a finite number\n"},
    /* ---- range ---- */
    {BASE, "plasma.time_step=0 periods",
     "--set plasma.time_step=0 periods: out of range; allowed: more than 0 s to 1 s\n"},
    {BASE, "species.e.width=[\"-1 cells\", \"none\"]",
     "--set species.e.width=[\"-1 cells\", \"none\"]: out of range; allowed: more than 0 "
     "m to 1e+09 m, or \"none\"\n"},
    /* ---- what is not defined, or not once ---- */
    {HEAD
     "grid = { cells = [100, 64]; length = [\"100 debye\", \"3 cm\"]; };\n" WALLS SPECIES(
         "f = { density = \"1e14 m-3\"; }; ") PLASMA,
     NULL,
     "t0506.cfg:2: key `grid.length` = [\"100 debye\", \"3 cm\"]: 2 species are mobile "
     "electrons (negative, lighter than 100 me); a Debye length or a plasma period needs "
     "exactly one\n"},
    {HEAD
     "grid = { cells = [100, 64]; length = [\"100 debye\", \"3 cm\"]; };\n" WALLS SPECIES(
         "") PLASMA,
     "species.e.charge=1",
     "t0506.cfg:2: key `grid.length` = [\"100 debye\", \"3 cm\"]: 0 species are mobile "
     "electrons (negative, lighter than 100 me); a Debye length or a plasma period needs "
     "exactly one\n"},
    {HEAD
     "grid = { cells = [100, 64]; length = [\"100 debye\", \"3 cm\"]; };\n" WALLS SPECIES(
         "") PLASMA,
     "species.e.temperature=0",
     "t0506.cfg:2: key `grid.length` = [\"100 debye\", \"3 cm\"]: a Debye length needs "
     "species.e.temperature above 0\n"},
    {HEAD
     "grid = { cells = [100, 64]; length = [\"100 debye\", \"3 cm\"]; };\n" WALLS SPECIES(
         "") PLASMA,
     "species.e.temperature=1 Ev",
     "--set species.e.temperature=1 Ev: unknown unit `Ev`; units of temperatures of "
     "particles: eV, meV, keV, MeV, J, K\n"},
    {"model = \"plasma\"; duration = \"10 plasma_periods\";\n" GRID WALLS
     "species = { e = { temperature = \"1 eV\"; }; };\n" PLASMA,
     NULL,
     "t0506.cfg:1: key `duration` = \"10 plasma_periods\": a Debye length or a plasma "
     "period needs species.e.density above 0\nt0506.cfg: key `species.e.density`: "
     "missing; give a density, as in \"1e15 m-3\"\n"},
    {HEAD GRID SPECIES("") PLASMA, "duration=3 periods",
     "--set duration=3 periods: no wall has a voltage with a frequency, which defines "
     "the period: give walls.<NAME>.frequency, or another unit: s, ms, us, ns, ps, fs, "
     "plasma_periods, / omega_p\n"},
    {HEAD GRID "walls = { x_low = { field = \"dirichlet\"; amplitude = \"1 V\"; "
               "frequency = \"12.5 MHz\"; };\n  x_high = { field = \"dirichlet\"; "
               "amplitude = \"1 V\"; frequency = \"2 MHz\"; }; };\n" SPECIES("") PLASMA,
     "duration=3 periods",
     "--set duration=3 periods: the walls have the frequencies 12500000 Hz and 2000000 "
     "Hz; a period needs exactly one\n"},
    {HEAD "grid = { length = [\"3 cm\", \"3 cm\"]; };\n" WALLS SPECIES("") PLASMA,
     "species.e.width=[\"2 cells\", \"2 cells\"]",
     "--set species.e.width=[\"2 cells\", \"2 cells\"]: a cell needs grid.cells and "
     "grid.length\nt0506.cfg: key `grid.cells`: missing; give the number of cells along "
     "each axis, as in grid = { cells = [64, 64]; length = [\"1 cm\", \"1 cm\"]; };\n"},
    {BASE, "species.e.width=[\"2 cells\", \"2 cells\", \"2 cells\"]",
     "--set species.e.width=[\"2 cells\", \"2 cells\", \"2 cells\"]: there is no cell "
     "along z: the grid has 2 axes\n"},
    {BASE, "species.e.radius=[\"2 cells\", \"3 cells\"]",
     "--set species.e.radius=[\"2 cells\", \"3 cells\"]: this length belongs to no axis, "
     "and cells are 0.0003 m long along x and 0.0003125 m along y; " LENGTHS "\n"},
    {"model = \"plasma\"; duration = \"10 steps\";\n" GRID WALLS SPECIES(
         "") "plasma = { background = true; };\n",
     NULL,
     "t0506.cfg:1: key `duration` = \"10 steps\": a step needs "
     "plasma.time_step\nt0506.cfg: key `plasma.time_step`: missing; give the time "
     "between two solutions of the field\n"},
    /* ---- cycles ---- */
    {BASE, "grid.length=[\"64 cells\", \"1 cm\"]",
     "--set grid.length=[\"64 cells\", \"1 cm\"]: is defined by itself; " LENGTHS "\n"},
    {BASE, "plasma.time_step=2 steps",
     "--set plasma.time_step=2 steps: is defined by itself; " TIMES "\n"},
    {BASE, "duration=2 * duration",
     "--set duration=2 * duration: is defined by itself; " TIMES ", steps\n"},
    {"model = \"plasma\"; duration = \"4 * plasma.averages.w.length\";\n" GRID WALLS
         SPECIES("") "plasma = { time_step = \"duration / 100\"; averages = { w = { "
                     "length = \"20 steps\"; blocks = 2; }; }; };\n",
     NULL,
     "t0506.cfg:7: key `plasma.time_step` = \"duration / 100\": is defined by itself, "
     "through `duration`, `plasma.averages.w.length`; " TIMES "\n"},
    /* ---- other keys ---- */
    {BASE, "duration=2 * durations",
     "--set duration=2 * durations: no key `durations`; nearest is `duration`\n"},
    {BASE, "plasma.time_step=grid.length / 3",
     "--set plasma.time_step=grid.length / 3: refers to `grid.length`: keys of lengths "
     "cannot define times\n"},
    {BASE, "plasma.time_step=2 * grid.cells",
     "--set plasma.time_step=2 * grid.cells: refers to `grid.cells`: keys of plain "
     "numbers cannot define times\n"},
    {BASE, "plasma.time_step=2 * relaxation",
     "--set plasma.time_step=2 * relaxation: refers to `relaxation`, which the scenario "
     "does not give\n"},
    {BASE, "plasma.time_step=2 * plasma.fields_interval",
     "--set plasma.time_step=2 * plasma.fields_interval: refers to "
     "`plasma.fields_interval`, which the scenario does not give\n"},
    {BASE, "species.e.width=[\"none\", \"2 * species.e.width\"]",
     "--set species.e.width=[\"none\", \"2 * species.e.width\"]: is defined by "
     "itself; " LENGTHS ", cells\n"},
    {BASE, "species.e.radius=[\"1 mm\", \"grid.length / 4\"]",
     "--set species.e.radius=[\"1 mm\", \"grid.length / 4\"]: refers to `grid.length`, "
     "which has 2 different values\n"},
    {BASE, "plasma.time_step=2 * walls.x_low.pulse_end",
     "--set plasma.time_step=2 * walls.x_low.pulse_end: refers to "
     "`walls.x_low.pulse_end`, which has no number here\n"},
    {HEAD GRID "walls = { low = { pulse_end = \"1 ns\"; }; };\n" SPECIES("") PLASMA,
     "plasma.time_step=walls.low.pulse_end / 99",
     "t0506.cfg:3: key `walls.low.pulse_end` = \"1 ns\": a wall's name must be one of "
     "x_low, x_high, y_low, y_high, z_low, z_high\n--set "
     "plasma.time_step=walls.low.pulse_end / 99: refers to `walls.low.pulse_end`, which "
     "the scenario does not give\n"},
    /* ---- swarms have no such units ---- */
    {"fields = \"100 Td\"; gas = { components = { N2 = { file = \"builtin:air\"; }; }; "
     "};\n",
     "duration=10 periods",
     "--set duration=10 periods: unknown unit `periods`; units of times: s, ms, us, ns, "
     "ps, fs\n"},
    {"fields = \"100 Td\"; gas = { components = { N2 = { file = \"builtin:air\"; }; }; "
     "};\n",
     "relaxation=2 * duration",
     "--set relaxation=2 * duration: unknown unit `* duration`; units of times: s, ms, "
     "us, ns, ps, fs\n"},
};

static bool write_text(const char *text)
{
  FILE *f = fopen(FILE_NAME, "w");
  bool good = f != NULL && fputs(text, f) != EOF;
  return f != NULL && fclose(f) == 0 && good;
}

/* The resolved text with one --set; NULL: it is not valid. */
static char *resolved(const char *set, struct wn_config **out)
{
  struct wn_config *c = NULL;
  if (wn_config_read(FILE_NAME, set != NULL, &set, &c) != WN_OK)
    return NULL;
  char *text = wn_config_text(c);
  if (out != NULL)
    *out = c;
  else
    wn_config_free(c);
  return text;
}

/* Sixteen lengths of windows, each that of the next but the last, which is the duration: a chain of 16 values, or
 * of 17 if the duration is relative, too. */
static void chain(const char *duration, bool good)
{
  char text[8192], *messages = NULL;
  size_t used = (size_t)snprintf(
      text, sizeof text,
      "model = \"plasma\";\n%splasma = { background = true; averages = {\n",
      GRID SPECIES(""));
  for (int i = 0; i < 15; i++)
    used += (size_t)snprintf(text + used, sizeof text - used,
                             "w%d = { length = \"plasma.averages.w%d.length\"; };\n", i,
                             i + 1);
  snprintf(text + used, sizeof text - used,
           "w15 = { length = \"duration / 2\"; }; };\ntime_step = \"1 ps\"; };\nduration "
           "= \"%s\";\n",
           duration);
  const int status = scenario_messages(FILE_NAME, text, NULL, &messages);
  is_int(status, good ? WN_OK : WN_EINPUT, "a chain to %s", duration);
  is_str(messages,
         good ? ""
              : "t0506.cfg:23: key `duration` = \"1000 steps\": is defined by the value "
                "of another key, which is defined by another, and so on; at most 16 may "
                "follow each other\n",
         "which is %s", good ? "taken" : "refused for its length");
  free(messages);
}

/* All cells of an axis are its length, and n periods n over the frequency, for any n: n * 0.03 / n and n *
 * (0.03 / n) are 0.03 for some n alone. */
static void whole(void)
{
  int n_cells = 0, n_periods = 0;
  for (int n = 2; n <= 200; n++) {
    char cells[64], width[64], duration[64];
    const char *set[] = {cells, width, duration};
    struct wn_config *c = NULL;
    snprintf(cells, sizeof cells, "grid.cells=[%d, 64]", n);
    snprintf(width, sizeof width, "species.e.width=[\"%d cells\", \"none\"]", n);
    snprintf(duration, sizeof duration, "duration=%d periods", n);
    if (wn_config_read(FILE_NAME, 3, set, &c) != WN_OK)
      continue;
    n_cells += c->species[0].width[0] == 0.03;
    n_periods += c->duration == n / 12.5e6;
    wn_config_free(c);
  }
  is_int(n_cells, 199, "2 of 2 to 200 of 200 cells are the length");
  is_int(n_periods, 199, "n periods are n / frequency");
}

/* In units of species i, 2e15 of 16 u and charge 2: omega_0 = sqrt(n q^2/(eps0 m)) = 9.344e8 rad/s by the formulas
 * below, which are those of the help of plasma.reference. */
static const char of_ions[] = HEAD GRID
    "species = { e = { density = \"1e15 m-3\"; thermal_speed = \"0.01 c\"; };\n"
    "  i = { density = \"2e15 m-3\"; charge = 2; mass = \"16 u\"; }; };\n"
    "plasma = { reference = \"i\"; time_step = \"1/64 / omega_0\"; field = "
    "\"nodes\";\n  nodes = { formula = \"harris\"; sheet_field = \"0.25 m omega_0 / "
    "q\"; sheet_thickness = \"0.5 c / omega_0\";\n    electric_field = [\"0\", \"1/8 m "
    "c omega_0 / q\", \"0\"]; };\n  magnetic_field = [\"0\", \"-2 m omega_0/q\", "
    "\"0\"]; allow = [\"cell-crossing\"]; };\n";

static void normalized(void)
{
  static const char *const without[] = {"plasma.reference=\"\"", "species.i.charge=0",
                                        "plasma.reference=j"};
  static const char *const says[] = {
      "units with omega_0 need plasma.reference, the name of the species",
      "units with omega_0 need species.i with density and charge other than 0",
      "units with omega_0 need plasma.reference, and there is no species `j`"};
  struct wn_config *c = NULL;
  const double q = 2 * 1.602176634e-19, m = 16 * 1.66053906660e-27,
               omega = sqrt(2e15 * q * q / (8.8541878128e-12 * m));
  ok(write_text(of_ions) && wn_config_read(FILE_NAME, 0, NULL, &c) == WN_OK,
     "units with omega_0");
  if (c != NULL) {
    const struct wn_cfg_plasma *p = &c->plasma;
    is_close(p->time_step, 1.0 / 64 / omega, 1e-15, "a time");
    is_close(p->nodes.by.thickness, 0.5 * 299792458 / omega, 1e-15, "a length");
    is_close(p->nodes.by.b0, 0.25 * m * omega / q, 1e-15, "a magnetic field");
    is_close(p->magnetic[1], -2 * m * omega / q, 1e-15, "one of three");
    is_close(p->nodes.by.e[1], 0.125 * m * 299792458 * omega / q, 1e-15,
             "an electric field");
    is_close(c->species[0].temperature_ev,
             9.1093837015e-31 * 2997924.58 * 2997924.58 / 1.602176634e-19, 1e-14,
             "a temperature by the thermal speed");
  }
  wn_config_free(c);
  for (int i = 0; i < 3; i++) {
    char *said = NULL;
    const int status = scenario_messages(FILE_NAME, of_ions, without[i], &said);
    ok(status == WN_EINPUT && said != NULL && strstr(said, says[i]) != NULL, "%s: %s",
       without[i], says[i]);
    free(said);
  }
}

int main(void)
{
  plan(0);
  ok(write_text(BASE), "a scenario");
  whole();
  for (size_t i = 0; i < sizeof equal / sizeof *equal; i++) {
    char *given = resolved(equal[i].given, NULL), *same = resolved(equal[i].same, NULL);
    is_str(given, same != NULL ? same : "(not valid)", "%s", equal[i].given);
    free(given);
    free(same);
  }
  for (size_t i = 0; i < sizeof electrons / sizeof *electrons; i++) {
    struct wn_config *c = NULL;
    char *text = resolved(electrons[i].set, &c);
    if (!ok(c != NULL, "%s", electrons[i].set))
      continue;
    /* some ten roundings of at most 1.1e-16 */
    is_close(c->plasma.length[0], electrons[i].length, 1e-15, "the length");
    is_close(c->plasma.time_step, electrons[i].step, 1e-15, "the time step");
    ok(strstr(text, "debye") == strstr(text, "debye-length") &&
           strstr(text, "omega_p") == NULL,
       "the resolved text has m and s");
    free(text);
    wn_config_free(c);
  }
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    char *messages = NULL;
    const int status =
        scenario_messages(FILE_NAME, wrong[i].text, wrong[i].set, &messages);
    is_int(status, WN_EINPUT, "%s",
           wrong[i].set != NULL ? wrong[i].set : wrong[i].messages);
    is_str(messages, wrong[i].messages, "its message");
    free(messages);
  }
  chain("1 ns", true);
  chain("1000 steps", false);
  remove(FILE_NAME);
  normalized();
  return done();
}
