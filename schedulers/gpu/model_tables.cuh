/* schedulers/gpu/model_tables.cuh - the data of a model with copies of its tables on the
 * device: schedulers/model.h, ops->tables. */
#ifndef WN_SCHEDULERS_GPU_MODEL_TABLES_CUH
#define WN_SCHEDULERS_GPU_MODEL_TABLES_CUH
#include <stdint.h>
#include "device/device.cuh"
#include "schedulers/model.h"

/* A table on the host as it was when it was copied, and the copy. */
struct wn_gpu_table {
  const void *host;
  size_t member, bytes; /* struct wn_model_table */
  uint64_t print[2];    /* of the contents, when they are watched */
  void *device;
};

struct wn_gpu_tables {
  const void *data; /* of the model whose they are; NULL: nobody's */
  int n;
  struct wn_gpu_table table[WN_MODEL_TABLES];
  int is_new;            /* they were looked at for this phase */
  void *args;            /* the data with device pointers in place, */
  size_t args_bytes;     /* so many bytes */
  struct wn_model model; /* the same as a model */
};

/* Up to so many bytes the contents of a table are looked at in each phase, and a change
 * is seen: bench/schedulers fills those of split-remove anew in place, 342 KB (8 us on
 * one core of 2.5 GHz, 2026-11-22).  A larger one is taken to be the same as long as its
 * address, its size and all smaller tables of the model are. */
#define WN_GPU_WATCHED ((size_t)512 << 10)

/* Copy the tables of *model to the device where they have changed.  Waits for the copies,
 * if any. */
int wn_gpu_tables_update(struct wn_gpu *g, struct wn_gpu_tables *t,
                         const struct wn_model *model);
/* *out: the model as it is now, with device pointers; good until the next call. */
int wn_gpu_tables_model(struct wn_gpu_tables *t, const struct wn_model *model,
                        const struct wn_model **out);
void wn_gpu_tables_free(struct wn_gpu *g, struct wn_gpu_tables *t);

#endif
