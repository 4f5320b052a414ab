/* schedulers/gpu/mcc_gather.cuh - gather of the field for electrons of model `mcc` in a
 * grid, before a mobility step: schedulers/model_mcc_grid.h on a GPU. */
#ifndef WN_SCHEDULERS_GPU_MCC_GATHER_CUH
#define WN_SCHEDULERS_GPU_MCC_GATHER_CUH
#include "device/device.cuh"
#include "schedulers/model.h"

/* Set the acceleration of every living electron for the next mobility step, and its time
 * left to the whole of it; or start the newborns from `first` on, which were held back.
 * model: on the host, with its field set. */
int wn_gpu_mcc_gather(struct wn_gpu *g, const struct wn_model *model,
                      struct wn_particles *p);
int wn_gpu_mcc_start_newborns(struct wn_gpu *g, const struct wn_model *model,
                              struct wn_particles *p, size_t first);

#endif
