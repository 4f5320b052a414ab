/* t/schedulers/gpu_points.h - for t0440-gpu-collisionless: what lies on the device. */
#ifndef WN_T_GPU_POINTS_H
#define WN_T_GPU_POINTS_H
#include <stddef.h>
#include <stdint.h>
#include "particles/particles.h"
#include "physics/host_device.h"

WN_BEGIN_DECLS

struct wn_gpu;

/* n floats of E to the device, and away.  The status. */
int gpu_points_e(struct wn_gpu *g, const float *e, size_t n, float **out);
void gpu_points_e_free(struct wn_gpu *g, float *e, size_t n);

/* The charge that a scheduler left for a middle of *dt from the end of its phase, quanta
 * [n].  *dt 0: none.  The status. */
int gpu_points_charge(struct wn_gpu *g, const struct wn_particles *p, int64_t *quanta,
                      size_t n, double *dt);

WN_END_DECLS

#endif
