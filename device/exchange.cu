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

/* Bytes up to which the shared memory grows by itself; more data go in rounds. */
#define MOST_ROOM ((size_t)64 << 20)

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

/* Words [at[0], at[1]) of n in one of several rounds. */
static void slice(size_t n, size_t round, size_t rounds, size_t at[2])
{
  at[0] = n / rounds * round + n % rounds * round / rounds;
  at[1] = n / rounds * (round + 1) + n % rounds * (round + 1) / rounds;
}

static int lay_out(struct wn_gpu_exchange *x, const unsigned char *give,
                   const size_t *n_give, size_t round, size_t rounds)
{
  unsigned char *to = (unsigned char *)x->part[wn_rank()];
  for (int r = 0; r < wn_ranks(); r++) {
    size_t at[2];
    slice(n_give[r], round, rounds, at);
    WN_TRY(copy(x, to, give + 8 * at[0], 8 * (at[1] - at[0])));
    to += 8 * (at[1] - at[0]);
    give += 8 * n_give[r];
  }
  return wn_gpu_wait(x->gpu, "an exchange with other processes");
}

static int fetch(struct wn_gpu_exchange *x, unsigned char *take, const size_t *n_take,
                 size_t round, size_t rounds)
{
  const size_t ranks = (size_t)wn_ranks(), me = (size_t)wn_rank();
  for (size_t r = 0; r < ranks; r++) {
    const unsigned char *from = (const unsigned char *)x->part[r];
    size_t at[2];
    for (size_t to = 0; to < me; to++) { /* what that rank gives to others */
      slice(x->counts[r * ranks + to], round, rounds, at);
      from += 8 * (at[1] - at[0]);
    }
    slice(n_take[r], round, rounds, at);
    WN_TRY(copy(x, take + 8 * at[0], from, 8 * (at[1] - at[0])));
    take += 8 * n_take[r];
  }
  return wn_gpu_wait(x->gpu, "an exchange with other processes");
}

/* Of at most `most` words of a rank, as many at a time as there is room for. */
static int by_memory(struct wn_gpu_exchange *x, const unsigned char *give,
                     const size_t *n_give, unsigned char *take, const size_t *n_take,
                     size_t most)
{
  /* each of the slices of a rank may be longer by one word */
  const size_t fit = x->room / 8,
               rounds = most <= fit ? 1 : most / (fit - (size_t)wn_ranks()) + 1;
  for (size_t round = 0; round < rounds; round++) {
    if (round > 0)
      wn_ranks_wait(); /* all have read what is there; else the exchange of counts says so */
    WN_TRY(lay_out(x, give, n_give, round, rounds));
    wn_ranks_wait(); /* the data of all ranks are visible */
    WN_TRY(fetch(x, take, n_take, round, rounds));
  }
  return WN_OK;
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
  const size_t want = 16 * most < MOST_ROOM ? 16 * most : MOST_ROOM;
  if (x->part != NULL && 8 * most > x->room && want > x->room) { /* on all ranks */
    x->room = want;
    x->part = wn_gpu_lay_open(x->room, 0);
  }
  if (x->part != NULL)
    return by_memory(x, (const unsigned char *)give, n_give, (unsigned char *)take,
                     n_take, most);
  return by_messages(x, give, mine, n_give, take, n_take);
}
