/* crosssections/xs_join.c - see xs_join.h.
 *
 * An integral over the join is three: of RBEB up to half the cut and of Moller's above the cut in closed
 * form, and between them by Gauss and Legendre in ln Q, whose 8 points in a factor of 2 are exact to
 * 1e-12.  t/crosssections/t0214-moller.c */
#include "crosssections/xs_join.h"

#include <math.h>

/* Of Q^moment times RBEB's bracket. */
static double of_bound(const struct wn_join *j, int moment, double low, double high)
{
  return low < high ? j->kappa * wn_moller_integral(&j->m, moment, low, high) +
                          j->dipole * wn_dipole_integral(&j->m, moment, low, high)
                    : 0.0;
}

static double between(const struct wn_join *j, int moment, double low, double high)
{
  static const double x[] = {0.1834346424956498, 0.5255324099163290, 0.7966664774136267,
                             0.9602898564975363},
                      w[] = {0.3626837833783620, 0.3137066458778873, 0.2223810344533745,
                             0.1012285362903763};
  if (!(low < high))
    return 0.0;
  const double half = 0.5 * log(high / low), middle = sqrt(low * high);
  double sum = 0.0;
  for (int i = 0; i < 8; i++) {
    const double q = middle * exp(half * (i % 2 ? x[i / 2] : -x[i / 2]));
    double value = q * wn_join_shape(j, q); /* dQ = Q d ln Q */
    for (int k = 0; k < moment; k++)
      value *= q;
    sum += w[i / 2] * value;
  }
  return half * sum;
}

double wn_xs_join(const struct wn_xs_orbital *o, const struct wn_moller_model *model,
                  int moment, double from_ev, double to_ev, double t_ev)
{
  if (!(o->n > 0.0) || !(t_ev > o->b_ev))
    return 0.0;
  const struct wn_join j =
      wn_join(model, t_ev, o->b_ev, wn_beta2(o->u_ev) + wn_beta2(o->b_ev));
  const double from = fmax(from_ev, o->b_ev), to = fmin(to_ev, 0.5 * j.m.sum);
  if (!(from < to))
    return 0.0;
  double sum = of_bound(&j, moment, from, fmin(to, j.low_ev)) +
               between(&j, moment, fmax(from, j.low_ev), fmin(to, j.cut_ev));
  if (to > j.cut_ev)
    sum += wn_moller_integral(&j.m, moment, fmax(from, j.cut_ev), to);
  return o->n * j.m.k * fmax(sum, 0.0);
}

/* The least loss of an ionization. */
static double least_loss(const struct wn_moller_model *m, double t_ev)
{
  return t_ev >= m->soft_from_ev ? m->cut_ev : 0.0;
}

double wn_xs_join_mean_loss(const struct wn_xs_process *p, double t_ev)
{
  const struct wn_moller_model *m = &p->moller;
  const double least = least_loss(m, t_ev),
               all = wn_xs_join(&p->orbital, m, 0, least, INFINITY, t_ev);
  return all > 0.0 ? wn_xs_join(&p->orbital, m, 1, least, INFINITY, t_ev) / all
                   : p->loss_ev;
}
