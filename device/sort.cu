/* device/sort.cu - puts electrons and ions in a grid into the order of its tiles:
 * device.cuh, gpu.h.  No result depends on the order: each record has its own id. */
#include "device/device.cuh"
#include <cub/device/device_radix_sort.cuh>
#include "device/tiles.cuh"
#include "physics/electron.h"

/* Fewer nodes of E than this stay cached near every thread anyway; for fewer particles a
 * step is too short for a gain. */
#define LEAST_NODES 4096
#define LEAST       ((size_t)1 << 20)

int wn_gpu_sort_pays(const struct wn_grid_view *grid, size_t n)
{
  return n >= LEAST && n <= INT32_MAX && wn_grid_nodes(grid) >= LEAST_NODES;
}

/* Tiles along each axis, x the fastest. */
struct tiles {
  int dim;
  int32_t bits[3], tiles[3]; /* bits: of the places within a tile */
};

static struct tiles tiles_of(const struct wn_grid_view *g, int *key_bits)
{
  struct tiles t = {};
  int64_t n = 1;
  t.dim = g->dim;
  for (int d = 0; d < 3; d++) {
    t.bits[d] = d < g->dim ? g->bits[d] + WN_GPU_SORT_BITS(g->dim) : 0;
    t.tiles[d] = d < g->dim ? (g->cells[d] >> WN_GPU_SORT_BITS(g->dim)) + 1 : 1;
    n *= t.tiles[d];
  }
  for (*key_bits = 1; *key_bits < 31 && n >> *key_bits > 0;)
    ++*key_bits;
  return t;
}

/* One thread handles one record after the other.  Reads a sector of 32 bytes, writes 8
 * bytes each. */
static __global__ void keys_kernel(const __grid_constant__ struct tiles t,
                                   const struct wn_electron *e, uint32_t n, uint32_t *key,
                                   uint32_t *number)
{
  for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x) {
    int32_t tile = 0;
#pragma unroll
    for (int d = 2; d >= 0; d--) {
      if (d >= t.dim)
        continue;
      const int32_t at = e[i].at[d] >> t.bits[d];
      tile = tile * t.tiles[d] + (at < 0 ? 0 : at < t.tiles[d] ? at : t.tiles[d] - 1);
    }
    key[i] = (uint32_t)tile;
    number[i] = i;
  }
}

/* One thread handles a 16-byte word; reads and writes a record each, and 4 bytes of the
 * list. */
static __global__ void move_kernel(const uint4 *from, const uint32_t *number, size_t n,
                                   uint4 *to)
{
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < 4 * n;
       i += (size_t)gridDim.x * blockDim.x)
    __stcs(&to[i], __ldcs(&from[4 * (size_t)number[i / 4] + i % 4]));
}

/* Memory for n: the permutation, then the records; half of the free memory stays free. */
static int make_room(struct wn_gpu *g, size_t n, int *enough)
{
  const size_t bytes = wn_gpu_sort_bytes(n);
  size_t available, total;
  *enough = bytes <= g->order_bytes;
  if (*enough)
    return WN_OK;
  wn_gpu_sort_free(g);
  WN_TRY(wn_gpu_check((int)cudaMemGetInfo(&available, &total), "size of its memory"));
  *enough = bytes + bytes / 8 <= available / 2;
  if (!*enough)
    return WN_OK;
  WN_TRY(wn_gpu_array(g, "order of the particles", bytes + bytes / 8, &g->order));
  g->order_bytes = bytes + bytes / 8;
  return WN_OK;
}

int wn_gpu_sort(struct wn_gpu *g, const struct wn_grid_view *grid, struct wn_particles *p,
                int *done)
{
  struct wn_gpu_store *t = wn_gpu_store_of(g, p);
  const size_t n = p->n;
  int key_bits;
  const struct tiles tiles = tiles_of(grid, &key_bits);
  *done = 0;
  if (t == NULL || p->place == WN_PARTICLES_HOST ||
      p->record.bytes != sizeof(struct wn_electron) || t->dead > 0)
    return WN_FAIL(WN_EINTERN, "%zu particles, %zu of them dead, cannot be put in order",
                   n, t != NULL ? t->dead : 0);
  WN_TRY(wn_gpu_use(g));
  if (n > INT32_MAX)
    return WN_OK;
  WN_TRY(make_room(g, n, done));
  if (!*done || n == 0)
    return WN_OK;
  /* keys and numbers occupy the memory of the records, which are written afterwards */
  const size_t list = wn_gpu_round(n * sizeof(uint32_t), WN_GPU_ALIGN);
  uint32_t *sorted = (uint32_t *)(void *)g->order, *key = sorted + list / 4,
           *number = key + list / 4, *key_out = number + list / 4;
  unsigned char *memory = (unsigned char *)(key_out + list / 4);
  uint4 *moved = (uint4 *)(void *)key, *records = (uint4 *)wn_gpu_records(t);
  size_t bytes = 0;
  WN_TRY(wn_gpu_check((int)cub::DeviceRadixSort::SortPairs(NULL, bytes, key, key_out,
                                                           number, sorted, (int)n, 0,
                                                           key_bits, g->stream),
                      "order of the particles"));
  *done = 4 * list + bytes <= g->order_bytes;
  if (!*done)
    return WN_OK;
  keys_kernel<<<wn_gpu_stride_blocks(g, n), WN_GPU_STRIDE_BLOCK, 0, g->stream>>>(
      tiles, (const struct wn_electron *)wn_gpu_records(t), (uint32_t)n, key, number);
  WN_TRY(wn_gpu_check((int)cub::DeviceRadixSort::SortPairs(memory, bytes, key, key_out,
                                                           number, sorted, (int)n, 0,
                                                           key_bits, g->stream),
                      "order of the particles"));
  move_kernel<<<wn_gpu_stride_blocks(g, 4 * n), WN_GPU_STRIDE_BLOCK, 0, g->stream>>>(
      records, sorted, n, moved);
  WN_TRY(wn_gpu_check((int)cudaGetLastError(), "order of the particles"));
  p->place = WN_PARTICLES_REMOTE;
  return wn_gpu_check((int)cudaMemcpyAsync(records, moved, n * sizeof(struct wn_electron),
                                           cudaMemcpyDeviceToDevice, g->stream),
                      "order of the particles");
}
