/* schedulers/gpu/mcc_gather.cuh - electrons of model `mcc` in the field of a grid, between
 * flights: schedulers/model_mcc_grid.h for a GPU. */
#ifndef WN_SCHEDULERS_GPU_MCC_GATHER_CUH
#define WN_SCHEDULERS_GPU_MCC_GATHER_CUH
#include "device/device.cuh"
#include "schedulers/model.h"

/* What every living electron feels in the mobility step to come, of which it has the whole
 * before it; and of those from `first` on, which wait.  model: on the host, that has felt
 * its field. */
int wn_gpu_mcc_gather(struct wn_gpu *g, const struct wn_model *model,
                      struct wn_particles *p);
int wn_gpu_mcc_start_newborns(struct wn_gpu *g, const struct wn_model *model,
                              struct wn_particles *p, size_t first);

#endif
