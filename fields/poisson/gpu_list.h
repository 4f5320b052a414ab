/* fields/poisson/gpu_list.h - the methods of solution on a GPU, a line each: a grid takes the first that
 * supports it.  A method NAME is a file gpu_NAME.cu with wn_poisson_gpu_NAME (struct wn_poisson_gpu_ops of
 * gpu.cuh), and the two functions below, which builds without CUDA have, too: they forecast memory. */
#ifndef WN_FIELDS_POISSON_GPU_LIST_H
#define WN_FIELDS_POISSON_GPU_LIST_H
#include <stddef.h>
#include "fields/poisson/poisson.h"
#include "physics/host_device.h"

WN_BEGIN_DECLS

/* slabs   a grid that is divided among ranks
 * direct  a line of not too many cells, by two running sums in one kernel
 * radial  r-z, by transforms along z and eliminations along r
 * open    free space, by the Green function on a doubled grid
 * multigrid  two and three dimensions on any geometry, with electrodes inside and factors of edges, and whatever
 *         asks for it
 * shared  two and three dimensions by sines and cosines in shared memory, if all numbers of cells have
 *         small factors and E is that of differences
 * modes   all others, by sines and cosines; it takes every grid that is not divided */
#define WN_POISSON_GPU_LIST(X)                                                           \
  X(slabs)                                                                               \
  X(direct)                                                                              \
  X(radial)                                                                              \
  X(open)                                                                                \
  X(multigrid)                                                                           \
  X(shared)                                                                              \
  X(modes)

/* For a spec that wn_poisson_check accepts: whether the method supports it, and the bytes on the device,
 * as wn_poisson_gpu_bytes.  gpu_forecast.c, slabs_layout.c. */
#define X(method)                                                                        \
  int wn_poisson_gpu_##method##_takes(const struct wn_poisson_spec *spec);               \
  size_t wn_poisson_gpu_##method##_bytes(const struct wn_poisson_spec *spec);
WN_POISSON_GPU_LIST(X)
#undef X

/* WN_EINPUT: no method takes it, or wn_poisson_check does not. */
int wn_poisson_gpu_check(const struct wn_poisson_spec *spec);
/* The number in the list of the method of a spec. */
int wn_poisson_gpu_number(const struct wn_poisson_spec *spec);

WN_END_DECLS

#endif
