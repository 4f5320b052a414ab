/* schedulers/gpu/radial.cuh - the kernels for r-z: those of Cartesian grids in files of their own, in which
 * WN_RADIAL_KERNELS (physics/grid_view.h) is 1.  Called where the grid is one of r-z. */
#ifndef WN_SCHEDULERS_GPU_RADIAL_CUH
#define WN_SCHEDULERS_GPU_RADIAL_CUH
#include "physics/mcc_grid.h"
#include "schedulers/gpu/gpu_scheduler.cuh"
#include "schedulers/gpu/model_collisionless.cuh"

/* ---- radial.cu */

int wn_gpu_points_radial(struct wn_gpu *g, unsigned int block, const struct wn_points *m,
                         const struct wn_gpu_points_batch &batch);
/* what: of mcc_gather_kernel.cuh */
int wn_gpu_mcc_gather_radial(struct wn_gpu *g, const struct wn_mcc_grid &grid, int what,
                             struct wn_electron *e, size_t n);
/* dynamic and near of struct wn_gpu_model, of model `mcc` */
int wn_gpu_mcc_dynamic_radial(struct wn_scheduler *s, const struct wn_model *model,
                              const struct wn_gpu_launch *l);
int wn_gpu_mcc_near_radial(const struct wn_model *model);

/* ---- collision_free_radial.cu: as in collision_free.cuh */

int wn_gpu_collision_free_ions_radial(struct wn_scheduler *s,
                                      const struct wn_model *model,
                                      const struct wn_gpu_launch *l,
                                      struct wn_gpu_store *t, size_t n);
int wn_gpu_collision_free_electrons_radial(struct wn_scheduler *s,
                                           const struct wn_model *model,
                                           const struct wn_gpu_launch *l,
                                           struct wn_gpu_store *t, size_t n);

#endif
