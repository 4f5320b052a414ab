/* schedulers/gpu/gather.cuh - gather of E from the nodes of a grid (physics/shape.h) by
 * vector loads, all components of a node at a time: the operations of wn_grid_gather with
 * the momentum-conserving scheme, or from nested grids, in the same order. */
#ifndef WN_SCHEDULERS_GPU_GATHER_CUH
#define WN_SCHEDULERS_GPU_GATHER_CUH
#include "device/tiles.cuh" /* wn_gpu_int */
#include "physics/mcc_grid.h"
#include "physics/shape.h"

/* get(i, j, k, e): the components of the node i, j, k after the first along each axis; f:
 * wn_spline_part along each axis.  Interpolates along z, then y, then x. */
template <int dim, int shape, class Get>
static __device__ __forceinline__ void wn_gpu_gather_nodes(Get get, const float f[3],
                                                           float e[3])
{
  constexpr int n = shape + 1, n_y = dim > 1 ? n : 1, n_z = dim > 2 ? n : 1;
  float row[3][dim];
#pragma unroll
  for (int i = 0; i < n; i++) {
    float column[3][dim];
#pragma unroll
    for (int j = 0; j < n_y; j++) {
      float pole[3][dim];
#pragma unroll
      for (int k = 0; k < n_z; k++)
        get(i, j, k, pole[k]);
#pragma unroll
      for (int c = 0; c < dim; c++) {
        const float along[3] = {pole[0][c], n_z > 1 ? pole[1][c] : 0.0f,
                                n_z > 2 ? pole[2][c] : 0.0f};
        column[j][c] = dim > 2 ? wn_spline_mean(shape, f[2], along) : along[0];
      }
    }
#pragma unroll
    for (int c = 0; c < dim; c++) {
      const float along[3] = {column[0][c], n_y > 1 ? column[1][c] : 0.0f,
                              n_y > 2 ? column[2][c] : 0.0f};
      row[i][c] = dim > 1 ? wn_spline_mean(shape, f[1], along) : along[0];
    }
  }
#pragma unroll
  for (int c = 0; c < dim; c++) {
    const float along[3] = {row[0][c], n > 1 ? row[1][c] : 0.0f,
                            n > 2 ? row[2][c] : 0.0f};
    e[c] = wn_spline_mean(shape, f[0], along);
  }
}

/* The same from memory, `step` apart along each axis, E with `dim` components a node, 4 where dim is 3. */
template <int dim, int shape>
static __device__ __forceinline__ void
wn_gpu_gather_memory(const float *from, const int32_t step[3], int32_t first,
                     const float f[3], float e[3])
{
  wn_gpu_gather_nodes<dim, shape>(
      [&](int i, int j, int k, float of[dim]) {
        const int64_t at =
            first + i + (dim > 1 ? j * step[1] : 0) + (dim > 2 ? k * step[2] : 0);
        if (dim == 1) {
          of[0] = __ldg(&from[at]);
        } else if (dim == 2) {
          const float2 v = __ldg((const float2 *)from + at);
          of[0] = v.x;
          of[dim - 1] = v.y;
        } else {
          const float4 v = __ldg((const float4 *)from + at);
          of[0] = v.x;
          of[1 % dim] = v.y;
          of[dim - 1] = v.z;
        }
      },
      f, e);
}

template <int dim, int shape>
static __device__ __forceinline__ void
wn_gpu_gather_grid(const struct wn_grid_view &g, const int32_t cell[3],
                   const uint32_t part[3], float e[3])
{
  const int order[3] = {shape, shape, shape};
  float f[3];
  const int32_t first = wn_grid_stencil(&g, dim, order, -1, cell, part, f);
  wn_gpu_gather_memory<dim, shape>(g.e, g.step, first, f, e);
}

/* The sum over the nested grids.  They are `dim` at most. */
template <int dim, int shape>
static __device__ __forceinline__ void
wn_gpu_gather_nested(const struct wn_grid_view &g, const int32_t cell[3],
                     const uint32_t part[3], float e[3])
{
#pragma unroll
  for (int c = 0; c < dim; c++)
    e[c] = 0.0f;
#pragma unroll
  for (int i = 0; i < dim; i++)
    if (i < g.n_nested) {
      int32_t at[3], first = g.nested[i].first;
      uint32_t within[3];
      float f[3], of[3];
      wn_grid_nested_place(&g, dim, i, cell, part, at, within);
#pragma unroll
      for (int d = 0; d < dim; d++) {
        first += wn_spline_first(shape, 0, at[d], within[d]) * g.nested[i].step[d];
        f[d] = wn_spline_part(shape, 0, within[d]);
      }
      wn_gpu_gather_memory<dim, shape>(g.e, g.nested[i].step, first, f, of);
#pragma unroll
      for (int c = 0; c < dim; c++)
        e[c] += of[c];
    }
}

/* By one of enum wn_gather. */
template <int dim, int shape, int gather>
static __device__ __forceinline__ void wn_gpu_gather(const struct wn_grid_view &g,
                                                     const int32_t cell[3],
                                                     const uint32_t part[3], float e[3])
{
  if (gather == WN_GATHER_MOMENTUM)
    wn_gpu_gather_grid<dim, shape>(g, cell, part, e);
  else if (gather == WN_GATHER_NESTED)
    wn_gpu_gather_nested<dim, shape>(g, cell, part, e);
  else
    wn_grid_gather(&g, dim, shape, gather, cell, part, e);
}

/* E at the middle of the path of an electron or ion in a grid, in `part` of a mobility step, to its record:
 * wn_mcc_grid_feel. */
template <int dim, int shape, int gather>
static __device__ __forceinline__ void
wn_gpu_gather_electron(const struct wn_mcc_grid &grid, float part, struct wn_electron &e)
{
  const struct wn_mcc_grid_middle m = wn_mcc_grid_middle(&grid, dim, part, &e);
  float field[3] = {0.0f, 0.0f, 0.0f};
  wn_gpu_gather<dim, shape, gather>(grid.points.grid, m.cell, m.within, field);
  wn_mcc_grid_keep(&grid, &m, dim, field, &e);
}

/* For launches: call f(dim, shape, gather), each a wn_gpu_int.  In r-z those of r-z alone. */
template <class F> static int wn_gpu_for_grid(const struct wn_grid_view *g, F f)
{
  wn_gpu_int<WN_SHAPE_NGP> ngp;
  wn_gpu_int<WN_SHAPE_CIC> cic;
  if constexpr (WN_RADIAL_KERNELS)
    return g->shape == WN_SHAPE_NGP
               ? f(wn_gpu_int<2>(), ngp, wn_gpu_int<WN_GATHER_MOMENTUM>())
           : g->gather == WN_GATHER_ENERGY
               ? f(wn_gpu_int<2>(), cic, wn_gpu_int<WN_GATHER_ENERGY>())
               : f(wn_gpu_int<2>(), cic, wn_gpu_int<WN_GATHER_MOMENTUM>());
  const auto of_dim = [&](auto dim) {
    wn_gpu_int<WN_GATHER_MOMENTUM> nodes;
    wn_gpu_int<WN_GATHER_ENERGY> between;
    const bool energy = g->gather == WN_GATHER_ENERGY;
    if constexpr (decltype(dim)::is > 1) /* linear shapes alone */
      if (g->gather == WN_GATHER_NESTED)
        return f(dim, wn_gpu_int<WN_SHAPE_CIC>(), wn_gpu_int<WN_GATHER_NESTED>());
    switch (g->shape) {
    case WN_SHAPE_NGP:
      return f(dim, wn_gpu_int<WN_SHAPE_NGP>(), nodes);
    case WN_SHAPE_CIC:
      return energy ? f(dim, wn_gpu_int<WN_SHAPE_CIC>(), between)
                    : f(dim, wn_gpu_int<WN_SHAPE_CIC>(), nodes);
    default:
      return energy ? f(dim, wn_gpu_int<WN_SHAPE_TSC>(), between)
                    : f(dim, wn_gpu_int<WN_SHAPE_TSC>(), nodes);
    }
  };
  return g->dim == 1   ? of_dim(wn_gpu_int<1>())
         : g->dim == 2 ? of_dim(wn_gpu_int<2>())
                       : of_dim(wn_gpu_int<3>());
}

#endif
