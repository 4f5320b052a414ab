/* particles/weighted_ensemble.c - see weighted_ensemble.h. */
#include "particles/weighted_ensemble.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/error.h"
#include "base/ranks.h"

int wn_ensemble_create(size_t n_groups, const struct wn_levels *levels, double wanted,
                       struct wn_ensemble **out)
{
  struct wn_ensemble *e = wn_alloc(1, sizeof *e);
  if (e == NULL)
    return WN_ENOMEM;
  e->n_groups = n_groups;
  e->levels = *levels;
  e->wanted = e->bulk = wanted;
  for (size_t i = (size_t)levels->n_edges; i < WN_MAX_EDGES; i++)
    e->levels.edge[i] = INFINITY;
  const size_t n = wn_ensemble_cells(e);
  e->ledger = wn_alloc(n, sizeof *e->ledger);
  e->sums = wn_alloc(WN_LEVEL_SUMS * n, sizeof *e->sums);
  e->roulette = wn_alloc(WN_LEVEL_SUMS * n, sizeof *e->roulette);
  e->reference = wn_alloc(n, sizeof *e->reference);
  if (e->ledger == NULL || e->sums == NULL || e->roulette == NULL ||
      e->reference == NULL) {
    wn_ensemble_free(e);
    return WN_ENOMEM;
  }
  *out = e;
  return WN_OK;
}

void wn_ensemble_free(struct wn_ensemble *e)
{
  if (e == NULL)
    return;
  free(e->ledger);
  free(e->sums);
  free(e->roulette);
  free(e->reference);
  free(e);
}

void wn_ensemble_begin(struct wn_ensemble *e)
{
  const size_t n = wn_ensemble_cells(e);
  memset(e->ledger, 0, n * sizeof *e->ledger);
  memset(e->sums, 0, WN_LEVEL_SUMS * n * sizeof *e->sums);
  memset(e->reference, 0, n * sizeof *e->reference);
  e->killed = e->copied = 0;
  e->halvings = 0;
  e->controls = 0;
}

/* The power of two nearest to x by ratio; x > 0. */
static double power_of_two(double x)
{
  int exponent;
  const double part = frexp(x, &exponent); /* in [0.5, 1) */
  return ldexp(1.0, part * part < 0.5 ? exponent - 1 : exponent);
}

static int apply(struct wn_ensemble *e, struct wn_particles *p,
                 const struct wn_change *what)
{
  struct wn_changed done = {.roulette = e->roulette};
  memset(e->roulette, 0, 2 * wn_ensemble_cells(e) * sizeof *e->roulette);
  WN_TRY(wn_particles_change_and_remove(p, what, &done));
  e->killed += done.killed;
  e->copied += done.copied;
  return WN_OK;
}

/* The number of copies on this rank; e->roulette is scratch here. */
static int room(const struct wn_ensemble *e, const struct wn_particles *p,
                const struct wn_sample *look, struct wn_change *what)
{
  const size_t n = wn_ensemble_cells(e);
  what->n_copies = what->n_copies_all;
  if (wn_ranks() == 1)
    return WN_OK;
  memset(e->roulette, 0, WN_LEVEL_SUMS * n * sizeof *e->roulette);
  WN_TRY(wn_particles_sample_here(p, look, e->roulette));
  what->n_copies = 0;
  for (size_t i = 0; i < n; i++)
    if (e->reference[i] > 0.0)
      what->n_copies += (size_t)((double)e->roulette[WN_LEVEL_SUMS * i + 2] /
                                 WN_FIX_RARE / e->reference[i]) +
                        1;
  return WN_OK;
}

int wn_ensemble_control(struct wn_ensemble *e, struct wn_particles *p)
{
  const size_t n = wn_ensemble_cells(e);
  const uint32_t halvings = (uint32_t)(WN_MOST_HALVINGS + e->halvings);
  const struct wn_sample look = {.kind = WN_SAMPLE_LEVELS,
                                 .n_groups = (uint32_t)e->n_groups,
                                 .levels = e->levels,
                                 .below_ev = e->below_ev,
                                 .halvings = halvings};
  struct wn_change what = {.n_groups = (uint32_t)e->n_groups,
                           .reference = e->reference,
                           .levels = e->levels,
                           .halvings = halvings,
                           .below_ev = e->below_ev,
                           .mark = (double)++e->controls * e->mark_m,
                           .seed = e->seed,
                           .inv_nu = e->inv_nu};
  memset(e->sums, 0, WN_LEVEL_SUMS * n * sizeof *e->sums);
  WN_TRY(wn_particles_sample(p, &look, e->sums));
  for (size_t i = 0; i < n; i++) {
    const double weight = (double)e->sums[WN_LEVEL_SUMS * i + 2] / WN_FIX_RARE,
                 wanted = i % wn_levels_number(&e->levels) == 0 ? e->bulk : e->wanted;
    e->reference[i] =
        weight > 0.0 ? fmax(power_of_two(weight / wanted), WN_LEAST_WEIGHT) : 0.0;
    if (weight > 0.0) /* a copy has at least the target weight */
      what.n_copies_all += (size_t)(weight / e->reference[i]);
  }
  WN_TRY(room(e, p, &look, &what));
  WN_TRY(apply(e, p, &what));
  for (size_t i = 0; i < n; i++) {
    struct wn_level_ledger *of = &e->ledger[i];
    const wn_i128 before = e->sums[WN_LEVEL_SUMS * i + 1], killed = e->roulette[2 * i],
                  raised = e->roulette[2 * i + 1];
    of->carried += before - of->living;
    of->killed += killed;
    of->raised += raised;
    of->living = before - killed + raised;
  }
  return WN_OK;
}

/* Multiply all weights. */
static int scale(const struct wn_ensemble *e, struct wn_particles *p, double factor)
{
  struct wn_change_group *all = wn_alloc(e->n_groups, sizeof *all);
  struct wn_changed done = {0};
  if (all == NULL)
    return WN_ENOMEM;
  for (size_t g = 0; g < e->n_groups; g++)
    all[g] = (struct wn_change_group){.factor = factor, .survive = 1.0, .copies = 1};
  const struct wn_change what = {.n_groups = (uint32_t)e->n_groups, .group = all};
  const int status = wn_particles_change(p, &what, &done);
  free(all);
  return status;
}

int wn_ensemble_double(struct wn_ensemble *e, struct wn_particles *p)
{
  const size_t n = wn_ensemble_cells(e);
  WN_TRY(scale(e, p, 2.0));
  e->halvings--;
  for (size_t i = 0; i < n; i++) {
    e->ledger[i].halved -= e->ledger[i].living;
    e->ledger[i].living *= 2;
  }
  return WN_OK;
}

int wn_ensemble_halve(struct wn_ensemble *e, struct wn_particles *p)
{
  const size_t n = wn_ensemble_cells(e);
  WN_TRY(scale(e, p, 0.5));
  e->halvings++;
  for (size_t i = 0; i < n; i++) {
    const wn_i128 taken = e->ledger[i].living / 2;
    e->ledger[i].halved += taken;
    e->ledger[i].living -= taken;
  }
  return WN_OK;
}

double wn_ensemble_weight(const struct wn_ensemble *e)
{
  const size_t n = wn_ensemble_cells(e);
  wn_i128 sum = 0;
  for (size_t i = 0; i < n; i++)
    sum += e->ledger[i].living;
  return (double)sum / WN_FIX_RARE;
}

int wn_ensemble_state(struct wn_ensemble *e, struct wn_state *s)
{
  const size_t n = wn_ensemble_cells(e);
  WN_TRY(WN_STATE_ARRAY(s, e->ledger, n));
  WN_TRY(WN_STATE_ARRAY(s, e->sums, WN_LEVEL_SUMS * n));
  WN_TRY(WN_STATE_ARRAY(s, e->reference, n));
  WN_TRY(WN_STATE(s, e->halvings));
  WN_TRY(WN_STATE(s, e->controls));
  WN_TRY(WN_STATE(s, e->killed));
  return WN_STATE(s, e->copied);
}
