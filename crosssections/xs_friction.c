/* crosssections/xs_friction.c - the mean force of collisions on an electron: energy lost
 * per path length. Excitation costs its loss, ionization the ion's energy and the mean
 * energy of the new electron; the recoil of elastic collisions, of order m/M, and
 * attachment are left out.  Checked against NIST's ESTAR in t/crosssections/t0212-friction.c. */
#include "crosssections/xs.h"

#include "crosssections/xs_join.h"
#include "base/error.h"

#include <math.h>

/* Mean of W over 1/(1 + (W/w)^2), 0 <= W <= (T - B)/2:
 *   (w/2) ln(1 + x^2)/atan x, with x = (T - B)/(2 w).
 * Limits: w -> 0 gives 0; w -> infinity, uniform sharing, (T - B)/4. */
static double opal_mean_w(double w, double excess_ev)
{
  if (!(w > 0.0) || !(excess_ev > 0.0))
    return 0.0;
  double x = 0.5 * excess_ev / w;
  return x < 1e-6 ? 0.25 * excess_ev : 0.5 * w * log1p(x * x) / atan(x);
}

double wn_xs_friction(size_t n, const struct wn_xs_set *const *set, const double *density,
                      const enum wn_xs_beyond *beyond, const double *opal_w, double t_ev)
{
  double sum = 0.0;
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < set[i]->n; k++) {
      const struct wn_xs_process *p = &set[i]->process[k];
      double loss = p->loss_ev;
      if (p->kind != WN_XS_EXCITATION && p->kind != WN_XS_IONIZATION &&
          p->kind != WN_XS_FRICTION)
        continue;
      double sigma = wn_xs_sigma(set[i], p, t_ev, beyond[i]);
      if (!(sigma > 0.0))
        continue;
      if (p->kind == WN_XS_IONIZATION) {
        if (p->moller.cut_ev > 0.0) {
          loss = wn_xs_join_mean_loss(p, t_ev);
        } else if (p->orbital.n > 0.0) {
          loss += wn_xs_rbeb_mean_w(&p->orbital, t_ev);
        } else {
          WN_ASSERT(opal_w != NULL);
          loss += opal_mean_w(opal_w[i], t_ev - loss);
        }
      }
      sum += density[i] * sigma * loss;
    }
  return sum;
}
