/* t0789-test-electron-runs.c - defends: test electrons (src/sim/test_electrons.c) change no bit of the
 * plasma; their weights balance to the last bit, and so do passages of the last threshold and what ended
 * there; each electron of the plasma above `from` has its mark, and no other, with merging and photons, in
 * one to three dimensions and in r-z; threads, schedulers and restarts give the same bits; what cannot be
 * is refused, with the key.  All of this is exact.
 *
 * With adaptive steps the same holds, rows are at the ends of whole steps, and passages are those of short equal
 * steps: 4.5 standard errors of both, by 32 groups each, which 5 comparisons exceed by chance once in 2e3 seeds. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "physics/sample.h"
#include "src/config/plasma_derived.h"
#include "src/sim/test_electrons.h"
#include "t/tap/command.h"
#include "t/tap/scene.h"
#include "t/tap/slices.h"
#include "t/tap/tap.h"

#define FILE_NAME "t0789.cfg"
#define OUT       "t0789.nc"
#define AGAIN     "t0789-again.nc"
#define MARK      (1u << (WN_TAG_LINEAGE_BITS - 1)) /* as in src/sim/test_electrons.c */

/* Electrons of some 10 eV in a field in which many rise above 100 eV. */
#define REST(per_cell)                                                                   \
  "model = \"plasma\"; duration = \"1 ps\"; seed = 7; threads = 1;\n"                    \
  "gas = { pressure = \"1 bar\"; temperature = \"300 K\"; components = { N2 = { file = " \
  "\"builtin:air\"; fraction = 0.8; }; O2 = { file = \"builtin:air\"; fraction = 0.2; "  \
  "}; }; };\n"                                                                           \
  "species = { e = { density = \"1e6 m-3\"; per_cell = " per_cell                        \
  "; temperature = \"30 eV\"; loading = \"random\"; collisions = \"gas\"; ions = "       \
  "\"p\"; anions = \"n\"; };\n"                                                          \
  "  p = { density = \"0 m-3\"; charge = 1.0; mass = \"28 u\"; mobile = false; };\n"     \
  "  n = { density = \"0 m-3\"; charge = -1.0; mass = \"32 u\"; mobile = false; }; };\n"
#define TEST                                                                             \
  "test_electrons = { number = 64; from = \"80 eV\"; thresholds = [\"120 eV\", \"200 "   \
  "eV\", \"300 eV\"]; rows = 50; };"
#define WALLS(axis)                                                                      \
  "walls = { " axis "_low = { field = \"dirichlet\"; }; " axis                           \
  "_high = { field = \"dirichlet\"; voltage = \"12 kV\"; }; };\n"
#define LINE "grid = { cells = [8]; length = \"0.2 mm\"; };\n" WALLS("x")
#define PLANE                                                                            \
  "grid = { cells = [8, 6]; length = [\"0.2 mm\", \"0.15 mm\"]; };\n" WALLS("x")
#define SPACE                                                                            \
  "grid = { cells = [8, 4, 4]; length = [\"0.2 mm\", \"0.1 mm\", \"0.1 mm\"]; "          \
  "};\n" WALLS("x")
#define RZ                                                                               \
  "grid = { geometry = \"r-z\"; cells = [6, 8]; length = [\"0.15 mm\", \"0.2 mm\"]; "    \
  "};\n"                                                                                 \
  "walls = { x_high = { field = \"neumann\"; }; y_low = { field = \"dirichlet\"; }; "    \
  "y_high = { field = \"dirichlet\"; voltage = \"12 kV\"; }; };\n"

/* With all that changes electrons: photons, merging, splitting. */
#define MERGED(test)                                                                     \
  REST("30")                                                                             \
  "plasma = { time_step = \"0.02 ps\"; " test " photoionization = { ions = \"p\"; "      \
  "efficiency = 1.0; };\n merging = { e = { species = \"e\"; per_cell_most = 20; "       \
  "per_cell_least = 8; protected_energy = \"80 eV\"; energy_classes = [\"20 eV\"]; "     \
  "}; }; };\n"
#define SEVERAL                                                                          \
  "plasma = { time_step = \"0.1 ps\"; mobility_steps = 4; allow = "                      \
  "[\"cell-crossing\"]; " TEST " };\n"

static const char plain[] = REST("400") LINE "plasma = { time_step = \"0.02 ps\"; };\n";
static const char with[] =
    REST("400") LINE "plasma = { time_step = \"0.02 ps\"; " TEST " };\n";
#define UNEVEN(test)                                                                     \
  REST("400")                                                                            \
  LINE "plasma = { time_step = \"0.04 ps\"; adaptive = { least = \"0.0025 ps\"; growth " \
       "= "                                                                              \
       "0.0212; }; " test " };\n"
static const char uneven_plain[] = UNEVEN("");
static const char uneven[] = UNEVEN(TEST);
static const char several[] = REST("400") LINE SEVERAL;
static const char merged_plain[] = MERGED("") PLANE;
static const char merged2[] = MERGED(TEST) PLANE;
static const char merged3[] = MERGED(TEST) SPACE;
static const char rz[] = MERGED(TEST) RZ;

/* ---- what holds after each step */

static int balances(const struct scene *s)
{
  const struct wn_test_sums t = wn_test_electrons_sums(s->sim);
  return t.started + t.born - t.lost - t.fell - t.beyond - t.killed + t.raised ==
         t.present;
}

/* Electrons with a mark that they should not have, or without. */
static size_t wrong_marks(const struct scene *s, double from_ev)
{
  const struct wn_species *e = s->sim->species[0];
  const struct wn_electron *all = wn_particles_electrons(&e->p);
  size_t wrong = 0;
  for (size_t i = 0; i < e->p.n; i++)
    wrong += ((all[i].tag & MARK) != 0) != (wn_sample_energy_ev(&all[i]) >= from_ev);
  return wrong;
}

static void steps(const char *what, const char *text, double dt, int n)
{
  static const char *const none[] = {NULL};
  struct scene s;
  size_t marks = 0, unbalanced = 0;
  scene_open(&s, FILE_NAME, text, none);
  scene_start(&s, dt);
  for (int i = 0; i < n; i++) {
    WN_ASSERT(scene_phase(&s) == WN_OK);
    marks += wrong_marks(&s, 80.0);
    unbalanced += !balances(&s);
  }
  const struct wn_test_sums t = wn_test_electrons_sums(s.sim);
  ok(marks == 0, "%s: %zu wrong marks", what, marks);
  ok(unbalanced == 0 && t.started > 0 && t.born > 0 && t.fell > 0 && t.lost > 0 &&
         t.killed > 0 && t.raised > 0 && t.present > 0,
     "%s: weights balance to the last bit in all but %zu steps", what, unbalanced);
  is_close(wn_test_electrons_passages(s.sim, 2).value,
           (double)t.beyond / WN_FIX_RARE *
               wn_loading_weight(s.config, &s.config->species[0]),
           1e-12, "%s: those that ended above the last threshold have passed it", what);
  ok(t.beyond > 0, "%s: there are some", what);
  scene_close(&s);
}

/* ---- runs */

static int run(const char *text, const char *options, const char *out)
{
  return command_run(FILE_NAME, text, "", out, options);
}

static void plasma_is_the_same(const char *what, const char *without, const char *text)
{
  static const char *const names[] = {
      "time",           "field_energy", "total_charge",       "kinetic_energy",
      "momentum",       "particles",    "wall_particles",     "wall_energy",
      "born_particles", "field_work",   "attached_particles", "collision_energy"};
  size_t compared = 0, differ = 0;
  ok(run(without, "", OUT) == 0 && run(text, "", AGAIN) == 0,
     "%s: runs, with and without", what);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    size_t n = 0, m = 0;
    double *a = command_nc_read(OUT, names[i], &n),
           *b = command_nc_read(AGAIN, names[i], &m);
    if (a == NULL || b == NULL || n != m || memcmp(a, b, n * sizeof *a) != 0) {
      diag("%s differs, or is not there", names[i]);
      differ++;
    }
    compared += n;
    free(a), free(b);
  }
  ok(differ == 0 && compared > 500,
     "%s: the same plasma, %zu numbers, %zu variables differ", what, compared, differ);
  remove(OUT);
  remove(AGAIN);
}

/* More electrons than one thread looks at. */
static void same_bits(const char *what, const char *text, const char *options)
{
  static const char *const ways[] = {"--threads 4", "--threads 3 --set scheduler=serial"};
  char all[300];
  ok(run(text, options, OUT) == 0, "%s runs", what);
  ok(command_nc_sum(OUT, "passages") > 0.0, "%s: electrons pass", what);
  for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
    size_t n = 0;
    snprintf(all, sizeof all, "%s %s", options, ways[i]);
    ok(run(text, all, AGAIN) == 0, "%s, %s: runs", what, ways[i]);
    const char *differs = command_nc_differs(OUT, AGAIN, &n);
    ok(differs == NULL && n > 500, "%s, %s: the same %zu numbers%s%s", what, ways[i], n,
       differs ? "; differs: " : "", differs ? differs : "");
    remove(AGAIN);
  }
  remove(OUT);
}

static void restarts(const char *what, const char *text, size_t steps)
{
  static const char *const options[] = {"--threads 1", "--threads 2"};
  ok(run(text, "", OUT) == 0, "a run to be stopped");
  command_write(FILE_NAME, text);
  slices_are(what, FILE_NAME, AGAIN, OUT, steps, 4, 2, options);
  remove(FILE_NAME);
  remove(OUT);
  remove(AGAIN);
}

/* ---- adaptive steps */

/* Passages of two thresholds, and those above three energies at the end: their errors follow them. */
static void read_ends(const char *file, double value[5], double error[5])
{
  static const char *const names[2][2] = {
      {"passages", "passages_error"},
      {"test_electrons_above", "test_electrons_above_error"}};
  for (int kind = 0; kind < 2; kind++)
    for (int is_error = 0; is_error < 2; is_error++) {
      size_t n = 0;
      double *v = command_nc_read(file, names[kind][is_error], &n);
      WN_ASSERT(v != NULL && n > 4);
      memcpy((is_error ? error : value) + 2 * kind, v + n - (kind == 0 ? 3 : 4),
             (kind == 0 ? 2 : 3) * sizeof *v);
      free(v);
    }
}

static void uneven_steps(void)
{
  double equal[5], error[5], adaptive[5], its_error[5];
  size_t n = 0, lengths = 0, rows = 0;
  ok(run(with, "--set species.e.per_cell=6000 --set seed=21", OUT) == 0, "equal steps");
  read_ends(OUT, equal, error);
  ok(run(uneven, "--set species.e.per_cell=6000 --set seed=22", AGAIN) == 0,
     "adaptive steps");
  read_ends(AGAIN, adaptive, its_error);
  for (int i = 0; i < 5; i++)
    ok(fabs(equal[i] - adaptive[i]) < 4.5 * hypot(error[i], its_error[i]) &&
           its_error[i] < 0.25 * adaptive[i] && error[i] > 0.0,
       "%s of energy %d: %.3g(%.1g) with adaptive steps, %.3g(%.1g) with equal ones",
       i < 2 ? "passages" : "test electrons above", i < 2 ? i + 1 : i - 2, adaptive[i],
       its_error[i], equal[i], error[i]);
  double *length = command_nc_read(AGAIN, "step_length", &n);
  WN_ASSERT(length != NULL);
  for (size_t i = 1; i < n; i++)
    lengths += length[i] > 0.0 && length[i - 1] > 0.0 && length[i] != length[i - 1];
  free(length);
  free(command_nc_read(AGAIN, "time", &rows));
  double *number = command_nc_read(AGAIN, "test_electrons", &n);
  ok(lengths > 5 && rows == 25 && n == rows,
     "%zu changes of the step, %zu rows of whole steps", lengths, n);
  free(number);
  remove(OUT);
  remove(AGAIN);
}

/* ---- refusals */

static void refused(const char *options, const char *words)
{
  command_write(FILE_NAME, with);
  const int status = command("%s run " FILE_NAME " --quiet --output " OUT " %s",
                             command_wilson(), options);
  ok(status == 2 && strstr(command_err, words) != NULL, "%s: refused, %s", options,
     words);
  if (status != 2)
    diag("%d %.500s", status, command_err);
  remove(FILE_NAME);
  remove(OUT);
}

#define SET(key, value) "--set 'plasma." key "=" value "'"

static void refusals(void)
{
  refused(SET("test_electrons.number", "31"), "allowed: 0, or at least 32");
  refused(SET("test_electrons.number", "0"), "has no effect without");
  refused(SET("test_electrons.species", "\"p\""), "collisions = \"gas\"");
  refused(SET("test_electrons.from", "\"120 eV\""), "is not above");
  refused(SET("test_electrons.thresholds", "[]"), "0 energies; allowed: 1 to 63");
  refused(SET("test_electrons.thresholds", "[\"200 eV\", \"100 eV\"]"),
          "plasma.test_electrons.thresholds");
  refused(SET("test_electrons.levels_per_decade",
              "100") " " SET("test_electrons.thresholds", "[\"100 keV\"]"),
          "plasma.test_electrons.levels_per_decade");
  refused(SET("test_electrons.thresholds", "[\"17 MeV\"]"),
          "plasma.test_electrons.thresholds");
  refused("--set 'tables.energy_max=\"250 eV\"'", "is above tables.energy_max");
  refused(SET("merging.m",
              "{ species = \"e\"; per_cell_most = 50; protected_energy = \"81 eV\"; }"),
          "plasma.merging.m.protected_energy");
  refused(SET("coulomb.c", "{ species = [\"e\"]; }"), "no Coulomb collisions");
  refused(SET("thermostats.t",
              "{ species = \"e\"; temperature = \"1 eV\"; time = \"1 ns\"; }"),
          "does not act on test electrons");
  refused(
      "--set 'reactions.r={ reactants = [\"e\"]; products = []; rate = \"1e9 s-1\"; }'",
      "no reactions by rates");
  refused("--set 'gas.components.N2.file=\"builtin:argon\"' --set "
          "'gas.components.N2.target=\"Ar\"' --set 'gas.components.O2.fraction=0' --set "
          "'gas.components.N2.fraction=1' --set "
          "'plasma.test_electrons.thresholds=[\"2 keV\"]'",
          "gas.components.<NAME>.beyond");
}

int main(void)
{
  plan(0);
  steps("a line", with, 0.02e-12, 50);
  steps("several mobility steps", several, 0.1e-12, 10);
  steps("with photons and merging", merged2, 0.02e-12, 50);
  steps("in three dimensions", merged3, 0.02e-12, 30);
  steps("in r-z", rz, 0.02e-12, 50);
  plasma_is_the_same("a line", plain, with);
  plasma_is_the_same("with photons and merging", merged_plain, merged2);
  same_bits("many electrons", with,
            "--set species.e.per_cell=4000 --set 'duration=\"0.3 ps\"'");
  same_bits("in r-z with merging", rz, "");
  restarts("test electrons", merged2, 11);
  plasma_is_the_same("adaptive steps", uneven_plain, uneven);
  same_bits("adaptive steps", uneven,
            "--set species.e.per_cell=4000 --set 'duration=\"0.28 ps\"'");
  restarts("test electrons with adaptive steps", uneven, 23);
  uneven_steps();
  refusals();
  return done();
}
