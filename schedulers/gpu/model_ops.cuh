/* schedulers/gpu/model_ops.cuh - the passes of a model on a GPU, called by a phase (gpu_scheduler.cu)
 * and by the schedulers.  One .cu a model defines one of these, and the ops of the model name
 * it (schedulers/model.h).  NULL: the model has no such pass. */
#ifndef WN_SCHEDULERS_GPU_MODEL_OPS_CUH
#define WN_SCHEDULERS_GPU_MODEL_OPS_CUH
#include "schedulers/gpu/gpu_scheduler.cuh"

struct wn_gpu_model {
  /* For records without t_left, which have none of the members below: their store, and a
   * whole phase in blocks of `block` threads (0: the default) */
  int (*hold)(struct wn_gpu *g, const struct wn_model *model, struct wn_particles *p);
  int (*advance)(struct wn_gpu *g, unsigned int block, const struct wn_model *model,
                 struct wn_particles *p, struct wn_tally *tally);
  int in_tiles; /* its data is struct wn_points: scheduler `tiles` can move them */
  /* The beginning of a phase sets the field in the records and the steps to go; wake does so
   * for newborns that wait, from `first` on.  model: on the host. */
  int (*gather)(struct wn_scheduler *s, const struct wn_model *model,
                struct wn_particles *p);
  int (*start_newborns)(struct wn_gpu *g, const struct wn_model *model,
                        struct wn_particles *p, size_t first);
  /* Whether a phase runs in the passes of collision_free.cuh; is_wanted: they are preferred where
   * there is another way.  model: on the host.  quiet: that phase; model: with device
   * pointers, as in the members below. */
  int (*is_collision_free)(const struct wn_model *model, int is_wanted);
  int (*collision_free)(struct wn_scheduler *s, const struct wn_model *model,
                        const struct wn_gpu_launch *l, struct wn_gpu_store *t, size_t n);
  /* The grid by whose tiles the particles are sorted for these passes; NULL: none. */
  const struct wn_grid_view *(*grid)(const struct wn_model *model);
  /* For scheduler `dynamic`: run and near of struct wn_gpu_kind */
  int (*dynamic)(struct wn_scheduler *s, const struct wn_model *model,
                 const struct wn_gpu_launch *l, unsigned long long n);
  int (*near)(const struct wn_model *model);
};

/* For gather of records with t_left.  One thread = one after the other.  split-remove: reads
 * 24 bytes and six cells, writes 16 bytes an electron; the others write 4 bytes, in sectors
 * of 32.  Limit: memory. */
template <class M>
static __global__ void wn_gpu_gather_kernel(const __grid_constant__ typename M::Args args,
                                            typename M::Record *e, size_t n, float steps)
{
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
       i += (size_t)gridDim.x * blockDim.x) {
    M::gather(args, e[i]);
    e[i].t_left = steps;
  }
}

template <class M>
static int wn_gpu_gather(struct wn_scheduler *s, const struct wn_model *model,
                         struct wn_particles *p)
{
  static_assert(sizeof(typename M::Record) % 16 == 0, "moved in words of 16 bytes");
  const struct wn_gpu *g = s->gpu;
  const struct wn_model *on_device;
  void *records;
  WN_TRY(wn_gpu_begin_records(s, model, p, &on_device, &records));
  wn_gpu_gather_kernel<M>
      <<<wn_gpu_stride_blocks(g, p->n), WN_GPU_STRIDE_BLOCK, 0, g->stream>>>(
          *(const typename M::Args *)on_device->data, (typename M::Record *)records, p->n,
          (float)model->steps);
  return wn_gpu_check((int)cudaGetLastError(), "beginning of a phase");
}

#endif
