/* t0110-push.c - defends: the flight of physics/push.h is exact to rounding, from 0.01 eV
 * to 10 MeV, in any uniform E and B, over times from a small part of a gyration to many
 * and from no change of energy to a thousandfold one. References, all in long double and
 * all written for this test: the equations of motion dx/dt = u/gamma, du/dt = a - u/gamma
 * x b by Gragg's midpoint rule with extrapolation (Hairer, Norsett, Wanner, "Solving ODEs
 * I", II.9), and hyperbolic motion in closed form (differences of gamma and arsinh). */
#include "physics/push.h"
#include "t/tap/draw.h"
#include "t/tap/tap.h"

#include <math.h>
#include <stdint.h>

static void any_direction(double v[3], double size)
{
  double z = 2.0 * uniform() - 1.0, p = 2.0 * WN_PI * uniform(), s = sqrt(1.0 - z * z);
  v[0] = size * s * cos(p), v[1] = size * s * sin(p), v[2] = size * z;
}

static double length(const double v[3])
{
  return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

static double distance(const double v[3], const long double w[3])
{
  long double s = 0.0L;
  for (int i = 0; i < 3; i++)
    s += ((long double)v[i] - w[i]) * ((long double)v[i] - w[i]);
  return (double)sqrtl(s);
}

static long double gamma_l(const long double u[3])
{
  const long double c = WN_C;
  return sqrtl(1.0L + (u[0] * u[0] + u[1] * u[1] + u[2] * u[2]) / (c * c));
}

/* y = x, u.  One step of length h: midpoint rule with 2, 4, ... 16 parts, extrapolated in
 * the square of the part. */
static void slope(const long double y[6], const double a[3], const double b[3],
                  long double f[6])
{
  long double g = gamma_l(y + 3), v[3];
  for (int i = 0; i < 3; i++)
    f[i] = v[i] = y[3 + i] / g;
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    f[3 + i] = (long double)a[i] - (v[j] * (long double)b[k] - v[k] * (long double)b[j]);
  }
}

static void gragg(long double y[6], const double a[3], const double b[3], long double h)
{
  enum { COLUMNS = 8 }; /* more would amplify rounding */
  long double table[COLUMNS][6], f[6];
  for (int k = 0; k < COLUMNS; k++) {
    int n = 2 * (k + 1);
    long double part = h / n, old[6], now[6], next[6];
    slope(y, a, b, f);
    for (int i = 0; i < 6; i++) {
      old[i] = y[i];
      now[i] = y[i] + part * f[i];
    }
    for (int m = 1; m < n; m++) {
      slope(now, a, b, f);
      for (int i = 0; i < 6; i++) {
        next[i] = old[i] + 2.0L * part * f[i];
        old[i] = now[i];
        now[i] = next[i];
      }
    }
    slope(now, a, b, f);
    for (int i = 0; i < 6; i++)
      table[k][i] = 0.5L * (now[i] + old[i] + part * f[i]);
    for (int j = k - 1; j >= 0; j--) {
      long double q = (long double)(k + 1) / (j + 1);
      for (int i = 0; i < 6; i++)
        table[j][i] = table[j + 1][i] + (table[j + 1][i] - table[j][i]) / (q * q - 1.0L);
    }
  }
  for (int i = 0; i < 6; i++)
    y[i] = table[0][i];
}

/* The whole flight, in steps over which neither the gyration nor the energy changes by
 * more than an eighth.  Returns the path, the measure for errors of position. */
static double integrate(long double y[6], const double a[3], const double b[3], double dt)
{
  long double left = dt, path = 0.0L;
  while (left > 0.0L) {
    long double g = gamma_l(y + 3),
                rate = (long double)length(a) / WN_C + (long double)length(b);
    long double h = rate > 0.0L ? 0.125L * g / rate : left, from[3] = {y[0], y[1], y[2]},
                s = 0.0L;
    h = h < left ? h : left;
    gragg(y, a, b, h);
    for (int i = 0; i < 3; i++)
      s += (y[i] - from[i]) * (y[i] - from[i]);
    path += sqrtl(s);
    left -= h;
  }
  return (double)path;
}

/* Hyperbolic motion: x along a = c^2 (g1 - g0)/a, across = u c/a (asinh(p1/q) -
 * asinh(p0/q)), p = u along a, q across. */
static void hyperbola(const double u[3], const double a[3], double dt, long double x[3])
{
  const long double c = WN_C;
  long double as = 0.0L, p0 = 0.0L, ul[3], g0, g1, q2;
  for (int i = 0; i < 3; i++)
    as += (long double)a[i] * a[i];
  as = sqrtl(as);
  for (int i = 0; i < 3; i++)
    p0 += (long double)u[i] * a[i] / as;
  long double across[3], p1 = p0 + as * dt;
  q2 = c * c;
  for (int i = 0; i < 3; i++) {
    ul[i] = u[i];
    across[i] = (long double)u[i] - p0 * a[i] / as;
    q2 += across[i] * across[i];
  }
  g0 = gamma_l(ul);
  for (int i = 0; i < 3; i++)
    ul[i] += (long double)a[i] * dt;
  g1 = gamma_l(ul);
  long double along = (p1 * p1 - p0 * p0) / (as * (g0 + g1));
  long double turn = c / as * (asinhl(p1 / sqrtl(q2)) - asinhl(p0 / sqrtl(q2)));
  for (int i = 0; i < 3; i++)
    x[i] = along * a[i] / as + across[i] * turn;
}

struct worst {
  double x, u, g;
  int n;
};

static void compare(struct worst *w, const double x[3], const double u[3], double g,
                    const long double y[6], double path, double u_size)
{
  w->x = fmax(w->x, distance(x, y) / path);
  w->u = fmax(w->u, distance(u, y + 3) / u_size);
  long double want = gamma_l(y + 3);
  w->g = fmax(w->g, (double)fabsl(((long double)g - want) / want));
  w->n++;
}

static void test_units(void)
{
  double t_worst = 0.0, u_worst = 0.0, v_worst = 0.0;
  for (int i = 0; i < 20000; i++) {
    double t = between(1e-8, 1e8), u[3];
    const long double c = WN_C, m = WN_MC2_EV;
    long double k = t / m, want = c * sqrtl(k * (k + 2.0L));
    u_worst = fmax(u_worst, (double)fabsl((long double)wn_u_from_ev(t) / want - 1.0L));
    v_worst = fmax(
        v_worst,
        (double)fabsl((long double)wn_speed_from_ev(t) / (want / (k + 1.0L)) - 1.0L));
    any_direction(u, wn_u_from_ev(t));
    long double u2 = 0.0L;
    for (int j = 0; j < 3; j++)
      u2 += (long double)u[j] * u[j] / (c * c);
    long double t_l = m * u2 / (sqrtl(1.0L + u2) + 1.0L);
    t_worst = fmax(
        t_worst, (double)fabsl((long double)wn_kinetic_ev(u, wn_gamma(u)) / t_l - 1.0L));
  }
  ok(u_worst < 8e-16 && v_worst < 8e-16,
     "u and speed of an energy, 1e-8 to 1e8 eV: relative %.2g %.2g, allowed 8e-16",
     u_worst, v_worst);
  ok(t_worst < 1e-15,
     "energy of u, 1e-8 to 1e8 eV, no cancellation: relative %.2g, allowed 1e-15",
     t_worst);
  is_close(wn_speed_from_ev(1.0), 593096.088, 1e-9, "1 eV is 593.096 km/s");
}

static void test_e(void)
{
  const double none[3] = {0.0, 0.0, 0.0};
  struct worst small = {0}, large = {0}, back = {0};
  double meet = 0.0, work = 0.0;
  for (int i = 0; i < 4000; i++) {
    double u[3], a[3], x[3] = {0.0}, v[3], t0 = between(0.01, 1e7);
    any_direction(u, wn_u_from_ev(t0));
    any_direction(a, between(1e2, 1e9) * WN_QM); /* V/m */
    double as = length(a), g0 = wn_gamma(u);
    /* X = a dt / (c (g0 + g1)) from 1e-9 to 1 - 1e-3 */
    double dt = (i & 1 ? between(1e-9, 0.4) : between(0.4, 1e3)) * g0 * WN_C / as;
    double g = g0, path;
    for (int j = 0; j < 3; j++)
      v[j] = u[j];
    wn_flight_e(x, v, &g, a, 1.0 / (as * as), dt);
    long double y[6] = {0.0L, 0.0L, 0.0L, u[0], u[1], u[2]}, h[3];
    double size = fmax(length(u), length(v));
    if (i & 1) {
      path = integrate(y, a, none, dt);
      compare(&small, x, v, g, y, path, size);
      if (as * dt > 1e-3 * g0 * WN_C) {
        hyperbola(u, a, dt, h);
        meet = fmax(meet, (double)fabsl(h[0] - y[0]) / path);
      }
    } else {
      hyperbola(u, a, dt, y);
      for (int j = 0; j < 3; j++)
        y[3 + j] = (long double)u[j] + (long double)a[j] * dt;
      path = WN_C * dt * (double)(size / wn_gamma(v) / WN_C);
      compare(&large, x, v, g, y, fmin(path, WN_C * dt), size);
    }
    /* the energy gained is the work a.x */
    double gain = wn_kinetic_ev(v, g) - wn_kinetic_ev(u, g0), w = 0.0;
    for (int j = 0; j < 3; j++)
      w += a[j] * x[j] * (WN_MC2_EV / (WN_C * WN_C));
    work = fmax(work, fabs(gain - w) / (wn_kinetic_ev(v, g) + wn_kinetic_ev(u, g0)));
    /* and back: reversed velocity, the same field */
    for (int j = 0; j < 3; j++)
      v[j] = -v[j];
    wn_flight_e(x, v, &g, a, 1.0 / (as * as), dt);
    for (int j = 0; j < 3; j++) {
      y[j] = 0.0L;
      y[3 + j] = -(long double)u[j];
    }
    compare(&back, x, v, g, y, path, size);
  }
  ok(meet < 1e-15, "the two references agree: %.2g of the path, allowed 1e-15", meet);
  ok(small.x < 5e-15 && small.u < 5e-16 && small.g < 1e-15,
     "E, %d flights of small change: position %.2g of the path (allowed 5e-15), u %.2g "
     "(5e-16), gamma %.2g (1e-15)",
     small.n, small.x, small.u, small.g);
  ok(large.x < 5e-15 && large.u < 5e-16 && large.g < 1e-15,
     "E, %d flights of large change: position %.2g of the path (allowed 5e-15), u %.2g "
     "(5e-16), gamma %.2g (1e-15)",
     large.n, large.x, large.u, large.g);
  ok(work < 5e-15,
     "E: energy gained is the work of the field, to %.2g of the energy, allowed 5e-15",
     work);
  ok(back.x < 2e-14 && back.u < 2e-15,
     "E: reversed flights come back, position %.2g of the path, u %.2g", back.x, back.u);
}

static void test_e_corners(void)
{
  double u[3], x[3] = {1.0, -2.0, 3.0}, zero[3] = {0.0}, g;
  any_direction(u, wn_u_from_ev(123.0));
  g = wn_gamma(u);
  double v[3] = {u[0], u[1], u[2]}, g0 = g;
  wn_flight_e(x, v, &g, zero, 0.0, 1e-9);
  ok(v[0] == u[0] && v[1] == u[1] && v[2] == u[2] && g == g0,
     "no field: u and gamma keep their bits");
  is_close(x[0], 1.0 + u[0] / g * 1e-9, 1e-15, "no field: straight line");
  double at[3] = {x[0], x[1], x[2]}, a[3] = {0.0, 0.0, 1e15};
  wn_flight_e(x, v, &g, a, 1e-30, 0.0);
  ok(x[0] == at[0] && x[1] == at[1] && x[2] == at[2] && v[2] == u[2],
     "no time: nothing moves");
  double rest[3] = {0.0}, y[3] = {0.0};
  g = 1.0;
  wn_flight_e(y, rest, &g, a, 1e-30, 1e-12);
  is_close(y[2], 0.5 * 1e15 * 1e-24 * (1.0 - 0.25 * 1e6 / (WN_C * WN_C)), 1e-11,
           "from rest: a t^2/2 (1 - (a t/2c)^2)");
  /* X -> 1: against the field with 1e5 times the momentum; finite, and the path stays
   * below c dt */
  double w[3] = {0.1 * WN_C, 0.0, 0.0}, z[3] = {0.0};
  g = wn_gamma(w);
  wn_flight_e(z, w, &g, a, 1e-30, 1e5 * WN_C / 1e15);
  ok(isfinite(z[0]) && isfinite(z[2]) && z[2] < 1e5 * WN_C * WN_C / 1e15 &&
         z[2] > 0.9999 * 1e5 * WN_C * WN_C / 1e15,
     "1e5 mc gained in one flight: %.6g m, below c dt", z[2]);
  long double want[3];
  double u0[3] = {0.1 * WN_C, 0.0, 0.0};
  hyperbola(u0, a, 1e5 * WN_C / 1e15, want);
  is_close(z[0], (double)want[0], 1e-10,
           "and across by the logarithm of it (conditioning 1/(1 - X) = 1e5)");
}

static void test_eb(void)
{
  struct worst w = {0}, slow = {0}, back = {0}, same = {0};
  for (int i = 0; i < 400; i++) {
    double u[3], v[3], a[3], b[3], x[3] = {0.0},
                                   t0 = i & 1 ? between(0.01, 100.0) : between(1e2, 1e7);
    any_direction(u, wn_u_from_ev(t0));
    /* any ratio E/cB; in the second half of the cases a particle that drifts rather than
     * accelerates */
    double bs = between(1e-3, 10.0) * WN_QM,
           es = between(1e-3, i & 2 ? 10.0 : 0.3) * bs * wn_speed_from_ev(t0);
    any_direction(a, es);
    any_direction(b, bs);
    double g = wn_gamma(u), g0 = g, dt = between(1e-6, 30.0) * g / (bs + es / WN_C), path,
           size;
    for (int j = 0; j < 3; j++)
      v[j] = u[j];
    wn_flight_eb(x, v, &g, a, b, dt);
    long double y[6] = {0.0L, 0.0L, 0.0L, u[0], u[1], u[2]};
    path = integrate(y, a, b, dt);
    size = fmax(length(u), length(v));
    compare(i & 1 ? &slow : &w, x, v, g, y, path, size);
    /* reversed: -u and -B */
    for (int j = 0; j < 3; j++) {
      v[j] = -v[j];
      b[j] = -b[j];
      y[j] = 0.0L;
      y[3 + j] = -(long double)u[j];
    }
    wn_flight_eb(x, v, &g, a, b, dt);
    compare(&back, x, v, g, y, path, size);
    /* no B: the other function */
    double none[3] = {0.0}, xe[3] = {0.0}, ve[3] = {u[0], u[1], u[2]}, ge = g0;
    double xb[3] = {0.0}, vb[3] = {u[0], u[1], u[2]}, gb = g0;
    wn_flight_e(xe, ve, &ge, a, 1.0 / (length(a) * length(a)), dt);
    wn_flight_eb(xb, vb, &gb, a, none, dt);
    for (int j = 0; j < 3; j++) {
      y[j] = xe[j];
      y[3 + j] = ve[j];
    }
    compare(&same, xb, vb, gb, y, dt * fmax(length(u) / g0, length(ve) / ge),
            fmax(length(u), length(ve)));
  }
  ok(slow.x < 3e-14 && slow.u < 3e-14 && slow.g < 1e-14,
     "E and B, %d flights of 0.01-100 eV: position %.2g of the path, u %.2g (allowed "
     "3e-14), gamma %.2g (1e-14)",
     slow.n, slow.x, slow.u, slow.g);
  ok(w.x < 3e-14 && w.u < 3e-14 && w.g < 3e-14,
     "E and B, %d flights of 100 eV-10 MeV: position %.2g of the path, u %.2g, gamma "
     "%.2g (allowed 3e-14)",
     w.n, w.x, w.u, w.g);
  ok(back.x < 1e-13 && back.u < 1e-13,
     "E and B: reversed flights come back, position %.2g, u %.2g, allowed 1e-13", back.x,
     back.u);
  ok(same.x < 3e-14 && same.u < 3e-14,
     "B = 0 agrees with the flight in E: position %.2g of the path, u %.2g, allowed "
     "3e-14",
     same.x, same.u);
}

static void test_eb_known(void)
{
  static const double energies[] = {0.01, 10.0, 1e4, 1e6, 1e7};
  const double none[3] = {0.0, 0.0, 0.0};
  for (int i = 0; i < 5; i++) {
    double s = wn_u_from_ev(energies[i]), u[3] = {0.6 * s, 0.0, 0.8 * s}, x[3] = {0.0},
           b[3] = {0.0, 0.0, 0.5 * WN_QM};
    double g = wn_gamma(u), period = 2.0 * WN_PI * g / b[2], radius = 0.6 * s / b[2];
    double v[3] = {u[0], u[1], u[2]}, g0 = g;
    wn_flight_eb(x, v, &g, none, b, 0.25 * period);
    /* du/dt = -u x b / gamma: an electron turns right-handed about B, from +x to +y */
    is_near(v[1], u[0], 3e-15 * s, "%g eV, a quarter of a gyration: x has become y",
            energies[i]);
    is_near(x[0], radius, 1e-14 * radius, "%g eV: Larmor radius", energies[i]);
    wn_flight_eb(x, v, &g, none, b, 0.75 * period + 9.0 * period);
    is_near(hypot(x[0], x[1]), 0.0, 1e-12 * radius, "%g eV: back after ten gyrations",
            energies[i]);
    is_close(x[2], 0.8 * s / g0 * 10.0 * period, 1e-13, "%g eV: pitch of the helix",
             energies[i]);
    is_close(wn_kinetic_ev(v, g), wn_kinetic_ev(u, g0), 1e-13, "%g eV: B does no work",
             energies[i]);
  }
  /* E x B: from rest a cycloid with mean velocity E x B/B^2, and E x B/B^2 itself moves
   * straight */
  double b[3] = {0.0, 0.0, 1.0 * WN_QM},
         a[3] = {-1e4 * WN_QM, 0.0, 0.0}; /* E = 1e4 V/m along x, B = 1 T along z */
  double drift = 1e4,
         gd = 1.0 / sqrt(1.0 - drift * drift /
                                   (WN_C * WN_C)); /* E x B/B^2 = -1e4 m/s along y */
  double u[3] = {0.0, -gd * drift, 0.0}, x[3] = {0.0}, g = wn_gamma(u);
  wn_flight_eb(x, u, &g, a, b, 1e-10);
  is_close(x[1], -drift * 1e-10, 1e-13, "E x B: the drift itself is a straight line");
  is_near(x[0], 0.0, 1e-13 * drift * 1e-10, "E x B: without motion along E");
  double rest[3] = {0.0}, y[3] = {0.0};
  g = 1.0;
  /* in the frame of the drift B is b/gd and gamma gd: a turn takes 2 pi gd^2/b there, 2
   * pi gd^3/b here */
  wn_flight_eb(y, rest, &g, a, b, 5.0 * 2.0 * WN_PI * gd * gd * gd / b[2]);
  is_close(y[1], -drift * 5.0 * 2.0 * WN_PI * gd * gd * gd / b[2], 1e-10,
           "E x B: five arches of the cycloid drift by E/B");
  is_near(length(rest), 0.0, 1e-9 * drift, "E x B: and end at rest");
  /* E along B: what is along it as without B, across a rotation */
  double p[3] = {wn_u_from_ev(100.0), 0.0, wn_u_from_ev(50.0)}, q[3] = {p[0], p[1], p[2]},
         xp[3] = {0.0}, xq[3] = {0.0};
  double ez[3] = {0.0, 0.0, 1e6 * WN_QM}, gp = wn_gamma(p), gq = gp;
  wn_flight_eb(xp, p, &gp, ez, b, 1e-9);
  wn_flight_e(xq, q, &gq, ez, 1.0 / (ez[2] * ez[2]), 1e-9);
  is_close(xp[2], xq[2], 1e-13, "E along B: the way along the field is that without B");
  is_close(p[2], q[2], 1e-13, "E along B: so is the momentum");
  is_close(hypot(p[0], p[1]), q[0], 1e-13,
           "E along B: the momentum across keeps its size");
  is_close(gp, gq, 1e-13, "E along B: the same energy");
}

int main(void)
{
  plan(0);
  draw_state = 11;
  test_units();
  test_e();
  test_e_corners();
  test_eb();
  test_eb_known();
  return done();
}
