/* bench/gpu_plasma.h - what bench/plasma has of the GPU: E on the device, points made
 * there, the ceilings. */
#ifndef WN_BENCH_GPU_PLASMA_H
#define WN_BENCH_GPU_PLASMA_H
#include <stddef.h>
#include <stdint.h>
#include "particles/particles.h"
#include "physics/host_device.h"
#include "physics/mover.h"

WN_BEGIN_DECLS

struct wn_gpu;

/* n floats of E, E of a wave of amplitude e [V/m], on the device. */
int wn_bench_e(struct wn_gpu *g, size_t n, float e, float **out);

/* E and B on n nodes (physics/nodal_field.h): waves of amplitudes e [V/m] and b [T]. */
int wn_bench_eb(struct wn_gpu *g, size_t n, float e, float b, float **out);

/* n points of m->kind on the device, cell after cell or (random) in any, at random in their
 * cells; velocities of spread v [m/s] along each axis.  p: made with room for n, of which
 * it has at least one. */
int wn_bench_points(struct wn_gpu *g, const struct wn_points *m, size_t n, double v,
                    int random, struct wn_particles *p);

/* n quanta, all 0, on the device. */
int wn_bench_quanta(struct wn_gpu *g, size_t n, int64_t **out);

/* Bytes/s read and written by a copy. */
int wn_bench_copy_rate(struct wn_gpu *g, double *rate);

WN_END_DECLS

#endif
