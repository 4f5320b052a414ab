/* physics/merging.h - fewer macroparticles, with the same charge, momentum and energy: two new ones, or
 * fewer of the same velocities.
 *
 * Weights.  Charge is counted in quanta (physics/grid_view.h), and a weight is a float, which has
 * 24 bits.  The quanta of a group are divided into two numbers that floats hold exactly.
 *
 * Velocities.  Particles of weights a and b, W = a + b, get
 *
 *   u_a = U + (b/W) d e    u_b = U - (a/W) d e
 *
 * with the momentum W U of the group for any d and e.  d is that with which both have the
 * energy of the group.  The energy is a convex function of each velocity, so it rises with
 * d, from W k(U), which is at most that of the group: there is one d.  Without relativity d^2
 * = 2 (E - W k(U)) W/(a b); else by Newton's method, which on a convex function comes from above.
 *
 * Direction.  e is that of the deviation u_i - U of one member, chosen with a probability
 * proportional to w_i |u_i - U|^2.  The mean of e e^T is then the sum of w_i (u_i - U) (u_i -
 * U)^T over its trace, and without relativity the pair has on average all second moments of the
 * group, so temperatures along different axes do not mix.  Derived here, as is the rest.  That n
 * particles of a cell of momentum space become two, which conserve charge, momentum and energy,
 * is the proposal of Vranic et al., Comput. Phys. Commun. 191 (2015) 65, which was not read. */
#ifndef WN_PHYSICS_MERGING_H
#define WN_PHYSICS_MERGING_H
#include <math.h>
#include <stdint.h>
#include "physics/constants.h"
#include "physics/grid_view.h"
#include "physics/host_device.h"
#include "physics/shape.h"

enum wn_merging_method {
  WN_MERGING_WEIGHTS,
  WN_MERGING_TWO,
  WN_MERGING_ONE,
  WN_N_MERGING
};

/* The lighter of two has at least this part of the quanta. */
#define WN_MERGING_LIGHTEST 8

/* Whether a weight of q quanta is a float. */
static WN_HD int wn_merging_is_weight(int64_t q)
{
  return q > 0 && (double)q < WN_QUANTA_LIMIT && (int64_t)(float)q == q;
}

static WN_HD float wn_merging_weight(int64_t q)
{
  return (float)q * (float)(1.0 / WN_QUANTA);
}

/* The quanta of a weight; 0: it is no whole number of them, or none. */
static WN_HD int64_t wn_merging_quanta(float w)
{
  const int64_t q = wn_quanta(w);
  return q > 0 && wn_merging_weight(q) == w ? q : 0;
}

/* Divides q quanta into *a and q - *a >= *a, as equal as floats allow.  Returns 0 where the
 * lighter would be less than 1/WN_MERGING_LIGHTEST of all, or q is below 2. */
static WN_HD int wn_merging_share(int64_t q, int64_t *a)
{
  int64_t unit = 1; /* of the last bit of a float of about q/2, then of q */
  while (q - q / 2 > unit << 24)
    unit *= 2;
  *a = q / 2 / unit * unit;
  if (wn_merging_is_weight(*a) && wn_merging_is_weight(q - *a))
    return 1;
  if (q < 2)
    return 0;
  /* the lighter has the last bits of q */
  while (q > unit << 24)
    unit *= 2;
  const int64_t last = q & -q, rest = q % unit;
  const int64_t most = q / 2 < last << 24 ? q / 2 : last << 24;
  if (most < rest)
    return 0;
  *a = rest + (most - rest) / unit * unit;
  return *a >= q / WN_MERGING_LIGHTEST && wn_merging_is_weight(*a) &&
         wn_merging_is_weight(q - *a);
}

/* Kinetic energy over mass, m2/s2, of u = gamma v or, not relativistic, v. */
static WN_HD double wn_merging_kinetic(int relativistic, const double u[3])
{
  const double s = u[0] * u[0] + u[1] * u[1] + u[2] * u[2];
  return relativistic ? s / (1.0 + sqrt(1.0 + s * (1.0 / (WN_C * WN_C)))) : 0.5 * s;
}

/* u and v of the pair at d. */
static WN_HD void wn_merging_apart(double a, double b, const double mean[3], double d,
                                   const double e[3], double u[3], double v[3])
{
  const double w = a + b;
  for (int i = 0; i < 3; i++) {
    u[i] = mean[i] + b / w * d * e[i];
    v[i] = mean[i] - a / w * d * e[i];
  }
}

/* The pair of weights a and b with the mean velocity and the energy (sum of weight times
 * wn_merging_kinetic) of a group, apart along the unit vector e. */
static WN_HD void wn_merging_two(int relativistic, double a, double b,
                                 const double mean[3], double energy, const double e[3],
                                 double u[3], double v[3])
{
  const double w = a + b, inner = energy - w * wn_merging_kinetic(relativistic, mean);
  double d = inner > 0.0 ? sqrt(2.0 * inner * w / (a * b)) : 0.0;
  for (int i = 0; relativistic && d > 0.0 && i < 60; i++) {
    const double c2 = 1.0 / (WN_C * WN_C);
    double of_u = 0.0, of_v = 0.0, along_u = 0.0, along_v = 0.0;
    wn_merging_apart(a, b, mean, d, e, u, v);
    for (int k = 0; k < 3; k++) {
      of_u += u[k] * u[k];
      of_v += v[k] * v[k];
      along_u += u[k] * e[k];
      along_v += v[k] * e[k];
    }
    const double slope =
        a * b / w * (along_u / sqrt(1.0 + of_u * c2) - along_v / sqrt(1.0 + of_v * c2));
    const double more =
        a * wn_merging_kinetic(1, u) + b * wn_merging_kinetic(1, v) - energy;
    const double less = slope > 0.0 ? more / slope : 0.0;
    d = d > less ? d - less : 0.5 * d;
    if (fabs(less) < 1e-14 * d)
      break;
  }
  wn_merging_apart(a, b, mean, d, e, u, v);
}

/* The part of e across the mean velocity, as a unit vector; of e along it, or 0, any vector
 * across.  mean may be 0. */
static WN_HD void wn_merging_across(const double mean[3], double e[3])
{
  const double square = mean[0] * mean[0] + mean[1] * mean[1] + mean[2] * mean[2];
  for (int k = 0; k < 2; k++) {
    const double along = e[0] * mean[0] + e[1] * mean[1] + e[2] * mean[2];
    double s = 0.0;
    for (int i = 0; i < 3; i++) {
      e[i] -= square > 0.0 ? along / square * mean[i] : 0.0;
      s += e[i] * e[i];
    }
    if (s > 1e-6) {
      for (int i = 0; i < 3; i++)
        e[i] /= sqrt(s);
      return;
    }
    const int least = fabs(mean[0]) <= fabs(mean[1]) && fabs(mean[0]) <= fabs(mean[2]) ? 0
                      : fabs(mean[1]) <= fabs(mean[2])                                 ? 1
                                                       : 2;
    for (int i = 0; i < 3; i++)
      e[i] = i == least;
  }
}

/* ---- fewer of the same velocities */

/* Weights of n particles, above 0, of which at least one becomes 0 in `weight`, with the same sums
 * of weight, weight times u, and weight times energy; the expectation of each weight is what it was.
 * So is that of any sum over particles: no distribution is biased.
 *
 * For n = WN_MERGING_SUMS + 1 the sums are linear functions of the weights, one fewer than these, so
 * some change x leaves them.  One row is the sum of weights, so x has both signs, and w + t x ends
 * where a weight becomes 0: at t = b above, at t = -a below.  b with the probability a/(a + b) and
 * -a with b/(a + b) have the mean 0.  Derived here; conserving down-sampling of this kind
 * is that of Gonoskov, arXiv:1607.03755, by its abstract.
 *
 * No weight may exceed `most_weight`, and those given are below it: a line that meets this limit first ends there, with the same
 * two probabilities.  Then no weight is 0, and one is `most_weight`.  To refuse such an end instead would bias the others.
 *
 * x by Gauss's elimination with full pivoting, of sums about the means in units of the largest
 * terms.  most_weight: INFINITY for none; chosen: uniform in [0, 1). */
#define WN_MERGING_SUMS 5

/* Row 0 of a [SUMS][SUMS + 1] is 1, rows 1 to 3 u, row 4 the energy; destroyed.  All indices are constants once the
 * loops are unrolled, so that a GPU has a in registers. */
static WN_HD void wn_merging_null(double a[WN_MERGING_SUMS][WN_MERGING_SUMS + 1],
                                  double x[WN_MERGING_SUMS + 1])
{
  enum { ROWS = WN_MERGING_SUMS, COLUMNS = WN_MERGING_SUMS + 1 };
  int column[COLUMNS], rank = 0;
  WN_UNROLLED
  for (int i = 0; i < COLUMNS; i++)
    column[i] = i;
  WN_UNROLLED
  for (int k = 0; k < ROWS; k++) {
    double most = fabs(a[k][k]);
    int r = k, c = k;
    WN_UNROLLED
    for (int i = k; i < ROWS; i++) {
      WN_UNROLLED
      for (int j = k; j < COLUMNS; j++)
        if (fabs(a[i][j]) > most) {
          most = fabs(a[i][j]);
          r = i;
          c = j;
        }
    }
    if (!(most > 1e-9))
      break;
    WN_UNROLLED
    for (int i = k + 1; i < ROWS; i++) {
      WN_UNROLLED
      for (int j = 0; j < COLUMNS && i == r; j++) {
        const double other = a[i][j];
        a[i][j] = a[k][j];
        a[k][j] = other;
      }
    }
    WN_UNROLLED
    for (int j = k + 1; j < COLUMNS; j++) {
      if (j != c)
        continue;
      WN_UNROLLED
      for (int i = 0; i < ROWS; i++) {
        const double other = a[i][j];
        a[i][j] = a[i][k];
        a[i][k] = other;
      }
      const int other = column[j];
      column[j] = column[k];
      column[k] = other;
    }
    WN_UNROLLED
    for (int i = 0; i < ROWS; i++) {
      const double f = i != k ? a[i][k] / a[k][k] : 0.0;
      WN_UNROLLED
      for (int j = 0; j < COLUMNS && f != 0.0; j++)
        a[i][j] -= f * a[k][j];
    }
    rank = k + 1;
  }
  WN_UNROLLED
  for (int j = 0; j < COLUMNS; j++)
    x[j] = 0.0;
  WN_UNROLLED
  for (int k = 0; k < COLUMNS; k++) {
    if (k != rank)
      continue;
    WN_UNROLLED
    for (int i = 0; i <= k; i++) {
      const double to = i == k ? 1.0 : -a[i < ROWS ? i : 0][k] / a[i < ROWS ? i : 0][i];
      WN_UNROLLED
      for (int j = 0; j < COLUMNS; j++)
        x[j] = column[i] == j ? to : x[j];
    }
  }
}

static WN_HD void wn_merging_drop(int relativistic,
                                  const double u[WN_MERGING_SUMS + 1][3],
                                  double weight[WN_MERGING_SUMS + 1], double most_weight,
                                  double chosen)
{
  enum { ROWS = WN_MERGING_SUMS, COLUMNS = WN_MERGING_SUMS + 1 };
  double a[ROWS][COLUMNS], x[COLUMNS], up = INFINITY, down = INFINITY;
  int first_up = 0, first_down = 0;
  WN_UNROLLED
  for (int j = 0; j < COLUMNS; j++) {
    a[0][j] = 1.0;
    for (int d = 0; d < 3; d++)
      a[1 + d][j] = u[j][d];
    a[4][j] = wn_merging_kinetic(relativistic, u[j]);
  }
  WN_UNROLLED
  for (int i = 1; i < ROWS; i++) {
    double mean = 0.0, most = 0.0;
    WN_UNROLLED
    for (int j = 0; j < COLUMNS; j++)
      mean += a[i][j] / COLUMNS;
    WN_UNROLLED
    for (int j = 0; j < COLUMNS; j++) {
      a[i][j] -= mean;
      most = fmax(most, fabs(a[i][j]));
    }
    WN_UNROLLED
    for (int j = 0; j < COLUMNS && most > 0.0; j++)
      a[i][j] /= most;
  }
  wn_merging_null(a, x);
  WN_UNROLLED
  for (int j = 0; j < COLUMNS; j++) {
    const double size = fabs(x[j]), to_none = size > 0.0 ? weight[j] / size : INFINITY,
                 to_most = size > 0.0 ? (most_weight - weight[j]) / size : INFINITY,
                 t_up = x[j] < 0.0 ? to_none : to_most,
                 t_down = x[j] < 0.0 ? to_most : to_none;
    if (t_up < up) {
      up = t_up;
      first_up = j;
    }
    if (t_down < down) {
      down = t_down;
      first_down = j;
    }
  }
  const int goes_up = chosen * (up + down) < down;
  const int ends = goes_up ? first_up : first_down;
  WN_UNROLLED
  for (int j = 0; j < COLUMNS; j++) {
    const int rises = goes_up ? x[j] > 0.0 : x[j] < 0.0;
    weight[j] = j != ends ? fmin(fmax(weight[j] + (goes_up ? up : -down) * x[j], 0.0),
                                 most_weight)
                : rises   ? most_weight
                          : 0.0;
  }
}

/* The nearest number of quanta of 17 bits, 0 below half a quantum.  The other bits of a float are left
 * for weights that grow: a sum of such numbers is a weight again, as a rule. */
static WN_HD int64_t wn_merging_nearest(double quanta)
{
  double unit = 1.0;
  while (quanta >= unit * 0x1p17)
    unit *= 2.0;
  return (int64_t)(rint(quanta / unit) * unit);
}

#endif
