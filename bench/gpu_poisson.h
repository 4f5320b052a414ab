/* bench/gpu_poisson.h - what bench/poisson asks of a GPU. */
#ifndef WN_BENCH_GPU_POISSON_H
#define WN_BENCH_GPU_POISSON_H
#include "fields/poisson/poisson.h"
#include "physics/host_device.h"

WN_BEGIN_DECLS

struct wn_gpu;

/* Seconds a solve: the best of `tries` times `n` solves one after the other, from the first
 * launch to the end of the last kernel, by the host's clock. */
int wn_bench_poisson(struct wn_gpu *g, const struct wn_poisson_spec *spec, int tries,
                     int n, double *seconds);

WN_END_DECLS

#endif
