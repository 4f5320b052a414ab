/* t/tap/two_devices.h - for tests of family 04: a plasma on the CPU and the same on a GPU, compared to the bit.
 *
 * Solvers round differently on a GPU, so that two runs part after some steps.  Here the plasma on the CPU takes its field
 * from the one on the GPU (two_share): what the potential of the GPU gives on the host, by the functions of the
 * host.  All else must then have the same bits, step after step. */
#ifndef WN_T_TAP_TWO_DEVICES_H
#define WN_T_TAP_TWO_DEVICES_H
#include <stddef.h>
#include "src/sim/sim.h"

struct two_plasma {
  struct wn_config *c;
  struct wn_gas *gas;
  struct wn_sim *s;
  struct wn_field *own; /* while it takes the field of another */
};

/* Bails out when the status is none of success. */
void two_must(int status, const char *what);

/* A plasma at its start; file: of the scenario; device: cpu, cuda.  Bails out. */
void two_open(const char *file, const char *device, struct two_plasma *p);
void two_close(struct two_plasma *p);

/* From now on cpu has the field of gpu, which must make each step first, and is closed later. */
void two_share(struct two_plasma *cpu, const struct two_plasma *gpu);

struct wn_particles *two_store(const struct two_plasma *p, size_t k);

/* Whether two stores have the same records, in any order, to the bit; they are read. */
int two_same_records(struct wn_particles *a, struct wn_particles *b);

#endif
