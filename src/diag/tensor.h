/* src/diag/tensor.h - drift vector and diffusion tensor of a swarm, and the axes that they
 * are written along.
 *
 * Flux of electrons of density n, J_i = w_i n - D_ik dn/dx_k: the first index of D is that
 * of the flux, the second that of the gradient.  How the sums give both: doc/physics.md.
 *   flux   D_ik = <v_i x_k> - <v_i><x_k>, as it is measured: in a magnetic field a part of
 *          it is antisymmetric, which drives a current along the lines of equal density
 *   bulk   half the growth of the covariance of x_i and x_k, symmetric by definition
 *
 * Axes, right-handed: 0 against E; 1 along E x B; 2 along the part of B across E.  With the
 * z of the program against E and B in its x-z plane these are z, -y and x.  Without B, and
 * with B along E, 1 and 2 are any two across E. */
#ifndef WN_SRC_DIAG_TENSOR_H
#define WN_SRC_DIAG_TENSOR_H
#include "src/config/config.h"
#include "src/diag/diag.h"

#define WN_FRAME_AXES 3

/* Axis k is `sign` times coordinate `from` of the program. */
struct wn_frame_axis {
  int from;
  double sign;
};

static const struct wn_frame_axis wn_frame_axis[WN_FRAME_AXES] = {
    {2, 1.0}, {1, -1.0}, {0, 1.0}};

/* Dimensions axis and gradient_axis, variable axis_name, if they are wanted. */
int wn_frame_define(struct wn_output *o, const struct wn_config *c);
int wn_frame_put(struct wn_output *o, const struct wn_config *c);

/* A variable of field and axis, which points to axis_name. */
int wn_frame_define_vector(struct wn_output *o, const char *name, const char *units,
                           const char *long_name, const char *comment);

/* drift_vector_bulk, diffusion_tensor_flux, diffusion_tensor_bulk; d: of moments.c,
 * with sums of kind WN_SAMPLE_TENSOR. */
int wn_tensor_define(struct wn_output *o);
int wn_tensor_write(const struct wn_diag *d, const struct wn_sim *s,
                    const double *control, struct wn_output *o);

#endif
