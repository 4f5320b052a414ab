/* bench/gpu_batches.h - what bench/batches has of the GPU: the copies of a visit alone. */
#ifndef WN_BENCH_GPU_BATCHES_H
#define WN_BENCH_GPU_BATCHES_H
#include "particles/particles.h"
#include "physics/host_device.h"

WN_BEGIN_DECLS

struct wn_gpu;

/* All segments of p to the GPU and, unless one_way, back, as a step copies them, without a kernel. */
int wn_bench_batches_copy(struct wn_gpu *g, struct wn_particles *p, int one_way);

WN_END_DECLS

#endif
