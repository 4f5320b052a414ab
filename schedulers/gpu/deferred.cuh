/* schedulers/gpu/deferred.cuh - `dynamic` with deferred collisions, where many electrons are born: flights with the
 * frequent events in one kernel, rare collisions in another, in turn.  Words: warp_queue.cuh.
 *
 * The code of rare collisions is long.  In one kernel with the flights (flight_kernel.cuh) it would take
 * registers, first-level cache and instruction cache from these.  An electron with a rare collision is
 * therefore stored in a list, with the contents of its registers, and its lane takes another electron.
 * When the list is full, or no electron is in flight, the other kernel carries out the collisions of the
 * list, and the flights go on from there.
 *
 * There are two lists in turn: electrons deferred in one round are in the first, and continue from it in
 * the next round, while the other is filled.  When that one is nearly full, all electrons in flight and
 * the rest of the first list are deferred, too, so that no lane waits for the longest flights.  Newborns
 * are appended to the store, and are started after the deferred electrons.
 *
 * If the store is full, no electron with a rare collision continues, and after a round the host makes
 * room.  The list remains for the next launch: struct wn_scheduler.deferred. */
#ifndef WN_SCHEDULERS_GPU_DEFERRED_CUH
#define WN_SCHEDULERS_GPU_DEFERRED_CUH
#include "schedulers/gpu/flight_kernel.cuh"

/* Of the memory that is free the lists take no more than one part in so many. */
#define WN_GPU_DEFERRED_SPARES 8

/* A deferred electron, complete: its record in the store is not written before its step ends. */
template <class F> struct wn_gpu_deferred_of {
  typename F::Record e;
  typename F::Hot h;
  typename F::Ticket ticket;
  int state; /* of its lane */
  unsigned long long place;
};

/* Of a warp. */
struct wn_gpu_deferring_warp {
  struct wn_gpu_sums sums;
  unsigned int next[32]; /* numbers of electrons not yet started */
  int held;              /* of these */
  int of_list;           /* they are those of the list, not of the store */
  unsigned int at, end;  /* numbers taken, not yet read */
  int no_list, no_store; /* none is left there */
  int stops;             /* the list that is filled is nearly full */
};

template <class F>
static const size_t wn_gpu_deferring_bytes = sizeof(struct wn_gpu_event_slot<F>) +
                                             sizeof(struct wn_gpu_deferring_warp) / 32 +
                                             (sizeof(struct wn_gpu_deferring_warp) % 32 >
                                              0);

template <class F> struct wn_gpu_deferred {
  struct wn_gpu_deferred_of<F> *list[2];
  unsigned int in; /* the list to continue from; the other is filled */
  unsigned int nearly_full;
};

/* ---- between the kernels, by one thread */

/* A launch begins: n electrons were deferred by the one before, which had read the store up to head. */
static __global__ void wn_gpu_deferred_begin_kernel(struct wn_gpu_work *w,
                                                    unsigned int in, unsigned int n,
                                                    unsigned long long head)
{
  w->deferred[in] = n;
  w->deferred[1 - in] = 0;
  if (n > 0)
    w->head = head;
  w->end = w->head; /* see below */
}

/* Before flights: the newborns of rare collisions are in the store. */
static __global__ void wn_gpu_deferred_turn_kernel(struct wn_gpu_work *w, unsigned int in)
{
  w->deferred[1 - in] = 0;
  w->deferred_head = 0;
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
static __device__ __forceinline__ void
wn_gpu_take_portion(const struct wn_gpu_launch &l, struct wn_gpu_deferring_warp &b,
                    unsigned int in, unsigned int portion)
{
  if (wn_gpu_lane() == 0) {
    const bool of_list = !b.no_list;
    const unsigned long long end = of_list ? wn_gpu_peek(&l.work->deferred[in])
                                           : wn_gpu_peek(&l.work->end),
                             first = of_list ? atomicAdd(&l.work->deferred_head, portion)
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

/* Whether an electron is left to start. */
static __device__ __forceinline__ bool
wn_gpu_has_more(const struct wn_gpu_deferring_warp &b)
{
  return b.held > 0 || b.at < b.end || !b.no_list || !b.no_store;
}

/* Electrons for the idle lanes, until no lane is idle or no electron left. */
template <class F>
static __device__ __forceinline__ void
wn_gpu_go_on(const struct wn_gpu_launch &l, const typename F::Args &args,
             const struct wn_gpu_deferred<F> &deferred, struct wn_gpu_deferring_warp &b,
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
        wn_gpu_take_portion(l, b, deferred.in, portion);
      continue;
    }
    if (state == WN_GPU_IDLE && rank < held) {
      const unsigned int i = b.next[held - 1 - rank];
      if (b.of_list) {
        const struct wn_gpu_deferred_of<F> *a = &deferred.list[deferred.in][i];
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

/* The electrons of some lanes go to the list being filled; returns the place of the first. */
template <class F>
static __device__ __forceinline__ unsigned int
wn_gpu_defer(const struct wn_gpu_launch &l, const struct wn_gpu_deferred<F> &deferred,
             const struct wn_gpu_event_slot<F> &d, const typename F::Hot &h,
             const typename F::Ticket &ticket, int &state, bool goes)
{
  const unsigned int all = __ballot_sync(WN_GPU_LANES, goes);
  const int n = __popc(all);
  if (n == 0)
    return 0;
  const unsigned int first = wn_gpu_take(&l.work->deferred[1 - deferred.in], n);
  if (goes) {
    struct wn_gpu_deferred_of<F> *a =
        &deferred.list[1 - deferred.in][first + __popc(all & wn_gpu_below())];
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
                     const struct wn_gpu_deferred<F> &deferred,
                     struct wn_gpu_deferring_warp &b, struct wn_gpu_event_slot<F> &d,
                     typename F::Hot &h, typename F::Ticket &ticket, int &state,
                     unsigned int portion)
{
  wn_gpu_end_steps<F, near>(l, args, b.sums, d, h, state, false);
  if (wn_gpu_defer<F>(l, deferred, d, h, ticket, state, state == WN_GPU_RARE) >=
          deferred.nearly_full &&
      wn_gpu_lane() == 0)
    b.stops = 1;
  __syncwarp();
  if (!b.stops) {
    wn_gpu_go_on<F>(l, args, deferred, b, d, h, ticket, state, portion);
    return;
  }
  /* Electrons in flight, and those of the other list not yet started: a warp defers these, too.  Each was
   * on that list once, so there is room for all. */
  if (wn_gpu_lane() == 0)
    b.no_store = 1;
  __syncwarp();
  for (;;) {
    wn_gpu_defer<F>(l, deferred, d, h, ticket, state, state != WN_GPU_IDLE);
    if (!wn_gpu_has_more(b))
      return;
    wn_gpu_go_on<F>(l, args, deferred, b, d, h, ticket, state, portion);
  }
}

/* One loop as in wn_gpu_events_kernel.  The events as a function of both kernels would cost these up to 64
 * instructions and 16 bytes of stack (CUDA 13.0, sm_90).
 *
 * One warp owns 32 electrons at a time.  An electron is read once and written once a step
 * (128 bytes), and each time that it is deferred (288); the rest is arithmetic, and some ten
 * reads of tables a collision, out of caches. */
template <class F, bool near>
static __global__ void __maxnreg__(F::event_registers)
    wn_gpu_flights_kernel(const __grid_constant__ struct wn_gpu_launch l,
                          const __grid_constant__ typename F::Args args,
                          const __grid_constant__ struct wn_gpu_deferred<F> deferred)
{
  const unsigned int listed = wn_gpu_peek(&l.work->deferred[deferred.in]);
  const unsigned long long begin = wn_gpu_peek(&l.work->begin),
                           end = wn_gpu_peek(&l.work->end);
  if (listed == 0 && begin == end)
    return; /* all threads of all blocks */
  struct wn_gpu_event_slot<F> *slots =
      (struct wn_gpu_event_slot<F> *)(wn_gpu_shared +
                                      (near ? wn_gpu_near_bytes<F>(args) / 16 : 0));
  struct wn_gpu_event_slot<F> &d = slots[threadIdx.x];
  struct wn_gpu_deferring_warp &b =
      ((struct wn_gpu_deferring_warp *)(slots + blockDim.x))[threadIdx.x / 32];
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
      wn_gpu_serve_flights<F, near>(l, args, deferred, b, d, h, ticket, state, portion);
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

/* The rare collisions of the electrons of list `in`: rare_collisions.cu.  parameters: of type struct
 * wn_gpu_launch, F::Args and struct wn_gpu_deferred<F>. */
template <class F> int wn_gpu_start_rare(struct wn_scheduler *s, void **parameters);

static inline size_t wn_gpu_deferred_places(const struct wn_scheduler *s)
{
  return s->deferred_places > 0 ? s->deferred_places : WN_GPU_DEFERRED_PLACES;
}

/* Whether it pays and there is memory for it, or some are deferred already.  n: electrons. */
static inline int wn_gpu_defers(const struct wn_scheduler *s, unsigned long long n)
{
  size_t available = 0, total;
  if (s->block != 0 ||
      (s->deferred_places == 0 && n < WN_GPU_DEFERRED_FROM && s->deferred.n == 0))
    return 0;
  if (s->deferred.lists != NULL)
    return 1;
  return cudaMemGetInfo(&available, &total) == cudaSuccess &&
         wn_gpu_deferred_bytes(s->gpu->multiprocessors, wn_gpu_deferred_places(s)) <
             available / WN_GPU_DEFERRED_SPARES;
}

template <class F>
static int wn_gpu_deferred_lists(struct wn_scheduler *s, struct wn_gpu_deferred<F> *out)
{
  static_assert(sizeof(struct wn_gpu_deferred_of<F>) == WN_GPU_DEFERRED_BYTES &&
                    F::block <= WN_GPU_DEFERRED_LANES,
                "as it is forecast, and in whole words of 16 bytes");
  const size_t asked = wn_gpu_deferred_places(s),
               bytes = wn_gpu_deferred_bytes(s->gpu->multiprocessors, asked);
  if (s->deferred.lists == NULL) {
    WN_TRY(wn_gpu_array(s->gpu, "deferred electrons", bytes, &s->deferred.lists));
    s->deferred.bytes = bytes;
  }
  out->list[0] = (struct wn_gpu_deferred_of<F> *)(void *)s->deferred.lists;
  out->list[1] = out->list[0] + bytes / (2 * WN_GPU_DEFERRED_BYTES);
  out->nearly_full = (unsigned int)(asked > 32 ? asked - 32 : 0);
  out->in = s->deferred.in;
  return WN_OK;
}

/* Rounds launched before the host reads the counts, where few electrons are left: reading takes as long
 * as these rounds. */
#define WN_GPU_DEFERRED_ROUNDS 4
#define WN_GPU_DEFERRED_MANY   100000ull

template <class F, bool near>
static int wn_gpu_start_deferring(struct wn_scheduler *s, const struct wn_gpu_launch &l,
                                  const typename F::Args &args)
{
  const size_t shared =
      F::block * wn_gpu_deferring_bytes<F> + (near ? wn_gpu_near_bytes<F>(args) : 0);
  const cudaStream_t stream = s->gpu->stream;
  struct wn_gpu_deferred<F> deferred;
  struct wn_gpu_work w;
  void *parameters[] = {(void *)&l, (void *)&args, (void *)&deferred};
  unsigned long long left = WN_GPU_DEFERRED_MANY;
  WN_TRY(wn_gpu_deferred_lists<F>(s, &deferred));
  wn_gpu_deferred_begin_kernel<<<1, 1, 0, stream>>>(l.work, deferred.in, s->deferred.n,
                                                    s->deferred.head);
  do {
    for (int i = left < WN_GPU_DEFERRED_MANY ? WN_GPU_DEFERRED_ROUNDS : 1; i > 0; i--) {
      WN_TRY(wn_gpu_start_rare<F>(s, parameters));
      wn_gpu_deferred_turn_kernel<<<1, 1, 0, stream>>>(l.work, deferred.in);
      WN_TRY(wn_gpu_launch_resident(s, (const void *)wn_gpu_flights_kernel<F, near>,
                                    F::block, shared, parameters, false));
      deferred.in = 1 - deferred.in;
    }
    WN_TRY(wn_gpu_read_work(s, &w));
    left = w.deferred[deferred.in] + (w.head < w.end ? w.end - w.head : 0);
  } while (left > 0 && !w.full);
  s->deferred.in = deferred.in;
  s->deferred.n = w.deferred[deferred.in];
  s->deferred.head = w.head < w.end ? w.head : w.end;
  return WN_OK;
}

template <class F>
static int wn_gpu_run_deferring(struct wn_scheduler *s, const struct wn_gpu_launch &l,
                                const typename F::Args &args)
{
  return wn_gpu_is_near<F>(args) ? wn_gpu_start_deferring<F, true>(s, l, args)
                                 : wn_gpu_start_deferring<F, false>(s, l, args);
}

#endif
