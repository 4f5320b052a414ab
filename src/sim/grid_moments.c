/* src/sim/grid_moments.c - see grid_moments.h. */
#include "src/sim/grid_moments.h"
#include "base/error.h"
#include "physics/constants.h"

enum { NUMBER, FLUX }; /* then the energy: WN_NODE_MOMENTS */

int wn_grid_moments_take(struct wn_node_sums *m, const struct wn_config *c, size_t k,
                         struct wn_species *s, double *out)
{
  const int n = wn_grid_moments(c), dim = c->plasma.dim;
  struct wn_node_values what;
  int on_gpu;
  WN_TRY(wn_node_sums_on_gpu(m, s, n, &on_gpu));
  wn_node_sums_prepare(s, &what);
  what.what = WN_NODE_MOMENTS;
  what.n = n;
  what.unit[NUMBER] = 1.0;
  for (int d = 0; d < dim; d++) {
    what.odd[FLUX + d] = 1u << d;
    what.unit[FLUX + d] = WN_C / WN_NODE_PER_SPEED;
  }
  what.unit[FLUX + dim] = 1.0 / WN_FIX_ENERGY;
  return wn_node_sums_take(m, c, k, s, &what, on_gpu, out);
}
