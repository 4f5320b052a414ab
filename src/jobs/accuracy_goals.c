/* src/jobs/accuracy_goals.c - see accuracy_goals.h. */
#include "src/jobs/accuracy_goals.h"
#include <math.h>
#include <stdio.h>
#include "src/diag/moments.h"

#define ONE_SIDED_95 1.645 /* standard deviations of a normal distribution */

#define NAME(symbol, word, ...) word,
static const char *const name[] = {WN_GOALS(NAME)};

static const enum wn_coefficient of_moments[WN_N_GOALS] = {
    [WN_GOAL_BULK_MOBILITY] = WN_W_BULK,
    [WN_GOAL_FLUX_DT] = WN_DT_FLUX,
    [WN_GOAL_FLUX_DL] = WN_DL_FLUX,
    [WN_GOAL_BULK_DT] = WN_DT_BULK,
    [WN_GOAL_BULK_DL] = WN_DL_BULK};

/* The estimate of a coefficient by its diagnostic. */
static struct wn_rate_estimate estimate(enum wn_goal goal, const struct wn_sim *s,
                                        struct wn_diag *moments, struct wn_diag *rates,
                                        const double *control)
{
  struct wn_rate_estimate e = {{NAN, NAN}, NAN};
  switch (goal) {
  case WN_GOAL_MEAN_ENERGY:
    e.of = wn_transport_energy(s, control);
    break;
  case WN_GOAL_MOBILITY:
    e.of = wn_transport_drift(s, control);
    break;
  case WN_GOAL_BULK_MOBILITY:
  case WN_GOAL_FLUX_DT:
  case WN_GOAL_FLUX_DL:
  case WN_GOAL_BULK_DT:
  case WN_GOAL_BULK_DL:
    e.of = wn_moments_estimate(moments, s, of_moments[goal], control);
    break;
  case WN_GOAL_IONIZATION:
    return wn_rates_frequency(rates, s, WN_PROC_IONIZATION, control);
  case WN_GOAL_ATTACHMENT:
    return wn_rates_frequency(rates, s, WN_PROC_ATTACHMENT, control);
  case WN_GOAL_ALPHA:
    return wn_rates_reduced(rates, s, WN_PROC_IONIZATION, control);
  case WN_GOAL_ETA:
    return wn_rates_reduced(rates, s, WN_PROC_ATTACHMENT, control);
  case WN_N_GOALS:
    break;
  }
  return e;
}

/* A rate that is below the floor, or that is zero for this gas. */
static int is_below(enum wn_goal goal, const struct wn_sim *s,
                    const struct wn_rate_estimate *e)
{
  if (goal < WN_GOAL_IONIZATION)
    return 0;
  if (e->of.value == 0.0 && e->of.error == 0.0)
    return 1; /* the gas has no such process */
  const double most = isnan(e->upper_limit) ? e->of.value + ONE_SIDED_95 * e->of.error
                                            : e->upper_limit,
               per = goal < WN_GOAL_ALPHA
                         ? fabs(wn_transport_drift_of(s, -1)) * s->c->number_density
                         : 1.0;
  return most < s->c->accuracy_floor * per;
}

struct wn_goals wn_goals_evaluate(const struct wn_sim *s, struct wn_diag *moments,
                                  struct wn_diag *rates, const double *control)
{
  struct wn_goals g = {.which = -1};
  for (int i = 0; i < WN_N_GOALS; i++) {
    const double asked = s->c->goal[i];
    if (!(asked > 0.0))
      continue;
    const struct wn_rate_estimate e =
        estimate((enum wn_goal)i, s, moments, rates, control);
    if (is_below((enum wn_goal)i, s, &e)) {
      g.below_floor++;
      continue;
    }
    double error = e.of.error / fabs(e.of.value);
    if (!isfinite(error))
      error = INFINITY;
    if (g.which < 0 || error / asked > g.worst)
      g = (struct wn_goals){error / asked, i, error, asked, g.below_floor};
  }
  return g;
}

void wn_goals_text(const struct wn_goals *g, char *text, size_t n)
{
  char floor[64] = "";
  if (g->below_floor > 0)
    snprintf(floor, sizeof floor, "%s%d rate%s below accuracy.floor",
             g->which < 0 ? "" : "; ", g->below_floor, g->below_floor == 1 ? "" : "s");
  if (g->which < 0)
    snprintf(text, n, "%s", floor);
  else if (isfinite(g->error))
    snprintf(text, n, "worst: %s, %.3g %%, required %.3g %%%s", name[g->which],
             100.0 * g->error, 100.0 * g->asked, floor);
  else
    snprintf(text, n, "worst: %s, not known yet, required %.3g %%%s", name[g->which],
             100.0 * g->asked, floor);
}
