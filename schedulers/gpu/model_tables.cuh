/* schedulers/gpu/model_tables.cuh - the data of a model with copies of its tables on the
 * device: schedulers/model.h, ops->tables. */
#ifndef WN_SCHEDULERS_GPU_MODEL_TABLES_CUH
#define WN_SCHEDULERS_GPU_MODEL_TABLES_CUH
#include <stdint.h>
#include "device/device.cuh"
#include "schedulers/model.h"

/* A table on the host at the time of the copy, and the copy. */
struct wn_gpu_table {
  const void *host;
  size_t member, bytes; /* struct wn_model_table */
  uint64_t print[2];    /* fingerprint of the contents, if they are compared */
  void *device;
};

struct wn_gpu_tables {
  const void *data; /* of the model that they belong to; NULL: none */
  int n;
  struct wn_gpu_table table[WN_MODEL_TABLES];
  int is_new;            /* they were compared for this step */
  void *args;            /* the data with device pointers, */
  size_t args_bytes;     /* its size */
  struct wn_model model; /* the same as a model */
};

/* Up to this size the contents of a table are compared in each step, so that changes are
 * detected: bench/schedulers changes those of split-remove in place, 342 KB (8 us on one
 * core of 2.5 GHz, 2026-11-22).  A larger table is taken as unchanged as long as its
 * address, its size and all smaller tables of the model are unchanged. */
#define WN_GPU_WATCHED ((size_t)512 << 10)

/* Copy those tables of *model to the device that have changed.  Synchronises if any were
 * copied. */
int wn_gpu_tables_update(struct wn_gpu *g, struct wn_gpu_tables *t,
                         const struct wn_model *model);
/* *out: the present model with device pointers; valid until the next call. */
int wn_gpu_tables_model(struct wn_gpu_tables *t, const struct wn_model *model,
                        const struct wn_model **out);
void wn_gpu_tables_free(struct wn_gpu *g, struct wn_gpu_tables *t);

#endif
