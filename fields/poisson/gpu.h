/* fields/poisson/gpu.h - Poisson's equation on a GPU, as specified in fields/poisson/poisson.h:
 * the same sides, methods, voltages and shapes of arrays, which are in the memory of the
 * device.  Results differ from the host's by rounding.
 *
 * By cuFFT, in double precision; in one dimension, with differences or in free space, by
 * two running sums in one kernel.  All work goes into the stream of the GPU, without a
 * wait or an allocation after create.  The same bits for the same input on one kind of
 * device.
 *
 * gpu.cu, or build-aux/stubs in a build without CUDA. */
#ifndef WN_FIELDS_POISSON_GPU_H
#define WN_FIELDS_POISSON_GPU_H
#include <stddef.h>
#include "fields/poisson/poisson.h"
#include "physics/host_device.h"

WN_BEGIN_DECLS

struct wn_gpu;
struct wn_poisson_gpu;

/* spec->threads is ignored.  WN_EINPUT as wn_poisson_create; WN_ENOMEM; WN_ECUDA, for
 * example without libcufft. */
int wn_poisson_gpu_create(struct wn_gpu *g, const struct wn_poisson_spec *spec,
                          struct wn_poisson_gpu **out);
void wn_poisson_gpu_free(struct wn_poisson_gpu *p);

/* Bytes on the device that create allocates, in any build.  Those of cuFFT's work areas
 * are a forecast.  It is right for powers of two, and for small factors up to 600 cells
 * (300 between two walls); otherwise up to twice the whole (fields/poisson/gpu_layout.h).
 * SIZE_MAX: overflow. */
size_t wn_poisson_gpu_bytes(const struct wn_poisson_spec *spec);

/* rho and phi on the device, volt [6] on the host, read during the call; WN_EINPUT as
 * wn_poisson_solve. */
int wn_poisson_gpu_solve(struct wn_poisson_gpu *p, const double *rho,
                         const double volt[6], double *phi);

/* Whether component d of E at the nodes (staggered 0) or between them comes from the
 * modes, not from the differences of fields/poisson/stencil.h. */
int wn_poisson_gpu_has_modes(const struct wn_poisson_gpu *p, int d, int staggered);

/* As wn_poisson_field; phi and e on the device. */
int wn_poisson_gpu_field(struct wn_poisson_gpu *p, const double *phi, int d,
                         int staggered, double *e);

WN_END_DECLS

#endif
