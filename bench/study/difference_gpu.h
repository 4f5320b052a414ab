/* bench/study/difference_gpu.h - counts of the field `difference` in the memory of a GPU:
 * difference_gpu.cu. */
#ifndef WN_BENCH_STUDY_DIFFERENCE_GPU_H
#define WN_BENCH_STUDY_DIFFERENCE_GPU_H
#include <stddef.h>
#include <stdint.h>
#include "base/error.h"
#include "bench/study/difference_view.h"
#include "particles/particles.h"
#include "physics/host_device.h"

WN_BEGIN_DECLS

struct wn_gpu;

enum wn_difference_what { WN_DIFFERENCE_COUNT, WN_DIFFERENCE_CLEAR };

#ifdef WN_HAVE_CUDA
/* *count [cells][cells][cells]: counts in the memory of g, all zero, owned by the caller.
 * WN_ENOMEM, WN_ECUDA. */
int wn_difference_gpu_create(struct wn_gpu *g, size_t cells, uint32_t **count);
void wn_difference_gpu_free(struct wn_gpu *g, size_t cells, uint32_t *count);

/* Count the particles of p, which lie in their store on this GPU, or set the counts of
 * their cells to 0.  v: of `count`. */
int wn_difference_gpu_cells(struct wn_gpu *g, const struct wn_difference_view *v,
                            const struct wn_particles *p, enum wn_difference_what what);
#else /* no GPU can be open */
#define wn_difference_gpu_create(g, cells, count) WN_EINTERN
#define wn_difference_gpu_free(g, cells, count)   ((void)(count))
#define wn_difference_gpu_cells(g, v, p, what)    WN_EINTERN
#endif

WN_END_DECLS

#endif
