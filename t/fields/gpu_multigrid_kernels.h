/* t/fields/gpu_multigrid_kernels.h - the kernels of multigrid on a GPU, run on the host (gpu_multigrid_kernels.cpp), for
 * t0460. */
#ifndef WN_T_FIELDS_GPU_MULTIGRID_KERNELS_H
#define WN_T_FIELDS_GPU_MULTIGRID_KERNELS_H
#include "fields/poisson/gpu_multigrid_tiles.h"
#include "fields/poisson/multigrid.h"

WN_BEGIN_DECLS

/* Grid `number` of a solver, after a cycle: how far b of the next grid and x of this one, both by the kernels from b here
 * and x of the next, are from those of the cycle, over the largest.  many: planes of a thread. */
void kernels_of_grid(const struct wn_multigrid_solver *m,
                     const struct wn_multigrid_lines *lines, int number, int many,
                     double far[2]);

/* The finest grid, rho, given potentials and x at random: how far the norm of the charge's residual, the residual of x, the
 * same in single precision, its two sums, and what it is after an addition to x, with its sum and the new x, and the start with and without charge, are from
 * those of functions of one node. */
enum {
  CHARGE_NORM,
  RESIDUAL,
  RIGHT,
  NORM,
  SQUARES,
  DEFECT,
  DEFECT_NORM,
  POTENTIAL,
  START,
  N_OF_EQUATION
};
void kernels_of_equation(const struct wn_multigrid_solver *m,
                         const struct wn_multigrid_lines *lines, int many,
                         double far[N_OF_EQUATION]);

WN_END_DECLS

#endif
