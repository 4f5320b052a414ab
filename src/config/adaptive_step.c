/* src/config/adaptive_step.c - see adaptive_step.h; and the rules for plasma.adaptive. */
#include "src/config/adaptive_step.h"
#include <math.h>
#include "src/config/reader.h"

#define GROUP "plasma.adaptive."

bool wn_steps_are_adaptive(const struct wn_config *c)
{
  return c->model == WN_MODEL_PLASMA && c->plasma.adaptive.least != WN_AUTO;
}

int wn_step_levels(const struct wn_config *c)
{
  int levels = 0;
  if (!wn_steps_are_adaptive(c))
    return 0;
  /* a quotient just below a power of two, by rounding, is that power */
  while (levels < WN_STEP_MOST_LEVELS &&
         wn_step_of_level(c, levels + 1) >= c->plasma.adaptive.least * (1 - 1e-9))
    levels++;
  return levels;
}

double wn_step_of_level(const struct wn_config *c, int level)
{
  return ldexp(c->plasma.time_step, -level);
}

/* A key of the group without that which switches it on; a resolved scenario has the defaults. */
static void check_unused(struct wn_reader *r)
{
  const struct wn_cfg_plasma *p = &r->c->plasma;
  const struct {
    const char *key;
    bool is_used;
  } others[] = {{GROUP "cells", p->adaptive.cells != 0.5},
                {GROUP "quantile", p->adaptive.quantile != 0.9},
                {GROUP "growth", p->adaptive.growth != 0.2},
                {GROUP "relaxation", p->adaptive.relaxation != 0.5}};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (others[i].is_used)
      wn_reader_error(r, wn_reader_find(r, others[i].key), others[i].key,
                      "has no effect without " GROUP
                      "least, the shortest step, which switches adaptive steps on");
}

void wn_config_check_adaptive(struct wn_reader *r)
{
  const struct wn_config *c = r->c;
  const double most = c->plasma.time_step, least = c->plasma.adaptive.least;
  if (!wn_steps_are_adaptive(c)) {
    check_unused(r);
    return;
  }
  if (!(most > 0) || !(least > 0))
    return; /* reported already */
  if (least > 0.5 * most * (1 + 1e-9) ||
      least < ldexp(most, -WN_STEP_MOST_LEVELS) * (1 - 1e-9))
    wn_reader_error(
        r, wn_reader_find(r, GROUP "least"), GROUP "least",
        "the longest step is plasma.time_step, %.9g s; allowed: from its part "
        "2^-%d, %.9g s, to its half, %.9g s",
        most, WN_STEP_MOST_LEVELS, ldexp(most, -WN_STEP_MOST_LEVELS), 0.5 * most);
}
