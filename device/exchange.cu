/* device/exchange.cu - see exchange.h. */
#include "device/exchange.h"
#include <stdlib.h>
#include "base/alloc.h"
#include "base/log.h"
#include "base/ranks.h"
#include "device/device.cuh"

/* ---- memory visible to other GPUs */

static struct {
  size_t bytes;
  int is;
  void **part; /* [ranks] */
} open_to_all;

/* Memory of each GPU, mapped into the address space of this one.  Returns whether all
 * ranks succeeded. */
static int open_gpus(size_t bytes, void **part)
{
  const int ranks = wn_ranks(), me = wn_rank();
  cudaIpcMemHandle_t mine,
      *all = (cudaIpcMemHandle_t *)wn_alloc((size_t)ranks, sizeof *all);
  int ok = all != NULL && cudaMalloc(&part[me], bytes) == cudaSuccess &&
           cudaIpcGetMemHandle(&mine, part[me]) == cudaSuccess;
  if (!wn_ranks_any(!ok)) {
    wn_ranks_gather(&mine, sizeof mine, all);
    for (int r = 0; r < ranks && ok; r++)
      ok = r == me || cudaIpcOpenMemHandle(&part[r], all[r],
                                           cudaIpcMemLazyEnablePeerAccess) == cudaSuccess;
    ok = !wn_ranks_any(!ok);
  } else {
    ok = 0;
  }
  cudaGetLastError(); /* unavailable memory is no error */
  free(all);
  return ok;
}

/* Memory of the host, in the same way.  Returns whether all ranks succeeded. */
static int open_host(size_t bytes, void **part)
{
  struct wn_ranks_window *w;
  int ok = wn_ranks_window_create(bytes, &w) == WN_OK;
  if (!ok)
    return 0;
  for (int r = 0; r < wn_ranks() && ok; r++) {
    void *here = wn_ranks_window_part(w, r);
    ok = cudaHostRegister(here, bytes, cudaHostRegisterPortable) == cudaSuccess &&
         cudaHostGetDevicePointer(&part[r], here, 0) == cudaSuccess;
  }
  cudaGetLastError();
  return !wn_ranks_any(!ok);
}

void *const *wn_gpu_lay_open(size_t bytes, int some_has_none)
{
  if (some_has_none || wn_ranks_here() != wn_ranks())
    return NULL;
  if (open_to_all.bytes < bytes) {
    void **part = (void **)wn_alloc((size_t)wn_ranks(), sizeof *part);
    if (wn_ranks_any(part == NULL)) {
      free(part);
      return NULL;
    }
    open_to_all.bytes = bytes;
    const int gpus = open_gpus(bytes, part);
    open_to_all.is = gpus || (wn_ranks() > 1 && open_host(bytes, part));
    open_to_all.part = part; /* the former array stays: it may still be in use */
    wn_log(WN_LOG_DEBUG, "exchange between GPUs: by memory of %s",
           gpus             ? "the GPUs"
           : open_to_all.is ? "the host"
                            : "messages");
  }
  return open_to_all.is ? open_to_all.part : NULL;
}

/* ---- words between ranks */

struct wn_gpu_exchange {
  struct wn_gpu *gpu;
  void *const *part;      /* [ranks]; NULL: by messages */
  size_t room;            /* bytes of each; 0: by messages alone */
  size_t *counts;         /* [ranks][ranks] words from each rank for each */
  unsigned char *passing; /* pinned, for messages */
  size_t n_passing;
};

void wn_gpu_exchange_free(struct wn_gpu_exchange *x)
{
  if (x == NULL)
    return;
  if (wn_gpu_works(x->gpu))
    wn_gpu_release_pinned(x->passing);
  free(x->counts);
  free(x);
}

int wn_gpu_exchange_create(struct wn_gpu *g, size_t room, struct wn_gpu_exchange **out)
{
  const size_t ranks = (size_t)wn_ranks();
  double most = (double)room;
  struct wn_gpu_exchange *x = (struct wn_gpu_exchange *)wn_alloc(1, sizeof *x);
  wn_ranks_most(&most, 1);
  if (x != NULL)
    x->counts = (size_t *)wn_alloc(ranks * ranks, sizeof *x->counts);
  if (wn_ranks_any(x == NULL || x->counts == NULL)) {
    free(x != NULL ? x->counts : NULL);
    free(x);
    return WN_ENOMEM;
  }
  x->gpu = g;
  x->room = (size_t)most;
  WN_TRY(wn_gpu_use(g));
  x->part = x->room > 0 ? wn_gpu_lay_open(x->room, 0) : NULL;
  *out = x;
  return WN_OK;
}

static int copy(const struct wn_gpu_exchange *x, void *to, const void *from, size_t bytes)
{
  return bytes == 0
             ? (int)WN_OK
             : wn_gpu_check((int)cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault,
                                                 x->gpu->stream),
                            "an exchange with other processes");
}

static size_t sum(const size_t *n, size_t ranks)
{
  size_t all = 0;
  for (size_t r = 0; r < ranks; r++)
    all += n[r];
  return all;
}

static int by_memory(struct wn_gpu_exchange *x, const unsigned char *give, size_t n_give,
                     unsigned char *take, const size_t *n_take)
{
  const size_t ranks = (size_t)wn_ranks(), me = (size_t)wn_rank();
  WN_TRY(copy(x, x->part[me], give, 8 * n_give));
  WN_TRY(wn_gpu_wait(x->gpu, "an exchange with other processes"));
  wn_ranks_wait(); /* the data of all ranks are visible */
  for (size_t r = 0; r < ranks; r++) {
    const size_t before = sum(x->counts + r * ranks, me);
    WN_TRY(copy(x, take, (const unsigned char *)x->part[r] + 8 * before, 8 * n_take[r]));
    take += 8 * n_take[r];
  }
  /* before any rank overwrites its data, which it does only after the exchange of
   * counts */
  return wn_gpu_wait(x->gpu, "an exchange with other processes");
}

static int by_messages(struct wn_gpu_exchange *x, const void *give, size_t all_give,
                       const size_t *n_give, void *take, const size_t *n_take)
{
  const size_t all_take = sum(n_take, (size_t)wn_ranks()), all = all_give + all_take;
  if (x->n_passing < all) {
    void *memory = NULL;
    const size_t more = all + all / 4;
    wn_gpu_release_pinned(x->passing);
    x->passing = NULL;
    x->n_passing = 0;
    WN_TRY(wn_gpu_pinned("an exchange with other processes", 8 * more, &memory));
    x->passing = (unsigned char *)memory;
    x->n_passing = more;
  }
  WN_TRY(copy(x, x->passing, give, 8 * all_give));
  WN_TRY(wn_gpu_wait(x->gpu, "an exchange with other processes"));
  wn_ranks_exchange(x->passing, n_give, x->passing + 8 * all_give, n_take);
  WN_TRY(copy(x, take, x->passing + 8 * all_give, 8 * all_take));
  return wn_gpu_wait(x->gpu, "an exchange with other processes");
}

int wn_gpu_exchange(struct wn_gpu_exchange *x, const void *give, const size_t *n_give,
                    void *take, const size_t *n_take)
{
  const size_t ranks = (size_t)wn_ranks();
  size_t most = 0;
  WN_TRY(wn_gpu_use(x->gpu));
  wn_ranks_gather(n_give, ranks * sizeof *n_give, x->counts);
  for (size_t r = 0; r < ranks; r++) {
    const size_t of_r = sum(x->counts + r * ranks, ranks);
    most = of_r > most ? of_r : most;
  }
  const size_t mine = sum(n_give, ranks);
  if (most == 0)
    return WN_OK;
  if (x->part != NULL && 8 * most > x->room) { /* on all ranks */
    x->room = 16 * most;
    x->part = wn_gpu_lay_open(x->room, 0);
  }
  if (x->part != NULL)
    return by_memory(x, (const unsigned char *)give, mine, (unsigned char *)take, n_take);
  return by_messages(x, give, mine, n_give, take, n_take);
}
