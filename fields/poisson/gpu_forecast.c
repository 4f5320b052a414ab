/* fields/poisson/gpu_forecast.c - which method a grid takes on a GPU, and its memory there: gpu_list.h. */
#include "fields/poisson/gpu_list.h"
#include <stdint.h>
#include "base/alloc.h"
#include "base/error.h"
#include "device/sizes.h"
#include "fields/poisson/gpu.h"
#include "fields/poisson/gpu_layout.h"
#include "fields/poisson/gpu_multigrid.h"
#include "fields/poisson/gpu_pairs.h"
#include "fields/poisson/gpu_sines.h"
#include "fields/poisson/parts.h"

/* One block handles a line of at most so many cells; rounding grows with them. */
#define DIRECT_CELLS 16384

static size_t bytes_of(const struct wn_poisson_layout *l)
{
  return 2 * wn_gpu_round(l->buffer * sizeof(double), WN_GPU_ALIGN) +
         wn_gpu_round(l->work, WN_GPU_ALIGN);
}

int wn_poisson_gpu_direct_takes(const struct wn_poisson_spec *spec)
{
  return spec->dim == 1 && spec->cells[0] <= DIRECT_CELLS &&
         (wn_poisson_is_open(spec) || spec->method == WN_POISSON_DIFFERENCES);
}

size_t wn_poisson_gpu_direct_bytes(const struct wn_poisson_spec *spec)
{
  (void)spec;
  return 0;
}

int wn_poisson_gpu_radial_takes(const struct wn_poisson_spec *spec)
{
  return spec->dim == 2 && wn_axis_is_radial(&spec->geometry.axis[0]) &&
         spec->geometry.axis[1].x == NULL &&
         (wn_poisson_needs(spec) & ~wn_poisson_mixed.supports) == 0;
}

size_t wn_poisson_gpu_radial_bytes(const struct wn_poisson_spec *spec)
{
  struct wn_poisson_layout l;
  struct wn_poisson_columns c;
  wn_poisson_radial_layout(spec, &l, &c);
  const struct wn_poisson_lines *z = &l.lines[1][0];
  const size_t columns =
      wn_gpu_round((size_t)z->extent[0] * (size_t)c.pitch * sizeof(double), WN_GPU_ALIGN);
  size_t bytes = bytes_of(&l) + columns +
                 wn_gpu_round(2 * (spec->cells[0] + 1) * sizeof(double), WN_GPU_ALIGN);
  if (c.sines > 0)
    bytes += columns +
             wn_gpu_round(wn_poisson_sines_table(c.sines) * sizeof(double), WN_GPU_ALIGN);
  if (z->kind == WN_FFT_COSINES_HALF)
    bytes += wn_gpu_round((size_t)z->row * sizeof(double), WN_GPU_ALIGN);
  return bytes;
}

int wn_poisson_gpu_open_takes(const struct wn_poisson_spec *spec)
{
  return wn_poisson_is_open(spec);
}

size_t wn_poisson_gpu_open_bytes(const struct wn_poisson_spec *spec)
{
  struct wn_poisson_layout l;
  wn_poisson_layout(spec, &l);
  return bytes_of(&l) + wn_gpu_round(l.nodes * sizeof(double), WN_GPU_ALIGN);
}

/* Open sides, and grids that are divided, are those of others.  Kernels have no links between nodes. */
int wn_poisson_gpu_multigrid_takes(const struct wn_poisson_spec *spec)
{
  const unsigned needs = wn_poisson_needs(spec);
  return spec->dim > 1 && spec->n_links == 0 &&
         (needs & ~wn_poisson_multigrid.supports) == 0 &&
         (needs & wn_poisson_multigrid.supports) != 0;
}

size_t wn_poisson_gpu_multigrid_bytes(const struct wn_poisson_spec *spec)
{
  struct wn_multigrid_solver *m = wn_alloc(1, sizeof *m);
  size_t bytes = SIZE_MAX;
  if (m != NULL && wn_multigrid_prepare(m, spec) == WN_OK) {
    const struct wn_multigrid_gpu_room r = wn_multigrid_gpu_room(m);
    bytes = wn_gpu_round(r.floats * sizeof(float), WN_GPU_ALIGN) +
            wn_gpu_round(r.doubles * sizeof(double), WN_GPU_ALIGN) +
            wn_gpu_round(r.integers * sizeof(int32_t), WN_GPU_ALIGN) +
            wn_gpu_round(r.flags, WN_GPU_ALIGN) +
            wn_gpu_round(WN_MULTIGRID_VIEWS, WN_GPU_ALIGN);
  }
  if (m != NULL)
    wn_poisson_multigrid.free(&m->head);
  return bytes;
}

int wn_poisson_gpu_shared_takes(const struct wn_poisson_spec *spec)
{
  struct wn_poisson_pairs l;
  const int32_t prime = wn_poisson_pairs_prime(spec);
  for (int d = 0; d < spec->dim; d++) {
    const struct wn_poisson_axis a = wn_poisson_axis(spec, d);
    if (!wn_poisson_pairs_init(&a, spec->cells[d], prime, &l) ||
        (a.kind == WN_FFT_PERIODIC && spec->method == WN_POISSON_SPECTRAL))
      return 0;
  }
  return spec->dim > 1;
}

size_t wn_poisson_gpu_shared_bytes(const struct wn_poisson_spec *spec)
{
  struct wn_poisson_pairs l;
  size_t values = 1, bytes = 0;
  for (int d = 0; d < 3; d++) {
    const struct wn_poisson_axis a =
        d < spec->dim ? wn_poisson_axis(spec, d) : (struct wn_poisson_axis){.n = 1};
    const size_t n = d == 0 ? (size_t)wn_poisson_pairs_row((int32_t)a.n) : a.n;
    values *= n;
    bytes += wn_gpu_round(n * sizeof(double), WN_GPU_ALIGN);
    if (d < spec->dim &&
        wn_poisson_pairs_init(&a, spec->cells[d], wn_poisson_pairs_prime(spec), &l))
      bytes += wn_gpu_round(wn_poisson_pairs_table(&l) * sizeof(double), WN_GPU_ALIGN);
  }
  return bytes + wn_gpu_round(values * sizeof(double), WN_GPU_ALIGN);
}

int wn_poisson_gpu_modes_takes(const struct wn_poisson_spec *spec)
{
  (void)spec;
  return 1;
}

size_t wn_poisson_gpu_modes_bytes(const struct wn_poisson_spec *spec)
{
  struct wn_poisson_layout l;
  wn_poisson_layout(spec, &l);
  size_t bytes = bytes_of(&l);
  for (int d = 0; d < spec->dim; d++)
    if (l.lines[d][0].kind == WN_FFT_COSINES_HALF)
      bytes += wn_gpu_round((size_t)l.lines[d][0].row * sizeof(double), WN_GPU_ALIGN);
  for (int d = 0; d < 3; d++)
    bytes += wn_gpu_round(
        (d < spec->dim ? wn_poisson_axis(spec, d).n : 1) * sizeof(double), WN_GPU_ALIGN);
  return bytes;
}

static const struct {
  const char *name;
  int (*takes)(const struct wn_poisson_spec *spec);
  size_t (*bytes)(const struct wn_poisson_spec *spec);
} methods[] = {
#define X(method)                                                                        \
  {#method, wn_poisson_gpu_##method##_takes, wn_poisson_gpu_##method##_bytes},
    WN_POISSON_GPU_LIST(X)
#undef X
};

int wn_poisson_gpu_check(const struct wn_poisson_spec *spec)
{
  return wn_poisson_gpu_radial_takes(spec) || wn_poisson_gpu_multigrid_takes(spec)
             ? wn_poisson_check(spec)
             : wn_poisson_check_uniform(spec, "a GPU");
}

int wn_poisson_gpu_number(const struct wn_poisson_spec *spec)
{
  int i = 0;
  while (!methods[i].takes(spec)) /* the last takes all */
    i++;
  return i;
}

const char *wn_poisson_gpu_method(const struct wn_poisson_spec *spec)
{
  return methods[wn_poisson_gpu_number(spec)].name;
}

size_t wn_poisson_gpu_bytes(const struct wn_poisson_spec *spec)
{
  double nodes = wn_poisson_is_open(spec) ? 8.0 : 1.0;
  for (int d = 0; d < spec->dim; d++)
    nodes *= (double)spec->cells[d] + 1.0;
  if (nodes > 1e17)
    return SIZE_MAX;
  return methods[wn_poisson_gpu_number(spec)].bytes(spec);
}
