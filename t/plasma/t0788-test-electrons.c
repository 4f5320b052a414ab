/* t0788-test-electrons.c - defends: test electrons (src/sim/test_electrons.c) are without bias, and their
 * errors are honest.  Few real electrons in a gap with a voltage, so that the field is uniform and
 * electrons are independent.
 *
 *   - At any time they stand for as many electrons above `from`, and above each threshold, as the plasma
 *     itself has: at a field where 200 eV is rare, with levels in three ways, and at twice that field,
 *     with macroparticles of one weight and of any (merging).
 *   - Numbers of passages, down to 1e-7 of an electron, do not depend on the levels, on `from` and on how
 *     many there are.
 *   - They are those of a swarm in that field (job runaway, another program path).
 *   - The errors in the file are those by which seeds differ.
 *   - The table of passages is a sample of all: weights add up to the number of passages, and times are
 *     those at which this rose.
 *
 * Tolerances: from the scatter over SEEDS seeds, Student's t of 11 degrees of freedom, beyond 5.9 once in
 * 1e4; 23 comparisons.  chi2 of 33 degrees, three ways together: within 10.6 and 73 but for 1 in 1e4 at
 * each end; 3 comparisons.  Nine of 4.5 standard errors, 7e-6 each.  Seeds are fixed. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "t/tap/command.h"
#include "t/tap/tap.h"

#define OUT    "t0788.nc"
#define SEEDS  12
#define T      5.9
#define SIGMAS 4.5
#define LOADED 4e-4 /* real electrons at the start */
#define CASES  5
#define WAYS   3 /* cases of the lower field */
#define TOP    4 /* thresholds */

#define GAS                                                                              \
  "gas = { pressure = \"1 bar\"; temperature = \"300 K\"; components = { N2 = { file = " \
  "\"builtin:air\"; fraction = 0.8; }; O2 = { file = \"builtin:air\"; fraction = 0.2; "  \
  "}; }; };\n"

static const char rest[] =
    "model = \"plasma\"; threads = 1;\n" GAS
    "species = { e = { density = \"1 m-3\"; profile = \"slab\"; temperature = \"1 eV\"; "
    "loading = \"random\"; collisions = \"gas\"; ions = \"i\"; anions = \"n\"; ";
static const char ions[] =
    "};\n"
    "  i = { density = \"0 m-3\"; charge = 1.0; mass = \"28 u\"; mobile = false; };\n"
    "  n = { density = \"0 m-3\"; charge = -1.0; mass = \"32 u\"; mobile = false; }; "
    "};\n";

#define LINE     "grid = { cells = [20]; length = \"4 mm\"; };\n"
#define PLANE    "grid = { cells = [20, 4]; length = [\"4 mm\", \"0.8 mm\"]; };\n"
#define IN_LINE  "per_cell = 600; width = \"0.4 mm\";"
#define IN_PLANE "per_cell = 150; width = [\"0.4 mm\", \"none\"];"

static const char swarm[] =
    "job = \"runaway\"; fields = [\"35 MV/m\"]; electrons = 40000; duration = \"4 ps\"; "
    "seed = 5; threads = 1; initial_energy = \"1.5 eV\"; initial_spectrum = "
    "\"maxwell\";\n"
    "runaway = { thresholds = [\"200 eV\"]; };\n" GAS;

static const struct {
  const char *what, *grid, *load, *voltage, *duration, *step, *test, *more;
} cases[CASES] = {
    {"ten levels a decade", LINE, IN_LINE, "140 kV", "4 ps", "0.05 ps",
     "number = 160; from = \"60 eV\";", ""},
    {"five, from a lower energy", LINE, IN_LINE, "140 kV", "4 ps", "0.05 ps",
     "number = 320; levels_per_decade = 5; from = \"40 eV\";", ""},
    {"25 with fewer electrons", LINE, IN_LINE, "140 kV", "4 ps", "0.05 ps",
     "number = 96; levels_per_decade = 25; from = \"60 eV\";", ""},
    {"twice the field", LINE, IN_LINE, "280 kV", "2 ps", "0.02 ps",
     "number = 160; from = \"60 eV\";", ""},
    {"merged, any weights", PLANE, IN_PLANE, "280 kV", "2 ps", "0.02 ps",
     "number = 160; from = \"60 eV\";",
     "merging = { m = { species = \"e\"; per_cell_most = 60; protected_energy = \"60 "
     "eV\"; }; };"}};

struct sums {
  double n, sum, square, error2;
};

static void add(struct sums *s, double x, double error)
{
  s->n += 1.0;
  s->sum += x;
  s->square += x * x;
  s->error2 += error * error;
}

static double mean(const struct sums *s)
{
  return s->sum / s->n;
}

static double variance(const struct sums *s)
{
  return fmax(s->square / s->n - mean(s) * mean(s), 0.0) * s->n / (s->n - 1.0);
}

static double error(const struct sums *s)
{
  return sqrt(variance(s) / s->n);
}

static int run(const char *text, const char *name)
{
  command_write("t0788.cfg", text);
  const int status = command("%s run t0788.cfg --quiet --output " OUT, command_wilson());
  remove("t0788.cfg");
  if (status != 0)
    diag("%.500s", command_err);
  return ok(status == 0, "%s", name);
}

/* When a threshold was passed on average, s, by its number so far at the end of each step. */
static double mean_time(size_t k, double dt)
{
  size_t n;
  double *v = command_nc_read(OUT, "passages", &n), sum = 0.0, before = 0.0;
  for (size_t i = k; i < n; i += TOP) {
    sum += (v[i] - before) * dt * (double)(i / TOP + 1);
    before = v[i];
  }
  free(v);
  return sum / before;
}

/* In the table: as many rows as passages, or all; what they stand for, and when they were. */
static void table(double dt)
{
  size_t n, n_counted;
  double *w = command_nc_read(OUT, "passage_weight", &n),
         *at = command_nc_read(OUT, "passage_position", &n),
         *c = command_nc_read(OUT, "passage_cosine", &n),
         *e = command_nc_read(OUT, "passage_energy", &n),
         *t = command_nc_read(OUT, "passage_time", &n),
         *counted = command_nc_read(OUT, "passages_counted", &n_counted);
  const size_t rows = n / TOP;
  int wrong = 0;
  for (size_t k = 0; k < TOP; k++) {
    const double when = mean_time(k, dt);
    double sum = 0.0, square = 0.0, filled = 0.0, late = 0.0, late2 = 0.0;
    for (size_t i = k * rows; i < (k + 1) * rows; i++) {
      if (isnan(w[i]))
        continue;
      filled += 1.0;
      sum += w[i];
      square += w[i] * w[i];
      late += w[i] * (t[i] - when);
      late2 += pow(w[i] * (t[i] - when), 2);
      wrong += !(at[3 * i] > 1.7e-3 && at[3 * i] < 2.4e-3) || at[3 * i + 1] != 0.0 ||
               !(fabs(c[i]) <= 1.0) || !(e[i] > 1.0 && e[i] < 1500.0);
    }
    const double all = command_nc_last(OUT, "passages", TOP, k),
                 spread = sqrt(fmax(square - sum * sum / filled, 0.0));
    ok(filled == fmin(counted[k], (double)rows), "threshold %zu: %g rows of %g", k,
       filled, counted[k]);
    if (counted[k] <= (double)rows)
      is_close(sum, all, 1e-12, "threshold %zu: they are the passages", k);
    else /* without replacement it is less */
      is_near(sum, all, SIGMAS * spread, "threshold %zu: they stand for the passages", k);
    is_near(late / sum, 0.0, SIGMAS * sqrt(late2) / sum,
            "threshold %zu: at the same times on average", k);
  }
  ok(wrong == 0 && counted[0] > (double)rows, "%d rows out of place", wrong);
  free(w), free(at), free(c), free(e), free(t), free(counted);
}

int main(void)
{
  struct sums above[CASES][TOP + 1] = {{{0}}}, passages[CASES][TOP] = {{{0}}};
  char text[4096];
  plan(0);
  for (int k = 0; k < CASES; k++)
    for (int seed = 1; seed <= SEEDS; seed++) {
      snprintf(text, sizeof text,
               "%s%s%s%swalls = { x_low = { field = \"dirichlet\"; }; x_high = { field = "
               "\"dirichlet\"; voltage = \"%s\"; }; };\nduration = \"%s\"; seed = %d;\n"
               "plasma = { time_step = \"%s\"; integrals_interval = \"%s\"; "
               "test_electrons = { %s thresholds = [\"100 eV\", \"200 eV\", \"400 eV\", "
               "\"1 keV\"]; rows = 400; }; %s };\n",
               rest, cases[k].load, ions, cases[k].grid, cases[k].voltage,
               cases[k].duration, 1000 * k + seed, cases[k].step,
               k == 0 && seed == 1 ? cases[k].step : cases[k].duration, cases[k].test,
               cases[k].more);
      char name[100];
      snprintf(name, sizeof name, "%s, seed %d runs", cases[k].what, seed);
      if (!run(text, name))
        continue;
      for (size_t i = 0; i <= TOP; i++)
        add(&above[k][i],
            (command_nc_last(OUT, "test_electrons_above", TOP + 1, i) -
             command_nc_last(OUT, "electrons_above", TOP + 1, i)) /
                LOADED,
            0.0);
      for (size_t i = 0; i < TOP; i++)
        add(&passages[k][i], command_nc_last(OUT, "passages", TOP, i) / LOADED,
            command_nc_last(OUT, "passages_error", TOP, i) / LOADED);
      if (k == 0 && seed == 1)
        table(0.05e-12);
    }
  /* 400 eV is too rare in the lower field */
  for (int k = 0; k < CASES; k++)
    for (size_t i = 0; i <= (k < WAYS ? 2u : 3u); i++)
      is_near(mean(&above[k][i]), 0.0, T * error(&above[k][i]),
              "%s: above energy %zu, by test electrons and by those of the plasma",
              cases[k].what, i);
  for (size_t i = 1; i < TOP; i++)
    for (int k = 1; k < WAYS; k++)
      is_near(mean(&passages[k][i]), mean(&passages[0][i]),
              T * hypot(error(&passages[k][i]), error(&passages[0][i])),
              "threshold %zu: passages, %s and %s", i, cases[k].what, cases[0].what);
  for (size_t i = 1; i < TOP; i++) {
    double chi2 = 0.0;
    for (int k = 0; k < WAYS; k++)
      chi2 += (SEEDS - 1) * variance(&passages[k][i]) / (passages[k][i].error2 / SEEDS);
    ok(chi2 > 10.6 && chi2 < 73.0,
       "threshold %zu: scatter over seeds by the errors: chi2 "
       "%.3g of %d",
       i, chi2, WAYS * (SEEDS - 1));
  }
  if (run(swarm, "the swarm runs")) {
    struct sums all = {0.0, 0.0, 0.0, 0.0};
    for (int k = 0; k < WAYS; k++)
      add(&all, mean(&passages[k][1]), error(&passages[k][1]));
    is_near(mean(&all), command_nc_last(OUT, "passages_per_primary", 1, 0),
            SIGMAS * hypot(sqrt(all.error2) / WAYS,
                           command_nc_last(OUT, "passages_per_primary_error", 1, 0)),
            "passages of 200 eV, for each electron at the start, and those of a swarm");
  }
  remove(OUT);
  return done();
}
