/* fields/poisson/gpu_layout.c - see gpu_layout.h. */
#include "fields/poisson/gpu_layout.h"
#include "fields/poisson/gpu_sines.h"
#include "fields/poisson/parts.h"

_Static_assert(WN_FFT_PERIODIC == 0 && WN_FFT_COSINES_HALF == 4,
               "wn_poisson_lines_from_reals, wn_poisson_lines_norm");

struct wn_poisson_lines wn_poisson_lines(int along, int kind, int is_back,
                                         const int32_t extent[3])
{
  const int is_half = kind == WN_FFT_SINES_HALF || kind == WN_FFT_COSINES_HALF;
  const int32_t n = extent[along];
  struct wn_poisson_lines l = {.along = along,
                               .kind = is_half ? WN_FFT_COSINES_HALF : kind,
                               .is_turned = kind == WN_FFT_SINES_HALF,
                               .is_back = is_back,
                               .n = n,
                               .m = kind == WN_FFT_SINES     ? 2 * (n + 1)
                                    : kind == WN_FFT_COSINES ? 2 * (n - 1)
                                                             : n,
                               .extent = {extent[0], extent[1], extent[2]}};
  l.row = 2 * ((int64_t)l.m / 2 + 1);
  return l;
}

/* Enlarge *buffer to the doubles of these lines. */
static void enlarge(const struct wn_poisson_lines *l, size_t *buffer)
{
  size_t doubles = (size_t)l->row;
  for (int d = 0; d < 3; d++)
    doubles *= d == l->along ? 1 : (size_t)l->extent[d];
  *buffer = doubles > *buffer ? doubles : *buffer;
}

static int largest_prime(int n)
{
  int largest = 1;
  for (int p = 2; p * p <= n; p++)
    for (; n % p == 0; n /= p)
      largest = p;
  return n > 1 ? n : largest;
}

/* Doubles of work per double of a transform with a side of n points. */
static size_t work_times(int n, int together)
{
  const int prime = largest_prime(n);
  if (prime == 2 ? n <= (together ? 2048 : 4096) : prime <= 7 && n <= 600)
    return 0;
  return prime > 127 ? 4 : 2;
}

static size_t work_of(const struct wn_poisson_lines *l, int together)
{
  size_t doubles = 0, times = 0;
  enlarge(l, &doubles);
  for (int d = 0; d < 3; d++) {
    const int n = d == l->along ? l->m : together ? l->extent[d] : 1;
    const size_t more = work_times(n, together);
    times = more > times ? more : times;
  }
  return times * doubles * sizeof(double);
}

static int is_together(const struct wn_poisson_spec *spec)
{
  for (int d = 0; d < spec->dim && !wn_poisson_is_open(spec); d++)
    if (spec->side[2 * d] != WN_PERIODIC)
      return 0;
  return 1;
}

void wn_poisson_layout_take(const struct wn_poisson_lines *l, int together,
                            struct wn_poisson_layout *out)
{
  const size_t work = work_of(l, together);
  enlarge(l, &out->buffer);
  out->work = work > out->work ? work : out->work;
}

void wn_poisson_layout(const struct wn_poisson_spec *spec, struct wn_poisson_layout *out)
{
  const int is_open = wn_poisson_is_open(spec);
  int32_t extent[3] = {1, 1, 1}, nodes[3] = {1, 1, 1};
  *out = (struct wn_poisson_layout){.together = is_together(spec), .nodes = 1};
  for (int d = 0; d < spec->dim; d++) {
    nodes[d] = (int32_t)spec->cells[d] + 1;
    out->nodes *= (size_t)nodes[d];
    extent[d] =
        is_open ? 2 * (int32_t)spec->cells[d] : (int32_t)wn_poisson_axis(spec, d).n;
  }
  for (int d = 0; d < spec->dim; d++)
    for (int is_back = 0; is_back < 2; is_back++) {
      const enum wn_fft_kind kind =
          is_open ? WN_FFT_PERIODIC : wn_poisson_axis(spec, d).kind;
      if (!out->together || d == 0) {
        out->lines[d][is_back] = wn_poisson_lines(d, kind, is_back, extent);
        wn_poisson_layout_take(&out->lines[d][is_back], out->together, out);
      }
      if (kind != WN_FFT_PERIODIC || is_open || spec->method != WN_POISSON_SPECTRAL)
        continue;
      int32_t box[3] = {nodes[0], nodes[1], nodes[2]};
      box[d] = (int32_t)spec->cells[d];
      out->field[d][is_back] = wn_poisson_lines(d, kind, is_back, box);
      wn_poisson_layout_take(&out->field[d][is_back], 0, out);
    }
}

#define SECTOR 4 /* doubles */

static int64_t whole_sectors(int64_t doubles)
{
  return (doubles + SECTOR - 1) / SECTOR * SECTOR;
}

void wn_poisson_radial_layout(const struct wn_poisson_spec *spec,
                              struct wn_poisson_layout *out,
                              struct wn_poisson_columns *columns)
{
  const struct wn_poisson_axis r = wn_poisson_axis(spec, 0), z = wn_poisson_axis(spec, 1);
  const int32_t extent[3] = {(int32_t)r.n, (int32_t)z.n, 1};
  const int is_whole = z.kind == WN_FFT_SINES || z.kind == WN_FFT_COSINES;
  *out = (struct wn_poisson_layout){.nodes = (spec->cells[0] + 1) * (spec->cells[1] + 1)};
  struct wn_poisson_lines *l = out->lines[1];
  l[0] = wn_poisson_lines(1, (int)z.kind, 0, extent);
  const int32_t m = l[0].m, points[3] = {extent[0], m, 1};
  l[1] = is_whole ? wn_poisson_lines(1, WN_FFT_PERIODIC, 1, points)
                  : wn_poisson_lines(1, (int)z.kind, 1, extent);
  for (int is_back = 0; is_back < 2; is_back++) {
    l[is_back].row = whole_sectors(l[is_back].row);
    wn_poisson_layout_take(&l[is_back], 0, out);
  }
  *columns =
      (struct wn_poisson_columns){.kind = (int32_t)z.kind,
                                  .n = is_whole                    ? m / 2 + 1
                                       : z.kind == WN_FFT_PERIODIC ? 2 * (m / 2 + 1)
                                                                   : m,
                                  .at = z.kind == WN_FFT_SINES,
                                  .step = is_whole ? 2 : 1,
                                  .modes = (int32_t)z.n};
  columns->sines = wn_poisson_sines_log2(spec);
  if (columns->sines > 0) {
    out->buffer = out->work = 0;
    columns->n = (int32_t)spec->cells[1];
    columns->at = 0;
    columns->step = 1;
  }
  columns->pitch = whole_sectors(columns->n);
}

int64_t wn_poisson_column_mode(const struct wn_poisson_columns *l, int64_t c)
{
  if (l->sines > 0)
    return wn_poisson_sines_mode(l->sines, (int32_t)c) - 1;
  if (l->kind == WN_FFT_PERIODIC)
    return c / 2;
  if (l->kind == WN_FFT_COSINES)
    return c;
  if (l->kind == WN_FFT_SINES)
    return c - 1 < l->modes ? c - 1 : -1;
  return 2 * c < l->modes ? 2 * c : 2 * (l->modes - 1 - c) + 1;
}
