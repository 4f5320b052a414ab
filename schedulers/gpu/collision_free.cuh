/* schedulers/gpu/collision_free.cuh - particles that hardly collide in a step, on a GPU: ions of model
 * `ion`, and electrons of model `mcc` in a grid where WN_MCC_QUIET_MOST says so.  One pass, one
 * thread a particle after the other, reads each record once and writes it once: it takes E at
 * the middle of the way, flies to the end, meets the sides, and leaves its charge for the next
 * step.  An ion meets atoms on its way.  An electron that has a candidate in the step, or an
 * energy that is watched, only takes E, and its number goes on a list.  Most of those meet
 * nobody but null candidates, and a second kernel flies them; a third the rest, by the model's
 * own way (kernel.cuh).  Both add their charge.
 *
 * All schedulers of the GPU do this, with the bits of their own ways: what is left to them are
 * electrons that collide often, and a store that was found full. */
#ifndef WN_SCHEDULERS_GPU_COLLISION_FREE_CUH
#define WN_SCHEDULERS_GPU_COLLISION_FREE_CUH
#include "schedulers/gpu/gpu_scheduler.cuh"

/* Is the phase of this model flown so?  model: on the host. */
int wn_gpu_is_collision_free(const struct wn_scheduler *s, const struct wn_model *model);

/* At the begin of a phase: p in the order of the tiles of its grid (device/gpu.h), if it pays
 * and too many were far from their neighbours in the last one.  model: on the host. */
int wn_gpu_collision_free_sort(const struct wn_scheduler *s, const struct wn_model *model,
                               struct wn_particles *p);

/* Those from s->first on of n, and, of electrons, not the newborns of this phase.  model: with
 * device pointers, felt its field.  What of a phase the others do besides is done here, too
 * (gather, wake).  Whether the store was found full l->work says: then those with t_left > 0
 * are left to do, and the charge is not known.  WN_ENOMEM, WN_ECUDA. */
int wn_gpu_collision_free_ions(struct wn_scheduler *s, const struct wn_model *model,
                               const struct wn_gpu_launch *l, struct wn_gpu_store *t,
                               size_t n);
int wn_gpu_collision_free_electrons(struct wn_scheduler *s, const struct wn_model *model,
                                    const struct wn_gpu_launch *l, struct wn_gpu_store *t,
                                    size_t n);

#endif
