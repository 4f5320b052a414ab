/* schedulers/gpu/mcc_profiled.cuh - model `mcc` in a gas and a field that change along z, or with detectors (physics/mcc_profiled.h,
 * physics/mcc_detected.h), on a GPU: kernels of their own, so that those without keep their registers and instructions. */
#ifndef WN_SCHEDULERS_GPU_MCC_PROFILED_CUH
#define WN_SCHEDULERS_GPU_MCC_PROFILED_CUH
#include "schedulers/gpu/gpu_scheduler.cuh"

/* Whether a model with the data of `mcc`, on the host or with device pointers, needs them. */
int wn_gpu_mcc_is_profiled(const struct wn_model *model);

/* As those of struct wn_gpu_model. */
int wn_gpu_mcc_dynamic_profiled(struct wn_scheduler *s, const struct wn_model *model,
                                const struct wn_gpu_launch *l);
int wn_gpu_mcc_near_profiled(const struct wn_model *model);
int wn_gpu_mcc_begin_launch(const struct wn_model *model, struct wn_gpu_store *t,
                            size_t n);
int wn_gpu_mcc_end_launch(const struct wn_model *model, struct wn_gpu_store *t, size_t n,
                          int *again);

#endif
