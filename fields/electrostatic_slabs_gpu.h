/* fields/electrostatic_slabs_gpu.h - the grids of a field in slabs (electrostatic_parts.h) and
 * its particles in the memory of GPUs, one for each rank.  Charge and E have memory for the whole grid on
 * each; rho, phi and what Poisson's equation takes for their slab alone.
 *
 * All ranks make these calls together, except fetch.  electrostatic_slabs_gpu.cu, _sums.cu and
 * migration_gpu.cu, or build-aux/stubs in a build without CUDA. */
#ifndef WN_FIELDS_ELECTROSTATIC_SLABS_GPU_H
#define WN_FIELDS_ELECTROSTATIC_SLABS_GPU_H
#include "fields/electrostatic_parts.h"

WN_BEGIN_DECLS

struct wn_slabs_gpu;

/* On f->spec.gpu; f is laid out and has its plan.  WN_EINPUT of wn_poisson_slabs_gpu_create; WN_ENOMEM,
 * WN_ECUDA, of any rank. */
int wn_slabs_gpu_create(const struct wn_electrostatic *f, struct wn_slabs_gpu **out);
void wn_slabs_gpu_free(struct wn_slabs_gpu *g);

/* E for the particles, on the device: struct wn_grid_view.e. */
const float *wn_slabs_gpu_floats(const struct wn_slabs_gpu *g);

/* As wn_migrate of a species with steps of dt [s]. */
int wn_slabs_gpu_migrate(struct wn_slabs_gpu *g, const struct wn_electrostatic *f,
                         struct wn_particles *p, double dt);

/* The quanta of all species, on the nodes that they belong to, along the axis; beyond the other
 * sides not folded.  compares: the sum is compared with that of the particles. */
int wn_slabs_gpu_deposit(struct wn_slabs_gpu *g, const struct wn_electrostatic *f,
                         const struct wn_points *points,
                         struct wn_particles *const *species, int compares);

/* rho from these and the background [C/m3], phi, E. */
int wn_slabs_gpu_solve(struct wn_slabs_gpu *g, const struct wn_electrostatic *f,
                       double background, const double volt[6]);

/* Sums over the nodes of this rank, sum [WN_SLAB_SUMS] (electrostatic_sums.h), and what is left of
 * Poisson's equation, [V/m2], with the largest charge over eps0; after a wait.  begin, end: the unknown nodes
 * along each axis. */
int wn_slabs_gpu_sums(struct wn_slabs_gpu *g, const struct wn_electrostatic *f,
                      double *sum);
int wn_slabs_gpu_left(struct wn_slabs_gpu *g, const struct wn_electrostatic *f,
                      const int64_t begin[3], const int64_t end[3], double taken,
                      double most[2]);

/* To the arrays of f on the host, after a wait: the quanta of own planes as above; rho; phi with its
 * guards.  WN_ERUN of wn_electrostatic_gpu_misfits. */
int wn_slabs_gpu_fetch_quanta(struct wn_slabs_gpu *g, const struct wn_electrostatic *f,
                              size_t k);
int wn_slabs_gpu_fetch_charge(struct wn_slabs_gpu *g, const struct wn_electrostatic *f);
int wn_slabs_gpu_fetch_potential(struct wn_slabs_gpu *g,
                                 const struct wn_electrostatic *f);

WN_END_DECLS

#endif
