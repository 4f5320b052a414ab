/* device/tiles.cuh - the order of points (physics/mover.h) on the device by tiles of
 * cells: the points of a tile are contiguous, so that a block that handles some of them
 * has E and charge of the tile in shared memory.
 *
 * The tile of a point is that of its place at the middle of the next step, where it takes
 * E and deposits its charge.  Reordering happens from time to time, and the order is
 * approximate in between: points that have left their tile use its halo, or the grid
 * itself. */
#ifndef WN_DEVICE_TILES_CUH
#define WN_DEVICE_TILES_CUH
#include "device/device.cuh"
#include "physics/mover.h"

/* A tile has 2^bits[d] cells along each axis; the last ones may extend beyond the
 * grid. */
struct wn_gpu_tiling {
  int32_t bits[3], tiles[3]; /* tiles along each axis, 1 beyond dim */
  uint32_t n;                /* tiles */
};

/* Points [first, first + n) of a tile: the work of one block. */
struct wn_gpu_chunk {
  unsigned long long first;
  unsigned int n, tile;
};

#define WN_GPU_TILES_STEPS 2 /* by which the host may be ahead */

/* The order of a store.  Points that came since lie behind the n, in any order. */
struct wn_gpu_tiles {
  struct wn_gpu_tiling tiling;
  size_t n;                   /* points when the order was made; 0: there is none */
  unsigned int age;           /* steps since then */
  unsigned int n_chunks;      /* upper bound: superfluous chunks have no points */
  size_t room;                /* chunks for which there is memory */
  struct wn_gpu_chunk *chunk; /* [room] */
  unsigned int *count;        /* [tiling.n] points of each tile at their next places */
  unsigned long long *cursor; /* [tiling.n] */
  int is_counted;             /* count is that of the next order, which is due */
  /* points that an earlier step found beyond the halo of their tile; read without a
   * wait */
  unsigned long long *host_strays;
  cudaEvent_t done[WN_GPU_TILES_STEPS]; /* the last steps */
};

/* Parameters: cells of a tile (powers of two; 0: the best for dim), points of a chunk (0:
 * as many as fill the device). */
struct wn_gpu_tile_options {
  int32_t cells[3];
  unsigned int chunk;
};

/* Method to find the new places: a count by tiles and one pass; or CUB's sort of the tile
 * numbers, then a pass, which keeps the order within a tile. */
enum wn_gpu_sort_method { WN_GPU_SORT_COUNTING, WN_GPU_SORT_RADIX };

/* Order the points of a store.  Dead points are dropped, `dead` in number, so that p->n
 * decreases.  m: prepared, with the dt of the next step.  Without a wait.  WN_EINPUT:
 * tiles that are no powers of two; WN_ENOMEM. */
int wn_gpu_tiles_sort(struct wn_gpu_store *t, struct wn_particles *p,
                      const struct wn_points *m, const struct wn_gpu_tile_options *order,
                      enum wn_gpu_sort_method way, size_t dead);
void wn_gpu_tiles_free(struct wn_gpu *g, struct wn_gpu_tiles *tiles);

/* Points [first, p->n) are new behind the order: they are counted for the next one, if the others are. */
int wn_gpu_tiles_join(struct wn_gpu_store *t, const struct wn_particles *p,
                      const struct wn_points *m, size_t first);

/* ---- for kernels */

template <int kind> struct wn_gpu_point_kind {
  static constexpr int dim = kind == WN_POINT_1D3V ? 1 : kind == WN_POINT_3D3V ? 3 : 2;
  static constexpr int n_v = kind == WN_POINT_2D2V ? 2 : 3;
  static constexpr int vectors = dim + n_v > 4 ? 2 : 1; /* of 16 bytes */
};

/* A record in registers. */
template <int kind> struct wn_gpu_point {
  union {
    uint4 vector[wn_gpu_point_kind<kind>::vectors];
    union wn_word word[4 * wn_gpu_point_kind<kind>::vectors];
  };
};

/* Read and written once per step: bypasses the caches. */
template <int kind>
static __device__ __forceinline__ struct wn_gpu_point<kind>
wn_gpu_point_read(const void *records, unsigned long long i) {
  constexpr int vectors = wn_gpu_point_kind<kind>::vectors;
  struct wn_gpu_point<kind> r;
#pragma unroll
  for (int k = 0; k < vectors; k++)
    r.vector[k] = __ldcs((const uint4 *)records + vectors * i + k);
  return r;
}

template <int kind>
static __device__ __forceinline__ void
wn_gpu_point_write(void *records, unsigned long long i,
                   const struct wn_gpu_point<kind> &r)
{
  constexpr int vectors = wn_gpu_point_kind<kind>::vectors;
#pragma unroll
  for (int k = 0; k < vectors; k++)
    __stcs((uint4 *)records + vectors * i + k, r.vector[k]);
}

/* The same by all lanes of a warp; each says whether it writes.  Lanes that are 16 apart
 * write the halves of one record of 32 bytes together, then those of the other: a half of
 * a sector costs the level-2 cache as much as a whole one.  low, high: the places of the
 * records of the lower and the upper of the two lanes, in both lanes. */
template <int kind>
static __device__ __forceinline__ void
wn_gpu_point_write_pair(void *records, unsigned long long low, unsigned long long high,
                        const struct wn_gpu_point<kind> &r, bool writes)
{
  constexpr int vectors = wn_gpu_point_kind<kind>::vectors;
  const unsigned int all = 0xffffffffu, lane = threadIdx.x % 32;
  const bool is_high = lane >= 16;
  if (vectors == 1) {
    if (writes)
      wn_gpu_point_write<kind>(records, is_high ? high : low, r);
    return;
  }
  const unsigned int writers = __ballot_sync(all, writes) >> lane % 16;
  const uint4 first = r.vector[0], second = r.vector[vectors - 1],
              give = is_high ? first : second;
  const uint4 got = {__shfl_xor_sync(all, give.x, 16), __shfl_xor_sync(all, give.y, 16),
                     __shfl_xor_sync(all, give.z, 16), __shfl_xor_sync(all, give.w, 16)};
  uint4 *to = (uint4 *)records + is_high;
  if ((writers & 1u) != 0)
    __stcs(to + 2 * low, is_high ? got : first);
  if ((writers >> 16 & 1u) != 0)
    __stcs(to + 2 * high, is_high ? second : got);
}

/* Place of a point at the middle of the next step.  Returns -1, or the side that it is
 * then beyond; cell and part are then those of its present place. */
template <int kind, bool simple = false>
static __device__ __forceinline__ int
wn_gpu_point_ahead(const struct wn_points &m, const int32_t x[3], const float u[3],
                   int32_t cell[3], uint32_t part[3])
{
  constexpr int dim = wn_gpu_point_kind<kind>::dim, n_v = wn_gpu_point_kind<kind>::n_v;
  int32_t to[3] = {x[0], x[1], x[2]};
  float with[3] = {u[0], u[1], u[2]};
  const int side = !simple && m.relativistic ? wn_point_drift(&m, dim, n_v, 1, to, with)
                                             : wn_point_drift(&m, dim, n_v, 0, to, with);
#pragma unroll
  for (int d = 0; d < dim; d++) /* a choice of pointers would force x into memory */
    to[d] = side < 0 ? to[d] : x[d];
  wn_point_place(&m, dim, to, cell, part);
  return side;
}

template <int dim>
static __device__ __forceinline__ uint32_t wn_gpu_tile_of(const struct wn_gpu_tiling &t,
                                                          const int32_t cell[3])
{
  uint32_t tile = 0;
#pragma unroll
  for (int d = dim - 1; d >= 0; d--) {
    const int32_t at = cell[d] >> t.bits[d];
    tile =
        tile * (uint32_t)t.tiles[d] + (uint32_t)(at < t.tiles[d] ? at : t.tiles[d] - 1);
  }
  return tile;
}

/* The tile of a living point. */
template <int kind>
static __device__ __forceinline__ uint32_t
wn_gpu_tile_of_point(const struct wn_points &m, const struct wn_gpu_tiling &tiling,
                     const struct wn_gpu_point<kind> &r)
{
  typedef wn_gpu_point_kind<kind> K;
  int32_t x[3], cell[3];
  uint32_t part[3];
  float u[3], w;
  wn_point_load(K::dim, K::n_v, r.word, x, u, &w);
  wn_gpu_point_ahead<kind>(m, x, u, cell, part);
  return wn_gpu_tile_of<K::dim>(tiling, cell);
}

/* Call f(std::integral_constant<int, kind>) for a kind of points. */
template <int value> struct wn_gpu_int {
  static constexpr int is = value;
};

template <class F> static int wn_gpu_for_kind(int kind, F f)
{
  switch (kind) {
  case WN_POINT_1D3V:
    return f(wn_gpu_int<WN_POINT_1D3V>());
  case WN_POINT_2D2V:
    return f(wn_gpu_int<WN_POINT_2D2V>());
  case WN_POINT_2D3V:
    return f(wn_gpu_int<WN_POINT_2D3V>());
  default:
    return f(wn_gpu_int<WN_POINT_3D3V>());
  }
}

#endif
