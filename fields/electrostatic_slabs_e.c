/* fields/electrostatic_slabs_e.c - E of a field in slabs from its potential: see
 * electrostatic_slabs_parts.h. */
#include <string.h>
#include "fields/electrostatic_slabs_parts.h"

static void exchange_phi(struct wn_field_slabs *f)
{
  const struct wn_slab_moves *m = &f->guards;
  const size_t plane = (size_t)f->slab.plane, bytes = plane * sizeof(double);
  double *from = f->passing + m->n_give * plane;
  for (size_t i = 0; i < m->n_give; i++)
    memcpy(f->passing + i * plane, wn_slab_phi(f, m->give[i]), bytes);
  wn_ranks_exchange(f->passing, m->words_give, from, m->words_take);
  for (size_t i = 0; i < m->n_take; i++)
    memcpy(wn_slab_phi(f, m->take[i]), from + i * plane, bytes);
}

/* The inner nodes of a row, as most are: wn_slab_e of them. */
static void inner_row(const struct wn_field_slabs *f, int64_t y, int64_t k, int staggered,
                      float *to)
{
  const struct wn_slab *s = &f->slab;
  const struct wn_grid_view *g = &f->grid;
  const int dim = g->dim;
  const int64_t step[3] = {1, dim > 2 ? s->nx : s->plane, s->plane};
  const double *row = wn_slab_phi(f, k) + (dim > 2 ? y * s->nx : 0);
  for (int c = 0; c < dim; c++) {
    const double w = staggered ? g->per_h[c] : 0.5 * g->per_h[c];
    const double *low = staggered ? row : row - step[c], *high = row + step[c];
    float *of = to + WN_GRID_GUARD * g->stride + c;
    for (int64_t x = 1; x < s->nx - 1; x++)
      of[x * g->stride] = (float)(w * low[x] + -w * high[x]);
  }
}

/* Plane a of E, which is k counted on from own planes. */
static void make_plane(const struct wn_field_slabs *f, int64_t a, int64_t k)
{
  const struct wn_slab *s = &f->slab;
  const int staggered = f->grid.gather == WN_GATHER_ENERGY, dim = f->grid.dim;
  const int64_t pad = WN_GRID_GUARD, wide_x = s->axis > 0 ? s->nx + 2 * pad : 1,
                wide_y = s->axis > 1 ? s->ny + 2 * pad : 1;
  const double *phi = wn_slab_phi(f, 0);
  float *to = f->e + wn_slab_at_plane(s, a) * f->grid.stride;
  for (int64_t y = 0; y < wide_y; y++) {
    const int inner = dim > 1 && wn_slab_is_inner(s, s->axis, k) &&
                      (dim < 3 || wn_slab_is_inner(s, 1, y - pad));
    if (inner)
      inner_row(f, y - pad, k, staggered, to);
    for (int64_t x = 0; x < wide_x; x++, to += f->grid.stride) {
      int64_t at[3];
      if (inner && x - pad > 0 && x - pad < s->nx - 1)
        continue;
      wn_slab_place(s, x - pad, y - pad, k, at);
      for (int c = 0; c < dim; c++)
        to[c] = (float)wn_slab_e(s, phi, c, at, staggered);
    }
  }
}

void wn_slab_make_e(struct wn_field_slabs *f)
{
  const struct wn_slab *s = &f->slab;
  exchange_phi(f);
#ifdef _OPENMP
#pragma omp parallel for num_threads(f->threads) schedule(static)
#endif
  for (int64_t a = -WN_GRID_GUARD; a <= s->cells + WN_GRID_GUARD; a++) {
    int64_t k;
    if (wn_slab_is_near(s, s->own, WN_SLAB_GUARD, a, &k))
      make_plane(f, a, k);
  }
}
