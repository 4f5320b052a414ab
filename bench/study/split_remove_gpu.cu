/* bench/study/split_remove_gpu.cu - model `split-remove` on a GPU. */
#include "bench/study/model_split_remove.cuh"
#include "bench/study/dynamic_synthetic.cuh"

WN_STUDY_GPU_MODEL(wn_gpu_model_split_remove, struct wn_gpu_split_remove);
