/* src/population.c - see population.h. */
#include "src/population.h"
#include <math.h>
#include <stdlib.h>
#include "src/base/alloc.h"
#include "src/base/error.h"

#define MAX_WEIGHT 1e30 /* of an electron: float ends at 3e38 */
#define MAX_COPIES 8u   /* in one control; the next one goes on from there */

static int is_protected(const struct wn_sim *s, const struct wn_electron *e)
{
  return wn_electron_energy_ev(e) > s->c->population_protect_ev;
}

static int split(struct wn_sim *s, size_t i, unsigned copies)
{
  WN_TRY(wn_particles_reserve(&s->p, copies - 1));
  struct wn_electron *e = &s->p.e[i];
  e->w /= (float)copies;
  for (unsigned k = 1; k < copies; k++) {
    struct wn_electron copy = *e;
    /* the time to the next candidate has no memory: drawn anew, the copy parts from the
     * original at once */
    struct wn_rng4 r = wn_rng(s->c->seed, e->id, e->event, WN_RNG_POPULATION, k);
    copy.id = (uint64_t)r.w[1] << 32 | r.w[0];
    copy.event = 0;
    copy.t_next = (float)(wn_rng_exponential(r.w[2]) * s->model.mcc.inv_nu);
    s->p.e[s->p.n++] = copy;
  }
  e->event++; /* a control that comes before the next candidate gives other ids */
  s->copied += copies - 1;
  return WN_OK;
}

int wn_population_control(struct wn_sim *s, size_t target, int may_split)
{
  size_t n_groups = (size_t)s->shape.n_groups, n = s->p.n;
  double wanted = (double)target / (double)n_groups;
  /* per group: all, protected, chance to survive, copies */
  size_t *all = wn_alloc(n_groups, sizeof *all), *safe = wn_alloc(n_groups, sizeof *safe);
  if (all == NULL || safe == NULL) {
    free(all);
    free(safe);
    return WN_ENOMEM;
  }
  for (size_t i = 0; i < n; i++)
    all[wn_sim_group(s, &s->p.e[i])]++;
  int any = 0, status = WN_OK;
  for (size_t g = 0; g < n_groups; g++)
    any |= (double)all[g] > 1.25 * wanted ||
           (may_split && all[g] > 0 && (double)all[g] < wanted / 1.5);
  for (size_t i = 0; any && i < n; i++)
    if (is_protected(s, &s->p.e[i]))
      safe[wn_sim_group(s, &s->p.e[i])]++;
  for (size_t i = 0; any && i < n && status == WN_OK; i++) {
    struct wn_electron *e = &s->p.e[i];
    size_t g = wn_sim_group(s, e), movable = all[g] - safe[g];
    if (movable == 0 || is_protected(s, e))
      continue;
    if ((double)all[g] > 1.25 * wanted) {
      /* at least one in ten survives a single control, also where the protected alone
       * exceed the target */
      double p = fmax((wanted - (double)safe[g]) / (double)movable, 0.1);
      if (p >= 1.0)
        continue;
      struct wn_rng4 r = wn_rng(s->c->seed, e->id, e->event, WN_RNG_POPULATION, 0);
      if (wn_u01(r.w[0]) < p) {
        e->w = (float)((double)e->w / p);
        if (e->w > MAX_WEIGHT)
          status = WN_FAIL(WN_ERUN,
                           "electrons have multiplied by more than %g: shorten the run "
                           "or lower the field",
                           MAX_WEIGHT);
        e->event++; /* a control that comes before the next candidate decides afresh */
      } else {
        e->t_left = WN_DEAD;
        s->killed++;
      }
    } else if (may_split && (double)all[g] < wanted / 1.5) {
      unsigned copies =
          (unsigned)fmin(floor((wanted - (double)safe[g]) / (double)movable), MAX_COPIES);
      if (copies > 1)
        status = split(s, i, copies);
    }
  }
  free(all);
  free(safe);
  if (any) {
    wn_particles_compact(&s->p);
    wn_sim_refresh(s);
  }
  return status;
}

int wn_population_normalise(struct wn_sim *s, double weight)
{
  size_t n_groups = (size_t)s->shape.n_groups;
  wn_i128 *sum = wn_alloc(n_groups, sizeof *sum);
  if (sum == NULL)
    return WN_ENOMEM;
  for (size_t i = 0; i < s->p.n; i++)
    sum[wn_sim_group(s, &s->p.e[i])] += wn_fix((double)s->p.e[i].w, WN_FIX_WEIGHT);
  for (size_t i = 0; i < s->p.n; i++) {
    double total = (double)sum[wn_sim_group(s, &s->p.e[i])] / WN_FIX_WEIGHT;
    s->p.e[i].w = (float)((double)s->p.e[i].w * (weight / total));
  }
  free(sum);
  wn_sim_refresh(s);
  return WN_OK;
}
