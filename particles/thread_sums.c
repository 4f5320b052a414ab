/* particles/thread_sums.c - see thread_sums.h. */
#include "particles/thread_sums.h"
#include <stdlib.h>
#include "base/alloc.h"
#include "base/threads.h"

/* Rows begin at a cache line, and a line prefetched with it belongs to the same thread. */
#define PAD 8

static size_t padded(size_t cells)
{
  return (cells + PAD - 1) / PAD * PAD;
}

int wn_thread_sums_reserve(struct wn_thread_sums *s, int threads, size_t cells)
{
  const size_t n = (size_t)(threads - 1) * padded(cells);
  if (n <= s->n)
    return 1;
  wn_thread_sums_clear(s);
  s->rows = wn_alloc_aligned(n, sizeof *s->rows, 128);
  s->n = s->rows != NULL ? n : 0;
  return s->rows != NULL;
}

void wn_thread_sums_clear(struct wn_thread_sums *s)
{
  free(s->rows);
  *s = (struct wn_thread_sums){0};
}

wn_i128 *wn_thread_sums_row(const struct wn_thread_sums *s, int me, size_t cells,
                            wn_i128 *sums)
{
  return me == 0 ? sums : &s->rows[(size_t)(me - 1) * padded(cells)];
}

void wn_thread_sums_collect(struct wn_thread_sums *s, int me, int team, size_t cells,
                            wn_i128 *sums)
{
  const size_t begin = wn_thread_part(cells, me, team),
               end = wn_thread_part(cells, me + 1, team);
#ifdef _OPENMP
#pragma omp barrier
#endif
  for (int k = 1; k < team; k++) {
    wn_i128 *row = wn_thread_sums_row(s, k, cells, sums);
    for (size_t i = begin; i < end; i++)
      if (row[i] != 0) { /* most are 0: their lines stay with their thread */
        sums[i] += row[i];
        row[i] = 0;
      }
  }
#ifdef _OPENMP
#pragma omp barrier
#endif
}
