/* physics/photoionization.h - photoionization of O2 by the radiation of N2 in air: where a
 * photon is absorbed.  The model of Zheleznyak, Mnatsakanyan and Sizykh (1982).
 *
 * The absorption coefficient chi of the photons is that of the oxygen.  Its logarithm is
 * uniform between those of chi_min and chi_max, which are proportional to the pressure of
 * the oxygen, and chi gives an exponential length:
 *
 *   chi = chi_min (chi_max/chi_min)^u,   r = -ln(u')/chi,   u, u' uniform in (0, 1)
 *
 * The density of chi is 1/(chi ln(chi_max/chi_min)), so that of r is
 *
 *   f(r) = integral of chi exp(-chi r) dchi/(chi ln(chi_max/chi_min))
 *        = (exp(-chi_min r) - exp(-chi_max r))/(r ln(chi_max/chi_min)),
 *
 * the function of the model: the sampler is exact (derived here).  Its integral is
 *
 *   F(r) = (Ein(chi_max r) - Ein(chi_min r))/ln(chi_max/chi_min),
 *   Ein(x) = integral from 0 to x of (1 - exp(-t))/t dt.
 *
 * Neither this paper nor the two below were read: the model is taken from the sources of
 * afivo-pic (MD-CWI/afivo-pic, src/m_photons.f90), and the coefficients of the three
 * terms of Bourdon et al. (2007) from those of afivo-streamer (MD-CWI/afivo-streamer,
 * src/m_photoi_helmh.f90).  Checked by t/physics/t0152-photoionization.c.
 *
 * Random numbers: purpose PHOTON, named by the electron that the ionization released.
 * Block 0: number of photons; three blocks for each of them.  Blocks have 24 bits: those of
 * 2^22 photons fit, and the next 2^22 have the next event. */
#ifndef WN_PHYSICS_PHOTOIONIZATION_H
#define WN_PHYSICS_PHOTOIONIZATION_H
#include <math.h>
#include <stdint.h>
#include "physics/electron.h"
#include "physics/grid_view.h"
#include "physics/host_device.h"
#include "physics/mathfn.h"
#include "physics/rng.h"

/* Blocks of purpose PHOTON. */
enum {
  WN_PHOTON_BLOCK_NUMBER = 0,
  /* of photon j, at WN_PHOTON_BLOCKS j + these */
  WN_PHOTON_BLOCK_FLIGHT = 1,   /* chi, length, direction (two words) */
  WN_PHOTON_BLOCK_NAME = 2,     /* of the new electron: id (two words), first flight */
  WN_PHOTON_BLOCK_ELECTRON = 3, /* and its direction (two words) */
  WN_PHOTON_BLOCKS = 3
};

/* The event of photon j, and its number in it. */
static WN_HD uint32_t wn_photon_event(uint32_t j)
{
  return j >> 22;
}

static WN_HD uint32_t wn_photon_of_event(uint32_t j)
{
  return j & 0x3fffffu;
}

/* Block `which` of photon j of the ionization that released electron `id`. */
static WN_HD struct wn_rng4 wn_photon_words(const struct wn_rng_key *key, uint64_t id,
                                            uint32_t j, uint32_t which)
{
  return wn_rng_with(key, id, wn_photon_event(j), WN_RNG_PHOTON,
                     WN_PHOTON_BLOCKS * wn_photon_of_event(j) + which);
}

/* ---- absorption */

struct wn_photon_gas {
  double chi_min, chi_max; /* 1/m, of the gas */
  double log_ratio;        /* ln(chi_max/chi_min) */
};

/* 0 < chi_min < chi_max */
static WN_HD struct wn_photon_gas wn_photon_gas(double chi_min, double chi_max)
{
  struct wn_photon_gas g;
  g.chi_min = chi_min;
  g.chi_max = chi_max;
  g.log_ratio = wn_ln(chi_max / chi_min);
  return g;
}

/* m; two random words. */
static WN_HD double wn_photon_length(const struct wn_photon_gas *g, uint32_t of_chi,
                                     uint32_t of_length)
{
  return wn_rng_exponential(of_length) /
         (g->chi_min * wn_exp(wn_u01_open(of_chi) * g->log_ratio));
}

/* Mean of it, m: the mean of 1/chi. */
static WN_HD double wn_photon_mean_length(const struct wn_photon_gas *g)
{
  return (1.0 / g->chi_min - 1.0 / g->chi_max) / g->log_ratio;
}

/* f(r), 1/m; r > 0. */
static WN_HD double wn_photon_density(const struct wn_photon_gas *g, double r)
{
  return (wn_exp(-g->chi_min * r) - wn_exp(-g->chi_max * r)) / (r * g->log_ratio);
}

/* Ein(x), x >= 0.  Below 2 by its series, the sum of -(-x)^k/(k k!).  Above it is ln x + gamma +
 * E1(x), E1 by the continued fraction exp(-x)/(x + 1 - 1/(x + 3 - 4/(x + 5 - ...))), from the
 * end: 60 terms give all digits at 2. */
static WN_HD double wn_photon_ein(double x)
{
  if (x < 2.0) {
    double term = x, sum = x;
    for (int k = 2; k < 30; k++) {
      term *= -x / k;
      sum += term / k;
    }
    return sum;
  }
  double tail = x + 121.0;
  for (int k = 60; k > 0; k--)
    tail = x + (2 * k - 1) - (double)k * k / tail;
  return wn_ln(x) + 0.57721566490153286061 + wn_exp(-x) / tail;
}

/* F(r): the part that is absorbed within r of its origin, in a gas without walls. */
static WN_HD double wn_photon_within(const struct wn_photon_gas *g, double r)
{
  return (wn_photon_ein(g->chi_max * r) - wn_photon_ein(g->chi_min * r)) / g->log_ratio;
}

/* ---- three Helmholtz terms in place of f(r): for comparison
 *
 * Each term S_j is the solution of (laplace - (lambda_j p)^2) S_j = -A_j p^2 I, p the
 * pressure of the oxygen, I the photons emitted per volume and time.  Of a point source it
 * is A_j p^2 exp(-lambda_j p r)/(4 pi r): the sum over j times 4 pi r^2 stands for f(r). */
#define WN_PHOTON_TERMS 3

/* 1/(m Pa) and 1/(m Pa)^2: lambda_j and A_j of Bourdon et al., there per bar. */
static WN_HD void wn_photon_term(int j, double *lambda, double *a)
{
  *lambda = (j == 0 ? 4147.85 : j == 1 ? 10950.93 : 66755.67) * 1e-5;
  *a = (j == 0 ? 1117314.935 : j == 1 ? 28692377.5 : 2748842283.0) * 1e-10;
}

/* In place of f(r) and F(r); p [Pa]: of the oxygen. */
static WN_HD double wn_photon_helmholtz_density(double p, double r)
{
  double sum = 0.0, lambda, a;
  for (int j = 0; j < WN_PHOTON_TERMS; j++) {
    wn_photon_term(j, &lambda, &a);
    sum += a * p * p * r * wn_exp(-lambda * p * r);
  }
  return sum;
}

static WN_HD double wn_photon_helmholtz_within(double p, double r)
{
  double sum = 0.0, lambda, a;
  for (int j = 0; j < WN_PHOTON_TERMS; j++) {
    wn_photon_term(j, &lambda, &a);
    const double x = lambda * p * r;
    sum += a / (lambda * lambda) * (1.0 - (1.0 + x) * wn_exp(-x));
  }
  return sum;
}

/* ---- numbers */

/* Photons per ionization that ionize O2: efficiency times the part of excited molecules
 * that radiate before they are quenched, p_q/(p + p_q). */
static WN_HD double wn_photon_yield(double efficiency, double quenching_pressure,
                                    double pressure)
{
  return efficiency * (quenching_pressure / (pressure + quenching_pressure));
}

/* A number with this mean: the nearest whole number below or above it. */
static WN_HD uint32_t wn_photon_number(double mean, uint32_t word)
{
  return (uint32_t)(mean + wn_u01(word));
}

/* Those of the ionization that released an electron.  *w: the weight of each, `weight` or, where
 * that is 0, the electron's. */
static WN_HD uint32_t wn_photon_emitted(const struct wn_rng_key *key, double yield,
                                        float weight, const struct wn_electron *released,
                                        float *w)
{
  *w = weight > 0.0f ? weight : released->w;
  return wn_photon_number(
      yield * ((double)released->w / (double)*w),
      wn_rng_with(key, released->id, 0, WN_RNG_PHOTON, WN_PHOTON_BLOCK_NUMBER).w[0]);
}

/* ---- straight flight in the box or the cylinder of a grid */

/* Distance from x to the side where the way along an axis ends, in parts; INFINITY: at none.  A
 * side that reflects particles is a plane of symmetry, at which photons are reflected, too.
 * *side: 0 the lower, 1 the upper. */
static WN_HD double wn_photon_to_side(int low, int high, double end, double x, double way,
                                      int *side)
{
  const int up = way > 0.0;
  const double ahead = up ? end - x : x;
  if (way == 0.0 || low == WN_SIDE_PERIODIC)
    return INFINITY;
  *side = up;
  if ((up ? high : low) != WN_SIDE_REFLECT)
    return ahead;
  *side = !up;
  return (up ? low : high) != WN_SIDE_REFLECT ? ahead + end : INFINITY;
}

/* x + way into the domain: around a periodic axis, or folded at planes of symmetry. */
static WN_HD int32_t wn_photon_place(int is_periodic, int32_t end, double x)
{
  const double turn = is_periodic ? (double)end : 2.0 * (double)end;
  x -= turn * floor(x / turn);
  if (!is_periodic && x > (double)end)
    x = turn - x;
  const double at = rint(x);
  if (is_periodic && at >= (double)end)
    return 0;
  return at < (double)end ? (int32_t)at : end;
}

/* In r-z a photon from (r, 0) goes along r and across, as a particle does (physics/radial.h): way
 * of both, in parts.  Its distance from there to the side around the axis, at r = end; 0 from this
 * side outwards. */
static WN_HD double wn_photon_to_cylinder(double end, double r, double along,
                                          double across)
{
  const double way = sqrt(along * along + across * across);
  if (way == 0.0)
    return INFINITY;
  const double t = r * (along / way), ahead = (end - r) * (end + r),
               root = sqrt(t * t + ahead);
  return t > 0.0 ? ahead / (t + root) : root - t; /* without cancellation */
}

/* And r after it.  At a mirror around the axis, however often: specular reflection keeps the distance
 * p of the line from the axis, so that all chords have the half length sqrt(end^2 - p^2), and
 * the place along the chord is periodic. */
static WN_HD double wn_photon_radius(double end, double r, double along, double across)
{
  const double way = sqrt(along * along + across * across);
  if (way == 0.0)
    return r;
  const double p = r * (across / way), half = sqrt(fmax((end - p) * (end + p), 0.0));
  double t = r * (along / way) + way;
  if (t > half)
    t = half > 0.0 ? t - 2.0 * half * floor((t + half) / (2.0 * half)) : 0.0;
  return sqrt(p * p + t * t);
}

/* A photon flies `length` [m] along n, a unit vector of three components; the domain is
 * uniform along those without an axis.  In r-z they are along r, along z and across, and only the
 * side around the axis is one along r.  Returns -1 and where it is absorbed; or the side
 * through which it leaves, or where it hits a wall: at is then unchanged. */
static WN_HD int wn_photon_fly(const struct wn_grid_view *g, const double n[3],
                               double length, int32_t at[3])
{
  double x[3], first = 1.0; /* part of the flight before the first side */
  int left_by = -1;
  for (int d = 0; d < g->dim; d++) {
    const double scale = ldexp(g->per_h[d], g->bits[d]),
                 end = (double)(g->cells[d] << g->bits[d]), from = (double)at[d];
    double way = n[d] * length * scale, to;
    int side = 1;
    if (d == 0 && g->is_radial) {
      const double across = n[2] * length * scale;
      to = g->side[1] == WN_SIDE_REFLECT ? INFINITY
                                         : wn_photon_to_cylinder(end, from, way, across);
      x[d] = wn_photon_radius(end, from, way, across);
      way = sqrt(way * way + across * across);
    } else {
      to = wn_photon_to_side(g->side[2 * d], g->side[2 * d + 1], end, from, way, &side);
      x[d] = from + way;
    }
    if (to < first * fabs(way)) {
      first = to / fabs(way);
      left_by = 2 * d + side;
    }
  }
  if (left_by >= 0)
    return left_by;
  for (int d = 0; d < g->dim; d++)
    at[d] = wn_photon_place(g->side[2 * d] == WN_SIDE_PERIODIC, g->cells[d] << g->bits[d],
                            x[d]);
  return -1;
}

#endif
