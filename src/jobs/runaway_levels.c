/* src/jobs/runaway_levels.c - job `runaway` with runaway.levels: electrons are released at t = 0 and followed for a given
 * time, in a field that may change, as a weighted ensemble (particles/weighted_ensemble.h).  Each energy level of each
 * group keeps about the same number of electrons, so that first passages are sampled however few electrons make them.
 *
 * Unlike job runaway-rate nothing has to be steady: weights are per primary from the release on, and are not halved.
 * The sum of weights has room for 2^60 electrons.  What the lineage of a primary does is not known: an
 * electron is split and merged again.  So there are passages per primary, and no fraction of primaries.
 *
 * Diagnostics: src/diag/passages.c, src/diag/passages_in_time.c, src/diag/levels.c, src/diag/energies.c. */
#include <math.h>
#include "base/error.h"
#include "base/log.h"
#include "src/diag/passages.h"
#include "src/jobs/runaway.h"

#define MOST_WEIGHT 0x1p60

static int create(struct wn_sim *s, struct wn_job **out)
{
  const struct wn_config *c = s->c;
  const double candidates = WN_RATE_CANDIDATES / s->gas->table->view.nu_max,
               want = c->sample_interval > 0.0
                          ? c->sample_interval
                          : fmin(candidates, wn_waveform_resolution(&c->waveform.is));
  return wn_runaway_steps(c, want, out);
}

static int next(struct wn_job *j, struct wn_sim *s)
{
  if (wn_ensemble_weight(s->species[0]->ensemble) > MOST_WEIGHT)
    return WN_FAIL(WN_ERUN,
                   "field %s: %.3g electrons have become more than 2^60 in %.4g s, the "
                   "most that weights can add up; shorten duration, or lower the field",
                   s->c->cases[s->i_case].text, (double)s->c->electrons, s->time);
  return wn_runaway_next(j, s);
}

/* The last threshold: how many decades below the bulk it is what the levels are for. */
static int finish(struct wn_job *j, struct wn_sim *s, struct wn_diag *const *diags,
                  struct wn_output *o, FILE *to)
{
  const struct wn_config *c = s->c;
  const struct wn_cfg_case *at = &c->cases[s->i_case];
  const size_t k = c->n_thresholds - 1;
  const double living =
      wn_ensemble_weight(s->species[0]->ensemble) / (double)c->electrons;
  struct wn_passages_of of;
  (void)j, (void)diags, (void)o;
  WN_TRY(wn_passages_estimate(s, k, &of));
  char passages[48];
  wn_diag_rate_text(of.passages, of.passages_limit, 10, 8, passages, sizeof passages);
  fprintf(to, "%9.4g %9.4g  %9.4g  %s  %10.4g\n", at->td, at->e * 1e-5,
          c->thresholds_ev[k], passages, living);
  if (isnan(of.passages.error))
    wn_log(WN_LOG_WARN,
           "field %s: no electron passed %.9g eV; raise population.target or "
           "runaway.levels_per_decade, or duration",
           at->text, c->thresholds_ev[k]);
  return WN_OK;
}

static void heading(FILE *to)
{
  fprintf(to, "%9s %9s  %9s  %19s  %10s\n", "E/N", "E", "threshold", "passages/primary",
          "electrons");
  fprintf(to, "%9s %9s  %9s  %10s %8s  %10s\n", "Td", "kV/cm", "eV", "", "+-", "at end");
}

static const struct wn_diag_ops *const diags[] = {
    &wn_diag_passages, &wn_diag_passages_in_time, &wn_diag_levels,    &wn_diag_energies,
    &wn_diag_ledger,   &wn_diag_radiation,        &wn_diag_detectors, NULL};

const struct wn_job_ops wn_job_runaway_levels = {
    .diags = diags,
    .collisions = 1,
    .holds_number = 1,
    .needs = {.passages = 1, .weighted = 1},
    .define = wn_diag_define_axes,
    .begin = wn_diag_put_axes,
    .heading = heading,
    .duration = wn_runaway_duration,
    .create = create,
    .interval = wn_job_steps_interval,
    .next = next,
    .done = wn_job_steps_done,
    .fraction = wn_job_steps_fraction,
    .finish = finish,
    .full = wn_job_full,
    .state = wn_job_steps_state,
    .free = wn_job_steps_free,
};
