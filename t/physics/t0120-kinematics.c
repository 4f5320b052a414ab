/* t0120-kinematics.c - defends: a collision of an electron with a heavy target conserves
 * total energy and momentum, to rounding, from 1e-3 eV to 1e7 eV, on targets from 1000
 * electron masses to 130 u, elastic, exciting and superelastic. References: the
 * conservation laws themselves, summed in long double with the recoiling target's exact
 * relativistic energy; invariants of the Lorentz transformation; textbook limits. */
#include "physics/kinematics.h"
#include "t/tap/draw.h"
#include "t/tap/tap.h"

#include <math.h>
#include <stdint.h>

static void any_direction(double v[3], double size)
{
  wn_angle_isotropic(v, uniform(), uniform());
  for (int i = 0; i < 3; i++)
    v[i] *= size;
}

#define AMU_EV (WN_AMU * WN_C * WN_C / WN_E)
static const double masses[] = {1000.0 * WN_MC2_EV, 4.0 * AMU_EV, 28.0 * AMU_EV,
                                130.0 * AMU_EV};

static long double square(const long double v[3])
{
  return v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
}

/* Kinetic energy from momentum and mass, in the same units, without cancellation. */
static long double kinetic(long double p2, long double m)
{
  return p2 / (sqrtl(m * m + p2) + m);
}

static void test_boost(void)
{
  double back = 0.0, invariant = 0.0, exact = 0.0, gamma_worst = 0.0;
  const long double c = WN_C;
  for (int i = 0; i < 20000; i++) {
    double beta[3], u[3], g, size = i & 1 ? between(1e-9, 0.03) : 0.95 * uniform();
    any_direction(beta, size);
    any_direction(u, wn_u_from_ev(between(1e-3, 1e7)));
    g = wn_gamma(u);
    double v[3] = {u[0], u[1], u[2]}, gv = g;
    wn_boost(v, &gv, beta, 1.0);
    /* the transformation by parallel and perpendicular parts */
    long double b[3], x[3], bu = 0.0L, b2 = 0.0L;
    for (int k = 0; k < 3; k++) {
      b[k] = beta[k];
      b2 += b[k] * b[k];
      bu += b[k] * u[k];
    }
    long double gb = 1.0L / sqrtl(1.0L - b2), gu = 0.0L, ul[3] = {u[0], u[1], u[2]},
                s = 0.0L;
    gu = sqrtl(1.0L + square(ul) / (c * c));
    for (int k = 0; k < 3; k++) {
      x[k] = ul[k] - bu * b[k] / b2 + gb * (bu / b2 - gu * c) * b[k];
      s += (x[k] - v[k]) * (x[k] - v[k]);
    }
    long double scale = sqrtl(square(ul)) + gb * gu * c * sqrtl(b2);
    exact = fmax(exact, (double)(sqrtl(s) / (gb * scale)));
    gamma_worst =
        fmax(gamma_worst,
             (double)fabsl(wn_boost_gamma((double)b2) / gb - 1.0L) * (1.0 - (double)b2));
    invariant = fmax(
        invariant,
        fabs(gv * gv - (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) / (WN_C * WN_C) - 1.0) /
            (gv * gv * (double)(gb * gb)));
    wn_boost(v, &gv, beta, -1.0);
    double d = 0.0;
    for (int k = 0; k < 3; k++)
      d += (v[k] - u[k]) * (v[k] - u[k]);
    back = fmax(back, sqrt(d) / (double)(gb * gb * scale));
  }
  ok(gamma_worst < 1e-15,
     "gamma of a boost, series and square root: %.2g, allowed 1e-15 (1 - beta^2)^-1",
     gamma_worst);
  ok(exact < 1e-15, "boost against its definition in long double: %.2g, allowed 1e-15",
     exact);
  ok(invariant < 2e-15, "boost keeps gamma^2 - u^2/c^2 = 1: %.2g, allowed 2e-15",
     invariant);
  ok(back < 2e-15, "boosts of both signs are inverse: %.2g, allowed 2e-15", back);
  double u[3] = {0.0, 0.0, 0.0}, g = 1.0, beta[3] = {0.0, 0.6, 0.0};
  wn_boost(u, &g, beta, 1.0);
  ok(fabs(g - 1.25) < 1e-15 && fabs(u[1] + 0.75 * WN_C) < 1e-6,
     "what rests moves backwards in a moving frame: %g, %g c", g, u[1] / WN_C);
}

static void test_cm(void)
{
  double worst = 0.0;
  for (int i = 0; i < 20000; i++) {
    double t = between(1e-4, 1e8), mt = masses[i % 4];
    long double sum = (long double)WN_MC2_EV + mt, x = 2.0L * t * mt;
    long double want = x / (sqrtl(sum * sum + x) + sum);
    worst = fmax(worst, (double)fabsl(wn_cm_kinetic_ev(t, mt) / want - 1.0L));
  }
  ok(worst < 1e-15, "energy in the centre of mass: relative %.2g, allowed 1e-15", worst);
  is_close(wn_cm_kinetic_ev(10.0, 28.0 * AMU_EV),
           10.0 * 28.0 * AMU_EV / (28.0 * AMU_EV + WN_MC2_EV), 1e-9, "slow: T M/(m + M)");
  is_close(wn_cm_kinetic_ev(1e7, masses[0]),
           sqrt(pow(WN_MC2_EV + masses[0], 2) + 2e7 * masses[0]) - WN_MC2_EV - masses[0],
           1e-9, "fast: from the invariant mass");
}

/* As wn_mcc_collide does: the energy left in the centre of mass decides whether the loss
 * can be paid; -1 when not. */
static double two_body(double u[3], double *g, double t, double mt, double loss,
                       const double dir[3])
{
  double k = wn_cm_kinetic_ev(t, mt) - loss;
  return k < 0.0 ? -1.0 : wn_collide_two_body(u, g, k, mt, loss, dir);
}

/* One collision; returns the sum of energies after minus before, over the larger of both
 * kinetic energies.  The target takes the momentum that is missing, so this closes energy
 * and momentum together.  *turned: how far the direction in the centre of mass is from
 * the wanted one. */
static double collide(double t, double mt, double loss, const double dir[3],
                      double *t_after, double *turned)
{
  double u[3], g;
  any_direction(u, wn_u_from_ev(t));
  g = wn_gamma(u);
  double t0 = wn_kinetic_ev(u, g), v[3] = {u[0], u[1], u[2]};
  double us = two_body(v, &g, t0, mt, loss, dir);
  *turned = 0.0;
  *t_after = t0;
  if (us < 0.0)
    return INFINITY;
  const long double m = WN_MC2_EV, c = WN_C;
  long double p0[3], p1[3], q[3], tot[3], pt = 0.0L;
  for (int i = 0; i < 3; i++) { /* momenta in eV/c */
    p0[i] = m * u[i] / c;
    p1[i] = m * v[i] / c;
    q[i] = p0[i] - p1[i];
    tot[i] = p0[i];
  }
  long double before = kinetic(square(p0), m), after = kinetic(square(p1), m);
  long double target = kinetic(square(q), (long double)mt + loss);
  *t_after = (double)after;
  /* into the centre of mass, by the velocity total momentum / total energy */
  long double energy = before + m + mt, b2 = square(tot) / (energy * energy),
              gb = 1.0L / sqrtl(1.0L - b2), s[3];
  for (int i = 0; i < 3; i++)
    pt += tot[i] / energy * p1[i];
  for (int i = 0; i < 3; i++)
    s[i] = p1[i] + tot[i] / energy * (gb * gb / (1.0L + gb) * pt - gb * (after + m));
  long double size = sqrtl(square(s)), off = 0.0L;
  for (int i = 0; i < 3; i++)
    off += (s[i] / size - dir[i]) * (s[i] / size - dir[i]);
  /* rounding of u is relative to the larger of |u*| and the speed of the frame */
  long double blur = 1.0L + sqrtl(square(p1)) / size;
  *turned = (double)(sqrtl(off) / blur) +
            fabs(us / (double)(size * c / m) - 1.0) / (double)blur;
  return (double)(fabsl(after + target + loss - before) / fmaxl(before, after));
}

static void test_conserved(void)
{
  static const char *const name[] = {"elastic", "exciting", "superelastic"};
  for (int kind = 0; kind < 3; kind++) {
    double worst = 0.0, direction = 0.0;
    int n = 0;
    for (int i = 0; i < 20000; i++) {
      double mt = masses[i % 4], t = between(1e-3, 1e7), dir[3], after, turned,
             loss = 0.0;
      any_direction(dir, 1.0);
      if (kind == 1)
        loss = (i & 4 ? 1.0 - between(1e-6, 0.5) : between(1e-4, 0.9)) *
               wn_cm_kinetic_ev(t, mt);
      if (kind == 2)
        loss = -between(1e-4, 20.0);
      if (kind != 0 && fabs(loss) > 1e3)
        loss = kind == 1 ? 400.0 : -20.0;
      double d = collide(t, mt, loss, dir, &after, &turned);
      worst = fmax(worst, d);
      direction = fmax(direction, turned);
      n++;
    }
    ok(worst < 5e-15, "%s, %d collisions: energy closes to %.2g of it, allowed 5e-15",
       name[kind], n, worst);
    ok(direction < 1e-15,
       "%s: speed and direction in the centre of mass are the ones asked for, to %.2g, "
       "allowed 1e-15",
       name[kind], direction);
  }
}

static void test_limits(void)
{
  double exact = 0.0, classical = 0.0;
  for (int i = 0; i < 4000; i++) {
    double mt = masses[i % 4], t = between(1e-3, 1e7), u[3] = {0.0, 0.0, wn_u_from_ev(t)},
           g = wn_gamma(u);
    double chi = i % 3 == 0 ? between(1e-4, 0.1) : i % 3 == 1 ? WN_PI : WN_PI * uniform();
    double dir[3] = {sin(chi), 0.0, cos(chi)}, one_minus = 2.0 * pow(sin(0.5 * chi), 2);
    double t0 = wn_kinetic_ev(u, g), p2 = t0 * (t0 + 2.0 * WN_MC2_EV);
    double m = WN_MC2_EV, s = pow(m + mt, 2) + 2.0 * t0 * mt;
    two_body(u, &g, t0, mt, 0.0, dir);
    double loss = t0 - wn_kinetic_ev(u, g);
    /* the square of the momentum transfer is invariant: 2 M T_target = 2 p*^2 (1 - cos),
     * p*^2 = p^2 M^2/s */
    exact = fmax(exact, fabs(loss - p2 * mt / s * one_minus) / t0);
    if (t0 < 1.0)
      classical =
          fmax(classical, fabs(loss / t0 - 2.0 * m * mt / pow(m + mt, 2) * one_minus));
  }
  ok(exact < 5e-15,
     "elastic loss is p*^2 (1 - cos)/M, small angles to backscatter: off by %.2g T, "
     "allowed 5e-15",
     exact);
  ok(classical < 4e-9,
     "below 1 eV: 2 m M/(m + M)^2 (1 - cos) T, off by %.2g T, allowed 4e-9 (T/mc^2 m/M)",
     classical);
  double u[3] = {0.0, 0.0, wn_u_from_ev(100.0)}, g = wn_gamma(u),
         back[3] = {0.0, 0.0, -1.0};
  two_body(u, &g, 100.0, 4.0 * AMU_EV, 0.0, back);
  is_close(100.0 - wn_kinetic_ev(u, g), 4.0 / (4.0 * AMU_EV / WN_MC2_EV) * 100.0, 1e-3,
           "backscatter off helium: 4 m/M T");
  is_close(g, wn_gamma(u), 1e-15, "gamma comes back with u");
}

static void test_thresholds(void)
{
  double u[3] = {0.0, wn_u_from_ev(10.0), 0.0}, g = wn_gamma(u), dir[3] = {1.0, 0.0, 0.0};
  double t = wn_kinetic_ev(u, g), mt = 28.0 * AMU_EV, k0 = wn_cm_kinetic_ev(t, mt),
         v = u[1];
  ok(k0 < 10.0 && k0 > 9.999,
     "a loss of 10 eV at 10 eV is forbidden, the recoil is missing: %.6f eV there", k0);
  double us = two_body(u, &g, t, mt, k0, dir);
  ok(us == 0.0, "exactly at it: at rest in the centre of mass, %g", us);
  is_close(u[1], v * WN_MC2_EV / (mt + WN_MC2_EV), 1e-4, "and both go on together");
  double w[3] = {0.0, 0.0, 1e-3}, after = 0.0, turned; /* 1 mm/s */
  g = 1.0;
  two_body(w, &g, wn_kinetic_ev(w, g), mt, -1.0, dir);
  is_close(wn_kinetic_ev(w, g), mt / (mt + WN_MC2_EV), 1e-6,
           "superelastic on a resting electron: it gets M/(m + M) of 1 eV");
  double open = collide(1e-3, masses[0], -5.0, dir, &after, &turned);
  ok(open < 5e-15 && after > 4.9, "superelastic at 1e-3 eV: %.4f eV after", after);
}

int main(void)
{
  plan(0);
  draw_state = 12;
  test_boost();
  test_cm();
  test_conserved();
  test_limits();
  test_thresholds();
  return done();
}
