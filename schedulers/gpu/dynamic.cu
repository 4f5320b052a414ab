/* schedulers/gpu/dynamic.cu - persistent warps that take electrons from a queue and keep
 * them in registers to the end of the phase.
 *
 * A warp goes on with its 32 electrons until M::service of them wait, and then serves
 * those together: rounds their states, writes the finished ones and gives their lanes new
 * work (warp.cuh).  Rounds are parted by a barrier of the grid (cooperative launch). */
#include "schedulers/gpu/warp.cuh"

namespace
{

/* What a lane has in shared memory: the newborn that it makes, until the warp looks; its
 * electron, where the model does without it in registers.  136 bytes apart, so that lanes
 * that read the same member use all banks. */
struct shelf {
  struct wn_electron child, e;
  double padding;
};

/* One warp owns 32 electrons at a time, a stack of 2 KiB and 4 KiB of shelves.  An
 * electron is read once and written once a phase (128 bytes); the rest is arithmetic in
 * registers. */
template <class M>
__global__ void __maxnreg__(M::registers)
    dynamic_kernel(const __grid_constant__ struct wn_gpu_launch l,
                   const __grid_constant__ typename M::Args args)
{
  extern __shared__ uint4 shared[];
  struct shelf *shelves = (struct shelf *)(shared + blockDim.x / 32 * (4 * WN_GPU_STACK));
  struct wn_electron *child = &shelves[threadIdx.x].child, own;
  struct wn_electron &e = M::cold ? shelves[threadIdx.x].e : own;
  struct wn_gpu_warp w = wn_gpu_warp(l, shared + threadIdx.x / 32 * (4 * WN_GPU_STACK));
  struct wn_gpu_counters c = {0, 0, 0, 0, 0};
  typename M::Hot h;
  wn_gpu_rounds<M>(l, args, w, [&]() {
    struct wn_gpu_seat s = wn_gpu_seat();
    typename M::Ticket ticket;
    unsigned int turn = 0;
    for (;;) {
      int runs = __popc(__ballot_sync(WN_GPU_LANES, s.state == WN_GPU_RUNS)),
          meets = M::has_events
                      ? __popc(__ballot_sync(WN_GPU_LANES, s.state == WN_GPU_MEETS))
                      : 0,
          waits = __popc(__ballot_sync(WN_GPU_LANES, s.state >= WN_GPU_WAITS));
      if (waits >= M::service || runs + meets == 0) {
        wn_gpu_serve<M>(l, args, w, e, h, s, c);
        if (__ballot_sync(WN_GPU_LANES,
                          s.state == WN_GPU_RUNS || s.state == WN_GPU_MEETS) == 0)
          break;
        continue;
      }
      int now = 0;
      if (M::has_events && (meets >= M::gather || meets >= runs)) {
        now = wn_gpu_arrive_all<M>(l, args, e, h, w.copy,
                                   s.state == WN_GPU_MEETS ? WN_GPU_EVENT : 0, ticket,
                                   child);
        if (s.state == WN_GPU_MEETS)
          s.state = WN_GPU_RUNS;
      } else {
        bool on = s.state == WN_GPU_RUNS;
#pragma unroll 1
        for (int i = 0; i < M::burst; i++) {
          if (on) {
            struct wn_tally t = wn_gpu_tally_at(l, w.copy);
            now = M::fly(args, e, h, t, ticket, child, M::has_events ? 0 : turn);
            c.candidates += t.n_candidates;
            if (now & WN_GPU_EVENT)
              s.state = WN_GPU_MEETS;
            /* what needs the others of the warp ends the burst of this lane */
            on = now == WN_GPU_STEP && !M::settled(e, now) && !w.full;
          }
          turn++;
          __syncwarp();
        }
      }
      c.births += (now & WN_GPU_CHILD) != 0;
      if (now & WN_GPU_DEAD)
        s.state = WN_GPU_DIES;
      else if ((now & WN_GPU_STEP) && (M::settled(e, now) || w.full))
        s.state = WN_GPU_WAITS;
      if (__ballot_sync(WN_GPU_LANES, (now & WN_GPU_CHILD) != 0) != 0)
        wn_gpu_born<M>(l, args, w, (now & WN_GPU_CHILD) != 0, *child);
    }
    wn_gpu_leave_seat(l, s);
  });
  wn_gpu_count_all(l, c);
}

int run(struct wn_gpu *g, const struct wn_model *model, struct wn_gpu_launch *l)
{
  WN_TRY(wn_gpu_open(g, l));
  return wn_gpu_dispatch_fast(*model, [&](auto m, const auto &args) {
    return wn_gpu_start_resident(
        g, "dynamic", dynamic_kernel<decltype(m)>,
        WN_GPU_STACK * sizeof(struct wn_electron) / 32 + sizeof(struct shelf), *l, args);
  });
}

const struct wn_gpu_kind kind = {"dynamic", 1, run};

} /* namespace */

WN_GPU_SCHEDULER(wn_scheduler_dynamic, kind,
                 "persistent warps, electrons in registers, newborns first to the lanes "
                 "of their own warp");
