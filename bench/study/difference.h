/* bench/study/difference.h - the field of model split-remove: difference.c. */
#ifndef WN_BENCH_STUDY_DIFFERENCE_H
#define WN_BENCH_STUDY_DIFFERENCE_H
#include "bench/study/difference_view.h"
#include "fields/field.h"

/* A grid of n cells of h [m] a side, on a GPU or (NULL) on the host.  Its view is WN_FIELD_OTHER
 * of a struct wn_difference_view.  WN_ENOMEM, WN_ECUDA; WN_EINPUT: several processes have no
 * grid on GPUs. */
int wn_difference_create(size_t n, double h, struct wn_gpu *gpu, struct wn_field **out);

#endif
