/* t0502-resolved.c - defends: the resolved text of a scenario, which every output file
 * carries, reads back to the same configuration, field by field and bit by bit; every
 * shipped scenario is valid; and what is made from other values (gas density, fields both
 * ways, fractions, facts by name) is right.  Numbers: n = p / (k T) with CODATA 2018, by
 * hand. */
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "src/config/adaptive_step.h"
#include "src/config/config.h"
#include "src/config/internal.h"
#include "t/tap/tap.h"

#define FILE_NAME "t0502.cfg"

static bool write_text(const char *path, const char *text)
{
  FILE *f = fopen(path, "w");
  bool good = f && fputs(text, f) != EOF;
  return f && fclose(f) == 0 && good;
}

/* Whether one value is the same in two configurations. */
static bool same_value(const struct wn_key *k, const void *a, const void *b)
{
  const char *x = (const char *)a + k->offset, *y = (const char *)b + k->offset;
  size_t n, m;
  void *p, *q;
  switch (k->type) {
  case WN_KEY_QUANTITY:
    return memcmp(x, y, sizeof(double)) == 0;
  case WN_KEY_COUNT:
    return memcmp(x, y, sizeof(size_t)) == 0;
  case WN_KEY_SEED:
    return memcmp(x, y, sizeof(uint64_t)) == 0;
  case WN_KEY_INT:
  case WN_KEY_WORD:
    return memcmp(x, y, sizeof(int)) == 0;
  case WN_KEY_BOOL:
    return memcmp(x, y, sizeof(bool)) == 0;
  case WN_KEY_WORDS:
    return memcmp(x, y, sizeof(unsigned)) == 0;
  case WN_KEY_VECTOR:
    return memcmp(x, y, k->n * sizeof(double)) == 0;
  case WN_KEY_COUNTS:
    return memcmp(x, y, k->n * sizeof(size_t)) == 0;
  case WN_KEY_INTEGERS:
    return memcmp(x, y, k->n * sizeof(long)) == 0;
  case WN_KEY_FILE: /* the text names the file where it was found */
    memcpy(&p, (const char *)a + k->n_offset, sizeof p);
    memcpy(&q, (const char *)b + k->n_offset, sizeof q);
    return p && q ? strcmp(p, q) == 0 : p == q;
  default:
    break;
  }
  memcpy(&p, x, sizeof p);
  memcpy(&q, y, sizeof q);
  if (k->type == WN_KEY_STRING)
    return p && q ? strcmp(p, q) == 0 : p == q;
  memcpy(&n, (const char *)a + k->n_offset, sizeof n);
  memcpy(&m, (const char *)b + k->n_offset, sizeof m);
  if (n != m)
    return false;
  for (size_t i = 0; i < n; i++) {
    const struct wn_cfg_case *f = p, *g = q;
    if (k->type == WN_KEY_MODES &&
        memcmp((double *)p + 3 * i, (double *)q + 3 * i, 3 * sizeof(double)) != 0)
      return false;
    if (k->type == WN_KEY_QUANTITIES && ((double *)p)[i] != ((double *)q)[i])
      return false;
    if (k->type == WN_KEY_STRINGS && strcmp(((char **)p)[i], ((char **)q)[i]) != 0)
      return false;
    if (k->type == WN_KEY_FIELDS &&
        (strcmp(f[i].text, g[i].text) != 0 || f[i].e != g[i].e || f[i].td != g[i].td))
      return false;
  }
  return true;
}

static void same(const struct wn_config *a, const struct wn_config *b, const char *what)
{
  size_t n_different = 0;
  for (size_t i = 0; i < wn_config_n_keys(); i++) {
    const struct wn_key *k = wn_config_key(i);
    const struct wn_named *g = k->named;
    size_t n = g ? wn_config_named_count(g, a) : 1;
    bool differs = g && n != wn_config_named_count(g, b);
    for (size_t j = 0; j < n && !differs; j++) {
      const char *x = g ? wn_config_named_name(g, a, j) : "",
                 *y = g ? wn_config_named_name(g, b, j) : "";
      differs = x && y ? strcmp(x, y) != 0 : x != y;
      if (!differs)
        differs = !same_value(k, g ? wn_config_named_at(g, a, j) : a,
                              g ? wn_config_named_at(g, b, j) : b);
    }
    if (differs) {
      diag("%s: %s differs", what, k->key);
      n_different++;
    }
  }
  is_int((long)n_different, 0, "%s: every key has the same value", what);
}

static struct wn_config *round_trip(const char *file, size_t n_set,
                                    const char *const *set, const char *what)
{
  struct wn_config *a = NULL, *b = NULL;
  is_int(wn_config_read(file, n_set, set, &a), WN_OK, "%s is valid", what);
  if (a == NULL)
    return NULL;
  char *text = wn_config_text(a);
  ok(text && write_text("t0502-again.cfg", text), "%s: resolved", what);
  is_int(wn_config_read("t0502-again.cfg", 0, NULL, &b), WN_OK, "%s: the text is valid",
         what);
  if (b) {
    same(a, b, what);
    char *again = wn_config_text(b);
    is_str(again ? again : "(none)", text ? text : "(none)", "%s: the text of the text",
           what);
    free(again);
  }
  free(text);
  wn_config_free(b);
  return a;
}

/* Every key of model mcc with a value that is not its default. */
static const char unusual[] =
    "title = \"quotes \\\" and \\\\ and \\t, \xc3\xa9\";\njob = \"runaway\";\nmodel = "
    "\"mcc\";\n"
    "fields = [\"120 Td\", \"10 kV/cm\", \"0\", \"2.6e7 V/m\"];\nmagnetic_field = \"30 "
    "mT\";\n"
    "waveform = { shape = \"steps\"; times = [\"0 s\", \"0.3 ns\"]; factors = [1.0, "
    "-0.3]; period = \"0.7 ns\"; rows = 17; };\n"
    "field_profile = { places = [\"-3 cm\", \"2 m\"]; factors = [0.3, -1.7]; };\n"
    "magnetic_angle = \"33 deg\";\nseed = 9223372036854775807;\nelectrons = 67000000;\n"
    "initial_energy = \"1.1 eV\";\ninitial_spectrum = \"mono\"; initial_direction = "
    "\"drift\";\nduration = \"1.7 ns\";\n"
    "relaxation = \"0.3 ns\";\naccuracy = 1e-5;\nsampling = { interval = \"3 ps\"; block "
    "= 7; tensor = true; };\n"
    "groups = 5;\nmobility_steps = 3;\n"
    "scan = { T = { key = \"gas.temperature\"; values = [\"21.3 degC\", \"1 K to 9 K, 3 "
    "linear\"]; }; };\n"
    "gas = { pressure = \"733 Torr\"; temperature = \"21.3 degC\"; thermal_motion = "
    "false;\n"
    "thermal_below = \"40 eV\"; components = {\n"
    "A = { fraction = 0.7; file = \"builtin:air\"; target = \"N2\"; database = "
    "\"some\";\n"
    "beyond = \"born\"; effective = \"subtract\"; three_body = \"total\"; exclude = "
    "[\"a\", "
    "\"b\\\"c\"];\nfactors = [\"inelastic 1.1\", \"b\\\"c 0.9 from 3 eV to 1 keV\"];\n"
    "excited = [\"d\", \"e\"]; excited_temperatures = "
    "[\"3000 K\", \"0.1 K\"];\n"
    "excited_weights = [1.0, 2.5]; rotational_temperature = \"290 K\";\n"
    "vibrational_temperature = \"3100 K\"; rotational_weights = [2.0, 1.5]; states_file "
    "= "
    "\"t0502.cfg\"; mass = \"28.1 u\"; atomic_number = 7.5; opal_width = "
    "\"11 "
    "eV\"; };\n"
    "O2 = { fraction = 0.3000004; file = \"builtin:air\"; excited = [\"f\"];\n"
    "excited_fractions = [0.125]; }; }; };\n"
    "scattering = \"screened-coulomb\";\nsharing = \"moller\";\n"
    "elastic = { grouped_from = \"41 keV\"; grouped_angle = \"21.3 deg\"; };\n"
    "moller = { cut = \"7 keV\"; soft_from = \"31 keV\"; soft_quantum = \"0.3 keV\"; "
    "density_effect = \"none\"; };\n"
    "tables = { bins_per_octave = 64; energy_max = \"1 MeV\"; };\n"
    "population = { target = 777; protect_above = \"0.2 keV\"; capacity = 4000000000; "
    "residence = \"device\"; };\n"
    "runaway = { thresholds = [\"100 eV\", \"0.3 keV\"]; stop_above = \"3.3 keV\";\n"
    "  levels_from = \"13 eV\"; levels_per_decade = 7; plateau_loss = 0.2; };\n"
    "stop_below = \"0.7 eV\";\n"
    "distribution = { bins_per_decade = 17; minimum = \"3 meV\"; maximum = \"7 keV\"; "
    "};\n"
    "device = \"cpu\";\nscheduler = \"serial\";\nthreads = 3;\ndivide = "
    "\"electrons\";\nblock_size = 96;\noutput "
    "= \"elsewhere.nc\";\nquiet = true;\ncheckpoint = { interval = \"5 min\"; steps = 7; "
    "wall_limit = \"1 d\"; step_limit = 9; };\n";

/* Ends as written, between them six digits: 10^(1/2) is 3.16228.  Beside single fields and
 * in the unit of the ends, V/m but for Td. */
static void ranges(void)
{
  static const char *const want[] = {"5 Td",       "1 Td",   "3.16228 Td", "10 Td",
                                     "0",          "2.5 Td", "5 Td",       "2 kV/cm",
                                     "150000 V/m", "1 kV/cm"};
  enum { N = sizeof want / sizeof want[0] };
  struct wn_config *c = NULL;
  write_text("t0502.cfg",
             "fields = [\"5 Td\", \"1 Td to 10 Td, 3 logarithmic\", \"0 to  5 Td , 3  "
             "linear\", \"2 kV/cm to 1 kV/cm, 3 linear\"];\n"
             "gas = { components = { N2 = { file = \"builtin:air\"; }; }; };\n");
  int status = wn_config_read("t0502.cfg", 0, NULL, &c);
  ok(status == WN_OK && c->n_cases == N, "ranges beside fields: %zu cases",
     status == WN_OK ? c->n_cases : 0);
  for (size_t i = 0; status == WN_OK && i < N && i < c->n_cases; i++)
    is_str(c->cases[i].text, want[i], "field %zu", i);
  is_close(status == WN_OK ? c->cases[2].td : 0, 3.16228, 1e-15, "and their values");
  wn_config_free(c);
}

static void values(void)
{
  write_text(
      FILE_NAME,
      "fields = [\"100 Td\", \"25 kV/cm\"]; magnetic_field = \"200 Hx\";\n"
      "gas = { components = { N2 = { fraction = 0.7999996; file = "
      "\"builtin:air\"; };\nO2 = { fraction = 0.2; file = \"builtin:air\"; };};};");
  struct wn_config *c = NULL;
  is_int(wn_config_read(FILE_NAME, 0, NULL, &c), WN_OK, "a plain scenario is valid");
  if (c == NULL)
    return;
  /* 101325 / (1.380649e-23 * 300) */
  is_close(c->number_density, 2.446313291792e25, 1e-12, "density at 1 atm and 300 K");
  is_close(c->cases[0].e, 100e-21 * 2.446313291792e25, 1e-12, "100 Td in V/m");
  is_close(c->cases[0].td, 100, 0, "100 Td in Td");
  is_close(c->cases[1].e, 2.5e6, 1e-15, "25 kV/cm in V/m");
  is_close(c->magnetic_field, 200e-27 * 2.446313291792e25, 1e-12, "200 Hx in T");
  is_close(c->magnetic_hx, 200, 0, "200 Hx in Hx");
  is_close(c->cases[1].td, 2.5e6 / 2.446313291792e25 / 1e-21, 1e-12, "25 kV/cm in Td");
  is_close(c->components[0].fraction + c->components[1].fraction, 1, 3e-16,
           "fractions scaled");
  is_close(c->components[0].fraction, 0.7999996 / 0.9999996, 1e-15, "fraction of N2");
  is_close(c->components[1].atomic_number, 8, 0, "Z of O2 by name");
  is_close(c->components[0].opal_width, 13.0, 0, "Opal width of N2 by name");
  is_int((long)c->population_target, 10000, "a swarm keeps its number of electrons");
  is_str(c->output, "t0502.nc", "output by the name of the scenario");
  is_str(c->title, "t0502", "title by the name of the scenario");
  ok(c->duration == WN_AUTO && c->relaxation == WN_AUTO && c->stop_above_ev == WN_AUTO,
     "auto and never are WN_AUTO");
  wn_config_free(c);

  const char *dense[] = {"gas.number_density=1e20 m-3", "gas.temperature=0",
                         "seed=12345678901", "electrons=2e4"};
  c = round_trip(FILE_NAME, 4, dense, "gas at 0 K");
  if (c) {
    is_close(c->pressure, 0, 0, "pressure of a gas at 0 K");
    is_close(c->cases[0].e, 100e-21 * 1e20, 1e-15, "100 Td of 1e20 m-3 in V/m");
    ok(c->seed == 12345678901ull, "a seed beyond 32 bits from --set");
    is_int((long)c->electrons, 20000, "2e4 electrons");
  }
  wn_config_free(c);
}

static void shipped(void)
{
  const char *src = getenv("WN_SRCDIR") ? getenv("WN_SRCDIR") : ".";
  char path[4096];
  snprintf(path, sizeof path, "%s/data/scenarios", src);
  DIR *d = opendir(path);
  ok(d != NULL, "there are scenarios");
  for (struct dirent *e; d && (e = readdir(d)) != NULL;) {
    size_t len = strlen(e->d_name);
    if (len < 4 || strcmp(e->d_name + len - 4, ".cfg") != 0)
      continue;
    snprintf(path, sizeof path, "%s/data/scenarios/%s", src, e->d_name);
    /* These name files that users download: any file will do, it is not opened. */
    static const char *const n2[] = {"gas.components.N2.file=" FILE_NAME},
                             *const he[] = {"gas.components.He.file=" FILE_NAME,
                                            "species.ions.cross_sections=" FILE_NAME};
    const int is_n2 = strcmp(e->d_name, "swarm-n2-lxcat.cfg") == 0,
              is_he = strcmp(e->d_name, "ccp-helium.cfg") == 0;
    wn_config_free(round_trip(path,
                              is_n2   ? 1
                              : is_he ? 2
                                      : 0,
                              is_n2 ? n2 : he, e->d_name));
  }
  if (d)
    closedir(d);
}

/* Every key of the model is at another value than in `usual`, but for those of `same`; of
 * a named group the first element counts. */
static void not_at_default(const struct wn_config *c, const struct wn_config *usual,
                           unsigned model, const char *const *same_key)
{
  for (size_t i = 0; i < wn_config_n_keys(); i++) {
    const struct wn_key *k = wn_config_key(i);
    const struct wn_named *g = k->named;
    bool skipped = !(k->flags & model) ||
                   /* of a swarm only: test_goals() */
                   strncmp(k->key, "accuracy.", 9) == 0 ||
                   strncmp(k->key, "gas.profile.", 12) == 0 ||          /* profiles() */
                   (model == WN_KEY_PLASMA && k->flags & WN_KEY_GAS) || /* with_gas() */
                   /* a scan, of which there is none by default */
                   (g != NULL && wn_config_named_count(g, usual) == 0);
    for (size_t j = 0; same_key[j]; j++)
      skipped = skipped || strcmp(same_key[j], k->key) == 0;
    if (!skipped)
      ok(!same_value(k, g ? wn_config_named_at(g, c, 0) : c,
                     g ? wn_config_named_at(g, usual, 0) : usual),
         "%s is not at its default", k->key);
  }
}

/* Every key of model plasma with a value that is not its default. */
static const char unusual_plasma[] =
    "title = \"a plasma\";\nmodel = \"plasma\";\nseed = 3;\nduration = \"7 ns\";\n"
    "population = { capacity = 1234567; residence = \"batches\"; };\ndevice = "
    "\"cpu\";\ndivide = "
    "\"electrons\";\nscheduler = "
    "\"serial\";\nthreads = 3;\noutput = \"p.nc\";\nquiet = true;\n"
    "checkpoint = { interval = \"never\"; steps = 7; wall_limit = \"2 h\"; step_limit = "
    "9; };\n"
    "grid = { cells = [20, 33]; length = [\"1 cm\", \"33 mm\"]; };\n"
    "walls = { x_low = { field = \"dirichlet\"; particles = \"reflect\"; voltage = \"-3 "
    "V\"; amplitude = \"0.2 kV\"; frequency = \"1.356 GHz\"; phase = \"90 deg\"; "
    "pulse_start = \"1 ns\"; pulse_end = \"3 ns\"; harmonics = [\"10 V\", \"0\", \"-2 "
    "kV\"]; harmonic_phases = [\"0\", \"1 rad\", \"-90 deg\"]; };\n"
    "x_high = { field = \"neumann\"; particles = \"absorb\"; }; };\n"
    "species = { ions = { charge = 2; mass = \"4 u\"; mobile = false; profile = "
    "\"slab\"; density = \"1e9 cm-3\"; per_cell = 7; loading = \"random\"; temperature "
    "= \"26 meV\"; drift = [\"1 km/s\", \"0\", \"-0.001 c\"]; centre = [\"auto\", \"11 "
    "mm\"]; width = [\"3 mm\", \"none\"]; phase = \"-45 deg\"; };\n"
    "electrons = { density = \"1e15 m-3\"; temperature = \"1 eV\"; amplitude = 0.25; "
    "mode "
    "= [3, -2]; macroparticles = 1234; };\n"
    "ring = { density = \"1e14 m-3\"; profile = \"annulus\"; radius = [\"1 mm\", \"2 "
    "mm\"]; temperature = \"1 eV\"; };\n"
    "gauss_ring = { density = \"1e14 m-3\"; profile = \"ring\"; ring = [\"3 mm\", \"0.3 "
    "mm\"]; temperature = \"1 eV\"; };\n"
    "read = { density = \"1e14 m-3\"; profile = \"file\"; file = \"t0502.cfg\"; }; };\n"
    "plasma = { time_step = \"3 ps\"; velocities = 3; shape = \"tsc\"; gather = "
    "\"energy\"; solver = \"spectral\"; background = true; relativistic = true; "
    "magnetic_field = [\"1 mT\", \"0\", \"-2 G\"]; allow = [\"debye-length\", "
    "\"plasma-frequency\"]; modes = ( [1, 0], [-2, 3] ); fields_interval = \"1 ns\"; "
    "integrals_interval = \"2 ns\"; particles_interval = \"2 ns\"; particles_sample = "
    "17; fields_moments = true; moments_interval = \"3 ns\"; merging = { m = { species = "
    "\"electrons\"; per_cell_most = 90; method = \"two\"; energy_classes = [\"3 eV\", "
    "\"0.1 keV\"]; protected_energy = \"200 eV\"; least_weight = 0.25; most_weight = 64; "
    "interval = 7; weight_fields = [\"1 kV/m\", \"2 MV/m\"]; weight_limits = [32.0, "
    "4.0]; weight_centre = [\"1 mm\", \"2 mm\"]; weight_distances = [\"0.5 mm\", \"3 "
    "mm\"]; distance_limits = [2.0, 60.0]; }; }; averages "
    "= { some = { start = \"1 ns\"; periods = 6; blocks = 3; phases = 4; every = 2; wall "
    "= "
    "\"x_low\"; moments = false; power = true; }; early = { start = \"0\"; length = \"1 "
    "ns\"; }; }; "
    "};\n";

static const char usual_plasma[] =
    "model = \"plasma\";\nduration = \"1 ns\";\ngrid = { cells = 64; length = \"1 cm\"; "
    "};\nspecies = { e = { density = \"1e12 m-3\"; }; p = { density = \"1e12 m-3\"; "
    "charge = "
    "1; mass = \"1 u\"; }; };\nplasma = { time_step = \"1 ps\"; moments_pressure = true; "
    "averages = { all = { "
    "length = "
    "\"0.5 ns\"; }; }; };\nwalls = { x_low = { }; };\n";

/* A plasma with collisions, and keys of its gas that are not at their defaults. */
static void with_gas(void)
{
  write_text(
      FILE_NAME,
      "model = \"plasma\"; duration = \"1 ns\"; grid = { cells = 64; length = \"1 "
      "cm\"; }; plasma = { time_step = \"1 ps\"; mobility_steps = 7; averages = { a = { "
      "length = "
      "\"0.5 ns\"; rates = [\"elastic\", \"ionization N2+\"]; }; }; merging = { m = { "
      "species = \"p\"; per_cell_most = 9; per_cell_least = 4; }; }; };\n"
      "walls = { x_low = { field = \"dirichlet\"; yield = 0.07; emission_temperature = "
      "\"3 eV\"; capacitance = \"3 nF/m2\"; resistance = \"50 mohm m2\"; inductance = "
      "\"7 uH m2\"; dielectric_thickness = \"0.3 mm\"; dielectric_permittivity = 4; "
      "electron_reflection = 0.2; electron_reflection_law = \"specular\"; "
      "electron_backscattering = 0.1; electron_yield = 1.5; electron_yield_energy = "
      "\"0.25 keV\"; electron_yield_threshold = \"10 eV\"; electron_yield_smoothness = "
      "1.5; electron_yield_number = \"poisson\"; }; "
      "x_high = { field = \"dirichlet\"; capacitance = 0; }; };\n"
      "species = { e = { density = \"1e12 m-3\"; collisions = \"gas\"; ions = "
      "\"p\"; anions = \"n\"; }; p = { density = \"1e12 m-3\"; charge = 1; mass = \"28 "
      "u\"; collisions = \"gas\"; ion = \"N2+\"; cross_sections = \"" FILE_NAME
      "\"; subcycling = 12; }; n = { density = \"0 m-3\"; }; };\nscattering = "
      "\"okhrimovskyy\"; sharing = "
      "\"equal\"; tables = { energy_max = \"1 MeV\"; ion_energy_max = \"70 eV\"; "
      "bins_per_octave = 64; };\n"
      "gas = { pressure = \"30 mbar\"; temperature = \"400 K\"; thermal_motion = "
      "false; components = { N2 = { fraction = 0.7; file = \"builtin:air\"; }; O2 = "
      "{ fraction = 0.3; file = \"builtin:air\"; }; }; };\n");
  struct wn_config *c = round_trip(FILE_NAME, 0, NULL, "a plasma with collisions");
  if (c) {
    is_int(c->species[0].collisions, WN_COLLISIONS_GAS, "electrons collide");
    is_str(c->species[0].ions, "p", "ions");
    is_str(c->species[0].anions, "n", "negative ions");
    ok(c->species[1].ions == NULL, "which leave none");
    is_str(c->species[1].ion, "N2+", "and collide as N2+");
    is_str(c->species[1].xs_path, FILE_NAME, "by a file of their own");
    is_int((long)c->species[1].subcycling, 12, "every 12 steps");
    is_close(c->plasma.wall[0].yield, 0.07, 0, "a yield");
    is_close(c->plasma.wall[0].emission_ev, 3.0, 0, "and its temperature");
    const struct wn_cfg_wall *w = &c->plasma.wall[0];
    is_close(w->electron_reflection, 0.2, 0, "reflected electrons");
    is_int(w->reflection_law, WN_LAW_SPECULAR, "as of a mirror");
    is_close(w->electron_backscattering, 0.1, 0, "some scattered back");
    is_close(w->electron_yield, 1.5, 0, "and true secondaries");
    is_close(w->yield_energy_ev, 250.0, 1e-15, "most at 250 eV");
    is_close(w->yield_threshold_ev, 10.0, 0, "from 10 eV on");
    is_close(w->yield_smoothness, 1.5, 0, "with this smoothness");
    is_int(w->electron_number, WN_NUMBER_POISSON, "by Poisson's law");
    is_close(c->plasma.wall[0].capacitance, 3e-9, 1e-15, "a capacitor");
    is_close(c->plasma.wall[0].resistance, 0.05, 1e-15, "a resistor");
    is_close(c->plasma.wall[0].inductance, 7e-6, 1e-15, "an inductor");
    is_close(c->plasma.wall[0].dielectric_thickness, 3e-4, 1e-15, "a dielectric");
    is_close(c->plasma.wall[0].permittivity, 4.0, 0, "and its permittivity");
    is_close(c->plasma.wall[1].capacitance, 0.0, 0, "a floating wall");
    is_close(c->ion_energy_max_ev, 70.0, 0, "up to 70 eV");
    is_int((long)c->plasma.mobility_steps, 7, "mobility steps");
    is_int((long)c->plasma.averages[0].n_rates, 2, "two rates");
    is_str(c->plasma.averages[0].rates[1], "ionization N2+", "the second by its label");
    is_int(c->plasma.velocities, 3, "three velocities");
    is_close(c->pressure, 3000.0, 1e-12, "the pressure of the gas");
    is_int((long)c->n_components, 2, "and its components");
  }
  wn_config_free(c);
}

static void with_sparse(void)
{
  write_text(
      FILE_NAME,
      "model = \"plasma\"; duration = \"1 ns\"; grid = { cells = [64, 64]; length = "
      "[\"1 cm\", \"2 cm\"]; }; plasma = { time_step = \"1 ps\"; background = true; "
      "field = \"sparse\"; fields_coarsening = 4; sparse = { least_level = 2; offset = "
      "3; combine = \"particle\"; }; };\n"
      "species = { e = { density = \"1e12 m-3\"; }; };\n");
  struct wn_config *c = round_trip(FILE_NAME, 0, NULL, "a plasma on sparse grids");
  if (c) {
    is_int(c->plasma.field, WN_FIELD_SPARSE, "field sparse");
    is_int((long)c->plasma.sparse_least, 2, "from level 2");
    is_int((long)c->plasma.sparse_offset, 3, "with an offset");
    is_int((long)c->plasma.sparse_combine, WN_SPARSE_PARTICLE,
           "added up at the particles");
    is_int((long)c->plasma.fields_coarsening, 4, "and coarser maps");
  }
  wn_config_free(c);
}

/* Photoionization. */
static void with_photons(void)
{
  write_text(
      FILE_NAME,
      "model = \"plasma\"; duration = \"1 ns\"; grid = { geometry = \"r-z\"; cells = "
      "[64, 64]; length = [\"1 cm\", \"2 cm\"]; }; walls = { x_high = { field = "
      "\"neumann\"; }; }; gas = { pressure = \"1 Pa\"; components = { Ar = { file = "
      "\"builtin:argon\"; }; }; }; plasma = { time_step = \"1 ps\"; background = true; "
      "photoionization = { ions = \"O2p\"; electrons = \"e\"; efficiency = 0.1; "
      "quenching_pressure = \"30 Torr\"; oxygen_pressure = \"2 mbar\"; chi_min = \"0.03 "
      "cm-1 Torr-1\"; chi_max = \"3 m-1 Pa-1\"; energy = \"0.5 eV\"; weight = 0.25; "
      "weight_distances = [\"1 mm\", \"2 mm\"]; distance_weights = [0.5, 4.0]; "
      "pairs_per_step = 70; }; };\n"
      "species = { e = { density = \"1e12 m-3\"; collisions = \"gas\"; ions = \"O2p\"; "
      "}; "
      "O2p = { density = \"0 m-3\"; charge = 1; mass = \"32 u\"; }; };\n");
  struct wn_config *c = round_trip(FILE_NAME, 0, NULL, "a plasma with photoionization");
  if (c) {
    is_str(c->plasma.photoionization.ions, "O2p", "ions");
    is_str(c->plasma.photoionization.electrons, "e", "electrons");
    is_close(c->plasma.photoionization.efficiency, 0.1, 0, "an efficiency");
    is_close(c->plasma.photoionization.quenching_pressure, 30 * 101325.0 / 760, 1e-15,
             "a quenching pressure");
    is_close(c->plasma.photoionization.oxygen_pressure, 200, 1e-15,
             "a pressure of the oxygen");
    is_close(c->plasma.photoionization.chi_min, 3 * 760 / 101325.0, 1e-14, "chi_min");
    is_close(c->plasma.photoionization.chi_max, 3, 0, "chi_max");
    is_close(c->plasma.photoionization.energy_ev, 0.5, 0, "an energy");
    is_close(c->plasma.photoionization.weight, 0.25, 0, "a weight");
    ok(c->plasma.photoionization.n_distances == 2 &&
           c->plasma.photoionization.distances[1] == 2e-3 &&
           c->plasma.photoionization.n_distance_weights == 2 &&
           c->plasma.photoionization.distance_weights[1] == 4.0,
       "weights at distances");
    is_int((long)c->plasma.photoionization.pairs_per_step, 70, "and a number of pairs");
  }
  wn_config_free(c);
}

static void with_continuous(void)
{
  write_text(FILE_NAME,
             "fields = \"0 V/m\"; duration = \"1 ns\"; initial_energy = \"1 MeV\"; "
             "stop_below = \"20 keV\";\n"
             "gas = { components = { N2 = { file = \"builtin:air\"; }; }; };\n"
             "sharing = \"moller\"; moller = { soft_from = \"20 keV\"; soft_loss = "
             "\"continuous\"; };\n");
  struct wn_config *c = round_trip(FILE_NAME, 0, NULL, "losses along the flight");
  if (c == NULL)
    return;
  ok(c->moller_loss == WN_LOSS_CONTINUOUS, "losses along the flight are read");
  wn_config_free(c);
}

static void with_radiation(void)
{
  write_text(
      FILE_NAME,
      "fields = \"1 Td\"; gas = { components = { N2 = { file = "
      "\"builtin:air\"; photons = \"t0502.cfg\"; }; }; };\n"
      "radiation = { photons_min = \"3 keV\"; compton = \"free\"; rayleigh = "
      "\"form-factor\"; angle = \"dipole\"; positrons = \"moving\"; positrons_cut = "
      "\"5 keV\"; positrons_stop = \"20 keV\"; positrons_brems = \"electron\"; "
      "roulette_weight = 0.5; roulette_below = \"1 MeV\"; };\n");
  struct wn_config *c = round_trip(FILE_NAME, 0, NULL, "radiation");
  if (c == NULL)
    return;
  ok(c->radiation.photons_min_ev == 3e3 && c->radiation.compton == 0 &&
         c->radiation.rayleigh == 1 && c->radiation.angle == 0 &&
         c->radiation.positrons == WN_POSITRONS_MOVING &&
         c->radiation.positrons_cut_ev == 5e3 && c->radiation.positrons_stop_ev == 2e4 &&
         c->radiation.positrons_brems == 0 && c->radiation.roulette_weight == 0.5 &&
         c->radiation.roulette_below_ev == 1e6 &&
         strstr(c->components[0].photons_path, FILE_NAME) != NULL,
     "keys of radiation have their values");
  wn_config_free(c);
}

static void with_detectors(void)
{
  write_text(
      FILE_NAME,
      "job = \"runaway\"; duration = \"1 ns\"; fields = \"1 Td\"; gas = { components = "
      "{ N2 = { file = \"builtin:air\"; }; }; };\n"
      "runaway = { levels = true; };\n"
      "detectors = { planes = [\"-1 mm\", \"2 cm\"]; spheres = \"3 m\"; above = \"4 "
      "eV\"; rows = 5; };\n");
  struct wn_config *c = round_trip(FILE_NAME, 0, NULL, "detectors");
  if (c == NULL)
    return;
  ok(c->runaway_levels && c->detectors.n_planes == 2 && c->detectors.planes[0] == -1e-3 &&
         c->detectors.planes[1] == 0.02 && c->detectors.n_spheres == 1 &&
         c->detectors.spheres[0] == 3.0 && c->detectors.above_ev == 4.0 &&
         c->detectors.rows == 5 && wn_config_detectors(c) == 3,
     "levels, and keys of detectors, have their values");
  wn_config_free(c);
}

static void with_test_electrons(void)
{
  write_text(
      FILE_NAME,
      "model = \"plasma\"; duration = \"1 ns\"; grid = { cells = [64, 64]; length = "
      "[\"1 cm\", \"2 cm\"]; }; gas = { pressure = \"1 Pa\"; components = { N2 = { file "
      "= \"builtin:air\"; }; }; }; plasma = { time_step = \"1 ps\"; background = true; "
      "test_electrons = { number = 640; species = \"e\"; from = \"40 eV\"; thresholds = "
      "[\"300 eV\", \"3 keV\"]; levels_per_decade = 7; rows = 33; }; };\n"
      "species = { e = { density = \"1e12 m-3\"; collisions = \"gas\"; ions = \"p\"; }; "
      "p = { density = \"0 m-3\"; charge = 1; mass = \"32 u\"; }; };\n");
  struct wn_config *c = round_trip(FILE_NAME, 0, NULL, "a plasma with test electrons");
  if (c) {
    is_int((long)c->plasma.test_electrons.number, 640, "a number");
    is_str(c->plasma.test_electrons.species, "e", "a species");
    is_close(c->plasma.test_electrons.from_ev, 40, 0, "a lowest energy");
    is_int((long)c->plasma.test_electrons.n_thresholds, 2, "two thresholds");
    is_close(c->plasma.test_electrons.thresholds_ev[1], 3000, 0, "the second");
    is_int((long)c->plasma.test_electrons.levels_per_decade, 7, "levels");
    is_int((long)c->plasma.test_electrons.rows, 33, "and rows");
  }
  wn_config_free(c);
}

static void with_rz(void)
{
  write_text(
      FILE_NAME,
      "model = \"plasma\"; duration = \"1 ns\"; grid = { geometry = \"r-z\"; cells = "
      "[16, 32]; length = [\"1 cm\", \"2 cm\"]; }; plasma = { time_step = \"1 ps\"; "
      "adaptive = { least = \"125 fs\"; cells = 0.25; quantile = 0.75; growth = 0.3; "
      "relaxation = \"off\"; }; };\n"
      "walls = { x_high = { field = \"open\"; }; };\n"
      "species = { e = { density = \"1e12 m-3\"; profile = \"gaussian\"; width = [\"1 "
      "mm\", \"none\"]; }; };\n");
  struct wn_config *c = round_trip(FILE_NAME, 0, NULL, "a plasma in r-z");
  if (c) {
    is_close(c->plasma.adaptive.least, 125e-15, 1e-15, "a shortest step");
    is_int(wn_step_levels(c), 3, "an eighth of the longest");
    is_close(c->plasma.adaptive.cells, 0.25, 0, "a quarter of a cell");
    is_close(c->plasma.adaptive.quantile, 0.75, 0, "for three quarters");
    is_close(c->plasma.adaptive.growth, 0.3, 0, "a growth");
    is_close(c->plasma.adaptive.relaxation, WN_AUTO, 0, "no relaxation");
    is_int((long)c->plasma.geometry, WN_GEOMETRY_RZ, "r-z");
    is_int((long)c->plasma.wall[0].field, WN_NEUMANN, "no wall at the axis");
    is_int(c->plasma.velocities, 3, "three velocities");
    is_close(c->species[0].centre[0], 0.0, 0, "a gaussian around the axis");
  }
  wn_config_free(c);
}

/* Every key of dielectrics, by shapes that have it. */
static void with_dielectrics(void)
{
  write_text(
      FILE_NAME,
      "model = \"plasma\"; duration = \"10 ns\"; grid = { cells = [20, 20, 20]; length = "
      "[\"1 cm\", \"1 cm\", \"1 cm\"]; }; plasma = { time_step = \"10 ps\"; };\n"
      "walls = { y_low = { field = \"dirichlet\"; }; y_high = { field = \"dirichlet\"; "
      "}; "
      "};\n"
      "dielectrics = { plate = { shape = \"disc\"; centre = [\"5 mm\", \"5 mm\", \"6 "
      "mm\"]; radius = \"3 mm\"; thickness = \"1 mm\"; edge_radius = \"0.2 mm\"; axis = "
      "\"z\"; permittivity = 3.8; yield = 0.25; emission_temperature = \"3 eV\"; };\n"
      "ball = { shape = \"ellipsoid\"; permittivity = 80; centre = [\"2 mm\", \"2 mm\", "
      "\"2 "
      "mm\"]; semi_axes = [\"1 mm\", \"1.5 mm\", \"1.2 mm\"]; };\n"
      "stem = { shape = \"rod\"; permittivity = 2; from = [\"8 mm\", \"8 mm\", \"2 "
      "mm\"]; to = [\"8 mm\", \"8 mm\", \"4 mm\"]; radius = \"0.8 mm\"; };\n"
      "block = { shape = \"box\"; permittivity = 9; low = [\"1 mm\", \"-1 mm\", \"8 "
      "mm\"]; "
      "high = [\"3 mm\", \"2 mm\", \"9 mm\"]; }; };\n"
      "species = { e = { density = \"1e12 m-3\"; }; ions = { charge = 1; density = "
      "\"1e12 "
      "m-3\"; mass = \"28 u\"; }; };\n");
  struct wn_config *c = round_trip(FILE_NAME, 0, NULL, "dielectrics");
  if (c && c->plasma.n_dielectrics == 4) {
    const struct wn_cfg_electrode *e = c->plasma.dielectrics;
    is_int((long)e[0].shape, WN_ELECTRODE_DISC, "a disc");
    is_close(e[0].permittivity, 3.8, 1e-15, "of glass");
    is_close(e[0].wall.yield, 0.25, 1e-15, "a yield");
    is_close(e[0].wall.emission_ev, 3.0, 1e-15, "its temperature");
    is_close(e[1].permittivity, 80.0, 1e-15, "of water");
    is_close(e[2].to[2], 4e-3, 1e-15, "the end of a rod");
    is_close(e[3].low[1], -1e-3, 1e-15, "a corner outside");
  } else
    ok(0, "four dielectrics");
  wn_config_free(c);
}

/* Every key of electrodes, by shapes that have it. */
static void with_electrodes(void)
{
  write_text(
      FILE_NAME,
      "model = \"plasma\"; duration = \"10 ns\"; grid = { cells = [20, 20, 20]; length = "
      "[\"1 cm\", \"1 cm\", \"1 cm\"]; }; plasma = { time_step = \"10 ps\"; };\n"
      "walls = { y_low = { field = \"dirichlet\"; }; y_high = { field = \"dirichlet\"; "
      "}; "
      "};\n"
      "electrodes = { plate = { shape = \"disc\"; centre = [\"5 mm\", \"5 mm\", \"6 "
      "mm\"]; radius = \"3 mm\"; thickness = \"1 mm\"; edge_radius = \"0.2 mm\"; axis = "
      "\"z\"; voltage = \"2 V\"; amplitude = \"3 V\"; frequency = \"1 GHz\"; phase = "
      "\"90 "
      "deg\"; pulse_start = \"1 ns\"; pulse_end = \"5 ns\"; resistance = \"5 kohm\"; "
      "capacitance = \"2 pF\"; inductance = \"3 nH\"; electron_reflection = 0.25; "
      "electron_reflection_law = \"specular\"; };\n"
      "ball = { shape = \"ellipsoid\"; part_of = \"plate\"; centre = [\"5 mm\", \"5 "
      "mm\", "
      "\"6 mm\"]; semi_axes = [\"1 mm\", \"1.5 mm\", \"2 mm\"]; };\n"
      "stem = { shape = \"rod\"; part_of = \"plate\"; from = [\"5 mm\", \"5 mm\", \"6 "
      "mm\"]; to = [\"5 mm\", \"5 mm\", \"8 mm\"]; radius = \"0.8 mm\"; };\n"
      "block = { shape = \"box\"; low = [\"1 mm\", \"-1 mm\", \"1 mm\"]; high = [\"3 "
      "mm\", \"2 mm\", \"3 mm\"]; }; };\n"
      "species = { e = { density = \"1e12 m-3\"; }; };\n");
  struct wn_config *c = round_trip(FILE_NAME, 0, NULL, "electrodes");
  if (c && c->plasma.n_electrodes == 4) {
    const struct wn_cfg_electrode *e = c->plasma.electrodes;
    is_int((long)e[0].shape, WN_ELECTRODE_DISC, "a disc");
    is_int(e[0].axis, 2, "along z");
    is_close(e[0].thickness, 1e-3, 1e-15, "its thickness");
    is_close(e[0].edge_radius, 2e-4, 1e-15, "its edge");
    is_close(e[0].wall.phase, 1.5707963267948966, 1e-15, "the phase of its voltage");
    is_close(e[0].wall.pulse_end, 5e-9, 1e-15, "and its end");
    is_close(e[0].wall.resistance, 5e3, 1e-15, "a resistor");
    is_close(e[0].wall.capacitance, 2e-12, 1e-15, "a capacitor");
    is_close(e[0].wall.inductance, 3e-9, 1e-15, "an inductor");
    is_close(e[0].wall.electron_reflection, 0.25, 1e-15, "reflected electrons");
    is_str(e[1].part_of, "plate", "a part of another");
    is_close(e[1].semi_axes[2], 2e-3, 1e-15, "a semi-axis");
    is_close(e[2].to[2], 8e-3, 1e-15, "the end of a rod");
    is_close(e[2].radius, 0.8e-3, 1e-15, "its radius");
    is_close(e[3].low[1], -1e-3, 1e-15, "a corner outside of the domain");
    is_close(e[3].high[0], 3e-3, 1e-15, "and the other");
    ok(e[3].part_of == NULL && e[3].radius == WN_AUTO, "what is not given");
  }
  wn_config_free(c);
}

/* Field nodes, its movers and the profile sheet. */
static void with_nodes(void)
{
  write_text(
      FILE_NAME,
      "model = \"plasma\"; duration = \"1 ns\"; grid = { cells = [64, 32]; length = "
      "[\"1 cm\", \"2 cm\"]; }; plasma = { reference = \"p\"; time_step = \"1 ps\"; "
      "field = "
      "\"nodes\"; nodes = { formula = \"harris\"; electric_field = [\"1 V/cm\", \"0\", "
      "\"-3 "
      "V/m\"]; sheet_field = \"7 mT\"; sheet_thickness = \"2 mm\"; perturbation = -0.5; "
      "local_perturbation = 0.3; }; mover = \"implicit-midpoint\"; midpoint = { "
      "iterations "
      "= 7; tolerance = 1e-5; substeps = 3; substep_angle = \"20 deg\"; substep_cells = "
      "0.25; }; magnetic_field = [\"0\", \"0\", \"1 mT\"]; };\n"
      "species = { e = { density = \"1e12 m-3\"; profile = \"sheet\"; width = [\"none\", "
      "\"2 "
      "mm\"]; weights = \"profile\"; thermal_speed = \"0.001 c\"; }; p = { density = "
      "\"1e12 m-3\"; charge = 1; mass = \"1 u\"; }; };\n");
  struct wn_config *c = round_trip(FILE_NAME, 0, NULL, "a plasma in a given field");
  if (c) {
    const struct wn_cfg_plasma *p = &c->plasma;
    is_int(p->field, WN_FIELD_NODES, "field nodes");
    is_int(p->nodes.by.formula, WN_FORMULA_HARRIS, "a sheet");
    is_close(p->nodes.by.e[0], 100.0, 1e-15, "with an electric field");
    is_close(p->nodes.by.b0, 7e-3, 1e-15, "of 7 mT");
    is_close(p->nodes.by.thickness, 2e-3, 1e-15, "and 2 mm");
    is_close(p->nodes.by.amplitude, -0.5, 0, "a perturbation");
    is_close(p->nodes.by.local, 0.3, 0, "and another");
    is_int((long)p->midpoint.iterations, 7, "iterations");
    is_close(p->midpoint.tolerance, 1e-5, 0, "a tolerance");
    is_int((long)p->midpoint.substeps, 3, "substeps");
    is_close(p->midpoint.most_turn, 0.3490658503988659, 1e-15, "of 20 degrees");
    is_close(p->midpoint.most_cells, 0.25, 0, "and a quarter of a cell");
    is_str(p->reference, "p", "a reference");
    is_int(p->velocities, 3, "three velocities");
    is_int(c->species[0].profile, WN_PROFILE_SHEET, "a sheet of particles");
    is_int(c->species[0].weights, WN_WEIGHTS_PROFILE, "with weights");
    is_close(c->species[0].thermal_speed, 299792.458, 1e-15, "a thermal speed");
  }
  wn_config_free(c);
  const char *file[] = {"plasma.nodes={file=\"" FILE_NAME
                        "\"; between_times=\"linear\";}",
                        "plasma.magnetic_field=[\"0\",\"0\",\"0\"]", "plasma.mover=boris",
                        "plasma.midpoint={substeps=2;}"};
  write_text("t0502-file.cfg",
             "model = \"plasma\"; duration = \"1 ns\"; grid = { cells = 64; length = \"1 "
             "cm\"; }; plasma = { time_step = \"1 ps\"; field = \"nodes\"; };\n"
             "species = { e = { density = \"1e12 m-3\"; }; };\n");
  c = round_trip("t0502-file.cfg", 4, file, "a plasma in the field of a file");
  if (c) {
    is_str(c->plasma.nodes.path, FILE_NAME, "the file");
    is_int(c->plasma.nodes.between, 1, "linear in time");
    is_int(c->plasma.mover, WN_NODAL_BORIS, "by Boris");
    ok(c->plasma.reference == NULL, "without a reference");
  }
  wn_config_free(c);
}

static void plasma(void)
{
  /* 3 velocities are the default of one dimension; the first species and the first wall
   * cannot have the others: a slab has no waves */
  static const char *const same_plasma[] = {
      "model", "plasma.velocities", "species.<NAME>.radius", "species.<NAME>.ring",
      "species.<NAME>.amplitude", "species.<NAME>.mode", "species.<NAME>.file",
      "species.<NAME>.macroparticles",
      /* with_gas() */
      "species.<NAME>.collisions", "species.<NAME>.ions", "species.<NAME>.anions",
      "species.<NAME>.ion", "species.<NAME>.cross_sections", "species.<NAME>.subcycling",
      "plasma.mobility_steps", "walls.<NAME>.yield", "walls.<NAME>.emission_temperature",
      "walls.<NAME>.capacitance", "walls.<NAME>.resistance", "walls.<NAME>.inductance",
      "walls.<NAME>.dielectric_thickness", "walls.<NAME>.dielectric_permittivity",
      "walls.<NAME>.electron_reflection", "walls.<NAME>.electron_reflection_law",
      "walls.<NAME>.electron_backscattering", "walls.<NAME>.electron_yield",
      "walls.<NAME>.electron_yield_energy", "walls.<NAME>.electron_yield_threshold",
      "walls.<NAME>.electron_yield_smoothness", "walls.<NAME>.electron_yield_number",
      "plasma.averages.<NAME>.rates", "grid.geometry", /* with_rz() */
      "plasma.adaptive.least", "plasma.adaptive.cells", "plasma.adaptive.quantile",
      "plasma.adaptive.growth", "plasma.adaptive.relaxation",
      /* with_sparse() */
      "plasma.field", "plasma.sparse.least_level", "plasma.sparse.offset",
      "plasma.sparse.combine", "plasma.fields_coarsening",
      /* with_photons() */
      "plasma.photoionization.ions", "plasma.photoionization.electrons",
      "plasma.photoionization.efficiency", "plasma.photoionization.quenching_pressure",
      "plasma.photoionization.oxygen_pressure", "plasma.photoionization.chi_min",
      "plasma.photoionization.chi_max", "plasma.photoionization.energy",
      "plasma.photoionization.weight", "plasma.photoionization.weight_distances",
      "plasma.photoionization.distance_weights", "plasma.photoionization.pairs_per_step",
      /* with_test_electrons() */
      "plasma.test_electrons.number", "plasma.test_electrons.species",
      "plasma.test_electrons.from", "plasma.test_electrons.thresholds",
      "plasma.test_electrons.levels_per_decade", "plasma.test_electrons.rows",
      /* with_nodes() */
      "species.<NAME>.weights", "species.<NAME>.thermal_speed", "plasma.nodes.formula",
      "plasma.nodes.file", "plasma.nodes.between_times", "plasma.nodes.electric_field",
      "plasma.nodes.sheet_field", "plasma.nodes.sheet_thickness",
      "plasma.nodes.perturbation", "plasma.nodes.local_perturbation", "plasma.mover",
      "plasma.midpoint.iterations", "plasma.midpoint.tolerance",
      "plasma.midpoint.substeps", "plasma.midpoint.substep_angle",
      "plasma.midpoint.substep_cells", "plasma.reference", NULL};
  write_text(FILE_NAME, unusual_plasma);
  struct wn_config *c = round_trip(FILE_NAME, 0, NULL, "every key of plasma");
  write_text("t0502-usual.cfg", usual_plasma);
  struct wn_config *usual = round_trip("t0502-usual.cfg", 0, NULL, "a short plasma");
  if (c && usual)
    not_at_default(c, usual, WN_KEY_PLASMA, same_plasma);
  if (c) {
    const struct wn_cfg_plasma *p = &c->plasma;
    is_int(p->dim, 2, "two dimensions");
    is_int((long)p->steps, 2334, "7 ns in steps of 3 ps"); /* 2333.3 */
    is_int((long)p->cells[2], 1, "one cell beyond");
    is_close(p->wall[0].phase, 1.5707963267948966, 1e-15, "a phase of 90 deg");
    is_close(p->wall[0].harmonics[2], -2000.0, 1e-15, "the fourth harmonic");
    is_close(p->wall[0].harmonic_phases[1], 1.0, 1e-15, "the phase of the third");
    is_int(p->wall[1].field, WN_NEUMANN, "x_high is the second wall");
    is_int(p->wall[2].given, 0, "y_low is not given");
    is_int(p->allow, WN_ALLOW_DEBYE_LENGTH | WN_ALLOW_PLASMA_FREQUENCY, "two words");
    is_int((long)p->n_modes, 2, "two modes");
    is_close(p->modes[3], -2, 0, "the second begins with -2");
    is_close(p->modes[5], 0, 0, "and has no waves along z");
    is_int((long)c->n_species, 5, "five species");
    is_str(c->species[0].name, "ions", "in the order of the file");
    is_close(c->species[0].drift[2], -299792.458, 1e-15, "a part of the speed of light");
    is_close(c->species[0].centre[0], 5e-3, 1e-15, "the middle of the domain");
    is_close(c->species[0].density, 1e15, 1e-15, "1e9 cm-3");
    is_int((long)c->species[1].macroparticles, 1234, "a number of macroparticles");
    is_int((long)c->species[1].per_cell, 0, "in place of that in a cell");
    is_close(c->species[2].radius[1], 2e-3, 1e-15, "an outer radius");
    is_close(c->species[3].ring[1], 0.3e-3, 1e-15, "the spread of a ring");
    is_str(c->species[4].path, FILE_NAME, "a file that was found");
  }
  if (usual) {
    const struct wn_cfg_plasma *p = &usual->plasma;
    is_int(p->dim, 1, "64 cells are one dimension");
    is_int(p->velocities, 3, "with three components of the velocity");
    is_int((long)p->steps, 1000, "1 ns is 1000 ps, not 1001");
    is_int(p->shape, WN_SHAPE_CIC, "shape cic");
    ok(p->fields_interval == WN_AUTO && p->wall[0].pulse_end == WN_AUTO &&
           usual->species[0].width[0] == WN_AUTO,
       "never and none are WN_AUTO");
    is_close(usual->species[0].mass, 9.1093837015e-31, 1e-15, "an electron");
    is_close(usual->species[0].charge, -1, 0, "and its charge");
  }
  wn_config_free(usual);
  wn_config_free(c);
  const char *sides[] = {"walls.x_low.field=dirichlet", "walls.x_high.field=open",
                         "walls.x_low.field=open"};
  c = round_trip("t0502-usual.cfg", 3, sides, "an open plasma");
  if (c)
    is_int(c->plasma.wall[1].particles, WN_SIDE_OPEN, "particles leave an open side");
  wn_config_free(c);
}

/* The other shapes; what was read from a file is in the resolved text itself. */
static void waveforms(void)
{
  static const char text[] =
      "fields = \"1 Td\"; gas = { components = { N2 = { file = \"builtin:air\"; }; }; };";
  static const char *const sine[] = {
      "waveform.shape=sine", "waveform.frequency=\"13.56 MHz\"",
      "waveform.phase=\"33 deg\"", "waveform.offset=-0.25"};
  static const char *const pulse[] = {
      "waveform.shape=pulse",     "waveform.start=\"1 ns\"", "waveform.rise=\"2 ns\"",
      "waveform.length=\"3 ns\"", "waveform.fall=\"4 ns\"",  "duration=\"20 ns\""};
  static const char *const file[] = {
      "waveform.shape=linear", "waveform.file=\"t0502-e.csv\"", "duration=\"20 ns\""};
  write_text("t0502-usual.cfg", text);
  write_text("t0502-e.csv", "# time, factor\n0, 1\n\n1.5e-9 -0.5 # and on\n");
  struct wn_config *c = round_trip("t0502-usual.cfg", 4, sine, "a sine");
  if (c)
    ok(c->waveform.is.frequency == 13.56e6 && c->waveform.is.offset == -0.25 &&
           wn_waveform_period(&c->waveform.is) == 1.0 / 13.56e6,
       "a sine is what was said");
  wn_config_free(c);
  c = round_trip("t0502-usual.cfg", 6, pulse, "a pulse");
  if (c)
    ok(fabs(c->waveform.is.start - 1e-9) < 1e-20 &&
           fabs(c->waveform.is.rise - 2e-9) < 1e-20 &&
           fabs(c->waveform.is.length - 3e-9) < 1e-20 &&
           fabs(c->waveform.is.fall - 4e-9) < 1e-20,
       "a pulse is what was said");
  wn_config_free(c);
  c = round_trip("t0502-usual.cfg", 3, file, "a file of a waveform");
  if (c)
    ok(c->waveform.is.n == 2 && c->waveform.is.times[1] == 1.5e-9 &&
           c->waveform.is.factors[1] == -0.5 && c->waveform.file == NULL,
       "a file gives its numbers");
  wn_config_free(c);
  remove("t0502-e.csv");
}

/* Density along z, whose tables are in the resolved text itself; it gives density and pressure, also at scan points. */
static void profiles(void)
{
  static const char text[] = "job = \"runaway\"; duration = \"1 ns\"; fields = \"1 Td\"; "
                             "gas = { components = { N2 = { file = "
                             "\"builtin:air\"; }; }; };";
  static const char *const standard[] = {
      "gas.profile.shape=us-standard-1976", "gas.profile.altitude=\"12345.6 m\"",
      "gas.profile.upward=\"-z\"",
      "scan={ h = { key = \"gas.profile.altitude\"; values = [\"1 m\", \"7e4 m\"]; }; }"};
  static const char *const file[] = {
      "gas.profile.shape=table", "gas.profile.altitude=\"7 m\"",
      "gas.profile.table_file=\"t0502-n.csv\"", "field_profile.file=\"t0502-e.csv\""};
  write_text("t0502-usual.cfg", text);
  write_text("t0502-n.csv", "# altitude, density\n-2 3e25\n7, 2e25\n31 1e20\n");
  write_text("t0502-e.csv", "0 -1\n1.5 2\n");
  struct wn_config *c = round_trip("t0502-usual.cfg", 4, standard, "the atmosphere");
  if (c)
    ok(c->gas_profile.upward == WN_UP_AGAINST_Z &&
           c->number_density == wn_config_density_at(c, c->gas_profile.altitude),
       "the atmosphere has its density at the release");
  wn_config_free(c);
  c = round_trip("t0502-usual.cfg", 4, file, "files of profiles");
  if (c) {
    ok(c->gas_profile.n_altitudes == 3 && c->gas_profile.densities[2] == 1e20 &&
           c->gas_profile.file == NULL && c->field_profile.n_places == 2 &&
           c->field_profile.factors[0] == -1.0 && c->field_profile.file == NULL,
       "files give their numbers");
    is_close(c->number_density, 2e25, 0.0, "and the density");
    is_close(c->cases[0].e, 2e25 * 1e-21, 1e-15, "in which 1 Td is");
  }
  wn_config_free(c);
  remove("t0502-n.csv");
  remove("t0502-e.csv");
}

/* `accuracy` as a group, which no other job takes: all names come back, and no others. */
static void test_goals(void)
{
  write_text(FILE_NAME,
             "fields = \"1 Td\"; accuracy = { mean_energy = 1e-3; mobility = 2e-3; "
             "bulk_mobility = 3e-3; flux_DT = 4e-3; flux_DL = 5e-3; bulk_DT = 6e-3; "
             "bulk_DL = 7e-3; ionization = 8e-3; attachment = 9e-3; alpha = 0.01; "
             "floor = 1e-20; };\n"
             "gas = { components = { N2 = { file = \"builtin:air\"; }; }; };");
  struct wn_config *c = round_trip(FILE_NAME, 0, NULL, "accuracy by names");
  for (int i = 0; i < WN_GOAL_ETA && c; i++)
    is_close(c->goal[i], 1e-3 * (i + 1), 1e-14, "name %d", i);
  if (c) {
    is_close(c->goal[WN_GOAL_ETA], WN_AUTO, 0.0, "one that is not named");
    is_close(c->accuracy_floor, 1e-20, 0.0, "the floor");
  }
  wn_config_free(c);
}

int main(void)
{
  plan(0);
  test_goals();
  profiles();
  write_text(FILE_NAME, unusual);
  const char *set = "electrons=3000";
  struct wn_config *c = round_trip(FILE_NAME, 0, NULL, "every key");
  struct wn_config *usual = NULL;
  /* The test means something only if no value of the text is the default. */
  write_text("t0502-usual.cfg",
             "fields = \"1 Td\"; gas = { components = { N2 = { file = "
             "\"builtin:air\"; fraction = 0.5; }; O2 = { fraction = 0.5; "
             "file = \"builtin:air\"; }; }; };");
  is_int(wn_config_read("t0502-usual.cfg", 0, NULL, &usual), WN_OK, "defaults are valid");
  static const char *const same_mcc[] = {
      "model", "gas.components.<NAME>.file", "gas.components.<NAME>.target",
      "gas.components.<NAME>.excited_fractions",
      /* without a field: with_continuous() */
      "moller.soft_loss",
      /* of job runaway: with_detectors() */
      "runaway.levels", "detectors.planes", "detectors.spheres", "detectors.above",
      "detectors.rows",
      /* of job swarm: with_radiation() */
      "radiation.photons_min", "radiation.compton", "radiation.rayleigh",
      "radiation.angle", "radiation.positrons", "radiation.positrons_cut",
      "radiation.positrons_stop", "radiation.positrons_brems",
      "radiation.roulette_weight", "radiation.roulette_below",
      "gas.components.<NAME>.photons",
      /* of other shapes: waveforms() */
      "waveform.frequency", "waveform.phase", "waveform.offset", "waveform.start",
      "waveform.rise", "waveform.length", "waveform.fall", "waveform.file",
      "field_profile.file", NULL};
  if (c && usual)
    not_at_default(c, usual, WN_KEY_MCC, same_mcc);
  /* not beside temperatures, but of the second component */
  if (c)
    ok(c->components[1].n_excited_part == 1 && c->components[1].excited_part[0] == 0.125,
       "gas.components.<NAME>.excited_fractions is not at its default");
  wn_config_free(usual);
  wn_config_free(c);
  c = round_trip(FILE_NAME, 1, &set, "every key, fewer electrons");
  wn_config_free(c);
  values();
  waveforms();
  ranges();
  plasma();
  with_gas();
  with_sparse();
  with_photons();
  with_continuous();
  with_radiation();
  with_detectors();
  with_test_electrons();
  with_rz();
  with_electrodes();
  with_dielectrics();
  with_nodes();
  shipped();
  remove(FILE_NAME);
  remove("t0502-again.cfg");
  remove("t0502-usual.cfg");
  return done();
}
