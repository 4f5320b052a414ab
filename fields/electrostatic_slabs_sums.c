/* fields/electrostatic_slabs_sums.c - sums over the nodes and edges of a field in slabs: each rank those of
 * its planes and of the edges that begin there, added in the order of planes and of ranks. */
#include "fields/electrostatic_slabs_sums.h"
#include <math.h>
#include <string.h>
#include "base/error.h"
#include "fields/electrostatic_slabs_gpu.h"
#include "fields/poisson_parts.h"

/* Of the nodes of this rank, sum [WN_SLAB_SUMS]. */
static void sum_here(const struct wn_field_slabs *f, double *sum)
{
  const struct wn_slab *s = &f->slab;
  const double cell = wn_nodes_cell(&f->grid), *phi = wn_slab_phi(f, 0);
  WN_FOR_SLAB(s, i)
  {
    const struct wn_slab_node n = wn_slab_node(s, f->rho, phi, x, y, k);
    if (wn_slab_is_far(s, n.at))
      wn_slab_add_far(s, &n, cell, sum);
    else
      wn_slab_add(s, &n, cell, sum);
  }
}

/* What is left of the equation, V/m2, and the largest charge over eps0. */
static void left_here(const struct wn_field_slabs *f, const int64_t begin[3],
                      const int64_t end[3], double taken, double most[2])
{
  const struct wn_slab *s = &f->slab;
  const double *phi = wn_slab_phi(f, 0);
  WN_FOR_SLAB(s, i)
  {
    const struct wn_slab_node n = wn_slab_node(s, f->rho, phi, x, y, k);
    if (!wn_slab_is_asked(s, begin, end, n.at))
      continue;
    const double left = wn_slab_left(s, &n, taken);
    most[0] = left > most[0] || isnan(left) ? left : most[0];
    most[1] = fmax(most[1], fabs(n.rho) / WN_EPS0);
  }
}

int wn_field_slabs_sums(struct wn_field_slabs *f, struct wn_charge_sums *out)
{
  double sum[WN_SLAB_SUMS] = {0.0}, volume = 1.0, most[2] = {0.0, 0.0};
  int64_t begin[3], end[3];
  if (f->gpu != NULL)
    WN_TRY(wn_slabs_gpu_sums(f->gpu, f, sum));
  else
    sum_here(f, sum);
  wn_slab_add_up(f, sum, WN_SLAB_SUMS);
  for (int d = 0; d < f->grid.dim; d++) {
    const struct wn_poisson_axis a = wn_poisson_axis(&f->spec.poisson, d);
    begin[d] = (int64_t)a.first;
    end[d] = (int64_t)(a.first + a.n);
    volume *= f->grid.length[d];
  }
  /* what makes the whole neutral where nothing holds phi */
  const double taken =
      wn_poisson_is_floating(&f->spec.poisson) ? sum[WN_SLAB_CHARGE] / volume : 0.0;
  if (f->gpu != NULL)
    WN_TRY(wn_slabs_gpu_left(f->gpu, f, begin, end, taken, most));
  else
    left_here(f, begin, end, taken, most);
  wn_ranks_most(most, 2);
  *out = (struct wn_charge_sums){.charge = sum[WN_SLAB_CHARGE],
                                 .inside = sum[WN_SLAB_INSIDE],
                                 .pairs = sum[WN_SLAB_PAIRS],
                                 .square = sum[WN_SLAB_SQUARE],
                                 .through = sum[WN_SLAB_THROUGH],
                                 .left = most[0],
                                 .largest = most[1]};
  memcpy(out->drop, sum + WN_SLAB_DROP, sizeof out->drop);
  return WN_OK;
}
