/* t0787-diocotron-ring.c - defends: the growth of azimuthal waves of a ring of electrons on sparse grids.  A ring
 * lies along no axis, so that the combination of all levels from 1 on has a wrong charge: its waves l = 4 to 7 grow
 * slower than on the full grid, by more than a tenth.  With levels from 3 on (tau_0 = 3, tau_1 = 3, which is what
 * (3, 6) is in three dimensions for a ring along z) the fastest two, l = 5 and 6, grow as on the full grid within
 * 3 %, l = 4 and 7 within 5 %.  Reference: field electrostatic, from the same particles.
 *
 * The square box pushes l = 4.  Two runs with opposite perturbations have that in common, so that half of their
 * difference is what grew from the perturbation.  Growth: the slope of ln |amplitude| from 8 to 20 of 1/omega_p of
 * the mean density.  The start is quiet, without random numbers, so that a run repeats its numbers.  With 120
 * particles to a cell in the place of 50 the ratios of growths change by less than 0.4 %; they are here 0.971,
 * 0.995, 0.998, 1.006 from 3 on and 0.49, 0.76, 0.77, 0.74 from 1 on.
 *
 * Given two files of runs with opposite perturbations, in two or three dimensions, it prints amplitudes and growth;
 * given one, amplitudes: doc/sparse.md. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "physics/constants.h"
#include "t/tap/command.h"
#include "t/tap/tap.h"
#include "t/tap/waves.h"

#define FILE_NAME "t0787.cfg"
#define PERIOD    560.54e-12 /* 1/omega_p of the mean density, s */
enum { FIRST = 4, LAST = 7, WAVES = LAST - FIRST + 1, MOST = 100 };

#define GROUP(l)                                                                         \
  "l" #l " = { profile = \"ring\"; ring = [\"1.29295 mm\", \"0.103436 mm\"]; density = " \
  "\"3.17468e15 m-3\"; temperature = \"1 eV\"; per_cell = 50; amplitude = 0.04; mode = " \
  "[" #l ", 0]; };\n"
static const char text[] =
    "model = \"plasma\"; duration = \"11.2108 ns\"; threads = 1;\n"
    "grid = { cells = [128, 128]; length = [\"5.1718 mm\", \"5.1718 mm\"]; };\n"
    "species = {\n" GROUP(4) GROUP(5) GROUP(6)
        GROUP(7) "};\n"
                 "plasma = { time_step = \"56.054 ps\"; background = true; "
                 "magnetic_field = [\"0\", "
                 "\"0\", \"0.152147 T\"]; allow = [\"cell-crossing\"]; fields_interval = "
                 "\"1.12108 "
                 "ns\"; integrals_interval = \"1.12108 ns\"; };\n";

/* Amplitudes of waves around the axis, of the charge within 0.42 of the box: real and imaginary parts. */
struct azimuth {
  size_t n;          /* maps */
  double time[MOST]; /* 1/omega_p */
  double a[WAVES][2 * MOST];
};

static int read_azimuth(const char *path, struct azimuth *out)
{
  size_t n_q, n_x, n_y;
  double *q = command_nc_read(path, "charge_density", &n_q),
         *x = command_nc_read(path, "x", &n_x), *y = command_nc_read(path, "y", &n_y),
         *t = command_nc_read(path, "map_time", &out->n);
  const int found = q != NULL && x != NULL && y != NULL && t != NULL && out->n > 0 &&
                    out->n <= MOST && n_q % (out->n * n_x * n_y) == 0;
  if (found) {
    const size_t layers = n_q / (out->n * n_x * n_y), used = layers > 1 ? layers - 1 : 1;
    const double length = x[n_x - 1];
    double all = 0.0;
    for (size_t m = 0; m < out->n; m++) {
      out->time[m] = t[m] / PERIOD;
      for (int l = 0; l < WAVES; l++)
        out->a[l][2 * m] = out->a[l][2 * m + 1] = 0.0;
      for (size_t j = 0; j + 1 < n_y; j++)
        for (size_t i = 0; i + 1 < n_x; i++) {
          const double dx = x[i] - 0.5 * length, dy = y[j] - 0.5 * length;
          double sum = 0.0;
          if (hypot(dx, dy) > 0.42 * length)
            continue;
          for (size_t k = 0; k < used; k++)
            sum += q[((m * layers + k) * n_y + j) * n_x + i];
          all += m == 0 ? sum : 0.0;
          for (int l = 0; l < WAVES; l++) {
            const double angle = (FIRST + l) * atan2(dy, dx);
            out->a[l][2 * m] += sum * cos(angle);
            out->a[l][2 * m + 1] -= sum * sin(angle);
          }
        }
    }
    for (int l = 0; l < WAVES; l++)
      for (size_t m = 0; m < 2 * out->n; m++)
        out->a[l][m] /= all;
  }
  free(q);
  free(x);
  free(y);
  free(t);
  return found;
}

/* Half the difference of two, and the growth of each wave [omega_p] from 8 to 20. */
static int grown(struct azimuth *a, const struct azimuth *b, double growth[WAVES])
{
  size_t first = 0, last;
  if (a->n != b->n)
    return 0;
  while (first < a->n && a->time[first] < 7.99)
    first++;
  for (last = first; last < a->n && a->time[last] < 20.01;)
    last++;
  if (last < first + 3)
    return 0;
  for (int l = 0; l < WAVES; l++) {
    for (size_t m = 0; m < 2 * a->n; m++)
      a->a[l][m] = 0.5 * (a->a[l][m] - b->a[l][m]);
    growth[l] = wave_growth(a->a[l] + 2 * first, last - first) /
                (a->time[first + 1] - a->time[first]);
  }
  return 1;
}

static void show(const struct azimuth *a, const double *growth)
{
  for (int l = 0; l < WAVES; l++) {
    printf("l = %d:", FIRST + l);
    for (size_t m = 0; m < a->n; m++)
      printf(" %.4g %.5f", a->time[m], hypot(a->a[l][2 * m], a->a[l][2 * m + 1]));
    if (growth != NULL)
      printf("; growth %.5f omega_p", growth[l]);
    printf("\n");
  }
}

static int show_files(int n, char **path)
{
  static struct azimuth a, b;
  double growth[WAVES];
  if (!read_azimuth(path[0], &a) || (n > 1 && !read_azimuth(path[1], &b)))
    return 1;
  if (n > 1 && !grown(&a, &b, growth))
    return 1;
  show(&a, n > 1 ? growth : NULL);
  return 0;
}

static int pair(const char *name, const char *options, double growth[WAVES])
{
  static struct azimuth of[2];
  int found = 1;
  for (int i = 0; i < 2; i++) {
    char all[512], file[32];
    snprintf(file, sizeof file, "t0787-%d.nc", i);
    size_t at = (size_t)snprintf(all, sizeof all, "--device cpu %s", options);
    for (int l = FIRST; l <= LAST; l++)
      at += (size_t)snprintf(all + at, sizeof all - at,
                             " --set 'species.l%d.phase=\"%d deg\"'", l, 180 * i);
    found &= command_run(FILE_NAME, text, "", file, all) == 0;
    found &= read_azimuth(file, &of[i]);
    remove(file);
  }
  found = found && grown(&of[0], &of[1], growth);
  if (!ok(found, "%s: two runs with opposite perturbations", name))
    return 0;
  diag("%s: growth of l = 4 to 7 %.4f %.4f %.4f %.4f omega_p", name, growth[0], growth[1],
       growth[2], growth[3]);
  return 1;
}

int main(int argc, char **argv)
{
  double full[WAVES], from_3[WAVES], from_1[WAVES];
  if (argc > 1)
    return show_files(argc - 1, argv + 1);
  plan(0);
  if (pair("full grid", "", full) &&
      pair("levels from 3 on",
           "--set plasma.field=sparse --set plasma.sparse.least_level=3 --set "
           "plasma.sparse.offset=3",
           from_3) &&
      pair("levels from 1 on", "--set plasma.field=sparse", from_1))
    for (int l = 0; l < WAVES; l++) {
      const int is_strong = FIRST + l == 5 || FIRST + l == 6;
      is_close(from_3[l], full[l], is_strong ? 0.03 : 0.05, "l = %d, levels from 3 on",
               FIRST + l);
      ok(from_1[l] < 0.9 * full[l], "l = %d, levels from 1 on: %.3f of the full grid's",
         FIRST + l, from_1[l] / full[l]);
    }
  return done();
}
