/* t0714-loading.c - defends: the particles of a plasma at t = 0 (physics/loading.h).  Numbers
 * of the quiet start have the bits of the digits summed one after the other by division, and
 * in one dimension are a lattice, whose odd modes are 0 as it streams; a
 * perturbation solves its equation; places and velocities have the moments of their profile;
 * places that are not in the domain are brought back; a particle depends on its number alone.
 * Reference: definitions, and integrals by hand. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "physics/loading.h"
#include "t/tap/draw.h"
#include "t/tap/tap.h"

#define TAU 6.283185307179586477

/* The definition, as a loop of divisions. */
static double by_division(uint64_t i, unsigned base)
{
  double x = 0.0, part = 1.0 / base;
  for (; i > 0; i /= base, part /= base)
    x += part * (double)(i % base);
  return x;
}

static void radical_inverses(void)
{
  struct wn_loading l = {.n = 1, .is_quiet = 1};
  size_t differ[5] = {0}, outside = 0;
  wn_loading_prepare(&l);
  for (uint64_t k = 0; k < 400000; k++) {
    const uint64_t i = k < 200000   ? k + 1
                       : k < 300000 ? (1ull << k % 47) + k / 47
                                    : (uint64_t)(uniform() * 0x1p48) + 1;
    const double x[5] = {wn_radical_inverse_2(i),
                         wn_radical_inverse(i, 3, l.part[WN_LOADING_3]),
                         wn_radical_inverse(i, 5, l.part[WN_LOADING_5]),
                         wn_radical_inverse(i, 7, l.part[WN_LOADING_7]),
                         wn_radical_inverse(i, 11, l.part[WN_LOADING_11])};
    static const unsigned base[] = {2, 3, 5, 7, 11};
    for (int b = 0; b < 5; b++) {
      differ[b] += x[b] != by_division(i, base[b]);
      outside += !(x[b] > 0.0 && x[b] < 1.0);
    }
  }
  for (int b = 0; b < 5; b++)
    is_int((long long)differ[b], 0, "radical inverses, base number %d: other bits", b);
  is_int((long long)outside, 0, "radical inverses outside of (0, 1)");
  ok(wn_radical_inverse_2(1) == 0.5 && wn_radical_inverse_2(6) == 0.375 &&
         wn_radical_inverse_2((1ull << 53) - 1) == 1.0 - 0x1p-53,
     "radical inverses of 1, 6 and 2^53 - 1 in base 2");
  is_near(wn_radical_inverse(11, 3, l.part[WN_LOADING_3]), 2.0 / 3 + 0.0 / 9 + 1.0 / 27,
          2e-16, "that of 11 in base 3, 102: 0.201");
}

/* The quiet start in one dimension: each component of the velocity is in the middle of each
 * of m equal parts, twice, half the domain apart; opposite particles have opposite ones. */
static void lattice(void)
{
  static const uint64_t n[] = {1, 2, 3, 4, 10, 12, 97, 1000, 4321, 256000};
  for (size_t k = 0; k < sizeof n / sizeof *n; k++) {
    struct wn_loading l = {.n = n[k], .is_quiet = 1, .dim = 1, .velocities = 3};
    const uint64_t m = n[k] % 2 == 0 ? n[k] / 2 : n[k];
    unsigned char *seen = calloc(3 * m, 1);
    size_t wrong = 0, odd = 0, apart = 0;
    wn_loading_prepare(&l);
    for (uint64_t i = 0; i < n[k]; i++) {
      double u[WN_LOADING_DRAWS], o[WN_LOADING_DRAWS], p[WN_LOADING_DRAWS];
      wn_loading_draw(&l, 4, i, u);
      wn_loading_draw(&l, 4, n[k] - 1 - i, o);
      wn_loading_draw(&l, 4, (i + m) % n[k], p);
      for (int d = 1; d < 4; d++) {
        const double part = u[d] * (double)m;
        wrong += fabs(part - floor(part) - 0.5) > 1e-6;
        seen[(uint64_t)(d - 1) * m + (uint64_t)part]++;
        odd += fabs(u[d] + o[d] - 1.0) > 1e-12;
        apart += fabs(u[d] - p[d]) > 1e-12;
      }
    }
    for (uint64_t j = 0; j < 3 * m; j++)
      wrong += seen[j] != n[k] / m;
    is_int((long long)wrong, 0, "%llu particles: velocities in the middle of equal parts",
           (unsigned long long)n[k]);
    is_int((long long)(odd + apart), 0,
           "opposite of opposite particles, the same of pairs");
    free(seen);
  }
}

/* What it is for: a uniform plasma that streams freely has no waves.  Of n particles, random
 * ones have 1/sqrt(n), Hammersley's 6e-5. */
static void streaming(void)
{
  struct wn_loading l = {.n = 256000, .is_quiet = 1, .dim = 1, .velocities = 3};
  double odd = 0.0, even = 0.0;
  wn_loading_prepare(&l);
  for (int mode = 1; mode <= 4; mode++)
    for (double kt = 1.0; kt <= 6.0; kt += 1.0) {
      double re = 0.0, im = 0.0;
      for (uint64_t i = 0; i < l.n; i++) {
        double u[WN_LOADING_DRAWS];
        wn_loading_draw(&l, 4, i, u);
        const double at = mode * (TAU * u[0] + kt * wn_normal_quantile(u[1]));
        re += cos(at) / (double)l.n, im += sin(at) / (double)l.n;
      }
      *(mode % 2 ? &odd : &even) = fmax(mode % 2 ? odd : even, hypot(re, im));
    }
  is_near(odd, 0.0, 1e-10, "free streaming: no odd waves");
  is_near(even, 0.0, 4e-5, "even ones"); /* measured: 3.1e-5 */
}

static void quotients(void)
{
  uint64_t inverse;
  is_int((long long)wn_loading_quotient(8, 13, &inverse), 2, "8/13: 1, 1, 1, 1, 2");
  is_int((long long)inverse, 5, "8 times 5 is 1 modulo 13");
  is_int((long long)wn_loading_quotient(16, 113, &inverse), 16, "16/113: 7, 16");
  is_int((long long)inverse, 106, "16 times 106 is 1 modulo 113");
  ok(wn_loading_quotient(6, 9, &inverse) == UINT64_MAX, "6 and 9: a common factor");
  const uint64_t n = (1ull << 61) - 1, a = wn_loading_times(n - 2, n - 3, n);
  ok(a == 6, "-2 times -3 modulo 2^61 - 1");
}

static void perturbations(void)
{
  static const double amplitude[] = {1e-6, 0.02, 0.3, 0.9, 0.999};
  for (size_t k = 0; k < sizeof amplitude / sizeof *amplitude; k++) {
    const double a = amplitude[k];
    double worst = 0.0, still = 0.0, last = -INFINITY;
    int rises = 1;
    for (int i = 0; i <= 100000; i++) {
      const double even = TAU * 5e-5 * i - TAU, phase = 0.7 * (double)k,
                   theta = wn_loading_perturbed(even, a, phase);
      const long double off =
          (long double)theta +
          (long double)a *
              (sinl((long double)theta + (long double)phase) - sinl((long double)phase)) -
          (long double)even;
      worst = fmax(worst, (double)fabsl(off));
      rises = rises && theta > last;
      last = theta;
      if (i % 20000 == 0)
        still = fmax(still, fabs(theta - even));
    }
    /* half a unit in the last place of theta < 32 is 1.8e-15: in theta, theta + phase, and f,
     * with factors of up to 2 */
    ok(worst < 1e-14, "amplitude %g: its equation, within %.2g, allowed 1e-14", a, worst);
    ok(still < 3e-15 / (1.0 - a), "amplitude %g: whole turns do not move, within %.2g", a,
       still);
    ok(rises, "amplitude %g: places keep their order", a);
  }
}

static struct wn_loading loading(int dim, int n_v, int is_quiet)
{
  struct wn_loading l = {.n = 200000,
                         .seed = 7,
                         .species = 1,
                         .dim = dim,
                         .velocities = n_v,
                         .is_quiet = is_quiet,
                         .thermal = 3e5,
                         .drift = {1e5, -2e5, 5e4}};
  for (int d = 0; d < dim; d++) {
    const int32_t cells = 60 + 7 * d;
    const double length = 0.01 * (d + 1);
    l.axis[d] = wn_axis_uniform(cells, length, length / cells, 1);
    l.bits[d] = 23;
    l.is_periodic[d] = 1;
  }
  wn_loading_prepare(&l);
  return l;
}

/* Sums over all particles: x over the length, its square, cos and sin of the wave number. */
struct moments {
  double x[3], x2[3], cosine[3], sine[3], v[3], v2[3], least[3], most[3];
};

static struct moments moments_of(const struct wn_loading *l)
{
  struct moments m = {.least = {1, 1, 1}};
  union wn_word r[8];
  for (size_t i = 0; i < l->n; i++) {
    int32_t at[3];
    float v[3], w;
    wn_loading_point(l, l->dim, l->velocities, i, r);
    wn_point_load(l->dim, l->velocities, r, at, v, &w);
    for (int d = 0; d < l->dim; d++) {
      const double x = (at[d] + 0.5) / ((double)l->axis[d].cells * (1 << l->bits[d]));
      m.x[d] += x / (double)l->n;
      m.x2[d] += x * x / (double)l->n;
      m.cosine[d] += cos(TAU * x) / (double)l->n;
      m.sine[d] += sin(TAU * x) / (double)l->n;
      m.least[d] = fmin(m.least[d], x);
      m.most[d] = fmax(m.most[d], x);
    }
    for (int d = 0; d < l->velocities; d++) {
      m.v[d] += (double)v[d] / (double)l->n;
      m.v2[d] += (double)v[d] * (double)v[d] / (double)l->n;
    }
  }
  return m;
}

static void profiles(void)
{
  for (int is_quiet = 0; is_quiet < 2; is_quiet++) {
    /* 5 standard deviations of a mean of independent numbers; a quiet start misses
     * integrals by some log(n)^5/n, measured below a tenth of that */
    const double room = (is_quiet ? 0.5 : 5.0) / sqrt(200000.0);
    const char *name = is_quiet ? "quiet" : "random";
    struct wn_loading l = loading(3, 3, is_quiet);
    struct moments m = moments_of(&l);
    for (int d = 0; d < 3; d++) {
      is_near(m.x[d], 0.5, room, "%s: mean place along %d", name, d);
      is_near(m.x2[d], 1.0 / 3, room, "%s: mean square", name);
      is_near(m.v[d] / l.thermal, l.drift[d] / l.thermal, room, "%s: drift", name);
      is_near((m.v2[d] - m.v[d] * m.v[d]) / (l.thermal * l.thermal), 1.0, 1.5 * room,
              "%s: temperature", name);
    }
    l.amplitude = 0.3;
    l.phase = 0.4;
    l.k[1] = TAU / l.axis[1].length;
    l.k2 = l.k[1] * l.k[1];
    m = moments_of(&l);
    /* the mean of cos(theta) over 1 + a cos(theta + phase) is a cos(phase)/2 */
    is_near(m.cosine[1], 0.15 * cos(0.4), room, "%s: a wave, its cosine", name);
    is_near(m.sine[1], -0.15 * sin(0.4), room, "%s: a wave, its sine", name);
    is_near(m.x[0], 0.5, room, "%s: a wave, the other axes", name);
    l.amplitude = 0.0;

    l.along[0] = WN_LOADING_PART;
    l.from[0] = 0.25, l.to[0] = 0.35;
    l.along[2] = WN_LOADING_NORMAL; /* between -1 and 2 of its widths */
    l.centre[2] = l.axis[2].length / 3.0, l.width[2] = l.centre[2];
    l.from[2] = 0.5 * erfc(sqrt(0.5)), l.to[2] = 1.0 - 0.5 * erfc(sqrt(2.0));
    m = moments_of(&l);
    ok(m.least[0] >= 0.25 && m.most[0] <= 0.35 && m.least[0] < 0.251 && m.most[0] > 0.349,
       "%s: a slab, from %.5f to %.5f", name, m.least[0], m.most[0]);
    is_near(m.x[0], 0.3, 0.1 * room, "%s: a slab, its mean", name);
    const double mean = (exp(-0.5) - exp(-2.0)) / sqrt(TAU) / (l.to[2] - l.from[2]);
    is_near(m.x[2], (1.0 + mean) / 3.0, room, "%s: a bell, its mean", name);
    ok(m.least[2] < 0.01 && m.most[2] > 0.99, "%s: a bell, from %.5f to %.5f", name,
       m.least[2], m.most[2]);
  }
}

static void annulus(void)
{
  struct wn_loading l = loading(2, 3, 1);
  l.is_annulus = 1;
  l.centre[0] = 0.005, l.centre[1] = 0.01;
  l.radius[0] = 1e-3, l.radius[1] = 3e-3;
  l.amplitude = 0.4;
  l.turns = 3.0;
  double least = 1.0, most = 0.0, r2 = 0.0, wave = 0.0;
  for (size_t i = 0; i < l.n; i++) {
    double u[WN_LOADING_DRAWS], x[3];
    wn_loading_draw(&l, 5, i, u);
    wn_loading_place(&l, 2, u, x);
    const double a = x[0] - l.centre[0], b = x[1] - l.centre[1], r = hypot(a, b);
    least = fmin(least, r);
    most = fmax(most, r);
    r2 += r * r / (double)l.n;
    wave += cos(3.0 * atan2(b, a)) / (double)l.n;
  }
  ok(least >= 1e-3 - 1e-15 && most <= 3e-3 + 1e-15, "annulus: from %.9g to %.9g m", least,
     most);
  is_near(r2, 5e-6, 1e-9, "annulus: the mean of r^2, of a uniform density");
  is_near(wave, 0.2, 1e-4, "annulus: half the amplitude of its wave");
}

/* The crest at 3 spreads, so that the density at the axis counts; exact: r has the distribution
 * (crest Phi(z) - spread phi(z)) from z = -3 on. */
static void ring(void)
{
  enum { AT = 5 };
  const double at[AT] = {-2.5, -1.0, 0.0, 0.7, 2.0};
  struct wn_loading l = loading(3, 3, 1);
  l.is_annulus = 1;
  l.centre[0] = 0.005, l.centre[1] = 0.01;
  l.crest = 1.5e-3, l.spread = 0.5e-3;
  l.amplitude = 0.4;
  l.turns = 3.0;
  wn_loading_prepare(&l);
  double within[AT] = {0.0}, wave = 0.0, least = 1.0, most = 0.0, z_mean = 0.0;
  for (size_t i = 0; i < l.n; i++) {
    double u[WN_LOADING_DRAWS], x[3];
    wn_loading_draw(&l, 6, i, u);
    wn_loading_place(&l, 3, u, x);
    const double a = x[0] - l.centre[0], b = x[1] - l.centre[1], r = hypot(a, b);
    for (int k = 0; k < AT; k++)
      within[k] += (r < l.crest + at[k] * l.spread) / (double)l.n;
    least = fmin(least, r);
    most = fmax(most, r);
    wave += cos(3.0 * atan2(b, a)) / (double)l.n;
    z_mean += x[2] / l.axis[2].length / (double)l.n;
  }
#define DISTRIBUTION(z)                                                                  \
  (l.crest * 0.5 * erfc(-(z)*sqrt(0.5)) - l.spread * exp(-0.5 * (z) * (z)) / sqrt(TAU))
  for (int k = 0; k < AT; k++)
    is_near(within[k],
            (DISTRIBUTION(at[k]) - DISTRIBUTION(-3.0)) /
                (DISTRIBUTION(6.0) - DISTRIBUTION(-3.0)),
            3e-5, "ring: the part within %g spreads of the crest", at[k]);
  ok(least >= 0.0 && least < 1e-4 && most > 3.5e-3 && most <= 4.5e-3,
     "ring: from %.3g to %.3g m", least, most);
  is_near(wave, 0.2, 1e-4, "ring: half the amplitude of its wave");
  is_near(z_mean, 0.5, 1e-4, "ring: uniform along its axis");
  const double ends[] = {0.0, 0x1p-53, 1.0 - 0x1p-53, 1.0};
  for (int k = 0; k < 4; k++) {
    const double r = wn_loading_ring_radius(&l, ends[k]);
    ok(k < 2 ? r >= 0.0 && r < 1e-7 : fabs(r - 4.5e-3) < 1e-9, "ring: an end, %.9g m", r);
  }
}

static void places(void)
{
  struct wn_loading l = loading(1, 3, 1);
  const int32_t parts = 60 << 23;
  const double part = 0.01 / parts;
  for (int is_periodic = 0; is_periodic < 2; is_periodic++) {
    const char *name = is_periodic ? "periodic" : "walls";
    l.is_periodic[0] = is_periodic;
    is_int(wn_loading_fixed(&l, 0, 0.0), 0, "%s: 0 is the first part", name);
    is_int(wn_loading_fixed(&l, 0, 0.005), parts / 2, "%s: the middle", name);
    is_int(wn_loading_fixed(&l, 0, 0.01 - 0.5 * part), parts - 1, "%s: the last", name);
    is_int(wn_loading_fixed(&l, 0, 0.01), is_periodic ? 0 : parts - 1, "%s: the end",
           name);
    is_int(wn_loading_fixed(&l, 0, -0.5 * part), is_periodic ? parts - 1 : 0,
           "%s: below 0", name);
    is_int(wn_loading_fixed(&l, 0, 0.01 + 10.5 * part), is_periodic ? 10 : parts - 1,
           "%s: beyond the end", name);
    is_int(wn_loading_fixed(&l, 0, -0.02 + 10.5 * part), is_periodic ? 10 : 0,
           "%s: two lengths below", name);
    const int32_t infinite = wn_loading_fixed(&l, 0, (double)INFINITY),
                  none = wn_loading_fixed(&l, 0, (double)NAN);
    ok(infinite >= 0 && infinite < parts && none >= 0 && none < parts,
       "%s: what is not finite is in the domain", name);
  }
}

static void records(void)
{
  struct wn_loading l = loading(2, 3, 0);
  union wn_word a[8], b[8];
  struct wn_electron e, f;
  size_t differ = 0;
  l.inv_nu = 1e-9;
  l.collides = 1;
  for (size_t i = 0; i < 1000; i++) {
    l.first = 0;
    memset(a, 0x55, sizeof a);
    memset(&e, 0x55, sizeof e);
    wn_loading_point(&l, 2, 3, i + 500, a);
    wn_loading_electron(&l, 2, 3, i + 500, &e);
    l.first = 500;
    memset(b, 0xaa, sizeof b);
    memset(&f, 0xaa, sizeof f);
    wn_loading_point(&l, 2, 3, i, b);
    wn_loading_electron(&l, 2, 3, i, &f);
    differ += memcmp(a, b, sizeof a) != 0 || memcmp(&e, &f, sizeof e) != 0;
    differ += a[0].i != e.at[0] || a[1].i != e.at[1] || e.at[2] != 0;
    differ += memcmp(&a[2], e.u, sizeof e.u) != 0 || a[5].f != 1.0f || e.w != 1.0f;
    differ += a[6].i != 0 || a[7].i != 0 || e.event != 0 || e.t_left != 0.0f;
    differ += e.tag != i + 500 || !(e.t_next > 0.0f && e.t_next < 17e-9f);
  }
  is_int((long long)differ, 0, "records: all words, of the number alone");
  l.is_ion = 1;
  l.inv_nu = 0.0;
  wn_loading_electron(&l, 2, 3, 3, &f);
  ok(isinf(f.t_next), "records: an ion without collisions flies on");
  wn_loading_point(&l, 2, 2, 3, a);
  wn_loading_point(&l, 2, 3, 3, b);
  ok(memcmp(a, b, 4 * sizeof *a) == 0, "records: two velocities are the first of three");
}

int main(void)
{
  plan(0);
  draw_state = 1;
  radical_inverses();
  lattice();
  quotients();
  streaming();
  perturbations();
  profiles();
  annulus();
  ring();
  places();
  records();
  return done();
}
