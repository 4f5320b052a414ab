/* particles/store.c - see store.h. */
#include "particles/store.h"
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/error.h"
#include "base/threads.h"
#include "particles/level_lanes.h"
#include "particles/thread_sums.h"
#include "particles/vector_sample.h"

/* Fewer particles are one thread's: the start of a team costs as much as some hundred of
 * them. */
#define FEW 1024
/* With more sums for a particle than this, one thread is faster than rows that are added up. */
#define SUMS_A_PARTICLE 4
/* Changes and removals go through the store window by window.  A window has at most so many
 * particles of each thread, whose copies or records fit into its second-level cache. */
#define BLOCK 2048

struct wn_store_scratch {
  int threads;
  struct wn_thread_sums sums;
  uint32_t *copies;    /* [threads][BLOCK] of each electron */
  unsigned char *kept; /* [threads][BLOCK] records */
  /* Particles that each thread found in a window: even and odd windows have their own, so that
   * one barrier a window is enough */
  size_t *found[2];
};

struct wn_store_scratch *wn_store_create(int threads)
{
  struct wn_store_scratch *s = wn_alloc(1, sizeof *s);
  if (s == NULL)
    return NULL;
  s->threads = threads;
  for (int i = 0; i < 2; i++)
    s->found[i] = wn_alloc((size_t)threads, sizeof *s->found[i]);
  if (s->found[0] == NULL || s->found[1] == NULL) {
    wn_store_free(s);
    return NULL;
  }
  return s;
}

void wn_store_free(struct wn_store_scratch *s)
{
  if (s == NULL)
    return;
  wn_thread_sums_clear(&s->sums);
  free(s->copies);
  free(s->kept);
  free(s->found[0]);
  free(s->found[1]);
  free(s);
}

/* All threads or one: where the size of teams varies, libgomp ends threads and starts others
 * (about 10 us each). */
int wn_store_threads(const struct wn_particles *p, size_t n)
{
  return p->scratch != NULL && n >= FEW ? p->scratch->threads : 1;
}

/* ---- sums */

/* Where a record has velocity and weight, in words; velocities beyond those that it has are 0. */
struct place {
  size_t words, u, w;
  int velocities, weighted;
};

static struct place place_of(const struct wn_particles *p, const struct wn_sample *what)
{
  const size_t word = sizeof(float), u = offsetof(struct wn_electron, u) / word;
  const int is_point = what->kind == WN_SAMPLE_POINTS;
  return (struct place){.words = p->record.bytes / word,
                        .u = is_point ? (size_t)what->dim : u,
                        .w = is_point ? (size_t)(what->dim + what->velocities)
                                      : offsetof(struct wn_electron, w) / word,
                        .velocities = what->velocities,
                        .weighted = !is_point || what->weighted};
}

/* As wn_sample_add of n records, n <= WN_SAMPLE_LANES.  Returns whether a contribution is too large. */
WN_CLONES static int count_lanes(const struct wn_sample *restrict what, struct place at,
                                 int n, const float *restrict r,
                                 int64_t high[WN_POINT_SUMS], int64_t low[WN_POINT_SUMS])
{
  float u[3][WN_SAMPLE_LANES], w[WN_SAMPLE_LANES];
  for (int d = 0; d < 3; d++)
    for (int l = 0; l < n; l++)
      u[d][l] = d < at.velocities ? r[(size_t)l * at.words + at.u + (size_t)d] : 0.0f;
  for (int l = 0; l < n; l++)
    w[l] = at.weighted ? r[(size_t)l * at.words + at.w] : 1.0f;
  return wn_sample_lanes(what, n, w, u[0], u[1], u[2], high, low);
}

static void sample_moving(const struct wn_particles *p, size_t begin, size_t end,
                          const struct wn_sample *what, wn_i128 *sums)
{
  const struct place at = place_of(p, what);
  int64_t high[WN_POINT_SUMS], low[WN_POINT_SUMS];
  for (size_t i = begin; i < end; i += WN_SAMPLE_LANES) {
    const int n = end - i < WN_SAMPLE_LANES ? (int)(end - i) : WN_SAMPLE_LANES;
    const int large = count_lanes(what, at, n, wn_particles_at(p, i), high, low);
    for (int k = 0; !large && k < WN_POINT_SUMS; k++)
      sums[k] += wn_sample_lanes_sum(high[k], low[k]);
    for (int l = 0; large && l < n; l++)
      wn_sample_add(what, wn_particles_at(p, i + (size_t)l), sums);
  }
}

static void sample_part(const struct wn_particles *p, size_t begin, size_t end,
                        const struct wn_sample *what, wn_i128 *sums)
{
  if (what->kind == WN_SAMPLE_POINTS || what->kind == WN_SAMPLE_ELECTRONS) {
    sample_moving(p, begin, end, what, sums);
    return;
  }
  if (what->kind == WN_SAMPLE_LEVELS) {
    wn_level_lanes_sample(what, wn_particles_electrons(p) + begin, end - begin, sums);
    return;
  }
  for (size_t i = begin; i < end; i++)
    wn_sample_add(what, wn_particles_at(p, i), sums);
}

void wn_store_sample(const struct wn_particles *p, size_t first,
                     const struct wn_sample *what, wn_i128 *sums)
{
  const size_t n = first < p->n ? p->n - first : 0, cells = wn_sample_cells(what);
  const int threads = cells <= SUMS_A_PARTICLE * n ? wn_store_threads(p, n) : 1;
  if (threads == 1 || !wn_thread_sums_reserve(&p->scratch->sums, threads, cells)) {
    sample_part(p, first, p->n, what, sums);
    return;
  }
#ifdef _OPENMP
#pragma omp parallel num_threads(threads)
#endif
  {
    const int me = wn_thread(), team = wn_team();
    sample_part(p, first + wn_thread_part(n, me, team),
                first + wn_thread_part(n, me + 1, team), what,
                wn_thread_sums_row(&p->scratch->sums, me, cells, sums));
    wn_thread_sums_collect(&p->scratch->sums, me, team, cells, sums);
  }
}

/* ---- windows */

/* The part of a thread of the window of n particles that begins at `at`. */
struct part {
  size_t begin, end;
};

static struct part part_of(size_t at, size_t n, int me, int team)
{
  const size_t most = (size_t)team * BLOCK, size = n - at < most ? n - at : most;
  return (struct part){at + wn_thread_part(size, me, team),
                       at + wn_thread_part(size, me + 1, team)};
}

/* Announces what a thread found in its part, waits for the others, and sums up what those before
 * it found, and all of them. */
static size_t found_before(struct wn_store_scratch *s, size_t window, int me, int team,
                           size_t found, size_t *all)
{
  size_t *of = s->found[window % 2], before = 0;
  of[me] = found;
#ifdef _OPENMP
#pragma omp barrier
#endif
  *all = 0;
  for (int t = 0; t < team; t++) {
    before += t < me ? of[t] : 0;
    *all += of[t];
  }
  return before;
}

/* ---- changes */

/* Applies a change to n electrons.  copies [n]: of each, to be made; returns their sum. */
static size_t apply(const struct wn_change *change, struct wn_electron *e, size_t n,
                    uint32_t *copies, wn_i128 *roulette, struct wn_changed *done)
{
  size_t sum = 0;
  if (change->reference != NULL) {
    sum = wn_level_lanes_apply(change, e, n, copies, roulette, done);
    done->copied += sum;
    return sum;
  }
  for (size_t i = 0; i < n; i++) {
    const int k = wn_change_apply(change, &e[i], roulette);
    copies[i] = k > 0 ? (uint32_t)k : 0;
    sum += copies[i];
    done->killed += k < 0;
    done->heavy += e[i].w > WN_MAX_WEIGHT && k >= 0;
  }
  done->copied += sum;
  return sum;
}

static void make_copies(const struct wn_change *change, struct wn_electron *e, size_t n,
                        const uint32_t *copies, struct wn_electron *to)
{
  for (size_t i = 0; i < n; i++) {
    for (uint32_t k = 1; k <= copies[i]; k++)
      *to++ = wn_change_copy(change, &e[i], k);
    if (copies[i] > 0)
      wn_change_copied(&e[i]);
  }
}

static void change_alone(struct wn_particles *p, const struct wn_change *change,
                         struct wn_changed *done)
{
  struct wn_electron *all = wn_particles_electrons(p);
  uint32_t copies[256];
  const size_t n = p->n, most = sizeof copies / sizeof copies[0];
  for (size_t i = 0; i < n; i += most) {
    const size_t m = n - i < most ? n - i : most,
                 k = apply(change, &all[i], m, copies, done->roulette, done);
    if (k > 0)
      make_copies(change, &all[i], m, copies, &all[p->n]);
    p->n += k;
  }
}

static void add_changed(struct wn_changed *to, const struct wn_changed *from)
{
  to->killed += from->killed;
  to->copied += from->copied;
  to->heavy += from->heavy;
}

/* What a thread of a team does of a change. */
static size_t change_part(struct wn_particles *p, const struct wn_change *change,
                          wn_i128 *roulette, struct wn_changed *done)
{
  const int me = wn_thread(), team = wn_team();
  const size_t n = p->n;
  struct wn_electron *all = wn_particles_electrons(p);
  uint32_t *copies = &p->scratch->copies[(size_t)me * BLOCK];
  size_t top = n; /* where the copies of this window begin */
  for (size_t at = 0, window = 0; at < n; at += (size_t)team * BLOCK, window++) {
    const struct part in = part_of(at, n, me, team);
    const size_t mine =
        apply(change, &all[in.begin], in.end - in.begin, copies, roulette, done);
    size_t of_all;
    const size_t before = found_before(p->scratch, window, me, team, mine, &of_all);
    if (mine > 0)
      make_copies(change, &all[in.begin], in.end - in.begin, copies, &all[top + before]);
    top += of_all;
  }
  return top;
}

void wn_store_change(struct wn_particles *p, const struct wn_change *change,
                     struct wn_changed *done)
{
  const size_t cells = done->roulette != NULL ? 2 * (size_t)change->n_groups *
                                                    wn_levels_number(&change->levels)
                                              : 0;
  struct wn_store_scratch *s = p->scratch;
  const int threads = cells <= SUMS_A_PARTICLE * p->n ? wn_store_threads(p, p->n) : 1;
  if (threads > 1 && s->copies == NULL)
    s->copies = wn_alloc((size_t)threads * BLOCK, sizeof *s->copies);
  if (threads == 1 || s->copies == NULL ||
      !wn_thread_sums_reserve(&s->sums, threads, cells)) {
    change_alone(p, change, done);
    return;
  }
  size_t n = 0;
#ifdef _OPENMP
#pragma omp parallel num_threads(threads)
#endif
  {
    struct wn_changed mine = {0};
    const int me = wn_thread();
    const size_t top = change_part(
        p, change, wn_thread_sums_row(&s->sums, me, cells, done->roulette), &mine);
#ifdef _OPENMP
#pragma omp critical
#endif
    add_changed(done, &mine);
    if (me == 0)
      n = top;
    wn_thread_sums_collect(&s->sums, me, wn_team(), cells, done->roulette);
  }
  p->n = n;
}

/* ---- removal */

/* Copies the living among [begin, end) to `to`, which may be the same place or one before it.
 * Returns their number; *counted: += those with an index below census. */
static size_t keep(const struct wn_particles *p, size_t begin, size_t end, size_t census,
                   unsigned char *to, size_t *counted)
{
  const size_t bytes = p->record.bytes;
  size_t kept = 0;
  for (size_t i = begin; i < end;) {
    const size_t first = i;
    while (i < end && !wn_particles_is_dead(p, i))
      i++;
    const unsigned char *run = wn_particles_at(p, first);
    if (to + kept * bytes != run)
      memmove(to + kept * bytes, run, (i - first) * bytes);
    kept += i - first;
    *counted += i <= census ? i - first : first < census ? census - first : 0;
    i += i < end; /* a dead one */
  }
  return kept;
}

/* What a thread of a team does.  Records go by a buffer: where they will be, those of others still
 * are. */
static size_t compact_part(struct wn_particles *p, size_t *counted)
{
  const int me = wn_thread(), team = wn_team();
  const size_t n = p->n, bytes = p->record.bytes;
  unsigned char *kept = p->scratch->kept + (size_t)me * BLOCK * WN_RECORD_MAX;
  size_t top = 0;
  for (size_t at = 0, window = 0; at < n; at += (size_t)team * BLOCK, window++) {
    const struct part in = part_of(at, n, me, team);
    const size_t mine = keep(p, in.begin, in.end, p->census.n, kept, counted);
    size_t of_all;
    const size_t before = found_before(p->scratch, window, me, team, mine, &of_all);
    /* the same place: none died so far */
    if (top + before != in.begin || mine != in.end - in.begin)
      memcpy(wn_particles_at(p, top + before), kept, mine * bytes);
    top += of_all;
  }
  return top;
}

void wn_store_compact(struct wn_particles *p)
{
  struct wn_store_scratch *s = p->scratch;
  const int threads = wn_store_threads(p, p->n);
  size_t counted = 0, n = 0;
  if (threads > 1 && s->kept == NULL)
    s->kept = wn_alloc_aligned_unset((size_t)threads * BLOCK, WN_RECORD_MAX, 64);
  if (threads == 1 || s->kept == NULL) {
    n = keep(p, 0, p->n, p->census.n, p->e, &counted);
  } else {
#ifdef _OPENMP
#pragma omp parallel num_threads(threads) reduction(+ : counted)
#endif
    {
      const size_t top = compact_part(p, &counted);
      if (wn_thread() == 0)
        n = top;
    }
  }
  p->n = n;
  p->census.n = counted;
}
