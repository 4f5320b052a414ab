/* particles/population_control.c - see population_control.h. */
#include "particles/population_control.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/error.h"
#include "particles/load_balance.h"

#define TOO_MANY 1.25 /* times the target: roulette */
#define TOO_FEW  1.5  /* target over number: splitting */
/* Survival probability in one control, also if the protected electrons alone exceed the target. */
#define MIN_CHANCE 0.1
#define MAX_COPIES 8u /* in one control; the next one continues */

/* Applies a change and removes the electrons killed. */
static int change(struct wn_population *c, struct wn_particles *p,
                  const struct wn_change *what)
{
  struct wn_changed done = {0};
  WN_TRY(wn_particles_change_and_remove(p, what, &done));
  c->killed += done.killed;
  c->copied += done.copied;
  return WN_OK;
}

/* Electrons of each group: all, and protected ones. */
static int count(const struct wn_population *c, const struct wn_particles *p,
                 double above_ev, wn_i128 *sums)
{
  struct wn_sample what = {
      .kind = WN_SAMPLE_NUMBER, .n_groups = (uint32_t)c->n_groups, .above_ev = above_ev};
  memset(sums, 0, wn_sample_cells(&what) * sizeof *sums);
  return wn_particles_sample(p, &what, sums);
}

static int is_many(double all, double wanted)
{
  return all > TOO_MANY * wanted;
}

static int is_few(const struct wn_population *c, double all, double wanted)
{
  return c->may_split && all > 0.0 && all < wanted / TOO_FEW;
}

static double wanted_of(const struct wn_population *c)
{
  return fmax((double)c->target / (double)c->n_groups, c->least);
}

/* Protected electrons are counted, which needs their energies, only if necessary. */
static int is_due(const struct wn_population *c, const struct wn_particles *p,
                  wn_i128 *sums, int *due)
{
  *due = 0;
  WN_TRY(count(c, p, INFINITY, sums));
  for (size_t g = 0; g < c->n_groups; g++) {
    double all = (double)sums[2 * g];
    *due |= is_many(all, wanted_of(c)) || is_few(c, all, wanted_of(c));
  }
  return WN_OK;
}

/* The number of copies on this rank; sums: scratch. */
static int room(const struct wn_population *c, const struct wn_particles *p,
                wn_i128 *sums, struct wn_change *what)
{
  const struct wn_sample number = {.kind = WN_SAMPLE_NUMBER,
                                   .n_groups = (uint32_t)c->n_groups,
                                   .above_ev = c->protect_ev};
  what->n_copies = what->n_copies_all;
  if (wn_ranks() == 1 || what->n_copies_all == 0)
    return WN_OK;
  memset(sums, 0, wn_sample_cells(&number) * sizeof *sums);
  WN_TRY(wn_particles_sample_here(p, &number, sums));
  what->n_copies = 0;
  for (size_t g = 0; g < c->n_groups; g++)
    what->n_copies +=
        (size_t)(sums[2 * g] - sums[2 * g + 1]) * (what->group[g].copies - 1);
  return WN_OK;
}

static int control(struct wn_population *c, struct wn_particles *p, wn_i128 *sums,
                   struct wn_change_group *group)
{
  double wanted = wanted_of(c);
  struct wn_change what = {.n_groups = (uint32_t)c->n_groups,
                           .group = group,
                           .protect_ev = c->protect_ev,
                           .seed = c->seed,
                           .inv_nu = c->inv_nu};
  WN_TRY(count(c, p, c->protect_ev, sums));
  for (size_t g = 0; g < c->n_groups; g++) {
    double all = (double)sums[2 * g], safe = (double)sums[2 * g + 1],
           movable = all - safe;
    group[g] = (struct wn_change_group){.factor = 1.0, .survive = 1.0, .copies = 1};
    if (movable == 0.0)
      continue;
    if (is_many(all, wanted))
      group[g].survive = fmin(fmax((wanted - safe) / movable, MIN_CHANCE), 1.0);
    else if (is_few(c, all, wanted))
      group[g].copies = (uint32_t)fmin(floor((wanted - safe) / movable), MAX_COPIES);
    if (group[g].copies > 1)
      what.n_copies_all += (size_t)movable * (group[g].copies - 1);
  }
  WN_TRY(room(c, p, sums, &what));
  return change(c, p, &what);
}

void wn_population_begin(struct wn_population *c)
{
  c->killed = c->copied = c->births = c->deaths = 0;
  c->n_then = 0;
}

/* Fraction of all electrons, and of the target of a group. */
#define BORN_OR_DEAD (1.0 / 20.0)
#define DEAD         (1.0 / 8.0)

int wn_population_check(struct wn_population *c, struct wn_particles *p, uint64_t births,
                        uint64_t deaths, int *due)
{
  const double part = BORN_OR_DEAD * (double)c->n_then;
  *due = 0;
  c->births += births;
  c->deaths += deaths;
  if (c->target == 0 || (c->n_then > 0 && (double)c->births < part &&
                         (double)c->deaths < fmin(part, DEAD * wanted_of(c)) &&
                         fabs((double)wn_particles_all(p) - (double)c->n_then) < part))
    return WN_OK;
  wn_i128 *sums = wn_alloc(2 * c->n_groups, sizeof *sums);
  const int status = sums != NULL ? is_due(c, p, sums, due) : WN_ENOMEM;
  free(sums);
  c->n_then = wn_particles_all(p);
  c->births = c->deaths = 0;
  return status;
}

int wn_population_control(struct wn_population *c, struct wn_particles *p)
{
  if (c->target == 0)
    return WN_OK;
  wn_i128 *sums = wn_alloc(2 * c->n_groups, sizeof *sums);
  struct wn_change_group *group = wn_alloc(c->n_groups, sizeof *group);
  int status = sums != NULL && group != NULL ? control(c, p, sums, group) : WN_ENOMEM;
  free(sums);
  free(group);
  return status;
}

static int normalise(struct wn_population *c, struct wn_particles *p, double weight,
                     int to_origin)
{
  struct wn_sample what = {.kind = WN_SAMPLE_WEIGHT, .n_groups = (uint32_t)c->n_groups};
  wn_i128 *sum = wn_alloc(c->n_groups, sizeof *sum);
  struct wn_change_group *group = wn_alloc(c->n_groups, sizeof *group);
  const struct wn_change scaled = {
      .n_groups = (uint32_t)c->n_groups, .group = group, .to_origin = to_origin};
  int status = sum != NULL && group != NULL ? WN_OK : WN_ENOMEM;
  if (status == WN_OK)
    status = wn_particles_sample(p, &what, sum);
  for (size_t g = 0; g < c->n_groups && status == WN_OK; g++) {
    double total = (double)sum[g] / WN_FIX_WEIGHT;
    /* an empty group has no electrons to scale */
    group[g] = (struct wn_change_group){
        .factor = total > 0.0 ? weight / total : 1.0, .survive = 1.0, .copies = 1};
  }
  for (size_t g = 0; g < c->n_groups && status == WN_OK && c->factor != NULL; g++)
    c->factor[g] = group[g].factor;
  if (status == WN_OK)
    status = change(c, p, &scaled);
  free(sum);
  free(group);
  return status;
}

int wn_population_normalise(struct wn_population *c, struct wn_particles *p,
                            double weight)
{
  return normalise(c, p, weight, 0);
}

int wn_population_restart(struct wn_population *c, struct wn_particles *p, double weight)
{
  return normalise(c, p, weight, 1);
}

int wn_population_state(struct wn_population *c, struct wn_state *s)
{
  WN_TRY(WN_STATE(s, c->n_then));
  WN_TRY(WN_STATE(s, c->births));
  WN_TRY(WN_STATE(s, c->deaths));
  WN_TRY(WN_STATE(s, c->killed));
  return WN_STATE(s, c->copied);
}
