/* fields/migration_gpu.cu - particles on GPUs go to the rank that has their cell: see
 * electrostatic_slabs_gpu.h.  They are found and counted, and those that leave put together by rank in
 * any order; their places in the store are graves. */
#include "fields/electrostatic_slabs_gpu.cuh"
#include "base/ranks.h"
#include "particles/load_balance.h"

/* One thread = one record after the other.  Reads a sector or two of it.  Limit: memory. */
static __global__ void __launch_bounds__(WN_GPU_STRIDE_BLOCK)
    find_kernel(const unsigned char *records, size_t n,
                const __grid_constant__ struct wn_migration l,
                struct wn_slab_leaver *leaver, size_t room, unsigned long long *count)
{
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
       i += (size_t)gridDim.x * blockDim.x) {
    int fast = 0;
    const int to = wn_migration_to(&l, records + i * l.bytes, &fast);
    if (fast)
      atomicAdd(&count[1], 1ull);
    if (to == l.rank)
      continue;
    const unsigned long long k = atomicAdd(&count[0], 1ull);
    atomicAdd(&count[2 + to], 1ull);
    if (k < room) {
      leaver[k].i = i;
      leaver[k].to = (uint64_t)to;
    }
  }
}

/* One thread = one leaving record after the other.  next [ranks]: where the next for each rank goes. */
static __global__ void __launch_bounds__(WN_GPU_STRIDE_BLOCK)
    take_kernel(unsigned char *records, const __grid_constant__ struct wn_migration l,
                const struct wn_slab_leaver *leaver, size_t n, unsigned long long *next,
                uint4 *out, const __grid_constant__ struct wn_gpu_dead_list graves,
                int has_t_left)
{
  const size_t words = l.bytes / sizeof(uint4);
  for (size_t k = blockIdx.x * (size_t)blockDim.x + threadIdx.x; k < n;
       k += (size_t)gridDim.x * blockDim.x) {
    unsigned char *r = records + leaver[k].i * l.bytes;
    uint4 *to = out + atomicAdd(&next[leaver[k].to], 1ull) * words;
    for (size_t w = 0; w < words; w++)
      to[w] = ((const uint4 *)(void *)r)[w];
    if (has_t_left)
      *(float *)(void *)(r + l.dead) = -1.0f;
    else
      *(int32_t *)(void *)(r + l.dead) = -1;
    wn_gpu_list_dead(graves, leaver[k].i);
  }
}

static int find(struct wn_slabs_gpu *g, const struct wn_gpu_store *t, size_t n,
                const struct wn_migration *l)
{
  const size_t bytes = (2 + (size_t)l->ranks) * sizeof *g->count;
  for (;;) {
    WN_TRY(wn_gpu_check((int)cudaMemsetAsync(g->count, 0, bytes, g->gpu->stream),
                        "migration"));
    if (n > 0)
      find_kernel<<<wn_gpu_stride_blocks(g->gpu, n), WN_GPU_STRIDE_BLOCK, 0,
                    g->gpu->stream>>>((const unsigned char *)wn_gpu_records(t), n, *l,
                                      g->leaver, g->n_leavers, g->count);
    WN_TRY(wn_gpu_check((int)cudaGetLastError(), "migration"));
    WN_TRY(wn_gpu_check((int)cudaMemcpyAsync(g->host_count, g->count, bytes,
                                             cudaMemcpyDeviceToHost, g->gpu->stream),
                        "migration"));
    WN_TRY(wn_gpu_wait(g->gpu, "migration"));
    const size_t all = (size_t)g->host_count[0];
    if (all <= g->n_leavers)
      return WN_OK;
    wn_gpu_release(g->gpu, g->leaver, g->n_leavers * sizeof *g->leaver);
    g->leaver = NULL;
    g->n_leavers = 0;
    WN_TRY(wn_gpu_array(g->gpu, "migration", all + all / 4, &g->leaver));
    g->n_leavers = all + all / 4;
  }
}

/* Out of the store, into g->passing. */
static int take_out(struct wn_slabs_gpu *g, struct wn_particles *p,
                    const struct wn_migration *l)
{
  const size_t n = (size_t)g->host_count[0], ranks = (size_t)l->ranks;
  struct wn_gpu_store *t = wn_gpu_store_of(g->gpu, p);
  struct wn_gpu_dead_list graves;
  WN_TRY(wn_slabs_gpu_passing(g, n * l->bytes));
  if (n == 0)
    return WN_OK;
  wn_gpu_store_forget(t);
  WN_TRY(wn_gpu_dead_list_begin(t, p->n, &graves));
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
                g->gpu->stream>>>((unsigned char *)wn_gpu_records(t), *l, g->leaver, n,
                                  g->count + 2, (uint4 *)(void *)g->passing, graves,
                                  !p->record.no_t_left);
  WN_TRY(wn_gpu_check((int)cudaGetLastError(), "migration"));
  t->dead += n;
  t->known += n;
  return wn_gpu_compact(p, WN_GPU_COMPACT_AUTO);
}

/* Their records to others, and those of others behind the rest. */
static int move(struct wn_slabs_gpu *g, const struct wn_electrostatic *f,
                struct wn_particles *p, const struct wn_migration *l)
{
  const size_t words = p->record.bytes / 8, ranks = (size_t)l->ranks;
  for (size_t r = 0; r < ranks; r++)
    f->send[r] = (size_t)g->host_count[2 + r];
  const size_t in = wn_migration_count(f);
  wn_particles_touched(p); /* whether some leave, or come */
  int status = take_out(g, p, l);
  if (status == WN_OK && in > 0)
    status = wn_gpu_make_room(g->gpu, p, in);
  WN_TRY(wn_particles_room(status));
  for (size_t r = 0; r < ranks; r++) {
    f->send[r] *= words;
    f->receive[r] *= words;
  }
  struct wn_gpu_store *t = in > 0 ? wn_gpu_store_of(g->gpu, p) : NULL;
  unsigned char *to =
      t != NULL ? (unsigned char *)wn_gpu_records(t) + p->n * p->record.bytes : NULL;
  WN_TRY(wn_gpu_exchange(g->exchange, g->passing, f->send, to, f->receive));
  if (in > 0) {
    wn_gpu_store_forget(t);
    p->n += in;
    p->place = WN_PARTICLES_REMOTE;
  }
  return WN_OK;
}

int wn_slabs_gpu_migrate(struct wn_slabs_gpu *g, const struct wn_electrostatic *f,
                        struct wn_particles *p, double dt)
{
  const struct wn_migration l = wn_migration_of(f, p, dt);
  WN_TRY(wn_gpu_use(g->gpu));
  WN_TRY(wn_gpu_hold(g->gpu, p, 0.0));
  WN_TRY(find(g, p->n > 0 ? wn_gpu_store_of(g->gpu, p) : NULL, p->n, &l));
  WN_TRY(wn_migration_too_fast(f, g->host_count[1] > 0));
  return wn_ranks_any(g->host_count[0] > 0) ? move(g, f, p, &l) : WN_OK;
}
