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

/* Sums of so many values at nodes will be asked for after the next step.  Without memory for them nothing is
 * expected. */
int wn_gpu_ten_expect(struct wn_gpu *g, struct wn_gpu_ten *ten,
                      const struct wn_node_values *what, size_t n);
/* Before the launch of the kernels that move all particles: clears the sums, which are then those of the end of
 * the step.  Earlier ones are forgotten. */
int wn_gpu_ten_begin(struct wn_gpu *g, struct wn_gpu_ten *ten, size_t nodes,
                     struct wn_gpu_ten_view *out);
/* Whether they are those that are asked for now. */
int wn_gpu_ten_has(const struct wn_gpu_ten *ten, const struct wn_node_values *what,
                   size_t n);
/* Known sums, as wn_gpu_sum_at_nodes and wn_gpu_largest_velocity return them.  Wait. */
int wn_gpu_ten_sums(struct wn_gpu *g, const struct wn_gpu_ten *ten, wn_i128 **sums,
                    uint64_t *misfits);
int wn_gpu_ten_largest(struct wn_gpu *g, const struct wn_gpu_ten *ten, float *most);

#endif
