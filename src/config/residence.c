/* src/config/residence.c - see residence.h. */
#include "src/config/residence.h"
#include <stdio.h>
#include "device/gpu.h"
#include "src/config/available.h"
#include "src/config/plasma_limits.h"

/* Part of the free memory that is left: the forecast is as exact as that, and temporary memory. */
#define SPARE 0.05

void wn_residence_choose(const struct wn_config *c, int processes, int on_gpu,
                         double memory, struct wn_residence *out)
{
  struct wn_residence r = {.batches = on_gpu * wn_plasma_batches_gpu_bytes(c)};
  struct wn_unavailable part;
  r.resident = on_gpu * (wn_plasma_grid_gpu_all_bytes(c) +
                         wn_plasma_particles_gpu_bytes(c) / (double)processes);
  const double have = memory / WN_GPU_GIB, take = r.resident / WN_GPU_GIB,
               instead = r.batches / WN_GPU_GIB;
  const bool fits = memory == 0.0 || r.resident <= (1.0 - SPARE) * memory,
             can = !wn_unavailable(
                 c, wn_available_where(c, true, processes) | WN_IN_BATCHES, &part);
  if (c->residence == WN_RESIDENCE_BATCHES) {
    r.in_batches = true;
    snprintf(r.why, sizeof r.why,
             "on the host, in batches to the GPU: %.3g GiB of it instead of %.3g "
             "(population.residence)",
             instead, take);
  } else if (memory == 0.0) {
    snprintf(r.why, sizeof r.why, "on the GPU: %.3g GiB, if it has them; in batches %.3g",
             take, instead);
  } else if (fits) {
    snprintf(r.why, sizeof r.why, "on the GPU: %.3g GiB of %.3g free", take, have);
  } else if (c->residence == WN_RESIDENCE_DEVICE) {
    snprintf(r.why, sizeof r.why,
             "on the GPU (population.residence), which has %.3g GiB free for %.3g", have,
             take);
  } else if (can) {
    r.in_batches = true;
    snprintf(r.why, sizeof r.why,
             "on the host, in batches to the GPU: it has %.3g GiB free, and they would "
             "take %.3g",
             have, take);
  } else {
    snprintf(r.why, sizeof r.why,
             "on the GPU, which has %.3g GiB free for %.3g; not in batches: key `%s`",
             have, take, part.key);
  }
  *out = r;
}
