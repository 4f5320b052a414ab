/* physics/loading.h - the particles of a species of model plasma at t = 0, one by one: places
 * by the profile and its perturbation, velocities of a drifting Maxwellian.  Each follows
 * from its number alone, so that any thread of any rank, and of a GPU, can make it, with the
 * same bits.
 *
 * Quiet start: the place along the first axis by (i + 1/2)/n, then the other places and the
 * velocities.  In two and three dimensions points of a Hammersley set (Hammersley 1960;
 * Birdsall and Langdon 1985, chapter 16), radical inverses of i + 1 in the bases 2, 3, 5, ...
 * In one dimension velocities by a lattice: the fractional part of (i + 1/2) g/m, where m =
 * n/2, or n if that is odd, so that two particles half the domain apart have the same
 * velocity.  They stay half the domain apart, and give odd modes nothing as they stream.
 * g is odd and has no factor in common with m: each velocity is in the middle of one of m
 * equal parts, and that of n - 1 - i is minus that of i.  A wave along the place times one
 * along the velocity, exp(2 pi i (a x + b u)), has the mean 0 unless a/2 + g b is a multiple
 * of m (a sum of a geometric series), and the smallest |a b| for which it is one is about
 * m over the largest partial quotient of g/m, as a convergent p/b of g/m with the next
 * quotient q has |g/m - p/b| = 1/(q b^2) nearly; hence the choice of g.  (Small quotients
 * also bound the largest rectangle without points: Lachmann and Wiart, arXiv 2109.11222.)
 * Random: numbers named by seed, species and i.
 *
 * Arguments named dim and n_v (components of u) may be constants in the call, which a GPU
 * needs to keep the record in registers.  SI. */
#ifndef WN_PHYSICS_LOADING_H
#define WN_PHYSICS_LOADING_H
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include "physics/constants.h"
#include "physics/electron.h"
#include "physics/geometry.h"
#include "physics/host_device.h"
#include "physics/ion.h"
#include "physics/mathfn.h"
#include "physics/mover.h"
#include "physics/rng.h"

#define WN_LOADING_DRAWS 6 /* three for the place, three for the velocity */
/* Digits of a number of 64 bits in base 3, and the bases above 2. */
#define WN_LOADING_DIGITS 41
enum { WN_LOADING_3, WN_LOADING_5, WN_LOADING_7, WN_LOADING_11, WN_LOADING_BASES };

#define WN_LOADING_LATTICE 4 /* a place and three velocities in one dimension */

/* The places along an axis. */
enum wn_loading_along {
  WN_LOADING_WHOLE,  /* uniform over all of it */
  WN_LOADING_PART,   /* uniform over a part */
  WN_LOADING_NORMAL, /* normally distributed, within the domain */
  WN_LOADING_SHEET   /* by 1/cosh^2, within the domain */
};

/* What the particles of a species have in common. */
struct wn_loading {
  uint64_t n;     /* over all ranks */
  uint64_t first; /* number of the local particle 0; lower numbers are on other ranks */
  uint64_t seed, species;
  struct wn_rng_key key; /* of the seed */
  int32_t dim, velocities;
  int32_t is_quiet, is_annulus; /* or a ring */
  /* The grid: its axes, and how places are stored (struct wn_grid_view) */
  struct wn_axis axis[WN_MAX_DIM];
  int32_t bits[WN_MAX_DIM], is_periodic[WN_MAX_DIM];
  /* Places along each axis: enum wn_loading_along; the limits of `part` over the length, or
   * of `normal` and `sheet` as quantiles; of these, m */
  int32_t along[WN_MAX_DIM];
  double from[WN_MAX_DIM], to[WN_MAX_DIM], centre[WN_MAX_DIM], width[WN_MAX_DIM];
  /* Axes along which particles are uniform, and their weights go as 1/cosh^2; any: of any axis */
  int32_t weighs[WN_MAX_DIM], any_weighs;
  double radius[2],
      turns; /* of an annulus: m; waves in a turn of its perturbation, 0: none */
  /* Of a ring: radius of the crest and standard deviation, m, 0: no ring; _prepare: normal
   * probabilities of its limits, and the radial distribution at the lower one */
  double crest, spread, ring_from, ring_to, ring_below;
  /* The factor 1 + amplitude cos(k x + phase) of the density; 1/m; amplitude 0: none */
  double amplitude, phase, k[WN_MAX_DIM], k2;
  double thermal, drift[3]; /* of u, m/s */
  /* Records of electrons or ions that collide; 1/nu_max, s; 0: no collisions */
  int32_t collides, is_ion;
  double inv_nu;
  double part[WN_LOADING_BASES][WN_LOADING_DIGITS]; /* values of digits: _prepare */
  uint64_t lattice[WN_LOADING_LATTICE];             /* g/m, units of 2^-64: _prepare */
};

/* ---- the lattice of the quiet start */

/* a b modulo n, for a, b < n < 2^63 */
static WN_HD uint64_t wn_loading_times(uint64_t a, uint64_t b, uint64_t n)
{
  uint64_t sum = 0;
  for (; b > 0; b >>= 1, a = a < n - a ? a + a : a - (n - a))
    if (b & 1)
      sum = sum < n - a ? sum + a : sum - (n - a);
  return sum;
}

/* The largest partial quotient of the continued fraction of g/n, by Euclid's algorithm;
 * UINT64_MAX where g and n have a common factor.  *inverse: of g modulo n. */
static WN_HD uint64_t wn_loading_quotient(uint64_t g, uint64_t n, uint64_t *inverse)
{
  uint64_t a = n, b = g, most = 0, x = 0, y = 1; /* y g = +-b modulo n */
  int odd = 0;
  while (b > 1) {
    const uint64_t q = a / b, rest = a % b, next = x + q * y;
    most = q > most ? q : most;
    a = b, b = rest, x = y, y = next;
    odd = !odd;
  }
  *inverse = odd ? n - y : y;
  if (b == 0)
    return UINT64_MAX;
  return a > most ? a : most;
}

/* The largest partial quotient of the pairs of g with the coordinates before, of which
 * inverse[k] g_k = 1; UINT64_MAX as above. */
static WN_HD uint64_t wn_loading_worst(uint64_t g, uint64_t n, int before,
                                       const uint64_t *inverse)
{
  uint64_t worst = 0, unused;
  for (int k = 0; k < before; k++) {
    const uint64_t q =
        wn_loading_quotient(wn_loading_times(g, inverse[k], n), n, &unused);
    worst = q > worst ? q : worst;
  }
  return worst;
}

/* l->lattice, of l->n: from the numbers near m times an irrational number, the golden ratio
 * first, that with the smallest quotients of all pairs.  Of less than some hundreds of
 * particles, components of the velocity may be the same. */
static WN_HD void wn_loading_lattice(struct wn_loading *l)
{
  enum { NEAR = 1000 };
  const double irrational[WN_LOADING_LATTICE] = {0.0, 0.6180339887498949,
                                                 0.4142135623730951, 0.7320508075688773};
  const uint64_t m = l->n % 2 == 0 ? l->n / 2 : l->n;
  uint64_t inverse[WN_LOADING_LATTICE] = {1};
  for (int j = 0; j < WN_LOADING_LATTICE; j++) {
    const uint64_t at = (uint64_t)(irrational[j] * (double)m) | 1,
                   from = at > NEAR ? at - NEAR : 1;
    uint64_t g = 1, least = UINT64_MAX;
    for (uint64_t k = from; j > 0 && k < m && k <= at + NEAR; k += 2) {
      const uint64_t worst = wn_loading_worst(k, m, j, inverse);
      if (worst < least)
        least = worst, g = k;
    }
    if (m > 1)
      (void)wn_loading_quotient(g, m, &inverse[j]);
    uint64_t rest = m > 1 ? g : 0, part = 0; /* g 2^64/m, by long division */
    for (int bit = 0; bit < 64; bit++) {
      const int is_one = m > 1 && rest >= m - rest;
      rest = is_one ? rest - (m - rest) : rest + rest;
      part = part << 1 | (uint64_t)is_one;
    }
    l->lattice[j] = part;
  }
}

/* ---- the radius of a ring
 *
 * The density exp(-z^2/2), z = (r - crest)/spread, in a plane: r has the density r exp(-z^2/2)
 * and the distribution F = crest Phi - spread phi, since dF/dz = (crest + spread z) phi with
 * phi the density of the normal distribution and Phi its integral.  z is from -6, or r = 0,
 * to 6. */
#define WN_LOADING_RING 6.0

/* F, m, of p = Phi(z) */
static WN_HD double wn_loading_within(const struct wn_loading *l, double z, double p)
{
  return l->crest * p - l->spread * (wn_exp(-0.5 * z * z) / sqrt(2.0 * WN_PI));
}

/* What follows from crest and spread. */
static WN_HD void wn_loading_ring(struct wn_loading *l)
{
  const double z0 = fmax(-WN_LOADING_RING, -l->crest / l->spread), z1 = WN_LOADING_RING;
  l->ring_from = 0.5 * erfc(-z0 * sqrt(0.5));
  l->ring_to = 0.5 * erfc(-z1 * sqrt(0.5));
  l->ring_below = wn_loading_within(l, z0, l->ring_from);
}

/* r of a part u of all particles, by Newton's method in p.  dF/dp is r, which grows with p:
 * from any p above the root each step ends above it. */
static WN_HD double wn_loading_ring_radius(const struct wn_loading *l, double u)
{
  const double top = wn_loading_within(l, WN_LOADING_RING, l->ring_to),
               part = l->ring_below + u * (top - l->ring_below);
  double p = l->ring_to, r;
  WN_ROLLED
  for (int i = 0; i < 60; i++) {
    const double z = wn_normal_quantile(p);
    r = l->crest + l->spread * z;
    const double step = (wn_loading_within(l, z, p) - part) / r;
    if (!(r > 0.0 && step > 1e-16 && p - step > l->ring_from))
      break;
    p -= step;
  }
  return r > 0.0 ? r : 0.0;
}

/* What follows from seed, n, and dim.  The values of the digits after the radix point: made
 * by repeated division, so that sums over them have the bits of a loop that divides. */
static WN_HD void wn_loading_prepare(struct wn_loading *l)
{
  const double base[WN_LOADING_BASES] = {3.0, 5.0, 7.0, 11.0};
  for (int b = 0; b < WN_LOADING_BASES; b++) {
    double part = 1.0 / base[b];
    for (int d = 0; d < WN_LOADING_DIGITS; d++, part /= base[b])
      l->part[b][d] = part;
  }
  if (l->spread > 0.0)
    wn_loading_ring(l);
  if (l->dim == 1 && l->is_quiet)
    wn_loading_lattice(l);
  l->key = wn_rng_key(l->seed);
}

/* ---- numbers in (0, 1) */

/* The digits of i in the base, reversed after the radix point; base: a constant in the call,
 * by which the compiler multiplies instead of dividing; part: the values of its digits. */
static WN_HD double wn_radical_inverse(uint64_t i, uint64_t base, const double *part)
{
  double x = 0.0;
  for (; i > 0; i /= base)
    x += *part++ * (double)(int32_t)(i % base);
  return x;
}

/* In base 2, i < 2^53: no sum is rounded, so that it is the number with reversed bits. */
static WN_HD double wn_radical_inverse_2(uint64_t i)
{
  i = (i >> 1 & 0x5555555555555555u) | (i & 0x5555555555555555u) << 1;
  i = (i >> 2 & 0x3333333333333333u) | (i & 0x3333333333333333u) << 2;
  i = (i >> 4 & 0x0f0f0f0f0f0f0f0fu) | (i & 0x0f0f0f0f0f0f0f0fu) << 4;
  i = (i >> 8 & 0x00ff00ff00ff00ffu) | (i & 0x00ff00ff00ff00ffu) << 8;
  i = (i >> 16 & 0x0000ffff0000ffffu) | (i & 0x0000ffff0000ffffu) << 16;
  i = i >> 32 | i << 32;
  return (double)(int64_t)(i >> 11) * 0x1p-53;
}

/* (i + 1/2) g/m without the whole part; of g/m as in l->lattice. */
static WN_HD double wn_loading_at(uint64_t i, uint64_t part)
{
  const uint64_t x = i * part + part / 2;
  return ((double)(int64_t)(x >> 12) + 0.5) * 0x1p-52;
}

/* Those from which particle i of all follows; n of them are used. */
static WN_HD void wn_loading_draw(const struct wn_loading *l, int n, uint64_t i,
                                  double u[WN_LOADING_DRAWS])
{
  if (l->is_quiet) {
    u[0] = ((double)i + 0.5) / (double)l->n;
    if (l->dim == 1) {
      for (int d = 1; d < WN_LOADING_LATTICE; d++)
        u[d] = l->n > 2 ? wn_loading_at(i, l->lattice[d]) : 0.5;
      return;
    }
    const uint64_t j = i + 1; /* from 1 on: the point 0 has no normal */
    u[1] = wn_radical_inverse_2(j);
    u[2] = n > 2 ? wn_radical_inverse(j, 3, l->part[WN_LOADING_3]) : 0.0;
    u[3] = n > 3 ? wn_radical_inverse(j, 5, l->part[WN_LOADING_5]) : 0.0;
    u[4] = n > 4 ? wn_radical_inverse(j, 7, l->part[WN_LOADING_7]) : 0.0;
    u[5] = n > 5 ? wn_radical_inverse(j, 11, l->part[WN_LOADING_11]) : 0.0;
    return;
  }
  const uint64_t id = wn_rng_primary_id(l->seed, (size_t)i, (size_t)l->species);
  const struct wn_rng4 a = wn_rng_with(&l->key, id, 0, WN_RNG_INITIAL, 0),
                       b = wn_rng_with(&l->key, id, 0, WN_RNG_INITIAL, 1);
  u[0] = wn_u01(a.w[0]) + 0x1p-33;
  u[1] = wn_u01(a.w[1]) + 0x1p-33;
  u[2] = wn_u01(a.w[2]) + 0x1p-33;
  u[3] = wn_u01(a.w[3]) + 0x1p-33;
  u[4] = wn_u01(b.w[0]) + 0x1p-33;
  u[5] = wn_u01(b.w[1]) + 0x1p-33;
}

/* ---- places */

/* theta with theta + a (sin(theta + phase) - sin(phase)) = even: a uniform density of
 * `even` becomes 1 + a cos(theta + phase); 0 and every full turn are unchanged.  0 <= a < 1,
 * |even| < 1e6 as in wn_sincos.  Newton's method, kept within the interval in which the root
 * is known to be.  After a step s its error is at most a s^2/(2 (1 - a)): the second
 * derivative of the left side is at most a, the first at least 1 - a. */
static WN_HD double wn_loading_perturbed(double even, double a, double phase)
{
  double theta = even, low = even - 2.0 * a, high = even + 2.0 * a, at_0, s, c;
  wn_sincos(phase, &at_0, &c);
  WN_ROLLED
  for (int i = 0; i < 60; i++) {
    wn_sincos(theta + phase, &s, &c);
    const double f = theta + a * (s - at_0) - even, step = f / (1.0 + a * c),
                 next = theta - step;
    if (a * step * step <= 1e-16 * (1.0 - a))
      return next;
    if (f > 0.0)
      high = theta;
    else
      low = theta;
    theta = next > low && next < high ? next : 0.5 * (low + high);
  }
  return theta;
}

/* An annulus or a ring, around an axis along z. */
static WN_HD void wn_loading_annulus(const struct wn_loading *l, const double u[2],
                                     double x[2])
{
  double r0 = l->radius[0], r1 = l->radius[1], s, c;
  double r = l->spread > 0.0 ? wn_loading_ring_radius(l, u[1])
                             : sqrt(r0 * r0 + u[1] * (r1 * r1 - r0 * r0));
  double angle = 2.0 * WN_PI * u[0];
  if (l->turns != 0.0)
    angle = wn_loading_perturbed(l->turns * angle, l->amplitude, l->phase) / l->turns;
  wn_sincos(angle, &s, &c);
  x[0] = l->centre[0] + r * c;
  x[1] = l->centre[1] + r * s;
}

/* The place of a quantile of 1/cosh(z)^2, whose integral is (1 + tanh z)/2. */
static WN_HD double wn_loading_sheet(double p)
{
  return 0.5 * wn_ln(p / (1.0 - p));
}

/* The weight of a particle at a place: 1 in the middle of all sheets. */
static WN_HD float wn_loading_weight_at(const struct wn_loading *l, int dim,
                                        const int32_t at[3])
{
  double w = 1.0;
  for (int d = 0; d < dim; d++) {
    const double x = (double)at[d] / (double)((int64_t)l->axis[d].cells << l->bits[d]) *
                     l->axis[d].length;
    const double e =
        l->weighs[d] ? wn_exp(-2.0 * fabs((x - l->centre[d]) / l->width[d])) : 1.0;
    w *= 4.0 * e / ((1.0 + e) * (1.0 + e));
  }
  return (float)w;
}

/* Whether an axis is a line, and no radius. */
static WN_HD int wn_loading_is_flat(const struct wn_loading *l, int d)
{
  return l->axis[d].coordinate == WN_COORDINATE_LINE;
}

/* m: uniform over the whole axis, or, of a radius, over a part of its volume or with the density
 * exp(-(r/width)^2/2), of which the part 1 - exp(-(r/width)^2/2) is below r. */
static WN_HD double wn_loading_even(const struct wn_loading *l, int d, double u,
                                    double at)
{
  if (wn_loading_is_flat(l, d) || l->along[d] == WN_LOADING_WHOLE)
    return wn_axis_even(&l->axis[d], u);
  if (l->along[d] == WN_LOADING_PART)
    return wn_axis_even(&l->axis[d], at);
  return l->width[d] * sqrt(-2.0 * wn_ln(1.0 - at));
}

/* m */
static WN_HD void wn_loading_place(const struct wn_loading *l, int dim, const double u[],
                                   double x[3])
{
  double even = 0.0;
  if (l->is_annulus) {
    for (int d = 2; d < dim; d++)
      x[d] = wn_axis_even(&l->axis[d], u[d]);
    wn_loading_annulus(l, u, x);
    return;
  }
  for (int d = 0; d < dim; d++) {
    const double at = l->from[d] + u[d] * (l->to[d] - l->from[d]);
    x[d] = l->along[d] == WN_LOADING_WHOLE || !wn_loading_is_flat(l, d)
               ? wn_loading_even(l, d, u[d], at)
           : l->along[d] == WN_LOADING_PART ? at * l->axis[d].length
           : l->along[d] == WN_LOADING_SHEET
               ? l->centre[d] + l->width[d] * wn_loading_sheet(at)
               : l->centre[d] + l->width[d] * wn_normal_quantile(at);
  }
  if (l->amplitude == 0.0)
    return;
  for (int d = 0; d < dim; d++)
    even += l->k[d] * x[d];
  const double shift =
      (wn_loading_perturbed(even, l->amplitude, l->phase) - even) / l->k2;
  for (int d = 0; d < dim; d++)
    x[d] += l->k[d] * shift;
}

/* A length in fixed point.  A place beyond a periodic axis by its perturbation, or beyond
 * a wall by rounding, is brought back. */
static WN_HD int32_t wn_loading_fixed(const struct wn_loading *l, int d, double x)
{
  const int64_t parts = (int64_t)l->axis[d].cells << l->bits[d];
  double at = wn_axis_place(&l->axis[d], x) * (double)(1 << l->bits[d]);
  at = at > -0x1p62 ? at : -0x1p62; /* what is not finite is at an end, too */
  at = at < 0x1p62 ? at : 0x1p62;
  int64_t i = (int64_t)at;
  i -= (double)i > at; /* floor, without a call of the C library */
  if (i >= 0 && i < parts)
    return (int32_t)i;
  if (l->is_periodic[d])
    return (int32_t)((i % parts + parts) % parts);
  return (int32_t)(i < 0 ? 0 : parts - 1);
}

/* ---- particle first + i */

/* Its place and velocity, as they are stored. */
static WN_HD void wn_loading_state(const struct wn_loading *l, int dim, int n_v, size_t i,
                                   int32_t at[3], float v[3])
{
  double u[WN_LOADING_DRAWS], x[3] = {0.0, 0.0, 0.0};
  wn_loading_draw(l, dim + n_v, l->first + i, u);
  wn_loading_place(l, dim, u, x);
  for (int d = 0; d < dim; d++)
    at[d] = wn_loading_fixed(l, d, x[d]);
  for (int d = 0; d < n_v; d++) {
    const double part = l->thermal > 0.0 ? wn_normal_quantile(u[dim + d]) : 0.0;
    v[d] = (float)(l->drift[d] + l->thermal * part);
  }
}

/* The record of one without collisions, of weight 1: all its words (physics/mover.h).
 * _of: from what wn_loading_state gives. */
static WN_HD void wn_loading_point_of(int dim, int n_v, const int32_t at[3],
                                      const float v[3], union wn_word *r)
{
  const int words = wn_point_weighs(dim, n_v) ? 8 : 4;
  for (int w = 0; w < words; w++)
    r[w].i = 0;
  wn_point_store(dim, n_v, r, at, v);
  if (wn_point_weighs(dim, n_v))
    r[dim + n_v].f = 1.0f;
}

static WN_HD void wn_loading_point(const struct wn_loading *l, int dim, int n_v, size_t i,
                                   union wn_word *r)
{
  int32_t at[3] = {0, 0, 0};
  float v[3] = {0.0f, 0.0f, 0.0f};
  wn_loading_state(l, dim, n_v, i, at, v);
  wn_loading_point_of(dim, n_v, at, v, r);
  if (l->any_weighs && wn_point_weighs(dim, n_v))
    r[dim + n_v].f = wn_loading_weight_at(l, dim, at);
}

/* What an electron or an ion that collides has besides place and velocity: an id, and the
 * time to its first candidate.  That of an electron is drawn as in physics/primary.h, but
 * from a block that wn_loading_draw does not use. */
static WN_HD void wn_loading_name(const struct wn_loading *l, size_t i,
                                  struct wn_electron *e)
{
  const uint64_t number = l->first + i;
  for (int d = 0; d < 3; d++) {
    e->at[d] = 0;
    e->a[d] = e->u[d] = 0.0f;
  }
  e->w = 1.0f;
  e->id = wn_rng_primary_id(l->seed, (size_t)number, (size_t)l->species);
  e->event = 0;
  e->tag = (uint32_t)number & WN_TAG_LINEAGE_MASK;
  e->t_left = 0.0f;
  if (l->is_ion) {
    e->t_next = wn_ion_first_flight_at(&l->key, (float)l->inv_nu, e->id, 0);
    return;
  }
  const struct wn_rng4 r = wn_rng_with(&l->key, e->id, 0, WN_RNG_INITIAL, 2);
  e->t_next = (float)((double)wn_exponential_f(r.w[0]) * l->inv_nu);
}

static WN_HD void wn_loading_electron(const struct wn_loading *l, int dim, int n_v,
                                      size_t i, struct wn_electron *e)
{
  wn_loading_name(l, i, e);
  wn_loading_state(l, dim, n_v, i, e->at, e->u);
}

#endif
