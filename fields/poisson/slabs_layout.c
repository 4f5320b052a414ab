/* fields/poisson/slabs_layout.c - see slabs_layout.h and gpu_list.h. */
#include "fields/poisson/slabs_layout.h"
#include "base/ranks.h"
#include "device/sizes.h"
#include "fields/poisson/gpu_list.h"
#include "fields/poisson/planes.h"

void wn_poisson_unknowns_of(const struct wn_poisson_division *d,
                            const struct wn_poisson_spec *spec, int r, size_t u[2])
{
  const struct wn_poisson_axis *a = &d->axis[d->last];
  int64_t planes[2];
  wn_slab_planes(spec, r, d->ranks, planes);
  for (int i = 0; i < 2; i++) {
    const int64_t at = planes[i] - (int64_t)a->first;
    u[i] = at < 0 ? 0 : at > (int64_t)a->n ? a->n : (size_t)at;
  }
}

struct wn_poisson_division wn_poisson_divide_among(const struct wn_poisson_spec *spec,
                                                   int rank, int ranks)
{
  struct wn_poisson_division d = {
      .last = spec->dim - 1, .ranks = ranks, .rank = rank, .nodes = {1, 1}, .plane = 1};
  wn_slab_planes(spec, rank, ranks, d.planes);
  for (int i = 0; i < 3; i++)
    d.axis[i] = i < spec->dim ? wn_poisson_axis(spec, i)
                              : (struct wn_poisson_axis){WN_FFT_PERIODIC, 0, 1};
  for (int i = 0; i < d.last; i++) {
    d.nodes[i] = spec->cells[i] + 1;
    d.plane *= d.axis[i].n;
  }
  wn_poisson_unknowns_of(&d, spec, rank, d.unknowns);
  for (int i = 0; i < 2; i++)
    d.columns[i] = wn_ranks_share(d.plane, rank + i, ranks);
  return d;
}

size_t wn_poisson_division_words(const struct wn_poisson_division *d)
{
  const size_t slab = (d->unknowns[1] - d->unknowns[0]) * d->plane,
               lines = (d->columns[1] - d->columns[0]) * d->axis[d->last].n;
  return slab > lines ? slab : lines;
}

static void put(struct wn_poisson_layout *l, int along, int kind, const int32_t extent[3])
{
  for (int is_back = 0; is_back < 2; is_back++) {
    l->lines[along][is_back] = wn_poisson_lines(along, kind, is_back, extent);
    wn_poisson_layout_take(&l->lines[along][is_back], 0, l);
  }
}

void wn_poisson_slabs_layout(const struct wn_poisson_division *d,
                             struct wn_poisson_layout *planes,
                             struct wn_poisson_layout *columns)
{
  const int32_t u = (int32_t)(d->unknowns[1] - d->unknowns[0]),
                n = (int32_t)(d->columns[1] - d->columns[0]),
                box[3] = {(int32_t)d->axis[0].n, d->last > 1 ? (int32_t)d->axis[1].n : u,
                          d->last > 1 ? u : 1},
                lines[3] = {n, (int32_t)d->axis[d->last].n, 1};
  *planes = (struct wn_poisson_layout){.together = 0};
  *columns = *planes;
  for (int i = 0; i < d->last && u > 0; i++)
    put(planes, i, (int)d->axis[i].kind, box);
  if (n > 0)
    put(columns, 1, (int)d->axis[d->last].kind, lines);
}

static size_t rounded(size_t n, size_t size)
{
  return wn_gpu_round(n > 0 ? n * size : 1, WN_GPU_ALIGN);
}

static size_t turns(const struct wn_poisson_layout *l)
{
  size_t bytes = 0;
  for (int d = 0; d < 3; d++)
    if (l->lines[d][0].n > 0 && l->lines[d][0].kind == WN_FFT_COSINES_HALF)
      bytes += rounded((size_t)l->lines[d][0].row, sizeof(double));
  return bytes;
}

int wn_poisson_gpu_slabs_takes(const struct wn_poisson_spec *spec)
{
  return spec->ranks > 1;
}

size_t wn_poisson_gpu_slabs_bytes(const struct wn_poisson_spec *spec)
{
  const struct wn_poisson_division d = wn_poisson_divide_among(spec, 0, spec->ranks);
  const size_t words = wn_poisson_division_words(&d);
  struct wn_poisson_layout planes, columns;
  wn_poisson_slabs_layout(&d, &planes, &columns);
  const size_t buffer = planes.buffer > columns.buffer ? planes.buffer : columns.buffer;
  return 2 * rounded(buffer, sizeof(double)) + 3 * rounded(words, sizeof(double)) +
         rounded(planes.work, 1) + rounded(columns.work, 1) + turns(&planes) +
         turns(&columns) + rounded(d.columns[1] - d.columns[0], sizeof(double)) +
         rounded(d.axis[d.last].n, sizeof(double)) + rounded(1, sizeof(double));
}
