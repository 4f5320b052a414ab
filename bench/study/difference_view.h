/* bench/study/difference_view.h - the field of the scheduler study as one particle sees it. */
#ifndef WN_BENCH_STUDY_DIFFERENCE_VIEW_H
#define WN_BENCH_STUDY_DIFFERENCE_VIEW_H
#include <stdint.h>
#include "physics/host_device.h"

/* Differences of counts on a cubic grid.  An electron in
 * cell i has the acceleration -k (count[i+1] - count[i-1]) along each axis: it is
 * repelled by the fuller neighbour; outside the grid no electron is counted. */
struct wn_difference_view {
  const uint32_t *count; /* [cells^3], x fastest: particles of each cell */
  int64_t cells;         /* a side */
  double cell_size;      /* m */
  double k;              /* e^2/(4 pi eps0 h^2 m), m/s2 a particle */
};

/* Index of the cell of x, or -1 outside the grid. */
static WN_HD int64_t wn_difference_cell(const struct wn_difference_view *v,
                                        const double x[3])
{
  int64_t c[3];
  for (int i = 0; i < 3; i++) {
    double s = x[i] / v->cell_size;
    if (!(s >= 0.0 && s < (double)v->cells))
      return -1;
    c[i] = (int64_t)s;
  }
  return (c[2] * v->cells + c[1]) * v->cells + c[0];
}

static WN_HD double wn_difference_neighbour(const struct wn_difference_view *v,
                                            int64_t cell, int64_t at, int64_t step,
                                            int64_t to)
{
  return at + to < 0 || at + to >= v->cells ? 0.0 : (double)v->count[cell + to * step];
}

/* Acceleration [m/s2] at x; none outside. */
static WN_HD void wn_difference_at(const struct wn_difference_view *v, const double x[3],
                                   float a[3])
{
  int64_t cell = wn_difference_cell(v, x), n = v->cells, step = 1;
  a[0] = a[1] = a[2] = 0.0f;
  if (cell < 0)
    return;
  int64_t rest = cell;
  for (int i = 0; i < 3; i++, step *= n, rest /= n) {
    int64_t at = rest % n;
    a[i] = (float)(-v->k * (wn_difference_neighbour(v, cell, at, step, 1) -
                            wn_difference_neighbour(v, cell, at, step, -1)));
  }
}

#endif
