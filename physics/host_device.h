/* physics/host_device.h - all conditionals on the compiler: the headers of physics/ compile as
 * C11, C++17 and CUDA. */
#ifndef WN_PHYSICS_HOST_DEVICE_H
#define WN_PHYSICS_HOST_DEVICE_H
#include <math.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __CUDACC__
#define WN_HD __host__ __device__ __forceinline__
#else
#define WN_HD inline __attribute__((always_inline))
#endif

/* For functions that are long and seldom called: one copy, not inlined into the hot loop.
 * WN_COLD_IS_HOT undoes this for a file that calls nothing else. */
#if defined(__CUDACC__) && !defined(WN_COLD_IS_HOT)
#define WN_COLD __host__ __device__ __noinline__
#else
#define WN_COLD WN_HD
#endif

#ifdef __cplusplus
#define WN_RESTRICT    __restrict__
#define WN_BEGIN_DECLS extern "C" {
#define WN_END_DECLS   }
#else
#define WN_RESTRICT restrict
#define WN_BEGIN_DECLS
#define WN_END_DECLS
#endif

/* struct WN_ALIGNED(16) name: a GPU copies it by one read of 16 bytes. */
#define WN_ALIGNED(bytes) __attribute__((aligned(bytes)))

/* Branch hints for the rare paths through the event loop. */
#define WN_LIKELY(x)   __builtin_expect(!!(x), 1)
#define WN_UNLIKELY(x) __builtin_expect(!!(x), 0)

/* Before a loop of few iterations and a long body: keep one copy of the body, so that a
 * kernel fits into the instruction cache and the lanes of a warp stay converged. */
#ifdef __CUDA_ARCH__
#define WN_ROLLED _Pragma("unroll 1")
#else
#define WN_ROLLED
#endif

/* Before a short loop over values that are to stay in registers. */
#ifdef __CUDA_ARCH__
#define WN_UNROLLED _Pragma("unroll")
#else
#define WN_UNROLLED
#endif

/* 1 in code compiled for a kernel. */
#ifdef __CUDA_ARCH__
#define WN_ON_DEVICE 1
#else
#define WN_ON_DEVICE 0
#endif

/* Before a function of the host: it is compiled for several instruction sets, one of
 * which is chosen at start.  This gives vector code, and wn_fma as one instruction;
 * without the latter the loop of mcc takes twice as long.  Sanitizers do not support the
 * mechanism (ifunc).  clang takes single features here.  -DWN_NO_CLONES compiles once: the
 * same bits, in a third of the compiler's time; -DWN_CLONES_LEVEL=4, or 3, for one of gcc's two
 * levels and for machines without. */
#if defined(WN_NO_CLONES) || defined(__CUDACC__) || defined(__SANITIZE_ADDRESS__) ||     \
    defined(__SANITIZE_THREAD__)
#define WN_CLONES
#elif defined(__clang__)
#if defined(__x86_64__) && defined(__gnu_linux__) && __has_attribute(target_clones) &&   \
    !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer) &&             \
    !__has_feature(memory_sanitizer)
#define WN_CLONES __attribute__((target_clones("avx512f", "fma", "default")))
#else
#define WN_CLONES
#endif
#elif defined(__GNUC__) && defined(__x86_64__) && defined(__gnu_linux__)
#if !defined(WN_CLONES_LEVEL)
#define WN_CLONES_FOR "arch=x86-64-v4", "arch=x86-64-v3", "default"
#elif WN_CLONES_LEVEL == 4
#define WN_CLONES_FOR "arch=x86-64-v4", "default"
#else
#define WN_CLONES_FOR "arch=x86-64-v3", "default"
#endif
#define WN_CLONES __attribute__((target_clones(WN_CLONES_FOR), optimize("O3")))
#else
#define WN_CLONES
#endif

/* A loop of the host over many particles, in a header beside the scalar code that it makes
 * vectors of. */
#define WN_LOOP WN_CLONES static inline

/* a b + c, rounded once, the same on every machine.  The compilers may not fuse other
 * operations, as each would choose different ones (Makefile.am, m4/wn_cuda.m4).  One
 * instruction on a GPU, and on a CPU inside a function compiled for an instruction set
 * that has it (WN_CLONES); elsewhere a call of the C library. */
static WN_HD float wn_fma(float a, float b, float c)
{
  return fmaf(a, b, c);
}

/* The nearest integer, halves to even, of a number that fits: (int32_t)rintf(x), which nvcc makes two instructions of a quarter
 * of the rate of others. */
static WN_HD int32_t wn_nearest(float x)
{
#ifdef __CUDA_ARCH__
  return __float2int_rn(x);
#else
  return (int32_t)rintf(x);
#endif
}

/* *slot becomes the lesser of itself and v; safe when other threads update it, too. */
static WN_HD void wn_atomic_min(int64_t *slot, int64_t v)
{
#ifdef __CUDA_ARCH__
  atomicMin((long long *)slot, (long long)v);
#else
  int64_t old = __atomic_load_n(slot, __ATOMIC_RELAXED);
  while (v < old && !__atomic_compare_exchange_n(slot, &old, v, 0, __ATOMIC_RELAXED,
                                                 __ATOMIC_RELAXED))
    ;
#endif
}

/* *n, to which one is added; in a kernel safe when other threads do the same. */
static WN_HD size_t wn_atomic_next(size_t *n)
{
#ifdef __CUDA_ARCH__
  return (size_t)atomicAdd((unsigned long long *)n, 1ull);
#else
  return (*n)++;
#endif
}

#endif
