/* t0151-coulomb.c - defends: Coulomb collisions of a pair (physics/coulomb.h).  The mean
 * cosine of the angle is exp(-s) for any s with nanbu and for small s with takizuka-abe; the
 * density of cos chi is that of Nanbu; small and large s have the right limits; momentum and
 * energy are conserved, relativistic ones with perez; perez is nanbu where particles are slow,
 * does not depend on the frame, and bounds s; s is that of Rutherford's cross section; the
 * logarithm and the rule of weights are those that the header states.
 *
 * References: identities in long double; means over all parts of the uniform number (midpoint
 * rule) instead of random ones, so that there is no statistical error; s from the integral of
 * Rutherford's cross section over impact parameters, done here by hand. */
#include <math.h>
#include <stdlib.h>
#include "physics/coulomb.h"
#include "t/tap/draw.h"
#include "t/tap/tap.h"

enum { PARTS = 100000 };

static uint32_t part(int i, int n)
{
  return (uint32_t)(((double)i + 0.5) / n * 0x1p32);
}

/* coth A - 1/A, by its series where it cancels. */
static long double langevin(long double a)
{
  const long double a2 = a * a;
  if (a < 0.05L)
    return a / 3 * (1 - a2 / 15 * (1 - a2 * 2 / 21 * (1 - a2 / 10)));
  return 1 / tanhl(a) - 1 / a;
}

static void inverse(void)
{
  double worst = 0.0, worst_small = 0.0, at = 0.0;
  for (int i = 0; i < 200000; i++) {
    const double s = between(1e-12, 10.0), t = wn_coulomb_inverse_a(s);
    const long double a = 1.0L / (long double)t, x = expl(-2 * a);
    const double cosine = (double)fabsl(langevin(a) / expl(-(long double)s) - 1.0L);
    /* 1 - L without cancellation */
    const double m = (double)fabsl(
        ((long double)t - 2 * x / (1 - x)) / -expm1l(-(long double)s) - 1.0L);
    if (!(cosine <= worst))
      worst = cosine, at = s;
    worst_small = fmax(worst_small, m);
  }
  ok(worst < 1e-9, "mean cosine of A(s) beside exp(-s): worst relative %.3g at s = %g",
     worst, at);
  ok(worst_small < 1e-9, "1 - mean cosine beside 1 - exp(-s): worst relative %.3g",
     worst_small);
}

/* Means of 1 - cos chi, and of the second Legendre polynomial, over the uniform number. */
static void means(void)
{
  static const double of[] = {1e-8, 1e-4, 1e-2, 0.1, 0.5,  1.0,
                              2.0,  2.4,  4.0,  9.9, 10.1, 30.0};
  for (size_t k = 0; k < sizeof of / sizeof of[0]; k++) {
    const double s = of[k], a = s < 10.0 ? 1.0 / wn_coulomb_inverse_a(s) : 3.0 * exp(-s);
    double versine = 0.0, second = 0.0, norm = 0.0;
    for (int i = 0; i < PARTS; i++) {
      const struct wn_coulomb_angle one = wn_coulomb_nanbu(s, part(i, PARTS));
      versine += one.versine / PARTS;
      second += 1.5 * one.sine * one.sine / PARTS;
      norm = fmax(norm, fabs(one.sine * one.sine +
                             (1.0 - one.versine) * (1.0 - one.versine) - 1.0));
    }
    /* of exp(A cos chi): 1 - <P2> = 3 <cos chi>/A */
    const double want = a > 0.01 ? 3.0 * (1.0 - versine) / a : 1.0 - a * a / 15.0;
    is_close(versine, -expm1(-s), 2e-5, "nanbu, s = %g: mean of 1 - cos chi", s);
    is_close(second, want, 3e-5, "nanbu, s = %g: mean of sin^2 chi", s);
    ok(norm < 1e-15, "nanbu, s = %g: sine and cosine of one angle, %.2g", s, norm);
  }
}

/* The distribution function itself: the part of the angles with 1 - cos chi below a value is
 * (exp(A) - exp(A cos chi))/(2 sinh A); with the uniform number u it is 1 - u. */
static void distribution(void)
{
  static const double of[] = {0.01, 0.3, 1.5, 5.0, 12.0};
  double worst = 0.0;
  for (size_t k = 0; k < 5; k++) {
    const double s = of[k];
    const long double a = s < 10.0 ? 1.0L / (long double)wn_coulomb_inverse_a(s)
                                   : 3.0L * expl(-(long double)s);
    for (int i = 0; i < 1000; i++) {
      const long double v = (long double)wn_coulomb_nanbu(s, part(i, 1000)).versine;
      const long double f = expm1l(-a * v) / expm1l(-2 * a), u = (i + 0.5L) / 1000;
      worst = fmax(worst, (double)fabsl(f - (1 - u)));
    }
  }
  ok(worst < 1e-7, "nanbu: the distribution of cos chi, worst %.3g", worst);
}

static void small_angles(void)
{
  enum { N = 1000 };
  static const double of[] = {1e-10, 1e-4, 1e-2};
  for (size_t k = 0; k < 3; k++) {
    double versine = 0.0, tangent2 = 0.0, tangent4 = 0.0;
    for (int i = 0; i < N * N; i++) {
      const struct wn_coulomb_angle one =
          wn_coulomb_takizuka_abe(of[k], part(i / N, N), part(i % N, N));
      const double t2 = one.versine / (2.0 - one.versine);
      versine += one.versine / N / N;
      tangent2 += t2 / N / N;
      tangent4 += t2 * t2 / N / N;
    }
    /* the midpoint rule leaves 0.03 % of an exponential number's mean, 1 % of its square's */
    is_close(tangent2, 0.5 * of[k], 1e-3, "takizuka-abe, s = %g: variance of tan(chi/2)",
             of[k]);
    is_close(tangent4, 0.75 * of[k] * of[k], 2e-2, "takizuka-abe, s = %g: fourth moment",
             of[k]);
    /* <2 t^2/(1 + t^2)> = s - 3 s^2/2 + ... */
    is_close(versine, of[k] - 1.5 * of[k] * of[k], 1e-3,
             "takizuka-abe, s = %g: mean of 1 - cos chi", of[k]);
  }
}

/* Far too long a step, and none at all. */
static void limits(void)
{
  double mean = 0.0, square = 0.0;
  for (int i = 0; i < PARTS; i++) {
    const double c = 1.0 - wn_coulomb_nanbu((double)INFINITY, part(i, PARTS)).versine;
    mean += c / PARTS;
    square += c * c / PARTS;
  }
  is_near(mean, 0.0, 1e-6, "s infinite: isotropic, mean cosine");
  is_close(square, 1.0 / 3, 1e-6, "s infinite: isotropic, mean square cosine");
  const struct wn_coulomb_angle back = wn_coulomb_takizuka_abe((double)INFINITY, 1, 1);
  ok(back.versine == 2.0 && back.sine == 0.0, "takizuka-abe, s infinite: a number");
  const struct wn_coulomb_angle none = wn_coulomb_nanbu(1e-300, 1),
                                zero = wn_coulomb_takizuka_abe(0.0, 1, 1);
  ok(none.versine >= 0.0 && none.versine < 1e-290 && zero.versine == 0.0 &&
         zero.sine == 0.0,
     "s next to nothing: no angle");
}

/* ---- pairs */

static double dot(const double a[3], const double b[3])
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static struct wn_rng4 words(void)
{
  struct wn_rng4 r;
  for (int i = 0; i < 4; i++)
    r.w[i] = (uint32_t)word64();
  return r;
}

/* Energy over rest mass and c^2, above the rest energy. */
static double kinetic(int relativistic, const double u[3])
{
  const double s = dot(u, u) / (WN_C * WN_C);
  return relativistic ? s / (1.0 + sqrt(1.0 + s)) : 0.5 * s;
}

/* Largest errors of momentum and energy over many pairs, relative to the sums of magnitudes;
 * some are at rest beside each other, or move along z, as the frames of the angles do. */
static void conserved(int method, double speed)
{
  double momentum = 0.0, energy = 0.0;
  int moved = 0;
  for (int n = 0; n < 20000; n++) {
    const double m1 = between(1e-3, 1e3) * WN_ME, m2 = between(1e-3, 1e3) * WN_ME;
    const struct wn_coulomb c = {.method = method,
                                 .m1 = m1,
                                 .m2 = m2,
                                 .strength = wn_coulomb_strength(WN_E, -WN_E, 10.0, 1e-9),
                                 .dt = 1e-9,
                                 .least_way = 0.0};
    double u[2][3], v[2][3], p = 0.0, e0 = 0.0, e1 = 0.0, all = 0.0;
    for (int i = 0; i < 3; i++) {
      u[0][i] = speed * (2.0 * uniform() - 1.0) * (n % 7 == 0 && i < 2 ? 0.0 : 1.0);
      u[1][i] = n % 7 == 0 && i < 2 ? 0.0
                : n % 11 == 0       ? u[0][i]
                                    : speed * (2.0 * uniform() - 1.0);
      v[0][i] = u[0][i];
      v[1][i] = u[1][i];
    }
    const double density =
        between(1e-6, 10.0) / wn_coulomb_s(c.strength, 1.0, m1 * m2 / (m1 + m2), speed);
    wn_coulomb_collide(&c, density, words(), v[0], v[1]);
    for (int i = 0; i < 3; i++) {
      p = fmax(p, fabs(m1 * (v[0][i] - u[0][i]) + m2 * (v[1][i] - u[1][i])));
      all += m1 * fabs(u[0][i]) + m2 * fabs(u[1][i]);
      moved += v[0][i] != u[0][i];
    }
    const int r = method == WN_COULOMB_PEREZ;
    e0 = m1 * kinetic(r, u[0]) + m2 * kinetic(r, u[1]);
    e1 = m1 * kinetic(r, v[0]) + m2 * kinetic(r, v[1]);
    momentum = fmax(momentum, p / all);
    energy = fmax(energy, fabs(e1 / e0 - 1.0));
  }
  /* the frame of fast ones has gamma up to 10: rounding is multiplied by its square */
  const double most = speed > WN_C ? 1e-12 : 1e-14;
  ok(momentum < most && energy < 10.0 * most && moved > 50000,
     "method %d, %g m/s: momentum to %.2g, energy to %.2g", method, speed, momentum,
     energy);
}

/* Without relative velocity nothing happens, and nothing becomes NAN. */
static void at_rest(int method)
{
  const struct wn_coulomb c = {.method = method,
                               .m1 = WN_ME,
                               .m2 = 100.0 * WN_ME,
                               .strength = wn_coulomb_strength(WN_E, WN_E, 10.0, 1.0),
                               .dt = 1.0,
                               .least_way =
                                   wn_coulomb_least_way(WN_ME, 1e20, WN_ME, 1e20)};
  double zero[2][3] = {{0}}, slow[2][3] = {{1e-30, 0.0, 0.0}, {0.0, 0.0, 0.0}};
  wn_coulomb_collide(&c, 1e20, words(), zero[0], zero[1]);
  wn_coulomb_collide(&c, 1e20, words(), slow[0], slow[1]);
  ok(dot(zero[0], zero[0]) == 0.0 && dot(zero[1], zero[1]) == 0.0 &&
         fabs(slow[0][0]) <= 1e-30,
     "method %d: no relative velocity, or hardly any", method);
}

/* The mean loss of the relative velocity's direction, from the pair itself: s once more, now
 * with masses.  dt <g_par>/g = exp(-s). */
static void stopping(int method)
{
  enum { N = 200 };
  const double m1 = WN_ME, m2 = 3.0 * WN_ME, mu = m1 * m2 / (m1 + m2), g = 1e5, n = 1e15,
               dt = 2e-9,
               s = n * pow(WN_E, 4) * 10.0 * dt /
                   (4.0 * WN_PI * WN_EPS0 * WN_EPS0 * mu * mu * g * g * g);
  const struct wn_coulomb c = {method, m1, m2, wn_coulomb_strength(WN_E, -WN_E, 10.0, dt),
                               dt,     0.0};
  double along = 0.0, first = 0.0;
  for (int i = 0; i < N * N; i++) {
    const struct wn_rng4 r = {{part(i / N, N), part(i % N, N), part(i % 97, 97), 0}};
    double u1[3] = {g, 0.0, 0.0}, u2[3] = {0.0, 0.0, 0.0};
    wn_coulomb_collide(&c, n, r, u1, u2);
    along += (u1[0] - u2[0]) / g / N / N;
    first += (g - u1[0]) / g / N / N;
  }
  ok(s > 0.01 && s < 0.1, "s = %g", s);
  /* takizuka-abe: 1 - s + 3 s^2/2 - ... */
  is_near(along, method == WN_COULOMB_TAKIZUKA_ABE ? 1.0 - s + 1.5 * s * s : exp(-s),
          4.0 * s * s * s + 3e-3 * s, "method %d: the mean relative velocity", method);
  is_close(first, m2 / (m1 + m2) * (1.0 - along), 1e-6,
           "method %d: the lighter one takes the greater part", method);
}

/* Rutherford: 1 - cos chi = 2 b0^2/(b0^2 + b^2), b0 = q1 q2/(4 pi eps0 mu g^2).  The integral
 * over 2 pi b db up to lambda is 2 pi b0^2 ln(1 + (lambda/b0)^2), 4 pi b0^2 times the
 * logarithm of wn_coulomb_logarithm. */
static void rutherford(void)
{
  const double mu = 0.4 * WN_ME, g = 1e6, n = 1e16, dt = 1e-9, lambda = 1e-5;
  const double b0 = 2.0 * WN_E * WN_E / (4.0 * WN_PI * WN_EPS0 * mu * g * g);
  const double section = 2.0 * WN_PI * b0 * b0 * log(1.0 + pow(lambda / b0, 2));
  const double l = wn_coulomb_logarithm(lambda, 2.0 * WN_E, WN_E, mu, g * g);
  is_close(wn_coulomb_s(wn_coulomb_strength(2.0 * WN_E, WN_E, l, dt), n, mu, g),
           n * g * section * dt, 1e-13, "s is the momentum transfer of Rutherford");
  ok(l > 4.0, "L = %g", l);
  /* fast ones: hbar/(2 mu g) is the longer */
  const double fast = 1e7, wave = WN_HBAR / (2.0 * mu * fast);
  is_close(wn_coulomb_logarithm(lambda, WN_E, WN_E, mu, fast * fast),
           0.5 * log(1.0 + pow(lambda / wave, 2)), 1e-13, "logarithm of fast particles");
  ok(wn_coulomb_logarithm(1e-12, WN_E, WN_E, mu, 1.0) == WN_COULOMB_LOG_MIN &&
         wn_coulomb_logarithm(lambda, WN_E, WN_E, mu, 0.0) == WN_COULOMB_LOG_MIN &&
         wn_coulomb_logarithm(0.0, 0.0, WN_E, mu, 0.0) == WN_COULOMB_LOG_MIN,
     "the least logarithm");
}

/* ---- relativistic pairs */

static void slow_perez(void)
{
  double worst = 0.0;
  for (int n = 0; n < 10000; n++) {
    struct wn_coulomb c = {.m1 = between(0.1, 10.0) * WN_ME,
                           .m2 = between(0.1, 10.0) * WN_ME,
                           .strength = wn_coulomb_strength(WN_E, WN_E, 10.0, 1e-9)};
    const struct wn_rng4 r = words();
    double u[2][2][3];
    for (int i = 0; i < 6; i++)
      u[0][i / 3][i % 3] = u[1][i / 3][i % 3] = 3e4 * (2.0 * uniform() - 1.0);
    const double density = between(1e10, 1e14);
    c.method = WN_COULOMB_NANBU;
    wn_coulomb_collide(&c, density, r, u[0][0], u[0][1]);
    c.method = WN_COULOMB_PEREZ;
    wn_coulomb_collide(&c, density, r, u[1][0], u[1][1]);
    for (int i = 0; i < 6; i++)
      worst = fmax(worst, fabs(u[0][i / 3][i % 3] - u[1][i / 3][i % 3]) / 3e4);
  }
  ok(worst < 1e-6, "perez of slow particles is nanbu: to %.2g, (v/c)^2 is 1e-8", worst);
}

/* The same pair seen from a frame that moves along z: s of a particle with density n/gamma and
 * dt gamma: n dt over g1 g2 is invariant for the product of densities, n1 n2 dt/(g1 g2 ...).
 * The formula has the density of the partners in the laboratory, so that s of particle 1 with
 * the invariant n2 dt = (n2'/g2)(g1 dt') is the same in all frames. */
static void frames(void)
{
  double worst = 0.0;
  for (int n = 0; n < 5000; n++) {
    const struct wn_coulomb c = {.method = WN_COULOMB_PEREZ,
                                 .m1 = WN_ME,
                                 .m2 = between(1.0, 10.0) * WN_ME,
                                 .strength = 1e-40};
    double u[2][3], star[2][3], g[2], s[2];
    const double b = 0.9 * uniform();
    for (int i = 0; i < 6; i++)
      u[i / 3][i % 3] = WN_C * 3.0 * (2.0 * uniform() - 1.0);
    for (int frame = 0; frame < 2; frame++) {
      double beta[3], h[2], length;
      const double boost[3] = {0.0, 0.0, b};
      for (int i = 0; i < 2; i++) {
        g[i] = wn_coulomb_gamma(u[i]);
        if (frame == 1)
          wn_boost(u[i], &g[i], boost, 1.0);
        for (int d = 0; d < 3; d++)
          star[i][d] = u[i][d];
        h[i] = g[i];
      }
      for (int d = 0; d < 3; d++)
        beta[d] = (c.m1 * u[0][d] + c.m2 * u[1][d]) / (c.m1 * g[0] + c.m2 * g[1]) / WN_C;
      for (int i = 0; i < 2; i++)
        wn_boost(star[i], &h[i], beta, 1.0);
      length = sqrt(dot(star[0], star[0]));
      const double gc = 1.0 / sqrt(1.0 - dot(beta, beta));
      /* n2 = g2 of the rest frame's 1, dt = g1 of particle 1's own 1 */
      s[frame] = wn_coulomb_perez_s(&c, 1e20 * g[0] * g[1], g[0], g[1], gc, h[0], h[1],
                                    c.m1 * length);
    }
    worst = fmax(worst, fabs(s[1] / s[0] - 1.0));
  }
  ok(worst < 1e-9, "s of perez is the same in all frames, to %.2g", worst);
}

/* An electron of 0.99 c on one at rest that is so heavy that its frame is that of the mass:
 * s = n strength/(p^2 v/...) of a fixed centre, 1 - cos by the momentum p and velocity v:
 * strength n/(p^2 v) of Rutherford's b0 = q1 q2/(4 pi eps0 p v). */
static void fixed_centre(void)
{
  const double beta = 0.99, gamma = 1.0 / sqrt(1.0 - beta * beta), v = beta * WN_C,
               p = gamma * WN_ME * v;
  const struct wn_coulomb c = {
      .method = WN_COULOMB_PEREZ, .m1 = WN_ME, .m2 = 1e9 * WN_ME, .strength = 1e-40};
  is_close(wn_coulomb_perez_s(&c, 1e20, gamma, 1.0, 1.0, gamma, 1.0, p),
           1e-20 / (p * p * v), 1e-8,
           "a fixed centre: s is that of momentum and velocity");
}

/* The bound: a cold, dense plasma. */
static void bound(void)
{
  const double n1 = 1e29, n2 = 3e28, m1 = WN_ME, m2 = 7.0 * WN_ME, dt = 1e-18, v = 1e4;
  struct wn_coulomb c = {.method = WN_COULOMB_PEREZ,
                         .m1 = m1,
                         .m2 = m2,
                         .strength = wn_coulomb_strength(WN_E, WN_E, 2.0, dt),
                         .dt = dt,
                         .least_way = wn_coulomb_least_way(m1, n1, m2, n2)};
  const double mu = m1 * m2 / (m1 + m2), s = wn_coulomb_s(c.strength, n2, mu, v);
  const double most = cbrt(4.0 * WN_PI / 3.0) * n2 * dt * (m1 + m2) /
                      fmax(m1 * pow(n1, 2.0 / 3), m2 * pow(n2, 2.0 / 3)) * v;
  is_close(wn_coulomb_perez_s(&c, n2, 1.0, 1.0, 1.0, 1.0, 1.0, mu * v), most, 1e-9,
           "perez: the bound, %.3g instead of %.3g", most, s);
  ok(s > 10.0 * most, "which is far below");
  c.least_way = 0.0;
  is_close(wn_coulomb_perez_s(&c, n2, 1.0, 1.0, 1.0, 1.0, 1.0, mu * v), s, 1e-6,
           "without it s is that of nanbu");
}

static void weights(void)
{
  int n[4] = {0};
  for (int i = 0; i < 3000; i++)
    n[wn_coulomb_changed(3.0, 1.0, part(i, 3000))]++;
  ok(n[0] == 0 && n[1] == 0 && n[3] == 1000 && n[2] == 2000,
     "weights 3 and 1: the lighter always, the heavier in a third");
  n[0] = 0;
  for (int i = 0; i < 3000; i++)
    n[0] += wn_coulomb_changed(2.0, 2.0, part(i, 3000)) != 3;
  is_int(n[0], 0, "equal weights: always both");
}

int main(void)
{
  plan(0);
  draw_state = 20261126;
  inverse();
  means();
  distribution();
  small_angles();
  limits();
  conserved(WN_COULOMB_TAKIZUKA_ABE, 1e5);
  conserved(WN_COULOMB_NANBU, 1e5);
  conserved(WN_COULOMB_PEREZ, 1e5);
  conserved(WN_COULOMB_PEREZ, 10.0 * WN_C);
  for (int method = 0; method < WN_N_COULOMB_METHODS; method++) {
    at_rest(method);
    stopping(method);
  }
  rutherford();
  slow_perez();
  frames();
  fixed_centre();
  bound();
  weights();
  return done();
}
