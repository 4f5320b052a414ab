/* schedulers/gpu/model_ops.cuh - what a model brings that runs on a GPU: the passes that a
 * phase (phase.cu) and the schedulers ask for.  One .cu a model fills one of these in, and
 * the ops of the model name it (schedulers/model.h).  NULL: the model has no such pass. */
#ifndef WN_SCHEDULERS_GPU_MODEL_OPS_CUH
#define WN_SCHEDULERS_GPU_MODEL_OPS_CUH
#include "schedulers/gpu/phase.cuh"

struct wn_gpu_model {
  /* Of records without t_left, which have nothing of what follows: their store, and a whole
   * phase of them, one of `block` threads each (0: its choice) */
  int (*hold)(struct wn_gpu *g, const struct wn_model *model, struct wn_particles *p);
  int (*advance)(struct wn_gpu *g, unsigned int block, const struct wn_model *model,
                 struct wn_particles *p, struct wn_tally *tally);
  int in_tiles; /* its data is struct wn_points: scheduler `tiles` takes them, too */
  /* The beginning of a phase: what they hold of the field, and the steps before them; and of
   * newborns that wait, from `first` on.  model: on the host. */
  int (*gather)(struct wn_scheduler *s, const struct wn_model *model,
                struct wn_particles *p);
  int (*wake)(struct wn_gpu *g, const struct wn_model *model, struct wn_particles *p,
              size_t first);
  /* Is a phase of them flown in passes of its own (quiet.cuh), if that is wanted where there
   * is another way?  model: on the host.  And that phase; model: with device pointers, from
   * here on. */
  int (*is_quiet)(const struct wn_model *model, int is_wanted);
  int (*quiet)(struct wn_scheduler *s, const struct wn_model *model,
               const struct wn_gpu_launch *l, struct wn_gpu_store *t, size_t n);
  /* The grid whose tiles put them in order for that; NULL: there is none. */
  const struct wn_grid_view *(*grid)(const struct wn_model *model);
  /* Of scheduler `dynamic`: run and near of struct wn_gpu_kind */
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
