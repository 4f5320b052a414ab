/* src/jobs/runaway.c - job `runaway`: electrons are released at t = 0 and followed for a given
 * time.  Diagnostics: src/diag/passages.c, src/diag/energies.c, src/diag/ledger.c. */
#include <inttypes.h>
#include <math.h>
#include "base/error.h"
#include "base/log.h"
#include "particles/load_balance.h"
#include "src/diag/passages.h"
#include "src/jobs/runaway.h"
#include "src/sim/radiation.h"

/* Limit on the number of steps, absolute and as a multiple of the necessary number, when
 * steps are fitted to the discontinuities of a field. */
#define MOST_STEPS 1000.0
#define MOST_TIMES 8.0

int wn_runaway_steps(const struct wn_config *c, double want, struct wn_job **out)
{
  const double least = fmax(1.0, ceil(c->duration / want - 1e-9)),
               most = fmax(MOST_STEPS, MOST_TIMES * least);
  double total = least;
  if (c->waveform.is.shape != WN_WAVEFORM_CONSTANT)
    total = (double)wn_waveform_divide(&c->waveform.is, c->duration, 1, (size_t)least,
                                       (size_t)most);
  if (!(total > 0.0))
    return WN_FAIL(
        WN_EINPUT,
        "no time step places the discontinuities of waveform.shape at the ends of steps: "
        "tried 1/%.0f to 1/%.0f of the duration, %.6g s; choose a duration of which they "
        "are simple fractions, or give rise and fall a length above 0",
        least, most, c->duration);
  return wn_job_steps_create(c->duration / total, (uint64_t)total, out);
}

static int create(struct wn_sim *s, struct wn_job **out)
{
  const struct wn_config *c = s->c;
  const double want = c->sample_interval > 0.0
                          ? c->sample_interval
                          : fmin(WN_RUNAWAY_CANDIDATES / s->gas->table->view.nu_max,
                                 wn_waveform_resolution(&c->waveform.is));
  s->species[0]->population.target = c->population_target;
  return wn_runaway_steps(c, want, out);
}

double wn_runaway_duration(const struct wn_config *c)
{
  return c->duration;
}

int wn_runaway_next(struct wn_job *j, struct wn_sim *s)
{
  j->steps++;
  /* all attached or removed, and no photon may free another: nothing more can happen */
  if (wn_sim_particles(s) == 0 && !wn_radiation_waits(s))
    j->steps = j->total;
  return WN_OK;
}

/* The table shows 1 keV, or the nearest threshold. */
size_t wn_runaway_shown(const struct wn_config *c)
{
  size_t k = 0;
  for (size_t i = 1; i < c->n_thresholds; i++)
    if (fabs(log(c->thresholds_ev[i] / 1e3)) < fabs(log(c->thresholds_ev[k] / 1e3)))
      k = i;
  return k;
}

static int finish(struct wn_job *j, struct wn_sim *s, struct wn_diag *const *diags,
                  struct wn_output *o, FILE *to)
{
  const struct wn_config *c = s->c;
  const struct wn_species *electrons = s->species[0];
  const struct wn_cfg_case *at = &c->cases[s->i_case];
  size_t k = wn_runaway_shown(c);
  struct wn_passages_of of;
  (void)j, (void)diags, (void)o;
  WN_TRY(wn_passages_estimate(s, k, &of));
  char rate[48];
  wn_diag_rate_text(of.rate, of.rate_limit, 10, 8, rate, sizeof rate);
  fprintf(to, "%9.4g %9.4g  %9.4g  %8.5f %8.5f  %s  %9.3g %8.2g  %9zu\n", at->td,
          at->e * 1e-5, c->thresholds_ev[k], of.fraction.value, of.fraction.error, rate,
          of.time.value, of.time.error,
          electrons->is_full ? electrons->n_before : wn_particles_all(&electrons->p));
  if (electrons->population.killed > 0)
    wn_log(WN_LOG_WARN,
           "field %s: the population control took %" PRIu64
           " electrons, so runaway_fraction is a lower "
           "bound; raise population.target (0: none) to avoid it",
           at->text, electrons->population.killed);
  return WN_OK;
}

static void heading(FILE *to)
{
  fprintf(to, "%9s %9s  %9s  %17s  %19s  %18s  %9s\n", "E/N", "E", "threshold",
          "fraction passed", "rate per electron", "first passage", "electrons");
  fprintf(to, "%9s %9s  %9s  %8s %8s  %10s %8s  %9s %8s  %9s\n", "Td", "kV/cm", "eV", "",
          "+-", "1/s", "+-", "s", "+-", "at end");
}

static const struct wn_diag_ops *const diags[] = {&wn_diag_passages,  &wn_diag_energies,
                                                  &wn_diag_ledger,    &wn_diag_radiation,
                                                  &wn_diag_detectors, NULL};

const struct wn_job_ops wn_job_runaway = {
    .doc = "number of released electrons that exceed given energies, themselves or by a "
           "descendant",
    .diags = diags,
    .collisions = 1,
    .needs = {.passages = 1},
    .define = wn_diag_define_axes,
    .begin = wn_diag_put_axes,
    .heading = heading,
    .duration = wn_runaway_duration,
    .create = create,
    .interval = wn_job_steps_interval,
    .next = wn_runaway_next,
    .done = wn_job_steps_done,
    .fraction = wn_job_steps_fraction,
    .finish = finish,
    .full = wn_job_full,
    .state = wn_job_steps_state,
    .free = wn_job_steps_free,
};
