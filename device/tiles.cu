/* device/tiles.cu - see tiles.cuh. */
#include "device/tiles.cuh"
#include <cub/block/block_scan.cuh>
#include <cub/device/device_radix_sort.cuh>
#include <stdlib.h>
#include "base/alloc.h"

#define SCAN_BLOCK 1024

/* The first reordering after a release also mixes the points of a tile.  Neighbours in
 * the store are then no neighbours in the tile, whose atomic additions would be
 * serialized.  Place k of a tile becomes k step mod n. */
struct shuffle {
  unsigned long long first;
  unsigned int n, step;
};

/* Default cells of a tile along each axis: bench/RESULTS.md. */
static const int32_t cells_of[3][3] = {{1024, 1, 1}, {16, 16, 1}, {8, 4, 4}};

/* Least number of points of a chunk, for which E and charge of a tile are loaded and
 * stored. */
#define LEAST_CHUNK 2048
/* Chunks for a multiprocessor, where tiles have that many points: it takes five at a time, and the last ones
 * should end together. */
#define CHUNKS 24

/* Points of each tile, by whole warps, whose lanes of a tile count together.  Reads a record each.  Limit: memory. */
template <int kind>
static __global__ void count_kernel(const __grid_constant__ struct wn_points m,
                                    const __grid_constant__ struct wn_gpu_tiling tiling,
                                    const void *records, size_t n, unsigned int *count)
{
  const unsigned int lane = threadIdx.x % 32;
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i - lane < n;
       i += (size_t)gridDim.x * blockDim.x) {
    const struct wn_gpu_point<kind> r =
        wn_gpu_point_read<kind>(records, i < n ? i : n - 1);
    const bool counts = i < n && r.word[0].i >= 0;
    const uint32_t tile = counts ? wn_gpu_tile_of_point<kind>(m, tiling, r) : tiling.n;
    const unsigned int same = __match_any_sync(0xffffffffu, tile);
    if (counts && lane == (unsigned int)__ffs((int)same) - 1)
      atomicAdd(&count[tile], (unsigned int)__popc(same));
  }
}

/* The greatest number below 0.618 n that is coprime to n; 1 for small n. */
static __device__ unsigned int shuffle_step(unsigned int n)
{
  for (unsigned int s = (unsigned int)(0.618 * n); s > 1; s--) {
    unsigned int a = n, b = s;
    while (b != 0) {
      const unsigned int rest = a % b;
      a = b;
      b = rest;
    }
    if (a == 1)
      return s;
  }
  return 1;
}

/* One block: the start of each tile, and its chunks, none larger than `most` and those of
 * a tile equally large; resets the counts to zero.  12 bytes per tile and 16 per
 * chunk. */
static __global__ void __launch_bounds__(SCAN_BLOCK)
    scan_kernel(const __grid_constant__ struct wn_gpu_tiling tiling, unsigned int most,
                unsigned int *count, unsigned long long *cursor, struct shuffle *shuffle,
                struct wn_gpu_chunk *chunk, unsigned int n_chunks)
{
  typedef cub::BlockScan<unsigned long long, SCAN_BLOCK> Scan;
  __shared__ typename Scan::TempStorage storage;
  unsigned long long first = 0, made = 0;
  for (uint32_t base = 0; base < tiling.n; base += SCAN_BLOCK) {
    const uint32_t tile = base + threadIdx.x;
    const unsigned int n = tile < tiling.n ? count[tile] : 0;
    const unsigned int parts = (n + most - 1) / most;
    unsigned long long at, at_chunk, all, all_chunks;
    Scan(storage).ExclusiveSum((unsigned long long)n, at, all);
    __syncthreads();
    Scan(storage).ExclusiveSum((unsigned long long)parts, at_chunk, all_chunks);
    __syncthreads();
    if (tile < tiling.n) {
      cursor[tile] = first + at;
      count[tile] = 0;
      if (shuffle != NULL)
        shuffle[tile] = {first + at, n, shuffle_step(n)};
    }
    for (unsigned int k = 0; k < parts; k++) {
      const unsigned int from = (unsigned int)((unsigned long long)n * k / parts),
                         to = (unsigned int)((unsigned long long)n * (k + 1) / parts);
      chunk[made + at_chunk + k] = {first + at + from, to - from, tile};
    }
    first += all;
    made += all_chunks;
  }
  for (unsigned long long k = made + threadIdx.x; k < n_chunks; k += SCAN_BLOCK)
    chunk[k] = {0, 0, 0};
}

/* Move every point to its tile in `to`, by whole warps.  Reads and writes a record each;
 * the lanes of a tile get their places by one atomic.  Limit: memory. */
template <int kind>
static __global__ void move_kernel(const __grid_constant__ struct wn_points m,
                                   const __grid_constant__ struct wn_gpu_tiling tiling,
                                   const void *from, size_t n, unsigned long long *cursor,
                                   const struct shuffle *shuffle, void *to, size_t room)
{
  const unsigned int all = 0xffffffffu, lane = threadIdx.x % 32;
  const size_t threads = (size_t)gridDim.x * blockDim.x;
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i - lane < n;
       i += threads) {
    const struct wn_gpu_point<kind> r = wn_gpu_point_read<kind>(from, i < n ? i : n - 1);
    const bool moves = i < n && r.word[0].i >= 0;
    const uint32_t tile = moves ? wn_gpu_tile_of_point<kind>(m, tiling, r) : tiling.n;
    const unsigned int same = __match_any_sync(all, tile);
    const unsigned int leader = (unsigned int)__ffs((int)same) - 1;
    unsigned long long at = 0;
    if (lane == leader && moves)
      at = atomicAdd(&cursor[tile], (unsigned long long)__popc(same));
    at = __shfl_sync(all, at, (int)leader) + __popc(same & ((1u << lane) - 1u));
    if (shuffle != NULL && moves) {
      const struct shuffle s = shuffle[tile];
      at = s.first + (at - s.first) * s.step % s.n;
    }
    const unsigned long long other = __shfl_xor_sync(all, at, 16);
    wn_gpu_point_write_pair<kind>(to, lane < 16 ? at : other, lane < 16 ? other : at, r,
                                  moves && at < room);
  }
}

/* ---- by CUB's sort */

/* The tile of each point; dead points sort behind all others. */
template <int kind>
static __global__ void keys_kernel(const __grid_constant__ struct wn_points m,
                                   const __grid_constant__ struct wn_gpu_tiling tiling,
                                   const void *records, size_t n, uint32_t *key,
                                   uint32_t *place)
{
  typedef wn_gpu_point_kind<kind> K;
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
       i += (size_t)gridDim.x * blockDim.x) {
    const struct wn_gpu_point<kind> r = wn_gpu_point_read<kind>(records, i);
    int32_t x[3], cell[3];
    uint32_t part[3];
    float u[3], w;
    wn_point_load(K::dim, K::n_v, r.word, x, u, &w);
    if (x[0] >= 0)
      wn_gpu_point_ahead<kind>(m, x, u, cell, part);
    key[i] = x[0] < 0 ? tiling.n : wn_gpu_tile_of<K::dim>(tiling, cell);
    place[i] = (uint32_t)i;
  }
}

static __global__ void permute_kernel(const uint4 *from, const uint32_t *place, size_t n,
                                      int vectors, uint4 *to)
{
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n * vectors;
       i += (size_t)gridDim.x * blockDim.x)
    to[i] = from[(size_t)place[i / vectors] * vectors + i % vectors];
}

static int by_sort(struct wn_gpu_store *t, size_t n, size_t n_alive, int kind,
                   const struct wn_points *m, void *to)
{
  struct wn_gpu *g = t->gpu;
  const struct wn_gpu_tiling tiling = t->tiles->tiling;
  const unsigned int blocks = wn_gpu_stride_blocks(g, n);
  int bits = 1;
  size_t bytes = 0;
  while (tiling.n >> bits != 0)
    bits++;
  cub::DoubleBuffer<uint32_t> key(NULL, NULL), place(NULL, NULL);
  WN_TRY(wn_gpu_check((int)cub::DeviceRadixSort::SortPairs(
                          NULL, bytes, key, place, (int64_t)n, 0, bits, g->stream),
                      "order by tiles"));
  const size_t list = wn_gpu_round(n * sizeof(uint32_t), WN_GPU_ALIGN);
  unsigned char *memory = NULL;
  WN_TRY(wn_gpu_array(g, "order by tiles", 4 * list + bytes, &memory));
  key = cub::DoubleBuffer<uint32_t>((uint32_t *)(void *)memory,
                                    (uint32_t *)(void *)(memory + list));
  place = cub::DoubleBuffer<uint32_t>((uint32_t *)(void *)(memory + 2 * list),
                                      (uint32_t *)(void *)(memory + 3 * list));
  int status = wn_gpu_for_kind(kind, [&](auto k) {
    keys_kernel<decltype(k)::is><<<blocks, WN_GPU_STRIDE_BLOCK, 0, g->stream>>>(
        *m, tiling, wn_gpu_records(t), n, key.Current(), place.Current());
    return wn_gpu_check((int)cudaGetLastError(), "order by tiles");
  });
  if (status == WN_OK)
    status = wn_gpu_check((int)cub::DeviceRadixSort::SortPairs(memory + 4 * list, bytes,
                                                               key, place, (int64_t)n, 0,
                                                               bits, g->stream),
                          "order by tiles");
  if (status == WN_OK) {
    permute_kernel<<<blocks, WN_GPU_STRIDE_BLOCK, 0, g->stream>>>(
        (const uint4 *)wn_gpu_records(t), place.Current(), n_alive,
        (int)(t->record.bytes / sizeof(uint4)), (uint4 *)to);
    status = wn_gpu_check((int)cudaGetLastError(), "order by tiles");
  }
  if (status == WN_OK)
    status = wn_gpu_wait(g, "order by tiles"); /* before its memory is released */
  wn_gpu_release(g, memory, 4 * list + bytes);
  return status;
}

/* ---- life */

void wn_gpu_tiles_free(struct wn_gpu *g, struct wn_gpu_tiles *tiles)
{
  if (tiles == NULL)
    return;
  if (g != NULL) {
    wn_gpu_release(g, tiles->chunk, tiles->room * sizeof *tiles->chunk);
    wn_gpu_release(g, tiles->count, tiles->tiling.n * sizeof *tiles->count);
    wn_gpu_release(g, tiles->cursor, tiles->tiling.n * sizeof *tiles->cursor);
    wn_gpu_release_pinned(tiles->host_strays);
    for (int k = 0; k < WN_GPU_TILES_STEPS; k++)
      if (tiles->done[k] != NULL)
        wn_gpu_check((int)cudaEventDestroy(tiles->done[k]), "order by tiles");
  }
  free(tiles);
}

static int bits_of(int32_t cells, int32_t *bits)
{
  for (*bits = 0; *bits < 30; ++*bits)
    if (cells == (int32_t)1 << *bits)
      return WN_OK;
  return WN_FAIL(WN_EINPUT, "a tile of %d cells along an axis: it must be a power of two",
                 (int)cells);
}

static int tiling_of(const struct wn_grid_view *g,
                     const struct wn_gpu_tile_options *order, struct wn_gpu_tiling *out)
{
  struct wn_gpu_tiling t = {{0, 0, 0}, {1, 1, 1}, 1};
  for (int d = 0; d < g->dim; d++) {
    WN_TRY(bits_of(order->cells[d] > 0 ? order->cells[d] : cells_of[g->dim - 1][d],
                   &t.bits[d]));
    while (t.bits[d] > 0 && (1 << (t.bits[d] - 1)) >= g->cells[d])
      t.bits[d]--; /* one tile suffices */
    t.tiles[d] = (g->cells[d] + (1 << t.bits[d]) - 1) >> t.bits[d];
    t.n *= (uint32_t)t.tiles[d];
  }
  *out = t;
  return WN_OK;
}

/* The tiles of the store for this tiling, without an order yet. */
static int make_tiles(struct wn_gpu_store *t, const struct wn_gpu_tiling *tiling)
{
  struct wn_gpu *g = t->gpu;
  void *memory = NULL;
  if (t->tiles != NULL && memcmp(&t->tiles->tiling, tiling, sizeof *tiling) == 0)
    return WN_OK;
  wn_gpu_tiles_free(g, t->tiles);
  t->tiles = NULL;
  struct wn_gpu_tiles *tiles = (struct wn_gpu_tiles *)wn_alloc(1, sizeof *tiles);
  if (tiles == NULL)
    return WN_ENOMEM;
  t->tiles = tiles;
  tiles->tiling = *tiling;
  WN_TRY(wn_gpu_array(g, "counts of tiles", tiling->n, &tiles->count));
  WN_TRY(wn_gpu_array(g, "counts of tiles", tiling->n, &tiles->cursor));
  WN_TRY(wn_gpu_pinned("counts of tiles", sizeof *tiles->host_strays, &memory));
  tiles->host_strays = (unsigned long long *)memory;
  for (int k = 0; k < WN_GPU_TILES_STEPS; k++)
    WN_TRY(wn_gpu_check(
        (int)cudaEventCreateWithFlags(&tiles->done[k], cudaEventDisableTiming),
        "order by tiles"));
  return wn_gpu_check(
      (int)cudaMemsetAsync(tiles->count, 0, tiling->n * sizeof *tiles->count, g->stream),
      "counts of tiles");
}

/* Room for the chunks of n points. */
static int make_chunks(struct wn_gpu *g, struct wn_gpu_tiles *tiles, size_t n,
                       unsigned int most)
{
  tiles->n_chunks = (unsigned int)(tiles->tiling.n + n / most);
  if (tiles->n_chunks <= tiles->room)
    return WN_OK;
  wn_gpu_release(g, tiles->chunk, tiles->room * sizeof *tiles->chunk);
  tiles->chunk = NULL;
  tiles->room = 0;
  WN_TRY(wn_gpu_array(g, "chunks of tiles", tiles->n_chunks, &tiles->chunk));
  tiles->room = tiles->n_chunks;
  return WN_OK;
}

/* ---- the order */

/* Counts points [first, n) of the store. */
static int count(struct wn_gpu_store *t, const struct wn_points *m, size_t first,
                 size_t n)
{
  const struct wn_gpu_tiles *tiles = t->tiles;
  const unsigned char *records =
      (const unsigned char *)wn_gpu_records(t) + first * t->record.bytes;
  return wn_gpu_for_kind(m->kind, [&](auto k) {
    count_kernel<decltype(k)::is>
        <<<wn_gpu_stride_blocks(t->gpu, n - first), WN_GPU_STRIDE_BLOCK, 0,
           t->gpu->stream>>>(*m, tiles->tiling, records, n - first, tiles->count);
    return wn_gpu_check((int)cudaGetLastError(), "counts of tiles");
  });
}

int wn_gpu_tiles_join(struct wn_gpu_store *t, const struct wn_particles *p,
                      const struct wn_points *m, size_t first)
{
  return t->tiles->is_counted && p->n > first ? count(t, m, first, p->n) : (int)WN_OK;
}

static unsigned int most_of_chunk(const struct wn_gpu *g, size_t n, unsigned int asked)
{
  const size_t each = n / ((size_t)g->multiprocessors * CHUNKS) + 1;
  if (asked > 0)
    return asked;
  return (unsigned int)(each < LEAST_CHUNK ? LEAST_CHUNK : each);
}

int wn_gpu_tiles_sort(struct wn_gpu_store *t, struct wn_particles *p,
                      const struct wn_points *m, const struct wn_gpu_tile_options *order,
                      enum wn_gpu_sort_method way, size_t dead)
{
  struct wn_gpu *g = t->gpu;
  struct wn_gpu_tiling tiling;
  const unsigned int blocks = wn_gpu_stride_blocks(g, p->n);
  const size_t n_alive = p->n - dead;
  void *to;
  struct shuffle *shuffle = NULL;
  WN_TRY(tiling_of(&m->grid, order, &tiling));
  WN_TRY(make_tiles(t, &tiling));
  struct wn_gpu_tiles *tiles = t->tiles;
  const unsigned int most = most_of_chunk(g, p->n, order->chunk);
  WN_TRY(make_chunks(g, tiles, p->n, most));
  WN_TRY(wn_gpu_store_other(t, p->n, &to));
  if (!tiles->is_counted) {
    WN_TRY(wn_gpu_check(
        (int)cudaMemsetAsync(tiles->count, 0, tiling.n * sizeof *tiles->count, g->stream),
        "counts of tiles"));
    WN_TRY(count(t, m, 0, p->n));
  }
  if (tiles->n == 0 && way == WN_GPU_SORT_COUNTING)
    WN_TRY(wn_gpu_array(g, "order by tiles", tiling.n, &shuffle));
  scan_kernel<<<1, SCAN_BLOCK, 0, g->stream>>>(tiling, most, tiles->count, tiles->cursor,
                                               shuffle, tiles->chunk, tiles->n_chunks);
  WN_TRY(wn_gpu_check((int)cudaGetLastError(), "order by tiles"));
  tiles->is_counted = 0;
  if (way == WN_GPU_SORT_RADIX && p->n <= UINT32_MAX)
    WN_TRY(by_sort(t, p->n, n_alive, m->kind, m, to));
  else
    WN_TRY(wn_gpu_for_kind(m->kind, [&](auto k) {
      move_kernel<decltype(k)::is><<<blocks, WN_GPU_STRIDE_BLOCK, 0, g->stream>>>(
          *m, tiling, wn_gpu_records(t), p->n, tiles->cursor, shuffle, to, n_alive);
      return wn_gpu_check((int)cudaGetLastError(), "order by tiles");
    }));
  if (shuffle != NULL) {
    WN_TRY(wn_gpu_wait(g, "order by tiles"));
    wn_gpu_release(g, shuffle, tiling.n * sizeof *shuffle);
  }
  wn_gpu_store_turn(t);
  p->n = n_alive;
  p->place = WN_PARTICLES_REMOTE;
  tiles->n = n_alive;
  tiles->age = 0;
  *tiles->host_strays = 0;
  return WN_OK;
}
