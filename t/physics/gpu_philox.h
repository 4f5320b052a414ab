/* t/physics/gpu_philox.h - what t0400-gpu-philox asks of a GPU. */
#ifndef WN_T_GPU_PHILOX_H
#define WN_T_GPU_PHILOX_H
#include <stddef.h>
#include <stdint.h>
#include "physics/host_device.h"

struct gpu_philox {
  uint64_t seed, id;
  uint32_t event, purpose, block;
  uint32_t w[4]; /* what wn_rng makes of them */
};

WN_BEGIN_DECLS

/* Fill in w of n of these, on the GPU, and on the host in code that nvcc compiled. WN_OK,
 * or WN_ECUDA, logged. */
int gpu_philox_device(struct gpu_philox *p, size_t n);
int gpu_philox_host(struct gpu_philox *p, size_t n);

WN_END_DECLS

#endif
