/* fields/waves.h - amplitudes of waves along the axes of a grid: which waves, and the sums over
 * nodes.  Both ends of a periodic axis count, each with half a cell. */
#ifndef WN_FIELDS_WAVES_H
#define WN_FIELDS_WAVES_H
#include <stddef.h>
#include <stdint.h>
#include "physics/host_device.h"

WN_BEGIN_DECLS

/* n waves exp(-i k x), as the product of a factor of each axis. */
struct wn_waves {
  size_t n;
  size_t nodes[3]; /* along each axis; 1 beyond the dimensions of the grid */
  /* [n][nodes[0] + nodes[1] + nodes[2]][2]: real and imaginary part of the factor at the
   * nodes of each axis; 1 beyond the dimensions */
  const double *factor;
  /* [nodes[0] + nodes[1] + nodes[2]] parts of a cell that the nodes have; 1 beyond */
  const double *part;
};

/* Doubles of a wave in `factor`, and of all axes in `part`. */
static inline size_t wn_waves_row(const struct wn_waves *w)
{
  return w->nodes[0] + w->nodes[1] + w->nodes[2];
}

/* The mean of x exp(-i k x) over the volume, out [n][2]; x [nz][ny][nx], the nodes. */
void wn_waves_of_nodes(const struct wn_waves *w, const double *x, double *out);

/* The same from the sums over each plane of nodes that is normal to the last axis `axis`, sum
 * [nodes[axis]][n][2], without the factor and the part of that axis. */
void wn_waves_of_planes(const struct wn_waves *w, int axis, const double *sum,
                        double *out);

WN_END_DECLS

#endif
