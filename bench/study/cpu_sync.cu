/* bench/study/cpu_sync.cu - a plain kernel over the new electrons, repeated by the
 * host until none are new. */
#include "bench/study/models.cuh"
#include "bench/study/passes.cuh"

/* One thread = one electron of [begin, end), to the end of the step.  Reads and writes a
 * record an electron, and writes one a newborn; one atomic a newborn.  Limits: a launch
 * lasts as long as its longest electron, a warp too; one launch and one question of the
 * host a generation. */
template <class M>
static __global__ void __maxnreg__(M::registers)
    cpu_sync_kernel(const __grid_constant__ struct wn_gpu_launch l,
                    const __grid_constant__ typename M::Args args,
                    unsigned long long begin, unsigned long long end)
{
  const unsigned long long i =
      begin + (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x;
  struct wn_tally t = wn_gpu_tally(l);
  if (i < end && !wn_gpu_full(l))
    wn_gpu_simulate<M>(l, args, i, t);
  wn_gpu_count(l, t);
}

static int run(struct wn_scheduler *s, const struct wn_model *model,
               const struct wn_gpu_launch *launch, unsigned long long n)
{
  return wn_gpu_dispatch(*model, [&](auto m, const auto &args) {
    struct wn_gpu_work w = {};
    unsigned long long begin = 0, end = n;
    while (begin < end && !w.full) {
      WN_TRY(wn_gpu_start(s, cpu_sync_kernel<decltype(m)>,
                          wn_gpu_blocks_for(s, end - begin), *launch, args, begin, end));
      WN_TRY(wn_gpu_read_work(s, &w));
      begin = end;
      end = w.n;
    }
    return (int)WN_OK;
  });
}

static const struct wn_gpu_kind kind = {"cpu-sync", 0, run};

WN_GPU_SCHEDULER(wn_scheduler_cpu_sync, kind,
                 "one launch over the new electrons, repeated until none are new");
