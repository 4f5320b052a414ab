/* t0448-gpu-merging.c - defends: merging and splitting on a GPU do what they do on the CPU, to the bit: the records
 * of all particles, in any order, those marked dead, the ledger and the deaths, for each method, for electrons and
 * ions that collide and for particles that do not, in one, two and three dimensions, with energy classes, with few
 * and with thousands in a cell, with dead ones, equal ones and weights that are no number of quanta among them.  The
 * next step then has the charge of the CPU, within 1e-5: none that was left in the store before.  Runs that stop and go
 * on have the bits of one that did not.  Reference: the CPU in the same program. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "src/jobs/job.h"
#include "src/run/run.h"
#include "src/run/step.h"
#include "src/sim/device.h"
#include "src/sim/merging.h"
#include "src/sim/operators.h"
#include "src/sim/plasma.h"
#include "src/sim/sim.h"
#include "t/tap/command.h"
#include "t/tap/gpu.h"
#include "t/tap/slices.h"
#include "t/tap/tap.h"

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
    {"2-D, thousands in a cell, weights; one",
     HEAD PAIR(SQUARE, "3000")
         MERGING("20 ps", "velocities = 3;", "per_cell_most = 1000;",
                 "per_cell_most = 1500; method = \"one\";"),
     0},
};
#define N_CASES (sizeof cases / sizeof cases[0])

struct plasma {
  struct wn_config *c;
  struct wn_gas *gas;
  struct wn_sim *s;
};

static void must(int status, const char *what)
{
  if (status == WN_OK)
    return;
  printf("Bail out! %s: %s\n", what, wn_status_text(status));
  exit(1);
}

static void open_plasma(const char *device, struct plasma *p)
{
  struct wn_device_plan plan;
  char d[64];
  snprintf(d, sizeof d, "device=%s", device);
  const char *const set[] = {d};
  *p = (struct plasma){0};
  must(wn_config_read(FILE_NAME, 1, set, &p->c), "the scenario");
  must(wn_device_choose(p->c, &plan), device);
  if (wn_config_has_gas(p->c))
    must(wn_gas_create(p->c, &p->gas), "the gas");
  must(wn_sim_create(p->c, p->gas, &wn_job_of(p->c)->needs, &plan, &p->s), "sim");
  must(wn_sim_begin(p->s, 0), "the start");
}

static void close_plasma(struct plasma *p)
{
  wn_sim_free(p->s);
  wn_gas_free(p->gas);
  wn_config_free(p->c);
}

static struct wn_particles *store(const struct plasma *p, size_t k)
{
  return &p->s->species[k]->p;
}

/* The particles of `from`, those of the GPU, in the place of those of `to`. */
static void copy_to(const struct plasma *from, const struct plasma *to)
{
  for (size_t k = 0; k < from->s->n_species; k++) {
    struct wn_particles *p = store(from, k), *q = store(to, k);
    must(wn_particles_read(p), "from the GPU");
    wn_particles_empty(q);
    must(wn_particles_append(q, p->e, p->n), "room");
    wn_particles_touched(q);
  }
}

static uint64_t deaths_of(const struct plasma *p, size_t k)
{
  return wn_species_sums(p->s->species[k])->n_deaths;
}

/* Deaths that the GPU has counted, and the CPU has not, as it did not make these steps. */
static void count_ahead(const struct plasma *cpu, const struct plasma *gpu,
                        int64_t ahead[2])
{
  for (size_t k = 0; k < 2; k++)
    ahead[k] = (int64_t)(deaths_of(gpu, k) - deaths_of(cpu, k));
}

/* A pass, in the step `round` intervals after the start; what is marked dead stays. */
static void merge(const struct plasma *p, int round)
{
  const uint64_t steps = p->s->n_steps;
  p->s->n_steps = (uint64_t)LATER * (uint64_t)round;
  for (size_t i = 0; i < p->s->n_operators; i++)
    if (p->s->operators[i]->ops == &wn_operator_merging)
      must(p->s->operators[i]->ops->apply(p->s->operators[i], p->s), "merging");
  p->s->n_steps = steps;
}

static size_t record_bytes;

static int by_bytes(const void *a, const void *b)
{
  return memcmp(a, b, record_bytes);
}

static unsigned char *sorted(const struct wn_particles *p)
{
  const size_t bytes = p->record.bytes;
  unsigned char *e = malloc(p->n * bytes + 1);
  WN_ASSERT(e != NULL);
  memcpy(e, p->e, p->n * bytes);
  record_bytes = bytes;
  qsort(e, p->n, bytes, by_bytes);
  return e;
}

static void same(const char *name, const char *when, const struct plasma *cpu,
                 const struct plasma *gpu, int splits, const int64_t ahead[2])
{
  for (size_t k = 0; k < 2; k++) {
    const struct wn_merging_sums *a = wn_merging_sums(cpu->s, k),
                                 *b = wn_merging_sums(gpu->s, k);
    must(wn_species_remove_dead(cpu->s->species[k]), "the dead");
    must(wn_species_remove_dead(gpu->s->species[k]), "the dead");
    must(wn_particles_read(store(gpu, k)), "from the GPU");
    const struct wn_particles *p = store(cpu, k), *q = store(gpu, k);
    unsigned char *x = sorted(p), *y = sorted(q);
    ok(a->before > a->after && (!splits || k > 0 || a->split > 0) &&
           memcmp(a, b, sizeof *a) == 0,
       "%s, species %zu, %s: %llu merged, %llu halved, %llu across, %llu left, the same "
       "ledger",
       name, k, when, (unsigned long long)a->before, (unsigned long long)a->split,
       (unsigned long long)a->across, (unsigned long long)a->left);
    ok(p->n == q->n && memcmp(x, y, p->n * p->record.bytes) == 0,
       "%s, species %zu, %s: the same %zu records", name, k, when, p->n);
    if (p->n != q->n)
      diag("%zu records on the GPU", q->n);
    ok((int64_t)(deaths_of(gpu, k) - deaths_of(cpu, k)) == ahead[k],
       "%s, species %zu, %s: deaths", name, k, when);
    free(x);
    free(y);
  }
}

/* A step of both, from the same state. */
static void same_charge(const char *name, const struct plasma *cpu,
                        const struct plasma *gpu)
{
  const double dt = cpu->c->plasma.time_step, *a, *b;
  const size_t n = wn_field_nodes(cpu->s->field);
  double most = 0.0, scale = 0.0;
  must(wn_step(cpu->s, dt), "a step");
  must(wn_step(gpu->s, dt), "a step on the GPU");
  must(wn_field_charge(cpu->s->field, &a), "the charge");
  must(wn_field_charge(gpu->s->field, &b), "the charge");
  for (size_t i = 0; i < n; i++) {
    most = fmax(most, fabs(a[i] - b[i]));
    scale = fmax(scale, fabs(a[i]));
  }
  ok(scale > 0.0 && most < CLOSE * scale, "%s: the charge of the next step, within %.1e",
     name, most / scale);
}

/* Dead ones, equal ones, and odd weights, on the host; the scheduler does not get them. */
static void make_odd(const struct plasma *p)
{
  static const float odd[] = {0.3f, 0.0f, 1e9f, 0x1p-20f, 0x3p-20f, 5.5f};
  for (size_t k = 0; k < 2; k++) {
    struct wn_particles *of = store(p, k);
    const size_t bytes = of->record.bytes, w = bytes == sizeof(struct wn_electron)
                                                   ? offsetof(struct wn_electron, w)
                                                   : 4 * ((size_t)p->c->plasma.dim + 3);
    must(wn_particles_host(of), "from the GPU");
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
  struct plasma cpu, gpu;
  int64_t ahead[2];
  command_write(FILE_NAME, cases[i].text);
  open_plasma("cpu", &cpu);
  open_plasma("cuda", &gpu);
  for (int k = 0; k < 2; k++)
    must(wn_step(gpu.s, gpu.c->plasma.time_step), "a step on the GPU");
  copy_to(&gpu, &cpu);
  count_ahead(&cpu, &gpu, ahead);
  cpu.s->time = gpu.s->time;
  cpu.s->n_steps = gpu.s->n_steps;
  merge(&cpu, 1);
  merge(&gpu, 1);
  same(cases[i].name, "once", &cpu, &gpu, 0, ahead);
  same_charge(cases[i].name, &cpu, &gpu);
  copy_to(&gpu, &cpu);
  count_ahead(&cpu, &gpu, ahead);
  for (int round = 2; round < 4; round++) {
    merge(&cpu, round);
    merge(&gpu, round);
  }
  same(cases[i].name, "three times", &cpu, &gpu, cases[i].splits, ahead);
  make_odd(&gpu);
  copy_to(&gpu, &cpu);
  count_ahead(&cpu, &gpu, ahead);
  merge(&cpu, 4);
  merge(&gpu, 4);
  same(cases[i].name, "of odd ones", &cpu, &gpu, cases[i].splits, ahead);
  close_plasma(&cpu);
  close_plasma(&gpu);
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
