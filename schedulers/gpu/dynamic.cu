/* schedulers/gpu/dynamic.cu - persistent warps that take electrons from a queue and keep
 * them in registers to the end of the phase.
 *
 * A warp goes on with its 32 electrons until M::service of them wait, and then serves
 * those together: rounds their states, writes the finished ones and gives their lanes new
 * work.  Rounds are parted by a barrier of the grid (cooperative launch).
 *
 * There are two kernels: of models whose electrons multiply and vanish at every step
 * (below, with warp.cuh), and of mcc, whose steps are flights and collisions
 * (events.cuh). */
#include "schedulers/gpu/events.cuh"

namespace
{

/* One warp owns 32 electrons at a time and a stack of 4 KiB.  An electron is read once
 * and written once a phase (128 bytes); the rest is arithmetic in registers. */
template <class M>
__global__ void __maxnreg__(M::registers)
    dynamic_kernel(const __grid_constant__ struct wn_gpu_launch l,
                   const __grid_constant__ typename M::Args args)
{
  struct wn_gpu_warp w = wn_gpu_warp(l);
  struct wn_gpu_counters c = {0, 0, 0, 0, 0};
  struct wn_electron e;
  typename M::Hot h;
  wn_gpu_rounds<M>(l, w, [&]() {
    struct wn_gpu_seat s = {WN_GPU_NOWHERE, wn_gpu_peek(&l.work->end), 0, 0};
    int state = WN_GPU_IDLE;
    e.t_left = 0.0f;
    for (;;) {
      int runs = __popc(__ballot_sync(WN_GPU_LANES, state == WN_GPU_RUNS)),
          idle = __popc(__ballot_sync(WN_GPU_LANES, state == WN_GPU_IDLE));
      /* those that wait, and idle ones for which there is something */
      int wants = 32 - runs - (w.held > 0 && !w.full ? 0 : idle);
      if (wants >= M::service || runs == 0) {
        wn_gpu_serve<M>(l, args, w, e, h, state, s, c);
        if (__ballot_sync(WN_GPU_LANES, state == WN_GPU_RUNS) == 0)
          break;
        continue;
      }
      /* steps, until so many wait that they are to be served; an idle lane has none to go
       */
      const int most = 32 - M::service, few = most > idle ? most - idle : 0;
      do {
        typename M::Ticket ticket;
        struct wn_electron child;
        bool on = e.t_left > w.stop, born = false;
        if (on)
          M::prepare(args, e, h);
        for (int i = 0; i < M::burst && on; i++) {
          struct wn_tally t = wn_gpu_tally_at(l, w.copy);
          int now = M::fly(args, M::kind(args), e, h, t, ticket, &child);
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
    while (w.held > 0)
      wn_gpu_flush<M>(l, args, w);
    wn_gpu_leave_seat(l, s);
  });
  wn_gpu_count_all(l, c);
}

int run(struct wn_gpu *g, const struct wn_model *model, struct wn_gpu_launch *l)
{
  WN_TRY(wn_gpu_open(g, l));
  return wn_gpu_dispatch_fast(*model, [&](auto m, const auto &args) {
    typedef decltype(m) M;
    if constexpr (M::has_events)
      return wn_gpu_start_events<M>(g, "dynamic", *l, args);
    else
      return wn_gpu_start_resident(
          g, "dynamic", dynamic_kernel<M>,
          {M::block, M::stack * sizeof(struct wn_electron) / 32, 0}, *l, args);
  });
}

const struct wn_gpu_kind kind = {"dynamic", 1, run};

} /* namespace */

WN_GPU_SCHEDULER(wn_scheduler_dynamic, kind,
                 "persistent warps, electrons in registers, newborns first to the lanes "
                 "of their own warp");
