/* schedulers/gpu/dynamic.cu - persistent warps that take electrons from a queue and keep
 * them in registers to the end of the phase.
 *
 * A warp goes on with its 32 electrons until M::service of them wait, and then serves
 * those together: rounds their states, writes the finished ones and gives their lanes new
 * work (warp.cuh).  Rounds are parted by a barrier of the grid (cooperative launch). */
#include "schedulers/gpu/warp.cuh"

namespace
{

/* What a lane seldom looks at: its electron, if the model does without it in registers.
 * 120 bytes apart, so that lanes that read the same member use all banks. */
struct shelf {
  struct wn_electron e;
  struct wn_gpu_seat seat;
  struct wn_gpu_counters c;
};

/* One warp owns 32 electrons at a time, a stack of 2 or 4 KiB and, for some models, 3.75
 * KiB of shelves.  An electron is read once and written once a phase (128 bytes); the
 * rest is arithmetic in registers. */
template <class M>
__global__ void __maxnreg__(M::registers)
    dynamic_kernel(const __grid_constant__ struct wn_gpu_launch l,
                   const __grid_constant__ typename M::Args args)
{
  struct shelf *shelves = (struct shelf *)wn_gpu_behind_stacks<M>();
  struct shelf own, &mine = M::cold ? shelves[threadIdx.x] : own;
  struct wn_electron &e = mine.e;
  struct wn_gpu_seat &s = mine.seat;
  struct wn_gpu_counters &c = mine.c;
  struct wn_gpu_warp w = wn_gpu_warp(l);
  c.candidates = c.real = c.births = c.deaths = c.gone = 0;
  typename M::Hot h;
  wn_gpu_rounds<M>(l, args, w, [&]() {
    int state = WN_GPU_IDLE;
    s.place = WN_GPU_NOWHERE;
    s.end = wn_gpu_peek(&l.work->end);
    s.vacant = s.empty = 0;
    e.t_left = 0.0f;
    typename M::Ticket ticket;
    for (;;) {
      int runs = __popc(__ballot_sync(WN_GPU_LANES, state == WN_GPU_RUNS)),
          meets = M::has_events
                      ? __popc(__ballot_sync(WN_GPU_LANES, state == WN_GPU_MEETS))
                      : 0,
          idle = __popc(__ballot_sync(WN_GPU_LANES, state == WN_GPU_IDLE));
      /* those that wait, and idle ones for which there is something */
      int wants = 32 - runs - meets - (w.held > 0 && !w.full ? 0 : idle);
      if (wants >= M::service || runs + meets == 0) {
        wn_gpu_serve<M>(l, args, w, e, h, state, s, c);
        if (__ballot_sync(WN_GPU_LANES, state == WN_GPU_RUNS || state == WN_GPU_MEETS) ==
            0)
          break;
        continue;
      }
      if (M::has_events && (meets >= M::gather || meets >= runs)) {
        struct wn_electron child;
        int now = 0;
        if (state == WN_GPU_MEETS) {
          struct wn_tally t = wn_gpu_tally_at(l, w.copy);
          M::arrive(args, e, h);
          now = M::event(args, e, h, t, ticket, &child);
          if (now & WN_GPU_RARE) {
            typename M::Hot away = h;
            struct wn_tally again = wn_gpu_tally_at(l, w.copy);
            now = M::rare(args, e, away, again, ticket, &child);
            h = away;
          }
          c.real += M::take_real(h);
          state = now & WN_GPU_DEAD ? WN_GPU_DIES : WN_GPU_RUNS;
        }
        wn_gpu_born<M>(l, args, w, c, (now & WN_GPU_CHILD) != 0, e, child);
        continue;
      }
      if (M::has_events) {
        struct wn_electron child;
#pragma unroll 1
        for (int i = 0; i < M::burst && state == WN_GPU_RUNS; i++) {
          struct wn_tally t = wn_gpu_tally_at(l, w.copy);
          int now = M::fly(args, e, h, t, ticket, &child);
          if (now != 0)
            state = now & WN_GPU_EVENT  ? WN_GPU_MEETS
                    : now & WN_GPU_DEAD ? WN_GPU_DIES
                                        : WN_GPU_WAITS;
        }
        __syncwarp();
        continue;
      }
      /* steps, until so many wait that they are to be served; an idle lane has none to go
       */
      const int most = 32 - M::service, few = most > idle ? most - idle : 0;
      do {
        struct wn_electron child;
        bool on = e.t_left > w.stop, born = false;
        if (on)
          M::prepare(args, e, h);
        for (int i = 0; i < M::burst && on; i++) {
          struct wn_tally t = wn_gpu_tally_at(l, w.copy);
          int now = M::fly(args, e, h, t, ticket, &child);
          c.candidates += (unsigned int)t.n_candidates;
          born = (now & WN_GPU_CHILD) != 0;
          on = !born && e.t_left > w.stop;
        }
        __syncwarp();
        wn_gpu_born<M>(l, args, w, c, born, e, child);
      } while (!w.full && __popc(__ballot_sync(WN_GPU_LANES, e.t_left > w.stop)) >
                              (w.held > 0 ? most : few));
      if (state == WN_GPU_RUNS && (w.full || !(e.t_left > w.stop)))
        state = e.t_left < 0.0f ? WN_GPU_DIES : WN_GPU_WAITS;
      __syncwarp();
    }
    wn_gpu_leave_seat(l, s);
  });
  wn_gpu_count_all(l, c);
}

int run(struct wn_gpu *g, const struct wn_model *model, struct wn_gpu_launch *l)
{
  WN_TRY(wn_gpu_open(g, l));
  return wn_gpu_dispatch_fast(*model, [&](auto m, const auto &args) {
    return wn_gpu_start_resident(g, "dynamic", dynamic_kernel<decltype(m)>,
                                 decltype(m)::block,
                                 decltype(m)::stack * sizeof(struct wn_electron) / 32 +
                                     (decltype(m)::cold ? sizeof(struct shelf) : 0),
                                 *l, args);
  });
}

const struct wn_gpu_kind kind = {"dynamic", 1, run};

} /* namespace */

WN_GPU_SCHEDULER(wn_scheduler_dynamic, kind,
                 "persistent warps, electrons in registers, newborns first to the lanes "
                 "of their own warp");
