/* t/tap/gpu_arrays.h - arrays between a test and a GPU; a status of base/error.h each. */
#ifndef WN_T_GPU_ARRAYS_H
#define WN_T_GPU_ARRAYS_H
#include <stddef.h>
#include "device/gpu.h"
#include "physics/host_device.h"

WN_BEGIN_DECLS

/* *device: memory of g, counted there, with what `host` has (NULL: nothing). */
int gpu_array_make(struct wn_gpu *g, const void *host, size_t bytes, void **device);
void gpu_array_free(struct wn_gpu *g, void *device, size_t bytes);
/* In the stream of g, and waited for. */
int gpu_array_put(struct wn_gpu *g, const void *host, void *device, size_t bytes);
int gpu_array_get(struct wn_gpu *g, const void *device, void *host, size_t bytes);

WN_END_DECLS

#endif
