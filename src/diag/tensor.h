/* src/diag/tensor.h - drift vector and diffusion tensor of a swarm, and their axes.
 *
 * Flux of electrons of density n, J_i = w_i n - D_ik dn/dx_k: the first index of D is that of the flux,
 * the second that of the gradient.  How both follow from the sums: doc/physics.md.
 *   flux   D_ik = <v_i x_k> - <v_i><x_k>, as measured: in a magnetic field it has an
 *   antisymmetric
 *          part, which drives a current along lines of equal density
 *   bulk   half the growth rate of the covariance of x_i and x_k, symmetric by definition
 *
 * Axes, right-handed: 0 against E; 1 along E x B; 2 along the part of B across E.  With z against E and B
 * in the x-z plane these are z, -y and x.  Without B, and with B along E, 1 and 2 are any two axes across
 * E. */
#ifndef WN_SRC_DIAG_TENSOR_H
#define WN_SRC_DIAG_TENSOR_H
#include "src/config/config.h"
#include "src/diag/diag.h"

#define WN_FRAME_AXES 3

/* Axis k is `sign` times coordinate `from` of the particles. */
struct wn_frame_axis {
  int from;
  double sign;
};

static const struct wn_frame_axis wn_frame_axis[WN_FRAME_AXES] = {
    {2, 1.0}, {1, -1.0}, {0, 1.0}};

/* Dimensions axis and gradient_axis, variable axis_name, if vectors are written. */
int wn_frame_define(struct wn_output *o, const struct wn_config *c);
int wn_frame_put(struct wn_output *o, const struct wn_config *c);

/* A variable over field and axis, which refers to axis_name. */
int wn_frame_define_vector(struct wn_output *o, const char *name, const char *units,
                           const char *long_name, const char *comment);

/* drift_vector_bulk, diffusion_tensor_flux, diffusion_tensor_bulk; d: of moments.c,
 * with sums of kind WN_SAMPLE_TENSOR. */
int wn_tensor_define(struct wn_output *o);
int wn_tensor_write(const struct wn_diag *d, const struct wn_sim *s,
                    const double *control, struct wn_output *o);

#endif
