/* particles/load_balance.c - see load_balance.h. */
#include "particles/load_balance.h"
#include <stdlib.h>
#include "base/alloc.h"

void wn_particles_count(struct wn_particles *p)
{
  uint64_t n = wn_particles_here(p);
  wn_ranks_sum_u64(&n, 1);
  p->n_all = (size_t)n;
}

int wn_particles_room(int status)
{
  if (wn_ranks_any(wn_particles_no_room(status)) && status == WN_OK)
    return WN_FAIL(WN_EFULL, "the store is full: that of another process");
  return status;
}

static int check_limit(const struct wn_particles *p)
{
  if (wn_ranks() == 1 || p->n_all <= p->limit)
    return WN_OK;
  return WN_FAIL(WN_EFULL,
                 "the store is full: %zu particles, but population.capacity is %zu",
                 p->n_all, p->limit);
}

int wn_particles_within(struct wn_particles *p)
{
  wn_particles_count(p);
  return check_limit(p);
}

/* ---- balance */

#define TOO_MANY (1.0 / 10.0) /* of a share */
#define FEW      256          /* fewer do not need a message */

/* Moves k records from the end of one rank's store to that of another. */
static int move(struct wn_particles *p, int from, int to, size_t k)
{
  const size_t bytes = k * p->record.bytes;
  if (wn_rank() != from && wn_rank() != to)
    return WN_OK;
  WN_TRY(wn_particles_host(p));
  wn_particles_touched(p);
  if (wn_rank() == from) {
    p->n -= k;
    wn_ranks_send(to, wn_particles_at(p, p->n), bytes);
    return WN_OK;
  }
  WN_TRY(wn_particles_reserve(p, k));
  wn_ranks_receive(from, wn_particles_at(p, p->n), bytes);
  p->n += k;
  return WN_OK;
}

/* Ranks with too many particles send, in turn, to those with too few; n: numbers on each rank.
 * Every rank goes through all pairs, so that the order is the same everywhere. */
static int level(struct wn_particles *p, uint64_t *n)
{
  const int ranks = wn_ranks();
  for (int from = 0, to = 0; from < ranks && to < ranks;) {
    const size_t has = wn_ranks_share(p->n_all, from + 1, ranks) -
                       wn_ranks_share(p->n_all, from, ranks),
                 wants = wn_ranks_share(p->n_all, to + 1, ranks) -
                         wn_ranks_share(p->n_all, to, ranks);
    if (n[from] <= has) {
      from++;
    } else if (n[to] >= wants) {
      to++;
    } else {
      const size_t more = n[from] - has, fewer = wants - n[to],
                   k = more < fewer ? more : fewer;
      WN_TRY(move(p, from, to, k));
      n[from] -= k;
      n[to] += k;
    }
  }
  return WN_OK;
}

int wn_particles_balance(struct wn_particles *p)
{
  const int ranks = wn_ranks();
  if (ranks == 1)
    return WN_OK;
  const uint64_t mine = p->n;
  uint64_t *n = wn_alloc((size_t)ranks, sizeof *n), sum = 0, most = 0;
  if (n == NULL)
    return WN_ENOMEM;
  wn_ranks_gather(&mine, sizeof mine, n);
  for (int r = 0; r < ranks; r++) {
    sum += n[r];
    most = n[r] > most ? n[r] : most;
  }
  p->n_all = (size_t)sum;
  const double share = (double)sum / ranks;
  const int status = (double)most > (1.0 + TOO_MANY) * share && (double)most > share + FEW
                         ? level(p, n)
                         : WN_OK;
  free(n);
  return status == WN_OK ? check_limit(p) : status;
}

/* ---- state */

#define AT_ONCE ((size_t)1 << 16) /* records in a message, from other ranks to the file */

/* The records of the other ranks follow those of rank 0. */
static int save_others(struct wn_state *s, const uint64_t *n, size_t bytes)
{
  unsigned char *piece = wn_alloc(AT_ONCE, bytes);
  int status = piece != NULL ? WN_OK : WN_ENOMEM;
  for (int r = 1; r < wn_ranks() && status == WN_OK; r++)
    for (size_t i = 0; i < n[r] && status == WN_OK; i += AT_ONCE) {
      const size_t k = n[r] - i < AT_ONCE ? n[r] - i : AT_ONCE;
      if (!s->is_dry)
        wn_ranks_receive(r, piece, k * bytes);
      status = wn_state_part(s, piece, k * bytes);
    }
  free(piece);
  return status;
}

int wn_records_save(struct wn_state *s, const char *name, void *e, size_t n, size_t all,
                    size_t bytes)
{
  if (wn_ranks() == 1)
    return wn_state_item(s, name, e, n * bytes);
  const uint64_t mine = n;
  uint64_t *each = wn_alloc((size_t)wn_ranks(), sizeof *each);
  if (each == NULL)
    return WN_ENOMEM;
  wn_ranks_gather(&mine, sizeof mine, each);
  int status = wn_state_head(s, name, all * bytes);
  if (status == WN_OK)
    status = wn_state_part(s, e, n * bytes);
  if (wn_rank() == 0 && status == WN_OK)
    status = save_others(s, each, bytes);
  for (size_t i = 0; wn_rank() > 0 && !s->is_dry && i < n; i += AT_ONCE)
    wn_ranks_send(0, (const unsigned char *)e + i * bytes,
                  (n - i < AT_ONCE ? n - i : AT_ONCE) * bytes);
  free(each);
  return status;
}

int wn_particles_records_state(struct wn_particles *p, struct wn_state *s, size_t n)
{
  const size_t bytes = p->record.bytes;
  if (s->way == WN_STATE_SAVE)
    return wn_records_save(s, "p->e", p->e, wn_ranks() > 1 ? p->n : n, n, bytes);
  const size_t first = wn_ranks_share(n, wn_rank(), wn_ranks()),
               last = wn_ranks_share(n, wn_rank() + 1, wn_ranks());
  wn_particles_empty(p);
  WN_TRY(wn_particles_reserve(p, last - first));
  WN_TRY(wn_state_item_part(s, "p->e", p->e, n * bytes, first * bytes,
                            (last - first) * bytes));
  p->n = last - first;
  p->n_all = n;
  return WN_OK;
}
