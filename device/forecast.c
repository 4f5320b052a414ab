/* device/forecast.c - the GPU memory that a run needs, by the same functions (sizes.h)
 * that allocations use. */
#include <stdint.h>
#include "device/gpu.h"
#include "device/sizes.h"

size_t wn_gpu_batches_bytes(int orders)
{
  return (WN_GPU_BATCHES + (orders != 0)) * WN_GPU_BATCH_BYTES;
}

size_t wn_gpu_forecast(const struct wn_gpu_need *need)
{
  int multiprocessors = need->multiprocessors > 0 ? need->multiprocessors : WN_GPU_H200;
  size_t places = need->electrons + wn_gpu_reserve(multiprocessors, need->newborns),
         cells = wn_gpu_cells(&need->shape);
  return (need->ordered || need->noted ? 2 : 1) *
             wn_gpu_round(places * need->record_bytes, WN_GPU_PAGE) +
         wn_gpu_sum_bytes(cells) + WN_GPU_ALIGN + WN_GPU_SCRATCH +
         wn_gpu_select_bytes(need->electrons) +
         (need->listed
              ? (wn_gpu_listed(need->electrons) + 3 * wn_gpu_dead_list(need->electrons)) *
                    sizeof(uint32_t)
              : 0) +
         (need->deferred && need->electrons >= WN_GPU_DEFERRED_FROM
              ? wn_gpu_deferred_bytes(multiprocessors, WN_GPU_DEFERRED_PLACES)
              : 0) +
         (need->radiates ? wn_gpu_photons(need->electrons) * WN_GPU_PHOTON_BYTES : 0) +
         (need->noted ? WN_GPU_CROSSINGS * WN_GPU_CROSSING_BYTES : 0) +
         wn_gpu_round(need->table_bytes, WN_GPU_ALIGN) +
         wn_gpu_round(need->first_passages * sizeof(int64_t), WN_GPU_ALIGN) +
         need->field_bytes;
}
