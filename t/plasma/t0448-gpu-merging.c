/* t0448-gpu-merging.c - defends: merging and splitting on a GPU do what they do on the CPU, to the bit: the records
 * of all particles, in any order, those marked dead, the ledger and the deaths, for each method, for electrons and
 * ions that collide and for particles that do not, in one, two and three dimensions, with energy classes, with few
 * and with thousands in a cell, with dead ones, equal ones and weights that are no number of quanta among them; with
 * limits of weights by field and place, which are those of the CPU in the field of the GPU, also in r-z and where E comes
 * from the host (sparse grids).  The
 * next step then has the charge of the CPU, within 1e-5: none that was left in the store before.  Runs that stop and go
 * on have the bits of one that did not.  Reference: the CPU in the same program. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "src/run/run.h"
#include "src/run/step.h"
#include "src/sim/merging.h"
#include "src/sim/operators.h"
#include "src/sim/plasma.h"
#include "src/sim/sim.h"
#include "src/sim/weight_limits.h"
#include "t/tap/command.h"
#include "t/tap/gpu.h"
#include "t/tap/slices.h"
#include "t/tap/tap.h"
#include "t/tap/two_devices.h"

#define FILE_NAME "t0448.cfg"
#define OUT       "t0448.nc"
#define CLOSE     1e-5
#define LATER     1000 /* the interval: a step does not merge by itself */

extern const struct wn_operator_ops wn_operator_merging;

#define HEAD "model = \"plasma\"; duration = \"1 ns\"; seed = 448; threads = 1;\n"
#define ANYHOW                                                                           \
  "allow = [\"cell-crossing\", \"debye-length\", "                                       \
  "\"plasma-frequency\"]; "
#define AIR                                                                              \
  "gas = { pressure = \"1 bar\"; components = { N2 = { fraction = 0.8; file = "          \
  "\"builtin:air\"; }; O2 = { fraction = 0.2; file = \"builtin:air\"; }; }; };\n"        \
  "grid = { cells = [24, 20]; length = [\"0.1 mm\", \"0.08 mm\"]; };\n"                  \
  "walls = { x_low = { field = \"dirichlet\"; }; x_high = { field = \"dirichlet\"; "     \
  "voltage = \"1.7 kV\"; }; };\n"                                                        \
  "species = { e = { density = \"1e18 m-3\"; temperature = \"8 eV\"; per_cell = 60; "    \
  "loading = \"random\"; collisions = \"gas\"; ions = \"i\"; anions = \"a\"; }; i = { "  \
  "density = \"1e18 m-3\"; charge = 1; mass = \"29 u\"; per_cell = 60; loading = "       \
  "\"random\"; mobile = false; }; a = { density = \"0 m-3\"; mass = \"16 u\"; mobile "   \
  "= false; }; };\n"
#define AIR_RZ                                                                           \
  "gas = { pressure = \"1 bar\"; components = { N2 = { fraction = 0.8; file = "          \
  "\"builtin:air\"; }; O2 = { fraction = 0.2; file = \"builtin:air\"; }; }; };\n"        \
  "grid = { geometry = \"r-z\"; cells = [20, 24]; length = [\"0.08 mm\", \"0.1 mm\"]; "  \
  "};\n"                                                                                 \
  "walls = { x_high = { field = \"neumann\"; }; y_low = { field = \"dirichlet\"; }; "    \
  "y_high = { field = \"dirichlet\"; voltage = \"1.7 kV\"; }; };\n"                      \
  "species = { e = { density = \"1e18 m-3\"; temperature = \"8 eV\"; per_cell = 60; "    \
  "loading = \"random\"; collisions = \"gas\"; ions = \"i\"; anions = \"a\"; }; i = { "  \
  "density = \"1e18 m-3\"; charge = 1; mass = \"29 u\"; per_cell = 60; loading = "       \
  "\"random\"; mobile = false; }; a = { density = \"0 m-3\"; mass = \"16 u\"; mobile "   \
  "= false; }; };\n"
#define ARGON                                                                            \
  "gas = { pressure = \"100 Pa\"; components = { Ar = { file = \"builtin:argon\"; }; "   \
  "}; "                                                                                  \
  "};\ntables = { energy_max = \"1 keV\"; };\n"                                          \
  "grid = { cells = [60]; length = [\"2 mm\"]; };\n"                                     \
  "walls = { x_low = { field = \"dirichlet\"; }; x_high = { field = \"dirichlet\"; "     \
  "voltage = \"100 V\"; }; };\n"                                                         \
  "species = { e = { density = \"1e14 m-3\"; temperature = \"30 eV\"; per_cell = 100; "  \
  "loading = \"random\"; collisions = \"gas\"; ions = \"i\"; }; i = { density = "        \
  "\"1e14 m-3\"; charge = 1.0; mass = \"39.948 u\"; temperature = \"300 eV\"; "          \
  "per_cell = 100; loading = \"random\"; collisions = \"gas\"; }; };\n"
#define PAIR(cells, per_cell)                                                            \
  "grid = { " cells " };\n"                                                              \
  "species = { e = { density = \"1e15 m-3\"; temperature = \"100 eV\"; per_cell "        \
  "= " per_cell                                                                          \
  "; loading = \"random\"; }; i = { density = \"1e15 m-3\"; charge = 1; mass = "         \
  "\"4 u\"; temperature = \"0.1 eV\"; per_cell = " per_cell "; loading = \"random\"; "   \
  "}; };\n"
#define CUBE   "cells = [12, 10, 8]; length = [\"2 mm\", \"2 mm\", \"1 mm\"];"
#define SPARSE "cells = [8, 8]; length = [\"2 mm\", \"2 mm\"];"
#define SQUARE "cells = [4, 3]; length = [\"2 mm\", \"2 mm\"];"
#define MERGING(step, more, e, i)                                                        \
  "plasma = { time_step = \"" step "\"; " ANYHOW more " merging = { x = { species = "    \
  "\"e\"; interval = 1000; " e " }; y = { species = \"i\"; interval = 1000; " i " }; "   \
  "}; };\n"

static const struct {
  const char *name, *text;
  int splits;
} cases[] = {
    {"air, weights; ions, one",
     HEAD AIR MERGING("0.4 ps", "",
                      "per_cell_most = 50; per_cell_least = 49; least_weight = 0.01; "
                      "energy_classes = [\"6 eV\", \"12 eV\"]; protected_energy = \"40 "
                      "eV\";",
                      "per_cell_most = 30; method = \"one\";"),
     1},
    {"air, two; ions, two",
     HEAD AIR MERGING("0.4 ps", "",
                      "per_cell_most = 40; method = \"two\"; most_weight = 3.0; "
                      "per_cell_least = 39; energy_classes = [\"6 eV\"];",
                      "per_cell_most = 20; method = \"two\";"),
     1},
    {"argon, one; ions that collide, weights",
     HEAD ARGON MERGING("20 ps", "",
                        "per_cell_most = 70; method = \"one\"; per_cell_least = 69; "
                        "least_weight = 0.01;",
                        "per_cell_most = 98; per_cell_least = 97; least_weight = 0.01;"),
     1},
    {"3-D, weights; two",
     HEAD PAIR(CUBE, "60") MERGING("20 ps", "", "per_cell_most = 40;",
                                   "per_cell_most = 30; method = \"two\";"),
     0},
    {"3-D, relativistic, two; one",
     HEAD PAIR(CUBE, "60")
         MERGING("20 ps", "relativistic = true;",
                 "per_cell_most = 40; method = \"two\"; energy_classes = [\"100 eV\"];",
                 "per_cell_most = 35; method = \"one\";"),
     0},
    {"air, limits by field and place, weights; two",
     HEAD AIR MERGING("0.4 ps", "",
                      "per_cell_most = 50; per_cell_least = 30; least_weight = 0.01; "
                      "energy_classes = [\"6 eV\"]; protected_energy = \"40 eV\"; "
                      "weight_fields = [\"16 MV/m\", \"17 MV/m\", \"18 MV/m\"]; "
                      "weight_limits = [8.0, 1.2, 3.0]; weight_centre = [\"0.02 mm\", "
                      "\"0.04 mm\"]; weight_distances = [\"0.01 mm\", \"0.03 mm\"]; "
                      "distance_limits = [0.7, 9.0];",
                      "per_cell_most = 20; method = \"two\"; weight_distances = [\"0 "
                      "mm\", \"0.05 mm\"]; distance_limits = [0.9, 20.0];"),
     1},
    {"air in r-z, limits by field, one; by place, two",
     HEAD AIR_RZ MERGING("0.4 ps", "",
                         "per_cell_most = 40; per_cell_least = 20; least_weight = 0.01; "
                         "method = \"one\"; weight_fields = [\"16 MV/m\", \"18 MV/m\"]; "
                         "weight_limits = [0.8, 6.0];",
                         "per_cell_most = 20; method = \"two\"; weight_distances = [\"0 "
                         "mm\", \"0.05 mm\"]; distance_limits = [0.9, 20.0];"),
     1},
    {"2-D, sparse grids, hundreds in a cell, limits by field",
     HEAD PAIR(SPARSE, "700")
         MERGING("20 ps", "velocities = 3; field = \"sparse\";",
                 "per_cell_most = 400; weight_fields = [\"1 V/m\", \"1 kV/m\", "
                 "\"10 kV/m\"]; weight_limits = [9.0, 4.0, 1.5];",
                 "per_cell_most = 500; method = \"one\"; weight_fields = [\"1 kV/m\"]; "
                 "weight_limits = [2.5];"),
     0},
    {"2-D, thousands in a cell, weights; one",
     HEAD PAIR(SQUARE, "3000")
         MERGING("20 ps", "velocities = 3;", "per_cell_most = 1000;",
                 "per_cell_most = 1500; method = \"one\";"),
     0},
};
#define N_CASES (sizeof cases / sizeof cases[0])

/* The particles of `from`, those of the GPU, in the place of those of `to`. */
static void copy_to(const struct two_plasma *from, const struct two_plasma *to)
{
  for (size_t k = 0; k < from->s->n_species; k++) {
    struct wn_particles *p = two_store(from, k), *q = two_store(to, k);
    two_must(wn_particles_read(p), "from the GPU");
    wn_particles_empty(q);
    two_must(wn_particles_append(q, p->e, p->n), "room");
    wn_particles_touched(q);
  }
}

static uint64_t deaths_of(const struct two_plasma *p, size_t k)
{
  return wn_species_sums(p->s->species[k])->n_deaths;
}

/* Deaths that the GPU has counted, and the CPU has not, as it did not make these steps. */
static void count_ahead(const struct two_plasma *cpu, const struct two_plasma *gpu,
                        int64_t ahead[2])
{
  for (size_t k = 0; k < 2; k++)
    ahead[k] = (int64_t)(deaths_of(gpu, k) - deaths_of(cpu, k));
}

/* A pass in a field, in the step `round` intervals after the start; what is marked dead stays. */
static void merge(const struct two_plasma *p, struct wn_field *field, int round)
{
  const uint64_t steps = p->s->n_steps;
  struct wn_field *own = p->s->field;
  p->s->field = field;
  p->s->n_steps = (uint64_t)LATER * (uint64_t)round;
  for (size_t i = 0; i < p->s->n_operators; i++)
    if (p->s->operators[i]->ops == &wn_operator_merging)
      two_must(p->s->operators[i]->ops->apply(p->s->operators[i], p->s), "merging");
  p->s->n_steps = steps;
  p->s->field = own;
}

/* Of both, in the field of the GPU, on which limits of weights may depend. */
static void merge_both(const struct two_plasma *cpu, const struct two_plasma *gpu,
                       int round)
{
  merge(cpu, gpu->s->field, round);
  merge(gpu, gpu->s->field, round);
}

static void same(const char *name, const char *when, const struct two_plasma *cpu,
                 const struct two_plasma *gpu, int splits, const int64_t ahead[2])
{
  for (size_t k = 0; k < 2; k++) {
    const struct wn_merging_sums *a = wn_merging_sums(cpu->s, k),
                                 *b = wn_merging_sums(gpu->s, k);
    two_must(wn_species_remove_dead(cpu->s->species[k]), "the dead");
    two_must(wn_species_remove_dead(gpu->s->species[k]), "the dead");
    struct wn_particles *p = two_store(cpu, k), *q = two_store(gpu, k);
    ok(a->before > a->after && (!splits || k > 0 || a->split > 0) &&
           memcmp(a, b, sizeof *a) == 0,
       "%s, species %zu, %s: %llu merged, %llu halved, %llu across, %llu left, the same "
       "ledger",
       name, k, when, (unsigned long long)a->before, (unsigned long long)a->split,
       (unsigned long long)a->across, (unsigned long long)a->left);
    ok(two_same_records(p, q), "%s, species %zu, %s: the same %zu records", name, k, when,
       p->n);
    if (p->n != q->n)
      diag("%zu records on the GPU", q->n);
    ok((int64_t)(deaths_of(gpu, k) - deaths_of(cpu, k)) == ahead[k],
       "%s, species %zu, %s: deaths", name, k, when);
  }
}

static void same_limits(const char *name, const struct two_plasma *cpu,
                        const struct two_plasma *gpu)
{
  for (size_t k = 0; k < 2; k++) {
    const struct wn_weight_limits *a = wn_merging_weight_limits(cpu->s, k),
                                  *b = wn_merging_weight_limits(gpu->s, k);
    ok(a->heavy == b->heavy && a->heavy > 0 && a->least == b->least &&
           a->least < a->is->most_weight && a->most != NULL && b->gpu != NULL,
       "%s, species %zu: %llu above their limits, the least limit %.6g", name, k,
       (unsigned long long)a->heavy, a->least);
    if (a->heavy != b->heavy || a->least != b->least)
      diag("%llu and %.17g on the GPU", (unsigned long long)b->heavy, b->least);
  }
}

/* A step of both, from the same state. */
static void same_charge(const char *name, const struct two_plasma *cpu,
                        const struct two_plasma *gpu)
{
  const double dt = cpu->c->plasma.time_step, *a, *b;
  const size_t n = wn_field_nodes(cpu->s->field);
  double most = 0.0, scale = 0.0;
  two_must(wn_step(cpu->s, dt), "a step");
  two_must(wn_step(gpu->s, dt), "a step on the GPU");
  two_must(wn_field_charge(cpu->s->field, &a), "the charge");
  two_must(wn_field_charge(gpu->s->field, &b), "the charge");
  for (size_t i = 0; i < n; i++) {
    most = fmax(most, fabs(a[i] - b[i]));
    scale = fmax(scale, fabs(a[i]));
  }
  ok(scale > 0.0 && most < CLOSE * scale, "%s: the charge of the next step, within %.1e",
     name, most / scale);
}

/* Dead ones, equal ones, and odd weights, on the host; the scheduler does not get them. */
static void make_odd(const struct two_plasma *p)
{
  static const float odd[] = {0.3f, 0.0f, 1e9f, 0x1p-20f, 0x3p-20f, 5.5f};
  for (size_t k = 0; k < 2; k++) {
    struct wn_particles *of = two_store(p, k);
    const size_t bytes = of->record.bytes, w = bytes == sizeof(struct wn_electron)
                                                   ? offsetof(struct wn_electron, w)
                                                   : 4 * ((size_t)p->c->plasma.dim + 3);
    two_must(wn_particles_host(of), "from the GPU");
    for (size_t i = 1; i < of->n; i++) {
      unsigned char *e = wn_particles_at(of, i);
      const int32_t dead = WN_POINT_DEAD;
      if (i % 11 == 0)
        memcpy(e, e - bytes, bytes);
      if (i % 5 == 0)
        memcpy(e + w, &odd[i / 5 % 6], sizeof *odd);
      if (i % 7 == 0 && bytes == sizeof(struct wn_electron))
        ((struct wn_electron *)(void *)e)->t_left = WN_DEAD;
      else if (i % 7 == 0)
        memcpy(e, &dead, sizeof dead);
    }
    wn_particles_touched(of);
  }
}

static void compare(size_t i)
{
  struct two_plasma cpu, gpu;
  int64_t ahead[2];
  command_write(FILE_NAME, cases[i].text);
  two_open(FILE_NAME, "cpu", &cpu);
  two_open(FILE_NAME, "cuda", &gpu);
  for (int k = 0; k < 2; k++)
    two_must(wn_step(gpu.s, gpu.c->plasma.time_step), "a step on the GPU");
  copy_to(&gpu, &cpu);
  count_ahead(&cpu, &gpu, ahead);
  cpu.s->time = gpu.s->time;
  cpu.s->n_steps = gpu.s->n_steps;
  merge_both(&cpu, &gpu, 1);
  same(cases[i].name, "once", &cpu, &gpu, 0, ahead);
  same_charge(cases[i].name, &cpu, &gpu);
  copy_to(&gpu, &cpu);
  count_ahead(&cpu, &gpu, ahead);
  for (int round = 2; round < 4; round++)
    merge_both(&cpu, &gpu, round);
  same(cases[i].name, "three times", &cpu, &gpu, cases[i].splits, ahead);
  make_odd(&gpu);
  copy_to(&gpu, &cpu);
  count_ahead(&cpu, &gpu, ahead);
  merge_both(&cpu, &gpu, 4);
  if (strstr(cases[i].text, "weight_limits") != NULL)
    same_limits(cases[i].name, &cpu, &gpu);
  same(cases[i].name, "of odd ones", &cpu, &gpu, cases[i].splits, ahead);
  two_close(&cpu);
  two_close(&gpu);
  remove(FILE_NAME);
}

/* ---- runs */

static void runs(void)
{
  static const char *const options[] = {"--threads 2", "--threads 1"};
  command_write(FILE_NAME,
                "model = \"plasma\"; duration = \"14 ps\"; seed = 448; "
                "device = \"cuda\";\n" AIR "plasma = { time_step = \"0.4 ps\"; " ANYHOW
                "merging = { x = { species = \"e\"; per_cell_most = 60; "
                "per_cell_least = 50; interval = 3; }; y = { species = \"i\"; "
                "per_cell_most = 40; method = \"two\"; interval = 2; }; }; "
                "};\n");
  const int status =
      command("%s run " FILE_NAME " --quiet --output " OUT, command_wilson());
  if (is_int(status, 0, "a run")) {
    ok(command_nc_sum(OUT, "merged_particles") > 0.0 &&
           command_nc_sum(OUT, "split_macroparticles") > 0.0,
       "it merges and splits");
    slices_are("a run", FILE_NAME, "t0448-again.nc", OUT, 8, 3, 2, options);
  } else {
    diag("%.900s", command_err);
  }
  remove(OUT);
  remove(FILE_NAME);
}

int main(void)
{
  gpu_or_skip();
  plan(0);
  for (size_t i = 0; i < gpu_size(N_CASES, 2); i++)
    compare(i);
  if (gpu_size(1, 0) > 0)
    runs();
  return done();
}
