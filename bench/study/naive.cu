/* bench/study/naive.cu - one launch a mobility step, newborns through a buffer that
 * the threads of a block share. */
#include "bench/study/models.cuh"
#include "bench/study/passes.cuh"

/* Newborns a block can hold: 8 KiB of shared memory, so that registers and not this limit
 * how many blocks are resident. */
#define BUFFER 128

/* One thread = one mobility step of one electron.  Reads and writes a record, and writes
 * one a newborn; one atomic on the store's end a block, and one for each newborn that the
 * buffer has no place for.  No lock: a place in the buffer is taken by a shared atomic,
 * without waiting for room.  Limit: memory, two records an electron and step. */
template <class M>
static __global__ void __maxnreg__(M::registers)
    naive_kernel(const __grid_constant__ struct wn_gpu_launch l,
                 const __grid_constant__ typename M::Args args)
{
  typedef typename M::Record Record;
  __shared__ __align__(16) Record buffer[BUFFER];
  __shared__ unsigned int born; /* grows beyond BUFFER when places run out */
  __shared__ unsigned long long place;
  struct wn_tally t = wn_gpu_tally(l);
  if (threadIdx.x == 0)
    born = 0;
  __syncthreads();
  wn_gpu_pass_to<M>(l, args, wn_gpu_peek(&l.work->end), t, [&](const Record &child) {
    unsigned int k = atomicAdd(&born, 1u);
    if (k < BUFFER)
      wn_gpu_put(&buffer[k], child);
    else
      wn_gpu_append(l, child);
  });
  /* that ended with a barrier of the block: the buffer is complete */
  const unsigned int n = born < BUFFER ? born : BUFFER;
  if (threadIdx.x == 0 && n > 0)
    place = atomicAdd(&l.work->n, (unsigned long long)n);
  __syncthreads();
  for (unsigned int k = threadIdx.x; k < n; k += blockDim.x)
    wn_gpu_place(l, place + k, wn_gpu_fetch(&buffer[k]));
  wn_gpu_count(l, t);
}

static int run(struct wn_scheduler *s, const struct wn_model *model,
               const struct wn_gpu_launch *launch, unsigned long long n)
{
  return wn_gpu_dispatch(*model, [&](auto m, const auto &args) {
    return wn_gpu_passes(s, launch, n, 1, [&](unsigned long long now) {
      return wn_gpu_start(s, naive_kernel<decltype(m)>, wn_gpu_blocks_for(s, now),
                          *launch, args);
    });
  });
}

static const struct wn_gpu_kind kind = {"naive", 0, run};

WN_GPU_SCHEDULER(wn_scheduler_naive, kind,
                 "one launch a mobility step, newborns through a block's shared buffer");
