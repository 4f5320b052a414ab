/* src/stats/momentum_loss.c - see momentum_loss.h. */
#include "src/stats/momentum_loss.h"
#include <math.h>
#include "crosssections/xs.h"
#include "physics/angle.h"
#include "physics/constants.h"
#include "physics/excitation_angle.h"
#include "physics/expected_frequency.h"
#include "physics/grouped_angle.h"
#include "physics/ionize.h"
#include "physics/push.h"

#define SHARES 32 /* energies of a newborn electron over which the mean is taken */

/* Mean cosine where 1 - cos is that of a free collision times a deflection; with 1 that of the free one, to the last bit. */
static double mean_turned(double cosine, double deflection)
{
  return cosine + (1.0 - deflection) * (1.0 - cosine);
}

/* <cos chi> of a forward-scattering model with parameter q. */
static double mean_cosine(const struct wn_xs_view *xs, double q, double t_ev)
{
  if (xs->angle_model != WN_ANGLE_SCREENED_COULOMB)
    return 1.0 - wn_angle_ratio(q);
  const double gamma = 1.0 + t_ev / WN_MC2_EV, beta2 = 1.0 - 1.0 / (gamma * gamma),
               eta = q < 0.998 ? 0.5 * q / (1.0 - q)
                               : 301.0; /* isotropic except for spin */
  return 1.0 - wn_angle_ratio_spin(eta, beta2);
}

/* The same of elastic collisions whose deflections are grouped: as much momentum transfer in fewer collisions. */
static double mean_cosine_grouped(const struct wn_xs_view *xs, double q, double t_ev)
{
  const double beta2 =
                   xs->angle_model == WN_ANGLE_SCREENED_COULOMB ? wn_beta2(t_ev) : 0.0,
               rate = wn_grouped_angle(0.5 * q / (1.0 - q), beta2, xs->grouped_s).rate;
  return 1.0 - (1.0 - mean_cosine(xs, q, t_ev)) / rate;
}

/* Mean fraction of the momentum that remains after an elastic or exciting collision at
 * relative energy t_ev. */
static double left_by_deflection(const struct wn_xs_view *xs,
                                 const struct wn_process_view *p, double t_ev)
{
  const struct wn_gas_view *g = &xs->gas[p->gas];
  const double r = (double)g->recoil, in_cm = (1.0 - r) * t_ev;
  if (p->kind == WN_PROC_FRICTION)
    return wn_u_from_ev(t_ev - p->loss_ev) / wn_u_from_ev(t_ev) *
           (xs->angle_model == WN_ANGLE_ISOTROPIC
                ? 1.0
                : mean_turned(
                      wn_angle_binary_cos(t_ev, t_ev - p->loss_ev),
                      wn_deflection_from((double)xs->excitation_from_ev, t_ev,
                                         wn_soft_deflection(&p->deflection, t_ev))));
  if (in_cm < p->loss_ev)
    return 1.0; /* below threshold: no collision */
  if (xs->angle_model == WN_ANGLE_ISOTROPIC)
    return r;
  const double q = p->kind == WN_PROC_ELASTIC
                       ? (double)wn_xs_angle(xs, g->angle, (float)t_ev)
                       : wn_angle_coulomb_q(t_ev);
  const double speeds = wn_u_from_ev(in_cm - p->loss_ev) / wn_u_from_ev(in_cm);
  if (p->kind != WN_PROC_ELASTIC && (float)t_ev >= xs->excitation_from_ev) {
    const double part = wn_excitation_part((double)xs->excitation_from_ev, t_ev);
    return r + (1.0 - r) * speeds *
                   (part * (1.0 - 2.0 * wn_excitation_mean_s(t_ev, p->loss_ev)) +
                    (1.0 - part) * mean_cosine(xs, q, t_ev));
  }
  const int grouped = p->kind == WN_PROC_ELASTIC && (float)t_ev >= xs->grouped_from_ev;
  return r + (1.0 - r) * speeds *
                 (grouped ? mean_cosine_grouped(xs, q, t_ev) : mean_cosine(xs, q, t_ev));
}

/* Momentum of both electrons after an ionization, along that before; w_ev: energy of the slower; deflection: of
 * physics/ionization_angle.h. */
static double of_turned(double t_ev, double rest, double w_ev, double deflection)
{
  return wn_u_from_ev(rest - w_ev) *
             mean_turned(wn_angle_binary_cos(t_ev, rest - w_ev), deflection) +
         wn_u_from_ev(w_ev) * wn_angle_binary_cos(t_ev, w_ev);
}

static double of_both(double t_ev, double rest, double w_ev)
{
  return of_turned(t_ev, rest, w_ev, 1.0);
}

/* Mean over the energies w = b (exp(x) - 1) of RBEB, by the midpoint rule in x. */
static double of_rbeb(double t_ev, double rest, double b_ev)
{
  const struct wn_xs_orbital o = {b_ev, b_ev, 1.0}; /* the shape depends on b only */
  double sum = 0.0, weights = 0.0;
  if (!(t_ev > b_ev))
    return of_both(t_ev, rest, 0.0);
  for (int i = 0; i < SHARES; i++) {
    const double x = ((double)i + 0.5) / SHARES * log1p(0.5 * (t_ev - b_ev) / b_ev),
                 w_ev = b_ev * expm1(x),
                 weight = exp(x) * wn_xs_rbeb_sdcs(&o, t_ev, w_ev);
    sum += weight * of_both(t_ev, rest, fmin(w_ev, rest));
    weights += weight;
  }
  return sum / weights;
}

/* The same over the losses q = least exp(x) of the join to Moller's cross section. */
static double of_join(const struct wn_xs_view *xs, const struct wn_process_view *p,
                      double t_ev, double rest)
{
  const double least = t_ev >= xs->moller.soft_from_ev ? xs->moller.cut_ev : p->b_ev,
               range = log(0.5 * (t_ev + p->b_ev) / least);
  double sum = 0.0, weights = 0.0;
  if (!(range > 0.0))
    return of_both(t_ev, rest, 0.0);
  const struct wn_join j = wn_join(&xs->moller, t_ev, p->b_ev, p->beta2);
  for (int i = 0; i < SHARES; i++) {
    const double q_ev = least * exp(((double)i + 0.5) / SHARES * range),
                 weight = q_ev * wn_join_shape(&j, q_ev);
    sum +=
        weight * of_turned(t_ev, rest, fmin(q_ev - p->b_ev, rest),
                           wn_deflection_from((double)xs->excitation_from_ev, t_ev,
                                              wn_ionization_deflection(&j, t_ev, q_ev)));
    weights += weight;
  }
  return sum / weights;
}

static double left_by_ionization(const struct wn_xs_view *xs,
                                 const struct wn_process_view *p, double t_ev)
{
  const double rest = fmax(t_ev - p->loss_ev, 0.0), u = wn_u_from_ev(t_ev);
  if (xs->angle_model == WN_ANGLE_ISOTROPIC)
    return 0.0;
  if (xs->share_model == WN_SHARING_EQUAL)
    return of_both(t_ev, rest, 0.5 * rest) / u;
  if (xs->share_model == WN_SHARING_RBEB)
    return of_rbeb(t_ev, rest, p->b_ev) / u;
  if (xs->share_model == WN_SHARING_MOLLER)
    return of_join(xs, p, t_ev, rest) / u;
  double sum = 0.0;
  for (int i = 0; i < SHARES; i++)
    sum += of_both(t_ev, rest,
                   fmin(wn_ionize_opal(t_ev, p->loss_ev, xs->gas[p->gas].opal_ev,
                                       ((double)i + 0.5) / SHARES),
                        rest));
  return sum / SHARES / u;
}

double wn_momentum_loss(const struct wn_xs_view *xs, int k, double e_ev)
{
  const struct wn_process_view *p = &xs->process[k];
  struct wn_relative_energy seen[WN_SEEN];
  if (wn_expected_max_energy(xs, p->gas, e_ev) < (double)p->threshold_ev)
    return 0.0;
  const int n = wn_expected_relative(xs, p->gas, e_ev, seen);
  double sum = 0.0;
  for (int i = 0; i < n; i++) {
    const double t_ev = (double)seen[i].energy,
                 nu = (double)wn_xs_probability(xs, k, p->threshold_ev, seen[i].energy) *
                      xs->nu_max * seen[i].weight;
    if (!(nu > 0.0))
      continue;
    if (p->kind == WN_PROC_ATTACHMENT)
      sum += nu * wn_u_from_ev(e_ev);
    else
      sum += nu * seen[i].along * wn_u_from_ev(t_ev) *
             (1.0 - (p->kind == WN_PROC_IONIZATION ? left_by_ionization(xs, p, t_ev)
                                                   : left_by_deflection(xs, p, t_ev)));
  }
  return sum * (WN_ME / WN_E);
}
