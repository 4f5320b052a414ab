/* t0449-gpu-streamers.c - defends: what streamer runs use together on a GPU has the bits of the CPU, step after step:
 * adaptive steps (their lengths, conditions and all that these are made of), merging and splitting with limits of
 * weights by field and place, photoionization with weights of pairs by distance and number, test electrons (records, sums, passages in their order) and ions that
 * collide or not, in one to three dimensions and in r-z.  The plasma on the CPU takes its field from the one on the GPU,
 * as solvers round differently (t/tap/two_devices.h).
 *
 * Runs of the program on a GPU that stop and go on have the bits of one that did not; and take the steps of the same
 * run on the CPU.  Reference: the CPU in the same program. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "device/gpu.h"
#include "physics/step_counts.h"
#include "src/run/step.h"
#include "src/sim/adaptive_step.h"
#include "src/sim/merging.h"
#include "src/sim/photoionization.h"
#include "src/sim/test_electrons.h"
#include "src/sim/weight_limits.h"
#include "t/tap/command.h"
#include "t/tap/gpu.h"
#include "t/tap/slices.h"
#include "t/tap/tap.h"
#include "t/tap/two_devices.h"

#define FILE_NAME "t0449.cfg"
#define OUT       "t0449.nc"
#define CPU_OUT   "t0449-cpu.nc"

#define HEAD "model = \"plasma\"; duration = \"4 ps\"; seed = 449; threads = 2;\n"
#define ANYHOW                                                                           \
  "allow = [\"cell-crossing\", \"debye-length\", "                                       \
  "\"plasma-frequency\"]; "
#define GAS                                                                              \
  "gas = { pressure = \"1 bar\"; components = { N2 = { fraction = 0.8; file = "          \
  "\"builtin:air\"; }; O2 = { fraction = 0.2; file = \"builtin:air\"; }; }; };\n"
#define AIR(ions)                                                                        \
  GAS "species = { e = { density = \"1e18 m-3\"; temperature = \"12 eV\"; per_cell = "   \
      "50; "                                                                             \
      "loading = \"random\"; collisions = \"gas\"; ions = \"i\"; anions = \"a\"; }; i "  \
      "= { "                                                                             \
      "density = \"1e18 m-3\"; charge = 1; mass = \"29 u\"; per_cell = 50; loading = "   \
      "\"random\"; " ions "}; a = { density = \"0 m-3\"; mass = \"16 u\"; " ions         \
      "}; p = { density = \"0 m-3\"; charge = 1; mass = \"32 u\"; " ions "}; };\n"
#define PLATES(axis, volt)                                                               \
  "walls = { " axis "_low = { field = \"dirichlet\"; }; " axis                           \
  "_high = { field = \"dirichlet\"; voltage = \"" volt "\"; }; "
#define RZ                                                                               \
  "grid = { geometry = \"r-z\"; cells = [16, 20]; length = [\"0.08 mm\", \"0.1 mm\"]; "  \
  "};\n" PLATES("y", "3 kV") "x_high = { field = \"neumann\"; }; };\n"
#define PLANE                                                                            \
  "grid = { cells = [20, 16]; length = [\"0.1 mm\", \"0.08 mm\"]; };\n" PLATES(          \
      "x", "3 kV") "};\n"
#define LINE                                                                             \
  "grid = { cells = [64]; length = [\"0.1 mm\"]; };\n" PLATES("x", "3 kV") "};\n"
#define SPACE                                                                            \
  "grid = { cells = [10, 8, 6]; length = [\"0.1 mm\", \"0.08 mm\", \"0.06 mm\"]; "       \
  "};\n" PLATES("x", "3 kV") "};\n"
#define PHOTONS "photoionization = { ions = \"p\"; efficiency = 5.0; weight = 0.25; }; "
#define PAIRS                                                                            \
  "photoionization = { ions = \"p\"; efficiency = 5.0; weight = 0.25; "                  \
  "weight_distances = [\"0.02 mm\", \"0.06 mm\"]; distance_weights = [0.25, 3.0]; "      \
  "pairs_per_step = 40; }; "
#define MERGING(centre)                                                                  \
  "merging = { e = { species = \"e\"; per_cell_most = 45; per_cell_least = 30; "         \
  "least_weight = 0.05; protected_energy = \"80 eV\"; energy_classes = [\"20 eV\"]; "    \
  "interval = 2; weight_fields = [\"28 MV/m\", \"32 MV/m\"]; weight_limits = [6.0, "     \
  "1.5]; " centre "distance_limits = [0.6, 20.0]; }; i = { species = \"i\"; "            \
  "per_cell_most = 40; method = \"two\"; interval = 3; }; }; "
#define CENTRE2                                                                          \
  "weight_centre = [\"0.03 mm\", \"0.03 mm\"]; weight_distances = [\"0.01 mm\", "        \
  "\"0.03 mm\"]; "
#define CENTRE3                                                                          \
  "weight_centre = [\"0.03 mm\", \"0.03 mm\", \"0.03 mm\"]; weight_distances = "         \
  "[\"0.01 mm\", \"0.03 mm\"]; "
#define TEST                                                                             \
  "test_electrons = { number = 128; from = \"80 eV\"; thresholds = [\"120 eV\", \"200 "  \
  "eV\", \"300 eV\"]; rows = 40; }; "
#define STEPS "adaptive = { least = \"0.0125 ps\"; growth = 0.05; }; "
#define PLASMA(step, more)                                                               \
  "plasma = { time_step = \"" step "\"; " ANYHOW more "integrals_interval = \"step\"; "  \
  "};\n"
#define PAIR(grid, more)                                                                 \
  grid "species = { e = { density = \"1e16 m-3\"; temperature = \"100 eV\"; per_cell = " \
       "60; loading = \"random\"; drift = [\"2000 km/s\", \"0\", \"0\"]; }; i = { "      \
       "density = \"1e16 m-3\"; charge = 1; mass = \"1 u\"; temperature = \"1 eV\"; "    \
       "per_cell = 60; loading = \"random\"; }; };\n" more
#define ARGON                                                                            \
  "gas = { pressure = \"100 Pa\"; components = { Ar = { file = \"builtin:argon\"; }; "   \
  "}; };\ntables = { energy_max = \"1 keV\"; };\n"                                       \
  "grid = { cells = [60]; length = [\"2 mm\"]; };\n" PLATES(                             \
      "x",                                                                               \
      "100 V") "};\n"                                                                    \
               "species = { e = { density = \"1e15 m-3\"; temperature = \"30 eV\"; "     \
               "per_cell = 100; "                                                        \
               "loading = \"random\"; collisions = \"gas\"; ions = \"i\"; }; i = { "     \
               "density = "                                                              \
               "\"1e15 m-3\"; charge = 1.0; mass = \"39.948 u\"; temperature = \"300 "   \
               "eV\"; "                                                                  \
               "per_cell = 100; loading = \"random\"; collisions = \"gas\"; }; };\n"

static const char streamer[] =
    HEAD RZ AIR("mobile = false; ") PLASMA("0.2 ps", STEPS PAIRS TEST MERGING(CENTRE2));

static const struct {
  const char *name, *text;
  int steps;
} cases[] = {
    {"r-z, all of it", streamer, 40},
    {"2-D, all of it, two mobility steps, ions that move",
     HEAD PLANE AIR("")
         PLASMA("0.2 ps", STEPS PHOTONS TEST MERGING(CENTRE2) "mobility_steps = 2; "),
     24},
    {"1-D in a magnetic field, equal steps, test electrons",
     HEAD LINE AIR("mobile = false; ")
         PLASMA("0.02 ps", TEST "magnetic_field = [\"0\", \"0\", \"1 T\"]; "),
     40},
    {"3-D, steps and limits",
     HEAD SPACE AIR("mobile = false; ") PLASMA("0.2 ps", STEPS MERGING(CENTRE3)), 24},
    {"argon, ions that collide",
     HEAD ARGON PLASMA(
         "100 ps", "adaptive = { least = \"0.78125 ps\"; }; merging = { e = { species "
                   "= \"e\"; per_cell_most = 90; interval = 2; }; i = { species = "
                   "\"i\"; per_cell_most = 90; interval = 3; weight_fields = [\"40 "
                   "kV/m\", \"60 kV/m\"]; weight_limits = [3.0, 1.2]; }; }; "),
     24},
    {"pairs, 1-D, periodic",
     HEAD PAIR("grid = { cells = [50]; length = [\"2 mm\"]; };\n",
               PLASMA("20 ps", "adaptive = { least = \"0.3125 ps\"; cells = 0.3; }; ")),
     24},
    {"pairs, 2-D, two velocities",
     HEAD PAIR(
         "grid = { cells = [20, 24]; length = [\"1 mm\", \"1 mm\"]; };\n",
         PLASMA("20 ps",
                "velocities = 2; adaptive = { least = \"0.3125 ps\"; cells = 0.3; }; ")),
     12},
    {"pairs, r-z",
     HEAD
     "grid = { geometry = \"r-z\"; cells = [20, 24]; length = [\"1 mm\", "
     "\"1 mm\"]; };\nwalls = { x_high = { field = \"neumann\"; }; y_low = { field = "
     "\"dirichlet\"; }; y_high = { field = \"dirichlet\"; }; };\n"
     "species = { e = { density = \"1e16 m-3\"; temperature = \"100 eV\"; per_cell = 60; "
     "loading = \"random\"; }; i = { density = \"1e16 m-3\"; charge = 1; mass = \"1 u\"; "
     "temperature = \"1 eV\"; per_cell = 60; loading = \"random\"; }; };\n" PLASMA(
         "20 ps", "adaptive = { least = \"0.3125 ps\"; }; "),
     12},
    {"pairs, 3-D, relativistic, with limits",
     HEAD PAIR(
         "grid = { cells = [10, 8, 8]; length = [\"1 mm\", \"1 mm\", \"1 mm\"]; };\n",
         PLASMA("20 ps",
                "relativistic = true; adaptive = { least = \"0.3125 ps\"; cells = "
                "0.3; }; merging = { x = { species = \"e\"; per_cell_most = 50; "
                "weight_fields = [\"1 kV/m\", \"100 kV/m\"]; weight_limits = [5.0, 1.1]; "
                "}; }; ")),
     12},
};
#define N_CASES (sizeof cases / sizeof cases[0])

/* ---- what must be the same after a step */

static int bits(const void *a, const void *b, size_t bytes)
{
  return memcmp(a, b, bytes) == 0;
}

/* Over groups, of which a GPU has more. */
static wn_i128 gained(const struct wn_species *of)
{
  wn_i128 sum = 0;
  for (int g = 0; g < of->shape.n_groups; g++)
    sum += of->tally.group[g].gained;
  return sum;
}

static wn_i128 happened(const struct wn_species *of, int process)
{
  wn_i128 sum = 0;
  for (int g = 0; g < of->shape.n_groups; g++)
    sum += of->tally.count[g * of->shape.n_processes + process];
  return sum;
}

/* The name of what differs; NULL: nothing. */
static const char *species_differ(const struct two_plasma *cpu,
                                  const struct two_plasma *gpu, size_t k)
{
  struct wn_species *a = cpu->s->species[k], *b = gpu->s->species[k];
  if (!two_same_records(&a->p, &b->p))
    return "records";
  if (a->tally.n_births != b->tally.n_births || a->tally.n_deaths != b->tally.n_deaths)
    return "births or deaths";
  if (gained(a) != gained(b))
    return "the work of the field";
  for (int i = 0; i < a->shape.n_processes; i++)
    if (happened(a, i) != happened(b, i))
      return "counts of processes";
  if (!bits(a->tally.surface, b->tally.surface, WN_SIDES * sizeof *a->tally.surface))
    return "what ended at sides";
  return NULL;
}

static const char *merging_differs(const struct two_plasma *cpu,
                                   const struct two_plasma *gpu, size_t k)
{
  const struct wn_merging_sums *a = wn_merging_sums(cpu->s, k),
                               *b = wn_merging_sums(gpu->s, k);
  if (a == NULL)
    return NULL;
  const struct wn_weight_limits *l = wn_merging_weight_limits(cpu->s, k),
                                *m = wn_merging_weight_limits(gpu->s, k);
  return !bits(a, b, sizeof *a)                         ? "the ledger of merging"
         : l->heavy != m->heavy || l->least != m->least ? "limits of weights"
                                                        : NULL;
}

static const char *steps_differ(const struct two_plasma *cpu,
                                const struct two_plasma *gpu)
{
  const struct wn_adaptive_step *a = &cpu->s->adaptive, *b = &gpu->s->adaptive;
  if (a->clock.level != b->clock.level || a->clock.whole != b->clock.whole ||
      a->clock.part != b->clock.part || !bits(&a->length, &b->length, sizeof a->length) ||
      !bits(&a->longest, &b->longest, sizeof a->longest) || a->reason != b->reason)
    return "the next step";
  for (size_t k = 0; k < cpu->s->n_species; k++) {
    const struct wn_step_species *x = &a->of[k], *y = &b->of[k];
    if (x->count != y->count || x->gained != y->gained || x->births != y->births ||
        x->events != y->events || !bits(&x->photons, &y->photons, sizeof x->photons) ||
        !bits(&x->weight, &y->weight, sizeof x->weight) ||
        !bits(&x->born, &y->born, sizeof x->born) ||
        !bits(&x->exposure, &y->exposure, sizeof x->exposure) ||
        !bits(&x->rate, &y->rate, sizeof x->rate) ||
        !bits(&x->work, &y->work, sizeof x->work) ||
        !bits(&x->acceleration, &y->acceleration, sizeof x->acceleration))
      return "what conditions are made of";
  }
  return NULL;
}

static int same_estimate(struct wn_estimate a, struct wn_estimate b)
{
  return bits(&a.value, &b.value, sizeof a.value) &&
         bits(&a.error, &b.error, sizeof a.error);
}

static int same_row(const struct wn_test_passage *a, const struct wn_test_passage *b)
{
  return a->id == b->id && a->threshold == b->threshold && a->group == b->group &&
         bits(&a->energy_ev, &b->energy_ev, sizeof a->energy_ev) &&
         bits(&a->weight, &b->weight, sizeof a->weight) &&
         bits(a->at, b->at, sizeof a->at) &&
         bits(a->direction, b->direction, sizeof a->direction) &&
         (bits(&a->cosine, &b->cosine, sizeof a->cosine) ||
          (isnan(a->cosine) && isnan(b->cosine)));
}

static void show_row(const char *where, const struct wn_test_passage *p)
{
  diag("%s: id %llx, threshold %u, group %u, %.17g eV, weight %.17g, at %.17g %.17g "
       "%.17g, direction %.17g %.17g %.17g, cosine %.17g",
       where, (unsigned long long)p->id, p->threshold, p->group, p->energy_ev, p->weight,
       p->at[0], p->at[1], p->at[2], p->direction[0], p->direction[1], p->direction[2],
       p->cosine);
}

static const char *test_electrons_differ(const struct two_plasma *cpu,
                                         const struct two_plasma *gpu, size_t *rows)
{
  size_t n, m;
  if (!wn_test_electrons_exist(cpu->s))
    return NULL;
  const struct wn_test_sums a = wn_test_electrons_sums(cpu->s),
                            b = wn_test_electrons_sums(gpu->s);
  const struct wn_test_passage *x = wn_test_electrons_rows(cpu->s, &n),
                               *y = wn_test_electrons_rows(gpu->s, &m);
  if (wn_test_electrons_number(cpu->s) != wn_test_electrons_number(gpu->s) ||
      !bits(&a, &b, sizeof a))
    return "weights of test electrons";
  if (n != m)
    return "passages";
  for (size_t i = 0; i < n; i++)
    if (!same_row(&x[i], &y[i])) {
      show_row("on the CPU", &x[i]);
      show_row("on the GPU", &y[i]);
      return "a passage";
    }
  *rows += n;
  for (size_t k = 0; k < 3; k++)
    if (!same_estimate(wn_test_electrons_passages(cpu->s, k),
                       wn_test_electrons_passages(gpu->s, k)))
      return "numbers of passages";
  for (int which = 0; which < WN_N_TEST_OF; which++)
    for (size_t k = 0; k < 4; k++)
      if (!same_estimate(wn_test_electrons_above(cpu->s, which, k),
                         wn_test_electrons_above(gpu->s, which, k)))
        return "electrons above energies";
  return NULL;
}

static const char *differ(const struct two_plasma *cpu, const struct two_plasma *gpu,
                          size_t *rows)
{
  const struct wn_photon_sums a = wn_photoionization_sums(cpu->s),
                              b = wn_photoionization_sums(gpu->s);
  const char *what = bits(&a, &b, sizeof a) ? NULL : "photons";
  for (size_t k = 0; k < cpu->s->n_species && what == NULL; k++) {
    what = species_differ(cpu, gpu, k);
    what = what != NULL ? what : merging_differs(cpu, gpu, k);
  }
  what = what != NULL ? what : test_electrons_differ(cpu, gpu, rows);
  return what != NULL ? what : steps_differ(cpu, gpu);
}

static double total(const struct two_plasma *p)
{
  double n = 0.0;
  for (size_t k = 0; k < p->s->n_species; k++)
    n += (double)two_store(p, k)->n;
  return n;
}

/* That the case has what it is about. */
static void took_part(const char *name, const char *text, const struct two_plasma *p,
                      size_t rows, int changes)
{
  if (strstr(text, "adaptive") != NULL)
    ok(changes > 1, "%s: %d changes of the step", name, changes);
  if (strstr(text, "photo") != NULL)
    ok(wn_photoionization_sums(p->s).absorbed > 0 &&
           (wn_photoionization_sums(p->s).roulette != 0) ==
               (strstr(text, "pairs_per_step") != NULL),
       "%s: photons", name);
  if (strstr(text, "weight_fields") != NULL) {
    const size_t k = wn_merging_weight_limits(p->s, 1) != NULL &&
                     wn_weight_limits_are(wn_merging_weight_limits(p->s, 1));
    const struct wn_weight_limits *l = wn_merging_weight_limits(p->s, k);
    ok(l->least < l->is->most_weight && wn_merging_sums(p->s, k)->before > 0,
       "%s: %llu merged, the least limit %.4g, %llu above theirs", name,
       (unsigned long long)wn_merging_sums(p->s, k)->before, l->least,
       (unsigned long long)l->heavy);
  }
  if (strstr(text, "test_electrons") != NULL) {
    const struct wn_test_sums t = wn_test_electrons_sums(p->s);
    ok(t.started > 0 && t.born > 0 && t.fell > 0 && t.killed > 0 && rows > 10,
       "%s: %zu test electrons, %zu passages", name, wn_test_electrons_number(p->s),
       rows);
  }
}

static void compare(size_t i)
{
  const char *name = cases[i].name, *what = NULL;
  struct two_plasma cpu, gpu;
  size_t rows = 0;
  int step = 0, changes = 0;
  command_write(FILE_NAME, cases[i].text);
  two_open(FILE_NAME, "cpu", &cpu);
  two_open(FILE_NAME, "cuda", &gpu);
  two_share(&cpu, &gpu);
  wn_adaptive_begin(cpu.s);
  wn_adaptive_begin(gpu.s);
  for (; step < cases[i].steps && what == NULL; step++) {
    const double length = gpu.s->adaptive.length;
    two_must(wn_step(gpu.s, length), "a step on the GPU");
    two_must(wn_step(cpu.s, length), "a step");
    two_must(wn_adaptive_next(gpu.s), "the next step on the GPU");
    two_must(wn_adaptive_next(cpu.s), "the next step");
    changes += gpu.s->adaptive.length != length;
    what = differ(&cpu, &gpu, &rows);
  }
  ok(what == NULL, "%s: the same bits in %d steps, of %g particles%s%s", name, step,
     total(&cpu), what != NULL ? "; differ: " : "", what != NULL ? what : "");
  if (what == NULL)
    took_part(name, cases[i].text, &gpu, rows, changes);
  two_close(&cpu);
  two_close(&gpu);
  remove(FILE_NAME);
}

/* ---- sums for a step, by their definitions again */

static int by_value(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* The kernel against a sort of the speeds along axes: the quantile is within a bin. */
static void quantiles(void)
{
  struct two_plasma gpu;
  struct wn_step_counts c;
  command_write(FILE_NAME, cases[5].text);
  two_open(FILE_NAME, "cuda", &gpu);
  two_must(wn_step(gpu.s, 1e-13), "a step on the GPU");
  struct wn_particles *p = two_store(&gpu, 0);
  const struct wn_step_look look = {
      .dim = 1, .words = 4, .velocities = 3, .per_cell = {25e3, 0.0, 0.0}};
  two_must(wn_gpu_step_counts(gpu.s->gpu, p, &look, &c), "sums for a step");
  two_must(wn_particles_read(p), "from the GPU");
  double *v = malloc(p->n * sizeof *v);
  WN_ASSERT(v != NULL);
  uint64_t all = 0, below = 0;
  for (size_t i = 0; i < p->n; i++)
    v[i] = 25e3 * fabs((double)((const union wn_word *)wn_particles_at(p, i))[1].f);
  qsort(v, p->n, sizeof *v, by_value);
  int bin = 0;
  for (int i = 0; i < WN_STEP_BINS; i++)
    all += c.of[i];
  while (below + c.of[bin] < (all + 1) / 2)
    below += c.of[bin++];
  const double median = v[(p->n - 1) / 2];
  ok(all == p->n && median <= wn_step_bin_end(bin) &&
         median >= wn_step_bin_end(bin) / 1.07,
     "%llu particles in bins; their median, %.6g/s, below %.6g/s",
     (unsigned long long)all, median, wn_step_bin_end(bin));
  free(v);
  two_close(&gpu);
  remove(FILE_NAME);
}

/* ---- runs */

static void runs(void)
{
  static const char *const options[] = {"--device cuda --threads 2",
                                        "--device cuda --threads 1"};
  size_t n = 0, m = 0, same = 0;
  int status = command_run(FILE_NAME, streamer, "", OUT, "--device cuda");
  if (!is_int(status, 0, "a run on a GPU"))
    return;
  command_write(FILE_NAME, streamer);
  slices_are("a run", FILE_NAME, "t0449-again.nc", OUT, 4, 4, 2, options);
  status = command_run(FILE_NAME, streamer, "", CPU_OUT, "--device cpu");
  double *a = command_nc_read(OUT, "step_length", &n),
         *b = command_nc_read(CPU_OUT, "step_length", &m);
  for (size_t i = 0; i < n && i < m; i++)
    same += a[i] == b[i] || (isnan(a[i]) && isnan(b[i]));
  ok(status == 0 && n == m && n > 20 && same == n,
     "the same lengths of steps as on the CPU, %zu of %zu", same, n);
  ok(command_nc_sum(OUT, "passages") > 0.0 && command_nc_sum(OUT, "merging_heavy") > 0.0,
     "with passages and limits of weights");
  free(a);
  free(b);
  remove(OUT);
  remove(CPU_OUT);
  remove(FILE_NAME);
}

int main(void)
{
  gpu_or_skip();
  plan(0);
  for (size_t i = 0; i < gpu_size(N_CASES, 2); i++)
    compare(i);
  quantiles();
  if (gpu_size(1, 0) > 0)
    runs();
  return done();
}
