/* bench/gpu_ceiling.h - what bench/schedulers has of the GPU beside the schedulers: the
 * ceiling kernels (bench/gpu_ceiling.cu) and the ways to take the dead away
 * (bench/gpu_compaction.cu). */
#ifndef WN_BENCH_GPU_CEILING_H
#define WN_BENCH_GPU_CEILING_H
#include <stddef.h>
#include "physics/host_device.h"
#include "physics/rng.h"
#include "schedulers/scheduler.h"

WN_BEGIN_DECLS

/* Electron i of a swarm of any size that is made of n relaxed ones: copy number i / n of
 * electron i % n, with random numbers of its own.  The time to the next candidate has no
 * memory, so that a copy which draws it anew parts from the original at once. */
static WN_HD struct wn_electron wn_bench_copy(const struct wn_electron *relaxed, size_t n,
                                              size_t i, uint64_t seed, double inv_nu)
{
  struct wn_electron e = relaxed[i % n];
  if (i >= n) {
    e.id = wn_rng_child_id(seed, e.id, 0xfffffffeu, (uint32_t)(i / n));
    e.event = 0;
    e.t_next = (float)(wn_rng_exponential(wn_rng(seed, e.id, 0, WN_RNG_INITIAL, 2).w[0]) *
                       inv_nu);
  }
  return e;
}

/* The ceiling in the place of a scheduler: every electron is flown to the end of its
 * step by a thread of its own, without births, deaths or hand-out of work; of mcc by a warp,
 * all of whose lanes do the same, and n/32 of them, without sums.  There are
 * several builds of each kernel (registers and block sizes): choose one, advance, ask how
 * long the kernels took. */
extern const struct wn_scheduler_ops wn_bench_ceiling;
size_t wn_bench_ceiling_variants(void);
/* Also sets the time to zero.  Returns threads a block; *registers: at most, a thread. */
int wn_bench_ceiling_choose(size_t variant, int *registers);
double wn_bench_ceiling_seconds(void);

/* n electrons on a GPU: those of p, which lie on the host, and, for mcc, copies of them.
 * The store has then room for the births of `model`. */
int wn_bench_replicate(struct wn_gpu *g, const struct wn_model *model,
                       struct wn_particles *p, size_t n, uint64_t seed);

/* What the device can do at best: bytes/s read and written by a copy, random words/s of
 * Philox4x32-10 in registers. */
int wn_bench_hardware(struct wn_gpu *g, double *copy, double *philox);

/* Ways to take the dead away:
 *   program   as it is: one of the next two
 *   holes     the last of the living move into the holes of the dead
 *   in-order  in one array, in order, by CUB
 *   simple, block, warp   between two arrays, one atomic a survivor, a block, a warp */
enum {
  WN_BENCH_PROGRAM,
  WN_BENCH_HOLES,
  WN_BENCH_IN_ORDER,
  WN_BENCH_SIMPLE,
  WN_BENCH_BLOCK,
  WN_BENCH_WARP,
  WN_BENCH_COMPACTIONS
};
extern const char *const wn_bench_compaction_name[WN_BENCH_COMPACTIONS];
/* n electrons, `dead` of them (a fraction) dead at random places; seconds[repeats].
 * WN_ENOMEM when they do not fit, or the lists of the holes. */
int wn_bench_compaction(struct wn_gpu *g, int way, size_t n, double dead, int repeats,
                        double *seconds, size_t *survivors);

WN_END_DECLS

#endif
