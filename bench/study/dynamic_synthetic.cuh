/* bench/study/dynamic_synthetic.cuh - scheduler `dynamic` for models whose electrons multiply
 * and vanish at every step: persistent warps (newborn_stack.cuh) that keep electrons in
 * registers to the end of the step.
 *
 * A warp goes on with its 32 electrons until F::service of them want to be served, and
 * then serves those together: rounds their states, writes the finished ones and gives
 * their lanes new work.  Rounds are parted by a barrier of the grid (cooperative
 * launch). */
#ifndef WN_BENCH_STUDY_DYNAMIC_SYNTHETIC_CUH
#define WN_BENCH_STUDY_DYNAMIC_SYNTHETIC_CUH
#include "schedulers/gpu/model_ops.cuh"
#include "bench/study/newborn_stack.cuh"

/* One warp owns 32 electrons at a time and a stack of F::stack.  An electron is read once
 * and written once a step; the rest is arithmetic in registers. */
template <class F>
static __global__ void __maxnreg__(F::registers)
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
    wn_gpu_release_place<F>(l, s);
  });
  wn_gpu_count_all(l, c);
}

template <class M>
static int dynamic_run(struct wn_scheduler *s, const struct wn_model *model,
                       const struct wn_gpu_launch *l, unsigned long long)
{
  typedef typename M::Flights F;
  return wn_gpu_start_resident(s, dynamic_kernel<F>,
                               {F::block, F::stack * sizeof(typename F::Record) / 32, 0},
                               *l, *(const typename M::Args *)model->data);
}

/* What such a model M brings: gather and dynamic. */
#define WN_STUDY_GPU_MODEL(symbol, M)                                                    \
  extern "C" const struct wn_gpu_model symbol = {                                        \
      NULL, NULL, NULL,           0,   0, wn_gpu_gather<M>, NULL, NULL,                  \
      NULL, NULL, dynamic_run<M>, NULL}

#endif
