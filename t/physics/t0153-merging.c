/* t0153-merging.c - defends: new weights of the same particles, of which one is 0, have the same
 * charge, momentum and energy, and on average each is what it was; the weights of two merged macroparticles are floats whose quanta add
 * up, as equal as floats allow; their velocities have momentum and energy of the group, with
 * relativity and without, for any direction and weights; the direction across is across, and a
 * unit vector.  The sort that lanes of a GPU share, and that of a CPU, give the order of a stable sort, of any number
 * of keys.  Numbers: the same sums in long double, and integers. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include "physics/merging.h"
#include "physics/warp.h"
#include "t/tap/draw.h"
#include "t/tap/tap.h"

static void shares(void)
{
  long wrong = 0, refused = 0, uneven = 0;
  for (int64_t q = 2; q < 3000000; q++) {
    int64_t a = 0;
    const int fits = wn_merging_share(q, &a);
    wrong += !fits || a != q / 2;
  }
  is_int(wrong, 0, "2 to 3e6 quanta: halves, or one more");
  for (int i = 0; i < 2000000; i++) {
    /* four macroparticles, as merging meets them */
    int64_t q = 0, a = 0;
    for (int k = 0; k < 4; k++) {
      const float w = (float)between(0x1p-20, 0x1p30);
      q += wn_quanta(w);
    }
    if (!wn_merging_share(q, &a)) {
      refused++;
      continue;
    }
    const float x = wn_merging_weight(a), y = wn_merging_weight(q - a);
    wrong += wn_quanta(x) + wn_quanta(y) != q || a > q - a ||
             a < q / WN_MERGING_LIGHTEST || wn_merging_quanta(x) != a;
    /* where a float next to the half does, they are as equal as that */
    const int64_t half = (int64_t)(float)(q / 2);
    if (half > 0 && (int64_t)(float)(q - half) == q - half)
      wrong += (double)(q / 2 - a) > (double)q * 0x1p-23;
    uneven += a < q / 2 - q / 1000;
  }
  for (int i = 0; i < 100000; i++) { /* the halves of 25 bits */
    const int64_t unit = (int64_t)1 << (int)(30.0 * uniform()),
                  q = (((int64_t)1 << 24) + 2 * (int64_t)(0x1p22 * uniform()) + 1) * unit;
    int64_t a = 0;
    wrong += !wn_merging_share(q, &a) || a != (q - unit) / 2;
  }
  is_int(wrong, 0,
         "any four weights: two with their quanta, as equal as can be, none "
         "lighter than an eighth");
  ok(refused > 0 && uneven > 0, "of 2e6 groups %ld have no such weights, %ld are uneven",
     refused, uneven);
  int64_t a;
  ok(!wn_merging_share(1, &a) && !wn_merging_share(0, &a), "one quantum is not divided");
  is_int(wn_merging_share(((int64_t)1 << 26) + 1, &a) ? a : 0, ((int64_t)1 << 24) - 7,
         "2^26 + 1: the lighter has the last bit, the other is a multiple of 8");
  ok(!wn_merging_share(((int64_t)1 << 40) + 1, &a), "2^40 + 1 is not divided");
  is_int(wn_merging_quanta(0.1f), 0, "a weight that is no whole number of quanta");
  is_int(wn_merging_quanta(0.0f), 0, "no weight");
  is_int(wn_merging_quanta(-1.0f), 0, "a negative one");
  is_int(wn_merging_quanta(0x1p-20f), 1, "one quantum");
}

static long double kinetic(int relativistic, const double u[3])
{
  const long double s = (long double)u[0] * u[0] + (long double)u[1] * u[1] +
                        (long double)u[2] * u[2],
                    c2 = (long double)WN_C * WN_C;
  return relativistic ? c2 * (sqrtl(1.0L + s / c2) - 1.0L) : 0.5L * s;
}

static void unit(double e[3])
{
  double s;
  do {
    s = 0.0;
    for (int d = 0; d < 3; d++) {
      e[d] = 2.0 * uniform() - 1.0;
      s += e[d] * e[d];
    }
  } while (s > 1.0 || s < 0.01);
  for (int d = 0; d < 3; d++)
    e[d] /= sqrt(s);
}

/* Groups of four of a mean speed, and spread about it; weights up to 1 : most. */
static void two(int relativistic, double speed, double spread, double most)
{
  double worst_p = 0.0, worst_e = 0.0, same = 0.0;
  for (int i = 0; i < 20000; i++) {
    double w[4], all = 0.0, mean[3] = {0.0}, size = 0.0, e[3], x[3], y[3], shift[3];
    long double energy = 0.0L;
    unit(shift);
    for (int k = 0; k < 4; k++) {
      double u[3];
      unit(u);
      w[k] = between(1.0, most);
      all += w[k];
      for (int d = 0; d < 3; d++) {
        u[d] = speed * shift[d] + spread * u[d];
        mean[d] += w[k] * u[d];
        size += w[k] * fabs(u[d]);
      }
      energy += w[k] * kinetic(relativistic, u);
    }
    for (int d = 0; d < 3; d++)
      mean[d] /= all;
    unit(e);
    const double a = all * between(1.0 / WN_MERGING_LIGHTEST, 0.5), b = all - a;
    wn_merging_two(relativistic, a, b, mean, (double)energy, e, x, y);
    for (int d = 0; d < 3; d++)
      worst_p = fmax(worst_p, fabs(a * x[d] + b * y[d] - all * mean[d]) / size);
    worst_e =
        fmax(worst_e,
             (double)fabsl((a * kinetic(relativistic, x) + b * kinetic(relativistic, y)) /
                               energy -
                           1.0L));
    same += x[0] == y[0] && x[1] == y[1];
  }
  ok(worst_p < 1e-14 && worst_e < 1e-11 && same < 1.0,
     "%s, speed %g, spread %g, weights to 1 : %g: momentum to %.1g, energy to %.1g",
     relativistic ? "relativistic" : "not relativistic", speed, spread, most, worst_p,
     worst_e);
}

static void one_velocity(int relativistic)
{
  const double mean[3] = {1e6, -2e6, 3e6}, e[3] = {0.0, 0.0, 1.0};
  double x[3], y[3];
  wn_merging_two(relativistic, 2.0, 3.0, mean,
                 5.0 * wn_merging_kinetic(relativistic, mean), e, x, y);
  ok(x[0] == mean[0] && x[1] == mean[1] && y[0] == mean[0] && fabs(x[2] - 3e6) < 1.0 &&
         fabs(y[2] - 3e6) < 1.0,
     "one velocity of all: both have it");
  const double none[3] = {0.0, 0.0, 0.0};
  wn_merging_two(relativistic, 2.0, 3.0, none, 0.0, e, x, y);
  ok(x[0] == 0.0 && x[2] == 0.0 && y[2] == 0.0, "all at rest: both are");
}

static void across(void)
{
  long wrong = 0;
  for (int i = 0; i < 10000; i++) {
    double mean[3], e[3];
    unit(mean);
    unit(e);
    for (int d = 0; d < 3; d++) {
      if (i % 4 == 1)
        e[d] = mean[d]; /* along */
      if (i % 4 == 2)
        e[d] = 0.0;
      mean[d] *= i % 4 == 3 ? 0.0 : 1e6;
    }
    wn_merging_across(mean, e);
    const double along = mean[0] * e[0] + mean[1] * e[1] + mean[2] * e[2];
    wrong += !(fabs(along) < 1e-6) ||
             !(fabs(e[0] * e[0] + e[1] * e[1] + e[2] * e[2] - 1.0) < 1e-12);
  }
  is_int(wrong, 0, "across the mean velocity, of length 1; any where that is 0");
}

/* Six particles: kind 0 any velocities, 1 along a line, 2 all the same, 3 two the same, 4 of two
 * speeds in all directions. */
static void velocities(int kind, double speed, double u[6][3])
{
  for (int i = 0; i < 6; i++) {
    unit(u[i]);
    for (int d = 0; d < 3; d++) {
      u[i][d] *= speed * (kind == 4 ? 1.0 + (i & 1) : 0.1 + uniform());
      if (kind == 1 && d > 0)
        u[i][d] = 0.5 * speed;
      if (kind == 2 || (kind == 3 && i == 1))
        u[i][d] = u[0][d];
    }
  }
}

static void drop(int relativistic, double speed, int kind)
{
  double worst = 0.0;
  long wrong = 0;
  for (int n = 0; n < 5000; n++) {
    double u[6][3], was[6], w[6], sum[5] = {0.0}, size[5] = {0.0};
    velocities(kind, speed, u);
    for (int i = 0; i < 6; i++)
      w[i] = was[i] = between(1.0, 1000.0);
    wn_merging_drop(relativistic, (const double(*)[3])u, w, INFINITY, uniform());
    int none = 0;
    for (int i = 0; i < 6; i++) {
      const double of[5] = {1.0, u[i][0], u[i][1], u[i][2],
                            (double)kinetic(relativistic, u[i])};
      none += w[i] == 0.0;
      wrong += !(w[i] >= 0.0);
      for (int k = 0; k < 5; k++) {
        sum[k] += (w[i] - was[i]) * of[k];
        size[k] += was[i] * fabs(of[k]);
      }
    }
    wrong += none < 1;
    for (int k = 0; k < 5; k++)
      worst = fmax(worst, size[k] > 0.0 ? fabs(sum[k]) / size[k] : 0.0);
  }
  ok(wrong == 0 && worst < 1e-10,
     "%s, speed %g, velocities %d: one weight becomes 0, the sums stay to %.1g",
     relativistic ? "relativistic" : "not relativistic", speed, kind, worst);
}

/* The mean of many: each weight within 4.5 standard errors (once in 1.5e5 by chance). */
static void unbiased(void)
{
  enum { MANY = 100000 };
  double u[6][3], was[6], mean[6] = {0.0}, square[6] = {0.0}, worst = 0.0, least = 1e9;
  velocities(0, 1e6, u);
  for (int i = 0; i < 6; i++)
    was[i] = between(1.0, 10.0);
  for (int n = 0; n < MANY; n++) {
    double w[6];
    for (int i = 0; i < 6; i++)
      w[i] = was[i];
    wn_merging_drop(0, (const double(*)[3])u, w, INFINITY, uniform());
    for (int i = 0; i < 6; i++) {
      mean[i] += w[i] / MANY;
      square[i] += w[i] * w[i] / MANY;
    }
  }
  for (int i = 0; i < 6; i++) {
    const double error = sqrt((square[i] - mean[i] * mean[i]) / MANY);
    worst = fmax(worst, fabs(mean[i] - was[i]) / error);
    least = fmin(least, error);
  }
  ok(worst < 4.5 && least > 0.0, "on average each weight stays: %.2g standard errors",
     worst);
}

static void nearest(void)
{
  long wrong = 0;
  for (int i = 0; i < 100000; i++) {
    const double q = between(0.6, 0x1p60);
    const int64_t is = wn_merging_nearest(q);
    wrong += !wn_merging_is_weight(is) || fabs((double)is - q) > fmax(0.5, q * 0x1p-17);
  }
  is_int(wrong, 0, "the nearest weight, to half a quantum or 2^-17");
  is_int(wn_merging_nearest(0.4), 0, "below half a quantum there is none");
}

/* ---- sorting */

struct sorted {
  uint64_t key;
  uint32_t tag;
};

static int by_key(const void *a, const void *b)
{
  const struct sorted *x = a, *y = b;
  if (x->key != y->key)
    return x->key < y->key ? -1 : 1;
  return x->tag < y->tag ? -1 : x->tag > y->tag;
}

/* of: values that keys have; lanes: their work one after the other, which is right as each pair is apart. */
static void sorts(uint64_t of)
{
  enum { MOST = 300 };
  static struct sorted want[MOST];
  static uint64_t key[2][MOST], spare_key[MOST];
  static uint32_t tag[2][MOST], spare[MOST];
  long wrong = 0;
  for (uint32_t n = 0; n <= MOST; n++) {
    for (uint32_t i = 0; i < n; i++) {
      want[i] =
          (struct sorted){(uint64_t)(uniform() * (double)of) << 30, (i * 7919u) % 65521u};
      for (int k = 0; k < 2; k++) {
        key[k][i] = want[i].key;
        tag[k][i] = want[i].tag;
      }
    }
    qsort(want, n, sizeof *want, by_key);
    wn_warp_sort_bitonic(0, 1, key[0], tag[0], n);
    wn_warp_sort(key[1], tag[1], n, spare_key, spare);
    for (uint32_t i = 0; i < n; i++)
      for (int k = 0; k < 2; k++)
        wrong += key[k][i] != want[i].key || tag[k][i] != want[i].tag;
  }
  is_int(wrong, 0, "0 to %d keys of %g values in order, by both sorts", MOST, (double)of);
}

static void keys_of_floats(void)
{
  static const float x[] = {-INFINITY, -2.0f, -1.5f, -1e-40f, 0.0f,
                            1e-40f,    1.5f,  2.0f,  INFINITY};
  int wrong = wn_warp_key_f(-0.0f) != wn_warp_key_f(0.0f);
  for (size_t i = 1; i < sizeof x / sizeof *x; i++) {
    wrong += wn_warp_key_f(x[i - 1]) >= wn_warp_key_f(x[i]);
    wrong += x[i - 1] >= 0.0f &&
             wn_warp_key_positive((double)x[i - 1]) >= wn_warp_key_positive((double)x[i]);
  }
  is_int(wrong, 0, "keys of numbers are in their order; 0 and -0 are the same");
}

int main(void)
{
  plan(0);
  draw_state = 20261126;
  shares();
  for (int relativistic = 0; relativistic < 2; relativistic++) {
    two(relativistic, 1e6, 1e6, 1.0);
    two(relativistic, 1e6, 1e3, 100.0);
    two(relativistic, 0.0, 2e6, 10.0);
    two(relativistic, 3e8, 3e8, 10.0);
    two(relativistic, 1e10, 1e9, 10.0);
    one_velocity(relativistic);
  }
  across();
  for (int kind = 0; kind < 5; kind++) {
    drop(0, 1e6, kind);
    drop(1, 1e9, kind);
  }
  unbiased();
  nearest();
  sorts(2);
  sorts(50);
  sorts(1u << 31);
  keys_of_floats();
  return done();
}
