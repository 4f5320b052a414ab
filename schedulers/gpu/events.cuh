/* schedulers/gpu/events.cuh - the kernel of `dynamic` for a model whose flights end in
 * events (mcc: collisions).
 *
 * A warp lets its electrons fly until enough of them have met something, then does the
 * events of those together.  Newborns are seldom here and most of them live on, so each
 * gets its place in the store at once; the warp remembers the places of some, and begins
 * them before it takes anything more from the queue.  What it does not remember is work
 * of the next round.
 *
 * All that is seldom looked at lies in shared memory, 72 bytes a lane: registers are for
 * what flies, and the rest of the first-level cache for the tables. */
#ifndef WN_SCHEDULERS_GPU_EVENTS_CUH
#define WN_SCHEDULERS_GPU_EVENTS_CUH
#include "schedulers/gpu/warp.cuh"

/* What a lane wants: the bits that its flight or event returned, 0 for another flight;
 * or nothing. */
#define WN_GPU_WANTS_NONE 32
#define WN_GPU_WANTS_END  (WN_GPU_STEP | WN_GPU_DEAD) /* any of these */

/* Of a lane.  An odd number of 8-byte words, so that lanes that read the same member use
 * all banks. */
template <class F> struct wn_gpu_desk {
  typename F::Record e;
  uint64_t place; /* in the store */
};

/* Of a warp. */
struct wn_gpu_brood {
  unsigned int newborn[32]; /* places of those that nobody has begun */
  int held;                 /* of these */
  int empty;                /* the queue */
  unsigned int copy;        /* of the tally: here, as it would take a register */
};

template <class F>
static const size_t wn_gpu_events_shared = sizeof(struct wn_gpu_desk<F>) +
                                           sizeof(struct wn_gpu_brood) / 32 +
                                           (sizeof(struct wn_gpu_brood) % 32 > 0);

/* Sum over the lanes of a warp, for its first lane; in halves, or it could overflow. */
static __device__ __forceinline__ unsigned long long wn_gpu_total(unsigned int v)
{
#if __CUDA_ARCH__ >= 800
  return ((unsigned long long)__reduce_add_sync(WN_GPU_LANES, v >> 16) << 16) +
         __reduce_add_sync(WN_GPU_LANES, v & 0xffffu);
#else
  return wn_gpu_warp_sum(v);
#endif
}

/* The newborns of all lanes that have one. */
template <class F>
static __device__ __forceinline__ void wn_gpu_hatch(const struct wn_gpu_launch &l,
                                                    struct wn_gpu_brood &b, bool has,
                                                    const typename F::Record &child)
{
  const unsigned int born = __ballot_sync(WN_GPU_LANES, has);
  const int n = __popc(born), held = b.held;
  if (n == 0)
    return;
  if (wn_gpu_lane() == 0)
    atomicAdd(&l.work->births, (unsigned long long)n);
  const unsigned long long place =
      wn_gpu_take(&l.work->n, n) + (unsigned long long)__popc(born & wn_gpu_below());
  if (has)
    wn_gpu_place(l, place, child);
  const bool works = has && place < l.hard && child.t_left > 0.0f;
  const unsigned int all = __ballot_sync(WN_GPU_LANES, works);
  const int at = held + __popc(all & wn_gpu_below()), sum = held + __popc(all);
  __syncwarp();
  if (works && at < 32)
    b.newborn[at] = (unsigned int)place;
  if (wn_gpu_lane() == 0)
    b.held = sum < 32 ? sum : 32;
  __syncwarp();
}

/* The beginning of a round: each warp holds 32 electrons of the queue, which goes on
 * behind those of all.  Neighbours are given to other blocks, so that few electrons are
 * spread over all multiprocessors. */
static __device__ __forceinline__ void wn_gpu_deal(const struct wn_gpu_launch &l,
                                                   struct wn_gpu_brood &b)
{
  const unsigned long long begin = wn_gpu_peek(&l.work->begin),
                           end = wn_gpu_peek(&l.work->end),
                           mine = begin +
                                  32ull * (threadIdx.x / 32 * gridDim.x + blockIdx.x);
  b.newborn[wn_gpu_lane()] = (unsigned int)mine + (unsigned int)wn_gpu_lane();
  if (wn_gpu_lane() == 0) {
    b.held = mine >= end ? 0 : end - mine < 32 ? (int)(end - mine) : 32;
    b.empty = begin + gridDim.x * blockDim.x >= end;
  }
}

/* Those that wait end their mobility step; who is done goes to the store, and idle lanes
 * get new electrons. */
template <class F>
static __device__ __forceinline__ void
wn_gpu_attend(const struct wn_gpu_launch &l, const typename F::Args &args,
              struct wn_gpu_brood &b, struct wn_gpu_desk<F> &d, typename F::Hot &h,
              int &state)
{
  const bool full = __any_sync(WN_GPU_LANES, wn_gpu_full(l));
  const unsigned int dead = __ballot_sync(WN_GPU_LANES, (state & WN_GPU_DEAD) != 0);
  unsigned int candidates = 0, real = 0;
  if (state & WN_GPU_WANTS_END) {
    struct wn_tally t = wn_gpu_tally_at(l, b.copy);
    F::arrive(args, d.e, h);
    F::finish(args, d.e, h, state, t);
    candidates = (unsigned int)t.n_candidates;
    real = (unsigned int)t.n_real;
    if (d.e.t_left > 0.0f && !full) {
      F::load(args, d.e, h);
      state = 0;
    } else {
      wn_gpu_put(wn_gpu_at<typename F::Record>(l, d.place), d.e);
      state = WN_GPU_WANTS_NONE;
    }
  }
  const unsigned long long all_candidates = wn_gpu_total(candidates),
                           all_real = wn_gpu_total(real);
  if (wn_gpu_lane() == 0 && all_candidates > 0)
    atomicAdd(&l.work->candidates, all_candidates);
  if (wn_gpu_lane() == 0 && all_real > 0)
    atomicAdd(&l.work->real, all_real);
  if (wn_gpu_lane() == 0 && dead != 0)
    atomicAdd(&l.work->deaths, (unsigned long long)__popc(dead));
  while (!full) {
    const unsigned int idle = __ballot_sync(WN_GPU_LANES, state == WN_GPU_WANTS_NONE);
    const int rank = __popc(idle & wn_gpu_below()), n = __popc(idle), held = b.held;
    const bool empty = b.empty;
    __syncwarp();
    if (n == 0 || (held == 0 && empty))
      return;
    unsigned long long place = WN_GPU_NOWHERE;
    if (held > 0) {
      if (state == WN_GPU_WANTS_NONE && rank < held)
        place = b.newborn[held - 1 - rank];
    } else {
      const unsigned long long end = wn_gpu_peek(&l.work->end),
                               first =
                                   wn_gpu_take(&l.work->head, n) + gridDim.x * blockDim.x;
      if (state == WN_GPU_WANTS_NONE && first + (unsigned long long)rank < end)
        place = first + (unsigned long long)rank;
      if (wn_gpu_lane() == 0)
        b.empty = first + (unsigned long long)n >= end;
    }
    __syncwarp();
    if (wn_gpu_lane() == 0)
      b.held = held > n ? held - n : 0;
    if (place != WN_GPU_NOWHERE) {
      d.e = wn_gpu_fetch(wn_gpu_at<typename F::Record>(l, place));
      if (d.e.t_left > 0.0f) {
        d.place = place;
        F::load(args, d.e, h);
        state = 0;
      }
    }
    __syncwarp();
  }
}

/* One warp owns 32 electrons at a time.  An electron is read once and written once a
 * phase (128 bytes), a newborn once more; the rest is arithmetic, and some ten reads of
 * tables a collision, out of caches. */
template <class F, bool near>
static __global__ void __maxnreg__(F::event_registers)
    wn_gpu_events_kernel(const __grid_constant__ struct wn_gpu_launch l,
                         const __grid_constant__ typename F::Args args)
{
  struct wn_gpu_desk<F> *desks =
      (struct wn_gpu_desk<F> *)(wn_gpu_shared + (near ? F::near_bytes(args) / 16 : 0));
  struct wn_gpu_desk<F> &d = desks[threadIdx.x];
  struct wn_gpu_brood &b =
      ((struct wn_gpu_brood *)(desks + blockDim.x))[threadIdx.x / 32];
  const typename F::Kind kind = near ? F::near_kind(args, wn_gpu_shared) : F::kind(args);
  if (near)
    F::bring_near(args, wn_gpu_shared);
  __syncthreads();
  struct wn_gpu_warp w = wn_gpu_warp(l);
  wn_gpu_rounds<F::in_slices>(l, w, [&]() {
    typename F::Hot h;
    typename F::Ticket ticket;
    int state = WN_GPU_WANTS_NONE;
    wn_gpu_deal(l, b);
    if (wn_gpu_lane() == 0)
      b.copy = w.copy;
    __syncwarp();
    for (;;) {
      const int free = __popc(__ballot_sync(
          WN_GPU_LANES, (state & (WN_GPU_WANTS_END | WN_GPU_WANTS_NONE)) != 0));
      if (free >= F::service) {
        /* if there is something for them; else when nobody is on the way any more */
        const int idle = __popc(__ballot_sync(WN_GPU_LANES, state == WN_GPU_WANTS_NONE));
        if ((free - idle >= F::service && !b.empty) || b.held > 0 || free == 32)
          wn_gpu_attend<F>(l, args, b, d, h, state);
        if (__ballot_sync(WN_GPU_LANES, state != WN_GPU_WANTS_NONE) == 0)
          break;
      }
      if (state == 0) {
        struct wn_tally t = wn_gpu_tally_at(l, b.copy);
        state = F::fly(args, kind, d.e, h, t, ticket, NULL);
      }
      __syncwarp();
      const int flies = __popc(__ballot_sync(WN_GPU_LANES, state == 0)),
                meets = __popc(__ballot_sync(WN_GPU_LANES, state == WN_GPU_EVENT));
      if (meets >= flies) {
        if (state == WN_GPU_EVENT) {
          struct wn_tally t = wn_gpu_tally_at(l, b.copy);
          F::arrive(args, d.e, h);
          state = F::event(args, kind, d.e, h, t, ticket, NULL);
        }
        if (__ballot_sync(WN_GPU_LANES, state == WN_GPU_RARE) != 0) {
          typename F::Aside a;
          if (state == WN_GPU_RARE) {
            a.h = h;
            a.ticket = ticket;
            a.t = wn_gpu_tally_at(l, b.copy);
            state = F::rare(args, d.e, a);
            h = a.h;
          }
          wn_gpu_hatch<F>(l, b, state == WN_GPU_CHILD, a.child);
          state = state == WN_GPU_CHILD ? 0 : state;
        }
      }
    }
  });
}

/* Most that tables near by may take of the shared memory of a block; larger ones stay
 * where they are, as they would take too much of the first-level cache. */
#define WN_GPU_NEAR 65536

template <class F>
static int wn_gpu_start_events(struct wn_scheduler *s, const struct wn_gpu_launch &l,
                               const typename F::Args &args)
{
  const size_t bytes = F::near_bytes(args);
  return bytes <= WN_GPU_NEAR
             ? wn_gpu_start_resident(s, wn_gpu_events_kernel<F, true>,
                                     {F::block, wn_gpu_events_shared<F>, bytes}, l, args)
             : wn_gpu_start_resident(s, wn_gpu_events_kernel<F, false>,
                                     {F::block, wn_gpu_events_shared<F>, 0}, l, args);
}

#endif
