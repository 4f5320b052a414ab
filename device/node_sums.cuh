/* device/node_sums.cuh - sums at the nodes of records of a device, wherever they are: added up
 * over several parts of the particles of a species (node_sums.cu).  In the scratch memory of
 * the GPU, which nothing else may use between begin and end. */
#ifndef WN_DEVICE_NODE_SUMS_CUH
#define WN_DEVICE_NODE_SUMS_CUH
#include "device/device.cuh"

int wn_gpu_node_sums_room(const struct wn_gpu *g, size_t n, int *is);
int wn_gpu_node_sums_begin(struct wn_gpu *g, size_t n);
int wn_gpu_node_sums_add(struct wn_gpu *g, const struct wn_node_values *what,
                         const void *records, size_t n_records);
/* Waits.  *sums [n] on the host, valid until the scratch memory is used again. */
int wn_gpu_node_sums_end(struct wn_gpu *g, size_t n, wn_i128 **sums, uint64_t *misfits);

/* The same for the largest component of velocity. */
int wn_gpu_largest_begin(struct wn_gpu *g);
int wn_gpu_largest_add(struct wn_gpu *g, const struct wn_node_values *what,
                       const void *records, size_t n_records);
int wn_gpu_largest_end(struct wn_gpu *g, float *most);

#endif
