/* schedulers/gpu/dynamic.cu - persistent warps that take electrons from a queue and keep
 * them in registers to the end of the phase.
 *
 * A warp goes on with its 32 electrons until F::service of them want to be served, and
 * then serves those together: rounds their states, writes the finished ones and gives
 * their lanes new work.  Rounds are parted by a barrier of the grid (cooperative launch).
 *
 * There are two kernels: of models whose electrons multiply and vanish at every step
 * (below, with warp.cuh), and of mcc, whose steps are flights and collisions
 * (events.cuh); many that run away have two in turn (apart.cuh). */
#include "schedulers/gpu/apart.cuh"

namespace
{

/* One warp owns 32 electrons at a time and a stack of F::stack.  An electron is read once
 * and written once a phase; the rest is arithmetic in registers. */
template <class F>
__global__ void __maxnreg__(F::registers)
    dynamic_kernel(const __grid_constant__ struct wn_gpu_launch l,
                   const __grid_constant__ typename F::Args args)
{
  struct wn_gpu_warp w = wn_gpu_warp(l);
  struct wn_gpu_counters c = {0, 0, 0, 0, 0};
  typename F::Record e;
  typename F::Hot h;
  wn_gpu_rounds<F::in_slices>(l, w, [&]() {
    struct wn_gpu_slot s = {WN_GPU_NOWHERE, 0};
    struct wn_gpu_queue q = {wn_gpu_peek(&l.work->end), 0};
    int state = WN_GPU_IDLE;
    e.t_left = 0.0f;
    for (;;) {
      int flies = __popc(__ballot_sync(WN_GPU_LANES, state == WN_GPU_FLIES)),
          idle = __popc(__ballot_sync(WN_GPU_LANES, state == WN_GPU_IDLE));
      /* those that have ended, and idle ones for which there is something */
      int wants = 32 - flies - (w.held > 0 && !w.full ? 0 : idle);
      if (wants >= F::service || flies == 0) {
        wn_gpu_serve<F>(l, args, w, q, e, h, state, s, c);
        if (__ballot_sync(WN_GPU_LANES, state == WN_GPU_FLIES) == 0)
          break;
        continue;
      }
      /* steps, until so many wait that they are to be served; an idle lane has none to
       * go */
      const int most = 32 - F::service, few = most > idle ? most - idle : 0;
      do {
        typename F::Ticket ticket;
        typename F::Record child;
        bool on = e.t_left > w.stop, born = false;
        if (on)
          F::prepare(args, e, h);
        for (int i = 0; i < F::burst && on; i++) {
          struct wn_tally t = wn_gpu_tally_at(l, w.copy);
          int now = F::fly(args, F::kind(args), e, h, t, ticket, &child);
          c.candidates += (unsigned int)t.n_candidates;
          born = (now & WN_GPU_CHILD) != 0;
          on = !born && e.t_left > w.stop;
        }
        __syncwarp();
        wn_gpu_push<F>(l, args, w, c, born, e, child);
      } while (!w.full && __popc(__ballot_sync(WN_GPU_LANES, e.t_left > w.stop)) >
                              (w.held > 0 ? most : few));
      if (state == WN_GPU_FLIES && (w.full || !(e.t_left > w.stop)))
        state = e.t_left < 0.0f ? WN_GPU_STEP | WN_GPU_DEAD : WN_GPU_STEP;
      __syncwarp();
    }
    while (w.held > 0)
      wn_gpu_flush<F>(l, args, w);
    wn_gpu_give_up<F>(l, s);
  });
  wn_gpu_count_all(l, c);
}

int run(struct wn_scheduler *s, const struct wn_model *model,
        const struct wn_gpu_launch *l, unsigned long long n)
{
  return wn_gpu_dispatch_special(*model, [&](auto m, const auto &args) {
    typedef typename decltype(m)::Flights F;
    if constexpr (F::has_events) {
      if constexpr (F::apart)
        if (wn_gpu_is_apart(s, n))
          return wn_gpu_run_apart<typename F::Alone>(s, *l, args);
      return wn_gpu_start_events<F>(s, *l, args);
    } else
      return (void)n,
             wn_gpu_start_resident(
                 s, dynamic_kernel<F>,
                 {F::block, F::stack * sizeof(typename F::Record) / 32, 0}, *l, args);
  });
}

int near(const struct wn_model *model)
{
  return wn_gpu_dispatch_special(*model, [&](auto m, const auto &args) {
    typedef typename decltype(m)::Flights F;
    if constexpr (F::has_events)
      return F::sums_near && wn_gpu_is_near<F>(args);
    else
      return (void)args, 0;
  });
}

const struct wn_gpu_kind kind = {"dynamic", 1, run, near};

} /* namespace */

WN_GPU_SCHEDULER(wn_scheduler_dynamic, kind,
                 "persistent warps, electrons in registers, newborns first to the lanes "
                 "of their own warp");
