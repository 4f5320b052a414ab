/* schedulers/gpu/kernel.cuh - device functions shared by the kernels: records to
 * registers and back, newborns to the store, counters to memory. */
#ifndef WN_SCHEDULERS_GPU_KERNEL_CUH
#define WN_SCHEDULERS_GPU_KERNEL_CUH
#include "schedulers/gpu/model.cuh"
#include "schedulers/gpu/gpu_scheduler.cuh"

/* ---- warp-wide operations */

#define WN_GPU_LANES 0xffffffffu

/* The lane number, and the mask of lower lanes.  Computed on each call, so that no
 * register holds them. */
static __device__ __forceinline__ int wn_gpu_lane()
{
  return (int)(threadIdx.x % 32);
}

static __device__ __forceinline__ unsigned int wn_gpu_below()
{
  unsigned int mask;
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(mask));
  return mask;
}

/* Add n to a counter, with one atomic operation for the warp; returns its old value. */
template <class T> static __device__ __forceinline__ T wn_gpu_take(T *counter, int n)
{
  T first = 0;
  if (wn_gpu_lane() == 0)
    first = atomicAdd(counter, (T)n);
  return __shfl_sync(WN_GPU_LANES, first, 0);
}

/* ---- electrons and counters */

/* Read a record in 16-byte words. */
template <class Record>
static __device__ __forceinline__ Record wn_gpu_fetch(const Record *from)
{
  __align__(16) Record e;
  const uint4 *src = (const uint4 *)from;
  uint4 *dst = (uint4 *)&e;
#pragma unroll
  for (int i = 0; i < (int)(sizeof(Record) / sizeof(uint4)); i++)
    dst[i] = src[i];
  return e;
}

/* Write a record; e may be aligned to 8 bytes only. */
template <class Record>
static __device__ __forceinline__ void wn_gpu_put(Record *to, const Record &e)
{
  const __align__(16) Record own = e;
  const uint4 *src = (const uint4 *)&own;
  uint4 *dst = (uint4 *)to;
#pragma unroll
  for (int i = 0; i < (int)(sizeof(Record) / sizeof(uint4)); i++)
    dst[i] = src[i];
}

/* Record i of the store. */
template <class Record>
static __device__ __forceinline__ Record *wn_gpu_at(const struct wn_gpu_launch &l,
                                                    unsigned long long i)
{
  return (Record *)l.e + i;
}

/* Is the store full?  Read at the end of every mobility step. */
static __device__ __forceinline__ bool wn_gpu_full(const struct wn_gpu_launch &l)
{
  return *(volatile unsigned int *)&l.work->full != 0;
}

/* Write a newborn to place i of the store, which was reserved by incrementing work->n. */
template <class Record>
static __device__ __forceinline__ void wn_gpu_write(const struct wn_gpu_launch &l,
                                                    unsigned long long i, const Record &e)
{
  if (i < l.hard)
    wn_gpu_put(wn_gpu_at<Record>(l, i), e);
  else
    atomicAdd(&l.work->lost, 1u);
}

/* The same, and set work->full if the store is now full. */
template <class Record>
static __device__ __forceinline__ void wn_gpu_place(const struct wn_gpu_launch &l,
                                                    unsigned long long i, const Record &e)
{
  if (i >= l.room)
    *(volatile unsigned int *)&l.work->full = 1;
  wn_gpu_write(l, i, e);
}

/* Append one newborn: one atomic operation each, which the compiler combines within a
 * warp. */
template <class Record>
static __device__ __forceinline__ void wn_gpu_append(const struct wn_gpu_launch &l,
                                                     const Record &e)
{
  wn_gpu_place(l, atomicAdd(&l.work->n, 1ull), e);
}

/* Tally of a thread: its scalar counters start at 0; the arrays are pointers into the
 * copy of this block, whose first cell is wn_gpu_copy. */
static __device__ __forceinline__ unsigned int wn_gpu_copy(const struct wn_gpu_launch &l)
{
  return (unsigned int)((blockIdx.x % l.copies) * l.stride);
}

static __device__ __forceinline__ struct wn_tally
wn_gpu_tally_at(const struct wn_gpu_launch &l, unsigned int copy)
{
  struct wn_tally t = l.tally;
  t.group = (struct wn_tally_group *)((wn_i128 *)t.group + copy);
  t.count += copy;
  t.lost += copy;
  t.passed += copy;
  t.surface = (struct wn_tally_surface *)((wn_i128 *)t.surface + copy);
  t.n_candidates = t.n_real = t.n_births = t.n_deaths = 0;
  return t;
}

static __device__ __forceinline__ struct wn_tally
wn_gpu_tally(const struct wn_gpu_launch &l)
{
  return wn_gpu_tally_at(l, wn_gpu_copy(l));
}

/* Add the counters to memory at the end of a kernel; called by all threads of a warp. */
static __device__ __forceinline__ void wn_gpu_count(const struct wn_gpu_launch &l,
                                                    const struct wn_tally &t)
{
  unsigned long long candidates = wn_gpu_warp_sum(t.n_candidates),
                     real = wn_gpu_warp_sum(t.n_real),
                     births = wn_gpu_warp_sum(t.n_births),
                     deaths = wn_gpu_warp_sum(t.n_deaths);
  if (wn_gpu_lane() == 0) {
    if (candidates > 0)
      atomicAdd(&l.work->candidates, candidates);
    if (real > 0)
      atomicAdd(&l.work->real, real);
    if (births > 0)
      atomicAdd(&l.work->births, births);
    if (deaths > 0)
      atomicAdd(&l.work->deaths, deaths);
  }
}

/* Advance the electron in r by one mobility step; each newborn is passed to emit(child).
 * Requires r.e.t_left > 0. */
template <class M, class Emit>
static __device__ __forceinline__ void wn_gpu_step_to(const typename M::Args &args,
                                                      typename M::Reg &r,
                                                      struct wn_tally &t, Emit emit)
{
  typename M::Record child;
  int what;
  M::load(args, r);
  do {
    what = M::advance(args, r, t, &child);
    if (what & WN_GPU_CHILD)
      emit(child);
  } while (!(what & (WN_GPU_STEP | WN_GPU_DEAD)));
}

/* The same, newborns appended at once. */
template <class M>
static __device__ __forceinline__ void wn_gpu_step(const struct wn_gpu_launch &l,
                                                   const typename M::Args &args,
                                                   typename M::Reg &r, struct wn_tally &t)
{
  wn_gpu_step_to<M>(args, r, t,
                    [&](const typename M::Record &child) { wn_gpu_append(l, child); });
}

/* Advance electron i from its present state to the end of the step. */
template <class M>
static __device__ __forceinline__ void
wn_gpu_simulate(const struct wn_gpu_launch &l, const typename M::Args &args,
                unsigned long long i, struct wn_tally &t)
{
  typename M::Reg r;
  typename M::Record *e = wn_gpu_at<typename M::Record>(l, i);
  r.e = wn_gpu_fetch(e);
  if (!(r.e.t_left > 0.0f))
    return;
  do
    wn_gpu_step<M>(l, args, r, t);
  while (r.e.t_left > 0.0f && !wn_gpu_full(l));
  wn_gpu_put(e, r.e);
}

/* Read a value that other blocks write while this kernel runs. */
template <class T> static __device__ __forceinline__ T wn_gpu_peek(const T *from)
{
  return *(const volatile T *)from;
}

#endif
