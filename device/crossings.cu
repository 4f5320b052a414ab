/* device/crossings.cu - crossings of detectors by electrons on the device: gpu.h, physics/crossing.h.  Kernels note them in a list of a
 * fixed room and count those beyond.  Where there were more, the launch is undone and made again with a longer list: all that it adds up
 * is taken from the device only after it, and the earliest first passages come out again. */
#include "device/device.cuh"
#include <stdlib.h>
#include "base/alloc.h"
#include "particles/crossings.h"

static const char name[] = "crossings of detectors";

struct wn_gpu_crossings {
  struct wn_gpu *gpu;
  struct wn_gpu_copy detectors;
  struct wn_crossings *there; /* on the device */
  struct wn_crossings
      *here;         /* what it is set to before a launch, and its n after it; pinned */
  size_t list_bytes; /* of here->list, on the device */
};

/* A list with room for so many, in the place of the one before. */
static int make_list(struct wn_gpu_crossings *q, size_t room)
{
  struct wn_gpu *g = q->gpu;
  void *list = NULL;
  wn_gpu_release(g, q->here->list, q->list_bytes);
  q->here->list = NULL;
  q->here->room = 0;
  q->list_bytes = 0;
  const size_t bytes = room * sizeof *q->here->list;
  WN_TRY(wn_gpu_alloc(g, name, bytes, &list));
  q->here->list = (struct wn_crossing *)list;
  q->here->room = room;
  q->list_bytes = bytes;
  return WN_OK;
}

static int set_up(struct wn_gpu_crossings *q, const struct wn_crossings *of, size_t room)
{
  static_assert(sizeof(struct wn_crossing) == WN_GPU_CROSSING_BYTES,
                "the forecast knows the bytes");
  void *memory = NULL;
  WN_TRY(wn_gpu_use(q->gpu));
  WN_TRY(wn_gpu_pinned(name, sizeof *q->here, &memory));
  q->here = (struct wn_crossings *)memory;
  *q->here = {};
  WN_TRY(wn_gpu_copy(q->gpu, of->detector, of->n_detectors * sizeof *of->detector,
                     &q->detectors));
  q->here->n_detectors = of->n_detectors;
  q->here->detector = (const struct wn_detector *)q->detectors.at;
  q->here->least_ev = of->least_ev;
  WN_TRY(wn_gpu_array(q->gpu, name, 1, &q->there));
  return make_list(q, room > 0 ? room : WN_GPU_CROSSINGS);
}

int wn_gpu_crossings_create(struct wn_gpu *g, const struct wn_crossings *of, size_t room,
                            struct wn_gpu_crossings **out)
{
  struct wn_gpu_crossings *q = (struct wn_gpu_crossings *)wn_alloc(1, sizeof *q);
  if (q == NULL)
    return WN_ENOMEM;
  q->gpu = g;
  const int status = set_up(q, of, room);
  if (status != WN_OK) {
    wn_gpu_crossings_free(q);
    return status;
  }
  *out = q;
  return WN_OK;
}

void wn_gpu_crossings_free(struct wn_gpu_crossings *q)
{
  if (q == NULL)
    return;
  struct wn_gpu *g = q->gpu;
  if (wn_gpu_works(g)) {
    wn_gpu_copy_free(g, &q->detectors);
    if (q->here != NULL)
      wn_gpu_release(g, q->here->list, q->list_bytes);
    wn_gpu_release(g, q->there, sizeof *q->there);
    wn_gpu_release_pinned(q->here);
  }
  free(q);
}

struct wn_crossings *wn_gpu_crossings_there(const struct wn_gpu_crossings *q)
{
  return q->there;
}

int wn_gpu_crossings_begin(struct wn_gpu_crossings *q, struct wn_gpu_store *t, size_t n)
{
  const struct wn_gpu *g = q->gpu;
  void *copy = NULL;
  if (t->is_other)
    return WN_FAIL(WN_EINTERN, "the electrons are where their copy belongs");
  WN_TRY(wn_gpu_store_other(t, n, &copy));
  WN_TRY(wn_gpu_check((int)cudaMemcpyAsync(copy, wn_gpu_records(t), n * t->record.bytes,
                                           cudaMemcpyDeviceToDevice, g->stream),
                      name));
  q->here->n = 0;
  return wn_gpu_check((int)cudaMemcpyAsync(q->there, q->here, sizeof *q->there,
                                           cudaMemcpyHostToDevice, g->stream),
                      name);
}

/* The electrons as they were, and a longer list. */
static int undo(struct wn_gpu_crossings *q, struct wn_gpu_store *t, size_t n)
{
  void *copy = NULL;
  WN_TRY(wn_gpu_store_other(t, n, &copy));
  WN_TRY(wn_gpu_check((int)cudaMemcpyAsync(wn_gpu_records(t), copy, n * t->record.bytes,
                                           cudaMemcpyDeviceToDevice, q->gpu->stream),
                      name));
  return make_list(q, wn_gpu_crossings_room(q->here->n));
}

int wn_gpu_crossings_end(struct wn_gpu_crossings *q, struct wn_gpu_store *t, size_t n,
                         struct wn_crossings *to, int *again)
{
  const struct wn_gpu *g = q->gpu;
  WN_TRY(wn_gpu_check((int)cudaMemcpyAsync(&q->here->n, &q->there->n, sizeof q->here->n,
                                           cudaMemcpyDeviceToHost, g->stream),
                      name));
  WN_TRY(wn_gpu_wait(g, name));
  const size_t found = q->here->n;
  *again = found > q->here->room;
  if (*again)
    return undo(q, t, n);
  if (found == 0)
    return WN_OK;
  WN_TRY(wn_crossings_reserve(to, to->n + found));
  WN_TRY(wn_gpu_check((int)cudaMemcpyAsync(to->list + to->n, q->here->list,
                                           found * sizeof *to->list,
                                           cudaMemcpyDeviceToHost, g->stream),
                      name));
  to->n += found;
  return wn_gpu_wait(g, name);
}
