/* t/fuzz/checkpoint.c - libFuzzer: checkpoints.  Any bytes as a file; and, as their checksum would keep nearly all of them out, the
 * same bytes as the state of one whose head and checksum are right, restored into a small swarm.  It is taken
 * or refused; a swarm that was given half of one begins anew.
 * With WN_FUZZ_SEED=FILE: writes the state of that swarm, where the hunt begins. */
#include "t/fuzz/fuzz.h"
#include <string.h>
#include "base/error.h"
#include "base/log.h"
#include "src/io/checkpoint_file.h"
#include "src/jobs/job.h"
#include "src/sim/device.h"
#include "src/sim/sim.h"
#include "t/fuzz/sealed.h"

static const char text[] =
    "job = \"swarm\"; fields = [\"100 Td\"]; electrons = 8; groups = 2; device = "
    "\"cpu\";\n"
    "scheduler = \"serial\"; tables = { energy_max = \"100 eV\"; bins_per_octave = 16; "
    "};\n"
    "population = { capacity = 1000; };\n"
    "gas = { components = { N2 = { file = \"builtin:air\"; }; }; };\n";

static struct wn_sim *the_swarm(void)
{
  static struct wn_config *c;
  static struct wn_gas *gas;
  static struct wn_sim *sim;
  struct wn_device_plan plan;
  if (sim != NULL)
    return sim;
  if (wn_config_read(fuzz_file((const uint8_t *)text, sizeof text - 1), 0, NULL, &c) !=
          WN_OK ||
      wn_device_plan(c, 1, &plan) != WN_OK || wn_gas_create(c, &gas) != WN_OK ||
      wn_sim_create(c, gas, &wn_job_of(c)->needs, &plan, &sim) != WN_OK)
    abort();
  return sim;
}

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
  const char *seed = getenv("WN_FUZZ_SEED");
  struct wn_state s;
  (void)argc, (void)argv;
  if (seed == NULL)
    return 0;
  FILE *to = fopen(seed, "wb");
  wn_state_init(&s);
  if (to == NULL || wn_sim_begin(the_swarm(), 0) != WN_OK ||
      wn_sim_state(the_swarm(), &s) != WN_OK || fwrite(s.bytes, 1, s.n, to) != s.n)
    abort();
  fclose(to);
  exit(0);
}

static void restore(const uint8_t *data, size_t n)
{
  struct wn_checkpoint k;
  char why[512];
  size_t length;
  uint8_t *file = fuzz_sealed(data, n, &length);
  if (file == NULL)
    return;
  if (wn_checkpoint_open(fuzz_file(file, length), &k, why, sizeof why) != WN_OK)
    abort();
  if (wn_sim_begin(the_swarm(), 0) != WN_OK)
    abort();
  const int status = wn_sim_state(the_swarm(), &k.state);
  if (status != WN_OK && status != WN_EINPUT && status != WN_EFULL)
    abort();
  wn_checkpoint_close(&k);
  free(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
  struct wn_checkpoint k;
  char why[512];
  if (wn_checkpoint_open(fuzz_file(data, n), &k, why, sizeof why) == WN_OK)
    wn_checkpoint_close(&k);
  if (n > 0)
    restore(data, n);
  return 0;
}
