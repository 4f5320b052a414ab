/* t0764-circuit.c - defends: walls in a circuit without charge between them.  A source with a
 * resistor, an inductor and a capacitor in series with the gap, which is a capacitance eps0/L:
 * charge, current, potential and energies agree with the solution of the differential equation,
 * for steps, a sine and its harmonics, damped weakly and strongly, with circuits at both walls, and with a
 * dielectric, and their errors fall by four when the step is halved.  A capacitor alone is exact to
 * rounding.  Gauss's law at the wall gives the charge that the circuit brought.  Free
 * oscillations and decays of any circuit stay bounded for any step, and what is faster than a
 * step is gone after some.
 *
 * The exact solution: with S = 1/C + L_gap/eps0 + ..., L Q'' + R Q' + S Q = V0 + A sin(w t + p) from
 * rest, by its particular solution and the two roots of L s^2 + R s + S.  No random error. */
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "fields/voltage.h"
#include "physics/constants.h"
#include "physics/wall_circuit.h"
#include "t/tap/command.h"
#include "t/tap/tap.h"

#define FILE_NAME "t0764.cfg"
#define OUT       "t0764.nc"
#define GAP       5e-3   /* m */
#define DURATION  120e-9 /* s */
#define LONGEST   0.2e-9 /* s, the longest step */
#define LATER     12e-9  /* s; the current of a step is not known at its beginning */

/* A wall: its source and what is in series. */
struct side {
  double volt, amplitude, frequency, phase; /* V, V, Hz, rad */
  double c, r, l, thickness, permittivity;  /* 0: none */
  double harmonic[WN_HARMONICS], harmonic_phase[WN_HARMONICS];
};

struct scene {
  const char *name;
  struct side side[2];
  int is_exact; /* no derivative: exact to rounding at all times */
};

static const struct scene scenes[] = {
    {"a step, weakly damped",
     {{.volt = 100.0, .c = 2e-9, .r = 2.0, .l = 100e-9}, {.volt = 0.0}},
     0},
    {"a step, strongly damped",
     {{.volt = 100.0, .c = 2e-9, .r = 40.0, .l = 150e-9}, {.volt = 0.0}},
     0},
    {"a step without an inductor", {{.volt = 0.0}, {.volt = -70.0, .r = 12.0}}, 0},
    {"a sine",
     {{.volt = 30.0,
       .amplitude = 50.0,
       .frequency = 20e6,
       .phase = 1.0,
       .r = 5.0,
       .l = 80e-9},
      {.volt = 0.0}},
     0},
    {"both walls, one with a dielectric",
     {{.volt = 60.0, .c = 3e-9, .r = 4.0},
      {.volt = -20.0,
       .amplitude = 25.0,
       .frequency = 15e6,
       .r = 3.0,
       .l = 60e-9,
       .thickness = 1e-3,
       .permittivity = 3.0}},
     0},
    {"a sine with harmonics",
     {{.amplitude = 40.0,
       .frequency = 8e6,
       .phase = 0.5,
       .harmonic = {30.0, -20.0, 10.0},
       .harmonic_phase = {1.0, 2.0, -1.5},
       .c = 3e-9,
       .r = 6.0,
       .l = 60e-9},
      {.volt = 0.0}},
     0},
    {"a capacitor alone",
     {{.amplitude = 80.0, .frequency = 13.56e6, .c = 1.5e-9},
      {.amplitude = 10.0, .frequency = 27e6}},
     1},
    {"dielectrics alone",
     {{.amplitude = 80.0, .frequency = 13.56e6, .thickness = 3e-3, .permittivity = 2.0},
      {.thickness = 1e-3, .permittivity = 5.0}},
     1},
};

static double elastance(const struct side *s)
{
  return (s->c > 0.0 ? 1.0 / s->c : 0.0) +
         (s->thickness > 0.0 ? s->thickness / (WN_EPS0 * s->permittivity) : 0.0);
}

/* Amplitude, angular frequency and phase of sine k of a source, 0: that of its frequency. */
static double sine(const struct side *s, int k, double *w, double *phase)
{
  *w = 2.0 * WN_PI * s->frequency * (k + 1);
  *phase = k == 0 ? s->phase : s->harmonic_phase[k - 1];
  return k == 0 ? s->amplitude : s->harmonic[k - 1];
}

static double source(const struct side *s, double t)
{
  double sum = s->volt, w, phase;
  for (int k = 0; k <= WN_HARMONICS; k++) {
    const double amplitude = sine(s, k, &w, &phase);
    sum += amplitude * sin(w * t + phase);
  }
  return sum;
}

/* ---- the exact solution: Q of the low wall, and its two derivatives */

static void exact(const struct scene *c, double t, double q[3])
{
  const struct side *s = c->side;
  const double l = s[0].l + s[1].l, r = s[0].r + s[1].r,
               k = elastance(&s[0]) + elastance(&s[1]) + GAP / WN_EPS0;
  double complex at0[2] = {0.0, 0.0}; /* the particular solution at 0 */
  for (int d = 0; d < 3; d++)
    q[d] = 0.0;
  for (int i = 0; i < 2; i++) {
    const double sign = i == 0 ? 1.0 : -1.0;
    q[0] += sign * s[i].volt / k;
    at0[0] += sign * s[i].volt / k;
    for (int h = 0; h <= WN_HARMONICS; h++) {
      double w, phase;
      const double amplitude = sine(&s[i], h, &w, &phase);
      const double complex a =
          sign * amplitude * cexp(I * phase) / (k - l * w * w + I * w * r);
      at0[0] += cimag(a);
      at0[1] += cimag(I * w * a);
      q[0] += cimag(a * cexp(I * w * t));
      q[1] += cimag(I * w * a * cexp(I * w * t));
      q[2] -= cimag(w * w * a * cexp(I * w * t));
    }
  }
  if (r == 0.0 && l == 0.0)
    return;
  if (l == 0.0) {
    const double one = -k / r, now = -creal(at0[0]) * exp(one * t);
    q[0] += now;
    q[1] += one * now;
    q[2] += one * one * now;
    return;
  }
  const double complex root = csqrt(r * r - 4.0 * l * k), one = (-r + root) / (2.0 * l),
                       two = (-r - root) / (2.0 * l),
                       b = (-at0[1] + one * at0[0]) / (two - one), a = -at0[0] - b;
  for (int d = 0; d < 3; d++)
    q[d] += creal(a * cpow(one, d) * cexp(one * t) + b * cpow(two, d) * cexp(two * t));
}

/* ---- a run */

static int put_side(char *text, size_t n, const char *name, const struct side *s)
{
  int at = snprintf(text, n, "%s = { field = \"dirichlet\"; voltage = \"%.17g V\"; ",
                    name, s->volt);
  if (s->amplitude != 0.0)
    at += snprintf(text + at, n - (size_t)at,
                   "amplitude = \"%.17g V\"; frequency = \"%.17g Hz\"; phase = \"%.17g "
                   "rad\"; ",
                   s->amplitude, s->frequency, s->phase);
  if (s->harmonic[0] != 0.0)
    at +=
        snprintf(text + at, n - (size_t)at,
                 "harmonics = [\"%.17g V\", \"%.17g V\", \"%.17g V\"]; harmonic_phases = "
                 "[\"%.17g rad\", \"%.17g rad\", \"%.17g rad\"]; ",
                 s->harmonic[0], s->harmonic[1], s->harmonic[2], s->harmonic_phase[0],
                 s->harmonic_phase[1], s->harmonic_phase[2]);
  if (s->c > 0.0)
    at += snprintf(text + at, n - (size_t)at, "capacitance = \"%.17g nF/m2\"; ",
                   s->c * 1e9);
  if (s->r > 0.0)
    at += snprintf(text + at, n - (size_t)at, "resistance = \"%.17g ohm m2\"; ", s->r);
  if (s->l > 0.0)
    at +=
        snprintf(text + at, n - (size_t)at, "inductance = \"%.17g nH m2\"; ", s->l * 1e9);
  if (s->thickness > 0.0)
    at +=
        snprintf(text + at, n - (size_t)at,
                 "dielectric_thickness = \"%.17g mm\"; dielectric_permittivity = %.17g; ",
                 s->thickness * 1e3, s->permittivity);
  return at + snprintf(text + at, n - (size_t)at, "}; ");
}

/* One particle of next to no charge is there, as a plasma has a species. */
static void run(const struct scene *c, double dt)
{
  char text[4096];
  int at = snprintf(text, sizeof text,
                    "model = \"plasma\"; threads = 1; duration = \"%.17g s\"; grid = { "
                    "cells = [10]; length = [\"%.17g m\"]; };\nwalls = { ",
                    DURATION, GAP);
  at += put_side(text + at, sizeof text - (size_t)at, "x_low", &c->side[0]);
  at += put_side(text + at, sizeof text - (size_t)at, "x_high", &c->side[1]);
  snprintf(
      text + at, sizeof text - (size_t)at,
      "};\nplasma = { time_step = \"%.17g s\"; };\nspecies = { e = { density = \"1e-3 "
      "m-3\"; per_cell = 1; charge = 1e-12; mass = \"1 u\"; }; };\noutput = \"" OUT
      "\";\n",
      dt);
  command_write(FILE_NAME, text);
  remove(OUT);
  if (!is_int(command("%s run %s --quiet --device cpu", command_wilson(), FILE_NAME), 0,
              "%s: a run", c->name))
    diag("%s", command_err);
}

/* The largest errors over all rows, divided by the largest values. */
struct errors {
  double charge, current, potential[2], energy;
};

static double *read(const char *name, size_t n)
{
  size_t got = 0;
  double *all = command_nc_read(OUT, name, &got);
  if (all == NULL || got != n) {
    ok(0, "%s: %zu values of %zu", name, got, n);
    exit(done());
  }
  return all;
}

static struct errors compare(const struct scene *c, double dt)
{
  const size_t rows = (size_t)(DURATION / dt + 0.5);
  double *t = read("time", rows), *charge = read("circuit_charge", 2 * rows),
         *current = read("circuit_current", 2 * rows),
         *potential = read("wall_potential", 2 * rows),
         *gauss = read("surface_charge", 2 * rows),
         *convected = read("convected_charge", 2 * rows),
         *given = read("source_energy", 2 * rows),
         *taken = read("resistor_energy", 2 * rows),
         *stored = read("circuit_energy", 2 * rows), *field = read("field_energy", rows),
         *volt = read("source_voltage", 2 * rows);
  struct errors most = {0.0, 0.0, {0.0, 0.0}, 0.0}, size = most;
  double off_gauss = 0.0, off_loop = 0.0, off_source = 0.0;
  for (size_t i = 0; i < rows; i++) {
    double q[3];
    exact(c, t[i], q);
    size.charge = fmax(size.charge, fabs(q[0]));
    most.charge = fmax(most.charge, fabs(charge[2 * i] - q[0]));
    if (t[i] > LATER || c->is_exact) {
      size.current = fmax(size.current, fabs(q[1]));
      most.current = fmax(most.current, t[i] > LATER ? fabs(current[2 * i] - q[1]) : 0.0);
    }
    for (int k = 0; k < 2 && t[i] > LATER; k++) {
      const struct side *s = &c->side[k];
      const double sign = k == 0 ? 1.0 : -1.0,
                   want = source(s, t[i]) -
                          sign * (elastance(s) * q[0] + s->r * q[1] + s->l * q[2]);
      size.potential[k] = fmax(size.potential[k], fabs(want));
      most.potential[k] =
          fmax(most.potential[k], fabs(potential[2 * i + (size_t)k] - want));
    }
    for (size_t k = 0; k < 2; k++) {
      off_gauss = fmax(off_gauss,
                       fabs(gauss[2 * i + k] - charge[2 * i + k] - convected[2 * i + k]));
      off_source = fmax(off_source, fabs(volt[2 * i + k] - source(&c->side[k], t[i])));
    }
    off_loop = fmax(off_loop, fabs(charge[2 * i] + charge[2 * i + 1]));
    size.energy = fmax(size.energy, given[2 * i] + given[2 * i + 1]);
    most.energy = fmax(most.energy, fabs(given[2 * i] + given[2 * i + 1] - taken[2 * i] -
                                         taken[2 * i + 1] - stored[2 * i] -
                                         stored[2 * i + 1] - field[i]));
  }
  is_near(off_gauss / size.charge, 0.0, 1e-13, "%s: Gauss's law at the walls", c->name);
  is_near(off_loop / size.charge, 0.0, 1e-13, "%s: the charges of the two walls",
          c->name);
  is_near(off_source, 0.0, 1e-11, "%s: the voltages of the sources", c->name);
  free(t), free(charge), free(current), free(potential), free(gauss), free(convected);
  free(given), free(taken), free(stored), free(field), free(volt);
  most.charge /= size.charge;
  most.current /= size.current;
  for (int k = 0; k < 2; k++)
    most.potential[k] /= fmax(size.potential[k], 1.0);
  most.energy /= size.energy;
  diag("%s, dt %.2g s: charge %.3g, current %.3g, potentials %.3g %.3g, energy %.3g",
       c->name, dt, most.charge, most.current, most.potential[0], most.potential[1],
       most.energy);
  return most;
}

static void fourth(double from, double to, const char *name, const char *what)
{
  ok(to > 0.0 && from / to > 3.7 && from / to < 4.4,
     "%s: %s, %.3g of it at half the step", name, what, from / to);
}

static void order(const struct scene *c)
{
  struct errors e[3];
  double dt = LONGEST;
  for (int i = 0; i < 3; i++, dt *= 0.5) {
    run(c, dt);
    e[i] = compare(c, dt);
  }
  if (c->is_exact) {
    is_near(e[0].charge, 0.0, 1e-13, "%s: the charge", c->name);
    is_near(e[0].potential[0], 0.0, 1e-13, "%s: the potential", c->name);
    fourth(e[1].current, e[2].current, c->name, "error of the current");
    fourth(e[1].energy, e[2].energy, c->name, "error of the energy");
    return;
  }
  ok(e[2].charge < 2e-3, "%s: the charge is within %.2g", c->name, e[2].charge);
  fourth(e[1].charge, e[2].charge, c->name, "error of the charge");
  fourth(e[1].current, e[2].current, c->name, "error of the current");
  for (int k = 0; k < 2; k++) {
    if (wn_wall_has_circuit(&(struct wn_wall_circuit){elastance(&c->side[k]),
                                                      c->side[k].r, c->side[k].l, 0}))
      fourth(e[1].potential[k], e[2].potential[k], c->name, "error of a potential");
    else
      is_near(e[2].potential[k], 0.0, 1e-13, "%s: a wall without a circuit", c->name);
  }
  fourth(e[1].energy, e[2].energy, c->name, "error of the energy");
}

/* ---- free motion from a charge, for circuits of all kinds and steps from short to long */

static void free_motion(void)
{
  static const double elastances[] = {0.0, 1e4, 1e9, 1e19},
                      resistances[] = {0.0, 1e-6, 1.0, 1e12},
                      inductances[] = {0.0, 1e-12, 1e-7, 1e6};
  const struct wn_wall_input none = {{0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}};
  double most = 0.0, left = 0.0;
  int bad = 0, n = 0;
  for (int i = 0; i < 4 * 4 * 4 * 9; i++) {
    const double h = 1e-15 * pow(10.0, i % 9);
    struct wn_wall_pair p = {.gap = WN_EPS0 / GAP, .before = h};
    p.circuit[0] = (struct wn_wall_circuit){
        elastances[i / 9 % 4], resistances[i / 36 % 4], inductances[i / 144], 0};
    p.circuit[1].elastance = i % 2 ? 1e8 : 0.0;
    p.wall[0].charge = 1.0;
    p.wall[1].charge = -1.0;
    for (int k = 0; k < 3000; k++) {
      wn_wall_solve(&p, h, &none);
      most = fmax(most, fabs(p.wall[0].charge));
      bad += !isfinite(p.wall[0].charge) || !isfinite(p.wall[0].potential);
    }
    /* a loop that forgets in less than a step: R over its whole elastance, or the time of L */
    const double k = p.circuit[0].elastance + p.circuit[1].elastance + 1.0 / p.gap,
                 r = p.circuit[0].resistance, l = p.circuit[0].inductance;
    if (r / k < 0.1 * h && sqrt(l / k) < 0.1 * h) {
      left = fmax(left, fabs(p.wall[0].charge));
      n++;
    }
  }
  is_int(bad, 0, "free motion: values that are no numbers");
  ok(most < 1.5, "free motion: charges stay below %.3g of the first", most);
  ok(n > 50 && left < 1e-12, "of %d that are faster than a step %.3g is left", n, left);
}

/* Charge in the middle between equal circuits: each wall has one half of its image from the start, so
 * that no current flows.  Equal sources at both walls: none, either. */
static void symmetric(void)
{
  struct wn_wall_pair p = {.gap = WN_EPS0 / GAP};
  const struct wn_wall_input in = {{30.0, 30.0}, {0.0, 0.0}, {1e-7, 1e-7}};
  double most = 0.0, apart = 0.0;
  for (int i = 0; i < 2; i++)
    p.circuit[i] = (struct wn_wall_circuit){1e8, 2.0, 50e-9, 0};
  for (int k = 0; k < 100; k++) {
    wn_wall_solve(&p, k == 0 ? 0.5e-9 : 1e-9, &in);
    most = fmax(most, fabs(p.wall[0].current) + fabs(p.wall[1].current));
    apart = fmax(apart, fabs(p.wall[0].potential - p.wall[1].potential));
  }
  /* 1e-7 C/m2 in 1 ns would be 100 A/m2; its image at a wall raises both potentials by Q/C */
  is_near(most, 0.0, 1e-10, "equal circuits: no current");
  is_near(apart, 0.0, 1e-10, "equal circuits: equal potentials");
  is_close(p.wall[0].potential, 30.0 + 1e-7 * 1e8, 1e-12, "equal circuits: and which");
}

int main(void)
{
  plan(0);
  for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; i++)
    order(&scenes[i]);
  free_motion();
  symmetric();
  remove(FILE_NAME);
  remove(OUT);
  return done();
}
