/* t0447-gpu-batches.c - defends: particles in batches (population.residence) have the bits of particles that stay on
 * the GPU, and in given E and B those of the CPU, for segments of any size: of one particle short of all, of
 * sizes that do not divide the number, of some hundred particles; with walls that absorb, sources, periodic and
 * mirrored sides, one, two and three dimensions, an immobile species, sparse grids, a relativistic species in B;
 * so have the ten moments and all that a run writes, and runs that stop and go on elsewhere.  The
 * pages of the store are locked, also after it has grown.  Reference: the same program with population.residence =
 * "device", and on the CPU. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "src/jobs/job.h"
#include "src/run/step.h"
#include "src/sim/device.h"
#include "src/sim/plasma.h"
#include "src/sim/sim.h"
#include "t/tap/command.h"
#include "t/tap/gpu.h"
#include "t/tap/slices.h"
#include "t/tap/tap.h"

#define FILE_NAME "t0447.cfg"
#define OUT       "t0447.nc"
#define AGAIN     "t0447-again.nc"
#define STEPS     7

#define PAIR(more)                                                                       \
  "species = { e = { density = \"1e15 m-3\"; temperature = \"500 eV\"; per_cell = 50; "  \
  "loading = \"random\"; }; i = { density = \"1e15 m-3\"; charge = 1.0; mass = \"64 "    \
  "me\"; temperature = \"50 eV\"; per_cell = 30; loading = \"random\"; " more "}; };\n"
#define RUN(grid, walls, ions, how)                                                      \
  "model = \"plasma\"; duration = \"28 steps\"; seed = 447; threads = 2;\n"              \
  "grid = { " grid " };\n" walls                                                         \
  PAIR(ions) "plasma = { time_step = \"1 ps\"; allow = [\"cell-crossing\", "             \
             "\"debye-length\", "                                                        \
             "\"plasma-frequency\"]; fields_interval = \"7 steps\"; integrals_interval " \
             "= "                                                                        \
             "\"4 steps\"; " how " };\n"
#define NODES                                                                            \
  "field = \"nodes\"; velocities = 3; moments_interval = \"14 steps\"; "                 \
  "particles_interval = \"28 steps\"; particles_sample = 100000; "
#define IN_1 "cells = [64]; length = [\"6.4 mm\"];"
#define IN_2 "cells = [32, 16]; length = [\"3.2 mm\", \"1.6 mm\"];"
#define IN_3 "cells = [16, 8, 8]; length = [\"1.6 mm\", \"0.8 mm\", \"0.8 mm\"];"
#define MIRRORS                                                                          \
  "walls = { y_low = { field = \"neumann\"; }; y_high = { field = \"neumann\"; }; };\n"
#define ABSORBING                                                                        \
  "walls = { x_low = { field = \"dirichlet\"; }; x_high = { field = \"dirichlet\"; }; "  \
  "};\n"
#define SHEET                                                                            \
  "nodes = { formula = \"harris\"; sheet_field = \"0.3 T\"; sheet_thickness = \"0.2 "    \
  "mm\"; perturbation = 0.2; electric_field = [\"1e6 V/m\", \"-2e6 V/m\", \"5e5 "        \
  "V/m\"]; };"
#define BOTH                                                                             \
  "magnetic_field = [\"0.1 T\", \"-0.2 T\", \"0.3 T\"]; nodes = { electric_field = "     \
  "[\"1e6 V/m\", \"-2e6 V/m\", \"5e5 V/m\"]; };"
#define SOURCE                                                                           \
  "sources = { beam = { species = \"e\"; wall = \"x_low\"; flux = \"2e24 m-2 s-1\"; "    \
  "energy = \"10 eV\"; temperature = \"1 eV\"; }; };"

static const struct {
  const char *name, *text;
  int given; /* E and B: on the CPU the same bits */
} cases[] = {
    {"nodes, 1-D between walls", RUN(IN_1, ABSORBING, "", NODES BOTH), 1},
    {"nodes, 2-D, mirrors, an immobile species",
     RUN(IN_2, MIRRORS, "mobile = false; ", NODES SHEET), 1},
    {"nodes, 2-D, relativistic, absorbing",
     RUN(IN_2, ABSORBING, "", NODES SHEET " relativistic = true;"), 1},
    {"nodes, 3-D, substeps, absorbing",
     RUN(IN_3, ABSORBING, "", NODES SHEET " midpoint = { substeps = 2; };"), 1},
    {"nodes, 3-D, periodic, Boris", RUN(IN_3, "", "", NODES "mover = \"boris\"; " BOTH),
     1},
    {"1-D, periodic", RUN(IN_1, "", "", ""), 0},
    {"1-D between walls, with a source", RUN(IN_1, ABSORBING, "", SOURCE), 0},
    {"2-D, absorbing, relativistic in B, ten moments",
     RUN(IN_2, ABSORBING, "",
         "relativistic = true; velocities = 3; moments_interval = \"14 steps\"; "
         "magnetic_field = [\"0\", \"0\", \"30 mT\"];"),
     0},
    {"2-D, sparse grids",
     RUN("cells = [32, 32]; length = [\"3.2 mm\", \"3.2 mm\"];", "", "",
         "field = \"sparse\";"),
     0},
    {"3-D, tsc, absorbing, an immobile species",
     RUN(IN_3, ABSORBING, "mobile = false; ", "shape = \"tsc\";"), 0},
};

/* What is left of some steps. */
struct outcome {
  size_t n_species, n[WN_MAX_SPECIES], bytes[WN_MAX_SPECIES];
  unsigned char *records[WN_MAX_SPECIES]; /* in an order of their own */
  double wall[WN_MAX_SPECIES][WN_SIDES];
  double *phi;
  size_t nodes;
  int locked; /* all stores */
};

static size_t record;

static int by_bytes(const void *a, const void *b)
{
  return memcmp(a, b, record);
}

static int keep(struct wn_sim *s, struct outcome *o)
{
  o->n_species = s->n_species;
  o->locked = 1;
  for (size_t k = 0; k < s->n_species; k++) {
    struct wn_particles *p = &s->species[k]->p;
    o->locked &= p->pages == WN_PAGES_LOCKED && p->place == WN_PARTICLES_HOST;
    WN_TRY(wn_particles_read(p));
    WN_TRY(wn_particles_host(p));
    WN_TRY(wn_particles_compact(p));
    o->n[k] = p->n;
    o->bytes[k] = record = p->record.bytes;
    o->records[k] = malloc(p->n * record + 1);
    memcpy(o->records[k], p->e, p->n * record);
    qsort(o->records[k], p->n, record, by_bytes);
    for (int side = 0; side < WN_SIDES; side++)
      o->wall[k][side] = wn_plasma_taken(s, k, side);
  }
  if (s->c->plasma.field != WN_FIELD_NODES) {
    const double *phi;
    o->nodes = wn_field_nodes(s->field);
    WN_TRY(wn_field_potential(s->field, &phi));
    o->phi = malloc(o->nodes * sizeof *phi);
    memcpy(o->phi, phi, o->nodes * sizeof *phi);
  }
  return WN_OK;
}

static void outcome_free(struct outcome *o)
{
  for (size_t k = 0; k < o->n_species; k++)
    free(o->records[k]);
  free(o->phi);
}

static int same(const struct outcome *a, const struct outcome *b)
{
  int is = a->n_species == b->n_species && a->nodes == b->nodes &&
           memcmp(a->wall, b->wall, sizeof a->wall) == 0;
  for (size_t k = 0; is && k < a->n_species; k++)
    is = a->n[k] == b->n[k] &&
         memcmp(a->records[k], b->records[k], a->n[k] * a->bytes[k]) == 0;
  return is && (a->phi == NULL || b->phi == NULL ||
                memcmp(a->phi, b->phi, a->nodes * sizeof *a->phi) == 0);
}

static int run(const char *device, const char *residence, size_t batch_bytes,
               struct outcome *out)
{
  struct wn_config *c = NULL;
  struct wn_device_plan plan;
  struct wn_sim *s = NULL;
  char d[64], r[64];
  snprintf(d, sizeof d, "device=%s", device);
  snprintf(r, sizeof r, "population.residence=%s", residence);
  const char *const set[] = {d, r};
  memset(out, 0, sizeof *out);
  int status = wn_config_read(FILE_NAME, 2, set, &c);
  if (status == WN_OK)
    status = wn_device_choose(c, &plan);
  if (status == WN_OK) {
    plan.options.batch_bytes = batch_bytes;
    status = wn_sim_create(c, NULL, &wn_job_of(c)->needs, &plan, &s);
  }
  if (status == WN_OK)
    status = wn_sim_begin(s, 0);
  for (int k = 0; k < STEPS && status == WN_OK; k++)
    status = wn_step(s, c->plasma.time_step);
  if (status == WN_OK)
    status = keep(s, out);
  wn_sim_free(s);
  wn_config_free(c);
  return status;
}

static void segments(size_t i)
{
  /* bytes: of 3 records of 32 bytes, 101 or 202 records and what is no record, one record short
   * of 25600 of 32 bytes, 1 MiB: more than all */
  static const size_t sizes[] = {96, 6475, 819168, (size_t)1 << 20, 0};
  struct outcome want, got;
  command_write(FILE_NAME, cases[i].text);
  if (!is_int(run("cuda", "device", 0, &want), WN_OK, "%s: on the GPU", cases[i].name))
    return;
  if (strstr(cases[i].text, "dirichlet") != NULL)
    ok(want.wall[0][1] > 0.0, "%s: %g at a wall", cases[i].name, want.wall[0][1]);
  for (size_t k = want.n[0] > 20000 ? 1 : 0; k < sizeof sizes / sizeof *sizes; k++) {
    const int status = run("cuda", "batches", sizes[k], &got);
    ok(status == WN_OK && same(&got, &want), "%s: the same in batches of %zu bytes",
       cases[i].name, sizes[k]);
    ok(got.locked, "%s: their pages are locked", cases[i].name);
    outcome_free(&got);
  }
  outcome_free(&want);
}

static void whole_runs(size_t i)
{
  static const char *const there_and_back[] = {
      "--device cuda --set population.residence=batches",
      "--device cuda --set population.residence=device", "--device cpu --threads 2"};
  size_t n = 0;
  const char *differs;
  const int ran = command_run(FILE_NAME, cases[i].text, "", OUT,
                              cases[i].given ? "--quiet --device cpu"
                                             : "--quiet --device cuda --set "
                                               "population.residence=device") == 0;
  if (!ok(ran, "%s: a run", cases[i].name))
    return;
  if (ok(command_run(FILE_NAME, cases[i].text, "", AGAIN,
                     "--quiet --device cuda --set population.residence=batches") == 0,
         "%s: in batches", cases[i].name)) {
    differs = command_nc_differs(OUT, AGAIN, &n);
    ok(differs == NULL && n > 300, "%s: the same %zu numbers%s%s", cases[i].name, n,
       differs != NULL ? "; differs: " : "", differs != NULL ? differs : "");
  }
  remove(AGAIN);
  command_write(FILE_NAME, cases[i].text);
  slices_are(cases[i].name, FILE_NAME, AGAIN, OUT, 9, 3, cases[i].given ? 3 : 1,
             there_and_back);
  remove(OUT);
}

int main(void)
{
  gpu_or_skip();
  plan(0);
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    segments(i);
    whole_runs(i);
  }
  remove(FILE_NAME);
  return done();
}
