/* schedulers/gpu/collision_free_radial.cu - the collision-free pass in r-z. */
#define WN_RADIAL_KERNELS 1
#include "schedulers/gpu/launch.cuh" /* before any other header of cuRAND */
#include "schedulers/gpu/collision_free_pass.cuh"
#include "schedulers/gpu/radial.cuh"

int wn_gpu_collision_free_ions_radial(struct wn_scheduler *s,
                                      const struct wn_model *model,
                                      const struct wn_gpu_launch *l,
                                      struct wn_gpu_store *t, size_t n)
{
  return wn_gpu_pass_ions(s, model, l, t, n);
}

int wn_gpu_collision_free_electrons_radial(struct wn_scheduler *s,
                                           const struct wn_model *model,
                                           const struct wn_gpu_launch *l,
                                           struct wn_gpu_store *t, size_t n)
{
  return wn_gpu_pass_electrons(s, model, l, t, n);
}
