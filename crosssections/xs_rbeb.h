/* crosssections/xs_rbeb.h - orbitals of the gases whose ionization is known by formula.
 * The formulae themselves (wn_xs_rbeb, wn_xs_rbeb_sdcs, wn_xs_rbeb_mean_w) are in
 * xs.h. */
#ifndef WN_CROSSSECTIONS_XS_RBEB_H
#define WN_CROSSSECTIONS_XS_RBEB_H
#include <stddef.h>

struct wn_xs_orbital;

/* Orbitals of "N2", "O2" or "Ar", outermost last; *out is a constant table, never freed.
 * Returns their number; 0 for any other gas, and *out is then NULL. */
size_t wn_xs_rbeb_orbitals(const char *gas, const struct wn_xs_orbital **out);

/* Name of orbital i of the same gas ("1s", "3sg"); NULL for an unknown gas or an i beyond
 * its last. */
const char *wn_xs_rbeb_orbital_name(const char *gas, size_t i);

#endif
