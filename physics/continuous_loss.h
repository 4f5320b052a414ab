/* physics/continuous_loss.h - model `mcc`: what the process friction (physics/collisions/friction.h) takes in quanta, taken along
 * the flight instead: the continuous restricted loss, without a field.
 *
 * With s = |u|^2 in units of WN_UNIT_U^2 an electron on its straight flight has ds/dt = G(s) = -(gamma/WN_UNIT_EV) dE/dt,
 * dE/dt = sum over processes of the frequency of quanta times the quantum, from the collision tables.  A flight of t
 * seconds from s0 takes it to
 *
 *   s(t) = s0 + t (G + t H),  H = G G'/2,
 *
 * the series to second order, which is a parabola as in a uniform field (physics/mcc_flight.h): the error of a flight that
 * loses the part d of the energy is O(d^3).  Way and integral of the energy are by Simpson's rule.  At the end of the flight the
 * electron turns by the angle of a free collision that takes the whole loss, at an azimuth of its own: its square is proportional to
 * the loss, so that the mean of 1 - cos is that of the single collisions, as with quanta; the deflection (physics/ionization_angle.h) is
 * the mean over the gases at the energy in the beginning.
 *
 * Candidates of a flight are bounded by the band in which it begins and the band below it (physics/mcc_bands.h): its horizon is
 * the least time that the fall through the latter takes, at the greatest G of both, less some room.
 * t/physics/t0168-continuous-loss.c */
#ifndef WN_PHYSICS_CONTINUOUS_LOSS_H
#define WN_PHYSICS_CONTINUOUS_LOSS_H
#include <math.h>
#include <stdint.h>
#include "physics/constants.h"
#include "physics/host_device.h"
#include "physics/mathfn.h"
#include "physics/mcc_bands.h"
#include "physics/push.h"
#include "physics/single_precision.h"
#include "physics/xs_view.h"

/* Knots of equal ratio, 32 an octave, from 2^9 eV to 2^27 eV; between them G and H are linear in the energy: off by 1e-4
 * at the most. */
#define WN_CONTINUOUS_BITS  18 /* float bits below the number of a knot */
#define WN_CONTINUOUS_FIRST ((127u + 9u) << 5)
#define WN_CONTINUOUS_KNOTS (18 * 32 + 1)

struct wn_continuous_knot {
  float g, h; /* 1/s, 1/s2; in the unit of s */
};

/* A process that the loss stands for: as in the tallies. */
struct wn_continuous_process {
  int index;
  float share, per_ev; /* of the loss; quanta per eV of its share */
};

struct wn_continuous_loss {
  float from_ev; /* below it nothing is lost */
  int n;
  struct wn_continuous_process process[WN_XS_MAX_GASES];
  struct wn_continuous_knot knot[WN_CONTINUOUS_KNOTS];
  float deflection[WN_CONTINUOUS_KNOTS]; /* 0 with isotropic angles */
};

/* Energy of a knot, eV. */
static WN_HD float wn_continuous_energy(int knot)
{
  return wn_float_from_bits((WN_CONTINUOUS_FIRST + (uint32_t)knot) << WN_CONTINUOUS_BITS);
}

/* G and H at an energy. */
static WN_HD struct wn_continuous_knot
wn_continuous_at(const struct wn_continuous_loss *c, float e_ev)
{
  const uint32_t bits = wn_float_bits(e_ev);
  int32_t i = (int32_t)(bits >> WN_CONTINUOUS_BITS) - (int32_t)WN_CONTINUOUS_FIRST;
  i = i < WN_CONTINUOUS_KNOTS - 2 ? i : WN_CONTINUOUS_KNOTS - 2;
  i = i > 0 ? i : 0;
  const float part = (float)(bits & ((1u << WN_CONTINUOUS_BITS) - 1u)) *
                     (1.0f / (float)(1u << WN_CONTINUOUS_BITS)),
              on = e_ev >= c->from_ev ? 1.0f : 0.0f;
  const struct wn_continuous_knot a = c->knot[i], b = c->knot[i + 1];
  const struct wn_continuous_knot k = {on * wn_fma(part, b.g - a.g, a.g),
                                       on * wn_fma(part, b.h - a.h, a.h)};
  return k;
}

/* That of the knot below: neighbours differ by 1e-3 of it at most. */
static WN_HD float wn_continuous_deflection(const struct wn_continuous_loss *c,
                                            float e_ev)
{
  int32_t i =
      (int32_t)(wn_float_bits(e_ev) >> WN_CONTINUOUS_BITS) - (int32_t)WN_CONTINUOUS_FIRST;
  i = i < WN_CONTINUOUS_KNOTS - 1 ? i : WN_CONTINUOUS_KNOTS - 1;
  return c->deflection[i > 0 ? i : 0];
}

/* s(t); not below 0. */
static WN_HD float wn_continuous_s(float s0, struct wn_continuous_knot k, float t)
{
  const float s = wn_fma(t, wn_fma(t, k.h, k.g), s0);
  return s > 0.0f ? s : 0.0f;
}

/* Speed over WN_UNIT_U. */
static WN_HD float wn_continuous_speed(float s)
{
  return sqrtf(s) / sqrtf(wn_fma(s, (float)WN_UNIT_BETA2, 1.0f));
}

/* The end of a flight of t seconds: x [m] and u [m/s] from those at its begin, the energies at both ends in eV.  deflection: of
 * wn_continuous_deflection; word: of the azimuth.  Returns the integral of the energy over time, eV s. */
static WN_HD float wn_continuous_end(float s0, struct wn_continuous_knot k, float t,
                                     float before, float after, float deflection,
                                     uint32_t word, float x[3], float u[3])
{
  const float middle = wn_continuous_s(s0, k, 0.5f * t), end = wn_continuous_s(s0, k, t),
              simpson = t * (float)(1.0 / 6.0), inverse = 1.0f / sqrtf(s0),
              mean = wn_continuous_speed(s0) + wn_continuous_speed(end),
              way = (float)WN_UNIT_U * simpson *
                    wn_fma(4.0f, wn_continuous_speed(middle), mean),
              mc2 = (float)(2.0 * WN_MC2_EV), lost = before - after,
              sine2 = lost > 0.0f ? lost * mc2 / (before * (after + mc2)) : 0.0f,
              half2 = 0.5f * sine2 / (1.0f + sqrtf(1.0f - sine2)),
              chi2 = deflection * half2, size = (float)WN_UNIT_U * sqrtf(end);
  float d[3], sine, cosine;
  for (int i = 0; i < 3; i++) {
    d[i] = u[i] * ((float)(1.0 / WN_UNIT_U) * inverse);
    x[i] = wn_fma(way, d[i], x[i]);
  }
  wn_sincos_word_f(word, &sine, &cosine);
  wn_angle_turn_f(d, chi2, sine, cosine);
  for (int i = 0; i < 3; i++)
    u[i] = size * d[i];
  return simpson * wn_fma(4.0f, wn_energy_f(middle), before + after);
}

/* ---- made, on the host */

static inline double wn_continuous_square(double e_ev)
{
  const double u = wn_u_from_ev(e_ev) / WN_UNIT_U;
  return u * u;
}

/* Energy lost by process k of a table [eV/s]; below the threshold 0. */
static inline double wn_continuous_power(const struct wn_xs_view *xs, int k, double e_ev)
{
  const struct wn_process_view *p = &xs->process[k];
  return xs->nu_max * p->loss_ev *
         (double)wn_xs_probability(xs, k, p->threshold_ev, (float)e_ev);
}

/* G by the tables; below from_ev, where they have none, along the line of two energies above it. */
static inline double wn_continuous_rate(const struct wn_xs_view *xs, double from_ev,
                                        double e_ev)
{
  if (e_ev < from_ev) {
    const double step = 0.02 * from_ev, at = wn_continuous_rate(xs, from_ev, from_ev),
                 on = wn_continuous_rate(xs, from_ev, from_ev + step);
    return at + (on - at) * (e_ev - from_ev) / step;
  }
  double power = 0.0;
  for (int k = 0; k < xs->n_processes; k++)
    if (xs->process[k].kind == WN_PROC_FRICTION)
      power += wn_continuous_power(xs, k, e_ev);
  return -(1.0 + e_ev / WN_MC2_EV) / WN_UNIT_EV * power;
}

/* Energy at which the loss is shared out to the processes; their parts change by 1 % from 10 keV to 10 MeV. */
#define WN_CONTINUOUS_SHARED_EV 1e6

/* Mean over the gases, by what they take. */
static inline double wn_continuous_mean_deflection(const struct wn_xs_view *xs,
                                                   const struct wn_continuous_loss *c,
                                                   double e_ev)
{
  double sum = 0.0;
  int of = 0;
  for (int k = 0; k < xs->n_processes; k++)
    if (xs->process[k].kind == WN_PROC_FRICTION)
      sum += (double)c->process[of++].share *
             wn_deflection_from((double)xs->excitation_from_ev, e_ev,
                                wn_soft_deflection(&xs->process[k].deflection, e_ev));
  return sum;
}

static inline void wn_continuous_make(const struct wn_xs_view *xs,
                                      struct wn_continuous_loss *c)
{
  double all = 0.0, power[WN_XS_MAX_GASES];
  const double top = 0.9999 * xs->e_top;
  c->from_ev = INFINITY;
  c->n = 0;
  for (int k = 0; k < xs->n_processes; k++) {
    const struct wn_process_view *p = &xs->process[k];
    if (p->kind != WN_PROC_FRICTION)
      continue;
    const double at = fmin(fmax(WN_CONTINUOUS_SHARED_EV, (double)p->threshold_ev), top);
    power[c->n] = wn_continuous_power(xs, k, at);
    all += power[c->n];
    c->from_ev = p->threshold_ev; /* one for all: it is that of the model */
    struct wn_continuous_process *of = &c->process[c->n++];
    of->index = p->index;
    of->share = 0.0f;
    of->per_ev = (float)(1.0 / p->loss_ev);
  }
  for (int k = 0; k < c->n; k++)
    c->process[k].share = (float)(power[k] / all);
  const double from = (double)c->from_ev;
  for (int i = 0; i < WN_CONTINUOUS_KNOTS; i++) {
    const double e = fmin((double)wn_continuous_energy(i), top),
                 below = fmax(0.98 * e, 1.0), above = fmin(1.02 * e, top),
                 g = wn_continuous_rate(xs, from, e),
                 slope = (wn_continuous_rate(xs, from, above) -
                          wn_continuous_rate(xs, from, below)) /
                         (wn_continuous_square(above) - wn_continuous_square(below));
    /* far below from_ev the line means nothing, and nothing is read */
    const int is_far = e < 0.9 * from;
    c->knot[i].g = is_far ? 0.0f : (float)g;
    c->knot[i].h = is_far ? 0.0f : (float)(0.5 * g * slope);
    c->deflection[i] = xs->angle_model != WN_ANGLE_ISOTROPIC
                           ? (float)wn_continuous_mean_deflection(xs, c, e)
                           : 0.0f;
  }
}

/* Part of the time of a fall that is taken for it: room for the series, for lines between knots and for rounding. */
#define WN_CONTINUOUS_ROOM 0.9

/* Horizons of bands that are bounded down to the band below. */
static inline void wn_continuous_horizons(const struct wn_continuous_loss *c,
                                          struct wn_mcc_band band[WN_MCC_BANDS])
{
  for (int k = 1; k < WN_MCC_BANDS; k++) {
    const float low = wn_mcc_band_floor(k - 1), high = wn_mcc_band_floor(k + 1);
    float most = 0.0f;
    for (int i = 0; i + 1 < WN_CONTINUOUS_KNOTS; i++)
      if (wn_continuous_energy(i + 1) >= low && wn_continuous_energy(i) <= high)
        most = fmaxf(most, -c->knot[i].g);
    const double fall = wn_continuous_square((double)wn_mcc_band_floor(k)) -
                        wn_continuous_square((double)low);
    if (high > c->from_ev && most > 0.0f)
      band[k].horizon =
          fminf(band[k].horizon, (float)(WN_CONTINUOUS_ROOM * fall / (double)most));
  }
}

#endif
