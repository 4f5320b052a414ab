/* bench/study/rectangle_gpu.cu - model `rectangle` on a GPU. */
#include "bench/study/model_rectangle.cuh"
#include "bench/study/dynamic_synthetic.cuh"

WN_STUDY_GPU_MODEL(wn_gpu_model_rectangle, struct wn_gpu_rectangle);
