/* fields/sparse/sparse_charge.c - component grids of the field `sparse`: their shapes, and their charge from the
 * quanta on the parents: see sparse_parts.h. */
#include <math.h>
#include <string.h>
#include "fields/sparse/sparse_parts.h"

/* ---- shapes */

struct wn_grid_view wn_sparse_grid(const struct wn_grid_view *full, int n,
                                   const int32_t level[WN_MAX_DIM])
{
  struct wn_grid_view g = *full;
  int32_t step = 1;
  g.first = 0;
  g.e = NULL;
  for (int d = 0; d < g.dim; d++) {
    g.cells[d] = 1 << level[d];
    g.h[d] = ldexp(full->h[d], n - level[d]);
    g.per_h[d] = ldexp(full->per_h[d], level[d] - n);
    g.bits[d] = full->bits[d] + n - level[d];
    g.step[d] = step;
    g.first += WN_GRID_GUARD * step;
    step *= g.cells[d] + 1 + 2 * WN_GRID_GUARD;
  }
  return g;
}

struct wn_poisson_spec wn_sparse_poisson_spec(const struct wn_sparse_spec *spec,
                                              const struct wn_components *c, int i)
{
  struct wn_poisson_spec p = spec->full.poisson;
  const struct wn_grid_view g = wn_sparse_grid(&spec->full.grid, c->n, c->c[i].level);
  p.threads = 1; /* several components at a time */
  p.ranks = 1;
  for (int d = 0; d < c->dim; d++)
    p.cells[d] = (size_t)g.cells[d];
  wn_poisson_uniform(&p, g.h);
  return p;
}

/* ---- charge on the component grids */

/* Both ends of periodic axes of a grid alike. */
static void copy_ends(const int is_periodic[3], int dim, const int32_t level[3],
                      double *x)
{
  for (int d = 0; d < dim; d++) {
    int64_t inner = 1, outer = 1;
    const int64_t last = (int64_t)1 << level[d];
    for (int a = 0; a < dim; a++)
      *(a < d ? &inner : &outer) *= a != d ? wn_sparse_nodes_along(level[a]) : 1;
    for (int64_t o = 0; o < (is_periodic[d] ? outer : 0); o++) {
      double *row = x + o * (last + 1) * inner;
      memcpy(row + last * inner, row, (size_t)inner * sizeof *row);
    }
  }
}

void wn_sparse_numbers(const struct wn_sparse *f, const int64_t *quanta, double *out)
{
  for (int64_t i = 0; i < f->c.parent_nodes; i++)
    out[i] = (double)quanta[i];
  for (int p = 0; p < f->c.n_parents; p++)
    copy_ends(f->is_periodic, f->c.dim, f->c.parent[p].level, out + f->c.parent[p].first);
}

void wn_sparse_component_charge(const struct wn_sparse *f, int i, size_t n_species,
                                const double *factor, const double *numbers, double *work,
                                double *rho)
{
  struct wn_charge_nodes nodes = f->nodes;
  double *restricted = work + wn_sparse_work(&f->c);
  nodes.grid = wn_sparse_grid(&f->grid, f->c.n, f->c.c[i].level);
  const int64_t nx = wn_nodes_along(&nodes.grid, 0), ny = wn_nodes_along(&nodes.grid, 1),
                nz = wn_nodes_along(&nodes.grid, 2);
  for (size_t k = 0; k < n_species; k++) {
    double *to = rho;
    const double *from = restricted;
    wn_sparse_restrict(&f->c, f->is_periodic, i, numbers + k * (size_t)f->c.parent_nodes,
                       work, restricted);
    for (int64_t z = 0; z < nz; z++)
      for (int64_t y = 0; y < ny; y++, to += nx, from += nx) {
        double part = 1.0;
        part *= f->c.dim > 1 && wn_nodes_is_end(&nodes, 1, y) ? 0.5 : 1.0;
        part *= f->c.dim > 2 && wn_nodes_is_end(&nodes, 2, z) ? 0.5 : 1.0;
        const double of_one = factor[k] * wn_nodes_per_volume(&nodes, part, 1);
        for (int64_t x = 0; x < nx; x++)
          to[x] += of_one * from[x];
      }
  }
  for (int64_t row = 0; row < ny * nz; row++)
    for (int64_t x = 0; x < nx; x += nx - 1)
      if (wn_nodes_is_end(&nodes, 0, x))
        rho[row * nx + x] *= 2.0;
}
