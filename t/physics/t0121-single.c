/* t0121-single.c - defends: the single precision of physics/single_precision.h and of the boosts
 * and energies of physics/mcc_collide.h is rounding and nothing else.  Each function
 * agrees with the one in double precision, or with long double, to the roundings of the
 * terms that it adds (EPS each) and what its comment says is left out, 1e-3 eV to 1e8 eV,
 * on both sides of the joints of series and closed forms.  And what one electron does
 * millions of times has no bias: over many collisions the mean energy after them is that
 * of double precision with the same random numbers, to 1e-9 of the energy, where an
 * electron loses 3.9e-5 of it in an elastic collision in N2 and 8.4e-6 in xenon; so is it
 * over boosts there and back and over flights.  Fixed seed; 4.5 standard deviations. */
#include "physics/mcc.h"
#include "physics/mcc_collide.h"
#include "physics/mcc_flight.h"
#include "t/tap/draw.h"
#include "t/tap/mean.h"
#include "t/tap/tap.h"

#include <math.h>
#include <stdint.h>

#define EPS 0x1p-24 /* the largest relative error of one rounding */

/* A vector of floats in any direction; *d: the same numbers. */
static void any_direction(float f[3], double d[3], double size)
{
  wn_angle_isotropic(d, uniform(), uniform());
  for (int i = 0; i < 3; i++) {
    f[i] = (float)(size * d[i]);
    d[i] = (double)f[i];
  }
}

static double dot(const double a[3], const double b[3])
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double distance(const float f[3], const double d[3])
{
  double s = 0.0;
  for (int i = 0; i < 3; i++)
    s += ((double)f[i] - d[i]) * ((double)f[i] - d[i]);
  return sqrt(s);
}

#define AMU_EV (WN_AMU * WN_C * WN_C / WN_E)

/* ---- energies ---- */

static double rounds(float got, long double want)
{
  return (double)fabsl((long double)got / want - 1.0L) / EPS;
}

/* x: |u|^2/c^2, as s in its unit. */
static long double kinetic_l(float s)
{
  long double x = (long double)s * (long double)WN_UNIT_BETA2;
  return 2.0L * s / (1.0L + sqrtl(1.0L + x));
}

static void test_energies(void)
{
  double square = 0.0, series = 0.0, closed = 0.0, slow = 0.0, ev = 0.0, of_u = 0.0;
  for (int i = 0; i < 1000000; i++) {
    float u[3];
    double d[3], t = between(1e-3, i & 1 ? 1e8 : 300.0);
    any_direction(u, d, wn_u_from_ev(t));
    float s = wn_square_f(u);
    square = fmax(square, rounds(s, dot(d, d) / (WN_UNIT_U * WN_UNIT_U)));
    long double want = kinetic_l(s);
    if (s < WN_SLOW_S) {
      series = fmax(series, rounds(wn_kinetic_f(s), want));
      slow = fmax(slow, rounds(wn_kinetic_slow(s), want));
    } else {
      closed = fmax(closed, rounds(wn_kinetic_f(s), want));
    }
    ev = fmax(ev, rounds(wn_energy_f(s), want * (long double)WN_UNIT_EV));
    of_u = fmax(of_u, rounds(wn_energy_f(s), wn_kinetic_ev(d, wn_gamma(d))));
  }
  ok(square < 3.0, "|u|^2: %.2f roundings, allowed 3: a product and two sums", square);
  /* the term of x is 2.5e-4 of s at the most, and x^3 is left out: 8e-11 of s */
  ok(series < 1.01 && slow < 1.01,
     "kinetic energy, series: %.3f, %.3f roundings, allowed 1.01: of the sum", series,
     slow);
  /* of x 2, of 1 + x 1, all halved by the root; root, sum, quotient */
  ok(closed < 4.0, "kinetic energy, root: %.3f roundings, allowed 4", closed);
  ok(ev < 5.0, "in eV: %.3f roundings, allowed 5, with those of the unit", ev);
  ok(of_u < 6.0, "in eV, from u to the end: %.3f roundings, allowed 6", of_u);
  ok(wn_kinetic_f(0.0f) == 0.0f && wn_kinetic_slow(0.0f) == 0.0f &&
         wn_energy_f(0.0f) == 0.0f,
     "at rest: 0");
  /* the joint: the last s of the series and the first of the root */
  float s = nextafterf(WN_SLOW_S, 0.0f);
  ok(wn_energy_f(s) > 1.25f * WN_SLOW_EV,
     "the series hold up to %.1f eV, a quarter above WN_SLOW_EV", (double)wn_energy_f(s));
  double below = 0.0, above = 0.0;
  float last = s;
  for (int i = 0; i < 2000; i++) {
    below = fmax(below, rounds(wn_kinetic_f(last), kinetic_l(last)));
    last = nextafterf(last, 0.0f);
  }
  last = s;
  for (int i = 0; i < 2000; i++) {
    last = nextafterf(last, INFINITY);
    above = fmax(above, rounds(wn_kinetic_f(last), kinetic_l(last)));
  }
  ok(below < 1.01 && above < 4.0, "at the joint: %.3f below, %.3f above, allowed 1.01, 4",
     below, above);
}

static void test_inverse(void)
{
  double series = 0.0, closed = 0.0;
  for (int i = 0; i < 400000; i++) {
    float x = (float)(i % 4 == 0   ? between(1e-9, 1e3)
                      : i % 4 == 1 ? between(9.9e-4, 1.01e-3)
                                   : between(1e-4, 0.1));
    if (i < 4000) { /* and the joint itself */
      x = 1e-3f;
      for (int k = i - 2000; k != 0; k += k < 0 ? 1 : -1)
        x = nextafterf(x, k < 0 ? 0.0f : 1.0f);
      i += 31;
    }
    double off = rounds(wn_inverse1p_f(x), 1.0L / (1.0L + (long double)x));
    if (x < 1e-3f)
      series = fmax(series, off);
    else
      closed = fmax(closed, off);
  }
  /* x^3, 1e-9 at the most, is left out */
  ok(series < 1.02, "1/(1 + x), series: %.3f roundings, allowed 1.02: of the sum",
     series);
  ok(closed < 2.0, "1/(1 + x), quotient: %.3f roundings, allowed 2: sum and quotient",
     closed);
  ok(wn_inverse1p_f(0.0f) == 1.0f, "1 at 0");
}

/* ---- flights ---- */

/* u, v -= k b.  Not inlined: in the loop of test_flight, gcc 12 at -O3 goes on with the v
 * that was not rounded to floats. */
static __attribute__((noinline)) void take_off(float u[3], double v[3], double k,
                                               const double b[3])
{
  for (int j = 0; j < 3; j++)
    v[j] = (double)(u[j] = (float)(v[j] - k * b[j]));
}

/* Against wn_flight_e, from the same floats.  Position: roundings of time and gamma (6)
 * times the way, of u before and after (3), of the correction; and what is left out:
 * X^4/5 of the way across below WN_FLIGHT_BENT. */
static void test_flight(void)
{
  const double least = sqrt(1.5 * (double)WN_FLIGHT_BENT);
  double series = 0.0, bent = 0.0, end = 0.0;
  int n[5] = {0};
  for (int i = 0; i < 400000; i++) {
    float u[3], a[3], x[3] = {0.0f, 0.0f, 0.0f};
    double v[3], b[3], y[3] = {0.0}, size = wn_u_from_ev(between(1e-3, 1e8));
    any_direction(u, v, size);
    any_direction(a, b, between(1e12, 1e20));
    if (i % 8 == 1) /* along, or against */
      for (int j = 0; j < 3; j++)
        b[j] = (double)(a[j] = (i & 8 ? 1e11f : -1e11f) * (u[j] / (float)size));
    double as = sqrt(dot(b, b)), gamma = wn_gamma(v), g0 = gamma;
    if (i % 8 == 2) { /* across */
      take_off(u, v, dot(v, b) / (as * as), b);
      gamma = g0 = wn_gamma(v);
    }
    /* X up to 0.99; every fourth near the least that is bent */
    double limit = 2.0 * least, dt_c = WN_C / as * g0,
           dt = dt_c * (i % 4 == 3 ? limit * (0.99 + 0.02 * uniform())
                        : i & 4    ? between(1e-9, limit)
                                   : between(limit, 200.0));
    float dt_f = (float)dt;
    dt = (double)dt_f;
    double before = sqrt(dot(v, v)), t0 = wn_kinetic_ev(v, g0) / WN_MC2_EV,
           d = dot(v, b) / as, across = sqrt(fmax(before * before - d * d, 0.0));
    wn_flight_e(y, v, &gamma, b, 1.0 / (as * as), dt);
    double t1 = wn_kinetic_ev(v, gamma) / WN_MC2_EV, h = dt / (g0 + gamma),
           X = as * h / WN_C, k = wn_artanhc_m1(X * X), after = sqrt(dot(v, v));
    wn_flight_f(x, u, a, (float)(as * as / (WN_UNIT_U * WN_UNIT_U)),
                (float)(0.5 * (t0 + t1)), dt_f);
    double way = h * (before + as * dt + after), off = distance(x, y);
    end = fmax(end, distance(u, v) / (EPS * (as * dt * 2.0 + after)));
    if (X * X < 1.5 * (double)WN_FLIGHT_BENT * (1.0 - 1e-5)) {
      double out = 2.0 * h * across * pow(X, 4) / 5.0;
      n[0]++;
      n[1] += X > 0.99 * least;
      n[4] += X < 1e-3;
      series = fmax(series, (off - out * 1.001) / (EPS * way));
    } else {
      n[2]++;
      n[3] += X < 1.01 * least;
      double out = X * X < 1.5 * (double)WN_FLIGHT_BENT * (1.0 + 1e-5)
                       ? 2.0 * h * across * pow(X, 4) / 5.0
                       : 0.0;
      /* the closed form steepens as 1/(1 - X^2), and X has the roundings of h and two
       * more */
      bent = fmax(bent, (off - out * 1.001) /
                            (EPS * (way + 2.0 * h * before * k +
                                    2.0 * h * across * X * X / (1.0 - X * X))));
    }
  }
  ok(n[0] > 1e5 && n[1] > 3e4 && n[2] > 1e5 && n[3] > 3e4 && n[4] > 1e5,
     "flights: %d by the series, %d of them near its end at X = %.3g and %d below 1e-3, "
     "%d "
     "by the closed form, %d near",
     n[0], n[1], least, n[4], n[2], n[3]);
  ok(end < 1.0, "u after a flight: %.2g of the roundings of u + a t, allowed 1", end);
  ok(series < 5.0, "place by the series: %.2f roundings of the way, allowed 5", series);
  ok(bent < 5.0, "place by the closed form: %.2f roundings, allowed 5", bent);
  float x[3] = {1.0f, -2.0f, 3.0f}, u[3] = {1e5f, 2e6f, -3e6f}, none[3] = {0};
  wn_flight_f(x, u, none, 0.0f, 1e-4f, 1e-12f);
  ok(u[0] == 1e5f && u[1] == 2e6f && u[2] == -3e6f, "no field: u keeps its bits");
}

/* ---- directions ---- */

static void test_angles(void)
{
  static const double qs[] = {1e-9, 1e-6, 1e-3, 0.1, 0.5,   0.9,
                              1.0,  1.01, 1.3,  1.9, 1.9999};
  double worst = 0.0, coulomb = 0.0;
  int inside = 1;
  for (int k = 0; k < 11; k++)
    for (uint32_t i = 0; i < 200000; i++) {
      /* all words near both ends, others from all over */
      uint32_t w = i < 4096 ? i << 9 : i < 8192 ? ~(i - 4096) << 9 : (uint32_t)word64();
      float q = (float)qs[k], r = wn_u01_f(w), s = wn_angle_s_f(q, r);
      double qd = (double)q, rd = (double)r, one = 2.0 * (1.0 - rd) * (1.0 - qd);
      inside = inside && s >= 0.0f && s <= 1.0f;
      /* product, quotient, and the sum, whose terms may cancel (backward, q > 1): 2 and
       * the sum itself */
      double room = 2.0 + (2.0 * fabs(one) + fabs(one + qd)) / fabs(one + qd);
      worst = fmax(worst, rounds(s, wn_angle_s(qd, rd)) / room);
    }
  ok(inside, "s = (1 - cos)/2 lies in [0, 1]");
  ok(worst < 1.0, "s against double precision: %.2g of the roundings, allowed 1", worst);
  for (int i = 0; i < 200000; i++) {
    float e = (float)between(1e-3, 1e8);
    coulomb =
        fmax(coulomb, rounds(wn_angle_coulomb_q_f(e), wn_angle_coulomb_q((double)e)));
  }
  ok(coulomb < 4.0,
     "q of the Coulomb-like model: %.3f roundings, allowed 4: constant, product, sum, "
     "quotient",
     coulomb);
}

/* Turning: the terms are products of three factors that are 1 at the most. */
static void test_turn(void)
{
  double place = 0.0, unit = 0.0;
  struct mean norm = {0}, cosine = {0};
  for (int i = 0; i < 4000000; i++) {
    double z = 2.0 * uniform() - 1.0, d[3], e[3], sd, cd;
    float f[3], g[3], s, c, chi = wn_u01_f((uint32_t)word64());
    uint32_t w = (uint32_t)word64();
    if (i % 8 == 0) /* near the poles, and near the equator */
      z = i & 8 ? copysign(1.0 - between(1e-9, 1e-2), z) : z * between(1e-9, 1.0);
    if (i % 8 == 1)
      chi = (float)between(1e-7, 1.0);
    wn_sincos_turn(uniform(), &sd, &cd);
    d[0] = sqrt((1.0 - z) * (1.0 + z)) * cd;
    d[1] = sqrt((1.0 - z) * (1.0 + z)) * sd;
    d[2] = z;
    for (int j = 0; j < 3; j++) {
      g[j] = f[j] = (float)d[j];
      e[j] = d[j] = (double)f[j];
    }
    wn_sincos_word_f(w, &s, &c);
    wn_angle_turn_f(f, chi, s, c);
    wn_angle_turn(d, (double)chi, (double)s, (double)c);
    place = fmax(place, distance(f, d));
    double n = 0.0, p = 0.0, n0 = dot(e, e);
    for (int j = 0; j < 3; j++) {
      n += (double)f[j] * (double)f[j];
      p += (double)f[j] * (double)g[j];
    }
    unit = fmax(unit, fabs(n - 1.0));
    if (i % 8 > 1) {
      count(&norm, n - n0);
      count(&cosine, p - n0 * (1.0 - 2.0 * (double)chi));
    }
  }
  /* three products of up to 4 roundings and two sums, none of them at its largest in all
   * components */
  ok(place < 5.0 * EPS, "a turn in single precision: off by %.2f roundings, allowed 5",
     place / EPS);
  /* the square: 4 of sine and cosine, twice those of the components */
  ok(unit < 9.0 * EPS, "it keeps |d|^2 = 1 to %.2f roundings, allowed 9", unit / EPS);
  ok(fabs(mean_of(&norm)) < 5e-10 + 4.5 * error_of(&norm),
     "mean change of |d|^2: %.2g, error %.1g, allowed 5e-10 and 4.5 errors",
     mean_of(&norm), error_of(&norm));
  ok(fabs(mean_of(&cosine)) < 5e-10 + 4.5 * error_of(&cosine),
     "mean of the cosine less what it should be: %.2g, error %.1g, allowed 5e-10 and 4.5 "
     "errors",
     mean_of(&cosine), error_of(&cosine));
}

/* All words of the polar angle; those of the azimuth are in t/physics/t0100-mathfn.c. */
static void test_isotropic(void)
{
  const uint32_t n = 1u << 23;
  double mean = 0.0, square = 0.0, across = 0.0, unit = 0.0, off = 0.0, place = 0.0;
  for (uint32_t k = 0; k < n; k++) {
    float d[3];
    wn_angle_isotropic_f(d, k << 9, 0.0f, 1.0f);
    double c = (double)d[2], s = (double)d[0];
    mean += c;
    square += c * c;
    across += s * s;
    unit = fmax(unit, fabs(c * c + s * s - 1.0));
    off = fmax(off, fabs(c - (1.0 - 2.0 * (k + 0.5) / n)));
  }
  for (int i = 0; i < 1000000; i++) {
    float d[3], s, c;
    double e[3];
    uint32_t w = (uint32_t)word64();
    wn_sincos_word_f((uint32_t)word64(), &s, &c);
    wn_angle_isotropic_f(d, w, s, c);
    wn_angle_isotropic_with(e, (double)wn_u01_f(w), (double)s, (double)c);
    place = fmax(place, distance(d, e));
  }
  ok(off == 0.0, "isotropic: cosines are exact");
  ok(mean == 0.0, "their mean over all words is 0: %.2g", mean / n);
  /* the midpoints of 2^23 equal parts: 1/3 - 1/(3 2^46) */
  is_near(square / n, 1.0 / 3.0, 1e-13, "that of their squares 1/3");
  ok(fabs(across / n - 2.0 / 3.0) < 1e-9, "that of sin^2 2/3, off by %.2g, allowed 1e-9",
     across / n - 2.0 / 3.0);
  ok(unit < 2.0 * EPS, "sin^2 + cos^2 = 1 to %.2f roundings, allowed 2", unit / EPS);
  ok(place < 2.0 * EPS, "directions against double precision: %.2f roundings, allowed 2",
     place / EPS);
}

/* ---- collisions ---- */

static const double masses[] = {1.008, 2.016, 4.0026, 28.014, 39.948, 131.293};

/* One collision in both precisions from the same floats: what is allowed is, in energies,
 * 8 roundings (5 of the energy before, 3 in the centre of mass) of the largest term, what
 * single.h says is left out, and 3 of u, which is put together from two terms. */
static void test_collide(void)
{
  static const char *const name[] = {"elastic", "exciting", "superelastic"};
  for (int kind = 0; kind < 3; kind++) {
    double worst = 0.0, back = 0.0;
    int n = 0, wrong = 0, near = 0;
    for (int i = 0; i < 600000; i++) {
      double target = masses[i % 6] * AMU_EV, t = between(0.01, (double)WN_SLOW_EV), v[3],
             d[3];
      float u[3], e[3];
      any_direction(u, v, wn_u_from_ev(t));
      double gamma = wn_gamma(v), size = sqrt(dot(v, v));
      t = wn_kinetic_ev(v, gamma);
      double k0 = wn_cm_kinetic_ev(t, target), asked = 0.0;
      if (kind == 1) /* to the threshold, and beyond it by as little */
        asked = i & 8    ? k0 * (1.0 + copysign(between(1e-9, 0.1), uniform() - 0.5))
                : i & 16 ? k0 * (1.0 - between(1e-9, 1.0))
                         : k0 * uniform();
      if (kind == 2)
        asked = -between(1e-4, 20.0);
      float loss_f = (float)(asked / WN_UNIT_EV),
            recoil = (float)(WN_MC2_EV / (WN_MC2_EV + target)),
            kinetic = wn_kinetic_slow(wn_square_f(u));
      double loss = (double)loss_f * WN_UNIT_EV, k = k0 - loss;
      any_direction(e, d, 1.0);
      float was[3] = {u[0], u[1], u[2]},
            us = wn_collide_slow(u, kinetic, recoil, loss_f, e);
      /* T/M of the energy is left out: 1e-7 for H at 200 eV */
      double blur = (8.0 * EPS + t / target) * fmax(t, t + fabs(loss));
      if (us < 0.0f) {
        wrong += k > blur || u[0] != was[0] || u[1] != was[1] || u[2] != was[2];
        near += fabs(k) < blur;
        continue;
      }
      wrong += k < -blur;
      if (k <= 0.0)
        continue;
      double want = wn_collide_two_body(v, &gamma, k, target, loss, d),
             after = sqrt(dot(v, v));
      n++;
      /* us^2 by the error of the energy, u by that of us, of the recoil */
      double unit = 2.0 / WN_MC2_EV * WN_C * WN_C,
             room = blur * unit / (want + sqrt(blur * unit)) + 3.0 * EPS * want +
                    (3.0 * EPS + t / WN_MC2_EV * 2.0) * (double)recoil * size;
      worst = fmax(worst, fabs((double)us - want) / room);
      back = fmax(back, distance(u, v) / (room + EPS * after));
    }
    ok(n > 300000 && worst < 1.0 && back < 1.0,
       "%s, %d collisions: |u| in the centre of mass and u agree with double precision "
       "to "
       "%.2g, %.2g of what rounding allows, allowed 1",
       name[kind], n, worst, back);
    is_int(wrong, 0, "%s: refused when the energy does not cover the loss, only then",
           name[kind]);
    if (kind == 1)
      ok(near > 1000, "%s: %d refused within the rounding of the threshold", name[kind],
         near);
  }
  float u[3] = {0.0f, 0.0f, 0.0f}, d[3] = {0.0f, 0.0f, 1.0f};
  float us = wn_collide_slow(u, 0.0f, 1e-4f, 0.0f, d);
  ok(us == 0.0f && u[2] == 0.0f, "at rest: stays at rest");
  us = wn_collide_slow(u, 0.0f, 1e-4f, -1.0f, d);
  is_close((double)us / WN_UNIT_U, sqrt(1.0 - 1e-4), 1e-5,
           "superelastic at rest: the electron gets M/(m + M) of it");
}

/* ---- no bias ---- */

/* Pairs of the same collision in single and in double precision, relative difference of
 * the energy after it.  Energies from a band, as one energy rounds in one way.  Left out
 * by wn_collide_slow: 3/4 of T/mc^2 of the elastic loss (isotropic), and as much when
 * forward with q = 0.05. */
static void bias(const char *gas, double mass, double lo, double hi, float q)
{
  enum { N = 1000000 };
  const double target = mass * AMU_EV;
  const float recoil = (float)(WN_MC2_EV / (WN_MC2_EV + target));
  struct mean m = {0};
  double loss = 0.0;
  for (int i = 0; i < N; i++) {
    float u[3], d[3], s, c;
    double v[3], e[3], sine, cosine, w[3];
    any_direction(u, v, wn_u_from_ev(between(lo, hi)));
    double gamma = wn_gamma(v), t = wn_kinetic_ev(v, gamma);
    uint64_t word = word64();
    uint32_t polar = (uint32_t)word, azimuth = (uint32_t)(word >> 32);
    wn_sincos_word_f(azimuth, &s, &c);
    wn_sincos_turn((azimuth >> 7) * 0x1p-25 + 0.875, &sine, &cosine);
    if (q == 1.0f) {
      wn_angle_isotropic_f(d, polar, s, c);
      wn_angle_isotropic_with(e, (double)wn_u01_f(polar), sine, cosine);
    } else { /* as wn_mcc_scatter_slow does */
      float k = (float)(1.0 / WN_UNIT_U) / sqrtf(wn_square_f(u));
      double size = 1.0 / sqrt(dot(v, v));
      for (int j = 0; j < 3; j++) {
        d[j] = k * u[j];
        e[j] = size * v[j];
      }
      wn_angle_turn_f(d, wn_angle_s_f(q, wn_u01_f(polar)), s, c);
      wn_angle_turn(e, wn_angle_s((double)q, (double)wn_u01_f(polar)), sine, cosine);
    }
    wn_collide_slow(u, wn_kinetic_slow(wn_square_f(u)), recoil, 0.0f, d);
    wn_collide_two_body(v, &gamma, wn_cm_kinetic_ev(t, target), target, 0.0, e);
    for (int j = 0; j < 3; j++)
      w[j] = (double)u[j];
    double after = wn_kinetic_ev(v, gamma);
    count(&m, (wn_kinetic_ev(w, wn_gamma(w)) - after) / t);
    loss += (t - after) / t / N;
  }
  double off = mean_of(&m), error = error_of(&m);
  ok(fabs(off) < 1e-9 + 4.5 * error,
     "%s, %s, %g-%g eV: mean energy after a collision off by %+.2g of it, error %.1g, "
     "allowed 1e-9 and 4.5 errors",
     gas, q == 1.0f ? "isotropic" : "forward", lo, hi, off, error);
  ok(fabs(off) < 1e-3 * loss + 4.5 * error,
     "which is %+.2g of the energy that is lost, allowed 1e-3", off / loss);
}

static void test_bias(void)
{
  static const struct {
    const char *name;
    double mass;
  } gas[] = {{"H2", 2.016}, {"N2", 28.014}, {"Ar", 39.948}, {"Xe", 131.293}};
  static const double band[][2] = {
      {0.02, 0.04}, {0.9, 1.1}, {14.0, 16.0}, {140.0, 160.0}, {0.01, 199.0}};
  for (int g = 0; g < 4; g++)
    for (int b = 0; b < 5; b++) {
      bias(gas[g].name, gas[g].mass, band[b][0], band[b][1], 1.0f);
      bias(gas[g].name, gas[g].mass, band[b][0], band[b][1], 0.05f);
    }
}

/* To the frame of a thermal target and back. */
static void test_boost(void)
{
  static const double tops[] = {0.1, 10.0, 200.0, 1e6};
  double there = 0.0, slow = 0.0;
  for (int k = 0; k < 4; k++) {
    struct mean m = {0};
    double worst = 0.0;
    for (int i = 0; i < 1000000; i++) {
      float u[3];
      double d[3], v[3], beta[3], w[3];
      struct wn_mcc_relative q, p, o;
      any_direction(u, d, wn_u_from_ev(between(0.1 * tops[k], tops[k])));
      any_direction(q.v, v, 2000.0 * uniform());
      double gamma = wn_gamma(d), t = wn_kinetic_ev(d, gamma), size = sqrt(dot(d, d)),
             speed = sqrt(dot(v, v));
      wn_mcc_boost(&q, u, wn_energy_f(wn_square_f(u)), 1.0f);
      p = o = q;
      wn_mcc_back(&p, q.u);
      if (t < (double)WN_SLOW_EV) { /* |u| as it is in the centre of mass with H, about */
        wn_mcc_back_slow(&o, q.u, 0x1p20f * sqrtf(q.s) * (1.0f - 1e-3f));
        for (int j = 0; j < 3; j++)
          w[j] = (double)p.u[j];
        /* one rounding of u each, those of gamma v; of the energies 7 each */
        slow = fmax(slow, distance(o.u, w) / (EPS * (2.0 * size + 4.0 * speed)));
        slow = fmax(slow, fabs((double)o.t_ev - (double)p.t_ev) /
                              (EPS * (double)p.t_ev * (14.0 + 8.0 * speed / size)));
      }
      for (int j = 0; j < 3; j++)
        w[j] = (double)p.u[j];
      count(&m, (wn_kinetic_ev(w, wn_gamma(w)) - t) / t);
      for (int j = 0; j < 3; j++) {
        w[j] = d[j];
        beta[j] = v[j] / WN_C;
      }
      worst = fmax(worst, distance(p.u, d) / (EPS * (2.0 * size + 6.0 * gamma * speed)));
      wn_boost(w, &gamma, beta, 1.0);
      /* v u/c^2 of gamma v is left out, and as much of the gamma of the boost */
      there = fmax(there, (distance(q.u, w) - speed * speed / (WN_C * WN_C) * size) /
                              (EPS * (size + 4.0 * gamma * speed)));
    }
    ok(fabs(mean_of(&m)) < 1e-9 + 4.5 * error_of(&m),
       "boosts there and back, %g-%g eV: mean energy off by %+.2g, error %.1g, allowed "
       "1e-9 and 4.5 errors",
       0.1 * tops[k], tops[k], mean_of(&m), error_of(&m));
    ok(worst < 1.0, "u comes back to %.2g of its roundings, allowed 1", worst);
  }
  ok(slow < 1.0,
     "boosts back of slow electrons: the same to %.2g of the roundings, allowed 1", slow);
  ok(there < 1.0, "boosts against wn_boost: %.2g of the roundings, allowed 1", there);
}

/* The energy at candidates, from the parabola, and that of the committed u, in n flights
 * in one field.  Returns the largest difference, in roundings of what is added; *given:
 * the part of |u|^2 + |a t|^2 that is |a t|^2, in the mean. */
static double fly(int n, struct mean *one, struct mean *all, double *given)
{
  struct wn_mcc m = {.n_groups = 1};
  double worst = 0.0, a = between(1e14, 1e17);
  wn_angle_isotropic(m.accel, uniform(), uniform());
  for (int j = 0; j < 3; j++)
    m.accel[j] *= a;
  wn_mcc_set_field(&m);
  *given = 0.0;
  for (int i = 0; i < n; i++) {
    struct wn_electron e = {.t_left = 1.0f};
    struct wn_mcc_reg r;
    double u[3], t = between(0.05, 200.0), w[3];
    any_direction(e.u, u, wn_u_from_ev(t));
    wn_mcc_load(&m, &e, &r);
    const struct wn_mcc_force *f = &m.uniform;
    const struct wn_mcc_parabola p = wn_mcc_parabola(f, r.u);
    r.since = (float)(between(1e-3, 1.0) * wn_u_from_ev(t) / a);
    double s = (double)wn_mcc_parabola_at(&p, f->a2, r.since), at = a * (double)r.since;
    r.energy = wn_energy_f((float)s);
    wn_mcc_commit(&m, wn_mcc_kind(&m), &e, &r);
    for (int j = 0; j < 3; j++)
      w[j] = (double)r.u[j];
    double u2 = dot(u, u), w2 = dot(w, w), size = sqrt(u2), end = sqrt(w2),
           unit = 1.0 / (WN_UNIT_U * WN_UNIT_U), scale = 1.0 / (u2 + at * at),
           off = s / unit - w2;
    /* s0: 3 roundings; s1 t: 5; a2 t^2: 5; sums 2; and w itself: 2 of |w| (|w| + at) */
    worst = fmax(worst, fabs(off) / (EPS * (5.0 * u2 + 14.0 * size * at + 7.0 * at * at +
                                            2.0 * end * (end + at))));
    count(one, off * scale);
    count(all, off * scale);
    *given += at * at * scale / n;
  }
  return worst;
}

/* In the mean over all fields both energies are the same.  In one field a2, rounded once,
 * is off by up to 3 roundings (its own, and twice that of a), which is as much of what
 * the field gives. */
static void test_parabola(void)
{
  struct mean all = {0}, unused = {0};
  double worst = 0.0, field = 0.0, given;
  for (int f = 0; f < 400000; f++) {
    struct mean one = {0};
    worst = fmax(worst, fly(2, &one, &all, &given));
  }
  for (int f = 0; f < 60; f++) {
    struct mean one = {0};
    worst = fmax(worst, fly(20000, &one, &unused, &given));
    field = fmax(field, (fabs(mean_of(&one)) - 4.5 * error_of(&one)) / (EPS * given));
  }
  ok(worst < 1.0, "energy on a flight and that of u: %.2g of the roundings, allowed 1",
     worst);
  ok(fabs(mean_of(&all)) < 4.5 * error_of(&all) && error_of(&all) < 2e-10,
     "their mean over many fields: %+.2g, error %.1g, allowed 4.5 errors", mean_of(&all),
     error_of(&all));
  ok(field < 3.0,
     "in one field: %.2f roundings of what the field gives, allowed 3 and 4.5 errors",
     field);
}

int main(void)
{
  plan(0);
  draw_state = 121;
  test_energies();
  test_inverse();
  test_flight();
  test_angles();
  test_turn();
  test_isotropic();
  test_collide();
  test_bias();
  test_boost();
  test_parabola();
  return done();
}
