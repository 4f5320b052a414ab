/* bench/study/newborn_stack.cuh - warps (schedulers/gpu/warp_queue.cuh) that keep newborns on a small stack in
 * shared memory, from which idle lanes are served first, and write finished electrons to the store.
 *
 * Most newborns are not written to memory before they are finished, and one that dies in
 * the step of its birth never is.  What the stack cannot hold is written to the store a
 * row at a time, with one atomic operation, and is work of the next round.  When the
 * electron of a lane dies, its place in the store is reused for the next newborn that
 * this lane finishes. */
#ifndef WN_BENCH_STUDY_NEWBORN_STACK_CUH
#define WN_BENCH_STUDY_NEWBORN_STACK_CUH
#include "schedulers/gpu/warp_queue.cuh"

/* Data of a lane, beside the electron and its state. */
struct wn_gpu_slot {
  unsigned long long place; /* WN_GPU_NOWHERE: born in this step */
  int vacant;               /* the electron at this place died */
};

/* A warp's copy of the state of the queue: the same in all lanes. */
struct wn_gpu_queue {
  unsigned long long end;
  int empty;
};

/* Counters of a lane in one launch; an overflow would take hours. */
struct wn_gpu_counters {
  unsigned int candidates, real, births, deaths, gone;
};

/* Reserve places for n newborns at the end of the store, for the whole warp. */
static __device__ __forceinline__ unsigned long long
wn_gpu_take_places(const struct wn_gpu_launch &l, struct wn_gpu_warp &w, int n)
{
  unsigned long long first = wn_gpu_take(&l.work->n, n);
  if (first + (unsigned long long)n > l.room) {
    w.full = true;
    if (wn_gpu_lane() == 0)
      *(volatile unsigned int *)&l.work->full = 1;
  }
  return first;
}

/* ---- the stack of newborns */

/* In the shared memory of a block are the stacks of its warps, F::stack newborns each. */

/* Newborn number i of the stack, counted from the oldest. */
template <class F>
static __device__ __forceinline__ typename F::Record *
wn_gpu_on_stack(const struct wn_gpu_warp &w, int i)
{
  int at = (int)(threadIdx.x / 32) * F::stack + (w.bottom + i) % F::stack;
  return (typename F::Record *)(wn_gpu_shared +
                                sizeof(typename F::Record) / sizeof(uint4) * at);
}

/* Write the oldest newborns of the stack, up to 32, to the store with one atomic
 * operation: they will have the most descendants. */
template <class F>
static __device__ __forceinline__ void wn_gpu_flush(const struct wn_gpu_launch &l,
                                                    const typename F::Args &args,
                                                    struct wn_gpu_warp &w)
{
  int n = w.held < 32 ? w.held : 32;
  unsigned long long place =
      wn_gpu_take_places(l, w, n) + (unsigned long long)wn_gpu_lane();
  if (wn_gpu_lane() < n) {
    typename F::Record e = wn_gpu_fetch(wn_gpu_on_stack<F>(w, wn_gpu_lane()));
    F::name(args, e);
    wn_gpu_write(l, place, e);
  }
  __syncwarp();
  w.bottom = (w.bottom + n) % F::stack;
  w.held -= n;
}

/* Push the newborns of all lanes that have one on the stack. */
template <class F>
static __device__ __forceinline__ void
wn_gpu_push(const struct wn_gpu_launch &l, const typename F::Args &args,
            struct wn_gpu_warp &w, struct wn_gpu_counters &c, bool has,
            const typename F::Record &e, const typename F::Record &child)
{
  unsigned int born = __ballot_sync(WN_GPU_LANES, has);
  if (born == 0)
    return;
  int n = __popc(born);
  static_assert(F::stack >= 32 && (F::stack & (F::stack - 1)) == 0,
                "room for what all lanes can have at once");
  if (w.held + n > F::stack)
    wn_gpu_flush<F>(l, args, w);
  if (has)
    wn_gpu_put(wn_gpu_on_stack<F>(w, w.held + __popc(born & wn_gpu_below())),
               F::newborn(e, child));
  w.held += n;
  c.births += has;
  __syncwarp();
}

/* ---- serving */

/* Store the electrons that leave their lanes.  Living ones are written to the places of
 * their slots, or to new ones.  A dead one leaves a record only if it has a place, which
 * its lane keeps for the next electron that it finishes. */
template <class F>
static __device__ __forceinline__ void
wn_gpu_store_finished(const struct wn_gpu_launch &l, struct wn_gpu_warp &w, bool leaves,
                      typename F::Record &e, int &state, struct wn_gpu_slot &s,
                      struct wn_gpu_counters &c)
{
  bool lives = leaves && !(e.t_left < 0.0f);
  if (leaves) {
    /* a death is counted in the store at most once */
    bool dies = !lives && s.place != WN_GPU_NOWHERE && !s.vacant;
    c.gone += !dies && (!lives || s.vacant);
    s.vacant = !lives && s.place != WN_GPU_NOWHERE;
    state = WN_GPU_IDLE;
  }
  unsigned int wants = __ballot_sync(WN_GPU_LANES, lives && s.place == WN_GPU_NOWHERE);
  if (wants != 0) {
    unsigned long long first = wn_gpu_take_places(l, w, __popc(wants));
    if (lives && s.place == WN_GPU_NOWHERE) {
      s.place = first + (unsigned long long)__popc(wants & wn_gpu_below());
      if (s.place >= l.hard) {
        atomicAdd(&l.work->lost, 1u);
        lives = false;
        s.place = WN_GPU_NOWHERE;
      }
    }
  }
  if (lives) {
    wn_gpu_put(wn_gpu_at<typename F::Record>(l, s.place), e);
    s.place = WN_GPU_NOWHERE;
    e.t_left = 0.0f; /* no electron in this lane */
  }
}

/* Give up the place of a slot: mark its record as dead. */
template <class F>
static __device__ __forceinline__ void wn_gpu_release_place(const struct wn_gpu_launch &l,
                                                            const struct wn_gpu_slot &s)
{
  if (s.place != WN_GPU_NOWHERE)
    wn_gpu_at<typename F::Record>(l, s.place)->t_left = WN_DEAD;
}

/* Serve the lanes of a warp, all together. */
template <class F>
static __device__ __forceinline__ void
wn_gpu_serve(const struct wn_gpu_launch &l, const typename F::Args &args,
             struct wn_gpu_warp &w, struct wn_gpu_queue &q, typename F::Record &e,
             typename F::Hot &h, int &state, struct wn_gpu_slot &s,
             struct wn_gpu_counters &c)
{
  bool leaves = false;
  if (state & WN_GPU_ENDED) {
    struct wn_tally t = wn_gpu_tally_at(l, w.copy);
    const int became = F::finish(args, e, h, state, t);
    c.candidates += (unsigned int)t.n_candidates;
    c.real += (unsigned int)t.n_real;
    c.deaths += (became & WN_GPU_DEAD) != 0;
    leaves = !(e.t_left > w.stop) || w.full;
    if (!leaves) {
      F::load(args, e, h);
      state = WN_GPU_FLIES;
    }
  }
  for (;;) {
    wn_gpu_store_finished<F>(l, w, leaves, e, state, s, c);
    leaves = false;
    if (w.full)
      return;
    unsigned int idle = __ballot_sync(WN_GPU_LANES, state == WN_GPU_IDLE);
    int rank = __popc(idle & wn_gpu_below()), n = __popc(idle);
    if (n == 0)
      return;
    if (w.held > 0) {
      int taken = w.held < n ? w.held : n;
      if (state == WN_GPU_IDLE && rank < taken) {
        e = wn_gpu_fetch(wn_gpu_on_stack<F>(w, w.held - 1 - rank));
        F::name(args, e);
        if (e.t_left > w.stop) {
          F::load(args, e, h);
          state = WN_GPU_FLIES;
        } else {
          leaves = true; /* born at the end of the step */
        }
      }
      w.held -= taken;
      __syncwarp();
      continue;
    }
    if (q.empty)
      return;
    const unsigned long long first = wn_gpu_take(&l.work->head, n);
    q.empty = first + (unsigned long long)n >= q.end;
    if (state == WN_GPU_IDLE) {
      unsigned long long i = first + (unsigned long long)rank;
      if (i < q.end && wn_gpu_at<typename F::Record>(l, i)->t_left > w.stop) {
        wn_gpu_release_place<F>(l, s);
        s.place = i;
        s.vacant = false;
        e = wn_gpu_fetch(wn_gpu_at<typename F::Record>(l, i));
        F::load(args, e, h);
        state = WN_GPU_FLIES;
      }
    }
  }
}

/* Add the counters of a lane to memory, at the end of a kernel. */
static __device__ __forceinline__ void wn_gpu_count_all(const struct wn_gpu_launch &l,
                                                        const struct wn_gpu_counters &c)
{
  struct wn_tally t = l.tally;
  t.n_candidates = c.candidates;
  t.n_real = c.real;
  t.n_births = c.births;
  t.n_deaths = c.deaths;
  wn_gpu_count(l, t);
  unsigned long long gone = wn_gpu_warp_sum(c.gone);
  if (wn_gpu_lane() == 0 && gone > 0)
    atomicAdd(&l.work->gone, gone);
}

#endif
