/* device/batches.cuh - particles that stay on the host and visit the GPU in batches: segments of
 * a store go host -> device -> host through a few buffers.  Both copies have a stream of their
 * own; what is done with the records is launched on the stream of the GPU, as for a
 * store there.  So the copies of two segments, one each way, and the kernels of a third run at
 * the same time. */
#ifndef WN_DEVICE_BATCHES_CUH
#define WN_DEVICE_BATCHES_CUH
#include "device/device.cuh"

/* Of a visit: what is copied.  Records that only the device makes are not read. */
enum { WN_BATCH_READS = 1, WN_BATCH_WRITES = 2 };

/* Records that a buffer holds, for records of so many bytes; buffers and streams then exist.
 * begin: for n particles of p, whose pages are locked first.  WN_ENOMEM. */
int wn_gpu_batches_begin(struct wn_gpu *g, struct wn_particles *p, size_t *segment);
/* Segment k, counted from 0: n records from `first` on, in a buffer of the device.  In the
 * stream of g after the buffer is free and, if they are read, filled. */
int wn_gpu_batches_bring(struct wn_gpu *g, const struct wn_particles *p, size_t k,
                         size_t first, size_t n, int way, void **records);
/* After the kernels of segment k were launched. */
int wn_gpu_batches_return(struct wn_gpu *g, const struct wn_particles *p, size_t k,
                          size_t first, size_t n, int way);
/* Waits until all is done, and all records are on the host. */
int wn_gpu_batches_end(struct wn_gpu *g);

/* Visit the particles of p from `begin` on; work(records, first, n) launches on the stream of g what
 * is done with records [0, n) of a buffer, which are those from `first` on of the store.  The first
 * failure ends it.  Waits. */
template <class Work>
static int wn_gpu_batches_visit(struct wn_gpu *g, struct wn_particles *p, size_t begin,
                                int way, Work work)
{
  size_t segment, k = 0;
  int status = WN_OK;
  if (p->n <= begin)
    return WN_OK;
  WN_TRY(wn_gpu_batches_begin(g, p, &segment));
  for (size_t first = begin; first < p->n && status == WN_OK; first += segment, k++) {
    const size_t n = p->n - first < segment ? p->n - first : segment;
    void *records = NULL;
    status = wn_gpu_batches_bring(g, p, k, first, n, way, &records);
    if (status == WN_OK)
      status = work(records, first, n);
    if (status == WN_OK)
      status = wn_gpu_batches_return(g, p, k, first, n, way);
  }
  const int end = wn_gpu_batches_end(g);
  return status != WN_OK ? status : end;
}

/* The ten moments that are expected of p (device/expected_sums.cuh), one for each store in batches; NULL: none have
 * been. */
struct wn_gpu_ten *wn_gpu_batches_ten(const struct wn_gpu *g,
                                      const struct wn_particles *p);

/* A copy of a segment in the order of tiles, for kernels that need it: a store whose records are these until the next
 * call.  m: as for wn_gpu_tiles_sort.  The segment itself keeps its order. */
int wn_gpu_batches_order(struct wn_gpu *g, const struct wn_particles *p,
                         const struct wn_points *m, void *records, size_t n,
                         struct wn_gpu_store **out);

/* Are the particles of p in batches on g? */
static inline bool wn_gpu_is_in_batches(const struct wn_gpu *g,
                                        const struct wn_particles *p)
{
  return p->batches != NULL && p->device == (const void *)g &&
         p->place == WN_PARTICLES_HOST;
}

#endif
