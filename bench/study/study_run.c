/* bench/study/study_run.c - a run of the study: how many particles there are after each
 * Poisson step, and what became of them in it; a row a step, in which all bits are. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include "base/error.h"
#include "base/ranks.h"
#include "bench/study/study.h"
#include "particles/load_balance.h"
#include "src/run/step.h"

#define FIX_SPEED2 0x1p60 /* v^2 of a particle, about 1 at the most */

/* An integer sum, so that it does not depend on the order of the particles, which threads
 * change.  Models without velocities have 0. */
static int mean_square_velocity(const struct wn_study *y, struct wn_particles *p,
                                double *v2)
{
  const double of2 = y->kind->speed2 != NULL ? y->kind->speed2_unit(y) : 0.0;
  const size_t n = wn_particles_all(p);
  wn_i128 sum = 0;
  if (y->kind->speed2 != NULL)
    WN_TRY(wn_particles_read(p));
  for (size_t i = 0; y->kind->speed2 != NULL && i < p->n; i++)
    sum += wn_fix(y->kind->speed2(wn_particles_at(p, i), 1.0 / of2), FIX_SPEED2);
  wn_ranks_sum(&sum, 1);
  *v2 = n > 0 ? (double)sum / FIX_SPEED2 * of2 / (double)n : NAN;
  return WN_OK;
}

static int row(const struct wn_study *y, struct wn_sim *s, FILE *to)
{
  struct wn_species *p = s->species[0];
  const struct wn_tally *t = &p->tally;
  double v2;
  WN_TRY(mean_square_velocity(y, &p->p, &v2));
  fprintf(to,
          "%6" PRIu64 "  %10.4g  %12zu  %12" PRIu64 "  %12" PRIu64 "  %14" PRIu64
          "  %23.17g\n",
          s->n_steps, s->time, wn_particles_all(&p->p), t->n_births, t->n_deaths,
          t->n_candidates, v2);
  fflush(to);
  return WN_OK;
}

int wn_study_run(const struct wn_study *y, struct wn_sim *s, FILE *to)
{
  const struct wn_study_steps steps = wn_study_steps(y);
  fprintf(to, "%6s  %10s  %12s  %12s  %12s  %14s  %23s\n", "step", "time s", "electrons",
          "births", "deaths", "electron steps", "<v2> m2/s2");
  while (s->n_steps < steps.poisson) {
    const int status = wn_step(s, s->interval);
    if (wn_particles_no_room(status))
      return WN_FAIL(WN_EFULL,
                     "the store of electrons was full: the run ends after %" PRIu64
                     " Poisson step%s, at %.6g s; raise population.capacity where there "
                     "is memory, or take fewer steps or electrons",
                     s->n_steps, s->n_steps == 1 ? "" : "s", s->time);
    WN_TRY(status);
    WN_TRY(row(y, s, to));
    wn_sim_reset(s); /* the numbers of a step are its own */
  }
  return WN_OK;
}
