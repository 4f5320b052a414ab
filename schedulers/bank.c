/* schedulers/bank.c - see bank.h. */
#include "schedulers/bank.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/ranks.h"
#include "base/state.h"
#include "particles/load_balance.h"

static void *record(const struct wn_bank *b, size_t i, size_t offset)
{
  return (unsigned char *)b->at + i * b->is->bytes + offset;
}

int wn_bank_room(struct wn_bank *b, size_t n)
{
  if (b->n + n <= b->n_max)
    return WN_OK;
  const size_t n_max = 2 * b->n_max + n + 64;
  void *p = wn_realloc(b->at, n_max, b->is->bytes);
  if (p == NULL)
    return WN_ENOMEM;
  b->at = p;
  b->n_max = n_max;
  return WN_OK;
}

void wn_bank_scale(struct wn_bank *b, const double *factor, wn_bank_group *group_of,
                   uint32_t n_groups, int to_origin, wn_bank_scaled *scaled, void *to)
{
  size_t kept = 0;
  for (size_t i = 0; i < b->n; i++) {
    double *weight = record(b, i, b->is->weight), *x = record(b, i, 0), before = *weight;
    const uint32_t *tag = record(b, i, b->is->tag);
    if (factor != NULL)
      *weight *= factor[group_of(*tag, n_groups)];
    for (int k = 0; k < 3; k++)
      x[k] = to_origin ? 0.0 : x[k];
    if (scaled(to, record(b, i, 0), before))
      memmove(record(b, kept++, 0), record(b, i, 0), b->is->bytes);
  }
  b->n = kept;
}

int wn_bank_state(struct wn_bank *b, struct wn_state *s)
{
  uint64_t all = b->n;
  if (s->way == WN_STATE_SAVE)
    wn_ranks_sum_u64(&all, 1);
  WN_TRY(wn_state_item(s, b->is->name, &all, sizeof all));
  if (s->way == WN_STATE_SAVE)
    return all > 0
               ? wn_records_save(s, b->is->name, b->at, b->n, (size_t)all, b->is->bytes)
               : WN_OK;
  const size_t first = wn_ranks_share((size_t)all, wn_rank(), wn_ranks()),
               n = wn_ranks_share((size_t)all, wn_rank() + 1, wn_ranks()) - first,
               bytes = b->is->bytes;
  b->n = 0;
  WN_TRY(wn_bank_room(b, n));
  if (all > 0)
    WN_TRY(wn_state_item_part(s, b->is->name, b->at, (size_t)all * bytes, first * bytes,
                              n * bytes));
  b->n = n;
  return WN_OK;
}

int wn_bank_sums_state(struct wn_state *s, const char *name, int64_t *sums, size_t n)
{
  if (s->way == WN_STATE_SAVE)
    wn_ranks_sum_i64(sums, n);
  WN_TRY(wn_state_item(s, name, sums, n * sizeof *sums));
  if (wn_rank() > 0)
    memset(sums, 0, n * sizeof *sums);
  return WN_OK;
}
