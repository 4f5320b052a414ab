/* fields/poisson/slabs_gpu.h - Poisson's equation on a grid that is divided among ranks
 * in slabs, in the memory of their GPUs: fields/poisson/planes.h by cuFFT, in two or three
 * dimensions.  Ranks exchange data by device/exchange.h.
 *
 * All ranks make these calls together.  slabs_gpu.cu, or build-aux/stubs in a build without CUDA. */
#ifndef WN_FIELDS_POISSON_SLABS_GPU_H
#define WN_FIELDS_POISSON_SLABS_GPU_H
#include <stddef.h>
#include "fields/poisson/poisson.h"
#include "physics/host_device.h"

WN_BEGIN_DECLS

struct wn_gpu;
struct wn_gpu_exchange;
struct wn_poisson_slabs_gpu;

/* WN_EINPUT of wn_poisson_check, with the ranks in spec; WN_ENOMEM, WN_ECUDA, if any rank fails. */
int wn_poisson_slabs_gpu_create(struct wn_gpu *g, const struct wn_poisson_spec *spec,
                                struct wn_poisson_slabs_gpu **out);
void wn_poisson_slabs_gpu_free(struct wn_poisson_slabs_gpu *p);

/* Bytes on the device of the first of `ranks` ranks, in any build; a forecast, as
 * wn_poisson_gpu_bytes. */
size_t wn_poisson_slabs_gpu_bytes(const struct wn_poisson_spec *spec, int ranks);

/* rho and phi of the planes of this rank, on the device; volt on the host.  x: with room
 * for all unknowns of this rank, otherwise messages are used. */
int wn_poisson_slabs_gpu_solve(struct wn_poisson_slabs_gpu *p, struct wn_gpu_exchange *x,
                               const double *rho, const double volt[6], double *phi);

/* Doubles that a rank sends at a time. */
size_t wn_poisson_slabs_gpu_words(const struct wn_poisson_slabs_gpu *p);

WN_END_DECLS

#endif
