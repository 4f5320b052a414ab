/* schedulers/gpu/rounds.cu - flight and events apart.
 *
 * Every thread of a block flies its electron, in registers, to the candidates of its next
 * random numbers.  Those whose candidate is accepted lay their electron into shared
 * memory and their number on a list of the block, and the list is worked off densely: by
 * as many threads as there are events, whole warps at a time, so that the long code of a
 * collision runs with all lanes.  Newborns are appended to the store and are the
 * electrons of the next round; rounds are parted by a barrier of the grid (cooperative
 * launch). */
#include "schedulers/gpu/warp.cuh"

namespace
{

enum { IDLE, RUNS, WAITS, MEETS };

/* An electron on its way to an event and back.  Its length is an odd number of 8-byte
 * words, so that lanes that read the same member use all banks. */
template <class F> struct shelf {
  typename F::Record e, child;
  typename F::Hot h;
  typename F::Ticket ticket;
  int what;
  char padding[(sizeof(typename F::Hot) + sizeof(typename F::Ticket) + 4) / 8 % 2 ? 8
                                                                                  : 16];
};

/* One thread owns one electron at a time and its shelf.  An electron is read and written
 * once a phase, a newborn once more; an event costs about 400 bytes of shared memory. */
template <class F>
__global__ void __maxnreg__(F::registers)
    rounds_kernel(const __grid_constant__ struct wn_gpu_launch l,
                  const __grid_constant__ typename F::Args args)
{
  __shared__ unsigned int n_events[2];
  struct shelf<F> *shelves = (struct shelf<F> *)wn_gpu_shared,
                  &mine = shelves[threadIdx.x];
  unsigned short *list = (unsigned short *)(shelves + blockDim.x);
  struct wn_gpu_warp w = wn_gpu_warp(l);
  struct wn_gpu_counters c = {0, 0, 0, 0, 0};
  typedef typename F::Record Record;
  Record &e = mine.e;
  typename F::Hot h;
  unsigned int turn = 0;
  if (threadIdx.x < 2)
    n_events[threadIdx.x] = 0;
  __syncthreads();
  wn_gpu_rounds<false>(l, w, [&]() {
    unsigned long long end = wn_gpu_peek(&l.work->end), place = 0;
    int state = IDLE, what = 0;
    bool empty = false, fresh = false;
    unsigned int turns = 0;
    for (;;) {
      /* the end of mobility steps, and new work, for a warp together */
      unsigned int runs = __ballot_sync(WN_GPU_LANES, state == RUNS),
                   waits = __ballot_sync(WN_GPU_LANES, state == WAITS);
      if (__popc(waits) >= F::service || runs == 0) {
        w.full = __any_sync(WN_GPU_LANES, w.full || wn_gpu_full(l));
        if (state == WAITS) {
          struct wn_tally t = wn_gpu_tally_at(l, w.copy);
          F::finish(args, e, h, what, t);
          c.candidates += (unsigned int)t.n_candidates;
          c.real += (unsigned int)t.n_real;
          c.deaths += (what & WN_GPU_DEAD) != 0;
          if (e.t_left > 0.0f && !w.full) {
            F::load(args, e, h);
            fresh = true;
            state = RUNS;
          } else {
            wn_gpu_put(wn_gpu_at<Record>(l, place), e);
            state = IDLE;
          }
        }
        __syncwarp();
        while (!empty && !w.full) {
          unsigned int idle = __ballot_sync(WN_GPU_LANES, state == IDLE);
          int n = __popc(idle);
          if (n == 0)
            break;
          unsigned long long first = wn_gpu_take(&l.work->head, n);
          empty = first + (unsigned long long)n >= end;
          if (state == IDLE) {
            place = first + (unsigned long long)__popc(idle & wn_gpu_below());
            if (place < end && wn_gpu_at<Record>(l, place)->t_left > 0.0f) {
              e = wn_gpu_fetch(wn_gpu_at<Record>(l, place));
              F::load(args, e, h);
              fresh = true;
              state = RUNS;
            }
          }
        }
      }
      what = state == WAITS ? what : 0;
      int flown = 0;
      if (state == RUNS) {
        struct wn_tally t = wn_gpu_tally_at(l, w.copy);
        if (turns % F::burst == 0 || fresh)
          F::prepare(args, e, h);
        fresh = false;
        flown = F::fly(args, F::kind(args), e, h, t, mine.ticket, &mine.child);
        c.candidates += (unsigned int)t.n_candidates;
        if (flown & (WN_GPU_STEP | WN_GPU_DEAD))
          F::arrive(args, e, h);
        if (flown & WN_GPU_EVENT) {
          mine.h = h;
          state = MEETS;
        }
      }
      turns++;
      unsigned int meets = __ballot_sync(WN_GPU_LANES, state == MEETS);
      unsigned int first = meets != 0 ? wn_gpu_take(&n_events[turn], __popc(meets)) : 0;
      if (state == MEETS)
        list[first + (unsigned int)__popc(meets & wn_gpu_below())] =
            (unsigned short)threadIdx.x;
      /* the block goes on while any of its threads has an electron */
      if (!__syncthreads_or(state != IDLE))
        break;
      unsigned int n = n_events[turn];
      turn ^= 1;
      if (threadIdx.x == 0)
        n_events[turn] = 0;
      if (threadIdx.x < n) {
        struct shelf<F> &other = shelves[list[threadIdx.x]];
        struct wn_tally t = wn_gpu_tally_at(l, w.copy);
        F::arrive(args, other.e, other.h);
        other.what = F::event(args, F::kind(args), other.e, other.h, t, other.ticket,
                              &other.child);
        if (other.what & WN_GPU_RARE) {
          typename F::Aside a = {other.h, other.ticket, t, {}};
          other.what = F::rare(args, other.e, a);
          other.h = a.h;
          other.child = a.child;
        }
      }
      __syncthreads();
      if (state == MEETS) {
        h = mine.h;
        flown = mine.what;
        state = RUNS;
      }
      if (flown & WN_GPU_CHILD) {
        c.births++;
        Record child = F::newborn(e, mine.child);
        F::name(args, child);
        wn_gpu_append(l, child);
      }
      if (flown & (WN_GPU_STEP | WN_GPU_DEAD)) {
        what = flown;
        state = F::settled(e, what) || w.full ? WAITS : RUNS;
      }
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
        {WN_GPU_BLOCK, sizeof(struct shelf<F>) + sizeof(unsigned short), 0}, *l, args);
  });
}

const struct wn_gpu_kind kind = {"rounds", 1, run};

} /* namespace */

WN_GPU_SCHEDULER(wn_scheduler_rounds, kind,
                 "flights in registers, collisions gathered by block and worked off "
                 "densely, newborns in the next round");
