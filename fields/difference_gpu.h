/* fields/difference_gpu.h - counts of the field `difference` in the memory of a GPU:
 * difference_gpu.cu, or difference_none.c in a build without CUDA. */
#ifndef WN_FIELDS_DIFFERENCE_GPU_H
#define WN_FIELDS_DIFFERENCE_GPU_H
#include <stddef.h>
#include <stdint.h>
#include "particles/particles.h"
#include "physics/field_view.h"
#include "physics/hd.h"

WN_BEGIN_DECLS

struct wn_gpu;

/* *count [cells][cells][cells]: counts in the memory of g, all zero, owned by the caller.
 * WN_ENOMEM, WN_ECUDA. */
int wn_difference_gpu_create(struct wn_gpu *g, size_t cells, uint32_t **count);
void wn_difference_gpu_free(struct wn_gpu *g, size_t cells, uint32_t *count);

/* Count the particles of p, which lie in their store on this GPU, or set the counts of
 * their cells to 0.  v: of `count`. */
enum wn_difference_what { WN_DIFFERENCE_COUNT, WN_DIFFERENCE_CLEAR };
int wn_difference_gpu_cells(struct wn_gpu *g, const struct wn_difference_view *v,
                            const struct wn_particles *p, enum wn_difference_what what);

WN_END_DECLS

#endif
