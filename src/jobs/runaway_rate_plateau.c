/* src/jobs/runaway_rate_plateau.c - the plateau of job `runaway-rate`: the thresholds above which almost
 * no electron is stopped, so that the rate is that of runaways.
 *
 * The loss of a threshold is the part of the electrons passing it that does not pass the last one.  It
 * follows from the ratio of the two rates, in which common fluctuations cancel.  With the one-sided 95 %
 * quantile t of Student's distribution, the threshold is
 *
 *   on the plateau   when loss + t error <= runaway.plateau_loss;
 *   below it         when loss - t error >  runaway.plateau_loss;
 *   not known        otherwise: more electrons or a better accuracy are needed.
 *
 * A loss above the limit is called a plateau in at most 5 % of runs, and a loss below it is called none
 * in at most 5 %; larger errors do not raise either probability.  Thresholds are tested downwards from
 * the last but one, and the first that is not on the plateau ends the test; so the whole list of
 * thresholds on the plateau is wrong in at most 5 % of runs, too. */
#include <math.h>
#include "src/jobs/runaway_rate.h"

/* One-sided 95 % quantile of Student's t with groups - 1 degrees of freedom, by the expansion in
 * 1/n about the normal quantile: 1.894, 1.753 and 1.696 for 7, 15 and 31, where tables have 1.895,
 * 1.753 and 1.696. */
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
