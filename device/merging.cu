/* device/merging.cu - merging and splitting of the macroparticles of a species on the device: gpu.h.
 *
 * A count of the particles of each cell, and a sum over cells.  Only cells in which something may have to be done get a
 * list, as most cells of a large grid have few or none: particles of the others cost their count.  Lists are made by atomic operations.
 * Then a warp does a cell (physics/merging_cell.h): the list is put into the order of the records first, so that the order in
 * which the atomic operations came does not matter, and divided into groups.  These are written to the memory of the device, and a second
 * kernel, by method, makes the groups fewer, with a TILE of lanes for a cell: a cell has a few groups to change, each of which
 * takes a lane thousands of instructions.
 *
 * Scratch memory of a warp is shared memory, for cells with FEW macroparticles or less, then, in launches of their own, for
 * those with SOME or less; beyond these, memory of the device.  Sums are integers.
 *
 * Halves are counted first, as the store must have room for all of them. */
#include "physics/merging_cell.h" /* before any other header of cuRAND */
#include "device/device.cuh"
#include "device/sum128.cuh"
#include <cub/device/device_scan.cuh>
#include <thrust/iterator/transform_iterator.h>
#include <stdlib.h>
#include "base/alloc.h"

#define WARPS 4   /* of a block, with scratch in shared memory */
#define FEW   64  /* macroparticles of a cell */
#define SOME  240 /* of the largest with scratch in shared memory */
#define CHUNK 2   /* picked cells that a warp takes at a time */
/* Lanes of a cell whose groups become fewer: a group of `weights` has more to give.  Beyond SOME macroparticles a cell has
 * all of a warp. */
#define TILE(method) ((method) == WN_MERGING_WEIGHTS ? 2 : 4)
/* Bytes of scratch of all cells with more, if these are few enough for that. */
#define SCRATCH ((size_t)256 << 20)
/* Blocks per multiprocessor; those that find no cell left end at once. */
#define RESIDENT 8

enum {
  MERGED_QUANTA,
  SPLIT_QUANTA,
  MOMENTUM_BEFORE,
  MOMENTUM_AFTER = MOMENTUM_BEFORE + 3,
  ENERGY_BEFORE = MOMENTUM_AFTER + 3,
  ENERGY_AFTER,
  N_SUMS
};

/* What kernels find. */
struct found {
  /* integers of 128 bits, each as sums of its four words of 32 bits */
  unsigned long long sum[N_SUMS][4];
  unsigned long long before, after, split, across, left;
  unsigned long long heavy;  /* above the limit of their cell */
  unsigned long long halves; /* that will be made; with places, in the next launch */
  unsigned int next;         /* the first picked cell that no warp has taken */
  unsigned int
      picked[2]; /* cells with more than FEW macroparticles, and with FEW or less */
  unsigned int fullest; /* macroparticles of the fullest cell with more than FEW */
};

struct lists {
  uint32_t *begin; /* [cells + 1] into the list */
  uint32_t *
      end; /* [cells] while it is made; then cells that are picked: those of FEW macroparticles or less from
                     * the front, others from the back */
  uint32_t *wanted; /* [cells] halves */
  /* [room], those of a cell from `begin` on: places in the store; numbers in that list, by groups; first members of groups in that
   * order, and in the last place how many groups there are, which are half as many at most; members of groups */
  uint32_t *list, *order, *first;
  uint8_t *size;
};

struct wn_gpu_merging {
  struct wn_gpu *gpu;
  size_t cells, room;
  struct lists of;
  struct found *found;
  struct wn_gpu_copy classes;
  size_t scan_bytes, scratch_bytes;
  unsigned char *scan, *scratch;
};

/* ---- lists */

/* Counts that make a list: those above `most`. */
struct listed {
  uint32_t most;
  __host__ __device__ uint32_t operator()(uint32_t n) const
  {
    return n > most ? n : 0;
  }
};

/* Particles of each cell; or (places) their places, in cells that have a list.  Reads 12 to 16 bytes of each. */
template <bool places>
static __global__ void lists_kernel(const __grid_constant__ struct wn_grid_view grid,
                                    const __grid_constant__ struct wn_merging_records r,
                                    uint32_t n, const uint32_t *begin, uint32_t *at,
                                    uint32_t *list)
{
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
       i += (size_t)gridDim.x * blockDim.x) {
    const union wn_word *record = wn_merging_record(&r, (uint32_t)i);
    if (wn_merging_is_dead(&r, record))
      continue;
    int32_t x[3] = {0, 0, 0};
    for (int d = 0; d < grid.dim; d++)
      x[d] = record[d].i;
    const size_t cell = wn_merging_cell_at(&grid, x);
    if (places && begin[cell + 1] == begin[cell])
      continue;
    const uint32_t k = atomicAdd(&at[cell], 1u);
    if (places)
      list[k] = (uint32_t)i;
  }
}

/* Picks the cells that have a list.  Reads 4 bytes of each. */
static __global__ void pick_kernel(const uint32_t *begin, uint32_t cells,
                                   uint32_t *picked, struct found *found)
{
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < cells;
       i += (size_t)gridDim.x * blockDim.x) {
    const uint32_t n = begin[i + 1] - begin[i];
    if (n == 0)
      continue;
    if (n <= FEW) {
      picked[atomicAdd(&found->picked[1], 1u)] = (uint32_t)i;
    } else {
      picked[cells - 1 - atomicAdd(&found->picked[0], 1u)] = (uint32_t)i;
      atomicMax(&found->fullest, n);
    }
  }
}

/* ---- a cell by a warp */

/* Whether record a comes before b: the order of src/sim/cell_lists.c of those with the same id, or the same first
 * two words. */
static __device__ bool is_before(const struct wn_merging_records &r, uint32_t words,
                                 uint32_t a, uint32_t b)
{
  const union wn_word *x = wn_merging_record(&r, a), *y = wn_merging_record(&r, b);
  for (uint32_t i = 0; i < words; i++)
    if (x[i].i != y[i].i)
      return (uint32_t)x[i].i < (uint32_t)y[i].i;
  return false;
}

/* Puts the list of a cell into the order of src/sim/cell_lists.c. */
static __device__ void put_in_order(const struct wn_merging_cell &c, uint32_t *list)
{
  const struct wn_merging_records &r = c.records;
  const uint32_t words = r.has_id ? r.words : r.w > 0 ? r.w + 1 : r.u + 3;
  for (uint32_t i = wn_warp_lane(); i < c.n; i += WN_WARP_LANES) {
    const union wn_word *record = wn_merging_record(&r, list[i]);
    c.key[i] = r.has_id ? ((const struct wn_electron *)record)->id
                        : (uint64_t)(uint32_t)record[0].i << 32 | (uint32_t)record[1].i;
    c.order[i] = list[i];
  }
  wn_warp_wait();
  wn_warp_sort(c.key, c.order, c.n, NULL, NULL);
  for (uint32_t i = wn_warp_lane(); i < c.n; i += WN_WARP_LANES) {
    if ((i > 0 && c.key[i] == c.key[i - 1]) || i + 1 == c.n || c.key[i + 1] != c.key[i])
      continue;
    for (uint32_t j = i + 1; j < c.n && c.key[j] == c.key[i]; j++) { /* equal keys: few */
      const uint32_t one = c.order[j];
      uint32_t k = j;
      for (; k > i && is_before(r, words, one, c.order[k - 1]); k--)
        c.order[k] = c.order[k - 1];
      c.order[k] = one;
    }
  }
  wn_warp_wait();
  for (uint32_t i = wn_warp_lane(); i < c.n; i += WN_WARP_LANES)
    list[i] = c.order[i];
  wn_warp_wait();
}

static __device__ void add_number(unsigned long long *to, uint64_t v)
{
  for (int offset = 16; offset > 0; offset /= 2)
    v += __shfl_xor_sync(0xffffffffu, v, offset);
  if (wn_warp_lane() == 0 && v != 0)
    atomicAdd(to, (unsigned long long)v);
}

static __device__ void add_all(struct found *to, const struct wn_merging_sums &s)
{
  add_number(&to->before, s.before);
  add_number(&to->after, s.after);
  add_number(&to->split, s.split);
  add_number(&to->across, s.across);
  add_number(&to->left, s.left);
  wn_sum128_add(to->sum[MERGED_QUANTA], s.merged_quanta);
  wn_sum128_add(to->sum[SPLIT_QUANTA], s.split_quanta);
  for (int d = 0; d < 3; d++) {
    wn_sum128_add(to->sum[MOMENTUM_BEFORE + d], s.momentum_before[d]);
    wn_sum128_add(to->sum[MOMENTUM_AFTER + d], s.momentum_after[d]);
  }
  wn_sum128_add(to->sum[ENERGY_BEFORE], s.energy_before);
  wn_sum128_add(to->sum[ENERGY_AFTER], s.energy_after);
}

struct args {
  struct lists of;
  struct wn_merging_records records;
  struct found *found;
  uint32_t cells;
  const float *limits;    /* [cells] greatest weights; NULL: one for all cells */
  uint32_t room;          /* of the scratch of a warp */
  unsigned char *scratch; /* of those with more than SOME; NULL: shared memory */
};

/* The cell with the number k of those picked. */
template <bool few>
static __device__ uint32_t picked_cell(const struct args &a, uint32_t k)
{
  return a.of.end[few ? k : a.cells - 1 - k];
}

static __device__ int64_t heaviest_of(const struct wn_merging_rule &is,
                                      const struct args &a, uint32_t cell)
{
  return a.limits != NULL ? (int64_t)((double)a.limits[cell] * WN_QUANTA) : is.heaviest;
}

/* Calls f(cell) for the picked cells of this warp: of FEW macroparticles or less (few), or more. */
template <bool few, class F>
static __device__ void for_cells(const struct wn_merging_rule &is, const struct args &a,
                                 F f)
{
  extern __shared__ uint64_t shared[];
  const uint32_t warp = threadIdx.x / 32, picked = a.found->picked[few],
                 room = few ? FEW : a.room;
  struct wn_merging_cell c;
  c.is = &is;
  c.records = a.records;
  wn_merging_scratch_set(&c,
                         few || a.scratch == NULL
                             ? (unsigned char *)shared +
                                   warp * wn_merging_scratch_bytes(room, 0)
                             : a.scratch + blockIdx.x * wn_merging_scratch_bytes(room, 0),
                         room, 0);
  for (;;) {
    uint32_t first = 0;
    if (wn_warp_lane() == 0)
      first = atomicAdd(&a.found->next, CHUNK);
    first = __shfl_sync(0xffffffffu, first, 0);
    if (first >= picked)
      return;
    for (uint32_t i = first; i < picked && i < first + CHUNK; i++) {
      const uint32_t cell = picked_cell<few>(a, i), begin = a.of.begin[cell];
      c.n = a.of.begin[cell + 1] - begin;
      c.cell = cell;
      c.heaviest = heaviest_of(is, a, cell);
      c.list = a.of.list + begin;
      f(c, cell, begin);
    }
  }
}

/* Groups of the cells that have too many; how many each cell should have more, and how many of it are above its own
 * limit. */
template <bool few>
static __global__ void __launch_bounds__(few ? 32 * WARPS : 32, few ? RESIDENT : 12)
    arrange_kernel(const __grid_constant__ struct wn_merging_rule is,
                   const __grid_constant__ struct args a)
{
  uint64_t heavy = 0; /* in the first lane */
  for_cells<few>(is, a, [&](struct wn_merging_cell &c, uint32_t cell, uint32_t begin) {
    const uint32_t above = a.limits != NULL ? wn_merging_heavy(&c) : 0,
                   wanted = is.least > 0 ? wn_merging_wanted(&c) : 0;
    if (wn_warp_lane() == 0) {
      a.of.wanted[cell] = wanted;
      heavy += above;
    }
    if (c.n > is.most || wanted > 0)
      put_in_order(c, a.of.list + begin);
    if (c.n > is.most) {
      const uint32_t n_groups = wn_merging_arrange(&c);
      for (uint32_t i = wn_warp_lane(); i < c.n; i += WN_WARP_LANES)
        a.of.order[begin + i] = c.order[i];
      for (uint32_t k = wn_warp_lane(); k < n_groups; k += WN_WARP_LANES) {
        a.of.first[begin + k] = c.head[k];
        a.of.size[begin + k] = (uint8_t)c.part[c.head[k]].n;
      }
      if (wn_warp_lane() == 0)
        a.of.first[begin + c.n - 1] = n_groups;
    }
    wn_warp_wait();
  });
  add_number(&a.found->heavy, heavy);
}

/* Groups become fewer, and cells with a limit of their own should have no more of them than fit.  Static: a warp has a
 * cell for each tile in turn. */
template <bool few, int method, uint32_t lanes>
static __global__ void __launch_bounds__(32 * WARPS)
    fewer_kernel(const __grid_constant__ struct wn_merging_rule is,
                 const __grid_constant__ struct args a)
{
  const uint32_t picked = a.found->picked[few], tiles = 32 / lanes,
                 warps = gridDim.x * WARPS, warp = blockIdx.x * WARPS + threadIdx.x / 32;
  struct wn_merging_sums sums = {};
  for (size_t at = (size_t)warp * tiles; at < picked; at += (size_t)warps * tiles) {
    const size_t k = at + wn_warp_lane() / lanes;
    struct wn_merging_groups g = {};
    uint32_t cell = 0;
    g.is = &is;
    g.records = a.records;
    if (k < picked) {
      cell = picked_cell<few>(a, (uint32_t)k);
      const uint32_t begin = a.of.begin[cell];
      g.n = a.of.begin[cell + 1] - begin;
      g.cell = cell;
      g.heaviest = heaviest_of(is, a, cell);
      g.list = a.of.list + begin;
      g.order = a.of.order + begin;
      g.first = a.of.first + begin;
      g.size = a.of.size + begin;
      g.n_groups = g.n > is.most ? g.first[g.n - 1] : 0;
    }
    const uint32_t left = wn_merging_become_fewer(&g, method, lanes, &sums);
    if (a.limits != NULL && k < picked && wn_warp_lane() % lanes == 0)
      a.of.wanted[cell] = wn_merging_wanted_within(&is, left, a.of.wanted[cell]);
  }
  add_all(a.found, sums);
}

/* Counts the halves that each cell gets; or (makes) makes them, from place `to` of the store on. */
template <bool few, bool makes>
static __global__ void __launch_bounds__(few ? 32 * WARPS : 32, few ? RESIDENT : 12)
    split_kernel(const __grid_constant__ struct wn_merging_rule is,
                 const __grid_constant__ struct args a,
                 const __grid_constant__ struct wn_merging_copying copying,
                 struct wn_electron *to)
{
  struct wn_merging_sums sums = {};
  for_cells<few>(is, a, [&](struct wn_merging_cell &c, uint32_t cell, uint32_t) {
    const uint32_t wanted = a.of.wanted[cell];
    wn_warp_wait();
    if (wanted == 0)
      return;
    const uint32_t n = wn_merging_find_halves(&c, wanted);
    unsigned long long first = 0;
    if (wn_warp_lane() == 0) {
      a.of.wanted[cell] = n;
      if (n > 0)
        first = atomicAdd(&a.found->halves, (unsigned long long)n);
    }
    first = __shfl_sync(0xffffffffu, first, 0);
    for (uint32_t i = wn_warp_lane(); makes && i < n; i += WN_WARP_LANES) {
      const uint32_t k = c.order[i];
      to[first + i] = wn_merging_halve(
          &copying, (struct wn_electron *)wn_merging_record(&c.records, c.list[k]),
          c.quanta[k]);
      sums.split++;
      sums.split_quanta += c.quanta[k];
    }
    wn_warp_wait();
  });
  if (makes)
    add_all(a.found, sums);
}

/* ---- life */

static void release_list(struct wn_gpu_merging *m)
{
  wn_gpu_release(m->gpu, m->of.list, m->room * sizeof *m->of.list);
  wn_gpu_release(m->gpu, m->of.order, m->room * sizeof *m->of.order);
  wn_gpu_release(m->gpu, m->of.first, m->room * sizeof *m->of.first);
  wn_gpu_release(m->gpu, m->of.size, m->room * sizeof *m->of.size);
  m->of.list = m->of.order = m->of.first = NULL;
  m->of.size = NULL;
  m->room = 0;
}

/* Sums over the counts of cells that have a list, in their place. */
static cudaError_t add_counts(struct wn_gpu_merging *m, uint32_t most, void *scan,
                              size_t *bytes)
{
  const struct listed listed = {most};
  return cub::DeviceScan::ExclusiveSum(
      scan, *bytes, thrust::make_transform_iterator(m->of.begin, listed), m->of.begin,
      (int64_t)(m->cells + 1), m->gpu->stream);
}

int wn_gpu_merging_create(struct wn_gpu *g, size_t cells,
                          const struct wn_merging_rule *is, struct wn_gpu_merging **out)
{
  if (cells >= UINT32_MAX - CHUNK * 65536u)
    return WN_FAIL(WN_EINPUT, "merging on a GPU of %zu cells; possible are %u", cells,
                   UINT32_MAX - CHUNK * 65536u);
  struct wn_gpu_merging *m = (struct wn_gpu_merging *)wn_alloc(1, sizeof *m);
  if (m == NULL)
    return WN_ENOMEM;
  m->gpu = g;
  m->cells = cells;
  int status = wn_gpu_use(g);
  if (status == WN_OK)
    status = wn_gpu_array(g, "merging: cells", cells + 1, &m->of.begin);
  if (status == WN_OK)
    status = wn_gpu_array(g, "merging: cells", cells, &m->of.end);
  if (status == WN_OK)
    status = wn_gpu_array(g, "merging: cells", cells, &m->of.wanted);
  if (status == WN_OK)
    status = wn_gpu_array(g, "merging: sums", 1, &m->found);
  if (status == WN_OK)
    status = wn_gpu_copy(g, is->classes_ev, is->n_classes * sizeof *is->classes_ev,
                         &m->classes);
  if (status == WN_OK)
    status = wn_gpu_check((int)add_counts(m, 0, NULL, &m->scan_bytes), "merging: cells");
  if (status == WN_OK)
    status = wn_gpu_array(g, "merging: cells", m->scan_bytes, &m->scan);
  if (status != WN_OK) {
    wn_gpu_merging_free(m);
    return status;
  }
  *out = m;
  return WN_OK;
}

void wn_gpu_merging_free(struct wn_gpu_merging *m)
{
  if (m == NULL)
    return;
  struct wn_gpu *g = m->gpu;
  if (wn_gpu_works(g)) {
    wn_gpu_release(g, m->of.begin, (m->cells + 1) * sizeof *m->of.begin);
    wn_gpu_release(g, m->of.end, m->cells * sizeof *m->of.end);
    wn_gpu_release(g, m->of.wanted, m->cells * sizeof *m->of.wanted);
    release_list(m);
    wn_gpu_release(g, m->found, sizeof *m->found);
    wn_gpu_release(g, m->scan, m->scan_bytes);
    wn_gpu_release(g, m->scratch, m->scratch_bytes);
    wn_gpu_copy_free(g, &m->classes);
  }
  free(m);
}

/* ---- a pass */

/* Room for lists of n particles, and more for those to come. */
static int fit_list(struct wn_gpu_merging *m, size_t n)
{
  const char *what = "merging: lists of particles";
  if (n <= m->room)
    return WN_OK;
  release_list(m);
  m->room = n + n / 8;
  WN_TRY(wn_gpu_array(m->gpu, what, m->room, &m->of.list));
  WN_TRY(wn_gpu_array(m->gpu, what, m->room, &m->of.order));
  WN_TRY(wn_gpu_array(m->gpu, what, m->room, &m->of.first));
  return wn_gpu_array(m->gpu, what, m->room, &m->of.size);
}

/* Lists of the cells with more than `most`; *listed: particles in them.  Without any nothing else is done. */
static int make_lists(struct wn_gpu_merging *m, const struct wn_grid_view *grid,
                      const struct wn_merging_records *r, uint32_t most, size_t n,
                      uint32_t *listed)
{
  struct wn_gpu *g = m->gpu;
  const unsigned int blocks = wn_gpu_stride_blocks(g, n);
  WN_TRY(
      wn_gpu_check((int)cudaMemsetAsync(m->of.begin, 0,
                                        (m->cells + 1) * sizeof *m->of.begin, g->stream),
                   "merging: cells"));
  lists_kernel<false><<<blocks, WN_GPU_STRIDE_BLOCK, 0, g->stream>>>(
      *grid, *r, (uint32_t)n, NULL, m->of.begin, NULL);
  WN_TRY(wn_gpu_check((int)cudaGetLastError(), "merging: cells"));
  WN_TRY(
      wn_gpu_check((int)add_counts(m, most, m->scan, &m->scan_bytes), "merging: cells"));
  WN_TRY(wn_gpu_check((int)cudaMemcpyAsync(g->host_scratch, m->of.begin + m->cells,
                                           sizeof *listed, cudaMemcpyDeviceToHost,
                                           g->stream),
                      "merging: cells"));
  WN_TRY(wn_gpu_wait(g, "merging"));
  memcpy(listed, g->host_scratch, sizeof *listed);
  if (*listed == 0)
    return WN_OK;
  WN_TRY(fit_list(m, *listed));
  WN_TRY(wn_gpu_check((int)cudaMemcpyAsync(m->of.end, m->of.begin,
                                           m->cells * sizeof *m->of.end,
                                           cudaMemcpyDeviceToDevice, g->stream),
                      "merging: cells"));
  lists_kernel<true><<<blocks, WN_GPU_STRIDE_BLOCK, 0, g->stream>>>(
      *grid, *r, (uint32_t)n, m->of.begin, m->of.end, m->of.list);
  pick_kernel<<<wn_gpu_stride_blocks(g, m->cells), WN_GPU_STRIDE_BLOCK, 0, g->stream>>>(
      m->of.begin, (uint32_t)m->cells, m->of.end, m->found);
  return wn_gpu_check((int)cudaGetLastError(), "merging: cells");
}

/* Copies what was found to the host, and sets the next cell to the first. */
static int fetch(struct wn_gpu_merging *m, struct found *to)
{
  struct wn_gpu *g = m->gpu;
  WN_TRY(wn_gpu_check((int)cudaMemcpyAsync(g->host_scratch, m->found, sizeof *to,
                                           cudaMemcpyDeviceToHost, g->stream),
                      "merging"));
  WN_TRY(wn_gpu_check(
      (int)cudaMemsetAsync(&m->found->next, 0, sizeof m->found->next, g->stream),
      "merging"));
  WN_TRY(wn_gpu_wait(g, "merging"));
  memcpy(to, g->host_scratch, sizeof *to);
  return WN_OK;
}

/* Scratch for cells of up to `fullest`: *shared bytes, of each of *blocks of a warp, or memory of the device. */
static int fit_scratch(struct wn_gpu_merging *m, struct args *a, uint32_t fullest,
                       unsigned int *blocks, size_t *shared)
{
  const size_t each = wn_merging_scratch_bytes(fullest, 0), some = SCRATCH / each,
               most = (size_t)m->gpu->multiprocessors * 16;
  a->room = fullest;
  a->scratch = NULL;
  *shared = 0;
  if (fullest <= SOME) {
    *shared = each;
    *blocks = (unsigned int)most;
    return WN_OK;
  }
  *blocks = (unsigned int)(some < 1 ? 1 : some < most ? some : most);
  if (*blocks * each > m->scratch_bytes) {
    wn_gpu_release(m->gpu, m->scratch, m->scratch_bytes);
    m->scratch = NULL;
    m->scratch_bytes = 0;
    WN_TRY(wn_gpu_array(m->gpu, "merging: a cell", *blocks * each, &m->scratch));
    m->scratch_bytes = *blocks * each;
  }
  a->scratch = m->scratch;
  return WN_OK;
}

/* Calls few() for launches that do cells with FEW macroparticles or less, then, where there are others, many()
 * for those that do these. */
template <class F, class G>
static int launch(struct wn_gpu_merging *m, struct args *a, struct found *found, F few,
                  G many)
{
  unsigned int blocks = (unsigned int)m->gpu->multiprocessors * RESIDENT;
  size_t shared;
  few(blocks, 32 * WARPS, WARPS * wn_merging_scratch_bytes(FEW, 0));
  WN_TRY(wn_gpu_check((int)cudaGetLastError(), "merging"));
  WN_TRY(fetch(m, found));
  if (found->fullest == 0)
    return WN_OK;
  WN_TRY(fit_scratch(m, a, found->fullest, &blocks, &shared));
  many(blocks, 32, shared);
  WN_TRY(wn_gpu_check((int)cudaGetLastError(), "merging"));
  return fetch(m, found);
}

template <bool few, bool by_warps, int method>
static void launch_method(const struct wn_gpu_merging *m,
                          const struct wn_merging_rule &is, const struct args &a)
{
  constexpr uint32_t lanes = by_warps ? 32 : TILE(method);
  const unsigned int blocks = (unsigned int)m->gpu->multiprocessors * 16;
  fewer_kernel<few, method, lanes><<<blocks, 32 * WARPS, 0, m->gpu->stream>>>(is, a);
}

/* The groups of cells that were arranged become fewer; by_warps: with a warp for each. */
template <bool few, bool by_warps>
static void launch_fewer(const struct wn_gpu_merging *m, const struct wn_merging_rule &is,
                         const struct args &a)
{
  if (is.method == WN_MERGING_WEIGHTS)
    launch_method<few, by_warps, WN_MERGING_WEIGHTS>(m, is, a);
  else if (is.method == WN_MERGING_TWO)
    launch_method<few, by_warps, WN_MERGING_TWO>(m, is, a);
  else
    launch_method<few, by_warps, WN_MERGING_ONE>(m, is, a);
}

static int merge(struct wn_gpu_merging *m, const struct wn_merging_rule &is,
                 struct args *a, struct found *found)
{
  const cudaStream_t stream = m->gpu->stream;
  return launch(
      m, a, found,
      [&](unsigned int blocks, int threads, size_t shared) {
        arrange_kernel<true><<<blocks, threads, shared, stream>>>(is, *a);
        launch_fewer<true, false>(m, is, *a);
      },
      [&](unsigned int blocks, int threads, size_t shared) {
        arrange_kernel<false><<<blocks, threads, shared, stream>>>(is, *a);
        if (a->scratch == NULL)
          launch_fewer<false, false>(m, is, *a);
        else
          launch_fewer<false, true>(m, is, *a);
      });
}

template <bool makes>
static int split(struct wn_gpu_merging *m, const struct wn_merging_rule &is,
                 const struct wn_merging_copying &copying, struct args *a,
                 struct wn_electron *to, struct found *found)
{
  const cudaStream_t stream = m->gpu->stream;
  WN_TRY(wn_gpu_check(
      (int)cudaMemsetAsync(&m->found->halves, 0, sizeof m->found->halves, stream),
      "splitting"));
  return launch(
      m, a, found,
      [&](unsigned int blocks, int threads, size_t shared) {
        split_kernel<true, makes>
            <<<blocks, threads, shared, stream>>>(is, *a, copying, to);
      },
      [&](unsigned int blocks, int threads, size_t shared) {
        split_kernel<false, makes>
            <<<blocks, threads, shared, stream>>>(is, *a, copying, to);
      });
}

static void add_found(struct wn_merging_sums *to, const struct found *f)
{
  to->before += f->before;
  to->after += f->after;
  to->split += f->split;
  to->across += f->across;
  to->left += f->left;
  to->merged_quanta += wn_sum128_value(f->sum[MERGED_QUANTA]);
  to->split_quanta += wn_sum128_value(f->sum[SPLIT_QUANTA]);
  for (int d = 0; d < 3; d++) {
    to->momentum_before[d] += wn_sum128_value(f->sum[MOMENTUM_BEFORE + d]);
    to->momentum_after[d] += wn_sum128_value(f->sum[MOMENTUM_AFTER + d]);
  }
  to->energy_before += wn_sum128_value(f->sum[ENERGY_BEFORE]);
  to->energy_after += wn_sum128_value(f->sum[ENERGY_AFTER]);
}

static struct wn_merging_records records_of(const struct wn_gpu_store *t, int dim)
{
  return wn_merging_records_of(wn_gpu_records(t), dim, !t->record.no_t_left);
}

/* Halves of all cells behind the particles of the store. */
static int split_all(struct wn_gpu_merging *m, const struct wn_merging_rule &is,
                     const struct wn_merging_copying &copying, struct wn_particles *p,
                     struct args *a, struct found *found)
{
  struct wn_gpu_store *t = wn_gpu_store_of(m->gpu, p);
  WN_TRY(split<false>(m, is, copying, a, NULL, found));
  const size_t n = (size_t)found->halves;
  if (n == 0)
    return WN_OK;
  WN_TRY(wn_gpu_make_room(m->gpu, p, n));
  a->records = records_of(t, is.points.grid.dim);
  WN_TRY(split<true>(m, is, copying, a, (struct wn_electron *)wn_gpu_records(t) + p->n,
                     found));
  if (found->halves != n)
    return WN_FAIL(WN_EINTERN, "%zu halves of macroparticles, but %llu were made", n,
                   found->halves);
  p->n += n;
  return WN_OK;
}

int wn_gpu_merge(struct wn_gpu_merging *m, const struct wn_merging_rule *asked,
                 const struct wn_merging_copying *copying, const float *limits,
                 struct wn_particles *p, struct wn_merging_sums *sums, uint64_t *heavy)
{
  struct wn_gpu *g = m->gpu;
  struct wn_merging_rule is = *asked;
  struct found found = {};
  if (p->n == 0)
    return WN_OK;
  if (p->n > UINT32_MAX)
    return WN_FAIL(WN_ERUN, "%zu particles of a species; merging is possible for %u",
                   p->n, UINT32_MAX);
  WN_TRY(wn_gpu_hold(g, p, 0.0));
  struct wn_gpu_store *t = wn_gpu_store_of(g, p);
  is.classes_ev = (const double *)m->classes.at;
  struct args a = {};
  a.records = records_of(t, is.points.grid.dim);
  WN_ASSERT(a.records.words * sizeof(union wn_word) == p->record.bytes);
  WN_TRY(wn_gpu_scratch_fit(g, sizeof found));
  WN_TRY(wn_gpu_check((int)cudaMemsetAsync(m->found, 0, sizeof found, g->stream),
                      "merging"));
  /* all cells, where some may be split or are looked at for particles above a limit */
  const uint32_t most = is.least > 0 || limits != NULL ? 0 : is.most;
  uint32_t listed;
  WN_TRY(make_lists(m, &is.points.grid, &a.records, most, p->n, &listed));
  if (listed == 0)
    return WN_OK;
  a.of = m->of;
  a.found = m->found;
  a.cells = (uint32_t)m->cells;
  a.limits = limits;
  WN_TRY(merge(m, is, &a, &found));
  WN_TRY(wn_gpu_store_settle(t));
  const size_t dead = (size_t)(found.before - found.after);
  if (dead > 0) {
    t->dead += dead;
    p->place = WN_PARTICLES_REMOTE;
  }
  if (found.before > 0)
    wn_gpu_store_forget(t);
  if (is.least > 0) {
    const size_t n = p->n;
    WN_TRY(split_all(m, is, *copying, p, &a, &found));
    if (p->n > n) {
      wn_gpu_store_forget(t);
      p->place = WN_PARTICLES_REMOTE;
    }
  }
  add_found(sums, &found);
  *heavy += found.heavy;
  return WN_OK;
}
