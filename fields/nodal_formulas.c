/* fields/nodal_formulas.c - see nodal_formulas.h.
 *
 * The sheet is that of Harris, Nuovo Cimento 23, 115 (1962).  The first perturbation has the form of that of
 * the GEM challenge, whose amplitude there is 0.1 B0 d_i, 0.2 of B0 times the thickness; the second
 * is that of the public code sputniPIC (initGEM), whose amplitude there is 0.4. */
#include "fields/nodal_formulas.h"
#include <math.h>
#include "physics/constants.h"

static void uniform(const struct wn_nodal_parameters *p, const double x[3],
                    double eb[WN_NODAL_COMPONENTS])
{
  (void)x;
  for (int d = 0; d < 3; d++) {
    eb[d] = p->e[d];
    eb[3 + d] = p->b[d];
  }
}

static void harris(const struct wn_nodal_parameters *p, const double x[3],
                   double eb[WN_NODAL_COMPONENTS])
{
  const double a = p->thickness, kx = 2.0 * WN_PI / p->length[0],
               ky = WN_PI / p->length[1];
  const double dx = x[0] - 0.5 * p->length[0], dy = x[1] - 0.5 * p->length[1];
  const double k = WN_PI / 10.0, r2 = (dx * dx + dy * dy) / (a * a);
  const double psi = p->amplitude * p->b0 * a, of_local = p->local * p->b0 * exp(-r2);
  const double cx = cos(k * dx / a), cy = cos(k * dy / a);
  uniform(p, x, eb);
  eb[3] += p->b0 * tanh(dy / a); /* d psi/dy */
  eb[3] -= psi * ky * cos(kx * dx) * sin(ky * dy);
  eb[3] -= of_local * cx * (2.0 * dy / a * cy + k * sin(k * dy / a));
  eb[4] += psi * kx * sin(kx * dx) * cos(ky * dy); /* -d psi/dx */
  eb[4] += of_local * cy * (2.0 * dx / a * cx + k * sin(k * dx / a));
}

static void at(const void *of, const double x[3], double eb[WN_NODAL_COMPONENTS])
{
  const struct wn_nodal_parameters *p = of;
  switch (p->formula) {
#define X(symbol, word, function)                                                        \
  case WN_FORMULA_##symbol:                                                              \
    function(p, x, eb);                                                                  \
    break;
    WN_NODAL_FORMULAS(X)
#undef X
  default:
    break;
  }
}

struct wn_nodal_source wn_nodal_source_of(struct wn_nodal_parameters *p)
{
  return (struct wn_nodal_source){.of = p, .at = at};
}
