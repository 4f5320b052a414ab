/* schedulers/gpu/midpoint_tiles.cuh - particles of model `midpoint` in the order of tiles of cells (device/tiles.cuh). */
#ifndef WN_SCHEDULERS_GPU_MIDPOINT_TILES_CUH
#define WN_SCHEDULERS_GPU_MIDPOINT_TILES_CUH
#include "device/expected_sums.cuh"
#include "physics/midpoint.h"
#include "schedulers/gpu/model_collisionless.cuh"

/* Whether the kernel can move them: the implicit midpoint rule, as many substeps for each. */
int wn_gpu_midpoint_in_tiles(const struct wn_midpoint *m);

/* Starts the kernel for all chunks of the order of the store.  It takes the ten moments of the particles at the end of the
 * step with it, if they are expected. */
int wn_gpu_midpoint_tiles(struct wn_gpu_store *t, const struct wn_midpoint *m,
                          const struct wn_gpu_points_batch &batch);
/* Adds the ten moments of particles that were moved already, in the order of the store. */
int wn_gpu_midpoint_moments(struct wn_gpu_store *t, const struct wn_midpoint *m,
                            const struct wn_gpu_points_batch &batch,
                            const struct wn_gpu_ten_view &ten);

#endif
