/* schedulers/gpu/flight_kernel.cuh - kernel of `dynamic` for a model whose free flights
 * end in events (mcc: collisions).  Terms: warp_queue.cuh.
 *
 * A warp advances the flights of its electrons until enough of them have reached an
 * event, then carries out these events together.  Newborns are rare here and mostly
 * survive, so each is appended to the store at once.  The warp keeps the places of some
 * newborns and starts these before it takes more electrons from the queue.  The other
 * newborns are work of the next round.
 *
 * Events outside the common kinds have long code and are rare: an electron waits until
 * several electrons of the warp have one.
 *
 * Data that are seldom used are in shared memory, 72 bytes per lane.  Registers hold the
 * state of the flights, and the rest of the first-level cache is left to the tables. */
#ifndef WN_SCHEDULERS_GPU_FLIGHT_KERNEL_CUH
#define WN_SCHEDULERS_GPU_FLIGHT_KERNEL_CUH
#include "schedulers/gpu/warp_queue.cuh"

/* Data of a lane.  An odd number of 8-byte words, so that lanes that read the same member
 * use all banks. */
template <class F> struct wn_gpu_event_slot {
  typename F::Record e;
  uint64_t place;
};

/* Where a warp adds its sums: in the shared memory of its block, and which copy of the
 * tally.  Stored in shared memory to save registers. */
struct wn_gpu_sums {
  uint32_t group, process; /* as in struct wn_tally */
  unsigned int copy;
};

/* Data of a warp. */
struct wn_gpu_event_warp {
  struct wn_gpu_sums sums;
  unsigned int next[32]; /* places of electrons to be started */
  int held;              /* number of these */
  int empty;             /* the queue is empty */
  unsigned int at, end;  /* places taken from it but not yet scanned */
};

/* Bytes of both per lane. */
template <class F>
static const size_t wn_gpu_event_bytes = sizeof(struct wn_gpu_event_slot<F>) +
                                         sizeof(struct wn_gpu_event_warp) / 32 +
                                         (sizeof(struct wn_gpu_event_warp) % 32 > 0);

/* Sum over the lanes of a warp, valid in its first lane; in halves, to avoid overflow. */
static __device__ __forceinline__ unsigned long long wn_gpu_total(unsigned int v)
{
#if __CUDA_ARCH__ >= 800
  return ((unsigned long long)__reduce_add_sync(WN_GPU_LANES, v >> 16) << 16) +
         __reduce_add_sync(WN_GPU_LANES, v & 0xffffu);
#else
  return wn_gpu_warp_sum(v);
#endif
}

/* Append the newborns of all lanes that have one to the store; returns the place of this
 * lane's newborn. */
template <class Record>
static __device__ __forceinline__ unsigned long long
wn_gpu_place_newborns(const struct wn_gpu_launch &l, bool has, const Record &child)
{
  const unsigned int born = __ballot_sync(WN_GPU_LANES, has);
  const int n = __popc(born);
  if (n == 0)
    return WN_GPU_NOWHERE;
  if (wn_gpu_lane() == 0)
    atomicAdd(&l.work->births, (unsigned long long)n);
  const unsigned long long place =
      wn_gpu_take(&l.work->n, n) + (unsigned long long)__popc(born & wn_gpu_below());
  if (has)
    wn_gpu_place(l, place, child);
  return place;
}

/* The same, and keep their places in the warp. */
template <class F>
static __device__ __forceinline__ void
wn_gpu_store_newborns(const struct wn_gpu_launch &l, struct wn_gpu_event_warp &b,
                      bool has, const typename F::Record &child)
{
  const int held = b.held;
  const unsigned long long place = wn_gpu_place_newborns(l, has, child);
  if (place == WN_GPU_NOWHERE) /* no lane has one */
    return;
  const bool works = has && place < l.hard && child.t_left > 0.0f;
  const unsigned int all = __ballot_sync(WN_GPU_LANES, works);
  const int at = held + __popc(all & wn_gpu_below()), sum = held + __popc(all);
  __syncwarp();
  if (works && at < 32)
    b.next[at] = (unsigned int)place;
  if (wn_gpu_lane() == 0)
    b.held = sum < 32 ? sum : 32;
  __syncwarp();
}

/* Beginning of a round: each warp gets 32 electrons, and the queue continues behind those
 * of all warps.  Consecutive electrons go to different blocks, so that few electrons are
 * spread over all multiprocessors. */
static __device__ __forceinline__ void wn_gpu_begin_round(const struct wn_gpu_launch &l,
                                                          struct wn_gpu_event_warp &b)
{
  const unsigned long long begin = wn_gpu_peek(&l.work->begin),
                           end = wn_gpu_peek(&l.work->end),
                           mine = begin +
                                  32ull * (threadIdx.x / 32 * gridDim.x + blockIdx.x);
  b.next[wn_gpu_lane()] = (unsigned int)mine + (unsigned int)wn_gpu_lane();
  if (wn_gpu_lane() == 0) {
    b.held = mine >= end ? 0 : end - mine < 32 ? (int)(end - mine) : 32;
    b.empty = begin + gridDim.x * blockDim.x >= end;
    b.at = b.end = 0;
  }
}

/* If all electrons taken from the queue were finished, a warp takes this many places and
 * scans 32 at a time.  This happens in a store that was enlarged, or behind newborns that
 * were started at once. */
#define WN_GPU_SCAN_CHUNK 256u

/* Take a chunk of places from the queue. */
static __device__ __forceinline__ void wn_gpu_take_many(const struct wn_gpu_launch &l,
                                                        struct wn_gpu_event_warp &b)
{
  const unsigned long long end = wn_gpu_peek(&l.work->end),
                           first = wn_gpu_take(&l.work->head, (int)WN_GPU_SCAN_CHUNK) +
                                   gridDim.x * blockDim.x,
                           last = first + WN_GPU_SCAN_CHUNK;
  if (wn_gpu_lane() == 0) {
    b.at = (unsigned int)(first < end ? first : end);
    b.end = (unsigned int)(last < end ? last : end);
    b.empty = last >= end;
  }
  __syncwarp();
}

/* Keep those of the next 32 places whose electrons have time left; all_do: all have. */
template <class F, class Warp>
static __device__ __forceinline__ void wn_gpu_scan(const struct wn_gpu_launch &l, Warp &b,
                                                   bool all_do)
{
  const unsigned int place = b.at + (unsigned int)wn_gpu_lane();
  const bool works =
      place < b.end && (all_do || wn_gpu_at<typename F::Record>(l, place)->t_left > 0.0f);
  const unsigned int all = __ballot_sync(WN_GPU_LANES, works);
  if (works)
    b.next[__popc(all & wn_gpu_below())] = place;
  if (wn_gpu_lane() == 0) {
    b.held = __popc(all);
    b.at = b.end - b.at > 32 ? b.at + 32 : b.end;
  }
  __syncwarp();
}

/* Give electrons to the idle lanes, until no lane is idle or no electron is left. */
template <class F>
static __device__ __forceinline__ void
wn_gpu_fill_lanes(const struct wn_gpu_launch &l, const typename F::Args &args,
                  struct wn_gpu_event_warp &b, struct wn_gpu_event_slot<F> &d,
                  typename F::Hot &h, int &state, const bool full)
{
  while (!full) {
    const unsigned int idle = __ballot_sync(WN_GPU_LANES, state == WN_GPU_IDLE);
    const int rank = __popc(idle & wn_gpu_below()), n = __popc(idle), held = b.held;
    const bool empty = b.empty, unseen = F::looks && b.at < b.end;
    __syncwarp();
    if (n == 0 || (held == 0 && empty && !unseen))
      return;
    if (F::looks && held == 0 && unseen) {
      wn_gpu_scan<F>(l, b, false);
      continue;
    }
    unsigned long long place = WN_GPU_NOWHERE;
    if (held > 0) {
      if (state == WN_GPU_IDLE && rank < held)
        place = b.next[held - 1 - rank];
    } else {
      const unsigned long long end = wn_gpu_peek(&l.work->end),
                               first =
                                   wn_gpu_take(&l.work->head, n) + gridDim.x * blockDim.x;
      if (state == WN_GPU_IDLE && first + (unsigned long long)rank < end)
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
        state = WN_GPU_FLIES;
      }
    }
    if (F::looks) {
      const unsigned int still = __ballot_sync(WN_GPU_LANES, state == WN_GPU_IDLE);
      if (held == 0 && still == idle && !b.empty)
        wn_gpu_take_many(l, b);
    }
    __syncwarp();
  }
}

/* ---- tables and sums of the block in shared memory ("near") */

/* Rounded up to 16 bytes. */
template <class F>
static __host__ __device__ __forceinline__ size_t
wn_gpu_near_bytes(const typename F::Args &args)
{
  return F::near_bytes(args) + (F::near_sums(args) * WN_NEAR_BYTES + 15) / 16 * 16;
}

template <class F>
static __device__ __forceinline__ unsigned int *wn_gpu_sums(const typename F::Args &args)
{
  return (unsigned int *)(wn_gpu_shared + F::near_bytes(args) / 16);
}

/* Called by one lane of a warp. */
template <class F, bool near>
static __device__ __forceinline__ void wn_gpu_set_sums(const struct wn_gpu_launch &l,
                                                       const typename F::Args &args,
                                                       struct wn_gpu_sums &sums)
{
  sums.copy = wn_gpu_copy(l);
  if (near && F::sums_near) {
    sums.group = (uint32_t)__cvta_generic_to_shared(wn_gpu_sums<F>(args));
    sums.process = sums.group + F::near_groups(args);
  }
}

template <class F, bool near>
static __device__ __forceinline__ struct wn_tally
wn_gpu_tally_near(const struct wn_gpu_launch &l, const struct wn_gpu_sums &sums)
{
  struct wn_tally t = wn_gpu_tally_at(l, sums.copy);
  if (near && F::sums_near) {
    t.near_group = sums.group;
    t.near_process = sums.process;
  }
  return t;
}

template <class F>
static __device__ __forceinline__ void wn_gpu_clear_sums(const typename F::Args &args)
{
  const unsigned int words = (unsigned int)F::near_sums(args) * WN_NEAR_WORDS;
  for (unsigned int i = threadIdx.x; i < words; i += blockDim.x)
    wn_gpu_sums<F>(args)[i] = 0;
}

/* At the end of the kernel: add the sums of the block to its copy of the tally. */
template <class F>
static __device__ __forceinline__ void
wn_gpu_add_block_sums(const struct wn_gpu_launch &l, const typename F::Args &args,
                      unsigned int copy)
{
  const struct wn_tally t = wn_gpu_tally_at(l, copy);
  __syncthreads();
  for (unsigned int i = threadIdx.x; i < F::near_sums(args); i += blockDim.x) {
    const unsigned int *sum = wn_gpu_sums<F>(args) + (size_t)i * WN_NEAR_WORDS;
    const unsigned long long high = (unsigned long long)sum[2] << 32 | sum[1];
    unsigned long long *part = (unsigned long long *)F::near_cell(args, t, i);
    if (sum[0] != 0)
      atomicAdd(&part[0], (unsigned long long)sum[0]);
    if (high != 0)
      atomicAdd(&part[1], high);
  }
}

/* Finish the mobility steps of the lanes of a warp, all together.  An electron with time
 * left continues, unless the store is full. */
template <class F, bool near>
static __device__ __forceinline__ void
wn_gpu_end_steps(const struct wn_gpu_launch &l, const typename F::Args &args,
                 const struct wn_gpu_sums &sums, struct wn_gpu_event_slot<F> &d,
                 typename F::Hot &h, int &state, const bool full)
{
  unsigned int candidates = 0, real = 0;
  int became = 0;
  if (state & WN_GPU_ENDED) {
    struct wn_tally t = wn_gpu_tally_near<F, near>(l, sums);
    F::arrive(args, d.e, h);
    became = F::finish(args, d.e, h, state, t, near ? WN_SUMS_NEAR : WN_SUMS_CELLS);
    candidates = (unsigned int)t.n_candidates;
    real = (unsigned int)t.n_real;
    if (d.e.t_left > 0.0f && !full) {
      F::load(args, d.e, h);
      state = WN_GPU_FLIES;
    } else {
      wn_gpu_put(wn_gpu_at<typename F::Record>(l, d.place), d.e);
      state = WN_GPU_IDLE;
    }
  }
  const unsigned int dead = __ballot_sync(WN_GPU_LANES, (became & WN_GPU_DEAD) != 0);
  const unsigned long long all_candidates = wn_gpu_total(candidates),
                           all_real = wn_gpu_total(real);
  if (wn_gpu_lane() == 0 && all_candidates > 0)
    atomicAdd(&l.work->candidates, all_candidates);
  if (wn_gpu_lane() == 0 && all_real > 0)
    atomicAdd(&l.work->real, all_real);
  if (wn_gpu_lane() == 0 && dead != 0)
    atomicAdd(&l.work->deaths, (unsigned long long)__popc(dead));
}

/* Serve the lanes of a warp, all together.  When the store is full no lane gets an
 * electron. */
template <class F, bool near>
static __device__ __forceinline__ void
wn_gpu_serve_events(const struct wn_gpu_launch &l, const typename F::Args &args,
                    struct wn_gpu_event_warp &b, struct wn_gpu_event_slot<F> &d,
                    typename F::Hot &h, int &state)
{
  const bool full = __any_sync(WN_GPU_LANES, wn_gpu_full(l));
  wn_gpu_end_steps<F, near>(l, args, b.sums, d, h, state, full);
  wn_gpu_fill_lanes<F>(l, args, b, d, h, state, full);
}

/* One warp owns 32 electrons at a time.  An electron is read once and written once a step
 * (128 bytes), a newborn once more.  The rest is arithmetic, and about ten table reads
 * per collision, from caches. */
template <class F, bool near>
static __global__ void __maxnreg__(F::event_registers)
    wn_gpu_events_kernel(const __grid_constant__ struct wn_gpu_launch l,
                         const __grid_constant__ typename F::Args args)
{
  struct wn_gpu_event_slot<F> *slots =
      (struct wn_gpu_event_slot<F> *)(wn_gpu_shared +
                                      (near ? wn_gpu_near_bytes<F>(args) / 16 : 0));
  struct wn_gpu_event_slot<F> &d = slots[threadIdx.x];
  struct wn_gpu_event_warp &b =
      ((struct wn_gpu_event_warp *)(slots + blockDim.x))[threadIdx.x / 32];
  const typename F::Kind kind = near ? F::near_kind(args, wn_gpu_shared) : F::kind(args);
  if (near) {
    F::bring_near(args, wn_gpu_shared);
    wn_gpu_clear_sums<F>(args);
  }
  if (wn_gpu_lane() == 0)
    wn_gpu_set_sums<F, near>(l, args, b.sums);
  __syncthreads();
  struct wn_gpu_warp w = wn_gpu_warp(l);
  wn_gpu_rounds<F::in_slices>(l, w, [&]() {
    typename F::Hot h;
    typename F::Ticket ticket;
    int state = WN_GPU_IDLE;
    wn_gpu_begin_round(l, b);
    __syncwarp();
    for (;;) {
      const int waits = __popc(
          __ballot_sync(WN_GPU_LANES, (state & (WN_GPU_ENDED | WN_GPU_IDLE)) != 0));
      if (waits >= F::service) {
        /* if there is work for the idle lanes, or no lane is flying any more */
        const int idle = __popc(__ballot_sync(WN_GPU_LANES, state == WN_GPU_IDLE));
        if ((waits - idle >= F::service && (!b.empty || (F::looks && b.at < b.end))) ||
            b.held > 0 || waits == 32)
          wn_gpu_serve_events<F, near>(l, args, b, d, h, state);
        if (__ballot_sync(WN_GPU_LANES, state != WN_GPU_IDLE) == 0)
          break;
      }
      if (state == WN_GPU_FLIES) {
        /* a flight seldom adds to the tally, in a swarm almost never: no copy of its own,
         * no register */
        struct wn_tally t = wn_gpu_tally_at(l, F::seldom ? 0 : b.sums.copy);
        state = F::fly(args, kind, d.e, h, t, ticket, NULL);
      }
      __syncwarp();
      const int flies = __popc(__ballot_sync(WN_GPU_LANES, state == WN_GPU_FLIES)),
                meets = __popc(__ballot_sync(WN_GPU_LANES, state == WN_GPU_EVENT));
      if (meets >= flies) {
        if (state == WN_GPU_EVENT) {
          struct wn_tally t = wn_gpu_tally_near<F, near>(l, b.sums);
          F::arrive(args, d.e, h);
          state = F::event(args, kind, d.e, h, t, ticket, NULL);
        }
        const int rare = __popc(__ballot_sync(WN_GPU_LANES, state == WN_GPU_RARE)),
                  others = __popc(__ballot_sync(WN_GPU_LANES, state == WN_GPU_FLIES));
        if (rare > 0 && (rare >= F::rare_service || rare >= others)) {
          typename F::Deferred a;
          if (state == WN_GPU_RARE) {
            a.h = h;
            a.ticket = ticket;
            a.t = wn_gpu_tally_at(l, b.sums.copy);
            state = F::rare(args, d.e, a);
            h = a.h;
          }
          wn_gpu_store_newborns<F>(l, b, state == WN_GPU_CHILD, a.child);
          state = state == WN_GPU_CHILD ? WN_GPU_FLIES : state;
        }
      }
    }
  });
  if (near && F::sums_near)
    wn_gpu_add_block_sums<F>(l, args, w.copy);
}

/* Largest size of tables and sums in the shared memory of a block; larger ones stay in
 * global memory, since they would take too much of the first-level cache. */
#define WN_GPU_NEAR 98304

template <class F> static int wn_gpu_is_near(const typename F::Args &args)
{
  return wn_gpu_near_bytes<F>(args) <= WN_GPU_NEAR;
}

template <class F>
static int wn_gpu_start_events(struct wn_scheduler *s, const struct wn_gpu_launch &l,
                               const typename F::Args &args)
{
  return wn_gpu_is_near<F>(args)
             ? wn_gpu_start_resident(
                   s, wn_gpu_events_kernel<F, true>,
                   {F::block, wn_gpu_event_bytes<F>, wn_gpu_near_bytes<F>(args)}, l, args)
             : wn_gpu_start_resident(s, wn_gpu_events_kernel<F, false>,
                                     {F::block, wn_gpu_event_bytes<F>, 0}, l, args);
}

#endif
