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
template <class M> struct shelf {
  struct wn_electron e, child;
  typename M::Hot h;
  typename M::Ticket ticket;
  int what;
  char padding[(sizeof(typename M::Hot) + sizeof(typename M::Ticket) + 4) / 8 % 2 ? 8
                                                                                  : 16];
};

/* One thread owns one electron at a time and its shelf.  An electron is read and written
 * once a phase, a newborn once more; an event costs about 400 bytes of shared memory. */
template <class M>
__global__ void __maxnreg__(M::registers)
    rounds_kernel(const __grid_constant__ struct wn_gpu_launch l,
                  const __grid_constant__ typename M::Args args)
{
  __shared__ unsigned int n_events[2];
  struct shelf<M> *shelves = (struct shelf<M> *)wn_gpu_shared,
                  &mine = shelves[threadIdx.x];
  unsigned short *list = (unsigned short *)(shelves + blockDim.x);
  struct wn_gpu_warp w = wn_gpu_warp(l);
  struct wn_gpu_counters c = {0, 0, 0, 0, 0};
  struct wn_electron &e = mine.e;
  typename M::Hot h;
  unsigned int turn = 0;
  if (threadIdx.x < 2)
    n_events[threadIdx.x] = 0;
  __syncthreads();
  wn_gpu_rounds<M, false>(l, w, [&]() {
    unsigned long long end = wn_gpu_peek(&l.work->end), place = 0;
    int state = IDLE, what = 0;
    bool empty = false, fresh = false;
    unsigned int turns = 0;
    for (;;) {
      /* the end of mobility steps, and new work, for a warp together */
      unsigned int runs = __ballot_sync(WN_GPU_LANES, state == RUNS),
                   waits = __ballot_sync(WN_GPU_LANES, state == WAITS);
      if (__popc(waits) >= M::service || runs == 0) {
        w.full = __any_sync(WN_GPU_LANES, w.full || wn_gpu_full(l));
        if (state == WAITS) {
          struct wn_tally t = wn_gpu_tally_at(l, w.copy);
          M::finish(args, e, h, what, t);
          c.candidates += (unsigned int)t.n_candidates;
          c.real += (unsigned int)t.n_real;
          c.deaths += (what & WN_GPU_DEAD) != 0;
          if (e.t_left > 0.0f && !w.full) {
            M::load(args, e, h);
            fresh = true;
            state = RUNS;
          } else {
            wn_gpu_put(&l.e[place], e);
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
            if (place < end && l.e[place].t_left > 0.0f) {
              e = wn_gpu_fetch(&l.e[place]);
              M::load(args, e, h);
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
        if (turns % M::burst == 0 || fresh)
          M::prepare(args, e, h);
        fresh = false;
        flown = M::fly(args, M::kind(args), e, h, t, mine.ticket, &mine.child);
        c.candidates += (unsigned int)t.n_candidates;
        if (flown & (WN_GPU_STEP | WN_GPU_DEAD))
          M::arrive(args, e, h);
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
        struct shelf<M> &other = shelves[list[threadIdx.x]];
        struct wn_tally t = wn_gpu_tally_at(l, w.copy);
        M::arrive(args, other.e, other.h);
        other.what = M::event(args, M::kind(args), other.e, other.h, t, other.ticket,
                              &other.child);
        if (other.what & WN_GPU_RARE) {
          typename M::Aside a = {other.h, other.ticket, t, {}};
          other.what = M::rare(args, other.e, a);
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
        struct wn_electron child = M::newborn(e, mine.child);
        M::name(args, child);
        wn_gpu_append(l, child);
      }
      if (flown & (WN_GPU_STEP | WN_GPU_DEAD)) {
        what = flown;
        state = M::settled(e, what) || w.full ? WAITS : RUNS;
      }
      __syncwarp();
    }
    __syncthreads();
  });
  wn_gpu_count_all(l, c);
}

int run(struct wn_gpu *g, const struct wn_model *model, struct wn_gpu_launch *l)
{
  WN_TRY(wn_gpu_open(g, l));
  return wn_gpu_dispatch_fast(*model, [&](auto m, const auto &args) {
    typedef decltype(m) M;
    return wn_gpu_start_resident(
        g, "rounds", rounds_kernel<M>,
        {WN_GPU_BLOCK, sizeof(struct shelf<M>) + sizeof(unsigned short), 0}, *l, args);
  });
}

const struct wn_gpu_kind kind = {"rounds", 1, run};

} /* namespace */

WN_GPU_SCHEDULER(wn_scheduler_rounds, kind,
                 "flights in registers, collisions gathered by block and worked off "
                 "densely, newborns in the next round");
