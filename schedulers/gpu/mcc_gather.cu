/* schedulers/gpu/mcc_gather.cu - see mcc_gather.cuh. */
#include "physics/rng.h" /* before any other header of cuRAND */
#include "schedulers/gpu/mcc_gather.cuh"
#include "device/tiles.cuh"
#include "physics/mcc.h"
#include "schedulers/gpu/gather.cuh"

enum { ALL, NEWBORNS };

/* Each thread handles one electron after the other.  Reads 64 bytes, and E from the
 * second-level cache; writes 32.  Limit: memory bandwidth. */
template <int what, int dim, int shape, int gather>
static __global__ void gather_kernel(const __grid_constant__ struct wn_mcc_grid grid,
                                     struct wn_electron *e, size_t n)
{
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
       i += (size_t)gridDim.x * blockDim.x) {
    struct wn_electron own;
    const uint4 *from = (const uint4 *)&e[i];
    uint4 *to = (uint4 *)&own;
#pragma unroll
    for (int k = 0; k < 4; k++)
      to[k] = from[k];
    if (own.t_left < 0.0f)
      continue;
    const float part =
        what == NEWBORNS ? own.a[0] : 1.0f; /* start_newborns of the model */
    wn_gpu_gather_electron<dim, shape, gather>(grid, part, own);
    own.t_left = part;
    for (int k = 0; k < 3; k++)
      e[i].a[k] = own.a[k];
    e[i].t_left = own.t_left;
  }
}

template <int what>
static int launch(struct wn_gpu *g, const struct wn_model *model, struct wn_particles *p,
                  size_t first)
{
  const struct wn_mcc *m = (const struct wn_mcc *)model->data;
  const struct wn_gpu_store *t = wn_gpu_store_of(g, p);
  const size_t n = p->n - first;
  if (n == 0)
    return WN_OK;
  if (t == NULL || p->place == WN_PARTICLES_HOST)
    return WN_FAIL(WN_EINTERN, "the electrons are not on the GPU");
  WN_TRY(wn_gpu_use(g));
  struct wn_electron *e = (struct wn_electron *)wn_gpu_records(t) + first;
  WN_TRY(wn_gpu_for_grid(&m->grid.points.grid, [&](auto dim, auto shape, auto gather) {
    gather_kernel<what, decltype(dim)::is, decltype(shape)::is, decltype(gather)::is>
        <<<wn_gpu_stride_blocks(g, n), WN_GPU_STRIDE_BLOCK, 0, g->stream>>>(m->grid, e,
                                                                            n);
    return wn_gpu_check((int)cudaGetLastError(), "what electrons feel");
  }));
  p->place = WN_PARTICLES_REMOTE;
  return WN_OK;
}

int wn_gpu_mcc_gather(struct wn_gpu *g, const struct wn_model *model,
                      struct wn_particles *p)
{
  return launch<ALL>(g, model, p, 0);
}

int wn_gpu_mcc_start_newborns(struct wn_gpu *g, const struct wn_model *model,
                              struct wn_particles *p, size_t first)
{
  return launch<NEWBORNS>(g, model, p, first);
}
