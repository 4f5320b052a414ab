/* schedulers/gpu/apart.cuh - `dynamic` where many are born: flights with the common events in
 * one kernel, what is rare in another, in turn.  Words: warp_queue.cuh.
 *
 * The code of what is rare is long, and in one kernel with the flights (flight_kernel.cuh) it takes
 * their registers, their first-level cache and the cache of instructions.  So who meets something
 * rare is put aside, as it stands in its registers: its lane takes another electron, and when
 * a list of them is full, or nobody flies any more, the other kernel does what is rare for all of
 * the list, and those go on where they were.
 *
 * Two lists in turn: who was put aside in one round is in the first, and flies on from there
 * in the next, while the other is filled.  When that is nearly full all who fly are put aside,
 * too, and the rest of the first list: nobody waits for those that fly longest.  Newborns go to
 * the end of the store, and are begun behind those that were put aside.
 *
 * A store that is full: nobody who has met something rare goes on, and after a round the
 * host makes room.  The list stays for the next launch: struct wn_scheduler.aside. */
#ifndef WN_SCHEDULERS_GPU_APART_CUH
#define WN_SCHEDULERS_GPU_APART_CUH
#include "schedulers/gpu/flight_kernel.cuh"

/* Of the memory that is free the lists take no more than one part in so many. */
#define WN_GPU_APART_SPARES 8

/* Who was put aside, whole: the store is not touched until it ends its phase. */
template <class F> struct wn_gpu_aside_of {
  typename F::Record e;
  typename F::Hot h;
  typename F::Ticket ticket;
  int state; /* of its lane */
  unsigned long long place;
};

/* Of a warp. */
struct wn_gpu_apart_warp {
  struct wn_gpu_sums sums;
  unsigned int next[32]; /* numbers of electrons that nobody has begun */
  int held;              /* of these */
  int of_list;           /* they are those of the list, not of the store */
  unsigned int at, end;  /* numbers taken, at which nobody has looked yet */
  int no_list, no_store; /* nobody is left there */
  int stops;             /* the list that is filled is nearly full */
};

template <class F>
static const size_t wn_gpu_apart_bytes = sizeof(struct wn_gpu_event_slot<F>) +
                                         sizeof(struct wn_gpu_apart_warp) / 32 +
                                         (sizeof(struct wn_gpu_apart_warp) % 32 > 0);

template <class F> struct wn_gpu_apart {
  struct wn_gpu_aside_of<F> *list[2];
  unsigned int in; /* the list of those who go on; the other is filled */
  unsigned int nearly_full;
};

/* ---- between the kernels, by one thread */

/* A launch begins: n were put aside by the one before, and the store was looked at up to head. */
static __global__ void wn_gpu_apart_begin_kernel(struct wn_gpu_work *w, unsigned int in,
                                                 unsigned int n, unsigned long long head)
{
  w->aside[in] = n;
  w->aside[1 - in] = 0;
  if (n > 0)
    w->head = head;
  w->end = w->head; /* see below */
}

/* Before flights: the newborns of what was rare are there. */
static __global__ void wn_gpu_apart_turn_kernel(struct wn_gpu_work *w, unsigned int in)
{
  w->aside[1 - in] = 0;
  w->aside_head = 0;
  w->begin = w->head = w->head < w->end ? w->head : w->end; /* warps take too many */
  w->end = w->n;
}

/* ---- flights */

/* Numbers taken at a time: few where few are left, so that all warps get some. */
static __device__ __forceinline__ unsigned int wn_gpu_portion(unsigned long long n)
{
  const unsigned long long each = n / (gridDim.x * (blockDim.x / 32) * 2) + 1;
  return each < WN_GPU_PORTION ? (unsigned int)each : WN_GPU_PORTION;
}

/* Take some: of the list first, then of the store. */
static __device__ __forceinline__ void wn_gpu_take_portion(const struct wn_gpu_launch &l,
                                                           struct wn_gpu_apart_warp &b,
                                                           unsigned int in,
                                                           unsigned int portion)
{
  if (wn_gpu_lane() == 0) {
    const bool of_list = !b.no_list;
    const unsigned long long end = of_list ? wn_gpu_peek(&l.work->aside[in])
                                           : wn_gpu_peek(&l.work->end),
                             first = of_list ? atomicAdd(&l.work->aside_head, portion)
                                             : atomicAdd(&l.work->head,
                                                         (unsigned long long)portion),
                             last = first + portion;
    b.of_list = of_list;
    b.at = (unsigned int)(first < end ? first : end);
    b.end = (unsigned int)(last < end ? last : end);
    if (of_list)
      b.no_list = last >= end;
    else
      b.no_store = last >= end;
  }
  __syncwarp();
}

/* Is there anybody who can be begun? */
static __device__ __forceinline__ bool wn_gpu_has_more(const struct wn_gpu_apart_warp &b)
{
  return b.held > 0 || b.at < b.end || !b.no_list || !b.no_store;
}

/* Electrons for the idle lanes, until none is idle or nobody is left. */
template <class F>
static __device__ __forceinline__ void
wn_gpu_go_on(const struct wn_gpu_launch &l, const typename F::Args &args,
             const struct wn_gpu_apart<F> &apart, struct wn_gpu_apart_warp &b,
             struct wn_gpu_event_slot<F> &d, typename F::Hot &h,
             typename F::Ticket &ticket, int &state, unsigned int portion)
{
  for (;;) {
    const unsigned int idle = __ballot_sync(WN_GPU_LANES, state == WN_GPU_IDLE);
    const int rank = __popc(idle & wn_gpu_below()), n = __popc(idle), held = b.held;
    const bool unseen = b.at < b.end, more = wn_gpu_has_more(b);
    __syncwarp();
    if (n == 0 || !more)
      return;
    if (held == 0) {
      if (unseen)
        wn_gpu_scan<F>(l, b, b.of_list);
      else
        wn_gpu_take_portion(l, b, apart.in, portion);
      continue;
    }
    if (state == WN_GPU_IDLE && rank < held) {
      const unsigned int i = b.next[held - 1 - rank];
      if (b.of_list) {
        const struct wn_gpu_aside_of<F> *a = &apart.list[apart.in][i];
        d.e = wn_gpu_fetch(&a->e);
        d.place = a->place;
        h = wn_gpu_fetch(&a->h);
        ticket = a->ticket;
        state = a->state;
      } else {
        d.e = wn_gpu_fetch(wn_gpu_at<typename F::Record>(l, i));
        d.place = i;
        F::load(args, d.e, h);
        state = WN_GPU_FLIES;
      }
    }
    __syncwarp();
    if (wn_gpu_lane() == 0)
      b.held = held > n ? held - n : 0;
    __syncwarp();
  }
}

/* The electrons of some lanes go to the list that is filled: which place is the first. */
template <class F>
static __device__ __forceinline__ unsigned int
wn_gpu_put_aside(const struct wn_gpu_launch &l, const struct wn_gpu_apart<F> &apart,
                 const struct wn_gpu_event_slot<F> &d, const typename F::Hot &h,
                 const typename F::Ticket &ticket, int &state, bool goes)
{
  const unsigned int all = __ballot_sync(WN_GPU_LANES, goes);
  const int n = __popc(all);
  if (n == 0)
    return 0;
  const unsigned int first = wn_gpu_take(&l.work->aside[1 - apart.in], n);
  if (goes) {
    struct wn_gpu_aside_of<F> *a =
        &apart.list[1 - apart.in][first + __popc(all & wn_gpu_below())];
    wn_gpu_put(&a->e, d.e);
    wn_gpu_put(&a->h, h);
    a->ticket = ticket;
    a->state = state;
    a->place = d.place;
    state = WN_GPU_IDLE;
  }
  return first;
}

/* Serve the lanes of a warp, all together. */
template <class F, bool near>
static __device__ __forceinline__ void
wn_gpu_serve_flights(const struct wn_gpu_launch &l, const typename F::Args &args,
                     const struct wn_gpu_apart<F> &apart, struct wn_gpu_apart_warp &b,
                     struct wn_gpu_event_slot<F> &d, typename F::Hot &h,
                     typename F::Ticket &ticket, int &state, unsigned int portion)
{
  wn_gpu_end_steps<F, near>(l, args, b.sums, d, h, state, false);
  if (wn_gpu_put_aside<F>(l, apart, d, h, ticket, state, state == WN_GPU_RARE) >=
          apart.nearly_full &&
      wn_gpu_lane() == 0)
    b.stops = 1;
  __syncwarp();
  if (!b.stops) {
    wn_gpu_go_on<F>(l, args, apart, b, d, h, ticket, state, portion);
    return;
  }
  /* Those on the way, and those of the other list that nobody has begun: a warp takes these over, too,
   * and as each stood on that list once there is room for all. */
  if (wn_gpu_lane() == 0)
    b.no_store = 1;
  __syncwarp();
  for (;;) {
    wn_gpu_put_aside<F>(l, apart, d, h, ticket, state, state != WN_GPU_IDLE);
    if (!wn_gpu_has_more(b))
      return;
    wn_gpu_go_on<F>(l, args, apart, b, d, h, ticket, state, portion);
  }
}

/* One warp owns 32 electrons at a time.  An electron is read once and written once a phase
 * (128 bytes), and each time that it is put aside (288); the rest is arithmetic, and some ten
 * reads of tables a collision, out of caches. */
template <class F, bool near>
static __global__ void __maxnreg__(F::event_registers)
    wn_gpu_flights_kernel(const __grid_constant__ struct wn_gpu_launch l,
                          const __grid_constant__ typename F::Args args,
                          const __grid_constant__ struct wn_gpu_apart<F> apart)
{
  const unsigned int listed = wn_gpu_peek(&l.work->aside[apart.in]);
  const unsigned long long begin = wn_gpu_peek(&l.work->begin),
                           end = wn_gpu_peek(&l.work->end);
  if (listed == 0 && begin == end)
    return; /* all threads of all blocks */
  struct wn_gpu_event_slot<F> *slots =
      (struct wn_gpu_event_slot<F> *)(wn_gpu_shared +
                                      (near ? wn_gpu_near_bytes<F>(args) / 16 : 0));
  struct wn_gpu_event_slot<F> &d = slots[threadIdx.x];
  struct wn_gpu_apart_warp &b =
      ((struct wn_gpu_apart_warp *)(slots + blockDim.x))[threadIdx.x / 32];
  const typename F::Kind kind = near ? F::near_kind(args, wn_gpu_shared) : F::kind(args);
  const unsigned int portion = wn_gpu_portion(listed + end - begin);
  if (near) {
    F::bring_near(args, wn_gpu_shared);
    wn_gpu_clear_sums<F>(args);
  }
  if (wn_gpu_lane() == 0) {
    b.held = b.of_list = b.no_store = b.stops = 0;
    b.no_list = listed == 0;
    b.at = b.end = 0;
    wn_gpu_set_sums<F, near>(l, args, b.sums);
  }
  __syncthreads();
  typename F::Hot h;
  typename F::Ticket ticket = 0;
  int state = WN_GPU_IDLE;
  for (;;) {
    const int waits = __popc(__ballot_sync(
        WN_GPU_LANES, (state & (WN_GPU_ENDED | WN_GPU_IDLE | WN_GPU_RARE)) != 0));
    if (waits == 32 || (waits >= F::service && wn_gpu_has_more(b))) {
      wn_gpu_serve_flights<F, near>(l, args, apart, b, d, h, ticket, state, portion);
      if (__ballot_sync(WN_GPU_LANES, state != WN_GPU_IDLE) == 0)
        break;
    }
    if (state == WN_GPU_FLIES) {
      struct wn_tally t = wn_gpu_tally_at(l, b.sums.copy); /* seldom added to */
      state = F::fly(args, kind, d.e, h, t, ticket, NULL);
    }
    __syncwarp();
    const int flies = __popc(__ballot_sync(WN_GPU_LANES, state == WN_GPU_FLIES)),
              meets = __popc(__ballot_sync(WN_GPU_LANES, state == WN_GPU_EVENT));
    if (meets >= flies && state == WN_GPU_EVENT) {
      struct wn_tally t = wn_gpu_tally_near<F, near>(l, b.sums);
      F::arrive(args, d.e, h);
      state = F::event(args, kind, d.e, h, t, ticket, NULL);
    }
    __syncwarp();
  }
  if (near && F::sums_near)
    wn_gpu_add_block_sums<F>(l, args, b.sums.copy);
}

/* ---- from the host */

/* What is rare, for those of list `in` who have met it: rare_collisions.cu.  parameters: of type struct
 * wn_gpu_launch, F::Args and struct wn_gpu_apart<F>. */
template <class F> int wn_gpu_start_rare(struct wn_scheduler *s, void **parameters);

static inline size_t wn_gpu_apart_asked(const struct wn_scheduler *s)
{
  return s->apart_places > 0 ? s->apart_places : WN_GPU_APART_PLACES;
}

/* Is it worth it, and there memory for it, or are there some already?  n: electrons. */
static inline int wn_gpu_is_apart(const struct wn_scheduler *s, unsigned long long n)
{
  size_t available = 0, total;
  if (s->block != 0 || (s->apart_places == 0 && n < WN_GPU_APART_FROM && s->aside.n == 0))
    return 0;
  if (s->aside.lists != NULL)
    return 1;
  return cudaMemGetInfo(&available, &total) == cudaSuccess &&
         wn_gpu_aside_bytes(s->gpu->multiprocessors, wn_gpu_apart_asked(s)) <
             available / WN_GPU_APART_SPARES;
}

template <class F>
static int wn_gpu_apart_lists(struct wn_scheduler *s, struct wn_gpu_apart<F> *out)
{
  static_assert(sizeof(struct wn_gpu_aside_of<F>) == WN_GPU_ASIDE_BYTES &&
                    F::block <= WN_GPU_ASIDE_LANES,
                "as it is forecast, and in whole words of 16 bytes");
  const size_t asked = wn_gpu_apart_asked(s),
               bytes = wn_gpu_aside_bytes(s->gpu->multiprocessors, asked);
  if (s->aside.lists == NULL) {
    WN_TRY(wn_gpu_array(s->gpu, "electrons put aside", bytes, &s->aside.lists));
    s->aside.bytes = bytes;
  }
  out->list[0] = (struct wn_gpu_aside_of<F> *)(void *)s->aside.lists;
  out->list[1] = out->list[0] + bytes / (2 * WN_GPU_ASIDE_BYTES);
  out->nearly_full = (unsigned int)(asked > 32 ? asked - 32 : 0);
  out->in = s->aside.in;
  return WN_OK;
}

/* Rounds that are launched before the host looks, where few are left: to look takes as long as
 * they do. */
#define WN_GPU_APART_ROUNDS 4
#define WN_GPU_APART_MANY   100000ull

template <class F, bool near>
static int wn_gpu_start_apart(struct wn_scheduler *s, const struct wn_gpu_launch &l,
                              const typename F::Args &args)
{
  const size_t shared =
      F::block * wn_gpu_apart_bytes<F> + (near ? wn_gpu_near_bytes<F>(args) : 0);
  const cudaStream_t stream = s->gpu->stream;
  struct wn_gpu_apart<F> apart;
  struct wn_gpu_work w;
  void *parameters[] = {(void *)&l, (void *)&args, (void *)&apart};
  unsigned long long left = WN_GPU_APART_MANY;
  WN_TRY(wn_gpu_apart_lists<F>(s, &apart));
  wn_gpu_apart_begin_kernel<<<1, 1, 0, stream>>>(l.work, apart.in, s->aside.n,
                                                 s->aside.head);
  do {
    for (int i = left < WN_GPU_APART_MANY ? WN_GPU_APART_ROUNDS : 1; i > 0; i--) {
      WN_TRY(wn_gpu_start_rare<F>(s, parameters));
      wn_gpu_apart_turn_kernel<<<1, 1, 0, stream>>>(l.work, apart.in);
      WN_TRY(wn_gpu_launch_resident(s, (const void *)wn_gpu_flights_kernel<F, near>,
                                    F::block, shared, parameters, false));
      apart.in = 1 - apart.in;
    }
    WN_TRY(wn_gpu_read_work(s, &w));
    left = w.aside[apart.in] + (w.head < w.end ? w.end - w.head : 0);
  } while (left > 0 && !w.full);
  s->aside.in = apart.in;
  s->aside.n = w.aside[apart.in];
  s->aside.head = w.head < w.end ? w.head : w.end;
  return WN_OK;
}

template <class F>
static int wn_gpu_run_apart(struct wn_scheduler *s, const struct wn_gpu_launch &l,
                            const typename F::Args &args)
{
  return wn_gpu_is_near<F>(args) ? wn_gpu_start_apart<F, true>(s, l, args)
                                 : wn_gpu_start_apart<F, false>(s, l, args);
}

#endif
