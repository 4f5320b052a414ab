/* fields/sparse/sparse_forecast.c - memory of the sparse grids on a GPU, in any build: sparse_gpu.h. */
#include "device/sizes.h"
#include "fields/sparse/sparse_gpu.h"
#include "fields/sparse/sparse_layout.h"

size_t wn_sparse_gpu_memory(const struct wn_electrostatic_spec *spec,
                            const struct wn_components *c, enum wn_sparse_combined at)
{
  const size_t nodes = (size_t)c->nodes, components = (size_t)c->n_components,
               quanta = (size_t)wn_sparse_quanta(&spec->poisson, c), dim = (size_t)c->dim;
  const size_t list[] = {spec->n_species * quanta * sizeof(int64_t),
                         components * sizeof(struct wn_component),
                         nodes, /* the component of each */
                         components * spec->n_species * 3 * sizeof(double),
                         nodes * sizeof(double), /* rho, phi, and two for the way there */
                         nodes * sizeof(double),
                         nodes * sizeof(double),
                         nodes * sizeof(double),
                         nodes * dim * sizeof(double), /* E, and on the parents */
                         at == WN_SPARSE_NODES
                             ? (size_t)c->parent_nodes * dim * sizeof(double)
                             : 1, /* wn_gpu_alloc gives no less */
                         wn_sparse_floats(c, at, &spec->grid) * sizeof(float),
                         2 * sizeof(uint64_t)};
  size_t all = 0;
  for (size_t i = 0; i < sizeof list / sizeof *list; i++)
    all += wn_gpu_round(list[i], WN_GPU_ALIGN);
  for (int d = 0; d < c->dim; d++)
    if (wn_sparse_like(&spec->poisson, d) == d)
      all += wn_gpu_round(wn_sparse_modes(&spec->poisson, d, c->n) * sizeof(double),
                          WN_GPU_ALIGN);
  return all;
}
