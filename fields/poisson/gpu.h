/* fields/poisson/gpu.h - Poisson's equation on a GPU, as specified in fields/poisson/poisson.h:
 * the same sides, methods, voltages and shapes of arrays, which are in the memory of the
 * device.  Results differ from the host's by rounding.
 *
 * One file a method of solution (gpu_list.h).  All work goes into the stream of the GPU, without a
 * wait or an allocation after create, but for what goes between ranks.  The same bits for the same
 * input on one kind of device.  A grid that is divided (spec->ranks; planes.h) has two or three
 * dimensions; then all ranks make these calls together, and rho and phi are the planes of each.
 *
 * gpu_list.cu, or build-aux/stubs in a build without CUDA. */
#ifndef WN_FIELDS_POISSON_GPU_H
#define WN_FIELDS_POISSON_GPU_H
#include <stddef.h>
#include "fields/poisson/poisson.h"
#include "physics/host_device.h"

WN_BEGIN_DECLS

struct wn_gpu;
struct wn_gpu_exchange;
struct wn_poisson_gpu;

/* spec->threads is ignored.  WN_EINPUT as wn_poisson_create; WN_ENOMEM; WN_ECUDA, for
 * example without libcufft; of any rank. */
int wn_poisson_gpu_create(struct wn_gpu *g, const struct wn_poisson_spec *spec,
                          struct wn_poisson_gpu **out);
void wn_poisson_gpu_free(struct wn_poisson_gpu *p);

/* The name of the method, in any build. */
const char *wn_poisson_gpu_method(const struct wn_poisson_spec *spec);

/* Bytes on the device that create allocates (on the first of the ranks), in any build.  Those of cuFFT's
 * work areas are a forecast.  It is right for powers of two, and for small factors up to 600 cells
 * (300 between two walls); otherwise up to twice the whole (fields/poisson/gpu_layout.h).
 * SIZE_MAX: overflow. */
size_t wn_poisson_gpu_bytes(const struct wn_poisson_spec *spec);

/* Doubles that a rank sends at a time; 0: none.  If any, before the first solve: what they are sent by,
 * with room for them, or else messages are used.  It stays the caller's. */
size_t wn_poisson_gpu_words(const struct wn_poisson_gpu *p);
void wn_poisson_gpu_send_by(struct wn_poisson_gpu *p, struct wn_gpu_exchange *x);

/* rho and phi on the device, volt [6] on the host, read during the call; WN_EINPUT as
 * wn_poisson_solve. */
int wn_poisson_gpu_solve(struct wn_poisson_gpu *p, const double *rho,
                         const double volt[6], double *phi);

/* Whether component d of E at the nodes (staggered 0) or between them comes from the
 * modes, not from the differences of fields/poisson/stencil.h. */
int wn_poisson_gpu_has_modes(const struct wn_poisson_gpu *p, int d, int staggered);

/* As wn_poisson_field, of a whole grid; phi and e on the device. */
int wn_poisson_gpu_field(struct wn_poisson_gpu *p, const double *phi, int d,
                         int staggered, double *e);

WN_END_DECLS

#endif
