/* device/weight_limits.cu - the greatest weights of macroparticles in the cells of a grid, on the device, where
 * merging.cu needs them: gpu.h, physics/weight_limit.h. */
#include "physics/weight_limit.h"
#include "device/device.cuh"
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"

struct wn_gpu_weight_limits {
  struct wn_gpu *gpu;
  struct wn_weight_rule is; /* its lists are on the device */
  size_t cells, nodes;
  struct wn_gpu_copy by_place, lists;
  float *most;   /* [cells] */
  float *square; /* [nodes]; NULL: the field does not matter */
  double *
      component; /* [nodes], of a field whose E comes from the host; NULL: none came yet */
  unsigned int
      *least; /* the bits of the least limit: those of positive floats have their order */
};

/* One thread = one node at a time.  Reads 8 to 12 bytes, writes 4. */
static __global__ void square_kernel(size_t n, int is_first, const double *component,
                                     float *square)
{
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
       i += (size_t)gridDim.x * blockDim.x)
    square[i] = wn_weight_square(is_first ? 0.0f : square[i], component[i]);
}

/* One thread = one cell at a time.  Reads 4 bytes, and the squares at its nodes, writes 4. */
static __global__ void limits_kernel(const __grid_constant__ struct wn_weight_rule is,
                                     size_t n, const float *by_place, const float *square,
                                     float *most, unsigned int *least)
{
  unsigned int here = 0xffffffffu;
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
       i += (size_t)gridDim.x * blockDim.x) {
    const float limit = wn_weight_limit_of(&is, by_place[i], square, i);
    const unsigned int bits = __float_as_uint(limit);
    most[i] = limit;
    here = bits < here ? bits : here;
  }
  for (int offset = 16; offset > 0; offset /= 2) {
    const unsigned int other = __shfl_down_sync(0xffffffffu, here, offset);
    here = other < here ? other : here;
  }
  if (threadIdx.x % 32 == 0)
    atomicMin(least, here);
}

int wn_gpu_weight_limits_create(struct wn_gpu *g, const struct wn_weight_rule *is,
                                const float *by_place, struct wn_gpu_weight_limits **out)
{
  struct wn_gpu_weight_limits *l = (struct wn_gpu_weight_limits *)wn_alloc(1, sizeof *l);
  double *lists = (double *)wn_alloc(2 * (size_t)is->n + 1, sizeof *lists);
  int status = l != NULL && lists != NULL ? wn_gpu_use(g) : WN_ENOMEM;
  if (status == WN_OK) {
    l->gpu = g;
    l->is = *is;
    l->cells = l->nodes = 1;
    for (uint32_t d = 0; d < is->dim; d++) {
      l->cells *= is->cells[d];
      l->nodes *= is->cells[d] + (size_t)1;
    }
    memcpy(lists, is->field, is->n * sizeof *lists);
    memcpy(lists + is->n, is->weight, is->n * sizeof *lists);
    status = wn_gpu_copy(g, lists, 2 * (size_t)is->n * sizeof *lists, &l->lists);
    l->is.field = (const double *)l->lists.at;
    l->is.weight = l->is.field + is->n;
  }
  if (status == WN_OK)
    status = wn_gpu_copy(g, by_place, l->cells * sizeof *by_place, &l->by_place);
  if (status == WN_OK)
    status = wn_gpu_array(g, "limits of weights", l->cells, &l->most);
  if (status == WN_OK)
    status = wn_gpu_array(g, "limits of weights", 1, &l->least);
  if (status == WN_OK && is->n > 0)
    status = wn_gpu_array(g, "limits of weights", l->nodes, &l->square);
  free(lists);
  if (status != WN_OK) {
    wn_gpu_weight_limits_free(l);
    return status;
  }
  *out = l;
  return WN_OK;
}

void wn_gpu_weight_limits_free(struct wn_gpu_weight_limits *l)
{
  if (l == NULL)
    return;
  struct wn_gpu *g = l->gpu;
  wn_gpu_copy_free(g, &l->by_place);
  wn_gpu_copy_free(g, &l->lists);
  if (g != NULL && wn_gpu_works(g)) {
    wn_gpu_release(g, l->most, l->cells * sizeof *l->most);
    wn_gpu_release(g, l->square, l->nodes * sizeof *l->square);
    wn_gpu_release(g, l->component, l->nodes * sizeof *l->component);
    wn_gpu_release(g, l->least, sizeof *l->least);
  }
  free(l);
}

/* A component that is on the host. */
static int bring(struct wn_gpu_weight_limits *l, const double *component)
{
  struct wn_gpu *g = l->gpu;
  if (l->component == NULL)
    WN_TRY(wn_gpu_array(g, "limits of weights", l->nodes, &l->component));
  return wn_gpu_check((int)cudaMemcpyAsync(l->component, component,
                                           l->nodes * sizeof *component,
                                           cudaMemcpyHostToDevice, g->stream),
                      "limits of weights");
}

int wn_gpu_weight_limits_field(struct wn_gpu_weight_limits *l, int axis,
                               const double *component, int is_on_host)
{
  const struct wn_gpu *g = l->gpu;
  WN_TRY(wn_gpu_use(g));
  if (is_on_host)
    WN_TRY(bring(l, component));
  square_kernel<<<wn_gpu_stride_blocks(g, l->nodes), WN_GPU_STRIDE_BLOCK, 0, g->stream>>>(
      l->nodes, axis == 0, is_on_host ? l->component : component, l->square);
  return wn_gpu_check((int)cudaGetLastError(), "limits of weights");
}

int wn_gpu_weight_limits_make(struct wn_gpu_weight_limits *l, float *least)
{
  struct wn_gpu *g = l->gpu;
  WN_TRY(wn_gpu_use(g));
  WN_TRY(wn_gpu_scratch_fit(g, sizeof *l->least));
  WN_TRY(wn_gpu_check((int)cudaMemsetAsync(l->least, 0xff, sizeof *l->least, g->stream),
                      "limits of weights"));
  limits_kernel<<<wn_gpu_stride_blocks(g, l->cells), WN_GPU_STRIDE_BLOCK, 0, g->stream>>>(
      l->is, l->cells, (const float *)l->by_place.at, l->square, l->most, l->least);
  WN_TRY(wn_gpu_check((int)cudaGetLastError(), "limits of weights"));
  WN_TRY(wn_gpu_check((int)cudaMemcpyAsync(g->host_scratch, l->least, sizeof *least,
                                           cudaMemcpyDeviceToHost, g->stream),
                      "limits of weights"));
  WN_TRY(wn_gpu_wait(g, "limits of weights"));
  memcpy(least, g->host_scratch, sizeof *least);
  return WN_OK;
}

const float *wn_gpu_weight_limits_cells(const struct wn_gpu_weight_limits *l)
{
  return l->most;
}
