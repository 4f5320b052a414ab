/* schedulers/gpu/collision_free.cuh - collision-free pass on a GPU: ions of model `ion`,
 * and electrons of model `mcc` in a grid with few collisions per step
 * (WN_MCC_COLLISION_FREE_MOST).
 *
 * One kernel reads and writes each record once.  It gathers E at the middle of the path,
 * moves the particle to the end of the step, treats the sides of the domain, and deposits
 * the charge for the next step.  Ions collide in this kernel.  An electron with a
 * candidate in the step, or near an energy that is monitored, only gets its acceleration,
 * and its number is appended to a list.  A second kernel advances the electrons on the
 * list that have null collisions only, which are most of them.  A third kernel advances
 * the rest with the general code (kernel.cuh).  Both deposit charge, too.
 *
 * All GPU schedulers use this pass; it gives the bits of the general code.  The
 * schedulers themselves advance electrons that collide often, and electrons left over
 * when the store was full. */
#ifndef WN_SCHEDULERS_GPU_COLLISION_FREE_CUH
#define WN_SCHEDULERS_GPU_COLLISION_FREE_CUH
#include "schedulers/gpu/gpu_scheduler.cuh"

/* Does a step of this model use the collision-free pass?  model: on the host. */
int wn_gpu_is_collision_free(const struct wn_scheduler *s, const struct wn_model *model);

/* At the beginning of a step: sort p by tiles of its grid (device/gpu.h), if that is
 * faster and too many particles were far from their neighbours in the last step.  model:
 * on the host. */
int wn_gpu_collision_free_sort(const struct wn_scheduler *s, const struct wn_model *model,
                               struct wn_particles *p);

/* The same for particles that collide often, every few steps: gather and the deposit of a large grid read
 * neighbours together. */
int wn_gpu_sort_now_and_then(const struct wn_scheduler *s, const struct wn_model *model,
                             struct wn_particles *p);

/* Advance the particles [s->first, n), for electrons without the newborns of this step.
 * model: with device pointers and field.  Includes what gather and start_newborns do
 * elsewhere.  If l->work says that the store is full, the electrons with t_left > 0 are
 * not finished, and the charge is not valid.  WN_ENOMEM, WN_ECUDA. */
int wn_gpu_collision_free_ions(struct wn_scheduler *s, const struct wn_model *model,
                               const struct wn_gpu_launch *l, struct wn_gpu_store *t,
                               size_t n);
int wn_gpu_collision_free_electrons(struct wn_scheduler *s, const struct wn_model *model,
                                    const struct wn_gpu_launch *l, struct wn_gpu_store *t,
                                    size_t n);

#endif
