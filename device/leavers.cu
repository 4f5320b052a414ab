/* device/leavers.cu - the list of particles that left the slab of a rank: see device.cuh. */
#include "device/device.cuh"

#define LEAST ((size_t)4096)
/* Places that stay allocated */
#define KEPT ((size_t)4 << 20)

static int make(struct wn_gpu_store *t, size_t room)
{
  struct wn_gpu_leavers *l = &t->leavers;
  wn_gpu_release(t->gpu, l->at, l->room * sizeof *l->at);
  l->at = NULL;
  l->room = 0;
  WN_TRY(wn_gpu_array(t->gpu, "migration", room, &l->at));
  l->room = room;
  return WN_OK;
}

int wn_gpu_leavers_fit(struct wn_gpu_store *t, size_t n)
{
  if (n <= t->leavers.room)
    return WN_OK;
  return make(t, n + n / 4 + LEAST);
}

/* The list has its new memory before the next step, which would otherwise list nothing. */
int wn_gpu_leavers_shrink(struct wn_gpu_store *t)
{
  return t->leavers.room > 2 * KEPT ? make(t, KEPT) : (int)WN_OK;
}

int wn_gpu_leavers_begin(struct wn_gpu_store *t, int32_t low, uint32_t wide, float most)
{
  struct wn_gpu_leavers *l = &t->leavers;
  if (l->count == NULL)
    WN_TRY(wn_gpu_array(t->gpu, "migration", 2, &l->count));
  if (l->room == 0)
    WN_TRY(wn_gpu_leavers_fit(t, LEAST));
  l->low = low;
  l->wide = wide;
  l->most = most;
  return WN_OK;
}

int wn_gpu_leavers_clear(struct wn_gpu_store *t)
{
  t->knows_leavers = 0;
  return wn_gpu_check((int)cudaMemsetAsync(t->leavers.count, 0,
                                           2 * sizeof *t->leavers.count, t->gpu->stream),
                      "migration");
}

void wn_gpu_leavers_free(struct wn_gpu_store *t)
{
  wn_gpu_release(t->gpu, t->leavers.at, t->leavers.room * sizeof *t->leavers.at);
  wn_gpu_release(t->gpu, t->leavers.count, 2 * sizeof *t->leavers.count);
}
