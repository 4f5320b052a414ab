/* bench/study/rounds.cu - flight and events apart.  Words: warp_queue.cuh.
 *
 * Every thread of a block flies its electron, in registers, to the candidates of its next
 * random numbers.  Those whose candidate is accepted lay their electron into shared
 * memory and their number on a list of the block, and the list is worked off densely: by
 * as many threads as there are events, whole warps at a time, so that the long code of a
 * collision runs with all lanes.  Newborns are appended to the store and are the
 * electrons of the next round; rounds are parted by a barrier of the grid (cooperative
 * launch). */
#include "bench/study/models.cuh"
#include "bench/study/newborn_stack.cuh"

namespace
{

/* Of a lane; what is for its event is there only until that is done.  Its length is an
 * odd number of 8-byte words, so that lanes that read the same member use all banks. */
template <class F> struct slot {
  typename F::Record e, child;
  typename F::Hot h;
  typename F::Ticket ticket;
  int what; /* as the event returned it */
  char padding[(sizeof(typename F::Hot) + sizeof(typename F::Ticket) + 4) / 8 % 2 ? 8
                                                                                  : 16];
};

/* The event of a slot, by whatever thread. */
template <class F>
__device__ __forceinline__ void do_event(const typename F::Args &args, struct slot<F> &d,
                                         struct wn_tally t)
{
  F::arrive(args, d.e, d.h);
  d.what = F::event(args, F::kind(args), d.e, d.h, t, d.ticket, &d.child);
  if (d.what & WN_GPU_RARE) {
    typename F::Deferred a = {d.h, d.ticket, t, {}};
    d.what = F::rare(args, d.e, a);
    d.h = a.h;
    d.child = a.child;
  }
}

/* Serve the lanes of a warp, all together.  fresh: nothing was prepared for an
 * electron. */
template <class F>
__device__ __forceinline__ void
serve(const struct wn_gpu_launch &l, const typename F::Args &args, struct wn_gpu_warp &w,
      struct wn_gpu_queue &q, typename F::Record &e, typename F::Hot &h, int &state,
      unsigned long long &place, bool &fresh, struct wn_gpu_counters &c)
{
  typedef typename F::Record Record;
  w.full = __any_sync(WN_GPU_LANES, w.full || wn_gpu_full(l));
  if (state & WN_GPU_ENDED) {
    struct wn_tally t = wn_gpu_tally_at(l, w.copy);
    const int became = F::finish(args, e, h, state, t);
    c.candidates += (unsigned int)t.n_candidates;
    c.real += (unsigned int)t.n_real;
    c.deaths += (became & WN_GPU_DEAD) != 0;
    if (e.t_left > 0.0f && !w.full) {
      F::load(args, e, h);
      fresh = true;
      state = WN_GPU_FLIES;
    } else {
      wn_gpu_put(wn_gpu_at<Record>(l, place), e);
      state = WN_GPU_IDLE;
    }
  }
  __syncwarp();
  while (!q.empty && !w.full) {
    unsigned int idle = __ballot_sync(WN_GPU_LANES, state == WN_GPU_IDLE);
    int n = __popc(idle);
    if (n == 0)
      break;
    unsigned long long first = wn_gpu_take(&l.work->head, n);
    q.empty = first + (unsigned long long)n >= q.end;
    if (state == WN_GPU_IDLE) {
      place = first + (unsigned long long)__popc(idle & wn_gpu_below());
      if (place < q.end && wn_gpu_at<Record>(l, place)->t_left > 0.0f) {
        e = wn_gpu_fetch(wn_gpu_at<Record>(l, place));
        F::load(args, e, h);
        fresh = true;
        state = WN_GPU_FLIES;
      }
    }
  }
}

/* One thread owns one electron at a time and its slot.  An electron is read and written
 * once a step, a newborn once more; an event costs about 400 bytes of shared memory. */
template <class F>
__global__ void __maxnreg__(F::registers)
    rounds_kernel(const __grid_constant__ struct wn_gpu_launch l,
                  const __grid_constant__ typename F::Args args)
{
  typedef typename F::Record Record;
  __shared__ unsigned int n_events[2];
  struct slot<F> *slots = (struct slot<F> *)wn_gpu_shared, &mine = slots[threadIdx.x];
  unsigned short *list = (unsigned short *)(slots + blockDim.x);
  struct wn_gpu_warp w = wn_gpu_warp(l);
  struct wn_gpu_counters c = {0, 0, 0, 0, 0};
  Record &e = mine.e;
  typename F::Hot h;
  unsigned int turn = 0;
  if (threadIdx.x < 2)
    n_events[threadIdx.x] = 0;
  __syncthreads();
  wn_gpu_rounds<false>(l, w, [&]() {
    struct wn_gpu_queue q = {wn_gpu_peek(&l.work->end), 0};
    unsigned long long place = 0;
    int state = WN_GPU_IDLE;
    bool fresh = false;
    unsigned int turns = 0;
    for (;;) {
      unsigned int flies = __ballot_sync(WN_GPU_LANES, state == WN_GPU_FLIES),
                   ended = __ballot_sync(WN_GPU_LANES, (state & WN_GPU_ENDED) != 0);
      if (__popc(ended) >= F::service || flies == 0)
        serve<F>(l, args, w, q, e, h, state, place, fresh, c);
      int what = 0; /* of this turn */
      if (state == WN_GPU_FLIES) {
        struct wn_tally t = wn_gpu_tally_at(l, w.copy);
        if (turns % F::burst == 0 || fresh)
          F::prepare(args, e, h);
        fresh = false;
        what = F::fly(args, F::kind(args), e, h, t, mine.ticket, &mine.child);
        c.candidates += (unsigned int)t.n_candidates;
        if (what & WN_GPU_ENDED)
          F::arrive(args, e, h);
        if (what & WN_GPU_EVENT) {
          mine.h = h;
          state = WN_GPU_EVENT;
        }
      }
      turns++;
      unsigned int meets = __ballot_sync(WN_GPU_LANES, state == WN_GPU_EVENT);
      unsigned int first = meets != 0 ? wn_gpu_take(&n_events[turn], __popc(meets)) : 0;
      if (state == WN_GPU_EVENT)
        list[first + (unsigned int)__popc(meets & wn_gpu_below())] =
            (unsigned short)threadIdx.x;
      /* the block goes on while any of its threads has an electron */
      if (!__syncthreads_or(state != WN_GPU_IDLE))
        break;
      unsigned int n = n_events[turn];
      turn ^= 1;
      if (threadIdx.x == 0)
        n_events[turn] = 0;
      if (threadIdx.x < n)
        do_event<F>(args, slots[list[threadIdx.x]], wn_gpu_tally_at(l, w.copy));
      __syncthreads();
      if (state == WN_GPU_EVENT) {
        h = mine.h;
        what = mine.what;
        state = WN_GPU_FLIES;
      }
      if (what & WN_GPU_CHILD) {
        c.births++;
        Record child = F::newborn(e, mine.child);
        F::name(args, child);
        wn_gpu_append(l, child);
      }
      if (what & WN_GPU_ENDED)
        state = F::settled(e, what) || w.full ? what & WN_GPU_ENDED : WN_GPU_FLIES;
      __syncwarp();
    }
    __syncthreads();
  });
  wn_gpu_count_all(l, c);
}

int run(struct wn_scheduler *s, const struct wn_model *model,
        const struct wn_gpu_launch *l, unsigned long long)
{
  return wn_gpu_dispatch_special(*model, [&](auto m, const auto &args) {
    typedef typename decltype(m)::Flights F;
    return wn_gpu_start_resident(
        s, rounds_kernel<F>,
        {WN_GPU_BLOCK, sizeof(struct slot<F>) + sizeof(unsigned short), 0}, *l, args);
  });
}

const struct wn_gpu_kind kind = {"rounds", 1, run};

} /* namespace */

WN_GPU_SCHEDULER(wn_scheduler_rounds, kind,
                 "flights in registers, collisions gathered by block and worked off "
                 "densely, newborns in the next round");
