/* fields/difference_none.c - difference_gpu.cu of a build without CUDA: nobody can have
 * opened a GPU. */
#include "base/error.h"
#include "fields/difference_gpu.h"

int wn_difference_gpu_create(struct wn_gpu *g, size_t cells, uint32_t **count)
{
  (void)g, (void)cells, (void)count;
  return WN_FAIL(WN_EINTERN, "a grid on a GPU, in a wilson that was built without CUDA");
}

void wn_difference_gpu_free(struct wn_gpu *g, size_t cells, uint32_t *count)
{
  (void)g, (void)cells, (void)count;
}

int wn_difference_gpu_cells(struct wn_gpu *g, const struct wn_difference_view *v,
                            const struct wn_particles *p, enum wn_difference_what what)
{
  (void)g, (void)v, (void)p, (void)what;
  return WN_FAIL(WN_EINTERN, "a grid on a GPU, in a wilson that was built without CUDA");
}
