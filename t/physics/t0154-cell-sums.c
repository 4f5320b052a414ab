/* t0154-cell-sums.c - defends: what CPU and GPU share of adaptive steps, limits of weights and test electrons, one particle
 * or cell at a time (physics/step_counts.h, weight_limit.h, test_electron.h).
 *   - a bin of frequencies has those up to its end and above the end of the one before; its width is an octave in 16
 *   - motion across r counts as one along r, and gamma slows a relativistic particle
 *   - weights are whole quanta, rounded down; squares of accelerations have the sum of their definition, also beyond
 *     2^62 units
 *   - the weight not above x is the greatest float that is not, for a million x
 *   - nodes of a cell, in one to three dimensions: the field that is strongest at one of them, and of no other cell
 *   - marks of electrons: each look in an order of energies, from the rules in doc/runaway-plasma.md
 * All is exact but where a tolerance stands. */
#include <math.h>
#include <string.h>
#include "physics/step_counts.h"
#include "physics/test_electron.h"
#include "physics/weight_limit.h"
#include "t/tap/draw.h"
#include "t/tap/tap.h"

static void bins(void)
{
  int wrong = 0;
  double widest = 0.0;
  for (int i = 1; i < WN_STEP_BINS - 1; i++) {
    const double end = wn_step_bin_end(i), begin = wn_step_bin_end(i - 1);
    wrong += wn_step_bin(nextafter(end, 0.0)) != i || wn_step_bin(end) != i + 1 ||
             wn_step_bin(begin) != i;
    widest = fmax(widest, end / begin);
  }
  ok(wrong == 0 && widest == 17.0 / 16.0, "%d bins, each up to %.6g times its begin",
     WN_STEP_BINS, widest);
  ok(wn_step_bin(0.0) == 0 && wn_step_bin(1e300) == WN_STEP_BINS - 1 &&
         wn_step_bin_end(15) == 2.0,
     "the ends of the bins, and an octave of 16");
}

static double end_of(const struct wn_step_look *l, float a, float b, float c)
{
  const float u[3] = {a, b, c};
  return wn_step_bin_end(wn_step_bin_of_motion(l, u));
}

static void motions(void)
{
  struct wn_step_look l = {.dim = 2, .per_cell = {1e4, 2e4, 1e9}};
  ok(end_of(&l, 3e5f, -1e5f, 1e8f) == wn_step_bin_end(wn_step_bin(3e9)) &&
         end_of(&l, 1e5f, -1e5f, 1e8f) == wn_step_bin_end(wn_step_bin(2e9)),
     "the most cells along one of two axes, in either direction");
  l.is_radial = 1;
  ok(end_of(&l, 3e5f, 0.0f, -4e5f) == wn_step_bin_end(wn_step_bin(5e9)),
     "in r-z, motion around the axis as along r");
  l.relativistic = 1;
  is_close(end_of(&l, (float)WN_C, 0.0f, 0.0f), WN_C / sqrt(2.0) * 1e4, 0.07,
           "u = c is v = c / sqrt(2)");
}

static void accelerations(void)
{
  wn_i128 weight = 0, sum = 0, want = 0;
  struct wn_electron e = {.w = 1.0f + 0x1.8p-20f};
  wn_step_electron(&e, &weight, &sum);
  ok(weight == WN_QUANTA + 1 && sum == 0, "a quantum and a half above 1 are one");
  double worst = 0.0;
  for (int i = 0; i < 200; i++) {
    e = (struct wn_electron){.w = (float)(1.0 + 99.0 * uniform())};
    for (int d = 0; d < 3; d++)
      e.a[d] = (float)(1e18 * pow(10.0, 3.0 * uniform()));
    wn_i128 one = 0;
    wn_step_electron(&e, &weight, &one);
    const double is = ((double)e.a[0] * (double)e.a[0] + (double)e.a[1] * (double)e.a[1] +
                       (double)e.a[2] * (double)e.a[2]) *
                      (double)e.w;
    worst = fmax(worst, fabs((double)one * 0x1p64 / is - 1.0));
    want += one;
    sum += one;
  }
  ok(worst < 1e-14 && sum == want && want > (wn_i128)1 << 62,
     "200 squares of accelerations to %.1g, beyond 2^62 units", worst);
}

static void weights(void)
{
  int wrong = 0;
  for (int i = 0; i < 1000000; i++) {
    const double x = pow(10.0, 12.0 * uniform() - 6.0);
    const float w = wn_weight_not_above(x);
    wrong += (double)w > x || (double)nextafterf(w, INFINITY) <= x;
  }
  ok(wrong == 0 && wn_weight_not_above(3.0) == 3.0f &&
         wn_weight_not_above(1e300) < INFINITY,
     "the greatest float that is not above, %d wrong", wrong);
}

static void nodes(int dim, uint32_t nx, uint32_t ny, uint32_t nz)
{
  static const double at[] = {1.0, 3.0}, weight[] = {50.0, 5.0};
  const struct wn_weight_rule is = {
      .dim = (uint32_t)dim, .cells = {nx, ny, nz}, .n = 2, .field = at, .weight = weight};
  const size_t n[3] = {nx + 1, dim > 1 ? ny + 1 : 1, dim > 2 ? nz + 1 : 1},
               all = n[0] * n[1] * n[2];
  float square[1000] = {0.0f};
  int wrong = 0, found = 0;
  for (size_t node = 0; node < all; node++) {
    const size_t x = node % n[0], y = node / n[0] % n[1], z = node / n[0] / n[1];
    square[node] = wn_weight_square(wn_weight_square(0.0f, 1.2), 1.6); /* 2 V/m */
    for (size_t cell = 0; cell < (size_t)nx * ny * nz; cell++) {
      size_t c[3];
      wn_weight_place(&is, cell, c);
      const int is_its = (c[0] == x || c[0] + 1 == x) &&
                         (dim < 2 || c[1] == y || c[1] + 1 == y) &&
                         (dim < 3 || c[2] == z || c[2] + 1 == z);
      const float limit = wn_weight_limit_of(&is, 40.0f, square, cell);
      found += is_its;
      wrong += is_its ? fabsf(limit / 15.811388f - 1.0f) > 1e-6f : limit != 40.0f;
    }
    square[node] = 0.0f;
  }
  ok(wrong == 0 && found == (int)(nx * ny * nz) << dim,
     "%d dimensions: each node counts in its cells, and in no other", dim);
}

/* ---- marks */

static struct wn_electron of_energy(double ev, uint64_t id)
{
  struct wn_electron e = {.w = 0.5f, .id = id};
  e.u[1] = (float)-wn_u_from_ev(ev);
  return e;
}

static void marks(void)
{
  static const double threshold[] = {100.0, 200.0};
  struct wn_test_rule is = {.from_ev = 50.0,
                            .nearly_u2 =
                                (float)(pow(wn_u_from_ev(50.0), 2) * (1.0 - 1e-5)),
                            .is_first = 1,
                            .n_groups = 4,
                            .n_thresholds = 2,
                            .threshold_ev = threshold};
  static const double ev[] = {60.0, 150.0, 40.0, 300.0};
  static const int starts[] = {1, 0, 0, 1};
  wn_i128 sums[4][3] = {{0}};
  struct wn_electron e = of_energy(ev[0], 12345);
  e.tag = WN_TEST_MARK; /* of before the first step */
  int wrong = 0;
  for (int i = 0; i < 4; i++) {
    e.u[1] = (float)-wn_u_from_ev(ev[i]);
    const int found = wn_test_find(&is, &e),
              start = found && wn_test_look(&is, &e, *sums);
    wrong += !found || start != starts[i];
    if (start)
      e.tag |= WN_TEST_MARK;
    is.is_first = 0;
  }
  const uint32_t group = wn_test_lineage(12345) % 4;
  ok(wrong == 0 && wn_test_group(&is, &e) == group,
     "starts at 60 eV, stays, loses its mark at 40, starts again at 300 eV");
  int others = 0;
  for (uint32_t g = 0; g < 4; g++)
    for (int k = 0; k < 3; k++)
      others += g != group && sums[g][k] != 0;
  const wn_i128 half = (wn_i128)1 << 59;
  ok(others == 0 && sums[group][0] == 3 * half && sums[group][1] == 2 * half &&
         sums[group][2] == half,
     "its weight above 50, 100 and 200 eV, in its group alone");
  e.t_left = WN_DEAD;
  ok(!wn_test_find(&is, &e), "a dead one is not found");
  e = of_energy(49.0, 7);
  e.tag = 3;
  ok(!wn_test_find(&is, &e) && e.tag == 3, "a slow one without a mark stays as it is");
}

int main(void)
{
  plan(0);
  draw_state = 20261126;
  bins();
  motions();
  accelerations();
  weights();
  nodes(1, 7, 1, 1);
  nodes(2, 4, 3, 1);
  nodes(3, 3, 4, 2);
  marks();
  return done();
}
