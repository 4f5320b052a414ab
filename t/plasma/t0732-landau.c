/* t0732-landau.c - defends: Landau damping of data/scenarios/landau-1d.cfg at k lambda_D =
 * 0.3 and 0.5, with WN_LONG=2 from 0.3 to 0.6, by a plain fit: frequency and damping rate within 1 %, from the
 * maxima of the wave's amplitude and a straight line through their logarithms.  Reference: the root of
 * the dispersion relation of a Maxwellian (t/tap/landau.h).  No random numbers: no chance
 * of a false alarm. */
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "physics/constants.h"
#include "t/tap/command.h"
#include "t/tap/landau.h"
#include "t/tap/tap.h"

#define OUT "t0732.nc"

/* Straight line through the logarithms of the maxima of |y| from `from` to `to`, each the largest within
 * `quarter` steps; their times by a parabola through three points.  rad and e-folds a step. */
static int fit(const double *y, size_t from, size_t to, size_t quarter, double *omega,
               double *gamma)
{
  double n = 0.0, t = 0.0, tt = 0.0, l = 0.0, tl = 0.0, first = 0.0, last = 0.0;
  for (size_t i = from; i + 1 < to; i++) {
    const double a = log(fabs(y[2 * i - 2])), b = log(fabs(y[2 * i])),
                 c = log(fabs(y[2 * i + 2]));
    int is_most = 1;
    for (size_t j = i > quarter ? i - quarter : 0; j <= i + quarter && j < to; j++)
      is_most = is_most && fabs(y[2 * j]) <= fabs(y[2 * i]);
    if (!is_most || i + quarter >= to)
      continue;
    const double off = 0.5 * (a - c) / (a - 2.0 * b + c), at = (double)i + off,
                 most = b - 0.25 * (a - c) * off;
    first = n == 0.0 ? at : first;
    last = at;
    n++, t += at, tt += at * at, l += most, tl += at * most;
  }
  *gamma = (n * tl - t * l) / (n * tt - t * t);
  *omega = WN_PI * (n - 1.0) / (last - first);
  return (int)n;
}

static void landau(double k, double to, const char *options)
{
  const double omega_p = sqrt(1e15 * WN_E * WN_E / (WN_EPS0 * WN_ME)),
               debye = sqrt(WN_E / WN_ME) / omega_p; /* 1 eV */
  const double complex root = landau_root(k, 1.0);
  const char *source = getenv("WN_SRCDIR");
  size_t n = 0, n_time = 0;
  const int status =
      command("%s run %s/data/scenarios/landau-1d.cfg --quiet --output " OUT
              " --set 'grid.length=[\"%.9g m\"]' --set 'duration=\"%.9g s\"' %s",
              command_wilson(), source != NULL && *source ? source : ".",
              2.0 * WN_PI * debye / k, to / omega_p, options);
  if (!is_int(status, 0, "k = %.2f runs %s", k, options))
    diag("%.800s", command_err);
  double *time = command_nc_read(OUT, "time", &n_time),
         *mode = command_nc_read(OUT, "potential_mode", &n);
  if (ok(n_time > 100 && n == 2 * n_time, "the mode is written in each step")) {
    double omega, gamma;
    const double dt = (time[1] - time[0]) * omega_p;
    const int maxima =
        fit(mode, (size_t)(5.0 / dt), n_time, (size_t)(1.0 / dt), &omega, &gamma);
    diag("k %.2f: omega %+.3f %%, gamma %+.3f %%, %d maxima", k,
         100.0 * (omega / dt / creal(root) - 1.0),
         100.0 * (gamma / dt / cimag(root) - 1.0), maxima);
    is_close(omega / dt, creal(root), 0.01, "k = %.2f: omega %s", k, options);
    is_close(gamma / dt, cimag(root), 0.01, "k = %.2f: gamma %s", k, options);
  }
  free(time);
  free(mode);
}

int main(void)
{
  static const struct {
    double k, to; /* to: 1/omega_p */
    int is_long;
    const char *options;
  } of[] = {{0.3, 30.0, 0, ""},  {0.35, 30.0, 1, ""},
            {0.4, 25.0, 1, ""},  {0.45, 20.0, 1, ""},
            {0.5, 16.0, 0, ""},  {0.5, 16.0, 1, "--set plasma.solver=spectral"},
            {0.55, 13.0, 1, ""}, {0.6, 12.0, 1, ""}};
  command_skip_if_fast();
  plan(0);
  const double complex half = landau_root(0.5, 1.0);
  is_near(creal(half), 1.415662, 1e-6, "the root at k = 0.5: its real part");
  is_near(cimag(half), -0.153359, 1e-6, "its imaginary part");
  for (size_t i = 0; i < sizeof of / sizeof *of; i++)
    if (!of[i].is_long || command_long() > 1)
      landau(of[i].k, of[i].to, of[i].options);
  remove(OUT);
  return done();
}
