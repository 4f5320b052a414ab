/* device/copy_ahead.cuh - copies from memory to the shared memory of a block that no register waits for (cp.async of CUDA).
 * On a host, where tests run kernels, they are done at once. */
#ifndef WN_DEVICE_COPY_AHEAD_CUH
#define WN_DEVICE_COPY_AHEAD_CUH

/* A float, or 0.0f with bytes = 0 instead of 4; `from` is of memory that can be read in both cases.  The thread itself may
 * read it after wn_copies_wait, others after a barrier besides. */
static __device__ __forceinline__ void wn_copy_ahead(float *to, const float *from,
                                                     int bytes)
{
#ifdef __CUDACC__
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(
                   (unsigned)__cvta_generic_to_shared(to)),
               "l"(from), "r"(bytes)
               : "memory");
#else
  *to = bytes != 0 ? *from : 0.0f;
#endif
}

/* What the thread has copied since the last end is a group. */
static __device__ __forceinline__ void wn_copies_end(void)
{
#ifdef __CUDACC__
  asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}

/* Until all groups of the thread but the last PENDING are there. */
template <int PENDING> static __device__ __forceinline__ void wn_copies_wait(void)
{
#ifdef __CUDACC__
  asm volatile("cp.async.wait_group %0;" ::"n"(PENDING) : "memory");
#endif
}

/* The compiler keeps this number, rather than to find it anew from the thread's place wherever it is read. */
#ifdef __CUDACC__
#define WN_KEEP_REGISTER(value) asm("" : "+r"(value))
#else
#define WN_KEEP_REGISTER(value) (void)(value)
#endif

#endif
