/* drawn_waves.h - waves with drawn factors, and halves of a cell at the ends of the axes. */
#ifndef WN_T_TAP_DRAWN_WAVES_H
#define WN_T_TAP_DRAWN_WAVES_H
#include <stdlib.h>
#include "fields/waves.h"
#include "t/tap/draw.h"

#define DRAWN_WAVES 3

/* Its arrays are to be freed. */
static inline struct wn_waves drawn_waves(int dim, const int32_t cells[3])
{
  struct wn_waves w = {.n = DRAWN_WAVES, .nodes = {1, 1, 1}};
  for (int d = 0; d < dim; d++)
    w.nodes[d] = (size_t)cells[d] + 1;
  const size_t row = wn_waves_row(&w);
  double *factor = calloc(2 * w.n * row, sizeof *factor),
         *part = calloc(row, sizeof *part);
  for (size_t m = 0, at = 0; m < w.n; m++)
    for (int d = 0; d < 3; d++)
      for (size_t i = 0; i < w.nodes[d]; i++, at += 2) {
        factor[at] = d < dim ? 2.0 * uniform() - 1.0 : 1.0;
        factor[at + 1] = d < dim ? 2.0 * uniform() - 1.0 : 0.0;
      }
  for (size_t d = 0, at = 0; d < 3; d++)
    for (size_t i = 0; i < w.nodes[d]; i++, at++)
      part[at] = w.nodes[d] > 1 && (i == 0 || i + 1 == w.nodes[d]) ? 0.5 : 1.0;
  w.factor = factor;
  w.part = part;
  return w;
}

static inline void drawn_waves_free(struct wn_waves *w)
{
  free((void *)w->factor);
  free((void *)w->part);
}

#endif
