/* fields/electrostatic_gpu_sums.cu - sums over the nodes and edges of the slab of a rank on a GPU, by the
 * functions of electrostatic_sums.h, in an order of their own that is always the same. */
#include "fields/electrostatic_gpu_node_sums.cuh"
#include "fields/poisson/parts.h"

static int bring(const struct wn_electrostatic_gpu *g)
{
  return wn_gpu_check((int)cudaMemcpyAsync(g->sums, wn_field_sums_there(g),
                                           sizeof *g->sums, cudaMemcpyDeviceToHost,
                                           g->gpu->stream),
                      "sums of a field");
}

static int wait(const struct wn_electrostatic_gpu *g)
{
  WN_TRY(wn_gpu_wait(g->gpu, "sums of a field"));
  return wn_electrostatic_gpu_misfits(g);
}

static int launch_left(struct wn_electrostatic_gpu *g, const struct wn_electrostatic *f,
                       double charge)
{
  struct wn_field_unknown u = {};
  struct wn_field_taken taken = {charge,
                                 wn_poisson_is_floating(&f->spec.poisson) ? 1.0 : 0.0};
  for (int d = 0; d < f->grid.dim; d++) {
    wn_poisson_inside(&f->spec.poisson, d, &u.begin[d], &u.end[d]);
    taken.per_volume /= d == 0 && wn_slab_is_radial(&f->slab)
                            ? wn_axis_whole(&f->slab.radius)
                            : f->grid.length[d];
  }
  return wn_slab_is_radial(&f->slab) ? wn_field_radial_left(g, f, &u, &taken)
                                     : wn_field_launch_left(g, f, &u, &taken);
}

static_assert(WN_SLAB_SUMS == WN_FIELD_SUMS, "the first of struct wn_charge_sums");

int wn_electrostatic_gpu_begin_sums(struct wn_electrostatic_gpu *g,
                                    const struct wn_electrostatic *f)
{
  if (g->has_begun)
    return WN_OK;
  WN_TRY(wn_gpu_use(g->gpu));
  WN_TRY(wn_slab_is_radial(&f->slab) ? wn_field_radial_sums(g, f)
                                     : wn_field_launch_sums(g, f));
  if (f->slab.ranks == 1) /* the charge of all is known there */
    WN_TRY(launch_left(g, f, NAN));
  WN_TRY(bring(g));
  g->has_begun = 1;
  return WN_OK;
}

int wn_electrostatic_gpu_sums(struct wn_electrostatic_gpu *g,
                              const struct wn_electrostatic *f, double *sum)
{
  const struct wn_charge_sums *s = g->sums;
  WN_TRY(wn_electrostatic_gpu_begin_sums(g, f));
  WN_TRY(wait(g));
  sum[WN_SLAB_CHARGE] = s->charge;
  sum[WN_SLAB_INSIDE] = s->inside;
  sum[WN_SLAB_PAIRS] = s->pairs;
  sum[WN_SLAB_SQUARE] = s->square;
  sum[WN_SLAB_THROUGH] = s->through;
  for (int d = 0; d < 3; d++)
    sum[WN_SLAB_DROP + d] = s->drop[d];
  return WN_OK;
}

int wn_electrostatic_gpu_left(struct wn_electrostatic_gpu *g,
                              const struct wn_electrostatic *f, double charge,
                              double most[2])
{
  if (f->slab.ranks > 1) {
    WN_TRY(launch_left(g, f, charge));
    WN_TRY(bring(g));
    WN_TRY(wait(g));
  }
  most[0] = g->sums->left;
  most[1] = g->sums->largest;
  return WN_OK;
}
