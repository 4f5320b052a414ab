/* bench/study/model_rectangle.cuh - model `rectangle` (bench/study/rectangle.h) for
 * kernels: model.cuh. */
#ifndef WN_BENCH_STUDY_MODEL_RECTANGLE_CUH
#define WN_BENCH_STUDY_MODEL_RECTANGLE_CUH
#include "bench/study/model_synthetic.cuh"
#include "bench/study/rectangle.h"

struct wn_gpu_rectangle : wn_gpu_synthetic<struct wn_gpu_rectangle, struct wn_rectangle,
                                           struct wn_rectangle_electron> {
  static_assert((int)WN_RECTANGLE_CHILD == WN_GPU_CHILD &&
                    (int)WN_RECTANGLE_DEAD == WN_GPU_DEAD,
                "one meaning of what a step returns");
  static __device__ __forceinline__ int step(const Args &m, Record &e, Record *child)
  {
    return wn_rectangle_step(&m, &e, child);
  }
};

#endif
