/* physics/hd.h - every switch on the compiler lives here: the headers of physics/ compile as C11, C++17 and CUDA. */
#ifndef WN_PHYSICS_HD_H
#define WN_PHYSICS_HD_H

#ifdef __CUDACC__
#define WN_HD __host__ __device__ __forceinline__
#else
#define WN_HD inline __attribute__((always_inline))
#endif

#ifdef __cplusplus
#define WN_RESTRICT __restrict__
#define WN_BEGIN_DECLS extern "C" {
#define WN_END_DECLS }
#else
#define WN_RESTRICT restrict
#define WN_BEGIN_DECLS
#define WN_END_DECLS
#endif

/* Branch hints for the rare ways through the event loop. */
#define WN_LIKELY(x) __builtin_expect(!!(x), 1)
#define WN_UNLIKELY(x) __builtin_expect(!!(x), 0)

#endif
