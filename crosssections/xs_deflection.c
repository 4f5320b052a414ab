/* crosssections/xs_deflection.c - see xs_deflection.h. */
#include "crosssections/xs_deflection.h"

#include "crosssections/xs_join.h"
#include "crosssections/xs_set.h"
#include "physics/constants.h"
#include "physics/excitation_angle.h"
#include "physics/ionization_angle.h"

#include <math.h>
#include <stdlib.h>

/* Energies at which it is summed, 10 keV to 40 MeV, and losses. */
#define DEFLECTIONS 24
#define LOSSES      64

/* Sums of sigma (1 - cos). */
struct deflected {
  double has, of_free;
};

/* Of an orbital; only the ratio is used. */
static void deflect_ionized(const struct wn_xs_process *p,
                            const struct wn_moller_model *m, double t_ev, double factor,
                            struct deflected *sum)
{
  const struct wn_xs_orbital *o = &p->orbital;
  const struct wn_join j =
      wn_join(m, t_ev, o->b_ev, wn_beta2(o->u_ev) + wn_beta2(o->b_ev));
  const double range = log(fmin(m->cut_ev, 0.5 * j.m.sum) / o->b_ev);
  for (int i = 0; i < LOSSES && range > 0.0; i++) {
    const double q_ev = o->b_ev * exp((i + 0.5) / LOSSES * range),
                 of_free = factor * o->n * j.m.k * range / LOSSES *
                           wn_join_shape(&j, q_ev) * q_ev * q_ev * WN_MC2_EV /
                           (t_ev * (t_ev + 2.0 * WN_MC2_EV));
    sum->of_free += of_free;
    sum->has += of_free * wn_ionization_deflection(&j, t_ev, q_ev);
  }
}

static double deflection_at(const struct wn_xs_set *set, const struct wn_xs_bethe *b,
                            double t_ev)
{
  struct deflected sum = {0.0, 0.0};
  for (size_t i = 0; i < set->n; i++) {
    const struct wn_xs_process *p = &set->process[i];
    const double sigma = wn_xs_sigma(set, p, t_ev, WN_XS_BEYOND_CONSTANT);
    if (p->kind == WN_XS_IONIZATION)
      deflect_ionized(p, &b->model, t_ev, sigma / wn_xs_rbeb(&p->orbital, t_ev), &sum);
    if (p->kind != WN_XS_EXCITATION || !(p->loss_ev > 0.0))
      continue;
    const double excited = sigma * wn_xs_bethe_factor(b, t_ev);
    sum.of_free += excited * p->loss_ev * WN_MC2_EV / (t_ev * (t_ev + 2.0 * WN_MC2_EV));
    sum.has += excited * 2.0 * wn_excitation_mean_s(t_ev, p->loss_ev);
  }
  return sum.has / sum.of_free;
}

struct wn_soft_deflection wn_xs_deflection(const struct wn_xs_set *set,
                                           const struct wn_xs_bethe *b)
{
  const double first = log(1e4), range = log(4e7) - first;
  double x1 = 0.0, y1 = 0.0, xx = 0.0, xy = 0.0;
  for (int i = 0; i < DEFLECTIONS; i++) {
    const double x = first + range * i / (DEFLECTIONS - 1),
                 y = deflection_at(set, b, exp(x));
    x1 += x / DEFLECTIONS;
    y1 += y / DEFLECTIONS;
    xx += x * x / DEFLECTIONS;
    xy += x * y / DEFLECTIONS;
  }
  const double slope = (xy - x1 * y1) / (xx - x1 * x1);
  const struct wn_soft_deflection d = {(float)(y1 - slope * x1), (float)slope};
  return d;
}
