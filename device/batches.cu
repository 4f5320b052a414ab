/* device/batches.cu - see batches.cuh. */
#include "device/batches.cuh"
#include <stdlib.h>
#include "base/alloc.h"
#include "device/expected_sums.cuh"
#include "device/node_sums.cuh"
#include "device/tiles.cuh"
#include "particles/page_lock.h"

#define MOST_STORES 64

struct wn_gpu_batches {
  size_t bytes; /* of a buffer */
  struct {
    unsigned char *records;
    cudaEvent_t filled, done,
        free; /* copied from the host; kernels done; to be filled anew */
  } of[WN_GPU_BATCHES];
  cudaStream_t in, out;
  /* ten moments that are expected, of several stores */
  size_t n_ten;
  struct {
    const struct wn_particles *of;
    struct wn_gpu_ten ten;
  } expected[MOST_STORES];
  struct wn_gpu_store ordered; /* of one segment */
};

/* ---- life */

static int make(struct wn_gpu *g, struct wn_gpu_batches *b)
{
  WN_TRY(wn_gpu_check((int)cudaStreamCreateWithFlags(&b->in, cudaStreamNonBlocking),
                      "queue of copies"));
  WN_TRY(wn_gpu_check((int)cudaStreamCreateWithFlags(&b->out, cudaStreamNonBlocking),
                      "queue of copies"));
  for (auto &of : b->of) {
    WN_TRY(wn_gpu_array(g, "particles in batches", b->bytes, &of.records));
    for (cudaEvent_t *event : {&of.filled, &of.done, &of.free})
      WN_TRY(wn_gpu_check((int)cudaEventCreateWithFlags(event, cudaEventDisableTiming),
                          "the end of a copy"));
  }
  return WN_OK;
}

static void free_all(struct wn_gpu *g)
{
  struct wn_gpu_batches *b = g->batches;
  if (b == NULL)
    return;
  for (auto &of : b->of) {
    wn_gpu_release(g, of.records, b->bytes);
    for (cudaEvent_t event : {of.filled, of.done, of.free})
      if (event != NULL)
        wn_gpu_check((int)cudaEventDestroy(event), "the end of a copy");
  }
  for (cudaStream_t stream : {b->in, b->out})
    if (stream != NULL)
      wn_gpu_check((int)cudaStreamDestroy(stream), "queue of copies");
  for (size_t k = 0; k < b->n_ten; k++)
    wn_gpu_release(g, b->expected[k].ten.sum, b->expected[k].ten.bytes);
  wn_gpu_tiles_free(g, b->ordered.tiles);
  wn_gpu_release(g, b->ordered.other, b->ordered.other_bytes);
  free(b);
  g->batches = NULL;
}

static int create(struct wn_gpu *g)
{
  if (g->batches != NULL)
    return WN_OK;
  g->batches = (struct wn_gpu_batches *)wn_alloc(1, sizeof *g->batches);
  if (g->batches == NULL)
    return WN_ENOMEM;
  g->free_batches = free_all;
  g->batches->bytes = g->batch_bytes > 0 ? g->batch_bytes : WN_GPU_BATCH_BYTES;
  const int status = make(g, g->batches);
  if (status != WN_OK)
    free_all(g);
  return status;
}

/* ---- a visit */

static int check(int error)
{
  return wn_gpu_check(error, "particles in batches");
}

int wn_gpu_batches_begin(struct wn_gpu *g, struct wn_particles *p, size_t *segment)
{
  WN_TRY(wn_gpu_use(g));
  WN_TRY(create(g));
  if (g->batches->bytes < p->record.bytes)
    return WN_FAIL(WN_EINPUT, "a batch of %zu bytes has no room for a particle of %zu",
                   g->batches->bytes, p->record.bytes);
  wn_particles_lock_pages(p);
  *segment = g->batches->bytes / p->record.bytes;
  return WN_OK;
}

int wn_gpu_batches_bring(struct wn_gpu *g, const struct wn_particles *p, size_t k,
                         size_t first, size_t n, int way, void **records)
{
  struct wn_gpu_batches *b = g->batches;
  auto &of = b->of[k % WN_GPU_BATCHES];
  *records = of.records;
  if (!(way & WN_BATCH_READS))
    return check((int)cudaStreamWaitEvent(g->stream, of.free, 0));
  WN_TRY(check((int)cudaStreamWaitEvent(b->in, of.free, 0)));
  WN_TRY(check((int)cudaMemcpyAsync(of.records, wn_particles_at(p, first),
                                    n * p->record.bytes, cudaMemcpyHostToDevice, b->in)));
  WN_TRY(check((int)cudaEventRecord(of.filled, b->in)));
  return check((int)cudaStreamWaitEvent(g->stream, of.filled, 0));
}

int wn_gpu_batches_return(struct wn_gpu *g, const struct wn_particles *p, size_t k,
                          size_t first, size_t n, int way)
{
  struct wn_gpu_batches *b = g->batches;
  auto &of = b->of[k % WN_GPU_BATCHES];
  if (!(way & WN_BATCH_WRITES))
    return check((int)cudaEventRecord(of.free, g->stream));
  WN_TRY(check((int)cudaEventRecord(of.done, g->stream)));
  WN_TRY(check((int)cudaStreamWaitEvent(b->out, of.done, 0)));
  WN_TRY(
      check((int)cudaMemcpyAsync(wn_particles_at(p, first), of.records,
                                 n * p->record.bytes, cudaMemcpyDeviceToHost, b->out)));
  return check((int)cudaEventRecord(of.free, b->out));
}

int wn_gpu_batches_end(struct wn_gpu *g)
{
  const int of_copies[] = {check((int)cudaStreamSynchronize(g->batches->in)),
                           check((int)cudaStreamSynchronize(g->stream)),
                           check((int)cudaStreamSynchronize(g->batches->out))};
  for (int status : of_copies)
    WN_TRY(status);
  return WN_OK;
}

/* ---- ten moments, and the order that they take */

struct wn_gpu_ten *wn_gpu_batches_ten(const struct wn_gpu *g,
                                      const struct wn_particles *p)
{
  struct wn_gpu_batches *b = g->batches;
  for (size_t k = 0; b != NULL && k < b->n_ten; k++)
    if (b->expected[k].of == p)
      return &b->expected[k].ten;
  return NULL;
}

int wn_gpu_batches_order(struct wn_gpu *g, const struct wn_particles *p,
                         const struct wn_points *m, void *records, size_t n,
                         struct wn_gpu_store **out)
{
  static const struct wn_gpu_tile_options best = {};
  struct wn_gpu_store *t = &g->batches->ordered;
  struct wn_particles segment = {};
  segment.n = n;
  segment.record = t->record = p->record;
  t->gpu = g;
  t->addresses.base = (decltype(t->addresses.base))records;
  t->addresses.page = WN_GPU_PAGE;
  t->is_other = 0;
  if (t->tiles != NULL)
    t->tiles->is_counted = 0;
  WN_TRY(wn_gpu_tiles_sort(t, &segment, m, &best, WN_GPU_SORT_COUNTING, 0));
  *out = t;
  return WN_OK;
}

static int expect_at_nodes(void *device, const struct wn_particles *p,
                           const struct wn_node_values *what, size_t n)
{
  struct wn_gpu *g = (struct wn_gpu *)device;
  struct wn_gpu_batches *b = g->batches;
  struct wn_gpu_ten *ten = wn_gpu_batches_ten(g, p);
  if (ten == NULL) {
    if (b == NULL || b->n_ten == MOST_STORES)
      return WN_OK; /* they will take a visit of their own */
    b->expected[b->n_ten].of = p;
    ten = &b->expected[b->n_ten++].ten;
  }
  return wn_gpu_ten_expect(g, ten, what, n);
}

/* ---- for struct wn_particles */

static const char *lock(void *device, void *memory, size_t bytes)
{
  const struct wn_gpu *g = (const struct wn_gpu *)device;
  cudaError_t error = cudaSetDevice(g->index);
  if (error == cudaSuccess)
    error = cudaHostRegister(memory, bytes, cudaHostRegisterDefault);
  cudaGetLastError();
  return error == cudaSuccess ? NULL : cudaGetErrorString(error);
}

static void unlock(void *device, void *memory)
{
  if (wn_gpu_works((const struct wn_gpu *)device))
    wn_gpu_check((int)cudaHostUnregister(memory), "unlocking pages");
}

static int check_record(const struct wn_particles *p, const struct wn_node_values *what)
{
  const size_t bytes = wn_particles_points(what->grid.points.kind).bytes;
  if (what->is_electron || p->record.bytes != bytes || !p->record.no_t_left)
    return WN_FAIL(WN_EINTERN, "sums in batches from records of %zu bytes, not %zu",
                   p->record.bytes, bytes);
  return WN_OK;
}

static int sum_at_nodes(void *device, struct wn_particles *p,
                        const struct wn_node_values *what, size_t n, wn_i128 **sums,
                        uint64_t *misfits)
{
  struct wn_gpu *g = (struct wn_gpu *)device;
  const struct wn_gpu_ten *ten = wn_gpu_batches_ten(g, p);
  WN_TRY(check_record(p, what));
  if (ten != NULL && wn_gpu_ten_has(ten, what, n))
    return wn_gpu_ten_sums(g, ten, sums, misfits);
  WN_TRY(wn_gpu_node_sums_begin(g, n));
  WN_TRY(wn_gpu_batches_visit(g, p, 0, WN_BATCH_READS,
                              [&](const void *records, size_t, size_t m) {
                                return wn_gpu_node_sums_add(g, what, records, m);
                              }));
  return wn_gpu_node_sums_end(g, n, sums, misfits);
}

static int largest_velocity(void *device, struct wn_particles *p,
                            const struct wn_node_values *what, float *most)
{
  struct wn_gpu *g = (struct wn_gpu *)device;
  const struct wn_gpu_ten *ten = wn_gpu_batches_ten(g, p);
  WN_TRY(check_record(p, what));
  if (ten != NULL && ten->is_known)
    return wn_gpu_ten_largest(g, ten, most);
  WN_TRY(wn_gpu_largest_begin(g));
  WN_TRY(wn_gpu_batches_visit(g, p, 0, WN_BATCH_READS,
                              [&](const void *records, size_t, size_t m) {
                                return wn_gpu_largest_add(g, what, records, m);
                              }));
  return wn_gpu_largest_end(g, most);
}

static int room_for_nodes(void *device, size_t n, int *is)
{
  return wn_gpu_node_sums_room((struct wn_gpu *)device, n, is);
}

int wn_gpu_in_batches(struct wn_gpu *g, struct wn_particles *p, size_t bytes)
{
  static const struct wn_particles_batches_ops ops = {
      lock, unlock, room_for_nodes, sum_at_nodes, largest_velocity, expect_at_nodes};
  if (g->batches == NULL && bytes > 0)
    g->batch_bytes = bytes;
  return wn_particles_in_batches(p, &ops, g);
}
