/* t0444-gpu-profiles.c - defends: on a GPU the power of the field and the collision rates at the nodes
 * are those of the CPU after some steps from the same state, within 1e-5 of their largest value (the
 * solvers round differently, E in single precision now and then): in one to three dimensions, for
 * particles with and without collisions, ions that move in every third step, several mobility steps, a
 * magnetic field, both gathers, and the spectral solver.  Reference: the CPU in the same program. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "src/jobs/job.h"
#include "src/run/step.h"
#include "src/sim/device.h"
#include "src/sim/field_power.h"
#include "src/sim/grid_rates.h"
#include "t/tap/command.h"
#include "t/tap/gpu.h"
#include "t/tap/tap.h"

#define FILE_NAME "t0444.cfg"
#define STEPS     5
#define CLOSE     1e-5

#define HEAD "model = \"plasma\"; duration = \"1 ns\"; seed = 5;\n"
#define PAIR                                                                             \
  "species = { e = { density = \"1e15 m-3\"; temperature = \"1 eV\"; per_cell = 60; "    \
  "loading = \"random\"; drift = [\"100 km/s\", \"0\", \"0\"]; }; i = { density = "      \
  "\"1e15 m-3\"; charge = 1; mass = \"4 u\"; temperature = \"0.1 eV\"; per_cell = 60; "  \
  "loading = \"random\"; }; };\n"
#define WALLS                                                                            \
  "walls = { x_low = { field = \"dirichlet\"; }; x_high = { field = \"dirichlet\"; "     \
  "voltage = \"100 V\"; }; };\n"
#define ARGON(pressure)                                                                  \
  "gas = { pressure = \"" pressure " Pa\"; components = { Ar = { file = "                \
  "\"builtin:argon\"; }; }; };\ntables = { energy_max = \"1 keV\"; };\n"                 \
  "species = { e = { density = \"1e14 m-3\"; temperature = \"20 eV\"; per_cell = 100; "  \
  "loading = \"random\"; collisions = \"gas\"; ions = \"i\"; }; i = { density = "        \
  "\"1e14 m-3\"; charge = 1.0; mass = \"39.948 u\"; temperature = \"100 eV\"; "          \
  "per_cell = 100; loading = \"random\"; collisions = \"gas\"; subcycling = 3; }; };\n"
#define PLASMA(more)                                                                     \
  "plasma = { averages = { a = { start = \"0\"; blocks = 1; power = true; }; }; "        \
  "time_step = \"20 ps\"; allow = [\"cell-crossing\", \"debye-length\", "                \
  "\"plasma-frequency\"]; " more "};\n"

static const struct {
  const char *name, *text;
} cases[] = {
    {"1-D between plates",
     HEAD "grid = { cells = [50]; length = [\"1 cm\"]; };\n" PAIR WALLS PLASMA(
         "shape = \"tsc\"; ")},
    {"2-D in a magnetic field, gather by energy", HEAD
     "grid = { cells = [24, 20]; length = [\"4 mm\", \"3 mm\"]; };\n" PAIR WALLS PLASMA(
         "velocities = 3; gather = \"energy\"; magnetic_field = [\"10 mT\", \"0\", \"30 "
         "mT\"]; ")},
    {"2-D periodic, spectral",
     HEAD "grid = { cells = [24, 16]; length = [\"4 mm\", \"3 mm\"]; };\n" PAIR PLASMA(
         "solver = \"spectral\"; ")},
    {"3-D periodic", HEAD
     "grid = { cells = [12, 10, 8]; length = [\"2 mm\", \"2 mm\", \"1 mm\"]; };\n" PAIR
         PLASMA("")},
    {"thin argon, ions that move in every third step", HEAD
     "grid = { cells = [60]; length = [\"2 mm\"]; };\n" ARGON("100") WALLS PLASMA("")},
    {"dense argon, two mobility steps, 2-D",
     HEAD "grid = { cells = [24, 16]; length = [\"2 mm\", \"1 mm\"]; };\n" ARGON("2000")
         WALLS PLASMA("mobility_steps = 2; ")},
};

struct profiles {
  size_t n;      /* of each: nodes */
  double *of[6]; /* power of two species, three rates of electrons, one of ions; NULL */
};

static void take_rate(struct wn_sim *s, struct wn_grid_rates *r, struct wn_node_sums *m,
                      size_t k, const char *name, double *out)
{
  static struct wn_rate_choice choice;
  const struct wn_rate_choice *const of[] = {&choice};
  wn_grid_rate_choice(s->c, s->gas, k, name, &choice);
  WN_ASSERT(choice.n > 0);
  WN_ASSERT(wn_grid_rates_take(r, m, s, k, 1, of, out) == WN_OK);
}

static void look(struct wn_sim *s, struct profiles *out)
{
  static const char *const rate[] = {"elastic", "excitation", "ionization",
                                     "backscatter"};
  struct wn_grid_rates *r = NULL;
  struct wn_node_sums *m = NULL;
  out->n = wn_field_nodes(s->field);
  for (size_t i = 0; i < 6; i++)
    WN_ASSERT((out->of[i] = calloc(out->n, sizeof *out->of[i])) != NULL);
  for (size_t k = 0; k < 2; k++)
    memcpy(out->of[k], wn_field_power(s, k), out->n * sizeof *out->of[k]);
  if (s->gas == NULL)
    return;
  WN_ASSERT(wn_grid_rates_create(s, &r) == WN_OK);
  WN_ASSERT(wn_node_sums_create(s->c, 1, &m) == WN_OK);
  for (size_t i = 0; i < 4; i++)
    take_rate(s, r, m, i == 3, rate[i], out->of[2 + i]);
  wn_grid_rates_free(r);
  wn_node_sums_free(m);
}

static int run(const char *device, struct profiles *out)
{
  struct wn_config *c = NULL;
  struct wn_device_plan plan;
  struct wn_sim *s = NULL;
  struct wn_gas *gas = NULL;
  const char *const set[] = {device};
  int status = wn_config_read(FILE_NAME, 1, set, &c);
  if (status == WN_OK)
    status = wn_device_choose(c, &plan);
  if (status == WN_OK && wn_config_has_gas(c))
    status = wn_gas_create(c, &gas);
  if (status == WN_OK)
    status = wn_sim_create(c, gas, &wn_job_of(c)->needs, &plan, &s);
  if (status == WN_OK)
    status = wn_sim_begin(s, 0);
  for (int k = 0; k < STEPS && status == WN_OK; k++)
    status = wn_step(s, c->plasma.time_step);
  if (status == WN_OK)
    look(s, out);
  wn_sim_free(s);
  wn_gas_free(gas);
  wn_config_free(c);
  return status;
}

static void compare(size_t i)
{
  static const char *const what[] = {"power of e", "power of i", "elastic",
                                     "excitation", "ionization", "backscatter"};
  struct profiles here = {0}, there = {0};
  command_write(FILE_NAME, cases[i].text);
  if (!is_int(run("device=cpu", &here), WN_OK, "%s: on the CPU", cases[i].name) ||
      !is_int(run("device=cuda", &there), WN_OK, "%s: on the GPU", cases[i].name))
    return;
  for (size_t j = 0; j < (strstr(cases[i].text, "gas = ") != NULL ? 6 : 2); j++) {
    double most = 0.0, scale = 0.0;
    for (size_t k = 0; k < here.n; k++) {
      most = fmax(most, fabs(here.of[j][k] - there.of[j][k]));
      scale = fmax(scale, fabs(here.of[j][k]));
    }
    ok(scale > 0.0 && most < CLOSE * scale, "%s: %s, within %.1e", cases[i].name, what[j],
       most / scale);
  }
  for (size_t j = 0; j < 6; j++)
    free(here.of[j]), free(there.of[j]);
}

int main(void)
{
  gpu_or_skip();
  plan(0);
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    compare(i);
  remove(FILE_NAME);
  return done();
}
