/* schedulers/gpu/model_ops.cuh - GPU functions of a model, called by the common host side
 * (gpu_scheduler.cu) and by the schedulers.  Each model defines one such struct in one
 * .cu, and its ops refer to it (schedulers/model.h).  NULL: the model has no such
 * function. */
#ifndef WN_SCHEDULERS_GPU_MODEL_OPS_CUH
#define WN_SCHEDULERS_GPU_MODEL_OPS_CUH
#include "schedulers/gpu/gpu_scheduler.cuh"

struct wn_gpu_model {
  /* For records without t_left, which use none of the members below: allocation of their
   * store, and a whole step in blocks of `block` threads (0: default) */
  int (*hold)(struct wn_gpu *g, const struct wn_model *model, struct wn_particles *p);
  int (*advance)(struct wn_gpu *g, unsigned int block, const struct wn_model *model,
                 struct wn_particles *p, struct wn_tally *tally);
  /* For scheduler `tiles`, of a model whose data begins with struct wn_points: a step of particles in the order of
   * tiles of the store; deaths: particles that it now has no longer.  NULL: not supported.
   * order_steps: after so many a new order pays, whatever strays it counts.  leaves_charge: the data is struct wn_points, and where the field takes charge from the grid `tiles` moves the
   * particles itself */
  int (*move_in_order)(struct wn_gpu *g, const struct wn_model *model,
                       struct wn_particles *p, struct wn_tally *tally,
                       unsigned long long *deaths);
  unsigned int order_steps;
  int leaves_charge;
  /* gather: set the field in the records, and the mobility steps left; start_newborns:
   * the same for newborns from `first` on that were held back.  model: on the host. */
  int (*gather)(struct wn_scheduler *s, const struct wn_model *model,
                struct wn_particles *p);
  int (*start_newborns)(struct wn_gpu *g, const struct wn_model *model,
                        struct wn_particles *p, size_t first);
  /* is_collision_free: does a step use the collision-free pass (collision_free.cuh)?
   * is_wanted: it is preferred where both ways are possible.  model: on the host.
   * collision_free: this pass; model: with device pointers, as in the members below. */
  int (*is_collision_free)(const struct wn_model *model, int is_wanted);
  int (*collision_free)(struct wn_scheduler *s, const struct wn_model *model,
                        const struct wn_gpu_launch *l, struct wn_gpu_store *t, size_t n);
  /* The grid by whose tiles particles are sorted for this pass; NULL: none. */
  const struct wn_grid_view *(*grid)(const struct wn_model *model);
  /* For scheduler `dynamic`: run and near of struct wn_gpu_kind */
  int (*dynamic)(struct wn_scheduler *s, const struct wn_model *model,
                 const struct wn_gpu_launch *l, unsigned long long n);
  int (*near)(const struct wn_model *model);
  /* What a launch notes in a list of the device, beside particles and sums.  begin_launch: before one that advances the first n records
   * of t.  end_launch: after it; *again: it was undone and has to be repeated, and nothing of it may be collected.  NULL: nothing.  model: on the
   * host. */
  int (*begin_launch)(const struct wn_model *model, struct wn_gpu_store *t, size_t n);
  int (*end_launch)(const struct wn_model *model, struct wn_gpu_store *t, size_t n,
                    int *again);
};

/* For gather of records with t_left.  Each thread handles one record after the other.
 * split-remove: reads 24 bytes and six cells, writes 16 bytes per electron; other models
 * write 4 bytes, in sectors of 32.  Limit: memory bandwidth. */
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
