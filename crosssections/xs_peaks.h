/* crosssections/xs_peaks.h - the greatest of any range of numbers, in two comparisons: for the making of tables.  No number
 * is NaN. */
#ifndef WN_CROSSSECTIONS_XS_PEAKS_H
#define WN_CROSSSECTIONS_XS_PEAKS_H
#include <stddef.h>
#include "physics/host_device.h"

WN_BEGIN_DECLS

#define WN_XS_PEAKS_LEVELS 32

struct wn_xs_peaks {
  size_t n;
  /* [levels][n]: of[0] has the numbers, of[l][i] the greatest of the 2^l from i on */
  double *of[WN_XS_PEAKS_LEVELS];
  size_t levels;
};

/* Of n numbers, n > 0.  WN_ENOMEM: nothing to free. */
int wn_xs_peaks_create(size_t n, struct wn_xs_peaks *p);
void wn_xs_peaks_free(struct wn_xs_peaks *p);

/* After of[0] was written. */
void wn_xs_peaks_fill(struct wn_xs_peaks *p);

/* Of numbers first to end - 1, at least one. */
double wn_xs_peak(const struct wn_xs_peaks *p, size_t first, size_t end);

WN_END_DECLS

#endif
