/* bench/study/box_gpu.cu - model `box` on a GPU. */
#include "bench/study/model_box.cuh"
#include "bench/study/dynamic_synthetic.cuh"

WN_STUDY_GPU_MODEL(wn_gpu_model_box, struct wn_gpu_box);
