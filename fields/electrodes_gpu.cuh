/* fields/electrodes_gpu.cuh - electrodes inside a grid on a GPU: what the host does beside their surfaces before and after the
 * solutions of a step (electrodes.h, electrode_shares.h), by the same functions, so that it has the same bits for the same rho
 * and phi.  The lists are those of the host, copied once. */
#ifndef WN_FIELDS_ELECTRODES_GPU_CUH
#define WN_FIELDS_ELECTRODES_GPU_CUH
#include "device/device.cuh"
#include "fields/electrode_shares.h"
#include "fields/electrodes.h"

struct wn_electrodes_gpu;

/* Copies of e and s, and two arrays of doubles of all nodes.  WN_ENOMEM, WN_ECUDA. */
int wn_electrodes_gpu_create(struct wn_gpu *g, const struct wn_electrodes *e,
                             const struct wn_electrode_shares *s,
                             struct wn_electrodes_gpu **out);
void wn_electrodes_gpu_free(struct wn_electrodes_gpu *w);

/* From rho [nodes] of the particles: the charge of the first solution, *first; and what its layer adds to E. */
int wn_electrodes_gpu_begin(struct wn_electrodes_gpu *w, const double *rho,
                            double background, const double **first);
/* The charge of the next, in the same place. */
int wn_electrodes_gpu_correct(struct wn_electrodes_gpu *w, const double *phi);
/* How many solutions there are. */
int wn_electrodes_gpu_solves(const struct wn_electrodes_gpu *w);
/* The charge of the last one. */
const double *wn_electrodes_gpu_rho(const struct wn_electrodes_gpu *w);

/* As wn_electrodes_gathered of e, and wn_electrodes_field of at_nodes. */
int wn_electrodes_gpu_gathered(struct wn_electrodes_gpu *w, const double *phi,
                               const struct wn_grid_view *g, float *e);
int wn_electrodes_gpu_field(struct wn_electrodes_gpu *w, const double *phi, int d,
                            double *at_nodes);

#endif
