/* particles/population.c - see population.h. */
#include "particles/population.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/error.h"

#define MAX_COPIES 8u /* in one control; the next one goes on from there */

/* Apply a change and take those away whom it killed. */
static int change(struct wn_sim *s, const struct wn_change *c)
{
  struct wn_changed done = {0};
  WN_TRY(wn_particles_change(&s->p, c, &done));
  s->killed += done.killed;
  s->copied += done.copied;
  if (done.heavy > 0)
    return WN_FAIL(WN_ERUN,
                   "electrons have multiplied by more than %g: shorten the run or lower "
                   "the field",
                   WN_MAX_WEIGHT);
  if (done.killed > 0)
    WN_TRY(wn_particles_compact(&s->p));
  return wn_sim_refresh(s);
}

/* Electrons of each group: all, and those that are protected. */
static int count(const struct wn_sim *s, double above_ev, wn_i128 *sums)
{
  struct wn_sample what = {.kind = WN_SAMPLE_NUMBER,
                           .n_groups = (uint32_t)s->shape.n_groups,
                           .above_ev = above_ev};
  memset(sums, 0, wn_sample_cells(&what) * sizeof *sums);
  return wn_particles_sample(&s->p, &what, sums);
}

static int control(struct wn_sim *s, double wanted, int may_split, wn_i128 *sums,
                   struct wn_change_group *group)
{
  size_t n_groups = (size_t)s->shape.n_groups;
  struct wn_change c = {.n_groups = (uint32_t)n_groups,
                        .group = group,
                        .protect_ev = s->c->population_protect_ev,
                        .seed = s->c->seed,
                        .inv_nu = s->model.mcc.inv_nu};
  int any = 0;
  /* the protected are counted, which takes their energies, only when needed */
  WN_TRY(count(s, INFINITY, sums));
  for (size_t g = 0; g < n_groups; g++) {
    double all = (double)sums[2 * g];
    any |= all > 1.25 * wanted || (may_split && all > 0.0 && all < wanted / 1.5);
  }
  if (!any)
    return WN_OK;
  WN_TRY(count(s, c.protect_ev, sums));
  for (size_t g = 0; g < n_groups; g++) {
    double all = (double)sums[2 * g], safe = (double)sums[2 * g + 1],
           movable = all - safe;
    group[g] = (struct wn_change_group){.factor = 1.0, .survive = 1.0, .copies = 1};
    if (movable == 0.0)
      continue;
    /* at least one in ten survives a single control, also where the protected alone
     * exceed the target */
    if (all > 1.25 * wanted)
      group[g].survive = fmin(fmax((wanted - safe) / movable, 0.1), 1.0);
    else if (may_split && all < wanted / 1.5)
      group[g].copies = (uint32_t)fmin(floor((wanted - safe) / movable), MAX_COPIES);
    if (group[g].copies > 1)
      c.n_copies += (size_t)movable * (group[g].copies - 1);
  }
  return change(s, &c);
}

int wn_population_control(struct wn_sim *s, size_t target, int may_split)
{
  size_t n_groups = (size_t)s->shape.n_groups;
  wn_i128 *sums = wn_alloc(2 * n_groups, sizeof *sums);
  struct wn_change_group *group = wn_alloc(n_groups, sizeof *group);
  int status = sums != NULL && group != NULL
                   ? control(s, (double)target / (double)n_groups, may_split, sums, group)
                   : WN_ENOMEM;
  free(sums);
  free(group);
  return status;
}

static int normalise(struct wn_sim *s, double weight, int to_origin)
{
  size_t n_groups = (size_t)s->shape.n_groups;
  struct wn_sample what = {.kind = WN_SAMPLE_WEIGHT, .n_groups = (uint32_t)n_groups};
  wn_i128 *sum = wn_alloc(n_groups, sizeof *sum);
  struct wn_change_group *group = wn_alloc(n_groups, sizeof *group);
  const struct wn_change c = {
      .n_groups = (uint32_t)n_groups, .group = group, .to_origin = to_origin};
  int status = sum != NULL && group != NULL ? WN_OK : WN_ENOMEM;
  if (status == WN_OK)
    status = wn_particles_sample(&s->p, &what, sum);
  for (size_t g = 0; g < n_groups && status == WN_OK; g++) {
    double total = (double)sum[g] / WN_FIX_WEIGHT;
    /* an empty group has nobody to be scaled */
    group[g] = (struct wn_change_group){
        .factor = total > 0.0 ? weight / total : 1.0, .survive = 1.0, .copies = 1};
  }
  if (status == WN_OK)
    status = change(s, &c);
  free(sum);
  free(group);
  return status;
}

int wn_population_normalise(struct wn_sim *s, double weight)
{
  return normalise(s, weight, 0);
}

int wn_population_restart(struct wn_sim *s, double weight)
{
  return normalise(s, weight, 1);
}
