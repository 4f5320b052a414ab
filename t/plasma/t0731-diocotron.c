/* t0731-diocotron.c - defends: the diocotron instability of a hollow beam in free space, as
 * data/scenarios/diocotron.cfg has it: l = 4 grows by 0.2990 omega_D and turns by 0.720
 * omega_D, within 3 % and 1 %, omega_D = n e/(2 eps0 B).  Reference: the dispersion relation
 * of a cold annulus whose radii are as 0.4 to 0.5, far from walls (doc/plasma.md).
 *
 * The square grid pushes l = 4 too.  Two runs with opposite perturbations have that in
 * common, so that half of their difference is what grew from the perturbation.  Long: with
 * WN_LONG=2; a short run of the scenario is part of t0910. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "physics/constants.h"
#include "t/tap/command.h"
#include "t/tap/tap.h"
#include "t/tap/waves.h"

#define OUT   "t0731.nc"
#define WAVES 4

/* Charge times exp(-4 i angle), over the charge; [2 n], NULL when the run failed. */
static double *wave_of(const char *phase, size_t *n, double *dt)
{
  const char *source = getenv("WN_SRCDIR");
  size_t n_q, n_x, n_y;
  int status =
      command("%s run %s/data/scenarios/diocotron.cfg --quiet --output " OUT
              " --set 'duration=\"0.4 us\"' --set 'species.electrons.phase=\"%s\"'",
              command_wilson(), source != NULL && *source ? source : ".", phase);
  if (!is_int(status, 0, "the scenario runs with a perturbation of %s", phase)) {
    diag("%.800s", command_err);
    return NULL;
  }
  double *q = command_nc_read(OUT, "charge_density", &n_q),
         *x = command_nc_read(OUT, "x", &n_x), *y = command_nc_read(OUT, "y", &n_y),
         *t = command_nc_read(OUT, "map_time", n);
  double *wave = calloc(2 * *n + 1, sizeof *wave);
  if (!ok(q != NULL && x != NULL && y != NULL && t != NULL && wave != NULL && *n > 20 &&
              n_q == *n * n_x * n_y,
          "and writes its maps")) {
    free(q);
    free(x);
    free(y);
    free(t);
    free(wave);
    return NULL;
  }
  *dt = t[1] - t[0];
  for (size_t m = 0; m < *n; m++) {
    double re = 0.0, im = 0.0, all = 0.0;
    for (size_t j = 0; j < n_y; j++)
      for (size_t i = 0; i < n_x; i++) {
        const double of = q[(m * n_y + j) * n_x + i];
        const double angle = atan2(y[j] - 0.5 * y[n_y - 1], x[i] - 0.5 * x[n_x - 1]);
        re += of * cos(WAVES * angle), im -= of * sin(WAVES * angle), all += of;
      }
    wave[2 * m] = re / all, wave[2 * m + 1] = im / all;
  }
  free(q);
  free(x);
  free(y);
  free(t);
  return wave;
}

/* Mean turn between two maps [rad]. */
static double turn(const double *w, size_t n)
{
  double sum = 0.0;
  for (size_t i = 0; i + 1 < n; i++)
    sum += atan2(w[2 * i] * w[2 * i + 3] - w[2 * i + 1] * w[2 * i + 2],
                 w[2 * i] * w[2 * i + 2] + w[2 * i + 1] * w[2 * i + 3]);
  return sum / (double)(n - 1);
}

int main(void)
{
  plan(0);
  if (command_long() < 2)
    skip_all("WN_LONG=2 runs it, some 20 s of processor time");
  const double omega_d = 2.5e14 * WN_E / (2.0 * WN_EPS0 * 0.1);
  size_t n = 0, n_other = 0;
  double dt = 0.0;
  double *one = wave_of("0", &n, &dt), *other = wave_of("180 deg", &n_other, &dt);
  if (one != NULL && other != NULL && n == n_other) {
    for (size_t i = 0; i < 2 * n; i++)
      one[i] = 0.5 * (one[i] - other[i]);
    /* from where the wave that decays is gone: half of 0.4 us, two e-folds */
    const size_t from = n / 2;
    ok(hypot(one[2 * n - 2], one[2 * n - 1]) < 0.1, "the wave is still small");
    is_close(wave_growth(one + 2 * from, n - from) / dt / omega_d, 0.2990, 0.03,
             "growth of l = 4");
    is_close(-turn(one + 2 * from, n - from) / dt / omega_d, 0.720, 0.01,
             "and its frequency");
  }
  free(one);
  free(other);
  remove(OUT);
  return done();
}
