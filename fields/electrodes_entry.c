/* fields/electrodes_entry.c - where a particle that is in an electrode came in: see electrodes.h. */
#include <math.h>
#include <string.h>
#include "fields/electrodes.h"

#define HALVINGS 40   /* of a way: to 1e-12 of it */
#define OUTWARDS 32   /* steps along normals */
#define STEP     1e-5 /* of a cell, for differences of a formula */

static int is_inside(const struct wn_electrodes *e, const double x[3])
{
  return wn_electrode_which(e->shape, e->n_shapes, e->dim, x) >= 0;
}

/* The place at the part t of the way before its end. */
static void before(const struct wn_electrodes *e, int is_radial, const double end[3],
                   const double way[3], double t, double x[3])
{
  for (int d = 0; d < 3; d++)
    x[d] = d < e->dim ? end[d] - t * way[d] : 0.0;
  if (is_radial)
    x[0] = hypot(x[0], t * way[2]);
}

/* *in: the place inside, all but on the surface; x: in the gas.  Returns whether the way leads there. */
static int along_way(const struct wn_electrodes *e, int is_radial, const double end[3],
                     const double way[3], double in[3], double x[3])
{
  double low = 0.0, high = 1.0;
  before(e, is_radial, end, way, high, x);
  if (is_inside(e, x))
    return 0;
  for (int i = 0; i < HALVINGS; i++) {
    const double middle = 0.5 * (low + high);
    before(e, is_radial, end, way, middle, x);
    if (is_inside(e, x))
      low = middle;
    else
      high = middle;
  }
  before(e, is_radial, end, way, low, in);
  before(e, is_radial, end, way, high, x);
  return 1;
}

/* Between a place inside and one in the gas: both become the place on the surface. */
static void narrow(const struct wn_electrodes *e, double in[3], double x[3])
{
  for (int i = 0; i < HALVINGS; i++) {
    double middle[3];
    for (int d = 0; d < 3; d++)
      middle[d] = 0.5 * (in[d] + x[d]);
    memcpy(is_inside(e, middle) ? in : x, middle, sizeof middle);
  }
}

/* Newton's steps out of each shape that has the place inside, the last of which may be too long; as along_way. */
static int outwards(const struct wn_electrodes *e, double step, const double end[3],
                    double in[3], double x[3])
{
  for (int d = 0; d < 3; d++)
    x[d] = end[d];
  for (int i = 0; i < OUTWARDS; i++) {
    const int k = wn_electrode_which(e->shape, e->n_shapes, e->dim, x);
    double n[3], ahead[3];
    if (k < 0) {
      narrow(e, in, x);
      return 1;
    }
    const struct wn_electrode_shape *s = &e->shape[k];
    wn_electrode_normal(s, e->dim, step, x, n);
    const double here = wn_electrode_level(s, e->dim, x);
    for (int d = 0; d < 3; d++) {
      in[d] = x[d];
      ahead[d] = x[d] + step * n[d];
    }
    const double slope = (wn_electrode_level(s, e->dim, ahead) - here) / step;
    if (!(slope > 0.0))
      return 0;
    for (int d = 0; d < 3; d++)
      x[d] += (step - here / slope) * n[d];
  }
  return 0;
}

int wn_electrodes_entry(const struct wn_electrodes *e, const double h[3], int is_radial,
                        const double way[3], double place[3], double normal[3])
{
  double end[3] = {0.0, 0.0, 0.0}, in[3] = {0.0, 0.0, 0.0}, x[3];
  const double step = STEP * h[0];
  for (int d = 0; d < e->dim; d++)
    end[d] = place[d] * h[d];
  if (!along_way(e, is_radial, end, way, in, x) && !outwards(e, step, end, in, x))
    return 0;
  const int k = wn_electrode_which(e->shape, e->n_shapes, e->dim, in);
  wn_electrode_normal(&e->shape[k >= 0 ? k : 0], e->dim, step, in, normal);
  for (int d = 0; d < e->dim; d++) {
    const double last = (double)(e->n[d] - 1);
    place[d] = fmin(fmax(x[d] / h[d], 0.0), last);
  }
  return normal[0] != 0.0 || normal[1] != 0.0 || normal[2] != 0.0;
}
