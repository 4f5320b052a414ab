/* crosssections/xs_peaks.c - see xs_peaks.h. */
#include "crosssections/xs_peaks.h"
#include <stdlib.h>
#include "base/alloc.h"
#include "base/error.h"

static double larger(double a, double b)
{
  return a > b ? a : b;
}

int wn_xs_peaks_create(size_t n, struct wn_xs_peaks *p)
{
  *p = (struct wn_xs_peaks){.n = n};
  while (p->levels < WN_XS_PEAKS_LEVELS && (size_t)1 << p->levels <= n) {
    if ((p->of[p->levels] = wn_alloc(n, sizeof(double))) == NULL) {
      wn_xs_peaks_free(p);
      return WN_ENOMEM;
    }
    p->levels++;
  }
  return WN_OK;
}

void wn_xs_peaks_free(struct wn_xs_peaks *p)
{
  for (size_t l = 0; l < p->levels; l++)
    free(p->of[l]);
  *p = (struct wn_xs_peaks){.n = 0};
}

void wn_xs_peaks_fill(struct wn_xs_peaks *p)
{
  for (size_t l = 1; l < p->levels; l++)
    for (size_t i = 0; i + ((size_t)1 << l) <= p->n; i++)
      p->of[l][i] = larger(p->of[l - 1][i], p->of[l - 1][i + ((size_t)1 << (l - 1))]);
}

double wn_xs_peak(const struct wn_xs_peaks *p, size_t first, size_t end)
{
  size_t l = 0;
  while ((size_t)2 << l <= end - first)
    l++;
  return larger(p->of[l][first], p->of[l][end - ((size_t)1 << l)]);
}
