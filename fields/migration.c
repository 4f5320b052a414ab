/* fields/migration.c - particles go to the rank that has their cell: see electrostatic_parts.h. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/error.h"
#include "base/threads.h"
#include "fields/electrostatic_parts.h"
#include "particles/load_balance.h"
#include "physics/electron.h"

/* Particles whose cell is on another rank, in the order of the store. */
struct leavers {
  size_t n, capacity;
  struct leaver {
    size_t i;
    int to;
  } * of;
  int fast, failed;
};

struct wn_migration wn_migration_of(const struct wn_electrostatic *f,
                                    const struct wn_particles *p, double dt)
{
  const struct wn_slab *s = &f->slab;
  const size_t d = (size_t)s->axis, dim = (size_t)f->grid.dim;
  const int bits = f->grid.bits[d], is_point = p->record.no_t_left != 0;
  return (struct wn_migration){
      .bytes = p->record.bytes,
      .x = is_point ? d * sizeof(union wn_word)
                    : offsetof(struct wn_electron, at) + d * sizeof(int32_t),
      .u = is_point ? (dim + d) * sizeof(union wn_word)
                    : offsetof(struct wn_electron, u) + d * sizeof(float),
      .dead = p->record.t_left,
      .bits = bits,
      .rank = s->rank,
      .ranks = s->ranks,
      .most = (float)(2.0 * f->grid.h[d] / dt),
      .low = s->own[0] << bits,
      .wide = (uint64_t)(s->own[1] - s->own[0]) << bits,
      .cells = s->cells};
}

static void note(struct leavers *m, size_t i, int to)
{
  if (m->n == m->capacity) {
    const size_t more = 2 * m->capacity + 1024;
    struct leaver *of = wn_realloc(m->of, more, sizeof *of);
    if (of == NULL) {
      m->failed = 1;
      return;
    }
    m->of = of;
    m->capacity = more;
  }
  m->of[m->n++] = (struct leaver){i, to};
}

/* Those of [begin, end). */
static void search(const struct wn_migration *l, const struct wn_particles *p,
                   size_t begin, size_t end, struct leavers *m)
{
  const unsigned char *at = p->e + begin * l->bytes;
  for (size_t i = begin; i < end; i++, at += l->bytes) {
    const int to = wn_migration_to(l, at, &m->fast);
    if (to != l->rank)
      note(m, i, to);
  }
}

/* Those of all threads, in the order of the threads. */
static void join(struct leavers *m, const struct leavers *next)
{
  m->fast |= next->fast;
  m->failed |= next->failed;
  for (size_t i = 0; i < next->n && !m->failed; i++)
    note(m, next->of[i].i, next->of[i].to);
}

static void find(const struct wn_electrostatic *f, const struct wn_particles *p,
                 double dt, struct leavers *out)
{
  const struct wn_migration l = wn_migration_of(f, p, dt);
#ifdef _OPENMP
  const int threads = f->threads;
#pragma omp parallel for ordered num_threads(threads) schedule(static, 1)
  for (int t = 0; t < threads; t++) {
    struct leavers mine = {0};
    search(&l, p, wn_ranks_share(p->n, t, threads), wn_ranks_share(p->n, t + 1, threads),
           &mine);
#pragma omp ordered
    join(out, &mine);
    free(mine.of);
  }
#else
  (void)join;
  search(&l, p, 0, p->n, out);
#endif
}

/* The records that leave to `out`, by rank, f->send for each; the last of those that stay fill the
 * gaps. */
static void part(const struct wn_electrostatic *f, struct wn_particles *p,
                 const struct leavers *m, unsigned char *out)
{
  const size_t bytes = p->record.bytes;
  size_t *next = f->next, end = p->n, last = m->n;
  for (int r = 0; r < f->slab.ranks; r++)
    next[r] = r > 0 ? next[r - 1] + f->send[r - 1] : 0;
  for (size_t k = 0; k < m->n; k++)
    memcpy(out + bytes * next[m->of[k].to]++, wn_particles_at(p, m->of[k].i), bytes);
  for (size_t k = 0; k < last; k++) {
    for (; last > k && m->of[last - 1].i == end - 1; last--, end--)
      ;
    if (last > k)
      memcpy(wn_particles_at(p, m->of[k].i), wn_particles_at(p, --end), bytes);
  }
  p->n -= m->n;
}

size_t wn_migration_count(const struct wn_electrostatic *f)
{
  size_t in = 0;
  for (int r = 0; r < f->slab.ranks; r++)
    f->next[r] = 1; /* a word each */
  wn_ranks_exchange(f->send, f->next, f->receive, f->next);
  for (int r = 0; r < f->slab.ranks; r++)
    in += f->receive[r];
  return in;
}

static int move(const struct wn_electrostatic *f, struct wn_particles *p,
                const struct leavers *m)
{
  const size_t words = p->record.bytes / 8, ranks = (size_t)f->slab.ranks;
  const size_t in = wn_migration_count(f);
  unsigned char *going = wn_alloc(m->n + 1, p->record.bytes);
  const int status =
      wn_particles_room(going != NULL ? wn_particles_reserve(p, in) : WN_ENOMEM);
  if (status == WN_OK) {
    wn_particles_touched(p);
    part(f, p, m, going);
    for (size_t r = 0; r < ranks; r++) {
      f->send[r] *= words;
      f->receive[r] *= words;
    }
    wn_ranks_exchange(going, f->send, wn_particles_at(p, p->n), f->receive);
    p->n += in;
  }
  free(going);
  return status;
}

int wn_migration_too_fast(const struct wn_electrostatic *f, int here)
{
  if (!wn_ranks_any(here))
    return WN_OK;
  return WN_FAIL(WN_ERUN,
                 "a particle%s crosses more than a cell along %c in half a step, which "
                 "a grid that is divided in slabs does not allow; take a shorter "
                 "plasma.time_step, or divide = \"electrons\"",
                 here ? "" : " of another process", "xyz"[f->slab.axis]);
}

int wn_migrate(const struct wn_electrostatic *f, size_t k, struct wn_particles *p,
               double dt)
{
  struct leavers m = {0};
  int status = wn_particles_host(p);
  if (status == WN_OK) {
    find(f, p, wn_migration_step(f, k, dt), &m);
    status = wn_migration_too_fast(f, m.fast);
  }
  memset(f->send, 0, (size_t)f->slab.ranks * sizeof *f->send);
  for (size_t i = 0; i < m.n; i++)
    f->send[m.of[i].to]++;
  if (status == WN_OK)
    status = wn_particles_room(m.failed ? WN_ENOMEM : WN_OK);
  if (status == WN_OK && wn_ranks_any(m.n > 0))
    status = move(f, p, &m);
  free(m.of);
  return status;
}
