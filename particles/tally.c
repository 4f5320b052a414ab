/* particles/tally.c - see tally.h. */
#include "particles/tally.h"
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/error.h"
#include "base/ranks.h"
#include "base/threads.h"

int wn_tally_init(struct wn_tally *t, const struct wn_tally_shape *s)
{
  size_t groups = (size_t)s->n_groups;
  *t = (struct wn_tally){0};
  t->group = wn_alloc(groups, sizeof *t->group);
  t->count = wn_alloc(groups * (size_t)s->n_processes + 1, sizeof *t->count);
  t->lost = wn_alloc(groups * (size_t)s->n_processes + 1, sizeof *t->lost);
  t->passed = wn_alloc(wn_passed(s) + 1, sizeof *t->passed);
  t->alarms = wn_alloc(1, sizeof *t->alarms);
  t->surface = wn_alloc(wn_tally_surfaces(s), sizeof *t->surface);
  if (t->group != NULL && t->count != NULL && t->lost != NULL && t->passed != NULL &&
      t->alarms != NULL && t->surface != NULL)
    return WN_OK;
  wn_tally_clear(t);
  return WN_ENOMEM;
}

void wn_tally_reset(struct wn_tally *t, const struct wn_tally_shape *s)
{
  size_t groups = (size_t)s->n_groups;
  struct wn_tally keep = *t;
  memset(t->group, 0, groups * sizeof *t->group);
  memset(t->count, 0, groups * (size_t)s->n_processes * sizeof *t->count);
  memset(t->lost, 0, groups * (size_t)s->n_processes * sizeof *t->lost);
  memset(t->passed, 0, wn_passed(s) * sizeof *t->passed);
  memset(t->alarms, 0, sizeof *t->alarms);
  memset(t->surface, 0, wn_tally_surfaces(s) * sizeof *t->surface);
  *t = (struct wn_tally){.group = keep.group,
                         .count = keep.count,
                         .lost = keep.lost,
                         .passed = keep.passed,
                         .alarms = keep.alarms,
                         .surface = keep.surface,
                         .first_passage = keep.first_passage};
}

/* The arrays of sums of a tally; a group and a surface are nothing but sums of one type. */
struct array {
  wn_i128 *v;
  size_t n;
};
#define ARRAYS 5

static void arrays(const struct wn_tally *t, const struct wn_tally_shape *s,
                   struct array a[ARRAYS])
{
  const size_t groups = (size_t)s->n_groups, processes = groups * (size_t)s->n_processes;
  a[0] = (struct array){(wn_i128 *)t->group, groups * sizeof *t->group / sizeof(wn_i128)};
  a[1] = (struct array){(wn_i128 *)t->surface,
                        wn_tally_surfaces(s) * sizeof *t->surface / sizeof(wn_i128)};
  a[2] = (struct array){t->count, processes};
  a[3] = (struct array){t->lost, processes};
  a[4] = (struct array){t->passed, wn_passed(s)};
}

static void add_counts(struct wn_tally *to, const struct wn_tally *from)
{
  to->n_candidates += from->n_candidates;
  to->n_real += from->n_real;
  to->n_births += from->n_births;
  to->n_deaths += from->n_deaths;
  to->alarms->n_violations += from->alarms->n_violations;
  to->alarms->n_beyond += from->alarms->n_beyond;
  to->alarms->n_forbidden += from->alarms->n_forbidden;
  wn_tally_max(&to->alarms->max_energy_ev, from->alarms->max_energy_ev);
  if (from->alarms->violator > to->alarms->violator)
    to->alarms->violator = from->alarms->violator;
}

/* The part of thread `me` of all arrays. */
static void add_part(struct wn_tally *to, const struct wn_tally *from,
                     const struct wn_tally_shape *s, int me, int team)
{
  struct array sum[ARRAYS], more[ARRAYS];
  arrays(to, s, sum);
  arrays(from, s, more);
  for (int a = 0; a < ARRAYS; a++)
    for (size_t i = wn_thread_part(sum[a].n, me, team),
                end = wn_thread_part(sum[a].n, me + 1, team);
         i < end; i++)
      sum[a].v[i] += more[a].v[i];
}

void wn_tally_add(struct wn_tally *to, const struct wn_tally *from,
                  const struct wn_tally_shape *s)
{
  add_counts(to, from);
  add_part(to, from, s, 0, 1);
}

/* Fewer sums are one thread's. */
#define FEW 8192

void wn_tally_add_all(struct wn_tally *to, const struct wn_tally *from, int n,
                      const struct wn_tally_shape *s)
{
  for (int k = 0; k < n; k++)
    add_counts(to, &from[k]);
  if (n == 0)
    return;
#ifdef _OPENMP
#pragma omp parallel num_threads(n) if ((size_t)n * wn_tally_sums(s) >= FEW)
#endif
  {
    const int me = wn_thread(), team = wn_team();
    for (int k = 0; k < n; k++)
      add_part(to, &from[k], s, me, team);
  }
}

/* Copies the sums of a tally to an array of wn_tally_sums, or back. */
static void pack(struct wn_tally *t, const struct wn_tally_shape *s, wn_i128 *all,
                 int back)
{
  uint64_t *const count[] = {&t->n_candidates,
                             &t->n_real,
                             &t->n_births,
                             &t->n_deaths,
                             &t->alarms->n_violations,
                             &t->alarms->n_beyond,
                             &t->alarms->n_forbidden};
  struct array part[ARRAYS];
  arrays(t, s, part);
  size_t n = sizeof count / sizeof count[0];
  for (size_t i = 0; i < n; i++)
    if (back)
      *count[i] = (uint64_t)all[i];
    else
      all[i] = (wn_i128)*count[i];
  for (size_t i = 0; i < sizeof part / sizeof part[0]; n += part[i++].n)
    memcpy(back ? part[i].v : all + n, back ? all + n : part[i].v,
           part[i].n * sizeof *all);
  WN_ASSERT(n == wn_tally_sums(s));
}

int wn_tally_of_all(struct wn_tally *t, const struct wn_tally_shape *s)
{
  if (wn_ranks() == 1)
    return WN_OK;
  const size_t n = wn_tally_sums(s);
  wn_i128 *all = wn_alloc(n, sizeof *all);
  if (all == NULL)
    return WN_ENOMEM;
  pack(t, s, all, 0);
  wn_ranks_sum(all, n);
  pack(t, s, all, 1);
  free(all);
  wn_ranks_most(&t->alarms->max_energy_ev, 1);
  /* the order of signed numbers is that of unsigned ones with the upper bit turned */
  int64_t least = (int64_t)(~t->alarms->violator ^ UINT64_C(1) << 63);
  wn_ranks_least(&least, 1);
  t->alarms->violator = ~((uint64_t)least ^ UINT64_C(1) << 63);
  return WN_OK;
}

void wn_tally_copy(struct wn_tally *to, const struct wn_tally *from,
                   const struct wn_tally_shape *s)
{
  struct array copy[ARRAYS], original[ARRAYS];
  arrays(to, s, copy);
  arrays(from, s, original);
  for (int a = 0; a < ARRAYS; a++)
    if (copy[a].n > 0)
      memcpy(copy[a].v, original[a].v, copy[a].n * sizeof(wn_i128));
  *to->alarms = *from->alarms;
  to->n_candidates = from->n_candidates;
  to->n_real = from->n_real;
  to->n_births = from->n_births;
  to->n_deaths = from->n_deaths;
}

int wn_passages_create(const struct wn_tally_shape *s, int64_t **out)
{
  *out = wn_alloc(wn_passages(s) + 1, sizeof **out);
  if (*out == NULL)
    return WN_ENOMEM;
  wn_passages_reset(*out, s);
  return WN_OK;
}

void wn_passages_reset(int64_t *passage, const struct wn_tally_shape *s)
{
  for (size_t i = 0, n = wn_passages(s); i < n; i++)
    passage[i] = INT64_MAX;
}

void wn_tally_clear(struct wn_tally *t)
{
  free(t->group);
  free(t->count);
  free(t->lost);
  free(t->passed);
  free(t->alarms);
  free(t->surface);
  *t = (struct wn_tally){0};
}

int wn_tally_state(struct wn_tally *t, const struct wn_tally_shape *shape,
                   struct wn_state *s)
{
  size_t groups = (size_t)shape->n_groups;
  WN_TRY(WN_STATE(s, t->n_candidates));
  WN_TRY(WN_STATE(s, t->n_real));
  WN_TRY(WN_STATE(s, t->n_births));
  WN_TRY(WN_STATE(s, t->n_deaths));
  WN_TRY(WN_STATE_ARRAY(s, t->alarms, 1));
  WN_TRY(WN_STATE_ARRAY(s, t->surface, wn_tally_surfaces(shape)));
  WN_TRY(WN_STATE_ARRAY(s, t->group, groups));
  WN_TRY(WN_STATE_ARRAY(s, t->count, groups * (size_t)shape->n_processes));
  WN_TRY(WN_STATE_ARRAY(s, t->lost, groups * (size_t)shape->n_processes));
  WN_TRY(WN_STATE_ARRAY(s, t->passed, wn_passed(shape)));
  if (t->first_passage != NULL)
    WN_TRY(WN_STATE_ARRAY(s, t->first_passage, wn_passages(shape)));
  return WN_OK;
}
