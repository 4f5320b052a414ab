/* particles/particles.c - see particles.h. */
#include "particles/particles.h"
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/error.h"
#include "particles/load_balance.h"
#include "particles/page_lock.h"
#include "particles/store.h"

int wn_particles_init(struct wn_particles *p, const struct wn_record *record,
                      size_t capacity, size_t limit)
{
  WN_ASSERT(record->bytes > 0 && record->bytes <= WN_RECORD_MAX &&
            record->bytes % 16 == 0 && record->t_left % 4 == 0 &&
            record->t_left + 4 <= record->bytes);
  *p = (struct wn_particles){.record = *record, .limit = limit};
  p->e = wn_alloc_aligned_unset(capacity > 0 ? capacity : 1, record->bytes, 64);
  if (p->e == NULL)
    return WN_ENOMEM;
  p->capacity = capacity > 0 ? capacity : 1;
  return WN_OK;
}

void wn_particles_use_threads(struct wn_particles *p, int threads)
{
  wn_store_free(p->scratch);
  p->scratch = threads > 1 ? wn_store_create(threads) : NULL;
}

void wn_particles_empty(struct wn_particles *p)
{
  p->n = 0;
  p->place = WN_PARTICLES_HOST;
  wn_particles_touched(p);
}

void wn_particles_to_host(struct wn_particles *p)
{
  wn_particles_empty(p);
  if (p->remote != NULL)
    p->remote_ops->free(p->remote);
  p->remote = NULL;
  p->remote_ops = NULL;
}

void wn_particles_clear(struct wn_particles *p)
{
  wn_particles_to_host(p);
  wn_particles_unlock_pages(p);
  free(p->e);
  wn_store_free(p->scratch);
  *p = (struct wn_particles){0};
}

static int check_limit(const struct wn_particles *p, size_t n, size_t n_more)
{
  if (n_more <= p->limit && n <= p->limit - n_more)
    return WN_OK;
  return WN_FAIL(WN_EFULL,
                 "the store is full: %zu particles and %zu newborns, but "
                 "population.capacity is %zu",
                 n, n_more, p->limit);
}

int wn_particles_reserve(struct wn_particles *p, size_t n_more)
{
  if (n_more <= p->capacity - p->n)
    return WN_OK;
  WN_TRY(check_limit(p, p->n, n_more));
  size_t want = p->n + n_more, capacity = p->capacity + p->capacity / 2;
  if (capacity < want)
    capacity = want;
  if (capacity > p->limit)
    capacity = p->limit;
  wn_particles_unlock_pages(p);
  void *e = p->e;
  const int grown =
      p->batches != NULL
          ? wn_page_lock_grow(&e, p->n * p->record.bytes, capacity * p->record.bytes)
          : wn_grow_aligned(&e, capacity, p->record.bytes, 64);
  p->e = e;
  if (!grown)
    return WN_FAIL(WN_EFULL,
                   "the store is full: out of memory: it has %zu particles and there is "
                   "no memory for %zu",
                   p->n, capacity);
  p->capacity = capacity;
  return WN_OK;
}

int wn_particles_append(struct wn_particles *p, const void *e, size_t n)
{
  if (n == 0)
    return WN_OK; /* e may then be NULL, which memcpy does not allow */
  WN_TRY(wn_particles_host(p));
  WN_TRY(wn_particles_reserve(p, n));
  memcpy(wn_particles_at(p, p->n), e, n * p->record.bytes);
  p->n += n;
  return WN_OK;
}

static int fetch(struct wn_particles *p, enum wn_particles_place place)
{
  if (p->place == WN_PARTICLES_REMOTE)
    WN_TRY(p->remote_ops->to_host(p->remote, p));
  if (p->remote_ops != NULL)
    p->place = place;
  return WN_OK;
}

int wn_particles_read(struct wn_particles *p)
{
  return p->place == WN_PARTICLES_REMOTE ? fetch(p, WN_PARTICLES_BOTH) : WN_OK;
}

void wn_particles_read_over(struct wn_particles *p)
{
  if (p->place == WN_PARTICLES_BOTH)
    p->place = WN_PARTICLES_REMOTE;
}

int wn_particles_host(struct wn_particles *p)
{
  return fetch(p, WN_PARTICLES_HOST);
}

int wn_particles_compact(struct wn_particles *p)
{
  const size_t before = p->n;
  if (p->place == WN_PARTICLES_REMOTE) {
    WN_TRY(p->remote_ops->compact(p->remote, p));
  } else {
    WN_TRY(wn_particles_host(p));
    wn_store_compact(p);
  }
  p->removals += p->n != before;
  return WN_OK;
}

static int is_census(const struct wn_census *c, const struct wn_sample *what)
{
  return what->kind == WN_SAMPLE_ELECTRONS && c->n > 0 &&
         c->what.kind == WN_SAMPLE_ELECTRONS && c->what.unit == what->unit &&
         c->what.velocities == what->velocities &&
         c->what.relativistic == what->relativistic;
}

void wn_particles_complete_census(struct wn_particles *p)
{
  struct wn_census *c = &p->census;
  if (!c->wanted || c->n == 0)
    return;
  for (size_t i = c->n; i < p->n; i++)
    if (!wn_particles_is_dead(p, i))
      wn_sample_add(&c->what, wn_particles_at(p, i), c->sum);
  c->n = p->n;
}

int wn_particles_sample_here(const struct wn_particles *p, const struct wn_sample *what,
                             wn_i128 *sums)
{
  if (p->place != WN_PARTICLES_HOST)
    return p->remote_ops->sample(p->remote, p, what, sums);
  size_t first = 0;
  if (is_census(&p->census, what)) {
    first = p->census.n;
    for (int k = 0; k < WN_POINT_SUMS; k++)
      sums[k] += p->census.sum[k];
  }
  wn_store_sample(p, first, what, sums);
  return WN_OK;
}

int wn_particles_sample(const struct wn_particles *p, const struct wn_sample *what,
                        wn_i128 *sums)
{
  if (wn_ranks() == 1)
    return wn_particles_sample_here(p, what, sums);
  const size_t n = wn_sample_cells(what);
  wn_i128 *here = wn_alloc(n, sizeof *here);
  int status = here != NULL ? wn_particles_sample_here(p, what, here) : WN_ENOMEM;
  if (status == WN_OK)
    wn_ranks_sum(here, n);
  for (size_t i = 0; i < n && status == WN_OK; i++)
    sums[i] += here[i];
  free(here);
  return status;
}

/* With several ranks sums are not deferred: a store may be on the host on one rank and on a
 * GPU on another. */
int wn_particles_sample_deferred(const struct wn_particles *p,
                                 const struct wn_sample *what, wn_i128 *sums)
{
  return p->place != WN_PARTICLES_HOST && wn_ranks() == 1
             ? p->remote_ops->sample_late(p->remote, p, what, sums)
             : wn_particles_sample(p, what, sums);
}

int wn_particles_add_deferred(const struct wn_particles *p, wn_i128 *sums)
{
  return p->remote != NULL && wn_ranks() == 1 ? p->remote_ops->bring_late(p->remote, sums)
                                              : WN_OK;
}

static int change_here(struct wn_particles *p, const struct wn_change *change,
                       struct wn_changed *done)
{
  wn_particles_touched(p);
  if (p->place != WN_PARTICLES_HOST)
    return p->remote_ops->change(p->remote, p, change, done);
  WN_TRY(wn_particles_reserve(p, change->n_copies));
  wn_store_change(p, change, done);
  return WN_OK;
}

/* Sums of the changes over all ranks. */
static void bring_together(const struct wn_change *change, struct wn_changed *done)
{
  uint64_t n[] = {done->killed, done->copied, done->heavy};
  wn_ranks_sum_u64(n, 3);
  done->killed = n[0];
  done->copied = n[1];
  done->heavy = n[2];
  if (done->roulette != NULL)
    wn_ranks_sum(done->roulette,
                 2 * (size_t)change->n_groups * wn_levels_number(&change->levels));
}

int wn_particles_change(struct wn_particles *p, const struct wn_change *change,
                        struct wn_changed *done)
{
  struct wn_changed here = {.roulette = done->roulette};
  WN_TRY(check_limit(p, wn_particles_all(p), change->n_copies_all));
  WN_TRY(wn_particles_room(change_here(p, change, &here)));
  bring_together(change, &here);
  done->killed += here.killed;
  done->copied += here.copied;
  done->heavy += here.heavy;
  return WN_OK;
}

int wn_particles_change_and_remove(struct wn_particles *p, const struct wn_change *change,
                                   struct wn_changed *done)
{
  WN_TRY(wn_particles_change(p, change, done));
  if (done->heavy > 0)
    return WN_FAIL(WN_ERUN,
                   "an electron would have a weight of more than %g: shorten the run or "
                   "lower the field",
                   WN_MAX_WEIGHT);
  if (done->killed > 0)
    WN_TRY(wn_particles_compact(p));
  wn_particles_count(p);
  return WN_OK;
}

int wn_particles_state(struct wn_particles *p, struct wn_state *s)
{
  struct wn_record record = p->record;
  if (s->way == WN_STATE_SAVE)
    WN_TRY(wn_particles_read(p));
  wn_particles_count(p); /* copying the store to the host may drop dead particles */
  size_t n = wn_particles_all(p);
  WN_TRY(WN_STATE(s, record));
  if (record.bytes != p->record.bytes || record.t_left != p->record.t_left ||
      record.no_t_left != p->record.no_t_left)
    return WN_FAIL(WN_EINPUT,
                   "a saved state has records of %zu bytes (t_left at %zu), this species "
                   "of %zu (%zu)",
                   record.bytes, record.t_left, p->record.bytes, p->record.t_left);
  WN_TRY(WN_STATE(s, n));
  return wn_particles_records_state(p, s, n);
}
