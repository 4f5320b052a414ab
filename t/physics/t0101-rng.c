/* t0101-rng.c - defends: the random numbers are Philox4x32-10 with the counter that
 * physics/rng.h states, and what is made of them has the distributions it claims. Known
 * answers: t/data/philox-kat.txt (Random123's own), also computed by a second Philox
 * written out here. Statistical checks run at one fixed seed, so they pass or fail
 * always; each is at 4.5 sigma or at chance 1e-5, so that another seed would fail one of
 * them with a chance below 2e-4. */
#include "physics/primary.h"
#include "physics/rng.h"
#include "t/tap/philox_kat.h"
#include "t/tap/tap.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define SEED 20240229u

/* The definition of the paper, written again. */
static void philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4])
{
  uint32_t c[4] = {counter[0], counter[1], counter[2], counter[3]},
           k[2] = {key[0], key[1]};
  for (int round = 0; round < 10; round++) {
    uint64_t a = 0xD2511F53ull * c[0], b = 0xCD9E8D57ull * c[2];
    uint32_t n[4] = {(uint32_t)(b >> 32) ^ c[1] ^ k[0], (uint32_t)b,
                     (uint32_t)(a >> 32) ^ c[3] ^ k[1], (uint32_t)a};
    for (int i = 0; i < 4; i++)
      c[i] = n[i];
    k[0] += 0x9E3779B9u;
    k[1] += 0xBB67AE85u;
  }
  for (int i = 0; i < 4; i++)
    out[i] = c[i];
}

static void test_known(void)
{
  struct philox_kat kat[PHILOX_KAT_N];
  philox_kat_read(kat);
  for (int n = 0; n < PHILOX_KAT_N; n++) {
    const uint32_t *c = kat[n].counter, *k = kat[n].key, *want = kat[n].answer;
    uint32_t second[4];
    /* wn_rng wants the counter as event, purpose and block, id */
    struct wn_rng4 r = wn_rng((uint64_t)k[1] << 32 | k[0], (uint64_t)c[3] << 32 | c[2],
                              c[0], c[1] >> 24, c[1] & 0xffffffu);
    philox(c, k, second);
    for (int i = 0; i < 4; i++)
      ok(r.w[i] == want[i] && second[i] == want[i],
         "known answer %d, word %d: got %08x, second %08x, want %08x", n + 1, i, r.w[i],
         second[i], want[i]);
  }
}

/* Every field of the counter, the whole width of each. */
static void test_mapping(void)
{
  int bad = 0;
  for (uint32_t i = 0; i < 20000; i++) {
    uint32_t q[6], in[4] = {i, 1, 2, 3}, in2[4] = {i, 7, 2, 3}, key[2] = {5, 6}, x[4],
                   got[4];
    philox(in, key, q);
    philox(in2, key, x);
    q[4] = x[0], q[5] = x[1];
    uint32_t purpose = q[1] >> 24, block = q[1] & 0xffffffu;
    struct wn_rng4 r = wn_rng((uint64_t)q[5] << 32 | q[4], (uint64_t)q[3] << 32 | q[2],
                              q[0], purpose, block);
    philox(q, q + 4, got);
    for (int k = 0; k < 4; k++)
      bad += r.w[k] != got[k];
  }
  is_int(bad, 0, "seed = key, counter = event, purpose and block, id low, id high");
  struct wn_rng4 b = wn_rng(SEED, 77, 5, WN_RNG_BIRTH, 3);
  ok(wn_rng_child_id(SEED, 77, 5, 3) == ((uint64_t)b.w[1] << 32 | b.w[0]),
     "id of a child: first two words of its birth");
  /* purposes and blocks are told apart by their numbers: rejection must not run into
   * another block */
  ok(WN_RNG_BLOCK_REAL < WN_RNG_BLOCK_SHARE && WN_RNG_BLOCK_IONIZE < WN_RNG_BLOCK_SHARE &&
         WN_RNG_BLOCK_SHARE < WN_RNG_BLOCK_ANGLE && 2 * WN_RNG_BLOCK_ANGLE < 1 << 24,
     "blocks of one event do not overlap");
}

static void test_ranges(void)
{
  ok(wn_u01(0) == 0.0, "u01: 0 can come");
  ok(wn_u01(UINT32_MAX) < 1.0, "u01: 1 cannot");
  ok(wn_u01_open(0) > 0.0 && wn_u01_open(UINT32_MAX) < 1.0, "u01_open: neither end can");
  is_close(1.0 - wn_u01_open(UINT32_MAX), 0x1p-33, 1e-12, "u01_open: distance from 1");
  double most = wn_rng_exponential(0), least = wn_rng_exponential(UINT32_MAX);
  is_close(most, 33.0 * 0.69314718055994530942, 1e-15, "exponential: largest is 33 ln 2");
  ok(least > 0.0, "exponential: smallest %g is above 0", least);
  /* corners of the generator: all words at the values that make a component largest */
  double top = 0.0;
  for (uint32_t i = 0; i < 8; i++)
    for (uint32_t j = 0; j < 8; j++) {
      double v[3];
      wn_rng_normal3((struct wn_rng4){{0, i << 29, 0, j << 29}}, v);
      top = fmax(top, sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]));
    }
  ok(top < WN_RNG_NORMAL3_MAX && top > 9.5,
     "normal3: the largest vector %.4f is below WN_RNG_NORMAL3_MAX = %.4f", top,
     WN_RNG_NORMAL3_MAX);
}

/* Largest value of a chi-square of n degrees that chance exceeds once in 1e5 (Wilson and
 * Hilferty 1931). */
static double chi2_limit(int n)
{
  double a = 2.0 / (9.0 * n), z = 1.0 - a + 4.265 * sqrt(a);
  return n * z * z * z;
}

static void test_uniform(void)
{
  enum { N = 1 << 18, BINS = 256 };
  static uint32_t count[4][BINS], pair[BINS], low[BINS];
  /* neighbouring ids and neighbouring events must be as good as any */
  for (uint32_t i = 0; i < N; i++) {
    struct wn_rng4 r = wn_rng(SEED, i & 1023, i >> 10, WN_RNG_EVENT, 0);
    for (int k = 0; k < 4; k++)
      count[k][r.w[k] >> 24]++;
    struct wn_rng4 next = wn_rng(SEED, (i & 1023) + 1, i >> 10, WN_RNG_EVENT, 0);
    pair[(r.w[0] >> 28) << 4 | next.w[0] >> 28]++;
    low[r.w[0] & 255]++;
  }
  const double want = (double)N / BINS;
  for (int k = 0; k < 6; k++) {
    double chi2 = 0.0;
    const uint32_t *c = k < 4 ? count[k] : k == 4 ? pair : low;
    for (int b = 0; b < BINS; b++)
      chi2 += (c[b] - want) * (c[b] - want) / want;
    ok(chi2 < chi2_limit(BINS - 1),
       "uniform, %s %d: chi2 %.1f, allowed %.1f for 255 degrees (false alarm 1e-5)",
       k < 4    ? "word"
       : k == 4 ? "pairs of neighbouring electrons, case"
                : "low bits, case",
       k, chi2, chi2_limit(BINS - 1));
  }
}

static void test_moments(void)
{
  enum { N = 1000000 };
  double e1 = 0.0, e2 = 0.0, m[3] = {0.0}, v[3] = {0.0}, k4[3] = {0.0}, xy = 0.0,
         xz = 0.0, r4 = 0.0, biggest = 0.0;
  for (uint32_t i = 0; i < N; i++) {
    struct wn_rng4 r = wn_rng(SEED, i, 0, WN_RNG_EVENT, WN_RNG_BLOCK_REAL);
    double x = wn_rng_exponential(r.w[0]), n[3], n2 = 0.0;
    e1 += x;
    e2 += (x - 1.0) * (x - 1.0);
    wn_rng_normal3(r, n);
    for (int j = 0; j < 3; j++) {
      double q = n[j] * n[j];
      m[j] += n[j];
      v[j] += q;
      k4[j] += q * q;
      n2 += q;
    }
    xy += n[0] * n[1];
    xz += n[0] * n[2];
    r4 += n2 * n2;
    biggest = fmax(biggest, sqrt(n2));
  }
  /* variances of the estimators: exponential mean 1, (x-1)^2 8; normal mean 1, x^2 2, x^4
   * 96, |v|^4 720 */
  const double s = 4.5 / sqrt((double)N);
  is_near(e1 / N, 1.0, s, "exponential: mean");
  is_near(e2 / N, 1.0, s * sqrt(8.0), "exponential: variance");
  for (int j = 0; j < 3; j++) {
    is_near(m[j] / N, 0.0, s, "normal %d: mean", j);
    is_near(v[j] / N, 1.0, s * sqrt(2.0), "normal %d: variance", j);
    is_near(k4[j] / N, 3.0, s * sqrt(96.0), "normal %d: fourth moment", j);
  }
  is_near(xy / N, 0.0, s, "normal: x and y are uncorrelated");
  is_near(xz / N, 0.0, s, "normal: x and z are uncorrelated");
  is_near(r4 / N, 15.0, s * sqrt(720.0),
          "normal: <|v|^4> of three independent components"); /* <r^8>-15^2 = 945-225 */
  ok(biggest < WN_RNG_NORMAL3_MAX, "normal: largest of 1e6 vectors %.3f", biggest);
}

static int rising(const void *a, const void *b)
{
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

static void test_children(void)
{
  enum { N = 1000000 };
  uint64_t *id = malloc(N * sizeof *id);
  if (id == NULL) {
    skip(1, "no memory for 1e6 ids");
    return;
  }
  int same = 0;
  for (uint32_t i = 0; i < N; i++) /* 1000 parents, 500 events, 2 children each */
    id[i] = wn_rng_child_id(SEED, i % 1000, i / 2000, (i / 1000) & 1);
  qsort(id, N, sizeof *id, rising);
  for (int i = 1; i < N; i++)
    same += id[i] == id[i - 1];
  is_int(same, 0, "1e6 children have 1e6 ids (chance of a pair by accident: 3e-8)");
  free(id);
}

/* Primaries of a Maxwellian have the mean energy that was asked for, within 4.5 sigma of the
 * run's own scatter: a false alarm in 1.5e5 seeds. */
static void test_maxwellian(void)
{
  enum { N = 200000 };
  const struct wn_primaries p = {
      .seed = 11, .energy_ev = 2.0, .is_maxwellian = 1, .n_groups = 8, .inv_nu = 1e-12};
  double sum = 0.0, square = 0.0;
  for (size_t i = 0; i < N; i++) {
    const struct wn_electron e = wn_primary(&p, i);
    double ev = 0.0;
    for (int k = 0; k < 3; k++)
      ev += 0.5 * (double)e.u[k] * (double)e.u[k] / WN_QM;
    sum += ev;
    square += ev * ev;
  }
  const double mean = sum / N, error = sqrt((square / N - mean * mean) / N);
  ok(fabs(mean - 2.0) < 4.5 * error,
     "Maxwellian primaries: mean energy %.5f eV, want 2, error %.5f", mean, error);
}

int main(void)
{
  plan(0);
  test_known();
  test_mapping();
  test_ranges();
  test_uniform();
  test_moments();
  test_children();
  test_maxwellian();
  return done();
}
