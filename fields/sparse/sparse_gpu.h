/* fields/sparse/sparse_gpu.h - the grids of the combination technique (components.h) in the memory of a GPU,
 * from the charge of the particles to the E that they feel: quanta on the parents, rho, phi and E of all
 * components, E on the nodes of the full grid or of the parents.  Nothing waits but what brings numbers to the host, and
 * bring_together.
 *
 * Shape: linear (WN_SHAPE_CIC), E at the nodes (WN_GATHER_MOMENTUM); sides periodic, Dirichlet's or Neumann's.
 *
 * sparse_gpu.cu, sparse_deposit_gpu.cu, sparse_solve_gpu.cu, or build-aux/stubs in a build without CUDA; and
 * sparse_forecast.c. */
#ifndef WN_FIELDS_SPARSE_GPU_H
#define WN_FIELDS_SPARSE_GPU_H
#include <stddef.h>
#include <stdint.h>
#include "fields/electrostatic.h"
#include "fields/sparse/components.h"
#include "particles/particles.h"
#include "physics/host_device.h"

WN_BEGIN_DECLS

struct wn_sparse_gpu;

/* How charge comes onto the parents; the quanta are the same.
 *   auto       the fastest by bench/sparse
 *   private    each block has counters of 32 bits for all parents in shared memory; what overflows there goes
 *              to the node of 64 bits at once.  Nodes beyond those that fit are added to as by `atomic`
 *   merged     the same, with the particles of a warp that are in one cell of a parent summed before
 *   atomic     64-bit additions to the parents in the level-2 cache
 *   aggregate  both */
#define WN_SPARSE_DEPOSIT_LIST(X)                                                        \
  X(WN_SPARSE_AUTO, "auto")                                                              \
  X(WN_SPARSE_PRIVATE, "private")                                                        \
  X(WN_SPARSE_MERGED, "merged")                                                          \
  X(WN_SPARSE_ATOMIC, "atomic")                                                          \
  X(WN_SPARSE_AGGREGATE, "aggregate")
enum wn_sparse_deposit {
#define X(symbol, name) symbol,
  WN_SPARSE_DEPOSIT_LIST(X)
#undef X
      WN_N_SPARSE_DEPOSITS
};

/* spec: of the full grid, 2^n cells along each axis, on spec->gpu; its sides, method, species and their charges.
 * WN_EINPUT: a shape, gather or side that is not taken; WN_ENOMEM, WN_ECUDA.  The quanta are 0. */
int wn_sparse_gpu_create(const struct wn_electrostatic_spec *spec,
                         const struct wn_components *c, enum wn_sparse_combined at,
                         struct wn_sparse_gpu **out);
void wn_sparse_gpu_free(struct wn_sparse_gpu *g);

/* Bytes on the device that create takes, in any build. */
size_t wn_sparse_gpu_memory(const struct wn_electrostatic_spec *spec,
                            const struct wn_components *c, enum wn_sparse_combined at);

/* No quanta of species k; add those of its particles from number `first` on, at the middle of the step: m has
 * the full grid, as for wn_deposit_gpu_points.  WN_EINTERN: the particles are elsewhere. */
int wn_sparse_gpu_clear(struct wn_sparse_gpu *g, size_t k);
int wn_sparse_gpu_deposit(struct wn_sparse_gpu *g, enum wn_sparse_deposit way, size_t k,
                          const struct wn_points *m, struct wn_particles *p,
                          size_t first);

/* After deposit of all of species k: is the charge of each parent that of the particles?
 * wn_sparse_gpu_misfits says so when it is not. */
int wn_sparse_gpu_compare(struct wn_sparse_gpu *g, size_t k, const struct wn_points *m,
                          struct wn_particles *p);

/* After deposit: the quanta of all ranks (base/ranks.h) in the place of its own, of all species. */
int wn_sparse_gpu_bring_together(struct wn_sparse_gpu *g);

/* rho of all components from the quanta and the background [C/m3], phi and E.  volt: of the Dirichlet sides.
 * WN_EINPUT of wn_poisson_solve. */
int wn_sparse_gpu_solve(struct wn_sparse_gpu *g, double background, const double volt[6]);

/* Then: E for the particles. */
int wn_sparse_gpu_combine(struct wn_sparse_gpu *g);

/* That E, on the device: struct wn_grid_view.e of the full grid, by wn_sparse_view. */
const float *wn_sparse_gpu_floats(const struct wn_sparse_gpu *g);

/* As wn_electrostatic_gpu_misfits. */
int wn_sparse_gpu_misfits(const struct wn_sparse_gpu *g);

/* To the host, after a wait: the quanta of a species on the parents [c->parent_nodes], folded; rho [C/m3], phi
 * [V] and E along d [V/m] of all components [c->nodes]; E for the particles [wn_sparse_floats]. */
int wn_sparse_gpu_quanta(struct wn_sparse_gpu *g, size_t k, int64_t *quanta);
int wn_sparse_gpu_charge(struct wn_sparse_gpu *g, double *rho);
int wn_sparse_gpu_potential(struct wn_sparse_gpu *g, double *phi);
int wn_sparse_gpu_e(struct wn_sparse_gpu *g, int d, double *e);
int wn_sparse_gpu_gathered(struct wn_sparse_gpu *g, float *e);

WN_END_DECLS

#endif
