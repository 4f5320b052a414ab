/* src/diag/reduced.h - coefficients of a swarm as in tables of transport data: mobility and diffusion
 * times the density of the gas, which depend on E/N alone, and characteristic energies D/mu, which many
 * experiments measure.  Written with the moments (src/diag/moments.c), each with its own jackknife, since
 * the errors of D and drift are correlated.
 *
 *   mobility_reduced_*             mu N = W N / E, m-1 V-1 s-1; W along E
 *   diffusion_*_reduced_*          N D, m-1 s-1
 *   characteristic_energy_*        D / mu = D E / W, as a potential in V (eV of an electron)
 *
 * Flux coefficients use the flux drift, bulk ones the bulk drift.  Without a field mu and D/mu are
 * NaN. */
#ifndef WN_SRC_DIAG_REDUCED_H
#define WN_SRC_DIAG_REDUCED_H
#include "src/diag/diag.h"

int wn_reduced_define(struct wn_output *o);

/* d: of moments.c; control [groups]: of wn_transport_control. */
int wn_reduced_write(const struct wn_diag *d, const struct wn_sim *s,
                     const double *control, struct wn_output *o);

#endif
