/* fields/sparse/sparse_layout.h - where things lie in the memory of a GPU, and how much they take: for kernels, and
 * for a forecast in any build. */
#ifndef WN_FIELDS_SPARSE_LAYOUT_H
#define WN_FIELDS_SPARSE_LAYOUT_H
#include "fields/poisson/poisson.h"
#include "fields/sparse/components.h"
#include "physics/host_device.h"

/* Where the matrices, and the roots, of a level begin; of a level they have (2^level + 1)^2 and 2^level + 1
 * doubles at most. */
static WN_HD uint32_t wn_sparse_matrix_at(int32_t level)
{
  return ((1u << 2 * level) - 4u) / 3u + 2u * ((1u << level) - 2u) + (uint32_t)level - 1u;
}
static WN_HD uint32_t wn_sparse_roots_at(int32_t level)
{
  return (1u << level) - 2u + (uint32_t)level - 1u;
}

/* Whether E along d is the derivative of the modes. */
static inline int wn_sparse_has_modes(const struct wn_poisson_spec *spec, int d)
{
  return spec->method == WN_POISSON_SPECTRAL && spec->side[2 * d] == WN_PERIODIC;
}

/* The first axis with the sides of axis d, whose modes it has. */
static inline int wn_sparse_like(const struct wn_poisson_spec *spec, int d)
{
  int e = 0;
  while (spec->side[2 * d] != spec->side[2 * e] ||
         spec->side[2 * d + 1] != spec->side[2 * e + 1])
    e++;
  return e;
}

/* Doubles of the modes of an axis, of levels 1 to n: matrices to modes and back, the roots, that of the
 * derivative. */
static inline size_t wn_sparse_modes(const struct wn_poisson_spec *spec, int d, int n)
{
  return (size_t)(wn_sparse_has_modes(spec, d) ? 3 : 2) * wn_sparse_matrix_at(n + 1) +
         wn_sparse_roots_at(n + 1);
}

/* Nodes of all parents, without the copies at the ends of periodic axes. */
static inline int64_t wn_sparse_quanta(const struct wn_poisson_spec *spec,
                                       const struct wn_components *c)
{
  int64_t all = 0;
  for (int p = 0; p < c->n_parents; p++) {
    int64_t n = 1;
    for (int d = 0; d < c->dim; d++)
      n *= wn_sparse_nodes_along(c->parent[p].level[d]) -
           (spec->side[2 * d] == WN_PERIODIC);
    all += n;
  }
  return all;
}

#endif
