/* fields/migration_gpu.cu - particles on GPUs go to the rank that has their cell: see
 * electrostatic_gpu.h.  The scheduler that moved them has listed them, or they are searched for;
 * they are counted, and put together by rank in any order.  Their places in the store are graves. */
#include "fields/electrostatic_gpu.cuh"
#include <string.h>
#include "base/ranks.h"
#include "device/tiles.cuh"
#include "particles/load_balance.h"

/* The next number of a counter for each lane that asks, one addition for all lanes of a warp with the same
 * counter. */
static __device__ unsigned long long next_of(unsigned long long *counter, int which)
{
  const unsigned int lanes = __match_any_sync(__activemask(), which),
                     lane = threadIdx.x % 32;
  const int first = __ffs((int)lanes) - 1;
  unsigned long long at = 0;
  if ((int)lane == first)
    at = atomicAdd(&counter[which], (unsigned long long)__popc(lanes));
  return __shfl_sync(lanes, at, first) + __popc(lanes & ((1u << lane) - 1u));
}

/* One thread = one record after the other.  Reads a sector or two of it.  Limit: memory. */
static __global__ void __launch_bounds__(WN_GPU_STRIDE_BLOCK)
    find_kernel(const unsigned char *records, size_t n,
                const __grid_constant__ struct wn_migration l,
                const __grid_constant__ struct wn_gpu_leavers leavers)
{
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
       i += (size_t)gridDim.x * blockDim.x) {
    int fast = 0;
    const int to = wn_migration_to(&l, records + i * l.bytes, &fast);
    if (fast)
      atomicAdd(&leavers.count[1], 1ull);
    if (to == l.rank)
      continue;
    const unsigned long long k = next_of(leavers.count, 0);
    if (k < leavers.room)
      leavers.at[k] = i;
  }
}

/* count [2 + ranks]: the counts of the list, then how many of it go to each rank. */
static __global__ void __launch_bounds__(WN_GPU_STRIDE_BLOCK)
    divide_kernel(const unsigned char *records,
                  const __grid_constant__ struct wn_migration l,
                  const __grid_constant__ struct wn_gpu_leavers leavers,
                  unsigned long long *count)
{
  const unsigned long long all = leavers.count[0],
                           n = all < leavers.room ? all : leavers.room;
  const size_t first = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  if (first < 2)
    count[first] = leavers.count[first];
  for (size_t k = first; k < n; k += (size_t)gridDim.x * blockDim.x) {
    int fast = 0;
    const int to = wn_migration_to(&l, records + leavers.at[k] * l.bytes, &fast);
    next_of(count + 2, to);
  }
}

/* One thread = one leaving record after the other.  next [ranks]: where the next for each rank goes. */
static __global__ void __launch_bounds__(WN_GPU_STRIDE_BLOCK)
    take_kernel(unsigned char *records, const __grid_constant__ struct wn_migration l,
                const unsigned long long *leaver, size_t n, unsigned long long *next,
                uint4 *out, const __grid_constant__ struct wn_gpu_dead_list graves,
                int has_t_left)
{
  const size_t words = l.bytes / sizeof(uint4);
  for (size_t k = blockIdx.x * (size_t)blockDim.x + threadIdx.x; k < n;
       k += (size_t)gridDim.x * blockDim.x) {
    unsigned char *r = records + leaver[k] * l.bytes;
    int fast = 0;
    uint4 *to = out + next_of(next, wn_migration_to(&l, r, &fast)) * words;
    for (size_t w = 0; w < words; w++)
      to[w] = ((const uint4 *)(void *)r)[w];
    if (has_t_left)
      *(float *)(void *)(r + l.dead) = -1.0f;
    else
      *(int32_t *)(void *)(r + l.dead) = -1;
    if (graves.n != NULL)
      wn_gpu_list_dead(graves, leaver[k]);
  }
}

/* is_listed: the scheduler that moved them has listed them. */
static int find(struct wn_electrostatic_gpu *g, struct wn_gpu_store *t, size_t n,
                const struct wn_migration *l, int is_listed)
{
  const size_t bytes = (2 + (size_t)l->ranks) * sizeof *g->count;
  memset(g->host_count, 0, bytes);
  if (n == 0)
    return WN_OK;
  for (;; is_listed = 0) {
    const unsigned char *records = (const unsigned char *)wn_gpu_records(t);
    if (!is_listed) {
      WN_TRY(wn_gpu_leavers_clear(t));
      find_kernel<<<wn_gpu_stride_blocks(g->gpu, n), WN_GPU_STRIDE_BLOCK, 0,
                    g->gpu->stream>>>(records, n, *l, t->leavers);
      WN_TRY(wn_gpu_check((int)cudaGetLastError(), "migration"));
    }
    WN_TRY(wn_gpu_check((int)cudaMemsetAsync(g->count, 0, bytes, g->gpu->stream),
                        "migration"));
    divide_kernel<<<wn_gpu_stride_blocks(g->gpu, t->leavers.room), WN_GPU_STRIDE_BLOCK, 0,
                    g->gpu->stream>>>(records, *l, t->leavers, g->count);
    WN_TRY(wn_gpu_check((int)cudaGetLastError(), "migration"));
    WN_TRY(wn_gpu_check((int)cudaMemcpyAsync(g->host_count, g->count, bytes,
                                             cudaMemcpyDeviceToHost, g->gpu->stream),
                        "migration"));
    WN_TRY(wn_gpu_wait(g->gpu, "migration"));
    const size_t all = (size_t)g->host_count[0];
    if (all <= t->leavers.room)
      return WN_OK;
    WN_TRY(wn_gpu_leavers_fit(t, all));
  }
}

/* Out of the store, into g->passing.  in_order: the others stay where they are. */
static int take_out(struct wn_electrostatic_gpu *g, struct wn_particles *p,
                    const struct wn_migration *l, int in_order)
{
  const size_t n = (size_t)g->host_count[0], ranks = (size_t)l->ranks;
  struct wn_gpu_store *t = wn_gpu_store_of(g->gpu, p);
  struct wn_gpu_dead_list graves = {};
  WN_TRY(wn_halo_gpu_passing(g, n * l->bytes));
  if (n == 0)
    return WN_OK;
  if (!in_order) {
    wn_gpu_store_forget(t);
    WN_TRY(wn_gpu_dead_list_begin(t, p->n, &graves));
  }
  unsigned long long next = 0; /* of each rank, in the place of the counts there */
  for (size_t r = 0; r < ranks; r++) {
    const unsigned long long of_r = g->host_count[2 + r];
    g->host_count[2 + r] = next;
    next += of_r;
  }
  WN_TRY(wn_gpu_check((int)cudaMemcpyAsync(g->count + 2, g->host_count + 2,
                                           ranks * sizeof *g->count,
                                           cudaMemcpyHostToDevice, g->gpu->stream),
                      "migration"));
  take_kernel<<<wn_gpu_stride_blocks(g->gpu, n), WN_GPU_STRIDE_BLOCK, 0,
                g->gpu->stream>>>((unsigned char *)wn_gpu_records(t), *l, t->leavers.at,
                                  n, g->count + 2, (uint4 *)(void *)g->passing, graves,
                                  !p->record.no_t_left);
  WN_TRY(wn_gpu_check((int)cudaGetLastError(), "migration"));
  if (in_order) {
    t->in_order_dead += n;
    p->place = WN_PARTICLES_REMOTE;
    return WN_OK;
  }
  t->dead += n;
  t->known += n;
  return wn_gpu_compact(p, WN_GPU_COMPACT_AUTO);
}

/* Their records to others, and those of others behind the rest. */
static int move(struct wn_electrostatic_gpu *g, const struct wn_electrostatic *f,
                struct wn_particles *p, const struct wn_migration *l,
                const struct wn_points *listed)
{
  const size_t words = p->record.bytes / 8, ranks = (size_t)l->ranks;
  for (size_t r = 0; r < ranks; r++)
    f->send[r] = (size_t)g->host_count[2 + r];
  const size_t in = wn_migration_count(f);
  wn_particles_touched(p); /* whether some leave, or come */
  const int in_order = listed != NULL && in <= p->limit && p->n <= p->limit - in;
  int status = take_out(g, p, l, in_order);
  if (status == WN_OK && in > 0)
    status = in_order ? wn_gpu_make_room_in_order(g->gpu, p, in)
                      : wn_gpu_make_room(g->gpu, p, in);
  WN_TRY(wn_particles_room(status));
  for (size_t r = 0; r < ranks; r++) {
    f->send[r] *= words;
    f->receive[r] *= words;
  }
  struct wn_gpu_store *t = wn_gpu_store_of(g->gpu, p);
  unsigned char *to =
      in > 0 ? (unsigned char *)wn_gpu_records(t) + p->n * p->record.bytes : NULL;
  WN_TRY(wn_gpu_exchange(g->exchange, g->passing, f->send, to, f->receive));
  wn_halo_gpu_give_back(g);
  if (in > 0) {
    p->n += in;
    p->place = WN_PARTICLES_REMOTE;
    if (in_order)
      WN_TRY(wn_gpu_tiles_join(t, p, listed, p->n - in));
    else
      wn_gpu_store_forget(t);
  }
  return t != NULL ? wn_gpu_leavers_shrink(t) : WN_OK;
}

int wn_electrostatic_gpu_is_listed(const struct wn_electrostatic_gpu *g,
                                   const struct wn_points *m,
                                   const struct wn_particles *p)
{
  const struct wn_gpu_store *t = wn_gpu_store_of(g->gpu, p);
  return t != NULL && p->n > 0 && p->place != WN_PARTICLES_HOST && t->knows_leavers &&
         t->user != NULL && t->tiles != NULL && t->tiles->n > 0 && t->charge_dt > 0.0 &&
         t->charge_dt == m->dt && t->charge_nodes == (size_t)wn_grid_nodes(&m->grid);
}

int wn_electrostatic_gpu_migrate(struct wn_electrostatic_gpu *g,
                                 const struct wn_electrostatic *f, struct wn_particles *p,
                                 double dt, const struct wn_points *listed)
{
  const struct wn_migration l = wn_migration_of(f, p, dt);
  WN_TRY(wn_gpu_use(g->gpu));
  WN_TRY(wn_gpu_hold(g->gpu, p, 0.0));
  struct wn_gpu_store *t = p->n > 0 ? wn_gpu_store_of(g->gpu, p) : NULL;
  if (t != NULL) {
    t->charge_part = g->charge_part;
    WN_TRY(wn_gpu_leavers_begin(t, (int32_t)l.low, (uint32_t)l.wide, l.most));
  }
  WN_TRY(find(g, t, p->n, &l, listed != NULL));
  WN_TRY(wn_migration_too_fast(f, g->host_count[1] > 0));
  if (!wn_ranks_any(g->host_count[0] > 0))
    return WN_OK;
  if (listed != NULL) { /* the charge is that of the particles that were here */
    t->charge_dt = 0.0;
    t->knows_leavers = 0;
  }
  return move(g, f, p, &l, listed);
}
