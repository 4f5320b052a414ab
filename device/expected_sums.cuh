/* device/expected_sums.cuh - ten moments that the kernel of a step takes with it, because they will be asked for at its end
 * (particles/particles.h: expect_at_nodes): saves a pass over the particles.  64-bit sums suffice
 * (physics/ten_moments.h).  A scheduler whose kernel does not take them need not know. */
#ifndef WN_DEVICE_EXPECTED_SUMS_CUH
#define WN_DEVICE_EXPECTED_SUMS_CUH
#include "device/device.cuh"
#include "physics/node_values.h"

/* For a kernel. */
struct wn_gpu_ten_view {
  unsigned long long
      *sum; /* [WN_TEN_MOMENTS][nodes] of the grid with guards; NULL: none are expected */
  size_t nodes;
  struct wn_gpu_ten_found *found;
  float
      per_unit; /* of the unit that is expected: if the largest |u_i| has another, the sums are of no use */
};

/* Before the launch of a kernel that moves all particles: clears the sums, which are then those of the
 * end of the step. */
int wn_gpu_ten_begin(struct wn_gpu_store *t, size_t nodes, struct wn_gpu_ten_view *out);

#endif
