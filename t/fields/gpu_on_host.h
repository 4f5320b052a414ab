/* t/fields/gpu_on_host.h - for tests: kernels of CUDA as plain C++, a block after the other, each thread of a block a
 * context of its own (ucontext).  A thread runs until it waits for others, then the next one does; so all that are left
 * meet at each barrier, and the lanes of a warp at each vote.  Written for kernels whose threads meet at the same places:
 * nothing is known of time, of memory or of races.
 *
 * A file defines what its kernels take, includes this, then the kernels, and calls launch(). */
#ifndef WN_T_FIELDS_GPU_ON_HOST_H
#define WN_T_FIELDS_GPU_ON_HOST_H
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <vector>
#include <ucontext.h>

using std::max;
using std::min;

#define __global__
#define __device__
#define __shared__      static
#define __forceinline__ inline
#define __grid_constant__
#define __launch_bounds__(...)

struct float4 {
  float x, y, z, w;
};
struct dim3 {
  unsigned int x, y, z;
  dim3(unsigned int a = 1, unsigned int b = 1, unsigned int c = 1) : x(a), y(b), z(c)
  {
  }
};
static dim3 threadIdx, blockIdx, blockDim, gridDim;

namespace on_host
{
enum { STACK = 128 * 1024, MOST_WARPS = 32 };
struct thread {
  ucontext_t context;
  std::vector<char> stack;
  bool is_done;
};
static std::vector<thread> threads;
static ucontext_t of_block;
static size_t now;
static std::function<void()> kernel;
/* What was voted, of two meetings that follow each other. */
static int meeting, by_block[2], by_warp[2][MOST_WARPS];
static double value[32 * MOST_WARPS];

static void take_turn(size_t i)
{
  now = i;
  threadIdx = dim3((unsigned int)i % blockDim.x, (unsigned int)i / blockDim.x);
}
static void meet()
{
  const size_t me = now;
  swapcontext(&threads[me].context, &of_block);
}
static void begin()
{
  kernel();
  threads[now].is_done = true;
  meet();
}
static void run_block()
{
  const size_t n = (size_t)blockDim.x * blockDim.y;
  if (threads.size() < n)
    threads.resize(n);
  for (size_t i = 0; i < n; i++) {
    thread &t = threads[i];
    t.stack.resize(STACK);
    t.is_done = false;
    getcontext(&t.context);
    t.context.uc_stack.ss_sp = t.stack.data();
    t.context.uc_stack.ss_size = t.stack.size();
    t.context.uc_link = nullptr;
    makecontext(&t.context, begin, 0);
  }
  memset(by_block, 0, sizeof by_block);
  memset(by_warp, 0, sizeof by_warp);
  for (bool is_left = true; is_left;) {
    is_left = false;
    for (size_t i = 0; i < n; i++)
      if (!threads[i].is_done) {
        take_turn(i);
        swapcontext(&of_block, &threads[i].context);
        is_left |= !threads[i].is_done;
      }
    meeting ^= 1;
    by_block[meeting] = 0;
    memset(by_warp[meeting], 0, sizeof by_warp[meeting]);
  }
}
} // namespace on_host

static void launch(dim3 grid, dim3 block, const std::function<void()> &kernel)
{
  on_host::kernel = kernel;
  gridDim = grid;
  blockDim = block;
  for (unsigned int z = 0; z < grid.z; z++)
    for (unsigned int y = 0; y < grid.y; y++)
      for (unsigned int x = 0; x < grid.x; x++) {
        blockIdx = dim3(x, y, z);
        on_host::run_block();
      }
}

static inline void __syncthreads()
{
  on_host::meet();
}
static inline int __syncthreads_or(int vote)
{
  const int m = on_host::meeting;
  on_host::by_block[m] |= vote;
  on_host::meet();
  return on_host::by_block[m];
}
static inline int __any_sync(unsigned int, int vote)
{
  const int m = on_host::meeting;
  const size_t warp = on_host::now / 32;
  on_host::by_warp[m][warp] |= vote;
  on_host::meet();
  return on_host::by_warp[m][warp];
}
static inline double __shfl_down_sync(unsigned int, double of_lane, unsigned int by)
{
  const size_t me = on_host::now, from = me % 32 + by < 32 ? me + by : me;
  on_host::value[me] = of_lane;
  on_host::meet();
  const double got = on_host::value[from];
  on_host::meet();
  return got;
}
static inline int atomicAdd(int *to, int by)
{
  const int was = *to;
  *to += by;
  return was;
}
template <class T> static T __ldg(const T *p)
{
  return *p;
}
static inline int __float_as_int(float x)
{
  int i;
  memcpy(&i, &x, sizeof i);
  return i;
}
static inline float __fdividef(float a, float b)
{
  return a / b;
}
static inline double rsqrt(double x)
{
  return 1.0 / sqrt(x);
}

#endif
