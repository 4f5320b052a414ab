/* t0508-residence.c - defends: population.residence: auto takes batches where the particles do not fit into the free
 * memory of the GPU and batches are available, else the GPU, and says why with both amounts; the keys
 * device and batches decide themselves; processes divide the particles and share a GPU; `wilson check` says
 * it; on the CPU the key has no effect, which is said.  And the messages of a host without enough memory: the
 * number of particles, what they take, what there is, and what the limit is.  Needs no GPU.
 * Reference: the forecast of the memory, whose parts are added here. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/memory.h"
#include "src/config/plasma_limits.h"
#include "src/config/residence.h"
#include "t/tap/command.h"
#include "t/tap/tap.h"

#define FILE_NAME "t0508.cfg"
#define GIB       (1024.0 * 1024.0 * 1024.0)

static const char plasma[] =
    "model = \"plasma\"; duration = \"1 ns\";\n"
    "grid = { cells = [16, 16]; length = [\"1 cm\", \"1 cm\"]; };\n"
    "species = { e = { density = \"1e13 m-3\"; macroparticles = 64000000; temperature = "
    "\"1 eV\"; };\n"
    "  i = { density = \"1e13 m-3\"; macroparticles = 64000000; temperature = \"1 eV\"; "
    "charge = 1.0; mass = \"40 u\"; }; };\n"
    "plasma = { time_step = \"10 ps\"; };\n";

static const char air[] =
    "fields = [\"100 Td\"]; duration = \"1 ns\"; groups = 8; electrons = 100; "
    "gas = { components = { N2 = { file = \"builtin:air\"; }; }; };\n";

static struct wn_residence choose(const char *set, int processes, int on_gpu,
                                  double memory)
{
  struct wn_config *c = NULL;
  struct wn_residence r = {.resident = NAN};
  const char *const sets[] = {set};
  if (wn_config_read(FILE_NAME, set != NULL, sets, &c) == WN_OK)
    wn_residence_choose(c, processes, on_gpu, memory, &r);
  wn_config_free(c);
  return r;
}

static void amounts(void)
{
  struct wn_config *c = NULL;
  if (!is_int(wn_config_read(FILE_NAME, 0, NULL, &c), WN_OK, "a scenario"))
    return;
  const double grid = wn_plasma_grid_gpu_all_bytes(c),
               particles = wn_plasma_particles_gpu_bytes(c);
  is_close(wn_plasma_gpu_bytes(c), grid + particles, 1e-15, "two parts");
  /* 16 bytes, in two buffers */
  is_close(particles, 2.0 * 2.0 * 16.0 * 64e6, 0.02, "of particles");
  struct wn_residence r = choose(NULL, 1, 1, 80 * GIB);
  is_close(r.resident, grid + particles, 1e-15, "one process has all");
  is_close(r.batches, grid + 4.0 * 64.0 * 1024.0 * 1024.0, 1e-15, "four buffers instead");
  r = choose(NULL, 6, 2, 80 * GIB);
  is_close(r.resident, 2.0 * grid + particles / 3.0, 1e-12,
           "two of six on a GPU have a third of the particles, and two grids");
  wn_config_free(c);
}

static void choices(void)
{
  const struct wn_residence fits = choose(NULL, 1, 1, 4.5 * GIB),
                            small = choose(NULL, 1, 1, 3.9 * GIB);
  ok(!fits.in_batches && strstr(fits.why, "on the GPU: 3.8") != NULL &&
         strstr(fits.why, " GiB of 4.5 free") != NULL,
     "auto, what fits: %s", fits.why);
  ok(small.in_batches &&
         strstr(small.why, "in batches to the GPU: it has 3.9 GiB free, and they would "
                           "take 3.8") != NULL,
     "auto, what does not, with 5 %% to spare: %s", small.why);
  const struct wn_residence divided = choose(NULL, 4, 1, 3.9 * GIB);
  ok(!divided.in_batches, "auto, on four GPUs: %s", divided.why);
  const struct wn_residence unknown = choose(NULL, 1, 1, 0.0);
  ok(!unknown.in_batches && strstr(unknown.why, "if it has them") != NULL,
     "auto, without a GPU to ask: %s", unknown.why);
  const struct wn_residence device = choose("population.residence=device", 1, 1, GIB);
  ok(!device.in_batches && strstr(device.why, "which has 1 GiB free for 3.8") != NULL,
     "device: %s", device.why);
  const struct wn_residence batches =
      choose("population.residence=batches", 1, 1, 80 * GIB);
  ok(batches.in_batches && strstr(batches.why, "(population.residence)") != NULL,
     "batches: %s", batches.why);
  const struct wn_residence tiles = choose("scheduler=tiles", 1, 1, GIB);
  ok(!tiles.in_batches && strstr(tiles.why, "not in batches: key `scheduler`") != NULL,
     "auto, where they are not available: %s", tiles.why);
}

static void said(const char *out, const char *text)
{
  ok(strstr(out, text) != NULL, "says `%s`: %.600s", text, out);
}

static void checks(void)
{
  is_int(command("%s check " FILE_NAME
                 " --device cuda --set population.residence=batches",
                 command_wilson()),
         0, "wilson check");
  said(command_out, "\n  on the GPU, particles in batches, about ");
  said(command_out, "\n  particles are on the host, in batches to the GPU: ");
  is_int(command("%s check " FILE_NAME
                 " --device cpu --set species.e.macroparticles=1000 "
                 "--set species.i.macroparticles=1000 --set population.residence=batches",
                 command_wilson()),
         0, "on the CPU");
  ok(strstr(command_out, "in batches") == NULL, "no batches: %.300s", command_out);
  is_int(command("%s run " FILE_NAME " --device cpu --set species.e.macroparticles=1000 "
                 "--set species.i.macroparticles=1000 --set population.residence=batches "
                 "--set 'duration=\"10 ps\"' --output t0508.nc",
                 command_wilson()),
         0, "a run");
  said(command_err, "key `population.residence`: has no effect on the CPU");
  remove("t0508.nc");
  is_int(
      command("%s check " FILE_NAME " --set population.residence=host", command_wilson()),
      2, "another word");
  said(command_err, "population.residence");
  said(command_err, "auto, device, batches");
  command_write(FILE_NAME, air);
  is_int(command("%s check " FILE_NAME
                 " --device cuda --set population.residence=batches",
                 command_wilson()),
         2, "electrons in a gas");
  said(command_err, "population.residence");
  said(command_err, "\"batches\" needs model plasma");
}

/* 128e6 particles of 16 bytes are 2 GB. */
static void memory(void)
{
#ifdef __SANITIZE_ADDRESS__
  skip(8, "the sanitizers take more addresses than the limits of this test leave");
#else
  command_write(FILE_NAME, plasma);
  /* KiB, less than the particles: said before anything is allocated */
  is_int(command("sh -c 'ulimit -v 1900000; %s run " FILE_NAME
                 " --device cpu --set population.capacity=70000000 --output t0508.nc'",
                 command_wilson()),
         2, "less memory than the particles take");
  said(command_err, "t0508.cfg: the run takes 1953.");
  said(command_err, " MiB at the beginning, for 128000000 particles and the grid, and "
                    "ulimit -v has 1855.47 MiB; choose fewer");
  /* as much as they take, of which the program itself needs some */
  const int status =
      command("sh -c 'ulimit -v 2010000; %s run " FILE_NAME
              " --device cpu --set population.capacity=70000000 --output t0508.nc'",
              command_wilson());
  ok(status != 0, "a little more does not suffice either");
  said(command_err, "warning: t0508.cfg: the run takes 1953.");
  said(command_err, "of the 1962.89 MiB that ulimit -v has, ");
  said(command_err, "out of memory: cannot get 64000000 x 16 bytes (0.9537 GiB); ");
  said(command_err, " GiB are available, and ulimit -v has 1.917");
#endif
  const struct wn_memory m = wn_memory_here();
  ok(m.total > 1e8 && m.available > 0.0 && m.available < m.total + 1e13,
     "here: %.3g of %.3g bytes, of %s", m.available, m.total, m.limit);
  remove("t0508.nc");
}

int main(void)
{
  plan(0);
  command_write(FILE_NAME, plasma);
  amounts();
  choices();
  checks();
  memory();
  remove(FILE_NAME);
  return done();
}
