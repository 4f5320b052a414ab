/* t0761-diode.c - defends: sources with their space charge, against exact solutions of the
 * steady planar diode.
 *
 * Thermal cathode.  A cathode emits J0 at the temperature T (in V), more than space charge
 * lets pass: the potential has a minimum -Vm at xm, and those of the Maxwellian that pass
 * it are J = J0 exp(-Vm/T).  There they have the density N = J/e sqrt(pi/2)/sigma.  With h =
 * (phi + Vm)/T, electrons go one way behind the minimum, and both ways before it but for
 * those that passed:
 *
 *   n = N exp(h) erfc(sqrt h)  behind,   n = N exp(h) (1 + erf(sqrt h))  before.
 *
 * Poisson's equation once integrated is (dh/dx)^2 = k^2 F(h), k^2 = 2 e N/(eps0 T),
 *
 *   F = exp(h) erfc(sqrt h) - 1 + 2 sqrt(h/pi)  behind,
 *   F = exp(h) (1 + erf(sqrt h)) - 1 - 2 sqrt(h/pi)  before,
 *
 * and Vm is that for which both parts together are as long as the gap (derived here; the
 * theory is Langmuir's of 1923).  For T -> 0 it becomes Child's law, J = 4/9 eps0 sqrt(2
 * e/m) V^(3/2)/d^2, phi = V (x/d)^(4/3), n = J/(e v); the excess at V/T = 1000 is 8 %,
 * which the test prints.
 *
 * Cold beam of energy W0 (in V) between walls of the same potential: with W = W0 + phi,
 * W'' = C/sqrt(W), C = J/eps0 sqrt(m/(2 e)).  Integrated twice from the minimum Wm in the
 * middle, y = sqrt(W):
 *
 *   |x - d/2| sqrt(C) = 2/3 (y - ym)^(3/2) + 2 ym (y - ym)^(1/2).
 *
 * With q = ym/sqrt(W0) the right side is W0^(3/4) 2/3 sqrt(1 - q) (1 + 2 q), greatest at q =
 * 1/2: the limit of the current is at C (d/2)^2 = 8/9 W0^(3/2), and q above 1/2 is what
 * becomes of a current that begins at 0.
 *
 * Errors: of the current 4.5 standard errors from 20 blocks and 2e-3 for grid and step,
 * of which the first is the larger; of potentials as stated. */
#include <math.h>
#include <stdlib.h>
#include "base/error.h"
#include "physics/constants.h"
#include "src/sim/plasma.h"
#include "t/tap/mean.h"
#include "t/tap/scene.h"
#include "t/tap/tap.h"

#define FILE_NAME "t0761.cfg"
#define GAP       0.01 /* m */
#define CELLS     200

static const char *const nothing[] = {NULL};

/* ---- the thermal diode */

/* exp(h) erfc(sqrt h) */
static double behind(double h)
{
  const double z = sqrt(h), q = 1.0 / (2.0 * h);
  return h < 100.0 ? exp(h) * erfc(z)
                   : (1.0 - q * (1.0 - 3.0 * q * (1.0 - 5.0 * q * (1.0 - 7.0 * q)))) /
                         (z * sqrt(WN_PI));
}

static double slope2(double h, int is_before)
{
  const double root = 2.0 * sqrt(h / WN_PI);
  if (h < 1e-3) /* exp(h) (1 -+ erf) in powers of h: h -+ 4/3 h^(3/2)/sqrt(pi) + h^2/2 */
    return h + (is_before ? 1.0 : -1.0) * 4.0 / 3.0 * h * sqrt(h / WN_PI) + 0.5 * h * h +
           (is_before ? 1.0 : -1.0) * 8.0 / 15.0 * h * h * sqrt(h / WN_PI);
  return is_before ? exp(h) * (1.0 + erf(sqrt(h))) - 1.0 - root : behind(h) - 1.0 + root;
}

/* k times the length from the minimum to h: with h = s^2, the integral of 2 s/sqrt(F). */
static double length_to(double h, int is_before)
{
  enum { N = 4000 };
  double sum = 0.0;
  for (int i = 0; i < N; i++) { /* the midpoint rule: smooth from s = 0 on */
    const double s = sqrt(h) * (i + 0.5) / N;
    sum += 2.0 * s / sqrt(slope2(s * s, is_before));
  }
  return sum * sqrt(h) / N;
}

struct diode {
  double j0, t, v; /* A/m2, V, V */
  double vm, j, k, xm;
};

static double too_long(struct diode *d, double vm)
{
  const double sigma = sqrt(d->t * WN_E / WN_ME);
  d->vm = vm;
  d->j = d->j0 * exp(-vm / d->t);
  d->k = sqrt(2.0 * d->j * sqrt(0.5 * WN_PI) / sigma / (WN_EPS0 * d->t));
  d->xm = length_to(vm / d->t, 1) / d->k;
  return d->xm + length_to((d->v + vm) / d->t, 0) / d->k - GAP;
}

/* The longer the gap, the deeper the minimum. */
static void solve(struct diode *d)
{
  double low = 1e-9 * d->t, high = 30.0 * d->t;
  for (int i = 0; i < 100; i++) {
    const double middle = 0.5 * (low + high);
    if (too_long(d, middle) > 0.0)
      high = middle;
    else
      low = middle;
  }
}

/* phi at x: by bisection of the length. */
static double potential(const struct diode *d, double x)
{
  const int is_before = x < d->xm;
  double low = 0.0, high = (is_before ? d->vm : d->v + d->vm) / d->t;
  for (int i = 0; i < 60; i++) {
    const double middle = 0.5 * (low + high);
    if (length_to(middle, is_before) / d->k < fabs(x - d->xm))
      low = middle;
    else
      high = middle;
  }
  return d->t * low - d->vm;
}

#define DIODE                                                                            \
  "model = \"plasma\"; duration = \"40 ns\"; threads = 1; seed = 8;\n"                   \
  "grid = { cells = [200]; length = [\"1 cm\"]; };\n"                                    \
  "walls = { x_low = { field = \"dirichlet\"; }; x_high = { field = \"dirichlet\"; "     \
  "voltage = \"100 V\"; }; };\n"                                                         \
  "species = { e = { density = \"0 m-3\"; }; };\n"                                       \
  "plasma = { time_step = \"5 ps\"; sources = { s = {\n"                                 \
  "  wall = \"x_low\"; current = \"60 A/m2\"; temperature = \"0.5 eV\"; per_step = "     \
  "8.0; }; }; };\n"

/* C/m2 of electrons that a side has taken. */
static double taken(const struct scene *scene, int side)
{
  return WN_E * wn_plasma_taken(scene->sim, 0, side);
}

static void add_potential(const struct scene *scene, double *mean)
{
  const double *phi;
  WN_ASSERT(wn_field_potential(scene->sim->field, &phi) == WN_OK);
  for (int i = 0; i <= CELLS; i++)
    mean[i] += phi[i];
}

static void thermal(void)
{
  enum { BEFORE = 2000, BLOCKS = 20, STEPS = 250 };
  struct diode d = {.j0 = 60.0, .t = 0.5, .v = 100.0};
  struct scene scene;
  struct mean j = {0};
  double phi[CELLS + 1] = {0.0}, off = 0.0, child_off = 0.0;
  solve(&d);
  const double child =
      4.0 / 9.0 * WN_EPS0 * sqrt(2.0 * WN_E / WN_ME) * 1000.0 / GAP / GAP;
  scene_open(&scene, FILE_NAME, DIODE, nothing);
  scene_start(&scene, 5e-12);
  for (int i = 0; i < BEFORE; i++)
    WN_ASSERT(scene_phase(&scene) == WN_OK);
  for (int b = 0; b < BLOCKS; b++) {
    const double before = taken(&scene, 1);
    for (int i = 0; i < STEPS; i++) {
      WN_ASSERT(scene_phase(&scene) == WN_OK);
      add_potential(&scene, phi);
    }
    count(&j, (taken(&scene, 1) - before) / (STEPS * 5e-12));
  }
  is_near(mean_of(&j), d.j, 4.5 * error_of(&j) + 0.002 * d.j,
          "a thermal cathode: %.4g +- %.2g A/m2, %.4g by theory, %.4g by Child's law",
          mean_of(&j), error_of(&j), d.j, child);
  ok(error_of(&j) < 0.01 * d.j, "and the error is small");
  for (int i = 0; i <= CELLS; i++) {
    const double is = phi[i] / (BLOCKS * STEPS), want = potential(&d, i * GAP / CELLS);
    off = fmax(off, fabs(is - want));
    child_off = fmax(child_off, fabs(want - 100.0 * pow((double)i / CELLS, 4.0 / 3.0)));
  }
  ok(off < 0.15, "its potential is that of theory, within %.2g V (Child: %.2g V)", off,
     child_off);
  scene_close(&scene);
}

/* ---- the beam */

#define BEAM                                                                             \
  "model = \"plasma\"; duration = \"40 ns\"; threads = 1; seed = 8;\n"                   \
  "grid = { cells = [200]; length = [\"1 cm\"]; };\n"                                    \
  "walls = { x_low = { field = \"dirichlet\"; }; x_high = { field = \"dirichlet\"; }; "  \
  "};\n"                                                                                 \
  "species = { e = { density = \"0 m-3\"; }; };\n"                                       \
  "plasma = { time_step = \"4 ps\"; sources = { s = {\n"                                 \
  "  wall = \"x_high\"; current = \"1 A/m2\"; energy = \"100 eV\"; per_step = 10.0; "    \
  "}; }; };\n"

/* phi at the distance x from a wall, for half the limit of the current: W = W0 q^2 in the
 * middle. */
static double of_beam(double x, double w0)
{
  const double half = 0.5 * GAP, part = fabs(x - half) / half;
  double q[2] = {0.5, 1.0}, y[2];
  for (int i = 0; i < 60; i++) { /* 4/9 (1 - q) (1 + 2 q)^2 = 8/9/2 */
    const double m = 0.5 * (q[0] + q[1]);
    q[(1.0 - m) * (1.0 + 2.0 * m) * (1.0 + 2.0 * m) < 1.0] = m;
  }
  y[0] = q[0];
  y[1] = 1.0;
  for (int i = 0; i < 60; i++) { /* in units of sqrt(W0) */
    const double m = 0.5 * (y[0] + y[1]), root = sqrt(m - q[0]);
    y[root * (2.0 / 3.0 * (m - q[0]) + 2.0 * q[0]) > part * 2.0 / 3.0] = m;
  }
  return w0 * (y[0] * y[0] - 1.0);
}

static void beam(void)
{
  enum { BEFORE = 3000, STEPS = 2000 };
  const double w0 = 100.0, c = 0.5 * 8.0 / 9.0 * pow(w0, 1.5) / (0.25 * GAP * GAP),
               current = c * WN_EPS0 * sqrt(2.0 * WN_E / WN_ME);
  char set[64];
  const char *const sets[] = {set, NULL};
  struct scene scene;
  double phi[CELLS + 1] = {0.0}, off = 0.0, energy = 0.0;
  snprintf(set, sizeof set, "plasma.sources.s.current=\"%.9g A/m2\"", current);
  scene_open(&scene, FILE_NAME, BEAM, sets);
  scene_start(&scene, 4e-12);
  for (int i = 0; i < BEFORE + STEPS; i++) {
    WN_ASSERT(scene_phase(&scene) == WN_OK);
    if (i >= BEFORE)
      add_potential(&scene, phi);
  }
  for (int i = 0; i <= CELLS; i++)
    off = fmax(off, fabs(phi[i] / STEPS - of_beam(i * GAP / CELLS, w0)));
  ok(off < 1e-3,
     "a beam at half the limit, %.4g A/m2: potential %.4g V in the middle, "
     "%.4g by theory, off by %.2g V at most",
     current, phi[CELLS / 2] / STEPS, of_beam(0.5 * GAP, w0), off);
  const struct wn_species *s = scene.sim->species[0];
  const double per_m = CELLS / (double)wn_plasma_points(s)->end[0];
  for (size_t i = 0; i < s->p.n; i++) { /* the energy of each is that of its place */
    const union wn_word *r = wn_particles_at(&s->p, i);
    const double at = r[0].i * per_m;
    const int cell = (int)at < CELLS ? (int)at : CELLS - 1;
    const double v = (double)r[1].f,
                 here = (phi[cell] + (at - cell) * (phi[cell + 1] - phi[cell])) / STEPS;
    energy = fmax(energy, fabs(0.5 * WN_ME / WN_E * v * v - here - w0));
  }
  ok(s->p.n > 4000 && energy < 0.02,
     "the energies of %zu electrons are those of their places, within %.2g eV", s->p.n,
     energy);
  is_int(s->tally.surface[0].number > 0 &&
             s->tally.surface[0].number + s->tally.surface[1].number + (wn_i128)s->p.n ==
                 0,
         1, "all that arrive do at the other wall");
  scene_close(&scene);
}

int main(void)
{
  plan(0);
  thermal();
  beam();
  return done();
}
