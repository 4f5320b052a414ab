/* src/jobs/runaway_rate_plateau.c - the thresholds from which on hardly an electron is stopped any more:
 * the plateau of job `runaway-rate`, where a rate is that of runaways.
 *
 * The loss of a threshold is the part of those that pass it that do not pass the last one.  The
 * ratio of both rates is asked, in which cancels what they have in common.  With the one-sided
 * quantile of 95 % of Student's t, the threshold is
 *
 *   on the plateau   when loss + t error <= runaway.plateau_loss;
 *   below it         when loss - t error >  runaway.plateau_loss;
 *   not known        between these: more electrons or accuracy are needed.
 *
 * So a loss above the limit is called a plateau in 5 % of runs at most, and one below it called
 * none in 5 % at most; worse statistics make neither more frequent.  Thresholds are asked
 * downwards from the last but one, and the first that is not of the plateau ends it: all that were
 * named together are wrong in 5 % of runs at most, too. */
#include <math.h>
#include "src/jobs/runaway_rate.h"

/* Student's t, one-sided 95 %, of groups - 1 degrees of freedom, by the expansion in 1/n about the
 * normal quantile: 1.894, 1.753 and 1.696 of 7, 15 and 31, where tables have 1.895, 1.753 and
 * 1.696. */
static double quantile(size_t groups)
{
  const double n = (double)(groups > 1 ? groups - 1 : 1);
  return 1.645 + 1.524 / n + 1.42 / (n * n);
}

enum wn_plateau wn_rate_judge(struct wn_estimate loss, double limit, size_t groups)
{
  const double t = quantile(groups);
  return loss.value + t * loss.error <= limit  ? WN_PLATEAU_FOUND
         : loss.value - t * loss.error > limit ? WN_PLATEAU_NONE
                                               : WN_PLATEAU_UNKNOWN;
}

struct wn_rate_plateau wn_rate_plateau(const struct wn_rate_case *j,
                                       const struct wn_sim *s)
{
  const size_t last = s->c->n_thresholds - 1,
               groups = (size_t)s->species[0]->shape.n_groups;
  struct wn_rate_plateau p = {WN_PLATEAU_UNKNOWN, NAN};
  if (!wn_rate_is_steady(j, s, last))
    return p;
  for (size_t k = last; k > 0; k--) {
    const enum wn_plateau is =
        wn_rate_judge(wn_rate_loss(j, s, k - 1), s->c->plateau_loss, groups);
    if (k == last)
      p.state = is;
    if (is != WN_PLATEAU_FOUND)
      break;
    p.from_ev = s->c->thresholds_ev[k - 1];
  }
  return p;
}
