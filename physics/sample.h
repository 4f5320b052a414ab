/* physics/sample.h - what is measured of all electrons between steps, and what is done to
 * them: sums, and changes of weight and number.  One electron at a time, the same text
 * for every place where electrons can be; particles/particles.h has the loops.  Sums are
 * integers (physics/tally.h) and decisions are named by the electron (physics/rng.h), so
 * that the order of the electrons does not matter. */
#ifndef WN_PHYSICS_SAMPLE_H
#define WN_PHYSICS_SAMPLE_H
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include "physics/constants.h"
#include "physics/electron.h"
#include "physics/host_device.h"
#include "physics/levels.h"
#include "physics/mathfn.h"
#include "physics/push.h"
#include "physics/rng.h"
#include "physics/tally.h"
#include "physics/townsend.h"

enum wn_sample_kind {
  WN_SAMPLE_ENERGY, /* one sum: w * energy, eV */
  WN_SAMPLE_WEIGHT, /* [n_groups] w */
  WN_SAMPLE_NUMBER, /* [n_groups][2] electrons; those of more than above_ev */
  /* [n_groups][levels][WN_LEVEL_SUMS] electrons; their w, and in the unit of their cohorts
   * (wn_sample_age), in WN_FIX_RARE */
  WN_SAMPLE_LEVELS,
  WN_SAMPLE_ENERGIES, /* [n_groups][n_bins + 1] w by energy; w * energy, eV */
  /* [n_groups][n_bins][2] w; w * energy, eV: by the bits of the energy, so many bins an
   * octave (src/stats/expected_rates.h) */
  WN_SAMPLE_OCTAVES,
  /* [n_groups][WN_SAMPLE_N_MOMENTS], then [n_groups][n_bins + 1]: weights by energy, and
   * all of them; then [n_groups][n_bins]: w times the cosine between velocity and z */
  WN_SAMPLE_MOMENTS,
  WN_SAMPLE_TENSOR, /* the same with WN_SAMPLE_N_TENSOR sums of a group */
  WN_SAMPLE_TILTED, /* [n_groups][WN_TILTS][WN_TILT_SUMS] of physics/townsend.h */
  /* [WN_POINT_SUMS] of the weights of points (physics/mover.h): number, u along each axis,
   * kinetic energy over m, (gamma - 1) c^2 = u^2/(gamma + 1); unit: 1/u */
  WN_SAMPLE_POINTS,
  WN_SAMPLE_ELECTRONS, /* the same of struct wn_electron */
  /* one sum: electrons whose state is no finite number; and, 2^64 each, those that cross more than
   * a cell in a step: faster than `most` along an axis */
  WN_SAMPLE_BROKEN,
  WN_SAMPLE_BROKEN_POINTS /* the same of points */
};

#define WN_FIX_LAG 0x1p58 /* moments: lengths in units of c * block, so below 1 */

/* Of the weights: number, z, z^2, x^2 + y^2. */
enum { WN_SAMPLE_W, WN_SAMPLE_Z, WN_SAMPLE_ZZ, WN_SAMPLE_RR, WN_SAMPLE_N_MOMENTS };

/* The same with every component, for a swarm that drifts and spreads in all directions:
 * x, y, z; their products xx, xy, xz, yy, yz, zz; v in units of c; x_i v_k with k the fastest. */
enum {
  WN_SAMPLE_T_X = 1,
  WN_SAMPLE_T_XX = WN_SAMPLE_T_X + 3,
  WN_SAMPLE_T_V = WN_SAMPLE_T_XX + 6,
  WN_SAMPLE_T_XV = WN_SAMPLE_T_V + 3,
  WN_SAMPLE_N_TENSOR = WN_SAMPLE_T_XV + 9
};

/* Sums of a group, and the most there are. */
static WN_HD int wn_sample_n_moments(enum wn_sample_kind kind)
{
  return kind == WN_SAMPLE_TENSOR ? (int)WN_SAMPLE_N_TENSOR : (int)WN_SAMPLE_N_MOMENTS;
}

#define WN_POINT_SUMS 5 /* of a point: weight, three of momentum, energy */

struct wn_sample {
  enum wn_sample_kind kind;
  uint32_t n_groups;
  double above_ev;        /* number; INFINITY: not asked */
  double unit;            /* moments: 1/(c * block), 1/m; split2, box2: s2/m2 */
  double bin_min_ev;      /* moments, energies: the first bin ends here, and the */
  double bins_per_decade; /* logarithmic ones begin */
  size_t n_bins;
  uint32_t shift; /* octaves: bits of a float below the number of its bin; */
  int32_t base;   /* that of the first, less 1, which has all below too */
  struct wn_levels levels;
  double
      below_ev; /* levels: electrons below it are of no cohort; that of struct wn_change */
  uint32_t halvings;      /* levels: struct wn_mcc.halvings */
  double tilt, tilt_step; /* tilted: middle and step of a, 1/m */
  /* points: components of place and velocity, whether there is a weight, whether gamma is
   * not 1; broken: the same, of electrons dim is 0 where they are in no grid */
  int dim, velocities, weighted, relativistic;
  float most[3]; /* broken: m/s along each axis; INFINITY: any */
};

#define WN_LEVEL_SUMS 3

/* Sums that a kind has. */
static WN_HD size_t wn_sample_cells(const struct wn_sample *s)
{
  switch (s->kind) {
  case WN_SAMPLE_WEIGHT:
    return s->n_groups;
  case WN_SAMPLE_NUMBER:
    return (size_t)s->n_groups * 2;
  case WN_SAMPLE_LEVELS:
    return (size_t)s->n_groups * wn_levels_number(&s->levels) * WN_LEVEL_SUMS;
  case WN_SAMPLE_ENERGIES:
    return (size_t)s->n_groups * (s->n_bins + 1);
  case WN_SAMPLE_OCTAVES:
    return (size_t)s->n_groups * s->n_bins * 2;
  case WN_SAMPLE_MOMENTS:
  case WN_SAMPLE_TENSOR:
    return (size_t)s->n_groups *
           ((size_t)wn_sample_n_moments(s->kind) + 2 * s->n_bins + 1);
  case WN_SAMPLE_TILTED:
    return (size_t)s->n_groups * (size_t)(WN_TILTS * WN_TILT_SUMS);
  case WN_SAMPLE_POINTS:
  case WN_SAMPLE_ELECTRONS:
    return WN_POINT_SUMS;
  default:
    return 1;
  }
}

static WN_HD uint32_t wn_sample_group(uint32_t n_groups, const struct wn_electron *e)
{
  return wn_electron_group(e->tag, n_groups);
}

static WN_HD double wn_sample_energy_ev(const struct wn_electron *e)
{
  const double u[3] = {(double)e->u[0], (double)e->u[1], (double)e->u[2]};
  return wn_kinetic_ev(u, wn_gamma(u));
}

/* Of the cells [n_groups][levels], that of an electron. */
static WN_HD uint32_t wn_sample_cell(const struct wn_levels *l, uint32_t n_groups,
                                     const struct wn_electron *e, double energy_ev)
{
  return wn_sample_group(n_groups, e) * wn_levels_number(l) + wn_level_of(l, energy_ev);
}

/* Weights of a weighted ensemble are at least this: WN_FIX_RARE leaves ten bits more. */
#define WN_LEAST_WEIGHT 0x1p-50
/* So many halvings are made up for at the most: a sum of weights has room for no more. */
#define WN_MOST_AGE 40

/* Halvings since an electron passed the first threshold, 0 to WN_MOST_AGE; 0 where it is of no
 * cohort (wn_electron_cohort).  A passage counts in the unit of weights of the cohort, 2^age
 * times the weight: so that is what tells how much of what is measured an electron stands for.
 * Levels are held by it, and not by the weight, whose few electrons of great age would bring
 * most of the error. */
static WN_HD int wn_sample_age(uint32_t tag, uint32_t n_groups, uint32_t halvings)
{
  const uint32_t cohort = wn_electron_cohort(tag, n_groups);
  const int age = (cohort & 1u) != 0u ? 0 : (int)halvings - (int)(cohort / 2u);
  return age < 0 ? 0 : age < WN_MOST_AGE ? age : WN_MOST_AGE;
}

/* 2^n, n from -WN_MOST_AGE to WN_MOST_AGE. */
static WN_HD double wn_sample_two_to(int n)
{
  return wn_from_bits((uint64_t)(1023 + n) << 52);
}

static WN_HD void wn_sample_levels(const struct wn_sample *s, const struct wn_electron *e,
                                   wn_i128 *sums)
{
  const double energy = wn_sample_energy_ev(e), w = (double)e->w;
  const uint32_t cell = wn_sample_cell(&s->levels, s->n_groups, e, energy);
  const int age =
      energy < s->below_ev ? 0 : wn_sample_age(e->tag, s->n_groups, s->halvings);
  wn_i128 *of = &sums[WN_LEVEL_SUMS * cell];
  wn_tally_sum(&of[0], 1.0, 1.0);
  wn_tally_sum(&of[1], w, WN_FIX_RARE);
  wn_tally_sum(&of[2], w * wn_sample_two_to(age), WN_FIX_RARE);
}

/* Which bin: the polynomial logarithm of physics/, so that every machine puts an electron
 * into the same one. */
static WN_HD size_t wn_sample_bin(const struct wn_sample *s, double energy_ev)
{
  if (!(energy_ev > s->bin_min_ev))
    return 0;
  double x =
      wn_ln(energy_ev / s->bin_min_ev) * 0.43429448190325182765 * s->bins_per_decade;
  return x < (double)s->n_bins ? (size_t)x : s->n_bins - 1;
}

static WN_HD int wn_is_finite(double x)
{
  return fabs(x) < INFINITY; /* false of NAN */
}

/* Broken, of momentum u and weight w: is one of them no finite number, and is it too fast? */
static WN_HD wn_i128 wn_sample_broken_at(const struct wn_sample *s, const float *u,
                                         double w, int finite)
{
  double u2 = 0.0;
  int fast = 0;
  finite = finite && wn_is_finite(w);
  for (int d = 0; d < s->velocities; d++) {
    finite = finite && wn_is_finite((double)u[d]);
    u2 += (double)u[d] * (double)u[d];
  }
  const double gamma = s->relativistic ? sqrt(1.0 + u2 * (1.0 / (WN_C * WN_C))) : 1.0;
  for (int d = 0; d < 3 && d < s->velocities; d++)
    fast = fast || fabs((double)u[d]) > (double)s->most[d] * gamma;
  return (wn_i128)!finite + ((wn_i128)(finite && fast) << 64);
}

/* The dead, which have not left yet, do not count. */
static WN_HD wn_i128 wn_sample_broken(const struct wn_sample *s, const void *record)
{
  if (s->kind == WN_SAMPLE_BROKEN) {
    const struct wn_electron *e = (const struct wn_electron *)record;
    int finite = wn_is_finite((double)e->t_left) && wn_is_finite((double)e->t_next);
    for (int d = 0; d < 3 && s->dim == 0; d++)
      finite = finite && wn_is_finite(e->x[d]);
    return e->t_left < 0.0f ? 0 : wn_sample_broken_at(s, e->u, (double)e->w, finite);
  }
  const float *r = (const float *)record;
  int32_t x;
  memcpy(&x, r, sizeof x);
  return x < 0
             ? 0
             : wn_sample_broken_at(s, r + s->dim,
                                   s->weighted ? (double)r[s->dim + s->velocities] : 1.0,
                                   1);
}

/* The kinds of one sum: what a particle contributes; its record is that of the kind. */
static WN_HD wn_i128 wn_sample_one(const struct wn_sample *s, const void *record)
{
  if (s->kind == WN_SAMPLE_BROKEN || s->kind == WN_SAMPLE_BROKEN_POINTS)
    return wn_sample_broken(s, record);
  const struct wn_electron *e = (const struct wn_electron *)record;
  return wn_fix((double)e->w * wn_sample_energy_ev(e), WN_FIX_ENERGY);
}

/* What an electron adds to the tensor; x, v: in the units of the sums. */
static WN_HD void wn_sample_tensor_terms(double w, const double x[3], const double v[3],
                                         double term[WN_SAMPLE_N_TENSOR])
{
  int xx = WN_SAMPLE_T_XX;
  for (int i = 0; i < 3; i++) {
    term[WN_SAMPLE_T_X + i] = w * x[i];
    term[WN_SAMPLE_T_V + i] = w * v[i];
    for (int k = i; k < 3; k++)
      term[xx++] = w * x[i] * x[k];
    for (int k = 0; k < 3; k++)
      term[WN_SAMPLE_T_XV + 3 * i + k] = w * x[i] * v[k];
  }
}

/* What an electron adds to the moments or the tensor, in units of 1/WN_FIX_LAG.  Returns
 * its energy, eV. */
static WN_HD double wn_sample_moment_terms(const struct wn_sample *s,
                                           const struct wn_electron *e,
                                           double term[WN_SAMPLE_N_TENSOR])
{
  const double u[3] = {(double)e->u[0], (double)e->u[1], (double)e->u[2]};
  double w = (double)e->w, gamma = wn_gamma(u), x = e->x[0] * s->unit,
         y = e->x[1] * s->unit, z = e->x[2] * s->unit;
  term[WN_SAMPLE_W] = w;
  if (s->kind == WN_SAMPLE_TENSOR) {
    const double place[3] = {x, y, z};
    double v[3];
    for (int k = 0; k < 3; k++)
      v[k] = u[k] / gamma * (1.0 / WN_C);
    wn_sample_tensor_terms(w, place, v, term);
    return wn_kinetic_ev(u, gamma);
  }
  term[WN_SAMPLE_Z] = w * z;
  term[WN_SAMPLE_ZZ] = w * z * z;
  term[WN_SAMPLE_RR] = w * (x * x + y * y);
  return wn_kinetic_ev(u, gamma);
}

/* Where the weights by energy of a group begin. */
static WN_HD wn_i128 *wn_sample_histogram(const struct wn_sample *s, wn_i128 *sums,
                                          uint32_t group)
{
  return &sums[(size_t)s->n_groups * (size_t)wn_sample_n_moments(s->kind) +
               (size_t)group * (s->n_bins + 1)];
}

/* Of the direction of flight, z; 0 at rest. */
static WN_HD double wn_sample_cosine(const struct wn_electron *e)
{
  const double x = (double)e->u[0], y = (double)e->u[1], z = (double)e->u[2],
               u2 = x * x + y * y + z * z;
  return u2 > 0.0 ? z / sqrt(u2) : 0.0;
}

/* An electron of that energy, to the weights by energy of a group but their sum, and to the
 * cosines. */
static WN_HD void wn_sample_directions(const struct wn_sample *s,
                                       const struct wn_electron *e, double energy_ev,
                                       uint32_t group, wn_i128 *sums)
{
  const size_t bin = wn_sample_bin(s, energy_ev);
  wn_tally_sum(&wn_sample_histogram(s, sums, group)[bin], (double)e->w, WN_FIX_WEIGHT);
  wn_tally_sum(
      &wn_sample_histogram(s, sums, s->n_groups)[(size_t)group * s->n_bins + bin],
      (double)e->w * wn_sample_cosine(e), WN_FIX_WEIGHT);
}

static WN_HD void wn_sample_moments(const struct wn_sample *s,
                                    const struct wn_electron *e, wn_i128 *sums)
{
  double term[WN_SAMPLE_N_TENSOR];
  const double energy = wn_sample_moment_terms(s, e, term);
  const uint32_t g = wn_sample_group(s->n_groups, e);
  const int n = wn_sample_n_moments(s->kind);
  wn_i128 *m = &sums[(size_t)g * (size_t)n], *h = wn_sample_histogram(s, sums, g);
  for (int k = 0; k < n; k++)
    wn_tally_sum(&m[k], term[k], WN_FIX_LAG);
  wn_tally_sum(&h[s->n_bins], (double)e->w, WN_FIX_WEIGHT);
  wn_sample_directions(s, e, energy, g, sums);
}

static WN_HD void wn_sample_tilted(const struct wn_sample *s, const struct wn_electron *e,
                                   wn_i128 *sums)
{
  double term[WN_TILTS * WN_TILT_SUMS];
  wn_i128 *sum = &sums[wn_sample_group(s->n_groups, e) * WN_TILTS * WN_TILT_SUMS];
  wn_tilt_terms(s->tilt, s->tilt_step, e, term);
  for (int i = 0; i < WN_TILTS * WN_TILT_SUMS; i++)
    wn_tally_sum(&sum[i], term[i], wn_tilt_fix(i));
}

static WN_HD void wn_sample_energies(const struct wn_sample *s,
                                     const struct wn_electron *e, wn_i128 *sums)
{
  const double energy = wn_sample_energy_ev(e);
  wn_i128 *row = &sums[(size_t)wn_sample_group(s->n_groups, e) * (s->n_bins + 1)];
  wn_tally_sum(&row[wn_sample_bin(s, energy)], (double)e->w, WN_FIX_WEIGHT);
  wn_tally_sum(&row[s->n_bins], (double)e->w * energy, WN_FIX_ENERGY);
}

/* Bin of an energy on the grid of the octaves: no logarithm, every machine the same. */
static WN_HD size_t wn_sample_octave(const struct wn_sample *s, double energy_ev)
{
  const int32_t i = (int32_t)(wn_float_bits((float)energy_ev) >> s->shift) - s->base,
                top = (int32_t)s->n_bins - 1;
  return i <= 0 ? 0 : (size_t)(i < top ? i : top);
}

static WN_HD void wn_sample_octaves(const struct wn_sample *s,
                                    const struct wn_electron *e, wn_i128 *sums)
{
  const double energy = wn_sample_energy_ev(e);
  wn_i128 *cell = &sums[2 * ((size_t)wn_sample_group(s->n_groups, e) * s->n_bins +
                             wn_sample_octave(s, energy))];
  wn_tally_sum(&cell[0], (double)e->w, WN_FIX_WEIGHT);
  wn_tally_sum(&cell[1], (double)e->w * energy, WN_FIX_ENERGY);
}

/* 1/(gamma + 1) from x = u^2/c^2: below WN_SAMPLE_SLOW by its series, whose next term,
 * 21/1024 x^5, is 2e-17 there; no root and no division (t0743). */
#define WN_SAMPLE_SLOW 1e-3

static WN_HD double wn_inverse_gamma1_slow(double x)
{
  return 0.5 - x * (0.125 - x * (0.0625 - x * (5.0 / 128.0 - x * (7.0 / 256.0))));
}

static WN_HD double wn_inverse_gamma1(double x)
{
  return x < WN_SAMPLE_SLOW ? wn_inverse_gamma1_slow(x) : 1.0 / (1.0 + sqrt(1.0 + x));
}

/* What makes u^2 in units of a sample u^2/c^2; 0: gamma is 1. */
static WN_HD double wn_sample_per_c2(const struct wn_sample *s)
{
  return s->relativistic ? 1.0 / (WN_C * WN_C * s->unit * s->unit) : 0.0;
}

static WN_HD void wn_sample_point(const struct wn_sample *s, const float *u, double w,
                                  wn_i128 *sums)
{
  double v2 = 0.0;
  sums[0] += wn_fix(w, WN_FIX_WEIGHT);
  for (int d = 0; d < s->velocities; d++) {
    const double v = (double)u[d] * s->unit;
    sums[1 + d] += wn_fix(w * v, WN_FIX_LAG);
    v2 += v * v;
  }
  sums[4] += wn_fix(w * v2 * wn_inverse_gamma1(v2 * wn_sample_per_c2(s)), WN_FIX_LAG);
}

/* A record of the kinds points and electrons. */
static WN_HD void wn_sample_moving(const struct wn_sample *s, const void *record,
                                   wn_i128 *sums)
{
  if (s->kind == WN_SAMPLE_ELECTRONS) {
    const struct wn_electron *e = (const struct wn_electron *)record;
    wn_sample_point(s, e->u, (double)e->w, sums);
    return;
  }
  const float *r = (const float *)record;
  wn_sample_point(s, r + s->dim, s->weighted ? (double)r[s->dim + s->velocities] : 1.0,
                  sums);
}

/* Add what an electron contributes to the sums of its kind. */
static WN_HD void wn_sample_add(const struct wn_sample *s, const void *record,
                                wn_i128 *sums)
{
  const struct wn_electron *e = (const struct wn_electron *)record;
  uint32_t g;
  switch (s->kind) {
  case WN_SAMPLE_WEIGHT:
    wn_tally_sum(&sums[wn_sample_group(s->n_groups, e)], (double)e->w, WN_FIX_WEIGHT);
    break;
  case WN_SAMPLE_NUMBER:
    g = wn_sample_group(s->n_groups, e);
    wn_tally_sum(&sums[2 * g], 1.0, 1.0);
    if (s->above_ev < INFINITY && wn_sample_energy_ev(e) > s->above_ev)
      wn_tally_sum(&sums[2 * g + 1], 1.0, 1.0);
    break;
  case WN_SAMPLE_LEVELS:
    wn_sample_levels(s, e, sums);
    break;
  case WN_SAMPLE_ENERGIES:
    wn_sample_energies(s, e, sums);
    break;
  case WN_SAMPLE_OCTAVES:
    wn_sample_octaves(s, e, sums);
    break;
  case WN_SAMPLE_MOMENTS:
  case WN_SAMPLE_TENSOR:
    wn_sample_moments(s, e, sums);
    break;
  case WN_SAMPLE_TILTED:
    wn_sample_tilted(s, e, sums);
    break;
#ifndef __CUDA_ARCH__ /* on a device others do this: device/sample.cu */
  case WN_SAMPLE_POINTS:
  case WN_SAMPLE_ELECTRONS:
    wn_sample_moving(s, record, sums);
    break;
#endif
  default:
#ifndef __CUDA_ARCH__ /* a device adds these up in registers: wn_sample_one */
    *sums += wn_sample_one(s, record);
#endif
    break;
  }
}

/* ---- changes */

/* What is done to the electrons of a group. */
struct wn_change_group {
  double factor; /* weights are multiplied by it; 1: left as they are */
  /* below 1: an electron lives on with this chance, and 1/survive times the weight */
  double survive;
  uint32_t copies; /* above 1, and survive is 1: it becomes so many of equal weight */
};

struct wn_change {
  uint32_t n_groups;
  const struct wn_change_group *group; /* [n_groups], where reference is NULL */
  /* [n_groups][levels] the weight that an electron of the level should have, in the unit of
   * its cohort (wn_sample_age), a power of two, or 0: any.  One of twice as much or more is
   * split, one of less than half plays roulette for it (wn_change_by_level) */
  const double *reference;
  struct wn_levels levels;
  uint32_t halvings; /* with reference: struct wn_mcc.halvings */
  /* with reference: electrons below it note it (wn_electron_cohort), and are marked: they
   * are put to z = 0 and y = mark, m (struct wn_mcc.mark_m) */
  double below_ev, mark;
  int to_origin; /* positions become 0 */
  /* that will be made, at the most: here, and on all ranks */
  size_t n_copies, n_copies_all;
  double protect_ev; /* electrons above are neither taken nor copied */
  uint64_t seed;
  double inv_nu; /* 1/nu_max, s: copies draw their next candidate */
};

/* What came of it. */
struct wn_changed {
  uint64_t killed, copied;
  uint64_t heavy; /* weights that passed WN_MAX_WEIGHT */
  /* of changes by reference: [n_groups][levels][2] the weights of those that roulette
   * took, and what it gave to those that it left, in WN_FIX_RARE; added to */
  wn_i128 *roulette;
};

#define WN_MAX_WEIGHT 1e30 /* of an electron: float ends at 3e38 */

/* Into so many at once; what is left for the next control is not much. */
#define WN_MAX_SPLIT 64.0

/* The weight that an electron should have: reference, that of its cell, times the inverse of
 * what it counts for the weight that it has (wn_sample_age). */
static WN_HD double wn_change_wanted(double reference, double part)
{
  const double least = reference > 0.0 ? WN_LEAST_WEIGHT : 0.0, wanted = reference * part;
  return wanted > least ? wanted : least;
}

/* Whether an electron of weight w is left as it is. */
static WN_HD int wn_change_fits(double w, double wanted)
{
  const double ratio = w / wanted;
  return (wanted <= 0.0) | ((ratio >= 0.5) & (ratio < 2.0));
}

/* One whose weight does not fit.  Weights are powers of two, and stay so: a split and the luck
 * of a survivor are exact.  Expected weights are what they were.  Returns as
 * wn_change_apply. */
static WN_HD int wn_change_weight(const struct wn_change *c, struct wn_electron *e,
                                  uint32_t cell, double wanted, wn_i128 *roulette)
{
  const double w = (double)e->w, ratio = w / wanted;
  if (ratio >= 2.0) {
    uint32_t pieces = 2;
    while (pieces < WN_MAX_SPLIT && 2.0 * pieces <= ratio)
      pieces *= 2;
    e->w /= (float)pieces;
    return (int)pieces - 1;
  }
  const struct wn_rng4 r = wn_rng(c->seed, e->id, e->event, WN_RNG_POPULATION, 0);
  if (!(wn_u01(r.w[0]) < ratio)) {
    wn_tally_sum(&roulette[2 * cell], w, WN_FIX_RARE);
    e->t_left = WN_DEAD;
    return -1;
  }
  wn_tally_sum(&roulette[2 * cell + 1], wanted - w, WN_FIX_RARE);
  e->w = (float)wanted;
  e->event++; /* a control that comes before the next candidate decides afresh */
  return 0;
}

/* The place of an electron below below_ev, whose tag says so. */
static WN_HD void wn_change_mark(const struct wn_change *c, struct wn_electron *e)
{
  e->x[1] = c->mark;
  e->x[2] = 0.0;
}

/* Returns as wn_change_apply. */
static WN_HD int wn_change_by_level(const struct wn_change *c, struct wn_electron *e,
                                    wn_i128 *roulette)
{
  const double energy = wn_sample_energy_ev(e);
  const uint32_t cell = wn_sample_cell(&c->levels, c->n_groups, e, energy);
  if (energy < c->below_ev) {
    e->tag = wn_electron_in_cohort(e->tag, c->n_groups,
                                   wn_electron_cohort(e->tag, c->n_groups) | 1u);
    wn_change_mark(c, e);
  }
  const int age = wn_sample_age(e->tag, c->n_groups, c->halvings);
  const double wanted = wn_change_wanted(c->reference[cell], wn_sample_two_to(-age));
  return wn_change_fits((double)e->w, wanted)
             ? 0
             : wn_change_weight(c, e, cell, wanted, roulette);
}

/* Change one electron; returns how many copies of it are to be made (wn_change_copy with
 * k from 1 on, then wn_change_copied), or -1: it is dead.  A weight above WN_MAX_WEIGHT
 * is for the caller to see. */
static WN_HD int wn_change_apply(const struct wn_change *c, struct wn_electron *e,
                                 wn_i128 *roulette)
{
  if (c->reference != NULL)
    return wn_change_by_level(c, e, roulette);
  const struct wn_change_group *g = &c->group[wn_sample_group(c->n_groups, e)];
  if (c->to_origin)
    e->x[0] = e->x[1] = e->x[2] = 0.0;
  e->w = (float)((double)e->w * g->factor);
  if ((g->survive >= 1.0 && g->copies <= 1) || wn_sample_energy_ev(e) > c->protect_ev)
    return 0;
  if (g->survive < 1.0) {
    struct wn_rng4 r = wn_rng(c->seed, e->id, e->event, WN_RNG_POPULATION, 0);
    if (!(wn_u01(r.w[0]) < g->survive)) {
      e->t_left = WN_DEAD;
      return -1;
    }
    e->w = (float)((double)e->w / g->survive);
    e->event++; /* a control that comes before the next candidate decides afresh */
    return 0;
  }
  e->w /= (float)g->copies;
  return (int)g->copies - 1;
}

/* Copy k of an electron.  The time to the next candidate has no memory: drawn anew, the
 * copy parts from the original at once. */
static WN_HD struct wn_electron wn_change_copy(const struct wn_change *c,
                                               const struct wn_electron *e, uint32_t k)
{
  struct wn_electron copy = *e;
  struct wn_rng4 r = wn_rng(c->seed, e->id, e->event, WN_RNG_POPULATION, k);
  copy.id = (uint64_t)r.w[1] << 32 | r.w[0];
  copy.event = 0;
  copy.t_next = (float)((double)wn_exponential_f(r.w[2]) * c->inv_nu);
  return copy;
}

/* All copies are made: a control that comes before the next candidate gives other ids. */
static WN_HD void wn_change_copied(struct wn_electron *e)
{
  e->event++;
}

#endif
