/* fields/nodal_formulas.h - E and B by formulas, for the field `nodes`: a list, and the parameters
 * that a formula takes. */
#ifndef WN_FIELDS_NODAL_FORMULAS_H
#define WN_FIELDS_NODAL_FORMULAS_H
#include "fields/nodal.h"

WN_BEGIN_DECLS

/* The formulas, a line each: symbol, word, function.
 *   uniform  E and B
 *   harris   a sheet of current along z in the middle of y, besides E and B:
 *            Bx = B0 tanh((y - Ly/2)/thickness), and B = grad psi x z of two perturbations of B0,
 *              psi = amplitude B0 thickness cos(2 pi (x - Lx/2)/Lx) cos(pi (y - Ly/2)/Ly)
 *              psi = local B0 thickness exp(-r2) cos(pi X/10) cos(pi Y/10)
 *            where X, Y are the distances from the middle of x and y over the thickness, and r2 is
 *            X^2 + Y^2 */
#define WN_NODAL_FORMULAS(X)                                                             \
  X(UNIFORM, "uniform", uniform)                                                         \
  X(HARRIS, "harris", harris)                                                            \
  /* the next */

enum wn_nodal_formula {
#define X(symbol, word, at) WN_FORMULA_##symbol,
  WN_NODAL_FORMULAS(X)
#undef X
      WN_N_FORMULAS
};

struct wn_nodal_parameters {
  enum wn_nodal_formula formula;
  double e[3], b[3];       /* V/m, T: everywhere */
  double b0;               /* T */
  double thickness;        /* m */
  double amplitude, local; /* of the perturbations */
  double length[3];        /* m, of the domain */
};

/* p: must exist as long as the field. */
struct wn_nodal_source wn_nodal_source_of(struct wn_nodal_parameters *p);

WN_END_DECLS

#endif
