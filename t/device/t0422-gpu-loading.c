/* t0422-gpu-loading.c - defends: the particles of a plasma at t = 0 are made on the GPU with
 * the bits of the host, in its order: for each profile, dimension, number of velocities and
 * loading, with perturbation, drift and walls, for electrons and ions that collide, for the
 * shares of several processes, and in a store that held others.  They are not made on the
 * host and copied.  Reference: the same functions on the host. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/log.h"
#include "device/gpu.h"
#include "physics/loading.h"
#include "src/jobs/job.h"
#include "src/sim/device.h"
#include "src/sim/loading.h"
#include "src/sim/sim.h"
#include "t/tap/command.h"
#include "t/tap/gpu.h"
#include "t/tap/tap.h"

#define FILE_NAME "t0422.cfg"
#define HEAD      "model = \"plasma\"; duration = \"1 ns\"; seed = 5;\n"
#define GRID_1    "grid = { cells = [60]; length = [\"1 cm\"]; };\n"
#define GRID_2    "grid = { cells = [27, 40]; length = [\"4 mm\", \"3 mm\"]; };\n"
#define GRID_3                                                                           \
  "grid = { cells = [16, 9, 12]; length = [\"2 mm\", \"2 mm\", \"1 mm\"]; };\n"
#define PLASMA(more)                                                                     \
  "plasma = { time_step = \"1 ps\"; background = true; allow = [\"cell-crossing\", "     \
  "\"debye-length\", \"plasma-frequency\"]; " more "};\n"
/* One species of each loading, hot and cold. */
#define TWO(more)                                                                        \
  "species = { q = { density = \"1e15 m-3\"; temperature = \"1 eV\"; loading = "         \
  "\"quiet\"; " more "}; r = { density = \"1e15 m-3\"; temperature = \"2 eV\"; "         \
  "loading = \"random\"; drift = [\"30 km/s\", \"-2 km/s\", \"0\"]; " more               \
  "}; c = { density = \"1e15 m-3\"; drift = [\"0\", \"70 km/s\", \"0\"]; " more          \
  "}; };\n"
/* Around an axis drifts are along it. */
#define TWO_RZ(more)                                                                     \
  "species = { q = { density = \"1e15 m-3\"; temperature = \"1 eV\"; loading = "         \
  "\"quiet\"; " more "}; r = { density = \"1e15 m-3\"; temperature = \"2 eV\"; "         \
  "loading = \"random\"; drift = [\"0\", \"-2 km/s\", \"0\"]; " more                     \
  "}; c = { density = \"1e15 m-3\"; " more "}; };\n"
#define GRID_RZ                                                                          \
  "grid = { geometry = \"r-z\"; cells = [27, 40]; length = [\"4 mm\", \"3 mm\"]; };\n"   \
  "walls = { x_high = { field = \"neumann\"; }; y_low = { field = \"dirichlet\"; "       \
  "}; y_high = { field = \"dirichlet\"; }; };\n"
#define WALLS                                                                            \
  "walls = { x_low = { field = \"dirichlet\"; }; x_high = { field = \"dirichlet\"; }; "  \
  "};\n"

static const struct {
  const char *name, *text;
  size_t per_cell;
} cases[] = {
    {"1-D", HEAD GRID_1 TWO("") PLASMA(""), 900},
    {"1-D, a wave",
     HEAD GRID_1 TWO("amplitude = 0.9; mode = [3]; phase = \"50 deg\"; ") PLASMA(""),
     900},
    {"1-D, slab, walls",
     HEAD GRID_1 WALLS TWO("profile = \"slab\"; width = [\"3 mm\"]; ") PLASMA(""), 900},
    {"1-D, gaussian, walls",
     HEAD GRID_1 WALLS TWO("profile = \"gaussian\"; width = [\"3 mm\"]; centre = [\"2 "
                           "mm\"]; ") PLASMA(""),
     900},
    {"2-D, 2 velocities, a wave",
     HEAD GRID_2 TWO("amplitude = 0.1; mode = [-2, 5]; ") PLASMA("velocities = 2; "), 60},
    {"2-D, 3 velocities, gaussian",
     HEAD GRID_2 TWO("profile = \"gaussian\"; width = [\"4 mm\", \"0.2 mm\"]; ")
         PLASMA("velocities = 3; relativistic = true; "),
     60},
    {"2-D, annulus with a wave",
     HEAD GRID_2 TWO("profile = \"annulus\"; radius = [\"0.3 mm\", \"1 mm\"]; amplitude "
                     "= 0.3; mode = [4, 0]; ") PLASMA("velocities = 3; "),
     300},
    {"2-D, annulus",
     HEAD GRID_2 TWO("profile = \"annulus\"; radius = [\"0\", \"1 mm\"]; ")
         PLASMA("velocities = 2; "),
     300},
    {"2-D, ring with a wave",
     HEAD GRID_2 TWO("profile = \"ring\"; ring = [\"0.6 mm\", \"0.05 mm\"]; amplitude = "
                     "0.3; mode = [3, 0]; ") PLASMA("velocities = 3; "),
     300},
    {"3-D, ring to its axis",
     HEAD GRID_3 TWO("profile = \"ring\"; ring = [\"0.2 mm\", \"0.1 mm\"]; ") PLASMA(""),
     900},
    {"3-D, a wave", HEAD GRID_3 TWO("amplitude = 0.02; mode = [1, 0, -1]; ") PLASMA(""),
     40},
    {"3-D, slab",
     HEAD GRID_3 TWO("profile = \"slab\"; width = [\"1 mm\", \"2 mm\", \"0.3 mm\"]; ")
         PLASMA(""),
     200},
    {"3-D, gaussian, walls",
     HEAD GRID_3 WALLS TWO("profile = \"gaussian\"; width = [\"0.2 mm\", \"1 mm\", "
                           "\"0.1 mm\"]; ") PLASMA(""),
     900},
    {"r-z", HEAD GRID_RZ TWO_RZ("") PLASMA(""), 60},
    {"r-z, slab",
     HEAD GRID_RZ TWO_RZ("profile = \"slab\"; centre = [\"0\", \"1 mm\"]; width = [\"3 "
                         "mm\", \"1 mm\"]; ") PLASMA(""),
     60},
    {"r-z, gaussian",
     HEAD GRID_RZ TWO_RZ("profile = \"gaussian\"; centre = [\"0\", \"1 mm\"]; width = "
                         "[\"0.5 mm\", \"0.2 mm\"]; ") PLASMA(""),
     60},
};
#define N_CASES (sizeof cases / sizeof cases[0])

#define GAS                                                                              \
  "gas = { pressure = \"100 Pa\"; components = { Ar = { file = \"builtin:argon\"; }; "   \
  "}; };\n"                                                                              \
  "tables = { energy_max = \"1 keV\"; };\n"
#define DISCHARGE(loading, more)                                                         \
  "species = { e = { density = \"1e14 m-3\"; temperature = \"30 eV\"; loading = "        \
  "\"" loading "\"; collisions = \"gas\"; ions = \"i\"; " more "}; i = { density = "     \
  "\"1e14 m-3\"; charge = 1.0; mass = \"39.948 u\"; temperature = \"300 eV\"; loading "  \
  "= \"" loading "\"; collisions = \"gas\"; " more "}; };\n"

static const struct {
  const char *name, *text;
} colliding[] = {
    {"argon, 1-D, random", HEAD GAS GRID_1 WALLS DISCHARGE("random", "") PLASMA("")},
    {"argon, 1-D, quiet, slab",
     HEAD GAS GRID_1 WALLS DISCHARGE("quiet", "profile = \"slab\"; width = [\"4 mm\"]; ")
         PLASMA("")},
    {"argon, 2-D, quiet", HEAD GAS GRID_2 WALLS DISCHARGE("quiet", "") PLASMA("")},
    {"argon, 3-D, random", HEAD GAS GRID_3 WALLS DISCHARGE("random", "") PLASMA("")},
};
#define N_COLLIDING (sizeof colliding / sizeof colliding[0])

struct scene_at {
  struct wn_config *c;
  struct wn_gas *gas;
  struct wn_sim *s;
};

static int begin(struct scene_at *at, const char *device, size_t per_cell)
{
  char d[64], p[3][64];
  struct wn_device_plan plan;
  snprintf(d, sizeof d, "device=%s", device);
  static const char *const three[] = {"q", "r", "c"}, *const two[] = {"e", "i"};
  const int is_gas = per_cell == 0;
  for (int k = 0; k < 3; k++)
    snprintf(p[k], sizeof p[k], "species.%s.per_cell=%zu", is_gas ? two[k % 2] : three[k],
             is_gas ? (size_t)50 : per_cell);
  const char *const set[] = {d, p[0], p[1], p[2]};
  memset(at, 0, sizeof *at);
  WN_TRY(wn_config_read(FILE_NAME, is_gas ? 3 : 4, set, &at->c));
  WN_TRY(wn_device_choose(at->c, &plan));
  if (wn_config_has_gas(at->c))
    WN_TRY(wn_gas_create(at->c, &at->gas));
  WN_TRY(wn_sim_create(at->c, at->gas, &wn_job_of(at->c)->needs, &plan, &at->s));
  return wn_sim_begin(at->s, 0);
}

static void end(struct scene_at *at)
{
  wn_sim_free(at->s);
  wn_gas_free(at->gas);
  wn_config_free(at->c);
}

/* The first record that differs, and how many do. */
static size_t count_differing(const struct wn_particles *a, const struct wn_particles *b,
                              const char *name)
{
  size_t differ = 0;
  if (a->n != b->n || a->record.bytes != b->record.bytes)
    return SIZE_MAX;
  for (size_t i = 0; i < a->n; i++) {
    const int32_t *p = wn_particles_at(a, i), *q = wn_particles_at(b, i);
    if (memcmp(p, q, a->record.bytes) == 0)
      continue;
    for (size_t w = 0; differ == 0 && w < a->record.bytes / 4; w++)
      if (p[w] != q[w])
        diag("%s: record %zu, word %zu: 0x%08x, want 0x%08x", name, i, w, (unsigned)p[w],
             (unsigned)q[w]);
    differ++;
  }
  return differ;
}

static void same(const char *name, const char *text, size_t per_cell)
{
  struct scene_at here, there;
  command_write(FILE_NAME, text);
  if (!is_int(begin(&here, "cpu", per_cell), WN_OK, "%s: on the host", name))
    return;
  if (!is_int(begin(&there, "cuda", per_cell), WN_OK, "%s: on the GPU", name))
    return;
  for (int again = 0; again < 2; again++) {
    for (size_t k = 0; k < here.s->n_species; k++) {
      struct wn_particles *p = &there.s->species[k]->p;
      ok(p->n > 0 && p->place == WN_PARTICLES_REMOTE && (again || p->capacity < p->n),
         "%s: species %zu was made there", name, k);
      is_int(wn_particles_read(p), WN_OK, "%s: species %zu: fetched", name, k);
      is_int((long long)count_differing(p, &here.s->species[k]->p, name), 0,
             "%s: species %zu: records that differ, of %zu", name, k, p->n);
    }
    if (!again)
      is_int(wn_sim_begin(there.s, 0), WN_OK, "%s: another time", name);
  }
  end(&here);
  end(&there);
}

/* The shares of a species among processes are parts of the whole. */
static void shares(void)
{
  struct scene_at at;
  command_write(FILE_NAME, cases[8].text);
  if (!is_int(begin(&at, "cpu", cases[8].per_cell), WN_OK, "shares: on the host"))
    return;
  for (size_t k = 0; k < 2; k++) {
    const struct wn_particles *whole = &at.s->species[k]->p;
    struct wn_loading l = wn_loading_of(at.c, k, at.s->species[k]);
    l.n = whole->n;
    struct wn_particles p;
    is_int(wn_particles_init(&p, &whole->record, 0, whole->n), WN_OK, "shares: a store");
    for (int rank = 0; rank < 3; rank++) {
      const size_t from = rank * (whole->n / 3) + (size_t)rank, n = 1000;
      l.first = from;
      wn_particles_empty(&p);
      is_int(wn_gpu_load(gpu_device(), &p, &l, n), WN_OK, "shares: from %zu on", from);
      is_int(wn_particles_read(&p), WN_OK, "shares: fetched");
      ok(p.n == n && memcmp(p.e, wn_particles_at(whole, from), n * p.record.bytes) == 0,
         "shares: species %zu, %zu particles from %zu on", k, n, from);
    }
    wn_particles_empty(&p);
    is_int(wn_gpu_load(gpu_device(), &p, &l, 0), WN_OK, "shares: none");
    ok(p.n == 0, "shares: none");
    is_int(wn_gpu_load(gpu_device(), &p, &l, whole->n + 1), WN_EFULL,
           "shares: more than may be there");
    wn_particles_clear(&p);
  }
  end(&at);
}

int main(void)
{
  gpu_or_skip();
  plan(0);
  wn_log_set_level(WN_LOG_ERROR);
  for (size_t i = 0; i < N_CASES; i++)
    same(cases[i].name, cases[i].text, gpu_size(cases[i].per_cell, 3));
  for (size_t i = 0; i < N_COLLIDING; i++)
    same(colliding[i].name, colliding[i].text, 0);
  shares();
  remove(FILE_NAME);
  return done();
}
