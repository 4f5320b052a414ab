/* bench/study/lists.h - what the scheduler study has beside the program: twelve schedulers of a
 * GPU and three models, and the lists with those of the program first. */
#ifndef WN_BENCH_STUDY_LISTS_H
#define WN_BENCH_STUDY_LISTS_H
#include "physics/host_device.h"
#include "schedulers/scheduler.h"

WN_BEGIN_DECLS

/* Scheduler or model i of the program and of the study; NULL: that is no more. */
const struct wn_scheduler_ops *wn_study_scheduler(size_t i);
const struct wn_model_ops *wn_study_model(size_t i);

/* By name; NULL: there is none. */
const struct wn_scheduler_ops *wn_study_find(const char *scheduler);

extern const struct wn_model_ops wn_model_split_remove, wn_model_rectangle, wn_model_box;
extern const struct wn_gpu_model wn_gpu_model_split_remove, wn_gpu_model_rectangle,
    wn_gpu_model_box;

WN_END_DECLS

#endif
