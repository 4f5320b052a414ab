/* fields/electrostatic_slabs_e.c - E of a field in slabs from its potential: see
 * electrostatic_slabs_parts.h. */
#include <string.h>
#include "base/error.h"
#include "fields/electrostatic_slabs_parts.h"
#include "fields/poisson_stencil.h"

double *wn_slab_phi(const struct wn_field_slabs *f, int64_t k)
{
  return f->phi + (k - f->own[0] + WN_SLAB_GUARD_PHI) * (int64_t)f->plane;
}

/* f(k) for the planes that are guards of phi at rank r, from rank `of`. */
#define FOR_GUARDS(f, r, of, k)                                                          \
  for (int64_t own_[2], k = first_guard((f), (r), own_);                                 \
       k < own_[1] + WN_SLAB_GUARD_PHI; k++)                                             \
    if (is_guard((f), own_, (of), k))

static int64_t first_guard(const struct wn_field_slabs *f, int r, int64_t own[2])
{
  wn_slab_planes(&f->spec.poisson, r, wn_ranks(), own);
  return own[0] - WN_SLAB_GUARD_PHI;
}

/* own: of the rank that is asked. */
static int is_guard(const struct wn_field_slabs *f, const int64_t own[2], int of,
                    int64_t k)
{
  if ((k >= own[0] && k < own[1]) || (!wn_slab_is_periodic(f) && (k < 0 || k > f->cells)))
    return 0;
  return wn_slab_owner_of(f, wn_slab_wrap(f, k)) == of;
}

/* give and take, in doubles. */
size_t wn_slab_count_guards(const struct wn_field_slabs *f)
{
  size_t all = 0;
  for (int r = 0; r < wn_ranks(); r++) {
    f->give[r] = f->take[r] = 0;
    FOR_GUARDS(f, r, wn_rank(), k) f->give[r] += f->plane;
    FOR_GUARDS(f, wn_rank(), r, k) f->take[r] += f->plane;
    all += f->give[r] + f->take[r];
  }
  return all;
}

static void exchange_phi(struct wn_field_slabs *f)
{
  double *to = f->guards;
  wn_slab_count_guards(f);
  for (int r = 0; r < wn_ranks(); r++)
    FOR_GUARDS(f, r, wn_rank(), k)
    {
      memcpy(to, wn_slab_phi(f, wn_slab_wrap(f, k)), f->plane * sizeof *to);
      to += f->plane;
    }
  const double *from = to;
  wn_ranks_exchange(f->guards, f->give, to, f->take);
  for (int r = 0; r < wn_ranks(); r++)
    FOR_GUARDS(f, wn_rank(), r, k)
    {
      memcpy(wn_slab_phi(f, k), from, f->plane * sizeof *from);
      from += f->plane;
    }
}

/* As the kernels of fields/electrostatic_gpu.cu. */
double wn_slab_e(const struct wn_field_slabs *f, int c, const int64_t n[3], int staggered)
{
  const struct wn_charge_nodes *nodes = &f->nodes;
  const int64_t step[3] = {f->axis == 0 ? (int64_t)f->plane : 1,
                           f->axis == 1 ? (int64_t)f->plane : f->nx, (int64_t)f->plane};
  int64_t at[3] = {0, 0, 0}, offset = 0;
  int sign = 1;
  for (int d = 0; d < f->grid.dim; d++) {
    int turned = 1;
    WN_ASSERT(f->grid.cells[d] > 0 && nodes->grid.cells[d] > 0);
    const int wraps = d == f->axis && wn_slab_is_periodic(f); /* the guards have it */
    at[d] = wraps ? n[d] : wn_nodes_beyond(nodes, d, n[d], staggered && d == c, &turned);
    sign = d == c ? turned : sign;
    if (d != c)
      offset += at[d] * step[d];
  }
  const double *line =
      wn_slab_phi(f, 0) + offset; /* of its node 0, which may be elsewhere */
  if (c == f->axis && wn_slab_is_periodic(f)) {
    const double w = staggered ? f->grid.per_h[c] : 0.5 * f->grid.per_h[c];
    return w * (line[(at[c] - !staggered) * step[c]] - line[(at[c] + 1) * step[c]]);
  }
  const struct wn_poisson_stencil s =
      wn_poisson_stencil_at(f->grid.cells[c], f->grid.per_h[c], nodes->side[2 * c],
                            nodes->side[2 * c + 1], staggered, at[c]);
  return sign * wn_poisson_stencil_of(&s, step[c], line);
}

/* Is node i along axis d, and what lies beside it, neither a side nor beyond one? */
static int is_inner(const struct wn_field_slabs *f, int d, int64_t i)
{
  return (d == f->axis && wn_slab_is_periodic(f)) || (i > 0 && i < f->grid.cells[d]);
}

/* The inner nodes of a row, as most are: wn_slab_e of them. */
static void inner_row(const struct wn_field_slabs *f, int64_t y, int64_t k, int staggered,
                      float *to)
{
  const int dim = f->grid.dim;
  const int64_t step[3] = {1, dim > 2 ? f->nx : (int64_t)f->plane, (int64_t)f->plane};
  const double *row = wn_slab_phi(f, k) + (dim > 2 ? y * f->nx : 0);
  for (int c = 0; c < dim; c++) {
    const double w = staggered ? f->grid.per_h[c] : 0.5 * f->grid.per_h[c];
    const double *low = staggered ? row : row - step[c], *high = row + step[c];
    float *of = to + WN_GRID_GUARD * f->grid.stride + c;
    for (int64_t x = 1; x < f->nx - 1; x++)
      of[x * f->grid.stride] = (float)(w * low[x] + -w * high[x]);
  }
}

void wn_slab_make_e(struct wn_field_slabs *f)
{
  exchange_phi(f);
  const int staggered = f->grid.gather == WN_GATHER_ENERGY, dim = f->grid.dim;
  const int64_t pad = WN_GRID_GUARD, wide_x = f->axis > 0 ? f->nx + 2 * pad : 1,
                wide_y = f->axis > 1 ? f->ny + 2 * pad : 1;
  for (int64_t a = -pad, k; a <= f->cells + pad; a++) {
    float *to = f->e + wn_slab_at_plane(f, a) * (size_t)f->grid.stride;
    if (!wn_slab_has(f, wn_rank(), a, &k))
      continue;
    for (int64_t y = 0; y < wide_y; y++) {
      const int inner =
          dim > 1 && is_inner(f, f->axis, k) && (dim < 3 || is_inner(f, 1, y - pad));
      if (inner)
        inner_row(f, y - pad, k, staggered, to);
      for (int64_t x = 0; x < wide_x; x++, to += f->grid.stride) {
        int64_t at[3];
        if (inner && x - pad > 0 && x - pad < f->nx - 1)
          continue;
        wn_slab_place(f, x - pad, y - pad, k, at);
        for (int c = 0; c < dim; c++)
          to[c] = (float)wn_slab_e(f, c, at, staggered);
      }
    }
  }
}
