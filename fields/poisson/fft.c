/* fields/poisson/fft.c - lines of an array through FFTW.  Several at a time are copied into a
 * buffer, transformed, and copied back.  So a column of a large array costs no more cache
 * lines than a row.  The grouping of lines depends on the array alone, and each thread
 * has a buffer of its own: the same bits for any number of threads, which FFTW's own
 * threads do not guarantee. */
#include <fftw3.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/error.h"
#include "base/threads.h"
#include "fields/poisson/fft.h"

#define LINES 8    /* doubles of a cache line */
#define FEW   8192 /* values: below, threads cost more than they save */

struct wn_fft {
  enum wn_fft_kind kind;
  size_t n, lines, threads;
  size_t place; /* doubles of a thread's buffer */
  double *buffer;
  fftw_plan plan[2]; /* by enum wn_fft_direction */
};

static const fftw_r2r_kind kinds[][2] = {
    [WN_FFT_PERIODIC] = {FFTW_R2HC, FFTW_HC2R},
    [WN_FFT_SINES] = {FFTW_RODFT00, FFTW_RODFT00},
    [WN_FFT_COSINES] = {FFTW_REDFT00, FFTW_REDFT00},
    [WN_FFT_SINES_HALF] = {FFTW_RODFT01, FFTW_RODFT10},
    [WN_FFT_COSINES_HALF] = {FFTW_REDFT01, FFTW_REDFT10},
};

/* Whole cache lines, so that threads share none and all buffers have the same alignment.
 * FFTW requires that for a buffer other than that of the plan. */
static size_t place_of(size_t n, int many)
{
  size_t values = n * (many ? LINES : 1);
  return (values + LINES - 1) / LINES * LINES;
}

size_t wn_fft_bytes(size_t n, int many, int threads)
{
  return sizeof(struct wn_fft) +
         (size_t)wn_threads(threads) * place_of(n, many) * sizeof(double);
}

void wn_fft_free(struct wn_fft *f)
{
  if (f == NULL)
    return;
  for (int i = 0; i < 2; i++)
    if (f->plan[i] != NULL)
      fftw_destroy_plan(f->plan[i]);
  free(f->buffer);
  free(f);
}

int wn_fft_create(enum wn_fft_kind kind, size_t n, int many, int threads,
                  struct wn_fft **out)
{
  struct wn_fft *f = wn_alloc(1, sizeof *f);
  if (f == NULL)
    return WN_ENOMEM;
  f->kind = kind;
  f->n = n;
  f->lines = many ? LINES : 1;
  f->threads = (size_t)wn_threads(threads);
  f->place = place_of(n, many);
  int status = WN_OK, length = (int)n;
  f->buffer = wn_alloc_aligned(f->threads * f->place, sizeof *f->buffer, 64);
  if (f->buffer == NULL)
    status = WN_ENOMEM;
  for (int i = 0; i < 2 && status == WN_OK; i++) {
    f->plan[i] =
        fftw_plan_many_r2r(1, &length, (int)f->lines, f->buffer, NULL, 1, length,
                           f->buffer, NULL, 1, length, &kinds[kind][i], FFTW_ESTIMATE);
    if (f->plan[i] == NULL)
      status = WN_FAIL(WN_EINTERN, "FFTW made no plan for lines of %d values", length);
  }
  if (status != WN_OK) {
    wn_fft_free(f);
    return status;
  }
  *out = f;
  return WN_OK;
}

double wn_fft_norm(const struct wn_fft *f)
{
  double n = (double)f->n;
  switch (f->kind) {
  case WN_FFT_PERIODIC:
    return n;
  case WN_FFT_SINES:
    return 2.0 * (n + 1.0);
  case WN_FFT_COSINES:
    return 2.0 * (n - 1.0);
  default:
    return 2.0 * n;
  }
}

/* `lines` lines of n values, the first at `a`; `line`: distance between lines, `step`:
 * between values of a line. */
static void transform(const struct wn_fft *f, enum wn_fft_direction direction, double *a,
                      size_t lines, size_t line, size_t step, double *buffer)
{
  size_t n = f->n;
  if (step == 1)
    for (size_t l = 0; l < lines; l++)
      memcpy(buffer + l * n, a + l * line, n * sizeof *a);
  else
    for (size_t i = 0; i < n; i++)
      for (size_t l = 0; l < lines; l++)
        buffer[l * n + i] = a[i * step + l * line];
  fftw_execute_r2r(f->plan[direction], buffer, buffer);
  if (step == 1)
    for (size_t l = 0; l < lines; l++)
      memcpy(a + l * line, buffer + l * n, n * sizeof *a);
  else
    for (size_t i = 0; i < n; i++)
      for (size_t l = 0; l < lines; l++)
        a[i * step + l * line] = buffer[l * n + i];
}

void wn_fft_lines(const struct wn_fft *f, enum wn_fft_direction direction, double *a,
                  const size_t n[3], const size_t step[3], int d)
{
  int inner = d == 0 ? 1 : 0, outer = d == 2 ? 1 : 2;
  size_t groups = (n[inner] + f->lines - 1) / f->lines, all = groups * n[outer];
  WN_ASSERT(n[d] == f->n && step[0] == 1);
#ifdef _OPENMP
#pragma omp parallel for num_threads((int)f->threads)                                    \
    schedule(static) if (f->threads > 1 && n[0] * n[1] * n[2] > FEW)
#endif
  for (size_t g = 0; g < all; g++) {
    size_t first = g % groups * f->lines, left = n[inner] - first, place = 0;
#ifdef _OPENMP
    place = (size_t)omp_get_thread_num();
#endif
    transform(f, direction, a + g / groups * step[outer] + first * step[inner],
              left < f->lines ? left : f->lines, step[inner], step[d],
              f->buffer + place * f->place);
  }
}
