/* bench/study/model_box.cuh - model `box` (bench/study/box.h) for kernels: model.cuh. */
#ifndef WN_BENCH_STUDY_MODEL_BOX_CUH
#define WN_BENCH_STUDY_MODEL_BOX_CUH
#include "bench/study/model_synthetic.cuh"
#include "bench/study/box.h"

struct wn_gpu_box
    : wn_gpu_synthetic<struct wn_gpu_box, struct wn_box, struct wn_box_electron> {
  static_assert((int)WN_BOX_CHILD == WN_GPU_CHILD, "one meaning of what a step returns");
  static __device__ __forceinline__ int step(const Args &m, Record &e, Record *child)
  {
    return wn_box_step(&m, &e, child);
  }
};

#endif
